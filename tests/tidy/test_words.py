"""The pages as texts: short lines, links that lead somewhere, and an ARCHITECTURE.md that names every room and module."""

import re
from configparser import ConfigParser
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]


def test_the_readme_fits_on_a_screen_and_has_both_commands():
    text = (ROOT / "README.md").read_text()
    assert len(text.splitlines()) <= 45
    assert re.findall(r"^\$ (make \S+)", text, re.MULTILINE) == ["make serve", "make test"]


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_pages_have_short_lines_and_name_no_outside_address():
    """What is read beside a table works without a network."""
    for page in PAGES:
        for line in page.read_text().splitlines():
            assert len(line) <= 160 or line.startswith("|"), f"{page.name}: {line}"
            assert not re.search(r"https?://(?!127\.0\.0\.1|localhost)", line), f"{page.name}: {line}"


def test_the_rooms_of_the_architecture_are_those_of_the_package_lowest_first():
    """Every module is named in its room, and the rooms stand in the order that import-linter proves."""
    rooms = (ROOT / "ARCHITECTURE.md").read_text().partition("## Rooms")[2].split("```")[1]
    told = re.findall(r"^(\S.*?)  +(.*?)(?=^\S|\Z)", rooms, re.DOTALL | re.MULTILINE)
    named = {name.strip("/"): place for place, (names, _) in enumerate(told) for name in names.split()}
    linter = ConfigParser()
    linter.read(ROOT / ".importlinter")
    layers = linter["importlinter:contract:layers"]["layers"].replace("houseway.games", "houseway.games/<game>").split("\n")
    places = [[named[name] for name in re.findall(r"houseway\.([^\s|]+)", layer)] for layer in reversed(layers) if layer]
    assert all(max(lower) <= min(upper) for lower, upper in pairwise(places))
    for folder in (ROOT / "src" / "houseway").iterdir():
        if folder.name not in {"games", "web", "cli"} and (folder / "__init__.py").exists():
            words = set(re.findall(r"\w+", told[named[folder.name]][1]))
            missing = [file.stem for file in sorted(folder.glob("*.py")) if file.stem not in {"__init__", *words}]
            assert missing == [], f"ARCHITECTURE.md does not name them in {folder.name}/"
