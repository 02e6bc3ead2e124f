"""The odds of a game that is being written: what is kept of them goes with every file of its folder."""

import json
import os
import subprocess
import sys
from pathlib import Path

from folders import copied, edited

SUITED = "tape[0] & 3 == tape[1] & 3"
SAME_COLOUR = "tape[0] & 1 == tape[1] & 1"


def odds(folder: Path, edition: str, **environment: str) -> dict[str, dict[str, int]]:
    """The combinations of every wager of a game outside, in a process of its own in which nothing is compiled."""
    ended = subprocess.run(
        [sys.executable, "-m", "houseway.cli.main", "odds", edition, "--format", "json"],
        env=os.environ
        | {"HOUSEWAY_GAMES": str(folder.parent), "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return {
        sheet["wager"]: {row["outcome"]: row["combinations"] for row in sheet["outcomes"]}
        for sheet in json.loads(ended.stdout)["wagers"]
    }


def test_a_rule_that_was_changed_never_reads_old_tallies(tmp_path):
    game = copied("dragon_tiger", "tiger_dragon", tmp_path / "games")
    edition = next(game.glob("editions/*.toml")).stem
    cache = {"HOUSEWAY_CACHE": str(tmp_path / "cache")}
    first = odds(game, edition, **cache)
    files = {file: file.stat().st_mtime_ns for file in (tmp_path / "cache").glob("game-*/tallies/*")}
    assert files
    assert odds(game, edition, **cache) == first
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "cache").glob("game-*/tallies/*")} == files
    rules = game / "game.py"
    edited(rules, (SUITED, SAME_COLOUR))
    changed = odds(game, edition, **cache)
    assert changed != first
    assert changed == odds(game, edition, HOUSEWAY_CACHE=str(tmp_path / "empty"))
    edited(rules, (SAME_COLOUR, SUITED))
    assert odds(game, edition, **cache) == first
