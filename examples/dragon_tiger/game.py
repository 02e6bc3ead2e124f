"""Dragon Tiger as a game: the rule, how its deals are counted, and a round told step by step."""

from collections.abc import Mapping

import numpy as np

from houseway.cards import fresh_shoe, show_card
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
MARKS = {"dragon-win": "D", "tiger-win": "T", "tie": "E", "suited-tie": "Es"}
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


def play(request: Request) -> Play:
    """Play a hand out: Dragon's card, then Tiger's."""
    if request.choices:
        raise Refused("bad-choice", f'choice "{request.choices[0]}": Dragon Tiger leaves the players none')
    if len(request.cards) != 2:
        missing = ("Dragon's", "Tiger's")[min(len(request.cards), 1)]
        if len(request.cards) > 2:
            raise Refused("too-many-cards", f"{len(request.cards)} cards are too many: two are dealt")
        raise MissingCard(f"{len(request.cards)} cards are too few: {missing} is missing", COMMON, _shown(request.cards))
    outcome = OUTCOMES[resolve(np.array(request.cards, np.int64), request.encoded)]
    dealt = [
        Step(f"{name} has {show_card(card)}", "DT-1") for name, card in zip(("Dragon", "Tiger"), request.cards, strict=True)
    ]
    ended = play_result(outcome.id, request.bets)
    return Play((*dealt, *ended.steps), ended.results, _shown(request.cards), ended.marks)


def play_result(result: str, bets: Mapping[str, int]) -> Play:
    """What a result means for every bet; a keypad may give it without the cards."""
    names = {outcome.id: outcome.name for outcome in OUTCOMES}
    id_ = one_of("result", result, names)
    return Play((Step(names[id_], "DT-3"),), tuple(Result(wager, id_, "DT-4") for wager in bets), marks=(MARKS[id_],))


def _shown(cards: tuple[int, ...]) -> tuple[Shown, ...]:
    return tuple(Shown(owner, cards[place : place + 1]) for place, owner in enumerate(("dragon", "tiger")))


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
