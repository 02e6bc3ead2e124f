"""What is wrong here? A deal or a payout with one fault, or with none: find it, and say what the floor does.

Every fault is made from a round that is right, and proved by the rules: what the floor does is really given to the table.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, groupby

from houseway.cards import show_cards
from houseway.money import dollars
from houseway.refusal import Refused
from houseway.rulebook.game import COMMON, DEALER, Shown
from houseway.table import Table
from houseway.table.commands import live_commands
from houseway.table.irregular import ONLY_MACHINES
from houseway.table.state import PaidStake, changed
from houseway.table.unfold import Unfolded
from houseway.train.clauses import carried_out_by, of_order
from houseway.train.deals import Lesson, slug
from houseway.train.exercise import Ask, AskOption, Exercise, Reason, Scene, SceneHand
from houseway.train.floor import corrected, is_possible, voided
from houseway.train.kind import ExerciseKind, Topic
from houseway.train.scenes import fullest, hands_shown, reasons, stake_words, table_scene
from houseway.train.tables import TableRound, table_round, with_round

OVERPAID, UNDERPAID, NOT_PAID = "paid-too-much", "paid-too-little", "not-paid"
PUSH_TAKEN, NOT_TAKEN, ORDER, NOTHING = "push-taken", "not-taken", "order", "nothing"
CARD_TOO_MANY, CARD_MISSING, SET_WRONG, VOID = "card-too-many", "card-missing", "set-against-the-house-way", "void"
WORDS = {
    OVERPAID: "A winning wager is paid too much",
    UNDERPAID: "A winning wager is paid too little",
    NOT_PAID: "A winning wager is not paid",
    PUSH_TAKEN: "A push is taken",
    NOT_TAKEN: "A losing wager is left",
    ORDER: "Seats are settled in the wrong order",
    CARD_TOO_MANY: "A card is drawn that does not come",
    CARD_MISSING: "A card is missing",
    SET_WRONG: "The dealer's hand is set against the House Way",
    NOTHING: "Nothing is wrong",
}
STAKES_SHOWN, STAKES_MOST = 5, 14
TRIES, SAMPLED = 100, 24
SHUFFLER, MISCOUNT = "shuffler", "wrong-number-of-cards"
GO_ON, DEAL_ON, SET_AGAIN = "nothing", "deal-the-card", "set-it-again"
FLOOR = {
    GO_ON: "Nothing: it goes on",
    DEAL_ON: "Have the missing card dealt before anything is paid",
    SET_AGAIN: "Have the hand set by the House Way before anything is paid",
}
EXPOSED, FACE_UP = "dealer-card-exposed", "card-face-up"


@dataclass(frozen=True)
class FaultCase:
    """What is shown, the places where something may be wrong, the one where it is, what the floor may do and does, and why."""

    scene: Scene
    places: tuple[AskOption, ...]
    place: str
    actions: tuple[str, ...]
    action: str
    why: tuple[Reason, ...]


def make(lesson: Lesson, number: int, topic: str) -> Exercise:
    """A table with a fault; sometimes none."""
    drawn = random.Random(f"wrong {lesson.edition.id} {number} {topic}")
    known = [found.id for found in topics(lesson)]
    asked = topic or drawn.choice(known)
    others = [] if topic else drawn.sample(known, len(known))
    shown = ((name, _shown(lesson, name, drawn, number)) for name in (asked, *others))
    chosen, case = next(((name, case) for name, case in shown if case is not None), ("", None))
    if case is None:
        raise Refused("no-such-case", f"{lesson.edition.name}: no table came at which {asked} can be shown")
    what = Ask("what", "What is wrong?", "pick", (case.place,), case.places)
    floor = Ask("floor", "What does the floor do?", "pick", (case.action,), tuple(_action(name) for name in case.actions))
    question = "Is something wrong here, and what does the floor do?"
    # all are made on purpose, also those with nothing wrong: whether one was is no hint
    return Exercise("wrong", number, chosen, question, (what, floor), case.why, case.scene, on_purpose=True)


def _shown(lesson: Lesson, topic: str, drawn: random.Random, number: int) -> FaultCase | None:
    """A fault at the tables of a number; else at those where it was found when the topics were looked for."""
    return _found(lesson, topic, drawn, number) or _found(lesson, topic, random.Random(topic), 0)


def _found(lesson: Lesson, topic: str, drawn: random.Random, number: int) -> FaultCase | None:
    maker = _MAKERS[topic.partition(":")[0]]
    for trial in range(TRIES):
        try:
            played = table_round(lesson, number * TRIES + trial)
        except Refused:  # a table of that number plays no round to its end: the next one may
            continue
        if len(played.stakes) <= STAKES_MOST and (case := maker(lesson, played, drawn, topic)) is not None:
            return case
    return None


def _action(name: str) -> AskOption:
    """Something that the floor can do: a command that puts something right, in its own words."""
    return AskOption(name, FLOOR[name] if name in FLOOR else live_commands()[name].about.partition(":")[0])


# Payouts


def _paid_words(stake: PaidStake) -> str:
    if stake.won_cents:
        return f"{dollars(stake.won_cents)} paid"
    return f"{dollars(stake.taken_cents)} taken" if stake.taken_cents else "left"


def _payouts(
    lesson: Lesson, played: TableRound, drawn: random.Random, paid: tuple[PaidStake, ...], wrong: int | None, place: str
) -> FaultCase | None:
    """All payments as they were made; one of them, or their order, may be wrong."""
    is_right = wrong is None
    after = corrected(played, played.stakes if is_right else paid)
    if (after is None) != is_right or (after is not None and after != played.stakes):
        return None  # the rules do not say so
    scene = table_scene(lesson, played.table, played.bank_cents)
    lines = tuple((stake_words(lesson, stake), _paid_words(stake)) for stake in paid)
    scene = replace(scene, facts=(*scene.facts, *((f"{n}. {name}", ends) for n, (name, ends) in enumerate(lines, 1))))
    others = [n for n in range(len(paid)) if n != wrong]
    beside = STAKES_SHOWN - (wrong is not None)  # so many are named with a wrong one among them as without
    shown = sorted([*drawn.sample(others, min(len(others), beside)), *([wrong] if wrong is not None else [])])
    places = [AskOption(f"payment-{n + 1}", f"{n + 1}. {stake_words(lesson, paid[n])}") for n in shown]
    places += [AskOption(ORDER, WORDS[ORDER]), AskOption(NOTHING, WORDS[NOTHING])]
    right = place or f"payment-{(wrong or 0) + 1}"
    why = (*_why_paid(lesson, played, paid, wrong, place), *(() if wrong is not None else of_order(lesson)))
    action = GO_ON if is_right else "correct"
    return FaultCase(scene, tuple(places), right, ("correct", "void", "rekey", GO_ON), action, why)


def _why_paid(
    lesson: Lesson, played: TableRound, paid: tuple[PaidStake, ...], wrong: int | None, place: str
) -> tuple[Reason, ...]:
    if wrong is None:
        words = "The amounts are right, and nothing is corrected; the seats come in this order."
        return (Reason(words if place == ORDER else "Every wager is settled as the rules say, in their order."),)
    stake = played.stakes[wrong]
    steps = played.dealt.plays[stake.seat].steps if stake.seat in played.dealt.plays else ()
    outcome = lesson.outcome_name(stake.wager, stake.outcome)
    right = Reason(
        f"{stake_words(lesson, stake)}: {outcome}: {_paid_words(stake)}, not {_paid_words(paid[wrong])}.", stake.clause
    )
    return (
        *reasons(lesson, steps),
        right,
        Reason("The round is settled: it is corrected, and what was wrong is settled again."),
    )


def _with_wrong_stake(
    lesson: Lesson,
    played: TableRound,
    drawn: random.Random,
    is_meant: Callable[[PaidStake], bool],
    wronged: Callable[[PaidStake], PaidStake | None],
) -> FaultCase | None:
    meant = [place for place, stake in enumerate(played.stakes) if is_meant(stake)]
    if not meant:
        return None
    place = drawn.choice(meant)
    wrong = wronged(played.stakes[place])
    if wrong is None:
        return None
    paid = (*played.stakes[:place], wrong, *played.stakes[place + 1 :])
    return _payouts(lesson, played, drawn, paid, place, "")


def _is_won(stake: PaidStake) -> bool:
    return stake.won_cents == stake.owed_cents > 0


def _amounts(lesson: Lesson, stake: PaidStake) -> list[int]:
    """What a dealer may pay by mistake: by another row of the pay table, the stake added or left out, a chip more or less."""
    edition = lesson.edition
    unit = max(edition.chip_unit_cents, 100)
    rows = {edition.pay(stake.wager, o.id, lesson.settings).net for o in edition.possible(stake.wager, lesson.settings)}
    near = [int(net * stake.stake_cents) // unit * unit for net in rows if net > 0]
    near += [stake.won_cents + stake.stake_cents, stake.won_cents - stake.stake_cents]
    near += [stake.won_cents + chip * sign for chip in (500, 100) for sign in (1, -1)]
    return [cents for cents in dict.fromkeys(near) if cents > 0 and cents != stake.won_cents]


def _overpaid(lesson: Lesson, played: TableRound, drawn: random.Random, topic: str) -> FaultCase | None:
    return _paid_otherwise(lesson, played, drawn, is_more=True)


def _underpaid(lesson: Lesson, played: TableRound, drawn: random.Random, topic: str) -> FaultCase | None:
    return _paid_otherwise(lesson, played, drawn, is_more=False)


def _paid_otherwise(lesson: Lesson, played: TableRound, drawn: random.Random, is_more: bool) -> FaultCase | None:
    def wronged(stake: PaidStake) -> PaidStake | None:
        other = [cents for cents in _amounts(lesson, stake) if (cents > stake.won_cents) == is_more]
        return changed(stake, won_cents=drawn.choice(other)) if other else None

    return _with_wrong_stake(lesson, played, drawn, _is_won, wronged)


def _not_paid(lesson: Lesson, played: TableRound, drawn: random.Random, topic: str) -> FaultCase | None:
    return _with_wrong_stake(lesson, played, drawn, _is_won, lambda stake: changed(stake, won_cents=0))


def _push_taken(lesson: Lesson, played: TableRound, drawn: random.Random, topic: str) -> FaultCase | None:
    def is_push(stake: PaidStake) -> bool:
        return stake.owed_cents == 0 and stake.stake_cents > 0

    return _with_wrong_stake(lesson, played, drawn, is_push, lambda stake: changed(stake, taken_cents=stake.stake_cents))


def _not_taken(lesson: Lesson, played: TableRound, drawn: random.Random, topic: str) -> FaultCase | None:
    def is_lost(stake: PaidStake) -> bool:
        return stake.taken_cents == -stake.owed_cents > 0

    return _with_wrong_stake(lesson, played, drawn, is_lost, lambda stake: changed(stake, taken_cents=0))


def _out_of_order(lesson: Lesson, played: TableRound, drawn: random.Random, topic: str) -> FaultCase | None:
    """Two seats that come one after the other, changed: the amounts are right."""
    runs = [list(stakes) for _, stakes in groupby(played.stakes, key=lambda stake: stake.seat)]
    places = [place for place in range(len(runs) - 1) if runs[place][0].seat != runs[place + 1][0].seat]
    is_short = any(stake.won_cents != max(stake.owed_cents, 0) for stake in played.stakes)
    if not places or is_short:  # where a bank runs short, another order pays otherwise
        return None
    place = drawn.choice(places)
    runs[place], runs[place + 1] = runs[place + 1], runs[place]
    return _payouts(lesson, played, drawn, tuple(stake for run in runs for stake in run), None, ORDER)


# Cards


def _before_payment(scene: Scene) -> Scene:
    return replace(scene, facts=(*scene.facts, ("Payments", "none yet")))


def _cards_case(lesson: Lesson, played: TableRound, scene: Scene, fault: str, whose: str) -> FaultCase | None:
    """One of the hands that draw may have a card too many, or lack one."""
    names = [hand.owner for hand in scene.hands if _most_cards(lesson, hand.owner)]
    if not names or (whose and whose not in names):
        return None
    places = [AskOption(f"{kind}:{slug(name)}", f"{name}: {words}") for name in names for kind, words in _CARD_FAULTS.items()]
    right = f"{fault}:{slug(whose)}" if whose else NOTHING
    action = {CARD_TOO_MANY: VOID, CARD_MISSING: DEAL_ON, NOTHING: GO_ON}[fault]
    steps = reasons(lesson, fullest(played.dealt).steps)
    ends: tuple[Reason, ...] = (Reason("Every hand has the cards that the rules give it."),)
    if fault == CARD_MISSING:
        ends = (Reason(f"{whose} lacks a card: it is dealt before anything is paid."),)
    if fault == CARD_TOO_MANY:
        extra = Reason(f"{whose} has a card that the rules do not give: with it the round cannot have gone so.")
        void = Reason("A wrong number of cards: the round is void, and all wagers go back.", _void_clause(lesson, played))
        ends = (extra, void)
    actions = (VOID, "correct", DEAL_ON, GO_ON)
    return FaultCase(
        _before_payment(scene), (*places, AskOption(NOTHING, WORDS[NOTHING])), right, actions, action, (*steps, *ends)
    )


_CARD_FAULTS = {CARD_TOO_MANY: "a card too many", CARD_MISSING: "a card is missing"}


def _void_clause(lesson: Lesson, played: TableRound) -> str:
    clause = voided(played, played.table, MISCOUNT)
    assert clause is not None, "a round in play can be voided"
    return clause


def _last_hand(lesson: Lesson, played: TableRound) -> str:
    """Whose the last card of the round was, as the scene names it; nothing where nobody drew."""
    if len(played.spots_at) <= len(played.dealt.order):
        return ""
    last: Unfolded = played.moment(len(played.spots_at) - 1).round.unfolded
    if last.card_for == COMMON and last.card_of:
        named = {hand.owner: hand.name for hand in lesson.edition.game.face.hands}
        return named.get(last.card_of[0], last.card_of[0].capitalize())
    return "Dealer" if last.card_for == DEALER else ""


def _with_hand(scene: Scene, whose: str, cards: tuple[str, ...]) -> Scene:
    return replace(scene, hands=tuple(replace(hand, cards=cards) if hand.owner == whose else hand for hand in scene.hands))


def _card_too_many(lesson: Lesson, played: TableRound, drawn: random.Random, topic: str) -> FaultCase | None:
    """The dealer's hand, or one that all bet on, has drawn a card that the rules do not give."""
    scene = table_scene(lesson, played.table, played.bank_cents)
    hands = [hand for hand in scene.hands if len(hand.cards) < _most_cards(lesson, hand.owner)]
    if not hands or any(hand.part for play in played.dealt.plays.values() for hand in play.hands):
        return None
    hand = drawn.choice(hands)
    deck = [card for card, copies in enumerate(lesson.edition.game.shoe(lesson.settings)) if copies]
    extra = drawn.choice([card for card in deck if card not in played.table.round.drawn] or deck)
    if is_possible(played, (*played.table.round.drawn, extra)):
        return None
    shown = _with_hand(scene, hand.owner, (*hand.cards, show_cards([extra])))
    return _cards_case(lesson, played, shown, CARD_TOO_MANY, hand.owner)


