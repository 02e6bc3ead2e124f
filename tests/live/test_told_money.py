"""What an entry tells of payments is what it moves: the audit says so even with the program that moved something else."""

from dataclasses import replace

import pytest
from sessions import CAT, DAN, ROOT, SUE

from houseway.house.audit import Auditor
from houseway.house.floor import Floor
from houseway.house.store import Store
from houseway.table import engine
from houseway.table.duties import ONE
from houseway.table.ledger import Transfer


@pytest.fixture
def floor(tmp_path):
    """A house with a baccarat table whose cards are keyed, and a bet on Player."""
    floor = Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), tmp_path / "key", begins=ONE)
    floor.do({"kind": "fund", "cents": 10_000_000}, ROOT)
    floor.do({"kind": "buy-in", "guest": "ann", "cents": 200_000}, CAT)
    opened = {"edition": "ez-baccarat-wa", "source": "hand-keyed", "opener_cents": 2_000_000}
    floor.do({"kind": "open", "table": "t1", **opened}, SUE)
    return floor


def settle(floor, **bets):
    """A round that Player wins."""
    for wager, cents in bets.items():
        floor.do({"kind": "bet", "table": "t1", "seat": 2, "guest": "ann", "wager": wager, "cents": cents}, DAN)
    floor.do({"kind": "no-more-bets", "table": "t1"}, DAN)
    floor.do({"kind": "card", "table": "t1", "cards": "2s 4h 7d Kc"}, DAN)
    floor.do({"kind": "settle", "table": "t1"}, DAN)


def changing(monkeypatch, kind, change):
    """The engine as somebody rewrote it: the transfers of one kind of command are others."""
    honest = engine._carried_out

    def carried_out(house, command, declaration, draw):
        effect = honest(house, command, declaration, draw)
        if command["kind"] == kind:
            effect.transfers = [other for transfer in effect.transfers for other in change(transfer)]
        return effect

    monkeypatch.setattr(engine, "_carried_out", carried_out)


def halved(transfer):
    """A win of which half stays in the tray."""
    is_win = transfer.source.startswith("tray:")
    return [replace(transfer, cents=transfer.cents // 2)] if is_win else [transfer]


def with_a_gift(transfer):
    """Something for a friend beside every win."""
    return [transfer, Transfer("tray:t1", "guest:ann", 100, "round 1 seat 2 player paid")]


def flaws(floor):
    return [flaw.what for flaw in Auditor(floor.store).run().flaws]


def test_an_honest_settlement_moves_what_it_tells(floor):
    settle(floor, player=10_000, tie=500)
    assert flaws(floor) == []


def test_a_win_that_is_halved_on_its_way_is_a_flaw(floor, monkeypatch):
    changing(monkeypatch, "settle", halved)
    settle(floor, player=10_000)
    first, second = flaws(floor)
    assert first == ("it tells that ann won $100 on player, and does not move $100 from the tray of t1 to ann's purse for it")
    assert second.startswith("it moves $50 from the tray of t1 to ann's purse")


def test_money_that_is_not_told_of_is_a_flaw(floor, monkeypatch):
    changing(monkeypatch, "settle", with_a_gift)
    settle(floor, player=10_000)
    assert set(flaws(floor)) == {
        "it moves $1 from the tray of t1 to ann's purse (round 1 seat 2 player paid), and tells nothing of it"
    }


def test_a_win_that_is_told_as_less_than_was_due_is_a_flaw(floor, monkeypatch):
    honest = engine._carried_out

    def carried_out(house, command, declaration, draw):
        effect = honest(house, command, declaration, draw)
        effect.events = [replace(e, win_cents=5_000) if e.kind == "paid" else e for e in effect.events]
        effect.transfers = [other for transfer in effect.transfers for other in halved(transfer)]
        return effect

    monkeypatch.setattr(engine, "_carried_out", carried_out)
    settle(floor, player=10_000)
    assert flaws(floor) == ["it tells that ann won $50 on player, and that $100 was due, with no bank that falls short"]


def test_a_correction_moves_what_it_tells(floor, monkeypatch):
    settle(floor, player=10_000)
    command = {"kind": "correct", "table": "t1", "round": 1, "reason": "misread", "cards": "2s 9h 6d Kc"}
    changing(monkeypatch, "correct", lambda transfer: [replace(transfer, cents=transfer.cents // 2)])
    floor.do(command, SUE)
    told = flaws(floor)
    assert "it tells that ann not won $100 on player, and does not move $100 for it" in told
