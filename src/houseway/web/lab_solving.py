"""What is asked of a game's solver in the lab, and how a worker answers it. What is asked knows no game."""

from dataclasses import replace
from typing import Annotated, Any, Literal, get_args

from pydantic import Field

from houseway.api import Rulebook
from houseway.kernels.count import Progress
from houseway.rulebook import Edition, Settings
from houseway.solve import solver
from houseway.solve.answer import Answer
from houseway.solve.solver import DEALER, HAND, OTHER
from houseway.web.lab_hands import best_answer
from houseway.web.lab_questions import Bounds, Name, SettingsAsked, Text
from houseway.web.lab_sheets import check_player, sheet_answer

Solving = Literal["best", "strategy", "odds"]
PICTURES = ("svg", "html")
"""Files of a strategy beside those that every answer has."""


class SolverAsked(SettingsAsked):
    """What every question to a solver has."""

    @property
    def has_command(self) -> bool:
        """The shell solves what is approved."""
        return not self.what_if


class BestAsked(SolverAsked):
    """A hand whose every choice is to be valued. As `houseway best` in the shell."""

    hand: Annotated[str, Field(min_length=1, max_length=200, description="The player's cards")]
    dealer: Text = Field("", description="Cards of the dealer's that are seen")
    other: Text = Field("", description="Another player's hand that is seen")


class StrategyAsked(SolverAsked):
    """The strategy as a person remembers it. As `houseway strategy` in the shell."""


class PlayerAsked(SolverAsked):
    """The exact odds of a wager for a kind of player. As `houseway odds --wager --player` in the shell."""

    wager: Annotated[str, Field(min_length=1, max_length=64)]
    player: Name = Field("best", description="How the player decides: one of those that the edition's wager names")

    def check(self, edition: Edition, bounds: Bounds) -> None:
        """Refuse a player who is not known before anybody works on it, and one that is a file."""
        super().check(edition, bounds)
        check_player(edition, self.wager, self.player)


SOLVINGS: dict[Solving, type[SolverAsked]] = {"best": BestAsked, "strategy": StrategyAsked, "odds": PlayerAsked}
assert tuple(SOLVINGS) == get_args(Solving)


def solve_asked(book: Rulebook, asked: SettingsAsked, told: dict[str, Any], progress: Progress) -> Answer:
    """What the solver answers; `told` is what a worker knows of the edition."""
    edition = book.edition
    settings = edition.settings(asked.chosen(), asked.what_if)
    if isinstance(asked, BestAsked):
        best = best_answer(edition, settings, told["digest"], {HAND: asked.hand, DEALER: asked.dealer, OTHER: asked.other})
        rows = [{"choice": each.choice, "worth": each.worth.value, "exact": each.worth.exact} for each in best.choices]
        return Answer(best.model_dump(), rows, "\n".join(f"{row['choice']}  {row['worth']:+.8f}" for row in rows))
    if isinstance(asked, PlayerAsked):
        return _player(edition, settings, asked, told, progress)
    answer = solver.strategy(edition, settings, progress)
    return replace(answer, files={f".{ending}": answer.files[ending] for ending in PICTURES if ending in answer.files})


def _player(edition: Edition, settings: Settings, asked: PlayerAsked, told: dict[str, Any], progress: Progress) -> Answer:
    sheet = solver.solved_sheet(edition, asked.wager, settings, asked.player, progress)
    data = sheet_answer(sheet, list(settings.outside), told["digest"], told["status"], asked.player).model_dump(by_alias=True)
    rows = [{"outcome": row.outcome, "pays": row.pays, "combinations": row.combinations} for row in sheet.rows]
    return Answer(data, rows, f"{sheet.wager.name}: house edge {float(sheet.house_edge):.6%}")
