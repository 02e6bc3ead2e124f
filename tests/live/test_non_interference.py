"""What anybody is shown is the same whatever the cards are that he may not see.

Random sessions are played at every edition. In every live state each hidden card is swapped for others that may lie there:
the round is folded again from its entries with that card instead, and for every reader to whom it is hidden every view,
stream, board, sentence and refusal must stay the same, byte for byte.

Which cards are hidden is said here, by the rules of the felt, and never by the views under test. A hidden card may tell in
one case only: the dealer has looked. Under an ace or a ten he does so as soon as no seat has an offer open before the look
(BJ-6 to BJ-8: what the public events `to-act` list); if play goes on after that, everybody knows that he has no blackjack, and
the cards swapped in are such. A player who has set his hand tells that it was no foul, and the cards that he named are his to
name. The dealer's hand is turned when nobody is left to act. Undealt cards and sealed dice are not in
the state at all: `tests/web/test_non_interference_http.py` swaps those in what is sealed.
"""

import json
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from houseway.cards import parse_cards, read_cards, show_card, show_cards
from houseway.conformance import TrialSitting
from houseway.games import open_edition
from houseway.refusal import Refused
from houseway.rulebook.game import COMMON, COMMUNITY, DEALER
from houseway.table import House, Phase, Table, handle, unfolded
from houseway.table.commands import declared
from houseway.table.engine import edition_of, nothing
from houseway.table.entry import Entry, canonical
from houseway.table.fold import context, replay
from houseway.view import (
    ANYBODY,
    Reader,
    advice,
    anybodys_felt,
    board_view,
    happened,
    lobby_view,
    table_for,
    table_view,
    without_cards,
)
from houseway.view.late import with_late_bets
from houseway.view.told import told
from houseway.view.words import edition_at

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FACE_UP = {"ez-pai-gow-wa": False, "duki-4-wa": False}
"""Players hold their hands at pai gow and Duki (D4P-2: face down); everywhere else they lie face up."""
DEALER_SHOWS = {"lucky-lucky-wa": 1, "casino-war": 1}
"""LLB-0: the dealer's up-card; CW-3: his card; everywhere else his cards are face down until all have decided (D4P-3)."""
BURNED = {"casino-war": 3}
"""CW-5: cards burned for a player who goes to war, before his own."""
EDITIONS = ("ez-baccarat-wa", "ez-baccarat-ca", "ez-pai-gow-wa", "lucky-lucky-wa", "duki-4-wa", "dragon-tiger", "casino-war")
THOROUGH = int(os.environ.get("HOUSEWAY_SWAPS", "1"))
"""How many times as many rounds and swaps as usual."""
STAFF = (Reader("dan", "dealer"), Reader("sue", "supervisor"), Reader("cat", "cashier"), Reader("aud", "auditor"))


