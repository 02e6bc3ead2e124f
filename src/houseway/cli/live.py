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

from houseway.cli.commands import DeclaredGroup, FloorOutput, StoreUrl
from houseway.cli.text import FloorFormat, show_json
from houseway.refusal import Refused

table_app = typer.Typer(
    cls=DeclaredGroup, help="Run a table: open, bet, deal, decide, settle, void, close.", rich_markup_mode=None
)
cage_app = typer.Typer(cls=DeclaredGroup, help="Move money between the cage, guests, trays and boxes.", rich_markup_mode=None)
journal_app = typer.Typer(help="Export, back up and restore the journal.", rich_markup_mode=None)
board_app = typer.Typer(cls=DeclaredGroup, help="Run a scoreboard that is fed by a keypad alone.", rich_markup_mode=None)
shoe_app = typer.Typer(help="Check revealed shoes offline.", rich_markup_mode=None)
audit_app = typer.Typer(help="Verify the chain, replay every round and compare every cent.", rich_markup_mode=None)

TableName = Annotated[str, typer.Argument(metavar="TABLE")]


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


def actor_of(who: str) -> Any:
    """Who gives a command, from `name:role`."""
    from houseway.house.floor import Actor
    from houseway.table import ROLES

    name, _, role = who.partition(":")
    if role not in ROLES or not name:
        raise Refused("bad-actor", f'--as "{who}": write name:role, the role one of {", ".join(ROLES)}')
    return Actor(name, role)


def run(command: dict[str, Any], who: str, key: str, url: str | None, format_: FloorFormat) -> None:
    """Carry a command out and tell what happened."""
    floor, actor = open_floor(url), actor_of(who)
    try:
        entry = floor.do(command, actor, key)
    except Refused as refused:
        from houseway.view.late import with_late_bets

        raise with_late_bets(refused, floor.refresh(), command) from None
    if format_ is not FloorFormat.TABLE:
        show_json({"seq": entry.seq, "hash": entry.hash, **entry.data})
        return
    from houseway.view.reader import Reader
    from houseway.view.told import told

    for sentence in told(floor.state, entry, Reader(actor.name, actor.role)):
        print(sentence)
    if "edition" in entry.data:
        from houseway.view import described

        print(f"  {described(entry.data['edition']['document'])['badge']}")


