"""Parts that several reports have: what may be bet, what it pays, how the table is set, the rules in full."""

import re
from collections.abc import Iterator, Mapping

from houseway.report.asked import AskedReport
from houseway.report.document import Block, Cite, ClauseText, Column, DataTable, Panel, Paragraph, Run, Text
from houseway.report.figures import ExactFigure, count, money, pay
from houseway.rulebook.edition import PAY_TABLE
from houseway.rulebook.game import Value, Wager
from houseway.view.face import posted_as

_DASH = re.compile(r"-(?!\d)|(?<!\d)-")
"""A dash, but none between digits."""
Limits = Mapping[str, tuple[int, int]]


def offered(asked: AskedReport) -> dict[str, Wager]:
    """The wagers that can be bet under these settings, in the edition's order."""
    wagers = {name: asked.edition.game.wagers[name] for name in asked.edition.wagers}
    return {name: wager for name, wager in wagers.items() if asked.settings.what_if or not wager.refuses(asked.settings)}


def limits_table(asked: AskedReport, limits: Limits) -> DataTable:
    """The least and the most of every wager, and what it needs."""
    rows = []
    for name, wager in offered(asked).items():
        least, most = limits[name]
        bounds: tuple[Text, Text] = (money(f"wagers.{name}.least", least), money(f"wagers.{name}.most", most))
        rows.append((wager.name, *(("", "") if wager.follows else bounds), _condition(asked, wager)))
    return DataTable((Column("Wager"), Column("Least", "right"), Column("Most", "right"), Column("", wide=True)), rows)


def _condition(asked: AskedReport, wager: Wager) -> Text:
    names = asked.edition.name_of
    if wager.follows:
        return f"by the player's choice, beside {names(wager.follows)}"
    needed = wager.needed(asked.settings)
    return f"only with {names(needed)}" if needed else ""


def pay_panels(asked: AskedReport, limits: Limits | None = None) -> list[Panel]:
    """What every wager pays, a panel each; with its limits where they are given."""
    return [Panel(wager.name, list(_pays(asked, wager, limits))) for wager in offered(asked).values()]


def _pays(asked: AskedReport, wager: Wager, limits: Limits | None) -> Iterator[Block]:
    edition, settings = asked.edition, asked.settings
    about: list[Run] = []
    if limits and not wager.follows:
        least, most = limits[wager.id]
        about += ["From ", money(f"wagers.{wager.id}.least", least), " to ", money(f"wagers.{wager.id}.most", most)]
    if len(edition.wagers[wager.id].pays) > 1:
        about += [" · " if about else "", f"Pay table {settings[PAY_TABLE]}"]
    if about:
        yield Paragraph(about, "note")
    names = {outcome.id: outcome.name for outcome in wager.outcomes}
    pays = {edition.row(wager.id, each.id, settings): each.id for each in reversed(edition.possible(wager.id, settings))}
    names |= _said_once(asked, wager, pays, names)
    envy = {row: edition.envy_cents(wager.id, outcome, settings) for row, outcome in pays.items()}
    rows: list[list[Text]] = []
    lost = []
    said: set[str] = set()
    for row, outcome in reversed(pays.items()):
        paid = edition.pay(wager.id, outcome, settings)
        if names.get(row) in said:
            continue
        said.add(names.get(row, row))
        if paid.net == -1:
            lost.append(names.get(row, row.replace("-", " ")))
            continue
        cells: list[Text] = [_sentence(names.get(row, row.replace("-", " "))), pay(f"wagers.{wager.id}.pays.{row}", paid)]
        prize: Text = money(f"wagers.{wager.id}.envy.{row}", envy[row]) if envy[row] else ""
        rows.append([*cells, prize] if any(envy.values()) else cells)
    if lost:
        rest: list[Text] = [_sentence(lost[0]) if len(lost) == 1 else "Anything else", "lose"]
        rows.append([*rest, ""] if any(envy.values()) else rest)
    columns = [Column("Hand", wide=True), Column("Pays", "right"), Column("Envy", "right")]
    yield DataTable(columns if any(envy.values()) else columns[:2], rows)
    if any(envy.values()):
        least_bet = money(f"wagers.{wager.id}.envy_min_bet", edition.wagers[wager.id].envy_min_bet_cents)
        yield Paragraph(("Envy: a fixed prize for another player's hand, on a bet of at least ", least_bet, "."), "note")


