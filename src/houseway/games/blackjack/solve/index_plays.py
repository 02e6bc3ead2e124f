"""Index plays: from which count on a decision is another, by the analyser, with the shoe as it then is on average.

To somebody who counts, the cards left at a true count are a share of the shoe in which each value is rarer or more frequent in
proportion to its tag: that is what tags and count say of them, and nothing else is known. At some such shoes every letter of
every cell of a chart is valued, as for the chart of the whole shoe; between them the values are taken to follow straight lines.
A count at the table has seen the cards of the round too, so that each cell is read at the count that its own cards make of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import exp, floor

from houseway.kernels.count import Progress

from .analysis import BlackjackRules
from .basic import MOST_ROUNDS, Learner, Sums, best_letter
from .chart import ROWS, UPS, Chart, row_of
from .rulings import ACE, TEN, VALUES, two_of

DECK = 52
PLACES = (-10.0, -7.5, -5.0, -2.5, 0.0, 2.5, 5.0, 7.5, 10.0)
"""Shoes are valued about these true counts, for tags of one; for larger tags accordingly."""
NEAR, TRIED = 0.75, 61
"""So near to them the count is sought, among so many, at which whole cards come closest to what they should be."""
FEWEST = 4
"""No value is taken to have fewer cards than this: every hand has to be possible."""


@dataclass(frozen=True)
class Tagged:
    """A count's tags by value, and the shoe in which they are counted: what is centred is balanced."""

    tags: tuple[Fraction, ...]
    counts: tuple[int, ...]

    @property
    def mean(self) -> Fraction:
        """The mean tag of a card."""
        return sum((tag * n for tag, n in zip(self.tags, self.counts, strict=True)), Fraction(0)) / sum(self.counts)

    @property
    def variance(self) -> Fraction:
        """The variance of a card's tag."""
        squares = sum((tag**2 * n for tag, n in zip(self.tags, self.counts, strict=True)), Fraction(0))
        return squares / sum(self.counts) - self.mean**2

    def share(self, value: int, true_count: float) -> float:
        """How frequent a value is among the cards left at a true count, balanced, against the whole shoe."""
        return 1 - true_count / DECK * float((self.tags[value] - self.mean) / self.variance)

    def shoe(self, true_count: float) -> tuple[int, ...]:
        """The whole shoe's size of cards, as frequent as they are at a true count; rounded so that the sum stays."""
        wanted = [n * self.share(value, true_count) for value, n in enumerate(self.counts)]
        cards = [max(floor(each), min(FEWEST, n)) for each, n in zip(wanted, self.counts, strict=True)]
        by_rest = sorted(range(VALUES), key=lambda value: wanted[value] - cards[value], reverse=True)
        for place in range(sum(self.counts) - sum(cards)):
            cards[by_rest[place % VALUES]] += 1
        return tuple(cards)

    def shoe_near(self, true_count: float, near: float) -> tuple[int, ...]:
        """The shoe at a true count nearby that has to be rounded least."""
        tries = [true_count + near * (2 * place / (TRIED - 1) - 1) for place in range(TRIED)]

        def rounded_by(tried: float) -> float:
            wanted = (n * self.share(value, tried) for value, n in enumerate(self.counts))
            errors = (each - cards for each, cards in zip(wanted, self.shoe(tried), strict=True))
            return sum(error * error for error in errors)

        return self.shoe(min(tries, key=lambda tried: (round(rounded_by(tried), 6), abs(tried - true_count))))

    def count_of(self, cards: Sequence[int]) -> float:
        """The true count, balanced, at which just these cards are left."""
        left = sum((tag - self.mean) * n for tag, n in zip(self.tags, cards, strict=True))
        return -float(left) * DECK / sum(cards)


Cells = dict[tuple[str, int], dict[str, float]]
"""What each letter of each row is worth against each up-card."""


def _valued(rules: BlackjackRules, chart: Chart) -> tuple[Chart, Cells]:
    """The best chart of a shoe, begun from a near one, and what each letter of its cells is worth."""
    learner = Learner(rules, chart=chart)
    for _ in range(MOST_ROUNDS):
        sums: dict[int, Sums] = {}

        def work(up: int, learner: Learner = learner, sums: dict[int, Sums] = sums) -> None:
            sums[up] = learner.column_worths(up, worse=True)

        learner.shared(work)
        cells = {(row, up): sums[up][row] for row in ROWS for up in UPS}
        better = Chart({cell: best_letter(letters, cell[0]) for cell, letters in cells.items()})
        if better == learner.chart:
            break
        learner = learner.with_chart(better)
    return better, cells


@dataclass(frozen=True)
class Index:
    """In a cell of the chart: from this true count on one letter, below it another."""

    row: str
    up: int
    below: str
    letter: str
    count: float
    gain: float
    """What playing by the count in this cell adds to a round, about: at counts as they come on the average."""


