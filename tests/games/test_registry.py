"""Games are found in the package, as entry points, and in folders; what is no game is left out with one line."""

import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest
from folders import EXAMPLES, copied, edited
from starlette.testclient import TestClient

import houseway.games
from houseway.approval.manifest import folder_digest
from houseway.games import NAMES, edition_files, game, open_edition, readable_editions, registry
from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.intact import Definitions, load_imports_of
from houseway.refusal import Refused
from houseway.table.bound import UNREADABLE, read_document, read_offered
from houseway.view.face import _face, face_view
from houseway.view.lobby import lobby_view
from houseway.web.app import ServeSettings, create_app
from houseway.web.demo import demo_tables
from houseway.web.serve import _documentation
from houseway.web.warm import leave_out_what_does_not_conform, warm_up


def test_the_house_comes_with_its_games_alone(monkeypatch):
    monkeypatch.delenv("HOUSEWAY_GAMES", raising=False)
    assert tuple(registry().places) == NAMES
    assert registry().flaws == ()


@pytest.mark.parametrize("named", [EXAMPLES, EXAMPLES / "casino_war", f"{EXAMPLES / 'casino_war'}:{EXAMPLES / 'dragon_tiger'}"])
def test_a_folder_is_a_game_or_has_games_in_it(monkeypatch, named):
    monkeypatch.setenv("HOUSEWAY_GAMES", str(named))
    assert game("casino_war").folder == EXAMPLES / "casino_war"
    assert open_edition("casino-war").game is game("casino_war")
    assert registry().flaws == ()


def test_a_link_to_a_game_is_a_way_to_it(monkeypatch, tmp_path):
    copied("dragon_tiger", "linked_tiger", tmp_path / "elsewhere")
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "a_link").symlink_to(tmp_path / "elsewhere" / "linked_tiger")
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path / "games"))
    assert registry().flaws == ()
    assert open_edition("linked-tiger-dragon-tiger").game is game("linked_tiger")
    assert readable_editions()[1] == []


MEDDLING = {
    "pay": "from houseway.rulebook.edition import Edition\nEdition.pay = lambda *given: None\n",
    "code": "from houseway.rulebook import edition\nedition.load_edition.__code__ = (lambda *given: None).__code__\n",
    "default": "from houseway.table.play import settled_as\nsettled_as.__defaults__ = (1,)\n",
    "constant": "from houseway.table import washington\nwashington.SINGLE_WAGER = None\n",
    "container": "from houseway.table.commands import COMMANDS\nCOMMANDS['settle'] = COMMANDS['void']\n",
    "other_game": "import houseway.games.ez_baccarat.game as other\nother.OUTCOMES = other.OUTCOMES[::-1]\n",
    "added": "from houseway.rulebook.pay import Pay\nPay.__getattribute__ = object.__getattribute__\n",
    "removed": "from houseway.rulebook import settle\ndel settle.round_win\n",
    "and_fails": "from houseway.rulebook.edition import Edition\nEdition.pay = None\nraise OSError('too late')\n",
}


@pytest.mark.parametrize("what", MEDDLING)
def test_a_game_that_changes_what_is_not_its_own_is_left_out_and_undone(monkeypatch, tmp_path, what):
    name = f"evil_{what}"
    folder = copied("dragon_tiger", name, tmp_path)
    (folder / "__init__.py").write_text((folder / "__init__.py").read_text() + MEDDLING[what])
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    load_imports_of(folder)
    before = Definitions(but="")
    with pytest.raises(
        Refused, match="cannot be loaded: OSError" if what == "and_fails" else "it changes .*, which is not its own"
    ):
        game(name)
    assert [str(kept) for kept in before.changes()] == []
    assert not [module for module in sys.modules if module.endswith(name)]
    assert any(name in flaw for flaw in readable_editions()[1])


def test_games_from_outside_are_named_with_their_digest(monkeypatch, tmp_path):
    from houseway.approval import badge, system

    folder = copied("dragon_tiger", "guest_tiger", tmp_path)
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    said = f"with games from outside: guest_tiger (digest {folder_digest(folder)[:12]})"
    assert str(system()).endswith(said)
    assert badge(open_edition("ez-baccarat-wa")).system_words.endswith(said)
    assert system().as_data()["outside"] == [f"guest_tiger (digest {folder_digest(folder)[:12]})"]
    monkeypatch.setenv("HOUSEWAY_GAMES", "")
    assert "games from outside" not in str(system())
    assert "games from outside" not in str(badge(open_edition("ez-baccarat-wa")))


