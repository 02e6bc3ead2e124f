"""Who wins, pushes, loses? Every wager of a seat when the round is over."""

import random

from houseway.money import dollars
from houseway.rulebook.settle import Payment
from houseway.train.deals import DealtRound, Lesson
from houseway.train.exercise import Ask, AskOption, Exercise, Reason
from houseway.train.kind import ExerciseKind, Topic
from houseway.train.scenes import deal_scene, reasons
from houseway.train.topics import ENVY, has_outcome, outcome_topics, topic_of

WINS, PUSHES, LOSES, PART = "wins", "pushes", "loses", "loses-a-part"
OPTIONS = (
    AskOption(WINS, "wins"),
    AskOption(PUSHES, "pushes: the bet stays"),
    AskOption(LOSES, "loses"),
    AskOption(PART, "loses a part of the bet"),
)


def make(lesson: Lesson, number: int, topic: str) -> Exercise:
    """A round that is over: each stake is judged."""
    chosen = topic or random.Random(f"results {lesson.edition.id} {number}").choice(["", *(t.id for t in topics(lesson))])
    wager, _, outcome = chosen.partition(":")
    deal, looked_for = lesson.deal(number, has_outcome(wager, outcome) if chosen else _is_staked)
    stakes = [payment for payment in deal.settlement.payments if payment.stake_cents]
    asks = tuple(Ask(f"stake-{n}", stake_label(lesson, p), "pick", (_ending(p),), OPTIONS) for n, p in enumerate(stakes, 1))
    why = (*reasons(lesson, deal.play.steps), *(paid_reason(lesson, payment) for payment in stakes))
    topic = chosen or topic_of(stakes[0])
    return Exercise("results", number, topic, "How does each wager end?", asks, why, deal_scene(lesson, deal), looked_for)


def _is_staked(deal: DealtRound) -> bool:
    return any(payment.stake_cents for payment in deal.settlement.payments)


def stake_label(lesson: Lesson, payment: Payment) -> str:
    """A stake by its wager and, where there are several, its spot."""
    return ", ".join(filter(None, (lesson.wager_name(payment.wager), payment.spot)))


def paid_reason(lesson: Lesson, payment: Payment) -> Reason:
    """How a stake ended and what that pays."""
    name, outcome = stake_label(lesson, payment), lesson.outcome_name(payment.wager, payment.outcome)
    return Reason(f"{name}: {outcome}: {_pays(payment)}", payment.clause)


def _pays(payment: Payment) -> str:
    if not payment.stake_cents:
        return f"{dollars(payment.win_cents)} for another player's hand"
    if payment.win_cents > 0:
        rounded = ", rounded up to the chip" if payment.rounding_cents else ""
        return f"{payment.pays} on {dollars(payment.stake_cents)} is {dollars(payment.win_cents)}{rounded}"
    if payment.win_cents == 0:
        return f"pushes, {dollars(payment.stake_cents)} stays"
    part = "" if payment.win_cents == -payment.stake_cents else f", {dollars(payment.returned_cents)} goes back"
    return f"loses {dollars(-payment.win_cents)}{part}"


def _ending(payment: Payment) -> str:
    if payment.win_cents < 0:
        return LOSES if payment.win_cents == -payment.stake_cents else PART
    return WINS if payment.win_cents else PUSHES


def topics(lesson: Lesson) -> tuple[Topic, ...]:
    """Every row of every pay table."""
    return tuple(topic for topic in outcome_topics(lesson, lesson.edition.wagers) if not topic.id.endswith(f":{ENVY}"))


KIND = ExerciseKind("results", "Who wins?", "Which wagers win, push and lose", make, topics)
