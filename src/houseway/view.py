"""What a reader may see of the house. Views are built here and nowhere else, so that no card shows before its time."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from houseway import ledger
from houseway.board import CYCLES, Hand, bead_plate, big_road, counts, derived_road, next_hand, summary
from houseway.cards import parse_cards, show_card
from houseway.journal import Entry
from houseway.refusal import Refused, one_of
from houseway.rulebook.game import COMMON, DEALER, Recipient, Shown
from houseway.settle import Payment, dollars
from houseway.table import VOID_REASONS, House, Phase, Table, unfolded
from houseway.table.chips import in_chips
from houseway.table.engine import edition_of, prepared
from houseway.table.play import payments_due
from houseway.table.state import changed
from houseway.table.unfold import Unfolded

STAFF = ("dealer", "supervisor", "cashier", "auditor", "administrator")
Json = dict[str, Any]


@dataclass(frozen=True)
class Reader:
    """Who looks: a guest by name, somebody of the staff, or anybody."""

    name: str = ""
    role: str = "guest"


ANYBODY = Reader()


def _codes(cards: Iterable[int]) -> list[str | None]:
    return [show_card(card) for card in cards]


def _sees(table: Table, made: Unfolded, who: Recipient, reader: Reader) -> bool:
    """Whether a hand lies face up for this reader. Nobody sees a virtual hand that is face down, staff included."""
    dealing = edition_of(table.edition).game.dealing
    if made.is_complete or who == COMMON:
        return True
    if table.source != "virtual-shoe" and reader.role in {"dealer", "supervisor"}:
        return True  # he keyed it in, and may have to correct it
    if who == DEALER:
        return False
    spot = table.round.spots.get(int(who))
    return dealing.hands_face_up or (spot is not None and reader.role == "guest" and spot.guest == reader.name)


def _hand(hand: Shown) -> Json:
    return {
        "owner": hand.owner,
        "cards": _codes(hand.cards),
        "worth": hand.worth,
        "part": hand.part,
        "active": hand.active,
    }


def _seat_hands(table: Table, made: Unfolded, seat: int, reader: Reader) -> list[Json]:
    """A seat's own hands, as far as this reader may see them."""
    cards = made.hands.get(seat)
    if not cards:
        return []
    if not _sees(table, made, seat, reader):
        return [_hand(Shown("player", ())) | {"cards": [None] * len(cards)}]
    told = made.plays[seat].hands if made.is_complete and seat in made.plays else made.shown.get(seat, ())
    own = [hand for hand in told if hand.owner != DEALER]
    return [_hand(hand) for hand in own] or [_hand(Shown("player", tuple(cards)))]


def _dealer_hands(table: Table, made: Unfolded, reader: Reader) -> list[Json]:
    """The dealer's hand, or both hands of baccarat."""
    told = next((play.hands for play in made.plays.values() if made.is_complete), ()) or next(iter(made.shown.values()), ())
    if COMMON in made.hands:
        return [_hand(hand) for hand in told]
    cards = made.hands.get(DEALER, [])
    if not cards:
        return []
    if not _sees(table, made, DEALER, reader):
        up = edition_of(table.edition).game.dealing.dealer_face_up
        return [_hand(Shown(DEALER, ())) | {"cards": [*_codes(cards[:up]), *[None] * (len(cards) - up)]}]
    most = max((play.hands for play in made.plays.values() if made.is_complete), key=len, default=())
    return [_hand(hand) for hand in most if hand.owner == DEALER] or [_hand(Shown(DEALER, tuple(cards)))]


@lru_cache(maxsize=64)
def _wagers(
    edition_id: str, settings: tuple[tuple[str, Any], ...], limits: tuple[tuple[str, tuple[int, int]], ...]
) -> list[Json]:
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
                "needs": wager.needs,
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


def _clock(table: Table, to_act: bool) -> Json | None:
    """When the house decides for a seat that does not."""
    if not table.decision_seconds or not to_act or not table.touched_at:
        return None
    until = datetime.fromisoformat(table.touched_at) + timedelta(seconds=table.decision_seconds)
    return {"seconds": table.decision_seconds, "until": until.isoformat()}


