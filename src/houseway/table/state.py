"""What is known of a table: everything here is folded from the journal."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from houseway.board import Finished
from houseway.rulebook.game import Value
from houseway.table.event import FORM
from houseway.table.ledger import Transfer
from houseway.table.plain import LATER
from houseway.values import quickly_made

T = TypeVar("T")
CUT_PERCENT = 75
"""BJ-9: where the cut card sits unless the table says otherwise."""


def changed(value: T, **fields: object) -> T:
    """A copy of a frozen value with other fields: `dataclasses.replace`, ten times as fast, for folding long journals."""
    own = value.__dict__
    known = {**own, **fields}  # a dictionary of its own, as `quickly_made` has it
    assert len(known) == len(own), fields  # no field that the value does not have
    copy = object.__new__(type(value))
    object.__setattr__(copy, "__dict__", known)
    return copy


class Phase(StrEnum):
    """Where a round stands."""

    BETTING = "betting"
    DEALING = "dealing"
    DECIDING = "deciding"
    READY = "ready"
    FROZEN = "frozen"


@quickly_made
@dataclass(frozen=True)
class Spot:
    """A seat with bets: whose they are, in cents by wager, the choices made, the cents held for it.

    It is `ready` when the guest says that all bets are placed. `for_dealer` are bets that the guest made for the dealers:
    wagers of their own beside his.
    """

    guest: str
    bets: Mapping[str, int]
    choices: tuple[str, ...] = ()
    held_cents: int = 0
    ready: bool = False
    for_dealer: Mapping[str, int] = field(default_factory=dict)


@quickly_made
@dataclass(frozen=True)
class Round:
    """A round is its tape: bets, dice, the cards in the order they came, and the choices; all else follows.

    `decided` are the seats in the order in which they decided, `looked` those that did before the dealer looked;
    `set_aside` are cards that were exposed and replaced; `drawer` is the seat that draws the cards, where players do.
    Where a bank reserves (R12b) `spots` have what it covers, and `laid` what was laid. `paid_before` are the seats and guests
    that had paid the collection for an earlier deal of this hand, which was void (R22).
    `unfolded` remembers what follows, so that it is not worked out twice; whoever changes the tape forgets it.
    """

    number: int = 1
    phase: Phase = Phase.BETTING
    spots: Mapping[int, Spot] = field(default_factory=dict)
    dice: int = 0
    drawn: tuple[int, ...] = ()
    early: tuple[Transfer, ...] = ()
    early_paid: tuple[tuple[int, str, int, int], ...] = ()
    acknowledged: bool = False
    result: str = ""
    decided: tuple[int, ...] = ()
    looked: tuple[int, ...] = ()
    set_aside: tuple[int, ...] = ()
    frozen_from: Phase | None = None
    drawer: int = 0
    laid: Mapping[int, Spot] = field(default_factory=dict, metadata=LATER)
    paid_before: tuple[tuple[int, str], ...] = field(default=(), metadata=LATER)
    unfolded: Any = field(default=None, compare=False, repr=False)

    @property
    def as_laid(self) -> Mapping[int, Spot]:
        """The spots with all that was laid there, covered or not, and the choices made."""
        if not self.laid:
            return self.spots
        choices = {seat: spot.choices for seat, spot in self.spots.items()}
        return {seat: changed(spot, choices=choices.get(seat, spot.choices)) for seat, spot in self.laid.items()}

    @property
    def payers(self) -> frozenset[tuple[int, str]]:
        """EZC-1: the seats and guests of which the collection is due for this hand, paid now or for a void deal of it."""
        return frozenset((seat, spot.guest) for seat, spot in self.as_laid.items()) | frozenset(self.paid_before)


@quickly_made
@dataclass(frozen=True)
class PaidStake:
    """One stake and what became of it: what it was owed, what the tray or a bank took of it, and what it won from that.

    A prize that is won without a stake of its own, such as envy, has a stake of nothing. What a stake `for_dealer` wins is
    the dealers'.
    """

    seat: int
    guest: str
    wager: str
    spot: str
    outcome: str
    clause: str
    stake_cents: int
    owed_cents: int
    taken_cents: int
    won_cents: int
    for_dealer: bool = False

    @property
    def win_cents(self) -> int:
        """The guest's net win."""
        return self.won_cents - self.taken_cents


