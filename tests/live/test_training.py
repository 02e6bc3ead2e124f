"""The school of a house, on both databases: progress, courses, examinations, certificates and errors at real tables."""

import hashlib
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from databases import DATABASES
from sessions import house_tables, next_move, prepare
from sqlalchemy import inspect, text
from test_correct import correct, settle
from test_table import BACCARAT, BANKER_WINS, BLACKJACK, CHOICE, DRAGON_7, DUKI, MAIN, PAI_GOW, PLAYER_WINS, Pit

from houseway.house import schema
from houseway.house.audit import Auditor
from houseway.house.backup import backup, restore
from houseway.house.days import book_of
from houseway.house.dealt_wrong import one_dealt_wrong
from houseway.house.floor import Actor, Floor
from houseway.house.keys import HEADS, Keyring
from houseway.house.people import People, Person
from houseway.house.store import Store
from houseway.house.training import Certificate, may_see
from houseway.refusal import Refused
from houseway.report.verify import verify_pdf
from houseway.table.roles import ROLES
from houseway.train.courses import own_course
from houseway.train.learning import LearnedProgress, exercise, skill_map
from houseway.train.school import School

DAN, EVA, SUE = Actor("dan", "dealer"), Actor("eva", "dealer"), Actor("sue", "supervisor")
COURSE = {
    "id": "first-week",
    "name": "First week",
    "pass_percent": 75,
    "minutes": 10,
    "exercises": [{"edition": BACCARAT, "kind": "pay", "many": 3}, {"edition": BACCARAT, "kind": "order"}],
}


class Watch:
    """A clock that a test moves."""

    def __init__(self):
        self.now = datetime(2026, 5, 1, 12, tzinfo=UTC)

    def __call__(self):
        return self.now

    def go(self, seconds):
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def watch():
    return Watch()


@pytest.fixture(params=DATABASES)
def school(request, new_url, open_store, tmp_path, watch):
    keys = Keyring(tmp_path / "house.key")
    keys.make(HEADS)
    made = School(open_store(new_url(request.param)), keys, watch)
    made.add_course(own_course(COURSE), SUE)
    with_accounts(made)
    return made


def with_accounts(made):
    """Examinations are begun for people who have one."""
    with People(made.store).changing() as connection:
        for person in (DAN, EVA):
            People.put(connection, Person(person.name, person.role, "not tried"))


def sat(school, watch, right=4, by=DAN, seed=7):
    """The number of an examination that was sat, with so many right answers, and handed in."""
    number, sitting = school.begin_exam(SUE, "first-week", seed, by.name)
    for place in range(1, 5):
        watch.go(10)
        asked = sitting.examination.exercise(place)
        answer = asked.right if place <= right else wrong_answer(asked)
        school.answer(by, number, place, answer)
    return number, school.hand_in(by, number)


def wrong_answer(asked):
    if asked.kind == "order":
        return {"order": " ".join(reversed(asked.right["order"].split()))}
    return dict.fromkeys(asked.right, "123456")


def refusal(action, *given, **named):
    with pytest.raises(Refused) as caught:
        action(*given, **named)
    return caught.value


# LearnedProgress


def test_progress_is_kept_for_a_person_and_an_edition(school):
    from houseway.train.deals import lesson_of

    lesson = lesson_of(school.document_of(BACCARAT))
    asked = exercise(lesson, "pay", 1, "")
    assert school.progress(DAN, "dan", BACCARAT) == LearnedProgress()
    after = school.answered("dan", BACCARAT, asked, True, 4.0)
    assert after.answers == 1 and school.progress(DAN, "dan", BACCARAT) == after
    assert school.progress(EVA, "eva", BACCARAT) == LearnedProgress()
    assert school.progress(DAN, "dan", DUKI) == LearnedProgress()


