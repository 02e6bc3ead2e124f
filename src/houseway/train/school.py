"""The school of a house: what the pages and the shell ask of it. Who may see what is checked here; the clock is the house's."""

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from houseway.games import edition_files
from houseway.house.dealt_wrong import DealtWrong, as_it_stood, dealt_wrong, one_dealt_wrong
from houseway.house.editions import built_in, digests, known_edition, registered
from houseway.house.floor import Actor, now
from houseway.house.keys import HEADS, Keyring
from houseway.house.people import People
from houseway.house.replay import PastRounds
from houseway.house.store import Store
from houseway.house.training import Certificate, KeptExam, Training, check_may_see, check_names, may_see
from houseway.refusal import Refused, one_of
from houseway.release import VERSION
from houseway.report.asked_house import asked_of_house
from houseway.report.house_kinds import HouseSource
from houseway.report.verify import BYTE_FOR_BYTE, Verified, verify_pdf
from houseway.table.bound import as_text, read_document
from houseway.table.house_rules import OPERATOR
from houseway.table.roles import SEES, a_role, may_not
from houseway.train.courses import OF_EDITIONS, TrainingCourse, built_in_course, check_course, course_from
from houseway.train.exams import SEED_MOST, Examination, ExamSitting, notices, set_examination
from houseway.train.exercise import Exercise, Verdict
from houseway.train.from_table import exercise_of_round
from houseway.train.learning import LearnedProgress, answered
from houseway.train.merged import brought

Json = dict[str, Any]
CERTIFICATE = "certificate"
"""The kind of report that a certificate is."""
WRONG_AT_ONCE = 3
"""How many rounds that were put right are asked about at once: each is folded from the journal, which may take a second."""


