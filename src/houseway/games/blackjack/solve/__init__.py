"""Blackjack, solved: the value of every choice, the best play, charts, insurance, and every result of a round."""

from houseway.solve.solver import DEALER, HAND, CardsAsked, Solver, WhenOffered, later

SOLVER = Solver(
    solve=later(f"{__name__}.report", "solve"),
    strategy=later(f"{__name__}.report", "strategy"),
    choices=later(f"{__name__}.report", "choices"),
    asks=(CardsAsked(HAND, "Your cards", 2, 11), CardsAsked(DEALER, "The dealer's up-card", 1, 1)),
    known=later(f"{__name__}.halfway", "known"),
    printed=later(f"{__name__}.report", "printed"),
    best_edge=later(f"{__name__}.report", "best_edge"),
    best_of=("blackjack",),
    best_results=later(f"{__name__}.report", "best_results"),
    paid_apart=("blackjack",),
    when_offered={
        "insurance": WhenOffered(
            "insurance on any hand, nothing known but the ace", later(f"{__name__}.insurance", "count_hole_cards")
        )
    },
    is_ready=later(f"{__name__}.report", "is_ready"),
)
