"""A report as PDF: Typst sets the pages from the document, and attaches it. The same document always gives the same bytes.

PDF/A-3a and PDF/UA-1: tagged, with words for every picture, fonts inside; only fonts that come with Typst, so that no machine's
matter.
"""

import hashlib
import json
from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from houseway.refusal import Refused
from houseway.report.card_art import card_svg
from houseway.report.document import as_json

TEMPLATES = Path(__file__).parent / "templates"
STANDARDS: tuple[Literal["a-3a"], Literal["ua-1"]] = ("a-3a", "ua-1")
ATTACHED = "report.json"
PRINTABLE = (
    (0x20, 0x7E),
    (0xA0, 0x17F),
    (0x391, 0x3C9),
    (0x410, 0x44F),
    (0x2010, 0x2026),
    (0x2030, 0x203A),
    (0x20AC, 0x20AC),
    (0x2116, 0x2116),
    (0x2190, 0x2193),
    (0x2200, 0x22FF),
    (0x2500, 0x257F),
    (0x25A0, 0x25FF),
    (0x2660, 0x2667),
)
"""Letters that the fonts have, from each to each: Latin, Greek, Cyrillic, signs, suits."""
SMALLEST_PERCENT = 45
"""How much smaller the letters of a sheet may become."""


def pdf_of(data: dict[str, Any]) -> bytes:
    """The pages of a document, with itself attached; letters that the fonts lack stand there as their numbers."""
    import typst

    try:
        return _set(data, "pdf")[0]
    except typst.TypstError as error:
        if "could not be displayed" not in str(error):
            raise
        why = " ".join(str(error).split())[:160]
        raise Refused(
            "not-printable", f"the PDF's fonts lack a letter of it ({why}): write it otherwise, or ask for .html"
        ) from None


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
        sys_inputs={
            "document": as_json(data).decode(),
            "shown": as_json(printable(data)).decode(),
            "cards": json.dumps(cards),
            "text-pt": f"{text_pt:.2f}",
        },
        pdf_standards=[*STANDARDS] if form == "pdf" else None,
        timestamp=0,  # the date is the document's own, in the template
    )
    return pages if isinstance(pages, list) else [pages]


def printable(value: Any) -> Any:
    """A document in letters that the fonts have: others, such as Chinese ones and emoji, as their numbers (U+738B).

    >>> printable(["Café Ω № 7 ♠", "王"])
    ['Café Ω № 7 ♠', '[U+738B]']
    """
    if isinstance(value, str):
        return value if value.isascii() and value.isprintable() else "".join(map(_printable_letter, value))
    if isinstance(value, dict):
        return {key: printable(inner) for key, inner in value.items()}
    return [printable(inner) for inner in value] if isinstance(value, list) else value


def _printable_letter(letter: str) -> str:
    code = ord(letter)
    has_glyph = letter == "\n" or any(first <= code <= last for first, last in PRINTABLE)
    return letter if has_glyph else f"[U+{code:04X}]"


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
