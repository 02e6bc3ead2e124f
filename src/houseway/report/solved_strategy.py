"""Strategy and its cost: what the game's solver says, for players who are named."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from houseway.report.document import Block, Column, DataTable, Heading, Listing, Paragraph, Text
from houseway.report.figures import percent
from houseway.report.studied import Studied
from houseway.solve.answer import Answer
from houseway.solve.solver import solver_of, strategy

MOST_COLUMNS = 12
_LABELS = {"house_edge": "House edge, best play"}


def solved_strategy(studied: Studied) -> list[Block]:
    """The best play, what is remembered of it, and what that costs; said plainly where nothing is decided, or not solved."""
    edition, solver = studied.edition, solver_of(studied.edition)
    if not edition.game.face.choices:
        return [
            Paragraph("The player decides nothing once the bets are down: there is no strategy, and no error to cost anything.")
        ]
    blocks: list[Block] = []
    slow = [name for name in studied.wagers if studied.is_slow(name)]
    asked_best = bool(studied.asked.options["best"])
    blocks += _players(studied, asked_best)
    if slow and not asked_best:
        names = ", ".join(studied.wagers[name].name for name in slow)
        blocks.append(
            Paragraph(
                f"{names}: what the best play saves is found by valuing every choice of every hand, which takes minutes: it is "
                "in a submission that is asked for it (--best). Nothing here hangs on whether it was worked out before."
            )
        )
        return blocks
    blocks += _numbers(studied)
    if solver.strategy is not None:
        blocks += _remembered(strategy(edition, studied.settings, studied.progress))
    if not blocks:
        blocks.append(Paragraph(f"{edition.game.name} comes without a solver: its best play is not worked out."))
    return blocks


def _players(studied: Studied, asked_best: bool) -> Iterator[Block]:
    """The edge for every kind of player that the solver knows; of slow wagers the usual one, unless best play is asked for."""
    solver = solver_of(studied.edition)
    for name in (name for name in studied.wagers if name in solver.solved):
        own = studied.odds(name)
        kinds = ["", *solver.players] if not studied.is_slow(name) else ["", "best", "lines"] if asked_best else [""]
        rows: list[list[Text]] = []
        for player in dict.fromkeys(kind for kind in kinds if not kind or kind in solver.players):
            odds = studied.odds(name, player=player)
            if player and odds.player == own.player:
                continue
            id_ = f"strategy.{name}.{player or 'usual'}"
            more = percent(f"{id_}.more", odds.edge - own.edge, 6) if player else ""
            rows.append([odds.player, percent(f"{id_}.edge", odds.edge, 6), more])
        yield Heading(f"{own.wager.name}: players")
        yield DataTable(
            [Column("Player", wide=True), Column("House edge", "right"), Column("More than the first", "right")], rows
        )


def _numbers(studied: Studied) -> Iterator[Block]:
    """Every number that the solver tells, as a share, exact where it is."""
    rows: list[list[Text]] = []
    for key in studied.solved.data if studied.solved else ():
        if (number := studied.solved_number(key)) is not None:
            label = _LABELS.get(key, key.replace("_", " ").capitalize())
            shown = "exact" if isinstance(number, Fraction) else "in floats"
            rows.append([label, percent(f"strategy.{key}", number, 6), shown])
    if rows:
        yield Heading("What the solver finds")
        yield DataTable([Column("", wide=True), Column("Share", "right"), Column("")], rows)


def _remembered(answer: Answer) -> Iterator[Block]:
    """What a person remembers: a line, lines, or a chart."""
    yield Heading("What a player remembers")
    lines = answer.data.get("lines")
    words = answer.data.get("strategy")
    if isinstance(lines, Sequence) and not isinstance(lines, str):
        yield Listing([str(line) for line in lines])
    elif isinstance(words, str):
        yield Paragraph(words)
    rows: Sequence[dict[str, Any]] = answer.rows
    if rows and len(rows[0]) <= MOST_COLUMNS and "line" not in rows[0]:
        heads = list(rows[0])
        columns = [
            Column(heads[0].capitalize(), wide=len(heads) < 6),
            *(Column(head.capitalize(), "center") for head in heads[1:]),
        ]
        yield DataTable(columns, [[_cell(row[head]) for head in heads] for row in rows])
    for line in answer.text.splitlines():
        if line.startswith(("This costs", "house edge of this chart", "S stand")) or " double" in line[:40]:
            yield Paragraph(line, "note")


def _cell(value: Any) -> str:
    return f"{value:+.6f}" if isinstance(value, float) else str(value)
