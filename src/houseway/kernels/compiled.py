"""The decorators that make plain Python functions into rules, and the cache that can never be stale.

A rule is compiled when it is first needed so: declaring it imports no compiler, and whoever counts nothing waits for none.

Numba keys its cache by the file a function stands in, so an edit of a function it calls in another file would go
unseen. The cache folder is therefore named after a digest of every source file of the package; rules of a game that lies
elsewhere have a folder of their own, named after a digest of that game's files as well.
"""

import hashlib
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, partial, update_wrapper, wraps
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Rule = Callable[[Ints, Ints], int]
"""A rule reads a tape (cards and choices in order) and the settings, and returns the index of an outcome."""

KEPT_CACHES = 4
_PACKAGE = Path(__file__).resolve().parent.parent


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in files:
        digest.update(str(path.relative_to(_PACKAGE if path.is_relative_to(_PACKAGE) else path.anchor)).encode() + b"\0")
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _in_package(*patterns: str) -> list[Path]:
    return sorted(path for pattern in patterns for path in _PACKAGE.glob(pattern))


@cache
def _source_digest(game: Path | None) -> str:
    """A digest of every file that compiled code, or a constant in it, can come from."""
    files = _in_package("cards.py", "kernels/*.py", "games/**/*.py", "solve/*.py")
    return _digest([*files, *(sorted(game.rglob("*.py")) if game else ())])[:16]


@cache
def _files_at_first(game: Path | None) -> str:
    """A digest of every file that a tally can come from, data included, when it was first asked for: before they are loaded.

    Nothing where one cannot be read.
    """
    files = _in_package("*.py", "kernels/*.py", "rulebook/*.py", "odds/*.py", "solve/*.py", "games/**/*.py", "games/**/*.toml")
    own = [path for path in sorted(game.rglob("*")) if path.is_file() and not _is_left_behind(path)] if game else []
    try:
        return _digest([*files, *own])
    except OSError:
        return ""


def _is_left_behind(path: Path) -> bool:
    """By Python, an editor or a version control."""
    return any(part.startswith(".") or part == "__pycache__" for part in path.parts)


def sources_of_tallies(game: Path | None) -> str:
    """A digest of all that tallies come from; nothing if those files are no longer the ones that this process has loaded."""
    now = _files_at_first.__wrapped__(game)
    return now if now == _files_at_first(game) else ""


def cache_folder(game: Path | None = None) -> Path:
    """Where compiled rules of exactly these sources are kept; `HOUSEWAY_CACHE` moves it.

    A `game` outside the package has a folder of its own. A new one replaces the oldest of a few; where none can be made,
    compiled rules last as long as the machine's temporary files. So they do where others could put code of theirs.
    """
    chosen = os.environ.get("HOUSEWAY_CACHE")
    kind = f"game-{game.name}" if game else "rules"
    try:
        base = Path(chosen) if chosen else Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "houseway"
        folder = base / f"{kind}-{_source_digest(game)}"
        if not folder.exists():
            if not base.exists():
                base.parent.mkdir(parents=True, exist_ok=True)
                base.mkdir(mode=0o700, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)  # another process may have made it just now
            _keep_the_newest(base, kind)
        if all(_is_own(each) for each in (base, folder)):
            os.utime(folder)  # in use: not the one that another release removes first
            return folder
        print(f"houseway: {base} is not used, for others could put code there: chmod -R go-rwx {base}", file=sys.stderr)
    except (OSError, RuntimeError):  # whoever has no home has no ~
        pass
    return Path(tempfile.mkdtemp(prefix="houseway-"))


def _keep_the_newest(base: Path, kind: str) -> None:
    """Remove the oldest folders of a kind, but for a few; another process may be removing them too."""
    ages = {}
    for folder in base.glob(f"{kind}-*"):
        with suppress(FileNotFoundError):
            ages[folder] = folder.stat().st_mtime
    for old in sorted(ages, key=lambda folder: ages[folder])[:-KEPT_CACHES]:
        shutil.rmtree(old, ignore_errors=True)


def _is_own(folder: Path) -> bool:
    """Whether a folder is ours alone: nobody else can write to it; what others may only read is closed to them."""
    status = folder.stat()
    if status.st_uid != os.getuid() or status.st_mode & 0o022:
        return False
    if status.st_mode & 0o055:
        folder.chmod(0o700)
    return True


@cache
def game_around(file: str) -> Path | None:
    """The folder of the game that a file belongs to, if that is not in this package: the topmost package around it."""
    folder = Path(file).resolve().parent
    if folder.is_relative_to(_PACKAGE) or not (folder / "__init__.py").exists():
        return None
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return folder


INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "").strip() not in {"", "0"}
"""Nothing is compiled at all, so that rules can be followed, and changed, as they run."""
INT, INT_ROW, INT_TABLE = "int64", "int64[::1]", "int64[:, ::1]"
WORD_ROW = "int32[::1]"
"""Half as wide, for tables of every hand."""
FLOAT_ROW, FLOAT_TABLE = "float64[::1]", "float64[:, ::1]"
RULE = "rule"
"""The types of what loops take, by name."""

F = TypeVar("F", bound=Callable[..., Any])
LOADING_SECONDS = 0.3
"""About what it takes to load the compiler, and rules that are compiled already."""
LONG_WORK = {"kernels", "solve", "simulate", "protect"}
"""Packages whose functions work for long: they are compiled at once."""
_ONE_THREAD = threading.RLock()
_files_at_first(None)  # now, before any game is loaded


class _Patience:
    """How long rules have been interpreted here. As long as compiled ones would take to load, they are: see `Compiled`."""

    def __init__(self) -> None:
        self.seconds = LOADING_SECONDS

    @property
    def is_over(self) -> bool:
        """Whether that was long enough, or the compiler is loaded already."""
        return self.seconds <= 0 or "numba" in sys.modules


_patience = _Patience()


def load_compiler() -> None:
    """From now on every rule is compiled when it is first called: whoever plays all day begins with this."""
    if not INTERPRETED:
        import_module("houseway.kernels.compiling")


class Compiled(partial[Any]):
    """A function that is compiled when it is first called, or when another one that calls it is compiled.

    Python calls the compiled function through it at hardly any cost: a partial of it, from then on. Compiled code that
    names it is compiled with the compiled function itself in its place.

    A rule for one hand `may_wait`: for a hand or two, as a shell's command has them, it is interpreted, for the compiler takes
    longer to load than they take. When that has taken as long, the rest is compiled.
    """

    py_func: Callable[..., Any]
    _compile: Callable[[FunctionType], Any]
    _compiled: Any
    _interpreted: Any

    def __new__(
        cls, function: Callable[..., Any], compile_: Callable[[FunctionType], Any], may_wait: bool = False
    ) -> "Compiled":
        """Nothing is done yet: `compile_` is for later."""
        self = super().__new__(cls, function)
        update_wrapper(self, function)
        self.py_func, self._compile, self._compiled, self._interpreted = function, compile_, None, None
        self._stands_for(self._call_patiently if may_wait else self._call_first)
        return self

    def _stands_for(self, callee: Callable[..., Any]) -> None:
        cast(Any, self).__setstate__((callee, (), {}, self.__dict__))

    def _call_first(self, *args: Any) -> Any:
        return self.compiled(*args)

    def _call_patiently(self, *args: Any) -> Any:
        if _patience.is_over:
            return self.compiled(*args)
        began = time.perf_counter()
        result = _without_numpy(self.interpreted(*args))
        _patience.seconds -= time.perf_counter() - began
        return result

    @property
    def compiled(self) -> Any:
        """The compiled function, made by one thread; its forms for some arguments are made by whoever first has such."""
        with _ONE_THREAD:
            if self._compiled is None:
                function = own_globals(self.py_func)
                self._compiled = self._compile(function)
                name_compiled(function)
                self._stands_for(self._compiled)
            return self._compiled

    @property
    def interpreted(self) -> Any:
        """The function as it is written, and so everything that it calls."""
        with _ONE_THREAD:
            if self._interpreted is None:
                self._interpreted = own_globals(self.py_func)
                for name, named in _compiled_names(self._interpreted):
                    self._interpreted.__globals__[name] = named.interpreted
            return self._interpreted

    @property
    def _numba_type_(self) -> Any:
        """What numba takes it for where compiled code reaches it through its module: the compiled function."""
        return self.compiled._numba_type_

    def __reduce__(self) -> str:
        return self.py_func.__qualname__  # sent to other processes as functions are: by name

    def __repr__(self) -> str:
        return f"<compiled {self.__module__}.{self.py_func.__qualname__}>"


def own_globals(function: Callable[..., Any], **names: Any) -> FunctionType:
    """The same function with a copy of its globals, in which these names mean something else."""
    written = cast(FunctionType, function)
    globals_ = {**written.__globals__, **names}
    copy = FunctionType(written.__code__, globals_, written.__name__, written.__defaults__, written.__closure__)
    copy.__kwdefaults__, copy.__doc__ = written.__kwdefaults__, written.__doc__
    copy.__qualname__, copy.__module__ = written.__qualname__, written.__module__
    return copy