def test_a_game_that_cannot_be_loaded_is_said_once(monkeypatch, tmp_path, caplog):
    folder = copied("dragon_tiger", "torn_tiger", tmp_path)
    (folder / "__init__.py").write_text("raise OSError('torn')\n")
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    warm_up()
    leave_out_what_does_not_conform()
    assert [record.message.count("torn_tiger") > 0 for record in caplog.records].count(True) == 1
    with pytest.raises(Refused, match="torn"):
        game("torn_tiger")


def test_the_documentation_is_promised_only_where_it_is_built(tmp_path):
    assert _documentation(tmp_path, "http://here:8000") == "`make docs` builds the documentation, for /docs"
    (tmp_path / "index.html").write_text("")
    assert _documentation(tmp_path, "http://here:8000") == "http://here:8000/docs"


def test_a_package_offers_its_game_as_an_entry_point(monkeypatch, tmp_path):
    (tmp_path / "their_games").mkdir()
    (tmp_path / "their_games" / "__init__.py").write_text("")
    copied("dragon_tiger", "their_tiger", tmp_path / "their_games")
    monkeypatch.syspath_prepend(str(tmp_path))
    offered = [
        EntryPoint("tiger", "their_games.their_tiger:GAME", "houseway.games"),
        EntryPoint("gone", "their_games.gone:GAME", "houseway.games"),
    ]
    monkeypatch.setattr(houseway.games, "entry_points", lambda group: offered)
    monkeypatch.setenv("HOUSEWAY_GAMES", "")
    houseway.games._registry.cache_clear()
    try:
        assert game("their_tiger").package == "their_games.their_tiger"
        assert open_edition("their-tiger-dragon-tiger").game.id == "their_tiger"
        (flaw,) = registry().flaws
        assert flaw == "entry point gone: there is no package their_games.gone"
    finally:
        houseway.games._registry.cache_clear()


def test_only_the_games_asked_for_are_imported():
    script = (
        "import sys; from houseway.cli.main import app; from houseway.games import edition_files, open_edition; "
        "edition_files(); "
        "loaded = lambda: sorted(m for m in sys.modules if m.startswith('houseway.games.') and m.count('.') == 2); "
        "print(loaded()); open_edition('duki-4-wa'); print(loaded())"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.splitlines()
    assert out == ["[]", "['houseway.games.duki_4_poker']"]


def test_a_folder_that_is_no_game_is_one_line(monkeypatch, tmp_path, run):
    (tmp_path / "empty").mkdir()
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "clauses.toml").write_text("")
    monkeypatch.setenv("HOUSEWAY_GAMES", f"{tmp_path / 'empty'}:{tmp_path / 'half'}:{tmp_path / 'nowhere'}")
    code, out, err = run("editions")
    assert code == 0
    assert "ez-baccarat-wa" in out
    lines = err.splitlines()
    assert len(lines) == 3
    assert f"{tmp_path / 'half'}: no game: it has no __init__.py" in lines[1]
    assert run("game", "check", tmp_path / "empty")[::2] == (
        2,
        f"houseway: {tmp_path / 'empty'}: no game: it has no __init__.py, it has no clauses.toml\n",
    )


