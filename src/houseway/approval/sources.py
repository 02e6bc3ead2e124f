"""Sources as syntax: a module's definitions, what each is taken from, and a digest that formatting does not change."""

import ast
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
MEDDLES = {"setattr", "delattr", "exec", "eval", "globals", "vars", "__import__", "import_module", "__setattr__", "__dict__"}
MEDDLES |= {"modules", "__delattr__", "__setstate__", "__code__", "__globals__", "__closure__", "__defaults__"}
"""Names by which a definition may change what others have defined."""
MUTATES = {"append", "extend", "insert", "pop", "popitem", "remove", "clear", "update", "setdefault", "sort", "reverse", "add"}
MUTATES |= {"discard", "__setitem__", "__delitem__", "__iadd__", "__ior__", "fill", "put", "itemset", "setfield"}
"""Methods that change what they are called on."""
_COMPOUND = (ast.If, ast.Try, ast.With, ast.For, ast.While, ast.Match)


def sha(content: bytes | str) -> str:
    """SHA-256, in hex."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def shape(node: object) -> str:
    """Syntax as text without positions, docstrings and empty fields: the same for every version of Python."""
    if isinstance(node, ast.AST):
        fields = ((name, value) for name, value in ast.iter_fields(node) if name not in {"ctx", "kind", "type_comment"})
        parts = (f"{name}={shape(value)}" for name, value in fields if value is not None and value != [])
        if isinstance(node, ast.Constant):
            return f"{type(node.value).__name__}:{node.value!r}"
        return f"{type(node).__name__}({','.join(parts)})"
    if isinstance(node, list):
        return f"[{','.join(shape(item) for item in node if not is_remark(item))}]"
    return repr(node)


def is_remark(node: object) -> bool:
    """A statement that is a text and nothing else: a docstring, or a note below a constant."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


@dataclass
class Part:
    """A definition of a module: its name, and the statements that make it."""

    name: str
    nodes: list[ast.AST] = field(default_factory=list)

    @cached_property
    def shape(self) -> str:
        """All its statements, as text."""
        return ";".join(shape(node) for node in self.nodes)


@dataclass
class ClassPart(Part):
    """A class: its own statements are the part, and each method is a part of its own."""

    methods: dict[str, Part] = field(default_factory=dict)
    bases: list[ast.expr] = field(default_factory=list)


