"""Whole tables for exercises: several seats bet, cards are keyed, seats decide, and the engine of the live tables settles.

A table of a number is always the same one. Where something rare is wanted, the shoe gives a seat the cards of a round with it.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from houseway.cards import take
from houseway.refusal import Refused
from houseway.report.example_round import NAME, ExampleTable, shoe_cards
from houseway.rulebook.game import COMMON, COMMUNITY, DEALER, MissingCard, MissingChoice, Recipient, Request
from houseway.table import House, Phase, Table
from houseway.table.betting import takes_dealer_bets
from houseway.table.engine import from_list, nothing, prepared, unfolded
from houseway.table.play import settled_as
from houseway.table.state import PaidStake, Round, Settled, Spot, changed
from houseway.table.unfold import Unfolded, first_tape, unfold
from houseway.train.deals import DAY, DealtRound, Lesson, Rounds

TRIES = 30
STEPS_MOST = 60
BANKS_CENTS = (5_000, 10_000, 20_000, 50_000, 1_000_000)
"""What a player's bank puts up: often less than it may have to pay."""
FOR_DEALERS_SHARE = 0.3
"""How often a guest bets for the dealers, where that is allowed."""
Spots = Mapping[int, Spot]
Say = Callable[[int, MissingChoice], str]
"""What a seat says of what it is asked; nothing where it bet something first."""


@dataclass(frozen=True)
class TableRound:
    """A round at a whole table: the house when bets had closed, the table when it is complete, and how it is settled.

    `spots_at` has for every card the spots as they were when it came.
    """

    house: House
    table: Table
    settled: Settled
    spots_at: tuple[Spots, ...]
    bank_cents: int = 0

    @property
    def before(self) -> Table:
        """The table when bets had closed."""
        return self.house.tables[NAME]

    @property
    def stakes(self) -> tuple[PaidStake, ...]:
        """All stakes in the order of payment."""
        return self.settled.stakes

    @property
    def dealt(self) -> Unfolded:
        """Hands, plays and all that follows from the tape."""
        return unfolded(self.table)

    @cached_property
    def moments(self) -> tuple[Table, ...]:
        """The table before each card, in their order."""
        return tuple(self.moment(place) for place in range(len(self.spots_at)))

    def moment(self, place: int) -> Table:
        """The table before one of its cards, from 0."""
        first = len(self.dealt.order)
        phase = Phase.DEALING if place < first else Phase.DECIDING
        drawn = self.table.round.drawn[:place]
        return with_round(self.table, changed(self.table.round, spots=self.spots_at[place], drawn=drawn, phase=phase))


def with_round(table: Table, round_: Round) -> Table:
    """A table with this round, unfolded as its cards are keyed."""
    bare = changed(round_, unfolded=None)
    dealt = unfold(*prepared(table), bare, nothing, keyed=table.source != "virtual-shoe")
    return changed(table, round=changed(bare, unfolded=dealt))


@lru_cache(maxsize=32)
def _opened(lesson: Lesson, limits: tuple[tuple[str, int, int], ...], aggregates: tuple[tuple[str, int], ...]) -> ExampleTable:
    """A table that is open, with a guest at every seat."""
    opened = ExampleTable(lesson.edition, DAY)
    bounds = {"limits": {wager: [least, most] for wager, least, most in limits}} if limits else {}
    most = {"aggregates": dict(aggregates)} if aggregates else {}
    opened.open(lesson.settings, lesson.edition.usual_seats, **bounds, **most)
    return opened


@lru_cache(maxsize=64)
def table_round(lesson: Lesson, number: int) -> TableRound:
    """The round of a number at a table where some of the seats bet."""
    for trial in range(TRIES):
        drawn = random.Random(f"table {lesson.edition.id} {number} {trial}")
        try:
            return _bet_and_dealt(lesson, drawn, number * TRIES + trial)
        except Refused:  # bets that may not lie beside one another, a choice that the rules do not take
            continue
    raise Refused("no-such-case", f"{lesson.edition.name}: no table of that number plays a round to its end")


def _bet_and_dealt(lesson: Lesson, drawn: random.Random, number: int) -> TableRound:
    played, bets = _copy_of(_opened(lesson, (), ())), Rounds(lesson, number)
    seats, bank_cents = list(played.table.seated), 0
    if played.table.bank is not None:
        bank_cents = _take_bank(played, drawn, seats)
    for seat in sorted(drawn.sample(seats, drawn.randint(min(3, len(seats)), min(6, len(seats))))):
        _bet(played, seat, bets.bets())
        _bet_for_dealers(played, seat, drawn)
        _choose_with_bets(lesson, played, seat, drawn)
    played.close_bets(drawn)
    shoe = shoe_cards(lesson.edition, lesson.settings)
    drawn.shuffle(shoe)
    return dealt_out(played.house, shoe, lambda seat, missing: lesson.guests.say(missing, drawn), bank_cents)


