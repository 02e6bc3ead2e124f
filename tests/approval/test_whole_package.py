"""Edits of a real package, in a copy: the badge turns, and says by what."""

import json

import pytest
from copies import Copied

UNCHANGED = "approved rules, release 0.2.0 unchanged"


@pytest.fixture
def copied(tmp_path):
    """The package in a folder of its own, released as it is."""
    package = Copied(tmp_path)
    package.release()
    return package


def test_a_fresh_release_is_unchanged(copied):
    assert copied.editions()["ez-baccarat-wa"]["status"] == UNCHANGED
    checked = copied.run("self-check")
    assert checked.returncode == 0
    assert checked.stdout.splitlines()[-1] == "unchanged"


def test_a_check_takes_nothing_from_an_earlier_run(copied):
    """What was found in the same files is kept for the shell's quick questions; a check of the program looks for itself."""
    copied.editions()
    kept = list((copied.folder.parent.parent / "cache" / "results").glob("closure-*.json"))
    assert kept
    for file in kept:
        told = json.loads(file.read_text(encoding="utf-8"))
        told["definitions"] = [[*part[:3], "0" * 64] for part in told["definitions"]]
        file.write_text(json.dumps(told), encoding="utf-8")
    checked = copied.run("self-check", "--format", "json")
    assert checked.returncode == 0
    assert not any("modified" in edition["badge"] for edition in json.loads(checked.stdout)["editions"].values())


def test_a_pay_that_pays_less_turns_the_badge(copied):
    """`Edition.pay` pays 30 for 40."""
    copied.change(
        "rulebook/edition.py",
        "        return self.wagers[wager].pays[self._table(wager, settings)][outcome]\n",
        "        paid = self.wagers[wager].pays[self._table(wager, settings)][outcome]\n"
        '        return Pay.parse("30 to 1") if str(paid) == "40 to 1" else paid\n',
    )
    paid = copied.run("settle", "ez-baccarat-wa", "--cards", "2s 2h 2d 2c 3s 3h", "--bets", "dragon-7=5", "--format", "json")
    rows = copied.editions()
    for name, row in rows.items():
        assert row["status"].startswith("modified rules: rule Edition.pay (rulebook/edition.py)"), name
        assert row["differences"] == ["rule Edition.pay (rulebook/edition.py)"]
        assert row["system_changes"] == ["rulebook/edition.py (Edition.pay)"]
    told = json.loads(paid.stdout)
    assert told["status"] == rows["ez-baccarat-wa"]["status"]
    checked = copied.run("self-check")
    assert checked.returncode == 1
    assert "  rulebook/edition.py (Edition.pay)" in checked.stdout.splitlines()


def test_a_live_win_that_is_halved_turns_the_badge(copied):
    copied.change("table/play.py", "max(item[2].win_cents, 0))", "max(item[2].win_cents // 2, 0))")
    for row in copied.editions().values():
        assert row["differences"] == ["rule covered (table/play.py)"]


def test_what_is_no_rule_is_a_changed_system(copied):
    copied.change("table/money.py", "def _close(house: House", "def _close(house: House")
    copied.change("web/pages.py", '"""', '"""Changed. ')
    copied.change("table/gaming_day.py", "DAY_STARTS_HOUR = 6", "DAY_STARTS_HOUR = 7")
    (copied.folder / "extra.py").write_text("x = 1\n")
    (copied.folder / "py.typed").unlink()
    (copied.folder / "__pycache__").mkdir(exist_ok=True)
    (copied.folder / "__pycache__" / "nothing.pyc").write_bytes(b"0")
    row = copied.editions()["ez-baccarat-wa"]
    changes = [
        "extra.py is new",
        "py.typed is missing",
        "table/gaming_day.py (DAY_STARTS_HOUR)",
        "web/pages.py (comments or layout)",
    ]
    assert row["system_changes"] == changes
    assert row["status"] == f"approved rules, changed system: {', '.join(changes)}"
    assert row["differences"] == []
    checked = copied.run("self-check", "--format", "json")
    assert checked.returncode == 1
    assert json.loads(checked.stdout)["changes"] == changes


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "there is no manifest.json"),
        ("{", "manifest.json cannot be read"),
        ("[]", "manifest.json is not a manifest"),
        ('{"version": "0.2.0", "files": {}, "definitions": {}, "system": "0"}', "was altered"),
    ],
)
def test_a_manifest_that_does_not_verify_is_one_line(copied, content, said):
    manifest = copied.folder / "manifest.json"
    manifest.unlink()
    if content is not None:
        manifest.write_text(content)
    row = copied.editions()["ez-baccarat-wa"]
    assert row["status"].startswith("approved rules, release not verified: ")
    assert said in row["status"]
    checked = copied.run("self-check")
    assert checked.returncode == 1
    assert [line for line in checked.stdout.splitlines() if said in line]
    settled = copied.run("settle", "ez-baccarat-wa", "--cards", "9s 7h Kd 3c", "--bets", "banker=100")
    assert settled.returncode == 0


def test_a_check_is_an_entry_of_the_journal(copied, tmp_path):
    store = f"sqlite:///{tmp_path / 'house.db'}"
    assert copied.run("self-check").stdout.splitlines()[-1] == "unchanged"  # there is no store, and none is made
    assert not (tmp_path / "data").exists() or not list((tmp_path / "data").rglob("*.db"))
    assert "noted as entry 1" in copied.run("self-check", "--store", store).stdout
    copied.change("table/gaming_day.py", "DAY_STARTS_HOUR = 6", "DAY_STARTS_HOUR = 7")
    copied.run("self-check", "--store", store)
    exported = copied.run("journal", "export", "--store", store)
    notes = [json.loads(line) for line in exported.stdout.splitlines()]
    assert [note["kind"] for note in notes] == ["self-check", "self-check"]
    assert [note["payload"]["unchanged"] for note in notes] == [True, False]
    assert notes[1]["payload"]["changes"] == ["table/gaming_day.py (DAY_STARTS_HOUR)"]
    assert notes[0]["payload"]["editions"]["duki-4-wa"]["badge"] == UNCHANGED
    assert copied.run("audit", "--store", store).returncode == 0
