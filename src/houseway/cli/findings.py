"""Printing what became of the published figures."""

from collections import Counter
from itertools import groupby

from houseway.api import Rulebook
from houseway.cli.books import status
from houseway.cli.text import Format, show_csv, show_json
from houseway.games import edition_files
from houseway.odds.published import Finding
from houseway.solve.answer import table


def show_findings(name: str | None, every: bool, format_: Format) -> bool:
    """Verify one edition or all; whether any figure differs."""
    verified: dict[str, list[Finding]] = {}
    for edition in [name] if name else list(edition_files()):
        verified[edition] = Rulebook.open(edition).verify()
    rows = [finding.as_row() for findings in verified.values() for finding in findings]
    if format_ is Format.JSON:
        show_json(rows)
    elif format_ is Format.CSV:
        show_csv(rows)
    else:
        for edition, findings in verified.items():
            print(f"{edition}: {status(Rulebook.open(edition).edition)}")
            _print(edition, findings, every)
    return any(row["status"] == "differs" for row in rows)


def _print(edition: str, findings: list[Finding], every: bool) -> None:
    counts = Counter(finding.status for finding in findings)
    title = findings[0].document if findings else "no published figures"
    print(f"{edition}: {title}")
    summary = f"{counts['agrees']} agree, {counts['explained']} are explained by a reading, {counts['differs']} differ"
    print(f"  {len(findings)} figures: {summary}")
    for heading, group in groupby(findings, key=lambda finding: (finding.clause, finding.table)):
        shown = [f for f in group if every or f.status != "agrees" or f.note]
        if shown:
            rows = [(f.figure, f.published, f.computed, f.status, f.reading, f.note) for f in shown]
            head = ("figure", "published", "computed", "status", "reading", "note")
            print(f"\n  {' '.join(heading)}\n" + table([head, *rows], right=(1, 2), indent="    "))
    print()
