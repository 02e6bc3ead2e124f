"""Full tables to practise at: a second, small house in a folder of its own, gone with the process and no part of any journal.

Each person has one table there. Its guests bet and decide by themselves; the trainer says which cards came out of the shoe, and
whoever practises deals them on the dealer's own page. What is refused there is a mistake, and is counted. Before a round is
settled, its payments are named, and judged by the engine that then makes them.
"""

import itertools
import random
import threading
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from houseway.cards import parse_cards, show_card
from houseway.games import edition_files
from houseway.house.editions import digests
from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.report.example_round import HAND_KEYED, shoe_cards
from houseway.rulebook.game import COMMON
from houseway.table import Phase, Table, ledger
from houseway.table.bank import is_used_up, marker_seats
from houseway.table.bound import as_text
from houseway.table.duties import ONE
from houseway.table.engine import unfolded
from houseway.table.entry import Entry
from houseway.table.fold import EDITION_ADDED
from houseway.train.deals import Lesson, Rounds
from houseway.train.exercise import Exercise, Verdict
from houseway.train.from_table import PAY, exercise_from
from houseway.web.own_folder import own_folder
from houseway.web.served import ServedHouse

OFFICE, CAGE, FLOOR = Actor("school", "administrator"), Actor("school", "cashier"), Actor("school", "supervisor")
GUESTS = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ivy")
CHIPS_CENTS, FUND_CENTS, TRAY_CENTS, BANK_CENTS = 10_000_000, 1_000_000_000, 100_000_000, 2_000_000
PEOPLE_MOST = 100
TRIES, STEPS_MOST = 40, 200
SEATS_LEAST, SEATS_MOST = 3, 5
USUALLY = 0.8
"""How often a guest decides as a seat does that says nothing."""
GIVEN = ("no-more-bets", "marker", "card", "correct-card", "swap-cards", "time-out", "settle")
"""What whoever practises may do: the rest of a dealer's work is not part of the exercise."""
MISTAKES_MOST = 100


