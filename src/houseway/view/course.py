"""A round that is over as one guest saw it go: moment by moment, what he knew, and what the odds of his wagers were then.

GLI-19 4.18.2: no odds are told while a round goes on. Nothing here takes a round that is not settled.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any

from houseway.cards import show_card
from houseway.odds.half_dealt import known_odds
from houseway.odds.known import KnownCards, KnownOdds, SeatAsked
from houseway.odds.played_out import ended_of, odds_of
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import COMMON, COMMUNITY, DEALER, Recipient, Result
from houseway.rulebook.settings import Settings
from houseway.solve.solver import solver_of
from houseway.table import House, Table
from houseway.table.bound import read_offered
from houseway.table.engine import prepared
from houseway.table.entry import Entry
from houseway.table.roles import STAFF
from houseway.table.state import Phase, Round, changed
from houseway.table.unfold import Unfolded, unfold, whose_card
from houseway.view.reader import Json, Reader

ASSUMED = "a fresh shoe less the cards of this round that you had seen; cards of earlier rounds are not counted"
"""What the shoe is taken to be."""
SEED_BITS = 62


@dataclass(frozen=True)
class Moment:
    """When a guest came to know more: what that was, as labels with cards, and all that he knew then."""

    what: tuple[tuple[str, tuple[int, ...]], ...]
    known: KnownCards


@dataclass(frozen=True)
class Course:
    """A settled round from one seat, as data: a process of its own works the odds out from this and nothing else."""

    document: str
    offered: tuple[str, ...]
    settings: tuple[tuple[str, Any], ...]
    seat: int
    guest: str
    seed: int
    moments: tuple[Moment, ...]
    results: tuple[tuple[str, str, str], ...]

    def as_data(self) -> Json:
        """For another process."""
        return asdict(self)


def seats_open_to(reader: Reader, round_: Round) -> tuple[int, ...]:
    """The seats whose odds a reader may ask for: a guest his own, the staff all; refused if there is none."""
    seats = tuple(seat for seat, spot in sorted(round_.spots.items()) if reader.role in STAFF or spot.guest == reader.name)
    if not seats:
        raise Refused("not-your-seat", "the odds of a round are for the guests who bet in it, each his own, and for the staff")
    return seats


def settled_of(after: Sequence[tuple[Entry, House]]) -> Round:
    """The round that these entries tell of, refused unless it was settled."""
    entry, house = after[-1]
    round_ = house.tables[entry.table].last
    if entry.kind != "settle" or round_ is None:
        raise Refused("no-odds", f"the round that ended with entry {entry.seq} was voided: no wager of it was played out")
    return round_


def course_of(after: Sequence[tuple[Entry, House]], seat: int) -> Course:
    """A settled round as the guest at this seat saw it go."""
    last, (entry, house) = settled_of(after), after[-1]
    table = house.tables[entry.table]
    rounds = [state.tables[entry.table].round for _, state in after[:-1]] + [last]
    walk = _Walk(table, seat)
    for round_ in rounds:
        if seat in round_.spots and (round_.phase != Phase.BETTING or round_ is last):
            walk.follow(round_)
    play = walk.unfolded(last, len(last.drawn)).plays[seat]
    results = tuple((result.wager, result.outcome, str(result.times)) for result in play.results if not result.prize)
    seed = int(entry.hash[:16], 16) % (1 << SEED_BITS)
    settings = tuple(table.settings.items())
    return Course(table.document, table.offered, settings, seat, last.spots[seat].guest, seed, walk.told(last), results)


class _Walk:
    """Goes through a round card by card, and notes when the guest at a seat came to know more."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table, self.seat = table, seat
        self.edition, self.settings, self.encoded = prepared(table)
        self.drawn: tuple[int, ...] = ()
        self.burned: set[tuple[Recipient, int]] = set()
        self.moments: list[Moment] = []

    def unfolded(self, round_: Round, cards: int) -> Unfolded:
        """The round when so many cards were out."""
        keyed = self.table.source != "virtual-shoe"
        tape = changed(round_, drawn=round_.drawn[:cards], unfolded=None, phase=Phase.READY)
        return unfold(self.edition, self.settings, self.encoded, tape, lambda: None, keyed)

    def follow(self, round_: Round) -> None:
        """What this state of the round adds: card by card, or all that was put right at once."""
        if not self.moments:
            self.note((), KnownCards(choices=round_.spots[self.seat].choices, bets=self.bets_before(round_)))
        known_so_far = len(self.drawn) if round_.drawn[: len(self.drawn)] == self.drawn else max(len(round_.drawn) - 1, 0)
        before = self.unfolded(round_, known_so_far)
        if len(round_.drawn) == len(self.drawn) and round_.drawn:
            self.see(round_, before, before)
        for cards in range(known_so_far + 1, len(round_.drawn) + 1):
            who = before.card_for
            if isinstance(who, int) and before.card_of is not None:  # a card that comes to no hand lies face down
                self.burned.add((who, len(before.hands.get(who, ()))))
            now = self.unfolded(round_, cards)
            self.see(round_, before, now)
            before = now
        self.drawn = round_.drawn

    def bets_before(self, round_: Round) -> Mapping[str, int]:
        """The bets before the deal: without those that may be placed after it."""
        late = self.edition.game.dealing.late
        return {wager: cents for wager, cents in round_.spots[self.seat].bets.items() if wager not in late}

    def see(self, round_: Round, before: Unfolded, now: Unfolded) -> None:
        """What the guest knows now; noted if it is more than before."""
        known = self.known(round_, now)
        if known.choices != self.moments[-1].known.choices and not _more(known.own, self.moments[-1].known.own):
            self.decided(known.choices)
        last = self.moments[-1].known
        label = whose_card(self.edition.game.face, COMMON, before.card_of) if COMMON in before.order else ""
        seats = self.edition.game.face.seat_word
        what: list[tuple[str, tuple[int, ...]]] = [(choice, ()) for choice in known.choices[len(last.choices) :]]
        what += [(f"{self.edition.game.wagers[wager].name}: bet", ()) for wager in known.bets if wager not in last.bets]
        for name, was, is_ in (
            (f"{seats} {self.seat}", last.own, known.own),
            ("Dealer", last.dealer, known.dealer),
            (label, last.common, known.common),
            ("Community card", last.community, known.community),
            ("Other seats", last.others, known.others),
        ):
            new = _more(is_, was)
            if new:
                what.append((name, new))
        if what:
            self.note(tuple(what), known)

    def decided(self, choices: tuple[str, ...]) -> None:
        """A decision after which the seat gets no card is a moment of its own: the dealer's cards come after it."""
        last = self.moments[-1].known
        what = tuple((choice, ()) for choice in choices[len(last.choices) :])
        self.note(what, replace(last, choices=choices, asked=None))

    def note(self, what: tuple[tuple[str, tuple[int, ...]], ...], known: KnownCards) -> None:
        """A moment."""
        self.moments.append(Moment(what, known))

    def known(self, round_: Round, now: Unfolded) -> KnownCards:
        """What lies face up for the guest: his own hand, what all see, and the dealer's hand when it is turned."""
        dealing, hands, spot = self.edition.game.dealing, now.hands, round_.spots[self.seat]
        is_turned = now.first_deal_done and not now.to_act and now.card_for in (None, DEALER)
        up = len(hands.get(DEALER, ())) if is_turned else dealing.dealer_face_up
        others = [who for who in hands if isinstance(who, int) and who != self.seat and dealing.hands_face_up]
        return KnownCards(
            own=self.faces(now, self.seat),
            dealer=tuple(card if place < up else None for place, card in enumerate(hands.get(DEALER, ()))),
            common=tuple(hands.get(COMMON, ())),
            community=tuple(hands.get(COMMUNITY, ())),
            others=tuple(card for who in others for card in self.faces(now, who) if card is not None),
            choices=spot.choices,
            bets=dict(spot.bets) if now.first_deal_done else self.bets_before(round_),
            asked=self.asked(round_, now),
        )

    def faces(self, now: Unfolded, who: int) -> tuple[int | None, ...]:
        """A hand, without burned cards."""
        return tuple(None if (who, place) in self.burned else card for place, card in enumerate(now.hands.get(who, ())))

    def asked(self, round_: Round, now: Unfolded) -> SeatAsked | None:
        """A seat that all see being asked after the dealer has looked, this one before others."""
        if not now.to_act or now.before_look:
            return None
        can_see = now.to_act if self.edition.game.dealing.hands_face_up else [seat for seat in now.to_act if seat == self.seat]
        seat = self.seat if self.seat in can_see else next(iter(can_see), None)
        if seat is None:
            return None
        return SeatAsked(tuple(now.hands[seat]), round_.spots[seat].choices, dict(round_.spots[seat].bets))

    def told(self, last: Round) -> tuple[Moment, ...]:
        """All moments; a result that was keyed without cards is known at once, at the end."""
        if len(self.moments) == 1:
            self.note(
                (("Result", ()),), KnownCards(choices=last.spots[self.seat].choices, bets=dict(last.spots[self.seat].bets))
            )
        return tuple(self.moments)


