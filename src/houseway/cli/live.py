"""The commands of the live floor: tables, the cage, the journal and the audit."""

import csv
import json
import os
import sys
from dataclasses import asdict
from enum import StrEnum
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any

import typer

from houseway.cli.text import Format, show_json
from houseway.refusal import Refused

table_app = typer.Typer(help="Run a table: open, bet, deal, decide, settle, void, close.", rich_markup_mode=None)
cage_app = typer.Typer(help="Move money between the cage, guests, trays and boxes.", rich_markup_mode=None)
journal_app = typer.Typer(help="Export, back up and restore the journal.", rich_markup_mode=None)
board_app = typer.Typer(help="Run a scoreboard that is fed by a keypad alone.", rich_markup_mode=None)
shoe_app = typer.Typer(help="Check revealed shoes offline.", rich_markup_mode=None)
audit_app = typer.Typer(help="Verify the chain, replay every round and compare every cent.", rich_markup_mode=None)

StoreUrl = Annotated[str | None, typer.Option("--store", metavar="URL", help="the store (default: HOUSEWAY_STORE, or a file)")]
Who = Annotated[str, typer.Option("--as", metavar="NAME:ROLE", help="who gives the command, and in which role")]
Key = Annotated[str, typer.Option("--key", help="idempotency key: the same key has one effect")]
TableName = Annotated[str, typer.Argument(metavar="TABLE")]
Guest = Annotated[str, typer.Option("--guest", help="the guest's name")]
Seat = Annotated[int, typer.Option("--seat", help="the seat's number")]
Output = Annotated[Format, typer.Option("--format", help="how to print the result")]


def store_url(given: str | None) -> str:
    """The store asked for, or the default one."""
    from houseway.house.store import default_url

    return given or default_url()


def key_file() -> Path:
    """Where the house keeps the key of its sealed shoes and signatures; `HOUSEWAY_KEY` moves it."""
    chosen = os.environ.get("HOUSEWAY_KEY")
    if chosen:
        return Path(chosen)
    base = Path(os.environ.get("XDG_CONFIG_HOME") or "~/.config").expanduser() / "houseway"
    base.mkdir(parents=True, exist_ok=True)
    return base / "house.key"


def open_floor(url: str | None) -> Any:
    """The floor on a store."""
    from houseway.house.floor import Floor
    from houseway.house.store import Store

    return Floor(Store(store_url(url)), key_file())


def cents(text: str, what: str = "amount") -> int:
    """Dollars on the command line, as cents."""
    from houseway.money import parse_cents

    return parse_cents(text, what)


def run(command: dict[str, Any], who: str, key: str, url: str | None, format_: Format) -> None:
    """Carry a command out and tell what happened."""
    from houseway.house.floor import Actor
    from houseway.table import ROLES

    name, _, role = who.partition(":")
    if role not in ROLES or not name:
        raise Refused("bad-actor", f'--as "{who}": write name:role, the role one of {", ".join(ROLES)}')
    entry = open_floor(url).do(command, Actor(name, role), key)
    if format_ is not Format.TABLE:
        show_json({"seq": entry.seq, "hash": entry.hash, **entry.data})
        return
    for event in entry.data["events"]:
        kind = event.pop("event")
        step = event.pop("step", "")
        print(f"  {step}" if step else f"{kind}: " + ", ".join(f"{name} {value}" for name, value in event.items()))


def parse_limit(item: str) -> tuple[str, list[int]]:
    """Read `wager=5-100`."""
    wager, _, bounds = item.partition("=")
    least, _, most = bounds.partition("-")
    return wager, [cents(least, f"{wager}, the least"), cents(most, f"{wager}, the most")]


