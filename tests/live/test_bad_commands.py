"""Bad input: refused with a stable code and a sentence that says what would be accepted, and nothing changes."""

import pytest
from test_table import (
    ANN,
    AUD,
    BACCARAT,
    BLACKJACK,
    CAT,
    CHOICE,
    DAN,
    DUKI,
    EDITIONS,
    MAIN,
    OPENER,
    PAI_GOW,
    PURSE,
    ROOT,
    SUE,
    Pit,
    dealt,
    finish,
)

from houseway.house.audit import Auditor
from houseway.house.floor import Actor
from houseway.refusal import Refused
from houseway.table import ROLES, Phase

FIRST_CARD = {BACCARAT: "9s", PAI_GOW: "Ac", BLACKJACK: "10s", DUKI: "9h"}
every_edition = pytest.mark.parametrize("edition", EDITIONS)


def bet(edition, **changed):
    return {"seat": 1, "guest": "ann", "wager": MAIN[edition], "cents": 10_000} | changed


def attempts(pit):
    return [entry for entry in pit.floor.store.entries() if entry.kind == "attempt"]


def recorded(pit, kind, actor=SUE, table="t1", **fields):
    """A refusal that leaves an attempt in the journal, and nothing else."""
    state, (seq, _) = pit.floor.state, pit.floor.store.head()
    with pytest.raises(Refused) as caught:
        pit.do(kind, actor, table=table, **fields)
    assert pit.floor.state == state
    assert pit.floor.store.head()[0] == seq + 1
    entry = attempts(pit)[-1]
    assert (entry.seq, entry.actor, entry.role, entry.transfers) == (seq + 1, actor.name, actor.role, ())
    assert (entry.data["code"], entry.data["message"]) == (caught.value.code, caught.value.message)
    assert "\n" not in caught.value.message and len(caught.value.message) > 15
    return caught.value


def refused_somehow(pit, kind, actor=DAN, **fields):
    """Refused, whether or not the attempt is worth recording; never an error of ours, and no state changes."""
    before = pit.floor.state
    with pytest.raises(Refused) as caught:
        pit.do(kind, actor, **fields)
    assert pit.floor.state == before
    return caught.value


# Bets


@every_edition
def test_a_bet_after_no_more_bets(tmp_path, edition):
    pit = Pit(tmp_path, edition)
    pit.bet(1, "ann", **{MAIN[edition]: 10_000})
    pit.no_more_bets()
    for fields in (bet(edition), bet(edition, seat=2, guest="bob")):
        refusal = pit.refused("bet", **fields)
        assert refusal.code == "wrong-phase" and "while bets are open" in refusal.message
    assert pit.refused("no-more-bets").code == "wrong-phase"


@every_edition
def test_a_bet_on_a_taken_seat(tmp_path, edition):
    pit = Pit(tmp_path, edition)
    pit.bet(1, "ann", **{MAIN[edition]: 10_000})
    refusal = pit.refused("bet", **bet(edition, guest="bob"))
    assert refusal.code == "seat-taken" and "ann" in refusal.message and "another seat" in refusal.message


@every_edition
def test_a_bet_above_the_balance(tmp_path, edition):
    pit = Pit(tmp_path, edition)
    pit.do("cash-out", CAT, table=None, guest="ann", cents=PURSE - 9_999)
    refusal = pit.refused("bet", **bet(edition))
    assert refusal.code == "not-enough" and "$99.99" in refusal.message
    pit.do("bet", **bet(edition, cents=9_999))
    refusal = pit.refused("bet", **bet(edition, cents=10_000))  # raised above the balance
    assert refusal.code == "not-enough"
    assert pit.refused("bet", **bet(edition, seat=2, guest="nobody")).code == "not-enough"


@every_edition
def test_an_amount_that_is_none(tmp_path, edition):
    pit = Pit(tmp_path, edition)
    for cents in (2**63, 2**64, 10**30, 0, -1, -(2**63), 1.5, 100.0, "100", None, True, [100], {"cents": 1}, float("nan")):
        refusal = pit.refused("bet", **bet(edition, cents=cents))
        assert refusal.code == "bad-amount" and "an amount above $0" in refusal.message


@every_edition
def test_an_amount_outside_the_limits(tmp_path, edition):
    pit = Pit(tmp_path, edition)
    for cents in (1, 99, 40_001, 2**63 - 1):
        refusal = pit.refused("bet", **bet(edition, cents=cents))
        assert refusal.code == "outside-limits" and "$1 to $400" in refusal.message


