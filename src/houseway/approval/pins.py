"""Pins: what an approval is tied to. A file for each edition keeps its rules, its behaviour, and why each pin was made."""

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

    def differences(self, then: "Behaviour") -> tuple[str, ...]:
        """The parts that are not as they were then."""
        return tuple(name for name in {**then.parts, **self.parts} if then.parts.get(name) != self.parts.get(name))


@dataclass(frozen=True)
class Pin:
    """The rules and the behaviour that were pinned, and the history of that: why, when, and what it was."""

    rules: Rules
    behaviour: Behaviour
    history: tuple[Mapping[str, Any], ...] = ()

    def then(self, **entry: Any) -> "Pin":
        """The pin with one more entry in its history."""
        pinned = {"rules": self.rules.digest, "behaviour": self.behaviour.digest}
        counted = {"rounds": self.behaviour.rounds, "tallies": self.behaviour.tallies, "deals": self.behaviour.deals}
        return replace(self, history=(*self.history, {**entry, **pinned, **counted}))


def pin_file(edition: Edition) -> Path:
    """Where an edition's pin is."""
    return edition.game.folder / "pins" / f"{edition.id}.json"


def read_pin(edition: Edition) -> Pin | None:
    """An edition's pin; none if nothing was pinned."""
    file = pin_file(edition)
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        rules = Rules(data["rules"]["definitions"], data["rules"]["data"])
        return Pin(rules, Behaviour(**data["behaviour"]), tuple(data["history"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        raise Refused("broken-pin", f"{file.name}: not a pin file") from None


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
