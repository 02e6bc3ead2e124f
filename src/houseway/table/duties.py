"""Nobody alone: which acts need a second person and who that may be, and who deals at a table. Data, and pure checks of it.

`DUTIES` is the table. Whoever gives a command that it names asks first: the request stands in the state until a second person
confirms it, on his own session. What the journal then holds is the command with both names, and `check` demands them wherever
a command is carried out: on the floor, when a journal is folded, and in an audit.
"""

import hashlib
import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from houseway.money import dollars
from houseway.refusal import Refused
from houseway.table import ledger
from houseway.table.commands import CONTEXT, AtStake, Command
from houseway.table.entry import canonical
from houseway.table.event import FORM, STRICT_DUTIES, STRICT_SLIPS, WITH_DUTIES
from houseway.table.house_events import Requested
from houseway.table.ledger import Transfer
from houseway.table.roles import OF_ACCOUNTS, OF_CARDS, OF_CHIPS, OF_MONEY, OF_THE_FLOOR, a_role
from houseway.table.state import Duties, House, PendingRequest, Round, Spell, Table, Today, changed

ONE, TWO = "one", "two"
ONE_NAME = "This house works with one name: no act here needs a second person, and any dealer deals and bets for any guest."
"""What every page and the audit say of such a house."""
THE_HOUSE, THE_DOOR = "house", "door"
"""Who goes on dealing when a shoe ran out, and who makes the first accounts: no persons, and so never a second one."""
ANSWER_SECONDS = 60
"""How long a guest with a screen has at least to take an offered bank, or to put up again, before the dealer goes on."""
WATCHED_CENTS = 300_000
"""Payouts above this are verified, where two names are needed, unless two people opened the table otherwise."""
REQUESTS_MOST = 200
DEALING = frozenset({"no-more-bets", "deal", "card", "result", "new-shoe", "settle", "time-out", "marker", "offer", "mix"})
"""What only the dealer on the table does."""
MENDING = frozenset({"correct-card", "swap-cards", "rekey", "undo"})
REKEYING = frozenset({*MENDING, "result", "replace-card", "change-bet"})
"""After this a payout is another one, and is verified again."""
GOING_ON = frozenset({"card", "deal", "decide", "time-out", "bet", "bets"})
"""After this too: what was acknowledged is what was known then."""
OF_TAPE = frozenset({*MENDING, "acknowledge", "change-bet", "replace-card"})
"""What somebody asks for of the cards and stakes that he sees: for no others."""
OF_ROUND = frozenset({*OF_TAPE, "void"})
"""What somebody asks for of the round in play: for no other. A correction names its round."""
FOR_GUESTS = frozenset({"bet", "bets", "withdraw", "ready", "decide", "bank", "table-buy-in", "tip", "leave", "pass"})
"""What the dealer on the table does for a guest without a screen of his own."""
_ANYBODYS_BEFORE = frozenset({"mix", "leave", "pass"})
"""What anybody of the staff did before form 6."""
STAKING = frozenset({"bet", "bets", "decide", "ready", "bank", "tip"})
"""What a guest with a screen of his own does himself."""
WORKING = frozenset({*DEALING, *MENDING, "replace-card", "change-bet", "bet", "bets", "withdraw", "decide"})
"""Whoever does this has a hand in the round, and neither acknowledges its payouts nor voids it."""


def _always(house: House, command: Command) -> bool:
    return True


def _never(house: House, command: Command) -> bool:
    return False


def _is_paid_early(house: House, command: Command) -> bool:
    """Whether something of the round is paid already: to change it is to reverse a payment."""
    table = house.tables.get(str(command.get("table", "")))
    return table is not None and bool(table.round.early)


def _is_less_watched(house: House, command: Command) -> bool:
    """Whether a table is to open with payouts that nobody verifies."""
    return command.get("watch") == "record" or command.get("watch_cents", 0) > WATCHED_CENTS


def _dealt_to_him(house: House, command: Command) -> bool:
    """Whether whoever pays a guest out had a hand in his rounds of the day."""
    if house.today.day != command.get("day"):
        return False
    return is_among(str(command.get("actor", "")), house.today.dealt_to.get(str(command.get("guest", "")), ()))


def _is_not_first(house: House, command: Command) -> bool:
    """Whether a house has begun: its very first command may say how many names it works with."""
    return "begins" not in command


