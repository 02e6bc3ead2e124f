"""Signed heads leave the house by themselves, and an audit that is given them finds a chain that was rewritten as a whole."""

import json
import os
import random
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import ClassVar

import pytest
from databases import DATABASES
from sessions import house_tables, play, prepare
from sqlalchemy import text

from houseway.house import heads
from houseway.house.audit import Auditor
from houseway.house.floor import Actor, Floor
from houseway.house.heads import NONE_COMPARED, HeadSender, HeadSettings, SignedHead, checked, read_heads, sign_head
from houseway.house.keys import HEADS
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table.entry import Entry, canonical

ROOT, SUE = Actor("root", "administrator"), Actor("sue", "supervisor")
TABLES = house_tables(3)


def rewrite(store: Store, first: int, change: Callable[[dict], None]) -> None:
    """An intruder who can write makes the whole chain anew, so that every hash holds."""
    entries, previous = list(store.as_stored()), (0, "0" * 64)
    with store.engine.begin() as connection:
        if store.url.startswith("postgresql"):
            connection.execute(text("ALTER TABLE entries DISABLE TRIGGER USER"))
        else:
            for trigger in ("no_update", "no_delete", "no_replace"):
                connection.execute(text(f"DROP TRIGGER IF EXISTS entries_{trigger}"))
        for entry in entries:
            data = json.loads(entry.payload)
            if entry.seq == first:
                change(data)
            chained = Entry.chained(previous, entry.fields() | {"payload": canonical(data)})
            new = {"payload": chained.payload, "previous": chained.previous, "hash": chained.hash, "seq": chained.seq}
            connection.execute(
                text("UPDATE entries SET payload = :payload, previous = :previous, hash = :hash WHERE seq = :seq"), new
            )
            previous = chained.seq, chained.hash
        connection.execute(text("UPDATE head SET hash = :hash"), {"hash": previous[1]})


@pytest.fixture(params=DATABASES)
def floor(request, new_url, open_floor):
    """A house that has played."""
    made = open_floor(new_url(request.param))
    prepare(made, TABLES)
    play(made, random.Random(3), TABLES, 60)
    return made


def signing(floor):
    return floor.keys.make(HEADS).secret


# The audit


def test_a_chain_rewritten_as_a_whole_passes_without_heads_and_the_audit_says_so(floor):
    signed = sign_head(floor.store, signing(floor))
    rewrite(floor.store, 3, lambda data: data.update(salt="0" * 32))
    report = Auditor(Store(floor.store.url)).run()
    assert (report.flaw, report.heads_compared) == (None, 0)
    assert NONE_COMPARED in report.remarks
    flaw = Auditor(Store(floor.store.url), heads=[signed], public_keys=floor.keys.public_keys()).run().flaw
    assert (flaw.seq, "the chain was rewritten" in flaw.what) == (signed.seq, True)


def test_the_first_entry_that_cannot_be_as_it_was_is_named(floor):
    key, heads = signing(floor), []
    for _ in range(4):
        heads.append(sign_head(floor.store, key))
        play(floor, random.Random(9), TABLES, 8)
    changed = heads[1].seq + 1
    rewrite(floor.store, changed, lambda data: data.update(salt="0" * 32))
    report = Auditor(Store(floor.store.url), heads=list(reversed(heads)), public_keys=floor.keys.public_keys()).run()
    assert report.heads_compared == 4
    first = report.flaw
    assert first.seq == heads[2].seq
    assert f"entries up to {heads[1].seq} are as they were" in first.what
    assert heads[1].seq < changed <= first.seq


def test_a_chain_that_holds_is_compared_with_all_heads(floor):
    key = signing(floor)
    heads = [sign_head(floor.store, key)]
    play(floor, random.Random(4), TABLES, 10)
    heads.append(sign_head(floor.store, key))
    report = Auditor(Store(floor.store.url), heads=heads, public_keys=floor.keys.public_keys()).run()
    assert (report.flaw, report.heads_compared) == (None, 2)
    assert "compared with 2 heads from outside" in report.remarks


