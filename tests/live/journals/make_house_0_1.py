"""How house-0.1.db was made: an evening in a small house, written by release 0.1 (commit 86b53a7), whose modules it imports.

    git worktree add /tmp/old 86b53a7
    PYTHONPATH=/tmp/old/src:/tmp/old/tests/live python tests/live/journals/make_house_0_1.py FOLDER

Every edition, with cards from the house's shoe and keyed in; splits, doubles, insurance, even money, surrender, envy, fouls,
voids, reversals, corrections, disputes, payouts that wait for a supervisor, aggregate limits, a bank of the players',
keyed scoreboards, people, attempts, and snapshots in between. It is not run any more: the journal that it made is the test.
"""

import json
import random
import sqlite3
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import sessions
from houseway.audit import Auditor
from houseway.floor import Actor, Floor
from houseway.journal import Store

from houseway import snapshot as snapshots
from houseway.refusal import Refused

ROOT, SUE, DAN, CAT = sessions.ROOT, sessions.SUE, sessions.DAN, sessions.CAT
DRAGON_7, PANDA_8, TIE = "Ks 2h 2d 3c 4h 2c", "2s 2h 2d 4c 4h", "9s 9h Kd Kc"
ACES_KINGS, FLUSH = "Ac Ad Kc Kd 9h 5s 2c", "Ks Qs Js 10s 9s Ac Ad"
FOUR_SEVENS, LOW, QUEEN_HIGH = "7c 7d 7h 7s 2d 3d Jh", "Qs 10s 8c 6d 4h 3s 2s", "Qc 10d 9c 8h 5c 4d 3h"


class Evening:
    """A floor whose clock goes on by a second with every look at it."""

    def __init__(self, folder):
        self.now = datetime(2026, 5, 1, 18, tzinfo=UTC)
        self.floor = Floor(Store(f"sqlite:///{folder / 'house-0.1.db'}"), folder / "house-0.1.key", clock=self.clock)
        self.table = ""

    def clock(self):
        self.now += timedelta(seconds=1)
        return self.now

    def do(self, kind, actor=DAN, at=None, **fields):
        place = {"table": self.table if at is None else at} if at != "" else {}
        return self.floor.do({"kind": kind, **place, **fields}, actor)

    def refused(self, kind, actor=DAN, **fields):
        try:
            self.do(kind, actor, **fields)
        except Refused:
            return
        raise AssertionError(kind)

    def open(self, name, edition, source="hand-keyed", **opening):
        self.table = name
        self.do("open", SUE, edition=edition, source=source, **({"opener_cents": 20_000_000} | opening))

    def bet(self, seat, guest, **wagers):
        for wager, cents in wagers.items():
            self.do("bet", seat=seat, guest=guest, wager=wager.replace("_", "-"), cents=cents)

    def hand(self, cards, *choices, dice=None, settle=True):
        """Key cards and choices in: a choice is (seat, what), a text is cards."""
        self.do("no-more-bets", **({"dice": dice} if dice else {}))
        self.do("card", cards=cards)
        for step in choices:
            if isinstance(step, str):
                self.do("card", cards=step)
            else:
                self.do("decide", seat=step[0], choice=step[1])
        return self.do("settle") if settle else None


def people(house):
    house.floor.note("person-added", ROOT, {"name": "sue", "role": "supervisor"})
    house.floor.note("person-added", ROOT, {"name": "dan", "role": "dealer"})
    for failures in (1, 2):
        house.floor.note("login-failed", Actor("door", "supervisor"), {"name": "dan", "failures": failures})
    house.floor.note("locked-out", Actor("door", "supervisor"), {"name": "dan", "failures": 3})
    changed = {"name": "dan", "role": "dealer", "password": False, "unlocked": True}
    house.floor.note("person-changed", ROOT, changed)


def baccarat(house):
    house.open("baccarat", "ez-baccarat-wa", limits={"tie": [100, 10_000]}, aggregates={}, seats_per_guest=2)
    house.bet(1, "ann", banker=10_000, dragon_7=500)
    house.bet(3, "bob", player=20_000, tie=500, panda_8=500)
    house.do("ready", Actor("bob", "guest"), seat=3, guest="bob")
    house.do("withdraw", seat=3, guest="bob", wager="tie")
    house.bet(1, "ann", banker=5_000)
    house.hand(DRAGON_7)
    house.bet(1, "ann", panda_8=2_500)
    house.hand(PANDA_8)
    house.do("reverse", SUE, round=2, reason="the tie was taken as Player's")
    house.bet(1, "ann", tie=2_500, banker=2_500)
    house.do("no-more-bets")
    house.do("card", cards="9s 9h")
    house.do("dispute", reason="a guest says that a card was exposed")
    house.do("resolve", SUE, reason="it was not")
    house.do("card", cards="Kd 8c")
    house.do("correct-card", place=4, card="Kc")
    house.do("settle")
    for result in ("banker-win natural", "tie", "panda-8"):
        house.bet(2, "cyd", banker=1_000, tie=500)
        house.do("no-more-bets")
        house.do("result", result="player-win")
        house.do("result", result=result)
        house.do("settle")
    house.bet(2, "cyd", banker=1_000)
    house.do("void", SUE, reason="misdeal")
    house.do("new-shoe")
    house.do("tip", guest="ann", cents=500)
    house.do("fill", CAT, cents=10_000)
    house.do("credit", CAT, cents=5_000)
    house.do("table-buy-in", guest="cyd", cents=3_000)
    house.do("drop", CAT)
    house.do("closer", cents=20_000_000)
    house.refused("void", Actor("ann", "guest"), reason="misdeal")
    house.refused("fund", DAN, at="", cents=100)
    house.do("close", SUE, closer_cents=1)
    house.open("watched", "ez-baccarat-wa", watch="acknowledge", watch_cents=10_000)
    house.bet(4, "ann", dragon_7=500, banker=5_000)
    house.hand(DRAGON_7, settle=False)
    house.refused("settle")
    house.do("acknowledge", SUE)
    house.do("settle")


