"""The school over HTTP: exercises by their numbers, answers judged, progress that the browser or the house keeps, nonsense."""

from collections.abc import Iterator
from typing import Any

import pytest
from houses import Served, serving

from houseway.games import edition_files
from houseway.house.editions import built_in
from houseway.train.deals import lesson_of
from houseway.train.learning import exercise

API = "/api/v1/train"
EDITION = "ez-baccarat-wa"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("train")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key") as made:
        yield made


def asked(house: Served, path: str, **body: Any) -> Any:
    return house.must(house.anybody().post(f"{API}/{path}", json={"edition": EDITION} | body))


def refusal(house: Served, path: str, **body: Any) -> dict[str, str]:
    answer = house.anybody().post(f"{API}/{path}", json={"edition": EDITION} | body)
    assert answer.status_code in {400, 404, 422}, answer.text
    told: dict[str, str] = answer.json()
    assert "\n" not in told["message"]
    assert "Traceback" not in told["message"]
    return told


def right(kind: str, number: int, topic: str, edition: str = EDITION) -> dict[str, str]:
    """The answer that the rules say is right."""
    return exercise(lesson_of(built_in(edition)), kind, number, topic).right


def test_every_edition_and_every_kind_can_be_learned(house: Served) -> None:
    school = house.must(house.anybody().get(API))
    assert [edition["id"] for edition in school["editions"]] == list(edition_files())
    assert {"draw", "read", "results", "pay", "chips", "order"} <= {kind["name"] for kind in school["kinds"]}
    assert school["kept"] is False
    decks = next(setting for setting in school["editions"][2]["settings"] if setting["name"] == "decks")
    assert decks["approved"][0] == 8
    assert all(setting["kind"] != "reading" for edition in school["editions"] for setting in edition["settings"])


def test_an_exercise_is_the_same_each_time_and_says_nothing_of_its_answer(house: Served) -> None:
    first = asked(house, "exercise", kind="pay", number=7)
    assert asked(house, "exercise", kind="pay", number=7, topic=first["topic"]) == first
    assert {"accepted", "why", "right"} & first.keys() == set()
    assert all("accepted" not in ask for ask in first["asks"])
    assert asked(house, "exercise", kind="pay", number=8)["scene"] != first["scene"]


def test_an_answer_is_judged_and_explained_with_the_clauses_texts(house: Served) -> None:
    shown = asked(house, "exercise", kind="results", number=5)
    given = right("results", 5, shown["topic"])
    body = {"kind": "results", "number": 5, "topic": shown["topic"], "seconds": 4.0}
    judged = asked(house, "answer", **body, answer=given)
    assert judged["is_right"]
    assert judged["level"] != "new"
    assert judged["streak"] == 1
    assert judged["clauses"]["EZB-3b"].startswith("No natural")
    assert {reason["clause"] for reason in judged["why"]} >= {"EZB-3b", "EZB-5b"}
    name, said = next(iter(given.items()))
    wrong = given | {name: "loses" if said != "loses" else "wins"}
    judged = asked(house, "answer", **body, answer=wrong, progress=judged["progress"])
    assert not judged["is_right"]
    assert judged["streak"] == 0
    part = next(part for part in judged["parts"] if part["id"] == name)
    assert not part["is_right"]


