"""The README tells the truth: its commands run, and print what it says they print."""

import doctest
import re
import shlex
import sys
from pathlib import Path

import pytest

from houseway.cli.main import main

README = Path(__file__).parent.parent / "README.md"


def examples():
    """Each `$ houseway ...` command with the output shown below it."""
    for block in re.findall(r"```console\n(.*?)```", README.read_text(), re.DOTALL):
        joined = block.replace("\\\n", " ")
        for part in re.split(r"^\$ ", joined, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            if command.startswith("houseway "):
                yield pytest.param(command.split("#")[0], shown.strip(), id=" ".join(command.split()[1:4]))


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """One house for all examples: they follow one another."""
    folder = tmp_path_factory.mktemp("house")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOUSEWAY_STORE", f"sqlite:///{folder / 'house.db'}")
        patch.setenv("HOUSEWAY_KEY", str(folder / "house.key"))
        yield folder


@pytest.mark.parametrize(("command", "shown"), list(examples()))
def test_command_prints_what_the_readme_shows(command, shown, monkeypatch, capsys, house):
    monkeypatch.setattr(sys, "argv", shlex.split(command))
    with pytest.raises(SystemExit) as ended:
        main()
    printed = capsys.readouterr().out.strip()
    assert not ended.value.code
    assert printed
    for line, expected in zip(printed.splitlines(), shown.splitlines(), strict=False):
        assert re.fullmatch(re.escape(expected.rstrip()).replace(r"\.\.\.", ".*"), line)


def test_python_examples_run():
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried > 0
    assert failed == 0