def test_heads_that_contradict_each_other_and_forged_ones_are_flaws(floor):
    key = signing(floor)
    head = sign_head(floor.store, key)
    other = SignedHead(head.seq, "0" * 64, head.at, head.public_key, head.signature)
    whats = [flaw.what for flaw in Auditor(floor.store, heads=[head, other], public_keys=[head.public_key]).run().flaws]
    assert any("not genuine" in what for what in whats)
    foreign = sign_head(floor.store, bytes(range(32)))
    (flaw,) = Auditor(floor.store, heads=[foreign], public_keys=[head.public_key]).run().flaws
    assert "another key" in flaw.what


def test_a_head_of_before_a_rotation_is_still_known(floor):
    head = sign_head(floor.store, signing(floor))
    floor.keys.rotate(HEADS)
    newer = sign_head(floor.store, floor.keys.newest(HEADS).secret)
    assert head.public_key != newer.public_key
    assert Auditor(floor.store, heads=[head, newer], public_keys=floor.keys.public_keys()).run().flaw is None


# Sending


class Clock:
    def __init__(self):
        self.now = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)

    def __call__(self):
        return self.now

    def goes_on(self, **by):
        self.now += timedelta(**by)


@pytest.fixture
def house(tmp_path):
    clock = Clock()
    floor = Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), tmp_path / "house.key", clock=clock)
    floor.do({"kind": "fund", "cents": 10_000_000}, ROOT)
    floor.clock_of_the_house = clock
    return floor


def sender(floor, *places, entries=10, minutes=0):
    checked([str(place) for place in places], entries, minutes).save(floor.keys)
    return HeadSender(floor, floor.store, floor.keys, floor.clock_of_the_house)


def work(floor, times):
    for _ in range(times):
        floor.do({"kind": "fund", "cents": 1}, ROOT)


def test_heads_go_to_a_file_and_to_a_folder_after_so_many_entries(house, tmp_path):
    file, folder = tmp_path / "heads.jsonl", tmp_path / "second"
    sends = sender(house, file, f"{folder}/", entries=10)
    sends.send_due()
    work(house, 9)
    sends.send_due()
    assert len(read_heads(file)) == 1
    work(house, 1)
    sends.send_due()
    sends.send_due()
    heads = read_heads(file)
    assert heads == read_heads(folder) and len(heads) == 2
    assert heads[1].seq - heads[0].seq >= 10
    assert all(head.is_genuine() for head in heads)
    assert Auditor(house.store, heads=HeadSettings.load(house.keys).read()).run().heads_compared == 4 - 2  # each once


def test_heads_go_out_by_the_clock_but_not_if_nothing_happened(house, tmp_path):
    file, clock = tmp_path / "heads.jsonl", house.clock_of_the_house
    sends = sender(house, file, entries=0, minutes=15)
    sends.send_due()
    clock.goes_on(minutes=20)
    sends.send_due()
    assert len(read_heads(file)) == 1
    work(house, 1)
    sends.send_due()
    assert len(read_heads(file)) == 2
    work(house, 1)
    clock.goes_on(minutes=14)
    sends.send_due()
    assert len(read_heads(file)) == 2


def test_a_clock_that_is_set_back_holds_no_head_up(house, receiver, tmp_path):
    """By hours within the day: the next head, and the next try at a place that failed, do not wait until it has caught up."""
    file, clock, kind = tmp_path / "heads.jsonl", house.clock_of_the_house, receiver.RequestHandlerClass
    url = f"http://127.0.0.1:{receiver.server_port}/heads"
    sends = sender(house, file, url, entries=0, minutes=15)
    kind.status = 503
    assert sends.send_due() == [url]
    clock.goes_on(hours=-3)
    work(house, 1)
    kind.status = 200
    assert sends.send_due() == []
    assert len(read_heads(file)) == 2 and len(kind.got) == 1


