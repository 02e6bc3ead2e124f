"""The Ante from the middle of a round, for a player who decides best: every hand that he may still get, solved."""

from fractions import Fraction
from functools import lru_cache
from itertools import combinations

import numpy as np

from houseway.odds.half_dealt import from_tally
from houseway.odds.known import KnownCards, KnownOdds
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Tally
from houseway.rulebook.settings import Settings

from ..game import ANTE_OUTCOMES
from . import best as duki

PLAYER = "decides best"


def known(edition: Edition, wager: str, settings: Settings, seen: KnownCards) -> KnownOdds | None:
    """Until it is decided, and as long as he sees his own cards only; a Bonus that he has bet is lost with a fold (D4P-2)."""
    own = [card for card in seen.own if card is not None]
    if wager != "ante" or {"play", "fold"} & set(seen.choices) or len(own) != len(seen.cards):
        return None
    bonus = Fraction(seen.bets.get("duki-bonus", 0), seen.bets.get("ante", 1))
    tables, terms = _tables(tuple(edition.game.encode(settings).tolist())), duki.Terms.of(edition, settings)
    left = [card for card in range(duki.CARDS) if card not in own]
    hands = [sorted((*own, *more)) for more in combinations(left, duki.HAND - len(own))] if own else None
    solved = duki.solve_terms(tables, terms, bonus, only=None if hands is None else np.array(hands, np.int64))
    ends = solved.tally(solved.choice)
    tally = Tally(tuple(ends[outcome.id] for outcome in ANTE_OUTCOMES))
    return from_tally(edition, settings, wager, tally, PLAYER)


@lru_cache(maxsize=2)
def _tables(encoded: tuple[int, ...]) -> duki.Tables:
    """Looked at once for all moments of a round."""
    return duki.tabulate(np.array(encoded, np.int64))
