"""Rules are compiled when first used: before the doors open, each game plays a hand."""

import logging

from houseway.cards import parse_cards
from houseway.games import readable_editions
from houseway.rulebook.settle import settle

log = logging.getLogger("houseway.warm")


def warm_up() -> None:
    """Compile what the tables need, so that no guest waits for it: the example hand of each game's face is settled."""
    editions, flaws = readable_editions()
    for flaw in flaws:
        log.warning("left out: %s", flaw)
    for edition in {edition.game.id: edition for edition in reversed(editions)}.values():
        if example := edition.game.face.example:
            settle(edition, parse_cards(example.cards), example.bets, example.choices)
