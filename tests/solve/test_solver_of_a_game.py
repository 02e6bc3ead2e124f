"""A solver is in its game's folder: what asks knows no game, and what only one game knows is data in its folder."""

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import houseway
from houseway.api import Rulebook
from houseway.cli.extend import options_of_games, shells
from houseway.folders import game_folders
from houseway.games import NAMES, game, open_edition
from houseway.kernels import compiled
from houseway.refusal import Refused
from houseway.solve import solver
from houseway.solve.kept import key_of
from houseway.solve.shell import read_shell
from houseway.solve.solver import Solver

PACKAGE = Path(houseway.__file__).parent
SHELL = [PACKAGE / "cli" / f"{name}.py" for name in ("main", "solve", "extend", "odds", "text")]
SHARED = [*PACKAGE.glob("solve/*.py"), *PACKAGE.glob("odds/*.py"), *SHELL]


def test_a_game_gives_its_solver_or_none() -> None:
    assert isinstance(game("blackjack").solver, Solver)
    assert game("ez_baccarat").solver is None
    for name in NAMES:
        assert (game(name).solver is None) == (not (game(name).folder / "solve").is_dir())


def test_a_game_is_loaded_without_its_solver_and_a_solver_without_its_tables() -> None:
    code = (
        "import sys; from houseway.games import game\n"
        "held = game('ez_pai_gow'); print('houseway.games.ez_pai_gow.solve' in sys.modules)\n"
        "held.solver; print(sorted(name for name in sys.modules if name.startswith('houseway.games.ez_pai_gow.solve')))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines() == ["False", "['houseway.games.ez_pai_gow.solve']"]


@pytest.mark.parametrize("file", SHARED, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_shared_code_knows_no_game(file) -> None:
    names = "|".join([*NAMES, "blackjack", "baccarat", "duki", "pai gow", "lucky"])
    assert not re.search(names, file.read_text(), re.IGNORECASE)


def test_every_player_that_a_solver_names_is_asked_for_by_name() -> None:
    book = Rulebook.open("duki-4-wa")
    assert [book.solved("ante", player).total for player in game("duki_4_poker").solver.players] == [52_677_670_500] * 2
    with pytest.raises(Refused, match="best, line"):
        book.solved("ante", "nobody")
    with pytest.raises(Refused, match="solved: ante"):
        book.solved("duki-bonus", "best")
    with pytest.raises(Refused, match="none of its wagers"):
        Rulebook.open("ez-baccarat-wa").solved("banker", "best")


def test_what_leaves_nothing_to_decide_is_refused() -> None:
    edition = open_edition("ez-baccarat-wa")
    for ask in (
        lambda: solver.solve(edition, edition.settings(), {}),
        lambda: solver.strategy(edition, edition.settings()),
        lambda: solver.choices(edition, edition.settings(), (0, 1)),
    ):
        with pytest.raises(Refused, match="leaves the player nothing to decide"):
            ask()


# What a game declares for the shell


@pytest.fixture
def own_game(tmp_path, monkeypatch) -> Path:
    """A folder of games outside the package, with one game in it."""
    folder = tmp_path / "games" / "high_card"
    (folder / "solve").mkdir(parents=True)
    (folder / "clauses.toml").write_text("")
    (folder / "rules.py").write_text("ACE = 12\n")
    (folder / "solve" / "shell.toml").write_text(
        '[options.seen]\ntakes = "HOW"\nabout = "whether the card is seen (High Card)"\n'
        '[options.twice]\nabout = "two cards (High Card)"\n'
        '[commands.high]\nabout = "Turn a card."\nargument = { name = "card", takes = "CARD", about = "which" }\n'
    )
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path / "games"))
    return folder


def test_games_outside_the_package_are_found_by_their_clauses(own_game, monkeypatch) -> None:
    (own_game.parent / "no_game").mkdir()
    assert set(game_folders()) == {*NAMES, "high_card"}
    monkeypatch.setenv("HOUSEWAY_GAMES", str(own_game))
    assert game_folders()["high_card"] == own_game


def test_options_of_all_games_are_listed_once(own_game) -> None:
    options = {option.name: option for option in options_of_games(shells().values())}
    assert {"about", "exact", "chart", "after-split", "bonus", "seen", "queen-high", "twice"} == set(options)
    assert options["seen"].about.endswith("(Duki); whether the card is seen (High Card)")
    assert options["twice"].takes == ""


def test_the_shell_lists_a_game_s_own_command_without_importing_the_game(own_game) -> None:
    code = "import sys; sys.argv = ['houseway', *sys.argv[1:]]; from houseway.cli.main import main\nmain()"
    ended = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, text=True, check=True)
    assert re.search(r"high +Turn a card", ended.stdout)
    ended = subprocess.run([sys.executable, "-c", code, "solve", "--help"], capture_output=True, text=True, check=True)
    assert "--twice" in ended.stdout


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("nonsense", "Expected '='"),
        ("[option.x]\nabout = 'x'", '"option" is not known'),
        ("[options.x]\nwhat = 'x'", "what"),
        ("options = 3", "items"),
        ("[commands.x]\n", "about"),
    ],
)
def test_a_declaration_that_cannot_be_read_is_one_line_and_spoils_nothing_else(content, told, own_game, capsys) -> None:
    (own_game / "solve" / "shell.toml").write_text(content)
    with pytest.raises(Refused, match=re.escape(told)):
        read_shell(own_game)
    assert set(shells()) == set(NAMES)
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert str(own_game) in said


def test_compiled_rules_of_a_game_elsewhere_are_told_apart_by_all_its_sources(own_game) -> None:
    digests = {compiled._source_digest.__wrapped__(None)}
    for content in ("ACE = 12\n", "ACE = 13\n"):
        for file in ("rules.py", "solve/best.py"):
            (own_game / file).write_text(content)
            digests.add(compiled._source_digest.__wrapped__(own_game))
    assert len(digests) == 5


def test_a_kept_result_goes_with_the_sources_of_the_game_and_its_solver(tmp_path) -> None:
    (tmp_path / "solve").mkdir()
    edition = SimpleNamespace(game=SimpleNamespace(folder=tmp_path), document={})
    keys = [key_of(edition, {})]
    for file in ("rules.py", "solve/best.py"):
        (tmp_path / file).write_text("pass\n")
        keys.append(key_of(edition, {}))
    assert len(set(keys)) == 3
