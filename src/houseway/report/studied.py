"""An edition as a submission studies it: its wagers under every setting that is asked for, each worked out once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

from houseway.kernels.count import Progress
from houseway.odds.published import Finding, verify
from houseway.refusal import Refused
from houseway.report.asked import AskedReport
from houseway.report.parts import offered
from houseway.report.played_odds import PlayedOdds, played_odds
from houseway.rulebook import Edition, Settings
from houseway.rulebook.edition import PAY_TABLE
from houseway.rulebook.game import Value, Wager
from houseway.solve.answer import Answer
from houseway.solve.solver import solve, solver_of


@dataclass(frozen=True)
class Variant:
    """Settings that differ from those asked for in some, with an id and words that say in which."""

    id: str
    words: str
    settings: Settings
    is_asked: bool


@dataclass
class Studied:
    """What is asked, the limits of the table, the edition with all its wagers, and the odds that were worked out so far."""

    asked: AskedReport
    limits: Mapping[str, tuple[int, int]]
    whole_edition: Edition
    progress: Progress | None = None
    _odds: dict[tuple[str, Settings, str, bool], PlayedOdds] = field(default_factory=dict)
    _findings: list[Finding] | None = None
    _solved: Answer | None = None

    @property
    def edition(self) -> Edition:
        """The edition, with the wagers that are offered."""
        return self.asked.edition

    @property
    def settings(self) -> Settings:
        """The settings asked for."""
        return self.asked.settings

    @property
    def wagers(self) -> dict[str, Wager]:
        """The wagers that have odds of their own, in the edition's order."""
        return {name: wager for name, wager in offered(self.asked).items() if wager.count is not None}

    @property
    def left_out(self) -> dict[str, str]:
        """Why wagers of the edition are not offered under these settings."""
        all_wagers = {name: self.edition.game.wagers[name] for name in self.edition.wagers}
        return {name: why for name, wager in all_wagers.items() if (why := wager.refuses(self.settings))}

    @property
    def findings(self) -> list[Finding]:
        """Every figure that the edition's document prints, recomputed."""
        if self._findings is None:
            offered = set(self.edition.wagers)
            self._findings = [found for found in verify(self.whole_edition) if found.of.wager in offered]
        return self._findings

    @property
    def solved(self) -> Answer | None:
        """What the game's solver answers for the settings asked for; nothing where it has none, or where that takes minutes."""
        solver = solver_of(self.edition)
        slow = any(self.is_slow(name) for name in self.wagers) and not self.asked.options["best"]
        if self._solved is None and solver.solve is not None and not slow:
            self._solved = solve(self.edition, self.settings, {}, self.progress)
        return self._solved

    def solved_number(self, name: str) -> Fraction | float | None:
        """A share that the solver tells under this name, exact where it is."""
        told = self.solved.data.get(name) if self.solved else None
        if not isinstance(told, Mapping) or not {"percent", "exact"} <= told.keys():
            return None
        return Fraction(told["exact"]) if told["exact"] else float(told["percent"]) / 100

    def is_slow(self, wager: str) -> bool:
        """Whether solving it takes so long that it is done once, for the settings asked for."""
        return wager in solver_of(self.edition).slow

    def odds(self, wager: str, settings: Settings | None = None, player: str = "", every_result: bool = False) -> PlayedOdds:
        """The odds of a wager for the usual player, or for one who is named.

        Every result where that takes long is told for the cards and rules asked for, and for others if it is asked for.
        """
        chosen = self.settings if settings is None else settings
        key = wager, chosen, player, every_result or self._differs_in_pays_only(chosen)
        if key not in self._odds:
            self._odds[key] = played_odds(self.edition, wager, chosen, self.progress, player, key[-1])
        return self._odds[key]

    def _differs_in_pays_only(self, settings: Settings) -> bool:
        """Whether settings are those asked for but perhaps for the pay table: what is solved once serves all pay tables."""
        return all(settings[name] == value for name, value in self.settings.items() if name != PAY_TABLE)

    def with_setting(self, name: str, value: Value) -> Settings | None:
        """The settings asked for with one changed; nothing where that cannot be."""
        try:
            return self.edition.settings({**self.settings, name: value}, self.settings.what_if)
        except Refused:
            return None

    def values_of(self, name: str) -> list[Value]:
        """The value asked for, and all others that are approved."""
        return list(dict.fromkeys([self.settings[name], *self.edition.approved[name]]))

    @property
    def of_shoe(self) -> list[str]:
        """The settings that say how many cards there are, such as decks."""
        names = [
            name for name, allowed in self.edition.approved.items() if len(allowed) > 1 and name in self.edition.game.switches
        ]
        return [name for name in names if len({self._cards(name, value) for value in self.values_of(name)}) > 1]

    def _cards(self, name: str, value: Value) -> int:
        settings = self.with_setting(name, value)
        return sum(self.edition.game.shoe(settings)) if settings else 0

    def variants(self, wager: str) -> Iterator[Variant]:
        """Every pay table and number of cards in the shoe that the edition allows, those asked for first."""
        names = list(self.of_shoe) if not self.is_slow(wager) else []
        if len(self.edition.wagers[wager].pays) > 1:
            names.insert(0, PAY_TABLE)
        for values in product(*(self.values_of(name) for name in names)):
            changed = dict(zip(names, values, strict=True))
            try:
                settings = self.edition.settings({**self.settings, **changed}, self.settings.what_if)
            except Refused:  # a reading that is a question of another pay table
                continue
            id_ = ".".join(f"{name}-{value}" for name, value in changed.items()) or "all"
            words = ", ".join(f"{name.replace('-', ' ')} {value}" for name, value in changed.items())
            yield Variant(id_, words, settings, all(self.settings[name] == value for name, value in changed.items()))
