"""What a maker asks for, as written: bands (`6%..8%`, `..9`), lists of numbers (`1..8`), pays and rows, each read exactly."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from houseway.refusal import Refused
from houseway.rulebook.pay import Pay

CASINO = (
    *range(1, 11), 12, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 125, 150, 200, 250, 300, 400, 500, 750, 1_000, 1_500, 2_000,
    2_500, 3_000, 4_000, 5_000, 7_500, 8_000, 10_000,
)  # fmt: skip
"""Casino numbers: what a pay table pays unless somebody asks for other pays."""
CASINO_DOLLARS = (
    5,
    6,
    10,
    15,
    20,
    25,
    50,
    55,
    75,
    100,
    150,
    200,
    250,
    300,
    400,
    500,
    750,
    1_000,
    2_000,
    2_500,
    3_000,
    4_000,
    5_000,
)
"""The same for envy prizes, which are fixed dollars."""
_NUMBER = re.compile(r"(-?\d{1,9}(?:\.\d{1,40})?)\s*(%?)")
MOST_LISTED = 200


@dataclass(frozen=True)
class Band:
    """From `least` to `most`, both included; None where it is open.

    >>> str(Band(Fraction(6, 100), Fraction(8, 100), True)), str(Band(None, Fraction(9)))
    ('6 % to 8 %', 'at most 9')
    """

    least: Fraction | None = None
    most: Fraction | None = None
    is_percent: bool = False

    def holds(self, value: Fraction) -> bool:
        """Whether a value lies in it."""
        return (self.least is None or self.least <= value) and (self.most is None or value <= self.most)

    @property
    def is_open(self) -> bool:
        """Whether it holds everything."""
        return self.least is None and self.most is None

    def squared(self) -> "Band":
        """The band of the squares: a standard deviation's becomes a variance's."""
        least, most = (None if end is None else end**2 for end in (self.least, self.most))
        return Band(least, most)

    def __str__(self) -> str:
        least, most = ("" if end is None else shown(end, self.is_percent) for end in (self.least, self.most))
        if least and most:
            return least if least == most else f"{least} to {most}"
        return f"at least {least}" if least else f"at most {most}" if most else "any"


def shown(value: Fraction, is_percent: bool = False) -> str:
    """A number as it was written: 7.5, or 7.5 %."""
    scaled = value * 100 if is_percent else value
    text = str(scaled.numerator) if scaled.denominator == 1 else f"{float(scaled):.10g}"
    return f"{text} %" if is_percent else text


def band(text: str, what: str, is_percent: bool, least: int = 0, most: int | None = None, whole: bool = False) -> Band:
    """Read a band; what cannot be one is refused with what would be.

    >>> band("6%..8%", "edge", True), band("..9", "sd", False).most
    (Band(least=Fraction(3, 50), most=Fraction(2, 25), is_percent=True), Fraction(9, 1))
    """
    example = "6%..8%, ..8% or 7%" if is_percent else "500..2000, ..9 or 9.."

    def refused(why: str) -> Refused:
        return Refused("bad-band", f'{what} "{text[:40]}" is not possible: {why} (write {example})')

    ends = [part.strip() for part in text.split("..")]
    if len(ends) > 2 or not any(ends):
        raise refused("no band")
    numbers: list[Fraction | None] = []
    for part in ends:
        match = _NUMBER.fullmatch(part)
        if part and not match:
            raise refused("not a number")
        if match and is_percent != bool(match[2]):
            raise refused("a percentage has its %" if is_percent else "it is no percentage")
        numbers.append(Fraction(match[1]) / (100 if is_percent else 1) if match else None)
    first, last = numbers[0], numbers[-1]
    for number in (first, last):
        if number is not None and (number < least or (most is not None and number > most)):
            bounds = (shown(Fraction(end), is_percent) for end in (least, most) if end is not None)
            raise refused("it lies from " + " to ".join(bounds) if most is not None else f"at least {least} is required")
        if number is not None and whole and number.denominator != 1:
            raise refused("a whole number is required")
    if first is not None and last is not None and first > last:
        raise refused("it ends before it begins")
    if last is not None and last <= 0:
        raise refused("it must end above zero")
    return Band(first, last, is_percent)


def numbers(text: str, what: str, least: int, most: int) -> tuple[int, ...]:
    """A list of whole numbers.

    >>> numbers("1..3,6", "decks", 1, 8)
    (1, 2, 3, 6)
    """
    listed: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,9})\s*(?:\.\.\s*(\d{1,9})\s*)?", part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, -1)
        if not match or not least <= first <= last <= most:
            raise Refused(
                "bad-list", f'{what} "{text[:40]}" is not possible: write numbers from {least} to {most:,}, as 1..8 or 1,2,6'
            )
        if last - first >= MOST_LISTED:
            raise Refused("bad-list", f'{what} "{text[:40]}" are too many numbers (at most {MOST_LISTED})')
        listed.extend(range(first, last + 1))
    return tuple(dict.fromkeys(listed))


def pay_of(text: str, what: str) -> Fraction:
    """A pay as a row's net: `4`, `4:1`, `3 to 2`, `push` or `lose`."""
    word = text.strip()
    try:
        return Pay.parse(f"{word} to 1" if re.fullmatch(r"\d{1,6}", word) else word).net
    except Refused:
        allowed = "4, 3:2, 1..6, push, lose, and casino for casino numbers"
        raise Refused("bad-pay", f'{what} "{word[:40]}" is not possible: a pay is required (allowed: {allowed})') from None


def pays(text: str, what: str, usual: Sequence[int] = CASINO) -> tuple[Fraction, ...]:
    """A list of pays, lowest first: `1,2,3`, `4..6` (every whole number), `casino`, `push`, `lose`.

    >>> [int(net) for net in pays("lose,4..6", "flush")]
    [-1, 4, 5, 6]
    """
    listed: list[Fraction] = []
    for part in re.split(r"[,|]", text):
        first, dots, last = (word.strip() for word in part.partition(".."))
        if part.strip() == "casino":
            listed.extend(map(Fraction, usual))
        elif not dots:
            listed.append(pay_of(part, what))
        else:
            low, high = pay_of(first, what), pay_of(last, what)
            if low < 1 or low > high:
                raise Refused(
                    "bad-pay", f'{what} "{part.strip()[:40]}" is not possible: it begins at 1 or more and ends no lower'
                )
            within = [Fraction(number) for number in usual if low <= number <= high]
            every = high - low < MOST_LISTED
            listed.extend([low + step for step in range(int(high - low) + 1)] if every else [low, *within, high])
    return tuple(sorted(set(listed)))


def rows(given: Mapping[str, str] | Iterable[str], what: str = "rows") -> dict[str, str]:
    """Rows with what they may pay, as written: `flush=4..6`, several with a semicolon or a space between.

    >>> rows(["flush=4..6; straight=2,3"])
    {'flush': '4..6', 'straight': '2,3'}
    """
    if isinstance(given, Mapping):
        return {name: str(value) for name, value in given.items()}
    chosen: dict[str, str] = {}
    for item in (item for text in given for item in re.split(r"[;\s]+", text.strip()) if item):
        name, equals, value = item.partition("=")
        if not equals or not name or not value:
            raise Refused("bad-rows", f'{what} "{item[:40]}" is not possible: write a row and what it may pay, as flush=4..6')
        if name in chosen:
            raise Refused("bad-rows", f"{what}: {name} is given twice: give it once")
        chosen[name] = value
    return chosen
