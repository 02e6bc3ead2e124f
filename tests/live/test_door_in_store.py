"""The door on both databases, with a clock of our own: log-ins, their notes, locked screens, and sessions in every process."""

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from houseway.house import second_factor
from houseway.house.alerts import found_in
from houseway.house.backoff import FREE, HOT_SECONDS, TriedFrom
from houseway.house.floor import Actor
from houseway.house.login_notes import BARRED_NOTED_A_MINUTE, NOTED_A_MINUTE
from houseway.house.people import People
from houseway.house.sessions import end_sessions
from houseway.refusal import Refused
from houseway.table.event import FORM
from houseway.view import Reader
from houseway.web.people import LONGEST_SECONDS, STAFF_IDLE_SECONDS, Door
from houseway.web.served import LOBBY, ServedHouse, follow_others

PASSWORD, OTHER = "green felt, seven doors", "the moon ate my umbrella"
HOUSE, ADA = Actor("house", "supervisor"), Actor("Ada", "administrator")
HOME = TriedFrom("192.0.2.1")


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def open_door(store_url, open_floor, clock):
    """The doors of as many processes as one likes."""

    def make() -> Door:
        house = ServedHouse(open_floor(store_url))
        return Door(People(house.floor.store), house, clock)

    return make


@pytest.fixture
def door(open_door) -> Door:
    made = open_door()
    made.accounts.add("Ada", "administrator", PASSWORD, HOUSE)
    made.accounts.add("Dan", "dealer", PASSWORD, HOUSE)
    return made


def refusal(work, *given) -> str:
    try:
        work(*given)
    except Refused as refused:
        return refused.code
    return ""


def notes(door: Door, *kinds: str) -> list:
    return [entry for entry in door.people.store.entries() if entry.kind in kinds]


# Nobody locks anybody out


def test_strangers_do_not_lock_the_only_administrator_out(door, clock) -> None:
    for number in range(60):
        assert refusal(door.log_in, "Ada", "wrong", "", TriedFrom(f"198.51.100.{number % 20}")) in {"bad-login", "try-later"}
    known = door.log_in("Dan", PASSWORD, "", HOME)  # somebody else is not touched
    assert known
    assert refusal(door.log_in, "Ada", PASSWORD, "", HOME) == "try-later"
    clock.now += HOT_SECONDS
    for number in range(20):
        refusal(door.log_in, "Ada", "wrong", "", TriedFrom(f"198.51.100.{number}"))
    assert refusal(door.log_in, "Ada", PASSWORD, "", HOME) == "", "one short wait, whatever strangers do"


def test_a_browser_that_let_him_in_before_always_does(door) -> None:
    _, session = door.log_in("Ada", PASSWORD, "", HOME)
    kept = door.know_browser(session, "")
    for number in range(80):
        refusal(door.log_in, "Ada", "wrong", "", TriedFrom("192.0.2.1" if number % 2 else f"198.51.100.{number}"))
    from houseway.web.people import digest

    assert refusal(door.log_in, "Ada", PASSWORD, "", TriedFrom("192.0.2.1", digest(kept))) == ""
    assert refusal(door.log_in, "Ada", PASSWORD, "", TriedFrom("192.0.2.1", digest("forged"))) == "try-later"
    assert refusal(door.log_in, "Dan", "wrong", "", TriedFrom("192.0.2.1", digest(kept))) == "bad-login"
    assert door.people.knows_browser("Ada", digest(kept)) and not door.people.knows_browser("Dan", digest(kept))


# The journal


def test_log_ins_log_outs_failures_and_unknown_names_are_in_the_journal(door) -> None:
    token, session = door.log_in("Dan", PASSWORD, "", HOME)
    door.leave(door.who(token))
    refusal(door.log_in, "Dan", "a secret that must not be told", "", HOME)
    refusal(door.log_in, "Rumpelstilz\u202ehen", "a secret that must not be told", "", HOME)
    told = [(entry.kind, entry.actor, entry.data.get("name", "")) for entry in notes(door, "login", "logout", "login-failed")]
    assert told == [
        ("login", "Dan", ""),
        ("logout", "Dan", ""),
        ("login-failed", "door", "Dan"),
        ("login-failed", "door", "Rumpelst..."),
    ]
    everything = "".join(entry.payload for entry in door.people.store.entries())
    assert "must not be told" not in everything and session.csrf not in everything and token not in everything


