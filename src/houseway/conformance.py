"""What the house asks of every game: checks that run over a game's folder, wherever it lies.

The tests run them over the games of the house; `houseway game check FOLDER` runs them over a stranger's; a house that is
served leaves out a game that fails them. Each check yields a line for everything it finds wrong.
"""

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import factorial, perm
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from houseway.cards import parse_cards, show_card
from houseway.games import edition_files, game, open_edition, registry
from houseway.house.audit import Auditor
from houseway.house.floor import Actor, Floor
from houseway.house.opening import url_of_file
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.rulebook import Clause, Edition, Game, read_clauses
from houseway.rulebook.game import COMMON, DEALER, Recipient, Request, Step
from houseway.rulebook.settle import settle
from houseway.rulebook.words import sentence
from houseway.table import Phase, Table, ledger, unfolded
from houseway.table.duties import ONE
from houseway.table.engine import nothing, prepared
from houseway.table.face_up import cards_up
from houseway.table.state import changed
from houseway.table.unfold import unfold
from houseway.view import ANYBODY, Reader, board_view, table_view

ROUNDS = 6
"""Random rounds at each of two tables of an edition: one with a virtual shoe, one whose cards are keyed."""
GUESTS = ("Ann", "Ben", "Cleo")
STAKE_CENTS = 1_000_000_000
_KEYED = ("hand-keyed", "manual-keypad", "shuffler")


@dataclass(frozen=True)
class Case:
    """A game with its editions, as it is checked."""

    game: Game
    editions: tuple[Edition, ...]
    rounds: int = ROUNDS

    @property
    def clauses(self) -> dict[str, Clause]:
        """The clauses in its folder."""
        return read_clauses(self.game.folder)


Check = Callable[[Case], Iterator[str]]


def flaws_of(name: str, rounds: int = ROUNDS) -> list[str]:
    """Everything that is wrong with a game of this id; nothing if it conforms."""
    return [f"{check}: {flaw}" for check, flaws in report(name, rounds).items() for flaw in flaws]


def flaws_in_a_room_of_its_own(name: str, rounds: int = ROUNDS, seconds: float = 300) -> list[str]:
    """The same in another process: whatever a stranger's code does there, this one does not feel it."""
    command = [sys.executable, "-m", __name__, name, str(rounds)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=True)
        flaws: list[str] = json.loads(done.stdout.splitlines()[-1])
    except subprocess.TimeoutExpired:
        return [f"the checks do not end within {seconds:.0f} seconds"]
    except (subprocess.CalledProcessError, json.JSONDecodeError, IndexError) as error:
        return [f"the checks cannot be run: {str(getattr(error, 'stderr', '')).strip().splitlines()[-1:] or error}"]
    return flaws


def report(name: str, rounds: int = ROUNDS) -> dict[str, list[str]]:
    """Every check by its name, with the flaws that it found. What a check stumbles over is a flaw as well."""
    checked: dict[str, list[str]] = {}
    try:
        folder = registry().places[name].folder
        opened = tuple(open_edition(id_) for id_, file in edition_files().items() if file.is_relative_to(folder))
        case = Case(game(name), opened, rounds)
    except (Refused, KeyError) as problem:
        return {"loads": [getattr(problem, "message", str(problem))]}
    for check, run in CHECKS.items():
        checked[check] = []
        try:
            checked[check] += run(case)
        except (Exception, SystemExit) as error:
            checked[check].append(f"{type(error).__name__}: {getattr(error, 'message', error)}")
    return checked


# What is written down


def _editions(case: Case) -> Iterator[str]:
    """There is an edition, and each is found by its own id."""
    if not case.editions:
        yield f"{case.game.folder / 'editions'} has no edition"
    files = edition_files()
    for edition in case.editions:
        if edition.id not in files or not files[edition.id].is_relative_to(case.game.folder):
            yield f'edition "{edition.id}": its file is not named {edition.id}.toml'


