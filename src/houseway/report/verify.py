"""`report verify`: take the document out of a PDF, make it again with the program at hand, and compare figure by figure.

Three things must hold: what was made from these inputs comes out again; the pages are what the attached document prints;
and the document is one of ours at all.
"""

import io
import json
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from math import isclose
from typing import Any

from houseway.kernels.count import Progress
from houseway.refusal import Refused
from houseway.report.document import FORM
from houseway.report.house_kinds import HOUSE_KINDS, Checked, HouseSource, house_kind
from houseway.report.make import make_again
from houseway.report.printed import ATTACHED, pdf_of, printer

Json = dict[str, Any]
MOST_BYTES = 64_000_000
NOT_OURS = "it is no report of Houseway: write one with houseway report KIND EDITION -o FILE.pdf"
OF_ITS_RELEASE = {"rules", "behaviour", "system", "release", "printer"}
"""Lines of the identification that another release has otherwise."""
BYTE_FOR_BYTE = "byte for byte what the document inside prints"
_PARTS = ("form", "kind", "title", "subtitle", "mark", "date", "paper", "sections", "figures", "identification", "inputs")


@dataclass(frozen=True)
class Compared:
    """A line of the identification that says who made it: then, and at hand."""

    label: str
    then: str
    now: str


@dataclass(frozen=True)
class Verified:
    """What came out: how many figures agree, which do not, what else differs, and by whom it was made."""

    title: str
    kind: str
    figures: int
    agreeing: int
    findings: tuple[str, ...]
    made_by: tuple[Compared, ...]
    pages: str
    remarks: tuple[str, ...] = ()
    """What is no finding: what could not be checked here, and what was made known since."""

    @property
    def holds(self) -> bool:
        """Whether everything agrees."""
        return not self.findings


def verify_pdf(content: bytes, progress: Progress | None = None, source: HouseSource | None = None) -> Verified:
    """Verify the PDF with this content, a report of a house also against its store; refused where it is no report at all."""
    attached, words = _taken_out(content)
    again = _made_again(attached, progress)
    figures = list(_figures_that_differ(attached["figures"], again["figures"]))
    others = [*_passages_that_differ(attached, again), *_identity_that_differs(attached, again)]
    pages, how = _pages_that_differ(content, words, attached)
    house = _of_house(attached["inputs"], source)
    return Verified(
        title=str(attached["title"]),
        kind=str(attached["kind"]),
        figures=len(attached["figures"]),
        agreeing=len(attached["figures"]) - sum(1 for id_, _ in figures if id_ in attached["figures"]),
        findings=tuple([text for _, text in figures] + others + pages + list(house.findings)),
        made_by=tuple(_made_by(attached, again)),
        pages=how,
        remarks=house.remarks,
    )


def _made_again(attached: Json, progress: Progress | None) -> Json:
    try:
        return make_again(attached["inputs"], progress).data
    except (AttributeError, KeyError, TypeError, IndexError):  # what was never written by us has any shape
        raise Refused("bad-report", "the document inside it is damaged: what it was made from is not as we write it") from None


def _of_house(inputs: Json, source: HouseSource | None) -> Checked:
    """What follows from what was taken out of a house's journal, and whether the store still has it."""
    if inputs["kind"] not in HOUSE_KINDS:
        return Checked(remarks=("it is of an edition, not of a house: no store was looked at",) if source else ())
    kind = house_kind(inputs["kind"])
    alone = kind.alone(inputs["material"])
    if source is None:
        return alone
    compared = kind.against(source, inputs["material"], kind.chosen(inputs["options"]))
    return Checked((*alone.findings, *compared.findings), compared.remarks)


