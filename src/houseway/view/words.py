"""The sentences of everything that happens, in one place and in dollars: events and notes of the journal, and steps.

Pages, the shell and replays all take their words from here; a journal holds none. Wagers and outcomes have the names that the
edition of the table shows. Entries of 0.1 brought their payments' sentences with them, and those are told as they were.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from houseway.cards import show_card
from houseway.money import dollars, in_chips
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import COMMUNITY, DEALER, Step
from houseway.rulebook.words import sentence
from houseway.table import House
from houseway.table.engine import edition_of
from houseway.table.entry import Entry
from houseway.table.events import HighPayout

Event = Mapping[str, Any]
Words = Callable[[Event], str]


def step_views(edition: Edition, steps: Iterable[Step]) -> list[dict[str, Any]]:
    """The steps of a round as an edition tells them: the sentence, its clause, whose hand it is about, and which cards."""
    return [
        {
            "kind": step.kind,
            "text": sentence(edition.game.face.steps, step),
            "clause": edition.cites.get(step.clause, step.clause),
            "owner": step.facts.get("owner", ""),
            "cards": [show_card(card) for cards in step.cards.values() for card in cards],
        }
        for step in steps
    ]


def edition_at(house: House, table: str) -> Edition | None:
    """The edition of a table, for the names of its wagers; none where there is no table, or its edition cannot be read."""
    try:
        return edition_of(house.tables[table]) if table in house.tables else None
    except Refused:
        return None


def event_words(event: Event, edition: Edition | None = None) -> str:
    """An event of the journal as a sentence, with the names of the edition that is played."""
    return EVENT_WORDS[event["event"]](_with_names(event, edition))


def entry_words(entry: Entry, edition: Edition | None = None) -> list[str]:
    """What an entry tells, payments left out: they have places of their own."""
    events = [event for event in entry.data.get("events", []) if event["event"] not in UNSAID]
    return [event_words(event, edition) for event in events] or [ENTRY_WORDS.get(entry.kind, _named(entry.kind))]


def wager_name(edition: Edition | None, wager: str) -> str:
    """A wager as the edition shows it; where that does not know it, its id as words: `side-bet` is `Side Bet`."""
    if edition and wager in edition.game.wagers:
        return edition.game.wagers[wager].name
    return " ".join(map(_named, wager.split("-")))


def outcome_name(edition: Edition | None, wager: str, outcome: str) -> str:
    """An outcome of a wager as the edition shows it."""
    known = edition.game.wagers[wager].outcomes if edition and wager in edition.game.wagers else ()
    return next((each.name for each in known if each.id == outcome), _named(outcome))


def _with_names(event: Event, edition: Edition | None) -> Event:
    """An event with names in the place of the ids of wagers and outcomes."""
    names: dict[str, Any] = {}
    if "wager" in event:
        names["wager"] = wager_name(edition, event["wager"])
    if "outcome" in event:
        names["outcome"] = outcome_name(edition, event["wager"], event["outcome"])
    if "payments" in event:
        names["payments"] = [{**paid, "wager": wager_name(edition, paid["wager"])} for paid in event["payments"]]
    return {**event, **names}


def _named(id_: str) -> str:
    """An id as words: `dealer-card-exposed` is `Dealer card exposed`."""
    words = id_.replace("-", " ")
    return words[:1].upper() + words[1:]


def payment_words(event: Event, edition: Edition | None = None) -> str:
    """A payment as a dealer makes it: "Seat 3: WAGER wins (OUTCOME), $5 pays $200 (2 black)"."""
    return event_words({**event, "event": "paid"}, edition)


def payment_at_seat(event: Event, edition: Edition | None = None) -> str:
    """The same where it is plain whose it is: "WAGER, hand 2, wins, $10 pays $10 (2 red)"."""
    return _at_seat(_with_names(event, edition))


def _paid(event: Event) -> str:
    if "owed_cents" not in event:
        return str(event["step"])  # an entry of 0.1
    return f"Seat {event['seat']}: {_at_seat(event)}"


def _at_seat(event: Event) -> str:
    owed, moved = event["owed_cents"], event["win_cents"]
    ends = "wins" if owed > 0 else "loses" if owed < 0 else "pushes"
    why = event["outcome"].removeprefix(f"{event['wager']}: ")
    is_said = why.lower() in f"{event['wager']} {ends}".lower()
    covers = ", all that the bank covers" if 0 < abs(moved) < abs(owed) else ""
    return f"{_stake_name(event)} {ends}{'' if is_said else f' ({why})'}, {_money_moved(event)}{covers}"


def _stake_name(event: Event) -> str:
    """The wager, and which of its stakes: "WAGER, hand 2,"."""
    return f"{event['wager']}, {event['spot']}," if event.get("spot") else str(event["wager"])


def _money_moved(event: Event) -> str:
    """What became of the stake; what a player's bank does not cover goes back."""
    stake, owed, moved = event["stake_cents"], event["owed_cents"], event["win_cents"]
    if owed and not moved:
        return f"{dollars(stake)} goes back: the bank did not cover it"
    if moved > 0:
        return f"{f'{dollars(stake)} pays' if stake else 'a prize of'} {dollars(moved)} ({in_chips(moved)})"
    if moved == 0:
        return f"{dollars(stake)} goes back"
    return f"{dollars(-moved)}{f' of {dollars(stake)}' if -moved < stake else ''} is taken"


