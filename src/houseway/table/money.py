"""Opening and closing a table, and the money between the cage, trays, boxes, guests and the world outside."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from houseway.money import dollars
from houseway.refusal import Refused, one_of, to_type
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Value
from houseway.rulebook.settings import Settings
from houseway.table import ledger
from houseway.table.bound import ASSUMED, bound_edition
from houseway.table.california import rules_in_force
from houseway.table.commands import Command, Handler, command, whole
from houseway.table.counts import check_closable
from houseway.table.debts import owed, pay_debt
from houseway.table.duties import are_two
from houseway.table.engine import (
    OPENER_DUE,
    Effect,
    amount,
    check_shoe_known,
    in_phase,
    is_shuffled_every_round,
    open_table,
    text,
)
from houseway.table.event import FORM, WITH_DUTIES
from houseway.table.fields import (
    AGGREGATES,
    BANK_FEE,
    BANK_RULES,
    CENTS,
    CLOSER,
    CUT,
    DECISION_SECONDS,
    EDITION,
    GUEST,
    GUEST_SEEDS,
    LIMITS,
    MOST_AMOUNT_CENTS,
    OFFERED,
    OPENER,
    PIECES,
    PLAYER_FEE,
    SEATS,
    SEATS_PER_GUEST,
    SETTINGS,
    SOURCE,
    TABLE,
    WATCH,
    WATCH_CENTS,
)
from houseway.table.house_events import (
    BoughtAtTable,
    BoughtIn,
    CashedOut,
    Credited,
    Dropped,
    Filled,
    Funded,
    MoneyMoved,
    TableClosed,
    TableOpened,
    Tipped,
    TrayCounted,
)
from houseway.table.ledger import CAGE, OUTSIDE
from houseway.table.pieces import Pieces, chips_of, in_pieces, mixed, pieces_at, read_pieces, worth
from houseway.table.roles import ADMINISTRATORS, CASHIERS, COUNTERS, DEALERS, OPENERS, TIPPERS
from houseway.table.slips import refuse_one_step
from houseway.table.state import CUT_PERCENT, Bank, Bound, House, Phase, Round, Table, changed
from houseway.table.unfold import Draw
from houseway.table.washington import check_aggregate

COUNTS_ON = 3
"""The form of journals since a table that opens again goes on counting its rounds."""


@command(
    "open",
    OPENERS,
    "Open a table for an edition",
    TABLE,
    EDITION,
    SOURCE,
    may=(
        OPENER,
        SETTINGS,
        SEATS,
        SEATS_PER_GUEST,
        WATCH,
        WATCH_CENTS,
        LIMITS,
        AGGREGATES,
        DECISION_SECONDS,
        CUT,
        PLAYER_FEE,
        BANK_FEE,
        BANK_RULES,
        OFFERED,
        GUEST_SEEDS,
    ),
    path="/tables",
    recorded_when_refused=True,
    at_stake=lambda house, command: int(command.get("opener_cents", 0)),
)
def _open(house: House, command: Command, draw: Draw) -> Effect:
    name = text(command, "table")
    if name in house.tables and house.tables[name].is_open:
        raise Refused("table-open", f"table {name} is open already")
    edition, document, bound = bound_edition(house, command)
    source = text(command, "source")
    settings = _bound_settings(edition, command.get("settings", {}), bound, source)
    if source in edition.refused_sources:
        raise Refused("source-refused", f"{source} is refused by {edition.refused_sources[source]} in {edition.id}")
    one_of("card source", source, edition.sources)
    seats = whole(command, "seats") if "seats" in command else edition.usual_seats
    if bound.origin != ASSUMED:  # D4P-13; what 0.1 has opened is open
        edition.check_seats(seats)
    day = str(command.get("day", ""))
    banked = edition.banked_by == "player"
    limits = _table_limits(edition, command.get("limits", {}))
    opener = _opener(house, command, name, banked)
    known, form = house.tables.get(name), command.get("form", FORM)
    usual = "acknowledge" if are_two(house) else "record"
    number = known.round.number if known and form >= COUNTS_ON else 1
    table = Table(
        name=name,
        edition=edition.id,
        document=document,
        bound=bound,
        settings=dict(settings),
        source=source,
        seats=seats,
        opener_cents=opener,
        watch=one_of("watch", command.get("watch", usual), ["record", "acknowledge"]),
        watch_cents=command.get("watch_cents", 300_000),
        decision_seconds=command.get("decision_seconds", 0),
        shoes_made=known.shoes_made if known else 0,
        limits=limits,
        seats_per_guest=command.get("seats_per_guest", 0),
        aggregates=_aggregates(edition, settings, limits, command.get("aggregates", {}), day),
        bank=_new_bank(command, day) if banked else None,
        offered=_offered(edition, command.get("offered")),
        check_cards=known.check_cards if known and known.edition == edition.id else "",
        cut_percent=command.get("cut_percent", CUT_PERCENT),
        form=form,
        round=Round(number=number),
        first_round=number,
        shoe_since=number,
        guest_seeds=command.get("guest_seeds", 0),
        tray_count=OPENER_DUE if house.pieces and opener else "",
    )
    if table.guest_seeds and source != "virtual-shoe":
        raise Refused("no-seeds", f"guests add randomness to a virtual shoe only: the cards of {source} are as they come")
    if "cut_percent" in command and is_shuffled_every_round(table):
        raise Refused("no-cut-card", f"{edition.name} is shuffled before every round here: there is no cut card to set")
    effect = Effect(house, table)
    if known and form >= COUNTS_ON:
        today = (before for before in (*house.earlier.get(name, ()), known) if before.closed_on == day)
        effect.earlier = name, tuple(today)
    if not chips_of(house):
        effect.move(CAGE, ledger.tray(name), opener, "opener")
    effect.tell(TableOpened(edition.id, bound.rules, opener))
    return effect


def _opener(house: House, command: Command, name: str, banked: bool) -> int:
    """What is in the tray: in a house with chips what was locked in it, which two count; chips come by fill."""
    if not chips_of(house):
        return 0 if banked else amount(command, "opener_cents")
    if "opener_cents" in command:
        raise Refused("by-slip", "in a house with chips the tray opens with what is locked in it: chips come with request-fill")
    if house.balance(ledger.drop(name)):
        raise Refused("box-not-pulled", f"the box of {name} is still there since it closed: security pulls it with pull-box")
    return house.balance(ledger.tray(name))


def _bound_settings(edition: Edition, chosen: Mapping[str, Value], bound: Bound, source: str) -> Settings:
    """The table's settings; a file of one's own is among them by its content, for a path may lead elsewhere tomorrow.

    What is not chosen is as the edition says, for cards of this source (EPG-9: fouls); a table that 0.1 opened, whose
    edition's content nobody kept, plays without what came later.
    """
    if bound.origin == ASSUMED:
        later = {name: switch.values[0] for name, switch in edition.game.switches.items() if switch.since}
        settings = edition.settings(chosen)
        settings = replace(settings, values_by_name=tuple((name, later.get(name, value)) for name, value in settings.items()))
    else:
        settings = edition.settings({**edition.defaults.get(source, {}), **chosen})
    for name, switch in edition.game.switches.items():
        value = settings[name]
        if switch.allows_file(value):
            if str(value).endswith(".toml") and bound.origin != ASSUMED:
                way = f"houseway table open --set {name}=FILE reads the file and binds its content"
                raise Refused("setting-is-a-file", f"{name} {value} is a path, and a table is bound to content only: {way}")
            if bound.origin != ASSUMED:
                edition.game.encode(settings)  # refused now if it cannot be read, and not at the first deal
    return settings


def _offered(edition: Edition, chosen: Sequence[str] | None) -> tuple[str, ...]:
    """The wagers of this table: all that the edition offers, or those chosen (EPG-3, 4, 5: a house may leave a bonus out).

    A wager that another one needs or follows stays with it.
    """
    if chosen is None:
        return tuple(edition.wagers)
    wanted = [edition.wager(name).id for name in chosen]
    wagers = edition.game.wagers
    wanted += [name for name in edition.wagers if wagers[name].follows in wanted]  # placed by a choice, never by itself
    if not any(not wagers[name].follows for name in wanted):
        raise Refused("bad-offer", f"a table offers at least one wager (of {edition.to_type(edition.wagers)})")
    for name in wanted:
        for other in filter(None, (wagers[name].needs, wagers[name].follows)):
            if other in edition.wagers and other not in wanted:
                own, needed = wagers[name].name, wagers[other].name
                raise Refused("bad-offer", f"{own} needs {needed}: offer {to_type(other, needed)} too, or leave {own} out")
    return tuple(name for name in edition.wagers if name in wanted)


def _new_bank(command: Command, day: str) -> Bank:
    return Bank(
        player_fee_cents=command.get("player_fee_cents", 0),
        bank_fee_cents=command.get("bank_fee_cents", 0),
        rules=rules_in_force(command.get("bank_rules", "none"), day),
    )


def _aggregates(
    edition: Edition, settings: Settings, limits: Mapping[str, tuple[int, int]], given: Mapping[str, int], day: str
) -> dict[str, int]:
    """The most that one deal pays on a wager, where the law allows to limit it."""
    if given and edition.banked_by == "player":
        raise Refused("no-aggregate", "what a player's bank puts up is its limit: no other can be set")
    for wager, cents in given.items():
        terms = edition.wagers[edition.wager(wager).id].limits
        top = max(edition.pay(wager, outcome.id, settings).net for outcome in edition.possible(wager, settings))
        check_aggregate(edition.name_of(wager), top, limits.get(wager, (terms.min_cents, terms.max_cents)), cents, day)
    return dict(given)


def _table_limits(edition: Edition, given: Any) -> dict[str, tuple[int, int]]:
    """The table's own minimum and maximum for a wager; they may only narrow the edition's."""
    limits = {}
    for name, bounds in dict(given).items():
        terms = edition.wagers[edition.wager(name).id].limits
        least, most = bounds
        if not terms.min_cents <= least <= most <= terms.max_cents:
            allowed = f"{dollars(terms.min_cents)} to {dollars(terms.max_cents)} ({terms.source})"
            raise Refused("bad-limits", f"{edition.name_of(name)}: {dollars(least)} to {dollars(most)} is not within {allowed}")
        limits[name] = (least, most)
    return limits


def _cash(command: Command) -> int:
    """An amount that is not taken from what is there: refused beyond what a card room has. Older journals knew no bound."""
    cents = amount(command)
    if cents > MOST_AMOUNT_CENTS and command.get("form", FORM) >= WITH_DUTIES:
        raise Refused("amount-too-large", f"{dollars(cents)} is too much at once: at most {dollars(MOST_AMOUNT_CENTS)}")
    return cents


def named_pieces(house: House, command: Command, cents: int, seller: str = "") -> Pieces | None:
    """The pieces that a command names for an amount; where it names none a `seller` gives a mixture to play with."""
    if "pieces" in command:
        pieces = read_pieces(house, command["pieces"])
        if worth(pieces) != cents:
            raise Refused("not-equal", f"{in_pieces(pieces)} is {dollars(worth(pieces))}, and not {dollars(cents)}")
        return pieces
    values = chips_of(house)
    return mixed(pieces_at(house, seller), cents, values) if values and seller else None


def _cage(event: type[MoneyMoved]) -> Handler:
    """Money between the cage, a guest and the world outside."""

    def handler(house: House, command: Command, draw: Draw) -> Effect:
        cents, effect = _cash(command), Effect(house)
        if event is Funded:
            effect.move(OUTSIDE, CAGE, cents, "cage funded")
        elif event is BoughtIn:
            effect.move(OUTSIDE, CAGE, cents, "cash for chips")
            guest, sold = ledger.guest(text(command, "guest")), named_pieces(house, command, cents, CAGE)
            effect.move(CAGE, guest, cents, "chips for cash", sold)
        else:
            if "pieces" in command and (debt := owed(house, text(command, "guest"))) > 0:
                raise Refused("owes-first", f"{command['guest']} owes {dollars(debt)}, which is paid first: name no pieces")
            given = named_pieces(house, command, cents)
            cents -= pay_debt(effect, text(command, "guest"), cents)  # who owes pays that first
            effect.move(ledger.guest(text(command, "guest")), CAGE, cents, "chips cashed", given)
            effect.move(CAGE, OUTSIDE, cents, "cash paid")
        effect.tell(event(cents, command.get("guest", "")))
        return effect

    return handler


command("fund", ADMINISTRATORS, "Bring cash into the cage", CENTS, may=(TABLE,), recorded_when_refused=True)(_cage(Funded))
command("buy-in", CASHIERS, "Sell chips to a guest at the cage", GUEST, CENTS, may=(TABLE, PIECES))(_cage(BoughtIn))
command("cash-out", CASHIERS, "Buy a guest's chips back", GUEST, CENTS, may=(TABLE, PIECES))(_cage(CashedOut))


def _table_money(event: type[MoneyMoved]) -> Handler:
    """Money between the cage, a table's tray and its box."""

    def handler(house: House, command: Command, draw: Draw) -> Effect:
        table, cents = open_table(house, command), amount(command)
        tray, effect = ledger.tray(table.name), Effect(house)
        if event in {Filled, Credited}:
            kind = "fill" if event is Filled else "credit"
            refuse_one_step(house, f"a supervisor opens a {kind} slip with request-{kind}, and the others sign it")
        if event is Filled:
            effect.move(CAGE, tray, cents, "fill")
            effect.table = changed(table, fills_cents=table.fills_cents + cents)
        elif event is Credited:
            effect.move(tray, CAGE, cents, "credit")
            effect.table = changed(table, credits_cents=table.credits_cents + cents)
        elif event is BoughtAtTable:
            effect.move(OUTSIDE, ledger.drop(table.name), cents, "cash into the box")
            sold = named_pieces(house, command, cents, tray)
            effect.move(tray, ledger.guest(text(command, "guest")), cents, "chips for cash", sold)
        else:
            if command.get("role") == "guest" and command.get("actor") != text(command, "guest"):
                raise Refused("not-your-money", "a guest tips with his own money")
            effect.move(ledger.guest(text(command, "guest")), ledger.tips(table.name), cents, "tip")
        effect.tell(event(cents, command.get("guest", "")))
        return effect

    return handler


