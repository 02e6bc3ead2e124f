"""Signed heads of the chain. A chain that is rewritten as a whole holds in itself: only what left the house can tell.

So a head, the number and the hash of the newest entry, is signed and sent to places outside by itself: a file, a folder or
a URL, after so many entries, after so many minutes, at the end of a gaming day and when a table closes. An audit compares
the chain with every head it is given. The settings lie beside the keys, not in the store that they are there to watch.
"""

import fcntl
import http.client
import json
import logging
import os
import threading
import tomllib
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from houseway.house.again import IsOut, again_and_again
from houseway.house.floor import HOUSE, Actor, Floor, now
from houseway.house.keys import HEADS, Key, Keyring
from houseway.house.private import make_private_file
from houseway.house.store import DAMAGED, TO_DO, Store
from houseway.refusal import Refused
from houseway.table.entry import GENESIS, canonical
from houseway.table.fold import HEAD_NOT_SENT, HEAD_PLACES, HEAD_SENT_AGAIN, KEY_MADE
from houseway.table.gaming_day import gaming_day
from houseway.table.roles import ADMINISTRATORS, may_not
from houseway.table.state import House

SECONDS_BETWEEN_LOOKS = 5.0
SECONDS_BETWEEN_TRIES = 30.0
SECONDS_FOR_A_URL = 5.0
SECONDS_FOR_A_PLACE = 20.0
NONE_COMPARED = "no head from outside was compared: a chain rewritten as a whole would pass"
log = logging.getLogger("houseway.house")


