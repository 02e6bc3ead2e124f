"""The school in a terminal: exercises as text, answers as they are typed, verdicts with their steps and clauses."""

import json
import random
import secrets
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any, TypeVar

from houseway.api import Rulebook
from houseway.cli.live import actor_of, key_file, open_floor, store_url
from houseway.cli.text import FloorFormat, chosen_settings, show_json
from houseway.house.clock import steady_seconds
from houseway.house.floor import Actor, now
from houseway.house.keys import Keyring
from houseway.house.store import Store
from houseway.money import dollars
from houseway.refusal import Refused, number_of, one_of
from houseway.report.files import check_place, write_whole
from houseway.table.bound import as_text
from houseway.train.courses import OF_EDITIONS, CoursePart, TrainingCourse, built_in_courses
from houseway.train.deals import Lesson, lesson_of
from houseway.train.exams import SEED_MOST, ExamSitting, set_examination
from houseway.train.exercise import Exercise
from houseway.train.kinds import KINDS
from houseway.train.learning import LearnedProgress, answered, exercise, name_of, next_asked, skill_map, skills_of
from houseway.train.school import School

T = TypeVar("T")
SECONDS_EACH = 12
"""What a speed round gives for an exercise."""
SPEED_MOST = 100
FORM = 1
LEAVES = {"q", "quit", "exit"}
HINTS = {
    "amount": "in dollars",
    "cards": "cards such as As Kd",
    "pieces": "such as 100x2 25x1",
    "order": "all numbers in their order",
}


class _Leave(Exception):  # noqa: N818  (a wish, not an error)
    """Whoever learns has had enough."""


def learner(who: str) -> Actor:
    """Who learns: NAME is a dealer; any other role is named."""
    actor: Actor = actor_of(who if ":" in who else f"{who}:dealer")
    return actor


def school(store: str | None) -> School:
    """The school of a house's store, with what its floor knows of sealed rounds and editions."""
    floor = open_floor(store)
    return School(floor.store, floor.keys)


# How exercises are told


def told(shown: Mapping[str, Any]) -> Iterable[str]:
    """An exercise in lines, from what is shown of it."""
    scene = shown["scene"]
    for name, value in scene["facts"]:
        yield f"  {name}: {value}"
    for hand in scene["hands"]:
        yield f"  {_hand(hand)}"
    for seat in scene["seats"]:
        bets = ", ".join(f"{wager} {dollars(cents)}" for wager, cents in seat["bets"])
        says = f"; says {', '.join(seat['says'])}" if seat["says"] else ""
        yield f"  Seat {seat['seat']}: {bets or 'no bet'}{says}"
        for hand in seat["hands"]:
            yield f"    {_hand(hand)}"
    yield shown["question"]
    for ask in shown["asks"]:
        if ask["options"]:
            yield f"  {ask['label']}:"
            yield from (f"    {option['value']:12} {option['words']}" for option in ask["options"])


def _hand(hand: Mapping[str, Any]) -> str:
    return f"{hand['owner']}: {' '.join(hand['cards'])}" + (f"  ({hand['worth']})" if hand["worth"] else "")


def explained(verdict: Mapping[str, Any]) -> Iterable[str]:
    """A verdict in lines: part by part where something was wrong, and why."""
    if not verdict["is_right"]:
        for part in verdict["parts"]:
            said = f"you said {part['given']}, " if part["given"] else "not answered, "
            yield f"  {part['label']}: " + (
                f"{part['given']}, right" if part["is_right"] else f"{said}right is {part['right']}"
            )
    for reason in verdict["why"]:
        yield f"  {reason['clause'] or '-':10} {reason['words']}"


def _typed(question: str) -> str:
    """A line that somebody types; an end of the input, or a wish to leave, ends it all."""
    try:
        line = input(question).strip()
    except EOFError:
        raise _Leave from None
    if line.lower() in LEAVES:
        raise _Leave
    return line


def ask_all(shown: Mapping[str, Any], take: Callable[[dict[str, str]], T]) -> T:
    """Ask for every part of an exercise, again as long as what is typed cannot be an answer; what it is taken as."""
    while True:
        answer = {}
        for ask in shown["asks"]:
            hint = HINTS.get(ask["form"], "")
            answer[ask["id"]] = _typed(f"{ask['label']}{f' ({hint})' if hint else ''}: ")
        try:
            return take(answer)
        except Refused as refused:
            if refused.code in {"too-late", "exam-over"}:
                raise
            print(refused.message)


