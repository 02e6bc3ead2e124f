"""Worked examples: rounds dealt with a fixed seed, and for endings too rare for that rounds of the approval's corpus.

All are settled by the rulebook itself, step by step.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from houseway.approval.corpus import Corpus, CorpusRound, corpus_file
from houseway.cards import show_cards
from houseway.refusal import Refused
from houseway.report.asked import AskedReport
from houseway.report.decider import Decider, best_decider
from houseway.report.document import Block, Cards, Cite, Column, DataTable, DealtHand, Listing, Panel, Panels, Paragraph, Text
from houseway.report.figures import money
from houseway.report.parts import offered
from houseway.rulebook.game import COMMON, DEALER, Game, MissingCard, MissingChoice, Play, Request, Wager
from houseway.rulebook.settle import Settlement, settle
from houseway.rulebook.words import sentence

SEED = 14
"""Of the shuffles, and of choices where nobody knows the best one."""
MOST_DEALS, MOST_OF_CORPUS = 400, 6000
OTHERS = 5
_MAIN_CENTS, _SIDE_CENTS = 2_500, 500
_PLAIN = (-1, 0, 1)
_ENDINGS = {"wins": 1, "loses": -1, "pushes": 0}


@dataclass(frozen=True)
class WorkedExample:
    """A round that ended as was wanted."""

    wager: Wager
    ending: str
    source: str
    tape: tuple[int, ...]
    choices: tuple[str, ...]
    play: Play
    settlement: Settlement
    others: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class _Wanted:
    """An ending that is looked for: of which wager, with which bets; one of these outcomes, or a choice made on the way.

    `seen` are the cards of rounds that are shown already.
    """

    wager: Wager
    ending: str
    bets: Mapping[str, int]
    outcomes: tuple[str, ...] = ()
    choice: str = ""
    seen: frozenset[tuple[int, ...]] = frozenset()

    def is_met(self, settlement: Settlement, choices: tuple[str, ...]) -> bool:
        own = [payment for payment in settlement.payments if payment.wager == self.wager.id]
        if self.ending == "envy":
            return any(not payment.stake_cents for payment in own)
        if self.choice:
            return self.choice in choices
        if self.outcomes:
            return any(payment.stake_cents and payment.outcome in self.outcomes for payment in own)
        signs = {(payment.win_cents > 0) - (payment.win_cents < 0) for payment in own if payment.stake_cents}
        return signs == {_ENDINGS[self.ending]}


def worked_examples(asked: AskedReport) -> list[Block]:
    """A win, a loss and a push of the first wager, a win of every other one, an envy prize where there are any.

    And, where they come, what the first wager pays apart, a large win of the others, and every choice that is not shown yet.
    """
    decider = best_decider(asked)
    wanted = list(_wanted(asked))
    found = found_examples(asked, wanted, decider)
    for look_for in (_paid_apart, _choices_not_shown):
        more = list(look_for(asked, wanted, found))
        came = found_examples(asked, more, decider)
        found |= {len(wanted) + line: came[place] for line, place in enumerate(sorted(came))}
        wanted += [more[place] for place in sorted(came)]
    late = any(each.wager.id in asked.edition.game.dealing.late for each in wanted)
    taken = "; what is offered in mid-round is bet on only where the example is of it" if late else ""
    blocks: list[Block] = [
        Paragraph(
            f"Rounds are dealt from shuffles with the seed {SEED} until each ending has come; {decider.words}{taken}. "
            "What is too rare comes from the rounds on which the approval's behaviour is pinned. "
            "Each is settled by the rules that pay at a table, with the clause of every step.",
            "note",
        )
    ]
    for place, each in enumerate(wanted):
        if example := found.get(place):
            blocks += _shown(asked, place, example)
        else:
            nowhere = f"none came in {MOST_DEALS:,} deals, and no pinned round ends so"
            blocks.append(Paragraph(f"{_title(each.wager, each.ending)}: {nowhere}.", "note"))
    return blocks


def _paid_apart(asked: AskedReport, wanted: list[_Wanted], found: Mapping[int, WorkedExample]) -> Iterator[_Wanted]:
    """What the first wager pays otherwise than a plain win, loss or push; of others a win of the upper half of their pays."""
    late = asked.edition.game.dealing.late
    bettable = [wager for wager in offered(asked).values() if not wager.follows]
    for place, wager in enumerate(bettable):
        nets = {each.id: asked.edition.pay(wager.id, each.id, asked.settings).net for each in wager.outcomes}
        names = {each.id: each.name for each in wager.outcomes}
        bets, seen = _bets(asked, wager), _seen(found)
        if wager.id in late:
            yield _Wanted(wager, "wins", bets)
        elif place == 0 and not wager.rides:
            for id_, net in nets.items():
                if net not in _PLAIN and list(nets.values()).count(net) == 1:
                    yield _Wanted(wager, f": {names[id_]}", bets, (id_,), seen=seen)
        elif place and len(wins := sorted({net for net in nets.values() if net > 0})) > 1:
            large = tuple(id_ for id_, net in nets.items() if net >= wins[len(wins) // 2])
            yield _Wanted(wager, "wins more", bets, large, seen=seen)


def _seen(found: Mapping[int, WorkedExample]) -> frozenset[tuple[int, ...]]:
    return frozenset(each.tape for each in found.values())


def _choices_not_shown(asked: AskedReport, wanted: list[_Wanted], found: Mapping[int, WorkedExample]) -> Iterator[_Wanted]:
    """Every choice that the game declares and no example has; one that raises a bet has its own unless the first two show it.

    Wagers that are placed like a choice have theirs.
    """
    dealing = asked.edition.game.dealing
    shown = {
        choice for place, each in found.items() for choice in each.choices if place in (0, 1) or choice not in dealing.raises
    }
    for name, face in asked.edition.game.face.choices.items():
        if name not in shown and name not in dealing.late:
            yield _Wanted(wanted[0].wager, f": {face.words}", wanted[0].bets, choice=name, seen=_seen(found))


def _wanted(asked: AskedReport) -> Iterator[_Wanted]:
    late = asked.edition.game.dealing.late
    bettable = [wager for wager in offered(asked).values() if not wager.follows]
    for place, wager in enumerate(bettable):
        pays = {asked.edition.pay(wager.id, each.id, asked.settings).net for each in wager.outcomes}
        if wager.id in late:
            continue  # offered in mid-round: a round in which it wins is looked for, and may not come
        bets = _bets(asked, wager)
        yield _Wanted(wager, "wins", bets)
        if place == 0:
            yield _Wanted(wager, "loses", bets)
        if place == 0 and (0 in pays or wager.rides):
            yield _Wanted(wager, "pushes", bets)
        if asked.edition.wagers[wager.id].envy_cents:
            yield _Wanted(wager, "envy", bets)


def _bets(asked: AskedReport, wager: Wager) -> dict[str, int]:
    """A bet on the wager, and on the one that it needs; a side bet is small, as the law wants of many."""
    needed = wager.needed(asked.settings)
    amounts = {needed: _MAIN_CENTS, wager.id: _SIDE_CENTS} if needed else {wager.id: _MAIN_CENTS}
    bets = {}
    for name, cents in amounts.items():
        limits = asked.edition.wagers[name].limits
        bets[name] = min(max(cents, limits.min_cents, asked.edition.wagers[name].envy_min_bet_cents), limits.max_cents)
    return bets


def found_examples(asked: AskedReport, wanted: list[_Wanted], decider: Decider) -> dict[int, WorkedExample]:
    """The first round of each ending, by its place in what is wanted."""
    found: dict[int, WorkedExample] = {}
    cards = [card for card, copies in enumerate(asked.edition.game.shoe(asked.settings)) for _ in range(copies)]
    for deal in range(MOST_DEALS):
        missing = [place for place in range(len(wanted)) if place not in found]
        if not missing:
            break
        pick = random.Random(f"{SEED} {deal}")
        shoe = pick.sample(cards, min(len(cards), 104))
        for place in missing:
            if example := _played(asked, wanted[place], decider, deal, list(shoe)):
                found[place] = example
    rare = {place: each for place, each in enumerate(wanted) if place not in found and not each.choice}
    if rare:  # endings only: a choice that does not come in all these deals is one that is not made, or not offered
        found |= _of_corpus(asked, rare, decider)
    return found


def _of_corpus(asked: AskedReport, wanted: Mapping[int, _Wanted], decider: Decider) -> dict[int, WorkedExample]:
    """Rounds of the edition's corpus that end so under these settings."""
    try:
        rounds = Corpus.load(corpus_file(asked.edition)).rounds[:MOST_OF_CORPUS]
    except Refused:  # an edition of one's own, or a game from outside, has none
        return {}
    found: dict[int, WorkedExample] = {}
    for number, one in enumerate(rounds):
        for place, each in wanted.items():
            if place not in found and each.wager.id in one.bets and (example := _again(asked, each, decider, number, one)):
                found[place] = example
        if len(found) == len(wanted):
            break
    return found


