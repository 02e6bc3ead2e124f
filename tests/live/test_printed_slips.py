"""`report slip`: three copies with all signatures, VOID on every page, proved by itself and against the store."""

import pytest
from chiprooms import CAT, GUS, SUE, ChipRoom

from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.report.asked_house import asked_of_house
from houseway.report.house_kinds import HouseSource
from houseway.report.house_slip import against, alone
from houseway.report.verify import verify_pdf


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    room = ChipRoom(tmp_path_factory.mktemp("house"))
    room.do("request-fill", SUE, pieces={"500": 10})
    room.sign("fill-2", GUS)
    room.do("void-slip", CAT, table=None, slip="fill-2", reason="too few")
    tray = room.written("tray:t1")
    room.count(tray | {"500": tray["500"] - 1})
    return HouseSource(Store(room.url, only_reads=True))


def test_a_finished_slip_has_its_pieces_and_every_signature_on_three_copies(source):
    made = asked_of_house("slip", source, {"slip": "fill-1"}, on="2026-11-18")
    page = made.html()
    for words in ("Fill slip No. 1", "Original", "Duplicate", "Triplicate"):
        assert words in page
    for name in ("sue", "gus", "cat", "dan"):
        assert page.count(f">{name}<") >= 3, name
    assert (made.figures["total"]["exact"], made.figures["pieces.10000"]["exact"]) == ("3370500", "200")


def test_void_stands_on_every_page(source):
    made = asked_of_house("slip", source, {"slip": "fill-2"}, on="2026-11-18")
    assert made.data["mark"] == "VOID" and "VOID, by cat: too few" in made.html()


def test_an_error_slip_tells_the_difference_and_its_owner(source):
    made = asked_of_house("slip", source, {"slip": "error-1"}, on="2026-11-18")
    assert made.figures["difference"]["shown"] == "-$5" and "sue answers for it" in made.html()


def test_it_is_proved_alone_and_against_the_store(source):
    made = asked_of_house("slip", source, {"slip": "fill-1"}, on="2026-11-18")
    material = made.data["inputs"]["material"]
    assert alone(material).findings == () and against(source, material, {}).findings == ()
    forged = material | {"entries": [material["entries"][0] | {"actor": "sam"}, *material["entries"][1:]]}
    assert "its hash is not of what it says" in alone(forged).findings[0]
    assert against(source, forged, {}).findings


def test_the_pdf_verifies(source):
    verified = verify_pdf(asked_of_house("slip", source, {"slip": "fill-2"}, on="2026-11-18").pdf(), None, source)
    assert verified.holds and verified.figures > 0


def test_what_is_no_slip_is_refused(source):
    with pytest.raises(Refused, match="no slip fill-99"):
        asked_of_house("slip", source, {"slip": "fill-99"}, on="2026-11-18")
