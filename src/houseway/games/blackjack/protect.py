"""Blackjack and Lucky Lucky for somebody who counts: values as classes, index plays, and suits for the keenest."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from houseway.kernels.compiled import Ints
from houseway.kernels.count import Progress
from houseway.protect.protection import CHART, INDICES, Finer, IndexPlay, PlayAsked, Playing, Protection, SeenEdge, Worth
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings

from .outcomes import LUCKY_OUTCOMES
from .simulate import CountedPlay, SeatPlay, chart_for, computed_chart, setup_for
from .simulate.rounds import MOST_COUNT
from .simulate.tables import CARDS_OF, lucky_outcomes
from .solve.analysis import Analysis, BlackjackRules
from .solve.chart import LEGEND, Chart
from .solve.hands import RANKS
from .solve.index_plays import DECK, IndexPlays, Tagged, insurance_index
from .solve.insurance import SHARE
from .solve.report import read_chart
from .solve.rulings import ACE, TEN, VALUES

MAIN, INSURANCE, LUCKY = "blackjack", "insurance", "lucky-lucky"
ROUNDED_DOWN = 0.5
"""Counts are rounded down: on the average they are so much more."""
SUITS = 4
Floats = NDArray[np.float64]


def _ways(copies: Ints, triple: Sequence[int]) -> Ints:
    """In how many orders three cards of these values come from so many copies of each: the last index is the value."""
    ways = np.ones(copies.shape[:-1], np.int64)
    for place, value in enumerate(triple):
        ways = ways * np.maximum(copies[..., value] - triple[:place].count(value), 0)
    return ways


class LuckyWorth:
    """What Lucky Lucky is worth by the cards left of each value, or of each value and suit.

    It is decided by three values and whether their suits are one. To somebody who knows values only, three unseen cards are of
    one suit as often as three of the whole shoe: which cards of a value are gone, he has no idea.
    """

    def __init__(self, edition: Edition, settings: Settings) -> None:
        game = edition.game
        shoe = game.shoe(settings)
        self.parts = np.array(
            [[sum(shoe[card] for card in cards if card % SUITS == suit) for suit in range(SUITS)] for cards in CARDS_OF],
            np.int64,
        )
        nets = [float(edition.pay(LUCKY, outcome.id, settings).net) for outcome in LUCKY_OUTCOMES]
        outcomes = lucky_outcomes(game.encode(settings)).reshape((len(CARDS_OF),) * 3)
        self.paid = []
        for triple in combinations_with_replacement(range(len(CARDS_OF)), 3):
            outcome = int(outcomes[triple])
            all_ways = int(_ways(self.parts.sum(axis=1), triple))
            of_a_suit = int(_ways(self.parts.T, triple).sum())
            orders = {1: 1, 2: 3, 3: 6}[len(set(triple))]
            unsuited, suited = orders * nets[outcome & 15], orders * nets[outcome >> 4]
            self.paid.append((triple, unsuited, suited - unsuited, of_a_suit / all_ways if all_ways else 0.0))

    def by_value(self, compositions: Ints) -> Floats:
        """By the copies left of each value."""
        total = np.zeros(len(compositions))
        for triple, unsuited, more, share in self.paid:
            total += _ways(compositions, triple) * (unsuited + share * more)
        return self._divided(total, compositions.sum(axis=1))

    def by_suit(self, compositions: Ints) -> Floats:
        """By the copies left of each value and suit."""
        total, values, by_suit = np.zeros(len(compositions)), compositions.sum(axis=2), compositions.transpose(0, 2, 1)
        for triple, unsuited, more, _ in self.paid:
            total += _ways(values, triple) * unsuited
            if more:
                total += _ways(by_suit, triple).sum(axis=1) * more
        return self._divided(total, values.sum(axis=1))

    @staticmethod
    def _divided(total: Floats, cards: Ints) -> Floats:
        """A mean over all orders; where fewer than three cards are left discards are shuffled in, and nothing is known."""
        orders = cards * (cards - 1) * (cards - 2)
        return np.where(orders > 0, total / np.maximum(orders, 1), 0.0)


def main_worth(edition: Edition, settings: Settings) -> Worth:
    """What a unit on blackjack is worth in best play, insured where that gains, by the cards left of each value."""
    won, lost = (float(edition.pay(INSURANCE, outcome, settings).net) for outcome in ("dealer-blackjack", "no-blackjack"))
    return _main_worth(BlackjackRules.of(edition, settings), won, lost)


def _main_worth(rules: BlackjackRules, won: float, lost: float) -> Worth:

    def insured(counts: Sequence[int]) -> float:
        """What insurance adds: by how many tens lie in the hand."""
        aces, tens, cards = counts[ACE], counts[TEN], sum(counts) - 1
        total, gained = cards * (cards - 1), 0.0
        for held, ways in enumerate(((cards - tens) * (cards - tens - 1), 2 * tens * (cards - tens), tens * (tens - 1))):
            blackjack = (tens - held) / max(cards - 2, 1)
            gained += ways / total * max(blackjack * won + (1 - blackjack) * lost, 0.0)
        return float(SHARE) * gained * aces / (cards + 1)

    def value(counts: Sequence[int]) -> float:
        tens = tuple((counts[TEN] + rank) // 4 for rank in range(4))
        return float(Analysis(replace(rules, counts=tuple(counts), tens=tens)).value()) + insured(counts)

    return lambda compositions: np.array([value(row) for row in compositions.tolist()], np.float64)


def main_effects(edition: Edition, settings: Settings) -> tuple[tuple[Fraction, ...], Fraction]:
    """By how much the player's edge changes when a card is gone, in best play; and that edge of a whole shoe. To 12 digits."""
    won, lost = (float(edition.pay(INSURANCE, outcome, settings).net) for outcome in ("dealer-blackjack", "no-blackjack"))
    return _main_effects(BlackjackRules.of(edition, settings), won, lost)


