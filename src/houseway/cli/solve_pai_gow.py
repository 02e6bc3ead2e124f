"""EZ Pai Gow for `houseway best`."""

from typing import Any

from houseway.cards import show_cards
from houseway.games.ez_pai_gow.round import describe
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.solve import hands, pai_gow

OPTIONS = ()


def best(edition: Edition, settings: Settings, cards: tuple[int, ...], dealer: tuple[int, ...]) -> list[dict[str, Any]]:
    """Every legal set of seven cards against the dealer's House Way."""
    if dealer:
        raise Refused("bad-request", "no card of the dealer's is seen in pai gow: leave --dealer out")
    if len(cards) != hands.HAND or len(set(cards)) != hands.HAND:
        raise Refused("bad-hand", f"{show_cards(cards)}: seven different cards are set")
    way = edition.game.encode(settings)
    values = pai_gow.value_sets(cards, way, hands.set_all_hands([way]))
    return [
        {
            "choice": f"set {show_cards(one.front)}: {describe(one.front_value)} / {describe(one.back_value)}",
            "value": one.value,
            "win": one.win,
            "lose": one.lose,
            "total": pai_gow.AGAINST,
        }
        for one in values
    ]
