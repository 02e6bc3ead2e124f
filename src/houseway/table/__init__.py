"""The live table: commands in, events and transfers out; pure and deterministic."""

from houseway.table import betting, boards, money  # noqa: F401  (they add their handlers)
from houseway.table.commands import Command
from houseway.table.engine import HANDLERS, ROLES, Effect, handle, unfolded
from houseway.table.irregular import VOID_REASONS
from houseway.table.state import Board, House, Phase, Round, ShoeState, Spot, Table

__all__ = [
    "HANDLERS",
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
