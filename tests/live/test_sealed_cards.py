"""Cards that are face down lie sealed in the journal until they are turned: for a reader of the store, an auditor, a house."""

import json
import random
import re
from dataclasses import replace

import pytest
from databases import DATABASES
from sessions import house_tables, play, prepare
from sqlalchemy import text
from test_table import BACCARAT, BLACKJACK, DUKI, MAIN, PAI_GOW, PURSE, ROOT, SUE, Pit
from test_virtual_shoe import act, deal, virtual

from houseway.cards import show_card, show_cards
from houseway.house import sealing, snapshot
from houseway.house.audit import Auditor
from houseway.house.backup import shoe_lines
from houseway.house.floor import Floor
from houseway.house.keys import SEALING, Keyring, load_or_make_key
from houseway.house.sealing import JournalReader
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table import Phase
from houseway.table.entry import Entry, canonical
from houseway.table.face_up import hides
from houseway.view import round_on_felt
from houseway.view.reader import ANYBODY

HIDING = (PAI_GOW, BLACKJACK, DUKI)
KEYED = {BLACKJACK: ("9s 8h 9d Kc",), DUKI: ("9h 9c 6s Jd 9s 9d 5h 8c",)}
every_hiding_edition = pytest.mark.parametrize("edition", HIDING)


def live(folder, edition, **opening):
    """A virtual table in a round with cards face down."""
    for number in range(20):
        pit = virtual(folder, edition, name=f"house-{number}.db", **opening)
        deal(pit, 1, 2)
        if hides(pit.table):
            return pit
    raise AssertionError("a dealer's blackjack, twenty times")


def stored(store):
    """Every payload as it lies in the store."""
    with store.reading() as connection:
        return {row.seq: row.payload for row in connection.execute(text("SELECT seq, payload FROM entries"))}


def of_the_round(pit):
    """The payloads of the present round since its cards came."""
    return [json.loads(payload) for seq, payload in stored(pit.floor.store).items() if seq in pit.table.sealed]


def rewritten(pit, change):
    """The store with other payloads, and all hashes made anew: an intruder's, who can write."""
    store, previous = Store(pit.url), (0, "0" * 64)
    with store.engine.begin() as connection:
        for trigger in ("no_update", "no_delete", "no_replace"):
            connection.execute(text(f"DROP TRIGGER entries_{trigger}"))
        for entry in list(store.as_stored()):
            data = json.loads(entry.payload)
            change(entry, data)
            fields = entry.fields() | {"payload": canonical(data)}
            chained = Entry.chained(previous, fields)
            new = {"payload": chained.payload, "previous": chained.previous, "hash": chained.hash, "seq": chained.seq}
            connection.execute(
                text("UPDATE entries SET payload = :payload, previous = :previous, hash = :hash WHERE seq = :seq"), new
            )
            previous = chained.seq, chained.hash
        connection.execute(text("UPDATE head SET hash = :hash"), {"hash": previous[1]})
    return Store(pit.url)


# A reader of the store


@every_hiding_edition
def test_a_reader_of_the_store_sees_no_card_of_a_round_with_cards_face_down(tmp_path, edition):
    pit = live(tmp_path, edition)
    payloads = of_the_round(pit)
    assert payloads
    for data in payloads:
        assert data.keys() == {"salt", "form", "transfers", "sealed", "felt"}
        assert data["sealed"].keys() == {"key", "salt", "content", "commitment"}
        assert data["felt"].keys() == {"held", "early_paid", "out", "win_cents"}


@pytest.mark.parametrize("edition", list(KEYED))
def test_keyed_cards_and_their_corrections_are_sealed_as_well(tmp_path, edition):
    pit = Pit(tmp_path, edition)
    pit.bet(1, "ann", **{MAIN[edition]: 10_000})
    pit.no_more_bets()
    pit.card(*KEYED[edition])
    pit.do("correct-card", place=1, card="2c", reason="misread")
    assert len(pit.table.sealed) == 2
    assert all("command" not in data and "events" not in data for data in of_the_round(pit))
    pit.check()


