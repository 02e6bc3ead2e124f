"""The one file in which a house is configured, `houseway.toml`: every setting is declared here, once.

What an option says counts before what the environment says, and that before the file. A setting of the file that has a variable
of the environment becomes that variable when the program starts, if nobody has set it: so all commands heed the file.
"""

import os
import socket
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from houseway.refusal import Refused

VARIABLE, NAME = "HOUSEWAY_CONFIG", "houseway.toml"
NOTHING: Any = object()
"""That a setting is nowhere set: there is no value that means it."""
ANSWER_SECONDS = 4
"""How long a server, or whoever knows names of machines, may take to answer a check."""
_became: dict[str, str] = {}
"""The variables that a file has set in this process."""


def _number(least: int, most: int) -> Any:
    from annotated_types import Ge, Le

    return Annotated[int, Ge(least), Le(most)]


@dataclass(frozen=True)
class Setting:
    """A setting: its key in the file, of what kind it is, and where else it can be set.

    `otherwise` says what holds if it is set nowhere. A `place` is a file or a folder: in the file it is relative to the file's
    own folder. `check` refuses a value that cannot be used.
    """

    key: str
    kind: Callable[[], Any]
    about: str
    otherwise: str
    option: str = ""
    variable: str = ""
    place: bool = False
    check: Callable[[Any], object] | None = None

    @property
    def section(self) -> str:
        """The table of the file that it stands in."""
        return self.key.partition(".")[0]

    @property
    def name(self) -> str:
        """Its name in that table."""
        return self.key.partition(".")[2]


def _text() -> Any:
    return str


def _texts() -> Any:
    return list[str]


def _truth() -> Any:
    return bool


def _in_time(name: str, look: Callable[[], object]) -> None:
    """Look at something that may not answer, such as a server or the names of machines; refused if it does not in time."""
    from threading import Thread

    refusals: list[Refused] = []

    def looking() -> None:
        try:
            look()
        except Refused as refused:
            refusals.append(refused)

    thread = Thread(target=looking, name="houseway config check", daemon=True)
    thread.start()
    thread.join(ANSWER_SECONDS)
    if thread.is_alive():
        refusals.append(Refused("no-answer", f"{name} does not answer within {ANSWER_SECONDS} seconds: is it the right one?"))
    if refusals:
        raise refusals[0]


def _check_store(given: str) -> None:
    from houseway.house.opening import POSTGRESQL, checked, has_house

    url = checked(given)
    if url.startswith(POSTGRESQL):
        _in_time("the PostgreSQL server", lambda: has_house(url, ANSWER_SECONDS))


def _check_host(given: str) -> None:
    def bind() -> None:
        try:
            family, *_, address = socket.getaddrinfo(given, 0, type=socket.SOCK_STREAM)[0]
            with socket.socket(family, socket.SOCK_STREAM) as door:
                door.bind(address)
        except OSError as error:
            why = f"nobody can listen at {given} on this machine ({error.strerror or error})"
            raise Refused("bad-host", f"{why}: 127.0.0.1 is this machine alone, 0.0.0.0 all its addresses") from None

    _in_time(given, bind)


def _check_key(given: str) -> None:
    from houseway.house.private import check_folder, check_private

    file = Path(given)
    if not file.parent.is_dir():
        raise Refused("no-folder", f"there is no folder {file.parent}: make it, with mode 700")
    check_private(file, "the key")
    check_folder(file.parent, "the folder of the keys")


def _check_folder(given: str) -> None:
    if not Path(given).expanduser().is_dir():
        raise Refused("no-folder", f"there is no folder {given}: make it, or name another")


def _check_folders(given: list[str]) -> None:
    for each in given:
        _check_folder(each)


def _check_proxies(given: list[str]) -> None:
    from houseway.web.clients import proxy_network

    for each in given:
        proxy_network(each)


def _check_interval(given: str) -> None:
    from houseway.house.backups import interval

    interval(given)


def _check_token(given: str) -> None:
    from houseway.web.metrics import read_token

    read_token(Path(given))


def _limits() -> Iterator[Setting]:
    from houseway.web.limits import ABOUT, ClientLimits

    usual = ClientLimits()
    for name, about in ABOUT.items():
        said = f"what one client may take: {name.replace('_', ' ')} {about}"
        yield Setting(f"limits.{name}", lambda: _number(1, 1_000_000), said, str(getattr(usual, name)), f"--limit {name}=")


