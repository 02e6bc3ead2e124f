"""Pai gow's base wager, exactly: two ways of counting against a literal double loop on short decks, and the full deck."""

import json
import os
import random
import subprocess
import sys
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest

import houseway
from houseway.cards import parse_cards
from houseway.cli.main import main
from houseway.games import open_edition
from houseway.games.ez_pai_gow.house_way import set_seven
from houseway.games.ez_pai_gow.ranking import QUEEN, rank_back, rank_front
from houseway.games.ez_pai_gow.rules import pai_gow_high
from houseway.games.ez_pai_gow.solve import best as pai_gow_best
from houseway.games.ez_pai_gow.solve import hands, report
from houseway.games.ez_pai_gow.solve import lines as pai_gow_lines
from houseway.games.ez_pai_gow.solve import pairs as pai_gow
from houseway.games.ez_pai_gow.solve import planes as pai_gow_planes
from houseway.games.ez_pai_gow.solve.hands import Deck, Hands
from houseway.games.ez_pai_gow.solve.solution import Solution
from houseway.kernels import graphics
from houseway.kernels.compiled import helper
from houseway.refusal import Refused
from houseway.solve import kept

EDITION = open_edition("ez-pai-gow-wa")
WAYS = ("plaza", "foxwoods", "mgm", "stones")
TENS_TO_ACES = Deck((8, 10, 11, 12))
WITH_A_WHEEL = Deck((0, 1, 2, 3, 12))


@pytest.fixture(autouse=True)
def own_folder(tmp_path_factory, monkeypatch, request) -> None:
    """Nothing is taken from an earlier run, nor left behind; the full deck's tables are kept for the session."""
    folder = tmp_path_factory.getbasetemp() / "kept"
    monkeypatch.setattr(kept, "_folder", lambda: folder)


def encoded(**settings):
    return EDITION.game.encode(
        EDITION.settings({name.replace("_", "-"): value for name, value in settings.items()}, what_if=True)
    )


WAY = encoded()


def all_of(deck: Hands) -> tuple[np.ndarray, np.ndarray]:
    """Every hand as bits, and the place of its class."""
    ranks, masks, places = len(deck.deck.ranks), [], []
    for place, row in enumerate(deck.classes.tolist()):
        images = {sum(row[suit] << ranks * at for at, suit in enumerate(order)) for order in permutations(range(4))}
        masks += [image | row[4] << 4 * ranks for image in images]
        places += [place] * len(images)
    return np.array(masks), np.array(places)


@helper
def meet_all(masks, mine, his, ends):
    """The literal double loop: every hand against every hand that shares no card with it."""
    for one in range(masks.size):
        for other in range(masks.size):
            if masks[one] & masks[other]:
                continue
            if his[other, 2]:
                ends[2] += 1
                continue
            front, back = mine[one, 0] - his[other, 0], mine[one, 1] - his[other, 1]
            ends[0] += front > 0 and back > 0
            ends[1] += front <= 0 and back <= 0
            ends[3] += front == 0
            ends[4] += back == 0
            ends[5] += front == 0 and back == 0


def literally(deck: Hands, player, dealer) -> list[int]:
    masks, places = all_of(deck)
    assert len(set(masks.tolist())) == len(masks) == deck.deck.hands
    ends = np.zeros(6, np.int64)
    meet_all(masks, player[places], dealer[places], ends)
    return ends.tolist()


def with_queens(values, seed: int):
    """Some hands of the dealer push: no short deck has a Queen-high pai gow of its own."""
    queens = np.random.default_rng(seed).random(len(values)) < 0.2
    return np.concatenate([values[:, :2], queens[:, None]], axis=1)


