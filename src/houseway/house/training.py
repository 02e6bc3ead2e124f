"""What a house keeps of its school: progress, courses, examinations and certificates, as plain data, apart from the journal.

Nothing here is money: no entry is written, and neither chain, snapshot nor audit know of it; a backup has it. What exercises
are, and how they are judged, is said above (`houseway.train.school`); here is how it is kept, and who may see it.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from sqlalchemy import Connection, Select, Table, delete, func, insert, select, update
from sqlalchemy.engine import RowMapping

from houseway.house import schema
from houseway.house.floor import Actor
from houseway.house.keys import Key
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table.entry import canonical
from houseway.table.roles import SEES, a_role, may_not

Json = dict[str, Any]
_SEED_SAT = (
    "{person} has sat seed {seed} of this course (examination {number}) and may know its answers: name another seed, or none"
)
COURSES_MOST, NAME_MOST, LISTED_MOST = 500, 40, 200


def may_see(viewer: Actor, person: str) -> bool:
    """Whether somebody may see how a person does in the school: supervisors and administrators, and everybody himself."""
    return viewer.name == person or viewer.role in SEES["training"]


def check_may_see(viewer: Actor, person: str) -> None:
    """Refuse to show somebody how another does."""
    if not may_see(viewer, person):
        who = ", ".join(SEES["training"])
        raise Refused("role-may-not", f"{a_role(viewer.role)} may not see how {person} does (may: {who}, and {person} himself)")


@dataclass(frozen=True)
class KeptExam:
    """An examination as it is kept: what is asked, what was answered, and, once it is over, its result."""

    number: int
    person: str
    course: str
    begun: str
    content: Json
    sitting: Json
    result: Json | None = None


@dataclass(frozen=True)
class Certificate:
    """A certificate: what it says, signed by the house; `pdf_digest` is of the file that was handed out."""

    number: int
    content: Json
    public_key: str
    signature: str
    pdf_digest: str = ""

    def message(self) -> bytes:
        """What is signed."""
        return canonical(["houseway-certificate-1", self.number, self.content]).encode()

    def is_genuine(self) -> bool:
        """Whether the signature is the key's."""
        try:
            Ed25519PublicKey.from_public_bytes(bytes.fromhex(self.public_key)).verify(
                bytes.fromhex(self.signature), self.message()
            )
        except (InvalidSignature, ValueError, TypeError):
            return False
        return True

    def as_data(self) -> Json:
        """As it stands in a document."""
        signed = {"public_key": self.public_key, "signature": self.signature}
        return {"number": self.number, "content": self.content, **signed}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Certificate":
        """As it stood in a document."""
        return cls(int(data["number"]), dict(data["content"]), str(data["public_key"]), str(data["signature"]))

    @classmethod
    def signed(cls, number: int, content: Json, key: Key) -> "Certificate":
        """Signed with a key of the house."""
        unsigned = cls(number, content, key.public, "")
        signature = Ed25519PrivateKey.from_private_bytes(key.secret).sign(unsigned.message())
        return replace(unsigned, signature=signature.hex())


