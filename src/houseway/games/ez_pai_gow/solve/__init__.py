"""EZ Pai Gow's base wager, solved: every deal, the best set of every hand, and a few lines to remember."""

from houseway.solve.solver import HAND, CardsAsked, Solver, later

from ..switches import SWITCHES

BEST, LINES, FOUL = "best", "lines", "foul"
SOLVER = Solver(
    solve=later(f"{__name__}.report", "solve"),
    strategy=later(f"{__name__}.report", "strategy"),
    choices=later(f"{__name__}.report", "choices"),
    asks=(CardsAsked(HAND, "Your seven cards", 7, 7),),
    known=later(f"{__name__}.halfway", "known"),
    printed=later(f"{__name__}.printed", "printed"),
    sheet=later(f"{__name__}.report", "sheet"),
    solved=("base",),
    slow=("base",),
    usual=lambda settings: str(settings["house-way"]),
    is_ready=later(f"{__name__}.report", "is_ready"),
    players=(BEST, LINES, FOUL, *map(str, SWITCHES["house-way"].values)),
    commands={"house-way": later(f"{__name__}.by_house_way", "by_house_way")},
)