def high_payout_words(payout: HighPayout, edition: Edition | None = None) -> str:
    """A payout that surveillance verifies: "seat 1 WAGER $4,000"."""
    return _high_payout({**vars(payout), "wager": wager_name(edition, payout.wager)})


def _high_payout(paid: Event) -> str:
    return f"seat {paid['seat']} {paid['wager']} {dollars(paid['win_cents'])}"


def high_payouts_of(event: Event) -> list[str]:
    """All of an event's; those of 0.1 are in words already."""
    if "payouts" in event:
        return list(event["payouts"])
    return [_high_payout(paid) for paid in event["payments"]]


def _surveillance(event: Event) -> str:
    waits = "It waits until a supervisor has verified it" if event["acknowledge_first"] else "Verify it on the recording"
    return f"{'; '.join(high_payouts_of(event))}: above {dollars(event['threshold_cents'])}. {waits}"


def _no_more_bets(event: Event) -> str:
    dice = f"; the dice show {event['dice']}" if event["dice"] else ""
    return f"No more bets{dice}" + (f"; the {event['deck']} deck is dealt" if event.get("deck") else "")


def _bank_passed(event: Event) -> str:
    to = "nobody banks" if event.get("nobody_banks") else f"it is offered to seat {event['offered']}"
    return f"Seat {event['seat']} passes the bank on: {to}"


def _bank_ended(event: Event) -> str:
    return f"The bank of seat {event['seat']} ends with {dollars(event['cents'])}; it is offered to seat {event['offered']}"


def _marker(event: Event) -> str:
    before = f" (before: seat {event['before']})" if event["before"] else ""
    return f"The marker stands at seat {event['seat']}{before}: the bank covers from there on, clockwise"


def _not_covered(event: Event) -> str:
    who, wager, back = f"Seat {event['seat']}, {event['guest']}", event["wager"], dollars(event["back_cents"])
    if event["covered_cents"]:
        return f"{who}: the bank covers {dollars(event['covered_cents'])} on {wager}, and {back} goes back"
    return f"{who}: the bank does not cover {wager}, and {back} goes back"


def _sits_out(event: Event) -> str:
    fee, cents = dollars(event["fee_cents"]), dollars(event["cents"])
    who = f"Seat {event['seat']}, {event['guest']},"
    return f"{who} cannot pay the collection of {fee}: {cents} goes back, and he sits this hand out"


def _bank_used_up(event: Event) -> str:
    again = "he may put up again for his last hand, or pass"
    return f"{event['guest']}, who banks from seat {event['seat']}, has lost all that he put up; {again}"


