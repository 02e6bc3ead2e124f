"""Casino War, solved: there is one question, what to do on a tie."""

from fractions import Fraction

from houseway.kernels.count import Progress
from houseway.odds.par_sheet import ParSheet, sheet_from
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.solve.solver import DEALER, HAND, CardsAsked, Choice, Solver

from ..game import BET_OUTCOMES, WAR_WON, compare, count_surrenders, count_wars

WAYS = {"war": count_wars, "surrender": count_surrenders}


def sheet(edition: Edition, wager: str, settings: Settings, player: str, progress: Progress | None) -> ParSheet:
    """The odds of the Bet, for each initial bet, for a player who always does the same on a tie."""
    tally = WAYS[player](edition.game.shoe(settings), edition.game.encode(settings), progress)
    return sheet_from(edition, edition.game.wagers[wager], settings, tally)


def choices(
    edition: Edition, settings: Settings, hand: tuple[int, ...], dealer: tuple[int, ...], other: tuple[int, ...]
) -> list[Choice]:
    """What war and surrender are worth, for a unit bet, after a tie of these two cards."""
    if len(hand) != 1 or len(dealer) != 1 or compare(hand[0], dealer[0]) != 0:
        raise Refused("bad-request", "name the player's card and a dealer's card of the same rank: there is a choice only then")
    shoe = list(edition.game.shoe(settings))
    for card in (*hand, *dealer):
        shoe[card] -= 1
    ranks = [sum(shoe[4 * rank : 4 * rank + 4]) for rank in range(13)]
    cards = sum(ranks)
    ties = Fraction(sum(copies * (copies - 1) for copies in ranks), cards * (cards - 1))
    won = (1 + ties) / 2  # whoever is higher is as likely to be either, and a tie is the player's
    pays = {name: edition.pay("bet", name, settings).net + edition.pay("war", name, settings).net for name in ENDS}
    war = won * pays[ENDS[0]] + (1 - won) * pays[ENDS[1]]
    return [Choice("war", war), Choice("surrender", edition.pay("bet", "surrender", settings).net)]


ENDS = tuple(outcome.id for outcome in BET_OUTCOMES[WAR_WON:])
SOLVER = Solver(
    sheet=sheet,
    solved=("bet",),
    players=tuple(WAYS),
    choices=choices,
    asks=(CardsAsked(HAND, "Your card", 1, 1), CardsAsked(DEALER, "The dealer's card of the same rank", 1, 1)),
)
