"""A table plays the content of the edition it was opened with, whatever becomes of files, registries and games."""

import json
import shutil
import sqlite3
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from test_table import BACCARAT, CAT, DAN, DRAGON_7, OPENER, PAI_GOW, ROOT, SUE, Pit, events

from houseway.approval import badge
from houseway.games import edition_files, edition_from
from houseway.house import editions, standing
from houseway.house.audit import Auditor
from houseway.house.floor import Floor
from houseway.house.heads import SignedHead, sign_head
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table import bound, engine, unfolded
from houseway.table.bound import assumption, read_document
from houseway.table.engine import edition_of
from houseway.table.entry import Entry, canonical
from houseway.view import board_view, face, lobby_view, table_view
from houseway.view import edition as view_edition
from houseway.view.reader import ANYBODY
from houseway.web.lab_answers import status_of as lab_status

JOURNALS = Path(__file__).parent / "journals"
BUILT_IN = edition_files()[BACCARAT].read_text()


def own_text(id_="ours", pays="35 to 1", name=BACCARAT):
    """An edition of one's own: baccarat with another pay for Dragon 7."""
    text = edition_files()[name].read_text()
    return text.replace(f'id = "{name}"', f'id = "{id_}"').replace('"40 to 1"', f'"{pays}"')


def refusal(call, *given):
    with pytest.raises(Refused) as caught:
        call(*given)
    assert "\n" not in caught.value.message
    return caught.value


def refused_open(pit, kind="open", **fields):
    """The refusal of an opening, which changes no state (that somebody tried is recorded)."""
    before = pit.floor.state
    refused = refusal(lambda: pit.do(kind, SUE, **fields))
    assert pit.floor.state == before
    return refused


@pytest.fixture
def pit(tmp_path):
    """A house with table t1 of the built-in baccarat."""
    return Pit(tmp_path)


def dragon_7_wins(pit, table):
    """What a dollar on Dragon 7 wins when it hits."""
    for kind, fields in (
        ("bet", {"seat": 1, "guest": "ann", "wager": "dragon-7", "cents": 100}),
        ("no-more-bets", {}),
        ("card", {"cards": DRAGON_7}),
    ):
        pit.do(kind, DAN, table=table, **fields)
    (paid,) = events(pit.do("settle", DAN, table=table), "paid")
    return paid["win_cents"]


def open_own(pit, table="t2", **fields):
    editions.add(pit.floor, own_text(), ROOT, "ours.toml")
    return pit.do("open", SUE, table=table, edition="ours", source="hand-keyed", opener_cents=OPENER, **fields)


# Bound by content


def test_the_opening_entry_holds_the_whole_edition_and_its_digests(pit):
    content = pit.opened.data["edition"]
    assert json.loads(content["document"]) == read_document(content["document"]).document
    assert content["origin"] == "built-in"
    assert content["rules"] == badge(edition_of(pit.table)).rules
    assert content["release"]
    assert (pit.table.document, pit.table.bound.rules) == (content["document"], content["rules"])
    assert "bound" not in pit.opened.data["command"]


def test_nobody_gives_the_content_himself(pit):
    fields = {"table": "t9", "edition": BACCARAT, "source": "hand-keyed", "opener_cents": 100}
    assert refused_open(pit, **fields, bound={"document": "{}"}).code == "bad-command"


def test_the_content_keeps_its_order(pit):
    """The first pay table and the first answer to a question are the defaults: a sorted copy would be another edition."""
    entry = pit.do("open", SUE, table="t2", edition=PAI_GOW, source="hand-keyed", opener_cents=OPENER)
    read = read_document(entry.data["edition"]["document"])
    assert list(read.wagers) == list(editions.find_edition(PAI_GOW).wagers)
    assert read.approved == editions.find_edition(PAI_GOW).approved


def test_an_own_edition_pays_its_own_table_and_the_built_in_one_its_own(pit):
    open_own(pit)
    assert (dragon_7_wins(pit, "t1"), dragon_7_wins(pit, "t2")) == (4_000, 3_500)
    pit.check()


