"""A round that goes on is unfolded from what its seats came to before: to what it unfolds to from its tape alone."""

import random
from collections.abc import Callable

import pytest
from sessions import CAT, DAN, ROOT, SUE, house_tables, play, prepare

from houseway.house.floor import Floor
from houseway.rulebook.game import Play
from houseway.table import Phase, unfolded
from houseway.table.state import changed
from houseway.table.unfold import _Unfolding

TABLES = house_tables(6)


def test_what_is_known_of_a_round_changes_nothing_of_what_it_unfolds_to(
    open_floor: Callable[[str], Floor], store_url: str
) -> None:
    floor, rng, compared = open_floor(store_url), random.Random(8), 0
    prepare(floor, TABLES)
    for _ in range(150):
        play(floor, rng, TABLES, 2)
        for table in floor.state.tables.values():
            if table.round.phase != Phase.BETTING and (known := table.round.unfolded) is not None:
                assert known == unfolded(changed(table, round=changed(table.round, unfolded=None)))
                compared += len(known.came_to) > 1
                kept = [each for each in known.came_to.values() if not isinstance(each, Play)]
                assert all(each.__traceback__ is None for each in kept), "what is missed keeps no frames"
    assert compared > 50


def test_seats_that_are_as_they_were_are_not_played_again(
    open_floor: Callable[[str], Floor], store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a full table of blackjack a decision asks the rules about its own seat and the next, and not about all."""
    floor, asked = open_floor(store_url), list[int]()
    floor.do({"kind": "fund", "cents": 10**9}, ROOT)
    floor.do({"kind": "buy-in", "guest": "ann", "cents": 10**6}, CAT)
    opening = {"edition": "lucky-lucky-wa", "source": "virtual-shoe", "opener_cents": 10**8}
    floor.do({"kind": "open", "table": "b", **opening}, SUE)
    request = _Unfolding.request

    def counted(unfolding: _Unfolding, seat: int, cards: tuple[int, ...]) -> object:
        asked.append(seat)
        return request(unfolding, seat, cards)

    monkeypatch.setattr(_Unfolding, "request", counted)
    decided = 0
    for _ in range(5):
        for seat in range(1, 8):
            floor.do({"kind": "bet", "table": "b", "seat": seat, "guest": "ann", "wager": "blackjack", "cents": 1_000}, DAN)
        for kind in ("no-more-bets", "deal"):
            floor.do({"kind": kind, "table": "b"}, DAN)
        while to_act := unfolded(floor.state.tables["b"]).to_act:
            seat, allowed = next(iter(to_act.items()))
            choice = next(name for name in ("stand", "look") if name in allowed)
            asked.clear()
            floor.do({"kind": "decide", "table": "b", "seat": seat, "choice": choice}, DAN)
            if choice == "stand" and (to_act := unfolded(floor.state.tables["b"]).to_act):
                assert set(asked) <= set(range(seat, next(iter(to_act)) + 1)), "the others are as they were"
                decided += 1
        floor.do({"kind": "settle", "table": "b"}, DAN)
    assert decided > 5
