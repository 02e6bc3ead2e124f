"""A table and its round, as a reader may see them."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from houseway.cards import parse_cards, show_card
from houseway.money import in_chips
from houseway.refusal import Refused, one_of
from houseway.rulebook.face import ChoiceFace
from houseway.rulebook.game import COMMON, COMMUNITY, DEALER, Shown, Value
from houseway.rulebook.settle import Payment
from houseway.rulebook.words import sentence
from houseway.table import VOID_REASONS, House, Phase, Table, ledger, unfolded
from houseway.table.bank import COVERING, cover_reading, is_used_up, marker_seats
from houseway.table.betting import next_drawer, takes_dealer_bets
from houseway.table.debts import owed
from houseway.table.duties import are_two
from houseway.table.engine import changer_at, edition_of, is_shuffled_every_round, prepared
from houseway.table.entry import Entry
from houseway.table.pieces import chips_of, in_pieces, pick, pieces_at
from houseway.table.play import early_paid, early_payments, early_to_verify, payments_due, spot_name
from houseway.table.roles import DEALERS, STAFF
from houseway.table.shoes import lacking_seeds
from houseway.table.state import LostShoe, Round, Spot, changed
from houseway.table.unfold import whose_card
from houseway.view.edition import edition_view, wager_views
from houseway.view.face import face_view
from houseway.view.happened import in_words
from houseway.view.late import late_bets
from houseway.view.lobby import shoe_view
from houseway.view.reader import ANYBODY, Json, Reader
from houseway.view.seen import Seen, seen
from houseway.view.slips import wanted_at_table
from houseway.view.words import entry_words, step_views, with_chosen, with_pieces


def codes(cards: Iterable[int | None]) -> list[str | None]:
    """Cards as text; nothing for one that is face down."""
    return [None if card is None else show_card(card) for card in cards]


def hand_view(hand: Shown) -> Json:
    """A hand as it lies on the felt."""
    return {
        "owner": hand.owner,
        "cards": codes(hand.cards),
        "worth": hand.worth,
        "part": hand.part,
        "active": hand.active,
        "wins": hand.wins,
    }


def _seat_hands(table: Table, dealt: Seen, seat: int) -> list[Json]:
    """A seat's own hands, as far as the reader may see them."""
    cards = dealt.hands.get(seat)
    if not cards or seat not in table.round.spots:  # EPG-8: a hand without a wager is discarded
        return []
    if None in cards:
        return [hand_view(Shown("player", ())) | {"cards": codes(cards)}]
    hands = dealt.plays[seat].hands if seat in dealt.plays else dealt.shown.get(seat, ())
    own = [hand for hand in hands if hand.owner != DEALER]
    return [hand_view(hand) for hand in own] or [hand_view(Shown("player", dealt.whole(seat)))]


def _house_hands(dealt: Seen) -> list[Json]:
    """The dealer's hand, or the hands that all bet on; and what lies in the middle of the table, face up for all."""
    middle = dealt.whole(COMMUNITY)
    return [*_dealer_hands(dealt), *([hand_view(Shown(COMMUNITY, middle))] if middle else [])]


def _dealer_hands(dealt: Seen) -> list[Json]:
    """The dealer's hand, or the hands that all bet on."""
    if COMMON in dealt.hands:
        played = next((play.hands for play in dealt.plays.values()), ())
        return [hand_view(hand) for hand in played or next(iter(dealt.shown.values()), ())]
    cards = dealt.hands.get(DEALER, ())
    if not cards:
        return []
    if None in cards:
        return [hand_view(Shown(DEALER, ())) | {"cards": codes(cards)}]
    most = max((play.hands for play in dealt.plays.values()), key=len, default=())
    return [hand_view(hand) for hand in most if hand.owner == DEALER] or [hand_view(Shown(DEALER, dealt.whole(DEALER)))]


def _clock(table: Table, to_act: bool) -> Json | None:
    """When the house decides for a seat that does not."""
    if not table.decision_seconds or not to_act or not table.touched_at:
        return None
    until = datetime.fromisoformat(table.touched_at) + timedelta(seconds=table.decision_seconds)
    return {"seconds": table.decision_seconds, "until": until.isoformat()}