def test_a_table_plays_on_when_its_edition_is_removed(pit):
    open_own(pit)
    editions.remove(pit.floor, "ours", ROOT)
    assert "ours" not in pit.floor.state.editions
    assert dragon_7_wins(pit, "t2") == 3_500
    view = table_view(pit.floor.state, "t2", ANYBODY)
    assert view["edition"]["status"] == "modified"
    pit.check()
    pit.do("close", SUE, table="t2")
    fields = {"table": "t2", "edition": "ours", "source": "hand-keyed", "opener_cents": OPENER}
    assert refused_open(pit, **fields).code == "unknown-edition"


def test_a_table_plays_on_when_the_built_in_file_changes(pit, tmp_path, monkeypatch):
    """What lies on the disk tomorrow is for tables that are opened tomorrow."""
    changed = tmp_path / f"{BACCARAT}.toml"
    changed.write_text(BUILT_IN.replace('"40 to 1"', '"30 to 1"'))
    files = {**edition_files(), BACCARAT: changed}
    for module in (editions, bound, sys.modules["houseway.games"]):
        monkeypatch.setattr(module, "edition_files", lambda: files)
    again = Floor(Store(pit.url), pit.key_file)
    again.refresh()
    pit.floor = again
    assert dragon_7_wins(pit, "t1") == 4_000
    pit.do("open", SUE, table="t2", edition=BACCARAT, source="hand-keyed", opener_cents=OPENER)
    assert dragon_7_wins(pit, "t2") == 3_000
    report = Auditor(pit.floor.store).run()
    assert report.flaw is None
    assert sorted((under.rounds, under.same_as_now) for under in report.played_under) == [(1, True), (1, True)]
    assert len({under.rules for under in report.played_under}) == 2


def test_a_scoreboard_is_bound_too(pit):
    editions.add(pit.floor, own_text(), ROOT, "ours.toml")
    pit.do("board-open", SUE, table=None, board="wall", edition="ours")
    editions.remove(pit.floor, "ours", ROOT)
    assert board_view(pit.floor.state, "wall")["edition"]["id"] == "ours"
    pit.check()


def test_snapshots_keep_the_content(pit, monkeypatch):
    monkeypatch.setattr("houseway.house.snapshot.EVERY", 1)
    open_own(pit)
    second = Floor(Store(pit.url), pit.key_file)
    assert second.snapshot_seq > 0
    assert second.state == pit.floor.state
    assert second.state.tables["t2"].document == pit.floor.state.editions["ours"]


# Registering


def test_a_path_is_no_edition_of_a_table(pit, tmp_path):
    """Even if its id is left as it was: the file says 35 to 1, and no table may say that it plays it."""
    file = tmp_path / "mine.toml"
    file.write_text(own_text(BACCARAT))
    fields = {"table": "t2", "edition": str(file), "source": "hand-keyed", "opener_cents": OPENER}
    refused = refused_open(pit, **fields)
    assert refused.code == "edition-not-registered"
    assert f"houseway editions add {file}" in refused.message
    assert refused_open(pit, "board-open", table=None, board="b", edition=str(file)).code == "edition-not-registered"


def test_an_approved_id_is_taken(pit):
    before = pit.snapshot()
    refused = refusal(editions.add, pit.floor, own_text(BACCARAT), ROOT, "mine.toml")
    assert (refused.code, "other content" in refused.message) == ("edition-id-taken", True)
    refused = refusal(editions.add, pit.floor, BUILT_IN, ROOT, "mine.toml")
    assert (refused.code, "the same content" in refused.message) == ("edition-id-taken", True)
    assert pit.snapshot() == before


def test_an_id_is_registered_once(pit):
    editions.add(pit.floor, own_text(), ROOT, "ours.toml")
    second = Floor(Store(pit.url), pit.key_file)  # another process
    assert "this very content" in refusal(editions.add, second, own_text(), ROOT, "ours.toml").message
    assert "other content" in refusal(editions.add, second, own_text(pays="34 to 1"), ROOT, "ours.toml").message


