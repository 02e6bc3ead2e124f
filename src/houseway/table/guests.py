"""Who may play, and the cash of a gaming day: checked wherever a command is carried out, so that no way leads around it.

A guest is known here by his account only. Who he is stands in the patron file (`house/patrons.py`), which is no part of the
chain: the journal has its numbers, and what must be known to refuse somebody or to reach a line.
"""

from collections.abc import Iterator, Mapping
from datetime import date

from houseway.money import dollars
from houseway.refusal import Refused, one_of
from houseway.table import duties
from houseway.table.commands import Command, command
from houseway.table.engine import AFTERWARDS, BEFOREHAND, Effect, text
from houseway.table.entry import Entry
from houseway.table.event import FORM, WHOLE_DAYS
from houseway.table.fields import GROUND, GUEST, UNTIL
from houseway.table.guest_events import CashLine, GuestBarred, GuestReadmitted
from houseway.table.house_rules import amount_rule, choice_rule, number_rule
from houseway.table.ledger import OUTSIDE
from houseway.table.roles import EXCLUDERS, OPENERS
from houseway.table.state import Bar, GuestCash, House, Table, Today, changed
from houseway.table.unfold import Draw

PATRON_REGISTERED, PATRON_CHANGED, PATRON_LINKED = "patron-registered", "patron-changed", "patron-linked"
PATRON_IDENTIFIED, PATRON_SEEN, PATRONS_FOUND, PATRONS_PURGED = (
    "patron-identified",
    "patron-seen",
    "patrons-found",
    "patrons-purged",
)
FIRST_NUMBER = 1001
OWN_WISH, BY_HOUSE, BY_AGE = "own-wish", "house", "age"
MAY_NOT_PLAY, DATA_WANTED, NOT_REGISTERED = "may-not-play", "data-wanted", "not-registered"
TOLD = frozenset({MAY_NOT_PLAY, DATA_WANTED})
"""Refusals of which the floor is told, whoever was refused."""
BARS = frozenset({"exclude", PATRON_REGISTERED, PATRON_CHANGED, PATRON_LINKED})
"""Entries after which somebody may not play any more."""
PLAYING = frozenset({"sit", "bet", "bets", "bank", "buy-in", "table-buy-in", "wait", "reserve"})
"""What a guest who may not play is refused. A hand that is dealt is finished, and his chips are cashed."""
FROM_WAITLIST = frozenset({"call", "seat"})
"""By which somebody comes to play who is named by his number on the waitlist."""
CASH = frozenset({"buy-in", "table-buy-in", "cash-out"})
TELLS_LINES = frozenset({*CASH, PATRON_LINKED})
"""Entries that tell which lines of cash are reached."""
IN, OUT = "in", "out"
LOG, NEAR, REPORT = "log", "near", "report"

LEAST_AGE = number_rule(
    "least age",
    "how old a guest must be; 21 in most card rooms of Washington, and what the house's licence says elsewhere",
    21,
    0,
    99,
)
REGISTERED = choice_rule(
    "every guest registered",
    "whether a guest must have a number of the patron file to buy chips, sit, bet, bank or wait for a seat",
    "no",
    "yes",
)
FROM_FIRST, ONCE_REGISTERED, ALWAYS, NEVER = "from the first cash", "once a guest is registered", "always", "never"
CASH_WATCHED = choice_rule(
    "cash lines",
    "from when on a guest's cash over the gaming day is held against the lines; from the first cash they are told, and above "
    "the report's line cash waits for papers once the house has a patron file; always: without one too",
    FROM_FIRST,
    ONCE_REGISTERED,
    ALWAYS,
    NEVER,
    formerly=(WHOLE_DAYS, ONCE_REGISTERED),
)
CASH_LOG = amount_rule("cash log from", "the cash of a guest in a gaming day, in or out, from which it is logged", 300_000)
CASH_REPORT = amount_rule(
    "cash report over", "the cash of a guest in a gaming day, in or out, above which it is reported", 1_000_000
)
CASH_NEAR = number_rule("cash warning", "at how many percent of the report's line the floor is warned", 80, 1, 100)
DATA_KEPT = number_rule(
    "patron data kept", "how many days after a guest's last visit his personal data are kept", 1_826, 1, 36_500
)
CASH_KEPT = number_rule(
    "cash log kept", "how many days the data of a guest whose cash was logged or reported are kept", 1_826, 1, 36_500
)


def number_of_patron(made: int) -> str:
    """The number of the patron file that comes after so many."""
    return f"g-{FIRST_NUMBER + made}"


def first_account(house: House, guest: str) -> str:
    """The account under which a person's cash and bars are kept, whichever of his accounts is named."""
    return house.aliases.get(guest, guest)


