"""The tutorials of the documentation, followed to the letter: a game from nothing, and a side bet on one that is there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from houseway.games import open_edition

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "houseway"


def files_of(page: str) -> dict[str, str]:
    """The files that a page has its reader write, by their titles."""
    return dict(re.findall(r'^```\w+ title="([^"]+)"\n(.*?)^```', (ROOT / "docs" / page).read_text(), re.DOTALL | re.MULTILINE))


def block_after(page: str, words: str) -> str:
    """The first block of a page after some words."""
    after = (ROOT / "docs" / page).read_text().partition(words)[2]
    found = re.search(r"^```\w+\n(.*?)^```", after, re.DOTALL | re.MULTILINE)
    assert found, words
    return found[1]


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of games of one's own, and a house."""
    folder = tmp_path / "my-games"
    monkeypatch.setenv("HOUSEWAY_GAMES", str(folder))
    monkeypatch.setenv("HOUSEWAY_STORE", f"sqlite:///{tmp_path / 'house.db'}")
    monkeypatch.setenv("HOUSEWAY_KEY", str(tmp_path / "house.key"))
    folder.mkdir()
    return folder


@pytest.fixture
def shell(run):
    """Commands that must succeed: what they print."""

    def call(*arguments):
        code, printed, complaint = run(*arguments)
        assert code == 0, complaint
        return printed

    return call


@pytest.mark.parametrize("name", ["high", "plain"])
def test_adding_a_game(games, shell, name):
    """As on the page, and under another name and without a face."""
    for title, text in files_of("adding-a-game.md").items():
        if name == "high" or not title.endswith("face.toml"):
            file = games / title.replace("high", name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text.replace("high_card", f"{name}_card").replace("high-card", f"{name}-card"))
    edition = f"{name}-card"
    odds = shell("odds", edition)
    assert "house edge 7.3955 %" in odds
    assert "house edge 15.3846 %" in odds
    settled = shell("settle", edition, "--cards", "As Kd", "--bets", "high=25,ace-bonus=5")
    assert re.search(r"total +\$30 +\$75 +\$105", settled)
    assert ("As beats Kd" in settled) == (name == "high")
    shell("cage", "fund", "100000")
    shell("cage", "buy-in", "1000", "--guest", "ann")
    shell("table", "open", "h1", "--edition", edition, "--opener", "5000")
    shell("table", "bet", "h1", "high=25,ace-bonus=5", "--guest", "ann", "--seat", "1")
    for command in ("no-more-bets", "deal", "settle"):
        shell("table", command, "h1")
    assert "no flaw found" in shell("audit")
    if name == "high":
        shell("game", "check", "high_card")


def test_an_approval_as_the_page_writes_it(games):
    """Step 9: the edition of the page with the approval of the page is one that is on file."""
    page = "adding-a-game.md"
    for title, text in files_of(page).items():
        file = games / title.replace("high", "approved")
        file.parent.mkdir(parents=True, exist_ok=True)
        approved = text.replace("[approval]\non_file = false\n", block_after(page, "the list is empty:"))
        assert (approved != text) == title.endswith("editions/high-card.toml")
        file.write_text(approved.replace("high_card", "approved_card").replace("high-card", "approved-card"))
    approval = open_edition("approved-card").approval
    assert (approval.on_file, str(approval), approval.conditions) == (True, "Nevada, 2026-11-16", ())


@pytest.fixture
def checkout(tmp_path):
    """The package in a folder of its own, as in a checkout: its game, and commands in it that must succeed."""
    package = tmp_path / "src" / "houseway"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    own = {"PYTHONPATH": str(package.parent), "HOUSEWAY_CACHE": str(tmp_path / "cache"), "HOUSEWAY_GAMES": ""}

    def python(*arguments):
        told = subprocess.run(
            [sys.executable, *arguments], env=os.environ | own, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert told.returncode == 0, told.stdout + told.stderr
        return told.stdout

    return package / "games" / "ez_baccarat", python


def test_adding_a_side_bet(checkout, tmp_path):
    """To the letter, but for step 5, which is there for those whom the made words do not please."""
    page, (game, python) = "adding-a-side-bet.md", checkout
    with (game / "clauses.toml").open("a") as clauses:
        clauses.write("\n" + block_after(page, "**1. The clause.**"))
    (game / "pairs.py").write_text(files_of(page)["pairs.py"])
    code = game / "game.py"
    last = '_wager("panda-8", "Panda 8", "panda-8"),\n'
    assert code.read_text().count(last) == 1
    joined = code.read_text().replace(last, f"{last}        EITHER_PAIR,\n")
    code.write_text(joined.replace("\npoints = plain(", f"\n{block_after(page, '**3. The wager**')}\npoints = plain(", 1))
    with (game / "editions" / "ez-baccarat-wa.toml").open("a") as edition:
        edition.write("\n" + block_after(page, "**4. The pays**"))
    tests = tmp_path / "test_ez_baccarat.py"
    tests.write_text(f"import houseway\n\n\n{block_after(page, '**6. The test**')}")
    assert "1 passed" in python("-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests))
    see = [line.split("#")[0].split() for line in block_after(page, "**7. See it.**").splitlines()]
    shown = {tuple(words): python("-m", "houseway.cli.main", *words[1:]) for words in see if words[0] == "houseway"}
    odds, checked, editions = shown.values()
    assert re.search(r"Either Pair \(either-pair\): [\d,]+ ordered four-card draws", odds)
    assert all(line.endswith(": ok") for line in checked.splitlines())
    told = {line.split(":")[0].strip() for line in editions.splitlines() if "either-pair" in line}
    assert told == {"ez-baccarat-wa"}, "only editions with the new bet are others for it"
