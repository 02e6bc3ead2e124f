"""Every result of a round, against every draw met one by one on a small shoe; insurance; Lucky Lucky beside it."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations

import numpy as np
import pytest

from houseway.games import open_edition
from houseway.games.blackjack.outcomes import LUCKY_OUTCOMES
from houseway.games.blackjack.rules import lucky_lucky
from houseway.games.blackjack.solve.analysis import Analysis, BlackjackRules
from houseway.games.blackjack.solve.basic import basic_strategy
from houseway.games.blackjack.solve.chart import Chart, ChartPlay
from houseway.games.blackjack.solve.couples import Couples
from houseway.games.blackjack.solve.hands import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from houseway.games.blackjack.solve.insurance import insure
from houseway.games.blackjack.solve.lucky import PlayUnseen, both_bets, removals
from houseway.games.blackjack.solve.results import Moments, average_stake, moments_of, results_of
from houseway.games.blackjack.solve.rulings import ACE, TEN, hand_of, is_natural, is_soft, total_of
from houseway.games.blackjack.solve.rulings import Held as Hand
from houseway.games.blackjack.solve.together import all_together, together_to_blackjack
from houseway.odds import par_sheet

EDITION = open_edition("lucky-lucky-wa")
SMALL = (2, 0, 0, 0, 2, 2, 0, 2, 0, 8)
PAIRS = {
    7: (1, 1, 1, 0, 0, 1, 1, 5, 1, 3),
    1: (0, 5, 0, 0, 0, 1, 1, 2, 1, 8),
    0: (5, 1, 0, 0, 1, 0, 1, 1, 1, 4),
    9: (1, 1, 0, 1, 0, 1, 0, 1, 1, 6),
}
NETS = [float(EDITION.pay("lucky-lucky", outcome.id, EDITION.settings()).net) for outcome in LUCKY_OUTCOMES]
Spread = dict[Fraction, Fraction]
HALF = Fraction(-1, 2)


def rules_of(**chosen) -> BlackjackRules:
    return BlackjackRules.of(EDITION, EDITION.settings({name.replace("_", "-"): value for name, value in chosen.items()}))


def less(counts: Hand, value: int) -> Hand:
    return tuple(count - (at == value) for at, count in enumerate(counts))


def more(counts: Hand, value: int) -> Hand:
    return tuple(count + (at == value) for at, count in enumerate(counts))


@cache
def dealer_totals(hand: Hand, left: Hand, hits_soft_17: bool) -> dict[int, Fraction]:
    """What the dealer's hand comes to, card by card; 22 is a bust, 23 a blackjack."""
    total = total_of(hand)
    if total > 21:
        return {22: Fraction(1)}
    if total == 21 and sum(hand) == 2:
        return {23: Fraction(1)}
    if total > 17 or (total == 17 and not (is_soft(hand) and hits_soft_17)):
        return {total: Fraction(1)}
    found: dict[int, Fraction] = {}
    for value, count in enumerate(left):
        if count:
            for end, chance in dealer_totals(more(hand, value), less(left, value), hits_soft_17).items():
                found[end] = found.get(end, Fraction(0)) + chance * Fraction(count, sum(left))
    return found


def net_of(total: int, bet: int, dealer: int) -> int:
    if total > 21 or dealer == 23:
        return -bet
    return bet if dealer == 22 or total > dealer else 0 if total == dealer else -bet