class Module:
    """A source file: its definitions by name, its imports, and statements that belong to no name."""

    def __init__(self, name: str, file: Path, shown: str, text: str) -> None:
        self.name, self.file, self.shown = name, file, shown
        self.is_package = file.name == "__init__.py"
        self.tree = ast.parse(text)
        self.parts: dict[str, Part] = {}
        self.imports: dict[str, tuple[str, str]] = {}
        self.stars: list[str] = []
        self._lambda_parts: dict[tuple[int, str], Part] = {}
        self.loose = Part("statements of the module")
        self.extended: dict[str, Part] = {}
        """Statements such as `TABLE |= {...}` on a name that another module defines."""
        for statement in self.tree.body:
            self._take_in(statement)

    def _take_in(self, statement: ast.stmt) -> None:
        if is_remark(statement):
            return
        if isinstance(statement, ast.Import | ast.ImportFrom):
            self.imports |= imported(statement, self)
            self.stars += starred(statement, self)
        elif isinstance(statement, ast.ClassDef):
            self.parts[statement.name] = _class_part(statement)
        elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            self._add(statement.name, self._without_declaration(statement))
        elif isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            known = self.parts if statement.target.id in self.parts else self.extended
            known.setdefault(statement.target.id, Part(statement.target.id)).nodes.append(statement)
        elif isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.dump(statement.test):
            for inner in statement.body:
                self._take_in(inner)
        elif each := _one_by_one(statement):
            self.parts |= {name: Part(name, [value]) for name, value in each.items()}
        else:
            self._bind(statement)

    @cached_property
    def imported_modules(self) -> set[str]:
        """The modules that may be imported with this one: those that it names outside of its functions, and their packages."""
        named: set[str] = {self.absolute("", 1)} if "." in self.name and not self.is_package else set()
        for statement in _at_import(self.tree.body):
            if isinstance(statement, ast.Import):
                named |= {alias.name for alias in statement.names}
            elif isinstance(statement, ast.ImportFrom):
                origin = self.absolute(statement.module, statement.level)
                named |= {origin, *(f"{origin}.{alias.name}" for alias in statement.names)}
        return {
            ".".join(parts[:length]) for parts in (name.split(".") for name in named) for length in range(1, len(parts) + 1)
        }

    @cached_property
    def meddling(self) -> list[Part]:
        """Definitions that may change what others have defined, when they are made or called."""
        methods = [m for part in self.parts.values() if isinstance(part, ClassPart) for m in part.methods.values()]
        return [part for part in (*self.parts.values(), *methods) if _meddles(part) and not self._is_compiled(part)]

    def _is_compiled(self, part: Part) -> bool:
        """Whether a definition is a compiled one, which can write into arrays that it is given and nothing else."""
        decorators = [outer for node in part.nodes for outer in getattr(node, "decorator_list", ())]
        called = (outer.func if isinstance(outer, ast.Call) else outer for outer in decorators)
        origins = [self.imports.get(name.id, ("", ""))[0] for name in called if isinstance(name, ast.Name)]
        return any(origin.startswith("houseway.kernels.") for origin in origins)

    def _without_declaration(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
        """A handler of the table as it acts: roles, fields and sentence of its command are not what it does."""
        if not self.name.startswith("houseway.table.") or not function.decorator_list:
            return function
        acting = copy(function)
        acting.decorator_list = [
            outer.func if isinstance(outer, ast.Call) and _declares(outer) else outer for outer in function.decorator_list
        ]
        return acting

    def _bind(self, statement: ast.stmt) -> None:
        if isinstance(statement, _COMPOUND):
            for inner in ast.walk(statement):
                if isinstance(inner, ast.Import | ast.ImportFrom):
                    self.imports |= imported(inner, self)
        names = list(bound_in([statement]))
        for name in names:
            self._add(name, statement)
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if self.name.startswith("houseway.table.") and _declares(getattr(statement, "value", None)):
            return
        if not names or any(not isinstance(target, ast.Name | ast.Tuple) for target in targets):
            self.loose.nodes.append(statement)

    def _add(self, name: str, statement: ast.stmt) -> None:
        self.parts.setdefault(name, Part(name)).nodes.append(statement)

    @cached_property
    def lambdas(self) -> list[ast.Lambda]:
        """Every lambda, in the order of a walk."""
        return [node for node in ast.walk(self.tree) if isinstance(node, ast.Lambda)]

    def lambda_part(self, number: int, name: str) -> Part | None:
        """A lambda as a definition of this name."""
        if number >= len(self.lambdas):
            return None
        return self._lambda_parts.setdefault((number, name), Part(name, [self.lambdas[number]]))

    def absolute(self, module: str | None, level: int) -> str:
        """The whole name of a module that is imported relatively."""
        if not level:
            return module or ""
        package = self.name.split(".") if self.is_package else self.name.split(".")[:-1]
        return ".".join([*package[: len(package) - level + 1], *([module] if module else [])])


def _at_import(statements: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements that run when a module is imported."""
    for statement in statements:
        yield statement
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            inner = [node for node in ast.iter_child_nodes(statement) if isinstance(node, ast.stmt)]
            handlers = [
                node for node in ast.iter_child_nodes(statement) if isinstance(node, ast.ExceptHandler | ast.match_case)
            ]
            yield from _at_import([*inner, *(node for handler in handlers for node in handler.body)])


def _meddles(part: Part) -> bool:
    """Whether a definition names what changes others, declares a name global, or writes into what it has not made itself."""
    nodes = [node for root in part.nodes for node in ast.walk(root)]
    own = {name for root in part.nodes for node in ast.walk(root) if isinstance(node, Scope) for name in _made_in(node)}
    for node in nodes:
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if name in MEDDLES or isinstance(node, ast.Global):
            return True
        is_written = isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del)
        if is_written or (isinstance(node, ast.Attribute) and node.attr in MUTATES):
            inner: ast.AST = node
            while isinstance(inner, ast.Attribute | ast.Subscript):
                inner = inner.value
            if not (isinstance(inner, ast.Name) and inner.id in own):
                return True
    return False


def _made_in(scope: Scope) -> set[str]:
    """The names that a function binds by itself, and its own object: what it was given otherwise is another's."""
    body: Sequence[ast.AST] = [scope.body] if isinstance(scope, ast.Lambda) else scope.body
    return {"self", *bound_in(body)} - set(imported_in(body))


def imported_in(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """The names that imports inside a function bind."""
    for root in nodes:
        for node in ast.walk(root):
            if isinstance(node, ast.Import | ast.ImportFrom):
                yield from (alias.asname or alias.name.split(".")[0] for alias in node.names)


def _declares(call: object) -> bool:
    """Whether a call is the declaration of a command, `command(...)`, or applies one."""
    while isinstance(call, ast.Call):
        call = call.func
    return isinstance(call, ast.Name) and call.id == "command"


def imported(statement: ast.Import | ast.ImportFrom, module: Module) -> dict[str, tuple[str, str]]:
    """The names that an import binds, each with the module it is from and its name there (none: the module itself)."""
    if isinstance(statement, ast.Import):
        return {a.asname or a.name.split(".")[0]: (a.name if a.asname else a.name.split(".")[0], "") for a in statement.names}
    origin = module.absolute(statement.module, statement.level)
    return {alias.asname or alias.name: (origin, alias.name) for alias in statement.names if alias.name != "*"}


def starred(statement: ast.Import | ast.ImportFrom, module: Module) -> list[str]:
    """The modules of which an import binds everything."""
    if isinstance(statement, ast.ImportFrom) and any(alias.name == "*" for alias in statement.names):
        return [module.absolute(statement.module, statement.level)]
    return []


def _class_part(node: ast.ClassDef) -> ClassPart:
    functions = [inner for inner in node.body if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef)]
    others: list[ast.AST] = [inner for inner in node.body if inner not in functions and not is_remark(inner)]
    head: list[ast.AST] = [*node.decorator_list, *node.bases, *node.keywords]
    methods: dict[str, Part] = {}
    for function in functions:  # a property's getter and setter share a name
        methods.setdefault(function.name, Part(f"{node.name}.{function.name}")).nodes.append(function)
    return ClassPart(node.name, [*head, *others], methods, node.bases)


def _one_by_one(statement: ast.stmt) -> dict[str, ast.AST]:
    """`A, B = range(2)` and `A, B = f(1), f(2)`: each name for itself, so that one more at the end changes no other."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return {}
    target, value = statement.targets[0], statement.value
    names = [item.id for item in target.elts if isinstance(item, ast.Name)] if isinstance(target, ast.Tuple) else []
    if not names or not isinstance(target, ast.Tuple) or len(names) != len(target.elts):
        return {}
    values: list[ast.expr] = []
    if isinstance(value, ast.Tuple):
        values = [item for item in value.elts if not isinstance(item, ast.Starred)]
    elif isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "range" and not value.keywords:
        given = [argument.value for argument in value.args if isinstance(argument, ast.Constant)]
        limits = [limit for limit in given if isinstance(limit, int)]
        values = [ast.Constant(number) for number in range(*limits)] if limits and len(limits) == len(value.args) else []
    return dict(zip(names, values, strict=True)) if len(values) == len(names) else {}


def bound_in(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """The names that statements bind in their own scope."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Lambda | Comprehension):
            yield from (inner.target.id for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr))
        elif isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store | ast.Del):
                yield node.id
        else:
            if isinstance(node, ast.ExceptHandler) and node.name:
                yield node.name
            if isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
                yield node.name
            if isinstance(node, ast.MatchMapping) and node.rest:
                yield node.rest
            yield from bound_in(list(ast.iter_child_nodes(node)))


