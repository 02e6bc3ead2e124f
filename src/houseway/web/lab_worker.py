"""A process of its own that deals for a reader of the lab: behind everybody at the tables, and gone when nobody waits for it.

It is told the question in one line, and says in lines of JSON how far it is, what that comes to, or why not. When whoever asked
is gone its input ends, and so does it.
"""

import base64
import json
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import Any, TextIO

from houseway.api import Rulebook
from houseway.chunks.done import Shelf, kept_on
from houseway.money import parse_cents
from houseway.protect.ask import table_asked
from houseway.protect.published import SHOES_AT_LEAST, SHOES_TRIED, published_answer
from houseway.protect.report import EXACT_SHOES, SHOES
from houseway.protect.seen import seen_answer
from houseway.refusal import Refused
from houseway.rulebook import Edition
from houseway.rulebook.settle import parse_bets
from houseway.simulate.report import Simulated
from houseway.solve.answer import Answer
from houseway.solve.files import PARQUET, file_of, writes_parquet
from houseway.table.bound import read_document
from houseway.web.lab_designing import DESIGNS, DesignAsked, design_asked
from houseway.web.lab_questions import QUESTIONS, ProtectAsked, SettingsAsked, SimulateAsked, command_of, without_options
from houseway.web.lab_solving import SOLVINGS, solve_asked

FIRST_TO_GO = 1000
NICE = 10
"""Nobody waits for it at a table: whoever plays goes first."""
SECONDS_BETWEEN = 1.0
SECONDS_OF_PACE, MARKS_LEAST = 5.0, 2
WORK_FOR_EACH_ANSWER = 10
"""What takes long to tell is told seldom: the work between takes so many times as long."""
STAGES = (64, 8, 1)
"""What a counter wins is told after a part of the shoes, too: one of so many."""
LEAST_SHOES, LEAST_EXACT = 500, 20
READERS = Shelf("lab", seconds=0.0, whole_stays=True, many=500)
"""What readers have had dealt, kept by the house and named by all that was asked: whoever asks the same goes on from there."""
_ALL = (QUESTIONS, SOLVINGS, DESIGNS)
KINDS: dict[str, type[SettingsAsked]] = {str(kind): asked for kinds in _ALL for kind, asked in kinds.items()}
Say = Callable[[dict[str, Any]], None]


class Teller:
    """Tells how far the work is, and what it comes to, each at its time."""

    def __init__(self, say: Say, edition: Edition, kind: str, asked: SettingsAsked, digest: str) -> None:
        self.say, self.edition, self.kind, self.asked, self.digest = say, edition.id, kind, asked, digest
        self.outside = asked.outside(edition)
        self._next_progress, self._next_answer = 0.0, 0.0
        self._marks: deque[tuple[float, int]] = deque()

    def progress(self, done: int, total: int) -> None:
        """How far it is, and how fast it has gone in the last seconds."""
        now = time.monotonic()
        if now < self._next_progress:
            return
        if self._marks and done < self._marks[-1][1]:  # the next part of the work counts anew
            self._marks.clear()
        self._marks.append((now, done))
        while now - self._marks[0][0] > SECONDS_OF_PACE and len(self._marks) > MARKS_LEAST:
            self._marks.popleft()
        since, had = self._marks[0]
        rate = (done - had) / (now - since) if now > since else 0.0
        left = (total - done) / rate if rate else None
        self.say({"progress": {"done": done, "total": total, "rate": rate or None, "left_seconds": left}})
        self._next_progress = time.monotonic() + SECONDS_BETWEEN / 4

    def is_time(self) -> bool:
        """Whether what is done so far is worth telling."""
        return time.monotonic() >= self._next_answer

    def answer(self, made: Callable[[], Answer], whole: bool, **other: Any) -> None:
        """What it comes to; where not all was done, the command that gives just that has other numbers."""
        begun = time.monotonic()
        said = made().under(self.digest)
        files = {ending: file_of(said, ending).decode() for ending in (".csv", ".txt", *said.files)}
        if said.rows and writes_parquet():
            files[PARQUET] = base64.b64encode(file_of(said, PARQUET)).decode()
        command = command_of(self.kind, self.edition, self.asked.model_copy(update=other))
        answer = {"whole": whole, "command": command, "what_if": self.outside, "data": said.data, "files": files}
        self.say({"answer": answer})
        took = time.monotonic() - begun
        self._next_answer = time.monotonic() + max(SECONDS_BETWEEN, WORK_FOR_EACH_ANSWER * took)


def _cents(dollars: str, what: str) -> int:
    return parse_cents(dollars, what, "an amount") if dollars else 0


def simulate(book: Rulebook, asked: SimulateAsked, teller: Teller) -> None:
    """Deal, and tell on the way."""

    def so_far(dealt: Simulated) -> None:
        if teller.is_time():
            units = dealt.simulation.units
            goal = {"rounds": units * asked.session, "shoes": None} if asked.session else {"rounds": None, "shoes": units}
            teller.answer(dealt.answer, whole=False, **goal)

    dealt = book.simulate(
        rounds=asked.rounds or 0,
        shoes=asked.shoes or 0,
        seats=asked.seats or 0,
        player=asked.player,
        bets=[parse_bets(text) for text in asked.bets],
        shuffler=asked.shuffler,
        engine=asked.engine,
        session=asked.session or 0,
        bankroll_cents=_cents(asked.bankroll, "bankroll"),
        bank_cents=_cents(asked.bank, "bank"),
        what_if=asked.what_if,
        progress=lambda done, total, _: teller.progress(done, total),
        so_far=so_far,
        resume=True,
        **asked.dealing(),
        **asked.chosen(),
    )
    teller.answer(dealt.answer, whole=True)


