"""The fields that commands have: each is declared once, with what it may hold and how people write it."""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator
from pydantic import Field as Limits

from houseway.money import dollars
from houseway.table import ledger

MOST_NUMBER = 2**63
MOST_AMOUNT_CENTS = 10_000_000_000
"""A hundred million dollars: no card room moves more at once, so that a slip of the keys, or worse, is refused."""


@dataclass(frozen=True)
class Kind:
    """What a field may hold: as Pydantic checks it, in the words of a refusal, and the form in which a shell reads it."""

    type: Any
    wanted: str
    form: str


@dataclass(frozen=True)
class Field:
    """A field of commands.

    `about` says what it is. In a shell it is an option of its name, unless it is an `argument` or has a `flag` of its own,
    and `default` is what a shell takes if nothing is said. `code` is how a refusal of its value is called.
    """

    name: str
    kind: Kind
    about: str
    code: str = ""
    argument: bool = False
    flag: str = ""
    metavar: str = ""
    default: str = ""

    @property
    def word(self) -> str:
        """What people call it: the word of its option, without the dashes."""
        return (self.flag.removeprefix("--") or self.name.removesuffix("_cents")).replace("_", " ").replace("-", " ")

    @property
    def refusal_code(self) -> str:
        """The code of a refusal: amounts have one of their own."""
        return self.code or self.missing_code

    @property
    def missing_code(self) -> str:
        """The code of a refusal of a command without this field."""
        return "bad-amount" if self.kind.form == "dollars" else "bad-command"


