"""What does it pay? In dollars, for every wager of a seat; and in the chips of the tray, the fewest there can be."""

import random
from functools import lru_cache

from houseway.money import dollars
from houseway.table.pieces import pick
from houseway.table.state import PaidStake
from houseway.table.washington import AGGREGATE_ODDS
from houseway.train.deals import Deal, Lesson
from houseway.train.exercise import Ask, Exercise, Option, Reason
from houseway.train.kind import Kind, Topic
from houseway.train.kinds.results import paid_reason, stake_label
from houseway.train.scenes import deal_scene, reasons, table_scene
from houseway.train.tables import TableRound, table_round, table_with
from houseway.train.topics import ENVY, has_outcome, outcome_topics

AGGREGATE, SHORT_BANK = "aggregate-limit", "short-bank"
CHIPS = "chips"
TRIES = 200
MANY = 1_000_000
SMALL_LIMITS = (100, 500)
"""At a table with such limits an aggregate limit may be as low as the law allows, and is reached."""


def make(lesson: Lesson, number: int, topic: str) -> Exercise:
    """What every wager of a seat wins, and the prizes of envy; at a whole table where a limit or a bank decides it."""
    drawn = random.Random(f"pay {lesson.edition.id} {number}")
    chosen = topic or drawn.choice([each.id for each in topics(lesson)])
    if chosen == SHORT_BANK:
        return _short_bank(lesson, number)
    if chosen.startswith(AGGREGATE):
        return _aggregate(lesson, number, chosen.partition(":")[2])
    wager, _, outcome = chosen.partition(":")
    deal, looked_for = lesson.deal(number, has_outcome(wager, outcome))
    asks = tuple(
        Ask(
            f"stake-{place}",
            _label(lesson, payment.wager, payment.spot, payment.stake_cents),
            "amount",
            (str(max(payment.win_cents, 0)),),
        )
        for place, payment in enumerate(deal.settlement.payments, 1)
    )
    why = (*reasons(lesson, deal.play.steps), *(paid_reason(lesson, payment) for payment in deal.settlement.payments))
    question = "What do you pay, in dollars? Nothing for what loses or pushes."
    return Exercise("pay", number, chosen, question, asks, why, deal_scene(lesson, deal), looked_for)


def _label(lesson: Lesson, wager: str, spot: str, stake_cents: int) -> str:
    name = ", ".join(filter(None, (lesson.wager_name(wager), spot)))
    return f"{name}, {dollars(stake_cents)} bet" if stake_cents else name


def _of_table(lesson: Lesson, number: int, topic: str, played: TableRound, why: tuple[Reason, ...]) -> Exercise:
    """All payments of a table, in their order."""
    seat_word = lesson.edition.game.face.seat_word
    asks = tuple(
        Ask(
            f"stake-{place}",
            f"{seat_word} {stake.seat}: {_label(lesson, stake.wager, stake.spot, stake.stake_cents)}",
            "amount",
            (str(stake.won_cents),),
        )
        for place, stake in enumerate(played.stakes, 1)
    )
    question = "What is paid, in dollars, in this order? Nothing for what loses or pushes."
    scene = table_scene(lesson, played.table, played.bank_cents)
    return Exercise("pay", number, topic, question, asks, (*why, *_paid(lesson, played.stakes)), scene, on_purpose=True)


def _paid(lesson: Lesson, stakes: tuple[PaidStake, ...]) -> tuple[Reason, ...]:
    seat_word, told = lesson.edition.game.face.seat_word, []
    for stake in stakes:
        name = f"{seat_word} {stake.seat}: {_label(lesson, stake.wager, stake.spot, stake.stake_cents)}"
        outcome, ends = lesson.outcome_name(stake.wager, stake.outcome), f"{dollars(stake.won_cents)} paid"
        if stake.won_cents < stake.owed_cents:
            ends += f" of {dollars(stake.owed_cents)} due"
        if stake.taken_cents:
            ends = f"{dollars(stake.taken_cents)} taken"
        told.append(Reason(f"{name}: {outcome}: {ends}", stake.clause))
    return tuple(told)


def _short_bank(lesson: Lesson, number: int) -> Exercise:
    """A player's bank that does not cover all that it owes."""
    for trial in range(TRIES):
        played = table_round(lesson, number * TRIES + trial)
        if any(stake.won_cents < stake.owed_cents for stake in played.stakes):
            words = f"The bank has put up {dollars(played.bank_cents)}, and never risks more; it pays in the order of action."
            return _of_table(lesson, number, SHORT_BANK, played, (Reason(words, _bank_clause(lesson)),))
    raise AssertionError(f"no bank of {lesson.edition.id} ran short")


