"""Reports of a house: a round and a period, each with what it was made from inside, verified without the house and with it."""

import io
import json
import re
from pathlib import Path

import pytest
from pypdf import PdfReader

from houseway.house.floor import Actor, Floor
from houseway.house.keys import Keyring
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.report.asked_house import asked_of_house
from houseway.report.document import as_json
from houseway.report.house_kinds import HouseSource
from houseway.report.make import MadeReport, make_again
from houseway.report.printed import pdf_of
from houseway.report.verify import verify_pdf

DAY = "2026-03-01"
ROOT, SUE = Actor("root", "administrator"), Actor("sue", "supervisor")
DAN, CAT = Actor("dan", "dealer"), Actor("cat", "cashier")


def words_of(pdf: bytes) -> str:
    return " ".join("\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages).split())


class PlayedHouse:
    """A house with a settled round of every kind: keyed, corrected, void, from a virtual shoe, and one that is still live."""

    def __init__(self, folder: Path) -> None:
        self.url, self.key = f"sqlite:///{folder / 'house.db'}", folder / "key"
        self.floor = Floor(Store(self.url), self.key)
        self.floor.do({"kind": "fund", "cents": 10**9}, ROOT)
        for guest in ("Ann", "Ben"):
            self.floor.do({"kind": "buy-in", "guest": guest, "cents": 10**6}, CAT)
        self.open("keyed", "ez-baccarat-wa", "hand-keyed")
        self.bet("keyed", 1, "Ann", "player", 2_500)
        self.bet("keyed", 2, "Ben", "dragon-7", 500)
        self.corrected = self.dealt("keyed", "9s 7h Kd 3c")
        command = {"kind": "correct", "table": "keyed", "round": 1, "reason": "misread", "cards": "9s 7h Kd 2c", "again": 0}
        self.correction = self.floor.do(command, SUE).seq
        self.bet("keyed", 1, "Ann", "banker", 2_500)
        self.at("keyed", "no-more-bets")
        self.void = self.at("keyed", "void", SUE, reason="misdeal")
        self.open("shoe", "duki-4-wa", "virtual-shoe")
        self.bet("shoe", 1, "Ann", "ante", 1_000)
        self.bet("shoe", 2, "Ben", "ante", 2_000)
        self.at("shoe", "no-more-bets")
        self.at("shoe", "deal")
        for seat in (1, 2):
            self.at("shoe", "decide", seat=seat, choice="play")
        self.sealed = self.at("shoe", "settle")
        self.bet("shoe", 1, "Ann", "ante", 1_000)
        self.at("shoe", "no-more-bets")
        self.live = self.at("shoe", "deal")

    def at(self, table: str, kind: str, actor: Actor = DAN, **fields: object) -> int:
        return self.floor.do({"kind": kind, "table": table, **fields}, actor).seq

    def open(self, table: str, edition: str, source: str) -> None:
        self.at(table, "open", SUE, edition=edition, source=source, opener_cents=10**8)

    def bet(self, table: str, seat: int, guest: str, wager: str, cents: int) -> None:
        self.at(table, "bet", seat=seat, guest=guest, wager=wager, cents=cents)

    def dealt(self, table: str, cards: str) -> int:
        self.at(table, "no-more-bets")
        self.at(table, "card", cards=cards)
        return self.at(table, "settle")

    @property
    def source(self) -> HouseSource:
        return HouseSource(Store(self.url, only_reads=True), Keyring(self.key))

    def round(self, number: int, table: str = "") -> MadeReport:
        return asked_of_house("round", self.source, {"round": number, "table": table}, on=DAY)

    def audit(self, **period: str) -> MadeReport:
        return asked_of_house("audit", self.source, period, on=DAY)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> PlayedHouse:
    return PlayedHouse(tmp_path_factory.mktemp("house"))


@pytest.mark.parametrize("which", ["corrected", "void", "sealed"])
def test_a_round_is_settled_again_from_its_cards_without_the_house_and_compared_with_it(house, which):
    made = house.round(getattr(house, which))
    pdf = made.pdf()
    verified = verify_pdf(pdf)
    assert verified.holds, verified.findings
    assert verified.agreeing == verified.figures == len(made.figures) > 0
    assert "without the house's store" in verified.remarks[0]
    with_store = verify_pdf(pdf, source=house.source)
    assert with_store.holds, with_store.findings
    assert "compared with the house's store" in with_store.remarks[-1]
    assert "does NOT hold" not in words_of(pdf)


def test_a_round_tells_cards_wagers_steps_payments_corrections_and_hashes(house):
    made = house.round(house.corrected)
    text = words_of(made.pdf())
    end = house.floor.store.entry(house.corrected)
    for words in (
        "Round 1 at keyed",
        "Ann",
        "Dragon 7",
        "EZB-3",
        "Player has 9s Kd: 9",
        end.hash,
        "misread",
        "sue (supervisor)",
    ):
        assert words in text, words
    assert made.figures["paid.2.win"]["shown"] == "$25"
    assert made.figures["paid.won"]["exact"] == str(2_500 - 500)
    assert made.figures["corrected.1.won"]["exact"] == "-500"
    assert house.round(1, "keyed").data["sections"] == made.data["sections"], "by its number at its table"


def test_a_round_of_a_sealed_table_opens_by_what_ended_it_and_proves_its_shoe(house):
    made = house.round(house.sealed)
    text = words_of(made.pdf())
    assert "it is the one committed to, and the cards came in its order" in text
    assert any('"sealed":{' in entry["payload"] for entry in made.data["inputs"]["material"]["entries"])
    assert "Seat 1, Ann" in text and "Seat 2, Ben" in text


def test_no_card_of_a_live_round_and_no_other_money_is_in_a_report(house):
    for made in (house.round(house.sealed), house.audit()):
        inside = json.dumps(made.data)
        for card in house.floor.state.tables["shoe"].round.drawn:
            assert f'"drawn": [{card}' not in inside
        live = house.floor.store.entry(house.live)
        assert live.hash not in json.dumps(made.data["inputs"]["material"].get("entries", []))
        assert "guest:Ann" not in json.dumps(made.data["sections"])


def forged(made: MadeReport, change) -> MadeReport:
    """The report that a forger makes of other material, with everything worked out anew."""
    inputs = json.loads(as_json(made.data["inputs"]))
    change(inputs["material"])
    return make_again(inputs)


def test_a_changed_stake_is_found_though_all_else_was_made_anew(house):
    def more(material):
        entry = next(entry for entry in material["entries"] if entry["kind"] == "settle")
        entry["payload"] = entry["payload"].replace('"stake_cents":2500', '"stake_cents":9500')

    made = forged(house.round(house.corrected), more)
    assert "does NOT hold" in words_of(made.pdf())
    findings = verify_pdf(made.pdf()).findings
    assert any("its hash is not of what it says" in each for each in findings)
    assert any("paid otherwise than the journal says" in each for each in findings)


def test_changed_cards_are_found_without_the_house(house):
    def others(material):
        table = json.loads(material["table"])
        table["round"]["drawn"][0] = table["round"]["drawn"][0] - 20
        material["table"] = json.dumps(table, separators=(",", ":"))

    findings = verify_pdf(forged(house.round(house.corrected), others).pdf()).findings
    assert any("paid otherwise than the journal says" in each for each in findings)


def test_what_was_rewritten_with_its_hashes_is_found_with_the_store(house):
    def renamed(material):
        from houseway.table.entry import FIELDS, digest

        for entry in material["entries"]:
            entry["actor"] = "eve" if entry["actor"] == "dan" else entry["actor"]
            entry["hash"] = digest(entry["seq"], entry["previous"], {name: entry[name] for name in FIELDS})

    pdf = forged(house.round(house.corrected), renamed).pdf()
    assert verify_pdf(pdf).holds, "a forger who hashes anew is found with the store only, and that is said"
    findings = verify_pdf(pdf, source=house.source).findings
    assert any("an entry of the round in the report is not what the store has" in each for each in findings)


def test_a_figure_on_the_page_that_was_not_paid_is_named(house):
    made = house.round(house.corrected)
    data = json.loads(made.json())
    data["figures"]["paid.2.win"]["shown"] = "$95"
    assert any("paid.2.win: $95" in each for each in verify_pdf(pdf_of(data)).findings)


def test_an_audit_tells_the_period_the_chain_the_names_and_what_to_look_at(house):
    made = house.audit()
    pdf = made.pdf()
    verified = verify_pdf(pdf)
    assert verified.holds, verified.findings
    assert verify_pdf(pdf, source=house.source).holds
    text = words_of(pdf)
    for words in ("The journal holds, all of it", "sue", "dan", "misdeal", "EZ Baccarat (Washington)", "duki-4-wa"):
        assert words in text, words
    seq, hash_ = house.floor.store.head()
    assert f"{seq} {hash_}" in text
    assert made.figures["all.entries"]["exact"] == str(seq) == made.figures["audit.entries"]["exact"]
    assert (made.figures["all.rounds"]["exact"], made.figures["all.voids"]["exact"]) == ("2", "1")
    assert "Ann" not in [each["name"] for each in made.data["inputs"]["material"]["people"]]


def test_times_have_their_zone_and_an_audit_names_no_guest(tmp_path):
    house = PlayedHouse(tmp_path)
    house.bet("keyed", 1, "Ann", "banker", 2_500)
    house.at("keyed", "no-more-bets")
    house.at("keyed", "change-bet", SUE, seat=1, wager="banker", stake_cents=2_000, reason="late chip")
    told, period = words_of(house.round(house.corrected).pdf()), house.audit()
    assert re.search(r"Entry \d+, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, by sue", told)
    listed = [each["words"] for each in period.data["inputs"]["material"]["notable"]]
    assert any("late chip" in words for words in listed) and not any("Ann" in words for words in listed)
    assert " UTC " in words_of(period.pdf())


def test_an_audit_finds_a_flaw_and_says_so(tmp_path):
    from sqlalchemy import text

    played = PlayedHouse(tmp_path)
    with Store(played.url).engine.begin() as connection:
        connection.execute(text("DROP TRIGGER entries_no_update"))
        connection.execute(text("UPDATE entries SET actor = 'eve' WHERE seq = 5"))
    made = played.audit()
    assert int(made.figures["audit.flaws"]["exact"]) > 0
    assert "does NOT hold" in words_of(made.pdf())
    before = verify_pdf(made.pdf(), source=played.source)
    assert before.holds, before.findings


def test_an_audit_of_another_store_is_not_of_this_one(house, tmp_path):
    other = PlayedHouse(tmp_path)
    findings = verify_pdf(house.audit().pdf(), source=other.source).findings
    assert any("has not the head" in each for each in findings)


def test_days_that_do_not_add_up_are_found_without_the_house(house):
    made = house.audit()
    data = json.loads(made.json())
    data["inputs"]["material"]["days"][0]["rounds"] += 1
    assert any("all.rounds: 2" in each and "3" in each for each in verify_pdf(pdf_of(data)).findings)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("round", "999999"), "the journal has no entry 999999"),
        (("round", "3"), "entry 3 does not end a round"),
        (("round", "LIVE"), "(the round that it is of is not over)"),
        (("round", "2", "--table", "shoe"), "shoe has no round 2 that is over"),
        (("round", "x"), 'round "x" is not possible'),
        (("audit", "--day", "1999-01-01"), "the journal has no entry from 1999-01-01 to 1999-01-01 (it goes from"),
        (("audit", "--day", "1999-01-01", "--from", "1999-01-01"), "give --day, or --from and --to"),
        (("audit", "--from", "tomorrow"), '"tomorrow" is not a day'),
        (("audit", "--from", "2026-03-02", "--to", "2026-03-01"), "ends before it begins"),
        (("audit", "--store", "sqlite:///none.db"), "none.db"),
    ],
)
def test_what_cannot_be_is_one_line_and_no_file(arguments, said, house, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOUSEWAY_KEY", str(house.key))
    arguments = tuple(str(house.live) if each == "LIVE" else each for each in arguments)
    store = () if "--store" in arguments else ("--store", house.url)
    code, out, complaint = run("report", *arguments, *store, "-o", "r.pdf")
    assert (code, out) == (2, "") and said in complaint and complaint.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_the_shell_writes_and_verifies_with_the_store(house, run, data, tmp_path, monkeypatch):
    monkeypatch.setenv("HOUSEWAY_KEY", str(house.key))
    file = tmp_path / "round.pdf"
    code, out, _ = run("report", "round", house.sealed, "--store", house.url, "-o", file, "--date", DAY)
    assert (code, out) == (0, f"{file} written: {len(house.round(house.sealed).figures)} figures\n")
    code, out, _ = run("report", "verify", file)
    assert code == 0 and "figures agree" in out and "note: without the house's store" in out
    assert data("report", "verify", file, "--store", house.url)["holds"] is True


def test_a_report_of_a_house_needs_no_key(house, tmp_path):
    source = HouseSource(Store(house.url, only_reads=True), Keyring(tmp_path / "none"))
    assert asked_of_house("round", source, {"round": house.sealed}, on=DAY).data == house.round(house.sealed).data
    assert not list(tmp_path.iterdir())


def test_damaged_material_is_one_refusal(house):
    inputs = json.loads(as_json(house.round(house.corrected).data["inputs"]))
    inputs["material"] = {"seq": 1}
    with pytest.raises(Refused, match="what it was made from is damaged"):
        make_again(inputs)