@every_edition
def test_a_wager_the_table_does_not_offer(tmp_path, edition):
    pit = Pit(tmp_path, edition)
    for wager in ("", None, 7, "Banker ", "x" * 1000, "\n"):
        assert pit.refused("bet", **bet(edition, wager=wager)).code in {"unknown-wager", "bad-command"}
    refusal = pit.refused("bet", **bet(edition, wager="roulette"))
    assert refusal.code == "unknown-wager" and MAIN[edition] in refusal.message


@pytest.mark.parametrize(
    ("edition", "bonus"), [(PAI_GOW, "dynasty"), (PAI_GOW, "protection"), (PAI_GOW, "red-black"), (BLACKJACK, "lucky-lucky")]
)
def test_a_bonus_without_its_base(tmp_path, edition, bonus):
    pit = Pit(tmp_path, edition)
    before = dict(pit.floor.state.balances)
    try:
        pit.do("bet", **bet(edition, wager=bonus, cents=500))
    except Refused as refused:
        assert pit.wager_name(MAIN[edition]) in refused.message
        assert pit.floor.state.balances == before
        return
    refusal = pit.refused("no-more-bets", **({"dice": 3} if edition == PAI_GOW else {}))
    assert refusal.code == "bad-bet" and f"needs a {pit.wager_name(MAIN[edition])} bet" in refusal.message


def test_a_bonus_whose_base_is_withdrawn(tmp_path):
    pit = Pit(tmp_path, BLACKJACK)
    pit.bet(1, "ann", blackjack=10_000, lucky_lucky=500)
    pit.do("withdraw", seat=1, guest="ann", wager="blackjack")
    assert pit.refused("no-more-bets").code == "bad-bet"


@every_edition
def test_a_seat_that_is_not_at_the_table(tmp_path, edition):
    pit = Pit(tmp_path, edition)
    for seat in (0, -1, 8, 2**70, None, "1", 1.0, [1]):
        refusal = pit.refused("bet", **bet(edition, seat=seat))
        assert refusal.code == "bad-seat" and ("seats 1 to" in refusal.message or "whole number" in refusal.message)


def test_true_is_no_seat(tmp_path):
    assert Pit(tmp_path).refused("bet", **bet(BACCARAT, seat=True)).code == "bad-seat"


@pytest.mark.parametrize("guest", [None, "", 3, "a" * 61, "ann\n", ["ann"]])
def test_a_guest_without_a_name(tmp_path, guest):
    pit = Pit(tmp_path)
    assert pit.refused("bet", **bet(BACCARAT, guest=guest)).code == "bad-command"
    assert pit.refused("buy-in", CAT, guest=guest, cents=100).code == "bad-command"


def test_a_withdrawal_of_what_is_not_there(tmp_path):
    pit = Pit(tmp_path)
    pit.bet(1, "ann", banker=10_000, tie=500)
    for fields in (
        {"seat": 1, "guest": "ann", "wager": "player"},
        {"seat": 2, "guest": "ann", "wager": "banker"},
        {"seat": 1, "guest": "bob", "wager": "banker"},
        {"seat": None, "guest": "ann", "wager": "banker"},
        {"seat": True, "guest": "ann", "wager": "banker"},
    ):
        assert pit.refused("withdraw", **fields).code in {"no-such-bet", "bad-seat"}


# Decisions


@pytest.mark.parametrize("edition", [PAI_GOW, BLACKJACK, DUKI])
def test_a_decision_out_of_turn(tmp_path, edition):
    pit = dealt(tmp_path, edition)
    for seat in (2, 0, 9, None, "1", [1]):
        refusal = pit.refused("decide", seat=seat, choice=CHOICE[edition])
        assert refusal.code in {"not-your-turn", "bad-seat"} and ("seat 1" in refusal.message or not isinstance(seat, int))
    finish(pit)
    assert pit.refused("decide", seat=1, choice=CHOICE[edition]).code == "wrong-phase"


def test_a_decision_for_a_seat_that_is_no_number(tmp_path):
    refused_somehow(dealt(tmp_path, DUKI), "decide", seat=True, choice="play")


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_decision_before_the_cards(tmp_path, edition):
    pit = Pit(tmp_path, edition)
    pit.bet(1, "ann", **{MAIN[edition]: 10_000})
    assert pit.refused("decide", seat=1, choice="stand").code == "wrong-phase"