def _names(case: Case) -> Iterator[str]:
    """Wagers and choices that name each other exist."""
    wagers, dealing = case.game.wagers, case.game.dealing
    for id_, wager in wagers.items():
        if wager.id != id_:
            yield f"wager {id_} calls itself {wager.id}"
        ids = [outcome.id for outcome in wager.outcomes]
        if len(set(ids)) < len(ids):
            yield f"wager {id_} has two outcomes of one id"
        for named in (wager.needs, wager.follows, *wager.rides):
            if named and named not in wagers:
                yield f"wager {id_} names {named}, which is no wager"
        setting, value = wager.needs_unless
        if setting and not any(setting in edition.approved for edition in case.editions):
            yield f"wager {id_} looks at {setting}={value}, which no edition has"
        never = {outcome for edition in case.editions for outcome in wager.impossible(edition.settings())}
        if unknown := sorted(never - set(ids)):
            yield f"wager {id_} calls {', '.join(unknown)} impossible, which is none of its outcomes"
    if (setting := dealing.players_draw_if[0]) and setting not in case.game.switches:
        yield f"the dealing names {setting}, which is no switch"
    for named in (*dealing.late, *dealing.raises.values(), *dealing.with_bet):
        if named not in wagers:
            yield f"the dealing names {named}, which is no wager"
    check = dealing.card_check.setting if dealing.card_check else ""
    named_settings = (dealing.second_deck, dealing.unkeyed_if[0], dealing.dealer_bets.setting, dealing.dealer_bets.wins, check)
    for setting in (*dealing.with_bet.values(), *filter(None, named_settings)):
        if setting not in case.game.switches:
            yield f"the dealing names {setting}, which is no switch"


def _clauses(case: Case) -> Iterator[str]:
    """Every clause that is cited exists."""
    cited = {f"wager {wager.id}": wager.clause for wager in case.game.wagers.values()}
    cited |= {f"switch {switch.name}": switch.clause for switch in case.game.switches.values()}
    cited |= {f"void reason {reason}": clause for reason, clause in case.game.dealing.void_reasons.items()}
    for what, clause in cited.items():
        if clause not in case.clauses:
            yield f"{what} cites {clause}, which is not in clauses.toml"


def _face(case: Case) -> Iterator[str]:
    """Every wager has a spot, every choice words and a key of its own, and results are keyed where they can be."""
    face = case.game.face
    areas = {area for row in face.grid for area in row.split()} - {"."}
    for wager in case.game.wagers:
        if [spot.wager for spot in face.spots].count(wager) != 1 or wager not in areas:
            yield f"wager {wager} has no spot of its own"
    if len({len(row.split()) for row in face.grid}) > 1:
        yield "the rows of the grid are not of one length"
    keys = [choice.key for choice in face.choices.values()]
    if len(set(keys)) < len(keys) or not all(keys):
        yield f"the choices' keys are not told apart: {' '.join(keys)}"
    for name, choice in face.choices.items():
        if not choice.words:
            yield f"choice {name} has no words"
    if (face.results is None) != (case.game.dealing.play_result is None):
        yield "results are keyed in face.toml, but not by play_result, or the other way round"
    short = [wager for bets in (face.short_bank.bets if face.short_bank else ()) for wager in bets]
    for wager in (*face.demo.bets, *(face.example.bets if face.example else ()), *short):
        if wager not in case.game.wagers:
            yield f"{wager} is bet in face.toml, but is no wager"


def _results(case: Case) -> Iterator[str]:
    """What a keypad can key is a result, and the roads write it as it was keyed."""
    results, play_result = case.game.face.results, case.game.dealing.play_result
    if results is None or play_result is None:
        return
    for winner in results.winners:
        keyed = {winner.key: winner.result}
        for flag in results.flags:
            if flag.winner in {"", winner.key} and (flag.result or flag.suffix):
                keyed[winner.key + flag.key] = flag.result or winner.result + flag.suffix
        for hand, result in keyed.items():
            marks = play_result(result, {}).marks
            if marks != (hand,):
                yield f'"{result}" is keyed as {hand}, but play_result marks {", ".join(marks)}'


