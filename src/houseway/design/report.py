"""What a search for pays says: as data, as rows, as text, and as the content of an edition."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from houseway.design.ask import Draft, Wish, ask_design
from houseway.design.bands import Band
from houseway.design.content import as_toml, designed_content
from houseway.design.law import Requirement, requirements
from houseway.design.mark import NOT_APPROVED
from houseway.design.problem import CaseFigures, Pays
from houseway.design.reasons import why_none
from houseway.design.search import FoundPays, search
from houseway.games import edition_from
from houseway.kernels.count import Progress
from houseway.odds.par_sheet import ParSheet, par_sheet
from houseway.refusal import Refused, number_of
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Value
from houseway.rulebook.pay import Pay
from houseway.solve.answer import DIGEST, SHORT_DIGEST, Answer, edge_percent, percent, ratio, table

_SHEET_ID = "design"
_COLUMNS_MOST = 6
"""So many designs stand side by side; the others are in the data."""


@dataclass(frozen=True)
class FrontierPart:
    """A part of the band of the edge, and the pay table of the least variance in it; none where there is none."""

    edge: Band
    pays: Pays | None
    proved: bool


@dataclass(frozen=True)
class DesignedWager:
    """What was found for one wager: designs in the order of the goal, the frontier, and if there is none, why."""

    draft: Draft
    found: FoundPays
    frontier: tuple[FrontierPart, ...]
    reasons: tuple[str, ...]

    def figures(self, pays: Pays) -> list[CaseFigures]:
        """What pays come to in every case."""
        return [self.draft.problem.figures(pays, case) for case in range(len(self.draft.cases))]

    def sheets(self, pays: Pays) -> list[ParSheet]:
        """The par sheets of a design in every case, by the code that makes those of any edition: they must be the same."""
        draft = self.draft
        content = designed_content(draft.edition, _SHEET_ID, "", [(draft, pays)])
        edition = edition_from(content, _SHEET_ID)
        sheets = [
            par_sheet(
                edition,
                draft.wager.id,
                edition.settings(case.chosen, case.settings.what_if),
                players=case.players,
                bet_cents=case.bet_cents,
            )
            for case in draft.cases
        ]
        for sheet, figures in zip(sheets, self.figures(pays), strict=True):
            assert sheet.house_edge == figures.edge, "the par sheet has another edge"
            assert (sheet.hit_frequency, sheet.variance) == (figures.hit, figures.variance), "the par sheet has other figures"
        return sheets

    def data(self, day: str) -> dict[str, Any]:
        """All that was found, as plain data."""
        draft, wish = self.draft, self.draft.wish
        asked = {"edge": wish.edge, "hit": wish.hit, "sd": wish.sd, "top": wish.top, "goal": draft.goal, "most": wish.most}
        return {
            "wager": draft.wager.id,
            "name": draft.wager.name,
            "pay_table": draft.table,
            "asked": {**asked, "any_order": wish.any_order, "settings": {k: list(v) for k, v in draft.lists.items()}},
            "cases": [case.data() | {"name": case.name} for case in draft.cases],
            "proved": self.found.proved,
            "complete": self.found.complete,
            "none_because": list(self.reasons),
            "rows": [
                {
                    "row": name,
                    "name": draft.name_of(name),
                    "kind": "envy" if row.is_prize else "pay",
                    "one_in": [_one_in(chance) for chance in row.chances],
                }
                for name, row in zip(draft.written, draft.problem.rows, strict=True)
            ],
            "present": self._table_data(draft.present, day),
            "designs": [self._table_data(pays, day) for pays in self.found.pays],
            "frontier": [
                {
                    "edge": str(part.edge),
                    "proved": part.proved,
                    "design": self._table_data(part.pays, day) if part.pays else None,
                }
                for part in self.frontier
            ],
        }

    def _table_data(self, pays: Pays, day: str) -> dict[str, Any]:
        draft = self.draft
        top, prizes = draft.problem.top_of(pays), draft.prizes_of(pays)
        return {
            "pays": {name: str(Pay(pay)) for name, pay in draft.pays_of(pays).items()},
            "envy_dollars": prizes,
            "changes": self._changes(pays),
            "top": ratio(top),
            "cases": [_figures_data(figures) for figures in self.figures(pays)],
            "law": [each.data() for each in self._law(pays, day)],
        }

    def _changes(self, pays: Pays) -> list[dict[str, str]]:
        draft = self.draft
        each = zip(draft.written, draft.problem.rows, pays, strict=True)
        return [
            {
                "row": name,
                "name": draft.name_of(name) + (", envy" if row.is_prize else ""),
                "from": _paid(row.present, row.is_prize),
                "to": _paid(pay, row.is_prize),
            }
            for name, row, pay in each
            if pay != row.present
        ]

    def rows(self) -> list[dict[str, Any]]:
        """A line for every row of every design."""
        draft = self.draft
        return [
            {
                "edition": draft.edition.id,
                "wager": draft.wager.id,
                "pay_table": draft.table,
                "design": number,
                "row": name,
                "kind": "envy" if row.is_prize else "pay",
                "probability": float(row.chances[0]),
                "present": _paid(row.present, row.is_prize),
                "pays": _paid(pay, row.is_prize),
                "house_edge_percent": float(figures.edge * 100),
                "hit_percent": float(figures.hit * 100),
                "standard_deviation": figures.deviation,
            }
            for number, pays in enumerate(self.found.pays, 1)
            for figures in self.figures(pays)[:1]
            for name, row, pay in zip(draft.written, draft.problem.rows, pays, strict=True)
        ]

    def text(self, day: str) -> str:
        """For a person: what was asked, the designs beside the present table, and what the law says of the first."""
        parts = [self._heading()]
        if self.found.pays:
            parts += [self._table_text(), self._law_text(day)]
        else:
            parts.append(self._none_text())
        return "\n".join([*parts, *self._frontier_text()])

    def _heading(self) -> str:
        draft, problem = self.draft, self.draft.problem
        which = f", pay table {draft.table}" if len(draft.edition.wagers[draft.wager.id].pays) > 1 else ""
        asked = [f"edge {problem.edge}"]
        asked += [f"hit rate {problem.hit}"] if not problem.hit.is_open else []
        asked += [f"standard deviation {draft.wish.sd}"] if draft.wish.sd else []
        asked += [f"top prize {problem.top}"] if not problem.top.is_open else []
        names = [case.name for case in draft.cases if case.name]
        under = f"; under {' / '.join(names) or draft.only_case}" if names or draft.only_case else ""
        return f"{draft.wager.name} ({draft.wager.id}){which}: {', '.join(asked)}{under}; goal {draft.goal}"

    def _table_text(self) -> str:
        draft, designs = self.draft, self.found.pays[:_COLUMNS_MOST]
        columns = [draft.present, *designs]
        first_case = f", {draft.cases[0].name}" if draft.cases[0].name else ""
        head = ["row", f"1 in{first_case}", "present", *(f"design {number}" for number in range(1, len(designs) + 1))]
        body = []
        for place, (name, row) in enumerate(zip(draft.written, draft.problem.rows, strict=True)):
            cells = [_paid(pays[place], row.is_prize) for pays in columns]
            marked = [cells[0], *(cell if cell == cells[0] else f"*{cell}" for cell in cells[1:])]
            body.append([draft.name_of(name) + (", envy" if row.is_prize else ""), _one_in(row.chances[0]), *marked])
        for case, named in enumerate(draft.cases):
            each, where = [self.figures(pays)[case] for pays in columns], f", {named.name}" if named.name else ""
            body.append([f"house edge{where}", "", *(edge_percent(one.edge) for one in each)])
        first, where = [self.figures(pays)[0] for pays in columns], f", {draft.cases[0].name}" if draft.cases[0].name else ""
        body.append([f"wins{where}", "", *(percent(one.hit) for one in first)])
        body.append([f"standard deviation{where}", "", *(f"{one.deviation:.4f}" for one in first)])
        lines = [table([head, *body], right=range(1, len(head)), indent="  "), f"  {self._how_many()}"]
        if draft.present in designs:
            lines.append(f"  design {designs.index(draft.present) + 1} is the present table: it meets all that is asked")
        if "order" in draft.problem.flaws(draft.present):
            lines.append("  the present table pays some rarer hands less, and no design does: --any-order allows it")
        return "\n".join(lines)

    def _how_many(self) -> str:
        count = number_of(len(self.found.pays), "design")
        left_out = len(self.found.pays) - _COLUMNS_MOST
        hidden = f" ({left_out} more are in --format json or csv)" if left_out > 0 else ""
        if not self.found.proved:
            return f"{count}{hidden}; not proved: stopped after {self.draft.wish.seconds:g} s, there may be better ones"
        if self.found.complete:
            return f"{count}{hidden}: there are no others (proved)"
        return f"{count}{hidden}: none is better by this goal (proved); others exist, or may (--most N)"

    def _law_text(self, day: str) -> str:
        pays = self.found.pays[0]
        marks = {True: "meets", False: "does not meet", None: "see to"}
        lines = [f"  {marks[each.meets]} {each.rule}: {each.says}" for each in self._law(pays, day)]
        heading = f"Design 1 is {NOT_APPROVED}" if pays != self.draft.present else "Design 1 is the present table"
        return "\n".join([heading, *lines])

    def _law(self, pays: Pays, day: str) -> list[Requirement]:
        draft = self.draft
        top, prizes = draft.problem.top_of(pays), draft.prizes_of(pays)
        return requirements(draft.edition, draft.wager.id, top, prizes, day, pays != draft.present)

    def _none_text(self) -> str:
        if not self.found.proved:
            return f"  none found, and not proved: the search was stopped after {self.draft.wish.seconds:g} s"
        return "\n".join(["  there is none (proved). In the way is:", *(f"  - {reason}" for reason in self.reasons)])

    def _frontier_text(self) -> list[str]:
        if not self.frontier:
            return []
        names = [name for name, row in zip(self.draft.written, self.draft.problem.rows, strict=True) if len(row.pays) > 1]
        body = []
        for part in self.frontier:
            if part.pays is None:
                body.append([str(part.edge), "none" if part.proved else "not found", "", ""])
                continue
            figures = self.figures(part.pays)
            worst = max(figures, key=lambda one: one.variance)
            shown = [_short(pay) for name, pay in zip(self.draft.written, part.pays, strict=True) if name in names]
            body.append([str(part.edge), edge_percent(figures[0].edge), f"{worst.deviation:.4f}", " ".join(shown)])
        head = ["edge", "house edge", "least sd", "pays"]
        return ["Frontier: the least standard deviation in each part of the band", table([head, *body], indent="  ")]


@dataclass(frozen=True)
class Designed:
    """The answer to a search: for each wager what was found; the best of each together make an edition."""

    edition: Edition
    wagers: tuple[DesignedWager, ...]
    day: str

    def content(self, id_: str, name: str = "", number: int = 1) -> dict[str, Any]:
        """The content of an edition with the designs of this number, to be registered under an id."""
        for each in self.wagers:
            if len(each.found.pays) < number:
                why = "; ".join(each.reasons) or "none was found in the time given"
                count = len(each.found.pays)
                raise Refused(
                    "no-design",
                    f"{each.draft.wager.id}: there is no design {number} to register: "
                    + (f"only {number_of(count, 'design')} found (--most N asks for more)" if count else why),
                )
        return designed_content(self.edition, id_, name, [(each.draft, each.found.pays[number - 1]) for each in self.wagers])

    def toml(self, id_: str, name: str = "", number: int = 1) -> str:
        """The same as the text of a TOML file."""
        return as_toml(self.content(id_, name, number))

    @cached_property
    def data_of_wagers(self) -> list[dict[str, Any]]:
        """What was found for each wager, as plain data."""
        return [each.data(self.day) for each in self.wagers]

    def data(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "edition": self.edition.id,
            "digest": DIGEST,
            "status": NOT_APPROVED,
            "day": self.day,
            "wagers": self.data_of_wagers,
        }

    def answer(self) -> Answer:
        """As it is printed."""
        head = f"{self.edition.name} · designs · digest of the present rules {SHORT_DIGEST}"
        texts = [head, *(each.text(self.day) for each in self.wagers)]
        return Answer(self.data(), [row for each in self.wagers for row in each.rows()], "\n\n".join(texts))


def design(
    edition: Edition,
    wagers: Sequence[str],
    wish: Wish,
    chosen: Mapping[str, Value],
    day: str,
    what_if: bool = False,
    progress: Progress | None = None,
    so_far: Callable[[Designed], None] | None = None,
) -> Designed:
    """Search pay tables for each of the wagers; each is a search of its own, for no condition ties their pays together.

    `so_far` is told what is found when the counting is done, after every search and after every part of a frontier.
    """
    if not wagers:
        raise Refused("no-design", "name a wager whose pay table is to be designed")
    drafts = [ask_design(edition, wager, wish, chosen, what_if, progress) for wager in dict.fromkeys(wagers)]
    designed = Designed(edition, (), day)
    if so_far:
        so_far(designed)
    for draft in drafts:
        before = designed.wagers
        for grown in _designed(draft):
            designed = Designed(edition, (*before, grown), day)
            if so_far:
                so_far(designed)
    return designed


def _designed(draft: Draft) -> Iterator[DesignedWager]:
    """What is found for a wager: the designs first, then each time with one more part of the frontier."""
    seconds = draft.wish.seconds
    found = search(draft.problem, draft.goal, draft.wish.most, seconds)
    is_none = not found.pays and found.proved
    reasons = why_none(draft.problem, tuple(case.name for case in draft.cases), seconds) if is_none else []
    if is_none and draft.tries_casino_numbers:
        reasons.append("besides, only the usual numbers of casinos were tried: --pays 1..100 tries every whole one")
    designed = DesignedWager(draft, found, (), tuple(reasons))
    for pays in found.pays:
        designed.sheets(pays)
    yield designed
    for part in () if is_none else _frontier(draft):
        designed = replace(designed, frontier=(*designed.frontier, part))
        yield designed


def _frontier(draft: Draft) -> Iterator[FrontierPart]:
    """The least variance in each part of the band."""
    least, most, parts = draft.problem.edge.least, draft.problem.edge.most, draft.wish.frontier
    if not parts:
        return
    assert least is not None
    assert most is not None
    ends = [least + (most - least) * Fraction(step, parts) for step in range(parts + 1)]
    for low, high in pairwise(ends):
        edge = Band(low, high, is_percent=True)
        found = search(replace(draft.problem, edge=edge), "least-variance", 1, draft.wish.seconds)
        yield FrontierPart(edge, found.pays[0] if found.pays else None, found.proved)


def _figures_data(figures: CaseFigures) -> dict[str, Any]:
    return {
        "house_edge": {"exact": ratio(figures.edge), "percent": float(figures.edge * 100)},
        "house_edge_without_envy": {"exact": ratio(figures.own_edge), "percent": float(figures.own_edge * 100)},
        "hit_frequency": ratio(figures.hit),
        "variance": ratio(figures.variance),
        "standard_deviation": figures.deviation,
    }


def _paid(pay: Fraction, is_prize: bool) -> str:
    return f"${pay}" if is_prize else str(Pay(pay))


def _short(pay: Fraction) -> str:
    return str(pay.numerator) if pay > 0 and pay.denominator == 1 else str(Pay(pay))


def _one_in(chance: Fraction) -> str:
    if not chance:
        return "never"
    rarity = float(1 / chance)
    return f"{rarity:,.0f}" if rarity >= 1000 else f"{rarity:.4g}"
