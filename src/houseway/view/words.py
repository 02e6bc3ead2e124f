"""The sentences of everything that happens, in one place and in dollars: events and notes of the journal, and steps.

Pages, the shell and replays all take their words from here; a journal holds none. Wagers and outcomes have the names that the
edition of the table shows. Entries of 0.1 brought their payments' sentences with them, and those are told as they were.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from houseway.cards import show_card
from houseway.money import dollars, in_chips
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import COMMUNITY, DEALER, Step
from houseway.rulebook.words import sentence
from houseway.table import House
from houseway.table.betting import chosen_with
from houseway.table.correct import table_of_round
from houseway.table.duties import DUTIES, clock_of, one_of_roles
from houseway.table.engine import edition_of
from houseway.table.entry import Entry
from houseway.table.events import HighPayout
from houseway.table.ledger import CAGE, OUTSIDE, in_words
from houseway.table.pieces import in_notes, in_pieces
from houseway.table.slips import DROP, ROWS, SLIP_NAMES
from houseway.table.state import Spot

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


def edition_of_round(house: House, table: str, number: int) -> Edition | None:
    """The edition by which a round was played: the table may have been opened anew since, for another game."""
    try:
        return edition_of(table_of_round(house, house.tables[table], number)) if table in house.tables else None
    except Refused:
        return None


def edition_of_entry(house: House, entry: Entry) -> Edition | None:
    """The edition whose names an entry is told with: a correction is of a round, and all else of the table as it is."""
    if entry.kind == "correct" and "command" in entry.data:
        return edition_of_round(house, entry.table, entry.data["command"]["round"])
    return edition_at(house, entry.table)


def event_words(event: Event, edition: Edition | None = None) -> str:
    """An event of the journal as a sentence, with the names of the edition that is played."""
    return EVENT_WORDS[event["event"]](_with_names(event, edition))


def entry_words(entry: Entry, edition: Edition | None = None) -> list[str]:
    """What an entry tells, payments left out: they have places of their own."""
    return _told(entry, edition, entry.data.get("events", []))


def unnamed_words(entry: Entry, edition: Edition | None = None) -> list[str]:
    """The same for those who are told of the staff by role, and not by name."""
    who = {"a": one_of_roles([entry.role]).capitalize(), "the": f"the {entry.role}"}
    unnamed = (
        {name: said.format(**who) if event[name] else "" for name, said in STAFF_IN.get(event["event"], {}).items()}
        for event in entry.data.get("events", [])
    )
    return _told(entry, edition, [event | own for event, own in zip(entry.data.get("events", []), unnamed, strict=True)])


def _told(entry: Entry, edition: Edition | None, told: Sequence[Event]) -> list[str]:
    events = [event for event in told if event["event"] not in UNSAID]
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


def result_name(edition: Edition | None, result: str) -> str:
    """A result that was keyed, as the edition shows it; " natural" may stand behind it."""
    id_, *more = result.split()
    known = (outcome for wager in edition.offered.values() for outcome in wager.outcomes) if edition else ()
    name = next((outcome.name for outcome in known if outcome.id == id_), _named(id_))
    return ", ".join((name.partition(":")[0], *more))  # "NAME: how it came about"


def choice_words(edition: Edition | None, choice: str) -> str:
    """A choice as a dealer says it: what its button says, if that is another word."""
    id_, *cards = choice.split()
    said, face = id_.replace("-", " "), edition.game.face.choices.get(id_) if edition else None
    if face is None or cards:
        return " ".join((said, *cards))
    button = face.short or face.words
    return said if button.casefold() == said else button[:1].lower() + button[1:]


CHOICES = {
    "to-act": ("allowed",),
    "decided": ("choice",),
    "decision-undone": ("choice",),
    "decisions-rekeyed": ("choices", "before"),
}
"""Where events hold what a seat may choose, or has chosen."""


def _with_names(event: Event, edition: Edition | None) -> Event:
    """An event with names in the place of the ids of wagers, outcomes and choices."""
    names: dict[str, Any] = {}
    if event.get("event") == "result-keyed":
        names = {name: result_name(edition, event[name]) for name in ("result", "before") if event[name]}
    for name in CHOICES.get(event.get("event", ""), ()):
        held = event[name]
        names[name] = choice_words(edition, held) if isinstance(held, str) else [choice_words(edition, each) for each in held]
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
    why = event.get("forfeited") or event["outcome"].removeprefix(f"{event['wager']}: ")
    is_said = why.lower() in f"{event['wager']} {ends}".lower()
    covers = ", all that the bank covers" if 0 < abs(moved) < abs(owed) else ""
    return f"{_stake_name(event)} {ends}{'' if is_said else f' ({why})'}, {_money_moved(event)}{covers}"


def _stake_name(event: Event) -> str:
    """The wager, and which of its stakes: "WAGER, hand 2,"."""
    wager = f"{event['wager']} on {event['chosen']}" if event.get("chosen") else str(event["wager"])
    return f"{wager}, {event['spot']}," if event.get("spot") else wager


def with_chosen(event: Event, edition: Edition | None, spots: Mapping[int, Spot]) -> dict[str, Any]:
    """A payment with what was chosen with its wager, such as a colour, from the spots of its round."""
    if edition is None or event["event"] not in {"paid", "paid-again"} or event["seat"] not in spots:
        return dict(event)
    spot = spots[event["seat"]]
    chosen = chosen_with(edition, spot).get(event["wager"], "")
    forfeited = forfeit_words(edition, spot.choices, event["outcome"], event["win_cents"])
    return {**event, **({"chosen": chosen} if chosen else {}), **({"forfeited": forfeited} if forfeited else {})}


def forfeit_words(edition: Edition, choices: Iterable[str], outcome: str, win_cents: int) -> str:
    """What is said of a stake that a choice gave up, such as a bonus by a fold; nothing where its own outcome lost it."""
    faces = (edition.game.face.choices.get(choice) for choice in choices if choice != outcome and win_cents < 0)
    return next((face.forfeits for face in faces if face and face.forfeits), "")


def _money_moved(event: Event) -> str:
    """What became of the stake; what a player's bank does not cover goes back."""
    stake, owed, moved = event["stake_cents"], event["owed_cents"], event["win_cents"]
    if owed and not moved:
        return f"{dollars(stake)} goes back: the bank did not cover it"
    if moved > 0:
        chips = _pieces(event["pieces"]) if "pieces" in event else in_chips(moved)
        return f"{f'{dollars(stake)} pays' if stake else 'a prize of'} {dollars(moved)} ({chips})"
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


