"""One player's rounds for exercises: dealt fairly from a number, or looked for on purpose where something rare is to be shown.

What is rare comes from rounds on which the behaviour of the game's rules is pinned; where there are none, from stacked shoes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from threading import Lock

from houseway.approval.corpus import Corpus, CorpusRound, Maker
from houseway.cards import JOKER, SUITS, show_cards, take
from houseway.kernels.compiled import Ints
from houseway.money import CHIPS
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import COMMUNITY, DEALER, MissingCard, MissingChoice, Play, Request, Value
from houseway.rulebook.settings import Settings
from houseway.rulebook.settle import Settlement, check_bets, pay_result
from houseway.table.bound import read_document
from houseway.table.unfold import Unfolded, first_tape
from houseway.table.washington import SMALL_CENTS, check_washington
from houseway.train.guests import GuestHabits

USUAL_CHIPS = tuple(cents for cents, _ in CHIPS)
ROUND_AMOUNTS, ODD_AMOUNTS = (
    (500, 1_000, 1_500, 2_500, 5_000, 10_000, 15_000),
    (700, 1_700, 3_200, 3_500, 6_200, 8_700, 13_500, 22_500),
)
SIDE_AMOUNTS = (100, 200, 500, 500, 700, 1_000, 1_300, 2_500)
DAY = "2026-05-01"
"""Of the law that holds at an exercise's table."""
TRIES_FAIR, TRIES_STACKED, TRIES_BESIDES = 8, 1_000, 60
"""Where there are pinned rounds, what is in none of them is hardly possible, and is tried a few times only."""
MOST_FOUND = 100
MOST_PINNED = 1_500
"""Of the pinned rounds the rare ones come first."""
LATE_SHARE, PICKED_SHARE = 0.3, 0.25
"""How often a guest places a bet that is offered in mid-round, and how often he names cards himself."""
Wanted = Callable[["DealtRound"], bool]


@dataclass(frozen=True)
class DealtRound:
    """One player's round, played out and paid."""

    cards: tuple[int, ...]
    choices: tuple[str, ...]
    bets: Mapping[str, int]
    others: tuple[tuple[int, ...], ...]
    play: Play
    settlement: Settlement


@dataclass(frozen=True, eq=False)
class Lesson:
    """What exercises are made of: an edition as a table has it set, and the chips of its tray, the largest first."""

    edition: Edition
    settings: Settings
    chips: tuple[int, ...] = USUAL_CHIPS

    @cached_property
    def encoded(self) -> Ints:
        """The settings as compiled rules read them."""
        return self.edition.game.encode(self.settings)

    def wager_name(self, wager: str) -> str:
        """A wager as people call it."""
        return self.edition.name_of(wager)

    def outcome_name(self, wager: str, outcome: str) -> str:
        """An outcome in words."""
        names = {each.id: each.name for each in self.edition.game.wagers[wager].outcomes}
        return names.get(outcome, outcome.replace("-", " "))

    def deal(self, number: int, wanted: Wanted | None = None) -> tuple[DealtRound, bool]:
        """The round of a number, and whether it was looked for; refused where nothing that is wanted can be found."""
        maker = Rounds(self, number)
        for trial in range(TRIES_FAIR):
            if (deal := maker.one()) and (wanted is None or wanted(deal)):
                return deal, trial > 0 and wanted is not None
        assert wanted is not None, "no round of this game comes to an end"
        if found := list(islice(filter(wanted, self.pinned.each()), MOST_FOUND)):
            return self._as_guests_play(maker, self._in_other_suits(maker, found[number % len(found)], wanted), wanted), True
        for _ in range(TRIES_BESIDES if self.pinned.any else TRIES_STACKED):
            if (deal := maker.one(stacked=True)) and wanted(deal):
                return deal, True
        raise Refused("no-such-case", f"{self.edition.name}: no round of that kind came, by chance or looked for")

    @cached_property
    def pinned(self) -> "_Pinned":
        """The pinned rounds of the game that are possible under these settings."""
        return _Pinned(self)

    @cached_property
    def guests(self) -> GuestHabits:
        """How its guests decide."""
        return GuestHabits(self.edition, self.settings, self.encoded)

    def settled(self, one: CorpusRound) -> DealtRound | None:
        """A round as it is settled here; nothing if it is not possible."""
        edition, settings = self.edition, self.settings
        if not one.bets.keys() <= edition.wagers.keys():
            return None
        request = Request(one.cards, one.choices, one.bets, settings, self.encoded, one.others, offered=edition.offered)
        try:
            check_bets(edition, one.bets, settings)
            take(edition.game.shoe(settings), [*one.cards, *(card for hand in one.others for card in hand)])
            play = edition.game.play(request)
            payments = (pay_result(edition, result, one.bets, settings) for result in play.results)
            paid = tuple(payment for payment in payments if payment)
        except (Refused, KeyError, AssertionError):  # rounds that must be refused are pinned as well
            return None
        steps = tuple(replace(step, clause=edition.cites.get(step.clause, step.clause)) for step in play.steps)
        return DealtRound(one.cards, one.choices, one.bets, one.others, play, Settlement(steps, paid))

    def own_cards(self, deal: DealtRound) -> tuple[int, ...]:
        """The first cards of the player's own in a round; none where all bet on the same hands."""
        dealing = self.edition.game.dealing
        order = dealing.order((1,), self.settings, 1)
        own, dealers, middle = (range(100 * n, 100 * n + order.count(who)) for n, who in enumerate((1, DEALER, COMMUNITY)))
        if not own:
            return ()
        tape = first_tape(dealing, Unfolded([], hands={COMMUNITY: list(middle)}, order=order), tuple(own), tuple(dealers))
        return tuple(card for mark, card in zip(tape, deal.cards, strict=False) if mark in own)

    def _in_other_suits(self, maker: "Rounds", deal: DealtRound, wanted: Wanted) -> DealtRound:
        """The round with its suits changed for one another, where it still has what is wanted: few are found."""
        suits = maker.random.sample(range(len(SUITS)), len(SUITS))
        others = tuple(in_suits(suits, hand) for hand in deal.others)
        other = self.settled(CorpusRound(0, in_suits(suits, deal.cards), deal.choices, deal.bets, others))
        return other if other and wanted(other) else deal

    def _as_guests_play(self, maker: "Rounds", deal: DealtRound, wanted: Wanted) -> DealtRound:
        """The same cards with amounts that somebody would bet and decisions of a guest's, where it still has what is wanted."""
        bets = maker.lawful({name: maker.amount(name) for name in deal.bets})
        with_bets = self.settled(CorpusRound(0, deal.cards, deal.choices, bets, deal.others)) or deal
        if not wanted(with_bets):  # such as a prize that needs a larger bet
            with_bets = deal
        again = maker.played_again(with_bets) if deal.choices else None
        return again if again and wanted(again) else with_bets


