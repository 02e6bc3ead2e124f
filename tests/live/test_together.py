"""Commands that wait for the same commit: each is an entry, a refused one changes nothing; if the store fails none happened."""

from collections.abc import Callable

import psycopg
import pytest
from sessions import CAT, DAN, ROOT, SUE

from houseway.house.audit import Auditor
from houseway.house.floor import Actor, Floor, GivenCommand
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table.entry import Entry

BET = {"kind": "bet", "table": "t1", "seat": 1, "guest": "ann", "wager": "banker", "cents": 1_000}
CLOSE, DEAL, SETTLE = ({"kind": kind, "table": "t1"} for kind in ("no-more-bets", "deal", "settle"))
OpenFloor = Callable[[str], Floor]


@pytest.fixture
def floor(store_url: str, open_floor: OpenFloor) -> Floor:
    floor = open_floor(store_url)
    floor.do({"kind": "fund", "cents": 10**9}, ROOT)
    floor.do({"kind": "buy-in", "guest": "ann", "cents": 10**6}, CAT)
    opening = {"edition": "ez-baccarat-wa", "source": "virtual-shoe", "opener_cents": 10**8}
    floor.do({"kind": "open", "table": "t1", **opening}, SUE)
    return floor


def given(*commands: dict[str, object], by: Actor = DAN) -> list[GivenCommand]:
    return [GivenCommand(command, by) for command in commands]


def codes(became: list[Entry | Exception]) -> list[str]:
    return [each.code if isinstance(each, Refused) else each.kind for each in became if isinstance(each, Refused | Entry)]


def test_a_whole_round_shares_a_commit_and_is_four_entries(floor: Floor, open_floor: OpenFloor) -> None:
    before = floor.store.head()[0]
    became = floor.do_together(given(BET, CLOSE, DEAL, SETTLE))
    assert codes(became) == ["bet", "no-more-bets", "deal", "settle"]
    seqs = [each.seq for each in became if isinstance(each, Entry)]
    assert seqs[0] == before + 1 and seqs == sorted(seqs)
    assert [entry.hash for entry in floor.store.entries(before) if entry.seq in seqs] == [each.hash for each in became]
    assert open_floor(floor.store.url).refresh() == floor.state
    assert Auditor(floor.store).run().flaw is None


def test_a_refused_one_changes_nothing_and_the_others_go_on(floor: Floor, open_floor: OpenFloor) -> None:
    became = floor.do_together(given({**BET, "cents": 10**9}, BET, SETTLE, {**BET, "seat": 99}, {**BET, "seat": 2}))
    assert [type(each).__name__ for each in became] == ["Refused", "Entry", "Refused", "Refused", "Entry"]
    assert set(floor.state.tables["t1"].round.spots) == {1, 2}
    assert open_floor(floor.store.url).refresh() == floor.state
    assert Auditor(floor.store).run().flaw is None


def test_one_key_twice_in_a_commit_has_one_effect(floor: Floor) -> None:
    asked = [GivenCommand(BET, DAN, "once"), GivenCommand(BET, DAN, "once"), GivenCommand({**BET, "cents": 2_000}, DAN, "once")]
    first, again, other = floor.do_together(asked)
    assert isinstance(first, Entry) and again == first
    assert isinstance(other, Refused) and other.code == "key-reused"
    assert floor.do_together(asked[:1]) == [first], "and when it is committed"


def test_a_correction_finds_a_round_that_was_settled_with_it(floor: Floor) -> None:
    """It reads what is committed, and so waits for the commit of those before it."""
    number = floor.state.tables["t1"].round.number
    void = {"kind": "correct", "table": "t1", "round": number, "void": True, "reason": "misdeal"}
    became = floor.do_together([*given(BET, CLOSE, DEAL, SETTLE), GivenCommand(void, SUE)])
    assert isinstance(became[-1], Entry) and became[-1].kind == "correct", became[-1]
    assert Auditor(floor.store).run().flaw is None


def test_if_the_commit_fails_none_has_happened(floor: Floor, open_floor: OpenFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    before = floor.store.head(), floor.state

    def lose(_: object) -> None:
        raise psycopg.OperationalError("the connection is lost")

    with monkeypatch.context() as patched:
        patched.setattr("houseway.house.store.Writer.finish", lose)
        became = floor.do_together(given(BET, {**BET, "seat": 2}))
    assert all(isinstance(each, Exception) and not isinstance(each, Refused) for each in became)
    assert (floor.store.head(), floor.state) == before
    assert open_floor(floor.store.url).refresh() == floor.state


def test_two_processes_take_turns_with_whole_commits(floor: Floor, open_floor: OpenFloor) -> None:
    other = open_floor(floor.store.url)
    for seat in range(1, 6, 2):
        assert codes(floor.do_together(given({**BET, "seat": seat}))) == ["bet"]
        assert codes(other.do_together(given({**BET, "seat": seat + 1}))) == ["bet"]
    assert floor.refresh() == other.refresh()
    assert Auditor(Store(floor.store.url)).run().flaw is None


def test_who_wrote_last_need_not_ask_where_the_head_is(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.house.store.Writer.hold_head", lambda _: pytest.fail("it was asked"))
    before = floor.store.head()[0]
    assert codes(floor.do_together(given(BET, SETTLE, CLOSE))) == ["bet", "wrong-phase", "no-more-bets"]
    assert codes(floor.do_together(given(BET))) == ["wrong-phase"]
    assert floor.store.head() == (before + 2, floor.hash)
    assert Auditor(floor.store).run().flaw is None


def test_whoever_believes_in_a_head_that_has_moved_tries_again_on_the_newest_state(floor: Floor, open_floor: OpenFloor) -> None:
    """Neither what was done nor what was refused on the state of before is told to anybody."""
    other = open_floor(floor.store.url)
    other.do_together(given(BET))
    assert codes(floor.do_together(given(CLOSE))) == ["no-more-bets"], "without a bet it would have been refused"
    assert codes(other.do_together(given(DEAL, SETTLE))) == ["deal", "settle"]
    assert codes(floor.do_together(given(SETTLE, BET, CLOSE))) == ["wrong-phase", "bet", "no-more-bets"]
    assert codes(other.do_together(given(BET, DEAL))) == ["wrong-phase", "deal"]
    assert floor.refresh() == other.refresh()
    assert Auditor(floor.store).run().flaw is None


def test_a_key_that_another_process_has_used_meanwhile_has_one_effect(floor: Floor, open_floor: OpenFloor) -> None:
    other, once = open_floor(floor.store.url), GivenCommand(BET, DAN, "once")
    done = other.do_together([once])
    assert floor.do_together([once, *given({**BET, "seat": 2})])[:1] == done
    assert floor.do_together([GivenCommand({**BET, "cents": 2_000}, DAN, "once")])[0].code == "key-reused"  # type: ignore[union-attr]
    assert Auditor(floor.store).run().flaw is None


def test_a_head_that_is_gone_is_not_believed_in(floor: Floor) -> None:
    with floor.store.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM head")
    for command in (BET, SETTLE):
        (became,) = floor.do_together(given(command))
        assert isinstance(became, Refused) and became.code == "chain-broken"
    assert len(list(floor.store.entries())) == floor.seq


def test_who_may_not_is_told_and_recorded_though_others_share_the_commit(floor: Floor) -> None:
    nobody = GivenCommand({"kind": "fund", "cents": 100}, DAN)
    became = floor.do_together([*given(BET), nobody, *given({**BET, "seat": 2})])
    assert codes(became) == ["bet", "role-may-not", "bet"]
    assert [entry.kind for entry in floor.store.entries(floor.seq - 1)] == ["attempt"]
