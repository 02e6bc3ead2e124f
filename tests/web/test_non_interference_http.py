"""Two houses that differ in nothing but hidden cards answer the same requests with the same bytes.

Each house is served over HTTP from a sealed shoe of our making. Everybody who can look asks for everything, and tries what he
must not, after every command; then all that was told in one house is compared with the other, length included.

What cannot be the same is replaced by as many signs: SHA-256 digests (hashes of the chain and commitments are of the hidden
cards too, with salts that keep them from telling), keys and their fingerprints, which every house makes anew, the CSRF token
of a page, which is random, and the times of entries from before the house's clock was set. From then on the clock, the house's
salts and the ids of its shoes are the same in all houses; the bytes that seal a shoe are shown to nobody.
"""

import json
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from houses import Served, serving

from houseway.cards import parse_cards
from houseway.house import shoe as shoes

API = "/api/v1"
TABLE = f"{API}/tables/t1"
GUESTS = {1: "Ann", 2: "Ben"}
STAFF = ("dealer", "supervisor", "cashier", "security", "accounting", "host", "auditor", "administrator")
DIGEST = re.compile(r"\b([0-9a-f]{64}|[0-9a-f]{16})\b")
CSRF = re.compile(r'(name="csrf" (?:content|value)=|data-locks-in=)"[^"]*"')
SET_AT = datetime(2001, 3, 1, 12, tzinfo=UTC)
BEFORE_SET = re.compile(r"\b(?!2001)\d{4}-\d\d-\d\d(T[\d:.]{15}\+00:00)?")
Step = tuple[str, str, dict[str, Any]]
"""Who does what, with which fields."""


class SameSecrets:
    """The house's random texts, the same in every house; whatever else is random stays so."""

    def __init__(self) -> None:
        self.numbers = count(1)

    def token_hex(self, size: int) -> str:
        return f"{next(self.numbers):0{2 * size}x}"

    def __getattr__(self, name: str) -> Any:
        return getattr(secrets, name)


def order_beginning(first: str, last: str) -> Callable[..., tuple[int, ...]]:
    """A shuffle after which these cards come out first and, of the rest, these last."""
    head, tail = parse_cards(first), parse_cards(last)

    def shuffled(cards: Any, *_: Any) -> tuple[int, ...]:
        left = sorted(cards)
        for card in (*head, *tail):
            left.remove(card)
        return (*head, *left, *tail)

    return shuffled


@dataclass
class Heard:
    """All that everybody was told: by whom, of what, and the text, in order."""

    told: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, reader: str, what: str, text: str) -> None:
        text = CSRF.sub(lambda found: f'{found[1]}"{"#" * (len(found[0]) - len(found[1]) - 2)}"', text)
        text = BEFORE_SET.sub(lambda found: "#" * len(found[0]), text)
        self.told.append((reader, what, DIGEST.sub(lambda found: "#" * len(found[0]), text)))


@contextmanager
def house_with(folder: Path, order: Callable[..., tuple[int, ...]], dice: int) -> Iterator[Served]:
    """A house whose shoes lie in this order, with nothing else by chance."""
    seconds = count()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shoes, "shuffled", order)
        patch.setattr(shoes, "throw", lambda *_: dice)
        patch.setattr(shoes, "secrets", same := SameSecrets())
        patch.setattr("houseway.house.floor.secrets", same)
        with serving(f"sqlite:///{folder / 'house.db'}", folder / "key", demo=False) as served:
            served.app.state.house.floor.clock = lambda: SET_AT + timedelta(seconds=next(seconds))
            yield served


def looks(reader: str, role: str, seq: int) -> Iterator[tuple[str, dict[str, str]]]:
    """Everything that a reader can ask for, with its headers."""
    for path in (TABLE, f"{API}/tables", f"{API}/boards/t1", "/tables/t1", "/boards/t1", "/", f"{API}/rounds/{seq}"):
        yield path, {}
    for seat in GUESTS:
        yield f"{TABLE}/seats/{seat}/set", {}
        yield f"{TABLE}/seats/{seat}/set?front=Ah+Kd", {}
    if role in STAFF:
        for path in (f"{API}/floor", f"{API}/journal?limit=500", "/dealer/t1", f"{TABLE}/rounds/1", "/floor"):
            yield path, {}
    for path in (f"{TABLE}/stream", f"{API}/stream", f"{API}/boards/t1/stream"):
        for since in ({}, {"Last-Event-ID": "1"}):
            yield path, since