def _again(asked: AskedReport, wanted: _Wanted, decider: Decider, number: int, one: CorpusRound) -> WorkedExample | None:
    """A round of the corpus with these bets, if it ends as is wanted; decided anew where somebody knows how."""
    source = f"round {number + 1} of the approval's corpus"
    others = one.others if wanted.ending == "envy" else ()
    if decider.decides is None:
        return _settled(asked, wanted, decider, source, one.cards, one.choices, others)
    return _played_on(asked, wanted, decider, source, one.cards, others, [])


def _settled(
    asked: AskedReport,
    wanted: _Wanted,
    decider: Decider,
    source: str,
    tape: tuple[int, ...],
    choices: tuple[str, ...],
    others: tuple[tuple[int, ...], ...] = (),
) -> WorkedExample | None:
    """A round played out and paid, if it ends as is wanted and nothing silly was decided."""
    edition, settings = asked.edition, asked.settings
    try:
        settlement = settle(edition, tape, wanted.bets, choices, settings, others)
        if tape in wanted.seen or not wanted.is_met(settlement, choices):
            return None
        request = Request(tape, choices, wanted.bets, settings, edition.game.encode(settings), others, offered=edition.offered)
        if not decider.approves(request):
            return None
        return WorkedExample(wanted.wager, wanted.ending, source, tape, choices, edition.game.play(request), settlement, others)
    except Refused:
        return None


