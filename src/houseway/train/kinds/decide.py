"""What does the best player do? Every choice has its exact worth, and every error its cost."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from houseway.cards import show_card, show_cards
from houseway.refusal import Refused
from houseway.rulebook.game import MissingCard, MissingChoice, Request
from houseway.solve.solver import DEALER, HAND, Choice, choices, solver_of
from houseway.train.deals import Lesson, Rounds
from houseway.train.exercise import Ask, AskOption, Exercise, Reason, Scene, SceneHand
from houseway.train.kind import ExerciseKind, Topic
from houseway.train.scenes import cards_of, choice_words, table_facts

Cards = tuple[int, ...]
SETS = "set"
SAMPLED, LOOKED_FOR, TRIES, STEPS_MOST = 60, 400, 300, 40
EQUAL = 1e-9
"""Two worths in floats that differ by less are the same."""
TOLD_SETS = 4


@dataclass(frozen=True)
class Decision:
    """Somebody is to decide: his cards, the dealer's that are seen, what is allowed, and what each of it is worth."""

    hand: Cards
    dealer: Cards
    valued: tuple[Choice, ...]

    @property
    def best(self) -> tuple[Choice, ...]:
        """All that nothing is better than."""
        top = self.valued[0].worth
        return tuple(choice for choice in self.valued if _is_equal(choice.worth, top))


def _is_equal(one: Fraction | float, other: Fraction | float) -> bool:
    is_exact = isinstance(one, Fraction) and isinstance(other, Fraction)
    return one == other if is_exact else abs(float(one) - float(other)) < EQUAL


def make(lesson: Lesson, number: int, topic: str) -> Exercise:
    """A hand that is to be decided on."""
    for trial in range(TRIES):
        decision = _decision(lesson, number * TRIES + trial, topic)
        if decision is None:
            continue
        about = _topic(decision)
        if topic in {"", about}:
            return _asked(lesson, number, about, decision, bool(topic) and trial > 0)
    if topic in (kept := _index(lesson)):
        return _asked(lesson, number, topic, kept[topic], on_purpose=True)
    raise Refused("no-such-case", f"{lesson.edition.name}: no hand came on which {topic or 'something'} is to be decided")


def _asked(lesson: Lesson, number: int, topic: str, decision: Decision, on_purpose: bool) -> Exercise:
    hands = [SceneHand("Your hand", cards_of(decision.hand))]
    if decision.dealer:
        hands.append(SceneHand("Dealer", cards_of(decision.dealer)))
    scene = Scene(tuple(hands), facts=table_facts(lesson))
    if topic == SETS:
        return Exercise("decide", number, topic, "Which set is best?", (_set_ask(lesson, decision),), _why_set(decision), scene)
    options = tuple(AskOption(choice.name, choice_words(lesson, choice.name)) for choice in sorted(decision.valued, key=_name))
    ask = Ask("choice", "Your decision", "pick", tuple(choice.name for choice in decision.best), options)
    question = "What does the best player do?"
    return Exercise("decide", number, topic, question, (ask,), _why(lesson, decision), scene, on_purpose)


def _name(choice: Choice) -> str:
    return choice.name


def _set_ask(lesson: Lesson, decision: Decision) -> Ask:
    part = lesson.edition.game.face.parts[0]
    fronts = tuple(show_cards(sorted(choice.parts[part.id], reverse=True)) for choice in decision.best)
    options = tuple(AskOption(show_card(card), show_card(card)) for card in decision.hand)
    return Ask("front", f"{part.cards} cards {part.name}", "cards", fronts, options, part.cards)


def _why(lesson: Lesson, decision: Decision) -> tuple[Reason, ...]:
    return tuple(_told(decision, choice, choice_words(lesson, choice.name)) for choice in decision.valued)


def _told(decision: Decision, choice: Choice, words: str) -> Reason:
    by = f" ({', '.join(choice.made_by)})" if choice.made_by else ""
    return Reason(f"{words}{by}: {_worth(choice)}{_cost(decision, choice)}.")


def _why_set(decision: Decision) -> tuple[Reason, ...]:
    """The best sets, and those that a known way would make; of how many."""
    shown = [c for place, c in enumerate(decision.valued) if place < TOLD_SETS or c.made_by or c in decision.best]
    told = (_told(decision, choice, f"{choice.name[:1].upper()}{choice.name[1:]}") for choice in shown)
    return (Reason(f"{len(decision.valued)} sets are legal."), *told)


