"""Limits that a house may post beside the tables' own: aggregate payouts, and California's rules of the bank."""

from datetime import UTC, datetime, timedelta

import pytest

from houseway.house.audit import Auditor
from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.refusal import Refused

SUE, DAN, CAT, ROOT = (Actor("sue", "supervisor"), Actor("dan", "dealer"), Actor("cat", "cashier"), Actor("r", "administrator"))
WAGER_MAX = 40_000


class Clock:
    """A clock that the test moves."""

    def __init__(self, day: str) -> None:
        self.at = datetime.fromisoformat(f"{day}T18:00:00").replace(tzinfo=UTC)

    def __call__(self) -> datetime:
        self.at += timedelta(seconds=1)
        return self.at

    def pass_by(self, minutes: float) -> None:
        self.at += timedelta(minutes=minutes)


class House:
    """A floor with guests who have money; commands in short."""

    def __init__(self, folder, day: str = "2026-11-15") -> None:
        self.clock = Clock(day)
        self.floor = Floor(Store(f"sqlite:///{folder / 'house.db'}"), folder / "house.key", clock=self.clock)
        self.do(ROOT, "fund", cents=10**9, table=None)
        for guest in ("ann", "bob", "cy", "tp"):
            self.do(CAT, "buy-in", guest=guest, cents=10**7, table=None)

    def do(self, actor: Actor, kind: str, **fields) -> dict:
        command = {"kind": kind, "table": "t"} | fields
        return self.floor.do({name: value for name, value in command.items() if value is not None}, actor).data

    def open(self, edition: str, **fields) -> None:
        self.do(SUE, "open", edition=edition, source="hand-keyed", **fields)

    def refuses(self, code: str, actor: Actor, kind: str, **fields) -> str:
        with pytest.raises(Refused) as refused:
            self.do(actor, kind, **fields)
        assert refused.value.code == code
        return refused.value.message


# WAC 230-15-490


@pytest.fixture
def house(tmp_path) -> House:
    return House(tmp_path)


def opening(edition: str, aggregates: dict[str, int], **fields) -> dict:
    return {"edition": edition, "source": "hand-keyed", "opener_cents": 10**8, "aggregates": aggregates} | fields


@pytest.mark.parametrize(
    ("edition", "wager", "odds"),
    [("ez-baccarat-wa", "dragon-7", 40), ("ez-baccarat-wa", "panda-8", 25), ("ez-pai-gow-wa", "red-black", 5)],
)
def test_no_aggregate_limit_where_the_top_odds_are_below_fifty(house, edition, wager, odds) -> None:
    said = house.refuses("no-aggregate", SUE, "open", **opening(edition, {wager: 10**9}))
    assert f"{odds} to 1" in said


@pytest.mark.parametrize(("edition", "wager"), [("lucky-lucky-wa", "lucky-lucky"), ("ez-pai-gow-wa", "dynasty")])
def test_the_limit_is_at_least_the_highest_wager_times_fifty(house, edition, wager) -> None:
    limits = {wager: [500, 10_000]}
    assert "$5,000" in house.refuses("no-aggregate", SUE, "open", **opening(edition, {wager: 499_999}, limits=limits))
    house.do(SUE, "open", **opening(edition, {wager: 500_000}, limits=limits))


def test_before_2021_the_limit_was_twice_the_higher_of_two(tmp_path) -> None:
    house = House(tmp_path, "2012-06-01")
    asked = opening("lucky-lucky-wa", {"lucky-lucky": 999_999}, limits={"lucky-lucky": [500, 10_000]})
    assert "$10,000" in house.refuses("no-aggregate", SUE, "open", **asked)
    house.do(SUE, "open", **(asked | {"aggregates": {"lucky-lucky": 1_000_000}}))


def test_a_player_s_bank_has_no_aggregate_limit(house) -> None:
    asked = opening("ez-baccarat-ca", {"dragon-7": 10**9}) | {"opener_cents": None}
    assert "bank" in house.refuses("no-aggregate", SUE, "open", **asked)


def test_winners_share_an_aggregate_limit_by_what_they_won_and_the_audit_agrees(house) -> None:
    """6-7-8 of one suit against an 8 pays 100 to 1 or more on Lucky Lucky: three seats win on the same deal."""
    house.do(SUE, "open", **opening("lucky-lucky-wa", {"lucky-lucky": 10_000}, limits={"lucky-lucky": [100, 200]}))
    for seat, guest in enumerate(("ann", "bob", "cy"), 1):
        house.do(DAN, "bet", seat=seat, guest=guest, wager="blackjack", cents=1_000)
        house.do(DAN, "bet", seat=seat, guest=guest, wager="lucky-lucky", cents=(100, 200, 200)[seat - 1])
    house.do(DAN, "no-more-bets")
    events = house.do(DAN, "card", cards="6h 6h 6h 8h 7h 7h 7h 2c")["events"]
    paid = {event["seat"]: event["win_cents"] for event in events if event["event"] == "paid"}
    assert paid == {3: 4_000, 2: 4_000, 1: 2_000}
    assert {"event": "aggregate-limit", "wager": "lucky-lucky", "cents": 10_000} in events
    assert Auditor(house.floor.store).run().flaw is None


# California


def bank_table(tmp_path, rules: str, day: str = "2026-11-15") -> House:
    house = House(tmp_path, day)
    house.open("ez-baccarat-ca", bank_rules=rules)
    for seat, guest in enumerate(("ann", "bob"), 1):
        house.do(DAN, "sit", seat=seat, guest=guest)
    return house