@lru_cache(maxsize=512)
def _most_cards(lesson: Lesson, whose: str) -> int:
    """How many cards a hand has at most, as tables show: one that has fewer could have drawn."""
    rounds = [table_round(lesson, number) for number in range(SAMPLED)]
    drew = [played for played in rounds if _last_hand(lesson, played) == whose]
    hands = (hand for played in drew for hand in table_scene(lesson, played.table).hands if hand.owner == whose)
    return max((len(hand.cards) for hand in hands), default=0)


def _card_missing(lesson: Lesson, played: TableRound, drawn: random.Random, topic: str) -> FaultCase | None:
    """The last card that the rules give has not come."""
    whose = _last_hand(lesson, played)
    if not whose or is_possible(played, played.table.round.drawn[:-1]):
        return None
    scene = table_scene(lesson, played.table, played.bank_cents)
    hand = next((hand for hand in scene.hands if hand.owner == whose), None)
    if hand is None:
        return None
    return _cards_case(lesson, played, _with_hand(scene, whose, hand.cards[:-1]), CARD_MISSING, whose)


# A set hand


def _set_wrong(lesson: Lesson, played: TableRound, drawn: random.Random, topic: str) -> FaultCase | None:
    """The dealer's hand in another set that is legal, and counts otherwise."""
    right = _dealers_set(played)
    advise = lesson.edition.game.advise
    if not right or advise is None:
        return None
    cards = tuple(card for hand in right for card in hand.cards)
    ways = [advise(cards, front, lesson.encoded) for front in combinations(cards, len(right[0].cards))]
    worths = {hand.part: hand.worth for hand in right}
    other = [way for way in ways if not way.foul and {hand.part: hand.worth for hand in way.hands} != worths]
    if not other:
        return None
    best = sorted(other, key=lambda way: sum(card >> 2 for card in way.hands[0].cards), reverse=True)[:4]
    wrong = tuple(changed(hand, owner=DEALER) for hand in drawn.choice(best).hands)
    return _set_case(lesson, played, wrong, SET_WRONG)


