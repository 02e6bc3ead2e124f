"""No card is told before its time: every byte that each kind of reader gets during random rounds is searched for cards.

What a reader may see is worked out here, from the hands as the floor knows them and the rules of the felt, and never from
the views that are under test.
"""

import json
import random
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from houses import PATIENCE, Served, serving

from houseway.cards import show_card
from houseway.rulebook.game import COMMON, DEALER
from houseway.table import Phase, Table, unfolded
from houseway.view import PUBLIC
from houseway.view import seen as seen_by

API = "/api/v1"
CARD = re.compile(r"(?<![-0-9A-Za-z#&;])((?:10|[2-9TJQKA])[cdhs]|Jk|(?:10|[2-9TJQKA])[♣♦♥♠])(?![0-9A-Za-z])")
STAFF = ("dealer", "supervisor", "cashier", "security", "accounting", "host", "auditor", "administrator")
GUESTS = ("Ann", "Ben", "Cleo")
FACE_UP = {"ez-baccarat-wa": True, "lucky-lucky-wa": True, "ez-pai-gow-wa": False, "duki-4-wa": False}
"""Whether the players' hands lie face up: baccarat and blackjack; pai gow and Duki are held (D4P-2: face down)."""
DEALER_SHOWS = {"lucky-lucky-wa": 1}
"""LLB-0: the dealer's up-card; everywhere else his cards are face down until all have decided (D4P-3)."""
BETS = {
    "ez-baccarat-wa": {"banker": 2500, "dragon-7": 500},
    "lucky-lucky-wa": {"blackjack": 2000, "lucky-lucky": 500},
    "ez-pai-gow-wa": {"base": 2500, "dynasty": 500},
    "duki-4-wa": {"ante": 2000, "duki-bonus": 500},
}
ALWAYS_SAID = ('"set Ah Kd" (the two cards in front)', "pair of 4s or better", "Pair of 4s or better")
"""How a set is written, and a row of a pay table: said to everybody, whatever the cards."""
KEYED_AT_ONCE = {"ez-pai-gow-wa": 7, "duki-4-wa": 4, "lucky-lucky-wa": 4, "ez-baccarat-wa": 2}


def codes_in(text: str) -> set[str]:
    """Every card that a text names, as `Kd` or `K♦`."""
    signs = str.maketrans("♣♦♥♠", "cdhs")
    for words in ALWAYS_SAID:
        text = text.replace(words, "").replace(json.dumps(words)[1:-1], "")
    return {found.translate(signs).replace("T", "10") for found in CARD.findall(text)}


def _near(text: str, leaked: set[str]) -> str:
    """Where a leaked card stands in a text."""
    found = re.search(rf"(?<![-0-9A-Za-z]){min(leaked)}", text)
    return text[max(found.start() - 150, 0) : found.start() + 60] if found else ""


def _live(told: Any) -> Any:
    """Without `last`: those rounds are over, as `test_the_round_before_is_the_round_before` makes sure."""
    if isinstance(told, dict):
        return {name: _live(value) for name, value in told.items() if name != "last"}
    return [_live(item) for item in told] if isinstance(told, list) else told


def codes(cards: Any) -> set[str]:
    return {show_card(card) for card in cards}


@dataclass
class Reader:
    """Somebody who looks, and all that was told to them, before it is checked."""

    name: str
    role: str
    client: httpx.Client
    heard: list[tuple[str, str]] = field(default_factory=list)
    streams: list["Stream"] = field(default_factory=list)

    def get(self, path: str, **params: Any) -> None:
        answer = self.client.get(path, params=params)
        assert answer.status_code < 500, answer.text
        self.heard.append((path, answer.text))

    def post(self, path: str, named: str = "", **body: Any) -> httpx.Response:
        """Give a command; cards that the reader names himself are nothing that the house tells."""
        answer = self.client.post(path, json=body)
        assert answer.status_code < 500, answer.text
        told = answer.text
        for code in codes_in(named):
            told = re.sub(rf"(?<![0-9A-Za-z]){code}(?![0-9A-Za-z])", "", told)
        self.heard.append((f"POST {path} {body}", told))
        return answer