def _result_keyed(event: Event) -> str:
    why = f" ({event['reason']})" if event.get("reason") else ""
    return f"The dealer keys the result: {event['result']}" + (f" (before: {event['before']}){why}" if event["before"] else "")


def _of_card(event: Event, what: str) -> str:
    change = f": before {event['before']}, after {event['after']}" if "before" in event else ""
    return f"Card {event['place']} {what}{change}" + (f" ({event['reason']})" if event.get("reason") else "")


def _bet_changed(event: Event) -> str:
    if event["before_cents"] == event["after_cents"]:  # what was chosen with it was another, which is told next
        return f"Seat {event['seat']}, {event['guest']}: {event['wager']} is put right: {event['reason']}"
    before, after = dollars(event["before_cents"]), dollars(event["after_cents"])
    wager = event["wager"] + (" for the dealer" if event.get("for_dealer") else "")
    return f"Seat {event['seat']}, {event['guest']}: {wager} is {after}, not {before}: {event['reason']}"


def _decisions_rekeyed(event: Event) -> str:
    now, before = (", ".join(event[name]) or "nothing" for name in ("choices", "before"))
    return f"Seat {event['seat']} really decided: {now} (keyed before: {before})"


def _chosen_with_bet(event: Event) -> str:
    before = f", not {event['before']}" if event["before"] else ""
    return f"Seat {event['seat']}, {event['guest']}: {event['wager']} is on {event['choice']}{before}"


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


def _mixed(event: Event) -> str:
    added = f"the house's seed and those of {', '.join(event['guests'])}" if event["guests"] else "the house's seed alone"
    left_out = f"; {', '.join(event['left_out'])} added nothing in time" if event["left_out"] else ""
    return f"The shoe is in order: it follows from {added}{left_out}"


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


