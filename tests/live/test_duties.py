"""Nobody alone: what one person cannot do, what two can, who may be the second, dealers on tables, guests with screens."""

import random
import shutil
import subprocess
import sys
import threading
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from houseway.house.audit import Auditor
from houseway.house.floor import Actor, Floor, now
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table import House, Phase, handle, unfolded
from houseway.table.commands import COMMANDS
from houseway.table.duties import DEALING, DUTIES, FOR_GUESTS, ONE_NAME
from houseway.table.plain import as_json, from_json
from houseway.table.roles import STAFF
from houseway.view.duties import request_words, requests_view
from houseway.view.reader import Reader

ROOT, OFFICE = Actor("root", "administrator"), Actor("olga", "administrator")
SUE, SAM = Actor("sue", "supervisor"), Actor("sam", "supervisor")
DAN, DORA = Actor("dan", "dealer"), Actor("dora", "dealer")
CAT, CARL = Actor("cat", "cashier"), Actor("carl", "cashier")
AUD, ANN = Actor("aud", "auditor"), Actor("ann", "guest")
BACCARAT = "ez-baccarat-wa"
DRAGON_7 = "Ks 2h 2d 3c 4h 2c"
BANKER_WINS, PLAYER_WINS = "2s 9h Kd Jc", "9s 2h Kd Kc"
FIVE_THOUSAND = 500_000


class Clock:
    def __init__(self):
        self.at = now()

    def __call__(self):
        self.at += timedelta(milliseconds=1)
        return self.at

    def wait(self, **time):
        self.at += timedelta(**time)


class Room:
    """A house of two names on a store of its own, with a table t1 that dan deals at."""

    def __init__(self, url, key_file, open_=True):
        self.url, self.key_file, self.clock = url, key_file, Clock()
        self.floor = self.another()
        if open_:
            self.both({"kind": "fund", "cents": 100_000_000}, ROOT, SUE)
            self.do("open", SUE, edition=BACCARAT, source="hand-keyed", opener_cents=10_000_000)
            self.do("sign-on", DAN)

    def another(self):
        return Floor(Store(self.url), self.key_file, clock=self.clock, begins="two")

    def do(self, kind, actor, **fields):
        at = {} if kind in CAGE else {"table": "t1"}
        return self.floor.do({"kind": kind, **at, **fields}, actor)

    def refused(self, kind, actor, **fields):
        """The code of a refusal that changes nothing but, at most, that the attempt is known."""
        before, (head, _) = self.floor.state, self.floor.store.head()
        with pytest.raises(Refused) as caught:
            self.do(kind, actor, **fields)
        assert self.floor.state == before and "\n" not in caught.value.message
        assert {entry.kind for entry in self.floor.store.entries(head)} <= {"attempt"}
        return caught.value

    def asks(self, kind, actor, **fields):
        """The number of the request that a command became: nothing else has changed."""
        before = self.floor.state
        entry = self.do(kind, actor, **fields)
        assert (entry.kind, entry.actor) == ("requested", actor.name) and not entry.transfers
        assert (self.floor.state.balances, self.floor.state.tables) == (before.balances, before.tables)
        return entry.data["events"][0]["request"]

    def confirm(self, number, actor):
        return self.floor.do({"kind": "confirm", "request": number}, actor)

    def both(self, command, asker, second):
        asked = self.floor.do(command, asker)
        assert asked.kind == "requested"
        done = self.confirm(asked.data["events"][0]["request"], second)
        names = done.data["second"]
        assert (done.kind, done.actor, names["asked_by"]) == (command["kind"], asker.name, asker.name)
        assert (names["confirmed_by"], names["role"]) == (second.name, second.role)
        return done

    def purse(self, guest):
        return self.floor.state.balance(f"guest:{guest}")

    @property
    def table(self):
        return self.floor.state.tables["t1"]

    def check(self):
        assert self.another().refresh() == self.floor.state
        assert from_json(House, as_json(self.floor.state)) == self.floor.state  # as a snapshot has it
        report = Auditor(self.floor.store).run()
        assert report.flaws == () and report.notices == ()


CAGE = {"fund", "buy-in", "cash-out", "collect", "duties", "confirm", "decline"}


@pytest.fixture
def room(store_url, key_file):
    return Room(store_url, key_file)


@pytest.fixture
def file_room(tmp_path):
    return Room(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "key")


def play(room, dealer=DAN, cards=BANKER_WINS, guest="ann", **wagers):
    """A round up to its settlement, of a guest without a screen."""
    for wager, cents in wagers.items():
        room.do("bet", dealer, seat=1, guest=guest, wager=wager.replace("_", "-"), cents=cents)
    room.do("no-more-bets", dealer)
    return room.do("card", dealer, cards=cards)


# The frauds of the issue: each refused alone, and done by two


def test_one_supervisor_alone_cannot_buy_key_acknowledge_settle_and_cash_out(room):
    room.do("sign-on", SUE)  # he may: it shows
    assert room.floor.state.tables["t1"].dealer == "sue"
    room.do("table-buy-in", SUE, guest="friend", cents=10_000)
    play(room, SUE, DRAGON_7, "friend", dragon_7=10_000)
    assert room.refused("settle", SUE).code == "acknowledge-first"  # unasked: where two names are needed payouts are verified
    assert room.refused("acknowledge", SUE).code == "own-round"
    room.do("acknowledge", SAM)
    room.do("settle", SUE)
    won = room.purse("friend")
    assert won == 10_000 * 41
    number = room.asks("cash-out", SUE, guest="friend", cents=won)
    with pytest.raises(Refused, match="somebody else confirms it"):
        room.confirm(number, SUE)
    for spelled in ("sue", "Sue", "\uff33\uff35\uff25", "s ue"):  # other accounts, or other letters, are no other person
        with pytest.raises(Refused, match="somebody else confirms it"):
            room.confirm(number, Actor(spelled, "cashier"))
    room.confirm(number, CAT)
    assert room.purse("friend") == 0
    room.check()


def test_whoever_dealt_to_a_guest_does_not_pay_him_out_alone_however_small_it_is(room):
    room.do("table-buy-in", DAN, guest="friend", cents=1_000)
    play(room, DAN, BANKER_WINS, "friend", banker=1_000)
    room.do("settle", DAN)
    room.do("sign-on", SUE)
    play(room, SUE, BANKER_WINS, "friend", banker=1_000)
    room.do("settle", SUE)
    room.asks("cash-out", SUE, guest="friend", cents=500)
    room.do("cash-out", CAT, guest="friend", cents=500)
    room.clock.wait(days=2)
    room.do("cash-out", SUE, guest="friend", cents=500)  # another day, and a small amount
    room.check()


@pytest.mark.parametrize("cents", [2**63 - 1, 2**62, 10_000_000_001])
def test_no_absurd_amount_is_sold(room, cents):
    assert room.refused("buy-in", CAT, guest="ann", cents=cents).code == "amount-too-large"
    assert room.refused("fund", ROOT, cents=cents).code == "amount-too-large"
    assert room.refused("closer", CAT, cents=cents).code == "amount-too-large"


