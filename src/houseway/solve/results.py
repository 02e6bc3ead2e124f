"""Every result of a wager for the best player, where a solver finds them in floats: no deals are counted one by one."""

from dataclasses import dataclass
from fractions import Fraction

Number = Fraction | float


@dataclass(frozen=True)
class SolvedResult:
    """One way in which a round can come out: what it nets for each unit of the first bet, and how likely it is."""

    outcome: str
    name: str
    pays: str
    net: Fraction
    probability: Number

    @property
    def contribution(self) -> Number:
        """What this result adds to the player's return for each unit of the first bet."""
        return self.net * self.probability


@dataclass(frozen=True)
class SolvedResults:
    """All of them, and what is `staked` on average for each unit of the first bet, raises included."""

    rows: tuple[SolvedResult, ...]
    staked: Number

    @property
    def house_edge(self) -> Number:
        """The house's expected share of each unit of the first bet."""
        return -sum((row.contribution for row in self.rows), Fraction(0))

    @property
    def element_of_risk(self) -> Number:
        """The expected loss over all that is staked."""
        return self.house_edge / self.staked
