"""A round is corrected at the table it was played at, also where that was opened and closed before without a round."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sessions import DAN, SUE, opening, prepare
from test_table import BANKER_WINS, DUKI, OPENER, Pit

from houseway.house.audit import Auditor
from houseway.house.floor import Floor
from houseway.house.past_editions import PastEditions


def test_a_table_that_was_closed_without_a_round_takes_no_correction(
    store_url: str, open_floor: Callable[[str], Floor]
) -> None:
    """The win of the table in play was left as it was before, and it did not balance when it closed."""
    floor = open_floor(store_url)
    prepare(floor, ["0-0"])
    floor.do({"kind": "close", "table": "0-0"}, SUE)
    floor.do(opening("0-0"), SUE)
    floor.do({"kind": "bet", "table": "0-0", "seat": 1, "guest": "g1", "wager": "tie", "cents": 400}, DAN)
    for kind in ("no-more-bets", "deal", "settle"):
        floor.do({"kind": kind, "table": "0-0"}, DAN)
    assert floor.state.tables["0-0"].win_cents
    floor.do({"kind": "correct", "table": "0-0", "round": 1, "void": True, "reason": "a misdeal"}, SUE)
    assert (floor.state.tables["0-0"].win_cents, floor.state.tables["0-0"].history) == (0, ())
    closed = floor.do({"kind": "close", "table": "0-0"}, SUE).data["events"][-1]
    assert closed["balanced"], closed
    assert Auditor(floor.store).run().flaw is None


@pytest.mark.parametrize("after", [0, 6], ids=["from the beginning", "from the middle"])
def test_an_entry_is_told_by_the_edition_of_its_time(tmp_path: Path, after: int) -> None:
    """Of a table that was opened anew for another game, what happened before took the names of that."""
    pit = Pit(tmp_path)
    pit.bet(1, "ann", banker=10_000)
    pit.no_more_bets()
    pit.card(BANKER_WINS)
    pit.do("settle")
    pit.do("close", SUE)
    pit.do("open", SUE, edition=DUKI, source="hand-keyed", opener_cents=OPENER)
    pit.do("correct", SUE, round=1, reason="a misdeal", void=True)
    editions = PastEditions(pit.floor.store)
    told = [(entry.kind, edition.id if (edition := editions.of(entry)) else "") for entry in pit.floor.store.entries(after)]
    at_table = [(kind, id_) for kind, id_ in told if kind in {"settle", "close", "open", "correct"}][-4:]
    assert at_table == [("settle", pit.edition), ("close", pit.edition), ("open", DUKI), ("correct", pit.edition)]
    assert all(id_ == "" for kind, id_ in told if kind in {"fund", "buy-in"})
