"""What commands tell: every event is a value, and stands in the journal as `{"event": kind, **fields}`.

No field holds a sentence: `view.words` makes those, in dollars, for whoever reads an entry.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from houseway.rulebook.game import Recipient
from houseway.values import quickly_made

if TYPE_CHECKING:
    from houseway.table.state import PaidStake

FORM = 7
"""The form of entries in a journal: those of 0.1, which say no form, hold sentences as well.

A table plays by the form of the entry that opened it: before form 3 a short bank covered wagers as they were keyed, and wagers
that are settled early waited for all cards of the first deal. Before form 3 nobody owed what a void could not take back.
Before form 4 one name did everything: a house whose first command is older works with one name until it says otherwise.
Before form 4 whatever was done at a table set its clock anew.
Before form 5 a round kept its bets as a bank had cut them, and not as they were laid, nor who had paid for a void deal of it.
Before form 6 a payout could be acknowledged before it was known, and a request was for whatever round came by;
a guest who was not seated had no screen any more once his bet was gone, and anybody of the staff passed, left and mixed;
and what somebody had asked for could be confirmed when he had no account any more.
Before form 6 one person opened and closed a table with any amount in its tray.
Before form 6 a mend at a virtual table told which card was wanted, as if one were to be given.
Before form 6 a bank kept no deals: what was collected for a hand stayed, if the round before it was void after all.
Before form 7 a seat that was to draw the cards was that also without a wager.
Before form 7 a collection that a bank had paid from its stake came back to its guest's chips.
"""
WITH_SENTENCES, WITH_DUTIES, WITH_REASONS, STRICT_DUTIES = 1, 4, 5, 6


@dataclass(frozen=True)
class Event:
    """Something that a command tells, of a `kind`."""

    kind: ClassVar[str]

    def as_data(self) -> dict[str, Any]:
        """As it stands in a journal entry."""
        fields = vars(self)
        data: dict[str, Any] = {"event": self.kind, **fields}
        if tuple in map(type, fields.values()):
            for name, value in fields.items():
                if isinstance(value, tuple):
                    data[name] = [vars(item) if isinstance(item, HighPayout) else item for item in value]
        return data


# Betting


@quickly_made
@dataclass(frozen=True)
class BetPlaced(Event):
    """A bet lies on the felt, or was changed to this amount."""

    kind = "bet-placed"
    seat: int
    guest: str
    wager: str
    cents: int


@dataclass(frozen=True)
class BetWithdrawn(Event):
    """A bet was taken back."""

    kind = "bet-withdrawn"
    seat: int
    wager: str


@dataclass(frozen=True)
class DealerBetPlaced(Event):
    """A bet for the dealers lies beside a guest's own, or was changed to this amount."""

    kind = "dealer-bet-placed"
    seat: int
    guest: str
    wager: str
    cents: int


@dataclass(frozen=True)
class DealerBetWithdrawn(Event):
    """A bet for the dealers was taken back."""

    kind = "dealer-bet-withdrawn"
    seat: int
    wager: str


@dataclass(frozen=True)
class Ready(Event):
    """A guest has placed all bets at a seat."""

    kind = "ready"
    seat: int


@quickly_made
@dataclass(frozen=True)
class NoMoreBets(Event):
    """The betting is closed; where two decks take turns, `deck` is the one that is dealt."""

    kind = "no-more-bets"
    round: int
    dice: int
    deck: str = ""


@dataclass(frozen=True)
class ToDraw(Event):
    """Whose turn it is to draw the cards of the hand, where players do (EZB-2)."""

    kind = "to-draw"
    seat: int
    guest: str


# Seats, and a bank of the players'


@dataclass(frozen=True)
class Seated(Event):
    """Somebody has sat down."""

    kind = "seated"
    seat: int
    guest: str


@dataclass(frozen=True)
class Left(Event):
    """A seat is free again."""

    kind = "left"
    seat: int


