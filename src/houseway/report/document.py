"""A report as a value: what it is of, and sections of blocks, all of it plain data.

Its one JSON form holds everything that a renderer needs, and everything that is needed to make it again.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, floor, log10
from typing import Any, Literal

from houseway.cards import JOKER, RANKS, SUIT_NAMES, show_cards
from houseway.report.figures import ExactFigure
from houseway.report.paper import Paper

FORM = 1
"""Which form of JSON it is."""
Json = dict[str, Any]


@dataclass(frozen=True)
class Cite:
    """The number of a clause, within a text."""

    clause: str


Run = str | ExactFigure | Cite
Text = Run | Sequence[Run]
"""What is printed in a line: words, and figures and citations among them."""


@dataclass(frozen=True)
class Heading:
    """A heading inside a section."""

    text: Text


@dataclass(frozen=True)
class Paragraph:
    """A paragraph: plain, a `lead` that opens a document, or a `note` in small print."""

    text: Text
    style: Literal["plain", "lead", "note"] = "plain"


@dataclass(frozen=True)
class Listing:
    """A list, with numbers if it is `ordered`."""

    items: Sequence[Text]
    ordered: bool = False


@dataclass(frozen=True)
class ClauseText:
    """A clause in full, its number beside it."""

    id: str
    text: Text


@dataclass(frozen=True)
class Column:
    """A column of a table: `wide` ones take the room that is left."""

    title: str
    align: Literal["left", "right", "center"] = "left"
    wide: bool = False


@dataclass(frozen=True)
class DataTable:
    """Rows under typed columns; `foot` are rows set off at the end, such as a total."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Text]]
    foot: Sequence[Sequence[Text]] = ()


@dataclass(frozen=True)
class Series:
    """What a chart shows under one name: a figure for each label, or none where there is none."""

    name: str
    figures: Sequence[ExactFigure | None]


@dataclass(frozen=True)
class DataChart:
    """Figures to look at: `bars` (each label a bar for each series) or `lines`. `says` is what somebody hears who sees none."""

    title: str
    says: str
    labels: Sequence[str]
    series: Sequence[Series]
    shape: Literal["bars", "lines"] = "bars"
    unit: str = ""


@dataclass(frozen=True)
class DealtHand:
    """Cards as pictures, under a name; those from `apart` on lie apart from the others."""

    name: str
    cards: tuple[int, ...]
    apart: int | None = None


@dataclass(frozen=True)
class Cards:
    """Hands side by side."""

    hands: Sequence[DealtHand]


@dataclass(frozen=True)
class Panel:
    """Blocks that stay together under a heading, beside other panels."""

    title: str
    blocks: "Sequence[Block]"


@dataclass(frozen=True)
class Panels:
    """Panels in as many columns as the paper has room for, each put where there is most room left."""

    panels: Sequence[Panel]


@dataclass(frozen=True)
class Identification:
    """The document's identification, where it stands on the pages; without one it comes at the end."""


Block = Heading | Paragraph | Listing | ClauseText | DataTable | DataChart | Cards | Panels | Identification


@dataclass(frozen=True)
class ReportSection:
    """A part of a report under a title; it may begin a page of its own."""

    title: str
    blocks: Sequence[Block]
    new_page: bool = False


@dataclass(frozen=True)
class IdentityLine:
    """A line of the identification; `of_program` says who made it, and may be another where it is made again."""

    id: str
    label: str
    value: str
    of_program: bool = False


@dataclass(frozen=True)
class Document:
    """A whole report. `inputs` is all that it was made from: whoever has them and the program makes it again."""

    kind: str
    title: str
    subtitle: str
    date: str
    paper: Paper
    identification: Sequence[IdentityLine]
    sections: Sequence[ReportSection]
    inputs: Json = field(default_factory=dict)
    mark: str = ""
    """What stands on every page, such as that the settings are outside the approval."""

    def data(self) -> Json:
        """The document as JSON has it: figures once each, in the order of the pages, and blocks that name them."""
        figures: dict[str, Json] = {}
        sections = [_section(section, self.paper, figures) for section in self.sections]
        return {
            "form": FORM,
            "kind": self.kind,
            "title": self.title,
            "subtitle": self.subtitle,
            "mark": self.mark,
            "date": self.date,
            "paper": vars(self.paper) | {},
            "identification": [vars(entry) | {} for entry in self.identification],
            "sections": sections,
            "figures": figures,
            "inputs": self.inputs,
        }


