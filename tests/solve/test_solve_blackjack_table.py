"""Blackjack solved, against rounds at the table: the game's own rules deal, play and settle; a chart decides."""

import random
from fractions import Fraction
from math import sqrt

import pytest

from houseway.games import open_edition
from houseway.games.blackjack import round as table
from houseway.games.blackjack.solve.analysis import BlackjackRules
from houseway.games.blackjack.solve.basic import basic_strategy
from houseway.games.blackjack.solve.chart import ELSE, FIRST, Chart, ChartPlay, row_of, total_row
from houseway.games.blackjack.solve.hands import NAMES
from houseway.games.blackjack.solve.results import results_of
from houseway.games.blackjack.solve.rulings import hand_of
from houseway.rulebook.game import Request

EDITION = open_edition("lucky-lucky-wa")
ERRORS = 4
"""Within so many standard errors."""


class ByChart:
    """Choices as the game takes them from a list, made by a chart when they are asked for."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart

    def sit_down(self, game: table.RoundInPlay) -> None:
        self.game, self.up = game, hand_of(tuple(game.dealer.cards[:1])).index(1)

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, place: int) -> str:
        """What is said before the dealer looks; nothing where nothing is offered."""
        first = self.game.hands[0]
        gives_up = not first.is_blackjack and self.chart.cells[self.row(first), self.up] in "Rr"
        if gives_up and self.game.setting("surrender") == "early":
            return "surrender"
        return "look" if len(table._offers(self.game, self.game.dealer.cards[0], first)) > 1 else ""

    def row(self, hand: table.Hand) -> str:
        is_pair = table.rules.may_split(*hand.cards, self.game.request.encoded)
        return row_of(hand_of(tuple(hand.cards)), bool(is_pair))

    def pop(self, place: int) -> str:
        """What is done with the hand whose turn it is."""
        turns = (one for one in self.game.hands if len(one.cards) > 1 and not one.is_done and one.total < 21)
        hand = next(turns, None)
        if hand is None:
            return "look"
        held, allowed = hand_of(tuple(hand.cards)), table._allowed(self.game, hand)
        letter = self.chart.cells[self.row(hand) if len(hand.cards) == 2 else total_row(held), self.up]
        if (hand.is_split and letter != "P") or (letter == "P" and "split" not in allowed):
            letter = self.chart.cells[total_row(held), self.up]
        first = NAMES[FIRST[letter]] if letter in FIRST else ""
        return first if first in allowed else NAMES[ELSE[letter]]


def play_a_round(shoe: list[int], chart: Chart, settings, nets: dict[str, Fraction]) -> Fraction:
    """What a round by the game's own rules comes to, for a unit of the first bet."""
    choices = ByChart(chart)
    game = table.RoundInPlay(Request((), (), {"blackjack": 100}, settings, EDITION.game.encode(settings)), shoe, choices)
    looks = settings["hole-card"] == "peek"
    first, up, second = (game.cards.pop(0) for _ in range(3))
    game.hands, game.dealer = [table.Hand([first, second])], table.Hand([up, *([game.cards.pop(0)] if looks else [])])
    choices.sit_down(game)
    ended = table._before_the_look(game, up) or table._look(game, up, looks)
    if not ended:
        table._play_hands(game)
    table._play_dealer(game, looks, ended)
    table._resolve(game, ended)
    return sum((nets[result.outcome] * result.times for result in game.results), Fraction(0))


def _the_table_agrees(rounds: int, change: dict[str, str] | None = None, **chosen) -> None:
    """With the chart computed, or with rows of it changed to one letter."""
    settings = EDITION.settings({name.replace("_", "-"): value for name, value in chosen.items()})
    rules = BlackjackRules.of(EDITION, settings)
    chart = basic_strategy(rules)
    chart = Chart({(row, up): (change or {}).get(row, letter) for (row, up), letter in chart.cells.items()})
    results = results_of(ChartPlay(rules, chart=chart))
    nets = {name: EDITION.pay("blackjack", name, settings).net for name in ("blackjack", "win", "push", "lose", "surrender")}
    shoe = [card for card, copies in enumerate(EDITION.game.shoe(settings)) for _ in range(copies)]
    dice = random.Random(7)
    met: dict[Fraction, int] = {}
    for _ in range(rounds):
        net = play_a_round(dice.sample(shoe, 40), chart, settings, nets)
        met[net] = met.get(net, 0) + 1
    mean = float(sum(net * times for net, times in met.items())) / rounds
    square = float(sum(net**2 * times for net, times in met.items())) / rounds
    fourth = float(sum(net**4 * times for net, times in met.items())) / rounds
    assert abs(mean - results.mean) < ERRORS * sqrt(results.variance / rounds)
    assert abs(square - results.mean_square) < ERRORS * sqrt((fourth - square**2) / rounds)
    assert sum(results.chances.values()) == pytest.approx(1, abs=1e-13)
    assert met.keys() <= results.chances.keys()
    for net, chance in results.chances.items():
        assert abs(met.get(net, 0) - chance * rounds) < ERRORS * sqrt(chance * rounds) + ERRORS, net


@pytest.mark.parametrize(
    ("change", "chosen"),
    [
        ({}, {"split_hands": 3, "surrender": "late"}),
        ({"10,10": "P", "hard 12": "D"}, {"split_hands": 3, "split": "ranks", "hole_card": "none-original-bets-only"}),
        ({"10,10": "P", "hard 12": "D"}, {"split_hands": 3, "hole_card": "none-original-bets-only", "R20": "busted-and-one"}),
    ],
)
def test_a_chart_comes_at_the_table_to_what_was_computed(change, chosen) -> None:
    _the_table_agrees(20_000, change, **chosen)


@pytest.mark.deep
@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"decks": 1, "soft_17": "stands"},
        {"surrender": "early", "split_aces": "re-split"},
        {"surrender": "late", "hole_card": "none", "split_aces": "play-on"},
        {"hole_card": "none-original-bets-only", "decks": 2},
        {"hole_card": "none-original-bets-only", "split_aces": "play-on", "change": {"8,8": "P", "hard 16": "D"}},
        {"split": "ranks", "decks": 2, "change": {"10,10": "P"}},
        {"decks": 2, "double": "10-11", "double_after_split": "no", "split_hands": 3, "pay_table": "6:5"},
    ],
)
def test_a_chart_comes_at_the_table_to_what_was_computed_over_many_rounds(chosen) -> None:
    _the_table_agrees(200_000, **chosen)
