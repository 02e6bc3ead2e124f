"""What the scoreboard of a game without roads shows: its last rounds, and what they add up to.

Where dice choose a position, the rounds tell where the deal started. The headline is the dealer's hand, in the words of
the game.

>>> rounds = [
...     Finished(1, "Queen high", start=3, marks=("dealer-pushes",), ends=(Ended("main", "push"),)),
...     Finished(2, "Pair of 9s, K-J", start=7, ends=(Ended("main", "win"),), hits=(Hit("bonus", "Full house", seat=2),)),
... ]
>>> board = summary(rounds, positions=7)
>>> board.last[0].headline, board.starts, board.marks, board.hits
('Pair of 9s, K-J', (0, 0, 1, 0, 0, 0, 1), {'dealer-pushes': 1}, {'bonus': {'Full house': 1}})
>>> board.ends["main"]
Ends(win=1, lose=0, push=1)
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from houseway.refusal import Refused
from houseway.values import quickly_made

End = Literal["win", "lose", "push"]


@dataclass(frozen=True)
class Hit:
    """A bonus wager that won, with the name of its outcome; seat 0 where it does not matter whose."""

    wager: str
    outcome: str
    seat: int = 0


@quickly_made
@dataclass(frozen=True)
class Ended:
    """How one stake ended."""

    wager: str
    end: End

    @classmethod
    def of(cls, wager: str, net_cents: int) -> "Ended":
        """By the player's net result: half a stake lost is lost, and a pay of nothing is a push."""
        return cls(wager, "win" if net_cents > 0 else "lose" if net_cents < 0 else "push")


@quickly_made
@dataclass(frozen=True)
class Finished:
    """A round that is over. `start` is the position chosen by the dice, 0 in a game without; `marks` are ids to count."""

    number: int
    headline: str
    start: int = 0
    marks: tuple[str, ...] = ()
    ends: tuple[Ended, ...] = ()
    hits: tuple[Hit, ...] = ()


@dataclass(frozen=True)
class Ends:
    """How the stakes on one wager ended."""

    win: int = 0
    lose: int = 0
    push: int = 0


@dataclass(frozen=True)
class Summary:
    """Rounds added up. `last` begins with the newest; `starts` has a count for each position from 1 on.

    `ends` is by wager; `hits` by wager and then by outcome, the most frequent first.
    """

    rounds: int
    last: tuple[Finished, ...]
    starts: tuple[int, ...]
    marks: Mapping[str, int]
    ends: Mapping[str, Ends]
    hits: Mapping[str, Mapping[str, int]]


def summary(rounds: Sequence[Finished], positions: int = 0, last: int = 12) -> Summary:
    """Add up rounds given in the order played, and keep the last few of them to show; the dice choose one of `positions`."""
    for finished in rounds:
        if not 0 <= finished.start <= positions:
            problem = f"round {finished.number} starts at {finished.start}"
            raise Refused(
                "bad-start", f"{problem}: " + (f"positions are 1 to {positions}" if positions else "no dice are thrown")
            )
    starts = Counter(finished.start for finished in rounds)
    ends = _by_wager((ended.wager, ended.end) for finished in rounds for ended in finished.ends)
    hits = _by_wager((hit.wager, hit.outcome) for finished in rounds for hit in finished.hits)
    return Summary(
        rounds=len(rounds),
        last=tuple(reversed(rounds))[:last],
        starts=tuple(starts[position] for position in range(1, positions + 1)),
        marks=dict(Counter(mark for finished in rounds for mark in finished.marks)),
        ends={wager: Ends(count["win"], count["lose"], count["push"]) for wager, count in ends.items()},
        hits={wager: dict(count.most_common()) for wager, count in hits.items()},
    )


def _by_wager(pairs: Iterable[tuple[str, str]]) -> dict[str, Counter[str]]:
    counted: dict[str, Counter[str]] = {}
    for wager, what in pairs:
        counted.setdefault(wager, Counter())[what] += 1
    return counted
