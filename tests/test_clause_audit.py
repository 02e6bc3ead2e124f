"""The clause audit: every sentence of the documents is carried out somewhere, and the page says where."""

import ast
import json
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

import houseway
from houseway.games import NAMES
from houseway.rulebook import read_clauses

PACKAGE = Path(houseway.__file__).parent
PAGE = PACKAGE.parent.parent / "docs" / "clauses.md"
CLAUSES = {id_: clause for game in NAMES for id_, clause in read_clauses(PACKAGE / "games" / game).items()}
DOCUMENTS = {clause.id.split("-")[0]: clause.source for clause in CLAUSES.values()}


@cache
def definitions(module: Path) -> frozenset[str]:
    """What a module defines: functions, classes and their methods, constants."""
    found = set()
    for node in ast.parse(module.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{inner.name}" for inner in node.body if isinstance(inner, ast.FunctionDef)}
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return frozenset(found)


@cache
def refusals() -> frozenset[str]:
    sources = "\n".join(file.read_text() for file in PACKAGE.rglob("*.py"))
    return frozenset(re.findall(r"Refused\(\s*\"([a-z-]+)\"", sources))


def flaw(named: str) -> str:
    """Why what carries a clause out does not exist; nothing if it does."""
    place, _, name = named.partition(":")
    if place == "refusal":
        return "" if name in refusals() else f"nothing is refused as {name}"
    file = PACKAGE / place
    if not file.is_file():
        return f"{place} does not exist"
    if file.suffix == ".py":
        return "" if name in definitions(file) else f"{place} does not define {name}"
    if file.suffix == ".toml":
        value = tomllib.loads(file.read_text())
        for key in name.split("."):
            if key not in value:
                return f"{place} has no {name}"
            value = value[key]
    return ""


@pytest.mark.parametrize("id_", CLAUSES)
def test_every_clause_says_where_it_is_carried_out_and_how_it_is_seen(id_):
    clause = CLAUSES[id_]
    assert clause.seen and clause.carried_out, id_
    assert [problem for named in clause.carried_out if (problem := flaw(named))] == []


@pytest.mark.parametrize("family", [family for family, source in DOCUMENTS.items() if source.sentences])
def test_every_sentence_of_a_document_has_a_clause(family):
    source = DOCUMENTS[family]
    sentences = {(section, number) for section, count in source.sentences.items() for number in range(1, count + 1)}
    claimed = {sentence for clause in CLAUSES.values() if clause.source == source for sentence in clause.numbered_sentences()}
    assert claimed == sentences
    assert all(clause.sentences for clause in CLAUSES.values() if clause.source == source), "a clause from nowhere"


def test_all_five_documents_are_counted():
    assert {family for family, source in DOCUMENTS.items() if source.sentences} == {"EZB", "EZC", "EPG", "LLB", "D4P"}
    assert DOCUMENTS["BJ"].sentences == {}, "the house's own clauses have no document"


def test_the_page_is_as_the_clauses_are(run):
    code, out, err = run("clauses")
    assert (code, err) == (0, "")
    assert PAGE.read_text() == out, "make it anew: houseway clauses > docs/clauses.md"


def test_the_page_has_a_row_for_every_clause():
    rows = re.findall(r"^\| ([A-Z0-9]+-\w+)<br>", PAGE.read_text(), re.MULTILINE)
    assert rows == list(CLAUSES)


def test_rows_as_data_name_what_carries_a_clause_out(run):
    rows = json.loads(run("clauses", "--format", "json")[1])
    assert [row["id"] for row in rows] == list(CLAUSES)
    assert all(row["carried_out"] and row["seen"] for row in rows)


def test_what_is_named_must_exist():
    assert flaw("games/ez_baccarat/rules.py:banker_draws") == ""
    assert flaw("games/ez_baccarat/rules.py:banker_sings") == "games/ez_baccarat/rules.py does not define banker_sings"
    assert "does not exist" in flaw("games/nowhere.py:x") and "has no" in flaw("games/ez_baccarat/face.toml:nothing")
    assert "nothing is refused" in flaw("refusal:because")


def test_a_clause_tells_its_sentences_one_by_one():
    numbered = list(CLAUSES["EZB-3"].numbered_sentences())
    assert numbered == [("rule 3", 1), ("rule 3", 2), ("rule 3", 4), ("rule 3", 7)]


def test_one_clause_tells_where_it_stands_and_what_carries_it_out(run):
    said = " ".join(run("rules", "ez-baccarat-wa", "--clause", "EZB-3d")[1].split())
    assert "In the document: rule 3: 9-10." in said
    assert "Carried out by: games/ez_baccarat/rules.py:banker_draws." in said and "At the table: " in said
