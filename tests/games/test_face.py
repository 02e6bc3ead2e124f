"""What a game looks like: read strictly, completed where it is silent, and resolved for the table at hand."""

import json

import pytest
from folders import copied, edited

from houseway.games import NAMES, edition_files, game
from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.rulebook.face import read_face
from houseway.view import ANYBODY, board_view, table_view

STANDS = {"soft-17": "stands"}
TONES = {"plain", "blue", "red", "green", "amber", "silver", "gold"}


@pytest.fixture
def felt(tmp_path):
    """Tables by edition and settings, as anybody sees them."""
    floor = Floor(Store(f"sqlite:///{tmp_path}/house.db"), tmp_path / "key")
    floor.do({"kind": "fund", "cents": 100_000_000}, Actor("office", "administrator"))

    def opened(edition, source="virtual-shoe", **settings):
        name = f"table {len(floor.state.tables)}"
        command = {"kind": "open", "table": name, "edition": edition, "source": source, "settings": settings}
        if edition != "ez-baccarat-ca":
            command["opener_cents"] = 100_000
        floor.do(command, Actor("floor", "supervisor"))
        json.dumps(board_view(floor.state, name))
        return table_view(floor.state, name, ANYBODY)["face"]

    return opened


@pytest.mark.parametrize(
    ("edition", "settings", "lines", "ribbon"),
    [
        ("ez-baccarat-wa", {}, ["No commission · Dragon 7 pushes Banker"], ""),
        ("ez-pai-gow-wa", {}, ["No commission · Dealer's queen-high pai gow pushes"], ""),
        ("lucky-lucky-wa", {}, ["Blackjack pays 3 to 2 · Dealer hits soft 17"], "Insurance pays 2 to 1"),
        (
            "lucky-lucky-wa",
            {"soft-17": "stands"},
            ["Blackjack pays 3 to 2 · Dealer stands on all 17s"],
            "Insurance pays 2 to 1",
        ),
        ("duki-4-wa", {}, ["Ante to 100 to 1 · Bonus to 30 to 1"], ""),
    ],
)
def test_what_is_printed_on_the_cloth_follows_pays_and_settings(felt, edition, settings, lines, ribbon):
    face = felt(edition, **settings)
    assert (face["lines"], face["ribbon"]) == (lines, ribbon)


@pytest.mark.parametrize("edition", list(edition_files()))
def test_every_face_is_whole(felt, edition):
    face = felt(edition)
    areas = {area for row in face["grid"] for area in row.split()} - {"."}
    assert areas == {spot["wager"] for spot in face["spots"]}
    assert {spot["tone"] for spot in face["spots"]} | {hand["tone"] for hand in face["hands"]} <= TONES
    assert all(spot["mark"] and spot["name"] and isinstance(spot["main"], bool) for spot in face["spots"])
    assert any(spot["main"] for spot in face["spots"])
    assert face["board"]["kind"] == ("roads" if face["results"] else "history")


def test_what_a_foul_comes_to_is_said_for_the_reading_at_the_table(felt):
    refused, loses = felt("ez-pai-gow-wa")["words"], felt("ez-pai-gow-wa", R16="loses")["words"]
    assert (refused["foul_refused"], loses["foul_refused"]) == (True, False)
    assert refused["foul_says"].endswith("this set is refused.") and loses["foul_says"].endswith("it loses.")


def test_dice_are_asked_for_where_they_are_thrown_by_hand(felt):
    assert felt("ez-pai-gow-wa")["dice"] is None
    assert felt("ez-pai-gow-wa", "hand-keyed")["dice"] == {"sides": 7, "words": "Where do the dice begin the deal?"}
    assert felt("ez-baccarat-ca", "hand-keyed", R12="from-marker")["dice"]["words"] == "Where does the marker stand?"
    assert felt("ez-baccarat-ca", R12="from-marker")["dice"] is None  # R12: a virtual table draws it by itself


def test_a_game_without_a_face_has_a_decent_one(monkeypatch, tmp_path, felt):
    folder = copied("casino_war", "faceless_war", tmp_path)
    (folder / "face.toml").unlink()
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    face = felt("faceless-war-casino-war")
    assert face["title"] == "Casino War"
    assert face["grid"] == ["tie tie", "bet war"]
    assert [(spot["wager"], spot["main"]) for spot in face["spots"]] == [("bet", True), ("war", True), ("tie", False)]
    assert {name: (choice["words"], choice["key"]) for name, choice in face["choices"].items()} == {
        "war": ("War", "w"),
        "surrender": ("Surrender", "s"),
    }
    assert [hand["name"] for hand in face["hands"]] == ["Dealer"]
    assert (face["board"]["kind"], face["board"]["main"], face["hand_cards"]) == ("history", "bet", 1)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('cloth = "blue"', 'cloth = "purple"', "cloth: input should be 'green' or 'blue'"),
        ('cloth = "blue"', 'colour = "blue"', "colour: "),
        ('mark = "S", tone = "gold"', 'mark = "S", tone = "golden"', "spots.1.tone: "),
        ('cloth = "blue"', "cloth = ", "not valid TOML"),
        ('grid = ["tie suited-tie"', 'grid = ["tie suited"', '"suited" is no wager of this game'),
    ],
)
def test_a_flaw_is_one_line_with_its_key(monkeypatch, tmp_path, before, after, said):
    name = f"flawed_{abs(hash(after))}"
    edited(copied("dragon_tiger", name, tmp_path) / "face.toml", (before, after))
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    with pytest.raises(Refused) as refused:
        game(name)
    assert refused.value.code == "no-game"
    assert "face.toml" in refused.value.message and said in refused.value.message
    assert len(refused.value.message.splitlines()) == 1


@pytest.mark.parametrize("name", NAMES)
def test_a_face_says_what_every_step_is_called(name):
    assert read_face(game(name).folder).steps
