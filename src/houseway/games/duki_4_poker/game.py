"""Duki 4 Poker as a game: its wagers, how their deals are counted, and a round told step by step."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from houseway.cards import RANKS, fresh_shoe
from houseway.kernels.compiled import Ints
from houseway.kernels.count import Progress, count
from houseway.kernels.deal import deal_of_shoe
from houseway.refusal import Refused
from houseway.rulebook.game import (
    DEALER,
    CardCheck,
    DealerBets,
    Dealing,
    Game,
    MissingChoice,
    Outcome,
    Play,
    Recipient,
    Request,
    Result,
    Shoe,
    Shown,
    Step,
    Tally,
    Value,
    Wager,
    by_id,
)

from . import rules
from .switches import SWITCHES
from .tallies import tally_pairs

ROWS = (
    ("even-money", "even money"),
    ("high-card", "4-card Duki"),
    ("pair", "4-card Duki with a pair"),
    ("two-pair", "4-card Duki with two pair"),
    ("three-of-a-kind", "4-card Duki with three of a kind"),
    ("straight", "4-card Duki straight"),
    ("four-of-a-kind", "4-card Duki four of a kind"),
)
ANTE_OUTCOMES = (
    Outcome("fold", "Player folds"),
    Outcome("lose", "Dealer wins"),
    Outcome("push", "Equal Dukis"),
    *(Outcome(f"unqualified-{id_}", f"Dealer does not qualify: {name}", (id_, "unqualified")) for id_, name in ROWS),
    *(Outcome(f"win-{id_}", f"Player wins: {name}", (id_, "win")) for id_, name in ROWS),
)
BONUS_OUTCOMES = (
    Outcome("three-of-a-kind", "Three of a kind"),
    Outcome("straight", "Straight"),
    Outcome("pair-of-fours-or-better", "Pair of 4s or better"),
    Outcome("other", "All other"),
)
_CATEGORIES = ("high card", "pair", "two pair", "three of a kind", "straight", "four of a kind")
_PLURAL = ("twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks", "queens", "kings", "aces")
"""Ranks in the plural: `Js` would read as the jack of spades."""


def count_ante(shoe: Shoe, settings: Ints, progress: Progress | None = None) -> Tally:
    """Every pair of a player's and a dealer's hand, for a player who plays every Duki."""
    held = [card for card in range(52) if shoe[card]]
    hands = np.array(list(combinations(held, 4)), np.int64)
    return Tally(tally_pairs(hands, settings, len(ANTE_OUTCOMES)))


def count_bonus(shoe: Shoe, settings: Ints, progress: Progress | None = None) -> Tally:
    """Every four-card hand."""
    return Tally(count(rules.duki_bonus, deal_of_shoe(shoe, (4,)), settings, len(BONUS_OUTCOMES)))


def describe(score: int) -> str:
    """A Duki in words."""
    if score == rules.NO_DUKI:
        return "no Duki"
    kind, category = score >> 24, score >> 16 & 255
    name = "three of a kind" if kind == rules.THREE_CARD and category == rules.TRIPS_OF_THREE else _CATEGORIES[category]
    shifts = {"high card": 12 if kind == rules.FOUR_CARD else 8, "pair": 8 if kind == rules.FOUR_CARD else 4}
    shifts |= {"two pair": 4, "three of a kind": 4 if kind == rules.FOUR_CARD else 0}
    rank = score >> shifts.get(name, 0) & 15
    detail = f"{RANKS[rank]}-high" if name in {"straight", "high card"} else _PLURAL[rank]
    return f"{kind + 2}-card Duki, {name} ({detail})"


def _decision(request: Request, hand: Shown) -> str:
    if "ante" not in request.bets:
        if request.choices:
            raise Refused("bad-choice", "without an Ante there is no decision (D4P-2)")
        return "play"
    if len(request.choices) != 1 or request.choices[0] not in {"play", "fold"}:
        message = 'an Ante needs one choice, "play" or "fold"; given: '
        if not request.choices:
            raise MissingChoice(message + "nothing", ("play", "fold"), hands=(hand,))
        raise Refused("bad-choice", message + ", ".join(request.choices))
    return request.choices[0]


def _meet(player: int, dealer: int, settings: Ints) -> tuple[Outcome, str]:
    """The Ante's outcome, and the clause that decides it."""
    outcome = ANTE_OUTCOMES[rules.showdown(player, dealer, settings)]
    clause = {rules.NO_DUKI: "D4P-6", rules.FOUR_CARD: "D4P-7", rules.THREE_CARD: "D4P-8"}[dealer >> 24]
    return outcome, clause


