"""Slips: numbered without gaps, each signature of the right person and no other, void or done; counts are blind."""

import pytest
from chiprooms import ABE, AMY, CARL, CAT, DAN, DORA, GIL, GUS, SAM, SUE, ChipRoom, chips_in_all, events
from test_duties import Clock
from test_table import PLAYER_WINS

from houseway.house.floor import Actor
from houseway.table.slips import CREDIT, DROP, ERROR, FILL, ROWS
from houseway.view.reader import Reader
from houseway.view.slips import slips_view, without_counts
from houseway.view.words import event_words

EVERYBODY = (SUE, SAM, DAN, DORA, CAT, CARL, GUS, GIL, ABE, AMY)
ASKED = {"2500": 10, "500": 20}
CENTS = 35_000


@pytest.fixture
def room(tmp_path):
    return ChipRoom(tmp_path, names="two", clock=Clock())


def fill_steps():
    return [(GUS, {}), (CAT, {"pieces": ASKED}), (GUS, {}), (DAN, {"pieces": ASKED}), (SUE, {})]


def credit_steps():
    return [(DAN, {"pieces": ASKED}), (GUS, {}), (CAT, {"pieces": ASKED}), (DAN, {}), (SUE, {})]


def only(room, kind):
    (slip,) = (slip for slip in room.floor.state.slips.values() if slip.kind == kind)
    return slip


# Fills and credits


def test_a_fill_goes_from_the_cage_by_transit_to_the_tray(room):
    tray, cage = room.floor.state.balance("tray:t1"), room.floor.state.balance("cage")
    room.do("request-fill", SUE, pieces=ASKED)
    slip = only(room, FILL).id
    (gus, cat), rest = fill_steps()[:2], fill_steps()[2:]
    room.sign(slip, gus[0])
    assert room.floor.state.balance("cage") == cage
    room.sign(slip, cat[0], **cat[1])
    assert room.floor.state.balance(f"transit:{slip}") == CENTS and room.floor.state.balance("cage") == cage - CENTS
    assert room.pieces(f"transit:{slip}") == {2_500: 10, 500: 20}
    for actor, fields in rest:
        assert room.floor.state.balance("tray:t1") == tray
        done = room.sign(slip, actor, **fields)
    assert room.floor.state.balance("tray:t1") == tray + CENTS and room.floor.state.balance(f"transit:{slip}") == 0
    assert room.table.fills_cents == tray + CENTS and events(done, "fill")[0]["cents"] == CENTS
    (told,) = events(done, "slip-done")
    assert [each["name"] for each in told["signatures"]] == ["sue", "gus", "cat", "gus", "dan", "sue"]
    assert room.floor.state.slips == {} and done.table == "t1"
    room.check()


def test_a_credit_is_the_mirror_of_it(room):
    tray, cage = room.floor.state.balance("tray:t1"), room.floor.state.balance("cage")
    room.do("request-credit", SUE, pieces=ASKED)
    slip = only(room, CREDIT).id
    for actor, fields in credit_steps():
        done = room.sign(slip, actor, **fields)
    assert room.floor.state.balance("tray:t1") == tray - CENTS and room.floor.state.balance("cage") == cage + CENTS
    assert room.table.credits_cents == CENTS and events(done, "slip-done")
    room.check()


@pytest.mark.parametrize(("kind", "steps"), [(FILL, fill_steps), (CREDIT, credit_steps)])
def test_every_wrong_signature_of_every_step_is_refused(room, kind, steps):
    """Everybody tries every step: it takes just one of them, whoever else asks changes nothing."""
    room.do(f"request-{kind}", SUE, pieces=ASKED)
    slip = only(room, kind)
    for place, (right, fields) in enumerate(steps(), 1):
        step = ROWS[kind][place]
        for actor in EVERYBODY:
            may = actor.role in step.roles and (not step.on_table or actor == DAN)
            signed_as = {ROWS[kind][n].part for n, (who, _) in enumerate([(SUE, {}), *steps()][:place]) if who == actor}
            if not may or signed_as - {step.part}:
                code = room.refused("sign-slip", actor, table=None, slip=slip.id, **fields).code
                assert code in {"wrong-signature", "signed-already", "not-on-table"}, (step.id, actor)
        for other in (Actor("nobody", "guest"), Actor("aud", "auditor"), Actor("olga", "administrator"), Actor("hal", "host")):
            assert room.refused("sign-slip", other, table=None, slip=slip.id, **fields).code == "role-may-not"
        room.sign(slip.id, right, **fields)
    assert room.refused("sign-slip", SUE, table=None, slip=slip.id).code == "slip-done"
    room.check()


