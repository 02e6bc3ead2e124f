"""What a command left on the table, in sentences: the hands as this reader may see them, and what the round waits for."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from houseway.money import dollars
from houseway.refusal import number_of
from houseway.rulebook.game import DEALER
from houseway.table import House, Phase, Table
from houseway.table.betting import chosen_with
from houseway.table.engine import edition_of
from houseway.table.entry import Entry
from houseway.table.shoes import lacking_seeds
from houseway.view.reader import Json, Reader
from houseway.view.table import headline, lost_words, round_on_felt
from houseway.view.words import edition_of_entry, event_words, payment_at_seat, wager_name, with_chosen, with_pieces

ON_THE_FELT = {"cards-drawn", "card-corrected", "decided"}
"""Events after which the hands lie otherwise than before."""
WAITING = {"to-act", "card-wanted"}


def told(house: House, entry: Entry, reader: Reader) -> Iterator[str]:
    """An entry in sentences; of cards and of whom the round waits for, how that is now."""
    events = with_pieces(entry.data.get("events", []))
    kinds = {event["event"] for event in events}
    edition = edition_of_entry(house, entry)
    table = house.tables.get(entry.table)
    ended = table.last.spots if table and table.last and entry.kind == "settle" else {}
    for event in events:
        if event["event"] not in {"cards-drawn", *WAITING}:
            said = event_words(with_chosen(event, edition, ended), edition)
            yield ("  " if event["event"] == "paid" else "") + said
    if second := entry.data.get("second"):
        yield f"Asked by {second['asked_by']}, confirmed by {second['confirmed_by']}"
    if table is None or table.spoiled:
        return
    is_late_bet = "bet-placed" in kinds and table.round.phase != Phase.BETTING
    if not is_late_bet and not kinds & (ON_THE_FELT | WAITING):
        return
    felt = round_on_felt(table, reader)
    if is_late_bet or kinds & ON_THE_FELT:
        yield from hands_told(table, felt)
    yield from waiting_told(table, felt)


def bets_told(table: Table, felt: Json) -> Iterator[str]:
    """What lies in front of every seat, and what is settled already and lies there no more."""
    edition = edition_of(table)
    for seat in felt["seats"]:
        chips = seat["chips"]
        chosen = chosen_with(edition, table.round.spots[seat["seat"]]) if chips else {}
        on = {wager: f" on {choice}" for wager, choice in chosen.items()}
        lies = [f"{dollars(cents)} on {wager_name(edition, wager)}{on.get(wager, '')}" for wager, cents in chips.items()]
        for_dealer = {wager: cents for wager, cents in seat["for_dealer"].items() if wager in chips}
        lies += [f"{dollars(cents)} on {wager_name(edition, wager)} for the dealer" for wager, cents in for_dealer.items()]
        settled = [payment_at_seat(paid, edition) for paid in felt["early_paid"] if paid["seat"] == seat["seat"]]
        if lies or settled:
            yield f"Seat {seat['seat']}, {seat['guest']}: " + "; ".join(filter(None, (", ".join(lies), *settled)))


def bank_told(bank: Json) -> Iterator[str]:
    """Who banks, with how much and for how long; or to whom the bank is offered; and where the marker stands."""
    if bank["holder"]:
        hands = f"{bank['hands_left']} more hand{'' if bank['hands_left'] == 1 else 's'}"
        stake = "has lost all that he put up" if bank["used_up"] else f"banks with {dollars(bank['cents'])}"
        yield f"Seat {bank['holder']}, {bank['guest']}, {stake}; the bank is his for {hands}"
    else:
        who = f"seat {bank['offered']}" if bank["offered"] else "the first who sits down"
        yield f"Nobody banks: the bank is offered to {who}"
    if bank["marker"] is not None:
        yield f"The marker stands at seat {bank['marker']}" if bank["marker"] else "The marker is not drawn yet"


def shoes_told(table: Table) -> Iterator[str]:
    """Shoes that are lost, and whom a new one waits for."""
    yield from (lost_words(lost) for lost in table.lost_shoes)
    if table.shoe is not None and table.shoe.wants_seeds:
        waits = ", ".join(lacking_seeds(table))
        whose = f"the screens of {waits} to add to it" if waits else "the dealer to go on (mix)"
        yield f"Shoe {table.shoes_made} is not in order yet: it waits for {whose}"


def hands_told(table: Table, felt: Json) -> Iterator[str]:
    """Every hand that lies on the felt, and how hands that all bet on ended: "Player 3c 3c Jh: 6"."""
    face = edition_of(table).game.face
    names = {hand.owner: hand.name for hand in face.hands}
    for owner, hands in _by_owner(felt["dealer"]):
        verb = " has" if not any(card for hand in hands for card in hand["cards"]) else ""
        yield f"{names.get(owner, owner.capitalize())}{verb} {_hand(hands, _part_names(table))}"
    for seat in felt["seats"]:
        for owner, hands in _by_owner(seat["hands"]):
            which = f", {owner}" if owner.startswith("hand") else ""
            yield f"Seat {seat['seat']}, {seat['guest']}{which}: {_hand(hands, _part_names(table))}"
    if felt["phase"] == Phase.READY and (ended := headline(table)):
        yield ended


def waiting_told(table: Table, felt: Json) -> Iterator[str]:
    """Whom a round waits for, and what each may do; or whose the next card is."""
    picks = {name: choice.picks for name, choice in edition_of(table).game.face.choices.items()}
    for seat in felt["seats"]:
        if seat["to_act"]:
            yield f"Seat {seat['seat']} may decide: {may_do(seat, picks)}"
    if wanted := felt["next_card"]:
        keyed = f" (up to {wanted['most']} cards may be keyed at once)" if wanted["most"] > 1 else ""
        yield f"The next card is for: {wanted['words']}{' (from the shoe)' if table.source == 'virtual-shoe' else keyed}"
    if felt["phase"] == Phase.READY:
        yield f"Round {felt['round']} can be settled"


def may_do(seat: Json, picks: Mapping[str, int]) -> str:
    """What a seat may do now: "look, or bet insurance up to $50"; where cards are picked with a choice, how many."""
    late = [f"bet {wager} up to {dollars(most)}" for wager, most in seat["late"].items()]
    choices = [f"{choice} with {picks[choice]} cards" if picks.get(choice) else choice for choice in seat["to_act"]]
    return ", or ".join([either(choices), *late])


def either(names: Sequence[str]) -> str:
    """Names as a choice: "hit, stand or double"."""
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def cards_by_owner(felt: Json) -> dict[str, str]:
    """The cards of every hand, by seat or by the owner of a hand of the house's; `??` is a card face down."""
    cards: dict[str, list[str]] = {}
    for seat in felt["seats"]:
        for hand in seat["hands"]:
            cards.setdefault(str(seat["seat"]), []).extend(card or "??" for card in hand["cards"])
    for hand in felt["dealer"]:
        cards.setdefault(hand["owner"], []).extend(card or "??" for card in hand["cards"])
    return {owner: " ".join(held) for owner, held in cards.items()}


def _by_owner(hands: Iterable[Json]) -> list[tuple[str, list[Json]]]:
    """Hands with the parts of one that is set together."""
    owners: dict[str, list[Json]] = {}
    for hand in hands:
        owners.setdefault(hand["owner"] or DEALER, []).append(hand)
    return list(owners.items())


def _part_names(table: Table) -> dict[str, str]:
    return {part.id: part.name for part in edition_of(table).game.face.parts}


def _hand(hands: list[Json], part_names: dict[str, str]) -> str:
    return ", ".join(
        _cards(hand) + (f" {part_names.get(hand['part'], hand['part'])}" if hand["part"] else "") for hand in hands
    )


def _cards(hand: Json) -> str:
    """The cards that are seen, how many are not, and what they count."""
    seen = " ".join(card for card in hand["cards"] if card)
    hidden = sum(card is None for card in hand["cards"])
    down = f"{number_of(hidden, 'card')} face down" if hidden else ""
    return " and ".join(filter(None, (seen, down))) + (f": {hand['worth']}" if hand["worth"] else "")
