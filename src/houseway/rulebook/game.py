"""A game is a value: its wagers, the switches its rules understand, and how a round is played out."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Literal

import numpy as np

from houseway.kernels.compiled import Ints
from houseway.kernels.count import Progress
from houseway.refusal import Refused
from houseway.rulebook.face import Face, complete, read_face
from houseway.values import quickly_made

Value = str | int


@dataclass(frozen=True)
class Outcome:
    """What a rule can answer. Where a pay table has no row of this id, the rows in `falls_to` are tried in order."""

    id: str
    name: str
    falls_to: tuple[str, ...] = ()


@dataclass(frozen=True)
class Switch:
    """Something a table can choose: its name, all values the rules understand, and the clause or reading it is from.

    With `own_file` a TOML file of the operator's own is a value as well: its path or, at a table, its content as JSON.
    An edition that does not name it has its first value: of a switch that came later (`since` a release), that is how
    everything was before, so that a table of an older edition, or an older journal, plays as it did.
    """

    name: str
    values: tuple[Value, ...]
    clause: str
    about: str
    own_file: bool = False
    since: str = ""

    def allows_file(self, value: Value) -> bool:
        """Whether the value is a file of the operator's own."""
        return self.own_file and (str(value).endswith(".toml") or str(value).startswith("{"))

    def encode(self, value: Value) -> int:
        """The integer that compiled rules see: the number itself, or the place of the name (a file comes last)."""
        if isinstance(value, int):
            return value
        return len(self.values) if self.allows_file(value) else self.values.index(value)


class Switches(dict[str, Switch]):
    """Switches by name. Compiled rules see them as integers: each at its place, its value as a code.

    >>> table = switches(Switch("decks", (6, 8), "BJ-1", "decks"), Switch("soft-17", ("hits", "stands"), "BJ-3", "soft 17"))
    >>> table.place("soft-17"), table.code("soft-17", "stands"), table.code("decks", 8)
    (1, 1, 8)
    """

    def place(self, name: str) -> int:
        """Where a rule's settings hold this switch."""
        return list(self).index(name)

    def code(self, name: str, value: Value) -> int:
        """The integer that stands for a value of this switch."""
        return self[name].encode(value)


@dataclass(frozen=True)
class Tally:
    """How many deals ended in each outcome of a wager."""

    counts: tuple[int, ...]
    method: Literal["enumerated", "simulated"] = "enumerated"

    @property
    def total(self) -> int:
        """All deals: the denominator of every probability."""
        return sum(self.counts)


Shoe = tuple[int, ...]
Counter = Callable[[Shoe, Ints, Progress | None], Tally]
Removals = Callable[[Shoe, Ints], tuple[Tally, ...]]


@dataclass(frozen=True)
class Wager:
    """A bet: the outcomes its rule tells apart, how to count the deals that end in each, and how many cards one takes.

    `rides` names wagers that follow this one by choice (a raise rides on the first bet); a par sheet adds them in.
    `strategy` names how the player is taken to act where a decision is needed. `needs` names the wager without which
    this one may not be placed, unless a setting (`needs_unless`) says so; `counts_as` is the game that WAC 230-15-040
    counts it as (R17); one that `follows` another is placed by a choice, never as a bet. `removals` counts, faster than
    one by one, the deals left after removing one card of each rank 2..A and the joker. `refuses` says why this wager is
    not offered under some settings, and `impossible` which outcomes cannot happen, so that no pay for them is posted.

    A wager that does not hang on the course of the round has a `resolve` of its own, and no other wager's code knows of
    it; one that is `early` is so resolved, and paid, on the first deal, before anybody acts. `choices` are those that are
    part of the bet. `envy_needs` names, from the settings, the bet that another seat must have for its hand to win this
    one envy; a guest's own other seats win him none, unless a setting (`envy_own_seats`) says so.
    """

    id: str
    name: str
    clause: str
    outcomes: tuple[Outcome, ...]
    count: Counter | None = None
    cards: int = 0
    rides: tuple[str, ...] = ()
    strategy: str = ""
    needs: str = ""
    needs_unless: tuple[str, Value] = ("", "")
    follows: str = ""
    counts_as: str = "base"
    suits_matter: bool = True
    simulated: bool = False
    removals: Removals | None = None
    refuses: Callable[[Mapping[str, Value]], str] = field(default=lambda _: "")
    impossible: Callable[[Mapping[str, Value]], tuple[str, ...]] = field(default=lambda _: ())
    resolve: "Callable[[Request], Play] | None" = None
    early: bool = False
    choices: tuple[str, ...] = ()
    envy_needs: Callable[[Mapping[str, Value]], str] | None = None
    envy_own_seats: tuple[str, Value] = ("", "")

    def needed(self, settings: Mapping[str, Value]) -> str:
        """The wager that must lie beside this one under these settings, if any."""
        setting, value = self.needs_unless
        return "" if setting and settings.get(setting) == value else self.needs