@dataclass(frozen=True)
class BankTaken(Event):
    """A player banks, and has put up so much."""

    kind = "bank-taken"
    seat: int
    guest: str
    cents: int


@dataclass(frozen=True)
class BankPassed(Event):
    """A player passed the bank on; whether nobody is left who has not."""

    kind = "bank-passed"
    seat: int
    offered: int
    nobody_banks: bool


@dataclass(frozen=True)
class BankOffered(Event):
    """The position was offered to everybody at these seats."""

    kind = "bank-offered"
    seats: tuple[int, ...]


@dataclass(frozen=True)
class BankEnded(Event):
    """A bank is over, what is left of it goes back, and it is offered to another seat."""

    kind = "bank-ended"
    seat: int
    cents: int
    offered: int


@dataclass(frozen=True)
class BankUsedUp(Event):
    """A bank has lost all that it put up, and may put up again for the hands it has left (EZC-4)."""

    kind = "bank-used-up"
    seat: int
    guest: str
    hands_left: int


@dataclass(frozen=True)
class MarkerDrawn(Event):
    """Where the marker stands from which a bank covers, and where it was said to stand before."""

    kind = "marker-drawn"
    seat: int
    before: int


@dataclass(frozen=True)
class NotCovered(Event):
    """R12b: before the hand, what the bank does not cover of a wager goes back."""

    kind = "not-covered"
    seat: int
    guest: str
    wager: str
    covered_cents: int
    back_cents: int


@dataclass(frozen=True)
class CollectionPaid(Event):
    """EZC-1: somebody turns out to have played, and pays the collection of a round."""

    kind = "collection-paid"
    seat: int
    guest: str
    cents: int


@dataclass(frozen=True)
class CollectionBack(Event):
    """EZC-1: somebody turns out not to have played, and gets the collection of a round back."""

    kind = "collection-back"
    seat: int
    guest: str
    cents: int


@dataclass(frozen=True)
class CollectionFromStake(Event):
    """R23: a bank has no other chips, and pays its collection, or the rest of it, from what it put up."""

    kind = "collection-from-stake"
    seat: int
    guest: str
    cents: int
    left_cents: int


@dataclass(frozen=True)
class SitsOut(Event):
    """A guest cannot pay the collection: the bets at his seat go back, and he sits this hand out."""

    kind = "sits-out"
    seat: int
    guest: str
    cents: int
    fee_cents: int


# The round


@quickly_made
@dataclass(frozen=True)
class CardsDrawn(Event):
    """Cards came, from a shoe of the house or keyed in."""

    kind = "cards-drawn"
    shoe: str
    cards: tuple[str, ...]


@dataclass(frozen=True)
class ToAct(Event):
    """A seat is asked to decide."""

    kind = "to-act"
    seat: int
    allowed: tuple[str, ...]


@dataclass(frozen=True)
class CardWanted(Event):
    """The round waits for a card."""

    kind = "card-wanted"
    recipient: Recipient


@dataclass(frozen=True)
class CardCorrected(Event):
    """A card that was keyed wrong."""

    kind = "card-corrected"
    place: int
    before: str
    after: str
    reason: str = ""


@dataclass(frozen=True)
class CardsSwapped(Event):
    """Two keyed cards changed places."""

    kind = "cards-swapped"
    place: int
    other_place: int
    reason: str


@dataclass(frozen=True)
class CardReplaced(Event):
    """A card that was exposed is set aside, and another took its place."""

    kind = "card-replaced"
    place: int
    before: str
    after: str
    reason: str


@dataclass(frozen=True)
class RoundRekeyed(Event):
    """All cards of a round were keyed again."""

    kind = "round-rekeyed"
    round: int
    reason: str


@dataclass(frozen=True)
class DecisionsRekeyed(Event):
    """What a seat really decided, and what was keyed before; without the cards that some choices name."""

    kind = "decisions-rekeyed"
    seat: int
    choices: tuple[str, ...]
    before: tuple[str, ...]


