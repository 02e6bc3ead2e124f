"""What is asked of a game's solver in the lab, and how a worker answers it. What is asked knows no game."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, Field

from houseway.api import Rulebook
from houseway.kernels.count import Progress
from houseway.odds.par_sheet import SOLVED
from houseway.refusal import Refused, number_of, one_of
from houseway.rulebook import Edition, Settings
from houseway.solve import solver
from houseway.solve.answer import Answer
from houseway.solve.shell import FILE, Option
from houseway.solve.solver import DEALER, HAND, OTHER, players_of
from houseway.web.lab_hands import best_answer
from houseway.web.lab_questions import Bounds, BoundsAnswer, Name, SettingsAsked, Text
from houseway.web.lab_sheets import check_player, sheet_answer

Solving = Literal["best", "strategy", "odds", "solve"]
PICTURES = ("svg", "html")
"""Files of a strategy beside those that every answer has."""
FILE_MOST = 8_000
"""Letters in a file that is read for a reader."""


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


class SolveAsked(SolverAsked):
    """The best play, its edge, and whatever else the game's solver is asked. As `houseway solve` in the shell."""

    options: dict[Name, Annotated[str, Field(max_length=FILE_MOST)] | Literal[True]] = Field(
        {}, max_length=20, description="Options of this game by name; of one that takes a file, what the file says"
    )

    def option_words(self, name: str, given: str | bool) -> list[str]:
        """What a file says is no word of a command."""
        is_file = isinstance(given, str) and "\n" in given
        return super().option_words(name, FILE if is_file else given)

    def check(self, edition: Edition, bounds: Bounds) -> None:
        """Refuse an option that the game does not know, and a value that it does not take."""
        super().check(edition, bounds)
        declared = {option.name: option for option in solver.solve_options(edition)}
        for name, given in self.options.items():
            option = declared[one_of("option", name, declared)]
            if (given is True) == bool(option.takes):
                raise Refused("bad-option", f"{name} is {'given with a value' if option.takes else 'asked for or left out'}")
            if option.values:
                one_of(name, str(given), option.values)


class PlayerAsked(SolverAsked):
    """The solved odds of a wager for a kind of player. As `houseway odds --wager --player` in the shell."""

    wager: Annotated[str, Field(min_length=1, max_length=64)]
    player: Name = Field("best", description="How the player decides: one of those that the edition's wager names")

    def check(self, edition: Edition, bounds: Bounds) -> None:
        """Refuse a player who is not known before anybody works on it, and one that is a file."""
        super().check(edition, bounds)
        check_player(edition, self.wager, self.player)
        one_of("player", self.player, players_of(edition, self.wager))


SOLVINGS: dict[Solving, type[SolverAsked]] = {
    "best": BestAsked,
    "strategy": StrategyAsked,
    "odds": PlayerAsked,
    "solve": SolveAsked,
}
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
    if isinstance(asked, SolveAsked):
        return _solve(edition, settings, asked.options, progress)
    answer = solver.strategy(edition, settings, progress)
    return replace(answer, files={f".{ending}": answer.files[ending] for ending in PICTURES if ending in answer.files})


def _solve(edition: Edition, settings: Settings, given: Mapping[str, str | bool], progress: Progress) -> Answer:
    """What the solver answers; it reads files, and so what a reader wrote is one while it does."""
    declared = {option.name: option for option in solver.solve_options(edition)}
    with TemporaryDirectory() as folder:
        options: dict[str, str | bool] = {}
        for name, value in given.items():
            option = declared[name]
            options[option.key] = value
            if option.is_file:
                file = Path(folder) / f"the {name} given"
                file.write_text(str(value), encoding="utf-8")
                options[option.key] = str(file)
        try:
            return solver.solve(edition, settings, options, progress)
        except Refused as refused:
            raise Refused(refused.code, refused.message.replace(f"{folder}/", "")) from None


class SolveOption(BaseModel):
    """An option of `solve` that this game has; without `takes` it is asked for or left out."""

    name: str
    about: str
    takes: str
    values: list[str] = Field(description="All that it may be, where that is said")
    is_file: bool = Field(description="Whether what a file says is given")

    @classmethod
    def of(cls, option: Option) -> "SolveOption":
        """As it is declared."""
        return cls(
            name=option.name,
            about=option.about,
            takes=option.takes,
            values=list(option.values),
            is_file=option.is_file,
        )


class SolveChoices(BaseModel):
    """What can be asked of an edition's solver."""

    edition: str
    why_not: str = Field(description="Why nothing can be asked; else empty")
    options: list[SolveOption]
    bounds: BoundsAnswer


def solve_choices(edition: Edition, bounds: Bounds) -> SolveChoices:
    """What the page offers for an edition."""
    options, why_not = tuple[Option, ...](), ""
    try:
        options = solver.solve_options(edition)
    except Refused as refused:
        why_not = refused.message
    words = f"At most {number_of(bounds.seconds, 'second')} here. The shell has no bound."
    return SolveChoices(
        edition=edition.id,
        why_not=why_not,
        options=[SolveOption.of(option) for option in options],
        bounds=BoundsAnswer(seconds=bounds.seconds, most=1, words=words),
    )


def _player(edition: Edition, settings: Settings, asked: PlayerAsked, told: dict[str, Any], progress: Progress) -> Answer:
    sheet = solver.solved_sheet(edition, asked.wager, settings, asked.player, progress)
    data = sheet_answer(sheet, list(settings.outside), told["digest"], told["status"], asked.player).model_dump(by_alias=True)
    rows = [
        {"outcome": row.outcome, "pays": row.pays}
        | ({} if sheet.method == SOLVED else {"combinations": row.combinations})
        | {"probability": float(row.probability)}
        for row in sheet.rows
    ]
    return Answer(data, rows, f"{sheet.wager.name}: house edge {float(sheet.house_edge):.6%}")
