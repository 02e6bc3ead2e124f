"""What lies on the table in an exercise, from one player's round or from a whole table."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from houseway.cards import show_card
from houseway.games import edition_files
from houseway.money import dollars
from houseway.rulebook.edition import PAY_TABLE
from houseway.rulebook.game import COMMON, COMMUNITY, DEALER, Play, Shown, Step
from houseway.rulebook.words import sentence
from houseway.table import Table
from houseway.table.betting import chosen_with
from houseway.table.engine import prepared, unfolded
from houseway.table.state import PaidStake, Spot
from houseway.table.unfold import Unfolded
from houseway.train.deals import DealtRound, Lesson
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


def deal_scene(lesson: Lesson, deal: DealtRound, with_worth: bool = False) -> Scene:
    """One player's round at its end: hands, bets, what was chosen, and the hands of others that may win envy."""
    others = tuple(SceneHand(f"Other player {place}", cards_of(hand)) for place, hand in enumerate(deal.others, 1))
    shown = hands_shown(lesson, deal.play.hands, with_worth) or (SceneHand("Cards as dealt", cards_of(deal.cards)),)
    chosen = chosen_with(lesson.edition, Spot("", deal.bets, deal.choices))
    bets = tuple((" ".join(filter(None, (lesson.wager_name(w), chosen.get(w, "")))), cents) for w, cents in deal.bets.items())
    says = tuple(choice_words(lesson, choice) for choice in deal.choices if choice not in chosen.values())
    return Scene((*shown, *others), (SceneSeat(1, bets, says=says),))


def at_table(lesson: Lesson, scene: Scene) -> Scene:
    """A scene with what is to be known of its table first: without it a payment could not be told."""
    facts = table_facts(lesson)
    return replace(scene, facts=(*facts, *(fact for fact in scene.facts if fact not in facts)))


def table_facts(lesson: Lesson) -> tuple[tuple[str, str], ...]:
    """The edition, its pay table where it has several, and how the table is set where that is not as usual."""
    edition, parts = lesson.edition, set(lesson.edition.game.dealing.with_bet.values())
    facts = [("Edition", edition.name if edition.id in edition_files() else f"{edition.name} ({edition.id})")]
    if len(edition.approved.get(PAY_TABLE, ())) > 1:
        facts.append(("Pay table", str(lesson.settings[PAY_TABLE])))
    for name, values in edition.approved.items():
        if name != PAY_TABLE and name not in parts and lesson.settings[name] != values[0]:
            facts.append(_setting_words(lesson, name, str(lesson.settings[name])))
    return tuple(facts)


def _setting_words(lesson: Lesson, name: str, value: str) -> tuple[str, str]:
    """A setting and its value as people say them."""
    switch, reading = lesson.edition.game.switches.get(name), lesson.edition.readings.get(name)
    about = switch.about if switch else reading.question if reading else name
    meaning = reading.values.get(value, value) if reading else value
    return _sentence(about), "the house's own" if value.startswith("{") else meaning


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def choice_words(lesson: Lesson, choice: str) -> str:
    """A choice as people say it; the cards that it names after it."""
    name, _, cards = choice.partition(" ")
    face = lesson.edition.game.face.choices.get(name)
    return f"{face.words}{': ' if cards else ''}{cards}" if face else choice


def table_scene(lesson: Lesson, table: Table, bank_cents: int = 0, is_over: bool = True) -> Scene:
    """A whole table: as it is in mid-round, or with all cards up when the round is over."""
    dealt = unfolded(table)
    hands = {seat: _own_hands(lesson, dealt, seat, is_over) for seat in table.round.spots}
    seats = seats_with_bets(lesson, table, hands)
    return Scene(_common_hands(lesson, dealt, is_over), seats, round_facts(lesson, table, bank_cents))


def seats_with_bets(
    lesson: Lesson, table: Table, hands: Mapping[int, tuple[SceneHand, ...]] | None = None
) -> tuple[SceneSeat, ...]:
    """The seats with what they bet and said: bets for the dealers apart."""
    edition, seats = prepared(table)[0], []
    for seat, spot in sorted(table.round.spots.items()):
        chosen = chosen_with(edition, spot)
        laid = table.round.as_laid[seat].bets
        bets = [(_bet_words(lesson, wager, cents, laid[wager], chosen), cents) for wager, cents in spot.bets.items()]
        bets += [(f"{lesson.wager_name(wager)} for the dealer", cents) for wager, cents in spot.for_dealer.items()]
        says = tuple(choice_words(lesson, choice) for choice in spot.choices if choice not in chosen.values())
        seats.append(SceneSeat(seat, tuple(bets), (hands or {}).get(seat, ()), says))
    return tuple(seats)


