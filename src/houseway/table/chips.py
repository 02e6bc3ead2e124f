"""Chips, as a dealer cuts them."""

CHIPS = (
    (100_000, "yellow"),
    (50_000, "purple"),
    (10_000, "black"),
    (2_500, "green"),
    (500, "red"),
    (100, "white"),
    (50, "half"),
)


def in_chips(cents: int) -> str:
    """The fewest chips for an amount, largest first.

    >>> in_chips(20000), in_chips(3750)
    ('2 black', '1 green, 2 red, 2 white, 1 half')
    """
    parts = []
    for value, colour in CHIPS:
        if cents >= value:
            parts.append(f"{cents // value} {colour}")
            cents %= value
    if cents:
        parts.append(f"{cents} cents")
    return ", ".join(parts)
