"""Chips as pieces: beside its cents an account has so many pieces of each denomination, which move with the money.

One layer does it for all commands, after their handlers: each transfer between accounts that hold chips moves pieces, largest
first and exactly. Coins are pieces of one cent: what is below the smallest chip, the cash of the cage, and paper such as what a
guest owes. So the value of an account's pieces is its balance, always. A seat's stakes are pieces of that seat.

Whoever has not the right pieces changes some at the table's tray or, where players bank and at the cage, at the cage. A tray
that has them not is short: the command is refused, and says what is wanted.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import Any

from houseway.money import COLOURS, dollars, parse_cents
from houseway.refusal import Refused, number_of
from houseway.table.ledger import CAGE, DIFFERENCE, Transfer, in_words
from houseway.table.piece_events import PieceMove
from houseway.table.state import House, Par, changed

Pieces = Mapping[int, int]
"""How many of each denomination, in cents."""
COIN = 1
RULE, NONE = "chips", "none"
_HOLDERS = frozenset({"guest", "wagers", "tray", "bank", "tips", "collection", "transit", "difference", CAGE})
_SEAT = re.compile(r"\bseat (\d+)")
LEAST_CHIP_CENTS, MOST_CHIP_CENTS, MOST_CHIPS = 5, 10_000_000, 12
MOST_COMMON_CENTS = 100_000_000
"""Denominations have a common multiple up to this, so that whether an amount can be made of them is soon known."""


# A house's chips


@lru_cache(maxsize=100)
def read_chips(written: str) -> tuple[int, ...]:
    """The denominations of a house in cents, largest first; none if it plays without pieces. A ValueError says what is wrong.

    >>> read_chips("0.50 1 5 25")
    (2500, 500, 100, 50)
    """
    if written == NONE:
        return ()
    try:
        values = [parse_cents(word, "chip") for word in written.split()]
    except Refused:
        raise ValueError("an amount in dollars for each chip, with spaces between") from None
    if not values or len(values) > MOST_CHIPS or len({*values}) != len(values):
        raise ValueError(f"from 1 to {MOST_CHIPS} chips, each once")
    if not LEAST_CHIP_CENTS <= min(values) <= max(values) <= MOST_CHIP_CENTS:
        raise ValueError(f"a chip is worth {dollars(LEAST_CHIP_CENTS)} to {dollars(MOST_CHIP_CENTS)}")
    if math.lcm(*values) > MOST_COMMON_CENTS:
        raise ValueError("these values hardly ever add up to each other")
    return tuple(sorted(values, reverse=True))


def chips_of(house: House) -> tuple[int, ...]:
    """The denominations of a house, largest first: none where it plays without pieces."""
    return read_chips(house.rules.get(RULE, NONE)) if house.rules else ()


def holds_chips(account: str) -> bool:
    """Whether an account holds chips: the boxes, debts and the world outside do not."""
    return account.partition(":")[0] in _HOLDERS


def place_of(account: str, why: str) -> str:
    """Where the pieces of a transfer lie: those of wagers in front of their seat, `wagers:t1#3`."""
    if account.startswith("wagers:") and (seat := _SEAT.search(why)):
        return f"{account}#{seat[1]}"
    return account


def account_of(place: str) -> str:
    """The account that pieces somewhere belong to."""
    return place.rpartition("#")[0] if place.startswith("wagers:") and "#" in place else place


def pieces_at(house: House, place: str) -> Pieces:
    """The pieces somewhere."""
    return house.pieces.get(place, {})


def worth(pieces: Pieces) -> int:
    """What pieces come to, in cents."""
    return sum(value * count for value, count in pieces.items())


def begun(house: House) -> House:
    """A house that has just got chips: what its accounts hold so far is cash, coins or paper."""
    held = {account: {COIN: cents} for account, cents in house.balances.items() if cents and holds_chips(account)}
    return changed(house, pieces=held)


# Words


def in_pieces(pieces: Pieces) -> str:
    """Pieces as a dealer says them.

    >>> in_pieces({10000: 3, 2500: 1, 2000: 2, 1: 25})
    '3 black, 1 green, 2 of $20, $0.25 in coins'
    """
    named = (
        f"{dollars(count)} in coins" if value == COIN else f"{count} {COLOURS.get(value) or f'of {dollars(value)}'}"
        for value, count in sorted(pieces.items(), reverse=True)
        if count
    )
    return ", ".join(named) or "nothing"


def in_notes(notes: Pieces) -> str:
    """Bank notes, which have the values of some chips and not their colours.

    >>> in_notes({10000: 25, 500: 1, 1: 25})
    '25 notes of $100, 1 note of $5, $0.25 in coins'
    """
    named = (
        f"{dollars(count)} in coins" if value == COIN else f"{number_of(count, 'note')} of {dollars(value)}"
        for value, count in sorted(notes.items(), reverse=True)
        if count
    )
    return ", ".join(named) or "nothing"


def as_written(pieces: Pieces) -> dict[str, int]:
    """Pieces as a journal and the API have them: `{"2500": 4}`."""
    return {str(value): count for value, count in sorted(pieces.items(), reverse=True) if count}


def read_pieces(house: House, written: Mapping[str, int]) -> dict[int, int]:
    """Pieces that somebody named, of this house's chips; coins are `"1"`. Refused if there is another among them, or none."""
    known = chips_of(house)
    if not known:
        raise Refused("no-chips", "this house plays without pieces: an administrator names its chips with the house rule chips")
    pieces = {int(value): count for value, count in written.items() if count}
    for value in pieces:
        if value != COIN and value not in known:
            chips = ", ".join(map(dollars, reversed(known)))
            raise Refused("unknown-chip", f"this house has no chip of {dollars(value)} (it has: {chips}, and coins)")
    if not pieces:
        raise Refused("bad-pieces", "no piece is named: say how many of which chips, such as 25x4,5x20")
    return pieces


