"""What a game's solver is: the questions that the shell, the API and the lab ask of it. What asks knows no game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from typing import Any

from houseway.kernels.count import Progress
from houseway.odds.known import KnownCards, KnownOdds
from houseway.odds.par_sheet import SOLVED, ParSheet, Row, sheet_from
from houseway.refusal import Refused, one_of
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Tally
from houseway.rulebook.settings import Settings
from houseway.solve.answer import Answer, ratio
from houseway.solve.kept import kept, key_of
from houseway.solve.remembered import Remembered
from houseway.solve.results import SolvedResults
from houseway.solve.shell import Option, read_shell

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
class WhenOffered:
    """The deals of a wager that is offered in mid-round, counted from what is known of every such offer, and its words."""

    known: str
    count: Callable[[Edition, Settings], Tally]


@dataclass(frozen=True)
class Solver:
    """How a game is solved; a game gives its own as `SOLVER` in its package `solve`, and whatever it lacks is refused.

    `solve` finds the best play and takes the options that the game's `shell.toml` names; `strategy` is what a person
    remembers of it. `choices` values every choice with a hand, where cards of the dealer's and of another player's may be
    seen; `asks` says which cards it wants. `sheet` is the par sheet of one of the wagers in `solved` for a player who decides
    in one of the ways in `players`; `usual` is the one whom the wager's own par sheet means, where that is only sampled.
    `best_edge` is the house edge of the wagers in `best_of` for the best player, without a par sheet; `best_results` are all
    results of one for him, which takes longer, and whatever the outcomes in `paid_apart` pay, he decides alike. Of wagers in
    `slow` it takes minutes. `known` are the odds of a wager from the middle of a round, as far as they are solved: nothing
    where they are not, or not at once. `is_ready` tells whether a question (`choices`, `sheet` of a player, or `results`) is
    answered at once, since what takes long is kept; without it all are.
    `when_offered` counts wagers that have no deals of their own, since they are offered in mid-round: `offered_sheet`.
    `printed` is what is handed out of it on paper. `commands` are the game's own in the shell.
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
    best_results: Callable[[Edition, str, Settings, Progress | None], SolvedResults] | None = None
    paid_apart: tuple[str, ...] = ()
    known: Callable[[Edition, str, Settings, KnownCards], KnownOdds | None] | None = None
    slow: tuple[str, ...] = ()
    is_ready: Callable[[Edition, Settings, str, str], bool] | None = None
    when_offered: Mapping[str, WhenOffered] = field(default_factory=dict)
    printed: Callable[[Edition, Settings, Progress | None], Remembered] | None = None
    commands: Mapping[str, Callable[..., Answer]] = field(default_factory=dict)


NOTHING = Solver()
BEST = "best"
"""The player who decides best, where a solver knows one."""
SAMPLED = "sampled"
"""The player whom a simulated par sheet means, asked for by name although his odds, or another's, are solved."""


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
    """The par sheet of a wager for a player who decides in this way: exact, or solved in floats as its `method` says."""
    solver, players = solver_of(edition), players_of(edition, wager)
    if not players:
        solved = ", ".join(name for name in edition.wagers if players_of(edition, name)) or "none of its wagers"
        raise Refused("not-solved", f"{wager} of {edition.id} is not solved for a kind of player (solved: {solved})")
    one_of("player", player, players)
    if solver.sheet is not None and wager in solver.solved:
        return solver.sheet(edition, wager, settings, player, progress)
    if (reason := edition.wager(wager).refuses(settings)) and not settings.what_if:
        raise Refused("not-offered", f"{wager} is not offered: {reason}")
    assert solver.best_results is not None
    return _sheet_of_results(edition, wager, settings, solver.best_results(edition, wager, settings, progress))


def _sheet_of_results(edition: Edition, wager: str, settings: Settings, results: SolvedResults) -> ParSheet:
    """Results as a par sheet. No deals were counted for it: the chance of each is the fraction that a float is."""
    rows = (
        Row(row.outcome, row.name, row.pays, {}, row.net, combinations=0, probability=Fraction(row.probability))
        for row in results.rows
    )
    asked = edition.wager(wager)
    return ParSheet(edition, asked, settings, tuple(rows), total=0, method=SOLVED, staked=Fraction(results.staked))


def offered_sheet(edition: Edition, wager: str, settings: Settings) -> ParSheet:
    """The par sheet of a wager in `when_offered`: exact, and of the rounds in which it is offered."""
    return sheet_from(edition, edition.wager(wager), settings, solver_of(edition).when_offered[wager].count(edition, settings))