def _settings(case: Case) -> Iterator[str]:
    """Every approved value of every setting is encoded, always in as many integers."""
    for edition in case.editions:
        length = len(case.game.encode(edition.settings()))
        for name, values in edition.approved.items():
            for value in values:
                try:
                    encoded = case.game.encode(edition.settings({name: value}))
                except Refused as refused:
                    if refused.code != "reading-not-here":
                        yield f"{edition.id}: {name}={value}: {refused.message}"
                    continue
                if len(encoded) != length or encoded.dtype != np.int64:
                    yield f"{edition.id}: {name}={value} is encoded in {len(encoded)} integers, not {length}"


def _odds(case: Case) -> Iterator[str]:
    """The outcomes of every wager that is counted add up to the number of deals of its cards."""
    for edition in case.editions[:1]:
        settings = edition.settings()
        shoe, encoded = case.game.shoe(settings), case.game.encode(settings)
        for id_ in edition.wagers:
            wager = case.game.wagers[id_]
            if wager.count is None or wager.simulated:
                continue
            total, ordered = wager.count(shoe, encoded, None).total, perm(sum(shoe), wager.cards)
            if total <= 0 or ordered % total or factorial(wager.cards) % (ordered // total):
                yield f"{id_}: {total} is not a number of deals of {wager.cards} cards out of {sum(shoe)}"


# How it plays


def _example(case: Case) -> Iterator[str]:
    """The example is settled, twice alike, every step of it can be told, and nothing that was given is changed."""
    example = case.game.face.example
    if example is None:
        yield "face.toml has no [example]: a hand that touches every rule a table needs"
        return
    edition = case.editions[0]
    cards, settings, bets = parse_cards(example.cards), edition.settings(), dict(example.bets)
    encoded = case.game.encode(settings)
    before = encoded.copy()
    request = Request(cards, example.choices, bets, settings, encoded, offered=edition.offered)
    played = case.game.play(request)
    if played != case.game.play(request):
        yield "played twice, the example ends in two ways"
    yield from dict.fromkeys(_cited(played.steps, edition))
    if bets != dict(example.bets) or not np.array_equal(encoded, before):
        yield "playing the example changed what it was given"
    if not settle(edition, cards, bets, example.choices).payments:
        yield "the example pays and takes nothing"


class TrialSitting:
    """A table at which random rounds are played, with a watch on what everybody sees and where the money is."""

    def __init__(self, edition: Edition, source: str, seed: int, folder: Path) -> None:
        self.edition, self.source, self.random = edition, source, random.Random(seed)
        self.floor = Floor(Store(url_of_file(folder / f"{edition.id}-{source}.db")), folder / "key", begins=ONE)
        self.flaws: list[str] = []
        self.name = "checked"
        banks = edition.banked_by == "player"
        self.do("fund", "administrator", cents=10 * STAKE_CENTS)
        opener = {} if banks else {"opener_cents": STAKE_CENTS}
        seats = min(edition.seats) if edition.seats else min(len(GUESTS), edition.game.dealing.seats)
        self.guests = dict(enumerate(GUESTS[:seats], 1))
        self.do("open", "supervisor", table=self.name, edition=edition.id, source=source, seats=seats, **opener)
        for seat, guest in self.guests.items():
            self.do("buy-in", "cashier", guest=guest, cents=STAKE_CENTS)
            if banks:
                self.do("sit", "dealer", table=self.name, seat=seat, guest=guest)

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self.floor.state.tables[self.name]

    def do(self, kind: str, role: str, **fields: Any) -> None:
        """Carry out a command, and look at the table as everybody does."""
        self.floor.do({"kind": kind, **fields}, Actor(str(fields.get("guest", role)), role))
        if self.name in self.floor.state.tables:
            self.look()

    def look(self) -> None:
        """A view for every reader: plain data, and no card before its time."""
        guest = Reader(self.random.choice(list(self.guests.values())), "guest")
        for reader in (ANYBODY, Reader("dan", "dealer"), guest):
            view = table_view(self.floor.state, self.name, reader)
            json.dumps(view)
            if self.source == "virtual-shoe":
                self.flaws += _leaks(self.table, view, reader)
                self.flaws += self.tells(reader, view)
        json.dumps(board_view(self.floor.state, self.name))

    def tells(self, reader: Reader, view: Mapping[str, Any]) -> Iterator[str]:
        """What a reader sees stays the same if a card that is face down for him is another one, until the dealer has looked."""
        table, dealt = self.table, unfolded(self.table)
        hidden = [place for place, who in enumerate(dealt.order[: len(dealt.drawn)]) if self.is_hidden(who, place, reader)]
        if table.round.phase == Phase.BETTING or not hidden:
            return
        place = self.random.choice(hidden)
        for card in self.cards_of_each_rank():
            drawn = (*table.round.drawn[:place], card, *table.round.drawn[place + 1 :])
            swapped = changed(table, round=changed(table.round, drawn=drawn, unfolded=None))
            house = changed(self.floor.state, tables={**self.floor.state.tables, self.name: swapped})
            try:
                has_ended = unfolded(swapped).is_complete
                other = table_view(house, self.name, reader)
            except Refused:  # a choice that was made could not have been made with that card
                continue
            if other != view and (dealt.before_look or not has_ended):
                names = sorted(name for name in view if view[name] != other[name])
                yield f"{reader.role} {reader.name} is told a card that is face down, by {', '.join(names)}"
                return

    def is_hidden(self, who: Recipient, place: int, reader: Reader) -> bool:
        """Whether a card of the first deal is face down for a reader."""
        dealt = unfolded(self.table)
        nth = dealt.order[:place].count(who)
        spot = self.table.round.spots.get(who) if isinstance(who, int) else None
        return nth >= cards_up(self.table, who) and not (spot and reader.role == "guest" and spot.guest == reader.name)

    def round(self) -> None:
        """One round, from the bets to the settlement."""
        if self.table.bank is not None and not self.table.bank.holder:
            seat = self.table.bank.offered
            self.do("bank", "dealer", table=self.name, seat=seat, guest=self.guests[seat], cents=STAKE_CENTS // 10)
        for seat, guest in self.guests.items():
            if self.table.bank is None or self.table.bank.holder != seat:
                self.bet(seat, guest)
        sides = self.edition.game.dealing.dice_sides
        dice = {"dice": self.random.randint(1, sides)} if sides and self.source != "virtual-shoe" else {}
        self.do("no-more-bets", "dealer", table=self.name, **dice)
        self.deal()
        if self.table.round.phase != Phase.READY:
            self.flaws.append(f"round {self.table.round.number} does not end: it waits in phase {self.table.round.phase}")
            return
        self.replay()
        self.do("settle", "dealer", table=self.name)
        if self.floor.state.balance(ledger.wagers(self.name)):
            self.flaws.append("after the settlement there is money on the felt")
        if sum(self.floor.state.balances.values()):
            self.flaws.append("the accounts do not add up to nothing")

    def bet(self, seat: int, guest: str) -> None:
        """The first wager of the edition, and others at random, each with the wager it needs; small enough for any law."""
        settings, wagers = self.table.settings, self.edition.game.wagers
        late = self.edition.game.dealing.late
        first, *others = [name for name in self.edition.wagers if not wagers[name].follows and name not in late]
        chosen = [first, *(name for name in others if self.random.random() < 0.5)]
        for wager in dict.fromkeys(name for each in chosen for name in (wagers[each].needed(settings), each) if name):
            least = self.edition.wagers[wager].limits.min_cents
            most = max(least, min(self.edition.wagers[wager].limits.max_cents, 500))
            if not wagers[wager].refuses(settings):
                cents = self.random.randrange(least, most + 1, 100)
                self.do("bet", "dealer", table=self.name, seat=seat, guest=guest, wager=wager, cents=cents)
        for wager, setting in self.edition.game.dealing.with_bet.items():
            if wager in self.table.round.spots[seat].bets:
                choice = str(self.random.choice(self.edition.approved[setting]))
                self.do("decide", "dealer", table=self.name, seat=seat, choice=choice, guest=guest)

    def deal(self) -> None:
        """Cards and decisions until there is nothing more to come; a keyed card is corrected now and then."""
        results, wagers = self.edition.game.face.results, self.edition.game.wagers
        by_cards = any(wagers[wager].resolve for spot in self.table.round.spots.values() for wager in spot.bets)
        if results is not None and self.source != "virtual-shoe" and not by_cards and self.random.random() < 0.3:
            self.do("result", "dealer", table=self.name, result=self.random.choice(results.winners).result)
            return
        for _ in range(400):
            waits = unfolded(self.table)
            if self.table.round.phase == Phase.READY:
                return
            if waits.to_act:
                self.decide(*self.random.choice(list(waits.to_act.items())))
            elif self.source == "virtual-shoe":
                self.do("deal", "dealer", table=self.name)
            else:
                self.do("card", "dealer", table=self.name, cards=show_card(self.card()))
                self.correct()

    def card(self) -> int:
        """Any card that is still in the shoe."""
        left = self.left_in_the_shoe()
        return self.random.choices(range(len(left)), weights=left)[0]

    def cards_of_each_rank(self) -> list[int]:
        """One card of each rank that is still in the shoe, and the joker if it is."""
        of_rank: dict[int, list[int]] = {}
        for card, copies in enumerate(self.left_in_the_shoe()):
            if copies > 0:
                of_rank.setdefault(card >> 2, []).append(card)
        return [self.random.choice(cards) for cards in of_rank.values()]

    def left_in_the_shoe(self) -> list[int]:
        """How many of each card are in the shoe still."""
        left = list(self.edition.game.shoe(self.table.settings))
        for card in (*self.table.discards, *self.table.round.drawn):
            left[card] -= 1
        return left

    def correct(self) -> None:
        """Take one card for another, where the hands then still go on as they did."""
        drawn = self.table.round.drawn
        if not drawn or self.random.random() > 0.1:
            return
        place = self.random.randint(1, len(drawn))
        try:
            self.do("correct-card", "dealer", table=self.name, place=place, card=show_card(self.card()), reason="misread")
        except Refused as refused:
            if refused.code not in {"cannot-correct", "bad-choice", "too-many-cards", "nothing-changes"}:
                raise

    def decide(self, seat: int, allowed: tuple[str, ...]) -> None:
        """A choice at random; where cards are picked with it, any of the hand; the house's own where that is a foul."""
        guest, face, dealing = self.guests[seat], self.edition.game.face, self.edition.game.dealing
        spot = self.table.round.spots[seat]
        for wager in dealing.late:
            half = spot.bets.get(self.edition.game.wagers[wager].needs, 0) // 2
            if unfolded(self.table).before_look and wager in self.edition.wagers and half and self.random.random() < 0.3:
                try:
                    self.do("bet", "dealer", table=self.name, seat=seat, guest=guest, wager=wager, cents=half)
                    return
                except Refused as refused:
                    if refused.code not in {"outside-limits", "bad-bet"}:
                        raise
        choice = self.random.choice(allowed)
        if choice not in face.choices:
            self.flaws.append(f'choice "{choice}" has no words in face.toml')
        elif face.choices[choice].picks:
            cards = self.random.sample(unfolded(self.table).hands[seat], face.choices[choice].picks)
            choice = " ".join([choice, *map(show_card, cards)])
        try:
            self.do("decide", "guest", table=self.name, seat=seat, choice=choice, guest=guest)
        except Refused as refused:
            if refused.code != "foul":
                raise
            self.do("decide", "guest", table=self.name, seat=seat, choice=dealing.default_choice, guest=guest)

    def replay(self) -> None:
        """The round, unfolded anew from its tape, is the same."""
        edition, settings, encoded = prepared(self.table)
        before = encoded.copy()
        keyed = self.source != "virtual-shoe"
        again = [unfold(edition, settings, encoded, self.table.round, nothing, keyed).plays for _ in range(2)]
        if again[0] != again[1] or again[0] != unfolded(self.table).plays:
            self.flaws.append(f"round {self.table.round.number}, played out again, is another one")
        if not np.array_equal(encoded, before):
            self.flaws.append("playing changed the settings it was given")
        for play in again[0].values():
            self.flaws += _cited(play.steps, edition)


def _cited(steps: Iterable[Step], edition: Edition) -> Iterator[str]:
    """Steps cite clauses of the edition, and a sentence tells what its step knows; one that is not written is made."""
    clauses, sentences = read_clauses(edition.game.folder), edition.game.face.steps
    for step in steps:
        if edition.cites.get(step.clause, step.clause) not in clauses:
            yield f"a step cites {step.clause}, which is not in clauses.toml"
        try:
            sentence(sentences, step)
        except (LookupError, ValueError) as error:
            facts = ", ".join(step.facts) or "nothing"
            yield f'the sentence of "{step.kind}" in face.toml [steps] wants {error}, and the step tells {facts}'


def _leaks(table: Table, view: Mapping[str, Any], reader: Reader) -> Iterator[str]:
    """Cards of a virtual shoe that a reader sees before their time."""
    waits, dealing = unfolded(table), prepared(table)[0].game.dealing
    if waits.is_complete or table.round.phase == Phase.BETTING:
        return
    if COMMON not in waits.hands:
        up = sum(card is not None for hand in view["dealer"] for card in hand["cards"])
        if up > max(dealing.dealer_face_up, len(waits.hands.get(DEALER, ())) if not waits.to_act else 0):
            yield f"{reader.role} {reader.name} sees {up} of the dealer's cards while the round is on"
    for seat in view["seats"]:
        shown = [card for hand in seat["hands"] for card in hand["cards"] if card is not None]
        if shown and not dealing.hands_face_up and seat["guest"] != reader.name:
            yield f"{reader.role} {reader.name} sees the cards of seat {seat['seat']}"
    if view["drawn"]:
        yield f"{reader.role} {reader.name} sees the cards in the order they were drawn"


def _live(case: Case) -> Iterator[str]:
    """Random rounds at a table play out to a settlement, with all money accounted for, and an audit finds no flaw."""
    with TemporaryDirectory() as folder:
        for edition in case.editions:
            for source in ("virtual-shoe", next((s for s in _KEYED if s in edition.sources), "")):
                if source not in edition.sources:
                    continue
                sitting = TrialSitting(edition, source, len(edition.id), Path(folder))
                for _ in range(case.rounds):
                    sitting.round()
                yield from dict.fromkeys(f"{edition.id}, {source}: {flaw}" for flaw in sitting.flaws)
                if flaw := Auditor(sitting.floor.store).run().flaw:
                    yield f"{edition.id}, {source}: the audit finds {flaw}"


CHECKS: dict[str, Check] = {
    "editions": _editions,
    "names": _names,
    "clauses": _clauses,
    "face": _face,
    "results": _results,
    "settings": _settings,
    "odds": _odds,
    "example": _example,
    "live": _live,
}


if __name__ == "__main__":
    print(json.dumps(flaws_of(sys.argv[1], int(sys.argv[2]))))
