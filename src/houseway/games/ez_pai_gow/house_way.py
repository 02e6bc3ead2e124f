"""EPG-10: one setter for every House Way. What differs between houses is numbers from a TOML file.

The setter answers with the two places of the front (two-card) hand and the decision that chose them. Its rows are
those of the Plaza table; `S/F` is a straight, flush or straight flush. The joker counts as an ace when cards are
grouped by rank; fully wild, as the rank that makes the best five-card hand (R15).
"""

from houseway.cards import JOKER
from houseway.kernels.compiled import Ints, helper, rule

from .ranking import (
    ACE,
    EACH_NIBBLE,
    FLUSH,
    KING,
    LANE,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    any_suit,
    flush_suits,
    fours,
    more_than_one,
    rank_back,
    rank_front,
    runs_of_five,
    straight_rank,
    summarize,
    threes,
    twos,
)
from .rules import base_outcome, is_foul, pai_gow_high
from .switches import EXTRAS, FULLY_WILD, JOKER_RULE

FIVE_ACES_STYLE = EXTRAS
FOUR_WITH_PAIR = EXTRAS + 1
FOUR_WITH_COMPLETE = EXTRAS + 2
FULL_HOUSE_OF_TWOS = EXTRAS + 3
ACE_WITH_HIGH_PAIR = EXTRAS + 4
LOW_PAIRS_WITH_COMPLETE = EXTRAS + 5
FOUR_KEPT_WITH = EXTRAS + 6
TWO_PAIR_KEPT_WITH = FOUR_KEPT_WITH + 13
"""Thirteen numbers, then 13 x 13 (higher pair, lower pair): the least single that lets the cards stay together."""
SIZE = 6 + 13 + 169

KINGS_FRONT, ALWAYS_SPLIT = range(2)
PAIR_FRONT, ACES_SPLIT_UNLESS_KINGS = range(2)
AS_FOUR, COMPLETE_HAND = range(2)
ACE_KING_FRONT, TWOS_FRONT = range(2)
NO_EXCEPTION, ACE_FRONT_IF_BETTER, ACE_MUST_BE_FRONT = range(3)
AS_TWO_PAIRS, ACE_FRONT_ELSE_COMPLETE = range(2)

DECISIONS = (
    "row 1: five of a kind with a pair (five aces: of kings): the pair in front",
    "row 1: five of a kind: two in front, three behind",
    "row 2: four and three of a kind: two of the three in front",
    "row 3: four of a kind and a pair: the pair in front",
    "rows 4-7: four of a kind kept behind, the two highest others in front",
    "rows 4-7: four of a kind split, two and two",
    "four of a kind with a straight or flush: the straight or flush behind",
    "row 8: two threes of a kind: a pair from the higher in front",
    "row 9: three of a kind and two pairs: the higher pair in front",
    "row 10: full house: the pair in front",
    "row 10: full house with a pair of twos, ace and king beside: ace-king in front",
    "row 11: three of a kind with a straight or flush: it stays behind, the other two of the three in front",
    "row 12: three aces: a pair of aces behind, one ace and the highest single in front",
    "row 13: three of a kind kept behind, the two highest others in front",
    "row 14: three pairs: the highest in front",
    "row 15: two pairs kept behind, the two highest singles in front",
    "row 15: two pairs split, the lower in front",
    "two low pairs with a straight or flush, no ace: the straight or flush behind",
    "two low pairs with a straight or flush and an ace: two pairs behind, the ace in front",
    "row 16: a pair beside a straight or flush: the pair in front",
    "row 17: one pair: the straight or flush that leaves the highest front",
    "a pair of tens to kings with an ace: the ace in front, the pair behind",
    "row 18: one pair behind, the two highest singles in front",
    "row 19: no pair: the straight or flush that leaves the highest front",
    "row 20: pai gow: the highest card behind, second and third in front",
    "the file's set would foul: the best legal one instead",
)
(
    FIVE_KINGS,
    FIVE_SPLIT,
    FOUR_AND_THREE,
    FOUR_AND_PAIR,
    FOUR_KEPT,
    FOUR_SPLIT,
    FOUR_COMPLETE,
    TWO_THREES,
    THREE_AND_TWO_PAIRS,
    FULL_HOUSE,
    FULL_HOUSE_ACE_KING,
    THREE_COMPLETE,
    THREE_ACES,
    THREE_KEPT,
    THREE_PAIRS,
    TWO_PAIRS_KEPT,
    TWO_PAIRS_SPLIT,
    TWO_PAIRS_COMPLETE,
    TWO_PAIRS_ACE,
    PAIR_BESIDE_COMPLETE,
    PAIR_COMPLETE,
    PAIR_ACE_FRONT,
    PAIR_KEPT,
    NO_PAIR_COMPLETE,
    PAI_GOW,
    FOUL_REPLACED,
) = range(26)

