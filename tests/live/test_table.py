"""A live table, whatever the game: phases, money, voids, corrections, surveillance, closing. The other files here use `Pit`."""

import pytest

import houseway
from houseway.house.audit import Auditor
from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table import VOID_REASONS, Phase, unfolded
from houseway.table.engine import edition_of
from houseway.view.words import event_words

ROOT, SUE = Actor("root", "administrator"), Actor("sue", "supervisor")
DAN, CAT, AUD = Actor("dan", "dealer"), Actor("cat", "cashier"), Actor("aud", "auditor")
ANN, BOB = Actor("ann", "guest"), Actor("bob", "guest")
BACCARAT, PAI_GOW, BLACKJACK, DUKI = "ez-baccarat-wa", "ez-pai-gow-wa", "lucky-lucky-wa", "duki-4-wa"
EDITIONS = (BACCARAT, PAI_GOW, BLACKJACK, DUKI)
MAIN = {BACCARAT: "banker", PAI_GOW: "base", BLACKJACK: "blackjack", DUKI: "ante"}
CHOICE = {PAI_GOW: "house-way", BLACKJACK: "stand", DUKI: "fold"}
PURSE, OPENER = 1_000_000, 10_000_000

BANKER_WINS = "2s 9h Kd Jc"
PLAYER_WINS = "9s 2h Kd Kc"
DRAGON_7 = "Ks 2h 2d 3c 4h 2c"  # Player 2, Banker 5; Player draws a four, so Banker draws a two: 7 against 6
TIE = "9s 9h Kd Kc"


SPARE = [  # five hands of pai gow that nobody bets on
    "3c 3d 3h 3s 4c 4d 4h",
    "4s 6c 6d 6h 6s 7c 7d",
    "7h 7s 8c 8d 8h 8s 9c",
    "9d 10c 10d 10h 10s Jc Jd",
    "Jh Js Qc Qd Qh Qs 5c",
]


class Pit:
    """One table, t1, with funded guests, in a store of its own; the cards are keyed in unless the source says otherwise."""

    def __init__(self, folder, edition=BACCARAT, source="hand-keyed", name="house.db", **opening):
        self.url, self.key_file, self.edition = f"sqlite:///{folder / name}", folder / "shoe.key", edition
        self.floor = Floor(Store(self.url), self.key_file)
        self.do("fund", ROOT, table=None, cents=100_000_000)
        for guest in ("ann", "bob", "eve"):
            self.do("buy-in", CAT, table=None, guest=guest, cents=PURSE)
        self.opened = self.do("open", SUE, edition=edition, source=source, opener_cents=OPENER, **opening)

    def wager_name(self, wager):
        """A wager as people read it."""
        return houseway.edition(self.edition).edition.game.wagers[wager].name

    def do(self, kind, actor=DAN, key="", table="t1", **fields):
        command = {"kind": kind} | ({"table": table} if table else {}) | fields
        return self.floor.do(command, actor, key)

    def bet(self, seat, guest, actor=DAN, **wagers):
        for wager, cents in wagers.items():
            entry = self.do("bet", actor, seat=seat, guest=guest, wager=wager.replace("_", "-"), cents=cents)
        return entry

    def no_more_bets(self, **fields):
        dice = {"dice": 7} if self.edition == PAI_GOW and self.table.source != "virtual-shoe" else {}
        return self.do("no-more-bets", **(dice | fields))

    def card(self, *hands):
        """Key hands of cards one after the other."""
        for hand in hands:
            entry = self.do("card", cards=hand)
        return entry

    def decide(self, seat, *choices, actor=DAN):
        for choice in choices:
            entry = self.do("decide", actor, seat=seat, choice=choice)
        return entry

    @property
    def table(self):
        return self.floor.state.tables["t1"]

    @property
    def round(self):
        return self.table.round

    @property
    def hands(self):
        return unfolded(self.table).hands

    @property
    def to_act(self):
        return unfolded(self.table).to_act

    def purse(self, guest):
        return self.floor.state.balance(f"guest:{guest}")

    @property
    def felt(self):
        return self.floor.state.balance("wagers:t1")

    @property
    def tray(self):
        return self.floor.state.balance("tray:t1")

    def snapshot(self):
        return self.floor.state, self.floor.store.head(), dict(self.floor.state.balances)

    def refused(self, kind, actor=DAN, **fields):
        """The refusal of a command that changes nothing."""
        before = self.snapshot()
        with pytest.raises(Refused) as caught:
            self.do(kind, actor, **fields)
        assert self.snapshot() == before
        assert caught.value.code and "\n" not in caught.value.message and len(caught.value.message) > 15
        return caught.value

    def check(self):
        """What must hold at any time: zero sum, nothing negative, the same state for a second floor, and a clean audit."""
        balances = self.floor.state.balances
        assert sum(balances.values()) == 0
        assert all(cents >= 0 for account, cents in balances.items() if account != "outside")
        second = Floor(Store(self.url), self.key_file)
        assert second.refresh() == self.floor.state
        assert Auditor(self.floor.store).run().flaw is None


