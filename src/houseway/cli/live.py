"""The commands of the live floor: tables, the cage, the journal and the audit."""

import csv
import json
import os
import sys
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from houseway.cli.text import Format, show_json
from houseway.refusal import Refused

table_app = typer.Typer(help="Run a table: open, bet, deal, decide, settle, void, close.", rich_markup_mode=None)
cage_app = typer.Typer(help="Move money between the cage, guests, trays and boxes.", rich_markup_mode=None)
journal_app = typer.Typer(help="Export, back up and restore the journal.", rich_markup_mode=None)
shoe_app = typer.Typer(help="Check revealed shoes offline.", rich_markup_mode=None)
audit_app = typer.Typer(help="Verify the chain, replay every round and compare every cent.", rich_markup_mode=None)

StoreUrl = Annotated[str | None, typer.Option("--store", metavar="URL", help="the store (default: HOUSEWAY_STORE, or a file)")]
Who = Annotated[str, typer.Option("--as", metavar="NAME:ROLE", help="who gives the command, and in which role")]
Key = Annotated[str, typer.Option("--key", help="idempotency key: the same key has one effect")]
TableName = Annotated[str, typer.Argument(metavar="TABLE")]
Dollars = Annotated[str, typer.Argument(metavar="DOLLARS")]
Guest = Annotated[str, typer.Option("--guest", help="the guest's name")]
Seat = Annotated[int, typer.Option("--seat", help="the seat's number")]
Output = Annotated[Format, typer.Option("--format", help="how to print the result")]


def store_url(given: str | None) -> str:
    """The store asked for, or the default one."""
    from houseway.journal import default_url

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
    from houseway.floor import Floor
    from houseway.journal import Store

    return Floor(Store(store_url(url)), key_file())


def cents(text: str, what: str = "amount") -> int:
    """Dollars on the command line, as cents."""
    from houseway.settle import parse_cents

    return parse_cents(text, what)


def run(command: dict[str, Any], who: str, key: str, url: str | None, format_: Format) -> None:
    """Carry a command out and tell what happened."""
    from houseway.floor import Actor
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


@table_app.command("open")
def open_(
    table: TableName,
    edition: Annotated[str, typer.Option(help="the edition to play")],
    opener: Annotated[str, typer.Option(metavar="DOLLARS", help="the chips in the tray (none if players bank)")] = "",
    source: Annotated[str, typer.Option(help="virtual-shoe, hand-keyed, manual-keypad, shuffler")] = "virtual-shoe",
    seats: Annotated[int | None, typer.Option(help="number of seats")] = None,
    setting: Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="a setting or reading")] = None,
    watch: Annotated[str, typer.Option(help="record or acknowledge payouts over $3,000")] = "record",
    player_fee: Annotated[str, typer.Option(metavar="DOLLARS", help="collection from each player, each hand")] = "",
    decision_seconds: Annotated[int, typer.Option(help="how long a seat has to decide (0: no clock)")] = 0,
    bank_fee: Annotated[str, typer.Option(metavar="DOLLARS", help="collection from the bank, each hand")] = "",
    who: Who = "floor:supervisor",
    key: Key = "",
    store: StoreUrl = None,
    format_: Output = Format.TABLE,
) -> None:
    """Open a table for an edition."""
    settings: dict[str, Any] = {}
    for item in setting or []:
        name, _, value = item.partition("=")
        settings[name] = value
    command: dict[str, Any] = {"kind": "open", "table": table, "edition": edition, "source": source, "watch": watch}
    command |= {"settings": settings, "decision_seconds": decision_seconds}
    for name, amount in (("opener_cents", opener), ("player_fee_cents", player_fee), ("bank_fee_cents", bank_fee)):
        command |= {name: cents(amount, name)} if amount else {}
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
    from houseway.settle import parse_bets

    for wager, amount in parse_bets(bets).items():
        command = {"kind": "bet", "table": table, "seat": seat, "guest": guest, "wager": wager, "cents": amount}
        run(command, who, f"{key}/{wager}" if key else "", store, format_)


@table_app.command("withdraw")
def withdraw(
    table: TableName,
    wager: str,
    guest: Guest,
    seat: Seat,
    who: Who = "dealer:dealer",
    key: Key = "",
    store: StoreUrl = None,
    format_: Output = Format.TABLE,
) -> None:
    """Take a wager back before no more bets."""
    run({"kind": "withdraw", "table": table, "seat": seat, "guest": guest, "wager": wager}, who, key, store, format_)


