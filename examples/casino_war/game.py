"""Casino War as a game: the rules, how their deals are counted, and a round told step by step."""

from collections.abc import Mapping
from dataclasses import replace

from houseway.cards import RANKS, fresh_shoe
from houseway.kernels.compiled import Ints, helper, plain, rule
from houseway.kernels.count import Progress, count
from houseway.kernels.deal import deal_by_class
from houseway.refusal import Refused
from houseway.rulebook.game import (
    DEALER,
    Dealing,
    Game,
    MissingCard,
    MissingChoice,
    Outcome,
    Play,
    Recipient,
    Request,
    Result,
    Shoe,
    Shown,
    Step,
    Switch,
    Tally,
    Value,
    Wager,
    by_id,
    switches,
)

BET_OUTCOMES = (
    Outcome("win", "Player's card is higher"),
    Outcome("lose", "Dealer's card is higher"),
    Outcome("surrender", "Player surrenders"),
    Outcome("war-won", "Player wins the war"),
    Outcome("war-lost", "Dealer wins the war"),
)
WIN, LOSE, SURRENDER, WAR_WON, WAR_LOST = range(5)
TIE_OUTCOMES = (Outcome("tie", "Equal cards"), Outcome("no-tie", "Different cards"))
TIE, NO_TIE = range(2)

BURNED = 3
"""CW-5: cards burned before a war."""
BY_RANK = tuple(tuple(range(4 * rank, 4 * rank + 4)) for rank in range(13))
"""The rules look at ranks alone."""


@helper
def compare(player: int, dealer: int) -> int:
    """CW-2: by rank, the ace high; above zero if the player's card is higher."""
    return (player >> 2) - (dealer >> 2)


@rule
def go_to_war(tape: Ints, settings: Ints) -> int:
    """CW-3 to CW-6 for a player who goes to war on every tie: his card, the dealer's, his war card, the dealer's."""
    first = compare(tape[0], tape[1])
    if first != 0:
        return WIN if first > 0 else LOSE
    return WAR_WON if compare(tape[2], tape[3]) >= 0 else WAR_LOST


@rule
def surrender(tape: Ints, settings: Ints) -> int:
    """CW-3, CW-4 for a player who surrenders on every tie."""
    first = compare(tape[0], tape[1])
    return SURRENDER if first == 0 else WIN if first > 0 else LOSE


@rule
def tie(tape: Ints, settings: Ints) -> int:
    """CW-7: whether the first two cards are equal."""
    return TIE if compare(tape[0], tape[1]) == 0 else NO_TIE


def count_wars(shoe: Shoe, settings: Ints, progress: Progress | None = None) -> Tally:
    """Every deal of four cards; those burned are as unknown as those left in the shoe."""
    return Tally(count(go_to_war, deal_by_class(shoe, BY_RANK, (1, 1, 1, 1)), settings, len(BET_OUTCOMES)))


def count_surrenders(shoe: Shoe, settings: Ints, progress: Progress | None = None) -> Tally:
    """Every deal of two cards, for a player who never goes to war."""
    return Tally(count(surrender, deal_by_class(shoe, BY_RANK, (1, 1)), settings, len(BET_OUTCOMES)))


def count_ties(shoe: Shoe, settings: Ints, progress: Progress | None = None) -> Tally:
    """Every deal of two cards."""
    return Tally(count(tie, deal_by_class(shoe, BY_RANK, (1, 1)), settings, len(TIE_OUTCOMES)))


