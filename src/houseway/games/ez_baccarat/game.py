"""EZ Baccarat as a game: five wagers on one result, counted by points and played out card by card."""

from collections.abc import Mapping
from functools import cache

import numpy as np

from houseway.cards import fresh_shoe, show_card
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
from .rules import STOOD, resolve

points, is_natural = plain(rules.points), plain(rules.is_natural)
player_draws, banker_draws = plain(rules.player_draws), plain(rules.banker_draws)
"""The rules' own functions, for one hand at a time."""

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
NATURAL = " natural"

CLASSES = tuple(tuple(card for card in range(52) if points(card) == value) for value in range(10))
"""The cards worth 0, 1, ... 9 points: the rule cannot tell the members of a class apart."""


@cache
def _table() -> Tabulated:
    kinds = tuple(members[0] for members in CLASSES)
    return Tabulated(resolve, kinds, 6, np.zeros(1, np.int64), len(OUTCOMES))


def count(shoe: Shoe, settings: Ints, progress: Progress | None = None) -> Tally:
    """Ordered draws of six cards, exactly, for any composition of the shoe."""
    return Tally(_table().count(tuple(sum(shoe[card] for card in members) for members in CLASSES)))


def play(request: Request) -> Play:
    """Play a hand out from the cards in the order they left the shoe."""
    if request.choices:
        raise Refused("bad-choice", f'choice "{request.choices[0]}": baccarat leaves the players none')
    cards, steps, left = request.cards, [], list(request.cards)
    hands: dict[str, list[int]] = {"Player": [], "Banker": []}

    def draw(who: str) -> int:
        if not left:
            raise MissingCard(f"{len(cards)} cards are too few: {who} is missing", COMMON, _shown(hands))
        hands[who[:6]].append(left[0])
        return left.pop(0)

    p1, b1, p2, b2 = (draw(f"{who} card {n}") for n in (1, 2) for who in ("Player", "Banker"))
    player, banker = (points(p1) + points(p2)) % 10, (points(b1) + points(b2)) % 10
    steps.append(Step(f"Player has {show_card(p1)} {show_card(p2)}: {player}", "EZB-0"))
    steps.append(Step(f"Banker has {show_card(b1)} {show_card(b2)}: {banker}", "EZB-0"))
    if is_natural(player) or is_natural(banker):
        steps.append(Step("A natural: nobody draws", "EZB-3a"))
    else:
        third = STOOD
        if player_draws(player):
            card = draw(f"Player's third card (Player draws on {player})")
            third = points(card)
            total = (player + third) % 10
            steps.append(Step(f"Player draws on {player}: {show_card(card)}, total {total}", "EZB-3b"))
        else:
            steps.append(Step(f"Player stands on {player}", "EZB-3b"))
        clause = "EZB-3c" if third == STOOD else "EZB-3d"
        against = "Player stood" if third == STOOD else f"Player's third card counts {third}"
        if banker_draws(banker, third):
            card = draw(f"Banker's third card (Banker draws on {banker}, {against})")
            total = (banker + points(card)) % 10
            steps.append(Step(f"Banker draws on {banker} ({against}): {show_card(card)}, total {total}", clause))
        else:
            steps.append(Step(f"Banker stands on {banker} ({against})", clause))
    if left:
        used = len(cards) - len(left)
        raise Refused("too-many-cards", f"{len(cards)} cards are too many: this hand ends after {used}")
    tape = np.array([*cards, 0, 0][:6], np.int64)
    outcome = OUTCOMES[resolve(tape, request.encoded)].id
    natural = NATURAL if is_natural(player) or is_natural(banker) else ""
    result = play_result(outcome + natural, request.bets)
    return Play((*steps, *result.steps), result.results, _shown(hands), result.marks)


def _shown(hands: Mapping[str, list[int]]) -> tuple[Shown, ...]:
    """Both hands, and what they count."""
    return tuple(
        Shown(owner.lower(), tuple(cards), str(sum(points(card) for card in cards) % 10) if cards else "")
        for owner, cards in hands.items()
    )


def play_result(result: str, bets: Mapping[str, int]) -> Play:
    """What a result means for every bet; a keypad may give the result alone, without the cards.

    " natural" after it says that the hand ended on the first four cards; the bets do not depend on it.
    """
    names = {outcome.id: outcome.name for outcome in OUTCOMES}
    naturals = [f"{id_}{NATURAL}" for id_ in ("player-win", "banker-win", "tie")]  # EZB-4: 7 and 8 have three cards
    outcome = one_of("result", result, [*names, *naturals]).removesuffix(NATURAL)
    mark = MARKS[outcome] + ("n" if result.endswith(NATURAL) else "")
    results = tuple(Result(wager, outcome, PAID_BY[outcome]) for wager in bets)
    return Play((Step(names[outcome], "EZB-4"),), results, marks=(mark,))


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
        Switch("drawer", ("dealer", "players"), "EZB-2", "who draws the cards from the shoe"),
        Switch("next-hand-cells", ("off", "on"), "EZB-L1", "what the derived roads would add, on the scoreboard"),
    ),
    shoe=_shoe,
    play=play,
    dealing=Dealing(
        seats=14,
        order=lambda seats, settings, dice: (COMMON,) * 4,
        tape=lambda seat, common: common,
        play_result=play_result,
    ),
)