def test_what_a_browser_brings_is_marked_whatever_it_says_of_itself(school):
    from houseway.train.deals import lesson_of
    from houseway.train.learning import answered, name_of

    lesson = lesson_of(school.document_of(BACCARAT))
    own, forged = exercise(lesson, "pay", 1, "tie:tie"), exercise(lesson, "pay", 1, "dragon-7:dragon-7")
    school.answered("dan", BACCARAT, own, True, 4.0)
    sent = answered(LearnedProgress(), forged, True, 1.0, school.clock())
    after = school.keep("dan", BACCARAT, sent)
    assert after.brought == {name_of("pay", "dragon-7:dragon-7")} and len(after.skills) == 2
    assert school.answered("dan", BACCARAT, forged, True, 4.0).brought == after.brought
    listed = {skill["topic"]: skill["is_brought"] for skill in skill_map(lesson, after, school.clock(), ["pay"])}
    assert listed["dragon-7:dragon-7"] and not listed["tie:tie"]


def test_answers_at_once_are_all_counted(school):
    from houseway.train.deals import lesson_of

    asked = exercise(lesson_of(school.document_of(BACCARAT)), "pay", 1, "")
    with ThreadPoolExecutor(4) as several:
        list(several.map(lambda _: school.answered("dan", BACCARAT, asked, True, 1.0), range(12)))
    assert school.progress(DAN, "dan", BACCARAT).answers == 12


def test_a_progress_from_a_browser_is_put_together_with_the_one_that_is_kept(school, watch):
    from houseway.train.deals import lesson_of
    from houseway.train.learning import answered

    lesson = lesson_of(school.document_of(BACCARAT))
    pay, order = exercise(lesson, "pay", 1, ""), exercise(lesson, "order", 1, "")
    elsewhere = answered(LearnedProgress(), order, False, 3.0, watch())
    school.answered("dan", BACCARAT, pay, True, 4.0)
    both = school.keep("dan", BACCARAT, elsewhere)
    assert {name.partition("/")[0] for name in both.skills} == {"pay", "order"}
    assert both.answers == 2
    assert school.keep("dan", BACCARAT, elsewhere) == both, "brought again it changes nothing"


# Who may see


@pytest.mark.parametrize("role", ROLES)
def test_results_are_for_supervisors_administrators_and_oneself(role):
    assert may_see(Actor("dan", role), "dan")
    assert may_see(Actor("ann", role), "dan") == (role in {"supervisor", "administrator"})


def test_nobody_else_sees_a_result_or_a_progress(school, watch):
    number, _ = sat(school, watch)
    assert [told["exam"] for told in school.results(SUE)] == [number]
    assert [told["exam"] for told in school.results(DAN)] == [number]
    assert school.results(EVA) == []
    for action in (
        lambda: school.results(EVA, "dan"),
        lambda: school.result(EVA, number),
        lambda: school.explained(EVA, number, 1),
        lambda: school.certificate(EVA, number),
        lambda: school.progress(EVA, "dan", BACCARAT),
        lambda: school.asked(EVA, number, 1),
        lambda: school.dealt_wrong(EVA, "dan"),
    ):
        assert refusal(action).code == "role-may-not"
    assert refusal(school.hand_in, SUE, number).code == "not-yours"


def test_only_supervisors_and_administrators_change_courses_or_name_seeds(school):
    other = own_course({**COURSE, "id": "second-week"})
    assert refusal(school.add_course, other, DAN).code == "role-may-not"
    assert refusal(school.remove_course, "first-week", DAN).code == "role-may-not"
    assert refusal(school.begin_exam, DAN, "first-week", 7).code == "role-may-not"
    assert refusal(school.begin_exam, DAN, "first-week", None, "eva").code == "role-may-not"
    assert refusal(school.add_course, own_course(COURSE), SUE).code == "course-id-taken"
    school.remove_course("first-week", SUE)
    assert school.courses() == []
    assert refusal(school.remove_course, "first-week", SUE).code == "unknown-course"


def test_a_course_must_ask_for_what_is_there(school):
    for part, code in (
        ({"edition": "no-such", "kind": "pay"}, "unknown-edition"),
        ({"edition": BACCARAT, "kind": "pay", "topic": "no-such"}, "unknown-topic"),
        ({"edition": BACCARAT, "kind": "pay", "settings": {"decks": 99}}, "bad-setting"),
    ):
        course = own_course({**COURSE, "id": "other", "exercises": [part]})
        assert refusal(school.add_course, course, SUE).code == code


# Examinations


