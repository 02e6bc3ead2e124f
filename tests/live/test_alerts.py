"""Alerts: each raised when it should be and only then, on the page, in the log and by a signed webhook that names no guest."""

import json
import logging
import random
import re
import threading
from datetime import timedelta
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from chiprooms import ChipRoom
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from test_guests import ANN, CAT, DAN, HAL, ROOT, SUE, House

from houseway.house.alert_sender import KEY, SIGNATURE, AlertKeeper, AlertSettings, change_places, checked
from houseway.house.alerts import ALERTS, Situation, found_now
from houseway.house.audit import Auditor
from houseway.house.day_watch import DayWatch
from houseway.house.follows_count import LEAST_ROUNDS, CountWatch, exact_effects, p_value
from houseway.house.keys import HEADS
from houseway.house.one_finds import OneFinds
from houseway.house.patrons import PatronData
from houseway.refusal import Refused
from houseway.report.day_odds import day_odds
from houseway.table.entry import Entry
from houseway.table.state import Notice, changed
from houseway.view.words import note_words

DOCUMENT = Path(__file__).parents[2] / "docs" / "guests.md"
EXPECTED = {
    "table-without-dealer", "table-without-supervisor", "long-break", "clock-set", "slip-open", "high-payout", "may-not-play",
    "cash-near", "cash-report", "table-unbalanced", "not-kept", "follows-count", "hold-outside-range", "beyond-chance",
    "notice-due", "notice-late", "test",
}  # fmt: skip


class Keeping:
    """A house that is looked at, as it is when it is served."""

    def __init__(self, house):
        self.house, self.floor, self.note = house, house.floor, house.floor.note
        self.keeper = AlertKeeper(self, lambda: house.now)

    @property
    def now(self):
        return self.floor.seq, self.floor.state

    def kinds(self):
        self.keeper.look()
        return [alert["alert"] for alert in self.keeper.shown()]


@pytest.fixture
def house(tmp_path):
    made = House(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "key")
    made.open()
    return made


class Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((body, dict(self.headers)))
        self.send_response(500 if self.server.is_out else 204)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def hook():
    server = HTTPServer(("127.0.0.1", 0), Hook)
    server.got, server.is_out = [], False
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def test_every_kind_is_declared_with_its_words():
    assert set(ALERTS) >= EXPECTED
    assert all(kind.about and kind.severity in {"act", "look"} for kind in ALERTS.values())


def test_a_table_with_guests_and_no_dealer_is_an_alert_after_a_while_and_ends(house):
    watched = Keeping(house)
    assert watched.kinds() == []
    house.do("sit", ANN, table="t1", seat=1, guest="ann")
    assert watched.kinds() == []
    house.now += timedelta(seconds=61)
    assert watched.kinds() == ["table-without-dealer"]
    house.do("sign-on", DAN, table="t1")
    assert watched.kinds() == []


def test_supervision_and_breaks(house):
    house.open("t2")
    watched = Keeping(house)
    house.do("break", CAT)
    house.now += timedelta(minutes=10)
    assert watched.kinds() == [], "a house whose tables nobody supervises has no alert of it"
    house.do("supervise", SUE, table="t1")
    watched.kinds()
    house.now += timedelta(minutes=11)
    assert sorted(watched.kinds()) == ["long-break", "table-without-supervisor"]
    assert {alert["table"] for alert in watched.keeper.shown()} == {"t2", ""}


def test_a_clock_that_was_set_is_an_alert(house):
    assert [alert.kind for alert in found_now(Situation(house.floor.state, house.now, clock_is_off=True))] == ["clock-set"]


def test_slips_that_are_open_for_long(house, tmp_path):
    (tmp_path / "chips").mkdir()
    moment = [house.now]
    room = ChipRoom(tmp_path / "chips", clock=lambda: moment[0])
    room.do("request-fill", SUE, pieces={"500": 10})
    moment[0] += timedelta(minutes=31)
    room.do("request-credit", SUE, pieces={"500": 10})
    (alert,) = found_now(Situation(room.floor.state, moment[0]))
    assert (alert.kind, alert.table, alert.words()) == ("slip-open", "t1", "Slip fill-2 is open for 31 minutes")
    room.do("void-slip", SUE, table=None, slip="fill-2", reason="not needed")
    assert found_now(Situation(room.floor.state, moment[0])) == []


