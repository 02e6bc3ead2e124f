"""`houseway simulate`: whole shoes dealt by the rules, and what that comes to."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from houseway.api import Rulebook
from houseway.cli.text import Format, show_answer
from houseway.house.standing import standing
from houseway.money import parse_cents
from houseway.refusal import Refused
from houseway.rulebook.settle import parse_bets
from houseway.simulate.run import Progress
from houseway.solve.answer import Answer
from houseway.solve.files import ENDINGS, PARQUET, file_of, parquet_bytes

_WHOLE = "a whole number, such as 1000000 or 1e6"


@dataclass(frozen=True)
class SimulateQuestion:
    """What was asked on the command line."""

    edition: str
    chosen: dict[str, int | str]
    what_if: bool
    rounds: str
    shoes: str
    seats: int
    player: str
    bets: list[str]
    cut: int | None
    burn: str
    extra: int
    shuffler: bool
    seed: int
    engine: str
    scheduler: str
    workers: int
    session: str
    bankroll: str
    bank: str
    resume: bool


def how_many(text: str, what: str) -> int:
    """A number of rounds or shoes: whole and above 0; 1e9 is one as well."""
    if not text:
        return 0
    try:
        number = float(text.replace(",", "").replace("_", ""))
        whole = int(number)
    except (ValueError, OverflowError):
        raise Refused("bad-number", f'--{what} "{text[:20]}" is not {_WHOLE}') from None
    if whole != number or whole < 1 or whole > 1 << 62:
        raise Refused("bad-number", f'--{what} "{text[:20]}" is not possible: {_WHOLE}, and at least 1')
    return whole


def show_simulation(question: SimulateQuestion, out: Path | None, format_: Format) -> None:
    """Deal, and print or write what came of it; Ctrl-C keeps what is done."""
    if out is not None:
        check_ending(out)
    if question.burn not in {"", "value"} and not question.burn.isdecimal():
        raise Refused("bad-setting", f'--burn "{question.burn[:20]}" is not possible: a number of cards, or value')
    book = Rulebook.open(question.edition)
    settings: dict[str, Any] = {name.replace("-", "_"): value for name, value in question.chosen.items()}
    with _bar() as progress:
        try:
            simulated = book.simulate(
                rounds=how_many(question.rounds, "rounds"),
                shoes=how_many(question.shoes, "shoes"),
                seats=question.seats,
                player=question.player,
                bets=[parse_bets(text) for text in question.bets],
                cut=question.cut,
                burn=None if question.burn in {"", "value"} else int(question.burn),
                burn_by_value=question.burn == "value",
                extra=question.extra,
                shuffler=question.shuffler,
                seed=question.seed,
                engine=question.engine,
                scheduler=question.scheduler,
                workers=question.workers,
                session=how_many(question.session, "session"),
                bankroll_cents=parse_cents(question.bankroll, "bankroll", "an amount") if question.bankroll else 0,
                bank_cents=parse_cents(question.bank, "bank", "an amount") if question.bank else 0,
                resume=question.resume,
                what_if=question.what_if,
                progress=progress,
                **settings,
            )
        except KeyboardInterrupt:
            print("houseway: what is done is kept: the same command with --resume goes on", file=sys.stderr)
            raise
    answer = simulated.answer().under(standing(book.edition).rules)
    if out is None:
        show_answer(answer, format_)
        return
    write_answer(answer, out)
    print(f"{out} written")


def check_ending(out: Path) -> None:
    """Refuse a file of which nobody knows what it is to be, and Parquet where it cannot be written."""
    if out.suffix not in ENDINGS:
        raise Refused("bad-file", f"{out}: what is written follows the ending (known: {', '.join(ENDINGS)})")
    if out.suffix == PARQUET:
        parquet_bytes(())


def write_answer(answer: Answer, out: Path) -> None:
    """Write an answer as the file's ending says."""
    try:
        content = file_of(answer, out.suffix)
    except Refused as refused:
        raise Refused(refused.code, f"{out}: {refused.message}") from None
    try:
        out.write_bytes(content)
    except OSError as error:
        raise Refused("not-written", f"{out} cannot be written: {error.strerror or error}") from error


@contextmanager
def _bar() -> Iterator[Progress | None]:
    """Progress on the terminal, with rate and time left; nothing when no person is watching."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = TextColumn("dealing"), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("dealing", rate="")
        yield lambda done, total, rate: bar.update(
            task, completed=done, total=total, rate=f"{rate / 1e6:,.2f} million rounds/s"
        )
