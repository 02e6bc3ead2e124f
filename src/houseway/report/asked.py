"""What a report is asked of: an edition's content, its settings, options, a date. The same always makes the same report."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from houseway.house.standing import standing
from houseway.kernels.count import Progress
from houseway.money import dollars, parse_cents
from houseway.refusal import Refused
from houseway.report.document import IdentityLine
from houseway.report.paper import Paper
from houseway.report.printed import printer
from houseway.rulebook import Edition, Settings
from houseway.rulebook.document import read_toml
from houseway.rulebook.game import Value
from houseway.table.bound import as_text, read_document

Json = dict[str, Any]


@dataclass(frozen=True)
class AskedReport:
    """All that a builder has. `material` is what a report of a house is made from, taken out of its journal."""

    kind: str
    edition: Edition
    settings: Settings
    options: Mapping[str, str | bool]
    paper: Paper
    date: str
    material: Json = field(default_factory=dict)
    progress: Progress | None = None

    def text(self, option: str) -> str:
        """The value of an option, as it was given."""
        return str(self.options[option]).strip()

    def inputs(self) -> Json:
        """What stands in the document, so that it can be made again: by content, never by a name that may mean another."""
        return {
            "kind": self.kind,
            "paper": self.paper.name,
            "date": self.date,
            "edition": dict(self.edition.document),
            "settings": dict(self.settings),
            "what_if": self.settings.what_if,
            "options": dict(self.options),
            "material": self.material,
        }

    @property
    def mark(self) -> str:
        """What every page must say of settings, or of rules, that nobody approved."""
        outside, badge = self.settings.outside, standing(self.edition)
        if outside:
            return f"Outside the approval: {'; '.join(outside)}"
        if badge.is_design:
            return "Not approved: a design"
        return "Modified rules: other than those that were approved" if badge.status == "modified" else ""

    def identification(self, seeds: str = "none: nothing is drawn") -> list[IdentityLine]:
        """What it is of, by whom it was made, and how it is made again."""
        badge = standing(self.edition)
        return [
            IdentityLine("edition", "Edition", f"{self.edition.name} ({self.edition.id})"),
            IdentityLine("settings", "Settings", ", ".join(f"{name} {_short(value)}" for name, value in self.settings.items())),
            IdentityLine("approval", "Approval", badge.approval, True),
            IdentityLine("standing", "Standing", badge.short, True),
            IdentityLine("rules", "Rules", badge.rules, True),
            IdentityLine("behaviour", "Behaviour", badge.behaviour or "not pinned", True),
            IdentityLine("system", "Program", badge.system or "no manifest", True),
            IdentityLine("release", "Release", badge.release, True),
            IdentityLine("printer", "Printer", printer(), True),
            IdentityLine("seeds", "Seeds", seeds),
            IdentityLine("date", "Date", self.date),
            IdentityLine("command", "Made by", self.command),
        ]

    @property
    def command(self) -> str:
        """The command that makes it again; settings as far as they are not the edition's usual ones."""
        usual = self.edition.settings()
        words = ["houseway", "report", self.kind, self.edition.id]
        words += [f"--set {name}={_short(value)}" for name, value in self.settings.items() if usual[name] != value]
        words += ["--what-if"] if self.settings.what_if else []
        for name, value in self.options.items():
            words += [f"--{name}"] if value is True else [f"--{name} {_quoted(str(value))}"] if value else []
        return " ".join([*words, f"--paper {self.paper.name} --date {self.date} -o FILE.pdf"])

    def offering(self, wagers: str) -> "AskedReport":
        """The same with these wagers of the edition only; all of them if nothing is named."""
        names = [name.strip() for name in wagers.split(",") if name.strip()]
        if not names:
            return self
        wanted = {self.edition.bettable(name).id for name in names}
        wanted |= {name for name in self.edition.wagers if self.edition.game.wagers[name].follows in wanted}
        for name in wanted:
            needed = self.edition.game.wagers[name].needed(self.settings)
            if needed in self.edition.wagers and needed not in wanted:
                raise Refused("bad-offer", f"{self.edition.name_of(name)} needs {self.edition.name_of(needed)}: offer both")
        kept = {name: terms for name, terms in self.edition.wagers.items() if name in wanted}
        return replace(self, edition=replace(self.edition, wagers=kept))

    def limits(self, given: str) -> dict[str, tuple[int, int]]:
        """The least and the most cents of every wager: the edition's, narrowed by those given (`NAME=5-300`)."""
        edition = self.edition
        limits = {name: (terms.limits.min_cents, terms.limits.max_cents) for name, terms in edition.wagers.items()}
        for name, bounds in _pairs(given, "limit", f"{next(iter(edition.wagers))}=5-300"):
            wager = edition.bettable(name).id
            low, _, high = bounds.partition("-")
            least, most = (
                parse_cents(low, f"limit of {wager}", "an amount"),
                parse_cents(high or low, f"limit of {wager}", "an amount"),
            )
            if least > most:
                raise Refused(
                    "bad-limits",
                    f"{edition.name_of(wager)}: in {bounds} the least, {dollars(least)}, is above the most, {dollars(most)}",
                )
            if not limits[wager][0] <= least <= most <= limits[wager][1]:
                allowed = " to ".join(map(dollars, limits[wager]))
                raise Refused("bad-limits", f"{edition.name_of(wager)}: {bounds} is not within {allowed}")
            limits[wager] = least, most
        return limits

    def amounts(self, given: str, what: str) -> dict[str, int]:
        """Cents by wager, from `NAME=5000,OTHER=100`."""
        return {
            self.edition.bettable(name).id: parse_cents(amount, f"{what} of {name}", "an amount")
            for name, amount in _pairs(given, what, f"{next(iter(self.edition.wagers))}=20000")
        }


def _pairs(given: str, what: str, such_as: str) -> Iterable[tuple[str, str]]:
    for part in filter(None, (part.strip() for part in given.split(","))):
        name, equals, value = part.partition("=")
        if not equals:
            raise Refused("bad-option", f'{what}: "{part[:30]}" is not possible (such as {such_as} is required)')
        yield name.strip(), value.strip()


def _quoted(text: str) -> str:
    return (
        text
        if text and all(letter.isalnum() or letter in "-=.,_" for letter in text)
        else "'" + text.replace("'", "'\\''") + "'"
    )


def _short(value: Value) -> str:
    """A setting as it is told; a file of one's own is there by its content, which is too long for a line."""
    return "a file of one's own" if str(value).startswith("{") else str(value)


def bound_settings(edition: Edition, chosen: Mapping[str, Value], what_if: bool) -> Settings:
    """The settings, with a file of one's own by its content: a path may lead elsewhere tomorrow."""
    bound = dict(chosen)
    for given, value in chosen.items():
        switch = edition.game.switches.get(given.replace("_", "-"))
        if switch and switch.allows_file(value) and str(value).endswith(".toml"):
            bound[given] = json.dumps(read_toml(Path(str(value))), ensure_ascii=False)
    return edition.settings(bound, what_if)


def read_edition(document: Mapping[str, Any]) -> Edition:
    """The edition of a content that stands in a report."""
    return read_document(as_text(document))
