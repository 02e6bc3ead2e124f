"""Adding a pay table is an edit of a TOML file; adding a side bet touches one folder."""

import json

from folders import copied, edited

import houseway as hw
from houseway.conformance import flaws_of
from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.view import ANYBODY, board_view, table_view

RULE = '''
RED_OUTCOMES = (Outcome("red", "Dragon is red"), Outcome("black", "Dragon is black"))


@rule
def dragon_red(tape: Ints, settings: Ints) -> int:
    """Diamonds and hearts are red."""
    return 0 if tape[0] & 3 in (1, 2) else 1


def count_red(shoe: Shoe, settings: Ints, progress: Progress | None = None) -> Tally:
    """Every first card."""
    return Tally(count(dragon_red, deal_of_shoe(shoe, (1,)), settings, len(RED_OUTCOMES)))


def resolve_red(request: Request) -> Play:
    """Dragon's card alone decides."""
    ended = RED_OUTCOMES[dragon_red(np.array(request.cards[:1], np.int64), request.encoded)]
    return Play((Step("dragon-red", "DT-5", {"outcome": ended.name}),), (Result("dragon-red", ended.id, "DT-5"),))


GAME = Game('''
WAGER = """        Wager(
            "dragon-red", "Dragon Red", "DT-5", RED_OUTCOMES, count_red, cards=1, counts_as="red", resolve=resolve_red
        ),
    ),
    switches"""
CLAUSE = """
[[clause]]
id = "DT-5"
kind = "rule"
text = "Dragon Red pays 1 to 1 if Dragon's card is a diamond or a heart."
"""
PAYS = """
[wagers.dragon-red.pays]
red = "9 to 10"
black = "lose"
"""


def test_a_side_bet_touches_one_folder_and_is_played_live(monkeypatch, tmp_path):
    folder = copied("dragon_tiger", "red_tiger", tmp_path)
    edited(folder / "game.py", ("\nGAME = Game(", RULE), ("    ),\n    switches", WAGER))
    for file, more in (("clauses.toml", CLAUSE), ("editions/red-tiger-dragon-tiger.toml", PAYS)):
        (folder / file).write_text((folder / file).read_text() + more)
    edited(folder / "face.toml", ("[steps]\n", '[steps]\ndragon-red = "Dragon Red: {outcome}"\n'))
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    assert flaws_of("red_tiger", rounds=3) == []

    floor = Floor(Store(f"sqlite:///{tmp_path}/house.db"), tmp_path / "key")

    def do(kind, role, **fields):
        floor.do({"kind": kind, **fields}, Actor(role, role))

    do("fund", "administrator", cents=10_000_000)
    do("buy-in", "cashier", guest="Ann", cents=100_000)
    opened = {"edition": "red-tiger-dragon-tiger", "source": "hand-keyed", "opener_cents": 1_000_000, "seats": 3}
    do("open", "supervisor", table="T", **opened)
    view = table_view(floor.state, "T", ANYBODY)
    spot = next(spot for spot in view["face"]["spots"] if spot["wager"] == "dragon-red")
    assert (spot["name"], spot["main"]) == ("Dragon Red", False)
    assert "dragon-red" in view["face"]["grid"][0].split(), "a spot that the layout has not is a row of its own"
    assert len({len(row.split()) for row in view["face"]["grid"]}) == 1
    posted = next(wager for wager in view["wagers"] if wager["id"] == "dragon-red")
    assert [row["pays"] for row in posted["pays"]] == ["9 to 10", "lose"]
    for wager in ("dragon", "dragon-red"):
        do("bet", "dealer", table="T", seat=1, guest="Ann", wager=wager, cents=1000)
    do("no-more-bets", "dealer", table="T")
    do("card", "dealer", table="T", cards="9h 10s")
    view = table_view(floor.state, "T", ANYBODY)
    assert {due["wager"]: due["win_cents"] for due in view["due"]} == {"dragon": -1000, "dragon-red": 900}
    assert "Dragon Red: Dragon is red" in [step["text"] for step in view["steps"]["1"]]
    do("settle", "dealer", table="T")
    json.dumps(board_view(floor.state, "T"))
    assert floor.state.balance("guest:Ann") == 100_000 - 100
    sheet = hw.edition("red-tiger-dragon-tiger").odds()["dragon-red"]
    assert (sheet.total, sheet["red"].combinations) == (416, 208)


def test_a_pay_table_is_an_edit_of_a_toml_file(monkeypatch, tmp_path):
    folder = copied("dragon_tiger", "generous_tiger", tmp_path)
    edited(folder / "editions" / "generous-tiger-dragon-tiger.toml", ('tie = "8 to 1"', 'tie = "11 to 1"'))
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    generous = hw.edition("generous-tiger-dragon-tiger")
    assert generous.settle("7s 7h", "tie=5").win_cents == 5500
    assert 0.1036 < float(generous.odds()["tie"].house_edge) < 0.1037
