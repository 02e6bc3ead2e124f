"""Dealing through the readable `play`: slowly, for games that bring no simulator of their own, and to check those that do."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from houseway.chunks.tallies import Tallies
from houseway.kernels.compiled import plain
from houseway.kernels.rounds import DRAWDOWN, HIGHEST, LOSING_RUN, LOWEST, MEASURES, WIN, SessionState, bin_of, session_after
from houseway.kernels.shuffle import shuffled
from houseway.refusal import Refused
from houseway.rulebook.game import COMMON, DEALER, MissingCard, MissingChoice, Play, Request
from houseway.simulate.dealer import BLOCKS, CELLS, PILOT_SESSIONS, ROUNDS_OF_SHOES, SESSIONS, Opened, Results, check_player
from houseway.simulate.scales import Scales, scales_of
from houseway.simulate.simulator import SeatResult

UNIT_CENTS = 100
"""What a wager is taken to be where no bets are given: no result of a round hangs on it."""
OF_DICE = 0x1E3779B97F4A7C15
"""Makes a seed that of the dice, which hang on no card: else who is dealt to first would hang on what he gets."""
_session_after, _bin_of = plain(session_after), plain(bin_of)


class _Shoe:
    """A shuffled shoe, of which cards are taken from the front, and the dice that are thrown for it (0: none)."""

    def __init__(self, cards: list[int], dice: int) -> None:
        self.cards, self.used, self.dice = cards, 0, dice

    @property
    def left(self) -> int:
        return len(self.cards) - self.used

    def take(self) -> int:
        if not self.left:
            raise Refused(
                "too-few-cards", "the shoe ran out of cards in the middle of a round: put the cut card further up (--cut)"
            )
        self.used += 1
        return self.cards[self.used - 1]


class PlayDealer:
    """Deals for one seat through `play`; of the choices, he makes the one that he is named after, or else the first he can."""

    def __init__(self, opened: Opened) -> None:
        self.opened = opened
        question, edition = opened.question, opened.edition
        if len(question.seats) > 1:
            raise Refused("bad-seats", f"{edition.game.name} brings no simulator of its own: it is dealt for one seat only")
        if question.customs.burn_by_value:
            raise Refused(
                "bad-setting", f"no card is worth a number of cards to burn in {edition.name}: leave --burn value out"
            )
        names = tuple(edition.game.face.choices)
        self.player = question.seats[0].player
        check_player(self.player, names, False, edition)
        self.bets = self._all_bets()
        self.encoded = edition.game.encode(opened.settings)
        self.dealt_cards = np.repeat(np.arange(len(edition.game.shoe(opened.settings))), edition.game.shoe(opened.settings))
        customs = question.customs
        self.most_rounds = 1 if customs.shuffler else opened.cards - customs.burn - customs.cut + 1 + customs.extra
        self.notes: tuple[str, ...] = (
            f"{edition.game.name} brings no simulator of its own: dealt through its readable rules, slowly",
        )
        self.names: dict[Results, str] = {}
        self.scales: Scales | None = None
        began = time.perf_counter()
        tallies = self._deal(0, 1, 0)
        rounds = max(1, sum(int(count[0]) for name, count in tallies.items() if name.startswith(CELLS)))
        each = max((time.perf_counter() - began) / rounds, 1e-6)
        self.pace = 1 / (each * (question.session_rounds or rounds))
        if question.session_rounds:
            dealt_so_far = list(self.tells(self._deal(0, PILOT_SESSIONS, 0)))
            pays = np.array([[opened.win_cents(0, results) for _, results, _ in dealt_so_far]], np.int64)
            self.scales = scales_of(pays, [np.array([count for _, _, count in dealt_so_far])], question.session_rounds)

    def _all_bets(self) -> dict[str, int]:
        """A bet on every wager that can lie beside the others."""
        offered = self.opened.edition.offered
        late = self.opened.edition.game.dealing.late
        wagers = [w for w in offered.values() if not w.follows and w.id not in late and not w.refuses(self.opened.settings)]
        return {wager.id: self.opened.question.seats[0].bets.get(wager.id, UNIT_CENTS) for wager in wagers}

    def deal(self, first: int, last: int) -> Tallies:
        """The units from the first up to, not with, the last."""
        return self._deal(first, last, self.opened.question.session_rounds)

    def _deal(self, first: int, last: int, session_rounds: int) -> Tallies:
        counted: Counter[Results] = Counter()
        shoe_rounds = np.zeros((1, 2 if self.opened.question.customs.shuffler else self.opened.cards + 2), np.int64)
        sessions = np.zeros((MEASURES, self.scales.bins if self.scales else 1), np.int64)
        shoes_each = max(session_rounds, 1)  # a shoe has a round at least
        for unit in range(first, last):
            session = SessionState(0, 0, 0, 0, 0, 0, 0)
            for number in range(unit * shoes_each, (unit + 1) * shoes_each):
                dealt = 0
                for results in self._rounds_of(number):
                    counted[results] += 1
                    dealt += 1
                    if session_rounds:
                        session = _session_after(session, self.opened.win_cents(0, results))
                        if session.rounds == session_rounds:
                            break
                shoe_rounds[0, dealt] += 1
                if session_rounds and session.rounds == session_rounds:
                    break
            if session_rounds and self.scales:
                values = {WIN: session.win, LOWEST: session.lowest, HIGHEST: session.highest, DRAWDOWN: session.drawdown}
                for measure, value in {**values, LOSING_RUN: session.longest}.items():
                    sessions[measure, _bin_of(value, self.scales.rows[measure], self.scales.bins)] += 1
        cells = {f"{CELLS} {self._name(results)}": np.array([count]) for results, count in counted.items()}
        return {**cells, ROUNDS_OF_SHOES: shoe_rounds, SESSIONS: sessions, BLOCKS: np.zeros((1, 1), np.int64)}

    def _rounds_of(self, number: int) -> Iterator[Results]:
        """The rounds of a shoe, as the customs say."""
        customs, seed = self.opened.question.customs, self.opened.question.seed
        faces = np.arange(1, self.opened.edition.game.dealing.dice_sides + 1)
        dice = int(shuffled(faces, seed ^ OF_DICE, number)[0]) if faces.size else 0
        shoe = _Shoe(shuffled(self.dealt_cards, seed, number).tolist(), dice)
        for _ in range(customs.burn):
            shoe.take()
        over, dealt = 0, 0
        while dealt < self.most_rounds:
            if shoe.left <= customs.cut and not customs.shuffler:
                if over == customs.extra:
                    return
                over += 1
            yield self._round(shoe)
            dealt += 1

    def _round(self, shoe: _Shoe) -> Results:
        """One round: the first cards as they are dealt, then whatever the rules ask for."""
        edition, dealing = self.opened.edition, self.opened.edition.game.dealing
        order = dealing.order((1,), self.opened.settings, shoe.dice)
        tape: tuple[int, ...] = ()
        if COMMON not in order:
            hands: dict[object, list[int]] = {1: [], DEALER: []}
            for who in order:
                hands.setdefault(who, []).append(shoe.take())
            seen = [tuple(cards) for who, cards in hands.items() if who == 1 or isinstance(who, str)]
            tape = dealing.tape(*seen)
        choices: list[str] = [str(self.opened.settings[name]) for wager, name in dealing.with_bet.items() if wager in self.bets]
        request = Request(tape, (), self.bets, self.opened.settings, self.encoded, asks=True, offered=edition.offered)
        while True:
            try:
                return self._results(edition.game.play(replace(request, cards=tape, choices=tuple(choices))))
            except MissingCard:
                tape = (*tape, shoe.take())
            except MissingChoice as missing:
                choices.append(self._choice(replace(request, cards=tape, choices=tuple(choices)), missing.allowed))

    def _choice(self, request: Request, allowed: tuple[str, ...]) -> str:
        """The choice that the player is named after, or else the first that says enough: to set a hand one names its cards."""
        if self.player in allowed:
            return self.player
        for choice in allowed[:-1]:
            try:
                self.opened.edition.game.play(replace(request, choices=(*request.choices, choice)))
            except (MissingCard, MissingChoice):
                return choice
            except Refused:
                continue
            return choice
        return allowed[-1]

    def _results(self, played: Play) -> Results:
        return tuple(SeatResult(result.wager, result.outcome, result.times, result.prize) for result in played.results)

    def _name(self, results: Results) -> str:
        if results not in self.names:
            plainly = [[ended.wager, ended.outcome, str(ended.times), ended.prize] for ended in results]
            self.names[results] = json.dumps(plainly)
        return self.names[results]

    def tells(self, tallies: Tallies) -> Iterator[tuple[int, Results, int]]:
        """The seat, the results of a round, and in how many rounds it met these."""
        for name, count in sorted(tallies.items()):
            if name.startswith(f"{CELLS} "):
                results = json.loads(name.removeprefix(f"{CELLS} "))
                yield (
                    0,
                    tuple(SeatResult(wager, outcome, Fraction(times), prize) for wager, outcome, times, prize in results),
                    int(count[0]),
                )