def test_a_large_buy_in_needs_two_and_small_ones_add_up(room):
    room.do("buy-in", CAT, guest="ann", cents=300_000)
    room.asks("buy-in", CAT, guest="ann", cents=1)
    room.asks("table-buy-in", DAN, guest="ann", cents=100)
    room.do("buy-in", CAT, guest="bob", cents=200_000)
    room.do("buy-in", SUE, guest="bob", cents=100_000)
    room.both({"kind": "buy-in", "guest": "bob", "cents": FIVE_THOUSAND}, SUE, CAT)
    assert room.purse("bob") == 800_000
    room.clock.wait(days=1)
    room.do("buy-in", CAT, guest="ann", cents=300_000)
    room.do("cash-out", CAT, guest="ann", cents=300_000)
    room.asks("cash-out", CAT, guest="ann", cents=300_000)
    room.check()


def test_a_supervisor_does_not_void_a_loss_alone(room):
    room.do("table-buy-in", DAN, guest="ann", cents=20_000)
    play(room, DAN, BANKER_WINS, "ann", player=20_000)
    number = room.asks("void", SUE, reason="misdeal")
    for second, code in ((SUE, "not-second"), (DAN, "not-second"), (CAT, "not-second"), (AUD, "not-second")):
        with pytest.raises(Refused) as caught:
            room.confirm(number, second)
        assert caught.value.code == code
    entry = room.confirm(number, SAM)
    assert entry.kind == "void" and room.purse("ann") == 20_000
    room.check()


def test_who_keyed_or_settled_neither_voids_nor_corrects_into_a_void_nor_confirms_it(room):
    room.do("table-buy-in", DAN, guest="ann", cents=20_000)
    room.do("sign-on", SUE)
    play(room, SUE, BANKER_WINS, "ann", player=10_000)
    assert room.refused("void", SUE, reason="misdeal").code == "own-round"
    number = room.asks("void", SAM, reason="misdeal")
    with pytest.raises(Refused, match="had a hand in the round"):
        room.confirm(number, SUE)
    room.do("settle", SUE)
    assert room.refused("correct", SUE, round=1, reason="so", void=True).code == "own-round"
    number = room.asks("correct", SAM, round=1, reason="so", void=True)
    with pytest.raises(Refused, match="had a hand in the round"):
        room.confirm(number, SUE)
    room.confirm(number, ROOT)
    assert room.purse("ann") == 20_000
    room.check()


def test_a_dealer_does_not_bet_the_chips_of_a_guest_with_a_screen(room):
    room.do("buy-in", CAT, guest="ann", cents=100_000)
    room.do("sit", ANN, seat=1, guest="ann")
    bet = {"seat": 1, "guest": "ann", "wager": "banker", "cents": 1_000}
    for fields in (bet, bet | {"seat": 2}):
        assert room.refused("bet", DAN, **fields).code == "own-screen"
    assert room.refused("bets", DAN, seat=1, guest="ann", bets=[["banker", 1_000]]).code == "own-screen"
    assert room.refused("tip", DAN, guest="ann", cents=1_000).code == "own-screen"
    room.do("bet", ANN, **bet)
    room.do("withdraw", DAN, seat=1, guest="ann", wager="banker")  # it is hers again
    room.do("leave", ANN, seat=1, guest="ann")
    assert room.refused("bet", DAN, **bet).code == "not-bought-here"
    room.check()


def test_who_has_bet_from_a_screen_has_it_until_he_leaves_by_himself(file_room):
    room = file_room
    room.do("buy-in", CAT, guest="ann", cents=100_000)
    bet = {"seat": 1, "guest": "ann", "wager": "banker", "cents": 20_000}
    room.do("bet", ANN, **bet)  # without a seat
    room.do("no-more-bets", DAN)
    room.do("card", DAN, cards=BANKER_WINS)
    room.do("settle", DAN)
    assert room.purse("ann") == 120_000 and not room.table.racks
    assert room.refused("bet", DAN, **bet).code == "own-screen"
    assert room.refused("tip", DAN, guest="ann", cents=20_000).code == "own-screen"
    room.do("bet", ANN, **bet)
    room.do("withdraw", DAN, seat=1, guest="ann", wager="banker")
    assert room.refused("bet", DAN, **bet | {"wager": "tie", "cents": 5_000}).code == "own-screen"
    room.do("sit", ANN, seat=1, guest="ann")
    room.do("leave", ANN, seat=1, guest="ann")
    assert room.refused("bet", DAN, **bet).code == "not-bought-here"
    room.check()


def test_a_seat_of_a_guest_with_a_screen_is_freed_by_the_dealer_only_when_nothing_waits_for_him(file_room):
    room = file_room
    room.do("buy-in", CAT, guest="ann", cents=100_000)
    for seat in (1, 2):
        room.do("sit", ANN, seat=seat, guest="ann")
    room.do("bet", ANN, seat=2, guest="ann", wager="banker", cents=1_000)
    assert room.refused("leave", DORA, seat=1, guest="ann").code == "not-on-table"
    assert room.refused("leave", DAN, seat=1, guest="ann").code == "own-screen"
    room.do("withdraw", ANN, seat=2, guest="ann", wager="banker")
    room.do("leave", DAN, seat=1, guest="ann")  # an empty chair
    room.do("leave", DAN, seat=2, guest="ann")
    assert room.refused("bet", DAN, seat=1, guest="ann", wager="banker", cents=1_000).code == "own-screen"
    room.check()


CALIFORNIA = {"table": "t2", "edition": "ez-baccarat-ca", "source": "hand-keyed"}


def test_nobody_passes_the_bank_of_a_guest_with_a_screen_while_he_may_answer(file_room):
    room = file_room
    room.do("open", SUE, **CALIFORNIA)
    room.do("sign-on", DORA, table="t2")
    room.do("sit", ANN, table="t2", seat=1, guest="ann")
    assert room.refused("pass", DAN, table="t2", seat=1, guest="ann").code == "not-on-table"
    assert "more seconds" in room.refused("pass", DORA, table="t2", seat=1, guest="ann").message
    assert "more seconds" in room.refused("leave", DORA, table="t2", seat=1, guest="ann").message
    room.clock.wait(seconds=61)
    room.do("pass", DORA, table="t2", seat=1, guest="ann")  # the table does not wait for ever
    room.check()


def test_whoever_dealt_to_a_bank_does_not_pay_it_out_alone(file_room):
    room = file_room
    room.do("open", SUE, **CALIFORNIA)
    room.do("sign-on", SAM, table="t2")
    for seat, guest in ((1, "bob"), (2, "eve")):
        room.do("buy-in", CAT, guest=guest, cents=50_000)
        room.do("sit", Actor(guest, "guest"), table="t2", seat=seat, guest=guest)
    room.do("bank", Actor("bob", "guest"), table="t2", seat=1, guest="bob", cents=40_000)
    room.do("bet", Actor("eve", "guest"), table="t2", seat=2, guest="eve", wager="player", cents=30_000)
    room.do("no-more-bets", SAM, table="t2")
    room.do("card", SAM, table="t2", cards=BANKER_WINS)
    room.do("settle", SAM, table="t2")
    room.asks("cash-out", SAM, guest="eve", cents=1_000)
    room.asks("cash-out", SAM, guest="bob", cents=1_000)
    room.do("cash-out", SUE, guest="bob", cents=1_000)
    room.check()


