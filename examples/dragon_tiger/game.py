"""Dragon Tiger as a game: the rule, how its deals are counted, and a round told step by step."""

from collections.abc import Mapping

import numpy as np

from houseway.cards import RANKS, fresh_shoe
from houseway.kernels.compiled import Ints, helper, rule
from houseway.kernels.count import Progress, count
from houseway.kernels.deal import deal_of_shoe
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
    Wager,
    by_id,
    switches,
)

OUTCOMES = (
    Outcome("dragon-win", "Dragon wins"),
    Outcome("tiger-win", "Tiger wins"),
    Outcome("tie", "Tie"),
    Outcome("suited-tie", "Suited tie", falls_to=("tie",)),
)
DRAGON_WIN, TIGER_WIN, TIE, SUITED_TIE = range(4)
MARKS = {"dragon-win": "D", "tiger-win": "T", "tie": "E", "suited-tie": "ES"}
"""How a scoreboard writes them."""


@helper
def height(card: int) -> int:
    """DT-2: the king is high, the ace low."""
    return ((card >> 2) + 1) % 13


@rule
def resolve(tape: Ints, settings: Ints) -> int:
    """DT-3: the higher of two cards wins; of equal ones, the suits are looked at."""
    dragon, tiger = height(tape[0]), height(tape[1])
    if dragon == tiger:
        return SUITED_TIE if tape[0] & 3 == tape[1] & 3 else TIE
    return DRAGON_WIN if dragon > tiger else TIGER_WIN


def count_deals(shoe: Shoe, settings: Ints, progress: Progress | None = None) -> Tally:
    """Every pair of cards."""
    return Tally(count(resolve, deal_of_shoe(shoe, (1, 1)), settings, len(OUTCOMES)))


HANDS = ("dragon", "tiger")
WINNERS = {"dragon-win": "dragon", "tiger-win": "tiger"}


def play(request: Request) -> Play:
    """Play a hand out: Dragon's card, then Tiger's."""
    if request.choices:
        raise Refused("bad-choice", f'choice "{request.choices[0]}": Dragon Tiger leaves the players none')
    if len(request.cards) > 2:
        raise Refused("too-many-cards", f"{len(request.cards)} cards are too many: two are dealt")
    if len(request.cards) < 2:
        hand = HANDS[len(request.cards)]
        raise MissingCard(f"{hand.capitalize()}'s card is missing", COMMON, _shown(request.cards), hand, place=1)
    outcome = OUTCOMES[resolve(np.array(request.cards, np.int64), request.encoded)].id
    hands = _shown(request.cards, WINNERS.get(outcome, ""))
    dealt = [Step(f"{hand.owner}-has", "DT-1", {"owner": hand.owner, "cards": hand.cards}) for hand in hands]
    own = request.resolve_own()
    common = {name: cents for name, cents in request.bets.items() if not request.offered[name].resolve}
    ended = play_result(outcome, common)
    return Play((*dealt, *ended.steps, *own.steps), (*ended.results, *own.results), hands, ended.marks)


def play_result(result: str, bets: Mapping[str, int]) -> Play:
    """What a result means for every bet; a keypad may give it without the cards."""
    names = {outcome.id: outcome.name for outcome in OUTCOMES}
    id_ = one_of("result", result, names)
    results = tuple(Result(wager, id_, "DT-4") for wager in bets)
    return Play((Step("result", "DT-3", {"outcome": names[id_]}),), results, marks=(MARKS[id_],))


def _shown(cards: tuple[int, ...], winner: str = "") -> tuple[Shown, ...]:
    """Both hands, and at the end which of them wins."""
    hands = []
    for place, owner in enumerate(HANDS):
        card = cards[place : place + 1]
        hands.append(Shown(owner, card, RANKS[card[0] >> 2] if card else "", wins=owner == winner if winner else None))
    return tuple(hands)


def _wager(id_: str, name: str, counts_as: str = "base") -> Wager:
    return Wager(id_, name, "DT-4", OUTCOMES, count_deals, cards=2, counts_as=counts_as)


GAME = Game(
    package=__package__,
    name="Dragon Tiger",
    wagers=by_id(
        _wager("dragon", "Dragon"),
        _wager("tiger", "Tiger"),
        _wager("tie", "Tie", "tie"),
        _wager("suited-tie", "Suited Tie", "suited-tie"),
    ),
    switches=switches(Switch("decks", (8, 6), "DT-1", "decks in the shoe")),
    shoe=lambda settings: fresh_shoe(int(settings["decks"])),
    play=play,
    dealing=Dealing(
        seats=14,
        order=lambda seats, settings, dice: (COMMON, COMMON),
        tape=lambda seat, common: common,
        play_result=play_result,
    ),
)
