"""A report as PDF: Typst sets the pages from the document, and attaches it. The same document always gives the same bytes.

PDF/A-3a: tagged, with words for every picture, fonts inside; only fonts that come with Typst, so that no machine's matter.
"""

import hashlib
import json
from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from houseway.report.card_art import card_svg
from houseway.report.document import as_json

TEMPLATES = Path(__file__).parent / "templates"
STANDARD: Literal["a-3a"] = "a-3a"
ATTACHED = "report.json"
SMALLEST_PERCENT = 45
"""How much smaller the letters of a sheet may become."""


def pdf_of(data: dict[str, Any]) -> bytes:
    """The pages of a document, with itself attached."""
    return _set(data, "pdf")[0]


def pictures_of(data: dict[str, Any], dots_per_inch: float = 100.0) -> list[bytes]:
    """The pages as PNG, for a look at them."""
    return _set(data, "png", dots_per_inch)


def _set(data: dict[str, Any], form: Literal["pdf", "png"], dots_per_inch: float = 144.0) -> list[bytes]:
    """The pages; a sheet for a wall is one page, in letters as large as have room on it."""
    paper = data["paper"]
    if paper["style"] == "sheet":
        sizes = (paper["text_pt"] * percent / 100 for percent in range(100, SMALLEST_PERCENT, -5))
        text_pt = next((size for size in sizes if len(_typeset(data, "png", 9.0, size)) == 1), paper["text_pt"])
    else:
        text_pt = paper["text_pt"]
    return _typeset(data, form, dots_per_inch, text_pt)


def _typeset(data: dict[str, Any], form: Literal["pdf", "png"], dots_per_inch: float, text_pt: float) -> list[bytes]:
    import typst  # only where pages are set

    cards = {code: card_svg(code) for code in cards_in(data["sections"])}
    pages: Any = typst.compile(
        TEMPLATES / "report.typ",
        root=TEMPLATES,
        font_paths=[],
        ignore_system_fonts=True,
        format=form,
        ppi=dots_per_inch,
        sys_inputs={"document": as_json(data).decode(), "cards": json.dumps(cards), "text-pt": f"{text_pt:.2f}"},
        pdf_standards=STANDARD if form == "pdf" else None,
        timestamp=0,  # the date is the document's own, in the template
    )
    return pages if isinstance(pages, list) else [pages]


def cards_in(value: Any) -> Iterator[str]:
    """The cards that are drawn somewhere in a document."""
    if isinstance(value, dict):
        if value.get("block") == "cards":
            yield from (card["code"] for hand in value["hands"] for card in hand["cards"])
        for inner in value.values():
            yield from cards_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from cards_in(inner)


@lru_cache(maxsize=1)
def printer() -> str:
    """Who sets the pages: Typst's version, and a digest of our template and drawings. Equal printers set equal bytes."""
    files = (TEMPLATES / "report.typ", Path(__file__).parent / "card_art.py", Path(__file__))
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    return f"Typst {version('typst')}, template {digest[:12]}"