def test_whoever_corrected_a_round_does_not_pay_out_alone_what_it_gave(file_room):
    room = file_room
    room.do("table-buy-in", DAN, guest="ann", cents=20_000)
    play(room, DAN, BANKER_WINS, "ann", player=10_000)
    room.do("settle", DAN)
    correct = {"kind": "correct", "table": "t1", "round": 1, "reason": "so", "cards": PLAYER_WINS}
    room.both(correct, SUE, SAM)
    for paid_by in (SUE, SAM):
        room.asks("cash-out", paid_by, guest="ann", cents=1_000)
    room.do("cash-out", CAT, guest="ann", cents=1_000)
    room.check()


def test_only_the_dealer_on_the_table_mixes_and_no_guest_is_unseated_while_a_shoe_waits_for_him(file_room):
    room = file_room
    opens = {"edition": BACCARAT, "source": "virtual-shoe", "opener_cents": 1_000_000, "guest_seeds": 30}
    room.do("open", SUE, table="t2", **opens)
    dave = Actor("dave", "dealer")
    room.do("sign-on", dave, table="t2")
    room.do("buy-in", CAT, guest="ann", cents=1_000)
    room.do("sit", ANN, table="t2", seat=1, guest="ann")
    assert room.refused("leave", DORA, table="t2", seat=1, guest="ann").code == "not-on-table"
    assert room.refused("mix", DORA, table="t2").code == "not-on-table"
    assert "new shoe" in room.refused("leave", dave, table="t2", seat=1, guest="ann").message
    assert room.refused("mix", dave, table="t2").code == "seeds-awaited"
    room.clock.wait(seconds=31)
    mixed = room.do("mix", dave, table="t2")
    assert mixed.data["events"][-1]["left_out"] == ["ann"]
    room.check()


@pytest.mark.parametrize("name", ["\u0430nn", "Ann ", "Croupier", "house", "\uff21\uff2e\uff2e", "admin", "sue"])
@pytest.mark.parametrize("kind", ["table-buy-in", "buy-in", "correct"])
def test_nobody_comes_into_the_books_under_a_name_that_is_taken_for_another(file_room, kind, name):
    room = file_room
    room.floor.note("person-added", Actor("door", "administrator"), {"name": "sue", "role": "supervisor"})
    room.do("table-buy-in", DAN, guest="ann", cents=5_000)
    play(room, DAN, BANKER_WINS, "ann", banker=1_000)
    room.do("settle", DAN)
    if kind == "correct":
        refusal = room.refused("correct", SUE, round=1, reason="so", guests={"1": name})
    else:
        refusal = room.refused(kind, DAN if kind == "table-buy-in" else CAT, guest=name, cents=100)
    assert refusal.code in {"bad-name", "name-taken", "name-reserved"}


def test_a_guest_without_a_screen_is_bet_for_from_chips_bought_or_won_at_the_table(room):
    room.do("buy-in", CAT, guest="bob", cents=100_000)
    bet = {"seat": 1, "guest": "bob", "wager": "banker"}
    refusal = room.refused("bet", DAN, **bet, cents=1_000)
    assert refusal.code == "not-bought-here" and "table-buy-in" in refusal.message
    room.do("table-buy-in", DAN, guest="bob", cents=5_000)
    assert room.refused("bet", DAN, **bet, cents=5_001).code == "not-bought-here"
    room.do("bet", DAN, **bet, cents=5_000)
    room.do("no-more-bets", DAN)
    room.do("card", DAN, cards=BANKER_WINS)
    room.do("settle", DAN)
    assert room.table.racks == {"bob": 10_000}
    room.do("bet", DAN, **bet, cents=10_000)
    assert room.purse("bob") == 100_000 and not room.table.racks
    room.check()


# Dealers on tables


def test_only_the_dealer_on_the_table_deals(room):
    room.do("table-buy-in", DAN, guest="ann", cents=5_000)
    room.do("bet", DAN, seat=1, guest="ann", wager="banker", cents=5_000)
    for kind, fields in {
        "bet": {"seat": 2, "guest": "ann", "wager": "banker", "cents": 100},
        "table-buy-in": {"guest": "ann", "cents": 100},
        "no-more-bets": {},
        "new-shoe": {},
    }.items():
        for other in (DORA, SUE):
            refusal = room.refused(kind, other, **fields)
            assert refusal.code == "not-on-table" and "dan is" in refusal.message
    room.do("no-more-bets", DAN)
    assert room.refused("card", DORA, cards=BANKER_WINS).code == "not-on-table"
    assert room.refused("sign-on", DORA).code == "on-table"
    room.do("sign-off", DAN)
    assert room.refused("card", DAN, cards=BANKER_WINS).code == "not-on-table"
    room.do("sign-on", DORA)
    room.do("card", DORA, cards=BANKER_WINS)
    room.do("sign-on", SUE)
    assert room.refused("settle", DORA).code == "not-on-table"
    room.do("settle", SUE)
    dealt = [entry.actor for entry in room.floor.store.entries() if entry.kind in {"no-more-bets", "card", "settle"}]
    assert dealt == ["dan", "dora", "sue"]
    room.check()


def test_a_dealer_is_on_one_table_and_off_it_when_it_closes(room):
    room.floor.do({"kind": "open", "table": "t2", "edition": BACCARAT, "source": "hand-keyed", "opener_cents": 100}, SUE)
    with pytest.raises(Refused, match="sign off there first"):
        room.floor.do({"kind": "sign-on", "table": "t2"}, DAN)
    assert room.refused("sign-off", DORA).code == "not-on-table"
    room.do("close", SUE)
    room.floor.do({"kind": "sign-on", "table": "t2"}, DAN)
    room.floor.do({"kind": "sign-off", "table": "t2"}, SUE)
    room.check()


def test_signing_on_leaves_a_seats_clock_as_it_is(room):
    before = room.table.touched_at
    room.do("sign-on", SUE)
    assert room.table.touched_at == before


def test_a_round_whose_shoe_runs_out_goes_on_by_itself(file_room):
    """BJ-9: the house deals on from the discards, which needs no dealer; otherwise nobody deals in its name."""
    room, the_house = file_room, Actor("house", "supervisor")
    assert room.refused("no-more-bets", the_house).code == "not-on-table"
    opens = {"edition": "lucky-lucky-wa", "source": "virtual-shoe", "opener_cents": 10_000_000, "settings": {"decks": 1}}
    room.do("open", SUE, table="t2", **opens)

    def at_t2(kind, actor=DORA, **fields):
        return room.do(kind, actor, table="t2", **fields)

    def table():
        return room.floor.state.tables["t2"]

    at_t2("sign-on")
    at_t2("table-buy-in", guest="bob", cents=200_000)
    while not any(entry.actor == "house" and entry.kind == "deal" for entry in room.floor.store.entries()):
        near = 33 <= table().shoe.used < 39  # so near the cut card that seven hands need more than is left
        for seat in range(1, 8 if near else 2):
            at_t2("bet", seat=seat, guest="bob", wager="blackjack", cents=100)
        at_t2("no-more-bets")
        assert room.refused("deal", the_house, table="t2").code == "not-on-table"
        at_t2("deal")
        for _ in range(60):
            to_act = unfolded(table()).to_act
            if not to_act:
                break
            seat, allowed = next(iter(to_act.items()))
            at_t2(
                "decide",
                seat=seat,
                choice="hit" if near and "hit" in allowed else "stand" if "stand" in allowed else allowed[-1],
            )
        if table().round.phase == Phase.READY:
            at_t2("settle")
    assert "house" not in {spell.name for spell in table().worked}
    room.check()