@dataclass(frozen=True)
class SignedHead:
    """The head of the chain, signed: kept elsewhere, it shows a cut tail or a rewritten chain."""

    seq: int
    hash: str
    at: str
    public_key: str
    signature: str

    def message(self) -> bytes:
        """What is signed."""
        return canonical(["houseway-head-1", self.seq, self.hash, self.at]).encode()

    def is_genuine(self) -> bool:
        """Whether the signature is the key's."""
        try:
            Ed25519PublicKey.from_public_bytes(bytes.fromhex(self.public_key)).verify(
                bytes.fromhex(self.signature), self.message()
            )
        except (InvalidSignature, ValueError):
            return False
        return True

    @property
    def short(self) -> str:
        """As a wall board prints it: the number, and the first digits of the hash."""
        return f"{self.seq} {self.hash[:16]}"

    @classmethod
    def read(cls, data: object) -> "SignedHead":
        """A head from JSON; other fields are passed over, for whoever keeps heads may add some."""
        if not isinstance(data, dict) or not isinstance(data.get("seq"), int) or isinstance(data["seq"], bool):
            raise ValueError
        if not 0 <= data["seq"] < 2**63:
            raise ValueError
        texts = {name: data[name] for name in ("hash", "at", "public_key", "signature")}
        if not all(isinstance(text, str) for text in texts.values()):
            raise ValueError
        return cls(seq=data["seq"], **texts)

    @classmethod
    def load(cls, file: Path) -> "SignedHead":
        """Read an exported head."""
        try:
            return cls(**json.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            raise Refused("bad-head", f"{file}: not an exported head") from None


def public_key(key: bytes) -> str:
    """The public half of a signing key, by which its signatures are known."""
    return Key(HEADS, key).public


def sign_head(store: Store, key: bytes) -> SignedHead:
    """Sign the head as it is now."""
    return signed(store.head(), key, now())


def signed(head: tuple[int, str], key: bytes, at: datetime) -> SignedHead:
    """A head, signed at a moment."""
    private = Ed25519PrivateKey.from_private_bytes(key)
    unsigned = SignedHead(*head, at.isoformat(timespec="seconds"), public_key(key), "")
    return SignedHead(*head, unsigned.at, unsigned.public_key, private.sign(unsigned.message()).hex())


Wrong = Callable[[Refused], None]
"""What is done about something that cannot be read."""


def _refuse(refused: Refused) -> None:
    raise refused


def read_heads(place: Path, wrong: Wrong = _refuse) -> list[SignedHead]:
    """All heads in a file (one, a list of them, or one a line), or in the files of a folder (`*.json`, `*.jsonl`).

    What cannot be read is refused, or told to `wrong` and passed over.
    """
    try:
        if place.is_dir():
            named = (file for file in place.iterdir() if file.suffix in {".json", ".jsonl"} and not file.name.startswith("."))
            return [head for file in sorted(named) for head in read_heads(file, wrong)]
        if place.exists() and not place.is_file():  # whoever reads a pipe waits for ever
            raise ValueError
        text = place.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a text"
        wrong(Refused("bad-head", f"{place}: {reason}; name a file or a folder with exported heads"))
        return []
    try:
        data = json.loads(text)
        return [SignedHead.read(each) for each in (data if isinstance(data, list) else [data])]
    except (ValueError, KeyError):
        pass
    heads = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            heads += [SignedHead.read(json.loads(line))] if line.strip() else []
        except (ValueError, KeyError):
            wrong(Refused("bad-head", f"{place}, line {number}: not an exported head"))
    return heads


def contradiction(store: Store, heads: Collection[SignedHead], public_keys: Collection[str]) -> str:
    """How the chain is not the one of which these heads are, or how one is none of this house's; nothing if all fits."""
    for head in sorted(heads, key=lambda head: (head.seq, head.at)):
        if not head.is_genuine():
            return f"the signature of the head of entry {head.seq} ({head.at}) is not genuine"
        if head.public_key not in public_keys:
            return f"the head of entry {head.seq} ({head.at}) was signed with another key"
    return next(iter(unfitting(store, heads).values()), "")


def unfitting(store: Store, heads: Collection[SignedHead]) -> dict[SignedHead, str]:
    """The heads of entries that the chain does not have, or has otherwise, in order; whoever signed them."""
    hashes, wrong = {0: GENESIS} | store.hashes([head.seq for head in heads]), {}
    for head in sorted(heads, key=lambda head: (head.seq, head.at)):
        if head.seq not in hashes:
            wrong[head] = f"entry {head.seq}, of which a head was signed ({head.at}), is missing: the tail of the chain was cut"
        elif hashes[head.seq] != head.hash:
            wrong[head] = f"entry {head.seq} is not the one of which a head was signed ({head.at}): the chain was rewritten"
    return wrong


# Where heads go


@dataclass(frozen=True)
class HeadSettings:
    """To which places heads are sent, and when: after so many entries or minutes, whichever comes first (0: never)."""

    places: tuple[str, ...] = ()
    entries: int = 1000
    minutes: int = 60

    @classmethod
    def load(cls, keys: Keyring) -> "HeadSettings":
        """As they are written beside the keys; none, if nothing is."""
        file = settings_file(keys)
        try:
            data = tomllib.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return cls()
        except (OSError, ValueError) as error:
            raise Refused("bad-heads", f"{file} cannot be read ({error}): write it again with houseway heads set") from None
        known = data.get("places", []), data.get("entries", cls.entries), data.get("minutes", cls.minutes)
        if not isinstance(known[0], list) or not all(isinstance(place, str) for place in known[0]):
            raise Refused("bad-heads", f"{file}: places is no list of texts: write it again with houseway heads set")
        return checked(known[0], known[1], known[2])

    def save(self, keys: Keyring) -> None:
        """Write them down."""
        lines = [f"places = {json.dumps(list(self.places))}", f"entries = {self.entries}", f"minutes = {self.minutes}", ""]
        file = settings_file(keys)
        draft = file.with_name(f".{file.name}.{os.getpid()}")
        draft.unlink(missing_ok=True)
        make_private_file(draft)
        draft.write_text("\n".join(lines), encoding="utf-8")
        draft.replace(file)

    def read(self, wrong: Wrong = _refuse) -> list[SignedHead]:
        """The heads that lie at these places; a URL only takes them, and a file that is not there yet has none."""
        return [head for place in self.places for head in heads_at(place, wrong)]


def heads_at(place: str, wrong: Wrong = _refuse) -> list[SignedHead]:
    """The heads that lie at a place; of one that does not answer in time, such as a lost machine's folder, none."""
    if is_url(place):
        return []
    heads: list[SignedHead] = []
    refusals: list[Refused] = []

    def read() -> None:
        if os.path.lexists(place):
            heads.extend(read_heads(Path(place), refusals.append))

    reader = threading.Thread(target=read, name="houseway heads", daemon=True)
    reader.start()
    reader.join(SECONDS_FOR_A_PLACE)
    if reader.is_alive():
        refusals.append(Refused("bad-head", f"{place}: it does not answer within {SECONDS_FOR_A_PLACE:.0f} seconds"))
    for refused in tuple(refusals):
        wrong(refused)
    return list(heads)


def checked(places: Sequence[str], entries: object, minutes: object) -> HeadSettings:
    """Settings as they may be."""
    for name, value in (("entries", entries), ("minutes", minutes)):
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 10**9:
            raise Refused("bad-heads", f"{name}: {value} is not a whole number, 0 (never) or more")
    for place in places:
        if "://" in place and not is_url(place):
            raise Refused("bad-heads", f"{place}: heads go to a file, a folder, or a URL that begins with https:// or http://")
        if not place or not place.isprintable():
            raise Refused("bad-heads", "a place is the name of a file or a folder, or a URL")
    assert isinstance(entries, int) and isinstance(minutes, int)
    return HeadSettings(tuple(place if is_url(place) else _absolute(place) for place in places), entries, minutes)


def change_places(floor: Floor, settings: HeadSettings, actor: Actor) -> None:
    """Say where heads go from now on, and forget which were sent: an administrator does, and the journal says it."""
    if actor.role not in ADMINISTRATORS:
        raise may_not(actor.role, "say where signed heads go", ADMINISTRATORS)
    for place in filter(is_url, settings.places):
        if why := wrong_with_url(place):
            raise Refused("bad-heads", f"heads go to a file, a folder, or a URL such as https://example.com/heads: {why}")

    def save(_: object) -> dict[str, Any]:
        settings.save(floor.keys)
        forget_sent(floor.keys)
        return {}

    names = [place_name(place) for place in settings.places]
    told = {"places": names, "entries": settings.entries, "minutes": settings.minutes}
    floor.note(HEAD_PLACES, actor, told, also=save)


def _absolute(place: str) -> str:
    return str(Path(place).absolute()) + ("/" if place.endswith("/") else "")


def settings_file(keys: Keyring) -> Path:
    """Where the settings of heads lie."""
    return keys.file.with_name(f"{keys.file.stem}.heads.toml")


def is_url(place: str) -> bool:
    """Whether heads are posted there."""
    return place.startswith(("https://", "http://"))


def wrong_with_url(place: str) -> str:
    """Why nothing can be posted to a place; a password that stands in it is not repeated."""
    shown = repr(_without_password(place)[:80])
    if not is_url(place) or not place.isprintable():
        return f"{shown} does not begin with https:// or http://, or is not printable"
    try:
        parts = urllib.parse.urlsplit(place)
        if "@" in parts.netloc:
            return "it has no name and password in it, which logs would show; whoever receives it checks the signature"
        if not parts.hostname or parts.port == 0:
            return f"{shown} names no host"
    except ValueError:
        return f"{shown} is none"
    return ""


def shown_place(place: str) -> str:
    """A place as it may be shown: a URL that was named before those with a password were refused has none in it."""
    return _without_password(place) if is_url(place) and wrong_with_url(place) else place


def _without_password(place: str) -> str:
    head, _, rest = place.partition("://")
    _, at, where = rest.rpartition("@")
    return f"{head}://...@{where}" if at else place


def place_name(place: str) -> str:
    """A place as a journal may name it: of a URL, no password and no token."""
    if not is_url(place):
        return place
    parts = urllib.parse.urlsplit(place)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}{f':{parts.port}' if parts.port else ''}"


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A head that is sent on elsewhere would get there without its content, and count as sent."""

    def redirect_request(self, *_: object) -> None:
        """None is followed: the answer counts as a failure."""


_DIRECTLY = urllib.request.build_opener(_NoRedirect)


def deliver(head: SignedHead, place: str) -> None:
    """Bring a head to a place; OSError if it cannot be brought there."""
    text = json.dumps(asdict(head))
    if is_url(place):
        if why := wrong_with_url(place):  # named before such were refused
            raise OSError(f"heads go to a URL such as https://example.com/heads: {why}")
        post(urllib.request.Request(place, text.encode(), {"Content-Type": "application/json"}, method="POST"))
        return
    target = Path(place)
    if place.endswith("/") or target.is_dir():
        target.mkdir(parents=True, exist_ok=True)
        draft = target / f".head-{head.seq:012}.{os.getpid()}"
        draft.write_text(text + "\n", encoding="utf-8")
        draft.replace(target / f"head-{head.seq:012}.json")
        return
    with target.open("ab+") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            text = text if file.read() == b"\n" else f"\n{text}"  # one that was torn off is not to spoil the next
        file.write(f"{text}\n".encode())


def post(request: urllib.request.Request) -> None:
    """Send a request; OSError if it is not taken. An answer that comes by the drop keeps nobody waiting, nor other places."""
    taken: list[bool] = []
    failed: list[OSError] = []

    def send() -> None:
        try:
            with _DIRECTLY.open(request, timeout=SECONDS_FOR_A_URL):
                taken.append(True)
        except (ValueError, http.client.HTTPException) as error:
            failed.append(OSError(f"{type(error).__name__} {error}"))
        except OSError as error:
            failed.append(error)

    sender = threading.Thread(target=send, name="houseway head", daemon=True)
    sender.start()
    sender.join(SECONDS_FOR_A_PLACE)
    if failed:
        raise failed[0]
    if not taken:
        raise OSError(f"it does not answer within {SECONDS_FOR_A_PLACE:.0f} seconds")


# When they go


class NoteTaker(Protocol):
    """What heads are of: a floor, or the house as it is served."""

    @property
    def state(self) -> House:
        """The house as it stands."""

    def note(self, kind: str, actor: Actor, data: Mapping[str, Any]) -> object:
        """Record something."""


def signing_key(house: NoteTaker, store: Store, keys: Keyring) -> Key:
    """The key that signs heads; the first is made, and noted. One that was there and is missing is never replaced unasked."""
    if not keys.has(HEADS):
        if any(entry.data.get("key") == HEADS for entry in store.entries_of_kinds((KEY_MADE,))):
            raise Refused(
                "key-missing",
                f"the key file {keys.file_of(HEADS)} is missing, and heads were signed with it: put it back from where its copy"
                " is kept; if it is lost for ever, houseway keys rotate heads --lost",
            )
        key = keys.make(HEADS)
        house.note(KEY_MADE, HOUSE, {"key": HEADS, "fingerprint": key.fingerprint, "public_key": key.public})
    return keys.newest(HEADS)


def sent_file(keys: Keyring) -> Path:
    """Where it is written what was sent last to each place."""
    return keys.file.with_name(f"{keys.file.stem}.heads.sent")


def sent_heads(keys: Keyring, settings: HeadSettings) -> dict[str, SignedHead]:
    """The head that was sent last to each place: of a URL, which gives none back, all that is known."""
    try:
        sent = _sent_in(sent_file(keys).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {place: head for place in settings.places if (head := _head_of(sent.get(place)))}


def forget_sent(keys: Keyring) -> None:
    """What was sent is of places, or of a chain, that somebody has replaced on purpose."""
    file = sent_file(keys)
    make_private_file(file)
    with file.open("r+", encoding="utf-8") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        opened.truncate()


def _sent_in(text: str) -> dict[str, dict[str, Any]]:
    try:
        sent = json.loads(text)
    except ValueError:
        return {}
    return sent if isinstance(sent, dict) else {}


def _head_of(last: Mapping[str, Any] | None) -> SignedHead | None:
    try:
        return SignedHead.read(last)
    except (KeyError, ValueError):  # none yet, or written before heads were kept whole
        return None


def own_contradiction(store: Store, keys: Keyring, heads: Collection[SignedHead]) -> str:
    """How the chain is not the one of which this house has signed these heads; those of anybody else say nothing."""
    known = keys.public_keys()
    wrong = unfitting(store, heads).items()
    return next((why for head, why in wrong if head.public_key in known and head.is_genuine()), "")


def check_heads(store: Store, keys: Keyring) -> None:
    """Refuse to carry anything out on a chain that is not the one of which this house has sent heads."""
    settings = HeadSettings.load(keys)
    heads = {*settings.read(lambda refused: None), *sent_heads(keys, settings).values()}
    if why := own_contradiction(store, keys, heads):
        raise Refused(DAMAGED, f"nothing is carried out on this store: {why}; {TO_DO}")


class HeadSender:
    """Sends heads when they are due. What was sent is written beside the keys, so that several processes send each once."""

    def __init__(self, house: NoteTaker, store: Store, keys: Keyring, clock: Callable[[], datetime] = now) -> None:
        self.house, self.store, self.keys, self.clock = house, store, keys, clock

    @contextmanager
    def _sent(self) -> Iterator[dict[str, dict[str, Any]] | None]:
        """What was sent last to each place; nothing while another process looks."""
        file = sent_file(self.keys)
        make_private_file(file)
        with file.open("r+", encoding="utf-8") as opened:
            try:
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                yield None
                return
            sent = _sent_in(opened.read())
            yield sent
            opened.seek(0)
            opened.truncate()
            json.dump(sent, opened)

    def send_due(self, at_once: bool = False) -> list[str]:
        """Send the head to every place where it is due, or `at_once` to all; the places that it could not be brought to."""
        settings = HeadSettings.load(self.keys)
        if not settings.places:
            return []
        key = signing_key(self.house, self.store, self.keys)
        tell: list[tuple[str, dict[str, Any]]] = []
        with self._sent() as sent:
            if sent is None:
                return []
            head = self.store.head()
            due = [place for place in settings.places if at_once or self._is_due(settings, sent.get(place), head[0])]
            for place in due:
                tell += self._send(signed(head, key.secret, self.clock()), place, sent)
            failed = [place for place in due if sent[place]["failed"]]
        for kind, data in tell:
            self.house.note(kind, HOUSE, data)
        return failed

    def _is_due(self, settings: HeadSettings, last: dict[str, Any] | None, seq: int) -> bool:
        if last is None or seq < last["seq"]:
            return seq > 0
        if last["failed"]:
            waited = (self.clock() - datetime.fromisoformat(last["tried"])).total_seconds()
            return not 0 <= waited < SECONDS_BETWEEN_TRIES  # a clock that was set back keeps nothing waiting
        if seq == last["seq"]:
            return False
        at = datetime.fromisoformat(last["at"])
        minutes = (self.clock() - at).total_seconds() / 60
        return (
            (settings.entries > 0 and seq - last["seq"] >= settings.entries)
            or (settings.minutes > 0 and not 0 <= minutes < settings.minutes)
            or gaming_day(at, self.house.state) != gaming_day(self.clock(), self.house.state)
            or self.store.has_closed(last["seq"])
        )

    def _check_fits(self, place: str, last: Mapping[str, Any]) -> None:
        """Refuse to send a head of a chain that a head of this house, sent there before, contradicts."""
        before = _head_of(last)
        heads = {*heads_at(place, lambda refused: None), *([before] if before else [])}
        if why := own_contradiction(self.store, self.keys, heads):
            raise OSError(f"{why}; `houseway audit` names every flaw")

    def _send(self, head: SignedHead, place: str, sent: dict[str, dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
        """Send a head; what the journal is told of it, once when a place is lost and once when it is back."""
        last = sent.get(place, {"seq": 0, "at": head.at, "failed": False})
        named = {"place": place_name(place), "seq": head.seq}
        try:
            self._check_fits(place, last)
            deliver(head, place)
        except OSError as error:
            sent[place] = last | {"failed": True, "tried": head.at}
            if last["failed"]:
                return []
            reason = str(getattr(error, "reason", None) or error.strerror or error)[:200]
            log.warning("a signed head could not be sent to %s: %s; it is tried again", named["place"], reason)
            return [(HEAD_NOT_SENT, named | {"reason": reason})]
        sent[place] = asdict(head) | {"failed": False}
        return [(HEAD_SENT_AGAIN, named)] if last["failed"] else []


def send_heads(sender: HeadSender, stopped: threading.Event, is_out: IsOut, seconds: float = SECONDS_BETWEEN_LOOKS) -> None:
    """Send heads when they are due until the house closes; what goes wrong is said once and never stops play."""
    again_and_again(sender.send_due, "heads are not sent", log, stopped, seconds, is_out)
