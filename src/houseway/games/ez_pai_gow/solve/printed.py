"""The House Way as it is printed for dealers: which hands are kept together, and an example of every decision."""

import random

from houseway.cards import RANKS, fresh_shoe, parse_cards, show_cards
from houseway.kernels.count import Progress
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.solve.remembered import Remembered, StrategyTable

from .. import house_way as way
from ..house_ways import KEPT_WITH, house_way
from ..round import set_by_house_way
from ..switches import EXTRAS

ANY, NEVER = "any", "split"
EXAMPLES_DRAWN, SEED = 4_000, 1
RARE = (
    "As Ah Ad Ac Jk Ks Kh",
    "As Ah Ad Ac Jk 7s 9h",
    "9s 9h 9d 9c 4s 4h 4d",
    "9s 9h 9d 9c 4s 4h 2d",
    "4s 4h 4d 4c Ks 9h 2d",
    "8s 8h 8d 8c Qs 5h 2d",
    "6s 6h 6d 6c 7s 8s 9s",
    "Ks Kh Kd 5s 5h 5d 2c",
    "Js Jh Jd 8s 8h 3d 3c",
    "9s 9h 9d 2s 2h Ac Kd",
    "7s 7h 7d 8c 9s 10h Js",
    "As Ah Ad 9c 7s 5h 2d",
    "3s 3h 4s 4h 5d 6c 7d",
    "3s 3h 4s 4h Ad 2c 5d",
    "Ks Kh As 2h 3d 4c 5s",
)
"""Hands that are seldom drawn, and decide something."""


def printed(edition: Edition, settings: Settings, progress: Progress | None) -> Remembered:
    """What the dealer goes by: four of a kind, two pairs, and every decision with an example."""
    chosen = house_way(str(settings["house-way"]))
    numbers = chosen.settings()
    fours = numbers[way.FOUR_KEPT_WITH - EXTRAS :][:13]
    pairs = numbers[way.TWO_PAIR_KEPT_WITH - EXTRAS :].reshape(13, 13)
    two_pairs = tuple(
        (RANKS[high], *(_kept(int(pairs[high, low])) if low < high else "" for low in range(12))) for high in range(12, 0, -1)
    )
    legend = f"The least single card in front with which the cards stay together behind; {ANY}: always; {NEVER}: never."
    notes = [f"The House Way of {chosen.title}. Where a set would foul, the best legal one is made instead."]
    if chosen.from_plaza:
        notes.append(f"Left open by it, and set as Plaza does: {'; '.join(chosen.from_plaza)}.")
    return Remembered(
        f"the House Way of {chosen.title}",
        lines=(f"The dealer sets by the House Way of {chosen.title}; a player may ask for the same.",),
        tables=(
            StrategyTable(
                "Four of a kind", ("", *reversed(RANKS)), (("keep with", *(_kept(int(four)) for four in fours[::-1])),), legend
            ),
            StrategyTable("Two pairs: the higher down, the lower across", ("", *RANKS[:12]), two_pairs, legend),
            StrategyTable(
                "Every decision, with an example", ("Decision", "Front", "Back"), tuple(_decisions(edition, settings))
            ),
        ),
        notes=tuple(notes),
    )


def _kept(least: int) -> str:
    names = {number: name for name, number in KEPT_WITH.items()}
    return {way.NO_RANK: ANY, KEPT_WITH["nothing"]: NEVER}.get(least) or names[least]


def _decisions(edition: Edition, settings: Settings) -> list[tuple[str, str, str]]:
    """Each decision that these hands lead to, in the order of the House Way, with the first of them."""
    encoded, deck, drawn = edition.game.encode(settings), list(_deck()), random.Random(SEED)
    hands = [parse_cards(text) for text in RARE]
    hands += [tuple(drawn.sample(deck, 7)) for _ in range(EXAMPLES_DRAWN)]
    met: dict[str, tuple[str, str]] = {}
    for hand in hands:
        set_hand, why = set_by_house_way(tuple(sorted(hand, reverse=True)), encoded)
        met.setdefault(why, (show_cards(set_hand.front_cards), show_cards(set_hand.back_cards)))
    return [(why, *met[why]) for why in way.DECISIONS if why in met]


def _deck() -> range:
    return range(sum(fresh_shoe(1, jokers=1)))
