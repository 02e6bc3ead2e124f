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
from houseway.refusal import Refused, number_of

table_app = typer.Typer(
    cls=DeclaredGroup, help="Run a table: open, bet, deal, decide, settle, void, close.", rich_markup_mode=None
)
cage_app = typer.Typer(cls=DeclaredGroup, help="Move money between the cage, guests, trays and boxes.", rich_markup_mode=None)
journal_app = typer.Typer(help="Export, back up and restore the journal.", rich_markup_mode=None)
board_app = typer.Typer(cls=DeclaredGroup, help="Run a scoreboard that is fed by a keypad alone.", rich_markup_mode=None)
shoe_app = typer.Typer(help="Check revealed shoes offline.", rich_markup_mode=None)
audit_app = typer.Typer(help="Verify the chain, replay every round and compare every cent.", rich_markup_mode=None)

BETS = {"bet", "bets", "bank"}
"""By which a guest's chips go on the felt."""
TableName = Annotated[str, typer.Argument(metavar="TABLE")]


def store_url(given: str | None, must_exist: bool = False) -> str:
    """The store asked for, by path or URL, or the default one; to be read it `must_exist`."""
    from houseway.house.store import store_to_open

    return store_to_open(given, must_exist)


def key_file(to_read: bool = False) -> Path:
    """Where the house keeps the key of its sealed shoes and signatures; `HOUSEWAY_KEY` moves it.

    Its folder is made, unless it is only `to_read`: who audits a copy elsewhere has no key, and leaves nothing behind.
    """
    chosen = os.environ.get("HOUSEWAY_KEY")
    if chosen:
        return Path(chosen)
    from houseway.house.private import at_home, private_folder

    base = at_home(os.environ.get("XDG_CONFIG_HOME") or "~/.config") / "houseway"
    if to_read and not base.exists():
        return base / "house.key"
    try:
        return private_folder(base, "the folder of the keys") / "house.key"
    except OSError as error:
        why = f"{base}, where the house's key would lie, cannot be made ({error.strerror})"
        raise Refused("no-folder", f"{why}: name a file with HOUSEWAY_KEY") from None


def open_floor(url: str | None, to_read: bool = False) -> Any:
    """The floor on a store; one that is only to be read is not made."""
    from houseway.house.floor import Floor
    from houseway.house.store import Store

    return Floor(Store(store_url(url, must_exist=to_read)), key_file())


def actor_of(who: str) -> Any:
    """Who gives a command, from `name:role`; recorded with the operating system's user, for a name is only what he says."""
    from houseway.house.floor import Actor
    from houseway.house.names import look_alike
    from houseway.table import ROLES
    from houseway.view.unnamed import OWN_HELPERS

    name, _, role = who.partition(":")
    if role not in ROLES or not name:
        raise Refused("bad-actor", f'--as "{who}": write name:role, the role one of {", ".join(ROLES)}')
    if look_alike(name, OWN_HELPERS):
        raise Refused("name-reserved", f"{name} is no person: the house itself acts under this name; write your own")
    return Actor(name, role, shell=system_user())


def system_user() -> str:
    """The operating system's user, as the system knows him and not as he calls himself."""
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name[:40]
    except KeyError:
        return f"user {os.getuid()}"


def run(command: dict[str, Any], who: str, key: str, url: str | None, format_: FloorFormat) -> None:
    """Carry a command out and tell what happened."""
    floor, actor = open_floor(url), actor_of(who)
    _look_over(floor, command)
    try:
        entry = floor.do(command, actor, key)
    except Refused as refused:
        from houseway.view.late import with_late_bets

        raise with_late_bets(refused, floor.refresh(), command) from None
    _send_heads(floor)
    if format_ is not FloorFormat.TABLE:
        show_json({"seq": entry.seq, "hash": entry.hash, **_told(floor, entry)})
        return
    from houseway.view.reader import Reader
    from houseway.view.told import told

    for sentence in told(floor.state, entry, Reader(actor.name, actor.role)):
        print(sentence)
    if "edition" in entry.data:
        from houseway.view import described

        print(f"  {described(entry.data['edition']['document'])['badge']}")


