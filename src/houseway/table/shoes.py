"""Virtual shoes: what guests add to a new one before bets open, and one whose seal is lost."""

from datetime import datetime

from houseway.refusal import Refused
from houseway.table.commands import Command, command
from houseway.table.engine import Effect, in_phase, open_table, text
from houseway.table.events import SeedAdded, ShoeLost, ShoeMixed
from houseway.table.fields import REASON, SEED, TABLE, WITNESS
from houseway.table.roles import DEALERS, SUPERVISORS
from houseway.table.state import House, Phase, ShoeState, Table, changed
from houseway.table.unfold import Draw


def lacking_seeds(table: Table) -> tuple[str, ...]:
    """The seated guests whose screens have added nothing yet to a shoe that waits for them."""
    if table.shoe is None or not table.shoe.wants_seeds:
        return ()
    added = {guest for guest, _ in table.shoe.seeds}
    return tuple(dict.fromkeys(guest for _, guest in sorted(table.seated.items()) if guest not in added))


def _waiting_shoe(table: Table) -> ShoeState:
    if table.shoe is None or not table.shoe.wants_seeds:
        raise Refused("no-seed-wanted", "no shoe waits for randomness here: it is added before the first bet on a new one")
    return table.shoe


@command("seed", ("guest",), "Add randomness of your own to a new shoe, before bets open", TABLE, SEED)
def add_seed(house: House, command: Command, draw: Draw) -> Effect:
    """The house is bound to its own seed by now. When all have added theirs, the order is made of them."""
    table, guest = open_table(house, command), text(command, "actor")
    shoe = _waiting_shoe(table)
    if guest not in table.seated.values():
        raise Refused("not-seated", f"{guest} does not sit here: those who sit at the table add to its shoe")
    if guest in dict(shoe.seeds):
        raise Refused("seed-added", f"{guest} has added to shoe {table.shoes_made} already")
    added = changed(table, shoe=changed(shoe, seeds=(*shoe.seeds, (guest, text(command, "seed")))))
    effect = Effect(house, added)
    effect.tell(SeedAdded(shoe.id, guest, text(command, "seed")))
    if not lacking_seeds(added):
        _mix(effect, added)
    return effect


@command("mix", DEALERS, "Go on without the guests whose screens have added nothing to the new shoe", TABLE)
def mix(house: House, command: Command, draw: Draw) -> Effect:
    """The time that the table gives them is over, or there is nobody to wait for."""
    table = open_table(house, command)
    shoe, lacking = _waiting_shoe(table), lacking_seeds(table)
    waited = (datetime.fromisoformat(text(command, "at")) - datetime.fromisoformat(shoe.committed_at)).total_seconds()
    if lacking and 0 <= waited < table.guest_seeds:  # where the clock was set back nobody can tell: the dealer goes on
        left = table.guest_seeds - int(waited)
        raise Refused("seeds-awaited", f"{', '.join(lacking)} may add to shoe {table.shoes_made} for {left} more seconds")
    effect = Effect(house)
    _mix(effect, table)
    return effect


def _mix(effect: Effect, table: Table) -> None:
    """From here on the order is fixed: the house's seed was committed to, and these are in the journal."""
    assert table.shoe is not None
    seeds = tuple(sorted(seed for _, seed in table.shoe.seeds))
    guests = tuple(guest for guest, _ in table.shoe.seeds)
    effect.table = changed(table, shoe=changed(table.shoe, wants_seeds=False))
    effect.tell(ShoeMixed(table.shoe.id, seeds, guests, lacking_seeds(table)))


@command(
    "lost-shoe",
    SUPERVISORS,
    "Record that a shoe which was committed to is lost, with a second supervisor",
    TABLE,
    WITNESS,
    REASON,
    recorded_when_refused=True,
)
def lost_shoe(house: House, command: Command, draw: Draw) -> Effect:
    """Only now may another shoe follow. The floor has looked for the seal before it gives this to us."""
    table, witness = open_table(house, command), text(command, "witness")
    lost = next((shoe for shoe in table.lost_shoes if not shoe.declared), None)
    if lost is None:
        raise Refused("shoe-not-lost", f"no shoe of {table.name} is lost: its seal is in place, and opens")
    if in_phase(table, Phase.BETTING).spots:
        raise Refused("bets-on-table", "bets lie on the table: void the round first, so that all wagers go back")
    if witness.casefold().strip() == text(command, "actor").casefold().strip():
        raise Refused("same-person", f"{witness} records it himself: name a second supervisor who has seen it")
    known = tuple(changed(shoe, declared=True) if shoe is lost else shoe for shoe in table.lost_shoes)
    effect = Effect(house, changed(table, lost_shoes=known))
    effect.tell(ShoeLost(lost.number, lost.id, lost.commitment, witness, text(command, "reason")))
    return effect