def _is_anothers_account(house: House, command: Command) -> bool:
    """Whether an account is somebody else's, and there is anybody who could confirm that; the first ones are the machine's."""
    able = {name for name, role in house.staff.items() if role in OF_ACCOUNTS}
    actor, noted = command.get("actor"), command.get("noted", {})
    return actor not in {noted.get("name"), THE_DOOR} and bool(able - {actor})


def _lifts_age(house: House, command: Command) -> bool:
    """Whether another birth date would let somebody play who was too young by the one before."""
    noted = command.get("noted", {})
    guest = str(noted.get("guest", ""))
    is_young = spelled(house.aliases.get(guest, guest)) in house.too_young
    return is_young and bool(noted.get("redated") and noted.get("of_age"))


@dataclass(frozen=True)
class Duty:
    """An act that needs a second person with one of these roles: above a limit (0: always), when it is so.

    One that is `independent` is confirmed by nobody who keyed, dealt or settled the round. `regardless` of the limit it needs
    a second person in some cases. An act without an amount `has_limit` none.
    """

    act: str
    about: str
    second: tuple[str, ...]
    limit_cents: int = 0
    has_limit: bool = True
    independent: bool = False
    when: Callable[[House, Command], bool] = _always
    regardless: Callable[[House, Command], bool] = _never
    because: str = ""


def _is_opened_strictly(house: House, command: Command) -> bool:
    """Before form 6 an opener was one person's, however large."""
    return _is_strict(command) or _is_less_watched(house, command)


def _is_closed_strictly(house: House, command: Command) -> bool:
    return _is_strict(command)


def _is_under_way(house: House, command: Command) -> bool:
    """Whether chips of a slip are on their way."""
    under_way = house.balance(ledger.transit(str(command.get("slip", ""))))
    return bool(under_way) and command.get("form", FORM) >= STRICT_SLIPS


def _is_counted_otherwise(house: House, command: Command) -> bool:
    """Whether the count of a tray that closes is not what it should hold."""
    tray = house.balance(ledger.tray(str(command.get("table", ""))))
    return bool(command.get("closer_cents", tray) != tray)


CASH_CENTS, PAYOUT_CENTS, TRAY_CENTS = 300_000, 1_000_000, 10_000_000
_EARLY = {"has_limit": False, "when": _is_paid_early, "because": "once something of the round is paid"}