class Stream:
    """A stream of server-sent events, written down by a thread as it comes."""

    def __init__(self, reader: Reader, path: str) -> None:
        self.path, self.newest, self.events = path, -1, []  # type: ignore[var-annotated]
        self.came, self.ended = threading.Condition(), False
        self.client = httpx.Client(base_url=reader.client.base_url, headers=reader.client.headers, timeout=None)
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()

    def _listen(self) -> None:
        try:
            with self.client.stream("GET", self.path) as answer:
                block: list[str] = []
                for line in answer.iter_lines():
                    block.append(line)
                    if not line:
                        self._take("\n".join(block))
                        block = []
        except httpx.HTTPError:
            pass
        with self.came:
            self.ended = True
            self.came.notify_all()

    def _take(self, event: str) -> None:
        number = re.search(r"^id: (\d+)$", event, re.MULTILINE)
        with self.came:
            self.newest = max(self.newest, int(number[1]) if number else -1)
            self.events.append(event)
            self.came.notify_all()

    def until(self, seq: int) -> list[str]:
        """All events up to this journal number, taken out."""
        with self.came:
            assert self.came.wait_for(lambda: self.newest >= seq or self.ended, PATIENCE), (self.path, seq, self.newest)
            taken, self.events = self.events, []
        return taken

    def close(self) -> None:
        self.client.close()


