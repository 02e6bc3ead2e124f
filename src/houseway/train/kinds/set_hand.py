"""Set the hand by the table's House Way, as a dealer does; only where the game says how a house sets."""

import random
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from houseway.cards import show_card, show_cards
from houseway.rulebook.game import Advice
from houseway.train.deals import DealtRound, Lesson, Rounds, slug
from houseway.train.exercise import Ask, AskOption, Exercise, Reason, Scene, SceneHand
from houseway.train.kind import ExerciseKind, Topic
from houseway.train.scenes import cards_of, table_facts

Cards = tuple[int, ...]
SAMPLED, STACKED, KEPT_MOST, TRIES = 1_200, 2_000, 12, 60


def make(lesson: Lesson, number: int, topic: str) -> Exercise:
    """A hand as it was dealt; the cards in front are the answer, and others of their ranks that come to the same."""
    drawn = random.Random(f"set {lesson.edition.id} {number} {topic}")
    chosen = topic or drawn.choice([found.id for found in topics(lesson)])
    hand, looked_for = _hand(lesson, drawn, chosen)
    advice, part = _advised(lesson, hand), lesson.edition.game.face.parts[0]
    options = tuple(AskOption(show_card(card), show_card(card)) for card in hand)
    ask = Ask("front", f"{part.cards} cards {part.name}", "cards", _accepted(lesson, hand, advice), options, part.cards)
    facts = (*_house_way(lesson), *table_facts(lesson))
    scene = Scene((SceneHand("Dealt", cards_of(hand)),), facts=tuple(dict.fromkeys(facts)))
    names = {each.id: each.name for each in lesson.edition.game.face.parts}
    why = [Reason(f"{advice.why[:1].upper()}{advice.why[1:]}.", _clause(lesson))]
    why += [Reason(f"{names[h.part].capitalize()}: {show_cards(h.cards)}, {h.worth}.") for h in advice.hands if h.part in names]
    return Exercise("set", number, slug(advice.why), "Set this hand by the House Way.", (ask,), tuple(why), scene, looked_for)


def _hand(lesson: Lesson, drawn: random.Random, topic: str) -> tuple[Cards, bool]:
    """A hand that the House Way sets by this rule: one that came, or one that was looked for."""
    for trial in range(TRIES):
        hand = tuple(drawn.sample(_deck(lesson), _size(lesson)))
        if slug(_advised(lesson, hand).why) == topic:
            return hand, trial > 0
    kept = drawn.choice(_index(lesson)[topic])
    return tuple(drawn.sample(kept, len(kept))), True


def _advised(lesson: Lesson, hand: Cards, front: Cards = ()) -> Advice:
    advise = lesson.edition.game.advise
    assert advise is not None
    return advise(hand, front, lesson.encoded)


def _accepted(lesson: Lesson, hand: Cards, advice: Advice) -> tuple[str, ...]:
    """The front that the House Way sets, and fronts of the same ranks by which both parts count the same."""
    right = advice.hands[0].cards
    others = [
        front
        for front in combinations(hand, len(right))
        if set(front) != set(right)
        and _ranks(front) == _ranks(right)
        and _worths(_advised(lesson, hand, front)) == _worths(advice)
    ]
    return tuple(show_cards(sorted(front, reverse=True)) for front in (right, *others))


def _ranks(cards: Cards) -> list[int]:
    return sorted(card >> 2 for card in cards)


def _worths(advice: Advice) -> tuple[object, ...]:
    return advice.foul, *((hand.part, hand.worth) for hand in advice.hands)


def _deck(lesson: Lesson) -> list[int]:
    return [card for card, copies in enumerate(lesson.edition.game.shoe(lesson.settings)) for _ in range(copies)]


def _size(lesson: Lesson) -> int:
    return lesson.edition.game.dealing.order((1,), lesson.settings, 1).count(1)


def _house_way(lesson: Lesson) -> tuple[tuple[str, str], ...]:
    """How the house sets: what a house can also write itself."""
    written = [(name, lesson.settings[name]) for name, switch in lesson.edition.game.switches.items() if switch.own_file]
    return tuple(("House Way", "the house's own" if str(way).startswith("{") else str(way)) for _, way in written)


@lru_cache(maxsize=64)
def _clause(lesson: Lesson) -> str:
    """The clause that a round cites where the house sets."""
    for number in range(TRIES):
        for step in reversed(lesson.deal(number)[0].play.steps):
            if "why" in step.facts:
                return lesson.edition.cites.get(step.clause, step.clause)
    return ""


@lru_cache(maxsize=64)
def _index(lesson: Lesson) -> dict[str, tuple[Cards, ...]]:
    """Hands by the rule that sets them."""
    found: dict[str, list[Cards]] = {}
    for hand in _hands(lesson):
        if len(kept := found.setdefault(slug(_advised(lesson, hand).why), [])) < KEPT_MOST and hand not in kept:
            kept.append(hand)
    return {rule: tuple(hands) for rule, hands in found.items()}


def _hands(lesson: Lesson) -> Iterator[Cards]:
    """Many hands: fair ones, those of pinned rounds, and stacked ones, among which the rare are."""
    size, drawn, maker = _size(lesson), random.Random(f"hands {lesson.edition.id}"), Rounds(lesson, 0)
    deck, shoe = _deck(lesson), lesson.edition.game.shoe(lesson.settings)
    yield from (tuple(drawn.sample(deck, size)) for _ in range(SAMPLED))
    yield from (hand for deal in lesson.pinned.each() for hand in _hands_of(deal, size))
    yield from (tuple(maker.stacked_shoe(shoe)[:size]) for _ in range(STACKED))


def _hands_of(deal: DealtRound, size: int) -> list[Cards]:
    hands = [deal.cards[start : start + size] for start in range(0, len(deal.cards), size)]
    return [hand for hand in (*hands, *deal.others) if len(hand) == size]


@lru_cache(maxsize=64)
def topics(lesson: Lesson) -> tuple[Topic, ...]:
    """The rules of the House Way by which hands are set."""
    if lesson.edition.game.advise is None or not lesson.edition.game.face.parts:
        return ()
    words = {rule: _advised(lesson, hands[0]).why for rule, hands in _index(lesson).items()}
    return tuple(Topic(rule, said) for rule, said in sorted(words.items()))


KIND = ExerciseKind("set", "Set the hand", "Set a hand by the table's House Way", make, topics)
