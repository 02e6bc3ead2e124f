"""Editions: complete, as approved, and refused with one clear line when their file is broken."""

import re
import tomllib
from dataclasses import replace

import pytest

from houseway.api import Rulebook
from houseway.approval import badge, rules, system
from houseway.approval.badge import badge_of
from houseway.approval.rules import SOURCES
from houseway.games import edition_files, open_edition
from houseway.refusal import Refused
from houseway.rulebook import Pay

NAMES = ("ez-baccarat-ca", "ez-baccarat-wa", "ez-pai-gow-wa", "lucky-lucky-wa", "duki-4-wa")
WAGERS = {
    "ez-baccarat-ca": {"player", "banker", "tie", "dragon-7", "panda-8"},
    "ez-baccarat-wa": {"player", "banker", "tie", "dragon-7", "panda-8"},
    "ez-pai-gow-wa": {"base", "dynasty", "protection", "red-black"},
    "lucky-lucky-wa": {"blackjack", "insurance", "lucky-lucky"},
    "duki-4-wa": {"ante", "play", "duki-bonus"},
}
DYNASTY = {  # spec.md: pays "to 1" of tables 1 to 7
    "natural-7-card-straight-flush": (2000, 5000, 8000, 5000, 2500, 5000, 5000),
    "royal-flush-aq": (1000, 1000, 2000, 2000, 1000, 2000, 1000),
    "7-card-straight-flush-with-joker": (1000, 750, 1000, 1000, 750, 1000, 500),
    "five-aces": (500, 250, 400, 400, 250, 400, 300),
    "luhn-tao-wheel": (120, 50, 50, 50, 50, 50, 45),  # in tables 2 to 7 a straight flush like any other
    "royal-flush": (120, 100, 150, 150, 125, 150, 110),
    "straight-flush": (50, 50, 50, 50, 50, 50, 45),
    "four-of-a-kind": (25, 20, 25, 25, 25, 25, 25),
    "full-house": (5,) * 7,
    "flush": (4,) * 7,
    "three-of-a-kind": (3,) * 7,
    "straight": (2,) * 7,
    "natural-wheel-aq": (2000, 50, 50, 50, 50, 50, 45),
    "three-pair": (-1, 0, -1, -1, -1, -1, -1),
    "other": (-1,) * 7,
}
ENVY = {  # spec.md: dollars of tables 1 to 7
    "natural-7-card-straight-flush": (400, 1000, 5000, 3000, 1000, 2500, 2500),
    "royal-flush-aq": (300, 250, 1000, 1000, 750, 500, 500),
    "7-card-straight-flush-with-joker": (200, 100, 500, 500, 250, 250, 250),
    "five-aces": (100, 50, 250, 250, 100, 150, 150),
    "royal-flush": (50, 25, 50, 50, 50, 55, 55),
    "straight-flush": (20, 10, 20, 20, 20, 25, 25),
    "four-of-a-kind": (5, 5, 5, 5, 5, 6, 6),
    "luhn-tao-wheel": (75, 10, 20, 20, 20, 25, 25),
    "natural-wheel-aq": (500, 10, 20, 20, 20, 25, 25),
    "full-house": (0,) * 7,
}
READINGS = {  # spec.md: the first value is the default
    "ez-baccarat-wa": {"R17": None},
    "ez-baccarat-ca": {
        "R12": ["from-next-seat", "from-marker"],
        "R12b": ["actual-result", "worst-case"],
        "R12c": ["layout-order", "as-keyed"],
        "R12d": ["running-net", "until-used-up"],
        "R21": ["may-put-up-again", "ends"],
        "R22": ["once", "every-deal"],
        "R23": ["from-stake", "no-hand"],
    },
    "ez-pai-gow-wa": {
        "R1": ["as-published", "natural-only"],
        "R2": ["no-joker", "joker-elsewhere"],
        "R2b": ["as-published", "all"],
        "R3": None,
        "R4": ["corrected"],
        "R5": ["highest-pay", "highest-rank"],
        "R6": ["other-players-with-base-wager", "other-players-with-dynasty-bet"],
        "R6b": ["no", "yes"],
        "HW": ["as-plaza"],
        "R14": None,
        "R15": None,
        "R16": None,
        "R16b": ["pushes", "loses"],
        "R17": None,
    },
    "lucky-lucky-wa": {"R6b": ["no"], "R11": ["yes"], "R13": None, "R17": None, "R20": ["busted-or-one", "busted-and-one"]},
    "duki-4-wa": {"R7": ["even-money"], "R8": ["ante-table", "even-money"], "R9": ["yes", "no"], "R10": None, "R17": None},
}


