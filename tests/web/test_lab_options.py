"""The lab has a place for everything that the shell can be asked: an option without one is named here, with the reason."""

import json
import shlex
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from houses import BOUNDLESS, PATIENCE, Served, no_overflow, serving, shoot
from playwright.sync_api import Page, expect
from typer.main import get_command

from houseway.cli.main import app
from houseway.games import open_edition
from houseway.refusal import Refused
from houseway.report.kinds import KINDS
from houseway.table.bound import as_text
from houseway.web.lab_questions import Bounds, command_of
from houseway.web.lab_solving import SolveAsked
from houseway.web.lab_worker import work

LUCKY, PAI_GOW, DUKI, BACCARAT = "lucky-lucky-wa", "ez-pai-gow-wa", "duki-4-wa", "ez-baccarat-wa"
LAPTOP, PHONE = (1280, 900), (390, 844)
WAIT_MS = 10 * PATIENCE * 1000
NewPage = Callable[..., Page]
Shell = Callable[..., tuple[int, str, str]]

NOWHERE = {
    "engine": "who works here is the house's affair: threads of a process apart",
    "scheduler": "a cluster is somewhere else",
    "workers": "as many as the house gives readers: half of its processors",
    "format": "a page; its buttons give JSON, CSV, text and Parquet",
    "out": "buttons that download",
    "save": "buttons that download",
    "resume": "what was begun goes on by itself, whoever asks the same",
    "store": "the store of the house that is asked",
    "as": "whoever is signed in",
    "help": "the page",
    "all": "`most`, up to as many as are shown",
}
"""What makes no sense on a page, and why."""
ELSEWHERE = {
    "design": {"register": "a button at each design", "name": "asked with the button", "number": "the design of the button"},
}
"""What is on the page only once there is an answer: tests of those pages press it."""
CALLED = {
    "reading": "set-R", "set": "set-", "bets": "bets-of", "count": "tag-A", "seen": "way", "published": "way",
    "rows": "row-", "envy": "envy-", "what-if": "set-", "hand": "place-hand", "dealer": "place-dealer", "other": "place-other",
}  # fmt: skip
"""Fields that are called otherwise, by how their names begin; settings are those that the edition has."""
PAGES: dict[str, tuple[str, tuple[str, ...]]] = {
    "solve": ("solve", (LUCKY, PAI_GOW, DUKI)),
    "strategy": ("strategy", (LUCKY, PAI_GOW)),
    "best": ("hand", (LUCKY, PAI_GOW, DUKI)),
    "simulate": ("simulate", (BACCARAT, PAI_GOW)),
    "protect": ("protect", (BACCARAT, LUCKY)),
    "design": ("design", (BACCARAT, PAI_GOW)),
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("options")
    limits = replace(BOUNDLESS, simulations=10_000, simulation_seconds=10 * PATIENCE)
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key", limits=limits) as made:
        yield made


def _options(*command: str) -> set[str]:
    """The options of a command of the shell, without their dashes."""
    found: Any = get_command(app)
    for name in command:
        found = found.commands[name]
    options = {max(each.opts, key=len).removeprefix("--") for each in found.params if each.param_type_name == "option"}
    assert options
    return options


def _fields(new_page: NewPage, house: Served, path: str) -> set[str]:
    """The names of all fields on a page."""
    page = new_page(1280, 900)
    page.goto(f"{house.url}{path}")
    for shown in ("#asked :is(input, select)", *([".place"] if path.endswith("hand") else [])):
        expect(page.locator(shown).first).to_be_attached(timeout=WAIT_MS)
    names: list[str] = page.evaluate(
        "[...document.querySelectorAll('main [name], main .place')].map(each => each.name || each.id)"
    )
    page.close()
    return set(names)


@pytest.mark.parametrize("command", PAGES)
def test_every_option_of_the_shell_has_its_place_on_a_page(new_page: NewPage, house: Served, command: str) -> None:
    name, editions = PAGES[command]
    fields = set().union(*(_fields(new_page, house, f"/lab/{edition}/{name}") for edition in editions))
    missing = set()
    for option in _options(command) - NOWHERE.keys() - ELSEWHERE.get(command, {}).keys():
        names = {option, option.replace("-", "_"), f"option-{option}", f"set-{option}"}
        begins = CALLED.get(option)
        if not names & fields and not (begins and any(field.startswith(begins) for field in fields)):
            missing.add(option)
    assert not missing, f"houseway {command} takes {', '.join(sorted(missing))}, the page has only {sorted(fields)}"


@pytest.mark.parametrize("kind", KINDS)
def test_every_option_of_a_report_has_its_place_on_the_page(new_page: NewPage, house: Served, kind: str) -> None:
    page = new_page(*LAPTOP)
    page.goto(f"{house.url}/lab/{LUCKY}/reports")
    page.get_by_label("Kind", exact=True).select_option(kind)
    fields = set(page.evaluate("[...document.querySelectorAll('main [name]')].map(each => each.name)"))
    assert any(field.startswith("set-R") for field in fields), "readings"
    declared = {option.name for option in KINDS[kind].options}
    assert {"paper", "date", "set-decks", *(f"option-{name}" for name in declared)} <= fields
    assert _options("report", kind) - NOWHERE.keys() - declared == {
        "paper", "date", "decks", "pay-table", "set", "reading", "what-if",
    }  # fmt: skip


def _answer(edition: str, options: dict[str, Any], **other: Any) -> dict[str, Any]:
    """What a worker says to it at last, or why it is refused."""
    said: list[dict[str, Any]] = []
    opened, asked = open_edition(edition), SolveAsked(options=options, **other)
    asked.check(opened, Bounds(60))
    question = {"kind": "solve", "document": as_text(opened.document), "digest": "0" * 64, "asked": asked.model_dump()}
    work(question, said.append)
    return said[-1]


@pytest.mark.parametrize(("edition", "options"), [
    (LUCKY, {"about": "insurance"}),
    (LUCKY, {"after-split": "free"}),
    (DUKI, {"bonus": "5"}),
])  # fmt: skip
def test_a_solver_is_asked_as_in_the_shell(run: Shell, edition: str, options: dict[str, str]) -> None:
    answer = _answer(edition, options)["answer"]
    code, printed, complaint = run(*shlex.split(answer["command"])[1:], "--format", "json")
    assert code == 0, complaint
    told = json.loads(printed)
    assert answer["data"] | {"digest": ""} == told | {"digest": ""}


def test_what_a_file_says_is_read_and_named_by_what_it_is(run: Shell, tmp_path: Any) -> None:
    """Where the shell reads a file, the page is told what it says: the answer is the same."""
    chart = tmp_path / "mine.csv"
    assert run("strategy", LUCKY, "--save", chart)[0] == 0
    given = {"chart": chart.read_text().strip().replace("S", "H", 1)}
    answer = _answer(LUCKY, given)["answer"]
    assert answer["data"]["chart"] == "the chart given"
    assert answer["command"] == f"houseway solve {LUCKY} --chart FILE"
    chart.write_text(given["chart"])
    told = json.loads(run("solve", LUCKY, "--chart", chart, "--format", "json")[1])
    assert answer["data"]["chart_house_edge"] == told["chart_house_edge"]
    refused = _answer(LUCKY, {"chart": "no chart\nat all"})["refused"]["message"]
    assert "/" not in refused
    assert "\n" not in refused


@pytest.mark.parametrize(("edition", "options", "words"), [
    (LUCKY, {"bonus": "5"}, 'unknown option "bonus"'),
    (LUCKY, {"about": "the weather"}, 'unknown about "the weather"'),
    (LUCKY, {"exact": "yes"}, "exact is asked for or left out"),
    (LUCKY, {"about": True}, "about is given with a value"),
    (DUKI, {"bonus": "many"}, 'a Bonus of "many" times the Ante is not possible'),
    (DUKI, {"bonus": "-1"}, "give a number from 0 to 1000"),
    (PAI_GOW, {"queen-high": "sings"}, 'unknown queen-high "sings"'),
    (BACCARAT, {}, "leaves the player nothing to decide"),
])  # fmt: skip
def test_nonsense_is_refused_in_one_line(edition: str, options: dict[str, Any], words: str) -> None:
    try:
        message = _answer(edition, options)["refused"]["message"]
    except Refused as refused:
        message = refused.message
    assert words in message
    assert "\n" not in message


def test_a_flag_and_a_value_are_written_as_the_shell_reads_them() -> None:
    asked = SolveAsked(options={"exact": True, "about": "results"}, settings={"decks": "2"})
    assert command_of("solve", LUCKY, asked) == f"houseway solve {LUCKY} --set decks=2 --exact --about results"


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_game_is_solved_on_its_page(new_page: NewPage, house: Served, size: tuple[int, int]) -> None:
    page = new_page(*size)
    page.goto(f"{house.url}/lab/{LUCKY}/solve?option-about=insurance&set-decks=2")
    expect(page.locator("#command")).to_have_text(f"houseway solve {LUCKY} --set decks=2 --about insurance")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator("#state")).to_have_text("Done.", timeout=WAIT_MS)
    expect(page.get_by_role("region", name="What the solver says")).to_contain_text("insurance against an ace, exact")
    no_overflow(page)
    shoot(page, f"lab-solve-{size[0]}")
    page.goto(f"{house.url}/lab/{BACCARAT}/solve")
    expect(page.locator("#results")).to_contain_text("leaves the player nothing to decide")
