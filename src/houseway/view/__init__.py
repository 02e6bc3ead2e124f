"""What a reader may see of the house. Views are built here and nowhere else, so that no card shows before its time."""

from houseway.view.board import board_view
from houseway.view.edition import described, edition_view, unreadable
from houseway.view.happened import PUBLIC, happened, without_cards
from houseway.view.lobby import lobby_view
from houseway.view.reader import ANYBODY, Json, Reader
from houseway.view.settled import settled_view
from houseway.view.table import (
    advice,
    anybodys_felt,
    bank_view,
    last_round,
    round_on_felt,
    table_for,
    table_for_all,
    table_view,
)

__all__ = [
    "ANYBODY",
    "PUBLIC",
    "Json",
    "Reader",
    "advice",
    "anybodys_felt",
    "bank_view",
    "board_view",
    "described",
    "edition_view",
    "happened",
    "last_round",
    "lobby_view",
    "round_on_felt",
    "settled_view",
    "table_for",
    "table_for_all",
    "table_view",
    "unreadable",
    "without_cards",
]
