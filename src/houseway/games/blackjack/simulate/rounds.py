"""A round of blackjack with all its seats as compiled code: cards drawn when the rules ask, all else from tables.

The tables (`tables.py`) are made by calling the rules. The shoe is one of ten values; of whole cards it is known how many
nobody has looked at (`deck`), and a card is looked at only where its suit or its rank matters: as likely any of its value.
A hand is summed up as a place: twice its points, every ace as one, and one more if it has an ace.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.kernels.compiled import Ints, apart, inlined
from houseway.kernels.shoes import CLASSES, LANE, LANES, MOST_CARDS, RAN_OUT, ClassShoe, Deck, draw_if, running_sums
from houseway.kernels.stream import Int, Words, number_below

Table = NDArray[np.uint8]
NOTHING = np.uint64(running_sums(())[0])
"""A word of running sums of no cards at all: each lane holds `MOST_CARDS`."""
ACE, TEN = 0, 9
STAND, HIT, DOUBLE, SPLIT, SURRENDER = range(5)
(
    PEEKS, ORIGINAL_ONLY, BUSTED_AND_ONE, MOST_HANDS, ACES_PLAY_ON, ACES_AGAIN, BY_RANK, EARLY, COMMUNITY, INSURANCES, TAKES,
    OUTSIDE, COPIES, FRESH_LEFT, FRESH_LOW, FRESH_HIGH,
) = range(16)  # fmt: skip
"""Places in `how`: the table's switches, and the fresh shoe. `TAKES` is 0 where a shoe is taken as endless, `OUTSIDE` are cards
that a shuffler has not yet got back."""
CHART, INSURES = range(2)
"""Places in a seat's row: its chart (the first of its charts, where it counts), and when it insures."""
NEVER, ALWAYS, EVEN_MONEY, BY_COUNT = range(4)
PLACES, BUST = 64, 1
"""Places of hands; and a hand's worth if it is bust, between none (0) and the lowest total."""
BOTH_NATURAL = 2
"""Where the results against a blackjack have that of another: no hand is worth so little."""
WORTHS = 32
"""Worths of hands are lower than this."""
DOUBLED, HAND_BITS = 32, 6
"""A hand at its end: its worth, and whether it is doubled."""
HIDDEN = 52
"""Places in the deck, after the cards: of each value, how many were burned unseen; then whether discards were shuffled in."""
WHOLE, INSURED_FROM, UNIT, BY_LEFT, CHART_AT = range(CLASSES, CLASSES + 5)
"""Places in the tags of a player who counts, after those of the ten values: those of all cards, with where it starts; the true
count that insures; what makes tags whole; whether cards left divide, not unseen ones; and from there on by true count
which of his charts."""
PLAYED, NATURAL, EVEN, GAVE_UP, GAVE_UP_LATE = range(5)
"""How a seat's round goes: it plays, has a blackjack, took even money, or surrendered before or after the look."""
(LOST, PUSHED, WON), KINDS = range(3), 6
"""A hand's result; of a doubled hand three more."""
NATURAL_CELL, GAVE_UP_CELL, EVEN_CELL, FIRST_CELL = range(4)
"""Cells of rounds without a hand that is played; from the fourth on, those of hands."""
MAY_BE = CLASSES * CLASSES
"""From here on, the table of blackjacks says of each up-card whether there is one with it."""
LUCKY = 9
"""Outcomes of Lucky Lucky."""
MOST_COUNT = 40
"""True counts beyond are taken as this."""
DIVISORS = CHART_AT + 2 * MOST_COUNT + 1
"""After these, by the number of unseen cards, over how many cards a running count is taken to be spread."""


class RoundTables(NamedTuple):
    """All that a round reads, made by `tables.py`; values of cards and places of hands are always the last indices."""

    how: Ints
    seats: Ints
    first: Table
    """By chart, up-card, whether they are a pair if they look like one, and the first two cards: what is done with them."""
    again: Table
    """After a split, by chart, whether there may be more hands, up-card and two cards: stand, hit, double or split."""
    hits: Table
    """By chart, up-card and place: whether a card is drawn to a hand of more cards."""
    worth: Table
    """By place: a hand's total, or that it is bust."""
    draws: Table
    """By place: whether the dealer draws."""
    naturals: Table
    """By two cards: whether they are a blackjack; then (`MAY_BE`) by up-card whether a dealer may have one."""
    kinds: Table
    """By a hand at its end and the dealer's worth: its result."""
    natural_kinds: Table
    """By a hand at its end: its result against a blackjack; first that of one of two cards, and of a blackjack."""
    more: NDArray[np.uint16]
    """By a cell of hands and one more result: the cell with it."""
    lucky: Table
    """By three cards: the outcome of Lucky Lucky if their suits differ, and, 16 times, if they do not."""
    cards: Table
    """By value: the first of its cards, and how many there are."""
    tags: Ints
    """Of a player who counts: the tags by value, and what else `WHOLE` and the places after it say; nothing if nobody does."""


