"""The rules of EZ Pai Gow: what seven cards are worth to each bonus, and how two set hands compare.

A bonus tape holds the player's seven cards; a base tape the player's seven and then the dealer's seven.
"""

from houseway.cards import JOKER
from houseway.kernels.compiled import Ints, helper, rule

from .ranking import (
    ACE,
    EACH_LANE,
    EACH_NIBBLE,
    LANE,
    QUEEN,
    any_suit,
    flush_suits,
    fours,
    more_than_one,
    runs_of_five,
    summarize,
    threes,
    twos,
)
from .switches import (
    ALL_WHEELS,
    COLOUR,
    FULLY_WILD,
    HIGHEST_PAY,
    JOKER_ELSEWHERE,
    JOKER_RULE,
    NATURAL_ONLY,
    R1,
    R2,
    R2B,
    R5,
    RED,
)

(
    NATURAL_WHEEL_AQ,
    NATURAL_7_CARD_STRAIGHT_FLUSH,
    ROYAL_FLUSH_AQ,
    WILD_7_CARD_STRAIGHT_FLUSH,
    FIVE_ACES,
    LUHN_TAO_WHEEL,
    ROYAL_FLUSH,
    STRAIGHT_FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    FLUSH,
    THREE_OF_A_KIND,
    STRAIGHT,
    THREE_PAIR,
    OTHER,
) = range(15)

WHEEL_BITS = EACH_LANE
ROYAL_BITS = EACH_LANE << 9
"""Where a run of five that is a wheel, or a royal, starts in each suit."""
SEVEN_IN_A_ROW = 0x7F
ACE_AND_QUEEN = 0x2801


@helper
def has_suited_ace_queen(held: int, suits: int) -> bool:
    """Whether one suit holds exactly an ace and a queen."""
    for suit in range(4):
        if held >> (16 * suit) & LANE == ACE_AND_QUEEN:
            return suits >> (8 * suit) & 15 == 2
    return False


@helper
def is_seven_card_straight_flush(held: int, joker: int) -> bool:
    """Whether all seven cards, the joker standing for any, are one run of one suit."""
    for suit in range(4):
        lane = held >> (16 * suit) & LANE
        for low in range(8):
            gaps = SEVEN_IN_A_ROW & ~(lane >> low)
            if gaps == 0 or (joker and gaps & (gaps - 1) == 0):
                return True
    return False


@helper
def straight_flush_outcome(held: int, suits: int, runs: int, joker: int, settings: Ints) -> int:
    """EPG-3: which of the straight flushes the seven cards hold, the best paid first."""
    royal = runs & ROYAL_BITS != 0
    natural_wheel = runs_of_five(held, 0) & WHEEL_BITS != 0
    if natural_wheel and not joker and has_suited_ace_queen(held, suits):
        return NATURAL_WHEEL_AQ
    if is_seven_card_straight_flush(held, joker):
        return WILD_7_CARD_STRAIGHT_FLUSH if joker else NATURAL_7_CARD_STRAIGHT_FLUSH
    if royal and has_suited_ace_queen(held, suits) and not (joker and settings[R1] == NATURAL_ONLY):
        return ROYAL_FLUSH_AQ
    if natural_wheel and (not joker or settings[R2] == JOKER_ELSEWHERE):
        return LUHN_TAO_WHEEL
    return ROYAL_FLUSH if royal else STRAIGHT_FLUSH


@helper
def group_outcome(counts: int, joker: int, settings: Ints) -> int:
    """The outcome of the seven cards by equal ranks alone: four of a kind, full house, three of a kind, three pair."""
    pairs, trips, quads = twos(counts), threes(counts), fours(counts)
    if joker and settings[JOKER_RULE] == FULLY_WILD:  # the joker lifts the best group by one card
        if quads >> (4 * ACE) & 1:
            return FIVE_ACES
        if quads or trips:
            return FOUR_OF_A_KIND  # R15: five of a kind below aces is paid as four
        if pairs:
            return FULL_HOUSE if more_than_one(pairs) else THREE_OF_A_KIND
        return OTHER
    if joker:
        counts += 1 << (4 * ACE)
        pairs, trips, quads = twos(counts), threes(counts), fours(counts)
        if counts >> (4 * ACE) == 5:
            return FIVE_ACES
    if quads:
        return FOUR_OF_A_KIND
    if trips:
        return FULL_HOUSE if pairs or more_than_one(trips) else THREE_OF_A_KIND
    if more_than_one(pairs) and more_than_one(pairs & (pairs - 1)):
        return THREE_PAIR
    return OTHER