def test_one_person_signs_for_one_part_whatever_he_calls_himself(room):
    room.do("request-fill", SUE, pieces=ASKED)
    slip = only(room, FILL).id
    for spelled in ("sue", "Sue", "s ue"):
        assert room.refused("sign-slip", Actor(spelled, "security"), table=None, slip=slip).code == "signed-already"
    room.sign(slip, GUS)
    assert room.refused("sign-slip", Actor("gus", "cashier"), table=None, slip=slip, pieces=ASKED).code == "signed-already"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, "count-missing"),
        ({"pieces": {"2500": 10}}, "count-differs"),
        ({"pieces": {"2500": 14}}, "count-differs"),  # the right value in other pieces
        ({"pieces": {"2500": -10}}, "bad-pieces"),
        ({"pieces": {"700": 50}}, "unknown-chip"),
        ({"pieces": {}}, "bad-pieces"),
    ],
)
def test_whoever_counts_must_count_what_the_slip_says(room, fields, code):
    room.do("request-fill", SUE, pieces=ASKED)
    slip = only(room, FILL).id
    assert room.refused("sign-slip", GUS, table=None, slip=slip, pieces=ASKED).code == "nothing-to-count"
    room.sign(slip, GUS)
    assert room.refused("sign-slip", CAT, table=None, slip=slip, **fields).code == code


def test_what_is_no_slip_is_refused(room):
    assert room.refused("sign-slip", SUE, table=None, slip="fill-99").code == "unknown-slip"
    assert room.refused("sign-slip", SUE, table=None, slip="fill-1").code == "slip-done"  # that of the tray
    assert room.refused("void-slip", SUE, table=None, slip="fill-1", reason="late").code == "slip-done"
    assert room.refused("request-fill", SUE, table="t9", pieces=ASKED).code == "unknown-table"
    assert room.refused("request-fill", SUE, pieces={"100000": 999_999}).code == "pieces-missing"
    assert room.refused("request-credit", SUE, pieces={"100000": 1}).code == "pieces-missing"
    room.do("request-fill", SUE, pieces=ASKED)
    assert room.refused("request-fill", SAM, pieces=ASKED).code == "slip-open"


def test_in_a_house_with_chips_nothing_goes_in_one_step(room):
    for kind, actor, fields in (
        ("fill", CAT, {"cents": 100}),
        ("credit", CAT, {"cents": 100}),
        ("drop", CAT, {}),
        ("closer", DAN, {"cents": 100}),
    ):
        refused = room.refused(kind, actor, **fields)
        assert refused.code == "by-slip", kind
    opening = {"edition": "ez-baccarat-wa", "source": "hand-keyed", "opener_cents": 100}
    assert room.refused("open", SUE, table="t2", **opening).code == "by-slip"


def returned(room, slip, counter, carrier):
    """The chips of a void slip come back: signed by two, counted by one of them."""
    where, under_way = room.floor.state.balances, f"transit:{slip}"
    assert where[under_way] == CENTS, "void alone moves no chip"
    assert room.refused("void-slip", SUE, table=None, slip=slip, reason="again").code == "void-already"
    assert room.refused("sign-slip", counter, table=None, slip=slip, pieces=ASKED).code == "wrong-signature"
    room.sign(slip, carrier)
    assert room.refused("sign-slip", counter, table=None, slip=slip, pieces={"2500": 9}).code == "count-differs"
    assert room.refused("sign-slip", SUE, table=None, slip=slip, pieces=ASKED).code in {"wrong-signature", "signed-already"}
    return room.sign(slip, counter, pieces=ASKED)


def test_the_dealers_part_is_a_dealers(room):
    """Another supervisor is not enough; one who has signed on deals, and signs for that."""
    tray = room.written("tray:t1")
    room.count(tray | {"10000": tray["10000"] - 1})
    error = only(room, ERROR).id
    room.sign(error, SUE)
    assert room.refused("sign-slip", SAM, table=None, slip=error).code == "wrong-signature"
    room.do("sign-off", DAN)
    room.do("sign-on", SAM)
    room.sign(error, SAM)
    room.sign(error, GUS)
    room.do("pull-box", GUS)
    room.sign(only(room, DROP).id, SUE)  # with a box goes anybody of the tables (230-15-590)
    room.check()


