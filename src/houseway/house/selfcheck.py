"""The program's check of itself, as GLI-19 asks of a control program: at the start, every day, and on demand.

Each check is an entry in the journal: the release, every file that is not as released, and every edition's standing.
"""

import logging
import threading
from collections.abc import Mapping
from typing import Any, Protocol

from houseway.approval import check_again, looks, system
from houseway.games import readable_editions
from houseway.house.floor import HOUSE, Actor
from houseway.house.outage import in_words
from houseway.house.standing import standing
from houseway.table.fold import SELF_CHECK

SECONDS_BETWEEN = 24 * 60 * 60
log = logging.getLogger("houseway.house")


class Noting(Protocol):
    """What writes a note into the journal: a floor, or the house as it is served."""

    def note(self, kind: str, actor: Actor, data: Mapping[str, Any]) -> object:
        """Record something."""


def as_note() -> dict[str, Any]:
    """What a check found, as it stands in the journal."""
    editions, _ = readable_editions()
    badges = {edition.id: standing(edition) for edition in editions}
    rules = {id_: {"badge": str(badge), "rules": badge.rules, "behaviour": badge.behaviour} for id_, badge in badges.items()}
    return {**system().as_data(), "words": str(system()), "editions": rules}


def note_check(house: Noting) -> Any:
    """Note what the last check found, and make the first; one clear line if anything differs, and the house serves on."""
    if not looks():
        check_again()  # of what is noted, nothing is taken from an earlier run
    if not system().is_unchanged:
        log.warning("self-check: %s", system())
    return house.note(SELF_CHECK, HOUSE, as_note())


def check_daily(house: Noting, stopped: threading.Event, seconds: float = SECONDS_BETWEEN) -> None:
    """Check every day until the house closes; a check that cannot be noted is said, and the next one is made."""
    while not stopped.wait(seconds):
        try:
            check_again()
            note_check(house)
        except Exception as error:
            log.warning("self-check: it could not be noted: %s", in_words(error))
