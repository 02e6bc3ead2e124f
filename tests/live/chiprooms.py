"""A house with chips: one name each for what the staff does, trays filled by slip, and an account of pieces of its own."""

from collections import Counter

import pytest

from houseway.house.audit import Auditor
from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table import House
from houseway.table.pieces import account_of, holds_chips, worth
from houseway.table.plain import as_json, from_json

ROOT, OLGA = Actor("root", "administrator"), Actor("olga", "administrator")
SUE, SAM = Actor("sue", "supervisor"), Actor("sam", "supervisor")
DAN, DORA = Actor("dan", "dealer"), Actor("dora", "dealer")
CAT, CARL = Actor("cat", "cashier"), Actor("carl", "cashier")
GUS, GIL = Actor("gus", "security"), Actor("gil", "security")
ABE, AMY = Actor("abe", "accounting"), Actor("amy", "accounting")
USUAL = "0.50 1 5 25 100 500 1000"
STOCK = {"100000": 400, "50000": 600, "10000": 3_000, "2500": 6_000, "500": 12_000, "100": 12_000, "50": 6_000, "1": 0}
TRAY = {"10000": 200, "2500": 400, "500": 600, "100": 600, "50": 200, "1": 500}
BACCARAT = "ez-baccarat-wa"


class ChipRoom:
    """A store of its own with chips in the cage, guests with money and, unless nothing is opened, a table t1 with a tray."""

    def __init__(
        self, folder, edition=BACCARAT, tray=TRAY, chips=USUAL, names="one", source="hand-keyed", clock=None, **opening
    ):
        self.url, self.key_file = f"sqlite:///{folder / 'house.db'}", folder / "key"
        self.names, self.clock = names, {"clock": clock} if clock else {}
        self.floor = self.another()
        self.both("house-rule", ROOT, OLGA, table=None, rule="chips", value=chips)
        self.both("fund", ROOT, CAT, table=None, cents=100_000_000)
        known = {str(int(float(chip) * 100)) for chip in chips.split()}
        self.both("chips-in", ROOT, CAT, table=None, pieces={v: n for v, n in STOCK.items() if v in known and n})
        if edition:
            self.do("open", SUE, edition=edition, source=source, **opening)
            self.do("sign-on", DAN)
            if tray:
                self.fill({value: count for value, count in tray.items() if value in known or value == "1"})

    def another(self):
        return Floor(Store(self.url), self.key_file, begins=self.names, **self.clock)

    def do(self, kind, actor=DAN, key="", table="t1", **fields):
        return self.floor.do({"kind": kind} | ({"table": table} if table else {}) | fields, actor, key)

    def both(self, kind, actor, second, **fields):
        entry = self.do(kind, actor, **fields)
        if entry.kind == "requested":
            entry = self.floor.do({"kind": "confirm", "request": entry.data["events"][0]["request"]}, second)
        return entry

    def sign(self, slip, actor, **fields):
        return self.do("sign-slip", actor, table=None, slip=slip, **fields)

    def fill(self, pieces, table="t1"):
        """A whole fill, signed by everybody."""
        opened = self.do("request-fill", SUE, table=table, pieces=pieces)
        slip = events(opened, "slip-opened")[0]["slip"]
        self.sign(slip, GUS)
        self.sign(slip, CAT, pieces=pieces)
        self.sign(slip, GUS)
        self.sign(slip, DAN, pieces=pieces)
        return self.sign(slip, SUE)

    def count(self, pieces, table="t1", actors=(DAN, SUE)):
        """A tray counted by two."""
        entries = [self.do("count-tray", actor, table=table, pieces=pieces) for actor in actors]
        return entries[-1]

    def pieces(self, place):
        return dict(self.floor.state.pieces.get(place, {}))

    def written(self, place):
        return {str(value): count for value, count in self.pieces(place).items()}

    @property
    def table(self):
        return self.floor.state.tables["t1"]

    def refused(self, kind, actor=DAN, **fields):
        """The refusal of a command that changes nothing but, at most, that the attempt is known."""
        before, (head, _) = self.floor.state, self.floor.store.head()
        with pytest.raises(Refused) as caught:
            self.do(kind, actor, **fields)
        assert self.floor.state == before and "\n" not in caught.value.message and len(caught.value.message) > 15
        assert {entry.kind for entry in self.floor.store.entries(head)} <= {"attempt"}
        return caught.value

    def check(self):
        """What always holds: pieces are worth the balances, and go nowhere; folded again it is the same; the audit agrees."""
        check_pieces(self.floor.state)
        assert self.another().refresh() == self.floor.state
        assert from_json(House, as_json(self.floor.state)) == self.floor.state
        report = Auditor(self.floor.store).run()
        assert report.flaws == ()
        return report


def check_pieces(state):
    """Every account's pieces are worth what it holds, and none but a difference is below nothing."""
    value = Counter()
    for place, pieces in state.pieces.items():
        assert holds_chips(place) and pieces, place
        assert place.startswith("difference:") or all(count > 0 for count in pieces.values()), (place, pieces)
        value[account_of(place)] += worth(pieces)
    balances = {account: cents for account, cents in state.balances.items() if cents and holds_chips(account)}
    assert {account: cents for account, cents in value.items() if cents} == balances


def chips_in_all(state):
    """How many chips of each value there are in the house, wherever they are; coins are no chips."""
    there = Counter()
    for pieces in state.pieces.values():
        there.update({value: count for value, count in pieces.items() if value != 1})
    return {value: count for value, count in there.items() if count}


def events(entry, kind):
    return [event for event in entry.data["events"] if event["event"] == kind]
