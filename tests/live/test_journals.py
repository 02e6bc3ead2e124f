"""Journals that earlier releases wrote open, fold to the same state, go on, and audit clean."""

import json
import shutil
from pathlib import Path

import pytest

from houseway.house.audit import Auditor
from houseway.house.backup import backup, restore
from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.view import happened
from houseway.view.words import entry_words

JOURNALS = Path(__file__).parent / "journals"
RELEASES = ("0.1",)
DAN, SUE = Actor("dan", "dealer"), Actor("sue", "supervisor")


@pytest.fixture(params=RELEASES)
def house(request, tmp_path):
    """A copy of a release's journal: its address, its key, and what the release itself made of it."""
    for ending in ("db", "key"):
        shutil.copy(JOURNALS / f"house-{request.param}.{ending}", tmp_path / f"house.{ending}")
        (tmp_path / f"house.{ending}").chmod(0o600)  # a repository keeps no such mode
    told = json.loads((JOURNALS / f"house-{request.param}.json").read_text())
    return f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "house.key", told


def test_it_audits_clean(house):
    url, _, told = house
    report = Auditor(Store(url)).run()
    assert report.flaw is None
    assert (report.entries, report.transfers, report.head[1]) == (told["entries"], told["transfers"], told["head"])


def test_it_folds_to_the_state_that_its_release_came_to(house):
    url, key, told = house
    state = Floor(Store(url), key).refresh()
    assert dict(state.balances) == told["balances"]
    tables = {
        name: {"round": table.round.number, "phase": str(table.round.phase), "open": table.is_open, "win": table.win_cents}
        for name, table in state.tables.items()
    }
    assert tables == told["tables"]


def test_it_goes_on_and_still_audits_clean(house):
    url, key, _ = house
    floor = Floor(Store(url), key)
    floor.refresh()
    floor.do({"kind": "deal", "table": "open-v"}, DAN)
    floor.do({"kind": "card", "table": "open-m", "cards": "Jc"}, DAN)
    floor.do({"kind": "settle", "table": "open-m"}, DAN)
    floor.do({"kind": "correct", "table": "open-m", "round": 1, "reason": "the wrong card was keyed", "void": True}, SUE)
    assert Auditor(floor.store).run().flaw is None


def test_its_rounds_are_told_as_they_were(house):
    url, _, _ = house
    paid = [event for entry in Store(url).entries() for event in happened(entry) if event["event"] == "paid"]
    assert len(paid) > 80
    assert all(event["text"].startswith(f"seat {event['seat']}, ") and "$" in event["text"] for event in paid)
    assert all("step" not in event and "owed_cents" in event for event in paid)
    for entry in Store(url).entries():
        assert all(entry_words(entry))


FORM_3 = {
    **{"guest:ann": 89_400, "guest:bob": 103_100, "guest:cyd": 95_700, "guest:ghost": 0, "debt:ghost": -1_500},
    **{"bank:reserves": 10_000, "collection:reserves": 500, "bank:redeals": 0, "collection:redeals": 800},
    **{"tray:colours": 1_000_500, "tray:decisions": 1_001_500, "cage": 8_000_000, "outside": -10_300_000},
    **dict.fromkeys(("wagers:reserves", "wagers:redeals", "wagers:colours", "wagers:decisions"), 0),
}
"""What its own code came to (`make_form_3.py`)."""


def test_rounds_put_right_before_a_round_kept_what_was_laid_stay_as_they_were_put_right(tmp_path):
    """Corrections, changed wagers, redeals and re-keyed decisions of form 3, some of which are refused today."""
    shutil.copy(JOURNALS / "form-3.db", tmp_path / "house.db")
    (tmp_path / "house.db").chmod(0o600)
    store = Store(f"sqlite:///{tmp_path / 'house.db'}")
    assert Auditor(store).run().flaw is None
    assert dict(Floor(store, tmp_path / "house.key").refresh().balances) == FORM_3


def test_it_is_restored_into_postgresql_and_plays_on_there(house, new_url, tmp_path):
    """As `docs/upgrading.md` says: a backup by this release, restored into the other database, with the same chain."""
    url, key, told = house
    backup(url, tmp_path / "before-upgrade.db")
    there = new_url("postgresql")
    report = restore(tmp_path / "before-upgrade.db", there).report
    assert (report.entries, report.head[1]) == (told["entries"], told["head"])
    floor = Floor(Store(there), key)
    assert dict(floor.refresh().balances) == told["balances"]
    floor.do({"kind": "deal", "table": "open-v"}, DAN)
    floor.do({"kind": "card", "table": "open-m", "cards": "Jc"}, DAN)
    floor.do({"kind": "settle", "table": "open-m"}, DAN)
    floor.do({"kind": "correct", "table": "open-m", "round": 1, "reason": "the wrong card was keyed", "void": True}, SUE)
    audited = Auditor(floor.store).run()
    assert audited.flaw is None and audited.entries > told["entries"]
    floor.store.engine.dispose()
