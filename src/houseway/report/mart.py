"""The journal as tables of rows, for DuckDB, pandas or a spreadsheet: each table of rows is declared once, here.

A row is of one entry, and of what the entry changed: a correction has rows of its own that take back what it changes and say
what is true instead, so that sums over any days are right and no row that was written is ever another. Of a round that is not
over there are the payments, which everybody could see, and nothing else: no card that lies face down is in any row.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from houseway.cards import show_card
from houseway.refusal import Refused
from houseway.table import House, ledger
from houseway.table.bound import UNREADABLE
from houseway.table.correct import table_of_round
from houseway.table.entry import Entry
from houseway.table.plain import from_json
from houseway.table.play import settled_as
from houseway.table.state import PaidStake, Round, Settled

Value = str | int | bool
ENDS = {"settle": "settled", "void": "voided", "correct": "corrected", "reverse": "reversed"}
"""The commands that end a round or change how it ended, and what is said of it then."""


@dataclass(frozen=True)
class JournalStep:
    """An entry, with the state before it."""

    entry: Entry
    before: House


@dataclass(frozen=True)
class RowColumn:
    """A column: its kind is what the files hold; a `moment` is a time to the microsecond, in UTC."""

    name: str
    kind: Literal["text", "number", "truth", "moment"]
    about: str


@dataclass(frozen=True)
class Rows:
    """A table of rows: what an entry gives to it is said by `of`, without the columns that all tables have."""

    name: str
    about: str
    own: tuple[RowColumn, ...]
    of: Callable[[JournalStep], Iterable[tuple[Value, ...]]]

    @property
    def columns(self) -> tuple[RowColumn, ...]:
        """All columns, in order."""
        return EVERYWHERE + self.own

    def rows(self, step: JournalStep) -> Iterator[dict[str, Value]]:
        """The rows of an entry."""
        entry = step.entry
        for values in self.of(step):
            named = zip(self.columns, (entry.day, entry.seq, entry.at, entry.table, *values), strict=True)
            yield {column.name: value for column, value in named}


# No name is a word of SQL that would have to be quoted.
EVERYWHERE = (
    RowColumn("day", "text", "the gaming day"),
    RowColumn("entry", "number", "the entry of the journal that the row is of"),
    RowColumn("written_at", "moment", "when that was written"),
    RowColumn("table_name", "text", "the table; empty where it is of none"),
)


@dataclass(frozen=True)
class RoundEnding:
    """How an entry leaves a round: its tape, the stakes that it settles and those that it takes back."""

    edition: str
    source: str
    round: Round
    settled: tuple[PaidStake, ...] = ()
    undone: tuple[PaidStake, ...] = ()
    is_known: bool = True


def _ending(step: JournalStep) -> RoundEnding | None:
    """The round that an entry ends or changes; nothing of any other entry."""
    entry, table = step.entry, step.before.tables.get(step.entry.table)
    if entry.kind not in ENDS or table is None or "command" not in entry.data:
        return None
    if entry.kind == "settle":
        try:
            settled = settled_as(table, entry.day, step.before.balance(ledger.bank(table.name)))
        except Refused as refused:
            if refused.code != UNREADABLE:
                raise
            return RoundEnding(table.edition, table.source, Round(number=_told_round(entry)), is_known=False)
        return RoundEnding(table.edition, table.source, settled.round, settled.stakes)
    if entry.kind == "correct":
        before = from_json(Settled, entry.data["settled"])
        stands = next(event["stands"] for event in entry.data["events"] if event["event"] == "round-corrected")
        after = from_json(Settled, stands)
        was, now = Counter(before.stakes), Counter(after.stakes)
        table = table_of_round(step.before, table, after.round.number)
        new, undone = tuple((now - was).elements()), tuple((was - now).elements())
        return RoundEnding(table.edition, table.source, after.round, new, undone)
    if entry.kind == "reverse":
        undone = tuple(
            PaidStake(e["seat"], e["guest"], "", "", "", "", e["stake_cents"], -e["win_cents"], 0, -e["win_cents"])
            for e in entry.data["events"]
            if e["event"] == "reversed"
        )
        return RoundEnding(table.edition, table.source, Round(number=_told_round(entry)), undone=undone)
    return RoundEnding(table.edition, table.source, Round(number=table.round.number))


def _told_round(entry: Entry) -> int:
    return int(next(event["round"] for event in entry.data["events"] if "round" in event))


def _rounds(step: JournalStep) -> Iterator[tuple[Value, ...]]:
    ending = _ending(step)
    if ending is None:
        return
    signed = [(1, stake) for stake in ending.settled] + [(-1, stake) for stake in ending.undone]
    yield (
        ending.round.number,
        ending.edition,
        ending.source,
        ENDS[step.entry.kind],
        " ".join(map(show_card, ending.round.drawn)),
        ending.round.result,
        ending.round.dice,
        sum(sign for sign, stake in signed if stake.stake_cents),
        sum(sign * stake.stake_cents for sign, stake in signed),
        sum(sign * stake.win_cents for sign, stake in signed),
        ending.is_known,
    )


def _bets(step: JournalStep) -> Iterator[tuple[Value, ...]]:
    ending = _ending(step)
    if ending is None:
        return
    signed = [(1, stake) for stake in ending.settled] + [(-1, stake) for stake in ending.undone]
    for sign, stake in signed:
        yield (
            ending.round.number,
            ending.edition,
            stake.seat,
            stake.guest,
            stake.wager,
            stake.spot,
            stake.for_dealer,
            stake.outcome,
            stake.clause,
            sign if stake.stake_cents else 0,
            sign * stake.stake_cents,
            sign * stake.owed_cents,
            sign * stake.win_cents,
        )


def _payments(step: JournalStep) -> Iterator[tuple[Value, ...]]:
    for transfer in step.entry.transfers:
        source, target = transfer.source.partition(":"), transfer.target.partition(":")
        yield step.entry.kind, source[0], source[2], target[0], target[2], transfer.cents, transfer.why


SLIP_EVENTS = {
    "slip-opened": "opened",
    "slip-signed": "signed",
    "count-taken": "signed",
    "counts-differ": "counts differ",
    "tray-agreed": "counted",
    "box-counted": "counted",
    "slip-done": "done",
    "slip-recalled": "recalled",
    "slip-voided": "void",
}
"""What is told of slips, and what a row calls it."""


def _slips(step: JournalStep) -> Iterator[tuple[Value, ...]]:
    for event in step.entry.data.get("events", ()):
        if event["event"] in SLIP_EVENTS:
            kind, _, number = event["slip"].rpartition("-")
            yield (
                event["slip"],
                kind,
                int(number),
                event["table"],
                SLIP_EVENTS[event["event"]],
                event.get("step", event.get("purpose", "")),
                step.entry.actor,
                step.entry.role,
                event.get("counted_cents", event.get("cents", 0)),
                event.get("difference_cents", 0),
                event.get("owner", ""),
                event.get("reason", ""),
            )


TABLES: tuple[Rows, ...] = (
    Rows(
        "rounds",
        "how rounds ended: one row when a round is settled or voided, and one for every correction of it",
        (
            RowColumn("round", "number", "the number of the round at its table"),
            RowColumn("edition", "text", "the edition that the table plays"),
            RowColumn("source", "text", "where its cards come from"),
            RowColumn("ended", "text", "settled, voided, corrected; reversed in journals of 0.1"),
            RowColumn("cards", "text", "the cards of a settled round in the order in which they came, as it stands now"),
            RowColumn("result", "text", "the result, where results are keyed and no cards"),
            RowColumn("dice", "number", "the number thrown; 0 where none is"),
            RowColumn("bets", "number", "how many stakes were settled, less those that were taken back"),
            RowColumn("stake_cents", "number", "the sum of those stakes"),
            RowColumn("win_cents", "number", "what they won in all, from the players' side: below zero if the house won"),
            RowColumn("known", "truth", "false where the table's edition cannot be read: its bets are not in the rows then"),
        ),
        _rounds,
    ),
    Rows(
        "bets",
        "every stake that was settled and what became of it; a correction takes rows back by rows below zero",
        (
            RowColumn("round", "number", "the number of the round at its table"),
            RowColumn("edition", "text", "the edition that the table plays"),
            RowColumn("seat", "number", "the seat"),
            RowColumn("guest", "text", "whose stake it was"),
            RowColumn("wager", "text", "the wager; empty in a reversal of 0.1, which named none"),
            RowColumn("spot", "text", "which of several stakes on a wager, such as a split hand"),
            RowColumn("for_dealer", "truth", "whether it was bet for the dealers"),
            RowColumn("outcome", "text", "how it ended"),
            RowColumn("clause", "text", "by which clause"),
            RowColumn("bets", "number", "1; -1 where it is taken back; 0 for a prize that needs no stake of its own"),
            RowColumn("stake_cents", "number", "the stake"),
            RowColumn("owed_cents", "number", "what the pay table owes, net"),
            RowColumn("win_cents", "number", "what was won, net: another amount only where a player's bank could not cover it"),
        ),
        _bets,
    ),
    Rows(
        "payments",
        "every movement of money, as the ledger has it: bets, payouts, chips, fills, drops; their sums are the balances",
        (
            RowColumn("command", "text", "what moved it"),
            RowColumn("from_account", "text", "guest, wagers, tray, drop, tips, collection, bank, debt, cage or outside"),
            RowColumn("from_name", "text", "whose: the guest's name or the table's"),
            RowColumn("to_account", "text", "where to, in the same words"),
            RowColumn("to_name", "text", "whose"),
            RowColumn("cents", "number", "how much; above zero"),
            RowColumn("why", "text", "what for"),
        ),
        _payments,
    ),
    Rows(
        "slips",
        "what happened to slips, in a house with chips: opened, each signature, counts, done or void; one row for each",
        (
            RowColumn("slip", "text", "its kind and number, such as fill-12"),
            RowColumn("kind", "text", "fill, credit, inventory, error or drop"),
            RowColumn("number", "number", "its number among those of its kind, without gaps"),
            RowColumn("of_table", "text", "the table that it is of, also where the table was closed by then"),
            RowColumn("happened", "text", "opened, signed, counts differ, counted, done or void"),
            RowColumn("step", "text", "the step that was signed; of a count what it is of (opener, closer)"),
            RowColumn("signer", "text", "who did it"),
            RowColumn("signer_role", "text", "as what"),
            RowColumn(
                "cents", "number", "what it moves, or what was counted; of an error the difference; 0 before that is known"
            ),
            RowColumn("difference_cents", "number", "of a count: how much more it found than the books have"),
            RowColumn("owner", "text", "who answers for a difference, where somebody does"),
            RowColumn("reason", "text", "why it is void"),
        ),
        _slips,
    ),
)
"""What is exported. Another table of rows is one more of these: its files, its place in the schema and its sums follow."""


def schema_data() -> list[dict[str, Any]]:
    """The tables and their columns, as they are told in `schema.json`."""
    return [
        {
            "table": rows.name,
            "about": rows.about,
            "columns": [{"name": column.name, "kind": column.kind, "about": column.about} for column in rows.columns],
        }
        for rows in TABLES
    ]
