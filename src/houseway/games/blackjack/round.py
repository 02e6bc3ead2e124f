"""A round of blackjack for one player, told step by step."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

import numpy as np

from houseway.cards import show_card, show_cards
from houseway.money import dollars
from houseway.refusal import Refused
from houseway.rulebook.game import COMMUNITY, MissingCard, MissingChoice, Play, Request, Result, Shown, Step

from . import rules
from .outcomes import BLACKJACK_OUTCOMES, LUCKY_OUTCOMES


@lru_cache(maxsize=10_000)
def summed_up(cards: tuple[int, ...]) -> tuple[int, int]:
    """Points with aces as 1, and the number of aces; kept, for a round counts its hands again and again."""
    return sum(rules.points(card) for card in cards), sum(rules.is_ace(card) for card in cards)


@dataclass
class Hand:
    """The cards on one spot. `times` is 2 after a double; a split hand cannot be a blackjack (BJ-2)."""

    cards: list[int]
    times: int = 1
    is_split: bool = False
    is_done: bool = False
    surrendered: bool = False

    @property
    def points(self) -> tuple[int, int]:
        """Points with aces as 1, and the number of aces."""
        return summed_up(tuple(self.cards))

    @property
    def total(self) -> int:
        """The best total."""
        return int(rules.best_total(*self.points))

    @property
    def is_blackjack(self) -> bool:
        """BJ-2: 21 in the first two cards, not after a split."""
        return not self.is_split and bool(rules.is_blackjack(*self.points, len(self.cards)))

    @property
    def worth(self) -> str:
        """What the cards count, in words."""
        if self.is_blackjack:
            return "blackjack"
        total, is_bust = self.total, rules.is_bust(self.total)
        soft = "soft " if rules.is_soft(*self.points) and not is_bust else ""
        return f"{soft}{total}" + (" (bust)" if is_bust else "")

    @property
    def facts(self) -> dict[str, object]:
        """What a step tells of it."""
        return {"cards": tuple(self.cards), "worth": self.worth}

    def __str__(self) -> str:
        return f"{show_cards(self.cards)}: {self.worth}"


@dataclass
class RoundInPlay:
    """A round being played out: cards and choices are taken from the front as the rules ask for them."""

    request: Request
    cards: list[int]
    choices: list[str]
    hands: list[Hand] = field(default_factory=list)
    dealer: Hand = field(default_factory=lambda: Hand([]))
    community: tuple[int, ...] = ()
    steps: list[Step] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)

    def draw(self, which: str, whose: str = "player") -> int:
        """The next card, refused if there is none."""
        if not self.cards:
            raise MissingCard(f"{len(self.request.cards)} cards are too few: {which} is missing", whose, self.shown())
        return self.cards.pop(0)

    def add(self, kind: str, clause: str, **facts: object) -> None:
        """Add a step."""
        self.steps.append(Step(kind, clause, facts))

    def add_hand(self, kind: str, clause: str, place: int) -> None:
        """Add a step that tells a hand of the player's."""
        self.add(kind, clause, **self.named(place), **self.hands[place].facts)

    def add_dealer(self, kind: str, clause: str) -> None:
        """Add a step that tells the dealer's hand."""
        self.add(kind, clause, owner="dealer", **self.dealer.facts)

    def named(self, place: int) -> dict[str, str]:
        """Whose a hand of the player's is, and what it is called: after a split, by its number."""
        owner = f"hand {place + 1}" if len(self.hands) > 1 else "player"
        return {"owner": owner, "name": owner.capitalize()}

    def shown(self, active: int | None = None) -> tuple[Shown, ...]:
        """The player's hands as they lie on the felt."""
        return tuple(
            Shown(self.named(place)["owner"], tuple(hand.cards), hand.worth, active=place == active)
            for place, hand in enumerate(self.hands)
        )

    def setting(self, name: str) -> str:
        """The value of a switch, as text."""
        return str(self.request.settings[name])


