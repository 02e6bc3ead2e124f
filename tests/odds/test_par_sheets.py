"""Par sheets: exact, complete, and equal to what other ways of counting give."""

from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, perm, prod, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import houseway as hw
from houseway.cards import RANKS, fresh_shoe, parse_cards, show_card
from houseway.games.duki_4_poker import rules as duki
from houseway.games.duki_4_poker.game import ANTE_OUTCOMES
from houseway.games.duki_4_poker.tallies import score_hands, tally_pairs
from houseway.games.ez_baccarat.game import CLASSES, OUTCOMES
from houseway.games.ez_baccarat.rules import resolve
from houseway.kernels.compiled import rule
from houseway.kernels.count import Tabulated, count, count_by_suits
from houseway.kernels.deal import Deal, deal_of_shoe
from houseway.kernels.sample import CHUNK, sample
from houseway.refusal import Refused

SETTINGS = np.zeros(1, np.int64)
WAGERS = [
    *(("ez-baccarat-wa", wager) for wager in ("player", "banker", "tie", "dragon-7", "panda-8")),
    *(("ez-baccarat-ca", wager) for wager in ("player", "banker", "tie", "dragon-7", "panda-8")),
    *(("ez-pai-gow-wa", wager) for wager in ("base", "dynasty", "protection", "red-black")),
    *(("lucky-lucky-wa", wager) for wager in ("blackjack", "lucky-lucky")),
    *(("duki-4-wa", wager) for wager in ("ante", "duki-bonus")),
]
SIMULATED = {"base", "blackjack"}


@cache
def book(edition):
    return hw.edition(edition)


@cache
def odds(edition, **chosen):
    return book(edition).odds(**chosen)


def percent(fraction):
    return float(fraction) * 100


def duki_settings(**chosen):
    return book("duki-4-wa").edition.game.encode(book("duki-4-wa").edition.settings(chosen))


def banker_draws(banker, third):
    """EZB-3c, EZB-3d."""
    if third is None:
        return banker <= 5
    return third in {7: (), 6: (6, 7), 5: range(4, 8), 4: range(2, 8), 3: [n for n in range(10) if n != 8]}.get(
        banker, range(10)
    )


def plain_baccarat(decks):
    """Ordered six-card draws by result, straight from the clauses, one point class after the other."""
    left, found, size = (
        [16 * decks] + [4 * decks] * 9,
        dict.fromkeys(("player", "banker", "dragon", "panda", "tie"), 0),
        52 * decks,
    )

    def ways(cards):
        copies = list(left)
        total = perm(size - len(cards), 6 - len(cards))
        for card in cards:
            total *= copies[card]
            copies[card] -= 1
        return total

    def end(cards, player, banker, drawn):
        three_player, three_banker = drawn
        name = "tie" if player == banker else "player" if player > banker else "banker"
        name = "panda" if name == "player" and three_player and player == 8 else name
        name = "dragon" if name == "banker" and three_banker and banker == 7 else name
        found[name] += ways(cards)

    for cards in product(range(10), repeat=4):
        player, banker = (cards[0] + cards[2]) % 10, (cards[1] + cards[3]) % 10
        thirds = range(10) if player <= 5 and banker < 8 else [None]
        for third in thirds:
            mine = player if third is None else (player + third) % 10
            so_far = cards if third is None else (*cards, third)
            if max(player, banker) >= 8 or not banker_draws(banker, third):
                end(so_far, mine, banker, (third is not None, False))
                continue
            for last in range(10):
                end((*so_far, last), mine, (banker + last) % 10, (third is not None, True))
    return found


@pytest.mark.parametrize("decks", [8, 6])
def test_baccarat_counts_every_ordered_draw_as_plain_python_does(decks):
    sheet = odds("ez-baccarat-wa", decks=decks)["banker"]
    plain = plain_baccarat(decks)
    assert sheet.total == perm(52 * decks, 6) == sum(plain.values())
    names = {"player-win": "player", "panda-8": "panda", "banker-win": "banker", "dragon-7": "dragon", "tie": "tie"}
    assert {names[row.outcome]: row.combinations for row in sheet.rows} == plain


