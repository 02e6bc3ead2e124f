"""The second person's commands, the house's duties, and dealers who sign on and off tables."""

import json

from houseway.refusal import Refused, one_of
from houseway.table import duties
from houseway.table.commands import COMMANDS, Command, command, whole
from houseway.table.engine import Effect, handle, open_table, text
from houseway.table.fields import DUTY_LIMITS, MINUTES, NAMES_NEEDED, REASON, REQUEST, TABLE
from houseway.table.fold import context
from houseway.table.house_events import Confirmed, Declined, DutiesSet, SignedOff, SignedOn
from houseway.table.roles import ADMINISTRATORS, DEALERS, STAFF, a_role
from houseway.table.state import Duties, House, PendingRequest, changed
from houseway.table.unfold import Draw

CONFIRM = "confirm"


def as_confirmed(house: House, command: Command) -> tuple[PendingRequest, Command, Command]:
    """The request that is confirmed, its command, and that with its context: who asked, and the second person."""
    request = duties.open_request(house, whole(command, "request"), text(command, "at"))
    given = json.loads(request.command)
    second = {
        "request": request.number,
        "asked_by": request.asked_by,
        "confirmed_by": command.get("actor"),
        "role": command.get("role"),
    }
    asker = context(text(command, "at"), text(command, "day"), request.asked_by, request.role, command["form"])
    full = {**given, **asker, "second": second}
    if not isinstance(command.get("role"), str) or request.act not in duties.DUTIES:
        raise Refused("unknown-request", f"request {request.number} cannot be confirmed")
    need = duties.need_of(house, request, text(command, "day"))
    duties.check_person(need, request, str(command.get("actor")), str(command.get("role")))
    duties.check_same_round(house, request)
    return request, given, full


@command(
    "confirm",
    STAFF,
    "Confirm what somebody else has asked for: it is carried out now, in both names",
    REQUEST,
    path="/requests/confirm",
    shell="requests confirm",
    recorded_when_refused=True,
)
def _confirm(house: House, command: Command, draw: Draw) -> Effect:
    """The command, carried out with both names; of what the journal only notes, that it may be done now by whoever asked."""
    request, _, full = as_confirmed(house, command)
    if request.act in COMMANDS:
        return handle(house, full, request.role, draw)
    if request.confirmed_by:
        message = f"{request.confirmed_by} has confirmed request {request.number}: {request.asked_by} does it now"
        raise Refused("confirmed-already", message)
    name, role = str(command["actor"]), str(command["role"])
    confirmed = changed(request, confirmed_by=name, confirmed_role=role)
    effect = Effect(changed(house, requests={**house.requests, request.number: confirmed}))
    effect.tell(Confirmed(request.number, request.act, request.asked_by, name))
    return effect


@command(
    "decline",
    STAFF,
    "Decline what somebody else has asked for, or take an own request back",
    REQUEST,
    REASON,
    path="/requests/decline",
    shell="requests decline",
)
def _decline(house: House, command: Command, draw: Draw) -> Effect:
    """Nothing of it is done."""
    request = duties.open_request(house, whole(command, "request"), text(command, "at"))
    name, role = str(command.get("actor")), str(command.get("role"))
    if name != request.asked_by and role not in request.second:
        may = ", ".join(request.second)
        raise Refused("not-second", f"{a_role(role)} may not decline request {request.number} (may: {request.asked_by}, {may})")
    effect = Effect(duties.without_request(house, request.number))
    effect.tell(Declined(request.number, request.act, request.asked_by, text(command, "reason")))
    return effect


@command(
    "duties",
    ADMINISTRATORS,
    "Set how many names the acts of the table of duties need, above which amounts, and how long a request waits",
    may=(NAMES_NEEDED, DUTY_LIMITS, MINUTES),
    path="/duties",
    shell="duties set",
    recorded_when_refused=True,
)
def _duties(house: House, command: Command, draw: Draw) -> Effect:
    """What is not named stays as it is."""
    before = house.duties or Duties()
    if not command.keys() & {"names", "duty_limits", "minutes"}:
        raise Refused("nothing-to-change", "say names (one or two), limits or minutes")
    names = one_of("names", str(command.get("names", before.names)), [duties.ONE, duties.TWO])
    limits = dict(before.limits)
    for act, cents in command.get("duty_limits", {}).items():
        with_limits = [duty.act for duty in duties.DUTIES.values() if duty.has_limit]
        limits[one_of("act", act, with_limits)] = int(cents)
    minutes = int(command.get("minutes", before.minutes))
    effect = Effect(changed(house, duties=Duties(names, limits, minutes)))
    effect.tell(DutiesSet(names, limits, minutes))
    return effect


@command("sign-on", DEALERS, "Sign on to a table: whoever is on it deals, keys and settles there", TABLE)
def _sign_on(house: House, command: Command, draw: Draw) -> Effect:
    """One at a time, and at one table; a supervisor may take over from whoever is on it, and that shows."""
    table, actor = open_table(house, command), str(command.get("actor"))
    if table.dealer == actor:
        raise Refused("on-table", f"{actor} is on {table.name} already")
    if table.dealer and command.get("role") != "supervisor":
        raise Refused("on-table", f"{table.dealer} is on {table.name}: he signs off first, or a supervisor signs him off")
    elsewhere = next((each.name for each in house.tables.values() if each.is_open and each.dealer == actor), "")
    if elsewhere:
        raise Refused("on-table", f"{actor} is on {elsewhere}: sign off there first")
    effect = Effect(house, changed(table, dealer=actor))
    effect.tell(SignedOn(actor, table.dealer))
    return effect


@command("sign-off", DEALERS, "Sign off a table; a supervisor may sign off whoever is on it", TABLE)
def _sign_off(house: House, command: Command, draw: Draw) -> Effect:
    """The next dealer signs on."""
    table, actor = open_table(house, command), str(command.get("actor"))
    if not table.dealer:
        raise Refused("not-on-table", f"nobody is on {table.name}")
    if table.dealer != actor and command.get("role") != "supervisor":
        raise Refused("not-on-table", f"{table.dealer} is on {table.name}: he or a supervisor signs him off")
    effect = Effect(house, changed(table, dealer=""))
    effect.tell(SignedOff(table.dealer))
    return effect
