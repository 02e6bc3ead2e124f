"""`houseway simulate`: what it prints, what it writes, what it refuses, and that a stopped one goes on."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

from houseway.api import Rulebook
from houseway.games import open_edition
from houseway.games.ez_baccarat import rules
from houseway.games.ez_baccarat.game import OUTCOMES
from houseway.kernels.compiled import apart, cache_folder
from houseway.kernels.rounds import DRAWDOWN, HIGHEST, LOWEST
from houseway.kernels.shoes import draw, draw_if, fresh_classes, next_class_round, running_sums
from houseway.simulate import question
from houseway.simulate.by_play import PlayDealer
from houseway.simulate.dealer import Opened
from houseway.simulate.question import Customs, ask
from houseway.simulate.report import Simulated
from houseway.table.state import CUT_PERCENT as LIVE_CUT

NAMES = ["edition", "digest", "settings", "seed", "engine", "rounds", "shoes", "wagers", "sessions"]
WAGER_NAMES = ["wager", "outcomes", "return", "standard_error", "exact", "z"]


@pytest.fixture(scope="module")
def book():
    return Rulebook.open("ez-baccarat-wa")


def test_json_has_the_names_that_others_script_against(data):
    told = data("simulate", "ez-baccarat-wa", "--rounds", "1e5", "--seed", "7")
    assert list(told)[: len(NAMES)] == NAMES
    assert [list(wager) for wager in told["wagers"]] == [WAGER_NAMES] * 5
    assert told["rounds"] >= 1e5 and told["seed"] == 7 and told["sessions"] is None
    for wager in told["wagers"]:
        assert sum(outcome["hits"] for outcome in wager["outcomes"]) == told["rounds"]
        assert wager["z"] == pytest.approx((wager["return"] - wager["exact"]) / wager["standard_error"])
        assert abs(wager["z"]) < 4


def test_returns_and_errors_are_those_of_the_hits(book):
    """Worked out again, from the hits and the pay table alone."""
    simulated = book.simulate(shoes=300, cut=14)
    for name, told in simulated.wagers.items():
        nets = {outcome: book.edition.pay(name, outcome, book.edition.settings()).net for outcome in told.hits}
        mean = sum(nets[outcome] * hits for outcome, hits in told.hits.items()) / Fraction(simulated.rounds)
        square = sum((nets[outcome] - mean) ** 2 * hits for outcome, hits in told.hits.items()) / Fraction(simulated.rounds)
        assert told.mean == mean
        assert told.standard_error == pytest.approx(float(square / simulated.rounds) ** 0.5)


def test_a_return_far_from_the_exact_one_is_flagged(book):
    fair = book.simulate(shoes=100).wagers["player"]
    assert not fair.is_flagged
    assert replace(fair, exact=fair.exact + Fraction(1, 5)).is_flagged


@apart
def literal_shoe(fresh, ahead, seed, number, cut, tape, tally):
    """A shoe dealt as the rules read, card by card, with branches; numbers of cards that are not drawn are passed over."""
    shoe = next_class_round(fresh_classes(fresh, seed, number), ahead)
    _, shoe = draw(shoe, ahead)
    while shoe.left > cut:
        shoe = next_class_round(shoe, ahead)
        for place in range(4):
            points, shoe = draw(shoe, ahead)
            tape[place] = 48 if points == 1 else 32 if points == 0 else 4 * (points - 2)
        player = (rules.points(tape[0]) + rules.points(tape[2])) % 10
        banker = (rules.points(tape[1]) + rules.points(tape[3])) % 10
        place = 4
        for who in range(2):
            _, player_draws, banker_draws = rules.draws(player, banker, rules.points(tape[4]))
            wanted = player_draws if who == 0 else banker_draws
            points, shoe = draw_if(shoe, ahead, 1 if wanted else 0)
            if wanted:
                tape[place] = 48 if points == 1 else 32 if points == 0 else 4 * (points - 2)
                place += 1
        tally[rules.resolve(tape, tape)] += 1


def test_compiled_rounds_are_those_of_the_rules_read_literally(book):
    simulated = book.simulate(shoes=500, cut=14, seed=11)
    tally, points = np.zeros(5, np.int64), (128, *[32] * 9)
    fresh = np.array([416, *running_sums(points)], np.int64)
    for number in range(500):
        literal_shoe(fresh, np.zeros(0, np.uint64), 11, number, 14, np.zeros(6, np.int64), tally)
    assert [simulated.wagers["tie"].hits[outcome.id] for outcome in OUTCOMES] == tally.tolist()


@pytest.mark.parametrize("edition", ["dragon-tiger", "casino-war"])
def test_a_game_without_a_simulator_is_dealt_through_its_readable_rules(run, monkeypatch, edition):
    monkeypatch.setenv("HOUSEWAY_GAMES", str(Path(__file__).parents[2] / "examples"))
    code, out, _ = run("simulate", edition, "--rounds", "2000", "--cut", "40", "--format", "json")
    told = json.loads(out)
    assert code == 0
    assert "slowly" in told["notes"][0] and told["rounds"] >= 2000
    assert any(wager["z"] is not None for wager in told["wagers"])
    assert all(abs(wager["z"]) < 4 for wager in told["wagers"] if wager["z"] is not None)


@pytest.mark.parametrize("edition", ["duki-4-wa", "ez-pai-gow-wa"])
def test_hands_that_are_decided_and_set_are_dealt_too(run, edition):
    told = json.loads(run("simulate", edition, "--rounds", "500", "--format", "json")[1])
    held = [wager["z"] for wager in told["wagers"] if wager["z"] is not None]
    assert told["rounds"] >= 500 and held and all(abs(z) < 4 for z in held)


def test_dice_hang_on_no_card():
    edition = open_edition("ez-pai-gow-wa")
    dealer = PlayDealer(Opened(ask(edition, edition.settings()), edition, edition.settings()))
    thrown = {number: [] for number in range(700)}
    dealer._round = lambda shoe: thrown[number].append((shoe.dice, shoe.cards[0]))  # type: ignore[method-assign]
    for number in thrown:
        list(dealer._rounds_of(number))
    dice, faces = [first[0] for first in thrown.values()], Counter(face for (face, _), *_ in thrown.values())
    assert sorted(faces) == list(range(1, edition.game.dealing.dice_sides + 1)) and min(faces.values()) > 60
    reds = Counter(face for face, card in dice if card & 3 in (1, 2))
    assert all(0.3 < reds[face] / faces[face] < 0.7 for face in faces)
    assert len({face for face, card in dice if card == dice[0][1]}) > 1, "one first card, one face"


def test_readable_rules_deal_what_compiled_ones_do(book):
    """Other cards, for whole cards are drawn otherwise than points: the shares agree."""
    asked = ask(book.edition, book.edition.settings(), cut=14)
    slow = PlayDealer(Opened(asked, book.edition, book.edition.settings()))
    hits = Counter()
    for _, results, rounds in slow.tells(slow.deal(0, 30)):
        hits[results[0].outcome] += rounds
    rounds = sum(hits.values())
    for outcome, share in {row.outcome: float(row.probability) for row in book.odds()["tie"].rows}.items():
        assert abs(hits[outcome] / rounds - share) < 4 * (share * (1 - share) / rounds) ** 0.5


def test_sessions_are_those_of_a_plain_walk(book):
    """One session a unit: its win, from the joint results, is where the spread has it."""
    one = book.simulate(rounds=200, session=200, bets=[{"banker": 2500, "tie": 500}], bankroll_cents=50_000)
    win = sum(one.opened.win_cents(0, results) * rounds for results, rounds in one.joint)
    assert one.sessions.spread(0) == [(win, 1)]
    assert one.sessions.win_range(99) == (win, win)
    assert one.data()["sessions"]["risk_of_ruin"]["bankroll"]["ruined"] in {0, 1}
    low, high = one.sessions.quantile(LOWEST, 0.5), one.sessions.quantile(HIGHEST, 0.5)
    assert low <= min(win, 0) and high >= max(win, 0) and one.sessions.quantile(DRAWDOWN, 0.5) >= high - win


def test_shoes_are_cut_and_burned_as_at_a_live_table():
    assert question.CUT_PERCENT == LIVE_CUT
    assert Customs(cut=104).burn == 1


def test_several_seats_share_the_rounds(book):
    bets = [{"player": 2500}, {"banker": 2500}]
    both = book.simulate(rounds=1000, session=100, bets=bets)
    assert isinstance(both, Simulated) and len(both.opened.question.seats) == 2
    assert both.sessions.staked_cents == 100 * 5000
    ties = {e.outcome: both.opened.win_cents(0, r) + both.opened.win_cents(1, r) for r, _ in both.joint for e in r[:1]}
    assert ties == {"player-win": 0, "panda-8": 0, "banker-win": 0, "dragon-7": -2500, "tie": 0}


@pytest.mark.parametrize("ending", ["json", "csv", "svg", "txt", "parquet"])
def test_a_file_is_what_its_ending_says(run, tmp_path, ending):
    file = tmp_path / f"dealt.{ending}"
    code, out, _ = run("simulate", "ez-baccarat-wa", "--rounds", "2e4", "--session", "200", "--out", file)
    assert (code, out) == (0, f"{file} written\n")
    if ending == "json":
        assert json.loads(file.read_text())["sessions"]["sessions"] == 100
    elif ending == "csv":
        rows = list(csv.DictReader(file.open()))
        assert len(rows) == 25 and {row["rounds"] for row in rows} == {"20000"}
    elif ending == "parquet":
        rows = parquet.read_table(file).to_pylist()
        assert sum(row["hits"] for row in rows if row["wager"] == "tie") == 20_000
    elif ending == "svg":
        assert file.read_text().startswith("<svg") and "20,000 rounds" in file.read_text()
    else:
        assert "house holds" in file.read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--rounds 0", r'--rounds "0" is not possible: a whole number.*at least 1'),
        ("--rounds -5", "is not possible"),
        ("--shoes 1.5", "is not possible: a whole number"),
        ("--shoes many", "not a whole number"),
        ("", "--rounds or --shoes"),
        ("--rounds 5 --shoes 5", "one of them"),
        ("--shoes 5 --cut 500", "500 cards behind the cut card are not possible: the shoe has 416"),
        ("--shoes 5 --cut 3", "too few: the last rounds may take 6"),
        ("--shoes 5 --cut 9 --extra 1", "too few: the last rounds may take 12"),
        ("--shoes 5 --engine gpu", "known: threads, dask, cuda"),
        ("--shoes 5 --engine cuda", r"houseway\[cuda\]"),
        ("--shoes 5 --scheduler tcp://x:1", "goes with --engine dask"),
        ("--shoes 5 --out odds.pdf", r"known: .json, .csv, .parquet"),
        ("--shoes 5 --player best", "nothing to decide"),
        ("--shoes 5 --seats 15", "possible: 1 to 14"),
        ("--shoes 5 --bankroll 100", "--session"),
        ("--shoes 5 --session 10", "give --rounds"),
        ("--shoes 5 --shuffler --cut 20", "no cut card"),
        ("--shoes 5 --seed -1", "possible: 0 to"),
        ("--shoes 5 --bets tie=0.10 --session 5", "outside the limits"),
        ("--shoes 5 --decks 7", "outside the approval"),
    ],
)
def test_what_cannot_be_dealt_is_refused_in_a_line(run, arguments, said):
    code, out, complaint = run("simulate", "ez-baccarat-wa", *arguments.split())
    assert (code, out) == (2, "")
    assert re.search(said, complaint) and len(complaint.splitlines()) == 1


@pytest.mark.parametrize(
    ("edition", "player", "known_as"),
    [
        ("lucky-lucky-wa", "best", "chart"),
        ("lucky-lucky-wa", "chart", "chart"),
        ("duki-4-wa", "best", "best"),
        ("duki-4-wa", "lines", "lines"),
        ("duki-4-wa", "line", "lines"),
        ("ez-pai-gow-wa", "house-way", "house-way"),
        ("ez-pai-gow-wa", "house-way plaza", "plaza"),
        ("ez-pai-gow-wa", "plaza", "plaza"),
    ],
)
def test_players_are_named_alike_for_every_game(run, edition, player, known_as):
    told = json.loads(run("simulate", edition, "--rounds", "2000", "--player", *player.split(), "--format", "json")[1])
    assert told["seats"] == [{"bets": {}, "player": known_as}]


@pytest.mark.parametrize(
    ("edition", "player", "said"),
    [
        ("ez-baccarat-wa", "best", "leaves the player nothing to decide: leave --player out"),
        ("ez-baccarat-ca", "lines", "leaves the player nothing to decide: leave --player out"),
        ("lucky-lucky-wa", "lines", "(known: chart, chart-insured, chart-even-money, mimic)"),
        ("lucky-lucky-wa", "house-way plaza", 'unknown player "house-way plaza"'),
        ("duki-4-wa", "chart", "(known: best, lines, every-duki, play, fold)"),
        ("duki-4-wa", "strategy.csv", 'unknown player "strategy.csv"'),
        ("ez-pai-gow-wa", "chart", "(known: house-way, plaza, foxwoods, mgm, stones, lines, best)"),
        ("ez-pai-gow-wa", "house-way golden", 'unknown player "golden"'),
        ("ez-pai-gow-wa", "best plaza", "a name comes after --player house-way only"),
    ],
)
def test_a_player_that_a_game_does_not_know_is_refused_in_a_line(run, edition, player, said):
    code, out, complaint = run("simulate", edition, "--rounds", "10", "--player", *player.split())
    assert (code, out) == (2, "") and len(complaint.splitlines()) == 1
    assert said in complaint


@pytest.mark.parametrize(
    ("edition", "seats"),
    [("ez-baccarat-wa", 14), ("ez-baccarat-ca", 14), ("lucky-lucky-wa", 7), ("duki-4-wa", 7), ("ez-pai-gow-wa", 6)],
)
def test_every_edition_is_dealt_to_all_its_seats_and_not_to_more(run, edition, seats):
    told = json.loads(run("simulate", edition, "--rounds", "2000", "--seats", seats, "--format", "json")[1])
    assert len(told["seats"]) == seats and told["rounds"] >= 2000
    code, _, complaint = run("simulate", edition, "--rounds", "10", "--seats", seats + 1)
    assert code == 2 and f"possible: 1 to {seats}" in complaint


@pytest.mark.parametrize(("module", "arguments"), [("distributed", "--engine dask"), ("pyarrow", "--out x.parquet")])
def test_what_is_not_installed_is_said_with_how_to_install_it(run, monkeypatch, module, arguments):
    monkeypatch.setitem(sys.modules, module, None)
    code, _, complaint = run("simulate", "ez-baccarat-wa", "--shoes", "5", *arguments.split())
    assert code == 2 and re.search(r'pip install "houseway\[(cluster|parquet)\]"', complaint)


def test_a_scheduler_that_does_not_answer_is_said(run, monkeypatch):
    monkeypatch.setattr("houseway.chunks.engines.SECONDS_TO_ANSWER", 1)
    code, _, complaint = run(
        "simulate", "ez-baccarat-wa", "--shoes", "5", "--engine", "dask", "--scheduler", "tcp://127.0.0.1:9"
    )
    assert code == 2 and "tcp://127.0.0.1:9 does not answer" in complaint


@pytest.mark.parametrize(
    ("sent", "engine"), [(signal.SIGINT, "threads"), (signal.SIGKILL, "threads"), (signal.SIGKILL, "dask")]
)
def test_a_stopped_program_goes_on_with_resume(tmp_path, sent, engine):
    """Ctrl-C, or kill -9: what is done by then is not done again, and the tallies are those of one go."""
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    (folder / cache_folder().name).symlink_to(cache_folder())  # compiled already
    own = {**os.environ, "HOUSEWAY_CACHE": str(folder)}
    started = [sys.executable, "-c", STARTED, "simulate", "ez-baccarat-wa", "--shoes", "250000", "--format", "json"]
    stopped = [sys.executable, "-c", TO_BE_STOPPED, *started[3:], "--engine", engine, "--workers", "2"]
    program = subprocess.Popen(stopped, env=own, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    while not any(folder.glob("results/*.done.npz")) and program.poll() is None:
        time.sleep(0.02)
    program.send_signal(sent)
    _, complaint = program.communicate()
    assert program.returncode == (130 if sent == signal.SIGINT else -sent), complaint
    if sent == signal.SIGINT:
        assert "--resume goes on" in complaint
    again = subprocess.run([*started, "--resume"], env=own, capture_output=True, text=True, check=True)
    whole = subprocess.run(started, env=own, capture_output=True, text=True, check=True)
    assert json.loads(again.stdout) == json.loads(whole.stdout)
    assert not list(folder.glob("results/*.done.npz"))


STARTED = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # tests may be run where nobody can press Ctrl-C
from houseway.chunks import carry_out, done
from houseway.cli.main import main
done.SECONDS_BETWEEN_SAVES = carry_out.SECONDS_OF_A_CHUNK = 0.05
main()
"""
TO_BE_STOPPED = STARTED.replace(
    "main()\n",
    """
def save_and_wait(self):  # until it is stopped, however late that is on a busy machine
    import time
    self.save()
    time.sleep(3600)

done.KeptDone.save_sometimes = save_and_wait
main()
""",
)