@quickly_made
@dataclass(frozen=True)
class Step:
    """What happened in a round, as values: its kind, the clause that says so, and the facts; `words` makes a sentence of it.

    Facts are plain: numbers, names, and cards as tuples. Where a step tells of a hand, `owner` says whose (as `Shown`
    does), `worth` what it counts, and `hand` all of its cards by then, if the step tells of some only.
    """

    kind: str
    clause: str
    facts: Mapping[str, object] = field(default_factory=dict)

    @property
    def cards(self) -> dict[str, tuple[int, ...]]:
        """The cards that the step tells of, by the names of the facts."""
        return {name: cards for name, cards in self.facts.items() if isinstance(cards, tuple) and name != "hand"}


@quickly_made
@dataclass(frozen=True)
class Result:
    """How one stake ended: `times` the wager's stake was at risk (a doubled hand: 2), on `spot` (a split hand).

    A `prize` is won on top, at no stake, for another player's hand.
    """

    wager: str
    outcome: str
    clause: str
    times: Fraction = Fraction(1)
    spot: str = ""
    prize: bool = False


@quickly_made
@dataclass(frozen=True)
class Shown:
    """A hand as it lies on the felt: whose it is (of split hands, `hand 2`), its cards, and what it counts.

    A set hand is shown as its `part`s, front and back; of split hands one is `active`. Of hands of which one wins, `wins`
    says at the end whether it is this one, and nothing if none does.
    """

    owner: str
    cards: tuple[int, ...]
    worth: str = ""
    part: str = ""
    active: bool = False
    wins: bool | None = None


@quickly_made
@dataclass(frozen=True)
class Play:
    """A round played out for one player; `marks` are what a scoreboard counts."""

    steps: tuple[Step, ...]
    results: tuple[Result, ...]
    hands: tuple[Shown, ...] = ()
    marks: tuple[str, ...] = ()


class MissingCard(Refused):
    """A round cannot go on without another card: the `player`'s own, or one of the `dealer`'s or the `common` hands.

    `hands` are those that all may see so far. Of hands that all bet on, `hand` names the one that the card comes to, and
    `place` says which of its cards it is; a card that comes to no hand at all, such as a burned one, is named in `hand`.
    """

    def __init__(self, message: str, whose: str, hands: tuple[Shown, ...] = (), hand: str = "", place: int = 0) -> None:
        super().__init__("too-few-cards", message)
        self.whose, self.hands = whose, hands
        self.hand, self.place = hand, place


class MissingChoice(Refused):
    """A round cannot go on without a choice of the player's: one of those allowed.

    `before_look` marks an offer that all seats answer before the dealer looks at his hole card. `hands` are the player's.
    """

    def __init__(
        self, message: str, allowed: tuple[str, ...], before_look: bool = False, hands: tuple[Shown, ...] = ()
    ) -> None:
        super().__init__("bad-choice", message)
        self.allowed = allowed
        self.before_look = before_look
        self.hands = hands


@quickly_made
@dataclass(frozen=True)
class Request:
    """What a round is played out from: the cards in the order dealt, the player's choices, and the bets in cents.

    `offered` are the wagers that the edition has. A live table `asks` for every answer; where a finished hand is settled,
    an offer not mentioned was declined. `others` are hands of other players, `others_are` whose each is: "seat 3".
    """

    cards: tuple[int, ...]
    choices: tuple[str, ...]
    bets: Mapping[str, int]
    settings: Mapping[str, Value]
    encoded: Ints
    others: tuple[tuple[int, ...], ...] = ()
    asks: bool = False
    offered: Mapping[str, Wager] = field(default_factory=dict)
    others_are: tuple[str, ...] = ()

    def other_name(self, place: int) -> str:
        """What one of the `others` is called: its seat, or its number where no seat is known."""
        return self.others_are[place] if place < len(self.others_are) else f"other hand {place + 1}"

    def resolve_own(self) -> "Play":
        """What becomes of the bets that resolve themselves, in the game's order; prizes come after all stakes."""
        assert self.bets.keys() <= self.offered.keys(), "a bet that nobody offered"
        resolved = [wager.resolve(self) for name, wager in self.offered.items() if wager.resolve and name in self.bets]
        results = sorted((result for play in resolved for result in play.results), key=lambda result: result.prize)
        return Play(tuple(step for play in resolved for step in play.steps), tuple(results))


COMMON, DEALER, COMMUNITY = "common", "dealer", "community"
Recipient = int | str
"""Who gets a card: a seat by its number, the dealer, the one hand that all seats bet on, or the middle of the table."""


@dataclass(frozen=True)
class DealerBets:
    """Whether guests may bet for the dealers: the setting and its value that allow it, with the clause.

    Such a bet is a wager of its own beside the guest's, and its win is the dealers' where the setting `wins` says `dealers`;
    elsewhere the bet is only noted, as a guest's own.
    """

    setting: str = ""
    allowed: Value = ""
    clause: str = "house rules"
    wins: str = ""


