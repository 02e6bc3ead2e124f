"""A dealer on a graphics processor."""

import time

from houseway.chunks.tallies import Tallies
from houseway.refusal import Refused
from houseway.simulate.dealer import CompiledDealer, UnitDealer

PILOT_UNITS = 1 << 15


class GraphicsDealer:
    """Deals what a compiled dealer deals, on a graphics processor."""

    def __init__(self, dealer: UnitDealer, threads: int = 0, blocks: int = 0) -> None:
        if not isinstance(dealer, CompiledDealer):
            name = dealer.opened.edition.game.name
            raise Refused(
                "no-engine",
                f"{name} brings no simulator of its own, and readable rules run on no graphics card: use --engine threads",
            )
        try:
            from houseway.kernels import rounds_graphics
            from houseway.kernels.graphics import lanes

            available = lanes.is_available()
        except ImportError as error:
            raise Refused(
                "no-engine", 'numba-cuda is not installed here: pip install "houseway[cuda]", or use --engine threads'
            ) from error
        if not available:
            raise Refused(
                "no-engine",
                'no NVIDIA graphics card was found here (with one: pip install "houseway[cuda]"): use --engine threads',
            )
        self.dealer, self._kernels = dealer, rounds_graphics
        self.threads, self.blocks = threads or rounds_graphics.THREADS, blocks or rounds_graphics.BLOCKS
        simulator, cells, steps = dealer.simulator, dealer.setup.cells, dealer.in_steps
        sizes = (cells, steps.deck.size, steps.quick.size, self.threads) if steps else ()
        if steps and rounds_graphics.shared_rows(*sizes):
            self.loop = rounds_graphics.graphics_steps_loop(steps.rules, *sizes)
            self.given = dealer.given_in_steps(steps)
        else:
            self.loop = rounds_graphics.graphics_rounds_loop(
                simulator.play_round, simulator.sees, dealer.seats, cells, dealer.fresh_deck.size, self.threads
            )
            self.given = dealer.given(dealer.conventions, dealer.scales)

    def pace(self) -> float:
        """About how many units it deals in a second, once compiled."""
        self.deal(0, 1)
        began = time.perf_counter()
        self.deal(0, PILOT_UNITS)
        return PILOT_UNITS / (time.perf_counter() - began)

    def deal(self, first: int, last: int) -> Tallies:
        """The units from the first up to, not with, the last."""
        tallies = self.dealer.arrays()
        counted = self._kernels.deal_on_graphics(
            self.loop, first, last, self.given, tuple(tallies.values()), self.threads, self.blocks
        )
        return dict(zip(tallies, counted, strict=True))
