"""Printing a settled hand."""

import textwrap

from houseway.api import Rulebook
from houseway.cli.books import status
from houseway.cli.text import Format, show_csv, show_json
from houseway.house.editions import standing
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
    made = book.settle(cards, bets, choices, others, **settings)
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
        for p in made.payments
    ]
    if format_ is Format.JSON:
        show_json(
            {
                "edition": book.edition.id,
                "digest": standing(book.edition).rules,
                "status": status(book.edition),
                "differences": list(standing(book.edition).differences),
                "steps": [{"clause": step.clause, "text": step.text} for step in made.steps],
                "payments": payments,
                "staked_cents": made.staked_cents,
                "win_cents": made.win_cents,
                "returned_cents": made.staked_cents + made.win_cents,
            }
        )
    elif format_ is Format.CSV:
        show_csv(payments)
    else:
        print(f"{book.edition.name} · {status(book.edition)}\n")
        for step in made.steps:
            print(textwrap.fill(step.text, 100, initial_indent=f"  {step.clause:8}", subsequent_indent=" " * 10))
        print("\n" + _payments(made))


def _payments(made: Settlement) -> str:
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
        for p in made.payments
    ]
    total = ("total", dollars(made.staked_cents), "", "", dollars(made.win_cents))
    back = dollars(made.staked_cents + made.win_cents)
    return table([head, *rows, (*total, back, "")], right=(1, 4, 5), indent="  ")
