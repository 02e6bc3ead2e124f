"""A finished round as a scoreboard tells it."""

from collections.abc import Mapping

from houseway.board import Ended, Finished, Hit
from houseway.rulebook.game import Play
from houseway.table.engine import prepared
from houseway.table.state import Table
from houseway.table.washington import Due

LAST_ROUNDS = 60
"""How many rounds a board remembers where every round has its own shuffle; otherwise, those of the shoe."""


def finished(table: Table, plays: Mapping[int, Play], due: list[Due]) -> Finished:
    """The house's hands in words, what the board counts, and who hit a bonus."""
    game = prepared(table)[0].game
    played = max(plays.values(), key=lambda play: len(play.hands))
    names = {hand.owner: hand.name for hand in game.face.hands}
    shown = [hand for hand in played.hands if hand.owner in names]
    if len(names) > 1:
        headline = ", ".join(f"{names[hand.owner]} {hand.worth}" for hand in shown)
    else:
        headline = " / ".join(hand.worth for hand in shown)
    outcomes = {wager: {o.id: o.name for o in game.wagers[wager].outcomes} for wager in game.wagers}
    return Finished(
        number=table.round.number,
        headline=headline or played.steps[-1].text,
        start=table.round.dice if game.dealing.dice_sides else 0,
        marks=tuple(sorted({mark for play in plays.values() for mark in play.marks})),
        ends=tuple(Ended.of(payment.wager, payment.win_cents) for _, _, payment in due if payment.stake_cents),
        hits=tuple(
            Hit(payment.wager, outcomes[payment.wager].get(payment.outcome, payment.outcome), seat)
            for seat, _, payment in due
            if payment.win_cents > 0 and payment.stake_cents and game.wagers[payment.wager].counts_as != "base"
        ),
    )
