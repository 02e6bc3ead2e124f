"""What a guest owes since a settlement was corrected: never refused, an account of its own, collected when there are chips."""

from houseway.money import dollars
from houseway.refusal import Refused
from houseway.table import ledger
from houseway.table.commands import Command, command
from houseway.table.engine import Effect, amount, text
from houseway.table.events import DebtPaid, Owes
from houseway.table.fields import CENTS, GUEST
from houseway.table.roles import COUNTERS
from houseway.table.state import House
from houseway.table.unfold import Draw

GUEST_ACCOUNT = ledger.guest("")


def owed(house: House, guest: str) -> int:
    """What a guest owes."""
    return -house.balance(ledger.debt(guest))


def settle_debts(effect: Effect, collects: bool = False) -> None:
    """Whoever cannot pay what the transfers so far take owes the rest.

    Where they make good an old mistake (`collects`), whoever gets something pays his debt from it first.
    """
    gained: dict[str, int] = {}
    for transfer in effect.transfers:
        for account, cents in ((transfer.source, -transfer.cents), (transfer.target, transfer.cents)):
            if account.startswith(GUEST_ACCOUNT):
                gained[account] = gained.get(account, 0) + cents
    for account, cents in gained.items():
        guest = account.removeprefix(GUEST_ACCOUNT)
        short = -(effect.house.balance(account) + cents)
        if short > 0:
            effect.move(ledger.debt(guest), account, short, f"{guest} owes")
            effect.tell(Owes(guest, short))
        elif collects and cents > 0:
            pay_debt(effect, guest, cents)


def pay_debt(effect: Effect, guest: str, most: int) -> int:
    """A guest's debt is paid from his chips, as far as these go; what was paid."""
    paid = min(most, owed(effect.house, guest))
    if paid > 0:
        effect.move(ledger.guest(guest), ledger.debt(guest), paid, f"{guest} pays a debt")
        effect.tell(DebtPaid(guest, paid, owed(effect.house, guest) - paid))
    return max(paid, 0)


@command("collect", COUNTERS, "Collect what a guest owes since a settlement was corrected", GUEST, CENTS)
def collect(house: House, command: Command, draw: Draw) -> Effect:
    """From his chips; never more than he owes."""
    guest, cents = text(command, "guest"), amount(command)
    if cents > owed(house, guest):
        raise Refused("too-much", f"{guest} owes {dollars(owed(house, guest))}: collect at most that")
    effect = Effect(house)
    pay_debt(effect, guest, cents)
    return effect