def best_edge(edition: Edition, wager: str, settings: Settings) -> Fraction | float | None:
    """The house edge of a wager for the best player, exact as a fraction; nothing where no solver finds it in seconds."""
    solver = solver_of(edition)
    if wager in solver.slow:
        return None
    if solver.best_edge is not None and wager in solver.best_of:
        return best_edge_kept(edition, wager, settings)
    if solver.sheet is not None and wager in solver.solved and BEST in solver.players:
        return solver.sheet(edition, wager, settings, BEST, None).house_edge
    return None


def best_edge_kept(edition: Edition, wager: str, settings: Settings) -> Fraction | float:
    """The best player's edge of a wager in `best_of`, kept on disk: exact as a fraction, or a float to its last digit."""
    best = solver_of(edition).best_edge
    assert best is not None

    def compute() -> dict[str, str]:
        edge = best(edition, wager, settings)
        return {"number": ratio(edge) if isinstance(edge, Fraction) else repr(float(edge))}

    told: str = kept(key_of(edition, settings, "best edge", wager), compute)["number"]
    return Fraction(told) if "/" in told else float(told)


def _tells_results(edition: Edition, wager: str) -> bool:
    """Whether a solver tells every result of a wager for the best player, and has no exact par sheet of it."""
    solver = solver_of(edition)
    return solver.best_results is not None and wager in solver.best_of and wager not in solver.solved


def players_of(edition: Edition, wager: str) -> tuple[str, ...]:
    """The players for whom the odds of a wager are solved, par sheet and all."""
    solver = solver_of(edition)
    if solver.sheet and wager in solver.solved:
        return solver.players
    return (BEST,) if _tells_results(edition, wager) else ()


def solved_player(edition: Edition, wager: str, settings: Settings) -> str:
    """The player whose odds are told instead of sampled ones: whom these mean, or the best; nobody where none is solved."""
    solver = solver_of(edition)
    if not edition.wager(wager).simulated:
        return ""
    if _tells_results(edition, wager):
        return BEST
    return solver.usual(settings) if solver.usual and players_of(edition, wager) else ""


def is_sampled_otherwise(edition: Edition, wager: str) -> bool:
    """Whether a wager is sampled for another player than the one whose odds are solved."""
    return edition.wager(wager).simulated and _tells_results(edition, wager)


def is_sheet_ready(edition: Edition, wager: str, settings: Settings, player: str) -> bool:
    """Whether the par sheet of a player is told at once, since it was worked out before."""
    return is_ready(edition, settings, "results" if _tells_results(edition, wager) else "sheet", player)


def is_ready(edition: Edition, settings: Settings, question: str, player: str = "") -> bool:
    """Whether a question is answered at once: `choices`, `sheet` of a player, or `results`."""
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


def solve_options(edition: Edition) -> tuple[Option, ...]:
    """What `solve` takes for an edition; refused where it is not solved."""
    if solver_of(edition).solve is None:
        raise _not_solved(edition, "solve")
    return read_shell(edition.game.folder).options


def solve(edition: Edition, settings: Settings, options: Mapping[str, Any], progress: Progress | None = None) -> Answer:
    """The best play, its edge, and what to remember of it; an option that the game does not know is refused."""
    known = {option.key: option for option in solve_options(edition)}
    solve = solver_of(edition).solve
    assert solve is not None
    for key in options:
        if key not in known:
            flag, listed = "--" + key.replace("_", "-"), ", ".join(option.flag for option in known.values()) or "no options"
            raise Refused("unknown-option", f"{flag} says nothing about {edition.name} (it knows: {listed})")
    return solve(edition, settings, progress, **options)


def strategy(edition: Edition, settings: Settings, progress: Progress | None = None) -> Answer:
    """The strategy as a person remembers it."""
    solver = solver_of(edition)
    if solver.strategy is None:
        raise _not_solved(edition, "strategy")
    return solver.strategy(edition, settings, progress)


def printed_strategy(edition: Edition, settings: Settings, progress: Progress | None = None) -> Remembered:
    """The strategy as it is handed out: the chart with the cost of errors, or the way by which a house sets."""
    solver = solver_of(edition)
    if solver.printed is None:
        raise _not_solved(edition, "a chart to print")
    return solver.printed(edition, settings, progress)