@pytest.mark.parametrize(
    ("edition", "named"), [(PAI_GOW, ("house-way",)), (BLACKJACK, ("hit", "stand")), (DUKI, ("play", "fold"))]
)
def test_an_illegal_decision(tmp_path, edition, named):
    pit = dealt(tmp_path, edition)
    for choice in ("surrender", "raise", "check"):
        refusal = pit.refused("decide", seat=1, choice=choice)
        assert refusal.code == "bad-choice" and all(word in refusal.message for word in named)
    for choice in ("", None, 3, "x" * 61):
        assert pit.refused("decide", seat=1, choice=choice).code == "bad-command"


def test_baccarat_leaves_no_decision(tmp_path):
    assert dealt(tmp_path, BACCARAT).refused("decide", seat=1, choice="hit").code == "wrong-phase"


def test_a_fouled_pai_gow_hand(tmp_path):
    pit = dealt(tmp_path, PAI_GOW, settings={"R16": "refused"})
    refusal = pit.refused("decide", seat=1, choice="set As Ah")
    assert refusal.code == "foul" and "must rank above" in refusal.message
    pit.decide(1, "set Ks Kh")


# Cards


@pytest.mark.parametrize("edition", [PAI_GOW, DUKI])
def test_a_keyed_card_that_is_already_out(tmp_path, edition):
    pit = Pit(tmp_path, edition)
    pit.bet(1, "ann", **{MAIN[edition]: 10_000})
    pit.no_more_bets()
    pit.card(FIRST_CARD[edition])
    refusal = pit.refused("card", cards=FIRST_CARD[edition])
    assert refusal.code == "card-not-in-shoe" and FIRST_CARD[edition] in refusal.message
    assert pit.refused("card", cards="2c 2c").code == "card-not-in-shoe"


@pytest.mark.parametrize(("edition", "decks"), [(BACCARAT, 8), (BLACKJACK, 6)])
def test_a_keyed_card_of_which_all_decks_are_out(tmp_path, edition, decks):
    pit = Pit(tmp_path, edition)
    pit.bet(1, "ann", **{MAIN[edition]: 10_000})
    pit.no_more_bets()
    refusal = pit.refused("card", cards=" ".join(["9s"] * (decks + 1)))
    assert refusal.code == "card-not-in-shoe" and f"only {decks}" in refusal.message


@every_edition
def test_a_card_that_is_none(tmp_path, edition):
    pit = Pit(tmp_path, edition)
    pit.bet(1, "ann", **{MAIN[edition]: 10_000})
    pit.no_more_bets()
    for cards in ("", None, "1s", "9x", "Z", "9s 1s", 7, "9s\n2h", ["9s"]):
        assert pit.refused("card", cards=cards).code in {"bad-card", "bad-command"}


@pytest.mark.parametrize("cards", [" ", " , "])
def test_no_card_at_all(tmp_path, cards):
    pit = Pit(tmp_path)
    pit.bet(1, "ann", banker=10_000)
    pit.no_more_bets()
    assert pit.refused("card", cards=cards).code in {"bad-card", "bad-command"}


@pytest.mark.parametrize("edition", [BACCARAT, BLACKJACK, DUKI])
def test_a_joker_where_there_is_none(tmp_path, edition):
    pit = Pit(tmp_path, edition)
    pit.bet(1, "ann", **{MAIN[edition]: 10_000})
    pit.no_more_bets()
    assert pit.refused("card", cards="Jk").code == "card-not-in-shoe"


@every_edition
def test_a_card_that_is_not_wanted(tmp_path, edition):
    pit = dealt(tmp_path, edition)
    assert pit.refused("card", cards="Jk" if edition == PAI_GOW else "10d").code in {"too-many-cards", "wrong-phase"}


@every_edition
def test_deal_at_a_manual_table_and_card_at_a_virtual_one(tmp_path, edition):
    pit = Pit(tmp_path, edition)
    pit.bet(1, "ann", **{MAIN[edition]: 10_000})
    pit.no_more_bets()
    refusal = pit.refused("deal")
    assert refusal.code == "manual-table" and "card" in refusal.message
    pit = Pit(tmp_path, edition, "virtual-shoe", name="virtual.db")
    pit.bet(1, "ann", **{MAIN[edition]: 10_000})
    pit.no_more_bets()
    refusal = pit.refused("card", cards=FIRST_CARD[edition])
    assert refusal.code == "virtual-table" and "deal" in refusal.message
    assert pit.refused("correct-card", reason="misread", place=1, card="2s").code == "cannot-correct"


