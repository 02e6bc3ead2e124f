"""The rules digest: exactly what an edition's play, pays, settlement, limits and order of payment reach."""

import json
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

import pytest
from changes import changed, changed_together

from houseway.approval import system
from houseway.approval.badge import badge_of
from houseway.approval.rules import SOURCES, covered, rules_of, walk
from houseway.games import edition_files, open_edition

EDITIONS = ("duki-4-wa", "ez-baccarat-ca", "ez-baccarat-wa", "ez-pai-gow-wa", "lucky-lucky-wa")


@pytest.mark.parametrize("name", EDITIONS)
def test_every_definition_counts(name):
    """Each definition of the closure, changed, turns the badge, and the badge names it, and nothing of another module.

    Those of a module are changed together, in as many rounds as it takes that none lies within another.
    """
    edition, program = open_edition(name), system()
    closure, _ = walk(edition)
    by_module = groupby(sorted(closure.parts), key=itemgetter(0))
    assert len(closure.parts) > 250
    for module_name, keys in by_module:
        module, parts = SOURCES.module(module_name), [closure.parts[key] for key in keys]
        for together, text in changed_together(module, parts, SOURCES.read(module.file)):
            told = badge_of(edition, program, SOURCES.instead({module.file: text}))
            assert told.status == "modified"
            assert {f"rule {part.name} ({module.shown})" for part in together} <= named_in(told)
            assert all(line.endswith(f"({module.shown})") for line in named_in(told))


@pytest.mark.deep
@pytest.mark.parametrize("name", EDITIONS)
def test_every_definition_counts_alone(name):
    """Each definition of the closure, changed alone, turns the badge, and the badge names it."""
    edition, program = open_edition(name), system()
    unnoticed = []
    for (module_name, _), part in walk(edition)[0].parts.items():
        module = SOURCES.module(module_name)
        text = changed(module, part, SOURCES.read(module.file))
        told = badge_of(edition, program, SOURCES.instead({module.file: text}))
        if told.status != "modified" or f"rule {part.name} ({module.shown})" not in named_in(told):
            unnoticed.append((module_name, part.name, told.differences[:3]))
    assert unnoticed == []


def named_in(badge):
    return {line.removesuffix(" is gone") for line in badge.differences}


@pytest.mark.parametrize("name", EDITIONS)
def test_formatting_and_words_about_the_code_do_not_count(name):
    """Sources written out anew by a machine, without a comment, and with other docstrings, are the same rules."""
    import ast

    edition = open_edition(name)
    files = {SOURCES.module(module).file for module, _ in walk(edition)[0].parts}
    texts = {file: ast.unparse(ast.parse(SOURCES.read(file))) for file in files}
    assert rules_of(edition, SOURCES.instead(texts)).digest == rules_of(edition).digest


@pytest.mark.parametrize(
    ("name", "file", "old", "new", "named"),
    [
        ("ez-baccarat-wa", "rulebook/settle.py", "return -(-number // divisor)", "return number // divisor", "_rounded_up"),
        ("ez-baccarat-wa", "rulebook/edition.py", "][outcome]", "][next(iter(self.wagers))]", "Edition.pay"),
        ("ez-baccarat-wa", "table/play.py", "max(item[2].win_cents, 0))", "max(item[2].win_cents // 2, 0))", "covered"),
        (
            "ez-baccarat-wa",
            "table/engine.py",
            "effect = declaration.handler(",
            "effect = [*COMES] and declaration.handler(",
            "_carried_out",
        ),
        ("ez-baccarat-wa", "table/engine.py", "duties.begun(house, command)", "house", "handle"),
        ("ez-baccarat-wa", "table/washington.py", "40_000", "50_000", "SINGLE_WAGER"),
        ("ez-baccarat-wa", "table/play.py", "reverse=True", "reverse=False", "settlement_order"),
        ("ez-baccarat-ca", "table/bank.py", "HANDS = 2", "HANDS = 3", "HANDS"),
        ("duki-4-wa", "table/ledger.py", "balances.get(target, 0)) + transfer.cents", "0)", "balances_after"),
    ],
)
def test_what_pays_counts_wherever_it_stands(name, file, old, new, named):
    edition = open_edition(name)
    path = SOURCES.packages["houseway"] / file
    text = SOURCES.read(path)
    assert old in text
    told = badge_of(edition, system(), SOURCES.instead({path: text.replace(old, new, 1)}))
    assert told.status == "modified"
    assert f"rule {named} ({file})" in told.differences
    assert f"{named} ({file})" in str(told)


