"""A round of blackjack for one seat in steps of one card, for graphics processors: the rules of `rounds.py` by their tables.

It is for one player who goes by one chart and does not count. Whole cards that nobody has looked at are counted in words, four
to each, one for each rank.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from houseway.kernels.compiled import inlined, plain
from houseway.kernels.shoes import CLASSES
from houseway.kernels.steps import Bytes, InSteps, Near, StepRules, StepShoe, U, step_card, step_number, three_cards

from .rounds import (
    ACE,
    ACES_AGAIN,
    ACES_PLAY_ON,
    ALWAYS,
    BUST,
    BY_COUNT,
    BY_RANK,
    COMMUNITY,
    DOUBLE,
    DOUBLED,
    EARLY,
    EVEN,
    EVEN_MONEY,
    FIRST_CELL,
    GAVE_UP,
    GAVE_UP_LATE,
    GOES_AT,
    HAND_BITS,
    HIDDEN,
    HIT,
    IN_PLAY_AT,
    INSURANCES,
    INSURED_AT,
    INSURES,
    KINDS,
    LUCKY,
    LUCKY_AT,
    MAY_BE,
    MOST_HANDS,
    NATURAL,
    OUTSIDE,
    PEEKS,
    PLACES,
    PLAYED,
    SPLIT,
    STAND,
    SURRENDER,
    TAKES,
    TEN,
    WORTHS,
    RoundTables,
    lost_to_natural,
    settled_otherwise,
    with_card,
)

BY_DEALER, NO_MORE, SECOND_CARD, DEALERS_SECOND = range(CLASSES, CLASSES + 4)
"""By which row it is decided whether a hand goes on: up to here the chart's for an up-card, then the dealer's; none after a
double; a split hand waits for its second card, and a dealer who has not peeked for his."""
HAS_NATURAL_AT = 17
"""Where a round's cell has, while it goes on, whether the dealer has a blackjack."""
ENDS = 5
"""Ways in which a seat's round goes."""
GOES_ON = 0
FIRST = GOES_ON + (DEALERS_SECOND + 1) * PLACES
AGAIN = FIRST + CLASSES * 200
LUCKIES = AGAIN + CLASSES * 200
NATURALS = LUCKIES + CLASSES**3
RESULTS = NATURALS + MAY_BE + CLASSES
WITHOUT_HANDS = RESULTS + 2 * DOUBLED * WORTHS
QUICK = WITHOUT_HANDS + 2 * ENDS
"""Places in the bytes that steps read: the tables of a round, one after the other. The first have, by row and a hand's place,
1 if it goes on, and twice its worth."""
ONE_HAND = FIRST_CELL + 1
"""From here on lie the cells of one hand, by its result."""
HANDS_MASK, INSURANCES_AT, INSURES_AT = 15, 4, 6
HAS_PEEKED, HAS_COMMUNITY, GIVES_UP_EARLY, ACES_SPLIT_AGAIN, ACES_GO_ON = (1 << at for at in range(8, 13))
"""Where the word about a table has what: the most hands, how many ways insurance goes, when it is taken; and its switches."""
_IN_BYTES, _GUARDS = U(0x01010101), U(0x80808080)


class StepRound(NamedTuple):
    """Where a round stands: `hand` is the place of the hand that is played by `row`, the dealer's in its turn.

    `dealer_is` 1 if the dealer draws, and twice the worth of his hand. `held` is what a seat's cell is in `rounds.py`, but for
    its hands: those at their ends are `ended`, so many are `done`, and so many more are `to_come`.
    """

    goes_on: np.uint32
    held: np.uint32
    ended: np.uint32
    hand: np.uint32
    row: np.uint32
    dealer: np.uint32
    dealer_is: np.uint32
    up: np.uint32
    done: np.uint32
    to_come: np.uint32


def quick_bytes(tables: RoundTables) -> Bytes:
    """All that steps read, from a round's own tables."""
    charts = tables.hits.reshape(-1, PLACES)
    never = np.zeros(PLACES, np.uint8)
    goes_on = [row | tables.worth << 1 for row in (*charts, tables.draws, never, never, tables.draws)]
    otherwise = [
        plain(settled_otherwise)(tables, goes, 0, bool(natural)) if natural or goes != PLAYED else FIRST_CELL
        for goes in range(ENDS)
        for natural in (0, 1)
    ]
    assert all(tables.more[FIRST_CELL * KINDS + kind] == ONE_HAND + kind for kind in range(KINDS))
    parts = [*goes_on, tables.first, tables.again, tables.lucky, tables.naturals, tables.kinds]
    quick = np.concatenate([*parts, np.array(otherwise, np.uint8)])
    assert quick.size == QUICK
    return quick


