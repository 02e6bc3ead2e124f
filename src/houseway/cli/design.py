"""`houseway design`: pay tables found by an exact search, and registered as an edition that is marked as a design."""

from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from houseway.api import Rulebook
from houseway.cli.editions import own_text, register
from houseway.cli.simulate import check_ending, write_answer
from houseway.cli.text import Format, progress_bar, show_answer
from houseway.design.ask import Wish
from houseway.design.report import Designed, design
from houseway.house.standing import standing
from houseway.refusal import Refused
from houseway.solve.answer import Answer


@dataclass(frozen=True)
class DesignQuestion:
    """What was asked on the command line; `register_as` is the id under which the design of this number is registered."""

    edition: str
    wagers: list[str]
    wish: Wish
    chosen: dict[str, int | str]
    what_if: bool
    register_as: str
    name: str
    number: int
    who: str
    store: str | None


def show_design(question: DesignQuestion, out: Path | None, format_: Format) -> None:
    """Search, register if that is asked, and print or write what was found."""
    if out is not None:
        check_ending(out)
    if question.number < 1:
        raise Refused("bad-setting", f"design {question.number} is not possible: they are numbered from 1 on")
    book = Rulebook.open(question.edition)
    settings: dict[str, Any] = {name.replace("-", "_"): value for name, value in question.chosen.items()}
    wagers = [name.strip() for given in question.wagers for name in given.split(",")]
    most = question.wish.most
    wish = replace(question.wish, most=max(most, question.number) if most > 0 else most)
    with progress_bar("counting") as progress:
        designed = design(book.edition, wagers, wish, settings, date.today().isoformat(), question.what_if, progress)
    answer = designed.answer().under(standing(book.edition).rules)
    if question.register_as:
        answer = _registered(question, designed, answer)
    if out is None:
        show_answer(answer, format_)
        return
    write_answer(answer, out)
    print(f"{out} written")


def _registered(question: DesignQuestion, designed: Designed, answer: Answer) -> Answer:
    """The answer with what was registered, and what that differs in."""
    text = designed.toml(question.register_as, question.name, question.number)
    edition = register(text, question.register_as, question.who, question.store)
    badge = standing(edition)
    told = own_text(edition, f"{edition.id} is registered, {badge.approval}")
    return replace(answer, data=answer.data | {"registered": edition.id, "badge": str(badge)}, text=f"{answer.text}\n\n{told}")
