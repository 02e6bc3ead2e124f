"""How fast shoes are dealt: ratios in one run, sides in turn, CPU time where one thread works.

python benchmarks/simulate.py                     # this machine: one thread against `sample`, two threads, a local Dask cluster
python benchmarks/simulate.py --hands             # Duki 4 Poker and EZ Pai Gow: a round, and what of it is only dealing cards
python benchmarks/simulate.py --cuda baccarat     # an NVIDIA card, from a checkout: numpy and numba (numba-cuda) are enough
python benchmarks/simulate.py --cuda blackjack    # with what Houseway itself needs

With --cuda the card's tallies are compared with one thread's, to the last integer, before anything is timed.
"""

import argparse
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

SOURCE = Path(__file__).resolve().parent.parent / "src" / "houseway"
TURNS = 7
BLOCKS = (132 * 8, 132 * 16, 132 * 32)
"""Of a launch, so many for each of 132 multiprocessors."""
Arrays = tuple[np.ndarray, ...]


def bare(*packages: str) -> None:
    """Let packages be imported without what their `__init__` imports: a card's machine has no more than numpy and numba."""
    sys.path.insert(0, str(SOURCE.parent))
    for package in packages:
        module = ModuleType(package)
        module.__path__ = [str(SOURCE.parent.joinpath(*package.split(".")))]
        sys.modules[package] = module


def on_this_machine() -> None:
    """One thread against sampling first rounds; more threads; a cluster."""
    from houseway.cards import fresh_shoe
    from houseway.games import edition_from, open_edition
    from houseway.games.ez_baccarat.game import CLASSES
    from houseway.games.ez_baccarat.rules import resolve
    from houseway.kernels.deal import deal_by_class
    from houseway.kernels.sample import sample
    from houseway.simulate.dealer import dealer_of, rounds_dealt
    from houseway.simulate.question import ask
    from houseway.simulate.run import Goal, simulate

    edition = open_edition("ez-baccarat-wa")
    question = ask(edition, edition.settings(), cut=14)
    dealer = dealer_of(edition_from, question.as_text())
    deal, settings = deal_by_class(fresh_shoe(8), CLASSES, (1,) * 6), np.zeros(1, np.int64)

    def sampled() -> tuple[float, int]:
        began = time.process_time()
        sample(resolve, deal, settings, 5, 1 << 20)
        return time.process_time() - began, 1 << 20

    def dealt() -> tuple[float, int]:
        began = time.process_time()
        tallies = dealer.deal(0, 20_000)
        return time.process_time() - began, rounds_dealt(tallies)

    sampled(), dealt()
    turns = [(sampled(), dealt()) for _ in range(TURNS)]
    before, now = (min(took / rounds for took, rounds in side) * 1e9 for side in zip(*turns, strict=True))
    print(
        f"one thread: {now:.1f} ns a round; sampling first rounds {before:.1f}; ratio {now / before:.3f} (limit 0.39: 20 of 51)"
    )

    rates = {1: 0.0, 2: 0.0}
    for _ in range(3):
        for workers, best in rates.items():
            done = simulate(question, Goal(shoes=2_000_000), edition_from, workers=workers)
            rates[workers] = max(best, done.rounds / done.seconds)
    print(f"two threads: {rates[2] / rates[1]:.2f} times one ({rates[2]:.3g} rounds/s)")
    try:
        import_module("distributed")
    except ImportError:
        print("dask is not installed: no cluster measured")
        return
    minute = Goal(shoes=max(1, int(rates[2] * 60 / 81.7)))
    threads = simulate(question, minute, edition_from, workers=2)
    cluster = simulate(question, minute, edition_from, "dask", workers=2)
    same = all((threads.tallies[name] == cluster.tallies[name]).all() for name in threads.tallies)
    share = threads.seconds / cluster.seconds
    print(f"a local Dask cluster of two: {share:.2f} of two threads on a minute's work; same tallies: {same}")