class Round:
    """A round being played out: cards are taken from the front as the rules ask for them."""

    def __init__(self, request: Request) -> None:
        self.request, self.left = request, list(request.cards)
        self.steps: list[Step] = []
        self.player: list[int] = []
        self.dealer: list[int] = []

    def draw(self, what: str, whose: str, hand: str = "") -> int:
        """The next card, refused if there is none."""
        if not self.left:
            raise MissingCard(f"{len(self.request.cards)} cards are too few: {what} is missing", whose, self.hands(), hand)
        return self.left.pop(0)

    def deal(self, hand: list[int], whose: str) -> None:
        """A card to one of the two hands."""
        hand.append(self.draw(f"the {whose}'s card", whose))
        self.steps.append(Step(f"{whose}-has", "CW-1", {"owner": whose, "cards": (hand[-1],), "hand": tuple(hand)}))

    def hands(self) -> tuple[Shown, ...]:
        """Both hands as they lie on the felt; burned cards lie nowhere."""
        both = (("player", self.player), (DEALER, self.dealer))
        return tuple(Shown(owner, tuple(cards), RANKS[cards[-1] >> 2]) for owner, cards in both if cards)

    def decide(self) -> str:
        """CW-4: after a tie the player chooses."""
        allowed = ("war", "surrender")
        if not self.request.choices:
            raise MissingChoice(f"a tie: {' or '.join(allowed)}", allowed, hands=(replace(self.hands()[0], active=True),))
        if len(self.request.choices) > 1 or self.request.choices[0] not in allowed:
            raise Refused("bad-choice", f'"{", ".join(self.request.choices)}": after a tie it is war or surrender, once')
        return self.request.choices[0]

    def war(self) -> int:
        """CW-5, CW-6: three cards are burned, the player gets one, and the dealer one."""
        for _ in range(BURNED):
            self.draw("a burned card", "player", "burned card")
        self.steps.append(Step("war", "CW-5"))
        self.deal(self.player, "player")
        self.deal(self.dealer, DEALER)
        return WAR_WON if plain(compare)(self.player[-1], self.dealer[-1]) >= 0 else WAR_LOST


def play(request: Request) -> Play:
    """Play a round out: the player's card and the dealer's; in a war three burned cards, then one to each."""
    round_ = Round(request)
    round_.deal(round_.player, "player")
    round_.deal(round_.dealer, DEALER)
    first, clause = plain(compare)(round_.player[0], round_.dealer[0]), "CW-3"
    if first != 0 and request.choices:
        raise Refused("bad-choice", f'choice "{request.choices[0]}": there is a choice only after a tie (CW-4)')
    if first != 0:
        outcome = WIN if first > 0 else LOSE
    elif round_.decide() == "surrender":
        outcome, clause = SURRENDER, "CW-4"
    else:
        outcome, clause = round_.war(), "CW-6"
    if round_.left:
        used = len(request.cards) - len(round_.left)
        raise Refused("too-many-cards", f"{len(request.cards)} cards are too many: this round ends after {used}")
    ended = BET_OUTCOMES[outcome]
    staked = ("bet", "war") if outcome in (WAR_WON, WAR_LOST) else ("bet",)
    own = request.resolve_own()
    steps = (*round_.steps, Step("result", clause, {"outcome": ended.name}), *own.steps)
    results = (*(Result(wager, ended.id, clause) for wager in staked), *own.results)
    return Play(steps, results, round_.hands())


def resolve_tie(request: Request) -> Play:
    """CW-7: the Tie bet hangs on the first two cards alone."""
    ended = TIE_OUTCOMES[TIE if plain(compare)(*request.cards[:2]) == 0 else NO_TIE]
    return Play((Step("tie-bet", "CW-7", {"outcome": ended.name}),), (Result("tie", ended.id, "CW-7"),))


def _deal_order(seats: tuple[int, ...], settings: Mapping[str, Value], dice: int) -> tuple[Recipient, ...]:
    """CW-1: one card to each player, then one to the dealer."""
    return (*seats, DEALER)


GAME = Game(
    package=__package__,
    name="Casino War",
    wagers=by_id(
        Wager(
            "bet",
            "Bet",
            "CW-1",
            BET_OUTCOMES,
            count_wars,
            cards=4,
            rides=("war",),
            strategy="war on every tie",
            suits_matter=False,
        ),
        Wager("war", "War", "CW-5", BET_OUTCOMES, needs="bet", follows="bet"),
        Wager(
            "tie",
            "Tie",
            "CW-7",
            TIE_OUTCOMES,
            count_ties,
            cards=2,
            needs="bet",
            counts_as="tie",
            suits_matter=False,
            resolve=resolve_tie,
        ),
    ),
    switches=switches(Switch("decks", (6, 1, 2, 4, 5, 8), "CW-1", "decks in the shoe")),
    shoe=lambda settings: fresh_shoe(int(settings["decks"])),
    play=play,
    dealing=Dealing(
        seats=7,
        order=_deal_order,
        tape=lambda seat, dealer: seat + dealer,
        raises={"war": "bet"},
        in_turn=True,
        default_choice="surrender",
        dealer_face_up=1,
    ),
)
