"""EZ Baccarat as a game: five wagers on one result, counted by points and played out card by card."""

from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np

from houseway.cards import fresh_shoe
from houseway.kernels.compiled import Ints, plain
from houseway.kernels.count import Progress, Tabulated
from houseway.refusal import Refused, one_of
from houseway.rulebook.game import (
    COMMON,
    Dealing,
    Game,
    MissingCard,
    Outcome,
    Play,
    Request,
    Result,
    Shoe,
    Shown,
    Step,
    Switch,
    Tally,
    Value,
    Wager,
    by_id,
    switches,
)

from . import rules
from .rules import resolve

points = plain(rules.points)
"""The rules' own function, for one card at a time."""

OUTCOMES = (
    Outcome("player-win", "Player wins"),
    Outcome("panda-8", "Panda 8: Player wins with a three-card 8"),
    Outcome("banker-win", "Banker wins"),
    Outcome("dragon-7", "Dragon 7: Banker wins with a three-card 7"),
    Outcome("tie", "Tie"),
)
PAID_BY = {"banker-win": "EZB-5a", "dragon-7": "EZB-5b", "player-win": "EZB-5c", "panda-8": "EZB-5d", "tie": "EZB-5e"}

MARKS = {"player-win": "P", "panda-8": "P8", "banker-win": "B", "dragon-7": "B7", "tie": "T"}
"""How a scoreboard writes them."""
WINNERS = {"player-win": "player", "panda-8": "player", "banker-win": "banker", "dragon-7": "banker", "tie": ""}
NATURAL = " natural"
NAMES = {outcome.id: outcome.name for outcome in OUTCOMES}
SHORT_NAMES = {id_: name.partition(":")[0] for id_, name in NAMES.items()}
KEYED = (*NAMES, *(f"{id_}{NATURAL}" for id_ in ("player-win", "banker-win", "tie")))
"""The results that a keypad gives: a natural wins with two cards, and so is neither Panda 8 nor Dragon 7 (EZB-4)."""

POINTS = tuple(points(card) for card in range(52))
CLASSES = tuple(tuple(card for card in range(52) if POINTS[card] == value) for value in range(10))
"""The cards worth 0, 1, ... 9 points: the rule cannot tell the members of a class apart."""


@cache
def _table() -> Tabulated:
    kinds = tuple(members[0] for members in CLASSES)
    return Tabulated(resolve, kinds, 6, np.zeros(1, np.int64), len(OUTCOMES))


def count(shoe: Shoe, settings: Ints, progress: Progress | None = None) -> Tally:
    """Ordered draws of six cards, exactly, for any composition of the shoe."""
    return Tally(_table().count(tuple(sum(shoe[card] for card in members) for members in CLASSES)))


PLAYER, BANKER = "player", "banker"
FIRST_CARDS = (PLAYER, BANKER, PLAYER, BANKER)
ORDINALS = ("first", "second", "third")


def _deal(cards: tuple[int, ...]) -> tuple[dict[str, tuple[int, ...]], bool]:
    """Both hands as the rules deal these cards (EZB-3), and whether a natural ended them; refused if too many or too few."""
    fifth = POINTS[cards[4]] if len(cards) > 4 else 0
    natural, player_draws, banker_draws = rules.draws(_total(cards[0:4:2]), _total(cards[1:4:2]), fifth)
    order = (*FIRST_CARDS, *((PLAYER,) if player_draws else ()), *((BANKER,) if banker_draws else ()))
    hands = {PLAYER: cards[0:4:2], BANKER: cards[1:4:2]}
    for card, who in zip(cards[4:], order[4:], strict=False):
        hands[who] += (card,)
    if len(cards) > len(order):
        raise Refused("too-many-cards", f"{len(cards)} cards are too many: this hand ends after {len(order)}")
    if len(cards) < len(order):
        hand = order[len(cards)]
        place = len(hands[hand]) + 1
        message = f"{len(cards)} cards are too few: {hand.capitalize()}'s {ORDINALS[place - 1]} card is missing"
        raise MissingCard(message, COMMON, _shown(hands), hand, place)
    return hands, natural


