"""Sensitivity: how the house edge moves with each setting, reading, number of seats and size of bet, one at a time."""

from collections.abc import Iterator

from houseway.odds.par_sheet import Envy
from houseway.refusal import Refused
from houseway.report.document import Block, Column, DataChart, DataTable, Heading, Paragraph, Series, Text
from houseway.report.figures import ExactFigure, count, money, percent
from houseway.report.parts import value_words
from houseway.report.studied import Studied
from houseway.rulebook.edition import PAY_TABLE
from houseway.rulebook.game import Value

MOST_PLAYERS = 6
_BETS = (500, 1_000, 2_500, 10_000)
LEAST_FOR_LINES = 4


def sensitivity(studied: Studied) -> list[Block]:
    """What changes the edge, and by how much."""
    changed = [name for name in studied.edition.approved if name not in studied.edition.readings]
    blocks: list[Block] = [
        Paragraph("One thing is changed at a time; all others are as in section 1. What changes no edge is left out.", "note")
    ]
    if table := _table(studied, "settings", [name for name in changed if _matters(studied, name)]):
        blocks += [Heading("Settings and pay tables"), table]
    for name in studied.of_shoe:
        blocks += _chart(studied, name)
    for name in studied.wagers:
        if not studied.is_slow(name) and (odds := studied.odds(name)).sheet and odds.sheet.envy:
            blocks += _envy(studied, name, odds.sheet.envy)
    if table := _table(studied, "readings", list(studied.edition.readings)):
        blocks += [Heading("Readings"), table]
    slow = [wager.name for name, wager in studied.wagers.items() if studied.is_slow(name)]
    if slow:
        blocks.append(
            Paragraph(
                f"{', '.join(slow)}: solved for the settings of section 1 alone, as each other takes a count of all deals. "
                f"A submission of other settings has them (houseway report submission {studied.edition.id} --set NAME=VALUE).",
                "note",
            )
        )
    return blocks


def _matters(studied: Studied, name: str) -> bool:
    return len(studied.edition.approved[name]) > 1


def _wagers_of(studied: Studied, name: str) -> list[str]:
    """The wagers that a setting can bear on; a reading names its own, a pay table is of those that have several."""
    wagers = [wager for wager in studied.wagers if not studied.is_slow(wager)]
    if name in studied.edition.readings:
        return [wager for wager in wagers if wager in studied.edition.readings[name].wagers]
    if name == PAY_TABLE:
        return [wager for wager in wagers if len(studied.edition.wagers[wager].pays) > 1]
    return wagers


def _table(studied: Studied, kind: str, names: list[str]) -> DataTable | None:
    """A row for each value that changes an edge, with the edge and by how much it is another."""
    rows: list[list[Text]] = []
    for name in names:
        for value in studied.values_of(name)[1:]:
            for wager in _wagers_of(studied, name):
                if row := _row(studied, kind, name, value, wager):
                    rows.append(row)
    columns = [
        Column("Changed"),
        Column("to", wide=True),
        Column("Wager"),
        Column("House edge", "right"),
        Column("Change", "right"),
    ]
    return DataTable(columns, rows) if rows else None


def _row(studied: Studied, kind: str, name: str, value: Value, wager: str) -> list[Text] | None:
    settings = studied.with_setting(name, value)
    if settings is None:
        return None
    try:
        edge = studied.odds(wager, settings).edge
    except Refused as refused:
        return [
            _label(studied, name),
            value_words(value),
            studied.wagers[wager].name,
            refused.code.replace("-", " "),
            "",
        ]
    change = edge - studied.odds(wager).edge
    if not change:
        return None
    id_ = f"sensitivity.{kind}.{name}.{value}.{wager}"
    label = _label(studied, name)
    shown = ExactFigure(f"{id_}.change", change, f"{float(change) * 100:+.4f} %", "share")
    return [label, value_words(value), studied.wagers[wager].name, percent(f"{id_}.edge", edge), shown]


def _label(studied: Studied, name: str) -> str:
    return name if name in studied.edition.readings else name.replace("-", " ")


def _chart(studied: Studied, name: str) -> list[Block]:
    """The edges by decks, or whatever says how many cards there are."""
    values = sorted(studied.values_of(name), key=lambda value: (str(type(value)), value))
    series = []
    for wager in _wagers_of(studied, name):
        figures = [_edge_at(studied, name, value, wager) for value in values]
        if sum(figure is not None for figure in figures) > 1:
            series.append(Series(studied.wagers[wager].name, figures))
    if not series:
        return []
    label = name.replace("-", " ")
    says = f"House edge by {label}, from {values[0]} to {values[-1]}: {', '.join(each.name for each in series)}"
    shape = "lines" if len(values) >= LEAST_FOR_LINES else "bars"
    points = [f"{value} {label.removesuffix('s') if value == 1 else label}" for value in values]
    return [DataChart(f"House edge by {label}", says, points, series, shape)]  # type: ignore[arg-type]


def _edge_at(studied: Studied, name: str, value: Value, wager: str) -> ExactFigure | None:
    settings = studied.settings if studied.settings[name] == value else studied.with_setting(name, value)
    try:
        return percent(f"sensitivity.chart.{name}.{value}.{wager}", studied.odds(wager, settings).edge) if settings else None
    except Refused:
        return None


def _envy(studied: Studied, name: str, envy: Envy) -> Iterator[Block]:
    """Prizes for other players' hands are fixed: what they are worth hangs on who plays and what is bet."""
    odds = studied.odds(name)
    least, most = studied.limits[name]
    bets = sorted({min(max(bet, envy.min_bet_cents, least), most) for bet in (*_BETS, most)})
    rows: list[list[Text]] = []
    for players in range(1, MOST_PLAYERS + 1):
        cells: list[Text] = [count(f"envy.{name}.players.{players}", players)]
        for bet in bets:
            edge = odds.edge - Envy(players, bet, envy.min_bet_cents, envy.cents_per_other).worth()
            cells.append(percent(f"envy.{name}.{players}.{bet}", edge))
        rows.append(cells)
    heads = [money(f"envy.{name}.bet.{bet}", bet) for bet in bets]
    columns = [Column("Players, oneself included", wide=True), *(Column(f"bet {head.shown}", "right") for head in heads)]
    yield Heading(f"{odds.wager.name}: seats and bet size")
    yield Paragraph(
        f"House edge with envy, where all players bet so that their hands count, and bet as much as is headed "
        f"({', '.join(head.shown for head in heads)}).",
        "note",
    )
    yield DataTable(columns, rows)
