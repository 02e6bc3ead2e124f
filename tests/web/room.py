"""A card room of programs: staff and guests who speak HTTP with a served house, and a bookkeeper of their own.

The bookkeeper knows what was sent, what he works out himself (hands of baccarat, from cards that he dealt) and what guests'
purses said before and after. He never asks the house for a report; in the end its reports must equal his, to the cent.
"""

import base64
import json
import random
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
from houses import PASSWORD, PATIENCE

API = "/api/v1"
CHIPS = "0.50 1 5 25 100"
STOCK = {"10000": 20_000, "2500": 40_000, "500": 80_000, "100": 80_000, "50": 20_000}
TRAY = {"10000": 60, "2500": 100, "500": 300, "100": 800, "50": 100}
MORE = {"2500": 20, "500": 20, "100": 400, "50": 40}
NOTES = (10_000, 5_000, 2_000, 1_000, 500, 100)
BACCARAT = ("ez-baccarat-wa", "ez-baccarat-ca")
BETS = {
    "ez-pai-gow-wa": (("base", 1_000), ("dynasty", 100)),
    "lucky-lucky-wa": (("blackjack", 500), ("lucky-lucky", 100)),
    "duki-4-wa": (("ante", 500), ("duki-bonus", 100)),
}
CHOICES = ("house-way", "stand", "play", "no-insurance", "decline", "look")
SUPERVISORS, CASHIERS, GUARDS, COUNTERS = ("sue", "sam"), ("cat", "carl"), ("gus", "gil"), ("abe", "amy")
OFFICE = ("olga", "oskar")
AUDITOR = "aud"
STAFF = {
    **dict.fromkeys(SUPERVISORS, "supervisor"),
    **dict.fromkeys(CASHIERS, "cashier"),
    **dict.fromkeys(GUARDS, "security"),
    **dict.fromkeys(COUNTERS, "accounting"),
    **dict.fromkeys(OFFICE, "administrator"),
    AUDITOR: "auditor",
}
FEE_CENTS = 100
BANK_CENTS = 300_000
Pieces = dict[str, int]


def worth(pieces: Mapping[str, int]) -> int:
    return sum(int(value) * count for value, count in pieces.items())


# Baccarat, worked out here


def points(cards: Sequence[str]) -> int:
    """Aces count 1, tens and pictures nothing; of a sum the last digit."""
    ranks = (card[:-1] for card in cards)
    return sum(1 if rank == "A" else int(rank) if rank.isdigit() else 0 for rank in ranks) % 10


