"""Courses: their strict form, what they may ask for, and those that every edition has by itself."""

import pytest

from houseway.games import edition_files
from houseway.house.editions import built_in, known_edition
from houseway.refusal import Refused
from houseway.table.bound import as_text
from houseway.train.courses import (
    EXERCISES_MOST,
    OF_EDITIONS,
    CoursePart,
    built_in_course,
    built_in_courses,
    check_course,
    course_from,
    own_course,
    read_course,
)
from houseway.train.deals import lesson_of

BACCARAT = "ez-baccarat-wa"
TEXT = f"""
id = "first-week"
name = "First week"
about = "What a new dealer knows after a week"
pass_percent = 80
minutes = 20

[[exercises]]
edition = "{BACCARAT}"
kind = "pay"
topic = "dragon-7:dragon-7"
many = 3

[[exercises]]
edition = "{BACCARAT}"
kind = "order"
settings = {{ decks = 6 }}
"""
DATA = {"id": "a", "name": "A", "pass_percent": 80, "exercises": [{"edition": BACCARAT, "kind": "pay"}]}


def test_a_course_is_read_from_toml_and_is_the_same_in_json():
    course = read_course(TEXT, "week.toml")
    assert (course.id, course.asked, course.minutes, course.pass_percent) == ("first-week", 4, 20, 80)
    assert course.parts[1] == CoursePart(BACCARAT, "order", "", 1, (("decks", 6),))
    assert course_from(course.as_data()) == course
    assert course.editions == (BACCARAT,)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"id": "A b"}, "id: 'A b' is not possible: small letters, digits and hyphens"),
        ({"id": "x" * 61}, "at most 60"),
        ({"id": 7}, "a text is required"),
        ({"name": " "}, "name: a text of 1 to 80 letters"),
        ({"name": "a\nb"}, "name: a text of 1 to 80 letters"),
        ({"about": "a" * 401}, "about: a line of at most 400"),
        ({"pass_percent": 0}, "a whole number from 1 to 100 is required"),
        ({"pass_percent": "80"}, "a whole number from 1 to 100 is required"),
        ({"minutes": 481}, "a whole number from 0 to 480 is required"),
        ({"minutes": -1}, "a whole number from 0 to 480 is required"),
        ({"exercises": []}, "from 1 to 60"),
        ({"exercises": "all"}, "a list of tables is required"),
        ({"exercises": [{"edition": BACCARAT, "kind": "pays"}]}, "did you mean pay?"),
        ({"exercises": [{"kind": "pay"}]}, "exercises[0].edition: missing (a text is required)"),
        ({"exercises": [{"edition": BACCARAT, "kind": "pay", "many": 0}]}, "a whole number from 1 to 100 is required"),
        ({"exercises": [{"edition": BACCARAT, "kind": "pay", "many": True}]}, "a whole number from 1 to 100 is required"),
        ({"exercises": [{"edition": BACCARAT, "kind": "pay", "meny": 2}]}, "unknown key: did you mean many?"),
        ({"exercises": [{"edition": BACCARAT, "kind": "pay", "many": 100}] * 4}, f"at most {EXERCISES_MOST}"),
        ({"pass": 80}, "pass: unknown key (allowed: id, name, pass_percent, minutes, about, exercises)"),
        ({"id": "dealer-own"}, "ids that begin with dealer-, speed-, player- are of editions' own courses"),
    ],
)
def test_what_no_course_can_say_is_refused_with_what_is_allowed(change, told):
    with pytest.raises(Refused) as caught:
        own_course({**DATA, **change})
    assert caught.value.code == "broken-toml" and told in caught.value.message


@pytest.mark.parametrize("text", ["id = ", "[" * 5_000, "id = 'a'\n" + "#" * 20_000])
def test_what_is_no_toml_or_too_long_is_refused(text):
    with pytest.raises(Refused):
        read_course(text, "week.toml")


@pytest.mark.parametrize("data", [None, [], "course", 7, {"id": []}])
def test_any_other_value_is_refused(data):
    with pytest.raises(Refused):
        course_from(data)


@pytest.mark.parametrize("edition", sorted(edition_files()))
def test_every_edition_has_courses_by_itself_that_can_be_asked(edition):
    courses = {course.id.removesuffix(edition): course for course in built_in_courses(lesson_of(built_in(edition)))}
    assert {"dealer-", "speed-"} <= courses.keys() <= set(OF_EDITIONS)
    for course in courses.values():
        check_course(course, built_in)
        assert course.minutes and course_from(course.as_data()) == course
        assert built_in_course(course.id, built_in) == course
    assert courses["speed-"].asked == 20


def test_a_course_that_no_edition_has_is_unknown():
    assert built_in_course("first-week", built_in) is None
    with pytest.raises(Refused) as caught:
        built_in_course("dealer-nothing", lambda id_: as_text(known_edition(id_, {}).document))
    assert caught.value.code == "unknown-edition"


def test_a_part_without_exercises_names_what_there_is(monkeypatch):
    from houseway.train import courses

    course = course_from(DATA)
    none = courses.KINDS | {"pay": courses.KINDS["order"].__class__("pay", "", "", None, lambda lesson: ())}
    monkeypatch.setattr(courses, "KINDS", none)
    with pytest.raises(Refused) as caught:
        check_course(course, built_in)
    assert caught.value.code == "no-exercises" and "course a, exercises 1" in caught.value.message
    assert "order" in caught.value.message.partition("it has:")[2]
