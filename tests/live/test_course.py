"""A settled round as a guest saw it go: what he knew at each moment, and odds that end in certainty."""

import json
import random
from fractions import Fraction

import pytest
from sessions import SUE, Floor, finish_round, house_tables, play, prepare

from houseway.cards import parse_cards
from houseway.games.blackjack.solve import halfway
from houseway.games.ez_pai_gow.solve.solution import Solution
from houseway.house.floor import Actor
from houseway.house.replay import PastRounds
from houseway.house.store import Store
from houseway.odds import half_dealt, played_out
from houseway.refusal import Refused
from houseway.view.course import course_from, course_of, odds_view, seats_open_to, settled_of
from houseway.view.reader import ANYBODY, Reader

DAN, CAT, ROOT = Actor("dan", "dealer"), Actor("cat", "cashier"), Actor("root", "administrator")


@pytest.fixture
def floor(tmp_path):
    made = Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), tmp_path / "key", begins="one")
    made.do({"kind": "fund", "cents": 10**9}, ROOT)
    for guest in ("Ann", "Ben"):
        made.do({"kind": "buy-in", "guest": guest, "cents": 10**6}, CAT)
    return made


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(half_dealt, "SAMPLED", 2_000)
    monkeypatch.setattr(half_dealt, "COUNTED_MOST", 300_000)
    monkeypatch.setattr(played_out, "DRAWN", 30)
    monkeypatch.setattr(played_out, "PLAYS_DECIDED", 20)
    monkeypatch.setattr(halfway, "is_ready", lambda *asked: False)  # whatever other tests have worked out
    monkeypatch.setattr(Solution, "known_pairs", lambda *asked: None)
    monkeypatch.setattr(Solution, "values_sets_at_once", lambda *asked: False)


def keyed(floor, edition, bets, *commands, **fields):
    """A round at a hand-keyed table; the walk over it."""
    thrown = {"dice": fields.pop("dice")} if "dice" in fields else {}
    opener = {"opener_cents": 10**7}
    at = {"edition": edition, "source": "hand-keyed", "seats": fields.pop("seats", 5), **opener, **fields}
    floor.do({"kind": "open", "table": "t", **at}, SUE)
    for seat, (guest, laid) in bets.items():
        for wager, cents in laid.items():
            floor.do({"kind": "bet", "table": "t", "seat": seat, "guest": guest, "wager": wager, "cents": cents}, DAN)
    floor.do({"kind": "no-more-bets", "table": "t", **thrown}, DAN)
    for command in commands:
        floor.do({"table": "t", **command}, DAN)
    entry = floor.do({"kind": "settle", "table": "t"}, DAN)
    return PastRounds(floor.store).round(entry.seq)[1]


def cards(text):
    return {"kind": "card", "cards": text}


def decide(seat, choice):
    return {"kind": "decide", "seat": seat, "choice": choice}


def told(course):
    """The odds, by way of JSON, as a process of its own is told of them."""
    return odds_view(course_from(json.loads(json.dumps(course.as_data()))))


def what(view):
    return [[(part["label"], *part["cards"]) for part in moment["what"]] for moment in view["moments"]]


def check(view):
    """Every moment adds up to one, exactly where it is exact; the last is certain."""
    for wager in view["wagers"]:
        assert len(wager["odds"]) == len(view["moments"])
        for odds in wager["odds"]:
            if "why_not" in odds:
                continue
            assert sum(ending["chance"] for ending in odds["endings"]) == pytest.approx(1)
            if odds["exact"]:
                assert sum(Fraction(ending["chance_exact"]) for ending in odds["endings"]) == 1
                assert odds["expected_error"] == 0
            else:
                assert (odds["expected_error"] > 0) == odds["sampled"]
        assert [ending["chance_exact"] for ending in wager["odds"][-1]["endings"]] == ["1"]


def test_baccarat_card_by_card(floor):
    after = keyed(floor, "ez-baccarat-wa", {2: ("Ann", {"banker": 500, "dragon-7": 100})}, cards("Kh 6d"), cards("4s 8s 6s 2s"))
    view = told(course_of(after, 2))
    check(view)
    assert what(view) == [
        [],
        [("Player, first card", "Kh")],
        [("Banker, first card", "6d")],
        [("Player, second card", "4s")],
        [("Banker, second card", "8s")],
        [("Player, third card", "6s")],
        [("Banker, third card", "2s")],
    ]
    banker, dragon = view["wagers"]
    assert all(odds["exact"] for odds in banker["odds"] + dragon["odds"])
    assert banker["odds"][-1]["expected"] == 1
    assert "fresh shoe" in view["assumed"]


