"""A side bet added to a game for one edition leaves the game's other editions approved; a game may lie outside the package."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from houseway.games import open_edition

ASK = """
import json
from houseway.approval.rules import rules_of
from houseway.games import open_edition
told = {name: rules_of(open_edition(name)) for name in ("mine-a", "mine-b")}
print(json.dumps({name: [rules.digest, dict(rules.definitions), dict(rules.data)] for name, rules in told.items()}))
"""
SIDE_BET = '''
from houseway.rulebook.game import Outcome, Play, Request, Result

OUTCOMES = (Outcome("first-ace", "Player's first card is an ace"), Outcome("other", "It is not"))
ACE = 12


def resolve_first_ace(request: Request) -> Play:
    """Whether the first card is an ace."""
    outcome = OUTCOMES[0 if request.cards[0] >> 2 == ACE else 1]
    return Play((), (Result("first-ace", outcome.id, "EZB-0"),))
'''


IMPORT = "from .first_ace import OUTCOMES as ACES, resolve_first_ace"
WAGER = 'Wager("first-ace", "First ace", "EZB-0", ACES, counts_as="first-ace", resolve=resolve_first_ace)'


@pytest.fixture
def games(tmp_path):
    """A folder with a copy of EZ Baccarat under another name, and two editions of it."""
    original = open_edition("ez-baccarat-wa").game.folder
    game = tmp_path / "games" / "my_baccarat"
    shutil.copytree(original, game, ignore=shutil.ignore_patterns("__pycache__", "editions", "pins", "published"))
    (game / "editions").mkdir()
    text = (original / "editions" / "ez-baccarat-wa.toml").read_text(encoding="utf-8")
    for name in ("mine-a", "mine-b"):
        own = text.replace('"ez-baccarat-wa"', f'"{name}"').replace('"ez_baccarat"', '"my_baccarat"')
        (game / "editions" / f"{name}.toml").write_text(own, encoding="utf-8")
    return tmp_path / "games"


def rules(games: Path) -> dict:
    environment = os.environ | {"HOUSEWAY_GAMES": str(games)}
    asked = subprocess.run([sys.executable, "-c", ASK], env=environment, capture_output=True, text=True, check=False)
    assert asked.returncode == 0, asked.stderr
    return json.loads(asked.stdout)


def swap(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_side_bet_for_one_edition_leaves_the_others_approved(games):
    before, game = rules(games), games / "my_baccarat"
    assert "my_baccarat/rules.py: banker_draws" in before["mine-a"][1]
    (game / "first_ace.py").write_text(SIDE_BET, encoding="utf-8")
    swap(
        game / "game.py",
        "import numpy as np\n",
        "import numpy as np\n\nfrom .first_ace import OUTCOMES as ACES, resolve_first_ace\n",
    )
    swap(
        game / "game.py",
        '_wager("panda-8"',
        f'{WAGER},\n        _wager("panda-8"',
    )
    swap(
        game / "editions" / "mine-b.toml",
        "[wagers.panda-8.pays]",
        '[wagers.first-ace.pays]\nfirst-ace = "11 to 1"\nother = "lose"\n\n[wagers.panda-8.pays]',
    )
    after = rules(games)
    assert after["mine-a"] == before["mine-a"]
    assert after["mine-b"][0] != before["mine-b"][0]
    new = after["mine-b"][1].keys() - before["mine-b"][1].keys()
    assert {"my_baccarat/first_ace.py: resolve_first_ace", "my_baccarat/first_ace.py: ACE"} <= new
    assert after["mine-b"][2]["wagers.first-ace.pays.first-ace"] == "11 to 1"


def test_a_switch_or_a_value_added_for_one_edition_leaves_the_others_approved(games):
    before, game = rules(games), games / "my_baccarat"
    swap(game / "game.py", '"dealer", "players"', '"dealer", "players", "machine"')
    swap(game / "game.py", 'Switch("drawer"', 'Switch("drawer"')
    swap(game / "editions" / "mine-b.toml", 'drawer = ["dealer", "players"]', 'drawer = ["dealer", "players", "machine"]')
    after = rules(games)
    assert after["mine-a"] == before["mine-a"]
    assert after["mine-b"][0] != before["mine-b"][0]


def test_a_rule_that_both_use_turns_both(games):
    before = rules(games)
    swap(games / "my_baccarat" / "rules.py", "return player <= 5", "return player <= 6")
    after = rules(games)
    for name in ("mine-a", "mine-b"):
        changed = {key for key in before[name][1] if before[name][1][key] != after[name][1][key]}
        assert changed == {"my_baccarat/rules.py: player_draws"}