def test_an_examination_from_its_beginning_to_its_result(school, watch):
    number, told = sat(school, watch, right=3)
    result = told["result"]
    assert (result["asked"], result["right"], result["percent"], result["passed"]) == (4, 3, 75, True)
    assert [each["is_right"] for each in result["exercises"]] == [True, True, True, False]
    assert [each["seconds"] for each in result["exercises"]] == [10.0] * 4
    assert told["seed"] == 7 and result["seconds"] == 40.0
    assert sum(counted["asked"] for counted in result["clauses"].values()) >= 4
    again, other = sat(school, watch, right=2, by=EVA)
    assert not other["result"]["passed"]
    assert school.sitting(SUE, again).examination == school.sitting(SUE, number).examination, "one seed, one examination"


def test_nothing_tells_the_answer_before_the_end(school, watch):
    number, sitting = school.begin_exam(DAN, "first-week")
    shown = school.asked(DAN, number, 1)
    assert not {"topic", "number", "on_purpose", "why", "seed"} & shown.keys()
    assert all("accepted" not in ask for ask in shown["asks"])
    assert school.result(DAN, number)["seed"] is None and school.result(DAN, number)["result"] is None
    taken = school.answer(DAN, number, 1, sitting.examination.exercise(1).right)
    assert "right" not in str(taken)
    assert refusal(school.explained, DAN, number, 1).code == "exam-not-over"
    assert refusal(school.certificate, DAN, number).code == "exam-not-over"
    school.hand_in(DAN, number)
    assert school.explained(DAN, number, 1)["verdict"]["is_right"]
    unanswered = school.explained(DAN, number, 2)["verdict"]
    assert not unanswered["is_right"] and unanswered["parts"][0]["right"] and unanswered["why"]


def test_an_answer_may_be_changed_until_the_end(school, watch):
    number, sitting = school.begin_exam(DAN, "first-week")
    asked = sitting.examination.exercise(1)
    school.answer(DAN, number, 1, wrong_answer(asked))
    assert school.asked(DAN, number, 1)["given"] == wrong_answer(asked)
    watch.go(5)
    school.answer(DAN, number, 1, asked.right)
    assert school.hand_in(DAN, number)["result"]["exercises"][0]["is_right"]
    assert refusal(school.answer, DAN, number, 1, asked.right).code == "exam-over"
    assert refusal(school.hand_in, DAN, number).code == "exam-over"


def test_an_answer_after_the_clock_is_refused_and_those_in_time_count(school, watch):
    number, sitting = school.begin_exam(DAN, "first-week")
    asked = sitting.examination.exercise(1)
    watch.go(600)
    school.answer(DAN, number, 1, asked.right)  # the last moment
    watch.go(0.001)
    late = refusal(school.answer, DAN, number, 2, sitting.examination.exercise(2).right)
    assert late.code == "too-late" and "1 answer given in time counts" in late.message
    told = school.result(DAN, number)
    assert told["is_over"] and told["result"]["right"] == 1 and told["result"]["answered"] == 1
    assert told["result"]["seconds"] == 600.0, "it was handed in at its end, by itself"


def test_nonsense_is_refused_and_nothing_is_lost(school):
    number, sitting = school.begin_exam(DAN, "first-week")
    asked = sitting.examination.exercise(1)
    school.answer(DAN, number, 1, asked.right)
    name = next(iter(asked.right))
    for answer in ({}, {name: "ten"}, {**asked.right, "more": "1"}, {name: "-5"}, {name: "9" * 500}):
        with pytest.raises(Refused):
            school.answer(DAN, number, 1, answer)
    assert refusal(school.answer, DAN, number, 5, {}).code == "no-such-exercise"
    assert refusal(school.answer, DAN, number, 0, {}).code == "no-such-exercise"
    assert refusal(school.answer, DAN, 99, 1, {}).code == "unknown-exam"
    assert refusal(school.begin_exam, SUE, "first-week", -1).code == "bad-seed"
    assert refusal(school.begin_exam, DAN, "no-such").code == "unknown-course"
    assert refusal(school.begin_exam, DAN, "first-week").code == "exam-begun"
    assert school.asked(DAN, number, 1)["given"] == asked.right