def test_who_may_not_play_cash_lines_and_payouts_are_alerts_of_their_entries(house):
    watched = Keeping(house)
    watched.kinds()
    house.do("exclude", HAL, guest="zed", ground="house")
    house.refused("buy-in", CAT, guest="zed", cents=100)
    house.patrons.register(PatronData(name="A", born="1970-01-01", document="1", address="x"), HAL, guest="ann")
    house.both({"kind": "duties", "duty_limits": {"buy-in": 10**9}}, ROOT, SUE)
    watched.kinds()
    house.do("buy-in", CAT, guest="ann", cents=900_000)
    house.patrons.identified("ann", CAT)
    house.do("buy-in", CAT, guest="ann", cents=200_000)
    assert sorted(watched.kinds()) == ["cash-near", "cash-report", "may-not-play"]
    shown = {alert["alert"]: alert for alert in watched.keeper.shown()}
    assert "ann" in shown["cash-report"]["words"] and shown["cash-report"]["entry"] == house.floor.seq
    house.now += timedelta(minutes=61)
    assert watched.kinds() == [], "what happened is shown for an hour"


def test_a_signed_webhook_names_no_guest_and_misses_nothing(house, hook, caplog):
    url = f"http://127.0.0.1:{hook.server_address[1]}/hook?token=secret"
    checked([url]).save(house.floor.keys)
    watched = Keeping(house)
    watched.keeper.look()
    house.do("exclude", HAL, guest="Waldemar", ground="house")
    house.refused("buy-in", CAT, guest="Waldemar", cents=100)
    hook.is_out = True
    with caplog.at_level(logging.WARNING, "houseway.alerts"):
        watched.keeper.look()
        watched.keeper.look()
    lines = [record.getMessage() for record in caplog.records]
    assert json.loads(lines[0])["alert"] == "may-not-play", "one line of JSON"
    assert "token" not in lines[1] and "tried again" in lines[1] and len(lines) == 2, "said once, without the token"
    assert len(hook.got) == 1, "a place that is out is not asked at every look"
    hook.is_out = False
    house.now += timedelta(seconds=31)
    again = Keeping(house)  # after a restart
    again.keeper.look()
    again.keeper.look()
    assert len(hook.got) == 2
    body, headers = hook.got[-1]
    Ed25519PublicKey.from_public_bytes(bytes.fromhex(headers[KEY])).verify(bytes.fromhex(headers[SIGNATURE]), body)
    assert headers[KEY] in house.floor.keys.public_keys()
    assert b"Waldemar" not in body and json.loads(body)["house"] == "Houseway" and "Waldemar" not in "".join(lines)
    told = json.loads(body)
    assert told["to"] == url.partition("/hook")[0] and told["sent"] == house.now.isoformat(timespec="seconds"), "no token"
    assert told["entry"] == house.floor.seq - 1, "before the note of the key that signed it"


def test_another_process_sends_nothing_twice(house, hook):
    checked([f"http://127.0.0.1:{hook.server_address[1]}/"]).save(house.floor.keys)
    first, second = Keeping(house), Keeping(house)
    for each in (first, second):
        each.keeper.look()
    house.do("exclude", HAL, guest="zed", ground="house")
    house.refused("buy-in", CAT, guest="zed", cents=100)
    for each in (first, second, first):
        each.keeper.look()
    assert len(hook.got) == 1
    assert first.kinds() == second.kinds() == ["may-not-play"], "each shows it"


def test_what_stands_is_sent_once_though_a_process_joins_later(house, hook):
    checked([f"http://127.0.0.1:{hook.server_address[1]}/"]).save(house.floor.keys)
    first = Keeping(house)
    house.do("sit", ANN, table="t1", seat=1, guest="ann")
    first.keeper.look()
    house.now += timedelta(seconds=61)
    first.keeper.look()
    second = Keeping(house)  # has not seen it stand for long
    for each in (second, first, second, first):
        house.now += timedelta(seconds=2)
        each.keeper.look()
    assert len(hook.got) == 1
    house.do("sign-on", DAN, table="t1")
    first.keeper.look()
    house.now += timedelta(minutes=10)
    house.do("sign-off", DAN, table="t1")
    first.keeper.look()
    house.now += timedelta(seconds=61)
    first.keeper.look()
    assert len(hook.got) == 2, "what is so again much later is told again"