def _cards_drawn(event: Event) -> str:
    cards = event["cards"]
    return f"{len(cards)} {'card comes' if len(cards) == 1 else 'cards come'} out"


_WANTED = {DEALER: "the dealer", COMMUNITY: "the middle of the table"}


def _card_wanted(event: Event) -> str:
    who = event["recipient"]
    return f"A card is wanted for {f'seat {who}' if isinstance(who, int) else _WANTED.get(who, 'the hand')}"


def _voided(event: Event) -> str:
    return f"Round {event['round']} is voided: {_named(event['reason']).lower()} ({event['clause']}). All wagers go back"


def _reversed(event: Event) -> str:
    change = event["win_cents"]
    moved = f"{dollars(abs(change))} {'goes back' if change > 0 else 'is taken back'}" if change else "nothing moves"
    return f"Seat {event['seat']}, {event['guest']}: {moved}"


def _of_card(event: Event, what: str) -> str:
    change = f": before {event['before']}, after {event['after']}" if "before" in event else ""
    return f"Card {event['place']} {what}{change}" + (f" ({event['reason']})" if event.get("reason") else "")


def _bet_changed(event: Event) -> str:
    before, after = dollars(event["before_cents"]), dollars(event["after_cents"])
    wager = event["wager"] + (" for the dealer" if event.get("for_dealer") else "")
    return f"Seat {event['seat']}, {event['guest']}: {wager} is {after}, not {before}: {event['reason']}"


def _corrected(event: Event) -> str:
    how = "voided after all: all its wagers go back" if event["void"] else "settled again as it really was"
    return f"Round {event['round']} is {how} ({event['reason']})"


def _payment_reversed(event: Event) -> str:
    win = event["win_cents"]
    moved = f"{dollars(abs(win))} {'comes back' if win > 0 else 'goes back'}" if win else "nothing had moved"
    return f"Seat {event['seat']}, {_stake_name(event).removesuffix(',')}, is reversed: {moved}"


def _debt_paid(event: Event) -> str:
    left = f"; {dollars(event['left_cents'])} is left" if event["left_cents"] else ", all of it"
    return f"{event['guest']} pays {dollars(event['cents'])} of what he owed{left}"


def _round_ended(how: str) -> Words:
    return lambda event: f"Round {event['round']} is {how}" + ("; its shoe is done" if event.get("shoe_done") else "")


def _counted(event: Event) -> str:
    counted, expected, off = (event[f"{name}_cents"] for name in ("counted", "expected", "difference"))
    differs = f": a difference of {dollars(off)}" if off else ", and so it is"
    return f"{dollars(counted)} counted; the books say {dollars(expected)}{differs}"


def _opened(event: Event) -> str:
    tray = f", with {dollars(event['opener_cents'])} in the tray" if event.get("opener_cents") else ""
    return f"The table is opened for {event['edition']}{tray}"


def _closed(event: Event) -> str:
    if "win_cents" not in event:  # what it won is not for everybody
        return "The table is closed"
    win, drop, closer = (dollars(event[f"{name}_cents"]) for name in ("win", "drop", "closer"))
    verdict = "balances to the cent" if event["balanced"] else "does NOT balance"
    said = "" if event["balanced"] else f" (the rounds say a win of {dollars(event['rounds_say_cents'])}"
    counted = "" if event["balanced"] else f", {dollars(event['counted_cents'])} counted)"
    return f"Win {win}, drop {drop}, closer {closer}: {verdict}{said}{counted}"