@lru_cache(maxsize=16)
def _main_effects(rules: BlackjackRules, won: float, lost: float) -> tuple[tuple[Fraction, ...], Fraction]:
    worth_of = _main_worth(rules, won, lost)
    gone = [np.array(rules.counts) - np.eye(VALUES, dtype=np.int64)[value] for value in range(VALUES)]
    whole, *without = (Fraction(f"{value:.12f}") for value in worth_of(np.array([rules.counts, *gone])))
    return tuple(value - whole for value in without), whole


def worth(edition: Edition, settings: Settings, wager: str) -> Worth | None:
    """What a unit on a wager is worth, by the cards left of each value."""
    if wager == MAIN:
        return main_worth(edition, settings)
    return LuckyWorth(edition, settings).by_value if wager == LUCKY else None


def finer(edition: Edition, settings: Settings, wager: str) -> Finer | None:
    """What somebody knows who keeps every suit."""
    if wager != LUCKY:
        return None
    lucky = LuckyWorth(edition, settings)
    return Finer(lucky.parts, lucky.by_suit, "suits")


@lru_cache(maxsize=16)
def _index_plays(rules: BlackjackRules, tags: tuple[Fraction, ...]) -> IndexPlays:
    return IndexPlays(rules, chart_for(rules), tags)


def playing(asked: PlayAsked) -> Playing:
    """The first seat insures and plays by its count, the others by the usual chart, without insurance."""
    edition, settings = asked.edition, asked.settings
    if asked.like:
        known = replace(asked.like.plan, start=asked.start or 0, divisors=asked.divisors, by_left=asked.by_left)
        return _seated(asked, known, asked.like.indices, asked.like.words)
    rules, usual = BlackjackRules.of(edition, settings), computed_chart(edition, settings)
    tags = tuple(Fraction(tag, asked.unit) for tag in asked.tags)
    tagged, scale = Tagged(tags, rules.counts), _Scale.of(asked, tags, rules.counts)
    won, lost = (edition.pay(INSURANCE, outcome, settings).net for outcome in ("dealer-blackjack", "no-blackjack"))
    index = insurance_index(tagged, won, lost)
    insures = MOST_COUNT + 1 if index is None else scale.from_count(index)
    insurance = [] if index is None else [IndexPlay(INSURANCE, RANKS[ACE], "no", "yes", scale.kept(index), 0.0)]
    if asked.by == INDICES:
        plays = _index_plays(rules, tags)
        charts = _charts_by_count(plays, scale)
        by_gain = sorted(plays.indices(plays.at[0], plays.at[-1]), key=lambda each: -each.gain)
        indices = [
            IndexPlay(each.row, RANKS[each.up], LEGEND[each.below], LEGEND[each.letter], scale.kept(each.count), each.gain)
            for each in by_gain
        ]
        words = "by index plays, insured by the count"
    else:
        base = usual if asked.by == CHART else read_chart(Path(asked.by))
        charts, indices = ((-MOST_COUNT, base),), []
        words = f"by {'the computed chart' if asked.by == CHART else asked.by}, insured by the count"
    counted = CountedPlay(asked.tags, insures, charts, asked.unit, asked.start or 0, asked.divisors, asked.by_left)
    return _seated(asked, counted, (*insurance, *indices), words)