def read_answers(given: Sequence[str], asks: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Answers as options of the shell: `NAME=TEXT`, or the text alone where one thing is asked."""
    names = [str(ask["id"]) for ask in asks]
    if len(given) == 1 and len(names) == 1 and not given[0].startswith(f"{names[0]}="):
        return {names[0]: given[0]}
    pairs = [text.partition("=") for text in given]
    if not all(equals for _, equals, _ in pairs):
        raise Refused("bad-answer", f"write each answer as NAME=TEXT; asked are: {', '.join(names)}")
    return {one_of("answer", name.strip(), names): text for name, _, text in pairs}


# The drill


@dataclass
class Drill:
    """Exercises for somebody, and where his progress is kept: in a house, in a file, or nowhere."""

    lesson: Lesson
    kinds: list[str]
    person: str = ""
    file: Path | None = None
    house: School | None = None

    @classmethod
    def of(
        cls,
        name: str,
        setting: list[str] | None,
        kinds: list[str],
        players: bool,
        person: str,
        file: Path | None,
        store: str | None,
    ) -> "Drill":
        """As the shell asks for it."""
        if person and file:
            raise Refused("bad-request", "--as keeps progress in a house, --progress in a file: name one of them")
        if file:
            check_place(file)  # before anything is asked, for an answer that cannot be kept is lost
            _in_file(file)
        for kind in kinds:
            one_of("kind", kind, KINDS)
        if players and not kinds:
            kinds = [kind.name for kind in KINDS.values() if kind.for_players]
            if not kinds:
                raise Refused("no-exercises", "there are no exercises for players")
        chosen = tuple(sorted(chosen_settings(None, setting).items()))
        lesson = lesson_of(as_text(Rulebook.open(name).edition.document), chosen)
        return cls(lesson, kinds, learner(person).name if person else "", file, school(store) if person else None)

    def progress(self) -> LearnedProgress:
        """What was learned so far."""
        edition = self.lesson.edition.id
        if self.house is not None:
            return self.house.progress(learner(self.person), self.person, edition)
        return (
            LearnedProgress.from_data(kept) if self.file and (kept := _in_file(self.file).get(edition)) else LearnedProgress()
        )

    def _keep(self, asked: Exercise, is_right: bool, seconds: float) -> None:
        edition = self.lesson.edition.id
        if self.house is not None:
            self.house.answered(self.person, edition, asked, is_right, seconds)
        elif self.file:
            after = answered(self.progress(), asked, is_right, seconds, now())
            content = {"form": FORM, "editions": _in_file(self.file) | {edition: after.as_data()}}
            write_whole(self.file, (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode())

    def _chosen(self, topic: str, number: int | None) -> Exercise:
        """The exercise of a number, or what comes next."""
        if number is None and not topic:
            asked = next_asked(self.lesson, self.progress(), now(), self.kinds)
            return exercise(self.lesson, asked.kind, asked.number, asked.topic)
        if len(self.kinds) != 1:
            raise Refused("bad-request", f"--topic and --number go with one --kind (known: {', '.join(KINDS)})")
        return exercise(self.lesson, self.kinds[0], secrets.randbelow(SEED_MOST) if number is None else number, topic)

    def one(self, topic: str, number: int | None, answer: list[str] | None, as_json: bool) -> bool:
        """Show one exercise as data, or judge an answer to one; whether nothing was wrong."""
        if answer and number is None:
            raise Refused("bad-request", "--answer is of one exercise: name it with --kind and --number")
        asked = self._chosen(topic, number)
        about = {"edition": self.lesson.edition.id, **asked.shown()}
        if not answer:
            show_json(about)
            return True
        verdict = asked.judge(read_answers(answer, about["asks"]))
        self._keep(asked, verdict.is_right, 0.0)
        if as_json:
            show_json(about | {"verdict": verdict.shown()})
        else:
            print("Right." if verdict.is_right else "Wrong.")
            print(*explained(verdict.shown()), sep="\n")
        return verdict.is_right

    def go_on(self, topic: str, number: int | None) -> None:
        """Exercise after exercise, until somebody has had enough; of one number, that one."""
        count = right = 0
        print(f"{self.lesson.edition.name}. q ends; {self._where()}")
        try:
            if number is None and not topic:
                count, right = self._real_rounds()
            while True:
                is_right = self._ask(self._chosen(topic, number))
                count, right = count + 1, right + is_right
                if number is not None:
                    break
        except (_Leave, KeyboardInterrupt):
            print()
        print(f"{right} of {number_of(count, 'answer')} right" if count else "Nothing was answered")

    def _where(self) -> str:
        if self.house is not None:
            return f"progress is kept for {self.person}"
        return f"progress is kept in {self.file}" if self.file else "progress is not kept (--as NAME, or --progress FILE)"

    def _ask(self, asked: Exercise) -> bool:
        print()
        print(*told(asked.shown()), sep="\n")
        began = steady_seconds()
        verdict = ask_all(asked.shown(), asked.judge)
        seconds = steady_seconds() - began
        self._keep(asked, verdict.is_right, seconds)
        print(f"{'Right' if verdict.is_right else 'Wrong'}, {seconds:.0f} seconds.")
        print(*explained(verdict.shown()), sep="\n")
        return verdict.is_right

    def _real_rounds(self) -> tuple[int, int]:
        """First the rounds that this dealer dealt and that had to be put right."""
        count = right = 0
        if self.house is None:
            return count, right
        by = learner(self.person)
        for wrong, asked in self.house.dealt_wrong(by, self.person, self.lesson.edition.id):
            print(f"\nYour own round at {wrong.table} on {wrong.day} had to be put right ({wrong.how}: {wrong.reason}).")
            print(*told(asked.shown()), sep="\n")
            verdict = ask_all(asked.shown(), partial(self.house.answer_table, by, wrong.seq))
            print("Right." if verdict.is_right else "Wrong: it comes again.")
            print(*explained(verdict.shown()), sep="\n")
            count, right = count + 1, right + verdict.is_right
        return count, right

    def against_the_clock(self, many: int, seed: int | None) -> None:
        """A speed round: so many exercises, nothing explained before the end, and what was right in time."""
        if not 1 <= many <= SPEED_MOST:
            raise Refused("bad-number", f"--speed {many}: from 1 to {SPEED_MOST} exercises")
        drawn, edition = secrets.randbelow(SEED_MOST) if seed is None else seed, self.lesson.edition
        kinds = [
            kind for kind, _ in dict.fromkeys((kind.name, kind.by_table) for kind, _ in skills_of(self.lesson, self.kinds))
        ]
        quick = [kind for kind in kinds if not KINDS[kind].by_table] or kinds
        if not quick:
            raise Refused("no-exercises", f"{edition.name} has no exercises of these kinds")
        mixed = random.Random(drawn).choices(quick, k=many)
        settings = tuple((name, value) for name, value in self.lesson.settings.items() if name in edition.approved)
        parts = tuple(CoursePart(edition.id, kind, many=mixed.count(kind), settings=settings) for kind in dict.fromkeys(mixed))
        course = TrainingCourse("speed", "Speed round", parts, 60, ceil(many * SECONDS_EACH / 60))
        document = as_text(edition.document)
        sitting = ExamSitting(set_examination(course, drawn, lambda _: document), now())
        print(f"{number_of(many, 'exercise')} of {edition.name} in {number_of(course.minutes, 'minute')}; q ends")
        sitting = _sat(sitting)
        result = sitting.hand_in(now()).result()
        for each in result["exercises"]:
            if each["is_answered"]:
                self._keep(sitting.examination.exercise(each["place"]), each["is_right"], each["seconds"])
        _tell_result(result)
        for each in result["exercises"]:
            if not each["is_right"] and each["is_answered"]:
                told_again = sitting.hand_in(now()).explained(each["place"])
                print(f"\nExercise {each['place']}:", *told(told_again), *explained(told_again["verdict"]), sep="\n")

    def show_map(self, format_: FloorFormat) -> None:
        """All skills and how well each is known."""
        skills = skill_map(self.lesson, self.progress(), now(), self.kinds)
        if format_ is not FloorFormat.TABLE:
            show_json(skills)
            return
        for skill in skills:
            asked = f"{skill['right']} of {skill['asked']} right, {skill['seconds']} s" if skill["asked"] else "not asked yet"
            due = f", due {skill['due'][:10]}" if skill["due"] else ""
            brought = ", brought from a browser" if skill["is_brought"] else ""
            print(f"{skill['level']:6} {name_of(skill['kind'], skill['topic']):48} {skill['words']}: {asked}{due}{brought}")


def _sat(sitting: ExamSitting) -> ExamSitting:
    """A speed round as far as it is answered in time."""
    try:
        for place in range(1, len(sitting.examination.questions) + 1):
            print(f"\n{place}.", *told(sitting.asked(place)), sep="\n")
            sitting = ask_all(sitting.asked(place), partial(_answered, sitting, place))
    except (_Leave, KeyboardInterrupt):
        print()
    except Refused as refused:
        if refused.code != "too-late":
            raise
        print(refused.message)
    return sitting


def _answered(sitting: ExamSitting, place: int, answer: dict[str, str]) -> ExamSitting:
    return sitting.answered(place, answer, now())


def _in_file(file: Path) -> dict[str, Any]:
    """The progress of every edition in a file; one that is not there yet has none."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["form"] != FORM:
            raise ValueError
        return dict(data["editions"])
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise Refused("no-file", f"{file} cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError):
        raise Refused("bad-progress", f"{file} holds no progress that this school has written: name another file") from None


# Courses


def _course_told(course: TrainingCourse) -> str:
    clock = f", {number_of(course.minutes, 'minute')}" if course.minutes else ", no examination"
    return f"{course.id}: {course.name}, {number_of(course.asked, 'exercise')}, {course.pass_percent} % pass{clock}"


def show_courses(edition: str, store: str | None, format_: FloorFormat) -> None:
    """The house's own courses, or those of an edition."""
    if edition:
        courses: Sequence[TrainingCourse] = built_in_courses(lesson_of(as_text(Rulebook.open(edition).edition.document)))
    else:
        courses = school(store).courses()
    if format_ is not FloorFormat.TABLE:
        show_json([course.as_data() for course in courses])
        return
    print(*map(_course_told, courses), sep="\n", end="\n" if courses else "")
    if not edition:
        own = ", ".join(f"{prefix}EDITION" for prefix in OF_EDITIONS)
        print(f"{'' if courses else 'This house has no courses of its own. '}Every edition has its own: {own}")


def show_course(id_: str, store: str | None, format_: FloorFormat) -> None:
    """What a course asks."""
    course = school(store).course(id_)
    if format_ is not FloorFormat.TABLE:
        show_json(course.as_data())
        return
    print(_course_told(course))
    for part in course.parts:
        settings = "".join(f", {name} {value}" for name, value in part.settings)
        print(f"  {part.many} x {part.kind}, {part.topic or 'any topic'}, of {part.edition}{settings}")


# Examinations


def begin_exam(course: str, who: str, seed: int | None, sits: str, store: str | None, format_: FloorFormat) -> None:
    """Begin one, and say until when it is to be handed in."""
    number, sitting = school(store).begin_exam(learner(who), course, seed, sits)
    shown = sitting.shown(sitting.begun)
    if format_ is not FloorFormat.TABLE:
        show_json({"exam": number, **shown})
        return
    until = f"{sitting.ends:%Y-%m-%d %H:%M:%S} UTC"
    print(f"Examination {number}: {shown['name']}, {number_of(shown['asked'], 'exercise')}, until {until}")
    print(f"Answer with houseway train exam answer {number} --as NAME")


def answer_exam(number: int, who: str, place: int, answer: list[str] | None, store: str | None, format_: FloorFormat) -> None:
    """Show an exercise, take an answer to it, or ask all one after the other."""
    at, by = school(store), learner(who)
    if not place:
        _answer_all(at, by, number)
        return
    shown, noticed = at.asked(by, number, place), {"notices": at.notices(by, number)}
    if not answer:
        if format_ is FloorFormat.TABLE:
            print(*noticed["notices"], *told(shown), *_to_type(shown), sep="\n")
        else:
            show_json(shown | noticed)
        return
    taken = at.answer(by, number, place, read_answers(answer, shown["asks"])) | noticed
    if format_ is FloorFormat.TABLE:
        print(*(f"{notice}\n" for notice in taken["notices"]), sep="", end="")
        print(f"Taken: {len(taken['answered'])} of {taken['asked']} answered, {_left(taken['seconds_left'])} left")
    else:
        show_json(taken)


def _to_type(shown: Mapping[str, Any]) -> Iterable[str]:
    """How the parts of an exercise are answered without a terminal, by their names."""
    yield "Answer with --answer NAME=TEXT for each of:"
    for ask in shown["asks"]:
        hint = HINTS.get(ask["form"], "")
        yield f"  {ask['id']:12} {ask['label']}{f' ({hint})' if hint else ''}"


def _left(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02} minutes"


def _answer_all(at: School, by: Actor, number: int) -> None:
    for notice in at.notices(by, number):
        print(notice)
    stands = at.result(by, number)
    try:
        for place in range(1, stands["asked"] + 1):
            if place in stands["answered"] or stands["is_over"]:
                continue
            shown = at.asked(by, number, place)
            print(f"\nExercise {place} of {stands['asked']}:", *told(shown), sep="\n")
            ask_all(shown, partial(at.answer, by, number, place))
    except (_Leave, KeyboardInterrupt):
        print()
    except Refused as refused:
        if refused.code not in {"too-late", "exam-over"}:
            raise
        print(refused.message)
    after = at.result(by, number)
    print(f"{len(after['answered'])} of {after['asked']} answered", end="")
    print(
        "; it is over" if after["is_over"] else f", {_left(after['seconds_left'])} left: houseway train exam hand-in {number}"
    )


def hand_in(number: int, who: str, store: str | None, format_: FloorFormat) -> None:
    """Hand it in, and tell what came out."""
    at, by = school(store), learner(who)
    told_result = at.hand_in(by, number) | {"notices": at.notices(by, number)}
    if format_ is not FloorFormat.TABLE:
        show_json(told_result)
        return
    for notice in told_result["notices"]:
        print(notice)
    _tell_result(told_result["result"])
    if told_result["result"]["passed"]:
        print(f"The certificate: houseway train exam certificate {number} -o FILE.pdf")


def _tell_result(result: Mapping[str, Any]) -> None:
    verdict = "passed" if result["passed"] else "not passed"
    print(f"{result['right']} of {result['asked']} right, {result['percent']} %: {verdict} ({result['pass_percent']} % needed)")
    each = f", {result['seconds_each']} seconds each" if result["seconds_each"] is not None else ""
    print(f"{_left(result['seconds'])}{each}")
    for clause, counted in result["clauses"].items():
        if counted["right"] < counted["asked"]:
            print(f"  {clause}: {counted['right']} of {counted['asked']} right")


def show_results(number: int, who: str, person: str, store: str | None, format_: FloorFormat) -> None:
    """All examinations that somebody may see, or one of them with its explanations."""
    at, by = school(store), learner(who)
    if not number:
        results = [each | {"notices": at.notices(by, each["exam"])} for each in at.results(by, person)]
        if format_ is not FloorFormat.TABLE:
            show_json(results)
            return
        for each in results:
            print(_in_a_line(each), *(f"  {notice}" for notice in each["notices"]), sep="\n")
        if not results:
            print("No examination was begun")
        return
    one = at.result(by, number) | {"notices": at.notices(by, number)}
    if format_ is not FloorFormat.TABLE:
        show_json(one)
        return
    print(_in_a_line(one), *(f"  {notice}" for notice in one["notices"]), sep="\n")
    if one["result"]:
        _tell_result(one["result"])
        for each in one["result"]["exercises"]:
            told_again = at.explained(by, number, each["place"])
            mark = "right" if each["is_right"] else "wrong"
            print(f"\nExercise {each['place']}, {mark}:", *told(told_again), *explained(told_again["verdict"]), sep="\n")


def _in_a_line(each: Mapping[str, Any]) -> str:
    result = each["result"]
    came = f"{result['percent']} %, {'passed' if result['passed'] else 'not passed'}" if result else "not handed in"
    signed = f", certificate {each['certificate']}" if each["certificate"] else ""
    return f"{each['exam']}: {each['person']}, {each['name']}, {each['begun'][:16]}: {came}{signed}"


def write_certificate(number: int, out: Path, who: str, store: str | None) -> None:
    """The PDF of a certificate."""
    if out.suffix != ".pdf":
        raise Refused("bad-file", f"{out}: a certificate is a PDF: name a file that ends so")
    certificate, pdf = school(store).certificate(learner(who), number)
    write_whole(out, pdf)
    print(f"{out} written: certificate {certificate.number} of {certificate.content['person']}")


def show_verified(file: Path, store: str | None, format_: FloorFormat) -> bool:
    """Whether a certificate holds; what does not is said."""
    from dataclasses import asdict

    try:
        content = file.read_bytes()
    except OSError as error:
        raise Refused("no-file", f"{file} cannot be read: {error.strerror or error}") from None
    opened = Store(store_url(store, must_exist=True), only_reads=True)
    try:
        verified = School(opened, Keyring(key_file(to_read=True))).verify(content)
    except Refused as refused:
        raise Refused(refused.code, f"{file}: {refused.message}") from None
    if format_ is not FloorFormat.TABLE:
        show_json({"file": str(file), "holds": verified.holds, **asdict(verified)})
        return verified.holds
    says = "is this house's, unchanged, and its results are as the house has them" if verified.holds else "does not hold"
    print(f"{verified.title} {says}")
    for finding in verified.findings:
        print(f"  {finding}")
    sys.stdout.flush()
    return verified.holds
