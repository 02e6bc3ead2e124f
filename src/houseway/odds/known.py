"""What a guest knows in the middle of a round, how a game's rules read that, and what the odds are then: the vocabulary."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

from houseway.kernels.compiled import Ints, Rule
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import MissingChoice, Request, Value

Cards = tuple[int | None, ...]
"""Cards in the order in which they came; None for one that lies face down."""


@dataclass(frozen=True)
class SeatAsked:
    """A seat that is asked to decide, for all to see: the dealer's hidden card is none that would have ended the round."""

    own: tuple[int, ...]
    choices: tuple[str, ...]
    bets: Mapping[str, int]


@dataclass(frozen=True)
class KnownCards:
    """What a guest knows at a moment of a round: the cards that lie face up for him, and what was decided."""

    own: Cards = ()
    dealer: Cards = ()
    common: tuple[int, ...] = ()
    community: tuple[int, ...] = ()
    others: tuple[int, ...] = ()
    choices: tuple[str, ...] = ()
    bets: Mapping[str, int] = field(default_factory=dict)
    asked: SeatAsked | None = None

    @property
    def cards(self) -> tuple[int, ...]:
        """All of them."""
        hands = (self.own, self.dealer, self.common, self.community, self.others)
        return tuple(card for hand in hands for card in hand if card is not None)


@dataclass(frozen=True)
class HalfTape:
    """A tape as far as it is known, for a compiled rule that answers with one of the wager's outcomes.

    `groups` are the sizes of runs of unknown places whose order the rule does not mind. `classes` are cards that it cannot tell
    apart. `player` says who makes the decisions that are still to come, if any do.
    """

    rule: Rule
    tape: tuple[int | None, ...]
    groups: tuple[int, ...]
    settings: Ints
    classes: tuple[tuple[int, ...], ...] = ()
    player: str = ""


Policy = Callable[[Request, MissingChoice], str]


@dataclass(frozen=True)
class ByPlay:
    """A wager that is played out through `play`: `policy` gives, for the settings, who makes the decisions still to come."""

    policy: Callable[[Edition, Mapping[str, Value]], Policy] | None = None
    player: str = ""
    classes: tuple[tuple[int, ...], ...] = ()


Reads = Callable[[KnownCards, Mapping[str, Value], Ints], "HalfTape | str"]
"""How a rule reads what is known: a half tape, or the outcome, where a decision has settled it."""


@dataclass(frozen=True)
class Ending:
    """One way in which a wager can end: what it is called, what that nets for each unit staked, and its weight of all ways.

    Ways are deals, or chances where those are solved in floats.
    """

    id: str
    name: str
    net: Fraction
    ways: int | Fraction


@dataclass(frozen=True)
class KnownOdds:
    """How a wager can end from here: exact, solved in floats, or sampled with a standard error.

    `player` decides what is still to be decided.
    """

    endings: tuple[Ending, ...]
    exact: bool
    player: str = ""
    in_floats: bool = False

    @property
    def sampled(self) -> bool:
        """Whether chance was at work, and so all figures have an error."""
        return not self.exact and not self.in_floats

    @property
    def total(self) -> int | Fraction:
        """All ways: the denominator of every chance."""
        return sum(ending.ways for ending in self.endings)

    def chance(self, ending: Ending) -> Fraction:
        """How likely it ends so."""
        return Fraction(ending.ways) / self.total

    @property
    def expected(self) -> Fraction:
        """The expected net win for each unit staked."""
        return sum((ending.net * ending.ways for ending in self.endings), Fraction(0)) / self.total

    @property
    def expected_error(self) -> float:
        """Its standard error: zero where it is not sampled."""
        squares = sum((ending.net**2 * ending.ways for ending in self.endings), Fraction(0)) / self.total
        return sqrt(squares - self.expected**2) / sqrt(self.total) if self.sampled else 0.0

    def chance_error(self, ending: Ending) -> float:
        """The standard error of a chance; one that never came is below three in so many deals, by the rule of three."""
        if not self.sampled:
            return 0.0
        chance = float(self.chance(ending))
        return sqrt(chance * (1 - chance) / self.total) if 0 < chance < 1 else float(1 / self.total)