def play(request: Request) -> Play:
    """Play a round out from the cards in the order they were dealt and the choices in the order they were made."""
    game = RoundInPlay(request, list(request.cards), list(request.choices))
    first, up, second = game.draw("the player's first card"), game.draw("the up-card", "dealer"), game.draw("the second card")
    game.hands, game.dealer = [Hand([first, second])], Hand([up])
    game.add_hand("player-has", "BJ-1", 0)
    game.add("dealer-shows", "BJ-8", owner="dealer", cards=(up,))
    if has_community_card(request):
        game.community = (game.draw("the community card", COMMUNITY),)
        game.add("community-card", "LLB-0", owner=COMMUNITY, cards=game.community)
    own = request.resolve_own()
    game.steps += own.steps
    game.results += own.results
    has_hole = game.setting("hole-card") == "peek"
    ended = _before_the_look(game, up)
    if has_hole:  # nothing above may hang on it, so that it is not even there
        game.dealer.cards.append(game.draw("the hole card", "dealer"))
    ended = ended or _look(game, up, has_hole)
    if not ended:
        _play_hands(game)
    _play_dealer(game, has_hole, ended)
    _resolve(game, ended)
    if game.choices:
        raise Refused("bad-choice", f'choice "{game.choices[0]}" comes after the hand has ended')
    if game.cards:
        used = len(request.cards) - len(game.cards)
        raise Refused("too-many-cards", f"{len(request.cards)} cards are too many: this round ends after {used}")
    dealer = Shown("dealer", tuple(game.dealer.cards), game.dealer.worth)
    return Play(tuple(game.steps), tuple(game.results), (*game.shown(), dealer))


def has_community_card(request: Request) -> bool:
    """LLB-0: whether a card is dealt to the middle of the table for Lucky Lucky; it is of no hand of blackjack."""
    return request.settings["lucky-card"] == "community"


def resolve_lucky_lucky(request: Request) -> Play:
    """LLB-7: Lucky Lucky is resolved before the play, on the first two cards and the up-card or the community card (LLB-0)."""
    first, up, second, *more = request.cards
    cards = (first, second, more[0] if has_community_card(request) else up)
    outcome = LUCKY_OUTCOMES[rules.lucky_lucky(np.array(cards, np.int64), request.encoded)]
    step = Step("lucky-lucky", "LLB-8", {"cards": cards, "outcome": outcome.name})
    return Play((step,), (Result("lucky-lucky", outcome.id, "LLB-8"),))


def _before_the_look(game: RoundInPlay, up: int) -> str:
    """Insurance, even money and early surrender. What ended the round, or nothing."""
    hand = game.hands[0]
    if "insurance" in game.request.bets:
        bet, most = game.request.bets["insurance"], game.request.bets["blackjack"] // rules.INSURED
        if not rules.is_ace(up):
            raise Refused("bad-bet", f"insurance is offered on an ace up only; the dealer shows {show_card(up)} (BJ-6)")
        if bet > most:
            raise Refused("bad-bet", f"insurance of {dollars(bet)} is over half the bet: at most {dollars(most)} (BJ-6)")
    offers = _offers(game, up, hand)
    if len(offers) > 1 and game.request.asks and not game.choices and "insurance" not in game.request.bets:
        raise MissingChoice(f"before the dealer looks: {' or '.join(offers)}", offers, True, game.shown(0))
    if game.choices and game.choices[0] == "look":
        if len(offers) == 1:
            raise Refused("bad-choice", f"nothing is offered under {show_card(up)}, so that nobody lets the dealer look (BJ-6)")
        game.choices.pop(0)
        offers = ()
    if game.choices and game.choices[0] == "even-money":
        if not (hand.is_blackjack and rules.is_ace(up)) or "insurance" in game.request.bets:
            raise Refused("bad-choice", "even money is for a blackjack against an ace, instead of insurance (BJ-6)")
        game.choices.pop(0)
        game.add("even-money", "BJ-6")
        return "even-money"
    if game.choices and game.choices[0] == "surrender" and game.setting("surrender") == "early":
        game.choices.pop(0)
        hand.surrendered = True
        game.add("surrenders-early", "BJ-7")
        return "surrender"
    return ""


