"""The tables that a compiled round goes by, made by calling the rules of the game and reading charts of its solver."""

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement, product

import numpy as np
from numpy.typing import NDArray

from houseway.kernels.compiled import Ints, plain
from houseway.kernels.shoes import CLASSES, running_sums
from houseway.refusal import Refused
from houseway.rulebook.game import Value

from .. import rules
from ..outcomes import LUCKY_OUTCOMES
from ..solve.chart import ELSE, FIRST, PAIR_ROWS, ROWS, UPS, Chart, row_of, total_row
from ..solve.rulings import is_natural, two_of, value_of
from .rounds import (
    ACE,
    BOTH_NATURAL,
    BUST,
    DOUBLE,
    DOUBLED,
    FIRST_CELL,
    HIT,
    KINDS,
    LOST,
    LUCKY,
    PLACES,
    PUSHED,
    SPLIT,
    STAND,
    SURRENDER,
    WON,
    WORTHS,
    RoundTables,
    Table,
)

Actions = tuple[Table, Table, Table]
"""Of a chart: what is done with the first two cards, with two cards after a split, and with more."""
MOST_RESULTS = 5
"""Results of a round for one seat: four hands, and a bet given back besides."""
_RESULTS = {rules.LOSE: LOST, rules.PUSH: PUSHED, rules.WIN: WON}
CARDS_OF = tuple(tuple(card for card in range(52) if value_of(card) == value) for value in range(CLASSES))
"""The cards of each value."""


def held_at(place: int) -> tuple[int, int]:
    """The points and the aces of a hand's place."""
    return place >> 1, place & 1


PLAYED_PLACES = tuple(place for place in range(PLACES) if held_at(place)[0] >= (2 if held_at(place)[1] else 4))
"""Places that a hand of two cards or more can have: two aces are two points, any other two cards without one at least four."""


def worths() -> Table:
    """BJ-1: what a hand is worth, by its place: its best total, or bust."""
    totals = [int(plain(rules.best_total)(*held_at(place))) for place in range(PLACES)]
    return np.array([BUST if plain(rules.is_bust)(total) else total for total in totals], np.uint8)


def dealer_draws(settings: Ints) -> Table:
    """BJ-3: whether the dealer draws, by place."""
    return np.array([plain(rules.dealer_draws)(*held_at(place), settings) for place in range(PLACES)], np.uint8)


def naturals() -> Table:
    """BJ-2: which two cards are a blackjack; and which up-cards may be one of them."""
    pairs = [is_natural(two_of(first, second)) for first, second in product(range(CLASSES), repeat=2)]
    return np.array([*pairs, *(any(pairs[CLASSES * up : CLASSES * (up + 1)]) for up in range(CLASSES))], np.uint8)


def _result(total: int, dealer: int, dealer_natural: bool = False) -> int:
    return _RESULTS[int(plain(rules.compare)(total, False, dealer, dealer_natural))]


def results() -> tuple[Table, Table]:
    """What a hand at its end comes to: by the dealer's worth, and against a blackjack."""
    over = next(total for total in range(WORTHS) if plain(rules.is_bust)(total))
    totals = {BUST: over} | {total: total for total in range(2, over)}  # a dealer may have one card only
    by_worth, to_natural = np.zeros((2 * DOUBLED, WORTHS), np.uint8), np.zeros(2 * DOUBLED, np.uint8)
    for hand, total in totals.items():
        for doubled in (0, 1):
            to_natural[hand | DOUBLED * doubled] = _result(total, over - 1, True) + 3 * doubled
            for dealer, dealer_total in totals.items():
                by_worth[hand | DOUBLED * doubled, dealer] = _result(total, dealer_total) + 3 * doubled
    both = _RESULTS[int(plain(rules.compare)(over - 1, True, over - 1, True))]
    lost = {int(to_natural[total]) for total in totals}
    if len(lost) > 1:
        raise Refused("not-simulated", "blackjack is not simulated by these rules: not every hand loses to a blackjack")
    to_natural[0], to_natural[BOTH_NATURAL] = lost.pop(), both
    return by_worth.ravel(), to_natural


def hand_cells() -> tuple[list[tuple[int, ...]], NDArray[np.uint16]]:
    """Every multiset of results of a seat's hands, fewest first; and by such a cell and one more result, the next."""
    every = [kinds for size in range(MOST_RESULTS + 1) for kinds in combinations_with_replacement(range(KINDS), size)]
    places = {kinds: FIRST_CELL + at for at, kinds in enumerate(every)}
    more = np.zeros((FIRST_CELL + len(every), KINDS), np.uint16)
    for kinds, place in places.items():
        for kind in range(KINDS):
            more[place, kind] = places.get(tuple(sorted((*kinds, kind))), 0)
    return every, more.ravel()


