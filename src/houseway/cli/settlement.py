"""Printing a settled hand."""

import textwrap

from houseway.api import Rulebook
from houseway.cli.books import status
from houseway.cli.text import Format, show_csv, show_json
from houseway.house.standing import standing
from houseway.money import dollars
from houseway.rulebook.settle import Settlement
from houseway.solve.answer import table


def show_settlement(
    name: str,
    cards: str,
    bets: str,
    choices: str,
    others: tuple[str, ...],
    chosen: dict[str, int | str],
    format_: Format,
) -> None:
    """Settle a hand and print each step and each payment."""
    book = Rulebook.open(name)
    settings = {key.replace("-", "_"): value for key, value in chosen.items()}
    settled = book.settle(cards, bets, choices, others, **settings)
    payments = [
        {
            "wager": p.wager,
            "spot": p.spot,
            "outcome": p.outcome,
            "pays": p.pays,
            "stake_cents": p.stake_cents,
            "win_cents": p.win_cents,
            "returned_cents": p.returned_cents,
            "rounding_cents": float(p.rounding_cents),
            "clause": p.clause,
        }
        for p in settled.payments
    ]
    if format_ is Format.JSON:
        show_json(
            {
                "edition": book.edition.id,
                "digest": standing(book.edition).rules,
                "status": status(book.edition),
                "differences": list(standing(book.edition).differences),
                "steps": [{"clause": step.clause, "text": book.words(step)} for step in settled.steps],
                "payments": payments,
                "staked_cents": settled.staked_cents,
                "win_cents": settled.win_cents,
                "returned_cents": settled.staked_cents + settled.win_cents,
            }
        )
    elif format_ is Format.CSV:
        show_csv(payments)
    else:
        print(f"{book.edition.name} · {status(book.edition)}\n")
        for step in settled.steps:
            print(textwrap.fill(book.words(step), 100, initial_indent=f"  {step.clause:8}", subsequent_indent=" " * 10))
        print("\n" + _payments(settled))


def _payments(settled: Settlement) -> str:
    head = ("wager", "stake", "outcome", "pays", "win", "back to player", "clause")
    rows = [
        (
            p.wager + (f" ({p.spot})" if p.spot else ""),
            dollars(p.stake_cents),
            p.outcome,
            p.pays,
            dollars(p.win_cents) + (f" ({float(p.rounding_cents / 100):.3f} of it rounding)" if p.rounding_cents else ""),
            dollars(p.returned_cents),
            p.clause,
        )
        for p in settled.payments
    ]
    total = ("total", dollars(settled.staked_cents), "", "", dollars(settled.win_cents))
    back = dollars(settled.staked_cents + settled.win_cents)
    return table([head, *rows, (*total, back, "")], right=(1, 4, 5), indent="  ")
