"""The odds of a wager with the player named: counted, solved where something is decided, drawn only where nobody knows more."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from houseway.kernels.count import Progress
from houseway.odds.par_sheet import ParSheet, par_sheet
from houseway.refusal import Refused
from houseway.report.figures import SquareRoot
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Wager
from houseway.rulebook.settings import Settings
from houseway.solve.answer import ratio
from houseway.solve.kept import kept, key_of
from houseway.solve.solver import BEST, Solver, solver_of

COUNTED, SOLVED, IN_FLOATS, DRAWN = "counted", "solved", "solved in floats", "drawn"
BEST_PLAY = "best play"


@dataclass(frozen=True)
class PlayedOdds:
    """What a wager is worth to the house from a `player` who is named, and `how` that is known.

    There is a sheet where every result is known. Where the best play alone is solved, there is its edge, and the deviation if
    the solver tells it.
    """

    wager: Wager
    settings: Settings
    player: str
    how: str
    edge: Fraction | float
    sheet: ParSheet | None = None
    deviation: SquareRoot | float | None = None

    @property
    def standard_error(self) -> float:
        """Of the edge; nothing unless it was drawn."""
        return self.sheet.standard_error if self.sheet else 0.0

    @property
    def deviation_number(self) -> float:
        """The standard deviation of a unit bet, as a number; zero where nobody tells it."""
        if isinstance(self.deviation, SquareRoot):
            return sqrt(self.deviation.square)
        return self.deviation or 0.0


def documents_player(solver: Solver, settings: Settings) -> str:
    """The player whom a document takes where none is named: as the solver says, else the best one, else its first."""
    if solver.usual is not None:
        return solver.usual(settings)
    return BEST if BEST in solver.players else next(iter(solver.players))


def player_words(wager: Wager, player: str) -> str:
    """A kind of player in words."""
    return BEST_PLAY if player == BEST else wager.strategy if wager.simulated and wager.strategy else player.replace("-", " ")


def played_odds(
    edition: Edition,
    name: str,
    settings: Settings,
    progress: Progress | None = None,
    player: str = "",
    with_deviation: bool = True,
) -> PlayedOdds:
    """The odds of a wager for its usual player, or for one who is named; refused where the wager is not offered.

    A deviation that has to be solved by itself takes seconds, and can be left out.
    """
    wager, solver = edition.wager(name), solver_of(edition)
    if (reason := wager.refuses(settings)) and not settings.what_if:
        raise Refused("not-offered", f"{name} is not offered: {reason}")
    if solver.sheet is not None and name in solver.solved:
        who = player or documents_player(solver, settings)
        words = player_words(wager, who) if not player else BEST_PLAY if who == BEST else who.replace("-", " ")
        return _of_sheet(solver.sheet(edition, name, settings, who, progress), settings, words, SOLVED)
    if solver.best_edge is not None and name in solver.best_of:
        edge = _kept_number("best edge", edition, name, settings, solver.best_edge)
        told = solver.best_deviation if with_deviation else None
        deviation = float(_kept_number("best deviation", edition, name, settings, told)) if told else None
        how = SOLVED if isinstance(edge, Fraction) else IN_FLOATS
        return PlayedOdds(wager, settings, BEST_PLAY, how, edge, deviation=deviation)
    sheet = par_sheet(edition, name, settings, progress=progress)
    return _of_sheet(sheet, settings, wager.strategy, DRAWN if sheet.method == "simulated" else COUNTED)


def _kept_number(
    what: str, edition: Edition, wager: str, settings: Settings, solved: Callable[..., Fraction | float]
) -> Fraction | float:
    """A number of a solver's, kept on disk: exact as a fraction, or a float to its last digit."""

    def compute() -> dict[str, str]:
        number = solved(edition, wager, settings)
        return {"number": ratio(number) if isinstance(number, Fraction) else repr(float(number))}

    told: str = kept(key_of(edition, settings, what, wager), compute)["number"]
    return Fraction(told) if "/" in told else float(told)


def _of_sheet(sheet: ParSheet, settings: Settings, player: str, how: str) -> PlayedOdds:
    deviation = SquareRoot(sheet.variance)
    return PlayedOdds(sheet.wager, settings, player, how, sheet.house_edge_without_envy, sheet, deviation)
