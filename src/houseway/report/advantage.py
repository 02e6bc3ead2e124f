"""Advantage play: what cards that are gone do to a wager, the best count, its trigger, and what it wins by cut card."""

import hashlib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import houseway.protect as protect_room
import houseway.simulate as simulate_room
from houseway.protect.ask import ask_protection
from houseway.protect.protection import CARDS_COUNTED, CHART, protection_of
from houseway.protect.search import correlation
from houseway.refusal import Refused
from houseway.report.document import Block, Column, DataChart, DataTable, Heading, Paragraph, Run, Series, Text
from houseway.report.figures import ExactFigure, count, decimal, percent
from houseway.report.studied import Studied
from houseway.solve.answer import ratio
from houseway.solve.kept import kept, key_of

SHOES, EXACT_SHOES, SEED = 50_000, 200, 1
"""Bounded, so that a submission is quick; `houseway protect` deals more."""
CERTAIN = 2
"""A win of so many standard errors is worth a picture."""
Json = dict[str, Any]


def advantage_play(studied: Studied) -> list[Block]:
    """Every wager that can be counted, and what else is known; said plainly where there is nothing."""
    blocks: list[Block] = []
    reasons: dict[str, list[str]] = {}
    for name in studied.wagers:
        try:
            blocks += _counted(studied, name, _figures(studied, name))
        except Refused as refused:
            reason = refused.message.partition(" (it knows")[0]
            reasons.setdefault(reason, []).append(studied.wagers[name].name)
    blocks += [
        Paragraph(f"{', '.join(names)}: nothing is counted. {reason[:1].upper()}{reason[1:]}.")
        for reason, names in reasons.items()
    ]
    blocks += _seen(studied)
    return blocks


def _figures(studied: Studied, name: str) -> Json:
    """What the watch finds, kept on disk: the same shoes always come to the same."""
    edition, settings = studied.edition, studied.settings
    protection_of(edition)  # refused here, and not kept, where the game gives none
    key = key_of(edition, settings, "advantage", name, SHOES, EXACT_SHOES, SEED, _sources())
    return kept(key, lambda: _watched(studied, name))


