"""The corpus: rounds with cards, choices and bets, made once and kept, on which the behaviour of the rules is compared.

It is made without knowing any game: cards come from the game's shoe, choices from what its rules ask for. Half of the
rounds are dealt fairly; the others from a few ranks, from one suit, or as neighbours of rare hands, until every outcome,
every choice and every value of a switch has occurred.
"""

import json
import lzma
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from houseway.approval.live import LiveSession, make_sessions
from houseway.cards import JOKER, show_cards
from houseway.kernels.compiled import Ints
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import COMMON, DEALER, MissingCard, MissingChoice, Request, Shoe, Value
from houseway.rulebook.settings import Settings
from houseway.rulebook.settle import settle

ROUNDS = 20_000
SEED = 10
SESSIONS = 60
EACH_OUTCOME = 12
"""How often even the rarest outcome occurs, where it can be found."""
TRIALS = 60_000
"""Deals tried for an outcome that does not come by itself."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0"
_ATTEMPTS = 6
Stack = Callable[[Shoe], list[int]]
"""Puts a shoe in order."""


@dataclass(frozen=True)
class CorpusRound:
    """One round for one player, as it is settled: the settings by their number, cards, choices, bets, others' hands."""

    settings: int
    cards: tuple[int, ...]
    choices: tuple[str, ...]
    bets: Mapping[str, int]
    others: tuple[tuple[int, ...], ...] = ()

    def as_data(self) -> list[Any]:
        """As it is kept."""
        return [self.settings, _write(self.cards), list(self.choices), dict(self.bets), [_write(hand) for hand in self.others]]

    @classmethod
    def from_data(cls, data: list[Any]) -> "CorpusRound":
        """As it was kept."""
        settings, cards, choices, bets, others = data
        return cls(settings, _read(cards), tuple(choices), bets, tuple(_read(hand) for hand in others))


def _write(cards: tuple[int, ...]) -> str:
    return "".join(_LETTERS[card] for card in cards)


def _read(text: str) -> tuple[int, ...]:
    return tuple(_LETTERS.index(letter) for letter in text)


@dataclass
class Corpus:
    """Rounds for one player, and sessions of whole tables, under settings that are numbered."""

    edition: str
    settings: list[dict[str, Value]] = field(default_factory=list)
    rounds: list[CorpusRound] = field(default_factory=list)
    sessions: list[LiveSession] = field(default_factory=list)

    def as_data(self) -> dict[str, Any]:
        """As it is kept."""
        return {
            "edition": self.edition,
            "settings": self.settings,
            "rounds": [one.as_data() for one in self.rounds],
            "sessions": [session.as_data() for session in self.sessions],
        }

    def save(self, file: Path) -> None:
        """Write it, compressed."""
        data = self.as_data()
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(lzma.compress(json.dumps(data, separators=(",", ":")).encode(), preset=9 | lzma.PRESET_EXTREME))

    @classmethod
    def load(cls, file: Path) -> "Corpus":
        """Read it; a file that is no corpus is refused."""
        try:
            data = json.loads(lzma.decompress(file.read_bytes()))
            rounds = [CorpusRound.from_data(one) for one in data["rounds"]]
            sessions = [LiveSession.from_data(one) for one in data["sessions"]]
            return cls(data["edition"], data["settings"], rounds, sessions)
        except FileNotFoundError:
            raise Refused("no-corpus", f"{file.name} is missing: there are no rounds to compare behaviour on") from None
        except (OSError, lzma.LZMAError, ValueError, KeyError, TypeError, EOFError):
            raise Refused("broken-corpus", f"{file.name}: not a corpus of rounds") from None


def corpus_file(edition: Edition) -> Path:
    """Where an edition's corpus is."""
    return edition.game.folder / "pins" / f"{edition.id}.corpus.xz"


@dataclass(frozen=True)
class Coverage:
    """What occurs in a corpus: outcomes by wager, the first words of choices, values of settings; and what does not."""

    outcomes: Mapping[tuple[str, str], int]
    choices: Mapping[str, int]
    values: Mapping[tuple[str, str], int]
    missing_outcomes: tuple[tuple[str, str], ...]
    missing_values: tuple[tuple[str, str], ...]