def protect(book: Rulebook, asked: ProtectAsked, teller: Teller) -> None:
    """Count along, first in a part of the shoes, and tell on the way."""
    bet_cents = _cents(asked.bet, "bet")
    settings = book.edition.settings(asked.chosen(), asked.what_if)
    if asked.published:
        published(book, asked, teller)
        return
    if asked.seen:
        hour = asked.hour or 0
        about = settings, asked.wager, asked.seen, bet_cents, hour
        teller.answer(lambda: seen_answer(book.edition, *about, teller.progress), whole=True)
        return
    wanted, wanted_exact = asked.shoes or SHOES, asked.exact_shoes or EXACT_SHOES
    stages = _stages(wanted, LEAST_SHOES)
    total, done = sum(stages), 0

    def progress(shoes: int, _: int) -> None:
        teller.progress(done + shoes, total)

    for shoes in stages:
        whole = shoes == wanted
        exact = wanted_exact if whole else min(wanted_exact, max(wanted_exact * shoes // wanted, LEAST_EXACT))
        protected = book.protect(
            asked.wager,
            asked.count,
            asked.trigger or None,
            start=asked.start or None,
            spread=asked.spread,
            play=asked.play,
            main_count=asked.main_count,
            main_spread=asked.main_spread,
            shoes=shoes,
            exact_shoes=exact,
            bet_cents=bet_cents,
            decisions_an_hour=asked.hour or 0,
            tolerated_cents=parse_cents(asked.tolerate, "tolerate", "an amount", least=0),
            what_if=asked.what_if,
            progress=progress,
            **asked.dealing(),
            **asked.chosen(),
        )
        other = {} if whole else {"shoes": shoes, "exact_shoes": exact}
        teller.answer(protected.answer, whole, **other)
        done += shoes


def published(book: Rulebook, asked: ProtectAsked, teller: Teller) -> None:
    """Hold published figures against every convention, first in a part of the shoes."""
    settings = book.edition.settings(asked.chosen(), asked.what_if)
    table = table_asked(book.edition, settings, asked.wager, **asked.dealing())
    stages = _stages(asked.shoes or SHOES_TRIED, SHOES_AT_LEAST)

    def tell(place: int) -> None:
        shoes, before, whole = stages[place], sum(stages[:place]), place == len(stages) - 1

        def progress(done: int, of_all: int) -> None:
            teller.progress(before + shoes * done // of_all, sum(stages))

        teller.answer(lambda: published_answer(table, shoes, progress), whole, **({} if whole else {"shoes": shoes}))

    for place in range(len(stages)):
        tell(place)


def _stages(wanted: int, least: int) -> list[int]:
    """So many shoes at first, more then, and all at last."""
    return list(dict.fromkeys(max(wanted // part, min(wanted, least)) for part in STAGES))


def end_with_who_asked(told: TextIO) -> None:
    """Nothing more is told: the end of the input is the end of whoever asked."""
    told.read()
    os._exit(0)


def behind_the_others() -> None:
    """After whoever plays, on half of the processors at most, and the first to go where memory runs out."""
    os.nice(NICE)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(FIRST_TO_GO), encoding="ascii")
    own = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, own[len(own) // 2 :])


def work(question: dict[str, Any], say: Say) -> None:
    """Carry a question out."""
    kind = question["kind"]
    asked = KINDS[kind].model_validate(question["asked"])
    try:
        book = Rulebook(read_document(question["document"]))
        teller = Teller(say, book.edition, kind, asked, question["digest"])
        if isinstance(asked, SimulateAsked):
            with kept_on(READERS):
                simulate(book, asked, teller)
        elif isinstance(asked, ProtectAsked):
            with kept_on(READERS):
                protect(book, asked, teller)
        elif isinstance(asked, DesignAsked):
            design_asked(book, asked, teller)
        else:
            teller.answer(lambda: solve_asked(book, asked, question, teller.progress), whole=True)
    except Refused as refused:
        say({"refused": {"code": refused.code, "message": without_options(refused.message)}})


def _finite(value: Any) -> Any:
    """As JSON has it, which knows nothing infinite: a browser would read none of it."""
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def main(carry_out: Callable[[dict[str, Any], Say], None] = work) -> None:
    """One question, and no end but that of the work or of whoever asked."""
    behind_the_others()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what others print is not taken for an answer
    question = json.loads(sys.stdin.readline())
    threading.Thread(target=end_with_who_asked, args=(sys.stdin,), daemon=True).start()

    def say(message: dict[str, Any]) -> None:
        answers.write(json.dumps(_finite(message), ensure_ascii=False, allow_nan=False) + "\n")
        answers.flush()

    carry_out(question, say)
    os._exit(0)


if __name__ == "__main__":
    main()
