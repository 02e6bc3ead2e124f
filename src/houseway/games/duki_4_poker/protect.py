"""Duki 4 Poker for somebody who sees more than he should: the solver knows what a card or a hand is worth."""

from collections.abc import Callable
from fractions import Fraction

from houseway.kernels.count import Progress
from houseway.protect.protection import Protection, SeenEdge
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings

ANTE = "ante"


def _check(wager: str) -> None:
    if wager != ANTE:
        raise Refused("nothing-seen", f"what is seen changes whether to play, not {wager}: ask for --wager {ANTE}")


def _dealer_card(edition: Edition, settings: Settings, wager: str, progress: Progress | None) -> SeenEdge:
    from .solve import best

    _check(wager)
    without = best.solve(edition, settings).house_edge
    return SeenEdge(without, best.edge_with_a_card_seen(edition, settings, progress), "One card of the dealer's seen")


def _other_hand(edition: Edition, settings: Settings, wager: str, progress: Progress | None) -> SeenEdge:
    from .solve import best, seen

    _check(wager)
    without = best.solve(edition, settings).house_edge
    beside = seen.solve_with_a_hand_seen(edition, settings, progress)
    return SeenEdge(without, beside.house_edge, "Another player's four cards seen before the decision", stopped_by=NO_TALK)


def _other_hands(others: int) -> Callable[[Edition, Settings, str, Progress | None], SeenEdge]:
    def value(edition: Edition, settings: Settings, wager: str, progress: Progress | None) -> SeenEdge:
        from .solve import best, hands_seen

        _check(wager)
        without = best.solve(edition, settings).house_edge
        shared = hands_seen.gain_of_hands_seen(edition, settings, others)
        return SeenEdge(
            without,
            without - Fraction(shared.gain),
            f"The cards of {others} other players seen before the decision, which they change in {shared.changes * 100:.2f} %",
            error=shared.error,
            how=f"simulated: {hands_seen.DEALS:,} deals, each against all hands that the dealer can have",
            stopped_by=NO_TALK,
        )

    return value


MOST_OTHERS = 5
NO_TALK = "let nobody show or tell his cards before all have decided: that costs no rounds"

PROTECTION = Protection(
    decisions_an_hour=34,
    seen={
        "card": _dealer_card,
        "hand": _other_hand,
        **{f"{others}-hands": _other_hands(others) for others in range(2, MOST_OTHERS + 1)},
    },
)
