"""`houseway protect`: what somebody who counts or sees cards can win, and what stops him."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from houseway.api import Rulebook
from houseway.cli.simulate import check_ending, how_many, write_answer
from houseway.cli.text import Format, progress_bar, show_answer
from houseway.house.standing import standing
from houseway.money import parse_cents
from houseway.protect.ask import check_one_question, table_asked
from houseway.protect.published import SHOES_TRIED, published_answer
from houseway.protect.report import EXACT_SHOES, SHOES
from houseway.protect.seen import seen_answer
from houseway.refusal import Refused
from houseway.solve.answer import Answer


@dataclass(frozen=True)
class ProtectQuestion:
    """What was asked on the command line."""

    edition: str
    wager: str
    chosen: dict[str, int | str]
    what_if: bool
    count: str
    trigger: str
    start: str
    cut: int | None
    burn: str
    burn_shown: bool
    extra: int
    divisor: str
    players: int
    shoes: str
    exact_shoes: str
    seed: int
    bet: str
    hour: int
    tolerate: str
    seen: str
    published: bool
    spread: str = ""
    play: str = ""
    main_count: str = ""
    main_spread: str = ""

    def dealing(self) -> dict[str, Any]:
        """How the shoe is dealt and watched, as Python names it."""
        if self.burn not in {"", "value"} and not self.burn.isdecimal():
            raise Refused("bad-setting", f'--burn "{self.burn[:20]}" is not possible: a number of cards, or value')
        return {
            "cut": self.cut,
            "burn": None if self.burn in {"", "value"} else int(self.burn),
            "burn_by_value": self.burn == "value",
            "burn_shown": self.burn_shown,
            "extra": self.extra,
            "divisor": self.divisor,
            "players": self.players,
            "seed": self.seed,
        }


def show_protection(question: ProtectQuestion, out: Path | None, format_: Format) -> None:
    """Watch the wager, and print or write what came of it."""
    if out is not None:
        check_ending(out)
    book = Rulebook.open(question.edition)
    with progress_bar("dealing") as progress:
        answer = _answer(book, question, progress).under(standing(book.edition).rules)
    if out is None:
        show_answer(answer, format_)
        return
    write_answer(answer, out)
    print(f"{out} written")


def _answer(book: Rulebook, question: ProtectQuestion, progress: Any) -> Answer:
    bet_cents = parse_cents(question.bet, "bet") if question.bet else 0
    settings = book.edition.settings(question.chosen, question.what_if)
    check_one_question(question)
    if question.seen:
        return seen_answer(book.edition, settings, question.wager, question.seen, bet_cents, question.hour, progress)
    if question.published:
        table = table_asked(book.edition, settings, question.wager, **question.dealing())
        return published_answer(table, how_many(question.shoes, "shoes") or SHOES_TRIED, progress)
    named: dict[str, Any] = {name.replace("-", "_"): value for name, value in question.chosen.items()}
    protected = book.protect(
        question.wager,
        question.count,
        question.trigger or None,
        start=question.start or None,
        shoes=how_many(question.shoes, "shoes") or SHOES,
        exact_shoes=how_many(question.exact_shoes, "exact-shoes") or EXACT_SHOES,
        bet_cents=bet_cents,
        decisions_an_hour=question.hour,
        tolerated_cents=parse_cents(question.tolerate, "tolerate", "an amount", least=0),
        spread=question.spread,
        play=question.play,
        main_count=question.main_count,
        main_spread=question.main_spread,
        what_if=question.what_if,
        progress=progress,
        **question.dealing(),
        **named,
    )
    return protected.answer()
