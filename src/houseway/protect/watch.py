"""Shoes dealt by the million, watched by somebody who counts: the compiled loop made ready, run on threads, and summed up."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np

from houseway.chunks.done import key_of
from houseway.chunks.in_use import done_in_chunks
from houseway.chunks.tallies import Tallies
from houseway.kernels.compiled import Ints
from houseway.kernels.count import Progress
from houseway.kernels.counting import (
    DECK,
    MEASURES,
    MOMENTS,
    ROUNDS,
    TRACE_WIDTH,
    Ramp,
    Watching,
    watching_loop,
)
from houseway.kernels.shoes import CLASSES, running_sums
from houseway.protect.count import Count
from houseway.protect.customs import CounterCustoms, check_customs
from houseway.protect.figures import Figures
from houseway.protect.protection import Playing, Protection, counted_simulator, protection_of
from houseway.protect.spread import BINS, BINS_TO_A_COUNT, COUNTS_SHOWN
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.simulate.simulator import Seat, Setup, Simulator

MOST_SHOES = 10**10
PACE = 4_000.0
"""About how many shoes are watched in a second."""
_TALLIES = ("bets", "by_count", "moments")
_NO_TRACE = np.zeros((0, TRACE_WIDTH), np.int64)


@dataclass(frozen=True)
class WatchedTable:
    """A wager of an edition at a table with its customs: all that somebody can watch, whatever he counts.

    Where hands are decided by a count as well, `playing` says how; else they are played as is usual.
    """

    edition: Edition
    settings: Settings
    wager: str
    customs: CounterCustoms
    seed: int = 1
    playing: Playing | None = None

    @cached_property
    def protection(self) -> Protection:
        """What the game gives."""
        return protection_of(self.edition)

    @cached_property
    def simulator(self) -> Simulator:
        """What deals."""
        simulator = counted_simulator(self.edition, self.settings)
        if self.wager not in simulator.wagers:
            raise Refused("nothing-to-count", f"{self.wager} is not among what is dealt here ({', '.join(simulator.wagers)})")
        return simulator

    @cached_property
    def setup(self) -> Setup:
        """The simulator made ready, the customs checked."""
        if self.playing:
            setup = self.playing.setup
        else:
            setup = self.simulator.setup(self.edition, self.settings, (Seat(),) * self.customs.players)
        check_customs(self.customs, sum(setup.shoe), self.least_behind(setup), self.simulator.burn_values)
        return setup

    def least_behind(self, setup: Setup) -> int:
        """So many cards must lie behind the cut card that no round runs out; none where discards are shuffled in then."""
        return 0 if setup.refills else setup.cards * (1 + self.customs.extra) - 1

    @property
    def cards(self) -> int:
        """Cards in a fresh shoe."""
        return sum(self.setup.shoe)

    @cached_property
    def copies(self) -> tuple[int, ...]:
        """Cards in a fresh shoe, A, 2 to 9, T."""
        return tuple(self.setup.shoe[kind] for kind in self.protection.classes)

    @cached_property
    def main(self) -> str:
        """The wager that costs least beside which this one may lie; none if it is one of those itself."""
        from houseway.odds.par_sheet import par_sheet

        offered = [wager for wager in self.protection.main if wager in self.edition.offered]
        if self.wager in offered or not offered:
            return ""
        if len(offered) == 1:
            return offered[0]
        return min(offered, key=lambda wager: par_sheet(self.edition, wager, self.settings).house_edge)

    def _nets(self, wager: str) -> list[Fraction]:
        """What a seat wins with a unit on a wager, and with what is bet along with it, for each cell."""
        shares, nets = {wager: Fraction(1)} | dict(self.protection.along.get(wager, {})), []
        for cell in range(self.setup.cells):
            net = Fraction(0)
            for each in self.setup.meaning(cell):
                if each.wager in shares and not each.prize:
                    pay = self.edition.pay(each.wager, each.outcome, self.settings).net
                    net += shares[each.wager] * pay * each.times
            nets.append(net)
        return nets

    @cached_property
    def pays(self) -> tuple[Ints, int, tuple[Fraction, ...]]:
        """For each cell what the wager wins, what the main bet does, and which of the wins it is; their unit; all wins."""
        own = self._nets(self.wager)
        beside = self._nets(self.main) if self.main else [Fraction(0)] * len(own)
        unit, wins = lcm(*(net.denominator for net in (*own, *beside))), sorted(set(own))
        rows = [[int(net * unit) for net in own], [int(net * unit) for net in beside], [wins.index(net) for net in own]]
        return np.array(rows, np.int64), unit, tuple(wins)

    def cuts_from(self, more: tuple[int, ...]) -> tuple[int, ...]:
        """The cut card and others, the shallowest first; none deeper than what can be dealt."""
        least = self.least_behind(self.setup)
        burned = self.customs.burn + (max(self.simulator.burn_values) if self.customs.burn_by_value else 0)
        return tuple(sorted({self.customs.cut, *(cut for cut in more if least <= cut < self.cards - burned)}, reverse=True))

    def with_cut(self, cut: int) -> "WatchedTable":
        """The same table with another cut card."""
        return replace(self, customs=replace(self.customs, cut=cut))


class Watch:
    """Somebody who counts at a table; by `main` he counts for the main bets beside, if these are not as large as his bet."""

    def __init__(self, table: WatchedTable, count: Count, more_cuts: tuple[int, ...] = (), main: Count | None = None) -> None:
        self.table, self.count, self.main = table, count, main
        self.cuts = table.cuts_from(more_cuts)
        customs, trigger = table.customs, count.trigger
        self.watching = Watching(
            seed=table.seed,
            seats=1 if table.setup.common else customs.players,
            burn=customs.burn,
            shown=customs.burn if customs.burn_shown else 0,
            extra=customs.extra,
            factor=DECK * trigger.denominator,
            least=trigger.numerator * count.unit,
            by_left=int(customs.divisor == "left"),
            bin_factor=DECK * BINS_TO_A_COUNT,
            bin_low=-COUNTS_SHOWN * BINS_TO_A_COUNT,
            bins_until=self.cuts.index(customs.cut),
            hidden_at=table.setup.hidden_at,
        )
        self._ramp, self._main = ramp_of(table, count), ramp_of(table, main or replace(count, units=()))

    @cached_property
    def _read(self) -> tuple[Any, ...]:
        """All that the loop reads: what comes of a shoe hangs on nothing else."""
        table, simulator, setup = self.table, self.table.simulator, self.table.setup
        return (
            self.watching,
            np.array([table.cards, *running_sums(setup.shoe)], np.int64),
            np.array(setup.deck, np.uint8),
            np.array(simulator.burn_values if table.customs.burn_by_value else (), np.int64),
            setup.settings,
            setup.tables,
            self._ramp,
            self._main,
            np.array(self.cuts, np.int64),
            table.pays[0],
        )

    def _run(self, first: int, last: int, trace: Ints) -> tuple[Ints, Ints, Ints]:
        table = self.table
        wins = table.pays[2]
        bets = np.zeros((len(self.cuts), len(wins)), np.int64)
        by_count = np.zeros((BINS, len(wins)), np.int64)
        moments = np.zeros((len(self.cuts), MOMENTS), np.int64)
        watching_loop(table.simulator.play_round)(
            first,
            last,
            *self._read,
            np.zeros(2 * (table.cards // 5 + 2), np.uint64),
            np.array(table.setup.deck, np.uint8),
            np.zeros(self.watching.seats, np.int64),
            np.zeros(CLASSES, np.int64),
            np.zeros(len(self.cuts), np.int64),
            np.zeros(MEASURES + 2, np.int64),
            bets,
            by_count,
            moments,
            trace,
        )
        return bets, by_count, moments

    def trace(self, first: int, last: int) -> Ints:
        """Every round of these shoes, a row each: see `kernels.counting` for the columns."""
        _, _, moments = self._run(first, last, _NO_TRACE)
        rows = np.zeros((int(moments[-1, ROUNDS]), TRACE_WIDTH), np.int64)
        self._run(first, last, rows)
        return rows

    def watched(self, shoes: int, progress: Progress | None = None) -> "Watched":
        """The first so many shoes of the seed, summed up."""
        if not 1 <= shoes <= MOST_SHOES:
            raise Refused("bad-shoes", f"{shoes} shoes cannot be dealt: give a number from 1 to {MOST_SHOES:,}")

        def work(first: int, last: int) -> Tallies:
            return dict(zip(_TALLIES, self._run(first, last, _NO_TRACE), strict=True))

        work(0, 0)  # compiled by one thread, before others need it
        key = key_of(("simulate", "protect"), self.table.edition.game.folder, f"{shoes}".encode(), *_bytes_of(self._read))
        bets, by_count, moments = done_in_chunks(work, shoes, key, progress, PACE).values()
        return Watched(self, shoes, bets.cumsum(axis=0), by_count, moments)


def _bytes_of(given: Any) -> Iterator[bytes]:
    """What numbers, arrays and tuples of them hold, with their kind and shape."""
    if isinstance(given, tuple):
        for each in given:
            yield from _bytes_of(each)
    else:
        array = np.asarray(given)
        yield f"{array.dtype} {array.shape}".encode()
        yield array.tobytes()


def ramp_of(table: WatchedTable, count: Count) -> Ramp:
    """How a count is kept and bet by, as the loop reads it."""
    tags = np.zeros(CLASSES, np.int64)
    tags[list(table.protection.classes)] = count.whole_tags
    units = np.array(count.units, np.int64)
    return Ramp(tags, int((count.start or 0) * count.unit), divisors_of(table, count), count.unit, units)


def divisors_of(table: WatchedTable, count: Count) -> Ints:
    """By the number of unseen (or left) cards, how many cards a count is spread over; a running count is not divided."""
    return table.customs.divisors(table.cards) if count.start is None else np.full(table.cards + 1, DECK, np.int64)


@dataclass(frozen=True)
class Watched:
    """What was seen: at each cut card the bets by what they won and the sums over shoes; and all rounds by count."""

    watch: Watch
    shoes: int
    bets: Ints
    by_count: Ints
    moments: Ints

    def figures(self, cut: int | None = None) -> Figures:
        """What it came to with a cut card, that of the table if none is named."""
        place = self.watch.cuts.index(self.watch.table.customs.cut if cut is None else cut)
        _, unit, _ = self.watch.table.pays
        return Figures.of(self.shoes, self.moments[place], unit)

    def edges(self) -> list[dict[str, Any]]:
        """By count, from the lowest: rounds and what a unit bet in all of them would have won, with its error."""
        _, _, wins = self.watch.table.pays
        nets, rows = np.array([float(net) for net in wins]), []
        for bin_, seen in enumerate(self.by_count):
            rounds = int(seen.sum())
            if rounds < 2:
                continue
            mean = float(seen @ nets) / rounds
            spread = float(seen @ nets**2) / rounds - mean**2
            rows.append(
                {
                    "count": bin_ / BINS_TO_A_COUNT - COUNTS_SHOWN,
                    "rounds": rounds,
                    "edge": mean,
                    "standard_error": (spread / rounds) ** 0.5,
                }
            )
        return rows