def bar_of(house: House, guest: str, day: str) -> Bar | None:
    """Why a guest may not play on a gaming day, if he may not: however his name is written."""
    if not house.barred and not house.too_young:
        return None
    heard = duties.spelled(first_account(house, guest))
    if (bar := house.barred.get(heard)) is not None and _stands(bar, day):
        return bar
    return Bar(guest, BY_AGE) if heard in house.too_young else None


def _stands(bar: Bar, day: str) -> bool:
    return not bar.until or day < bar.until


def check_may_play(house: House, guest: str, day: str, himself: bool = False) -> None:
    """Refuse a guest who may not play. Why he may not is nobody's business at a table."""
    if bar_of(house, guest, day) is None:
        return
    if himself:
        raise Refused(MAY_NOT_PLAY, "you may not play here: please speak to the floor")
    raise Refused(MAY_NOT_PLAY, f"{guest} may not play here: nothing is sold or dealt to him; call a supervisor")


def _check_guest(house: House, command: Command) -> None:
    if command.get("kind") in PLAYING:
        is_own = command.get("role") == "guest"
        check_may_play(house, str(command.get("guest", "")), str(command.get("day", "")), is_own)


def _check_dealt_to(house: House, command: Command) -> None:
    """Refuse to deal on bets that lay there, or against a bank, of somebody who has come to be one who may not play."""
    if command.get("kind") != "no-more-bets" or not (house.barred or house.too_young):
        return
    table, day = house.tables.get(str(command.get("table", ""))), str(command.get("day", ""))
    if table is None or not table.is_open:
        return
    for seat, spot in table.round.spots.items():
        if bar_of(house, spot.guest, day) is not None:
            raise Refused(MAY_NOT_PLAY, f"{spot.guest} at seat {seat} may not play here: hand his bets back first (withdraw)")
    holder = table.seated.get(table.bank.holder, "") if table.bank is not None else ""
    if holder and bar_of(house, holder, day) is not None:
        raise Refused(MAY_NOT_PLAY, f"{holder} may not play here: his bank ends first (pass)")


def who_must_be_registered(house: House, command: Command) -> str:
    """The guest who would play by a command, where the house has every guest registered; nobody if it has not."""
    kind = command.get("kind")
    if kind not in PLAYING | FROM_WAITLIST or REGISTERED.of(house) != "yes":
        return ""
    if kind in PLAYING:
        return str(command.get("guest", ""))
    return next((wait.guest for wait in house.waiting if wait.number == command.get("wait")), "")


def _check_registered(house: House, command: Command) -> None:
    """Refuse a guest without a number; the floor, which has the patron file at hand, adds it to the command."""
    guest = who_must_be_registered(house, command)
    if not guest or command.get("patron"):
        return
    if command.get("role") == "guest":
        then = "please register with the host or at the cage"
        raise Refused(NOT_REGISTERED, f"you are not registered, and every guest of this house is: {then}")
    then = "take him into the patron file first (houseway patrons register, or the page Patrons)"
    raise Refused(NOT_REGISTERED, f"{guest} is not registered, and every guest of this house is: {then}")


BEFOREHAND.append(_check_guest)
BEFOREHAND.append(_check_registered)
BEFOREHAND.append(_check_dealt_to)


# Cash of a gaming day


def is_cash_watched(house: House, form: int = FORM) -> bool:
    """Whether the lines that guests' cash reaches are told."""
    watched = CASH_WATCHED.at(house, form)
    return watched in {FROM_FIRST, ALWAYS} or (watched == ONCE_REGISTERED and house.patrons_made > 0)


def are_papers_wanted(house: House, form: int = FORM) -> bool:
    """Whether cash above the report's line waits for papers: where nobody is registered there is no file to take them into."""
    watched = CASH_WATCHED.at(house, form)
    return watched == ALWAYS or (watched != NEVER and house.patrons_made > 0)


def cash_of(house: House, guest: str, day: str) -> GuestCash:
    """The cash of a guest on a gaming day so far."""
    known = house.today.cash if house.today.day == day else {}
    return known.get(first_account(house, guest), GuestCash())


