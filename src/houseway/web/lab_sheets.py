"""A par sheet as the odds lab's API has it, with what a solver knows of the wager beyond it."""

from dataclasses import asdict
from fractions import Fraction

from houseway.odds.par_sheet import ParSheet
from houseway.odds.ranges import fair_from, return_ranges
from houseway.refusal import Refused, one_of
from houseway.rulebook import Edition, Settings
from houseway.solve.solver import BEST, best_edge, is_ready, players_of, solved_sheet, solver_of, usual_player
from houseway.web.lab_answers import (
    EdgeAnswer,
    OddsAnswer,
    ReturnRangeAnswer,
    SolvedEdge,
    Status,
    envy_answer,
    exact,
    outcome_answer,
    ratio,
    standard_error,
)

TAKES_LONG = "takes-long"
SHEET = "sheet"


def player_asked(edition: Edition, wager: str, settings: Settings, player: str) -> str:
    """The player whose odds are asked for: where none is named, whom a simulated wager means, once all deals are counted."""
    if not player:
        usual = usual_player(edition, wager, settings) if edition.wager(wager).simulated else ""
        return usual if usual and is_ready(edition, settings, SHEET, usual) else ""
    check_player(edition, wager, player)
    if not is_ready(edition, settings, SHEET, player):
        message = f"all deals of {wager} were never counted here for a player by {player}, which takes a while"
        raise Refused(TAKES_LONG, f"{message}: ask at odds/stream, which tells how far it is")
    return player


def check_player(edition: Edition, wager: str, player: str) -> None:
    """Refuse a player for whom the wager is not solved."""
    players = players_of(edition, edition.wager(wager).id)
    if not players:
        raise Refused("bad-player", f"{wager} of {edition.id} is not solved for kinds of players: leave player out")
    one_of("player", player, players)


def edge_answer(edition: Edition, wager: str, settings: Settings, player: str) -> EdgeAnswer:
    """What a solver knows of a wager at once: of the player who is named, of him whom the wager means, or of the best."""
    if player:
        check_player(edition, wager, player)
    player = player or usual_player(edition, wager, settings)
    if player and is_ready(edition, settings, SHEET, player):
        sheet = solved_sheet(edition, wager, settings, player)
        return EdgeAnswer(player=player, is_ready=True, house_edge=_edge(player, sheet.house_edge))
    edge = _best_edge(edition, wager, settings)
    return EdgeAnswer(player=player or (edge.player if edge else ""), is_ready=False, house_edge=edge)


def _edge(player: str, edge: Fraction | float) -> SolvedEdge:
    return SolvedEdge(player=player, exact=ratio(edge) if isinstance(edge, Fraction) else "", value=float(edge))


def _best_edge(edition: Edition, wager: str, settings: Settings) -> SolvedEdge | None:
    """The edge against the best player, where it is found without a par sheet."""
    edge = best_edge(edition, wager, settings) if wager in solver_of(edition).best_of else None
    return None if edge is None else _edge(BEST, edge)


def sheet_answer(sheet: ParSheet, outside: list[str], digest: str, status: Status, player: str = "") -> OddsAnswer:
    """The par sheet of a wager, for a kind of player where one is named."""
    edition, wager = sheet.edition, sheet.wager
    return OddsAnswer(
        edition=edition.id,
        digest=digest,
        status=status,
        wager=wager.id,
        name=wager.name,
        settings=dict(sheet.settings),
        what_if=outside,
        strategy=f"the player decides by: {player}" if player else wager.strategy,
        player=player,
        players=list(players_of(edition, wager.id)),
        solvable=usual_player(edition, wager.id, sheet.settings) if sheet.method == "simulated" else "",
        solved_edge=_best_edge(edition, wager.id, sheet.settings) if sheet.method == "simulated" else None,
        exact=sheet.method == "enumerated",
        total=str(sheet.total),
        outcomes=[outcome_answer(row, str(edition.pay(wager.id, row.outcome, sheet.settings))) for row in sheet.rows],
        house_edge=exact(sheet.house_edge),
        house_edge_without_envy=exact(sheet.house_edge_without_envy),
        hit_rate=exact(sheet.hit_frequency),
        push_rate=exact(sheet.push_frequency),
        variance=exact(sheet.variance),
        standard_deviation=sheet.standard_deviation,
        volatility_index=sheet.volatility_index,
        return_ranges=[ReturnRangeAnswer(**asdict(range_)) for range_ in return_ranges(sheet)],
        fair_from_bets=fair_from(sheet),
        standard_error=standard_error(sheet),
        envy=envy_answer(sheet),
    )