def _dealers_set(played: TableRound) -> tuple[Shown, ...]:
    for play in played.dealt.plays.values():
        if shown := tuple(hand for hand in play.hands if hand.owner == DEALER and hand.part):
            return shown
    return ()


def _set_case(lesson: Lesson, played: TableRound, shown: tuple[Shown, ...], fault: str) -> FaultCase:
    scene = table_scene(lesson, played.table, played.bank_cents)
    rest = tuple(hand for hand in scene.hands if not hand.owner.startswith("Dealer"))
    scene = _before_payment(replace(scene, hands=(*hands_shown(lesson, shown, False), *rest)))
    places = (AskOption(SET_WRONG, WORDS[SET_WRONG]), AskOption(NOTHING, WORDS[NOTHING]))
    steps = fullest(played.dealt).steps
    told = [step for step in steps if step.facts.get("owner", DEALER if "why" in step.facts else "") == DEALER]
    ends = Reason("Nothing is paid yet: the hand is set again." if fault == SET_WRONG else "It is set as the House Way says.")
    action = SET_AGAIN if fault == SET_WRONG else GO_ON
    right = SET_WRONG if fault == SET_WRONG else NOTHING
    return FaultCase(scene, places, right, (SET_AGAIN, VOID, "correct", GO_ON), action, (*reasons(lesson, told), ends))


