"""Who draws? The next card of a round that is half dealt: whose it is, or nobody's."""

import random
from functools import lru_cache

from houseway.rulebook.game import COMMON, DEALER, Play, Step
from houseway.table import Table
from houseway.table.engine import unfolded
from houseway.table.unfold import Unfolded, whose_card
from houseway.train.deals import Lesson
from houseway.train.exercise import Ask, Exercise, Option, Reason
from houseway.train.kind import Kind, Topic
from houseway.train.scenes import reasons, table_scene
from houseway.train.tables import TableRound, table_round

NOBODY = Option("nobody", "Nobody: no card comes any more")
FIRST_DEAL = "first-deal"
FIRST_CARDS = ("-first-card", "-second-card")
SAMPLED = 60
TRIES = 400


def make(lesson: Lesson, number: int, topic: str) -> Exercise:
    """A table in mid-round; what the rules ask for next is the answer."""
    for trial in range(TRIES):
        played = table_round(lesson, number if not trial else number * TRIES + trial)
        drawn = random.Random(f"draw {number} {trial}")
        for moment in _interesting(played, drawn):
            why = _why(lesson, played, moment)
            about = _topic(moment, why)
            if topic in {"", about}:
                return _asked(lesson, number, about, played, moment, why, trial > 0)
    raise AssertionError(f"topic {topic} of {lesson.edition.id} never came")


def _interesting(played: TableRound, drawn: random.Random) -> list[Table]:
    """Moments at which a card is wanted, or none any more: those after the first deal before the others, in any order."""
    moments = [moment for moment in played.moments if not unfolded(moment).to_act]
    first = len(played.dealt.order)
    early = [moment for moment in moments if len(moment.round.drawn) < first]
    later = [moment for moment in moments if len(moment.round.drawn) >= first]
    if not any(moment.round.spots != played.table.round.spots for moment in played.moments[-1:]):
        later.append(played.table)
    return [*drawn.sample(later, len(later)), *drawn.sample(early, len(early))]


def _asked(
    lesson: Lesson, number: int, topic: str, played: TableRound, moment: Table, why: tuple[Reason, ...], on_purpose: bool
) -> Exercise:
    right = _answer(lesson, moment)
    labels = [right, *(_answer(lesson, other) for other in (*played.moments, played.table)), *_usual(lesson), NOBODY]
    if len(moment.round.drawn) >= len(played.dealt.order):
        labels = [label for label in labels if label == right or not label.value.endswith(FIRST_CARDS)]
    options = tuple({option.value: option for option in sorted(labels, key=lambda option: option.words)}.values())
    ask = Ask("next", "Next card", "pick", (right.value,), options)
    scene = table_scene(lesson, moment, played.bank_cents, is_over=False)
    return Exercise("draw", number, topic, "To whom does the next card go?", (ask,), why, scene, on_purpose)


def _answer(lesson: Lesson, moment: Table) -> Option:
    dealt, face = unfolded(moment), lesson.edition.game.face
    if dealt.to_act:
        seat = next(iter(dealt.to_act))
        return Option(f"seat-{seat}-decides", f"{face.seat_word} {seat} decides first")
    if dealt.card_for is None:
        return NOBODY
    words = whose_card(face, dealt.card_for, dealt.card_of)
    return Option(words.lower().replace(",", "").replace(" ", "-"), words)


@lru_cache(maxsize=64)
def _usual(lesson: Lesson) -> tuple[Option, ...]:
    """What is answered at other tables of the edition, but for seats."""
    answers = {}
    for number in range(12):
        played = table_round(lesson, number)
        for moment in (*played.moments, played.table):
            if not isinstance(unfolded(moment).card_for, int) and not unfolded(moment).to_act:
                answer = _answer(lesson, moment)
                answers[answer.value] = answer
    return tuple(answers.values())


def _why(lesson: Lesson, played: TableRound, moment: Table) -> tuple[Reason, ...]:
    """The steps of the finished round that say so: the one that tells of the card, and what was decided just before it."""
    dealt, over = unfolded(moment), played.dealt
    if dealt.card_for is not None and len(moment.round.drawn) < len(over.order):
        return _first_deal(lesson)
    who = dealt.card_for
    play = over.plays[who] if isinstance(who, int) and who in over.plays else next(iter(over.plays.values()))
    steps = list(play.steps)
    if who is None:
        last = max((place for place, step in enumerate(steps) if step.cards), default=-1)
        after = [step for step in steps[last + 1 :] if not step.cards]
        return reasons(lesson, after or steps[-1:])
    place = _step_with(play, dealt)
    if place is None:
        return reasons(lesson, steps[-1:])
    first = place
    while first and not steps[first - 1].cards:
        first -= 1
    return reasons(lesson, steps[first : place + 1])


def _step_with(play: Play, dealt: Unfolded) -> int | None:
    """Where a round tells of the card that comes next."""
    who = dealt.card_for
    assert who is not None
    usual = (DEALER if who == DEALER else "player", len(dealt.hands.get(who, ())) + 1)
    owner, place = dealt.card_of or usual
    told = 0
    for number, step in enumerate(play.steps):
        if (step.facts.get("owner") == owner and who in (COMMON, DEALER)) or _is_of_player(step, owner):
            told += sum(len(cards) for cards in step.cards.values())
            if told >= place:
                return number
    return None


def _is_of_player(step: Step, owner: str) -> bool:
    return owner == "player" and str(step.facts.get("owner", "")).startswith(("player", "hand"))


@lru_cache(maxsize=64)
def _first_deal(lesson: Lesson) -> tuple[Reason, ...]:
    """The clauses that say how the first cards are dealt."""
    words = ("deal", "deals", "dealt", "dice")
    found = [
        Reason(clause.text, id_)
        for id_, clause in lesson.edition.clauses().items()
        if clause.kind in {"procedure", "rule"} and any(word in clause.text.lower().replace(".", " ").split() for word in words)
    ]
    return tuple(found[:3]) or (Reason("The first cards are dealt in the order of the game."),)


def _topic(moment: Table, why: tuple[Reason, ...]) -> str:
    """The clause that gives the card, or by which nobody draws."""
    return why[0 if unfolded(moment).card_for is None else -1].clause or FIRST_DEAL


@lru_cache(maxsize=64)
def topics(lesson: Lesson) -> tuple[Topic, ...]:
    """The clauses by which somebody draws or does not, as they come at tables."""
    found: dict[str, Topic] = {}
    clauses = lesson.edition.clauses()
    for number in range(SAMPLED):
        played = table_round(lesson, number)
        for moment in _interesting(played, random.Random(number)):
            why = _why(lesson, played, moment)
            id_ = _topic(moment, why)
            found.setdefault(id_, Topic(id_, clauses[id_].text if id_ in clauses else why[-1].words))
    return tuple(found.values())


KIND = Kind("draw", "Who draws?", "Whose the next card is, or that none comes any more", make, topics, by_table=True)
