"""Simulations and protection over HTTP: the shell's own tallies, plain bounds, and nobody at a table is kept waiting."""

import base64
import io
import json
import os
import shlex
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from secrets import randbelow
from typing import Any

import httpx
import pytest
from houses import BOUNDLESS, PATIENCE, Served, run_apart, serving
from programs import API, program, until
from pyarrow import parquet

from houseway.games import open_edition
from houseway.refusal import Refused
from houseway.table.bound import as_text
from houseway.web.lab_questions import QUESTIONS, Bounds, Kind, ProtectAsked, SimulateAsked, command_of
from houseway.web.lab_worker import NICE, work
from houseway.web.works import Works, all_said

BACCARAT, DUKI, LUCKY = "ez-baccarat-wa", "duki-4-wa", "lucky-lucky-wa"
DRAGON = {"wager": "dragon-7", "count": "0,0,0,-1,-1,-1,-1,2,2,0", "trigger": "4", "cut": 14}
HI_LO = "-1,1,1,1,1,1,0,0,0,-1"
ENDLESS = {"shoes": 100_000_000, "seed": randbelow(1 << 31)}
"""As much as a reader may ask for: whoever is asked for it is still at it when the test looks. What is dealt of it is kept, and
so nobody has asked for these shoes before."""
Event = tuple[str, dict[str, Any]]
Shell = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("runs")
    limits = replace(BOUNDLESS, simulations=10_000, simulation_seconds=10 * PATIENCE)
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key", limits=limits) as made:
        yield made


def _url(house: str, edition: str, kind: str) -> str:
    return f"{house}{API}/editions/{edition}/{kind}/stream"


def _events(answer: httpx.Response) -> Iterator[Event]:
    kind = ""
    for line in answer.iter_lines():
        if line.startswith("event: "):
            kind = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield kind, json.loads(line.removeprefix("data: "))


def _all(house: Served, edition: str, kind: str, asked: dict[str, Any], headers: dict[str, str] | None = None) -> list[Event]:
    with httpx.stream("POST", _url(house.url, edition, kind), json=asked, headers=headers, timeout=10 * PATIENCE) as answer:
        if answer.status_code != 200:
            answer.read()
            raise AssertionError(answer.text)
        assert answer.headers["content-type"].startswith("text/event-stream")
        return list(_events(answer))


def _whole(events: list[Event]) -> dict[str, Any]:
    """The answer to all that was asked; the events before it and after it are as they should be."""
    assert events[-1] == ("end", {"why": "done", "words": ""})
    answers = [content for kind, content in events if kind == "answer"]
    assert [answer["whole"] for answer in answers] == [False] * (len(answers) - 1) + [True]
    for kind, content in events:
        assert kind in {"progress", "answer", "end"}
        assert kind != "progress" or 0 < content["done"] <= content["total"]
    return answers[-1]


def _shell(run: Shell, command: str) -> dict[str, Any]:
    """What the command that is shown prints."""
    name, *arguments = shlex.split(command)
    assert name == "houseway"
    code, printed, complaint = run(*arguments, "--format", "json")
    assert code == 0, complaint
    return json.loads(printed)  # type: ignore[no-any-return]


# The same as in the shell


@pytest.mark.parametrize(("edition", "asked"), [
    (BACCARAT, {"rounds": 30_000, "seed": 5}),
    (BACCARAT, {"shoes": 300, "cut": 14, "burn": "value", "extra": 1, "settings": {"decks": "6"}}),
    (BACCARAT, {"rounds": 5_000, "shuffler": True, "settings": {"decks": "3"}, "what_if": True}),
    (BACCARAT, {"rounds": 20_000, "session": 100, "bets": ["banker=25,dragon-7=5", "player=10"], "bank": "2000"}),
    (LUCKY, {"shoes": 200, "seats": 3, "seed": 9}),
    (LUCKY, {"shoes": 50, "player": "best"}),
    (DUKI, {"rounds": 300}),
])  # fmt: skip
def test_the_same_seed_gives_the_tallies_of_the_shell(house: Served, run: Shell, edition: str, asked: dict[str, Any]) -> None:
    answer = _whole(_all(house, edition, "simulate", asked))
    assert answer["data"] == _shell(run, answer["command"])
    assert bool(answer["what_if"]) == bool(asked.get("what_if"))