# Irregularities that a document voids a round for


def _irregular(lesson: Lesson, played: TableRound, drawn: random.Random, topic: str) -> FaultCase | None:
    """Something goes wrong with the cards in mid-deal, by a clause of the game's own; or nothing does."""
    reason = topic.partition(":")[2]
    first, void, texts = len(played.dealt.order), lesson.edition.game.dealing.void_reasons, lesson.edition.clauses()
    at_first = changed(played.table.round, spots=played.spots_at[0], drawn=played.table.round.drawn[:first])
    dealt = with_round(played.table, at_first)
    at_machine = changed(dealt, source=SHUFFLER, form=max(dealt.form, ONLY_MACHINES))
    clause = void.get(reason, NOTHING)
    if reason and voided(played, at_machine, reason) != clause:
        return None  # the rules do not say so
    scene = _irregular_scene(lesson, played, dealt, drawn, reason)
    places = [AskOption(id_, texts[id_].text.partition(":")[0]) for id_ in dict.fromkeys(void.values())]
    places.append(AskOption(NOTHING, WORDS[NOTHING]))
    why: tuple[Reason, ...] = (Reason("Every hand has its cards, and none was seen too early."),)
    if reason:
        why = (Reason(texts[clause].text, clause), *carried_out_by(lesson, "table/irregular.py:void_clause"))
    return FaultCase(scene, tuple(places), clause, (VOID, "replace-card", "correct", GO_ON), VOID if reason else GO_ON, why)


