"""What the rounds of a corpus do not notice is given to the tests, in a copy of the package with the mutant in it."""

import ast
import copy
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from houseway.approval.rules import PACKAGE

TESTS = PACKAGE.parent.parent / "tests"
OF_RULES = (
    "rules/test_*.py",
    *(f"live/test_{name}*.py" for name in ("table", "mend", "correct", "*bank", "limits", "conditions")),
)
"""Tests of rules, and of tables. Those that take minutes, as the models of the money do, would notice still more."""
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+::.+?)(?: - .*)?$", re.MULTILINE)


class Tests:
    """The tests that name one of these editions. Those that fail whenever a source differs, as badges do, are left out."""

    def __init__(self, editions: Sequence[str], control: tuple[str, ast.stmt]) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._package = Path(self._folder.name) / "houseway"
        shutil.copytree(PACKAGE, self._package, ignore=shutil.ignore_patterns("__pycache__"))
        files = [file for pattern in OF_RULES for file in sorted(TESTS.glob(pattern)) if "model" not in file.name]
        self.files = [file for file in files if any(name in file.read_text(encoding="utf-8") for name in editions)]
        self.left_out: list[str] = []
        self.left_out = FAILED.findall(self._run(*control))

    def notice(self, file: str, node: ast.stmt) -> bool:
        """Whether a test fails with this definition instead of the one in its place."""
        return bool(FAILED.search(self._run(file, node, "-x")))

    def _run(self, file: str, node: ast.stmt, *options: str) -> str:
        """What the tests print with a definition changed; the file is put back."""
        path = self._package / file
        text = path.read_text(encoding="utf-8")
        path.write_text(with_definition(text, node), encoding="utf-8")
        without = [f"--deselect={test}" for test in self.left_out]
        command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider", *options, *without]
        environment = os.environ | {"PYTHONPATH": self._folder.name, "HOUSEWAY_CACHE": f"{self._folder.name}/cache"}
        environment |= {"NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        about = path.stem
        files = sorted(
            self.files, key=lambda test: (about not in test.name, f".{about}" not in test.read_text(encoding="utf-8"))
        )
        try:
            ran = subprocess.run(
                [*command, *map(str, files)], env=environment, cwd=TESTS.parent, capture_output=True, text=True, check=False
            )
        finally:
            path.write_text(text, encoding="utf-8")
        return ran.stdout if ran.returncode in {0, 1} else f"FAILED {file}::cannot be imported\n{ran.stdout}"


def with_definition(text: str, node: ast.stmt) -> str:
    """A file's text with another definition in the place of the one that stands there."""
    tree = ast.parse(text)
    for outer in ast.walk(tree):
        for _, value in ast.iter_fields(outer):
            if isinstance(value, list):
                for place, inner in enumerate(value):
                    at = getattr(node, "lineno", None), getattr(node, "col_offset", None)
                    if type(inner) is type(node) and (inner.lineno, inner.col_offset) == at:
                        value[place] = node
    return ast.unparse(ast.fix_missing_locations(tree))


def no_change(node: ast.stmt) -> ast.stmt:
    """A definition that differs and does the same."""
    same = copy.deepcopy(node)
    if isinstance(same, ast.FunctionDef):
        same.body.append(ast.parse("assert True").body[0])
    return same
