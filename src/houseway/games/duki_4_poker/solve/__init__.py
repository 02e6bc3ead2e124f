"""Duki 4 Poker, solved: whether to play or to fold, and what a card or another hand seen is worth."""

from houseway.solve.solver import DEALER, HAND, OTHER, CardsAsked, Solver, later

BEST, LINE = "best", "line"
SOLVER = Solver(
    solve=later(f"{__name__}.report", "solve"),
    strategy=later(f"{__name__}.report", "strategy"),
    choices=later(f"{__name__}.report", "choices"),
    asks=(
        CardsAsked(HAND, "Your four cards", 4, 4),
        CardsAsked(DEALER, "A card of the dealer's that is seen", 0, 1),
        CardsAsked(OTHER, "Another player's hand that is seen", 0, 4),
    ),
    known=later(f"{__name__}.halfway", "known"),
    printed=later(f"{__name__}.report", "printed"),
    sees_another=True,
    sheet=later(f"{__name__}.report", "sheet"),
    solved=("ante",),
    players=(BEST, LINE),
)
