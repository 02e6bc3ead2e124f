"""The program checks itself when it opens, every day and on demand; each check is an entry, and the house serves on."""

import threading

import pytest
from fastapi.testclient import TestClient

from houseway.approval import check_again, system
from houseway.approval.manifest import SystemCheck
from houseway.house.audit import Auditor
from houseway.house.selfcheck import as_note, check_daily
from houseway.house.store import Store
from houseway.web.app import ServeSettings, create_app

CHANGED = SystemCheck("0.2.0", "1" * 64, 3, ("table/money.py (_close)",))
BROKEN = SystemCheck("", "2" * 64, 3, problem="the signature of manifest.json does not verify")
RELEASED = SystemCheck("0.2.0", "0" * 64, 3)


@pytest.fixture
def found(monkeypatch):
    """What a look at the files finds, to be changed."""
    looks = {"now": RELEASED, "times": 0}

    def check():
        looks["times"] += 1
        return looks["now"]

    monkeypatch.setattr("houseway.approval.manifest.check", check)
    check_again()
    yield looks
    monkeypatch.undo()
    check_again()


@pytest.fixture
def app(tmp_path, found):
    return create_app(ServeSettings(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "key", demo=True))


def notes(app):
    return [entry for entry in app.state.house.floor.store.entries() if entry.kind == "self-check"]


def shown(client):
    return {table["name"]: table["edition"] for table in client.get("/api/v1/tables").json()["tables"]}


def check_once(house):
    """What the thread does after a day."""
    stopped = threading.Event()

    class Once:
        def note(self, *given):
            stopped.set()
            return house.note(*given)

    check_daily(Once(), stopped, seconds=0.01)


def test_opening_is_a_check_and_an_entry(app):
    (entry,) = notes(app)
    assert (entry.seq, entry.actor) == (1, "house")
    assert entry.data["unchanged"] is True
    assert entry.data["release"] == "0.2.0"
    assert entry.data["editions"]["ez-baccarat-wa"]["badge"] == "approved rules, release 0.2.0 unchanged"
    assert Auditor(Store(app.state.house.floor.store.url)).run().flaw is None


def test_a_page_does_not_look_at_the_files_again(app, found):
    with TestClient(app) as client:
        before = found["times"]
        for _ in range(3):
            assert {edition["badge"] for edition in shown(client).values()}
            assert client.get("/editions/ez-baccarat-wa").status_code == 200
        assert found["times"] == before


def test_a_day_later_a_changed_system_is_named_everywhere(app, found):
    with TestClient(app) as client:
        name = next(name for name, edition in shown(client).items() if edition["id"] == "ez-baccarat-wa")
        assert shown(client)[name]["badge"] == "approved rules, release 0.2.0 unchanged"
        assert client.get(f"/api/v1/tables/{name}").json()["edition"]["badge"] == "approved rules, release 0.2.0 unchanged"
        found["now"] = CHANGED
        check_once(app.state.house)
        words = "approved rules, changed system: table/money.py (_close)"
        assert shown(client)[name]["badge"] == words
        assert client.get(f"/api/v1/tables/{name}").json()["edition"]["badge"] == words
        page = client.get("/editions/ez-baccarat-wa").text
        assert "approved rules, changed system" in page
        assert "table/money.py (_close)" in page
        assert "changed system" in client.get(f"/tables/{name}").text
        answers = client.get("/api/v1/editions").json()
        assert words in [answer["badge"] for answer in answers]
    first, second = notes(app)
    assert (first.data["unchanged"], second.data["unchanged"]) == (True, False)
    assert second.data["changes"] == ["table/money.py (_close)"]


def test_a_manifest_that_does_not_verify_is_said_and_the_house_serves(app, found, caplog):
    with TestClient(app) as client:
        found["now"] = BROKEN
        check_once(app.state.house)
        assert "the signature of manifest.json does not verify" in caplog.text
        for edition in shown(client).values():
            assert edition["badge"].endswith("release not verified: the signature of manifest.json does not verify")
        assert client.get("/").status_code == 200
    assert notes(app)[-1].data["problem"] == BROKEN.problem


def test_a_check_that_cannot_be_noted_stops_nothing(found, caplog):
    stopped = threading.Event()

    class Full:
        times = 0

        def note(self, *given):
            self.times += 1
            if self.times > 1:
                stopped.set()
            raise OSError("the disk is full")

    check_daily(Full(), stopped, seconds=0.01)
    assert "the disk is full" in caplog.text


def test_a_note_tells_every_edition(found):
    note = as_note()
    found = {"release", "system", "files", "unchanged", "changes", "problem", "signed_by", "outside"}
    assert found | {"words", "editions"} == set(note)
    assert set(note["editions"]) >= {"duki-4-wa", "ez-pai-gow-wa"}
    assert system() is RELEASED
