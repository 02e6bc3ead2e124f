"""What every choice with a hand is worth, in every game that has one. A game's solver is imported when it is asked."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from houseway.cards import JOKER, show_cards, take
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings

Cards = tuple[int, ...]


@dataclass(frozen=True)
class Choice:
    """A choice and its worth for a unit bet: a fraction where it is exact. `deals` tells by how many deals it ends how."""

    name: str
    worth: Fraction | float
    deals: dict[str, int] = field(default_factory=dict)


def choices(edition: Edition, settings: Settings, hand: Cards, dealer: Cards = (), other: Cards = ()) -> list[Choice]:
    """Every choice with a hand, the best first; `dealer` and `other` are cards of the dealer's and of another player's seen."""
    if edition.game.id not in _SOLVERS:
        raise Refused("not-solved", f"{edition.name} leaves the player nothing to decide")
    if other and edition.game.id != "duki_4_poker":
        raise Refused("bad-request", f"another player's hand says nothing about {edition.name}: leave it out")
    found = _SOLVERS[edition.game.id](edition, settings, hand, dealer, other)
    return sorted(found, key=lambda one: one.worth, reverse=True)


def _duki(edition: Edition, settings: Settings, hand: Cards, dealer: Cards, other: Cards) -> list[Choice]:
    from houseway.games.duki_4_poker.solve import best as duki
    from houseway.games.duki_4_poker.solve import seen as duki_seen

    known = [*hand, *dealer, *other]
    if len(hand) != duki.HAND or len(set(known)) != len(known) or JOKER in known:
        raise Refused("bad-hand", "a Duki hand is four cards of 52, all different, and from what else is seen too")
    if len(dealer) > 1 or len(other) not in {0, duki.HAND} or (dealer and other):
        raise Refused("bad-hand", "one card of the dealer's may be seen, or all four of another player's")
    if other:
        value = duki_seen.value_beside(edition, settings, hand, other)
    else:
        value = duki.value_of_hand(edition, settings, hand, dealer[0] if dealer else -1)
    return [Choice("play", value), Choice("fold", Fraction(-1))]


def _blackjack(edition: Edition, settings: Settings, hand: Cards, dealer: Cards, _: Cards) -> list[Choice]:
    """Against an up-card, once the dealer has looked where he looks."""
    from houseway.games.blackjack.solve.analysis import Analysis, Rules
    from houseway.games.blackjack.solve.hands import HIT, NAMES, STAND, hand_of, total_of

    take(edition.game.shoe(settings), [*hand, *dealer])
    held = hand_of(hand)
    if len(dealer) != 1 or len(hand) < 2 or total_of(held) > 21:
        raise Refused("bad-hand", 'give two or more cards of at most 21 points, and the up-card: --hand "8s 8d" --dealer 10h')
    rules = Rules.of(edition, settings)
    analysis, up = Analysis(rules), hand_of(dealer).index(1)
    if len(hand) == 2:
        found = analysis.choices(held, up, rules.more_of_rank(hand, dealer[0]))
    else:
        worth = analysis.worth(up)[analysis.all.place[held]]
        found = {choice: worth[choice] for choice in ((STAND,) if total_of(held) == 21 else (STAND, HIT))}
        if rules.original_bets_only:
            found = {choice: analysis.before_look(value, held, up) for choice, value in found.items()}
    return [Choice(NAMES[choice], float(value)) for choice, value in found.items()]


def _pai_gow(edition: Edition, settings: Settings, hand: Cards, dealer: Cards, _: Cards) -> list[Choice]:
    """Every legal set against the dealer's House Way."""
    from houseway.games.ez_pai_gow.round import describe
    from houseway.games.ez_pai_gow.solve.hands import FULL, HAND
    from houseway.games.ez_pai_gow.solve.solution import Solution

    if dealer:
        raise Refused("bad-request", "no card of the dealer's is seen in pai gow: leave it out")
    if len(hand) != HAND or len(set(hand)) != HAND:
        raise Refused("bad-hand", f"{show_cards(hand)}: seven different cards are set")
    return [
        Choice(
            f"set {show_cards(one.front)}: {describe(one.front_value)} / {describe(one.back_value)}",
            one.value,
            {"win": one.win, "push": FULL.against - one.win - one.lose, "lose": one.lose, "total": FULL.against},
        )
        for one in Solution(edition, settings).value_sets(hand)
    ]


_SOLVERS: dict[str, Callable[[Edition, Settings, Cards, Cards, Cards], list[Choice]]] = {
    "duki_4_poker": _duki,
    "blackjack": _blackjack,
    "ez_pai_gow": _pai_gow,
}