def lucky_outcomes(settings: Ints) -> Table:
    """LLB-8: the outcome of Lucky Lucky by three values, of different suits and of one."""
    assert len(LUCKY_OUTCOMES) == LUCKY
    table = np.zeros(CLASSES**3, np.uint8)
    for place, values in enumerate(product(range(CLASSES), repeat=3)):
        firsts = [CARDS_OF[value][0] for value in values]
        unsuited, suited = (
            int(plain(rules.lucky_lucky)(np.array([card + suit * at for at, card in enumerate(firsts)]), settings))
            for suit in (1, 0)
        )
        table[place] = unsuited | suited << 4
    return table


def cards_of_values() -> Table:
    """By value, the first of its cards and how many there are: they lie together."""
    assert all(list(cards) == list(range(cards[0], cards[0] + len(cards))) for cards in CARDS_OF)
    return np.array([(cards[0], len(cards)) for cards in CARDS_OF], np.uint8).ravel()


def chart_actions(chart: Chart, settings: Ints, values: Mapping[str, Value]) -> Actions:
    """What a player by a chart does: where a letter asks for what the table does not allow, its way out."""

    def letter(first: int, second: int, up: int, as_pair: bool) -> str:
        return chart.cells[row_of(two_of(first, second), as_pair), up]

    def action(first: int, second: int, up: int, after_split: bool, splits: bool) -> int:
        """BJ-4, BJ-5, BJ-7: what is done with two cards."""
        points, aces = first + second + 2, (first == ACE) + (second == ACE)
        if not plain(rules.plays_on)(int(plain(rules.best_total)(points, aces))):
            return STAND
        pair = bool(plain(rules.may_split)(CARDS_OF[first][0], CARDS_OF[second][0], settings))
        said = letter(first, second, up, splits and pair)
        doubles = bool(plain(rules.may_double)(points, aces, settings)) and not (
            after_split and values["double-after-split"] == "no"
        )
        allowed = {SPLIT: True, DOUBLE: doubles, SURRENDER: not after_split and values["surrender"] != "none"}
        wanted = FIRST.get(said)
        return wanted if wanted is not None and allowed[wanted] else ELSE[said]

    cases = list(product(range(CLASSES), (False, True), range(CLASSES), range(CLASSES)))
    first, again = ([action(a, b, up, after_split, splits) for up, splits, a, b in cases] for after_split in (False, True))
    return np.array(first, np.uint8), np.array(again, np.uint8), _hits(chart)


def mimic_chart(settings: Ints) -> Chart:
    """The chart of a player who draws as the dealer does, and nothing else."""
    draws = dealer_draws(settings)
    letters = {}
    for place in PLAYED_PLACES:
        points, aces = held_at(place)
        if plain(rules.plays_on)(total := int(plain(rules.best_total)(points, aces))):
            letters[_row(points, aces), total] = "H" if draws[place] else "S"
    by_row = {row: letter for (row, _), letter in letters.items()}
    pairs = {row: by_row.get(total_row(two_of(value)), "S") for row, value in PAIR_ROWS.items()}
    return Chart({(row, up): (pairs | by_row).get(row, "S") for row in ROWS for up in UPS})


def _row(points: int, aces: int) -> str:
    """The row of a chart for a hand of more than two cards."""
    return f"{'soft' if plain(rules.is_soft)(points, aces) else 'hard'} {int(plain(rules.best_total)(points, aces))}"


def _hits(chart: Chart) -> Table:
    """By up-card and place, whether a chart draws to a hand of more than two cards; it is not asked of 21 and of busts."""
    table = np.zeros((CLASSES, PLACES), np.uint8)
    for place in PLAYED_PLACES:
        points, aces = held_at(place)
        total = int(plain(rules.best_total)(points, aces))
        if plain(rules.plays_on)(total):
            table[:, place] = [ELSE[chart.cells[_row(points, aces), up]] == HIT for up in range(CLASSES)]
    return table.ravel()


def all_tables(
    shoe: Sequence[int],
    copies: int,
    settings: Ints,
    values: Mapping[str, Value],
    seats: Ints,
    charts: Sequence[Actions],
    count: Ints,
    insurances: int,
) -> RoundTables:
    """All that a round reads."""
    low, high = running_sums(shoe)
    continuous, model = values["shuffler"] == "continuous", values["R13"]
    how = [
        values["hole-card"] == "peek",
        values["hole-card"] == "none-original-bets-only",
        values["R20"] == "busted-and-one",
        int(values["split-hands"]),
        values["split-aces"] == "play-on",
        values["split-aces"] == "re-split",
        values["split"] == "ranks",
        values["surrender"] == "early",
        values["lucky-card"] == "community",
        insurances,
        not (continuous and model == "infinite"),
        16 if continuous and model == "buffer-16" else 0,
        copies,
        sum(shoe),
        low,
        high,
    ]
    kinds, natural_kinds = results()
    first, again, hits = (np.concatenate(part) for part in zip(*charts, strict=True))
    return RoundTables(
        np.array(how, np.int64),
        seats,
        first,
        again,
        hits,
        worths(),
        dealer_draws(settings),
        naturals(),
        kinds,
        natural_kinds,
        hand_cells()[1],
        lucky_outcomes(settings),
        cards_of_values(),
        count,
    )