# What the day's books give to look at

DRAGON, PLAYER, BANKER = "6s 2h Kd 2c 3c", "9s 7h Kd 3c", "2s 9h Kd Kc"
"""A win with the side bet, and two without."""


class Betting(Keeping):
    """A house whose day is followed; at a keyed table somebody bets on the banker and on Dragon 7."""

    def __init__(self, house, odds):
        super().__init__(house)
        self.day = DayWatch(self, odds)
        self.keeper = AlertKeeper(self, lambda: house.now, lambda: self.day.found)
        house.do("sign-on", DAN, table="t1")
        house.do("table-buy-in", DAN, table="t1", guest="ann", cents=40_000)

    def play(self, *rounds, wagers=("banker", "dragon-7")):
        for cards in rounds:
            for wager in wagers:
                self.house.do("bet", DAN, table="t1", seat=1, guest="ann", wager=wager, cents=500)
            self.house.do("no-more-bets", DAN, table="t1")
            self.house.do("card", DAN, table="t1", cards=cards)
            self.house.do("settle", DAN, table="t1")
            self.house.do("new-shoe", DAN, table="t1")

    def kinds(self):
        self.day.look()
        return sorted(super().kinds())


@pytest.fixture(scope="module")
def odds():
    return day_odds()


def test_a_side_bet_that_wins_beyond_chance_and_the_hold_that_follows_are_alerts(house, odds):
    watched = Betting(house, odds)
    watched.play(*[DRAGON, PLAYER, BANKER] * 4)
    assert watched.kinds() == [], "few hands prove nothing"
    watched.play(*[DRAGON, PLAYER, BANKER] * 4)
    assert watched.kinds() == ["beyond-chance"], "the hold of a table in play has to be farther off"
    house.do("sign-off", DAN, table="t1")
    house.do("close", SUE, table="t1")
    assert watched.kinds() == ["beyond-chance", "hold-outside-range"]
    words = {alert["alert"]: alert["words"] for alert in watched.keeper.shown()}
    assert words["beyond-chance"].startswith("t1, dragon-7: ") and "came 8 times in 24 hands" in words["beyond-chance"]
    assert words["hold-outside-range"].startswith("t1: its 24 rounds won -$1,520, outside of")
    assert {alert["severity"] for alert in watched.keeper.shown()} == {"look"}
    again = Betting.__new__(Betting)  # another process, which begins in the middle of the day
    Keeping.__init__(again, house)
    again.day = DayWatch(again, odds)
    again.day.look()
    assert [alert.details for alert in again.day.found] == [alert.details for alert in watched.day.found]


def test_of_several_processes_one_follows_the_day_and_when_it_ends_the_next(house, odds, tmp_path, monkeypatch):
    watched = Betting(house, odds)
    watched.play(*[DRAGON, PLAYER, BANKER] * 8)
    first, second = (DayWatch(watched, odds, OneFinds(tmp_path, "day")) for _ in range(2))
    second.look()
    with monkeypatch.context() as patched:
        patched.setattr(DayWatch, "_follow", lambda _: pytest.fail("another one follows"))
        first.look()
        assert first.found == second.found and [alert.kind for alert in first.found] == ["beyond-chance"]
    second._one._mark.close()  # as its process ends
    house.do("sign-off", DAN, table="t1")
    house.do("close", SUE, table="t1")
    first.look()
    assert sorted(alert.kind for alert in first.found) == ["beyond-chance", "hold-outside-range"]


def test_a_hold_that_is_far_off_is_an_alert_while_the_table_plays(house, odds):
    watched = Betting(house, odds)
    watched.play(*[PLAYER] * 24, wagers=("banker",))
    assert watched.kinds() == ["beyond-chance", "hold-outside-range"]


def test_results_as_chance_brings_them_are_no_alert(house, odds):
    watched = Betting(house, odds)
    watched.play(*[BANKER, PLAYER] * 10, DRAGON, BANKER, PLAYER)
    assert watched.kinds() == []
    house.do("sign-off", DAN, table="t1")
    house.do("close", SUE, table="t1")
    assert watched.kinds() == []
    house.now += timedelta(days=1)
    house.do("exclude", HAL, guest="zed", ground="house")
    assert watched.kinds() == [] and list(watched.day._books.days) == ["2026-11-19"], "days that are over are not kept"


