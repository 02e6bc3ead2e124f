"""What a game's simulator is. What deals the shoes knows no game; a game knows no engine.

Nothing here imports more than kernels do: a game's compiled round runs where there is nothing else but numpy and numba.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from houseway.kernels.compiled import Ints
from houseway.kernels.rounds import CARDS, CLASSES
from houseway.kernels.steps import InSteps

if TYPE_CHECKING:
    from houseway.odds.par_sheet import ParSheet
    from houseway.rulebook.edition import Edition
    from houseway.rulebook.settings import Settings

__all__ = ["CARDS", "CLASSES", "Meaning", "Seat", "SeatResult", "Setup", "Simulator"]


class SeatResult(NamedTuple):
    """How one stake ended, as `rulebook.game.Result` says it: `times` the wager's stake were at risk; a `prize` is envy."""

    wager: str
    outcome: str
    times: int | Fraction = 1
    prize: bool = False


Meaning = Callable[[int], tuple[SeatResult, ...]]
"""What a cell stands for: the results of all wagers of one seat in one round."""


@dataclass(frozen=True)
class Seat:
    """A seat: what it bets, in cents by wager, for sessions and for prizes; and how its player decides."""

    bets: Mapping[str, int] = field(default_factory=dict)
    player: str = ""


@dataclass(frozen=True)
class Setup:
    """A simulator made ready for an edition, settings and seats: all that compiled code reads, and what its cells mean.

    Where the simulator sees classes, `shoe` has the number of cards of each class (at most ten); where it sees cards, the
    cards in any order. `deck` is laid into the deck array with every fresh shoe: of a simulator that sees cards these very
    cards; one that sees classes may keep there whatever it has to know of the shoe besides. `cards` is the most that a round
    can take, with all seats. A round writes a cell below `cells` for each seat; where all seats bet on the same hands it is
    `common`, and writes the first only. `least_cards` is the fewest that a round takes: with it, rounds asked for are found in
    fewer steps. A game that shuffles the discards in where a shoe runs out in a round `refills`: no cut card is too deep, and
    such a round gives back a shoe of which `RAN_OUT` cards are left, for it ends with that round.
    Where players count, the deck has from `hidden_at` on how many cards of each class were burned unseen (-1: none).
    Cells that cannot come may mean nothing, `()`. The last digit of a cell, of `apart`, may mean results of its own beside
    those of the rest: what both come to adds up. `notes` are said with the result: what was assumed. Where rounds differ in
    length, a game may give them `in_steps` as well, for graphics processors.
    """

    shoe: tuple[int, ...]
    settings: Ints
    tables: tuple[Any, ...]
    cells: int
    meaning: Meaning
    cards: int
    deck: tuple[int, ...] = ()
    common: bool = False
    least_cards: int = 1
    refills: bool = False
    apart: int = 1
    hidden_at: int = -1
    in_steps: InSteps | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Simulator:
    """How a game is simulated; a game gives its own as `SIMULATOR` in its package `simulate`.

    `play_round(shoe, ahead, deck, settings, tables, cells) -> shoe` is compiled with `kernels.compiled.inlined`; it `sees`
    CLASSES or CARDS. `setup` makes it ready; `wagers` are those whose results its cells tell. `players` are the ways to decide
    that it knows, the usual one first (none: nothing is decided); with `player_files` a file of one's own is one as well.
    `also` are other words for them, by which the best play is the chart where no other is known; after one of the `prefixes`
    one is named too ("house-way plaza"). `exact` is the par sheet for a wager and such a player, or its return alone,
    nothing where there is none; for wagers that are not in
    `exact_for` (empty: all are), and without it, the edition's own par sheets are taken for what is enumerated. `burn_values`
    are, by class or card, how many cards are burned after one that is burned face up, where that is a custom of the game.
    """

    play_round: Callable[..., Any]
    sees: str
    setup: "Callable[[Edition, Settings, tuple[Seat, ...]], Setup]"
    wagers: tuple[str, ...]
    players: tuple[str, ...] = ()
    player_files: bool = False
    also: Mapping[str, str] = field(default_factory=lambda: {"best": "chart"})
    prefixes: tuple[str, ...] = ()
    exact: "Callable[[Edition, Settings, str, str], ParSheet | Fraction | float | None] | None" = None
    exact_for: tuple[str, ...] = ()
    burn_values: tuple[int, ...] = ()

    def known_as(self, player: str) -> str:
        """The name of a way to decide, from what somebody calls it."""
        first, _, rest = player.strip().partition(" ")
        if rest and first in self.prefixes:
            return rest.strip()
        meant = self.also.get(player, player)
        return meant if meant in self.players and player not in self.players else player