def test_answers_to_two_exercises_at_once_are_both_kept(school):
    number, sitting = school.begin_exam(DAN, "first-week")
    with ThreadPoolExecutor(4) as several:
        list(
            several.map(lambda place: school.answer(DAN, number, place, sitting.examination.exercise(place).right), range(1, 5))
        )
    assert school.hand_in(DAN, number)["result"]["right"] == 4


def test_of_two_examinations_of_a_course_at_once_one_is_begun(school):
    def begin(_):
        try:
            return school.begin_exam(DAN, "first-week")[0]
        except Refused as refused:
            return refused.code

    with ThreadPoolExecutor(3) as several:
        assert sorted(map(str, several.map(begin, range(3)))) == ["1", "exam-begun", "exam-begun"]


def test_one_whose_time_is_over_does_not_stand_in_the_way(school, watch):
    first, _ = school.begin_exam(DAN, "first-week")
    watch.go(601)
    second, _ = school.begin_exam(DAN, "first-week")
    assert second != first and school.result(DAN, first)["result"]["answered"] == 0


def test_an_examination_of_a_kind_that_no_longer_exists_is_still_listed(school, watch, monkeypatch):
    from houseway.train import courses

    number, told = sat(school, watch)
    monkeypatch.setattr(courses, "KINDS", {"read": courses.KINDS["read"]})
    assert school.results(SUE) == [told]
    assert refusal(school.explained, DAN, number, 1).code == "broken-toml"


def test_an_examination_is_begun_for_nobody_without_an_account(school):
    told = refusal(school.begin_exam, SUE, "first-week", 7, "nobody")
    assert told.code == "unknown-person" and 'nobody here has an account "nobody"' in told.message
    assert school.results(SUE) == []


def test_nobody_sits_a_seed_of_a_course_again(school, watch):
    number, _ = sat(school, watch, right=1)
    assert school.explained(DAN, number, 2)["verdict"]["why"]
    told = refusal(school.begin_exam, SUE, "first-week", 7, "dan")
    assert told.code == "seed-sat" and f"(examination {number})" in told.message
    assert len(school.results(SUE)) == 1
    sat(school, watch, seed=8)
    sat(school, watch, by=EVA)


@pytest.mark.parametrize("name", ["", "x" * 41, "a\x00b", "\ud800"])
def test_names_that_no_store_can_keep_are_refused(school, name):
    assert refusal(school.keep, name, BACCARAT, LearnedProgress()).code == "bad-name"
    assert refusal(school.keep, "dan", name, LearnedProgress()).code == "bad-name"
    if name:
        assert refusal(school.begin_exam, SUE, "first-week", 7, name).code == "bad-name"


def test_a_progress_with_odd_names_of_skills_is_kept(school):
    from houseway.train.learning import Skill

    odd = LearnedProgress({"pay/\ud800\x00": Skill(1)}, 1)
    marked = replace(odd, brought=frozenset(odd.skills))
    assert school.keep("dan", BACCARAT, odd) == marked == school.progress(DAN, "dan", BACCARAT)


def test_an_account_that_is_removed_takes_its_progress_along(school, watch):
    from houseway.house.people import People

    sat(school, watch)
    school.keep("dan", BACCARAT, LearnedProgress(answers=3))
    school.training.mend("dan", 5, "2026-05-01T12:00:00+00:00")
    with school.store.engine.begin() as connection:
        People.remove(connection, "dan")
    assert school.progress(DAN, "dan", BACCARAT) == LearnedProgress() and school.training.mended("dan") == set()
    assert len(school.results(SUE)) == 1, "what was examined is the house's"


def test_of_two_who_hand_in_at_once_one_does(school):
    number, _ = school.begin_exam(DAN, "first-week")

    def hand_in(_):
        try:
            return school.hand_in(DAN, number)["exam"]
        except Refused as refused:
            return refused.code

    with ThreadPoolExecutor(3) as several:
        assert sorted(map(str, several.map(hand_in, range(3)))) == ["1", "exam-over", "exam-over"]


