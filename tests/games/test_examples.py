"""Two games outside the package: their odds are the published ones, and the whole house plays them."""

import json
from fractions import Fraction

import pytest
from folders import EXAMPLES
from starlette.testclient import TestClient

import houseway as hw
from houseway.house.audit import Auditor
from houseway.house.store import Store
from houseway.web.app import ServeSettings, create_app
from houseway.web.people import DOOR

PASSWORD = "green felt, seven doors"


@pytest.fixture(autouse=True)
def outside(monkeypatch):
    monkeypatch.setenv("HOUSEWAY_GAMES", str(EXAMPLES))


def percent(edge):
    return round(float(edge * 100), 2)


# Odds


@pytest.mark.parametrize(
    ("wager", "published", "exact"),
    [
        ("dragon", 3.73, Fraction(31, 830)),
        ("tiger", 3.73, Fraction(31, 830)),
        ("tie", 32.77, Fraction(136, 415)),
        ("suited-tie", 13.98, Fraction(58, 415)),
    ],
)
def test_dragon_tiger_with_eight_decks_has_the_published_edges(wager, published, exact):
    sheet = hw.edition("dragon-tiger").odds()[wager]
    assert sheet.house_edge == exact
    assert percent(sheet.house_edge) == published


def test_casino_war_with_six_decks_has_the_published_edges():
    war = hw.edition("casino-war")
    assert percent(war.odds()["bet"].house_edge) == percent(war.solved("bet", "war").house_edge) == 2.88
    assert percent(war.solved("bet", "surrender").house_edge) == 3.70
    assert percent(war.odds()["tie"].house_edge) == 18.65
    best, other = war.choices("9s", "9h")
    assert (best.name, other.name, other.worth) == ("war", "surrender", Fraction(-1, 2))


@pytest.mark.parametrize("edition", ["dragon-tiger", "casino-war"])
def test_every_published_figure_agrees(edition):
    assert {finding.status for finding in hw.edition(edition).verify()} == {"agrees"}


def test_war_is_worth_what_the_par_sheet_says():
    """What the choice is worth after a tie, and how often there is one, give the edge of the whole."""
    war = hw.edition("casino-war")
    tie = Fraction(war.odds()["tie"]["tie"].combinations, war.odds()["tie"].total)
    assert -war.odds()["bet"].house_edge == tie * war.choices("9s", "9h")[0].worth


# Rules


@pytest.mark.parametrize(
    ("cards", "wins"),
    [
        ("Ks Qh", {"dragon": 1000, "tiger": -1000, "tie": -500, "suited-tie": -500}),
        ("As 2h", {"dragon": -1000, "tiger": 1000, "tie": -500, "suited-tie": -500}),
        ("7s 7h", {"dragon": -500, "tiger": -500, "tie": 4000, "suited-tie": -500}),
        ("7s 7s", {"dragon": -500, "tiger": -500, "tie": 4000, "suited-tie": 25000}),
    ],
)
def test_dt_3_dt_4_the_higher_card_wins_and_a_tie_takes_half(cards, wins):
    made = hw.edition("dragon-tiger").settle(cards, "dragon=10,tiger=10,tie=5,suited-tie=5")
    assert {payment.wager: payment.win_cents for payment in made.payments} == wins


@pytest.mark.parametrize(
    ("cards", "choices", "wins"),
    [
        ("As Kh", "", {"bet": 1000, "tie": -500}),
        ("2s Kh", "", {"bet": -1000, "tie": -500}),
        ("9s 9h", "surrender", {"bet": -500, "tie": 5000}),
        ("9s 9h 2c 3c 4c Kd Qd", "war", {"bet": 0, "war": 1000, "tie": 5000}),
        ("9s 9h 2c 3c 4c Qs Qd", "war", {"bet": 0, "war": 1000, "tie": 5000}),
        ("9s 9h 2c 3c 4c Qs Kd", "war", {"bet": -1000, "war": -1000, "tie": 5000}),
    ],
)
def test_cw_3_to_cw_7_a_tie_is_war_or_surrender(cards, choices, wins):
    made = hw.edition("casino-war").settle(cards, "bet=10,tie=5", choices)
    assert {payment.wager: payment.win_cents for payment in made.payments} == wins


# The whole house


