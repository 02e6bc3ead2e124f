"""Settling a round: what each wager is paid, to the cent, and why."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from houseway.cards import take
from houseway.money import dollars, parse_cents
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Request, Result, Step, Value, Wager
from houseway.rulebook.pay import Pay
from houseway.rulebook.settings import Settings
from houseway.values import quickly_made

NO_ROUNDING = Fraction(0)


@quickly_made
@dataclass(frozen=True)
class Payment:
    """One stake and what became of it. `win_cents` is the player's net win; `rounding_cents` of it are rounding.

    Of a bet `for_dealer` the win is the dealers'.
    """

    wager: str
    spot: str
    outcome: str
    pays: str
    stake_cents: int
    win_cents: int
    rounding_cents: Fraction
    clause: str
    for_dealer: bool = False

    @property
    def returned_cents(self) -> int:
        """What goes back to the player: the stake with its win, or what is left of it."""
        return self.stake_cents + self.win_cents


@dataclass(frozen=True)
class Settlement:
    """A round played out and paid; `outside` are settings and bets that a table would refuse, settled to see what if."""

    steps: tuple[Step, ...]
    payments: tuple[Payment, ...]
    outside: tuple[str, ...] = ()

    @property
    def staked_cents(self) -> int:
        """Everything at risk, doubles and splits included."""
        return sum(payment.stake_cents for payment in self.payments)

    @property
    def win_cents(self) -> int:
        """The player's net win."""
        return sum(payment.win_cents for payment in self.payments)


Law = Callable[[Mapping[str, int]], None]
"""Refuses bets that the law does not allow beside one another."""

_FORM = "write wager=dollars, with a comma between several"


def parse_bets(text: str) -> dict[str, int]:
    """Read bets as cents by wager.

    >>> parse_bets("main=100, bonus=2.50")
    {'main': 10000, 'bonus': 250}
    """
    bets: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, amount = (word.strip() for word in part.partition("="))
        if not equals or name in bets:
            problem = "named twice" if equals else "without an amount"
            raise Refused("bad-bet", f'bet "{part}" is {problem}: {_FORM}')
        bets[name] = parse_cents(amount, name)
    if not bets:
        raise Refused("bad-bet", f"no bets: {_FORM}")
    return bets


def settle(
    edition: Edition,
    cards: tuple[int, ...],
    bets: Mapping[str, int],
    choices: tuple[str, ...] = (),
    settings: Settings | None = None,
    others: tuple[tuple[int, ...], ...] = (),
    law: Law | None = None,
) -> Settlement:
    """Play a round out and pay every wager; whatever the rules do not allow is refused, and nothing is settled.

    Where the settings ask `what_if`, bets outside the limits and the law are settled as well, and named.
    """
    chosen = edition.settings() if settings is None else settings
    outside = (*chosen.outside, *(refused.message for refused in check_bets(edition, bets, chosen, law)))
    if others and not any(terms.envy_cents for terms in edition.wagers.values()):
        raise Refused("bad-request", f"other players' hands do not matter: {edition.id} has no envy prizes")
    take(edition.game.shoe(chosen), [*cards, *(card for hand in others for card in hand)])
    encoded = edition.game.encode(chosen)
    played = edition.game.play(Request(cards, choices, bets, chosen, encoded, others, offered=edition.offered))
    steps = tuple(replace(step, clause=edition.cites.get(step.clause, step.clause)) for step in played.steps)
    payments = (pay_result(edition, result, bets, chosen) for result in played.results)
    return Settlement(steps, tuple(payment for payment in payments if payment), outside)