def _seats(table: Table, dealt: Seen, reader: Reader, seats: Iterable[int]) -> list[Json]:
    dealing = edition_of(table).game.dealing
    shown = []
    for seat in seats:
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
                "chips": _chips(table, spot) if spot else {},
                "for_dealer": dict(spot.for_dealer) if spot else {},
                "held_cents": spot.held_cents if spot else 0,
                "choices": choices,
                "ready": spot.ready if spot else False,
                "hands": _seat_hands(table, dealt, seat),
                "to_act": list(dealt.to_act.get(seat, ())),
                "choices_now": _choices_now(table, spot, dealt.to_act.get(seat, ())) if spot else [],
                "late": late_bets(table, dealt, seat, spot) if spot else {},
                "asked": dealt.asked.get(seat, ""),
            }
        )
    return shown


def _chips(table: Table, spot: Spot) -> dict[str, int]:
    """What lies in front of a seat now: what a choice added is there, and what is already settled is not."""
    game, settled = edition_of(table).game, early_paid(table)
    chips = {wager: cents for wager, cents in spot.bets.items() if wager not in settled}
    for choice in spot.choices:
        raised = game.dealing.raises.get(choice, "")
        if raised in spot.bets:
            placed = choice if choice in game.wagers and game.wagers[choice].follows == raised else raised
            chips[placed] = chips.get(placed, 0) + spot.bets[raised]
    return chips


def _choices_now(table: Table, spot: Spot, allowed: Iterable[str]) -> list[Json]:
    """What a seat may decide, in words, and what it takes from the guest's chips."""
    game = edition_of(table).game
    now = []
    for choice in allowed:
        face = game.face.choices.get(choice) or ChoiceFace(choice.replace("-", " ").capitalize(), choice[0])
        raised = game.dealing.raises.get(choice, "")
        more = spot.bets.get(raised, 0) + spot.for_dealer.get(raised, 0)
        now.append({"id": choice, "words": face.words, "key": face.key, "quiet": face.quiet, "more_cents": more})
    return now


def _next_card(table: Table, dealt: Seen) -> Json | None:
    """The card that is wanted next: whose it is, in words, and how many may be keyed before anything is decided."""
    if dealt.card_for is None:
        return None
    face, whose, most = edition_of(table).game.face, str(dealt.card_for), _most_cards(dealt)
    if dealt.card_of is not None:
        if any(hand.owner == dealt.card_of[0] for hand in face.hands):
            whose = dealt.card_of[0]
        else:
            most = 1
    return {"whose": whose, "words": whose_card(face, dealt.card_for, dealt.card_of), "most": most}


def _most_cards(dealt: Seen) -> int:
    """The rest of a hand, or of a round in which everybody gets a card; after the first deal cards come one by one."""
    out, order, start = dealt.out, dealt.order, 0
    while start < len(order):
        in_a_row, end = order[start + 1 : start + 2] == order[start : start + 1], start + 1
        while end < len(order) and (order[end] == order[start] if in_a_row else order[end] not in order[start:end]):
            end += 1
        if out < end:
            return end - out
        start = end
    return 1


def _mixing(table: Table) -> Json | None:
    """What guests' screens add to the shoe: who has, whom it waits for and until when; nothing where they add none."""
    if table.shoe is None or not (table.shoe.wants_seeds or table.shoe.seeds):
        return None
    until = datetime.fromisoformat(table.shoe.committed_at) + timedelta(seconds=table.guest_seeds)
    return {
        "is_open": table.shoe.wants_seeds,
        "added": [guest for guest, _ in table.shoe.seeds],
        "lacking": list(lacking_seeds(table)),
        "until": until.isoformat(),
    }


def lost_words(lost: LostShoe) -> str:
    """That a shoe is lost, as everybody at the table is told."""
    known = (
        "two of the house have recorded it" if lost.declared else "no bets are taken before two of the house have recorded it"
    )
    bound = f"The house was bound to its order by {lost.commitment}, and can never show it"
    return f"Shoe {lost.number} was lost. {bound}; {known}."


