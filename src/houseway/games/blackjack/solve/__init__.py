"""Blackjack, solved: the value of every choice, the best play, charts, insurance, and every result of a round."""

from houseway.solve.solver import DEALER, HAND, CardsAsked, Solver, later

SOLVER = Solver(
    solve=later(f"{__name__}.report", "solve"),
    strategy=later(f"{__name__}.report", "strategy"),
    choices=later(f"{__name__}.report", "choices"),
    asks=(CardsAsked(HAND, "Your cards", 2, 11), CardsAsked(DEALER, "The dealer's up-card", 1, 1)),
    printed=later(f"{__name__}.printed", "printed"),
    best_edge=later(f"{__name__}.report", "best_edge"),
    best_of=("blackjack",),
    best_deviation=later(f"{__name__}.report", "best_deviation"),
)