def _look_over(floor: Any, command: dict[str, Any]) -> None:
    """A house that is served is looked over when it opens; a shell looks at the heads, and at a shoe that somebody bets on."""
    from houseway.house.heads import check_heads
    from houseway.house.start import check_shoe_opens

    check_heads(floor.store, floor.keys)
    if command["kind"] in BETS and (table := floor.refresh().tables.get(command["table"])):
        check_shoe_opens(floor.store, floor.sealing, table)


def _told(floor: Any, entry: Any) -> dict[str, Any]:
    """An entry as programs read it: of one that is sealed, what everybody may hear."""
    from houseway.view import without_cards
    from houseway.view.words import edition_of_entry

    return without_cards(entry, edition_of_entry(floor.state, entry)) if "sealed" in entry.data else entry.data


def _send_heads(floor: Any) -> None:
    """What is done in the shell leaves the house as well; that it could not is said, and no reason to fail."""
    from houseway.house.heads import HeadSender

    try:
        HeadSender(floor, floor.store, floor.keys).send_due()
    except (Refused, OSError) as error:
        reason = error.message if isinstance(error, Refused) else f"{error.filename or ''} {error.strerror or error}".strip()
        print(f"houseway: heads are not sent: {reason}", file=sys.stderr)


@board_app.command("show")
def board_show(
    board: Annotated[str, typer.Argument(metavar="BOARD")], store: StoreUrl = None, format_: FloorOutput = FloorFormat.TABLE
) -> None:
    """The hands of the shoe, and what they come to."""
    from houseway.refusal import one_of
    from houseway.view import board_view

    house = open_floor(store, to_read=True).refresh()
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
    counted = {name: shown[name] for name in ("rounds", "starts", "marks", "hits", "last")}
    if format_ is not FloorFormat.TABLE:
        show_json({"board": board, "edition": shown["edition"]["id"], "hands": shown["hands"], **counted})
        return
    names = {mark["id"]: mark["name"] for mark in shown["face"]["board"]["marks"]}
    marks = [f"{name} {shown['marks'].get(id_, 0)}" for id_, name in names.items()]
    print(", ".join([f"{board}: {shown['rounds']} rounds", *marks]))
    for round_ in shown["last"]:
        start = f", from {round_['start']}" if round_["start"] else ""
        hits = "; ".join(hit["outcome"] + (f" at seat {hit['seat']}" if hit["seat"] else "") for hit in round_["hits"])
        print(f"  round {round_['round']}{start}: {round_['headline']}" + (f" ({hits})" if hits else ""))


@table_app.command("show")
def show(
    table: TableName,
    who: Annotated[str, typer.Option("--as", metavar="NAME:ROLE", help="who looks (otherwise what lies face up)")] = "",
    store: StoreUrl = None,
    format_: FloorOutput = FloorFormat.TABLE,
) -> None:
    """Tell the round on a table: bets, hands, every step with its clause, who is to act, and which card is wanted next."""
    from houseway.refusal import one_of
    from houseway.table.engine import is_shuffled_every_round
    from houseway.view import Reader, bank_view, round_on_felt
    from houseway.view.reader import ANYBODY

    house = open_floor(store, to_read=True).refresh()
    at = house.tables[one_of("table", table, house.tables)]
    cut_percent = 0 if is_shuffled_every_round(at) else at.cut_percent
    reader = Reader(actor_of(who).name, actor_of(who).role) if who else ANYBODY
    felt = round_on_felt(at, reader) | {"bank": bank_view(house, at), "cut_percent": cut_percent}
    if format_ is FloorFormat.TABLE:
        _tell_round(at, felt)
    else:
        show_json(_round_as_data(at, felt))


