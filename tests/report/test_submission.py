"""A submission: examples that the rulebook settled, figures of odds and solvers, sections that say what is not there."""

import io
import json
import re
from fractions import Fraction
from functools import cache
from math import comb, sqrt
from pathlib import Path

import pytest
from pypdf import PdfReader

from houseway.api import Rulebook
from houseway.games import edition_files
from houseway.report.asked import AskedReport
from houseway.report.decider import best_decider
from houseway.report.figures import SquareRoot
from houseway.report.make import MadeReport
from houseway.report.paper import PAPERS
from houseway.report.played_odds import BEST_PLAY, SOLVED, played_odds
from houseway.report.printed import pdf_of
from houseway.report.verify import verify_pdf
from houseway.report.worked_examples import _wanted, found_examples
from houseway.rulebook.game import MissingChoice, Request
from houseway.rulebook.settle import settle
from houseway.solve.solver import choices, solver_of

DAY = "2026-03-01"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SUMMED = ("edge", "hit", "push", "sd", "skewness", "kurtosis", "n0", "risk")
SECTIONS = [
    "1  Identification",
    "2  Rules and readings",
    "3  Method",
    "4  Par sheets",
    "5  Summary",
    "6  Sensitivity",
    "7  Strategy and its cost",
    "8  Advantage play",
    "9  Exposure",
    "10  Expected hold, and published figures",
]


@cache
def submission(edition: str, **options) -> MadeReport:
    return Rulebook.open(edition).report("submission", on=DAY, **options)


def exact(made: MadeReport, figure: str) -> Fraction:
    return Fraction(made.figures[figure]["exact"])


def words_in(section: dict) -> str:
    return json.dumps(section["blocks"], ensure_ascii=False)


def test_it_has_the_ten_sections_and_the_same_bytes_twice():
    made = submission("ez-baccarat-ca")
    assert [section["title"] for section in made.data["sections"]] == SECTIONS
    again = Rulebook.open("ez-baccarat-ca").report("submission", on=DAY)
    assert again.json() == made.json() and again.pdf() == made.pdf()


@pytest.mark.parametrize("decks", [8, 6])
def test_par_sheets_are_the_odds_to_the_last_digit(decks):
    made, odds = submission("ez-baccarat-wa"), Rulebook.open("ez-baccarat-wa").odds(decks=decks)
    for name, sheet in odds.items():
        id_ = f"odds.{name}.decks-{decks}"
        assert exact(made, f"{id_}.edge") == sheet.house_edge
        assert int(made.figures[f"{id_}.total"]["exact"]) == sheet.total
        assert exact(made, f"{id_}.certain") == 1
        for row in sheet.rows:
            assert int(made.figures[f"{id_}.{row.outcome}.combinations"]["exact"]) == row.combinations
            assert exact(made, f"{id_}.{row.outcome}.return") == row.contribution


def test_every_pay_table_and_deck_count_has_a_sheet_or_an_edge():
    book = Rulebook.open("lucky-lucky-wa")
    figures = submission("lucky-lucky-wa").figures
    for decks in book.edition.approved["decks"]:
        assert f"odds.lucky-lucky.decks-{decks}.edge" in figures
        for table in book.edition.approved["pay-table"]:
            assert f"odds.blackjack.pay-table-{table}.decks-{decks}.edge" in figures


def test_a_wager_offered_in_mid_round_has_the_exact_sheet_of_the_rounds_that_offer_it():
    made = submission("lucky-lucky-wa")
    for decks in Rulebook.open("lucky-lucky-wa").edition.approved["decks"]:
        id_, tens, unseen = f"odds.insurance.decks-{decks}", 16 * decks, 52 * decks - 1
        assert exact(made, f"{id_}.dealer-blackjack.probability") == Fraction(tens, unseen)
        assert exact(made, f"{id_}.no-blackjack.probability") == 1 - Fraction(tens, unseen)
        assert exact(made, f"{id_}.edge") == 1 - Fraction(3 * tens, unseen)
    assert exact(made, "odds.insurance.decks-6.edge") == exact(made, "strategy.insurance_edge")
    words = words_in(made.data["sections"][3])
    assert "insurance on any hand, nothing known but the ace" in words and "Insurance: bet by a decision" not in words


