"""Whether a guest's bets follow the count: a correlation of his stakes with what the cards that are gone made the bet worth.

What a bet was worth before a round is told, to a first approximation, by the effects of removal of the cards that had come out
of its shoe (`protect.tags`), exact for each card and added up, in proportion to the cards left. A guest who knows nothing of
them has stakes that go neither with it nor against it: the correlation of n rounds, as `atanh(r)` times the root of n - 3, is
then about normal, and the chance of so high a one is the p-value. Stakes that follow wins and losses are no count, and lift
the correlation hardly; a few guests in many thousands pass the line by chance. So it is an alert to look, and no proof.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import atanh, erfc, sqrt

from houseway.cards import read_cards
from houseway.house.alerts import LOOK, Alert, alert_kind
from houseway.protect.protection import CARDS_COUNTED, protection_of
from houseway.protect.tags import effects_of_removal
from houseway.refusal import Refused
from houseway.rulebook.settings import Settings
from houseway.table.engine import edition_of, is_shuffled_every_round
from houseway.table.entry import Entry
from houseway.table.fold import SHOE_COMMITTED
from houseway.table.state import House, Table

LEAST_ROUNDS, P_VALUE = 40, 1e-5
ROUNDS_KEPT = 2_000
LAST_CARD, ACE = 51, 12
FOLLOWS = alert_kind(
    "follows-count",
    "a guest's stakes on a wager follow what the cards that are gone make it worth",
    LOOK,
    lambda a: f"The stakes of {a['guest']} on {a['wager']} follow the count: correlation {a['r']:.2f} in {a['rounds']} rounds",
)
Effects = Callable[[Table, str], tuple[Fraction, ...]]


def correlation(pairs: Sequence[tuple[float, float]]) -> float:
    """Of two measures; 0 where one of them never changes.

    >>> round(correlation([(1, 2), (2, 4), (3, 6.5)]), 3)
    0.998
    """
    n = len(pairs)
    means = [sum(column) / n for column in zip(*pairs, strict=True)] if n else [0.0, 0.0]
    both = sum((a - means[0]) * (b - means[1]) for a, b in pairs)
    squares = [sum((pair[at] - means[at]) ** 2 for pair in pairs) for at in (0, 1)]
    return both / sqrt(squares[0] * squares[1]) if all(squares) else 0.0


def p_value(r: float, rounds: int) -> float:
    """How likely a correlation this high is by chance (Fisher's approximation, for 40 rounds and more).

    >>> f"{p_value(0.5, 100):.1e}", p_value(0.0, 100)
    ('3.2e-08', 0.5)
    """
    if rounds <= 3:
        return 1.0
    return erfc(atanh(min(max(r, -0.999999), 0.999999)) * sqrt(rounds - 3) / sqrt(2)) / 2


def exact_effects(table: Table, wager: str) -> tuple[Fraction, ...]:
    """The effects of removal of a wager at a table, A, 2 to 9, T; refused where its game is not watched."""
    edition = edition_of(table)
    protection, settings = protection_of(edition), Settings(tuple(table.settings.items()))
    if wager in protection.effects:
        return protection.effects[wager](edition, settings)[0]
    return effects_of_removal(edition, settings, wager)


def class_of(card: int) -> int | None:
    """The place of a card among A, 2 to 9, T; none of a joker.

    >>> [class_of(card) for card in read_cards("As 2c 9d 10h Ks Jk")]
    [0, 1, 8, 9, 9, None]
    """
    rank = card // 4  # 2 is 0, an ace is 12
    return None if card > LAST_CARD else 0 if rank == ACE else min(rank + 1, 9)


@dataclass
class _Shoe:
    """What has come out of a table's shoe before the present round, and in it, by class; and the cards it began with."""

    gone: list[int] = field(default_factory=lambda: [0] * len(CARDS_COUNTED))
    now: list[int] = field(default_factory=lambda: [0] * len(CARDS_COUNTED))


class CountWatch:
    """Follows the journal, entry by entry, and remembers of each guest and wager what was staked at which count."""

    def __init__(self, effects: Effects = exact_effects) -> None:
        self._effects_of, self._effects = effects, dict[tuple[str, str, str], tuple[Fraction, ...] | None]()
        self._shoes: defaultdict[str, _Shoe] = defaultdict(_Shoe)
        self._rounds: defaultdict[tuple[str, str, str], list[tuple[tuple[int, ...], int]]] = defaultdict(list)
        self._told: set[tuple[str, str, str]] = set()
        self._day = ""

    def follow(self, house: House, entry: Entry) -> Iterator[Alert]:
        """Take an entry in; what it shows of a guest."""
        table = house.tables.get(entry.table)
        if table is None or table.spoiled:
            return
        if entry.day != self._day:  # what was remembered is of the day
            self._day, self._rounds, self._told = entry.day, defaultdict(list), set()
        shoe = self._shoes[table.name]
        if entry.kind in {SHOE_COMMITTED, "new-shoe", "open"}:
            self._shoes[table.name] = _Shoe()
            return
        events = entry.data.get("events", ())
        for event in events:
            if event["event"] == "cards-drawn":
                for place in map(class_of, read_cards(" ".join(event["cards"]))):
                    if place is not None:
                        shoe.now[place] += 1
        kinds = {event["event"] for event in events}
        if "round-settled" in kinds and not is_shuffled_every_round(table):
            yield from self._settled(table, entry, shoe)
        if kinds & {"round-settled", "round-voided"}:
            shoe.gone = [before + now for before, now in zip(shoe.gone, shoe.now, strict=True)]
            shoe.now = [0] * len(CARDS_COUNTED)

    def _settled(self, table: Table, entry: Entry, shoe: _Shoe) -> Iterator[Alert]:
        stakes: defaultdict[tuple[str, str], int] = defaultdict(int)
        for event in entry.data["events"]:
            if event["event"] == "paid" and event["stake_cents"]:
                stakes[event["guest"], event["wager"]] += event["stake_cents"]
        for (guest, wager), cents in stakes.items():
            key = table.name, guest, wager
            self._rounds[key] = [*self._rounds[key][1 - ROUNDS_KEPT :], (tuple(shoe.gone), cents)]
            yield from self._look(table, entry, key)

    def _look(self, table: Table, entry: Entry, key: tuple[str, str, str]) -> Iterator[Alert]:
        """Every few rounds, for it costs a little; once told, a guest is told of no more that day."""
        rounds, (_, guest, wager) = self._rounds[key], key
        if len(rounds) < LEAST_ROUNDS or len(rounds) % 10 or key in self._told or len({cents for _, cents in rounds}) < 2:
            return
        effects = self._known_effects(table, wager)
        if effects is None:
            return
        size = sum(edition_of(table).game.shoe(table.settings))
        r = correlation([(_worth(gone, effects, size), float(cents)) for gone, cents in rounds])
        if p_value(r, len(rounds)) < P_VALUE:
            self._told.add(key)
            details = {"wager": wager, "r": r, "rounds": len(rounds), "p": p_value(r, len(rounds))}
            yield Alert(FOLLOWS.name, f"{table.name}:{guest}:{wager}", entry.at, table.name, entry.seq, guest, details)

    def _known_effects(self, table: Table, wager: str) -> tuple[Fraction, ...] | None:
        key = table.document, str(sorted(table.settings.items())), wager
        if key not in self._effects:
            try:
                self._effects[key] = self._effects_of(table, wager)
            except Refused:
                self._effects[key] = None
        return self._effects[key]


def _worth(gone: Sequence[int], effects: Sequence[Fraction], size: int) -> float:
    """What the cards that are gone changed of a bet's worth, to a first approximation."""
    left = max(size - sum(gone), 1)
    return float(sum((effect * count for effect, count in zip(effects, gone, strict=True)), Fraction(0))) * size / left
