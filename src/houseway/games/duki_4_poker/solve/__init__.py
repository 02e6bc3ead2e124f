"""Duki 4 Poker, solved: whether to play or to fold, and what a card or another hand seen is worth."""

from houseway.solve.solver import Solver, later

BEST, LINE = "best", "line"
SOLVER = Solver(
    solve=later(f"{__name__}.report", "solve"),
    strategy=later(f"{__name__}.report", "strategy"),
    choices=later(f"{__name__}.report", "choices"),
    printed=later(f"{__name__}.printed", "printed"),
    sees_another=True,
    sheet=later(f"{__name__}.report", "sheet"),
    solved=("ante",),
    players=(BEST, LINE),
)