# Requests


def test_a_request_lapses(room):
    number = room.asks("fill", CAT, cents=1_000)
    assert room.floor.state.requests[number].asked_by == "cat"
    room.clock.wait(minutes=16)
    with pytest.raises(Refused, match="has lapsed at"):
        room.confirm(number, SUE)
    room.both({"kind": "fill", "table": "t1", "cents": 1_000}, CAT, SUE)
    assert number not in room.floor.state.requests
    room.check()


def test_a_request_is_declined_by_the_second_person_or_taken_back(room):
    number = room.asks("credit", CAT, cents=1_000)
    with pytest.raises(Refused, match="may not decline"):
        room.do("decline", AUD, request=number, reason="no")
    room.do("decline", SUE, request=number, reason="count first")
    again = room.asks("credit", CAT, cents=1_000)
    assert again == number + 1
    room.do("decline", CAT, request=again, reason="a mistake")
    for each in (number, again, 99):
        with pytest.raises(Refused, match=f"no request {each} waits"):
            room.confirm(each, SUE)
    assert room.refused("decline", SUE, request=99, reason="none").code == "unknown-request"
    room.check()


def test_the_same_is_not_asked_twice(room):
    number = room.asks("fill", CAT, cents=1_000)
    refusal = room.refused("fill", CAT, cents=1_000)
    assert refusal.code == "asked-already" and f"request {number}" in refusal.message
    room.asks("fill", CARL, cents=1_000)


def test_what_cannot_be_done_is_not_asked_for(room):
    assert room.refused("fill", CAT, cents=900_000_000).code == "not-enough"
    assert room.refused("void", SUE, reason="bad luck").code == "unknown-reason"
    assert room.refused("correct", SUE, round=9, reason="x", cards=BANKER_WINS).code
    assert room.refused("duties", ROOT).code == "nothing-to-change"
    assert not room.floor.state.requests


def test_a_request_whose_state_changed_meanwhile_is_refused_and_nothing_changes(room):
    first = room.asks("credit", CAT, cents=10_000_000)
    second = room.asks("credit", CARL, cents=10_000_000)
    room.confirm(first, SUE)
    before = room.floor.state
    with pytest.raises(Refused) as caught:
        room.confirm(second, SUE)
    assert caught.value.code == "not-enough" and room.floor.state == before
    room.check()


def test_a_confirmation_with_a_key_happens_once(room):
    number = room.asks("fill", CAT, cents=1_000)
    command = {"kind": "confirm", "request": number}
    done = room.floor.do(command, SUE, "key-1")
    assert room.another().do(command, SUE, "key-1") == done
    with pytest.raises(Refused, match="was used for another command"):
        room.floor.do(command, SAM, "key-1")
    asked = room.floor.do({"kind": "fill", "table": "t1", "cents": 5}, CAT, "key-2")
    assert room.floor.do({"kind": "fill", "table": "t1", "cents": 5}, CAT, "key-2") == asked
    room.check()


