"""EZ Pai Gow's base wager of an edition: for a player by a House Way, a perfect one, and one who remembers a few lines."""

import json
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np

from houseway.chunks.engines import Work
from houseway.chunks.in_use import is_elsewhere
from houseway.chunks.tallies import Tallies
from houseway.kernels.compiled import Ints
from houseway.kernels.count import Progress
from houseway.rulebook.edition import Edition, load_edition
from houseway.rulebook.settings import Settings
from houseway.solve.kept import are_kept, if_kept, kept, kept_arrays, key_of

from ..game import GAME
from . import BEST, LINES
from . import best as pai_gow_best
from . import lines as pai_gow_lines
from . import pairs as pai_gow
from .hands import FULL, Deck, Hands, Words


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
    def dealer(self) -> pai_gow.Values:
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
            counted, key = self.pair_count(player), self._key("pairs begun", player)
            work: Work = partial(count_elsewhere, self.as_text(player)) if is_elsewhere() else counted.count
            return asdict(pai_gow.carried_out(counted, work, key, self.progress))

        return pai_gow.Pairs(**kept(self._key("pairs", player), compute))

    def pair_count(self, player: str) -> pai_gow.PairCount:
        """What all deals for this player are counted by."""
        return pai_gow.PairCount.of(self.hands, *self._both_words(player))

    def _both_words(self, player: str) -> tuple[Ints, Words, Words]:
        """How both set their hands; of how the dealer does no more is kept, for the room that it takes."""
        dealer = self.dealer
        del self.__dict__["dealer"]
        return pai_gow.both_words(dealer if player == str(self.settings["house-way"]) else self.sets_of(player), dealer)

    def as_text(self, player: str) -> str:
        """All that a worker elsewhere needs to count the same."""
        edition, chosen = self.edition, list(self.settings.items())
        readings = chosen, self.settings.what_if, self.queen_high_pushes
        return json.dumps((edition.document, edition.label, *readings, self.deck.ranks, player))

    def known_pairs(self, player: str) -> pai_gow.Pairs | None:
        """The same, if all deals were counted before."""
        kept_pairs = if_kept(self._key("pairs", player))
        return pai_gow.Pairs(**kept_pairs) if kept_pairs else None

    def sets_of(self, player: str) -> pai_gow.Values:
        """How such a player sets one hand of each class."""
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

    def values_sets_at_once(self) -> bool:
        """Whether the dealer's hands, which take seconds, are kept."""
        return are_kept(self._key("hands"))

    def edge(self, player: str) -> Fraction:
        """The house edge against this player."""
        pairs, paid = self.pairs(player), self.edition.pay
        won, lost = (paid("base", outcome, self.settings).net for outcome in ("win", "lose"))
        return -(pairs.win * won + pairs.lose * lost) / self.deck.deals


@lru_cache(maxsize=1)
def _counted_from(text: str) -> pai_gow.PairCount:
    """Everything that pairs are counted by, made once in a worker."""
    document, label, settings, what_if, queen_high_pushes, ranks, player = json.loads(text)
    edition = load_edition(document, label, (document["game"],), lambda _: GAME)
    chosen = edition.settings(dict(settings), what_if)
    return Solution(edition, chosen, None, queen_high_pushes, Deck(tuple(ranks))).pair_count(player)


def count_elsewhere(text: str, first: int, last: int) -> Tallies:
    """What a worker of a cluster does of a count."""
    return _counted_from(text).count(first, last)
