"""What happened, in public."""

from collections.abc import Mapping

from houseway.rulebook.edition import Edition
from houseway.table.entry import Entry
from houseway.view.reader import Json
from houseway.view.words import event_words, with_pieces

PUBLIC: Mapping[str, tuple[str, ...]] = {
    "bet-placed": ("seat", "guest", "wager", "cents"),
    "bet-withdrawn": ("seat", "wager"),
    "dealer-bet-placed": ("seat", "guest", "wager", "cents"),
    "dealer-bet-withdrawn": ("seat", "wager"),
    "ready": ("seat",),
    "no-more-bets": ("round", "dice", "deck"),
    "to-draw": ("seat", "guest"),
    "to-act": ("seat", "allowed"),
    "decided": ("seat", "choice"),
    "decision-undone": ("seat", "choice", "reason"),
    "paid": ("seat", "guest", "wager", "spot", "outcome", "clause", "stake_cents", "owed_cents", "win_cents", "step"),
    "round-settled": ("round",),
    "round-voided": ("round",),
    "voided": ("round", "reason", "clause"),
    "cards-checked": ("reason", "clause"),
    "shoe-lost": ("number", "shoe", "commitment", "reason"),
    "seed-added": ("guest",),
    "shoe-mixed": ("shoe", "seeds", "guests", "left_out"),
    "result-keyed": ("result", "before", "reason"),
    "new-shoe": ("cards_out",),
    "seated": ("seat", "guest"),
    "left": ("seat",),
    "bank-taken": ("seat", "guest", "cents"),
    "bank-passed": ("seat", "offered"),
    "bank-offered": ("seats",),
    "bank-ended": ("seat", "cents", "offered"),
    "bank-used-up": ("seat", "guest", "hands_left"),
    "marker-drawn": ("seat", "before"),
    "not-covered": ("seat", "guest", "wager", "covered_cents", "back_cents"),
    "chosen-with-bet": ("seat", "guest", "wager", "choice", "before"),
    "sits-out": ("seat", "guest", "cents", "fee_cents"),
    "collection-paid": ("seat", "guest", "cents"),
    "collection-back": ("seat", "guest", "cents"),
    "collection-from-stake": ("seat", "guest", "cents", "left_cents"),
    "aggregate-limit": ("wager", "cents"),
    "frozen": ("round", "reason"),
    "resolved": ("round", "reason"),
    "table-opened": ("edition", "digest"),
    "table-closed": (),
    "settlement-reversed": ("round", "reason"),
    "card-corrected": ("place", "reason"),
    "card-replaced": ("place", "reason"),
    "cards-swapped": ("place", "other_place", "reason"),
    "round-rekeyed": ("round", "reason"),
    "decisions-rekeyed": ("seat", "choices", "before"),
    "bet-changed": ("seat", "guest", "wager", "before_cents", "after_cents", "reason", "for_dealer"),
    "early-reversed": ("round",),
    "round-corrected": ("round", "reason", "void"),
    "payment-reversed": ("seat", "guest", "wager", "spot", "win_cents"),
    "paid-again": ("seat", "guest", "wager", "spot", "outcome", "clause", "stake_cents", "owed_cents", "win_cents"),
    "board-hand": ("board", "hand"),
    "board-undone": ("board", "hand"),
    "board-new-shoe": ("board", "hands"),
}
"""The events that anybody may hear of, and what of them: no card that is not named in a payment."""


def happened(entry: Entry, edition: Edition | None = None) -> list[Json]:
    """What an entry tells everybody, with the names of the edition that its table plays."""
    told = [event for event in with_pieces(entry.data.get("events", [])) if event["event"] in PUBLIC]
    return [in_words(in_public(dict(event)), edition) for event in told]


def in_public(event: Json) -> Json:
    """What everybody may know of an event; of a decision, not the cards that it names."""
    names = PUBLIC.get(event["event"], tuple(event))
    public = {"event": event["event"]} | {name: event[name] for name in names if name in event}
    paid = {"pieces": event["pieces"]} if "pieces" in event and event["event"] in {"paid", "paid-again"} else {}
    return public | paid | ({"choice": event["choice"].split()[0]} if "choice" in public else {})


def in_words(event: Json, edition: Edition | None = None) -> Json:
    """An event with its sentence, made of no more than what it tells.

    A payment of 0.1 had it in its `step`, and nothing said on which spot it was, or what was owed if a bank was short.
    """
    unsaid = {"spot": "", "owed_cents": event["win_cents"]} if event["event"] == "paid" else {}
    known = {name: value for name, value in event.items() if name != "step"}
    return {**unsaid, **known, "text": event_words(event, edition)}


def without_cards(entry: Entry, edition: Edition | None = None) -> Json:
    """An entry of a live round, for those who read the journal: its cards are left out until the round is over."""
    sealed = "the cards of a live round are shown when it is over"
    return {"kind": entry.kind, "sealed": sealed, "events": happened(entry, edition)}
