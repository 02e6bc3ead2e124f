"""The compiled rounds of blackjack are the game's own: hand by hand, by its `play`, and within the errors of the exact odds."""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from simulated_blackjack import EDITION, conventions_of, dealt, setup_of

from houseway.chunks.tallies import total
from houseway.games import edition_from, open_edition
from houseway.games.blackjack import GAME, rules
from houseway.games.blackjack.simulate import SIMULATOR, computed_chart, exact, setup
from houseway.games.blackjack.simulate.rounds import ALWAYS, EVEN_MONEY, NEVER
from houseway.games.blackjack.simulate.tables import CARDS_OF
from houseway.games.blackjack.solve.chart import ELSE, FIRST, ROWS, UPS, Chart, accepted, row_of
from houseway.games.blackjack.solve.hands import NAMES
from houseway.games.blackjack.solve.rulings import hand_of, value_of
from houseway.games.blackjack.switches import SWITCHES
from houseway.kernels.counting import SHOE
from houseway.kernels.rounds import Conventions, rounds_loop
from houseway.protect.count import Count
from houseway.protect.customs import CounterCustoms
from houseway.protect.watch import Watch, WatchedTable
from houseway.rulebook.game import MissingCard, MissingChoice, Request
from houseway.simulate.dealer import ROUNDS_OF_SHOES, deal_chunk
from houseway.simulate.question import ask
from houseway.simulate.simulator import Seat

HERE = Path(__file__).parent
BETS = {"blackjack": 200, "lucky-lucky": 100}
SETTINGS = (
    {},
    {"decks": 1, "split": "ranks", "surrender": "late", "soft-17": "stands"},
    {"decks": 8, "hole-card": "none", "surrender": "late", "split-aces": "play-on", "split-hands": 3},
    {"decks": 2, "hole-card": "none-original-bets-only", "R20": "busted-or-one", "split-aces": "re-split"},
    {"decks": 3, "hole-card": "none-original-bets-only", "R20": "busted-and-one", "lucky-card": "community"},
    {"decks": 4, "surrender": "early", "double": "9-11", "double-after-split": "no", "split-aces": "re-split"},
    {"decks": 5, "hole-card": "none", "surrender": "early", "double": "10-11", "split-hands": 2},
    {"decks": 7, "shuffler": "continuous", "R13": "infinite", "split": "ranks"},
    {"shuffler": "continuous", "R13": "buffer-16", "lucky-card": "community", "split-aces": "play-on"},
    {"shuffler": "continuous", "R13": "refilled-each-round"},
    {"hole-card": "none-original-bets-only", "surrender": "early", "split": "ranks", "soft-17": "stands"},
)


def any_chart(seed: int) -> str:
    """A chart of letters at random, with many splits: it does everything that there is to do."""
    chance, weights = random.Random(seed), {"P": 6, "H": 3}

    def letter(row: str) -> str:
        letters = accepted(row)
        return chance.choices(letters, [weights.get(each, 1) for each in letters])[0]

    return Chart({(row, up): letter(row) for row in ROWS for up in UPS}).text()


def cases() -> list[dict]:
    made = []
    for at, settings in enumerate(SETTINGS):
        players = [(any_chart(at), ALWAYS), (any_chart(at + 100), EVEN_MONEY), (any_chart(at + 200), NEVER)]
        common = {"settings": settings, "seed": at + 1, "burn": 1}
        made.append(common | {"players": players[:1], "cut": 0, "most": 1, "shoes": 130})
        made.append(common | {"players": players, "cut": 20, "most": 40, "shoes": 2})
    return made


@cache
def dealt_by_hand() -> list[list]:
    """Every case, dealt once for all tests."""
    return by_hand(cases())