def _sources() -> str:
    """A digest of the rooms that deal and watch, and of this file, which says what is kept."""
    folders = [Path(str(room.__file__)).parent for room in (protect_room, simulate_room)]
    files = [Path(__file__), *(file for folder in folders for file in sorted(folder.glob("*.py")))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def _watched(studied: Studied, name: str) -> Json:
    watched = ask_protection(
        studied.edition,
        studied.settings,
        name,
        tags="",
        trigger=None,
        start=None,
        cut=None,
        burn=None,
        burn_by_value=False,
        burn_shown=False,
        extra=0,
        divisor="cards",
        players=1,
        shoes=SHOES,
        exact_shoes=EXACT_SHOES,
        seed=SEED,
        bet_cents=studied.limits[name][1],
        decisions_an_hour=0,
        tolerated_cents=2_000,
        play=CHART if name in protection_of(studied.edition).playing else "",
        progress=studied.progress,
    )
    effects = watched.effects or ()
    return {
        "customs": watched.table.customs.words(),
        "effects": [ratio(effect) for effect in effects],
        "tags": [str(tag) for tag in watched.count.tags],
        "trigger": str(watched.count.trigger),
        "start": None if watched.count.start is None else str(watched.count.start),
        "played": watched.table.playing.words if watched.table.playing else "",
        "spread": watched.spread.text() if watched.spread else "",
        "correlation": correlation(watched.table, watched.count, effects) if effects else None,
        "cut": watched.table.customs.cut,
        "hour": watched.stakes.an_hour(watched.figures.units_per_100_rounds),
        "hour_error": watched.stakes.an_hour(watched.figures.errors["units_per_100_rounds"]),
        "decisions": watched.stakes.decisions_an_hour,
        "by_cut": [
            {
                "cut": cut,
                "rounds": each.rounds_per_shoe,
                "bets": each.bets_share,
                "edge": each.edge_when_bet,
                "edge_error": each.errors["edge_when_bet"],
                "units": each.units_per_shoe,
                "error": each.errors["units_per_shoe"],
            }
            for cut, each in watched.by_cut
        ],
    }


def _counted(studied: Studied, name: str, found: Json) -> Iterator[Block]:
    wager, id_ = studied.wagers[name], f"advantage.{name}"
    yield Heading(f"{wager.name}: counted")
    if found["effects"]:
        effects: list[Text] = [
            _signed(f"{id_}.effect.{card}", Fraction(each)) for card, each in zip(CARDS_COUNTED, found["effects"], strict=True)
        ]
        tags: list[Text] = [
            ExactFigure(f"{id_}.tag.{card}", Fraction(tag), str(tag))
            for card, tag in zip(CARDS_COUNTED, found["tags"], strict=True)
        ]
        columns = [Column("Card gone"), *(Column(card, "right") for card in CARDS_COUNTED)]
        yield DataTable(columns, [["Player's edge, %", *effects], ["Best tags", *tags]])
    start = "" if found["start"] is None else f", from {found['start']} on"
    how = f"bets by the count {found['spread']}" if found["spread"] else f"bets at {found['trigger']} or more{start}"
    about: list[Run] = [f"Who counts so {how}. "]
    if found["correlation"] is not None:
        about += [
            "The tags follow the effects of removal with a correlation of ",
            decimal(f"{id_}.correlation", found["correlation"], 4),
            ". ",
        ]
    about += ["At ", count(f"{id_}.decisions", found["decisions"]), " rounds an hour and the largest bet that is "]
    about += [_dollars(f"{id_}.hour", found["hour"], found["hour_error"]), " an hour. "]
    played = f"Hands are played {found['played']}. " if found["played"] else ""
    about += [
        f"{played}{found['customs'][:1].upper()}{found['customs'][1:]}; ",
        count(f"{id_}.shoes", SHOES),
        f" shoes with the seed {SEED}; ± is one standard error.",
    ]
    yield Paragraph(about)
    rows: list[list[Text]] = []
    for each in found["by_cut"]:
        own = f"{id_}.cut.{each['cut']}"
        units = decimal(f"{own}.units", each["units"], 4)
        shown = ExactFigure(units.id, units.value, f"{each['units']:+.4f} ± {each['error']:.4f}", "", each["error"])
        rows.append(
            [
                count(f"{own}.cards", each["cut"]),
                decimal(f"{own}.rounds", each["rounds"], 1),
                percent(f"{own}.bets", each["bets"], 2),
                percent(f"{own}.edge", each["edge"], 2, each["edge_error"]) if each["edge_error"] else "",
                shown,
            ]
        )
    heads = ("Cards behind the cut card", "Rounds a shoe", "Bets in", "Edge when it bets", "Units a shoe")
    yield DataTable([Column(heads[0], wide=True), *(Column(head, "right") for head in heads[1:])], rows)
    deepest = found["by_cut"][0] if found["by_cut"] else {"units": 0.0, "error": 0.0}
    if deepest["units"] < CERTAIN * deepest["error"]:
        yield Paragraph("With no cut card is the win larger than the error of so many shoes: nothing is to be drawn.", "note")
        return
    says = f"Units that a counter of {wager.name} wins in a shoe, by the cards behind the cut card"
    labels = [str(each["cut"]) for each in found["by_cut"]]
    figures = [cell for row in rows for cell in row[-1:] if isinstance(cell, ExactFigure)]
    unit = "units a shoe, by cards behind the cut card"
    yield DataChart("Win by cut card", says, labels, [Series(wager.name, figures)], "lines", unit)


def _signed(id_: str, effect: Fraction) -> ExactFigure:
    return ExactFigure(id_, effect, f"{float(effect) * 100:+.4f}", "share")


def _dollars(id_: str, amount: float, error: float) -> ExactFigure:
    sign = "-" if amount < 0 else ""
    return ExactFigure(id_, amount, f"{sign}${abs(amount):,.2f} ± ${error:,.2f}", "dollars", error)


def _seen(studied: Studied) -> Iterator[Block]:
    """Cards seen that should not be, and players who tell each other theirs: which ways the game's solver values."""
    try:
        ways = protection_of(studied.edition).seen
    except Refused:
        return
    if not ways:
        return
    yield Heading("Cards seen, and players together")
    if not studied.asked.options["seen"]:
        yield Paragraph(
            f"The game's solver values these: {', '.join(way.replace('-', ' ') for way in ways)}. Some take minutes; all "
            "are in a submission that is asked for them (--seen)."
        )
        return
    rows: list[list[Text]] = []
    for way, value in ways.items():
        for name in studied.wagers:
            try:
                edges = value(studied.edition, studied.settings, name, studied.progress)
            except Refused:
                continue
            id_ = f"advantage.seen.{way}.{name}"
            seeing = percent(f"{id_}.seeing", edges.seeing, 4, edges.error)
            rows.append([edges.about, studied.wagers[name].name, percent(f"{id_}.without", edges.without), seeing, edges.how])
    columns = [
        Column("Seen", wide=True),
        Column("Wager"),
        Column("House edge", "right"),
        Column("With it", "right"),
        Column("How"),
    ]
    yield DataTable(columns, rows)