def _look(game: RoundInPlay, up: int, has_hole: bool) -> str:
    """BJ-8: under an ace or a ten the dealer looks at his hole card. Whether that ended the round."""
    if has_hole and rules.points(up) in {1, 10}:
        if game.dealer.is_blackjack:
            game.add_dealer("dealer-has-blackjack", "BJ-8")
            return "dealer-blackjack"
        game.add("dealer-looks", "BJ-8")
    return ""


def _offers(game: RoundInPlay, up: int, hand: Hand) -> tuple[str, ...]:
    """BJ-6, BJ-7: what a player is offered before the dealer looks; insurance is a bet, and `look` goes on."""
    even_money = ("even-money",) if rules.is_ace(up) and hand.is_blackjack else ()
    early = game.setting("surrender") == "early" and rules.points(up) in {1, 10}
    offered = (*even_money, *(("surrender",) if early else ()))
    insurance = ("insurance",) if rules.is_ace(up) and "insurance" in game.request.offered else ()
    return ("look", *insurance, *offered)


def _allowed(game: RoundInPlay, hand: Hand) -> dict[str, str]:
    """The choices this hand may make, with the clause of each."""
    allowed = {"hit": "BJ-1", "stand": "BJ-1"}
    two = len(hand.cards) == 2
    settings = game.request.encoded
    after_split = not hand.is_split or game.setting("double-after-split") == "yes"
    if two and after_split and rules.may_double(*hand.points, settings):
        allowed["double"] = "BJ-4"
    aces = hand.is_split and rules.is_ace(hand.cards[0]) == 1
    room = len(game.hands) < int(game.request.settings["split-hands"])
    again = not aces or game.setting("split-aces") == "re-split"
    if two and room and again and rules.may_split(hand.cards[0], hand.cards[1], settings):
        allowed["split"] = "BJ-5"
    if two and not hand.is_split and game.setting("surrender") != "none":
        allowed["surrender"] = "BJ-7"
    if aces and game.setting("split-aces") == "re-split":
        allowed = {name: clause for name, clause in allowed.items() if name in {"split", "stand"}}
    return allowed


def _play_hands(game: RoundInPlay) -> None:
    """The player's choices, hand by hand; a split hand gets its second card when its turn comes."""
    place = 0
    while place < len(game.hands):
        hand = game.hands[place]
        if len(hand.cards) == 1:
            _second_card(game, place)
        if hand.is_done or not rules.plays_on(hand.total):
            place += 1
        else:
            _choose(game, place)


def _choose(game: RoundInPlay, place: int) -> None:
    hand, name = game.hands[place], game.named(place)["name"]
    allowed = _allowed(game, hand)
    listed = ", ".join(allowed)
    if not game.choices:
        raise MissingChoice(f"{name} with {hand} needs a choice (allowed: {listed})", tuple(allowed), hands=game.shown(place))
    choice = game.choices.pop(0)
    if choice not in allowed:
        raise Refused("bad-choice", f'{name} with {hand} may not "{choice}" (allowed: {listed})')
    if choice == "stand":
        hand.is_done = True
        game.add("stands", "BJ-1", **game.named(place), total=hand.total)
    elif choice == "surrender":
        hand.is_done = hand.surrendered = True
        game.add("surrenders", "BJ-7", **game.named(place))
    elif choice == "hit":
        hand.cards.append(game.draw(f"the card for {name}'s hit"))
        game.add_hand("hits", "BJ-1", place)
    elif choice == "double":
        hand.cards.append(game.draw(f"the card for {name}'s double"))
        hand.times, hand.is_done = 2, True
        game.add_hand("doubles", "BJ-4", place)
    else:
        _split(game, place)


def _split(game: RoundInPlay, place: int) -> None:
    """BJ-5: two hands of one card each."""
    hand = game.hands[place]
    game.hands.insert(place + 1, Hand([hand.cards.pop()], is_split=True))
    hand.is_split = True
    game.add("splits", "BJ-5", cards=(*hand.cards, *game.hands[place + 1].cards))


