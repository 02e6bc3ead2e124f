"""Blackjack by combinatorial analysis: the value of every choice with every hand, for any shoe and all switches.

Hands are multisets of ten values (ace, 2 ... 9, ten); a hand's value depends on its own cards and the dealer's up-card,
which are gone from the shoe. Every kernel here is one plain function without calls: compiled it works on floats, and
interpreted, unchanged, on exact fractions.

"""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import perm
from os import cpu_count
from typing import Any, NamedTuple

import numpy as np

from houseway.kernels.compiled import Ints, helper, plain
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Value

from ..outcomes import BLACKJACK_OUTCOMES
from .dealer import Dealer
from .hands import DONE, DOUBLE, HIT, SPLIT, STAND, SURRENDER, Numbers, Spots, fraction, player_hands
from .rulings import LOSS, TEN, VALUES, Held, Rulings, ranks_of, two_of, value_of
from .split import SplitHand, work_out
from .together import together_to_blackjack

NET = (1, 0, -1)
"""What a win, a push and a loss count."""


class FirstCards(NamedTuple):
    """The first two cards and the up-card, and how likely they are.

    `left` is None, but for two tens of one rank where tens are split by rank: how many more of their rank the shoe has.
    """

    hand: Held
    up: int
    left: int | None
    chance: Fraction


@dataclass(frozen=True)
class BlackjackRules:
    """The switches of a table, as the analyser reads them.

    `counts` are the cards of each value, `tens` those of the four ranks that count ten; `rulings` is what the game's rules
    say under these switches. Where there is no hole card, but a blackjack takes original bets only, the dealer `peeks`: all
    is worked out as if he did, and what it takes more is added (`busted_and_one`: also one of a split with a bust, R20).
    """

    counts: tuple[int, ...]
    tens: tuple[int, ...]
    rulings: Rulings
    double_after_split: bool
    hands_most: int
    aces: str
    surrender: str
    peeks: bool
    original_bets_only: bool
    blackjack_pays: Fraction
    blackjacks_pay: Fraction
    surrender_pays: Fraction
    busted_and_one: bool = False

    @classmethod
    def of(cls, edition: Edition, settings: Mapping[str, Value]) -> "BlackjackRules":
        """The rules of an edition under these settings."""
        shoe, rulings = edition.game.shoe(settings), Rulings.of(edition.game.encode(settings))
        counts = [0] * VALUES
        for card, copies in enumerate(shoe):
            if copies:
                counts[value_of(card)] += copies
        nets = {outcome.id: edition.pay("blackjack", outcome.id, settings).net for outcome in BLACKJACK_OUTCOMES}
        if [nets[id_] for id_ in ("win", "push", "lose")] != [Fraction(net) for net in NET]:
            raise Refused("not-solved", "blackjack is solved for even money only: a win, a push and a loss of 1, 0 and -1")
        return cls(
            counts=tuple(counts),
            tens=tuple(sum(shoe[4 * rank : 4 * rank + 4]) for rank in ranks_of(TEN)),
            rulings=rulings,
            double_after_split=settings["double-after-split"] == "yes",
            hands_most=int(settings["split-hands"]),
            aces=str(settings["split-aces"]),
            surrender=str(settings["surrender"]),
            peeks=settings["hole-card"] != "none",
            original_bets_only=settings["hole-card"] == "none-original-bets-only",
            blackjack_pays=nets[BLACKJACK_OUTCOMES[rulings.natural_alone].id],
            blackjacks_pay=nets[BLACKJACK_OUTCOMES[rulings.natural_both].id],
            surrender_pays=nets["surrender"],
            busted_and_one=settings["R20"] == "busted-and-one",
        )

    def without(self, value: int) -> "BlackjackRules":
        """The same with a card of a value gone."""
        counts = tuple(count - (at == value) for at, count in enumerate(self.counts))
        return replace(self, counts=counts, tens=(self.tens[0] - (value == TEN), *self.tens[1:]))

    def more_of_rank(self, cards: tuple[int, ...], up: int) -> int | None:
        """Of two tens of one rank, where tens are split by rank, how many more of their rank the shoe has."""
        ranks, tens = [card >> 2 for card in cards], ranks_of(TEN)
        if self.rulings.splits_tens or ranks[0] != ranks[1] or ranks[0] not in tens:
            return None
        return self.tens[tens.index(ranks[0])] - 2 - (up >> 2 == ranks[0])

    def against_blackjack(self, hand: Held) -> int:
        """What a hand that is none comes to against the dealer's blackjack."""
        return NET[self.rulings.results[self.rulings.total(hand)][self.rulings.blackjack]]