class PracticeTable:
    """One person's table: what the trainer knows of it, and every command through which it is dealt."""

    def __init__(self, house: ServedHouse, person: str, name: str, lesson: Lesson) -> None:
        self.house, self.person, self.name, self.lesson = house, person, name, lesson
        self.lock, self.random = threading.RLock(), random.SystemRandom()
        self.mistakes: list[str] = []
        self.shoe: list[int] = []
        self.dice, self.round = 0, 0
        self.verdict: Verdict | None = None
        self._open()
        self.next_round()

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self.house.state.tables[self.name]

    @property
    def is_over(self) -> bool:
        """Whether the round that was practised is settled."""
        return self.table.round.number != self.round

    def _do(self, kind: str, actor: Actor, **fields: Any) -> Entry:
        return self.house.do({"kind": kind, **fields}, actor)

    def _at_table(self, kind: str, **fields: Any) -> Entry:
        return self._do(kind, Actor(self.person, "dealer"), table=self.name, **fields)

    def _open(self) -> None:
        edition, settings = self.lesson.edition, self.lesson.settings
        if edition.id not in edition_files() and edition.id not in self.house.state.editions:
            note = {"id": edition.id, "document": as_text(edition.document), **digests(edition)}
            self.house.note(EDITION_ADDED, OFFICE, note)
        opener: dict[str, Any] = {} if edition.banked_by == "player" else {"opener_cents": TRAY_CENTS}
        source = HAND_KEYED if HAND_KEYED in edition.sources else edition.sources[0]
        chosen = {name: value for name, value in settings.items() if name in edition.approved}
        opened = {"table": self.name, "edition": edition.id, "source": source, "settings": chosen, **opener}
        self._do("fund", OFFICE, cents=FUND_CENTS)
        self._do("open", FLOOR, seats=edition.usual_seats, watch="record", **opened)  # no supervisor is here to acknowledge
        for seat, guest in zip(range(1, self.table.seats + 1), GUESTS, strict=False):
            self._do("buy-in", CAGE, guest=guest, cents=CHIPS_CENTS)
            self._at_table("sit", seat=seat, guest=guest)

    def next_round(self) -> None:
        """Guests put their bets down, and the shoe is shuffled anew."""
        with self.lock:
            if self.round and not self.is_over:
                raise Refused("wrong-phase", "the round is not settled yet: settle it first")
            if not self.lesson.edition.game.dealing.fresh_deck and self.table.round.number > 1:
                self._at_table("new-shoe")
            self._take_bank()
            self._bet()
            self.shoe = shoe_cards(self.lesson.edition, self.lesson.settings)
            self.random.shuffle(self.shoe)
            sides = self.lesson.edition.game.dealing.dice_sides
            has_marker = bool(marker_seats(self.table.settings, self.table.seats))
            self.dice = self.random.randint(1, sides) if sides and not has_marker else 0
            self.round, self.verdict, self.mistakes = self.table.round.number, None, []

    def _take_bank(self) -> None:
        bank = self.table.bank
        if bank is None or (bank.holder and not is_used_up(self.house.state, self.table)):
            return
        seat = bank.holder or bank.offered
        self._at_table("bank", seat=seat, guest=self.table.seated[seat], cents=BANK_CENTS)

    def _bet(self) -> None:
        bank = self.table.bank
        seats = [seat for seat in self.table.seated if bank is None or seat != bank.holder]
        wanted = self.random.sample(seats, min(len(seats), self.random.randint(SEATS_LEAST, SEATS_MOST)))
        bets = Rounds(self.lesson, self.random.randrange(1 << 31))
        for seat in sorted(wanted):
            for _ in range(TRIES):
                if self._bets_lie(seat, bets.bets()):
                    break
        if not self.table.round.spots:
            raise Refused("no-such-case", f"{self.lesson.edition.name}: nobody could bet at a table as it is set")

    def _bets_lie(self, seat: int, bets: Mapping[str, int]) -> bool:
        """Whether a seat's bets could all be put down; else none lies there."""
        late, guest = self.lesson.edition.game.dealing.late, self.table.seated[seat]
        try:
            for wager, cents in bets.items():
                if wager not in late:
                    self._at_table("bet", seat=seat, guest=guest, wager=wager, cents=cents)
        except Refused:
            for wager in list(self.table.round.spots[seat].bets) if seat in self.table.round.spots else []:
                self._at_table("withdraw", seat=seat, guest=guest, wager=wager)
            return False
        parts = self.lesson.edition.game.dealing.with_bet
        for wager, setting in parts.items():
            if wager in bets:
                choice = str(self.random.choice(self.lesson.edition.approved[setting]))
                self._at_table("decide", seat=seat, guest=guest, choice=choice)
        return True

    # What whoever practises does

    def give(self, kind: str, fields: Mapping[str, Any], key: str) -> Entry:
        """A command of the dealer's page; what is refused is a mistake."""
        with self.lock:
            try:
                self._check(kind, fields)
                command = {**fields, "kind": kind, "table": self.name}
                entry = self.house.do(command, Actor(self.person, "dealer"), f"{self.name} {key}"[:80] if key else "")
            except Refused as refused:
                self.mistakes = [*self.mistakes, refused.message][-MISTAKES_MOST:]
                raise
            if kind in {"correct-card", "swap-cards"}:
                self.mistakes = [*self.mistakes, "A card that was keyed had to be put right."][-MISTAKES_MOST:]
            self._let_guests_decide()
            return entry

    def _check(self, kind: str, fields: Mapping[str, Any]) -> None:
        if kind not in GIVEN:
            raise Refused("not-practised", f"{kind} is not part of this exercise (it has: {', '.join(GIVEN)})")
        if self.is_over:
            raise Refused("wrong-phase", "this round is settled: begin the next one")
        if kind == "card":
            keyed = parse_cards(str(fields.get("cards", "")))
            out = self.shoe[len(self.table.round.drawn) :][: len(keyed)]
            if list(keyed) != out:
                shown = " ".join(show_card(card) for card in out)
                raise Refused("not-that-card", f"the shoe gave {shown}: key what came out of it, in that order")
        if kind == "no-more-bets" and self.dice and fields.get("dice") != self.dice:
            raise Refused("not-that-number", f"the dice show {self.dice}: key what they show")
        if kind == "settle" and self.verdict is None:
            raise Refused("pay-first", "name what each wager is paid first: then it is settled")

    def _let_guests_decide(self) -> None:
        habits = self.lesson.guests
        for _ in range(STEPS_MOST):
            table = self.table
            to_act = unfolded(table).to_act if table.round.phase == Phase.DECIDING else {}
            if not to_act:
                return
            seat, allowed = next(iter(to_act.items()))
            plain = habits.plain(allowed)
            choice = habits.usual(allowed) if not plain or self.random.random() < USUALLY else self.random.choice(plain)
            guest = table.round.spots[seat].guest
            try:
                self._at_table("decide", seat=seat, guest=guest, choice=choice)
            except Refused:
                self._at_table("decide", seat=seat, guest=guest, choice=habits.usual(allowed))

    def exercise(self) -> Exercise | None:
        """The payments that are to be named, once all is dealt."""
        if self.is_over or self.table.round.phase != Phase.READY:
            return None
        put_up = self.house.state.balance(ledger.bank(self.name)) if self.table.bank is not None else 0
        return exercise_from(self.table, put_up, PAY, self.round, f"practice:{self.round}")

    def pay(self, answer: Mapping[str, str]) -> Verdict:
        """Judge what is paid; after that the round may be settled."""
        with self.lock:
            asked = self.exercise()
            if asked is None:
                raise Refused("wrong-phase", "the round is not dealt to its end: payments are named before it is settled")
            if self.verdict is None:
                self.verdict = asked.judge(answer)
            return self.verdict

    def out_of_the_shoe(self) -> list[str]:
        """The cards that lie before the dealer now: one, or those of the hand that is dealt."""
        table = self.table
        if self.is_over or table.round.phase not in {Phase.DEALING, Phase.DECIDING}:
            return []
        dealt, place = unfolded(table), len(table.round.drawn)
        if dealt.card_for is None or dealt.to_act:
            return []
        order = dealt.order
        many = 1
        if place < len(order) and order[place] != COMMON:
            many = len(list(itertools.takewhile(lambda who: who == order[place], order[place:])))
        return [show_card(card) for card in self.shoe[place : place + many]]