def bank_view(house: House, table: Table) -> Json | None:
    """The bank of a player-banked table: who holds it or is offered it, its stake, its hands, and the marker."""
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
        "used_up": is_used_up(house, table),
        "marker": table.round.dice if marker_seats(table.settings, table.seats) else None,
        "covers": _how_it_covers(table),
    }


def _how_it_covers(table: Table) -> list[str]:
    """How a short bank covers, as the readings of this table say."""
    readings = edition_of(table).readings
    return [readings[id_].values[value] for id_ in COVERING if id_ in readings and (value := cover_reading(table, id_))]


def _cut(table: Table) -> Json | None:
    """BJ-9: where the cut card sits, and whether it is out; nothing where every round has its own shuffle."""
    if is_shuffled_every_round(table):
        return None
    size = sum(edition_of(table).game.shoe(table.settings))
    cards = size * table.cut_percent // 100
    out = table.shoe.used >= table.shoe.cut if table.shoe else len(table.discards) + len(table.round.drawn) >= cards
    return {"percent": table.cut_percent, "cards": cards, "is_out": out}


def round_on_felt(table: Table, reader: Reader) -> Json:
    """The round as it lies on the felt, for this reader."""
    return {**_felt_for_all(table), **_felt_for(table, reader)}


def _felt_for_all(table: Table) -> Json:
    """What of it is the same for every reader, whatever cards he may see."""
    dealt, edition = seen(table, ANYBODY), edition_of(table)
    return {
        "round": table.round.number,
        "phase": str(table.round.phase),
        "dice": table.round.dice,
        "drawer": next_drawer(table) if table.round.phase == Phase.BETTING else table.round.drawer,
        "to_verify": bool(early_to_verify(table)),
        "result": table.round.result,
        "card_for": "" if dealt.card_for is None else str(dealt.card_for),
        "next_card": _next_card(table, dealt),
        "cards_out": len(table.round.drawn),
        "to_act": sorted(dealt.to_act),
        "early_paid": [_early(seat, spot.guest, payment) for seat, spot, payment in early_payments(table)],
        "before_look": dealt.before_look,
        "steps": {str(seat): step_views(edition, play.steps) for seat, play in dealt.plays.items()},
        "due": [_due(seat, spot.guest, payment) for seat, spot, payment in payments_due(table)],
    }


def _felt_for(table: Table, reader: Reader, anybodys: Json | None = None) -> Json:
    """What of it hangs on who looks. A guest sees more than anybody does only at his own seats: `anybodys` felt, where it is at
    hand, has all the others."""
    if anybodys is not None and reader.role == "guest":
        return _felt_of_guest(table, reader, anybodys)
    dealt, keyed = seen(table, reader), _keyed_by(table, reader)
    return {
        "seats": _seats(table, dealt, reader, range(1, table.seats + 1)),
        "dealer": _house_hands(dealt),
        "drawn": codes(table.round.drawn) if keyed else [],
        "gone": codes(table.discards) if keyed else [],
    }


def _felt_of_guest(table: Table, reader: Reader, anybodys: Json) -> Json:
    own = [row["seat"] for row in anybodys["seats"] if reader.name and row["guest"] == reader.name]
    if not own:
        return anybodys
    rows = {row["seat"]: row for row in _seats(table, seen(table, reader), reader, own)}
    return {**anybodys, "seats": [rows.get(row["seat"], row) for row in anybodys["seats"]]}


def _due(seat: int, guest: str, payment: Payment) -> Json:
    """A payment that is to be made, with the chips that a dealer cuts for it."""
    return {
        "seat": seat,
        "guest": guest,
        "wager": payment.wager,
        "spot": spot_name(payment),
        "outcome": payment.outcome,
        "pays": payment.pays,
        "stake_cents": payment.stake_cents,
        "win_cents": payment.win_cents,
        "chips": in_chips(payment.win_cents) if payment.win_cents > 0 else "",
    }


