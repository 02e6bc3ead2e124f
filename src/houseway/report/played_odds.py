"""The odds of a wager with the player named: counted, solved where something is decided, drawn only where nobody knows more."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from houseway.kernels.count import Progress
from houseway.odds.par_sheet import ParSheet, Row, par_sheet, standard_moment
from houseway.refusal import Refused
from houseway.report.figures import SquareRoot
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Wager
from houseway.rulebook.settings import Settings
from houseway.solve.results import SolvedResult, SolvedResults
from houseway.solve.solver import BEST, Solver, best_edge_kept, solver_of

COUNTED, SOLVED, IN_FLOATS, DRAWN = "counted", "solved", "solved in floats", "drawn"
BEST_PLAY = "best play"


@dataclass(frozen=True)
class PlayedOdds:
    """What a wager is worth to the house from a `player` who is named, and `how` that is known.

    There is a sheet where every deal is counted or drawn, and `results` where a solver tells every result of the best player.
    Where nothing more is asked for, or known, there is his edge alone.
    """

    wager: Wager
    settings: Settings
    player: str
    how: str
    edge: Fraction | float
    sheet: ParSheet | None = None
    results: SolvedResults | None = None

    @property
    def rows(self) -> tuple[Row, ...] | tuple[SolvedResult, ...]:
        """Every result that is told apart; none where the edge alone is known."""
        told = self.sheet or self.results
        return told.rows if told else ()

    @property
    def is_spread(self) -> bool:
        """Whether every result is known, and so what follows from them."""
        return bool(self.rows)

    def chance_of(self, counts: Callable[[Fraction], bool]) -> Fraction | float:
        """How likely a result is whose net counts."""
        return sum((row.probability for row in self.rows if counts(row.net)), Fraction(0))

    @property
    def deviation(self) -> SquareRoot | float | None:
        """The standard deviation of a unit bet, exact by its square where that is known; nothing where nobody tells it."""
        if self.sheet:
            return SquareRoot(self.sheet.variance)
        squares = sum(float(row.net) ** 2 * float(row.probability) for row in self.rows)
        return sqrt(squares - float(self.edge) ** 2) if self.is_spread else None

    def standard_moment(self, power: int) -> float:
        """The third is the skewness, the fourth the kurtosis."""
        return standard_moment([(row.net, row.probability) for row in self.rows], power)

    @property
    def standard_error(self) -> float:
        """Of the edge; nothing unless it was drawn."""
        return self.sheet.standard_error if self.sheet else 0.0

    @property
    def deviation_number(self) -> float:
        """The standard deviation of a unit bet, as a number; zero where nobody tells it."""
        deviation = self.deviation
        return sqrt(deviation.square) if isinstance(deviation, SquareRoot) else deviation or 0.0


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
    every_result: bool = True,
) -> PlayedOdds:
    """The odds of a wager for its usual player, or for one who is named; refused where the wager is not offered.

    Where a solver finds the best player's edge soon, and every result of his later, these can be left out.
    """
    wager, solver = edition.wager(name), solver_of(edition)
    if (reason := wager.refuses(settings)) and not settings.what_if:
        raise Refused("not-offered", f"{name} is not offered: {reason}")
    if solver.sheet is not None and name in solver.solved:
        who = player or documents_player(solver, settings)
        words = player_words(wager, who) if not player else BEST_PLAY if who == BEST else who.replace("-", " ")
        return _of_sheet(solver.sheet(edition, name, settings, who, progress), settings, words, SOLVED)
    if solver.best_edge is not None and name in solver.best_of:
        told = solver.best_results(edition, name, settings, progress) if every_result and solver.best_results else None
        edge = best_edge_kept(edition, name, settings)
        return PlayedOdds(wager, settings, BEST_PLAY, SOLVED if isinstance(edge, Fraction) else IN_FLOATS, edge, results=told)
    sheet = par_sheet(edition, name, settings, progress=progress)
    return _of_sheet(sheet, settings, wager.strategy, DRAWN if sheet.method == "simulated" else COUNTED)


def _of_sheet(sheet: ParSheet, settings: Settings, player: str, how: str) -> PlayedOdds:
    return PlayedOdds(sheet.wager, settings, player, how, sheet.house_edge_without_envy, sheet)