def test_what_lies_face_up_stays_in_the_clear(tmp_path):
    pit = virtual(tmp_path, BACCARAT)
    entry = deal(pit, 1)
    assert json.loads(entry.payload)["drawn"] == entry.data["drawn"] != ""
    assert pit.table.sealed == ()


@every_hiding_edition
def test_money_and_seats_stay_in_the_clear_while_cards_are_face_down(tmp_path, edition):
    pit = live(tmp_path, edition)
    entry = pit.do("sit", SUE, seat=5, guest="eve")
    assert json.loads(entry.payload)["command"]["guest"] == "eve"
    entry = pit.do("fill", SUE, cents=100)
    assert json.loads(entry.payload)["command"]["cents"] == 100
    pit.check()


@every_hiding_edition
def test_what_is_sealed_has_the_same_length_whatever_the_cards_are(tmp_path, edition):
    lengths = set()
    for number in range(12):
        pit = virtual(tmp_path, edition, name=f"{number}.db")
        pit.bet(1, "ann", **{MAIN[edition]: 10_000})
        pit.no_more_bets()
        pit.do("deal")
        if pit.to_act and all(sorted(allowed) == sorted(next(iter(pit.to_act.values()))) for allowed in pit.to_act.values()):
            choices = tuple(pit.to_act.values())
            lengths |= {(choices, len(data["sealed"]["content"])) for data in of_the_round(pit)}
    assert len({length for _, length in lengths}) <= len({choices for choices, _ in lengths})


def test_a_refused_attempt_tells_nothing_while_cards_are_face_down(tmp_path):
    pit = live(tmp_path, BLACKJACK)
    with pytest.raises(Refused):
        pit.do("void", SUE, reason="no such reason")
    *_, attempt = pit.floor.store.entries()
    assert attempt.kind == "attempt"
    assert attempt.data["message"] == "cards lie face down: what was refused is not told"
    assert attempt.data["code"]


# What is face up is what the view shows


@pytest.mark.parametrize("seed", range(3))
def test_cards_are_sealed_exactly_while_the_view_shows_a_card_face_down(tmp_path, seed, monkeypatch):
    """Over random sessions of every edition, at every entry."""
    floor, tables = Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), tmp_path / "key"), house_tables(6)
    prepare(floor, tables)
    looked, down = 0, 0
    carry_out = floor.do

    def look(*given, **named):
        nonlocal looked, down
        entry = carry_out(*given, **named)
        table = floor.state.tables.get(entry.table)
        if table is not None and not table.spoiled:
            felt = round_on_felt(table, ANYBODY)
            hands = [*felt["dealer"], *(hand for seat in felt["seats"] for hand in seat["hands"])]
            shown_down = any(card is None for hand in hands for card in hand["cards"])
            assert hides(table) or not shown_down  # hands without a wager are not even shown
            assert shown_down or not hides(table) or table.edition == PAI_GOW
            looked, down = looked + 1, down + shown_down
            if "sealed" in entry.data:
                assert hides(table)
        return entry

    monkeypatch.setattr(floor, "do", look)
    play(floor, random.Random(seed), tables, 250)
    assert looked > 200 and down > 5


# Everybody, when the round is over


@every_hiding_edition
def test_with_the_journal_alone_everybody_opens_and_settles_past_rounds(tmp_path, edition):
    pit = live(tmp_path, edition)
    sealed, drawn = pit.table.sealed, pit.round.drawn
    act(pit)
    pit.do("settle")
    assert pit.table.sealed == ()
    store = Store(pit.url)
    report = Auditor(store).run()
    assert (report.flaw, report.sealed, store.sealing) == (None, {}, None)
    opened = {entry.seq: entry for entry in JournalReader(store.entries(), store.next_opening)}
    assert " ".join(opened[seq].data["drawn"] for seq in sealed).split()[: len(drawn)] == show_cards(drawn).split()
    assert not any(entry.is_sealed for entry in opened.values())
    pit.check()


@every_hiding_edition
def test_cards_are_opened_when_they_are_turned_not_only_at_the_settlement(tmp_path, edition):
    pit = live(tmp_path, edition)
    act(pit)
    assert pit.round.phase == Phase.READY
    assert pit.table.sealed == ()
    assert Auditor(Store(pit.url)).run().sealed == {}