def _of_tray(house: House, table: Table, cents: int) -> str:
    """The pieces of a payment as the tray has them, or that it has them not."""
    if cents <= 0:
        return ""
    values = chips_of(house)
    pieces = pick(pieces_at(house, changer_at(table)), cents, values, values[-1] - 1)
    return in_pieces(pieces) if pieces else "the tray is short of it: ask for a fill"


def _early(seat: int, guest: str, payment: Payment) -> Json:
    """A payment that is made already, while the round goes on: a page tells it at once."""
    return {
        "seat": seat,
        "guest": guest,
        "wager": payment.wager,
        "spot": spot_name(payment),
        "outcome": payment.outcome,
        "clause": payment.clause,
        "stake_cents": payment.stake_cents,
        "owed_cents": payment.win_cents,
        "win_cents": payment.win_cents,
    }


def _keyed_by(table: Table, reader: Reader) -> bool:
    """Whether this reader sees the cards as they were keyed in."""
    return table.source != "virtual-shoe" and reader.role in DEALERS


def last_round(table: Table, entries: Sequence[Entry], corrections: Sequence[Entry] = ()) -> Json | None:
    """The round before this one, as it stands: all its cards are face up, and every payment is told."""
    if table.last is None or not entries:
        return None
    voids = [entry for entry in entries if any(event["event"] == "voided" for event in entry.data.get("events", []))]
    last_word = corrections[-1].data["command"] if corrections else {}
    how = "voided" if voids or last_word.get("void") else "settled"
    edition, shown = edition_of(table), {"round": table.last.number, "seats": [], "dealer": [], "headline": ""}
    if how == "settled":
        before = _played(table, table.last)
        shown = round_on_felt(before, ANYBODY) | {"headline": headline(before)}
    payments = _as_corrected(_payments(entries), corrections)
    paid = [in_words(with_chosen(event, edition, table.last.spots), edition) for event in payments]
    ended = {"how": how, "seq": entries[-1].seq, "hash": entries[-1].hash, "payments": paid}
    ended["corrected"] = [words for entry in corrections for words in entry_words(entry, edition)]
    return shown | ended


def _played(table: Table, last: Round) -> Table:
    """A table with a finished round on it: unfolded once, for all that is asked of it."""
    before = changed(table, round=changed(last, phase=Phase.READY))
    return changed(before, round=changed(before.round, unfolded=unfolded(before)))


def _payments(entries: Sequence[Entry]) -> list[Json]:
    """The payments of a round, or what voided it: without those that were made early and taken back."""
    payments: list[Json] = []
    for event in (dict(event) for entry in entries for event in with_pieces(entry.data.get("events", []))):
        if event["event"] in {"early-reversed", "voided"}:
            payments = []
        if event["event"] in {"paid", "voided"}:
            payments.append(event)
    return payments


def _as_corrected(events: list[Json], corrections: Sequence[Entry]) -> list[Json]:
    """The payments of a round after its corrections: without what was reversed, with what was settled again."""
    names = ("seat", "guest", "wager", "spot", "win_cents")
    for event in (event for entry in corrections for event in entry.data["events"]):
        if event["event"] == "payment-reversed":
            same = (e for e in events if e["event"] == "paid" and [e.get(n) for n in names] == [event[n] for n in names])
            wrong = next(same, None)
            events = [each for each in events if each is not wrong]
        elif event["event"] == "paid-again":
            events = [*events, {**event, "event": "paid"}]
    return events


def headline(table: Table) -> str:
    """How hands that all bet on ended; where every seat has its own, nothing that is true of all."""
    played = unfolded(table)
    if COMMON not in played.order and not table.round.result:
        return ""
    play = next(iter(played.plays.values()))
    edition = edition_of(table)
    result = next((step for step in play.steps if step.kind == "result"), play.steps[-1])
    return sentence(edition.game.face.steps, result)


def table_view(house: House, name: str, reader: Reader, last: Json | None = None, news: Json | None = None) -> Json:
    """A table, as a reader may see it; `news` is what was put right there last."""
    return {**table_for_all(house, name, last, news), **table_for(house, name, reader)}


