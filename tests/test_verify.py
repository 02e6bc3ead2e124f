"""The verifier: every published figure is accounted for, and none by accident."""

import shutil
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import pytest

import houseway as hw
from houseway.games import edition_files, open_edition
from houseway.odds import published
from houseway.odds.figures import read_figures
from houseway.odds.published import verify
from houseway.refusal import Refused

NAMES = tuple(edition_files())
HANDS = comb(53, 7)
COUNTS = {  # the table 3 detail of the document
    "natural-7-card-straight-flush": 32,
    "royal-flush-aq": 72,
    "7-card-straight-flush-with-joker": 196,
    "five-aces": 1_128,
    "royal-flush": 26_020,
    "straight-flush": 184_644,
    "four-of-a-kind": 307_472,
    "full-house": 4_188_528,
    "flush": 6_172_088,
    "three-of-a-kind": 7_672_500,
    "straight": 11_034_204,
}
RETURNS = "Return tables for pay tables 2 to 7"


@cache
def findings(name):
    return hw.edition(name).verify()


@cache
def pai_gow():
    return {(finding.table, finding.figure): finding for finding in findings("ez-pai-gow-wa")}


def readings_of(name):
    return {part.partition("=")[0] for f in findings(name) for part in f.reading.replace(" or ", ", ").split(", ") if part}


# Every figure is accounted for


@pytest.mark.parametrize("name", NAMES)
def test_no_figure_differs(name):
    found = findings(name)
    assert found
    assert [finding for finding in found if finding.status not in {"agrees", "explained"}] == []
    assert all(finding.document and finding.clause in hw.edition(name).clauses for finding in found)


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_of_the_data_has_a_finding(name):
    document, figures = read_figures(open_edition(name))
    assert [finding.published for finding in findings(name)] == [figure.printed for figure in figures]
    assert {finding.document for finding in findings(name)} == {document}
    assert len({(finding.table, finding.figure, n) for n, finding in enumerate(findings(name))}) == len(figures)


def test_the_pai_gow_document_has_at_least_280_figures():
    assert len(findings("ez-pai-gow-wa")) >= 280


def test_the_eight_edges_of_lucky_lucky_agree():
    edges = [f for f in findings("lucky-lucky-wa") if f.table == "House edge by number of decks"]
    assert [f.published for f in edges] == ["2.61%", "2.82%", "2.77%", "2.72%", "2.68%", "2.66%", "2.63%", "2.62%"]
    assert {f.status for f in edges} == {"agrees"}


def test_explained_figures_say_what_the_plain_wording_gives():
    for name in NAMES:
        for finding in findings(name):
            if finding.status == "explained":
                assert finding.reading
                plain = finding.note.partition("the plain wording gives ")[2].split(";")[0]
                assert plain
                assert plain.replace(",", "") != finding.published.replace(",", "")


# The readings are found


@pytest.mark.parametrize(
    ("reading", "table", "figure", "words"),
    [
        ("R1", "Dynasty Bonus pay table 1", "royal-flush-aq: return, pay table 1", "R1=as-published"),
        ("R2", "Dynasty Bonus pay table 1", "luhn-tao-wheel: return, pay table 1", "R2=no-joker"),
        ("R2b", "Protection pay table", "natural-a-5-straight-flush: return", "R2b=as-published"),
        ("R3", "Red/Black pay table", "seven-of-the-colour: return", "R3=like-with-like (stake included)"),
        ("R4", "Detailed return, Pay Table 2 Envy Bonus", "royal-flush: envy-pays, pay table 2", "R4=corrected (table 3)"),
        ("R4", "Detailed return table for pay table 3", "total: probability, pay table 3", "R4="),
        ("R5", "Detailed return table for pay table 3", "three-of-a-kind: combinations, pay table 3", "R5=highest-pay"),
    ],
)
def test_each_reading_of_the_pai_gow_document_is_found(reading, table, figure, words):
    finding = pai_gow()[table, figure]
    assert finding.status == "explained"
    assert words in finding.reading
    assert reading in readings_of("ez-pai-gow-wa")


def test_all_readings_are_found():
    assert readings_of("ez-pai-gow-wa") >= {"R1", "R2", "R2b", "R3", "R4", "R5"}
    assert "R13" in readings_of("lucky-lucky-wa")


def test_r4_the_last_column_of_the_envy_table_is_table_7_as_well_as_6():
    found = [f for f in findings("ez-pai-gow-wa") if f.table == "Dynasty envy bonuses" and f.figure.endswith("pay table 6")]
    assert len(found) == 14
    assert sum("R4=corrected (table 7)" in f.reading + f.note for f in found) == 7


def test_r13_names_the_models_that_come_close_to_eight_decks():
    (finding,) = (f for f in findings("lucky-lucky-wa") if f.clause == "LLB-11")
    assert (finding.published, finding.computed, finding.status) == ("2.62%", "2.66%", "explained")
    assert "R13=refilled-each-round" in finding.reading
    assert "infinite" not in finding.reading
    assert "2.49%" in finding.note