def _watch_cash(effect: Effect, before: House, command: Command) -> None:
    """Add a guest's cash up and tell which lines it reaches; refused above the report's line until his papers were seen.

    Before form 8 only cash that was watched was added up.
    """
    if command.get("kind") not in CASH:
        return
    guest, day, form = text(command, "guest"), str(command.get("day", "")), int(command.get("form", FORM))
    name, so_far = first_account(before, guest), cash_of(before, guest, day)
    moved_in = sum(transfer.cents for transfer in effect.transfers if transfer.source == OUTSIDE)
    moved_out = sum(transfer.cents for transfer in effect.transfers if transfer.target == OUTSIDE)
    now = changed(so_far, in_cents=so_far.in_cents + moved_in, out_cents=so_far.out_cents + moved_out)
    today = effect.house.today if effect.house.today.day == day else Today(day)
    told = _told(so_far)
    was_held, held = (so_far, now) if form >= WHOLE_DAYS else (told, _added(told, GuestCash(moved_in, moved_out)))
    report = CASH_REPORT.of(before)
    for way, was, cents in _in_and_out(was_held, held) if are_papers_wanted(before, form) else ():
        if cents > max(was, report) and name not in today.identified:
            wanted = "take his papers first (name, birth date, document and address), in the patron file"
            so = f"{guest}'s cash {way} of today would be {dollars(cents)}, above {dollars(report)}"
            raise Refused(DATA_WANTED, f"{so}: {wanted}")
    if is_cash_watched(before, form):
        for line in _lines_reached(before, guest, told, held):
            effect.tell(line)
        now = changed(now, told_in_cents=held.in_cents, told_out_cents=held.out_cents)
    effect.house = changed(effect.house, today=changed(today, cash={**today.cash, name: now}))


AFTERWARDS.append(_watch_cash)


def _told(cash: GuestCash) -> GuestCash:
    """The sums up to which lines were told."""
    return GuestCash(cash.told_in_cents, cash.told_out_cents)


def _in_and_out(was: GuestCash, now: GuestCash) -> Iterator[tuple[str, int, int]]:
    """Each way with the cash of before and of now."""
    yield IN, was.in_cents, now.in_cents
    yield OUT, was.out_cents, now.out_cents


