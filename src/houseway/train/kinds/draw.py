"""Who draws? The next card of a round that is half dealt: whose it is, or nobody's; and the order of the first deal."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from houseway.rulebook.game import COMMON, DEALER, Play, Recipient, Step
from houseway.table import Table
from houseway.table.engine import unfolded
from houseway.table.unfold import Unfolded, whose_card
from houseway.train.clauses import of_dealing
from houseway.train.deals import Lesson
from houseway.train.exercise import Ask, AskOption, Exercise, Reason, Scene
from houseway.train.kind import ExerciseKind, Topic
from houseway.train.scenes import deal_so_far, fullest, reasons, table_scene
from houseway.train.tables import TableRound, table_round

NOBODY = AskOption("nobody", "Nobody: no card comes any more")
FIRST_DEAL = "first-deal"
SAMPLED = 24
SHARE_OF_FIRST_DEAL = 0.3
KEPT_MOST = 12


@dataclass(frozen=True)
class DrawCase:
    """A moment of a table's round: before which of its cards, or which packet of the first deal; and why it goes on so."""

    table: int
    place: int
    is_first_deal: bool
    topic: str
    why: tuple[Reason, ...]


def make(lesson: Lesson, number: int, topic: str) -> Exercise:
    """A table in mid-round; what the rules ask for next is the answer."""
    drawn = random.Random(f"draw {lesson.edition.id} {number} {topic}")
    for trial in range(2):
        for case in _mixed(lesson, number + trial, drawn):
            if topic in {"", case.topic}:
                return _asked(lesson, number, case, on_purpose=trial > 0)
    return _asked(lesson, number, drawn.choice(_index(lesson)[topic]), on_purpose=True)


def _mixed(lesson: Lesson, number: int, drawn: random.Random) -> Iterator[DrawCase]:
    """What can be asked of a table, one by one: mostly what comes after the first deal, where something does."""
    played = table_round(lesson, number)
    early, later = list(_packets(lesson, played)), _places_after(lesson, played)
    drawn.shuffle(early)
    drawn.shuffle(later)
    places = [(place, False) for place in later] + [(place, True) for place in early]
    if drawn.random() < SHARE_OF_FIRST_DEAL:
        places = [(place, True) for place in early] + [(place, False) for place in later]
    return (_case(lesson, number, place, is_first) for place, is_first in places)


def _case(lesson: Lesson, number: int, place: int, is_first: bool) -> DrawCase:
    told = (_first_deal if is_first else _later)(lesson, table_round(lesson, number), place)
    return DrawCase(number, place, is_first, *told)


def _places_after(lesson: Lesson, played: TableRound) -> list[int]:
    """Before which cards after the first deal, and at the end, something can be asked."""
    if not _ever_draws(lesson):
        return []
    places = list(range(len(played.dealt.order), len(played.spots_at) + 1))
    is_plain = COMMON in played.dealt.order and len(played.spots_at) >= len(_usual(lesson))
    return places[:-1] if is_plain else places  # where all cards have come that ever do, nothing is to be asked


@lru_cache(maxsize=64)
def _ever_draws(lesson: Lesson) -> bool:
    """Whether cards come after the first deal at all."""
    return any(len(played.spots_at) > len(played.dealt.order) for played in (table_round(lesson, n) for n in range(SAMPLED)))


# The first deal


def _order(lesson: Lesson, played: TableRound) -> list[Recipient]:
    """Whose the packets of the first deal are, hands without a wager included; of hands that all bet on, card by card."""
    round_ = played.table.round
    order = lesson.edition.game.dealing.order(tuple(sorted(round_.spots)), lesson.settings, round_.dice)
    return list(order) if COMMON in order else [who for who, _ in groupby(order)]


def _packets(lesson: Lesson, played: TableRound) -> range:
    return range(len(_order(lesson, played)))


def _first_deal(lesson: Lesson, played: TableRound, place: int) -> tuple[str, tuple[Reason, ...]]:
    why = of_dealing(lesson) or _of_first_step(lesson, played)
    if not why:
        return FIRST_DEAL, (Reason("The first cards are dealt in the order of the game."),)
    return (why[0] if place == 0 else why[-1]).clause or FIRST_DEAL, why


