"""What a report of a house is made from: what was taken out of its journal, options, a date."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from houseway.approval import system
from houseway.kernels.count import Progress
from houseway.refusal import Refused
from houseway.release import VERSION
from houseway.report.document import IdentityLine
from houseway.report.house_kinds import HouseSource, house_kind
from houseway.report.make import MadeReport, day_of
from houseway.report.paper import Paper
from houseway.report.printed import printer

Json = dict[str, Any]


@dataclass(frozen=True)
class AskedOfHouse:
    """All that a builder has. `material` is plain data, taken from the journal: nothing else of the house is looked at."""

    kind: str
    options: Mapping[str, str]
    paper: Paper
    date: str
    material: Json
    progress: Progress | None = None

    def inputs(self) -> Json:
        """What stands in the document, so that it can be made again."""
        return {
            "kind": self.kind,
            "paper": self.paper.name,
            "date": self.date,
            "options": dict(self.options),
            "material": self.material,
        }

    def identification(self, about: Sequence[IdentityLine]) -> list[IdentityLine]:
        """What it is of, by whom it was made, and how it is made again."""
        return [
            *about,
            IdentityLine("system", "Program", system().short, True),
            IdentityLine("release", "Release", VERSION, True),
            IdentityLine("printer", "Printer", printer(), True),
            IdentityLine("date", "Date", self.date),
            IdentityLine("command", "Made by", self.command),
        ]

    @property
    def command(self) -> str:
        """The command that makes it again, where the store is."""
        kind = house_kind(self.kind)
        words = ["houseway", "report", self.kind, *([self.options[kind.argument]] if kind.argument else [])]
        words += [f"--{name} '{value}'" for name, value in self.options.items() if value and name != kind.argument]
        return " ".join([*words, f"--store URL --paper {self.paper.name} --date {self.date} -o FILE.pdf"])


def asked_of_house(
    kind: str,
    source: HouseSource,
    given: Mapping[str, object],
    *,
    paper: str = "",
    on: str = "",
    progress: Progress | None = None,
) -> MadeReport:
    """A report of a house, taken from its store."""
    return built(inputs_of_house(kind, source, given, paper=paper, on=on), progress)


def inputs_of_house(kind: str, source: HouseSource, given: Mapping[str, object], *, paper: str = "", on: str = "") -> Json:
    """What a report of a house is made from: whoever builds and prints it needs no store any more."""
    declared = house_kind(kind)
    options, on_paper, day = declared.chosen(given), declared.paper(paper), day_of(on)
    material = declared.take(source, options)
    return AskedOfHouse(kind, options, on_paper, day, material).inputs()


def built(inputs: Json, progress: Progress | None = None) -> MadeReport:
    """The report that these inputs make with the program at hand."""
    kind = house_kind(str(inputs["kind"]))
    try:
        asked = AskedOfHouse(
            kind=kind.name,
            options=kind.chosen(inputs["options"]),
            paper=kind.paper(str(inputs["paper"])),
            date=day_of(str(inputs["date"])),
            material=inputs["material"],
            progress=progress,
        )
        return MadeReport(kind.build(asked).data())
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        what = " ".join(str(error).split())[:100]
        raise Refused("bad-report", f"what it was made from is damaged ({type(error).__name__}: {what})") from None