def dealt_out(house: House, shoe: list[int], say: Say, bank_cents: int) -> TableRound:
    """Deal a table whose bets lie, the last card of the shoe first, and let its seats decide, until it can be settled."""
    table = house.tables[NAME]
    edition, settings, encoded = prepared(table)
    cards = shoe[::-1]
    order = unfold(edition, settings, encoded, table.round, nothing, keyed=True).order
    hands: dict[Recipient, list[int]] = {}
    for who, card in zip(order, cards, strict=False):
        hands.setdefault(who, []).append(card)
    first, spots, left = table.round.spots, dict(table.round.spots), cards[len(order) :]
    looks: list[Spots] = []
    spots_at: list[Spots] = []
    if COMMON not in order:
        marked = Unfolded([], hands=hands, order=order)
        for seat in sorted(spots):
            tape = list(first_tape(edition.game.dealing, marked, tuple(hands[seat]), tuple(hands.get(DEALER, ()))))
            for _ in range(STEPS_MOST):
                spot = spots[seat]
                request = Request(tuple(tape), spot.choices, spot.bets, settings, encoded, asks=True, offered=edition.offered)
                try:
                    edition.game.play(request)
                    break
                except MissingCard as missing:
                    if missing.whose != "player":
                        break
                    tape.append(left.pop(0))
                    spots_at.append(dict(spots))
                except MissingChoice as missing:
                    said = say(seat, missing)
                    spots[seat] = _with_choice(spot, said)
                    if missing.before_look:
                        looks.append(dict(spots))
    round_ = changed(table.round, spots=spots)
    dealt = unfold(edition, settings, encoded, round_, from_list(cards), keyed=True)
    if not dealt.is_complete:
        raise Refused("no-such-case", f"{edition.name}: a table's round does not come to its end")
    done = changed(table, round=changed(round_, drawn=tuple(dealt.drawn), phase=Phase.READY, unfolded=dealt))
    looked = _as_looked(first, spots, looks)
    at = [*[first] * len(order), *({**now, **_not_yet(now, looked)} for now in spots_at)]
    at += [spots] * (len(dealt.drawn) - len(at))
    return TableRound(house, done, settled_as(done, DAY, bank_cents), tuple(at[: len(dealt.drawn)]), bank_cents)


def _with_choice(spot: Spot, said: str) -> Spot:
    """A spot after a choice, or after a bet that was placed instead: `WAGER=CENTS`."""
    wager, equals, cents = said.partition("=")
    if equals:
        return changed(spot, bets={**spot.bets, wager: int(cents)})
    return changed(spot, choices=(*spot.choices, said))


def _as_looked(first: Spots, last: Spots, looks: list[Spots]) -> Spots:
    """The spots when all have answered what is offered before the dealer looks, and nobody has acted."""
    answered = {seat: spot for now in looks for seat, spot in now.items() if spot is not first[seat]}
    return {seat: _shorter(answered.get(seat, first[seat]), last[seat]) for seat in first}


def _shorter(spot: Spot, last: Spot) -> Spot:
    return changed(spot, bets=last.bets)


def _not_yet(now: Spots, looked: Spots) -> Spots:
    """Seats that have not acted: as they were after the look."""
    return {seat: spot for seat, spot in looked.items() if len(now[seat].choices) < len(spot.choices)}


def _choose_with_bets(lesson: Lesson, played: ExampleTable, seat: int, drawn: random.Random) -> None:
    """What is part of a bet, such as a colour, is said with it."""
    edition, bets = lesson.edition, played.table.round.spots[seat].bets
    for wager, setting in edition.game.dealing.with_bet.items():
        if wager in bets:
            choice = str(drawn.choice(edition.approved.get(setting, (lesson.settings[setting],))))
            played.at_table("decide", seat=seat, choice=choice, guest=played.table.seated[seat])


def _bet_for_dealers(played: ExampleTable, seat: int, drawn: random.Random) -> None:
    """Where the house allows it, some guests bet for the dealers too."""
    if takes_dealer_bets(played.table) and drawn.random() < FOR_DEALERS_SHARE:
        wager, cents = next(iter(played.table.round.spots[seat].bets.items()))
        guest = played.table.seated[seat]
        played.at_table("bet", seat=seat, guest=guest, wager=wager, cents=min(cents, 500), for_dealer=True)


def _copy_of(opened: ExampleTable) -> ExampleTable:
    copy = ExampleTable(opened.edition, opened.day)
    copy.house = opened.house
    return copy


def _take_bank(played: ExampleTable, drawn: random.Random, seats: list[int]) -> int:
    assert played.table.bank is not None
    for _ in range(drawn.randrange(len(seats))):
        refusing = played.table.bank.offered
        played.at_table("pass", seat=refusing, guest=played.table.seated[refusing])
    banker, cents = played.table.bank.offered, drawn.choice(BANKS_CENTS)
    played.at_table("bank", seat=banker, guest=played.table.seated[banker], cents=cents)
    seats.remove(banker)
    return cents