@every_hiding_edition
def test_a_void_opens_what_was_sealed(tmp_path, edition):
    pit = live(tmp_path, edition)
    sealed = pit.table.sealed
    entry = pit.do("void", SUE, reason="power-failure")
    assert set(entry.data["openings"]) == {str(seq) for seq in sealed}
    assert Auditor(Store(pit.url)).run().flaw is None


def test_openings_are_found_however_far_the_round_went_on(tmp_path, monkeypatch):
    pit = live(tmp_path, DUKI)
    for _ in range(7):
        pit.do("fill", SUE, cents=100)
    act(pit)
    pit.do("settle")
    store = Store(pit.url)
    whole = [entry.data for entry in JournalReader(store.entries(), store.next_opening)]
    monkeypatch.setattr(sealing, "_AHEAD", 2)
    assert [entry.data for entry in JournalReader(store.entries(), store.next_opening)] == whole
    assert Auditor(store).run().flaw is None


# An auditor


@every_hiding_edition
def test_an_auditor_without_the_key_says_what_is_sealed_and_checks_all_else(tmp_path, edition):
    pit = live(tmp_path, edition)
    pit.do("fill", SUE, cents=100)
    report = Auditor(Store(pit.url)).run()
    assert report.flaw is None
    assert report.sealed == {"t1": len(pit.table.sealed)}
    assert any(remark.startswith("t1: the cards of its present round are sealed (") for remark in report.remarks)
    whole = Auditor(Store(pit.url), sealing=pit.floor.sealing).run()
    assert (whole.flaw, whole.sealed) == (None, {})


@pytest.mark.parametrize("other", ["0" * 64, "no key", 7, None])
def test_a_wrong_opening_is_a_flaw_of_the_entry_that_holds_it(tmp_path, other):
    pit = live(tmp_path, DUKI)
    entry = pit.do("void", SUE, reason="power-failure")

    def change(at, data):
        if at.seq == entry.seq:
            data["openings"] = dict.fromkeys(data["openings"], other)

    for given in ({}, {"sealing": pit.floor.sealing}):
        flaws = Auditor(rewritten(pit, change) if not given else Store(pit.url), **given).run().flaws
        assert (flaws[0].seq, "does not open what was sealed" in flaws[0].what) == (entry.seq, True)


def test_an_opening_that_is_left_out_is_a_flaw(tmp_path):
    pit = live(tmp_path, DUKI)
    sealed, entry = pit.table.sealed, pit.do("void", SUE, reason="power-failure")
    store = rewritten(pit, lambda at, data: data.pop("openings", None))
    flaws = Auditor(store, sealing=pit.floor.sealing).run().flaws
    assert [flaw.seq for flaw in flaws] == [entry.seq]
    assert f"cards stay sealed: entry {', '.join(map(str, sealed))}" in flaws[0].what


def test_other_cards_than_those_committed_to_are_found_by_whoever_opens_them(tmp_path):
    """An intruder with the sealing key seals other cards under the same commitment."""
    pit = live(tmp_path, DUKI)
    first = pit.table.sealed[0]
    act(pit)
    pit.do("settle")

    def change(at, data):
        if at.seq == first:
            own = pit.floor.sealing.own_key(data["sealed"])
            content = sealing.open_content(data["sealed"], bytes.fromhex(own)).replace(b'"dice":0', b'"dice":1')
            cipher = sealing.AESGCM(bytes.fromhex(own)).encrypt(sealing._NONCE, content, sealing._MARK)
            data["sealed"]["content"] = sealing.base64.b64encode(cipher).decode()

    flaw = Auditor(rewritten(pit, change)).run().flaw
    assert "does not open what was sealed" in flaw.what


def test_altered_seals_of_a_live_round_are_found_with_the_key(tmp_path):
    pit = live(tmp_path, DUKI)
    first = pit.table.sealed[0]

    def change(at, data):
        if at.seq == first:
            data["sealed"]["content"] = "AAAA" + data["sealed"]["content"][4:]

    flaw = Auditor(rewritten(pit, change), sealing=pit.floor.sealing).run().flaw
    assert (flaw.seq, "were altered" in flaw.what) == (first, True)


