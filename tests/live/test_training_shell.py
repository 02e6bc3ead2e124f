"""The school from a shell: drills, maps, courses, examinations and certificates, with what is typed and what is told."""

import io
import json
import re
import signal
import subprocess
import sys

import pytest

BACCARAT = "ez-baccarat-wa"
COURSE = """
id = "first-week"
name = "First week"
pass_percent = 50
minutes = 10
[[exercises]]
edition = "ez-baccarat-wa"
kind = "order"
many = 2
"""


@pytest.fixture
def shell(bare_shell, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)

    def run(line, code=0, typed=""):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        return bare_shell(line, code)

    return run


def right_answer(shell, number=7):
    """What is right, found as anybody could: by trying all orders that there are."""
    from houseway.house.editions import built_in
    from houseway.train.deals import lesson_of
    from houseway.train.learning import exercise

    return exercise(lesson_of(built_in(BACCARAT)), "order", number).right["order"]


def test_one_exercise_as_data_and_judged_without_a_terminal(shell):
    asked = json.loads(shell(f"train {BACCARAT} --kind order --number 7 --json"))
    assert (asked["edition"], asked["kind"], asked["number"]) == (BACCARAT, "order", 7)
    assert "accepted" not in asked["asks"][0]
    right = right_answer(shell)
    assert shell(f"train {BACCARAT} --kind order --number 7 --answer '{right}'").startswith("Right.")
    assert shell(f"train {BACCARAT} --kind order --number 7 --answer 'order={right}'").startswith("Right.")
    wrong = " ".join(reversed(right.split()))
    told = shell(f"train {BACCARAT} --kind order --number 7 --answer '{wrong}'", code=1)
    assert told.startswith("Wrong.") and "right is" in told
    verdict = json.loads(shell(f"train {BACCARAT} --kind order --number 7 --answer '{wrong}' --json", code=1))["verdict"]
    assert not verdict["is_right"] and verdict["why"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("train nothing", 'unknown edition "nothing"'),
        (f"train {BACCARAT} --kind pays", "did you mean pay?"),
        (f"train {BACCARAT} --kind pay --topic nothing --json", 'unknown topic "nothing" of pay'),
        (f"train {BACCARAT} --kind pay --number -1 --json", "from 0 to"),
        (f"train {BACCARAT} --number 1 --json", "go with one --kind"),
        (f"train {BACCARAT} --kind order --answer 1", "name it with --kind and --number"),
        (f"train {BACCARAT} --kind order --number 7 --answer 1 --answer 2", "NAME=TEXT; asked are: order"),
        (f"train {BACCARAT} --set decks=99 --json", "decks"),
        (f"train {BACCARAT} --as dan --progress p.json", "name one of them"),
        (f"train {BACCARAT} --speed 101", "from 1 to 100"),
        (f"train {BACCARAT} --progress no/where.json --kind order --number 7", "no/where.json"),
        ("train course show nothing", 'unknown course "nothing"'),
        ("train course add nothing.toml", "nothing.toml"),
        ("train exam begin nothing --as dan", 'unknown course "nothing"'),
        ("train exam answer 1 --as dan --answer 1", "name the exercise"),
        ("train exam answer 1 1 --as dan", "there is no examination 1"),
        ("train exam certificate 1 -o c.txt", "a certificate is a PDF"),
        ("train verify nothing.pdf", "cannot be read"),
    ],
)
def test_what_is_wrong_is_refused_in_a_line(shell, line, told):
    shell("train course list")  # a store is there
    said = shell(line, code=2)
    assert told in said and said.count("\n") == 1


def test_a_drill_asks_again_what_it_cannot_read_explains_and_keeps_progress(shell, tmp_path):
    right = right_answer(shell)
    typed = f"nonsense\n{right}\n"
    told = shell(f"train {BACCARAT} --kind order --number 7 --progress p.json", typed=typed)
    assert "in their order" in told and re.search(r"Right, \d+ seconds", told) and "1 of 1 answer right" in told
    kept = json.loads((tmp_path / "p.json").read_text())
    assert kept["editions"][BACCARAT]["answers"] == 1
    assert "1 of 1 right" in shell(f"train map {BACCARAT} --kind order --progress p.json")
    (tmp_path / "p.json").write_text("[]")
    assert "holds no progress" in shell(f"train map {BACCARAT} --kind order --progress p.json", code=2)


@pytest.mark.parametrize("typed", ["", "q\n", "quit\n"])
def test_a_drill_ends_when_somebody_has_had_enough(shell, typed):
    assert "Nothing was answered" in shell(f"train {BACCARAT} --kind order", typed=typed)


def test_progress_of_a_house_is_by_name(shell):
    right = right_answer(shell)
    shell(f"train {BACCARAT} --kind order --number 7 --as dan --answer '{right}'")
    assert "1 of 1 right" in shell(f"train map {BACCARAT} --kind order --as dan")
    assert "not asked yet" in shell(f"train map {BACCARAT} --kind order --as eva")
    (skill,) = json.loads(shell(f"train map {BACCARAT} --kind order --as dan --format json"))
    assert (skill["asked"], skill["right"]) == (1, 1)


