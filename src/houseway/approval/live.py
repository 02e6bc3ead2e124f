"""Sessions of a whole table: commands with the cards they drew, carried out again to see what money moves.

They are made without knowing any game, from what a table asks for; commands that are refused belong to them, for limits
and laws are behaviour too.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from houseway.cards import show_cards
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Value
from houseway.table import House, Phase, Table, handle, ledger
from houseway.table.bank import is_used_up, marker_seats
from houseway.table.bound import BINDING, as_text
from houseway.table.commands import declared
from houseway.table.duties import ONE
from houseway.table.engine import is_shuffled_every_round, unfolded
from houseway.table.event import FORM
from houseway.table.fold import context
from houseway.table.plain import as_json
from houseway.table.play import settled_as
from houseway.table.state import Duties, Settled
from houseway.table.unfold import Unfolded

NAME = "t"
GUESTS = ("ann", "bob", "cat", "dan", "eve")
ROUNDS = 12
DAYS: tuple[str, ...] = (
    "2004-06-30",
    "2004-07-01",
    "2008-01-01",
    "2009-06-01",
    "2009-09-14",
    "2021-06-30",
    "2021-07-01",
    "2024-01-01",
    "2026-05-01",
)
"""Days on which one law or another holds."""
AMOUNTS: tuple[int, ...] = (99, 100, 101, 250, 499, 500, 501, 1_000, 1_500, 2_500)
AMOUNTS += (9_999, 10_000, 10_001, 30_000, 30_001, 40_000, 40_001, 200_001)
ONE_PERSON = House(duties=Duties(ONE))
"""Where one name does everything: sessions are about cards and money."""
REASONS = ("misdeal", "power-failure", "shuffler-jam", "no-reason")


@dataclass(frozen=True)
class Given:
    """A command as it was given: by whom, on which day, how many seconds into the session, and the cards it may draw.

    A correction has the round as it was `settled`.
    """

    command: Mapping[str, Any]
    role: str
    day: str
    seconds: int
    cards: tuple[int, ...] = ()
    settled: str = ""

    def completed(self) -> dict[str, Any]:
        """The command with what the floor adds."""
        at = datetime.fromisoformat(f"{self.day}T12:00:00+00:00") + timedelta(seconds=self.seconds)
        settled = {"settled": self.settled} if self.settled else {}
        return {**self.command, **context(at.isoformat(), self.day, "somebody", self.role, FORM), **settled}

    def bound(self, edition: Edition) -> dict[str, Any]:
        """The command as the floor completes it: an opening is bound to the edition's content."""
        content = {"bound": {"document": as_text(edition.document)}} if self.command["kind"] in BINDING else {}
        return {**self.completed(), **content}


@dataclass(frozen=True)
class LiveSession:
    """Commands in order."""

    commands: tuple[Given, ...]

    def as_data(self) -> list[Any]:
        """As it is kept."""
        return [[dict(g.command), g.role, g.day, g.seconds, list(g.cards), g.settled] for g in self.commands]

    @classmethod
    def from_data(cls, data: list[Any]) -> "LiveSession":
        """As it was kept."""
        return cls(tuple(Given(command, role, day, at, tuple(cards), *more) for command, role, day, at, cards, *more in data))


def carry_out(edition: Edition, house: House, given: Given) -> tuple[House, list[Any] | str]:
    """The house after a command, and the money it moved, or why it was refused."""
    cards = iter(given.cards)
    try:
        declared(given.command, given.role).check(given.command)
        effect = handle(house, given.bound(edition), given.role, lambda: next(cards, None))
        return effect.finished(), [[move.source, move.target, move.cents] for move in effect.transfers]
    except Refused as refused:
        return house, refused.code


def replay(edition: Edition, session: LiveSession) -> Iterator[tuple[str, list[Any] | str]]:
    """What every command of a session does, by its kind; at last what everybody has."""
    house = ONE_PERSON
    for given in session.commands:
        house, answer = carry_out(edition, house, given)
        yield str(given.command["kind"]), answer
    yield "balances", sorted(house.balances.items())