def test_deals_are_checked_against_the_ways_to_choose_cards():
    made = submission("duki-4-wa")
    assert int(made.figures["method.ante.deals"]["exact"]) == comb(52, 4) * comb(48, 4)
    assert "C(52, 4) × C(48, 4)" in words_in(made.data["sections"][2])


def test_the_summary_is_of_one_unit_and_ranges_are_of_the_mean():
    made, sheet = submission("ez-baccarat-wa"), Rulebook.open("ez-baccarat-wa").odds()["dragon-7"]
    assert made.figures["summary.dragon-7.sd"]["exact"] == f"sqrt({sheet.variance.numerator}/{sheet.variance.denominator})"
    assert exact(made, "summary.dragon-7.n0") == sheet.variance / sheet.house_edge**2
    high = float(made.figures["hold.dragon-7.10000.95.high"]["exact"])
    assert high == pytest.approx(float(sheet.house_edge) + 1.96 * sheet.standard_deviation / sqrt(10_000))
    assert "bounds the mean result of N bets" in re.sub(r"\s+", " ", words_in(made.data["sections"][4]))


def test_the_element_of_risk_and_the_cost_of_the_line_are_the_solvers():
    book = Rulebook.open("duki-4-wa")
    figures = submission("duki-4-wa").figures
    best, line = book.solved("ante", "best").house_edge, book.solved("ante", "line").house_edge
    assert Fraction(figures["summary.ante.edge"]["exact"]) == best
    assert Fraction(figures["strategy.ante.line.more"]["exact"]) == line - best
    assert Fraction(figures["summary.ante.risk"]["exact"]) == Fraction(figures["strategy.element_of_risk"]["exact"]) < best


def test_a_base_wager_is_solved_and_its_player_named():
    odds = played_odds(Rulebook.open("duki-4-wa").edition, "ante", Rulebook.open("duki-4-wa").edition.settings())
    assert (odds.how, odds.player, odds.standard_error) == (SOLVED, BEST_PLAY, 0)
    assert isinstance(odds.deviation, SquareRoot)
    card = Rulebook.open("duki-4-wa").report("rack-card", on=DAY, edge=True)
    assert Fraction(card.figures["wagers.ante.edge"]["exact"]) == odds.edge
    assert BEST_PLAY in card.html()


def test_the_second_method_names_who_decides_and_readings_say_nothing_twice():
    words = submission("duki-4-wa").html()
    assert "Who decides there is the player “best”" in words and "Counted or solved" in words
    assert "Here: yes. Otherwise: no. This" in words and "yes, yes" not in words


def test_blackjack_has_the_best_players_edge_not_a_drawn_one():
    card = Rulebook.open("lucky-lucky-wa").report("rack-card", on=DAY, edge=True)
    assert "standard_error" not in card.figures["wagers.blackjack.edge"]
    assert 0.005 < float(card.figures["wagers.blackjack.edge"]["exact"]) < 0.008


def test_blackjack_has_every_result_of_the_best_player_and_what_follows_from_them():
    """The hand that is paid, the rate, the moments and the element of risk: all from the solved results, none drawn."""
    edition = Rulebook.open("lucky-lucky-wa").edition
    settings = edition.settings()
    made = submission("lucky-lucky-wa")
    results = solver_of(edition).best_results(edition, "blackjack", settings, None)
    chances = {row.outcome: float(made.figures[f"odds.blackjack.pay-table-3:2.decks-6.{row.outcome}.probability"]["exact"])
               for row in results.rows}  # fmt: skip
    assert set(chances) >= {"blackjack", "blackjacks", "net-8", "net--8", "net-0"}
    assert sum(chances.values()) == pytest.approx(1, abs=1e-14)
    nets = {row.outcome: float(row.net) for row in results.rows}
    mean = sum(nets[outcome] * chance for outcome, chance in chances.items())
    central = {power: sum((nets[o] - mean) ** power * chance for o, chance in chances.items()) for power in (2, 3, 4)}
    told = {name: float(made.figures[f"summary.blackjack.{name}"]["exact"]) for name in SUMMED}
    assert told["edge"] == pytest.approx(-mean, abs=1e-14)
    assert told["hit"] == pytest.approx(sum(chance for outcome, chance in chances.items() if nets[outcome] > 0), abs=1e-14)
    assert told["push"] == pytest.approx(chances["net-0"] + chances["blackjacks"], abs=1e-14)
    assert told["sd"] == pytest.approx(sqrt(central[2]), abs=1e-12)
    assert told["skewness"] == pytest.approx(central[3] / central[2] ** 1.5, abs=1e-12)
    assert told["kurtosis"] == pytest.approx(central[4] / central[2] ** 2 - 3, abs=1e-12)
    assert told["n0"] == pytest.approx(central[2] / mean**2)
    assert told["risk"] == pytest.approx(-mean / float(results.staked))
    assert not any(
        id_.startswith(("odds.blackjack", "summary.blackjack")) for id_, f in made.figures.items() if "standard_error" in f
    )
    assert "best play" in words_in(made.data["sections"][3])