def hand(house: House, better: tuple[int, str], offer: bool = False) -> None:
    house.do(DAN, "bet", seat=better[0], guest=better[1], wager="banker", cents=1_000)
    if offer:
        house.do(DAN, "offer")
    house.do(DAN, "no-more-bets")
    house.do(DAN, "card", cards="Ks Qd 9h 9c")  # nines: a tie, all bets push
    house.do(DAN, "settle")


@pytest.mark.parametrize(("rules", "day"), [("rules-2026", "2026-03-31"), ("notice-2016", "2016-05-31")])
def test_rules_of_the_bank_bind_nobody_before_their_day(tmp_path, rules, day) -> None:
    house = House(tmp_path, day)
    asked = {"edition": "ez-baccarat-ca", "source": "hand-keyed", "bank_rules": rules}
    assert "in force from" in house.refuses("not-in-force", SUE, "open", **asked)
    assert "known: none" in house.refuses("unknown-bank-rules", SUE, "open", **(asked | {"bank_rules": "mine"}))


def test_2026_every_player_is_offered_the_bank_before_each_hand(tmp_path) -> None:
    house = bank_table(tmp_path, "rules-2026")
    house.do(DAN, "bank", seat=1, guest="ann", cents=100_000)
    for _ in range(2):
        house.do(DAN, "bet", seat=2, guest="bob", wager="banker", cents=1_000)
        house.refuses("not-offered", DAN, "no-more-bets")
        assert house.do(DAN, "offer")["events"][0]["seats"] == [1, 2]
        house.do(DAN, "no-more-bets")
        house.do(DAN, "card", cards="Ks Qd 9h 9c")
        house.do(DAN, "settle")


def test_2026_one_proposition_player_who_only_banks_and_never_twice_running(tmp_path) -> None:
    house = bank_table(tmp_path, "rules-2026")
    house.do(DAN, "sit", seat=3, guest="tp", proposition=True)
    house.refuses("one-proposition-player", DAN, "sit", seat=4, guest="cy", proposition=True)
    house.refuses("proposition-player", DAN, "bet", seat=3, guest="tp", wager="banker", cents=1_000)
    for seat, guest in ((1, "ann"), (2, "bob")):
        house.do(DAN, "pass", seat=seat, guest=guest)
    house.do(DAN, "bank", seat=3, guest="tp", cents=100_000)
    for _ in range(2):
        hand(house, (1, "ann"), offer=True)
    for seat, guest in ((1, "ann"), (2, "bob")):
        house.do(DAN, "pass", seat=seat, guest=guest)
    house.refuses("rotation", DAN, "bank", seat=3, guest="tp", cents=100_000)
    house.do(DAN, "pass", seat=3, guest="tp")
    house.do(DAN, "bank", seat=1, guest="ann", cents=100_000)


@pytest.mark.parametrize(("second", "goes_on"), [("ann", False), ("bob", True)])
def test_2026_two_other_players_bank_within_forty_minutes_or_the_game_ends(tmp_path, second, goes_on) -> None:
    house = bank_table(tmp_path, "rules-2026")
    house.do(DAN, "bank", seat=1, guest="ann", cents=100_000)
    for _ in range(2):
        hand(house, (2, "bob"), offer=True)
    house.clock.pass_by(20)
    if second == "ann":
        house.do(DAN, "pass", seat=2, guest="bob")
        house.do(DAN, "bank", seat=1, guest="ann", cents=100_000)
        better = (2, "bob")
    else:
        house.do(DAN, "bank", seat=2, guest="bob", cents=100_000)
        better = (1, "ann")
    hand(house, better, offer=True)
    house.clock.pass_by(19.5)
    house.do(DAN, "bet", seat=better[0], guest=better[1], wager="banker", cents=1_000)
    house.do(DAN, "offer")
    house.clock.pass_by(0 if goes_on else 1)
    if goes_on:
        house.do(DAN, "no-more-bets")
    else:
        assert "the game ends" in house.refuses("rotation-overdue", DAN, "no-more-bets")


def test_2016_nobody_banks_longer_than_sixty_minutes_then_the_game_stops_for_two(tmp_path) -> None:
    house = bank_table(tmp_path, "notice-2016")
    for _ in range(2):
        house.do(DAN, "bank", seat=1, guest="ann", cents=100_000)
        for _ in range(2):
            hand(house, (2, "bob"))
            house.clock.pass_by(16)
        house.clock.pass_by(-16)
        house.do(DAN, "pass", seat=2, guest="bob")
    house.do(DAN, "bank", seat=1, guest="ann", cents=100_000)
    house.clock.pass_by(30)
    house.do(DAN, "bet", seat=2, guest="bob", wager="banker", cents=1_000)
    house.refuses("banked-too-long", DAN, "no-more-bets")


def test_without_rules_a_bank_is_bound_by_the_sheet_alone(tmp_path) -> None:
    house = bank_table(tmp_path, "none")
    for _ in range(4):
        house.do(DAN, "bank", seat=1, guest="ann", cents=100_000)
        for _ in range(2):
            hand(house, (2, "bob"))
        house.clock.pass_by(30)
        house.do(DAN, "pass", seat=2, guest="bob")
    assert Auditor(house.floor.store).run().flaw is None
