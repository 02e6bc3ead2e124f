"""Rules are compiled when first used: before the doors open, each game plays a hand."""

import logging

from houseway.cards import parse_cards
from houseway.games import leave_out, readable_editions, registry
from houseway.kernels.compiled import load_compiler
from houseway.rulebook.settle import settle

log = logging.getLogger("houseway.warm")
LOADS = "loads: "
"""How the flaw begins of a game, or an edition of it, that cannot be loaded."""
ROUNDS = 3
"""Random rounds that a game from elsewhere is tried with before the doors open."""


def leave_out_what_does_not_conform() -> None:
    """Games from elsewhere are checked before anybody plays them; one that fails is left out, and the rest is not touched."""
    for place in [place for place in registry().places.values() if not place.is_built_in]:
        from houseway.conformance import flaws_in_a_room_of_its_own  # only where there is such a game

        if flaws := flaws_in_a_room_of_its_own(place.id, ROUNDS):
            more = f" (and {len(flaws) - 1} more: houseway game check {place.folder})" if len(flaws) > 1 else ""
            leave_out(place.id, f"it does not conform: {flaws[0]}{more}")
            if not flaws[0].startswith(LOADS):  # what cannot be loaded is said when the rules are prepared
                log.warning("game %s is left out: %s%s", place.id, flaws[0], more)


def warm_up() -> None:
    """Compile what the tables need, so that no guest waits for it: the example hand of each game's face is settled."""
    load_compiler()
    editions, flaws = readable_editions()
    for flaw in flaws:
        log.warning("left out: %s", flaw)
    for edition in {edition.game.id: edition for edition in reversed(editions)}.values():
        if example := edition.game.face.example:
            try:
                settle(edition, parse_cards(example.cards), example.bets, example.choices)
            except (Exception, SystemExit) as error:  # whether it is left out for that, the checks say
                problem = getattr(error, "message", f"{type(error).__name__}: {error}")
                log.warning("game %s: the example hand of its face.toml: %s", edition.game.id, problem)
