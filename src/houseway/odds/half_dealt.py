"""The odds of a wager when some cards are known: exact where the rest can be counted, else sampled with its error.

A game tells in its module `known` how its compiled rules read a round that is half dealt (`KNOWN`, by wager); a wager without
an entry there is played out through the readable `play`. The shoe is taken as a fresh one less the cards that are known.
"""

from collections.abc import Mapping
from importlib import import_module

import numpy as np

from houseway.cards import take
from houseway.kernels.deal import deal_by_class, deal_of_shoe
from houseway.kernels.given import UNKNOWN, count_given, sample_given, tapes
from houseway.odds.known import ByPlay, Ending, HalfTape, KnownCards, KnownOdds, Reads
from houseway.odds.par_sheet import ParSheet, sheet_from
from houseway.odds.played_out import played_out
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Shoe, Tally
from houseway.rulebook.settings import Settings

COUNTED_MOST = 25_000_000
"""Tapes that are counted one by one: a second of work or less, by most rules."""
SAMPLED = 1 << 18
"""Deals sampled by a compiled rule."""


def ways_of(edition: Edition) -> Mapping[str, Reads | ByPlay]:
    """How the wagers of an edition's game are read, from its module `known`; none where it has no such module."""
    if not (edition.game.folder / "known.py").is_file():
        return {}
    known: Mapping[str, Reads | ByPlay] = import_module(f"{edition.game.package}.known").KNOWN
    return known


def known_odds(edition: Edition, settings: Settings, wager: str, known: KnownCards, seed: int) -> KnownOdds:
    """The odds of a wager for somebody who knows this much; refused where they cannot be had."""
    way = ways_of(edition).get(wager, ByPlay())
    if isinstance(way, ByPlay):
        return played_out(edition, settings, wager, known, way, seed)
    encoded = edition.game.encode(settings)
    half = way(known, settings, encoded)
    if isinstance(half, str):
        return certain(edition, settings, wager, half)
    shoe = take(edition.game.shoe(settings), known.cards)
    tally = _tally(edition, settings, wager, known, half, shoe, seed)
    return from_tally(edition, settings, wager, tally, half.player)


def certain(edition: Edition, settings: Settings, wager: str, outcome: str) -> KnownOdds:
    """The odds of what has happened."""
    outcomes = edition.game.wagers[wager].outcomes
    return from_tally(edition, settings, wager, Tally(tuple(int(each.id == outcome) for each in outcomes)), "")


def _tally(edition: Edition, settings: Settings, wager: str, known: KnownCards, half: HalfTape, shoe: Shoe, seed: int) -> Tally:
    asked = edition.game.wagers[wager]
    deal = deal_by_class(shoe, half.classes, half.groups) if half.classes else deal_of_shoe(shoe, half.groups)
    tape, outcomes = np.array([UNKNOWN if card is None else card for card in half.tape], np.int64), len(asked.outcomes)
    if tapes(deal) <= COUNTED_MOST:
        return Tally(count_given(half.rule, tape, deal, half.settings, outcomes))
    if not known.cards and asked.count is not None and not asked.simulated:
        return asked.count(shoe, half.settings, None)
    return Tally(sample_given(half.rule, tape, deal, half.settings, outcomes, SAMPLED, seed), "simulated")


def from_tally(edition: Edition, settings: Settings, wager: str, tally: Tally, player: str) -> KnownOdds:
    """As a par sheet has it: outcomes that the pay table pays in one row are one ending."""
    return from_sheet(sheet_from(edition, edition.game.wagers[wager], settings, tally), player)


def from_sheet(sheet: ParSheet, player: str) -> KnownOdds:
    """The odds of a par sheet, for a player who is named."""
    endings = tuple(Ending(row.outcome, row.name, row.net, row.combinations) for row in sheet.rows)
    return KnownOdds(endings, sheet.method == "enumerated", player)
