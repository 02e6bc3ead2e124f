"""Cards seen that should not be: what they are worth, by the game's own solver."""

from fractions import Fraction
from math import hypot
from typing import Any

from houseway.kernels.count import Progress
from houseway.money import dollars
from houseway.protect.protection import SeenEdge, protection_of
from houseway.refusal import Refused, one_of
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.solve.answer import DIGEST, SHORT_DIGEST, Answer, edge_percent, ratio, table


def seen_answer(
    edition: Edition,
    settings: Settings,
    wager: str,
    seen: str,
    bet_cents: int = 0,
    decisions_an_hour: int = 0,
    progress: Progress | None = None,
) -> Answer:
    """The house edge for a player who sees so much, against that for one who does not, and what that is in an hour."""
    protection = protection_of(edition)
    edition.wager(wager)
    if not protection.seen:
        raise Refused("nothing-seen", f"{edition.name}: what a card seen is worth is not worked out for this game")
    value = protection.seen[one_of("way to see cards", seen, protection.seen)]
    edges: SeenEdge = value(edition, settings, wager, progress)
    bet = bet_cents or edges.unit_cents or edition.wagers[wager].limits.max_cents
    hour = decisions_an_hour or protection.decisions_an_hour
    gains = edges.without - edges.seeing
    won, error = -edges.seeing * hour * bet / 100, edges.error * hour * bet / 100
    if beside := edges.beside:
        won -= beside.lost_cents * hour / 100
        error = hypot(error, beside.error_cents * hour / 100)
    data = {
        "edition": edition.id,
        "digest": DIGEST,
        "wager": wager,
        "settings": dict(settings),
        "conventions": {"seen": seen, **({"charged_beside": beside.words} if beside else {})},
        "count": None,
        "house_edge": _edge(edges, edges.without),
        "house_edge_seen": _edge(edges, edges.seeing),
        "gain": _edge(edges, gains),
        "bets_share": float(edges.bets_share),
        "standard_errors": {"house_edge_seen": edges.error, **({"dollars_an_hour": error} if beside else {})},
        "how": edges.how,
        "rows": [dict(row) for row in edges.rows],
        "bet_cents": bet,
        "decisions_an_hour": hour,
        "dollars_an_hour": float(won),
        "verdict": (verdict := _verdict(edges, bet, hour, float(won), error)),
    }
    row = {
        "edition": edition.id,
        "wager": wager,
        "seen": seen,
        "house_edge_percent": float(edges.without * 100),
        "house_edge_seen_percent": float(edges.seeing * 100),
        "standard_error_percent": edges.error * 100,
        "bets_share": float(edges.bets_share),
        "dollars_an_hour": float(won),
    }
    lines = [f"{edition.name} · {wager} · digest {SHORT_DIGEST}", *verdict, edges.how]
    lines += [f"charged besides: {beside.words}"] if beside else []
    if edges.rows:
        head = tuple(edges.rows[0])
        lines += [
            "",
            table([head, *(tuple(_cell(each[name]) for name in head) for each in edges.rows)], range(len(head)), "  "),
        ]
    return Answer(data, [row], "\n".join(lines))


def _edge(edges: SeenEdge, edge: Fraction) -> dict[str, Any]:
    """An edge in percent, and as a fraction where it is exact."""
    return {"exact": ratio(edge) if edges.how == "exact" else "", "percent": float(edge * 100)}


def _cell(value: Any) -> str:
    return f"{value:,.4f}" if isinstance(value, float) else str(value)


def _verdict(edges: SeenEdge, bet: int, hour: int, won: float, error: float) -> list[str]:
    """For a floor manager, in plain words."""
    within = f" ± {edges.error * 100:.4f}" if edges.error else ""
    seeing = f"the house edge falls from {edge_percent(edges.without)} to {edge_percent(edges.seeing)}{within}"
    if edges.bets_share < 1:
        at = float(-edges.seeing / edges.bets_share) * 100 if edges.bets_share else 0.0
        seeing = (
            f"who bets only when it helps bets in {float(edges.bets_share) * 100:.2f} % of the rounds, "
            f"with an edge of {at:+.4f} % (the house edge is {edge_percent(edges.without)} otherwise)"
        )
    amount = dollars(abs(round(won)) * 100 if abs(won) >= 10 else abs(round(won * 100)))
    error_said = f" ± {dollars(round(error) * 100 if error >= 10 else round(error * 100))}" if error else ""
    what = f"{'wins' if won > 0 else 'loses'} {amount}{error_said} an hour"
    if not edges.bets_share:
        return [f"{edges.about}: whichever it is, the bet does not win; the house edge is {edge_percent(edges.without)}."]
    if edges.beside:
        what += ", the bet that must lie beside it charged"
    ending = f": {edges.stopped_by}." if won > 0 else ": that is not enough to win, but it is not the game that was approved."
    return [
        f"{edges.about}: {seeing}.",
        f"At {dollars(bet)} and {hour} rounds an hour {edges.who} {what}{ending}",
    ]