DUTIES: Mapping[str, Duty] = {
    duty.act: duty
    for duty in (
        Duty("fund", "Cash from outside into the cage", OF_MONEY),
        Duty(
            "buy-in", "Sell a guest chips at the cage", OF_MONEY, CASH_CENTS, because="what he bought alone that day included"
        ),
        Duty("table-buy-in", "Sell a guest chips at a table", OF_MONEY, CASH_CENTS, because="what he bought that day included"),
        Duty(
            "cash-out",
            "Pay a guest cash for chips",
            OF_MONEY,
            CASH_CENTS,
            regardless=_dealt_to_him,
            because="what he cashed that day included; always by who had a hand in his rounds that day",
        ),
        Duty("chips-in", "Bring chips into the cage", OF_MONEY),
        Duty("chips-out", "Take chips out of the cage for good", OF_MONEY),
        Duty("fill", "Chips from the cage to a tray", OF_CHIPS),
        Duty("credit", "Chips from a tray to the cage", OF_CHIPS),
        Duty(
            "void-slip",
            "Void a slip",
            OF_MONEY,
            has_limit=False,
            when=_is_under_way,
            because="once its chips are under way",
        ),
        Duty(
            "open",
            "Open a table",
            OF_THE_FLOOR,
            TRAY_CENTS,
            when=_is_opened_strictly,
            regardless=_is_less_watched,
            because=f"its opener; always if payouts above {dollars(WATCHED_CENTS)} are not to be acknowledged there",
        ),
        Duty(
            "close",
            "Close a table",
            OF_CHIPS,
            TRAY_CENTS,
            when=_is_closed_strictly,
            regardless=_is_counted_otherwise,
            because="what its tray holds; always if another amount was counted",
        ),
        Duty("acknowledge", "Acknowledge a high payout", OF_THE_FLOOR, PAYOUT_CENTS, independent=True),
        Duty("void", "Void a round", OF_THE_FLOOR, independent=True),
        Duty("correct", "Correct a settled round", OF_THE_FLOOR, has_limit=False, independent=True),
        Duty("change-bet", "Change a wager after no more bets", OF_THE_FLOOR, independent=True),
        Duty("replace-card", "Replace a card that was exposed", OF_CARDS, has_limit=False),
        Duty("correct-card", "Correct a keyed card", OF_THE_FLOOR, **_EARLY),  # type: ignore[arg-type]
        Duty("swap-cards", "Swap two keyed cards", OF_THE_FLOOR, **_EARLY),  # type: ignore[arg-type]
        Duty("rekey", "Key a round again", OF_THE_FLOOR, **_EARLY),  # type: ignore[arg-type]
        Duty("undo", "Take a decision back", OF_THE_FLOOR, **_EARLY),  # type: ignore[arg-type]
        Duty("lost-shoe", "Record that the order of a shoe is lost", OF_THE_FLOOR, has_limit=False),
        Duty("duties", "Change these duties", OF_ACCOUNTS, has_limit=False, when=_is_not_first),
        Duty("house-rule", "Change a rule of the house", OF_ACCOUNTS, has_limit=False),
        Duty("readmit", "Let a guest play again", OF_THE_FLOOR, has_limit=False),
        Duty(
            "patron-changed",
            "Change a birth date",
            OF_THE_FLOOR,
            has_limit=False,
            when=_lifts_age,
            because="if somebody who was too young may then play",
        ),
        Duty("patrons-purged", "Remove personal data that are due", OF_ACCOUNTS, has_limit=False),
        Duty("person-added", "Give somebody an account", OF_ACCOUNTS, has_limit=False, when=_is_anothers_account),
        Duty("person-changed", "Change somebody's account", OF_ACCOUNTS, has_limit=False, when=_is_anothers_account),
        Duty("person-removed", "Remove somebody's account", OF_ACCOUNTS, has_limit=False, when=_is_anothers_account),
        Duty("person-reset", "Give somebody a new password", OF_ACCOUNTS, has_limit=False, when=_is_anothers_account),
        Duty("account-rules", "Change what is asked of accounts", OF_ACCOUNTS, has_limit=False, when=_is_anothers_account),
    )
}
"""Every act that needs a second person, with its limit unless the house sets another."""


@dataclass(frozen=True)
class Need:
    """What an act needs: a second person by its duty, for so many cents, who is none of those `barred`."""

    duty: Duty
    cents: int
    barred: frozenset[str]


def begun(house: House, command: Command) -> House:
    """The house with its duties: its first command fixes them. One that began before there were any has one name."""
    if house.duties is not None:
        return house
    usual = TWO if command.get("form", FORM) >= WITH_DUTIES else ONE
    return changed(house, duties=Duties(str(command.get("begins", usual))))


def are_two(house: House) -> bool:
    """Whether the house works with two names; one that has not begun has none yet."""
    return house.duties is not None and house.duties.names == TWO


def limit_of(house: House, duty: Duty) -> int:
    """Above how many cents an act needs a second person in this house."""
    return house.duties.limits.get(duty.act, duty.limit_cents) if house.duties else duty.limit_cents


def is_among(name: str, names: Iterable[str]) -> bool:
    """Whether somebody is one of these people, however his name is spelled: Sue is no second person to sue."""
    return spelled(name) in map(spelled, names)


def spelled(name: str) -> str:
    """A name as it is heard: without capitals, spaces and other ways of writing it."""
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


# Who had a hand in a round


def worked_on(house: House, table: str, number: int) -> frozenset[str]:
    """Everybody who keyed, dealt, mended or settled a round of the day."""
    known = [*house.earlier.get(table, ()), *([house.tables[table]] if table in house.tables else [])]
    spells = (spell for each in known for spell in each.worked if spell.first <= number <= spell.last)
    return frozenset(spell.name for spell in spells)


def _with_spell(worked: tuple[Spell, ...], name: str, number: int) -> tuple[Spell, ...]:
    """Who worked when, with one more round of somebody's."""
    last = next((spell for spell in reversed(worked) if spell.name == name), None)
    if last is None or number > last.last + 1:
        return (*worked, Spell(name, number, number))
    if last.last == number:
        return worked
    return tuple(changed(spell, last=number) if spell is last else spell for spell in worked)