def _steps(player: tuple[int, ...], banker: tuple[int, ...], natural: bool) -> Iterator[Step]:
    """What the rules did with the cards."""
    for who, cards in ((PLAYER, player[:2]), (BANKER, banker[:2])):
        yield Step(f"{who}-has", "EZB-0", {"owner": who, "cards": cards, "worth": _total(cards)})
    if natural:
        yield Step("natural", "EZB-3a")
        return
    player_drew = len(player) == 3
    yield _third(PLAYER, player, "EZB-3b", {})
    against = {"third": POINTS[player[2]]} if player_drew else {}
    yield _third(BANKER, banker, "EZB-3d" if player_drew else "EZB-3c", against)


def _third(who: str, hand: tuple[int, ...], clause: str, against: dict[str, int]) -> Step:
    """A hand draws or stands, Banker against Player's third card or against none."""
    facts = {"owner": who, "before": _total(hand[:2]), **against}
    after = "" if who == PLAYER or against else "-alone"
    if len(hand) == 2:
        return Step(f"{who}-stands{after}", clause, facts)
    return Step(f"{who}-draws{after}", clause, {**facts, "cards": hand[2:], "hand": hand, "worth": _total(hand)})


def play(request: Request) -> Play:
    """Play a hand out from the cards in the order they left the shoe."""
    if request.choices:
        raise Refused("bad-choice", f'choice "{request.choices[0]}": baccarat leaves the players none')
    hands, natural = _deal(request.cards)
    tape = np.array([*request.cards, 0, 0][:6], np.int64)  # places beyond the cards are not looked at
    outcome = OUTCOMES[resolve(tape, request.encoded)].id
    own = request.resolve_own()
    common = {name: cents for name, cents in request.bets.items() if not request.offered[name].resolve}
    result = play_result(outcome + (NATURAL if natural else ""), common)
    steps = (*_steps(hands[PLAYER], hands[BANKER], natural), *result.steps, *own.steps)
    return Play(steps, (*result.results, *own.results), _shown(hands, WINNERS[outcome]), result.marks)


def _total(cards: tuple[int, ...]) -> int:
    return sum([POINTS[card] for card in cards]) % 10


def _shown(hands: Mapping[str, tuple[int, ...]], winner: str = "") -> tuple[Shown, ...]:
    """Both hands, what they count, and at the end which of them wins."""
    return tuple(
        Shown(owner, cards, str(_total(cards)) if cards else "", wins=owner == winner if winner else None)
        for owner, cards in hands.items()
    )


def play_result(result: str, bets: Mapping[str, int]) -> Play:
    """What a result means for every bet; a keypad may give the result alone, without the cards.

    " natural" after it says that the hand ended on the first four cards; the bets do not depend on it.
    """
    outcome = one_of("result", result, KEYED, SHORT_NAMES).removesuffix(NATURAL)
    mark = MARKS[outcome] + ("n" if result.endswith(NATURAL) else "")
    results = tuple(Result(wager, outcome, PAID_BY[outcome]) for wager in bets)
    return Play((Step("result", "EZB-4", {"outcome": NAMES[outcome]}),), results, marks=(mark,))


def _shoe(settings: Mapping[str, Value]) -> Shoe:
    return fresh_shoe(int(settings["decks"]))


def _wager(id_: str, name: str, counts_as: str = "base") -> Wager:
    return Wager(id_, name, "EZB-0a", OUTCOMES, count, cards=6, counts_as=counts_as, suits_matter=False)


GAME = Game(
    package=__package__,
    name="EZ Baccarat",
    wagers=by_id(
        _wager("player", "Player"),
        _wager("banker", "Banker"),
        _wager("tie", "Tie", "tie"),
        _wager("dragon-7", "Dragon 7", "dragon-7"),
        _wager("panda-8", "Panda 8", "panda-8"),
    ),
    switches=switches(
        Switch("decks", (8, 6, 1, 2, 3, 4, 5, 7), "EZB-0", "decks in the shoe"),
        Switch("drawer", ("dealer", "players"), "EZB-2", "who draws the cards: the dealer, or players in turn, clockwise"),
        Switch("next-hand-cells", ("off", "on"), "EZB-L1", "what the derived roads would add, on the scoreboard"),
    ),
    shoe=_shoe,
    play=play,
    dealing=Dealing(
        seats=14,
        order=lambda seats, settings, dice: (COMMON,) * 4,
        tape=lambda seat, common: common,
        play_result=play_result,
        players_draw_if=("drawer", "players"),  # EZB-2
    ),
)