@dataclass(frozen=True)
class Settled:
    """A round as it was settled, or as it stands after a correction: its tape, and every stake in the order of payment.

    The spots have all that was laid, of which a bank that reserves has covered a part: the truth may change which. One that was
    voided afterwards has no stakes. `holder`, `banker` and `bank_cents` are the seat and the guest of a
    player's bank, and what it had put up; it was taken in round `bank_since`. `out` are the cards that came out of the same
    shoe before, and `corrected` is how many corrections there were.
    """

    day: str
    round: Round
    stakes: tuple[PaidStake, ...]
    holder: int = 0
    banker: str = ""
    bank_cents: int = 0
    bank_since: int = 0
    out: tuple[int, ...] = ()
    corrected: int = 0

    @property
    def is_void(self) -> bool:
        """Whether all wagers went back after all."""
        return not self.stakes


@dataclass(frozen=True)
class Tenure:
    """Who banked, whether as a proposition player, and from when until when."""

    guest: str
    proposition: bool
    since: str
    until: str = ""


@dataclass(frozen=True)
class CollectedDeal:
    """A deal of a player-banked table for which the collection was due: its round, who banked it and who played it.

    One that is not settled is void, or still in play. `from_stake_cents` is what its bank paid from what it had put up (R23).
    """

    number: int
    holder: int
    banker: str
    players: tuple[tuple[int, str], ...]
    is_settled: bool = False
    from_stake_cents: int = field(default=0, metadata=LATER)


@dataclass(frozen=True)
class Bank:
    """Who banks a player-banked table. The offer goes clockwise; a bank holds for two hands (EZC-4).

    `proposition` is the seat of a third-party proposition player; it and the tenures matter where California's dated
    `rules` bind the table. The present bank was taken in round `since`. `collected` are the seats and guests that have paid
    for a hand that is not settled yet, and `bank_collected` the bank that has. `deals` are all deals so far, where nobody pays
    twice for a redeal (R22): from them follows what everybody has to pay, also once a settled round is void after all.
    """

    offered: int = 0
    holder: int = 0
    hands_left: int = 0
    passed: int = 0
    player_fee_cents: int = 0
    bank_fee_cents: int = 0
    rules: str = "none"
    proposition: int = 0
    offered_to_all: bool = False
    tenures: tuple[Tenure, ...] = ()
    collected: tuple[tuple[int, str], ...] = ()
    bank_collected: str = ""
    since: int = 0
    deals: tuple[CollectedDeal, ...] = field(default=(), metadata=LATER)


@dataclass(frozen=True)
class ShoeState:
    """The shoe in play: its id, its size, how many cards are gone from it, and where the cut card sits.

    `thrown` is how many of the numbers that were committed to with it are gone; `dice_commitment` is what committed to them.
    One that `wants_seeds` is not in order yet: it waits for what guests add. `seeds` are those that were added, by guest.
    """

    id: str
    commitment: str
    size: int
    cut: int
    used: int = 0
    thrown: int = 0
    dice_commitment: str = ""
    committed_at: str = ""
    wants_seeds: bool = False
    seeds: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class LostShoe:
    """A shoe that was committed to and can never be shown: its seal is gone or broken. Two have `declared` it, or not yet."""

    number: int
    id: str
    commitment: str
    declared: bool = False


@quickly_made
@dataclass(frozen=True)
class Action:
    """What was bet on a wager: in how many bets, the sum of the stakes, and the sum of their squares.

    With the wager's odds that is the win to be expected, and how far from it chance may lead.
    """

    bets: int = 0
    cents: int = 0
    squares: int = 0

    def and_(self, cents: int) -> "Action":
        """With one bet more."""
        return Action(self.bets + 1, self.cents + cents, self.squares + cents * cents)

    def without(self, cents: int) -> "Action":
        """With one bet less."""
        return Action(self.bets - 1, self.cents - cents, self.squares - cents * cents)