@board_app.command("show")
def board_show(
    board: Annotated[str, typer.Argument(metavar="BOARD")], store: StoreUrl = None, format_: FloorOutput = FloorFormat.TABLE
) -> None:
    """The hands of the shoe, and what they come to."""
    from houseway.refusal import one_of
    from houseway.view import board_view

    house = open_floor(store).refresh()
    shown = board_view(house, one_of("board", board, house.boards))
    if shown["kind"] == "history":
        _show_rounds(board, shown, format_)
        return
    hands, counts = shown["hands"], shown["counts"]
    if format_ is not FloorFormat.TABLE:
        edition, shoe = shown["edition"]["id"], shown["shoe_number"]
        show_json({"board": board, "edition": edition, "shoe": shoe, "hands": hands, "counts": counts})
        return
    print(f"{board}, shoe {shown['shoe_number']}: {' '.join(hands) or 'no hand yet'}")
    print(", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items()))


def _show_rounds(board: str, shown: dict[str, Any], format_: FloorFormat) -> None:
    """A keyed scoreboard of rounds: where the deals began, the dealer's hands, what they count, and bonuses hit."""
    told = {name: shown[name] for name in ("rounds", "starts", "marks", "hits", "last")}
    if format_ is not FloorFormat.TABLE:
        show_json({"board": board, "edition": shown["edition"]["id"], "hands": shown["hands"], **told})
        return
    names = {mark["id"]: mark["name"] for mark in shown["face"]["board"]["marks"]}
    marks = [f"{name} {shown['marks'].get(id_, 0)}" for id_, name in names.items()]
    print(", ".join([f"{board}: {shown['rounds']} rounds", *marks]))
    for round_ in shown["last"]:
        start = f", from {round_['start']}" if round_["start"] else ""
        hits = "; ".join(hit["outcome"] + (f" at seat {hit['seat']}" if hit["seat"] else "") for hit in round_["hits"])
        print(f"  round {round_['round']}{start}: {round_['headline']}" + (f" ({hits})" if hits else ""))


@table_app.command("show")
def show(table: TableName, store: StoreUrl = None, format_: FloorOutput = FloorFormat.TABLE) -> None:
    """Tell the round on a table: bets, hands, every step with its clause, who is to act, and which card is wanted next."""
    from houseway.refusal import one_of
    from houseway.table.engine import is_shuffled_every_round
    from houseway.view import Reader, bank_view, round_on_felt

    house = open_floor(store).refresh()
    at = house.tables[one_of("table", table, house.tables)]
    cut_percent = 0 if is_shuffled_every_round(at) else at.cut_percent
    felt = round_on_felt(at, Reader("", "dealer")) | {"bank": bank_view(house, at), "cut_percent": cut_percent}
    if format_ is FloorFormat.TABLE:
        _tell_round(at, felt)
    else:
        show_json(_round_as_data(at, felt))


def _round_as_data(at: Any, felt: dict[str, Any]) -> dict[str, Any]:
    """The round as programs read it; under `bets`, what lies on the felt now."""
    from houseway.view.told import cards_by_owner

    betting = [seat for seat in felt["seats"] if seat["bets"]]
    return {
        "table": at.name,
        "edition": at.edition,
        "round": felt["round"],
        "phase": felt["phase"],
        "cut_percent": felt["cut_percent"],
        "drawer": felt["drawer"],
        "bank": felt["bank"],
        "bets": {str(seat["seat"]): {"guest": seat["guest"], **seat["chips"]} for seat in betting},
        "for_dealer": {str(seat["seat"]): seat["for_dealer"] for seat in betting if seat["for_dealer"]},
        "early_paid": felt["early_paid"],
        "hands": cards_by_owner(felt),
        "to_act": {str(seat["seat"]): [*seat["to_act"], *seat["late"]] for seat in betting if seat["to_act"]},
        "may_bet_cents": {str(seat["seat"]): seat["late"] for seat in betting if seat["late"]},
        "next_card": felt["next_card"],
        "steps": {seat: [f"{step['clause']} {step['text']}" for step in told] for seat, told in felt["steps"].items()},
    }


def _tell_round(at: Any, felt: dict[str, Any]) -> None:
    """The round as people read it."""
    from houseway.table.engine import edition_of
    from houseway.view.told import bank_told, bets_told, hands_told, waiting_told

    print(f"{at.name}: {edition_of(at).name}, round {felt['round']}, {PHASES[felt['phase']]}")
    if felt["cut_percent"]:
        print(f"  The cut card sits at {felt['cut_percent']} % of the shoe")
    if drawer := felt["drawer"]:
        print(f"  Seat {drawer}, {at.round.spots[drawer].guest}, draws the cards")
    bank = bank_told(felt["bank"]) if felt["bank"] else ()
    for sentence in (*bank, *bets_told(at, felt), *hands_told(at, felt), *waiting_told(at, felt)):
        print(f"  {sentence}")
    for seat, steps in felt["steps"].items():
        print(f"  How it came about, seat {seat}:\n" + "\n".join(f"    {step['clause']} {step['text']}" for step in steps))


PHASES = {
    "betting": "bets are open",
    "dealing": "no more bets",
    "deciding": "the round is played",
    "ready": "to be settled",
    "frozen": "frozen by a dispute",
}
"""How a round stands, in words."""


@cage_app.command("balances")
def balances(store: StoreUrl = None, format_: FloorOutput = FloorFormat.TABLE) -> None:
    """What every account holds."""
    from houseway.money import dollars

    held = dict(sorted(open_floor(store).refresh().balances.items()))
    if format_ is FloorFormat.TABLE:
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
    format_: FloorOutput = FloorFormat.TABLE,
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
    if format_ is FloorFormat.TABLE:
        print(f"{report.entries:,} entries and {report.transfers:,} transfers hold; head {report.head[0]} {report.head[1]}")
        for place, flaw in enumerate(report.flaws):
            print(f"FIRST FLAW: {flaw}" if place == 0 else f"FLAW: {flaw}")
        for name, count in report.left_out.items():
            print(f"{name}: {count:,} later entries could not be replayed and are taken as recorded")
        for under in report.played_under:
            print(under)
        for sentence in report.assumptions:
            print(sentence)
        if not report.flaw:
            print("no flaw found")
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
