"""A finished round, told again from the journal: step by step, with its place in the chain and the proof of its shoe."""

from typing import Any

from houseway.cards import parse_cards, show_card
from houseway.house.shoe import Commitment, Revealed, check
from houseway.rulebook.edition import Edition
from houseway.table import House, Table
from houseway.table.engine import edition_of
from houseway.table.entry import Entry
from houseway.table.fold import SHOE_COMMITTED, SHOE_REVEALED
from houseway.view import Json, edition_view, happened, last_round
from houseway.view.face import face_view
from houseway.view.words import entry_words
from houseway.web.served import ServedHouse


def replayed(house: ServedHouse, seq: int) -> Json:
    """The round that ended with this entry. It is over, so that all of its cards may be seen."""
    before, after = house.replay(seq)
    entries, ended = [entry for entry, _ in after], after[-1][1]
    name = entries[-1].table
    table = ended.tables[name]
    edition = edition_of(table)
    last = last_round(table, entries)
    assert last is not None
    corrections = house.floor.store.corrections(name, last["round"], seq)
    return last | {
        "table": name,
        "edition": edition_view(table),
        "face": face_view(table),
        "settings": dict(table.settings),
        "source": table.source,
        "at": entries[-1].at,
        "day": entries[-1].day,
        "entries": [_entry(entry, edition) for entry in entries],
        "verified": all(entry.holds((entry.seq - 1, entry.previous)) for entry in entries),
        "shoe": _shoe(house, before, after, name),
        "hands_face_up": edition.game.dealing.hands_face_up,
        "names": {
            wager.id: {"name": wager.name, "outcomes": {outcome.id: outcome.name for outcome in wager.outcomes}}
            for wager in edition.game.wagers.values()
        },
        "neighbours": _neighbours(house, name, entries),
        "corrections": [_entry(entry, edition) for entry in corrections],
    }


def _entry(entry: Entry, edition: Edition) -> Json:
    return {
        "seq": entry.seq,
        "at": entry.at,
        "kind": entry.kind,
        "actor": entry.actor,
        "role": entry.role,
        "happened": happened(entry, edition),
        "words": entry_words(entry, edition),
        "cards": _cards(entry),
        "transfers": [list(transfer.as_data()) for transfer in entry.transfers],
        "hashed": [entry.seq, entry.previous, *entry.fields().values()],
        "previous": entry.previous,
        "hash": entry.hash,
    }


def _cards(entry: Entry) -> list[str]:
    return [card for event in entry.data.get("events", []) if event["event"] == "cards-drawn" for card in event["cards"]]


def _shoe(house: ServedHouse, before: House, after: list[tuple[Entry, House]], name: str) -> Json | None:
    """The shoe of the round: what was committed to, and, once it is revealed, whether it holds."""
    tables: list[Table] = [state.tables[name] for state in (before, *(state for _, state in after)) if name in state.tables]
    shoes = [table.shoe for table in tables if table.shoe is not None]
    if not shoes:
        return None
    shoe = shoes[0]
    known: dict[str, Any] = {"id": shoe.id, "commitment": shoe.commitment, "revealed": False}
    for entry in house.floor.store.entries_about_shoe(name, shoe.id):
        if entry.kind == SHOE_COMMITTED:
            known |= {"committed_at": entry.seq, "size": entry.data["size"], "burned": entry.data["burned"]}
            known |= {"dice_commitment": entry.data.get("dice_commitment", "")}
        if entry.kind == SHOE_REVEALED and "order" in entry.data:
            order = parse_cards(entry.data["order"])
            holds = check(Commitment(shoe.commitment), Revealed(order, entry.data["salt"]))
            known |= {"revealed": True, "revealed_at": entry.seq, "holds": holds, "salt": entry.data["salt"]}
            known |= {"order": [show_card(card) for card in order], "first": shoe.used}
            if "dice" in entry.data:
                dice = Revealed(tuple(entry.data["dice"]), entry.data["dice_salt"], kind="dice")
                thrown = check(Commitment(str(known["dice_commitment"])), dice)
                known |= {"dice": entry.data["dice"], "dice_salt": entry.data["dice_salt"], "dice_holds": thrown}
    return known


def _neighbours(house: ServedHouse, name: str, entries: list[Entry]) -> Json:
    """The rounds before and after this one at the table, by the entries that ended them."""
    ends = house.floor.store.ends_near(name, entries[-1].seq)
    return {"before": ends[0], "after": ends[1]}