def events(entry, kind):
    return [event for event in entry.data["events"] if event["event"] == kind]


def paid(entry):
    """Seat, wager, win in cents, in the order of the settlement."""
    return [(e["seat"], e["wager"], e["win_cents"]) for e in events(entry, "paid")]


def baccarat_round(pit, cards, **wagers):
    pit.bet(1, "ann", **wagers)
    pit.no_more_bets()
    pit.card(cards)


def dealt(folder, edition, **opening):
    """A table with one seat dealt, of which every card is known: ready to settle, or waiting for seat 1's choice."""
    pit = Pit(folder, edition, **opening)
    pit.bet(1, "ann", **{MAIN[edition]: 10_000})
    pit.no_more_bets()
    hands = {
        BACCARAT: [PLAYER_WINS],
        PAI_GOW: ["Ac Ad Kc Kd 9h 5s 2c", "As Ah Ks Kh 9s 5h 2h"],  # the dealer (7), then position 1
        BLACKJACK: ["10s 9h 8d 9c"],
        DUKI: ["9h 9c 6s Jd", "9s 9d 5h 8c"],
    }[edition]
    pit.card(*hands)
    return pit


def finish(pit):
    if pit.round.phase == Phase.DECIDING:
        pit.decide(1, CHOICE[pit.edition])
    return pit.do("settle")


# Bets


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_bet_leaves_the_purse_at_once_and_lies_on_the_felt(tmp_path, edition):
    pit = Pit(tmp_path, edition)
    pit.bet(1, "ann", **{MAIN[edition]: 10_000})
    assert (pit.purse("ann"), pit.felt, pit.tray) == (PURSE - 10_000, 10_000, OPENER)


def test_a_bet_can_be_changed_and_withdrawn_until_no_more_bets(tmp_path):
    pit = Pit(tmp_path)
    pit.bet(1, "ann", banker=10_000, tie=500)
    pit.bet(1, "ann", banker=15_000)
    assert (pit.purse("ann"), pit.felt) == (PURSE - 15_500, 15_500)
    pit.bet(1, "ann", banker=4_000)
    assert (pit.purse("ann"), pit.felt) == (PURSE - 4_500, 4_500)
    pit.do("withdraw", seat=1, guest="ann", wager="tie")
    assert (pit.purse("ann"), pit.felt) == (PURSE - 4_000, 4_000)
    pit.no_more_bets()
    assert pit.refused("withdraw", seat=1, guest="ann", wager="banker").code == "wrong-phase"
    assert pit.refused("bet", seat=1, guest="ann", wager="banker", cents=5_000).code == "wrong-phase"
    pit.check()


def test_a_seat_whose_bets_are_all_withdrawn_is_free_again(tmp_path):
    pit = Pit(tmp_path)
    pit.bet(1, "ann", banker=10_000)
    pit.do("withdraw", seat=1, guest="ann", wager="banker")
    assert pit.floor.state.balance("guest:ann") == PURSE
    pit.bet(1, "bob", player=10_000)
    assert pit.felt == 10_000


def test_a_guest_may_have_several_spots(tmp_path):
    pit = Pit(tmp_path)
    pit.bet(1, "ann", banker=10_000)
    pit.bet(2, "ann", player=5_000)
    pit.no_more_bets()
    pit.card(PLAYER_WINS)
    assert paid(pit.do("settle")) == [(2, "player", 5_000), (1, "banker", -10_000)]
    assert pit.purse("ann") == PURSE - 5_000


@pytest.mark.parametrize(("edition", "most"), [(BACCARAT, 7), (PAI_GOW, 6), (BLACKJACK, 7), (DUKI, 7)])
def test_seats_are_those_the_edition_allows(tmp_path, edition, most):
    pit = Pit(tmp_path, edition)
    pit.bet(most, "ann", **{MAIN[edition]: 10_000})
    refusal = pit.refused("bet", seat=most + 1, guest="ann", wager=MAIN[edition], cents=10_000)
    assert refusal.code == "bad-seat" and f"1 to {most}" in refusal.message