def source(name):
    return edition_files()[name].read_text(encoding="utf-8")


def changed(tmp_path, name, *swaps):
    """A copy of an edition's file with some text changed; every text to change must be there."""
    text = source(name)
    for old, new in swaps:
        assert old in text
        text = text.replace(old, new, 1)
    path = tmp_path / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refusal(path):
    with pytest.raises(Refused) as caught:
        open_edition(str(path))
    return caught.value.message


# The editions that come with Houseway


def test_five_editions():
    assert sorted(edition_files()) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_an_edition_is_complete_and_as_pinned(name):
    edition = open_edition(name)
    assert (edition.id, set(edition.wagers)) == (name, WAGERS[name])
    assert badge(edition).differences == ()
    assert re.fullmatch(r"[0-9a-f]{64}", badge(edition).rules)
    assert badge(open_edition(name)).rules == badge(edition).rules
    assert edition.limits.min_cents <= edition.limits.max_cents
    assert edition.limits.source
    assert edition.sources


def test_digests_tell_editions_apart():
    assert len({badge(open_edition(name)).rules for name in NAMES}) == 5


@pytest.mark.parametrize(
    ("name", "maker", "date"),
    [
        ("ez-baccarat-wa", "DEQ Systems Corp.", "2011-10-17"),
        ("ez-pai-gow-wa", "DEQ Systems Corp.", "2010-05-21"),
        ("lucky-lucky-wa", "DEQ Systems Corp.", "2012-05-31"),
        ("duki-4-wa", "Gaming Entertainment", "2007-11-28"),
    ],
)
def test_approvals(name, maker, date):
    edition = open_edition(name)
    assert (edition.approval.maker, edition.approval.date) == (maker, date)
    clauses = edition.clauses()
    assert edition.approval.conditions
    assert {clauses[id_].kind for id_ in edition.approval.conditions} == {"condition"}


def test_the_california_sheet_has_no_approval():
    assert str(open_edition("ez-baccarat-ca").approval) == "no approval on file"


def test_a_smart_shoe_is_refused_where_the_letter_says_so():
    edition = open_edition("ez-baccarat-wa")
    assert edition.refused_sources == {"smart-shoe": "EZB-L1"}
    assert "smart-shoe" not in edition.sources


@pytest.mark.parametrize("name", NAMES)
def test_clauses_are_data(name):
    clauses = open_edition(name).clauses()
    assert {clause.kind for clause in clauses.values()} <= {"rule", "procedure", "condition"}
    assert all(clause.text and clause.source.title for clause in clauses.values())


@pytest.mark.parametrize("name", NAMES)
def test_readings_and_their_defaults(name):
    readings = open_edition(name).readings
    assert set(readings) == set(READINGS[name])
    for id_, values in READINGS[name].items():
        assert values is None or list(readings[id_].values) == values
        assert readings[id_].question
        assert open_edition(name).settings()[id_] == next(iter(readings[id_].values))


# Pays


@pytest.mark.parametrize("name", NAMES)
def test_every_outcome_of_every_wager_has_exactly_one_pay_in_every_table(name):
    edition = open_edition(name)
    raw = tomllib.loads(source(name))
    for wager, terms in edition.wagers.items():
        outcomes = {outcome.id: outcome for outcome in edition.game.wagers[wager].outcomes}
        written = raw["wagers"][wager]["pays"]
        tables = written if all(isinstance(rows, dict) for rows in written.values()) else {"standard": written}
        assert set(terms.pays) == set(tables)
        for table, rows in tables.items():
            assert set(terms.pays[table]) == set(outcomes)
            for id_, outcome in outcomes.items():
                row = next(key for key in (id_, *outcome.falls_to, "otherwise") if key in rows)
                assert terms.pays[table][id_] == Pay.parse(rows[row])
            used = {key for id_, o in outcomes.items() for key in (id_, *o.falls_to, "otherwise") if key in rows}
            assert used == set(rows)


