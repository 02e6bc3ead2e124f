"""The odds that a day's books are held against: of each wager as it was bound, for the player who is named."""

from collections.abc import Callable
from fractions import Fraction

from houseway.day.expected import WagerOdds
from houseway.day.lines import BoundBook
from houseway.kernels.count import Progress
from houseway.refusal import Refused
from houseway.report.played_odds import COUNTED, PlayedOdds, played_odds
from houseway.rulebook.edition import Edition
from houseway.table.bound import read_document

Known = dict[tuple[str, str, str], WagerOdds | None]


def edition_of_bound(bound: BoundBook) -> Edition | None:
    """The edition that something was played by, if it can be read here."""
    try:
        return None if bound.unreadable else read_document(bound.document)
    except Refused:
        return None


def day_odds(progress: Progress | None = None) -> Callable[[BoundBook, str], WagerOdds | None]:
    """Odds by binding and wager, each worked out once; nothing of a wager that has none of its own."""
    known: Known = {}

    def odds(bound: BoundBook, wager: str) -> WagerOdds | None:
        key = bound.document, repr(sorted(bound.settings.items())), wager
        if key not in known:
            known[key] = _odds(bound, wager, progress)
        return known[key]

    return odds


def _odds(bound: BoundBook, wager: str, progress: Progress | None) -> WagerOdds | None:
    edition = edition_of_bound(bound)
    if edition is None or wager not in edition.game.wagers or edition.game.wagers[wager].count is None:
        return None
    try:
        found = played_odds(edition, wager, edition.settings(bound.settings), progress)
    except Refused:  # it is not offered so, and nobody can have bet it
        return None
    return WagerOdds(found.edge, found.deviation_number**2, found.player, found.how, _wins(found))


def _wins(found: PlayedOdds) -> dict[str, Fraction]:
    """The chances of what pays, where nobody decides anything."""
    if found.sheet is None or found.how != COUNTED or found.wager.strategy:
        return {}
    return {row.outcome: row.probability for row in found.sheet.rows if row.net > 0 and row.probability}
