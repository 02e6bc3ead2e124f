"""The live table: commands in, events and transfers out; pure and deterministic."""

from houseway.table import (  # noqa: F401  (they declare their commands)
    boards,
    chips,
    correct,
    counts,
    debts,
    gaming_day,
    guests,
    house_rules,
    money,
    requests,
    shifts,
    shoes,
    slips,
    waitlist,
)
from houseway.table.commands import COMMANDS, Command
from houseway.table.engine import Effect, handle, unfolded
from houseway.table.irregular import VOID_REASONS
from houseway.table.roles import ROLES
from houseway.table.state import Board, House, Phase, Round, ShoeState, Spot, Table

__all__ = [
    "COMMANDS",
    "ROLES",
    "VOID_REASONS",
    "Board",
    "Command",
    "Effect",
    "House",
    "Phase",
    "Round",
    "ShoeState",
    "Spot",
    "Table",
    "handle",
    "unfolded",
]