def test_who_takes_a_box_in_or_signs_at_last_may_be_of_those_who_count_it(room):
    room.do("table-buy-in", DAN, guest="ann", cents=10_000)
    slip = events(room.do("pull-box", GUS), "slip-opened")[0]["slip"]
    notes = {"pieces": {"10000": 1}}
    for actor, fields in ((DAN, {}), (ABE, {}), (ABE, notes)):
        room.sign(slip, actor, **fields)
    assert room.refused("sign-slip", ABE, table=None, slip=slip, **notes).code == "signed-already", "two count"
    for actor, fields in ((AMY, notes), (CAT, notes), (AMY, {})):
        room.sign(slip, actor, **fields)
    room.check()


def test_a_count_that_was_not_the_same_is_shown_to_nobody_before_the_next_is_done(room):
    room.do("table-buy-in", DAN, guest="ann", cents=10_000)
    slip = events(room.do("pull-box", GUS), "slip-opened")[0]["slip"]
    right, wrong, odd = {"10000": 1}, {"5000": 1}, {"700": 3}
    for actor, fields in ((DAN, {}), (ABE, {}), (ABE, {"pieces": right})):
        room.sign(slip, actor, **fields)
    room.refused("sign-slip", AMY, table=None, slip=slip, pieces=odd)
    room.sign(slip, AMY, pieces=wrong)
    assert not only(room, DROP).counts, "everybody counts again"

    def seen():
        shown = (without_counts(room.floor.state, entry) for entry in room.floor.store.entries())
        return [
            data["command"]["pieces"]
            for data in shown
            if data.get("command", {}).get("slip") == slip and "pieces" in data["command"]
        ]

    assert seen() == []
    for actor in (ABE, AMY, CAT):
        assert seen() == []
        room.sign(slip, actor, pieces=right)
    assert seen() == [right, wrong, right, right, right], "what was refused, nobody reads at all"
    tray = room.written("tray:t1")
    room.do("count-tray", DAN, pieces=tray)
    room.do("count-tray", SUE, pieces=tray | {"500": 1})
    counts = [entry for entry in room.floor.store.entries() if entry.kind == "count-tray"]
    assert all("pieces" not in without_counts(room.floor.state, entry)["command"] for entry in counts[-2:])


def test_nobody_alone_voids_a_slip_whose_chips_are_under_way(room):
    room.do("request-fill", SUE, pieces=ASKED)
    slip = only(room, FILL).id
    room.sign(slip, GUS)
    room.sign(slip, CAT, pieces=ASKED)
    asked = room.do("void-slip", CAT, table=None, slip=slip, reason="wrong chips")
    assert asked.kind == "requested" and asked.data["events"][0]["cents"] == CENTS and not only(room, FILL).void
    assert room.refused("confirm", CAT, table=None, request=asked.data["events"][0]["request"]).code == "not-second"
    room.do("confirm", SAM, table=None, request=asked.data["events"][0]["request"])
    assert only(room, FILL).void == "wrong chips"
    assert room.refused("sign-slip", DAN, table=None, slip=slip, pieces=ASKED).code == "wrong-signature"
    room.check()


@pytest.mark.parametrize("signed", range(6))
def test_a_fill_is_voided_at_any_step_and_its_chips_go_back(room, signed):
    before, there = room.pieces("cage"), chips_in_all(room.floor.state)
    tray = room.pieces("tray:t1")
    room.do("request-fill", SUE, pieces=ASKED)
    slip = only(room, FILL).id
    for actor, fields in fill_steps()[:signed]:
        room.sign(slip, actor, **fields)
    if signed == 5:
        assert room.refused("void-slip", SUE, table=None, slip=slip, reason="late").code == "slip-done"
        return
    assert room.refused("void-slip", GUS, table=None, slip=slip, reason="wrong").code == "role-may-not"
    voided = room.both("void-slip", CARL if signed else SUE, SAM, table=None, slip=slip, reason="wrong chips")
    if signed >= 2:
        assert "VOID" in event_words(events(voided, "slip-recalled")[0])
        voided = returned(room, slip, CARL, GIL)
    assert (room.pieces("cage"), room.pieces("tray:t1"), chips_in_all(room.floor.state)) == (before, tray, there)
    assert "VOID" in event_words(events(voided, "slip-voided")[0]) and room.floor.state.slips == {}
    room.do("request-fill", SUE, pieces=ASKED)
    assert only(room, FILL).number == int(slip.rpartition("-")[2]) + 1  # the number stays used
    room.check()


