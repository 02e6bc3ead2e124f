"""A par sheet as the odds lab's API has it, with what a solver knows of the wager beyond it."""

from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import cast

from houseway.odds.par_sheet import SIMULATED, SOLVED, ParSheet
from houseway.odds.ranges import fair_from, return_ranges
from houseway.refusal import Refused, one_of
from houseway.rulebook import Edition, Settings
from houseway.solve.solver import (
    BEST,
    SAMPLED,
    best_edge,
    is_sampled_otherwise,
    is_sheet_ready,
    solved_player,
    solved_sheet,
    solver_of,
)
from houseway.web.lab_answers import (
    DecksPoint,
    EdgeAnswer,
    Exact,
    Method,
    OddsAnswer,
    ReturnRangeAnswer,
    SolvedEdge,
    Status,
    envy_answer,
    exact,
    outcome_answer,
    players_answer,
    ratio,
    ratio_of,
    standard_error,
)

TAKES_LONG = "takes-long"


def player_asked(edition: Edition, wager: str, settings: Settings, player: str, pays: Mapping[str, str]) -> str:
    """The player whose odds are asked for, `sampled` where these are; where none is named, the one who is solved, if he was.

    Where other pays are tried than those that leave his decisions as they are, his odds are not known: a sample is told.
    """
    if edition.wager(wager).simulated and player in ("", SAMPLED):
        solved = solved_player(edition, wager, settings)
        is_known = solved and not player and not _decides_otherwise(edition, wager, pays)
        return solved if is_known and is_sheet_ready(edition, wager, settings, solved) else SAMPLED
    if not player:
        return ""
    check_player(edition, wager, player)
    if others := _decides_otherwise(edition, wager, pays):
        known = ", ".join(solver_of(edition).paid_apart)
        message = f"with another pay of {others[0]} a player by {player} would decide otherwise"
        raise Refused("bad-pay", f"{message}: try one of {known}, or leave player out for a sample")
    if not is_sheet_ready(edition, wager, settings, player):
        message = f"the odds of {wager} were never worked out here for a player by {player}, which takes a while"
        raise Refused(TAKES_LONG, f"{message}: ask at odds/stream, which tells how far it is")
    return player


def _decides_otherwise(edition: Edition, wager: str, pays: Mapping[str, str]) -> list[str]:
    """Outcomes among those with another pay, with which the best player of a wager may decide otherwise."""
    paid_apart = solver_of(edition).paid_apart
    return [outcome for outcome in pays if outcome not in paid_apart] if is_sampled_otherwise(edition, wager) else []


def check_player(edition: Edition, wager: str, player: str) -> None:
    """Refuse a player for whom the wager is not solved."""
    players = players_answer(edition, edition.wager(wager).id)
    if not players:
        raise Refused("bad-player", f"{wager} of {edition.id} is not solved for kinds of players: leave player out")
    one_of("player", player, players)


def edge_answer(edition: Edition, wager: str, settings: Settings, player: str) -> EdgeAnswer:
    """What a solver knows of a wager at once: of the player who is named, of him whom the wager means, or of the best."""
    if player:
        check_player(edition, wager, player)
    player = player if player not in ("", SAMPLED) else solved_player(edition, wager, settings)
    if player and is_sheet_ready(edition, wager, settings, player):
        sheet = solved_sheet(edition, wager, settings, player)
        known = SolvedEdge(player=player, exact=ratio_of(sheet.house_edge, sheet), value=float(sheet.house_edge))
        return EdgeAnswer(player=player, is_ready=True, house_edge=known)
    edge = _best_edge(edition, wager, settings)
    return EdgeAnswer(player=player or (edge.player if edge else ""), is_ready=False, house_edge=edge)


def _edge(player: str, edge: Fraction | float) -> SolvedEdge:
    return SolvedEdge(player=player, exact=ratio(edge) if isinstance(edge, Fraction) else "", value=float(edge))


def _best_edge(edition: Edition, wager: str, settings: Settings) -> SolvedEdge | None:
    """The edge against the best player, where it is found without a par sheet."""
    edge = best_edge(edition, wager, settings) if wager in solver_of(edition).best_of else None
    return None if edge is None else _edge(BEST, edge)


def edge_point(edition: Edition, wager: str, settings: Settings, decks: int, approved: bool) -> DecksPoint:
    """A number of decks of which the best player's edge is known, and not yet his every result."""
    edge = best_edge(edition, wager, settings)
    if edge is None:
        raise Refused(
            TAKES_LONG, f"{wager} was never worked out here with {decks} decks, which takes a while: ask at odds/stream"
        )
    told = Exact(exact=ratio(edge) if isinstance(edge, Fraction) else "", value=float(edge))
    return DecksPoint(
        decks=decks,
        approved=approved,
        exact=isinstance(edge, Fraction),
        house_edge=told,
        hit_rate=None,
        standard_deviation=None,
        standard_error=None,
    )


def sheet_answer(sheet: ParSheet, outside: list[str], digest: str, status: Status, player: str = "") -> OddsAnswer:
    """The par sheet of a wager, for a kind of player where one is named."""
    edition, wager, is_sampled = sheet.edition, sheet.wager, sheet.method == SIMULATED
    risk = sheet.element_of_risk
    return OddsAnswer(
        edition=edition.id,
        digest=digest,
        status=status,
        wager=wager.id,
        name=wager.name,
        settings=dict(sheet.settings),
        what_if=outside,
        strategy=wager.strategy if is_sampled or not player else f"the player decides by: {player}",
        player="" if is_sampled else player,
        players=players_answer(edition, wager.id),
        solvable=solved_player(edition, wager.id, sheet.settings) if is_sampled else "",
        solved_edge=_best_edge(edition, wager.id, sheet.settings) if is_sampled else None,
        method=cast(Method, sheet.method),
        exact=sheet.method == "enumerated",
        total="" if sheet.method == SOLVED else str(sheet.total),
        outcomes=[outcome_answer(sheet, row) for row in sheet.rows],
        house_edge=exact(sheet.house_edge, sheet),
        house_edge_without_envy=exact(sheet.house_edge_without_envy, sheet),
        hit_rate=exact(sheet.hit_frequency, sheet),
        push_rate=exact(sheet.push_frequency, sheet),
        variance=exact(sheet.variance, sheet),
        standard_deviation=sheet.standard_deviation,
        skewness=sheet.standard_moment(3),
        excess_kurtosis=sheet.standard_moment(4) - 3,
        staked=None if sheet.staked is None else float(sheet.staked),
        element_of_risk=None if risk is None else float(risk),
        volatility_index=sheet.volatility_index,
        return_ranges=[ReturnRangeAnswer(**asdict(range_)) for range_ in return_ranges(sheet)],
        fair_from_bets=fair_from(sheet),
        standard_error=standard_error(sheet),
        envy=envy_answer(sheet),
    )