def test_an_edition_that_is_removed_or_changed_does_not_stop_an_examination(school, watch):
    number, sitting = school.begin_exam(DAN, "first-week")
    school.answer(DAN, number, 1, sitting.examination.exercise(1).right)
    document_of = school.document_of
    school.document_of = lambda edition: document_of(edition) + " "
    assert "was changed since" in school.notices(DAN, number)[0]

    def removed(edition):
        raise Refused("unknown-edition", f"unknown edition {edition}")

    school.document_of = removed
    assert "was removed since" in school.notices(DAN, number)[0]
    for place in range(2, 5):
        school.answer(DAN, number, place, sitting.examination.exercise(place).right)
    assert school.hand_in(DAN, number)["result"]["right"] == 4
    assert refusal(school.begin_exam, DAN, "first-week").code == "unknown-edition"
    school.document_of = document_of
    school.remove_course("first-week", SUE)
    assert school.result(DAN, number)["result"]["passed"], "nor does a course that is removed"


# Certificates


def test_a_certificate_is_issued_once_and_verified_by_the_house(school, watch):
    number, _ = sat(school, watch)
    certificate, pdf = school.certificate(DAN, number)
    assert certificate.is_genuine() and certificate.public_key in school.keys.public_keys()
    said = certificate.content
    assert (said["person"], said["course"], said["seed"], said["right"], said["asked"], said["date"]) == (
        ("dan", "first-week", 7, 4, 4, "2026-05-01")
    )
    assert {"content", "rules", "behaviour"} <= said["editions"][0].keys()
    assert school.certificate(SUE, number) == (certificate, pdf), "the same again, to the byte"
    assert certificate.pdf_digest == hashlib.sha256(pdf).hexdigest()
    verified = school.verify(pdf)
    assert verified.holds and verified.kind == "certificate"
    assert verify_pdf(pdf).holds, "without the house, the signature and the pages hold"
    failed, _ = sat(school, watch, right=1, by=EVA)
    assert refusal(school.certificate, EVA, failed).code == "not-passed"


@pytest.fixture
def certified(new_url, open_store, tmp_path, watch):
    keys = Keyring(tmp_path / "house.key")
    keys.make(HEADS)
    school = School(open_store(new_url("sqlite")), keys, watch)
    school.add_course(own_course(COURSE), SUE)
    with_accounts(school)
    number, _ = sat(school, watch)
    return school, number, school.certificate(DAN, number)[1]


def holds(school, pdf):
    try:
        return school.verify(pdf).holds
    except Refused:
        return False


