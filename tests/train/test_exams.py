"""Examinations: a course and a seed are exact exercises; a clock; no explanation before the end; what comes out."""

from datetime import UTC, datetime, timedelta

import pytest

from houseway.games import edition_files
from houseway.house.editions import built_in
from houseway.refusal import Refused
from houseway.train.courses import built_in_courses, course_from
from houseway.train.deals import lesson_of
from houseway.train.exams import Examination, ExamSitting, notices, set_examination
from houseway.train.learning import LearnedProgress, Skill
from houseway.train.merged import merged

BACCARAT, DUKI = "ez-baccarat-wa", "duki-4-wa"
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
COURSE = course_from(
    {
        "id": "both",
        "name": "Both games",
        "pass_percent": 67,
        "minutes": 5,
        "exercises": [
            {"edition": BACCARAT, "kind": "results", "many": 2},
            {"edition": DUKI, "kind": "pay", "topic": "duki-bonus:straight", "many": 1},
        ],
    }
)


@pytest.fixture(scope="module")
def examination():
    return set_examination(COURSE, 42, built_in)


def after(seconds):
    return NOON + timedelta(seconds=seconds)


def test_the_same_course_and_seed_give_the_same_exercises(examination):
    again = set_examination(COURSE, 42, built_in)
    assert again == examination
    assert [again.exercise(place) for place in (1, 2, 3)] == [examination.exercise(place) for place in (1, 2, 3)]
    assert set_examination(COURSE, 43, built_in).questions != examination.questions
    assert Examination.from_data(examination.as_data()) == examination


@pytest.mark.parametrize("edition", sorted(edition_files()))
def test_every_edition_can_be_examined_and_all_right_answers_pass(edition):
    """The courses that it has by itself, with the clock that they have."""
    for course in built_in_courses(lesson_of(built_in(edition))):
        sitting = ExamSitting(set_examination(course, 1, built_in), NOON)
        for place in range(1, course.asked + 1):
            sitting = sitting.answered(place, sitting.examination.exercise(place).right, after(place))
        result = sitting.hand_in(after(999)).result()
        assert result["passed"] and result["right"] == result["asked"] == course.asked, course.id


def test_topics_come_once_before_one_comes_again():
    part = {"edition": BACCARAT, "kind": "pay", "many": 12}
    course = course_from({"id": "a", "name": "A", "pass_percent": 50, "minutes": 5, "exercises": [part]})
    asked = [question.topic for question in set_examination(course, 3, built_in).questions]
    assert sorted(asked.count(topic) for topic in set(asked)) == [2] * 6


def test_the_time_of_each_decision_and_the_clauses_are_told(examination):
    sitting = ExamSitting(examination, NOON)
    sitting = sitting.answered(2, examination.exercise(2).right, after(8))
    sitting = sitting.answered(1, examination.exercise(1).right, after(20))
    sitting = sitting.answered(2, examination.exercise(2).right, after(25))  # looked at again
    result = sitting.hand_in(after(60)).result()
    assert [each["seconds"] for each in result["exercises"]] == [12.0, 13.0, None]
    assert [each["is_answered"] for each in result["exercises"]] == [True, True, False]
    assert (result["right"], result["percent"], result["passed"]) == (2, 66, False), "67 % are needed, and 66.7 are not"
    assert (result["seconds"], result["seconds_each"], result["right_a_minute"]) == (60.0, 12.5, 2.0)
    for clause, counted in result["clauses"].items():
        cited = [place for place in (1, 2, 3) if clause in examination.exercise(place).clauses]
        assert counted == {"right": len([place for place in cited if place < 3]), "asked": len(cited)}


def test_the_clock_is_exact(examination):
    sitting = ExamSitting(examination, NOON)
    right = examination.exercise(1).right
    assert sitting.answered(1, right, after(300)).given[1].seconds == 300
    with pytest.raises(Refused) as caught:
        sitting.answered(1, right, after(300.000001))
    assert caught.value.code == "too-late" and "0 answers given in time count" in caught.value.message
    assert sitting.hand_in(after(10_000)).handed_in == after(300)
    assert not sitting.is_over(after(300)) and sitting.is_over(after(301))
    assert sitting.shown(after(60))["seconds_left"] == 240 and sitting.shown(after(400))["seconds_left"] == 0


def test_a_clock_that_goes_back_gives_no_time_and_takes_none(examination):
    sitting = ExamSitting(examination, NOON).answered(1, examination.exercise(1).right, after(-5))
    assert sitting.given[1].seconds == 0


def test_what_is_kept_is_read_back(examination):
    sitting = ExamSitting(examination, NOON).answered(1, examination.exercise(1).right, after(3)).hand_in(after(9))
    assert ExamSitting.from_data(examination, sitting.as_data()) == sitting


def test_no_explanation_and_no_result_before_the_end(examination):
    sitting = ExamSitting(examination, NOON).answered(1, examination.exercise(1).right, after(3))
    for early in (sitting.result, lambda: sitting.explained(1)):
        with pytest.raises(Refused) as caught:
            early()
        assert caught.value.code == "exam-not-over"
    shown = sitting.asked(1)
    assert not {"topic", "number", "on_purpose", "why"} & shown.keys() and shown["given"] == examination.exercise(1).right


def test_a_course_without_a_clock_has_no_examination():
    with pytest.raises(Refused) as caught:
        set_examination(course_from({**COURSE.as_data(), "minutes": 0}), 1, built_in)
    assert caught.value.code == "no-examination"


@pytest.mark.parametrize("seed", [-1, 1 << 31])
def test_a_seed_out_of_its_range_is_refused(seed):
    with pytest.raises(Refused) as caught:
        set_examination(COURSE, seed, built_in)
    assert caught.value.code == "bad-seed"


def test_what_changed_since_is_noticed_and_changes_nothing(examination):
    def gone(edition):
        if edition == DUKI:
            raise Refused("unknown-edition", "gone")
        return built_in(edition) + " "

    assert notices(examination.documents, built_in) == []
    assert [notice.split(" since")[0] for notice in notices(examination.documents, gone)] == [
        f"{BACCARAT} was changed",
        f"{DUKI} was removed",
    ]
    assert examination.exercise(3)


def card(at):
    return {"last_review": at}


def test_two_progresses_become_one_whichever_comes_first():
    older = LearnedProgress({"pay/a": Skill(5, 3, card=card("2026-01-01")), "pay/b": Skill(1, card=card("2026-01-03"))}, 6, 2)
    newer = LearnedProgress({"pay/a": Skill(2, 2, card=card("2026-01-02")), "read/c": Skill(1, card=card("2026-01-04"))}, 3, 1)
    both = merged(older, newer)
    assert both == merged(newer, older) == merged(both, newer) == merged(both, both)
    assert both.skills["pay/a"] == newer.skills["pay/a"] and both.skills.keys() == {"pay/a", "pay/b", "read/c"}
    assert (both.answers, both.streak) == (6, 1)
    assert merged(LearnedProgress(), older) == older
