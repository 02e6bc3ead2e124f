"""Duki 4 Poker, simulated: up to seven seats at one deck, shuffled for every round, against one dealer."""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from houseway.odds.par_sheet import ParSheet, sheet_from
from houseway.refusal import one_of
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Tally, Value
from houseway.rulebook.settings import Settings
from houseway.simulate.simulator import CARDS, Seat, SeatResult, Setup, Simulator

from ..game import ANTE_OUTCOMES, BONUS_OUTCOMES, GAME
from ..rules import BONUS_LOSES, FOLD, FOUR_CARD, THREE_CARD
from ..solve import best as duki
from .rounds import BEST_AT, BONUS_AT, BONUSES, BY_BEST, DECK_SIZE, DukiTables, play_round

WAGERS = ("ante", "play", "duki-bonus")
BEST, LINE, EVERY_DUKI, PLAY, FOLDS = PLAYERS = ("best", "lines", "every-duki", "play", "fold")
"""How players decide, the usual one first: what wins more of the Ante, by the computed line, with any Duki, always, never."""
HAND = 4


@lru_cache(maxsize=8)
def _tables(encoded: tuple[int, ...]) -> duki.Tables:
    return duki.tabulate(np.array(encoded, np.int64))


@lru_cache(maxsize=8)
def _solved_for(encoded: tuple[int, ...], terms: duki.Terms) -> duki.Solved:
    return duki.solve_terms(_tables(encoded), terms)


def solved(edition: Edition, settings: Mapping[str, Value]) -> duki.Solved:
    """The game solved under these settings, once."""
    return _solved_for(tuple(GAME.encode(settings).tolist()), duki.Terms.of(edition, settings))


def least_score(edition: Edition, settings: Mapping[str, Value], player: str) -> int:
    """From which score on a player plays; `BY_BEST` if that is not all he goes by."""
    one_of("player", player, PLAYERS)
    if player == LINE:
        return solved(edition, settings).line
    return {BEST: BY_BEST, EVERY_DUKI: THREE_CARD << 24, PLAY: 0, FOLDS: (FOUR_CARD + 1) << 24}[player]


def setup(edition: Edition, settings: Settings, seats: tuple[Seat, ...]) -> Setup:
    """A simulator for these players."""
    encoded, players = GAME.encode(settings), [seat.player or BEST for seat in seats]
    tables = _tables(tuple(encoded.tolist()))
    hands = tables.scores | tables.bonuses << BONUS_AT
    if BEST in players:
        hands |= solved(edition, settings).choice[duki.class_of(tables.every)].astype(np.int64) << BEST_AT
    least = np.array([least_score(edition, settings, player) for player in players], np.int64)
    offered = edition.offered

    def meaning(cell: int) -> tuple[SeatResult, ...]:
        ante, bonus = divmod(cell, BONUSES)
        base = ("ante",) if ante == FOLD else ("ante", "play")
        ended = [SeatResult(wager, ANTE_OUTCOMES[ante].id) for wager in base if wager in offered]
        if "duki-bonus" in offered:
            ended.append(SeatResult("duki-bonus", BONUS_OUTCOMES[bonus].id))
        return tuple(ended)

    cards = HAND * (len(seats) + 1)
    return Setup(
        shoe=tuple(range(DECK_SIZE)),
        settings=encoded,
        tables=DukiTables(hands.astype(np.int32), least),
        cells=len(ANTE_OUTCOMES) * BONUSES,
        meaning=meaning,
        cards=cards,
        least_cards=cards,
        notes=("whoever folds forfeits the Bonus (D4P-2); whether to play is decided by the Ante alone",),
    )


def exact(edition: Edition, settings: Settings, wager: str, player: str) -> ParSheet:
    """What a wager returns to such a player, from every pair of hands, or every hand."""
    game = solved(edition, settings)
    least = least_score(edition, settings, player or BEST)
    plays = game.choice if least == BY_BEST else np.asarray(game.scores >= least)
    if wager == "ante":
        ends = game.tally(plays)
        tally = tuple(ends[outcome.id] for outcome in ANTE_OUTCOMES)
    else:
        bonuses = np.where(plays, game.bonuses, BONUS_LOSES)
        tally = tuple(int(game.weights[bonuses == bonus].sum()) for bonus in range(len(BONUS_OUTCOMES)))
    return sheet_from(edition, GAME.wagers[wager], settings, Tally(tally))


SIMULATOR = Simulator(
    play_round=play_round,
    sees=CARDS,
    setup=setup,
    wagers=WAGERS,
    players=PLAYERS,
    also={"line": LINE},
    exact=exact,
)
