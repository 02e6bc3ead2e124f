"""Mutants of the rules: those that the corpus does not notice are listed in docs/mutants.md, each with its reason."""

import os
import re
import subprocess
import sys

import pytest

from houseway.approval.mutants import mutants_of, selected
from houseway.approval.rules import PACKAGE

LISTED = PACKAGE.parent.parent / "docs" / "mutants.md"
LEFT = re.compile(r"  not noticed by the rounds: (\S+):\d+ (\S+): (.+)")


def known() -> set[tuple[str, str]]:
    """The definitions of which a mutant may go unnoticed."""
    rows = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|", LISTED.read_text(encoding="utf-8"), re.MULTILINE)
    return {(file, name) for file, names in rows for name in names.split(", ")}


def left_by(*arguments: str) -> tuple[set[tuple[str, str]], str]:
    command = [sys.executable, "-m", "houseway.approval.mutants", *arguments]
    ran = subprocess.run(command, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    return {match.groups()[:2] for line in lines if (match := LEFT.fullmatch(line))}, lines[-1]


def test_mutants_are_small_changes_of_rules():
    (part, editions) = selected(["ez-baccarat-wa"], shared=False)["houseway.games.ez_baccarat.rules", "banker_draws"]
    changes = [mutant.change for mutant in mutants_of("houseway.games.ez_baccarat.rules", part)]
    assert editions == ["ez-baccarat-wa"]
    assert {"LtE -> Lt", "Eq -> NotEq", "5 -> 6", "True -> False"} <= set(changes)


def test_a_sample_is_noticed_or_listed():
    left, summary = left_by("ez-baccarat-wa", "--every=9")
    assert left <= known()
    assert re.fullmatch(r"ez-baccarat-wa: \d+ mutants, noticed \d+ \(\d+ by the rounds .*\), not noticed \d+", summary)


def test_a_mutant_plays_only_what_calls_it():
    """Of a function that no round calls, nothing is played; of a constant, everything."""
    code = (
        "import sys; from houseway.approval import mutants as m\n"
        "player = m.Player('ez-baccarat-wa', is_part=True)\n"
        "everything = len(player.corpus.rounds) + len(player.corpus.sessions)\n"
        "chosen = m.selected(['ez-baccarat-wa'], shared=False)\n"
        "reached = {name: len(list(player.places(next(m.mutants_of(module, part)))))"
        " for (module, name), (part, _) in chosen.items() if name in {'banker_draws', 'STOOD', 'count'}}\n"
        "print(everything, reached)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    everything, reached = ran.stdout.split(maxsplit=1)
    assert f"'STOOD': {everything}" in reached
    called = int(re.findall(r"'banker_draws': (\d+)", reached)[0])
    assert 0 < called < int(everything)


@pytest.mark.deep
@pytest.mark.parametrize("name", ["ez-baccarat-wa", "duki-4-wa", "lucky-lucky-wa"])
def test_every_mutant_of_a_game_is_noticed_or_listed(name):
    assert left_by(name)[0] <= known()


@pytest.mark.deep
def test_every_mutant_of_pay_and_settle_is_noticed_or_listed():
    assert left_by("--shared", "--in=rulebook")[0] <= known()
