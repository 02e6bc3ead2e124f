"""The change from one state to the next as a value, small enough to be handed to a process that stands where the first was.

Handling again is the truth, and costs what the command cost. Two states that follow each other share most of their parts: only
what is another value is told, down to the fields, names and ends that changed, in the order that the state has.
"""

import pickle
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from io import BytesIO
from typing import Any, TypeVar

from houseway.table.engine import unfolded
from houseway.table.state import House, Phase, Round, Table, changed, is_blind
from houseway.table.unfold import Unfolded

T = TypeVar("T")
WHOLE, FIELDS, NAMES, ENDS = range(4)
"""How a part is told: as it is now; by the fields that changed; by the names that changed or came; by what came to its end."""
Change = tuple[int, Any]
_FORGOTTEN = "unfolded"
"""What a round remembers is no part of its value: whoever is handed a round works that out when he needs it."""


def change(before: Any, after: Any) -> Change | None:
    """What is to be known to make the one of the other; nothing if they are the same value."""
    if before is after:
        return None
    kind = type(after)
    if type(before) is not kind:
        return WHOLE, after
    if kind is dict:
        return _by_names(before, after)
    if kind is tuple:
        return _by_ends(before, after)
    if is_dataclass(kind):
        told = {}
        known, now = before.__dict__, after.__dict__
        for name, value in now.items():
            if value is not known[name] and name != _FORGOTTEN and (inner := change(known[name], value)) is not None:
                told[name] = inner
        return (FIELDS, told) if told or kind is Round else None
    return None if before == after else (WHOLE, after)


def _by_names(before: Mapping[Any, Any], after: Mapping[Any, Any]) -> Change | None:
    """Names keep their place, and new ones come last; a mapping that is ordered otherwise is told as a whole."""
    told, missing = {}, object()
    places = iter(after)
    for name in before:
        if next(places, missing) != name:
            return WHOLE, after
    for name, value in after.items():
        known = before.get(name, missing)
        if known is value:
            continue
        inner = (WHOLE, value) if known is missing else change(known, value)
        if inner is not None:
            told[name] = inner
    return (NAMES, told) if told else None


def _by_ends(before: tuple[Any, ...], after: tuple[Any, ...]) -> Change | None:
    """What came to the end of a tuple; if more changed it is told as a whole."""
    kept = len(before)
    if kept and kept <= len(after) and before[-1] is after[kept - 1] and before == after[:kept]:
        return (ENDS, after[kept:]) if len(after) > kept else None
    return None if before == after else (WHOLE, after)


def changed_by(before: Any, told: Change) -> Any:
    """The value that a change makes of the one before it."""
    how, what = told
    if how == WHOLE:
        return what
    if how == ENDS:
        return before + what
    if how == NAMES:
        known = before.get
        return {**before, **{name: changed_by(known(name), inner) for name, inner in what.items()}}
    own = before.__dict__
    fields = {**own, **{name: changed_by(own[name], inner) for name, inner in what.items()}}
    if _FORGOTTEN in fields:
        fields[_FORGOTTEN] = None
    made = _made(type(before), fields)
    return unfolded_later(made, before.round.unfolded) if isinstance(made, Table) and "round" in what else made


class UnfoldedLater:
    """What a round that was handed here unfolds to: worked out once, when it is asked for, from what was known `before`."""

    def __init__(self, table: Table, before: Unfolded | None) -> None:
        self._table: Table | None = table
        self._before, self._unfolded = before, before

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if self._table is not None:
            self._unfolded, self._table, self._before = unfolded(self._table, before=self._before), None, None
            self.__dict__.update(self._unfolded.__dict__)  # from now on Python finds them by itself
        return getattr(self._unfolded, name)

    def known(self) -> Unfolded | None:
        """What was worked out so far: of this round, or of what it was before."""
        return self._unfolded


def unfolded_later(table: Table, before: Unfolded | UnfoldedLater | None) -> Table:
    """A table whose round is in play, unfolded once for all readers when one looks, from what it was unfolded to `before`."""
    if table.round.phase == Phase.BETTING or table.spoiled or is_blind(table):
        return table
    known = before.known() if isinstance(before, UnfoldedLater) else before
    return changed(table, round=changed(table.round, unfolded=UnfoldedLater(table, known)))


def _made(kind: type[T], fields: dict[str, Any]) -> T:
    """A frozen value of these fields, in a dictionary of its own (`values.quickly_made` says why)."""
    made = object.__new__(kind)
    object.__setattr__(made, "__dict__", fields)
    return made


def _read_round(fields: dict[str, Any]) -> Round:
    return _made(Round, fields)


def _round_told(round_: Round) -> tuple[Callable[[dict[str, Any]], Round], tuple[dict[str, Any]]]:
    return _read_round, ({**round_.__dict__, _FORGOTTEN: None},)


def as_bytes(before: House, after: House) -> bytes:
    """The change from one state to another, to be handed to a process of the same program."""
    written = BytesIO()
    pickler = pickle.Pickler(written, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = {Round: _round_told}
    pickler.dump(change(before, after))
    return written.getvalue()


def from_bytes(before: House, told: bytes) -> House:
    """The state that such a change makes of the one before it."""
    read: Change | None = pickle.loads(told)  # from our own process, through a folder that is nobody else's
    state: House = before if read is None else changed_by(before, read)
    return state