def name_compiled(function: FunctionType) -> None:
    """Let every name in a function that has globals of its own mean the compiled function, where there is one."""
    for name, named in _compiled_names(function):
        function.__globals__[name] = named.compiled


def _compiled_names(function: FunctionType) -> list[tuple[str, Compiled]]:
    held = ((name, function.__globals__.get(name)) for name in _names_in(function.__code__))
    return [(name, named) for name, named in held if isinstance(named, Compiled)]


def _without_numpy(value: Any) -> Any:
    """Numbers as compiled code returns them: Python's."""
    if isinstance(value, tuple):
        inner = map(_without_numpy, value)
        return type(value)(*inner) if hasattr(value, "_fields") else tuple(inner)
    return value.item() if isinstance(value, np.generic) else value


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names_in(inner)


def helper(function: F) -> F:
    """Compile a part of a rule, with whatever integers it takes; the compiler inlines it."""
    return _compiled(function, may_wait=not set(function.__module__.split(".")) & LONG_WORK)


def inlined(function: F) -> F:
    """Compile a helper that goes into whatever calls it, so that what it returns stays in registers.

    It makes no arrays, and counts no references to those that it is given.
    """
    return _compiled(function, forceinline=True, _nrt=False)


def apart(function: F) -> F:
    """Compile a helper that makes no arrays, and counts no references to those that it is given."""
    return _compiled(function, _nrt=False)


def out_of_line(function: F, everywhere: bool = False) -> F:
    """Compile a helper of three arguments that stays where it is: what is seldom needed is not in the way of the rest.

    On a graphics processor it does so only if it is to stay out of line `everywhere`.
    """
    folder_of = _folder_for(function)

    def compile_(own: FunctionType) -> Any:
        from houseway.kernels.compiling import compiled, stays_out_of_line

        return stays_out_of_line(compiled(own, folder_of(), _nrt=False), everywhere)

    return function if INTERPRETED else cast(F, Compiled(function, compile_))


def _folder_for(function: Callable[..., Any]) -> Callable[[], Path]:
    """Where what belongs to a function is kept; its game's files are digested now, while they are loaded."""
    game = game_around(function.__code__.co_filename)
    _source_digest(game), _files_at_first(game)
    return lambda: cache_folder(game)


def _compiled(function: F, belongs_to: Callable[..., Any] | None = None, may_wait: bool = False, **how: Any) -> F:
    folder_of = _folder_for(belongs_to or function)

    def compile_(own: FunctionType) -> Any:
        from houseway.kernels.compiling import compiled

        return compiled(own, folder_of(), **how)

    return function if INTERPRETED else cast(F, Compiled(function, compile_, may_wait))


def filled_in(template: F, what: Callable[..., Any], **names: Any) -> F:
    """A template as a function of its own, in which these names mean something else.

    A function that closes over another compiled one is compiled anew in every process: numba cannot know that it is the same.
    One that finds it under a global name is kept, under a name of its own, which `what` gives it.
    """
    source = plain(what)
    function = own_globals(template, **names)
    function.__name__ = f"{template.__name__}_{source.__module__}_{source.__qualname__}".replace(".", "_")
    function.__qualname__ = function.__name__
    return cast(F, function)


def compiled_for(template: F, what: Callable[..., Any], inline: bool = False, **names: Any) -> F:
    """A template filled in and compiled: kept with the game that `what` belongs to."""
    function = filled_in(template, what, **names)
    return _compiled(function, plain(what), _nrt=False, **({"forceinline": True} if inline else {}))


def rule(function: Rule) -> Rule:
    """Compile a function with the one signature of rules: (tape, settings) -> outcome."""
    return helper(function)


def plain(function: F) -> F:
    """The Python function behind a rule: quicker for a call or two than compiling it for them."""
    return cast(F, getattr(function, "py_func", function))


def loop(takes: tuple[str, ...]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Compile, when first called, a loop that returns nothing, for arguments of these types.

    It calls rules through a pointer, so that one compiled loop serves every rule.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        folder_of = _folder_for(function)

        def compile_(own: FunctionType) -> Any:
            from houseway.kernels.compiling import compiled

            return compiled(own, folder_of())

        @cache
        def ready() -> Any:
            from houseway.kernels.compiling import only_for

            return only_for(Compiled(function, compile_).compiled, takes)

        @wraps(function)
        def call(*args: Any) -> None:
            ready()(*(given.compiled if isinstance(given, Compiled) else given for given in args))

        return function if INTERPRETED else call

    return decorate
