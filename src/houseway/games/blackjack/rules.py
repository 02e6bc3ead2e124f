"""The rules of blackjack, hand by hand, and of Lucky Lucky.

A hand is summed up as its points with every ace counted 1, the number of its aces, and the number of its cards.
A blackjack tape holds the cards in the order they are dealt: player, dealer's up-card, player, hole card, then the
cards that are drawn. A Lucky Lucky tape holds the player's two cards and the up-card or the community card, in any order.
"""

from houseway.kernels.compiled import Ints, helper, rule

from .switches import (
    DOUBLE,
    DOUBLE_10_TO_11,
    DOUBLE_ANY,
    HITS_SOFT_17,
    SOFT_17,
    SPLIT,
    SPLIT_VALUES,
)

BLACKJACK, WIN, PUSH, LOSE, SURRENDERED, EVEN_MONEY = range(6)
ACE = 12


@helper
def points(card: int) -> int:
    """BJ-1: faces count ten; an ace counts 1 here, and `best_total` makes it 11 where that helps."""
    rank = card >> 2
    return 1 if rank == ACE else min(rank + 2, 10)


@helper
def is_ace(card: int) -> int:
    """1 for an ace, else 0."""
    return int(card >> 2 == ACE)


@helper
def is_soft(total: int, aces: int) -> bool:
    """BJ-1: whether an ace can count 11 without passing 21."""
    return aces > 0 and total <= 11


@helper
def best_total(total: int, aces: int) -> int:
    """BJ-1: the total closest to 21 that the aces allow."""
    return total + 10 if is_soft(total, aces) else total


@helper
def is_bust(total: int) -> bool:
    """BJ-1: a hand that passes 21 loses."""
    return total > 21


@helper
def plays_on(total: int) -> bool:
    """BJ-1: whether a hand may take another card: 21 is not asked."""
    return total < 21


@helper
def is_blackjack(total: int, aces: int, cards: int) -> bool:
    """BJ-2: 21 in two cards."""
    return cards == 2 and best_total(total, aces) == 21


@helper
def dealer_draws(total: int, aces: int, settings: Ints) -> bool:
    """BJ-3: the dealer draws to 17; on a soft 17 by the table's switch."""
    best = best_total(total, aces)
    if best == 17 and is_soft(total, aces):
        return bool(settings[SOFT_17] == HITS_SOFT_17)
    return best < 17


@helper
def may_double(total: int, aces: int, settings: Ints) -> bool:
    """BJ-4: which two-card totals may be doubled."""
    if settings[DOUBLE] == DOUBLE_ANY:
        return True
    least = 10 if settings[DOUBLE] == DOUBLE_10_TO_11 else 9
    return least <= total <= 11 and not is_soft(total, aces)


@helper
def may_split(first: int, second: int, settings: Ints) -> bool:
    """BJ-5: whether two cards make a pair, by value or by rank."""
    if settings[SPLIT] == SPLIT_VALUES:
        return points(first) == points(second)
    return first >> 2 == second >> 2


@helper
def compare(player: int, player_blackjack: bool, dealer: int, dealer_blackjack: bool) -> int:
    """BJ-1, BJ-2: closest to 21 without passing it wins, equal pushes; a blackjack beats any other 21."""
    if player_blackjack or dealer_blackjack:
        if player_blackjack and dealer_blackjack:
            return PUSH
        return BLACKJACK if player_blackjack else LOSE
    if is_bust(player):
        return LOSE
    if is_bust(dealer) or player > dealer:
        return WIN
    return PUSH if player == dealer else LOSE


INSURED = 2
"""BJ-6: insurance is at most the bet divided by this."""
LONGEST_ROUND = 28
"""Cards that suffice for a player and a dealer who both draw to 17: neither can hold more than fourteen."""


@rule
def mimic_the_dealer(tape: Ints, settings: Ints) -> int:
    """A player who draws as the dealer does, and never doubles, splits, insures or surrenders."""
    player, dealer = points(tape[0]) + points(tape[2]), points(tape[1]) + points(tape[3])
    player_aces, dealer_aces = is_ace(tape[0]) + is_ace(tape[2]), is_ace(tape[1]) + is_ace(tape[3])
    player_blackjack, dealer_blackjack = is_blackjack(player, player_aces, 2), is_blackjack(dealer, dealer_aces, 2)
    if not player_blackjack and not dealer_blackjack:
        place = 4
        while dealer_draws(player, player_aces, settings):
            player, player_aces = player + points(tape[place]), player_aces + is_ace(tape[place])
            place += 1
        while not is_bust(player) and dealer_draws(dealer, dealer_aces, settings):
            dealer, dealer_aces = dealer + points(tape[place]), dealer_aces + is_ace(tape[place])
            place += 1
    totals = best_total(player, player_aces), best_total(dealer, dealer_aces)
    return compare(totals[0], player_blackjack, totals[1], dealer_blackjack)


SUITED_777, SUITED_678, SEVENS, SIX_SEVEN_EIGHT, SUITED_21, TWENTY_ONE, TWENTY, NINETEEN, NOTHING = range(9)


@rule
def lucky_lucky(tape: Ints, settings: Ints) -> int:
    """LLB-8, the highest win only (LLB-9): the player's two cards and the up-card, or a community card (LLB-0)."""
    a, b, c = tape[0], tape[1], tape[2]
    total = points(a) + points(b) + points(c)
    total = best_total(total, is_ace(a) + is_ace(b) + is_ace(c))  # R11: an ace counts 11 where it can
    if total < 19 or total > 21:
        return NOTHING
    if total == 20:
        return TWENTY
    if total == 19:
        return NINETEEN
    suited = (a & 3) == (b & 3) and (b & 3) == (c & 3)
    low, high = min(a >> 2, b >> 2, c >> 2), max(a >> 2, b >> 2, c >> 2)
    if low == 5 and high == 5:
        return SUITED_777 if suited else SEVENS
    if low == 4 and high == 6:  # of total 21, so the third is the seven
        return SUITED_678 if suited else SIX_SEVEN_EIGHT
    return SUITED_21 if suited else TWENTY_ONE