@pytest.mark.parametrize(
    ("wager", "outcome", "combinations", "edge"),
    [
        ("banker", "dragon-7", 112_633_011_329_024, 1.0183),
        ("dragon-7", "dragon-7", 112_633_011_329_024, 7.6113),
        ("panda-8", "panda-8", 172_660_763_262_976, 10.1876),
        ("tie", "tie", 475_627_426_473_216, 14.3596),
        ("player", "tie", 475_627_426_473_216, 1.2351),
    ],
)
def test_baccarat_has_the_counts_and_edges_known_to_the_public(wager, outcome, combinations, edge):
    sheet = odds("ez-baccarat-wa", decks=8)[wager]
    assert (sheet.total, sheet[outcome].combinations) == (4_998_398_275_503_360, combinations)
    assert round(percent(sheet.house_edge), 4) == edge
    assert isinstance(sheet.house_edge, Fraction)
    assert odds("ez-baccarat-ca")[wager].house_edge == sheet.house_edge


@settings(deadline=None, max_examples=15)
@given(st.lists(st.integers(0, 3), min_size=10, max_size=10).filter(lambda copies: sum(copies) >= 6))
def test_enumeration_and_tabulation_agree_on_any_composition(copies):
    cards = tuple(members[0] for members in CLASSES)
    one_by_one = count(resolve, Deal(cards, tuple(copies), (1,) * 6), SETTINGS, len(OUTCOMES))
    assert one_by_one == tabulated().count(tuple(copies))
    assert sum(one_by_one) == perm(sum(copies), 6)


@cache
def tabulated():
    return Tabulated(resolve, tuple(members[0] for members in CLASSES), 6, SETTINGS, len(OUTCOMES))


@rule
def suits_and_ranks(tape, settings):
    """A rule blind to the names of suits: how many suits and how many ranks, and whether the joker is there."""
    suits, ranks, joker = 0, 0, 0
    for card in tape:
        if card == 52:
            joker = 1
        else:
            suits |= 1 << (card & 3)
            ranks |= 1 << (card >> 2)
    found = 0
    for bit in range(13):
        found += (ranks >> bit) & 1
    several = ((suits & 1) + ((suits >> 1) & 1) + ((suits >> 2) & 1) + ((suits >> 3) & 1)) * 8
    return (several + found) * 2 + joker


def test_suit_symmetry_gives_the_same_counts_as_straight_enumeration():
    held = np.zeros((14, 80), np.int64)
    symmetric = count_by_suits(suits_and_ranks, 5, 1, SETTINGS, 80, held=held)
    straight = count(suits_and_ranks, deal_of_shoe(fresh_shoe(1, jokers=1), (5,)), SETTINGS, 80)
    assert symmetric == straight
    assert sum(symmetric) == comb(53, 5)
    assert held.sum(axis=1).tolist() == [4 * comb(52, 4)] * 13 + [comb(52, 4)]


def test_dynasty_table_3_has_the_published_counts():
    sheet = odds("ez-pai-gow-wa", pay_table=3)["dynasty"]
    published = "32 72 196 1,128 26,020 184,644 307,472 4,188,528 6,172,088 7,672,500 11,034,204 2,862,000 121,694,196"
    assert sheet.total == 154_143_080
    assert [f"{row.combinations:,}" for row in sheet.rows] == published.split()
    assert sheet["royal-flush-aq"].combinations == 72


@pytest.mark.parametrize(
    ("wager", "chosen", "outcome", "combinations", "edge"),
    [
        ("dynasty", {}, "royal-flush-aq", 72, 8.159),
        ("dynasty", {"R1": "natural-only"}, "royal-flush-aq", 12, 8.194),
        ("dynasty", {}, "luhn-tao-wheel", 4_308, 8.159),
        ("dynasty", {"R2": "joker-elsewhere"}, "luhn-tao-wheel", 4_488, 8.151),
        ("dynasty", {"R5": "highest-rank", "pay_table": 3}, "three-of-a-kind", 7_672_500 - 201_824, None),
        ("dynasty", {"R5": "highest-rank", "pay_table": 3}, "straight", 11_034_204 + 201_824, None),
        ("protection", {}, "natural-a-5-straight-flush", 4_320, None),
        ("protection", {"R2b": "all"}, "natural-a-5-straight-flush", 4_324, None),
    ],
)
def test_readings_move_the_hands_that_they_are_about(wager, chosen, outcome, combinations, edge):
    sheet = odds("ez-pai-gow-wa", **chosen)[wager]
    assert sheet[outcome].combinations == combinations
    assert edge is None or round(percent(sheet.house_edge), 3) == edge


