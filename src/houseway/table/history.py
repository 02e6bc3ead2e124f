"""A finished round as a scoreboard tells it."""

from collections.abc import Mapping

from houseway.board import Ended, Finished, Hit
from houseway.rulebook.face import hand_cards
from houseway.rulebook.game import DEALER, Game, Play
from houseway.rulebook.words import sentence
from houseway.table.engine import prepared
from houseway.table.state import Table
from houseway.table.washington import Due

LAST_ROUNDS = 60
"""How many rounds a board remembers where every round has its own shuffle; otherwise, those of the shoe."""


def finished(table: Table, plays: Mapping[int, Play], due: list[Due]) -> Finished:
    """The house's hands in words, what the board counts, and who hit a bonus."""
    game = prepared(table)[0].game
    return Finished(
        number=table.round.number,
        headline=_headline(game, plays),
        start=table.round.dice if game.dealing.dice_sides else 0,
        marks=tuple(sorted({mark for play in plays.values() for mark in play.marks})),
        ends=tuple(Ended.of(payment.wager, payment.win_cents) for _, _, payment in due if payment.stake_cents),
        hits=tuple(
            Hit(payment.wager, _outcome_name(game, payment.wager, payment.outcome), seat)
            for seat, _, payment in due
            if payment.win_cents > 0 and payment.stake_cents and game.wagers[payment.wager].counts_as != "base"
        ),
    )


def _outcome_name(game: Game, wager: str, outcome: str) -> str:
    return next((known.name for known in game.wagers[wager].outcomes if known.id == outcome), outcome)


def _headline(game: Game, plays: Mapping[int, Play]) -> str:
    """What the dealer's hand came to, or the hands that all bet on; where there is neither, how the round ended."""
    longest = max(plays.values(), key=lambda play: len(play.hands))
    if hand_cards(game) == 0 and longest.hands:
        return ", ".join(f"{hand.owner.capitalize()} {hand.worth}" for hand in longest.hands)
    dealers = " / ".join(hand.worth for hand in longest.hands if hand.owner == DEALER)
    return dealers or sentence(game.face.steps, longest.steps[-1])
