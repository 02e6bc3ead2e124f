"""The rules of Duki 4 Poker: what four cards are worth, and how a player's Duki meets the dealer's.

A score is kind << 24 | category << 16 | ranks, so that scores compare: no Duki < 3-card Duki < 4-card Duki (D4P-5).
A tape holds the player's four cards and then the dealer's four.
"""

from houseway.kernels.compiled import Ints, helper, rule

from .switches import EVEN_MONEY, LOW_STRAIGHT, R8, R9

NO_DUKI, THREE_CARD, FOUR_CARD = range(3)
HIGH_CARD, PAIR, TWO_PAIR, THREE_OF_A_KIND, STRAIGHT, FOUR_OF_A_KIND = range(6)
"""Categories of a 4-card Duki from the lowest; in a 3-card Duki three of a kind comes above the straight."""
TRIPS_OF_THREE = FOUR_OF_A_KIND
"""Where three of a kind stands in a 3-card Duki (D4P-5)."""
ACE = 12


@helper
def is_straight(low: int, second: int, top: int, cards: int, settings: Ints) -> bool:
    """Whether different ranks, given the lowest, second and highest, are in a row; A-2-3(-4) by R9."""
    if top - low == cards - 1:
        return True
    return top == ACE and low == 0 and second <= cards - 2 and settings[R9] == LOW_STRAIGHT


@helper
def three_card_score(a: int, b: int, c: int, settings: Ints) -> int:
    """D4P-5: three ranks as a 3-card Duki: three of a kind, straight, pair, high card."""
    high, low = max(a, b, c), min(a, b, c)
    middle = a + b + c - high - low
    if high == low:
        return TRIPS_OF_THREE << 16 | high
    if middle in (high, low):
        return PAIR << 16 | middle << 4 | (low if middle == high else high)
    if is_straight(low, middle, high, 3, settings):
        wheel = high == ACE and low == 0
        return STRAIGHT << 16 | (1 if wheel else high)
    return HIGH_CARD << 16 | high << 8 | middle << 4 | low


@helper
def sorted_down(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    """Four numbers, the highest first."""
    a, b, c, d = max(a, b), min(a, b), max(c, d), min(c, d)
    a, b, c, d = max(a, c), max(b, d), min(a, c), min(b, d)
    return a, max(b, c), min(b, c), d


@helper
def four_card_score(a: int, b: int, c: int, d: int, settings: Ints) -> int:
    """D4P-5: four ranks as a 4-card Duki: four of a kind, straight, three of a kind, two pair, pair, high card."""
    a, b, c, d = sorted_down(a, b, c, d)
    if a == d:
        return FOUR_OF_A_KIND << 16 | a
    if b == c and b in (a, d):
        return THREE_OF_A_KIND << 16 | b << 4 | (d if a == b else a)
    if a == b and c == d:
        return TWO_PAIR << 16 | a << 4 | c
    if a == b:
        return PAIR << 16 | a << 8 | c << 4 | d
    if b == c:
        return PAIR << 16 | b << 8 | a << 4 | d
    if c == d:
        return PAIR << 16 | c << 8 | a << 4 | b
    if a - d == 3:
        return STRAIGHT << 16 | a
    if a == ACE and b == 2 and settings[R9] == LOW_STRAIGHT:
        return STRAIGHT << 16 | b
    return HIGH_CARD << 16 | a << 12 | b << 8 | c << 4 | d


@helper
def best_three(tape: Ints, start: int, settings: Ints) -> int:
    """The best 3-card score among the cards of three different suits; -1 if the hand has fewer suits."""
    best = -1
    for left_out in range(start, start + 4):
        first = start + (left_out == start)
        second = first + 1 + (left_out == first + 1)
        third = second + 1 + (left_out == second + 1)
        a, b, c = tape[first], tape[second], tape[third]
        if (a & 3) != (b & 3) and (a & 3) != (c & 3) and (b & 3) != (c & 3):
            best = max(best, three_card_score(a >> 2, b >> 2, c >> 2, settings))
    return best


@helper
def duki_score(tape: Ints, start: int, settings: Ints) -> int:
    """D4P-4: four suits are a 4-card Duki, three a 3-card Duki, fewer do not qualify."""
    a, b, c, d = tape[start], tape[start + 1], tape[start + 2], tape[start + 3]
    suits = 1 << (a & 3) | 1 << (b & 3) | 1 << (c & 3) | 1 << (d & 3)
    if suits == 15:
        return FOUR_CARD << 24 | four_card_score(a >> 2, b >> 2, c >> 2, d >> 2, settings)
    three = best_three(tape, start, settings)
    return THREE_CARD << 24 | three if three >= 0 else NO_DUKI


FOLD, LOSE, PUSH = range(3)
UNQUALIFIED = 3
WIN = 10
"""From here on, the Ante's row: 0 even money, 1 any 4-card Duki, 2 pair ... 6 four of a kind (D4P-9)."""


@helper
def ante_row(score: int) -> int:
    """D4P-9: the row of the Ante table that a hand is paid by."""
    return 1 + (score >> 16 & 255) if score >> 24 == FOUR_CARD else 0


@helper
def showdown(player: int, dealer: int, settings: Ints) -> int:
    """What becomes of an Ante and its Play bet when two scores meet (D4P-15 has worked comparisons)."""
    if dealer == NO_DUKI:
        return UNQUALIFIED + ante_row(player)  # D4P-6, R7
    if player == NO_DUKI:
        return LOSE  # D4P-7, D4P-8: a player without a Duki loses
    if player == dealer:
        return PUSH
    if player < dealer:
        return LOSE
    if dealer >> 24 == THREE_CARD and settings[R8] == EVEN_MONEY:
        return WIN  # D4P-8 under R8
    return WIN + ante_row(player)  # D4P-7; D4P-8: a 3-card Duki is paid even money


@helper
def play_or_fold(player: int, dealer: int, settings: Ints) -> int:
    """The Ante of a player who plays with any Duki and folds without one."""
    return FOLD if player == NO_DUKI else showdown(player, dealer, settings)


@rule
def play_every_duki(tape: Ints, settings: Ints) -> int:
    """The same from the cards."""
    return play_or_fold(duki_score(tape, 0, settings), duki_score(tape, 4, settings), settings)


BONUS_THREE, BONUS_STRAIGHT, BONUS_PAIR, BONUS_LOSES = range(4)


@rule
def duki_bonus(tape: Ints, settings: Ints) -> int:
    """D4P-10: three of a kind, straight, pair of fours or better, on the best three cards (R10)."""
    score = best_three(tape, 0, settings)
    category = score >> 16
    if score >= 0 and category == TRIPS_OF_THREE:
        return BONUS_THREE
    if score >= 0 and category == STRAIGHT:
        return BONUS_STRAIGHT
    if score >= 0 and category == PAIR and score >> 4 & 15 >= 2:
        return BONUS_PAIR
    return BONUS_LOSES
