"""Who works where: breaks, and who supervises which tables. Dealers sign on and off by `requests`."""

from houseway.refusal import Refused
from houseway.table.commands import Command, command
from houseway.table.engine import AFTERWARDS, BEFOREHAND, Effect, open_table, text
from houseway.table.fields import REASON, TABLE
from houseway.table.guest_events import BreakBegun, BreakEnded, Supervises, SupervisesNoMore
from houseway.table.house_rules import number_rule
from houseway.table.roles import BREAKERS, SUPERVISORS
from houseway.table.state import House, changed
from houseway.table.unfold import Draw

DEAL_MINUTES = number_rule("deal minutes", "after how many minutes on a table a dealer is due to be relieved", 60, 5, 480)
BREAK_MINUTES = number_rule("break minutes", "how many minutes a break is meant to take", 20, 1, 120)


@command(
    "break",
    BREAKERS,
    "Begin a break: nobody on a break deals or supervises",
    may=(REASON,),
    path="/staff/break",
    shell="staff break",
)
def _break(house: House, command: Command, draw: Draw) -> Effect:
    """Off the tables first, so that somebody else is on them."""
    actor = str(command.get("actor"))
    if actor in house.breaks:
        raise Refused("on-break", f"{actor} is on a break already")
    if on := [table.name for table in house.tables.values() if table.is_open and table.dealer == actor]:
        raise Refused("on-table", f"{actor} deals at {on[0]}: sign off there first, and the next dealer signs on")
    if watched := [table.name for table in house.tables.values() if table.is_open and table.supervisor == actor]:
        raise Refused("on-table", f"{actor} supervises {', '.join(watched)}: another supervisor takes over first")
    effect = Effect(changed(house, breaks={**house.breaks, actor: text(command, "at")}))
    effect.tell(BreakBegun(actor))
    return effect


@command("back", BREAKERS, "Come back from a break", path="/staff/back", shell="staff back")
def _back(house: House, command: Command, draw: Draw) -> Effect:
    """What the break was long is told."""
    actor = str(command.get("actor"))
    if actor not in house.breaks:
        raise Refused("not-on-break", f"{actor} is on no break")
    effect = Effect(changed(house, breaks={name: at for name, at in house.breaks.items() if name != actor}))
    effect.tell(BreakEnded(actor, house.breaks[actor]))
    return effect


@command("supervise", SUPERVISORS, "Supervise a table from now on; whoever did before is relieved", TABLE)
def _supervise(house: House, command: Command, draw: Draw) -> Effect:
    """One supervisor may have several tables, and a table has one."""
    table, actor = open_table(house, command), str(command.get("actor"))
    if table.supervisor == actor:
        raise Refused("on-table", f"{actor} supervises {table.name} already")
    effect = Effect(house, changed(table, supervisor=actor, supervised_since=text(command, "at")))
    effect.tell(Supervises(actor, table.supervisor))
    return effect


@command("unsupervise", SUPERVISORS, "Supervise a table no more", TABLE)
def _unsupervise(house: House, command: Command, draw: Draw) -> Effect:
    """The table has none until the next one says so."""
    table, actor = open_table(house, command), str(command.get("actor"))
    if table.supervisor != actor:
        who = f"{table.supervisor} does" if table.supervisor else "nobody does"
        raise Refused("not-on-table", f"{actor} does not supervise {table.name} ({who})")
    effect = Effect(house, changed(table, supervisor="", supervised_since=""))
    effect.tell(SupervisesNoMore(actor))
    return effect


def _check_break(house: House, command: Command) -> None:
    """Refuse whoever is on a break to go on a table."""
    if house.breaks and command.get("kind") in {"sign-on", "supervise"} and command.get("actor") in house.breaks:
        raise Refused("on-break", f"{command.get('actor')} is on a break: come back from it first")


def _closed(effect: Effect, before: House, command: Command) -> None:
    """A closed table has no supervisor."""
    if effect.table is not None and not effect.table.is_open and effect.table.supervisor:
        effect.table = changed(effect.table, supervisor="", supervised_since="")


BEFOREHAND.append(_check_break)
AFTERWARDS.append(_closed)