def test_every_pay_table_has_the_same_results_but_for_what_a_blackjack_is_paid():
    figures = submission("lucky-lucky-wa").figures
    for table, pays in (("6:5", Fraction(6, 5)), ("1:1", Fraction(1)), ("2:1", Fraction(2))):
        ids = [f"odds.blackjack.pay-table-{each}.decks-6" for each in ("3:2", table)]
        ours, theirs = (float(figures[f"{id_}.blackjack.probability"]["exact"]) for id_ in ids)
        assert ours == theirs
        edges = [float(figures[f"{id_}.edge"]["exact"]) for id_ in ids]
        assert edges[1] - edges[0] == pytest.approx((1.5 - float(pays)) * ours, abs=1e-14)
        assert edges[1] == pytest.approx(
            float(figures[f"sensitivity.settings.pay-table.{table}.blackjack.edge"]["exact"]), abs=1e-13
        )


def asked(name: str) -> AskedReport:
    edition = Rulebook.open(name).edition
    return AskedReport("submission", edition, edition.settings(), {}, PAPERS["a4"], DAY)


@pytest.mark.parametrize("name", edition_files())
def test_every_ending_has_an_example_that_the_rulebook_settles_so(name):
    wanted = list(_wanted(asked(name)))
    found = found_examples(asked(name), wanted, best_decider(asked(name)))
    assert len(found) == len(wanted)
    edition = Rulebook.open(name).edition
    for place, example in found.items():
        again = settle(edition, example.tape, wanted[place].bets, example.choices, edition.settings(), example.others)
        assert again == example.settlement and again.payments
        assert all(step.clause for step in again.steps)


def examples_by_title(section: dict) -> dict[str, str]:
    panels = [
        panel for block in section["blocks"] if block["block"] == "panels" for column in block["columns"] for panel in column
    ]
    return {panel["title"].partition(": ")[2]: json.dumps(panel["blocks"], ensure_ascii=False) for panel in panels}


def test_blackjack_has_examples_of_what_is_paid_apart_and_of_every_choice_and_plays_by_the_chart():
    edition = Rulebook.open("lucky-lucky-wa").edition
    examples = examples_by_title(submission("lucky-lucky-wa").data["sections"][1])
    assert {"Blackjack: Blackjack", "Blackjack: Double", "Blackjack: Split", "Insurance wins", "Lucky Lucky wins more"} <= set(
        examples
    )
    assert "3 to 2" in examples["Blackjack: Blackjack"] and "2 to 1" in examples["Insurance wins"]
    by_chart = best_decider(asked("lucky-lucky-wa")).decides
    wanted = list(_wanted(asked("lucky-lucky-wa")))
    for place, example in found_examples(asked("lucky-lucky-wa"), wanted, best_decider(asked("lucky-lucky-wa"))).items():
        settings = edition.settings()
        for made in range(len(example.choices)):
            request = Request(
                example.tape, example.choices[:made], wanted[place].bets, settings, edition.game.encode(settings), asks=True,
                offered=edition.offered,
            )  # fmt: skip
            with pytest.raises(MissingChoice) as missing:
                edition.game.play(request)
            assert by_chart(request, missing.value) == example.choices[made]


def test_examples_of_a_game_with_a_solver_fold_no_hand_that_is_better_played():
    duki = asked("duki-4-wa")
    decider, wanted = best_decider(duki), list(_wanted(duki))
    loses = found_examples(duki, wanted, decider)[1]
    assert loses.choices == ("fold",)
    best = choices(duki.edition, duki.settings, loses.tape[:4])[0]
    assert best.name == "fold"