@pytest.mark.parametrize("table", range(1, 8))
def test_dynasty_tables_are_those_of_the_spec(table):
    edition = open_edition("ez-pai-gow-wa")
    settings = edition.settings({"pay-table": table})
    for outcome, pays in DYNASTY.items():
        assert edition.pay("dynasty", outcome, settings).net == pays[table - 1]
    for outcome, dollars in ENVY.items():
        assert edition.envy_cents("dynasty", outcome, settings) == 100 * dollars[table - 1]
    assert edition.wagers["dynasty"].envy_min_bet_cents == 500


# Modified rules


@pytest.mark.parametrize(
    ("name", "swap", "difference"),
    [
        (
            "ez-baccarat-wa",
            ('dragon-7 = "40 to 1"', 'dragon-7 = "41 to 1"'),
            ["wagers.dragon-7.pays.dragon-7", "40 to 1", "41 to 1"],
        ),
        ("ez-baccarat-wa", ("decks = [8, 6]", "decks = [8, 6, 4]"), ["settings.decks", "[8, 6]", "[8, 6, 4]"]),
        ("ez-pai-gow-wa", ("five-aces = 150", "five-aces = 151"), ["wagers.dynasty.envy_dollars.6.five-aces", "150", "151"]),
        ("duki-4-wa", ("max_cents = 40000", "max_cents = 50000"), ["limits.max_cents", "40000", "50000"]),
        ("lucky-lucky-wa", ("chip_unit_cents = 50\n", ""), ["chip_unit_cents", "50", "absent"]),
    ],
)
def test_a_changed_table_is_named_with_both_values(tmp_path, name, swap, difference):
    told = badge(open_edition(str(changed(tmp_path, name, swap))))
    assert told.status == "modified"
    assert len(told.differences) == 1
    for part in difference:
        assert part in told.differences[0]
    assert told.rules != badge(open_edition(name)).rules


def test_an_unchanged_copy_is_not_modified(tmp_path):
    assert badge(open_edition(str(changed(tmp_path, "duki-4-wa")))).differences == ()


def with_change(name, file, old, new):
    """The badge of an edition whose game has another text in one of its files."""
    edition = open_edition(name)
    path = edition.game.folder / file
    text = SOURCES.read(path)
    assert old in text
    return badge_of(edition, system(), SOURCES.instead({path: text.replace(old, new, 1)}))


@pytest.mark.parametrize(
    ("name", "old", "new", "rule"),
    [
        ("ez-baccarat-wa", "return player <= 5", "return player <= 6", "player_draws"),
        ("duki-4-wa", "if suits == 15:", "if suits >= 14:", "duki_score"),
    ],
)
def test_a_changed_rule_is_named(name, old, new, rule):
    told = with_change(name, "rules.py", old, new)
    assert len(told.differences) == 1
    assert rule in told.differences[0]
    assert "rules.py" in told.differences[0]
    assert told.rules != badge(open_edition(name)).rules


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [("rules.py", "STOOD = -1", "STOOD = -2"), ("game.py", '"tie": "EZB-5e"', '"tie": "EZB-5d"')],
)
def test_a_changed_constant_is_named(file, old, new):
    told = with_change("ez-baccarat-wa", file, old, new)
    assert len(told.differences) == 1
    assert file in told.differences[0]


def test_a_changed_clause_is_named_for_its_own_editions_only(monkeypatch):
    def others(folder):
        return {id_: replace(one, text=one.text + "!") if id_.startswith("EZB") else one for id_, one in read(folder).items()}

    read = rules.read_clauses
    monkeypatch.setattr(rules, "read_clauses", others)
    assert any(line.startswith("clauses.EZB-4: ") for line in badge_of(open_edition("ez-baccarat-wa"), system()).differences)
    assert badge_of(open_edition("ez-baccarat-ca"), system()).differences == ()


def test_a_removed_rule_and_a_new_one_are_named():
    told = with_change("duki-4-wa", "rules.py", "def ante_row(", "def sneak(")
    assert "rule ante_row (games/duki_4_poker/rules.py) is gone" in told.differences
    told = with_change("duki-4-wa", "rules.py", "    return 1 + (score", "    return sneak() + (score")
    assert told.status == "modified"


# Broken files: one line with the file, the key and what is allowed

