"""Accounts over HTTP: passwords of one's own, the second factor, locked screens, sessions, and what is asked first."""

import time
from collections.abc import Iterator

import httpx
import pytest
from houses import PASSWORD, PATIENCE, Served, serving

from houseway.house import second_factor
from houseway.web import people
from houseway.web.people import DOOR

API = "/api/v1"
OTHER = "the moon ate my umbrella"


class Clock:
    """The door's clock, which goes on only when we put it forward."""

    def __init__(self) -> None:
        self.began, self.ahead = time.time(), 0.0

    def __call__(self) -> float:
        return self.began + self.ahead


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("accounts")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key") as made:
        yield made


@pytest.fixture
def clock(house: Served) -> Iterator[Clock]:
    house.app.state.door.clock = clock = Clock()
    yield clock
    house.app.state.door.clock = time.time


def log_in(house: Served, name: str, password: str = PASSWORD, **more: str) -> httpx.Response:
    return httpx.post(f"{house.url}{API}/session", json={"name": name, "password": password} | more, timeout=PATIENCE)


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def is_idle(house: Served, clock: Clock, client: httpx.Client) -> None:
    """Five minutes pass, in which the screen is only read."""
    for _ in range(10):
        clock.ahead += people.STAFF_IDLE_SECONDS / 10
        client.get(f"{API}/session")
        client.get(f"{API}/floor")
    clock.ahead += 2


def test_everybody_changes_his_own_password(house: Served) -> None:
    dana, elsewhere = house.staff("dealer", "Dana"), house.staff("dealer", "Dana")
    change = {"password": PASSWORD, "new_password": OTHER}
    wrong = change | {"password": "wrong password here"}
    assert code(dana.post(f"{API}/account/password", json=wrong)) == (401, "bad-login")
    for poor in ("short", "password2026!", "Dana-Dana-2026", PASSWORD):
        answer = dana.post(f"{API}/account/password", json=change | {"new_password": poor})
        assert answer.status_code == 400, answer.text
    assert log_in(house, "Dana").status_code == 200, "nothing changed"
    house.must(dana.post(f"{API}/account/password", json=change))
    assert dana.get(f"{API}/session").status_code == 200, "this one goes on"
    assert elsewhere.get(f"{API}/session").status_code == 401
    assert code(log_in(house, "Dana")) == (401, "bad-login")
    assert log_in(house, "Dana", OTHER).status_code == 200


def test_after_a_reset_nothing_is_possible_but_a_new_password(house: Served) -> None:
    house.app.state.door.add("Rosa", "supervisor", PASSWORD, DOOR)
    admin = house.staff("administrator")
    one_time = house.must(admin.post(f"{API}/people/Rosa/reset"))["password"]
    opened = log_in(house, "Rosa", one_time).json()
    assert opened["needs"] == "password"
    rosa = house.anybody(Authorization=f"Bearer {opened['token']}")
    for path in ("floor", "journal", "session"):
        assert code(rosa.get(f"{API}/{path}")) == (403, "password-needed")
    assert code(rosa.post(f"{API}/tables/Baccarat 1/void", json={"reason": "misdeal"})) == (403, "password-needed")
    assert rosa.get(f"{API}/account").json()["needs"] == "password"
    page = httpx.get(f"{house.url}/floor", cookies={"houseway": opened["token"]}, timeout=PATIENCE)
    assert (page.status_code, page.headers["location"]) == (303, "/account")
    house.must(rosa.post(f"{API}/account/password", json={"new_password": OTHER}))
    assert rosa.get(f"{API}/floor").status_code == 200
    notes = [event for event in admin.get(f"{API}/floor").json()["events"] if event["event"] == "person-reset"]
    assert [note["details"]["name"] for note in notes] == ["Rosa"]
    assert one_time not in admin.get(f"{API}/journal?limit=500").text


