"""What a solver answers: as data, as rows, as text and as files, and the tables that the text is made of."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

DIGEST, SHORT_DIGEST = "{digest of the rules}", "{digest}"
"""Where an answer names the digest of the rules: whoever asks knows it and fills it in, whole or its beginning."""


@dataclass(frozen=True)
class Answer:
    """A result as data (JSON), as rows of equal keys (CSV), as text for a person, and as files by their endings.

    `notes` are said beside it, where they are not taken for the answer.
    """

    data: Any
    rows: Sequence[dict[str, Any]]
    text: str
    files: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def under(self, digest: str) -> "Answer":
        """The answer with the digest of the rules filled in."""

        def filled(text: str) -> str:
            return text.replace(DIGEST, digest).replace(SHORT_DIGEST, digest[:12])

        data = {name: filled(value) if isinstance(value, str) else value for name, value in self.data.items()}
        files = {ending: filled(content) for ending, content in self.files.items()}
        return replace(self, data=data, text=filled(self.text), files=files)


def table(rows: Iterable[Sequence[str]], right: Iterable[int] = (), indent: str = "") -> str:
    """Rows as aligned columns; the columns in `right` are flush right."""
    cells = [list(row) for row in rows]
    flush = set(right)
    widths = [max(len(row[place]) for row in cells) for place in range(len(cells[0]))]
    lines = (
        indent + "  ".join(c.rjust(w) if i in flush else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        for row in cells
    )
    return "\n".join(line.rstrip() for line in lines)


def percent(value: Fraction, decimals: int = 4) -> str:
    """A fraction as a percentage."""
    return f"{float(value * 100):.{decimals}f} %"


def edge_percent(edge: Fraction | float, decimals: int = 4) -> str:
    """A house edge as a percentage; if it is negative, for whom it is.

    >>> edge_percent(Fraction(1, 100)), edge_percent(Fraction(-1, 100), 1)
    ('1.0000 %', '-1.0 % (for the player)')
    """
    return f"{float(edge * 100):.{decimals}f} %" + (" (for the player)" if edge < 0 else "")


def ratio(value: Fraction) -> str:
    """A fraction as n/d, also when the denominator is 1."""
    return f"{value.numerator}/{value.denominator}"