@pytest.mark.parametrize("joker", ["semi", "full"])
@pytest.mark.parametrize(("player", "dealer"), [("plaza", "plaza"), ("foxwoods", "stones"), ("mgm", "plaza")])
def test_all_pairs_on_a_short_deck_are_those_of_a_literal_double_loop(player, dealer, joker) -> None:
    """19,448 hands of 17 cards, every pair met; the grid, and the planes of bits."""
    deck = Hands(TENS_TO_ACES)
    mine = pai_gow.set_by_house_way(deck, encoded(house_way=player, joker=joker))
    his = with_queens(pai_gow.set_by_house_way(deck, encoded(house_way=dealer, joker=joker)), 1)
    expected = literally(deck, mine, his)
    pairs = pai_gow.count_deals(deck, mine, his, f"short {player} {dealer} {joker}")
    assert list(vars(pairs).values()) == expected
    order = pai_gow.Order.of([mine[:, 0], his[:, 0]], [mine[:, 1], his[:, 1]])
    ends = pai_gow_planes.Planes.of(deck, his, order).meet(deck.classes, mine)
    assert (ends * deck.classes[:, 5:]).sum(axis=0).tolist() == expected[:2]


ON_GRAPHICS = """
import numpy as np
from houseway.games import open_edition
from houseway.games.ez_pai_gow.solve import pairs as pai_gow
from houseway.games.ez_pai_gow.solve import graphics as pai_gow_graphics
from houseway.games.ez_pai_gow.solve import planes as pai_gow_planes
from houseway.games.ez_pai_gow.solve.hands import Deck, Hands

book = open_edition("ez-pai-gow-wa")
deck = Hands(Deck((8, 10, 11, 12)))
values = [pai_gow.set_by_house_way(deck, book.game.encode(book.settings({"house-way": way}))) for way in ("mgm", "plaza")]
planes = pai_gow_planes.Planes.of(deck, values[1], pai_gow.Order.of(*([one[:, at] for one in values] for at in range(2))))
some = np.random.default_rng(3).choice(len(deck.classes), 40, replace=False)
pai_gow_graphics.THREADS, pai_gow_graphics.BLOCKS_AT_ONCE = 16, 2
found = pai_gow_graphics.meet_all(planes, deck.classes[some], values[0][some])
print((found == planes.meet(deck.classes[some], values[0][some])).all(), found.sum())
"""


def test_the_planes_on_a_graphics_processor_say_the_same() -> None:
    """Simulated, three launches of two blocks; `benchmarks/graphics.py` meets every deal of the full deck on a real one."""
    simulated = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    told = subprocess.run([sys.executable, "-c", ON_GRAPHICS], capture_output=True, text=True, env=simulated, check=True)
    same, met = told.stdout.split()
    assert same == "True" and int(met) > 1000


def test_without_a_graphics_processor_it_is_said(monkeypatch) -> None:
    monkeypatch.setattr(graphics.lanes, "is_available", lambda: False)
    with pytest.raises(Refused, match="no NVIDIA graphics processor"):
        graphics.to_graphics(np.zeros(1))


@pytest.mark.parametrize("deck", [TENS_TO_ACES, WITH_A_WHEEL], ids=["four ranks", "five ranks"])
def test_the_best_sets_on_a_short_deck_are_the_best_of_all_sets(deck) -> None:
    """What the sets that matter gain is what the planes of bits say, and no legal set of any hand gains more."""
    deck = Hands(deck)
    his = with_queens(pai_gow.set_by_house_way(deck, WAY), 2)
    valued = pai_gow_best.value_all_sets(deck, WAY, his, f"values {deck.deck}")
    best = valued.sets_at(valued.best())
    order = pai_gow.Order.of([valued.sets.fronts, his[:, 0]], [valued.sets.backs, his[:, 1]])
    planes = pai_gow_planes.Planes.of(deck, his, order)
    ends = planes.meet(deck.classes, best)
    gained = valued.gained[valued.best()]
    assert (ends[:, 0] - ends[:, 1] == gained).all()
    pairs = pai_gow.count_deals(deck, best, his, f"best {deck.deck}")
    assert pairs.win - pairs.lose == int((gained * deck.classes[:, 5]).sum())
    masks, places = all_of(deck)
    chance = random.Random(3)
    for place in chance.sample(range(len(deck.classes)), 40):
        tape = np.zeros(7, np.int64)
        hands.lay_out(deck.classes[place], np.array(deck.deck.ranks), tape)
        left = his[places[masks & masks[np.argmax(places == place)] == 0]]
        left = left[left[:, 2] == 0]
        worth = []
        for a, b in combinations(range(7), 2):
            front, back = rank_front(tape, a, b, WAY), rank_back(tape, 0, a, b, WAY)
            if back > front:
                worth.append(int((left[:, 0] < front).sum() + (left[:, 1] < back).sum() - len(left)))
        assert max(worth) == gained[place]