def test_blackjack_hides_the_hole_card_until_the_dealer_turns_it(floor, quick):
    """Seat 1: T 6, hits a 4 and stands; the dealer shows a 6 over a 9, turns it, and draws a 5; seat 3's cards are seen."""
    bets = {1: ("Ann", {"blackjack": 1000, "lucky-lucky": 100}), 3: ("Ben", {"blackjack": 1000})}
    dealt = (cards("Tc 9c 6h 6d 9d 9s"), decide(1, "hit"), cards("4s"), decide(1, "stand"), decide(3, "stand"), cards("5c"))
    course = course_of(keyed(floor, "lucky-lucky-wa", bets, *dealt), 1)
    moments = [moment.known for moment in course.moments]
    hole = parse_cards("9s")[0]
    turned = next(place for place, known in enumerate(moments) if hole in known.cards)
    assert all(known.asked is None or hole not in known.cards for known in moments)
    view = told(course)
    check(view)
    assert what(view)[: turned + 1] == [
        [],
        [("Seat 1", "10c")],
        [("Other seats", "9c")],
        [("Dealer", "6h")],
        [("Seat 1", "6d")],
        [("Other seats", "9d")],
        [("hit",)],
        [("Seat 1", "4s")],
        [("stand",)],
        [("Dealer", "9s")],
    ]
    assert what(view)[-1] == [("Dealer", "5c")]
    blackjack, lucky = view["wagers"]
    assert lucky["odds"][4]["endings"] == lucky["odds"][-1]["endings"]
    assert blackjack["odds"][turned - 1]["exact"]
    assert blackjack["odds"][turned - 1]["player"] == ""
    assert "chart" in blackjack["odds"][1]["player"] and blackjack["odds"][1]["sampled"]
    for odds in blackjack["odds"][3:8]:  # from the up-card until he stands
        assert "plays best" in odds["player"] and not odds["sampled"] and odds["expected_error"] == 0


def test_insurance_is_there_from_when_it_is_bet(floor, quick, monkeypatch):
    monkeypatch.setattr(played_out, "PLAYS_MOST", 100)
    bets = {1: ("Ann", {"blackjack": 1000})}
    late = {"kind": "bet", "seat": 1, "guest": "Ann", "wager": "insurance", "cents": 500}
    after = keyed(floor, "lucky-lucky-wa", bets, cards("Tc Ah 9d 5s"), late, decide(1, "stand"), cards("9c 9h"))
    view = told(course_of(after, 1))
    check(view)
    insurance = next(wager for wager in view["wagers"] if wager["wager"] == "insurance")
    assert insurance["odds"][0].get("why_not") == "not bet yet"
    offered = next(odds for odds in insurance["odds"] if "why_not" not in odds)
    assert offered["exact"]
    assert insurance["odds"][-1]["endings"][0]["id"] == "no-blackjack"


def test_pai_gow_shows_nobody_elses_cards_and_the_dealers_when_all_have_set(floor, quick):
    bets = {1: ("Ann", {"base": 1000, "protection": 500}), 2: ("Ben", {"base": 1000})}
    own, bens, dealers = "As Kd 7h 7c 2d 9s Jc", "3s 3d 4h 4c 5d 6s Qc", "2s 2c 8h 8c Td 9d Qh"
    course = course_of(
        keyed(
            floor, "ez-pai-gow-wa", bets, cards(bens), cards(own), cards(dealers), decide(1, "set As Kd"),
            decide(2, "house-way"), dice=2, seats=6, settings={"keyed": "wagered-hands", "deal": "wagered-positions"},
        ),
        1,
    )  # fmt: skip
    view = told(course)
    check(view)
    assert not any(set(parse_cards(bens)) & set(moment.known.cards) for moment in course.moments)
    assert not any(set(parse_cards(dealers)) & set(moment.known.cards) for moment in course.moments[:-1])
    assert what(view)[-2] == [("set As Kd",)]
    base, protection = view["wagers"]
    assert base["odds"][-2]["player"] == ""
    assert "House Way" in base["odds"][7]["player"]
    assert protection["odds"][7]["endings"] == protection["odds"][-1]["endings"]


def test_duki_until_the_dealer_reveals(floor, quick):
    bets = {1: ("Ann", {"ante": 1000, "duki-bonus": 500})}
    after = keyed(floor, "duki-4-wa", bets, cards("4c 4d 9h Js"), cards("2c 5d 8h Ks"), decide(1, "play"), seats=6)
    view = told(course_of(after, 1))
    check(view)
    assert what(view)[-2:] == [[("play",)], [("Dealer", "2c", "5d", "8h", "Ks")]]
    assert [wager["wager"] for wager in view["wagers"]] == ["ante", "duki-bonus"]
    assert view["wagers"][0]["odds"][-2]["exact"]