def new_shoe(rng: random.Random) -> list[str]:
    cards = [rank + suit for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K") for suit in "shdc"] * 8
    rng.shuffle(cards)
    return cards


@dataclass(frozen=True)
class Hand:
    """A hand of baccarat as it was dealt."""

    player: tuple[str, ...]
    banker: tuple[str, ...]

    @property
    def cards(self) -> str:
        """In the order they are dealt."""
        pairs = (self.player[0], self.banker[0], self.player[1], self.banker[1])
        return " ".join((*pairs, *self.player[2:], *self.banker[2:]))

    def net(self, wager: str, cents: int) -> int:
        """What a guest wins by a wager."""
        player, banker = points(self.player), points(self.banker)
        dragon = banker == 7 and banker > player and len(self.banker) == 3
        panda = player == 8 and player > banker and len(self.player) == 3
        if wager in {"player", "banker"}:
            if player == banker or (wager == "banker" and dragon):
                return 0
            return cents if (player > banker) == (wager == "player") else -cents
        hit, odds = {"tie": (player == banker, 8), "dragon-7": (dragon, 40), "panda-8": (panda, 25)}[wager]
        return odds * cents if hit else -cents


def dealt(shoe: list[str]) -> Hand:
    """A hand off a shoe, by the third-card rules."""
    player, banker = [shoe.pop()], [shoe.pop()]
    player.append(shoe.pop())
    banker.append(shoe.pop())
    if max(points(player), points(banker)) < 8:
        third = None
        if points(player) <= 5:
            player.append(shoe.pop())
            third = points(player[2:])
        stands = points(banker)
        draws = stands <= 5 if third is None else third in _BANKER_DRAWS.get(stands, ())
        if draws:
            banker.append(shoe.pop())
    return Hand(tuple(player), tuple(banker))


_BANKER_DRAWS = {
    **dict.fromkeys((0, 1, 2), range(10)),
    3: (0, 1, 2, 3, 4, 5, 6, 7, 9),
    4: range(2, 8),
    5: range(4, 8),
    6: (6, 7),
}
"""By the banker's points: at which third cards of the player he draws."""


# The books


@dataclass
class Bookkeeper:
    """His own books of the day: lines by table and shift, guests, cash, wagers, dealers, slips, and the money of the cage."""

    lines: dict[tuple[str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    tray: Counter[str] = field(default_factory=Counter)
    box: Counter[str] = field(default_factory=Counter)
    guests: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    cash: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    wagers: dict[tuple[str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    dealers: dict[tuple[str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    slips: Counter[tuple[str, str, str, int]] = field(default_factory=Counter)
    made: Counter[str] = field(default_factory=Counter)
    purse: Counter[str] = field(default_factory=Counter)
    differences: list[int] = field(default_factory=list)
    breaks: dict[str, tuple[float, float]] = field(default_factory=dict)
    """By name: between how many and how many seconds somebody's break took."""
    acts: Counter[str] = field(default_factory=Counter)
    """How often what moves no money was done: waits, calls, colours, exclusions; attempts and log-ins of who may not play."""
    reached: dict[str, int] = field(default_factory=dict)
    """The lines that a guest's cash reached, as the report names them: with all of his cash at that moment."""
    cage: int = 0
    funded: int = 0
    shift: str = ""
    lock: Any = field(default_factory=threading.RLock)

    def begin(self, shift: str) -> None:
        self.shift = shift
        for table in self.tray:
            self.lines[table, shift].update(opener=self.tray[table])

    def end(self) -> None:
        for table in self.tray:
            self.lines[table, self.shift].update(closer=self.tray[table])

    def add(self, table: str, **amounts: int) -> None:
        with self.lock:
            self.lines[table, self.shift].update(amounts)

    def slip(self, table: str, what: str, cents: int) -> None:
        with self.lock:
            self.slips[self.shift, table, what, cents] += 1

    def act(self, **times: int) -> None:
        with self.lock:
            self.acts.update(times)

    def bought(self, guest: str, cents: int, table: str = "") -> None:
        with self.lock:
            self.cash[guest].update({"in-at-tables" if table else "in-at-cage": cents, "times-in": 1})
            self.reach(guest, "in", self.cash[guest]["in-at-tables"] + self.cash[guest]["in-at-cage"], cents)
            self.purse[guest] += cents
            if table:
                self.tray[table] -= cents
                self.box[table] += cents
                self.add(table, drop=cents)

    def reach(self, guest: str, way: str, now: int, more: int) -> None:
        for line, least in (("log", 300_000), ("near", 800_000), ("report", 1_000_001)):
            if now - more < least <= now:
                self.reached[f"cash.{guest}.{line}-{way}"] = now

    def cashed(self, guest: str, cents: int) -> None:
        with self.lock:
            self.cash[guest].update({"out": cents, "times-out": 1})
            self.reach(guest, "out", self.cash[guest]["out"], cents)
            self.purse[guest] -= cents

    def played(self, table: "TableProgram", bets: Mapping[str, Sequence[tuple[str, int]]], won: Mapping[str, int]) -> None:
        """A settled round: who laid what, and by how much each purse grew."""
        with self.lock:
            self.count(table, won, 1)
            self.add(table.name, rounds=1, hands=len(bets))
            self.dealers[table.dealer, table.edition].update(rounds=1, hands=len(bets))
            for guest, laid in bets.items():
                handle = sum(cents for _, cents in laid)
                whose = {"handle": 0, "by-players": handle} if table.by_players else {"handle": handle}
                self.guests[guest].update(hands=1, laid=handle, **whose)
                for wager, cents in laid:
                    self.wagers[table.edition, wager].update(bets=1, handle=cents)

    def count(self, table: "TableProgram", won: Mapping[str, int], sign: int, after_close: bool = False) -> None:
        """What guests won, of the tray or, where players bank, of the bank; after the close of the cage."""
        with self.lock:
            for guest, cents in won.items():
                self.guests[guest]["win"] += 0 if table.by_players else sign * cents  # else it is the bank's business
                self.purse[guest] += sign * cents
                self.wagers[table.edition, "*"]["win"] -= sign * cents
                if table.by_players:
                    continue
                if after_close:
                    self.add(table.name, **{"after-close": -sign * cents})
                    self.cage -= sign * cents
                else:
                    self.tray[table.name] -= sign * cents
                self.add(table.name, **{"rounds-say": -sign * cents})


# Those who speak HTTP


def is_busy(answer: httpx.Response) -> bool:
    """Whether too many log in at this moment: after a kill all sessions begin anew, and whoever waits his turn gets in."""
    return answer.status_code == 429 and answer.json()["code"] == "busy"


class Room:
    """The house as its visitors reach it: everybody with a session and a key for each command, which is sent until answered."""

    def __init__(self, url: str, seed: int) -> None:
        self.url, self.seed = url, seed
        self.books = Bookkeeper()
        self.seq = 0
        self.asked = 0
        self._tokens: dict[str, str] = {}
        self._logging_in: dict[str, threading.Lock] = defaultdict(threading.Lock)
        self._local = threading.local()

    @property
    def client(self) -> httpx.Client:
        if not hasattr(self._local, "client"):
            self._local.client = httpx.Client(base_url=self.url, timeout=PATIENCE)
        return self._local.client  # type: ignore[no-any-return]

    def sent(self, method: str, path: str, name: str = "", body: Any = None, key: str = "") -> httpx.Response:
        """An answer; a house that is dead or just starting is asked again, and a session that has ended is begun again."""
        end = time.monotonic() + 10 * PATIENCE
        while True:
            assert time.monotonic() < end, f"{path} is never answered"
            headers = {"Authorization": f"Bearer {self.token(name)}"} if name else {}
            headers |= {"Idempotency-Key": key} if key else {}
            self.asked += 1
            try:
                answer = self.client.request(method, f"{API}{path}", json=body, headers=headers)
            except httpx.TransportError:
                time.sleep(0.05)
                continue
            if answer.status_code == 401 and name:
                self._tokens.pop(name, None)
            elif answer.status_code not in {500, 502, 503} and not is_busy(answer):
                return answer
            else:
                time.sleep(0.05)

    def login(self, name: str) -> httpx.Response:
        return self.sent("POST", "/session", body={"name": name, "password": PASSWORD})

    def token(self, name: str) -> str:
        """Everybody logs in once, however many of his acts wait for it: many at once would read like guesses."""
        with self._logging_in[name]:
            if name not in self._tokens:
                answer = self.login(name)
                assert answer.status_code == 200, answer.text
                self._tokens[name] = answer.json()["token"]
            return self._tokens[name]

    def do(self, name: str, path: str, second: str = "", **body: Any) -> dict[str, Any]:
        """A command that must be done; where it needs a second person, that one confirms it."""
        key = f"{random.SystemRandom().randrange(10**15)}"
        answer = self.sent("POST", path, name, body, key)
        if answer.status_code == 202:
            assert second, f"{path} needs a second person: {answer.text}"
            return self.do(second, "/requests/confirm", request=answer.json()["request"])
        assert answer.status_code == 200, (name, path, body, answer.text)
        told: dict[str, Any] = answer.json()
        self.seq = max(self.seq, told["seq"])
        return told

    def see(self, name: str, path: str) -> dict[str, Any]:
        """A view that is at least as new as what we have done: of several processes each hears a little later."""
        since = self.seq
        while True:
            answer = self.sent("GET", path, name)
            assert answer.status_code == 200, answer.text
            told: dict[str, Any] = answer.json()
            if told["seq"] >= since:
                return told
            time.sleep(0.01)

    def refused(self, code: str, name: str, path: str, **body: Any) -> None:
        """A command that is refused in one line, after which nothing has changed."""
        before = self.everything()
        self.turned_away(code, name, path, **body)
        assert self.everything() == before, f"{path} was refused, and something has changed"

    def turned_away(self, code: str, name: str, path: str, **body: Any) -> None:
        """A command that is refused in one line, while others go on."""
        answer = self.sent("POST", path, name, body, f"{random.SystemRandom().randrange(10**15)}")
        told = answer.json()
        assert 400 <= answer.status_code < 500 and told["code"] == code, (path, body, answer.text)
        assert "\n" not in told["message"] and len(told["message"]) > 15

    def everything(self) -> dict[str, Any]:
        """All that a supervisor sees of money, tables and slips; not what is worked out in its own time."""
        floor, slips = self.see("sue", "/floor"), self.see("sue", "/slips")
        tables = [
            {part: value for part, value in table.items() if part not in {"edition", "theory"}} for table in floor["tables"]
        ]
        return {"tables": tables, "cage": floor["cage_cents"], "guests": floor["guests"]} | {
            part: slips[part] for part in ("slips", "notices", "trays", "cage")
        }

    # The office

    def begin(self) -> None:
        """Chips, cash and rules, each in two names."""
        olga, oskar = OFFICE
        self.do(olga, "/house/rules", oskar, rule="chips", value=CHIPS)
        self.do(olga, "/cage/fund", "cat", cents=50_000_000)
        self.do(olga, "/cage/chips-in", "cat", pieces=STOCK)
        self.books.cage, self.books.funded = 50_000_000 + worth(STOCK), 50_000_000
        self.books.begin("day")
        self.books.slip("", "cash into the cage", 50_000_000)

    def made(self, kind: str, day: str) -> dict[str, Any]:
        """A report as the API makes it, as data."""
        answer = self.sent("POST", f"/reports/{kind}/stream", AUDITOR, {"options": {"day": day}})
        assert answer.status_code == 200, answer.text
        for event in answer.text.strip().split("\n\n"):
            name, data = event.split("\n", 1)
            if name == "event: answer":
                made: dict[str, Any] = json.loads(base64.b64decode(json.loads(data.removeprefix("data: "))["files"][".json"]))
                return made
        raise AssertionError(answer.text[-500:])


@dataclass
class TableProgram:
    """A table with whoever works there: opened, filled, dealt, counted and closed, shift by shift."""

    room: Room
    name: str
    edition: str
    place: int
    guests: list[str]
    dealer: str = ""
    is_open: bool = False
    is_supervised: bool = False
    rounds: int = 0
    shoe: list[str] = field(default_factory=list)
    locked: Pieces = field(default_factory=dict)
    uncollected: int = 0
    prepaid: set[str] = field(default_factory=set)
    corrected_later: tuple[int, dict[str, list[tuple[str, int]]], Hand, str] | None = None

    def __post_init__(self) -> None:
        self.resting = "", 0.0, 0.0
        self.rng = random.Random(f"{self.room.seed} {self.name}")
        self.boss, self.other_boss = SUPERVISORS[self.place % 2], SUPERVISORS[1 - self.place % 2]
        self.cashier, self.guard = CASHIERS[self.place % 2], GUARDS[self.place % 2]
        self.by_players, self.is_keyed = self.edition.endswith("-ca"), self.edition in BACCARAT

    @property
    def books(self) -> Bookkeeper:
        return self.room.books

    def do(self, name: str, act: str, second: str = "", **body: Any) -> dict[str, Any]:
        return self.room.do(name, f"/tables/{self.name}/{act}", second, **body)

    # A shift

    def play_shift(self, shift: str, guests: Sequence[str], rounds: int, closes: bool) -> None:
        """All of it: the guests of this shift play in groups, and money comes and goes."""
        self.dealer = f"dealer {self.name} {shift}"
        self.open()
        most = 3 if self.by_players else 5
        groups = [guests[start : start + most] for start in range(0, len(guests), most)]
        for number, group in enumerate(groups):
            is_last = number == len(groups) - 1
            self.welcome(group)
            if number == 0:
                self.wait_in_line(*group[:2])
            self.play(group, rounds, errs=number == 0)
            if number == 0 and not self.by_players:
                self.do(group[0], "leave", seat=1, guest=group[0])
                self.fill(MORE)
                self.credit({"2500": 4, "500": 3})
                self.void_fill({"500": 7})
            self.leave_bank(group)
            if is_last:
                self.end(shift, closes)
            self.farewell(group)

    def open(self) -> None:
        if not self.is_open:
            fee = {"player_fee_cents": FEE_CENTS} if self.by_players else {}
            source = "hand-keyed" if self.is_keyed else "virtual-shoe"
            self.room.do(self.boss, "/tables", table=self.name, edition=self.edition, source=source, **fee)
            self.is_open = True
            self.shoe = []
            again = any(line["closings"] for (table, _), line in self.books.lines.items() if table == self.name)
            self.books.add(self.name, openings=1, reopened=self.books.tray[self.name] if again else 0)
            self.books.slip(self.name, "opener", self.books.tray[self.name])
        self.do(self.dealer, "sign-on")
        if not self.is_supervised:
            self.do(self.boss, "supervise")
            self.is_supervised = True
        if not self.by_players:
            if self.books.tray[self.name]:
                if self.opener_is_due():
                    self.count("opener")
            else:
                self.fill(TRAY)

    def opener_is_due(self) -> bool:
        return bool(self.tray_seen()["count"] == "opener")

    def end(self, shift: str, closes: bool) -> None:
        if not closes:
            self.do(self.dealer, "sign-off")
            return
        if not self.by_players:
            self.count("closer", differ=True, short=self.place % 4 == 1)
        self.do(self.boss, "close", self.cashier)
        self.is_open = self.is_supervised = False
        self.books.add(self.name, closings=1)
        self.books.slip(self.name, "closer", self.books.tray[self.name])
        if self.by_players:
            with self.books.lock:
                self.books.cage += self.uncollected
            self.uncollected = 0
        if self.corrected_later and not self.by_players:
            self.correct(*self.corrected_later, after_close=True)

    # Guests

    def welcome(self, group: Sequence[str]) -> None:
        """Some buy chips at the cage, some at the table."""
        for place, guest in enumerate(group):
            cents = 100 * self.rng.randrange(300, 900, 5)
            if place % 2 == 0 or self.by_players:
                cents = BANK_CENTS + 100_000 if self.by_players else cents
                self.room.do(self.cashier, "/cage/buy-in", self.boss, guest=guest, cents=cents)
                self.books.bought(guest, cents)
            else:
                self.do(self.dealer, "table-buy-in", guest=guest, cents=cents)
                self.books.bought(guest, cents, self.name)
            if self.by_players:
                self.do(guest, "sit", seat=place + 1, guest=guest)

    def farewell(self, group: Sequence[str]) -> None:
        """Who has won cashes; what a guest has is what the books say that he has."""
        for guest in group:
            purse = self.room.sent("GET", "/session", guest).json()["balance_cents"] if not self.is_open else self.purse(guest)
            assert purse == self.books.purse[guest], (self.name, guest)
            cents = purse // 50 * 50 if self.rng.random() < 0.8 else purse // 10_000 * 5_000
            if cents:
                self.room.do(self.cashier, "/cage/cash-out", self.boss, guest=guest, cents=cents)
                self.books.cashed(guest, cents)

    def purse(self, guest: str) -> int:
        return int(self.room.see(guest, f"/tables/{self.name}")["you"]["balance_cents"])

    # Rounds

    def play(self, group: Sequence[str], rounds: int, errs: bool) -> None:
        for number in range(rounds):
            self.one_round(group, void=errs and number == 1, correct=errs and number == 0 and self.edition == BACCARAT[0])
            if number == 0 and not self.by_players:
                self.tip(group[0])
                if errs:
                    self.colour(group[0])
            if number == 0 and errs:
                self.relieved()
        if errs:
            self.back_again()

    def colour(self, guest: str) -> None:
        """Twenty red become a black one, and that two green and ten red: the tray has the others, and nobody won."""
        self.room.do(self.cashier, "/cage/buy-in", self.boss, guest=guest, cents=10_000, pieces={"500": 20})
        self.books.bought(guest, 10_000)
        tray = Counter(self.tray_seen()["tray"]["pieces"])
        self.do(self.dealer, "colour", guest=guest, pieces={"500": 20}, for_pieces={"10000": 1})
        tray.update({"500": 20, "10000": -1})
        assert self.tray_seen()["tray"]["pieces"] == tray
        self.room.turned_away(
            "not-equal",
            self.dealer,
            f"/tables/{self.name}/colour",
            guest=guest,
            pieces={"10000": 1},
            for_pieces={"2500": 3},
        )
        self.do(self.dealer, "colour", guest=guest, pieces={"10000": 1}, for_pieces={"2500": 2, "500": 10})
        tray.update({"10000": 1, "2500": -2, "500": -10})
        assert self.tray_seen()["tray"]["pieces"] == tray
        self.books.act(colour=2)

    # Dealers' breaks, and the line at the host's stand

    def relieved(self) -> None:
        """The dealer takes a break, and another one deals on."""
        self.room.turned_away("on-table", self.dealer, "/staff/break")
        self.do(self.dealer, "sign-off")
        began = time.monotonic()
        self.room.do(self.dealer, "/staff/break")
        self.resting = self.dealer, began, time.monotonic()
        self.room.turned_away("on-break", self.dealer, f"/tables/{self.name}/sign-on")
        self.dealer = self.dealer.replace("dealer", "relief", 1)
        self.do(self.dealer, "sign-on")
        self.seen_on_rotation()

    def back_again(self) -> None:
        """The break is over, and the relief goes."""
        name, began, begun = self.resting
        ended = time.monotonic()
        self.room.do(name, "/staff/back")
        self.books.breaks[name] = ended - begun, time.monotonic() - began
        self.do(self.dealer, "sign-off")
        self.dealer = name
        self.do(self.dealer, "sign-on")
        self.seen_on_rotation()

    def seen_on_rotation(self) -> None:
        rotation = self.room.see(self.boss, "/rotation")
        here = next(table for table in rotation["tables"] if table["name"] == self.name)
        assert (here["dealer"], here["supervisor"]) == (self.dealer, self.boss), here

    def wait_in_line(self, first: str, other: str) -> None:
        """One waits and is called to a seat, which nobody else may take; the other one thinks better of it."""
        if self.by_players:
            self.do(first, "leave", seat=1, guest=first)
        for guest in (first, other):
            self.room.do(guest, "/waitlist", guest=guest, edition=self.edition)
        self.room.do(other, "/waitlist/leave", wait=self.number_in_line(other))
        number = self.number_in_line(first)
        self.room.do(self.boss, "/waitlist/call", wait=number, table=self.name, seat=1)
        taken = {"guest": other, "seat": 1} | ({} if self.by_players else {"wager": self.wagers_of(1)[0][0], "cents": 500})
        self.room.turned_away("seat-held", other, f"/tables/{self.name}/{'sit' if self.by_players else 'bet'}", **taken)
        self.room.do(self.boss, "/waitlist/seat", wait=number)
        waiting = self.room.see(self.boss, "/host")["waiting"]
        assert not {first, other} & {each["guest"] for each in waiting}
        self.books.act(wait=2, unwait=1, call=1, seat=1)

    def number_in_line(self, guest: str) -> int:
        waiting = self.room.see(self.boss, "/host")["waiting"]
        return next(int(each["number"]) for each in waiting if each["guest"] == guest)

    def may_not_play(self, own: str, barred: str) -> None:
        """One asks not to play, and is turned away everywhere; another one is barred by the house, and let in again."""
        for guest, who, ground in ((own, own, "own-wish"), (barred, self.boss, "house")):
            self.room.do(who, "/guests/exclude", guest=guest, ground=ground)
            self.room.refused("may-not-play", self.cashier, "/cage/buy-in", guest=guest, cents=10_000)
            self.room.refused("may-not-play", self.boss, "/waitlist", guest=guest)
            assert self.room.login(guest).json()["code"] == "may-not-play"
            self.books.act(**{"exclude": 1, "attempts": 2, "log-ins": 1})
            if self.is_open:
                held = {"guest": guest, "seat": 2, "hold_minutes": 5}
                self.room.refused("may-not-play", self.boss, f"/tables/{self.name}/reserve", **held)
                self.books.act(attempts=1)
        self.room.refused("own-wish", self.boss, "/guests/readmit", guest=own)
        self.room.do(self.boss, "/guests/readmit", self.other_boss, guest=barred)
        self.books.act(readmit=1)
        self.room.do(self.cashier, "/cage/buy-in", self.boss, guest=barred, cents=10_000)
        self.books.bought(barred, 10_000)
        cents = self.books.purse[own] // 50 * 50
        if cents:  # his chips are cashed whenever he comes
            self.room.do(self.cashier, "/cage/cash-out", self.boss, guest=own, cents=cents)
            self.books.cashed(own, cents)

    def tip(self, guest: str) -> None:
        self.do(guest, "tip", guest=guest, cents=500)
        self.books.add(self.name, tips=500)
        self.books.purse[guest] -= 500

    def one_round(self, group: Sequence[str], void: bool, correct: bool) -> None:
        seats = {guest: seat for seat, guest in enumerate(group, 1)}
        players = self.with_bank(group)
        before = {guest: self.purse(guest) for guest in group}
        bets: dict[str, list[tuple[str, int]]] = {}
        for guest in players:
            bets[guest] = self.wagers_of(seats[guest])
            for wager, cents in bets[guest]:
                self.do(guest, "bet", seat=seats[guest], guest=guest, wager=wager, cents=cents)
        if self.is_keyed and len(self.shoe) < 40:
            self.shoe = new_shoe(self.rng)
            self.do(self.dealer, "new-shoe")
        self.do(self.dealer, "no-more-bets")
        if void:
            self.do(self.boss, "void", self.other_boss, reason="misdeal")
            self.books.add(self.name, voids=1)
            self.books.dealers[self.dealer, self.edition].update(voids=1)
            self.collect(self.fees(players))  # kept on a void, and not charged again for the redeal
            self.prepaid = set(players)
            left = {guest: self.purse(guest) for guest in players}
            kept = FEE_CENTS if self.by_players else 0
            assert left == {guest: before[guest] - kept for guest in players}, "all wagers go back"
            return
        hand = self.deal(seats)
        number = int(self.room.see(self.dealer, f"/tables/{self.name}")["round"])
        self.settle()
        fees = self.fees(players)
        self.prepaid = set()
        won = {guest: self.purse(guest) - before[guest] + fees.get(guest, 0) for guest in players}
        if hand:
            assert won == {guest: sum(hand.net(*bet) for bet in laid) for guest, laid in bets.items()}, (hand, bets)
        self.books.played(self, bets, won)
        for banker in set(group) - set(players):  # he put up enough for all
            self.books.purse[banker] -= sum(won.values())
        self.collect(fees)
        if correct and hand:
            self.correct(number, bets, hand, self.dealer)
        elif hand and not self.by_players:
            self.corrected_later = number, bets, hand, self.dealer

    def fees(self, players: Sequence[str]) -> dict[str, int]:
        return {guest: FEE_CENTS for guest in players if self.by_players and guest not in self.prepaid}

    def collect(self, fees: Mapping[str, int]) -> None:
        for guest, cents in fees.items():
            self.books.purse[guest] -= cents
            self.books.add(self.name, collection=cents)
            self.uncollected += cents

    def wagers_of(self, seat: int) -> list[tuple[str, int]]:
        if not self.is_keyed:
            return list(BETS[self.edition])
        side = self.rng.choice(("tie", "dragon-7", "panda-8"))
        main = "player" if self.rng.random() < 0.5 else "banker"
        return [
            (main, 100 * self.rng.randint(5, 40)),
            *([(side, 500 if self.by_players else 100 * self.rng.randint(1, 5))] if seat % 2 else []),
        ]

    def deal(self, seats: Mapping[str, int]) -> Hand | None:
        if self.is_keyed:
            hand = dealt(self.shoe)
            self.do(self.dealer, "card", cards=hand.cards)
            return hand
        self.do(self.dealer, "deal")
        at_seat = {seat: guest for guest, seat in seats.items()}
        while (view := self.room.see(self.dealer, f"/tables/{self.name}"))["phase"] == "deciding":
            seat = view["to_act"][0]
            allowed = [choice for choice in view["seats"][seat - 1]["to_act"] if choice != "set"]
            choice = next((one for one in CHOICES if one in allowed), allowed[0])
            self.do(at_seat[seat], "decide", seat=seat, choice=choice)
        return None

    def settle(self) -> None:
        """A high payout is verified by somebody who had no hand in it."""
        while True:
            answer = self.room.sent("POST", f"/tables/{self.name}/settle", self.dealer, {}, f"{self.rng.random()}")
            if answer.status_code == 200:
                self.room.seq = max(self.room.seq, answer.json()["seq"])
                return
            assert "acknowledge" in answer.text or "verified" in answer.text, answer.text
            self.do(self.boss, "acknowledge", self.other_boss)

    def correct(
        self, number: int, bets: Mapping[str, list[tuple[str, int]]], hand: Hand, dealer: str, after_close: bool = False
    ) -> None:
        """Another hand was really dealt: everybody gets what that one pays."""
        truth = hand
        while truth.cards == hand.cards:
            truth = dealt(new_shoe(self.rng))
        self.do(self.boss, "correct", self.other_boss, round=number, cards=truth.cards, reason="keyed wrong")
        self.books.count(self, {g: sum(hand.net(*bet) for bet in laid) for g, laid in bets.items()}, -1, after_close)
        self.books.count(self, {g: sum(truth.net(*bet) for bet in laid) for g, laid in bets.items()}, 1, after_close)
        self.books.add(self.name, corrections=1)
        self.books.dealers[dealer, self.edition].update(corrections=1)
        self.corrected_later = None

    # A bank of players

    def with_bank(self, group: Sequence[str]) -> list[str]:
        """Who plays against whom: where players bank, somebody takes the bank that he is offered."""
        if not self.by_players:
            return list(group)
        bank = self.room.see(self.dealer, f"/tables/{self.name}")["bank"]
        if not bank["holder"]:
            guest = group[bank["offered"] - 1]
            self.do(guest, "bank", seat=bank["offered"], guest=guest, cents=BANK_CENTS)
            bank = self.room.see(self.dealer, f"/tables/{self.name}")["bank"]
        return [guest for seat, guest in enumerate(group, 1) if seat != bank["holder"]]

    def leave_bank(self, group: Sequence[str]) -> None:
        """The bank ends, and its players leave their seats."""
        if not self.by_players:
            return
        holder = self.room.see(self.dealer, f"/tables/{self.name}")["bank"]["holder"]
        if holder:
            self.do(group[holder - 1], "pass", seat=holder, guest=group[holder - 1])
        for seat, guest in enumerate(group, 1):
            self.do(guest, "leave", seat=seat, guest=guest)

    # Slips and counts

    def sign(self, slip: str, name: str, **body: Any) -> None:
        self.room.do(name, "/slips/sign", slip=slip, **body)

    def opened_slip(self, kind: str) -> str:
        slips = self.room.see(self.boss, "/slips")["slips"]
        found = [each["id"] for each in slips if each["table"] == self.name and each["id"].startswith(kind)]
        assert len(found) == 1, slips
        self.books.made[kind] += 1
        return str(found[0])

    def fill(self, pieces: Pieces) -> None:
        self.do(self.boss, "request-fill", pieces=pieces)
        slip = self.opened_slip("fill")
        self.sign(slip, self.guard)
        self.sign(slip, self.cashier, pieces=pieces)
        self.sign(slip, self.guard)
        self.sign(slip, self.dealer, pieces=pieces)
        self.sign(slip, self.boss)
        with self.books.lock:
            self.books.tray[self.name] += worth(pieces)
            self.books.cage -= worth(pieces)
            self.books.add(self.name, fills=worth(pieces))
            self.books.slip(self.name, "fill", worth(pieces))

    def credit(self, pieces: Pieces) -> None:
        self.do(self.boss, "request-credit", pieces=pieces)
        slip = self.opened_slip("credit")
        self.sign(slip, self.dealer, pieces=pieces)
        self.sign(slip, self.guard)
        self.sign(slip, self.cashier, pieces=pieces)
        self.sign(slip, self.dealer)
        self.sign(slip, self.boss)
        with self.books.lock:
            self.books.tray[self.name] -= worth(pieces)
            self.books.cage += worth(pieces)
            self.books.add(self.name, credits=worth(pieces))
            self.books.slip(self.name, "credit", worth(pieces))

    def void_fill(self, pieces: Pieces) -> None:
        """On its way already: the chips go back, and the number is used up."""
        self.do(self.boss, "request-fill", pieces=pieces)
        slip = self.opened_slip("fill")
        self.sign(slip, self.guard)
        self.sign(slip, self.cashier, pieces=pieces)
        self.room.do(self.cashier, "/slips/void", self.boss, slip=slip, reason="the wrong chips")
        self.sign(slip, self.guard)
        self.sign(slip, self.cashier, pieces=pieces)

    def tray_seen(self) -> dict[str, Any]:
        trays = self.room.see(self.boss, "/slips")["trays"]
        return next(tray for tray in trays if tray["table"] == self.name)  # type: ignore[no-any-return]

    def count(self, purpose: str, differ: bool = False, short: bool = False) -> None:
        """Whoever counts looks into the tray, which holds what our books say; one may count wrong, and both may find less."""
        pieces: Pieces = self.locked if purpose == "opener" else self.tray_seen()["tray"]["pieces"]
        assert worth(pieces) == self.books.tray[self.name], self.name
        if short:
            pieces = pieces | {"500": pieces["500"] - 5}
        if differ:
            self.do(self.dealer, "count-tray", pieces=pieces | {"500": pieces["500"] + 1})
            self.do(self.boss, "count-tray", pieces=pieces)
        self.do(self.dealer, "count-tray", pieces=pieces)
        self.do(self.boss, "count-tray", pieces=pieces)
        self.books.made["inventory"] += 1
        self.books.slip(self.name, f"{purpose} counted", worth(pieces))
        self.locked = pieces
        if short:
            self.books.tray[self.name] -= 2_500
            self.books.differences.append(-2_500)
            slip = self.opened_slip("error")
            for name in (self.boss, self.dealer, self.guard):
                self.sign(slip, name)

    def pull_box(self) -> None:
        """Counted blind by two and by the cage; the second counts wrong at first, and all count again."""
        self.do(self.guard, "pull-box")
        slip, cents = self.opened_slip("drop"), self.books.box[self.name]
        self.sign(slip, self.boss)
        first, second = COUNTERS
        self.sign(slip, first)
        notes = in_notes(cents)
        self.sign(slip, first, pieces=notes)
        self.sign(slip, second, pieces=notes | {"100": notes.get("100", 0) + 1})
        self.sign(slip, first, pieces=notes)
        self.sign(slip, second, pieces=notes)
        self.sign(slip, self.cashier, pieces=notes)
        self.sign(slip, second)
        with self.books.lock:
            self.books.box[self.name] -= cents
            self.books.cage += cents
            self.books.add(self.name, pulled=cents)
            self.books.slip(self.name, "box counted", cents)


def in_notes(cents: int) -> Pieces:
    counted: Pieces = {}
    for note in NOTES:
        counted[str(note)], cents = divmod(cents, note)
    assert not cents
    return {value: count for value, count in counted.items() if count}


def everybody(tables: Iterable[TableProgram], shifts: Iterable[str]) -> dict[str, str]:
    """All who need an account, with their roles."""
    shifts = tuple(shifts)
    people = dict(STAFF)
    for table in tables:
        people |= {f"{duty} {table.name} {shift}": "dealer" for duty in ("dealer", "relief") for shift in shifts}
        people |= dict.fromkeys(table.guests, "guest")
    return people