@dataclass(frozen=True)
class DecisionUndone(Event):
    """A seat's last decision was taken back."""

    kind = "decision-undone"
    seat: int
    choice: str
    reason: str


@dataclass(frozen=True)
class BetChanged(Event):
    """A wager was changed after no more bets; 0 if it was, or is, none."""

    kind = "bet-changed"
    seat: int
    guest: str
    wager: str
    before_cents: int
    after_cents: int
    reason: str
    for_dealer: bool = False


@dataclass(frozen=True)
class ChosenWithBet(Event):
    """What is chosen with a wager, such as a colour, is this now; before it was something else, or the wager was none."""

    kind = "chosen-with-bet"
    seat: int
    guest: str
    wager: str
    choice: str
    before: str


@dataclass(frozen=True)
class EarlyReversed(Event):
    """What was paid early in a round is reversed: with the cards as they are now it comes out otherwise."""

    kind = "early-reversed"
    round: int


@dataclass(frozen=True)
class ResultKeyed(Event):
    """The result of a hand whose cards are not keyed, and the one keyed before it."""

    kind = "result-keyed"
    result: str
    before: str
    reason: str = ""


@dataclass(frozen=True)
class Decided(Event):
    """A seat has decided."""

    kind = "decided"
    seat: int
    choice: str


@dataclass(frozen=True)
class NewShoe(Event):
    """All cards are in the shoe again; so many had been out."""

    kind = "new-shoe"
    cards_out: int


# Settling


@quickly_made
@dataclass(frozen=True)
class Paid(Event):
    """A stake and what became of it. `owed_cents` is what the pay table says, `win_cents` what moved.

    They differ where a player's bank could not cover it. `spot` names one of several stakes on a wager: a split hand, the
    seat whose hand won envy, or a bet for the dealers, whose win is theirs.
    """

    kind = "paid"
    seat: int
    guest: str
    wager: str
    spot: str
    outcome: str
    clause: str
    stake_cents: int
    owed_cents: int
    win_cents: int

    @classmethod
    def of(cls, stake: "PaidStake") -> "Paid":
        """What there is to tell of a stake."""
        return cls(
            seat=stake.seat,
            guest=stake.guest,
            wager=stake.wager,
            spot=stake.spot,
            outcome=stake.outcome,
            clause=stake.clause,
            stake_cents=stake.stake_cents,
            owed_cents=stake.owed_cents,
            win_cents=stake.win_cents,
        )


@dataclass(frozen=True)
class PaidAgain(Paid):
    """A stake of a settled round as it comes out after a correction."""

    kind = "paid-again"


@dataclass(frozen=True)
class AggregateLimit(Event):
    """A wager pays the most that one deal pays on it."""

    kind = "aggregate-limit"
    wager: str
    cents: int


@dataclass(frozen=True)
class HighPayout:
    """A payout above the threshold of surveillance."""

    seat: int
    wager: str
    win_cents: int


@dataclass(frozen=True)
class Surveillance(Event):
    """Payouts to be verified; whether a supervisor must acknowledge them first."""

    kind = "surveillance"
    payments: tuple[HighPayout, ...]
    threshold_cents: int
    acknowledge_first: bool


@dataclass(frozen=True)
class Acknowledged(Event):
    """A supervisor has verified them."""

    kind = "acknowledged"
    round: int


@quickly_made
@dataclass(frozen=True)
class RoundSettled(Event):
    """A round is over; if its shoe is done, which."""

    kind = "round-settled"
    round: int
    shoe_done: str


@dataclass(frozen=True)
class RoundVoided(Event):
    """The same of a round that was voided."""

    kind = "round-voided"
    round: int
    shoe_done: str


# Irregularities


@dataclass(frozen=True)
class Frozen(Event):
    """A round is disputed."""

    kind = "frozen"
    round: int
    reason: str


@dataclass(frozen=True)
class Resolved(Event):
    """The dispute is over."""

    kind = "resolved"
    round: int
    reason: str