@dataclass
class Round:
    """A table, its readers, and where the round stands."""

    served: Served
    table: str
    edition: str
    readers: list[Reader]
    began: int = 0
    looks: int = 0

    @property
    def path(self) -> str:
        return f"{API}/tables/{self.table}"

    @property
    def truth(self) -> Table:
        return self.served.app.state.house.floor.state.tables[self.table]

    def by(self, who: str) -> Reader:
        return next(reader for reader in self.readers if who in {reader.name, reader.role})

    def may_see(self, reader: Reader) -> set[str]:
        """The cards of the live round that lie face up for a reader."""
        table, made = self.truth, unfolded(self.truth)
        keyed_it = table.source != "virtual-shoe" and reader.role in {"dealer", "supervisor"}
        gone = codes(table.discards) if keyed_it else set()  # of rounds that are over, so that none is keyed too often
        if table.round.phase == Phase.BETTING:
            return gone
        if (made.first_deal_done and made.card_for is None and not made.to_act) or keyed_it:
            return codes(made.drawn) | gone
        seen: set[str] = set()
        for who, cards in made.hands.items():
            if who == COMMON:
                seen |= codes(cards)
            elif who == DEALER:
                seen |= codes(cards[: DEALER_SHOWS.get(self.edition, 0)])
            elif FACE_UP[self.edition] or (reader.role == "guest" and self.holder(int(who)) == reader.name):
                seen |= codes(cards)
        return seen

    def holder(self, seat: int) -> str:
        spot = self.truth.round.spots.get(seat)
        return spot.guest if spot else ""

    def undealt(self) -> list[str]:
        """The order of the cards still in the shoe, unsealed with the house's own key."""
        floor, shoe = self.served.app.state.house.floor, self.truth.shoe
        if shoe is None:
            return []
        with floor.store.writing() as writer:
            order = floor.sealing.shoe(writer.sealed(shoe.id)).order
        return [show_card(card) for card in order[shoe.used :]]

    def look_everywhere(self) -> None:
        """Everybody asks for everything that they can ask for."""
        made = unfolded(self.truth)
        seats = sorted(made.hands, key=str) if made.first_deal_done else []  # half a hand: see test_abuse
        self.looks += 1
        for place, reader in enumerate(self.readers):
            for path in (self.path, f"{API}/boards/{self.table}"):
                reader.get(path)
            for seat in seats:
                if isinstance(seat, int):
                    reader.get(f"{self.path}/seats/{seat}/set")
            if reader.role in STAFF:
                reader.get(f"{API}/floor")
                reader.get(f"{API}/journal", after=max(self.began - 1, 0), limit=500)
            if (self.looks + place) % 3 == 0:
                reader.get(f"{API}/tables")
                reader.get(f"/tables/{self.table}")
                self.reconnect(reader)

    def reconnect(self, reader: Reader) -> None:
        """What somebody is told who was away since the round began."""
        for path in (f"{self.path}/stream", f"{API}/stream"):
            with reader.client.stream("GET", path, headers={"Last-Event-ID": str(max(self.began - 1, 1))}) as answer:
                told = ""
                for line in answer.iter_lines():
                    told += line + "\n"
                    if line.startswith("data:") and '"happened"' not in line:
                        break
            reader.heard.append((path, told))

    def check(self, seq: int) -> None:
        """Search everything told so far for a card that its reader may not see."""
        drawn_ints = ",".join(map(str, unfolded(self.truth).drawn[:3]))
        for reader in self.readers:
            allowed = self.may_see(reader)
            for stream in reader.streams:
                reader.heard += [(stream.path, event) for event in stream.until(seq)]
            over = self.truth.round.phase == Phase.READY
            for path, text in reader.heard:
                live = self.live_part(path, text)
                assert over or '"due": [{' not in live, f"{path} tells what is paid before all have decided"
                leaked = codes_in(live) - allowed
                assert not leaked, f"{reader.role} {reader.name} was told {leaked} by {path}: {_near(live, leaked)}"
                if len(allowed) < 3 and drawn_ints.count(",") == 2:
                    assert drawn_ints not in live.replace(" ", ""), f"{path} tells cards as numbers: {live[:1000]}"
            reader.heard.clear()

    def live_part(self, path: str, text: str) -> str:
        """What is told of the live round: without the round before, and without journal entries of before."""
        text = re.sub(r"^(data: )", "", text.strip().split("\ndata: ")[-1] if path.endswith("/stream") else text)
        try:
            told = json.loads(text)
        except ValueError:
            return re.sub(r'(name="csrf" (?:content|value)=)"[^"]*"', r"\1", text)  # a random token may look like a card
        if isinstance(told, dict) and "entries" in told and "head" in told:
            return json.dumps([entry for entry in told["entries"] if entry["seq"] >= self.began], ensure_ascii=False)
        return json.dumps(_live(told), ensure_ascii=False)

    # Playing

    def done(self, who: str, kind: str, **body: Any) -> int:
        """A command that must be accepted; everybody looks, and everything is searched."""
        answer = self.by(who).post(f"{self.path}/{kind}", named=str(body), **body)
        assert answer.status_code == 200, answer.text
        seq = int(answer.json()["seq"])
        if kind == "no-more-bets":
            self.began = seq
        if kind not in {"settle", "new-shoe"}:  # between rounds nothing is secret
            self.look_everywhere()
            self.check(seq)
        else:
            for reader in self.readers:
                reader.heard.clear()
                for stream in reader.streams:
                    stream.until(seq)
        return seq

    def bet(self, seats: dict[int, str]) -> None:
        for seat, guest in seats.items():
            for wager, cents in BETS[self.edition].items():
                Served.must(self.by(guest).post(f"{self.path}/bet", seat=seat, wager=wager, cents=cents))

    def probe(self, rng: random.Random, wrong: tuple[str, ...]) -> None:
        """Everybody tries to decide for everybody with choices that cannot be: what they hear is searched too."""
        for seat in unfolded(self.truth).to_act:
            for reader in self.readers:
                choice = rng.choice(wrong)
                own = reader.name == self.holder(seat)
                answer = reader.post(f"{self.path}/decide", named=choice, seat=seat, choice=choice)
                assert answer.status_code in {400, 401, 403, 409, 422} or own, answer.text

    def decide(self, rng: random.Random) -> None:
        made = unfolded(self.truth)
        seat = rng.choice(sorted(made.to_act))
        allowed = [choice for choice in made.to_act[seat] if choice != "set"]
        self.done(self.holder(seat), "decide", seat=seat, choice=rng.choice(allowed))

    def play(self, rng: random.Random, seats: dict[int, str], wrong: tuple[str, ...] = ()) -> None:
        """One round from the bets to the settlement."""
        self.bet(seats)
        dice = {"dice": rng.randint(1, 7)} if self.edition == "ez-pai-gow-wa" and self.truth.source != "virtual-shoe" else {}
        self.done("dealer", "no-more-bets", **dice)
        if self.truth.source == "virtual-shoe":
            self.done("dealer", "deal")
        else:
            self.key_in(rng)
        for step in range(1_000):
            if self.truth.round.phase != Phase.DECIDING:
                break
            if not unfolded(self.truth).to_act:
                self.key_in(rng)
            else:
                if wrong and step == 0:
                    self.probe(rng, wrong)
                self.decide(rng)
        assert self.truth.round.phase == Phase.READY
        self.done("dealer", "settle")

    def first_deal(self) -> int:
        """How many cards the first deal has; whatever comes then comes one by one."""
        return {"ez-baccarat-wa": 4, "lucky-lucky-wa": 2 * (len(self.truth.round.spots) + 1)}.get(self.edition, 99)

    def key_in(self, rng: random.Random) -> None:
        """A dealer keys cards in, some at a time, as long as one is wanted."""
        deck = [show_card(card) for card in range(53 if self.edition == "ez-pai-gow-wa" else 52)]
        rng.shuffle(deck)
        while unfolded(self.truth).card_for is not None:
            made = unfolded(self.truth)
            used = codes((*made.drawn, *self.truth.discards))
            deck = [card for card in deck if card not in used]
            first = self.first_deal() - len(made.drawn)
            self.done("dealer", "card", cards=" ".join(deck[: max(1, min(KEYED_AT_ONCE[self.edition], first))]))