def _round_of(house: House, command: Command) -> int:
    """The round that a command is about."""
    table = house.tables.get(str(command.get("table", "")))
    if command.get("kind") == "correct":
        return int(command.get("round", 0))
    return table.round.number if table else 0


# What a command needs


def needs(house: House, command: Command, cents: int) -> Need | None:
    """Whether a command, with its context, needs a second person, and which; also of what the journal only notes."""
    duty = DUTIES.get(str(command.get("kind", "")))
    if duty is None or not are_two(house) or not duty.when(house, command):
        return None
    limit, at_stake = limit_of(house, duty), cents + _alone_today(house, command)
    if duty.has_limit and limit and at_stake <= limit and not duty.regardless(house, command):
        return None
    barred = {str(command.get("actor", "")), THE_HOUSE}
    if duty.independent:
        barred |= worked_on(house, str(command.get("table", "")), _round_of(house, command))
    return Need(duty, cents, frozenset(barred))


_CASH = {"buy-in": "bought", "table-buy-in": "bought", "cash-out": "cashed"}


def _cash_key(command: Command) -> str:
    return f"{_CASH[str(command['kind'])]}:{command.get('guest', '')}"


def _alone_today(house: House, command: Command) -> int:
    """What one person alone sold this guest, or cashed for him, earlier that day: small amounts add up."""
    if command.get("kind") not in _CASH or house.today.day != command.get("day"):
        return 0
    return house.today.alone.get(_cash_key(command), 0)


def check(house: House, command: Command, at_stake: AtStake) -> None:
    """Refuse what nobody may do alone, or who may not do it at all; a house of one name asks neither."""
    if not are_two(house):
        return
    check_first(house, command)
    cents = at_stake(house, command) if command.get("kind") in DUTIES else 0
    need = needs(house, command, cents)
    if need is None and "second" in command and command.get("kind") in DUTIES:  # it needed one when it was asked for
        need = Need(DUTIES[str(command["kind"])], cents, frozenset({str(command.get("actor", "")), THE_HOUSE}))
    if need is not None:
        check_second(house, command, need)


def check_first(house: House, command: Command) -> None:
    """Refuse a first person who had a hand in the round he would judge, or who deals at a table without being on it."""
    if not are_two(house):
        return
    kind, actor = str(command.get("kind", "")), str(command.get("actor", ""))
    if kind in {"acknowledge", "void"} or (kind == "correct" and command.get("void")):
        number = _round_of(house, command)
        if is_among(actor, worked_on(house, str(command.get("table", "")), number)):
            verb = "acknowledges its payouts" if kind == "acknowledge" else "voids it"
            other = f"somebody who keyed, dealt and settled nothing of it {verb}"
            raise Refused("own-round", f"{actor} had a hand in round {number}: {other}")
    table = house.tables.get(str(command.get("table", "")))
    if table is not None and table.is_open and is_dealers(command):
        _check_on_table(table, command, actor)
        _check_screen(table, command, kind)


def _is_strict(command: Command) -> bool:
    return bool(command.get("form", FORM) >= STRICT_DUTIES)


def is_dealers(command: Command) -> bool:
    """Whether a command, with its context, is one that only the dealer on the table gives, or a guest for himself."""
    kind = command.get("kind")
    listed = kind in DEALING | MENDING | FOR_GUESTS and (kind not in _ANYBODYS_BEFORE or _is_strict(command))
    return listed and command.get("role") != "guest"


def _check_screen(table: Table, command: Command, kind: str) -> None:
    """Refuse whoever of the staff acts for a guest who has a screen of his own; a bet that is taken back is his again."""
    spot = table.round.spots.get(command.get("seat", 0))
    guest = command.get("guest", spot.guest if spot else "")
    if kind in STAKING and guest in table.screens:
        raise Refused("own-screen", f"{guest} has a screen of his own and acts for himself: nobody else moves his chips")
    if kind in {"leave", "pass"} and guest in table.screens:
        _check_seat(table, command, kind, str(guest))


