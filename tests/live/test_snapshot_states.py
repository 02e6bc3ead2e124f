"""Every state of random sessions, of every edition and with mistakes mended, equals its snapshot read back: in type and order.

A snapshot that lost the order in which wagers were laid settled them in another one, in one run of thirty.
"""

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from houseway.approval.live import ONE_PERSON, LiveSession, carry_out, make_sessions
from houseway.games import readable_editions
from houseway.rulebook.edition import Edition
from houseway.table import House
from houseway.table.plain import as_json, from_json

EDITIONS = {edition.id: edition for edition in readable_editions()[0]}
SESSIONS, DEEP_SESSIONS = 3, 60


def differences(one: Any, other: Any, where: str = "house") -> Iterator[str]:
    """Where two values differ, if only in a type or in the order of names."""
    if type(one) is not type(other):
        yield f"{where}: {type(one).__name__} {one!r} is {type(other).__name__} {other!r}"
    elif is_dataclass(one):
        for field in fields(one):
            if field.compare:
                yield from differences(getattr(one, field.name), getattr(other, field.name), f"{where}.{field.name}")
    elif isinstance(one, Mapping):
        if list(one) != list(other):
            yield f"{where}: the names {list(one)} are {list(other)}"
        for name in one.keys() & other.keys():
            yield from differences(one[name], other[name], f"{where}[{name!r}]")
    elif isinstance(one, tuple):
        if len(one) != len(other):
            yield f"{where}: {one} is {other}"
        for place, (mine, his) in enumerate(zip(one, other, strict=False)):
            yield from differences(mine, his, f"{where}[{place}]")
    elif one != other:
        yield f"{where}: {one!r} is {other!r}"


def follow(edition: Edition, session: LiveSession) -> set[str]:
    """Two houses, one of which is read back from its snapshot after every command: what they do is the same, to the cent.

    The kinds of the commands that were not refused.
    """
    done = set()
    straight = kept = ONE_PERSON
    for number, given in enumerate(session.commands):
        straight, told = carry_out(edition, straight, given)
        kept, told_again = carry_out(edition, kept, given)
        assert told == told_again, f"command {number}, {given.command}"
        done |= {given.command["kind"]} if not isinstance(told, str) else set()
        kept = from_json(House, as_json(kept))
        assert list(differences(straight, kept)) == [], f"after command {number}, {given.command}"
        assert straight == kept
        assert as_json(straight) == as_json(kept)
    return done


def follow_all(id_: str, sessions: int, seed: int) -> None:
    kinds = set()
    for session in make_sessions(EDITIONS[id_], random.Random(f"{id_} {seed}"), sessions):
        kinds |= follow(EDITIONS[id_], session)
    assert {"settle", "correct"} <= kinds, "rounds are settled and corrected"


@pytest.mark.parametrize("id_", EDITIONS)
def test_every_state_equals_its_snapshot_read_back(id_: str) -> None:
    follow_all(id_, SESSIONS, seed=1)


@pytest.mark.deep
@pytest.mark.parametrize("id_", EDITIONS)
def test_every_state_of_many_sessions_equals_its_snapshot_read_back(id_: str) -> None:
    follow_all(id_, DEEP_SESSIONS, seed=2)


def test_an_order_that_is_lost_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was: names in the alphabet's order, so that wagers were settled in it after a start."""
    in_order = as_json

    def sorted_json(value: Any) -> str:
        return json.dumps(json.loads(in_order(value)), sort_keys=True)

    monkeypatch.setitem(follow.__globals__, "as_json", sorted_json)
    with pytest.raises(AssertionError, match="the names"):
        follow_all("ez-baccarat-wa", 2, seed=1)
