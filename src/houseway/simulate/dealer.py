"""A dealer: what deals the units of a question, compiled or through the readable `play`, and says what it dealt."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Protocol

import numpy as np

from houseway.chunks.tallies import Tallies
from houseway.kernels.compiled import Ints
from houseway.kernels.rounds import MEASURES, Conventions, rounds_loop
from houseway.kernels.shoes import running_sums
from houseway.kernels.steps import InSteps
from houseway.refusal import Refused, one_of
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.rulebook.settle import round_win
from houseway.simulate.question import SimulationQuestion
from houseway.simulate.scales import Scales, scales_of
from houseway.simulate.simulator import CLASSES, SeatResult, Setup, Simulator

Opener = Callable[[dict[str, Any], str], Edition]
"""Makes an edition from its content: given by whoever knows where the games are."""
PILOT_UNITS, PILOT_SESSIONS = 8, 24

NO_END = 1 << 62
ENOUGH_AHEAD = 0.9
"""Numbers are made ahead so that they suffice for this share of the shoes."""
DECK_CARDS = 53
CELLS, ROUNDS_OF_SHOES, SESSIONS, BLOCKS = "cells", "rounds of shoes", "sessions", "blocks"
Results = tuple[SeatResult, ...]


class UnitDealer(Protocol):
    """Deals units; `tells` what each seat met in its rounds, and how often."""

    opened: "Opened"
    most_rounds: int
    pace: float
    notes: tuple[str, ...]
    scales: Scales | None

    def deal(self, first: int, last: int) -> Tallies:
        """The units from the first up to, not with, the last."""
        ...

    def tells(self, tallies: Tallies) -> Iterator[tuple[int, Results, int]]:
        """A seat, the results of one of its rounds, and in how many rounds it met these."""
        ...


@dataclass(frozen=True)
class Opened:
    """A question with its edition and settings at hand."""

    question: SimulationQuestion
    edition: Edition
    settings: Settings

    @property
    def cards(self) -> int:
        """Cards in a fresh shoe."""
        return sum(self.edition.game.shoe(self.settings))

    def win_cents(self, seat: int, results: Results) -> int:
        """What a seat wins in a round with these results, from its bets, as it would be paid."""
        bets, edition, won = self.question.seats[seat].bets, self.edition, 0
        for ended in results:
            base = edition.game.wagers[ended.wager].follows or ended.wager
            if base not in bets:
                continue
            if ended.prize:
                enough = bets[base] >= edition.wagers[ended.wager].envy_min_bet_cents
                won += edition.envy_cents(ended.wager, ended.outcome, self.settings) if enough else 0
                continue
            stake = bets[base] * ended.times
            assert stake == int(stake), f"{ended}: a stake of {stake} cents"
            pay = edition.pay(ended.wager, ended.outcome, self.settings)
            won += round_win(int(stake), pay, edition.chip_unit_cents)[0]
        return won


def simulator_for(edition: Edition) -> Simulator | None:
    """The simulator of an edition's game, if it knows all wagers that the edition offers."""
    simulator = edition.game.simulator
    assert simulator is None or isinstance(simulator, Simulator)
    return simulator if simulator and edition.offered.keys() <= {*simulator.wagers} else None


