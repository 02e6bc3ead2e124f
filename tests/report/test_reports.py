"""Reports prove themselves: the same bytes twice, every number on a page is in the data inside, what is changed is named."""

import io
import json
import os
import re
from fractions import Fraction
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject

import houseway
from houseway.api import Rulebook
from houseway.cards import parse_cards
from houseway.games import edition_files
from houseway.refusal import Refused
from houseway.report.browsed import page_of
from houseway.report.card_art import RANKS, SUITS, card_svg
from houseway.report.document import (
    Cards,
    Column,
    DataChart,
    DataTable,
    DealtHand,
    Document,
    Heading,
    IdentityLine,
    Listing,
    Panel,
    Panels,
    Paragraph,
    ReportSection,
    Series,
    as_json,
)
from houseway.report.figures import ExactFigure, count, percent
from houseway.report.kinds import KINDS
from houseway.report.make import MadeReport
from houseway.report.paper import PAPERS
from houseway.report.parts import value_words
from houseway.report.printed import pdf_of
from houseway.report.verify import verify_pdf
from houseway.view.face import posted_as, told_to_guests

DAY = "2026-03-01"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def posting(edition="ez-baccarat-wa", **options):
    return Rulebook.open(edition).report("posting", on=DAY, **options)


def words_of(pdf: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)


def numbers_in(text: str) -> set[str]:
    return set(re.findall(r"\d[\d,./]*\d|\d", text))


def with_data_inside(pdf: bytes, data: bytes) -> bytes:
    """The same pages with other data inside."""
    writer = PdfWriter(clone_from=io.BytesIO(pdf))
    del writer.root_object["/Names"]
    writer.root_object[NameObject("/AF")] = ArrayObject()
    writer.add_attachment("report.json", data)
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


def changed(report: MadeReport, old: str, new: str) -> dict:
    text = report.json().decode()
    assert old in text
    return json.loads(text.replace(old, new))


@pytest.mark.parametrize("edition", edition_files())
@pytest.mark.parametrize("kind", KINDS)
def test_a_report_of_every_edition_has_all_its_numbers_in_its_data_and_holds(kind, edition):
    if kind == "strategy" and not Rulebook.open(edition).edition.game.face.choices:
        with pytest.raises(Refused, match="leaves the player nothing to decide"):
            Rulebook.open(edition).report(kind, on=DAY)
        return
    made = Rulebook.open(edition).report(kind, on=DAY)
    pdf = made.pdf()
    inside = PdfReader(io.BytesIO(pdf)).attachments["report.json"]
    assert inside == [made.json()]
    printed = re.sub(r"page \d+ of \d+|rules [0-9a-f]{12} ·", "", words_of(pdf))  # a digest cut short is no number
    assert numbers_in(printed) <= numbers_in(made.json().decode()) | numbers_in(
        str([f["shown"] for f in made.figures.values()])
    )
    for figure in made.figures.values():
        assert figure["shown"].split()[0] in printed
    families = {family for name in edition_files() for family in Rulebook.open(name).edition.families}
    cited = set(re.findall(rf"\b({'|'.join(families)})-[0-9L]", printed))
    assert cited <= set(Rulebook.open(edition).edition.families), (
        "a clause of another document says nothing to who reads this one"
    )
    verified = verify_pdf(pdf)
    assert verified.holds, verified.findings
    assert verified.agreeing == verified.figures == len(made.figures)
    assert made.figures or kind == "strategy"


def test_a_dealers_guide_deals_and_pays_an_example_in_the_approved_order():
    made = Rulebook.open("ez-baccarat-wa").report("procedures", on=DAY)
    paid = [figure["shown"] for id_, figure in made.figures.items() if id_.startswith("example.") and id_.endswith(".win")]
    seats = [line for line in words_of(made.pdf()).splitlines() if "Guest" in line]
    assert [seat for seat in "321" for line in seats if f"{seat}, Guest {seat}" in line][:1] == ["3"]
    won = sum(
        int(figure["exact"]) for id_, figure in made.figures.items() if id_.startswith("example.") and id_.endswith(".win")
    )
    assert len(paid) == 6 and made.figures["example.won"]["exact"] == str(won)
    assert Rulebook.open("duki-4-wa").report("procedures", on=DAY).html().count("D4P-14a") >= 2