# Making an amount


def pick(have: Pieces, cents: int, values: Sequence[int], most_coins: int | None = None) -> dict[int, int] | None:
    """Pieces that come to an amount exactly, the largest first; nothing if these cannot. `values` are largest first, no coins.

    >>> pick({2500: 3, 500: 2, 100: 9}, 6700, (2500, 500, 100))
    {2500: 2, 500: 2, 100: 7}
    """
    coins = have.get(COIN, 0) if most_coins is None else min(have.get(COIN, 0), most_coins)
    picked, left = _largest_first(have, cents, values)
    if left > coins and not _is_chain(tuple(values)):
        found = _searched(have, cents, tuple(values), coins)
        if found is None:
            return None
        picked, left = found, cents - worth(found)
    if left > coins:
        return None
    if left:
        picked[COIN] = left
    return picked


def _largest_first(have: Pieces, cents: int, values: Iterable[int]) -> tuple[dict[int, int], int]:
    """As many of the largest as possible, and so on; what is left. Where each value divides the next, none come nearer."""
    picked: dict[int, int] = {}
    for value in values:
        if value <= cents and (held := have.get(value, 0)) > 0:
            count = min(held, cents // value)
            picked[value] = count
            cents -= count * value
    return picked, cents


@lru_cache(maxsize=100)
def _is_chain(values: tuple[int, ...]) -> bool:
    return all(larger % smaller == 0 for larger, smaller in pairwise(values))


def _searched(have: Pieces, cents: int, values: tuple[int, ...], coins: int) -> dict[int, int] | None:
    """The same for any values: the largest first, and fewer of them where that does not come out.

    So many fewer only as could be put together from smaller ones: of these some are worth the values' common multiple, and
    change places with larger ones.
    """
    common, hopeless = math.lcm(*values), set[tuple[int, int]]()

    def search(place: int, left: int) -> dict[int, int] | None:
        if left <= coins:
            return {}
        if place == len(values) or (place, left) in hopeless:
            return None
        value = values[place]
        most = min(have.get(value, 0), left // value)
        fewer = (len(values) - place) * common // value
        for count in range(most, max(most - fewer, 0) - 1, -1):
            if (rest := search(place + 1, left - count * value)) is not None:
                return {value: count, **rest} if count else rest
        hopeless.add((place, left))
        return None

    return search(0, cents)


def mixed(have: Pieces, cents: int, values: Sequence[int]) -> dict[int, int] | None:
    """Pieces to play with: of each value up to half of what is left, so that nobody need change any at once."""
    chosen: dict[int, int] = {}
    left = cents
    for value in values[:-1]:
        if (count := min(have.get(value, 0), left // 2 // value)) > 0:
            chosen[value] = count
            left -= count * value
    rest = {value: count - chosen.get(value, 0) for value, count in have.items()}
    if (filled := pick(rest, left, values, values[-1] - 1)) is None:
        return pick(have, cents, values, values[-1] - 1)
    return added(chosen, filled)


def added(pieces: Pieces, others: Pieces) -> dict[int, int]:
    """Pieces and others together."""
    return {value: pieces.get(value, 0) + others.get(value, 0) for value in {**pieces, **others}}


def without(pieces: Pieces, others: Pieces) -> dict[int, int]:
    """Pieces less others; what is not there is owed."""
    left = {value: pieces.get(value, 0) - others.get(value, 0) for value in {**pieces, **others}}
    return {value: count for value, count in left.items() if count}


def exchange(own: Pieces, cents: int, theirs: Pieces, values: Sequence[int]) -> tuple[dict[int, int], dict[int, int]] | None:
    """What somebody gives to a changer and what he gets, so that he can pay an amount exactly; nothing if there is no way.

    First a single piece of his is changed, the smallest that helps; if that does not do, all of it. Where each value divides
    the next, whoever gets a piece of a size leaves as much room for smaller ones: so a way is found if there is one.
    """
    picked, left = _largest_first(own, cents, values)
    rest = without(own, picked)
    for value in reversed(values):
        if rest.get(value, 0) > 0 and value > left and (changed := _shared({value: 1}, left, theirs, values)):
            return changed
    return _shared(own, cents, theirs, values)


def _shared(own: Pieces, cents: int, theirs: Pieces, values: Sequence[int]) -> tuple[dict[int, int], dict[int, int]] | None:
    """All pieces dealt out anew to what is paid, to whoever pays it, and to the changer, who gives of coins only a few."""
    few = {**theirs, COIN: min(theirs.get(COIN, 0), 2 * values[-1] - 2)}
    to_pay, to_keep, to_changer = cents, worth(own) - cents, worth(few)
    kept: dict[int, int] = {}
    for value in (*values, COIN):
        mine, more = own.get(value, 0), few.get(value, 0)
        paid = min(mine + more, to_pay // value)
        to_pay -= paid * value
        stays = min(mine + more - paid, to_keep // value)
        to_keep -= stays * value
        back = mine + more - paid - stays
        if back * value > to_changer:
            return None
        to_changer -= back * value
        kept[value] = paid + stays
    if to_keep < 0 or to_pay or to_keep:
        return None
    gets = without(kept, own)
    return (
        {value: -count for value, count in gets.items() if count < 0},
        {value: count for value, count in gets.items() if count > 0},
    )


# Moving


def moved(
    house: House, transfers: Sequence[Transfer], named: Mapping[int, Pieces], changer: str
) -> tuple[dict[str, Pieces], tuple[PieceMove, ...]]:
    """The pieces after transfers, and every move in the order in which it is made; refused if somebody lacks them.

    `named` are those that a command named, by the place of the transfer; nobody changes those.
    """
    moving = _Moving(house, changer)
    waiting = [(transfer, named.get(place)) for place, transfer in enumerate(transfers)]
    waiting.sort(key=lambda item: not item[0].source.startswith("wagers:"))  # a dealer takes before he pays
    netted = False
    while waiting:
        left = [item for item in waiting if not moving.made(*item, changes=False)]
        if len(left) == len(waiting):
            first = next((item for item in left if moving.made(*item, changes=True)), None)
            if first is not None:
                left.remove(first)
            elif netted or not moving.lacks_value(left):
                raise moving.refusal(*left[0])
            else:
                left, netted = _netted(left), True
        waiting = left
    return moving.after(), tuple(moving.told)


_Waiting = tuple[Transfer, Pieces | None]


def _netted(waiting: list[_Waiting]) -> list[_Waiting]:
    """What goes back and forth, as one: somebody gives what he only gets by the same command."""
    sums: dict[str, int] = {}
    for transfer, _ in waiting:
        for account, cents in ((transfer.source, -transfer.cents), (transfer.target, transfer.cents)):
            place = place_of(account, transfer.why)
            sums[place] = sums.get(place, 0) + cents
    gives = {place: -cents for place, cents in sums.items() if cents < 0}
    takes = {place: cents for place, cents in sums.items() if cents > 0}
    together: list[_Waiting] = []
    for giver, taker in product(gives, takes):
        if cents := min(gives[giver], takes[taker]):
            together.append((Transfer(giver, taker, cents, "together"), None))
            gives[giver] -= cents
            takes[taker] -= cents
    return together


def as_told(house: House, moves: Iterable[Mapping[str, Any]]) -> Mapping[str, Pieces]:
    """The pieces after moves as a journal tells them, whether or not they could be made."""
    moving = _Moving(house, CAGE)
    for move in moves:
        moving.give(move["source"], move["target"], {int(value): count for value, count in move["pieces"].items()})
    return moving.after()


def as_would_move(house: House, transfers: Sequence[Transfer], changer: str) -> Mapping[str, Pieces]:
    """The pieces after transfers of which no more is known, as they would have gone."""
    try:
        return moved(house, transfers, {}, changer)[0] if chips_of(house) else house.pieces
    except Refused:
        return house.pieces


def fill_wanted(par: Par, before: Pieces, after: Pieces) -> Pieces:
    """What would bring a tray back to its par, if it has just fallen below its mark."""
    if all(after.get(value, 0) >= count or before.get(value, 0) < count for value, count in par.low.items()):
        return {}
    return {value: count - after.get(value, 0) for value, count in par.pieces.items() if count > after.get(value, 0)}


class _Moving:
    """Pieces on their way: how those that moved lie now."""

    def __init__(self, house: House, changer: str) -> None:
        self.house, self.changer, self.values = house, changer, chips_of(house)
        self.now: dict[str, dict[int, int]] = {}
        self.told: list[PieceMove] = []

    def at(self, place: str) -> dict[int, int]:
        held = self.now.get(place)
        if held is None:
            held = self.now[place] = dict(self.house.pieces.get(place, {}))
        return held

    def after(self) -> dict[str, Pieces]:
        """All pieces as they lie now; where nothing lies nothing is kept."""
        pieces = {**self.house.pieces, **self.now}
        for place, held in self.now.items():
            if not held:
                del pieces[place]
        return pieces

    def give(self, source: str, target: str, pieces: Pieces, why: str = "") -> None:
        for place, sign in ((source, -1), (target, 1)):
            if holds_chips(place):
                held = self.at(place)
                for value, count in pieces.items():
                    if total := held.get(value, 0) + sign * count:
                        held[value] = total
                    else:
                        held.pop(value, None)
        self.told.append(PieceMove(source, target, as_written(pieces), why))

    def made(self, transfer: Transfer, named: Pieces | None, changes: bool) -> bool:
        """Whether a transfer could be made with the pieces as they lie; with a change, if that is allowed."""
        source, target = place_of(transfer.source, transfer.why), place_of(transfer.target, transfer.why)
        if named is not None:
            self._check_named(source, named)
            self.give(source, target, named)
            return True
        if not holds_chips(source):
            if holds_chips(target):
                self.give(source, target, {COIN: transfer.cents})
            return True
        if not holds_chips(target):
            return self._in_cash(source, target, transfer.cents, changes)
        held = self.at(source)
        pieces = pick(held, transfer.cents, self.values, self._most_coins(source))
        if pieces is None and changes:
            self._change(source, transfer.cents)
            pieces = pick(held, transfer.cents, self.values, self._most_coins(source))
        if pieces is None:
            return False
        self.give(source, target, pieces)
        return True

    def _check_named(self, source: str, named: Pieces) -> None:
        held = self.at(source)
        if not holds_chips(source) or source.startswith(DIFFERENCE):
            return  # brought in, or found
        if lacking := {value: count for value, count in named.items() if count > held.get(value, 0)}:
            has = in_pieces({value: held.get(value, 0) for value in lacking})
            raise Refused("pieces-missing", f"{in_words(source)} has {has}: {in_pieces(lacking)} cannot be taken from it")

    def _most_coins(self, source: str) -> int | None:
        """The house pays in chips, and in coins what is below the smallest; others with whatever they have."""
        return self.values[-1] - 1 if source == CAGE or source.startswith("tray:") else None

    def _in_cash(self, source: str, target: str, cents: int, changes: bool) -> bool:
        """What leaves the chips for the world outside, a box or a debt is cash: chips are changed for it at the cage."""
        held = self.at(source)
        if held.get(COIN, 0) < cents:
            chips = pick(held, cents, self.values) if changes and source != CAGE else None
            bought = worth(chips) - chips.get(COIN, 0) if chips else 0
            if chips is None or self.at(CAGE).get(COIN, 0) < bought:
                return False
            self.give(source, CAGE, {value: count for value, count in chips.items() if value != COIN}, "change")
            self.give(CAGE, source, {COIN: bought}, "change")
        self.give(source, target, {COIN: cents})
        return True

    def _change(self, source: str, cents: int) -> None:
        """Change some pieces, so that an amount can be made of them; nothing where there is no way."""
        held = self.at(source)
        if source == self.changer or worth(held) < cents:
            return
        if found := exchange(held, cents, self.at(self.changer), self.values):
            self.give(source, self.changer, found[0], "change")
            self.give(self.changer, source, found[1], "change")

    def lacks_value(self, waiting: list[_Waiting]) -> bool:
        """Whether somebody would give more than he has, but for what he gets by the same command."""
        places = ((place_of(transfer.source, transfer.why), transfer.cents) for transfer, _ in waiting)
        return any(worth(self.at(place)) < cents for place, cents in places)

    def refusal(self, transfer: Transfer, named: Pieces | None) -> Refused:
        """Who lacks which pieces, and what helps."""
        source = place_of(transfer.source, transfer.why)
        if not holds_chips(transfer.target):
            cash = dollars(self.at(CAGE).get(COIN, 0))
            return Refused("cage-short", f"the cage has {cash} in cash, and {dollars(transfer.cents)} is to be paid: fund it")
        giver = source if source == CAGE or source.startswith("tray:") else self.changer
        left = _largest_first(self.at(source), transfer.cents, self.values)[1]
        lacking, coins = _largest_first(dict.fromkeys(self.values, transfer.cents), left, self.values)
        wanted = in_pieces({**lacking, **({COIN: coins} if coins else {})})
        whose = in_words(account_of(giver))
        what = f"{whose} cannot make {dollars(transfer.cents)} of its pieces: {wanted} is wanted"
        if giver == CAGE:
            return Refused("cage-short", f"{what}; chips come into the cage with chips-in")
        return Refused("tray-short", f"{what}; a supervisor asks for a fill with request-fill")