# Settling


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_round_is_settled_once_and_the_next_begins(tmp_path, edition):
    pit = dealt(tmp_path, edition)
    number = pit.round.number
    finish(pit)
    assert (pit.round.number, pit.round.phase, pit.felt) == (number + 1, Phase.BETTING, 0)
    assert pit.purse("ann") + pit.tray == PURSE + OPENER
    assert pit.table.win_cents == pit.tray - OPENER == PURSE - pit.purse("ann")
    assert pit.refused("settle").code == "wrong-phase"
    pit.check()


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_retry_with_the_same_key_settles_once(tmp_path, edition):
    pit = dealt(tmp_path, edition)
    if pit.round.phase == Phase.DECIDING:
        pit.decide(1, CHOICE[edition])
    first = pit.do("settle", key="s1")
    after = pit.snapshot()
    assert pit.do("settle", key="s1") == first
    assert pit.snapshot() == after


def test_settlement_steps_can_be_followed_by_hand(tmp_path):
    pit = Pit(tmp_path)
    pit.bet(3, "bob", dragon_7=500, banker=10_000)
    pit.bet(1, "ann", player=7_500)
    pit.no_more_bets()
    pit.card(DRAGON_7)
    settled = events(pit.do("settle"), "paid")
    steps = [event_words(event, edition_of(pit.table)) for event in settled]
    dragon = next(step for step in steps if "$200" in step)
    assert dragon.startswith("Seat 3: Dragon 7 wins") and "$5 pays $200" in dragon
    chips = [part.split() for part in dragon.split("(")[-1].rstrip(")").split(", ")]
    assert sum(int(number) * {"black": 100, "green": 25}[colour] for number, colour in chips) == 200
    assert any(step.startswith("Seat 3: Banker pushes") and "$100 goes back" in step for step in steps)
    assert any(step.startswith("Seat 1: Player loses") and "$75 is taken" in step for step in steps)


def test_the_tray_that_cannot_pay_refuses_the_settlement_as_a_whole(tmp_path):
    pit = Pit(tmp_path)
    pit.bet(3, "bob", dragon_7=40_000)
    pit.bet(1, "ann", player=10_000)
    pit.do("credit", CAT, cents=OPENER - 100_000)
    pit.no_more_bets()
    pit.card(DRAGON_7)
    assert pit.refused("settle").code == "not-enough"
    pit.do("fill", CAT, cents=2_000_000)
    pit.do("settle")
    assert pit.purse("bob") == PURSE + 40 * 40_000
    pit.check()


# Void


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("stage", ["bets", "no more bets", "dealt", "decided"])
def test_a_void_returns_every_wager_at_any_stage(tmp_path, edition, stage):
    if stage in {"dealt", "decided"}:
        pit = dealt(tmp_path, edition)
        if stage == "decided" and pit.round.phase == Phase.DECIDING:
            pit.decide(1, {DUKI: "play"}.get(edition, CHOICE[edition]))
    else:
        pit = Pit(tmp_path, edition)
        pit.bet(1, "ann", **{MAIN[edition]: 10_000})
        if stage == "no more bets":
            pit.no_more_bets()
    entry = pit.do("void", SUE, reason="misdeal")
    assert events(entry, "voided")[0]["reason"] == "misdeal"
    assert (pit.purse("ann"), pit.felt, pit.tray, pit.table.win_cents) == (PURSE, 0, OPENER, 0)
    assert pit.round.phase == Phase.BETTING and not pit.round.spots
    assert pit.refused("settle").code == "wrong-phase"
    pit.check()


def test_a_void_needs_a_reason_of_the_list(tmp_path):
    pit = dealt(tmp_path, BACCARAT)
    with pytest.raises(Refused) as caught:
        pit.do("void", SUE, reason="bad luck")
    assert caught.value.code == "unknown-reason" and all(reason in caught.value.message for reason in VOID_REASONS)
    assert pit.round.spots


# Corrections


def test_a_keyed_card_is_corrected_before_settlement_with_before_and_after(tmp_path):
    pit = Pit(tmp_path)
    baccarat_round(pit, PLAYER_WINS, banker=10_000)
    wrong = pit.floor.store.head()
    entry = pit.do("correct-card", reason="misread", place=2, card="9h")
    event = events(entry, "card-corrected")[0]
    assert (event["place"], event["before"], event["after"]) == (2, "2h", "9h")
    assert [e.data["command"] for e in pit.floor.store.entries() if e.kind == "card"] == [
        {"kind": "card", "table": "t1", "cards": PLAYER_WINS}
    ]
    assert entry.previous == wrong[1]
    assert paid(pit.do("settle")) == [(1, "banker", 0)]
    pit.check()