def test_odds_are_not_asked_for_before_there_is_anything_to_tell(house):
    watched = Betting(house, lambda bound, wager: pytest.fail("nobody has to wait for them yet"))
    watched.play(PLAYER, BANKER)
    assert watched.kinds() == []


BAD_PLACES = [
    "ftp://x",
    "/tmp/file",
    "http://a\x00b",
    "http://",
    "https:///hook",
    "http://:80/",
    "http://x:99999/",
    "http://[::1",
]
BAD_PLACES += ["http://ann:secret@host/", "https://ann@host/hook"]


@pytest.mark.parametrize("place", BAD_PLACES)
def test_alerts_go_to_urls_with_a_host_and_without_a_password_only(house, place):
    before = house.floor.seq
    with pytest.raises(Refused, match="alerts go to a URL") as refused:
        change_places(house.floor, [place], ROOT)
    assert "secret" not in refused.value.message
    assert AlertSettings.load(house.floor.keys).places == () and house.floor.seq == before


def test_an_administrator_says_where_alerts_go_and_the_journal_says_who_without_secrets(house):
    with pytest.raises(Refused, match="a supervisor may not say where alerts go") as refused:
        change_places(house.floor, ["https://example.com/hook"], SUE)
    assert refused.value.code == "role-may-not" and AlertSettings.load(house.floor.keys).places == ()
    places = "https://example.com:8443/hook?token=secret", "http://[::1]:9000/"
    assert change_places(house.floor, places, ROOT) == AlertSettings.load(house.floor.keys) == AlertSettings(places)
    note = house.floor.store.entry(house.floor.seq)
    assert (note.kind, note.actor, note.role) == ("alert-places", ROOT.name, "administrator")
    assert note.data["places"] == ["https://example.com:8443", "http://[::1]:9000"] and "secret" not in note.payload
    words = "Alerts go to https://example.com:8443, http://[::1]:9000 from now on"
    assert note_words(note.kind, note.data) == words
    change_places(house.floor, [], ROOT)
    assert AlertSettings.load(house.floor.keys).places == ()
    assert not Auditor(house.floor.store).run().flaws


def test_the_receiver_of_the_documentation_believes_the_house_and_nobody_else(house, hook):
    place = f"http://127.0.0.1:{hook.server_address[1]}"
    change_places(house.floor, [f"{place}/hook"], ROOT)
    watched = Keeping(house)
    watched.keeper.look()
    house.do("sit", ANN, table="t1", seat=1, guest="ann")
    watched.keeper.look()
    house.now += timedelta(seconds=61)
    watched.keeper.look()  # what stands
    house.do("exclude", HAL, guest="zed", ground="house")
    house.refused("buy-in", CAT, guest="zed", cents=100)
    watched.keeper.look()  # what happened
    block = re.search(r"```python\n(.*?def believed.*?)```", DOCUMENT.read_text(), re.DOTALL)[1]
    receiver = {}
    exec(block, receiver)
    receiver |= {"HOUSE_KEY": house.floor.keys.newest(HEADS).public, "RECEIVER": place}
    believed, now = receiver["believed"], house.now
    assert len(hook.got) == 2
    for body, headers in hook.got:
        assert believed(body, headers[SIGNATURE], now)["entry"] > 0
        assert believed(body, headers[SIGNATURE], now) is None, "a replay"
        receiver["seen"].clear()
        with pytest.raises(ValueError, match="just now"):
            believed(body, headers[SIGNATURE], now + timedelta(minutes=6))
        with pytest.raises(InvalidSignature):
            believed(body.replace(b"look", b"lock").replace(b"act", b"cat"), headers[SIGNATURE], now)
        with pytest.raises(ValueError, match="another receiver"):
            believed.__globals__["RECEIVER"] = "https://example.org"
            believed(body, headers[SIGNATURE], now)
        believed.__globals__["RECEIVER"] = place
    other = Ed25519PrivateKey.generate().public_key().public_bytes_raw().hex()
    believed.__globals__["HOUSE_KEY"] = other
    with pytest.raises(InvalidSignature):
        believed(body, headers[SIGNATURE], now)


