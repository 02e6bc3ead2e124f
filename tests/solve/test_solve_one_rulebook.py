"""One rulebook, truly: a rule that is changed in `rules.py` changes what the solver answers, as play card by card does."""

import ast
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from houseway.games import open_edition
from houseway.games.blackjack import round as table
from houseway.games.blackjack import rules
from houseway.games.blackjack.outcomes import BLACKJACK_OUTCOMES
from houseway.games.blackjack.solve.analysis import Analysis, BlackjackRules
from houseway.games.blackjack.solve.hands import DOUBLE, HIT, NAMES, SPLIT, STAND
from houseway.games.blackjack.solve.lucky import both_bets
from houseway.games.blackjack.solve.results import Moments, results_of
from houseway.games.blackjack.solve.rulings import VALUES, Rulings, hand_of
from houseway.games.duki_4_poker import rules as duki_rules
from houseway.games.ez_pai_gow import rules as pai_gow_rules
from houseway.games.ez_pai_gow.solve.pairs import check_rule
from houseway.kernels.compiled import plain
from houseway.refusal import Refused
from houseway.rulebook.game import Request

EDITION = open_edition("lucky-lucky-wa")
SETTINGS = EDITION.settings({"decks": 1, "split-hands": 2})
ENCODED = EDITION.game.encode(SETTINGS)
SMALL = (2, 1, 0, 1, 2, 1, 1, 1, 0, 4)
"""A shoe of thirteen cards: aces, a two, a four, ..., four tens."""
CARD_OF = tuple(4 * (12 if value == 0 else value - 1) for value in range(VALUES))
"""A card of each value."""


@pytest.fixture(autouse=True)
def interpreted(monkeypatch) -> None:
    """Compiled rules have the rules that they call inside: here each is Python, so that a change of one reaches all."""
    for name, rule in list(vars(rules).items()):
        monkeypatch.setattr(rules, name, plain(rule))


# Play card by card: nothing here is the solver's; every rule is asked of `rules.py`, card by card


def counted(cards: tuple[int, ...]) -> tuple[int, int]:
    """Points and aces of cards given by their values."""
    held = [CARD_OF[value] for value in cards]
    return sum(plain(rules.points)(card) for card in held), sum(plain(rules.is_ace)(card) for card in held)


def total(cards: tuple[int, ...]) -> int:
    return int(plain(rules.best_total)(*counted(cards)))


def is_blackjack(cards: tuple[int, ...]) -> bool:
    return bool(plain(rules.is_blackjack)(*counted(cards), len(cards)))


def less(left: tuple[int, ...], value: int) -> tuple[int, ...]:
    return tuple(count - (at == value) for at, count in enumerate(left))