def test_a_credit_is_voided_until_its_chips_are_in_the_cage(room):
    tray = room.pieces("tray:t1")
    for signed in range(4):
        room.do("request-credit", SUE, pieces=ASKED)
        slip = only(room, CREDIT).id
        for actor, fields in credit_steps()[:signed]:
            room.sign(slip, actor, **fields)
        if signed < 3:
            room.both("void-slip", SUE, CAT, table=None, slip=slip, reason="not now")
            if signed:
                returned(room, slip, DAN, GUS)
            assert room.pieces("tray:t1") == tray and room.table.credits_cents == 0
        else:
            assert room.refused("void-slip", SUE, table=None, slip=slip, reason="not now").code == "not-voided"
    room.check()


def test_a_fill_for_a_closed_table_is_refused(room):
    room.count(room.written("tray:t1"))
    room.both("close", SUE, CAT)
    assert room.refused("request-fill", SUE, pieces=ASKED).code == "unknown-table"


# Openers and closers


def test_a_tray_is_counted_by_two_who_do_not_see_each_other(room):
    counted = room.written("tray:t1")
    first = room.do("count-tray", DAN, pieces=counted)
    assert events(first, "count-taken") and not events(first, "tray-agreed")
    assert not any(
        "cents" in name or "pieces" in name
        for event in first.data["events"]
        for name in event
        if event["event"] == "count-taken"
    )
    assert "pieces" not in without_counts(room.floor.state, first)["command"]
    for reader in (Reader("sue", "supervisor"), Reader("aud", "auditor"), Reader("dan", "dealer")):
        view = slips_view(room.floor.state, reader)
        assert view["slips"][0]["pieces"] is None and view["trays"][0]["tray"] is None
    assert room.refused("count-tray", DAN, pieces=counted).code == "signed-already"
    assert room.refused("count-tray", DORA, pieces=counted).code == "not-on-table"
    second = room.do("count-tray", SUE, pieces=counted)
    (agreed,) = events(second, "tray-agreed")
    assert (agreed["purpose"], agreed["difference_cents"]) == ("closer", 0) and room.floor.state.slips == {}
    assert without_counts(room.floor.state, first) == first.data
    room.check()


def test_two_supervisors_are_no_dealer(room):
    room.do("count-tray", SUE, pieces=room.written("tray:t1"))
    assert room.refused("count-tray", SAM, pieces=room.written("tray:t1")).code == "wrong-signature"


def test_counts_that_differ_are_taken_again_under_the_same_number(room):
    right = room.written("tray:t1")
    room.do("count-tray", DAN, pieces=right)
    differs = room.do("count-tray", SUE, pieces=right | {"500": right["500"] - 1})
    assert events(differs, "counts-differ") and only(room, "inventory").number == 1
    again = room.count(right)
    assert events(again, "slip-done")[0]["slip"] == "inventory-1"
    room.check()


def test_a_closed_tray_stays_locked_and_opens_again_when_it_is_counted(room):
    assert room.refused("close", SUE).code == "count-first"
    counted = room.written("tray:t1")
    room.count(counted)
    room.do("table-buy-in", DAN, guest="ann", cents=10_000)
    assert room.refused("close", SUE).code == "count-first"  # it has changed since
    counted = room.written("tray:t1")
    room.count(counted)
    closed = room.both("close", SUE, CAT)
    (told,) = events(closed, "table-closed")
    assert told["balanced"] and told["drop_cents"] == 10_000 and room.written("tray:t1") == counted
    assert room.floor.state.balance("drop:t1") == 10_000
    assert room.refused("open", SUE, edition="ez-baccarat-wa", source="hand-keyed").code == "box-not-pulled"
    pulled(room)
    room.do("open", SUE, edition="ez-baccarat-wa", source="hand-keyed")
    room.do("sign-on", DAN)
    room.do("buy-in", CAT, table=None, guest="bob", cents=10_000)
    assert room.refused("table-buy-in", DAN, guest="bob", cents=500).code == "count-first"
    opened = room.count(counted)
    assert events(opened, "tray-agreed")[0]["purpose"] == "opener" and room.table.opener_cents == told["closer_cents"]
    room.do("table-buy-in", DAN, guest="bob", cents=500)
    room.check()