def test_a_correction_of_a_card_that_is_not_there(tmp_path):
    pit = dealt(tmp_path, BACCARAT)
    for place, card in ((0, "2s"), (99, "2s"), (-1, "2s"), (None, "2s"), ("1", "2s"), (1, "2s 3s"), (1, "1s")):
        assert pit.refused("correct-card", reason="misread", place=place, card=card).code in {"bad-card", "bad-command"}


# Settling


@every_edition
def test_a_second_settle(tmp_path, edition):
    pit = dealt(tmp_path, edition)
    finish(pit)
    refusal = pit.refused("settle")
    assert refusal.code == "wrong-phase" and "when all cards are there" in refusal.message


@every_edition
def test_a_settle_too_early(tmp_path, edition):
    pit = Pit(tmp_path, edition)
    assert pit.refused("settle").code == "wrong-phase"
    pit.bet(1, "ann", **{MAIN[edition]: 10_000})
    assert pit.refused("settle").code == "wrong-phase"
    pit.no_more_bets()
    assert pit.refused("settle").code == "wrong-phase"
    pit.card(FIRST_CARD[edition])
    assert pit.refused("settle").code == "wrong-phase"


# Idempotency keys


@every_edition
def test_a_reused_key_with_another_body(tmp_path, edition):
    pit = Pit(tmp_path, edition)
    first = pit.do("bet", key="k1", **bet(edition))
    before = pit.snapshot()
    assert pit.do("bet", key="k1", **bet(edition)) == first
    assert pit.snapshot() == before
    for changed in ({"cents": 20_000}, {"guest": "bob", "seat": 2}):
        refusal = pit.refused("bet", key="k1", **bet(edition, **changed))
        assert refusal.code == "key-reused" and "k1" in refusal.message
    assert pit.refused("no-more-bets", key="k1").code == "key-reused"


def test_a_refused_command_does_not_use_up_its_key(tmp_path):
    pit = Pit(tmp_path)
    pit.refused("bet", key="k1", **bet(BACCARAT, cents=-1))
    pit.do("bet", key="k1", **bet(BACCARAT))


# Roles


MAY = {
    "open": {"supervisor", "administrator"},
    "bet": {"guest", "dealer", "supervisor"},
    "withdraw": {"guest", "dealer", "supervisor"},
    "no-more-bets": {"dealer", "supervisor"},
    "card": {"dealer", "supervisor"},
    "correct-card": {"dealer", "supervisor"},
    "deal": {"dealer", "supervisor"},
    "decide": {"guest", "dealer", "supervisor"},
    "settle": {"dealer", "supervisor"},
    "void": {"supervisor"},
    "correct": {"supervisor"},
    "rekey": {"dealer", "supervisor"},
    "swap-cards": {"dealer", "supervisor"},
    "replace-card": {"supervisor"},
    "undo": {"dealer", "supervisor"},
    "change-bet": {"supervisor"},
    "bets": {"guest", "dealer", "supervisor"},
    "collect": {"cashier", "dealer", "supervisor"},
    "acknowledge": {"supervisor"},
    "fund": {"administrator"},
    "buy-in": {"cashier", "supervisor"},
    "cash-out": {"cashier", "supervisor"},
    "fill": {"cashier", "supervisor"},
    "credit": {"cashier", "supervisor"},
    "close": {"supervisor", "administrator"},
}


@pytest.mark.parametrize("kind", MAY)
def test_a_role_that_may_not(tmp_path, kind):
    pit = Pit(tmp_path)
    for role in (*ROLES, "janitor", ""):
        if role not in MAY[kind]:
            refusal = recorded(pit, kind, Actor("max", role))
            assert refusal.code == "role-may-not" and all(other in refusal.message for other in MAY[kind] & set(ROLES))
    assert Auditor(pit.floor.store).run().flaw is None


def test_failed_supervisor_actions_are_recorded_and_nonsense_is_not(tmp_path):
    pit = dealt(tmp_path, BACCARAT)
    assert recorded(pit, "void", reason="bad luck").code == "unknown-reason"
    assert recorded(pit, "correct", round=7, reason="x").code == "not-settled"
    assert recorded(pit, "reverse", round=7, reason="x").code == "retired"
    assert recorded(pit, "close").code == "wrong-phase"
    assert recorded(pit, "open", edition=BACCARAT, source="hand-keyed", opener_cents=OPENER).code == "table-open"
    assert recorded(pit, "fund", ROOT, table=None, cents=-5).code == "bad-amount"
    known = len(attempts(pit))
    pit.refused("bet", ANN, **bet(BACCARAT))
    pit.refused("decide", ANN, seat=1, choice="hit")
    assert len(attempts(pit)) == known
    pit.check()