def in_suits(suits: Sequence[int], cards: Iterable[int]) -> tuple[int, ...]:
    """Cards with each suit in the place of another; a joker has none."""
    return tuple(card if card >= JOKER else card // len(SUITS) * len(SUITS) + suits[card % len(SUITS)] for card in cards)


def slug(words: str) -> str:
    """Words as a name that can be typed."""
    return "-".join("".join(letter if letter.isalnum() else " " for letter in words.lower()).split())


@lru_cache(maxsize=64)
def lesson_of(document: str, chosen: tuple[tuple[str, Value], ...] = (), chips: tuple[int, ...] = USUAL_CHIPS) -> Lesson:
    """The lesson of an edition's content, as a table has it set: the same one each time, so that what it found is kept."""
    edition = read_document(document)
    return Lesson(edition, edition.settings(dict(chosen)), chips)


class _Pinned:
    """Rounds that are played one after the other, as far as somebody looks, and once each."""

    def __init__(self, lesson: Lesson) -> None:
        files = sorted(lesson.edition.game.folder.glob("pins/*.corpus.xz"))
        rounds = (one for file in files for one in _rounds_in(file))
        self._played: list[DealtRound] = []
        self._left = (deal for one in rounds if (deal := lesson.settled(one)))
        self._lock = Lock()

    @property
    def any(self) -> bool:
        """Whether there are some."""
        return next(self.each(), None) is not None

    def each(self) -> Iterator[DealtRound]:
        """All of them, from the first."""
        place = 0
        while True:
            with self._lock:  # of several who look at once, one plays the next
                if place == len(self._played):
                    if (deal := next(self._left, None)) is None:
                        return
                    self._played.append(deal)
            yield self._played[place]
            place += 1


@lru_cache(maxsize=8)
def _rounds_in(file: Path) -> tuple[CorpusRound, ...]:
    return tuple(Corpus.load(file).rounds[:MOST_PINNED])


class Rounds(Maker):
    """Makes rounds as the corpus does, with bets in chips, and mostly as a seat decides that says nothing."""

    def __init__(self, lesson: Lesson, number: int) -> None:
        super().__init__(lesson.edition, number)
        self.lesson = lesson
        self.tables = [(lesson.settings, lesson.encoded)]

    def one(self, stacked: bool = False) -> DealtRound | None:
        """A round, if it comes to its end."""
        self.corpus.rounds.clear()
        self._add(0, self._stacked if stacked else None)
        return self.lesson.settled(self.corpus.rounds[0]) if self.corpus.rounds else None

    def fair_shoe(self) -> list[int]:
        """A shoe as it is shuffled, the first card first."""
        return self._fair(self.edition.game.shoe(self.lesson.settings))

    def stacked_shoe(self, shoe: tuple[int, ...]) -> list[int]:
        """One whose first cards make something rare."""
        return self._stacked(shoe)

    def first_cards(self, cards: list[int]) -> list[int]:
        """The first deal of a shoe as the rules read it; they are taken from it."""
        return self._first_cards(self.lesson.settings, cards)[0]

    def bets(self) -> dict[str, int]:
        """What a seat bets."""
        while not (bets := self._bets(self.lesson.settings)):
            continue
        return bets

    def amount(self, wager: str) -> int:
        """What somebody bets on a wager: in chips, and often an odd amount."""
        game, limits, pick = self.edition.game, self.edition.wagers[wager].limits, self.random
        is_side = bool(game.wagers[wager].needed(self.lesson.settings)) or game.wagers[wager].counts_as != "base"
        cents = pick.choice(SIDE_AMOUNTS if is_side else pick.choice((ROUND_AMOUNTS, ODD_AMOUNTS)))
        return min(max(cents, limits.min_cents), limits.max_cents)

    def _bets(self, settings: Mapping[str, Value], wanted: str = "") -> dict[str, int]:
        bets = {name: self.amount(name) for name in super()._bets(self.lesson.settings, wanted)}
        return self.lawful(bets)

    def lawful(self, bets: dict[str, int]) -> dict[str, int]:
        """The bets with small side bets, and without the last ones, where the law does not allow all beside one another."""
        small = {name: cents if self.edition.game.wagers[name].counts_as == "base" else min(cents, SMALL_CENTS)
                 for name, cents in bets.items()}  # fmt: skip
        for allowed in (bets, *(dict(list(small.items())[:many]) for many in range(len(small), 0, -1))):
            try:
                check_washington(self.edition, allowed, DAY)
            except Refused:
                continue
            return allowed
        return {}

    def _keep(self, one: CorpusRound, results: set[tuple[str, str]], own: tuple[int, ...]) -> None:
        """The round alone: what else a corpus remembers hangs on the order of a set, which differs between processes."""
        self.corpus.rounds.append(one)

    def _with_bet(self, bets: Mapping[str, int]) -> list[str]:
        chosen = self.lesson.settings
        parts = [setting for wager, setting in self.edition.game.dealing.with_bet.items() if wager in bets]
        return [str(self.random.choice(self.edition.approved.get(setting, (chosen[setting],)))) for setting in parts]

    def played_again(self, deal: DealtRound) -> DealtRound | None:
        """The cards of a round again, decided as guests do; others come after them where more are wanted."""
        edition, settings = self.edition, self.lesson.settings
        left = [card for card, copies in enumerate(take(edition.game.shoe(settings), [*deal.cards, *_all(deal.others)]))
                for _ in range(copies)]  # fmt: skip
        self.random.shuffle(left)
        first = self._first_cards(settings, list(deal.cards))[0]
        if len(first) > len(deal.cards):
            return None
        tape, after, bets = list(deal.cards[: len(first)]), [*deal.cards[len(first) :], *left], dict(deal.bets)
        of_bets = {str(v) for s in edition.game.dealing.with_bet.values() for v in edition.approved.get(s, ())}
        choices = [choice for choice in deal.choices if choice in of_bets]
        for _ in range(80):
            request = Request(
                tuple(tape), tuple(choices), bets, settings, self.lesson.encoded, deal.others, True, edition.offered
            )
            try:
                edition.game.play(request)
            except MissingCard:
                tape.append(after.pop(0))
            except MissingChoice as missing:
                choices.append(self.lesson.guests.say(missing, self.random))
            except Refused:
                return None
            else:
                return self.lesson.settled(CorpusRound(0, tuple(tape), tuple(choices), bets, deal.others))
        return None

    def _choose(self, request: Request, missing: MissingChoice, choices: list[str], bets: dict[str, int]) -> bool:
        """As a guest decides: now and then with a bet that is offered in mid-round, or with cards that he names."""
        game, pick = self.edition.game, self.random
        self.offered |= set(missing.allowed)
        late = [name for name in missing.allowed if name in game.dealing.late]
        if late and pick.random() < LATE_SHARE and self._bet_late(request, pick.choice(late), bets):
            return True
        hand, faces = [card for shown in missing.hands for card in shown.cards], game.face.choices
        for name in (name for name in missing.allowed if name in faces and faces[name].picks):
            words = f"{name} {show_cards(pick.sample(hand, faces[name].picks))}"
            if pick.random() < PICKED_SHARE and self._is_taken(_with(request, words)):
                choices.append(words)
                return True
        said = self.lesson.guests.say(missing, pick)
        if self._is_taken(_with(request, said)):
            choices.append(said)
            return True
        return super()._choose(request, missing, choices, bets)


def _all(hands: Iterable[tuple[int, ...]]) -> list[int]:
    return [card for hand in hands for card in hand]


def _with(request: Request, choice: str) -> Request:
    return replace(request, choices=(*request.choices, choice))
