"""Blackjack with Lucky Lucky, simulated: several seats at one shoe, played by charts, against one dealer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import numpy as np

from houseway.kernels.compiled import Ints
from houseway.odds.par_sheet import ParSheet, par_sheet
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Value
from houseway.rulebook.settings import Settings
from houseway.simulate.simulator import CLASSES, Meaning, Seat, SeatResult, Setup, Simulator

from ..game import GAME
from ..outcomes import LUCKY_OUTCOMES
from ..solve.analysis import BlackjackRules
from ..solve.basic import basic_strategy
from ..solve.chart import Chart, ChartPlay
from ..solve.insurance import insure
from ..solve.report import read_chart
from .rounds import (
    ALWAYS,
    BY_COUNT,
    EVEN_CELL,
    EVEN_MONEY,
    FIRST_CELL,
    GAVE_UP_CELL,
    HIDDEN,
    KINDS,
    MOST_COUNT,
    NATURAL_CELL,
    NEVER,
    play_round,
)
from .steps import in_steps
from .tables import CARDS_OF, Actions, all_tables, chart_actions, hand_cells, mimic_chart

WAGERS = ("blackjack", "insurance", "lucky-lucky")
CHART, INSURED, EVEN, MIMIC = "chart", "chart-insured", "chart-even-money", "mimic"
PLAYERS = {CHART: NEVER, INSURED: ALWAYS, EVEN: EVEN_MONEY, MIMIC: NEVER}
"""How players decide, the usual one first: by the computed chart, without insurance, always insured under an ace, or taking
even money for a blackjack there; and as the dealer does. A chart file is played without insurance."""
INSURANCE_CELLS = ("", "dealer-blackjack", "no-blackjack")
_RESULTS = tuple((outcome, times) for times in (1, 2) for outcome in ("lose", "push", "win"))
MOST_CARDS_OF_A_HAND = 12
"""More cards than this a hand of a player or a dealer hardly ever has; if cards run out, discards are shuffled in."""


@dataclass(frozen=True)
class CountedPlay:
    """How somebody plays who counts cards: `tags` (ace, 2 ... 9, ten), when he insures, and by which chart he plays.

    He insures from a true count of `insures` on, for 52 unseen cards and rounded down. `charts` are those to play by and the
    least true count of each, the first from the lowest on. Tags are `unit` times what they are, and so is where the count
    `start`s. `divisors` are, by the number of unseen cards or (`by_left`) of cards left in the shoe, over how many cards a
    count is spread; without any, over just these.
    """

    tags: tuple[int, ...]
    insures: int
    charts: tuple[tuple[int, Chart], ...] = ()
    unit: int = 1
    start: int = 0
    divisors: tuple[int, ...] = ()
    by_left: bool = False


def setup(edition: Edition, settings: Settings, seats: tuple[Seat, ...]) -> Setup:
    """A simulator for players by charts."""
    return setup_for(edition, settings, [player_of(edition, settings, seat.player) for seat in seats])


@dataclass(frozen=True)
class SeatPlay:
    """How a seat is played: by a chart, insured or not; or by a count, which then says both."""

    chart: Chart
    insures: int = NEVER
    count: CountedPlay | None = None


def player_of(edition: Edition, settings: Settings, name: str) -> SeatPlay:
    """A player by name, or by a chart in a file."""
    if name in PLAYERS or not name:
        insures = PLAYERS[name or CHART]
        return SeatPlay(mimic_chart(GAME.encode(settings)) if name == MIMIC else computed_chart(edition, settings), insures)
    return SeatPlay(read_chart(Path(name)))


def setup_for(edition: Edition, settings: Settings, players: Sequence[SeatPlay]) -> Setup:
    """A simulator for these players; at most one way to count is known at a table."""
    shoe, encoded, values = GAME.shoe(settings), GAME.encode(settings), dict(settings)
    counts = [sum(shoe[card] for card in cards) for cards in CARDS_OF]
    charts: list[Actions] = []
    rows, ways_to_count = np.zeros((len(players), 2), np.int64), [player.count for player in players if player.count]
    if any(way != ways_to_count[0] for way in ways_to_count):
        raise Refused("bad-player", "seats of one table count in one way: give all the same tags and charts")
    known: list[tuple[tuple[Chart, ...], int]] = []
    for seat, player in enumerate(players):
        own = tuple(chart for _, chart in player.count.charts) if player.count and player.count.charts else (player.chart,)
        place = next((place for other, place in known if other == own), len(charts))
        if place == len(charts):
            known.append((own, place))
            charts += [chart_actions(chart, encoded, values) for chart in own]
        rows[seat] = place, BY_COUNT if player.count else player.insures
    insurances = len(INSURANCE_CELLS) if {int(row[1]) for row in rows} & {ALWAYS, BY_COUNT} else 1
    count = _count_table(ways_to_count[0], counts) if ways_to_count else np.zeros(1, np.int64)
    tables = all_tables(counts, shoe[0], encoded, values, rows, charts, count, insurances)
    cells, meaning = meanings(edition.offered, insurances)
    return Setup(
        shoe=tuple(counts),
        settings=encoded,
        tables=tables,
        cells=cells,
        meaning=meaning,
        cards=(len(players) + 1) * MOST_CARDS_OF_A_HAND,
        deck=(*shoe[:HIDDEN], *[0] * len(counts), 0),
        hidden_at=HIDDEN,
        least_cards=2 * len(players) + 1 + (values["hole-card"] == "peek"),
        refills=True,
        in_steps=in_steps(tables, shoe, counts),
        notes=("split hands are played by the chart, and split again whenever it says so",),
    )


def _count_table(count: CountedPlay, counts: Sequence[int]) -> Ints:
    """As a round reads it: tags, those of the whole shoe, when to insure, the chart of each true count, and divisors."""
    if len(count.tags) != len(counts):
        raise Refused("bad-tags", f"{len(count.tags)} tags are given, and there are {len(counts)} values: A,2,3,4,5,6,7,8,9,T")
    whole = sum(tag * cards for tag, cards in zip(count.tags, counts, strict=True))
    least = [least for least, _ in count.charts]
    by_count = [max(0, sum(at <= true for at in least) - 1) for true in range(-MOST_COUNT, MOST_COUNT + 1)]
    divisors = count.divisors or [max(cards, 1) for cards in range(sum(counts) + 1)]
    how = whole + count.start, count.insures, count.unit, count.by_left
    return np.array([*count.tags, *how, *by_count, *divisors], np.int64)


def meanings(offered: Mapping[str, object], insurances: int) -> tuple[int, Meaning]:
    """How many cells there are, and what each means."""
    hands, _ = hand_cells()
    whole = {NATURAL_CELL: "blackjack", GAVE_UP_CELL: "surrender", EVEN_CELL: "even-money"}

    def meaning(cell: int) -> tuple[SeatResult, ...]:
        rest, insurance = divmod(cell, insurances)
        played, lucky = divmod(rest, len(LUCKY_OUTCOMES))
        if played in whole:
            ended = [SeatResult("blackjack", whole[played])]
        else:
            ended = [SeatResult("blackjack", *_RESULTS[kind]) for kind in hands[played - FIRST_CELL]]
        if not ended:
            return ()
        if "lucky-lucky" in offered:
            ended.append(SeatResult("lucky-lucky", LUCKY_OUTCOMES[lucky].id))
        if insurance:
            ended.append(SeatResult("insurance", INSURANCE_CELLS[insurance]))
        return tuple(ended)

    assert len(_RESULTS) == KINDS
    return (FIRST_CELL + len(hands)) * len(LUCKY_OUTCOMES) * insurances, meaning


@lru_cache(maxsize=32)
def chart_for(rules: BlackjackRules) -> Chart:
    """The best chart by totals, worked out once."""
    return basic_strategy(rules)


def computed_chart(edition: Edition, settings: Mapping[str, Value]) -> Chart:
    """The best chart by totals for these rules, worked out once."""
    return chart_for(BlackjackRules.of(edition, settings))


def exact(edition: Edition, settings: Settings, wager: str, player: str) -> ParSheet | Fraction | float | None:
    """What a wager returns from a whole shoe, exactly or to the last digits of a float."""
    if wager == "lucky-lucky":
        return par_sheet(edition, wager, settings)
    rules, decides = BlackjackRules.of(edition, settings), player_of(edition, settings, player)
    if wager == "insurance":
        return insure(edition, settings, rules).worth if decides.insures == ALWAYS else None
    return None if decides.insures == EVEN_MONEY else float(ChartPlay(rules, chart=decides.chart).value())


SIMULATOR = Simulator(
    play_round=play_round,
    sees=CLASSES,
    setup=setup,
    wagers=WAGERS,
    players=tuple(PLAYERS),
    player_files=True,
    exact=exact,
)
