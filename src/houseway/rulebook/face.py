"""What a game looks like, as data in its folder's `face.toml`: spots, printed lines, words and keys, how results are keyed.

Pages, the shell and scoreboards draw from it and know no game. Whatever a game leaves out is made from its wagers, its
choices and the way it is dealt, so that a game without a `face.toml` has a decent table as well.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import lcm
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, Literal

from houseway.board.keypad import KeyedHand
from houseway.board.results import Results, Tone
from houseway.cards import JOKER
from houseway.refusal import Refused
from houseway.rulebook.document import read_toml

if TYPE_CHECKING:
    from houseway.rulebook.game import Game, Wager

_STRICT = {"extra": "forbid"}
"""A misspelt key is refused, not ignored."""


@dataclass(frozen=True)
class Phrase:
    """A part of a printed line. `{wager.outcome}` is what the outcome pays, `{wager}` the most that the wager pays, and
    `{setting}` how the table is set.

    `where` says when it is printed: `"wager.outcome" = "push"` asks for a pay, `"setting" = "value"` for a setting. A
    phrase about a wager that the edition does not offer is left out.
    """

    __pydantic_config__ = _STRICT
    text: str
    where: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True)
class SpotFace:
    """A betting spot. A `main` one is larger; a `rare` one shows only when it is offered or bet."""

    __pydantic_config__ = _STRICT
    wager: str
    name: str = ""
    mark: str = ""
    tone: Tone = "plain"
    main: bool | None = None
    shape: Literal["box", "circle"] = "box"
    rare: bool | None = None


@dataclass(frozen=True)
class HandFace:
    """A hand of the house, or one that all bet on; from card number `turned_from` on, cards lie across."""

    __pydantic_config__ = _STRICT
    owner: str
    name: str
    mark: str = ""
    tone: Tone = "plain"
    turned_from: int | None = None


@dataclass(frozen=True)
class PartFace:
    """A part that a hand is set in, the one whose cards are picked first: "a pair of aces in front"."""

    __pydantic_config__ = _STRICT
    id: str
    name: str
    cards: int


@dataclass(frozen=True)
class ChoiceFace:
    """A choice: the words on its button (`short` at the dealer's), its key, and the cards that are picked with it.

    `note` is what the seat says once it has chosen. A `quiet` button is not the one to press first. `forfeits` is said of other
    wagers of the seat that are lost by it, whatever they would have come to.
    """

    __pydantic_config__ = _STRICT
    words: str
    key: str = ""
    quiet: bool = False
    picks: int = 0
    short: str = ""
    note: str = ""
    forfeits: str = ""


@dataclass(frozen=True)
class FoulFace:
    """What is said of a foul, by the value of the reading that decides what becomes of it; those `refused` cannot stand."""

    __pydantic_config__ = _STRICT
    reading: str
    says: Mapping[str, str]
    refused: tuple[str, ...] = ()


@dataclass(frozen=True)
class Words:
    """What a table says while it waits for decisions."""

    __pydantic_config__ = _STRICT
    before_look: str = "Before the dealer looks"
    asks_before_look: str = "Before the dealer looks"
    deciding: str = "Your decision"
    pick: str = "Pick the cards"
    pick_for_guest: str = "Touch the cards"
    set_for_guest: str = "Set the hand"
    advised: str = "The house's way"
    foul_short: str = "A foul."


@dataclass(frozen=True)
class MarkFace:
    """A mark of `play` that the scoreboard counts."""

    __pydantic_config__ = _STRICT
    id: str
    name: str
    short: str
    says: str


@dataclass(frozen=True)
class BoardFace:
    """What the scoreboard shows: the wager whose ends are listed, whose hand is the headline, and the marks it counts.

    `hands` are the dealer's, as a keypad has them, where a scoreboard of the last rounds may be fed by one alone.
    """

    __pydantic_config__ = _STRICT
    main: str = ""
    headline: str = "the dealer's hand"
    marks: tuple[MarkFace, ...] = ()
    counts: tuple[str, ...] = ()
    next_hand: str = ""
    hands: tuple[KeyedHand, ...] = ()


@dataclass(frozen=True)
class DiceFace:
    """What a dealer is asked when dice are thrown; which number is the dealer's own place, or 0."""

    __pydantic_config__ = _STRICT
    words: str = "Which number was thrown?"
    dealer: int = 0


@dataclass(frozen=True)
class DemoTable:
    """A table that the demo house opens."""

    __pydantic_config__ = _STRICT
    name: str
    edition: str
    seats: int


@dataclass(frozen=True)
class DemoFace:
    """What the demo house opens, in which order, and what the house's own player bets where players bank."""

    __pydantic_config__ = _STRICT
    order: int = 100
    tables: tuple[DemoTable, ...] = ()
    bets: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Example:
    """A hand that touches every rule a live table needs: it is settled once before the doors open."""

    __pydantic_config__ = _STRICT
    cards: str
    bets: Mapping[str, int]
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class ShortBankExample:
    """Bets against a player's bank that cannot cover them, by which the readings of cover are shown: those of each seat."""

    __pydantic_config__ = _STRICT
    stake_cents: int
    bets: tuple[Mapping[str, int], ...]


@dataclass(frozen=True)
class Face:
    """All of it. `worth` says where a seat's hand tells what it counts: beside `each` hand, at one's `own` seat, or nowhere.

    `backs` take turns from round to round; `guest` is how it is played, as guests are told; `steps` are the sentences of a
    round's steps. `posted` is what stands at a table for a clause or a reading, as the table is set: the documents list what a
    house may choose, and remark on their own figures. Nothing stands for one whose phrases say nothing there.
    """

    __pydantic_config__ = _STRICT
    title: str = ""
    cloth: Literal["green", "blue"] = "green"
    backs: tuple[Literal["red", "blue"], ...] = ("red",)
    seat_word: str = "Seat"
    deals: str = "deals"
    lines: tuple[tuple[Phrase, ...], ...] = ()
    guest: tuple[tuple[Phrase, ...], ...] = ()
    posted: Mapping[str, tuple[Phrase, ...]] = field(default_factory=dict)
    ribbon: tuple[Phrase, ...] = ()
    grid: tuple[str, ...] = ()
    spots: tuple[SpotFace, ...] = ()
    hands: tuple[HandFace, ...] = ()
    parts: tuple[PartFace, ...] = ()
    worth: Literal["each", "own", ""] = ""
    choices: Mapping[str, ChoiceFace] = field(default_factory=dict)
    words: Words = field(default_factory=Words)
    foul: FoulFace | None = None
    results: Results | None = None
    board: BoardFace = field(default_factory=BoardFace)
    dice: DiceFace = field(default_factory=DiceFace)
    demo: DemoFace = field(default_factory=DemoFace)
    example: Example | None = None
    short_bank: ShortBankExample | None = None
    steps: Mapping[str, str] = field(default_factory=dict)


def read_face(folder: Path) -> Face:
    """The face written in a game's folder; an empty one where none is. A flaw is refused with its key."""
    from pydantic import TypeAdapter, ValidationError  # only when a face is read: the shell starts without it

    file = folder / "face.toml"
    if not file.exists():
        return Face()
    data = read_toml(file)
    try:
        face: Face = TypeAdapter(Face).validate_python(data)
    except ValidationError as error:
        flaw = error.errors()[0]
        where = ".".join(map(str, flaw["loc"]))
        raise Refused("broken-toml", f"{folder.name}/face.toml: {where}: {flaw['msg'].lower()}") from None
    return face


def complete(face: Face, game: "Game") -> Face:
    """The face with everything that its file leaves out, made from the game; what it says of things unknown is refused."""
    _refuse_unknown(game, "wager", game.wagers, (spot.wager for spot in face.spots))
    _refuse_unknown(game, "wager", game.wagers, {area for row in face.grid for area in row.split()} - {"."})
    marks = [mark.id for mark in face.board.marks]
    _refuse_unknown(game, "mark", marks, (mark for hand in face.board.hands for mark in hand.marks))
    spots = _spots(face.spots, game)
    hands = face.hands or (HandFace("dealer", "Dealer"),)
    return replace(
        face,
        title=face.title or game.name,
        spots=spots,
        grid=_grid(face.grid, spots),
        hands=hands,
        choices=_choices(face.choices, game),
        results=_results(face.results),
        board=face.board if face.board.main else replace(face.board, main=next(iter(game.wagers))),
    )


def _results(given: Results | None) -> Results | None:
    """A winner's bead shows its letter, where nothing else is said."""
    if given is None:
        return None
    return replace(given, winners=tuple(replace(winner, short=winner.short or winner.key) for winner in given.winners))


def _refuse_unknown(game: "Game", what: str, known: Iterable[str], named: Iterable[str]) -> None:
    for name in named:
        if name not in known:
            raise Refused("broken-toml", f'{game.folder.name}/face.toml: "{name}" is no {what} of this game')


def _spots(given: tuple[SpotFace, ...], game: "Game") -> tuple[SpotFace, ...]:
    """Every wager has a spot: first those of the file, in its order."""
    named = {spot.wager for spot in given}
    return tuple(
        _spot(spot, game.wagers[spot.wager], game)
        for spot in (*given, *(SpotFace(wager) for wager in game.wagers if wager not in named))
    )


def _spot(spot: SpotFace, wager: "Wager", game: "Game") -> SpotFace:
    late = wager.id in game.dealing.late
    bonus = wager.counts_as != "base" or late
    name = spot.name or wager.name
    initials = "".join(word[0] for word in re.findall(r"\w+", name))[:2]
    return replace(
        spot,
        name=name,
        mark=spot.mark or initials,
        main=not bonus if spot.main is None else spot.main,
        rare=late if spot.rare is None else spot.rare,
    )


def _grid(given: tuple[str, ...], spots: tuple[SpotFace, ...]) -> tuple[str, ...]:
    """Rows of areas: as given, with a row on top for spots it has not; else bonus wagers over the main ones."""
    rows = [row.split() for row in given]
    placed = {area for row in rows for area in row}
    missing = [spot for spot in spots if spot.wager not in placed]
    mains = [spot.wager for spot in missing if spot.main]
    bonuses = [spot.wager for spot in missing if not spot.main]
    rows = [*([bonuses] if bonuses else []), *rows, *([mains] if mains else [])]
    columns = lcm(*(len(row) for row in rows))
    return tuple(" ".join(area for area in row for _ in range(columns // len(row))) for row in rows)


def _choices(given: Mapping[str, ChoiceFace], game: "Game") -> dict[str, ChoiceFace]:
    """Every choice that the way of dealing names has words and a key of its own."""
    dealing = game.dealing
    known = dict.fromkeys((*given, *dealing.raises, *filter(None, [dealing.default_choice]), *dealing.late))
    choices: dict[str, ChoiceFace] = {}
    for name in known:
        choice = given.get(name) or ChoiceFace(name.replace("-", " ").capitalize())
        choices[name] = replace(choice, short=choice.short or choice.words)
    taken = {choice.key for choice in choices.values()}
    for name, choice in choices.items():
        if not choice.key:
            letters = [letter for letter in name + ascii_lowercase if letter.isalpha() and letter not in taken]
            taken.add(letters[0])
            choices[name] = replace(choice, key=letters[0])
    return choices


def hand_cards(game: "Game") -> int:
    """How many cards a seat is dealt first; none where all bet on one hand."""
    return game.dealing.order((1,), _first_values(game), 1).count(1)


def has_joker(game: "Game") -> bool:
    """Whether a joker is in the cards."""
    return game.shoe(_first_values(game))[JOKER] > 0


def _first_values(game: "Game") -> dict[str, Any]:
    return {name: switch.values[0] for name, switch in game.switches.items()}