def test_a_guide_with_settings_that_no_table_can_have_says_why_there_is_no_example():
    made = Rulebook.open("ez-baccarat-wa").report("procedures", on=DAY, decks=4, what_if=True)
    assert "there is no example" in made.html()
    assert verify_pdf(made.pdf()).holds


def test_a_strategy_has_the_chart_and_what_errors_cost():
    book = Rulebook.open("lucky-lucky-wa")
    made = book.report("strategy", on=DAY)
    edge = made.figures["strategy.house-edge-of-the-best-play"]
    from houseway.solve.solver import best_edge

    assert float(edge["exact"]) == pytest.approx(best_edge(book.edition, "blackjack", book.edition.settings()), abs=1e-12)
    tables = {section["title"]: section["blocks"][0] for section in made.data["sections"] if section["title"]}
    chart = [row[0][0] for row in tables["Pairs"]["rows"]]
    assert chart[-1] == "A,A" and tables["Pairs"]["rows"][-1][1] == ["P"]
    assert all(float(figure["exact"]) > 0 for id_, figure in made.figures.items() if id_.startswith("strategy.4."))


def test_a_house_way_is_printed_as_it_sets():
    html = Rulebook.open("ez-pai-gow-wa").report("strategy", on=DAY, house_way="foxwoods").html()
    assert "House Way of Foxwoods" in html and "row 20: pai gow" in html


@pytest.mark.parametrize("paper", ["a4", "wall"])
def test_the_same_inputs_and_date_give_the_same_bytes(paper):
    first, second = posting(paper=paper).pdf(), posting(paper=paper).pdf()
    assert first == second
    assert Rulebook.open("ez-baccarat-wa").report("posting", on="2026-03-02", paper=paper).pdf() != first


def figures_in(node) -> list:
    """The figures of a structure tree."""
    if not isinstance(node, DictionaryObject):
        return []
    kids = node.get("/K", [])
    kids = kids if isinstance(kids, list) else [kids]
    own = [node] if node.get("/S") == "/Figure" else []
    return own + [each for kid in kids for each in figures_in(kid.get_object())]


def fonts_of(reader: PdfReader) -> list:
    """Every font of every page; of a composite one, the font inside."""
    fonts = [font.get_object() for page in reader.pages for font in page["/Resources"].get("/Font", {}).values()]
    return [font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font for font in fonts]


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("posting", {}),
        ("posting", {"paper": "wall"}),
        ("rack-card", {"edge": True}),
        ("procedures", {}),
        ("submission", {}),
    ],
)
def test_a_pdf_is_archival_and_can_be_read_aloud(kind, options):
    """PDF/A-3a and PDF/UA-1, as far as that can be read from outside; veraPDF, which knows all of it, agreed on every kind."""
    reader = PdfReader(io.BytesIO(Rulebook.open("ez-baccarat-wa").report(kind, on=DAY, **options).pdf()))
    catalogue = reader.trailer["/Root"]
    about = reader.xmp_metadata.stream.get_data().decode()
    assert "<pdfaid:part>3</pdfaid:part>" in about and "<pdfaid:conformance>A</pdfaid:conformance>" in about
    assert "<pdfuaid:part>1</pdfuaid:part>" in about
    assert not reader.is_encrypted and "/ID" in reader.trailer
    assert "EZ Baccarat" in reader.metadata.title and catalogue["/ViewerPreferences"]["/DisplayDocTitle"]
    assert catalogue["/Lang"] == "en" and catalogue["/MarkInfo"]["/Marked"]
    intent = catalogue["/OutputIntents"][0].get_object()
    assert intent["/S"] == "/GTS_PDFA1" and intent["/DestOutputProfile"].get_object()["/N"] in (1, 3, 4)
    assert not {"/OpenAction", "/AA", "/AcroForm"} & catalogue.keys() and "/JavaScript" not in catalogue.get("/Names", {})
    (attached,) = catalogue["/AF"]
    assert attached.get_object()["/AFRelationship"] == "/Source"
    for font in fonts_of(reader):
        assert {"/FontFile", "/FontFile2", "/FontFile3"} & font["/FontDescriptor"].get_object().keys(), font["/BaseFont"]
    pictures = figures_in(catalogue["/StructTreeRoot"])
    assert all(picture.get("/Alt") for picture in pictures)
    assert pictures or kind not in {"procedures", "submission"}