def _played(asked: AskedReport, wanted: _Wanted, decider: Decider, deal: int, shoe: list[int]) -> WorkedExample | None:
    """The round of a shuffle, if it ends as is wanted; of a round that cannot be played on, nothing."""
    settings, dealing = asked.settings, asked.edition.game.dealing
    order = dealing.order((1,), settings, 1 if dealing.dice_sides else 0)
    tape: tuple[int, ...] = ()
    others: tuple[tuple[int, ...], ...] = ()
    if COMMON not in order:
        hands: dict[object, list[int]] = {1: [], DEALER: []}
        for who in order:
            hands.setdefault(who, []).append(shoe.pop(0))
        tape = dealing.tape(*(tuple(hand) for who, hand in hands.items() if who == 1 or isinstance(who, str)))
        if wanted.ending == "envy":
            seats = tuple(tuple(hand) for who, hand in hands.items() if isinstance(who, int) and who > 1)
            size = len(hands[1])
            most = 0 if seats else min(OTHERS, len(shoe) // size)
            others = seats[:OTHERS] or tuple(tuple(shoe.pop(0) for _ in range(size)) for _ in range(most))
    return _played_on(asked, wanted, decider, f"deal {deal + 1}", tape, others, shoe)


def _played_on(
    asked: AskedReport,
    wanted: _Wanted,
    decider: Decider,
    source: str,
    tape: tuple[int, ...],
    others: tuple[tuple[int, ...], ...],
    shoe: list[int],
) -> WorkedExample | None:
    """A round from its first cards on, if it comes to the end that is wanted."""
    edition, settings, dealing = asked.edition, asked.settings, asked.edition.game.dealing
    pick = random.Random(f"{SEED} {source} {wanted.wager.id}")
    choices: list[str] = [str(settings[name]) for wager, name in dealing.with_bet.items() if wager in wanted.bets]
    request = Request(tape, (), wanted.bets, settings, edition.game.encode(settings), others, True, edition.offered)
    while True:
        try:
            edition.game.play(replace(request, cards=tape, choices=tuple(choices)))
            break
        except MissingCard:
            if not shoe:
                return None
            tape = (*tape, shoe.pop(0))
        except MissingChoice as missing:
            now = replace(request, cards=tape, choices=tuple(choices))
            choice = decider.decides(now, missing) if decider.decides else _drawn(edition.game, now, missing, pick)
            if choice is None:
                return None
            choices.append(choice)
        except Refused:  # a bet that cannot be made on these cards
            return None
    return _settled(asked, wanted, decider, source, tape, tuple(choices), others)


def _drawn(game: Game, request: Request, missing: MissingChoice, pick: random.Random) -> str | None:
    """One of the choices that are asked for, drawn, that the rules take as it is."""
    for choice in pick.sample(missing.allowed, len(missing.allowed)):
        if choice in game.dealing.late:
            continue
        try:
            game.play(replace(request, choices=(*request.choices, choice)))
        except (MissingCard, MissingChoice):
            return choice
        except Refused:
            continue
        return choice
    return None


def _title(wager: Wager, ending: str) -> str:
    if ending.startswith(":"):
        return f"{wager.name}{ending}"
    return f"{wager.name}: an envy prize" if ending == "envy" else f"{wager.name} {ending}"


def _shown(asked: AskedReport, place: int, example: WorkedExample) -> list[Block]:
    edition, settled = asked.edition, example.settlement
    templates = edition.game.face.steps
    steps: list[Text] = [(f"{sentence(templates, step)} ", Cite(f"({step.clause})")) for step in settled.steps]
    rows: list[list[Text]] = []
    for line, payment in enumerate(settled.payments):
        id_ = f"examples.{place + 1}.{line + 1}"
        name = edition.name_of(payment.wager) + (f", {payment.spot}" if payment.spot else "")
        outcomes = {each.id: each.name for each in edition.game.wagers[payment.wager].outcomes}
        rows.append(
            [
                name,
                outcomes.get(payment.outcome, payment.outcome),
                money(f"{id_}.stake", payment.stake_cents),
                payment.pays,
                money(f"{id_}.win", payment.win_cents),
                Cite(payment.clause),
            ]
        )
    columns = [Column("Wager"), Column("Ends", wide=True), Column("Stake", "right"), Column("Pays", "right")]
    table = DataTable([*columns, Column("Player wins", "right"), Column("Clause")], rows)
    chosen = f"; choices: {', '.join(example.choices)}" if example.choices else ""
    blocks: list[Block] = [
        Cards(_hands(example)),
        Paragraph(f"{example.source[:1].upper()}{example.source[1:]}{chosen}.", "note"),
        Listing(steps, ordered=True),
        table,
    ]
    return [Panels([Panel(f"Example {place + 1}: {_title(example.wager, example.ending)}", blocks)])]


def _hands(example: WorkedExample) -> list[DealtHand]:
    """The hands as they lie at the end; the cards as they came where the game shows no hands."""
    shown = [
        DealtHand(" ".join(filter(None, (hand.owner.capitalize(), hand.part and f"({hand.part})", hand.worth))), hand.cards)
        for hand in example.play.hands
        if hand.cards
    ]
    others = [DealtHand(f"Other hand {place + 1}", hand) for place, hand in enumerate(example.others)]
    return (shown or [DealtHand(f"Cards as dealt: {show_cards(example.tape)}", example.tape)]) + others
