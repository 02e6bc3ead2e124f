"""What the random models found, each as the shortest session that shows it."""

from test_table import BLACKJACK, Pit


def bank_pit(tmp_path, **opening):
    pit = Pit(tmp_path, "ez-baccarat-ca", **opening)
    for seat, guest in ((1, "ann"), (2, "bob")):
        pit.do("sit", seat=seat, guest=guest)
    return pit


def test_bj_8_insurance_cannot_be_changed_after_the_dealer_has_looked(tmp_path):
    pit = Pit(tmp_path, BLACKJACK)
    pit.bet(1, "ann", blackjack=10_000)
    pit.no_more_bets()
    pit.card("10s Ah 9d 8c")
    pit.bet(1, "ann", insurance=5_000)  # nobody else is asked: the dealer looks, no blackjack
    assert pit.to_act == {1: ("hit", "stand", "double")}
    assert pit.refused("bet", seat=1, guest="ann", wager="insurance", cents=50).code == "wrong-phase"


def test_r12_the_bank_does_not_wager_at_another_seat_either(tmp_path):
    pit = bank_pit(tmp_path)
    pit.do("sit", seat=3, guest="ann")
    pit.do("bank", seat=1, guest="ann", cents=50_000)
    assert pit.refused("bet", seat=3, guest="ann", wager="player", cents=1_000).code == "bank-does-not-wager"


def test_r12_whoever_has_a_bet_does_not_take_the_bank(tmp_path):
    pit = bank_pit(tmp_path)
    pit.do("sit", seat=3, guest="ann")
    pit.bet(3, "ann", player=1_000)
    assert pit.refused("bank", seat=1, guest="ann", cents=50_000).code == "bank-does-not-wager"


def test_ezc_4_whoever_bets_has_a_seat_and_so_is_offered_the_bank(tmp_path):
    pit = bank_pit(tmp_path)
    assert pit.refused("bet", seat=5, guest="cat", wager="player", cents=1_000).code == "not-seated"


def test_a_bank_that_covers_nothing_can_end(tmp_path):
    pit = bank_pit(tmp_path, settings={"R12b": "worst-case"})
    pit.do("bank", seat=1, guest="ann", cents=30)
    pit.bet(2, "bob", dragon_7=500)
    assert pit.refused("no-more-bets").code == "nothing-covered"
    assert pit.refused("pass", seat=1, guest="bob").code == "not-your-turn"
    pit.do("pass", seat=1, guest="ann")
    assert pit.table.bank.holder == 0
    assert pit.table.bank.offered == 2


def test_a_correction_is_refused_that_lets_a_seat_decide_again_after_a_later_one(tmp_path):
    pit = Pit(tmp_path, BLACKJACK)
    pit.bet(1, "ann", blackjack=10_000)
    pit.bet(2, "bob", blackjack=10_000)
    pit.no_more_bets()
    pit.card("10s 10h 7c 6s 9h 10d")
    pit.decide(1, "hit")
    pit.card("5s")
    pit.decide(2, "stand")
    assert pit.refused("correct-card", reason="misread", place=7, card="4s").code == "cannot-correct"