def test_a_figure_that_two_readings_fit_says_so():
    (shuffler,) = (f for f in findings("lucky-lucky-wa") if f.clause == "LLB-11")
    assert " or " in shuffler.reading
    edge = pai_gow()["Protection pay table, house advantage", "total: house-edge"]
    assert (edge.published, edge.status) == ("7.01%", "agrees")
    assert "could also come from R2b=" in edge.note


def test_a_figure_that_decides_between_readings_says_so():
    wheel = pai_gow()["Dynasty Bonus pay table 1", "luhn-tao-wheel: envy-return, pay table 1"]
    assert wheel.status == "agrees"
    assert "rules out R2=joker-elsewhere (0.04367%)" in wheel.note


# A changed figure differs

WRONG = {  # (table, figure): a figure that no reading gives
    ("Dynasty Bonus pay table 1", "five-aces: return, pay table 1"): "0.36664%",
    ("Dynasty Bonus pay table 1", "royal-flush-aq: envy, pay table 1"): "$301",
    ("Dynasty Bonus pay table 1, house advantage", "1: house-edge-players, pay table 1"): "8.17%",
    ("Detailed return table for pay table 3", "three-of-a-kind: combinations, pay table 3"): "7,672,501",
    ("Detailed return table for pay table 3", "flush: probability, pay table 3"): "0.04004130",
    (RETURNS, "total: return, pay table 7"): "-0.092856",
    ("Dynasty house edge by players", "6: house-edge-players, pay table 3"): "3.14%",
    ("Protection pay table", "ace-high-pai-gow: return"): "37.4479%",
    ("Red/Black pay table, house advantage", "total: house-edge"): "2.67%",
    ("Dynasty pay tables 2 to 7", "straight: pays, pay table 5"): "3 to 1",
}


@pytest.mark.parametrize("of_table_1", [True, False])
def test_changed_figures_differ_and_only_they(monkeypatch, of_table_1):
    edition = open_edition("ez-pai-gow-wa")
    document, figures = read_figures(edition)
    wrong = {key: printed for key, printed in WRONG.items() if key[1].endswith("pay table 1") == of_table_1}
    swapped = [replace(f, printed=wrong.get((f.table, f.name), f.printed)) for f in figures]
    assert sum(old != new for old, new in zip(figures, swapped, strict=True)) == len(wrong)
    monkeypatch.setattr(published, "read_figures", lambda _: (document, swapped))
    found = {(f.table, f.figure): f for f in verify(edition) if f.status == "differs"}
    assert set(found) == set(wrong)
    for key, finding in found.items():
        assert finding.published == wrong[key]
        assert finding.computed != wrong[key]
        assert not finding.reading


