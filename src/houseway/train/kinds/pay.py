"""What does it pay? In dollars, for every wager of a seat; and in the chips of the tray, the fewest there can be."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from math import gcd

from houseway.approval.corpus import CorpusRound
from houseway.cards import SUITS, take
from houseway.money import dollars
from houseway.refusal import Refused
from houseway.table.state import PaidStake
from houseway.table.washington import AGGREGATE_ODDS
from houseway.train.clauses import of_order
from houseway.train.deals import SIDE_AMOUNTS, DealtRound, Lesson, Rounds, Wanted, in_suits
from houseway.train.exercise import Ask, AskOption, Exercise, Reason
from houseway.train.kind import ExerciseKind, Topic
from houseway.train.kinds.results import paid_reason, stake_label
from houseway.train.scenes import deal_scene, reasons, table_scene
from houseway.train.tables import TableRound, table_round, table_with
from houseway.train.topics import ENVY, comes, has_outcome, outcome_topics

AGGREGATE, SHORT_BANK, FOR_DEALERS = "aggregate-limit", "short-bank", "for-dealers"
RAISED, SEVERAL = "raised", "several-stakes"
STAKES_MOST = 12
"""Of a table; more would be copying, not learning."""
CHIPS = "chips"
TRIES = 200
SEARCHED = 4
"""Times the largest chip: what is more than that is paid in it."""
SMALL_LIMITS = (100, 500)
"""At a table with such limits an aggregate limit may be as low as the law allows, and is reached."""
LOW_LIMIT = SMALL_LIMITS[1] * AGGREGATE_ODDS


ENVY_SHAPES, ENVY_WEIGHTS = ("one", "several", "none", "small"), (6, 3, 1, 2)
"""How many prizes of envy there are, or whether the bet is too small for them; and how often."""
OTHERS_MOST, TRIES_ENVIED = 4, 20
ABOVE_SHARE, TRIES_SHARED = 0.7, 40
"""How often the wins of a table with a limit are above it, and how many tables are tried for several winners."""


def make(lesson: Lesson, number: int, topic: str) -> Exercise:
    """What every wager of a seat wins, and the prizes of envy; at a whole table where a limit or a bank decides it."""
    drawn = random.Random(f"pay {lesson.edition.id} {number}")
    chosen = topic or drawn.choice([each.id for each in topics(lesson)])
    if chosen == SHORT_BANK:
        return _short_bank(lesson, number)
    if chosen.startswith(AGGREGATE):
        return _aggregate(lesson, number, chosen.partition(":")[2])
    if chosen == FOR_DEALERS:
        return _for_dealers(lesson, number)
    wager, _, outcome = chosen.partition(":")
    if outcome == ENVY and (envied := _envied(lesson, number, wager)):
        return _of_deal(lesson, number, chosen, envied, looked_for=True)
    deal, looked_for = lesson.deal(number, _STAKED.get(chosen) or has_outcome(wager, outcome))
    return _of_deal(lesson, number, chosen, deal, looked_for)


def _of_deal(lesson: Lesson, number: int, topic: str, deal: DealtRound, looked_for: bool) -> Exercise:
    """All payments of one player's round; prizes of envy in one line, which is there when none is won as well."""
    payments = deal.settlement.payments
    asks = tuple(
        Ask(
            f"stake-{place}",
            _label(lesson, payment.wager, payment.spot, payment.stake_cents),
            "amount",
            (str(max(payment.win_cents, 0)),),
        )
        for place, payment in enumerate(payments, 1)
        if payment.stake_cents
    )
    with_envy = [wager for wager in deal.bets if any(lesson.edition.wagers[wager].envy_cents.values())]
    for wager in with_envy:
        won = sum(payment.win_cents for payment in payments if payment.wager == wager and not payment.stake_cents)
        asks += (Ask(f"envy-{wager}", f"{lesson.wager_name(wager)}: all envy prizes", "amount", (str(won),)),)
    told = [paid_reason(lesson, payment) for payment in payments]
    why = (*reasons(lesson, deal.play.steps), *told, *(_why_envy(lesson, deal, wager) for wager in with_envy))
    question = "What do you pay, in dollars? Nothing for what loses or pushes."
    return Exercise("pay", number, topic, question, asks, why, deal_scene(lesson, deal), looked_for)


