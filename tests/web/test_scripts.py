"""The scripts, styles and templates of the pages: they know no game, none is dead, and no line is too long to be read."""

import re
from pathlib import Path

import pytest

from houseway.games import NAMES, edition_files, open_edition
from houseway.web import wall
from houseway.web.pages import TEMPLATES

STATIC = TEMPLATES.parent / "static"
SCRIPTS = sorted((STATIC / "js").rglob("*.js"))
TYPES = STATIC / "js" / "types.d.ts"
STYLES = sorted((STATIC / "css").rglob("*.css"))
PAGES = sorted(TEMPLATES.glob("*.html"))
LONGEST = 128
EDITIONS = [open_edition(name) for name in edition_files()]
ENTRY = re.compile(r'<script type="module" src="/static/js/([^"]+)"')
EXPORT = re.compile(r"^export (?:async )?(?:function|const|class|let) (\w+)", re.MULTILINE)
IMPORT = re.compile(r"""(?:^import|^export)[^;]*? from "([^"]+)";""", re.MULTILINE)
STYLE = re.compile(r'href="/static/css/([^"]+)"')
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
PLAIN_WORDS = {"play", "tie", "base"}
"""Ids of wagers that are words of every card room: they may stand in a sentence, but not alone in quotes."""
NO_WAGER = {"player"}
"""A wager's id, but also whoever plays, and who banks an edition."""


def _named(path: Path) -> str:
    return str(path.relative_to(TEMPLATES.parent))


def _ids() -> dict[str, str]:
    """Everything that only a game may name: games, editions, wagers, outcomes and choices, with what each is."""
    ids = dict.fromkeys(NAMES, "game")
    for edition in EDITIONS:
        ids[edition.id] = "edition"
        for wager in edition.game.wagers.values():
            ids[wager.id] = "wager"
            ids |= {outcome.id: "outcome" for outcome in wager.outcomes if "-" in outcome.id}
        ids |= {choice: "choice" for choice in edition.game.face.choices if "-" in choice}
    return ids


@pytest.mark.parametrize("path", [*SCRIPTS, TYPES, *STYLES, *PAGES], ids=_named)
def test_no_script_style_or_template_knows_a_game(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    quoted = {match[1] for match in STRING.finditer(text)}
    for id_, kind in _ids().items():
        if id_ in NO_WAGER:
            continue
        if id_ in PLAIN_WORDS:
            assert path.suffix != ".js" or id_ not in quoted, f"{_named(path)} names the {kind} {id_}"
        else:
            assert not re.search(rf"(?<![\w-]){re.escape(id_)}(?![\w-])", text), f"{_named(path)} names the {kind} {id_}"
    names = {edition.game.face.title for edition in EDITIONS} | {edition.name for edition in EDITIONS}
    for name in names:
        assert name not in text, f"{_named(path)} names {name}"


@pytest.mark.parametrize("path", [*SCRIPTS, TYPES, *STYLES], ids=_named)
def test_no_line_is_longer_than_can_be_read(path: Path) -> None:
    long = [number for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if len(line) > LONGEST]
    assert not long, f"{_named(path)}: longer than {LONGEST}: lines {long}"


def test_every_script_is_reached_from_some_page() -> None:
    """Whatever no page loads, and no loaded script imports, is dead."""
    waiting = [STATIC / "js" / entry for page in PAGES for entry in ENTRY.findall(page.read_text(encoding="utf-8"))]
    waiting.append(STATIC / wall.WORKER)  # the wall's service worker, which the house serves with its files' digests
    reached: set[Path] = set()
    while waiting:
        script = waiting.pop()
        if script not in reached:
            assert script.exists(), script
            reached.add(script)
            waiting += [(script.parent / name).resolve() for name in IMPORT.findall(script.read_text(encoding="utf-8"))]
    assert reached == set(SCRIPTS)


def test_every_export_is_imported_somewhere() -> None:
    """What a script gives to others, another one takes: else it is dead."""
    taken = {
        name.split(" as ")[0].strip()
        for script in SCRIPTS
        for names in re.findall(r"^import \{([^}]*)\}", script.read_text(encoding="utf-8"), re.MULTILINE)
        for name in names.split(",")
    }
    given = {(script, name) for script in SCRIPTS for name in EXPORT.findall(script.read_text(encoding="utf-8"))}
    assert not sorted(f"{_named(script)}: {name}" for script, name in given if name not in taken)


def test_every_style_is_linked_from_some_page() -> None:
    linked = {STATIC / "css" / name for page in PAGES for name in STYLE.findall(page.read_text(encoding="utf-8"))}
    assert linked == set(STYLES)
