"""A settled round as it stands, for whoever corrects it: all that the command `correct` can change."""

from collections.abc import Sequence

from houseway.cards import show_card
from houseway.rulebook.edition import Edition
from houseway.table.entry import Entry
from houseway.table.state import Settled
from houseway.view.reader import Json
from houseway.view.words import entry_words


def settled_view(settled: Settled, corrections: Sequence[Entry], edition: Edition) -> Json:
    """What was dealt, keyed, decided and bet, after these corrections. The round is over, so that all may be seen."""
    round_ = settled.round
    return {
        "round": round_.number,
        "day": settled.day,
        "is_void": settled.is_void,
        "cards": [show_card(card) for card in round_.drawn],
        "result": round_.result,
        "dice": round_.dice,
        "seats": [
            {
                "seat": seat,
                "guest": spot.guest,
                "bets": dict(spot.bets),
                "for_dealer": dict(spot.for_dealer),
                "choices": list(spot.choices),
            }
            for seat, spot in sorted(round_.spots.items())
        ],
        "corrected": [words for entry in corrections for words in entry_words(entry, edition)],
    }
