"""Every deal of EZ Pai Gow's base wager met on a graphics processor, against the count by shared cards in the same run.

python benchmarks/graphics.py [HOUSE_WAY]
"""

import sys
import time

from houseway.games import open_edition
from houseway.games.ez_pai_gow.solve import pairs as pai_gow
from houseway.games.ez_pai_gow.solve.graphics import meet_all
from houseway.games.ez_pai_gow.solve.hands import FULL
from houseway.games.ez_pai_gow.solve.planes import Planes
from houseway.games.ez_pai_gow.solve.solution import Solution


def main() -> None:
    """House Way against House Way, both ways, to the deal."""
    way = sys.argv[1] if len(sys.argv) > 1 else "plaza"
    edition = open_edition("ez-pai-gow-wa")
    solution = Solution(edition, edition.settings({"house-way": way}, what_if=True))
    began = time.perf_counter()
    hands, dealer = solution.hands, solution.dealer
    print(f"all hands set: {time.perf_counter() - began:.1f} s")

    began = time.perf_counter()
    order = pai_gow.Order.of([dealer[:, 0]], [dealer[:, 1]])
    planes = Planes.of(hands, dealer, order)
    print(f"planes drawn: {time.perf_counter() - began:.1f} s, {planes.planes.nbytes / 2**30:.2f} GiB")

    meet_all(planes, hands.classes[:1000], dealer[:1000])  # compiles
    began = time.perf_counter()
    ends = meet_all(planes, hands.classes, dealer)
    took = time.perf_counter() - began
    win, lose = (int(sum(map(int, ends[:, end] * hands.classes[:, 5]))) for end in range(2))
    print(f"graphics processor: {took:.1f} s, {FULL.deals / took:.3g} deals a second")

    began = time.perf_counter()
    pairs = pai_gow.count_deals(hands, dealer, dealer, f"bench graphics {time.time()}")
    print(f"by shared cards: {time.perf_counter() - began:.1f} s")
    print(f"win {win:,} and {pairs.win:,}; lose {lose:,} and {pairs.lose:,}; of {FULL.deals:,}")
    if (win, lose) != (pairs.win, pairs.lose):
        sys.exit("the two ways differ")


if __name__ == "__main__":
    main()