def test_ctrl_c_ends_a_drill_without_a_traceback(tmp_path):
    program = [sys.executable, "-m", "houseway.cli.main", "train", BACCARAT, "--kind", "order"]
    with subprocess.Popen(
        program, cwd=tmp_path, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        read = ""
        while "Order" not in read:
            read += running.stdout.read(1)
        running.send_signal(signal.SIGINT)
        told, complaint = running.communicate(timeout=60)
    assert complaint == "" and "Nothing was answered" in told and running.returncode == 0


def test_a_speed_round_by_a_seed(shell):
    told = shell(f"train {BACCARAT} --speed 2 --number 4 --kind order", typed="1 2 3\nq\nq\n")
    assert told.startswith("2 exercises of EZ Baccarat (Washington) in 1 minute")
    assert re.search(r"[01] of 2 right", told)


def test_a_course_an_examination_and_a_certificate(shell, tmp_path):
    (tmp_path / "week.toml").write_text(COURSE)
    assert "first-week is a course of this house" in shell("train course add week.toml")
    assert "may not change courses" in shell("train course remove first-week --as dan:dealer", code=2)
    assert "2 x order, any topic" in shell("train course show first-week")
    assert shell("train course list").startswith("first-week: First week, 2 exercises, 50 % pass, 10 minutes")
    assert "dealer-ez-baccarat-wa" in shell(f"train course list {BACCARAT}")
    begin = "train exam begin first-week --as sue:supervisor --seed 5 --for dan"
    assert 'nobody here has an account "dan"' in shell(begin, code=2)
    shell("people add dan --role dealer", typed="green felt, seven doors\n")
    assert shell(begin).startswith("Examination 1: First week")
    shown = json.loads(shell("train exam answer 1 1 --as dan --format json"))
    assert not {"topic", "number"} & shown.keys()
    from houseway.house.editions import built_in
    from houseway.train.courses import read_course
    from houseway.train.exams import set_examination

    examination = set_examination(read_course(COURSE, ""), 5, built_in)
    first, second = (examination.exercise(place).right["order"] for place in (1, 2))
    assert "In which order" in shell("train exam answer 1 1 --as dan")
    assert shell(f"train exam answer 1 1 --as dan --answer '{first}'").startswith("Taken: 1 of 2 answered, ")
    assert "2 of 2 answered" in shell("train exam answer 1 --as dan", typed=f"x\n{second}\n")
    assert "may not see" in shell("train exam results 1 --as eva", code=2)
    assert "2 of 2 right, 100 %: passed" in shell("train exam hand-in 1 --as dan")
    assert "Exercise 2, right:" in shell("train exam results 1 --as dan")
    assert "key" in shell("train exam certificate 1 -o c.pdf", code=2)
    shell("keys rotate heads")
    assert "certificate 1 of dan" in shell("train exam certificate 1 -o c.pdf")
    assert "100 %, passed, certificate 1" in shell("train exam results")
    assert "is this house's, unchanged" in shell("train verify c.pdf")
    assert json.loads(shell("train verify c.pdf --format json"))["holds"]
    assert "figures agree" in shell("report verify c.pdf")
    assert "4 figures" in shell("report certificate 1 -o again.pdf")
    with (tmp_path / "c.pdf").open("ab") as file:
        file.write(b"\n")
    assert "does not hold" in shell("train verify c.pdf", code=1)
    assert "no course of this house any more" in shell("train course remove first-week")
    shell("audit")


def test_parts_are_named_where_there_is_no_terminal(shell, tmp_path):
    (tmp_path / "week.toml").write_text(COURSE.replace('kind = "order"', 'kind = "pay"'))
    shell("train course add week.toml")
    shell("train exam begin first-week --as dan")
    shown = json.loads(shell("train exam answer 1 1 --as dan --format json"))
    told = shell("train exam answer 1 1 --as dan")
    assert all(re.search(rf"^  {ask['id']} +.*\(in dollars\)$", told, re.M) for ask in shown["asks"])
    assert "Edition: EZ Baccarat (Washington)" in told and shown["notices"] == []


def test_an_edition_that_was_removed_is_told_in_every_answer_of_the_shell(shell, tmp_path, monkeypatch):
    from houseway.refusal import Refused
    from houseway.train.school import School

    (tmp_path / "week.toml").write_text(COURSE)
    shell("train course add week.toml")
    shell("train exam begin first-week --as dan")

    def removed(_, edition):
        raise Refused("unknown-edition", f"unknown edition {edition}")

    monkeypatch.setattr(School, "document_of", removed)
    notice = "ez-baccarat-wa was removed since this examination began, which goes by the rules that it began with"
    asked = json.loads(shell("train exam answer 1 1 --as dan --format json"))
    order = " ".join(option["value"] for option in asked["asks"][0]["options"])
    assert asked["notices"] == [notice]
    for line in ("answer 1 1", f"answer 1 1 --answer '{order}'", "results 1", "results"):
        assert notice in shell(f"train exam {line} --as dan")
        told = json.loads(shell(f"train exam {line} --as dan --format json"))
        assert (told[0] if line == "results" else told)["notices"] == [notice]
    assert notice in shell("train exam answer 1 --as dan", typed="q\n")
    assert json.loads(shell("train exam hand-in 1 --as dan --format json"))["notices"] == [notice]
    assert notice in shell("train exam results 1 --as dan")