NO_RANK = -1
JOKER_BACK, JOKER_FRONT = range(2)


@helper
def highest(bits: int) -> int:
    """The highest rank among bits of nibbles, or NO_RANK."""
    for rank in range(12, -1, -1):
        if bits >> (4 * rank) & 1:
            return rank
    return NO_RANK


@helper
def without(bits: int, rank: int) -> int:
    """The bits without a rank."""
    return bits if rank == NO_RANK else bits & ~(1 << (4 * rank))


@helper
def completing_rank(held: int, suits: int, settings: Ints) -> int:
    """The rank a fully wild joker takes to complete the best straight flush, flush or straight."""
    straight_flush, flush = runs_of_five(held, 1), flush_suits(suits, 1)
    lane, runs = any_suit(held), runs_of_five(any_suit(held), 1)
    for suit in range(4):
        suited = held >> (16 * suit) & LANE
        if straight_flush >> (16 * suit) & LANE:
            lane, runs = suited, straight_flush >> (16 * suit) & LANE
        elif flush >> (8 * suit + 7) & 1 and not straight_flush:
            lane, runs = suited, 0  # the highest rank not held
    low, top, best = 0, 13, -1
    for place in range(10):
        value = straight_rank(runs & 1 << place, settings)
        if runs >> place & 1 and value > best:
            low, top, best = place, place + 4, value
    for place in range(top, low - 1, -1):
        if not lane >> place & 1:
            return (place + 12) % 13
    return ACE


@helper
def joker_rank(held: int, suits: int, counts: int, settings: Ints) -> int:
    """The rank the joker is grouped with: an ace, or, fully wild, what makes the best five-card hand (R15)."""
    if settings[JOKER_RULE] != FULLY_WILD:
        return ACE
    if fours(counts):
        return highest(fours(counts))
    if runs_of_five(held, 1):
        return completing_rank(held, suits, settings)
    if threes(counts):
        return highest(threes(counts))
    pairs = twos(counts)
    if not more_than_one(pairs) and (flush_suits(suits, 1) or runs_of_five(any_suit(held), 1)):
        return completing_rank(held, suits, settings)
    return highest(pairs) if pairs else highest(counts & EACH_NIBBLE)


@helper
def rank_at(tape: Ints, place: int, joker_as: int) -> int:
    """The rank of a card; the joker has the rank it was grouped with."""
    return joker_as if tape[place] == JOKER else tape[place] >> 2


@helper
def front_of(tape: Ints, start: int, ranks: tuple[int, int], joker_as: int, joker_to: int, settings: Ints) -> int:
    """The places of a front of these two ranks. Where aces are divided the joker stays back, with the best back."""
    best, chosen = -1, 0
    for i in range(start, start + 6):
        for j in range(i + 1, start + 7):
            a, b = rank_at(tape, i, joker_as), rank_at(tape, j, joker_as)
            if not ((a == ranks[0] and b == ranks[1]) or (a == ranks[1] and b == ranks[0])):
                continue
            if joker_as == NO_RANK:
                return (i - start) * 8 + j - start  # without a joker, all such fronts leave equal backs
            has_joker = JOKER in (tape[i], tape[j])
            score = rank_back(tape, start, i, j, settings)
            if has_joker == (joker_to == JOKER_FRONT):
                score += 1 << 40
            if score > best:
                best, chosen = score, (i - start) * 8 + j - start
    return chosen


