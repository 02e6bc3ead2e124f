"""How a round is keyed where every seat has a hand of its own: the number thrown, the dealer's hand, and the bonuses hit.

Which hands and bonuses there are is the game's to say. The text of a round is what keypads send and journals keep: the
number, the hand's key, and each hit as `wager.outcome`, with `@seat` where it is told whose it was.

>>> hands = (KeyedHand("pair", "One pair"), KeyedHand("barred", "Barred hand", marks=("pushes",)))
>>> keypad = Keypad(hands, {"bonus": {"flush": "Flush"}}, starts=7, seats=6)
>>> keyed = keypad.parse("barred 3  bonus.flush@2")
>>> str(keyed), keypad.finished(1, keyed)
('3 barred bonus.flush@2', Finished(number=1, headline='Barred hand', start=3, marks=('pushes',), ends=(), \
hits=(Hit(wager='bonus', outcome='Flush', seat=2),)))
"""

from collections.abc import Mapping
from dataclasses import dataclass

from houseway.board.history import Finished, Hit
from houseway.refusal import Refused, one_of

_STRICT = {"extra": "forbid"}


@dataclass(frozen=True)
class KeyedHand:
    """A hand that the dealer can have, as a keypad has it; `marks` are what the scoreboard counts of it."""

    __pydantic_config__ = _STRICT
    key: str
    name: str
    marks: tuple[str, ...] = ()
    shortcut: str = ""


@dataclass(frozen=True)
class KeyedHit:
    """A bonus that was hit, by ids; seat 0 where it is not said whose."""

    wager: str
    outcome: str
    seat: int = 0

    def __str__(self) -> str:
        return f"{self.wager}.{self.outcome}" + (f"@{self.seat}" if self.seat else "")


@dataclass(frozen=True)
class KeyedRound:
    """A round as it was keyed: where the deal began (0 in a game without dice), the dealer's hand, the bonuses hit."""

    start: int
    hand: str
    hits: tuple[KeyedHit, ...] = ()

    def __str__(self) -> str:
        return " ".join([*([str(self.start)] if self.start else []), self.hand, *map(str, self.hits)])


@dataclass(frozen=True)
class Keypad:
    """What can be keyed: the dealer's hands, the names of outcomes that win by wager, the numbers thrown, and the seats."""

    hands: tuple[KeyedHand, ...]
    hits: Mapping[str, Mapping[str, str]]
    starts: int
    seats: int

    def parse(self, text: str) -> KeyedRound:
        """Read a round; refused if it cannot be."""
        words = text.split()
        numbers = [word for word in words if word.isdigit()]
        hits = [self._hit(word) for word in words if "." in word]
        hands = [word for word in words if not word.isdigit() and "." not in word]
        if len(hands) != 1:
            known = ", ".join(hand.key for hand in self.hands)
            raise Refused("bad-hand", f'"{text}" names {len(hands) or "no"} hands of the dealer: name one of {known}')
        hand = one_of("hand", hands[0], [hand.key for hand in self.hands])
        if len(set(hits)) < len(hits) or any(hit.seat and KeyedHit(hit.wager, hit.outcome) in hits for hit in hits):
            raise Refused("impossible-hand", f'"{text}" tells of one hit twice: name the seats, or leave them out')
        seated = [(hit.wager, hit.seat) for hit in hits if hit.seat]
        if len(set(seated)) < len(seated):
            raise Refused("impossible-hand", f'"{text}": a wager at a seat is hit once, by its best hand')
        return KeyedRound(self._start(text, numbers), hand, tuple(hits))

    def _start(self, text: str, numbers: list[str]) -> int:
        if not self.starts:
            if numbers:
                raise Refused("bad-start", f'"{text}": no dice are thrown in this game')
            return 0
        if len(numbers) != 1 or len(numbers[0]) > 3 or not 1 <= int(numbers[0]) <= self.starts:
            raise Refused("bad-start", f'"{text}" needs the number thrown, from 1 to {self.starts}, once')
        return int(numbers[0])

    def _hit(self, word: str) -> KeyedHit:
        named, at, seat = word.partition("@")
        wager, _, outcome = named.partition(".")
        one_of("bonus", wager, self.hits)
        one_of("hit", outcome, self.hits[wager])
        if not at:
            return KeyedHit(wager, outcome)
        if not seat.isdigit() or len(seat) > 3 or not 1 <= int(seat) <= self.seats:
            raise Refused("bad-seat", f'"{word}": seats are 1 to {self.seats}')
        return KeyedHit(wager, outcome, int(seat))

    def finished(self, number: int, keyed: KeyedRound) -> Finished:
        """The round as a scoreboard tells it."""
        hand = next(hand for hand in self.hands if hand.key == keyed.hand)
        hits = tuple(Hit(hit.wager, self.hits[hit.wager][hit.outcome], hit.seat) for hit in keyed.hits)
        return Finished(number, hand.name, keyed.start, hand.marks, hits=hits)
