"""What a game's solver is: the questions that the shell, the API and the lab ask of it. What asks knows no game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from typing import Any

from houseway.kernels.count import Progress
from houseway.odds.par_sheet import ParSheet
from houseway.refusal import Refused, one_of
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.solve.answer import Answer
from houseway.solve.printed import PrintedStrategy
from houseway.solve.shell import read_shell

Cards = tuple[int, ...]


@dataclass(frozen=True)
class Choice:
    """A choice and its worth for a unit bet: a fraction where it is exact. `deals` tells by how many deals it ends how.

    `parts` are the cards as they lie then, by name, where the choice lays them; `made_by` names those who would choose so: a
    House Way, a chart, a line to remember.
    """

    name: str
    worth: Fraction | float
    deals: dict[str, int] = field(default_factory=dict)
    parts: Mapping[str, Cards] = field(default_factory=dict)
    made_by: tuple[str, ...] = ()


HAND, DEALER, OTHER = "hand", "dealer", "other"


@dataclass(frozen=True)
class CardsAsked:
    """Cards that `choices` is told: whose (`hand`, `dealer` or `other`), their name, and how many at least and at most."""

    whose: str
    about: str
    least: int
    most: int


@dataclass(frozen=True)
class Solver:
    """How a game is solved; a game gives its own as `SOLVER` in its package `solve`, and whatever it lacks is refused.

    `solve` finds the best play and takes the options that the game's `shell.toml` names; `strategy` is what a person
    remembers of it. `choices` values every choice with a hand, where cards of the dealer's and of another player's may be
    seen; `asks` says which cards it wants. `sheet` is the par sheet of one of the wagers in `solved` for a player who decides
    in one of the ways in `players`; `usual` is the one whom the wager's own par sheet means, where that is only sampled.
    `best_edge` is the house edge of the wagers in `best_of` for the best player, without a par sheet, and `best_deviation` the
    standard deviation of a unit; of those in `slow` it takes minutes. `is_ready` tells whether a question (`choices`, or
    `sheet` of a player) is answered at once, since what takes long is kept; without it all are. `printed` is what is
    handed out of it on paper. `commands` are the game's own in the shell.
    """

    solve: Callable[..., Answer] | None = None
    strategy: Callable[[Edition, Settings, Progress | None], Answer] | None = None
    choices: Callable[[Edition, Settings, Cards, Cards, Cards], list[Choice]] | None = None
    asks: tuple[CardsAsked, ...] = (
        CardsAsked(HAND, "The player's cards", 1, 12),
        CardsAsked(DEALER, "Cards of the dealer's that are seen", 0, 12),
    )
    sees_another: bool = False
    sheet: Callable[[Edition, str, Settings, str, Progress | None], ParSheet] | None = None
    solved: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    usual: Callable[[Settings], str] | None = None
    best_edge: Callable[[Edition, str, Settings], Fraction | float] | None = None
    best_of: tuple[str, ...] = ()
    best_deviation: Callable[[Edition, str, Settings], float] | None = None
    slow: tuple[str, ...] = ()
    is_ready: Callable[[Edition, Settings, str, str], bool] | None = None
    printed: Callable[[Edition, Settings, Progress | None], PrintedStrategy] | None = None
    commands: Mapping[str, Callable[..., Answer]] = field(default_factory=dict)


NOTHING = Solver()
BEST = "best"
"""The player who decides best, where a solver knows one."""


def later(module: str, name: str) -> Callable[..., Any]:
    """A function of a module that is imported when the function is first called: a solver's tables are not for everybody."""

    def call(*given: Any, **named: Any) -> Any:
        return getattr(import_module(module), name)(*given, **named)

    return call


def solver_of(edition: Edition) -> Solver:
    """The solver of an edition's game; one that answers nothing where the game gives none."""
    solver = edition.game.solver
    assert solver is None or isinstance(solver, Solver)
    return solver or NOTHING


