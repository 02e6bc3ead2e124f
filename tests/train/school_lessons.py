"""Lessons for tests: every edition, one of an operator's own, games from outside, and tables that are set otherwise."""

from itertools import combinations, permutations
from pathlib import Path

from houseway.cards import parse_cards, show_cards
from houseway.games import open_edition
from houseway.table.bound import as_text
from houseway.train.deals import Lesson, lesson_of
from houseway.train.exercise import Ask, Exercise

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
BUILT_IN = ("ez-baccarat-wa", "ez-baccarat-ca", "ez-pai-gow-wa", "duki-4-wa", "lucky-lucky-wa")
OUTSIDE = ("casino-war", "dragon-tiger")
OWN = "own-baccarat"
SET_OTHERWISE = {
    "bank by marker": ("ez-baccarat-ca", {"R12": "from-marker", "R12c": "as-keyed", "R12d": "until-used-up"}),
    "bank reserves": ("ez-baccarat-ca", {"R12b": "worst-case"}),
    "bets for dealers": ("duki-4-wa", {"dealer-bets": "allowed"}),
    "wagered positions": ("ez-pai-gow-wa", {"deal": "wagered-positions", "house-way": "foxwoods"}),
    "no hole card": ("lucky-lucky-wa", {"hole-card": "none", "surrender": "late", "decks": 2}),
}
EVERY = (*BUILT_IN, OWN, *OUTSIDE, *SET_OTHERWISE)


def own_edition(folder: Path) -> Path:
    """An edition of somebody's own: other pays, another name."""
    original = Path(open_edition("ez-baccarat-wa").game.folder) / "editions" / "ez-baccarat-wa.toml"
    text = original.read_text(encoding="utf-8").replace('id = "ez-baccarat-wa"', f'id = "{OWN}"')
    for before, after in (('"40 to 1"', '"35 to 1"'), ('"25 to 1"', '"20 to 1"'), ('"8 to 1"', '"9 to 1"')):
        assert before in text
        text = text.replace(before, after)
    file = folder / f"{OWN}.toml"
    file.write_text(text, encoding="utf-8")
    return file


def lesson(name: str, folder: Path) -> Lesson:
    """The lesson of one of `EVERY`."""
    edition, chosen = SET_OTHERWISE.get(name, (name, {}))
    opened = open_edition(str(own_edition(folder)) if name == OWN else edition)
    return lesson_of(as_text(opened.document), tuple(chosen.items()))


# Answers that are wrong


def others(exercise: Exercise, ask: Ask) -> list[str]:
    """Every answer that must be refused as wrong, or all that is near the right one where there are too many."""
    return {"pick": _picks, "amount": _amounts, "order": _orders, "pieces": _pieces, "cards": _fronts}[ask.form](exercise, ask)


def _picks(_, ask):
    return [option.value for option in ask.options if option.value not in ask.accepted]


def _amounts(_, ask):
    right = int(ask.accepted[0])
    stake = ask.label.partition("$")[2].partition(" ")[0].replace(",", "")
    near = {right + 1, right - 1, right + 50, right + 100, right - 100, right + 500, right - 500, right * 2, right // 2, 0}
    near |= {right + round(float(stake) * 100), right - round(float(stake) * 100)} if stake else set()
    return [f"{cents // 100}.{cents % 100:02}" for cents in near if cents >= 0 and cents != right]


def _orders(_, ask):
    right = ask.accepted[0].split()
    if len(right) <= 5:
        return [" ".join(order) for order in permutations(right) if list(order) != right]
    swapped = []
    for one, other in combinations(range(len(right)), 2):
        order = list(right)
        order[one], order[other] = order[other], order[one]
        swapped.append(" ".join(order))
    return swapped


def _pieces(_, ask):
    values = [option.value for option in ask.options]
    worth = {value: round(float(value) * 100) for value in values}
    right = dict(word.split("x") for word in ask.accepted[0].split())
    counts = {value: int(right.get(value, 0)) for value in values}
    wrong = [{**counts, value: counts[value] + more} for value in values for more in (1, -1) if counts[value] + more >= 0]
    for large, small in combinations(values, 2):
        if counts[large] and worth[large] % worth[small] == 0:  # the same amount in more chips
            more = counts[small] + worth[large] // worth[small]
            wrong.append({**counts, large: counts[large] - 1, small: more})
    return [" ".join(f"{value}x{count}" for value, count in each.items() if count) for each in wrong]


def _fronts(exercise, ask):
    """All other cards in front; not judged here are those of the same ranks where suits may matter."""
    hand = parse_cards(" ".join(option.value for option in ask.options))
    suits = [sum(card < 52 and card & 3 == suit for card in hand) + (52 in hand) for suit in range(4)]
    right, wrong = sorted(card >> 2 for card in parse_cards(ask.accepted[0])), []
    for front in combinations(hand, ask.many):
        written = show_cards(sorted(front, reverse=True))
        if sorted(card >> 2 for card in front) != right:
            if exercise.kind == "set" or written not in ask.accepted:
                wrong.append(written)
        elif max(suits) < 5:
            assert written in ask.accepted, f"{written} comes to the same as {ask.accepted[0]} of {show_cards(hand)}"
    return wrong
