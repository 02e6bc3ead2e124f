"""Answers of exercises, worked out again from the documents and by nothing of ours: drawing, pays, orders, sets and chips."""

import random
import tomllib
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import pytest
from school_lessons import EXAMPLES, OWN, lesson, own_edition

from houseway.games import open_edition
from houseway.train.kinds import KINDS
from houseway.train.kinds.pay import fewest
from houseway.train.learning import exercise

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
MANY = 150


@pytest.fixture(autouse=True)
def outside(monkeypatch):
    monkeypatch.setenv("HOUSEWAY_GAMES", str(EXAMPLES))


def rank(card):
    """From 0 for a two to 12 for an ace; the joker is 13."""
    return 13 if card == "Jk" else RANKS.index(card[:-1])


# EZB-3, EZB-4: drawing and results


def points(card):
    return (
        {"A": 1, "J": 0, "Q": 0, "K": 0, "10": 0}.get(card[:-1])
        if not card[:-1].isdecimal() or card[:-1] == "10"
        else int(card[:-1])
    )


def total(cards):
    return sum(map(points, cards)) % 10


BANKER_DRAWS = {
    0: range(10),
    1: range(10),
    2: range(10),
    3: [0, 1, 2, 3, 4, 5, 6, 7, 9],
    4: range(2, 8),
    5: range(4, 8),
    6: (6, 7),
    7: (),
}
"""EZB-3d: by Banker's two cards, the points of Player's third card on which he draws."""


def next_card(player, banker):
    if len(player) < 2 or len(banker) < 2:
        who = "player" if len(player) == len(banker) else "banker"
        return f"{who}-{'second' if len(player if who == 'player' else banker) else 'first'}-card"
    if len(banker) == 3:
        return "nobody"
    if len(player) == 2:
        if max(total(player), total(banker)) >= 8:
            return "nobody"
        if total(player) <= 5:
            return "player-third-card"
        return "banker-third-card" if total(banker) <= 5 else "nobody"
    return "banker-third-card" if points(player[2]) in BANKER_DRAWS[total(banker[:2])] else "nobody"


def hands(made):
    shown = {hand.owner: hand.cards for hand in made.scene.hands}
    return shown.get("Player", ()), shown.get("Banker", ())


@pytest.mark.parametrize("name", ["ez-baccarat-wa", "ez-baccarat-ca", OWN])
def test_who_draws_is_as_the_documents_say(tmp_path, name):
    opened, seen = lesson(name, tmp_path), set()
    for number in range(MANY):
        made = exercise(opened, "draw", number)
        assert made.asks[0].accepted == (next_card(*hands(made)),), made
        seen.add(made.right["next"])
    assert {"nobody", "player-third-card", "banker-third-card"} <= seen


def result(player, banker):
    ours, theirs = total(player), total(banker)
    if ours == theirs:
        return "tie"
    if theirs > ours:
        return "dragon-7" if theirs == 7 and len(banker) == 3 else "banker-win"
    return "panda-8" if ours == 8 and len(player) == 3 else "player-win"


def net(pay):
    if pay in {"push", "lose", "lose half"}:
        return {"push": Fraction(0), "lose": Fraction(-1), "lose half": Fraction(-1, 2)}[pay]
    won, _, staked = pay.partition(" to ")
    return Fraction(int(won), int(staked))


@pytest.mark.parametrize("name", ["ez-baccarat-wa", OWN])
def test_what_is_paid_is_as_the_editions_file_says(tmp_path, name):
    file = own_edition(tmp_path) if name == OWN else Path(open_edition(name).game.folder) / "editions" / f"{name}.toml"
    document = tomllib.loads(file.read_text(encoding="utf-8"))
    opened, wagers = lesson(name, tmp_path), {"Player": "player", "Banker": "banker", "Tie": "tie"}
    wagers |= {"Dragon 7": "dragon-7", "Panda 8": "panda-8"}
    for number in range(MANY):
        made = exercise(opened, "pay", number)
        came, bets = result(*hands(made)), dict(made.scene.seats[0].bets)
        for ask in made.asks:
            wager = ask.label.partition(",")[0]
            pays = document["wagers"][wagers[wager]]["pays"]
            due = bets[wager] * net(pays.get(came) or pays["otherwise"])
            assert int(ask.accepted[0]) == max(due, 0), (made, wager)


