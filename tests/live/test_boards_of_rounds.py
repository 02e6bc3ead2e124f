"""EPG-13: EZ Trak Pai Gow, a scoreboard of rounds that is fed by a keypad alone: dice, dealer's hand, bonus hits."""

import pytest
from test_table import DAN, DUKI, PAI_GOW, SUE, Pit
from typer.testing import CliRunner

from houseway.board import KeyedHand, Keypad
from houseway.cli.main import app
from houseway.refusal import Refused
from houseway.view import board_view, happened


@pytest.fixture
def pit(tmp_path):
    opened = Pit(tmp_path)
    opened.do("board-open", SUE, table=None, board="wall", edition=PAI_GOW)
    return opened


def key(pit, round_):
    return pit.do("board-hand", DAN, table=None, board="wall", hand=round_)


def shown(pit):
    return board_view(pit.floor.state, "wall")


def test_epg_13_a_keypad_feeds_dice_dealers_hand_queen_high_and_bonus_hits(pit):
    key(pit, "3 two-pair")
    key(pit, "7 queen-high dynasty.full-house@2 protection.king-high-pai-gow")
    key(pit, "3 pair dynasty.full-house@1 dynasty.flush@4")
    view = shown(pit)
    assert (view["keyed"], view["kind"], view["rounds"], view["round"]) == (True, "history", 3, 4)
    assert [(told["start"], told["headline"], told["marks"]) for told in view["last"]] == [
        (3, "One pair", []),
        (7, "Queen-high pai gow", ["queen-high-pai-gow"]),
        (3, "Two pair", []),
    ]
    assert view["starts"] == [0, 0, 2, 0, 0, 0, 1]
    assert view["marks"] == {"queen-high-pai-gow": 1}
    assert view["hits"] == {"Dynasty Bonus": {"Full house": 2, "Flush": 1}, "Protection": {"King-high pai gow": 1}}
    assert view["ends"] == {} and view["limits"] == []
    assert view["last"][1]["hits"][0] == {"wager": "dynasty", "outcome": "Full house", "seat": 2}
    pit.check()


def test_epg_13_the_last_round_is_undone_and_the_board_begins_anew(pit):
    key(pit, "1 pair")
    key(pit, "2 flush")
    pit.do("board-undo", table=None, board="wall")
    assert shown(pit)["hands"] == ["1 pair"]
    pit.do("board-new-shoe", table=None, board="wall")
    assert shown(pit)["rounds"] == 0
    assert pit.refused("board-undo", table=None, board="wall").code == "nothing-to-undo"
    pit.check()


def test_epg_13_the_words_of_a_round_may_come_in_any_order_and_are_kept_in_one(pit):
    entry = key(pit, "dynasty.straight  pair 4")
    assert shown(pit)["hands"] == ["4 pair dynasty.straight"]
    assert happened(entry) == [
        {
            "event": "board-hand",
            "board": "wall",
            "hand": "4 pair dynasty.straight",
            "text": "Scoreboard wall: 4 pair dynasty.straight",
        }
    ]


@pytest.mark.parametrize(
    ("round_", "code"),
    [
        ("pair", "bad-start"),
        ("0 pair", "bad-start"),
        ("8 pair", "bad-start"),
        ("1 2 pair", "bad-start"),
        ("3", "bad-hand"),
        ("3 pair flush", "bad-hand"),
        ("3 aces", "unknown-hand"),
        ("3 pair base.win", "unknown-bonus"),
        ("3 pair dynasty.three-pair-and-more", "unknown-hit"),
        ("3 pair dynasty.other", "unknown-hit"),
        ("3 pair dynasty.flush@7", "bad-seat"),
        ("3 pair dynasty.flush@x", "bad-seat"),
        ("3 pair dynasty.flush dynasty.flush", "impossible-hand"),
        ("3 pair dynasty.flush dynasty.flush@1", "impossible-hand"),
        ("3 pair dynasty.flush@1 dynasty.straight@1", "impossible-hand"),
        ("B", "unknown-hand"),
    ],
)
def test_epg_13_an_impossible_round_changes_no_board(pit, round_, code):
    assert pit.refused("board-hand", table=None, board="wall", hand=round_).code == code
    assert shown(pit)["rounds"] == 0


def test_epg_13_a_hit_is_whatever_wins_in_one_of_the_pay_tables(pit):
    key(pit, "3 pair dynasty.luhn-tao-wheel red-black.six-of-the-colour@6")
    assert shown(pit)["last"][0]["hits"][1] == {"wager": "red-black", "outcome": "Six cards of the chosen colour", "seat": 6}


def test_epg_13_no_roads_so_nothing_of_the_next_hand_and_no_board_where_none_is_approved(pit):
    opening = {"table": None, "board": "w2", "edition": PAI_GOW}
    assert pit.refused("board-open", SUE, **opening, next_hand=True).code == "no-roads"
    assert pit.refused("board-open", SUE, **{**opening, "edition": DUKI}).code == "no-roads"


def test_epg_13_the_wall_knows_the_keys(pit):
    keypad = shown(pit)["face"]["board"]["keypad"]
    assert [hand["key"] for hand in keypad["hands"]][:3] == ["queen-high", "pai-gow", "pair"]
    assert [hits["wager"] for hits in keypad["hits"]] == ["dynasty", "protection", "red-black"]
    assert keypad["seats"] == 6


def test_epg_13_in_the_shell(tmp_path, monkeypatch):
    monkeypatch.setenv("HOUSEWAY_STORE", f"sqlite:///{tmp_path / 'house.db'}")
    monkeypatch.setenv("HOUSEWAY_KEY", str(tmp_path / "key"))

    def run(*words):
        result = CliRunner().invoke(app, ["board", *words])
        assert result.exit_code == 0, (words, result.output, result.exception)
        return result.output

    run("open", "wall", "--edition", PAI_GOW)
    run("hand", "wall", "3 two-pair")
    run("hand", "wall", "7 queen-high dynasty.full-house@2")
    assert run("show", "wall").splitlines() == [
        "wall: 2 rounds, Queen-high pai gow 1",
        "  round 2, from 7: Queen-high pai gow (Full house at seat 2)",
        "  round 1, from 3: Two pair",
    ]
    run("undo", "wall")
    assert '"hands": [' in run("show", "wall", "--format", "json") and "1 rounds" in run("show", "wall")


def test_a_keypad_of_a_game_without_dice_takes_no_number():
    keypad = Keypad((KeyedHand("pair", "One pair"),), {}, starts=0, seats=3)
    assert str(keypad.parse("pair")) == "pair"
    with pytest.raises(Refused) as caught:
        keypad.parse("3 pair")
    assert caught.value.code == "bad-start"