@inlined
def at(table: Any, place: Int) -> Int:
    """What a table says at a place; unsigned, for no place is counted from the end."""
    return np.int64(table[np.uint64(place)])


@inlined
def take(shoe: ClassShoe, ahead: Words, deck: Deck, how: Ints, start: ClassShoe) -> tuple[Int, ClassShoe]:
    """The next card; from a shoe that has run out, of the discards, shuffled."""
    if shoe.left == 0:
        shoe = _discards((shoe, start), deck, how)
    return draw_if(shoe, ahead, how[TAKES])


@apart
def _discards(shoes: tuple[ClassShoe, ClassShoe], deck: Deck, how: Ints) -> ClassShoe:
    """A shoe of all cards but those on the table: from the shoe now, and as the round began. Nobody is taken to know suits."""
    shoe, start = shoes
    for card in range(HIDDEN):
        deck[card] = how[COPIES]
    for value in range(CLASSES):
        deck[HIDDEN + value] = 0
    deck[HIDDEN + CLASSES] = 1
    low, high, left = np.uint64(how[FRESH_LOW]), np.uint64(how[FRESH_HIGH]), how[FRESH_LEFT]
    if left > start.left:  # if all cards are on the table, there are others
        low, high, left = low - start.low + NOTHING, high - start.high + NOTHING, left - start.left
    return ClassShoe(low, high, left, shoe.stream)


@apart
def ran_out(shoe: ClassShoe) -> ClassShoe:
    """BJ-9: discards that were shuffled in finish their round, and no other begins from them."""
    return ClassShoe(shoe.low, shoe.high, RAN_OUT, shoe.stream)


@apart
def look(shoe: ClassShoe, of: tuple[Words, Deck, Ints, Table], value: Int) -> tuple[Int, ClassShoe]:
    """Look at a card of a value: it is any of those that nobody has looked at."""
    ahead, deck, how, cards = of
    first, size, left = np.int64(cards[2 * value]), np.int64(cards[2 * value + 1]), np.int64(0)
    for each in range(first, first + size):
        left += deck[each]
    number, stream = number_below(shoe.stream, ahead, left)
    place, card = np.int64(number), first
    while place >= deck[card]:
        place -= deck[card]
        card += 1
    deck[card] -= how[TAKES]
    return card, ClassShoe(shoe.low, shoe.high, shoe.left, stream)


@inlined
def with_card(place: Int, value: Int) -> Int:
    """A hand's place with one more card."""
    return (place + 2 * (value + 1)) | (1 if value == ACE else 0)