def test_a_correction_can_make_another_card_wanted(tmp_path):
    pit = Pit(tmp_path)
    baccarat_round(pit, PLAYER_WINS, player=10_000)
    pit.do("correct-card", reason="misread", place=1, card="2s")
    assert pit.refused("settle").code == "wrong-phase"
    pit.card("4h", "5c")
    assert paid(pit.do("settle")) == [(1, "player", -10_000)]


def test_a_correction_to_a_card_that_is_out_is_refused(tmp_path):
    pit = Pit(tmp_path, BLACKJACK, settings={"decks": 1})
    pit.bet(1, "ann", blackjack=10_000)
    pit.no_more_bets()
    pit.card("10s 9h 8d 9c")
    assert pit.refused("correct-card", reason="misread", place=1, card="9h").code == "card-not-in-shoe"


def test_a_correction_to_a_card_that_left_the_shoe_in_an_earlier_round_is_refused(tmp_path):
    pit = dealt(tmp_path, BLACKJACK, settings={"decks": 1})
    finish(pit)
    pit.bet(1, "ann", blackjack=10_000)
    pit.no_more_bets()
    assert pit.refused("card", cards="10s").code == "card-not-in-shoe"
    pit.card("10d 9d 8c 9s")
    assert pit.refused("correct-card", reason="misread", place=1, card="10s").code == "card-not-in-shoe"


def test_after_settlement_only_a_supervisor_corrects_and_only_by_new_transfers(tmp_path):
    pit = Pit(tmp_path)
    baccarat_round(pit, BANKER_WINS, banker=10_000, tie=500)
    number = pit.round.number
    pit.do("settle")
    assert pit.purse("ann") == PURSE + 9_500
    assert pit.refused("correct-card", reason="misread", place=1, card="9s").code == "wrong-phase"
    with pytest.raises(Refused) as caught:
        pit.do("correct", DAN, round=number, reason="misread", void=True)
    assert caught.value.code == "role-may-not"
    settled = pit.floor.store.head()
    entry = pit.do("correct", SUE, round=number, reason="misread", void=True)
    assert entry.seq == settled[0] + 1 and entry.transfers
    assert (pit.purse("ann"), pit.felt, pit.tray, pit.table.win_cents) == (PURSE, 0, OPENER, 0)
    with pytest.raises(Refused) as caught:
        pit.do("correct", SUE, round=number, reason="again", void=True, again=1)
    assert caught.value.code == "nothing-changes"
    pit.check()


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_round_that_is_voided_after_all_leaves_everybody_as_before_it(tmp_path, edition):
    pit = dealt(tmp_path, edition)
    number = pit.round.number
    finish(pit)
    pit.do("correct", SUE, round=number, reason="misread", void=True)
    assert (pit.purse("ann"), pit.tray, pit.table.win_cents) == (PURSE, OPENER, 0)
    pit.check()


# Surveillance


def test_a_payout_above_the_threshold_is_recorded(tmp_path):
    pit = Pit(tmp_path)
    baccarat_round(pit, DRAGON_7, dragon_7=7_501)
    entry = pit.do("settle")
    assert events(entry, "surveillance")[0]["threshold_cents"] == 300_000
    assert pit.purse("ann") == PURSE + 300_040


def test_a_payout_at_the_threshold_is_not(tmp_path):
    pit = Pit(tmp_path, watch="acknowledge")
    baccarat_round(pit, DRAGON_7, dragon_7=7_500)
    assert not events(pit.do("settle"), "surveillance")


def test_a_payout_above_the_threshold_waits_for_a_supervisor(tmp_path):
    pit = Pit(tmp_path, watch="acknowledge")
    baccarat_round(pit, DRAGON_7, dragon_7=10_000)
    refusal = pit.refused("settle")
    assert refusal.code == "acknowledge-first" and "supervisor" in refusal.message
    with pytest.raises(Refused) as caught:
        pit.do("acknowledge", DAN)
    assert caught.value.code == "role-may-not"
    pit.do("acknowledge", SUE)
    pit.do("settle")
    assert pit.purse("ann") == PURSE + 400_000
    pit.check()