def test_a_wall_sheet_is_one_page_and_papers_are_of_their_size():
    for name, kind in (("wall", "posting"), ("letter", "posting"), ("card", "rack-card")):
        pages = PdfReader(io.BytesIO(Rulebook.open("ez-pai-gow-wa").report(kind, on=DAY, paper=name).pdf())).pages
        width_mm, height_mm = (float(side) / 72 * 25.4 for side in (pages[0].mediabox.width, pages[0].mediabox.height))
        assert (round(width_mm, 1), round(height_mm, 1)) == (PAPERS[name].width_mm, PAPERS[name].height_mm)
        if name == "wall":
            assert len(pages) == 1


@pytest.mark.parametrize(("surrender", "is_posted"), [("none", False), ("late", True)])
def test_bj_7_a_pay_for_surrender_is_posted_only_where_there_is_one(surrender, is_posted):
    told = words_of(posting("lucky-lucky-wa", surrender=surrender).pdf())
    assert ("Player surrenders" in told) == is_posted
    assert ("There is no surrender" in told) != is_posted


def test_a_figure_changed_in_data_and_page_is_named():
    made = posting()
    data = changed(made, '"shown": "40 to 1"', '"shown": "41 to 1"')
    verified = verify_pdf(pdf_of(data))
    assert verified.agreeing == verified.figures - 1
    assert any("41 to 1 (exactly 40/1) in the report, 40 to 1 (exactly 40/1) worked out" in each for each in verified.findings)


def test_an_exact_value_changed_in_the_data_alone_is_named():
    made = posting()
    data = changed(made, '"exact": "40/1"', '"exact": "41/1"')
    findings = verify_pdf(with_data_inside(made.pdf(), as_json(data))).findings
    assert any("exactly 41/1" in each and "worked out" in each for each in findings)


def test_a_digit_changed_on_the_page_alone_is_named():
    made = posting()
    forged = with_data_inside(pdf_of(changed(made, '"shown": "40 to 1"', '"shown": "90 to 1"')), made.json())
    verified = verify_pdf(forged)
    assert verified.agreeing == verified.figures
    assert any('on the pages: "90" where the document inside prints "40"' in each for each in verified.findings)


def test_words_changed_in_data_and_page_are_named():
    verified = verify_pdf(pdf_of(changed(posting(), "No commission on winning wagers", "A commission on winning wagers")))
    assert any("A commission on winning wagers" in each for each in verified.findings)


def test_pages_that_were_drawn_over_are_not_what_the_data_prints():
    made = posting()
    verified = verify_pdf(with_data_inside(made.pdf(), made.json()))
    assert verified.findings == ("the pages have the right words, but are not byte for byte what the document inside prints",)


def _with_line(made, id_, **fields):
    """The same with a line of its identification changed, or with one more."""
    data = json.loads(made.json())
    lines = data["identification"]
    line = next((line for line in lines if line["id"] == id_), None)
    if line is None:
        lines.append({"id": id_, "of_program": False, **fields})
    else:
        line.update(fields)
    return data


@pytest.mark.parametrize(
    ("id_", "fields"),
    [
        ("approval", {"value": "Nevada, 2026-01-01"}),
        ("standing", {"value": "approved by everybody"}),
        ("rules", {"value": "0" * 64}),
        ("printer", {"value": "Typst 0.14.0, template 000000000000"}),
        ("seeds", {"label": "Certified by"}),
        ("tested", {"label": "Tested by", "value": "a laboratory, certificate 12345"}),
    ],
)
def test_what_a_report_says_of_itself_is_checked(id_, fields):
    verified = verify_pdf(pdf_of(_with_line(posting(), id_, **fields)))
    assert not verified.holds
    assert any((fields.get("label") or fields["value"]) in finding for finding in verified.findings)


def test_another_release_has_other_digests_and_another_printer():
    data = _with_line(posting(), "release", value="0.1.9")
    for id_ in ("rules", "system", "printer"):
        next(line for line in data["identification"] if line["id"] == id_)["value"] = "0" * 64
    assert verify_pdf(pdf_of(data)).holds