@pytest.mark.parametrize(("wager", "edge"), [("dynasty", -28.8), ("protection", 10.86)])
def test_bonus_tables_with_a_fully_wild_joker(wager, edge):
    with pytest.raises(Refused, match="R15"):
        odds("ez-pai-gow-wa", pay_table=3, joker="full")[wager]
    sheet = odds("ez-pai-gow-wa", pay_table=3, joker="full", R15="accepted")[wager]
    assert sheet.total == 154_143_080
    assert percent(sheet.house_edge) == pytest.approx(edge, abs=0.05 if wager == "dynasty" else 0.005)


def test_red_black_is_a_hypergeometric_count():
    sheet = odds("ez-pai-gow-wa")["red-black"]
    names = {7: "seven", 6: "six", 5: "five", 4: "four"}
    for cards, name in names.items():
        assert sheet[f"{name}-of-the-colour"].combinations == comb(26, cards) * comb(27, 7 - cards)
    assert sheet.house_edge == odds("ez-pai-gow-wa", colour="black")["red-black"].house_edge


def lucky_pay(three):
    """LLB-8, LLB-9, R11: net win of three cards given as (rank 2..14, suit)."""
    ranks = sorted(rank for rank, _ in three)
    suited = len({suit for _, suit in three}) == 1
    values = [min(rank, 10) if rank < 14 else 1 for rank in ranks]
    total = sum(values) + (10 if 14 in ranks and sum(values) + 10 <= 21 else 0)
    pays = [200] if ranks == [7, 7, 7] and suited else []
    pays += [100 if suited else 30] if ranks == [6, 7, 8] else []
    pays += [50] if ranks == [7, 7, 7] else []
    pays += {21: [15 if suited else 3], 20: [2], 19: [2]}.get(total, [])
    return max(pays, default=-1)


