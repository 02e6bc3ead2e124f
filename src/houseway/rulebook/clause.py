"""Clauses: what the documents ask for, as data that code, tests and screens point at."""

import tomllib
from dataclasses import dataclass
from pathlib import Path


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


def read_clauses(folder: Path) -> dict[str, Clause]:
    """The clauses of a game, by id, in the order of the documents."""
    data = tomllib.loads((folder / "clauses.toml").read_text(encoding="utf-8"))
    sources = {name: Source(**fields) for name, fields in data["source"].items()}
    clauses = (Clause(source=sources[item["id"].split("-")[0]], **item) for item in data["clause"])
    return {clause.id: clause for clause in clauses}