def _check_seat(table: Table, command: Command, kind: str, guest: str) -> None:
    """Refuse to free the seat of a guest with a screen, or to pass his bank on, while he has something to do there.

    A seat that was left behind is freed; an offer that nobody answers goes on.
    """
    bank, seat = table.bank, command.get("seat")
    if kind == "leave":
        bets = any(spot.guest == guest for spot in table.round.spots.values())
        banks = bank is not None and table.seated.get(bank.holder) == guest
        if bets or banks or (table.shoe is not None and table.shoe.wants_seeds):
            why = "bets or banks" if bets or banks else "may add to the new shoe"
            raise Refused("own-screen", f"{guest} has a screen of his own and {why}: he leaves by himself")
    if bank is not None and seat in {bank.offered, bank.holder}:
        waited = (_moment(command["at"]) - _moment(table.touched_at)).total_seconds()
        if 0 <= waited < (wanted := max(table.decision_seconds, ANSWER_SECONDS)):
            left = wanted - int(waited)
            raise Refused("own-screen", f"{guest} has a screen of his own and may answer for {left} more seconds")


def _moment(at: object) -> datetime:
    return datetime.fromisoformat(str(at))


def _check_on_table(table: Table, command: Command, actor: str) -> None:
    if table.dealer == actor or _goes_on_by_itself(table, command):
        return
    who = f"{table.dealer} is" if table.dealer else "nobody is"
    only = "only the dealer on the table does this; sign on first"
    raise Refused("not-on-table", f"{actor} is not on {table.name} ({who}): {only}")


def _goes_on_by_itself(table: Table, command: Command) -> bool:
    """BJ-9: a round whose shoe ran out goes on from the discards, which were just shuffled."""
    is_deal = command.get("kind") == "deal" and command.get("actor") == THE_HOUSE
    return is_deal and bool(table.round.drawn) and table.shoe is not None and table.shoe.used == 0


def check_second(house: House, command: Command, need: Need) -> None:
    """Refuse a command whose second person is missing, or is not one who may be it."""
    second = command.get("second")
    if not isinstance(second, Mapping):
        wanted = f"{one_of_roles(need.duty.second)} other than {command.get('actor')}"
        raise Refused("second-person", f"{need.duty.act} needs a second person here: {wanted} confirms it")
    request = open_request(house, second.get("request"), str(command.get("at", "")))
    own = {name: value for name, value in command.items() if name not in _NOT_ITS_OWN}
    if (request.asked_by, request.role, request.command) != (command.get("actor"), command.get("role"), canonical(own)):
        raise Refused("another-request", f"request {request.number} is for something else")
    check_person(need, request, str(second.get("confirmed_by", "")), str(second.get("role", "")))
    check_same_round(house, request)


_NOT_ITS_OWN = CONTEXT - {"kind"}


def check_person(need: Need, request: PendingRequest, name: str, role: str) -> None:
    """Refuse whoever may not confirm a request."""
    if problem := why_not(need, request, name, role):
        raise Refused("not-second", problem)


def why_not(need: Need, request: PendingRequest, name: str, role: str) -> str:
    """Why somebody may not confirm a request; nothing if he may."""
    if is_among(name, {request.asked_by}):
        return f"{name} asked for request {request.number}: somebody else confirms it"
    if role not in request.second:
        return f"request {request.number} needs {one_of_roles(request.second)}: {one_of_roles([role])} may not confirm it"
    if is_among(name, need.barred):
        return f"{name} had a hand in the round of request {request.number}: somebody else confirms it"
    return ""


def one_of_roles(roles: Iterable[str]) -> str:
    """Roles as a choice: "a supervisor or an administrator"."""
    words = [a_role(role) for role in roles]
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


# Requests


def open_request(house: House, number: object, at: str) -> PendingRequest:
    """A request that waits at a moment; refused if there is none of this number, or it has lapsed."""
    request = house.requests.get(number) if isinstance(number, int) else None
    if request is None:
        waiting = ", ".join(str(each.number) for each in house.requests.values() if at <= each.until) or "none"
        gone = "it is done, declined or lapsed"
        raise Refused("unknown-request", f"no request {str(number)[:20]} waits: {gone} (waiting: {waiting})")
    if at > request.until:
        raise Refused("lapsed", f"request {request.number} has lapsed at {clock_of(request.until)}: ask again")
    return request


def is_of_another_round(house: House, request: PendingRequest) -> str:
    """Why a request is not for what lies on the table now; nothing if it is."""
    table = house.tables.get(request.table)
    if not request.round or table is None:
        return ""
    number = table.round.number
    if number != request.round:
        then = f"request {request.number} was for round {request.round} of {table.name}, and round {number} is in play"
        return f"{then}: ask again, if it is still wanted"
    if request.tape and request.tape != tape_digest(table.round):
        return f"the cards or stakes of round {number} are others than when request {request.number} was asked for: ask again"
    return ""


