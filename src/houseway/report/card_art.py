"""Cards as pictures: the drawings of the table's own cards, with an index so large that a printed hand is read at a glance."""

from functools import lru_cache

PAPER, EDGE, JOKER_COLOUR, GOLD = "#fffdf6", "#9a9484", "#5a2a82", "#d9a93f"
SUITS = {
    "s": (
        "#14171a",
        (
            "M50 5C57 22 93 39 93 63c0 12-9 20-20 20-8 0-15-4-18.5-10.5C55 82 59 89 67 95H33c8-6 12-13 12.5-22.5C"
            "42 79 35 83 27 83 16 83 7 75 7 63 7 39 43 22 50 5Z"
        ),
    ),
    "h": (
        "#c4161c",
        ("M50 94C43 78 7 60 7 33 7 18 18 8 30 8c9 0 16.5 5 20 14C53.5 13 61 8 70 8c12 0 23 10 23 25C93 60 57 78 50 94Z"),
    ),
    "d": ("#1450bd", "M50 3C58 22 71 38 88 50 71 62 58 78 50 97 42 78 29 62 12 50 29 38 42 22 50 3Z"),
    "c": (
        "#0a7238",
        (
            "M50 5a21.5 21.5 0 0 1 14.5 37.4C67 40.5 70 39.5 73 39.5a21.5 21.5 0 0 1 0 43c-8 0-15-4.2-18.5-10.5C5"
            "5 82 59 89 67 95H33c8-6 12-13 12.5-23C42 78.3 35 82.5 27 82.5a21.5 21.5 0 0 1 0-43c3 0 6 1 8.5 2.9A2"
            "1.5 21.5 0 0 1 50 5Z"
        ),
    ),
}
"""Each suit: its colour, and its outline in a box 100 by 100, as `card-shapes.js` has them."""
RANKS = {
    "A": "M3.5 54 16 3.5h4L32.5 54M8.5 37.5h19",
    "2": "M5 17C5 9 10.5 4.3 18 4.3S31 9 31 16.5C31 28 6.5 36 5.2 49.7H32.5",
    "3": (
        "M5.3 14C6.5 7.5 11.5 4.3 18 4.3c7.5 0 12.3 4.4 12.3 10.7C30.3 21.5 25.5 25.5 18 25.5h-3.5H18c8 0 13."
        "5 4.5 13.5 12S26 49.7 18 49.7C11 49.7 5.8 46.5 4.5 39.5"
    ),
    "4": "M25.5 54V4.5h-2L4.5 38v2H34.5",
    "5": ("M30 4.3H10L7.8 25.5C10.3 22.8 14 21.3 18 21.3c8 0 13.5 5.7 13.5 14S26 49.7 17.7 49.7C11 49.7 5.8 46.3 4.5 40"),
    "6": (
        "M29.8 13C28.6 7.5 24.5 4.3 18.8 4.3 9.5 4.3 4.5 12.5 4.5 29c0 13.5 5 20.7 13.5 20.7 8 0 13.5-5.4 13."
        "5-13.7S26 22.5 18.5 22.5C11 22.5 5.5 28 4.8 35"
    ),
    "7": "M3.5 4.3H31.2v2C21 20 15.5 36 14.7 54",
    "8": (
        "M18 4.3c7 0 11.8 4.2 11.8 10.5S25 25.5 18 25.5 6.2 21.2 6.2 14.8 11 4.3 18 4.3ZM18 25.5c8 0 13.5 4.8"
        " 13.5 12S26 49.7 18 49.7 4.5 44.8 4.5 37.5 10 25.5 18 25.5Z"
    ),
    "9": (
        "M6.2 41C7.4 46.5 11.5 49.7 17.2 49.7 26.5 49.7 31.5 41.5 31.5 25c0-13.5-5-20.7-13.5-20.7-8 0-13.5 5."
        "4-13.5 13.7S10 31.5 17.5 31.5C25 31.5 30.5 26 31.2 19"
    ),
    "10": ("M-3.5 12.5 5 5V54M27.5 4.3c6.8 0 10.2 8 10.2 22.7S34.3 49.7 27.5 49.7 17.3 41.7 17.3 27 20.7 4.3 27.5 4.3Z"),
    "J": "M26 0V36.5C26 45.5 22 49.7 15.3 49.7 9 49.7 5 46 4.5 38.5",
    "Q": "M18 4.3c8.5 0 13.5 8.2 13.5 22.7S26.5 49.7 18 49.7 4.5 41.5 4.5 27 9.5 4.3 18 4.3ZM19 37 33 55",
    "K": "M7.5 0V54M31.5 0 8.5 31.5M15.5 22.5 33.5 54",
}
"""Each rank: strokes of one width in a box 36 by 54, so that it looks the same whatever fonts there are."""


@lru_cache(maxsize=64)
def card_svg(code: str) -> str:
    """A card, such as `10h` or `Jk`, as SVG, 5 by 7."""
    body = _joker() if code == "Jk" else _face(code[:-1], code[-1])
    paper = f'<rect x="2" y="2" width="246" height="346" rx="17" fill="{PAPER}" stroke="{EDGE}" stroke-width="4"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 250 350" width="250" height="350">{paper}{body}</svg>'


def _face(rank: str, suit: str) -> str:
    colour, outline = SUITS[suit]
    x, width = (25, 86) if rank == "10" else (17, 98)
    return _rank(rank, colour, x, 24, width) + _placed(f'<path d="{outline}" fill="{colour}"/>', 72, 176, 1.56, 1.56)


def _rank(rank: str, colour: str, x: float, y: float, width: float) -> str:
    pen = 7.6 if rank == "10" else 8.4
    strokes = f'<path d="{RANKS[rank]}" fill="none" stroke="{colour}" stroke-width="{pen}" stroke-miterlimit="6"/>'
    return _placed(strokes, x, y, width / 36, 147 / 54)


def _joker() -> str:
    letters = _rank("J", JOKER_COLOUR, 16, 28, 96) + _rank("K", JOKER_COLOUR, 126, 28, 96)
    return f'{letters}<circle cx="125" cy="258" r="50" fill="{GOLD}" stroke="#14171a" stroke-width="6"/>'


def _placed(drawing: str, x: float, y: float, across: float, down: float) -> str:
    return f'<g transform="translate({x:g} {y:g}) scale({across:.4f} {down:.4f})">{drawing}</g>'