def _round_as_data(at: Any, felt: dict[str, Any]) -> dict[str, Any]:
    """The round as programs read it; under `bets`, what lies on the felt now."""
    from houseway.view.told import cards_by_owner, shoes_told

    betting = [seat for seat in felt["seats"] if seat["bets"]]
    return {
        "table": at.name,
        "edition": at.edition,
        "round": felt["round"],
        "phase": felt["phase"],
        "is_open": at.is_open,
        "cut_percent": felt["cut_percent"],
        "drawer": felt["drawer"],
        "shoes": list(shoes_told(at)),
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
    from houseway.refusal import number_of
    from houseway.table.engine import edition_of
    from houseway.view.told import bank_told, bets_told, hands_told, shoes_told, waiting_told

    if not at.is_open:
        played = number_of(felt["round"] - 1, "round")
        print(f"{at.name}: {edition_of(at).name}, closed on {at.closed_on or 'an earlier day'} after {played}")
        return
    print(f"{at.name}: {edition_of(at).name}, round {felt['round']}, {PHASES[felt['phase']]}")
    if felt["cut_percent"]:
        print(f"  The cut card sits at {felt['cut_percent']} % of the shoe")
    if (drawer := felt["drawer"]) in at.round.spots:
        print(f"  Seat {drawer}, {at.round.spots[drawer].guest}, draws the cards")
    bank = bank_told(felt["bank"]) if felt["bank"] else ()
    for sentence in (*shoes_told(at), *bank, *bets_told(at, felt), *hands_told(at, felt), *waiting_told(at, felt)):
        print(f"  {sentence}")
    for seat, steps in felt["steps"].items():
        print(f"  How it came about, seat {seat}:\n" + "\n".join(f"    {step['clause']} {step['text']}" for step in steps))


PHASES = {
    "betting": "bets are open",
    "dealing": "no more bets",
    "deciding": "in play",
    "ready": "to be settled",
    "frozen": "frozen by a dispute",
}
"""How a round stands, in words."""


@cage_app.command("balances")
def balances(store: StoreUrl = None, format_: FloorOutput = FloorFormat.TABLE) -> None:
    """What every account holds."""
    from houseway.money import dollars
    from houseway.table.ledger import in_words

    held = dict(sorted(open_floor(store, to_read=True).refresh().balances.items()))
    if format_ is FloorFormat.TABLE:
        for account, amount in held.items():
            print(f"{in_words(account):32} {dollars(amount):>16}")
    else:
        show_json(held)


class Export(StrEnum):
    """How the journal is exported."""

    JSONL = "jsonl"
    CSV = "csv"
    SHOES = "shoes"
    PARQUET = "parquet"


@journal_app.command("export")
def export(
    store: StoreUrl = None,
    format_: Annotated[Export, typer.Option("--format")] = Export.JSONL,
    to: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="write rounds, bets and payments there, day by day; only what is new since"),
    ] = None,
    day: Annotated[str, typer.Option(metavar="DAY", help="with --to: this gaming day alone, anew")] = "",
) -> None:
    """Print every entry, one a line; or what is published of the shoes, for `houseway shoe verify`. `--to`: as tables."""
    if to is not None or day or format_ is Export.PARQUET:
        _export_rows(store, format_, to, day)
        return
    from houseway.house.backup import shoe_lines
    from houseway.house.store import Store

    exported = Store(store_url(store, must_exist=True), only_reads=True)
    entries = exported.entries()
    if format_ is Export.SHOES:
        for line in shoe_lines(exported):
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


def _export_rows(store: str | None, format_: Export, to: Path | None, day: str) -> None:
    """The journal as tables of rows, in a folder."""
    if to is None:
        what = "--day is of the tables of rows" if day else "Parquet is written into a folder"
        raise Refused("no-folder", f"{what}: name it with --to FOLDER")
    if format_ is Export.SHOES:
        raise Refused("bad-format", "what is published of the shoes is printed: leave --to out, or write parquet, csv or jsonl")
    from houseway.house.store import Store
    from houseway.report.mart_files import export_rows

    for exported in export_rows(Store(store_url(store, must_exist=True), only_reads=True), to, str(format_), day):
        print(exported)


@journal_app.command("replay")
def replay(
    entry: Annotated[int, typer.Argument(metavar="ENTRY", help="the entry that settled or voided the round")],
    odds: Annotated[bool, typer.Option("--odds", help="the odds of the wagers before the deal and after each card")] = False,
    seat: Annotated[int, typer.Option(help="whose odds: what that guest saw (default: the first with a bet)")] = 0,
    store: StoreUrl = None,
    format_: FloorOutput = FloorFormat.TABLE,
) -> None:
    """Tell a round that is over again, with `--odds` as one of its guests saw them change; never a round in play."""
    from houseway.cli.replay import show_replay

    show_replay(store_url(store, must_exist=True), entry, seat if odds else None, format_ is FloorFormat.TABLE)