class _Player:
    """Plays a session at one table, choosing by chance."""

    def __init__(self, edition: Edition, pick: random.Random) -> None:
        self.edition, self.pick = edition, pick
        self.house, self.given = ONE_PERSON, list[Given]()
        self.day = pick.choice(DAYS)
        self.cards: list[int] = []
        self.settled: dict[int, Settled] = {}

    @property
    def table(self) -> Table:
        return self.house.tables[NAME]

    @property
    def seen(self) -> Unfolded:
        return unfolded(self.table)

    def do(self, kind: str, role: str, fields: Mapping[str, Any], cards: tuple[int, ...] = ()) -> bool:
        """Give a command and keep it, refused or not; whether it was carried out."""
        settled = as_json(self.settled[fields["round"]]) if kind == "correct" and fields["round"] in self.settled else ""
        given = Given({"kind": kind, **fields}, role, self.day, 20 * len(self.given), cards, settled)
        before = self.drawn
        if kind == "settle" and self.table.round.phase == Phase.READY:
            bank = self.house.balance(ledger.bank(NAME))
            self.settled = {self.table.round.number: settled_as(self.table, self.day, bank)}
        self.house, answer = carry_out(self.edition, self.house, given)
        self.given.append(replace(given, cards=cards[: max(self.drawn - before, 0)]))
        return not isinstance(answer, str)

    @property
    def drawn(self) -> int:
        """How many cards the round has."""
        return len(self.table.round.drawn) if NAME in self.house.tables else 0

    def at_table(self, kind: str, role: str = "supervisor", draws: tuple[int, ...] = (), **fields: Any) -> bool:
        return self.do(kind, role, {"table": NAME, **fields}, draws)

    def run(self, settings: Mapping[str, Value]) -> LiveSession:
        """A session from opening to closing."""
        self.do("fund", "administrator", {"cents": 5_000_000_000})
        for guest in GUESTS:
            self.do("buy-in", "cashier", {"guest": guest, "cents": 10_000_000})
        self._open(settings)
        for _ in range(ROUNDS):
            if self._bets_placed():
                self._play()
        if self.table.round.phase != Phase.BETTING or self.table.round.spots:
            self.at_table("void", reason="misdeal")
        self.at_table("close")
        return LiveSession(tuple(self.given))

    def _open(self, settings: Mapping[str, Value]) -> None:
        pick, wagers = self.pick, list(self.edition.wagers)
        source = pick.choice(self.edition.sources)
        bounds = {wager: [pick.choice((100, 500)), pick.choice((10_000, 40_000))] for wager in pick.sample(wagers, 1)}
        aggregates = {wager: pick.choice((500_000, 2_000_000, 5_000_000)) for wager in pick.sample(wagers, 1)}
        options: dict[str, Any] = {"settings": dict(settings), "seats": min(6, self.edition.game.dealing.seats)}
        house: dict[str, Any] = {} if self.edition.banked_by == "player" else {"opener_cents": 400_000_000}
        offered: dict[str, Any] = {"offered": [name for name in wagers if pick.random() < 0.7]}
        watched: dict[str, Any] = {"watch": "acknowledge", "watch_cents": pick.choice((5_000, 50_000))}
        extra: dict[str, Any] = pick.choice(
            ({"limits": bounds}, {"aggregates": aggregates}, watched, offered, {"seats_per_guest": 1})
        )
        extra |= {"decision_seconds": 15}
        if self.edition.banked_by == "player":
            rules = pick.choice(("none", "notice-2016", "rules-2026"))
            extra |= {"player_fee_cents": 100, "bank_fee_cents": 200, "bank_rules": rules}
        opened = self.at_table("open", edition=self.edition.id, source=source, **options, **house, **extra)
        if not opened:
            self.at_table("open", edition=self.edition.id, source=source, **options, **house)
        self._shuffle()
        if self.table.bank is not None:
            for seat, guest in enumerate(GUESTS, 1):
                self.at_table("sit", seat=seat, guest=guest, proposition=seat == 5)

    def _shuffle(self) -> None:
        settings = self.edition.settings(self.table.settings)
        self.cards = [card for card, copies in enumerate(self.edition.game.shoe(settings)) for _ in range(copies)]
        self.pick.shuffle(self.cards)

    # Bets

    def _bank(self) -> None:
        """Somebody banks, or passes it on."""
        for _ in range(3):
            bank = self.table.bank
            if bank is None or (bank.holder and not is_used_up(self.house, self.table)):
                break
            seat = bank.holder or bank.offered
            guest = self.table.seated.get(seat, GUESTS[0])
            if self.pick.random() < 0.3:
                self.at_table("pass", seat=seat, guest=guest)
            else:
                cents = self.pick.choice((5_000, 50_000, 200_000, 1_000_000))
                self.at_table("bank", seat=seat, guest=guest, cents=cents)
        if self.table.bank is not None:
            self.at_table("offer")

    def _bets_placed(self) -> bool:
        pick, dealing = self.pick, self.edition.game.dealing
        if self.table.check_cards:
            self.at_table("check-cards")
        if is_shuffled_every_round(self.table) or len(self.cards) < 100:
            self.at_table("new-shoe")
            self._shuffle()
        if self.table.bank is not None:
            self._bank()
        wagers = [name for name in self.edition.wagers if name not in dealing.late]
        for seat in pick.sample(range(1, self.table.seats + 1), pick.randint(1, min(4, self.table.seats))):
            guest = GUESTS[(seat - 1) % len(GUESTS)]
            mains = [name for name in wagers if self.edition.game.wagers[name].counts_as == "base"]
            for wager in [*mains, *pick.sample(wagers, pick.randint(0, len(wagers)))]:
                tip: dict[str, Any] = {"for_dealer": True} if pick.random() < 0.05 else {}
                self.at_table("bet", "dealer", seat=seat, guest=guest, wager=wager, cents=pick.choice(AMOUNTS), **tip)
                if not self._has_bet(seat, wager):
                    self.at_table("bet", "dealer", seat=seat, guest=guest, wager=wager, cents=pick.choice((500, 1_000, 2_500)))
            for wager, setting in dealing.with_bet.items():
                if self._has_bet(seat, wager) and pick.random() < 0.7:
                    choice = str(pick.choice(self.edition.approved[setting]))
                    self.at_table("decide", "dealer", seat=seat, choice=choice)
            if pick.random() < 0.15:
                self.at_table("withdraw", "dealer", seat=seat, guest=guest, wager=pick.choice(wagers))
        return self._closed()

    def _has_bet(self, seat: int, wager: str) -> bool:
        spot = self.table.round.spots.get(seat)
        return spot is not None and wager in spot.bets

    def _closed(self) -> bool:
        """No more bets: with dice where they are thrown; bets that may not stand alone go back."""
        if marker := marker_seats(self.table.settings, self.table.seats):
            self.at_table("marker", "dealer", seat=self.pick.randint(1, marker))
        if self._thrown(0, self.pick.randint(1, 7), self.pick.randint(1, 6)):
            return True
        for seat, spot in tuple(self.table.round.spots.items()):
            for wager in tuple(spot.bets):
                if self.edition.game.wagers[wager].needs not in {"", *spot.bets}:
                    self.at_table("withdraw", "dealer", seat=seat, guest=spot.guest, wager=wager)
        if self._thrown(0, self.pick.randint(1, 6)):
            return True
        if self.table.round.spots:
            self.at_table("void", reason=self.pick.choice(REASONS))
        if self.table.round.spots:
            self.at_table("void", reason="misdeal")
        return False

    def _thrown(self, *numbers: int) -> bool:
        """No more bets, with one of these numbers thrown; 0 is none."""
        return any(self.do("no-more-bets", "dealer", {"table": NAME} | ({"dice": n} if n else {})) for n in numbers)

    # Cards and choices

    def _play(self) -> None:
        dealing, number = self.edition.game.dealing, self.table.round.number
        keyed = self.table.source != "virtual-shoe"
        if keyed and dealing.play_result and self.pick.random() < 0.4:
            outcomes = {outcome.id for wager in self.edition.wagers for outcome in self.edition.game.wagers[wager].outcomes}
            self.at_table("result", "dealer", result=self.pick.choice(sorted(outcomes)))
        for _ in range(60):
            phase, made = self.table.round.phase, self.seen
            if self.table.round.number != number or phase in {Phase.READY, Phase.BETTING}:
                break
            if phase == Phase.DEALING and made.first_deal_done and self.table.watch == "acknowledge":
                self.at_table("acknowledge")
            elif made.to_act:
                self._decide()
            elif not self._card():
                break
        self._end(number)

    def _card(self) -> bool:
        """Deal on; whether there was a card to deal."""
        drawn, virtual = self.drawn, self.table.source == "virtual-shoe"
        if virtual:
            self.at_table("deal", draws=tuple(self.cards[:60]))
        else:
            size = 1 if self.seen.first_deal_done or self.pick.random() < 0.1 else self._wanted() - drawn
            self.at_table("card", "dealer", cards=show_cards(self.cards[: max(size, 1)]))
        self.cards = self.cards[max(self.drawn - drawn, 0) :]
        return self.drawn > drawn and bool(self.cards)

    def _wanted(self) -> int:
        """How many cards the first deal has."""
        return len(self.seen.order)

    def _decide(self) -> None:
        made, pick = self.seen, self.pick
        seat = pick.choice(sorted(made.to_act))
        late = [wager for wager in self.edition.game.dealing.late if made.before_look]
        if late and pick.random() < 0.4:
            spot = self.table.round.spots[seat]
            cents = spot.bets.get(self.edition.game.wagers[late[0]].needs, 100) // pick.choice((1, 2, 2, 4))
            self.at_table("bet", "dealer", seat=seat, guest=spot.guest, wager=late[0], cents=max(cents, 1))
        if seat not in self.seen.to_act:
            return
        if pick.random() < 0.05:
            drawn = self.drawn
            self.at_table("time-out", draws=tuple(self.cards[:60]), seat=seat)
            self.cards = self.cards[max(self.drawn - drawn, 0) :]
            return
        choice, before = pick.choice(self.seen.to_act[seat]), self.table.round.spots[seat].choices
        hand = made.hands.get(seat, [])
        words = [choice, *(f"{choice} {show_cards(pick.sample(hand, size))}" for size in (2, 2, 1) if len(hand) > size)]
        guest = self.table.round.spots[seat].guest
        for wording in [*words, *self.seen.to_act[seat]]:
            drawn = self.drawn
            done = self.at_table("decide", "dealer", draws=tuple(self.cards[:60]), seat=seat, choice=wording, guest=guest)
            self.cards = self.cards[max(self.drawn - drawn, 0) :]
            if done or self.table.round.spots.get(seat) is None or self.table.round.spots[seat].choices != before:
                return

    def _end(self, number: int) -> None:
        pick = self.pick
        if self.table.round.number == number:
            if pick.random() < 0.25:
                self._mend()
            if pick.random() < 0.08:
                self.at_table("void", reason=pick.choice(REASONS))
            elif not self.at_table("settle", "dealer"):
                self.at_table("acknowledge")
                self.at_table("settle", "dealer")
        if self.table.round.number == number:
            self.at_table("void", reason="misdeal")
        elif pick.random() < 0.15:
            self._correct(number)
        if self.table.bank is not None and pick.random() < 0.1:
            self.at_table("leave", seat=(seat := pick.randint(1, 5)), guest=GUESTS[seat - 1])

    # Mistakes

    def _mend(self) -> None:
        """Something was keyed wrongly, or is said to have been."""
        pick, round_ = self.pick, self.table.round
        places, seat = max(len(round_.drawn), 1), pick.choice(sorted(round_.spots) or [1])
        card = show_cards([pick.choice(self.cards)])
        wager, cents = pick.choice(list(self.edition.wagers)), pick.choice((0, *AMOUNTS))
        mends: dict[str, dict[str, Any]] = {
            "correct-card": {"place": pick.randint(1, places), "card": card},
            "swap-cards": {"place": pick.randint(1, places), "other_place": pick.randint(1, places)},
            "replace-card": {"place": pick.randint(1, places), "card": card},
            "rekey": {"cards": show_cards([*round_.drawn[:-1], pick.choice(self.cards)])},
            "undo": {"seat": seat},
            "change-bet": {"seat": seat, "wager": wager, "stake_cents": cents},
        }
        kind = pick.choice(sorted(mends))
        self.at_table(kind, reason="keyed wrongly", **mends[kind])
        for _ in range(20):
            if self.table.round.phase == Phase.READY or not (self.seen.to_act or self.seen.card_for is not None):
                break
            if self.seen.to_act:
                self._decide()
            elif not self._card():
                break

    def _correct(self, number: int) -> None:
        """The round that was just settled was another one."""
        if number not in self.settled:  # it was voided
            return
        pick, round_ = self.pick, self.settled[number].round
        drawn, seat = list(round_.drawn), pick.choice(sorted(round_.spots))
        if drawn:
            drawn[pick.randrange(len(drawn))] = pick.choice(self.cards)
        others = [[wager, cents * 2] for wager, cents in round_.spots[seat].bets.items()]
        truths: tuple[dict[str, Any], ...] = ({"cards": show_cards(drawn)}, {"seat_bets": {str(seat): others}}, {"void": True})
        self.at_table("correct", round=number, reason="wrong", **pick.choice(truths))


def make_sessions(edition: Edition, pick: random.Random, count: int) -> list[LiveSession]:
    """Sessions under settings by chance."""
    sessions: list[LiveSession] = []
    while len(sessions) < count:
        chosen = {name: pick.choice(allowed) for name, allowed in edition.approved.items()} if sessions else {}
        try:
            edition.settings(chosen)
        except Refused:
            chosen = {name: value for name, value in chosen.items() if name not in edition.readings}
        sessions.append(_Player(edition, pick).run(chosen))
    return sessions