def _not_solved(edition: Edition, command: str) -> Refused:
    """Why a question is not answered: nothing is to be decided, or the game's solver answers other questions only."""
    if not edition.game.face.choices:
        return Refused("not-solved", f"{edition.name} leaves the player nothing to decide")
    solver = solver_of(edition)
    answers = {
        "solve": solver.solve is not None,
        "strategy": solver.strategy is not None,
        "best": solver.choices is not None,
        f"odds --wager {' or '.join(solver.solved)} --player": solver.sheet is not None and bool(solver.solved),
    }
    known = ", ".join(f"houseway {name}" for name, is_answered in answers.items() if is_answered) or "nothing"
    return Refused("not-solved", f"{edition.name} has decisions, but its game comes without {command} (it answers: {known})")


def solved_sheet(edition: Edition, wager: str, settings: Settings, player: str, progress: Progress | None = None) -> ParSheet:
    """The exact par sheet of a wager for a player who decides in this way."""
    solver = solver_of(edition)
    if solver.sheet is None or wager not in solver.solved:
        solved = ", ".join(solver.solved) or "none of its wagers"
        raise Refused("not-solved", f"{wager} of {edition.id} is not solved for a kind of player (solved: {solved})")
    one_of("player", player, solver.players)
    return solver.sheet(edition, wager, settings, player, progress)


def best_edge(edition: Edition, wager: str, settings: Settings) -> Fraction | float | None:
    """The house edge of a wager for the best player, exact as a fraction; nothing where no solver finds it in seconds."""
    solver = solver_of(edition)
    if wager in solver.slow:
        return None
    if solver.best_edge is not None and wager in solver.best_of:
        return solver.best_edge(edition, wager, settings)
    if solver.sheet is not None and wager in solver.solved and BEST in solver.players:
        return solver.sheet(edition, wager, settings, BEST, None).house_edge
    return None


def players_of(edition: Edition, wager: str) -> tuple[str, ...]:
    """The players for whom the odds of a wager are solved, par sheet and all."""
    solver = solver_of(edition)
    return solver.players if solver.sheet and wager in solver.solved else ()


def usual_player(edition: Edition, wager: str, settings: Settings) -> str:
    """The player whom a sampled par sheet means, where a solver can count his deals; else nobody."""
    solver = solver_of(edition)
    return solver.usual(settings) if solver.usual and players_of(edition, wager) else ""


def is_ready(edition: Edition, settings: Settings, question: str, player: str = "") -> bool:
    """Whether a question is answered at once: `choices`, or `sheet` of a player."""
    ready = solver_of(edition).is_ready
    return ready is None or ready(edition, settings, question, player)


def choices(edition: Edition, settings: Settings, hand: Cards, dealer: Cards = (), other: Cards = ()) -> list[Choice]:
    """Every choice with a hand, the best first; `dealer` and `other` are cards of the dealer's and of another player's seen."""
    solver = solver_of(edition)
    if solver.choices is None:
        raise _not_solved(edition, "best")
    if other and not solver.sees_another:
        raise Refused("bad-request", f"another player's hand says nothing about {edition.name}: leave it out")
    return sorted(solver.choices(edition, settings, hand, dealer, other), key=lambda choice: choice.worth, reverse=True)


def solve(edition: Edition, settings: Settings, options: Mapping[str, Any], progress: Progress | None = None) -> Answer:
    """The best play, its edge, and what to remember of it; an option that the game does not know is refused."""
    solver = solver_of(edition)
    if solver.solve is None:
        raise _not_solved(edition, "solve")
    known = {option.key: option for option in read_shell(edition.game.folder).options}
    for key in options:
        if key not in known:
            flag, listed = "--" + key.replace("_", "-"), ", ".join(option.flag for option in known.values()) or "no options"
            raise Refused("unknown-option", f"{flag} says nothing about {edition.name} (it knows: {listed})")
    return solver.solve(edition, settings, progress, **options)


def strategy(edition: Edition, settings: Settings, progress: Progress | None = None) -> Answer:
    """The strategy as a person remembers it."""
    solver = solver_of(edition)
    if solver.strategy is None:
        raise _not_solved(edition, "strategy")
    return solver.strategy(edition, settings, progress)


def printed_strategy(edition: Edition, settings: Settings, progress: Progress | None = None) -> PrintedStrategy:
    """The strategy as it is handed out: the chart with the cost of errors, or the way by which a house sets."""
    solver = solver_of(edition)
    if solver.printed is None:
        raise _not_solved(edition, "a chart to print")
    return solver.printed(edition, settings, progress)