class IndexPlays:
    """What is best at every true count, for a count's tags; counts are balanced, as the tags would be less their mean."""

    def __init__(self, rules: BlackjackRules, base: Chart, tags: Sequence[Fraction], progress: Progress | None = None) -> None:
        self.rules, self.tagged = rules, Tagged(tuple(tags), rules.counts)
        size = max(1.0, float(self.tagged.variance) ** 0.5 / HI_LO_DEVIATION)
        self.base, self.usual = base, USUAL_COUNT * size
        places = [place * size for place in PLACES]
        self.at: list[float] = []
        self.cells: list[Cells] = []
        middle = len(places) // 2
        charts: dict[int, Chart] = {}
        for number, place in enumerate([*range(middle, len(places)), *range(middle - 1, -1, -1)]):
            near = charts.get(place - 1 if place > middle else place + 1, base)
            counts = self.tagged.shoe_near(places[place], NEAR * size)
            shifted = replace(rules, counts=counts, tens=_ranks_of_ten(counts[TEN]))
            charts[place], cells = _valued(shifted, near)
            where = len(self.at) if place >= middle else 0
            self.at.insert(where, self.tagged.count_of(counts))
            self.cells.insert(where, cells)
            if progress:
                progress(number + 1, len(places))

    def chart(self, true_count: float) -> Chart:
        """The best chart at a true count as it stands when a hand is decided."""
        return Chart({(row, up): self.letter(row, up, true_count) for row in ROWS for up in UPS})

    def letter(self, row: str, up: int, true_count: float) -> str:
        """The best letter of a cell."""
        return best_letter(self._worths(row, up, self._before(row, up, true_count)), row)

    def indices(self, lowest: float, highest: float) -> list[Index]:
        """Every cell whose letter changes between two true counts, and where it does."""
        plays = []
        for row in ROWS:
            for up in UPS:
                count, letter, gain = lowest, self.letter(row, up, lowest), self._gain(row, up)
                while (change := self._change(row, up, count, highest)) is not None:
                    count, other = change
                    plays.append(Index(row, up, letter, other, count, gain))
                    letter = other
        return plays

    def _gain(self, row: str, up: int) -> float:
        """What the best letter of a cell adds to that of the base chart, over true counts as frequent as they are about."""
        gained, weights = 0.0, 0.0
        for step in range(-3, 4):
            worths, weight = self._worths(row, up, step * self.usual), exp(-(step**2) / 2)
            if worths:
                gained += weight * (max(worths.values()) - worths.get(self.base.cells[row, up], max(worths.values())))
            weights += weight
        return gained / weights

    def _change(self, row: str, up: int, low: float, high: float) -> tuple[float, str] | None:
        """Where the letter of a cell changes next, to a hundredth, and to what."""
        letter, at = self.letter(row, up, low), low
        while at < high:
            after = min(at + 0.5, high)
            if self.letter(row, up, after) != letter:
                while after - at > 0.005:
                    middle = (at + after) / 2
                    at, after = (middle, after) if self.letter(row, up, middle) == letter else (at, middle)
                return after, self.letter(row, up, after)
            at = after
        return None

    def _before(self, row: str, up: int, true_count: float) -> float:
        """The true count before a round in which, once the cards of a cell and the up-card are seen, it is this."""
        cards, seen = sum(self.rules.counts), self._own_tags[row] + float(self.tagged.tags[up] - self.tagged.mean)
        return (true_count * (cards - 3) / DECK - seen) * DECK / cards

    @cached_property
    def _own_tags(self) -> Mapping[str, float]:
        """What the first two cards of each row count, on the average of those that come to it; 0 where no two cards do."""
        counts, ways_of, tags_of = self.rules.counts, dict.fromkeys(ROWS, 0), dict.fromkeys(ROWS, 0.0)
        for first, second in product(range(VALUES), repeat=2):
            row, ways = row_of(two_of(first, second), first == second), counts[first] * (counts[second] - (first == second))
            ways_of[row] += ways
            tags_of[row] += ways * float(self.tagged.tags[first] + self.tagged.tags[second] - 2 * self.tagged.mean)
        return {row: tags_of[row] / max(ways_of[row], 1) for row in ROWS}

    def _worths(self, row: str, up: int, count: float) -> dict[str, float]:
        """What each letter is worth at a true count before the round, on the straight line between two that were valued."""
        place = next((place for place, at in enumerate(self.at[1:-1], 1) if at >= count), len(self.at) - 1)
        low, high = self.at[place - 1], self.at[place]
        share = min(max((count - low) / (high - low), 0.0), 1.0)
        one, other = self.cells[place - 1][row, up], self.cells[place][row, up]
        return {letter: (1 - share) * one[letter] + share * other[letter] for letter in one if letter in other}


USUAL_COUNT = 2.0
"""Half way through a shoe true counts of Hi-Lo lie about so far from 0."""
HI_LO_DEVIATION = (40 / 52) ** 0.5
"""The size of the tags of Hi-Lo, by which that of others is told."""


def _ranks_of_ten(tens: int) -> tuple[int, ...]:
    """Tens of the four ranks, as equal as can be."""
    return tuple((tens + rank) // 4 for rank in range(4))


def insurance_index(tagged: Tagged, won: Fraction, lost: Fraction) -> float | None:
    """The true count from which on insurance gains, once the ace and two other cards are seen; none if it is no high one.

    The ace is known to be none of the tens: what was counted besides it came from the others.
    """
    least = -lost / (won - lost)  # so frequent must tens be
    counts = tuple(n - (value == ACE) for value, n in enumerate(tagged.counts))
    rest = Tagged(tagged.tags, counts)
    follows = (rest.tags[TEN] - rest.mean) / rest.variance
    if follows >= 0:
        return None
    # the mean tag of cards left is that of the rest less what the count says, for each of them
    share = Fraction(counts[TEN], sum(counts))
    differs = (least / share - 1) / follows
    return float((tagged.mean - rest.mean - differs) * DECK)