@table_app.command("open")
def open_(
    table: TableName,
    edition: Annotated[str, typer.Option(help="the edition to play")],
    opener: Annotated[str, typer.Option(metavar="DOLLARS", help="the chips in the tray (none if players bank)")] = "",
    source: Annotated[str, typer.Option(help="virtual-shoe, hand-keyed, manual-keypad, shuffler")] = "virtual-shoe",
    seats: Annotated[int | None, typer.Option(help="number of seats")] = None,
    setting: Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="a setting or reading")] = None,
    seats_per_guest: Annotated[int, typer.Option(help="how many seats a guest may have (0: as many as are free)")] = 0,
    watch: Annotated[str, typer.Option(help="record or acknowledge payouts over $3,000")] = "record",
    player_fee: Annotated[str, typer.Option(metavar="DOLLARS", help="collection from each player, each hand")] = "",
    decision_seconds: Annotated[int, typer.Option(help="how long a seat has to decide (0: no clock)")] = 0,
    bank_fee: Annotated[str, typer.Option(metavar="DOLLARS", help="collection from the bank, each hand")] = "",
    bank_rules: Annotated[str, typer.Option(help="California's dated rules: none, notice-2016, rules-2026")] = "",
    limit: Annotated[list[str] | None, typer.Option(metavar="WAGER=LEAST-MOST", help="the table's own limits")] = None,
    aggregate: Annotated[str, typer.Option(metavar="WAGER=DOLLARS,...", help="the most that one deal pays")] = "",
    who: Who = "floor:supervisor",
    key: Key = "",
    store: StoreUrl = None,
    format_: Output = Format.TABLE,
) -> None:
    """Open a table for an edition."""
    from houseway.rulebook.settle import parse_bets

    settings: dict[str, Any] = {}
    for item in setting or []:
        name, _, value = item.partition("=")
        settings[name] = value
    command: dict[str, Any] = {"kind": "open", "table": table, "edition": edition, "source": source, "watch": watch}
    command |= {"settings": settings, "decision_seconds": decision_seconds, "seats_per_guest": seats_per_guest}
    for name, amount in (("opener_cents", opener), ("player_fee_cents", player_fee), ("bank_fee_cents", bank_fee)):
        command |= {name: cents(amount, name)} if amount else {}
    command |= {"bank_rules": bank_rules} if bank_rules else {}
    command |= {"aggregates": parse_bets(aggregate)} if aggregate else {}
    command |= {"limits": dict(parse_limit(item) for item in limit)} if limit else {}
    run(command | ({"seats": seats} if seats else {}), who, key, store, format_)


@table_app.command("bet")
def bet(
    table: TableName,
    bets: Annotated[str, typer.Argument(metavar="WAGER=DOLLARS,...")],
    guest: Guest,
    seat: Seat,
    who: Who = "dealer:dealer",
    key: Key = "",
    store: StoreUrl = None,
    format_: Output = Format.TABLE,
) -> None:
    """Place or change wagers at a seat; with one wager the key makes a retry harmless."""
    from houseway.rulebook.settle import parse_bets

    for wager, amount in parse_bets(bets).items():
        command = {"kind": "bet", "table": table, "seat": seat, "guest": guest, "wager": wager, "cents": amount}
        run(command, who, f"{key}/{wager}" if key else "", store, format_)


FIELDS: dict[str, Any] = {
    "table": Annotated[str, typer.Argument(metavar="TABLE")],
    "of_table": Annotated[str, typer.Option("--table", help="the table")],
    "cents": Annotated[str, typer.Argument(metavar="DOLLARS")],
    "guest": Guest,
    "seat": Seat,
    "wager": Annotated[str, typer.Argument(metavar="WAGER")],
    "cards": Annotated[str, typer.Argument(metavar="CARDS", help="in the order they are dealt")],
    "place": Annotated[int, typer.Argument(help="which card of the round, counted from 1")],
    "card": Annotated[str, typer.Argument(help="what it really is")],
    "choice": Annotated[str, typer.Argument(help='such as play, hit, "set Ah Kd", house-way, red')],
    "result": Annotated[str, typer.Argument(help="an outcome of the game, such as tie")],
    "reason": Annotated[str, typer.Option(help="why")],
    "round": Annotated[int | None, typer.Option(help="which round")],
    "board": Annotated[str, typer.Argument(metavar="BOARD")],
    "hand": Annotated[str, typer.Argument(metavar="HAND")],
    "edition": Annotated[str, typer.Option(help="the edition whose roads it shows")],
    "dice": Annotated[int | None, typer.Option(help="the number thrown by hand (manual table)")],
}
"""How each field of a command is written in the shell."""
OPTIONAL = ("round", "dice")