@dataclass(frozen=True)
class Bound:
    """Under which digests a table was opened. `origin` says where its edition's content is from.

    That is `built-in`, `registered` (in this house's journal), `folder` (of the operator's own editions), or `assumed`:
    0.1 journaled no content, and what the package has under that id today stands for it.
    """

    rules: str = ""
    behaviour: str = ""
    release: str = ""
    system: str = ""
    origin: str = "built-in"


@dataclass(frozen=True)
class Board:
    """A scoreboard that is fed by a keypad alone: the hands of the shoe, and how many shoes came before (EZ Trak)."""

    name: str
    edition: str
    document: str
    bound: Bound
    next_hand: bool = False
    hands: tuple[str, ...] = ()
    shoes: int = 1


@dataclass(frozen=True)
class Duties:
    """Whether a house works with `two` names or with `one`, its own limits by act in cents, and how long a request stays."""

    names: str = "two"
    limits: Mapping[str, int] = field(default_factory=dict)
    minutes: int = 15


@dataclass(frozen=True)
class PendingRequest:
    """What somebody asked for and a second person has not confirmed yet: `command` is it, as JSON, of the kind `act`.

    Times are as the journal writes them. `second` are the roles of whoever may confirm it. A request for something that the
    journal only notes, such as a new account, is `confirmed_by` somebody first and then done by whoever asked. One about a
    round is for that `round` of the table, and `tape` is a digest of its stakes and cards, where it is for just those.
    """

    number: int
    act: str
    command: str
    table: str
    cents: int
    asked_by: str
    role: str
    at: str
    until: str
    second: tuple[str, ...]
    confirmed_by: str = ""
    confirmed_role: str = ""
    round: int = field(default=0, metadata=LATER)
    tape: str = field(default="", metadata=LATER)


@dataclass(frozen=True)
class Spell:
    """Somebody who keyed, dealt or settled at a table, from one round to another."""

    name: str
    first: int
    last: int


@dataclass(frozen=True)
class GuestCash:
    """The cash that a guest brought on a gaming day, and what he was paid: two sums, and never their difference.

    They begin with the day's first cash. Lines were told up to the `told` sums: less, where some of it was not watched.
    """

    in_cents: int = 0
    out_cents: int = 0
    told_in_cents: int = field(default=0, metadata=LATER)
    told_out_cents: int = field(default=0, metadata=LATER)


@dataclass(frozen=True)
class Today:
    """What duties and the cash lines need to know of a gaming day.

    `alone` is what one person alone sold a guest, or cashed for him, in cents by act and guest; `dealt_to` are, by guest, all
    who keyed, dealt or settled his rounds. `cash` is by guest, at tables and cage together;
    `identified` are the guests whose papers were seen that day.
    """

    day: str = ""
    alone: Mapping[str, int] = field(default_factory=dict)
    dealt_to: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cash: Mapping[str, GuestCash] = field(default_factory=dict, metadata=LATER)
    identified: tuple[str, ...] = field(default=(), metadata=LATER)


@dataclass(frozen=True)
class Waiting:
    """A guest who waits for a seat, for an edition or for any, since a moment; called to a seat that is held until then."""

    number: int
    guest: str
    edition: str
    at: str
    table: str = ""
    seat: int = 0
    until: str = ""


@dataclass(frozen=True)
class HeldSeat:
    """A seat that is held for a guest until a moment; by the number of the waitlist that he was called by, if he was."""

    guest: str
    until: str
    wait: int = 0


@dataclass(frozen=True)
class Bar:
    """A guest who may not play, by his `own-wish` or the `house`'s, until a gaming day, or without an end."""

    guest: str
    ground: str
    until: str = ""


@dataclass(frozen=True)
class Par:
    """What a table's tray should hold, and below how many of a denomination a fill is wanted."""

    pieces: Mapping[int, int]
    low: Mapping[int, int]


@dataclass(frozen=True)
class Signature:
    """Who signed a step of a slip, as what, and when."""

    step: str
    name: str
    role: str
    at: str