def _lines_reached(house: House, guest: str, was: GuestCash, now: GuestCash) -> Iterator[CashLine]:
    """The lines that lie between the cash of before and of now."""
    report = CASH_REPORT.of(house)
    lines = {LOG: CASH_LOG.of(house), NEAR: report * CASH_NEAR.of(house) // 100, REPORT: report + 1}
    for way, before, cents in _in_and_out(was, now):
        yield from (CashLine(guest, line, way, cents) for line, least in lines.items() if before < least <= cents)


def lines_of_both(house: House, guest: str, first: str, day: str, form: int = FORM) -> list[CashLine]:
    """The lines that the cash of a person reaches once two of his accounts are one sum, and neither had reached alone."""
    if not is_cash_watched(house, form):
        return []
    one, other = cash_of(house, guest, day), cash_of(house, first, day)
    most = GuestCash(max(one.told_in_cents, other.told_in_cents), max(one.told_out_cents, other.told_out_cents))
    both = _added(one, other) if form >= WHOLE_DAYS else _added(_told(one), _told(other))
    return list(_lines_reached(house, first, most, both))


def _added(one: GuestCash, other: GuestCash) -> GuestCash:
    return GuestCash(one.in_cents + other.in_cents, one.out_cents + other.out_cents)


# Who may not play


def _day_of(command: Command, name: str) -> str:
    written = text(command, name)
    try:
        return date.fromisoformat(written).isoformat()
    except ValueError:
        raise Refused("bad-date", f"{name}: {written} is no date: write it as 2030-01-31") from None


@command(
    "exclude",
    EXCLUDERS,
    "Let a guest play no more, by his own wish or the house's; one's own wish stands until its day",
    GUEST,
    may=(GROUND, UNTIL),
    path="/guests/exclude",
    shell="guests exclude",
    recorded_when_refused=True,
)
def _exclude(house: House, command: Command, draw: Draw) -> Effect:
    """A bar may be made longer by anybody who may exclude, and never shorter."""
    guest, ground = text(command, "guest"), one_of("ground", str(command.get("ground", OWN_WISH)), [OWN_WISH, BY_HOUSE])
    day, until = str(command.get("day", "")), _day_of(command, "until") if "until" in command else ""
    if command.get("role") == "guest" and (command.get("actor") != guest or ground != OWN_WISH):
        raise Refused("not-your-seat", "a guest excludes himself, and by his own wish")
    if until and until <= day:
        raise Refused("bad-date", f"until: {until} is over, or today: give a later day, or none if it has no end")
    name, standing = first_account(house, guest), {h: bar for h, bar in house.barred.items() if _stands(bar, day)}
    asked = Bar(name, ground, until)
    if (bar := standing.get(duties.spelled(name))) is not None and (asked := _stricter(bar, asked)) == bar:
        end = f"until {bar.until}" if bar.until else "without an end"
        raise Refused("nothing-to-change", f"{guest} may not play already, {end}: only a longer time is a change")
    waiting = tuple(wait for wait in house.waiting if first_account(house, wait.guest) != name)
    tables = house.tables if int(command.get("form", FORM)) < WHOLE_DAYS else _without_held(house, name)
    effect = Effect(changed(house, barred={**standing, duties.spelled(name): asked}, waiting=waiting, tables=tables))
    effect.tell(GuestBarred(guest, asked.ground, asked.until))
    return effect


def _without_held(house: House, name: str) -> Mapping[str, Table]:
    """The tables without the seats that are held for somebody: nobody waits for a guest who may not play."""
    tables = dict(house.tables)
    for table in house.tables.values():
        held = {seat: each for seat, each in table.held.items() if first_account(house, each.guest) != name}
        if len(held) < len(table.held):
            tables[table.name] = changed(table, held=held)
    return tables


def _stricter(one: Bar, other: Bar) -> Bar:
    """Both bars in one: the longer time, and what a guest has asked for himself stays that."""
    ground = OWN_WISH if OWN_WISH in (one.ground, other.ground) else one.ground
    until = max(one.until, other.until) if one.until and other.until else ""
    return Bar(one.guest, ground, until)


@command(
    "readmit",
    OPENERS,
    "Let a guest play again whom the house has excluded",
    GUEST,
    path="/guests/readmit",
    shell="guests readmit",
    recorded_when_refused=True,
)
def _readmit(house: House, command: Command, draw: Draw) -> Effect:
    """Nobody ends what a guest has asked for before its time; who was too young is let in by the patron file."""
    guest, day = text(command, "guest"), str(command.get("day", ""))
    bar = bar_of(house, guest, day)
    if bar is None:
        raise Refused("not-barred", f"{guest} may play: there is nothing to end")
    if bar.ground == OWN_WISH:
        end = f"it ends on {bar.until}" if bar.until else "it has no end"
        raise Refused("own-wish", f"{guest} has asked not to play: nobody ends that for him, and {end}")
    if bar.ground == BY_AGE:
        raise Refused("too-young", f"{guest} was too young: once he is of age, houseway patrons age says so by the patron file")
    effect = Effect(_without_bar(house, bar.guest))
    effect.tell(GuestReadmitted(guest, bar.ground))
    return effect


def _without_bar(house: House, name: str) -> House:
    own = duties.spelled(name)
    return changed(house, barred={heard: bar for heard, bar in house.barred.items() if heard != own})


# What the journal notes of the patron file


def noted_of_patrons(house: House, entry: Entry) -> House:
    """The house after a note of the patron file: a new number, accounts of one person, papers seen, somebody's age."""
    data = entry.data
    if entry.kind == PATRON_REGISTERED:
        house = changed(house, patrons_made=house.patrons_made + 1)
    if entry.kind == PATRON_LINKED:
        house = _linked(house, str(data["guest"]), str(data["first"]), int(data.get("form", WHOLE_DAYS - 1)))
    if entry.kind == PATRON_IDENTIFIED:
        today = house.today if house.today.day == entry.day else Today(entry.day)
        name = first_account(house, str(data["guest"]))
        house = changed(house, today=changed(today, identified=(*today.identified, name)))
    if entry.kind in {PATRON_REGISTERED, PATRON_CHANGED} and "of_age" in data:
        house = _with_age(house, first_account(house, str(data["guest"])), bool(data["of_age"]))
    return house


def _with_age(house: House, name: str, of_age: bool) -> House:
    """Whoever is too young may not play, until the patron file says that he is of age."""
    others = tuple(heard for heard in house.too_young if heard != duties.spelled(name))
    return changed(house, too_young=others if of_age else (*others, duties.spelled(name)))


def _linked(house: House, guest: str, first: str, form: int) -> House:
    """One person has two accounts: their cash is one sum from now on, and whoever may not play may not with either."""
    aliases = {account: first if known == guest else known for account, known in house.aliases.items()}
    today, barred = house.today, dict(house.barred)
    own, theirs = today.cash.get(guest, GuestCash()), today.cash.get(first, GuestCash())
    if {guest, first} & today.cash.keys():
        kept = {name: cash for name, cash in today.cash.items() if name != guest}
        both = _added(own, theirs)
        if is_cash_watched(house, form):
            told = both if form >= WHOLE_DAYS else _added(_told(own), _told(theirs))
            both = changed(both, told_in_cents=told.in_cents, told_out_cents=told.out_cents)
        today = changed(today, cash={**kept, first: both})
    heard, heard_first = duties.spelled(guest), duties.spelled(first)
    if (bar := barred.pop(heard, None)) is not None:
        both_bars = barred.get(heard_first, bar)
        barred[heard_first] = changed(_stricter(both_bars, bar), guest=first)
    young = tuple(dict.fromkeys(heard_first if name == heard else name for name in house.too_young))
    return changed(house, aliases={**aliases, guest: first}, today=today, barred=barred, too_young=young)
