"""Text for terminals that have not all letters: what they lack is written with those they have."""

import codecs
import sys
import unicodedata
from io import TextIOWrapper

ALIKE = {
    "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2212": "-",
    "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00ab": '"', "\u00bb": '"',
    "\u2026": "...", "\u00b7": "-", "\u2022": "*", "\u00d7": "x", "\u00f7": "/", "\u2264": "<=", "\u2265": ">=",
    "\u2260": "!=", "\u2248": "~", "\u00b1": "+/-", "\u2192": "->", "\u2190": "<-", "\u2713": "yes", "\u2717": "no",
    "\u00a7": "section ", "\u20ac": "EUR", "\u00a3": "GBP", "\u00b0": " degrees", "\u00df": "ss", "\u00e6": "ae",
    "\u00c6": "AE", "\u00f8": "o", "\u00d8": "O", "\u0153": "oe", "\u2660": "s", "\u2665": "h", "\u2666": "d",
    "\u2663": "c", "\u221e": "infinity", "\u03c3": "sigma", "\u00b5": "u", "\u2588": "#", "\u2591": ".", "\u2500": "-",
    "\u2502": "|", "\u250c": "+", "\u2510": "+", "\u2514": "+", "\u2518": "+", "\u251c": "+", "\u2524": "+",
}  # fmt: skip
"""Characters that our texts use, or may, as ASCII has them."""


def _alike(char: str) -> str:
    plain = ALIKE.get(char) or "".join(part for part in unicodedata.normalize("NFKD", char) if part.isascii())
    return plain or "?"


def _written_plainly(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_alike(char) for char in error.object[error.start : error.end]), error.end


def write_plainly() -> None:
    """From now on nothing that is printed fails for want of a letter."""
    codecs.register_error("houseway", _written_plainly)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="houseway")
