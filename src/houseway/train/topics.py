"""Outcomes of wagers as topics: every row of every pay table that can come, on purpose where it is rare."""

from collections.abc import Iterable
from functools import lru_cache

from houseway.refusal import Refused
from houseway.rulebook.settle import Payment
from houseway.train.deals import DealtRound, Lesson, Wanted
from houseway.train.kind import Topic

ENVY = "envy"


def outcome_topics(lesson: Lesson, wagers: Iterable[str]) -> tuple[Topic, ...]:
    """The rows of these wagers' pay tables under the lesson's settings: `WAGER:OUTCOME`."""
    edition, settings = lesson.edition, lesson.settings
    found: dict[str, Topic] = {}
    for wager in wagers:
        if not edition.game.wagers[wager].refuses(settings):
            for outcome in edition.possible(wager, settings):
                row = edition.row(wager, outcome.id, settings)
                words = f"{edition.name_of(wager)}: {lesson.outcome_name(wager, row)}"
                found.setdefault(f"{wager}:{row}", Topic(f"{wager}:{row}", words))
    return tuple(topic for topic in found.values() if _comes(lesson, topic.id))


@lru_cache(maxsize=4096)
def _comes(lesson: Lesson, topic: str) -> bool:
    """Whether a round has it at all: a pay table may have a row that no stake ends in."""
    wager, _, outcome = topic.partition(":")
    return comes(lesson, has_outcome(wager, outcome))


def comes(lesson: Lesson, wanted: Wanted) -> bool:
    """Whether a round has what is wanted, by chance or looked for."""
    try:
        lesson.deal(0, wanted)
    except Refused:
        return False
    return True


def topic_of(payment: Payment) -> str:
    """What a payment is about."""
    return f"{payment.wager}:{payment.outcome}" if payment.stake_cents else f"{payment.wager}:{ENVY}"


def has_outcome(wager: str, outcome: str) -> Wanted:
    """Whether a wager of a round ended so."""

    def wanted(deal: DealtRound) -> bool:
        return any(topic_of(payment) == f"{wager}:{outcome}" for payment in deal.settlement.payments)

    return wanted