class School:
    """Progress, courses, examinations and certificates of a house.

    `own` are the editions that the house has registered: a house that is served knows them; else the journal is asked.
    """

    def __init__(
        self,
        store: Store,
        keys: Keyring | None = None,
        clock: Callable[[], datetime] = now,
        own: Callable[[], Mapping[str, str]] | None = None,
    ) -> None:
        self.training, self.store, self.keys, self.clock = Training(store), store, keys, clock
        self._past = PastRounds(store)
        self._own = own or (lambda: registered(store))

    def document_of(self, edition: str) -> str:
        """The content of an edition as it is now: built-in, registered here, or in the folder of one's own."""
        return built_in(edition) if edition in edition_files() else as_text(known_edition(edition, self._own()).document)

    def _at(self) -> str:
        return self.clock().isoformat(timespec="seconds")

    # Progress

    def progress(self, viewer: Actor, person: str, edition: str) -> LearnedProgress:
        """What somebody has learned of an edition."""
        check_may_see(viewer, person)
        return _progress(self.training.progress(person, edition))

    def answered(self, person: str, edition: str, exercise: Exercise, is_right: bool, seconds: float) -> LearnedProgress:
        """His progress after an answer."""
        moment = self.clock()
        change = lambda kept: answered(_progress(kept), exercise, is_right, seconds, moment).as_data()  # noqa: E731
        return LearnedProgress.from_data(self.training.keep(person, edition, change, self._at()))

    def keep(self, person: str, edition: str, progress: LearnedProgress) -> LearnedProgress:
        """Put a progress from elsewhere, such as a browser's, together with the one that is kept here; it is marked so."""
        change = lambda kept: brought(_progress(kept), progress).as_data()  # noqa: E731
        return LearnedProgress.from_data(self.training.keep(person, edition, change, self._at()))

    # Errors at real tables

    def dealt_wrong(
        self, viewer: Actor, person: str, edition: str = "", most: int = WRONG_AT_ONCE
    ) -> list[tuple[DealtWrong, Exercise]]:
        """The newest rounds that somebody dealt and that had to be put right (at tables of an edition), which he has not
        worked through yet, each with its exercise; those of which none can be made are left out."""
        check_may_see(viewer, person)
        mended, found = self.training.mended(person), list[tuple[DealtWrong, Exercise]]()
        for wrong in dealt_wrong(self.store, person):
            if len(found) == most:
                break
            if wrong.seq not in mended and (not edition or self._played(wrong) == edition):
                with suppress(Refused):
                    found.append((wrong, self._of_round(wrong)))
        return found

    def table_exercise(self, by: Actor, seq: int, kind: str = "") -> Exercise:
        """The exercise about a round that this entry put right, for whoever dealt it."""
        wrong = one_dealt_wrong(self.store, seq)
        if wrong is None or not may_see(by, wrong.dealer):
            raise Refused("no-such-round", f"entry {seq} put no round right that you have dealt")
        return self._of_round(wrong, kind)

    def answer_table(self, by: Actor, seq: int, answer: Mapping[str, str], kind: str = "") -> Verdict:
        """Judge an answer about such a round; answered rightly by whoever dealt it, it is not asked again."""
        verdict = self.table_exercise(by, seq, kind).judge(answer)
        wrong = one_dealt_wrong(self.store, seq)
        if verdict.is_right and wrong is not None and wrong.dealer == by.name:
            self.training.mend(by.name, seq, self._at())
        return verdict

    def _played(self, wrong: DealtWrong) -> str:
        opening = self.store.opening(wrong.table, wrong.end)
        return str(opening.data["command"]["edition"]) if opening else ""

    def _of_round(self, wrong: DealtWrong, kind: str = "") -> Exercise:
        return exercise_of_round(wrong, as_it_stood(self._past, wrong), kind)

    # Courses

    def courses(self) -> list[TrainingCourse]:
        """The house's own courses."""
        return [course_from(data) for data in self.training.courses().values()]

    def course(self, id_: str) -> TrainingCourse:
        """A course by its id: the house's own, or one that an edition has by itself (`dealer-EDITION`)."""
        own = {course.id: course for course in self.courses()}
        if id_ in own:
            return own[id_]
        if id_.startswith(OF_EDITIONS) and (course := built_in_course(id_, self.document_of)):
            return course
        return own[one_of("course", id_, [*own, *(f"{prefix}EDITION" for prefix in OF_EDITIONS)])]

    def add_course(self, course: TrainingCourse, by: Actor) -> None:
        """Keep a course of the house's own; all that it asks for must be here."""
        check_course(course, self.document_of)
        self.training.add_course(course.as_data(), by, self._at())

    def remove_course(self, id_: str, by: Actor) -> None:
        """Forget a course of the house's own."""
        self.training.remove_course(id_, by)

    # Examinations

    def begin_exam(self, by: Actor, course_id: str, seed: int | None = None, person: str = "") -> tuple[int, ExamSitting]:
        """Begin an examination: its number, and how it stands. Its seed is drawn; whoever may see results may begin one for
        another, and name the seed, so that many sit the same; but nobody sits one again whose answers he may have seen."""
        sits = person or by.name
        if (seed is not None or sits != by.name) and by.role not in SEES["training"]:
            may = f"may: {', '.join(SEES['training'])}"
            raise Refused(
                "role-may-not", f"{a_role(by.role)} may neither name a seed nor begin an examination for another ({may})"
            )
        if sits != by.name:
            self._check_account(sits)
        course = self.course(course_id)
        if (sat := self.training.open_exam(sits, course_id)) is not None:
            self._closed(sat)  # one whose time is over does not stand in the way
        drawn = secrets.randbelow(SEED_MOST) if seed is None else seed
        examination = set_examination(course, drawn, self.document_of)
        sitting = ExamSitting(examination, self.clock())
        begun = sitting.begun.isoformat(timespec="seconds")
        exam = self.training.begin_exam(sits, course_id, begun, examination.as_data(), sitting.as_data())
        return exam.number, sitting

    def _check_account(self, person: str) -> None:
        """Refuse to begin for somebody who could not log in to answer."""
        check_names(person)
        if People(self.store).find(person) is None:
            raise Refused("unknown-person", f'nobody here has an account "{person}": an examination is begun for one who has')

    def sitting(self, viewer: Actor, number: int) -> ExamSitting:
        """How an examination stands."""
        return _sitting(self._closed(self._seen(viewer, number)))

    def notices(self, viewer: Actor, number: int) -> list[str]:
        """What has changed since an examination began."""
        return notices(self._seen(viewer, number).content["documents"], self.document_of)

    def asked(self, by: Actor, number: int, place: int) -> Json:
        """An exercise as whoever sits the examination sees it before the end."""
        exam = self._sat_by(by, number)
        return _sitting(exam).asked(place)

    def answer(self, by: Actor, number: int, place: int, answer: Mapping[str, str]) -> Json:
        """Take an answer, the first or another one; how the examination stands then. Nothing is said of right and wrong."""
        _sitting(self._sat_by(by, number)).examination.exercise(place)  # made before anything is locked
        moment = self.clock()
        change = lambda exam: _kept(exam, _sitting(exam).answered(place, answer, moment))  # noqa: E731
        return _sitting(self.training.change_exam(number, change)).shown(moment)

    def hand_in(self, by: Actor, number: int) -> Json:
        """Hand an examination in; its result."""
        self._sat_by(by, number)
        return self._handed_in(number, self.clock())

    def explained(self, viewer: Actor, number: int, place: int) -> Json:
        """An exercise of an examination that is over, with its explanation."""
        return self.sitting(viewer, number).explained(place)

    def result(self, viewer: Actor, number: int) -> Json:
        """The result of an examination; while it goes on, how it stands."""
        return self._told(self._closed(self._seen(viewer, number)))

    def results(self, viewer: Actor, person: str = "") -> list[Json]:
        """All examinations that somebody may see, the newest first: everybody his own, supervisors those of all."""
        return [self._told(self._closed(exam)) for exam in self.training.exams(viewer, person)]

    def _seen(self, viewer: Actor, number: int) -> KeptExam:
        exam = self.training.exam(number)
        if not may_see(viewer, exam.person):  # whose it is, is nothing that others are told
            raise may_not(viewer.role, f"see examination {number}", SEES["training"])
        return exam

    def _sat_by(self, by: Actor, number: int) -> KeptExam:
        exam = self._seen(by, number)
        if exam.person != by.name:
            raise Refused("not-yours", f"examination {number} is {exam.person}'s: nobody answers for another")
        return exam

    def _closed(self, exam: KeptExam) -> KeptExam:
        """One whose time is over is handed in as it is."""
        moment = self.clock()
        if exam.result is None and (sitting := _sitting(exam)).handed_in is None and sitting.is_over(moment):
            self._handed_in(exam.number, moment)
            return self.training.exam(exam.number)
        return exam

    def _handed_in(self, number: int, moment: datetime) -> Json:
        exam = self.training.exam(number)
        if _sitting(exam).handed_in is None:
            _sitting(exam).hand_in(moment).result()  # every exercise is made before anything is locked

        def change(exam: KeptExam) -> KeptExam:
            sitting = _sitting(exam).hand_in(moment)
            return replace(_kept(exam, sitting), result=sitting.result())

        return self._told(self.training.change_exam(number, change))

    def _told(self, exam: KeptExam) -> Json:
        """An examination as it is listed: from what is kept alone, so that no later release fails to list it."""
        certificate, moment = self.training.certificate_of(exam.number), self.clock()
        course, begun = exam.content["course"], datetime.fromisoformat(exam.sitting["begun"])
        ends = begun + timedelta(minutes=course["minutes"])
        is_over = exam.sitting["handed_in"] is not None or moment > ends
        return {
            "exam": exam.number,
            "person": exam.person,
            "course": exam.course,
            "name": course["name"],
            "editions": [*exam.content["documents"]],
            "asked": len(exam.content["questions"]),
            "answered": sorted(map(int, exam.sitting["given"])),
            "pass_percent": course["pass_percent"],
            "minutes": course["minutes"],
            "begun": begun.isoformat(),
            "ends": ends.isoformat(),
            "seconds_left": 0.0 if is_over else round((ends - moment).total_seconds(), 1),
            "is_over": is_over,
            "handed_in": exam.sitting["handed_in"],
            "seed": exam.content["seed"] if exam.result else None,
            "result": exam.result,
            "certificate": certificate and certificate.number,
        }

    # Certificates

    def certificate(self, viewer: Actor, number: int) -> tuple[Certificate, bytes]:
        """The certificate of an examination that was passed, and its PDF: signed when it is first asked for."""
        exam = self._closed(self._seen(viewer, number))
        if exam.result is None:
            raise Refused("exam-not-over", f"examination {number} is not over: hand it in first")
        if not exam.result["passed"]:
            lacks = f"{exam.result['percent']} % were right, and {exam.result['pass_percent']} % pass"
            raise Refused("not-passed", f"examination {number} was not passed: {lacks}")
        certificate = self.training.certificate_of(number) or self._issued(exam)
        source = HouseSource(self.store, self.keys)
        made = asked_of_house(CERTIFICATE, source, {"certificate": str(certificate.number)}, on=certificate.content["date"])
        pdf = made.pdf()
        if not certificate.pdf_digest:
            certificate = self.training.printed(certificate.number, hashlib.sha256(pdf).hexdigest())
        return certificate, pdf

    def verify(self, pdf: bytes) -> Verified:
        """Whether a file is a certificate of this house, unchanged to the byte, and agrees with the results that are kept."""
        found = verify_pdf(pdf, source=HouseSource(self.store, self.keys))
        if found.kind != CERTIFICATE:
            raise Refused(
                "not-a-certificate", f"it is no certificate but a report ({found.kind}): `houseway report verify` reads it"
            )
        number = found.title.rpartition(" ")[2]
        kept = self.training.certificate(int(number)) if number.isascii() and number.isdecimal() else None
        is_first = kept is not None and kept.pdf_digest == hashlib.sha256(pdf).hexdigest()
        if is_first or found.pages == BYTE_FOR_BYTE or not found.holds:
            return found
        return replace(found, findings=("it is not byte for byte what this house has printed",))

    def _issued(self, exam: KeptExam) -> Certificate:
        if self.keys is None or not self.keys.has(HEADS):
            raise Refused("key-missing", "this house has no key to sign with yet: `houseway keys rotate heads` makes one")
        key, content = self.keys.newest(HEADS), self._certified(exam)
        return self.training.issue(exam.number, exam.person, lambda number: Certificate.signed(number, content, key))

    def _certified(self, exam: KeptExam) -> Json:
        """What a certificate says; whole numbers and texts only, for it is signed."""
        examination, result = Examination.from_data(exam.content), exam.result
        assert result is not None
        editions = []
        for id_, document in examination.documents.items():
            edition = read_document(document)
            content = hashlib.sha256(document.encode()).hexdigest()
            kept = {name: value for name, value in digests(edition).items() if name in {"rules", "behaviour"}}
            editions.append({"id": id_, "name": edition.name, "content": content, **kept})
        handed_in = datetime.fromisoformat(exam.sitting["handed_in"])
        return {
            "house": self._operator(),
            "person": exam.person,
            "course": exam.course,
            "course_name": examination.course.name,
            "editions": editions,
            "release": VERSION,
            "date": handed_in.date().isoformat(),
            "exam": exam.number,
            "attempt": self.training.attempts(exam.person, exam.course).index(exam.number) + 1,
            "seed": examination.seed,
            **{name: result[name] for name in ("asked", "right", "percent", "pass_percent")},
            "minutes": examination.course.minutes,
            "seconds": int(result["seconds"]),
        }

    def _operator(self) -> str:
        """What the house calls itself."""
        entries = self.store.entries_of_kinds(("house-rule",))
        told = (event for entry in entries for event in entry.data.get("events", ()))
        named = [event["value"] for event in told if event["event"] == "house-rule-set" and event["rule"] == OPERATOR.name]
        return str(named[-1] if named else OPERATOR.usual)


def _progress(kept: Json | None) -> LearnedProgress:
    return LearnedProgress.from_data(kept) if kept else LearnedProgress()


def _sitting(exam: KeptExam) -> ExamSitting:
    return ExamSitting.from_data(Examination.from_data(exam.content), exam.sitting)


def _kept(exam: KeptExam, sitting: ExamSitting) -> KeptExam:
    return replace(exam, sitting=json.loads(json.dumps(sitting.as_data())))
