"""EZ Pai Gow for players who work together: cards shown, a dealer's card seen, and envy for one another's hands."""

from collections.abc import Callable
from fractions import Fraction
from math import sqrt

from houseway.kernels.count import Progress
from houseway.money import dollars
from houseway.odds.par_sheet import par_sheet
from houseway.protect.protection import BetsBeside, Protection, SeenEdge
from houseway.refusal import Refused, number_of
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.solve.answer import edge_percent

BASE, SEATS = "base", 6
DECISIONS_AN_HOUR = 34
Seeing = Callable[[Edition, Settings, str, Progress | None], SeenEdge]


def _seeing(others: int, dealer_cards: int, about: str, stopped_by: str) -> Seeing:
    """What cards seen are worth to somebody who sets his hand by them."""

    def value(edition: Edition, settings: Settings, wager: str, progress: Progress | None) -> SeenEdge:
        from .solve.shared_cards import DEALS, DRAWN, all_met, gain_of_seeing

        if wager != BASE:
            raise Refused("nothing-seen", f"what is seen changes how a hand is set, not {wager}: ask for --wager {BASE}")
        sheet = par_sheet(edition, BASE, settings, progress=progress)
        won, lost = (float(edition.pay(BASE, outcome, settings).net) for outcome in ("win", "lose"))
        shared = gain_of_seeing(edition.game.encode(settings), (won, lost), others, dealer_cards)
        against = "all hands that the dealer can have" if all_met(others, dealer_cards) else f"{DRAWN:,} hands of the dealer's"
        return SeenEdge(
            sheet.house_edge,
            sheet.house_edge - Fraction(shared.over_house_way),
            f"{about}, and the hand set best by it instead of by the House Way",
            error=sqrt(sheet.standard_error**2 + shared.over_house_way_error**2),
            how=f"simulated: {DEALS:,} deals, each against {against}",
            rows=(
                {"against": "the House Way", "gain %": shared.over_house_way * 100, "±": shared.over_house_way_error * 100},
                {"against": "best play without it", "gain %": shared.over_best * 100, "±": shared.over_best_error * 100},
            ),
            stopped_by=stopped_by,
        )

    return value


def _envy(edition: Edition, settings: Settings, wager: str, progress: Progress | None) -> SeenEdge:
    """Players who all bet the bonus, so that each wins envy on the hands of the others: exact, for every number of seats.

    What the crew wins is less the base bets that it has to lay for that, each the least that there is.
    """
    if not edition.wagers[wager].envy_cents:
        with_envy = ", ".join(name for name, terms in edition.wagers.items() if terms.envy_cents)
        raise Refused("nothing-seen", f"{wager} has no envy prizes (they are paid with: {with_envy})")
    sheet = par_sheet(edition, wager, settings, progress=progress)
    assert sheet.envy is not None
    bet, other = sheet.envy.min_bet_cents, sheet.envy.cents_per_other
    edges = {seats: sheet.house_edge_without_envy - (seats - 1) * other / bet for seats in range(1, SEATS + 1)}
    beside = _base_beside(edition, settings, wager, progress)
    base = beside.lost_cents if beside else Fraction(0)
    won = {seats: -edge * bet - base for seats, edge in edges.items()}
    best = max(won, key=lambda seats: seats * won[seats] if won[seats] > 0 else won[seats])
    rows = tuple(
        {
            "seats": seats,
            "house edge %": float(edge * 100),
            "envy a round, all seats, $": float(seats * (seats - 1) * other / 100),
            "base bets lose an hour, all seats, $": float(seats * base / 100 * DECISIONS_AN_HOUR),
            "won an hour, all seats, $": float(seats * won[seats] / 100 * DECISIONS_AN_HOUR),
        }
        for seats, edge in edges.items()
    )
    return SeenEdge(
        edges[1],
        edges[best],
        f"Envy on each other's hands: best with {number_of(best, 'seat')}, all of which bet the least that wins envy",
        rows=rows,
        unit_cents=bet,
        who="each of them",
        beside=beside,
        stopped_by="pay envy for hands of other parties only, or raise the bet that it takes: that costs no rounds",
    )


def _base_beside(edition: Edition, settings: Settings, wager: str, progress: Progress | None) -> BetsBeside | None:
    """The base bet of a seat: EPG-3 wants one beside the bonus, unless R6b does without, or of a hand that wins envy (R6)."""
    from .simulate import exact

    terms = edition.wager(wager)
    if BASE not in {terms.needed(settings), terms.envy_needs(settings) if terms.envy_needs else ""}:
        return None
    sheet = exact(edition, settings, BASE, "") or par_sheet(edition, BASE, settings, progress=progress)
    cents = edition.wagers[BASE].limits.min_cents
    lost = sheet.house_edge * cents
    how = "from all deals" if not sheet.standard_error else f"± {sheet.standard_error * 100:.4f}, simulated"
    each = f"each seat lays {dollars(cents)} on {BASE}, the least, set by the House Way: a house edge of"
    return BetsBeside(lost, sheet.standard_error * cents, f"{each} {edge_percent(sheet.house_edge)} ({how})")


NO_TALK = "let nobody show or tell his cards before all hands are set: that costs no rounds"
COVERED = "deal the dealer's hand face down, and void the round if a card of it was seen: that costs that round"

PROTECTION = Protection(
    decisions_an_hour=DECISIONS_AN_HOUR,
    main=(BASE,),
    seen={
        "card": _seeing(0, 1, "One card of the dealer's seen", COVERED),
        "hand": _seeing(1, 0, "The cards of another player seen", NO_TALK),
        **{
            f"{others}-hands": _seeing(others, 0, f"The cards of {others} other players seen", NO_TALK)
            for others in range(2, SEATS)
        },
        "envy": _envy,
    },
)
