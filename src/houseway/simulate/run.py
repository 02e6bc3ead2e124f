"""A simulation from question to tallies: whole units, until there are enough."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from houseway.chunks.carry_out import carry_out
from houseway.chunks.done import KeptDone, key_of
from houseway.chunks.engines import Cluster, Engine, Threads, Work
from houseway.chunks.tallies import Tallies
from houseway.refusal import Refused, one_of
from houseway.simulate.dealer import ROUNDS_OF_SHOES, Opener, UnitDealer, deal_chunk, dealer_of, rounds_dealt
from houseway.simulate.question import SimulationQuestion

ENGINES = ("threads", "dask", "cuda")


class Progress(Protocol):
    """Is told, now and then, how many rounds are done, how many are asked for, and how many are done in a second."""

    def __call__(self, done: int, total: int, rate: float) -> None:
        """Say so."""
        ...


@dataclass(frozen=True)
class Goal:
    """Whole shoes until there are at least so many rounds, or so many shoes: one of the two."""

    rounds: int = 0
    shoes: int = 0

    def __post_init__(self) -> None:
        if bool(self.rounds) == bool(self.shoes) or min(self.rounds, self.shoes) < 0:
            raise Refused("bad-goal", "say how much is to be dealt: --rounds or --shoes, one of them and at least 1")


@dataclass(frozen=True)
class Simulation:
    """What was dealt: rounds, shoes and tallies, by whom, and in what time (`resumed_rounds` were done before)."""

    question: SimulationQuestion
    dealer: UnitDealer
    engine: str
    workers: int
    rounds: int
    shoes: int
    units: int
    tallies: Tallies
    seconds: float
    resumed_rounds: int = 0


SoFar = Callable[[Simulation], None]
"""Is told, now and then, what is dealt so far: the first shoes (or sessions), so that the same can be dealt again."""


def engine_of(name: str, scheduler: str = "", workers: int = 0) -> Engine:
    """The engine of this name."""
    one_of("engine", name, ENGINES)
    if scheduler and name != "dask":
        raise Refused("bad-request", f"--scheduler goes with --engine dask, not with {name}")
    if name == "dask":
        return Cluster(scheduler, workers)
    if name == "cuda":
        return Threads(1)
    return Threads(workers)


def simulate(
    question: SimulationQuestion,
    goal: Goal,
    opener: Opener,
    engine: str = "threads",
    scheduler: str = "",
    workers: int = 0,
    resume: bool = False,
    progress: Progress | None = None,
    so_far: SoFar | None = None,
) -> Simulation:
    """Deal until the goal is met; the tallies are those of the first units, whatever engine dealt them."""
    if goal.shoes and question.session_rounds:
        raise Refused("bad-goal", "sessions are counted in rounds: give --rounds, not --shoes")
    text = question.as_text()
    dealer = dealer_of(opener, text)
    work: Work = partial(deal_chunk, opener, text)
    pace = dealer.pace
    if engine == "cuda":
        from houseway.simulate.graphics import GraphicsDealer

        graphics = GraphicsDealer(dealer)
        work, pace = graphics.deal, graphics.pace()
    doing = engine_of(engine, scheduler, workers)
    key = key_of(("simulate",), dealer.opened.edition.game.folder, f"{goal} {text}".encode())
    kept = KeptDone(key, resume)
    before, began = rounds_dealt(kept.done.tallies), time.monotonic()

    def dealt() -> Simulation:
        tallies = {name: array.copy() for name, array in kept.done.tallies.items()}
        return Simulation(
            question, dealer, engine, doing.workers, rounds_dealt(tallies), int(tallies[ROUNDS_OF_SHOES].sum()),
            kept.done.units, tallies, time.monotonic() - began, before,
        )  # fmt: skip

    def report(_: int) -> None:
        if progress:
            done = rounds_dealt(kept.done.tallies)
            progress(done, *(_rate(goal, question, kept, done, done - before, time.monotonic() - began)))
        if so_far and kept.done.is_whole:
            so_far(dealt())

    try:
        last = max(_units(goal, question, dealer, 0, 0), kept.done.end)
        while last:
            carry_out(work, last, kept, doing, pace, report)
            rounds = rounds_dealt(kept.done.tallies)
            last = _units(goal, question, dealer, rounds, last)
    finally:
        doing.close()
    kept.forget()
    return dealt()


def _units(goal: Goal, question: SimulationQuestion, dealer: UnitDealer, rounds: int, units: int) -> int:
    """Up to which unit to deal next, after so many rounds in so many units; 0 if that is enough.

    Never more units than are needed, so that where to end hangs on the shoes alone: as many as cannot give too many rounds.
    """
    if goal.shoes:
        return goal.shoes if units < goal.shoes else 0
    if question.session_rounds:
        wanted = -(-goal.rounds // question.session_rounds)
        return wanted if units < wanted else 0
    missing = goal.rounds - rounds
    return units + max(1, missing // dealer.most_rounds) if missing > 0 else 0


def _rate(goal: Goal, question: SimulationQuestion, kept: KeptDone, done: int, dealt: int, seconds: float) -> tuple[int, float]:
    """How many rounds there will be, and how many are done in a second."""
    total = goal.rounds or round(goal.shoes * done / max(kept.done.units, 1))
    return max(total, done), dealt / seconds if seconds else 0.0