def test_a_certificate_with_one_changed_byte_is_refused(certified):
    school, _, pdf = certified
    assert holds(school, pdf)
    drawn = random.Random(16)
    places = {0, 1, len(pdf) // 2, len(pdf) - 1, *drawn.sample(range(len(pdf)), 36)}
    for place in sorted(places):
        changed = bytearray(pdf)
        changed[place] ^= 1 << drawn.randrange(8)
        assert not holds(school, bytes(changed)), f"byte {place}"
    assert not holds(school, pdf + b"\n") and not holds(school, pdf[:-1])


def test_a_certificate_of_another_house_or_with_other_results_is_refused(certified, new_url, open_store, tmp_path, watch):
    school, number, pdf = certified
    other_keys = Keyring(tmp_path / "other.key")
    other_keys.make(HEADS)
    assert any("not this house's" in finding for finding in School(school.store, other_keys).verify(pdf).findings)
    elsewhere = School(open_store(new_url("sqlite")), school.keys)
    assert any("issued no certificate 1" in finding for finding in elsewhere.verify(pdf).findings)
    exam = school.training.exam(number)
    better = {**exam.result, "right": 3, "percent": 75}
    school.training.change_exam(number, lambda kept: replace(kept, result=better))
    findings = school.verify(pdf).findings
    assert any(finding.startswith("right: 4 in the certificate, 3 in the store") for finding in findings)


def test_a_certificate_that_somebody_signs_himself_is_refused(certified, tmp_path):
    from houseway.report.asked_house import built
    from houseway.report.make import MadeReport

    school, _, _ = certified
    kept = school.training.certificate(1)
    forger = Keyring(tmp_path / "forger.key")
    forger.make(HEADS)
    content = {**kept.content, "person": "mallory"}
    inputs = {"kind": "certificate", "paper": "a4", "date": "2026-05-01", "options": {"certificate": "1"}}
    forged = Certificate.signed(1, content, forger.newest(HEADS))
    made: MadeReport = built(inputs | {"material": forged.as_data()})
    assert verify_pdf(made.pdf()).holds, "alone it cannot be told"
    findings = school.verify(made.pdf()).findings
    assert any("not this house's" in finding for finding in findings)
    assert any("says otherwise" in finding for finding in findings)
    stolen = replace(kept, content=content)
    findings = verify_pdf(built(inputs | {"material": stolen.as_data()}).pdf()).findings
    assert any("signature is not of what it says" in finding for finding in findings)


def test_a_file_that_another_printer_set_is_known_by_its_digest(certified, monkeypatch):
    """After an upgrade the printer may set other bytes: then the digest of what was handed out tells."""
    school, _, pdf = certified
    monkeypatch.setattr("houseway.report.verify.printer", lambda: "another printer")
    monkeypatch.setattr("houseway.report.verify.pdf_of", lambda data: pdf + b"%")
    assert school.verify(pdf).holds
    findings = school.verify(pdf + b"\n").findings
    assert findings == ("it is not byte for byte what this house has printed",)


def test_another_report_is_no_certificate(certified):
    from houseway import edition

    school = certified[0]
    report = edition(BACCARAT).report("rack-card").pdf()
    assert refusal(school.verify, report).code == "not-a-certificate"
    assert refusal(school.verify, b"nothing").code == "bad-report"


def test_without_a_key_nothing_is_signed(school, watch, tmp_path):
    number, _ = sat(school, watch)
    school.keys = Keyring(tmp_path / "elsewhere" / "house.key")
    assert refusal(school.certificate, DAN, number).code == "key-missing"


# Apart from the money


def test_the_school_leaves_journal_and_audit_as_they_are(tmp_path, watch):
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS)
    before, state = pit.floor.store.head(), pit.floor.refresh()
    pit.floor.keys.make(HEADS)
    school = School(pit.floor.store, pit.floor.keys, watch)
    school.add_course(own_course(COURSE), SUE)
    with_accounts(school)
    number, _ = sat(school, watch)
    school.certificate(DAN, number)
    school.keep("dan", BACCARAT, LearnedProgress(answers=3))
    assert pit.floor.store.head() == before and pit.floor.refresh() == state
    report = Auditor(pit.floor.store).run()
    assert report.flaw is None
    assert Floor(Store(pit.url), pit.key_file).refresh() == state


@pytest.mark.parametrize("database", DATABASES)
def test_a_backup_has_the_school_and_a_restore_brings_it_back(school, watch, tmp_path, new_url, open_store, database):
    number, _ = sat(school, watch)
    certificate, pdf = school.certificate(DAN, number)
    school.keep("dan", BACCARAT, LearnedProgress(answers=3))
    for seq in (0, 5):  # the journal has no entry 5: what is about one that is not restored stays behind
        school.training.mend("dan", seq, "2026-05-01T12:00:00+00:00")
    file = tmp_path / "backup.db"
    backup(school.store.url, file)
    url = new_url(database)
    restore(file, url)
    again = School(open_store(url), school.keys, watch)
    assert again.results(SUE) == school.results(SUE)
    assert again.courses() == school.courses()
    assert again.progress(DAN, "dan", BACCARAT).answers == 3
    assert again.training.mended("dan") == {0}
    assert again.certificate(DAN, number) == (certificate, pdf) and again.verify(pdf).holds


@pytest.mark.parametrize("database", DATABASES)
def test_a_store_of_before_the_school_is_brought_up_to_date(database, new_url, open_store, key_file):
    url = new_url(database)
    store = open_store(url)
    Floor(store, key_file).do({"kind": "fund", "cents": 1_000}, Actor("root", "administrator"))
    head, ours = store.head(), [table for table in schema.metadata.sorted_tables if table.name.startswith("training_")]
    assert len(ours) == 5
    with store.engine.begin() as connection:
        for table in ours:
            table.drop(connection)
        connection.execute(text(f"DELETE FROM schema_version WHERE version = {len(schema.MIGRATIONS)}"))
    store.engine.dispose()
    newer = open_store(url)
    with newer.reading() as connection:
        assert {table.name for table in ours} <= set(inspect(connection).get_table_names())
    assert newer.head() == head
    School(newer).keep("dan", BACCARAT, LearnedProgress(answers=1))
    assert Auditor(newer).run().flaw is None


