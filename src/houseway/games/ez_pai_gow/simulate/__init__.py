"""EZ Pai Gow, simulated: up to six seats, each set in its way, with all bonuses and envy, against one dealer."""

from dataclasses import dataclass

import numpy as np

from houseway.odds.par_sheet import ParSheet
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.simulate.simulator import CARDS, Seat, SeatResult, Setup, Simulator

from ..game import GAME
from ..outcomes import BASE_OUTCOMES, COLOUR_OUTCOMES, DYNASTY_OUTCOMES, PROTECTION_OUTCOMES
from ..solve import BEST, LINES
from ..solve.report import sheet_of
from ..solve.solution import Solution
from ..switches import HOUSE_WAYS
from .classes import class_tables
from .rounds import COLOURS, DECK_SIZE, HAND, PaiGowTables, play_round
from .tables import SetHands, colours, envies, set_hands

WAGERS = ("base", "dynasty", "protection", "red-black")
HOUSE_WAY = "house-way"
PLAYERS = (HOUSE_WAY, *HOUSE_WAYS, LINES, BEST)
"""How players set their hands: by the dealer's own House Way, by another or one in a file, by the few lines, the best way."""


def way_of(settings: Settings, player: str) -> str:
    """The way to set hands of this name."""
    return str(settings["house-way"]) if player in {"", HOUSE_WAY} else player


@dataclass(frozen=True)
class PaiGowCells:
    """What cells mean: base wager, bonuses, Red/Black and envy, as far as the wagers are to be had."""

    wagers: frozenset[str]
    bonuses: tuple[tuple[int, int], ...]
    envies: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        """How many there are."""
        return len(BASE_OUTCOMES) * len(self.bonuses) * COLOURS * len(self.envies)

    def __call__(self, cell: int) -> tuple[SeatResult, ...]:
        """The results of all wagers of a seat in a round."""
        rest, envy = divmod(cell, len(self.envies))
        rest, colour = divmod(rest, COLOURS)
        base, bonus = divmod(rest, len(self.bonuses))
        dynasty, protection = self.bonuses[bonus]
        ended = {
            "base": BASE_OUTCOMES[base].id,
            "dynasty": DYNASTY_OUTCOMES[dynasty].id,
            "protection": PROTECTION_OUTCOMES[protection].id,
            "red-black": COLOUR_OUTCOMES[colour].id,
        }
        prizes = [SeatResult("dynasty", DYNASTY_OUTCOMES[outcome].id, prize=True) for outcome in self.envies[envy]]
        return (*(SeatResult(wager, outcome) for wager, outcome in ended.items() if wager in self.wagers), *prizes)


def setup(edition: Edition, settings: Settings, seats: tuple[Seat, ...]) -> Setup:
    """A simulator for these players."""
    ways = list(dict.fromkeys([str(settings["house-way"]), *(way_of(settings, seat.player) for seat in seats)]))
    hands: list[SetHands] = [set_hands(edition, settings, way) for way in ways]
    bonuses = hands[0].bonuses
    assert all(each.bonuses == bonuses for each in hands)
    wagers = frozenset(name for name, wager in edition.offered.items() if not wager.refuses(settings))
    enviable = ["dynasty" in wagers and edition.envy_cents("dynasty", outcome.id, settings) > 0 for outcome in DYNASTY_OUTCOMES]
    won, more = envies(bonuses, enviable, len(seats) - 1)
    needs = edition.game.wagers["dynasty"].envy_needs
    assert needs is not None
    cells, encoded, found = PaiGowCells(wagers, bonuses, tuple(won)), GAME.encode(settings), class_tables()
    cards = HAND * (len(seats) + 1)
    return Setup(
        shoe=tuple(range(DECK_SIZE)),
        settings=encoded,
        tables=PaiGowTables(
            *found,
            words=np.stack([each.words for each in hands]) if len(hands) > 1 else hands[0].words[None],
            ways=np.array([ways.index(way_of(settings, seat.player)) for seat in seats], np.int64),
            colours=colours(tuple(encoded.tolist())),
            more=more.ravel(),
            wins=np.array([not seat.bets or needs(settings) in seat.bets for seat in seats], np.int64),
            sizes=np.array([len(bonuses), len(won)], np.int64),
        ),
        cells=cells.size,
        meaning=cells,
        cards=cards,
        least_cards=cards,
        apart=len(won),
        notes=_notes(edition, settings, wagers),
    )


def _notes(edition: Edition, settings: Settings, wagers: frozenset[str]) -> tuple[str, ...]:
    refused = [f"{name}: {wager.refuses(settings)}" for name, wager in edition.offered.items() if name not in wagers]
    return tuple(f"not simulated, {each}" for each in refused)


def exact(edition: Edition, settings: Settings, wager: str, player: str) -> ParSheet | None:
    """The base wager's par sheet, if all deals were counted before: that takes a while, and dealing need not wait for it."""
    known = Solution(edition, settings).known_pairs(way_of(settings, player))
    return sheet_of(edition, settings, known) if known else None


SIMULATOR = Simulator(
    play_round=play_round,
    sees=CARDS,
    setup=setup,
    wagers=WAGERS,
    players=PLAYERS,
    player_files=True,
    prefixes=(HOUSE_WAY,),
    exact=exact,
    exact_for=("base",),
)
