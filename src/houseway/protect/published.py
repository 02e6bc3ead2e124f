"""Published counts: under which conventions the same figure comes out, found by trying all of them on the same shoes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import Any

import numpy as np

from houseway.kernels.count import Progress
from houseway.protect.count import Count
from houseway.protect.customs import DIVISORS, CounterCustoms
from houseway.protect.exact import Estimate, ExactShoes
from houseway.protect.protection import Floats, PublishedCount
from houseway.protect.watch import Watch, WatchedTable
from houseway.refusal import Refused
from houseway.solve.answer import DIGEST, SHORT_DIGEST, Answer
from houseway.solve.answer import table as table_text

AT_ONCE = 1000
"""Shoes that are kept at a time."""
WITHIN = 2.0
"""A figure is reproduced if it lies within so many standard errors of ours and the publisher's together."""
SHOES_TRIED, SHOES_AT_LEAST, SHOES_FOR_SPREAD = 4_000, 100, 20_000
"""Shoes on which each convention is tried where nothing is said, and at least; and shoes for the spread of a shoe's win."""
BURNS = (
    {"burn": 0},
    {"burn": 1},
    {"burn": 1, "burn_shown": True},
    {"burn": 1, "burn_by_value": True, "burn_shown": True},
)


@dataclass(frozen=True)
class Tried:
    """Conventions, what the count wins under them in a shoe, and how far that is from the figure, in standard errors."""

    customs: CounterCustoms
    units_per_shoe: Estimate
    away: float

    @property
    def is_reproduced(self) -> bool:
        """Whether the figure comes out, within the errors."""
        return abs(self.away) <= WITHIN


def count_of(published: PublishedCount) -> Count:
    """The count itself."""
    start = None if published.start is None else Fraction(published.start)
    return Count(tuple(map(Fraction, published.tags)), Fraction(published.trigger), start)


def published_error(published: PublishedCount, deviation_of_a_shoe: float) -> float:
    """The standard error of a published figure: it was rounded and, where its shoes are known, simulated."""
    last_digit = 1 / 10 ** len(str(float(published.units_per_shoe)).partition(".")[2])
    simulated = deviation_of_a_shoe**2 / published.shoes if published.shoes else 0.0
    return sqrt(last_digit**2 / 12 + simulated)


def _dealings(cut: int, values: tuple[int, ...]) -> Iterator[CounterCustoms]:
    for burned, extra in product(BURNS, (0, 1)):
        if not burned.get("burn_by_value") or values:
            yield replace(CounterCustoms(cut), extra=extra, **burned)  # type: ignore[arg-type]


def search_conventions(
    table: WatchedTable, published: PublishedCount, deviation_of_a_shoe: float, shoes: int, progress: Progress | None = None
) -> list[Tried]:
    """Every convention tried on shoes of the same numbers, the nearest first; each bet at its exact worth."""
    count, tried = count_of(published), []
    divisors = list(DIVISORS) if count.start is None else ["cards"]
    dealings = list(_dealings(published.cut, table.simulator.burn_values))
    error = published_error(published, deviation_of_a_shoe)
    for place, dealing in enumerate(dealings):
        hides = dealing.burn_by_value or (dealing.burn and not dealing.burn_shown)
        names = [name for name in divisors if hides or name != "left"]
        won: dict[str, list[Floats]] = {name: [] for name in names}
        for first in range(0, shoes, AT_ONCE):
            dealt = ExactShoes(replace(table, customs=dealing), first, min(AT_ONCE, shoes - first))
            for name in names:
                watched = dealt.under(replace(dealing, divisor=name))
                won[name].append(watched.won(watched.where(count)))
            if progress:
                progress(place * shoes + min(first + AT_ONCE, shoes), len(dealings) * shoes)
        for name in names:
            units = Estimate.of(np.concatenate(won[name]))
            away = (units.value - float(published.units_per_shoe)) / sqrt(units.error**2 + error**2)
            tried.append(Tried(replace(dealing, divisor=name), units, away))
    return sorted(tried, key=lambda each: abs(each.away))


def published_answer(table: WatchedTable, shoes: int, progress: Progress | None = None) -> Answer:
    """For every published count of a wager: under which conventions its figure comes out."""
    counts = table.protection.published.get(table.wager, ())
    if not counts:
        known = ", ".join(table.protection.published) or "none"
        raise Refused("not-published", f"no published count of {table.wager} is known here (known: {known})")
    if shoes < SHOES_AT_LEAST:
        raise Refused("bad-shoes", f"{shoes} shoes say nothing about conventions: give at least {SHOES_AT_LEAST}")
    rows: list[dict[str, Any]] = []
    lines = [f"{table.edition.name} · {table.wager} · digest {SHORT_DIGEST}", f"{shoes:,} shoes, seed {table.seed}"]
    for place, published in enumerate(counts):
        settings = table.edition.settings({**dict(table.settings), "decks": published.decks}, table.settings.what_if)
        at = replace(table, settings=settings, customs=CounterCustoms(published.cut))
        figures = Watch(at, count_of(published)).watched(SHOES_FOR_SPREAD).figures()
        deviation = figures.errors["units_per_shoe"] * sqrt(SHOES_FOR_SPREAD)
        tried = search_conventions(at, published, deviation, shoes, progress and _of_all(progress, place, len(counts)))
        rows += [_row(published, each) for each in tried]
        lines += ["", _title(published), _table(tried), _said(tried)]
    data = {"edition": table.edition.id, "digest": DIGEST, "wager": table.wager, "shoes": shoes, "conventions_tried": rows}
    return Answer(data, rows, "\n".join(lines))


def _of_all(progress: Progress, place: int, counts: int) -> Progress:
    """Progress of one count of several."""
    return lambda done, total: progress(place * total + done, counts * total)


def _row(published: PublishedCount, tried: Tried) -> dict[str, Any]:
    return {
        "count": published.name,
        "published": float(published.units_per_shoe),
        **tried.customs.data(),
        "units_per_shoe": tried.units_per_shoe.value,
        "standard_error": tried.units_per_shoe.error,
        "standard_errors_away": tried.away,
        "reproduced": tried.is_reproduced,
    }


def _title(published: PublishedCount) -> str:
    start = "" if published.start is None else f" from {published.start}"
    tags = ",".join(map(str, published.tags))
    return (
        f"{published.name}: {tags}{start}, {published.trigger} or more, {published.decks} decks, cut card {published.cut}: "
        f"{float(published.units_per_shoe):g} units a shoe"
    )


def _table(tried: list[Tried]) -> str:
    head = ("units/shoe", "±", "away", "burned", "extra rounds", "divided by")
    body = [
        (
            f"{each.units_per_shoe.value:.4f}",
            f"{each.units_per_shoe.error:.4f}",
            f"{each.away:+.1f}",
            _burned(each.customs),
            str(each.customs.extra),
            each.customs.divisor,
        )
        for each in tried
    ]
    return table_text([head, *body], right=(0, 1, 2, 4), indent="  ")


def _burned(customs: CounterCustoms) -> str:
    if not customs.burn:
        return "none"
    return ("1 shown" if customs.burn_shown else "1 face down") + (
        ", and as many as it is worth" if customs.burn_by_value else ""
    )


def _said(tried: list[Tried]) -> str:
    fit = sum(each.is_reproduced for each in tried)
    return f"  {fit} of {len(tried)} conventions give the figure within {WITHIN:g} standard errors; the nearest stand first"