def test_two_confirmations_at_once_carry_out_once(room):
    number = room.asks("fill", CAT, cents=1_000)
    floors, results = [room.another() for _ in range(4)], []
    begin = threading.Barrier(len(floors))

    def confirm(floor, actor):
        begin.wait()
        try:
            results.append(floor.do({"kind": "confirm", "request": number}, actor).kind)
        except Refused as refused:
            results.append(refused.code)

    threads = [threading.Thread(target=confirm, args=(f, a)) for f, a in zip(floors, (SUE, SAM, DAN, CARL), strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == ["fill", "unknown-request", "unknown-request", "unknown-request"]
    room.floor.refresh()
    assert room.floor.state.balance("tray:t1") == 10_001_000
    room.check()


def test_requests_outlive_the_process_that_took_them(room):
    number = room.asks("fill", CAT, cents=1_000)
    room.floor = room.another()  # what is in memory is gone
    room.floor.refresh()
    assert room.floor.state.requests[number].cents == 1_000
    room.confirm(number, SUE)
    room.check()


def test_a_killed_process_loses_no_request(room):
    program = (
        "import os, sys; from pathlib import Path; from houseway.house.floor import *; from houseway.house.store import Store;"
        "floor, credit = Floor(Store(sys.argv[1]), Path(sys.argv[2])), {'kind': 'credit', 'table': 't1', 'cents': 7};"
        "floor.do(credit, Actor('cat', 'cashier'));"
        "os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", program, room.url, str(room.key_file)], check=False)
    assert done.returncode == -9
    (request,) = room.another().refresh().requests.values()
    room.confirm(request.number, SUE)
    assert room.floor.state.balance("tray:t1") == 9_999_993


def test_a_confirmed_request_is_the_command_that_was_asked_for_and_no_other(file_room):
    """In the journal too: a command beyond its duty is refused by the handler itself, whatever its entry says."""
    room = file_room
    number = room.asks("fill", CAT, cents=1_000)
    at = room.clock().isoformat(timespec="microseconds")
    context = {"at": at, "day": at[:10], "actor": "cat", "role": "cashier", "form": 4}
    second = {"request": number, "asked_by": "cat", "confirmed_by": "sue", "role": "supervisor"}
    for fields, code in (
        ({}, "second-person"),
        ({"second": second | {"request": number + 1}}, "unknown-request"),
        ({"second": second, "cents": 2_000}, "another-request"),
        ({"second": second, "actor": "carl"}, "another-request"),
        ({"second": second | {"confirmed_by": "cat"}}, "not-second"),
        ({"second": second | {"confirmed_by": "house"}}, "not-second"),
        ({"second": second | {"role": "auditor"}}, "not-second"),
    ):
        command = {"kind": "fill", "table": "t1", "cents": 1_000} | context | fields
        with pytest.raises(Refused) as caught:
            handle(room.floor.state, command, "cashier", lambda: None)
        assert caught.value.code == code, fields


def test_nobody_gives_the_second_name_himself(room):
    for given in ("second", "begins", "confirmed_by", "asked_by"):
        with pytest.raises(Refused):
            room.do("fill", CAT, cents=1_000, **{given: {"request": 1, "confirmed_by": "sue", "role": "supervisor"}})


# How a house begins, and changes its duties


def test_a_new_house_begins_with_two_names_unless_its_first_word_is_one(tmp_path):
    room = Room(f"sqlite:///{tmp_path / 'a.db'}", tmp_path / "key", open_=False)
    assert room.floor.do({"kind": "fund", "cents": 100}, ROOT).kind == "requested"
    room.asks("duties", ROOT, names="one")
    alone = Room(f"sqlite:///{tmp_path / 'b.db'}", tmp_path / "key", open_=False)
    assert alone.do("duties", ROOT, names="one").kind == "duties"
    assert alone.floor.do({"kind": "fund", "cents": 100}, ROOT).kind == "fund"
    assert Auditor(alone.floor.store).run().notices == (ONE_NAME,)
    alone.do("duties", ROOT, names="two")
    assert alone.floor.do({"kind": "fund", "cents": 100}, ROOT).kind == "requested"
    alone.another().refresh()
    report = Auditor(alone.floor.store).run()
    assert report.flaws == () and report.notices == ("Entries 2 to 3 were made while the house worked with one name.",)


def test_an_odd_word_in_the_environment_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("HOUSEWAY_DUTIES", "three")
    with pytest.raises(Refused, match="HOUSEWAY_DUTIES"):
        Floor(Store(f"sqlite:///{tmp_path / 'a.db'}"), tmp_path / "key")


def test_limits_are_settings_that_two_change(room):
    change = {"kind": "duties", "duty_limits": {"buy-in": 1_000, "fill": 5_000}, "minutes": 3}
    assert room.refused("duties", ROOT, duty_limits={"correct": 5}).code == "unknown-act"
    assert room.refused("duties", SUE, names="one").code == "role-may-not"
    room.both(change, ROOT, SUE)
    room.do("buy-in", CAT, guest="ann", cents=1_000)
    room.asks("buy-in", CAT, guest="ann", cents=1)
    room.do("fill", CAT, cents=5_000)
    number = room.asks("fill", CAT, cents=5_001)
    room.clock.wait(minutes=4)
    with pytest.raises(Refused, match="lapsed"):
        room.confirm(number, SUE)
    room.check()


def test_a_table_is_not_opened_unwatched_by_one(room):
    fields = {"edition": BACCARAT, "source": "hand-keyed", "opener_cents": 100, "table": "t2"}
    for unwatched in ({"watch": "record"}, {"watch_cents": 300_001}):
        room.asks("open", SUE, **fields, **unwatched)
    room.both({"kind": "open", **fields, "watch": "record"}, SAM, ROOT)
    assert room.floor.state.tables["t2"].watch == "record" and room.table.watch == "acknowledge"
    room.check()


def test_one_person_neither_opens_nor_closes_a_table_with_a_large_tray(room):
    """The chips of an opener are a fill, those of a tray that closes a credit; so is a count that does not fit."""
    opens = {"edition": BACCARAT, "source": "hand-keyed", "table": "t2"}
    room.asks("open", SUE, **opens, opener_cents=10_000_001)
    assert room.refused("close", SUE, table="t9").code == "unknown-table"
    room.both({"kind": "open", **opens, "opener_cents": 20_000_000}, SAM, ROOT)
    room.asks("close", SUE, table="t2")
    room.asks("close", SUE, closer_cents=1)  # of t1, whose tray is not too large
    room.both({"kind": "close", "table": "t2"}, SAM, CAT)
    room.do("close", SUE)
    room.check()


def test_an_acknowledgement_is_of_what_is_keyed_now(room):
    room.do("table-buy-in", DAN, guest="ann", cents=10_000)
    room.do("bet", DAN, seat=1, guest="ann", wager="dragon-7", cents=10_000)
    room.do("no-more-bets", DAN)
    room.do("result", DAN, result="dragon-7")
    room.do("acknowledge", SUE)
    room.do("result", DAN, result="player-win", reason="keyed wrongly")
    room.do("result", DAN, result="dragon-7", reason="it was right at first")
    assert room.refused("settle", DAN).code == "acknowledge-first"


def test_nobody_acknowledges_a_payout_before_it_is_known(room):
    room.do("table-buy-in", DAN, guest="ann", cents=40_000)
    room.do("bet", DAN, seat=1, guest="ann", wager="dragon-7", cents=40_000)
    assert room.refused("acknowledge", SUE).code == "wrong-phase"
    room.do("no-more-bets", DAN)
    assert room.refused("acknowledge", SUE).code == "nothing-to-acknowledge"
    room.do("card", DAN, cards=DRAGON_7)
    assert room.refused("settle", DAN).code == "acknowledge-first"
    room.confirm(room.asks("acknowledge", SUE), SAM)
    room.do("settle", DAN)
    play(room, DAN, BANKER_WINS, "ann", banker=1_000)
    assert room.refused("acknowledge", SUE).code == "nothing-to-acknowledge"  # a small payout waits for nobody
    room.check()


def test_a_virtual_round_is_not_acknowledged_before_it_is_dealt(file_room):
    room = file_room
    room.do("open", SUE, table="t2", edition=BACCARAT, source="virtual-shoe", opener_cents=10_000_000)
    room.do("sign-on", DORA, table="t2")
    room.do("table-buy-in", DORA, table="t2", guest="bob", cents=10_000)
    room.do("bet", DORA, table="t2", seat=1, guest="bob", wager="dragon-7", cents=10_000)
    room.do("no-more-bets", DORA, table="t2")
    assert room.refused("acknowledge", SUE, table="t2").code == "nothing-to-acknowledge"
    room.check()


def test_an_acknowledgement_of_an_older_journal_keeps_its_meaning(file_room):
    """Before form 6 it could come first: such a round still settles."""
    room = file_room
    room.do("table-buy-in", DAN, guest="ann", cents=10_000)
    room.do("bet", DAN, seat=1, guest="ann", wager="dragon-7", cents=10_000)
    room.do("no-more-bets", DAN)
    state = room.floor.state
    for kind, actor, fields in (("acknowledge", SUE, {}), ("card", DAN, {"cards": DRAGON_7}), ("settle", DAN, {})):
        at = room.clock().isoformat(timespec="microseconds")
        by = {"at": at, "day": state.today.day, "actor": actor.name, "role": actor.role, "form": 5}
        state = handle(state, {"kind": kind, "table": "t1", **fields, **by}, actor.role, lambda: None).finished()
    assert state.balance("guest:ann") == 410_000


def test_what_anybody_of_the_staff_did_before_form_6_still_folds(file_room):
    """Dora, who is not on the table, frees a seat, and one person opens a table with a large tray."""
    room = file_room
    room.do("buy-in", CAT, guest="ann", cents=1_000)
    room.do("sit", ANN, seat=1, guest="ann")
    content = room.floor._with_edition({"kind": "open", "edition": BACCARAT})["bound"]
    opens = {"table": "t2", "edition": BACCARAT, "source": "hand-keyed", "opener_cents": 20_000_000, "bound": content}
    commands = (
        ({"kind": "leave", "table": "t1", "seat": 1, "guest": "ann"}, DORA),
        ({"kind": "open", **opens}, SUE),
        ({"kind": "close", "table": "t2"}, SUE),
    )
    for form, refusal in ((5, None), (6, {"not-on-table", "second-person"})):
        state = room.floor.state
        for command, actor in commands[: 3 if form == 5 else 2]:
            at = room.clock().isoformat(timespec="microseconds")
            by = {"at": at, "day": state.today.day, "actor": actor.name, "role": actor.role, "form": form}
            try:
                state = handle(state, command | by, actor.role, lambda: None).finished()
                assert refusal is None
            except Refused as refused:
                assert refusal is not None and refused.code in refusal


def test_a_void_that_was_asked_for_is_of_its_round_and_of_no_later_one(room):
    room.do("table-buy-in", DAN, guest="bob", cents=20_000)
    play(room, DAN, BANKER_WINS, "bob", banker=1_000)
    number = room.asks("void", SUE, reason="misdeal")
    assert "round 1" in request_words(room.floor.state, room.floor.state.requests[number], Reader("sam", "supervisor"))
    room.do("settle", DAN)
    play(room, DAN, BANKER_WINS, "bob", player=1_000)
    with pytest.raises(Refused, match="was for round 1 of t1, and round 2 is in play: ask again") as caught:
        room.confirm(number, SAM)
    assert caught.value.code == "another-round"
    (shown,) = requests_view(room.floor.state, Reader("sam", "supervisor"), room.clock(), "")
    assert not shown["may_confirm"] and "round 1" in shown["why_not"]
    again = room.asks("void", SUE, reason="misdeal")  # the old one is in nobody's way
    assert list(room.floor.state.requests) == [again]
    room.confirm(again, SAM)
    room.check()


def test_a_wager_that_is_to_be_changed_is_of_the_round_and_cards_that_were_seen(room):
    room.do("table-buy-in", DAN, guest="bob", cents=20_000)
    change = {"seat": 1, "wager": "banker", "stake_cents": 2_000, "reason": "so"}
    room.do("bet", DAN, seat=1, guest="bob", wager="banker", cents=1_000)
    room.do("no-more-bets", DAN)
    number = room.asks("change-bet", SUE, **change)
    room.do("card", DAN, cards=BANKER_WINS)
    with pytest.raises(Refused, match="the cards or stakes of round 1 are others than when request"):
        room.confirm(number, SAM)
    number = room.asks("change-bet", SUE, **change)
    room.do("settle", DAN)
    play(room, DAN, BANKER_WINS, "bob", banker=1_000)
    with pytest.raises(Refused, match="was for round 1"):
        room.confirm(number, SAM)
    room.confirm(room.asks("change-bet", SUE, **change), SAM)
    room.check()


def test_an_acknowledgement_that_was_asked_for_is_of_the_cards_that_were_there(room):
    room.do("table-buy-in", DAN, guest="ann", cents=30_000)
    play(room, DAN, DRAGON_7, "ann", dragon_7=30_000)
    number = room.asks("acknowledge", SUE)
    room.do("rekey", DAN, cards=DRAGON_7.replace("Ks", "Qs"), reason="keyed wrongly")
    with pytest.raises(Refused, match="the cards or stakes of round 1 are others"):
        room.confirm(number, SAM)
    assert room.refused("settle", DAN).code == "acknowledge-first"
    room.confirm(room.asks("acknowledge", SUE), SAM)
    room.do("settle", DAN)
    room.check()


def test_the_audit_knows_a_request_of_one_round_that_was_done_in_another(file_room):
    room = file_room
    room.do("table-buy-in", DAN, guest="bob", cents=20_000)
    play(room, DAN, BANKER_WINS, "bob", banker=1_000)
    number = room.asks("void", SUE, reason="misdeal")
    room.do("settle", DAN)
    play(room, DAN, BANKER_WINS, "bob", player=1_000)
    second = {"request": number, "asked_by": "sue", "confirmed_by": "sam", "role": "supervisor"}
    command = {"kind": "void", "table": "t1", "reason": "misdeal"}
    _forge(room, "void", SUE, {"command": command, "second": second})
    flaws = [flaw.what for flaw in Auditor(room.floor.store).run().flaws]
    assert f"request {number} was for round 1, and it was done in round 2" in flaws


def test_a_payout_beyond_the_limit_is_acknowledged_by_two(room):
    room.do("table-buy-in", DAN, guest="ann", cents=30_000)
    play(room, DAN, DRAGON_7, "ann", dragon_7=30_000)
    number = room.asks("acknowledge", SUE)
    assert room.floor.state.requests[number].cents == 1_200_000
    with pytest.raises(Refused, match="a dealer may not"):
        room.confirm(number, DAN)
    room.confirm(number, SAM)
    room.do("settle", DAN)
    room.check()


# Accounts: what the journal only notes


def test_an_account_is_given_by_two_once_there_are_two(room):
    new = {"name": "newcomer", "role": "dealer"}
    assert room.floor.ask_for("person-added", ROOT, new) is None  # nobody is there who could confirm it
    for actor in (ROOT, SUE):
        room.floor.note("person-added", Actor("door", "administrator"), {"name": actor.name, "role": actor.role})
    with pytest.raises(Refused, match="needs a second person"):
        room.floor.note("person-added", ROOT, new)
    asked = room.floor.ask_for("person-added", ROOT, new)
    number = asked.data["events"][0]["request"]
    with pytest.raises(Refused, match="needs a second person"):
        room.floor.note("person-added", ROOT, new)
    room.confirm(number, SUE)
    with pytest.raises(Refused, match="sue has confirmed"):
        room.confirm(number, SUE)
    assert room.floor.ask_for("person-added", ROOT, new) is None
    with pytest.raises(Refused):
        room.floor.note("person-added", ROOT, new | {"role": "administrator"})
    entry = room.floor.note("person-added", ROOT, new)
    assert entry.data["second"]["confirmed_by"] == "sue" and number not in room.floor.state.requests
    with pytest.raises(Refused):
        room.floor.note("person-added", ROOT, new)
    room.floor.note("person-changed", ROOT, {"name": "root", "role": "administrator", "password": True})  # his own
    room.check()


def test_before_the_first_command_too_an_account_is_given_by_two(tmp_path):
    room = Room(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "key", open_=False)
    for actor in (ROOT, SUE):
        room.floor.note("person-added", Actor("door", "supervisor"), {"name": actor.name, "role": actor.role})
    new = {"name": "sam", "role": "supervisor"}
    with pytest.raises(Refused, match="needs a second person"):
        room.floor.note("person-added", ROOT, new)
    asked = room.floor.ask_for("person-added", ROOT, new)
    assert asked is not None and room.floor.state.duties.names == "two"
    room.confirm(asked.data["events"][0]["request"], SUE)
    room.floor.note("person-added", ROOT, new)
    room.check()


def test_the_audit_knows_an_account_that_one_gave_before_the_first_command(tmp_path):
    room = Room(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "key", open_=False)
    for actor in (ROOT, SUE):
        room.floor.note("person-added", Actor("door", "supervisor"), {"name": actor.name, "role": actor.role})
    with room.floor.store.writing() as writer:
        data = {"name": "sam", "role": "supervisor", "form": 6, "begins": "two"}
        room.floor._append(writer, "person-added", "", ROOT, "", data, [])
    (flaw,) = Auditor(room.floor.store).run().flaws
    assert "root did it alone" in flaw.what


@pytest.mark.parametrize("note", [("person-removed", {}), ("person-changed", {"role": "auditor"})])
def test_what_somebody_asked_for_goes_with_his_account_or_role(file_room, note):
    room, (kind, now_is) = file_room, note
    door = Actor("door", "supervisor")
    for actor in (ROOT, OFFICE, SUE):
        room.floor.note("person-added", door, {"name": actor.name, "role": actor.role})
    number, roots = room.asks("fund", OFFICE, cents=1_000), room.asks("fund", ROOT, cents=1_000)
    room.floor.note(kind, door, {"name": OFFICE.name, "role": OFFICE.role} | now_is)
    with pytest.raises(Refused, match=f"no request {number} waits"):
        room.confirm(number, SUE)
    room.confirm(roots, SUE)
    room.check()


# The matrix: every duty by every pair of persons


def _prepare(room):
    """A house in which every act of the table of duties can be asked for."""
    for table in ("t2", "t3"):
        opens = {"table": table, "edition": BACCARAT, "source": "hand-keyed", "opener_cents": 10_000_000}
        room.floor.do({"kind": "open", **opens}, SUE)
    room.floor.do({"kind": "sign-on", "table": "t2"}, DORA)
    room.floor.do({"kind": "exclude", "guest": "zed", "ground": "house"}, SUE)
    room.do("table-buy-in", DAN, guest="ann", cents=100_000)
    play(room, DAN, BANKER_WINS, "ann", banker=1_000)
    room.do("settle", DAN)
    play(room, DAN, DRAGON_7, "ann", dragon_7=30_000)


ACTS = {
    "fund": {"cents": 1_000},
    "buy-in": {"guest": "eve", "cents": FIVE_THOUSAND},
    "table-buy-in": {"table": "t1", "guest": "eve", "cents": FIVE_THOUSAND},
    "cash-out": {"guest": "ann", "cents": 10_000},
    "fill": {"table": "t1", "cents": 1_000},
    "credit": {"table": "t1", "cents": 1_000},
    "open": {"table": "t9", "edition": BACCARAT, "source": "hand-keyed", "opener_cents": 100, "watch": "record"},
    "acknowledge": {"table": "t1"},
    "void": {"table": "t1", "reason": "misdeal"},
    "correct": {"table": "t1", "round": 1, "reason": "so", "cards": PLAYER_WINS},
    "change-bet": {"table": "t1", "seat": 1, "wager": "dragon-7", "stake_cents": 20_000, "reason": "so"},
    "replace-card": {"table": "t1", "place": 1, "card": "Qs", "reason": "seen"},
    "duties": {"minutes": 20},
    "readmit": {"guest": "zed"},
    "house-rule": {"rule": "operator", "value": "Kai's card room"},
    "close": {"table": "t3", "closer_cents": 5},
}
PEOPLE = [Actor(f"{role} {number}", role) for role in (*STAFF, "guest") for number in (1, 2)]


def test_the_matrix_knows_every_duty():
    early = {"correct-card", "swap-cards", "rekey", "undo"}
    accounts = {"person-added", "person-changed", "person-removed", "person-reset", "account-rules"}
    in_pieces = {"chips-in", "chips-out", "void-slip"}  # in a house with chips: test_pieces, test_slips
    assert set(DUTIES) == {*ACTS, *early, *accounts, *in_pieces, "lost-shoe", "patron-changed", "patrons-purged"}


@pytest.mark.parametrize("act", ACTS)
def test_every_duty_by_every_pair_of_persons(tmp_path, act):
    """Whoever may give the command asks; of all others, exactly those whom the table of duties names may confirm it."""
    room = Room(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "key")
    _prepare(room)
    if act == "cash-out":
        room.both({"kind": "duties", "duty_limits": {"cash-out": 100}}, ROOT, SUE)
    dealer, state = room.table.dealer, room.floor.state
    command = {"kind": act, **ACTS[act]}
    asked = 0
    for first in [*PEOPLE, DAN]:
        floor = room.floor
        if first.role not in COMMANDS[act].roles or (act == "table-buy-in" and first.name != dealer):
            with pytest.raises(Refused):
                floor.do(command, first)
            continue
        entry = floor.do(command, first)
        assert entry.kind == "requested", first
        number, asked = entry.data["events"][0]["request"], asked + 1
        waiting, reached = floor.state, (floor.seq, floor.hash)
        for second in [*PEOPLE, DAN, first]:
            may = second.role in DUTIES[act].second and second.name != first.name
            may = may and not (DUTIES[act].independent and second.name == "dan")
            try:
                floor.state, (floor.seq, floor.hash) = waiting, reached
                with floor.store.writing() as writer:
                    done = floor._answer(writer, {"kind": "confirm", "request": number}, second, "", room.clock())
                    assert may and done.kind == act and done.data["second"]["confirmed_by"] == second.name, (first, second)
                    raise TakenBackError
            except TakenBackError:
                pass
            except Refused as refused:
                assert not may and refused.code in {"not-second", "role-may-not"}, (first, second, refused.message)
        floor.state, (floor.seq, floor.hash) = waiting, reached
        assert waiting.balances == state.balances
        floor.do({"kind": "decline", "request": number, "reason": "next"}, first)
    assert asked or act == "table-buy-in"
    room.check()


class TakenBackError(Exception):
    """What rolls a trial back."""


def test_the_early_mends_need_two_once_something_is_paid(tmp_path):
    """Lucky Lucky is paid after three cards: whoever changes one of them afterwards reverses a payment."""
    room = Room(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "key")
    opens = {"table": "t2", "edition": "lucky-lucky-wa", "source": "hand-keyed", "opener_cents": 10_000_000}
    room.floor.do({"kind": "open", **opens}, SUE)

    def at_t2(kind, actor=DORA, **fields):
        return room.floor.do({"kind": kind, "table": "t2", **fields}, actor)

    at_t2("sign-on")
    at_t2("table-buy-in", guest="ann", cents=10_000)
    for wager in ("blackjack", "lucky-lucky"):
        at_t2("bet", seat=1, guest="ann", wager=wager, cents=1_000)
    at_t2("no-more-bets")
    at_t2("card", cards="7s 8h 6d Kc")
    table = room.floor.state.tables["t2"]
    assert table.round.early
    asked = at_t2("correct-card", place=1, card="9s", reason="keyed wrongly")
    assert asked.kind == "requested" and asked.data["command"]["card"] == "9s"
    stored = next(entry for entry in room.floor.store.entries(asked.seq - 1))
    assert room.another().refresh() == room.floor.state and stored.seq == asked.seq
    with pytest.raises(Refused):
        room.confirm(asked.data["events"][0]["request"], CAT)
    room.confirm(asked.data["events"][0]["request"], SUE)
    room.check()


# The audit, of a journal that a single insider has written


def _forge(room, kind, actor, data, table="t1", transfers=()):
    """Append an entry with a good hash: what a floor would have refused to write."""
    whole = {"salt": "00", "dice": 0, "drawn": "", "form": 4, "events": [], "transfers": []} | data
    with room.floor.store.writing() as writer:
        room.floor._append(writer, kind, table, actor, "", whole, list(transfers))


@pytest.mark.parametrize(
    ("kind", "actor", "data", "says"),
    [
        ("fill", CAT, {"command": {"kind": "fill", "table": "t1", "cents": 5}}, "cat did it alone"),
        ("void", DAN, {"command": {"kind": "void", "table": "t1", "reason": "misdeal"}}, "dan had a hand in round 1"),
        ("void", SUE, {"command": {"kind": "void", "table": "t1", "reason": "misdeal"}}, "sue did it alone"),
        ("acknowledge", DAN, {"command": {"kind": "acknowledge", "table": "t1"}}, "dan had a hand in round 1"),
        (
            "settle",
            DORA,
            {"command": {"kind": "settle", "table": "t1"}},
            "dora gave settle at t1 without being on it (dan was)",
        ),
        (
            "fill",
            CAT,
            {
                "command": {"kind": "fill", "table": "t1", "cents": 5},
                "second": {"request": 44, "asked_by": "cat", "confirmed_by": "sue", "role": "supervisor"},
            },
            "request 44, which nobody asked for",
        ),
    ],
)
def test_the_audit_tells_what_one_did_alone(file_room, kind, actor, data, says):
    room = file_room
    room.do("table-buy-in", DAN, guest="ann", cents=10_000)
    play(room, DAN, BANKER_WINS, "ann", banker=1_000)
    assert Auditor(room.floor.store).run().flaws == ()
    _forge(room, kind, actor, data)
    flaws = Auditor(room.floor.store).run().flaws
    assert any(says in flaw.what for flaw in flaws), flaws


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"confirmed_by": "cat"}, "cat confirmed what he asked for himself"),
        ({"confirmed_by": "house"}, "house confirmed what he asked for himself"),
        ({"role": "auditor"}, "sue confirmed it as auditor"),
        ({"asked_by": "carl"}, "it is done in the name of cat"),
    ],
)
def test_the_audit_knows_second_persons_that_are_none(file_room, changed, says):
    room = file_room
    number = room.asks("fill", CAT, cents=5)
    second = {"request": number, "asked_by": "cat", "confirmed_by": "sue", "role": "supervisor"} | changed
    _forge(room, "fill", CAT, {"command": {"kind": "fill", "table": "t1", "cents": 5}, "second": second})
    flaws = [flaw.what for flaw in Auditor(room.floor.store).run().flaws]
    assert any(says in flaw for flaw in flaws), flaws


