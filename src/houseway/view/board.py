"""Scoreboards: of a table, or of a keypad's own."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from houseway.board import CYCLES, Finished, Results, bead_plate, big_road, derived_road, next_hand, summary
from houseway.refusal import one_of
from houseway.rulebook.edition import Edition
from houseway.table import House
from houseway.table.boards import finished_rounds, keypad_of
from houseway.table.engine import edition_of, prepared
from houseway.view.edition import edition_view, wager_views
from houseway.view.face import face_view
from houseway.view.lobby import finished_view, shoe_view
from houseway.view.reader import Json


def board_view(house: House, name: str) -> Json:
    """A scoreboard: of a keypad's own board, or of a table."""
    if name in house.boards:
        board = house.boards[name]
        edition = edition_of(board)
        results, keypad = edition.game.face.results, keypad_of(edition)
        assert results or keypad, "a keyed board is opened only where results are keyed"
        shown = _roads(results, board.hands, board.next_hand) if results else {}
        if keypad:
            rounds = finished_rounds(board, keypad)
            shown = _summary(edition, rounds) | {"hands": list(board.hands), "round": len(rounds) + 1}
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
    face = edition.game.face
    if face.results is not None:
        hands = [finished.marks[0] for finished in table.history if finished.marks]
        return shown | _roads(face.results, hands, settings.get(face.board.next_hand) == "on")
    return shown | _summary(edition, table.history, table.round.dice)


def _roads(results: Results, texts: Sequence[str], shows_next: bool) -> Json:
    hands = [results.parse(text) for text in texts]
    predicted = next_hand(hands, results.sides) if shows_next else None
    return {
        "kind": "roads",
        "hands": [str(hand) for hand in hands],
        "counts": results.counts(hands),
        "bead_plate": [_cell(cell) for cell in bead_plate(hands)],
        "big_road": [_cell(cell) for cell in big_road(hands)],
        "derived": [[asdict(stroke) for stroke in derived_road(hands, cycle)] for cycle in CYCLES],
        "next_hand": {winner: list(colours) for winner, colours in predicted.items()} if predicted else None,
    }


def _cell(cell: Any) -> Json:
    return {"column": cell.column, "row": cell.row, "hand": str(cell.hand) if cell.hand else "", "ties": cell.ties}


def _summary(edition: Edition, rounds: Sequence[Finished], dice: int = 0) -> Json:
    added, wagers = summary(rounds, edition.game.dealing.dice_sides), edition.game.wagers
    return {
        "kind": "history",
        "rounds": added.rounds,
        "last": [finished_view(finished) | {"ends": [asdict(end) for end in finished.ends]} for finished in added.last],
        "starts": list(added.starts),
        "dice": dice,
        "marks": dict(added.marks),
        "ends": {wagers[wager].name: asdict(ends) for wager, ends in added.ends.items()},
        "hits": {wagers[wager].name: dict(hits) for wager, hits in added.hits.items()},
    }