def test_laws_count_where_they_hold():
    files = {name: {part.file for part in covered(open_edition(name))} for name in EDITIONS}
    assert [name for name in EDITIONS if "table/washington.py" in files[name]] == [n for n in EDITIONS if n.endswith("-wa")]
    assert [name for name in EDITIONS if "table/california.py" in files[name]] == ["ez-baccarat-ca"]
    assert [name for name in EDITIONS if "table/bank.py" in files[name]] == ["ez-baccarat-ca"]


def test_a_game_does_not_count_for_another_and_neither_do_odds_or_pages():
    for name in EDITIONS:
        edition = open_edition(name)
        for part in covered(edition):
            folder = part.file.split("/")[0]
            assert folder not in {"web", "cli", "view", "house", "solve", "odds", "approval"}, part
            assert "/solve/" not in part.file
            if part.file.startswith("games/") and part.file != "games/__init__.py":
                assert part.file.startswith(f"games/{edition.game.id}/")


def test_house_ways_are_data_of_the_rules():
    edition = open_edition("ez-pai-gow-wa")
    data = rules_of(edition).data
    assert any(key.startswith("games/ez_pai_gow/house_ways/plaza.toml.two_pairs") for key in data)
    file = edition.game.folder / "house_ways" / "mgm.toml"
    text = SOURCES.read(file)
    key = next(line for line in text.splitlines() if line.startswith("five_aces"))
    other = "always-split" if "kings-front" in key else "kings-front"
    told = badge_of(edition, system(), SOURCES.instead({file: text.replace(key, f'five_aces = "{other}"')}))
    assert len(told.differences) == 1
    assert "house_ways/mgm.toml.five_aces" in told.differences[0]
    assert "as approved" in told.differences[0]


def test_covers_lists_files_and_definitions(run):
    code, out, _ = run("editions", "--covers", "ez-baccarat-wa", "--format", "json")
    listed = json.loads(out)
    assert code == 0
    assert {"file": "games/ez_baccarat/rules.py", "definition": "banker_draws"} in [
        {name: row[name] for name in ("file", "definition")} for row in listed["definitions"]
    ]
    assert listed["digest"] == rules_of(open_edition("ez-baccarat-wa")).digest
    code, out, _ = run("editions", "--covers", "ez-baccarat-wa", "--format", "csv")
    assert out.startswith("file,definition,digest\n")
    code, out, _ = run("editions", "--covers", "ez-baccarat-wa")
    assert "rulebook/settle.py" in out
    assert "approved rules" in out


@pytest.mark.parametrize(
    "content", ["{}", "null", "[]", '{"definitions": [], "texts": {}}', '{"definitions": [[1]], "texts": 0}']
)
def test_what_was_kept_and_is_spoiled_is_found_anew(monkeypatch, tmp_path, content):
    edition = open_edition("ez-baccarat-wa")
    monkeypatch.setenv("HOUSEWAY_CACHE", str(tmp_path))
    tmp_path.chmod(0o700)
    digest = rules_of(edition, may_be_kept=True).digest
    (kept,) = (tmp_path / "results").glob("closure-*.json")
    kept.write_text(content)
    assert rules_of(edition, may_be_kept=True).digest == digest == rules_of(edition).digest


def test_the_same_rules_have_the_same_digest_every_time():
    for name in edition_files():
        assert rules_of(open_edition(name)).digest == rules_of(open_edition(name)).digest


def test_an_explanation_of_a_reading_is_no_rule_and_its_value_is():
    edition = open_edition("ez-pai-gow-wa")
    readings = edition.document["readings"]
    explained = {**readings, "R16": {**readings["R16"], "effect": "said in another way"}}
    otherwise = {**readings, "R16": {**readings["R16"], "default": "loses"}}
    assert rules_of(replace(edition, document={**edition.document, "readings": explained})).digest == rules_of(edition).digest
    assert rules_of(replace(edition, document={**edition.document, "readings": otherwise})).digest != rules_of(edition).digest
