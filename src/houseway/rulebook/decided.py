"""Which readings decided a settled round: those under whose other values it would have been paid otherwise."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from houseway.money import dollars
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition, Reading
from houseway.rulebook.settings import Settings
from houseway.rulebook.settle import Settlement

SettledUnder = Callable[[Settings], Settlement]
"""The same round, settled under other settings."""
_CLAUSE = re.compile(r"[A-Z][A-Z0-9]*-[0-9A-Za-z]+")


@dataclass(frozen=True)
class DecidingReading:
    """A reading that decided, by this value; `otherwise` says what each other value would have done, in words."""

    id: str
    value: str
    meaning: str
    where: str
    otherwise: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        read = f"{self.id}={self.value}, {self.meaning}"
        if not self.otherwise:
            return f"{self.where} is read by {read}: its only reading"
        return f"Decided by the reading {read} ({'; '.join(f'{value}: {what}' for value, what in self.otherwise)})"


def deciding_readings(
    edition: Edition, settings: Settings, settled: Settlement, settled_under: SettledUnder
) -> Iterator[DecidingReading]:
    """Every reading that decided a round, found by settling it again under each other value.

    One that has a single value is named if it is about a wager that was paid by its clause.
    """
    for id_, reading in edition.readings.items():
        value = str(settings[id_])
        others = [other for other in reading.values if other != value]
        changes = tuple(
            change for other in others if (change := _change(edition, settings, settled, settled_under, id_, other))
        )
        if changes or (not others and _is_applied(reading, settled)):
            yield DecidingReading(id_, value, reading.values.get(value, ""), reading.where, changes)


def _change(
    edition: Edition, settings: Settings, settled: Settlement, settled_under: SettledUnder, id_: str, other: str
) -> tuple[str, str] | None:
    """A value with what it would have paid, if that is anything else."""
    try:
        otherwise = settled_under(edition.settings({**settings, id_: other}, settings.what_if))
    except Refused as refused:
        return None if refused.code == "reading-not-here" else (other, f"refused, {refused.message}")
    if otherwise.payments == settled.payments:
        return None
    more = otherwise.win_cents - settled.win_cents
    if not more:
        return other, "other wagers would be paid, and as much in all"
    return other, f"{dollars(abs(more))} {'more' if more > 0 else 'less'} for the player"


def _is_applied(reading: Reading, settled: Settlement) -> bool:
    cited = set(_CLAUSE.findall(reading.where))
    return any(payment.wager in reading.wagers and payment.clause in cited for payment in settled.payments)
