"""Cards and dice of the house's own making, which anybody can check afterwards.

The order is shuffled and committed to before the first bet, kept sealed while it is dealt, and revealed at the end.
The commitment is the SHA-256 of this text, in ASCII, the salt being 64 lower-case hex digits:

    houseway-shoe-1|<salt>|As Kd 10h Jk ...        cards from the first to be drawn, as `show_cards` writes them
    houseway-dice-1|<salt>|3 1 6                   numbers in the order thrown
    houseway-seed-1|<seed>|2c 2d 2h 2s 3c ...      where guests add randomness: the house's seed, and the cards not yet in order

There the order follows from the house's seed, which is committed to first, and from what guests' screens add to it:

    key    = SHA-256 of  houseway-mix-1|<seed>|<guest's> <guest's> ...     64 lower-case hex digits each, the guests' sorted
    words  = SHA-256 of  <key>|0  , then of  <key>|1  , ...                8 numbers of 32 bits each, highest byte first
    below(n) = the next word under the greatest multiple of n that is no more than 2^32, modulo n
    order  = `shuffled` with that: the cards from 2c to As, jokers last; for each place from the last to the second, that card
             changes places with the one at below(place + 1), counted from 0
"""

import json
import os
import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Literal, TypeGuard

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from houseway.cards import JOKER, fresh_shoe, show_card, show_cards
from houseway.refusal import Refused

Kind = Literal["shoe", "dice", "seed"]
RandomBelow = Callable[[int], int]

_HEX_32_BYTES = re.compile(r"[0-9a-f]{64}", re.ASCII)
_CARD_OF = {show_card(card): card for card in range(JOKER + 1)}
_SEAL = b"houseway-sealed-1"
_NONCE_BYTES = 12


# Chance


def shuffled(cards: Sequence[int], random_below: RandomBelow = secrets.randbelow) -> tuple[int, ...]:
    """Every order equally likely (Fisher and Yates), if `random_below(n)` is uniform on 0..n-1.

    >>> shuffled((10, 20, 30), random_below=lambda n: 0)
    (20, 30, 10)
    """
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        chosen = random_below(last + 1)
        assert 0 <= chosen <= last
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def throw(sides: int, random_below: RandomBelow = secrets.randbelow) -> int:
    """One die: 1..sides. Several dice are several throws."""
    if sides < 1:
        raise Refused("bad-die", f"a die has 1 side or more, not {sides}")
    return 1 + random_below(sides)


def mixed(cards: Sequence[int], seed: str, guests: Iterable[str]) -> tuple[int, ...]:
    """The order that follows from the house's seed and those that guests have added."""
    key = sha256(f"houseway-mix-1|{seed}|{' '.join(sorted(guests))}".encode("ascii")).hexdigest()
    blocks = (sha256(f"{key}|{number}".encode("ascii")).digest() for number in count())
    words = (int.from_bytes(block[at : at + 4], "big") for block in blocks for at in range(0, 32, 4))

    def below(n: int) -> int:
        return next(word for word in words if word < 2**32 // n * n) % n

    return shuffled(sorted(cards), below)


# Commitments


@dataclass(frozen=True)
class Commitment:
    """What is published before the first bet: 64 lower-case hex digits."""

    digest: str


@dataclass(frozen=True)
class Revealed:
    """What opens a commitment. Secret until then, so neither order nor salt shows in a log that prints it.

    The commitment binds kind, salt and order. `burned` (cards burned off the front) and `note` only travel along.
    """

    order: tuple[int, ...] = field(repr=False)
    salt: str = field(repr=False)
    burned: int = 0
    note: str = ""
    kind: Kind = "shoe"


def canonical(revealed: Revealed) -> bytes | None:
    """The bytes a commitment is the SHA-256 of; None for what can have no commitment (no such card, number or salt)."""
    if not _HEX_32_BYTES.fullmatch(revealed.salt):
        return None
    if revealed.kind == "dice":
        fits = all(number >= 1 for number in revealed.order)
        text = " ".join(str(number) for number in revealed.order)
    else:
        fits = all(0 <= card <= JOKER for card in revealed.order)
        text = show_cards(revealed.order) if fits else ""
    return f"houseway-{revealed.kind}-1|{revealed.salt}|{text}".encode("ascii") if fits else None


def commit(
    order: Sequence[int], *, burned: int = 0, note: str = "", kind: Kind = "shoe", salt: str | None = None
) -> tuple[Commitment, Revealed]:
    """Bind the house to cards, or to the numbers of dice. The salt is the operating system's unless a test brings one."""
    revealed = Revealed(tuple(order), salt or secrets.token_hex(32), burned, note, kind)
    text = canonical(revealed)
    assert text is not None
    return Commitment(sha256(text).hexdigest()), revealed


def check(commitment: Commitment, revealed: Revealed) -> bool:
    """Whether the commitment opens to exactly this order and salt."""
    text = canonical(revealed)
    return text is not None and sha256(text).hexdigest() == commitment.digest


def opens(commitment: Commitment, order: tuple[int, ...], salt: str, seeds: Sequence[str] | None = None) -> bool:
    """Whether a commitment opens to this order: itself or, with the `seeds` of guests, by the seed that it was made of."""
    if seeds is None:
        return check(commitment, Revealed(order, salt))
    return check(commitment, Revealed(tuple(sorted(order)), salt, kind="seed")) and mixed(order, salt, seeds) == order


# Sealing: how an undealt order is stored


def seal(key: bytes, revealed: Revealed) -> bytes:
    """Encrypt and authenticate (AES-256-GCM): a fresh nonce, then the ciphertext with its tag."""
    nonce = os.urandom(_NONCE_BYTES)
    return nonce + _cipher(key).encrypt(nonce, json.dumps(vars(revealed)).encode(), _SEAL)


def unseal(key: bytes, sealed: bytes) -> Revealed:
    """Whatever `seal` was given. Check it against its commitment too: a seal cannot tell one shoe from another."""
    cipher = _cipher(key)
    try:
        content = cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], _SEAL)
    except (InvalidTag, ValueError):
        message = "the sealed shoe does not open: it was sealed with another key, or altered since"
        raise Refused("seal-broken", message) from None
    fields = json.loads(content)
    return Revealed(**{**fields, "order": tuple(fields["order"])})