def _of_first_step(lesson: Lesson, played: TableRound) -> tuple[Reason, ...]:
    """The clause of the step that tells of a first card, where no clause says what carries the deal out."""
    play = next(iter(played.dealt.plays.values()))
    id_ = next((step.clause for step in play.steps if step.cards), "")
    clause = lesson.edition.clauses().get(lesson.edition.cites.get(id_, id_))
    return (Reason(clause.text, clause.id),) if clause else ()


def _asked_first(lesson: Lesson, played: TableRound, place: int) -> tuple[str, AskOption, list[AskOption], Scene]:
    order = _order(lesson, played)
    if order[place] == COMMON:
        answers = [_answer(lesson, moment) for moment in played.moments]
        known = [*answers[place:], *(option for option in _usual(lesson) if option not in answers[:place])]
        scene = table_scene(lesson, played.moment(place), played.bank_cents, is_over=False)
        return "To whom does the next card go?", answers[place], [*known, NOBODY] if len(set(known)) < 2 else known, scene
    options = [_recipient(lesson, who) for who in dict.fromkeys(order)]
    dealt = [_recipient(lesson, who).words for who in order[:place]]
    is_packet = len(order) < len(lesson.edition.game.dealing.order(tuple(played.table.round.spots), lesson.settings, 1))
    question = f"To whom {'do the next cards' if is_packet else 'does the next card'} go?"
    return question, _recipient(lesson, order[place]), options, deal_so_far(lesson, played.before, dealt, played.bank_cents)


def _recipient(lesson: Lesson, who: Recipient) -> AskOption:
    words = whose_card(lesson.edition.game.face, who, None)
    return AskOption(_value(words), words)


def _value(words: str) -> str:
    return words.lower().replace(",", "").replace(" ", "-")


# After it


def _answer(lesson: Lesson, moment: Table) -> AskOption:
    dealt = unfolded(moment)
    if dealt.card_for is None:
        return NOBODY
    words = whose_card(lesson.edition.game.face, dealt.card_for, dealt.card_of)
    return AskOption(_value(words), words)


def _asked_later(lesson: Lesson, played: TableRound, place: int) -> tuple[str, AskOption, list[AskOption], Scene]:
    is_end = place == len(played.spots_at)
    moment = played.table if is_end else played.moment(place)
    right, answers = NOBODY if is_end else _answer(lesson, moment), [_answer(lesson, each) for each in played.moments]
    scene = table_scene(lesson, moment, played.bank_cents, is_over=is_end)
    if COMMON in played.dealt.order:
        known = [option for option in _usual(lesson) if option not in answers[:place]]
        return "To whom does the next card go?", right, [*known, right, NOBODY], scene
    near = _seats_near(played, place)
    word = lesson.edition.game.face.seat_word
    options = [_recipient(lesson, seat) for seat in near] + [_recipient(lesson, DEALER)]
    if lesson.edition.game.dealing.in_turn:
        options += [AskOption(f"{_value(word)}-{seat}-decides", f"{word} {seat} decides first") for seat in near]
    return "What comes next?", right, [*options, right, NOBODY], scene


def _seats_near(played: TableRound, place: int) -> list[int]:
    """The seat that last had a card or decided, and the one after it."""
    seats = sorted(played.table.round.spots)
    first = played.spots_at[0] if played.spots_at else {}
    now = played.spots_at[place] if place < len(played.spots_at) else played.table.round.spots
    acted = [seat for seat in seats if now[seat].choices != first[seat].choices] or seats[:1]
    last = seats.index(acted[-1])
    return seats[last : last + 2]


@lru_cache(maxsize=64)
def _usual(lesson: Lesson) -> tuple[AskOption, ...]:
    """To which of the hands that all bet on cards come, as tables of the edition show."""
    answers: dict[str, AskOption] = {}
    for number in range(SAMPLED):
        for moment in table_round(lesson, number).moments:
            answers.setdefault((answer := _answer(lesson, moment)).value, answer)
    return tuple(answers.values())


