"""`houseway keys` and `houseway heads`: the house's keys, and where the signed heads of the chain go."""

from typing import Annotated, Any

import typer

from houseway.cli.commands import FloorOutput, StoreUrl, Who
from houseway.cli.live import actor_of, key_file, open_floor
from houseway.cli.text import FloorFormat, show_json
from houseway.refusal import Refused

keys_app = typer.Typer(
    help="The house's keys: for sealing cards, for signing heads, for signing releases.", rich_markup_mode=None
)
heads_app = typer.Typer(help="Where the signed heads of the chain go, and when.", rich_markup_mode=None)
SET = "houseway heads set --to PLACE --as NAME:administrator"
NOWHERE = f"signed heads go nowhere: name a file, a folder or a URL with {SET}"


@keys_app.command("list")
def list_keys(format_: FloorOutput = FloorFormat.TABLE) -> None:
    """Every key by its fingerprint, where it lies, and whether it is in use; never the key itself."""
    from houseway.house.keys import PURPOSES, SEALING, Keyring
    from houseway.solve.answer import table

    keys, rows = Keyring(key_file()), []
    for purpose, about in PURPOSES.items():
        known = keys.all(purpose) if keys.has(purpose) else ()
        for place, key in enumerate(reversed(known)):
            public = "" if purpose == SEALING else key.public
            state = "in use" if place == 0 else "kept"
            rows.append({"key": purpose, "fingerprint": key.fingerprint, "state": state, "public_key": public})
            rows[-1] |= {"file": str(keys.file_of(purpose)), "about": about}
        if not known:
            rows.append({"key": purpose, "fingerprint": "", "state": "none yet", "public_key": "", "file": "", "about": about})
    if format_ is not FloorFormat.TABLE:
        show_json(rows)
        return
    head = ("key", "fingerprint", "state", "file")
    print(table([head, *(tuple(str(row[name]) for name in head) for row in rows)]))


@keys_app.command("rotate")
def rotate(
    name: Annotated[str, typer.Argument(metavar="NAME", help="sealing, heads or release")],
    lost: Annotated[bool, typer.Option("--lost", help="its file is gone for ever: make a new one, and record that")] = False,
    who: Annotated[str, typer.Option("--as", metavar="NAME:ROLE", help="who gives the command")] = "office:administrator",
    store: StoreUrl = None,
) -> None:
    """Make a new key for what is sealed or signed from now on; older ones are kept to open and to verify what was."""
    from houseway.house.keys import PURPOSES, Keyring
    from houseway.refusal import one_of
    from houseway.table.fold import KEY_MADE
    from houseway.table.roles import ADMINISTRATORS, may_not

    actor, keys = actor_of(who), Keyring(key_file())
    if actor.role not in ADMINISTRATORS:
        raise may_not(actor.role, "change keys", ADMINISTRATORS)
    one_of("key", name, PURPOSES)
    note: dict[str, Any] = {"key": name, "replaces": ""}
    if keys.has(name):
        if lost:
            raise Refused("key-here", f"the key file {keys.file_of(name)} is here: rotate it without --lost")
        note["replaces"] = keys.newest(name).fingerprint
    elif lost:
        note["lost"] = True
        keys.make(name)
    floor = open_floor(store)
    if not lost:
        _check_not_missing(floor, keys, name)
        keys.rotate(name)
    key = keys.newest(name)
    note["fingerprint"] = key.fingerprint
    note |= {"public_key": key.public} if name != "sealing" else {}
    floor.note(KEY_MADE, actor, note)
    before = f", and {note['replaces']} is kept for what was before" if note["replaces"] else ""
    print(f"the {name} key is {key.fingerprint} from now on{before}; keep a copy of {keys.file_of(name)} elsewhere")


def _check_not_missing(floor: Any, keys: Any, name: str) -> None:
    """Refuse to make a first key where the journal tells of one."""
    from houseway.table.fold import KEY_MADE

    if not keys.has(name) and any(entry.data["key"] == name for entry in floor.store.entries_of_kinds((KEY_MADE,))):
        file = keys.file_of(name)
        raise Refused(
            "key-missing", f"the key file {file} is missing: put it back, or rotate with --lost if it is gone for ever"
        )


@heads_app.command("show")
def show(format_: FloorOutput = FloorFormat.TABLE) -> None:
    """Where heads are sent, and when."""
    from dataclasses import asdict

    from houseway.house.heads import HeadSettings, shown_place
    from houseway.house.keys import Keyring

    settings = HeadSettings.load(Keyring(key_file()))
    places = [shown_place(place) for place in settings.places]
    if format_ is not FloorFormat.TABLE:
        show_json(asdict(settings) | {"places": places})
        return
    if not places:
        print(NOWHERE)
        return
    every = [f"every {settings.entries:,} entries"] * bool(settings.entries) + [f"every {settings.minutes} min"] * bool(
        settings.minutes
    )
    print(f"signed heads go out {', '.join([*every, 'at the end of a day and when a table closes'])}, to")
    for place in places:
        print(f"  {place}")


@heads_app.command("set")
def set_(
    who: Who,
    to: Annotated[list[str] | None, typer.Option("--to", metavar="PLACE", help="a file, a folder/ or a URL; several")] = None,
    entries: Annotated[int, typer.Option(help="after so many entries (0: not by number)")] = 1000,
    minutes: Annotated[int, typer.Option(help="after so many minutes, if anything happened (0: not by time)")] = 60,
    store: StoreUrl = None,
) -> None:
    """Say where signed heads go, and when; a house that is being served takes it up at once."""
    from houseway.house.heads import change_places, checked

    change_places(open_floor(store), checked(to or (), entries, minutes), actor_of(who))
    show(FloorFormat.TABLE)


@heads_app.command("send")
def send(store: StoreUrl = None) -> None:
    """Send the head to every place now."""
    from houseway.house.heads import HeadSender, HeadSettings, place_name

    floor = open_floor(store)
    places = HeadSettings.load(floor.keys).places
    if not places:
        raise Refused("no-place", NOWHERE)
    failed = HeadSender(floor, floor.store, floor.keys).send_due(at_once=True)
    for place in places:
        print(f"{place_name(place)}: {'not sent, for what the journal says; it is tried again' if place in failed else 'sent'}")
    if failed:
        raise typer.Exit(1)