def _said_once(asked: AskedReport, wager: Wager, pays: Mapping[str, str], names: Mapping[str, str]) -> dict[str, str]:
    """Names such as "A: B" in short: "A" where every B of it pays alike, "B" where every A does; others as they are."""
    parts = {row: names[row].partition(": ") for row in pays if ": " in names.get(row, "")}
    short: dict[str, str] = {}
    for row, (first, _, second) in parts.items():
        for place, part in ((0, first), (2, second)):
            alike = [other for other, each in parts.items() if each[place] == part]
            paid = {
                (
                    asked.edition.pay(wager.id, pays[other], asked.settings),
                    asked.edition.envy_cents(wager.id, pays[other], asked.settings),
                )
                for other in alike
            }
            if len(alike) > 1 and len(paid) == 1:
                short[row] = part
                break
    return short


def _sentence(name: str) -> str:
    return name[:1].upper() + name[1:]


def settings_table(asked: AskedReport) -> DataTable:
    """How the table is set, where the edition leaves the house a choice; what guests choose with a bet is none."""
    switches = asked.edition.game.switches
    with_bets = asked.edition.game.dealing.with_bet.values()
    rows: list[list[Text]] = []
    for name, allowed in asked.edition.approved.items():
        if name in switches and name not in {*asked.edition.readings, *with_bets} and len(allowed) > 1:
            rows.append([_sentence(switches[name].about), _set(asked, name), _cited(asked, switches[name].clause)])
        elif name == PAY_TABLE:
            rows.append(["Pay table", _set(asked, name), ""])
    return DataTable((Column("Setting", wide=True), Column("Here"), Column("")), rows)


def _cited(asked: AskedReport, clause: str) -> Text:
    """The clause of the edition's own documents; nothing where they have none of it."""
    own = asked.edition.cites.get(clause, clause)
    return Cite(own) if own in asked.edition.clauses() else ""


def _set(asked: AskedReport, name: str) -> str | ExactFigure:
    value: Value = asked.settings[name]
    if isinstance(value, int):
        return count(f"settings.{name}", value)
    return value_words(value)


def value_words(value: Value) -> str:
    """A value of a setting as words: "none original bets only"; but numbers from one to another keep their dash, "9-11"."""
    return "a file of one's own" if str(value).startswith("{") else _DASH.sub(" ", str(value))


def rules_in_full(asked: AskedReport, *kinds: str) -> list[Block]:
    """The clauses of these kinds, in the order of the documents."""
    return [ClauseText(id_, clause.text) for id_, clause in asked.edition.clauses().items() if clause.kind in kinds]


def rules_as_posted(asked: AskedReport, *kinds: str) -> list[Block]:
    """The clauses of these kinds as they hold at a table that is set so: a guest or a dealer need not know what else may be."""
    clauses = {id_: clause for id_, clause in asked.edition.clauses().items() if clause.kind in kinds}
    said = {id_: posted_as(id_, clause.text, asked.edition, asked.settings) for id_, clause in clauses.items()}
    return [ClauseText(id_, text) for id_, text in said.items() if text]


def sources(asked: AskedReport) -> Text:
    """The documents that the clauses come from."""
    listed = dict.fromkeys(str(clause.source) for clause in asked.edition.clauses().values())
    return f"In our words, after: {'; '.join(listed)}."


def readings_in_force(asked: AskedReport) -> list[Block]:
    """The questions that the documents leave open at this table, and how they are answered here."""
    blocks: list[Block] = []
    for id_, reading in asked.edition.readings.items():
        arises = all(str(asked.settings.get(name)) == value for name, value in reading.when.items())
        here = not reading.pay_tables or str(asked.settings.get(PAY_TABLE)) in reading.pay_tables
        if (
            len(reading.values) > 1
            and arises
            and here
            and any(name in asked.edition.wagers for name in reading.wagers or asked.edition.wagers)
        ):
            read = f"{reading.question} Here: {reading.values[str(asked.settings[id_])].rstrip('.')}."
            if said := posted_as(id_, read, asked.edition, asked.settings):
                blocks.append(ClauseText(id_, said))
    return blocks
