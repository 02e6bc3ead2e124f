"""Tables of an edition that does not name what came later play as they did, and so do their journals."""

import pytest
from test_table import DAN, DUKI, OPENER, PAI_GOW, PURSE, SPARE, SUE, Pit, events, paid

import houseway
from houseway.house.floor import HOUSE
from houseway.table.bound import as_text
from houseway.table.fold import EDITION_ADDED

ACES_KINGS, SAME_AGAIN, QUEEN_HIGH = "Ac Ad Kc Kd 9h 5s 2c", "As Ah Ks Kh 9s 5h 2h", "Qc 10d 9c 8h 5c 4d 3h"
FOUR_SEVENS = "7c 7d 7h 7s 2d 3d Jh"
ANN_HAND, DEALER_HAND = "9h 9c 6s Jd", "9s 9d 5h 8c"


def older(edition):
    """The edition's content as a release before had it."""
    book = houseway.edition(edition).edition
    document = {name: value for name, value in book.document.items() if name != "seats"} | {"id": f"old-{edition}"}
    later = {name for name, switch in book.game.switches.items() if switch.since}
    document["settings"] = {name: values for name, values in document["settings"].items() if name not in later}
    document["readings"] = {name: reading for name, reading in document["readings"].items() if name not in later}
    document["cards"] = {name: value for name, value in document["cards"].items() if name != "defaults"}
    return document


@pytest.fixture
def opened(tmp_path):
    """A table of an older edition."""

    def opens(edition, source="hand-keyed", **opening):
        pit = Pit(tmp_path)
        document = older(edition)
        pit.floor.note(EDITION_ADDED, HOUSE, {"id": document["id"], "document": as_text(document)})
        pit.do("close", SUE)
        pit.do("open", SUE, edition=document["id"], source=source, opener_cents=OPENER, **opening)
        pit.edition = edition
        return pit

    return opens


def test_epg_8_every_hand_is_keyed_and_a_foul_is_refused(opened):
    pit = opened(PAI_GOW)
    pit.bet(1, "ann", base=10_000)
    pit.no_more_bets()
    pit.card(ACES_KINGS, *SPARE, SAME_AGAIN)
    assert len(pit.round.drawn) == 49
    assert pit.refused("decide", seat=1, choice="set As Ah").code == "foul"
    pit.decide(1, "house-way")
    pit.do("settle")
    pit.check()


def test_epg_7b_the_dealer_is_the_next_active_position(opened):
    pit = opened(PAI_GOW, settings={"deal": "wagered-positions"})
    pit.bet(6, "ann", base=10_000)
    pit.no_more_bets(dice=5)
    pit.card(ACES_KINGS, SAME_AGAIN)
    assert [*pit.hands] == ["dealer", 6]


def test_r6_a_second_seat_wins_envy_and_r16b_a_foul_pushes(opened):
    pit = opened(PAI_GOW, settings={"deal": "wagered-positions", "R16": "loses"})
    for seat in (2, 5):
        pit.bet(seat, "ann", base=10_000, dynasty=500)
    pit.no_more_bets()
    pit.card(QUEEN_HIGH, FOUR_SEVENS, SAME_AGAIN)
    pit.decide(5, "house-way")
    pit.decide(2, "set As Ah")
    assert sorted(paid(pit.do("settle")))[:3] == [(2, "base", 0), (2, "dynasty", -500), (2, "dynasty", 500)]
    pit.check()


def test_d4p_three_seats_two_decks_no_check_and_a_flag_for_the_dealer(opened):
    pit = opened(DUKI, seats=3, settings={"dealer-bets": "allowed"})
    pit.do("bet", DAN, seat=1, guest="ann", wager="ante", cents=1_000, for_dealer=True)
    assert pit.round.spots[1].bets == {"ante": 1_000} and not pit.round.spots[1].for_dealer
    assert events(pit.no_more_bets(), "no-more-bets")[0]["deck"] in {"red", "blue"}
    pit.card(ANN_HAND, DEALER_HAND)
    pit.decide(1, "play")
    pit.do("settle")
    assert pit.purse("ann") == PURSE + 3_000 and pit.floor.state.balance("tips:t1") == 0
    pit.check()


def test_d4p_14d_a_jam_asked_for_no_check(opened):
    pit = opened(DUKI, source="shuffler")
    pit.bet(1, "ann", ante=1_000)
    pit.do("void", SUE, reason="shuffler-jam")
    pit.bet(1, "ann", ante=1_000)
    pit.no_more_bets()
    pit.check()