command("fill", CASHIERS, "Chips from the cage to a table's tray", TABLE, CENTS, shell="cage fill")(_table_money(Filled))
command("credit", CASHIERS, "Chips from a table's tray to the cage", TABLE, CENTS, shell="cage credit")(_table_money(Credited))
command(
    "table-buy-in",
    DEALERS,
    "Sell chips at a table; the cash goes into its box",
    TABLE,
    GUEST,
    CENTS,
    may=(PIECES,),
    shell="cage table-buy-in",
)(_table_money(BoughtAtTable))
command("tip", TIPPERS, "A guest's tip for the dealers", TABLE, GUEST, CENTS, shell="cage tip")(_table_money(Tipped))


@command("drop", CASHIERS, "Pull a table's box: its cash goes to the cage", TABLE, shell="cage drop")
def _drop(house: House, command: Command, draw: Draw) -> Effect:
    """The box is pulled: its cash goes to the cage and counts towards the table's drop."""
    table = open_table(house, command)
    refuse_one_step(house, "security pulls the box with pull-box, and the others sign it")
    cents = house.balance(ledger.drop(table.name))
    effect = Effect(house, changed(table, dropped_cents=table.dropped_cents + cents))
    effect.move(ledger.drop(table.name), CAGE, cents, "drop")
    effect.tell(Dropped(cents))
    return effect


