"""Which edition a table plays, its wagers as posted, and whether it is the approved one."""

from functools import lru_cache
from typing import Any

from houseway.approval import looks
from houseway.house.standing import standing
from houseway.refusal import Refused
from houseway.table import Board, Table
from houseway.table.bound import UNREADABLE, assumption, read_document, read_offered
from houseway.table.engine import edition_of
from houseway.view.face import face_view
from houseway.view.reader import Json


def wager_views(table: Table) -> list[Json]:
    """The wagers of a table as they are posted: limits, pays, and why one cannot be bet under its settings."""
    limits = tuple((wager, (least, most)) for wager, (least, most) in table.limits.items())
    return _wager_views(table.document, tuple(table.settings.items()), limits, table.offered)


@lru_cache(maxsize=64)
def _wager_views(
    document: str,
    settings: tuple[tuple[str, Any], ...],
    limits: tuple[tuple[str, tuple[int, int]], ...],
    offered: tuple[str, ...],
) -> list[Json]:
    edition, narrowed, values = read_offered(document, offered), dict(limits), dict(settings)
    shown = []
    for name, terms in edition.wagers.items():
        wager = edition.game.wagers[name]
        least, most = narrowed.get(name, (terms.limits.min_cents, terms.limits.max_cents))
        rows: dict[str, str] = {}
        for outcome in edition.possible(name, values):
            rows.setdefault(edition.row(name, outcome.id, values), str(edition.pay(name, outcome.id, values)))
        names = {outcome.id: outcome.name for outcome in wager.outcomes}
        shown.append(
            {
                "id": name,
                "name": wager.name,
                "clause": edition.cites.get(wager.clause, wager.clause),
                "min_cents": least,
                "max_cents": most,
                "needs": wager.needed(values),
                "follows": wager.follows,
                "late": name in edition.game.dealing.late,
                "pays": [
                    {"outcome": row, "name": names.get(row, row.replace("-", " ")), "pays": pays} for row, pays in rows.items()
                ],
                "refused": wager.refuses(values),
            }
        )
    return shown


def edition_view(bound: Table | Board) -> Json:
    """Which edition is played, whether it is the approved one, and what is assumed of a table that 0.1 opened."""
    edition_of(bound)  # refused if it cannot be read
    return _edition_view(bound.document, assumption(bound), looks())


@lru_cache(maxsize=64)
def _edition_view(document: str, assumed: str, look: int) -> Json:
    return _described(document, look) | {"assumption": assumed}


def unreadable(bound: Table | Board) -> Json | None:
    """What stands in the place of an edition that cannot be read, with the reason; nothing of one that can."""
    try:
        face_view(bound)
    except Refused as refused:
        if refused.code != UNREADABLE:
            raise
        return _UNREAD | {"id": bound.edition, "name": bound.edition, "unreadable": refused.message}
    return None


_UNREAD: Json = {
    "game": "",
    "approval": "",
    "status": "cannot be read",
    "badge": "cannot be read",
    "short": "cannot be read",
    "differences": [],
    "digest": "",
    "behaviour": "",
    "release": "",
    "system": "",
    "system_changes": [],
    "system_problem": "",
    "system_words": "",
    "banked_by": "house",
    "assumption": "",
}


def described(document: str) -> Json:
    """An edition by its content: what it is, and how it differs from the approved one, as of the last look at the files."""
    return _described(document, looks())


@lru_cache(maxsize=64)
def _described(document: str, look: int) -> Json:
    edition = read_document(document)
    badge = standing(edition)
    return {
        "id": edition.id,
        "name": edition.name,
        "game": edition.game.id,
        "approval": badge.approval,
        "status": badge.status,
        "badge": str(badge),
        "short": badge.short,
        "differences": list(badge.differences),
        "digest": badge.rules,
        "behaviour": badge.behaviour,
        "release": badge.release,
        "system": badge.system,
        "system_changes": list(badge.system_changes),
        "system_problem": badge.system_problem,
        "system_words": badge.system_words,
        "banked_by": edition.banked_by,
    }