@pytest.mark.parametrize(("edition", "asked"), [
    (BACCARAT, DRAGON | {"shoes": 3_000, "exact_shoes": 20, "burn": "value", "burn_shown": True, "hour": 60, "bet": "50"}),
    (BACCARAT, {"wager": "panda-8", "shoes": 1_000, "exact_shoes": 20, "divisor": "decks", "tolerate": "0"}),
    (BACCARAT, DRAGON | {"count": "1,0,0,-1,-1,-1,-1,2,2,0", "start": "-32", "trigger": "0", "shoes": 999, "exact_shoes": 20}),
    (DUKI, {"wager": "ante", "seen": "card", "bet": "100"}),
    (BACCARAT, DRAGON | {"trigger": "", "spread": "2:1,4:3", "shoes": 800, "exact_shoes": 20}),
    (LUCKY, {"wager": "blackjack", "count": HI_LO, "spread": "1,1:2,2:8", "play": "chart", "shoes": 600, "exact_shoes": 2}),
    (LUCKY, {"wager": "lucky-lucky", "count": HI_LO, "trigger": "3", "main_count": HI_LO, "main_spread": "1,2:4",
             "play": "chart", "shoes": 600, "exact_shoes": 20}),
])  # fmt: skip
def test_what_a_counter_wins_is_what_the_shell_says(house: Served, run: Shell, edition: str, asked: dict[str, Any]) -> None:
    answer = _whole(_all(house, edition, "protect", asked))
    assert answer["data"] == _shell(run, answer["command"])
    assert answer["data"]["verdict"]


def test_published_figures_are_held_against_every_convention_as_in_the_shell(house: Served, run: Shell) -> None:
    events = _all(house, BACCARAT, "protect", {"wager": "panda-8", "published": True, "shoes": 820, "seed": 3})
    answers = [content for kind, content in events if kind == "answer"]
    assert [answer["data"]["shoes"] for answer in answers] == [100, 102, 820]
    for answer in (answers[0], _whole(events)):
        assert answer["data"] == _shell(run, answer["command"])
    assert answers[-1]["command"] == "houseway protect ez-baccarat-wa --seed 3 --wager panda-8 --shoes 820 --published"


def test_what_is_told_on_the_way_is_what_its_command_gives(house: Served, run: Shell) -> None:
    """Whoever stops keeps the first shoes: the command that he is shown deals just these, to the last integer."""
    with httpx.stream("POST", _url(house.url, BACCARAT, "simulate"), json=ENDLESS, timeout=10 * PATIENCE) as answer:
        told = next(content for kind, content in _events(answer) if kind == "answer")
    assert not told["whole"]
    assert "--shoes" in told["command"]
    assert 0 < told["data"]["shoes"] < ENDLESS["shoes"]
    assert told["data"] == _shell(run, told["command"])


def test_what_was_stopped_goes_on_for_whoever_asks_the_same(house: Served, run: Shell) -> None:
    """The house keeps what is done, and names it by the question alone: nobody can hand it a tally of his own."""
    asked, told = ENDLESS | {"seed": ENDLESS["seed"] + 1}, list[dict[str, Any]]()
    for _ in range(2):
        with httpx.stream("POST", _url(house.url, BACCARAT, "simulate"), json=asked, timeout=10 * PATIENCE) as answer:
            events = _events(answer)
            _, first = next((kind, content) for kind, content in events if kind == "progress")
            told.append(next(content for kind, content in events if kind == "answer"))
        assert first["done"] >= (told[-2]["data"]["rounds"] if len(told) > 1 else 0)
    assert told[0]["data"]["shoes"] < told[1]["data"]["shoes"]
    assert told[1]["data"] == _shell(run, told[1]["command"]), "as if nobody had stopped it"