@helper
def _values(
    table: Ints, counts: Ints, gone: Ints, following: Ints, barred: int, fixed: Ints, doubles: Ints, ends: Numbers,
    pays: Numbers, bust: Numbers, worth: Numbers,
) -> None:  # fmt: skip
    """From how the dealer's hand ends, work out stand, hit and double for every hand, the highest points first.

    Then what is done; all for each row of further cards `gone` from the shoe of these `counts`. `pays` is what a hand is paid
    at each end. `barred` is the value that the dealer's hole card is known not to have (-1: nothing is known). A hand's `fixed`
    choice is stand, hit or double; -1 takes the better of stand and hit. Only hands that `doubles` marks are doubled.
    """
    lefts, last, nothing = counts.copy(), pays.shape[1], bust[0] * 0
    for others in range(gone.shape[0]):
        for row in range(table.shape[0]):
            stand, hit, double, cards = nothing, nothing, nothing, 0
            for value in range(10):
                lefts[value] = max(counts[value] - table[row, value] - gone[others, value], 0)
                cards += lefts[value]
            for end in range(last):
                stand = stand + ends[others, row, end] * pays[row, end]
            stand = stand / max(ends[others, row, last], 1)
            all_ways = cards
            if barred >= 0:
                all_ways = (cards - 1) * (cards - lefts[barred])
            if all_ways > 0 and cards > 1:
                for value in range(10):
                    ways = lefts[value]
                    if barred >= 0:
                        ways = ways * (cards - 1 - lefts[barred] + (value == barred))
                    after = following[row, value]
                    if ways > 0:
                        hit = hit + ways * (bust[0] if after < 0 else worth[others, after, 3])
                        if doubles[row]:
                            double = double + ways * (bust[0] if after < 0 else worth[others, after, 0])
                hit, double = hit / all_ways, 2 * double / all_ways
            options = (stand, hit, double)
            done = max(stand, hit) if fixed[row] < 0 else options[fixed[row]]
            worth[others, row, 0], worth[others, row, 1] = stand, hit
            worth[others, row, 2], worth[others, row, 3] = double, done


# The analysis