@pytest.mark.parametrize(
    "id_", ["", "Ours", "our edition", "../ours", "ours.toml", "-ours", "ours-", "o--urs", "ö", "x" * 41, "a/b", "a\\\\b"]
)
def test_odd_ids_are_refused(pit, id_):
    assert refusal(editions.add, pit.floor, own_text(id_), ROOT, "mine.toml").code in {"bad-edition-id", "broken-toml"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "game"),
        ("id = ", "not valid TOML"),
        (own_text().replace("game =", "gmae ="), "game"),
        (own_text().replace('"35 to 1"', '"35 for a song"'), "35 for a song"),
        (own_text() + "\nwhen = 2026-01-01\n", "texts, whole numbers"),
        (own_text().replace('name = "', 'name = "\udc80'), "not valid TOML"),
        ("# " + "x" * 60_000, "too many"),
    ],
)
def test_what_cannot_be_read_is_not_registered(pit, text, says):
    assert says in refusal(editions.add, pit.floor, text, ROOT, "mine.toml").message


def test_only_those_who_open_tables_register(pit):
    for actor in (DAN, CAT):
        assert refusal(editions.add, pit.floor, own_text(), actor, "ours.toml").code == "role-may-not"
        assert refusal(editions.remove, pit.floor, "ours", actor).code == "role-may-not"
    editions.add(pit.floor, own_text(), SUE, "ours.toml")
    editions.remove(pit.floor, "ours", SUE)


def test_only_what_is_registered_is_removed(pit):
    assert refusal(editions.remove, pit.floor, BACCARAT, ROOT).code == "edition-built-in"
    assert refusal(editions.remove, pit.floor, "ours", ROOT).code == "unknown-edition"
    editions.add(pit.floor, own_text(), ROOT, "ours.toml")
    assert "did you mean ours" in refusal(editions.remove, pit.floor, "our", ROOT).message


def test_what_differs_is_named():
    edition = editions.read_own(own_text(), "ours.toml")
    assert standing.descends_from(edition).id == BACCARAT
    told = standing.standing(edition)
    assert told.differences == (f"wagers.dragon-7.pays.dragon-7: 40 to 1 in {BACCARAT}, 35 to 1 here",)
    assert str(told) == f"modified rules: {told.differences[0]}"


def test_another_order_is_a_difference():
    """The first answer to a question is the default."""
    theirs = {"readings": {"R1": {"values": {"a": "1", "b": "2"}}}}
    ours = {"readings": {"R1": {"values": {"b": "2", "a": "1"}}}}
    assert standing.differences_between(theirs, ours, "x") == ["order of readings.R1.values: a, b in x, b, a here"]


def test_another_default_is_another_edition():
    """Two contents with the same keys and values in another order: the badge tells them apart."""
    edition = editions.find_edition(PAI_GOW)
    document = json.loads(bound.as_text(edition.document))
    values = document["readings"]["R1"]["values"]
    document["readings"]["R1"]["values"] = dict(reversed(values.items()))
    other = edition_from(document, "reordered")
    assert other.settings()["R1"] != edition.settings()["R1"]
    assert badge(other).rules != badge(edition).rules


def test_a_folder_of_editions(pit, tmp_path, monkeypatch):
    folder = tmp_path / "editions"
    monkeypatch.setenv("HOUSEWAY_EDITIONS", str(folder))
    editions.add_to_folder(folder, own_text(), "ours.toml")
    (folder / "broken.toml").write_text("id = ")
    (folder / "misnamed.toml").write_text(own_text("another"))
    (folder / f"{BACCARAT}.toml").write_text(own_text(BACCARAT))
    assert editions.find_edition("ours").id == "ours"
    assert bound.as_text(editions.find_edition(BACCARAT).document) == editions.built_in(BACCARAT)
    entry = pit.do("open", SUE, table="t2", edition="ours", source="hand-keyed", opener_cents=OPENER)
    assert entry.data["edition"]["origin"] == "folder"
    shutil.rmtree(folder)
    assert dragon_7_wins(pit, "t2") == 3_500
    pit.check()
    editions.add_to_folder(folder, own_text("broken"), "b.toml")
    (folder / "broken.toml").write_text("id = ")
    fields = {"table": "t3", "source": "hand-keyed", "opener_cents": OPENER}
    assert refused_open(pit, edition="broken", **fields).code == "broken-toml"