def pai_gow(house):
    house.open(
        "paigow",
        "ez-pai-gow-wa",
        settings={"deal": "wagered-positions", "R6b": "yes", "R16": "loses", "pay-table": "1"},
        limits={"dynasty": [100, 500]},
        aggregates={"dynasty": 25_000},
        decision_seconds=5,
    )
    house.bet(1, "ann", base=10_000, dynasty=500)
    house.bet(2, "bob", base=10_000, dynasty=500, red_black=500)
    house.do("decide", seat=2, choice="black")
    hands = f"{QUEEN_HIGH} {FOUR_SEVENS} {FLUSH}"  # the dealer, seats 2 and 1: both win more than the limit, and envy
    house.hand(hands, (2, "house-way"), (1, "house-way"), dice=7)
    house.bet(2, "bob", base=5_000, protection=500)
    house.hand(f"{ACES_KINGS} {LOW}", (2, "set 2s 3s"), dice=7)
    house.bet(2, "bob", base=5_000)
    house.hand(f"{ACES_KINGS} {LOW}", (2, "set Ac Ad"), dice=3)  # a foul, which loses
    house.bet(2, "bob", dynasty=500)  # R6b: without a base wager
    house.hand(f"{LOW} {FOUR_SEVENS}", dice=7)
    house.bet(2, "bob", base=5_000)
    house.do("no-more-bets", dice=7)
    house.do("card", cards=f"{LOW} {ACES_KINGS}")
    house.now += timedelta(seconds=10)
    house.do("time-out", seat=2)
    house.do("settle")


def blackjack(house):
    house.open("blackjack", "lucky-lucky-wa", settings={"surrender": "late"})
    house.bet(1, "ann", blackjack=10_000, lucky_lucky=500)
    house.bet(3, "bob", blackjack=1_500)
    splits = [(1, "split"), "3s", (1, "double"), "10d", "2c", (1, "hit"), "10s", (1, "stand")]
    house.hand("8s 10h 6h 8d 9c 10c", *splits, (3, "surrender"), "5h")
    house.bet(1, "ann", blackjack=10_000)
    house.bet(2, "bob", blackjack=5_000)
    house.do("no-more-bets")
    house.do("card", cards="10s As Ah 9d Kc 8c")
    house.do("bet", seat=1, guest="ann", wager="insurance", cents=5_000)
    house.do("decide", seat=2, choice="even-money")
    house.do("decide", seat=1, choice="stand")
    house.do("settle")
    house.bet(1, "ann", blackjack=10_000, lucky_lucky=2_500)
    house.hand("7h 7h 7h 10c", settle=False)  # suited sevens, paid before anybody acts
    house.do("void", SUE, reason="dealer-card-exposed")
    house.bet(2, "bob", blackjack=5_000)
    house.hand("10s Kd 9s Ad")
    house.open("no-hole", "lucky-lucky-wa", settings={"hole-card": "none-original-bets-only", "split-aces": "re-split"})
    house.bet(1, "ann", blackjack=10_000)
    house.hand("As Kd Ad", (1, "split"), "9d", "8c", "Ah")
    house.bet(2, "eve", blackjack=10_000)
    house.hand("6s Kd 5d", (2, "double"), "9d", "Ah")
    house.open("careful", "lucky-lucky-wa", watch="acknowledge", watch_cents=10_000)
    house.bet(1, "poor", blackjack=1_000, lucky_lucky=500)
    house.do("no-more-bets")
    house.do("card", cards="7s 7h 7d 10c")
    house.do("acknowledge", SUE)
    house.do("cash-out", CAT, at="", guest="poor", cents=20_000)
    house.do("void", SUE, reason="power-failure")