@helper
def is_complete(value: int) -> bool:
    """Whether a five-card value is a straight, flush or straight flush."""
    return value >> 20 in (STRAIGHT, FLUSH, STRAIGHT_FLUSH)


@helper
def complete_front(tape: Ints, start: int, only: int, joker_as: int, settings: Ints) -> int:
    """The highest front that leaves an S/F behind, then the best back, then the joker behind; -1 if there is none.

    `only` asks for a front holding an ace (ACE), a front pair of some rank (100 + rank), or anything (NO_RANK).
    """
    best, chosen = -1, -1
    for i in range(start, start + 6):
        for j in range(i + 1, start + 7):
            a, b = rank_at(tape, i, joker_as), rank_at(tape, j, joker_as)
            if (only >= 100 and not (a == only - 100 and b == only - 100)) or (only == ACE and ACE not in (a, b)):
                continue
            back = rank_back(tape, start, i, j, settings)
            if is_complete(back):
                joker_stays = JOKER not in (tape[i], tape[j])
                score = rank_front(tape, i, j, settings) << 25 | back << 1 | joker_stays
                if score > best:
                    best, chosen = score, (i - start) * 8 + j - start
    return chosen


@helper
def best_legal_front(tape: Ints, start: int, settings: Ints) -> int:
    """The highest front that does not foul, then the best back."""
    best, chosen = -1, 0
    for i in range(start, start + 6):
        for j in range(i + 1, start + 7):
            front, back = rank_front(tape, i, j, settings), rank_back(tape, start, i, j, settings)
            if not is_foul(front, back) and front << 24 | back > best:
                best, chosen = front << 24 | back, (i - start) * 8 + j - start
    return chosen


@helper
def set_four(
    tape: Ints,
    start: int,
    counts: int,
    four: int,
    others: tuple[int, int],
    joker_as: int,
    complete: bool,
    settings: Ints,
) -> int:
    """Rows 1-7: five or four of a kind. `others` are the two highest ranks beside it."""
    three, pair = highest(threes(counts)), highest(twos(counts))
    if counts >> (4 * four) & 15 == 5:
        if pair != NO_RANK and (four != ACE or (pair == KING and settings[FIVE_ACES_STYLE] == KINGS_FRONT)):
            return FIVE_KINGS << 6 | front_of(tape, start, (pair, pair), joker_as, JOKER_BACK, settings)
        return FIVE_SPLIT << 6 | front_of(tape, start, (four, four), joker_as, JOKER_BACK, settings)
    if three != NO_RANK:
        return FOUR_AND_THREE << 6 | front_of(tape, start, (three, three), joker_as, JOKER_BACK, settings)
    if pair != NO_RANK and not (settings[FOUR_WITH_PAIR] == ACES_SPLIT_UNLESS_KINGS and four == ACE and pair != KING):
        return FOUR_AND_PAIR << 6 | front_of(tape, start, (pair, pair), joker_as, JOKER_BACK, settings)
    if complete and settings[FOUR_WITH_COMPLETE] == COMPLETE_HAND:
        return FOUR_COMPLETE << 6 | complete_front(tape, start, NO_RANK, joker_as, settings)
    if pair == NO_RANK and others[0] >= settings[FOUR_KEPT_WITH + four]:
        return FOUR_KEPT << 6 | front_of(tape, start, others, joker_as, JOKER_BACK, settings)
    return FOUR_SPLIT << 6 | front_of(tape, start, (four, four), joker_as, JOKER_BACK, settings)