_SETTINGS = (
    Setting(
        *(
            "house.store",
            _text,
            "where the journal is: a file's path, or postgresql://...",
            "a file in ~/.local/share/houseway",
        ),
        *("--store", "HOUSEWAY_STORE"),
        place=True,
        check=_check_store,
    ),
    Setting(
        *("house.key", _text, "the file of the sealing keys; the other keys lie beside it", "~/.config/houseway/house.key"),
        variable="HOUSEWAY_KEY",
        place=True,
        check=_check_key,
    ),
    Setting(
        *("house.duties", lambda: Literal["one", "two"], "how many names a new house begins with", "two; a demo one"),
        *("--duties", "HOUSEWAY_DUTIES"),
    ),
    Setting(
        *("house.editions", _text, "a folder with editions of your own", "none"),
        variable="HOUSEWAY_EDITIONS",
        place=True,
        check=_check_folder,
    ),
    Setting(
        *("house.games", _texts, "folders with games of your own", "none"),
        variable="HOUSEWAY_GAMES",
        place=True,
        check=_check_folders,
    ),
    Setting(
        *("house.cache", _text, "where compiled rules, tallies and solved games are kept", "~/.cache/houseway"),
        variable="HOUSEWAY_CACHE",
        place=True,
    ),
    Setting(
        *("house.release_public_keys", _texts, "the keys that may have signed the release", "a signature is not asked for"),
        variable="HOUSEWAY_RELEASE_PUBLIC_KEY",
    ),
    Setting("serve.host", _text, "the address to listen at", "127.0.0.1", "--host", check=_check_host),
    Setting("serve.port", lambda: _number(1, 65535), "the port to listen at", "8000, or the next that is free", "--port"),
    Setting("serve.demo", _truth, "demo tables with play money, one for every edition", "true", "--demo/--no-demo"),
    Setting("serve.workers", lambda: _number(1, 32), "processes; more than one needs PostgreSQL", "1", "--workers"),
    Setting(
        *("serve.proxies", _texts, "proxies whose X-Forwarded-For and -Proto are believed", "none", "--proxy"),
        check=_check_proxies,
    ),
    Setting("tls.cert", _text, "serve by TLS: the certificate with its chain", "no TLS", "--tls-cert", place=True),
    Setting("tls.key", _text, "serve by TLS: the certificate's private key", "no TLS", "--tls-key", place=True),
    Setting("backups.to", _text, "the folder into which the house backs itself up", "no backups", "--backup-to", place=True),
    Setting("backups.every", _text, "how often: 30m, 1h", "1h", "--backup-every", check=_check_interval),
    Setting(
        *("logs.format", lambda: Literal["auto", "json", "plain"], "lines of JSON or plain ones; auto: plain at a terminal"),
        *("auto", "--logs"),
    ),
    Setting("logs.requests", _truth, "a line for every request", "true in JSON, false in plain lines", "--log-requests"),
    Setting(
        *("metrics.token_file", _text, "who may read /metrics: whoever sends the token in this file", "this machine alone"),
        *("--metrics-token",),
        place=True,
        check=_check_token,
    ),
)


def settings() -> dict[str, Setting]:
    """Every setting by its key, in the order of the file."""
    declared = [*_SETTINGS, *_limits()]
    return {setting.key: setting for setting in declared}


@dataclass(frozen=True)
class Chosen:
    """What a setting is, and who said so."""

    setting: Setting
    value: Any
    source: str

    def __str__(self) -> str:
        return f"{self.setting.key} = {self.shown} ({self.source})"

    @property
    def shown(self) -> str:
        """The value, without a password that a store's address may hold."""
        if self.value is NOTHING:
            return self.setting.otherwise
        if isinstance(self.value, bool):
            return str(self.value).lower()
        if isinstance(self.value, list):
            return ", ".join(map(str, self.value)) or "none"
        return _without_password(str(self.value))


def _without_password(text: str) -> str:
    head, colon, rest = text.partition("://")
    who, at, where = rest.rpartition("@")
    name, between, _ = who.partition(":")
    return f"{head}://{name}:...@{where}" if colon and at and between else text