def _why_envy(lesson: Lesson, deal: DealtRound, wager: str) -> Reason:
    least, name = lesson.edition.wagers[wager].envy_min_bet_cents, lesson.wager_name(wager)
    words = f"A bet of {dollars(least)} or more on {name} wins a fixed prize for every other player's hand that has one."
    if deal.bets[wager] < least:
        words = f"Envy needs a bet of {dollars(least)} on {name}: {dollars(deal.bets[wager])} wins none, whatever others hold."
    return Reason(words, lesson.edition.game.wagers[wager].clause)


@lru_cache(maxsize=64)
def _enviable(lesson: Lesson, wager: str) -> dict[str, tuple[tuple[int, ...], ...]]:
    """Hands that win others a prize, by what they are: own hands of pinned rounds."""
    found: dict[str, list[tuple[int, ...]]] = {}
    for deal in lesson.pinned.each():
        for payment in deal.settlement.payments:
            is_own = payment.wager == wager and payment.stake_cents
            if is_own and lesson.edition.envy_cents(wager, payment.outcome, lesson.settings):
                found.setdefault(payment.outcome, []).append(lesson.own_cards(deal))
    return {outcome: tuple(dict.fromkeys(hands)) for outcome, hands in sorted(found.items())}


def _envied(lesson: Lesson, number: int, wager: str) -> DealtRound | None:
    """A round beside others' hands that win prizes: one or more, at times none, and at times with too small a bet."""
    pool, drawn = _enviable(lesson, wager), random.Random(f"envy {lesson.edition.id} {number}")
    terms = lesson.edition.wagers[wager]
    amounts = [cents for cents in SIDE_AMOUNTS if terms.limits.min_cents <= cents <= terms.limits.max_cents]
    few, enough = ([c for c in amounts if (c >= terms.envy_min_bet_cents) == is_enough] for is_enough in (False, True))
    if not pool or not enough:
        return None
    shape = drawn.choices(ENVY_SHAPES, ENVY_WEIGHTS)[0]
    prizes = {"none": 0, "several": drawn.choice((2, 2, 3))}.get(shape, 1)
    bet = drawn.choice(few if few and shape == "small" else enough)
    for trial in range(TRIES):
        if trial % TRIES_ENVIED == 0:  # each as often as the others, though some fit less often beside a round
            held = [drawn.choice(list(pool)) for _ in range(prizes)]
        deal, _ = lesson.deal(number * TRIES + trial, lambda deal: wager in deal.bets)
        more = drawn.randint(not held, OTHERS_MOST - len(held))
        others = _hands_beside(lesson, deal, [drawn.choice(pool[outcome]) for outcome in held], drawn, more)
        bets = {**deal.bets, wager: bet}
        envied = others and lesson.settled(CorpusRound(0, deal.cards, deal.choices, bets, others))
        if envied and sum(not payment.stake_cents for payment in envied.settlement.payments) == (
            0 if bet < terms.envy_min_bet_cents else prizes
        ):
            return envied
    return None


def _hands_beside(
    lesson: Lesson, deal: DealtRound, hands: list[tuple[int, ...]], drawn: random.Random, more: int
) -> tuple[tuple[int, ...], ...]:
    """These hands, each in suits by chance, and so many more, in any order; none where a card would be there twice."""
    all_suits = range(len(SUITS))
    prized = [in_suits(drawn.sample(all_suits, len(SUITS)), hand) for hand in hands]
    try:
        left = take(lesson.edition.game.shoe(lesson.settings), [*deal.cards, *(card for hand in prized for card in hand)])
    except Refused:
        return ()
    rest = [card for card, copies in enumerate(left) for _ in range(copies)]
    drawn.shuffle(rest)
    size = len(lesson.own_cards(deal))
    plain = [tuple(rest.pop() for _ in range(size)) for _ in range(more)]
    return tuple(drawn.sample([*prized, *plain], len(prized) + more))


def _is_raised(deal: DealtRound) -> bool:
    """Whether a stake is larger than the bet that it began with."""
    return any(p.stake_cents > deal.bets.get(p.wager, p.stake_cents) for p in deal.settlement.payments)


def _has_several(deal: DealtRound) -> bool:
    """Whether one wager has come to several stakes."""
    staked = Counter(payment.wager for payment in deal.settlement.payments if payment.stake_cents)
    return any(times > 1 for times in staked.values())


_STAKED: dict[str, Wanted] = {RAISED: _is_raised, SEVERAL: _has_several}


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
        outcome = lesson.outcome_name(stake.wager, stake.outcome)
        ends = f"{dollars(stake.won_cents)} paid" if stake.won_cents or stake.owed_cents > 0 else "left"
        if stake.won_cents < stake.owed_cents:
            ends += f" of {dollars(stake.owed_cents)} due"
        if stake.taken_cents:
            ends = f"{dollars(stake.taken_cents)} taken"
        told.append(Reason(f"{name}: {outcome}: {ends}", stake.clause))
    return tuple(told)


