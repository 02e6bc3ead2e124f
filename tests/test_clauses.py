"""Every clause of the documents is cited where it is carried out, and proved by a test of its name."""

import re
from pathlib import Path

import pytest

from houseway.games import NAMES, edition_files, open_edition
from houseway.rulebook import read_clauses

TESTS = Path(__file__).parent
GAMES = TESTS.parent / "src" / "houseway" / "games"
CLAUSES = {id_: (game, clause) for game in NAMES for id_, clause in read_clauses(GAMES / game).items()}


def cited_in(game: str) -> str:
    """The sources that carry a game's clauses out: its code, its editions, the settlement and the table."""
    files = [*GAMES.joinpath(game).glob("*.py"), *GAMES.joinpath(game, "editions").glob("*.toml")]
    files += [GAMES.parent / "rulebook" / "settle.py", *GAMES.parent.joinpath("table").glob("*.py")]
    return "\n".join(file.read_text() for file in files)


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_is_cited_in_the_code_that_carries_it(clause):
    assert re.search(rf"\b{clause}\b(?![a-z0-9])", cited_in(CLAUSES[clause][0])), f"{clause} is cited nowhere"


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_has_a_test_of_its_name(clause):
    name = "test_" + clause.lower().replace("-", "_") + "_"
    sources = "\n".join(file.read_text() for file in TESTS.rglob("test_*.py"))
    assert re.search(rf"def {name}\w+\(", sources), f"no test is named {name}..."


def test_the_documents_have_all_their_clauses():
    families = {}
    for id_ in CLAUSES:
        families.setdefault(id_.split("-")[0], []).append(id_)
    assert {name: len(ids) for name, ids in families.items()} == {
        "EZB": 22,
        "EZC": 5,
        "EPG": 19,
        "LLB": 13,
        "BJ": 10,
        "D4P": 20,
    }


def test_clauses_cite_title_maker_and_date_of_their_document():
    sources = {str(clause.source) for _, clause in CLAUSES.values()}
    assert "EZ Baccarat, rules of play, DEQ Systems Corp., 2011-10-17" in sources
    assert all(clause.text and clause.kind in {"rule", "procedure", "condition"} for _, clause in CLAUSES.values())


@pytest.mark.parametrize("name", list(edition_files()))
def test_every_clause_an_edition_cites_exists(name):
    edition = open_edition(name)
    cited = {*edition.approval.conditions, *edition.cites, *edition.cites.values(), *edition.refused_sources.values()}
    cited |= {edition.game.wagers[wager].clause for wager in edition.wagers}
    assert cited <= CLAUSES.keys()
