"""What commands tell of a round: bets, seats and banks, cards, payments, and what went wrong."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from houseway.rulebook.game import Recipient
from houseway.table.event import Event
from houseway.values import quickly_made

if TYPE_CHECKING:
    from houseway.table.state import PaidStake

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