def _table_with(lesson: Lesson, number: int, what: str, is_wanted: Callable[[TableRound], bool]) -> TableRound:
    """A table that is not too large to settle by hand, at which something is as it is wanted."""
    for trial in range(TRIES):
        played = table_round(lesson, number * TRIES + trial)
        if len(played.stakes) <= STAKES_MOST and is_wanted(played):
            return played
    raise Refused("no-such-case", f"{lesson.edition.name}: no table came with {what}")


def _is_short(played: TableRound) -> bool:
    """Whether a bank did not cover all: of what it owed, or before the cards of what was laid."""
    round_ = played.table.round
    laid = {seat: dict(spot.bets) for seat, spot in round_.as_laid.items()}
    return any(stake.won_cents < stake.owed_cents for stake in played.stakes) or laid != {
        seat: dict(spot.bets) for seat, spot in round_.spots.items()
    }


def _short_bank(lesson: Lesson, number: int) -> Exercise:
    """A player's bank that does not cover all that it owes."""
    played = _table_with(lesson, number, "a bank that does not cover all", _is_short)
    words = f"The bank has put up {dollars(played.bank_cents)}, and never risks more; it pays in the order of action."
    return _of_table(lesson, number, SHORT_BANK, played, (Reason(words), *of_order(lesson)))


def _for_dealers(lesson: Lesson, number: int) -> Exercise:
    """A bet that a guest made for the dealers, beside his own."""
    played = _table_with(lesson, number, "a bet for the dealers", lambda p: any(stake.for_dealer for stake in p.stakes))
    words = "A bet for the dealers lies beside the guest's own and is paid like it; its win is the dealers'."
    clause = lesson.edition.game.dealing.dealer_bets.clause
    return _of_table(lesson, number, FOR_DEALERS, played, (Reason(words, clause),))


def _aggregate(lesson: Lesson, number: int, wager: str) -> Exercise:
    """Wins above an aggregate limit, which the winners share; at times below it, where nothing is cut."""
    drawn = random.Random(f"aggregate {lesson.edition.id} {number} {wager}")
    is_above = drawn.random() < ABOVE_SHARE
    played, many = None, 2 if is_above else 1
    for trial in range(TRIES_SHARED):
        other = _limited(lesson, number * TRIES_SHARED + trial, wager, is_above, drawn)
        won = [stake.won_cents for stake in other.stakes if stake.wager == wager and stake.won_cents] if other else []
        if (sum(won) == LOW_LIMIT) == is_above and len(won) >= many and other and len(other.stakes) <= STAKES_MOST:
            played = other
            break
    played = played or _limited(lesson, number, wager, True, drawn)
    if played is None:
        raise Refused("no-such-case", f"{lesson.edition.name}: no table came with wins above a limit")
    words = (
        f"One deal pays {dollars(LOW_LIMIT)} on {lesson.wager_name(wager)} at most; winners above it share it by what they won."
    )
    return _of_table(lesson, number, f"{AGGREGATE}:{wager}", played, (Reason(words, "WAC 230-15-490"),))


def _limited(lesson: Lesson, number: int, wager: str, is_above: bool, drawn: random.Random) -> TableRound | None:
    """A table with a limit as low as the law allows, at which one seat wins much or something, and others perhaps too."""
    least, most = SMALL_LIMITS
    deal, _ = lesson.deal(number, lambda deal: _wins_above(deal, wager) if is_above else _wins(deal, wager))
    hands = [drawn.choice(pool) for _ in range(drawn.randint(1, 2)) if (pool := _winners(lesson, wager))]
    others = _hands_beside(lesson, replace(deal, others=()), hands, drawn, more=0) if hands and hands[0] else ()
    needed, maker = next(iter(deal.bets)), Rounds(lesson, number)
    amounts = list(range(least, most + 1, least))
    beside = tuple({needed: maker.amount(needed), wager: drawn.choice(amounts)} for _ in others or hands)
    bets = {**deal.bets, wager: drawn.choice(amounts)}
    try:
        return table_with(
            lesson, number, replace(deal, bets=bets, others=others), ((wager, least, most),), ((wager, LOW_LIMIT),), beside
        )
    except Refused:  # bets that may not lie beside one another
        return None


