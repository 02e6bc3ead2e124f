"""What a seat may still bet after the cards: the most that the game's own rules take, found by asking them."""

from houseway.refusal import Refused
from houseway.table import Table
from houseway.table.engine import edition_of, unfolded
from houseway.table.state import Spot, changed
from houseway.table.unfold import Unfolded


def late_bets(table: Table, dealt: Unfolded, seat: int, spot: Spot) -> dict[str, int]:
    """The late wagers that a seat may bet now, with the most cents that may be bet on each."""
    if not dealt.before_look or seat not in dealt.to_act or spot.choices:
        return {}
    late = [wager for wager in edition_of(table).game.dealing.late if wager in table.offered and wager not in spot.bets]
    most_by_wager = {wager: _most(table, seat, spot, wager) for wager in late}
    return {wager: most for wager, most in most_by_wager.items() if most}


def _most(table: Table, seat: int, spot: Spot, wager: str) -> int:
    """The most that is taken, or 0 if not even the least is. What a rule takes, it takes less of as well."""
    limits = edition_of(table).wagers[wager].limits
    least, most = table.limits.get(wager, (limits.min_cents, limits.max_cents))
    if not _takes(table, seat, spot, wager, least):
        return 0
    while least < most:
        middle = (least + most + 1) // 2
        if _takes(table, seat, spot, wager, middle):
            least = middle
        else:
            most = middle - 1
    return least


def _takes(table: Table, seat: int, spot: Spot, wager: str, cents: int) -> bool:
    bet = changed(spot, bets={**spot.bets, wager: cents})
    round_ = changed(table.round, spots={**table.round.spots, seat: bet}, unfolded=None)
    try:
        unfolded(changed(table, round=round_))
    except Refused:
        return False
    return True
