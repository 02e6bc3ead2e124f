"""Which edition a table plays, its wagers as posted, and whether it is the approved one."""

from functools import lru_cache
from typing import Any

from houseway.table.engine import edition_of
from houseway.view.reader import Json


@lru_cache(maxsize=64)
def wager_views(
    edition_id: str, settings: tuple[tuple[str, Any], ...], limits: tuple[tuple[str, tuple[int, int]], ...]
) -> list[Json]:
    """The wagers of a table as they are posted: limits, pays, and why one is not offered."""
    edition, narrowed, values = edition_of(edition_id), dict(limits), dict(settings)
    shown = []
    for name, terms in edition.wagers.items():
        wager = edition.game.wagers[name]
        least, most = narrowed.get(name, (terms.limits.min_cents, terms.limits.max_cents))
        rows: dict[str, str] = {}
        for outcome in wager.outcomes:
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


@lru_cache(maxsize=32)
def edition_view(edition_id: str) -> Json:
    """Which edition is played, and whether it is the approved one."""
    edition = edition_of(edition_id)
    differs = edition.differences()
    return {
        "id": edition.id,
        "name": edition.name,
        "game": edition.game.id,
        "approval": str(edition.approval),
        "status": "approved" if edition.approval.on_file and not differs else "modified" if differs else "no approval on file",
        "differences": list(differs),
        "digest": edition.fingerprint.digest,
        "banked_by": edition.banked_by,
    }