class Uses(ast.NodeVisitor):
    """What a definition takes from outside itself: names with the attributes asked of them, and attributes of anything."""

    def __init__(self, module: Module, nodes: list[ast.AST]) -> None:
        self.module = module
        self.chains: set[tuple[str, ...]] = set()
        self.attributes: set[str] = set()
        self.texts: set[str] = set()
        self.imports: dict[str, tuple[str, str]] = {}
        self._bound: list[set[str]] = []
        for node in nodes:
            self.visit(node)

    def _is_local(self, name: str) -> bool:
        return any(name in bound for bound in self._bound)

    def visit_Name(self, node: ast.Name) -> None:
        """A name that is not the definition's own."""
        if isinstance(node.ctx, ast.Load) and not self._is_local(node.id):
            self.chains.add((node.id,))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """An attribute; of a name, the whole chain is kept."""
        chain: list[str] = []
        inner: ast.expr = node
        while isinstance(inner, ast.Attribute):
            chain.append(inner.attr)
            inner = inner.value
        self.attributes |= set(chain)
        if isinstance(inner, ast.Name):
            if not self._is_local(inner.id):
                self.chains.add((inner.id, *reversed(chain)))
        else:
            self.visit(inner)

    def visit_Constant(self, node: ast.Constant) -> None:
        """A text may name a file beside the module."""
        if isinstance(node.value, str):
            self.texts.add(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        """`getattr(x, "name")` asks for an attribute too."""
        if isinstance(node.func, ast.Name) and node.func.id in {"getattr", "hasattr", "setattr"} and len(node.args) > 1:
            named = node.args[1]
            if isinstance(named, ast.Constant) and isinstance(named.value, str):
                self.attributes.add(named.value)
        self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        """An import inside a function."""
        self.imports |= imported(node, self.module)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """The same."""
        self.imports |= imported(node, self.module)

    def _annotation(self, node: ast.expr | None) -> None:
        """An annotation, which may be written as a text."""
        for inner in ast.walk(node) if node else ():
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                try:
                    self.visit(ast.parse(inner.value, mode="eval").body)
                except SyntaxError:
                    continue
        if node:
            self.visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """A name with its type."""
        self._annotation(node.annotation)
        self.visit(node.target)
        if node.value:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Its body in a scope of its own; decorators, defaults and annotations outside."""
        for outside in [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]:
            self.visit(outside)
        for argument in _arguments(node.args):
            self._annotation(argument.annotation)
        self._annotation(node.returns)
        body = [inner for inner in node.body if not is_remark(inner)]
        outer = {name for inner in ast.walk(node) if isinstance(inner, ast.Global) for name in inner.names}
        own = {argument.arg for argument in _arguments(node.args)} | set(bound_in(body))
        self._inside(own - outer, body)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """The same, for one expression."""
        for outside in [*node.args.defaults, *filter(None, node.args.kw_defaults)]:
            self.visit(outside)
        self._inside({argument.arg for argument in _arguments(node.args)} | set(bound_in([node.body])), [node.body])

    def _comprehension(self, node: Comprehension) -> None:
        own = set(bound_in([generator.target for generator in node.generators]))
        self._inside(own, list(ast.iter_child_nodes(node)))

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension  # noqa: N815

    def _inside(self, own: set[str], body: Sequence[ast.AST]) -> None:
        self._bound.append(own)
        for inner in body:
            self.visit(inner)
        self._bound.pop()


def _arguments(given: ast.arguments) -> list[ast.arg]:
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]


class Sources:
    """Where sources are read: packages by name, each a folder. `texts` stand in for files, to ask what a change would do."""

    def __init__(self, packages: Mapping[str, Path], texts: Mapping[Path, str] | None = None) -> None:
        self.packages, self.texts = dict(packages), dict(texts or {})
        self._modules: dict[str, Module | None] = {}
        self._uses: dict[int, tuple[Part, Uses]] = {}

    def read(self, file: Path) -> str:
        """A file's text, or what stands in for it."""
        return self.texts[file] if file in self.texts else file.read_text(encoding="utf-8")

    def forget(self) -> None:
        """Read every file anew when it is next asked for."""
        self._modules.clear()
        self._uses.clear()

    def instead(self, texts: Mapping[Path, str]) -> "Sources":
        """The same sources with other texts; what is read already of other files is read."""
        other = Sources(self.packages, {**self.texts, **texts})
        files = {module.file for module in self._modules.values() if module}
        is_new = any(file not in files for file in texts)  # and may be a module that was looked for in vain
        other._modules = {
            name: module for name, module in self._modules.items() if (module.file not in texts if module else not is_new)
        }
        other._uses = self._uses
        return other

    def with_package(self, name: str, folder: Path) -> "Sources":
        """The same sources with one more package."""
        if name in self.packages:
            return self
        other = Sources({**self.packages, name: folder}, self.texts)
        other._modules, other._uses = dict(self._modules), self._uses
        return other

    def file_of(self, module: str) -> tuple[Path, str] | None:
        """A module's file, and how it is shown: below the package, or below the folder of a game outside it."""
        for package in sorted(self.packages, key=len, reverse=True):
            if module == package or module.startswith(f"{package}."):
                folder = self.packages[package]
                inner = module[len(package) + 1 :].replace(".", "/")
                for file in (folder / inner / "__init__.py", folder / f"{inner}.py") if inner else (folder / "__init__.py",):
                    if file in self.texts or file.is_file():
                        return file, self.shown(file)
                return None
        return None

    def shown(self, file: Path) -> str:
        """A file as people are told of it."""
        for package, folder in self.packages.items():
            if file.is_relative_to(folder):
                inner = file.relative_to(folder).as_posix()
                return inner if package == "houseway" else f"{folder.name}/{inner}"
        return file.name

    def module(self, name: str) -> Module | None:
        """A module of these packages; none for any other."""
        if name not in self._modules:
            place = self.file_of(name)
            self._modules[name] = Module(name, *place, self.read(place[0])) if place else None
        return self._modules[name]

    def uses(self, module: Module, part: Part) -> Uses:
        """What a definition takes from outside itself."""
        if id(part) not in self._uses:
            self._uses[id(part)] = part, Uses(module, part.nodes)
        return self._uses[id(part)][1]