def test_heads_go_out_at_the_end_of_a_day_and_when_a_table_closes(house, tmp_path):
    file, clock = tmp_path / "heads.jsonl", house.clock_of_the_house
    sends = sender(house, file, entries=0, minutes=0)
    sends.send_due()
    house.do({"kind": "open", "table": "t1", "edition": "ez-baccarat-wa", "source": "hand-keyed", "opener_cents": 100}, SUE)
    sends.send_due()
    assert len(read_heads(file)) == 1
    house.do({"kind": "close", "table": "t1"}, SUE)
    sends.send_due()
    assert len(read_heads(file)) == 2
    work(house, 1)
    clock.goes_on(hours=12)
    sends.send_due()
    assert len(read_heads(file)) == 3


class Receiver(BaseHTTPRequestHandler):
    status = 200
    got: ClassVar[list[dict]] = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.status == 200:
            self.got.append(json.loads(body))
        self.send_response(self.status)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def receiver():
    server = HTTPServer(("127.0.0.1", 0), type("Own", (Receiver,), {"got": []}))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_url_that_fails_is_told_once_tried_again_and_never_stops_play(house, receiver, caplog):
    url, kind, clock = f"http://127.0.0.1:{receiver.server_port}/heads?token=secret", receiver.RequestHandlerClass, house.clock
    sends = sender(house, url, entries=1)
    kind.status = 503
    assert sends.send_due() == [url]
    for _ in range(3):
        clock.goes_on(minutes=1)
        work(house, 1)
        sends.send_due()
    notes = [entry for entry in house.store.entries() if entry.kind == "head-not-sent"]
    assert len(notes) == 1
    assert len([record for record in caplog.records if "could not be sent" in record.message]) == 1
    assert "secret" not in "".join(entry.payload for entry in notes) + caplog.text
    kind.status = 200
    clock.goes_on(minutes=1)
    assert sends.send_due() == []
    (got,) = kind.got
    assert SignedHead.read(got).is_genuine()
    assert [entry.kind for entry in house.store.entries()][-1] == "head-sent-again"
    assert Auditor(house.store).run().flaw is None


