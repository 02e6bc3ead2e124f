"""A round of EZ Pai Gow for one player, told step by step."""

import numpy as np

from houseway.cards import parse_cards, show_cards
from houseway.kernels.compiled import Ints, Rule
from houseway.refusal import Refused
from houseway.rulebook.game import Advice, MissingChoice, Outcome, Play, Request, Result, Shown, Step

from . import rules
from .house_way import DECISIONS, house_way
from .outcomes import BASE_OUTCOMES, COLOUR_OUTCOMES, DYNASTY_OUTCOMES, PROTECTION_OUTCOMES
from .ranking import QUEEN, rank_back, rank_front
from .switches import COLOUR

_NAMES = ("?", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
QUEEN_HIGH = "queen-high-pai-gow"
_CLAUSES = {"base": "EPG-11", "dynasty": "EPG-3", "protection": "EPG-4", "red-black": "EPG-5"}


def _plural(rank: int) -> str:
    return _NAMES[rank] + ("es" if _NAMES[rank] == "six" else "s")


def _straight_top(rank: int) -> str:
    return {15: "ace-high", 14: "A-2-3-4-5", 4: "A-2-3-4-5"}.get(rank) or f"{_NAMES[rank]}-high"


def describe(value: int) -> str:
    """A hand's value in words.

    >>> describe(1 << 20 | 12 << 16)
    'a pair of kings'
    """
    category, first, second = value >> 20, value >> 16 & 15, value >> 12 & 15
    return {
        0: lambda: f"{_NAMES[first]}-{_NAMES[second]} high",
        1: lambda: f"a pair of {_plural(first)}",
        2: lambda: f"two pair, {_plural(first)} and {_plural(second)}",
        3: lambda: f"three {_plural(first)}",
        4: lambda: f"{_straight_top(first)} straight",
        5: lambda: f"{_NAMES[first]}-high flush",
        6: lambda: f"full house, {_plural(first)} over {_plural(second)}",
        7: lambda: f"four {_plural(first)}",
        8: lambda: "royal flush" if first == 15 else f"{_straight_top(first)} straight flush",
        9: lambda: f"five {_plural(first)}",
    }[category]()


class SetHand:
    """Seven cards set as a front of two and a back of five."""

    def __init__(self, cards: tuple[int, ...], front: tuple[int, int], settings: Ints) -> None:
        self.front_cards = [cards[place] for place in front]
        self.back_cards = [card for place, card in enumerate(cards) if place not in front]
        tape = np.array(cards, np.int64)
        self.front = int(rank_front(tape, front[0], front[1], settings))
        self.back = int(rank_back(tape, 0, front[0], front[1], settings))

    @property
    def is_foul(self) -> bool:
        """EPG-1, EPG-9: the five-card hand must rank above the two-card hand."""
        return self.back <= self.front

    def shown(self, owner: str) -> tuple[Shown, Shown]:
        """Both parts, as they lie on the felt."""
        front = Shown(owner, tuple(sorted(self.front_cards, reverse=True)), describe(self.front), "front")
        return front, Shown(owner, tuple(sorted(self.back_cards, reverse=True)), describe(self.back), "back")

    def __str__(self) -> str:
        front = f"{show_cards(self.front_cards)} ({describe(self.front)})"
        return f"{front} in front, {show_cards(self.back_cards)} ({describe(self.back)}) behind"


def set_by_house_way(cards: tuple[int, ...], settings: Ints) -> tuple[SetHand, str]:
    """EPG-10: the set that the House Way prescribes, and the decision behind it."""
    answer = int(house_way(np.array(cards, np.int64), settings))
    return SetHand(cards, (answer >> 3 & 7, answer & 7), settings), DECISIONS[answer >> 6]


def advise(cards: tuple[int, ...], front: tuple[int, ...], settings: Ints) -> Advice:
    """EPG-9, EPG-10: what a set comes to, before it is made; without a front, the House Way's."""
    if len(cards) != 7:
        raise Refused("wrong-number-of-cards", f"{len(cards)} cards are dealt: seven are set")
    if not front:
        made, why = set_by_house_way(cards, settings)
        return Advice(made.shown("player"), made.is_foul, why)
    if len(front) != 2 or front[0] == front[1] or any(card not in cards for card in front):
        raise Refused("bad-choice", f"name two different cards of {show_cards(cards)} for the front")
    made = SetHand(cards, (cards.index(front[0]), cards.index(front[1])), settings)
    return Advice(made.shown("player"), made.is_foul)


def _set_by_player(request: Request, cards: tuple[int, ...], choice: str) -> tuple[SetHand, Step]:
    if choice == "house-way":
        made, why = set_by_house_way(cards, request.encoded)
        return made, Step(f"Player has the House Way set {made} ({why})", "EPG-9")
    front = parse_cards(choice.removeprefix("set"))
    if len(front) != 2 or front[0] == front[1] or any(card not in cards for card in front):
        raise Refused("bad-choice", f'"{choice}": a set names two of the seven cards {show_cards(cards)} for the front')
    made = SetHand(cards, (cards.index(front[0]), cards.index(front[1])), request.encoded)
    if not made.is_foul:
        return made, Step(f"Player sets {made}", "EPG-9")
    if request.settings["R16"] == "dealer-resets-house-way":
        made, why = set_by_house_way(cards, request.encoded)
        return made, Step(f"Player's set is foul; the dealer resets it by the House Way: {made} ({why})", "EPG-9")
    if request.settings["R16"] == "loses":
        return made, Step(f"Player's set is foul and loses: {made}", "EPG-9")
    raise Refused("foul", f"a foul: {made}; the five-card hand must rank above the two-card hand")


def _choices(request: Request) -> tuple[str, str]:
    """The set and the colour among the choices."""
    made, colour = "", ""
    for choice in request.choices:
        if choice in {"red", "black"} and not colour:
            colour = choice
        elif (choice == "house-way" or choice.startswith("set ")) and not made:
            made = choice
        else:
            allowed = 'allowed, once each: "set Ah Kd" (the two cards in front), "house-way", "red", "black"'
            raise Refused("bad-choice", f'choice "{choice}" is not allowed ({allowed})')
    if "base" in request.bets and not made:
        message = 'the base wager needs a choice: "set Ah Kd" (the two cards in front) or "house-way"'
        hand = Shown("player", tuple(sorted(request.cards[:7], reverse=True)))
        raise MissingChoice(message, ("set", "house-way"), hands=(hand,))
    if "red-black" in request.bets and not colour:
        raise MissingChoice('a Red/Black bet needs a choice of colour: "red" or "black"', ("red", "black"))
    return made, colour


def _base(request: Request, player: tuple[int, ...], dealer: tuple[int, ...], choice: str) -> Play:
    mine, step = _set_by_player(request, player, choice)
    his, why = set_by_house_way(dealer, request.encoded)
    steps = [
        step,
        Step(f"Dealer sets {his}", "EPG-10"),
        Step(f"House Way {request.settings['house-way']}, {why}", "EPG-10"),
    ]
    hands = (*mine.shown("player"), *his.shown("dealer"))
    high = int(rules.pai_gow_high(np.array(dealer, np.int64), 0, request.encoded))
    if high == QUEEN:
        steps.append(Step("The dealer's seven cards are a Queen-high Pai Gow: the base wager pushes", "EPG-0"))
        return Play(tuple(steps), (Result("base", QUEEN_HIGH, "EPG-0"),), hands, (QUEEN_HIGH,))
    for name, ours, theirs in (("front", mine.front, his.front), ("back", mine.back, his.back)):
        verdict = "Player's" if ours > theirs else "the dealer's, who wins ties" if ours == theirs else "the dealer's"
        steps.append(Step(f"The {name} is {verdict}: {describe(ours)} against {describe(theirs)}", "EPG-11"))
    if mine.is_foul:
        return Play(tuple(steps), (Result("base", "lose", "EPG-9"),), hands)
    outcome = rules.base_outcome(mine.front, mine.back, his.front, his.back, high)
    return Play(tuple(steps), (Result("base", BASE_OUTCOMES[outcome].id, "EPG-11"),), hands)


def play(request: Request) -> Play:
    """Play a round out: the player's seven cards, then the dealer's seven (not needed without a base wager)."""
    made, colour = _choices(request)
    needed = 14 if "base" in request.bets else 7
    if len(request.cards) not in {needed, 14}:
        raise Refused("wrong-number-of-cards", f"{len(request.cards)} cards: {needed} are needed, seven to each hand")
    if len(request.others) > 5:
        raise Refused("too-many-players", f"{len(request.others)} other players: six sit at a table at most (R14)")
    player, dealer = request.cards[:7], request.cards[7:]
    steps: list[Step] = []
    results: list[Result] = []
    settings = request.encoded.copy()
    settings[COLOUR] = int(colour == "black")
    bonuses: dict[str, tuple[Rule, tuple[Outcome, ...]]] = {
        "dynasty": (rules.dynasty, DYNASTY_OUTCOMES),
        "protection": (rules.protection, PROTECTION_OUTCOMES),
        "red-black": (rules.red_black, COLOUR_OUTCOMES),
    }
    steps.append(Step(f"Player has {show_cards(sorted(player, reverse=True))}", "EPG-1"))
    base = Play((), (), (Shown("player", tuple(sorted(player, reverse=True))),))
    if "base" in request.bets:
        base = _base(request, player, dealer, made)
        steps += base.steps
        results += base.results
    tape = np.array(player, np.int64)
    for wager, (rule, outcomes) in bonuses.items():
        if wager in request.bets:
            outcome = outcomes[rule(tape, settings)]
            what = f"{outcome.name} ({colour})" if wager == "red-black" else outcome.name
            steps.append(Step(f"{wager.capitalize()}: {what}", _CLAUSES[wager]))
            results.append(Result(wager, outcome.id, _CLAUSES[wager]))
    if "dynasty" in request.bets:
        for place, hand in enumerate(request.others, 1):
            if len(hand) != 7:
                raise Refused("wrong-number-of-cards", f"other player {place} has {len(hand)} cards: seven are needed")
            outcome = DYNASTY_OUTCOMES[rules.dynasty(np.array(hand, np.int64), settings)]
            spot = f"envy, other player {place}"
            results.append(Result("dynasty", outcome.id, "EPG-3", spot=spot, prize=True))
    return Play(tuple(steps), tuple(results), base.hands, base.marks)