# The house, with its key and without


@pytest.mark.parametrize("database", DATABASES)
def test_another_floor_with_the_key_goes_on_with_the_round(new_url, open_floor, key_file, database):
    floor, tables = open_floor(new_url(database)), house_tables(4)
    prepare(floor, tables)
    chance = random.Random(11)
    play(floor, chance, tables, 160)
    while not any(table.sealed for table in floor.state.tables.values()):  # the shoes are not of our seed
        play(floor, chance, tables, 10)
    second = Floor(Store(floor.store.url), key_file)
    assert second.refresh() == floor.state
    play(second, random.Random(12), tables, 60)
    assert floor.refresh() == second.state
    report = Auditor(Store(floor.store.url)).run()
    assert report.flaw is None
    assert set(report.sealed) == {table.name for table in floor.state.tables.values() if table.sealed}


@every_hiding_edition
def test_a_round_whose_key_is_not_here_stands_still_and_can_be_voided_to_the_cent(tmp_path, edition):
    pit = live(tmp_path, edition)
    sealed = pit.table.sealed
    load_or_make_key(tmp_path / "foreign.key")
    pit.floor = Floor(Store(pit.url), tmp_path / "foreign.key")
    pit.floor.refresh()
    for kind, fields in (("decide", {"seat": 1, "choice": "stand"}), ("settle", {}), ("resolve", {"reason": "found"})):
        refused = pit.refused(kind, SUE, **fields)
        assert (refused.code, "void the round" in refused.message) == ("seal-broken", True)
    entry = pit.do("void", SUE, reason="power-failure")
    assert (pit.purse("ann"), pit.felt, pit.round.phase) == (PURSE, 0, Phase.BETTING)
    assert entry.data["unopened"] == list(sealed)
    flaws = Auditor(Store(pit.url)).run().flaws
    assert flaws[0].seq == entry.seq and "cards stay sealed" in flaws[0].what  # a lost key is never passed over
    assert all("shoe" in flaw.what for flaw in flaws[1:])  # nor is the shoe that it sealed


def test_a_command_that_is_repeated_with_its_key_finds_its_sealed_entry(tmp_path):
    pit = virtual(tmp_path, DUKI)
    pit.bet(1, "ann", ante=1000)
    pit.no_more_bets()
    first = pit.do("deal", key="once")
    assert pit.do("deal", key="once").data == first.data
    assert first.data["drawn"]


@every_hiding_edition
def test_entries_that_were_written_in_the_clear_still_fold(tmp_path, edition, monkeypatch):
    """A journal of before: the round goes on, and what comes now is sealed."""
    with monkeypatch.context() as before:
        before.setattr("houseway.house.floor.hides", lambda table: False)
        pit = virtual(tmp_path, edition)
        deal(pit, 1, 2)
        assert pit.table.sealed == ()
    pit.check()
    act(pit)
    pit.do("settle")
    pit.check()
    assert Auditor(Store(pit.url)).run().flaw is None


# Rotation


@every_hiding_edition
def test_a_rotated_key_opens_the_round_that_the_old_one_sealed(tmp_path, edition):
    pit = live(tmp_path, edition)
    keys = Keyring(pit.key_file)
    old, new = keys.newest(SEALING), keys.rotate(SEALING)
    assert [key.fingerprint for key in keys.all(SEALING)] == [old.fingerprint, new.fingerprint]
    act(pit)
    pit.do("settle")
    deal(pit, 1)
    sealed = [data["sealed"]["key"] for data in of_the_round(pit)]
    assert sealed == [new.fingerprint] * len(sealed)
    pit.check()
    assert Auditor(Store(pit.url)).run().flaw is None
    pit.key_file.write_text(new.secret.hex() + "\n")
    fresh = Floor(Store(pit.url), pit.key_file)  # what the old one sealed is over, and so it is not needed for it
    assert fresh.refresh() == pit.floor.state


# Snapshots


