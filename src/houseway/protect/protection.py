"""What a game gives for its protection; what asks knows no game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.kernels.compiled import Ints
from houseway.kernels.count import Progress
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.simulate.question import fresh_each_round
from houseway.simulate.simulator import CLASSES, Setup, Simulator

Floats = NDArray[np.float64]
Worth = Callable[[Ints], Floats]
"""The exact expected win of a unit bet, for each row of cards left by class."""
INDICES, CHART = "indices", "chart"
"""How hands are played by a count, the usual way first: as is best at every count, or as by the usual chart."""
CARDS_COUNTED = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T")
"""Tags are written in this order; a ten stands for faces too."""


@dataclass(frozen=True)
class BetsBeside:
    """Bets that somebody has to lay to be at the table: what they are expected to lose in a round, in cents, and its standard
    error where that was simulated; `words` say what is charged.
    """

    lost_cents: Fraction
    error_cents: float
    words: str


@dataclass(frozen=True)
class SeenEdge:
    """What a player wins who sees cards that he should not: the house edge without and with them.

    Where a card is seen before the bet, he bets in `bets_share` of the rounds only, and the edge is that of a round with or
    without a bet. Of what was simulated, `error` is one standard error; else it is exact, or solved to the digits of a float.
    `stopped_by` is what the floor does about it, and what that costs in rounds.
    """

    without: Fraction
    seeing: Fraction
    about: str
    bets_share: Fraction = Fraction(1)
    error: float = 0.0
    how: str = "exact"
    rows: tuple[Mapping[str, Any], ...] = ()
    stopped_by: str = "keep the cards covered: that costs no rounds"
    who: str = "a player who sees it"
    unit_cents: int = 0
    """What is bet, where that decides what it is worth (envy); else the limit of the wager."""
    beside: BetsBeside | None = None
    """What must be bet besides, and is charged: house edges are those of the wager alone, dollars are with it."""


@dataclass(frozen=True)
class PublishedCount:
    """A count whose worth somebody has published: the figure, and from how many shoes it came."""

    name: str
    tags: tuple[int, ...]
    trigger: int
    units_per_shoe: Fraction
    decks: int
    cut: int
    shoes: int
    start: int | None = None


@dataclass(frozen=True)
class IndexPlay:
    """A decision that hangs on the count: from a true count of `index` on `play`, below it `below`."""

    hand: str
    up: str
    below: str
    play: str
    index: float
    gain: float
    """What it adds to a round, about, where that is worked out."""


@dataclass(frozen=True)
class Playing:
    """How somebody plays his hands who counts: the simulator made ready for that, and what he decides by his count."""

    setup: Setup
    indices: tuple[IndexPlay, ...]
    words: str
    plan: Any = None
    """What a game keeps of it to play elsewhere in the same way."""


@dataclass(frozen=True)
class PlayAsked:
    """Who plays by a count, and how it is kept: whole tags by class, `unit` times what they are, as is where it starts;
    and what divides it. `by` is how he plays: by `indices`, by the usual `chart`, or by one in a file.
    """

    edition: Edition
    settings: Settings
    players: int
    tags: tuple[int, ...]
    unit: int
    start: int | None
    divisors: tuple[int, ...]
    by_left: bool
    cut: int
    by: str
    like: Playing | None = None
    """As somebody plays elsewhere, where nothing is to be worked out anew."""


@dataclass(frozen=True)
class Finer:
    """What somebody can know of the cards beyond their classes: into which `parts` each class falls, with their copies in
    a fresh shoe, and what a bet is worth by the copies left of each part, class by class.
    """

    parts: Ints
    worth: Worth
    about: str


@dataclass(frozen=True)
class Protection:
    """How a game is watched; a game gives its own as `PROTECTION` in its module `protect`.

    `classes` are the classes of its simulator for A, 2 to 9, T. `worth` gives what a wager is worth in any composition of
    the shoe, where that is had exactly; of wagers for which that takes long, `slow` says in how many shoes at most it is asked.
    `finer` is what the keenest watcher knows besides. `effects` are effects of removal of wagers that are not counted but
    solved. `along` says what is bet along with a wager by itself, as shares of it; `playing` how its hands are played by a
    count. `main` are the wagers beside which another may lie, and `decisions_an_hour` how fast the game usually
    goes. `seen` are the ways to see cards that its solver can value.
    `published` are counts of others, by wager.
    """

    decisions_an_hour: int
    classes: tuple[int, ...] = ()
    main: tuple[str, ...] = ()
    worth: Callable[[Edition, Settings, str], Worth | None] = field(default=lambda *_: None)
    slow: Mapping[str, int] = field(default_factory=dict)
    finer: Callable[[Edition, Settings, str], Finer | None] = field(default=lambda *_: None)
    effects: Mapping[str, Callable[[Edition, Settings], tuple[tuple[Fraction, ...], Fraction]]] = field(default_factory=dict)
    """By wager: the effects, and what a unit is worth in a whole shoe."""
    along: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)
    playing: Mapping[str, "Callable[[PlayAsked], Playing]"] = field(default_factory=dict)
    read_play: Callable[[Path], object] | None = None
    """Reads a file by which hands are played, and refuses one that is none."""
    seen: Mapping[str, Callable[[Edition, Settings, str, Progress | None], SeenEdge]] = field(default_factory=dict)
    published: Mapping[str, tuple[PublishedCount, ...]] = field(default_factory=dict)


def protection_of(edition: Edition) -> Protection:
    """What the edition's game gives for its protection; refused where it gives nothing."""
    game = edition.game
    if not any((game.folder / name).is_file() for name in ("protect.py", "protect/__init__.py")):
        raise Refused("not-protected", f"{edition.name}: its game comes without protection (its folder has no protect.py)")
    protection = import_module(f"{game.package}.protect").PROTECTION
    assert isinstance(protection, Protection)
    return protection


def counted_simulator(edition: Edition, settings: Settings) -> Simulator:
    """The simulator that deals the shoes somebody counts; refused where there is nothing to count."""
    is_fresh, simulator = fresh_each_round(edition, settings), edition.game.simulator
    if is_fresh or not isinstance(simulator, Simulator) or simulator.sees != CLASSES:
        why = "every round has a deck of its own" if is_fresh else "its game has no shoe that can be counted here"
        ways = ", ".join(f"--seen {name}" for name in protection_of(edition).seen)
        raise Refused("nothing-to-count", f"{edition.name}: {why}" + (f" (it knows: {ways})" if ways else ""))
    return simulator
