"""Reading TOML strictly: Pydantic checks it, and what it finds is told in one line: the file, the key, what is allowed."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Le
from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, TypeAdapter, ValidationError, ValidationInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from houseway.refusal import Refused

KEY = "[key]"
"""How Pydantic marks that a key itself is wrong, not what it stands for."""


class Section(BaseModel):
    """A table of a TOML file: every key is known, every value is of its type, and nothing is converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


@dataclass(frozen=True)
class Known:
    """Marks a text that must be one of those that are listed, under this word, when the document is read."""

    word: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """How Pydantic checks it."""
        return core_schema.with_info_after_validator_function(self._check, handler(source))

    def _check(self, value: str, info: ValidationInfo) -> str:
        known = list((info.context or {})[self.word])
        if value not in known:
            raise PydanticCustomError("not_known", "not known", {"known": known})
        return value


def problem(text: str, key: str = "") -> PydanticCustomError:
    """What a validator of a section raises: what is wrong with it, or with one of its keys."""
    return PydanticCustomError("problem", "{text}", {"text": text, "key": key})


def read_toml(file: Path) -> dict[str, Any]:
    """Parse a file; a syntax error is refused with its line."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise Refused("no-file", f"{file}: {(error.strerror or 'cannot be read').lower()}") from None
    except UnicodeDecodeError:
        raise Refused("broken-toml", f"{file.name}: not valid TOML: not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise Refused("broken-toml", f"{file.name}: not valid TOML: {error}") from None


def read(kind: Any, data: Any, label: str, at: str = "", **known: Iterable[str]) -> Any:
    """Plain data as a section, or as any type; `at` is the key that it stands at, `known` what its names may be."""
    try:
        return _adapter(kind).validate_python(data, strict=True, context=known)
    except ValidationError as error:
        raise _refusal(kind, error, label, at, known) from None


@lru_cache(maxsize=64)
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def broken(label: str, key: str, text: str) -> Refused:
    """A refusal that points at a key."""
    return Refused("broken-toml", f"{label}: {key}: {text}" if key else f"{label}: {text}")


def check_keys(label: str, key: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Refuse a key of a table that is not one of those known."""
    names = list(known)
    for name in given:
        if name not in names:
            raise broken(label, f"{key}.{name}", f"unknown key{hint(name, names)}")


def hint(given: str, known: list[str]) -> str:
    """What might have been meant, and what is allowed."""
    nearest = get_close_matches(given, known, n=1)
    return (f": did you mean {nearest[0]}?" if nearest else "") + f" (allowed: {', '.join(known)})"


def _refusal(kind: Any, error: ValidationError, label: str, at: str, known: Mapping[str, Iterable[str]]) -> Refused:
    """What Pydantic found first, in our words."""
    problems = error.errors(include_url=False)
    first = problems[0]
    context, loc, value = first.get("ctx", {}), first["loc"], first["input"]
    if context.get("key"):
        loc = (*loc, context["key"])
    parts = [part for part in loc if part != KEY]
    key = at
    for part in parts:
        key += f"[{part}]" if isinstance(part, int) else f".{part}" if key else str(part)
    wanted = _type_at(kind, loc)
    match first["type"]:
        case "missing":
            strangers = [str(each["loc"][-1]) for each in problems if each["type"] == "extra_forbidden"]
            misspelt = "".join(f"; is {name} meant?" for name in get_close_matches(str(loc[-1]), strangers, n=1))
            text = f"missing ({_words(wanted, known)} is required{misspelt})"
        case "extra_forbidden":
            text = f"unknown key{hint(str(parts[-1]), _names(_type_at(kind, loc[:-1])))}"
        case "not_known" if loc[-1] == KEY:
            text = f"unknown key{hint(str(value), context['known'])}"
        case "not_known":
            text = f'"{value}" is not allowed{hint(value, context["known"])}'
        case "literal_error":
            text = f'"{value}" is not allowed{hint(str(value), [str(name) for name in get_args(_bare(wanted))])}'
        case "problem":
            text = context["text"]
        case _:
            text = f"{value!r} is not allowed ({_words(wanted, known)} is required)"
    return broken(label, key, text)


def _bare(kind: Any) -> Any:
    """A type without what is annotated to it, and without None."""
    if get_origin(kind) is Annotated:
        return _bare(get_args(kind)[0])
    if get_origin(kind) in {Union, UnionType}:
        return _bare(next(inner for inner in get_args(kind) if inner is not NoneType))
    return kind


def _is_section(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _names(kind: Any) -> list[str]:
    return list(_bare(kind).model_fields)


def _type_at(kind: Any, loc: Iterable[int | str]) -> Any:
    """The type that is declared at a place inside another."""
    for part in loc:
        bare = _bare(kind)
        if _is_section(bare):
            field = bare.model_fields.get(part)
            kind = field.rebuild_annotation() if field else Any
        else:
            inner = get_args(bare) or (Any,)
            kind = inner[0] if part == KEY else inner[-1]
    return kind


def _words(kind: Any, known: Mapping[str, Iterable[str]]) -> str:
    """What a type asks for, in words."""
    marks = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
    bare = _bare(kind)
    for mark in marks:
        if isinstance(mark, Known):
            return "one of " + ", ".join(known[mark.word])
    if get_origin(bare) is Literal:
        return "one of " + ", ".join(map(str, get_args(bare)))
    if bare is int:
        constraints = [inner for mark in marks for inner in getattr(mark, "metadata", [mark])]
        least = next((mark.ge for mark in constraints if isinstance(mark, Ge)), None)
        most = next((mark.le for mark in constraints if isinstance(mark, Le)), None)
        return f"a whole number from {least} to {most}" if constraints else "a whole number"
    if get_origin(bare) is list:
        return "a list of tables" if _is_section(_bare(get_args(bare)[0])) else "a list"
    if get_origin(bare) is dict or _is_section(bare):
        return "a table"
    return {str: "a text", bool: "true or false"}.get(bare, "another value")