EVENT_WORDS: dict[str, Words] = {
    "bet-placed": lambda e: f"Seat {e['seat']}, {e['guest']}: {dollars(e['cents'])} on {e['wager']}",
    "bet-withdrawn": lambda e: f"Seat {e['seat']} takes {e['wager']} back",
    "dealer-bet-placed": lambda e: f"Seat {e['seat']}, {e['guest']}: {dollars(e['cents'])} on {e['wager']} for the dealer",
    "dealer-bet-withdrawn": lambda e: f"Seat {e['seat']} takes {e['wager']} for the dealer back",
    "ready": lambda e: f"Seat {e['seat']} is ready",
    "no-more-bets": _no_more_bets,
    "seated": lambda e: f"{e['guest']} takes seat {e['seat']}",
    "left": lambda e: f"Seat {e['seat']} is free again",
    "bank-taken": lambda e: f"{e['guest']} banks from seat {e['seat']} with {dollars(e['cents'])}",
    "bank-passed": _bank_passed,
    "bank-offered": lambda _: "Anybody at the table may take the position, and wins or loses no more than he puts up",
    "bank-ended": _bank_ended,
    "bank-used-up": _bank_used_up,
    "marker-drawn": _marker,
    "not-covered": _not_covered,
    "sits-out": _sits_out,
    "to-draw": lambda e: f"Seat {e['seat']}, {e['guest']}, draws the cards",
    "cards-drawn": _cards_drawn,
    "to-act": lambda e: f"Seat {e['seat']} is asked: {' or '.join(choice.replace('-', ' ') for choice in e['allowed'])}",
    "card-wanted": _card_wanted,
    "card-corrected": lambda e: _of_card(e, "is corrected"),
    "card-replaced": lambda e: _of_card(e, "was seen, and is replaced"),
    "cards-swapped": lambda e: f"Cards {e['place']} and {e['other_place']} change places: {e['reason']}",
    "round-rekeyed": lambda e: f"All cards of round {e['round']} are keyed again: {e['reason']}",
    "decision-undone": lambda e: (
        f"Seat {e['seat']} decides again ({e['choice'].replace('-', ' ')} is taken back): {e['reason']}"
    ),
    "bet-changed": _bet_changed,
    "early-reversed": lambda e: f"What was paid early in round {e['round']} is taken back, and settled again",
    "round-corrected": _corrected,
    "payment-reversed": _payment_reversed,
    "paid-again": lambda e: f"Now s{_paid(e)[1:]}",
    "owes": lambda e: f"{e['guest']} no longer has it all, and owes {dollars(e['cents'])}",
    "debt-paid": _debt_paid,
    "result-keyed": lambda e: f"The dealer keys the result {e['result']}" + (f", before {e['before']}" if e["before"] else ""),
    "decided": lambda e: f"Seat {e['seat']} decides: {e['choice'].replace('-', ' ')}",
    "new-shoe": lambda e: f"A new shoe begins; {e['cards_out']} cards were out",
    "paid": _paid,
    "aggregate-limit": lambda e: f"{e['wager']} reaches the most one deal pays: {dollars(e['cents'])}",
    "surveillance": _surveillance,
    "acknowledged": lambda e: f"A supervisor has verified the payouts of round {e['round']}",
    "round-settled": _round_ended("settled"),
    "round-voided": _round_ended("over"),
    "frozen": lambda e: f"Round {e['round']} is frozen: {e['reason']}",
    "resolved": lambda e: f"The dispute of round {e['round']} is resolved: {e['reason']}",
    "voided": _voided,
    "cards-checked": lambda e: (
        f"A supervisor has checked the cards after the {_named(e['reason']).lower()} ({e['clause']}): they are reshuffled"
    ),
    "not-recovered": lambda e: f"{e['guest']} no longer has {dollars(e['cents'])} of what was paid early",
    "reversed": _reversed,
    "settlement-reversed": lambda e: f"The settlement of round {e['round']} is reversed: {e['reason']}",
    "table-opened": _opened,
    "table-closed": _closed,
    "fund": lambda e: f"{dollars(e['cents'])} comes into the cage",
    "buy-in": lambda e: f"{e['guest']} buys chips for {dollars(e['cents'])} at the cage",
    "cash-out": lambda e: f"{e['guest']} cashes chips for {dollars(e['cents'])}",
    "fill": lambda e: f"{dollars(e['cents'])} in chips goes to the tray",
    "credit": lambda e: f"{dollars(e['cents'])} in chips goes to the cage",
    "table-buy-in": lambda e: f"{e['guest']} buys chips for {dollars(e['cents'])} at the table",
    "tip": lambda e: f"{e['guest']} tips the dealers {dollars(e['cents'])}",
    "drop": lambda e: f"The box is pulled: {dollars(e['cents'])}",
    "closer": _counted,
    "board-opened": lambda e: f"Scoreboard {e['board']} is opened for {e['edition']}",
    "board-hand": lambda e: f"Scoreboard {e['board']}: {e['hand']}",
    "board-undone": lambda e: f"Scoreboard {e['board']}: {e['hand']} is taken off again",
    "board-new-shoe": lambda e: f"Scoreboard {e['board']}: a new shoe begins after {e['hands']} hands",
}
"""By the kind of an event."""
UNSAID = {"paid", "round-settled", "round-voided", "card-wanted"}