def lucky_edge(shoe):
    """The house edge of Lucky Lucky by plain Python for copies of 52 cards."""
    won, held = 0, [(card, copies) for card, copies in enumerate(shoe[:52]) if copies]
    for three in combinations_with_replacement(held, 3):
        times = {card: [c for c, _ in three].count(card) for card, _ in three}
        ways = prod(comb(shoe[card], n) for card, n in times.items())
        won += ways * lucky_pay([(card // 4 + 2, card % 4) for card, _ in three])
    return -Fraction(won, comb(sum(shoe), 3))


def test_lucky_lucky_edge_by_plain_python():
    for decks in (1, 3, 8):
        assert odds("lucky-lucky-wa", decks=decks)["lucky-lucky"].house_edge == lucky_edge(fresh_shoe(decks))


def test_lucky_lucky_totals_and_published_edges():
    for decks, edge in enumerate((2.61, 2.82, 2.77, 2.72, 2.68, 2.66, 2.63, 2.62), 1):
        sheet = odds("lucky-lucky-wa", decks=decks)["lucky-lucky"]
        assert sheet.total == comb(52 * decks, 3)
        suited_777 = {row.combinations for row in sheet.rows if row.outcome == "suited-777"}
        assert suited_777 == ({4 * comb(decks, 3)} if decks > 2 else set())  # LLB-8: posted where it can happen
        assert round(percent(sheet.house_edge), 2) == edge


@pytest.mark.parametrize(
    ("chosen", "edge"), [({}, 2.656), ({"R13": "refilled-each-round"}, 2.656), ({"R13": "infinite"}, 2.486)]
)
def test_r13_models_of_a_continuous_shuffler(chosen, edge):
    sheet = odds("lucky-lucky-wa", decks=6, shuffler="continuous", **chosen)["lucky-lucky"]
    assert round(percent(sheet.house_edge), 3) == edge


@pytest.mark.parametrize("chosen", [{}, {"R8": "even-money"}, {"R9": "no"}])
@pytest.mark.parametrize("cards", ["2c 2d 2h 2s 3c 3d 4h 4s 5c 5d Ah As", "9c 10d Jh Qs Kc Kd Kh Ac Ad Ah As 2c"])
def test_duki_pairs_are_counted_as_all_disjoint_pairs(cards, chosen):
    encoded = duki_settings(**chosen)
    held = sorted(parse_cards(cards))
    found = [0] * len(ANTE_OUTCOMES)
    for player in combinations(held, 4):
        for dealer in combinations([card for card in held if card not in player], 4):
            found[duki.play_every_duki(np.array(player + dealer, np.int64), encoded)] += 1
    hands = np.array(list(combinations(held, 4)), np.int64)
    assert tally_pairs(hands, encoded, len(ANTE_OUTCOMES)) == tuple(found)
    assert sum(found) == comb(12, 4) * comb(8, 4)


def test_duki_ante_meets_the_best_play_of_the_spec_when_the_weakest_hands_are_folded():
    """The published 3.30 % and 7.06 % are best play: 'play every Duki' less what folding the weakest 3-card Dukis gains."""
    hands = np.array(list(combinations(range(52), 4)), np.int64)
    scores = np.zeros(len(hands), np.int64)
    score_hands(hands, duki_settings(), scores)
    masks = (1 << hands).sum(axis=1)
    weak = np.flatnonzero((scores > 0) & (scores < (1 << 24 | 8 << 8)))  # 3-card Dukis, nine-high and lower
    gain, seen = 0.0, {}
    for place in weak:
        cards = hands[place]
        order = {suit: n for n, suit in enumerate(dict.fromkeys((cards & 3).tolist()))}
        key = tuple((card >> 2, order[card & 3]) for card in cards.tolist())
        if key not in seen:
            theirs = scores[masks & masks[place] == 0]
            mine = scores[place]
            value = (theirs == 0) + 2.0 * ((theirs > 0) & (theirs < mine)) - 2.0 * (theirs > mine)
            seen[key] = value.mean()
        gain += max(0.0, -1 - seen[key])
    for chosen, best in (({}, 3.30), ({"R8": "even-money"}, 7.06)):
        every = percent(odds("duki-4-wa", **chosen)["ante"].house_edge)
        assert round(every - 100 * gain / len(hands), 2) == best
        assert every > best


def test_duki_bonus_edges():
    assert odds("duki-4-wa")["duki-bonus"].total == comb(52, 4)
    assert round(percent(odds("duki-4-wa")["duki-bonus"].house_edge), 2) == 3.17
    assert round(percent(odds("duki-4-wa", R9="no")["duki-bonus"].house_edge), 2) == 5.55


def test_duki_ante_counts_all_pairs_and_names_its_strategy():
    sheet = odds("duki-4-wa")["ante"]
    assert sheet.total == comb(52, 4) * comb(48, 4)
    assert sheet.wager.strategy == "play every Duki"
    fewer_than_three_suits = 4 * comb(13, 4) + comb(4, 2) * (comb(26, 4) - 2 * comb(13, 4))
    assert sheet["fold"].combinations == fewer_than_three_suits * comb(48, 4)


@pytest.mark.parametrize(("edition", "wager"), WAGERS)
def test_every_sheet_adds_up(edition, wager):
    sheet = odds(edition)[wager]
    rows = sheet.rows
    assert sum(row.probability for row in rows) == 1
    assert sum(row.combinations for row in rows) == sheet.total
    assert all(row.probability == Fraction(row.combinations, sheet.total) for row in rows)
    assert sheet.house_edge_without_envy == -sum(row.contribution for row in rows)
    assert all(row.contribution == row.net * row.probability for row in rows)
    mean = sum(row.net * row.probability for row in rows)
    assert sheet.variance == sum((row.net - mean) ** 2 * row.probability for row in rows)
    assert sheet.standard_deviation == pytest.approx(sqrt(sheet.variance))
    lost = sum(row.probability for row in rows if row.net < 0)
    assert sheet.hit_frequency + sheet.push_frequency + lost == 1
    assert all(row.one_in is None or row.one_in * row.probability == 1 for row in rows)


@pytest.mark.parametrize(("edition", "wager"), WAGERS)
def test_only_simulated_sheets_have_a_standard_error(edition, wager):
    sheet = odds(edition)[wager]
    if wager in SIMULATED:
        assert sheet.method == "simulated"
        assert sheet.standard_error == pytest.approx(sheet.standard_deviation / sqrt(sheet.total))
        assert 0 < sheet.standard_error < 0.001
        assert sheet.wager.strategy
    else:
        assert (sheet.method, sheet.standard_error) == ("enumerated", 0.0)


@pytest.mark.parametrize("edition", ["ez-baccarat-wa", "ez-pai-gow-wa", "lucky-lucky-wa", "duki-4-wa"])
def test_an_edition_has_odds_for_the_wagers_of_its_game(edition):
    assert list(odds(edition)) == [wager for name, wager in WAGERS if name == edition]


@pytest.mark.parametrize(("players", "edge"), [(1, "7.77"), (2, "6.84"), (3, "5.91"), (4, "4.99"), (5, "4.06"), (6, "3.13")])
def test_envy_by_number_of_players(players, edge):
    sheet = odds("ez-pai-gow-wa", pay_table=3, players=players, bet_cents=500)["dynasty"]
    assert f"{percent(sheet.house_edge):.2f}" == edge
    alone = odds("ez-pai-gow-wa", pay_table=3)["dynasty"]
    assert sheet.house_edge == alone.house_edge_with(players)
    assert sheet.standard_deviation == alone.standard_deviation


def test_envy_by_size_of_the_bet():
    alone = odds("ez-pai-gow-wa", pay_table=3)["dynasty"].house_edge
    at_five = alone - odds("ez-pai-gow-wa", pay_table=3, players=6, bet_cents=500)["dynasty"].house_edge
    at_ten = alone - odds("ez-pai-gow-wa", pay_table=3, players=6, bet_cents=1000)["dynasty"].house_edge
    below = odds("ez-pai-gow-wa", pay_table=3, players=6, bet_cents=499)["dynasty"]
    prizes = 5000 * 32 + 1000 * 72 + 500 * 196 + 250 * 1128 + 50 * 26_020 + 20 * 184_644 + 5 * 307_472
    assert at_five == Fraction(5 * prizes, 5 * 154_143_080)
    assert at_ten == at_five / 2
    assert below.house_edge == alone


def test_envy_needs_one_to_six_players():
    for players in (0, -1, 7, 9):
        with pytest.raises(Refused, match="players"):
            odds("ez-pai-gow-wa", players=players)["dynasty"]


def without(decks, *cards):
    shoe = list(fresh_shoe(decks))
    for card in cards:
        shoe[card] -= 1
    return tuple(shoe)


def lucky_without(decks, removed):
    return odds("lucky-lucky-wa", decks=decks, removed=removed)["lucky-lucky"]


def test_a_removed_card_is_gone():
    assert lucky_without(1, "7s").house_edge == lucky_edge(without(1, *parse_cards("7s")))
    sheet = lucky_without(2, "7s 7h 8c Ad")
    assert sheet.house_edge == lucky_edge(without(2, *parse_cards("7s 7h 8c Ad")))
    assert sheet.total == comb(100, 3)


def test_a_card_removed_without_a_suit_is_the_average_over_suits():
    by_suit = [lucky_without(1, f"7{suit}").house_edge for suit in "cdhs"]
    assert lucky_without(1, "7x").house_edge == sum(by_suit) / 4
    after_one = [lucky_without(1, f"7s 7{suit}").house_edge for suit in "cdh"]
    assert lucky_without(1, "7s 7x").house_edge == sum(after_one) / 3


def test_cards_removed_without_a_suit_are_weighted_by_their_ways():
    """Two sevens of two decks: 28 pairs, of which four are of one suit, and each pair of suits comes in four ways."""
    sevens = parse_cards("7c 7d 7h 7s")
    weighted = sum(lucky_edge(without(2, seven, seven)) for seven in sevens)
    weighted += sum(4 * lucky_edge(without(2, *pair)) for pair in combinations(sevens, 2))
    assert lucky_without(2, "7x 7x").house_edge == weighted / 28


def test_baccarat_does_not_look_at_suits():
    named = book("ez-baccarat-wa").odds(removed="7s 7h 10c 10d")["dragon-7"]
    assert book("ez-baccarat-wa").odds(removed="7s 7h 10x 10x")["dragon-7"].house_edge == named.house_edge
    assert named.total == perm(412, 6)
    assert named.house_edge != odds("ez-baccarat-wa")["dragon-7"].house_edge


@pytest.mark.parametrize(
    ("edition", "wager", "chosen", "left"),
    [
        ("duki-4-wa", "ante", {}, 7),
        ("duki-4-wa", "duki-bonus", {}, 3),
        ("ez-baccarat-wa", "tie", {"decks": 1, "what_if": True}, 5),
        ("lucky-lucky-wa", "lucky-lucky", {"decks": 1}, 2),
        ("ez-pai-gow-wa", "red-black", {}, 6),
        ("ez-pai-gow-wa", "protection", {}, 0),
    ],
)
def test_a_shoe_with_too_few_cards_is_refused(edition, wager, chosen, left):
    everything = [show_card(card) for card in range(53 if edition == "ez-pai-gow-wa" else 52)]
    with pytest.raises(Refused):
        book(edition).odds(removed=" ".join(everything[left:]), **chosen)[wager]


@pytest.mark.parametrize(
    ("edition", "wager", "chosen"),
    [
        *(("ez-baccarat-wa", wager, {}) for wager in ("player", "banker", "tie", "dragon-7", "panda-8")),
        ("ez-baccarat-wa", "dragon-7", {"decks": 6}),
        ("lucky-lucky-wa", "lucky-lucky", {"decks": 1}),
        ("lucky-lucky-wa", "lucky-lucky", {}),
        ("ez-pai-gow-wa", "dynasty", {"pay_table": 3}),
        ("ez-pai-gow-wa", "protection", {}),
        ("ez-pai-gow-wa", "red-black", {}),
        ("duki-4-wa", "duki-bonus", {}),
    ],
)
def test_removal_of_a_random_card_changes_nothing_on_average(edition, wager, chosen):
    effects = book(edition).removal_effects(wager, **chosen)
    assert list(effects)[:13] == list(RANKS)
    assert sum(4 * effects[rank] for rank in RANKS) + effects.get("Jk", 0) == 0
    assert any(effects.values())
    assert ("Jk" in effects) == (edition == "ez-pai-gow-wa")


def test_duki_ante_removal_averages_over_one_suit():
    """By symmetry the thirteen spades stand for all 52 cards."""
    edges = [book("duki-4-wa").odds(removed=f"{rank}s")["ante"].house_edge for rank in RANKS]
    assert sum(edges) / 13 == odds("duki-4-wa")["ante"].house_edge


def test_removal_effects_equal_a_shoe_without_that_card():
    effects = book("ez-pai-gow-wa").removal_effects("dynasty", pay_table=3)
    whole = odds("ez-pai-gow-wa", pay_table=3)["dynasty"].house_edge
    assert effects["A"] == book("ez-pai-gow-wa").odds(removed="Ah", pay_table=3)["dynasty"].house_edge - whole
    assert effects["Jk"] == book("ez-pai-gow-wa").odds(removed="Jk", pay_table=3)["dynasty"].house_edge - whole
    assert effects["Jk"] > 0


@rule
def third_of_seven(tape, settings):
    """Which of seven kinds of card comes third."""
    return tape[2]


@rule
def first_two_of_five(tape, settings):
    """Which two of five cards come first."""
    return 5 * tape[0] + tape[1]


def chi_square(found, expected):
    total, weight = sum(found), sum(expected)
    assert all(n == 0 for n, e in zip(found, expected, strict=True) if e == 0)
    return sum((n - total * e / weight) ** 2 / (total * e / weight) for n, e in zip(found, expected, strict=True) if e)


def test_the_sampler_is_reproducible():
    deal = deal_of_shoe(fresh_shoe(1), (4,))
    encoded = duki_settings()
    first = sample(duki.duki_bonus, deal, encoded, 4, 50_000, seed=7)
    assert first == sample(duki.duki_bonus, deal, encoded, 4, 50_000, seed=7)
    assert first != sample(duki.duki_bonus, deal, encoded, 4, 50_000, seed=8)
    assert sum(sample(duki.duki_bonus, deal, encoded, 4, CHUNK + 1, seed=7)) == CHUNK + 1


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_sampler_is_unbiased(seed):
    copies = (1, 2, 3, 4, 5, 6, 7)
    thirds = sample(third_of_seven, Deal(tuple(range(7)), copies, (5,)), SETTINGS, 7, 200_000, seed=seed)
    assert chi_square(thirds, copies) < 6 + 5 * sqrt(12)
    pairs = sample(first_two_of_five, Deal(tuple(range(5)), (1,) * 5, (3,)), SETTINGS, 25, 200_000, seed=seed)
    assert chi_square(pairs, [int(a != b) for a in range(5) for b in range(5)]) < 19 + 5 * sqrt(38)
    encoded = duki_settings()
    deal = deal_of_shoe(fresh_shoe(1), (4,))
    bonus = sample(duki.duki_bonus, deal, encoded, 4, 400_000, seed=seed)
    assert chi_square(bonus, count(duki.duki_bonus, deal, encoded, 4)) < 3 + 5 * sqrt(6)