# Openings and money


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"edition": "snap"}, "unknown-edition"),
        ({"edition": None}, "bad-command"),
        ({"source": "smart-shoe"}, "source-refused"),
        ({"source": "crystal-ball"}, "unknown-card-source"),
        ({"settings": {"decks": 4}}, "outside-approval"),
        ({"settings": {"decks": 5.5}}, "bad-setting"),
        ({"settings": {"colour": "blue"}}, "unknown-setting"),
        ({"settings": ["decks"]}, None),
        ({"settings": "decks"}, None),
        ({"seats": 0}, "bad-seats"),
        ({"seats": 15}, "bad-seats"),
        ({"seats": "7"}, "bad-seats"),
        ({"seats": True}, "bad-seats"),
        ({"opener_cents": 0}, "bad-amount"),
        ({"opener_cents": 2**63}, "bad-amount"),
        ({"opener_cents": 2**62}, "not-enough"),
        ({"watch": "sometimes"}, "unknown-watch"),
        ({"watch": 3}, None),
        ({"watch_cents": "lots"}, None),
        ({"watch_cents": -1}, None),
        ({"watch_cents": None}, None),
        ({"limits": {"banker": [100]}}, None),
        ({"limits": {"banker": ["a", "b"]}}, None),
        ({"limits": [1]}, None),
        ({"table": ""}, "bad-command"),
        ({"table": "x" * 61}, "bad-command"),
        ({"table": 5}, "bad-command"),
    ],
)
def test_an_impossible_opening(tmp_path, changed, code):
    pit = Pit(tmp_path)
    fields = {"table": "t2", "edition": BACCARAT, "source": "hand-keyed", "opener_cents": 100_000} | changed
    refusal = recorded(pit, "open", **fields)
    assert refusal.code == (code or refusal.code)
    assert set(pit.floor.state.tables) == {"t1"}


@pytest.mark.parametrize(
    ("kind", "actor", "fields", "code"),
    [
        ("cash-out", CAT, {"guest": "ann", "cents": PURSE + 1}, "not-enough"),
        ("cash-out", CAT, {"guest": "nobody", "cents": 1}, "not-enough"),
        ("buy-in", CAT, {"guest": "ann", "cents": 0}, "bad-amount"),
        ("buy-in", CAT, {"guest": "ann", "cents": 2**63 - 1}, "amount-too-large"),
        ("buy-in", CAT, {"cents": 100}, "bad-command"),
        ("fill", CAT, {"cents": 2**62}, "not-enough"),
        ("credit", CAT, {"cents": OPENER + 1}, "not-enough"),
        ("credit", CAT, {"cents": -5}, "bad-amount"),
        ("tip", ANN, {"guest": "ann", "cents": PURSE + 1}, "not-enough"),
        ("table-buy-in", DAN, {"guest": "ann", "cents": OPENER + 1}, "not-enough"),
    ],
)
def test_money_that_is_not_there(tmp_path, kind, actor, fields, code):
    assert Pit(tmp_path).refused(kind, actor, **fields).code == code


@pytest.mark.parametrize("kind", ["", "bett", None, 5, "x" * 500, ["bet"], {"kind": "bet"}])
def test_an_unknown_command(tmp_path, kind):
    pit = Pit(tmp_path)
    refusal = pit.refused(kind)
    assert refusal.code == "unknown-command" and "no-more-bets" in refusal.message


@pytest.mark.parametrize("table", ["t9", "", "T1", 5, None])
def test_an_unknown_table(tmp_path, table):
    refusal = Pit(tmp_path).refused("bet", table=table, **bet(BACCARAT))
    assert refusal.code in {"unknown-table", "bad-command"}


def test_what_is_not_json_is_refused(tmp_path):
    pit = Pit(tmp_path)
    for note in ({1, 2}, object(), float("inf"), b"bytes"):
        refused_somehow(pit, "bet", note=note, **bet(BACCARAT))


def test_a_refusal_leaves_the_round_playable(tmp_path):
    pit = dealt(tmp_path, DUKI)
    pit.refused("decide", seat=1, choice="raise")
    recorded(pit, "void", AUD, reason="misdeal")
    pit.decide(1, "play")
    pit.do("settle")
    assert pit.round.phase == Phase.BETTING
    pit.check()