def test_the_audit_knows_a_request_that_is_done_twice_or_late(file_room):
    room = file_room
    number = room.asks("fill", CAT, cents=5)
    entry = room.confirm(number, SUE)
    _forge(room, "fill", CAT, dict(entry.data))
    room.clock.wait(hours=1)
    _forge(room, "fill", CAT, dict(entry.data))
    flaws = [flaw.what for flaw in Auditor(room.floor.store).run().flaws]
    assert f"request {number} was carried out before" in flaws and f"request {number} had lapsed" in flaws


def test_an_older_house_goes_on_with_one_name(tmp_path):
    """A journal of before there were duties folds as it did; the audit says that one name did everything."""
    name = Path(__file__).parent / "journals" / "house-0.1.db"
    for file, copy in ((name, "house.db"), (name.with_suffix(".key"), "key")):
        shutil.copy(file, tmp_path / copy)
        (tmp_path / copy).chmod(0o600)
    floor = Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), tmp_path / "key", begins="two")
    state = floor.refresh()
    assert state.duties is not None and state.duties.names == "one"
    assert floor.do({"kind": "fund", "cents": 500}, ROOT).kind == "fund"
    assert ONE_NAME in Auditor(floor.store).run().notices
    floor.do({"kind": "duties", "names": "two"}, ROOT)
    assert floor.do({"kind": "fund", "cents": 500}, ROOT).kind == "requested"