def _taken_out(content: bytes) -> tuple[Json, list[str]]:
    """The document inside a PDF, and the words on its pages."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    if not content.startswith(b"%PDF"):
        raise Refused("bad-report", "it is no PDF")
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what it finds is said once, in the refusal
    if len(content) > MOST_BYTES:
        raise Refused("bad-report", f"it is larger than {MOST_BYTES // 1_000_000} MB: no report is")
    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted:
            raise Refused("bad-report", "it is encrypted: no report is")
        attached = reader.attachments.get(ATTACHED, [])
        words = [word for page in reader.pages for word in page.extract_text().split()]
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError) as error:
        raise Refused(
            "bad-report", f"the PDF is damaged ({' '.join(str(error).split())[:100] or type(error).__name__})"
        ) from None
    if len(attached) != 1:
        raise Refused("bad-report", NOT_OURS)
    try:
        data = json.loads(attached[0])
    except (ValueError, RecursionError):
        raise Refused("bad-report", "the document inside it is damaged: it is no JSON") from None
    if not isinstance(data, dict) or "form" not in data or "inputs" not in data:
        raise Refused("bad-report", NOT_OURS)
    if data["form"] != FORM:
        raise Refused("bad-report", f"its form is {str(data['form'])[:20]}, and this release knows form {FORM} only")
    if any(part not in data for part in _PARTS) or not _has_our_shape(data):
        raise Refused("bad-report", "the document inside it is damaged: parts of it are missing")
    return data, words


def _has_our_shape(data: Json) -> bool:
    figures, identity, inputs = data["figures"], data["identification"], data["inputs"]
    return (
        isinstance(figures, dict)
        and all(isinstance(each, dict) and {"shown", "exact"} <= each.keys() for each in figures.values())
        and isinstance(identity, list)
        and all(isinstance(line, dict) and {"id", "label", "value"} <= line.keys() for line in identity)
        and isinstance(inputs, dict)
        and isinstance(inputs.get("kind"), str)
    )


def _figures_that_differ(then: Mapping[str, Json], now: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    for id_ in dict.fromkeys((*then, *now)):
        old, new = then.get(id_), now.get(id_)
        if old is None or new is None or not _agree(old, new):
            yield id_, f"figure {id_}: {_told(old)} in the report, {_told(new)} worked out"


def _agree(old: Json, new: Json) -> bool:
    """Exactly, unless the work is done in floats: then to nine digits."""
    if {**old, "exact": ""} != {**new, "exact": ""}:
        return False
    if old["exact"] == new["exact"]:
        return True
    try:
        return "." in new["exact"] and isclose(float(old["exact"]), float(new["exact"]), rel_tol=1e-9)
    except (ValueError, TypeError):
        return False


def _told(figure: Json | None) -> str:
    return "nothing" if figure is None else f"{figure['shown']} (exactly {figure['exact']})"


def _passages_that_differ(then: Json, now: Json) -> Iterator[str]:
    """Every text, row and mark that is not as it is made now, with its place; figures stand in them by their ids."""
    for part in ("title", "subtitle", "mark", "date", "kind", "paper", "sections"):
        yield from _differences(then[part], now[part], part)


def _identity_that_differs(then: Json, now: Json) -> Iterator[str]:
    """Lines that say other than the program at hand. Its digests and its printer may differ where its release does."""
    lines = [(line["id"], line["label"], line.get("of_program")) for line in then["identification"]]
    ours = [(line["id"], line["label"], line["of_program"]) for line in now["identification"]]
    for label in [line[1] for line in lines if line not in ours]:
        yield f'identification: a line "{str(label)[:60]}" that such a report does not have'
    for label in [line[1] for line in ours if lines.count(line) != ours.count(line)]:
        yield f'identification: not one line "{label}"'
    of_the_time = set() if all(_entry(then, each) == _entry(now, each) for each in ("release", "system")) else OF_ITS_RELEASE
    for line in now["identification"]:
        told = _entry(then, line["id"])
        if told != line["value"] and line["id"] not in of_the_time:
            yield f"{line['label']}: {told} in the report, {line['value']} by the program at hand"


def _entry(data: Json, id_: str) -> str:
    given = data["identification"]
    return next((str(entry.get("value")) for entry in given if isinstance(entry, dict) and entry.get("id") == id_), "nothing")


def _differences(then: Any, now: Any, where: str) -> Iterator[str]:
    if isinstance(then, dict) and isinstance(now, dict):
        for key in dict.fromkeys((*now, *then)):
            yield from _differences(then.get(key), now.get(key), f"{where}.{key}")
    elif isinstance(then, list) and isinstance(now, list):
        for place in range(max(len(then), len(now))):
            old, new = (each[place] if place < len(each) else None for each in (then, now))
            yield from _differences(old, new, f"{where}[{place}]")
    elif then != now:
        yield f"{where}: {_brief(then)} in the report, {_brief(now)} now"


def _brief(value: Any) -> str:
    text = "nothing" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f'"{text[:80]}{"..." if len(text) > 80 else ""}"' if value is not None else text


def _pages_that_differ(content: bytes, words: list[str], attached: Json) -> tuple[list[str], str]:
    """Whether the pages are what the attached document prints: to the byte, where the same printer is at hand."""
    import typst

    try:
        printed = pdf_of(attached)
    except (typst.TypstError, KeyError, TypeError, ValueError, AttributeError) as error:
        return [f"the document inside it cannot be printed: {' '.join(str(error).split())[:100]}"], "not compared"
    if printed == content:
        return [], BYTE_FOR_BYTE
    _, expected = _taken_out(printed)
    changed = [
        f"on the pages: {_brief(' '.join(words[a:b])) if b > a else 'nothing'} where the document inside prints "
        f"{_brief(' '.join(expected[c:d])) if d > c else 'nothing'}"
        for what, a, b, c, d in SequenceMatcher(None, words, expected, autojunk=False).get_opcodes()
        if what != "equal"
    ]
    if changed:
        return changed, "not what the document inside prints"
    if _entry(attached, "printer") == printer():
        return ["the pages have the right words, but are not byte for byte what the document inside prints"], "altered"
    return [], f"the words are what the document inside prints (set by another printer: {printer()} is at hand)"


def _made_by(then: Json, now: Json) -> Iterator[Compared]:
    for entry in now["identification"]:
        if entry["of_program"]:
            yield Compared(entry["label"], _entry(then, entry["id"]), entry["value"])
