"""`houseway solve`, `strategy` and `best`: the value of every choice, and the better one. Each game has a module of its own."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from houseway.cards import parse_cards, show_cards
from houseway.cli.odds import sheet_data, sheet_text
from houseway.cli.text import Answer, Format, progress_bar, ratio, show_answer, table
from houseway.games import open_edition
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.solve.choices import choices

SOLVERS = {"duki_4_poker": "solve_duki", "blackjack": "solve_blackjack", "ez_pai_gow": "solve_pai_gow"}


@dataclass(frozen=True)
class Question:
    """What is asked about an edition; `options` are those that only one game knows, such as the Bonus of Duki."""

    edition_id: str
    chosen: dict[str, int | str]
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def edition(self) -> Edition:
        """The edition that is asked about."""
        return open_edition(self.edition_id)

    def solver(self, function: str) -> Callable[..., Any]:
        """What answers it for this edition's game; refused if nothing does, or if the game knows no such option."""
        edition = self.edition
        module: ModuleType | None = None
        if edition.game.id in SOLVERS:
            module = import_module(f"houseway.cli.{SOLVERS[edition.game.id]}")
        if module is None or not hasattr(module, function):
            raise Refused("not-solved", f"{edition.name} leaves the player nothing to decide")
        for option in self.options:
            if option not in module.OPTIONS:
                known = ", ".join(_flag(one) for one in module.OPTIONS) or "no options"
                raise Refused("unknown-option", f"{_flag(option)} says nothing about {edition.name} (it knows: {known})")
        solver: Callable[..., Any] = getattr(module, function)
        return solver


def _flag(option: str) -> str:
    return "--" + option.replace("_", "-")


def show_player(edition_id: str, wager: str, chosen: dict[str, int | str], player: str, format_: Format) -> None:
    """The exact odds of a wager for a player who decides in this way."""
    from houseway.solve.tallies import solved_sheet

    edition = open_edition(edition_id)
    with progress_bar("solving") as progress:
        sheet = solved_sheet(edition, wager, edition.settings(chosen), player, progress)
    data = sheet_data(sheet) | {"edition": edition.id, "digest": edition.fingerprint.digest, "player": player}
    rows = [
        {name: one[name] for name in ("outcome", "pays", "combinations")} | {"total": sheet.total} for one in data["outcomes"]
    ]
    show_answer(Answer(data, rows, sheet_text(sheet, f"exact; the player decides by: {player}")), format_)


def show_solution(question: Question, format_: Format) -> None:
    """Solve a game: the edge of the best play, what to remember of it, and what that costs."""
    settings = question.edition.settings(question.chosen)
    with progress_bar("solving") as progress:
        answer = question.solver("solve")(question.edition, settings, progress, **question.options)
    show_answer(answer, format_)


def show_strategy(question: Question, save: Path | None, format_: Format) -> None:
    """The strategy as a person remembers it: on the terminal, or (`save`) as a file whose ending tells what it is."""
    settings = question.edition.settings(question.chosen)
    with progress_bar("solving") as progress:
        answer: Answer = question.solver("strategy")(question.edition, settings, progress)
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


def show_best(question: Question, hand: str, dealer: str, other: str, format_: Format) -> None:
    """What each choice with a hand is worth, and the best one."""
    edition, cards = question.edition, parse_cards(hand)
    found = choices(edition, edition.settings(question.chosen), cards, parse_cards(dealer), parse_cards(other))
    best = found[0].worth
    told = [
        {"choice": one.name, "worth": float(one.worth), "exact": _exactly(one.worth), **one.deals, "best": one.worth == best}
        for one in found
    ]
    lines = [
        [one.name, f"{float(one.worth):+.8f}", f"{float(best - one.worth):.8f}", "best" if one.worth == best else ""]
        for one in found
    ]
    arithmetic = "exact" if isinstance(best, Fraction) else "64-bit floats"
    text = f"{table([['choice', 'worth', 'less than the best by', ''], *lines], right=(1, 2))}\nfor a unit bet; {arithmetic}"
    data = {"edition": edition.id, "hand": show_cards(cards), "arithmetic": arithmetic, "choices": told}
    show_answer(Answer(data, told, text), format_)


def _exactly(value: Fraction | float) -> str:
    """The fraction, where the value is exact."""
    return ratio(value) if isinstance(value, Fraction) else ""