@dataclass(frozen=True)
class CardCheck:
    """The reasons for a void after which a supervisor checks the cards of a shuffler before the next deal, by this clause.

    It is asked for where a setting has this value.
    """

    setting: str
    value: Value
    clause: str
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Dealing:
    """How cards come to a table's hands.

    `order` names the recipient of every card of the first deal, from the seats with a wager, the settings and the dice
    (0 if the game has none). `tape` puts a seat's and the dealer's first cards, and where `order` has some the `COMMUNITY`
    cards that lie face up for all, in the order that `play` reads.
    `late` are wagers that may be placed after it, before anybody acts. `raises` names the wager of which a choice stakes
    as much again. Where play is `in_turn`, seats decide one after the other. `with_bet` names wagers of which a part is
    chosen before the cards, and the setting that holds the choice not made. With a `fresh_deck` every round has its own
    shuffle, or where a setting (`fresh_deck_if`) says so; two decks of different backs take turns where the setting
    `second_deck` says `always`, or `with-shuffler` and one is used. `players_draw_if` is the setting and the value by which
    players draw the cards, one of them each hand. `void_reasons` are irregularities of a shuffler with the clause that voids
    the round. Where cards are keyed in, hands without a wager, which nobody looks at, are left out if a setting
    (`unkeyed_if`) says so. Until a round is complete, seats see each other's cards only where `hands_face_up`, and of the
    dealer's the first `dealer_face_up`.
    """

    seats: int
    order: Callable[[tuple[int, ...], Mapping[str, Value], int], tuple[Recipient, ...]]
    tape: Callable[..., tuple[int, ...]]
    dice_sides: int = 0
    late: tuple[str, ...] = ()
    play_result: Callable[[str, Mapping[str, int]], Play] | None = None
    raises: Mapping[str, str] = field(default_factory=dict)
    with_bet: Mapping[str, str] = field(default_factory=dict)
    void_reasons: Mapping[str, str] = field(default_factory=dict)
    card_check: CardCheck | None = None
    second_deck: str = ""
    in_turn: bool = False
    default_choice: str = ""
    fresh_deck: bool = False
    fresh_deck_if: tuple[str, Value] = ("", "")
    unkeyed_if: tuple[str, Value] = ("", "")
    dealer_bets: DealerBets = DealerBets()
    players_draw_if: tuple[str, Value] = ("", "")
    hands_face_up: bool = True
    dealer_face_up: int = 0


@dataclass(frozen=True)
class Advice:
    """How seven cards may be set: the parts, whether that is a foul, and why, where the house's own way set them."""

    hands: tuple[Shown, ...]
    foul: bool
    why: str = ""


@dataclass(frozen=True)
class Game:
    """One rulebook: the code of a `package`, clauses, editions and its face as data beside it.

    Its folder's name is its id, so that a copied folder is a game of its own. `advise` tells what a hand comes to
    if these of its cards go in front; with none named, how the house would set it.
    """

    package: str
    name: str
    wagers: Mapping[str, Wager]
    switches: Switches
    shoe: Callable[[Mapping[str, Value]], Shoe]
    play: Callable[[Request], Play]
    dealing: Dealing
    advise: Callable[[tuple[int, ...], tuple[int, ...], Ints], Advice] | None = None
    extra_settings: Callable[[Mapping[str, Value]], Ints] = field(default=lambda _: np.zeros(0, np.int64))

    @cached_property
    def folder(self) -> Path:
        """Where it lives."""
        file = sys.modules[self.package].__file__
        assert file is not None, self.package
        return Path(file).resolve().parent

    @cached_property
    def id(self) -> str:
        """The name of its folder."""
        return self.folder.name

    @cached_property
    def face(self) -> Face:
        """What the game looks like: its `face.toml`, completed from its wagers, choices and way of dealing."""
        return complete(read_face(self.folder), self)

    @property
    def solver(self) -> object:
        """What solves it, a `houseway.solve.solver.Solver`: imported when it is asked for; None if the game has none."""
        if not (self.folder / "solve" / "__init__.py").is_file():
            return None
        solver: object = import_module(f"{self.package}.solve").SOLVER
        return solver

    @property
    def simulator(self) -> object:
        """What deals it by the million, a `houseway.simulate.simulator.Simulator`; None if the game has none of its own."""
        if not (self.folder / "simulate" / "__init__.py").is_file():
            return None
        simulator: object = import_module(f"{self.package}.simulate").SIMULATOR
        return simulator

    def encode(self, values: Mapping[str, Value]) -> Ints:
        """Settings as the integers that compiled rules read: switches in order, then the game's own extras."""
        switches = [switch.encode(values[name]) for name, switch in self.switches.items()]
        return np.concatenate([np.array(switches, np.int64), self.extra_settings(values)])


def by_id(*wagers: Wager) -> dict[str, Wager]:
    """Wagers by their ids."""
    return {wager.id: wager for wager in wagers}


def switches(*given: Switch) -> Switches:
    """Switches by name, in the order that compiled rules index them."""
    return Switches((switch.name, switch) for switch in given)
