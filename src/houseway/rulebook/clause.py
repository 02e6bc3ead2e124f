"""Clauses: what the documents ask for, as data that code, tests and screens point at."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from houseway.rulebook.document import Section, broken, hint, read, read_toml


@dataclass(frozen=True)
class Source:
    """The document a clause comes from: title, maker and date are enough to find it."""

    title: str
    maker: str
    date: str

    def __str__(self) -> str:
        return ", ".join(part for part in (self.title, self.maker, self.date) if part)


@dataclass(frozen=True)
class Clause:
    """One numbered clause, in our words. Kind: `rule`, `procedure` or `condition`."""

    id: str
    kind: str
    text: str
    source: Source


class _Source(Section):
    title: str
    maker: str
    date: str


class _Clause(Section):
    id: str
    kind: Literal["rule", "procedure", "condition"]
    text: str


class _Clauses(Section):
    source: dict[str, _Source]
    clause: list[_Clause]


def read_clauses(folder: Path) -> dict[str, Clause]:
    """The clauses of a game, by id, in the order of the documents."""
    label = f"{folder.name}/clauses.toml"
    given: _Clauses = read(_Clauses, read_toml(folder / "clauses.toml"), label)
    sources = {family: Source(source.title, source.maker, source.date) for family, source in given.source.items()}
    clauses = {}
    for place, clause in enumerate(given.clause):
        family = clause.id.split("-")[0]
        if family not in sources:
            raise broken(label, f"clause[{place}].id", f'"{clause.id}" is of no source{hint(family, list(sources))}')
        clauses[clause.id] = Clause(clause.id, clause.kind, clause.text, sources[family])
    return clauses