@table_app.command("no-more-bets")
def no_more_bets(
    table: TableName,
    dice: Annotated[int | None, typer.Option(help="the number thrown by hand (pai gow, manual table)")] = None,
    who: Who = "dealer:dealer",
    key: Key = "",
    store: StoreUrl = None,
    format_: Output = Format.TABLE,
) -> None:
    """Close the betting."""
    command: dict[str, Any] = {"kind": "no-more-bets", "table": table}
    run(command | ({"dice": dice} if dice else {}), who, key, store, format_)


@table_app.command("card")
def card(
    table: TableName,
    cards: Annotated[str, typer.Argument(metavar="CARDS", help="in the order they are dealt")],
    who: Who = "dealer:dealer",
    key: Key = "",
    store: StoreUrl = None,
    format_: Output = Format.TABLE,
) -> None:
    """Key cards in at a manual table."""
    run({"kind": "card", "table": table, "cards": cards}, who, key, store, format_)


@table_app.command("correct-card")
def correct_card(
    table: TableName,
    place: Annotated[int, typer.Argument(help="which card of the round, counted from 1")],
    card: Annotated[str, typer.Argument(help="what it really is")],
    who: Who = "dealer:dealer",
    key: Key = "",
    store: StoreUrl = None,
    format_: Output = Format.TABLE,
) -> None:
    """Correct a keyed card before the settlement."""
    run({"kind": "correct-card", "table": table, "place": place, "card": card}, who, key, store, format_)


@table_app.command("decide")
def decide(
    table: TableName,
    choice: Annotated[str, typer.Argument(help='such as play, hit, "set Ah Kd", house-way, red')],
    seat: Seat,
    who: Who = "dealer:dealer",
    key: Key = "",
    store: StoreUrl = None,
    format_: Output = Format.TABLE,
) -> None:
    """A seat's decision."""
    run({"kind": "decide", "table": table, "seat": seat, "choice": choice}, who, key, store, format_)


@table_app.command("result")
def result(
    table: TableName,
    outcome: Annotated[str, typer.Argument(help="player-win, panda-8, banker-win, dragon-7 or tie")],
    who: Who = "dealer:dealer",
    key: Key = "",
    store: StoreUrl = None,
    format_: Output = Format.TABLE,
) -> None:
    """Key in a baccarat result whose cards are not keyed."""
    run({"kind": "result", "table": table, "result": outcome}, who, key, store, format_)


@table_app.command("time-out")
def time_out(
    table: TableName,
    seat: Seat,
    who: Who = "dealer:dealer",
    key: Key = "",
    store: StoreUrl = None,
    format_: Output = Format.TABLE,
) -> None:
    """The decision clock has run out: the house's default action for a seat."""
    run({"kind": "time-out", "table": table, "seat": seat}, who, key, store, format_)


@table_app.command("bank")
def bank(
    table: TableName,
    dollars: Dollars,
    guest: Guest,
    seat: Seat,
    who: Who = "dealer:dealer",
    key: Key = "",
    store: StoreUrl = None,
    format_: Output = Format.TABLE,
) -> None:
    """Accept the bank of a player-banked table and put up an amount."""
    command = {"kind": "bank", "table": table, "seat": seat, "guest": guest, "cents": cents(dollars)}
    run(command, who, key, store, format_)


def _seated(kind: str, about: str) -> None:
    """Register a command of a guest at a seat."""

    def command(
        table: TableName,
        guest: Guest,
        seat: Seat,
        who: Who = "dealer:dealer",
        key: Key = "",
        store: StoreUrl = None,
        format_: Output = Format.TABLE,
    ) -> None:
        run({"kind": kind, "table": table, "seat": seat, "guest": guest}, who, key, store, format_)

    table_app.command(kind, help=about)(command)


_seated("sit", "Take a seat at a player-banked table.")
_seated("leave", "Leave a seat.")
_seated("pass", "Pass the bank on to the next player.")


def _plain(kind: str, about: str, role: str) -> None:
    """Register a command that needs nothing but the table."""

    def command(
        table: TableName, who: Who = role, key: Key = "", store: StoreUrl = None, format_: Output = Format.TABLE
    ) -> None:
        run({"kind": kind, "table": table}, who, key, store, format_)

    table_app.command(kind, help=about)(command)


_plain("deal", "Deal from the virtual shoe.", "dealer:dealer")
_plain("new-shoe", "Begin a new shoe at a manual table.", "dealer:dealer")
_plain("settle", "Take and pay every wager in the approved order.", "dealer:dealer")
_plain("acknowledge", "A supervisor has verified a payout above the threshold.", "floor:supervisor")
_plain("close", "Close and balance the table.", "floor:supervisor")


