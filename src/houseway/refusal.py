"""The one exception a guest can cause, and the help that goes with it."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches


class Refused(Exception):  # noqa: N818  (a refusal is an answer, not an error of ours)
    """A request that the rules do not allow: what, why, and what would be accepted, in one line."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def to_type(id_: str, name: str) -> str:
    """A word that one types, and beside it what people call it, unless that is the same word.

    >>> to_type("bonus-7", "Bonus 7"), to_type("tie", "Tie")
    ('bonus-7 (Bonus 7)', 'tie')
    """
    return id_ if name.casefold() == id_.casefold() else f"{id_} ({name})"


def one_of(what: str, given: str, known: Iterable[str], names: Mapping[str, str] | None = None) -> str:
    """Return `given` if it is known; otherwise refuse it and suggest the nearest words, with their `names` if they have some.

    >>> one_of("wager", "tie", ["player", "banker", "tie"])
    'tie'
    >>> one_of("wager", "bonus7", ["bonus-7", "tie"])
    Traceback (most recent call last):
        ...
    houseway.refusal.Refused: unknown wager "bonus7": did you mean bonus-7? (known: bonus-7, tie)
    """
    words = list(known)
    if given in words:
        return given
    called = {word: to_type(word, (names or {}).get(word, word)) for word in words}
    by_lower = {word.lower(): word for word in words}
    nearest = [called[by_lower[word]] for word in get_close_matches(given.lower(), by_lower, n=2, cutoff=0.5)]
    hint = f": did you mean {' or '.join(nearest)}?" if nearest else ""
    raise Refused(f"unknown-{what.replace(' ', '-')}", f'unknown {what} "{given}"{hint} (known: {", ".join(called.values())})')


def number_of(number: int, noun: str) -> str:
    """How many of something.

    >>> number_of(1, "seat"), number_of(1200, "card")
    ('1 seat', '1,200 cards')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