@contextmanager
def at(served: Served, table: str, edition: str, source: str, **fields: Any) -> Iterator[Round]:
    """A table with everybody there, all streams open."""
    served.open_table(table, edition, source, **fields)
    readers = [Reader("", "anybody", served.anybody())]
    readers += [Reader(name, "guest", guest) for name, guest in _guests(served).items()]
    readers += [Reader(f"test {role}", role, served.staff(role)) for role in STAFF]
    for reader in readers:
        paths = [f"{API}/tables/{table}/stream"]
        if reader.role in {"anybody", "auditor"} or reader.name == "Ann":  # these are the same for all
            paths += [f"{API}/stream", f"{API}/boards/{table}/stream"]
        reader.streams = [Stream(reader, path) for path in paths]
    for reader in readers:
        for stream in reader.streams:
            stream.until(0)
    try:
        yield Round(served, table, edition, readers)
    finally:
        for reader in readers:
            for stream in reader.streams:
                stream.close()


def _guests(served: Served) -> dict[str, httpx.Client]:
    known: dict[str, httpx.Client] = served.__dict__.setdefault("_guests", {})
    for name in GUESTS:
        if name not in known:
            known[name] = served.guest(name)
    return known


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("leaks")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key") as made:
        yield made


SEATS = {1: "Ann", 2: "Ben", 4: "Cleo"}
GAMES = {
    "pai gow": ("ez-pai-gow-wa", {}),
    "duki": ("duki-4-wa", {}),
    "blackjack": ("lucky-lucky-wa", {"settings": {"decks": 1}}),
    "baccarat": ("ez-baccarat-wa", {}),
}


@pytest.mark.parametrize("source", ["virtual-shoe", "hand-keyed"])
@pytest.mark.parametrize("game", GAMES)
def test_no_card_is_told_before_its_time(house: Served, game: str, source: str) -> None:
    edition, fields = GAMES[game]
    rng = random.Random(f"{game} {source}")
    with at(house, f"{game} {source}", edition, source, **fields) as round_:
        for _ in range(2 if source == "virtual-shoe" else 1):
            round_.play(rng, SEATS)