def test_progress_travels_with_the_browser_and_is_read_for_its_form_alone(house: Served) -> None:
    first = asked(house, "next", kinds=["draw"])
    shown = first["exercise"]
    assert first["level"] == "new"
    about = {name: shown[name] for name in ("kind", "number", "topic")}
    judged = asked(house, "answer", **about, answer=right(shown["kind"], shown["number"], shown["topic"]), seconds=2)
    progress = judged["progress"]
    skills = asked(house, "skills", kinds=["draw"], progress=progress)
    mine = next(skill for skill in skills["skills"] if skill["topic"] == shown["topic"])
    assert (mine["asked"], mine["right"], skills["answers"]) == (1, 1, 1)
    assert all(skill["asked"] == 0 for skill in asked(house, "skills", kinds=["draw"])["skills"])  # nobody else's
    again = asked(house, "answer", **about, again=True, seconds=1, progress=progress,
                  answer=right(shown["kind"], shown["number"], shown["topic"]))  # fmt: skip
    assert (again["is_right"], again["due"], again["progress"]) == (True, "", progress)
    for nonsense in ({"form": 9}, {"form": 1, "skills": {"x": [1]}, "answers": 0, "streak": 0}, {"skills": []}):
        assert refusal(house, "next", progress=nonsense)["code"] == "bad-progress"


def test_a_topic_can_be_chosen_and_another_table_set(house: Served) -> None:
    told = asked(house, "next", kind="pay", topic="dragon-7:dragon-7", settings={"decks": "6"})
    assert told["exercise"]["topic"] == "dragon-7:dragon-7"
    assert ["Decks in the shoe", "6"] in told["exercise"]["scene"]["facts"]
    assert told["why"] == "you chose it"


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("next", {"edition": "no-such"}, "unknown-edition"),
        ("next", {"edition": "../../etc/passwd"}, "unknown-edition"),
        ("next", {"kinds": ["juggle"]}, "unknown-kind"),
        ("next", {"kind": "juggle"}, "unknown-kind"),
        ("next", {"settings": {"decks": "5"}}, "outside-approval"),
        ("next", {"settings": {"colour": "red"}}, "unknown-setting"),
        ("next", {"edition": "ez-pai-gow-wa", "settings": {"house-way": "/etc/passwd"}}, "bad-setting"),
        ("exercise", {"kind": "pay", "number": -1}, "bad-request"),
        ("exercise", {"kind": "pay", "number": 1 << 31}, "bad-request"),
        ("exercise", {"kind": "pay", "number": 1, "topic": "the weather"}, "unknown-topic"),
        ("answer", {"kind": "pay", "number": 1, "answer": {}, "seconds": 1}, "bad-answer"),
        ("answer", {"kind": "draw", "number": 1, "answer": {"next": "the cat"}, "seconds": 1}, "bad-answer"),
        ("answer", {"kind": "draw", "number": 1, "answer": {"who": "x"}, "seconds": 1}, "unknown-answer"),
        ("answer", {"kind": "draw", "number": 1, "answer": {"next": "x" * 401}, "seconds": 1}, "bad-request"),
        ("answer", {"kind": "draw", "number": 1, "answer": {"next": "x"}, "seconds": -1}, "bad-request"),
        ("answer", {"kind": "draw", "number": 1, "answer": {"next": "x"}, "seconds": 1e9}, "bad-request"),
        ("answer", {"kind": "draw", "number": 1, "answer": "banker", "seconds": 1}, "bad-request"),
        ("next", {"more": 1}, "bad-request"),
    ],
)
def test_nonsense_is_refused_in_one_line(house: Served, path: str, body: dict[str, Any], code: str) -> None:
    assert refusal(house, path, **body)["code"] == code


@pytest.mark.parametrize("amount", ["", "-5", "1e3", "ten", "NaN", "9" * 40, "$", "1.005"])
def test_nonsense_amounts_change_nothing(house: Served, amount: str) -> None:
    shown = asked(house, "exercise", kind="pay", number=3)
    answer = {ask["id"]: amount for ask in shown["asks"]}
    assert refusal(house, "answer", kind="pay", number=3, topic=shown["topic"], answer=answer, seconds=1)["code"]


def test_too_much_progress_is_refused_before_it_is_read(house: Served) -> None:
    body = {"edition": EDITION, "progress": {"form": 1, "skills": {"x" * 100 + str(n): [] for n in range(6000)}}}
    assert house.anybody().post(f"{API}/next", json=body).status_code == 413
