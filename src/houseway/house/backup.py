"""Copies of the store, verified; and what is published of its shoes."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import insert, select, update

from houseway.house import schema
from houseway.house.audit import Auditor, Report
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table.fold import SHOE_COMMITTED, SHOE_REVEALED

_BATCH = 5_000


def copy_store(source_url: str, target_url: str) -> Report:
    """Copy a store into an empty one, all or nothing, and audit the copy."""
    source, target = Store(source_url), Store(target_url)
    if target.head()[0]:
        raise Refused("store-not-empty", "the target holds a journal already: restore into an empty store")
    with source.reading() as reading, target.engine.begin() as writing:
        for table in (schema.entries, schema.transfers, schema.sealed, schema.snapshots, schema.people):
            for rows in reading.execute(select(table)).mappings().partitions(_BATCH):
                writing.execute(insert(table), [dict(row) for row in rows])
        seq, hash_ = reading.execute(select(schema.head.c.seq, schema.head.c.hash)).one()
        writing.execute(update(schema.head).values(seq=seq, hash=hash_))
    report = Auditor(target).run()
    if report.flaw:
        raise Refused("copy-flawed", f"the copy does not hold: {report.flaw}")
    return report


def shoe_lines(store: Store) -> Iterator[dict[str, Any]]:
    """Commitments, draws and reveals, as `houseway shoe verify` reads them; nothing that is not yet revealed."""
    revealed = {entry.data["shoe"]: entry.data for entry in store.entries() if entry.kind == SHOE_REVEALED}
    with_dice: dict[str, str] = {}
    for entry in store.entries():
        data = entry.data
        if entry.kind == "no-more-bets" and data["dice"] and with_dice.get(entry.table):
            yield {"kind": "dice-thrown", "dice": with_dice[entry.table], "numbers": [data["dice"]]}
        if entry.kind == SHOE_COMMITTED:
            shoe = data["shoe"]
            with_dice[entry.table] = shoe if "dice_commitment" in data else ""
            published = ("shoe", "commitment", "decks", "jokers")
            yield {"kind": SHOE_COMMITTED} | {name: data[name] for name in published if name in data}
            if "dice_commitment" in data:
                yield {"kind": "dice-committed", "dice": shoe, "commitment": data["dice_commitment"]}
            if data["burned"] and "order" in revealed.get(shoe, {}):
                burned = revealed[shoe]["order"].split()[: data["burned"]]
                yield {"kind": "cards-drawn", "shoe": shoe, "cards": burned, "burned": True}
        elif entry.kind == SHOE_REVEALED and "order" in data:
            yield {"kind": SHOE_REVEALED, "shoe": data["shoe"], "salt": data["salt"], "order": data["order"].split()}
            if "dice" in data:
                yield {"kind": "dice-revealed", "dice": data["shoe"], "salt": data["dice_salt"], "order": data["dice"]}
        for event in data.get("events", []):
            if event["event"] == "cards-drawn" and event["shoe"]:
                yield {"kind": "cards-drawn", "shoe": event["shoe"], "cards": event["cards"]}