class PracticeHouse:
    """The house of all practice tables of this process: made when first wanted, and gone at the end."""

    def __init__(self, is_shared: bool = False) -> None:
        self._is_shared = is_shared
        """Whether several processes serve: each would have a house of its own, and a request may reach any of them."""
        self._lock = threading.RLock()
        self._until_closed = ExitStack()
        self._house: ServedHouse | None = None
        self._tables: OrderedDict[str, PracticeTable] = OrderedDict()
        self._made = 0

    @property
    def house(self) -> ServedHouse:
        """The house, opened when it is first wanted."""
        with self._lock:
            if self._house is None:
                folder = self._until_closed.enter_context(own_folder())
                store = Store(f"sqlite:///{folder / 'practice.db'}", pooled=True)
                self._house = ServedHouse(Floor(store, folder / "practice.key", begins=ONE))
            return self._house

    def begin(self, person: str, lesson: Lesson) -> PracticeTable:
        """A new table for somebody; the one that he had is forgotten."""
        if self._is_shared:
            raise Refused("one-process", "a full table is practised where the house is served by one process: houseway serve")
        with self._lock:
            self._made += 1
            made = PracticeTable(self.house, person, f"Practice {self._made}", lesson)
            self._tables.pop(person, None)
            self._tables[person] = made
            while len(self._tables) > PEOPLE_MOST:
                self._tables.popitem(last=False)
            return made

    def of(self, person: str, name: str = "") -> PracticeTable:
        """Somebody's table, and nobody else's."""
        table = self._tables.get(person)
        if table is None or (name and table.name != name):
            raise Refused("no-practice", "no table is open for you to practise at: begin one on the page /train")
        return table

    def end(self, person: str) -> None:
        """Somebody has practised enough."""
        self._tables.pop(person, None)

    def close(self) -> None:
        """The house closes: nothing of it stays."""
        with self._lock:
            if self._house is not None:
                self._house.close()
                self._house.floor.store.engine.dispose()
            self._until_closed.close()
            self._house = None