class OneByOne:
    """A pair split at a table: every hole card, every card and every card of the dealer's, in the order they are dealt.

    Cards are the ten values; if a pair of tens is split by `rank`, tens of each rank are told apart, and follow each other.
    """

    def __init__(self, play: Analysis, pair: int, up: int, rank: int | None = None) -> None:
        self.play, self.pair, self.up = play, pair, up
        split = play.split(pair, up, None if rank is None else play.rules.tens[rank] - 2)
        self.most, self.again = split.most, pair if rank is None else TEN + rank
        self.shoe = play.rules.counts if rank is None else (*play.rules.counts[:TEN], *play.rules.tens)
        self.does = {play.all.hands[row]: int(choice) for row, choice in zip(split.rows, split.fixed, strict=True)}
        self.results = cache(self._results)

    def spread(self, blackjack: bool = False) -> Spread:
        return self.over_hole_cards(less(less(self.shoe, self.again), self.again), self.single(), 1, 2, blackjack)

    def over_hole_cards(self, left: Hand, first: Hand, waiting: int, hands: int, blackjack: bool = False) -> Spread:
        """With every hole card; where the dealer looks, with those that make a blackjack or with the others."""
        left, found, whole = less(left, self.up), Spread(), Fraction(0)
        for hole, count in enumerate(left):
            if count and not (self.play.rules.peeks and ({self.up, min(hole, TEN)} == {ACE, TEN}) != blackjack):
                whole += count
                for net, chance in self.results(less(left, hole), hole, (), first, waiting, hands).items():
                    found[net] = found.get(net, Fraction(0)) + count * chance
        return {net: chance / whole for net, chance in found.items()} if whole else {}

    def single(self) -> Hand:
        return tuple(int(value == self.pair) for value in range(10))

    def _results(self, left: Hand, hole: int, done: tuple, hand: Hand | None, waiting: int, hands: int) -> Spread:
        """`done` hands have a total and a bet; `waiting` ones have one card."""
        if hand is None and waiting:
            return self.results(left, hole, done, self.single(), waiting - 1, hands)
        if hand is None:
            return self._against_dealer((*left[:TEN], sum(left[TEN:])), min(hole, TEN), done)
        choice = HIT if sum(hand) == 1 else self.does[hand]
        if choice == STAND:
            return self.results(left, hole, tuple(sorted((*done, (total_of(hand), 1)))), None, waiting, hands)
        found = Spread()
        for card, count in enumerate(left):
            if count:
                grown, rest = more(hand, min(card, TEN)), less(left, card)
                if sum(hand) == 1 and card == self.again and hands < self.most:
                    after = self.results(rest, hole, done, self.single(), waiting + 1, hands + 1)
                elif choice == DOUBLE or total_of(grown) > 21:
                    ended = tuple(sorted((*done, (total_of(grown), 2 if choice == DOUBLE else 1))))
                    after = self.results(rest, hole, ended, None, waiting, hands)
                else:
                    after = self.results(rest, hole, done, grown, waiting, hands)
                for net, chance in after.items():
                    found[net] = found.get(net, Fraction(0)) + chance * Fraction(count, sum(left))
        return found

    def _against_dealer(self, left: Hand, hole: int, done: tuple) -> Spread:
        both = tuple(int(value == self.up) + int(value == hole) for value in range(10))
        found = Spread()
        for dealer, chance in dealer_totals(both, left, bool(self.play.rules.rulings.draws[7][1])).items():
            net = Fraction(sum(net_of(total, bet, dealer) for total, bet in done))
            if dealer == 23 and self.play.rules.original_bets_only:
                busts = sum(bet for total, bet in done if total > 21)
                stands = any(total <= 21 for total, _ in done)
                takes_one = stands if self.play.rules.busted_and_one else not busts  # R20
                net = Fraction(-busts - takes_one)
            found[net] = found.get(net, Fraction(0)) + chance
        return found


@pytest.mark.parametrize("most", [2, 3, 4])
@pytest.mark.parametrize(("pair", "up", "hole_card"), [(7, 9, "peek"), (7, 5, "peek"), (1, 7, "peek"), (0, 9, "none")])
def test_the_hands_of_a_split_come_to_what_they_come_to_one_by_one(pair, up, hole_card, most) -> None:
    aces = "play-on" if most == 2 else "re-split"
    rules = replace(rules_of(split_hands=most, split_aces=aces, hole_card=hole_card), counts=PAIRS[pair])
    play = Analysis(rules, exact=True)
    spread = OneByOne(play, pair, up).spread()
    found = all_together(play.split(pair, up))
    assert {Fraction(net): chance for net, chance in found.items()} == spread
    mean, square = Couples(play.split(pair, up)).moments()
    assert mean == play.split(pair, up).value() == sum(net * chance for net, chance in spread.items())
    assert square == sum(net**2 * chance for net, chance in spread.items())
    in_floats = all_together(Analysis(rules).split(pair, up))
    assert in_floats == pytest.approx({net: float(chance) for net, chance in found.items()}, abs=1e-14)


