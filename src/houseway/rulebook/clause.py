"""Clauses: what the documents ask for, as data that code, tests and screens point at.

Each says which sentences of its document it stands for, by what they are carried out, and how one sees that at the table.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import Field

from houseway.rulebook.document import Section, broken, hint, read, read_toml


@dataclass(frozen=True)
class Source:
    """The document a clause comes from: title, maker and date are enough to find it.

    `sentences` says how many each section of it has: those that say something of the game or of its approval.
    """

    title: str
    maker: str
    date: str
    sentences: Mapping[str, int] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return ", ".join(part for part in (self.title, self.maker, self.date) if part)


@dataclass(frozen=True)
class Clause:
    """One numbered clause, in our words. Kind: `rule`, `procedure` or `condition`.

    `sentences` are those of the document that it stands for: `rule 3: 1-2, 4`. `carried_out` names definitions
    (`table/play.py:settle`), keys of data (`games/.../edition.toml:limits`), pages and refusals (`refusal:foul`), all from the
    package's folder; `seen` says how one sees it at the table.
    """

    id: str
    kind: str
    text: str
    source: Source
    sentences: tuple[str, ...] = ()
    carried_out: tuple[str, ...] = ()
    seen: str = ""

    def numbered_sentences(self) -> Iterator[tuple[str, int]]:
        """The sentences one by one: the section of each and its number there."""
        for part in self.sentences:
            section, _, numbers = part.rpartition(": ")
            for first, last in re.findall(r"(\d+)(?:-(\d+))?", numbers):
                yield from ((section, number) for number in range(int(first), int(last or first) + 1))


class _Source(Section):
    title: str
    maker: str
    date: str
    sentences: dict[str, int] = Field(default_factory=dict)


class _Clause(Section):
    id: str
    kind: Literal["rule", "procedure", "condition"]
    text: str
    sentences: list[str] = Field(default_factory=list)
    carried_out: list[str] = Field(default_factory=list)
    seen: str = ""


class _Clauses(Section):
    source: dict[str, _Source]
    clause: list[_Clause]


def read_clauses(folder: Path) -> dict[str, Clause]:
    """The clauses of a game, by id, in the order of the documents."""
    label = f"{folder.name}/clauses.toml"
    given: _Clauses = read(_Clauses, read_toml(folder / "clauses.toml"), label)
    sources = {family: Source(**source.model_dump()) for family, source in given.source.items()}
    clauses = {}
    for place, clause in enumerate(given.clause):
        family = clause.id.split("-")[0]
        if family not in sources:
            raise broken(label, f"clause[{place}].id", f'"{clause.id}" is of no source{hint(family, list(sources))}')
        clauses[clause.id] = Clause(
            id=clause.id,
            kind=clause.kind,
            text=clause.text,
            source=sources[family],
            sentences=tuple(clause.sentences),
            carried_out=tuple(clause.carried_out),
            seen=clause.seen,
        )
    return clauses