def _seated(asked: PlayAsked, counted: CountedPlay, indices: tuple[IndexPlay, ...], words: str) -> Playing:
    usual = computed_chart(asked.edition, asked.settings)
    seats = [SeatPlay(usual, count=counted), *[SeatPlay(usual)] * (asked.players - 1)]
    return Playing(setup_for(asked.edition, asked.settings, seats), indices, words, counted)


@dataclass(frozen=True)
class _Scale:
    """How a count, as it is kept, stands to a true count of the same tags, balanced: half way through the shoe.

    Only counts of tags that do not sum up to nothing need it; for others the two are the same.
    """

    start: Fraction | None
    mean: Fraction
    seen: Fraction
    unseen: Fraction

    @classmethod
    def of(cls, asked: PlayAsked, tags: Sequence[Fraction], counts: Sequence[int]) -> "_Scale":
        cards, unseen = sum(counts), Fraction(sum(counts) + asked.cut, 2)
        start = None if asked.start is None else Fraction(asked.start, asked.unit)
        return cls(start, Tagged(tuple(tags), tuple(counts)).mean, cards - unseen, unseen)

    def kept(self, true_count: float) -> float:
        """The count as it is kept, at a true count."""
        running = float((self.start or 0) + self.mean * self.seen) + true_count * float(self.unseen) / DECK
        return running if self.start is not None else running * DECK / float(self.unseen)

    def true(self, kept: float) -> float:
        """The true count at a count as it is kept."""
        running = kept if self.start is not None else kept * float(self.unseen) / DECK
        return (running - float((self.start or 0) + self.mean * self.seen)) * DECK / float(self.unseen)

    def from_count(self, true_count: float) -> int:
        """The whole count, rounded down, from which on an index is reached on the average."""
        return min(max(ceil(self.kept(true_count) - ROUNDED_DOWN), -MOST_COUNT), MOST_COUNT + 1)


def _charts_by_count(plays: IndexPlays, scale: _Scale) -> tuple[tuple[int, Chart], ...]:
    """The best chart of each whole count from the least one of each on; a count rounded down is half a count more."""
    charts: list[tuple[int, Chart]] = []
    for count in range(-MOST_COUNT, MOST_COUNT + 1):
        true = min(max(scale.true(count + ROUNDED_DOWN), plays.at[0]), plays.at[-1])
        chart = plays.chart(true)
        if not charts or charts[-1][1] != chart:
            charts.append((count, chart))
    return tuple(charts)


def _check_main(wager: str) -> None:
    if wager != MAIN:
        raise Refused("nothing-seen", f"what is seen here is worked out for the main bet, not {wager}: ask for --wager {MAIN}")


def _hole_card(edition: Edition, settings: Settings, wager: str, progress: Progress | None) -> SeenEdge:
    from .solve.hole_card import worth_with_hole_known

    _check_main(wager)
    if settings["hole-card"] != "peek":
        raise Refused("nothing-seen", "there is no hole card at this table (hole-card peek has one)")
    rules, won = BlackjackRules.of(edition, settings), float(edition.pay(INSURANCE, "dealer-blackjack", settings).net)
    without, seeing = -float(Analysis(rules).value()), -worth_with_hole_known(rules, won, progress)
    return SeenEdge(_digits(without), _digits(seeing), "The dealer's hole card known before insurance and play", how=SOLVED)


def _first_card(edition: Edition, settings: Settings, wager: str, progress: Progress | None) -> SeenEdge:
    from .solve.hole_card import worth_by_first_card

    _check_main(wager)
    by_card = worth_by_first_card(BlackjackRules.of(edition, settings))
    whole = sum(chance * worth for chance, worth in by_card)
    gained = [(chance, worth) for chance, worth in by_card if worth > 0]
    return SeenEdge(
        _digits(-whole),
        _digits(-sum(chance * worth for chance, worth in gained)),
        "The player's own first card known before he bets",
        bets_share=_digits(sum(chance for chance, _ in gained)),
        how=SOLVED,
        rows=tuple(
            {"first card": RANKS[value], "comes %": chance * 100, "edge %": worth * 100}
            for value, (chance, worth) in enumerate(by_card)
        ),
        stopped_by="burn a card, or deal from a shoe that hides the next one: that costs no rounds",
    )


def _digits(value: float) -> Fraction:
    """A float as far as it is right."""
    return Fraction(f"{value:.12f}")


SOLVED = "solved by the analyser, right to some twelve digits"

PROTECTION = Protection(
    decisions_an_hour=65,
    classes=tuple(range(VALUES)),
    main=(MAIN,),
    worth=worth,
    slow={MAIN: 4},
    finer=finer,
    effects={MAIN: main_effects},
    along={MAIN: {INSURANCE: SHARE}},
    playing={MAIN: playing},
    read_play=read_chart,
    seen={"hole-card": _hole_card, "first-card": _first_card},
)