def _bank_clause(lesson: Lesson) -> str:
    """The clause that says what a bank covers, as the edition's reading of it names it."""
    return next((reading.where for id_, reading in lesson.edition.readings.items() if id_ == "R12b"), "")


def _aggregate(lesson: Lesson, number: int, wager: str) -> Exercise:
    """Wins above an aggregate limit: the winners share it."""
    least, most = SMALL_LIMITS
    limit = most * AGGREGATE_ODDS
    deal, _ = lesson.deal(number, lambda deal: _wins_above(deal, wager))
    bets = {name: min(cents, most) if name == wager else cents for name, cents in deal.bets.items()} | {wager: most}
    deal = Deal(deal.cards, deal.choices, bets, deal.others, deal.play, deal.settlement)
    played = table_with(lesson, number, deal, ((wager, least, most),), ((wager, limit),))
    words = f"One deal pays {dollars(limit)} on {lesson.wager_name(wager)} at most; winners above it share it by what they won."
    return _of_table(lesson, number, f"{AGGREGATE}:{wager}", played, (Reason(words, "WAC 230-15-490"),))


def _wins_above(deal: Deal, wager: str) -> bool:
    return any(
        p.wager == wager and p.stake_cents and p.win_cents > AGGREGATE_ODDS * p.stake_cents for p in deal.settlement.payments
    )


@lru_cache(maxsize=64)
def topics(lesson: Lesson) -> tuple[Topic, ...]:
    """Every row that pays, envy, limits of what one deal pays, and a bank that runs out."""
    edition, found = lesson.edition, []
    for topic in outcome_topics(lesson, edition.wagers):
        wager, _, outcome = topic.id.partition(":")
        if edition.pay(wager, outcome, lesson.settings).net > 0:
            found.append(topic)
    found += [Topic(f"{w}:{ENVY}", f"{lesson.wager_name(w)}: envy") for w, terms in edition.wagers.items() if terms.envy_cents]
    if edition.banked_by == "player":
        return (*found, Topic(SHORT_BANK, "A bank that does not cover all"))
    tops = {
        w: max(edition.pay(w, o.id, lesson.settings).net for o in edition.possible(w, lesson.settings)) for w in edition.wagers
    }
    high = [w for w, top in tops.items() if top > AGGREGATE_ODDS and edition.wagers[w].limits.min_cents <= SMALL_LIMITS[0]]
    return (*found, *(Topic(f"{AGGREGATE}:{w}", f"{lesson.wager_name(w)}: an aggregate limit") for w in high))


KIND = Kind("pay", "What does it pay?", "What every wager is paid, in dollars", make, topics)


def make_chips(lesson: Lesson, number: int, topic: str) -> Exercise:
    """A win in chips: the fewest that come to it."""
    for trial in range(TRIES):
        deal, _ = lesson.deal(number * TRIES + trial)
        wins = [p for p in deal.settlement.payments if p.win_cents > 0 and _in_chips(lesson, p.win_cents) is not None]
        if wins:
            payment = max(wins, key=lambda payment: payment.win_cents)
            chips = _in_chips(lesson, payment.win_cents)
            assert chips is not None
            right = " ".join(f"{_value(value)}x{chips[value]}" for value in lesson.chips if chips.get(value))
            ask = Ask("chips", f"Chips for {dollars(payment.win_cents)}", "pieces", (right,), _chip_options(lesson))
            why = (paid_reason(lesson, payment), Reason(f"The largest chips first: {ask.said(right)}."))
            question = f"{stake_label(lesson, payment)} wins {dollars(payment.win_cents)}. Pay it with the fewest chips."
            return Exercise("chips", number, CHIPS, question, (ask,), why, deal_scene(lesson, deal))
    raise AssertionError(f"nobody wins at {lesson.edition.id}")


def _in_chips(lesson: Lesson, cents: int) -> dict[int, int] | None:
    return pick(dict.fromkeys(lesson.chips, MANY), cents, lesson.chips, 0)


def _value(cents: int) -> str:
    return dollars(cents).removeprefix("$").replace(",", "").removesuffix(".00")


def _chip_options(lesson: Lesson) -> tuple[Option, ...]:
    return tuple(Option(_value(cents), dollars(cents)) for cents in lesson.chips)


CHIPS_KIND = Kind(
    CHIPS, "Pay it in chips", "A win in the fewest chips of the tray", make_chips, lambda lesson: (Topic(CHIPS, "Chips"),)
)
