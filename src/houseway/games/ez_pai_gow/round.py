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
RED, BLACK = "red", "black"


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
        return bool(rules.is_foul(self.front, self.back))

    def shown(self, owner: str) -> tuple[Shown, Shown]:
        """Both parts, as they lie on the felt."""
        front = Shown(owner, tuple(sorted(self.front_cards, reverse=True)), describe(self.front), "front")
        return front, Shown(owner, tuple(sorted(self.back_cards, reverse=True)), describe(self.back), "back")

    @property
    def facts(self) -> dict[str, object]:
        """What a step tells of it."""
        front = {"front": tuple(self.front_cards), "front_worth": describe(self.front)}
        return {**front, "back": tuple(self.back_cards), "back_worth": describe(self.back)}

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
        by_house_way, why = set_by_house_way(cards, settings)
        return Advice(by_house_way.shown("player"), by_house_way.is_foul, why)
    if len(front) != 2 or front[0] == front[1] or any(card not in cards for card in front):
        raise Refused("bad-choice", f"name two different cards of {show_cards(cards)} for the front")
    chosen = SetHand(cards, (cards.index(front[0]), cards.index(front[1])), settings)
    return Advice(chosen.shown("player"), chosen.is_foul)


def _set_by_player(request: Request, cards: tuple[int, ...], choice: str) -> tuple[SetHand, Step]:
    if choice == "house-way":
        by_house_way, why = set_by_house_way(cards, request.encoded)
        return by_house_way, _set_step("player-house-way", by_house_way, why)
    front = parse_cards(choice.removeprefix("set"))
    if len(front) != 2 or front[0] == front[1] or any(card not in cards for card in front):
        raise Refused("bad-choice", f'"{choice}": a set names two of the seven cards {show_cards(cards)} for the front')
    chosen = SetHand(cards, (cards.index(front[0]), cards.index(front[1])), request.encoded)
    if not chosen.is_foul:
        return chosen, _set_step("player-sets", chosen)
    if request.settings["R16"] == "dealer-resets-house-way":
        by_house_way, why = set_by_house_way(cards, request.encoded)
        return by_house_way, _set_step("player-foul-reset", by_house_way, why)
    if request.settings["R16"] == "loses":
        return chosen, _set_step("player-foul-loses", chosen)
    raise Refused("foul", f"a foul: {chosen}; the five-card hand must rank above the two-card hand")


def _set_step(kind: str, hand: SetHand, why: str = "") -> Step:
    return Step(kind, "EPG-9", {"owner": "player", **hand.facts, **({"why": why} if why else {})})


def _set_choice(request: Request) -> str:
    """How the hand is to be set; choices that are part of another bet are that bet's, once each."""
    of_bets = {choice: wager.id for wager in request.offered.values() for choice in wager.choices}
    seen, how = set[str](), ""
    for choice in request.choices:
        bet = of_bets.get(choice, "")
        if (bet and bet in seen) or (not bet and (how or not (choice == "house-way" or choice.startswith("set ")))):
            listed = "".join(f', "{possible}"' for possible in of_bets)
            allowed = f'allowed, once each: "set Ah Kd" (the two cards in front), "house-way"{listed}'
            raise Refused("bad-choice", f'choice "{choice}" is not allowed ({allowed})')
        seen.add(bet)
        how = how if bet else choice
    if "base" in request.bets and not how:
        message = 'the base wager needs a choice: "set Ah Kd" (the two cards in front) or "house-way"'
        hand = Shown("player", tuple(sorted(request.cards[:7], reverse=True)))
        raise MissingChoice(message, ("set", "house-way"), hands=(hand,))
    return how


