"""The books of a day in a house with chips: trays and boxes that were counted by slip, and what was expected in them."""

from chiprooms import ABE, AMY, CAT, GUS, SUE, ChipRoom

from houseway.day.books import Books


def test_counts_by_slip_are_told_with_what_was_expected(tmp_path):
    room = ChipRoom(tmp_path)
    room.do("table-buy-in", guest="ann", cents=10_000)
    held = room.written("tray:t1")
    room.count(held | {"500": held["500"] - 5})
    room.do("close", SUE)
    room.do("pull-box", GUS)
    for actor, counted in ((SUE, None), (ABE, None), (ABE, {"5000": 1}), (AMY, {"5000": 1}), (CAT, {"5000": 1})):
        room.sign("drop-1", actor, **({} if counted is None else {"pieces": counted}))
    entries = list(room.floor.store.entries())
    moved = Books().take_all(entries).book(entries[-1].day).moved
    off = [(each.table, each.what, each.cents - each.expected_cents) for each in moved if each.cents != each.expected_cents]
    assert off == [("t1", "closer counted", -2_500), ("t1", "box counted", -5_000)], "also of a table that has closed"
    assert [each.what for each in moved].count("box counted") == 1