def test_a_payout_is_one_alert_however_often_surveillance_is_told(house):
    house.both({"kind": "duties", "duty_limits": {"buy-in": 10**9}}, ROOT, SUE)
    house.open("t9", watch_cents=10_000, watch="acknowledge")
    house.do("sign-on", DAN, table="t9")
    house.do("table-buy-in", DAN, table="t9", guest="ann", cents=40_000)
    watched = Keeping(house)
    watched.kinds()
    for wager in ("banker", "dragon-7"):
        house.do("bet", DAN, table="t9", seat=1, guest="ann", wager=wager, cents=500)
    house.do("no-more-bets", DAN, table="t9")
    house.do("card", DAN, table="t9", cards=DRAGON)
    watched.keeper.look()
    restarted = Keeping(house)
    restarted.keeper.look()
    house.refused("settle", DAN, table="t9")  # not yet: it waits for a supervisor
    house.do("acknowledge", SUE, table="t9")
    house.do("settle", DAN, table="t9")
    assert watched.kinds() == ["high-payout"]
    assert watched.keeper.shown()[0]["words"] == "t9 pays $200, above $100"
    assert restarted.kinds() == [], "a process that began in the middle of the round tells nothing twice"
    for wager in ("banker", "dragon-7"):
        house.do("bet", DAN, table="t9", seat=1, guest="ann", wager=wager, cents=500)
    house.do("no-more-bets", DAN, table="t9")
    house.do("card", DAN, table="t9", cards="6c 2d Kh 2s 3d")
    assert watched.kinds() == ["high-payout"] * 2, "the next round's payout is another"


def test_a_notice_to_the_commission_is_an_alert_until_it_is_sent(house, tmp_path):
    (tmp_path / "chips").mkdir()
    room = ChipRoom(tmp_path / "chips", clock=lambda: house.now)
    at = house.now.isoformat(timespec="microseconds")
    until = house.now + timedelta(hours=24)
    notice = Notice(3, "t1", "2026-11-18", at, until.isoformat(timespec="microseconds"), -30_000, "amount")
    state = changed(room.floor.state, notices={3: notice})
    (alert,) = found_now(Situation(state, house.now))
    assert alert.kind == "notice-due"
    assert alert.words() == f"t1 was off by $300: notice 3 to the commission is due by {until:%Y-%m-%d %H:%M} UTC"
    (alert,) = found_now(Situation(state, until + timedelta(seconds=1)))
    assert alert.kind == "notice-late" and "was due" in alert.words()


# A guest whose bets follow the count

EFFECTS = tuple(Fraction(n, 1000) for n in (-1, -1, 0, 1, 2, 2, 1, 0, -1, -3))
CARDS = {"low": ["4s", "5s", "6h", "5d"], "high": ["Ks", "Qh", "10d", "As"]}


def played(house, follows, rounds, seed=4):
    """Rounds as the journal tells them: what comes is drawn at random, and a counter bets more when it is good."""
    watch, rng, count, found = CountWatch(lambda table, wager: EFFECTS), random.Random(seed), 0, []
    for number in range(rounds):
        if number % 40 == 0:
            count = 0
            found += watch.follow(house.floor.state, entry(number, "new-shoe", []))
        stake = (5_000 if count > 3 else 500) if follows else rng.choice((500, 5_000))
        which = rng.choice(("low", "high"))
        events = [
            {"event": "cards-drawn", "shoe": "", "cards": CARDS[which]},
            {"event": "paid", "guest": "ann", "wager": "dragon-7", "stake_cents": stake},
            {"event": "round-settled", "round": number, "shoe_done": ""},
        ]
        found += watch.follow(house.floor.state, entry(number, "settle", events))
        count += 1 if which == "low" else -1
    return found


def entry(number, kind, events):
    payload = json.dumps({"events": events})
    return Entry(number + 1, "2026-11-18T20:00:00.000000+00:00", "2026-11-18", "t1", "dan", "dealer", kind, "", payload, "", "")


def test_bets_that_follow_the_count_are_found_and_others_are_not(house):
    (alert,) = played(house, follows=True, rounds=400)
    assert (alert.kind, alert.guest, alert.details["wager"]) == ("follows-count", "ann", "dragon-7")
    assert alert.details["p"] < 1e-5 and "ann" not in alert.words("a guest")
    for seed in range(20):
        assert played(house, follows=False, rounds=200, seed=seed) == []