ENTRY_WORDS = {
    "shoe-committed": "The house commits to a shuffled order before anybody can bet on it",
    "shoe-revealed": "The shoe is done: its order is published",
    "settle": "The round is settled",
    "acknowledge": "A supervisor has verified the payout",
}
"""By the kind of an entry that tells nothing else."""


def _failed_login(note: Event) -> str:
    return f"For the account of {note['name']}" + (f", {note['failures']} in a row" if note["failures"] > 1 else "")


def _person(note: Event) -> str:
    changes = ", new password" * bool(note.get("password")) + ", unlocked" * bool(note.get("unlocked"))
    return f"{note['name']}, {note['role']}{changes}"


NOTE_WORDS: dict[str, Words] = {
    "attempt": lambda note: f"{_named(note['command'])}: {note['message']}",
    "login-failed": _failed_login,
    "locked-out": lambda note: f"{note['name']}: three wrong passwords. An administrator can unlock it",
    "person-added": _person,
    "person-changed": _person,
}
"""By the kind of a note."""


def note_words(kind: str, note: Event) -> str:
    """A note of the journal as a sentence; it names the command that was refused, if one was."""
    said = NOTE_WORDS.get(kind)
    return said(note) if said else ", ".join(f"{name.replace('_', ' ')} {_in_words(value)}" for name, value in note.items())


def _in_words(value: Any) -> str:
    """A value as a person reads it: no list and no table as a program writes them."""
    if isinstance(value, Mapping):
        return "; ".join(f"{name} {_in_words(inner)}" for name, inner in value.items()) or "none"
    if isinstance(value, list | tuple):
        return "; ".join(map(_in_words, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


TITLES = {
    "acknowledged": ("Payout verified", "good"),
    "surveillance": ("Big payout", "bad"),
    "voided": ("Void", "bad"),
    "cards-checked": ("Cards checked", "good"),
    "card-corrected": ("Correction", "bad"),
    "card-replaced": ("Card replaced", "bad"),
    "cards-swapped": ("Correction", "bad"),
    "round-rekeyed": ("Keyed again", "bad"),
    "decision-undone": ("Decision taken back", "bad"),
    "bet-changed": ("Wager changed", "bad"),
    "round-corrected": ("Round corrected", "bad"),
    "owes": ("Debt", "bad"),
    "debt-paid": ("Debt paid", "good"),
    "settlement-reversed": ("Settlement reversed", "bad"),
    "frozen": ("Dispute", "bad"),
    "resolved": ("Dispute resolved", "good"),
    "closer": ("Closer", "good"),
    "table-closed": ("Table closed", "good"),
    "login-failed": ("Wrong password", "bad"),
    "locked-out": ("Account locked", "bad"),
    "person-added": ("New account", ""),
    "person-changed": ("Account changed", ""),
    "attempt": ("Refused", "bad"),
}
"""What the floor is told of: a title, and whether it asks for eyes, is done, or is for the record."""


def title_of(kind: str, details: Event) -> dict[str, str]:
    """The title and the tone of something that the floor is told of."""
    title, tone = TITLES.get(kind, (_named(kind), ""))
    off = bool(details.get("difference_cents")) or details.get("balanced") is False
    return {"title": title, "tone": "bad" if off else tone}