def test_a_url_that_answers_by_the_drop_keeps_neither_play_nor_other_places_waiting(house, receiver, tmp_path, monkeypatch):
    monkeypatch.setattr(heads, "SECONDS_FOR_A_PLACE", 3)  # and a file is written in less on any machine
    url, kind, ended = f"http://127.0.0.1:{receiver.server_port}/heads", receiver.RequestHandlerClass, threading.Event()

    def drip(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
        while not ended.wait(0.05):
            self.wfile.write(b"x")

    kind.do_POST = drip
    try:
        assert sender(house, url, tmp_path / "heads.jsonl").send_due() == [url]
    finally:
        ended.set()
    assert len(read_heads(tmp_path / "heads.jsonl")) == 1
    (note,) = [entry for entry in house.store.entries() if entry.kind == "head-not-sent"]
    assert "does not answer within" in note.data["reason"]


def test_a_url_that_sends_on_elsewhere_has_not_taken_the_head(house, receiver):
    url, kind = f"http://127.0.0.1:{receiver.server_port}/heads", receiver.RequestHandlerClass
    kind.status = 302
    assert sender(house, url).send_due() == [url]
    assert kind.got == []


def test_several_processes_send_each_head_once(house, tmp_path):
    file = tmp_path / "heads.jsonl"
    sends = [sender(house, file, entries=5) for _ in range(4)]
    for each in sends:
        each.send_due()
    work(house, 5)
    for each in sends:
        each.send_due()
    assert len(read_heads(file)) == 2


def test_no_head_is_sent_where_one_of_before_contradicts_it(house, receiver, tmp_path, caplog):
    """Whether it lies there, or is only known to have been sent."""
    file, url = tmp_path / "heads.jsonl", f"http://127.0.0.1:{receiver.server_port}/heads"
    sends, got = sender(house, file, url, entries=1), receiver.RequestHandlerClass.got
    sends.send_due()
    rewrite(house.store, 1, lambda data: data.update(salt="0" * 32))
    again = Floor(Store(house.store.url), house.keys.file, clock=house.clock)
    work(again, 1)
    forged = HeadSender(again, again.store, again.keys, house.clock)
    assert forged.send_due() == [str(file), url]
    assert len(read_heads(file)) == len(got) == 1
    assert caplog.text.count("the chain was rewritten") == 2
    house.clock_of_the_house.goes_on(minutes=1)
    assert forged.send_due(at_once=True) == [str(file), url]
    assert len(read_heads(file)) == len(got) == 1
    notes = [entry for entry in again.store.entries() if entry.kind == "head-not-sent"]
    assert len(notes) == 2 and all("the chain was rewritten" in note.data["reason"] for note in notes)


def test_heads_are_sent_beside_those_of_others_and_what_cannot_be_read(house, tmp_path):
    file = tmp_path / "heads.jsonl"
    foreign = SignedHead(1, "1" * 64, "2026-01-01", "2" * 64, "3" * 128)
    file.write_text(json.dumps(vars(foreign)) + "\n{torn")
    assert sender(house, file).send_due() == []
    assert len(read_heads(file, lambda refused: None)) == 2


def test_a_place_that_never_answers_keeps_nobody_waiting(house, tmp_path, monkeypatch):
    folder = tmp_path / "second"
    folder.mkdir()
    os.mkfifo(folder / "a.json")
    assert sender(house, f"{folder}/").send_due() == []
    with pytest.raises(Refused, match=r"a\.json"):
        HeadSettings.load(house.keys).read()
    refused, gone = [], threading.Event()
    assert len(HeadSettings.load(house.keys).read(refused.append)) == 1 and len(refused) == 1
    monkeypatch.setattr(heads, "SECONDS_FOR_A_PLACE", 0.1)
    monkeypatch.setattr(heads, "read_heads", lambda place, wrong: gone.wait() and [])
    assert HeadSettings.load(house.keys).read(refused.append) == []
    assert "does not answer" in refused[1].message
    gone.set()


# The shell


def test_places_that_are_named_anew_take_heads_of_a_restored_store(bare_shell, tmp_path):
    file = tmp_path / "heads.jsonl"
    bare_shell("cage fund 10")
    bare_shell(f"journal backup {tmp_path / 'copy.db'}")
    bare_shell(f"heads set --to {file} --entries 1 --as root:administrator")
    bare_shell("cage fund 10")
    bare_shell("cage fund 10")
    restored = f"--store {tmp_path / 'restored.db'}"
    bare_shell(f"journal restore {tmp_path / 'copy.db'} {restored}")
    assert "not sent" in bare_shell(f"heads send {restored}", code=1)
    file.rename(tmp_path / "heads-before.jsonl")
    assert "not sent" in bare_shell(f"heads send {restored}", code=1), "what was sent is known"
    bare_shell(f"heads set --to {file} --entries 1 --as root:administrator")
    assert ": sent" in bare_shell(f"heads send {restored}")
    assert "no flaw found" in bare_shell(f"audit {restored}")


def test_who_changes_the_places_is_in_the_journal_and_nobody_else_may(bare_shell, tmp_path):
    settings = tmp_path / "house.heads.toml"
    bare_shell("cage fund 10")
    assert "--as" in bare_shell("heads set --to x", code=2)
    assert "supervisor may not say where signed heads go" in bare_shell("heads set --to x --as sue:supervisor", code=2)
    assert not settings.exists(), "nothing was changed"
    bare_shell("heads set --to https://example.com/heads?token=secret --minutes 5 --as ann:administrator")
    bare_shell("heads set --as bob:administrator")
    notes = [entry for entry in Store(f"sqlite:///{tmp_path / 'house.db'}").entries() if entry.kind == "head-places"]
    assert [(note.actor, note.data["places"], note.data["minutes"]) for note in notes] == [
        ("ann", ["https://example.com"], 5),
        ("bob", [], 60),
    ]


@pytest.mark.parametrize("place", ["https://ann:secret@example.com/heads", "https://ann:sec/ret@example.com/", "http://:80/"])
def test_no_head_is_posted_where_a_password_stands_in_the_url_and_none_is_shown(bare_shell, tmp_path, place):
    settings = tmp_path / "house.heads.toml"
    bare_shell("cage fund 10")
    said = bare_shell(f"heads set --to {place} --as ann:administrator", code=2)
    assert "a URL such as https://example.com/heads" in said and said.count("\n") == 1 and "sec" not in said
    assert not settings.exists(), "nothing was changed"
    settings.write_text(f'places = ["{place}"]\n')  # named before such were refused
    for said in bare_shell("heads show"), bare_shell("heads show --format json"):
        assert place.rpartition("@")[2] in said and "sec" not in said and "ann" not in said


def test_a_url_with_a_password_that_was_named_before_is_told_and_the_password_is_not(house, caplog):
    house.keys.file.with_name("house.heads.toml").write_text('places = ["https://ann:secret@example.com/heads"]\n')
    assert HeadSender(house, house.store, house.keys).send_due(at_once=True)
    (told,) = [entry for entry in house.store.entries() if entry.kind == "head-not-sent"]
    assert "it has no name and password in it" in told.data["reason"] and told.data["place"] == "https://example.com"
    assert "it has no name and password in it" in caplog.text and "secret" not in caplog.text + told.payload


def test_nothing_is_paid_out_in_the_shell_on_a_chain_that_a_signed_head_contradicts(bare_shell, tmp_path):
    bare_shell("cage fund 100")
    bare_shell("cage buy-in --guest ann 20 --as cat:cashier")
    bare_shell(f"heads set --to {tmp_path / 'heads.jsonl'} --entries 1 --as root:administrator")
    bare_shell("heads send")
    rewrite(Store(f"sqlite:///{tmp_path / 'house.db'}"), 1, lambda data: data.update(salt="0" * 32))
    before = bare_shell("journal export")
    said = bare_shell("cage cash-out --guest ann 20 --as cat:cashier", code=2)
    assert "the chain was rewritten" in said and "houseway audit" in said and said.count("\n") == 1
    assert bare_shell("journal export") == before


def test_an_audit_in_the_shell_uses_the_configured_places_and_those_it_is_given(bare_shell, tmp_path):
    bare_shell("cage fund 10")
    assert NONE_COMPARED in bare_shell("audit")
    assert "go nowhere" in bare_shell("heads show")
    assert "go nowhere" in bare_shell("heads send", code=2)
    bare_shell(f"heads set --to {tmp_path / 'heads.jsonl'} --to {tmp_path / 'second'}/ --entries 1 --as root:administrator")
    bare_shell("cage fund 10")  # what is done in the shell leaves the house as well
    assert len(read_heads(tmp_path / "heads.jsonl")) == len(read_heads(tmp_path / "second")) == 1
    said = bare_shell("audit")
    assert "compared with 1 head from outside" in said and NONE_COMPARED not in said
    rewrite(Store(f"sqlite:///{tmp_path / 'house.db'}"), 1, lambda data: data.update(salt="0" * 32))
    for places in (
        "",
        f"--heads {tmp_path / 'heads.jsonl'}",
        f"--heads {tmp_path / 'second'} --heads {tmp_path / 'heads.jsonl'}",
    ):
        assert "FIRST FLAW: entry 4: it is not the entry that the exported head was signed for" in bare_shell(
            f"audit {places}", code=1
        )
    assert json.loads(bare_shell("audit --format json", code=1))["heads_compared"] == 1


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("heads set --to ftp://elsewhere/x --as root:administrator", "https://"),
        ("heads set --to x --entries -1 --as root:administrator", "not a whole number, 0 (never) or more"),
        ("audit --heads {folder}/none.json", "name a file or a folder"),
        ("audit --heads {folder}/bad.json", "line 1: not an exported head"),
    ],
)
def test_what_is_no_place_and_no_head_is_one_line(bare_shell, tmp_path, line, says):
    bare_shell("cage fund 10")
    (tmp_path / "bad.json").write_text("{}\n")
    said = bare_shell(line.format(folder=tmp_path), code=2)
    assert says in said and said.count("\n") == 1


def test_settings_that_were_spoilt_are_refused_in_one_line(house):
    checked(["x"], 1, 1).save(house.keys)
    house.keys.file.with_name("house.heads.toml").write_text("places = 3")
    with pytest.raises(Refused, match="houseway heads set"):
        HeadSettings.load(house.keys)