def _requested(event: Event) -> str:
    second, until = one_of_roles(event["second"]), clock_of(event["until"])
    needed = f"needs {second} other than {event['asked_by']}; it lapses at {until}"
    return f"Asked: request {event['request']} ({DUTIES[event['act']].about}) {needed}"


def _duties_set(event: Event) -> str:
    acts = ((DUTIES[act].about, cents) for act, cents in event["limits"].items() if act in DUTIES)
    limits = ", ".join(f"{about} above {dollars(cents)}" if cents else f"{about} always" for about, cents in acts)
    names = "Two names are needed" if event["names"] == "two" else "One name does"
    return f"{names}; a request waits {event['minutes']} minutes" + (f"; own limits: {limits}" if limits else "")


GROUNDS = {"own-wish": "by his own wish", "house": "by the house's wish"}
CASH_LINES = {"log": "it is logged", "near": "the line of the report is near", "report": "a report is due"}


def _barred(event: Event) -> str:
    until = f"until {event['until']}" if event["until"] else "from now on"
    return f"{event['guest']} may not play {until}, {GROUNDS[event['ground']]}"


def _cash_line(event: Event) -> str:
    return f"{event['guest']}'s cash {event['way']} of the day is {dollars(event['cents'])}: {CASH_LINES[event['line']]}"


def _patron(note: Event) -> str:
    young = "" if note.get("of_age", True) else "; he is too young, and may not play"
    return f"{note['patron']}, account {note['guest']}{young}"


def _signed_on(event: Event) -> str:
    return f"{event['dealer']} is on the table" + (f" and takes over from {event['before']}" if event["before"] else "")


def _pieces(written: Event) -> str:
    return in_pieces({int(value): count for value, count in written.items()})


def _place(place: str) -> str:
    """Where pieces are, in words: a seat's stakes are that seat's."""
    account, _, seat = place.partition("#")
    return f"the stakes of seat {seat}" if seat else in_words(account)


def _chips_moved(event: Event) -> str:
    def said(move: Event) -> str:
        changed, ends = " (changed)" if move["why"] else "", {move["source"], move["target"]}
        pieces = _pieces(move["pieces"])
        pieces = pieces.replace("in coins", "in cash") if ends & {CAGE, OUTSIDE} else pieces
        return f"{pieces} from {_place(move['source'])} to {_place(move['target'])}{changed}"

    return f"Pieces: {'; '.join(map(said, event['moves']))}"


def _slip_opened(event: Event) -> str:
    kind = event["slip"].rpartition("-")[0]
    what = SLIP_NAMES.get(kind, kind)
    of = f" of {_pieces(event['pieces'])} ({dollars(event['cents'])})" if event["pieces"] else ""
    of = f" over {dollars(event['cents'])}, which {event['owner']} answers for" if kind == "error" else of
    return f"{event['slip']} is opened for {event['table']}: {what}{of}" + (f", {event['purpose']}" if event["purpose"] else "")


def _slip_signed(event: Event) -> str:
    kind = event["slip"].rpartition("-")[0]
    about = next((step.about for step in ROWS.get(kind, ()) if step.id == event["step"]), _named(event["step"]))
    return f"{event['signer']} signs {event['slip']}: {about}"


def _slip_done(event: Event) -> str:
    in_words = in_notes if event["slip"].rpartition("-")[0] == DROP else in_pieces
    pieces = {int(value): count for value, count in event["pieces"].items()}
    what = f": {in_words(pieces)} ({dollars(event['cents'])})" if pieces else ""
    return f"{event['slip']} of {event['table']} is finished{what}"


def _tray_agreed(event: Event) -> str:
    off = event["difference_cents"]
    books = (
        f": the books say {dollars(event['expected_cents'])}, a difference of {dollars(off)}" if off else ", as in the books"
    )
    return f"The {event['purpose']} of {event['table']} is {_pieces(event['pieces'])}, {dollars(event['counted_cents'])}{books}"