@apart
def true_count(shoe: ClassShoe, of: tuple[Deck, Ints], hole: Int) -> Int:
    """The count of all cards seen, for 52 unseen cards, rounded down; a hole card (-1: none) is not seen."""
    deck, count = of
    left, below, hidden = np.int64(0), np.int64(0), np.int64(0)
    for value in range(CLASSES):
        word = shoe.low if value < LANES else shoe.high
        upto = np.int64((word >> np.uint64(LANE * (value % LANES))) & np.uint64((1 << LANE) - 1)) - MOST_CARDS
        left += count[value] * (upto - below + deck[HIDDEN + value])
        hidden += deck[HIDDEN + value]
        below = upto
    running, cards = count[WHOLE] - left, shoe.left + (0 if count[BY_LEFT] else hidden)
    if hole >= 0:
        running, cards = running - count[hole], cards + 1
    return min(max(52 * running // (count[UNIT] * count[DIVISORS + cards]), -MOST_COUNT), MOST_COUNT)


@inlined
def deal_first(shoe: ClassShoe, ahead: Words, deck: Deck, how: Ints, cells: Ints) -> tuple[Int, Int, ClassShoe]:
    """LLB-6: two cards to each seat, with the up-card between; it, and Lucky Lucky's third card, which may be another."""
    start = shoe
    for _ in range(how[OUTSIDE]):
        card, shoe = take(shoe, ahead, deck, how, start)
    for seat in range(cells.size):
        card, shoe = take(shoe, ahead, deck, how, start)
        cells[seat] = card
    up, shoe = take(shoe, ahead, deck, how, start)
    for seat in range(cells.size):
        card, shoe = take(shoe, ahead, deck, how, start)
        cells[seat] |= card << 4
    third = up
    if how[COMMUNITY]:
        third, shoe = take(shoe, ahead, deck, how, start)
    return up, third, shoe


@inlined
def play_round(shoe: ClassShoe, ahead: Words, deck: Deck, settings: Ints, tables: RoundTables, cells: Ints) -> ClassShoe:
    """Deal a round to all seats, play them in turn, then the dealer; a seat's cell is the results of all its wagers.

    While a round goes on, a seat's cell holds its two cards, Lucky Lucky's outcome, insurance, how it goes and its hands.
    """
    how, seats, start = tables.how, cells.size, shoe
    up, third, shoe = deal_first(shoe, ahead, deck, how, cells)
    shoe = see_lucky(shoe, ahead, deck, tables, cells, third)
    insured = False
    for seat in range(seats):
        if how[BY_RANK] and cells[seat] & 255 == TEN << 4 | TEN:
            shoe = see_ranks(shoe, (ahead, deck, tables, cells), seat)
        insured |= before_look(shoe, deck, tables, cells, seat, up)
    dealer, hole, has_natural = with_card(0, up), np.int64(-1), False
    if how[PEEKS]:
        hole, shoe = take(shoe, ahead, deck, how, start)
        dealer, has_natural = with_card(dealer, hole), at(tables.naturals, up * CLASSES + hole) > 0
    if not has_natural:
        goes_on, waits = False, insured
        for seat in range(seats):
            goes = cells[seat] >> GOES_AT & 7
            if goes == PLAYED:
                shoe = play_seat(shoe, ahead, deck, tables, cells, seat, up, hole, start)
                goes = cells[seat] >> GOES_AT & 7
                goes_on |= cells[seat] >> IN_PLAY_AT & 1 > 0
            waits |= goes in (NATURAL, GAVE_UP_LATE)
        if not how[PEEKS] and (goes_on or (waits and at(tables.naturals, MAY_BE + up))):
            second, shoe = take(shoe, ahead, deck, how, start)
            dealer, has_natural = with_card(dealer, second), at(tables.naturals, up * CLASSES + second) > 0
        if goes_on:
            while at(tables.draws, dealer):
                card, shoe = take(shoe, ahead, deck, how, start)
                dealer = with_card(dealer, card)
    for seat in range(seats):
        cells[seat] = settled(tables, cells[seat], at(tables.worth, dealer), has_natural)
    if deck[HIDDEN + CLASSES]:
        shoe = ran_out(shoe)
    return shoe


LUCKY_AT, GOES_AT, INSURED_AT, IN_PLAY_AT, RANKS_AT, HANDS_AT = 8, 12, 15, 16, 17, 24
"""Where a seat's cell has, while a round goes on, what is not a card."""


@inlined
def see_lucky(shoe: ClassShoe, ahead: Words, deck: Deck, tables: RoundTables, cells: Ints, third: Int) -> ClassShoe:
    """LLB-8: Lucky Lucky of every seat; only where it hangs on suits are cards looked at, the shared one once."""
    third_card = np.int64(-1)
    for seat in range(cells.size):
        first, second = cells[seat] & 15, cells[seat] >> 4
        outcomes = at(tables.lucky, (first * CLASSES + second) * CLASSES + third)
        lucky, suited = outcomes & 15, outcomes >> 4
        if lucky != suited:
            first_card, shoe = look(shoe, (ahead, deck, tables.how, tables.cards), first)
            second_card, shoe = look(shoe, (ahead, deck, tables.how, tables.cards), second)
            if (first_card ^ second_card) & 3 == 0:
                if third_card < 0:
                    third_card, shoe = look(shoe, (ahead, deck, tables.how, tables.cards), third)
                if (first_card ^ third_card) & 3 == 0:
                    lucky = suited
            cells[seat] |= ranks_seen(first_card, second_card) << RANKS_AT
        cells[seat] |= lucky << LUCKY_AT
    return shoe


@apart
def see_ranks(shoe: ClassShoe, of: tuple[Words, Deck, RoundTables, Ints], seat: Int) -> ClassShoe:
    """BJ-5: look at two tens, where only tens of one rank are a pair; Lucky Lucky may have looked at them."""
    ahead, deck, tables, cells = of
    if not cells[seat] >> RANKS_AT & 1:
        first, shoe = look(shoe, (ahead, deck, tables.how, tables.cards), TEN)
        second, shoe = look(shoe, (ahead, deck, tables.how, tables.cards), TEN)
        cells[seat] |= ranks_seen(first, second) << RANKS_AT
    return shoe


@inlined
def ranks_seen(first_card: Int, second_card: Int) -> Int:
    """That two cards are seen, and their ranks, as far as ranks of one value differ."""
    return 1 | (first_card >> 2 & 3) << 1 | (second_card >> 2 & 3) << 3


@inlined
def is_pair(how: Ints, held: Int) -> Int:
    """Whether two cards of one value are a pair: by rank, two tens may be none."""
    if how[BY_RANK] and held & 255 == TEN << 4 | TEN:
        return np.int64(held >> RANKS_AT + 1 & 3 == held >> RANKS_AT + 3 & 3)
    return np.int64(1)


@inlined
def before_look(shoe: ClassShoe, deck: Deck, tables: RoundTables, cells: Ints, seat: Int, up: Int) -> bool:
    """BJ-6, BJ-7: insurance or even money under an ace, and early surrender. Whether the seat insures."""
    held = cells[seat]
    cards = (held & 15) * CLASSES + (held >> 4 & 15)
    goes, insures = PLAYED, False
    if at(tables.naturals, cards):
        goes = NATURAL
    if up == ACE:
        when = tables.seats[seat, INSURES]
        insures = when == ALWAYS
        if when == EVEN_MONEY and goes == NATURAL:
            goes = EVEN
        elif when == BY_COUNT:
            insures = true_count(shoe, (deck, tables.tags), -1) >= tables.tags[INSURED_FROM]
    if tables.how[EARLY] and goes == PLAYED:
        chart = chart_of(shoe, deck, tables, seat, -1) * CLASSES + up
        if at(tables.first, (chart * 2 + is_pair(tables.how, held)) * 100 + cards) == SURRENDER:
            goes = GAVE_UP
    cells[seat] = held | goes << GOES_AT | np.int64(insures) << INSURED_AT
    return insures


@inlined
def chart_of(shoe: ClassShoe, deck: Deck, tables: RoundTables, seat: Int, hole: Int) -> Int:
    """The chart that a seat plays by: of one who counts, the one for his count."""
    chart = tables.seats[seat, CHART]
    if tables.seats[seat, INSURES] == BY_COUNT:
        chart += tables.tags[CHART_AT + MOST_COUNT + true_count(shoe, (deck, tables.tags), hole)]
    return chart


@inlined
def play_seat(
    shoe: ClassShoe, ahead: Words, deck: Deck, tables: RoundTables, cells: Ints, seat: Int, up: Int, hole: Int, start: ClassShoe
) -> ClassShoe:
    """The choices of a seat, hand by hand; a split hand gets its second card when its turn comes (BJ-5)."""
    how, held = tables.how, cells[seat]
    first, second = held & 15, held >> 4 & 15
    chart = chart_of(shoe, deck, tables, seat, hole) * CLASSES + up
    choice = at(tables.first, (chart * 2 + is_pair(how, held)) * 100 + first * CLASSES + second)
    if choice == SPLIT:
        rank = held >> RANKS_AT + 1 & 3 if how[BY_RANK] and first == TEN else np.int64(-1)
        return play_split(shoe, ahead, deck, tables, cells, seat, chart, first, rank, start)
    if choice == SURRENDER:
        cells[seat] = held | GAVE_UP_LATE << GOES_AT
        return shoe
    place, doubled = with_card(with_card(0, first), second), 0
    if choice == DOUBLE:
        card, shoe = take(shoe, ahead, deck, how, start)
        place, doubled = with_card(place, card), DOUBLED
    elif choice == HIT:
        card, shoe = take(shoe, ahead, deck, how, start)
        place = with_card(place, card)
        while at(tables.hits, chart * PLACES + place):
            card, shoe = take(shoe, ahead, deck, how, start)
            place = with_card(place, card)
    worth = at(tables.worth, place)
    cells[seat] = held | np.int64(worth != BUST) << IN_PLAY_AT | (worth | doubled) << HANDS_AT
    return shoe


@apart
def play_split(
    shoe: ClassShoe, ahead: Words, deck: Deck, tables: RoundTables, cells: Ints, seat: Int, chart: Int, pair: Int, rank: Int,
    start: ClassShoe,
) -> ClassShoe:  # fmt: skip
    """BJ-5: the hands of a split pair, one after the other; all that wait are one card of the pair.

    `chart` is the column of the seat's chart, `rank` that of two tens which are a pair by it, else -1.
    """
    how, hands, done, ended, in_play = tables.how, np.int64(2), np.int64(0), np.int64(0), np.int64(0)
    plays_on = pair != ACE or how[ACES_PLAY_ON] > 0
    while done < hands:
        second, shoe = take(shoe, ahead, deck, how, start)
        room = np.int64(hands < how[MOST_HANDS] and (pair != ACE or how[ACES_AGAIN] > 0))
        choice = at(tables.again, (chart * 2 + room) * 100 + pair * CLASSES + second)
        if choice == SPLIT and rank >= 0:
            card, shoe = look(shoe, (ahead, deck, tables.how, tables.cards), second)
            if card >> 2 & 3 != rank:
                choice = at(tables.again, (chart * 2) * 100 + pair * CLASSES + second)
        if choice == SPLIT:
            hands += 1
            continue
        place, doubled = with_card(with_card(0, pair), second), 0
        if plays_on and choice == DOUBLE:
            card, shoe = take(shoe, ahead, deck, how, start)
            place, doubled = with_card(place, card), DOUBLED
        elif plays_on and choice == HIT:
            card, shoe = take(shoe, ahead, deck, how, start)
            place = with_card(place, card)
            while at(tables.hits, chart * PLACES + place):
                card, shoe = take(shoe, ahead, deck, how, start)
                place = with_card(place, card)
        worth = at(tables.worth, place)
        in_play |= np.int64(worth != BUST)
        ended |= (worth | doubled) << HAND_BITS * done
        done += 1
    cells[seat] |= in_play << IN_PLAY_AT | ended << HANDS_AT
    return shoe


@inlined
def settled(tables: RoundTables, held: Int, dealer: Int, has_natural: bool) -> Int:
    """The cell of a seat at the end: its hands, Lucky Lucky and insurance."""
    goes, hands, how = held >> GOES_AT & 7, held >> HANDS_AT, tables.how
    if goes == PLAYED and not has_natural:
        cell = at(tables.more, FIRST_CELL * KINDS + at(tables.kinds, (hands & 63) * WORTHS + dealer))
        hands >>= HAND_BITS
        while hands:
            cell = at(tables.more, cell * KINDS + at(tables.kinds, (hands & 63) * WORTHS + dealer))
            hands >>= HAND_BITS
    else:
        cell = settled_otherwise(tables, goes, hands, has_natural)
    cell = cell * LUCKY + (held >> LUCKY_AT & 15)
    insurances = how[INSURANCES]
    if insurances > 1:
        cell = cell * insurances + ((2 - np.int64(has_natural)) if held >> INSURED_AT & 1 else 0)
    return cell


@inlined
def settled_otherwise(tables: RoundTables, goes: Int, hands: Int, has_natural: bool) -> Int:
    """The cell of a blackjack, of a surrender, of even money, and of hands that meet a blackjack."""
    if goes == NATURAL and not has_natural:
        return np.int64(NATURAL_CELL)
    if goes == EVEN:
        return np.int64(EVEN_CELL)
    if goes == GAVE_UP or (goes == GAVE_UP_LATE and not has_natural):
        return np.int64(GAVE_UP_CELL)
    if goes == NATURAL or hands == 0:  # nothing was played
        return at(tables.more, FIRST_CELL * KINDS + at(tables.natural_kinds, BOTH_NATURAL if goes == NATURAL else 0))
    return lost_to_natural(tables.how, (tables.natural_kinds, tables.more), hands)


@apart
def lost_to_natural(how: Ints, results: tuple[Table, NDArray[np.uint16]], hands: Int) -> Int:
    """BJ-8: what a blackjack that nobody knew of takes: where original bets only, one bet besides those of busts (R20)."""
    (kinds, more), busts, rest = results, np.int64(0), hands
    while rest:
        busts += np.int64(rest & 31 == BUST)
        rest >>= HAND_BITS
    pays, cell = busts == 0 or how[BUSTED_AND_ONE] > 0, np.int64(FIRST_CELL)
    while hands:
        hand, doubled = hands & 63, 3 * (hands >> 5 & 1)
        if not how[ORIGINAL_ONLY] or hand & 31 == BUST:
            cell = np.int64(more[cell * KINDS + kinds[hand]])
        elif pays:
            cell = np.int64(more[cell * KINDS + LOST])
            if doubled:
                cell = np.int64(more[cell * KINDS + PUSHED])
            pays = False
        else:
            cell = np.int64(more[cell * KINDS + PUSHED + doubled])
        hands >>= HAND_BITS
    return cell