def register(app: typer.Typer, kind: str, role: str, about: str, *fields: str, name: str = "") -> None:
    """Make a command of the floor a command of the shell: its fields, then who gives it, the key, the store, the format."""

    def command(who: str, key: str, store: str | None, format_: Format, **given: Any) -> None:
        made = {"table" if field == "of_table" else field: value for field, value in given.items() if value is not None}
        run(made | {"kind": kind} | ({"cents": cents(made["cents"])} if "cents" in made else {}), who, key, store, format_)

    shared: dict[str, tuple[Any, Any]] = {
        "who": (Who, role),
        "key": (Key, ""),
        "store": (StoreUrl, None),
        "format_": (Output, Format.TABLE),
    }
    own = {field: (FIELDS[field], None if field in OPTIONAL else Parameter.empty) for field in fields}
    parameters = own | shared
    command.__annotations__ = {field: annotation for field, (annotation, _) in parameters.items()}
    keyword = Parameter.KEYWORD_ONLY
    listed = [Parameter(f, keyword, default=default, annotation=kind_) for f, (kind_, default) in parameters.items()]
    command.__signature__ = Signature(listed)  # type: ignore[attr-defined]
    app.command(name or kind, help=about)(command)


DEALER, FLOOR, CASHIER = "dealer:dealer", "floor:supervisor", "cage:cashier"
SEATED = ("table", "guest", "seat")

register(table_app, "withdraw", DEALER, "Take a wager back before no more bets.", "table", "wager", "guest", "seat")
register(table_app, "no-more-bets", DEALER, "Close the betting.", "table", "dice")
register(table_app, "deal", DEALER, "Deal from the virtual shoe.", "table")
register(table_app, "card", DEALER, "Key cards in at a manual table.", "table", "cards")
register(table_app, "result", DEALER, "Key in a result whose cards are not keyed.", "table", "result")
register(table_app, "correct-card", DEALER, "Correct a keyed card before the settlement.", "table", "place", "card")
register(table_app, "new-shoe", DEALER, "Begin a new shoe at a manual table.", "table")
register(table_app, "decide", DEALER, "A seat's decision.", "table", "choice", "seat")
register(table_app, "time-out", DEALER, "The clock has run out: the house's default action for a seat.", "table", "seat")
register(table_app, "settle", DEALER, "Take and pay every wager in the approved order.", "table")
register(table_app, "acknowledge", FLOOR, "A supervisor has verified a payout above the threshold.", "table")
register(table_app, "void", FLOOR, "Void the round: all wagers back.", "table", "reason", "round")
register(table_app, "reverse", FLOOR, "Correct the last settlement.", "table", "reason", "round", name="correct")
register(table_app, "dispute", FLOOR, "Freeze the round until the dispute is resolved.", "table", "reason", "round")
register(table_app, "resolve", FLOOR, "End a dispute: the round goes on where it stood.", "table", "reason", "round")
register(table_app, "sit", DEALER, "Take a seat at a player-banked table.", *SEATED)
register(table_app, "leave", DEALER, "Leave a seat.", *SEATED)
register(
    table_app,
    "bank",
    DEALER,
    "Accept the bank of a player-banked table and put up an amount.",
    "table",
    "cents",
    "guest",
    "seat",
)
register(table_app, "pass", DEALER, "Pass the bank on to the next player.", *SEATED)
register(table_app, "offer", DEALER, "Offer the player-dealer position to every player.", "table")
register(table_app, "close", FLOOR, "Close and balance the table.", "table")