def _set_right(event: Event) -> str:
    missing, found = _pieces(event["missing"]), _pieces(event["found"])
    return f"The tray of {event['table']} has the right value in other pieces: {found} and not {missing}"


NOTICE_REASONS = {"amount": "its amount", "pattern": "a pattern of shortages"}


def _notice_due(event: Event) -> str:
    why = NOTICE_REASONS.get(event["why"], event["why"])
    until = f"tell the commission until {clock_of(event['until'])} of {event['until'][:10]}"
    return f"Notice {event['notice']}: a difference of {dollars(event['cents'])} at {event['table']} ({why}): {until}"


def _box_counted(event: Event) -> str:
    off = event["difference_cents"]
    books = f"the buy-ins say {dollars(event['expected_cents'])}"
    differs = f"a difference of {dollars(off)}, which {event['owner']} answers for" if off else "and so it is"
    return f"{event['slip']}, the box of {event['table']}: {dollars(event['counted_cents'])} counted; {books}, {differs}"


def _coloured(event: Event) -> str:
    return f"{event['guest']} changes {_pieces(event['gave'])} for {_pieces(event['got'])} ({dollars(event['cents'])})"


def with_pieces(events: Sequence[Event]) -> list[Event]:
    """Events with the pieces of each payment, where the house has chips and an entry tells them."""
    moves = [move for event in events if event["event"] == "chips-moved" for move in event["moves"] if not move["why"]]
    if not moves:
        return list(events)
    told: list[Event] = []
    for event in events:
        found = None
        if event["event"] in {"paid", "paid-again"} and event["win_cents"] > 0:
            found = next((move for move in moves if _pays(move, event)), None)
        if found is not None:
            moves.remove(found)
        told.append({**event, "pieces": found["pieces"]} if found is not None else event)
    return told


