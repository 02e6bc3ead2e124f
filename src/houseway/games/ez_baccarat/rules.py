"""The rules of EZ Baccarat, clause by clause.

A tape holds six cards in the order they leave the shoe: Player, Banker, Player, Banker, then the third cards, Player's
before Banker's (EZB-3). Cards that the rules do not draw are not looked at.
"""

from houseway.kernels.compiled import Ints, helper, rule

PLAYER_WIN, PANDA_8, BANKER_WIN, DRAGON_7, TIE = range(5)

STOOD = -1
"""Stands for Player's third card when there is none."""


@helper
def points(card: int) -> int:
    """EZB-0: ten and faces count 0, the ace 1, the others their pips."""
    pips = (card >> 2) + 2
    if pips == 14:
        return 1
    return 0 if pips >= 10 else pips


@helper
def is_natural(total: int) -> bool:
    """EZB-3a: a two-card 8 or 9."""
    return total >= 8


@helper
def player_draws(player: int) -> bool:
    """EZB-3b: Player draws on 0-5, stands on 6-7."""
    return player <= 5


@helper
def banker_draws(banker: int, player_third: int) -> bool:
    """Banker's draw, from his two-card total and the points of Player's third card."""
    if player_third == STOOD:
        return banker <= 5  # EZB-3c
    if banker <= 2:  # EZB-3d, from here on
        return True
    if banker == 3:
        return player_third != 8
    if banker == 4:
        return 2 <= player_third <= 7
    if banker == 5:
        return 4 <= player_third <= 7
    if banker == 6:
        return 6 <= player_third <= 7
    return False


@helper
def draws(player: int, banker: int, fifth: int) -> tuple[bool, bool, bool]:
    """EZB-3: whether a natural ends the hand, whether Player draws, and whether Banker does.

    It is told the two-card totals and the points of the fifth card, which it looks at only if that is Player's third. All
    that is dealt, resolved, told and asked for follows this one walk; what it says of the next card holds before it comes.
    """
    if is_natural(player) or is_natural(banker):
        return True, False, False  # EZB-3a
    if player_draws(player):  # EZB-3b
        return False, True, banker_draws(banker, fifth)  # EZB-3d
    return False, False, banker_draws(banker, STOOD)  # EZB-3c


@rule
def resolve(tape: Ints, settings: Ints) -> int:
    """Play the hand out and name its result (EZB-4)."""
    player = (points(tape[0]) + points(tape[2])) % 10
    banker = (points(tape[1]) + points(tape[3])) % 10
    _, player_drew, banker_drew = draws(player, banker, points(tape[4]))
    if player_drew:
        player = (player + points(tape[4])) % 10
    if banker_drew:
        banker = (banker + points(tape[5 if player_drew else 4])) % 10
    if player == banker:
        return TIE
    if banker > player:
        return DRAGON_7 if banker == 7 and banker_drew else BANKER_WIN
    return PANDA_8 if player == 8 and player_drew else PLAYER_WIN