def _more(now: Sequence[int | None], before: Sequence[int | None]) -> tuple[int, ...]:
    """The cards that are seen now and were not before, in their order."""
    left = [card for card in before if card is not None]
    new = []
    for card in now:
        if card in left:
            left.remove(card)
        elif card is not None:
            new.append(card)
    return tuple(new)


# ---- worked out, in a process of its own ----------------------------------------------------------------------------


def course_from(data: Json) -> Course:
    """As another process was told."""
    moments = tuple(
        Moment(tuple((label, tuple(cards)) for label, cards in moment["what"]), _known_from(moment["known"]))
        for moment in data["moments"]
    )
    results = tuple((wager, outcome, times) for wager, outcome, times in data["results"])
    settings = tuple((name, value) for name, value in data["settings"])
    return Course(**data | {"offered": tuple(data["offered"]), "settings": settings, "moments": moments, "results": results})


def _known_from(data: Json) -> KnownCards:
    asked = data["asked"] and SeatAsked(tuple(data["asked"]["own"]), tuple(data["asked"]["choices"]), data["asked"]["bets"])
    cards = {name: tuple(data[name]) for name in ("own", "dealer", "common", "community", "others", "choices")}
    return KnownCards(**cards, bets=data["bets"], asked=asked)


def odds_view(course: Course, progress: Callable[[int, int], None] | None = None) -> Json:
    """The odds of every wager that was bet, at each moment: exact, solved, or with an error, or why there are none."""
    edition, settings = read_offered(course.document, course.offered), Settings(course.settings)
    last = course.moments[-1].known.bets
    riding = {ride for wager in last for ride in edition.game.wagers[wager].rides}
    wagers = [wager for wager in last if wager not in riding and not edition.game.wagers[wager].follows]
    told: dict[str, list[Json]] = {wager: [] for wager in wagers}
    work = [(wager, place) for place in range(len(course.moments)) for wager in wagers]
    for done, (wager, place) in enumerate(work):
        if progress:
            progress(done, len(work))
        told[wager].append(_odds_at(edition, settings, course, wager, place))
    return {
        "seat": course.seat,
        "guest": course.guest,
        "assumed": ASSUMED,
        "moments": [
            {"what": [{"label": label, "cards": [show_card(card) for card in cards]} for label, cards in moment.what]}
            for moment in course.moments
        ],
        "wagers": [
            {"wager": wager, "name": edition.game.wagers[wager].name, "stake_cents": last[wager], "odds": told[wager]}
            for wager in wagers
        ],
    }