def _pays(move: Event, paid: Event) -> bool:
    """Whether pieces are those of a payment: from a tray or a bank to its guest, or to the dealers whom he bet for."""
    source, target = str(move["source"]), str(move["target"])
    to_him = target == f"guest:{paid['guest']}" or target.startswith("tips:")
    is_worth = sum(int(value) * count for value, count in move["pieces"].items()) == paid["win_cents"]
    return to_him and is_worth and source.startswith(("tray:", "bank:"))


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
    "collection-paid": lambda e: f"Seat {e['seat']}, {e['guest']}, pays the collection of {dollars(e['cents'])}",
    "collection-back": lambda e: f"Seat {e['seat']}, {e['guest']}: the collection of {dollars(e['cents'])} goes back",
    "collection-from-stake": lambda e: (
        f"{e['guest']}, who banks from seat {e['seat']}, pays {dollars(e['cents'])} of the collection from what he put up: "
        f"{dollars(e['left_cents'])} is left in the bank"
    ),
    "to-draw": lambda e: f"Seat {e['seat']}, {e['guest']}, draws the cards",
    "cards-drawn": _cards_drawn,
    "to-act": lambda e: f"Seat {e['seat']} is asked: {' or '.join(e['allowed'])}",
    "card-wanted": _card_wanted,
    "card-corrected": lambda e: _of_card(e, "is corrected"),
    "card-replaced": lambda e: _of_card(e, "was seen, and is replaced"),
    "cards-swapped": lambda e: f"Cards {e['place']} and {e['other_place']} change places: {e['reason']}",
    "round-rekeyed": lambda e: f"All cards of round {e['round']} are keyed again: {e['reason']}",
    "decisions-rekeyed": _decisions_rekeyed,
    "decision-undone": lambda e: f"Seat {e['seat']} decides again ({e['choice']} is taken back): {e['reason']}",
    "bet-changed": _bet_changed,
    "chosen-with-bet": _chosen_with_bet,
    "early-reversed": lambda e: f"What was paid early in round {e['round']} is taken back, and settled again",
    "round-corrected": _corrected,
    "payment-reversed": _payment_reversed,
    "paid-again": lambda e: f"Now s{_paid(e)[1:]}",
    "owes": lambda e: f"{e['guest']} no longer has it all, and owes {dollars(e['cents'])}",
    "debt-paid": _debt_paid,
    "result-keyed": _result_keyed,
    "decided": lambda e: f"Seat {e['seat']} decides: {e['choice']}",
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
    "shoe-lost": lambda e: (
        f"Shoe {e['number']} is lost: its order, committed to as {e['commitment'][:12]}, can never be shown ({e['reason']})"
    ),
    "seed-added": lambda e: f"{e['guest']}'s screen has added randomness to the shoe",
    "shoe-mixed": _mixed,
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
    "requested": _requested,
    "confirmed": lambda e: f"{e['confirmed_by']} has confirmed request {e['request']}: {e['asked_by']} may do it now",
    "declined": lambda e: f"Request {e['request']} of {e['asked_by']} ({DUTIES[e['act']].about}) is declined: {e['reason']}",
    "duties-set": _duties_set,
    "house-rule-set": lambda e: f"{e['rule']} of the house is {e['value']} (it was {e['before']})",
    "guest-barred": _barred,
    "guest-readmitted": lambda e: f"{e['guest']} may play again",
    "cash-line": _cash_line,
    "waits": lambda e: f"{e['guest']} waits for {e['edition'] or 'a seat'}, number {e['number']}",
    "guest-called": lambda e: f"{e['guest']} is called to seat {e['seat']}, which is held until {clock_of(e['until'])}",
    "wait-ended": lambda e: f"{e['guest']}, number {e['number']}, waits no more",
    "seat-held": lambda e: f"Seat {e['seat']} is held for {e['guest']} until {clock_of(e['until'])}",
    "seat-released": lambda e: f"Seat {e['seat']} is no longer held for {e['guest']}",
    "break-begun": lambda e: f"{e['name']} is on a break",
    "break-ended": lambda e: f"{e['name']} is back from a break that began at {clock_of(e['since'])}",
    "supervises": lambda e: f"{e['supervisor']} supervises the table" + (f", after {e['before']}" if e["before"] else ""),
    "supervises-no-more": lambda e: f"{e['supervisor']} supervises the table no more",
    "signed-on": _signed_on,
    "signed-off": lambda e: f"{e['dealer']} is off the table",
    "chips-moved": _chips_moved,
    "fill-wanted": lambda e: (
        f"The tray of {e['table']} runs low: a fill of {_pieces(e['pieces'])} is wanted ({dollars(e['cents'])})"
    ),
    "chips-in": lambda e: f"{_pieces(e['pieces'])} ({dollars(e['cents'])}) comes into the cage from outside",
    "chips-out": lambda e: f"{_pieces(e['pieces'])} ({dollars(e['cents'])}) leaves the cage for good",
    "par-set": lambda e: (
        f"The tray of {e['table']} should hold {_pieces(e['pieces'])}; below {_pieces(e['low'])} a fill is wanted"
    ),
    "coloured": _coloured,
    "slip-opened": _slip_opened,
    "slip-signed": _slip_signed,
    "slip-done": _slip_done,
    "slip-recalled": lambda e: (
        f"{e['slip']} of {e['table']} is VOID ({e['signer']}: {e['reason']}); its chips are under way, and two sign for them"
    ),
    "slip-voided": lambda e: f"{e['slip']} of {e['table']} is VOID ({e['signer']}: {e['reason']}); its number stays",
    "count-taken": lambda e: f"{e['signer']} has counted the {e['purpose']} of {e['table']} ({e['slip']})",
    "counts-differ": lambda e: f"The counts of {e['slip']} ({e['table']}) are not the same: everybody counts again",
    "tray-agreed": _tray_agreed,
    "pieces-set-right": _set_right,
    "notice-due": _notice_due,
    "notice-sent": lambda e: (
        f"The commission was told of notice {e['notice']} ({e['table']}, {dollars(e['cents'])}): {e['reason']}"
    ),
    "box-pulled": lambda e: f"The box of {e['table']} is pulled, and on its way to the count room ({e['slip']})",
    "box-counted": _box_counted,
    "board-opened": lambda e: f"Scoreboard {e['board']} is opened for {e['edition']}",
    "board-hand": lambda e: f"Scoreboard {e['board']}: {e['hand']}",
    "board-undone": lambda e: f"Scoreboard {e['board']}: {e['hand']} is taken off again",
    "board-new-shoe": lambda e: f"Scoreboard {e['board']}: a new shoe begins after {e['hands']} hands",
}
"""By the kind of an event."""
STAFF_IN: Mapping[str, Mapping[str, str]] = {
    "requested": {"asked_by": "{the} who asked"},
    "confirmed": {"confirmed_by": "{a}", "asked_by": "whoever asked"},
    "declined": {"asked_by": "the staff"},
    "signed-on": {"dealer": "{a}", "before": "somebody else"},
    "signed-off": {"dealer": "The dealer"},
    "break-begun": {"name": "{a}"},
    "break-ended": {"name": "{a}"},
    "supervises": {"supervisor": "{a}", "before": "somebody else"},
    "supervises-no-more": {"supervisor": "The supervisor"},
    "slip-opened": {"owner": "somebody of the staff"},
    "slip-signed": {"signer": "{a}"},
    "slip-recalled": {"signer": "{a}"},
    "slip-voided": {"signer": "{a}"},
    "count-taken": {"signer": "{a}"},
    "box-counted": {"owner": "somebody of the staff"},
}
"""The fields of events that name somebody of the staff, by kind, and what guests read instead."""
UNSAID = {"paid", "round-settled", "round-voided", "card-wanted"}