@helper
def set_three(
    tape: Ints,
    start: int,
    counts: int,
    three: int,
    singles: tuple[int, int],
    joker_as: int,
    complete: bool,
    settings: Ints,
) -> int:
    """Rows 8-13: three of a kind. `singles` are the two highest ranks held once."""
    pair = highest(twos(counts))
    if more_than_one(threes(counts)):
        return TWO_THREES << 6 | front_of(tape, start, (three, three), joker_as, JOKER_BACK, settings)
    if more_than_one(twos(counts)):
        return THREE_AND_TWO_PAIRS << 6 | front_of(tape, start, (pair, pair), joker_as, JOKER_BACK, settings)
    if pair != NO_RANK:
        if pair == 0 and singles == (ACE, KING) and settings[FULL_HOUSE_OF_TWOS] == ACE_KING_FRONT:
            return FULL_HOUSE_ACE_KING << 6 | front_of(tape, start, singles, joker_as, JOKER_FRONT, settings)
        return FULL_HOUSE << 6 | front_of(tape, start, (pair, pair), joker_as, JOKER_BACK, settings)
    if complete:
        front = complete_front(tape, start, 100 + three, joker_as, settings)
        if front >= 0:
            return THREE_COMPLETE << 6 | front
    if three == ACE:
        return THREE_ACES << 6 | front_of(tape, start, (ACE, singles[0]), joker_as, JOKER_FRONT, settings)
    return THREE_KEPT << 6 | front_of(tape, start, singles, joker_as, JOKER_BACK, settings)


@helper
def set_two_pairs(
    tape: Ints, start: int, pairs: int, singles: tuple[int, int], joker_as: int, complete: bool, settings: Ints
) -> int:
    """Rows 14 and 15: three pairs or two."""
    high = highest(pairs)
    low = highest(without(pairs, high))
    if more_than_one(without(pairs, high)):
        return THREE_PAIRS << 6 | front_of(tape, start, (high, high), joker_as, JOKER_BACK, settings)
    if complete and high <= 4 and settings[LOW_PAIRS_WITH_COMPLETE] == ACE_FRONT_ELSE_COMPLETE:
        if singles[0] == ACE:
            return TWO_PAIRS_ACE << 6 | front_of(tape, start, singles, joker_as, JOKER_FRONT, settings)
        front = complete_front(tape, start, NO_RANK, joker_as, settings)
        if front >= 0:
            return TWO_PAIRS_COMPLETE << 6 | front
    if singles[0] >= settings[TWO_PAIR_KEPT_WITH + 13 * high + low]:
        return TWO_PAIRS_KEPT << 6 | front_of(tape, start, singles, joker_as, JOKER_FRONT, settings)
    return TWO_PAIRS_SPLIT << 6 | front_of(tape, start, (low, low), joker_as, JOKER_BACK, settings)


@helper
def set_pair(tape: Ints, start: int, pair: int, singles: tuple[int, int], joker_as: int, complete: bool, settings: Ints) -> int:
    """Rows 16-18: one pair."""
    kept = PAIR_KEPT << 6 | front_of(tape, start, singles, joker_as, JOKER_FRONT, settings)
    if not complete:
        return kept
    front = complete_front(tape, start, NO_RANK, joker_as, settings)
    if front < 0:
        return kept
    value = rank_front(tape, start + (front >> 3), start + (front & 7), settings)
    if value >> 20 == PAIR:
        return PAIR_BESIDE_COMPLETE << 6 | front
    if 8 <= pair <= KING and singles[0] == ACE:
        if settings[ACE_WITH_HIGH_PAIR] == ACE_MUST_BE_FRONT:
            front = complete_front(tape, start, ACE, joker_as, settings)
            return PAIR_COMPLETE << 6 | front if front >= 0 else PAIR_ACE_FRONT << 6 | kept & 63
        if settings[ACE_WITH_HIGH_PAIR] == ACE_FRONT_IF_BETTER:
            ace_front = rank_front(tape, start + (kept >> 3 & 7), start + (kept & 7), settings)
            if ace_front > value:
                return PAIR_ACE_FRONT << 6 | kept & 63
    return PAIR_COMPLETE << 6 | front