def test_a_difference_makes_an_error_slip_and_from_200_dollars_a_notice(room):
    right = room.written("tray:t1")
    short = room.count(right | {"10000": right["10000"] - 2})
    (agreed,) = events(short, "tray-agreed")
    assert agreed["difference_cents"] == -20_000
    assert room.floor.state.balance("difference:t1") == 20_000 and room.pieces("difference:t1") == {10_000: 2}
    error = only(room, ERROR)
    assert (error.cents, error.owner) == (-20_000, "sue")
    (notice,) = room.floor.state.notices.values()
    assert (notice.why, notice.cents) == ("amount", -20_000)
    assert room.refused("void-slip", SUE, table=None, slip=error.id, reason="so").code == "not-voided"
    for actor in (SUE, DAN, GUS):
        room.sign(error.id, actor)
    assert room.floor.state.slips == {}
    assert room.refused("notice-sent", GUS, table=None, notice=1, reason="so").code == "role-may-not"
    assert room.refused("notice-sent", ABE, table=None, notice=7, reason="so").code == "unknown-notice"
    room.do("notice-sent", ABE, table=None, notice=1, reason="by telephone at noon")
    assert room.floor.state.notices == {}
    closed = room.both("close", SUE, CAT)
    (told,) = events(closed, "table-closed")
    assert not told["balanced"] and told["win_cents"] == told["rounds_say_cents"] - 20_000
    room.check()


def test_too_much_is_a_difference_too(room):
    right = room.written("tray:t1")
    over = room.count(right | {"500": right["500"] + 1})
    assert events(over, "tray-agreed")[0]["difference_cents"] == 500
    assert room.floor.state.balance("difference:t1") == -500 and room.pieces("difference:t1") == {500: -1}
    assert not room.floor.state.notices and only(room, ERROR).cents == 500
    room.check()


def test_small_shortages_in_a_row_are_a_pattern(room):
    for day in range(3):
        right = room.written("tray:t1")
        short = room.count(right | {"100": right["100"] - 1})
        assert bool(events(short, "notice-due")) == (day == 2)
        slip = only(room, ERROR).id
        for actor in (SUE, DAN, GUS):
            room.sign(slip, actor)
        room.floor.clock.wait(days=1)
    assert room.floor.state.notices[1].why == "pattern"
    room.check()


def test_shortages_far_apart_are_no_pattern(room):
    for _ in range(3):
        right = room.written("tray:t1")
        room.count(right | {"100": right["100"] - 1})
        slip = only(room, ERROR).id
        for actor in (SUE, DAN, GUS):
            room.sign(slip, actor)
        room.floor.clock.wait(days=8)
    assert not room.floor.state.notices


def test_equal_value_in_other_pieces_is_set_right_and_no_error(room):
    right = room.written("tray:t1")
    told = room.count(right | {"2500": right["2500"] - 1, "500": right["500"] + 5})
    (set_right,) = events(told, "pieces-set-right")
    assert (set_right["missing"], set_right["found"]) == ({"2500": 1}, {"500": 5})
    assert not room.floor.state.slips and room.floor.state.balance("difference:t1") == 0
    assert room.written("tray:t1")["500"] == right["500"] + 5
    room.check()


# Boxes


def pulled(room):
    room.do("pull-box", GUS)
    slip = only(room, DROP).id
    room.sign(slip, DAN)
    room.sign(slip, ABE)
    room.sign(slip, ABE, pieces={"10000": 1})
    room.sign(slip, AMY, pieces={"10000": 1})
    room.sign(slip, CAT, pieces={"10000": 1})
    return room.sign(slip, AMY)


@pytest.fixture
def sold(room):
    for cents in (10_000, 20_000):
        room.do("table-buy-in", DAN, guest="ann", cents=cents)
    return room


NOTES = {"10000": 2, "2000": 5}


def box_steps(notes=NOTES):
    return [(DAN, {}), (ABE, {}), (ABE, {"pieces": notes}), (AMY, {"pieces": notes}), (CAT, {"pieces": notes}), (ABE, {})]


