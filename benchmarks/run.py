"""Speeds, each beside its baseline in the same run (`make bench`).

Machines are noisy: compare the two columns of one run, not two runs. The best of several tries counts; compilation is
timed on its own, from an empty cache.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from math import comb
from pathlib import Path

import numpy as np

from houseway.cards import fresh_shoe
from houseway.games.duki_4_poker.game import count_ante
from houseway.games.duki_4_poker.rules import play_every_duki
from houseway.games.ez_baccarat import game as baccarat
from houseway.games.ez_baccarat.rules import resolve
from houseway.games.ez_pai_gow.game import GAME as PAI_GOW
from houseway.games.ez_pai_gow.house_way import BACKS, FRONTS, house_way_result
from houseway.games.ez_pai_gow.ranking import rank_seven
from houseway.games.ez_pai_gow.rules import dynasty
from houseway.kernels.compiled import rule
from houseway.kernels.count import count, count_by_suits
from houseway.kernels.deal import Deal, deal_by_class, deal_of_shoe
from houseway.kernels.sample import sample

HANDS = comb(53, 7)
PAI_GOW_SETTINGS = PAI_GOW.encode({switch.name: switch.values[0] for switch in PAI_GOW.switches.values()})


@rule
def best_of_21(tape, settings):
    """Baseline for a seven-card rule: value all 21 five-card hands and keep the best category."""
    return rank_seven(tape, settings) >> 20


def best(work: Callable[[], object], tries: int = 3) -> float:
    """The shortest of several tries, after one that compiles."""
    work()
    times = []
    for _ in range(tries):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def seconds(value: float) -> str:
    return f"{value * 1e6:,.0f} µs" if value < 0.001 else f"{value:,.3f} s"


def report(name: str, ours: float, target: float | None, baseline: float, described: str) -> None:
    verdict = "" if target is None else f"target {seconds(target)}: {'met' if ours <= target else 'MISSED'}"
    print(f"{name}\n    {seconds(ours):>12}   {verdict}")
    print(f"    {seconds(baseline):>12}   baseline: {described} ({baseline / ours:,.1f} x)")


def pai_gow() -> None:
    deck = deal_of_shoe(fresh_shoe(1, jokers=1), (7,))
    straight = best(lambda: count(dynasty, deck, PAI_GOW_SETTINGS, 15), tries=1)
    part = deal_of_shoe((1,) * 26 + (0,) * 26 + (1,), (7,))
    naive = best(lambda: count(best_of_21, part, PAI_GOW_SETTINGS, 10), tries=1) / part.total() * HANDS
    note = f"the best of 21 five-card hands, {part.total():,} hands scaled up"
    report(f"Dynasty, all {HANDS:,} hands, straight enumeration", straight, 6, naive, note)
    by_suits = best(lambda: count_by_suits(dynasty, 7, 1, PAI_GOW_SETTINGS, 15))
    report("Dynasty, all hands, by suit patterns", by_suits, 0.25, straight, "straight enumeration")
    size = FRONTS * BACKS * 2
    setting = best(lambda: count_by_suits(house_way_result, 7, 1, PAI_GOW_SETTINGS, size), tries=1)
    one_by_one = best(lambda: count(house_way_result, part, PAI_GOW_SETTINGS, size), tries=1) / part.total() * HANDS
    note = f"straight enumeration, {part.total():,} hands scaled up"
    report("House Way (Plaza), setting of all hands", setting, 25, one_by_one, note)


def baccarat_odds() -> None:
    shoe, settings = fresh_shoe(8), np.zeros(1, np.int64)
    ours = best(lambda: baccarat.count(shoe, settings), tries=200)
    deal = deal_by_class(shoe, baccarat.CLASSES, (1,) * 6)
    straight = best(lambda: count(resolve, deal, settings, 5))
    report("Baccarat, one composition, all five wagers, exact", ours, 240e-6, straight, "straight enumeration by points")


def duki() -> None:
    settings = np.zeros(5, np.int64)
    ours = best(lambda: count_ante(fresh_shoe(1), settings), tries=2)
    part = Deal(tuple(range(16)), (1,) * 16, (4, 4))
    pairs = comb(52, 4) * comb(48, 4)
    naive = best(lambda: count(play_every_duki, part, settings, 17)) / part.total() * pairs
    note = f"straight enumeration, {part.total():,} of {pairs:,} pairs scaled up"
    report("Duki Ante, all pairs of hands", ours, None, naive, note)


def sampling() -> None:
    deal = deal_of_shoe(fresh_shoe(8), (6,))
    ours = best(lambda: sample(resolve, deal, np.zeros(1, np.int64), 5, 1 << 20)) / (1 << 20)
    generator, cards = np.random.default_rng(1), np.repeat(np.arange(52), 8)
    numpy_draw = best(lambda: [generator.choice(cards, 6, replace=False) for _ in range(2000)]) / 2000
    print(f"Sampling baccarat rounds, Philox\n    {ours * 1e9:>9,.1f} ns   a round")
    print(f"    {numpy_draw * 1e9:>9,.1f} ns   baseline: NumPy's choice of six cards, no rule ({numpy_draw / ours:,.0f} x)")


def run(*arguments: str, cache: str | None = None) -> float:
    environment = os.environ | ({"HOUSEWAY_CACHE": cache} if cache else {})
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment)
    return time.perf_counter() - start


def command_line() -> None:
    program = str(Path(sys.executable).with_name("houseway"))
    bare = min(run("-c", "pass") for _ in range(5))
    help_ = min(run(program, "--help") for _ in range(5))
    report("houseway --help", help_, 0.3, bare, "python -c pass")
    odds = ("odds", "ez-baccarat-wa")
    with tempfile.TemporaryDirectory() as folder:
        first = run(program, *odds, cache=folder)
        later = min(run(program, *odds, cache=folder) for _ in range(5))
    numba = min(run("-c", "import numba") for _ in range(3))
    note = "python -c 'import numba', without which nothing could be counted"
    report("houseway odds ez-baccarat-wa, nothing changed since the last time", later, 0.4, numba, note)
    print(f"    {seconds(first):>12}   the first run, which compiles and counts")
    settle = ("settle", "ez-baccarat-wa", "--cards", "9s 7h Kd 3c", "--bets", "banker=100")
    report("houseway settle, one hand", min(run(program, *settle) for _ in range(3)), 0.4, numba, note)


if __name__ == "__main__":
    for part in (pai_gow, baccarat_odds, duki, sampling, command_line):
        part()