def _seats(table: Table, made: Unfolded, reader: Reader) -> list[Json]:
    dealing = edition_of(table.edition).game.dealing
    shown = []
    for seat in range(1, table.seats + 1):
        spot = table.round.spots.get(seat)
        guest = spot.guest if spot else table.seated.get(seat, "")
        mine = bool(guest) and reader.role == "guest" and guest == reader.name
        choices = [] if spot is None else [c if mine or dealing.hands_face_up else c.split()[0] for c in spot.choices]
        shown.append(
            {
                "seat": seat,
                "guest": guest,
                "is_you": mine,
                "bets": dict(spot.bets) if spot else {},
                "held_cents": spot.held_cents if spot else 0,
                "choices": choices,
                "ready": spot.ready if spot else False,
                "hands": _seat_hands(table, made, seat, reader),
                "to_act": list(made.to_act.get(seat, ())),
                "asked": made.asked.get(seat, "") if _sees(table, made, seat, reader) else "",
            }
        )
    return shown


def _bank(house: House, table: Table) -> Json | None:
    if table.bank is None:
        return None
    return {
        "offered": table.bank.offered,
        "holder": table.bank.holder,
        "guest": table.seated.get(table.bank.holder, ""),
        "hands_left": table.bank.hands_left,
        "cents": house.balance(ledger.bank(table.name)),
        "player_fee_cents": table.bank.player_fee_cents,
        "bank_fee_cents": table.bank.bank_fee_cents,
        "rules": table.bank.rules,
    }


def _shoe(table: Table) -> Json | None:
    """What is published of the shoe in play: never a card."""
    if table.shoe is None:
        return None
    return {
        "id": table.shoe.id,
        "commitment": table.shoe.commitment,
        "size": table.shoe.size,
        "used": table.shoe.used,
        "cut": table.shoe.cut,
    }


def round_on_felt(table: Table, reader: Reader) -> Json:
    """The round as it lies on the felt, for this reader."""
    made = unfolded(table)
    steps = {str(seat): _steps(table, play.steps) for seat, play in made.plays.items()} if made.is_complete else {}
    return {
        "round": table.round.number,
        "phase": str(table.round.phase),
        "dice": table.round.dice,
        "result": table.round.result,
        "seats": _seats(table, made, reader),
        "dealer": _dealer_hands(table, made, reader),
        "card_for": "" if made.card_for is None else str(made.card_for),
        "cards_out": len(table.round.drawn),
        "to_act": sorted(made.to_act),
        "early_paid": [
            {"seat": seat, "guest": guest, "stake_cents": stake, "win_cents": win}
            for seat, guest, stake, win in table.round.early_paid
        ],
        "before_look": made.before_look,
        "steps": steps,
        "drawn": _codes(table.round.drawn) if _keyed_by(table, reader) else [],
        "gone": _codes(table.discards) if _keyed_by(table, reader) else [],
        "due": [_due(seat, spot.guest, payment) for seat, spot, payment in payments_due(table)],
    }


def _due(seat: int, guest: str, payment: Payment) -> Json:
    """A payment that is to be made, with the chips that a dealer cuts for it."""
    return {
        "seat": seat,
        "guest": guest,
        "wager": payment.wager,
        "outcome": payment.outcome,
        "pays": payment.pays,
        "stake_cents": payment.stake_cents,
        "win_cents": payment.win_cents,
        "chips": in_chips(payment.win_cents) if payment.win_cents > 0 else "",
    }


def _keyed_by(table: Table, reader: Reader) -> bool:
    """Whether this reader sees the cards as they were keyed in."""
    return table.source != "virtual-shoe" and reader.role in {"dealer", "supervisor"}


def _steps(table: Table, steps: Iterable[Any]) -> list[Json]:
    cites = edition_of(table.edition).cites
    return [{"text": step.text, "clause": cites.get(step.clause, step.clause)} for step in steps]


def last_round(table: Table, entries: Sequence[Entry]) -> Json | None:
    """The round before this one: all its cards are face up, and every payment is told."""
    if table.last is None or not entries:
        return None
    how = (
        "voided"
        if any(event["event"] == "voided" for entry in entries for event in entry.data.get("events", []))
        else "settled"
    )
    before = changed(table, round=changed(table.last, phase=Phase.READY))
    shown = round_on_felt(before, ANYBODY) if how == "settled" else {"round": table.last.number, "seats": [], "dealer": []}
    paid = [event for entry in entries for event in entry.data.get("events", []) if event["event"] in {"paid", "voided"}]
    return shown | {"how": how, "seq": entries[-1].seq, "hash": entries[-1].hash, "payments": paid}