def test_a_snapshot_with_cards_face_down_is_sealed_and_cannot_be_guessed(tmp_path, monkeypatch):
    monkeypatch.setattr(snapshot, "EVERY", 5)
    pit = live(tmp_path, DUKI)
    while not (snapshots := [entry for entry in pit.floor.store.entries() if entry.kind == snapshot.SNAPSHOT][-1:]):
        pit.do("fill", SUE, cents=100)
    for _ in range(6):
        pit.do("fill", SUE, cents=100)
    (newest,) = [entry for entry in pit.floor.store.entries() if entry.kind == snapshot.SNAPSHOT][-1:]
    assert snapshots and newest.data.keys() == {"shape", "seal"}
    with pit.floor.store.reading() as connection:
        content = connection.execute(text("SELECT content FROM snapshots ORDER BY seq DESC")).first()[0]
    assert re.fullmatch(r"[A-Za-z0-9+/=]+", content)
    assert "tray" not in content
    other = Floor(Store(pit.url), pit.key_file)
    assert other.seq == newest.seq
    assert other.refresh() == pit.floor.state
    assert Auditor(Store(pit.url)).run().sealed_snapshots >= 1
    assert Auditor(pit.floor.store).run().sealed_snapshots == 0


def test_an_audit_with_the_key_finds_a_sealed_snapshot_of_another_state(tmp_path):
    pit = live(tmp_path, DUKI)
    other = replace(pit.floor.state, balances={**pit.floor.state.balances, "cage": 1})
    told, content = snapshot.taken(other, pit.floor.sealing)
    with pit.floor.store.writing() as writer:
        pit.floor._append(writer, snapshot.SNAPSHOT, "", ROOT, "", told, [])
        writer.put_snapshot(pit.floor.seq, content)
    assert "not the state of its moment" in Auditor(pit.floor.store).run().flaw.what


# Exports and what the shell prints


@every_hiding_edition
def test_no_export_tells_a_card_that_is_face_down(tmp_path, edition):
    pit = live(tmp_path, edition)
    assert not [line for line in shoe_lines(pit.floor.store) if line["kind"] == "cards-drawn" and not line.get("burned")]
    act(pit)
    pit.do("settle")
    drawn = [card for line in shoe_lines(Store(pit.url)) if line["kind"] == "cards-drawn" for card in line["cards"]]
    assert drawn[-len(pit.table.last.drawn) :] == [show_card(card) for card in pit.table.last.drawn]


def test_the_shell_prints_no_card_that_is_face_down(bare_shell):
    bare_shell("cage fund 100000")
    bare_shell("cage buy-in 2000 --guest ann")
    bare_shell("table open d1 --edition duki-4-wa --opener 20000 --source virtual-shoe")
    bare_shell("table bet d1 ante=10 --guest ann --seat 1")
    bare_shell("table no-more-bets d1")
    dealt = bare_shell("table deal d1 --format json")
    told = json.loads(dealt)
    assert "drawn" not in told and told["sealed"]
    card = re.compile(r"(?<![A-Za-z0-9])(?:10|[2-9AKQJ])[shdc](?![A-Za-z0-9])")
    exports = [bare_shell(f"journal export --format {name}") for name in ("jsonl", "csv", "shoes")]
    live = exports[0].splitlines()[-1]
    assert json.loads(live)["payload"].keys() == {"salt", "form", "transfers", "sealed", "felt", "shell"}
    for printed in (dealt, *exports, bare_shell("table show d1"), bare_shell("table show d1 --format json")):
        assert not [word for word in card.findall(re.sub(r'"(content|document)"+: ?"+[^"]*"', "", printed)) if word], printed
    bare_shell("table open d2 --edition duki-4-wa --opener 20000 --source hand-keyed")
    bare_shell("table bet d2 ante=10 --guest ann --seat 1")
    bare_shell("table no-more-bets d2")
    bare_shell('table card d2 "9h 9c 6s Jd 9s 9d 5h 8c"')
    assert not card.findall(bare_shell("table show d2"))
    assert "9h 9c 6s Jd" in bare_shell("table show d2 --as dan:dealer")  # who keyed them may have to correct them
    bare_shell("table void d2 --reason power-failure")
    bare_shell("table void d1 --reason power-failure")
    assert "cards-drawn" in bare_shell("journal export --format shoes")
    assert "no flaw found" in bare_shell("audit")
