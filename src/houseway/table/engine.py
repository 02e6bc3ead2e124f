"""What every handler of a command works with, and `handle`, which finds the handler.

`handle(house, command) -> Effect` is pure and deterministic; the cards it needs come from the source given to it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from houseway.kernels.compiled import Ints
from houseway.refusal import Refused, one_of
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Value
from houseway.rulebook.settings import Settings
from houseway.table import duties, ledger
from houseway.table.bound import UNREADABLE, read_document, read_offered
from houseway.table.commands import Command, Declaration, declared
from houseway.table.event import FORM, Event
from houseway.table.ledger import Transfer, balances_after
from houseway.table.piece_events import ChipsMoved, FillWanted
from houseway.table.pieces import Pieces, as_written, chips_of, fill_wanted, moved, pieces_at, worth
from houseway.table.state import Board, House, Phase, Round, Table, changed, is_blind
from houseway.table.unfold import Draw, Unfolded, unfold

STEADY = 4
"""The form of journals since a table's clock runs on while others come and go."""


@dataclass
class Effect:
    """What a command did: the new state of its table, what to tell, and the money it moved, all or nothing.

    `earlier` are a table's name and all that it was when it closed earlier on this day. `named` are the pieces that were named
    for transfers, by their place; `in_pieces` says that all pieces have moved.
    """

    house: House
    table: Table | None = None
    events: list[Event] = field(default_factory=list)
    transfers: list[Transfer] = field(default_factory=list)
    board: Board | None = None
    earlier: tuple[str, tuple[Table, ...]] | None = None
    named: dict[int, Pieces] = field(default_factory=dict)
    in_pieces: bool = False

    def tell(self, event: Event) -> None:
        """Add an event."""
        self.events.append(event)

    def move(self, source: str, target: str, cents: int, why: str, pieces: Pieces | None = None) -> None:
        """Move money, if there is any to move; of chips, just these pieces, where some are named."""
        if cents:
            if pieces is not None:
                self.named[len(self.transfers)] = pieces
            self.transfers.append(Transfer(source, target, cents, why))

    def finished(self) -> House:
        """The house after the command; refused as a whole if an account would fall below zero."""
        balances = self.house.balances
        if self.transfers:
            balances = {**balances, **balances_after(balances, self.transfers)}
        tables = {**self.house.tables, self.table.name: self.table} if self.table else self.house.tables
        boards = {**self.house.boards, self.board.name: self.board} if self.board else self.house.boards
        earlier = dict([*self.house.earlier.items(), self.earlier]) if self.earlier else self.house.earlier
        return changed(self.house, tables=tables, balances=balances, boards=boards, earlier=earlier)


BEFOREHAND: list[Callable[[House, Command], None]] = []
"""What looks at every command before its handler and may refuse it; whoever declares commands adds his own."""
AFTERWARDS: list[Callable[[Effect, House, Command], None]] = []
"""What looks at every effect, seeing the house before it, and adds to it or refuses it."""


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
def _prepared(
    document: str, offered: tuple[str, ...], settings: tuple[tuple[str, Value], ...]
) -> tuple[Edition, Settings, Ints]:
    edition, chosen = read_offered(document, offered), Settings(settings)
    try:
        return edition, chosen, edition.game.encode(chosen)
    except Refused as refused:  # 0.1 bound a table to the path of a House Way
        raise Refused(UNREADABLE, f"its settings cannot be read: {refused.message}") from None


def prepared(table: Table) -> tuple[Edition, Settings, Ints]:
    """A table's edition and settings, as rules read them."""
    if table.spoiled:
        raise Refused(UNREADABLE, table.spoiled)
    return _prepared(table.document, table.offered, tuple(table.settings.items()))


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


def check_shoe_known(table: Table) -> None:
    """Refuse to go on where a shoe that was committed to is lost, and two have not said so."""
    if lost := next((shoe for shoe in table.lost_shoes if not shoe.declared), None):
        first = "two supervisors record that first, with lost-shoe"
        raise Refused("shoe-lost", f"the order of shoe {lost.number} is lost: {first}")


def check_shoe(table: Table) -> None:
    """Refuse bets on a shoe that is lost, or not in order yet."""
    check_shoe_known(table)
    if table.shoe is not None and table.shoe.wants_seeds:
        wait = "bets open when all guests' screens have added to it, or the dealer goes on without them (mix)"
        raise Refused("shoe-not-mixed", f"shoe {table.shoes_made} is not in order yet: {wait}")


def nothing() -> int | None:
    """A source that has no card to give."""
    return None


def from_list(cards: Iterable[int]) -> Draw:
    """A source that gives these cards, and then none."""
    left = iter(tuple(cards))
    return lambda: next(left, None)


def unfolded(table: Table, draw: Draw = nothing, before: Unfolded | None = None) -> Unfolded:
    """A table's round, unfolded; `before` is what it was unfolded to when it had come less far."""
    if table.round.phase == Phase.BETTING:
        return Unfolded([])
    if draw is nothing and table.round.unfolded is not None:
        remembered: Unfolded = table.round.unfolded
        return remembered
    edition, settings, encoded = prepared(table)
    return unfold(edition, settings, encoded, table.round, draw, table.source != "virtual-shoe", before)


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
    if table is not None and not table.is_open:
        today = "a round that it settled today can still be corrected"
        raise Refused("unknown-table", f"{name} is closed: open it to play; {today}")
    if table is None:
        one_of("table", name, [known.name for known in house.tables.values() if known.is_open])
        raise AssertionError
    if table.spoiled:
        raise Refused(UNREADABLE, f"{name} stands still: {table.spoiled}")
    return table