def _cipher(key: bytes) -> AESGCM:
    if len(key) != 32:
        raise Refused("bad-key", f"a shoe key has 32 bytes, not {len(key)}")
    return AESGCM(key)


# Verifying an export


def verify_file(path: Path, *, require_revealed: bool = False) -> list[str]:
    """What does not hold in an exported journal (JSON Lines); empty when everything does. Other kinds are passed over.

    {"kind": "shoe-committed", "shoe": ID, "commitment": HEX}      with "decks" (and "jokers"), the whole shoe is counted
                                        with "wants_seeds": true, its order follows from the house's seed and guests' seeds:
    {"kind": "shoe-mixed", "shoe": ID, "seeds": [HEX, ...]}        those; the salt revealed is then the house's seed
    {"kind": "cards-drawn", "shoe": ID, "cards": ["As", ...]}      in order; burned ones too, with "burned": true
    {"kind": "shoe-revealed", "shoe": ID, "salt": HEX, "order": ["As", ...]}
    and dice-committed, dice-thrown (with "numbers"), dice-revealed with "dice": ID in the same way.
    `require_revealed` asks for a finished proof: something committed, and nothing still closed.
    """
    findings: list[str] = []
    trails: dict[tuple[Kind, str | int], _Trail] = {}
    for entry in _entries(path):
        step = _STEPS.get(entry.kind)
        if step:
            kind, follow = step
            trail = trails.setdefault((kind, entry.identity(kind)), _Trail(kind))
            findings += [f"line {entry.line}: {entry.name(kind)} {finding}" for finding in follow(trail, entry)]
    if require_revealed:
        closed = [key for key, trail in trails.items() if not trail.revealed]
        findings += [f"{kind} {json.dumps(identity)} is not revealed yet" for kind, identity in closed]
        findings += [] if trails else ["the file commits to no shoe and no dice"]
    return findings


@dataclass(frozen=True)
class _Entry:
    """One line of an export, read strictly: a card spelt in another way is no card, so no changed byte goes unseen."""

    line: int
    kind: str
    fields: dict[str, object]

    def refuse(self, message: str) -> Refused:
        return Refused("bad-export", f"line {self.line} ({self.kind}): {message}")

    def identity(self, kind: Kind) -> str | int:
        value = self.fields.get(kind)
        if not isinstance(value, str | int) or isinstance(value, bool):
            raise self.refuse(f'"{kind}" must name the {kind}, by a text or a number')
        return value

    def name(self, kind: Kind) -> str:
        return f"{kind} {json.dumps(self.identity(kind))}"

    def text(self, name: str) -> str:
        value = self.fields.get(name)
        if not isinstance(value, str):
            raise self.refuse(f'"{name}" must be a text')
        return value

    def number(self, name: str) -> int | None:
        value = self.fields.get(name)
        if value is None or _is_count(value):
            return value
        raise self.refuse(f'"{name}" must be a whole number, 0 or more')

    def values(self, name: str, kind: Kind) -> tuple[int, ...]:
        given = self.fields.get(name)
        if not isinstance(given, list):
            raise self.refuse(f'"{name}" must be a list')
        return tuple(self._value(value, kind) for value in given)

    def _value(self, value: object, kind: Kind) -> int:
        if kind == "dice" and _is_count(value) and value >= 1:
            return value
        if kind == "shoe" and isinstance(value, str) and value in _CARD_OF:
            return _CARD_OF[value]
        wanted = "a number of a die, 1 or more" if kind == "dice" else "a card as exports write it, such as As 10h Jk"
        raise self.refuse(f"{json.dumps(value)[:40]} is not {wanted}")


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


