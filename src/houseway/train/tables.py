"""Whole tables for exercises: several seats bet, cards are keyed, seats decide, and the engine of the live tables settles.

A table of a number is always the same one. Where something rare is wanted, the shoe gives a seat the cards of a round with it.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from houseway.cards import take
from houseway.refusal import Refused
from houseway.report.example_round import ExampleRound, ExampleTable, shoe_cards
from houseway.rulebook.game import COMMON, COMMUNITY, DEALER, Recipient
from houseway.table import Table
from houseway.table.engine import unfolded
from houseway.table.state import PaidStake
from houseway.table.unfold import Unfolded, first_tape
from houseway.train.deals import DAY, Deal, Lesson, Rounds

TRIES = 30
BANKS_CENTS = (5_000, 10_000, 20_000, 50_000, 1_000_000)
"""What a player's bank puts up: often less than it may have to pay."""


@dataclass(frozen=True)
class TableRound:
    """A round at a whole table: complete, as it is settled, and the table before each card and each choice."""

    table: Table
    stakes: tuple[PaidStake, ...]
    moments: tuple[Table, ...]
    bank_cents: int = 0

    @property
    def dealt(self) -> Unfolded:
        """Hands, plays and all that follows from the tape."""
        return unfolded(self.table)


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
    for seat in sorted(drawn.sample(seats, drawn.randint(min(3, len(seats)), len(seats)))):
        _bet(played, seat, bets.bets())
    played.close_bets(drawn)
    shoe = shoe_cards(lesson.edition, lesson.settings)
    drawn.shuffle(shoe)
    moments = played.play_out(shoe, lambda seat, allowed: _said(lesson, drawn, allowed))
    return _finished(played.settled(bank_cents), moments, bank_cents)


def _copy_of(opened: ExampleTable) -> ExampleTable:
    copy = ExampleTable(opened.edition, opened.day)
    copy.house = opened.house
    return copy


def _finished(example: ExampleRound, moments: list[Table], bank_cents: int) -> TableRound:
    return TableRound(example.table, example.settled.stakes, tuple(moments), bank_cents)


def _take_bank(played: ExampleTable, drawn: random.Random, seats: list[int]) -> int:
    assert played.table.bank is not None
    banker, cents = played.table.bank.offered, drawn.choice(BANKS_CENTS)
    played.at_table("bank", seat=banker, guest=played.table.seated[banker], cents=cents)
    seats.remove(banker)
    return cents


def _bet(played: ExampleTable, seat: int, bets: Mapping[str, int]) -> None:
    for wager, cents in bets.items():
        played.at_table("bet", seat=seat, guest=played.table.seated[seat], wager=wager, cents=cents)


def _said(lesson: Lesson, drawn: random.Random, allowed: tuple[str, ...]) -> str:
    """Mostly what a seat does that says nothing; else any choice that needs no cards named."""
    game = lesson.edition.game
    usual, faces = game.dealing.default_choice, game.face.choices
    if usual in allowed and drawn.random() < 0.6:
        return usual
    plain = [name for name in allowed if name not in game.dealing.late and not (name in faces and faces[name].picks)]
    return drawn.choice(plain or [usual if usual in allowed else allowed[0]])


def table_with(
    lesson: Lesson,
    number: int,
    deal: Deal,
    limits: tuple[tuple[str, int, int], ...] = (),
    aggregates: tuple[tuple[str, int], ...] = (),
) -> TableRound:
    """A table at which one seat has this round; those whose hands win it envy sit there too."""
    drawn = random.Random(f"with {lesson.edition.id} {number}")
    played = _copy_of(_opened(lesson, limits, aggregates))
    seats, bank_cents = list(played.table.seated), 0
    if played.table.bank is not None:
        bank_cents = _take_bank(played, drawn, seats)
    is_common = COMMON in lesson.edition.game.dealing.order((1,), lesson.settings, 1)
    chosen = sorted(drawn.sample(seats, min(len(seats), 1 + len(deal.others) + (drawn.randint(1, 3) if is_common else 0))))
    own = drawn.choice(chosen)
    bets = Rounds(lesson, number)
    needed = next(iter(deal.bets))
    late = {wager: cents for wager, cents in deal.bets.items() if wager in lesson.edition.game.dealing.late}
    first = {wager: cents for wager, cents in deal.bets.items() if wager not in late}
    for seat in chosen:
        _bet(played, seat, first if seat == own else bets.bets() if is_common else {needed: bets.amount(needed)})
    said, parts = list(deal.choices), _parts_of_bets(lesson)
    for choice in [choice for choice in said if choice in parts]:
        said.remove(choice)
        played.at_table("decide", seat=own, choice=choice, guest=played.table.seated[own])
    played.close_bets(drawn)
    shoe = _stacked(lesson, played.table, deal, own, [seat for seat in chosen if seat != own], drawn)

    def decide(seat: int, allowed: tuple[str, ...]) -> str:
        if seat == own and late and unfolded(played.table).before_look:
            _bet(played, own, dict([late.popitem()]))
            return ""
        return said.pop(0) if seat == own and said else _said(lesson, drawn, allowed)

    moments = played.play_out(shoe, decide)
    return _finished(played.settled(bank_cents), moments, bank_cents)


def _parts_of_bets(lesson: Lesson) -> set[str]:
    """Choices that are part of a bet, such as a colour."""
    settings = lesson.edition.game.dealing.with_bet.values()
    return {str(value) for setting in settings for value in lesson.edition.approved.get(setting, ())}


def _stacked(lesson: Lesson, table: Table, deal: Deal, own: int, others: list[int], drawn: random.Random) -> list[int]:
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


def _hands_of(lesson: Lesson, dealt: Unfolded, deal: Deal, own: int) -> tuple[dict[Recipient, list[int]], list[int]]:
    """The first cards of a seat, of the dealer and of the middle in a round, and the cards that are drawn after them."""
    sizes = {who: dealt.order.count(who) for who in (own, DEALER, COMMUNITY)}
    starts = {own: 0, DEALER: 100, COMMUNITY: 200}
    places = {who: tuple(range(starts[who], starts[who] + size)) for who, size in sizes.items()}
    marked = replace(dealt, hands={COMMUNITY: list(places[COMMUNITY])})
    tape = first_tape(lesson.edition.game.dealing, marked, places[own], places[DEALER])
    at = dict(zip(tape, deal.cards, strict=False))
    hands: dict[Recipient, list[int]] = {who: [at[mark] for mark in marks if mark in at] for who, marks in places.items()}
    return hands, list(deal.cards[len(tape) :])
