"""Strategies as pictures to print: SVG, and a page around it that needs nothing else."""

from collections.abc import Sequence
from html import escape
from textwrap import wrap

INK, QUIET = "#1b1f24", "#5b636c"
MARGIN = 32
LINES_WIDTH = 760
_LETTERS = 88
"""So many letters stand in a line of a page of lines."""


def text(x: float, y: float, content: str, size: int = 13, weight: int = 400, fill: str = INK, anchor: str = "start") -> str:
    """A line of text."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{weight}" fill="{fill}" text-anchor="{anchor}">'
        f"{escape(content)}</text>"
    )


def picture(title: str, about: Sequence[str], body: Sequence[str], width: float, height: float) -> str:
    """A picture under its title and a few lines about it."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
        f'role="img" aria-label="{escape(title)}" font-family="Helvetica, Arial, sans-serif" fill="{INK}">',
        f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>',
        text(MARGIN, 44, title, size=24, weight=700),
        *(text(MARGIN, 68 + 17 * at, line, size=12, fill=QUIET) for at, line in enumerate(about)),
        *body,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def picture_of_lines(title: str, about: Sequence[str], lines: Sequence[str]) -> str:
    """A strategy that is told in a few lines; what goes on from a line above stands further in."""
    body, y = [], 84.0 + 17 * len(about)
    for line in lines:
        for at, part in enumerate(wrap(line, _LETTERS)):
            body.append(text(MARGIN + (14 if at else 0), y, part, size=15))
            y += 24
        y += 6
    return picture(title, about, body, LINES_WIDTH, y + MARGIN / 2)


def page(title: str, drawn: str) -> str:
    """A picture as a page, ready to print."""
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n<style>\n'
        "@page { size: A4 landscape; margin: 8mm }\n"
        "body { margin: 0; background: #fff; print-color-adjust: exact; -webkit-print-color-adjust: exact }\n"
        "svg { display: block; margin: 0 auto; max-width: 100%; height: auto; max-height: 100vh }\n"
        f"</style>\n</head>\n<body>\n{drawn}</body>\n</html>\n"
    )
