"""Speed of the search for pay tables (`make bench`): Dynasty designs by each goal, beside a loop over every combination."""

import time
from itertools import islice, product
from math import prod

from houseway.api import Rulebook
from houseway.design.ask import Wish, ask_design
from houseway.design.model import GOALS
from houseway.design.problem import Problem

TARGET_SECONDS = 5
TRIED = 2_000


def loop_seconds(problem: Problem) -> tuple[int, float]:
    """How many combinations there are, and how long a loop over all would take, reckoned from some of them."""
    combinations = prod(len(row.pays) for row in problem.rows)
    start = time.process_time()
    for pays in islice(product(*(row.pays for row in problem.rows)), TRIED):
        problem.flaws(pays)
    return combinations, (time.process_time() - start) / TRIED * combinations


def main() -> None:
    book = Rulebook.open("ez-pai-gow-wa")
    book.odds(pay_table="3")["dynasty"]  # counted, or read, before the clock runs
    bands = {"hit": "18%..22%", "sd": "..9", "top": "500..8000"}
    for goal in GOALS:
        wall, processor = time.perf_counter(), time.process_time()
        found = book.design("dynasty", "6%..8%", goal=goal, pay_table="3", **bands).wagers[0].found
        wall, processor = time.perf_counter() - wall, time.process_time() - processor
        verdict = "met" if wall <= TARGET_SECONDS and found.proved and found.pays else "MISSED"
        print(
            f"Dynasty design, {goal}\n    {wall:8.2f} s ({processor:.2f} s of processor)   target {TARGET_SECONDS} s: {verdict}"
        )
    draft = ask_design(book.edition, "dynasty", Wish("6%..8%", **bands), {"pay-table": "3"})
    combinations, seconds = loop_seconds(draft.problem)
    print(f"    baseline: a loop over {combinations:.1e} combinations would take {seconds / 31_557_600:.1e} years")


if __name__ == "__main__":
    main()