def coverage(edition: Edition, corpus: Corpus) -> Coverage:
    """Play the corpus and tell what occurs in it."""
    outcomes: Counter[tuple[str, str]] = Counter()
    choices: Counter[str] = Counter()
    values: Counter[tuple[str, str]] = Counter()
    tables = [prepare(edition, chosen) for chosen in corpus.settings]
    for one in corpus.rounds:
        settings, encoded = tables[one.settings]
        request = Request(one.cards, one.choices, one.bets, settings, encoded, one.others, offered=edition.offered)
        try:
            results = edition.game.play(request).results
        except (Refused, KeyError, AssertionError):  # one that is broken on purpose
            continue
        outcomes.update((result.wager, result.outcome) for result in results if not result.prize)
        choices.update(choice.split()[0] for choice in one.choices)
        values.update((name, str(value)) for name, value in settings.items())
    possible = [(name, outcome.id) for name in edition.wagers for outcome in edition.game.wagers[name].outcomes]
    approved = [(name, str(value)) for name, allowed in edition.approved.items() for value in allowed]
    return Coverage(
        outcomes,
        choices,
        values,
        tuple(item for item in possible if item not in outcomes),
        tuple(item for item in approved if item not in values),
    )


def prepare(edition: Edition, chosen: Mapping[str, Value]) -> tuple[Settings, Ints]:
    """Settings as rules read them."""
    settings = edition.settings(chosen)
    return settings, edition.game.encode(settings)