def _printable(value: str) -> str:
    if not value.isprintable() or not value.strip():
        raise ValueError("not printable")
    return value


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _paired(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _whole(least: int, most: int) -> Kind:
    return Kind(Annotated[int, Limits(ge=least, le=most)], f"a whole number from {least} to {most}", "number")


def _money(least: int, most: int) -> Kind:
    wanted = f"an amount from {dollars(least)} to {dollars(most)}, in whole cents"
    return Kind(Annotated[int, Limits(ge=least, le=most)], wanted, "dollars")


_Text = Annotated[str, Limits(min_length=1, max_length=400), AfterValidator(_printable)]
_Name = Annotated[str, Limits(min_length=1, max_length=40), AfterValidator(_printable)]
_Setting = Annotated[str, Limits(min_length=1, max_length=8_000), AfterValidator(_printable)]
"""A setting's value; of a file of one's own, such as a House Way, its whole content."""
_Number = Annotated[int, Limits(ge=-MOST_NUMBER, lt=MOST_NUMBER)]
_Cents = Annotated[int, Limits(gt=0, le=ledger.MOST_CENTS)]
_Bets = Annotated[
    list[Annotated[tuple[_Text, _Cents], BeforeValidator(_paired)]], Limits(max_length=40), BeforeValidator(_listed)
]
"""Wagers and cents in the order they were laid, which a journal would not keep in a table."""
_Seat = Annotated[str, Limits(pattern=r"^[1-9][0-9]?$")]
_Bounds = Annotated[list[_Number], Limits(min_length=2, max_length=2), BeforeValidator(_listed)]

TEXTS = Kind(_Text, "a printable text of at most 400 characters", "text")
NAMES = Kind(_Name, "a printable text of at most 40 characters", "text")
NUMBERS = Kind(_Number, "a whole number", "number")
"""Which numbers are possible only the table knows, and it says what it accepts."""
AMOUNTS = Kind(_Cents, f"an amount above $0 and up to {dollars(ledger.MOST_CENTS)}, in whole cents", "dollars")
FEES = _money(0, 10_000)
YES_NO = Kind(bool, "true or false", "yes-no")

TABLE = Field("table", NAMES, "the table's name", argument=True)
GUEST = Field("guest", NAMES, "the guest's name")
SEAT = Field("seat", NUMBERS, "the seat's number", code="bad-seat")
WAGER = Field("wager", NAMES, "the wager's name", argument=True)
CENTS = Field("cents", AMOUNTS, "how much", argument=True)
FOR_DEALER = Field("for_dealer", YES_NO, "whether the wager is for the dealer")
CHOICE = Field("choice", NAMES, 'what is decided, such as play, hit, "set Ah Kd", house-way or red', argument=True)
CHOSEN = Field("chosen", NAMES, "what was chosen with the wager, such as red or black")
CARDS = Field("cards", TEXTS, "the cards, in the order they are dealt", argument=True)
CARD = Field("card", NAMES, "what the card really is", argument=True)
PLACE = Field("place", NUMBERS, "which card of the round, counted from 1", argument=True)
OTHER_PLACE = Field("other_place", NUMBERS, "the other card of the round, counted from 1", argument=True)
RESULT = Field("result", NAMES, "the result, as the game names it, such as tie", argument=True)
DICE = Field("dice", NUMBERS, "the number thrown by hand, at a manual table", code="bad-dice")
STAKE = Field("stake_cents", _money(0, ledger.MOST_CENTS), "what was really bet (0: nothing)", argument=True)
BETS = Field("bets", Kind(_Bets, "a list of wagers, each with its cents", "bet-list"), "what is bet", argument=True)
SEAT_BETS = Field(
    "seat_bets",
    Kind(dict[_Seat, _Bets], "a table of seats, each with a list of wagers and their cents", "seat-bets"),
    "all that a seat really bet",
    flag="--bets",
    metavar="SEAT:WAGER=DOLLARS,...",
)
DEALER_BETS = Field("dealer_bets", SEAT_BETS.kind, "all that a seat really bet for the dealers", metavar=SEAT_BETS.metavar)
_Choices = Annotated[list[_Name], Limits(max_length=60), BeforeValidator(_listed)]
CHOICES = Field(
    "choices",
    Kind(dict[_Seat, _Choices], "a table of seats, each with a list of choices", "seat-choices"),
    "all that a seat really decided, in order",
    metavar="SEAT:CHOICE,...",
)
GUESTS = Field(
    "guests",
    Kind(dict[_Seat, _Name], "a table of seats, each with a guest's name", "seat-names"),
    "whose the bets at a seat really were",
    metavar="SEAT:NAME",
)
AGAIN = Field("again", _whole(0, 1_000), "how many corrections of this round you have seen (none, the first time)")
VOID = Field("void", YES_NO, "whether all wagers go back after all")
REASON = Field("reason", TEXTS, "why")
WITNESS = Field("witness", NAMES, "the second person, a supervisor, who has seen it too")
SEED = Field(
    "seed",
    Kind(Annotated[str, Limits(pattern=r"^[0-9a-f]{64}$")], "64 lower-case hex digits", "text"),
    "random digits that nobody else knows",
    argument=True,
)
ROUND = Field("round", NUMBERS, "which round")
PROPOSITION = Field("proposition", YES_NO, "whether the guest is a third-party proposition player")
CLOSER = Field("closer_cents", _money(0, ledger.MOST_CENTS), "what the tray was counted to")

EDITION = Field("edition", TEXTS, "the edition that is played or shown")
SOURCE = Field(
    "source", NAMES, "where the cards come from: virtual-shoe, hand-keyed, manual-keypad, shuffler", default="virtual-shoe"
)
OPENER = Field("opener_cents", AMOUNTS, "the chips in the tray (none if players bank)")
SETTINGS = Field(
    "settings",
    Kind(dict[_Text, _Number | _Setting], "a table of settings", "settings"),
    "settings and readings other than the edition's first",
    code="bad-setting",
    flag="--set",
    metavar="NAME=VALUE",
)
SEATS = Field("seats", NUMBERS, "how many seats the table has", code="bad-seats")
SEATS_PER_GUEST = Field("seats_per_guest", _whole(0, 14), "how many seats a guest may have (0: as many as are free)")
WATCH = Field("watch", NAMES, "record or acknowledge high payouts")
WATCH_CENTS = Field("watch_cents", AMOUNTS, "the payout above which surveillance is told", flag="--watch-over")
LIMITS = Field(
    "limits",
    Kind(dict[_Text, _Bounds], "a table of wagers with the least and the most cents", "limits"),
    "the table's own limits for a wager",
    flag="--limit",
    metavar="WAGER=LEAST-MOST",
)
AGGREGATES = Field(
    "aggregates",
    Kind(dict[_Text, _Cents], "a table of wagers with the most cents that one deal pays on them", "bets"),
    "the most that one deal pays on a wager",
    flag="--aggregate",
    metavar="WAGER=DOLLARS,...",
)
CUT = Field(
    "cut_percent",
    _whole(10, 100),
    "where the cut card sits: how many percent of a shoe come out before the next one (75 if nothing is said)",
    code="bad-cut",
    flag="--cut",
)
GUEST_SEEDS = Field(
    "guest_seeds",
    _whole(0, 600),
    "for how many seconds guests' screens may add randomness to a new virtual shoe (0: they add none)",
)
DECISION_SECONDS = Field("decision_seconds", _whole(0, 3_600), "how long a seat has to decide (0: no clock)")
PLAYER_FEE = Field("player_fee_cents", FEES, "the collection from each player, each hand")
BANK_FEE = Field("bank_fee_cents", FEES, "the collection from the bank, each hand")
BANK_RULES = Field("bank_rules", NAMES, "California's dated rules of the bank: none, notice-2016, rules-2026")
OFFERED = Field(
    "offered",
    Kind(Annotated[list[_Name], Limits(max_length=40), BeforeValidator(_listed)], "a list of wagers", "names"),
    "the wagers that may be bet here, if not all of the edition's",
    metavar="WAGER,...",
)

REQUEST = Field("request", _whole(1, 1_000_000_000), "the request's number", argument=True)
NAMES_NEEDED = Field("names", NAMES, "one or two: whether the acts of the table of duties need a second person")
DUTY_LIMITS = Field(
    "duty_limits",
    Kind(
        dict[_Name, Annotated[int, Limits(ge=0, le=MOST_AMOUNT_CENTS)]], "a table of acts with an amount of cents each", "bets"
    ),
    "above which amount an act needs a second person (0: always)",
    flag="--limit",
    metavar="ACT=DOLLARS,...",
)
MINUTES = Field("minutes", _whole(1, 720), "how many minutes a request waits for its second person")

_Day = Annotated[str, Limits(pattern=r"^\d{4}-\d{2}-\d{2}$")]
GROUND = Field("ground", NAMES, "own-wish or house: whose wish it is", default="own-wish")
UNTIL = Field("until", Kind(_Day, "a date, such as 2030-01-31", "text"), "the gaming day on which it ends")

WAIT = Field("wait", _whole(1, 1_000_000_000), "the number on the waitlist", argument=True)
HOLD_MINUTES = Field("hold_minutes", _whole(1, 1_440), "for how many minutes the seat is held", flag="--minutes")
SLIP = Field("slip", NAMES, "the slip, such as fill-12", argument=True)
NOTICE = Field("notice", _whole(1, 1_000_000_000), "the notice's number", argument=True)
_Denomination = Annotated[str, Limits(pattern=r"^[1-9][0-9]{0,8}$")]
PIECE_COUNTS = Kind(
    Annotated[dict[_Denomination, Annotated[int, Limits(ge=0, le=1_000_000)]], Limits(max_length=20)],
    "a table of denominations in cents, each with how many pieces (coins are those of 1)",
    "pieces",
)
PIECES = Field("pieces", PIECE_COUNTS, "which pieces", code="bad-pieces", metavar="DOLLARSxCOUNT,...")
FOR_PIECES = Field("for_pieces", PIECE_COUNTS, "which pieces for them", code="bad-pieces", metavar=PIECES.metavar)
LOW = Field("low", PIECE_COUNTS, "below how many a fill is wanted", code="bad-pieces", metavar=PIECES.metavar)

RULE = Field("rule", NAMES, "the rule's name, as houseway house lists it", argument=True)
VALUE = Field("value", TEXTS, "what it is to be, as it is written there", argument=True)

BOARD = Field("board", NAMES, "the scoreboard's name", argument=True)
HAND = Field(
    "hand",
    TEXTS,
    'the hand as its road has it, such as B, P8, T, or the round, such as "3 pair bonus.flush@2"',
    argument=True,
)
NEXT_HAND = Field("next_hand", YES_NO, "whether the cells for the next hand are shown")