@dataclass(frozen=True)
class Voided(Event):
    """All wagers go back, by this clause."""

    kind = "voided"
    round: int
    reason: str
    clause: str


@dataclass(frozen=True)
class ShoeLost(Event):
    """Two have said that a shoe which was committed to can never be shown: its seal is gone, or does not open."""

    kind = "shoe-lost"
    number: int
    shoe: str
    commitment: str
    witness: str
    reason: str


@dataclass(frozen=True)
class SeedAdded(Event):
    """A guest's screen has added randomness to a shoe."""

    kind = "seed-added"
    shoe: str
    guest: str
    seed: str


@dataclass(frozen=True)
class ShoeMixed(Event):
    """The order of a shoe follows from the house's seed and these of guests; some guests were not waited for."""

    kind = "shoe-mixed"
    shoe: str
    seeds: tuple[str, ...]
    guests: tuple[str, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class CardsChecked(Event):
    """A supervisor has checked the cards that came out of a shuffler, by this clause."""

    kind = "cards-checked"
    reason: str
    clause: str


@dataclass(frozen=True)
class NotRecovered(Event):
    """What a guest was paid early, and no longer has."""

    kind = "not-recovered"
    guest: str
    cents: int


@dataclass(frozen=True)
class RoundCorrected(Event):
    """A settled round was settled again as it really was, or voided after all; `stands` is how it stands now."""

    kind = "round-corrected"
    round: int
    reason: str
    void: bool
    stands: str


@dataclass(frozen=True)
class PaymentReversed(Event):
    """What a stake of a settled round had won, or lost, is reversed."""

    kind = "payment-reversed"
    seat: int
    guest: str
    wager: str
    spot: str
    win_cents: int


@dataclass(frozen=True)
class Owes(Event):
    """A guest no longer has what he must give back, and owes it."""

    kind = "owes"
    guest: str
    cents: int


@dataclass(frozen=True)
class DebtPaid(Event):
    """A guest paid of what he owed; so much is left."""

    kind = "debt-paid"
    guest: str
    cents: int
    left_cents: int


@dataclass(frozen=True)
class Reversed(Event):
    """A payment that was undone."""

    kind = "reversed"
    seat: int
    guest: str
    stake_cents: int
    win_cents: int


@dataclass(frozen=True)
class SettlementReversed(Event):
    """A whole settlement was undone."""

    kind = "settlement-reversed"
    round: int
    reason: str


# Tables and their money


@dataclass(frozen=True)
class TableOpened(Event):
    """A table is open, under the rules of this digest."""

    kind = "table-opened"
    edition: str
    digest: str
    opener_cents: int


@dataclass(frozen=True)
class TableClosed(Event):
    """A table is closed, and whether it balances."""

    kind = "table-closed"
    closer_cents: int
    drop_cents: int
    win_cents: int
    rounds_say_cents: int
    counted_cents: int
    balanced: bool


@dataclass(frozen=True)
class MoneyMoved(Event):
    """Cash or chips, and the guest they are of, if they are a guest's."""

    cents: int
    guest: str = ""


class Funded(MoneyMoved):
    """Cash came into the cage."""

    kind = "fund"


class BoughtIn(MoneyMoved):
    """A guest bought chips at the cage."""

    kind = "buy-in"


class CashedOut(MoneyMoved):
    """A guest's chips were bought back."""

    kind = "cash-out"


class Filled(MoneyMoved):
    """Chips went from the cage to a tray."""

    kind = "fill"


class Credited(MoneyMoved):
    """Chips went from a tray to the cage."""

    kind = "credit"


class BoughtAtTable(MoneyMoved):
    """A guest bought chips at a table."""

    kind = "table-buy-in"


class Tipped(MoneyMoved):
    """A guest tipped the dealers."""

    kind = "tip"


@dataclass(frozen=True)
class Dropped(Event):
    """A table's box was pulled."""

    kind = "drop"
    cents: int


@dataclass(frozen=True)
class TrayCounted(Event):
    """A tray was counted."""

    kind = "closer"
    counted_cents: int
    expected_cents: int
    difference_cents: int


# Second persons, and dealers on tables


@dataclass(frozen=True)
class Requested(Event):
    """Somebody asked for what needs a second person of one of these roles; until when the request stays."""

    kind = "requested"
    request: int
    act: str
    cents: int
    asked_by: str
    second: tuple[str, ...]
    until: str


@dataclass(frozen=True)
class Confirmed(Event):
    """A second person confirmed a request: it is done in this entry or, if it is of an account, may be done now."""

    kind = "confirmed"
    request: int
    act: str
    asked_by: str
    confirmed_by: str


@dataclass(frozen=True)
class Declined(Event):
    """A request was declined, or taken back by whoever asked."""

    kind = "declined"
    request: int
    act: str
    asked_by: str
    reason: str


@dataclass(frozen=True)
class DutiesSet(Event):
    """How many names the house works with, its own limits in cents by act, and how many minutes a request stays."""

    kind = "duties-set"
    names: str
    limits: Mapping[str, int]
    minutes: int


@dataclass(frozen=True)
class SignedOn(Event):
    """A dealer is on the table now; who was there before, if anybody was."""

    kind = "signed-on"
    dealer: str
    before: str


@dataclass(frozen=True)
class SignedOff(Event):
    """A dealer is off the table."""

    kind = "signed-off"
    dealer: str


# Scoreboards fed by a keypad


@dataclass(frozen=True)
class BoardOpened(Event):
    """A scoreboard is open."""

    kind = "board-opened"
    board: str
    edition: str


@dataclass(frozen=True)
class BoardHand(Event):
    """A hand was keyed."""

    kind = "board-hand"
    board: str
    hand: str


@dataclass(frozen=True)
class BoardUndone(Event):
    """The last hand was taken off again."""

    kind = "board-undone"
    board: str
    hand: str


@dataclass(frozen=True)
class BoardNewShoe(Event):
    """A new shoe begins, after so many hands."""

    kind = "board-new-shoe"
    board: str
    hands: int


def _kinds(event: type[Event]) -> Mapping[str, type[Event]]:
    own = {event.kind: event} if hasattr(event, "kind") else {}
    return own | {kind: inner for each in event.__subclasses__() for kind, inner in _kinds(each).items()}


EVENTS = _kinds(Event)
"""Every event by its kind."""


SENTENCES = {"step", "payouts", "notice"}
"""What events of 0.1 had in words."""
ENVY_BY_PLAYER = "envy, other player "
"""How the spot of a prize began, before it named the seat."""
ADDED = {"spot", "owed_cents", "payments", "deck", "reason"}
"""What events of 0.1 did not have, or not always; and some of form 3 had no reason."""


def same_events(data: Mapping[str, Any], events: list[Event]) -> bool:
    """Whether the data of an entry tells these events; one of 0.1 is compared in what both tell.

    Rules may be newer than a table, if they settle it to the same cent: their digest is not compared.
    """
    recorded, anew = data["events"], [event.as_data() for event in events]
    if data.get("form", 0) >= WITH_REASONS and recorded == anew:
        return True
    if len(recorded) != len(anew):
        return False
    form = data.get("form", WITH_SENTENCES)
    if form < WITH_REASONS:
        anew = [_without(ADDED - theirs.keys(), ours) for ours, theirs in zip(anew, recorded, strict=True)]
    if form == WITH_SENTENCES:
        recorded = [_without(SENTENCES, event) for event in recorded]
    return all(theirs == ours or _same(theirs, ours) for theirs, ours in zip(recorded, anew, strict=True))


def _same(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> bool:
    """Whether an event is the one recorded: players whose hands won envy were counted once, without saying their seats."""
    unsaid = {"digest", "spot"} if str(theirs.get("spot", "")).startswith(ENVY_BY_PLAYER) else {"digest"}
    return _without(unsaid, theirs) == _without(unsaid, ours)


def _without(names: set[str], event: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in names}