@command("closer", COUNTERS, "Count a table's tray; a difference is told", TABLE, CENTS, shell="cage closer")
def _closer(house: House, command: Command, draw: Draw) -> Effect:
    """The tray is counted; a difference is told, and nothing moves."""
    table, counted = open_table(house, command), _cash(command)
    refuse_one_step(house, "the dealer and a supervisor count the tray, each with count-tray")
    expected = house.balance(ledger.tray(table.name))
    effect = Effect(house, table)
    effect.tell(TrayCounted(counted, expected, counted - expected))
    return effect


def _in_tray(house: House, command: Command) -> int:
    """The chips that go to the cage when a table closes."""
    return house.balance(ledger.tray(text(command, "table")))


@command("close", OPENERS, "Close and balance a table", TABLE, may=(CLOSER,), recorded_when_refused=True, at_stake=_in_tray)
def _close(house: House, command: Command, draw: Draw) -> Effect:
    """Close a table and balance it: win = closer + credits + drop - opener - fills must be what the rounds say."""
    table = open_table(house, command)
    check_shoe_known(table)
    if in_phase(table, Phase.BETTING).spots:
        raise Refused("bets-on-table", "bets lie on the table: withdraw or settle them before closing")
    if table.bank is not None and table.bank.holder:
        raise Refused("bank-in-place", "a player banks: the table closes after the bank has ended")
    if chips := chips_of(house):
        if "closer_cents" in command:
            refuse_one_step(house, "the dealer and a supervisor count the tray, each with count-tray")
        check_closable(house, table)
    closer, dropped = house.balance(ledger.tray(table.name)), house.balance(ledger.drop(table.name))
    counted = command.get("closer_cents", closer)
    drop = table.dropped_cents + dropped
    win = closer + table.credits_cents + drop - table.opener_cents - table.fills_cents
    effect = Effect(house, changed(table, is_open=False, dropped_cents=drop, dealer="", closed_on=str(command.get("day", ""))))
    if not chips:  # else the tray is locked with what is in it, and the box stays until it is pulled
        effect.move(ledger.tray(table.name), CAGE, closer, "closer")
        effect.move(ledger.drop(table.name), CAGE, dropped, "drop")
    collected = house.balance(ledger.collection(table.name))
    effect.move(ledger.collection(table.name), CAGE, collected, "collection")
    balanced = win == table.win_cents and counted == closer
    effect.tell(TableClosed(closer, drop, win, table.win_cents, counted, balanced))
    return effect