def test_an_editions_own_pays_are_the_ones_that_are_taught(tmp_path):
    made = exercise(lesson(OWN, tmp_path), "pay", 3, "dragon-7:dragon-7")
    bet = dict(made.scene.seats[0].bets)["Dragon 7"]
    assert [ask.accepted for ask in made.asks if ask.label.startswith("Dragon 7")] == [(str(35 * bet),)]


# EPG-3: envy


def test_envy_pays_every_prize_of_the_table_several_at_times_and_none_for_a_small_bet(tmp_path):
    opened, seen = lesson("ez-pai-gow-wa", tmp_path), set()
    prizes = {cents for cents in opened.edition.document["wagers"]["dynasty"]["envy_dollars"]["1"].values() if cents}
    for number in range(150):
        made = exercise(opened, "pay", number, "dynasty:envy")
        paid = float(made.right["envy-dynasty"])
        is_small = dict(made.scene.seats[0].bets)["Dynasty Bonus"] < 500
        assert any(hand.owner.startswith("Other player") for hand in made.scene.hands)
        assert not (is_small and paid)
        seen.add("small" if is_small else paid)
    assert len(prizes) == 9 and prizes <= seen
    assert {0, "small"} < seen, "at times none is won"
    assert seen - {0, "small"} - prizes, "at times several are"


def test_whoever_bets_where_envy_can_be_won_is_asked_for_it_always(tmp_path):
    opened = lesson("ez-pai-gow-wa", tmp_path)
    for number in range(60):
        made = exercise(opened, "pay", number)
        if not made.topic.startswith("aggregate"):
            has_bet = "Dynasty Bonus" in dict(made.scene.seats[0].bets)
            assert has_bet == any(ask.id == "envy-dynasty" for ask in made.asks)


# WAC 230-15-490: a limit of what one deal pays


@pytest.mark.parametrize(
    ("name", "wager"), [("ez-pai-gow-wa", "dynasty"), ("ez-pai-gow-wa", "protection"), ("lucky-lucky-wa", "lucky-lucky")]
)
def test_winners_share_a_limit_and_below_it_nothing_is_cut(tmp_path, name, wager):
    opened, shapes = lesson(name, tmp_path), set()
    for number in range(30):
        made = exercise(opened, "pay", number, f"aggregate-limit:{wager}")
        label = f": {opened.wager_name(wager)}, $"
        won = [int(ask.accepted[0]) for ask in made.asks if label in ask.label and ask.accepted[0] != "0"]
        assert 0 < sum(won) <= 25_000
        if sum(won) == 25_000:
            assert len(won) > 1, "the limit itself is nobody's answer"
        shapes.add((sum(won) == 25_000, len(won) > 1))
    assert {(True, True), (False, True)} <= shapes


# LLB-8: Lucky Lucky on three cards


def lucky(cards):
    ranks, suited = sorted(card[:-1] for card in cards), len({card[-1] for card in cards}) == 1
    values = [{"A": 1, "J": 10, "Q": 10, "K": 10}.get(card[:-1]) or int(card[:-1]) for card in cards]
    best = sum(values) + (10 if 1 in values and sum(values) <= 11 else 0)
    if ranks == ["7", "7", "7"]:
        return "suited-777" if suited else "777"
    if ranks == ["6", "7", "8"]:
        return "suited-678" if suited else "678"
    if best == 21:
        return "suited-21" if suited else "21"
    return {20: "20", 19: "19"}.get(best, "other")


def test_lucky_lucky_is_read_as_the_document_says(tmp_path):
    opened, seen = lesson("lucky-lucky-wa", tmp_path), set()
    for topic in KINDS["read"].topics(opened):
        for number in range(15 if topic.id.startswith("lucky-lucky:") else 0):
            made = exercise(opened, "read", number, topic.id)
            own = next(hand.cards for hand in made.scene.hands if hand.owner in {"Player", "Hand 1"})
            if any(hand.owner.startswith("Hand") for hand in made.scene.hands):
                continue  # split: the first two cards lie in two hands
            up = next(hand.cards for hand in made.scene.hands if hand.owner == "Dealer")[0]
            assert made.right["outcome"] == lucky((*own[:2], up)), made
            seen.add(made.right["outcome"])
    assert len(seen) == 9