ENTRY_WORDS = {
    "shoe-committed": "The house commits to a shuffled order before anybody can bet on it",
    "shoe-revealed": "The shoe is done: its order is published",
    "settle": "The round is settled",
    "acknowledge": "A supervisor has verified the payout",
}
"""By the kind of an entry that tells nothing else."""


def _failed_login(note: Event) -> str:
    whose = f"For the account of {note['name']}" if note.get("known", True) else f'For "{note["name"]}", whom nobody knows'
    return whose + (f", {note['failures']} lately" if note["failures"] > 1 else "")


def _failed_logins(note: Event) -> str:
    of = {"accounts": note["of_accounts"], "names that nobody has": note["of_unknown"]}
    counts = " and ".join(f"{count} of {what}" for what, count in of.items() if count)
    return f"{counts} more, within {note['minutes']} minute{'s' * (note['minutes'] != 1)}"


def _person(note: Event) -> str:
    flags = {
        "password": "new password",
        "unlocked": "wrong passwords forgotten",
        "second_factor_off": "second factor taken off",
    }
    changes = "".join(f", {words}" for flag, words in flags.items() if note.get(flag))
    before = note.get("before", note["role"])
    return f"{note['name']}, {note['role']}" + (f" (was {before})" if before != note["role"] else "") + changes


def _key_made(note: Event) -> str:
    why = (
        " because the one before is lost" if note.get("lost") else f" after {note['replaces']}" if note.get("replaces") else ""
    )
    return f"the {note['key']} key is {note['fingerprint']} from now on{why}"