register(cage_app, "fund", "office:administrator", "Bring cash into the cage.", "cents")
register(cage_app, "buy-in", CASHIER, "Sell chips to a guest at the cage.", "cents", "guest")
register(cage_app, "cash-out", CASHIER, "Buy a guest's chips back.", "cents", "guest")
register(cage_app, "table-buy-in", DEALER, "Sell chips at a table; the cash goes into its box.", "cents", "of_table", "guest")
register(cage_app, "fill", CASHIER, "Chips from the cage to a tray.", "cents", "of_table")
register(cage_app, "credit", CASHIER, "Chips from a tray to the cage.", "cents", "of_table")
register(cage_app, "tip", DEALER, "A guest's tip for the dealers.", "cents", "of_table", "guest")
register(cage_app, "drop", CASHIER, "Pull a table's box: its cash goes to the cage.", "table")
register(cage_app, "closer", CASHIER, "Count a tray; a difference is told.", "cents", "of_table")


register(board_app, "board-open", FLOOR, "Open a scoreboard.", "board", "edition", name="open")
register(
    board_app,
    "board-hand",
    DEALER,
    "Key in a hand as the roads write it: the winner's letter, then its flags, such as B7 or Pn.",
    "board",
    "hand",
    name="hand",
)
register(board_app, "board-undo", DEALER, "Take the last hand off again.", "board", name="undo")
register(board_app, "board-new-shoe", DEALER, "Begin a new shoe.", "board", name="new-shoe")