def test_rules_that_were_changed_say_so_on_every_page(tmp_path):
    changed_file = tmp_path / "mine.toml"
    changed_file.write_text(edition_files()["ez-baccarat-wa"].read_text().replace("40 to 1", "30 to 1"))
    data = Rulebook.open(str(changed_file)).report("posting", on=DAY).data
    assert data["mark"] == "Modified rules: other than those that were approved"
    assert posting().data["mark"] == ""


def test_letters_that_the_fonts_lack_are_printed_as_their_numbers():
    made = posting(house="王芳 Café №7 🎲")
    assert "[U+738B][U+82B3] Café №7 [U+1F3B2]" in words_of(made.pdf()).replace("\n", " ")
    assert verify_pdf(made.pdf()).holds
    assert "[U+" not in words_of(posting().pdf())


@pytest.mark.parametrize(
    "part", [{"inputs": []}, {"inputs": None}, {"inputs": {"kind": []}}, {"identification": 5}, {"inputs": {"kind": "posting"}}]
)
def test_a_document_of_any_shape_is_refused_in_one_line(part):
    made = posting()
    with pytest.raises(Refused, match="damaged"):
        verify_pdf(with_data_inside(made.pdf(), as_json(json.loads(made.json()) | part)))


def test_limits_that_the_law_does_not_allow_together_are_posted_as_such():
    assert "no more than 3 may take wagers above $5 (WAC 230-15-040, R17)" in posting().html()
    assert "Not all of this at once" not in posting(limit="tie=5-5,dragon-7=5-5,panda-8=5-5").html()


def test_who_made_it_is_told_beside_who_is_at_hand():
    rules = next(entry["value"] for entry in posting().data["identification"] if entry["id"] == "rules")
    verified = verify_pdf(pdf_of(changed(posting(), f'"value": "{rules}"', f'"value": "{"0" * 64}"')))
    told = next(line for line in verified.made_by if line.label == "Rules")
    assert (told.then, told.now) == ("0" * 64, rules)


@pytest.mark.parametrize("outside", ["casino-war", "dragon-tiger"])
def test_outside_games_and_own_editions_have_reports(outside, monkeypatch):
    monkeypatch.setenv("HOUSEWAY_GAMES", str(EXAMPLES))
    made = Rulebook.open(outside).report("posting", on=DAY)
    assert verify_pdf(made.pdf()).holds
    assert "wagers.tie.pays.tie" in made.figures


def test_an_edition_of_ones_own_is_verified_by_its_content(tmp_path):
    text = edition_files()["ez-baccarat-wa"].read_text().replace('"ez-baccarat-wa"', '"own"', 1).replace("40 to 1", "35 to 1")
    (tmp_path / "own.toml").write_text(text)
    pdf = Rulebook.open(str(tmp_path / "own.toml")).report("posting", on=DAY).pdf()
    (tmp_path / "own.toml").unlink()
    assert verify_pdf(pdf).holds
    assert "35 to 1" in words_of(pdf)


@pytest.mark.parametrize("edition", edition_files())
def test_a_guest_is_told_how_it_is_played_in_words_of_his_own(edition):
    """No switches in brackets, no readings and no clauses: what holds at this table, as it is set."""
    told = "\n".join(told_to_guests(Rulebook.open(edition).edition, Rulebook.open(edition).edition.settings()))
    assert len(told.splitlines()) >= 5 and not re.search(r"[\[\]{}]|\bR\d|\b[A-Z]{2,3}-\d|tests", told)
    assert told.splitlines()[0] in Rulebook.open(edition).report("rack-card", on=DAY).html().replace("&#39;", "'")


def test_a_guest_is_told_what_holds_at_this_table():
    book = Rulebook.open("lucky-lucky-wa").edition
    told = " ".join(told_to_guests(book, book.settings({"soft-17": "stands", "split-hands": 2, "pay-table": "6:5"})))
    assert "stands on all 17s" in told and "to two hands at most" in told and "paid 6 to 5" in told
    assert "surrender" not in told and "give up" not in told


def clauses_of(made):
    """Rules and readings as they stand in a report, by their ids."""
    blocks = [block for section in made.data["sections"] for block in section["blocks"]]
    return {block["id"]: "".join(map(str, block["text"])) for block in blocks if block["block"] == "clause"}