@dataclass
class _Trail:
    """What an export has said so far about one shoe, or one throw."""

    kind: Kind
    commitment: Commitment | None = None
    contents: tuple[int, ...] | None = None
    drawn: list[tuple[int, int]] = field(default_factory=list)  # line, card
    revealed: bool = False
    wants_seeds: bool = False
    seeds: tuple[str, ...] | None = None

    def commit(self, entry: _Entry) -> Iterator[str]:
        commitment = Commitment(entry.text("commitment"))
        decks, jokers = entry.number("decks"), entry.number("jokers")
        wants_seeds = entry.fields.get("wants_seeds", False)
        if not isinstance(wants_seeds, bool):
            raise entry.refuse('"wants_seeds" must be true or false')
        if self.commitment:
            yield "is committed to a second time"
        elif self.revealed or self.drawn:
            yield "is committed to only after it was used"
        else:
            self.contents = fresh_shoe(decks, jokers or 0) if decks is not None else None
            self.wants_seeds = wants_seeds
        self.commitment = self.commitment or commitment

    def mix(self, entry: _Entry) -> Iterator[str]:
        seeds = entry.fields.get("seeds")
        if not isinstance(seeds, list) or not all(isinstance(seed, str) and _HEX_32_BYTES.fullmatch(seed) for seed in seeds):
            raise entry.refuse('"seeds" must be a list of texts of 64 lower-case hex digits')
        if not self.wants_seeds or self.seeds is not None or self.revealed:
            yield "is mixed when it did not wait for that"
        elif self.drawn:
            yield "is mixed only after it was drawn from"
        self.seeds = self.seeds if self.seeds is not None else tuple(seeds)

    def draw(self, entry: _Entry) -> Iterator[str]:
        drawn = entry.values("cards" if self.kind == "shoe" else "numbers", self.kind)
        if not isinstance(entry.fields.get("burned", False), bool):
            raise entry.refuse('"burned" must be true or false')
        if self.wants_seeds and self.seeds is None:
            yield "is drawn from before it is mixed"
        if self.revealed:
            yield "is drawn from after it was revealed"
        elif not self.commitment and not self.drawn:
            yield "is drawn from without a commitment"
        self.drawn += [(entry.line, value) for value in drawn]

    def reveal(self, entry: _Entry) -> Iterator[str]:
        revealed = Revealed(entry.values("order", self.kind), entry.text("salt"), kind=self.kind)
        if self.revealed:
            yield "is revealed a second time"
            return
        self.revealed = True
        if not self.commitment:
            yield "is revealed without a commitment"
        elif self.wants_seeds and not self.opens(revealed):
            yield "does not follow from the seed committed to and those that guests added"
        elif not self.wants_seeds and not check(self.commitment, revealed):
            yield "was committed to another order or salt than the one revealed"
        if self.contents is not None and Counter(revealed.order) != Counter(dict(enumerate(self.contents))):
            yield "does not hold the decks and jokers it was said to hold"
        yield from self._departure(revealed.order)

    def opens(self, revealed: Revealed) -> bool:
        """Whether the order follows from the house's seed and the guests'; a shoe that was never mixed has no other seeds."""
        return self.commitment is not None and opens(self.commitment, revealed.order, revealed.salt, self.seeds or ())

    def _departure(self, order: tuple[int, ...]) -> Iterator[str]:
        """Only the first: whatever follows a wrong card is out of step anyway."""
        show = show_card if self.kind == "shoe" else str
        for place, (line, value) in enumerate(self.drawn):
            if place >= len(order):
                yield f"gave more than its {len(order)}: {show(value)} on line {line} is none of them"
                return
            if value != order[place]:
                yield f"gave {show(value)} as number {place + 1} on line {line}, and the order has {show(order[place])} there"
                return


_STEPS: dict[str, tuple[Kind, Callable[[_Trail, _Entry], Iterator[str]]]] = {
    "shoe-committed": ("shoe", _Trail.commit),
    "shoe-mixed": ("shoe", _Trail.mix),
    "cards-drawn": ("shoe", _Trail.draw),
    "shoe-revealed": ("shoe", _Trail.reveal),
    "dice-committed": ("dice", _Trail.commit),
    "dice-thrown": ("dice", _Trail.draw),
    "dice-revealed": ("dice", _Trail.reveal),
}


def _entries(path: Path) -> Iterator[_Entry]:
    try:
        with path.open("rb") as file:
            for line, content in enumerate(file, start=1):
                if content.strip():
                    yield _entry(line, content)
    except OSError as error:
        raise Refused("bad-export", f"{path} cannot be read: {error.strerror}") from None


def _entry(line: int, content: bytes) -> _Entry:
    try:
        fields = json.loads(content.decode("utf-8"), object_pairs_hook=_no_name_twice)
    except (ValueError, RecursionError):
        raise Refused("bad-export", f"line {line} is not JSON with each name once: export one object a line") from None
    kind = fields.get("kind") if isinstance(fields, dict) else None
    if not isinstance(kind, str):
        raise Refused("bad-export", f'line {line} is not an entry: it must be an object with a "kind"')
    return _Entry(line, kind, fields)


def _no_name_twice(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a name occurs twice")  # two readers could disagree on which one counts
    return fields