@helper
def set_by_rows(tape: Ints, start: int, settings: Ints) -> int:
    """The decision and front for the seven cards from `start`, before the check for a foul."""
    held, suits, counts, joker = summarize(tape, start, start + 7, -1, -1)
    complete = flush_suits(suits, joker) != 0 or runs_of_five(any_suit(held), joker) != 0
    joker_as = NO_RANK
    if joker:
        joker_as = joker_rank(held, suits, counts, settings)
        counts += 1 << (4 * joker_as)
    singles = counts & ~(counts >> 1) & ~(counts >> 2) & EACH_NIBBLE
    first = highest(singles)
    second = highest(without(singles, first))
    if fours(counts):
        four = highest(fours(counts))
        return set_four(tape, start, counts, four, (first, second), joker_as, complete, settings)
    if threes(counts):
        three = highest(threes(counts))
        return set_three(tape, start, counts, three, (first, second), joker_as, complete, settings)
    pairs = twos(counts)
    if more_than_one(pairs):
        return set_two_pairs(tape, start, pairs, (first, second), joker_as, complete, settings)
    if pairs:
        return set_pair(tape, start, highest(pairs), (first, second), joker_as, complete, settings)
    if complete:
        return NO_PAIR_COMPLETE << 6 | complete_front(tape, start, NO_RANK, joker_as, settings)
    third = highest(without(without(singles, first), second))
    return PAI_GOW << 6 | front_of(tape, start, (second, third), joker_as, JOKER_BACK, settings)


@helper
def set_seven(tape: Ints, start: int, settings: Ints) -> int:
    """EPG-10: decision << 6 | first place << 3 | second place of the front; a foul is impossible."""
    answer = set_by_rows(tape, start, settings)
    i, j = start + (answer >> 3 & 7), start + (answer & 7)
    if not is_foul(rank_front(tape, i, j, settings), rank_back(tape, start, i, j, settings)):
        return answer
    return FOUL_REPLACED << 6 | best_legal_front(tape, start, settings)


@rule
def house_way(tape: Ints, settings: Ints) -> int:
    """Set seven cards: decision << 6 | first place << 3 | second place of the front."""
    return set_seven(tape, 0, settings)


BACKS = 10
FRONTS = 14 * 14
"""A front is 14 * higher + lower (ranks 1-13); a pair of rank r is 14 * r + r."""


@rule
def house_way_result(tape: Ints, settings: Ints) -> int:
    """What the House Way makes of seven cards: front, back category, whether the file's set would foul."""
    answer = set_seven(tape, 0, settings)
    i, j = answer >> 3 & 7, answer & 7
    front, back = rank_front(tape, i, j, settings), rank_back(tape, 0, i, j, settings)
    high, low = front >> 16 & 15, front >> 12 & 15
    if front >> 20 == PAIR:
        low = high
    return ((14 * high + low) * BACKS + (back >> 20)) * 2 + (answer >> 6 == FOUL_REPLACED)


@rule
def base_by_house_way(tape: Ints, settings: Ints) -> int:
    """EPG-11 with both sides set by the House Way: the player's seven cards, then the dealer's."""
    mine, his = set_seven(tape, 0, settings), set_seven(tape, 7, settings)
    a, b, c, d = mine >> 3 & 7, mine & 7, 7 + (his >> 3 & 7), 7 + (his & 7)
    return base_outcome(
        rank_front(tape, a, b, settings),
        rank_back(tape, 0, a, b, settings),
        rank_front(tape, c, d, settings),
        rank_back(tape, 7, c, d, settings),
        pai_gow_high(tape, 7, settings),
    )
