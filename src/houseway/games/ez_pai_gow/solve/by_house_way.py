"""`houseway house-way`: what a House Way makes of a hand, or of every hand."""

from houseway.cards import fresh_shoe, parse_cards, show_cards, take
from houseway.kernels.count import Progress
from houseway.refusal import Refused, one_of
from houseway.rulebook.game import Value
from houseway.solve.answer import Answer, table

from ..game import GAME, count_house_way
from ..house_ways import house_way
from ..round import describe, set_by_house_way


def by_house_way(progress: Progress | None, name: str, hand: str, count: bool, joker: str, wheel: str) -> Answer:
    """Set seven cards and name the rule that decided, or count the fronts and backs of all seven-card hands."""
    if bool(hand) == count:
        raise Refused("bad-request", 'give either --hand "7 cards" or --count')
    settings = _settings(name, joker, wheel)
    return _all_hands(settings, progress) if count else _one_hand(name, hand, settings)


def _settings(name: str, joker: str, wheel: str) -> dict[str, Value]:
    values = {switch.name: switch.values[0] for switch in GAME.switches.values()}
    house_way(name)
    chosen = {
        "joker": one_of("joker rule", joker, ["semi", "full"]),
        "wheel": one_of("wheel", wheel, ["second", "lowest"]),
    }
    return values | chosen | {"house-way": name}


def _one_hand(name: str, hand: str, settings: dict[str, Value]) -> Answer:
    cards = parse_cards(hand)
    if len(cards) != 7:
        raise Refused("wrong-number-of-cards", f"{len(cards)} cards: a pai gow hand has seven")
    take(fresh_shoe(1, jokers=1), cards)
    notes: tuple[str, ...] = ()
    if name.endswith(".toml") and (fouls := count_house_way(settings).fouls):
        notes = (f"{name} would foul {fouls:,} of all hands; those get the best legal set",)
    set_hand, why = set_by_house_way(cards, GAME.encode(settings))
    row = {
        "house_way": house_way(name).title,
        "front": show_cards(set_hand.front_cards),
        "front_hand": describe(set_hand.front),
        "back": show_cards(set_hand.back_cards),
        "back_hand": describe(set_hand.back),
        "rule": why,
        "as_plaza": "; ".join(house_way(name).from_plaza),
    }
    lines = [
        f"front  {row['front']:14}  {row['front_hand']}",
        f"back   {row['back']:14}  {row['back_hand']}",
        f"{row['house_way']}, {why}",
    ]
    if row["as_plaza"]:
        lines.append(f"(left open by {row['house_way']} and set as Plaza does: {row['as_plaza']})")
    return Answer(row, [row], "\n".join(lines), notes=notes)


def _all_hands(settings: dict[str, Value], progress: Progress | None) -> Answer:
    counted = count_house_way(settings, progress)
    parts = [("front", front, hands) for front, hands in counted.fronts.items()]
    parts += [("back", back, hands) for back, hands in counted.backs.items()]
    total = sum(counted.backs.values())
    body = [(part, hand, f"{hands:,}", f"{hands / total:.6%}") for part, hand, hands in parts]
    text = (
        f"{table([('part', 'hand', 'hands', 'share'), *body], right=(2, 3))}\n\n"
        f"{total:,} hands, {counted.fouls:,} of which the file's set would foul and was replaced by the best legal one"
    )
    return Answer(counted.as_data(), [{"part": part, "hand": hand, "hands": hands} for part, hand, hands in parts], text)
