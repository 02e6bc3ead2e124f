"""The base wager from the middle of a round, where what takes long was worked out before: all deals, or the dealer's hands."""

from houseway.odds.half_dealt import from_sheet, from_tally
from houseway.odds.known import KnownCards, KnownOdds
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Tally
from houseway.rulebook.settings import Settings

from ..known import BY_HOUSE_WAY, CARDS, set_of
from ..outcomes import BASE_OUTCOMES
from ..round import QUEEN_HIGH
from .hands import FULL
from .report import sheet_of
from .solution import Solution


def known(edition: Edition, wager: str, settings: Settings, seen: KnownCards) -> KnownOdds | None:
    """Before the deal by the House Way, and with all seven cards by the set that was made, or by the House Way's.

    Of some cards of a hand no solver knows more than a sample.
    """
    own = tuple(card for card in seen.own if card is not None)
    solution = Solution(edition, settings)
    if wager != "base" or len(own) != len(seen.cards):
        return None
    if not own:
        pairs = solution.known_pairs(str(settings["house-way"]))
        return from_sheet(sheet_of(edition, settings, pairs), BY_HOUSE_WAY) if pairs else None
    if len(own) != CARDS or not solution.values_sets_at_once():
        return None
    chosen, is_made = set_of(own, seen.choices, settings, solution.way)
    if chosen.is_foul:
        return None
    value = next(each for each in solution.value_sets(own) if set(each.front) == set(chosen.front_cards))
    push = FULL.against - value.win - value.lose - value.queen_high
    ends = {"win": value.win, "push": push, "lose": value.lose, QUEEN_HIGH: value.queen_high}
    tally = Tally(tuple(ends[outcome.id] for outcome in BASE_OUTCOMES))
    return from_tally(edition, settings, wager, tally, "" if is_made else BY_HOUSE_WAY)
