"""Sessions: how the win after so many rounds is spread, what a house holds, who is ruined, and how long one loses."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from houseway.chunks.tallies import Tallies
from houseway.kernels.compiled import Ints
from houseway.kernels.rounds import DRAWDOWN, HIGHEST, LOSING_RUN, LOWEST, WIN
from houseway.simulate.dealer import SESSIONS, Opened
from houseway.simulate.scales import Scales

RANGES = (90, 95, 99)
"""Per cent of the sessions that lie within the ranges."""


@dataclass(frozen=True)
class Share:
    """A share of all sessions, with its standard error: at least one session's worth, for none or all of them prove little."""

    share: float
    standard_error: float


@dataclass(frozen=True)
class Sessions:
    """What became of the sessions, in cents as the players see it; where bins are wider than a cent, to `width_cents`."""

    count: int
    rounds: int
    staked_cents: int
    counted: Ints
    scales: Scales

    @property
    def width_cents(self) -> int:
        """How fine money is told apart."""
        return int(self.scales.rows[WIN, 1])

    def quantile(self, measure: int, share: float) -> int:
        """The least value that is not exceeded in this share of the sessions."""
        running = np.cumsum(self.counted[measure])
        place = int(np.searchsorted(running, share * self.count - 1e-9))
        return int(self.scales.values(measure)[min(max(place - 1, 0), self.scales.bins - 2)])

    def mean(self, measure: int) -> float:
        """The average; what lies beyond the bins counts as if at their end."""
        values = self.scales.values(measure)
        padded = np.concatenate([values[:1], values])
        return float(self.counted[measure] @ padded) / self.count

    def deviation(self, measure: int) -> float:
        """The standard deviation."""
        values = self.scales.values(measure).astype(np.float64)
        padded = np.concatenate([values[:1], values])
        return sqrt(max(0.0, float(self.counted[measure] @ (padded - self.mean(measure)) ** 2) / self.count))

    def win_range(self, percent: int) -> tuple[int, int]:
        """Between which wins of the players so many per cent of the sessions end, as many above as below."""
        tail = (100 - percent) / 200
        return self.quantile(WIN, tail), self.quantile(WIN, 1 - tail)

    def hold_range(self, percent: int) -> tuple[float, float]:
        """What the house holds of all that was staked at first, in so many per cent of the sessions."""
        low, high = self.win_range(percent)
        return -high / self.staked_cents, -low / self.staked_cents

    def ruined(self, measure: int, cents: int) -> Share:
        """How often all of so much was lost at some time: of a bankroll (`LOWEST`) or of a bank (`HIGHEST`)."""
        values = np.concatenate([self.scales.values(measure)[:1] - 1, self.scales.values(measure)])
        lost = values <= -cents if measure == LOWEST else values >= cents
        share = float(self.counted[measure] @ lost) / self.count
        return Share(share, max(sqrt(share * (1 - share) / self.count), 1 / self.count))

    def spread(self, measure: int) -> list[tuple[int, int]]:
        """The values that came, and in how many sessions."""
        values = np.concatenate([self.scales.values(measure)[:1] - 1, self.scales.values(measure)])
        return [(int(values[place]), int(self.counted[measure][place])) for place in np.nonzero(self.counted[measure])[0]]

    def data(self, bankroll_cents: int = 0, bank_cents: int = 0) -> dict[str, Any]:
        """As plain data."""
        ruin: dict[str, Any] = {}
        for name, measure, cents in (("bankroll", LOWEST, bankroll_cents), ("bank", HIGHEST, bank_cents)):
            if cents:
                ruined = self.ruined(measure, cents)
                ruin[name] = {"cents": cents, "ruined": ruined.share, "standard_error": ruined.standard_error}
        return {
            "sessions": self.count,
            "rounds": self.rounds,
            "staked_cents": self.staked_cents,
            "bin_cents": self.width_cents,
            "win_cents": _measured(self, WIN) | {"standard_deviation": self.deviation(WIN)},
            "win_range_cents": {str(percent): list(self.win_range(percent)) for percent in RANGES},
            "hold_range": {str(percent): list(self.hold_range(percent)) for percent in RANGES},
            "risk_of_ruin": ruin,
            "longest_losing_run": _measured(self, LOSING_RUN),
            "drawdown_cents": _measured(self, DRAWDOWN),
            "distribution": [{"win_cents": win, "sessions": count} for win, count in self.spread(WIN)],
        }


def _measured(sessions: Sessions, measure: int) -> dict[str, float]:
    """A measure in a few numbers."""
    quantiles: Mapping[str, float] = {"median": 0.5, "90": 0.9, "99": 0.99}
    return {"mean": sessions.mean(measure), **{name: sessions.quantile(measure, share) for name, share in quantiles.items()}}


def sessions_of(opened: Opened, tallies: Tallies, scales: Scales | None) -> Sessions | None:
    """The sessions that were dealt; nothing if none were asked for."""
    rounds = opened.question.session_rounds
    if not rounds or scales is None:
        return None
    counted = tallies[SESSIONS]
    staked = rounds * sum(sum(seat.bets.values()) for seat in opened.question.seats)
    return Sessions(int(counted[WIN].sum()), rounds, staked, counted, scales)
