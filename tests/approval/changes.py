"""Small changes of a definition's text: what a careless or a dishonest hand would do."""

import ast

from houseway.approval.sources import ClassPart, Module, Part


def _at(text: str, line: int, column: int) -> int:
    """The place of a position of the syntax, in bytes."""
    lines = text.encode().splitlines(keepends=True)
    return sum(map(len, lines[: line - 1])) + column


def _insert(text: str, *pieces: tuple[int, str]) -> str:
    content = text.encode()
    for place, piece in sorted(pieces, reverse=True):
        content = content[:place] + piece.encode() + content[place:]
    return content.decode()


def wrapped(text: str, node: ast.expr) -> str:
    """An expression as the only item of a list, taken out again: the same value, another definition."""
    return _insert(
        text, (_at(text, node.lineno, node.col_offset), "[("), (_at(text, node.end_lineno, node.end_col_offset), ")][0]")
    )


def _into_body(text: str, body: list[ast.stmt], statement: str) -> str:
    first = body[0]
    decorators = getattr(first, "decorator_list", [])
    line = min([first.lineno, *(decorator.lineno for decorator in decorators)])
    simple = not hasattr(first, "body")
    return _insert(
        text, (_at(text, line, first.col_offset), f"{statement}; " if simple else f"{statement}\n{' ' * first.col_offset}")
    )


def changed(module: Module, part: Part, text: str) -> str:
    """The text of a module with one of its definitions changed."""
    if part is module.loose:
        return text + "\nprint()\n"
    if isinstance(part, ClassPart):
        node = next(node for node in module.tree.body if isinstance(node, ast.ClassDef) and node.name == part.name)
        return _into_body(text, node.body, "_changed = 1")
    node = part.nodes[0]
    if isinstance(node, ast.Constant) and not hasattr(node, "lineno"):
        return _renumbered(module, part, text)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return _into_body(text, node.body, "0 == 0")
    if isinstance(node, ast.Lambda):
        return wrapped(text, node.body)
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and node.value is not None:
        return wrapped(text, node.value)
    if isinstance(node, ast.expr):
        return wrapped(text, node)
    return _into_body(text, node.body, "0 == 0")


def _renumbered(module: Module, part: Part, text: str) -> str:
    """`A, B = range(2)` with another number for one of the names."""
    for node in module.tree.body:
        names = [item.id for target in getattr(node, "targets", []) for item in getattr(target, "elts", [])]
        if part.name in names:
            numbers = [str(7_000 if name == part.name else place) for place, name in enumerate(names)]
            start = _at(text, node.value.lineno, node.value.col_offset)
            end = _at(text, node.value.end_lineno, node.value.end_col_offset)
            content = text.encode()
            return (content[:start] + f"({', '.join(numbers)})".encode() + content[end:]).decode()
    raise AssertionError(part.name)
