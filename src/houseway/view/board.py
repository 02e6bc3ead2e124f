"""Scoreboards: of a table, or of a keypad's own."""

from dataclasses import asdict
from typing import Any

from houseway.board import CYCLES, RoadHand, bead_plate, big_road, counts, derived_road, next_hand, summary
from houseway.refusal import one_of
from houseway.table import House, Table
from houseway.table.engine import edition_of, prepared
from houseway.view.edition import edition_view, wager_views
from houseway.view.face import face_view
from houseway.view.lobby import finished_view, shoe_view
from houseway.view.reader import Json


def board_view(house: House, name: str) -> Json:
    """A scoreboard: of a keypad's own board, or of a table."""
    if name in house.boards:
        board = house.boards[name]
        shown = _roads([RoadHand.parse(hand) for hand in board.hands], board.next_hand)
        return {
            "name": name,
            "keyed": True,
            "edition": edition_view(board),
            "face": face_view(board),
            "shoe_number": board.shoes,
            "limits": [],
        } | shown
    table = house.tables[one_of("scoreboard", name, [*house.tables, *house.boards])]
    edition, settings, _ = prepared(table)
    shown = {
        "name": name,
        "keyed": False,
        "edition": edition_view(table),
        "face": face_view(table),
        "shoe_number": table.shoes_made,
        "shoe": shoe_view(table),
        "phase": str(table.round.phase),
        "round": table.round.number,
        "limits": [
            {"wager": wager["name"], "min_cents": wager["min_cents"], "max_cents": wager["max_cents"]}
            for wager in wager_views(table)
            if not wager["follows"] and not wager["late"] and not wager["refused"]
        ],
    }
    if edition.game.dealing.play_result is not None:
        hands = [RoadHand.parse(finished.marks[0]) for finished in table.history if finished.marks]
        return shown | _roads(hands, settings.get("next-hand-cells") == "on")
    return shown | _summary(table)


def _roads(hands: list[RoadHand], shows_next: bool) -> Json:
    return {
        "kind": "roads",
        "hands": [str(hand) for hand in hands],
        "counts": asdict(counts(hands)),
        "bead_plate": [_cell(cell) for cell in bead_plate(hands)],
        "big_road": [_cell(cell) for cell in big_road(hands)],
        "derived": [[asdict(stroke) for stroke in derived_road(hands, cycle)] for cycle in CYCLES],
        "next_hand": {winner: list(colours) for winner, colours in next_hand(hands).items()} if shows_next else None,
    }


def _cell(cell: Any) -> Json:
    return {"column": cell.column, "row": cell.row, "hand": str(cell.hand) if cell.hand else "", "ties": cell.ties}


def _summary(table: Table) -> Json:
    history, wagers = summary(table.history), edition_of(table).game.wagers
    return {
        "kind": "history",
        "rounds": history.rounds,
        "last": [finished_view(finished) | {"ends": [asdict(end) for end in finished.ends]} for finished in history.last],
        "starts": list(history.starts),
        "dice": table.round.dice,
        "marks": dict(history.marks),
        "ends": {wagers[wager].name: asdict(ends) for wager, ends in history.ends.items()},
        "hits": {wagers[wager].name: dict(hits) for wager, hits in history.hits.items()},
    }