@pytest.mark.parametrize("reading", ["busted-or-one", "busted-and-one"])
@pytest.mark.parametrize("most", [2, 4])
@pytest.mark.parametrize(("pair", "up"), [(7, TEN), (1, ACE), (0, TEN), (9, ACE)])
def test_a_blackjack_that_takes_original_bets_only_one_by_one(pair, up, most, reading) -> None:
    """BJ-8, R20: bets that are bust are lost; if none is, one; or one besides, if a hand stands."""
    switches = {"hole_card": "none-original-bets-only", "split_aces": "play-on", "split_hands": most, "R20": reading}
    play = Analysis(replace(rules_of(**switches), counts=more(PAIRS[pair], ACE)), exact=True)
    spread = OneByOne(play, pair, up).spread(blackjack=True)
    assert {Fraction(net): chance for net, chance in together_to_blackjack(play.split(pair, up)).items()} == spread
    assert sum(spread.values()) == 1


TENS_BY_RANK = {"counts": (1, 1, 1, 0, 1, 1, 1, 1, 1, 10), "tens": (5, 3, 1, 1)}


@pytest.mark.parametrize("most", [2, 3, 4])
@pytest.mark.parametrize(("rank", "up"), [(0, 5), (1, 5), (0, ACE)])
def test_tens_split_by_rank_come_to_what_they_come_to_one_by_one(rank, up, most) -> None:
    play = Analysis(replace(rules_of(split="ranks", split_hands=most), **TENS_BY_RANK), exact=True)
    split = play.split(TEN, up, play.rules.tens[rank] - 2)
    spread = OneByOne(play, TEN, up, rank).spread()
    assert {Fraction(net): chance for net, chance in all_together(split).items()} == spread
    assert split.value() == sum(net * chance for net, chance in spread.items())


@pytest.mark.parametrize("reading", ["busted-or-one", "busted-and-one"])
@pytest.mark.parametrize("rank", [0, 1])
def test_tens_split_by_rank_against_a_blackjack_one_by_one(rank, reading) -> None:
    """The hole card is a ten, and may be of the rank that is split."""
    switches = {"hole_card": "none-original-bets-only", "split": "ranks", "split_hands": 3, "R20": reading}
    play = Analysis(replace(rules_of(**switches), **TENS_BY_RANK), exact=True)
    spread = OneByOne(play, TEN, ACE, rank).spread(blackjack=True)
    found = together_to_blackjack(play.split(TEN, ACE, play.rules.tens[rank] - 2))
    assert {Fraction(net): chance for net, chance in found.items()} == spread


def test_deals_tell_tens_of_one_rank_apart_where_that_matters() -> None:
    by_rank = Analysis(replace(rules_of(split="ranks"), **TENS_BY_RANK), exact=True)
    by_value = Analysis(replace(rules_of(), **TENS_BY_RANK), exact=True)
    shoe = [value for value, count in enumerate((*by_rank.rules.counts[:TEN], *by_rank.rules.tens)) for _ in range(count)]
    met: dict[tuple[int, int | None], int] = {}
    for first, second, up in permutations(shoe, 3):
        if first >= TEN and second >= TEN:
            left = by_rank.rules.tens[first - TEN] - 2 - (up == first) if first == second else None
            met[min(up, TEN), left] = met.get((min(up, TEN), left), 0) + 1
    tens = {(deal.up, deal.left): deal.chance for deal in by_rank.deals() if deal.hand[TEN] == 2}
    assert tens == {place: Fraction(ways, 18 * 17 * 16) for place, ways in met.items()}
    assert sum(deal.chance for deal in by_rank.deals()) == sum(deal.chance for deal in by_value.deals()) == 1
    assert {deal.left for deal in by_value.deals()} == {None}


class NotSplit(OneByOne):
    """A hand that is played on without a split."""

    def __init__(self, play: Analysis, up: int, first: int, hand: Hand) -> None:
        self.play, self.pair, self.again, self.up, self.most = play, 0, 0, up, 0
        self.left = tuple(count - held for count, held in zip(play.rules.counts, hand, strict=True))
        worth, fixed = play.worth(up), play.fixed(up)
        best = [HIT if one[HIT] > one[STAND] else STAND for one in worth]
        self.does = {cards: int(best[at] if fixed[at] < 0 else fixed[at]) for cards, at in play.all.place.items()} | {
            hand: first
        }
        self.results = cache(self._results)