@pytest.mark.parametrize("seed", range(4))
def test_whatever_many_people_try_the_audit_agrees_with_the_floor(tmp_path, seed):
    """Random commands by random people: what is carried out passes the audit's own account, and no act of a duty is alone."""
    room, pick = Room(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "key"), random.Random(seed)
    people = [ROOT, OFFICE, SUE, SAM, DAN, DORA, CAT, CARL, AUD, ANN]
    tried = Counter()
    for _ in range(700):
        room.clock.wait(seconds=pick.choice((1, 1, 1, 30, 200)))
        kind, fields = pick.choice(_MOVES)(room, pick)
        actor = pick.choice(people)
        if kind in COMMANDS and actor.role not in COMMANDS[kind].roles and pick.random() < 0.9:
            actor = pick.choice([each for each in people if each.role in COMMANDS[kind].roles])
        if kind in DEALING | FOR_GUESTS and pick.random() < 0.8:
            actor = next((each for each in people if each.name == room.table.dealer), actor)
        try:
            tried[room.do(kind, actor, **fields).kind] += 1
        except Refused as refused:
            tried[refused.code] += 1
    assert min(tried["requested"], tried["settle"], tried["not-on-table"]) > 1, tried
    for entry in room.floor.store.entries():
        if entry.kind in {"fund", "fill", "credit", "void", "correct", "change-bet"}:
            second = entry.data["second"]
            assert second["confirmed_by"] != entry.actor and second["role"] in DUTIES[entry.kind].second
    room.check()