def test_a_count_that_was_stopped_goes_on_to_the_same_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = open_edition(BACCARAT)
    given = QUESTIONS["protect"].model_validate(DRAGON | {"shoes": 24_000, "exact_shoes": 20})
    question = {"kind": "protect", "document": as_text(opened.document), "digest": "", "asked": given.model_dump()}

    def answers(stop_at: int | None = None) -> list[dict[str, Any]]:
        told: list[dict[str, Any]] = []

        def say(message: dict[str, Any]) -> None:
            told.append(message)
            if stop_at is not None and "progress" in message and message["progress"]["done"] > stop_at:
                raise KeyboardInterrupt

        monkeypatch.setattr("houseway.web.lab_worker.Teller.progress", lambda teller, done, total: teller.say(
            {"progress": {"done": done, "total": total}}))  # fmt: skip
        with suppress(KeyboardInterrupt):
            work(question, say)
        return told

    monkeypatch.setattr("houseway.chunks.done.kept_folder", lambda: tmp_path / "apart")
    at_once = answers()
    monkeypatch.setattr("houseway.chunks.done.kept_folder", lambda: tmp_path)
    stopped = answers(at_once[-2]["progress"]["total"] * 2 // 3)
    assert not any(message.get("answer", {}).get("whole") for message in stopped)
    gone_on = answers()
    assert gone_on[-1] == at_once[-1]
    assert gone_on[-1]["answer"]["whole"]
    assert len(gone_on) < len(at_once), "what was watched is not watched again"


def test_a_session_that_is_stopped_is_what_its_command_gives(house: Served, run: Shell) -> None:
    asked = {"rounds": 100_000_000, "session": 50, "bankroll": "200"}
    with httpx.stream("POST", _url(house.url, BACCARAT, "simulate"), json=asked, timeout=10 * PATIENCE) as answer:
        told = next(content for kind, content in _events(answer) if kind == "answer")
    assert not told["whole"]
    assert told["data"] == _shell(run, told["command"])


def test_a_counter_is_told_after_a_part_of_the_shoes(house: Served, run: Shell) -> None:
    events = _all(house, BACCARAT, "protect", DRAGON | {"shoes": 6_400, "exact_shoes": 160})
    first, *_, last = [content for kind, content in events if kind == "answer"]
    assert (first["whole"], first["data"]["shoes"], last["data"]["shoes"]) == (False, 500, 6_400)
    assert first["data"] == _shell(run, first["command"])
    assert last == _whole(events)


def test_the_files_are_those_of_the_shell(house: Served, run: Shell, tmp_path: Path) -> None:
    answer = _whole(_all(house, BACCARAT, "simulate", {"shoes": 50, "seed": 3}))
    assert set(answer["files"]) == {".csv", ".svg", ".txt", ".parquet"}
    for ending in (".csv", ".svg"):
        file = tmp_path / f"dealt{ending}"
        assert run(*shlex.split(answer["command"])[1:], "--out", file)[0] == 0
        assert file.read_text(encoding="utf-8") == answer["files"][ending]


def test_parquet_holds_the_rows(house: Served) -> None:
    answer = _whole(_all(house, BACCARAT, "simulate", {"shoes": 50, "seed": 3}))
    rows = parquet.read_table(io.BytesIO(base64.b64decode(answer["files"][".parquet"]))).to_pylist()
    hits = {(wager["wager"], each["outcome"]): each["hits"] for wager in answer["data"]["wagers"] for each in wager["outcomes"]}
    assert {(row["wager"], row["outcome"]): row["hits"] for row in rows} == hits


def test_a_command_needs_nobody_to_deal(house: Served) -> None:
    asked = {"rounds": 5, "bets": ["player=5", "tie=1"], "settings": {"decks": "6"}, "burn": "value", "shuffler": True}
    answer = httpx.post(f"{house.url}{API}/editions/{BACCARAT}/simulate/command", json=asked, timeout=PATIENCE)
    assert answer.json() == {
        "command": f"houseway simulate {BACCARAT} --set decks=6 --burn value --rounds 5 --bets player=5 --bets tie=1 --shuffler"
    }
    spreads = {"wager": "lucky-lucky", "spread": "1,2:2", "play": "chart", "main_count": HI_LO, "main_spread": "1,1:4"}
    answer = httpx.post(f"{house.url}{API}/editions/{LUCKY}/protect/command", json=spreads, timeout=PATIENCE)
    assert answer.json() == {
        "command": f"houseway protect {LUCKY} --wager lucky-lucky --spread 1,2:2 --play chart --main-count {HI_LO} "
        "--main-spread 1,1:4"
    }
    answer = httpx.post(f"{house.url}{API}/editions/{BACCARAT}/protect/command", json=DRAGON, timeout=PATIENCE)
    assert answer.json() == {
        "command": f"houseway protect {BACCARAT} --cut 14 --wager dragon-7 --count {DRAGON['count']} --trigger 4"
    }


# What is refused


REFUSED: list[tuple[str, Kind, dict[str, Any], str]] = [
    (BACCARAT, "simulate", {"rounds": 0}, "0 rounds cannot be dealt: give a number from 1 on"),
    (BACCARAT, "simulate", {"shoes": -5}, "-5 shoes cannot be dealt: give a number from 1 on"),
    (BACCARAT, "simulate", {}, "say how much is to be dealt: rounds or shoes, one of them and at least 1"),
    (BACCARAT, "simulate", {"rounds": 5, "shoes": 5}, "say how much is to be dealt: rounds or shoes"),
    (BACCARAT, "simulate", {"rounds": 10**12}, "than is dealt here at once: at most 100,000,000 (for the staff 1,000,000,000)"),
    (BACCARAT, "simulate", {"rounds": 9, "cut": 500}, "500 cards behind the cut card are not possible: the shoe has 416"),
    (BACCARAT, "simulate", {"rounds": 9, "cut": -1}, "cards behind the cut card are not possible"),
    (BACCARAT, "simulate", {"rounds": 9, "burn": "some"}, 'burn "some" is not possible: a number of cards, or value'),
    (BACCARAT, "simulate", {"rounds": 9, "seats": 99}, "99 seats are not possible"),
    (BACCARAT, "simulate", {"rounds": 9, "engine": "dask"}, 'engine "dask" is not offered here (possible: threads)'),
    (BACCARAT, "simulate", {"rounds": 9, "engine": "abacus"}, 'engine "abacus" is not offered here (possible: threads)'),
    (BACCARAT, "simulate", {"rounds": 9, "player": "best"}, "leaves the player nothing to decide"),
    (BACCARAT, "simulate", {"rounds": 9, "bets": ["dragon=5"]}, 'unknown wager "dragon"'),
    (BACCARAT, "simulate", {"rounds": 9, "session": -1}, "sessions of -1 rounds are not possible"),
    (BACCARAT, "simulate", {"shoes": 9, "session": 5}, "sessions are counted in rounds: give rounds, not shoes"),
    (BACCARAT, "simulate", {"rounds": 9, "bankroll": "100"}, "say of how many rounds (session)"),
    (BACCARAT, "simulate", {"rounds": 9, "session": 5, "bank": "much"}, 'bank: "much" is not an amount'),
    (BACCARAT, "simulate", {"rounds": 9, "settings": {"decks": "5"}}, "outside the approval"),
    (BACCARAT, "simulate", {"rounds": 9, "settings": {"scheduler": "tcp://elsewhere:1"}}, "scheduler"),
    (LUCKY, "simulate", {"rounds": 9, "player": "/etc/passwd.toml"}, 'unknown player "/etc/passwd.toml"'),
    ("ez-pai-gow-wa", "simulate", {"rounds": 9, "player": "house-way /etc/x.toml"}, 'unknown player "/etc/x.toml"'),
    (BACCARAT, "protect", DRAGON | {"count": "1,2,3"}, "3 tags"),
    (BACCARAT, "protect", DRAGON | {"count": "J=1"}, "J"),
    (BACCARAT, "protect", {"wager": "dragon-7", "trigger": "4"}, "goes with a count: give its tags (count), or neither"),
    (BACCARAT, "protect", DRAGON | {"trigger": "soon"}, "soon"),
    (BACCARAT, "protect", DRAGON | {"cut": 500}, "500"),
    (BACCARAT, "protect", DRAGON | {"shoes": 0}, "shoes 0 is not possible: give a number from 1 on"),
    (BACCARAT, "protect", DRAGON | {"shoes": 10**9}, "more than is dealt here at once: at most 2,000,000"),
    (BACCARAT, "protect", DRAGON | {"divisor": "cubits"}, 'unknown divisor "cubits"'),
    (BACCARAT, "protect", DRAGON | {"players": 99}, "99 seats are not possible"),
    (BACCARAT, "protect", DRAGON | {"hour": 0}, "0 decisions an hour are not possible"),
    (BACCARAT, "protect", DRAGON | {"bet": "1000000"}, "a bet on dragon-7 is"),
    (BACCARAT, "protect", DRAGON | {"seen": "card"}, "a question of its own"),
    (BACCARAT, "protect", DRAGON | {"published": True}, "published is a question of its own: leave count, trigger out"),
    (BACCARAT, "protect", {"wager": "tie", "published": True}, "no published count of tie is known here (known: dragon-7"),
    (BACCARAT, "protect", {"wager": "dragon-7", "published": True, "shoes": 9}, "9 shoes say nothing about conventions"),
    (BACCARAT, "protect", {"wager": "dragon-7", "published": True, "shoes": 10**6}, "dealt here at once: at most 5,000"),
    (BACCARAT, "protect", DRAGON | {"spread": "1,2:2"}, "from which count on one bets: leave the trigger out"),
    (BACCARAT, "protect", {"wager": "dragon-7", "spread": "many"}, 'the spread makes no sense: "many" is not COUNT:UNITS'),
    (BACCARAT, "protect", {"wager": "dragon-7", "main_count": HI_LO}, "give both (main-count, main-spread)"),
    (BACCARAT, "protect", DRAGON | {"play": "chart"}, "nothing is decided in dragon-7 by a count here: leave play out"),
    (LUCKY, "protect", {"wager": "blackjack", "main_count": HI_LO, "main_spread": "1"}, "no main bet lies beside blackjack"),
    (LUCKY, "protect", {"wager": "blackjack", "play": "/etc/passwd"}, 'play "/etc/passwd" is not offered here (possible'),
    (LUCKY, "protect", {"wager": "blackjack", "play": "chart.csv"}, "(possible: indices, chart); the shell reads charts"),
    (DUKI, "protect", {"wager": "ante", "seen": "card", "spread": "1"}, "seen is a question of its own: leave spread out"),
    (BACCARAT, "protect", {"wager": "dragon"}, 'unknown wager "dragon"'),
    (DUKI, "protect", {"wager": "ante"}, "every round has a deck of its own"),
    (DUKI, "protect", {"wager": "ante", "seen": "everything"}, 'unknown way to see cards "everything"'),
    ("ez-bingo", "simulate", {"rounds": 9}, 'unknown edition "ez-bingo"'),
]  # fmt: skip


def _refused(edition: str, kind: Kind, asked: dict[str, Any]) -> str:
    """Why a question is refused: at once, or by whoever is to deal."""
    said: list[dict[str, Any]] = []
    given = QUESTIONS[kind].model_validate(asked)
    try:
        opened = open_edition(edition)
        given.check(opened, Bounds(60))
        question = {"kind": kind, "document": as_text(opened.document), "digest": "", "asked": given.model_dump()}
        work(question, said.append)
    except Refused as refused:
        return refused.message
    assert len(said) == 1, said
    return str(said[0]["refused"]["message"])


@pytest.mark.parametrize(("edition", "kind", "asked", "words"), REFUSED)
def test_what_cannot_be_asked_is_refused_in_one_line(edition: str, kind: Kind, asked: dict[str, Any], words: str) -> None:
    message = _refused(edition, kind, asked)
    assert words in message
    assert "\n" not in message
    assert "--" not in message, "fields are no options"


@pytest.mark.parametrize(("edition", "kind", "asked", "words"), [REFUSED[0], REFUSED[2], REFUSED[5], REFUSED[-3], REFUSED[-1]])
def test_a_refusal_is_an_answer(house: Served, edition: str, kind: Kind, asked: dict[str, Any], words: str) -> None:
    answer = httpx.post(_url(house.url, edition, kind), json=asked, timeout=10 * PATIENCE)
    assert answer.status_code == 400, answer.text
    assert words in answer.json()["message"]
    assert not house.app.state.works.under_way, "nothing is left of it"


@pytest.mark.parametrize(
    "asked", [{"rounds": "many"}, {"rounds": 9, "scheduler": "tcp://elsewhere:1"}, {"seed": -1, "rounds": 9}, []]
)
def test_what_the_document_does_not_describe_is_refused(house: Served, asked: Any) -> None:
    answer = httpx.post(_url(house.url, BACCARAT, "simulate"), json=asked, timeout=PATIENCE)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-request")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"rounds": "many"}, "rounds: a whole number is required"),
        ({"rounds": 1.5}, "rounds: a whole number is required"),
        ({"rounds": 9, "seed": "lucky"}, "seed: a whole number is required"),
        ({"rounds": 9, "seed": -1}, "seed: give a number from 0"),
        ({"rounds": 9, "scheduler": "tcp://elsewhere:1"}, "scheduler: nothing of this name is known here"),
    ],
)
def test_nonsense_in_a_field_is_told_in_our_words(house: Served, asked: Any, words: str) -> None:
    answer = httpx.post(_url(house.url, BACCARAT, "simulate"), json=asked, timeout=PATIENCE)
    assert (answer.status_code, answer.json()["message"]) == (422, words)


