"""Printing a settled hand."""

import textwrap
from typing import Any

from houseway.api import Explained, Rulebook
from houseway.cli.books import status
from houseway.cli.text import Format, show_csv, show_json
from houseway.house.standing import standing
from houseway.money import dollars
from houseway.rulebook import Edition
from houseway.rulebook.settle import Settlement
from houseway.solve.answer import table
from houseway.view.words import forfeit_words, outcome_name, wager_name


def show_settlement(
    name: str,
    cards: str,
    bets: str,
    choices: str,
    others: tuple[str, ...],
    chosen: dict[str, int | str],
    what_if: bool,
    format_: Format,
) -> None:
    """Settle a hand and print each step, each payment, and what decided it."""
    book = Rulebook.open(name)
    settings = {key.replace("-", "_"): value for key, value in chosen.items()}
    explained = book.explain(cards, bets, choices, others, what_if, **settings)
    if format_ is Format.JSON:
        show_json(_as_data(book, explained))
    elif format_ is Format.CSV:
        show_csv(_payment_rows(explained))
    else:
        _tell(book, explained, tuple(choice.strip() for choice in choices.split(",")))


def _payment_rows(explained: Explained) -> list[dict[str, Any]]:
    return [
        {
            "wager": p.wager,
            "spot": p.spot,
            "outcome": p.outcome,
            "pays": p.pays,
            "pay_table": explained.pay_tables.get(p.wager, ""),
            "stake_cents": p.stake_cents,
            "win_cents": p.win_cents,
            "returned_cents": p.returned_cents,
            "rounding_cents": float(p.rounding_cents),
            "clause": p.clause,
        }
        for p in explained.settlement.payments
    ]


def _as_data(book: Rulebook, explained: Explained) -> dict[str, Any]:
    """The settlement as JSON has it."""
    settled = explained.settlement
    return {
        "edition": book.edition.id,
        "digest": standing(book.edition).rules,
        "status": status(book.edition),
        "differences": list(standing(book.edition).differences),
        "what_if": list(settled.outside),
        "pay_tables": dict(explained.pay_tables),
        "readings": [
            {"reading": r.id, "value": r.value, "meaning": r.meaning, "where": r.where, "otherwise": dict(r.otherwise)}
            for r in explained.readings
        ],
        "steps": [{"clause": step.clause, "text": book.words(step)} for step in settled.steps],
        "payments": _payment_rows(explained),
        "staked_cents": settled.staked_cents,
        "win_cents": settled.win_cents,
        "returned_cents": settled.staked_cents + settled.win_cents,
    }


def _tell(book: Rulebook, explained: Explained, choices: tuple[str, ...]) -> None:
    """The settlement as people read it."""
    settled = explained.settlement
    print(f"{book.edition.name} · {status(book.edition)}")
    for mark in settled.outside:
        print(f"WHAT IF: no table would take this: {mark}")
    print()
    for step in settled.steps:
        print(textwrap.fill(book.words(step), 100, initial_indent=f"  {step.clause:8}", subsequent_indent=" " * 10))
    print("\n" + _payments(book.edition, settled, choices))
    for line in _decided(book, explained):
        print(textwrap.fill(line, 110, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False))


def _decided(book: Rulebook, explained: Explained) -> list[str]:
    """By which pay table each wager was paid, and which readings decided."""
    tables = [
        f"{wager_name(book.edition, wager)} is paid by pay table {table}." for wager, table in explained.pay_tables.items()
    ]
    return tables + [f"{reading}." for reading in explained.readings]


def _payments(edition: Edition, settled: Settlement, choices: tuple[str, ...]) -> str:
    head = ("wager", "stake", "outcome", "pays", "win", "back to player", "clause")
    rows = [
        (
            wager_name(edition, p.wager) + (f" ({p.spot})" if p.spot else ""),
            dollars(p.stake_cents),
            forfeit_words(edition, choices, p.outcome, p.win_cents) or outcome_name(edition, p.wager, p.outcome),
            p.pays,
            dollars(p.win_cents) + (f" (${float(p.rounding_cents / 100):.3f} of it rounding)" if p.rounding_cents else ""),
            dollars(p.returned_cents),
            p.clause,
        )
        for p in settled.payments
    ]
    total = ("total", dollars(settled.staked_cents), "", "", dollars(settled.win_cents))
    back = dollars(settled.staked_cents + settled.win_cents)
    return table([head, *rows, (*total, back, "")], right=(1, 4, 5), indent="  ")