def test_the_lines_play_only_legal_sets_and_cost_what_they_say() -> None:
    deck = Hands(WITH_A_WHEEL)
    his = pai_gow.set_by_house_way(deck, WAY)
    valued = pai_gow_best.value_all_sets(deck, WAY, his, "values for lines")
    lines = pai_gow_lines.find_lines(deck, valued)
    assert ((lines.chosen >= valued.sets.starts[:-1]) & (lines.chosen < valued.sets.starts[1:])).all()
    best, by_lines = (
        pai_gow.count_deals(deck, valued.sets_at(chosen), his, f"lines {number}")
        for number, chosen in enumerate((valued.best(), lines.chosen))
    )
    assert lines.cost == Fraction(best.win - best.lose - by_lines.win + by_lines.lose, deck.deck.deals) > 0
    assert len(lines.in_words()) <= pai_gow_lines.LINES_MOST + 2


def test_the_shell_tells_all_three_players_and_the_lines(monkeypatch, capsys) -> None:
    """On a short deck, since the full one takes minutes."""
    monkeypatch.setattr(report, "Solution", partial(Solution, deck=WITH_A_WHEEL))
    monkeypatch.setattr(sys, "argv", ["houseway", "solve", "ez-pai-gow-wa", "--format", "json"])
    with pytest.raises(SystemExit):
        main()
    told = json.loads(capsys.readouterr().out)
    own, best, lines = told["players"]
    assert [one["player"] for one in told["players"]] == ["plaza", "best play", "lines"]
    for one in told["players"]:
        assert one["win"] + one["push"] + one["lose"] == told["total"] == WITH_A_WHEEL.deals
        assert Fraction(one["house_edge"]) == Fraction(one["lose"] - one["win"], told["total"])
    assert Fraction(lines["house_edge"]) - Fraction(best["house_edge"]) == Fraction(told["lines_cost"]["exact"])
    assert Fraction(best["house_edge"]) < Fraction(own["house_edge"])


def test_the_lines_can_be_printed(monkeypatch, capsys, tmp_path) -> None:
    monkeypatch.setattr(report, "Solution", partial(Solution, deck=WITH_A_WHEEL))
    for ending in ("html", "svg", "json"):
        file = tmp_path / f"lines.{ending}"
        monkeypatch.setattr(sys, "argv", ["houseway", "strategy", "ez-pai-gow-wa", "--save", str(file)])
        with pytest.raises(SystemExit):
            main()
        assert "strongest two cards in front" in file.read_text()


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (0, "no pair"),
        (1, "a straight or flush without a pair"),
        (4, "two pairs"),
        (5, "a straight or flush with two pairs"),
        (8 + 2, "three of a kind and a pair"),
        (16, "two threes"),
        (32 + 8, "four of a kind and three of a kind"),
        (64 + 2, "five aces and a pair"),
    ],
)
def test_kinds_of_hands_have_names(kind, name) -> None:
    assert pai_gow_lines.name_of(kind) == name


def number(cards) -> int:
    held = Deck().lanes(tuple(cards))
    before, found = 0, Deck().natural if held[4] else 0
    for suit in range(4):
        found += int(hands.number_parts(13)[suit * 8 + before, held[suit]])
        before += int(held[suit]).bit_count()
    return found