@board_app.command("show")
def board_show(
    board: Annotated[str, typer.Argument(metavar="BOARD")], store: StoreUrl = None, format_: Output = Format.TABLE
) -> None:
    """The hands of the shoe, and what they come to."""
    from houseway.refusal import one_of
    from houseway.view import board_view

    house = open_floor(store).refresh()
    shown = board_view(house, one_of("board", board, house.boards))
    hands, counts = shown["hands"], shown["counts"]
    if format_ is not Format.TABLE:
        edition, shoe = shown["edition"]["id"], shown["shoe_number"]
        show_json({"board": board, "edition": edition, "shoe": shoe, "hands": hands, "counts": counts})
        return
    print(f"{board}, shoe {shown['shoe_number']}: {' '.join(hands) or 'no hand yet'}")
    print(", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items()))


@table_app.command("show")
def show(table: TableName, store: StoreUrl = None, format_: Output = Format.TABLE) -> None:
    """Replay the round on a table: bets, hands, every step with its clause, and who is to act."""
    from houseway.cards import show_cards
    from houseway.money import dollars
    from houseway.refusal import one_of
    from houseway.table import unfolded

    tables = open_floor(store).refresh().tables
    found = tables[one_of("table", table, tables)]
    made = unfolded(found)
    data = {
        "table": table,
        "edition": found.edition,
        "round": found.round.number,
        "phase": str(found.round.phase),
        "bets": {str(seat): {"guest": spot.guest, **spot.bets} for seat, spot in found.round.spots.items()},
        "hands": {str(who): show_cards(cards) for who, cards in made.hands.items()},
        "to_act": {str(seat): list(allowed) for seat, allowed in made.to_act.items()},
        "steps": {str(s): [f"{x.clause} {x.text}" for x in p.steps] for s, p in made.plays.items()},
    }
    if format_ is not Format.TABLE:
        show_json(data)
        return
    print(f"{table}: {found.edition}, round {found.round.number}, {found.round.phase}")
    for seat, spot in found.round.spots.items():
        print(f"  seat {seat}, {spot.guest}: " + ", ".join(f"{name} {dollars(amount)}" for name, amount in spot.bets.items()))
    for who, cards in made.hands.items():
        print(f"  {who if isinstance(who, str) else f'seat {who}'} has {show_cards(cards)}")
    for seat, steps in data["steps"].items():
        print(f"  seat {seat}:\n" + "\n".join(f"    {step}" for step in steps))
    for seat, allowed in made.to_act.items():
        print(f"  seat {seat} to act: {' or '.join(allowed)}")


@cage_app.command("balances")
def balances(store: StoreUrl = None, format_: Output = Format.TABLE) -> None:
    """What every account holds."""
    from houseway.money import dollars

    held = dict(sorted(open_floor(store).refresh().balances.items()))
    if format_ is Format.TABLE:
        for account, amount in held.items():
            print(f"{account:24} {dollars(amount):>16}")
    else:
        show_json(held)


class Export(StrEnum):
    """How the journal is exported."""

    JSONL = "jsonl"
    CSV = "csv"
    SHOES = "shoes"


@journal_app.command("export")
def export(store: StoreUrl = None, format_: Annotated[Export, typer.Option("--format")] = Export.JSONL) -> None:
    """Print every entry, one a line; or, for `houseway shoe verify`, what is published of the shoes."""
    from houseway.house.backup import shoe_lines
    from houseway.house.store import Store

    entries = Store(store_url(store)).entries()
    if format_ is Export.SHOES:
        for line in shoe_lines(Store(store_url(store))):
            print(json.dumps(line, ensure_ascii=False))
        return
    if format_ is Export.JSONL:
        for entry in entries:
            print(json.dumps({**asdict(entry), "payload": entry.data}, ensure_ascii=False, sort_keys=True))
        return
    writer = csv.writer(sys.stdout, lineterminator="\n")
    for place, entry in enumerate(entries):
        row = asdict(entry)
        if place == 0:
            writer.writerow(row)
        writer.writerow(row.values())


@journal_app.command("backup")
def backup(file: Path, store: StoreUrl = None) -> None:
    """Copy the store into one new SQLite file, and audit the copy."""
    from houseway.house.backup import copy_store

    if file.exists():
        raise Refused("file-exists", f"{file} exists already: name a new file")
    report = copy_store(store_url(store), f"sqlite:///{file.absolute()}")
    print(f"{report.entries:,} entries, {report.transfers:,} transfers copied and verified; head {report.head[1]}")


@journal_app.command("restore")
def restore(file: Path, store: StoreUrl = None) -> None:
    """Bring a backup into an empty store, and audit it."""
    from houseway.house.backup import copy_store

    if not file.exists():
        raise Refused("no-file", f"{file}: no such file")
    report = copy_store(f"sqlite:///{file.absolute()}", store_url(store))
    print(f"{report.entries:,} entries, {report.transfers:,} transfers restored and verified; head {report.head[1]}")


@shoe_app.command("verify")
def shoe_verify(file: Path, require_revealed: Annotated[bool, typer.Option("--require-revealed")] = False) -> None:
    """Check, from an export, that every revealed shoe is the one committed to and was dealt in order."""
    from houseway.house.shoe import verify_file

    findings = verify_file(file, require_revealed=require_revealed)
    for finding in findings:
        print(finding)
    print("every shoe holds" if not findings else f"{len(findings)} finding(s)")
    if findings:
        raise typer.Exit(1)


@audit_app.callback(invoke_without_command=True)
def audit(
    context: typer.Context,
    head: Annotated[Path | None, typer.Option(help="an exported head that the chain must contain")] = None,
    public_key: Annotated[str, typer.Option(help="the key that must have signed it (default: this house's)")] = "",
    store: StoreUrl = None,
    format_: Output = Format.TABLE,
) -> None:
    """Verify the chain, replay every round with the rulebook, and compare every cent."""
    if context.invoked_subcommand:
        return
    from houseway.house.audit import Auditor, SignedHead
    from houseway.house.audit import public_key as public_half
    from houseway.house.shoe import load_or_make_key
    from houseway.house.store import Store

    signed = SignedHead.load(head) if head else None
    expected = public_key or (public_half(load_or_make_key(key_file())) if head else "")
    report = Auditor(Store(store_url(store)), signed, expected).run()
    if format_ is Format.TABLE:
        print(f"{report.entries:,} entries and {report.transfers:,} transfers hold; head {report.head[0]} {report.head[1]}")
        print(f"FIRST FLAW: {report.flaw}" if report.flaw else "no flaw found")
    else:
        show_json(asdict(report))
    if report.flaw:
        raise typer.Exit(1)


@audit_app.command("head")
def head_(store: StoreUrl = None) -> None:
    """Print the signed head of the chain, to be kept elsewhere."""
    from houseway.house.audit import sign_head
    from houseway.house.shoe import load_or_make_key
    from houseway.house.store import Store

    show_json(asdict(sign_head(Store(store_url(store)), load_or_make_key(key_file()))))
