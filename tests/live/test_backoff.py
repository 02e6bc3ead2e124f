"""How often a password may be tried: waits that grow, and that nobody can turn against somebody else."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.house.backoff import (
    FORGOTTEN_SECONDS,
    FREE,
    HOT_AFTER,
    HOT_SECONDS,
    LONGEST_SECONDS,
    Backoff,
    TriedFrom,
    seconds_to_wait,
)
from houseway.refusal import Refused

HOME, STRANGER = TriedFrom("192.0.2.1"), TriedFrom("198.51.100.7")
NOW = 1_700_000_000.0


@pytest.fixture
def backoff(store_url, open_store) -> Backoff:
    return Backoff(open_store(store_url))


def wait(backoff: Backoff, name: str, source: TriedFrom, at: float) -> int:
    """The seconds that a try is asked to wait; 0 if it may be made (and counts)."""
    try:
        backoff.begin(name, source, at)
    except Refused as refused:
        assert refused.code == "try-later"
        return int(refused.message.split()[-2])
    return 0


def strangers(count: int) -> list[TriedFrom]:
    return [TriedFrom(f"198.51.100.{number}") for number in range(count)]


def test_waits_grow_to_a_quarter_of_an_hour_and_no_further(backoff: Backoff) -> None:
    at, waits = NOW, []
    for _ in range(FREE):
        assert wait(backoff, "admin", STRANGER, at) == 0
    for _ in range(12):
        waits.append(wait(backoff, "admin", STRANGER, at))
        at += waits[-1]
        assert wait(backoff, "admin", STRANGER, at) == 0, "whoever has waited may try"
    assert waits[:4] == [1, 2, 4, 8]
    assert waits == sorted(waits)
    assert waits[-1] == max(LONGEST_SECONDS, HOT_SECONDS)


def test_a_stranger_does_not_make_anybody_else_wait(backoff: Backoff) -> None:
    for turn in range(9):
        wait(backoff, "admin", STRANGER, NOW + turn * LONGEST_SECONDS)
    assert wait(backoff, "admin", STRANGER, NOW + 8 * LONGEST_SECONDS) > 0
    assert wait(backoff, "admin", HOME, NOW + 8 * LONGEST_SECONDS) == 0


def test_under_attack_from_everywhere_the_right_person_waits_once_and_shortly(backoff: Backoff) -> None:
    """Whatever the strangers do meanwhile, before his turn and at his turn."""
    for source in strangers(100):
        wait(backoff, "admin", source, NOW)
    assert backoff.failures("admin") >= HOT_AFTER
    assert wait(backoff, "admin", HOME, NOW) == HOT_SECONDS
    for second in range(HOT_SECONDS):
        for source in strangers(20):
            wait(backoff, "admin", source, NOW + second)
        assert 0 < wait(backoff, "admin", HOME, NOW + second) <= HOT_SECONDS - second
    assert wait(backoff, "admin", HOME, NOW + HOT_SECONDS) == 0


def test_a_known_browser_waits_for_its_own_mistakes_only(backoff: Backoff) -> None:
    """Also if a stranger sits behind the same address."""
    for source in [*strangers(50), *[HOME] * 20]:
        wait(backoff, "admin", source, NOW)
    known = TriedFrom(HOME.address, browser="d" * 64)
    assert wait(backoff, "admin", known, NOW) == 0
    for _ in range(FREE - 1):
        assert wait(backoff, "admin", known, NOW) == 0
    assert wait(backoff, "admin", known, NOW) == 1


def test_guessing_from_many_addresses_is_slow(backoff: Backoff) -> None:
    """Sixty addresses, each trying every second for five minutes: a few guesses each."""
    crowd = strangers(60)
    guesses = sum(wait(backoff, "admin", source, NOW + second) == 0 for second in range(0, 300, 5) for source in crowd)
    assert guesses <= 60 * 10


def test_a_right_password_forgets_the_wrong_ones_of_its_source_alone(backoff: Backoff) -> None:
    for source in (HOME, STRANGER):
        for _ in range(FREE):
            assert wait(backoff, "ann", source, NOW) == 0
    assert wait(backoff, "ann", HOME, NOW + 1) == 0
    backoff.succeeded("ann", HOME)
    assert [wait(backoff, "ann", HOME, NOW + 1) for _ in range(FREE)] == [0] * FREE
    assert wait(backoff, "ann", STRANGER, NOW) == 1


def test_half_a_try_is_none_and_forgets_none(backoff: Backoff) -> None:
    """Whoever knows the password but lacks the code cannot clear his wrong codes by leaving the code out."""
    at = NOW
    for _ in range(FREE + 3):
        if seconds := wait(backoff, "ann", HOME, at):
            at += seconds
            backoff.begin("ann", HOME, at)
    at += LONGEST_SECONDS
    for _ in range(5):
        backoff.begin("ann", HOME, at)
        backoff.withdraw("ann", HOME)
    backoff.begin("ann", HOME, at)
    assert wait(backoff, "ann", HOME, at) >= seconds_to_wait(FREE + 3)


def test_an_hour_later_all_is_forgotten(backoff: Backoff) -> None:
    for source in strangers(30):
        wait(backoff, "admin", source, NOW)
    assert wait(backoff, "admin", HOME, NOW + FORGOTTEN_SECONDS + 1) == 0
    assert backoff.failures("admin") == 1


@pytest.mark.parametrize("jump", [-86_400, -3_600, 3_600, 86_400])
def test_a_clock_that_jumps_makes_nobody_wait_longer(backoff: Backoff, jump: int) -> None:
    for _ in range(FREE + 1):
        wait(backoff, "admin", HOME, NOW)
    assert wait(backoff, "admin", HOME, NOW + jump) <= 1


def test_unknown_names_wait_as_known_ones_do(backoff: Backoff) -> None:
    """A wait tells nobody whether there is such an account, and look-alikes are counted together."""
    assert [wait(backoff, name, HOME, NOW) for name in ("nobody", "n0body", "NOBODY", "nobody")] == [0, 0, 0, 1]


def test_processes_count_together(store_url, open_store) -> None:
    processes = [Backoff(open_store(store_url)) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        waits = list(pool.map(lambda number: wait(processes[number % 4], "admin", STRANGER, NOW), range(40)))
    assert waits.count(0) == FREE, "of forty tries at once three were looked at"
    assert processes[0].failures("admin") == FREE


def test_rows_do_not_grow_for_ever(backoff: Backoff, monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlalchemy import func, select

    from houseway.house import schema

    monkeypatch.setattr("houseway.house.backoff.ROWS_MOST", 50)
    for number in range(120):
        wait(backoff, f"name {number}", STRANGER, NOW + number)
    with backoff.store.reading() as connection:
        assert connection.execute(select(func.count()).select_from(schema.attempts)).scalar_one() <= 52


@given(st.lists(st.integers(0, 40), min_size=2))
def test_more_failures_never_wait_less(failures: list[int]) -> None:
    waits = [seconds_to_wait(count) for count in sorted(failures)]
    assert waits == sorted(waits)
    assert max(waits) <= LONGEST_SECONDS