@rule
def dynasty(tape: Ints, settings: Ints) -> int:
    """EPG-3: the Dynasty Bonus outcome of seven cards."""
    held, suits, counts, joker = summarize(tape, 0, 7, -1, -1)
    groups = group_outcome(counts, joker, settings)
    flush = flush_suits(suits, joker)
    if flush:
        runs = runs_of_five(held, joker)
        if runs and groups != FIVE_ACES:
            return straight_flush_outcome(held, suits, runs, joker, settings)
        return min(groups, FLUSH)
    if groups < THREE_OF_A_KIND:
        return groups
    straight = runs_of_five(any_suit(held), joker) != 0
    if straight and (groups != THREE_OF_A_KIND or settings[R5] != HIGHEST_PAY):
        return STRAIGHT
    return groups


@helper
def pai_gow_high(tape: Ints, start: int, settings: Ints) -> int:
    """EPG-0: the highest rank if the seven cards from `start` are a pai gow (no pair, straight or flush), else -1."""
    held, suits, counts, joker = summarize(tape, start, start + 7, -1, -1)
    if joker:
        if settings[JOKER_RULE] == FULLY_WILD:
            return -1  # the joker makes a pair of anything
        counts += 1 << (4 * ACE)
    if counts & (EACH_NIBBLE * 14) or flush_suits(suits, joker) or runs_of_five(any_suit(held), joker):
        return -1
    for rank in range(ACE, 0, -1):
        if counts >> (4 * rank) & 1:
            return rank
    return -1


PROTECTED_WHEEL, NINE_HIGH, TEN_HIGH, JACK_HIGH, QUEEN_HIGH, KING_HIGH, ACE_HIGH, NOT_LOW = range(8)


@rule
def protection(tape: Ints, settings: Ints) -> int:
    """EPG-4: the Protection outcome of seven cards."""
    high = pai_gow_high(tape, 0, settings)
    if high >= 0:
        return NINE_HIGH + high - 7  # rank 7 is the nine: a pai gow needs at least nine-high
    held, _, _, joker = summarize(tape, 0, 7, -1, -1)
    if not joker and runs_of_five(held, 0) & WHEEL_BITS:
        for suit in range(4):
            if held >> (16 * suit) & SEVEN_IN_A_ROW == SEVEN_IN_A_ROW and settings[R2B] != ALL_WHEELS:
                return NOT_LOW
        return PROTECTED_WHEEL
    return NOT_LOW


@rule
def red_black(tape: Ints, settings: Ints) -> int:
    """EPG-5: 0 for seven cards of the chosen colour, 1 for six, 2 for five, 3 for four, else 4."""
    chosen = 0
    for place in range(7):
        suit = tape[place] & 3
        is_red = suit in (1, 2)
        if tape[place] != JOKER and is_red == (settings[COLOUR] == RED):
            chosen += 1
    return min(7 - chosen, 4)


@helper
def is_foul(front: int, back: int) -> bool:
    """EPG-1, EPG-9: the five-card hand must rank above the two-card hand."""
    return back <= front


WIN, PUSH, LOSE, QUEEN_HIGH_PUSH = range(4)


@helper
def base_outcome(player_front: int, player_back: int, dealer_front: int, dealer_back: int, dealer_high: int) -> int:
    """EPG-11: both hands better win, one pushes, none loses; the dealer wins ties. EPG-0 comes first."""
    if dealer_high == QUEEN:
        return QUEEN_HIGH_PUSH
    better = (player_front > dealer_front) + (player_back > dealer_back)
    if better == 2:
        return WIN
    return PUSH if better == 1 else LOSE