def hands() -> None:
    """Games of hands of whole cards: a round, against the same cards dealt and no more; and two threads against one."""
    from houseway.games import edition_from, open_edition
    from houseway.kernels.compiled import inlined
    from houseway.kernels.rounds import CARDS, rounds_loop
    from houseway.kernels.shoes import deal
    from houseway.simulate.dealer import CompiledDealer, dealer_of
    from houseway.simulate.question import ask, seats_of
    from houseway.simulate.run import Goal, simulate

    @inlined
    def only_deal(shoe, ahead, deck, settings, tables, cells):  # type: ignore[no-untyped-def]
        for _ in range(settings[0]):
            _, shoe = deal(shoe, ahead, deck)
        cells[0] = 0
        return shoe

    for name, cards, player in (("duki-4-wa", 4, "lines"), ("ez-pai-gow-wa", 7, "plaza")):
        edition = open_edition(name)
        for seats in (1, edition.game.dealing.seats):
            question = ask(edition, edition.settings(), seats_of(edition, edition.settings(), seats, player, [], False))
            dealer = dealer_of(edition_from, question.as_text())
            assert isinstance(dealer, CompiledDealer)
            conventions, *given = dealer.given(dealer.conventions, None)
            given[3] = np.array([cards * (seats + 1)], np.int64)
            bare_loop, rounds = rounds_loop(only_deal, CARDS), 400_000
            sides: list[list[float]] = [[], []]
            for _ in range(TURNS):
                began = time.process_time()
                dealer.deal(0, rounds)
                sides[0].append(time.process_time() - began)
                work = (
                    np.zeros(2 * dealer._ahead, np.uint64),
                    np.zeros(dealer.fresh_deck.size, np.uint8),
                    np.zeros(1, np.int64),
                )
                tallies = [np.zeros((1, 1), np.int64), *list(dealer.arrays().values())[1:]]
                began = time.process_time()
                bare_loop(0, rounds, conventions._replace(seats=1), *given, *work, *tallies)
                sides[1].append(time.process_time() - began)
            whole, bare_deal = (min(side) / rounds * 1e9 for side in sides)
            print(
                f"{name}, {seats} seat(s), {player}: {whole:.0f} ns a round on one thread; its limit, shuffling and dealing "
                f"{cards * (seats + 1)} cards and no more: {bare_deal:.0f} ns ({bare_deal / whole:.2f} of it)"
            )
            if seats == 1:
                rates = {1: 0.0, 2: 0.0}
                for _ in range(3):
                    for workers, best in rates.items():
                        done = simulate(question, Goal(rounds=4_000_000), edition_from, workers=workers)
                        rates[workers] = max(best, done.rounds / done.seconds)
                print(f"  two threads: {rates[2] / rates[1]:.2f} times one ({rates[2]:.3g} rounds/s)")


def baccarat_on_a_card(shoes: int) -> None:
    """Baccarat, with nothing imported but numpy and numba."""
    bare("houseway.games", "houseway.games.ez_baccarat", "houseway.games.ez_baccarat.simulate")
    rounds_module = import_module("houseway.games.ez_baccarat.simulate.rounds")
    rounds = import_module("houseway.kernels.rounds")
    graphics = import_module("houseway.kernels.rounds_graphics")
    running_sums = import_module("houseway.kernels.shoes").running_sums

    points = (128, *[32] * 9)
    conventions = rounds.Conventions(seed=1, seats=1, burn=1, cut=14, extra=0, most=1 << 62, shoes=1, rounds=0)
    given = (
        conventions,
        np.array([416, *running_sums(points)], np.int64),
        np.zeros(1, np.uint8),
        np.zeros(10, np.int64),
        np.zeros(1, np.int64),
        rounds_module.tables(),
        np.zeros((1, 1), np.int64),
        np.ones((rounds.MEASURES, 2), np.int64),
    )

    def nothing() -> Arrays:
        return tuple(np.zeros(shape, np.int64) for shape in ((1, 5), (1, 418), (rounds.MEASURES, 1), (1, 418)))

    def on_cpu(first: int, last: int) -> Arrays:
        tallies, work = nothing(), (np.zeros(2 * 83, np.uint64), np.zeros(1, np.uint8), np.zeros(1, np.int64))
        rounds.rounds_loop(rounds_module.play_round, rounds.CLASSES)(first, last, *given, *work, *tallies)
        return tallies

    def loop_of(threads: int) -> Any:
        return graphics.graphics_rounds_loop(rounds_module.play_round, rounds.CLASSES, 1, 5, 1, threads)

    time_on_card("baccarat", 5e10, "bare CUDA in registers reached 9.9e10", loop_of, given, nothing, on_cpu, shoes)