@lru_cache(maxsize=64)
def _winners(lesson: Lesson, wager: str) -> tuple[tuple[int, ...], ...]:
    """Hands that won on a wager in pinned rounds; empty ones where all bet on the same hands."""
    return tuple(dict.fromkeys(lesson.own_cards(deal) for deal in lesson.pinned.each() if _wins(deal, wager)))


def _wins(deal: DealtRound, wager: str) -> bool:
    return any(p.wager == wager and p.stake_cents and p.win_cents > 0 for p in deal.settlement.payments)


def _wins_above(deal: DealtRound, wager: str) -> bool:
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
    staked = ((RAISED, "A stake that was raised"), (SEVERAL, "Several stakes on one wager"))
    found += [Topic(id_, words) for id_, words in staked if comes(lesson, _STAKED[id_])]
    bets = edition.game.dealing.dealer_bets
    if bets.setting and lesson.settings.get(bets.setting) == bets.allowed and lesson.settings.get(bets.wins) == "dealers":
        found.append(Topic(FOR_DEALERS, "Bets for the dealers"))
    if edition.banked_by == "player":
        return (*found, Topic(SHORT_BANK, "A bank that does not cover all"))
    tops = {
        w: max(edition.pay(w, o.id, lesson.settings).net for o in edition.possible(w, lesson.settings)) for w in edition.wagers
    }
    high = [w for w, top in tops.items() if top > AGGREGATE_ODDS and edition.wagers[w].limits.min_cents <= SMALL_LIMITS[0]]
    return (*found, *(Topic(f"{AGGREGATE}:{w}", f"{lesson.wager_name(w)}: an aggregate limit") for w in high))


KIND = ExerciseKind("pay", "What does it pay?", "What every wager is paid, in dollars", make, topics)


def make_chips(lesson: Lesson, number: int, topic: str) -> Exercise:
    """A win in chips: the fewest that come to it."""
    for trial in range(TRIES):
        deal, _ = lesson.deal(number * TRIES + trial)
        wins = [p for p in deal.settlement.payments if p.win_cents > 0 and fewest(lesson.chips, p.win_cents)]
        if wins:
            payment = max(wins, key=lambda payment: payment.win_cents)
            ways = fewest(lesson.chips, payment.win_cents)
            right = tuple(" ".join(f"{_value(value)}x{way[value]}" for value in lesson.chips if value in way) for way in ways)
            ask = Ask("chips", f"Chips for {dollars(payment.win_cents)}", "pieces", right, _chip_options(lesson))
            why = (paid_reason(lesson, payment), Reason(f"The fewest chips: {ask.said(right[0])}."))
            question = f"{stake_label(lesson, payment)} wins {dollars(payment.win_cents)}. Pay it with the fewest chips."
            return Exercise("chips", number, CHIPS, question, (ask,), why, deal_scene(lesson, deal))
    raise Refused("no-such-case", f"{lesson.edition.name}: nobody wins anything that the tray's chips come to")


@lru_cache(maxsize=4096)
def fewest(chips: tuple[int, ...], cents: int) -> tuple[dict[int, int], ...]:
    """All ways to pay an amount with as few chips as can be, the largest chips first; none where they do not come to it."""
    largest = chips[0]
    many = max(cents - SEARCHED * largest, 0) // largest  # so much is surely paid in the largest
    left = cents - many * largest
    least: dict[int, int] = {0: 0}
    unit = gcd(*chips)
    for amount in range(unit, left + 1, unit):
        before = [least[amount - chip] for chip in chips if amount - chip in least]
        if before:
            least[amount] = min(before) + 1
    found: list[dict[int, int]] = []

    def pay(amount: int, place: int, paid: dict[int, int]) -> None:
        if amount == 0:
            found.append(paid)
        elif place < len(chips):
            chip = chips[place]
            for count in range(amount // chip, -1, -1):
                if least.get(amount - count * chip, left) + sum(paid.values()) + count == least[left]:
                    pay(amount - count * chip, place + 1, {**paid, chip: count} if count else paid)

    if left in least:
        pay(left, 0, {})
    return tuple({**way, largest: way.get(largest, 0) + many} if many else way for way in found)


def _value(cents: int) -> str:
    return dollars(cents).removeprefix("$").replace(",", "").removesuffix(".00")


def _chip_options(lesson: Lesson) -> tuple[AskOption, ...]:
    return tuple(AskOption(_value(cents), dollars(cents)) for cents in lesson.chips)


CHIPS_KIND = ExerciseKind(
    CHIPS, "Pay it in chips", "A win in the fewest chips of the tray", make_chips, lambda lesson: (Topic(CHIPS, "Chips"),)
)