def test_the_id_inside_a_file_counts_and_what_is_left_out_is_said(pit, tmp_path, monkeypatch):
    monkeypatch.setenv("HOUSEWAY_EDITIONS", str(tmp_path))
    (tmp_path / f"{BACCARAT}.toml").write_text(own_text(BACCARAT))
    for name in ("othername", "second"):
        (tmp_path / f"{name}.toml").write_text(own_text("own-35"))
    (tmp_path / "latin.toml").write_bytes(b'id = "\xff"')
    looked = editions.look_into_folder()
    assert {id_: file.name for id_, file in looked.files.items()} == {"own-35": "othername.toml", "latin": "latin.toml"}
    assert looked.left_out == (
        f"{tmp_path / BACCARAT}.toml: id {BACCARAT} is a built-in edition's: left out",
        f"{tmp_path / 'second'}.toml: id own-35 is in othername.toml already: left out",
    )
    assert refusal(editions.find_edition, "latin").message == "latin.toml: not valid TOML: not UTF-8 text"
    fields = {"table": "t2", "source": "hand-keyed", "opener_cents": OPENER}
    for refused in (refusal(editions.find_edition, "othername"), refused_open(pit, edition="othername", **fields)):
        assert refused.code == "unknown-edition"
        assert "own-35" in refused.message
    assert "looks like a path" in refused_open(pit, edition="../rv/mine", **fields).message
    assert pit.do("open", SUE, edition="own-35", **fields).data["edition"]["origin"] == "folder"