def _bet_words(lesson: Lesson, wager: str, cents: int, laid: int, chosen: Mapping[str, str]) -> str:
    """A wager with what is chosen with it, and with what was laid where a bank covers less."""
    more = f"(covered of {dollars(laid)})" if laid != cents else ""
    return " ".join(filter(None, (lesson.wager_name(wager), chosen.get(wager, ""), more)))


def round_facts(lesson: Lesson, table: Table, bank_cents: int) -> tuple[tuple[str, str], ...]:
    """What was thrown or drawn, who banks and with what, and limits of what one deal pays."""
    facts = []
    if table.round.dice:
        facts.append(("Marker" if table.bank is not None else "Dice", str(table.round.dice)))
    if table.bank is not None and table.bank.holder:
        facts.append(("Bank", f"{lesson.edition.game.face.seat_word} {table.bank.holder}, {dollars(bank_cents)} put up"))
    facts += [(f"Aggregate limit, {lesson.wager_name(wager)}", dollars(cents)) for wager, cents in table.aggregates.items()]
    return tuple(facts)


def deal_so_far(lesson: Lesson, table: Table, dealt: list[str], bank_cents: int) -> Scene:
    """A table whose first cards are being dealt: bets, dice, and who has had cards, in their order."""
    return Scene(
        (),
        seats_with_bets(lesson, table),
        (*round_facts(lesson, table, bank_cents), ("Dealt so far", ", ".join(dealt) or "nothing")),
    )


def stake_words(lesson: Lesson, stake: PaidStake) -> str:
    """A stake of a table by its seat, its wager and, where there are several, its spot; with what lies there."""
    name = ", ".join(filter(None, (lesson.wager_name(stake.wager), stake.spot)))
    lies = f", {dollars(stake.stake_cents)}" if stake.stake_cents else ""
    return f"{lesson.edition.game.face.seat_word} {stake.seat}: {name}{lies}"


def _common_hands(lesson: Lesson, dealt: Unfolded, is_over: bool) -> tuple[SceneHand, ...]:
    """The hands that are nobody's own: those that all bet on, the dealer's, and the middle."""
    if COMMON in dealt.order:
        plays = [play.hands for play in dealt.plays.values()] or list(dealt.shown.values())
        return hands_shown(lesson, plays[0], False) if plays else ()
    community = cards_of(dealt.hands.get(COMMUNITY, ()))
    middle = (SceneHand("Community card", community),) if community else ()
    dealer = list(dealt.hands.get(DEALER, ()))
    if is_over and dealt.plays and (shown := tuple(hand for hand in fullest(dealt).hands if hand.owner == DEALER)):
        return (*hands_shown(lesson, shown, False), *middle)
    is_turned = dealt.first_deal_done and not dealt.to_act and dealt.card_for in {DEALER, None}
    up = len(dealer) if is_turned else lesson.edition.game.dealing.dealer_face_up
    cards = cards_of(dealer) if is_over else (*cards_of(dealer[:up]), *("?" for _ in dealer[up:]))
    return (*((SceneHand("Dealer", cards),) if cards else ()), *middle)


def fullest(dealt: Unfolded) -> Play:
    """The play that tells most of the dealer's cards: against some seats he may need none."""
    return max(dealt.plays.values(), key=lambda play: sum(len(hand.cards) for hand in play.hands if hand.owner == DEALER))


def _own_hands(lesson: Lesson, dealt: Unfolded, seat: int, is_over: bool) -> tuple[SceneHand, ...]:
    if COMMON in dealt.order:
        return ()
    shown = tuple(hand for hand in dealt.shown.get(seat, ()) if hand.owner != DEALER)
    if is_over and seat in dealt.plays:
        shown = tuple(hand for hand in dealt.plays[seat].hands if hand.owner != DEALER)
    return hands_shown(lesson, shown, False) or tuple(
        SceneHand("Player", cards_of(hand)) for hand in (dealt.hands.get(seat, ()),) if hand
    )


def reasons(lesson: Lesson, steps: Iterable[Step]) -> tuple[Reason, ...]:
    """Steps of a round as an explanation."""
    templates, cites = lesson.edition.game.face.steps, lesson.edition.cites
    return tuple(Reason(sentence(templates, step), cites.get(step.clause, step.clause)) for step in steps)