# D4P-10: Duki Bonus on four cards


def duki_bonus(cards):
    """The best three cards of three suits."""
    found = {"other"}
    for three in combinations(cards, 3):
        ranks = sorted(map(rank, three))
        if len({card[-1] for card in three}) < 3:
            continue
        if len(set(ranks)) == 1:
            found.add("three-of-a-kind")
        elif len(set(ranks)) == 2 and ranks[1] >= RANKS.index("4"):
            found.add("pair-of-fours-or-better")
        elif len(set(ranks)) == 3 and (ranks[2] - ranks[0] == 2 or ranks == [0, 1, 12]):
            found.add("straight")
    return next(row for row in ("three-of-a-kind", "straight", "pair-of-fours-or-better", "other") if row in found)


def test_duki_bonus_is_read_from_cards_that_decide_it(tmp_path):
    opened, seen = lesson("duki-4-wa", tmp_path), set()
    for topic in KINDS["read"].topics(opened):
        for number in range(40 if topic.id.startswith("duki-bonus:") else 0):
            made = exercise(opened, "read", number, topic.id)
            own = next(hand.cards for hand in made.scene.hands if hand.owner == "Player")
            assert "Fold" not in made.scene.seats[0].says, "a fold forfeits it, whatever the cards are"
            assert made.right["outcome"] == duki_bonus(own), made
            seen.add(made.right["outcome"])
    assert len(seen) == 4


# The order of taking and paying


def seats_in_order(made):
    words = {option.value: option.words for option in made.asks[0].options}
    return [words[value] for value in made.right["order"].split()]


@pytest.mark.parametrize("name", ["ez-baccarat-wa", "ez-pai-gow-wa", "duki-4-wa", "casino-war", "dragon-tiger"])
def test_a_house_settles_from_the_dealers_right(tmp_path, name):
    for number in range(25):
        order = [
            int(words.partition(":")[0].split()[1])
            for words in seats_in_order(exercise(lesson(name, tmp_path), "order", number))
        ]
        assert order == sorted(order, reverse=True)


def test_early_wagers_come_first_and_each_time_from_the_dealers_right(tmp_path):
    for number in range(25):
        order = seats_in_order(exercise(lesson("lucky-lucky-wa", tmp_path), "order", number))
        early = [words.endswith(": Lucky Lucky") for words in order]
        assert early == sorted(early, reverse=True)
        for is_early in (True, False):
            seats = [int(w.partition(":")[0].split()[1]) for w, e in zip(order, early, strict=True) if e == is_early]
            assert seats == sorted(seats, reverse=True)


@pytest.mark.parametrize("name", ["ez-baccarat-ca", "bank by marker"])
def test_a_bank_pays_clockwise_from_the_seat_after_it_or_from_the_marker(tmp_path, name):
    for number in range(25):
        made = exercise(lesson(name, tmp_path), "order", number)
        facts = dict(made.scene.facts)
        banker = int(facts["Bank"].partition(",")[0].split()[1])
        first = int(facts["Marker"]) if "Marker" in facts else banker + 1
        order = [int(words.partition(":")[0].split()[1]) for words in seats_in_order(made)]
        clockwise = [(first - 1 + step) % 14 + 1 for step in range(14)]
        assert order == [seat for seat in clockwise if seat in order]


# House Ways


def groups(cards):
    """Ranks by how many of them are held, aces with the joker; the highest first."""
    ranks = [12 if card == "Jk" else rank(card) for card in cards]
    return {many: sorted((r for r in set(ranks) if ranks.count(r) == many), reverse=True) for many in (1, 2, 3, 4)}


def front_of(row, cards):
    """What goes in front by a row of the Plaza way, as ranks; nothing where the row says less than that."""
    held = groups(cards)
    if row == "row-3":
        return [held[2][0]] * 2
    if row == "row-8":
        return [held[3][0]] * 2
    if row in {"row-9", "row-14"}:
        return [held[2][0]] * 2
    if row == "row-18":
        return held[1][:2]
    if row == "row-20":
        return held[1][1:3]
    if row == "row-2":
        return [held[3][0]] * 2
    return None