class CompiledDealer:
    """Deals with a game's own simulator."""

    def __init__(self, opened: Opened, simulator: Simulator) -> None:
        self.opened, self.simulator = opened, simulator
        question, edition = opened.question, opened.edition
        for seat in question.seats:
            check_player(seat.player, simulator.players, simulator.player_files, edition)
        self.setup: Setup = simulator.setup(edition, opened.settings, question.seats)
        self.notes = self.setup.notes
        self.seats = 1 if self.setup.common else len(question.seats)
        customs, cards = question.customs, opened.cards
        self.most_rounds = (
            1 if customs.shuffler else (cards - customs.burn - customs.cut) // self.setup.least_cards + 1 + customs.extra
        )
        self._check_cards()
        self.conventions = Conventions(
            seed=question.seed,
            seats=self.seats,
            burn=customs.burn,
            cut=customs.cut,
            extra=customs.extra,
            most=1 if customs.shuffler else NO_END,
            shoes=self._shoes_of_a_unit(),
            rounds=question.session_rounds,
        )
        by_class = simulator.sees == CLASSES
        self.fresh = np.array([cards, *(running_sums(self.setup.shoe) if by_class else ())], np.int64)
        self.fresh_deck = np.array(self.setup.deck or (0,) if by_class else self.setup.shoe, np.uint8)  # no array is empty, for
        more = simulator.burn_values if customs.burn_by_value else [0] * DECK_CARDS  # a graphics processor's sake
        self.burn_more = np.array(more, np.int64)
        self._ahead, self.pace = 0, 1.0
        self.scales: Scales | None = None
        self._pilot()

    def _burned_at_most(self) -> int:
        customs, values = self.opened.question.customs, self.simulator.burn_values
        if customs.burn_by_value and not values:
            raise Refused(
                "bad-setting",
                f"no card is worth a number of cards to burn in {self.opened.edition.name}: leave --burn value out",
            )
        return customs.burn + (max(values) if customs.burn_by_value else 0)

    def _check_cards(self) -> None:
        """Refuse a cut card so deep that a round could run out of cards."""
        customs, cards = self.opened.question.customs, self.opened.cards
        needed, burned = self.setup.cards * (1 + customs.extra), self._burned_at_most()
        if self.setup.refills:
            needed = 0
        elif customs.shuffler and self.setup.cards > cards:
            raise Refused(
                "too-few-cards", f"a round may take {self.setup.cards} cards, and the shoe has {cards}: have fewer seats"
            )
        if not customs.shuffler and customs.cut + 1 < needed:
            raise Refused(
                "bad-cut",
                f"{customs.cut} cards behind the cut card are too few: the last rounds may take {needed} (least: {needed - 1})",
            )
        if not customs.shuffler and cards - burned <= customs.cut:
            raise Refused(
                "bad-cut",
                f"{customs.cut} cards behind the cut card leave none to deal: of {cards}, {burned} may be burned",
            )

    def _shoes_of_a_unit(self) -> int:
        """So many shoe numbers belong to a session that it cannot run out of them."""
        question = self.opened.question
        if not question.session_rounds:
            return 1
        dealt = self.opened.cards - self._burned_at_most() - question.customs.cut
        least = 1 if question.customs.shuffler else max(1, dealt // self.setup.cards)
        return -(-question.session_rounds // least)

    def _pilot(self) -> None:
        """Deal a little: compile, see how many numbers a shoe takes, how the wins lie, and how fast it goes."""
        wanted = self.opened.question.session_rounds
        self._deal(0, PILOT_UNITS, self.conventions._replace(shoes=1, rounds=0), None)
        began = time.perf_counter()
        tallies = self._deal(0, 8 * PILOT_UNITS, self.conventions._replace(shoes=1, rounds=0), None)
        took = max(time.perf_counter() - began, 1e-6)
        blocks, rounds = tallies[BLOCKS][0], int(tallies[CELLS][0].sum())
        self._ahead = int(np.searchsorted(np.cumsum(blocks), ENOUGH_AHEAD * blocks.sum()))
        self.pace = 8 * PILOT_UNITS / took
        if wanted:
            self.pace *= rounds / (8 * PILOT_UNITS) / wanted
            pays, cells = self.pays, tallies[CELLS]
            self.scales = scales_of(pays, [cells[seat] for seat in range(self.seats)], wanted)

    @cached_property
    def pays(self) -> Ints:
        """What each cell is worth to each seat, in cents: for sessions."""
        seats, apart = range(len(self.opened.question.seats)), self.setup.apart
        rest = [self.setup.meaning(cell) for cell in range(0, self.setup.cells, apart)]
        last = [self.setup.meaning(cell) for cell in range(apart)]
        own = np.array([[self.opened.win_cents(seat, results) for results in rest] for seat in seats], np.int64)
        more = np.array([[self.opened.win_cents(seat, results) for results in last] for seat in seats], np.int64)
        rows = (own[:, :, None] + (more - more[:, :1])[:, None, :]).reshape(len(own), -1)
        return rows.sum(axis=0, keepdims=True) if self.setup.common else rows

    def arrays(self) -> Tallies:
        """Tallies of nothing."""
        question = self.opened.question
        shoe_rounds = 2 if question.customs.shuffler else self.opened.cards + 2
        return {
            CELLS: np.zeros((self.seats, self.setup.cells), np.int64),
            ROUNDS_OF_SHOES: np.zeros((1, shoe_rounds), np.int64),
            SESSIONS: np.zeros((MEASURES, self.scales.bins if self.scales else 1), np.int64),
            BLOCKS: np.zeros((1, self.opened.cards + 2), np.int64),
        }

    def given(self, conventions: Conventions, scales: Scales | None) -> tuple[Any, ...]:
        """All that the loop reads, in its order."""
        pays = self.pays if conventions.rounds else np.zeros((1, 1), np.int64)
        rows = scales.rows if scales else np.ones((MEASURES, 2), np.int64)
        return (
            conventions,
            self.fresh,
            self.fresh_deck,
            self.burn_more,
            self.setup.settings if self.setup.settings.size else np.zeros(1, np.int64),
            self.setup.tables,
            pays,
            rows,
        )

    @property
    def in_steps(self) -> InSteps | None:
        """How rounds are played in steps, if they are: not in sessions, nor where a shoe might run out in a round."""
        steps, customs = self.setup.in_steps, self.opened.question.customs
        if steps is None or self.conventions.rounds:
            return None
        left = self.opened.cards - self._burned_at_most() if customs.shuffler else customs.cut + 1 - customs.extra * steps.cards
        return steps if left >= steps.cards else None

    def given_in_steps(self, steps: InSteps) -> tuple[Any, ...]:
        """All that the loop of steps reads, in the same order: its deck for the deck, its bytes for the settings."""
        conventions, fresh, _, burn_more, _, *rest = self.given(self.conventions, None)
        return conventions, fresh, steps.deck, burn_more, steps.quick, *rest

    def _deal(self, first: int, last: int, conventions: Conventions, scales: Scales | None) -> Tallies:
        tallies = self.arrays()
        ahead = np.zeros(2 * self._ahead, np.uint64)
        deck, cells = np.zeros(self.fresh_deck.size, np.uint8), np.zeros(self.seats, np.int64)
        loop = rounds_loop(self.simulator.play_round, self.simulator.sees)
        loop(first, last, *self.given(conventions, scales), ahead, deck, cells, *tallies.values())
        return tallies

    def deal(self, first: int, last: int) -> Tallies:
        """The units from the first up to, not with, the last."""
        return self._deal(first, last, self.conventions, self.scales)

    def tells(self, tallies: Tallies) -> Iterator[tuple[int, Results, int]]:
        """A seat, the results of one of its rounds, and in how many rounds it met these."""
        for seat, row in enumerate(tallies[CELLS]):
            for cell in np.nonzero(row)[0].tolist():
                yield seat, self.setup.meaning(cell), int(row[cell])


def rounds_dealt(tallies: Tallies) -> int:
    """How many rounds were dealt."""
    row = tallies[ROUNDS_OF_SHOES][0] if ROUNDS_OF_SHOES in tallies else ()
    return sum(rounds * int(shoes) for rounds, shoes in enumerate(row))


def check_player(player: str, known: tuple[str, ...], files: bool, edition: Edition) -> None:
    """Refuse a way to decide that nobody knows."""
    if not player or (files and player.endswith((".toml", ".csv", ".json"))):
        return
    if not known:
        raise Refused("bad-player", f"{edition.name} leaves the player nothing to decide: leave --player out")
    one_of("player", player, known)


@lru_cache(maxsize=8)
def dealer_of(opener: Opener, text: str) -> UnitDealer:
    """The dealer for a question, made once in a process."""
    question = SimulationQuestion.from_text(text)
    edition = opener(dict(question.document), question.label)
    opened = Opened(question, edition, question.chosen(edition))
    simulator = simulator_for(edition)
    if simulator:
        return CompiledDealer(opened, simulator)
    from houseway.simulate.by_play import PlayDealer

    return PlayDealer(opened)


def deal_chunk(opener: Opener, text: str, first: int, last: int) -> Tallies:
    """What a worker does, wherever it is."""
    return dealer_of(opener, text).deal(first, last)
