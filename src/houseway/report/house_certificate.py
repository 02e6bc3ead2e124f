"""`report certificate`: who passed which course of the school, signed by the house; and whether one is this house's.

What was signed stands in the document. Changed by a letter it is not what was signed; and the store still knows the result.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from houseway.house.training import Certificate, Training
from houseway.refusal import Refused
from houseway.report.asked_house import AskedOfHouse
from houseway.report.document import Block, Column, DataTable, Document, IdentityLine, Paragraph, ReportSection, Text
from houseway.report.figures import count, percent
from houseway.report.house_kinds import Checked, HouseSource

Json = dict[str, Any]
FORGED = "its signature is not of what it says: it was changed, or never signed"
WITHOUT_STORE = (
    "the signature is of the key that it names; whose key that is, and the result, only the house's own store can tell"
)


def take(source: HouseSource, options: Mapping[str, str]) -> Json:
    """The certificate as it was signed."""
    written = options["certificate"]
    number = int(written) if written.isascii() and written.isdecimal() and len(written) < 10 else 0
    certificate = Training(source.store).certificate(number)
    if certificate is None:
        raise Refused("unknown-certificate", f"this house has issued no certificate {written[:20]}: name the number of one")
    return certificate.as_data()


def alone(material: Json) -> Checked:
    """Whether what it says is what was signed."""
    return Checked(() if Certificate.from_data(material).is_genuine() else (FORGED,), (WITHOUT_STORE,))


def against(source: HouseSource, material: Json, options: Mapping[str, str]) -> Checked:
    """Whether this house has signed and issued it, and has the examination with the same result."""
    return Checked(tuple(_findings(source, Certificate.from_data(material))), ("compared with the house's store and keys",))


def _findings(source: HouseSource, shown: Certificate) -> Iterator[str]:
    if source.keys is None:
        yield "the house's keys are not at hand: whether it signed this cannot be told"
    elif shown.public_key not in source.keys.public_keys():
        yield "it was signed with a key that is not this house's"
    kept = Training(source.store).certificate(shown.number)
    if kept is None:
        yield f"this house has issued no certificate {shown.number}"
        return
    if (kept.content, kept.signature, kept.public_key) != (shown.content, shown.signature, shown.public_key):
        yield f"certificate {shown.number} of this house says otherwise"
        return
    try:
        exam = Training(source.store).exam(int(shown.content["exam"]))
    except Refused:
        yield f"examination {shown.content['exam']} is not in the store any more"
        return
    result = exam.result or {}
    then = {name: result.get(name) for name in ("asked", "right", "percent", "pass_percent")}
    then |= {"person": exam.person, "course": exam.course, "seed": exam.content["seed"]}
    for name, value in then.items():
        if shown.content[name] != value:
            yield f"{name}: {shown.content[name]} in the certificate, {value} in the store"
    if not result.get("passed"):
        yield f"examination {exam.number} was not passed"


def build(asked: AskedOfHouse) -> Document:
    """One page: who, what, when, how well, by which rules, and the signature."""
    certificate = Certificate.from_data(asked.material)
    content = certificate.content
    about = [
        IdentityLine("house", "House", str(content["house"])),
        IdentityLine("certificate", "Certificate", str(certificate.number)),
        IdentityLine("examination", "Examination", f"{content['exam']}, seed {content['seed']}"),
        IdentityLine("taught-by", "Examined by", f"Houseway {content['release']}"),
        IdentityLine("public-key", "Public key", certificate.public_key),
        IdentityLine("signature", "Signature", certificate.signature),
    ]
    return Document(
        kind=asked.kind,
        title=f"Certificate No. {certificate.number}",
        subtitle=f"{content['house']}: {content['course_name']}",
        date=asked.date,
        paper=asked.paper,
        identification=asked.identification(about),
        sections=[ReportSection(str(content["person"]), list(_page(content)))],
        inputs=asked.inputs(),
    )


def _page(content: Json) -> Iterator[Block]:
    share = Fraction(content["right"], content["asked"])
    yield Paragraph(f"{content['person']} has passed the examination of {content['course_name']} on {content['date']}.", "lead")
    minutes, seconds = divmod(content["seconds"], 60)
    rows: list[list[Text]] = [
        ["Exercises", count("asked", content["asked"])],
        ["Right", count("right", content["right"])],
        ["Score", percent("score", share, 1)],
        ["Needed to pass", percent("pass", Fraction(content["pass_percent"], 100), 0)],
        ["Time", f"{minutes}:{seconds:02} minutes of {content['minutes']}"],
        ["Examination of this course", f"No. {content['attempt']} by {content['person']}"],
        ["Seed", str(content["seed"])],
    ]
    yield DataTable((Column("Result", wide=True), Column("", "right")), rows)
    columns = (Column("Rules", wide=True), Column("Edition"), Column("Digest of"), Column("", wide=True))
    digests: list[list[Text]] = [
        [str(edition["name"]) if place == 0 else "", str(edition["id"]) if place == 0 else "", what, str(edition[what])]
        for edition in content["editions"]
        for place, what in enumerate(("content", "rules", "behaviour"))
    ]
    yield DataTable(columns, digests)
    yield Paragraph(
        "Every exercise was made, and every answer judged, by these rules; the course and the seed give the same exercises "
        "again. This page is signed by the house: `houseway train verify FILE.pdf` tells there whether it is unchanged.",
        "note",
    )