def test_few_rounds_prove_nothing(house):
    assert played(house, follows=True, rounds=LEAST_ROUNDS - 1) == []
    assert p_value(0.9, 3) == 1.0


def test_the_effects_are_the_exact_ones_of_the_table(house):
    """Dragon 7: eights and nines that are gone help it, fours to sevens hurt; a game without protection is not watched."""
    effects = exact_effects(house.floor.state.tables["t1"], "dragon-7")
    assert len(effects) == 10 and all(effects[at] > 0 for at in (7, 8)) and all(effects[at] < 0 for at in (3, 4, 5, 6))


def test_what_happened_is_ticked_off_once_with_who_and_when_in_the_journal_and_in_every_process(house):
    watched, other = Keeping(house), Keeping(house)
    assert watched.kinds() == other.kinds() == []
    house.do("exclude", ANN, guest="ann")
    with pytest.raises(Refused, match="may not play"):
        house.do("buy-in", CAT, guest="ann", cents=1_000)
    assert watched.kinds() == ["may-not-play"]
    other.keeper._seq = house.floor.seq - 1  # it looks while the first one does not
    assert other.kinds() == ["may-not-play"]
    [alert] = watched.keeper.shown()
    for kind, entry in (("may-not-play", alert["entry"] + 1), ("cash-near", alert["entry"])):
        with pytest.raises(Refused, match="is no alert") as refused:
            watched.keeper.tick_off(kind, entry, SUE)
        assert refused.value.code == "no-such-alert"
    assert watched.kinds() == ["may-not-play"]
    watched.keeper.tick_off("may-not-play", alert["entry"], SUE)
    assert watched.kinds() == other.kinds() == []
    note = list(house.floor.store.entries())[-1]
    assert (note.kind, note.actor) == ("alert-seen", SUE.name)
    assert (note.data["alert"], note.data["entry"]) == ("may-not-play", alert["entry"])
    with pytest.raises(Refused, match="is no alert"):
        watched.keeper.tick_off("may-not-play", alert["entry"], SUE)
    assert not Auditor(house.floor.store).run().flaws


def test_of_several_processes_one_looks_for_alerts_and_when_it_ends_the_next_goes_on(house, hook, tmp_path, monkeypatch):
    checked([f"http://127.0.0.1:{hook.server_address[1]}/"]).save(house.floor.keys)
    first, second = Keeping(house), Keeping(house)
    for each in (first, second):
        each.keeper = AlertKeeper(each, lambda: house.now, one=OneFinds(tmp_path, "alerts"))
    assert first.kinds() == second.kinds() == []
    house.do("exclude", ANN, guest="ann")
    for cents in (1_000, 2_000):
        with pytest.raises(Refused):
            house.do("buy-in", CAT, guest="ann", cents=cents)
    with monkeypatch.context() as patched:
        assert first.kinds() == ["may-not-play"] * 2
        patched.setattr(AlertKeeper, "_find", lambda _: pytest.fail("another one looks"))
        assert second.kinds() == ["may-not-play"] * 2
        ticked, other = second.keeper.shown()
        second.keeper.tick_off("may-not-play", ticked["entry"], SUE)
        assert [alert["entry"] for alert in second.keeper.shown()] == [other["entry"]]
        assert second.kinds() == ["may-not-play"], "though whoever looks has not taken that in yet"
    assert first.kinds() == second.kinds() == ["may-not-play"]
    first.keeper._one._mark.close()  # as its process ends
    with pytest.raises(Refused):
        house.do("buy-in", CAT, guest="ann", cents=3_000)
    assert second.kinds() == ["may-not-play"] * 2
    assert len(hook.got) == 3, "each was sent once"


def test_a_busy_house_has_every_alert_however_much_happens_between_two_looks(house, monkeypatch):
    monkeypatch.setattr("houseway.house.alert_sender.READ_MOST", 3)
    watched = Keeping(house)
    watched.keeper.look()
    house.do("exclude", ANN, guest="ann")
    with pytest.raises(Refused):
        house.do("buy-in", CAT, guest="ann", cents=1_000)
    for number in range(10):
        house.do("buy-in", CAT, guest=f"guest {number}", cents=1_000)
    assert watched.kinds() == ["may-not-play"]
