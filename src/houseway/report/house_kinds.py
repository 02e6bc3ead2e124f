"""Reports of a house: what they are taken from its journal as, how they are built, and how they are held against the store.

What is taken is plain data and stands in the document, so that whoever has the paper works it out again without the house.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from houseway.refusal import Refused, one_of
from houseway.report.paper import PAPERS, Paper
from houseway.solve.shell import Option

if TYPE_CHECKING:  # the shell lists the kinds whenever it starts
    from houseway.house.keys import Keyring
    from houseway.house.store import Store
    from houseway.report.asked_house import AskedOfHouse
    from houseway.report.document import Document

Json = dict[str, Any]


@dataclass(frozen=True)
class HouseSource:
    """Where a report is taken from: the store, and the house's keys, if they are at hand."""

    store: "Store"
    keys: "Keyring | None" = None


@dataclass(frozen=True)
class Checked:
    """What a check found: what does not hold, and what is only to be known, such as what could not be checked."""

    findings: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class HouseKind:
    """A kind of report of a house: the options that it is asked with, of which `argument` comes first in the shell.

    `take` gets what it is made from out of the store, `build` makes it. `alone` is what follows from what was taken, without
    any house, and `against` compares that with the store. `sees` is the part of the house that somebody must see who asks for
    it. One that `takes_long` is taken apart from the tables as well, without any key.
    """

    name: str
    about: str
    take: Callable[[HouseSource, Mapping[str, str]], Json]
    build: "Callable[[AskedOfHouse], Document]"
    alone: Callable[[Json], Checked]
    against: Callable[[HouseSource, Json, Mapping[str, str]], Checked]
    options: tuple[Option, ...] = ()
    argument: str = ""
    papers: tuple[str, ...] = ("a4", "letter")
    sees: str = "journal"
    takes_long: bool = False

    def paper(self, name: str) -> Paper:
        """The paper of this name, or the usual one."""
        return PAPERS[one_of("paper", name or self.papers[0], self.papers)]

    def chosen(self, given: Mapping[str, object]) -> dict[str, str]:
        """The options with their values, by the names that they have in the shell."""
        values = {option.name: option.default for option in self.options}
        for name, value in given.items():
            values[one_of("option", name.replace("_", "-"), values)] = str(value).strip()
        if self.argument and not values[self.argument]:
            raise Refused("bad-option", f"a report of a {self.argument} needs its number")
        return values


def _later(module: str, name: str) -> Callable[..., Any]:
    """A function of a module of this room, imported when it is first called."""

    def call(*given: Any) -> Any:
        from importlib import import_module

        return getattr(import_module(f"houseway.report.{module}"), name)(*given)

    return call


def _kind(
    module: str, name: str, about: str, options: tuple[Option, ...], argument: str = "", sees: str = "journal"
) -> HouseKind:
    take, build, alone, against = (_later(module, each) for each in ("take", "build", "alone", "against"))
    return HouseKind(name, about, take, build, alone, against, options, argument, sees=sees)


DAY = (Option("day", "the gaming day; without it the newest of the journal", "YYYY-MM-DD"),)


def _day_kind(name: str, about: str) -> HouseKind:
    """A report of a gaming day: all of them are made from its books."""
    take, build, alone, against = (partial(_later("house_day", each), name) for each in ("take", "build", "alone", "against"))
    return HouseKind(name, about, take, build, alone, against, DAY, sees="books", takes_long=True)


HOUSE_KINDS = {
    kind.name: kind
    for kind in (
        _kind(
            "house_round",
            "round",
            "A round with its proof: cards, bets, steps with clauses, payments, corrections, chain and shoe.",
            (
                Option("round", "the entry of the journal that ended it, as in /rounds/N; with --table, its number there", "N"),
                Option("table", "the table, where N is the number of one of its rounds", "TABLE"),
            ),
            "round",
        ),
        _kind(
            "house_slip",
            "slip",
            "A slip in three copies: its pieces, who signed what and when, and VOID if it is void.",
            (Option("slip", "the slip, such as fill-12", "SLIP"),),
            "slip",
        ),
        _kind(
            "house_audit",
            "audit",
            "A period of the house: chain, heads, checks, findings, standing of every edition, who had duties.",
            (
                Option("from", "the first gaming day", "YYYY-MM-DD"),
                Option("to", "the last gaming day", "YYYY-MM-DD"),
                Option("day", "one gaming day", "YYYY-MM-DD"),
            ),
        ),
        _kind(
            "house_certificate",
            "certificate",
            "A certificate of the school, signed by the house: who passed which course, on what, when and how well.",
            (Option("certificate", "its number, as `houseway train exam results` lists it", "N"),),
            "certificate",
            sees="training",
        ),
        _day_kind(
            "master-game", "Every table of a day and its shifts: opener to closer, win, hold, and the win to be expected."
        ),
        _day_kind("table-shift", "Each table shift by shift: its money, rounds, hands, voids and corrections."),
        _day_kind("take-up", "Each wager of a day: bets, its share of hands, handle, what it won, and was expected to."),
        _day_kind("dealers", "Who dealt what on a day: rounds, hands an hour by game, and what had to be put right."),
        _day_kind("guests", "Guests of a day as they really played: average bet, time, theoretical win, comps."),
        _day_kind("cash", "The cash of a day by guest, in and out apart, and the cage."),
        _day_kind("slips", "Openers, fills, credits, drops, counts and closers of a day, with who signed."),
        _day_kind("exceptions", "What to look at on a day: differences, holds outside their range, voids, corrections."),
        _day_kind("day", "All of a gaming day, as a regulator may ask for it."),
    )
}

DAY_KINDS = frozenset(name for name, kind in HOUSE_KINDS.items() if kind.sees == "books")
"""Reports of a gaming day, made from its books."""


def house_kind(name: str) -> HouseKind:
    """The kind of this name."""
    return HOUSE_KINDS[one_of("report of a house", name, HOUSE_KINDS)]
