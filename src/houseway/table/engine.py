"""What every handler of a command works with, and `handle`, which finds the handler.

`handle(house, command) -> Effect` is pure and deterministic; the cards it needs come from the source given to it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from houseway.kernels.compiled import Ints
from houseway.refusal import Refused, one_of
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Value
from houseway.rulebook.settings import Settings
from houseway.table.bound import UNREADABLE, read_document, read_offered
from houseway.table.commands import Command, declared
from houseway.table.events import Event
from houseway.table.ledger import Transfer, balances_after
from houseway.table.state import Board, House, Phase, Round, Table, changed
from houseway.table.unfold import Draw, Unfolded, unfold


@dataclass
class Effect:
    """What a command did: the new state of its table, what to tell, and the money it moved, all or nothing.

    `earlier` are a table's name and all that it was when it closed earlier on this day.
    """

    house: House
    table: Table | None = None
    events: list[Event] = field(default_factory=list)
    transfers: list[Transfer] = field(default_factory=list)
    board: Board | None = None
    earlier: tuple[str, tuple[Table, ...]] | None = None

    def tell(self, event: Event) -> None:
        """Add an event."""
        self.events.append(event)

    def move(self, source: str, target: str, cents: int, why: str) -> None:
        """Move money, if there is any to move."""
        if cents:
            self.transfers.append(Transfer(source, target, cents, why))

    def finished(self) -> House:
        """The house after the command; refused as a whole if an account would fall below zero."""
        balances = dict(self.house.balances) | balances_after(self.house.balances, self.transfers)
        tables = dict(self.house.tables)
        if self.table:
            tables[self.table.name] = self.table
        boards = {**self.house.boards, self.board.name: self.board} if self.board else self.house.boards
        earlier = dict([*self.house.earlier.items(), self.earlier]) if self.earlier else self.house.earlier
        return House(tables, balances, boards, self.house.editions, earlier)


def edition_of(bound: Table | Board) -> Edition:
    """The edition that a table or a scoreboard is bound to, by its content; refused if it cannot be read.

    Of a table it has the wagers that are offered there, and no others.
    """
    if isinstance(bound, Board):
        return read_document(bound.document)
    if bound.spoiled:
        raise Refused(UNREADABLE, bound.spoiled)
    return read_offered(bound.document, bound.offered)


@lru_cache(maxsize=256)
def _prepared(document: str, settings: tuple[tuple[str, Value], ...]) -> tuple[Settings, Ints]:
    chosen = Settings(settings)
    try:
        return chosen, read_document(document).game.encode(chosen)
    except Refused as refused:  # 0.1 bound a table to the path of a House Way
        raise Refused(UNREADABLE, f"its settings cannot be read: {refused.message}") from None


def prepared(table: Table) -> tuple[Edition, Settings, Ints]:
    """A table's edition and settings, as rules read them."""
    return edition_of(table), *_prepared(table.document, tuple(table.settings.items()))


def is_shuffled_every_round(table: Table) -> bool:
    """Whether each round has its own shuffle: one-deck games, and where a setting such as a continuous shuffler says so."""
    dealing = edition_of(table).game.dealing
    setting, value = dealing.fresh_deck_if
    return dealing.fresh_deck or (setting != "" and table.settings[setting] == value)


def decks_alternate(table: Table) -> bool:
    """D4P-12: whether two decks of different backs take turns: with a shuffler, one is shuffled while the other is played."""
    when = table.settings.get(edition_of(table).game.dealing.second_deck)
    return when == "always" or (when == "with-shuffler" and table.source == "shuffler")


def check_cards_checked(table: Table) -> None:
    """D4P-14d: refuse to deal cards that came out of a shuffler at fault until a supervisor has checked them."""
    if table.check_cards:
        check = edition_of(table).game.dealing.card_check
        why = f"after the {table.check_cards.replace('-', ' ')} the cards are checked before any more are dealt"
        clause = f" ({check.clause})" if check else ""
        raise Refused("check-cards-first", f"{why}: a supervisor counts them and records it with check-cards{clause}")


def nothing() -> int | None:
    """A source that has no card to give."""
    return None


def from_list(cards: Iterable[int]) -> Draw:
    """A source that gives these cards, and then none."""
    left = iter(tuple(cards))
    return lambda: next(left, None)


def unfolded(table: Table, draw: Draw = nothing) -> Unfolded:
    """A table's round, unfolded."""
    if table.round.phase == Phase.BETTING:
        return Unfolded([])
    if draw is nothing and table.round.unfolded is not None:
        remembered: Unfolded = table.round.unfolded
        return remembered
    edition, settings, encoded = prepared(table)
    return unfold(edition, settings, encoded, table.round, draw, keyed=table.source != "virtual-shoe")


def text(command: Command, name: str) -> str:
    """A field that is a text."""
    return str(command[name])


def amount(command: Command, name: str = "cents") -> int:
    """A field that is an amount of cents."""
    if name not in command:
        what = "amount" if name == "cents" else name.removesuffix("_cents").replace("_", " ")
        raise Refused("bad-amount", f"{what} is needed: a positive amount in dollars and whole cents")
    return int(command[name])


def open_table(house: House, command: Command) -> Table:
    """The open table a command is for."""
    name = text(command, "table")
    table = house.tables.get(name)
    if table is None or not table.is_open:
        one_of("table", name, [known.name for known in house.tables.values() if known.is_open])
        raise AssertionError
    if table.spoiled:
        raise Refused(UNREADABLE, f"{name} stands still: {table.spoiled}")
    return table


def in_phase(table: Table, *phases: Phase) -> Round:
    """The round, refused unless it stands in one of these phases."""
    if table.round.phase not in phases:
        wanted = " or ".join(phases)
        raise Refused("wrong-phase", f"round {table.round.number} is {table.round.phase}: this is possible while {wanted}")
    return table.round


def handle(house: House, command: Command, role: str, draw: Draw) -> Effect:
    """Carry out a command, or refuse it and change nothing.

    The floor has checked its fields, and put the gaming day into it: an entry of the journal is not checked again.
    """
    effect = declared(command, role).handler(house, command, draw)
    if effect.table:
        effect.table = changed(effect.table, touched_at=str(command.get("at", "")))
    return effect
