"""Guests in a shell: who may not play (`houseway guests`), and the patron file (`houseway patrons`)."""

from dataclasses import asdict
from typing import Annotated, Any

import typer

from houseway.cli.commands import DeclaredGroup, FloorOutput, StoreUrl
from houseway.cli.live import actor_of, open_floor
from houseway.cli.text import FloorFormat, show_json

guests_app = typer.Typer(cls=DeclaredGroup, help="Guests who may not play, and the cash of the day.", rich_markup_mode=None)
waitlist_app = typer.Typer(cls=DeclaredGroup, help="Who waits for a seat: join, call, seat, leave.", rich_markup_mode=None)
staff_app = typer.Typer(cls=DeclaredGroup, help="Who works where: breaks and the rotation.", rich_markup_mode=None)
patrons_app = typer.Typer(
    help="The patron file: who guests are, by number, apart from the journal. Every look is noted.", rich_markup_mode=None
)
Who = Annotated[str, typer.Option("--as", metavar="NAME:ROLE", help="who does it; the operating system's user is recorded too")]
Number = Annotated[str, typer.Argument(metavar="PATRON", help="the number, such as g-1001, or an account")]
Name = Annotated[str | None, typer.Option(help="the legal name")]
Born = Annotated[str | None, typer.Option(metavar="DATE", help="the birth date, such as 1990-01-31")]
Document = Annotated[str | None, typer.Option(help="kind and number of the document")]
Address = Annotated[str | None, typer.Option(help="the address")]
Description = Annotated[str | None, typer.Option(help="what a guest looks like who gives no name")]
Notes = Annotated[str | None, typer.Option(help="anything else")]
HOST, OFFICE = "host:host", "office:administrator"


@guests_app.callback(invoke_without_command=True)
def guests(context: typer.Context, store: StoreUrl = None, format_: FloorOutput = FloorFormat.TABLE) -> None:
    """List who may not play, and the guests' cash of today."""
    if context.invoked_subcommand:
        return
    from houseway.money import dollars
    from houseway.table.gaming_day import gaming_day
    from houseway.view.guests import guests_view

    floor = open_floor(store)
    state = floor.refresh()
    shown = guests_view(state, gaming_day(floor.clock(), state))
    if format_ is not FloorFormat.TABLE:
        show_json(shown)
        return
    for guest in shown["may_not_play"]:
        print(f"{guest['guest']} may not play: {guest['words']}")
    for guest in shown["cash"]:
        seen = ", papers seen" if guest["identified"] else ""
        print(f"{guest['guest']}: {dollars(guest['in_cents'])} in, {dollars(guest['out_cents'])} out today{seen}")
    if not shown["may_not_play"] and not shown["cash"]:
        print("Everybody may play, and no cash was added up today.")


@waitlist_app.callback(invoke_without_command=True)
def waitlist(context: typer.Context, store: StoreUrl = None, format_: FloorOutput = FloorFormat.TABLE) -> None:
    """List who waits, for what, how long, and who is called where; and the free seats of every table."""
    if context.invoked_subcommand:
        return
    from houseway.view.host import host_view

    floor = open_floor(store)
    shown = host_view(floor.refresh(), floor.clock())
    if format_ is not FloorFormat.TABLE:
        show_json(shown)
        return
    for wait in shown["waiting"]:
        called = f", called to seat {wait['seat']} of {wait['called_to']}" if wait["called_to"] else ""
        print(f"{wait['number']}: {wait['guest']}, {wait['game']}, {wait['waited_seconds'] // 60} minutes{called}")
    if not shown["waiting"]:
        print("Nobody waits.")
    for table in shown["tables"]:
        print(f"{table['name']}: {table['game']}, {table['free']} of {len(table['seats'])} seats free")


@staff_app.callback(invoke_without_command=True)
def staff(context: typer.Context, store: StoreUrl = None, format_: FloorOutput = FloorFormat.TABLE) -> None:
    """List who deals and supervises where, since when, and who is on a break."""
    if context.invoked_subcommand:
        return
    from houseway.view.host import rotation_view

    floor = open_floor(store)
    state = floor.refresh()
    since = {name: at for name, table in state.tables.items() if table.dealer and (at := floor.store.last_at(name, "sign-on"))}
    shown = rotation_view(state, floor.clock(), since)
    if format_ is not FloorFormat.TABLE:
        show_json(shown)
        return
    for table in shown["tables"]:
        on = f"{table['dealer']}, {table['dealer_minutes']} minutes" if table["dealer"] else "nobody"
        due = "; relief is due" if table["relief_due"] else ""
        print(f"{table['name']}: dealer {on}{due}; supervisor {table['supervisor'] or 'nobody'}")
    for rest in shown["breaks"]:
        print(f"{rest['name']} is on a break, {rest['minutes']} minutes")
    if not shown["tables"] and not shown["breaks"]:
        print("No table is open, and nobody is on a break.")


def _patrons(store: str | None) -> tuple[Any, Any]:
    from houseway.house.patrons import Patrons
    from houseway.table.gaming_day import gaming_day

    floor = open_floor(store)
    floor.refresh()
    return Patrons(floor.store, floor, lambda: gaming_day(floor.clock(), floor.state)), floor