class Training:
    """The school's tables of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    @contextmanager
    def _changing(self, table: Table) -> Iterator[Connection]:
        """A transaction that alone changes a table: of two answers at once each finds what the other left."""
        with self.store.engine.begin() as connection:
            if connection.dialect.name == "postgresql":  # SQLite has begun by locking everything
                connection.exec_driver_sql(f"LOCK TABLE {table.name} IN SHARE ROW EXCLUSIVE MODE")
            yield connection

    # Progress

    def progress(self, person: str, edition: str) -> Json | None:
        """What somebody has learned of an edition; nothing if he never began."""
        check_names(person, edition)
        columns = schema.training_progress.c
        query = select(columns.content).where(columns.person == person, columns.edition == edition)
        with self.store.reading() as connection:
            content = connection.execute(query).scalar()
        return json.loads(content) if content else None

    def all_progress(self) -> list[tuple[str, str, Json]]:
        """What everybody has learned: person, edition, progress."""
        columns = schema.training_progress.c
        query = select(columns.person, columns.edition, columns.content).order_by(columns.person, columns.edition)
        with self.store.reading() as connection:
            return [(person, edition, json.loads(content)) for person, edition, content in connection.execute(query)]

    def keep(self, person: str, edition: str, change: Callable[[Json | None], Json], at: str) -> Json:
        """Change what somebody has learned, from what it is at this moment; what it is then."""
        table = schema.training_progress
        check_names(person, edition)
        mine = (table.c.person == person, table.c.edition == edition)
        with self._changing(table) as connection:
            before = connection.execute(select(table.c.content).where(*mine)).scalar()
            after = change(json.loads(before) if before else None)
            values = {"content": json.dumps(after), "changed": at}
            if before is None:
                connection.execute(insert(table).values(person=person, edition=edition, **values))
            else:
                connection.execute(update(table).where(*mine).values(**values))
        return after

    # Courses of the house

    def courses(self) -> dict[str, Json]:
        """The house's own courses, by id."""
        columns = schema.training_courses.c
        with self.store.reading() as connection:
            rows = connection.execute(select(columns.id, columns.content).order_by(columns.id))
            return {id_: json.loads(content) for id_, content in rows}

    def add_course(self, course: Json, by: Actor, at: str) -> None:
        """Keep a course; refused where its id is taken."""
        _check_keeper(by)
        table = schema.training_courses
        with self._changing(table) as connection:
            if connection.execute(select(table.c.id).where(table.c.id == course["id"])).first():
                raise Refused("course-id-taken", f"there is a course {course['id']}: remove that one first, or take another id")
            if connection.execute(select(func.count()).select_from(table)).scalar_one() >= COURSES_MOST:
                raise Refused("too-many-courses", f"a house has at most {COURSES_MOST} courses: remove one first")
            content = json.dumps(course)
            connection.execute(insert(table).values(id=course["id"], content=content, added_by=by.name, added_at=at))

    def remove_course(self, id_: str, by: Actor) -> None:
        """Forget a course; examinations that began go on, for they hold it."""
        _check_keeper(by)
        table = schema.training_courses
        with self._changing(table) as connection:
            if not connection.execute(delete(table).where(table.c.id == id_)).rowcount:
                raise Refused("unknown-course", f'this house has no course of its own "{id_[:60]}": only those are removed')

    # Examinations

    def begin_exam(self, person: str, course: str, begun: str, content: Json, sitting: Json) -> KeptExam:
        """Keep a new examination under the next number; of one course nobody sits two at once, and none of a seed twice."""
        table = schema.training_exams
        check_names(person)
        with self._changing(table) as connection:
            sat = connection.execute(_open_exam(person, course)).mappings().first()
            if sat is not None:
                raise Refused(
                    "exam-begun", f"{person} sits examination {sat['number']} of this course: that is handed in first"
                )
            before = select(table).where(table.c.person == person, table.c.course == course)
            for past in map(_read, connection.execute(before).mappings()):
                if past.content["seed"] == content["seed"]:
                    raise Refused("seed-sat", _SEED_SAT.format(person=person, seed=past.content["seed"], number=past.number))
            number = 1 + (connection.execute(select(func.max(table.c.number))).scalar() or 0)
            exam = KeptExam(number, person, course, begun, content, sitting)
            values = {"content": json.dumps(content), "sitting": json.dumps(sitting)}
            own = {"number": number, "person": person, "course": course, "begun": begun}
            connection.execute(insert(table).values(**own, **values, result=""))
        return exam

    def exam(self, number: int) -> KeptExam:
        """The examination of a number."""
        with self.store.reading() as connection:
            return _exam(connection, number)

    def open_exam(self, person: str, course: str) -> KeptExam | None:
        """The examination of a course that somebody has not handed in."""
        check_names(person)
        with self.store.reading() as connection:
            row = connection.execute(_open_exam(person, course)).mappings().first()
        return _read(row) if row else None

    def attempts(self, person: str, course: str) -> list[int]:
        """The numbers of all examinations of a course that somebody has begun."""
        columns = schema.training_exams.c
        query = select(columns.number).where(columns.person == person, columns.course == course).order_by(columns.number)
        with self.store.reading() as connection:
            return list(connection.execute(query).scalars())

    def change_exam(self, number: int, change: Callable[[KeptExam], KeptExam]) -> KeptExam:
        """Change how an examination stands, from how it stands at this moment; what is asked never changes."""
        table = schema.training_exams
        with self._changing(table) as connection:
            after = change(_exam(connection, number))
            values = {
                "sitting": json.dumps(after.sitting),
                "result": json.dumps(after.result) if after.result else "",
            }
            connection.execute(update(table).where(table.c.number == number).values(**values))
        return after

    def exams(self, viewer: Actor, person: str = "") -> list[KeptExam]:
        """The newest examinations that somebody may see (of a person), the newest first."""
        table = schema.training_exams
        if person:
            check_names(person)
            check_may_see(viewer, person)
        query = select(table).order_by(table.c.number.desc()).limit(LISTED_MOST)
        if whose := person or ("" if viewer.role in SEES["training"] else viewer.name):
            query = query.where(table.c.person == whose)
        with self.store.reading() as connection:
            return [_read(row) for row in connection.execute(query).mappings()]

    # Certificates

    def issue(self, exam: int, person: str, make: Callable[[int], Certificate]) -> Certificate:
        """The certificate of an examination: the one that was issued, or a new one under the next number."""
        table = schema.training_certificates
        with self._changing(table) as connection:
            if row := connection.execute(select(table).where(table.c.exam == exam)).mappings().first():
                return _certificate(row)
            number = 1 + (connection.execute(select(func.max(table.c.number))).scalar() or 0)
            certificate = make(number)
            values = {"public_key": certificate.public_key, "signature": certificate.signature, "pdf_digest": ""}
            content = json.dumps(certificate.content)
            connection.execute(insert(table).values(number=number, exam=exam, person=person, content=content, **values))
        return certificate

    def printed(self, number: int, digest: str) -> Certificate:
        """Keep the digest of the first file that a certificate was printed as: by it that file is known in later releases."""
        table = schema.training_certificates
        with self._changing(table) as connection:
            first = update(table).where(table.c.number == number, table.c.pdf_digest == "").values(pdf_digest=digest)
            connection.execute(first)
            return _certificate(connection.execute(select(table).where(table.c.number == number)).mappings().one())

    def certificate(self, number: int) -> Certificate | None:
        """The certificate of a number."""
        table = schema.training_certificates
        with self.store.reading() as connection:
            row = connection.execute(select(table).where(table.c.number == number)).mappings().first()
        return _certificate(row) if row else None

    def certificate_of(self, exam: int) -> Certificate | None:
        """The certificate of an examination, if one was issued."""
        table = schema.training_certificates
        with self.store.reading() as connection:
            row = connection.execute(select(table).where(table.c.exam == exam)).mappings().first()
        return _certificate(row) if row else None

    # Errors at real tables

    def mended(self, person: str) -> set[int]:
        """The errors at real tables, by the entry of each, that somebody has worked through."""
        columns = schema.training_mended.c
        with self.store.reading() as connection:
            return set(connection.execute(select(columns.seq).where(columns.person == person)).scalars())

    def mend(self, person: str, seq: int, at: str) -> None:
        """Somebody has answered rightly what went wrong at a table."""
        table = schema.training_mended
        with self._changing(table) as connection:
            known = connection.execute(select(table.c.seq).where(table.c.person == person, table.c.seq == seq)).first()
            if known is None:
                connection.execute(insert(table).values(person=person, seq=seq, at=at))


