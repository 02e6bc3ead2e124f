"""Which readings decided a settled round: those under whose other values a wager would have been paid otherwise."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from houseway.money import dollars
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.rulebook.settle import Settlement

SettledUnder = Callable[[Settings], Settlement]
"""The same round, settled under other settings."""
OF_CHOICES = {"bad-choice"}
"""Refusals of a choice: another one would have been made, so that they alone say nothing of what is paid.

That of a foul is none: the reading that let it stand has decided.
"""


@dataclass(frozen=True)
class DecidingReading:
    """A reading that decided, by this value; `otherwise` says what each other value would have done, in words."""

    id: str
    value: str
    meaning: str
    where: str
    question: str
    otherwise: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        is_answer = self.meaning.partition(",")[0].partition(":")[0] in {"yes", "no"}
        means = f": {self.question} {self.meaning[0].upper()}{self.meaning[1:]}" if is_answer else f", {self.meaning}"
        others = "; ".join(f"{value}: {what}" for value, what in self.otherwise)
        return f"Decided by the reading {self.id}={self.value}{means} ({others})"


@dataclass(frozen=True)
class _Other:
    """Another value of a reading: what it would have changed, in words, and whether that is what is paid."""

    value: str
    change: str
    decides: bool


def deciding_readings(
    edition: Edition, settings: Settings, settled: Settlement, settled_under: SettledUnder
) -> Iterator[DecidingReading]:
    """Every reading that decided a round, found by settling it again under each other value.

    A reading with one value is never named: what another would pay is not built (R7 and R11, whose one value is what the
    approved pay tables and published edges were made from), so that nothing can say whether it decided.
    """
    for id_, reading in edition.readings.items():
        value = str(settings[id_])
        tried = [_tried(edition, settings, settled, settled_under, id_, other) for other in reading.values if other != value]
        if any(other.decides for other in tried):
            changes = tuple((other.value, other.change) for other in tried if other.change)
            yield DecidingReading(id_, value, reading.values.get(value, ""), reading.where, reading.question, changes)


def _tried(
    edition: Edition, settings: Settings, settled: Settlement, settled_under: SettledUnder, id_: str, value: str
) -> _Other:
    try:
        chosen = edition.settings({**settings, id_: value}, settings.what_if)
        change = _change(settled, settled_under(chosen)) or _envy_change(edition, settings, chosen, settled)
    except Refused as refused:
        if refused.code == "reading-not-here":
            return _Other(value, "", decides=False)
        return _Other(value, f"refused, {refused.message}", decides=refused.code not in OF_CHOICES)
    return _Other(value, change, bool(change))


def _change(settled: Settlement, otherwise: Settlement) -> str:
    """What would have been paid, if that is anything else, in words."""
    if _amounts(otherwise) == _amounts(settled):
        return ""
    more = otherwise.win_cents - settled.win_cents
    if not more:
        return "other wagers would be paid, and as much in all"
    return f"{dollars(abs(more))} {'more' if more > 0 else 'less'} for the player"


def _amounts(settled: Settlement) -> list[tuple[str, str, int]]:
    """What each stake won or lost."""
    return [(payment.wager, payment.spot, payment.win_cents) for payment in settled.payments]


def _envy_change(edition: Edition, settings: Settings, others: Settings, settled: Settlement) -> str:
    """Whether a prize for another player's hand would hang on a bet of his that is not known here."""
    for prize in (payment for payment in settled.payments if not payment.stake_cents):
        needs = edition.game.wagers[prize.wager].envy_needs
        before, after = (needs(values) if needs else "" for values in (settings, others))
        if before != after and edition.game.wagers[before].needed(settings) != after:
            name = edition.game.wagers[after].name
            return f"the envy of {dollars(prize.win_cents)} is won only if that player has bet on {name}"
    return ""
