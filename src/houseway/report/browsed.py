"""A report in a browser: the same document through a Jinja template, with print styles; nothing is loaded from elsewhere."""

from functools import lru_cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from houseway.report.card_art import card_svg
from houseway.report.printed import TEMPLATES, cards_in


@lru_cache(maxsize=1)
def _template() -> Template:
    loader = FileSystemLoader(TEMPLATES)
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=False).get_template("report.html")


def page_of(data: dict[str, Any]) -> str:
    """A whole page."""
    return _drawn(data, whole=True)


def article_of(data: dict[str, Any]) -> str:
    """The report alone, for a page that has it inside: its styles are `report.css` beside the template."""
    return _drawn(data, whole=False)


def style() -> str:
    """How it looks, on a screen and printed."""
    return (TEMPLATES / "report.css").read_text(encoding="utf-8")


def _drawn(data: dict[str, Any], whole: bool) -> str:
    pictures = {code: card_svg(code) for code in cards_in(data["sections"])}
    return _template().render(doc=data, pictures=pictures, whole=whole, style=style())