def is_set(cards) -> tuple[int, int, bool]:
    tape = np.array(cards, np.int64)
    answer = set_seven(tape, 0, WAY)
    a, b = answer >> 3 & 7, answer & 7
    return rank_front(tape, a, b, WAY), rank_back(tape, 0, a, b, WAY), pai_gow_high(tape, 0, WAY) == QUEEN


def test_every_hand_has_a_number_of_its_own() -> None:
    chance = random.Random(1)
    found = {number(cards): frozenset(cards) for cards in (chance.sample(range(53), 7) for _ in range(2_000))}
    assert all(0 <= one < Deck().hands for one in found)
    assert len(set(found.values())) == len(found)
    assert number(range(7)) != number(range(1, 8))


@pytest.mark.parametrize("size", range(7))
def test_classes_of_sets_are_all_sets(size) -> None:
    classes = hands.classes_of(size)
    assert int(classes[:, 5].sum()) == comb(53, size)
    assert len({tuple(row[:5]) for row in classes.tolist()}) == len(classes)


def test_one_hand_of_the_full_deck_by_every_set() -> None:
    """A hand's sets against a sample of the dealer's hands, within four standard errors; the wins and losses of all hands."""
    cards, chance = parse_cards("As Ah Kc 9d 7h 4s 2c"), random.Random(3)
    found = Solution(EDITION, EDITION.settings()).value_sets(cards)
    best = found[0]
    assert best.front == parse_cards("Kc 9d")
    assert len(found) == 21 - sum(1 for a, b in combinations(range(7), 2) if _fouls(cards, a, b))
    left, ends = [card for card in range(53) if card not in cards], []
    for _ in range(20_000):
        front, back, queen = is_set(sorted(chance.sample(left, 7)))
        better = (best.front_value > front) + (best.back_value > back)
        ends.append(0 if queen else better - 1)
    assert abs(np.mean(ends) - float(best.value)) < 4 * np.std(ends) / len(ends) ** 0.5


def _fouls(cards, a: int, b: int) -> bool:
    tape = np.array(cards, np.int64)
    return bool(rank_back(tape, 0, a, b, WAY) <= rank_front(tape, a, b, WAY))


@pytest.mark.deep
def test_the_full_deck_s_table_and_the_pairs_that_share_five_cards() -> None:
    deck = Hands()
    values, chance = pai_gow.set_by_house_way(deck, WAY), random.Random(2)
    for _ in range(500):
        cards = chance.sample(range(53), 7)
        assert tuple(values[deck.class_of[number(cards)]]) == is_set(sorted(cards))
    for shared in ("As Kd Qh 9c 2s", "Jk Ah Ad 7c 3s", "Qs Jd 9h 8c 6s"):
        _check_sharing(parse_cards(shared), deck, values)


def _check_sharing(shared, deck: Hands, values) -> None:
    """Pairs that both hold these five cards: 1,128 hands each, all met."""
    order = pai_gow.Order.of([values[:, 0]], [values[:, 1]])
    words, ends = order.words(values).astype(np.int64), np.zeros((1, 6), np.int64)
    sets, kinds = np.array([[*Deck().lanes(shared), 1]]), words << pai_gow.MY_BITS | words
    pai_gow._count_sharing(sets, Deck().natural, 13, order.shape, *deck.numbering, deck.class_of, kinds, ends, 0, 1)
    left = [card for card in range(53) if card not in shared]
    told = [is_set(sorted((*shared, *two))) for two in combinations(left, 2)]
    front, back, queen = (np.array(column) for column in zip(*told, strict=True))
    live = ~queen[None, :]
    win = ((front[:, None] > front) & (back[:, None] > back) & live).sum()
    lose = ((front[:, None] <= front) & (back[:, None] <= back) & live).sum()
    assert (-ends[0, :3]).tolist() == [win, lose, queen.sum() * len(told)]


