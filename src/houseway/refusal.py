"""The one exception a guest can cause, and the help that goes with it."""

from collections.abc import Iterable
from difflib import get_close_matches


class Refused(Exception):  # noqa: N818  (a refusal is an answer, not an error of ours)
    """A request that the rules do not allow: what, why, and what would be accepted, in one line."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def one_of(what: str, given: str, known: Iterable[str]) -> str:
    """Return `given` if it is known; otherwise refuse it and suggest the nearest names.

    >>> one_of("wager", "tie", ["player", "banker", "tie"])
    'tie'
    >>> one_of("wager", "bonus7", ["bonus-7", "tie"])
    Traceback (most recent call last):
        ...
    houseway.refusal.Refused: unknown wager "bonus7": did you mean bonus-7? (known: bonus-7, tie)
    """
    names = list(known)
    if given in names:
        return given
    by_lower = {name.lower(): name for name in names}
    nearest = [by_lower[name] for name in get_close_matches(given.lower(), by_lower, n=2, cutoff=0.5)]
    hint = f": did you mean {' or '.join(nearest)}?" if nearest else ""
    raise Refused(f"unknown-{what.replace(' ', '-')}", f'unknown {what} "{given}"{hint} (known: {", ".join(names)})')
