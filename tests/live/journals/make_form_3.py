"""How `form-3.db` was made, by a commit whose journals have form 3: rounds put right, before a round kept what was laid."""

import sys
from pathlib import Path

from houseway.house.floor import Actor, Floor
from houseway.house.store import Store

SUE, DAN, WHY = Actor("sue", "supervisor"), Actor("dan", "dealer"), "keyed wrongly"
NATURAL_9, DRAGON = "9s 7h Kd 3c", "2s 4h 3d Kc 6h 3s"
GUESTS = ("ann", "bob", "cyd")


def make(folder: Path) -> None:  # noqa: PLR0915  (a story, told in order)
    """Write the store and its key."""
    floor = Floor(Store(f"sqlite:///{folder / 'form-3.db'}"), folder / "form-3.key")
    floor.do({"kind": "fund", "cents": 10_000_000}, Actor("root", "administrator"))
    for guest in GUESTS:
        floor.do({"kind": "buy-in", "guest": guest, "cents": 100_000}, Actor("cat", "cashier"))

    def do(kind: str, table: str, actor: Actor = DAN, **fields: object) -> None:
        floor.do({"kind": kind, "table": table, **fields}, actor)

    def bank(table: str, **settings: str) -> None:
        fees = {"player_fee_cents": 100, "bank_fee_cents": 200}
        do("open", table, SUE, edition="ez-baccarat-ca", source="hand-keyed", settings=settings, **fees)
        for seat, guest in enumerate(GUESTS, 1):
            do("sit", table, seat=seat, guest=guest)
        do("bank", table, seat=1, guest="ann", cents=5_000)

    def lay(table: str, *seats: int) -> None:
        for seat in seats:
            do("bet", table, seat=seat, guest=GUESTS[seat - 1], wager="player", cents=5_000)
        do("no-more-bets", table)

    def settle(table: str, cards: str) -> None:
        do("card", table, cards=cards)
        do("settle", table)

    bank("reserves", R12b="worst-case")
    lay("reserves", 2, 3)
    do("change-bet", "reserves", SUE, seat=2, wager="player", stake_cents=1_000, reason=WHY)
    settle("reserves", NATURAL_9)
    do("correct", "reserves", SUE, round=1, reason=WHY, seat_bets={"3": [["player", 5_000]]}, guests={"3": "cyd"})
    do("correct", "reserves", SUE, round=1, reason=WHY, cards=DRAGON, again=1)
    bank("redeals")
    lay("redeals", 2, 3)
    do("void", "redeals", SUE, reason="misdeal")
    lay("redeals", 2, 3)
    do("change-bet", "redeals", SUE, seat=2, wager="player", stake_cents=0, reason=WHY)
    settle("redeals", DRAGON)
    do("correct", "redeals", SUE, round=2, reason=WHY, seat_bets={"2": [["player", 500]]}, guests={"2": "bob"})
    do("correct", "redeals", SUE, round=2, reason=WHY, void=True, again=1)
    lay("redeals", 2)
    do("result", "redeals", result="tie")
    do("result", "redeals", result="player-win")
    do("settle", "redeals")
    do("open", "colours", SUE, edition="ez-pai-gow-wa", source="hand-keyed", opener_cents=1_000_000)
    do("bets", "colours", seat=2, guest="bob", bets=[["base", 1_000], ["red-black", 500]])
    do("decide", "colours", seat=2, choice="black")
    do("no-more-bets", "colours", dice=2)
    for cents in (0, 500):
        do("change-bet", "colours", SUE, seat=2, wager="red-black", stake_cents=cents, reason=WHY)
    do("card", "colours", cards="As Ks Kc 9s 8s 2s 2c 9h 9d 9c 8h 4d 5c 6s")
    do("decide", "colours", seat=2, choice="house-way")
    do("settle", "colours")
    do("open", "decisions", SUE, edition="duki-4-wa", source="hand-keyed", opener_cents=1_000_000)
    do("bets", "decisions", seat=1, guest="cyd", bets=[["ante", 1_000], ["duki-bonus", 500]])
    do("no-more-bets", "decisions")
    do("card", "decisions", cards=(hands := "7s 8h 9c 10d 2s 3h 4d 9h"))
    do("decide", "decisions", seat=1, choice="play")
    do("rekey", "decisions", cards=hands, choices={"1": ["fold"]}, reason=WHY)
    do("settle", "decisions")
    do("correct", "decisions", SUE, round=1, reason=WHY, seat_bets={"1": [["ante", 500], ["ante", 1_500]]})
    do("correct", "decisions", SUE, round=1, reason=WHY, guests={"1": "ghost"}, again=1)


if __name__ == "__main__":
    make(Path(sys.argv[1]))