def _base(request: Request, player: tuple[int, ...], dealer: tuple[int, ...], choice: str) -> Play:
    mine, step = _set_by_player(request, player, choice)
    his, why = set_by_house_way(dealer, request.encoded)
    steps = [
        step,
        Step("dealer-sets", "EPG-10", {"owner": "dealer", **his.facts}),
        Step("house-way", "EPG-10", {"way": request.settings["house-way"], "why": why}),
    ]
    hands = (*mine.shown("player"), *his.shown("dealer"))
    high = int(rules.pai_gow_high(np.array(dealer, np.int64), 0, request.encoded))
    if mine.is_foul and (high != QUEEN or request.settings["R16b"] == "loses"):
        steps.append(Step("foul-loses" if high != QUEEN else "foul-before-queen-high", "EPG-9"))
        return Play(tuple(steps), (Result("base", "lose", "EPG-9"),), hands, (QUEEN_HIGH,) if high == QUEEN else ())
    if high == QUEEN:
        steps.append(Step(QUEEN_HIGH, "EPG-0"))
        return Play(tuple(steps), (Result("base", QUEEN_HIGH, "EPG-0"),), hands, (QUEEN_HIGH,))
    for name, ours, theirs in (("front", mine.front, his.front), ("back", mine.back, his.back)):
        kind = "part-won" if ours > theirs else "part-tied" if ours == theirs else "part-lost"
        steps.append(Step(kind, "EPG-11", {"part": name, "ours": describe(ours), "theirs": describe(theirs)}))
    outcome = rules.base_outcome(mine.front, mine.back, his.front, his.back, high)
    return Play(tuple(steps), (Result("base", BASE_OUTCOMES[outcome].id, "EPG-11"),), hands)


def resolve_dynasty(request: Request) -> Play:
    """EPG-3: by the player's own seven cards; and envy, for what the other players hold."""
    bonus = _bonus("dynasty", "EPG-3", DYNASTY_OUTCOMES[_outcome(rules.dynasty, request.cards[:7], request.encoded)])
    prizes = []
    for place, hand in enumerate(request.others):
        if len(hand) != 7:
            raise Refused("wrong-number-of-cards", f"{request.other_name(place)} has {len(hand)} cards: seven are needed")
        outcome = DYNASTY_OUTCOMES[_outcome(rules.dynasty, hand, request.encoded)]
        prizes.append(Result("dynasty", outcome.id, "EPG-3", spot=f"envy for {request.other_name(place)}", prize=True))
    return Play(bonus.steps, (*bonus.results, *prizes))


def resolve_protection(request: Request) -> Play:
    """EPG-4: by the player's own seven cards."""
    outcome = PROTECTION_OUTCOMES[_outcome(rules.protection, request.cards[:7], request.encoded)]
    return _bonus("protection", "EPG-4", outcome)


def resolve_red_black(request: Request) -> Play:
    """EPG-5: by how many of the player's cards are of the chosen colour."""
    colour = next((choice for choice in request.choices if choice in {RED, BLACK}), "")
    if not colour:
        raise MissingChoice('a Red/Black bet needs a choice of colour: "red" or "black"', (RED, BLACK))
    settings = request.encoded.copy()
    settings[COLOUR] = int(colour == BLACK)
    outcome = COLOUR_OUTCOMES[_outcome(rules.red_black, request.cards[:7], settings)]
    return _bonus("red-black", "EPG-5", outcome, colour=colour)


def _outcome(rule: Rule, cards: tuple[int, ...], settings: Ints) -> int:
    return rule(np.array(cards, np.int64), settings)


def _bonus(wager: str, clause: str, outcome: Outcome, **facts: object) -> Play:
    return Play((Step(wager, clause, {"outcome": outcome.name, **facts}),), (Result(wager, outcome.id, clause),))


def play(request: Request) -> Play:
    """Play a round out: the player's seven cards, then the dealer's seven (not needed without a base wager)."""
    choice = _set_choice(request)
    needed = 14 if "base" in request.bets else 7
    if len(request.cards) not in {needed, 14}:
        raise Refused("wrong-number-of-cards", f"{len(request.cards)} cards: {needed} are needed, seven to each hand")
    if len(request.others) > 5:
        raise Refused("too-many-players", f"{len(request.others)} other players: six sit at a table at most (R14)")
    player, dealer = request.cards[:7], request.cards[7:]
    hand = tuple(sorted(player, reverse=True))
    has = Step("player-has", "EPG-1", {"owner": "player", "cards": hand})
    base = _base(request, player, dealer, choice) if "base" in request.bets else Play((), (), (Shown("player", hand),))
    own = request.resolve_own()
    return Play((has, *base.steps, *own.steps), (*base.results, *own.results), base.hands, base.marks)