BROKEN = {
    "syntax": (('id = "ez-baccarat-wa"', 'id = "ez'), "line 2", "TOML"),
    "twice": (("[settings]", "[limits]\n[settings]"), "limits", "TOML"),
    "unknown key": (("[approval]", 'colour = "red"\n[approval]'), "colour", "allowed"),
    "unknown key inside": (("max_cents", "maximum_cents = 3\nmax_cents"), "limits.maximum_cents", "allowed"),
    "misspelt setting": (("decks =", "deck ="), "settings.deck", "did you mean decks?"),
    "unknown wager": (("[wagers.dragon-7.pays]", "[wagers.dragon-8.pays]"), "wagers.dragon-8", "did you mean dragon-7?"),
    "unknown outcome": (('tie = "8 to 1"', 'ties = "8 to 1"'), "wagers.tie.pays.ties", "did you mean tie?"),
    "missing pay": (('tie = "push"\n', ""), "wagers.player.pays.tie", "required"),
    "empty pay table": (('tie = "8 to 1"\notherwise = "lose"\n', ""), "wagers.tie.pays", "required"),
    "bad pay": (('"40 to 1"', '"40 for 1"'), "wagers.dragon-7.pays.dragon-7", '"40 to 1"'),
    "zero pay": (('"40 to 1"', '"0 to 1"'), "wagers.dragon-7.pays.dragon-7", "allowed"),
    "negative pay": (('"40 to 1"', '"-40 to 1"'), "wagers.dragon-7.pays.dragon-7", "allowed"),
    "pay by zero": (('"40 to 1"', '"40 to 0"'), "wagers.dragon-7.pays.dragon-7", "allowed"),
    "pay as a number": (('"40 to 1"', "40"), "wagers.dragon-7.pays.dragon-7", "required"),
    "decks too many": (("[8, 6]", "[8, 9]"), "settings.decks", "allowed: 8, 6"),
    "decks no list": (("[8, 6]", "8"), "settings.decks", "list"),
    "decks as text": (("[8, 6]", '["8"]'), "settings.decks", "allowed"),
    "decks as a float": (("[8, 6]", "[8.0]"), "settings.decks", "allowed"),
    "decks as a flag": (("[8, 6]", "[true]"), "settings.decks", "allowed"),
    "no decks": (("[8, 6]", "[]"), "settings.decks", "required"),
    "unknown game": (('"ez_baccarat"', '"ez_bacarat"'), "game", "did you mean ez_baccarat?"),
    "no game": (('game = "ez_baccarat"\n', ""), "game", "one of blackjack, duki_4_poker, ez_baccarat, ez_pai_gow"),
    "no id": (('id = "ez-baccarat-wa"\n', ""), "id", "required"),
    "limits upside down": (("max_cents = 40000", "max_cents = 50"), "limits.max_cents", "from 100"),
    "limit as text": (("max_cents = 40000", 'max_cents = "40000"'), "limits.max_cents", "whole number"),
    "limit as a float": (("max_cents = 40000", "max_cents = 40000.5"), "limits.max_cents", "whole number"),
    "limit as a flag": (("min_cents = 100", "min_cents = true"), "limits.min_cents", "whole number"),
    "negative limit": (("min_cents = 100", "min_cents = -100"), "limits.min_cents", "from 1"),
    "no date": (('date = "2011-10-17"\n', ""), "approval.date", "required"),
    "unknown condition": (('"EZB-L4"]', '"EZB-L9"]'), "approval.conditions", "allowed"),
    "unknown source": (('"virtual-shoe"', '"virtual-shoo"'), "cards.sources", "did you mean virtual-shoe?"),
    "unknown family": (('clauses = ["EZB"]', 'clauses = ["EPG"]'), "clauses", "allowed"),
    "table as text": (("[settings]\ndecks = [8, 6]", "[[settings]]\ndecks = [8, 6]"), "settings", "table"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_gets_one_clear_message(tmp_path, case):
    swap, key, allowed = BROKEN[case]
    message = refusal(changed(tmp_path, "ez-baccarat-wa", swap))
    assert "\n" not in message
    assert message.startswith("ez-baccarat-wa.toml: ")
    assert key in message
    assert allowed in message


@pytest.mark.parametrize(
    ("name", "swap", "key", "allowed"),
    [
        ("duki-4-wa", ('ante-table = "by', 'ante-tabel = "by'), "readings.R8.values.ante-tabel", "did you mean ante-table?"),
        ("duki-4-wa", ('wagers = ["ante"]', 'wagers = ["anti"]'), "readings.R7.wagers", "did you mean ante?"),
        (
            "duki-4-wa",
            ('values = { even-money = "Ante 1 to 1, Play pushes" }', "values = {}"),
            "readings.R7.values",
            "required",
        ),
        ("ez-pai-gow-wa", ("four-of-a-kind = 5\n", "four-of-a-kind = 5.5\n"), "envy_dollars.1.four-of-a-kind", "whole number"),
        ("ez-pai-gow-wa", ("[wagers.dynasty.envy_dollars.7]", "[wagers.dynasty.envy_dollars.8]"), "envy_dollars.8", "allowed"),
        ("ez-pai-gow-wa", ('literal = "all"', 'literal = "none"'), "readings.R2b.literal", "allowed"),
        ("lucky-lucky-wa", ('soft-17 = ["hits"', 'soft-17 = ["hit"'), "settings.soft-17", "did you mean hits?"),
        ("lucky-lucky-wa", ("chip_unit_cents = 50", "chip_unit_cents = 0"), "chip_unit_cents", "from 1"),
    ],
)
def test_a_broken_table_of_another_game(tmp_path, name, swap, key, allowed):
    message = refusal(changed(tmp_path, name, swap))
    assert "\n" not in message
    assert message.startswith(f"{name}.toml: ")
    assert key in message
    assert allowed in message


def test_a_file_that_is_not_text(tmp_path):
    path = tmp_path / "bytes.toml"
    path.write_bytes(b"id = \xff\xfe\n")
    assert "bytes.toml" in refusal(path)


def test_a_file_that_is_not_there(tmp_path):
    assert "nowhere.toml: no such file" in refusal(tmp_path / "nowhere.toml")


def test_a_folder_is_not_a_file(tmp_path):
    (tmp_path / "folder.toml").mkdir()
    assert "folder.toml" in refusal(tmp_path / "folder.toml")


# Settings


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("ez-baccarat-wa", {"decks": 7}),
        ("ez-baccarat-ca", {"decks": 6}),
        ("ez-pai-gow-wa", {"wheel": "lowest"}),
    ],
)
def test_settings_outside_the_approval_need_what_if(name, chosen):
    edition = open_edition(name)
    with pytest.raises(Refused, match="outside the approval") as caught:
        edition.settings(chosen)
    (setting,) = chosen
    assert f"{setting} {chosen[setting]}" in caught.value.message
    with pytest.raises(Refused, match=r"outside the approval.*--what-if computes it anyway"):  # a table has no such option
        Rulebook(edition).odds(**chosen)
    marked = edition.settings(chosen, what_if=True)
    assert len(marked.outside) == 1
    assert edition.settings({}, what_if=True).outside == ()