def test_a_stranger_cannot_fill_the_journal(door, clock) -> None:
    before = door.people.store.head()[0]
    for number in range(60):
        refusal(door.log_in, f"unknown {number}", "wrong", "", TriedFrom(f"198.51.100.{number}"))
        refusal(door.log_in, "Dan", "wrong", "", TriedFrom(f"198.51.100.{number}"))
    assert door.people.store.head()[0] - before == 2 * NOTED_A_MINUTE
    clock.now += 60
    door.notes.tell(clock.now)
    door.notes.tell(clock.now)
    (summary,) = notes(door, "failed-logins")
    assert summary.data == {"minutes": 1, "of_accounts": 60 - NOTED_A_MINUTE, "of_unknown": 60 - NOTED_A_MINUTE}


def test_every_log_in_of_somebody_who_may_not_play_is_told(open_door, door, clock) -> None:
    """However many come in a minute, and whatever else fails then: each has a note, or is counted in the one that follows."""
    for number in range(12):
        door.house.do({"kind": "exclude", "guest": f"Guest {number}", "ground": "house"}, HOUSE)
    for number in range(20):  # passwords that are wrong take nothing away from them
        refusal(door.log_in, "Dan", "wrong", "", TriedFrom(f"198.51.100.{number}"))
    doors = [door, open_door()]
    for time in range(3):
        for number in range(12):
            assert refusal(doors[number % 2].join, f"Guest {number}") == "may-not-play", time
    at_once = notes(door, "attempt")
    assert len(at_once) == BARRED_NOTED_A_MINUTE and all("times" not in entry.data for entry in at_once)
    clock.now += 60
    for each in doors:
        each.notes.tell(clock.now)
    *_, summed = notes(door, "attempt")
    more = 36 - BARRED_NOTED_A_MINUTE
    assert summed.data["code"] == "may-not-play" and summed.data["times"] == more
    assert summed.data["message"] == f"guests who may not play came {more} times more, within 1 minute"
    assert len(notes(door, "attempt")) == BARRED_NOTED_A_MINUTE + 1
    (failures,) = notes(door, "failed-logins")
    assert failures.data == {"minutes": 1, "of_accounts": 20 - NOTED_A_MINUTE, "of_unknown": 0}
    assert [alert.words() for alert in found_in(summed)] == [f"Somebody who may not play tried to log in, {more} times more"]


def test_several_processes_bound_the_notes_together(open_door, door) -> None:
    doors = [door, *(open_door() for _ in range(3))]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda at: doors[at % 4].notes.failed(f"unknown {at}", False, 1, 1_700_000_000), range(40)))
    assert len(notes(door, "login-failed")) == NOTED_A_MINUTE


# Resetting and changing a password


def test_a_reset_password_lets_in_once_to_choose_another(door) -> None:
    token, _ = door.log_in("Dan", PASSWORD)
    one_time = door.accounts.reset("Dan", Actor("office", "administrator", shell="root"))
    assert door.who(token) is None, "all sessions end"
    assert refusal(door.log_in, "Dan", PASSWORD) == "bad-login"
    token, _ = door.log_in("Dan", one_time)
    assert door.who(token).needs == "password"
    assert refusal(door.accounts.change_own_password, Actor("Dan", "dealer"), one_time) == "same-password"
    door.accounts.change_own_password(Actor("Dan", "dealer"), OTHER, door.who(token).token)
    assert door.who(token).needs == ""
    assert refusal(door.log_in, "Dan", one_time) == "bad-login"
    (note,) = notes(door, "person-reset")
    how_it_began = {"form": FORM, "begins": "one"}
    assert note.data == {"name": "Dan", "role": "dealer", "shell": {"user": "root"}} | how_it_began


