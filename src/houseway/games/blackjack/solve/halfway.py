"""The main bet from the middle of a round, for a player who plays best by all cards that he sees: in floats."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from houseway.cards import take
from houseway.odds.known import Ending, KnownCards, KnownOdds
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.solve.results import SolvedResult

from .analysis import Analysis, BlackjackRules, FirstCards
from .hands import STAND, SURRENDER
from .report import is_ready, round_results, rows_of
from .results import ends_of_deal, ends_of_hand
from .rulings import TEN, VALUES, hand_of, ranks_of, value_of

PLAYER = "plays best by all cards seen, and takes no insurance"


def known(edition: Edition, wager: str, settings: Settings, seen: KnownCards) -> KnownOdds | None:
    """Until he stands, doubles or splits; before his second card or the up-card where every result was worked out before.

    When he stands or has doubled few cards can come, and they are counted one by one; split hands are dealt out.
    """
    if wager != "blackjack" or None in seen.own or (len(seen.dealer) > 1 and seen.dealer[1] is not None):
        return None
    if set(seen.choices) - {"look", "hit"}:
        return None
    rules = _rules_left(edition, settings, (*seen.others, *seen.community))
    play, own = Analysis(rules), tuple(card for card in seen.own if card is not None)
    if own and seen.dealer:
        ends = _ends(play, settings, seen, own)
    elif len(own) == len(seen.cards) < 2 and is_ready(edition, settings, "results", ""):
        results = round_results(edition, play)
        ends = results.by_first[value_of(own[0])] if own else results.ends
    else:
        return None
    return _odds(rows_of(edition, settings, rules, ends)) if ends else None


def _rules_left(edition: Edition, settings: Settings, gone: tuple[int, ...]) -> BlackjackRules:
    """The table with a shoe from which other cards that he sees are gone."""
    shoe = take(edition.game.shoe(settings), gone)
    counts = tuple(sum(copies for card, copies in enumerate(shoe[:52]) if value_of(card) == value) for value in range(VALUES))
    tens = tuple(sum(shoe[4 * rank : 4 * rank + 4]) for rank in ranks_of(TEN))
    return replace(BlackjackRules.of(edition, settings), counts=counts, tens=tens)


def _ends(play: Analysis, settings: Settings, seen: KnownCards, own: tuple[int, ...]) -> Mapping[str, Any]:
    """The chance of every end from the up-card on; none where this is not solved."""
    assert seen.dealer[0] is not None
    up, hand = value_of(seen.dealer[0]), hand_of(own)
    looked = settings["hole-card"] == "peek" and (seen.asked is not None or "hit" in seen.choices)
    if len(own) == 1:
        return _ends_of_first(play, value_of(own[0]), up)
    if play.rules.rulings.is_bust(hand):
        return {}
    if "hit" in seen.choices:
        return ends_of_hand(play, hand, up, looked, hits=seen.choices.count("hit") > len(own) - 2)
    deal = FirstCards(hand, up, play.rules.more_of_rank(own, seen.dealer[0]), Fraction(1))
    return ends_of_deal(play, deal, _choice(play, deal, "look" in seen.choices or looked), looked)


def _choice(play: Analysis, deal: FirstCards, is_late: bool) -> int:
    """The best choice; a hand that may be given up before the dealer looks is not given up after it."""
    if deal.hand in play.rules.rulings.naturals:
        return STAND
    options = play.options(*deal[:3])
    if is_late and play.rules.surrender == "early":
        options = [choice for choice in options if choice != SURRENDER]
    worths = play.worths(options, *deal[:3])
    return max(worths, key=lambda choice: worths[choice])


def _ends_of_first(play: Analysis, first: int, up: int) -> dict[str, Any]:
    """From his first card and the up-card: the mean over all second cards.

    Tens that are split by rank are left out, for of which rank the first one is would have to be told apart.
    """
    ends: dict[str, Any] = {}
    if first == TEN and not play.rules.rulings.splits_tens:
        return ends
    for deal in play.deals_with(up):
        if deal.hand[first]:
            chance = float(deal.chance) * deal.hand[first] / 2
            for end, part in ends_of_deal(play, deal, play.decide(*deal[:3])[0]).items():
                ends[end] = ends.get(end, 0.0) + part * chance
    return ends


def _odds(rows: tuple[SolvedResult, ...]) -> KnownOdds:
    """As chances; those of a first card that is known are weighed by all of them together."""
    endings = tuple(Ending(row.outcome, row.name, row.net, Fraction(row.probability)) for row in rows)
    return KnownOdds(endings, exact=False, player=PLAYER, in_floats=True)