# What can be asked


def test_every_edition_says_what_can_be_asked(house: Served) -> None:
    for edition in httpx.get(f"{house.url}{API}/editions", params={"names": True}, timeout=PATIENCE).json():
        simulate, protect = (
            httpx.get(f"{house.url}{API}/editions/{edition['id']}/{kind}", timeout=PATIENCE).json()
            for kind in ("simulate", "protect")
        )
        assert simulate["wagers"]
        assert simulate["bounds"]["most"] == 100_000_000
        assert protect["why_not"] or not protect["why_no_count"] or protect["seen"], (
            "something can be asked, or it says why not"
        )
        SimulateAsked(rounds=1, bets=[simulate["bets"]]).check(open_edition(edition["id"]), Bounds(60))


def test_what_is_offered_is_what_the_game_has(house: Served) -> None:
    """Hands that a count decides, main bets beside a side bet, published figures: each where there is such a thing."""
    offered = {
        edition: httpx.get(f"{house.url}{API}/editions/{edition}/protect", timeout=PATIENCE).json()
        for edition in (BACCARAT, LUCKY, DUKI)
    }
    assert {edition: (each["plays"], each["decided"]) for edition, each in offered.items()} == {
        BACCARAT: ([], []), LUCKY: (["indices", "chart"], ["blackjack"]), DUKI: ([], []),
    }  # fmt: skip
    assert offered[BACCARAT]["beside"]["dragon-7"] == ["player", "banker"]
    assert offered[LUCKY]["beside"] == {"lucky-lucky": ["blackjack"]}
    assert offered[DUKI]["beside"] == {}
    assert [bool(each["counts"]) for each in offered.values()] == [True, False, False]