def _reasoned(kind: str, about: str) -> None:
    """Register a supervisor's command that needs a reason."""

    def command(
        table: TableName,
        reason: Annotated[str, typer.Option(help="why")],
        round_: Annotated[int | None, typer.Option("--round", help="which round")] = None,
        who: Who = "floor:supervisor",
        key: Key = "",
        store: StoreUrl = None,
        format_: Output = Format.TABLE,
    ) -> None:
        made: dict[str, Any] = {"kind": kind, "table": table, "reason": reason}
        run(made | ({"round": round_} if round_ else {}), who, key, store, format_)

    table_app.command("correct" if kind == "reverse" else kind, help=about)(command)


_reasoned("void", "Void the round: all wagers back.")
_reasoned("dispute", "Freeze the round until the dispute is resolved.")
_reasoned("resolve", "End a dispute: the round goes on where it stood.")
_reasoned("reverse", "Correct the last settlement by reversing its payments.")


def _money(kind: str, about: str, role: str, of_table: bool, of_guest: bool) -> None:
    """Register a movement of money."""

    def command(
        dollars: Dollars,
        table: Annotated[str, typer.Option(help="the table")] = "",
        guest: Annotated[str, typer.Option(help="the guest")] = "",
        who: Who = role,
        key: Key = "",
        store: StoreUrl = None,
        format_: Output = Format.TABLE,
    ) -> None:
        if of_table and not table:
            raise Refused("bad-command", f"{kind} needs --table")
        if of_guest and not guest:
            raise Refused("bad-command", f"{kind} needs --guest")
        made: dict[str, Any] = {"kind": kind, "cents": cents(dollars)}
        run(made | ({"table": table} if of_table else {}) | ({"guest": guest} if of_guest else {}), who, key, store, format_)

    cage_app.command(kind, help=about)(command)


_money("fund", "Bring cash into the cage.", "office:administrator", of_table=False, of_guest=False)
_money("buy-in", "Sell chips to a guest at the cage.", "cage:cashier", of_table=False, of_guest=True)
_money("cash-out", "Buy a guest's chips back.", "cage:cashier", of_table=False, of_guest=True)
_money("table-buy-in", "Sell chips at a table; the cash goes into its box.", "dealer:dealer", of_table=True, of_guest=True)
_money("fill", "Chips from the cage to a tray.", "cage:cashier", of_table=True, of_guest=False)
_money("credit", "Chips from a tray to the cage.", "cage:cashier", of_table=True, of_guest=False)
_money("tip", "A guest's tip for the dealers.", "dealer:dealer", of_table=True, of_guest=True)


_money("closer", "Count a tray; a difference is told.", "cage:cashier", of_table=True, of_guest=False)


@cage_app.command("drop")
def drop(
    table: TableName, who: Who = "cage:cashier", key: Key = "", store: StoreUrl = None, format_: Output = Format.TABLE
) -> None:
    """Pull a table's box: its cash goes to the cage."""
    run({"kind": "drop", "table": table}, who, key, store, format_)


@table_app.command("show")
def show(table: TableName, store: StoreUrl = None, format_: Output = Format.TABLE) -> None:
    """Replay the round on a table: bets, hands, every step with its clause, and who is to act."""
    from houseway.cards import show_cards
    from houseway.refusal import one_of
    from houseway.settle import dollars
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
    from houseway.settle import dollars

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
    from houseway.backup import shoe_lines
    from houseway.journal import Store

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
    from houseway.backup import copy_store

    if file.exists():
        raise Refused("file-exists", f"{file} exists already: name a new file")
    report = copy_store(store_url(store), f"sqlite:///{file.absolute()}")
    print(f"{report.entries:,} entries, {report.transfers:,} transfers copied and verified; head {report.head[1]}")


@journal_app.command("restore")
def restore(file: Path, store: StoreUrl = None) -> None:
    """Bring a backup into an empty store, and audit it."""
    from houseway.backup import copy_store

    if not file.exists():
        raise Refused("no-file", f"{file}: no such file")
    report = copy_store(f"sqlite:///{file.absolute()}", store_url(store))
    print(f"{report.entries:,} entries, {report.transfers:,} transfers restored and verified; head {report.head[1]}")


@shoe_app.command("verify")
def shoe_verify(file: Path, require_revealed: Annotated[bool, typer.Option("--require-revealed")] = False) -> None:
    """Check, from an export, that every revealed shoe is the one committed to and was dealt in order."""
    from houseway.shoe import verify_file

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
    from houseway.audit import Auditor, SignedHead
    from houseway.audit import public_key as public_half
    from houseway.journal import Store
    from houseway.shoe import load_or_make_key

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
    from houseway.audit import sign_head
    from houseway.journal import Store
    from houseway.shoe import load_or_make_key

    show_json(asdict(sign_head(Store(store_url(store)), load_or_make_key(key_file()))))