def round_one_by_one(play: Analysis) -> Spread:
    """Every net result of a round, every card met in the order it is dealt."""
    found = Spread()

    def add(net: Fraction | int, chance: Fraction) -> None:
        found[Fraction(net)] = found.get(Fraction(net), Fraction(0)) + chance

    for hand, up, left, chance in play.deals():
        natural, (choice, _) = play.natural(hand, up), play.decide(hand, up, left)
        if is_natural(hand):
            add(play.rules.blackjack_pays, chance * (1 - natural))
            add(0, chance * natural)
            continue
        if choice == SURRENDER and play.rules.surrender == "early":
            add(HALF, chance)
            continue
        for blackjack, times in ((False, 1 - natural), (True, natural)):
            if blackjack and not play.rules.original_bets_only:
                spread = {Fraction(-1): Fraction(1)}
            elif choice == SURRENDER:
                spread = {Fraction(-1 if blackjack else HALF): Fraction(1)}
            elif choice == SPLIT:
                spread = OneByOne(play, hand.index(2), up).spread(blackjack)
            else:
                one = NotSplit(play, up, choice, hand)
                spread = one.over_hole_cards(one.left, hand, 0, 1, blackjack)
            for net, part in spread.items() if times else ():
                add(net, chance * times * part)
    return {net: chance for net, chance in found.items() if chance}


@pytest.mark.parametrize("hole_card", ["peek", "none-original-bets-only"])
@pytest.mark.parametrize("surrender", ["none", "late", "early"])
def test_a_round_comes_to_what_it_comes_to_one_by_one(surrender, hole_card) -> None:
    play = Analysis(replace(rules_of(split_hands=2, surrender=surrender, hole_card=hole_card), counts=SMALL), exact=True)
    spread, results = round_one_by_one(play), results_of(play)
    assert results.chances == spread
    assert results.mean == moments_of(play).mean == play.value()
    assert results.mean_square == moments_of(play).mean_square


@pytest.mark.parametrize("hole_card", ["peek", "none-original-bets-only"])
def test_a_chart_is_worth_what_its_rounds_come_to_one_by_one(hole_card) -> None:
    """The chart doubles a hard 16 against a ten, so that doubles bust."""
    rules = replace(rules_of(split_hands=2, hole_card=hole_card), counts=SMALL)
    chart = Chart({**basic_strategy(rules_of(decks=1)).cells, ("hard 16", TEN): "D"})
    play = ChartPlay(rules, exact=True, chart=chart)
    spread = round_one_by_one(play)
    assert play.value() == sum(net * chance for net, chance in spread.items())
    assert results_of(play).chances == spread


def test_the_standard_deviation_is_what_is_known_of_it() -> None:
    """Books give 1.14 to 1.16 for common rules of six decks; the further digits here are this program's own."""
    play = Analysis(rules_of(decks=6, soft_17="stands"))
    moments = moments_of(play)
    assert moments.standard_deviation == pytest.approx(1.15402, abs=1e-5)
    assert moments.mean == pytest.approx(play.value(), abs=1e-15)


@pytest.mark.deep
def test_all_hands_together_and_two_by_two_have_one_mean_and_mean_square() -> None:
    """Two methods on a full shoe, with up to four hands."""
    play = Analysis(rules_of())
    results, moments = results_of(play), moments_of(play)
    assert sum(results.chances.values()) == pytest.approx(1, abs=1e-13)
    assert results.mean == pytest.approx(moments.mean, abs=1e-13)
    assert results.mean_square == pytest.approx(moments.mean_square, abs=1e-12)
    assert [int(net) for net in results.chances if net.denominator == 1] == list(range(-8, 9))


def test_insurance_against_every_hole_card_one_by_one() -> None:
    rules = replace(rules_of(), counts=SMALL)
    insurance = insure(EDITION, EDITION.settings(), rules)
    for one in insurance.hands:
        holes = [value for value in range(10) for _ in range(SMALL[value] - one.hand[value] - (value == ACE))]
        assert one.worth == Fraction(sum(2 if hole == TEN else -1 for hole in holes), len(holes))
    assert insurance.always_adds == sum(one.chance * one.worth for one in insurance.hands) / 2