def table_view(house: House, name: str, reader: Reader, last: Json | None = None) -> Json:
    """A table, as a reader may see it."""
    table = house.tables[one_of("table", name, house.tables)]
    edition, _, _ = prepared(table)
    felt = round_on_felt(table, reader)
    limits = tuple((wager, (least, most)) for wager, (least, most) in table.limits.items())
    mine = [seat["seat"] for seat in felt["seats"] if seat["is_you"]]
    return {
        "name": table.name,
        "edition": edition_view(table.edition),
        "source": table.source,
        "is_open": table.is_open,
        "settings": dict(table.settings),
        "seats_per_guest": table.seats_per_guest,
        "wagers": _wagers(table.edition, tuple(table.settings.items()), limits),
        "aggregates": dict(table.aggregates),
        "with_bet": {wager: _parts(table, setting) for wager, setting in edition.game.dealing.with_bet.items()},
        "clock": _clock(table, bool(felt["to_act"])),
        "shoe": _shoe(table),
        "bank": _bank(house, table),
        "last": last,
        "reversible_round": table.settled_round if table.settled else 0,
        "void_reasons": list(VOID_REASONS),
        "you": {"guest": reader.name, "seats": mine, "balance_cents": house.balance(ledger.guest(reader.name))}
        if reader.name and reader.role == "guest"
        else None,
        **felt,
    }


def _parts(table: Table, setting: str) -> list[str]:
    return [str(value) for value in edition_of(table.edition).approved[setting]]


def advice(table: Table, seat: int, front: str, reader: Reader) -> Json:
    """What a hand comes to if these of its cards go in front; how the house would set it, if none is named."""
    made = unfolded(table)
    edition, _, encoded = prepared(table)
    if edition.game.advise is None:
        raise Refused("nothing-to-set", f"{edition.name} has no hands to set")
    if seat not in made.hands or not made.first_deal_done or not _sees(table, made, seat, reader):
        raise Refused("not-your-seat", f"seat {seat} has no cards that you may see")
    told = edition.game.advise(tuple(made.hands[seat]), tuple(parse_cards(front)), encoded)
    return {"hands": [_hand(hand) for hand in told.hands], "foul": told.foul, "why": told.why}


def lobby_view(house: House) -> list[Json]:
    """All open tables in short."""
    return [
        {
            "name": table.name,
            "edition": edition_view(table.edition),
            "source": table.source,
            "limits": _limits(table),
            "seats": table.seats,
            "seats_free": table.seats - len(table.seated.keys() | table.round.spots.keys()),
            "round": table.round.number,
            "phase": str(table.round.phase),
            "shoe": _shoe(table),
            "last": [_told(one) for one in table.history[-12:]],
        }
        for table in house.tables.values()
        if table.is_open
    ]


def _limits(table: Table) -> str:
    """The limits of the main wager, as posted."""
    terms = edition_of(table.edition).wagers
    main = next(iter(terms))
    least, most = table.limits.get(main, (terms[main].limits.min_cents, terms[main].limits.max_cents))
    return f"{dollars(least)} to {dollars(most)}"


def _told(one: Any) -> Json:
    return {"round": one.number, "headline": one.headline, "marks": list(one.marks), "start": one.start} | {
        "hits": [asdict(hit) for hit in one.hits]
    }


# Scoreboards


