"""What is keyed in at a scoreboard: the hands of this shoe, or the rounds, and the shoes before it."""

from dataclasses import dataclass, replace

from houseway.board.keypad import KeyedRound
from houseway.board.roads import RoadHand
from houseway.refusal import Refused

Keyed = RoadHand | KeyedRound


@dataclass(frozen=True)
class Scorecard:
    """The list that all roads are made from, one keystroke at a time (EZB-L1: a keypad feeds it, no shoe does).

    >>> Scorecard().add(RoadHand("B")).add(RoadHand("P")).undo().hands == (RoadHand("B"),)
    True
    """

    hands: tuple[Keyed, ...] = ()
    archive: tuple[tuple[Keyed, ...], ...] = ()

    def add(self, hand: Keyed) -> "Scorecard":
        """The card with one more hand."""
        return replace(self, hands=(*self.hands, hand))

    def undo(self) -> "Scorecard":
        """The card without its last hand; a shoe that is over stays as it is."""
        if not self.hands:
            raise Refused("nothing-to-undo", "this shoe has no hand to take back, and those before it are closed")
        return replace(self, hands=self.hands[:-1])

    def new_shoe(self) -> "Scorecard":
        """An empty card; the hands of the old shoe go to the archive, if it had any."""
        return Scorecard((), (*self.archive, self.hands)) if self.hands else self
