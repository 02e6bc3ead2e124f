"""Nobody's time is cut or prolonged: not by those who come and go, and not by a clock that is set."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from houseway.house.audit import Auditor, Report
from houseway.house.clock import SteadyClock
from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table import Phase
from houseway.web.demo import BETTING_SECONDS, Demo
from houseway.web.served import ServedHouse

OFFICE, SUE, DAN, CAT = (
    Actor("root", "administrator"),
    Actor("sue", "supervisor"),
    Actor("dan", "dealer"),
    Actor("cat", "cashier"),
)
ANN, BEN = Actor("ann", "guest"), Actor("ben", "guest")
BEGAN = datetime(2026, 3, 1, 12, tzinfo=UTC)
DECISION_SECONDS = 30


class Times:
    """A wall clock that anybody may set, and seconds that nobody does."""

    def __init__(self) -> None:
        self.set_by, self.passed = timedelta(), 1_000.0

    def wall(self) -> datetime:
        return BEGAN + timedelta(seconds=self.passed - 1_000.0) + self.set_by

    def steady(self) -> float:
        return self.passed


@pytest.fixture
def times() -> Times:
    return Times()


@pytest.fixture
def floor(store_url: str, open_store: Callable[[str], Store], key_file: Path, times: Times) -> Floor:
    """A table of blackjack at which Ann is to decide; Ben has chips and no seat."""
    floor = Floor(open_store(store_url), key_file, SteadyClock(times.wall, times.steady))
    floor.do({"kind": "fund", "cents": 100_000_000}, OFFICE)
    for guest in (ANN, BEN):
        floor.do({"kind": "buy-in", "guest": guest.name, "cents": 100_000}, CAT)
    opening = {"edition": "lucky-lucky-wa", "source": "hand-keyed", "opener_cents": 10_000_000, "seats": 5}
    floor.do({"kind": "open", "table": "t", "decision_seconds": DECISION_SECONDS, **opening}, SUE)
    return floor


def _bet(floor: Floor, who: Actor, seat: int) -> None:
    floor.do({"kind": "bet", "table": "t", "seat": seat, "guest": who.name, "wager": "blackjack", "cents": 500}, who)


def _to_decide(floor: Floor) -> None:
    """Ann has ten, the dealer shows a six."""
    _bet(floor, ANN, 1)
    floor.do({"kind": "no-more-bets", "table": "t"}, DAN)
    floor.do({"kind": "card", "table": "t", "cards": "4s 6h 6d 9c"}, DAN)
    assert floor.state.tables["t"].round.phase == Phase.DECIDING


def _time_out(floor: Floor) -> Any:
    return floor.do({"kind": "time-out", "table": "t", "seat": 1}, DAN)


COMING_AND_GOING: list[tuple[Actor, dict[str, Any]]] = [
    (BEN, {"kind": "sit", "seat": 3}),
    (BEN, {"kind": "tip", "cents": 1}),
    (BEN, {"kind": "leave", "seat": 3}),
]


def test_whoever_comes_and_goes_sets_no_clock_of_a_decision(floor: Floor, times: Times) -> None:
    _to_decide(floor)
    for number, (who, command) in enumerate(COMING_AND_GOING * 3):
        times.passed += 4
        floor.do({"table": "t", "guest": who.name, **command}, who)
        if 4 * (number + 1) < DECISION_SECONDS:
            with pytest.raises(Refused, match=f"{DECISION_SECONDS - 4 * (number + 1)} more seconds"):
                _time_out(floor)
    assert times.passed - 1_000 > DECISION_SECONDS
    _time_out(floor)
    assert Auditor(floor.store).run().flaw is None


def test_a_decision_gives_the_next_one_its_time(floor: Floor, times: Times) -> None:
    _bet(floor, BEN, 2)
    _to_decide_two(floor)
    times.passed += DECISION_SECONDS - 1
    floor.do({"kind": "decide", "table": "t", "seat": 1, "guest": "ann", "choice": "stand"}, ANN)
    times.passed += 2
    with pytest.raises(Refused, match="more seconds"):
        floor.do({"kind": "time-out", "table": "t", "seat": 2}, DAN)


def _to_decide_two(floor: Floor) -> None:
    _bet(floor, ANN, 1)
    floor.do({"kind": "no-more-bets", "table": "t"}, DAN)
    floor.do({"kind": "card", "table": "t", "cards": "4s 5s 6h 6d 7d 9c"}, DAN)


@pytest.mark.parametrize("jump", [timedelta(hours=-3), timedelta(hours=3), timedelta(days=-400), timedelta(days=400)], ids=str)
def test_a_clock_that_is_set_neither_ends_nor_prolongs_a_decision(floor: Floor, times: Times, jump: timedelta) -> None:
    _to_decide(floor)
    times.set_by = jump
    times.passed += DECISION_SECONDS - 1
    with pytest.raises(Refused, match="1 more seconds"):
        _time_out(floor)
    times.passed += 2
    _time_out(floor)


@pytest.mark.parametrize("jump", [timedelta(hours=-3), timedelta(hours=3), timedelta(days=-400), timedelta(days=400)], ids=str)
def test_nor_does_it_where_another_process_has_taken_the_new_time_over_before(
    floor: Floor, times: Times, jump: timedelta, open_store: Callable[[str], Store], key_file: Path
) -> None:
    """One deals after the clock was set; the other, which did nothing since, is asked whether the time has run out."""
    other = Floor(open_store(floor.store.url), key_file, SteadyClock(times.wall, times.steady))
    other.refresh()
    times.set_by = jump
    _to_decide(floor)
    for asked in (other, floor):
        with pytest.raises(Refused, match=f"{DECISION_SECONDS} more seconds"):
            _time_out(asked)
    times.passed += DECISION_SECONDS - 1
    with pytest.raises(Refused, match="1 more seconds"):
        _time_out(other)
    times.passed += 2
    _time_out(other)


@pytest.mark.parametrize("jump", [timedelta(hours=-3), timedelta(hours=3)], ids=str)
def test_nor_the_time_in_which_screens_add_to_a_shoe(floor: Floor, times: Times, jump: timedelta) -> None:
    opening = {"edition": "lucky-lucky-wa", "source": "virtual-shoe", "opener_cents": 10_000_000, "guest_seeds": 20}
    floor.do({"kind": "open", "table": "v", **opening}, SUE)
    floor.do({"kind": "sit", "table": "v", "seat": 1, "guest": "ann"}, ANN)
    times.set_by = jump
    times.passed += 19
    with pytest.raises(Refused, match="1 more seconds"):
        floor.do({"kind": "mix", "table": "v"}, DAN)
    times.passed += 2
    floor.do({"kind": "mix", "table": "v"}, DAN)


@pytest.mark.parametrize("jump", [timedelta(hours=-3), timedelta(hours=3)], ids=str)
def test_nor_the_time_to_answer_for_a_bank(
    store_url: str, open_store: Callable[[str], Store], key_file: Path, times: Times, jump: timedelta
) -> None:
    floor = Floor(open_store(store_url), key_file, SteadyClock(times.wall, times.steady), begins="two")
    opening = {"edition": "ez-baccarat-ca", "source": "hand-keyed", "seats": 5, "watch": "acknowledge"}
    floor.do({"kind": "open", "table": "c", **opening}, SUE)
    floor.do({"kind": "sign-on", "table": "c"}, DAN)
    for seat, guest in enumerate((ANN, BEN), 1):
        floor.do({"kind": "sit", "table": "c", "seat": seat, "guest": guest.name}, guest)
    floor.do({"kind": "pass", "table": "c", "seat": 1, "guest": "ann"}, ANN)
    times.set_by = jump
    times.passed += 59
    with pytest.raises(Refused, match="1 more seconds"):
        floor.do({"kind": "pass", "table": "c", "seat": 2, "guest": "ben"}, DAN)
    times.passed += 2
    floor.do({"kind": "pass", "table": "c", "seat": 2, "guest": "ben"}, DAN)


def test_the_new_time_is_taken_over_when_nobody_is_to_decide(floor: Floor, times: Times) -> None:
    _to_decide(floor)
    times.set_by = timedelta(hours=5)
    tip = {"kind": "tip", "table": "t", "guest": "ben", "cents": 1}
    assert datetime.fromisoformat(floor.do(tip, BEN).at) == times.wall() - timedelta(hours=5)
    floor.do({"kind": "decide", "table": "t", "seat": 1, "guest": "ann", "choice": "stand"}, ANN)
    floor.do({"kind": "card", "table": "t", "cards": "5c"}, DAN)
    assert floor.state.tables["t"].round.phase == Phase.READY
    assert datetime.fromisoformat(floor.do(tip, BEN).at) == times.wall()


def test_within_a_process_time_never_goes_back_by_itself(times: Times) -> None:
    clock = SteadyClock(times.wall, times.steady)
    seen = []
    for jump in (0, -3600, 7200, -1, 0):
        times.set_by = timedelta(seconds=jump)
        times.passed += 1
        seen.append(clock())
    assert seen == [BEGAN + timedelta(seconds=second) for second in (1, 2, 3, 4, 5)]


def back_in_time(report: Report) -> list[str]:
    """What an audit tells of entries whose time goes back."""
    return [notice for notice in report.notices if "is dated" in notice]


def test_entries_whose_time_goes_back_are_told_by_the_audit(floor: Floor, times: Times) -> None:
    """Named, with both entries; and no flaw, for a clock may be set, and a house must not be shut for it."""
    assert back_in_time(Auditor(floor.store).run()) == []
    tip = {"kind": "tip", "table": "t", "guest": "ben", "cents": 1}
    last = floor.do(tip, BEN)
    times.set_by = timedelta(hours=-2)
    back = floor.do(tip, BEN)
    times.passed += 60
    floor.do(tip, BEN)  # later than the one before: nothing to tell
    report = Auditor(floor.store).run()
    assert report.flaw is None
    (told,) = back_in_time(report)
    assert f"entry {back.seq} is dated {back.at}, 2:00:00 before entry {last.seq}" in told


def test_what_the_house_does_with_an_entry_is_no_time_that_goes_back(store_url: str, open_store: Any, key_file: Path) -> None:
    """A shoe that is shuffled within a command is dated a moment after it."""
    ticks = iter(range(100_000))
    floor = Floor(open_store(store_url), key_file, lambda: BEGAN + timedelta(milliseconds=next(ticks)))
    floor.do({"kind": "fund", "cents": 100_000_000}, OFFICE)
    opening = {"edition": "duki-4-wa", "source": "virtual-shoe", "opener_cents": 10_000_000}
    floor.do({"kind": "open", "table": "t", **opening}, SUE)
    assert back_in_time(Auditor(floor.store).run()) == []


# The croupier of a demo house


@pytest.fixture
def demo(tmp_path: Path, times: Times) -> Demo:
    floor = Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), tmp_path / "key", SteadyClock(times.wall, times.steady))
    demo = Demo(ServedHouse(floor), times.steady)
    demo.set_up()
    for guest in ("ann", "ben"):
        demo.welcome(guest)
    return demo


def _tended(demo: Demo, table: str) -> Phase:
    demo._tend(demo.house.state.tables[table])
    return demo.house.state.tables[table].round.phase


def test_the_croupier_closes_bets_in_time_whoever_comes_goes_or_bets_again(demo: Demo, times: Times) -> None:
    bet = {"kind": "bet", "table": "Baccarat 1", "seat": 1, "wager": "player", "cents": 500}
    demo.house.do({**bet, "guest": "ann"}, ANN)
    assert _tended(demo, "Baccarat 1") == Phase.BETTING
    for number in range(int(BETTING_SECONDS // 5)):
        times.passed += 5.1
        demo.house.do({"kind": ("sit", "leave")[number % 2], "table": "Baccarat 1", "seat": 3, "guest": "ben"}, BEN)
        demo.house.do({**bet, "seat": 2, "guest": "ben", "cents": 500 + 100 * number}, BEN)
        phase = _tended(demo, "Baccarat 1")
    assert phase != Phase.BETTING


@pytest.mark.parametrize("jump", [timedelta(hours=-3), timedelta(hours=3)], ids=str)
def test_the_croupier_does_not_look_at_the_wall(demo: Demo, times: Times, jump: timedelta) -> None:
    bet = {"kind": "bet", "table": "Baccarat 1", "seat": 1, "wager": "player", "cents": 500}
    demo.house.do({**bet, "guest": "ann"}, ANN)
    assert _tended(demo, "Baccarat 1") == Phase.BETTING
    times.set_by = jump
    times.passed += BETTING_SECONDS - 1
    assert _tended(demo, "Baccarat 1") == Phase.BETTING
    times.passed += 2
    assert _tended(demo, "Baccarat 1") != Phase.BETTING
