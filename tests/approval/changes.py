"""Small changes of a definition's text: what a careless or a dishonest hand would do."""

import ast
from collections.abc import Iterable, Iterator, Sequence

from houseway.approval.sources import ClassPart, Module, Part


def _at(text: str, line: int, column: int) -> int:
    """The place of a position of the syntax, in bytes."""
    lines = text.encode().splitlines(keepends=True)
    return sum(map(len, lines[: line - 1])) + column


Edit = tuple[int, int, str]
"""What stands from one byte to another, and what stands there instead."""


def _edited(text: str, edits: Iterable[Edit]) -> str:
    content = text.encode()
    for start, end, piece in sorted(edits, reverse=True):
        content = content[:start] + piece.encode() + content[end:]
    return content.decode()


def _wrapped(text: str, node: ast.expr) -> list[Edit]:
    """An expression as the only item of a list, taken out again: the same value, another definition."""
    start, end = _at(text, node.lineno, node.col_offset), _at(text, node.end_lineno, node.end_col_offset)
    return [(start, start, "[("), (end, end, ")][0]")]


def _into_body(text: str, body: list[ast.stmt], statement: str) -> list[Edit]:
    first = body[0]
    decorators = getattr(first, "decorator_list", [])
    line = min([first.lineno, *(decorator.lineno for decorator in decorators)])
    place = _at(text, line, first.col_offset)
    simple = not hasattr(first, "body")
    return [(place, place, f"{statement}; " if simple else f"{statement}\n{' ' * first.col_offset}")]


def _edits(module: Module, part: Part, text: str) -> list[Edit]:
    if part is module.loose:
        end = len(text.encode())
        return [(end, end, "\nprint()\n")]
    if isinstance(part, ClassPart):
        node = next(node for node in module.tree.body if isinstance(node, ast.ClassDef) and node.name == part.name)
        return _into_body(text, node.body, "_changed = 1")
    node = part.nodes[0]
    if isinstance(node, ast.Constant) and not hasattr(node, "lineno"):
        return _renumbered(module, part, text)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return _into_body(text, node.body, "0 == 0")
    if isinstance(node, ast.Lambda):
        return _wrapped(text, node.body)
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and node.value is not None:
        return _wrapped(text, node.value)
    if isinstance(node, ast.expr):
        return _wrapped(text, node)
    return _into_body(text, node.body, "0 == 0")


def _renumbered(module: Module, part: Part, text: str) -> list[Edit]:
    """`A, B = range(2)` with another number for one of the names."""
    for node in module.tree.body:
        names = [item.id for target in getattr(node, "targets", []) for item in getattr(target, "elts", [])]
        if part.name in names:
            numbers = [str(7_000 if name == part.name else place) for place, name in enumerate(names)]
            start = _at(text, node.value.lineno, node.value.col_offset)
            end = _at(text, node.value.end_lineno, node.value.end_col_offset)
            return [(start, end, f"({', '.join(numbers)})")]
    raise AssertionError(part.name)


def changed(module: Module, part: Part, text: str) -> str:
    """The text of a module with one of its definitions changed."""
    return _edited(text, _edits(module, part, text))


def changed_together(module: Module, parts: Sequence[Part], text: str) -> Iterator[tuple[list[Part], str]]:
    """The text of a module with many of its definitions changed at once, none of them within another, until all were."""
    left = [(part, _edits(module, part, text), _spans(part, text)) for part in parts]
    while left:
        taken, apart = [left[0]], []
        for one in left[1:]:
            (apart if any(_disturb(one, other) for other in taken) else taken).append(one)
        left = apart
        yield [part for part, _, _ in taken], _edited(text, [edit for _, edits, _ in taken for edit in edits])


Span = tuple[int, int]
Change = tuple[Part, list[Edit], list[Span]]


def _spans(part: Part, text: str) -> list[Span]:
    """Where a definition stands; a number of `range(2)` stands nowhere itself."""
    nodes = [node for root in part.nodes for node in (root, *getattr(root, "decorator_list", ())) if hasattr(node, "lineno")]
    return [(_at(text, node.lineno, node.col_offset), _at(text, node.end_lineno, node.end_col_offset)) for node in nodes]


def _disturb(one: Change, other: Change) -> bool:
    """Whether one change lies within the other definition, so that it would be noticed in its place."""
    edits, others = ([(start, end) for start, end, _ in change[1]] for change in (one, other))
    return _touch(edits, others) or _touch(edits, other[2]) or _touch(others, one[2])


def _touch(some: Sequence[Span], others: Sequence[Span]) -> bool:
    return any(start <= other_end and other_start <= end for start, end in some for other_start, other_end in others)