def _worth(choice: Choice) -> str:
    """What a choice is worth for the bet."""
    side = "wins" if choice.worth > 0 else "loses"
    exact = f", exactly {abs(choice.worth)}" if isinstance(choice.worth, Fraction) and choice.worth.denominator > 1 else ""
    return f"{side} {abs(float(choice.worth)):.3%} of the bet{exact}"


def _cost(decision: Decision, choice: Choice) -> str:
    """What it costs to choose so."""
    if choice in decision.best:
        return "; the best"
    cost = decision.valued[0].worth - choice.worth
    exact = f", exactly {cost}" if isinstance(cost, Fraction) else ""
    return f"; the error costs {float(cost):.3%} of the bet{exact}"


def _topic(decision: Decision) -> str:
    return SETS if decision.valued[0].parts else decision.best[0].name


# Hands


@lru_cache(maxsize=512)
def _decision(lesson: Lesson, number: int, wanted: str = "") -> Decision | None:
    """A decision of a round of this number, the first or a later one, at which a choice is there; none where there is none."""
    maker = Rounds(lesson, number)
    first = maker.random.choice((0, 0, 1))
    for place, (request, missing) in enumerate(_asked_of(lesson, maker)):
        is_there = wanted in {"", SETS} or wanted in missing.allowed
        if is_there and place >= first and (valued := _valued(lesson, request, missing)) is not None:
            return valued
    return None


def _asked_of(lesson: Lesson, maker: Rounds) -> Iterator[tuple[Request, MissingChoice]]:
    """What a seat is asked in a round, one after the other."""
    edition, settings = lesson.edition, lesson.settings
    cards = maker.fair_shoe()
    bets = {name: cents for name, cents in maker.bets().items() if not edition.game.wagers[name].resolve}
    if not bets:
        return
    tape, choices = maker.first_cards(cards), list[str]()
    for _ in range(STEPS_MOST):
        request = Request(tuple(tape), tuple(choices), bets, settings, lesson.encoded, (), True, edition.offered)
        try:
            edition.game.play(request)
            return
        except MissingCard:
            tape.append(cards.pop(0))
        except MissingChoice as missing:
            if not missing.before_look:
                yield request, missing
            choices.append(lesson.guests.say(missing, maker.random))
        except Refused:
            return


def _valued(lesson: Lesson, request: Request, missing: MissingChoice) -> Decision | None:
    """What each of the choices is worth; nothing where the solver is asked about another hand than this."""
    asks = {asked.whose: asked for asked in solver_of(lesson.edition).asks}
    hand = next((shown.cards for shown in missing.hands if shown.active), missing.hands[0].cards if missing.hands else ())
    open_cards = tuple(request.cards[place] for place in lesson.guests.open_places if place < len(request.cards))
    dealer = open_cards[: asks[DEALER].most] if DEALER in asks and asks[DEALER].least else ()
    if len(missing.hands) > 1 or not asks[HAND].least <= len(hand) <= asks[HAND].most:
        return None
    try:
        valued = choices(lesson.edition, lesson.settings, hand, dealer)
    except Refused:
        return None
    if not valued or (not valued[0].parts and {choice.name for choice in valued} != set(lesson.guests.plain(missing.allowed))):
        return None
    return Decision(hand, dealer, tuple(valued)) if len(valued) > 1 else None


@lru_cache(maxsize=64)
def topics(lesson: Lesson) -> tuple[Topic, ...]:
    """The choices of which each is best with some hand; where cards are set, all sets together."""
    if solver_of(lesson.edition).choices is None:
        return ()
    if any(face.picks for face in lesson.edition.game.face.choices.values()):
        return (Topic(SETS, "The best set"),)
    return tuple(Topic(name, choice_words(lesson, name)) for name in sorted(_index(lesson)))


@lru_cache(maxsize=64)
def _index(lesson: Lesson) -> dict[str, Decision]:
    """A decision for each choice that is best with some hand: of many hands, and then of more with a choice that was not."""
    found: dict[str, Decision] = {}
    offered: set[str] = set()
    for number in range(SAMPLED):
        if (decision := _decision(lesson, number)) is not None:
            found.setdefault(_topic(decision), decision)
            offered |= {choice.name for choice in decision.valued}
        if found.keys() >= set(lesson.edition.game.face.choices):
            return found
    for name in sorted(offered - found.keys()):
        for number in range(LOOKED_FOR):
            if (decision := _decision(lesson, number, name)) is not None:
                found.setdefault(_topic(decision), decision)
            if name in found:
                break
    return found


KIND = ExerciseKind(
    "decide", "What is best?", "What the best player does, and what an error costs", make, topics, for_players=True
)
