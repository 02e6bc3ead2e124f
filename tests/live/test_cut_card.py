"""The cut card is a setting of the table (BJ-9): journaled, shown, and kept to by the virtual shoe; manual tables are told."""

import pytest
from test_table import BACCARAT, BLACKJACK, PAI_GOW, Pit

from houseway.house.floor import Floor
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.view.reader import ANYBODY
from houseway.view.table import table_view


def shown(pit):
    return table_view(pit.floor.state, "t1", ANYBODY)


@pytest.mark.parametrize("edition", [BLACKJACK, BACCARAT])
@pytest.mark.parametrize(("given", "percent"), [({}, 75), ({"cut_percent": 50}, 50), ({"cut_percent": 90}, 90)])
def test_bj_9_the_cut_card_is_a_setting_of_the_table(tmp_path, edition, given, percent):
    pit = Pit(tmp_path, edition, source="virtual-shoe", **given)
    size = pit.table.shoe.size
    assert (pit.table.cut_percent, pit.table.shoe.cut) == (percent, size * percent // 100)
    assert shown(pit)["cut"] == {"percent": percent, "cards": size * percent // 100, "is_out": False}
    assert pit.opened.data["command"].get("cut_percent", 75) == percent
    assert Floor(Store(pit.url), pit.key_file).refresh() == pit.floor.state


def test_bj_9_past_the_cut_card_the_next_round_has_a_new_shoe(tmp_path):
    pit = Pit(tmp_path, BACCARAT, source="virtual-shoe", cut_percent=10)
    first = pit.table.shoe.id
    rounds = 0
    while pit.table.shoe.id == first:
        used = pit.table.shoe.used
        pit.bet(1, "ann", player=1_000)
        pit.no_more_bets()
        pit.do("deal")
        pit.do("settle")
        rounds += 1
    assert used < 416 // 10 <= used + 6 and rounds < 12
    pit.check()


def test_bj_9_a_manual_table_says_when_the_cut_card_is_out(tmp_path):
    pit = Pit(tmp_path, BACCARAT, cut_percent=10)
    assert shown(pit)["cut"] == {"percent": 10, "cards": 41, "is_out": False}
    deck = [f"{rank}{suit}" for suit in "cdhs" for rank in ("9", "2", "K", "3")]  # naturals: four cards a hand
    for hand in range(11):
        cards = deck[(hand % 4) * 4 : (hand % 4) * 4 + 4]
        pit.bet(1, "ann", player=1_000)
        pit.no_more_bets()
        pit.card(" ".join(cards))
        pit.do("settle")
        assert shown(pit)["cut"]["is_out"] == (4 * (hand + 1) >= 41)
    pit.do("new-shoe")
    assert not shown(pit)["cut"]["is_out"]


@pytest.mark.parametrize("percent", [9, 101, 0, -5])
def test_bj_9_a_cut_card_outside_the_shoe_is_refused(tmp_path, percent):
    with pytest.raises(Refused) as refused:
        Pit(tmp_path, BLACKJACK, cut_percent=percent)
    assert refused.value.code == "bad-cut"


@pytest.mark.parametrize(("edition", "settings"), [(PAI_GOW, {}), (BLACKJACK, {"shuffler": "continuous"})])
def test_bj_9_where_every_round_is_shuffled_there_is_no_cut_card(tmp_path, edition, settings):
    with pytest.raises(Refused) as refused:
        Pit(tmp_path, edition, cut_percent=60, settings=settings)
    assert refused.value.code == "no-cut-card"
    pit = Pit(tmp_path, edition, name="other.db", settings=settings)
    assert shown(pit)["cut"] is None