# Errors at real tables


def real(pit):
    return School(pit.floor.store, pit.floor.keys)


def test_a_corrected_round_is_asked_first_until_it_is_answered_rightly(tmp_path):
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS, banker=10_000, dragon_7=500)
    assert real(pit).dealt_wrong(DAN, "dan") == []
    seq = correct(pit, 1, cards=DRAGON_7).seq
    ((wrong, asked),) = real(pit).dealt_wrong(DAN, "dan", BACCARAT)
    assert (wrong.seq, wrong.how, wrong.dealer, asked.kind, asked.topic) == (seq, "correct", "dan", "pay", f"real:{seq}")
    assert asked.right == {"stake-1": "0.00", "stake-2": "200.00"}, "of the round as it really was: a push, and 40 to 1"
    assert "EZB-5b" in asked.clauses
    assert real(pit).dealt_wrong(DAN, "dan", DUKI) == [] and real(pit).dealt_wrong(EVA, "eva") == []
    assert not real(pit).answer_table(DAN, seq, {"stake-1": "100", "stake-2": "0"}).is_right
    assert len(real(pit).dealt_wrong(DAN, "dan")) == 1
    assert real(pit).answer_table(SUE, seq, asked.right).is_right, "a supervisor may try it"
    assert len(real(pit).dealt_wrong(DAN, "dan")) == 1, "but that is not the dealer's answer"
    assert real(pit).answer_table(DAN, seq, asked.right).is_right
    assert real(pit).dealt_wrong(DAN, "dan") == []
    assert refusal(real(pit).table_exercise, EVA, seq).code == "no-such-round"
    assert refusal(real(pit).table_exercise, DAN, seq - 1).code == "no-such-round"
    assert refusal(real(pit).table_exercise, DAN, 10**30).code == "no-such-round"


def test_a_mend_before_the_settlement_is_asked_when_the_round_is_over(tmp_path):
    pit = Pit(tmp_path)
    pit.bet(1, "ann", banker=10_000)
    pit.bet(2, "bob", player=5_000)
    pit.bet(3, "eve", tie=500)
    pit.no_more_bets()
    pit.card(BANKER_WINS)
    seq = pit.do("rekey", cards=PLAYER_WINS, reason="misread").seq
    assert real(pit).dealt_wrong(DAN, "dan") == []
    pit.do("settle")
    ((wrong, asked),) = real(pit).dealt_wrong(DAN, "dan")
    assert (wrong.seq, asked.kind) == (seq, "results")
    assert sorted(asked.right.values()) == ["loses", "loses", "wins"]
    order = real(pit).table_exercise(DAN, seq, "order")
    words = {option.value: option.words for option in order.asks[0].options}
    assert [words[value][:6] for value in order.right["order"].split()] == ["Seat 3", "Seat 2", "Seat 1"]
    assert real(pit).table_exercise(DAN, seq, "pay").right["stake-2"] == "50.00"
    assert refusal(real(pit).table_exercise, DAN, seq, "nothing").code == "unknown-kind"


def test_a_void_that_a_supervisor_says_is_of_whoever_is_signed_on(tmp_path):
    pit = Pit(tmp_path)
    pit.do("sign-on", EVA)
    pit.bet(1, "ann", actor=EVA, banker=10_000)
    pit.do("no-more-bets", EVA)
    pit.do("card", EVA, cards="2s 9h Kd")
    seq = pit.do("void", SUE, reason="misdeal").seq
    ((wrong, asked),) = real(pit).dealt_wrong(EVA, "eva")
    assert (wrong.seq, wrong.how, asked.kind) == (seq, "void", "results")
    dealt = [card for hand in asked.scene.hands for card in hand.cards]
    assert {"2s", "9h", "Kd"} <= set(dealt) and len(dealt) >= 4, "the cards that were out, and others after them"
    assert real(pit).dealt_wrong(DAN, "dan") == []


