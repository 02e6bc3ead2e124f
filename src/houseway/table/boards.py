"""Scoreboards fed by a keypad alone, with no betting: the approved use of EZ Trak in Washington (EZB-L1)."""

from houseway.board import Results, Scorecard
from houseway.refusal import Refused, one_of
from houseway.rulebook.edition import Edition
from houseway.table.bound import bound_edition
from houseway.table.commands import Command, command
from houseway.table.engine import Effect, edition_of, text
from houseway.table.events import BoardHand, BoardNewShoe, BoardOpened, BoardUndone
from houseway.table.fields import BOARD, EDITION, HAND, NEXT_HAND
from houseway.table.roles import DEALERS, OPENERS
from houseway.table.state import Board, House, changed
from houseway.table.unfold import Draw

HANDS_MOST = 200
"""Eight decks last for about 80 hands: beyond this somebody forgot to press new shoe."""


def _board(house: House, command: Command) -> tuple[Board, Scorecard]:
    board = house.boards[one_of("board", text(command, "board"), house.boards)]
    return board, Scorecard(tuple(_results(edition_of(board)).parse(hand) for hand in board.hands))


def _results(edition: Edition) -> Results:
    """How the hands of an edition are keyed; refused where they are not."""
    results = edition.game.face.results
    if results is None:
        raise Refused("no-roads", f"{edition.id} has no roads: a keyed scoreboard is for games whose results are keyed")
    return results


@command(
    "board-open",
    OPENERS,
    "Open a scoreboard that is fed by a keypad alone",
    BOARD,
    EDITION,
    may=(NEXT_HAND,),
    path="/boards",
)
def _open(house: House, command: Command, draw: Draw) -> Effect:
    name, (edition, document, bound) = text(command, "board"), bound_edition(house, command)
    if name in house.boards or name in house.tables:
        raise Refused("board-open", f"{name} is a scoreboard or a table already: choose another name")
    _results(edition)
    shows = "on" if command.get("next_hand") else "off"
    if switch := edition.game.face.board.next_hand:
        edition.settings({switch: shows})  # refused unless the edition allows it
    effect = Effect(house, board=Board(name, edition.id, document, bound, next_hand=shows == "on"))
    effect.tell(BoardOpened(name, edition.id))
    return effect


@command("board-hand", DEALERS, "Key in a hand", BOARD, HAND)
def _hand(house: House, command: Command, draw: Draw) -> Effect:
    board, card = _board(house, command)
    hand = _results(edition_of(board)).parse(text(command, "hand"))
    if len(board.hands) >= HANDS_MOST:
        raise Refused("shoe-too-long", f"{HANDS_MOST} hands are on the board: begin a new shoe")
    effect = Effect(house, board=changed(board, hands=tuple(str(keyed) for keyed in card.add(hand).hands)))
    effect.tell(BoardHand(board.name, str(hand)))
    return effect


@command("board-undo", DEALERS, "Take the last hand off the board", BOARD)
def _undo(house: House, command: Command, draw: Draw) -> Effect:
    """The last hand is taken off again; the entry that put it there stays."""
    board, card = _board(house, command)
    effect = Effect(house, board=changed(board, hands=tuple(str(keyed) for keyed in card.undo().hands)))
    effect.tell(BoardUndone(board.name, board.hands[-1]))
    return effect


@command("board-new-shoe", DEALERS, "Begin a new shoe on the board", BOARD)
def _new_shoe(house: House, command: Command, draw: Draw) -> Effect:
    board, _ = _board(house, command)
    effect = Effect(house, board=changed(board, hands=(), shoes=board.shoes + 1))
    effect.tell(BoardNewShoe(board.name, len(board.hands)))
    return effect
