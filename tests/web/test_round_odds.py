"""The odds of a round as it went: for its guests and the staff, when it is over and never before (GLI-19 4.18.2)."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from houses import Served, no_overflow, serving, shoot
from playwright.sync_api import Page, expect

from houseway.web import round_odds

API = "/api/v1"
TABLE = f"{API}/tables/B"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("round-odds")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "house.key") as served:
        served.open_table("B", "ez-baccarat-wa", seats=5)
        yield served


class Round:
    """A hand-keyed round of two guests, and everybody who might like to know its odds."""

    def __init__(self, house: Served, name: str) -> None:
        self.house, self.dealer = house, house.staff("dealer")
        self.token = house.joined(f"Ann {name}")["token"]
        self.ann, self.ben = house.anybody(Authorization=f"Bearer {self.token}"), house.guest(f"Ben {name}")
        self.readers = {"ann": self.ann, "ben": self.ben, "dealer": self.dealer, "anybody": house.anybody()}
        self.readers |= {role: house.staff(role) for role in ("supervisor", "auditor", "administrator")}
        for guest, seat, wager in ((self.ann, 2, "banker"), (self.ann, 2, "dragon-7"), (self.ben, 4, "player")):
            house.must(guest.post(f"{TABLE}/bet", json={"seat": seat, "wager": wager, "cents": 500}))

    def do(self, kind: str, **fields: Any) -> Any:
        return self.house.must(self.dealer.post(f"{TABLE}/{kind}", json=fields))

    def asked(self, seq: int) -> dict[str, httpx.Response]:
        return {name: reader.get(f"{API}/rounds/{seq}/odds", timeout=300) for name, reader in self.readers.items()}


def test_nobody_is_told_the_odds_of_a_round_in_play_and_its_guests_are_afterwards(house, monkeypatch):
    """Every entry of the round is asked for as long as it goes on; then each guest has his own seat, and the staff all."""
    round_ = Round(house, "one")
    for cards in ("Kh 6d", "4s 8s", "6s"):
        if cards == "Kh 6d":
            round_.do("no-more-bets")
        newest = round_.do("card", cards=cards)["seq"]
        for seq in range(newest - 1, newest + 2):
            for name, answer in round_.asked(seq).items():
                code = answer.json()["code"]
                assert code == ("not-logged-in" if name == "anybody" else "no-such-round"), (name, seq, answer.text)
        view = round_.house.must(round_.ann.get(TABLE))
        assert "odds" not in view
        assert "expected" not in str(view)
    round_.do("card", cards="2s")
    seq = round_.do("settle")["seq"]
    told = house.must(round_.ann.get(f"{API}/rounds/{seq}/odds", timeout=300))
    assert (told["seat"], told["seats"]) == (2, [2])
    assert [wager["wager"] for wager in told["wagers"]] == ["banker", "dragon-7"]
    assert len(told["moments"]) == 7
    assert told["wagers"][0]["odds"][0]["expected_exact"] == str(-house_edge())
    assert told["wagers"][0]["odds"][-1]["endings"][0]["chance_exact"] == "1"
    refused = round_.ann.get(f"{API}/rounds/{seq}/odds?seat=4")
    assert (refused.status_code, refused.json()["code"]) == (404, "unknown-seat")
    assert house.must(round_.readers["auditor"].get(f"{API}/rounds/{seq}/odds", timeout=300))["seats"] == [2, 4]
    stranger = house.guest("Cid").get(f"{API}/rounds/{seq}/odds")
    assert (stranger.status_code, stranger.json()["code"]) == (403, "not-your-seat")
    assert house.anybody().get(f"{API}/rounds/{seq}/odds").status_code == 401
    monkeypatch.setattr(round_odds, "worked_out", lambda _: pytest.fail("it was worked out before, and is kept"))
    assert house.must(round_.ann.get(f"{API}/rounds/{seq}/odds")) == told


def house_edge() -> Any:
    import houseway as hw

    return hw.edition("ez-baccarat-wa").odds()["banker"].house_edge


def test_the_page_shows_them_when_asked_on_a_phone_too(house, new_page: Callable[..., Page]):
    round_ = Round(house, "two")
    round_.do("no-more-bets")
    round_.do("card", cards="Kh 6d 4s 8s 6s 2s")
    seq = round_.do("settle")["seq"]
    page = new_page(390, 844, token=round_.token, url=house.url)
    page.goto(f"{house.url}/rounds/{seq}")
    expect(page.locator(".odds-table")).to_have_count(0)
    page.locator("#ask-odds").click()
    tables = page.locator(".odds-table")
    expect(tables).to_have_count(2, timeout=300_000)
    rows = tables.first.locator("tbody tr")
    expect(rows).to_have_count(7)
    expect(rows.first).to_contain_text("Before the deal")
    expect(rows.first).to_contain_text("43.6 %")
    expect(rows.last).to_contain_text("100 %")
    expect(page.locator("#odds")).to_contain_text("fresh shoe")
    expect(page.locator("#odds")).to_contain_text("All figures are exact")
    no_overflow(page)
    page.locator("#odds").scroll_into_view_if_needed()
    shoot(page, "round-odds-phone")