@pytest.mark.parametrize("edition", [PAI_GOW, BLACKJACK, DUKI])
def test_voids_before_the_end_are_dealt_to_their_end(tmp_path, edition):
    pit = Pit(tmp_path, edition, source="virtual-shoe")
    pit.do("sign-on")
    pit.bet(1, "ann", **{MAIN[edition]: 1_000})
    pit.bet(2, "bob", **{MAIN[edition]: 2_000})
    pit.no_more_bets()
    pit.do("deal")
    pit.do("void", SUE, reason="misdeal")
    ((_, asked),) = real(pit).dealt_wrong(DAN, "dan")
    assert asked.judge(asked.right).is_right
    assert len(asked.scene.seats) == 2


@pytest.mark.parametrize("edition", [PAI_GOW, BLACKJACK, DUKI])
def test_changed_bets_are_asked_in_every_game(tmp_path, edition):
    pit = Pit(tmp_path, edition, source="virtual-shoe")
    pit.do("sign-on")
    pit.bet(1, "ann", **{MAIN[edition]: 1_000})
    pit.no_more_bets()
    pit.do("deal")
    pit.do("change-bet", SUE, seat=1, wager=MAIN[edition], stake_cents=1_500, reason="counted again")
    for _ in range(9):
        if not pit.to_act:
            break
        seat = next(iter(pit.to_act))
        pit.decide(seat, CHOICE[edition] if CHOICE[edition] in pit.to_act[seat] else pit.to_act[seat][0])
    pit.do("settle")
    ((wrong, asked),) = real(pit).dealt_wrong(DAN, "dan")
    assert (wrong.how, asked.kind) == ("change-bet", "pay")
    assert "$15" in asked.asks[0].label
    assert asked.judge(asked.right).is_right


def test_a_result_that_was_keyed_over_another_is_asked_with_that_result(tmp_path):
    pit = Pit(tmp_path)
    for result, again in (("banker-win", "dragon-7"), ("player-win", "")):
        pit.bet(1, "ann", banker=10_000)
        pit.no_more_bets()
        pit.do("result", result=result)
        if again:
            seq = pit.do("result", result=again, reason="keyed wrongly").seq
        pit.do("settle")
    ((wrong, asked),) = real(pit).dealt_wrong(DAN, "dan")
    assert (wrong.seq, asked.kind, asked.right) == (seq, "pay", {"stake-1": "0.00"})
    assert ("Result", "dragon 7") in asked.scene.facts
    assert refusal(real(pit).table_exercise, DAN, seq - 1).code == "no-such-round", "a first result puts nothing right"


@pytest.mark.parametrize("seed", [1, 2])
def test_whose_an_error_was_is_told_as_the_report_of_dealers_tells_it(tmp_path, seed):
    """Random sessions with two dealers, who are signed on or not: as many errors of each as the books of the day have."""
    floor, drawn = Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), tmp_path / "key"), random.Random(seed)
    tables = house_tables(4)
    prepare(floor, tables)
    for _ in range(500):
        command, by = next_move(floor.state, drawn.choice(tables), drawn)
        if by.role == "dealer":
            by = drawn.choice((DAN, EVA))
        if drawn.random() < 0.05:
            command, by = {"kind": drawn.choice(("sign-on", "sign-off")), "table": command["table"]}, drawn.choice((DAN, EVA))
        with suppress(Refused):
            floor.do(command, by)
    for table in tables:
        if floor.state.tables[table].is_open and floor.state.tables[table].round.spots:
            floor.do({"kind": "void", "table": table, "reason": "misdeal"}, SUE)
    found, put_right = Counter(), 0
    for entry in floor.store.entries():
        if wrong := one_dealt_wrong(floor.store, entry.seq):
            found[wrong.dealer] += 1
            put_right += 1
    books = book_of(floor.store, floor.store.entry(1).day).dealers
    told = {name: sum(dealt.voids + dealt.mends + dealt.corrections for dealt in by.values()) for name, by in books.items()}
    assert put_right > 10 and {name: count for name, count in told.items() if count} == dict(found)
    asked = [exercise for name in found for _, exercise in real_of(floor).dealt_wrong(SUE, name, most=50)]
    assert len(asked) > 5 and all(exercise.judge(exercise.right).is_right for exercise in asked)


def real_of(floor):
    return School(floor.store, floor.keys)


def test_a_void_without_bets_is_no_exercise(tmp_path):
    pit = Pit(tmp_path)
    pit.do("void", SUE, reason="misdeal")
    assert real(pit).dealt_wrong(DAN, "dan") == []