def value(card: int) -> int:
    return min(card // 4 + 2, 10) if card // 4 != 12 else 11


def is_blackjack(up: int, hole: int) -> bool:
    return {value(up), value(hole)} == {10, 11}


@dataclass(frozen=True)
class Place:
    """A card of the round: where it came in the tape, whose it is, and the how-manieth of his."""

    tape: int
    whose: int | str
    nth: int


def places(table: Table) -> Iterator[Place]:
    """The cards of the first deal, and those burned after it."""
    dealt = unfolded(table)
    counts: dict[int | str, int] = {}
    for place, whose in enumerate(dealt.order[: len(dealt.drawn)]):
        yield Place(place, whose, counts.get(whose, 0))
        counts[whose] = counts.get(whose, 0) + 1
    burned = BURNED.get(table.edition, 0)
    wars = sum(spot.choices == ("war",) for spot in table.round.spots.values()) if burned else 0
    for place in range(len(dealt.order), min(len(dealt.drawn), len(dealt.order) + wars * (burned + 1))):
        if (place - len(dealt.order)) % (burned + 1) < burned:
            yield Place(place, "burned", 0)


def is_hidden(table: Table, place: Place, reader: Reader) -> bool:
    """Whether a card is face down for a reader."""
    dealt = unfolded(table)
    if table.source != "virtual-shoe" and reader.role in {"dealer", "supervisor"}:
        return False  # they keyed it in
    if place.whose in {COMMON, COMMUNITY}:
        return False
    all_decided = dealt.first_deal_done and not dealt.to_act
    if place.whose == DEALER:
        return not all_decided and place.nth >= DEALER_SHOWS.get(table.edition, 0)
    if place.whose == "burned":
        return True
    spot = table.round.spots.get(int(place.whose))
    if spot is None:
        return True  # EPG-8: discarded, and nobody looks at it
    return not (FACE_UP.get(table.edition, True) or dealt.is_complete or (reader.role == "guest" and spot.guest == reader.name))


def others(table: Table, place: Place) -> list[int]:
    """What else may lie there, for all that has been told."""
    dealt = unfolded(table)
    left = list(edition_of(table).game.shoe(table.settings))
    for card in (*table.discards, *table.round.set_aside, *table.round.drawn):
        left[card] -= 1
    possible = [card for card, copies in enumerate(left) if copies > 0 and card != table.round.drawn[place.tape]]
    up = dealt.hands.get(DEALER, [0])[0]
    looks = table.edition == "lucky-lucky-wa" and place.whose == DEALER and value(up) in {10, 11}
    has_looked = looks and dealt.first_deal_done and not dealt.before_look
    spot = table.round.spots.get(place.whose) if isinstance(place.whose, int) else None
    if spot and show_card(table.round.drawn[place.tape]) in " ".join(spot.choices).split():
        return []
    return [card for card in possible if not (has_looked and is_blackjack(up, card))]


def _without_seals(data: dict[str, Any]) -> dict[str, Any]:
    """What an entry says with its cards opened, as if they had never been sealed: with other cards they would be again."""
    return {name: value for name, value in data.items() if name not in {"sealed", "openings", "unopened", "felt"}}


def with_card(entries: list[Entry], place: int, card: int) -> Iterator[Entry]:
    """The entries of a round, with another card in this place of its tape."""
    out = 0
    for entry in entries:
        data = json.loads(canonical(_without_seals(entry.data)))
        keyed = entry.kind == "card"
        cards = list(parse_cards(data["command"]["cards"]) if keyed else read_cards(data.get("drawn", "")))
        if out <= place < out + len(cards):
            cards[place - out] = card
        if keyed:
            data["command"]["cards"] = show_cards(cards)
        elif cards:
            data["drawn"] = show_cards(cards)
        out += len(cards)
        yield replace(entry, payload=canonical(data))


def folded(start: House, entries: list[Entry]) -> tuple[House, list[Entry]]:
    """The house after these entries, and the entries with the events that they have by these cards."""
    state, told_by = start, []
    for entry in entries:
        state, events, _ = replay(state, entry)
        told_by.append(replace(entry, payload=canonical({**entry.data, "events": [event.as_data() for event in events]})))
    return state, told_by


def commands(table: Table, reader: Reader) -> Iterator[dict[str, Any]]:
    """Whatever this reader could try, sensible or not."""
    face, dealing = unfolded(table), edition_of(table).game.dealing
    choices = {choice for allowed in face.to_act.values() for choice in allowed} | {"hit", "set Ah Kd", "house-way", "nonsense"}
    for seat in (*sorted(table.round.spots), table.seats):
        whose = table.round.spots[seat].guest if seat in table.round.spots else "nobody"
        for choice in sorted(choices):
            yield {"kind": "decide", "seat": seat, "choice": choice, "guest": whose}
        for wager in dict.fromkeys((*dealing.late, table.offered[0])):
            for cents in (100, 10**8):
                yield {"kind": "bet", "seat": seat, "guest": whose, "wager": wager, "cents": cents}
                yield {"kind": "change-bet", "seat": seat, "wager": wager, "stake_cents": cents, "reason": "tried"}
            yield {"kind": "withdraw", "seat": seat, "guest": whose, "wager": wager}
        yield {"kind": "undo", "seat": seat, "reason": "tried"}
        yield {"kind": "time-out", "seat": seat}
    for place in range(1, len(table.round.drawn) + 1):
        yield {"kind": "correct-card", "place": place, "card": "Ah", "reason": "tried"}
        yield {"kind": "swap-cards", "place": place, "other_place": 1, "reason": "tried"}
        yield {"kind": "replace-card", "place": place, "card": "Ah", "reason": "tried"}
    yield {"kind": "rekey", "cards": "Ah Kd", "reason": "tried"}
    yield {"kind": "card", "cards": "Ah"}
    yield from ({"kind": kind} for kind in ("deal", "settle", "new-shoe", "acknowledge", "check-cards", "no-more-bets"))
    yield {"kind": "result", "result": "tie"}
    yield {"kind": "close", "closer_cents": 0}
    yield {"kind": "void", "reason": "nonsense"}


def answer(house: House, command: dict[str, Any], reader: Reader) -> str:
    """How a command is refused; only that it is not, if it is taken: what it then does may turn cards."""
    at = "2026-03-01T12:00:00.000000+00:00"
    completed = command | context(at, "2026-03-01", reader.name, reader.role)
    try:
        declared(command, reader.role).check(command)
        handle(house, completed, reader.role, nothing).finished()
    except Refused as refused:
        shown = with_late_bets(refused, house, command)
        return f"{shown.code}: {shown.message}"
    return "taken"


def everything(house: House, name: str, entries: list[Entry], reader: Reader) -> dict[str, str]:
    """All that a reader can get to see of a live round, as text."""
    table = house.tables[name]
    edition = edition_at(house, name)
    known = {
        "view": json.dumps(table_view(house, name, reader)),
        "streamed": json.dumps(table_for(house, name, reader, anybodys_felt(house, name))),
        "board": json.dumps(board_view(house, name)),
        "lobby": json.dumps(lobby_view(house)),
        "stream": json.dumps([happened(entry, edition) for entry in entries]),
        "shell": json.dumps([list(told(house, entry, reader)) for entry in entries]),
        "journal": json.dumps([without_cards(entry, edition) for entry in entries]),
    }
    for seat in table.round.spots:
        for front in ("", "Ah Kd"):
            try:
                known[f"advice for seat {seat} {front}"] = json.dumps(advice(table, seat, front, reader))
            except Refused as refused:
                known[f"advice for seat {seat} {front}"] = str(refused)
    if reader.role in {"guest", "dealer", "supervisor"} and reader.name:
        for command in commands(table, reader):
            given = {"table": name, **command}
            known[f"refusal of {given}"] = answer(house, given, reader)
    return known


class Watched(TrialSitting):
    """A sitting in which hidden cards are swapped whenever somebody looks."""

    def __init__(self, edition: str, source: str, seed: int, folder: Path, swaps: int) -> None:
        self.start: House | None = None
        self.entries: list[Entry] = []
        self.swaps, self.swapped = swaps, 0
        self.chance = random.Random(seed)
        super().__init__(open_edition(edition), source, seed, folder)

    def correct(self) -> None:
        """Cards stay as they are keyed, so that a place of the tape is one card."""

    def do(self, kind: str, role: str, **fields: Any) -> None:
        if kind == "no-more-bets":
            self.start, self.entries = self.floor.state, []
        before = self.floor.seq
        super().do(kind, role, **fields)
        assert before < self.floor.seq

    def look(self) -> None:
        if self.start is None:
            return
        if self.table.round.phase == Phase.BETTING:
            self.start = None
            return
        seen = self.entries[-1].seq if self.entries else self.before_round()
        self.entries += [entry for entry in self.floor.store.entries(seen) if entry.table == self.name]
        if unfolded(self.table).first_deal_done or self.chance.random() < 0.2:
            self.swap_some()

    def before_round(self) -> int:
        ended = [entry.seq for entry in self.floor.store.entries() if entry.kind != "no-more-bets"]
        return ended[-1]

    def readers(self) -> list[Reader]:
        return [ANYBODY, *(Reader(guest, "guest") for guest in self.guests.values()), *STAFF]

    def swap_some(self, place_of: Any = None, every: int = 1) -> None:
        """Swap some hidden cards; all cards that may lie in one place, if it is named, or one of so many."""
        assert self.start is not None
        table, known = self.table, {}
        true, entries = folded(self.start, list(with_card(self.entries, -1, 0)))
        readers = self.readers()
        hidden = [p for p in places(table) if any(is_hidden(table, p, reader) for reader in readers)]
        hidden = [p for p in hidden if place_of(p)] if place_of else self.chance.sample(hidden, min(len(hidden), self.swaps))
        for place in hidden:
            may_be = others(table, place)
            first = self.chance.randrange(every)
            for card in may_be[first::every] if place_of else self.chance.sample(may_be, min(len(may_be), self.swaps)):
                swapped = list(with_card(self.entries, place.tape, card))
                try:
                    house, swapped_entries = folded(self.start, swapped)
                except Refused as refused:
                    assert refused.code == "foul" and place.whose in self.guests, refused
                    continue
                self.swapped += 1
                for reader in readers:
                    if is_hidden(table, place, reader):
                        if reader not in known:
                            known[reader] = everything(true, self.name, entries, reader)
                        now = everything(house, self.name, swapped_entries, reader)
                        self.same(known[reader], now, reader, place, card)

    def same(self, known: dict[str, str], now: dict[str, str], reader: Reader, place: Place, card: int) -> None:
        assert known.keys() == now.keys()
        for what, text in known.items():
            true = show_card(self.table.round.drawn[place.tape])
            assert text == now[what], f"{reader}: {what} tells {true} of {place.whose} from {show_card(card)}"


@pytest.fixture(autouse=True)
def _outside_games(monkeypatch):
    monkeypatch.setenv("HOUSEWAY_GAMES", str(EXAMPLES))


@pytest.mark.parametrize("source", ["virtual-shoe", "hand-keyed"])
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seed", range(THOROUGH))
def test_no_reader_is_told_a_hidden_card(edition, source, seed, tmp_path):
    assert source in open_edition(edition).sources
    sitting = Watched(edition, source, 100 + seed, tmp_path, swaps=2)
    for _ in range(20 if edition == "casino-war" else 4):  # a card is face down there after a tie only
        sitting.round()
    assert not sitting.flaws
    has_hidden = edition not in {"ez-baccarat-wa", "ez-baccarat-ca", "dragon-tiger"}
    assert bool(sitting.swapped) == has_hidden, "the test must look at something"


def stacked(monkeypatch: pytest.MonkeyPatch, cards: str) -> None:
    """Every shoe begins with a card to burn and these."""
    first = parse_cards(cards)

    def order(shoe: Any) -> tuple[int, ...]:
        left = list(shoe)
        for card in first:
            left.remove(card)
        return (left.pop(), *first, *left)

    monkeypatch.setattr("houseway.house.shoe.shuffled", order)


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.deep)])
@pytest.mark.parametrize("up", ["Ah", "Kh", "6h"])
@pytest.mark.parametrize("hole", ["Kd", "Ac", "5c"])
@pytest.mark.parametrize("source", ["virtual-shoe", "hand-keyed"])
def test_every_hole_card_in_every_state(up, hole, source, every, tmp_path, monkeypatch):
    """Seats look, insure, hit, bust and stand: whatever the hole card, nobody can tell it from another one."""
    cards = f"10s 9s 10h {up} 8d 5d 9d {hole} 10c 2c 6c 10d 9h 8h 7h"
    stacked(monkeypatch, cards)
    sitting = Watched("lucky-lucky-wa", source, 7, tmp_path, swaps=0)
    left, states = cards.split(), 0

    def do(kind: str, **fields: Any) -> None:
        sitting.do(kind, "dealer", table="checked", **fields)

    def come(count: int) -> None:
        if source != "virtual-shoe":
            do("card", cards=" ".join(left[:count]))
        elif count > 1:
            do("deal")
        del left[:count]

    for seat, guest in sitting.guests.items():
        do("bet", seat=seat, guest=guest, wager="blackjack", cents=2000)
    do("no-more-bets")
    come(8)
    while dealt := unfolded(sitting.table):
        sitting.swap_some(lambda place: place.whose == DEALER and place.nth == 1, every)
        states += 1
        if not dealt.to_act:
            break
        seat = min(dealt.to_act)
        at = {"seat": seat, "guest": sitting.guests[seat]}
        if seat == 3 and dealt.before_look:
            do("bet", wager="insurance", cents=1000, **at)
        elif dealt.before_look:
            do("decide", choice="look", **at)
        elif seat == 2:
            do("decide", choice="hit", **at)
            come(1)
        else:
            do("decide", choice="stand", **at)
    looks = {"Ah": 3, "Kh": 0, "6h": 0}[up]
    plays_on = 0 if is_blackjack(*parse_cards(f"{up} {hole}")) else 3
    assert states == looks + plays_on + 1 and sitting.swapped >= 30 // every * (looks + plays_on)