def _second_card(game: RoundInPlay, place: int) -> None:
    """BJ-5: a split ace gets one card only, unless the table plays on or lets another ace be split."""
    hand = game.hands[place]
    hand.cards.append(game.draw(f"a card for hand {place + 1}"))
    if rules.is_ace(hand.cards[0]):
        again = game.setting("split-aces") == "re-split" and "split" in _allowed(game, hand)
        hand.is_done = game.setting("split-aces") != "play-on" and not again
    game.add_hand("hand-has", "BJ-5", place)


def _play_dealer(game: RoundInPlay, has_hole: bool, ended: str) -> None:
    """BJ-3: the dealer completes his hand as far as any bet still depends on it."""
    if ended in {"even-money", "dealer-blackjack"}:
        return
    in_play = [hand for hand in game.hands if not rules.is_bust(hand.total) and not hand.surrendered]
    drawing = not ended and any(not hand.is_blackjack for hand in in_play)
    if has_hole:
        if in_play:
            game.add_dealer("dealer-turns", "BJ-8")
    elif drawing or _waits_for_second_card(game, ended):
        game.dealer.cards.append(game.draw("the dealer's second card", "dealer"))
        game.add_dealer("dealer-takes-second", "BJ-8")
    while drawing and rules.dealer_draws(*game.dealer.points, game.request.encoded):
        game.dealer.cards.append(game.draw(f"the dealer's card on {game.dealer.total}", "dealer"))
        game.add_dealer("dealer-draws", "BJ-3")


def _waits_for_second_card(game: RoundInPlay, ended: str) -> bool:
    """Whether, without a hole card, insurance, a late surrender or a blackjack still depends on the dealer's second."""
    may_be_blackjack = rules.points(game.dealer.cards[0]) in {1, 10}
    late = not ended and any(hand.surrendered for hand in game.hands)
    return "insurance" in game.request.bets or (may_be_blackjack and (late or game.hands[0].is_blackjack))


def _resolve(game: RoundInPlay, ended: str) -> None:
    """What becomes of every bet."""
    if "insurance" in game.request.bets:
        outcome = "dealer-blackjack" if game.dealer.is_blackjack else "no-blackjack"
        game.results.append(Result("insurance", outcome, "BJ-6"))
    for place, hand in enumerate(game.hands, 1):
        spot = f"hand {place}" if len(game.hands) > 1 else ""
        if ended == "even-money":
            game.results.append(Result("blackjack", "even-money", "BJ-6", spot=spot))
        elif hand.surrendered and (ended or not game.dealer.is_blackjack):
            game.results.append(Result("blackjack", "surrender", "BJ-7", spot=spot))
        else:
            compared = rules.compare(hand.total, hand.is_blackjack, game.dealer.total, game.dealer.is_blackjack)
            clause = "BJ-2" if hand.is_blackjack else "BJ-1"
            result = Result("blackjack", BLACKJACK_OUTCOMES[compared].id, clause, times=Fraction(hand.times), spot=spot)
            game.results += _lost_to_blackjack(game, result, hand)


def _lost_to_blackjack(game: RoundInPlay, result: Result, hand: Hand) -> list[Result]:
    """BJ-8, no hole card and only original bets lost: a blackjack takes one bet, and gives back what was added to it.

    What busts have lost is lost. By R20 that counts, so that one more is taken only if no hand is bust, or it does not, and
    the first hand that stands pays the original bet all the same.
    """
    spared = game.setting("hole-card") == "none-original-bets-only" and game.dealer.is_blackjack
    if not spared or result.outcome != "lose" or rules.is_bust(hand.total):
        return [result]
    standing = [other for other in game.hands if not rules.is_bust(other.total)]
    one_more = len(standing) == len(game.hands) or game.setting("R20") == "busted-and-one"
    pays_original = one_more and hand is standing[0]
    lost = [Result(result.wager, "lose", "BJ-8", spot=result.spot)] if pays_original else []
    added = result.times - len(lost)
    back = [Result(result.wager, "push", "BJ-8", times=added, spot=f"{result.spot} added bet".strip())] if added else []
    return lost + back
