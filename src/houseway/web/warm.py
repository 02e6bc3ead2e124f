"""Rules are compiled when first used: before the doors open, each game plays a hand."""

from houseway.games import open_edition
from houseway.rulebook.settle import settle

HANDS = {
    "ez-baccarat-wa": ("2s 4h 3d Kc 6h 3s", {"banker": 500, "dragon-7": 500}, ()),
    "ez-pai-gow-wa": (
        "As Kd Qh 9c 7s 5d 3h Kh 10s 8c 6d 4s 2c Jk",
        {"base": 500, "dynasty": 500, "protection": 500, "red-black": 500},
        ("house-way", "red"),
    ),
    "lucky-lucky-wa": ("10s 6h 9d 10c 5s", {"blackjack": 500, "lucky-lucky": 500}, ("stand",)),
    "duki-4-wa": ("9h 9c 6s Jd 9s 9d 5h 8c", {"ante": 500, "duki-bonus": 500}, ("play",)),
}
"""By edition: cards, bets and choices that touch every rule a live table needs."""


def warm_up() -> None:
    """Compile what the tables need, so that no guest waits for it."""
    from houseway.cards import parse_cards

    for name, (cards, bets, choices) in HANDS.items():
        settle(open_edition(name), parse_cards(cards), bets, choices)
