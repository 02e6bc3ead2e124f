"""What a game looks like at a table, as its `face.toml` says: conditions are resolved here, so that pages have none."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction
from functools import lru_cache
from typing import Any

from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.face import Face, HandFace, Phrase, hand_cards, has_joker
from houseway.rulebook.game import COMMUNITY, Game
from houseway.rulebook.pay import Pay
from houseway.table import Board, Table
from houseway.table.bank import marker_seats
from houseway.table.boards import keypad_of
from houseway.table.bound import UNREADABLE, read_offered
from houseway.table.engine import decks_alternate, edition_of
from houseway.view.reader import Json

_PAY = re.compile(r"\{([\w-]+)(?:\.([\w-]+))?\}")
_SEPARATOR = " · "


def face_view(bound: Table | Board) -> Json:
    """The face of a table with its settings and the wagers it offers, or of a scoreboard that is keyed."""
    edition = edition_of(bound)
    keyed = isinstance(bound, Board) or bound.source != "virtual-shoe"
    settings, seats = (edition.settings(), 0) if isinstance(bound, Board) else (bound.settings, bound.seats)
    try:
        face = _face(bound.document, tuple(settings.items()), seats, keyed, tuple(edition.wagers))
    except Exception as error:  # a line may name a pay that this edition has not
        said = error.message if isinstance(error, Refused) else f"{type(error).__name__}: {error}"
        where = f"{edition.game.folder / 'face.toml'} of game {edition.game.id}"
        raise Refused(UNREADABLE, f"{where} cannot be shown with edition {edition.id}: {said}") from error
    if isinstance(bound, Board) or not edition.game.dealing.second_deck or decks_alternate(bound):
        return face
    return {**face, "backs": face["backs"][:1]}  # D4P-12: one deck, one back


@lru_cache(maxsize=128)
def _face(document: str, settings: tuple[tuple[str, Any], ...], seats: int, keyed: bool, offered: tuple[str, ...]) -> Json:
    """`keyed`: its cards are keyed in, so dice are asked for."""
    edition, values = read_offered(document, offered), dict(settings)
    game, face = edition.game, edition.game.face
    common = game.dealing.play_result is not None or hand_cards(game) == 0
    return {
        "title": face.title,
        "cloth": face.cloth,
        "backs": list(face.backs),
        "seat_word": face.seat_word,
        "lines": printed_lines(edition, values),
        "ribbon": _line(face.ribbon, edition, values),
        "grid": _grid(face, edition),
        "spots": [asdict(spot) for spot in face.spots if spot.wager in edition.wagers],
        "hands": [asdict(hand) for hand in _hands(face, game, values)],
        "common": common,
        "parts": [asdict(part) for part in face.parts],
        "hand_cards": hand_cards(game),
        "worth": face.worth,
        "choices": {name: asdict(choice) for name, choice in face.choices.items()},
        "words": _words(face, values),
        "results": asdict(face.results) if face.results else None,
        "board": _board(edition, game.dealing.dice_sides),
        "joker": has_joker(game),
        "has_shoe": not game.dealing.fresh_deck,
        "dice": _dice(face, game.dealing.dice_sides, values, seats, keyed),
    }


def _hands(face: Face, game: Game, values: Mapping[str, Any]) -> tuple[HandFace, ...]:
    """The house's hands; and the middle of the table, where cards are dealt to it."""
    has_middle = COMMUNITY in game.dealing.order((1,), values, 1)
    named = {hand.owner for hand in face.hands}
    return (*face.hands, HandFace(COMMUNITY, "Community card")) if has_middle and COMMUNITY not in named else face.hands


def printed_lines(edition: Edition, values: Mapping[str, Any]) -> list[str]:
    """The lines that are printed on the felt, with the pays of this edition under these settings."""
    return [text for text in (_line(line, edition, values) for line in edition.game.face.lines) if text]


def told_to_guests(edition: Edition, values: Mapping[str, Any]) -> list[str]:
    """How it is played, in a few sentences for a guest; nothing where the game has none."""
    return [text for text in (_line(line, edition, values, " ") for line in edition.game.face.guest) if text]


def posted_as(id_: str, text: str, edition: Edition, values: Mapping[str, Any]) -> str:
    """What stands at a table for a clause or a reading: the game's words for a table that is set so, else the text itself."""
    phrases = edition.game.face.posted.get(id_)
    return text if phrases is None else _line(phrases, edition, values, " ")