def check_names(*names: str) -> None:
    """Names of people and editions as every store can keep them."""
    for name in names:
        if not 0 < len(name) <= NAME_MOST or not name.isprintable():
            raise Refused("bad-name", f"{name[:NAME_MOST]!r} is no name that is kept: 1 to {NAME_MOST} letters are required")


def _check_keeper(by: Actor) -> None:
    if by.role not in SEES["training"]:
        raise may_not(by.role, "change courses", SEES["training"])


def _open_exam(person: str, course: str) -> Select[Any]:
    table = schema.training_exams
    return select(table).where(table.c.person == person, table.c.course == course, table.c.result == "").limit(1)


def _exam(connection: Connection, number: int) -> KeptExam:
    table = schema.training_exams
    row = None
    if 0 < number < 1 << 31:
        row = connection.execute(select(table).where(table.c.number == number)).mappings().first()
    if row is None:
        raise Refused("unknown-exam", f"there is no examination {number}: `houseway train exam results` lists them")
    return _read(row)


def _read(row: RowMapping) -> KeptExam:
    result = json.loads(row["result"]) if row["result"] else None
    plain = {name: row[name] for name in ("number", "person", "course", "begun")}
    return KeptExam(**plain, content=json.loads(row["content"]), sitting=json.loads(row["sitting"]), result=result)


def _certificate(row: RowMapping) -> Certificate:
    plain = {name: row[name] for name in ("number", "public_key", "signature", "pdf_digest")}
    return Certificate(content=json.loads(row["content"]), **plain)