@pytest.mark.parametrize("kind", ["posting", "procedures"])
@pytest.mark.parametrize("edition", edition_files())
def test_what_is_posted_holds_at_this_table(edition, kind):
    """No switches in brackets and no remarks on published figures, whichever of its settings the house chooses."""
    book = Rulebook.open(edition)
    posted, shown = book.edition.game.face.posted, clauses_of(book.report(kind, on=DAY))
    assert len(shown) >= 5 and set(shown) <= {*book.edition.clauses(), *book.edition.readings}
    for setting, values in book.edition.approved.items():
        for value in values:
            settings = book.edition.settings({setting: value})
            for id_, phrases in posted.items():
                said = posted_as(id_, "", book.edition, settings)
                assert not re.search(r"[\[\]{}]|[Pp]ublished|\bR\d|combinations|tests", said), (id_, said)
                silent = not phrases or all(phrase.where for phrase in phrases)
                assert said or silent or id_ not in book.edition.clauses(), f"{id_} says nothing"
    for id_, text in shown.items():
        assert not re.search(r"\[|\]|[Pp]ublished|\d{3} hands\b|a switch", text), (id_, text)


def test_a_posting_says_what_the_house_chose():
    shown = clauses_of(posting("lucky-lucky-wa", pay_table="6:5", double="9-11", decks=2, surrender="late"))
    assert "pays 6 to 5" in shown["BJ-2"] and "9, 10 or 11" in shown["BJ-4"] and "in the shoe: 2" in shown["BJ-1"]
    assert "half the bet back" in shown["BJ-7"] and not {"LLB-10", "LLB-11"} & set(shown)
    assert "There is no surrender" in clauses_of(posting("lucky-lucky-wa"))["BJ-7"]
    pai_gow = clauses_of(posting("ez-pai-gow-wa", deal="wagered-positions", joker="full"))
    assert "Only positions with a wager" in pai_gow["EPG-7b"] and "five of a kind" in pai_gow["EPG-1"]
    assert "EPG-7b" not in clauses_of(posting("ez-pai-gow-wa"))


def test_values_of_settings_read_as_words():
    assert value_words("none-original-bets-only") == "none original bets only"
    assert (value_words("9-11"), value_words("buffer-16"), value_words(6)) == ("9-11", "buffer 16", "6")
    text = posting("lucky-lucky-wa", double="9-11").html()
    assert ">9-11<" in text
    assert "colour a Red/Black bet is on" not in posting("ez-pai-gow-wa").html()  # a guest chooses it with the bet


def test_a_posting_says_limits_aggregates_and_policies():
    made = posting("lucky-lucky-wa", aggregate="lucky-lucky=20000", limit="lucky-lucky=5-100", employees="Never.", fees="None.")
    assert made.figures["wagers.lucky-lucky.aggregate"]["shown"] == "$20,000"
    assert made.figures["wagers.lucky-lucky.most"]["shown"] == "$100"
    text = made.html()
    assert "Never." in text and "None." in text and "WAC 230-15-065" in text


def test_settings_outside_the_approval_are_marked_on_every_page():
    with pytest.raises(Refused, match="outside the approval"):
        posting(decks=4)
    assert "Outside the approval: decks 4" in words_of(posting(decks=4, what_if=True).pdf())


def test_a_rack_card_shows_the_edge_only_if_the_house_wishes():
    book = Rulebook.open("ez-baccarat-wa")
    assert "wagers.tie.edge" not in book.report("rack-card", on=DAY).figures
    edge = book.report("rack-card", on=DAY, edge=True).figures["wagers.tie.edge"]
    assert edge["shown"] == "14.36 %"
    assert Fraction(edge["exact"]) == book.odds()["tie"].house_edge