NOTE_WORDS: dict[str, Words] = {
    "attempt": lambda note: f"{_named(note['command'])}: {note['message']}",
    "login-failed": _failed_login,
    "locked-out": lambda note: f"{note['name']}: three wrong passwords. An administrator can unlock it",
    "failed-logins": _failed_logins,
    "person-added": _person,
    "person-changed": _person,
    "person-removed": lambda note: f"{note['name']}, {note['role']}, has no account any more",
    "person-reset": lambda note: f"{note['name']}, {note['role']}: a password for one log-in, to be changed then",
    "second-factor": lambda note: f"{note['name']} {'logs in with' if note['on'] else 'does without'} a second factor",
    "account-rules": lambda note: f"A second factor is {note['second_factor']} for the staff",
    "login": lambda note: "Logged in",
    "logout": lambda note: "Logged out",
    "session-ended": lambda note: f"A session of {note['name']}, {note['role']}",
    "patron-registered": _patron,
    "patron-changed": _patron,
    "patron-linked": lambda note: f"{note['patron']}: {note['guest']} is an account of the same person as {note['first']}",
    "patron-identified": lambda note: f"The papers of {note['patron']}, account {note['guest']}, were seen",
    "patron-seen": lambda note: f"The file of {note['patron']} was looked at",
    "patrons-found": lambda note: f"Somebody was looked for in the patron file: {note['found']} found",
    "patrons-purged": lambda note: f"The personal data of {note['purged']} guests were removed: they were due",
    "backup": lambda note: f"{note['verified']}",
    "alert-seen": lambda note: f"Saw to the alert {note['alert']} of entry {note['entry']}",
    "head-places": lambda note: f"Signed heads go to {', '.join(note['places']) or 'no place'} from now on",
    "alert-places": lambda note: f"Alerts go to {', '.join(note['places']) or 'no webhook'} from now on",
    "backup-failed": lambda note: f"{note['reason']}. Play goes on; see to it that there is a backup",
    "key-made": _key_made,
    "head-not-sent": lambda note: f"{note['place']} could not be reached ({note['reason']}); it is tried again",
    "head-sent-again": lambda note: f"{note['place']} has the head of entry {note['seq']}",
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
    "shoe-lost": ("Shoe lost", "bad"),
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
    "requested": ("Second person wanted", "bad"),
    "confirmed": ("Confirmed", "good"),
    "declined": ("Declined", ""),
    "duties-set": ("Duties changed", "bad"),
    "house-rule-set": ("House rule set", "bad"),
    "signed-on": ("Dealer signed on", ""),
    "fill-wanted": ("Fill wanted", "bad"),
    "chips-in": ("Chips brought in", "bad"),
    "chips-out": ("Chips taken out", "bad"),
    "slip-opened": ("Slip opened", ""),
    "slip-done": ("Slip finished", "good"),
    "slip-recalled": ("Slip void, chips under way", "bad"),
    "slip-voided": ("Slip void", "bad"),
    "counts-differ": ("Counts differ", "bad"),
    "tray-agreed": ("Tray counted", "good"),
    "pieces-set-right": ("Pieces set right", "bad"),
    "notice-due": ("Notice to the commission", "bad"),
    "notice-sent": ("Notice sent", "good"),
    "box-pulled": ("Box pulled", ""),
    "box-counted": ("Box counted", "good"),
    "signed-off": ("Dealer signed off", ""),
    "guest-barred": ("Guest excluded", "bad"),
    "guest-readmitted": ("Guest readmitted", ""),
    "cash-line": ("Cash line", "bad"),
    "break-begun": ("Break", ""),
    "break-ended": ("Back from a break", ""),
    "supervises": ("Supervisor", ""),
    "supervises-no-more": ("Supervisor gone", ""),
    "patron-registered": ("Guest registered", ""),
    "patron-changed": ("Guest's data changed", ""),
    "patron-linked": ("Accounts of one guest", ""),
    "patron-identified": ("Papers seen", "good"),
    "patrons-purged": ("Personal data removed", ""),
    "login-failed": ("Wrong password", "bad"),
    "locked-out": ("Account locked", "bad"),
    "person-added": ("New account", ""),
    "person-changed": ("Account changed", ""),
    "person-removed": ("Account removed", ""),
    "person-reset": ("Password reset", "bad"),
    "failed-logins": ("Failed log-ins", "bad"),
    "second-factor": ("Second factor", ""),
    "account-rules": ("Rule of accounts", ""),
    "session-ended": ("Session ended", ""),
    "alert-seen": ("Alert ticked off", ""),
    "alert-places": ("Webhooks of alerts", ""),
    "head-places": ("Places of signed heads", ""),
    "backup-failed": ("Backup failed", "bad"),
    "attempt": ("Refused", "bad"),
    "key-made": ("New key", ""),
    "head-not-sent": ("Head not sent", "bad"),
    "head-sent-again": ("Head sent again", "good"),
}
"""What the floor is told of: a title, and whether it asks for eyes, is done, or is for the record."""


def title_of(kind: str, details: Event) -> dict[str, str]:
    """The title and the tone of something that the floor is told of."""
    title, tone = TITLES.get(kind, (_named(kind), ""))
    off = bool(details.get("difference_cents")) or details.get("balanced") is False
    return {"title": title, "tone": "bad" if off else tone}