def test_insurance_of_one_deck_is_as_books_have_it() -> None:
    """Without a ten in one's hand, one deck: 16 of 49 cards are tens, and a unit loses 1/49; over six decks 7.40 %."""
    one_deck = insure(EDITION, EDITION.settings({"decks": 1}), rules_of(decks=1))
    no_ten = [one for one in one_deck.hands if not one.hand[TEN]]
    assert {one.worth for one in no_ten} == {Fraction(-1, 49)}
    assert not one_deck.right
    assert one_deck.rightly_adds == 0
    six = insure(EDITION, EDITION.settings(), rules_of(decks=6))
    assert six.offered == Fraction(1, 13)
    assert float(six.worth) == pytest.approx(-0.0740, abs=5e-5)


def test_lucky_lucky_beside_the_main_bet_is_the_lucky_lucky_of_its_par_sheet() -> None:
    settings = EDITION.settings({"decks": 1, "split-hands": 2})
    play = Analysis(BlackjackRules.of(EDITION, settings))
    results = moments_of(play)
    both, sheet = both_bets(EDITION, settings, play, results), par_sheet(EDITION, "lucky-lucky", settings)
    assert both.lucky_mean == -sheet.house_edge
    assert both.lucky_variance == sheet.variance
    assert both.variance == pytest.approx(results.variance + float(sheet.variance) + 2 * both.covariance, abs=1e-12)


def test_the_covariance_of_both_bets_card_by_card() -> None:
    """Every first, second and up-card of one deck, Lucky Lucky by its own rule."""
    settings = EDITION.settings({"decks": 1})
    play = Analysis(BlackjackRules.of(EDITION, settings))
    worth = {(hand, up): play.decide(hand, up, left)[1] for hand, up, left, _ in play.deals()}
    product = mean = 0.0
    for cards in permutations(range(52), 3):
        net = NETS[lucky_lucky(np.array(cards), EDITION.game.encode(settings))]
        if net != -1:
            product += (net + 1) * worth[hand_of(cards[:2]), hand_of(cards[2:]).index(1)]
            mean += net + 1
    deals, value = 52 * 51 * 50, float(play.value())
    covariance = (product / deals - value) - value * (mean / deals - 1)
    assert both_bets(EDITION, settings, play, Moments(value, 1.0)).covariance == pytest.approx(covariance, abs=1e-12)


def test_llb_0_a_community_card_that_is_not_looked_at_changes_nothing_on_average() -> None:
    rules = BlackjackRules.of(EDITION, EDITION.settings({"decks": 1, "split-hands": 2}))
    play, cards = Analysis(rules), sum(rules.counts)
    worth = 0.0
    for card, count in enumerate(rules.counts):
        gone = PlayUnseen(rules.without(card), chosen=play)
        worth += count / cards * sum(float(deal.chance) * gone.decide(*deal[:3])[1] for deal in gone.deals())
    assert worth == pytest.approx(float(play.value()), abs=1e-12)


def test_llb_0_the_covariance_of_both_bets_on_a_community_card_card_by_card() -> None:
    """Every first, second and community card of one deck; the main bet against every up-card that is left."""
    settings = EDITION.settings({"decks": 1, "split-hands": 2, "lucky-card": "community"})
    rules = BlackjackRules.of(EDITION, settings)
    play = Analysis(rules)
    worth: dict[tuple[Hand, int], float] = {}
    for card in range(10):
        gone = PlayUnseen(rules.without(card), chosen=play)
        likely: dict[Hand, float] = {}
        for deal in gone.deals():
            likely[deal.hand] = likely.get(deal.hand, 0) + float(deal.chance)
            value = worth.get((deal.hand, card), 0.0)
            worth[deal.hand, card] = value + float(deal.chance) * gone.decide(*deal[:3])[1]
        worth |= {(hand, card): worth[hand, card] / chance for hand, chance in likely.items()}
    product = mean = 0.0
    for cards in permutations(range(52), 3):
        net = NETS[lucky_lucky(np.array(cards), EDITION.game.encode(settings))]
        product += net * worth[hand_of(cards[:2]), hand_of(cards[2:]).index(1)]
        mean += net
    deals, value = 52 * 51 * 50, float(play.value())
    covariance = product / deals - value * mean / deals
    found = both_bets(EDITION, settings, play, Moments(value, 1.0)).covariance
    assert found == pytest.approx(covariance, abs=1e-12)
    on_the_up_card = EDITION.settings({"decks": 1, "split-hands": 2})
    assert abs(found - both_bets(EDITION, on_the_up_card, play, Moments(value, 1.0)).covariance) > 1e-3