@dataclass(frozen=True)
class Configuration:
    """What the file says, as far as it can be read, and what is wrong with it."""

    file: Path | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    flaws: tuple[str, ...] = ()

    def chosen(self, key: str, option: Any = None) -> Chosen:
        """What a setting is: by an option, the environment, the file, or the program itself."""
        setting = settings()[key]
        if option is not None and option != []:
            return Chosen(setting, option, f"option {setting.option}")
        given = os.environ.get(setting.variable, "") if setting.variable else ""
        if given and _became.get(setting.variable) != given:
            return Chosen(setting, given, f"environment {setting.variable}" + self._hidden(key))
        if key in self.values:
            return Chosen(setting, self.values[key], str(self.file))
        return Chosen(setting, NOTHING, "nobody set it")

    def value(self, key: str, option: Any, otherwise: Any) -> Any:
        """The same, for the program: what is otherwise so, if nobody has said anything."""
        chosen = self.chosen(key, option)
        return otherwise if chosen.value is NOTHING else chosen.value

    def _hidden(self, key: str) -> str:
        return f"; {self.file} has another, which does not count" if key in self.values else ""

    def check(self) -> None:
        """Refuse to go on with a file of which anything is wrong."""
        if self.flaws:
            raise Refused("bad-config", self.flaws[0])


def usual_file() -> Path | None:
    """The file that is meant if none is named: `HOUSEWAY_CONFIG`, or the user's own, if there is one."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")  # noqa: PTH111 - where there is no home
    own = Path(home) / "houseway" / NAME
    return own if os.path.isfile(own) else None  # noqa: PTH113 - in a folder that one may not look into there is none


def read_configuration(file: Path | None) -> Configuration:
    """A file's settings, each judged by itself, so that all that is wrong is said; one that is not TOML has nothing to say."""
    if file is None:
        return Configuration()
    from houseway.rulebook.document import check_keys, read, read_toml

    try:
        data = read_toml(file)
    except Refused as refused:
        return Configuration(file, flaws=(refused.message,))
    known, values, flaws = settings(), dict[str, Any](), list[str]()
    sections = list(dict.fromkeys(setting.section for setting in known.values()))
    label = file.name
    for section, table in data.items():
        try:
            check_keys(label, "", [section], sections)
            read(dict[str, Any], table, label, section)
        except Refused as refused:
            flaws.append(refused.message.replace(f"{label}: .", f"{label}: "))
            continue
        names = [setting.name for setting in known.values() if setting.section == section]
        for name, given in table.items():
            try:
                check_keys(label, section, [name], names)
                setting = known[f"{section}.{name}"]
                values[setting.key] = _at_its_place(setting, read(setting.kind(), given, label, setting.key), file)
            except Refused as refused:
                flaws.append(refused.message)
    return Configuration(file, values, tuple(flaws))


def _at_its_place(setting: Setting, value: Any, file: Path) -> Any:
    """A path of the file, from the file's folder; the address of a store is no path."""
    if not setting.place:
        return value
    if isinstance(value, list):
        return [_at_its_place(setting, each, file) for each in value]
    return value if "://" in value or value.startswith("~") or not value else str(file.absolute().parent / value)


def heed(configuration: Configuration) -> None:
    """Make of a file's settings the variables that the program asks, where the environment has none of its own."""
    for variable, value in _became.items():
        if os.environ.get(variable) == value:
            del os.environ[variable]
    _became.clear()
    joined = {"house.games": os.pathsep, "house.release_public_keys": ","}
    for setting in settings().values() if configuration.values else ():
        if setting.variable and setting.key in configuration.values and not os.environ.get(setting.variable):
            value = configuration.values[setting.key]
            _became[setting.variable] = joined[setting.key].join(value) if isinstance(value, list) else value
    os.environ |= _became


def flaws_of(configuration: Configuration) -> Iterator[str]:
    """Everything that is wrong with what is configured: in the file, and with each value wherever it is from."""
    yield from configuration.flaws
    chosen = {key: configuration.chosen(key) for key in settings()}
    for key, each in chosen.items():
        if each.value is NOTHING or each.setting.check is None:
            continue
        value = each.value
        if key in {"house.games"} and isinstance(value, str):
            value = [name for name in value.split(os.pathsep) if name]
        try:
            each.setting.check(value)
        except Refused as refused:
            yield f"{key}: {refused.message}"
    yield from _together({key: each.value for key, each in chosen.items() if each.value is not NOTHING})


def _together(values: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with settings beside each other."""
    if values.get("serve.workers", 1) > 1 and "://" not in values.get("house.store", ""):
        yield "serve.workers: several processes need PostgreSQL: set house.store to its address"
    if "backups.every" in values and "backups.to" not in values:
        yield "backups.every: backups.to is missing: name the folder to back up into"
    if "tls.cert" in values or "tls.key" in values:
        from houseway.cli.serve import check_tls

        try:
            check_tls(*(Path(values[key]) if key in values else None for key in ("tls.cert", "tls.key")))
        except Refused as refused:
            yield f"tls: {refused.message}"