@pytest.mark.parametrize("what_if", [False, True])
@pytest.mark.parametrize(("name", "chosen"), [("ez-baccarat-wa", {"decks": 9}), ("duki-4-wa", {"R8": "double"})])
def test_what_the_rules_do_not_know_is_refused_always(name, chosen, what_if):
    with pytest.raises(Refused, match="possible"):
        open_edition(name).settings(chosen, what_if)


def test_names_of_settings_may_be_written_as_in_python():
    edition = open_edition("ez-pai-gow-wa")
    assert edition.settings({"pay_table": 3}) == edition.settings({"pay-table": "3"})


@pytest.mark.parametrize(
    ("given", "nearest"), [("ez-bacarat-wa", "ez-baccarat-wa"), ("duki", "duki-4-wa"), ("Lucky-Lucky-WA", "lucky-lucky-wa")]
)
def test_the_nearest_edition_is_suggested(given, nearest):
    with pytest.raises(Refused, match=f"did you mean .*{nearest}"):
        open_edition(given)


@pytest.mark.parametrize(
    ("given", "nearest"), [("deck", "decks"), ("r8", "R8"), ("R88", "R8"), ("R19", "R9|R10"), ("R107", "R10|R17|R7")]
)
def test_the_nearest_setting_or_reading_is_suggested(given, nearest):
    with pytest.raises(Refused, match=rf"did you mean .*({nearest})\b.*\?"):
        open_edition("duki-4-wa").settings({given: "x"})


def test_the_nearest_wager_is_suggested():
    with pytest.raises(Refused, match="did you mean dragon-7"):
        open_edition("ez-baccarat-wa").wager("Dragon7")
