"""The effect of removal: how much each card taken out of the shoe changes the house edge."""

from fractions import Fraction

from houseway.cards import RANKS, Composition
from houseway.odds.par_sheet import par_sheet, sheet_from
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings


def removal_effects(edition: Edition, settings: Settings, wager: str) -> dict[str, Fraction]:
    """The change of the house edge when one card of a rank (suit unknown), or the joker, is gone."""
    asked, whole = edition.wager(wager), par_sheet(edition, wager, settings).house_edge_without_envy
    names = list(RANKS) + (["Jk"] if edition.game.shoe(settings)[52] else [])
    if asked.removals:
        tallies = asked.removals(edition.game.shoe(settings), edition.game.encode(settings))
        sheets = [sheet_from(edition, asked, settings, tally) for tally in tallies]
    else:
        gone = [Composition((), (rank,)) for rank in range(13)] + [Composition((52,))]
        sheets = [par_sheet(edition, wager, settings, removed) for removed in gone[: len(names)]]
    return {name: sheet.house_edge_without_envy - whole for name, sheet in zip(names, sheets, strict=True)}