def check_bets(
    edition: Edition, bets: Mapping[str, int], settings: Mapping[str, Value], law: Law | None = None
) -> tuple[Refused, ...]:
    """Refuse bets that the edition does not offer, outside their limits or the law, or without the bet they need.

    Where the settings ask `what_if`, limits and law refuse nothing; what they would have refused is returned.
    """
    what_if = isinstance(settings, Settings) and settings.what_if
    objections: list[Refused] = []
    for name, cents in bets.items():
        objections += _objections(edition, name, cents, settings)
        if objections and not what_if:
            raise objections[0]
        wager = edition.game.wagers[name]
        needed = wager.needed(settings)
        if needed and needed not in bets:
            other = edition.game.wagers[needed].name
            raise Refused("bad-bet", f"{wager.name} needs a {other} bet beside it ({_needed_by(edition, wager)})")
    if law:
        try:
            law(bets)
        except Refused as refused:
            if not what_if:
                raise
            objections.append(refused)
    return tuple(objections)


def _needed_by(edition: Edition, wager: Wager) -> str:
    """The clause by which a wager needs another one, and the reading that asks whether it does."""
    id_ = wager.needs_unless[0]
    where = edition.readings[id_].where if id_ in edition.readings else wager.clause
    return ", ".join(filter(None, (wager.clause if wager.clause in where else where, id_)))


def check_bet(edition: Edition, name: str, cents: int, settings: Mapping[str, Value]) -> None:
    """Refuse a bet that the edition does not offer, or outside its limits; the bet it needs may still come."""
    for refused in _objections(edition, name, cents, settings):
        raise refused


def _objections(edition: Edition, name: str, cents: int, settings: Mapping[str, Value]) -> Iterator[Refused]:
    """Why a bet would be refused; one on a wager that there is none of is refused at once."""
    wager = edition.bettable(name)
    limits = edition.wagers[name].limits
    if not limits.min_cents <= cents <= limits.max_cents:
        allowed = f"{dollars(limits.min_cents)} to {dollars(limits.max_cents)} ({limits.source})"
        yield Refused("outside-limits", f"{wager.name}: {dollars(cents)} is outside the limits: {allowed}")
    if reason := wager.refuses(settings):
        yield Refused("not-offered", f"{wager.name} is not offered: {reason}")


def pay_result(edition: Edition, result: Result, bets: Mapping[str, int], settings: Mapping[str, Value]) -> Payment | None:
    """What a result is paid; nothing for a prize that is not won."""
    clause = edition.cites.get(result.clause, result.clause)
    outcome = edition.row(result.wager, result.outcome, settings)
    if result.prize:
        prize = edition.envy_cents(result.wager, result.outcome, settings)
        if not prize or bets[result.wager] < edition.wagers[result.wager].envy_min_bet_cents:
            return None
        return Payment(result.wager, result.spot, outcome, f"{dollars(prize)} envy", 0, prize, Fraction(0), clause)
    base = edition.game.wagers[result.wager].follows or result.wager
    stake, part_of_a_cent = divmod(bets[base] * result.times.numerator, result.times.denominator)
    assert part_of_a_cent == 0
    pay = edition.pay(result.wager, result.outcome, settings)
    win, rounding = round_win(stake, pay, edition.chip_unit_cents)
    return Payment(result.wager, result.spot, outcome, str(pay), stake, win, rounding, clause)


def round_win(stake_cents: int, pay: Pay, unit_cents: int) -> tuple[int, Fraction]:
    """The win in cents, rounded to the chip unit in the player's favour (BJ-10), and how much of it is rounding.

    >>> round_win(1500, Pay.parse("3 to 2"), 50), round_win(1500, Pay.parse("6 to 5"), 500)
    ((2250, Fraction(0, 1)), (2000, Fraction(200, 1)))
    """
    won, parts = stake_cents * pay.net.numerator, pay.net.denominator  # of a cent: whole numbers, for this is done very often
    if won > 0:
        win = _rounded_up(won, parts * unit_cents) * unit_cents
    else:
        back = min(_rounded_up(stake_cents * parts + won, parts * unit_cents) * unit_cents, stake_cents)
        win = back - stake_cents
    rounded = win * parts - won
    return win, Fraction(rounded, parts) if rounded else NO_ROUNDING


def _rounded_up(number: int, divisor: int) -> int:
    return -(-number // divisor)