@pytest.mark.deep
@pytest.mark.parametrize("source", ["virtual-shoe", "hand-keyed"])
@pytest.mark.parametrize("game", GAMES)
def test_no_card_is_told_before_its_time_in_many_rounds(house: Served, game: str, source: str) -> None:
    edition, fields = GAMES[game]
    with at(house, f"many {game} {source}", edition, source, **fields) as round_:
        for number in range(8):
            rng = random.Random(number)
            round_.play(rng, {seat: rng.choice(GUESTS) for seat in rng.sample(range(1, 7), rng.randint(1, 6))})
            if round_.truth.discards and source != "virtual-shoe":
                round_.done("dealer", "new-shoe")  # the cards keyed are of one deck


def test_a_wrong_decision_for_somebody_else_tells_no_cards(house: Served) -> None:
    with at(house, "probed", "ez-pai-gow-wa", "virtual-shoe") as round_:
        round_.play(random.Random(7), SEATS, wrong=("set 2c 3c", "set As", "set Kd Kd", "house-way 9h", "set"))


def test_a_wrong_decision_at_duki_tells_no_cards(house: Served) -> None:
    with at(house, "probed duki", "duki-4-wa", "virtual-shoe") as round_:
        round_.play(random.Random(8), SEATS, wrong=("play x", "fold fold", "play play", "raise"))


def test_the_round_before_is_the_round_before(house: Served) -> None:
    """`last` shows a round that is over: exactly its cards, however far the next one is."""
    with at(house, "before", "duki-4-wa", "virtual-shoe") as round_:
        rng = random.Random(3)
        round_.play(rng, SEATS)
        over = codes(round_.truth.last.drawn)
        before = round_.by("Ann").client.get(round_.path).json()["last"]
        assert codes_in(json.dumps(before)) <= over
        round_.bet(SEATS)
        round_.done("dealer", "no-more-bets")
        round_.done("dealer", "deal")
        hidden = {reader.name: reader.client.get(round_.path).json()["last"] for reader in round_.readers}
        assert all(last == before for last in hidden.values())
        replay = f"{API}/rounds/{before['seq']}"
        assert codes_in(json.dumps(round_.by("Ann").client.get(replay).json()["entries"])) <= over


def test_the_order_of_the_shoe_stays_sealed(house: Served) -> None:
    """Whoever asks, no six cards to come are told in their order, in any spelling."""
    with at(house, "sealed", "lucky-lucky-wa", "virtual-shoe") as round_:
        round_.bet(SEATS)
        round_.done("dealer", "no-more-bets")
        before = round_.undealt()
        round_.done("dealer", "deal")
        dealt = [show_card(card) for card in round_.truth.round.drawn]
        assert before[: len(dealt)] == dealt, "the test knows the true order"
        coming = round_.undealt()
        for reader in round_.readers:
            told = "".join(
                reader.client.get(path).text
                for path in (round_.path, f"{API}/floor", f"{API}/journal?limit=500", f"{API}/boards/sealed", f"{API}/tables")
            )
            for spelled in (" ".join(coming[:6]), json.dumps(coming[:6]), ",".join(f'"{card}"' for card in coming[:6])):
                assert spelled not in told


# The test must be able to fail


@pytest.mark.parametrize("leaky", ["dealer", "neighbour", "journal", "happened"])
def test_a_leak_would_be_found(house: Served, leaky: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one line of a view broken, the search must find the card."""
    if leaky == "dealer":
        monkeypatch.setattr(seen_by, "_sees", lambda table, made, who, reader: who == DEALER or made.is_complete)
    elif leaky == "neighbour":
        monkeypatch.setattr(seen_by, "_sees", lambda table, made, who, reader: who != DEALER or made.is_complete)
    elif leaky == "journal":
        monkeypatch.setattr("houseway.web.pit.without_cards", lambda entry, edition: dict(entry.data))
    else:
        monkeypatch.setitem(PUBLIC, "cards-drawn", ("cards",))  # type: ignore[arg-type]
    with at(house, f"leaky {leaky}", "duki-4-wa", "virtual-shoe") as round_, pytest.raises(AssertionError, match="was told"):
        round_.play(random.Random(1), SEATS)
