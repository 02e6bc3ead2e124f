"""Scoreboards fed by a keypad alone, with no betting: the approved use of EZ Trak in Washington (EZB-L1, EPG-13)."""

from houseway.board import Finished, Keypad, Results, Scorecard
from houseway.refusal import Refused, one_of
from houseway.rulebook.edition import Edition
from houseway.table.bound import bound_edition
from houseway.table.commands import Command, command
from houseway.table.engine import Effect, edition_of, text
from houseway.table.fields import BOARD, EDITION, HAND, NEXT_HAND
from houseway.table.house_events import BoardHand, BoardNewShoe, BoardOpened, BoardUndone
from houseway.table.roles import DEALERS, OPENERS
from houseway.table.state import Board, House, changed
from houseway.table.unfold import Draw

HANDS_MOST = 200
"""Eight decks last for about 80 hands: beyond this somebody forgot to press new shoe."""


def _board(house: House, command: Command) -> tuple[Board, Scorecard]:
    board = house.boards[one_of("board", text(command, "board"), house.boards)]
    keys = _keys(edition_of(board))
    return board, Scorecard(tuple(keys.parse(hand) for hand in board.hands))


def _keys(edition: Edition) -> Results | Keypad:
    """How the hands of an edition are keyed: by their winners, or each round by the dealer's hand; refused if by neither."""
    keys = edition.game.face.results or keypad_of(edition)
    if keys is None:
        raise Refused("no-roads", f"{edition.id} has no roads: a keyed scoreboard is for games whose results are keyed")
    return keys


def keypad_of(edition: Edition) -> Keypad | None:
    """EPG-13: the keys for the number thrown, the dealer's hand and bonuses that were hit; none if the game has no such board.

    A bonus is hit by whatever wins in any of its pay tables: a board that is keyed knows of no bet.
    """
    game = edition.game
    if game.face.results is not None or not game.face.board.hands:
        return None
    hits = {}
    for name, wager in edition.offered.items():
        pays = edition.wagers[name].pays.values()
        wins = {outcome.id: outcome.name for outcome in wager.outcomes if any(table[outcome.id].net > 0 for table in pays)}
        if wager.counts_as != "base" and wins:
            hits[name] = wins
    return Keypad(game.face.board.hands, hits, game.dealing.dice_sides, game.dealing.seats)


def finished_rounds(board: Board, keypad: Keypad) -> tuple[Finished, ...]:
    """The rounds that were keyed, as a scoreboard tells them."""
    return tuple(keypad.finished(number, keypad.parse(text)) for number, text in enumerate(board.hands, 1))


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
    if isinstance(_keys(edition), Keypad) and command.get("next_hand"):
        raise Refused("no-roads", f"{edition.id} has no roads: nothing can be said of the next hand")
    shows = "on" if command.get("next_hand") else "off"
    if switch := edition.game.face.board.next_hand:
        edition.settings({switch: shows})  # refused unless the edition allows it
    effect = Effect(house, board=Board(name, edition.id, document, bound, next_hand=shows == "on"))
    effect.tell(BoardOpened(name, edition.id))
    return effect


@command("board-hand", DEALERS, "Key in a hand", BOARD, HAND)
def _hand(house: House, command: Command, draw: Draw) -> Effect:
    board, card = _board(house, command)
    hand = _keys(edition_of(board)).parse(text(command, "hand"))
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