def board_view(house: House, name: str) -> Json:
    """A scoreboard: of a keypad's own board, or of a table."""
    if name in house.boards:
        board = house.boards[name]
        shown = _roads([Hand.parse(hand) for hand in board.hands], board.next_hand)
        return {
            "name": name,
            "keyed": True,
            "edition": edition_view(board.edition),
            "shoe_number": board.shoes,
            "limits": [],
        } | shown
    table = house.tables[one_of("scoreboard", name, [*house.tables, *house.boards])]
    edition, settings, _ = prepared(table)
    shown = {
        "name": name,
        "keyed": False,
        "edition": edition_view(table.edition),
        "shoe_number": table.shoes_made,
        "shoe": _shoe(table),
        "phase": str(table.round.phase),
        "round": table.round.number,
        "limits": [
            {"wager": wager["name"], "min_cents": wager["min_cents"], "max_cents": wager["max_cents"]}
            for wager in _wagers(table.edition, tuple(table.settings.items()), tuple(table.limits.items()))
            if not wager["follows"] and not wager["late"] and not wager["refused"]
        ],
    }
    if edition.game.dealing.play_result is not None:
        hands = [Hand.parse(one.marks[0]) for one in table.history if one.marks]
        return shown | _roads(hands, settings.get("next-hand-cells") == "on")
    return shown | _summary(table)


def _roads(hands: list[Hand], shows_next: bool) -> Json:
    return {
        "kind": "roads",
        "hands": [str(hand) for hand in hands],
        "counts": asdict(counts(hands)),
        "bead_plate": [_cell(cell) for cell in bead_plate(hands)],
        "big_road": [_cell(cell) for cell in big_road(hands)],
        "derived": [[asdict(stroke) for stroke in derived_road(hands, cycle)] for cycle in CYCLES],
        "next_hand": {winner: list(colours) for winner, colours in next_hand(hands).items()} if shows_next else None,
    }


def _cell(cell: Any) -> Json:
    return {"column": cell.column, "row": cell.row, "hand": str(cell.hand) if cell.hand else "", "ties": cell.ties}


def _summary(table: Table) -> Json:
    told, wagers = summary(table.history), edition_of(table.edition).game.wagers
    return {
        "kind": "history",
        "rounds": told.rounds,
        "last": [_told(one) | {"ends": [asdict(end) for end in one.ends]} for one in told.last],
        "starts": list(told.starts),
        "dice": table.round.dice,
        "marks": dict(told.marks),
        "ends": {wagers[wager].name: asdict(ends) for wager, ends in told.ends.items()},
        "hits": {wagers[wager].name: dict(hits) for wager, hits in told.hits.items()},
    }


# What happened, in public


PUBLIC: Mapping[str, tuple[str, ...]] = {
    "bet-placed": ("seat", "guest", "wager", "cents"),
    "bet-withdrawn": ("seat", "wager"),
    "ready": ("seat",),
    "no-more-bets": ("round", "dice", "deck"),
    "to-act": ("seat", "allowed"),
    "paid": ("seat", "guest", "wager", "outcome", "clause", "stake_cents", "win_cents", "step"),
    "round-settled": ("round",),
    "round-voided": ("round",),
    "voided": ("round", "reason", "clause"),
    "result-keyed": ("result", "before"),
    "new-shoe": ("cards_out",),
    "seated": ("seat", "guest"),
    "left": ("seat",),
    "bank-taken": ("seat", "guest", "cents"),
    "bank-passed": ("seat", "offered"),
    "bank-offered": ("seats", "notice"),
    "bank-ended": ("seat", "cents", "offered"),
    "aggregate-limit": ("wager", "cents"),
    "frozen": ("round", "reason"),
    "resolved": ("round", "reason"),
    "table-opened": ("edition", "digest"),
    "table-closed": (),
    "settlement-reversed": ("round", "reason"),
    "board-hand": ("board", "hand"),
    "board-undone": ("board", "hand"),
    "board-new-shoe": ("board", "hands"),
}
"""The events that anybody may hear of, and what of them: no card that is not named in a payment."""


def happened(entry: Entry) -> list[Json]:
    """What an entry tells everybody."""
    told = []
    for event in entry.data.get("events", []):
        if event["event"] in PUBLIC:
            told.append({"event": event["event"]} | {name: event[name] for name in PUBLIC[event["event"]] if name in event})
        elif event["event"] == "decided":
            told.append({"event": "decided", "seat": event["seat"], "choice": event["choice"].split()[0]})
    return told


def without_cards(entry: Entry) -> Json:
    """An entry of a live round, for those who read the journal: its cards are left out until the round is over."""
    return {"kind": entry.kind, "sealed": "the cards of a live round are shown when it is over", "events": happened(entry)}