@dataclass
class Analysis:
    """A shoe and a table's rules, analysed: floats, or (`exact`) fractions."""

    rules: BlackjackRules
    exact: bool = False
    free_after_split: bool = False

    def __post_init__(self) -> None:
        rulings, peeks = self.rules.rulings, self.rules.peeks
        self.all = player_hands(self.rules.counts, rulings)
        self.doubles = self.all.doubles
        self.ups = [up for up in range(VALUES) if self.rules.counts[up]]
        self.dealers = {up: Dealer(self.rules.counts, up, rulings, peeks, self.exact) for up in self.ups}
        self.is_stopped = False
        self._spots: dict[int, Spots] = {}
        self._worth: dict[int, Numbers] = {}
        self._splits: dict[tuple[int, int, int | None], SplitHand] = {}
        self.split_ends: dict[tuple[int, int], Numbers] = {}
        self._fixed_after_split: dict[int, Ints] = {}
        self._options: dict[tuple[Held, bool], list[int]] = {}
        self._first_worths: dict[int, dict[Held, list[Any]]] = {}

    def number(self, value: Fraction | int) -> Any:
        """A number in the arithmetic of this analysis."""
        return Fraction(value) if self.exact else float(value)

    def shared(self, work: Callable[[int], object]) -> None:
        """Work on every up-card, on every processor."""
        self.is_stopped = False
        with ThreadPoolExecutor(cpu_count()) as pool:
            try:
                list(pool.map(work, self.ups))
            except BaseException:
                self.is_stopped = True
                pool.shutdown(cancel_futures=True)
                raise

    def go_on(self) -> None:
        """Give up here if another up-card failed, or a key was pressed to stop."""
        if self.is_stopped:
            raise CancelledError

    def ends(self, up: int, gone: Ints) -> Numbers:
        """For rows of cards gone besides the up-card, the ways to each end of the dealer's hand; last, all ways."""
        return self.dealers[up].ends(gone + np.eye(VALUES, dtype=np.int64)[up])

    def play(self, spots: Spots, fixed: Ints, pays: tuple[int, ...] = NET) -> Numbers:
        """What standing, hitting, doubling and what is done are worth with these hands, by what more is gone."""
        kind = object if self.exact else np.int64
        worth = np.full((*spots.ends.shape[:2], 4), self.number(0), object if self.exact else None)
        kernel = plain(_values) if self.exact else _values
        kernel(
            self.all.table[spots.rows].astype(kind),
            (np.array(self.rules.counts) - np.eye(VALUES, dtype=np.int64)[spots.up]).astype(kind),
            spots.more_gone,
            spots.following,
            self.dealers[spots.up].barred,
            fixed,
            self.doubles[spots.rows],
            spots.ends,
            np.array(pays, kind)[self.rules.rulings.result][self.all.totals[spots.rows]],
            np.array([self.number(pays[LOSS])]),
            worth,
        )
        return worth

    def _lefts(self, spots: Spots) -> Ints:
        """The cards that are left with these hands gone, and what else is gone first."""
        lefts = np.array(self.rules.counts) - self.all.table[spots.rows] - spots.more_gone[0]
        lefts[:, spots.up] -= 1
        return np.asarray(np.maximum(lefts, 0))

    def fixed(self, up: int) -> Ints:
        """How hands that were not split are played: stand or hit, -1 for the better."""
        return np.full(len(self.all.hands), -1)

    def spots(self, up: int) -> Spots:
        """Every hand against an up-card."""
        if up not in self._spots:
            every, nothing = np.arange(len(self.all.hands)), np.zeros((1, VALUES), np.int64)
            self._spots[up] = Spots(up, every, self.all.following, self.ends(up, self.all.table)[None], nothing)
        return self._spots[up]

    def worth(self, up: int) -> Numbers:
        """What each choice with every hand is worth against an up-card, and what is done."""
        if up not in self._worth:
            self._worth[up] = self.play(self.spots(up), self.fixed(up))[0]
            self._charge_doubles(self.spots(up), self._worth[up])
        return self._worth[up]

    def _charge_doubles(self, spots: Spots, worth: Numbers) -> None:
        """BJ-8, original bets only: take from doubles what a blackjack costs those that bust.

        Everything is worth what it is if there is no blackjack; so that is charged there, by how likely one is against none.
        """
        if not self.rules.original_bets_only or self.rules.rulings.natural_with[spots.up] < 0:
            return
        bust, odds = self.bust_to_blackjack(spots)
        worth[:, DOUBLE] = np.where(self.doubles[spots.rows], worth[:, DOUBLE] - odds * bust, worth[:, DOUBLE])

    def bust_to_blackjack(self, spots: Spots) -> tuple[Numbers, Numbers]:
        """The chance that the next card busts a hand if the dealer has a blackjack, and how likely that is against none."""
        hole, lefts = self.rules.rulings.natural_with[spots.up], self._lefts(spots)
        cards, naturals = lefts.sum(axis=1), lefts[:, hole].copy()
        lefts[:, hole] = np.maximum(naturals - 1, 0)
        busting = np.where(spots.following < 0, lefts, 0).sum(axis=1)
        divided = fraction if self.exact else np.divide
        return divided(busting, np.maximum(cards - 1, 1)), divided(naturals, np.maximum(cards - naturals, 1))

    def natural(self, hand: Held, up: int) -> Any:
        """The chance of a dealer's blackjack with this hand seen."""
        hole = self.rules.rulings.natural_with[up]
        if hole < 0:
            return self.number(0)
        left, cards = self.rules.counts[hole] - hand[hole], sum(self.rules.counts) - sum(hand) - 1
        return Fraction(left, cards) if self.exact else left / cards

    # Two cards

    def may_double(self, hand: Held) -> bool:
        """BJ-4: which two cards may be doubled."""
        return bool(self.doubles[self.all.place[hand]])

    def may_split(self, hand: Held, left: int | None = None) -> bool:
        """BJ-5: whether two cards are a pair, by value or by rank."""
        if max(hand) != 2:
            return False
        rulings, value = self.rules.rulings, hand.index(2)
        return rulings.pairs[value] and (value != TEN or rulings.splits_tens or left is not None)

    def options(self, hand: Held, up: int, left: int | None = None) -> list[int]:
        """What may be done with the first two cards."""
        kind = hand, left is not None
        if kind not in self._options:
            allowed = {
                DOUBLE: self.may_double(hand),
                SURRENDER: self.rules.surrender != "none",
                SPLIT: self.may_split(hand, left),
            }
            self._options[kind] = [STAND, HIT, *(choice for choice, is_allowed in allowed.items() if is_allowed)]
        return self._options[kind]

    def choice_worth(self, choice: int, hand: Held, up: int, left: int | None = None) -> Any:
        """What a choice with the first two cards is worth, once the dealer has no blackjack (where he looks)."""
        if choice == SPLIT:
            return self.split(hand.index(2), up, left).value() + self._charge_split(hand, up, left)
        if choice == SURRENDER:
            natural = self.natural(hand, up) if self.rules.surrender == "late" and not self.rules.peeks else self.number(0)
            return (1 - natural) * self.number(self.rules.surrender_pays) + natural * self.rules.against_blackjack(hand)
        return self.worth(up)[self.all.place[hand], choice]

    def _charge_split(self, hand: Held, up: int, left: int | None) -> Any:
        """BJ-8, original bets only: what a blackjack takes of a split besides one bet, by how likely one is against none."""
        natural = self.natural(hand, up)
        if not self.rules.original_bets_only or not natural:
            return 0
        spread = together_to_blackjack(self.split(hand.index(2), up, left))
        return natural / (1 - natural) * (1 + sum(net * chance for net, chance in spread.items()))

    def deal_worth(self, choice: int, hand: Held, up: int, left: int | None = None) -> Any:
        """What the first two cards are worth before the dealer looks, with what is then chosen."""
        if hand in self.rules.rulings.naturals:
            natural, both = self.natural(hand, up), self.number(self.rules.blackjacks_pay)
            return (1 - natural) * self.number(self.rules.blackjack_pays) + natural * both
        if choice == SURRENDER and self.rules.surrender == "early":
            return self.number(self.rules.surrender_pays)
        return self.before_look(self.choice_worth(choice, hand, up, left), hand, up)

    def before_look(self, worth: Any, hand: Held, up: int) -> Any:
        """What a hand is worth before the dealer looks, from what it is worth once he has no blackjack."""
        natural = self.natural(hand, up)
        if not natural or not self.rules.peeks:
            return worth
        return (1 - natural) * worth + natural * self.rules.against_blackjack(hand)

    def choices(self, hand: Held, up: int, left: int | None = None) -> dict[int, Any]:
        """What each choice with the first two cards is worth: once the dealer has no blackjack where he looks, else before."""
        looks = self.rules.peeks and not self.rules.original_bets_only
        if hand in self.rules.rulings.naturals:
            return {STAND: self.number(self.rules.blackjack_pays) if looks else self.deal_worth(STAND, hand, up)}
        value = self.choice_worth if looks else self.deal_worth
        return {choice: value(choice, hand, up, left) for choice in self.options(hand, up, left)}

    def worths(self, options: list[int], hand: Held, up: int, left: int | None = None, worse: bool = False) -> dict[int, Any]:
        """What options are worth before the dealer looks.

        A split that is worse before a blackjack takes its part is left out, unless that (`worse`) is asked for as well.
        """
        first = self.first_worths(up)[hand]
        worths = {choice: first[choice] for choice in options if choice < len(first)}
        if SURRENDER in options:
            worths[SURRENDER] = self.deal_worth(SURRENDER, hand, up, left)
        if SPLIT in options:
            at_most = self.before_look(self.split(hand.index(2), up, left).value(), hand, up)
            if worse or at_most > max(worths.values(), default=at_most - 1):
                worths[SPLIT] = self.deal_worth(SPLIT, hand, up, left)
        return worths

    def first_worths(self, up: int) -> dict[Held, list[Any]]:
        """What standing, hitting and doubling the first two cards are worth before the dealer looks."""
        if up not in self._first_worths:
            rows = list(self.all.twos.values())
            worth, kind = self.worth(up)[rows, :DONE], object if self.exact else np.float64
            if self.rules.peeks and self.rules.rulings.natural_with[up] >= 0:
                natural = np.array([[self.natural(hand, up)] for hand in self.all.twos], kind)
                lost = np.array([[self.rules.against_blackjack(hand)] for hand in self.all.twos], kind)
                worth = (1 - natural) * worth + natural * lost
            self._first_worths[up] = dict(zip(self.all.twos, worth.tolist(), strict=True))
        return self._first_worths[up]

    def decide(self, hand: Held, up: int, left: int | None = None) -> tuple[int, Any]:
        """The best choice with the first two cards, and what they are worth with it before the dealer looks."""
        if hand in self.rules.rulings.naturals:
            return STAND, self.deal_worth(STAND, hand, up)
        worths = self.worths(self.options(hand, up, left), hand, up, left)
        best = max(worths, key=lambda choice: worths[choice])
        return best, worths[best]

    def split(self, pair: int, up: int, left: int | None = None) -> SplitHand:
        """A pair, split."""
        if (pair, up, left) not in self._splits:
            self._split_all(up, [(pair, left)])
        return self._splits[pair, up, left]

    def _split_all(self, up: int, pairs: Iterable[tuple[int, int | None]]) -> None:
        """Split pairs against an up-card, all in one go."""
        splits = [self.new_split(pair, up, left) for pair, left in pairs if (pair, up, left) not in self._splits]
        if splits:
            work_out(splits)
            self._splits |= {(split.pair, up, split.of_rank): split for split in splits}

    def new_split(self, pair: int, up: int, left: int | None) -> SplitHand:
        """A pair, split, of which nothing is worked out."""
        return SplitHand(self, pair, up, left)

    def fixed_after_split(self, pair: int, up: int, rows: Ints, following: Ints) -> Ints:
        """How these hands are played after a split: as the same cards before one, or (free) as is best after one."""
        if not self.free_after_split:
            if up not in self._fixed_after_split:
                self._fixed_after_split[up] = self._best_after_split(self.worth(up), self.doubles)
            fixed: Ints = self._fixed_after_split[up][rows]
            return fixed
        one_more = np.eye(VALUES, dtype=np.int64)[[pair]]
        ends = self.ends(up, self.all.table[rows] + one_more)
        spots = Spots(up, rows, following, ends[None], one_more)
        worth = self.play(spots, np.full(len(rows), -1))[0]
        self._charge_doubles(spots, worth)
        return self._best_after_split(worth, self.doubles[rows])

    def _best_after_split(self, worth: Numbers, may_double: Ints) -> Ints:
        """The best that hands may do after a split, by what each choice is worth."""
        fixed = np.asarray(worth[:, HIT] > worth[:, STAND], np.int64)
        if self.rules.double_after_split:
            better = np.asarray(worth[:, DOUBLE] > np.maximum(worth[:, STAND], worth[:, HIT]), bool)
            fixed[may_double & better] = DOUBLE
        return fixed

    # The whole game

    def deals(self) -> list[FirstCards]:
        """Every two cards and up-card; tens of one rank by themselves where that matters."""
        return [deal for up in self.ups for deal in self.deals_with(up)]

    def deals_with(self, up: int) -> tuple[FirstCards, ...]:
        """The deals with an up-card."""
        return _deals_with(up, self.rules.counts, () if self.rules.rulings.splits_tens else self.rules.tens)

    def value(self) -> Any:
        """What the game is worth to a player who always chooses the best."""
        worths = dict[int, Any]()

        def work(up: int) -> None:
            deals = self.deals_with(up)
            pairs = ((deal.hand.index(2), deal.left) for deal in deals if SPLIT in self.options(*deal[:3]))
            self._split_all(up, pairs)
            worths[up] = sum(self.number(deal.chance) * self.decide(*deal[:3])[1] for deal in deals)

        self.shared(work)
        return sum(worths[up] for up in self.ups)


