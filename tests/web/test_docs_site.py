"""The documentation as a site under /docs: it is built without a warning, and shows and searches without a network."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from houses import Served, no_overflow, serving, shoot
from playwright.sync_api import Page, expect

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def house(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("house")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key", docs=site) as served:
        yield served


def test_no_page_loads_anything_from_outside(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 10
    for page in pages:
        loaded = re.findall(r"<(?:script|link|img|iframe)[^>]* (?:src|href)=\"?([^\" >]+)", page.read_text())
        assert loaded
        assert not [address for address in loaded if address.startswith(("http", "//"))], page.name


def test_every_page_shows_under_the_policy_of_the_house(site: Path, house: Served, new_page: Callable[..., Page]) -> None:
    """`new_page` fails for whatever the browser complains of, such as a script that the policy forbids."""
    page, asked = new_page(), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    for file in sorted(site.glob("*.html")):
        page.goto(f"{house.url}/docs/{file.name}")
        expect(page.locator("h1").first).to_be_visible()
    assert asked
    assert not [url for url in asked if not url.startswith(house.url)]


def test_a_visitor_finds_a_word(house: Served, new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.goto(f"{house.url}/docs/")
    expect(page).to_have_title(re.compile("Houseway"))
    shoot(page, "docs-desktop")
    page.locator("input.md-search__input").press_sequentially("commitment")
    hit = page.locator("a.md-search-result__link", has_text="regulator").first
    hit.click()
    expect(page.locator("h1")).to_contain_text("For a regulator")
    page.set_viewport_size({"width": 390, "height": 844})
    no_overflow(page)
    shoot(page, "docs-phone")