def test_what_was_to_be_a_game_is_one_line_and_other_folders_none(monkeypatch, tmp_path, run):
    copied("dragon_tiger", "good_tiger", tmp_path)
    for name, part in (
        ("coded", "__init__.py"),
        ("marked", "clauses.toml"),
        ("listed", "editions/one.toml"),
        ("notes", "a.txt"),
    ):
        (tmp_path / name / part).parent.mkdir(parents=True)
        (tmp_path / name / part).write_text("")
    for name in (".hidden", "__pycache__"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    code, out, err = run("game", "list")
    assert code == 0 and f"good_tiger: {tmp_path / 'good_tiger'}" in out
    assert sorted(err.splitlines()) == [
        f"houseway: left out: {tmp_path / 'coded'}: no game: it has no clauses.toml",
        f"houseway: left out: {tmp_path / 'listed'}: no game: it has no __init__.py, it has no clauses.toml",
        f"houseway: left out: {tmp_path / 'marked'}: no game: it has no __init__.py",
    ]
    for name, lacks in (("coded", "it has no clauses.toml"), ("notes", "it has no __init__.py, it has no clauses.toml")):
        assert run("game", "check", name)[::2] == (2, f"houseway: {tmp_path / name}: no game: {lacks}\n")


def test_a_folder_without_any_game_names_what_is_in_it(monkeypatch, tmp_path):
    (tmp_path / "nogame").mkdir()
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    (flaw,) = registry().flaws
    assert flaw == f"{tmp_path}: no game: neither this folder nor one in it has a clauses.toml (there is nogame)"


@pytest.mark.parametrize("raised", ["__import__('sys').exit(3)", "raise GeneratorExit('gone')"])
def test_a_game_that_ends_the_program_is_left_out(monkeypatch, tmp_path, run, raised):
    folder = copied("dragon_tiger", "leaving_tiger", tmp_path)
    edited(folder / "game.py", ("def play(request", f"{raised}\n\n\ndef play(request"))
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    code, out, err = run("game", "list")
    assert code == 0 and "ez_baccarat: built in" in out and "leaving_tiger" not in out
    (line,) = err.splitlines()
    assert line.startswith(f"houseway: left out: game leaving_tiger in {folder} cannot be loaded: ")
    with pytest.raises(Refused, match="leaving_tiger") as refused:
        read_document('{"id": "x", "game": "leaving_tiger"}')
    assert refused.value.code == UNREADABLE


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("title = ", "not valid TOML"),
        ("grid = 3", "grid: "),
        ('grid = ["lion"]', '"lion" is no wager of this game'),
    ],
)
def test_a_game_with_a_broken_face_is_left_out(monkeypatch, tmp_path, run, text, why):
    folder = copied("dragon_tiger", "faceless_tiger", tmp_path)
    for module in [module for module in sys.modules if module.startswith("houseway.games.faceless_tiger")]:
        del sys.modules[module]  # of the case before
    (folder / "face.toml").write_text(text)
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    code, out, err = run("game", "list")
    assert code == 0 and "faceless_tiger" not in out
    (line,) = err.splitlines()
    assert line.startswith(f"houseway: left out: {folder}: face.toml: {why}") and "game faceless_tiger" in line
    tables = demo_tables()
    assert any(table.edition == "ez-baccarat-wa" for table in tables.values())
    assert not any("faceless" in table.edition for table in tables.values())


@pytest.mark.parametrize(
    ("text", "why"), [("title = ", "face.toml: not valid TOML"), ('lines = [[{text = "{tie.none}"}]]', "")]
)
def test_a_table_whose_face_broke_says_why_and_others_go_on(monkeypatch, tmp_path, text, why):
    folder = copied("dragon_tiger", "fading_tiger", tmp_path)
    for module in [module for module in sys.modules if module.startswith("houseway.games.fading_tiger")]:
        del sys.modules[module]
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    floor = Floor(Store(f"sqlite:///{tmp_path}/house.db"), tmp_path / "key")
    floor.do({"kind": "fund", "cents": 10_000_000}, Actor("office", "administrator"))
    for table, edition in (("Tiger", "fading-tiger-dragon-tiger"), ("Baccarat", "ez-baccarat-wa")):
        opened = {"kind": "open", "table": table, "edition": edition, "source": "virtual-shoe", "opener_cents": 100_000}
        floor.do(opened, Actor("floor", "supervisor"))
    (folder / "face.toml").write_text(text)
    for kept in (houseway.games._load, read_document, read_offered, _face):  # the house starts anew
        kept.cache_clear()
    for module in [module for module in sys.modules if module.startswith("houseway.games.fading_tiger")]:
        del sys.modules[module]
    house = Floor(Store(f"sqlite:///{tmp_path}/house.db"), tmp_path / "key").refresh()
    cards = {card["name"]: card for card in lobby_view(house)}
    assert cards["Baccarat"]["edition"]["name"] == "EZ Baccarat (Washington)"
    said = cards["Tiger"]["edition"]["unreadable"]
    assert str(folder) in said and "face.toml" in said and "game fading_tiger" in said and why in said
    with pytest.raises(Refused) as refused:
        face_view(house.tables["Tiger"])
    assert refused.value.code == UNREADABLE