class CardByCard:
    """A hand against an up-card, once the dealer has looked: every hole card, every draw, every card of the dealer's."""

    def __init__(self, hand: tuple[int, ...], up: int) -> None:
        self.hand, self.up, left = hand, up, SMALL
        for value in (*hand, up):
            left = less(left, value)
        self.left = left
        self.dealer_ends, self.best = cache(self._dealer_ends), cache(self._best)

    def _dealer_ends(self, cards: tuple[int, ...], left: tuple[int, ...]) -> dict[int, Fraction]:
        if not plain(rules.dealer_draws)(*counted(cards), ENCODED):
            return {total(cards): Fraction(1)}
        ends: dict[int, Fraction] = {}
        for value, count in enumerate(left):
            for end, chance in self.dealer_ends(tuple(sorted((*cards, value))), less(left, value)).items() if count else ():
                ends[end] = ends.get(end, Fraction(0)) + chance * Fraction(count, sum(left))
        return ends

    def holes(self, left: tuple[int, ...]):
        """Every hole card that makes no blackjack, and how often it lies there."""
        return [(hole, count) for hole, count in enumerate(left) if count and not is_blackjack((self.up, hole))]

    def stand(self, hand: tuple[int, ...], left: tuple[int, ...]) -> Fraction:
        if plain(rules.is_bust)(total(hand)):
            return Fraction(-1)
        won, ways = Fraction(0), 0
        for hole, count in self.holes(left):
            for end, chance in self.dealer_ends(tuple(sorted((self.up, hole))), less(left, hole)).items():
                outcome = plain(rules.compare)(total(hand), False, end, False)
                won += count * chance * EDITION.pay("blackjack", BLACKJACK_OUTCOMES[outcome].id, SETTINGS).net
            ways += count
        return won / ways

    def draw(self, hand: tuple[int, ...], left: tuple[int, ...], once: bool) -> Fraction:
        """With another card, and then the better of standing and drawing (`once`: standing)."""
        won, ways = Fraction(0), 0
        for hole, count in self.holes(left):
            rest = less(left, hole)
            for value, times in enumerate(rest):
                if times:
                    after, then = tuple(sorted((*hand, value))), less(left, value)
                    worth = self.stand(after, then) if once else self.best(after, then)
                    won += Fraction(count * times, sum(rest)) * worth
            ways += count
        return won / ways

    def _best(self, hand: tuple[int, ...], left: tuple[int, ...]) -> Fraction:
        if plain(rules.is_bust)(total(hand)):
            return Fraction(-1)
        stand = self.stand(hand, left)
        return max(stand, self.draw(hand, left, once=False)) if plain(rules.plays_on)(total(hand)) else stand

    def worths(self) -> dict[int, Fraction]:
        """Stand, hit, and a double where the rule allows it."""
        worths = {STAND: self.stand(self.hand, self.left), HIT: self.draw(self.hand, self.left, once=False)}
        if plain(rules.may_double)(*counted(self.hand), ENCODED):
            worths[DOUBLE] = 2 * self.draw(self.hand, self.left, once=True)
        return worths


HANDS = [((5, 9), 9), ((4, 9), 3), ((0, 5), 4), ((0, 6), 9), ((4, 4), 3), ((5, 6), 9), ((9, 9), 0), ((1, 3), 5)]


def analysed() -> Analysis:
    return Analysis(replace(BlackjackRules.of(EDITION, SETTINGS), counts=SMALL, tens=(1, 1, 1, 1)), exact=True)


def solved_worths() -> dict[tuple[tuple[int, ...], int], dict[int, Fraction]]:
    analysis = analysed()
    return {
        (cards, up): {
            choice: worth
            for choice, worth in analysis.choices(tuple(cards.count(value) for value in range(VALUES)), up).items()
            if choice in {STAND, HIT, DOUBLE}
        }
        for cards, up in HANDS
    }


def dealer_stands_on_16(points: int, aces: int, settings) -> bool:
    return bool(rules.best_total(points, aces) < 16)


def dealer_draws_to_18(points: int, aces: int, settings) -> bool:
    return bool(rules.best_total(points, aces) < 18)


def never_soft(points: int, aces: int) -> bool:
    return False


def soft_up_to_12(points: int, aces: int) -> bool:
    """An ace is eleven even where that makes 22."""
    return aces > 0 and points <= 12


def double_soft_only(points: int, aces: int, settings) -> bool:
    return aces > 0


def pushes_lose(player: int, player_blackjack: bool, dealer: int, dealer_blackjack: bool) -> int:
    outcome = COMPARE(player, player_blackjack, dealer, dealer_blackjack)
    return rules.LOSE if outcome == rules.PUSH else outcome


def bust_over_22(points: int) -> bool:
    return points > 22


def plays_to_22(points: int) -> bool:
    return points < 22


COMPARE = plain(rules.compare)
CHANGES = {
    "the dealer stands on 16": {"dealer_draws": dealer_stands_on_16},
    "the dealer draws to 18": {"dealer_draws": dealer_draws_to_18},
    "an ace is one": {"is_soft": never_soft},
    "an ace is eleven to 22": {"is_soft": soft_up_to_12},
    "soft hands alone are doubled": {"may_double": double_soft_only},
    "the house takes pushes": {"compare": pushes_lose},
    "22 is no bust": {"is_bust": bust_over_22, "plays_on": plays_to_22},
}


