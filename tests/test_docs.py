"""The README and the documentation tell the truth: their commands run, and print what they say they print."""

import doctest
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]
TOOLS = ("cp ", "sed ")
"""What a reader is asked to type besides `houseway`, and is run here as well."""


def commands(page: Path) -> list[tuple[str, str]]:
    """Every command that a page asks its reader to type, in order, with the output shown below it."""
    blocks = re.findall(r"```console\n(.*?)```", page.read_text(), re.DOTALL)
    parts = [part for block in blocks for part in re.split(r"^\$ ", block.replace("\\\n", " "), flags=re.MULTILINE)[1:]]
    typed = [part.partition("\n") for part in parts if part.startswith(("houseway ", *TOOLS))]
    return [(command.split("  #")[0], shown.strip()) for command, _, shown in typed]


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A house of its own, in a folder that has the editions where the checkout has them."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "*.py", "static"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOUSEWAY_STORE", f"sqlite:///{tmp_path / 'house.db'}")
    monkeypatch.setenv("HOUSEWAY_KEY", str(tmp_path / "house.key"))


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=lambda page: page.name)
def test_the_commands_of_a_page_print_what_it_shows(page, run):
    """They follow one another, as the reader types them."""
    for command, shown in commands(page):
        program, *arguments = shlex.split(command)
        if program != "houseway":
            subprocess.run([program, *arguments], check=True)
            continue
        code, printed, complaint = run(*arguments)
        refused = shown.startswith("houseway: ")
        assert code == (2 if refused else 0), f"{command}: {complaint}"
        printed = complaint if refused else printed
        assert printed.strip(), command
        for line, expected in zip(printed.strip().splitlines(), shown.splitlines(), strict=False):
            assert re.fullmatch(re.escape(expected.rstrip()).replace(r"\.\.\.", ".*"), line), command


@pytest.mark.parametrize("page", [page for page in PAGES if ">>> " in page.read_text()], ids=lambda page: page.name)
def test_python_examples_run(page):
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert tried > 0
    assert failed == 0
