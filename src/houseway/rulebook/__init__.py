"""The vocabulary of a rulebook; no game in it."""

from houseway.rulebook.clause import Clause, Source, read_clauses
from houseway.rulebook.edition import Approval, Edition, Limits, Reading, WagerTerms, load_edition
from houseway.rulebook.game import Game, Outcome, Play, Request, Result, Step, Switch, Tally, Wager
from houseway.rulebook.pay import LOSE, PUSH, Pay
from houseway.rulebook.settings import Settings

__all__ = [
    "LOSE",
    "PUSH",
    "Approval",
    "Clause",
    "Edition",
    "Game",
    "Limits",
    "Outcome",
    "Pay",
    "Play",
    "Reading",
    "Request",
    "Result",
    "Settings",
    "Source",
    "Step",
    "Switch",
    "Tally",
    "Wager",
    "WagerTerms",
    "load_edition",
    "read_clauses",
]