def test_a_box_is_pulled_by_two_counted_by_two_and_recounted_by_the_cage(sold):
    room, cash = sold, sold.pieces("cage")[1]
    room.do("pull-box", GUS)
    slip = only(room, DROP).id
    for actor, fields in box_steps():
        view = slips_view(room.floor.state, Reader(actor.name, actor.role))["slips"][0]
        assert view["yours"] and (view["cents"] is None or actor == ABE)
        entry = room.sign(slip, actor, **fields)
    (done,) = events(entry, "slip-done")
    assert done["cents"] == 30_000
    assert event_words(done) == "drop-1 of t1 is finished: 2 notes of $100, 5 notes of $20 ($300)", "notes are no chips"
    assert room.floor.state.balance("drop:t1") == 0 and room.floor.state.balance(f"box:{slip}") == 0
    assert room.pieces("cage")[1] == cash + 30_000 and room.table.dropped_cents == 30_000
    room.check()


def test_nobody_counts_a_box_twice_and_no_step_is_anothers(sold):
    room = sold
    room.do("pull-box", GUS)
    slip = only(room, DROP)
    assert room.refused("pull-box", GIL).code == "slip-open"
    for place, (right, fields) in enumerate(box_steps(), 1):
        step = ROWS[DROP][place]
        for actor in EVERYBODY:
            if actor.role not in step.roles:
                assert room.refused("sign-slip", actor, table=None, slip=slip.id, **fields).code == "wrong-signature"
        if step.id == "second-count":
            assert room.refused("sign-slip", ABE, table=None, slip=slip.id, **fields).code == "signed-already"
        room.sign(slip.id, right, **fields)


@pytest.mark.parametrize("wrong", ["second-count", "recounted"])
def test_counts_of_a_box_that_differ_are_all_taken_again(sold, wrong):
    room = sold
    room.do("pull-box", GUS)
    slip = only(room, DROP).id
    for place, (actor, fields) in enumerate(box_steps(), 1):
        step = ROWS[DROP][place].id
        if step == wrong:
            entry = room.sign(slip, actor, pieces={"10000": 3})  # the same value is not the same count
            assert events(entry, "counts-differ")
            break
        room.sign(slip, actor, **fields)
    assert room.floor.state.balance(f"box:{slip}") == 30_000 and only(room, DROP).counts == ()
    for actor, fields in box_steps()[2:]:
        room.sign(slip, actor, **fields)
    room.check()


@pytest.mark.parametrize(("notes", "off"), [({"10000": 2, "2000": 4}, -2_000), ({"10000": 2, "2000": 6}, 2_000), ({}, -30_000)])
def test_what_a_box_misses_has_an_owner(sold, notes, off):
    room = sold
    room.do("pull-box", GUS)
    slip = only(room, DROP).id
    for actor, fields in box_steps(notes)[:-1]:
        entry = room.sign(slip, actor, **fields)
    (told,) = events(entry, "box-counted")
    assert (told["difference_cents"], told["owner"], told["expected_cents"]) == (off, "dan", 30_000)
    assert room.floor.state.balance("difference:t1") == -off
    room.sign(slip, AMY)
    room.check()


def test_notes_that_there_are_not_are_refused(sold):
    room = sold
    room.do("pull-box", GUS)
    slip = only(room, DROP).id
    for actor, fields in box_steps()[:2]:
        room.sign(slip, actor, **fields)
    assert room.refused("sign-slip", ABE, table=None, slip=slip, pieces={"2500": 4}).code == "unknown-note"
    assert room.refused("sign-slip", ABE, table=None, slip=slip, pieces={"2000": -4}).code == "bad-pieces"
    assert room.refused("void-slip", SUE, table=None, slip=slip, reason="so").code == "not-voided"


def test_a_whole_day_balances_to_the_cent(tmp_path):
    """Opener, fills, credits, drop and closer against the win that the rounds say."""
    room = ChipRoom(tmp_path, names="two", clock=Clock())
    room.do("table-buy-in", DAN, guest="ann", cents=30_000)
    for _ in range(3):
        room.do("bet", DAN, seat=1, guest="ann", wager="player", cents=2_500)
        room.do("no-more-bets", DAN)
        room.do("card", DAN, cards=PLAYER_WINS)
        room.do("settle", DAN)
    room.fill({"500": 100})
    room.do("request-credit", SUE, pieces=ASKED)
    for actor, fields in credit_steps():
        room.sign("credit-1", actor, **fields)
    room.count(room.written("tray:t1"))
    (told,) = events(room.both("close", SUE, CAT), "table-closed")
    assert told["balanced"] and told["win_cents"] == -7_500
    room.check()


def test_a_slip_knows_since_when_it_is_open(room):
    room.do("request-fill", SUE, pieces=ASKED)
    assert only(room, FILL).opened_at < room.floor.clock().isoformat(timespec="microseconds")
