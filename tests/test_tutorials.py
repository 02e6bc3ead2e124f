"""The tutorials of the documentation, followed to the letter: a game from nothing, and a side bet on one that is there."""

import re
import shutil
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BACCARAT = ROOT / "src" / "houseway" / "games" / "ez_baccarat"


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


def test_adding_a_side_bet(games, shell):
    """On a copy of the game under another name, which is a game of its own."""
    page, copy = "adding-a-side-bet.md", games / "pair_baccarat"
    shutil.copytree(BACCARAT, copy, ignore=shutil.ignore_patterns("__pycache__", "approved", "published"))
    (copy / "pairs.py").write_text(files_of(page)["pairs.py"])
    with (copy / "clauses.toml").open("a") as clauses:
        clauses.write("\n" + block_after(page, "**1. The clause.**"))
    code = copy / "game.py"
    last = '_wager("panda-8", "Panda 8", "panda-8"),\n'
    assert code.read_text().count(last) == 1
    joined = code.read_text().replace(last, f"{last}        EITHER_PAIR,\n")
    code.write_text(joined.replace("\npoints = plain(", "\nfrom .pairs import EITHER_PAIR\n\npoints = plain(", 1))
    for file in (copy / "editions").glob("*.toml"):
        if tomllib.loads(file.read_text())["id"] != "ez-baccarat-wa":
            file.unlink()
            continue
        text = re.sub(r"^id = .*", 'id = "pairs"', file.read_text(), count=1, flags=re.MULTILINE)
        text = re.sub(r"^game = .*", 'game = "pair_baccarat"', text, count=1, flags=re.MULTILINE)
        file.rename(copy / "editions" / "pairs.toml").write_text(f"{text}\n{block_after(page, '**4. The pays**')}")
    assert "Either Pair (either-pair)" in shell("odds", "pairs", "--wager", "either-pair")
    settled = shell("settle", "pairs", "--cards", "2s 4h 2d Kc 6h 4c", "--bets", "player=25,either-pair=5")
    assert re.search(r"either-pair +\$5 +pair +5 to 1 +\$25 ", settled)
    assert "either-pair" not in shell("odds", "ez-baccarat-wa")
