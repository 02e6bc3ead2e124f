"""EZ Baccarat for somebody who counts: points as classes, exact odds of any composition, and the counts that are published."""

from collections.abc import Callable
from fractions import Fraction

from houseway.kernels.count import Progress
from houseway.kernels.weigh import Weighed
from houseway.protect.protection import Protection, PublishedCount, SeenEdge
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings

from .game import GAME, OUTCOMES
from .game import _table as tabulated

A_TO_TEN = (*range(1, 10), 0)
"""The point classes of A, 2 to 9, T."""


def worth(edition: Edition, settings: Settings, wager: str) -> Weighed | None:
    """What a unit on a wager is worth, by the cards left of each point class."""
    if GAME.wagers[wager].resolve is not None:
        return None
    return Weighed(tabulated(), [edition.pay(wager, outcome.id, settings).net for outcome in OUTCOMES])


def _burn_card(edition: Edition, settings: Settings, wager: str, progress: Progress | None) -> SeenEdge:
    from .seen import burn_card

    return burn_card(edition, settings, wager)


def _first_card(hand: str) -> Callable[[Edition, Settings, str, Progress | None], SeenEdge]:
    def value(edition: Edition, settings: Settings, wager: str, progress: Progress | None) -> SeenEdge:
        from .seen import first_card

        return first_card(edition, settings, wager, hand)

    return value


PROTECTION = Protection(
    decisions_an_hour=72,
    classes=A_TO_TEN,
    main=("player", "banker"),
    worth=worth,
    seen={"burn-card": _burn_card, "player-card": _first_card("player"), "banker-card": _first_card("banker")},
    published={
        "dragon-7": (
            PublishedCount(
                name="the published count",
                tags=(0, 0, 0, -1, -1, -1, -1, 2, 2, 0),
                trigger=4,
                units_per_shoe=Fraction("0.597"),
                decks=8,
                cut=14,
                shoes=100_000_000,
            ),
            PublishedCount(
                name="the published unbalanced count",
                tags=(1, 0, 0, -1, -1, -1, -1, 2, 2, 0),
                trigger=0,
                start=-32,
                units_per_shoe=Fraction("0.52"),
                decks=8,
                cut=16,
                shoes=0,
            ),
        ),
        "panda-8": (
            PublishedCount(
                name="the published count",
                tags=(1, 1, -2, -2, -2, -1, -1, -2, 4, 1),
                trigger=11,
                units_per_shoe=Fraction("0.237"),
                decks=8,
                cut=14,
                shoes=100_000_000,
            ),
        ),
    },
)
