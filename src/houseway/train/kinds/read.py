"""Read the hand: what cards count, and what they are for a wager that looks at them alone."""

import random
import re
from collections import Counter
from difflib import SequenceMatcher
from functools import lru_cache

from houseway.rulebook.game import Shown
from houseway.train.deals import DealtRound, Lesson, slug
from houseway.train.exercise import Ask, AskOption, Exercise, Reason, Scene
from houseway.train.kind import ExerciseKind, Topic
from houseway.train.scenes import deal_scene, hands_shown, reasons
from houseway.train.topics import has_outcome, outcome_topics

HAND, RARE = "hand", "hand:rare"
RARE_SHARE = 0.04
"""What comes in fewer of the hands that are dealt fairly is rare, and asked for on purpose as well."""
OPTIONS_MOST, NEAR = 8, 4
SAMPLED = 40


_RANKS = "two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|ace"


def make(lesson: Lesson, number: int, topic: str) -> Exercise:
    """A hand and what it counts, or a bonus wager and what its cards are."""
    drawn = random.Random(f"read {lesson.edition.id} {number}")
    own = [found.id for found in topics(lesson)]
    hands, bonuses = [name for name in own if name in {HAND, RARE}], [name for name in own if name not in {HAND, RARE}]
    chosen = topic or drawn.choice([*hands, *drawn.sample(bonuses, min(len(bonuses), 1))])
    return _hand(lesson, number, drawn, chosen) if chosen in {HAND, RARE} else _bonus(lesson, number, chosen)


def _readable(deal: DealtRound) -> list[Shown]:
    """Hands that count something; one card alone is read at a glance."""
    return [hand for hand in deal.play.hands if hand.worth and len(hand.cards) > 1]


def sort_of(worth: str) -> str:
    """What a hand is without its ranks and numbers: a full house, a straight flush, a soft total."""
    bare = re.sub(r"\(.*?\)", "", worth)
    bare = re.sub(rf"\b({_RANKS})(?=-)|(?<=-)({_RANKS})\b|\b({_RANKS})(e?s)\b|\b\d+(?!-)\b", "", bare)
    return slug(bare)


@lru_cache(maxsize=64)
def _rare(lesson: Lesson) -> tuple[str, ...]:
    """The sorts of hands that hardly come by themselves, and are among rare rounds."""
    fair = Counter(sort_of(hand.worth) for number in range(SAMPLED) for hand in _readable(lesson.deal(number)[0]))
    known = {sort_of(hand.worth) for deal in lesson.pinned.each() for hand in _readable(deal)}
    return tuple(sorted(sort for sort in known if fair[sort] < RARE_SHARE * fair.total()))


def _hand(lesson: Lesson, number: int, drawn: random.Random, topic: str) -> Exercise:
    sorts = {drawn.choice(_rare(lesson))} if topic == RARE else set()

    def meant(deal: DealtRound) -> list[Shown]:
        return [hand for hand in _readable(deal) if not sorts or sort_of(hand.worth) in sorts]

    deal, looked_for = lesson.deal(number, lambda deal: bool(meant(deal)))
    hand = drawn.choice(meant(deal))
    others = [worth for worth in _worths(lesson, len(hand.cards), hand.part) if worth != hand.worth]
    if not all(worth.isdecimal() for worth in (hand.worth, *others)):
        near = sorted(others, key=lambda worth: _likeness(worth, hand.worth), reverse=True)[:NEAR]
        rest = [worth for worth in others if worth not in near]
        others = [*near, *drawn.sample(rest, min(len(rest), OPTIONS_MOST - 1 - len(near)))]
    worths = sorted({hand.worth, *others}, key=_natural)
    ask = Ask("worth", "It counts", "pick", (slug(hand.worth),), tuple(AskOption(slug(worth), worth) for worth in worths))
    scene = Scene(hands_shown(lesson, [hand], with_worth=False))
    steps = [step for step in deal.play.steps if step.facts.get("owner") == hand.owner and step.cards]
    why = (*reasons(lesson, steps), Reason(f"It counts: {hand.worth}."))
    return Exercise("read", number, topic, "What does this hand count?", (ask,), why, scene, looked_for)


def _likeness(one: str, other: str) -> float:
    """How near a wrong reading is to the right one, by its words and numbers."""
    numbers = [int(found[0]) for found in (re.findall(r"\d+", worth) for worth in (one, other)) if found]
    near = 1 / (1 + abs(numbers[0] - numbers[1])) if len(numbers) == 2 else 0
    return near + SequenceMatcher(None, one.split(), other.split()).ratio()


def _natural(worth: str) -> tuple[tuple[int, str], ...]:
    """As one sorts by hand: numbers by what they count."""
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in re.findall(r"\d+|\D+", worth))


@lru_cache(maxsize=256)
def _worths(lesson: Lesson, cards: int, part: str) -> tuple[str, ...]:
    """What hands of so many cards count, as they come, and as they come in rare rounds."""
    fair = (lesson.deal(number)[0] for number in range(SAMPLED))
    hands = (hand for deal in (*fair, *lesson.pinned.each()) for hand in _readable(deal))
    return tuple(dict.fromkeys(hand.worth for hand in hands if len(hand.cards) == cards and hand.part == part))


def _forfeits(lesson: Lesson, deal: DealtRound) -> bool:
    """Whether something was chosen that loses bonuses whatever the cards are: then there is nothing to read."""
    faces = lesson.edition.game.face.choices
    names = (choice.partition(" ")[0] for choice in deal.choices)
    return any(faces[name].forfeits for name in names if name in faces)


def _bonus(lesson: Lesson, number: int, topic: str) -> Exercise:
    wager, _, outcome = topic.partition(":")
    ended = has_outcome(wager, outcome)
    deal, looked_for = lesson.deal(number, lambda deal: ended(deal) and not _forfeits(lesson, deal))
    payment = next(p for p in deal.settlement.payments if (p.wager, p.outcome) == (wager, outcome) and p.stake_cents)
    rows = outcome_topics(lesson, (wager,))
    ask = Ask(
        "outcome",
        lesson.wager_name(wager),
        "pick",
        (outcome,),
        tuple(AskOption(row, lesson.outcome_name(wager, row)) for row in (topic.id.partition(":")[2] for topic in rows)),
    )
    clauses = [step for step in deal.play.steps if step.clause == payment.clause or step.kind == wager]
    why = reasons(lesson, clauses) or (Reason(lesson.outcome_name(wager, outcome), payment.clause),)
    question = f"What is this for {lesson.wager_name(wager)}?"
    return Exercise("read", number, topic, question, (ask,), why, deal_scene(lesson, deal), looked_for)


@lru_cache(maxsize=64)
def topics(lesson: Lesson) -> tuple[Topic, ...]:
    """Hands, where the game says what they count, and every outcome of a wager that looks at its cards alone."""
    alone = tuple(name for name, wager in lesson.edition.offered.items() if wager.resolve)
    hands = any(_readable(lesson.deal(number)[0]) for number in range(8))
    read = [Topic(HAND, "What a hand counts")] if hands else []
    rare = (
        [Topic(RARE, "What a rare hand counts")] if hands and len(_rare(lesson)) > 1 else []
    )  # one alone would be told by its topic
    return (*read, *rare, *outcome_topics(lesson, alone))


KIND = ExerciseKind("read", "Read the hand", "What a hand counts, and what it is for a bonus wager", make, topics)
