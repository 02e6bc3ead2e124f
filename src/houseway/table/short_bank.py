"""What the readings of a short bank come to: the edges of wagers that it does not cover, worked out by the table's own code."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Value
from houseway.rulebook.settle import pay_result
from houseway.table.bank import Covered, covered_spots, in_action_order, marker_seats, settle_by
from houseway.table.bound import as_text
from houseway.table.state import Bank, Bound, Round, Spot, Table, changed

NAME, BANKER = "t", 1


@dataclass(frozen=True)
class ShortBank:
    """A hand against a short bank, on average: what the bank wins, and what each seat loses of what it had on the felt."""

    stake_cents: int
    bank_wins_cents: Fraction
    edges: Mapping[int, Fraction]


def short_bank(
    edition: Edition, settings: Mapping[str, Value], bets: Mapping[int, Mapping[str, int]], stake_cents: int
) -> ShortBank:
    """Bets by seat, in the order they are placed, against seat 1's bank; a game whose wagers all hang on one result.

    The table has its usual seats, and a marker is drawn to each of them equally often.
    """
    spots = {seat: Spot(f"guest {seat}", dict(wagers), held_cents=sum(wagers.values())) for seat, wagers in bets.items()}
    seats = edition.usual_seats
    markers = range(1, seats + 1) if marker_seats(settings, seats) else (0,)
    wins: dict[int, Fraction] = dict.fromkeys(spots, Fraction(0))
    for dice in markers:
        round_ = Round(spots=spots, dice=dice)
        fields = (NAME, edition.id, as_text(edition.document), Bound(), dict(settings), "hand-keyed", seats)
        table = Table(*fields, round=round_, bank=Bank(holder=BANKER), offered=tuple(edition.wagers))
        if settings.get("R12b") == "worst-case":
            table = changed(table, round=changed(round_, spots=covered_spots(table, stake_cents)))
        for outcome, chance in _results(edition, settings).items():
            for (seat, _, _), taken, won in settle_by(table, _payments(edition, settings, table, outcome), stake_cents):
                wins[seat] += chance * (won - taken) / len(markers)
    edges = {seat: -wins[seat] / spot.held_cents for seat, spot in spots.items()}
    return ShortBank(stake_cents, -sum(wins.values(), Fraction(0)), edges)


def _results(edition: Edition, settings: Mapping[str, Value]) -> dict[str, Fraction]:
    """The results that all wagers hang on, with their chances."""
    wager = next(iter(edition.offered.values()))
    assert wager.count is not None and edition.game.dealing.play_result is not None
    chosen = {**edition.settings(), **settings}
    tally = wager.count(edition.game.shoe(chosen), np.asarray(edition.game.encode(chosen)), None)
    return {o.id: Fraction(deals, tally.total) for o, deals in zip(wager.outcomes, tally.counts, strict=True)}


def _payments(edition: Edition, settings: Mapping[str, Value], table: Table, outcome: str) -> list[Covered]:
    play_result = edition.game.dealing.play_result
    assert play_result is not None
    due: list[Covered] = []
    for seat, spot in table.round.spots.items():
        for result in play_result(outcome, spot.bets).results:
            payment = pay_result(edition, result, spot.bets, settings)
            if payment:
                due.append((seat, spot, payment))
    return in_action_order(table, due)
