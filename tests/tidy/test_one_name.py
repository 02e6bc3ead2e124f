"""No two things of one name: a class of the package is called as no other is."""

import ast
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "houseway"


def classes(folder: Path) -> dict[str, list[str]]:
    """The files in which a class of each name stands; names that begin with _ are their file's own."""
    files: dict[str, list[str]] = defaultdict(list)
    for file in sorted(folder.rglob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                files[node.name].append(str(file.relative_to(folder)))
    return files


def test_no_two_classes_have_one_name() -> None:
    assert {name: files for name, files in classes(PACKAGE).items() if len(files) > 1} == {}


def test_a_name_that_is_used_twice_would_be_found(tmp_path: Path) -> None:
    for file in ("a.py", "b.py"):
        (tmp_path / file).write_text("class Round:\n    pass\n\nclass _Own:\n    pass\n")
    assert classes(tmp_path)["Round"] == ["a.py", "b.py"]
    assert "_Own" not in classes(tmp_path)