def duki(house):
    house.open("duki", "duki-4-wa", source="shuffler")
    house.bet(1, "ann", ante=10_000, duki_bonus=500)
    house.bet(2, "bob", ante=5_000)
    house.hand("Qd Qh 9c 9s 5d 5h 5s Jc Ac 3c 4c 6d", (1, "play"), (2, "fold"))
    house.bet(1, "ann", ante=10_000)
    house.hand("Qd Qh 9c 9s 2d 3h 4s Jc", (1, "play"))
    house.bet(1, "ann", ante=10_000)
    house.do("no-more-bets")
    house.do("void", SUE, reason="shuffler-jam")


def player_bank(house):
    house.open("bank", "ez-baccarat-ca", player_fee_cents=100, bank_fee_cents=200, opener_cents=1)
    for seat, guest in ((1, "ann"), (2, "bob"), (3, "cyd")):
        house.do("sit", seat=seat, guest=guest)
    house.do("pass", seat=1, guest="ann")
    house.do("offer")
    house.do("bank", seat=2, guest="bob", cents=30_000)
    house.bet(1, "ann", player=20_000, dragon_7=1_000)
    house.bet(3, "cyd", banker=10_000)
    house.hand(DRAGON_7)
    house.bet(1, "ann", player=1_000)
    if house.floor.state.tables["bank"].bank.holder == 2:
        house.hand("9s 7h Kd 3c")
    else:
        house.do("withdraw", seat=1, guest="ann", wager="player")
    house.do("bank", seat=3, guest="cyd", cents=10_000)
    house.do("pass", seat=3, guest="cyd")
    house.do("leave", seat=2, guest="bob")
    house.open("marker", "ez-baccarat-ca", settings={"R12": "from-marker", "R12b": "worst-case"}, seats=4)
    for seat, guest in ((1, "ann"), (2, "bob"), (3, "cyd")):
        house.do("sit", seat=seat, guest=guest)
    house.do("bank", seat=1, guest="ann", cents=30_000)
    house.bet(2, "bob", dragon_7=1_000, player=5_000)
    house.bet(3, "cyd", banker=10_000)
    house.hand(DRAGON_7, dice=3)


def boards(house):
    house.do("board-open", SUE, at="", board="wall", edition="ez-baccarat-wa")
    for hand in ("B", "P8", "Tn", "B7", "P"):
        house.do("board-hand", at="", board="wall", hand=hand)
    house.do("board-undo", at="", board="wall")
    house.do("board-new-shoe", at="", board="wall")


def virtual(house, steps):
    """Random but legal rounds at tables dealt from the house's own shoe, each finished."""
    rng, tables = random.Random(10), sessions.house_tables(4)
    sessions.prepare(house.floor, tables)
    for name in tables:
        sessions.play(house.floor, rng, [name], steps)
        if not house.floor.state.tables[name].is_open:
            house.floor.do(sessions.opening(name), SUE)
        sessions.finish_round(house.floor, name, rng)
        house.floor.do({"kind": "close", "table": name}, SUE)
    house.open("bank-v", "ez-baccarat-ca", source="virtual-shoe", opener_cents=1)
    for seat, guest in ((1, "ann"), (2, "bob")):
        house.do("sit", seat=seat, guest=guest)
    house.do("bank", seat=1, guest="ann", cents=30_000)
    house.bet(2, "bob", player=20_000, tie=1_000)
    house.do("no-more-bets")
    house.do("deal")
    house.do("settle")


def live(house):
    """A round that is not over when the journal ends: a virtual hand is dealt, a keyed one waits for cards."""
    house.open("open-v", "lucky-lucky-wa", source="virtual-shoe")
    house.bet(1, "ann", blackjack=1_000)
    house.do("no-more-bets")
    house.open("open-m", "ez-baccarat-wa")
    house.bet(1, "ann", banker=1_000)
    house.do("no-more-bets")
    house.do("card", cards="2s 9h Kd")


def summary(floor):
    """What 0.1 made of its own journal: another release must come to the same."""
    tables = {
        name: {"round": table.round.number, "phase": str(table.round.phase), "open": table.is_open, "win": table.win_cents}
        for name, table in floor.state.tables.items()
    }
    report = Auditor(floor.store).run()
    assert report.flaw is None
    counted = {"entries": report.entries, "transfers": report.transfers, "head": report.head[1]}
    return counted | {"balances": dict(floor.state.balances), "tables": tables}


def main(folder):
    snapshots.EVERY = 150
    house = Evening(folder)
    people(house)
    house.do("fund", ROOT, at="", cents=10**11)
    for guest in ("ann", "bob", "cyd", "eve", "poor"):
        house.do("buy-in", CAT, at="", guest=guest, cents=5_000_000 if guest != "poor" else 1_500)
    for part in (baccarat, pai_gow, blackjack, duki, player_bank, boards):
        part(house)
    virtual(house, 40)
    live(house)
    (folder / "house-0.1.json").write_text(json.dumps(summary(house.floor), indent=1, sort_keys=True) + "\n")
    house.floor.store.engine.dispose()
    with sqlite3.connect(folder / "house-0.1.db") as database:
        database.execute("PRAGMA journal_mode=DELETE")
        database.execute("VACUUM")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
