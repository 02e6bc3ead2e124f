"""Odds for the day's alerts come from a process of their own: the same as in reports, each asked for once."""

import pytest

from houseway.day.lines import BoundBook
from houseway.games import open_edition
from houseway.report.day_odds import day_odds
from houseway.table.bound import as_text
from houseway.web import day_odds as apart


def bound() -> BoundBook:
    edition = open_edition("ez-baccarat-wa")
    return BoundBook(edition.id, as_text(edition.document), dict(edition.settings()), ())


def test_they_are_those_of_the_reports_and_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    odds, here = apart.DayOdds(), day_odds()
    assert odds(bound(), "no-such-wager") is None
    told, known = odds(bound(), "dragon-7"), here(bound(), "dragon-7")
    assert told and known and (told.edge, told.wins, told.player, told.how) == (known.edge, known.wins, known.player, known.how)
    assert float(told.variance) == float(known.variance)
    monkeypatch.setattr(apart, "worked_out", lambda *_: pytest.fail("they are known"))
    assert odds(bound(), "dragon-7")