def play(request: Request) -> Play:
    """Play a round out: the player's four cards, then the dealer's four (not needed after a fold or without an Ante)."""
    tape = _tape(request)
    player = int(rules.duki_score(tape, 0, request.encoded)) if len(tape) == 8 else rules.NO_DUKI
    hands = [Shown("player", request.cards[:4], describe(player))]
    decision = _decision(request, hands[0])
    showdown = "ante" in request.bets and decision == "play"
    needed = 8 if showdown else 4
    if len(request.cards) not in {needed, 8}:
        raise Refused("wrong-number-of-cards", f"{len(request.cards)} cards: {needed} are needed, four to each hand")
    steps = [_has(hands[0])]
    results: list[Result] = []
    if "ante" in request.bets and not showdown:
        steps.append(Step("folds", "D4P-2"))
        results.append(Result("ante", "fold", "D4P-2"))
    if showdown:
        dealer = int(rules.duki_score(tape, 4, request.encoded))
        hands.append(Shown("dealer", request.cards[4:], describe(dealer)))
        outcome, clause = _meet(player, dealer, request.encoded)
        steps += [Step("plays", "D4P-2"), _has(hands[1]), Step("result", clause, {"outcome": outcome.name})]
        results += [Result("ante", outcome.id, clause), Result("play", outcome.id, clause)]
    own = request.resolve_own()
    return Play((*steps, *own.steps), (*results, *own.results), tuple(hands))


def _tape(request: Request) -> Ints:
    return np.array((request.cards * 2)[:8], np.int64)


def _has(hand: Shown) -> Step:
    return Step(f"{hand.owner}-has", "D4P-4", {"owner": hand.owner, "cards": hand.cards, "worth": hand.worth})


def resolve_bonus(request: Request) -> Play:
    """D4P-10: on the player's own four cards; D4P-2: whoever folds loses it."""
    if "fold" in request.choices:
        return Play((), (Result("duki-bonus", "other", "D4P-10"),))
    bonus = BONUS_OUTCOMES[rules.duki_bonus(_tape(request), request.encoded)]
    return Play((Step("duki-bonus", "D4P-10", {"outcome": bonus.name}),), (Result("duki-bonus", bonus.id, "D4P-10"),))


def _shoe(settings: Mapping[str, Value]) -> Shoe:
    return fresh_shoe(1)


def _deal_order(seats: tuple[int, ...], settings: Mapping[str, Value], dice: int) -> tuple[Recipient, ...]:
    """D4P-2: four cards to each player and the dealer."""
    everybody: tuple[Recipient, ...] = (*seats, DEALER)
    return tuple(who for who in everybody for _ in range(4))


GAME = Game(
    package=__package__,
    name="Duki 4 Poker",
    wagers=by_id(
        Wager("ante", "Ante", "D4P-1", ANTE_OUTCOMES, count_ante, cards=8, rides=("play",), strategy="play every Duki"),
        Wager("play", "Play", "D4P-2", ANTE_OUTCOMES, needs="ante", follows="ante"),
        Wager(
            "duki-bonus",
            "Duki Bonus",
            "D4P-10",
            BONUS_OUTCOMES,
            count_bonus,
            cards=4,
            counts_as="duki-bonus",
            resolve=resolve_bonus,
        ),
    ),
    switches=SWITCHES,
    shoe=_shoe,
    play=play,
    dealing=Dealing(
        seats=7,
        order=_deal_order,
        tape=lambda seat, dealer: seat + dealer,
        raises={"play": "ante"},
        void_reasons={
            "card-face-up": "D4P-14a",
            "wrong-number-of-cards": "D4P-14b",
            "dealer-card-exposed": "D4P-14c",
            "shuffler-jam": "D4P-14d",
            "shuffler-miscount": "D4P-14d",
        },
        card_check=CardCheck("card-check", "supervisor", "D4P-14d", ("shuffler-jam", "shuffler-miscount")),
        second_deck="second-deck",
        default_choice="fold",
        fresh_deck=True,
        hands_face_up=False,
        dealer_bets=DealerBets("dealer-bets", "allowed", "D4P-11", wins="dealer-bet-wins"),
    ),
)
