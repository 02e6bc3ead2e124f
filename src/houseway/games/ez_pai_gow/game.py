"""EZ Pai Gow as a game: its wagers and how their deals are counted."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from houseway.cards import JOKER, fresh_shoe
from houseway.kernels.compiled import Ints, Rule
from houseway.kernels.count import Progress, count, count_by_suits
from houseway.kernels.deal import deal_by_class, deal_of_shoe
from houseway.kernels.sample import sample
from houseway.rulebook.game import DEALER, Dealing, Game, Outcome, Recipient, Shoe, Tally, Value, Wager, by_id

from . import rules
from .house_way import BACKS, FRONTS, base_by_house_way, house_way_result
from .house_ways import house_way
from .outcomes import BASE_OUTCOMES, COLOUR_OUTCOMES, DYNASTY_OUTCOMES, PROTECTION_OUTCOMES
from .ranking import CATEGORIES
from .round import BLACK, RED, advise, play, resolve_dynasty, resolve_protection, resolve_red_black
from .switches import SWITCHES

FULL_DECK = fresh_shoe(1, jokers=1)
SIMULATED_ROUNDS = 1 << 21
COLOURS = (
    tuple(card for card in range(52) if card & 3 in (1, 2)),
    tuple(card for card in range(52) if card & 3 in (0, 3)),
    (JOKER,),
)


class SevenCards:
    """Counts the outcomes of a rule over all seven-card hands; a full deck by suit patterns, any other card by card."""

    def __init__(self, rule: Rule, outcomes: tuple[Outcome, ...]) -> None:
        self.rule, self.outcomes = rule, len(outcomes)
        self._count = cache(self._count_once)

    def __call__(self, shoe: Shoe, settings: Ints, progress: Progress | None = None) -> Tally:
        """Count, or remember the count."""
        return self._count(shoe, tuple(settings.tolist()), progress)

    def _count_once(self, shoe: Shoe, settings: tuple[int, ...], progress: Progress | None) -> Tally:
        numbers = np.array(settings, np.int64)
        if shoe == FULL_DECK:
            return Tally(count_by_suits(self.rule, 7, 1, numbers, self.outcomes, progress))
        return Tally(count(self.rule, deal_of_shoe(shoe, (7,)), numbers, self.outcomes, progress))

    def without_each_rank(self, shoe: Shoe, settings: Ints) -> tuple[Tally, ...]:
        """The tally of the full deck less one card of each rank 2..A, and less the joker.

        By symmetry a given card of a rank is in a quarter of (hands x cards of that rank in them).
        """
        held = np.zeros((14, self.outcomes), np.int64)
        whole = count_by_suits(self.rule, 7, 1, settings, self.outcomes, held=held)
        copies = [4] * 13 + [1]
        return tuple(
            Tally(tuple(n - int(h) // copies[rank] for n, h in zip(whole, held[rank], strict=True))) for rank in range(14)
        )


count_dynasty = SevenCards(rules.dynasty, DYNASTY_OUTCOMES)
count_protection = SevenCards(rules.protection, PROTECTION_OUTCOMES)


def count_colours(shoe: Shoe, settings: Ints, progress: Progress | None = None) -> Tally:
    """Red/Black looks only at colours: two classes of cards and the joker."""
    deal = deal_by_class(shoe, COLOURS, (7,))
    return Tally(count(rules.red_black, deal, settings, len(COLOUR_OUTCOMES)))


def sample_base(shoe: Shoe, settings: Ints, progress: Progress | None = None) -> Tally:
    """Both hands set by the House Way: too many deals to enumerate, so a sample with its error."""
    deal = deal_of_shoe(shoe, (7, 7))
    tally = sample(base_by_house_way, deal, settings, len(BASE_OUTCOMES), SIMULATED_ROUNDS, progress=progress)
    return Tally(tally, method="simulated")


@dataclass(frozen=True)
class HouseWayCount:
    """What a House Way makes of every seven-card hand: fronts (`T9`, `AA`), backs, and sets that would have fouled."""

    fronts: dict[str, int]
    backs: dict[str, int]
    fouls: int

    def as_data(self) -> dict[str, object]:
        """As plain data."""
        return {"fronts": self.fronts, "backs": self.backs, "fouls": self.fouls}


def count_house_way(values: Mapping[str, Value], progress: Progress | None = None) -> HouseWayCount:
    """Set every seven-card hand."""
    tally = count_by_suits(house_way_result, 7, 1, GAME.encode(values), FRONTS * 2 * BACKS, progress)
    names = "?23456789TJQKA"
    fronts = {names[high] + names[low]: 0 for high in range(1, 14) for low in range(1, high)}
    fronts |= {names[rank] * 2: 0 for rank in range(1, 14)}
    backs, fouls = dict.fromkeys(CATEGORIES, 0), 0
    for place, hands in enumerate(tally):
        if hands:
            front, back, foul = place // (2 * BACKS), place % (2 * BACKS) // 2, place % 2
            fronts[names[front // 14] + names[front % 14]] += hands
            backs[CATEGORIES[back]] += hands
            fouls += hands * foul
    return HouseWayCount(fronts, backs, fouls)


def _refuse_fully_wild(settings: Mapping[str, Value]) -> str:
    if settings["joker"] == "full" and settings["R15"] == "refused":
        return "its pay table is made for a semi-wild joker: R15=accepted takes the computed edge"
    return ""


"""R6b: bonus wagers without a base wager."""


def _envy_needs(settings: Mapping[str, Value]) -> str:
    """R6: whose hands win envy, those with a base wager or those with a Dynasty wager."""
    return "base" if settings["R6"] == "other-players-with-base-wager" else "dynasty"


def _extra_settings(settings: Mapping[str, Value]) -> Ints:
    return house_way(str(settings["house-way"])).settings()


ALONE = ("R6b", "yes")
"""R6b: whether a bonus may be bet without the base wager."""
COUNTER_CLOCKWISE: tuple[Recipient, ...] = (6, 5, 4, 3, 2, 1, DEALER)
"""EPG-7: the dealer comes after position 1, and is number 7 (R14)."""


def _deal_order(seats: tuple[int, ...], settings: Mapping[str, Value], dice: int) -> tuple[Recipient, ...]:
    """EPG-6, EPG-7: seven cards at a time, counter-clockwise from the number thrown, to every position.

    EPG-7b: or only to positions with a wager; if the number falls on an empty one, the next of them is first, and the
    dealer keeps his place after position 1.
    """
    first: Recipient = DEALER if dice == 7 else dice
    if settings["deal"] != "wagered-positions":
        return _seven_each(_turned(first))
    if settings["empty-start"] == "next-wager" and first != DEALER:
        first = next(who for who in _turned(first) if who in seats)
    return _seven_each(tuple(who for who in _turned(first) if who == DEALER or who in seats))


def _turned(first: Recipient) -> tuple[Recipient, ...]:
    start = COUNTER_CLOCKWISE.index(first)
    return COUNTER_CLOCKWISE[start:] + COUNTER_CLOCKWISE[:start]


def _seven_each(hands: tuple[Recipient, ...]) -> tuple[Recipient, ...]:
    return tuple(who for who in hands for _ in range(7))


GAME = Game(
    package=__package__,
    name="EZ Pai Gow",
    wagers=by_id(
        Wager(
            "base",
            "Base wager",
            "EPG-2",
            BASE_OUTCOMES,
            sample_base,
            cards=14,
            strategy="the player sets by the House Way",
            simulated=True,
        ),
        Wager(
            "dynasty",
            "Dynasty Bonus",
            "EPG-3",
            DYNASTY_OUTCOMES,
            count_dynasty,
            cards=7,
            counts_as="dynasty",
            needs="base",
            needs_unless=ALONE,
            resolve=resolve_dynasty,
            envy_needs=_envy_needs,
            envy_own_seats=("own-seat-envy", "won"),
            removals=count_dynasty.without_each_rank,
            refuses=_refuse_fully_wild,
        ),
        Wager(
            "protection",
            "Protection",
            "EPG-4",
            PROTECTION_OUTCOMES,
            count_protection,
            cards=7,
            counts_as="protection",
            needs="base",
            needs_unless=ALONE,
            resolve=resolve_protection,
            removals=count_protection.without_each_rank,
            refuses=_refuse_fully_wild,
        ),
        Wager(
            "red-black",
            "Red/Black",
            "EPG-5",
            COLOUR_OUTCOMES,
            count_colours,
            cards=7,
            counts_as="red-black",
            needs="base",
            needs_unless=ALONE,
            resolve=resolve_red_black,
            choices=(RED, BLACK),
        ),
    ),
    switches=SWITCHES,
    shoe=lambda _: FULL_DECK,
    play=play,
    dealing=Dealing(
        seats=6,
        order=_deal_order,
        tape=lambda seat, dealer: seat + dealer,
        dice_sides=7,
        with_bet={"red-black": "colour"},
        default_choice="house-way",
        fresh_deck=True,
        unkeyed_if=("keyed", "wagered-hands"),
        hands_face_up=False,
    ),
    advise=advise,
    extra_settings=_extra_settings,
)
