"""What is asked of a search for pay tables in the lab, what can be asked of an edition, and how a worker answers.

Fields are named and written as the options of `houseway design` are, so that one reads the other.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Annotated, Any, Literal, Protocol

from pydantic import BaseModel, Field

from houseway.api import Rulebook
from houseway.design.ask import Wish, design_cases, setting_lists, why_no_design, written_rows
from houseway.design.bands import CASINO
from houseway.design.model import GOALS
from houseway.design.report import Designed, design
from houseway.refusal import Refused, number_of
from houseway.rulebook import Edition
from houseway.rulebook.game import Wager
from houseway.rulebook.pay import Pay
from houseway.solve.answer import Answer
from houseway.web.lab_questions import Bounds, BoundsAnswer, Name, SettingsAsked, Text

DESIGNS_MOST = 24
"""So many stand side by side here; the shell lists all."""
FRONTIER_MOST = 20
SECONDS_USUAL = 20
SEARCHES_AT_LEAST = 2
"""One search may take such a part of the time that a reader has: whatever it finds is then told before that is over."""
GOAL_WORDS = {
    "fewest-changes": "the fewest changes from the present table",
    "nearest-edge": "an edge in the middle of the band",
    "least-variance": "the least variance",
    "largest-top": "the largest top prize",
}
Long = Annotated[str, Field(max_length=2_000)]


class DesignAsked(SettingsAsked):
    """What a pay table should come to. As `houseway design` in the shell, and named the same."""

    settings: dict[Name, Text] = Field(
        {}, max_length=40, description="Settings by name, each with one value or a list (`1..8`): it must hold under each"
    )
    wager: Annotated[list[Name], Field(min_length=1, max_length=4, description="The wagers whose pay tables are designed")]
    edge: Name = Field(description="The band of the house edge: `6%..8%`, `..8%` or `7%`")
    hit: Name = Field("", description="How often it wins: `18%..22%`")
    sd: Name = Field("", description="The standard deviation of a bet of one unit: `..9`")
    top: Name = Field("", description="The highest pay: `500..2000`")
    rows: list[Long] = Field([], max_length=60, description="What a row may pay, as `ROW=4..6`")
    pays: Long = Field("", description="What every row may pay: `1,2,3,5,10`; without it casino numbers")
    envy: list[Long] = Field([], max_length=60, description="Envy prizes to be found, in dollars, as `ROW=50..500`")
    goal: Name = Field("fewest-changes", description=f"What is best: {', '.join(GOAL_WORDS)}")
    most: int = Field(1, description=f"So many designs, the best first; at most {DESIGNS_MOST} here")
    any_order: bool = Field(False, description="A rarer hand may pay less")
    frontier: int = Field(0, description="The least deviation in each of so many parts of the band")
    players: Name = Field("1", description="Players at the table, oneself included, where there is envy: `1..6`")
    bet: Name = Field("5", description="The bets in dollars that envy prizes are set against: `5,25`")
    seconds: int | None = Field(None, description=f"When each search stops, proved or not; without it {SECONDS_USUAL}")

    @property
    def seconds_each(self) -> int:
        """When a search stops."""
        return SECONDS_USUAL if self.seconds is None else self.seconds

    def wish(self) -> Wish:
        """As the design room takes it."""
        return Wish(
            self.edge,
            self.hit,
            self.sd,
            self.top,
            self.rows,
            self.pays,
            self.envy,
            self.goal,
            self.most,
            self.any_order,
            self.frontier,
            self.players,
            self.bet,
            self.seconds_each,
        )

    def check(self, edition: Edition, bounds: Bounds) -> None:
        """Refuse what cannot be asked here, before anybody works on it."""
        for name, given in self.settings.items():
            switch = edition.game.switches.get(name)
            if switch and any(switch.allows_file(value.strip()) for value in (given, *given.split(","))):
                possible = ", ".join(map(str, switch.values))
                raise Refused("bad-setting", f'{name} "{given[:40]}" is not possible (possible: {possible})')
        for words, asked, most in (("designs", self.most, DESIGNS_MOST), ("parts of a frontier", self.frontier, FRONTIER_MOST)):
            if asked > most:
                raise Refused("too-much", f"{asked:,} {words} are more than are shown here: at most {most}; the shell has more")
        if self.seconds_each > _seconds_most(bounds):
            most = _seconds_most(bounds)
            raise Refused(
                "too-much", f"{self.seconds_each:,} seconds for a search are more than are given here: at most {most:,}"
            )
        self.wish().checked_goal()
        for wager in self.wager:
            edition.wager(wager)
        self.outside(edition)

    def outside(self, edition: Edition) -> list[str]:
        """What of it lies outside the approval, in any case."""
        cases = design_cases(edition, setting_lists(edition, dict(self.settings)), self.wish(), self.what_if)
        return list(dict.fromkeys(line for case in cases for line in case.settings.outside))


DESIGNS: dict[Literal["design"], type[DesignAsked]] = {"design": DesignAsked}


def _seconds_most(bounds: Bounds) -> int:
    return max(1, bounds.seconds // SEARCHES_AT_LEAST)


class RowChoice(BaseModel):
    """A row of a pay table."""

    row: str
    name: str
    pays: str


class TableChoice(BaseModel):
    """A pay table that can be designed, with its rows and its envy prizes as they are."""

    id: str
    rows: list[RowChoice]
    envy: list[RowChoice]


class DesignedWagerChoice(BaseModel):
    """A wager, and why it cannot be designed; or its pay tables."""

    id: str
    name: str
    why_not: str
    tables: list[TableChoice]


class GoalChoice(BaseModel):
    """What may be best."""

    id: str
    words: str


class DesignChoices(BaseModel):
    """What can be asked of a search for the pays of an edition."""

    edition: str
    why_not: str = Field(description="Why nothing can be asked; else empty")
    wagers: list[DesignedWagerChoice]
    goals: list[GoalChoice]
    casino: list[int] = Field(description="What rows may pay where nothing is said")
    seconds: int = Field(description="When a search stops where nothing is said")
    bounds: BoundsAnswer


def _tables(edition: Edition, wager: str) -> list[TableChoice]:
    names = {outcome.id: outcome.name for outcome in edition.game.wagers[wager].outcomes}
    prizes: dict[str, dict[str, int]] = edition.document["wagers"][wager].get("envy_dollars", {})

    def row(id_: str, pays: str) -> RowChoice:
        return RowChoice(row=id_, name=names.get(id_, id_), pays=pays)

    return [
        TableChoice(
            id=table,
            rows=[row(id_, str(Pay(pay))) for id_, pay in written_rows(edition, wager, table).items()],
            envy=[row(id_, f"${prize}") for id_, prize in prizes.get(table, {}).items()],
        )
        for table in edition.wagers[wager].pays
    ]


def _wager(edition: Edition, wager: Wager) -> DesignedWagerChoice:
    why_not = why_no_design(wager)
    tables = [] if why_not else _tables(edition, wager.id)
    return DesignedWagerChoice(id=wager.id, name=wager.name, why_not=why_not, tables=tables)


def design_choices(edition: Edition, bounds: Bounds) -> DesignChoices:
    """What the page offers for an edition."""
    wagers = [_wager(edition, wager) for wager in edition.offered.values()]
    none = f"{edition.name} has no wager whose pays can be designed: what cards alone decide can be, and nothing here is"
    most = _seconds_most(bounds)
    time = number_of(bounds.seconds, "second")
    return DesignChoices(
        edition=edition.id,
        why_not="" if any(not wager.why_not for wager in wagers) else none,
        wagers=wagers,
        goals=[GoalChoice(id=goal, words=words) for goal, words in GOAL_WORDS.items() if goal in GOALS],
        casino=list(CASINO),
        seconds=min(SECONDS_USUAL, most),
        bounds=BoundsAnswer(
            seconds=bounds.seconds,
            most=DESIGNS_MOST,
            words=f"At most {DESIGNS_MOST} designs, {most:,} seconds a search and {time} in all here. The shell has no bound.",
        ),
    )


class Tells(Protocol):
    """Whoever is told how far the work is, and what it comes to."""

    def progress(self, done: int, total: int) -> None:
        """How far it is."""

    def answer(self, made: Callable[[], Answer], whole: bool, **other: Any) -> None:
        """What it comes to, and what of the question is other where not all was done."""


def _with_editions(designed: Designed) -> Answer:
    """The answer with every design as the text of an edition: `.1.toml` and on."""
    id_, count = f"{designed.edition.id}-design", min(len(each.found.pays) for each in designed.wagers)
    texts = {f".{number}.toml": designed.toml(id_, number=number) for number in range(1, count + 1)}
    return replace(designed.answer(), files=texts)


def design_asked(book: Rulebook, asked: DesignAsked, teller: Tells) -> None:
    """Search, and tell on the way: the designs first, then with the frontier."""
    wish, wagers = asked.wish(), list(dict.fromkeys(asked.wager))
    steps = len(wagers) * (1 + asked.frontier)

    def so_far(designed: Designed) -> None:
        done = designed.wagers
        teller.progress(sum(1 + len(each.frontier) for each in done), steps)
        is_part = len(done) < len(wagers) or asked.frontier
        if done and is_part and not any(each.frontier for each in done):
            only = {"wager": wagers[: len(done)], "frontier": 0, "seconds": asked.seconds_each}
            teller.answer(lambda: _with_editions(designed), whole=False, **only)

    day = date.today().isoformat()
    designed = design(book.edition, wagers, wish, asked.chosen(), day, asked.what_if, teller.progress, so_far)
    teller.answer(lambda: _with_editions(designed), whole=True, seconds=asked.seconds_each)
