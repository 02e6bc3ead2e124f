"""`houseway solve`, `strategy` and `best`: the value of every choice, and the better one. The game's solver answers."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from houseway.api import Rulebook
from houseway.cards import parse_cards, show_cards
from houseway.chunks.in_use import by_engine
from houseway.cli.odds import csv_row, heading, odds_data, sheet_data, sheet_text, solved_strategy
from houseway.cli.text import Format, progress_bar, show_answer
from houseway.house.standing import standing
from houseway.kernels.count import Progress
from houseway.refusal import Refused, one_of
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.simulate.run import engine_of
from houseway.solve import solver
from houseway.solve.answer import Answer, ratio, table

THREADS, DASK = "threads", "dask"


@dataclass(frozen=True)
class SolverQuestion:
    """What is asked about an edition; `options` are those that not every game knows. Long counts are done by the `engine`."""

    edition_id: str
    chosen: dict[str, int | str]
    options: dict[str, Any] = field(default_factory=dict)
    engine: str = THREADS
    scheduler: str = ""

    def opened(self) -> tuple[Edition, Settings]:
        """The edition that is asked about, and the settings."""
        edition = Rulebook.open(self.edition_id).edition
        return edition, edition.settings(self.chosen)

    @contextmanager
    def solving(self) -> Iterator[Progress | None]:
        """While it is solved: a bar on the terminal, and the engine for long counts."""
        one_of("engine for counts", self.engine, (THREADS, DASK))
        counting = (
            by_engine(engine_of(self.engine, self.scheduler)) if self.engine != THREADS or self.scheduler else nullcontext()
        )
        with counting, progress_bar("solving") as progress:
            yield progress


def show_player(question: SolverQuestion, wager: str, player: str, asked: dict[str, Any], format_: Format) -> None:
    """The odds of a wager for a player who decides in this way; `asked` is what else the question named."""
    edition, settings = question.opened()
    with question.solving() as progress:
        sheet = solver.solved_sheet(edition, wager, settings, player, progress)
    strategy = solved_strategy(sheet, player)
    data = odds_data(edition, settings, asked | {"player": player}, [sheet_data(sheet, strategy) | {"player": player}], {})
    rows = [csv_row(sheet, place, player) for place in range(len(sheet.rows))]
    show_answer(Answer(data, rows, f"{heading(edition, settings)}\n\n{sheet_text(sheet, strategy)}"), format_)


def show_solution(question: SolverQuestion, format_: Format) -> None:
    """Solve a game: the edge of the best play, what to remember of it, and what that costs."""
    edition, settings = question.opened()
    with question.solving() as progress:
        answer = solver.solve(edition, settings, question.options, progress)
    show_answer(answer.under(standing(edition).rules), format_)


def show_strategy(question: SolverQuestion, save: Path | None, format_: Format) -> None:
    """The strategy as a person remembers it: on the terminal, or (`save`) as a file whose ending tells what it is."""
    edition, settings = question.opened()
    with progress_bar("solving") as progress:
        answer = solver.strategy(edition, settings, progress).under(standing(edition).rules)
    if save is None:
        show_answer(answer, format_)
        return
    ending = save.suffix.removeprefix(".")
    if ending not in answer.files:
        raise Refused("unknown-format", f'"{save.name}" has no ending that is known (known: {", ".join(answer.files)})')
    try:
        save.write_text(answer.files[ending], encoding="utf-8")
    except OSError as error:
        raise Refused("not-written", f"{save} cannot be written: {error.strerror}") from error
    print(f"{save} written")


def show_best(question: SolverQuestion, hand: str, dealer: str, other: str, format_: Format) -> None:
    """What each choice with a hand is worth, and the best one."""
    (edition, settings), cards = question.opened(), parse_cards(hand)
    choices = solver.choices(edition, settings, cards, parse_cards(dealer), parse_cards(other))
    best = choices[0].worth
    rows = [
        {
            "choice": choice.name,
            "worth": float(choice.worth),
            "exact": _exactly(choice.worth),
            **choice.deals,
            "best": choice.worth == best,
        }
        for choice in choices
    ]
    lines = [
        [
            choice.name,
            f"{float(choice.worth):+.8f}",
            f"{float(best - choice.worth):.8f}",
            "best" if choice.worth == best else "",
        ]
        for choice in choices
    ]
    arithmetic = "exact" if isinstance(best, Fraction) else "64-bit floats"
    text = f"{table([['choice', 'worth', 'less than the best by', ''], *lines], right=(1, 2))}\nfor a unit bet; {arithmetic}"
    data = {"edition": edition.id, "hand": show_cards(cards), "arithmetic": arithmetic, "choices": rows}
    show_answer(Answer(data, rows, text), format_)


def _exactly(value: Fraction | float) -> str:
    """The fraction, where the value is exact."""
    return ratio(value) if isinstance(value, Fraction) else ""