def drawn_document() -> Document:
    """A document with every block there is."""
    shares = [percent(f"edge.{place}", Fraction(place, 50), 2) for place in range(4)]
    blocks = [
        Heading("Charts"),
        Paragraph(["Of ", count("deals", 154143080), " deals"]),
        DataChart("Edges", "Four bars", list("abcd"), [Series("now", shares), Series("then", [*shares[:3], None])]),
        DataChart("Edges", "Four points", list("abcd"), [Series("now", shares)], "lines", "of a bet"),
        Cards([DealtHand("Player", parse_cards("As 10h Jk"), apart=2), DealtHand("Dealer", parse_cards("7c 7d"))]),
        Listing(["first", "second"], ordered=True),
        Panels([Panel("One", [DataTable([Column("a"), Column("b", "right")], [["x", shares[1]]], [["all", shares[2]]])])]),
    ]
    entries = [IdentityLine("edition", "Edition", "none")]
    return Document(
        "none", "Drawn", "", DAY, PAPERS["a4"], entries, [ReportSection("All", blocks), ReportSection("Next", [], True)]
    )


def test_charts_and_cards_are_drawn_from_data_with_words_for_who_sees_none():
    pdf = pdf_of(drawn_document().data())
    assert len(PdfReader(io.BytesIO(pdf)).pages) == 2
    text = words_of(pdf)
    assert "154,143,080" in text and "6.00 %" in text
    tree = str([each.get_object() for each in PdfWriter(clone_from=io.BytesIO(pdf))._objects])
    assert "Four bars" in tree and "10 of hearts" in tree and "joker" in tree
    page = page_of(drawn_document().data())
    assert 'aria-label="Four bars"' in page and 'aria-label="Player: A of spades, 10 of hearts, joker"' in page
    assert page.count("<rect class=") == 7


def test_a_chart_has_an_axis_of_round_numbers():
    chart = drawn_document().data()["sections"][0]["blocks"][2]
    assert [tick["shown"] for tick in chart["ticks"]] == ["0 %", "2 %", "4 %", "6 %"]
    assert (chart["low"], chart["high"]) == (0, 0.06)


def test_two_figures_of_one_name_are_our_mistake():
    twice = [Paragraph(ExactFigure("same", 1, "1")), Paragraph(ExactFigure("same", 2, "2"))]
    with pytest.raises(AssertionError, match="two figures are called same"):
        Document("none", "", "", DAY, PAPERS["a4"], [], [ReportSection("", twice)]).data()


def test_cards_are_those_of_the_table():
    shapes = (Path(houseway.__file__).parent / "web/static/js/shared/card-shapes.js").read_text()
    whole = re.sub(r'"\s*\+\s*"', "", shapes)
    for colour, outline in SUITS.values():
        assert f'"{outline}"' in whole and f'"{colour}"' in whole
    assert all(f'"{strokes}"' in whole for strokes in RANKS.values())
    assert all(card_svg(code).startswith("<svg") for code in ("10h", "As", "Jk"))


def test_html_needs_nothing_else_and_csv_has_every_figure(tmp_path, run):
    assert run("report", "posting", "ez-baccarat-wa", "-o", tmp_path / "p.html", "--date", DAY)[0] == 0
    page = (tmp_path / "p.html").read_text()
    assert "@media print" in page and not re.search(r'(src|href)="', page)
    made = posting(house="<b>")
    assert "&lt;b&gt;" in made.html() and "<b>:" not in made.html()
    assert made.csv().splitlines()[0] == "id,shown,exact,unit,standard_error"
    assert len(made.csv().splitlines()) == len(made.figures) + 1


def test_the_shell_writes_and_verifies(tmp_path, run, data):
    file = tmp_path / "posting.pdf"
    code, out, _ = run("report", "posting", "ez-baccarat-wa", "-o", file, "--date", DAY, "--paper", "letter", "--decks", "6")
    assert (code, out) == (0, f"{file} written: {len(posting(decks=6).figures)} figures\n")
    assert file.read_bytes() == posting(decks=6, paper="letter").pdf()
    code, out, _ = run("report", "verify", file)
    assert code == 0 and "20 of 20 figures agree" in out and "byte for byte" in out
    assert data("report", "verify", file)["holds"] is True
    file.write_bytes(pdf_of(changed(posting(), '"shown": "8 to 1"', '"shown": "9 to 1"')))
    code, out, _ = run("report", "verify", file)
    assert code == 1 and "19 of 20 figures agree" in out and "9 to 1" in out