def test_a_result_that_was_keyed_alone_is_known_at_once(floor):
    at = {"edition": "ez-baccarat-wa", "source": "manual-keypad", "seats": 5, "opener_cents": 10**7}
    floor.do({"kind": "open", "table": "t", **at}, SUE)
    floor.do({"kind": "bet", "table": "t", "seat": 1, "guest": "Ann", "wager": "tie", "cents": 500}, DAN)
    floor.do({"kind": "no-more-bets", "table": "t"}, DAN)
    floor.do({"kind": "result", "table": "t", "result": "tie"}, DAN)
    entry = floor.do({"kind": "settle", "table": "t"}, DAN)
    view = told(course_of(PastRounds(floor.store).round(entry.seq)[1], 1))
    check(view)
    assert what(view) == [[], [("Result",)]]


def test_a_guest_has_his_own_seats_and_the_staff_all(floor):
    bets = {2: ("Ann", {"banker": 500}), 4: ("Ben", {"player": 500})}
    round_ = settled_of(keyed(floor, "ez-baccarat-wa", bets, cards("9c 2d Ks 3h")))
    assert seats_open_to(Reader("Ann", "guest"), round_) == (2,)
    assert seats_open_to(Reader("eve", "supervisor"), round_) == (2, 4)
    for stranger in (ANYBODY, Reader("Cid", "guest")):
        with pytest.raises(Refused) as refused:
            seats_open_to(stranger, round_)
        assert refused.value.code == "not-your-seat"


def test_a_void_has_no_odds(floor):
    at = {"edition": "ez-baccarat-wa", "source": "hand-keyed", "seats": 5, "opener_cents": 10**7}
    floor.do({"kind": "open", "table": "t", **at}, SUE)
    floor.do({"kind": "bet", "table": "t", "seat": 1, "guest": "Ann", "wager": "tie", "cents": 500}, DAN)
    floor.do({"kind": "no-more-bets", "table": "t"}, DAN)
    entry = floor.do({"kind": "void", "table": "t", "reason": "misdeal"}, SUE)
    with pytest.raises(Refused, match="voided"):
        settled_of(PastRounds(floor.store).round(entry.seq)[1])


def test_every_settled_seat_of_random_sessions_ends_in_certainty(floor, quick):
    """Four games dealt from virtual shoes, with splits, folds and mends: only its cards are known, the last is certain."""
    tables, rng = house_tables(4), random.Random(14)
    prepare(floor, tables)
    for table in tables:
        play(floor, rng, [table], 40)
        finish_round(floor, table, rng)
    walk, checked = PastRounds(floor.store), set()
    for entry in list(floor.store.entries()):
        if entry.kind != "settle":
            continue
        after = walk.round(entry.seq)[1]
        for seat in settled_of(after).spots:
            course = course_of(after, seat)
            drawn = set(settled_of(after).drawn)
            assert all(set(moment.known.cards) <= drawn for moment in course.moments)
            if entry.table not in checked:  # the odds of one of each game
                checked.add(entry.table)
                check(told(course))
    assert checked == set(tables)


def test_the_shell_tells_a_round_again_with_its_odds(floor, bare_shell):
    keyed(floor, "ez-baccarat-wa", {2: ("Ann", {"banker": 500})}, cards("Kh 6d 4s 8s 6s 2s"))
    seq = floor.store.head()[0]
    printed = bare_shell(f"journal replay {seq} --odds")
    assert "before the deal" in printed
    assert "Banker wins 43.61%" in printed
    assert "Banker, third card: 2s" in printed
    told_ = json.loads(bare_shell(f"journal replay {seq} --odds --format json"))
    assert told_["odds"]["wagers"][0]["odds"][-1]["expected_exact"] == "1"
    assert "odds" not in json.loads(bare_shell(f"journal replay {seq} --format json"))
    assert "does not end a round" in bare_shell(f"journal replay {seq - 1} --odds", code=2)
    assert "does not end a round" in bare_shell(f"journal replay {10**30} --odds", code=2)


def test_the_shell_tells_a_round_whose_cards_were_sealed(bare_shell, quick):
    for line in (
        "cage fund 100000 --as root:administrator",
        "cage buy-in --guest Ann 1000 --as cat:cashier",
        "table open t --edition ez-pai-gow-wa --opener 10000 --as sue:supervisor",
        "table bet t base=10 --seat 1 --guest Ann",
        "table no-more-bets t",
        "table deal t",
        "table decide t house-way --seat 1",
        "table settle t",
    ):
        bare_shell(line)
    entries = map(json.loads, bare_shell("journal export").splitlines())
    settled = next(entry for entry in entries if entry["kind"] == "settle")
    seq = settled["seq"]
    printed = bare_shell(f"journal replay {seq} --odds")
    assert "before the deal" in printed and "±" in printed and "likeliest endings" in printed