def test_the_rules_as_they_are_solved_and_played_card_by_card() -> None:
    assert solved_worths() == {(cards, up): CardByCard(cards, up).worths() for cards, up in HANDS}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_rule_changes_the_solver_s_answer_to_what_play_card_by_card_comes_to(change, monkeypatch) -> None:
    before = solved_worths()
    for name, rule in CHANGES[change].items():
        monkeypatch.setattr(rules, name, rule)
    after = solved_worths()
    assert after != before
    assert after == {(cards, up): CardByCard(cards, up).worths() for cards, up in HANDS}


def test_every_result_of_a_round_follows_a_changed_rule(monkeypatch) -> None:
    """The chances of all results add up to one, and their mean is the value, with an end more than usual."""
    before = results_of(analysed())
    monkeypatch.setattr(rules, "dealer_draws", dealer_stands_on_16)
    play = analysed()
    after = results_of(play)
    assert len(play.rules.rulings.stops) == 6
    assert sum(after.chances.values()) == 1
    assert after.mean == play.value()
    assert after.mean != before.mean


@pytest.mark.parametrize("blackjacks", [rules.PUSH, rules.BLACKJACK, rules.LOSE])
def test_a_blackjack_against_a_blackjack_is_what_the_rule_says(blackjacks, monkeypatch) -> None:
    def compare(player: int, player_blackjack: bool, dealer: int, dealer_blackjack: bool) -> int:
        both = player_blackjack and dealer_blackjack
        return blackjacks if both else COMPARE(player, player_blackjack, dealer, dealer_blackjack)

    monkeypatch.setattr(rules, "compare", compare)
    analysis = analysed()
    hand, up = hand_of((CARD_OF[0], CARD_OF[9])), 0
    natural, net = analysis.natural(hand, up), EDITION.pay("blackjack", BLACKJACK_OUTCOMES[blackjacks].id, SETTINGS).net
    assert natural == Fraction(3, 10)
    assert analysis.deal_worth(STAND, hand, up) == (1 - natural) * Fraction(3, 2) + natural * net


def test_pairs_are_split_where_the_rule_says_so(monkeypatch) -> None:
    eights = hand_of((CARD_OF[7], CARD_OF[7]))
    shoe = replace(BlackjackRules.of(EDITION, SETTINGS), counts=(4,) * 9 + (16,))
    assert SPLIT in Analysis(shoe).options(eights, 9)
    monkeypatch.setattr(rules, "may_split", lambda first, second, settings: first >> 2 == second >> 2 == rules.ACE)
    aces_only = Analysis(BlackjackRules.of(EDITION, SETTINGS))
    assert [value for value in range(VALUES) if aces_only.rules.rulings.pairs[value]] == [0]
    assert SPLIT not in aces_only.options(eights, 9)
    assert aces_only.value() < Analysis(shoe).value()


def test_lucky_lucky_beside_the_main_bet_is_by_the_game_s_rule(monkeypatch) -> None:
    play = Analysis(BlackjackRules.of(EDITION, SETTINGS))
    results = Moments(play.value(), 1.3)
    mean = both_bets(EDITION, SETTINGS, play, results).lucky_mean
    monkeypatch.setattr(rules, "lucky_lucky", lambda tape, settings: rules.NOTHING)
    assert both_bets(EDITION, SETTINGS, play, results).lucky_mean == -1 < mean