@pytest.fixture(scope="module")
def bad_files() -> dict[str, bytes]:
    made = posting()
    pdf, blank, other = made.pdf(), PdfWriter(), io.BytesIO()
    blank.add_blank_page(100, 100)
    blank.write(other)
    blank.encrypt("secret")
    blank.write(locked := io.BytesIO())
    return {
        "text.pdf": b"hello",
        "locked.pdf": locked.getvalue(),
        "half.pdf": pdf[:5000],
        "other.pdf": other.getvalue(),
        "later.pdf": with_data_inside(pdf, as_json({**made.data, "form": 2})),
        "robbed.pdf": with_data_inside(pdf, as_json({**made.data, "inputs": {"kind": "posting"}})),
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("posting", "ez-baccarat-wa", "-o", "p.doc"), "p.doc: what is written follows the ending (known: .pdf, .html"),
        (("posting", "ez-baccarat-wa", "-o", "none/p.pdf"), "there is no folder none"),
        (("posting", "ez-baccarat-wa", "-o", "."), "what is written follows the ending"),
        (("posting", "ez-baccarat-wa", "-o", "p.pdf", "--paper", "a3"), 'unknown paper "a3"'),
        (("posting", "ez-baccarat-wa", "-o", "p.pdf", "--date", "yesterday"), '"yesterday" is not a day'),
        (("posting", "ez-baccarat-wa", "-o", "p.pdf", "--limit", "tie=1-1000"), "Tie: 1-1000 is not within $1 to $400"),
        (
            ("posting", "ez-baccarat-wa", "-o", "p.pdf", "--limit", "tie=500-100"),
            "Tie: in 500-100 the least, $500, is above the most, $100",
        ),
        (("posting", "ez-baccarat-wa", "-o", "p.pdf", "--limit", "tie"), "player=5-300"),
        (
            ("posting", "ez-baccarat-wa", "-o", "p.pdf", "--aggregate", "tie=20000"),
            "WAC 230-15-490 allows a limit from 50 to 1",
        ),
        (("posting", "ez-pai-gow-wa", "-o", "p.pdf", "--offered", "dynasty"), "needs Base wager"),
        (("rack-card", "ez-baccarat-wa", "-o", "p.pdf", "--decks", "5"), "outside the approval"),
        (("verify", "gone.pdf"), "gone.pdf cannot be read"),
        (("verify", "text.pdf"), "text.pdf: it is no PDF"),
        (("verify", "half.pdf"), "half.pdf: the PDF is damaged"),
        (("verify", "locked.pdf"), "locked.pdf: it is encrypted: no report is"),
        (("verify", "other.pdf"), "other.pdf: it is no report of Houseway"),
        (("verify", "later.pdf"), "its form is 2, and this release knows form 1 only"),
        (("verify", "robbed.pdf"), "what it was made from is damaged"),
    ],
)
def test_what_cannot_be_is_one_line_and_no_file(arguments, said, run, tmp_path, monkeypatch, bad_files):
    monkeypatch.chdir(tmp_path)
    for name, content in bad_files.items():
        Path(name).write_bytes(content)
    before = sorted(Path().iterdir())
    code, out, complaint = run("report", *arguments)
    assert (code, out) == (2, "") and said in complaint and complaint.count("\n") == 1
    assert sorted(Path().iterdir()) == before


def test_a_full_disk_leaves_what_was_there_and_no_half_file(tmp_path, monkeypatch, run):
    file = tmp_path / "p.pdf"
    file.write_text("before")

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    code, _, complaint = run("report", "posting", "ez-baccarat-wa", "-o", file)
    assert code == 2 and complaint == f"houseway: {file} cannot be written: No space left on device\n"
    assert list(tmp_path.iterdir()) == [file] and file.read_text() == "before"


def test_a_report_that_is_stopped_leaves_nothing(tmp_path, monkeypatch, run):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("houseway.report.rack_card.played_odds", stop)
    code, _, _ = run("report", "rack-card", "ez-baccarat-wa", "-o", tmp_path / "p.pdf", "--edge")
    assert code == 130
    assert list(tmp_path.iterdir()) == []


def test_every_kind_is_a_command_and_a_report_of_python(run):
    code, out, _ = run("report", "--help")
    assert code == 0 and all(kind in out for kind in (*KINDS, "verify"))
    with pytest.raises(Refused, match='unknown report "rackcard": did you mean rack-card'):
        Rulebook.open("ez-baccarat-wa").report("rackcard")