@journal_app.command("backup")
def backup(file: Path, store: StoreUrl = None) -> None:
    """Copy the store into one new SQLite file, and audit the copy; the file appears whole or not at all."""
    from houseway.house.backup import backup as write

    report = write(store_url(store, must_exist=True), file)
    print(f"{report.entries:,} entries, {report.transfers:,} transfers copied and verified; head {report.head[1]}")


@journal_app.command("restore")
def restore(
    file: Path,
    store: StoreUrl = None,
    until: Annotated[int | None, typer.Option(metavar="SEQ", help="the store as it was after this entry")] = None,
) -> None:
    """Bring a backup into an empty store; it is audited before it counts."""
    from houseway.house.backup import restore as bring_back

    restored = bring_back(file, store_url(store), until)
    report = restored.report
    print(f"{report.entries:,} entries, {report.transfers:,} transfers restored and verified; head {report.head[1]}")
    for sentence in restored.cannot:
        print(f"  {sentence}")


@shoe_app.command("verify")
def shoe_verify(file: Path, require_revealed: Annotated[bool, typer.Option("--require-revealed")] = False) -> None:
    """Check, from an export, that every revealed shoe is the one committed to and was dealt in order."""
    from houseway.house.shoe import verify_file

    findings = verify_file(file, require_revealed=require_revealed)
    for finding in findings:
        print(finding)
    print("every shoe holds" if not findings else number_of(len(findings), "finding"))
    if findings:
        raise typer.Exit(1)


@audit_app.callback(invoke_without_command=True)
def audit(
    context: typer.Context,
    head: Annotated[Path | None, typer.Option(help="an exported head that the chain must contain")] = None,
    heads: Annotated[
        list[Path] | None,
        typer.Option(help="a file or a folder of exported heads; several (default: where this house sends them)"),
    ] = None,
    public_key: Annotated[str, typer.Option(help="the key that must have signed them (default: this house's)")] = "",
    store: StoreUrl = None,
    format_: FloorOutput = FloorFormat.TABLE,
) -> None:
    """Verify the chain, replay every round with the rulebook, and compare every cent."""
    if context.invoked_subcommand:
        return
    from houseway.house.audit import Auditor
    from houseway.house.heads import HeadSettings, SignedHead, read_heads
    from houseway.house.keys import SEALING, Keyring
    from houseway.house.sealing import Sealing
    from houseway.house.store import Store

    keys, signed = Keyring(key_file(to_read=True)), [SignedHead.load(head)] if head else []
    for folder in heads or ():
        signed += read_heads(folder)
    if not head and not heads:
        signed = HeadSettings.load(keys).read()
    expected = (public_key,) if public_key else keys.public_keys()
    sealing = Sealing(keys) if keys.has(SEALING) else None
    read = Store(store_url(store, must_exist=True), only_reads=True)
    report = Auditor(read, sealing=sealing, heads=signed, public_keys=expected).run()
    if format_ is FloorFormat.TABLE:
        print(f"{report.entries:,} entries and {report.transfers:,} transfers hold; head {report.head[0]} {report.head[1]}")
        for place, flaw in enumerate(report.flaws):
            print(f"FIRST FLAW: {flaw}" if place == 0 else f"FLAW: {flaw}")
        for name, count in report.left_out.items():
            print(f"{name}: {count:,} later entries could not be replayed and are taken as recorded")
        for under in report.played_under:
            print(under)
        for sentence in (*report.assumptions, *report.notices):
            print(sentence)
        for remark in report.remarks:
            print(remark)
        if not report.flaw:
            print("no flaw found")
    else:
        show_json({**asdict(report), "remarks": report.remarks})
    if report.flaw:
        raise typer.Exit(1)


@audit_app.command("head")
def head_(store: StoreUrl = None) -> None:
    """Print the signed head of the chain, to be kept elsewhere."""
    from houseway.house.heads import sign_head, signing_key

    floor = open_floor(store, to_read=True)
    key = signing_key(floor, floor.store, floor.keys)
    show_json(asdict(sign_head(floor.store, key.secret)))
