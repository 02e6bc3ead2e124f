"""Blackjack and Lucky Lucky as a game: the wagers and how their deals are counted."""

from collections.abc import Mapping

from houseway.cards import fresh_shoe
from houseway.kernels.compiled import Ints
from houseway.kernels.count import Progress, count, count_with_replacement
from houseway.kernels.deal import deal_of_shoe
from houseway.kernels.sample import sample
from houseway.rulebook.game import COMMUNITY, DEALER, Dealing, Game, Recipient, Shoe, Tally, Value, Wager, by_id

from .outcomes import BLACKJACK_OUTCOMES, INSURANCE_OUTCOMES, LUCKY_OUTCOMES
from .round import play, resolve_lucky_lucky
from .rules import LONGEST_ROUND, lucky_lucky, mimic_the_dealer
from .switches import CONTINUOUS, INFINITE, R13, SHUFFLER, SWITCHES

SIMULATED_ROUNDS = 1 << 23


def count_lucky(shoe: Shoe, settings: Ints, progress: Progress | None = None) -> Tally:
    """Every set of three cards, hence the edges of LLB-10; a continuous shuffler (LLB-11) by its model (R13)."""
    deal = deal_of_shoe(shoe, (3,))
    if settings[SHUFFLER] == CONTINUOUS and settings[R13] == INFINITE:
        return Tally(count_with_replacement(lucky_lucky, deal.cards, 3, settings, len(LUCKY_OUTCOMES)))
    return Tally(count(lucky_lucky, deal, settings, len(LUCKY_OUTCOMES)))


def sample_blackjack(shoe: Shoe, settings: Ints, progress: Progress | None = None) -> Tally:
    """A sample of rounds in which the player mimics the dealer."""
    deal = deal_of_shoe(shoe, (LONGEST_ROUND,))
    tally = sample(mimic_the_dealer, deal, settings, len(BLACKJACK_OUTCOMES), SIMULATED_ROUNDS, progress=progress)
    return Tally(tally, method="simulated")


def _shoe(settings: Mapping[str, Value]) -> Shoe:
    return fresh_shoe(int(settings["decks"]))


def _deal_order(seats: tuple[int, ...], settings: Mapping[str, Value], dice: int) -> tuple[Recipient, ...]:
    """LLB-6: clockwise from the position leftmost to the dealer, who comes last; BJ-8: a hole card or none.

    A community card (LLB-0) comes before the hole card, so that Lucky Lucky need not wait for that (LLB-7).
    """
    community = (COMMUNITY,) if settings["lucky-card"] == "community" else ()
    hole = (DEALER,) if settings["hole-card"] == "peek" else ()
    return (*seats, DEALER, *seats, *community, *hole)


def _not_offered(settings: Mapping[str, Value]) -> tuple[str, ...]:
    """BJ-7: where there is no surrender, no pay for one is posted."""
    return ("surrender",) if settings["surrender"] == "none" else ()


def _impossible(settings: Mapping[str, Value]) -> tuple[str, ...]:
    """LLB-8: with one or two decks there are no three sevens of a suit."""
    return ("suited-777",) if int(settings["decks"]) < 3 else ()


def _refuse_endless(settings: Mapping[str, Value]) -> str:
    """R13 takes a machine's shoe as endless, which one or two decks are not: three sevens of a suit would come (LLB-8)."""
    endless = settings["shuffler"] == "continuous" and settings["R13"] == "infinite"
    return "a shoe of one or two decks is not taken as endless (LLB-8, R13)" if endless and _impossible(settings) else ""


GAME = Game(
    package=__package__,
    name="Blackjack with Lucky Lucky",
    wagers=by_id(
        Wager(
            "blackjack",
            "Blackjack",
            "BJ-1",
            BLACKJACK_OUTCOMES,
            sample_blackjack,
            cards=LONGEST_ROUND,
            strategy="mimic the dealer",
            suits_matter=False,
            simulated=True,
            impossible=_not_offered,
        ),
        Wager("insurance", "Insurance", "BJ-6", INSURANCE_OUTCOMES, needs="blackjack"),
        Wager(
            "lucky-lucky",
            "Lucky Lucky",
            "LLB-0",
            LUCKY_OUTCOMES,
            count_lucky,
            cards=3,
            counts_as="lucky-lucky",
            needs="blackjack",
            needs_unless=("R6b", "yes"),
            impossible=_impossible,
            refuses=_refuse_endless,
            resolve=resolve_lucky_lucky,
            early=True,
        ),
    ),
    switches=SWITCHES,
    shoe=_shoe,
    play=play,
    dealing=Dealing(
        seats=7,
        order=_deal_order,
        tape=lambda seat, dealer, community=(): (seat[0], dealer[0], seat[1], *community, *dealer[1:2]),
        late=("insurance",),
        raises={"double": "blackjack", "split": "blackjack"},
        in_turn=True,
        default_choice="stand",
        dealer_face_up=1,
        fresh_deck_if=("shuffler", "continuous"),
    ),
)
