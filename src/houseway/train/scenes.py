"""What lies on the table in an exercise, from one player's round or from a whole table."""

from collections.abc import Iterable

from houseway.cards import show_card
from houseway.money import dollars
from houseway.rulebook.game import COMMON, COMMUNITY, DEALER, Shown, Step
from houseway.rulebook.words import sentence
from houseway.table import Table
from houseway.table.betting import chosen_with
from houseway.table.engine import prepared, unfolded
from houseway.table.unfold import Unfolded
from houseway.train.deals import Deal, Lesson
from houseway.train.exercise import Reason, Scene, SceneHand, SceneSeat


def owner_name(lesson: Lesson, owner: str) -> str:
    """Whose a hand is, as the game's face calls it."""
    named = {hand.owner: hand.name for hand in lesson.edition.game.face.hands}
    return named.get(owner, owner[:1].upper() + owner[1:])


def cards_of(cards: Iterable[int]) -> tuple[str, ...]:
    """Cards as they are written."""
    return tuple(show_card(card) for card in cards)


def hands_shown(lesson: Lesson, hands: Iterable[Shown], with_worth: bool) -> tuple[SceneHand, ...]:
    """Hands as they lie, with what they count only where that is not the question."""
    parts = {part.id: part.name for part in lesson.edition.game.face.parts}
    return tuple(
        SceneHand(
            " ".join(filter(None, (owner_name(lesson, hand.owner), parts.get(hand.part, hand.part)))),
            cards_of(hand.cards),
            hand.worth if with_worth else "",
        )
        for hand in hands
        if hand.cards
    )


def deal_scene(lesson: Lesson, deal: Deal, with_worth: bool = False) -> Scene:
    """One player's round at its end: hands, bets, what was chosen, and the hands of others that may win envy."""
    others = tuple(SceneHand(f"Other player {place}", cards_of(hand)) for place, hand in enumerate(deal.others, 1))
    shown = hands_shown(lesson, deal.play.hands, with_worth) or (SceneHand("Cards as dealt", cards_of(deal.cards)),)
    bets = tuple((lesson.wager_name(wager), cents) for wager, cents in deal.bets.items())
    says = tuple(choice_words(lesson, choice) for choice in deal.choices)
    return Scene((*shown, *others), (SceneSeat(1, bets, says=says),), table_facts(lesson))


def table_facts(lesson: Lesson) -> tuple[tuple[str, str], ...]:
    """How the table is set, where a house can choose."""
    approved = lesson.edition.approved
    chosen = [
        (name, str(value))
        for name, value in lesson.settings.items()
        if name in lesson.edition.game.switches and len(approved.get(name, ())) > 1 and not str(value).startswith("{")
    ]
    return tuple((lesson.edition.game.switches[name].about.capitalize(), value) for name, value in chosen)


def choice_words(lesson: Lesson, choice: str) -> str:
    """A choice as people say it; the cards that it names after it."""
    name, _, cards = choice.partition(" ")
    face = lesson.edition.game.face.choices.get(name)
    return f"{face.words}{': ' if cards else ''}{cards}" if face else choice


def table_scene(lesson: Lesson, table: Table, bank_cents: int = 0, is_over: bool = True) -> Scene:
    """A whole table: as it is in mid-round, or with all cards up when the round is over."""
    dealt, face = unfolded(table), lesson.edition.game.face
    edition = prepared(table)[0]
    common = _common_hands(lesson, dealt, is_over)
    seats = []
    for seat, spot in sorted(table.round.spots.items()):
        chosen = chosen_with(edition, spot)
        bets = tuple(
            (" ".join(filter(None, (lesson.wager_name(wager), chosen.get(wager, "")))), cents)
            for wager, cents in spot.bets.items()
        )
        says = tuple(choice_words(lesson, choice) for choice in spot.choices if choice not in chosen.values())
        seats.append(SceneSeat(seat, bets, _own_hands(lesson, dealt, seat, is_over), says))
    facts = []
    if table.round.dice:
        facts.append(("Marker" if table.bank is not None else "Dice", str(table.round.dice)))
    if table.bank is not None and table.bank.holder:
        facts.append(("Bank", f"{face.seat_word} {table.bank.holder}, {dollars(bank_cents)} put up"))
    facts += [(f"Aggregate limit, {lesson.wager_name(wager)}", dollars(cents)) for wager, cents in table.aggregates.items()]
    return Scene(common, tuple(seats), tuple(facts))


def _common_hands(lesson: Lesson, dealt: Unfolded, is_over: bool) -> tuple[SceneHand, ...]:
    """The hands that are nobody's own: those that all bet on, the dealer's, and the middle."""
    if COMMON in dealt.order:
        plays = [play.hands for play in dealt.plays.values()] or list(dealt.shown.values())
        return hands_shown(lesson, plays[0], False) if plays else ()
    community = cards_of(dealt.hands.get(COMMUNITY, ()))
    middle = (SceneHand("Community card", community),) if community else ()
    dealer = list(dealt.hands.get(DEALER, ()))
    if is_over and dealt.plays:
        play = next(iter(dealt.plays.values()))
        if shown := tuple(hand for hand in play.hands if hand.owner == DEALER):
            return (*hands_shown(lesson, shown, False), *middle)
    up = lesson.edition.game.dealing.dealer_face_up
    cards = cards_of(dealer) if is_over else (*cards_of(dealer[:up]), *("?" for _ in dealer[up:]))
    return (*((SceneHand("Dealer", cards),) if cards else ()), *middle)


def _own_hands(lesson: Lesson, dealt: Unfolded, seat: int, is_over: bool) -> tuple[SceneHand, ...]:
    if COMMON in dealt.order:
        return ()
    shown = dealt.shown.get(seat, ())
    if is_over and seat in dealt.plays:
        shown = tuple(hand for hand in dealt.plays[seat].hands if hand.owner != DEALER)
    return hands_shown(lesson, shown, False) or tuple(
        SceneHand("Player", cards_of(hand)) for hand in (dealt.hands.get(seat, ()),) if hand
    )


def reasons(lesson: Lesson, steps: Iterable[Step]) -> tuple[Reason, ...]:
    """Steps of a round as an explanation."""
    templates, cites = lesson.edition.game.face.steps, lesson.edition.cites
    return tuple(Reason(sentence(templates, step), cites.get(step.clause, step.clause)) for step in steps)