def test_a_card_gone_does_to_both_bets_what_books_say() -> None:
    """The five is the worst card to meet, the ace the best; sevens are what Lucky Lucky lives on."""
    settings = EDITION.settings({"decks": 1, "split-hands": 2})
    found = {one.rank: one for one in removals(EDITION, settings, BlackjackRules.of(EDITION, settings))}
    assert min(found, key=lambda rank: found[rank].main) == "5"
    assert max(found, key=lambda rank: found[rank].main) == "A"
    assert max(found, key=lambda rank: found[rank].lucky) == "7"
    assert found["10"].main == found["K"].main
    assert -0.004 < sum(one.main for one in found.values()) < 0, "who knows a card that is gone plays no worse for it"


@pytest.mark.parametrize(
    "chosen",
    [
        {"double_after_split": "no"},
        {"double_after_split": "no", "split_aces": "play-on", "hole_card": "none"},
        {"double_after_split": "no", "surrender": "early", "split": "ranks"},
    ],
)
def test_what_is_staked_is_a_bet_and_one_more_for_each_double_and_split(chosen):
    """With two hands at most and no double after a split, by the first choice alone."""
    play = Analysis(rules_of(split_hands=2, **chosen))
    more = 0.0
    for deal in play.deals():
        if play.decide(*deal[:3])[0] in {DOUBLE, SPLIT}:
            more += float(deal.chance) * (1 - play.natural(deal.hand, deal.up) if play.rules.peeks else 1)
    assert average_stake(play) == pytest.approx(1 + more, abs=1e-13)


def hands_on_average(pair_left: int, cards: int, most: int) -> Fraction:
    """How many hands a pair becomes: second cards drawn one by one, a card of the pair split again while that is allowed."""

    def fill(waiting: int, hands: int, left: int, cards: int) -> Fraction:
        if not waiting:
            return Fraction(hands)
        same = Fraction(left, cards)
        stays = fill(waiting - 1, hands, left, cards - 1)
        if hands == most:
            return stays
        return same * fill(waiting + 1, hands + 1, left - 1, cards - 1) + (1 - same) * stays if left else stays

    return fill(2, 2, pair_left, cards)


@pytest.mark.parametrize(("decks", "most"), [(1, 2), (1, 4), (6, 3), (6, 4)])
def test_a_pair_that_is_split_again_and_never_doubled_stakes_a_bet_for_each_hand(decks, most):
    play = Analysis(rules_of(decks=decks, split_hands=most, double_after_split="no"))
    expected = hands_on_average(4 * decks - 2, 52 * decks - 3, most)
    assert play.split(7, 5).staked() == pytest.approx(float(expected), abs=1e-13)


@pytest.mark.parametrize("pair", [1, 8])
def test_doubles_after_a_split_stake_more_than_a_bet_for_each_hand(pair):
    """Of two hands more than two bets are staked at least as often as more than two are won or lost."""
    with_doubles, without = (
        Analysis(rules_of(split_hands=2, double_after_split=allowed)).split(pair, 5).staked() for allowed in ("yes", "no")
    )
    assert without == pytest.approx(2, abs=1e-13)
    chances = all_together(Analysis(rules_of(split_hands=2)).split(pair, 5))
    doubled = sum(chance for net, chance in chances.items() if abs(net) > 2)
    assert 2 + doubled < with_doubles < 4


def test_ends_are_kept_once_for_all_pay_tables_and_first_cards_add_up():
    rules = rules_of(decks=1, split_hands=2)
    results = results_of(Analysis(rules))
    other = results_of(Analysis(replace(rules, blackjack_pays=Fraction(6, 5))))
    assert results.ends == other.ends and results.chances != other.chances
    assert results.ends["blackjack"] == pytest.approx(
        float(Fraction(2 * 4 * 16, 52 * 51) * (1 - Fraction(3 * 15 * 2, 50 * 49)))
    )
    for end, chance in results.ends.items():
        assert sum(ends.get(end, 0) for ends in results.by_first.values()) == pytest.approx(chance, abs=1e-15)
    assert sum(results.by_first[ACE].values()) == pytest.approx(1 / 13)