def _bet(played: ExampleTable, seat: int, bets: Mapping[str, int]) -> None:
    for wager, cents in bets.items():
        played.at_table("bet", seat=seat, guest=played.table.seated[seat], wager=wager, cents=cents)


def table_with(
    lesson: Lesson,
    number: int,
    deal: DealtRound,
    limits: tuple[tuple[str, int, int], ...] = (),
    aggregates: tuple[tuple[str, int], ...] = (),
    beside: tuple[Mapping[str, int], ...] = (),
) -> TableRound:
    """A table at which one seat has this round, and others its others' hands; with these bets, where some are given."""
    drawn = random.Random(f"with {lesson.edition.id} {number}")
    played = _copy_of(_opened(lesson, limits, aggregates))
    seats, bank_cents = list(played.table.seated), 0
    if played.table.bank is not None:
        bank_cents = _take_bank(played, drawn, seats)
    is_common = COMMON in lesson.edition.game.dealing.order((1,), lesson.settings, 1)
    more = len(beside) or len(deal.others) + (drawn.randint(1, 3) if is_common else 0)
    chosen = sorted(drawn.sample(seats, min(len(seats), 1 + more)))
    own = drawn.choice(chosen)
    bets = Rounds(lesson, number)
    needed = next(iter(deal.bets))
    late = {wager: cents for wager, cents in deal.bets.items() if wager in lesson.edition.game.dealing.late}
    first = {wager: cents for wager, cents in deal.bets.items() if wager not in late}
    given = list(beside)
    for seat in chosen:
        other = given.pop(0) if seat != own and given else bets.bets() if is_common else {needed: bets.amount(needed)}
        _bet(played, seat, first if seat == own else other)
    said, parts = list(deal.choices), _parts_of_bets(lesson)
    for choice in [choice for choice in said if choice in parts]:
        said.remove(choice)
        played.at_table("decide", seat=own, choice=choice, guest=played.table.seated[own])
    _rest_chosen(lesson, played, own, drawn)
    played.close_bets(drawn)
    shoe = _stacked(lesson, played.table, deal, own, [seat for seat in chosen if seat != own], drawn)

    def say(seat: int, missing: MissingChoice) -> str:
        if seat == own and late and missing.before_look:
            return "{}={}".format(*late.popitem())
        return said.pop(0) if seat == own and said else lesson.guests.say(missing, drawn)

    return dealt_out(played.house, shoe, say, bank_cents)


def _rest_chosen(lesson: Lesson, played: ExampleTable, own: int, drawn: random.Random) -> None:
    for seat in played.table.round.spots:
        if seat != own:
            _choose_with_bets(lesson, played, seat, drawn)


def _parts_of_bets(lesson: Lesson) -> set[str]:
    """Choices that are part of a bet, such as a colour."""
    settings = lesson.edition.game.dealing.with_bet.values()
    return {str(value) for setting in settings for value in lesson.edition.approved.get(setting, ())}


def _stacked(lesson: Lesson, table: Table, deal: DealtRound, own: int, others: list[int], drawn: random.Random) -> list[int]:
    """A shoe, the first card last, that gives the seat this round, and these seats the others' hands of it."""
    dealt = unfolded(table)
    hands: dict[Recipient, list[int]] = {COMMON: list(deal.cards)}
    left: list[int] = []
    if COMMON not in dealt.order:
        hands, left = _hands_of(lesson, dealt, deal, own)
        hands |= {seat: list(hand) for seat, hand in zip(others, deal.others, strict=False)}
    known = [card for hand in hands.values() for card in hand]
    rest = [
        card
        for card, copies in enumerate(take(lesson.edition.game.shoe(lesson.settings), [*known, *left]))
        for _ in range(copies)
    ]
    drawn.shuffle(rest)
    first = [hands[who].pop(0) if hands.get(who) else rest.pop() for who in dealt.order]
    after = hands[COMMON] if COMMON in dealt.order else left
    return [*rest, *reversed([*first, *after])]


def _hands_of(lesson: Lesson, dealt: Unfolded, deal: DealtRound, own: int) -> tuple[dict[Recipient, list[int]], list[int]]:
    """The first cards of a seat, of the dealer and of the middle in a round, and the cards that are drawn after them."""
    sizes = {who: dealt.order.count(who) for who in (own, DEALER, COMMUNITY)}
    starts = {own: 0, DEALER: 100, COMMUNITY: 200}
    places = {who: tuple(range(starts[who], starts[who] + size)) for who, size in sizes.items()}
    marked = replace(dealt, hands={COMMUNITY: list(places[COMMUNITY])})
    tape = first_tape(lesson.edition.game.dealing, marked, places[own], places[DEALER])
    at = dict(zip(tape, deal.cards, strict=False))
    hands: dict[Recipient, list[int]] = {who: [at[mark] for mark in marks if mark in at] for who, marks in places.items()}
    return hands, list(deal.cards[len(tape) :])
