"""Pins: what an approval is tied to. A file for each edition keeps its rules, its behaviour, and why each pin was made."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from houseway.approval.rules import Rules
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition


@dataclass(frozen=True)
class Behaviour:
    """What the rules do: one digest of `tallies` over `deals` counted deals, and of the payments of `rounds` rounds.

    `parts` are the digests of its parts, by wager or kind of round, so that a change can be placed.
    """

    digest: str
    tallies: int
    deals: int
    rounds: int
    parts: Mapping[str, str]

    @classmethod
    def of(cls, tallies: int, deals: int, rounds: int, parts: Mapping[str, str]) -> "Behaviour":
        """With the digest of its parts."""
        return cls(_digest_of(parts), tallies, deals, rounds, parts)

    @property
    def holds(self) -> bool:
        """Whether the digest is that of its parts."""
        return self.digest == _digest_of(self.parts)

    def differences(self, then: "Behaviour") -> tuple[str, ...]:
        """The parts that are not as they were then."""
        return tuple(name for name in {**then.parts, **self.parts} if then.parts.get(name) != self.parts.get(name))


def _digest_of(parts: Mapping[str, str]) -> str:
    return hashlib.sha256(json.dumps(dict(sorted(parts.items()))).encode()).hexdigest()


@dataclass(frozen=True)
class Pin:
    """The rules and the behaviour that were pinned, and the history of that: why, when, and what it was."""

    rules: Rules
    behaviour: Behaviour
    history: tuple[Mapping[str, Any], ...] = ()

    def then(self, **entry: Any) -> "Pin":
        """The pin with one more entry in its history."""
        return replace(self, history=(*self.history, {**entry, **self._pinned()}))

    def worded_as(self, rules: Rules) -> Rules:
        """Its rules in the words of these, wherever an earlier pin had those: a table opened by then is bound to them."""
        former: dict[str, list[Any]] = {}
        for entry in self.history:
            for key, (then, _) in entry.get("wording", {}).items():
                former.setdefault(key, []).append(then)
        words = {key: rules.data[key] for key, known in former.items() if rules.data.get(key, ...) in known}
        return replace(self.rules, data={**self.rules.data, **words})

    @property
    def has_letter(self) -> bool:
        """Whether any letter of approval was named for it."""
        return any("approval" in entry for entry in self.history)

    @property
    def holds(self) -> bool:
        """Whether its digests are those of its content, and its history ends with them."""
        return self.behaviour.holds and bool(self.history) and self._pinned().items() <= self.history[-1].items()

    def _pinned(self) -> dict[str, Any]:
        pinned = {"rules": self.rules.digest, "behaviour": self.behaviour.digest}
        return {**pinned, "rounds": self.behaviour.rounds, "tallies": self.behaviour.tallies, "deals": self.behaviour.deals}


def pin_file(edition: Edition) -> Path:
    """Where an edition's pin is."""
    return edition.game.folder / "pins" / f"{edition.id}.json"


def read_pin(edition: Edition) -> Pin | None:
    """An edition's pin; none if nothing was pinned. One whose digests are not those of its content is refused."""
    file = pin_file(edition)
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        rules = Rules(data["rules"]["definitions"], data["rules"]["data"])
        pin = Pin(rules, Behaviour(**data["behaviour"]), tuple(data["history"]))
        holds = pin.holds and rules.digest == data["rules"]["digest"]
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise Refused("broken-pin", f"{file.name}: not a pin file") from None
    if not holds:
        raise Refused("broken-pin", f"{file.name} was altered: its digests are not those of its content and of its history")
    return pin


def write_pin(edition: Edition, pin: Pin) -> None:
    """Keep a pin."""
    file = pin_file(edition)
    file.parent.mkdir(exist_ok=True)
    data = {
        "edition": edition.id,
        "rules": {"digest": pin.rules.digest, "definitions": dict(pin.rules.definitions), "data": dict(pin.rules.data)},
        "behaviour": {**vars(pin.behaviour), "parts": dict(pin.behaviour.parts)},
        "history": list(pin.history),
    }
    file.write_text(json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
