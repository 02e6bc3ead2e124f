"""What a simulation says: as data, as rows, as text, and as a picture."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from houseway.kernels.rounds import DRAWDOWN, HIGHEST, LOSING_RUN, LOWEST, WIN
from houseway.money import dollars
from houseway.refusal import number_of
from houseway.simulate.dealer import ROUNDS_OF_SHOES, Opened, Results
from houseway.simulate.plots import plots
from houseway.simulate.run import Simulation
from houseway.simulate.sessions import RANGES, Sessions, sessions_of
from houseway.simulate.statistics import FLAGGED, SeatResults, WagerStatistics, wager_statistics
from houseway.solve.answer import DIGEST, SHORT_DIGEST, Answer, table

MOST_JOINT = 24
"""So many joint results are listed, the most frequent first."""


@dataclass(frozen=True)
class Simulated:
    """A simulation with all that can be asked of it."""

    simulation: Simulation
    bankroll_cents: int = 0
    bank_cents: int = 0

    @property
    def opened(self) -> Opened:
        """The question, the edition and the settings."""
        return self.simulation.dealer.opened

    @property
    def rounds(self) -> int:
        """Rounds dealt."""
        return self.simulation.rounds

    @property
    def shoes(self) -> int:
        """Shoes dealt from."""
        return self.simulation.shoes

    @cached_property
    def told(self) -> list[SeatResults]:
        """What the seats met."""
        return [SeatResults(*each) for each in self.simulation.dealer.tells(self.simulation.tallies)]

    @cached_property
    def wagers(self) -> dict[str, WagerStatistics]:
        """Every wager by its id."""
        return {each.wager.id: each for each in wager_statistics(self.opened, self.told, self.rounds)}

    @cached_property
    def sessions(self) -> Sessions | None:
        """The sessions, if any were asked for."""
        return sessions_of(self.opened, self.simulation.tallies, self.simulation.dealer.scales)

    @cached_property
    def joint(self) -> list[tuple[Results, int]]:
        """All results of a seat in one round together, with the rounds in which they came; the most frequent first."""
        counted: Counter[Results] = Counter()
        for each in self.told:
            counted[each.results] += each.rounds
        return counted.most_common()

    @property
    def rounds_of_shoes(self) -> dict[int, int]:
        """How many shoes gave so many rounds."""
        return {rounds: int(n) for rounds, n in enumerate(self.simulation.tallies[ROUNDS_OF_SHOES][0]) if n}

    @property
    def flagged(self) -> list[str]:
        """Wagers whose return lies too far from the exact one."""
        return [name for name, each in self.wagers.items() if each.is_flagged]

    def data(self) -> dict[str, Any]:
        """As plain data, under the names that others script against."""
        question, simulation = self.opened.question, self.simulation
        return {
            "edition": self.opened.edition.id,
            "digest": DIGEST,
            "settings": dict(self.opened.settings),
            "seed": question.seed,
            "engine": simulation.engine,
            "rounds": self.rounds,
            "shoes": self.shoes,
            "wagers": [_wager_data(each) for each in self.wagers.values()],
            "sessions": self.sessions.data(self.bankroll_cents, self.bank_cents) if self.sessions else None,
            "conventions": _customs(self.opened),
            "seats": [{"bets": dict(seat.bets), "player": seat.player} for seat in question.seats],
            "rounds_per_shoe": {"mean": self.rounds / self.shoes, "shoes": self.rounds_of_shoes},
            "joint": [
                {"results": [[e.wager, e.outcome, str(e.times)] for e in results], "rounds": rounds}
                for results, rounds in self.joint[:MOST_JOINT]
            ],
            "notes": list(simulation.dealer.notes),
        }

    def rows(self) -> list[dict[str, Any]]:
        """An outcome of a wager in each row."""
        question = self.opened.question
        return [
            {
                "edition": self.opened.edition.id,
                "seed": question.seed,
                "engine": self.simulation.engine,
                "rounds": self.rounds,
                "shoes": self.shoes,
                "wager": each.wager.id,
                "outcome": outcome,
                "hits": hits,
                "return": float(each.mean),
                "standard_error": each.standard_error,
                "exact": None if each.exact is None else float(each.exact),
                "z": each.z,
            }
            for each in self.wagers.values()
            for outcome, hits in _in_order(each)
        ]

    def answer(self) -> Answer:
        """In all forms."""
        return Answer(self.data(), self.rows(), self.text(), {".svg": self.picture()}, self.simulation.dealer.notes)

    def text(self) -> str:
        """For a person."""
        simulation, question = self.simulation, self.opened.question
        lines = [
            f"{self.opened.edition.name} · digest {SHORT_DIGEST}",
            f"{self.rounds:,} rounds from {number_of(self.shoes, 'shoe')}, "
            f"{number_of(len(question.seats), 'seat')}, seed {question.seed}",
            _customs_text(self.opened),
            f"engine {simulation.engine}, {number_of(simulation.workers, 'worker')}",
        ]
        for each in self.wagers.values():
            lines += ["", _wager_text(each)]
        if self.sessions:
            lines += ["", self._sessions_text(self.sessions)]
        if self.flagged:
            lines += ["", f"FLAGGED: {', '.join(self.flagged)}: more than {FLAGGED:g} standard errors from the exact return"]
        return "\n".join(lines)

    def _sessions_text(self, sessions: Sessions) -> str:
        bets = [
            ", ".join(f"{wager} {dollars(cents)}" for wager, cents in seat.bets.items()) for seat in self.opened.question.seats
        ]
        lines = [
            f"{sessions.count:,} sessions of {sessions.rounds:,} rounds; bets: {' / '.join(dict.fromkeys(bets))}",
            f"  the players' win: mean {_money(sessions.mean(WIN))}, standard deviation {_money(sessions.deviation(WIN))}",
        ]
        for percent in RANGES:
            (low, high), (least, most) = sessions.win_range(percent), sessions.hold_range(percent)
            lines.append(
                f"  {percent} % of sessions: players {dollars(low)} to {dollars(high)}, "
                f"the house holds {least:.3%} to {most:.3%} of the bets"
            )
        for name, measure, cents in (("bankroll", LOWEST, self.bankroll_cents), ("bank", HIGHEST, self.bank_cents)):
            if cents:
                ruin = sessions.ruined(measure, cents)
                lines.append(
                    f"  a {name} of {dollars(cents)} is lost in {ruin.share:.4%} ± {ruin.standard_error:.4%} of the sessions"
                )
        runs, falls = ([sessions.quantile(measure, share) for share in (0.5, 0.99)] for measure in (LOSING_RUN, DRAWDOWN))
        lines += [
            f"  longest losing run: {runs[0]} rounds in the middle, more than {runs[1]} in 1 of 100 sessions",
            f"  largest fall from a height: {dollars(falls[0])} in the middle, more than {dollars(falls[1])} in 1 of 100",
        ]
        return "\n".join(lines)

    def picture(self) -> str:
        """The spread of sessions and of rounds in a shoe, and the returns with their errors, as SVG."""
        return plots(self)


def _money(cents: float) -> str:
    return dollars(round(cents))


def _customs(opened: Opened) -> dict[str, Any]:
    customs = opened.question.customs
    burn: int | str = "value" if customs.burn_by_value else customs.burn
    return {"cut": customs.cut, "burn": burn, "extra_rounds": customs.extra, "shuffled_each_round": customs.shuffler}


def _customs_text(opened: Opened) -> str:
    customs = opened.question.customs
    if customs.shuffler:
        return "every round from a whole shoe"
    burned = "the first card and as many as it is worth" if customs.burn_by_value else number_of(customs.burn, "card")
    extra = f", {number_of(customs.extra, 'more round')} after the one in which it comes" if customs.extra else ""
    return f"burned: {burned}; {number_of(customs.cut, 'card')} behind the cut card{extra}"


def _in_order(each: WagerStatistics) -> list[tuple[str, int]]:
    """The outcomes in the order of the wager, those that never came as well if the par sheet lists them."""
    known = {row.outcome for row in each.sheet.rows} if each.sheet else set(each.hits)
    return [(o.id, each.hits.get(o.id, 0)) for o in each.wager.outcomes if o.id in known or each.hits.get(o.id)]


def _wager_data(each: WagerStatistics) -> dict[str, Any]:
    return {
        "wager": each.wager.id,
        "outcomes": [{"outcome": outcome, "hits": hits} for outcome, hits in _in_order(each)],
        "return": float(each.mean),
        "standard_error": each.standard_error,
        "exact": None if each.exact is None else float(each.exact),
        "z": each.z,
    }


def _wager_text(each: WagerStatistics) -> str:
    head = ("outcome", "hits", "share", "exact share")
    body = []
    for outcome, hits in _in_order(each):
        exact = (
            f"{float(each.sheet[outcome].probability):.8f}"
            if each.sheet and outcome in {r.outcome for r in each.sheet.rows}
            else ""
        )
        body.append((outcome, f"{hits:,}", f"{hits / max(each.rounds, 1):.8f}", exact))
    against = "no exact odds to hold it against"
    if each.exact is not None:
        z = "" if each.z is None else f", z {each.z:+.2f}"
        against = f"exact {float(each.exact) * 100:+.5f} %{z}" + (" FLAGGED" if each.is_flagged else "")
    title = f"{each.wager.name} ({each.wager.id})"
    returned = f"  return {float(each.mean) * 100:+.5f} ± {each.standard_error * 100:.5f} %; {against}"
    if not body:
        return f"{title}: never at stake"
    return "\n".join([title, table([head, *body], right=(1, 2, 3), indent="  "), returned])