@lru_cache(maxsize=32 * VALUES)
def _deals_with(up: int, counts: tuple[int, ...], tens: tuple[int, ...]) -> tuple[FirstCards, ...]:
    """Every two cards with an up-card; two tens of one rank by themselves if `tens` says how many cards each rank has."""
    deals, all_ways = list[FirstCards](), perm(sum(counts), 3)
    for a, b in combinations_with_replacement(range(VALUES), 2):
        hand = two_of(a, b)
        ways = (counts[a] * counts[b] * 2 if a != b else counts[a] * (counts[a] - 1)) * (counts[up] - hand[up])
        of_one_rank = _tens_of_one_rank(up, counts, tens) if hand[TEN] == 2 and ways > 0 else {}
        parts = [*of_one_rank.items(), (None, ways - sum(of_one_rank.values()))]
        deals += [FirstCards(hand, up, left, Fraction(like, all_ways)) for left, like in parts if like > 0]
    return tuple(deals)


def _tens_of_one_rank(up: int, counts: tuple[int, ...], tens: tuple[int, ...]) -> dict[int, int]:
    """By how many more of a rank are left, the ways to two tens of it and the up-card."""
    ways_by_left: dict[int, int] = {}
    for of_rank in tens:
        of_the_rank = max(of_rank - 2, 0) if up == TEN else 0
        others = counts[up] - (of_rank if up == TEN else 0)
        for left, ups in ((of_rank - 2, others), (of_rank - 3, of_the_rank)):
            ways_by_left[left] = ways_by_left.get(left, 0) + of_rank * (of_rank - 1) * ups
    return {left: ways for left, ways in ways_by_left.items() if ways}