def _later(lesson: Lesson, played: TableRound, place: int) -> tuple[str, tuple[Reason, ...]]:
    """The steps of the finished round that say so: the one that tells of the card, and what was decided just before it."""
    over = played.dealt
    if place == len(played.spots_at):
        steps = _ending(fullest(over))
        return _about(lesson, steps[0]), reasons(lesson, steps)
    dealt = unfolded(played.moment(place))
    who = dealt.card_for
    play = over.plays[who] if isinstance(who, int) and who in over.plays else fullest(over)
    at = _step_with(play, dealt)
    if at is None:  # a card that comes to no hand: by what was decided before it
        decided = [step for step in play.steps if not step.cards and "outcome" not in step.facts] or list(play.steps)
        return _about(lesson, decided[-1]), reasons(lesson, decided[-1:])
    first = at
    while first and not play.steps[first - 1].cards and "outcome" not in play.steps[first - 1].facts:
        first -= 1
    return _about(lesson, play.steps[at]), reasons(lesson, play.steps[first : at + 1])


def _about(lesson: Lesson, step: Step) -> str:
    return lesson.edition.cites.get(step.clause, step.clause) or FIRST_DEAL


def _ending(play: Play) -> Sequence[Step]:
    """Why no card comes any more: who stands, or the last card that came, or else how the round ends."""
    of_cards = [place for place, step in enumerate(play.steps) if step.cards]
    after = play.steps[of_cards[-1] + 1 :] if of_cards else play.steps
    stands = [step for step in after if "outcome" not in step.facts]
    if stands:
        return stands
    told = [step for step in play.steps if step.cards and step.facts.get("owner")]
    drawn = len(told) > len({step.facts["owner"] for step in told})
    return [play.steps[of_cards[-1]]] if drawn or not after else after[:1]


def _step_with(play: Play, dealt: Unfolded) -> int | None:
    """Where a round tells of the card that comes next."""
    who = dealt.card_for
    assert who is not None
    owner, place = (DEALER if who == DEALER else "player", len(dealt.hands.get(who, ())) + 1)
    if dealt.card_of and who == COMMON:
        owner, place = dealt.card_of
    told: dict[str, tuple[int, ...]] = {}
    for number, step in enumerate(play.steps):
        whose = str(step.facts.get("owner", ""))
        if not step.cards or not (whose == owner or (owner == "player" and whose.startswith("hand"))):
            continue
        cards = tuple(card for some in step.cards.values() for card in some)
        before = told.get(whose, ())
        told[whose] = cards if cards[: len(before)] == before else (*before, *cards)
        if sum(map(len, told.values())) >= place:
            return number
    return None


def _asked(lesson: Lesson, number: int, case: DrawCase, on_purpose: bool) -> Exercise:
    played = table_round(lesson, case.table)
    ask = _asked_first if case.is_first_deal else _asked_later
    question, right, options, scene = ask(lesson, played, case.place)
    known = {option.value: option for option in sorted([right, *options], key=lambda option: (option == NOBODY, option.words))}
    asked = Ask("next", "Next", "pick", (right.value,), tuple(known.values()))
    return Exercise("draw", number, case.topic, question, (asked,), case.why, scene, on_purpose)


@lru_cache(maxsize=64)
def _index(lesson: Lesson) -> dict[str, tuple[DrawCase, ...]]:
    """Cases by the clause by which somebody draws or does not, as they come at tables."""
    found: dict[str, list[DrawCase]] = {}
    for number in range(SAMPLED):
        for case in _mixed(lesson, number, random.Random(number)):
            if len(kept := found.setdefault(case.topic, [])) < KEPT_MOST:
                kept.append(case)
    return {topic: tuple(cases) for topic, cases in found.items()}


@lru_cache(maxsize=64)
def topics(lesson: Lesson) -> tuple[Topic, ...]:
    """The clauses by which cards are dealt and somebody draws or does not."""
    clauses = lesson.edition.clauses()
    found = sorted(_index(lesson))
    return tuple(Topic(id_, clauses[id_].text if id_ in clauses else "How the first cards are dealt") for id_ in found)


KIND = ExerciseKind("draw", "Who draws?", "Whose the next card is, or that none comes any more", make, topics, by_table=True)