@dataclass(frozen=True)
class Slip:
    """A slip that is not finished: its number among those of its kind, its table, and what it is for.

    `pieces` are the chips that it moves, or of a box the notes that were counted. `signed` are the steps so far. `counts` are
    blind counts that wait for the others, in order: nobody is shown them. `cents` is its value: of an error slip the
    difference, of a box what buy-ins say. `owner` answers for a difference. One that is void while its chips are under way
    stays until they are back: `void` is the reason, and `voided_by` who said so.
    """

    kind: str
    number: int
    table: str
    day: str
    opened_at: str
    pieces: Mapping[int, int] = field(default_factory=dict)
    cents: int = 0
    signed: tuple[Signature, ...] = ()
    counts: tuple[Mapping[int, int], ...] = ()
    purpose: str = ""
    owner: str = ""
    void: str = field(default="", metadata=LATER)
    voided_by: str = field(default="", metadata=LATER)

    @property
    def id(self) -> str:
        """Its kind and number, `fill-12`, as everybody calls it."""
        return f"{self.kind}-{self.number}"


@dataclass(frozen=True)
class Notice:
    """Something that is to be reported to the commission, until when; it stands until somebody records that it was sent."""

    number: int
    table: str
    day: str
    at: str
    until: str
    cents: int
    why: str


@dataclass(frozen=True)
class Table:
    """One table of the house, bound to the content of its edition: `document` is that, as text.

    `history` are the finished rounds of the shoe, or the last ones where each has its own. `offered` are the wagers that
    may be bet here. A table whose edition cannot be read is `spoiled`, which says why: its money is known, and no more.
    `shoe_since` is the first round of the present shoe, `run_out` are shoes that ran out in a round that is not over.
    `action_before` is what `action` was before the last settlement, for journals in which that was reversed. `check_cards` is
    the reason of a void after which a supervisor must check the cards before any more are dealt. The cut card comes out
    after `cut_percent` of a shoe (BJ-9). `drew` is the seat that drew the cards of the last hand, where players do. `form`
    is that of the entry that opened it, with round `first_round`: a table that opens again goes on counting. It was closed on
    the gaming day `closed_on`. `sealed` are the entries of the present round whose cards are sealed in the journal.
    `lost_shoes` can never be revealed. For `guest_seeds` seconds guests' screens may add randomness to a new shoe (0: they add
    none).

    `dealer` is signed on, and `worked` tells who keyed, dealt or settled which rounds. `screens` are the guests here who act
    for themselves; `racks` are the chips that the others bought or won here, which the dealer may bet for them. `held` are
    seats that wait for somebody; a `supervisor` watches over the table since a moment.
    In a house with chips `tray_count` says that the opener is due, or the closer counted; `counted` is what was counted last.
    """

    name: str
    edition: str
    document: str
    bound: Bound
    settings: Mapping[str, Value]
    source: str
    seats: int
    round: Round = field(default_factory=Round)
    is_open: bool = True
    shoe: ShoeState | None = None
    shoes_made: int = 0
    shoe_since: int = 1
    run_out: tuple[ShoeState, ...] = ()
    opener_cents: int = 0
    fills_cents: int = 0
    credits_cents: int = 0
    win_cents: int = 0
    watch_cents: int = 300_000
    watch: str = "record"
    settled: tuple[tuple[int, str, int, int], ...] = ()
    settled_round: int = 0
    last: Round | None = None
    discards: tuple[int, ...] = ()
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    aggregates: Mapping[str, int] = field(default_factory=dict)
    seated: Mapping[int, str] = field(default_factory=dict)
    seats_per_guest: int = 0
    history: tuple[Finished, ...] = ()
    action: Mapping[str, Action] = field(default_factory=dict)
    action_before: Mapping[str, Action] = field(default_factory=dict)
    bank: Bank | None = None
    dropped_cents: int = 0
    decision_seconds: int = 0
    touched_at: str = ""
    offered: tuple[str, ...] = ()
    spoiled: str = ""
    check_cards: str = ""
    cut_percent: int = CUT_PERCENT
    drew: int = 0
    form: int = FORM
    first_round: int = 1
    closed_on: str = ""
    sealed: tuple[int, ...] = ()
    lost_shoes: tuple[LostShoe, ...] = ()
    guest_seeds: int = 0
    dealer: str = ""
    worked: tuple[Spell, ...] = ()
    screens: tuple[str, ...] = ()
    racks: Mapping[str, int] = field(default_factory=dict)
    held: Mapping[int, HeldSeat] = field(default_factory=dict, metadata=LATER)
    supervisor: str = field(default="", metadata=LATER)
    supervised_since: str = field(default="", metadata=LATER)
    tray_count: str = field(default="", metadata=LATER)
    counted: Mapping[int, int] = field(default_factory=dict, metadata=LATER)


