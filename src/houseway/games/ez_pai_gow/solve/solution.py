"""EZ Pai Gow's base wager of an edition: for a player by a House Way, a perfect one, and one who remembers a few lines."""

from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from houseway.kernels.compiled import Ints
from houseway.kernels.count import Progress
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.solve.kept import kept, kept_arrays, key_of

from . import BEST, LINES
from . import best as pai_gow_best
from . import lines as pai_gow_lines
from . import pairs as pai_gow
from .hands import FULL, Deck, Hands


@dataclass
class Solution:
    """Everything about the base wager against the dealer's House Way of these settings; what takes long is kept on disk."""

    edition: Edition
    settings: Settings
    progress: Progress | None = None
    queen_high_pushes: bool = True
    deck: Deck = FULL

    def _key(self, what: str, *details: object) -> str:
        return key_of(self.edition, self.settings, "base", what, self.queen_high_pushes, self.deck, *details)

    @cached_property
    def hands(self) -> Hands:
        """All hands."""
        return Hands(self.deck)

    @cached_property
    def way(self) -> Ints:
        """The dealer's House Way."""
        return self.edition.game.encode(self.settings)

    @cached_property
    def dealer(self) -> Ints:
        """How the dealer sets every hand; no Queen-high pai gow is told apart where it does not push."""
        values = pai_gow.set_by_house_way(self.hands, self.way)
        values[:, 2] *= self.queen_high_pushes
        return values

    @cached_property
    def valued(self) -> pai_gow_best.Valued:
        """What every set of every hand is worth."""

        def compute() -> list[Any]:
            valued = pai_gow_best.value_all_sets(self.hands, self.way, self.dealer, self._key("values"), self.progress)
            return [valued.gained.astype(np.int32)]

        (gained,) = kept_arrays(self._key("gained"), compute)
        return pai_gow_best.Valued(pai_gow_best.list_sets(self.hands, self.way), np.asarray(gained, np.int64))

    @cached_property
    def lines(self) -> pai_gow_lines.Lines:
        """The few lines to remember."""
        return pai_gow_lines.find_lines(self.hands, self.valued)

    def lines_in_words(self) -> dict[str, Any]:
        """The few lines in words, and what they cost against the best play."""

        def compute() -> dict[str, Any]:
            return {"lines": self.lines.in_words(), "cost": str(self.lines.cost)}

        return kept(self._key("lines in words"), compute)

    def pairs(self, player: str) -> pai_gow.Pairs:
        """All deals, for a player by a House Way, by the best play, or by the lines."""

        def compute() -> dict[str, int]:
            values = self._sets_of(player)
            return asdict(pai_gow.count_deals(self.hands, values, self.dealer, self._key("pairs begun", player), self.progress))

        return pai_gow.Pairs(**kept(self._key("pairs", player), compute))

    def _sets_of(self, player: str) -> Ints:
        if player in {BEST, LINES}:
            return self.valued.sets_at(self.valued.best() if player == BEST else self.lines.chosen)
        settings = self.edition.settings({**self.settings, "house-way": player}, what_if=True)
        return pai_gow.set_by_house_way(self.hands, self.edition.game.encode(settings))

    def value_sets(self, cards: tuple[int, ...]) -> list[pai_gow_best.SetValue]:
        """Every legal set of a hand, the best first."""

        def compute() -> list[Any]:
            return list(vars(pai_gow_best.DealersHands.of(self.hands, self.dealer)).values())

        dealers = pai_gow_best.DealersHands(*kept_arrays(self._key("hands"), compute))
        return dealers.value_sets(cards, self.way)

    def edge(self, player: str) -> Fraction:
        """The house edge against this player."""
        pairs, paid = self.pairs(player), self.edition.pay
        won, lost = (paid("base", outcome, self.settings).net for outcome in ("win", "lose"))
        return -(pairs.win * won + pairs.lose * lost) / self.deck.deals