def test_hands_are_set_by_the_rows_of_the_plaza_way(tmp_path):
    opened, seen = lesson("ez-pai-gow-wa", tmp_path), set()
    for topic in KINDS["set"].topics(opened):
        for number in range(20):
            made = exercise(opened, "set", number, topic.id)
            row = "-".join(topic.id.split("-")[:2])
            cards = made.scene.hands[0].cards
            wanted = front_of(row, cards)
            if wanted is not None:
                front = sorted((12 if card == "Jk" else rank(card) for card in made.right["front"].split()), reverse=True)
                assert front == wanted, made
                seen.add(row)
    assert seen == {"row-2", "row-3", "row-8", "row-9", "row-14", "row-18", "row-20"}


KNOWN_SETS = [  # seven cards, and the two in front by the table of the Plaza way
    ("Kc Kd Ks Kh 2c 3d 4s", {"K"}),  # row 6: jacks to kings are split without an ace
    ("Kc Kd Ks Kh Ac 3d 4s", {"A", "4"}),  # row 6: an ace can go in front
    ("5c 5d 5s 5h Kc 9d 2s", {"K", "9"}),  # row 4: twos to sixes are never split
    ("9c 9d 9s 9h Qc 3d 2s", {"9"}),  # row 5: split without a king or an ace
    ("9c 9d 9s 9h Kc 3d 2s", {"K", "3"}),  # row 5: a king can go in front
    ("Qc Qd Qs 2c 2d Ah Kh", {"A", "K"}),  # row 10: a pair of twos with ace and king beside
    ("Qc Qd Qs 3c 3d Ah Kh", {"3"}),  # row 10: the pair in front
    ("Ac Ad As Kc 9d 7h 2s", {"A", "K"}),  # row 12: one ace and the highest single
    ("4c 4d 5c 5d Kh 9s 7h", {"K", "9"}),  # row 15: two low pairs are kept with a king
    ("4c 4d 5c 5d Qh 9s 7h", {"4"}),  # row 15: and split without one
    ("Jc Jd Kc Kd Ah 9s 7h", {"J"}),  # row 15: two high pairs are split
    ("2c 2d 5h 6h 7s 8d 9c", {"2"}),  # row 16: the pair beside a straight
]


@pytest.mark.parametrize(("cards", "front"), KNOWN_SETS)
def test_known_sets_are_what_the_exercise_asks_for(tmp_path, monkeypatch, cards, front):
    from houseway.cards import parse_cards
    from houseway.train.kinds import set_hand

    opened = lesson("ez-pai-gow-wa", tmp_path)
    topics = set_hand.topics(opened)
    monkeypatch.setattr(set_hand, "_hand", lambda *_: (tuple(parse_cards(cards)), True))
    made = set_hand.make(opened, 0, topics[0].id)
    assert {card[:-1] for card in made.right["front"].split()} == front


# Chips


def brute_force(chips, cents):
    """The least number of chips that come to an amount, by trying all."""
    counts = [range(cents // chip + 1) for chip in chips]
    fits = [each for each in product(*counts) if sum(n * chip for n, chip in zip(each, chips, strict=True)) == cents]
    least = min(map(sum, fits), default=None)
    return sorted(each for each in fits if sum(each) == least)


@pytest.mark.parametrize("chips", [(2500, 500, 100), (1200, 1000, 500, 100), (900, 500, 400, 300), (700, 300)])
def test_the_fewest_chips_are_the_fewest_whatever_the_tray_has(chips):
    drawn = random.Random(5)
    for cents in [drawn.randrange(1, 41) * 100 for _ in range(25)]:
        ways = sorted(tuple(way.get(chip, 0) for chip in chips) for way in fewest(chips, cents))
        assert ways == brute_force(chips, cents), (chips, cents)


def test_large_wins_are_paid_in_the_largest_chips():
    (way,) = fewest((100_000, 50_000, 10_000, 2_500, 500, 100, 50), 12_345_650)
    assert way == {100_000: 123, 10_000: 4, 2_500: 2, 500: 1, 100: 1, 50: 1}
