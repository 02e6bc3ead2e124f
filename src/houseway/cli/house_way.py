"""Printing what a House Way does."""

import sys

from houseway.cards import fresh_shoe, parse_cards, show_cards, take
from houseway.cli.text import Format, progress_bar, show_csv, show_json, table
from houseway.games.ez_pai_gow.game import GAME, count_house_way
from houseway.games.ez_pai_gow.house_ways import house_way
from houseway.games.ez_pai_gow.round import describe, set_by_house_way
from houseway.refusal import Refused, one_of
from houseway.rulebook.game import Value


def _settings(name: str, joker: str, wheel: str) -> dict[str, Value]:
    values = {switch.name: switch.values[0] for switch in GAME.switches.values()}
    house_way(name)
    chosen = {
        "joker": one_of("joker rule", joker, ["semi", "full"]),
        "wheel": one_of("wheel", wheel, ["second", "lowest"]),
    }
    return values | chosen | {"house-way": name}


def show_set(name: str, hand: str, joker: str, wheel: str, format_: Format) -> None:
    """Set seven cards and name the rule that decided."""
    settings = _settings(name, joker, wheel)
    cards = parse_cards(hand)
    if len(cards) != 7:
        raise Refused("wrong-number-of-cards", f"{len(cards)} cards: a pai gow hand has seven")
    take(fresh_shoe(1, jokers=1), cards)
    if name.endswith(".toml") and (fouls := count_house_way(settings).fouls):
        print(f"houseway: {name} would foul {fouls:,} of all hands; those get the best legal set", file=sys.stderr)
    made, why = set_by_house_way(cards, GAME.encode(settings))
    row = {
        "house_way": house_way(name).title,
        "front": show_cards(made.front_cards),
        "front_hand": describe(made.front),
        "back": show_cards(made.back_cards),
        "back_hand": describe(made.back),
        "rule": why,
        "as_plaza": "; ".join(house_way(name).from_plaza),
    }
    if format_ is Format.JSON:
        show_json(row)
    elif format_ is Format.CSV:
        show_csv([row])
    else:
        print(f"front  {row['front']:14}  {row['front_hand']}")
        print(f"back   {row['back']:14}  {row['back_hand']}")
        print(f"{row['house_way']}, {why}")
        if row["as_plaza"]:
            print(f"(left open by {row['house_way']} and set as Plaza does: {row['as_plaza']})")


def show_count(name: str, joker: str, wheel: str, format_: Format) -> None:
    """Count the fronts and backs of all seven-card hands."""
    settings = _settings(name, joker, wheel)
    with progress_bar(f"setting all hands by {name}") as progress:
        found = count_house_way(settings, progress)
    if format_ is Format.JSON:
        show_json(found.as_data())
        return
    rows = [("front", front, hands) for front, hands in found.fronts.items()]
    rows += [("back", back, hands) for back, hands in found.backs.items()]
    if format_ is Format.CSV:
        show_csv([{"part": part, "hand": hand, "hands": hands} for part, hand, hands in rows])
        return
    total = sum(found.backs.values())
    body = [(part, hand, f"{hands:,}", f"{hands / total:.6%}") for part, hand, hands in rows]
    print(table([("part", "hand", "hands", "share"), *body], right=(2, 3)))
    print(f"\n{total:,} hands, {found.fouls:,} of which the file's set would foul and was replaced by the best legal one")