def post(client, path, token, **body):
    answer = client.post(f"/api/v1{path}", json=body, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200, answer.text
    return answer.json()


def staff(app, client, role):
    app.state.door.add(f"test {role}", role, PASSWORD, DOOR)
    return client.post("/api/v1/session", json={"name": f"test {role}", "password": PASSWORD}).json()["token"]


@pytest.fixture
def house(tmp_path):
    app = create_app(ServeSettings(f"sqlite:///{tmp_path}/house.db", tmp_path / "key", demo=False))
    with TestClient(app) as client:
        yield app, client
    assert Auditor(Store(f"sqlite:///{tmp_path}/house.db")).run().flaw is None


def open_table(app, client, edition, source="hand-keyed"):
    supervisor = staff(app, client, "supervisor")
    post(client, "/cage/fund", staff(app, client, "administrator"), cents=10_000_000)
    post(client, "/cage/buy-in", staff(app, client, "cashier"), guest="Ann", cents=100_000)
    post(client, "/tables", supervisor, table="T", edition=edition, source=source, seats=3, opener_cents=1_000_000)
    return staff(app, client, "dealer")


def seen(client, path, token):
    answer = client.get(f"/api/v1{path}", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_dragon_tiger_is_dealt_over_http(house):
    app, client = house
    dealer = open_table(app, client, "dragon-tiger")
    post(client, "/tables/T/bet", dealer, seat=1, guest="Ann", wager="tie", cents=500)
    post(client, "/tables/T/no-more-bets", dealer)
    assert seen(client, "/tables/T", dealer)["next_card"]["words"] == "Dragon, first card"
    post(client, "/tables/T/card", dealer, cards="7s")
    assert seen(client, "/tables/T", dealer)["next_card"]["words"] == "Tiger, first card"
    post(client, "/tables/T/card", dealer, cards="7s")
    post(client, "/tables/T/settle", dealer)
    view = seen(client, "/tables/T", dealer)
    assert [hand["name"] for hand in view["face"]["hands"]] == ["Dragon", "Tiger"]
    assert view["face"]["lines"] == ["A tie takes half · Tie pays 8 to 1"]
    assert view["last"]["payments"][0]["win_cents"] == 4000
    board = seen(client, "/boards/T", dealer)
    assert (board["kind"], board["hands"], board["counts"]["suited_tie"]) == ("roads", ["ES"], 1)
    assert board["face"]["board"]["sides"] == ["D", "T"]
    post(client, "/tables/T/bet", dealer, seat=1, guest="Ann", wager="dragon", cents=500)
    post(client, "/tables/T/no-more-bets", dealer)
    post(client, "/tables/T/result", dealer, result="tiger-win")
    post(client, "/tables/T/settle", dealer)
    assert seen(client, "/boards/T", dealer)["hands"] == ["ES", "T"]


def test_casino_war_is_dealt_over_http(house):
    app, client = house
    dealer = open_table(app, client, "casino-war")
    for seat, wager in ((1, "bet"), (2, "bet"), (1, "tie")):
        post(client, "/tables/T/bet", dealer, seat=seat, guest="Ann", wager=wager, cents=1000)
    post(client, "/tables/T/no-more-bets", dealer)
    post(client, "/tables/T/card", dealer, cards="9s Ks 9h")
    view = seen(client, "/tables/T", dealer)
    assert view["seats"][0]["choices_now"][0] == {
        "id": "war",
        "words": "Go to war",
        "key": "w",
        "quiet": False,
        "more_cents": 1000,
    }
    post(client, "/tables/T/decide", dealer, seat=1, choice="war", guest="Ann")
    for _ in range(3):
        assert seen(client, "/tables/T", dealer)["next_card"]["words"] == "Seat 1, burned card"
        post(client, "/tables/T/card", dealer, cards="2c")
    post(client, "/tables/T/card", dealer, cards="Qd")
    assert seen(client, "/tables/T", dealer)["next_card"]["words"] == "Dealer"
    post(client, "/tables/T/card", dealer, cards="Jd")
    post(client, "/tables/T/settle", dealer)
    view = seen(client, "/tables/T", dealer)
    paid = {(payment["seat"], payment["wager"]): payment["win_cents"] for payment in view["last"]["payments"]}
    assert paid == {(1, "bet"): 0, (1, "war"): 1000, (1, "tie"): 10_000, (2, "bet"): 1000}
    board = seen(client, "/boards/T", dealer)
    assert (board["kind"], board["rounds"], board["ends"]["War"]["win"]) == ("history", 1, 1)


@pytest.mark.parametrize("edition", ["dragon-tiger", "casino-war"])
def test_every_page_of_the_house_has_it(house, edition):
    app, client = house
    dealer = open_table(app, client, edition)
    client.cookies.clear()
    for path in ("/", "/tables/T", "/board/T", f"/editions/{edition}", "/lab", "/verify"):
        assert client.get(path).status_code == 200, path
    login = client.post("/api/v1/session", json={"name": "test dealer", "password": PASSWORD})
    assert login.status_code == 200
    page = client.get("/dealer/T")
    assert page.status_code == 200 and 'data-table="T"' in page.text
    assert edition in {each["id"] for each in client.get("/api/v1/editions").json()}
    wager = next(iter(hw.edition(edition).edition.wagers))
    odds = client.get(f"/api/v1/editions/{edition}/odds", params={"wager": wager}).json()
    assert odds["exact"] and len(client.get(f"/api/v1/editions/{edition}/decks", params={"wager": wager}).json()["points"]) > 1
    verified = client.get(f"/api/v1/verify/{edition}").json()
    assert verified["agrees"] > 0 and verified["explained"] == verified["differs"] == 0
    json.dumps(seen(client, "/tables/T", dealer))


def test_the_shell_plays_them(run, monkeypatch):
    assert "house edge 3.7349 %" in run("odds", "dragon-tiger")[1]
    assert "3.6977 %" in run("odds", "casino-war", "--wager", "bet", "--player", "surrender")[1]
    for edition, bets in (("dragon-tiger", "dragon=10,tie=5"), ("casino-war", "bet=10,tie=5")):
        answers = iter([bets, "", "", "q", "q"])
        monkeypatch.setattr("builtins.input", lambda _, answers=answers: next(answers, "war"))
        code, out, _ = run("play", edition)
        assert code == 0 and "is the one committed to" in out
        assert "This round" in out


def test_they_are_small_and_touch_nothing_else():
    """A model for a stranger: one folder, and less than two hundred lines of rules."""
    for folder in (EXAMPLES / "dragon_tiger", EXAMPLES / "casino_war"):
        assert len((folder / "game.py").read_text().splitlines()) < 250