def is_blind(table: Table) -> bool:
    """Whether the cards of the round are sealed with a key that is not here: it stands still, and can be voided."""
    return table.round.frozen_from == Phase.FROZEN


@dataclass(frozen=True)
class House:
    """All tables and keyed scoreboards, what every account holds, and the content of the house's own editions by id.

    `earlier` are tables that were closed and opened again on the same day, by name, each as it was when it closed. Its first
    command fixes the `duties`. `requests` wait for a second person, `requests_made` counts them all. `staff` are the roles of
    all who were given an account, by name. `rules` are those of its own (`table/house_rules.py`) that it has set.

    `patrons_made` counts the numbers of the patron file, which is no part of the journal. Where one person has several
    accounts, `aliases` lead from each of the others to the first. `barred` are those who may not play, by their name as it is
    heard; `too_young` are names of those who may not for their age. `waiting` are
    those who want a seat, in order, `waits_made` counts them; `breaks` are those of the staff who are on one, since when.
    Where it has chips, `pieces` are how many of each denomination lie where (`table/pieces.py`), and `pars` what the tray of a
    table should hold. `slips` are those that are open, by id, and `slips_made` the last number of each kind. `notices` wait to
    be sent; `shortages` are the days on which a table's tray was short, as long as they make a pattern. `uncounted` are boxes
    whose cash nobody has counted yet, on tables and pulled, with the gaming day of the oldest of it.
    """

    tables: Mapping[str, Table] = field(default_factory=dict)
    balances: Mapping[str, int] = field(default_factory=dict)
    boards: Mapping[str, Board] = field(default_factory=dict)
    editions: Mapping[str, str] = field(default_factory=dict)
    earlier: Mapping[str, tuple[Table, ...]] = field(default_factory=dict)
    duties: Duties | None = None
    requests: Mapping[int, PendingRequest] = field(default_factory=dict)
    requests_made: int = 0
    today: Today = field(default_factory=Today)
    staff: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict, metadata=LATER)
    patrons_made: int = field(default=0, metadata=LATER)
    aliases: Mapping[str, str] = field(default_factory=dict, metadata=LATER)
    barred: Mapping[str, Bar] = field(default_factory=dict, metadata=LATER)
    too_young: tuple[str, ...] = field(default=(), metadata=LATER)
    waiting: tuple[Waiting, ...] = field(default=(), metadata=LATER)
    waits_made: int = field(default=0, metadata=LATER)
    breaks: Mapping[str, str] = field(default_factory=dict, metadata=LATER)
    pieces: Mapping[str, Mapping[int, int]] = field(default_factory=dict, metadata=LATER)
    pars: Mapping[str, Par] = field(default_factory=dict, metadata=LATER)
    slips: Mapping[str, Slip] = field(default_factory=dict, metadata=LATER)
    slips_made: Mapping[str, int] = field(default_factory=dict, metadata=LATER)
    notices: Mapping[int, Notice] = field(default_factory=dict, metadata=LATER)
    notices_made: int = field(default=0, metadata=LATER)
    shortages: Mapping[str, tuple[str, ...]] = field(default_factory=dict, metadata=LATER)
    uncounted: Mapping[str, str] = field(default_factory=dict, metadata=LATER)

    def balance(self, account: str) -> int:
        """What an account holds."""
        return self.balances.get(account, 0)