def _line(phrases: tuple[Phrase, ...], edition: Edition, values: Mapping[str, Any], between: str = _SEPARATOR) -> str:
    printed = (_print(phrase, edition, values) for phrase in phrases if _holds(phrase, edition, values))
    return between.join(text for text in printed if text)


def _holds(phrase: Phrase, edition: Edition, values: Mapping[str, Any]) -> bool:
    """Whether every condition of a phrase is met here."""
    for name, wanted in phrase.where.items():
        wager, _, outcome = name.partition(".")
        if outcome and (wager not in edition.wagers or str(edition.pay(wager, outcome, values)) != wanted):
            return False
        if not outcome and str(values.get(name)) != str(wanted):
            return False
    return True


def _print(phrase: Phrase, edition: Edition, values: Mapping[str, Any]) -> str:
    """The phrase with its pays and settings filled in; nothing if a wager in it is not offered."""

    def filled(match: re.Match[str]) -> str:
        name, outcome = match.groups()
        if name not in edition.wagers:
            return str(values[name])
        return str(edition.pay(name, outcome, values)) if outcome else pays_short(edition, name, values)

    if any(match[1] not in edition.wagers and match[1] not in values for match in _PAY.finditer(phrase.text)):
        return ""
    return _PAY.sub(filled, phrase.text)


def pays_short(edition: Edition, wager: str, values: Mapping[str, Any]) -> str:
    """What a wager pays, in the few words a spot has room for: "to 40 to 1" where it has several pays."""
    pays = {edition.pay(wager, outcome.id, values).net for outcome in edition.possible(wager, values)}
    wins = {net for net in pays if net > 0}
    if not wins:
        return ""
    top = max(wins)
    return f"{'to ' if len(wins) > 1 and top > Fraction(2) else ''}{Pay(top)}"


def _grid(face: Face, edition: Edition) -> list[str]:
    """The areas of the wagers offered; a row of which none is offered is left out."""
    rows = [[area if area in edition.wagers else "." for area in row.split()] for row in face.grid]
    return [" ".join(row) for row in rows if set(row) != {"."}]


def _words(face: Face, values: Mapping[str, Any]) -> Json:
    foul = face.foul
    now = str(values.get(foul.reading)) if foul else ""
    return {
        **asdict(face.words),
        "foul": dict(foul.says) if foul else {},
        "foul_says": foul.says.get(now, "") if foul else "",
        "foul_refused": now in foul.refused if foul else False,
    }


def _keypad(edition: Edition) -> Json | None:
    """What a keypad of such a scoreboard has: the dealer's hands, the bonuses that can be hit, and the seats."""
    keypad = keypad_of(edition)
    if keypad is None:
        return None
    names = {wager: edition.game.wagers[wager].name for wager in keypad.hits}
    hits = [
        {"wager": wager, "name": names[wager], "outcomes": [{"id": id_, "name": won} for id_, won in outcomes.items()]}
        for wager, outcomes in keypad.hits.items()
    ]
    return {"hands": [asdict(hand) for hand in keypad.hands], "hits": hits, "seats": keypad.seats}


def _board(edition: Edition, starts: int) -> Json:
    """What the scoreboard shows: roads where results are keyed by winner, else the last rounds."""
    face = edition.game.face
    board = face.board
    if face.results is None:
        names = ["dealer" if place == face.dice.dealer else f"seat {place}" for place in range(1, starts + 1)]
        marks = [asdict(mark) for mark in board.marks]
        history = {"main": board.main, "headline": board.headline, "marks": marks, "starts": starts, "start_names": names}
        return {"kind": "history", **history, "keypad": _keypad(edition)}
    hands = {winner.count: winner.key for winner in face.results.winners}
    hands |= {flag.count: flag.winner + flag.key for flag in face.results.flags}
    counted = {winner.count: winner.name for winner in face.results.winners}
    counted |= {flag.count: flag.name for flag in face.results.flags}
    return {
        "kind": "roads",
        "sides": list(face.results.sides),
        "tie": next((winner.key for winner in face.results.winners if not winner.side), ""),
        "counts": [{"key": count, "name": counted[count], "hand": hands[count]} for count in board.counts or counted],
    }


def _dice(face: Face, sides: int, values: Mapping[str, Any], seats: int, keyed: bool) -> Json | None:
    """What a dealer is asked before the cards: a marker of the players' bank (R12), or the number thrown by hand.

    A marker is keyed while bets are open, and the number with their close.
    """
    if not keyed:
        return None
    if marker := marker_seats(values, seats):
        return {"sides": marker, "words": "Where does the marker stand?", "is_marker": True}
    return {"sides": sides, "words": face.dice.words} if sides else None