def test_a_reset_ends_waits_and_the_second_factor(door, clock) -> None:
    secret = door.accounts.offer_second_factor("Ada")
    door.accounts.begin_second_factor(ADA, second_factor.code_at(secret, int(clock.now) // 30), clock.now)
    for _ in range(FREE + 1):
        refusal(door.log_in, "Ada", "wrong", "", HOME)
    one_time = door.accounts.reset("Ada", Actor("office", "administrator", shell="root"))
    assert refusal(door.log_in, "Ada", one_time, "", HOME) == ""


def test_a_new_password_of_ones_own_ends_the_other_sessions(open_door, door) -> None:
    (here, _), (there, _), other = door.log_in("Dan", PASSWORD), door.log_in("Dan", PASSWORD), open_door()
    door.accounts.change_own_password(Actor("Dan", "dealer"), OTHER, door.who(here).token)
    assert door.who(here) and other.who(here)
    assert door.who(there) is None and other.who(there) is None


# The second factor


def test_with_a_second_factor_a_password_alone_is_not_enough(door, clock) -> None:
    secret = door.accounts.offer_second_factor("Dan")
    step = int(clock.now) // 30
    codes = door.accounts.begin_second_factor(Actor("Dan", "dealer"), second_factor.code_at(secret, step), clock.now)
    assert refusal(door.log_in, "Dan", PASSWORD) == "code-wanted"
    assert refusal(door.log_in, "Dan", "wrong", second_factor.code_at(secret, step + 1)) == "bad-login"
    assert refusal(door.log_in, "Dan", PASSWORD, second_factor.code_at(secret, step)) == "bad-code", "used when it was set up"
    clock.now += 60
    code = second_factor.code_at(secret, step + 2)
    assert refusal(door.log_in, "Dan", PASSWORD, code) == ""
    assert refusal(door.log_in, "Dan", PASSWORD, code) == "bad-code", "once"
    assert refusal(door.log_in, "Dan", PASSWORD, codes[3].upper()) == ""
    assert refusal(door.log_in, "Dan", PASSWORD, codes[3]) == "bad-code"


def test_wrong_codes_are_counted_as_wrong_passwords_are(door, clock) -> None:
    secret = door.accounts.offer_second_factor("Dan")
    door.accounts.begin_second_factor(Actor("Dan", "dealer"), second_factor.code_at(secret, int(clock.now) // 30), clock.now)
    came = []
    for _ in range(FREE + 2):
        came.append(refusal(door.log_in, "Dan", PASSWORD, "abcdef", HOME))
        refusal(door.log_in, "Dan", PASSWORD, "", HOME)  # leaving the code out forgets nothing
    assert came == ["bad-code"] * FREE + ["try-later"] * 2


def test_where_it_is_demanded_nothing_else_is_possible_without(open_door, door) -> None:
    token, _ = door.log_in("Dan", PASSWORD)
    door.accounts.demand_second_factor("demanded", ADA)
    assert door.who(token).needs == "second-factor" == open_door().who(token).needs
    guest, _ = door.join("Gus")
    assert door.who(guest).needs == ""
    with pytest.raises(Refused, match="demands a second factor"):
        door.accounts.end_second_factor(Actor("Dan", "dealer"))
    assert refusal(door.accounts.demand_second_factor, "perhaps", ADA) == "unknown-second-factor"


# Locked screens


def test_a_clock_that_is_set_back_keeps_no_screen_of_the_staff_open(open_door, door, clock) -> None:
    """How long nobody was there cannot be told any more: the password is asked for, and a session of the future is over."""
    token, began = door.log_in("Dan", PASSWORD)[0], clock.now
    clock.now += 200
    door.put_in(door.who(token))
    clock.now = began + 195
    assert not door.who(token).locked, "machines may differ by seconds"
    clock.now = began + 60
    assert [session.locked for session in open_door().sessions()] == [True]
    assert door.who(token).locked and open_door().who(token).locked
    door.unlock(door.who(token), PASSWORD, "", HOME)
    assert not door.who(token).locked
    clock.now = began - 3600
    assert open_door().sessions() == [] and door.who(token) is None, "else it would be open for an hour longer than any"


def test_a_staff_screen_locks_after_five_idle_minutes_and_reading_does_not_keep_it_open(open_door, door, clock) -> None:
    token, session = door.log_in("Dan", PASSWORD)
    for _ in range(30):
        clock.now += 10
        assert not door.who(token).locked
    clock.now += 1
    assert door.who(token).locked, "read every ten seconds, and locked all the same"
    assert open_door().who(token).locked, "in every process"
    clock.now -= 200
    assert door.who(token).locked, "a clock that is put back opens nothing"
    door.put_in(door.who(token))
    assert door.who(token).locked, "input is no password"
    assert refusal(door.unlock, session, "wrong", "", HOME) == "bad-login"
    assert door.who(token).locked
    door.unlock(session, PASSWORD, "", HOME)
    assert not door.who(token).locked


def test_input_keeps_a_screen_open(door, clock) -> None:
    token, _ = door.log_in("Dan", PASSWORD)
    for _ in range(20):
        clock.now += STAFF_IDLE_SECONDS - 5
        assert not door.who(token).locked
        door.put_in(door.who(token))
    assert door.locks_in(door.who(token)) == STAFF_IDLE_SECONDS


def test_guests_are_not_locked(door, clock) -> None:
    token, _ = door.join("Gus")
    clock.now += 10 * STAFF_IDLE_SECONDS
    assert not door.who(token).locked


def test_a_locked_screen_asks_for_the_code_too(door, clock) -> None:
    secret = door.accounts.offer_second_factor("Dan")
    door.accounts.begin_second_factor(Actor("Dan", "dealer"), second_factor.code_at(secret, int(clock.now) // 30), clock.now)
    clock.now += 30
    token, session = door.log_in("Dan", PASSWORD, second_factor.code_at(secret, int(clock.now) // 30))
    door.lock(session)
    assert door.who(token).locked
    assert refusal(door.unlock, session, PASSWORD, "", HOME) == "code-wanted"
    clock.now += 30
    door.unlock(session, PASSWORD, second_factor.code_at(secret, int(clock.now) // 30), HOME)
    assert not door.who(token).locked


def test_no_session_is_longer_than_a_shift_locked_or_not(door, clock) -> None:
    token, _ = door.log_in("Dan", PASSWORD)
    clock.now += LONGEST_SECONDS
    assert door.who(token).locked
    clock.now += 1
    assert door.who(token) is None
    assert door.sessions() == []


# Sessions, in every process at once


def test_an_administrator_who_was_removed_in_the_meantime_changes_nothing(door) -> None:
    """His request was let in before; when its turn comes he is nobody any more."""
    door.accounts.add("Bob", "administrator", PASSWORD, ADA)
    door.accounts.remove("Bob", ADA)
    assert refusal(door.accounts.add, "Carl", "dealer", PASSWORD, Actor("Bob", "administrator")) == "role-may-not"
    assert refusal(door.accounts.remove, "Dan", Actor("Bob", "administrator")) == "role-may-not"
    assert {person.name for person in door.accounts.people.all()} == {"Ada", "Dan"}


def test_sessions_are_listed_and_ended_by_their_owner_and_by_administrators(open_door, door) -> None:
    (mine, _), (hers, _) = door.log_in("Dan", PASSWORD, "", HOME, "Firefox"), door.log_in("Ada", PASSWORD)
    other = open_door()
    assert [(session.name, session.source, session.browser) for session in door.sessions("Dan", "dealer")] == [
        ("Dan", "192.0.2.1", "Firefox")
    ]
    dan, ada = door.who(mine), door.who(hers)
    assert refusal(other.end, ada.id, Actor("Dan", "dealer"), False) == "unknown-session", "not somebody else's"
    other.end(dan.id, ADA, True)
    assert door.who(mine) is None, "at once"
    assert refusal(other.end, dan.id, ADA, True) == "unknown-session"
    other.end(ada.id, ADA, False)
    assert door.who(hers) is None
    assert [entry.data["name"] for entry in notes(door, "session-ended")] == ["Dan", "Ada"]


def test_a_session_of_somebody_with_another_role_is_none(open_door, door) -> None:
    token, _ = door.log_in("Dan", PASSWORD)
    open_door().accounts.change("Dan", ADA, role="cashier")
    assert door.who(token) is None


@pytest.mark.parametrize("how", ["ended elsewhere", "reset in the shell", "locked"])
def test_a_stream_ends_when_its_session_does_whichever_process_ended_it(open_door, door, clock, how) -> None:
    token, _ = door.log_in("Dan", PASSWORD)
    session, other, stopped = door.who(token), open_door(), threading.Event()
    follower = threading.Thread(target=follow_others, args=(door.house, stopped), daemon=True)
    follower.start()

    def still_in() -> bool:
        now = door.who(token, touch=False)
        return now is not None and not now.locked

    async def watch() -> list[bytes]:
        heard = []
        async for event in door.house.watch(LOBBY, Reader("Dan", "dealer"), None, still_in):
            heard.append(event)
            if len(heard) == 1:
                if how == "ended elsewhere":
                    end_sessions(other.people, other.house, ADA, lambda one: one.id == session.id)
                elif how == "reset in the shell":
                    other.accounts.reset("Dan", Actor("office", "administrator", shell="root"))
                else:
                    clock.now += STAFF_IDLE_SECONDS + 1
                    other.house.do({"kind": "fund", "cents": 5}, Actor("root", "administrator"))
        return heard

    try:
        heard = asyncio.run(asyncio.wait_for(watch(), 10))  # long before the next heartbeat
    finally:
        stopped.set()
        other.house.floor.note("attempt", HOUSE, {"command": {}, "code": "", "message": ""})  # wakes the follower
        follower.join(10)
    assert len(heard) == 1, "nothing is told after the session has ended"
    assert json.loads(heard[0].decode().partition("data: ")[2])["tables"] == []
