"""The rules digest: exactly what an edition's play, pays, settlement, limits and order of payment reach."""

import json

import pytest
from changes import changed

from houseway.approval import system
from houseway.approval.badge import badge_of
from houseway.approval.rules import SOURCES, covered, rules_of, walk
from houseway.games import edition_files, open_edition

EDITIONS = ("duki-4-wa", "ez-baccarat-ca", "ez-baccarat-wa", "ez-pai-gow-wa", "lucky-lucky-wa")


@pytest.mark.parametrize("name", EDITIONS)
def test_every_definition_counts(name):
    """Each definition of the closure, changed alone, turns the badge, and the badge names it."""
    edition, program = open_edition(name), system()
    closure, _ = walk(edition)
    unnoticed = []
    assert len(closure.parts) > 250
    for (module_name, part_name), part in closure.parts.items():
        module = SOURCES.module(module_name)
        text = changed(module, part, SOURCES.read(module.file))
        told = badge_of(edition, program, SOURCES.instead({module.file: text}))
        named = f"rule {part_name} ({module.shown})"
        if told.status != "modified" or named not in [line.removesuffix(" is gone") for line in told.differences]:
            unnoticed.append((named, told.differences[:3]))
    assert unnoticed == []


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
        ("ez-baccarat-wa", "rulebook/settle.py", "from math import ceil", "from math import floor as ceil", "round_win"),
        ("ez-baccarat-wa", "rulebook/edition.py", "][outcome]", "][next(iter(self.wagers))]", "Edition.pay"),
        ("ez-baccarat-wa", "table/play.py", "max(item[2].win_cents, 0))", "max(item[2].win_cents // 2, 0))", "covered"),
        ("ez-baccarat-wa", "table/washington.py", "40_000", "50_000", "SINGLE_WAGER"),
        ("ez-baccarat-wa", "table/play.py", "reverse=True", "reverse=False", "settlement_order"),
        ("ez-baccarat-ca", "table/bank.py", "HANDS = 2", "HANDS = 3", "HANDS"),
        ("duki-4-wa", "table/ledger.py", "changed.get(account, balances.get(account, 0)) + cents", "cents", "balances_after"),
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


def test_the_same_rules_have_the_same_digest_every_time():
    for name in edition_files():
        assert rules_of(open_edition(name)).digest == rules_of(open_edition(name)).digest