def test_a_folder_that_is_none_is_said(tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.write_text("")
    for named, says in ((file, "is a file, not a folder"), (tmp_path / "nowhere", "there is no such folder")):
        monkeypatch.setenv("HOUSEWAY_EDITIONS", str(named))
        (line,) = editions.look_into_folder().left_out
        assert line.startswith(f"{named}: {says}")
    assert "is a file" in refusal(editions.add_to_folder, file, own_text(), "ours.toml").message


def test_a_copy_has_not_the_letter_of_its_original():
    assert standing.standing(editions.find_edition(BACCARAT)).approval == "Washington, 2011-10-17"
    own = standing.standing(editions.read_own(own_text(), "ours.toml"))
    assert own.approval == "an edition of your own"
    assert own.heading.startswith("an edition of your own · modified rules")
    unpinned = badge(editions.read_own(own_text(), "ours.toml"))
    assert (unpinned.approval, unpinned.heading) == ("no approval on file", "no approval on file")
    assert lab_status(unpinned) == "unpinned"


# What cannot be read


def forget():
    """As a process that has just been started: nothing is read yet."""
    for cached in (bound.read_document, bound.read_offered, engine._prepared, view_edition._wager_views, face._face):
        cached.cache_clear()


@pytest.fixture
def gone(monkeypatch):
    """The code of baccarat is no longer here."""

    def go():
        read = bound.edition_from

        def without(data, label):
            if data["game"] == "ez_baccarat":
                raise ModuleNotFoundError("No module named 'ez_baccarat'")
            return read(data, label)

        monkeypatch.setattr(bound, "edition_from", without)
        forget()

    yield go
    monkeypatch.undo()
    forget()


@pytest.mark.parametrize("snapshot", [False, True])
def test_a_game_that_is_gone_spoils_its_own_table_and_no_other(tmp_path, gone, monkeypatch, snapshot):
    if snapshot:
        monkeypatch.setattr("houseway.house.snapshot.EVERY", 3)
    pit = Pit(tmp_path)
    pit.do("open", SUE, table="t2", edition=PAI_GOW, source="hand-keyed", opener_cents=OPENER)
    dragon_7_wins(pit, "t1")
    pit.do("bet", DAN, table="t1", seat=1, guest="ann", wager="banker", cents=500)
    before, intact = pit.floor.state, {table["name"]: table for table in lobby_view(pit.floor.state)}
    gone()
    again = Floor(Store(pit.url), pit.key_file)
    again.refresh()
    assert again.state.balances == before.balances
    assert again.state.tables["t2"] == before.tables["t2"]
    cards = {table["name"]: table for table in lobby_view(again.state)}
    assert "No module named 'ez_baccarat'" in cards["t1"]["unreadable"]
    assert cards["t2"] == intact["t2"]
    assert table_view(again.state, "t2", ANYBODY)["name"] == "t2"
    for view in (lambda: table_view(again.state, "t1", ANYBODY), lambda: board_view(again.state, "t1")):
        assert refusal(view).code == "edition-unreadable"
    command = {"kind": "bet", "table": "t1", "seat": 1, "guest": "ann", "wager": "banker", "cents": 500}
    assert refusal(again.do, command, DAN).code == "edition-unreadable"
    again.do({"kind": "bet", "table": "t2", "seat": 1, "guest": "ann", "wager": "base", "cents": 500}, DAN)
    report = Auditor(Store(pit.url)).run()
    assert report.flaw is not None
    assert "No module named 'ez_baccarat'" in report.flaw.what
    assert {flaw.seq for flaw in report.flaws} == {pit.opened.seq}


def test_a_folder_of_a_game_that_is_gone_and_comes_back(tmp_path, monkeypatch):
    """A game of one's own, from a folder: when that is missing its table stands still, and nothing is lost."""
    folder = tmp_path / "games" / "my_duki"
    shutil.copytree(
        edition_files()["duki-4-wa"].parent.parent, folder, ignore=shutil.ignore_patterns("__pycache__", "approved")
    )
    text = (folder / "editions" / "duki-4-wa.toml").read_text()
    (folder / "editions" / "duki-4-wa.toml").unlink()
    text = text.replace('id = "duki-4-wa"', 'id = "my-duki"').replace('game = "duki_4_poker"', 'game = "my_duki"')
    (folder / "editions" / "my-duki.toml").write_text(text)
    monkeypatch.setenv("HOUSEWAY_GAMES", str(folder))
    pit = Pit(tmp_path, "my-duki")
    pit.do("open", SUE, table="t2", edition=BACCARAT, source="hand-keyed", opener_cents=OPENER)
    pit.bet(1, "ann", ante=500)
    before = pit.floor.state
    monkeypatch.delenv("HOUSEWAY_GAMES")
    forget()
    again = Floor(Store(pit.url), pit.key_file)
    assert again.refresh().balances == before.balances
    assert "edition my-duki cannot be read" in again.state.tables["t1"].spoiled
    assert "my_duki" in again.state.tables["t1"].spoiled
    assert again.state.tables["t2"] == before.tables["t2"]
    assert [bool(card["unreadable"]) for card in lobby_view(again.state)] == [True, False]
    monkeypatch.setenv("HOUSEWAY_GAMES", str(folder))
    assert Floor(Store(pit.url), pit.key_file).refresh() == before
    forget()


def test_a_game_that_comes_back_is_as_it_was(tmp_path, gone, monkeypatch):
    """No snapshot is taken of a table that could not be read."""
    pit = Pit(tmp_path)
    before = pit.floor.state
    monkeypatch.setattr("houseway.house.snapshot.EVERY", 2)
    with monkeypatch.context() as meanwhile:
        read = bound.edition_from

        def without(data, label):
            raise ModuleNotFoundError("gone")

        meanwhile.setattr(bound, "edition_from", without)
        bound.read_document.cache_clear()
        away = Floor(Store(pit.url), pit.key_file)
        for _ in range(4):
            away.do({"kind": "fund", "cents": 100}, ROOT)
        assert (away.state.tables["t1"].spoiled != "", away.snapshot_seq, read is not without) == (True, 0, True)
    bound.read_document.cache_clear()
    back = Floor(Store(pit.url), pit.key_file)
    assert back.refresh().tables == before.tables


# Journals of 0.1


@pytest.fixture
def old(tmp_path):
    """A copy of a house that 0.1 has kept."""
    for file in JOURNALS.glob("house-0.1.*"):
        shutil.copy(file, tmp_path)
        (tmp_path / file.name).chmod(0o600)  # a repository keeps no such mode
    return tmp_path


def test_an_old_journal_says_what_is_assumed(old):
    store = Store(f"sqlite:///{old / 'house-0.1.db'}")
    floor = Floor(store, old / "house-0.1.key")
    opened = [entry for entry in store.entries() if entry.kind == "open"]
    assert opened
    for name, table in floor.refresh().tables.items():
        digest = [entry for entry in opened if entry.table == name][-1].data["events"][0]["digest"]
        expected = (
            "opened by 0.1: the edition's content was not journaled; "
            f"the built-in {table.edition} of today is assumed; its digest then was {digest}"
        )
        assert assumption(table) == expected
        assert table_view(floor.state, name, ANYBODY)["edition"]["assumption"] == expected
    report = Auditor(store).run()
    assert report.flaw is None
    assert {sentence.split(":")[0] for sentence in report.assumptions} >= set(floor.state.tables)
    assert all(under.release == "0.1" and under.origin == "assumed" for under in report.played_under)
    assert all("the code at hand has other" in str(under) for under in report.played_under)


def test_an_old_edition_that_no_longer_exists_spoils_only_its_table(old, monkeypatch):
    store = Store(f"sqlite:///{old / 'house-0.1.db'}")
    files = {name: file for name, file in edition_files().items() if name != "duki-4-wa"}
    whole = Floor(store, old / "house-0.1.key").refresh()
    monkeypatch.setattr(bound, "edition_files", lambda: files)
    floor = Floor(Store(f"sqlite:///{old / 'house-0.1.db'}"), old / "house-0.1.key")
    state = floor.refresh()
    lost = {name for name, table in whole.tables.items() if table.edition == "duki-4-wa"}
    assert lost
    assert state.balances == whole.balances
    for name, table in state.tables.items():
        if name in lost:
            assert "there is no built-in edition duki-4-wa today" in table.spoiled
        else:
            assert table == whole.tables[name]
    report = Auditor(store).run()
    assert report.flaw is not None
    assert all("no built-in edition duki-4-wa" in flaw.what for flaw in report.flaws)


def test_an_old_table_that_named_a_file_played_the_built_in_rules(old):
    """0.1 did so, whatever the file said: the id in its event is what was played, and no file is looked for."""
    connection = sqlite3.connect(old / "house-0.1.db")
    connection.execute("DROP TRIGGER entries_no_update")
    row = connection.execute("SELECT seq, payload FROM entries WHERE kind = 'open' LIMIT 1").fetchone()
    data = json.loads(row[1])
    data["command"]["edition"] = "./mine.toml"
    connection.execute("UPDATE entries SET payload = ? WHERE seq = ?", (canonical(data), row[0]))
    connection.commit()
    store = Store(f"sqlite:///{old / 'house-0.1.db'}")
    with pytest.raises(Refused, match=f"entry {row[0]} of the journal does not hold"):
        Floor(store, old / "house-0.1.key").refresh()
    assert [(flaw.seq, flaw.what[:8]) for flaw in Auditor(store).run().flaws] == [(row[0], "its hash")]


# The audit


def rewrite(pit, seq, change):
    """Change the payload of an entry behind the house's back."""
    connection = sqlite3.connect(pit.url.removeprefix("sqlite:///"))
    connection.execute("DROP TRIGGER IF EXISTS entries_no_update")
    (payload,) = connection.execute("SELECT payload FROM entries WHERE seq = ?", (seq,)).fetchone()
    connection.execute("UPDATE entries SET payload = ? WHERE seq = ?", (change(payload), seq))
    connection.commit()
    connection.close()


def test_an_audit_reports_every_flaw(pit):
    """Two entries altered, one of them nonsense, and a transfer too many: each is named, and the rest is still checked."""
    dragon_7_wins(pit, "t1")
    bought = pit.do("buy-in", CAT, table=None, guest="bob", cents=700)
    pit.do("open", SUE, table="t2", edition=BACCARAT, source="hand-keyed", opener_cents=OPENER)
    settled = pit.floor.store.last_end("t1")
    dragon_7_wins(pit, "t2")
    rewrite(pit, settled, lambda _: "nonsense")
    rewrite(pit, bought.seq, lambda payload: payload.replace("700", "900"))
    connection = sqlite3.connect(pit.url.removeprefix("sqlite:///"))
    connection.execute("DROP TRIGGER IF EXISTS transfers_no_insert")
    last = pit.floor.store.head()[0]
    connection.execute(f"INSERT INTO transfers VALUES ({last}, 9, 'cage', 'guest:eve', 5, 'a present')")
    connection.commit()
    report = Auditor(Store(pit.url)).run()
    assert report.flaw == report.flaws[0]
    assert report.flaw.seq == settled
    assert {flaw.seq for flaw in report.flaws} == {settled, bought.seq, last}
    whats = [flaw.what for flaw in report.flaws]
    assert sum("hash does not hold" in what for what in whats) == 2
    assert sum("cannot be replayed" in what for what in whats) == 1
    assert any("a present" in what for what in whats)
    assert report.entries == last


def test_after_an_entry_that_cannot_be_replayed_its_table_is_left_out_until_it_opens_anew(pit):
    dragon_7_wins(pit, "t1")
    settled = pit.floor.store.last_end("t1")
    dragon_7_wins(pit, "t1")
    pit.do("close", SUE)
    pit.do("open", SUE, edition=BACCARAT, source="hand-keyed", opener_cents=OPENER)
    dragon_7_wins(pit, "t1")
    rewrite(pit, settled, lambda payload: payload.replace('"kind":"settle"', '"kind":"sattle"'))
    report = Auditor(Store(pit.url)).run()
    assert {flaw.seq for flaw in report.flaws} == {settled}
    assert report.left_out == {"t1": 5}  # the second round's four commands, and the closing


def test_an_audit_says_under_which_digests_the_rounds_were_played(pit, monkeypatch):
    open_own(pit)
    dragon_7_wins(pit, "t1")
    dragon_7_wins(pit, "t1")
    dragon_7_wins(pit, "t2")
    report = Auditor(pit.floor.store).run()
    under = {played.edition: played for played in report.played_under}
    assert {name: played.rounds for name, played in under.items()} == {BACCARAT: 2, "ours": 1}
    assert all(played.same_as_now for played in under.values())
    assert under[BACCARAT].rules == badge(edition_of(pit.table)).rules
    assert "the code at hand is the same" in str(under[BACCARAT])
    monkeypatch.setattr("houseway.house.audit.digests", lambda _: {"rules": "other", "behaviour": "", "system": ""})
    report = Auditor(pit.floor.store).run()
    assert report.flaw is None
    assert not any(played.same_as_now for played in report.played_under)
    assert "has other rules" in str(report.played_under[0])


def rechained(entries, seq, change):
    """The journal with another payload in one entry, hashes repaired."""
    chained, previous = [], (0, "0" * 64)
    for entry in entries:
        data = json.loads(entry.payload)
        if entry.seq == seq:
            change(data)
        chained.append(Entry.chained(previous, replace(entry, payload=canonical(data)).fields()))
        previous = chained[-1].seq, chained[-1].hash
    return chained


class Rewritten(Store):
    """A store whose entries somebody has written anew, with hashes that hold."""

    def __init__(self, url, entries):
        super().__init__(url)
        self.written = entries

    def entries(self, after=0, until=None, batch=0):
        return iter(self.written)

    def head(self):
        return self.written[-1].seq, self.written[-1].hash

    def last_seq(self):
        return self.written[-1].seq, self.written[-1].seq


def test_an_audit_compares_a_binding_with_what_was_registered(pit):
    opened = open_own(pit)
    entries = list(pit.floor.store.entries())
    assert Auditor(Rewritten(pit.url, rechained(entries, 0, lambda _: None))).run().flaw is None

    def pay_more(data):
        data["edition"]["document"] = data["edition"]["document"].replace("35 to 1", "90 to 1")

    flaw = Auditor(Rewritten(pit.url, rechained(entries, opened.seq, pay_more))).run().flaw
    assert (flaw.seq, "not the one that was registered" in flaw.what) == (opened.seq, True)

    def name_another(data):
        data["edition"]["document"] = data["edition"]["document"].replace('"id":"ours"', '"id":"theirs"')

    flaw = Auditor(Rewritten(pit.url, rechained(entries, opened.seq, name_another))).run().flaw
    assert (flaw.seq, "content of another" in flaw.what) == (opened.seq, True)


def test_a_forged_head_is_one_flaw_among_others(pit):
    dragon_7_wins(pit, "t1")
    head = sign_head(pit.floor.store, bytes(range(32)))
    forged = SignedHead(head.seq, head.hash, "yesterday", head.public_key, head.signature)
    rewrite(pit, pit.opened.seq, lambda payload: payload.replace("hand-keyed", "hand_keyed"))
    flaws = Auditor(Store(pit.url), forged).run().flaws
    assert "not genuine" in flaws[0].what
    assert pit.opened.seq in {flaw.seq for flaw in flaws}


# Wagers of a table (EPG-3, 4, 5)


def test_a_bonus_can_be_left_out(tmp_path):
    pit = Pit(tmp_path, PAI_GOW, offered=["base", "dynasty"])
    assert pit.table.offered == ("base", "dynasty")
    pit.bet(1, "ann", base=500, dynasty=100)
    refused = pit.refused("bet", seat=1, guest="ann", wager="protection", cents=100)
    assert refused.code == "not-offered"
    assert refused.message == "Protection is not offered at this table; offered: base (Base wager), dynasty (Dynasty Bonus)"
    view = table_view(pit.floor.state, "t1", ANYBODY)
    assert [wager["id"] for wager in view["wagers"]] == ["base", "dynasty"]
    assert {spot["wager"] for spot in view["face"]["spots"]} == {"base", "dynasty"}
    assert [limit["wager"] for limit in board_view(pit.floor.state, "t1")["limits"]] == ["Base wager", "Dynasty Bonus"]
    pit.check()


def test_what_is_not_offered_is_not_asked_for(tmp_path):
    """Insurance is a wager: at a table without it, nobody is asked about it, ace up or not."""
    for folder, offered, asked in (("with", None, True), ("without", ["blackjack", "lucky-lucky"], False)):
        (tmp_path / folder).mkdir()
        pit = Pit(tmp_path / folder, "lucky-lucky-wa", **({"offered": offered} if offered else {}))
        pit.bet(1, "ann", blackjack=500)
        pit.no_more_bets()
        pit.card("10s Ah 9d 8c")  # the guest's 19 against an ace
        assert unfolded(pit.table).before_look == asked
        pit.check()


def test_all_wagers_are_offered_unless_some_are_named(pit):
    assert pit.table.offered == tuple(edition_of(pit.table).wagers)


def test_what_follows_a_wager_is_offered_with_it(tmp_path):
    assert set(Pit(tmp_path, "duki-4-wa", offered=["ante"]).table.offered) == {"ante", "play"}


@pytest.mark.parametrize(
    ("offered", "code", "says"),
    [
        (["dynasty"], "bad-offer", "Dynasty Bonus needs Base wager"),
        ([], "bad-offer", "at least one"),
        (["base", "dynesty"], "unknown-wager", "did you mean dynasty"),
        ("base", "bad-command", "a list of wagers"),
        ([7], "bad-command", "a list of wagers"),
    ],
)
def test_what_cannot_be_offered(pit, offered, code, says):
    fields = {"table": "t2", "edition": PAI_GOW, "source": "hand-keyed", "opener_cents": OPENER}
    refused = refused_open(pit, **fields, offered=offered)
    assert (refused.code, says in refused.message) == (code, True)


# House Ways of one's own


def own_way(title="Ours"):
    folder = edition_files()[PAI_GOW].parent.parent / "house_ways"
    text = (folder / "plaza.toml").read_text()
    return text.replace(text.split("title = ")[1].splitlines()[0], f'"{title}"')


def test_a_house_way_is_bound_by_content(tmp_path):
    import tomllib

    content = bound.as_text(tomllib.loads(own_way()))
    pit = Pit(tmp_path, PAI_GOW, settings={"house-way": content})
    assert pit.table.settings["house-way"] == content
    assert table_view(pit.floor.state, "t1", ANYBODY)["settings"]["house-way"] == "Ours"
    pit.check()


def test_a_house_way_is_never_a_path_at_a_table(pit, tmp_path):
    (tmp_path / "way.toml").write_text(own_way())
    fields = {"table": "t2", "edition": PAI_GOW, "source": "hand-keyed", "opener_cents": OPENER}
    refused = refused_open(pit, **fields, settings={"house-way": str(tmp_path / "way.toml")})
    assert (refused.code, "--set house-way=FILE" in refused.message) == ("setting-is-a-file", True)
    assert refused_open(pit, **fields, settings={"house-way": "{}"}).code == "broken-toml"
    assert refused_open(pit, **fields, settings={"house-way": "{nonsense"}).code == "bad-setting"