def by_hand(given: list[dict]) -> list[list]:
    """Cases dealt by the simulator's code, interpreted, with every card written down."""
    done = subprocess.run(
        [sys.executable, HERE / "blackjack_by_hand.py"],
        input=json.dumps(given),
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


class Told:
    """The cards of a round, by whom they came to; whole cards where they were looked at, else any of their value."""

    def __init__(self, events: list[list], seats: int, settings) -> None:
        outside = 16 if settings["shuffler"] == "continuous" and settings["R13"] == "buffer-16" else 0
        rest = events[outside:]
        assert all(kind == "card" for kind, _ in events[:outside])
        self.dealer: list[int] = []
        self.own: list[list[int]] = [[] for _ in range(seats)]
        for seat in range(seats):
            self.own[seat].append(self.card(rest.pop(0)))
        self.dealer.append(self.card(rest.pop(0)))
        for seat in range(seats):
            self.own[seat].append(self.card(rest.pop(0)))
        self.community = [self.card(rest.pop(0))] if settings["lucky-card"] == "community" else []
        self.see_lucky(rest)
        self.see_ranks(rest, settings)
        if settings["hole-card"] == "peek":
            self.dealer.append(self.card(rest.pop(0)))
        hand = self.dealer
        for kind, number in rest:
            if kind in {"seat", "done"}:
                hand = self.own[number] if kind == "seat" else self.dealer
            elif kind == "card":
                hand.append(self.card((kind, number)))
            else:
                hand[-1] = number

    @staticmethod
    def card(event) -> int:
        kind, value = event
        assert kind == "card"
        return CARDS_OF[value][0]

    def see_lucky(self, rest: list[list]) -> None:
        self.seen, third_is_seen = [False] * len(self.own), False
        for seat, own in enumerate(self.own):
            third = self.community or self.dealer
            cards = [own[0], own[1], third[0]]
            firsts = [CARDS_OF[value_of(card)][0] for card in cards]
            suits = ([0, 0, 0], [0, 1, 2])
            outcomes = {rules.lucky_lucky.py_func(np.array(firsts) + suit, None) for suit in suits}
            if len(outcomes) == 1:
                continue
            own[0], own[1], self.seen[seat] = rest.pop(0)[1], rest.pop(0)[1], True
            if own[0] & 3 == own[1] & 3 and not third_is_seen:
                third[0], third_is_seen = rest.pop(0)[1], True

    def see_ranks(self, rest: list[list], settings) -> None:
        for own, seen in zip(self.own, self.seen, strict=True):
            if settings["split"] == "ranks" and {value_of(card) for card in own} == {9} and not seen:
                own[0], own[1] = rest.pop(0)[1], rest.pop(0)[1]


def played(edition, settings, chart: Chart, insures: int, own: list[int], told: Told):
    """The round as the game plays it, from these cards, by a chart read literally; and how many cards it took."""
    encoded, up = GAME.encode(settings), told.dealer[0]
    choices: list[str] = []
    cards = [own[0], up, own[1], *told.community]
    left, dealers = own[2:], told.dealer[1:]
    natural = rules.is_blackjack.py_func(sum(map(rules.points.py_func, own[:2])), sum(map(rules.is_ace.py_func, own[:2])), 2)
    bets = BETS | ({"insurance": 100} if insures == ALWAYS and value_of(up) == 0 else {})
    pair = rules.may_split.py_func(own[0], own[1], encoded)
    first = chart.cells[row_of(hand_of(own[:2]), bool(pair)), value_of(up)]
    if insures == EVEN_MONEY and value_of(up) == 0 and natural:
        choices.append("even-money")
    elif settings["surrender"] == "early" and first in "Rr" and not natural:
        choices.append("surrender")
    while True:
        request = Request(tuple(cards), tuple(choices), bets, settings, encoded, offered=edition.offered)
        try:
            return GAME.play(request), left
        except MissingCard as missing:
            cards.append((left if missing.whose == "player" else dealers).pop(0))
        except MissingChoice as missing:
            hand = next(hand for hand in missing.hands if hand.active).cards
            letter = chart.cells[row_of(hand_of(hand), "split" in missing.allowed), value_of(up)]
            wanted = NAMES[FIRST[letter]] if letter in FIRST else ""
            choices.append(wanted if wanted in missing.allowed else NAMES[ELSE.get(letter, 1)])


def results_of(results) -> Counter:
    return Counter((result.wager, result.outcome, Fraction(result.times)) for result in results)


@pytest.mark.parametrize("number", range(len(cases())))
def test_every_round_is_what_the_games_own_play_makes_of_its_cards(number):
    case, edition = cases()[number], open_edition(EDITION)
    settings, ready = edition.settings(case["settings"]), setup_of(case)
    rounds = dealt_by_hand()[number]
    assert len(rounds) >= case["shoes"]
    for cells, events in rounds:
        told = Told(events, len(case["players"]), settings)
        for seat, (chart, insures) in enumerate(case["players"]):
            play, left = played(edition, settings, Chart.parse(chart), insures, told.own[seat], told)
            assert results_of(play.results) == results_of(ready.meaning(cells[seat])), (events, seat)
            assert not left, "the simulator drew a card that the game does not ask for"


@pytest.mark.parametrize("number", range(len(cases())))
def test_compiled_rounds_are_the_interpreted_ones(number):
    case = cases()[number]
    ready, conventions = setup_of(case), conventions_of(case)
    tallies = dealt(rounds_loop(SIMULATOR.play_round, SIMULATOR.sees), ready, conventions, range(case["shoes"]))
    by_hand = np.zeros_like(tallies[0])
    for cells, _ in dealt_by_hand()[number]:
        for seat, cell in enumerate(cells):
            by_hand[seat, cell] += 1
    if case["most"] == 1:  # shoe by shoe, round by round
        cells = [[int(row.nonzero()[0][0]) for row in tally] for tally in tallies]
        assert cells == [cells for cells, _ in dealt_by_hand()[number]]
    assert (sum(tallies) == by_hand).all()


def test_every_value_of_every_switch_is_played():
    edition = open_edition(EDITION)
    chosen = [edition.settings(settings) for settings in SETTINGS]
    for name, switch in SWITCHES.items():
        values = {settings[name] for settings in chosen} | ({6} if name == "decks" else set())
        assert values == set(switch.values), name


def shares_of(tally: np.ndarray, ready, edition, settings, wager: str) -> tuple[float, float]:
    """The return of a wager for a unit staked at first, and its standard error."""
    rounds, mean, square = 0, Fraction(0), Fraction(0)
    for cell in tally.nonzero()[0].tolist():
        own = [ended for ended in ready.meaning(cell) if ended.wager == wager]
        if own:
            net = sum((edition.pay(wager, ended.outcome, settings).net * ended.times for ended in own), Fraction(0))
            rounds += int(tally[cell])
            mean, square = mean + net * int(tally[cell]), square + net * net * int(tally[cell])
    mean, square = mean / rounds, square / rounds
    return float(mean), float((square - mean * mean) / rounds) ** 0.5


EXACT = (
    ({}, "chart"),
    ({"decks": 2, "surrender": "late", "hole-card": "none", "split": "ranks"}, "chart-insured"),
    ({"decks": 8, "hole-card": "none-original-bets-only", "split-hands": 2, "surrender": "early"}, "chart"),
    ({"soft-17": "stands", "split-aces": "re-split", "double": "9-11"}, "mimic"),
)


@pytest.mark.parametrize(("chosen", "player"), EXACT)
def test_shares_of_whole_shoes_lie_within_four_standard_errors_of_the_exact_ones(chosen, player):
    edition = open_edition(EDITION)
    settings = edition.settings(chosen)
    ready, rounds = setup(edition, settings, (Seat(player=player),)), 400_000
    conventions = Conventions(7, 1, 0, 0, 0, 1, rounds, 0)
    tally = dealt(rounds_loop(SIMULATOR.play_round, SIMULATOR.sees), ready, conventions, [0])[0][0]
    assert tally.sum() == rounds
    for wager in ("blackjack", "lucky-lucky", *(["insurance"] if player == "chart-insured" else [])):
        known = exact(edition, settings, wager, player)
        expected = float(known) if isinstance(known, Fraction | float) else -float(known.house_edge)
        mean, error = shares_of(tally, ready, edition, settings, wager)
        assert abs(mean - expected) < 4 * error, (wager, mean, expected, error)


def question(players=("chart-insured", "mimic"), decks=6, **customs) -> str:
    edition = open_edition(EDITION)
    settings = edition.settings({"decks": decks, "hole-card": "none", "split-aces": "re-split", "surrender": "late"})
    bets = {"blackjack": 2000, "insurance": 1000, "lucky-lucky": 500}
    seats = tuple(Seat(bets, player) for player in players)
    return ask(edition, settings, seats, **customs).as_text()


def counts(tallies) -> dict:
    return {name: array.tolist() for name, array in tallies.items()}


def test_chunks_never_change_a_tally():
    asked = question(cut=60)
    whole = deal_chunk(edition_from, asked, 0, 12)
    parts = [deal_chunk(edition_from, asked, first, last) for first, last in ((5, 12), (0, 1), (1, 5))]
    assert counts(total(parts)) == counts(whole)
    with ThreadPoolExecutor(2) as pool:
        parts = list(pool.map(lambda shoe: deal_chunk(edition_from, asked, shoe, shoe + 1), range(12)))
    assert counts(total(parts)) == counts(whole)


IN_THE_SIMULATOR = """
import json, sys, warnings
warnings.simplefilter("ignore")
from houseway.games import edition_from
from houseway.simulate.dealer import dealer_of
from houseway.simulate.graphics import GraphicsDealer
dealt = GraphicsDealer(dealer_of(edition_from, sys.stdin.read()), threads=2, blocks=1).deal(1, 4)
print(json.dumps({name: array.tolist() for name, array in dealt.items()}))
"""


@pytest.mark.parametrize("customs", [{"cut": 300}, {"decks": 1, "cut": 0, "extra": 1}])
def test_a_graphics_processor_never_changes_a_tally(tmp_path, customs):
    """In numba's simulator; by a chart of a file, for nothing is compiled there that could work one out; shoes run out, too."""
    chart = tmp_path / "chart.csv"
    chart.write_text(any_chart(5))
    asked = question((str(chart), "mimic"), **customs)
    simulated = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", IN_THE_SIMULATOR]
    done = subprocess.run(command, input=asked, env=simulated, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == counts(deal_chunk(edition_from, asked, 1, 4))


def test_a_counter_insures_by_the_cards_seen_and_changes_charts_by_them():
    """Literally: the tags of every card seen by then, for 52 unseen ones; a table of one deck that is dealt to its end."""
    stands, hits = (
        Chart({(row, up): letter if letter in accepted(row) else "S" for row in ROWS for up in UPS}) for letter in ("S", "H")
    )
    tags, least, turns = (-1, 1, 1, 1, 1, 1, 0, 0, 0, -1), 3, 2
    case = {
        "settings": {"decks": 1}, "players": [[stands.text(), NEVER]], "seed": 3, "burn": 0, "cut": 12, "most": 99, "shoes": 60,
        "count": {"tags": tags, "insures": least, "charts": [[-40, stands.text()], [turns, hits.text()]]},
    }  # fmt: skip
    ready, insured, hit = setup_of(case), 0, 0
    for shoe in by_hand([case | {"first": shoe, "shoes": 1} for shoe in range(40)]):
        seen: list[int] = []
        for cells, events in shoe:
            cards = [card for kind, card in events if kind == "card"]
            count = sum(tags[card] for card in [*seen, *cards[:3]]) * 52 // (52 - len(seen) - 3)
            wagers = {ended.wager for ended in ready.meaning(cells[0])}
            assert ("insurance" in wagers) == (cards[1] == 0 and count >= least)
            if ["seat", 0] in events:
                drew = events.index(["done", 0]) - events.index(["seat", 0]) > 1
                assert drew == (count >= turns)
                hit += drew
            insured += "insurance" in wagers
            seen += cards
    assert insured and hit


@pytest.mark.parametrize(("players", "cut", "extra"), [(7, 0, 0), (4, 8, 0), (3, 26, 2)])
def test_bj_9_a_shoe_that_runs_out_in_a_round_ends_with_it(players, cut, extra):
    """Literally, from the cards as they were asked for: discards are shuffled in to finish that round, and no other."""
    edition = open_edition(EDITION)
    chart = computed_chart(edition, edition.settings({"decks": 1})).text()
    customs = {"burn": 1, "cut": cut, "extra": extra, "most": 1 << 40, "shoes": 1}
    case = customs | {"settings": {"decks": 1}, "players": [[chart, NEVER]] * players, "seed": 11}
    ran_out, others = 0, 0
    for rounds in by_hand([case | {"first": shoe} for shoe in range(60)]):
        left, over, ends = 52 - 1, 0, False
        for _, events in rounds:
            assert not ends, "a round was dealt after the shoe had ended"
            left -= sum(kind == "card" for kind, _ in events)
            over += left <= cut
            ends = left < 0 or over > extra
        assert ends, "the shoe ended before the cut card came"
        ran_out += left < 0
        others += left >= 0
    assert ran_out > 5
    assert others > 5 or cut == 0


@pytest.mark.parametrize(("cut", "extra"), [(0, 0), (12, 0), (12, 2), (0, 3)])
def test_shoes_that_run_out_have_as_many_rounds_as_when_they_are_watched(cut, extra):
    edition = open_edition(EDITION)
    settings, shoes = edition.settings({"decks": 1}), 300
    asked = ask(edition, settings, (Seat(player="chart"),) * 7, cut=cut, extra=extra, seed=11)
    dealt_rounds = deal_chunk(edition_from, asked.as_text(), 0, shoes)[ROUNDS_OF_SHOES][0]
    table = WatchedTable(edition, settings, "lucky-lucky", CounterCustoms(cut, extra=extra, players=7), 11)
    trace = Watch(table, Count((Fraction(0),) * 10, Fraction(1))).trace(0, shoes)
    watched = Counter(Counter(trace[:, SHOE].tolist()).values())
    assert {rounds: int(many) for rounds, many in enumerate(dealt_rounds) if many} == dict(watched)
