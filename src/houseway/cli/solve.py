"""`houseway solve` and `houseway best`: the value of every choice, and the better one."""

from fractions import Fraction
from typing import Any

import numpy as np

from houseway.cards import parse_cards, show_cards, take
from houseway.cli.odds import sheet_data, sheet_text
from houseway.cli.text import Format, percent, progress_bar, ratio, show_csv, show_json, table
from houseway.games import open_edition
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.solve import blackjack, blackjack_chart, duki
from houseway.solve.blackjack_hands import RANKS, hand_of, total_of
from houseway.solve.tallies import solved_sheet


def show_player(edition_id: str, wager: str, chosen: dict[str, int | str], player: str, format_: Format) -> None:
    """The exact odds of a wager for a player who decides in this way."""
    edition = open_edition(edition_id)
    settings = edition.settings(chosen)
    with progress_bar("solving") as progress:
        sheet = solved_sheet(edition, wager, settings, player, progress)
    if format_ is Format.TABLE:
        print(sheet_text(sheet, f"exact; the player decides by: {player}"))
        return
    data = sheet_data(sheet) | {"edition": edition.id, "digest": edition.fingerprint.digest, "player": player}
    if format_ is Format.JSON:
        show_json(data)
    else:
        show_csv(
            [
                {name: one[name] for name in ("outcome", "pays", "combinations")} | {"total": sheet.total}
                for one in data["outcomes"]
            ]
        )


def show_solution(edition_id: str, chosen: dict[str, int | str], bonus: str, seen: bool, exact: bool, format_: Format) -> None:
    """Solve a game: the edge of the best play, the one line to remember, and where that line errs."""
    edition = open_edition(edition_id)
    settings = edition.settings(chosen)
    if edition.game.id == "blackjack":
        _show_blackjack(edition, settings, exact, format_)
        return
    if edition.game.id != "duki_4_poker":
        raise Refused("not-solved", f"{edition.id} is not solved as a whole: try `houseway odds {edition.id} --player ...`")
    solved = duki.solve(edition, settings, _multiple(bonus))
    data: dict[str, Any] = {
        "edition": edition.id,
        "digest": edition.fingerprint.digest,
        "settings": dict(settings),
        "bonus": str(solved.bonus),
        "house_edge": {"exact": ratio(solved.house_edge), "percent": float(solved.house_edge * 100)},
        "element_of_risk": {"exact": ratio(solved.element_of_risk), "percent": float(solved.element_of_risk * 100)},
        "plays": {"exact": ratio(solved.plays), "percent": float(solved.plays * 100)},
        "strategy": solved.in_words(),
        "strategy_costs": {"exact": ratio(solved.line_costs), "percent": float(solved.line_costs * 100)},
        "exceptions": _exceptions(solved),
        "total": solved.total,
    }
    if seen:
        with progress_bar("a card seen") as progress:
            edge = duki.edge_with_a_card_seen(edition, settings, progress)
        data["house_edge_with_a_dealer_card_seen"] = {"exact": ratio(edge), "percent": float(edge * 100)}
    if format_ is Format.JSON:
        show_json(data)
    elif format_ is Format.CSV:
        show_csv(data["exceptions"])
    else:
        _print_solution(edition, solved, data)


def _show_blackjack(edition: Edition, settings: Settings, exact: bool, format_: Format) -> None:
    """The value of best play: each hand by its cards, split hands by their own."""
    value = blackjack.Analysis(blackjack.Rules.of(edition, settings), exact=exact).value()
    told: dict[str, Any] = {
        "edition": edition.id,
        "digest": edition.fingerprint.digest,
        "settings": dict(settings),
        "house_edge_percent": float(-value * 100),
        "arithmetic": "exact fractions" if exact else "64-bit floats",
        "strategy": "composition-dependent; split hands by their own cards (zero memory), played as before a split",
    }
    told |= {"house_edge": ratio(-value)} if exact else {}
    if format_ is Format.JSON:
        show_json(told)
    elif format_ is Format.CSV:
        show_csv([{name: told[name] for name in ("edition", "house_edge_percent", "arithmetic")}])
    else:
        chosen = ", ".join(f"{name} {value}" for name, value in settings.items() if name not in edition.readings)
        print(f"{edition.name}: {chosen}")
        print(f"  house edge {told['house_edge_percent']:.6f} % of the first bet, by {told['arithmetic']}")
        print(f"  best play, {told['strategy']}")


def show_strategy(edition_id: str, chosen: dict[str, int | str], format_: Format) -> None:
    """The chart of the best play by totals, computed for these rules."""
    edition = open_edition(edition_id)
    if edition.game.id == "duki_4_poker":
        show_solution(edition_id, chosen, "0", False, False, format_)
        return
    if edition.game.id != "blackjack":
        raise Refused("not-solved", f"{edition.name} has no chart (charts: blackjack, Duki)")
    lines = blackjack_chart.basic_strategy(blackjack.Analysis(blackjack.Rules.of(edition, edition.settings(chosen))))
    ups = [RANKS[up] for up in blackjack_chart.UPS]
    if format_ is Format.TABLE:
        print(table([["hand", *ups], *([line.name, *line.choices] for line in lines)], right=range(1, 11)))
        print("S stand, H hit, D double or hit, d double or stand, P split, R surrender")
        return
    rows = [{"hand": line.name} | dict(zip(ups, line.choices, strict=True)) for line in lines]
    (show_json if format_ is Format.JSON else show_csv)(rows)


