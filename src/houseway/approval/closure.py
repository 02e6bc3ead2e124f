"""Which definitions a rule reaches: the sources are walked as syntax, across modules, from given roots.

Names are followed through imports and re-exports, attributes of modules, decorators and annotations. Of a class that is
reached, those methods count that anything reached asks for by name, and those that Python itself calls.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from houseway.approval.sources import ClassPart, Module, Part, Sources, Uses, sha

HARMLESS_BASES = ("typing.", "collections.abc.", "enum.", "abc.")
"""Classes outside Houseway that call no method of a subclass by a name of its own."""


@dataclass(frozen=True)
class Target:
    """What a name stands for: a definition, a module, or something outside Houseway."""

    module: str
    name: str = ""
    is_outside: bool = False

    def __str__(self) -> str:
        return f"{self.module}.{self.name}" if self.name else self.module


@dataclass(frozen=True)
class Root:
    """Where a walk begins: a definition, a method of a class, or a lambda (by its number in the module)."""

    module: str
    name: str
    lambda_number: int = -1


@dataclass(frozen=True)
class Definition:
    """A definition that is reached: the file as shown, its name, and the digest of its syntax and of what it names."""

    file: str
    name: str
    digest: str

    def __str__(self) -> str:
        return f"{self.name} ({self.file})"


@dataclass
class Closure:
    """Everything that is reached: definitions, and the texts in them, which may name files beside the modules."""

    definitions: dict[tuple[str, str], Definition] = field(default_factory=dict)
    texts: dict[str, set[str]] = field(default_factory=dict)
    parts: dict[tuple[str, str], Part] = field(default_factory=dict)


class Walk:
    """A walk over sources; `leaves_out` says of a module and a name that they do not count here.

    Of a game's `package`, and of whatever of it is imported with it, all counts that may change what others have defined.
    """

    def __init__(
        self, sources: Sources, leaves_out: Callable[[str, str], bool] = lambda module, name: False, package: str = ""
    ) -> None:
        self.sources, self.leaves_out, self.package = sources, leaves_out, package
        self.closure = Closure()
        self.attributes: set[str] = set()
        self._waiting: dict[str, list[tuple[Module, Part]]] = {}
        self._open: list[tuple[Module, Part]] = []
        self._modules: dict[str, Module] = {}
        self._imported_modules: set[str] = set()

    def run(self, roots: Iterable[Root]) -> Closure:
        """Reach everything that the roots reach."""
        for root in roots:
            self._reach_root(root)
        self._reach_module(self.package)
        while self._open or self._reach_statements():
            while self._open:
                self._follow(*self._open.pop())
        return self.closure

    def _reach_root(self, root: Root) -> None:
        module = self.sources.module(root.module)
        if module is None:
            return
        if root.lambda_number >= 0:
            if part := module.lambda_part(root.lambda_number, root.name):
                self._reach_part(module, part)
            return
        name, _, method = root.name.partition(".")
        self._reach(Target(module.name, name))
        part = module.parts.get(name)
        if method and isinstance(part, ClassPart) and method in part.methods:
            self._reach_part(module, part.methods[method])

    def _reach_module(self, name: str) -> None:
        """Reach what a module of the game does when it is imported, and those that it imports."""
        module = self.sources.module(name) if name == self.package or name.startswith(f"{self.package}.") else None
        if not self.package or module is None or name in self._imported_modules:
            return
        self._imported_modules.add(name)
        self._modules[name] = module
        for part in module.meddling:
            self._reach_part(module, part)
        for inner in sorted(module.imported_modules):
            self._reach_module(inner)

    def _reach(self, target: Target) -> None:
        """Reach a definition; of a class, the methods that are asked for."""
        module = self.sources.module(target.module)
        if module is None or target.is_outside:
            return
        if not target.name:  # the module is passed on as a value: whatever is in it may be used
            for name in module.parts:
                self._reach(Target(target.module, name))
            return
        part = module.parts[target.name]
        if not self._reach_part(module, part) or not isinstance(part, ClassPart):
            return
        for name, method in part.methods.items():
            if name in self.attributes or _is_called_by_python(name) or self._has_foreign_base(module, part):
                self._reach_part(module, method)
            else:
                self._waiting.setdefault(name, []).append((module, method))

    def _reach_part(self, module: Module, part: Part) -> bool:
        """Put a definition on the way; whether it is new."""
        key = module.name, part.name
        if key in self.closure.parts or self.leaves_out(module.name, part.name):
            return False
        self.closure.parts[key] = part
        self._modules[module.name] = module
        self._open.append((module, part))
        return True

    def _follow(self, module: Module, part: Part) -> None:
        uses = self.sources.uses(module, part)
        bindings = []
        for chain in sorted(uses.chains):
            target = self._resolve_chain(module, uses, chain)
            if target is not None:
                bindings.append(f"{'.'.join(chain)}={target}")
                self._reach(target)
        for origin, name in uses.imports.values():  # inside a function: imported when it is called
            self._reach_module(origin)
            self._reach_module(f"{origin}.{name}")
        for name in uses.attributes - self.attributes:
            for waiting in self._waiting.pop(name, []):
                self._reach_part(*waiting)
        self.attributes |= uses.attributes
        self.closure.texts.setdefault(module.name, set()).update(uses.texts)
        digest = sha("\n".join([part.shape, *sorted(bindings)]))
        self.closure.definitions[module.name, part.name] = Definition(module.shown, part.name, digest)

    def _reach_statements(self) -> bool:
        """Reach what modules do beside defining names, and what they add to a name of another module; whether any is new."""
        new = False
        for module in tuple(self._modules.values()):
            if module.loose.nodes:
                new |= self._reach_part(module, module.loose)
            for name, part in module.extended.items():
                target = self.resolve(module.name, name)
                if target and (target.module, target.name) in self.closure.parts:
                    new |= self._reach_part(module, part)
        return new

    # Names

    def _resolve_chain(self, module: Module, uses: Uses, chain: tuple[str, ...]) -> Target | None:
        """What a name and the attributes asked of it lead to."""
        name, *rest = chain
        imports = uses.imports if name in uses.imports else module.imports
        target = self._imported(*imports[name]) if name in uses.imports else self.resolve(module.name, name)
        while target and not target.is_outside and not target.name and rest:
            target = self.resolve(target.module, rest.pop(0))
        if target and target.is_outside and not target.name:
            return Target(".".join([target.module, *rest]), is_outside=True)
        return target

    def resolve(self, module_name: str, name: str, asked: frozenset[tuple[str, str]] = frozenset()) -> Target | None:
        """What a name stands for in a module: nothing, if it is one of Python's own."""
        module = self.sources.module(module_name)
        if module is None or (module_name, name) in asked:
            return None
        if name in module.parts:
            return Target(module_name, name)
        if name in module.imports:
            return self._imported(*module.imports[name], asked=asked | {(module_name, name)})
        for origin in module.stars:
            target = self._imported(origin, name, asked=asked | {(module_name, name)})
            if target:
                return target
        inner = f"{module_name}.{name}"
        return Target(inner) if module.is_package and self.sources.module(inner) else None

    def _imported(self, origin: str, name: str, asked: frozenset[tuple[str, str]] = frozenset()) -> Target | None:
        if self.sources.module(origin) is None:
            return Target(f"{origin}.{name}" if name else origin, is_outside=True)
        if not name:
            return Target(origin)
        return self.resolve(origin, name, asked) or (
            Target(f"{origin}.{name}") if self.sources.module(f"{origin}.{name}") else None
        )

    def _has_foreign_base(self, module: Module, part: ClassPart) -> bool:
        """Whether a class outside Houseway may call this one's methods."""
        return any(not str(base).startswith(HARMLESS_BASES) for base in self._foreign_bases(module, part))

    def _foreign_bases(self, module: Module, part: ClassPart) -> Iterator[Target]:
        uses = Uses(module, list(part.bases))
        for chain in uses.chains:
            target = self._resolve_chain(module, uses, chain)
            if target and target.is_outside:
                yield target
            elif target and isinstance(base := self.sources.module(target.module), Module):
                inner = base.parts.get(target.name)
                if isinstance(inner, ClassPart):
                    yield from self._foreign_bases(base, inner)


def _is_called_by_python(name: str) -> bool:
    return name.startswith("_") and name.endswith("_")