def test_an_acknowledgement_does_not_outlive_a_correction(tmp_path):
    pit = Pit(tmp_path, watch="acknowledge")
    baccarat_round(pit, DRAGON_7, dragon_7=10_000)
    pit.do("acknowledge", SUE)
    pit.do("correct-card", reason="misread", place=6, card="2s")  # it pays the same, and was not seen so
    assert pit.refused("settle").code == "acknowledge-first"


def test_the_threshold_is_a_setting(tmp_path):
    pit = Pit(tmp_path, watch_cents=10_000)
    baccarat_round(pit, PLAYER_WINS, player=10_100)
    assert events(pit.do("settle"), "surveillance")[0]["threshold_cents"] == 10_000


# Closing


def test_closing_balances_win_against_the_rounds(tmp_path):
    pit = Pit(tmp_path)
    pit.do("table-buy-in", guest="bob", cents=20_000)
    pit.do("fill", CAT, cents=30_000)
    pit.do("credit", CAT, cents=10_000)
    pit.do("tip", BOB, guest="bob", cents=700)
    baccarat_round(pit, PLAYER_WINS, banker=10_000, tie=500)
    pit.do("settle")
    event = events(pit.do("close", SUE), "table-closed")[0]
    assert event["closer_cents"] == OPENER - 20_000 + 30_000 - 10_000 + 10_500
    assert event["drop_cents"] == 20_000
    assert event["win_cents"] == event["closer_cents"] + 10_000 + 20_000 - OPENER - 30_000 == 10_500
    assert event["rounds_say_cents"] == 10_500 and event["balanced"]
    assert pit.tray == pit.felt == pit.floor.state.balance("drop:t1") == 0
    assert pit.floor.state.balance("tips:t1") == 700
    pit.check()


def test_a_miscounted_closer_does_not_balance(tmp_path):
    pit = Pit(tmp_path)
    event = events(pit.do("close", SUE, closer_cents=OPENER - 500), "table-closed")[0]
    assert not event["balanced"]


def test_a_closed_table_takes_no_bets_and_may_be_opened_again(tmp_path):
    pit = Pit(tmp_path)
    baccarat_round(pit, PLAYER_WINS, banker=10_000)
    pit.do("settle")
    pit.do("close", SUE)
    assert pit.refused("bet", seat=1, guest="ann", wager="banker", cents=10_000).code == "unknown-table"
    pit.do("open", SUE, edition=DUKI, source="hand-keyed", opener_cents=5_000)
    assert (pit.table.edition, pit.tray, pit.table.win_cents) == (DUKI, 5_000, 0)
    pit.check()


def test_bets_on_the_felt_keep_a_table_open(tmp_path):
    pit = Pit(tmp_path)
    pit.bet(1, "ann", banker=10_000)
    with pytest.raises(Refused) as caught:
        pit.do("close", SUE)
    assert caught.value.code == "bets-on-table"
    pit.no_more_bets()
    with pytest.raises(Refused) as caught:
        pit.do("close", SUE)
    assert caught.value.code == "wrong-phase"
    assert pit.table.is_open


# The people


def test_a_guest_bets_his_own_money_only(tmp_path):
    pit = Pit(tmp_path)
    pit.bet(1, "ann", ANN, banker=10_000)
    before = dict(pit.floor.state.balances)
    for kind, fields in (
        ("bet", {"seat": 2, "wager": "tie", "cents": 500}),
        ("withdraw", {"seat": 1, "wager": "banker"}),
        ("tip", {"cents": 500}),
    ):
        with pytest.raises(Refused):
            pit.do(kind, BOB, guest="ann", **fields)
    assert pit.floor.state.balances == before


def test_a_guest_decides_for_his_own_seat_only(tmp_path):
    pit = dealt(tmp_path, DUKI)
    before = dict(pit.floor.state.balances)
    with pytest.raises(Refused):
        pit.do("decide", BOB, seat=1, choice="play")
    assert pit.floor.state.balances == before
    pit.do("decide", ANN, seat=1, choice="play")


def test_an_auditor_changes_nothing(tmp_path):
    pit = Pit(tmp_path)
    for kind in ("open", "bet", "no-more-bets", "card", "settle", "void", "fund", "buy-in", "fill", "close", "correct"):
        with pytest.raises(Refused) as caught:
            pit.do(kind, AUD)
        assert caught.value.code == "role-may-not" and "auditor" in caught.value.message
    assert (pit.tray, pit.felt) == (OPENER, 0)