def _show(patron: Any, format_: FloorFormat) -> None:
    if format_ is not FloorFormat.TABLE:
        show_json({"patron": patron.number, "since": patron.since, "accounts": list(patron.accounts)} | asdict(patron.data))
        return
    print(f"{patron.number}, in the file since {patron.since}; accounts: {', '.join(patron.accounts)}")
    for name, value in asdict(patron.data).items():
        if value:
            print(f"   {name}: {value}")


def _given(**values: str | None) -> dict[str, str]:
    return {name: value for name, value in values.items() if value is not None}


@patrons_app.command("register")
def register(
    guest: Annotated[str, typer.Option(help="the account under which he plays; without one, his number is it")] = "",
    name: Name = None,
    born: Born = None,
    document: Document = None,
    address: Address = None,
    description: Description = None,
    notes: Notes = None,
    who: Who = HOST,
    store: StoreUrl = None,
    format_: FloorOutput = FloorFormat.TABLE,
) -> None:
    """Give a guest a number; one under age may not play from then on."""
    from houseway.house.patrons import PatronData

    data = _given(name=name, born=born, document=document, address=address, description=description, notes=notes)
    _show(_patrons(store)[0].register(PatronData(**data), actor_of(who), guest), format_)


@patrons_app.command("look")
def look(number: Number, who: Who = HOST, store: StoreUrl = None, format_: FloorOutput = FloorFormat.TABLE) -> None:
    """Show what is known of a guest; the look is noted."""
    _show(_patrons(store)[0].look(number, actor_of(who)), format_)


@patrons_app.command("find")
def find(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="a part of a name, a description, a document or an account")],
    who: Who = HOST,
    store: StoreUrl = None,
    format_: FloorOutput = FloorFormat.TABLE,
) -> None:
    """Look for a guest; that somebody was looked for is noted."""
    found = _patrons(store)[0].find(text, actor_of(who))
    if format_ is not FloorFormat.TABLE:
        show_json([{"patron": patron.number, "name": patron.data.name, "accounts": list(patron.accounts)} for patron in found])
        return
    for patron in found:
        print(f"{patron.number}  {patron.data.name or patron.data.description}  ({', '.join(patron.accounts)})")
    if not found:
        print("Nobody was found.")


@patrons_app.command("change")
def change(
    number: Number,
    name: Name = None,
    born: Born = None,
    document: Document = None,
    address: Address = None,
    description: Description = None,
    notes: Notes = None,
    who: Who = HOST,
    store: StoreUrl = None,
    format_: FloorOutput = FloorFormat.TABLE,
) -> None:
    """Change what is known of a guest; what is not named stays."""
    from houseway.table.entry import Entry
    from houseway.view.words import event_words

    data = _given(name=name, born=born, document=document, address=address, description=description, notes=notes)
    done = _patrons(store)[0].change(number, actor_of(who), **data)
    if isinstance(done, Entry):
        print(f"{event_words(done.data['events'][0])}. Then give the change again")
    else:
        _show(done, format_)


@patrons_app.command("age")
def age(number: Number, who: Who = HOST, store: StoreUrl = None) -> None:
    """Look anew whether a guest is of age, by the birth date in the file; whoever is may play."""
    patrons, floor = _patrons(store)
    from houseway.house.patrons import Patron
    from houseway.table.duties import spelled
    from houseway.table.guests import first_account

    patron = patrons.change(number, actor_of(who))
    assert isinstance(patron, Patron), "nothing is changed that a second person would be needed for"
    young = spelled(first_account(floor.state, patron.accounts[0])) in floor.state.too_young
    print(f"{patron.number} is {'too young, and may not play' if young else 'not too young'}")


@patrons_app.command("link")
def link(
    number: Number,
    guest: Annotated[str, typer.Argument(metavar="ACCOUNT", help="another account of the same person")],
    who: Who = HOST,
    store: StoreUrl = None,
) -> None:
    """Say that an account is of somebody in the file: cash is one sum, and a bar is of all accounts."""
    patron = _patrons(store)[0].link(number, guest, actor_of(who))
    print(f"{patron.number} has the accounts {', '.join(patron.accounts)}")


@patrons_app.command("identified")
def identified(number: Number, who: Who = HOST, store: StoreUrl = None) -> None:
    """Say that a guest's papers were seen today; all that a report needs must be in the file."""
    patron = _patrons(store)[0].identified(number, actor_of(who))
    print(f"The papers of {patron.number} were seen: today his cash may go above the line of the report")


@patrons_app.command("purge")
def purge(who: Who = OFFICE, store: StoreUrl = None) -> None:
    """Remove personal data that are due, by two: ask, let somebody confirm it, and say it again."""
    from houseway.house.patrons import STILL_READ, Purged
    from houseway.refusal import number_of
    from houseway.view.words import event_words

    patrons, floor = _patrons(store)
    done = patrons.purge(actor_of(who), floor.state)
    if not isinstance(done, Purged):
        print(f"{event_words(done.data['events'][0])}. Then give houseway patrons purge again")
        return
    print(f"The personal data of {number_of(done.guests, 'guest')} were removed; the journal is as it was")
    if patrons.forgetting is not None:
        print(f"{STILL_READ[0].upper()}{STILL_READ[1:]}: this waits for that; end long audits and backups")
        patrons.forgetting.join()
