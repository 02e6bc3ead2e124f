"""How a hand that all bet on is keyed and written: its winner's letter, then letters for what else can be said of it.

Which letters there are is the game's to say. The text of a hand (`B7`, `Pn`, `T`) is what keypads send and journals keep.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from houseway.board.roads import RoadHand
from houseway.refusal import Refused

Tone = Literal["plain", "blue", "red", "green", "amber", "silver", "gold"]
_STRICT = {"extra": "forbid"}


@dataclass(frozen=True)
class Winner:
    """Who can win: `key` is the letter on the roads, `result` what a table keys; one that is no `side` is a tie."""

    __pydantic_config__ = _STRICT
    key: str
    name: str
    says: str
    result: str
    count: str
    short: str = ""
    shortcut: str = ""
    tone: Tone = "plain"
    side: bool = True


@dataclass(frozen=True)
class Flag:
    """What can be said of a hand besides its winner: its letter, and where it stands on a bead.

    With a `winner` it is that side's alone (by `clause`); it never goes with those it `excludes`, and `why` says so.
    `result` is what a table keys for it, `suffix` what is added to the winner's.
    """

    __pydantic_config__ = _STRICT
    key: str
    name: str
    count: str
    note: str = ""
    says: str = ""
    shortcut: str = ""
    winner: str = ""
    clause: str = ""
    excludes: tuple[str, ...] = ()
    why: str = ""
    result: str = ""
    suffix: str = ""
    place: Literal["middle", "top-right", "top-left", "bottom-right"] = "middle"


@dataclass(frozen=True)
class Results:
    """The winners and the flags of a game, in the order of a hand's text; `pad` are the flags that have keys, in their order.

    >>> edge = Winner("E", "Edge", "On its edge", "edge", "edge", side=False)
    >>> coin = Results((Winner("H", "Heads", "Heads it is", "heads", "heads"), edge))
    >>> [str(hand) for hand in coin.parse_hands("HH E")], coin.hand("E").is_tie
    (['H', 'H', 'E'], True)
    >>> coin.counts(coin.parse_hands("HHE"))
    {'hands': 3, 'heads': 2, 'edge': 1}
    """

    __pydantic_config__ = _STRICT
    winners: tuple[Winner, ...]
    flags: tuple[Flag, ...] = ()
    pad: tuple[str, ...] = ()

    @property
    def sides(self) -> tuple[str, ...]:
        """The letters of those whose runs make the roads."""
        return tuple(winner.key for winner in self.winners if winner.side)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        winners = "|".join(re.escape(winner.key) for winner in self.winners)
        return re.compile(f"({winners})" + "".join(f"({re.escape(flag.key)}?)" for flag in self.flags))

    def hand(self, winner: str, flags: str = "") -> RoadHand:
        """A hand of a winner's letter and its flags' letters; refused if it cannot be."""
        known = {each.key: each for each in self.winners}
        if winner not in known:
            raise Refused("bad-hand", f'"{winner}" wins no hand: {_or([*known])} does')
        for flag in (flag for flag in self.flags if flag.key in flags):
            if flag.winner and flag.winner != winner:
                problem = f"a {flag.name} is a hand that {known[flag.winner].name} wins"
                raise Refused("impossible-hand", f'"{winner}{flags}": {problem}' + (f" ({flag.clause})" if flag.clause else ""))
            if set(flag.excludes) & set(flags):
                raise Refused("impossible-hand", f'"{winner}{flags}": {flag.why}')
        return RoadHand(winner, flags, is_tie=not known[winner].side)

    def parse(self, text: str) -> RoadHand:
        """Read one hand."""
        match = self._pattern.fullmatch(text)
        if not match:
            winners, flags = _or([winner.key for winner in self.winners]), ", ".join(flag.key for flag in self.flags)
            more = f", then {flags} for its flags" if flags else ""
            raise Refused("bad-hand", f'"{text}" is not a hand: write {winners}{more}')
        return self.hand(match[1], "".join(match.groups()[1:]))

    def parse_hands(self, text: str) -> tuple[RoadHand, ...]:
        """Read the hands of a shoe; spaces and commas between them may be left out."""
        hands: list[RoadHand] = []
        for word in re.split(r"[\s,]+", text.strip()) if text.strip() else ():
            tokens = [match[0] for match in self._pattern.finditer(word)]
            hands += map(self.parse, tokens if "".join(tokens) == word else [word])
        return tuple(hands)

    def counts(self, hands: Sequence[RoadHand]) -> dict[str, int]:
        """How often everything happened that a scoreboard counts; a flag's hand counts under its winner as well."""
        return {
            "hands": len(hands),
            **{winner.count: sum(hand.winner == winner.key for hand in hands) for winner in self.winners},
            **{flag.count: sum(flag.key in hand.flags for hand in hands) for flag in self.flags},
        }


def _or(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