def _best_blackjack(
    edition: Edition, settings: Settings, cards: tuple[int, ...], dealer: tuple[int, ...]
) -> list[dict[str, Any]]:
    """Every choice with a hand against an up-card, once the dealer has looked where he looks."""
    take(edition.game.shoe(settings), [*cards, *dealer])
    hand = hand_of(cards)
    if len(dealer) != 1 or len(cards) < 2 or total_of(hand) > 21:
        raise Refused("bad-hand", 'give two or more cards of at most 21 points, and the up-card: --hand "8s 8d" --dealer 10h')
    analysis, up = blackjack.Analysis(blackjack.Rules.of(edition, settings), exact=False), hand_of(dealer).index(1)
    if len(cards) == 2:
        found = analysis.choices(hand, up)
    else:
        worth = analysis.worth[up][analysis.place[hand]]
        found = {blackjack.STAND: worth[0], blackjack.HIT: worth[1]}
    return [{"choice": blackjack.NAMES[choice], "value": float(value)} for choice, value in found.items()]


def _multiple(text: str) -> Fraction:
    try:
        bonus = Fraction(text)
    except (ValueError, ZeroDivisionError):
        bonus = Fraction(-1)
    if not 0 <= bonus <= 1000:
        raise Refused("bad-bonus", f'a Bonus of "{text[:20]}" times the Ante is not possible: give a number from 0 to 1000')
    return bonus


def _exceptions(solved: duki.Solved) -> list[dict[str, Any]]:
    """The hands in which the line is wrong, one of each class."""
    places = np.nonzero(solved.choice != solved.by_line)[0]
    return [
        {
            "hand": show_cards(solved.hands[place]),
            "better": "play" if solved.choice[place] else "fold",
            "play": float(solved.value_of_play(int(place))),
            "hands": int(solved.weights[place]),
        }
        for place in places
    ]


def _print_solution(edition: Edition, solved: duki.Solved, data: dict[str, Any]) -> None:
    print(f"{edition.name}, all {solved.total:,} deals")
    print(f"  {solved.in_words()}")
    print(f"  house edge on the Ante    {percent(solved.house_edge, 6)} = {ratio(solved.house_edge)}")
    print(f"  element of risk           {percent(solved.element_of_risk, 6)}")
    print(f"  plays                     {percent(solved.plays)}")
    print(f"  the line alone costs      {percent(solved.line_costs, 6)}")
    if seen := data.get("house_edge_with_a_dealer_card_seen"):
        print(f"  edge, a dealer card seen  {seen['percent']:.6f} %")
    if data["exceptions"]:
        print("\n  The exact play differs from the line in these hands, and in those with other suits of the same pattern:")
        rows = [[one["hand"], one["better"], f"{one['play']:+.6f}", str(one["hands"])] for one in data["exceptions"]]
        print(table([["hand", "better", "playing is worth", "hands"], *rows], right=(2, 3), indent="  "))


def show_best(edition_id: str, chosen: dict[str, int | str], hand: str, dealer: str, format_: Format) -> None:
    """What each choice with a hand is worth, and the best one."""
    edition = open_edition(edition_id)
    settings, cards = edition.settings(chosen), parse_cards(hand)
    if edition.game.id == "duki_4_poker":
        rows = _best_duki(edition, settings, cards, parse_cards(dealer))
    elif edition.game.id == "ez_pai_gow":
        if dealer:
            raise Refused("bad-request", "no card of the dealer's is seen in pai gow: leave --dealer out")
        rows = _best_set(edition, settings, cards)
    elif edition.game.id == "blackjack":
        rows = _best_blackjack(edition, settings, cards, parse_cards(dealer))
    else:
        raise Refused("not-solved", f"{edition.name} leaves the player no choice")
    best = max(rows, key=lambda row: row["value"])
    told = [row | {"value": float(row["value"]), "exact": _exactly(row["value"]), "best": row is best} for row in rows]
    if format_ is Format.JSON:
        show_json({"edition": edition.id, "hand": show_cards(cards), "choices": told})
    elif format_ is Format.CSV:
        show_csv(told)
    else:
        lines = [
            [row["choice"], f"{row['value']:+.8f}", f"{float(best['value']) - row['value']:.8f}", "best" if row["best"] else ""]
            for row in told
        ]
        print(table([["choice", "worth", "less than the best by", ""], *lines], right=(1, 2)))


def _exactly(value: Fraction | float) -> str:
    """The fraction, where the value is exact."""
    return ratio(value) if isinstance(value, Fraction) else ""


def _best_duki(edition: Edition, settings: Settings, cards: tuple[int, ...], dealer: tuple[int, ...]) -> list[dict[str, Any]]:
    if (
        len(cards) != duki.HAND
        or len({*cards, *dealer}) != duki.HAND + len(dealer)
        or len(dealer) > 1
        or 52 in {*cards, *dealer}
    ):
        raise Refused(
            "bad-hand", "a Duki hand is four different cards of 52, and at most one other card of the dealer's is seen"
        )
    value = duki.value_of_hand(edition, settings, cards, dealer[0] if dealer else -1)
    return [{"choice": "play", "value": value}, {"choice": "fold", "value": Fraction(-1)}]


def _best_set(edition: Edition, settings: Settings, cards: tuple[int, ...]) -> list[dict[str, Any]]:
    from houseway.games.ez_pai_gow.round import describe
    from houseway.solve import hands, pai_gow

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
