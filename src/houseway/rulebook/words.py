"""The sentences of a round's steps, made from the templates in a game's `face.toml`: the rules themselves write none.

>>> templates = {"player-draws": "Player draws on {before}: {cards}, total {total}"}
>>> sentence(templates, Step("player-draws", "EZB-3b", {"before": 5, "cards": (34,), "total": 5}))
'Player draws on 5: 10h, total 5'
>>> sentence({}, Step("dealer-looks", "BJ-8", {"cards": (34, 51), "bet_cents": 1250}))
'Dealer looks: cards 10h As, bet $12.50'
"""

from collections.abc import Iterator, Mapping
from string import Formatter

from houseway.cards import show_cards
from houseway.money import dollars
from houseway.rulebook.game import Step

Cards = tuple[int, ...]


def sentence(templates: Mapping[str, str], step: Step) -> str:
    """A step in words: cards as they are written, cents as dollars."""
    return "".join(part if isinstance(part, str) else show_cards(part) for part in parts(templates, step))


def parts(templates: Mapping[str, str], step: Step) -> Iterator[str | Cards]:
    """The same in parts, for those who show cards in a way of their own."""
    template = templates.get(step.kind)
    if template is None:  # a game need not have words of its own
        named = ", ".join(f"{name.removesuffix('_cents').replace('_', ' ')} {{{name}}}" for name in step.facts)
        template = step.kind.replace("-", " ").capitalize() + (f": {named}" if named else "")
    for text, name, _, _ in Formatter().parse(template):
        if text:
            yield text
        if name is not None:
            yield _written(name, step.facts[name])


def _written(name: str, fact: object) -> str | Cards:
    if isinstance(fact, tuple):
        return fact
    return dollars(fact) if name.endswith("_cents") and isinstance(fact, int) else str(fact)