@pytest.mark.parametrize(
    ("name", "rule", "told"),
    [
        (
            "points",
            lambda card: 11 if card >> 2 == 11 else plain(rules.best_total)(min((card >> 2) + 2, 10), 0),
            "count other than",
        ),
        ("is_blackjack", lambda points, aces, cards: cards == 2 and aces == 1, "more than one hole card"),
        ("dealer_draws", lambda points, aces, settings: True, "draws to a hand that is bust"),
        ("may_split", lambda first, second, settings: True, "neither by value nor by rank"),
    ],
)
def test_rules_that_the_method_is_not_made_for_are_refused_not_answered_wrongly(name, rule, told, monkeypatch) -> None:
    monkeypatch.setattr(rules, name, rule)
    with pytest.raises(Refused, match=told):
        Rulings.of(ENCODED)


SWITCHES = [
    {},
    {"double": "9-11"},
    {"double": "10-11", "split": "ranks"},
    {"surrender": "late"},
    {"double-after-split": "no", "split-aces": "re-split"},
]


@pytest.mark.parametrize("switched", SWITCHES)
def test_the_solver_may_do_with_two_cards_what_the_table_allows(switched) -> None:
    """`round.py` asks a player at the table; the solver has the same choices with every two cards."""
    settings = EDITION.settings(switched)
    analysis, encoded = Analysis(BlackjackRules.of(EDITION, settings)), EDITION.game.encode(settings)
    for two in combinations_with_replacement([4 * rank for rank in range(13)], 2):
        if rules.is_blackjack(*table.Hand(list(two)).points, 2):
            continue
        game = table.RoundInPlay(Request((), (), {"blackjack": 100}, settings, encoded), [], [])
        game.hands, game.dealer = [table.Hand(list(two))], table.Hand([16])
        allowed = table._allowed(game, game.hands[0])
        options = analysis.options(hand_of(two), 4, analysis.rules.more_of_rank(two, 16))
        assert {NAMES[choice] for choice in options} == set(allowed), two


# The other games


def test_pai_gow_refuses_to_sum_up_what_its_rule_no_longer_says(monkeypatch) -> None:
    check_rule()
    asked = plain(pai_gow_rules.base_outcome)

    def ties_push(mine: int, mine_back: int, his: int, his_back: int, high: int) -> int:
        return pai_gow_rules.PUSH if mine == his else asked(mine, mine_back, his, his_back, high)

    monkeypatch.setattr(pai_gow_rules, "base_outcome", ties_push)
    with pytest.raises(Refused, match="EPG-11"):
        check_rule()


# No rule of its own

GAMES = Path(table.__file__).parent.parent
RULES = {
    "blackjack": {name for name, found in vars(rules).items() if hasattr(found, "py_func")},
    "duki_4_poker": {name for name, found in vars(duki_rules).items() if hasattr(found, "py_func")},
    "ez_pai_gow": {name for name, found in vars(pai_gow_rules).items() if hasattr(found, "py_func")},
}
TOTALS = {16, 17, 18, 19, 20, 21, 22}
"""Numbers that only a rule of blackjack compares a hand with; the chart's file names rows by totals."""


def _compared(tree: ast.AST) -> set[int]:
    """The numbers that a module compares something with."""
    return {
        side.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        for side in (node.left, *node.comparators)
        if isinstance(side, ast.Constant) and isinstance(side.value, int)
    }


@pytest.mark.parametrize("file", sorted((GAMES / "blackjack" / "solve").glob("*.py")), ids=lambda file: file.name)
def test_blackjack_s_solver_compares_no_hand_with_a_total_of_its_own(file) -> None:
    if file.name not in {"basic.py", "picture.py"}:  # where a chart begins, and which of its rows are drawn
        assert not _compared(ast.parse(file.read_text())) & TOTALS


def test_no_solver_defines_a_rule_that_its_game_has() -> None:
    """Methods of `Rulings` and `Analysis` may have a rule's name: they hand on what the rule said."""
    for game, names in RULES.items():
        for file in (GAMES / game / "solve").glob("*.py"):
            for node in ast.parse(file.read_text()).body:
                if isinstance(node, ast.FunctionDef) and node.name in names:
                    asked = {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
                    assert node.name in asked, f"{file.name} has a {node.name} that does not ask rules.{node.name}"