def _irregular_scene(lesson: Lesson, played: TableRound, dealt: Table, drawn: random.Random, reason: str) -> Scene:
    scene = table_scene(lesson, dealt, played.bank_cents, is_over=False)
    seats = tuple(replace(seat, hands=tuple(_down(hand) for hand in seat.hands)) for seat in scene.seats)
    facts = [*scene.facts, ("Cards", "from a shuffler")]
    hands = scene.hands
    if reason == EXPOSED:
        up = show_cards([drawn.choice(dealt.round.unfolded.hands[DEALER])])
        hands = tuple(replace(hand, cards=(up, *hand.cards[1:])) if hand.owner == "Dealer" else hand for hand in hands)
    elif reason == MISCOUNT:
        place = drawn.randrange(len(seats))
        cut = [replace(hand, cards=drawn.choice((hand.cards[:-1], (*hand.cards, "?")))) for hand in seats[place].hands[:1]]
        seats = (*seats[:place], replace(seats[place], hands=tuple(cut)), *seats[place + 1 :])
    elif reason == FACE_UP:
        left = [card for card in range(52) if card not in played.table.round.drawn]
        facts.append(("Next card in the shuffler", f"{show_cards([drawn.choice(left)])}, face up"))
    if reason.startswith(SHUFFLER):  # said at every table, so that a wrong number of cards is the shuffler's or is not
        facts.append(("Shuffler", f"stopped: {reason.partition('-')[2].replace('-', ' ')}"))
    else:
        facts.append(("Shuffler", "runs, and its count is right"))
    return Scene(hands, seats, tuple(facts))