def _bet(room, pick):
    wager = pick.choice(("banker", "player", "dragon-7", "dragon-7"))
    seat, guest = pick.choice(((1, "ann"), (2, "bob"), (3, "eve")))
    return "bet", {"seat": seat, "guest": guest, "wager": wager, "cents": pick.choice((100, 500, 10_000))}


def _second(room, pick):
    number = pick.choice([*room.floor.state.requests, 1])
    return pick.choice(
        (("confirm", {"request": number}), ("confirm", {"request": number}), ("decline", {"request": number, "reason": "no"}))
    )


_MOVES = [
    _bet,
    _bet,
    _bet,
    _second,
    _second,
    _second,
    lambda room, pick: ("sign-on", {}),
    lambda room, pick: ("sign-off", {}),
    lambda room, pick: ("table-buy-in", {"guest": pick.choice(("bob", "eve")), "cents": pick.choice((1_000, 20_000, 400_000))}),
    lambda room, pick: ("table-buy-in", {"guest": pick.choice(("bob", "eve")), "cents": 20_000}),
    lambda room, pick: ("buy-in", {"guest": pick.choice(("ann", "bob")), "cents": pick.choice((20_000, 400_000))}),
    lambda room, pick: ("cash-out", {"guest": pick.choice(("ann", "bob", "eve")), "cents": pick.choice((500, 5_000))}),
    lambda room, pick: ("no-more-bets", {}),
    lambda room, pick: ("no-more-bets", {}),
    lambda room, pick: ("card", {"cards": pick.choice((BANKER_WINS, PLAYER_WINS, DRAGON_7))}),
    lambda room, pick: ("card", {"cards": pick.choice((BANKER_WINS, PLAYER_WINS, DRAGON_7))}),
    lambda room, pick: ("settle", {}),
    lambda room, pick: ("settle", {}),
    lambda room, pick: ("acknowledge", {}),
    lambda room, pick: ("void", {"reason": "misdeal"}),
    lambda room, pick: ("correct", {"round": max(room.table.round.number - 1, 1), "reason": "so", "cards": PLAYER_WINS}),
    lambda room, pick: ("correct", {"round": max(room.table.round.number - 1, 1), "reason": "so", "void": True}),
    lambda room, pick: ("change-bet", {"seat": 2, "wager": "banker", "stake_cents": 200, "reason": "so"}),
    lambda room, pick: ("fill", {"cents": 100}),
    lambda room, pick: ("new-shoe", {}),
    lambda room, pick: ("sit", {"seat": 1, "guest": "ann"}),
]