def check_same_round(house: House, request: PendingRequest) -> None:
    """Refuse a request that was for another round, or for other cards and stakes."""
    if problem := is_of_another_round(house, request):
        raise Refused("another-round", problem)


def tape_digest(round_: Round) -> str:
    """What lies on the felt, in few digits: stakes, choices and cards. It stays in the state, for cards may be face down."""
    spots = {
        str(seat): [spot.guest, dict(spot.bets), dict(spot.for_dealer), list(spot.choices)]
        for seat, spot in round_.spots.items()
    }
    felt = [round_.number, spots, round_.dice, list(round_.drawn), list(round_.set_aside), round_.result]
    return hashlib.sha256(canonical(felt).encode()).hexdigest()


def need_of(house: House, request: PendingRequest, day: str = "") -> Need:
    """What a request needs as things stand now."""
    context = {"actor": request.asked_by, "role": request.role, "day": day}
    need = needs(house, json.loads(request.command) | context, request.cents)
    return need or Need(DUTIES[request.act], request.cents, frozenset({request.asked_by, THE_HOUSE}))


def clock_of(at: str) -> str:
    """The time of day of a moment of the journal."""
    return f"{datetime.fromisoformat(at):%H:%M} UTC"


def asked(house: House, command: Command, cents: int) -> tuple[House, Requested]:
    """The house with a request for a command, and what is told of it; refused where no second person is needed."""
    house = begun(house, command)
    need = needs(house, command, cents)
    if need is None or house.duties is None:
        raise Refused("no-second-needed", f"{command.get('kind')} needs no second person here")
    at, own = str(command["at"]), {name: value for name, value in command.items() if name not in _NOT_ITS_OWN}
    actor, role, text = str(command.get("actor")), str(command.get("role")), canonical(own)
    waiting = {n: each for n, each in house.requests.items() if at <= each.until and not is_of_another_round(house, each)}
    for each in waiting.values():
        if (each.asked_by, each.command) == (actor, text):
            raise Refused("asked-already", f"request {each.number} asks for just this: it waits until {clock_of(each.until)}")
    if len(waiting) >= REQUESTS_MOST:
        raise Refused("too-many-requests", f"{REQUESTS_MOST} requests wait already: confirm or decline some")
    until = datetime.fromisoformat(at) + timedelta(minutes=house.duties.minutes)
    number = house.requests_made + 1
    table = house.tables.get(str(command.get("table", ""))) if _is_strict(command) else None
    request = PendingRequest(
        number=number,
        act=need.duty.act,
        command=text,
        table=str(command.get("table", "")),
        cents=cents,
        asked_by=actor,
        role=role,
        at=at,
        until=until.isoformat(timespec="microseconds"),
        second=need.duty.second,
        round=table.round.number if table and need.duty.act in OF_ROUND else 0,
        tape=tape_digest(table.round) if table and need.duty.act in OF_TAPE else "",
    )
    event = Requested(number, request.act, cents, actor, request.second, request.until)
    return changed(house, requests={**waiting, number: request}, requests_made=number), event


def without_request(house: House, number: int) -> House:
    """The house after a request was carried out, or declined."""
    return changed(house, requests={n: each for n, each in house.requests.items() if n != number})


def without_requests_of(house: House, name: str) -> House:
    """The house after somebody's account was changed or removed: what he asked for in a role that he has not is nobody's."""
    role = house.staff.get(name)
    return changed(
        house, requests={n: each for n, each in house.requests.items() if each.asked_by != name or each.role == role}
    )


def permit_for(house: House, command: Command) -> PendingRequest | None:
    """The confirmed request that lets somebody do what the journal only notes: a note says all of it, and may say more."""
    at, actor = str(command.get("at", "")), command.get("actor")
    confirmed = (each for each in house.requests.values() if each.confirmed_by and each.asked_by == actor and at <= each.until)
    return next((each for each in confirmed if _is_for(json.loads(each.command), command)), None)


def _is_for(asked_for: Command, command: Command) -> bool:
    """Whether a note is what was asked for."""
    wanted, noted = asked_for.get("noted", {}), command.get("noted", {})
    return bool(asked_for["kind"] == command.get("kind") and wanted.items() <= noted.items())


# What a command leaves behind