def test_examples_show_cards_steps_with_clauses_and_payments():
    rules = submission("ez-baccarat-wa").data["sections"][1]
    examples = [
        panel for block in rules["blocks"] if block["block"] == "panels" for column in block["columns"] for panel in column
    ]
    dragon = next(panel for panel in examples if panel["title"].endswith("Dragon 7 wins"))
    kinds = [block["block"] for block in dragon["blocks"]]
    assert kinds == ["cards", "paragraph", "list", "table"]
    assert all(any("clause" in run for run in item if isinstance(run, dict)) for item in dragon["blocks"][2]["items"])


@pytest.mark.parametrize("outside", ["casino-war", "dragon-tiger"])
def test_outside_games_have_one_that_says_what_they_do_not_offer(outside, monkeypatch):
    monkeypatch.setenv("HOUSEWAY_GAMES", str(EXAMPLES))
    made = Rulebook.open(outside).report("submission", on=DAY)
    assert verify_pdf(made.pdf()).holds
    assert "comes without protection" in words_in(made.data["sections"][7])
    assert "not worked out" in words_in(made.data["sections"][8])


def test_an_edition_of_ones_own_says_that_nobody_approved_it(tmp_path):
    text = edition_files()["ez-baccarat-ca"].read_text().replace('"ez-baccarat-ca"', '"own"', 1).replace("40 to 1", "35 to 1")
    (tmp_path / "own.toml").write_text(text)
    made = Rulebook.open(str(tmp_path / "own.toml")).report("submission", on=DAY)
    assert exact(made, "odds.dragon-7.all.edge") > exact(submission("ez-baccarat-ca"), "odds.dragon-7.all.edge")
    assert "No published figures" in words_in(made.data["sections"][9])
    assert "nobody has approved" in words_in(made.data["sections"][0])


def test_a_changed_digit_is_named():
    made = submission("ez-baccarat-ca")
    shown = made.figures["summary.tie.edge"]["shown"]
    data = json.loads(made.json())
    data["figures"]["summary.tie.edge"]["shown"] = shown.replace("14.", "13.", 1)
    findings = verify_pdf(pdf_of(data)).findings
    assert len(findings) == 1 and findings[0].startswith("figure summary.tie.edge: 13.")


def test_exposure_at_the_tables_own_limits():
    made = Rulebook.open("lucky-lucky-wa").report("submission", on=DAY, limit="lucky-lucky=5-100")
    assert made.figures["exposure.lucky-lucky.hand"]["shown"] == "$20,000"
    assert made.figures["exposure.lucky-lucky.aggregate"]["shown"] == "$5,000"
    assert made.figures["exposure.cash.all"]["exact"] == str(100_000 + 2_000_000)


def test_progress_rises_and_a_stop_leaves_nothing(tmp_path, monkeypatch, run):
    told = []
    Rulebook.open("ez-baccarat-ca").report("submission", on=DAY, progress=lambda done, total: told.append(done / total))
    assert told == sorted(told) and len(told) >= len(SECTIONS) and max(told) <= 1

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("houseway.report.par_sheets.summary", stop)
    monkeypatch.setattr("houseway.report.submission.summary", stop)
    assert run("report", "submission", "ez-baccarat-ca", "-o", tmp_path / "s.pdf")[0] == 130
    assert list(tmp_path.iterdir()) == []


def test_pages_have_headings_with_what_they_head():
    """No page ends with a heading."""
    reader = PdfReader(io.BytesIO(submission("ez-baccarat-ca").pdf()))
    headings = {title.replace("  ", " ") for title in SECTIONS}
    for page in reader.pages:
        lines = [line.strip() for line in page.extract_text().splitlines() if line.strip()]
        before_foot = [line for line in lines if "page " not in line and "· rules" not in line]
        assert before_foot[-1] not in headings


def test_a_submission_of_some_wagers_has_their_published_figures_only():
    data = Rulebook.open("ez-baccarat-wa").report("submission", on="2026-03-01", offered="player,banker,tie").data
    assert "summary.tie.edge" in data["figures"]
    assert "method.dealt.tie.return" in data["figures"]
    own = ("summary.dragon-7.", "odds.dragon-7.", "method.dealt.dragon-7.", "wagers.dragon-7.")
    assert not any(id_.startswith(own) for id_ in data["figures"])