def _down(hand: SceneHand) -> SceneHand:
    return replace(hand, cards=tuple("?" for _ in hand.cards))


# Nothing


def _nothing(lesson: Lesson, played: TableRound, drawn: random.Random, topic: str) -> FaultCase | None:
    """A table at which all is right: paid, or before that."""
    known = _known(lesson)
    shapes = [NOTHING, *(found for found in (CARD_TOO_MANY, SET_WRONG) if found in known)]
    shape = drawn.choice([*shapes, *([VOID] if any(found.startswith(VOID) for found in known) else [])])
    if shape == VOID:
        return _irregular(lesson, played, drawn, "")
    if shape == SET_WRONG and (shown := _dealers_set(played)):
        return _set_case(lesson, played, shown, NOTHING)
    if shape == CARD_TOO_MANY:
        return _cards_case(lesson, played, table_scene(lesson, played.table, played.bank_cents), NOTHING, "")
    return _payouts(lesson, played, drawn, played.stakes, None, NOTHING)


_MAKERS: dict[str, Callable[[Lesson, TableRound, random.Random, str], FaultCase | None]] = {
    OVERPAID: _overpaid,
    UNDERPAID: _underpaid,
    NOT_PAID: _not_paid,
    PUSH_TAKEN: _push_taken,
    NOT_TAKEN: _not_taken,
    ORDER: _out_of_order,
    CARD_TOO_MANY: _card_too_many,
    CARD_MISSING: _card_missing,
    SET_WRONG: _set_wrong,
    VOID: _irregular,
    NOTHING: _nothing,
}


@lru_cache(maxsize=64)
def _known(lesson: Lesson) -> tuple[str, ...]:
    """The faults that a table of the edition can have."""
    void = [f"{VOID}:{reason}" for reason in lesson.edition.game.dealing.void_reasons if SHUFFLER in lesson.edition.sources]
    faults = [*(fault for fault in WORDS if fault != NOTHING), *void]
    return tuple(fault for fault in faults if _found(lesson, fault, random.Random(fault), 0) is not None)


@lru_cache(maxsize=64)
def topics(lesson: Lesson) -> tuple[Topic, ...]:
    """Every fault that a table can have, irregularities by their clause, and none."""
    clauses, void = lesson.edition.clauses(), lesson.edition.game.dealing.void_reasons
    words = {fault: WORDS.get(fault) or clauses[void[fault.partition(":")[2]]].text for fault in _known(lesson)}
    return (*(Topic(fault, said) for fault, said in words.items()), Topic(NOTHING, WORDS[NOTHING]))


ABOUT = "Find the fault in a deal or a payout, and say what the floor does"
KIND = ExerciseKind("wrong", "What is wrong here?", ABOUT, make, topics, by_table=True)