def table_for_all(house: House, name: str, last: Json | None = None, news: Json | None = None) -> Json:
    """What of a table is the same for every reader: many look at one, and it need be worked out once."""
    table = house.tables[one_of("table", name, house.tables)]
    edition, _, _ = prepared(table)
    felt = _felt_for_all(table)
    if chips_of(house):
        felt["due"] = [due | {"chips": _of_tray(house, table, due["win_cents"])} for due in felt["due"]]
    return {
        "name": table.name,
        "edition": edition_view(table),
        "face": face_view(table),
        "source": table.source,
        "is_open": table.is_open,
        "settings": {name: _short(value) for name, value in table.settings.items()},
        "offered": list(table.offered),
        "seats_per_guest": table.seats_per_guest,
        "wagers": wager_views(table),
        "aggregates": dict(table.aggregates),
        "with_bet": {wager: _parts(table, setting) for wager, setting in edition.game.dealing.with_bet.items()},
        "clock": _clock(table, bool(felt["to_act"])),
        "shoe": shoe_view(table),
        "mixing": _mixing(table),
        "lost_shoes": [
            {"number": lost.number, "commitment": lost.commitment, "is_declared": lost.declared, "text": lost_words(lost)}
            for lost in table.lost_shoes
        ],
        "cut": _cut(table),
        "bank": bank_view(house, table),
        "last": last,
        "news": news,
        "void_reasons": list(VOID_REASONS),
        "check_cards": table.check_cards,
        "takes_dealer_bets": takes_dealer_bets(table),
        **felt,
    }


def anybodys_felt(house: House, name: str) -> Json:
    """The felt of a table as anybody sees it."""
    return _felt_for(house.tables[one_of("table", name, house.tables)], ANYBODY)


def table_for(house: House, name: str, reader: Reader, anybodys: Json | None = None) -> Json:
    """What of a table hangs on who looks: cards that he may see, his seats and chips, and what only the staff is told. With
    `anybodys_felt` of the same moment it is made of that, as far as it is the same."""
    table = house.tables[one_of("table", name, house.tables)]
    felt = _felt_for(table, reader, anybodys)
    mine = [seat["seat"] for seat in felt["seats"] if seat["is_you"]]
    return {
        "on_table": _on_table(house, table, reader) if reader.role in STAFF else None,
        "you": _you(house, reader.name, mine) if reader.name and reader.role == "guest" else None,
        **felt,
    }


def _on_table(house: House, table: Table, reader: Reader) -> Json:
    """Who is on the table, and who has a screen of his own, for the staff; and whether only who is on it deals.

    In a house with chips also what its tray and its slips want.
    """
    on = {"dealer": table.dealer, "is_needed": are_two(house), "screens": list(table.screens), "racks": dict(table.racks)}
    return on | {"wants": wanted_at_table(house, table, reader)} if chips_of(house) else on


def _you(house: House, guest: str, seats: list[int]) -> Json:
    chips, debt = house.balance(ledger.guest(guest)), owed(house, guest)
    return {"guest": guest, "seats": seats, "balance_cents": chips, "owes_cents": debt}


def _short(value: Value) -> Value:
    """A setting as it is shown: of a file of the operator's own, whose content is the value, its title."""
    return str(json.loads(value).get("title", "own")) if isinstance(value, str) and value.startswith("{") else value


def _parts(table: Table, setting: str) -> list[str]:
    return [str(value) for value in edition_of(table).approved[setting]]


def advice(table: Table, seat: int, front: str, reader: Reader) -> Json:
    """What a hand comes to if these of its cards go in front; how the house would set it, if none is named."""
    dealt = seen(table, reader)
    edition, _, encoded = prepared(table)
    if edition.game.advise is None:
        raise Refused("nothing-to-set", f"{edition.name} has no hands to set")
    if not dealt.first_deal_done or not dealt.whole(seat):
        raise Refused("not-your-seat", f"seat {seat} has no cards that you may see")
    advised = edition.game.advise(dealt.whole(seat), tuple(parse_cards(front)), encoded)
    return {"hands": [hand_view(hand) for hand in advised.hands], "foul": advised.foul, "why": advised.why}