def test_the_staff_may_ask_for_more_and_readers_are_told_how_much(house: Served) -> None:
    path = f"{API}/editions/{BACCARAT}/simulate"
    anybody, guest, dealer = (
        who.get(path).json()["bounds"] for who in (house.anybody(), house.guest("Ann"), house.staff("dealer"))
    )
    assert anybody == guest
    assert anybody["words"].startswith("At most 100,000,000 rounds and 600 seconds here; what is done by then is shown.")
    assert (dealer["most"], dealer["seconds"]) == (10 * anybody["most"], 10 * anybody["seconds"])


# Apart from the tables


def _under_way(house: Served) -> list[int]:
    works: Works = house.app.state.works
    return [work._process.pid for work in works.under_way if work._process]


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except OSError:
        return False


def test_a_work_is_a_process_apart_behind_all_others_and_ends_with_its_reader(house: Served) -> None:
    until(lambda: not house.app.state.works.under_way)  # of readers who have just left
    with httpx.stream("POST", _url(house.url, BACCARAT, "simulate"), json=ENDLESS, timeout=10 * PATIENCE) as answer:
        events = _events(answer)
        assert next(events)[0] == "progress"
        (pid,) = _under_way(house)
        assert pid != os.getpid()
        assert os.getpriority(os.PRIO_PROCESS, pid) >= min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICE)
        assert len(os.sched_getaffinity(pid)) <= -(-len(os.sched_getaffinity(0)) // 2)
        assert Path(f"/proc/{pid}/oom_score_adj").read_text().strip() == "1000", "no table goes for its memory"
    until(lambda: not _runs(pid))
    until(lambda: not house.app.state.works.under_way)


def test_who_leaves_while_he_waits_leaves_nothing_under_way(house: Served) -> None:
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(_url(house.url, BACCARAT, "simulate"), json=ENDLESS, timeout=httpx.Timeout(PATIENCE, read=0.01))
    until(lambda: not house.app.state.works.under_way)


def test_one_reader_has_one_and_all_together_have_few(tmp_path: Path) -> None:
    limits = replace(BOUNDLESS, simulation_seconds=10 * PATIENCE)
    with serving(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "key", limits=limits) as house:
        url = _url(house.url, BACCARAT, "simulate")
        with httpx.stream("POST", url, json=ENDLESS, timeout=10 * PATIENCE) as first:
            events = _events(first)
            assert next(events)[0] == "progress"
            second = httpx.post(url, json=ENDLESS, timeout=PATIENCE)
            assert (second.status_code, second.json()["code"]) == (429, "too-many-heavy")
            assert second.json()["message"].startswith("1 simulation at a time may be under way at one address")
            assert int(second.headers["retry-after"]) > 0
            elsewhere = httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2"), timeout=10 * PATIENCE)
            with elsewhere, elsewhere.stream("POST", url, json={"shoes": 10}) as other:
                assert [kind for kind, _ in _events(other)][-1] == "end", "another reader has one of his own"
        until(lambda: not house.app.state.works.under_way)
        assert _whole(_all(house, BACCARAT, "simulate", {"shoes": 10})), "and then one may again"


def test_works_wait_for_their_turn_and_too_many_are_refused() -> None:
    async def ask_for_many() -> None:
        works = Works(for_each=1, at_once=1, waiting=1)
        first, second = works.ask("a", {}, 60), works.ask("b", {}, 60)
        assert works.under_way == {first}
        with pytest.raises(Refused, match="1 simulations wait already") as refused:
            works.ask("c", {}, 60)
        assert refused.value.code == "busy-now"
        first.close()
        assert works.under_way == {second}
        works.close()
        assert not works.under_way
        assert works.held.take("a")
        assert works.held.take("c")

    run_apart(ask_for_many())


def test_who_waits_is_told_his_place_and_when_it_changes() -> None:
    async def wait_in_line() -> None:
        works = Works(for_each=1, at_once=1, waiting=4)
        first, second, third = (works.ask(client, {}, 60) for client in "abc")
        assert [works.place(work) for work in (first, second, third)] == [0, 1, 2]
        said = all_said(third, {}, lambda: False, lambda: works.place(third))
        assert await anext(said) == ("queue", {"place": 2})
        second.close()
        assert await anext(said) == ("queue", {"place": 1})
        first.close()
        assert await anext(said) == ("queue", {"place": 0}), "its turn has come"
        works.close()
        await said.aclose()

    run_apart(wait_in_line())


def test_what_is_refused_after_it_waited_is_an_event() -> None:
    async def be_refused() -> list[Event]:
        works = Works(for_each=1)
        work, refused = works.ask("a", {}, 60), {"code": "bad-hand", "message": "no such hand"}
        work.close()
        return [event async for event in all_said(work, {"refused": refused}, lambda: False, lambda: 0)]

    assert run_apart(be_refused()) == [("refused", {"code": "bad-hand", "message": "no such hand"})]


def test_time_is_up_and_that_is_said(tmp_path: Path) -> None:
    limits = replace(BOUNDLESS, simulation_seconds=0)
    with serving(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "key", limits=limits) as house:
        kind, content = _all(house, BACCARAT, "simulate", ENDLESS)[-1]
        until(lambda: not house.app.state.works.under_way)
    assert (kind, content["why"]) == ("end", "time")
    assert content["words"].startswith("Ended after 0 seconds, the most that it may take here")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_house_that_ends_leaves_no_work_behind(tmp_path: Path, number: signal.Signals) -> None:
    with program(tmp_path) as served:
        with httpx.stream("POST", _url(served.url, BACCARAT, "simulate"), json=ENDLESS, timeout=10 * PATIENCE) as answer:
            events = _events(answer)  # whoever lets go of them hangs up
            assert next(events)[0] == "progress"
            assert len(served.left()) == 2
            os.kill(served.process.pid, number)
            assert served.process.wait(PATIENCE) == (0 if number is signal.SIGTERM else -number)
            until(lambda: not served.left())
        assert "Traceback" not in "".join(served.said)


def test_a_command_says_all_that_was_asked() -> None:
    asked = ProtectAsked(wager="a wager", count="1,2", burn_shown=True, exact_shoes=7, tolerate="5")
    assert command_of("protect", "x", asked) == (
        "houseway protect x --wager 'a wager' --count 1,2 --burn-shown --exact-shoes 7 --tolerate 5"
    )
