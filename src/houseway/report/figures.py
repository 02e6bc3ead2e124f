"""Figures: every number of a report is one, with its exact value and the way it is shown."""

from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from math import sqrt

from houseway.money import dollars
from houseway.rulebook.pay import Pay
from houseway.solve.answer import ratio

Json = dict[str, object]


@dataclass(frozen=True)
class SquareRoot:
    """The square root of a fraction, such as a standard deviation: exact by its square."""

    square: Fraction


@dataclass(frozen=True)
class ExactFigure:
    """A number of a report, under an `id` of its own: a path such as `wagers.main.edge`.

    The value is an integer, a fraction, the root of one, or a float where the work itself was done in floats. An estimate has
    the standard error that it was drawn with. Equal ids are the same figure, shown in several places.
    """

    id: str
    value: int | Fraction | SquareRoot | float
    shown: str
    unit: str = ""
    standard_error: float | None = None

    @property
    def number(self) -> float:
        """Where it lies on an axis."""
        return sqrt(self.value.square) if isinstance(self.value, SquareRoot) else float(self.value)

    def data(self) -> Json:
        """As JSON has it."""
        error = {} if self.standard_error is None else {"standard_error": repr(self.standard_error)}
        return {"shown": self.shown, "exact": _exactly(self.value), "unit": self.unit, **error}


def _exactly(value: int | Fraction | SquareRoot | float) -> str:
    if isinstance(value, SquareRoot):
        return f"sqrt({ratio(value.square)})"
    return ratio(value) if isinstance(value, Fraction) else repr(value)


def utc(at: str) -> str:
    """A time of the journal, to the second, with its zone: whoever reads it on paper cannot ask.

    >>> utc("2026-03-01T21:04:05.123456+01:00")
    '2026-03-01 20:04:05 UTC'
    """
    return datetime.fromisoformat(at).astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def count(id_: str, number: int, unit: str = "") -> ExactFigure:
    """How many of something.

    >>> count("deals", 154143080).shown
    '154,143,080'
    """
    return ExactFigure(id_, number, f"{number:,}", unit)


def money(id_: str, cents: int) -> ExactFigure:
    """An amount of money.

    >>> money("most", 40000)
    ExactFigure(id='most', value=40000, shown='$400', unit='cents', standard_error=None)
    """
    return ExactFigure(id_, cents, dollars(cents), "cents")


def pay(id_: str, paid: Pay) -> ExactFigure:
    """What a wager pays for each unit staked.

    >>> pay("suited", Pay.parse("40 to 1")).shown
    '40 to 1'
    """
    return ExactFigure(id_, paid.net, str(paid), "to 1")


def percent(id_: str, share: Fraction | float, decimals: int = 4, standard_error: float = 0.0) -> ExactFigure:
    """A share of a whole; one that was drawn is shown with its standard error.

    >>> percent("edge", Fraction(1, 80), 2).data()
    {'shown': '1.25 %', 'exact': '1/80', 'unit': 'share'}
    >>> percent("edge", Fraction(1, 80), 2, 0.0003).shown
    '1.25 ± 0.03 %'
    """
    drawn = f" ± {standard_error * 100:.{decimals}f}" if standard_error else ""
    return ExactFigure(id_, share, f"{float(share) * 100:.{decimals}f}{drawn} %", "share", standard_error or None)


def decimal(id_: str, number: Fraction | SquareRoot | float, decimals: int = 4, unit: str = "") -> ExactFigure:
    """A number with so many decimals.

    >>> decimal("deviation", SquareRoot(Fraction(2)), 3).shown
    '1.414'
    """
    at = sqrt(number.square) if isinstance(number, SquareRoot) else float(number)
    return ExactFigure(id_, number, f"{at:,.{decimals}f}", unit)


def one_in(id_: str, probability: Fraction | float, decimals: int = 0) -> ExactFigure:
    """Once in how many deals.

    >>> one_in("royal", Fraction(32, 154143080)).shown
    '1 in 4,816,971'
    """
    return ExactFigure(id_, probability, f"1 in {float(1 / probability):,.{decimals}f}", "share")