def as_json(data: Json) -> bytes:
    """The one form of a document in bytes. Keys stay in their order: in an edition the first value is the usual one."""
    return (json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode()


Known = dict[str, Json]


def _section(section: ReportSection, paper: Paper, known: Known) -> Json:
    return {
        "title": section.title,
        "new_page": section.new_page,
        "blocks": [_block(block, paper, known) for block in section.blocks],
    }


def _block(block: Block, paper: Paper, known: Known) -> Json:
    match block:
        case Heading(text):
            return {"block": "heading", "text": _runs(text, known)}
        case Paragraph(text, style):
            return {"block": "paragraph", "style": style, "text": _runs(text, known)}
        case Listing(items, ordered):
            return {"block": "list", "ordered": ordered, "items": [_runs(item, known) for item in items]}
        case ClauseText(id_, text):
            return {"block": "clause", "id": id_, "text": _runs(text, known)}
        case DataTable():
            return _table(block, known)
        case DataChart():
            return _chart(block, known)
        case Cards(hands):
            return {"block": "cards", "hands": [_hand(hand) for hand in hands]}
        case Panels(panels):
            drawn = [_panel(panel, paper, known) for panel in panels]
            return {"block": "panels", "columns": _in_columns(drawn, paper.columns)}
        case Identification():
            return {"block": "identification"}


def _runs(text: Text, known: Known) -> list[Any]:
    runs = (text,) if isinstance(text, str | ExactFigure | Cite) else text
    return [_run(run, known) for run in runs if run != ""]


def _run(run: Run, known: Known) -> Any:
    if isinstance(run, Cite):
        return {"clause": run.clause}
    return {"figure": _named(run, known)} if isinstance(run, ExactFigure) else run


def _named(figure: ExactFigure, known: Known) -> str:
    data = figure.data()
    assert known.setdefault(figure.id, data) == data, f"two figures are called {figure.id}"
    return figure.id


def _table(table: DataTable, known: Known) -> Json:
    width = len(table.columns)
    assert all(len(row) == width for row in (*table.rows, *table.foot)), "a row has as many cells as there are columns"
    return {
        "block": "table",
        "columns": [vars(column) | {} for column in table.columns],
        "rows": [[_runs(cell, known) for cell in row] for row in table.rows],
        "foot": [[_runs(cell, known) for cell in row] for row in table.foot],
    }


def _chart(chart: DataChart, known: Known) -> Json:
    """The chart with its axis: a renderer only has to put `at` between `low` and `high`."""
    series = [
        {
            "name": each.name,
            "points": [figure and {"figure": _named(figure, known), "at": figure.number} for figure in each.figures],
        }
        for each in chart.series
    ]
    assert all(len(each.figures) == len(chart.labels) for each in chart.series), "a chart has a figure for each label"
    numbers = [figure.number for each in chart.series for figure in each.figures if figure]
    ticks = list(_ticks(min(0.0, *numbers), max(0.0, *numbers)))
    shares = any(figure and figure.unit == "share" for each in chart.series for figure in each.figures)
    return {
        "block": "chart",
        "shape": chart.shape,
        "title": chart.title,
        "says": chart.says,
        "unit": chart.unit,
        "labels": list(chart.labels),
        "series": series,
        "low": ticks[0],
        "high": ticks[-1],
        "ticks": [{"at": tick, "shown": _tick(tick, ticks, shares)} for tick in ticks],
    }


def _ticks(low: float, high: float) -> Iterator[float]:
    """Round numbers from below the least to above the most, some five of them."""
    if high == low:
        high = low + 1
    rough = (high - low) / 5
    power = 10.0 ** floor(log10(rough))
    step = next(power * times for times in (1, 2, 2.5, 5, 10) if power * times >= rough * 0.999)
    yield from (round(place * step, 12) for place in range(floor(low / step), ceil(high / step) + 1))


def _tick(tick: float, ticks: Sequence[float], shares: bool) -> str:
    """A tick with as many decimals as its step needs."""
    scale = 100 if shares else 1
    step = (ticks[1] - ticks[0]) * scale
    decimals = next(places for places in range(9) if abs(step - round(step, places)) < step / 100)
    return f"{tick * scale:,.{decimals}f}" + (" %" if shares else "")


def card_name(card: int) -> str:
    """A card as it is said aloud.

    >>> card_name(51), card_name(52)
    ('A of spades', 'joker')
    """
    return "joker" if card == JOKER else f"{RANKS[card // 4]} of {SUIT_NAMES[card % 4]}"


def _hand(hand: DealtHand) -> Json:
    cards = [{"code": show_cards((card,)), "says": card_name(card)} for card in hand.cards]
    return {
        "name": hand.name,
        "cards": cards,
        "apart": hand.apart,
        "says": f"{hand.name}: {', '.join(map(card_name, hand.cards))}",
    }


def _panel(panel: Panel, paper: Paper, known: Known) -> Json:
    return {"title": panel.title, "blocks": [_block(block, paper, known) for block in panel.blocks]}


def _in_columns(panels: list[Json], columns: int) -> list[list[Json]]:
    """Each panel in the column with most room left, by how many lines it has."""
    places: list[list[Json]] = [[] for _ in range(min(columns, len(panels)))]
    lines = [0] * len(places)
    for panel in panels:
        shortest = lines.index(min(lines))
        places[shortest].append(panel)
        lines[shortest] += 2 + sum(_lines(block) for block in panel["blocks"])
    return places


def _lines(block: Mapping[str, Any]) -> int:
    return len(block["rows"]) + 1 if block["block"] == "table" else 2