ALL_DEALS = {
    ("plaza", "plaza"): (2_233_560_965_323_540, 2_465_723_048_007_392),
    ("foxwoods", "foxwoods"): (2_275_226_248_320_372, 2_505_243_456_030_316),
    ("mgm", "mgm"): (2_241_103_182_396_064, 2_473_444_033_165_148),
    ("stones", "stones"): (2_246_784_154_817_032, 2_477_507_951_206_520),
    ("foxwoods", "mgm"): (2_263_649_844_800_020, 2_482_290_455_704_720),
    ("best", "plaza"): (2_270_379_677_169_900, 2_476_917_411_825_072),
}


@pytest.mark.deep
@pytest.mark.parametrize(("player", "dealer"), ALL_DEALS)
def test_all_deals(player, dealer) -> None:
    """8,250,459,031,214,400 deals; the simulation of the same rules (2,097,152 rounds) lies within four standard errors."""
    settings = EDITION.settings({"house-way": dealer}, what_if=True)
    pairs = Solution(EDITION, settings).pairs(player)
    assert (pairs.win, pairs.lose) == ALL_DEALS[player, dealer]
    assert pairs.queen_high == 2_719_500 * Deck().against
    if player == dealer == "plaza":
        sampled = houseway.edition("ez-pai-gow-wa").odds()["base"]
        edge = (pairs.lose - pairs.win) / Deck().deals
        assert abs(edge - float(sampled.house_edge)) < 4 * sampled.standard_error


@pytest.mark.deep
@pytest.mark.parametrize(
    ("way", "published"),
    [("plaza", (0.2861, 0.4148, 0.2991)), ("foxwoods", (0.2912, 0.4050, 0.3038))],
    ids=["plaza", "foxwoods"],
)
def test_the_conventional_game_is_as_published(way, published) -> None:
    """Without the Queen-high push: win, push and lose as printed for the Trump Plaza's way, and for one that fits Foxwoods'."""
    settings = EDITION.settings({"house-way": way}, what_if=True)
    pairs = Solution(EDITION, settings, queen_high_pushes=False).pairs(way)
    deals = Deck().deals
    found = pairs.win / deals, (deals - pairs.win - pairs.lose) / deals, pairs.lose / deals
    assert found == pytest.approx(published, abs=1e-4)
    assert pairs.lose - pairs.win == (pairs.front_copy + pairs.back_copy) / 2  # both play alike: only copies tell them apart


@pytest.mark.deep
def test_a_sister_game_is_as_published() -> None:
    """Where a nine-high front of the dealer's pushes instead: how often, and win, push and lose, as sampled for Plaza's way."""
    deck, nine = Hands(), rank_front(np.array(parse_cards("9s 2h")), 0, 1, WAY) >> 16
    values = pai_gow.set_by_house_way(deck, WAY)
    dealer = np.concatenate([values[:, :2], values[:, :1] >> 16 == nine], axis=1)
    pairs, deals = pai_gow.count_deals(deck, values, dealer, "sister"), deck.deck.deals
    found = pairs.queen_high / deals, pairs.win / deals, 1 - (pairs.win + pairs.lose) / deals, pairs.lose / deals
    assert found == pytest.approx((0.025007, 0.273726, 0.427453, 0.298822), abs=5e-5)


@pytest.mark.deep
def test_the_planes_say_the_same_of_a_sample_of_the_full_deck() -> None:
    """The second way on the full deck, for 300 hands set in the best way: each against all 53,524,680 of the dealer's."""
    solution = Solution(EDITION, EDITION.settings())
    best = solution.valued.sets_at(solution.valued.best())
    order = pai_gow.Order.of([best[:, 0], solution.dealer[:, 0]], [best[:, 1], solution.dealer[:, 1]])
    places = np.random.default_rng(5).choice(len(best), 300, replace=False)
    ends = pai_gow_planes.Planes.of(solution.hands, solution.dealer, order).meet(solution.hands.classes[places], best[places])
    gained = solution.valued.gained[solution.valued.best()][places]
    assert (ends[:, 0] - ends[:, 1] == gained).all()
