"""EZ Baccarat, simulated: the shoe as points, all seats on one result, nothing to decide."""

from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.simulate.simulator import CLASSES, Seat, SeatResult, Setup, Simulator

from ..game import CLASSES as POINT_CLASSES
from ..game import GAME, OUTCOMES
from .rounds import play_round, tables

WAGERS = tuple(name for name, wager in GAME.wagers.items() if wager.resolve is None)


def setup(edition: Edition, settings: Settings, seats: tuple[Seat, ...]) -> Setup:
    """Ten classes of points; a cell is an outcome, the same for every wager."""
    shoe = GAME.shoe(settings)
    offered = tuple(wager for wager in WAGERS if wager in edition.offered)
    return Setup(
        shoe=tuple(sum(shoe[card] for card in members) for members in POINT_CLASSES),
        settings=GAME.encode(settings),
        tables=tables(),
        cells=len(OUTCOMES),
        meaning=lambda cell: tuple(SeatResult(wager, OUTCOMES[cell].id) for wager in offered),
        cards=6,
        common=True,
        least_cards=4,
    )


SIMULATOR = Simulator(
    play_round=play_round,
    sees=CLASSES,
    setup=setup,
    wagers=WAGERS,
    burn_values=(10, *range(1, 10)),
)