def moved(edition, folder):
    """The edition, with its game's files in another folder."""
    game = replace(edition.game)
    vars(game).update(id=edition.game.id, folder=folder)
    return replace(edition, game=game)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("lucky-lucky-wa", '3 = ["2.77%"]', '3 = ["2.78%"]'),
        ("lucky-lucky-wa", 'within = "0.05%"', 'within = "0.01%"'),
        ("duki-4-wa", 'straight = ["5 to 1"]', 'straight = ["6 to 1"]'),
        ("ez-baccarat-wa", '["40 to 1"]', '["41 to 1"]'),
    ],
)
def test_a_changed_data_file_differs(tmp_path, name, old, new):
    edition = open_edition(name)
    folder = tmp_path / "game"
    shutil.copytree(edition.game.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    file = folder / "published" / f"{name}.toml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    found = verify(moved(edition, folder))
    assert len([finding for finding in found if finding.status == "differs"]) == 1


def test_a_changed_pay_table_no_longer_gives_the_published_figures(tmp_path):
    path = tmp_path / "lucky-lucky-wa.toml"
    path.write_text(edition_files()["lucky-lucky-wa"].read_text().replace('"100 to 1"', '"99 to 1"'))
    found = verify(open_edition(str(path)))
    differs = {finding.figure for finding in found if finding.status == "differs"}
    assert "suited-678: pays" in differs
    assert "8: house-edge-decks" in differs
    assert "suited-777: pays" not in differs


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('3 = ["2.77%"]', '3 = ["2.77%", "2.78%"]', "2 cells for 1 columns"),
        ('columns = ["house-edge-decks"]', 'columns = ["house-advantage"]', "house-edge"),
        ('wager = "lucky-lucky"', 'wager = "lucky"', "lucky-lucky"),
    ],
)
def test_a_broken_data_file_gets_one_clear_message(tmp_path, old, new, words):
    edition = open_edition("lucky-lucky-wa")
    folder = tmp_path / "published"
    folder.mkdir()
    text = (edition.game.folder / "published" / "lucky-lucky-wa.toml").read_text()
    assert old in text
    (folder / "lucky-lucky-wa.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(Refused) as caught:
        read_figures(moved(edition, tmp_path))
    assert "lucky-lucky-wa.toml" in caught.value.message
    assert words in caught.value.message


# By hand


def agrees(table, figure, value, unit=""):
    """The finding's computed figure is this value, rounded as the document prints it."""
    finding = pai_gow()[table, figure]
    decimals = len(finding.published.rstrip("%").partition(".")[2])
    shown = f"{float(value * (100 if unit == '%' else 1)):.{decimals}f}{unit}"
    assert finding.published.replace(",", "") == shown
    assert finding.computed.replace(",", "") == shown


def test_counts_by_hand():
    windows = [frozenset(range(low, low + 7)) for low in range(1, 9)]  # 1 and 14 are both the ace
    six = {frozenset(cards) for window in windows for cards in combinations(window, 6)}
    with_joker = 4 * len(six)
    four_aces = 4 * comb(48, 3) - 4 * 3 * 8  # three aces and the joker, less royal flushes and wheels made with it
    by_hand = {
        "natural-7-card-straight-flush": 4 * len(windows),
        "royal-flush-aq": 4 * 3 * (1 + 5),
        "7-card-straight-flush-with-joker": with_joker,
        "five-aces": comb(48, 2),
        "four-of-a-kind": 13 * comb(48, 3) + 12 * comb(48, 2) + four_aces,
    }
    detail = "Detailed return table for pay table 3"
    pays = {"natural-7-card-straight-flush": 8000, "royal-flush-aq": 2000, "five-aces": 400, "four-of-a-kind": 25}
    for outcome, hands in by_hand.items():
        assert hands == COUNTS[outcome]
        agrees(detail, f"{outcome}: combinations, pay table 3", hands)
        agrees(detail, f"{outcome}: probability, pay table 3", Fraction(hands, HANDS))
    for outcome, pay in pays.items():
        agrees(detail, f"{outcome}: return, pay table 3", Fraction(pay * by_hand[outcome], HANDS))


def test_wheels_by_hand():
    wheels = 4 * comb(47, 2)
    suited_a_7, with_ace_queen = 4, 4 * 3
    luhn_tao = wheels - suited_a_7 - with_ace_queen
    table = "Dynasty Bonus pay table 1"
    agrees(table, "luhn-tao-wheel: return, pay table 1", Fraction(121 * luhn_tao, HANDS), "%")
    agrees(table, "natural-wheel-aq: return, pay table 1", Fraction(2001 * with_ace_queen, HANDS), "%")
    agrees("Protection pay table", "natural-a-5-straight-flush: return", Fraction(121 * (wheels - suited_a_7), HANDS), "%")


def test_low_pai_gows_by_hand():
    no_flush = 4**7 - 4 * (comb(7, 5) * 9 + comb(7, 6) * 3 + 1)
    names = {9: ("nine", 100), 10: ("ten", 25), 11: ("jack", 15), 12: ("queen", 7), 13: ("king", 5)}
    for high, (name, pay) in names.items():
        sets = 0
        for rest in combinations(range(2, high), 6):
            ranks = {*rest, high}
            sets += not any(set(range(low, low + 5)) <= ranks for low in range(2, 10))
        returned = Fraction((pay + 1) * sets * no_flush, HANDS)
        agrees("Protection pay table", f"{name}-high-pai-gow: return", returned, "%")


def test_red_black_by_hand():
    won = Fraction(0)
    for cards, name, pay in ((7, "seven", 5), (6, "six", 1), (5, "five", 1), (4, "four", 1)):
        share = Fraction(comb(26, cards) * comb(27, 7 - cards), HANDS)
        agrees("Red/Black pay table", f"{name}-of-the-colour: return", (pay + 1) * share, "%")
        won += (pay + 1) * share
    agrees("Red/Black pay table, house advantage", "total: house-edge", 1 - won, "%")


def test_edges_by_players_by_hand():
    pays = {2: (5000, 1000, 750, 250, 100, 50, 20, 5, 4, 3, 2), 7: (5000, 1000, 500, 300, 110, 45, 25, 5, 4, 3, 2)}
    prizes = {2: (1000, 250, 100, 50, 25, 10, 5), 7: (2500, 500, 250, 150, 55, 25, 6)}
    for table, row in pays.items():
        pushed = 2_862_000 if table == 2 else 0
        lost = HANDS - sum(COUNTS.values()) - pushed
        won = sum(pay * hands for pay, hands in zip(row, COUNTS.values(), strict=True))
        envy = sum(prize * hands for prize, hands in zip(prizes[table], COUNTS.values(), strict=False))
        agrees(RETURNS, f"total: return, pay table {table}", Fraction(won - lost, HANDS))
        for players in range(1, 7):
            edge = Fraction(lost - won, HANDS) - Fraction((players - 1) * envy, 5 * HANDS)
            agrees("Dynasty house edge by players", f"{players}: house-edge-players, pay table {table}", edge, "%")