def test_a_second_factor_is_set_up_asked_for_and_taken_off(house: Served, clock: Clock) -> None:
    tina = house.staff("cashier", "Tina")
    assert code(tina.post(f"{API}/account/second-factor", json={"password": "wrong password"})) == (401, "bad-login")
    offered = house.must(tina.post(f"{API}/account/second-factor", json={"password": PASSWORD}))
    assert offered["uri"].startswith(f"otpauth://totp/Houseway:Tina?secret={offered['secret']}")
    assert log_in(house, "Tina").status_code == 200, "it does not count yet"
    assert code(tina.post(f"{API}/account/second-factor/confirm", json={"code": "12345"})) == (401, "bad-code")

    def now() -> str:
        return second_factor.code_at(offered["secret"], int(clock()) // 30)

    recovery = house.must(tina.post(f"{API}/account/second-factor/confirm", json={"code": now()}))["recovery_codes"]
    assert code(log_in(house, "Tina")) == (401, "code-wanted")
    assert code(log_in(house, "Tina", code=now())) == (401, "bad-code"), "this one was used"
    clock.ahead += 30
    given = now()
    assert log_in(house, "Tina", code=given).status_code == 200
    assert code(log_in(house, "Tina", code=given)) == (401, "bad-code"), "a code counts once"
    assert log_in(house, "Tina", code=recovery[0]).status_code == 200
    account = tina.get(f"{API}/account").json()
    assert (account["second_factor"], account["recovery_codes_left"]) == (True, 9)
    assert offered["secret"] not in tina.get(f"{API}/account").text
    proof = {"password": PASSWORD, "code": recovery[1]}
    house.must(tina.post(f"{API}/account/second-factor/remove", json=proof))
    assert log_in(house, "Tina").status_code == 200


def test_the_house_may_demand_a_second_factor(tmp_path: pytest.TempPathFactory) -> None:
    with serving(f"sqlite:///{tmp_path / 'h.db'}", tmp_path / "key") as house:
        admin, guest = house.staff("administrator"), house.guest("Gus")
        assert code(admin.post(f"{API}/account-rules", json={"second_factor": "sometimes"})) == (400, "unknown-second-factor")
        house.must(admin.post(f"{API}/account-rules", json={"second_factor": "demanded"}))
        assert code(admin.get(f"{API}/people")) == (403, "factor-needed")
        assert guest.get(f"{API}/session").status_code == 200, "of the staff, not of guests"
        secret = house.must(admin.post(f"{API}/account/second-factor", json={"password": PASSWORD}))["secret"]
        given = {"code": second_factor.code_at(secret, int(time.time()) // 30)}
        house.must(admin.post(f"{API}/account/second-factor/confirm", json=given))
        assert admin.get(f"{API}/people").json()["second_factor"] == "demanded"


@pytest.mark.parametrize("role", ["dealer", "supervisor", "cashier", "auditor", "administrator"])
def test_a_locked_screen_reads_nothing_and_does_nothing(house: Served, clock: Clock, role: str) -> None:
    client = house.staff(role, f"Idle {role}")
    is_idle(house, clock, client)
    before = house.app.state.house.floor.store.head()
    for path in ("session", "floor", "account", "own-editions", "tables/Baccarat 1/rounds/1"):
        assert code(client.get(f"{API}/{path}")) == (401, "screen-locked")
    for path in ("tables/Baccarat 1/settle", "cage/fund", "session/input", "account/password", "people"):
        assert client.post(f"{API}/{path}", json={"cents": 1}).status_code in {401, 422}
    assert house.app.state.house.floor.store.head() == before
    assert code(client.post(f"{API}/session/unlock", json={"password": "not mine"})) == (401, "bad-login")
    house.must(client.post(f"{API}/session/unlock", json={"password": PASSWORD}))
    assert client.get(f"{API}/floor").status_code == 200


def test_a_locked_dealer_reads_what_anybody_reads(house: Served, clock: Clock) -> None:
    house.open_table("lock", "duki-4-wa", "hand-keyed")
    dealer, guest = house.staff("dealer", "Locked Dealer"), house.guest("Bets at lock")
    house.must(guest.post(f"{API}/tables/lock/bet", json={"seat": 1, "wager": "ante", "cents": 500}))
    house.must(dealer.post(f"{API}/tables/lock/no-more-bets"))
    house.must(dealer.post(f"{API}/tables/lock/card", json={"cards": "Kd 9c"}))
    assert "Kd" in dealer.get(f"{API}/tables/lock").text
    is_idle(house, clock, dealer)
    anybody = house.anybody().get(f"{API}/tables/lock").json()
    assert dealer.get(f"{API}/tables/lock").json() == anybody
    assert "Kd" not in str(anybody)


def test_the_stream_of_a_locked_screen_ends(house: Served, clock: Clock) -> None:
    house.open_table("lock stream", "duki-4-wa", "hand-keyed")
    dealer, idle, guest = house.staff("dealer"), house.staff("dealer", "Idle Watcher"), house.guest("Bets in stream")
    house.must(guest.post(f"{API}/tables/lock stream/bet", json={"seat": 1, "wager": "ante", "cents": 500}))
    house.must(dealer.post(f"{API}/tables/lock stream/no-more-bets"))
    with idle.stream("GET", f"{API}/tables/lock stream/stream") as answer:
        lines = answer.iter_lines()
        assert next(line for line in lines if line.startswith("data:"))
        clock.ahead += people.STAFF_IDLE_SECONDS - 3
        house.must(dealer.post(f"{API}/session/input"))
        clock.ahead += 5
        house.must(dealer.post(f"{API}/tables/lock stream/card", json={"cards": "Kd 9c"}))
        assert next((line for line in lines if line.startswith("data:")), "") == "", "nothing, and the stream is over"


def test_guests_are_not_locked_and_lock_nothing(house: Served, clock: Clock) -> None:
    guest = house.guest("Sleepy")
    clock.ahead += 10 * people.STAFF_IDLE_SECONDS
    assert guest.get(f"{API}/session").json()["locks_in_seconds"] is None
    assert code(guest.post(f"{API}/session/lock")) == (403, "role-may-not")


def test_sessions_are_listed_and_ended(house: Served) -> None:
    ines, there = house.staff("dealer", "Ines"), house.staff("dealer", "Ines")
    listed = ines.get(f"{API}/account").json()["sessions"]
    assert [session["is_this"] for session in listed].count(True) == 1 and len(listed) == 2
    assert {session["source"] for session in listed} == {"127.0.0.1"}
    (other,) = [session for session in listed if not session["is_this"]]
    assert code(house.staff("cashier").delete(f"{API}/sessions/{other['id']}")) == (404, "unknown-session"), "not his to end"
    house.must(ines.delete(f"{API}/sessions/{other['id']}"))
    assert there.get(f"{API}/session").status_code == 401
    admin = house.staff("administrator")
    everybody = admin.get(f"{API}/sessions").json()["sessions"]
    (hers,) = [session for session in everybody if session["name"] == "Ines"]
    house.must(admin.delete(f"{API}/sessions/{hers['id']}"))
    assert ines.get(f"{API}/session").status_code == 401
    tokens = " ".join(str(client.headers.get("Authorization")) for client in (ines, admin)).split()
    assert not any(session["id"] in token for session in everybody for token in tokens)
    assert code(house.guest("Lists nothing").get(f"{API}/sessions")) == (403, "role-may-not")


def test_a_guest_whose_session_is_ended_leaves_his_seat(house: Served) -> None:
    guest = house.guest("Thrown out")
    house.must(guest.post(f"{API}/tables/Duki 1/sit", json={"seat": 4}))
    admin = house.staff("administrator")
    (his,) = [one for one in admin.get(f"{API}/sessions").json()["sessions"] if one["name"] == "Thrown out"]
    house.must(admin.delete(f"{API}/sessions/{his['id']}"))
    assert guest.get(f"{API}/session").status_code == 401
    assert house.app.state.house.state.tables["Duki 1"].seated.get(4) is None


def test_one_administrator_always_stays(house: Served) -> None:
    admin = house.staff("administrator")
    assert code(admin.delete(f"{API}/people/test administrator")) == (409, "own-account")
    assert code(admin.post(f"{API}/people/test administrator", json={"role": "dealer"})) == (400, "own-role")
    house.app.state.door.add("Otto Zwei", "administrator", PASSWORD, DOOR)
    house.must(admin.delete(f"{API}/people/Otto Zwei"))
    assert code(log_in(house, "Otto Zwei")) == (401, "bad-login")
    assert code(admin.delete(f"{API}/people/nobody at all")) == (400, "unknown-person")


def test_three_anonymous_requests_do_not_keep_the_administrator_out(house: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """The browser in which he has logged in before does not wait, though the strangers share its address."""
    moment = time.time()
    monkeypatch.setattr(house.app.state.door, "clock", lambda: moment)  # however slow the machine is
    house.app.state.door.add("Only One", "administrator", PASSWORD, DOOR)
    with httpx.Client(base_url=house.url, timeout=PATIENCE) as browser:
        body = {"name": "Only One", "password": PASSWORD}
        assert browser.post(f"{API}/session", json=body).status_code == 200
        browser.cookies.delete("houseway")
        for _ in range(12):
            assert code(log_in(house, "Only One", "wrong")) in {(401, "bad-login"), (429, "try-later")}
        assert code(log_in(house, "Only One")) == (429, "try-later")
        assert browser.post(f"{API}/session", json=body).status_code == 200


@pytest.mark.parametrize(
    "name", ["Test Dea1er", "TEST DEALER", "croupier", "Cr0upier", "H0use", "аdmin", "Marco (house player)"]
)
def test_nobody_joins_under_a_name_that_looks_like_anothers(house: Served, name: str) -> None:
    house.token("dealer")
    answer = httpx.post(f"{house.url}{API}/guests", json={"name": name}, timeout=PATIENCE)
    assert answer.status_code in {400, 409}, answer.text
    body = {"name": name, "role": "dealer", "password": PASSWORD}
    assert house.staff("administrator").post(f"{API}/people", json=body).status_code in {400, 409}


def test_a_name_that_is_like_a_guests_is_not_given_to_the_staff(house: Served) -> None:
    house.guest("Quirin")
    admin = house.staff("administrator")
    for name in ("Quirin", "Qu1rin"):
        body = {"name": name, "role": "dealer", "password": PASSWORD}
        assert code(admin.post(f"{API}/people", json=body)) == (409, "name-taken")


def test_what_asking_the_store_each_time_costs(house: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a measurement: that a request asks for its session once, and with one statement."""
    asked: list[str] = []
    store = house.app.state.house.floor.store
    client, ask = house.staff("auditor"), store.asked

    def listen(statement: str, values: list[str]) -> object:
        asked.append(statement)
        return ask(statement, values)

    monkeypatch.setattr(store, "asked", listen)
    client.get(f"{API}/session")
    assert sum("FROM sessions" in statement for statement in asked) == 1