class Maker:
    """Makes rounds of an edition from one seed."""

    def __init__(self, edition: Edition, seed: int = SEED) -> None:
        self.edition, self.random = edition, random.Random(f"{edition.id} {seed}")
        self.corpus = Corpus(edition.id)
        self.tables: list[tuple[Settings, Ints]] = []
        self.seen: Counter[tuple[str, str]] = Counter()
        self.offered: set[str] = set()
        self.rare: dict[tuple[str, str], list[tuple[int, tuple[int, ...]]]] = {}

    @cached_property
    def wagers(self) -> list[str]:
        """Wagers that are placed as bets before the cards."""
        game = self.edition.game
        return [name for name in self.edition.wagers if not game.wagers[name].follows and name not in game.dealing.late]

    def run(self, rounds: int = ROUNDS, sessions: int = SESSIONS) -> Corpus:
        """Make the whole corpus."""
        self._choose_settings()
        self._find_rare()
        while len(self.corpus.rounds) < rounds:
            fair = len(self.corpus.rounds) % 2 == 0
            self._add(self.random.randrange(len(self.tables)), None if fair else self._stacked)
        self._break_some(rounds // 20)
        self.corpus.sessions = make_sessions(self.edition, self.random, sessions)
        return self.corpus

    def _break_some(self, count: int) -> None:
        """Rounds that the rules must refuse: what they refuse is behaviour too."""
        kept, broken = tuple(self.corpus.rounds), list[CorpusRound]()
        while len(broken) < count:
            one = self._broken(self.random.choice(kept))
            try:
                settle(self.edition, one.cards, one.bets, one.choices, self.tables[one.settings][0], one.others)
            except Refused:
                broken.append(one)
            except (LookupError, AssertionError, ValueError):
                continue  # what no shell, page or table lets through
        self.corpus.rounds += broken

    def _broken(self, one: CorpusRound) -> CorpusRound:
        """A round with one thing wrong: a card too many or too few, a card that the shoe has not, a choice, a bet."""
        pick, cards = self.random, one.cards
        copies = max(self.edition.game.shoe(self.tables[one.settings][0]))
        wager = pick.choice(list(one.bets))
        limits = self.edition.wagers[wager].limits
        twice = (*(cards[:1] * (copies + 1)), *cards)[: len(cards)] if len(cards) > copies else cards[:1] * (copies + 1)
        others = one.others[:1] * 6 if one.others else one.others
        return pick.choice(
            (
                replace(one, cards=cards[:-1]),
                replace(one, cards=(*cards, pick.randrange(52))),
                replace(one, cards=twice),
                replace(one, choices=one.choices[:-1]),
                replace(one, choices=(*one.choices, pick.choice(sorted(self.offered) or ["stand"]))),
                replace(one, choices=("nothing", *one.choices)),
                replace(one, bets={**one.bets, wager: pick.choice((limits.min_cents - 1, limits.max_cents + 1))}),
                replace(one, bets={name: cents for name, cents in one.bets.items() if name != wager} or {wager: 0}),
                replace(one, bets={**one.bets, pick.choice(list(self.edition.game.wagers)): limits.min_cents}),
                replace(one, bets={"nothing": limits.min_cents}),
                replace(one, others=others),
            )
        )

    def _choose_settings(self) -> None:
        """Every value of every setting, in random company; the default first."""
        approved = self.edition.approved
        wanted = [(name, value) for name, allowed in approved.items() for value in allowed]
        chosen: list[dict[str, Value]] = [{}]
        for name, value in wanted * 6:
            values = {other: self.random.choice(allowed) for other, allowed in approved.items()} | {name: value}
            try:
                self.edition.settings(values)
            except Refused:  # a reading of another pay table
                values = self._without_readings(values, name)
            chosen.append(values)
        for values in chosen:
            self.corpus.settings.append(values)
            self.tables.append(prepare(self.edition, values))

    def _without_readings(self, values: dict[str, Value], name: str) -> dict[str, Value]:
        """The settings with readings as they are by default, and with a pay table that the wanted reading is about."""
        readings = self.edition.readings
        plain = {other: value for other, value in values.items() if other not in readings or other == name}
        if name in readings and readings[name].pay_tables:
            plain["pay-table"] = readings[name].pay_tables[0]
        return plain

    # Cards

    def _fair(self, shoe: tuple[int, ...]) -> list[int]:
        cards = [card for card, copies in enumerate(shoe) for _ in range(copies)]
        self.random.shuffle(cards)
        return cards

    def _stacked(self, shoe: tuple[int, ...]) -> list[int]:
        """A shoe whose first cards are of a few ranks, of a run of one suit, or the neighbours of a rare hand."""
        pick = self.random
        kind = pick.randrange(6)
        if kind == 0 and self.rare:
            first = list(pick.choice(pick.choice(list(self.rare.values())))[1])
            for _ in range(pick.randint(0, 2)):
                place = pick.randrange(len(first))
                first[place] = (first[place] + pick.choice((-4, 4, 1, 2, pick.randrange(52)))) % 52
        elif kind == 1:
            few = pick.sample(range(52), pick.randint(1, 3))
            first = [card for card in few for _ in range(shoe[card])]
        elif kind == 2:
            size, low = pick.randint(1, 5), pick.randrange(13)
            ranks = pick.choice((pick.sample(range(13), size), [(low + step) % 13 for step in range(size)]))
            first = [card for card in range(52) if card >> 2 in ranks for _ in range(min(shoe[card], 2))]
        elif kind == 3:
            low = pick.randrange(13)
            first = [card for card in range(52) if ((card >> 2) - low) % 13 < pick.randint(5, 9)]
        else:
            first = self._run_of_a_suit()
        if pick.random() < 0.3:
            first.append(JOKER)
        return self._on_top(first, shoe)

    def _run_of_a_suit(self) -> list[int]:
        pick = self.random
        suit, low, length = pick.randrange(4), pick.randrange(-1, 9), pick.randint(4, 7)
        run = [((low + step) % 13) * 4 + suit for step in range(length)]
        other = (suit + pick.randint(0, 3)) % 4
        return [*run, *(rank * 4 + other for rank in pick.sample(range(13), max(7 - length, 0)))]

    def _on_top(self, first: list[int], shoe: tuple[int, ...]) -> list[int]:
        """These cards first, as far as the shoe has them, in any order, and then all others."""
        left = list(shoe)
        top = []
        self.random.shuffle(first)
        for card in first:
            if left[card]:
                left[card] -= 1
                top.append(card)
        return [*top, *self._fair(tuple(left))]

    # Rounds

    def _bets(self, settings: Settings, wanted: str = "") -> dict[str, int]:
        """Some of the wagers, each within its limits."""
        game, pick = self.edition.game, self.random
        names = {name for name in self.wagers if pick.random() < 0.6} | ({wanted} if wanted in self.wagers else set())
        names = names or {pick.choice(self.wagers)}
        names |= {game.wagers[name].needed(settings) for name in names}
        bets = {}
        for name in (name for name in self.wagers if name in names):
            limits = self.edition.wagers[name].limits
            if not game.wagers[name].refuses(settings):
                amounts = (limits.min_cents, limits.max_cents, 100 * pick.randint(1, 400), pick.randint(1, 40_000), 2_500, 500)
                bets[name] = min(max(pick.choice(amounts), limits.min_cents), limits.max_cents)
        return bets

    def _first_cards(self, settings: Settings, cards: list[int]) -> tuple[list[int], tuple[int, ...]]:
        """The cards of the first deal as `play` reads them, and the seat's own."""
        dealing = self.edition.game.dealing
        order = dealing.order((1,), settings, 1)
        if COMMON in order:
            return [cards.pop(0) for who in order if who == COMMON], ()
        own = tuple(cards.pop(0) for who in order if who == 1)
        dealer = tuple(cards.pop(0) for who in order if who == DEALER)
        return list(dealing.tape(own, dealer)), own

    def _add(self, table: int, stack: Stack | None = None, wanted: str = "", only: tuple[str, str] | None = None) -> None:
        """Play one round to its end and keep it, if it ends (in this outcome of a wager)."""
        settings, encoded = self.tables[table]
        shoe = self.edition.game.shoe(settings)
        cards = (stack or self._fair)(shoe)
        bets = self._bets(settings, wanted)
        if not bets:
            return
        tape, own = self._first_cards(settings, cards)
        others = self._others(cards, len(own)) if own else ()
        choices = self._with_bet(bets)
        for _ in range(80):
            given = tuple(tape), tuple(choices), bets, settings, encoded, others
            request = Request(*given, asks=True, offered=self.edition.offered)
            try:
                played = self.edition.game.play(request)
            except MissingCard:
                tape.append(cards.pop(0))
            except MissingChoice as missing:
                if not self._choose(request, missing, choices, bets):
                    return
            except Refused:
                return
            else:
                results = {(result.wager, result.outcome) for result in played.results if not result.prize}
                if only is None or only in results:
                    self._keep(CorpusRound(table, tuple(tape), tuple(choices), bets, others), results, own)
                return

    def _with_bet(self, bets: Mapping[str, int]) -> list[str]:
        parts = [setting for wager, setting in self.edition.game.dealing.with_bet.items() if wager in bets]
        return [str(self.random.choice(self.edition.approved[setting])) for setting in parts]

    def _others(self, cards: list[int], size: int) -> tuple[tuple[int, ...], ...]:
        """Other players' hands, where they win envy."""
        if not any(terms.envy_cents for terms in self.edition.wagers.values()):
            return ()
        most = min(5, max(len(cards) - 2 * size, 0) // size)
        return tuple(tuple(cards.pop(0) for _ in range(size)) for _ in range(self.random.randint(0, most)))

    def _choose(self, request: Request, missing: MissingChoice, choices: list[str], bets: dict[str, int]) -> bool:
        """Make one of the choices that are asked for; whether the rules take it."""
        self.offered |= set(missing.allowed)
        hand = [card for shown in missing.hands for card in shown.cards]
        for _ in range(_ATTEMPTS):
            choice = self.random.choice(missing.allowed)
            if choice in self.edition.game.dealing.late:
                if self._bet_late(request, choice, bets):
                    return True
                continue
            for words in self._wordings(choice, hand):
                if self._is_taken(replace(request, choices=(*choices, words))):
                    choices.append(words)
                    return True
        return False

    def _wordings(self, choice: str, hand: list[int]) -> Iterator[str]:
        """A choice as it is, or with some of the hand's cards named."""
        yield choice
        for count in (2, 2, 1, 3):
            if len(hand) > count:
                yield f"{choice} {show_cards(self.random.sample(hand, count))}"

    def _bet_late(self, request: Request, wager: str, bets: dict[str, int]) -> bool:
        most = bets.get(self.edition.game.wagers[wager].needs, 0)
        limits = self.edition.wagers[wager].limits
        for cents in (most // 2, most // 4, limits.min_cents):
            tried = {**bets, wager: cents}
            if limits.min_cents <= cents <= limits.max_cents and self._is_taken(replace(request, bets=tried)):
                bets[wager] = cents
                return True
        return False

    def _is_taken(self, request: Request) -> bool:
        try:
            self.edition.game.play(request)
        except (MissingCard, MissingChoice):
            return True
        except Refused:
            return False
        return True

    def _keep(self, one: CorpusRound, results: set[tuple[str, str]], own: tuple[int, ...]) -> None:
        self.corpus.rounds.append(one)
        self.seen.update(results)
        for result in results:
            if self.seen[result] <= EACH_OUTCOME:
                self.rare.setdefault(result, []).append((one.settings, own or one.cards))

    def _find_rare(self) -> None:
        """Deal stacked shoes for each outcome that is still rare, as long as that may help."""
        for table in range(len(self.tables)):
            self._add(table)
        for name in self.edition.wagers:
            for outcome in self.edition.game.wagers[name].outcomes:
                for _ in range(TRIALS):
                    if self.seen[name, outcome.id] >= EACH_OUTCOME:
                        break
                    self._add(self.random.randrange(len(self.tables)), self._stacked, name, (name, outcome.id))
