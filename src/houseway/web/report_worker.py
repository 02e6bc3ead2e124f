"""A process of its own that makes or verifies a report for a reader: behind everybody at the tables, and nothing is kept."""

import base64
from collections.abc import Callable
from time import monotonic
from typing import Any

from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.report.asked_house import asked_of_house, built
from houseway.report.browsed import article_of
from houseway.report.files import ENDINGS
from houseway.report.house_kinds import HouseSource
from houseway.report.make import MadeReport, asked_report
from houseway.report.verify import verify_pdf
from houseway.table.bound import read_document
from houseway.web.lab_worker import Say, main

SECONDS_BETWEEN = 0.25
FINDINGS_MOST = 200


def _progress(say: Say) -> Callable[[int, int], None]:
    """How far it is, now and then."""
    told = [0.0]

    def progress(done: int, total: int) -> None:
        if monotonic() >= told[0]:
            told[0] = monotonic() + SECONDS_BETWEEN
            say({"progress": {"done": done, "total": total, "rate": None, "left_seconds": None}})

    return progress


def _made(question: dict[str, Any], say: Say) -> MadeReport:
    if "taken" in question:
        about = question["taken"]
        source = HouseSource(Store(question["store"], only_reads=True))
        return asked_of_house(
            about["kind"], source, about["options"], paper=about["paper"], on=about["on"], progress=_progress(say)
        )
    if "inputs" in question:
        return built(question["inputs"], _progress(say))
    asked = question["asked"]
    return asked_report(
        question["kind"],
        read_document(question["document"]),
        {name.replace("-", "_"): value for name, value in (asked["settings"] | asked["options"]).items()},
        paper=asked["paper"],
        on=asked["date"],
        what_if=asked["what_if"],
        progress=_progress(say),
    )


def _answer(made: MadeReport) -> dict[str, Any]:
    command = next(entry["value"] for entry in made.data["identification"] if entry["id"] == "command")
    files = {ending: base64.b64encode(made.content(ending)).decode() for ending in ENDINGS}
    about = {"title": made.data["title"], "mark": made.data["mark"], "date": made.data["date"], "command": command}
    return {"whole": True, **about, "figures": len(made.figures), "html": article_of(made.data), "files": files}


def _verified(question: dict[str, Any], say: Say) -> dict[str, Any]:
    """What verifying comes to; against this house's store, for whoever may read its journal."""
    source = HouseSource(Store(question["store"], only_reads=True)) if question["store"] else None
    verified = verify_pdf(base64.b64decode(question["pdf"]), _progress(say), source)
    return {
        "whole": True,
        "title": verified.title,
        "kind": verified.kind,
        "holds": verified.holds,
        "figures": verified.figures,
        "agreeing": verified.agreeing,
        "pages": verified.pages,
        "findings": list(verified.findings[:FINDINGS_MOST]),
        "findings_found": len(verified.findings),
        "remarks": list(verified.remarks),
        "made_by": [vars(line) for line in verified.made_by],
    }


def work(question: dict[str, Any], say: Say) -> None:
    """Carry a question out."""
    try:
        say({"answer": _verified(question, say) if "pdf" in question else _answer(_made(question, say))})
    except Refused as refused:
        say({"refused": {"code": refused.code, "message": refused.message}})


if __name__ == "__main__":
    main(work)
