"""Exercises about a round that was really dealt: what it pays, how each wager ends, and in which order it is settled.

A round that was void before all was dealt is dealt to its end with the cards that were out, and others after them.
"""

import random
from collections.abc import Callable
from dataclasses import replace

from houseway.house.dealt_wrong import AsItStood, DealtWrong
from houseway.money import dollars
from houseway.refusal import Refused, one_of
from houseway.report.example_round import ExampleTable, shoe_cards
from houseway.table import Table
from houseway.table.engine import prepared, unfolded
from houseway.table.play import settled_as
from houseway.table.state import PaidStake
from houseway.train.deals import DAY, Lesson, lesson_of
from houseway.train.exercise import Ask, Exercise, Reason
from houseway.train.kinds.order import LEAST, QUESTION, order_asked
from houseway.train.kinds.results import LOSES, OPTIONS, PART, PUSHES, WINS
from houseway.train.scenes import at_table, reasons, stake_words, table_scene

REAL = "real:"
"""How the topic of such an exercise begins; the entry that put the round right follows."""
PAY, RESULTS, ORDER = "pay", "results", "order"
USUAL = {"correct": PAY, "change-bet": PAY, "result": PAY}
"""What is asked about a round by how it was put right; else how its wagers end."""


def exercise_of_round(wrong: DealtWrong, stood: AsItStood, kind: str = "") -> Exercise:
    """The exercise about a round that had to be put right; refused where nothing can be asked about it."""
    table = stood.table if stood.is_complete else dealt_on(stood.table, wrong.seq)
    one_of("kind", kind or PAY, _MAKERS)
    return exercise_from(table, stood.bank_cents, kind or USUAL.get(wrong.how, RESULTS), wrong.seq, f"{REAL}{wrong.seq}")


def exercise_from(table: Table, bank_cents: int, kind: str, number: int, topic: str) -> Exercise:
    """An exercise about a table whose round is complete: `pay`, `results` or `order`."""
    lesson = lesson_of_table(table)
    try:
        stakes = settled_as(table, DAY, bank_cents).stakes
    except (AssertionError, KeyError):
        raise _nothing("its round is not complete") from None
    if not stakes:
        raise _nothing("nobody had bet")
    question, asks, why = _MAKERS[kind](lesson, table, stakes, number)
    scene = at_table(lesson, table_scene(lesson, table, bank_cents))
    if table.round.result:  # its cards were never keyed
        scene = replace(scene, facts=(*scene.facts, ("Result", table.round.result.replace("-", " "))))
    return Exercise(kind, number, topic, question, asks, why, scene, on_purpose=True)


def lesson_of_table(table: Table) -> Lesson:
    """The lesson of a table: its edition's content and its settings."""
    edition = prepared(table)[0]
    return lesson_of(
        table.document, tuple((name, value) for name, value in dict(table.settings).items() if name in edition.approved)
    )


def _nothing(why: str) -> Refused:
    return Refused("no-such-case", f"no exercise can be made of this round: {why}")


# What is asked

_Asked = tuple[str, tuple[Ask, ...], tuple[Reason, ...]]


def _why(lesson: Lesson, table: Table, stakes: tuple[PaidStake, ...]) -> tuple[Reason, ...]:
    """The steps of the round, each once, and what became of every stake."""
    steps = dict.fromkeys(reason for play in unfolded(table).plays.values() for reason in reasons(lesson, play.steps))
    told = []
    for stake in stakes:
        ends = f"{dollars(stake.taken_cents)} taken" if stake.taken_cents else f"{dollars(stake.won_cents)} paid"
        if stake.won_cents < stake.owed_cents:
            ends += f" of {dollars(stake.owed_cents)} due"
        words = f"{stake_words(lesson, stake)}: {lesson.outcome_name(stake.wager, stake.outcome)}: {ends}"
        told.append(Reason(words, lesson.edition.cites.get(stake.clause, stake.clause)))
    return (*steps, *told)


def _pay(lesson: Lesson, table: Table, stakes: tuple[PaidStake, ...], number: int) -> _Asked:
    asks = tuple(
        Ask(f"stake-{place}", stake_words(lesson, stake), "amount", (str(stake.won_cents),))
        for place, stake in enumerate(stakes, 1)
    )
    return "What is paid, in dollars? Nothing for what loses or pushes.", asks, _why(lesson, table, stakes)


def _results(lesson: Lesson, table: Table, stakes: tuple[PaidStake, ...], number: int) -> _Asked:
    staked = tuple(stake for stake in stakes if stake.stake_cents)
    asks = tuple(
        Ask(f"stake-{place}", stake_words(lesson, stake), "pick", (_ending(stake),), OPTIONS)
        for place, stake in enumerate(staked, 1)
    )
    return "How does each wager end?", asks, _why(lesson, table, staked)


def _ending(stake: PaidStake) -> str:
    if stake.taken_cents:
        return LOSES if stake.taken_cents == stake.stake_cents else PART
    return WINS if stake.owed_cents else PUSHES


def _order(lesson: Lesson, table: Table, stakes: tuple[PaidStake, ...], number: int) -> _Asked:
    ask, why = order_asked(lesson, stakes, f"{REAL}{number}")
    if len(ask.options) < LEAST:
        raise _nothing(f"fewer than {LEAST} seats were settled, and so there is no order to ask for")
    return QUESTION, (ask,), why


_MAKERS: dict[str, Callable[[Lesson, Table, tuple[PaidStake, ...], int], _Asked]] = {
    PAY: _pay,
    RESULTS: _results,
    ORDER: _order,
}


# A round that was void before its end


def dealt_on(table: Table, number: int) -> Table:
    """A table with the same bets, on which the same cards come first, and then others that follow from a number."""
    edition, settings, _ = prepared(table)
    spots = table.round.as_laid
    if not spots or table.bank is not None:
        raise _nothing("nobody had bet" if not spots else "players bank it, and it was void before its end")
    again, drawn = ExampleTable(edition, DAY), random.Random(f"{REAL}{number}")
    again.open(settings, table.seats, seats=table.seats)
    said = {seat: list(spot.choices) for seat, spot in spots.items()}
    with_bets = {
        str(value) for setting in edition.game.dealing.with_bet.values() for value in edition.approved.get(setting, ())
    }
    late = edition.game.dealing.late
    for seat, spot in spots.items():
        guest = again.table.seated[seat]
        for wager, cents in spot.bets.items():
            if wager not in late:
                again.at_table("bet", seat=seat, guest=guest, wager=wager, cents=cents)
        for choice in [choice for choice in spot.choices if choice in with_bets]:
            said[seat].remove(choice)
            again.at_table("decide", seat=seat, choice=choice, guest=guest)
    if table.round.dice:
        again.at_table("no-more-bets", dice=table.round.dice)
    else:
        again.close_bets(drawn)
    shoe = shoe_cards(edition, settings)
    for card in table.round.drawn:
        shoe.remove(card)
    drawn.shuffle(shoe)
    usual = edition.game.dealing.default_choice

    def decide(seat: int, allowed: tuple[str, ...]) -> str:
        said_next = said[seat].pop(0) if said.get(seat) else ""
        if said_next.partition(" ")[0] in allowed:
            return said_next
        return usual if usual in allowed else allowed[0]

    try:
        again.play_out([*shoe, *reversed(table.round.drawn)], decide)
    except (Refused, ValueError, IndexError):
        raise _nothing("it cannot be dealt to its end") from None
    return again.table