def _odds_at(edition: Edition, settings: Settings, course: Course, wager: str, place: int) -> Json:
    known = course.moments[place].known
    if wager not in known.bets:
        return {"why_not": "not bet yet"}
    try:
        if place == len(course.moments) - 1:
            return _told_odds(_as_it_ended(edition, settings, course, wager))
        solved = solver_of(edition).known
        odds = solved(edition, wager, settings, known) if solved else None
        return _told_odds(odds or known_odds(edition, settings, wager, known, course.seed ^ place))
    except Refused as refused:
        return {"why_not": refused.message}


def _as_it_ended(edition: Edition, settings: Settings, course: Course, wager: str) -> KnownOdds:
    """What the wager came to."""
    results = tuple(Result(of, outcome, "", Fraction(times)) for of, outcome, times in course.results)
    return odds_of(edition, settings, wager, {ended_of(results, (wager, *edition.game.wagers[wager].rides)): 1}, exact=True)


def _told_odds(odds: KnownOdds) -> Json:
    """As data: fractions as text where they are exact, and everything as a float with its error."""
    return {
        "exact": odds.exact,
        "sampled": odds.sampled,
        "player": odds.player,
        "deals": "" if odds.in_floats else str(odds.total),
        "expected": float(odds.expected),
        "expected_exact": str(odds.expected) if odds.exact else None,
        "expected_error": odds.expected_error,
        "endings": [
            {
                "id": ending.id,
                "name": ending.name,
                "net": str(ending.net),
                "chance": float(odds.chance(ending)),
                "chance_exact": str(odds.chance(ending)) if odds.exact else None,
                "chance_error": odds.chance_error(ending),
            }
            for ending in odds.endings
            if ending.ways
        ],
    }