def blackjack_on_a_card(shoes: int) -> None:
    """Blackjack by its computed chart, Lucky Lucky counted too; this needs what Houseway itself does.

    Its limit: the same loop with the rules left out, which deals as many cards and counts one cell.
    """
    from houseway.games import edition_from, open_edition
    from houseway.simulate.dealer import CompiledDealer, dealer_of
    from houseway.simulate.graphics import GraphicsDealer
    from houseway.simulate.question import ask

    edition = open_edition("lucky-lucky-wa")
    dealer = dealer_of(edition_from, ask(edition, edition.settings(), cut=78).as_text())
    assert isinstance(dealer, CompiledDealer) and dealer.in_steps is not None
    given = dealer.given_in_steps(dealer.in_steps)

    def nothing() -> Arrays:
        return tuple(dealer.arrays().values())

    def on_cpu(first: int, last: int) -> Arrays:
        return tuple(dealer.deal(first, last).values())

    reached = time_on_card(
        "blackjack",
        2e10,
        "a naive CUDA prototype reached 9.8e9",
        lambda threads: GraphicsDealer(dealer, threads).loop,
        given,
        nothing,
        on_cpu,
        shoes,
        (128, 192, 256),
    )
    graphics = import_module("houseway.kernels.rounds_graphics")
    steps, threads = dealer.in_steps, graphics.THREADS
    loop = graphics.graphics_steps_loop(
        import_module("only_dealing").STEPS, dealer.setup.cells, steps.deck.size, steps.quick.size, threads
    )
    most = max(rate_on_card(loop, given, nothing, threads, blocks) for blocks in BLOCKS)
    print(f"its limit, dealing 5.5 cards a round and no more: {most:.4g} rounds/s ({reached / most:.2f} of it)")


def time_on_card(
    name: str,
    wanted: float,
    limit: str,
    loop_of: Callable[[int], Any],
    given: tuple[Any, ...],
    nothing: Callable[[], Arrays],
    on_cpu: Callable[[int, int], Arrays],
    shoes: int,
    threads_of_blocks: tuple[int, ...] = (128, 256, 512),
) -> float:
    """Compare with one thread of this machine, to the last integer; then time by the card's own events."""
    graphics = import_module("houseway.kernels.rounds_graphics")
    expected, best = on_cpu(0, shoes), (0.0, 0, 0)
    for threads in threads_of_blocks:
        loop = loop_of(threads)
        counted = graphics.deal_on_graphics(loop, 0, shoes, given, nothing(), threads)
        same = all((one == other).all() for one, other in zip(counted, expected, strict=True))
        print(f"{name}, {threads} threads a block: {shoes:,} shoes, tallies equal to one thread's: {same}", flush=True)
        if not same:
            sys.exit("the card and the processor differ")
        for blocks in BLOCKS:
            rate = rate_on_card(loop, given, nothing, threads, blocks)
            print(f"  {blocks} blocks: {rate:.3g} rounds/s ({rate / wanted:.2f} of the {wanted:.0e} asked for)", flush=True)
            best = max(best, (rate, threads, blocks))
    print(f"{name}: {best[0]:.4g} rounds/s with {best[1]} threads in {best[2]} blocks; {limit}", flush=True)
    return best[0]


def rate_on_card(loop: Any, given: tuple[Any, ...], nothing: Callable[[], Arrays], threads: int, blocks: int) -> float:
    """Rounds a second, by the card's own events, the second time."""
    graphics = import_module("houseway.kernels.rounds_graphics")
    lanes = import_module("houseway.kernels.graphics").lanes
    conventions, *arrays = graphics.on_graphics(given)
    tallies = [graphics.to_graphics(array) for array in nothing()]
    ahead = graphics.to_graphics(np.zeros(1, np.uint64))
    for _ in range(2):
        start, end = lanes.event(), lanes.event()
        start.record()
        loop[blocks, threads](0, blocks * threads * 64, conventions, *arrays, ahead, *tallies)
        end.record()
        end.synchronize()
    return int(tallies[0].copy_to_host().sum()) / 2 / (lanes.event_elapsed_time(start, end) / 1000)


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cuda", choices=("baccarat", "blackjack"), help="on an NVIDIA card")
    parser.add_argument("--hands", action="store_true", help="Duki 4 Poker and EZ Pai Gow on this machine")
    parser.add_argument("--shoes", type=int, default=20_000, help="shoes whose tallies are compared")
    given = parser.parse_args()
    if given.cuda:
        {"baccarat": baccarat_on_a_card, "blackjack": blackjack_on_a_card}[given.cuda](given.shoes)
    elif given.hands:
        hands()
    else:
        on_this_machine()


if __name__ == "__main__":
    main()
