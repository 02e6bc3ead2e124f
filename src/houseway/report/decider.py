"""Who decides in rounds for paper: the game's computed play where it has one, so that no example shows a silly decision."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from houseway.odds.half_dealt import ways_of
from houseway.odds.known import ByPlay, Policy
from houseway.report.asked import AskedReport
from houseway.rulebook.game import MissingCard, MissingChoice, Request
from houseway.solve.solver import choices, solver_of


@dataclass(frozen=True)
class Decider:
    """One who `decides` at once; or whose choices are drawn, and then looked up in the solver's where `is_looked_up`."""

    asked: AskedReport
    words: str
    decides: Policy | None = None
    is_looked_up: bool = False

    def approves(self, request: Request) -> bool:
        """Whether no choice of a round is worse than another one, as far as the solver values them."""
        if not self.is_looked_up:
            return True
        return all(self._is_best(request, place) for place in range(len(request.choices)))

    def _is_best(self, request: Request, place: int) -> bool:
        try:
            self.asked.edition.game.play(replace(request, choices=request.choices[:place], asks=True))
        except MissingChoice as missing:
            hand = next((shown for shown in missing.hands if shown.active), None) or next(iter(missing.hands), None)
            if hand is None:
                return True
            worths: Mapping[str, object] = {
                each.name: each.worth for each in choices(self.asked.edition, self.asked.settings, hand.cards)
            }
            best = next(iter(worths.values()))
            return worths.get(request.choices[place], best) == best
        except MissingCard:
            return True
        return True


def best_decider(asked: AskedReport) -> Decider:
    """Who plays the game's half-dealt rounds; else its solver, or its usual choice where that takes minutes; else chance."""
    edition, solver = asked.edition, solver_of(asked.edition)
    for name, way in ways_of(edition).items():
        if name in edition.wagers and isinstance(way, ByPlay) and way.policy is not None:
            return Decider(asked, f"the player {way.player}", way.policy(edition, asked.settings))
    if not edition.game.face.choices:
        return Decider(asked, "nothing is decided")
    usual = edition.game.dealing.default_choice
    if solver.choices is None:
        return Decider(asked, "choices are drawn as well: they show rules, not good play")
    if solver.slow and usual:
        words = edition.game.face.choices[usual].words
        return Decider(asked, f"the player's choice is the usual one ({words})", lambda _, missing: usual)
    return Decider(asked, "choices are the best ones by the game's solver", is_looked_up=True)
