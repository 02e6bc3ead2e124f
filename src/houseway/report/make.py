"""Making a report, and making it again from what stands in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from houseway.kernels.count import Progress
from houseway.refusal import Refused
from houseway.report.asked import AskedReport, bound_settings, read_edition
from houseway.report.document import as_json
from houseway.report.house_kinds import DAY_KINDS, HOUSE_KINDS
from houseway.report.kinds import kind_of
from houseway.report.sheets import tables_as_csv
from houseway.rulebook import Edition
from houseway.rulebook.game import Value

Json = dict[str, Any]


@dataclass(frozen=True)
class MadeReport:
    """A report that is made: its one document, and the files that it is written as."""

    data: Json

    @property
    def kind(self) -> str:
        """Which kind it is."""
        return str(self.data["kind"])

    @property
    def figures(self) -> Mapping[str, Json]:
        """Every number in it, by id: exact, and as it is shown."""
        figures: Mapping[str, Json] = self.data["figures"]
        return figures

    def json(self) -> bytes:
        """The document itself."""
        return as_json(self.data)

    def pdf(self) -> bytes:
        """The document printed, with itself inside."""
        from houseway.report.printed import pdf_of  # only now: who wants JSON needs no printer

        return pdf_of(self.data)

    def html(self) -> str:
        """The document for a browser, as a page that needs nothing else."""
        from houseway.report.browsed import page_of

        return page_of(self.data)

    def csv(self) -> str:
        """Every figure: its id, as shown, exact; of a house's gaming day its tables, as a spreadsheet opens them."""
        from houseway.solve.files import csv_text

        if self.kind in DAY_KINDS:
            return tables_as_csv(self.data)
        row = {"id": "", "shown": "", "exact": "", "unit": "", "standard_error": ""}
        return csv_text([row | {"id": id_, **figure} for id_, figure in self.figures.items()] or [row])

    def content(self, ending: str) -> bytes:
        """The content of its file with this ending."""
        match ending:
            case ".pdf":
                return self.pdf()
            case ".html":
                return self.html().encode()
            case ".csv":
                return self.csv().encode()
            case _:
                return self.json()

    def save(self, file: Path | str) -> None:
        """Write it as the ending says: whole, or not at all."""
        from houseway.report.files import check_ending, write_whole

        write_whole(Path(file), self.content(check_ending(Path(file))))


def asked_report(
    kind: str,
    edition: Edition,
    given: Mapping[str, Value],
    *,
    paper: str = "",
    on: str = "",
    what_if: bool = False,
    progress: Progress | None = None,
) -> MadeReport:
    """A report of an edition: what is given is an option of the kind, if that has one of this name, else a setting.

    It is as of a day (`on`; without it: today), on the kind's usual paper unless another is named.
    """
    declared = kind_of(kind)
    keys = {option.key for option in declared.options}
    asked = AskedReport(
        kind=kind,
        edition=edition,
        settings=bound_settings(edition, {name: value for name, value in given.items() if name not in keys}, what_if),
        options=declared.chosen({name: value for name, value in given.items() if name in keys}),
        paper=declared.paper(paper),
        date=day_of(on),
        progress=progress,
    )
    return MadeReport(declared.build(asked).data())


def make_again(inputs: Json, progress: Progress | None = None) -> MadeReport:
    """The report that these inputs make with the program at hand."""
    if inputs.get("kind") in HOUSE_KINDS:
        from houseway.report.asked_house import built  # it makes reports as this module does

        return built(inputs, progress)
    try:
        kind = kind_of(str(inputs["kind"]))
        edition = read_edition(inputs["edition"])
        asked = AskedReport(
            kind=kind.name,
            edition=edition,
            settings=edition.settings(inputs["settings"], bool(inputs["what_if"])),
            options=kind.chosen(inputs["options"]),
            paper=kind.paper(str(inputs["paper"])),
            date=day_of(str(inputs["date"])),
            material=inputs["material"],
            progress=progress,
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise Refused("bad-report", f"what it was made from is damaged ({type(error).__name__}: {error})") from None
    return MadeReport(kind.build(asked).data())


def day_of(given: str) -> str:
    """A day as it is written; today if none is given."""
    try:
        return date.fromisoformat(given).isoformat() if given else date.today().isoformat()
    except ValueError:
        raise Refused("bad-date", f'"{given[:20]}" is not a day (such as 2026-03-01 is required)') from None