def in_steps(tables: RoundTables, shoe: Sequence[int], counts: Sequence[int]) -> InSteps | None:
    """A table in steps, from its shoe by card and by value; none where they do not cover it.

    They cover one seat by one chart, and no tens looked at for their ranks.
    """
    how, seats = tables.how, tables.seats
    usual = how[TAKES] and not how[OUTSIDE] and not how[BY_RANK] and how[MOST_HANDS] * HAND_BITS <= 32
    if not usual or len(seats) > 1 or seats[0, INSURES] == BY_COUNT or tables.hits.size != CLASSES * PLACES:
        return None
    deck = np.array(shoe[:HIDDEN], np.uint8).view(np.uint32)
    dealer = max(place >> 1 for place in range(PLACES) if tables.draws[place])
    cards = most_cards(counts, int(how[MOST_HANDS]), dealer) + int(how[COMMUNITY] > 0)
    return InSteps(STEPS, quick_bytes(tables), deck, cards)


def most_cards(counts: Sequence[int], most_hands: int, dealer: int) -> int:
    """The most cards that a round of one seat can take, if the dealer draws to at most so many points, aces as ones.

    No player's hand of 21 points takes another card. So all cards but the last of each hand have at most 20 points for each of
    his, and the dealer's or those of one card for him; of the lowest cards they are most.
    """
    cards, points = 0, 20 * most_hands + max(dealer, 10)
    for value, copies in enumerate(counts):
        taken = min(copies, points // (value + 1))
        cards, points = cards + taken, points - taken * (value + 1)
    return cards + most_hands + 1


@inlined
def open_table(tables: RoundTables) -> np.uint32:
    """What is asked of the table all the time, in one word."""
    how, known = tables.how, U(tables.how[MOST_HANDS])
    known = U(known | U(U(how[INSURANCES]) << U(INSURANCES_AT)) | U(U(tables.seats[0, INSURES]) << U(INSURES_AT)))
    return U(
        known
        | (U(HAS_PEEKED) if how[PEEKS] else U(0))
        | (U(HAS_COMMUNITY) if how[COMMUNITY] else U(0))
        | (U(GIVES_UP_EARLY) if how[EARLY] else U(0))
        | (U(ACES_SPLIT_AGAIN) if how[ACES_AGAIN] else U(0))
        | (U(ACES_GO_ON) if how[ACES_PLAY_ON] else U(0))
    )


@inlined
def no_round() -> StepRound:
    """No round."""
    return StepRound(U(0), U(0), U(0), U(0), U(0), U(0), U(0), U(0), U(0), U(0))


@inlined
def quick_at(quick: Bytes, place: np.uint32) -> np.uint32:
    """What the tables say at a place."""
    return U(quick[place])


@inlined
def grown(place: np.uint32, value: np.uint32) -> np.uint32:
    """A hand's place with one more card."""
    return U(with_card(place, value))


@inlined
def in_word(word: np.uint32) -> np.uint32:
    """How many cards a word of four counts."""
    return U(U(word * _IN_BYTES) >> U(24))


@inlined
def look(shoe: StepShoe, near: Near, value: np.uint32) -> tuple[np.uint32, StepShoe]:
    """Look at a card of a value: it is any of those that nobody has looked at. Its suit."""
    deck, lane, rank = near.deck, near.lane, value
    word = deck[rank, lane]
    left = in_word(word)
    many = left
    if value == U(TEN):
        for each in range(TEN + 1, TEN + 4):
            many = U(many + in_word(deck[U(each), lane]))
    place, shoe = step_number(shoe, near, many)
    while place >= left:
        place, rank = U(place - left), U(rank + U(1))
        word = deck[rank, lane]
        left = in_word(word)
    beyond = U(U(U(U(word * _IN_BYTES) + _GUARDS) - U(U(place + U(1)) * _IN_BYTES)) & _GUARDS)
    suit = U(U(4) - in_word(U(beyond >> U(7))))
    deck[rank, lane] = U(word - U(U(1) << U(suit << U(3))))
    return suit, shoe


@inlined
def see_lucky(shoe: StepShoe, near: Near, first: np.uint32, second: np.uint32, third: np.uint32) -> tuple[np.uint32, StepShoe]:
    """LLB-8: Lucky Lucky's outcome; only where it hangs on suits are cards looked at."""
    outcomes = quick_at(near.quick, U(U(LUCKIES) + U(U(U(U(first * U(CLASSES)) + second) * U(CLASSES)) + third)))
    lucky, suited = U(outcomes & U(15)), U(outcomes >> U(4))
    if lucky != suited:
        first_suit, shoe = look(shoe, near, first)
        second_suit, shoe = look(shoe, near, second)
        if first_suit == second_suit:
            third_suit, shoe = look(shoe, near, third)
            if first_suit == third_suit:
                lucky = suited
    return lucky, shoe


@inlined
def before_look(natural: np.uint32, up: np.uint32, choice: np.uint32, known: np.uint32) -> tuple[np.uint32, np.uint32]:
    """BJ-6, BJ-7: how the round goes, after even money under an ace or early surrender; and whether it is insured."""
    goes, insured = U(NATURAL) if natural else U(PLAYED), U(0)
    if up == U(ACE):
        insures = U(U(known >> U(INSURES_AT)) & U(3))
        insured = U(1) if insures == U(ALWAYS) else U(0)
        if insures == U(EVEN_MONEY) and natural:
            goes = U(EVEN)
    if known & U(GIVES_UP_EARLY) and goes == U(PLAYED) and choice == U(SURRENDER):
        goes = U(GAVE_UP)
    return goes, insured


@inlined
def begin_round(shoe: StepShoe, near: Near, known: np.uint32) -> tuple[StepRound, StepShoe]:
    """LLB-6: two cards with the up-card between, and all that is done before a card is drawn."""
    quick = near.quick
    first, up, second, shoe = three_cards(shoe, near)
    third = up
    if known & U(HAS_COMMUNITY):
        third, shoe = step_card(shoe, near)
    lucky, shoe = see_lucky(shoe, near, first, second, third)
    cards = U(U(first * U(CLASSES)) + second)
    choice = quick_at(quick, U(U(FIRST + 100) + U(U(up * U(200)) + cards)))
    goes, insured = before_look(quick_at(quick, U(U(NATURALS) + cards)), up, choice, known)
    dealer, natural = grown(U(0), up), U(0)
    if known & U(HAS_PEEKED):
        hole, shoe = step_card(shoe, near)
        dealer = grown(dealer, hole)
        natural = quick_at(quick, U(U(NATURALS) + U(U(up * U(CLASSES)) + hole)))
    if choice == U(SURRENDER) and goes == U(PLAYED) and natural == U(0):
        goes = U(GAVE_UP_LATE)
    held = U(first | U(second << U(4)) | U(lucky << U(LUCKY_AT)) | U(goes << U(GOES_AT)) | U(insured << U(INSURED_AT)))
    held = U(held | U(natural << U(HAS_NATURAL_AT)))
    dealer_is = quick_at(quick, U(U(GOES_ON + BY_DEALER * PLACES) + dealer))
    hand, row, to_come = grown(grown(U(0), first), second), up, U(0)
    if choice == U(DOUBLE):
        row = U(NO_MORE)
    if choice == U(SPLIT):
        hand, row, to_come = grown(U(0), first), U(SECOND_CARD), U(1)
    state = StepRound(U(U(1) - natural), held, U(0), hand, row, dealer, dealer_is, up, U(0), to_come)
    if natural == U(0):
        if goes != U(PLAYED):
            state = dealers_turn(state, near, known)
        elif choice == U(STAND):
            worth = U(quick_at(quick, U(U(GOES_ON + NO_MORE * PLACES) + hand)) >> U(1))
            state = hand_ends(state, worth, near, known)
    return state, shoe


@inlined
def hand_ends(state: StepRound, worth: np.uint32, near: Near, known: np.uint32) -> StepRound:
    """A player's hand is at its end: the next begins with its second card, or it is the dealer's turn."""
    held = U(state.held | (U(0) if worth == U(BUST) else U(1 << IN_PLAY_AT)))
    doubled = U(DOUBLED) if state.row == U(NO_MORE) else U(0)
    ended = U(state.ended | U(U(worth | doubled) << U(state.done * U(HAND_BITS))))
    done = U(state.done + U(1))
    if state.to_come > U(0):
        hand, to_come = grown(U(0), U(held & U(15))), U(state.to_come - U(1))
        return StepRound(U(1), held, ended, hand, U(SECOND_CARD), state.dealer, state.dealer_is, state.up, done, to_come)
    after = StepRound(U(0), held, ended, state.hand, state.row, state.dealer, state.dealer_is, state.up, done, U(0))
    return dealers_turn(after, near, known)


@inlined
def dealers_turn(state: StepRound, near: Near, known: np.uint32) -> StepRound:
    """BJ-3: the dealer draws if a hand is in play; one who has not peeked takes his second card also where it may decide."""
    plays, row, held = U(U(state.held >> U(IN_PLAY_AT)) & U(1)), U(BY_DEALER), state.held
    if known & U(HAS_PEEKED):
        goes_on = U(plays & state.dealer_is)
    else:
        goes, row = U(U(held >> U(GOES_AT)) & U(7)), U(DEALERS_SECOND)
        waits = U(U(held >> U(INSURED_AT)) & U(1)) > U(0) or goes == U(NATURAL) or goes == U(GAVE_UP_LATE)
        goes_on = U(plays | (quick_at(near.quick, U(U(NATURALS + MAY_BE) + state.up)) if waits else U(0)))
    return StepRound(
        goes_on, held, state.ended, state.dealer, row, state.dealer, state.dealer_is, state.up, state.done, state.to_come
    )


@inlined
def next_card(state: StepRound, card: np.uint32, near: Near, known: np.uint32) -> StepRound:
    """A card for the hand that is played."""
    hand, row, to_come, held = grown(state.hand, card), state.row, state.to_come, state.held
    hand_is = quick_at(near.quick, U(U(GOES_ON) + U(U(row * U(PLACES)) + hand)))
    goes_on = U(hand_is & U(1))
    if row == U(SECOND_CARD):
        pair = U(held & U(15))
        is_ace = pair == U(ACE)
        has_room = U(state.done + U(to_come + U(1))) < U(known & U(HANDS_MASK))
        room = U(1) if has_room and (not is_ace or known & U(ACES_SPLIT_AGAIN)) else U(0)
        where = U(U(U(state.up * U(2)) + room) * U(100))
        choice = quick_at(near.quick, U(U(AGAIN) + U(where + U(U(pair * U(CLASSES)) + card))))
        if choice == U(SPLIT):
            goes_on, to_come, hand = U(1), U(to_come + U(1)), state.hand
        elif not is_ace or known & U(ACES_GO_ON):
            if choice == U(DOUBLE):
                goes_on, row = U(1), U(NO_MORE)
            elif choice == U(HIT):
                goes_on, row = U(1), state.up
    if not known & U(HAS_PEEKED) and row == U(DEALERS_SECOND):
        natural = quick_at(near.quick, U(U(NATURALS) + U(U(state.up * U(CLASSES)) + card)))
        held = U(held | U(natural << U(HAS_NATURAL_AT)))
        goes_on, row = U(goes_on & U(held >> U(IN_PLAY_AT))), U(BY_DEALER)
    dealer_is = hand_is if row == U(BY_DEALER) else state.dealer_is
    after = StepRound(goes_on, held, state.ended, hand, row, state.dealer, dealer_is, state.up, state.done, to_come)
    if goes_on == U(0) and row != U(BY_DEALER):
        after = hand_ends(after, U(hand_is >> U(1)), near, known)
    return after


@inlined
def cell_of(state: StepRound, near: Near, known: np.uint32, tables: RoundTables) -> np.uint32:
    """The cell of a round that is over: its hands, Lucky Lucky and insurance."""
    quick, held, hands = near.quick, state.held, state.ended
    goes, natural = U(U(held >> U(GOES_AT)) & U(7)), U(U(held >> U(HAS_NATURAL_AT)) & U(1))
    dealer = U(U(RESULTS) + U(state.dealer_is >> U(1)))
    cell = quick_at(quick, U(U(WITHOUT_HANDS) + U(U(goes * U(2)) + natural)))
    if not known & U(HAS_PEEKED) and natural and hands:
        cell = U(lost_to_natural(tables.how, (tables.natural_kinds, tables.more), np.int64(hands)))
        hands = U(0)
    if hands:
        cell = U(U(ONE_HAND) + quick_at(quick, U(dealer + U(U(hands & U(63)) * U(WORTHS)))))
        hands = U(hands >> U(HAND_BITS))
    while hands:
        kind = quick_at(quick, U(dealer + U(U(hands & U(63)) * U(WORTHS))))
        cell = U(tables.more[U(U(cell * U(KINDS)) + kind)])
        hands = U(hands >> U(HAND_BITS))
    cell = U(U(cell * U(LUCKY)) + U(U(held >> U(LUCKY_AT)) & U(15)))
    insurances = U(U(known >> U(INSURANCES_AT)) & U(3))
    if insurances > U(1):
        insured = U(U(held >> U(INSURED_AT)) & U(1))
        cell = U(U(cell * insurances) + (U(U(2) - natural) if insured else U(0)))
    return cell


STEPS = StepRules(open_table, no_round, begin_round, next_card, cell_of)
