"""The odds of a settled round as it went, for the guest who bet in it: worked out apart from the tables, and kept.

GLI-19 4.18.2: while a round goes on nobody is told its odds. What is asked for here is named by the entry that settled it, and
a round in play has none.
"""

import json
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from houseway.house.outage import FULL
from houseway.refusal import Refused, one_of
from houseway.view import Json
from houseway.view.course import course_of, seats_open_to, settled_of
from houseway.view.reader import Reader
from houseway.web.apart import apart
from houseway.web.commands import REFUSALS
from houseway.web.identity import AnySession, reader_of
from houseway.web.served import ServedHouse

router = APIRouter(prefix="/api/v1", tags=["house"], responses=REFUSALS)
KEPT_MOST = 500
SECONDS_MOST = 300.0
"""What a round may take: rules that were never used here are compiled first."""
WORKER = [sys.executable, "-m", "houseway.web.odds_worker"]


class RoundOdds:
    """The odds of settled rounds, by entry and seat: each is worked out once, by a process of its own, and kept."""

    def __init__(self, house: ServedHouse) -> None:
        self._house = house
        self._kept: OrderedDict[tuple[int, int], Json] = OrderedDict()
        self._lock = threading.Lock()

    def body(self, seq: int, seat: int, reader: Reader) -> bytes:
        """The odds of a seat's wagers, as JSON; of his first, if none is named."""
        _, after = self._house.replays.walk.round(seq)
        open_to_him = seats_open_to(reader, settled_of(after))
        wanted = int(one_of("seat", str(seat), [str(each) for each in open_to_him])) if seat else open_to_him[0]
        with self._lock:
            answer = self._kept.get((seq, wanted))
        if answer is None:
            answer = worked_out(course_of(after, wanted).as_data())
        with self._lock:
            self._kept[seq, wanted] = answer
            self._kept.move_to_end((seq, wanted))
            if len(self._kept) > KEPT_MOST:
                self._kept.popitem(last=False)
        return json.dumps({"seq": seq, "seats": list(open_to_him)} | answer, ensure_ascii=False).encode()


def worked_out(question: Json, worker: Sequence[str] = WORKER) -> Json:
    """The answer of a process of its own; it is killed if it takes too long, and ends when we do."""
    process = subprocess.Popen(worker, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin and process.stdout
    late = threading.Timer(SECONDS_MOST, process.kill)
    late.start()
    try:
        with suppress(OSError):  # it may be gone before it has listened
            process.stdin.write(json.dumps(question).encode() + b"\n")
            process.stdin.flush()
        line = process.stdout.readline()
    finally:
        late.cancel()
        with suppress(OSError):
            process.stdin.close()
        process.kill()
        process.wait()
        process.stdout.close()
    if not line:
        raise Refused(FULL, "the odds of this round could not be worked out in time: ask again when less is under way")
    answer: Json = json.loads(line)
    return answer


@router.get("/rounds/{seq}/odds", summary="The odds of a settled round, as it went", response_model=Json)
@apart("round odds")
def round_odds(
    request: Request,
    seq: Annotated[int, Path(ge=1, lt=2**63)],
    session: AnySession,
    seat: Annotated[int, Query(ge=0, le=20, description="one of yours; 0: the first")] = 0,
) -> Response:
    """Before the deal and after each card that you saw: the chance of every outcome of your wagers and what to expect of them.
    Only for a round that is over, and for those who bet in it, each his own seats, and the staff."""
    odds: RoundOdds = request.app.state.round_odds
    return Response(odds.body(seq, seat, reader_of(session)), media_type="application/json")
