"""Money: accounts and transfers in integer cents. Every transfer takes from one account what it gives to another.

Accounts are names: `guest:ann`, `wagers:t1` (bets on the felt), `tray:t1`, `drop:t1` (cash in the box), `tips:t1`,
`collection:t1`, `bank:t1` (what a player-dealer put up), `cage`, and `outside`, where cash comes from and goes to. What
ann owes since a settlement was corrected is `debt:ann`, below zero by as much. In a house with slips there are also
`transit:fill-12` (chips on their way), `box:drop-7` (the cash of a box that was pulled) and `difference:t1` (what counts of a
table missed, or had too much). Only debts, differences and `outside` may be negative, and all accounts together are zero.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from houseway.money import dollars
from houseway.refusal import Refused
from houseway.values import quickly_made

OUTSIDE = "outside"
DEBT = "debt:"
DIFFERENCE = "difference:"
CAGE = "cage"
MOST_CENTS = 2**63 - 1


@quickly_made
@dataclass(frozen=True)
class Transfer:
    """Cents that move from one account to another, and why."""

    source: str
    target: str
    cents: int
    why: str

    def reversed(self) -> "Transfer":
        """The transfer that undoes this one."""
        return Transfer(self.target, self.source, self.cents, f"reversal: {self.why}")

    def __str__(self) -> str:
        return f"{dollars(self.cents)} from {in_words(self.source)} to {in_words(self.target)} ({self.why})"

    def as_data(self) -> list[str | int]:
        """As it stands in a journal entry."""
        return [self.source, self.target, self.cents, self.why]

    @classmethod
    def from_data(cls, data: list[str | int]) -> "Transfer":
        """From a journal entry."""
        source, target, cents, why = data
        return cls(str(source), str(target), int(cents), str(why))


def guest(name: str) -> str:
    """A guest's chips."""
    return f"guest:{name}"


def wagers(table: str) -> str:
    """Bets placed and not yet settled."""
    return f"wagers:{table}"


def tray(table: str) -> str:
    """The chips in a table's tray."""
    return f"tray:{table}"


def drop(table: str) -> str:
    """The cash in a table's box."""
    return f"drop:{table}"


def tips(table: str) -> str:
    """What guests gave the dealers."""
    return f"tips:{table}"


def collection(table: str) -> str:
    """The fees of a player-banked table."""
    return f"collection:{table}"


def bank(table: str) -> str:
    """What the player-dealer put up."""
    return f"bank:{table}"


def debt(guest_name: str) -> str:
    """What a guest owes the house, or a bank: below zero by as much."""
    return f"{DEBT}{guest_name}"


def transit(slip: str) -> str:
    """The chips of a slip, on their way between the cage and a table."""
    return f"transit:{slip}"


def box(slip: str) -> str:
    """The cash of a box that was pulled and is not counted yet."""
    return f"box:{slip}"


def difference(table: str) -> str:
    """What counts of a table's tray and boxes missed; below zero, what they had too much."""
    return f"{DIFFERENCE}{table}"


def balances_after(balances: Mapping[str, int], transfers: Iterable[Transfer]) -> dict[str, int]:
    """The balances that change, after all transfers together; refused as a whole if an account would fall below zero.

    >>> balances_after({"guest:ann": 500}, [Transfer("guest:ann", "wagers:t1", 300, "bet")])
    {'guest:ann': 200, 'wagers:t1': 300}
    """
    changed: dict[str, int] = {}
    for transfer in transfers:
        assert transfer.cents > 0 and transfer.source != transfer.target, transfer
        source, target = transfer.source, transfer.target
        changed[source] = changed.get(source, balances.get(source, 0)) - transfer.cents
        changed[target] = changed.get(target, balances.get(target, 0)) + transfer.cents
    for account, cents in changed.items():
        if abs(cents) > MOST_CENTS:
            raise Refused("amount-too-large", f"{in_words(account)} would hold more than can be counted")
        if account.startswith(DEBT):
            if cents > 0:
                owed = dollars(-balances.get(account, 0))
                raise Refused("too-much", f"{account.removeprefix(DEBT)} owes {owed}, and no more")
        elif cents < 0 and account != OUTSIDE and not account.startswith(DIFFERENCE):
            held = balances.get(account, 0)
            raise Refused("not-enough", f"{in_words(account)} holds {dollars(held)} and would be {dollars(-cents)} short")
    return changed


def in_words(account: str) -> str:
    """What an account is called where people read of it.

    >>> in_words("guest:ann"), in_words("debt:ann"), in_words("wagers:t1"), in_words("cage")
    ("ann's purse", "ann's debt", 'the wagers of t1', 'the cage')
    """
    kind, _, name = account.partition(":")
    if account.startswith(DEBT):
        return f"{name}'s debt"
    if account == OUTSIDE:
        return "outside the house"
    return f"{name}'s purse" if kind == "guest" else f"the {kind} of {name}" if name else f"the {kind}"