def tries(role: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is refused, whoever tries it: at another's seat, of another kind, at another time."""
    if role not in {"guest", "dealer", "supervisor"}:
        return
    for choice in ("nonsense", "set 2c 3c", "house-way 9h", "hit hit"):
        for seat in (1, 2, 5):
            yield "decide", {"seat": seat, "choice": choice}
    for cents in (1, 10**9):
        yield "bet", {"seat": 2 if role == "guest" else 5, "wager": "insurance", "cents": cents, "guest": "Ben"}
    yield "seed", {"seed": "a" * 64}
    if role != "guest":
        for place in range(1, 9):
            yield "correct-card", {"place": place, "card": "Ah", "reason": "tried"}
            yield "swap-cards", {"place": place, "other_place": 1, "reason": "tried"}
        yield "undo", {"seat": 5, "reason": "tried"}
        yield "settle", {}
        yield "new-shoe", {}
        yield "card", {"cards": "Ah"}
        yield "rekey", {"cards": "Ah Kd", "reason": "tried"}
    if role == "supervisor":
        yield "replace-card", {"place": 1, "card": "Ah", "reason": "tried"}
        yield "change-bet", {"seat": 5, "wager": "blackjack", "stake_cents": 100, "reason": "tried"}
        yield "void", {"reason": "nonsense"}
        yield "lost-shoe", {"witness": "tom", "reason": "tried"}
        yield "close", {}


def stream_until_view(client: httpx.Client, path: str, headers: dict[str, str]) -> str:
    with client.stream("GET", path, headers=headers) as answer:
        told = ""
        for line in answer.iter_lines():
            told += line + "\n"
            if line.startswith("data:") and '"happened"' not in line:
                break
    return told


def transcript(folder: Path, case: "Case", order: str, last: str, dice: int) -> Heard:
    """All that is told while these steps are taken."""
    folder.mkdir()
    heard = Heard()
    with house_with(folder, order_beginning(order, last), dice) as served:
        clients = {"": ("anybody", served.anybody())}
        clients |= {name: ("guest", served.staff("guest", name)) for name in GUESTS.values()}
        clients |= {role: (role, served.staff(role)) for role in STAFF}
        served.must(clients["administrator"][1].post(f"{API}/cage/fund", json={"cents": 10**9}))
        for name in GUESTS.values():
            served.must(clients["cashier"][1].post(f"{API}/cage/buy-in", json={"guest": name, "cents": 10**6}))
        served.open_table("t1", case.edition, "virtual-shoe")
        for who, kind, fields in case.steps:
            answer = clients[who][1].post(f"{TABLE}/{kind}", json=fields)
            assert answer.status_code == 200, answer.text
            heard.add(who, f"{kind} {fields}", answer.text)
            if kind in {"bet", "no-more-bets"} and (who, kind, fields) != case.steps[-1]:
                continue
            seq = int(answer.json()["seq"])
            for name, (role, client) in clients.items():
                if name in case.knows:
                    continue
                served.app.state.house.refresh()  # attempts that were recorded are otherwise noticed within half a second
                for path, headers in looks(name, role, seq):
                    is_stream = path.endswith("/stream")
                    text = stream_until_view(client, path, headers) if is_stream else client.get(path).text
                    heard.add(name or "anybody", f"{path} {headers} after {kind}", text)
                for tried, body in tries(role) if case.is_tried else ():
                    refused = client.post(f"{TABLE}/{tried}", json=body)
                    assert refused.status_code >= 400, f"{tried} {body} was taken: {refused.text}"
                    heard.add(name, f"{tried} {body} after {kind}", refused.text)
    return heard


@dataclass(frozen=True)
class Case:
    """Steps that are taken in houses with these orders; `knows` are those who may see what differs."""

    edition: str
    steps: tuple[Step, ...]
    orders: tuple[tuple[str, str, int], ...]
    knows: tuple[str, ...] = ()
    is_tried: bool = True


def bets(wager: str, also: tuple[Step, ...] = ()) -> tuple[Step, ...]:
    placed = tuple((name, "bet", {"seat": seat, "wager": wager, "cents": 2000}) for seat, name in GUESTS.items())
    return (*placed, *also, ("dealer", "no-more-bets", {}))


DEAL: Step = ("dealer", "deal", {})
LOOK_1: Step = ("Ann", "decide", {"seat": 1, "choice": "look"})
INSURE_2: Step = ("Ben", "bet", {"seat": 2, "wager": "insurance", "cents": 1000})
STAND_1: Step = ("Ann", "decide", {"seat": 1, "choice": "stand"})
HIT_2: Step = ("Ben", "decide", {"seat": 2, "choice": "hit"})
ACE_UP = "2c 10s 9s Ah 8d 2d {} 3d"  # one to burn, two seats, the ace, two seats, the hole card, a card for seat 2
KING_UP = ACE_UP.replace("Ah", "Kh")
CASES = {
    "before the dealer has looked": Case(
        "lucky-lucky-wa",
        (*bets("blackjack"), DEAL, LOOK_1),
        tuple((ACE_UP.format(hole), "", 1) for hole in ("Kd", "9d")),
    ),
    "before the dealer has looked, insured": Case(
        "lucky-lucky-wa",
        (*bets("blackjack"), DEAL, INSURE_2),
        tuple((ACE_UP.format(hole), "", 1) for hole in ("Kd", "9d")),
    ),
    "after he has looked and has no blackjack": Case(
        "lucky-lucky-wa",
        (*bets("blackjack"), DEAL, STAND_1, HIT_2),
        tuple((KING_UP.format(hole), last, 1) for hole, last in (("9d", "As Ks"), ("4d", ""))),
    ),
    "a dealer's hand at Duki": Case(
        "duki-4-wa",
        (*bets("ante"), DEAL, ("Ann", "decide", {"seat": 1, "choice": "play"})),
        (("2c 3c 4c 5c 2d 3d 4d 5d As Ks Qs Js", "", 1), ("2c 3c 4c 5c 2d 3d 4d 5d 7h 8d 9c Jd", "", 1)),
    ),
    "a neighbour's hand at Duki": Case(
        "duki-4-wa",
        (*bets("ante"), DEAL, ("Ann", "decide", {"seat": 1, "choice": "play"})),
        (("2c 3c 4c 5c 2d 3d 4d 5d As Ks Qs Js", "", 1), ("2c 3c 4c 5c 9h 9d 9c 9s As Ks Qs Js", "", 1)),
        knows=("Ben",),
    ),
    "all that is sealed, before the first card of baccarat": Case(
        "ez-baccarat-wa", bets("banker"), (("2c", "", 1), ("3c As Ks Qs", "2c", 1))
    ),
    "the dice of pai gow, before they are thrown": Case(
        "ez-pai-gow-wa", bets("base")[:-1], (("2c", "", 1), ("3c As Ks Qs", "2c", 5))
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_two_houses_that_differ_in_hidden_cards_tell_the_same(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    first, *others = (transcript(tmp_path / str(n), case, *order) for n, order in enumerate(case.orders))
    assert len(first.told) > 100 and any('"phase"' in text for _, _, text in first.told)
    for other in others:
        assert len(first.told) == len(other.told)
        for ours, theirs in zip(first.told, other.told, strict=True):
            assert ours[:2] == theirs[:2]
            assert ours[2] == theirs[2], f"{ours[0]} can tell the houses apart by {ours[1]}"


def test_a_difference_would_be_found(tmp_path: Path) -> None:
    """The test must be able to fail: once everybody has decided, the hands are turned."""
    known = CASES["a dealer's hand at Duki"]
    case = Case(known.edition, (*known.steps, ("Ben", "decide", {"seat": 2, "choice": "play"})), known.orders, is_tried=False)
    one, two = (transcript(tmp_path / str(n), case, *order) for n, order in enumerate(case.orders))
    differing = [ours[1] for ours, theirs in zip(one.told, two.told, strict=True) if ours != theirs]
    assert differing and all("'seat': 2, 'choice': 'play'" in what or what.endswith("after decide") for what in differing)
    assert json.dumps(differing).count("/api/v1/tables/t1 ") > 3