def in_phase(table: Table, *phases: Phase) -> Round:
    """The round, refused unless it stands in one of these phases."""
    if is_blind(table) and set(phases) != set(Phase):
        what = f"the cards of round {table.round.number} are sealed with a key that is not here"
        raise Refused("seal-broken", f"{what}: put the key file back and start again, or void the round")
    if table.round.phase not in phases:
        stands = STANDS[table.round.phase].format(round=table.round.number)
        raise Refused("wrong-phase", f"{stands}: {_comes(phases)}")
    return table.round


STANDS = {
    Phase.BETTING: "bets are open in round {round}",
    Phase.DEALING: "round {round} is being dealt",
    Phase.DECIDING: "round {round} is in play",
    Phase.READY: "all cards of round {round} are there, and it is to be settled",
    Phase.FROZEN: "round {round} is frozen by a dispute until a supervisor resolves it",
}
"""How a round stands, as a refusal begins."""
COMES = {
    Phase.BETTING: "while bets are open",
    Phase.DEALING: "while cards are dealt",
    Phase.DECIDING: "while seats decide",
    Phase.READY: "when all cards are there",
    Phase.FROZEN: "while a dispute freezes the round",
}


def _comes(phases: tuple[Phase, ...]) -> str:
    """When something is possible, in words."""
    if set(phases) == {Phase.DEALING, Phase.DECIDING, Phase.READY}:
        return "this comes between no more bets and the settlement"
    return f"this comes {' or '.join(COMES[phase] for phase in phases)}"


def handle(house: House, command: Command, role: str, draw: Draw) -> Effect:
    """Carry out a command, or refuse it and change nothing.

    The floor has checked its fields, and put the gaming day into it: an entry of the journal is not checked again. Whether it
    needs a second person, and has one, is checked here, so that no way leads around that.
    """
    declaration, house = declared(command, role), duties.begun(house, command)
    duties.check(house, command, declaration.at_stake)
    return _carried_out(house, command, declaration, draw)


def rehearse(house: House, command: Command, role: str) -> None:
    """Refuse what could not be carried out now, were there a second person: nobody is asked to confirm that."""
    declaration, house = declared(command, role), duties.begun(house, command)
    duties.check_first(house, command)
    _carried_out(house, command, declaration, nothing).finished()


def _carried_out(house: House, command: Command, declaration: Declaration, draw: Draw) -> Effect:
    for check in BEFOREHAND:
        check(house, command)
    if house.pieces and declaration.kind in PLAYS_ON:
        check_opener(house.tables.get(str(command.get("table", ""))))
    effect = declaration.handler(house, command, draw)
    table = effect.table or house.tables.get(str(command.get("table", "")))
    if effect.transfers and not effect.in_pieces and chips_of(effect.house):
        _move_pieces(effect, table)
    kept = duties.table_after(table, house, command, effect.transfers) if table else None
    if effect.table and kept:
        before = house.tables.get(effect.table.name)
        is_timed_anew = before is None or command.get("form", FORM) < STEADY or _timed(before) != _timed(effect.table)
        effect.table = changed(kept, touched_at=str(command.get("at", ""))) if is_timed_anew else kept
    elif kept is not table:  # chips that were bought at a table, or given away there
        effect.table = kept
    effect.house = duties.house_after(effect.house, house, command, effect.transfers)
    for add in AFTERWARDS:
        add(effect, house, command)
    return effect


PLAYS_ON = frozenset({"bet", "bets", "bank", "no-more-bets", "table-buy-in", "colour", "request-credit"})
OPENER_DUE = "opener-due"
"""What a table's `tray_count` says until its opener is counted."""


def check_opener(table: Table | None) -> None:
    """Refuse to play with a tray whose opener is not counted."""
    if table is not None and table.tray_count == OPENER_DUE:
        by = "by the dealer and a supervisor, each with count-tray"
        raise Refused("count-first", f"the opener of {table.name} is to be counted first, {by}")


def changer_at(table: Table | None) -> str:
    """Who changes chips: the tray of a table, and the cage where there is none, or players bank."""
    return ledger.tray(table.name) if table and table.bank is None else ledger.CAGE


def _move_pieces(effect: Effect, table: Table | None) -> None:
    """In a house with chips: the pieces of the transfers, and whether the tray wants a fill now."""
    house, tray = effect.house, changer_at(table)
    pieces, moves = moved(house, effect.transfers, effect.named, tray)
    effect.house, effect.in_pieces = changed(house, pieces=pieces), True
    if moves:
        effect.tell(ChipsMoved(moves))
    if table and table.name in house.pars and table.is_open:
        wanted = fill_wanted(house.pars[table.name], pieces_at(house, tray), pieces.get(tray, {}))
        if wanted:
            effect.tell(FillWanted(table.name, as_written(wanted), worth(wanted)))


def _timed(table: Table) -> tuple[object, ...]:
    """What somebody at a table has time for: as long as it stays, its clock runs on, whoever comes, goes or tips meanwhile.

    Bets are timed from the first one, a decision from the one before it, an offer of the bank from when it was made.
    """
    round_, bank = table.round, table.bank
    asked = (table.is_open, round_.number, round_.phase, bool(round_.spots), round_.drawn, round_.decided, round_.looked)
    return (*asked, bank.offered, bank.holder) if bank else asked