def house_after(house: House, before: House, command: Command, transfers: Iterable[Transfer]) -> House:
    """The house with what duties remember of a command that was carried out."""
    second, kind, day = command.get("second"), command.get("kind"), str(command.get("day", ""))
    if second is not None and isinstance(second, Mapping):
        house = without_request(house, int(second["request"]))
    corrects = kind == "correct" and _is_strict(command)
    if not are_two(house) or not (kind == "settle" or kind in _CASH or corrects):
        return house
    today = house.today if house.today.day == day else Today(day)
    if kind not in _CASH:
        table = before.tables[str(command["table"])]
        names = worked_on(before, table.name, _round_of(before, command)) | {str(command.get("actor", ""))}
        guests = {spot.guest for spot in table.round.spots.values()} if kind == "settle" else set()
        if corrects:
            names |= {str(second["confirmed_by"])} if isinstance(second, Mapping) else set()
            guests = {name for name in (_guest_of(transfer.target) for transfer in transfers) if name}
        elif table.bank is not None and _is_strict(command):
            guests.add(table.seated[table.bank.holder])
        dealt = {guest: tuple(sorted({*today.dealt_to.get(guest, ()), *names})) for guest in sorted(guests)}
        return changed(house, today=changed(today, dealt_to={**today.dealt_to, **dealt}))
    if second is None:
        key = _cash_key(command)
        alone = today.alone.get(key, 0) + int(command.get("cents", 0))
        return changed(house, today=changed(today, alone={**today.alone, key: alone}))
    return house if today is house.today else changed(house, today=today)


def _guest_of(account: str) -> str:
    """Whose account it is, if it is a guest's."""
    kind, _, name = account.partition(":")
    return name if kind == "guest" else ""


def table_after(table: Table, before: House, command: Command, transfers: Iterable[Transfer]) -> Table:
    """The table with what duties remember: who worked, who has a screen of his own, whose chips were bought there."""
    if command.get("form", FORM) < WITH_DUTIES:
        return table
    is_guest, screens = command.get("role") == "guest", table.screens
    if not (is_guest or screens or are_two(before)):
        return table
    kind, actor = command.get("kind"), str(command.get("actor", ""))
    is_strict, was = _is_strict(command), before.tables.get(table.name)
    if is_guest and (kind in {"sit", "bet", "bets"} or (is_strict and kind != "leave")) and actor not in screens:
        screens = (*screens, actor)
    if screens and (not is_strict or (is_guest and kind == "leave")):
        here = {*table.seated.values(), *(spot.guest for spot in table.round.spots.values())}
        screens = tuple(name for name in screens if name in here or (is_strict and name != actor))
    if not are_two(before):
        return table if screens == table.screens else changed(table, screens=screens)
    worked = table.worked
    if was is not None and kind in WORKING and not is_guest and actor != THE_HOUSE:
        worked = _with_spell(worked, actor, was.round.number)
    if table.round.acknowledged and (kind in REKEYING or (is_strict and kind in GOING_ON)):
        table = changed(table, round=changed(table.round, acknowledged=False))  # it was of what was keyed before
    had = was.screens if was is not None and is_strict else ()  # what he wins with his last bet is no dealer's to bet
    racks = _racks(table, (*screens, *had), command, transfers)
    if (screens, worked, racks) == (table.screens, table.worked, table.racks):
        return table
    return changed(table, screens=screens, worked=worked, racks=racks)


def _racks(table: Table, screens: tuple[str, ...], command: Command, transfers: Iterable[Transfer]) -> Mapping[str, int]:
    """What guests without a screen have at a table; refused if the dealer bets what was not bought, or won, there."""
    racks = {name: cents for name, cents in table.racks.items() if name not in screens}
    for transfer in transfers:
        for account, cents in ((transfer.source, -transfer.cents), (transfer.target, transfer.cents)):
            name = _guest_of(account)
            if name and name not in screens:
                racks[name] = racks.get(name, 0) + cents
    if command.get("role") != "guest" and command.get("kind") in STAKING:
        for name, cents in racks.items():
            if cents < 0:
                has = dollars(table.racks.get(name, 0))
                sell = f"sell him chips at {table.name} first (table-buy-in)"
                raise Refused("not-bought-here", f"{name} has {has} in chips bought or won at {table.name}: {sell}")
    return {name: cents for name, cents in racks.items() if cents > 0}
