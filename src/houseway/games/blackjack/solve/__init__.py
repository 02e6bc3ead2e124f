"""Blackjack, solved: the value of every choice, the best play, charts, insurance, and every result of a round."""

from houseway.solve.solver import Solver, later

SOLVER = Solver(
    solve=later(f"{__name__}.report", "solve"),
    strategy=later(f"{__name__}.report", "strategy"),
    choices=later(f"{__name__}.report", "choices"),
    printed=later(f"{__name__}.printed", "printed"),
    best_edge=later(f"{__name__}.report", "best_edge"),
    best_of=("blackjack",),
)