def test_a_game_that_cannot_be_imported_spoils_nothing_else(monkeypatch, tmp_path, run):
    folder = copied("dragon_tiger", "unloadable_tiger", tmp_path)
    edited(folder / "game.py", ("def play(request", "raise RuntimeError('no tiger\\ntoday')\n\n\ndef play(request"))
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    code, out, err = run("editions")
    assert code == 0 and "ez-baccarat-wa" in out
    (line,) = err.splitlines()
    assert f"game unloadable_tiger in {folder} cannot be loaded: RuntimeError: no tiger" in line
    code, _, err = run("odds", "unloadable-tiger-dragon-tiger")
    assert code == 2 and len(err.splitlines()) == 1


def test_a_clash_of_ids_names_both(monkeypatch, tmp_path):
    folder = copied("dragon_tiger", "clashing_tiger", tmp_path)
    own = folder / "editions" / "clashing-tiger-dragon-tiger.toml"
    own.rename(own.with_name("ez-baccarat-wa.toml"))
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    (flaw,) = registry().flaws
    assert str(own.with_name("ez-baccarat-wa.toml")) in flaw
    assert "ez_baccarat/editions/ez-baccarat-wa.toml already: give it an id of its own" in flaw
    assert "ez_baccarat" in str(edition_files()["ez-baccarat-wa"])


def test_a_folder_of_a_built_in_name_is_refused(monkeypatch, tmp_path):
    copied("dragon_tiger", "blackjack", tmp_path)
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    assert any("a game blackjack is in" in flaw and "rename the folder" in flaw for flaw in registry().flaws)
    assert game("blackjack").name == "Blackjack with Lucky Lucky"


def test_an_edition_in_the_folder_of_another_game_is_refused(monkeypatch, tmp_path):
    folder = copied("dragon_tiger", "lost_tiger", tmp_path)
    edited(folder / "editions" / "lost-tiger-dragon-tiger.toml", ('game = "lost_tiger"', 'game = "ez_baccarat"'))
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    _, flaws = readable_editions()
    assert len(flaws) == 1 and "lost-tiger-dragon-tiger" in flaws[0]


def test_a_game_that_does_not_conform_is_left_out_of_a_served_house(monkeypatch, tmp_path, caplog):
    """Its table says why; the rest of the house is served."""
    folder = copied("dragon_tiger", "crooked_tiger", tmp_path)
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    floor = Floor(Store(f"sqlite:///{tmp_path}/house.db"), tmp_path / "key")
    floor.do({"kind": "fund", "cents": 10_000_000}, Actor("office", "administrator"))
    for table, edition in (("Tiger", "crooked-tiger-dragon-tiger"), ("Baccarat", "ez-baccarat-wa")):
        opened = {"kind": "open", "table": table, "edition": edition, "source": "virtual-shoe", "opener_cents": 100_000}
        floor.do(opened, Actor("floor", "supervisor"))
    edited(folder / "clauses.toml", ('id = "DT-3"', 'id = "DT-33"'))
    read_document.cache_clear()  # the house starts anew
    with TestClient(create_app(ServeSettings(f"sqlite:///{tmp_path}/house.db", tmp_path / "key", demo=False))) as client:
        assert "crooked_tiger" in caplog.text and "DT-3" in caplog.text
        tables = {table["name"]: table for table in client.get("/api/v1/tables").json()["tables"]}
        assert tables["Baccarat"]["edition"]["name"] == "EZ Baccarat (Washington)"
        assert "crooked_tiger" in str(tables["Tiger"]) and "does not conform" in str(tables["Tiger"])
        assert client.get("/api/v1/tables/Baccarat").status_code == 200
        editions = {edition["id"] for edition in client.get("/api/v1/editions").json()}
        assert "ez-baccarat-wa" in editions and "crooked-tiger-dragon-tiger" not in editions
    with pytest.raises(Refused, match=r"crooked_tiger .* is left out: it does not conform"):
        open_edition("crooked-tiger-dragon-tiger")
