"""What a seat may still bet after the cards: the most that the game's own rules take, found by asking them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from houseway.money import dollars
from houseway.refusal import Refused
from houseway.table import House, Table, unfolded
from houseway.table.engine import edition_of, prepared
from houseway.table.state import Spot, changed
from houseway.table.unfold import Unfolded, play_of
from houseway.view.seen import Seen


@dataclass(frozen=True)
class _Asked:
    """Which late wager a seat may bet how much on, in a round as it stands: the same for every reader of the table."""

    document: str
    settings: tuple[object, ...]
    limits: tuple[int, int]
    drawn: tuple[int, ...]
    dice: int
    seats: tuple[int, ...]
    bets: tuple[tuple[str, int], ...]
    seat: int
    wager: str
    table: Table = field(compare=False)


def late_bets(table: Table, dealt: Unfolded | Seen, seat: int, spot: Spot) -> dict[str, int]:
    """The late wagers that a seat may bet now, with the most cents that may be bet on each."""
    if not dealt.before_look or seat not in dealt.to_act or spot.choices:
        return {}
    late = [wager for wager in edition_of(table).game.dealing.late if wager in table.offered and wager not in spot.bets]
    most_by_wager = {wager: _most(_asked(table, seat, spot, wager)) for wager in late}
    return {wager: most for wager, most in most_by_wager.items() if most}


def _asked(table: Table, seat: int, spot: Spot, wager: str) -> _Asked:
    limits = edition_of(table).wagers[wager].limits
    return _Asked(
        document=table.document,
        settings=tuple(table.settings.items()),
        limits=table.limits.get(wager, (limits.min_cents, limits.max_cents)),
        drawn=table.round.drawn,
        dice=table.round.dice,
        seats=tuple(table.round.spots),
        bets=tuple(spot.bets.items()),
        seat=seat,
        wager=wager,
        table=table,
    )


@lru_cache(maxsize=1024)
def _most(asked: _Asked) -> int:
    """The most that is taken, or 0 if not even the least is. What a rule takes, it takes less of as well."""
    least, most = asked.limits
    if not _takes(asked, least):
        return 0
    while least < most:
        middle = (least + most + 1) // 2
        if _takes(asked, middle):
            least = middle
        else:
            most = middle - 1
    return least


def _takes(asked: _Asked, cents: int) -> bool:
    table, round_ = asked.table, asked.table.round
    spot = round_.spots[asked.seat]
    bet = changed(spot, bets={**spot.bets, asked.wager: cents})
    tried = changed(round_, spots={**round_.spots, asked.seat: bet}, unfolded=None)
    try:
        play_of(*prepared(table), tried, asked.seat, keyed=table.source != "virtual-shoe")
    except Refused:
        return False
    return True


def with_late_bets(refused: Refused, house: House, command: Mapping[str, Any]) -> Refused:
    """A refused decision, with the late bets that may be placed instead: the handlers name choices, and a bet is none."""
    table = house.tables.get(str(command.get("table")))
    if table is None or command.get("kind") != "decide" or refused.code not in {"bad-choice", "not-your-turn"}:
        return refused
    asked = [command["seat"]] if refused.code == "bad-choice" else list(unfolded(table).to_act)
    offers = [words for seat in asked if (words := _may_also_bet(table, seat))]
    return Refused(refused.code, "; ".join([refused.message, *offers]))


def _may_also_bet(table: Table, seat: int) -> str:
    late = late_bets(table, unfolded(table), seat, table.round.spots[seat])
    bets = " or ".join(f"{wager} up to {dollars(most)}" for wager, most in late.items())
    return f"seat {seat} may also bet {bets}" if bets else ""
