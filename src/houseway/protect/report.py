"""What a counter could win at a table, all of it: figures with errors, the ceiling, cut cards, limits, and a verdict."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import floor, sqrt
from typing import Any

import numpy as np

from houseway.kernels.compiled import Ints
from houseway.kernels.count import Progress
from houseway.kernels.counting import DECK
from houseway.money import dollars
from houseway.odds.par_sheet import par_sheet
from houseway.protect.count import Count
from houseway.protect.exact import Bets, ExactShoes, estimated_worth
from houseway.protect.figures import PLAYABLE, Figures
from houseway.protect.plot import plot_by_cut
from houseway.protect.protection import INDICES, Finer, IndexPlay, PlayAsked, Playing
from houseway.protect.search import Found, best_trigger, correlation, found_counts, most_dangerous, start_of
from houseway.protect.spread import BINS, BINS_TO_A_COUNT, COUNTS_SHOWN, Spread, usual_spread
from houseway.protect.tags import effects_by_card, effects_of_removal
from houseway.protect.watch import Watch, Watched, WatchedTable, divisors_of
from houseway.refusal import Refused, number_of
from houseway.rulebook.game import Value
from houseway.solve.answer import DIGEST, SHORT_DIGEST, Answer, ratio, table

SHOES, EXACT_SHOES = 500_000, 1_000
"""Shoes dealt, and shoes valued exactly before each round, where nothing is said."""
CUTS = (14, 26, 39, 52, 78, 104, 130, 156, 208)
DECKS = "decks"
SHOES_FOR_OTHER_DECKS = 50_000
INDICES_SHOWN = 24
LEAST_SHARE = 0.001
"""Counts rarer than that are left out of tables and pictures for people."""
TOLERATED_CENTS = 2_000
"""What a floor is taken to bear in an hour, where nothing is said: the verdict names the cut card that keeps below it."""


@dataclass(frozen=True)
class Stakes:
    """What is at stake in an hour: the bet, how many rounds are decided, and what the floor bears, in cents."""

    bet_cents: int
    decisions_an_hour: int
    tolerated_cents: int = TOLERATED_CENTS
    units: int = 1
    """Units in the largest bet."""

    def an_hour(self, units_per_100_rounds: float) -> float:
        """Dollars an hour."""
        return units_per_100_rounds / 100 * self.decisions_an_hour * self.bet_cents / 100 / self.units


@dataclass(frozen=True)
class Bettor:
    """How somebody counts and bets, as far as that is said; what is not, the program finds.

    `spread` is how much he bets by his count, `play` how he plays his hands (by `indices`, a `chart`, or one in a file).
    `main` is the count by which he bets on the main wager beside, and `main_spread` how much.
    """

    tags: Sequence[Fraction] | None = None
    trigger: Fraction | None = None
    start: Fraction | None = None
    spread: Spread | None = None
    play: str = INDICES
    main: Sequence[Fraction] | None = None
    main_start: Fraction | None = None
    main_spread: Spread | None = None


@dataclass(frozen=True)
class Change:
    """What the floor could change, and what the counter then wins for each 100 rounds, with its error."""

    change: str
    units_per_100_rounds: float
    standard_error: float
    dollars_an_hour: float


@dataclass(frozen=True)
class MidShoe:
    """What entry in mid-shoe is worth to somebody who spreads: he `enters` with the count and leaves with it, or bets in every
    round. `figures` are the other of the two, with the same bets on the same shoes: at least his smallest bet in every round,
    or none below the count `from_count`, from which on he bets more.
    """

    enters: bool
    from_count: Fraction
    figures: Figures


class Protected:
    """A wager watched at a table, by a count that was given or is found."""

    def __init__(
        self,
        at: WatchedTable,
        stakes: Stakes,
        bettor: Bettor,
        shoes: int,
        exact_shoes: int,
        progress: Progress | None = None,
    ) -> None:
        self.shoes = shoes
        if shoes < 1:
            raise Refused("bad-shoes", f"{shoes} shoes cannot be dealt: give a number from 1 on")
        if exact_shoes < 2:
            raise Refused("bad-shoes", f"{exact_shoes} shoes cannot be valued: give a number from 2 on")
        self.effects, whole = _effects(at)
        tags = bettor.tags
        if tags is None and not self.effects:
            message = f"effects of removal of {at.wager} are not worked out: give the count that is to be tried (--count)"
            raise Refused("count-needed", message)
        slow = at.protection.slow.get(at.wager, 0)
        sample = self.exact = (
            ExactShoes(at, shoes, min(exact_shoes, slow) if slow else exact_shoes)
            if at.protection.worth(at.edition, at.settings, at.wager) is not None
            else None
        )
        if self.effects and (slow or self.exact is None):
            sample = ExactShoes(at, shoes, exact_shoes, estimated_worth(at, self.effects, whole))
        self.is_estimated = sample is not self.exact
        self.found: list[Found] = []
        if tags is None and self.effects:
            self.found = found_counts(at, sample, self.effects)
            self.count = most_dangerous(self.found).count
        else:
            assert tags is not None
            chosen = bettor.trigger
            if chosen is None:
                chosen = bettor.spread.trigger if bettor.spread else best_trigger(at, sample, tags, bettor.start)
            self.count = Count(tuple(tags), chosen, bettor.start)
        self.spread = bettor.spread
        if self.spread is None and bettor.trigger is None and at.wager in at.protection.playing:
            half_way = Fraction(at.cards + at.customs.cut, 2 * DECK)
            decks = Fraction(1) if self.count.start is None else half_way
            self.spread = usual_spread(self.count.trigger, self.count.tags, decks)
        if self.spread:
            self.count = replace(self.count, trigger=self.spread.trigger, units=tuple(self.spread.by_bin()))
            stakes = replace(stakes, units=self.spread.most)
        self.stakes = stakes
        self.main: Count | None = None
        self.main_spread = bettor.main_spread
        if bettor.main is not None and self.main_spread:
            units = tuple(self.main_spread.by_bin())
            self.main = Count(tuple(bettor.main), self.main_spread.trigger, bettor.main_start, units)
        self._play = bettor.play
        self.table = _played(at, self.count, self.main, bettor.play)
        cuts = tuple(cut for cut in CUTS if 2 * cut <= at.cards)
        self.watched: Watched = Watch(self.table, self.count, cuts, self.main).watched(shoes, progress)
        self.figures = self.watched.figures()

    @cached_property
    def by_cut(self) -> list[tuple[int, Figures]]:
        """With other cut cards, the deepest first."""
        return [(cut, self.watched.figures(cut)) for cut in reversed(self.watched.watch.cuts)]

    @cached_property
    def ceiling(self) -> Bets | None:
        """Perfect play by exact odds, and by all that can be known of the cards left; bets are as large as they may be."""
        if self.exact and self._finer:
            return self.exact.finer_ceiling(self._finer, self.stakes.units)
        return self._ceiling_by_class

    @cached_property
    def _finer(self) -> Finer | None:
        at = self.table
        return at.protection.finer(at.edition, at.settings, at.wager)

    @cached_property
    def _ceiling_by_class(self) -> Bets | None:
        return self.exact.ceiling(self.stakes.units) if self.exact else None

    @cached_property
    def changes(self) -> list[Change]:
        """A cap, another limit, other decks."""
        own, at = self.figures, self.table
        listed = []
        if at.main and not self.main:
            name = f"{at.wager} at most as much as {at.main}, which must lie beside it"
            units, error = own.with_main_per_100_rounds, own.errors["with_main_per_100_rounds"]
            listed.append(Change(name, units, error, self.stakes.an_hour(units)))
        units, error = own.units_per_100_rounds, own.errors["units_per_100_rounds"]
        for times, name in ((Fraction(1, 4), "a quarter"), (Fraction(2), "twice")):
            cents = int(self.stakes.bet_cents * times)
            changed = replace(self.stakes, bet_cents=cents)
            listed.append(Change(f"bets {name} as large, {dollars(cents)}", units, error, changed.an_hour(units)))
        for decks in at.edition.approved.get(DECKS, ()):
            if decks != at.settings[DECKS] and (other := self._with_decks(decks)):
                units, error = other.units_per_100_rounds, other.errors["units_per_100_rounds"]
                name = f"{number_of(int(decks), 'deck')}, the cut card as deep ({at.customs.cut} cards)"
                listed.append(Change(name, units, error, self.stakes.an_hour(units)))
        return listed

    def _with_decks(self, decks: Value) -> Figures | None:
        at = self.table
        settings = at.edition.settings({**dict(at.settings), DECKS: decks}, at.settings.what_if)
        other = replace(at, settings=settings, playing=None)
        try:
            start = None if self.count.start is None else start_of(self.count.tags, other)
            count = replace(self.count, start=start)
            watch = Watch(_played(other, count, None, self._play, at.playing), count)
        except Refused:  # a cut card that such a shoe cannot have
            return None
        return watch.watched(min(self.shoes, SHOES_FOR_OTHER_DECKS)).figures()

    @cached_property
    def mid_shoe(self) -> MidShoe | None:
        """Entry in mid-shoe allowed or not, whichever his spread is not; none where he always bets the same, nor of a side bet,
        which anybody may leave out who sits there with the main bet.
        """
        if not self.spread or self.table.main or self.spread.most == self.spread.below:
            return None
        below, least, units = self.spread.below, self.spread.least, self.spread.by_bin()
        from_count = next(count for count, bet in self.spread.steps if bet > below)
        other = tuple((bet if bet > below else 0) if below else max(bet, least) for bet in units)
        watch = Watch(self.table, replace(self.count, units=other), (), self.main)
        return MidShoe(not below, from_count, watch.watched(self.shoes).figures())

    def _mid_shoe_words(self, mid_shoe: MidShoe, spread: Spread) -> str:
        """Whether entry in mid-shoe is what he lives by: who enters and leaves with the count is not who spreads."""
        stakes, bears = self.stakes, self.stakes.tolerated_cents / 100
        hour, otherwise = (stakes.an_hour(each.units_per_100_rounds) for each in (self.figures, mid_shoe.figures))
        error = stakes.an_hour(mid_shoe.figures.errors["units_per_100_rounds"])
        about = f"{_wins(otherwise)} about {_dollars(abs(otherwise))} ± {_dollars(error)} an hour"
        if not mid_shoe.enters:
            others = f"with the same bets, but none below a count of {_plain(mid_shoe.from_count)}"
            stops = ": that rule stops him" if otherwise > max(hour, bears) else ""
            return (
                "He bets in every round: the rule of no mid-shoe entry does not touch him. Somebody who enters and leaves with "
                f"the count, {others}, {about}{stops}."
            )
        least = dollars(round(stakes.bet_cents * spread.least / spread.most))
        stops = "no mid-shoe entry stops it, and costs no rounds" if otherwise <= bears else "that alone does not stop it"
        words = f"He enters and leaves with the count. Without mid-shoe entry, with {least} at least in every round, he {about}"
        return f"{words}: {stops}." if hour > bears else f"{words}."

    @cached_property
    def stopped_by(self) -> tuple[int, Figures] | None:
        """The deepest cut card with which a counter wins no more than the floor bears."""
        bears = self.stakes.tolerated_cents / 100
        return next((row for row in self.by_cut if self.stakes.an_hour(row[1].units_per_100_rounds) <= bears), None)

    def verdict(self) -> list[str]:
        """For a floor manager, in plain words."""
        at, own, stakes = self.table, self.figures, self.stakes
        hour, error = (stakes.an_hour(value) for value in (own.units_per_100_rounds, own.errors["units_per_100_rounds"]))
        bet, bears = dollars(stakes.bet_cents), dollars(stakes.tolerated_cents)
        how = f"bets {bet} on {at.wager} when this count says so, in {own.bets_share * 100:.1f} % of the rounds,"
        if self.spread:
            least = dollars(round(stakes.bet_cents * self.spread.least / self.spread.most))
            how = f"bets {least} to {bet} on {at.wager} by this count, in {own.bets_share * 100:.1f} % of the rounds,"
        lines = [
            f"A counter who {how} "
            f"{_wins(hour)} about {_dollars(abs(hour))} ± {_dollars(error)} an hour, at {stakes.decisions_an_hour} rounds."
        ]
        if self.together:
            both = stakes.an_hour(self.together["units_per_100_rounds"])
            lines.append(f"With the main bets beside it, {_wins(both)} about {_dollars(abs(both))} an hour together.")
        if self.ceiling:
            units = self.ceiling.units_per_100_rounds
            most, error = stakes.an_hour(units.value), stakes.an_hour(units.error)
            lines.append(
                f"Nobody can win more than about {_dollars(most)} ± {_dollars(error)} an hour: perfect play, a computer's."
            )
        index = own.desirability_index
        playable = "enough for" if index >= PLAYABLE else "too little for"
        lines.append(
            f"Its desirability index is {index:.1f}, {playable} what professionals call playable ({PLAYABLE}); "
            + (f"luck hides the win for some {own.rounds_to_be_ahead:,.0f} rounds." if index > 0 else "it does not win at all.")
        )
        if hour <= stakes.tolerated_cents / 100:
            lines.append(f"That is no more than {bears} an hour: with this cut card nothing need be done.")
        elif self.stopped_by:
            cut, stopped = self.stopped_by
            fewer = 1 - stopped.rounds_per_shoe / own.rounds_per_shoe
            lines.append(
                f"A cut card {cut} cards from the end brings it to {_dollars(stakes.an_hour(stopped.units_per_100_rounds))} "
                f"an hour or below {bears}: {stopped.rounds_per_shoe:.1f} rounds a shoe instead of {own.rounds_per_shoe:.1f}, "
                f"{fewer * 100:.0f} % fewer."
            )
        else:
            lines.append(f"No cut card down to half of the shoe brings it below {bears} an hour: lower the limit of the bet.")
        if self.mid_shoe and self.spread:
            lines.append(self._mid_shoe_words(self.mid_shoe, self.spread))
        lines += [f"With {each.change}: {_dollars(each.dollars_an_hour)} an hour." for each in self.changes]
        return lines

    def data(self) -> dict[str, Any]:
        """As JSON names it."""
        at, own = self.table, self.figures.data()
        errors = own.pop("standard_errors")
        exact = self.exact.of_count(self.count).data() if self.exact else None
        start = self.count.start
        return {
            "edition": at.edition.id,
            "digest": DIGEST,
            "wager": at.wager,
            "settings": dict(at.settings),
            "what_if": list(at.settings.outside),
            "conventions": at.customs.data() | {"seed": at.seed},
            "count": {
                "tags": [_plain(tag) for tag in self.count.tags],
                "trigger": _plain(self.count.trigger),
                "start": None if start is None else _plain(start),
                **({"spread": self.spread.data()} if self.spread else {}),
            },
            "shoes": self.shoes,
            **own,
            "betting_correlation": correlation(at, self.count, self.effects) if self.effects else None,
            "standard_errors": errors,
            "ceiling": self._ceiling_data(),
            "by_cut": [
                {"cut": cut} | figures.data() | {"dollars_an_hour": self.stakes.an_hour(figures.units_per_100_rounds)}
                for cut, figures in self.by_cut
            ],
            "by_exact_odds": exact and exact | {"shoes": self.exact.shoes if self.exact else 0},
            "by_count": self.watched.edges(),
            "effects_of_removal": {card: ratio(effect) for card, effect in effects_by_card(self.effects or ()).items()},
            "counts_found": [found.data("estimated" if self.is_estimated else "exact") for found in self.found],
            **({"together": self.together} if self.together else {}),
            **({"index_plays": [vars(each) for each in at.playing.indices], "play": at.playing.words} if at.playing else {}),
            **({"by_true_count": self.by_true_count} if self.spread else {}),
            **({"mid_shoe_entry": self._mid_shoe_data(self.mid_shoe)} if self.mid_shoe else {}),
            "changes": [vars(each) for each in self.changes],
            "bet_cents": self.stakes.bet_cents,
            "decisions_an_hour": self.stakes.decisions_an_hour,
            "dollars_an_hour": self.stakes.an_hour(self.figures.units_per_100_rounds),
            "verdict": self.verdict(),
        }

    def _mid_shoe_data(self, mid_shoe: MidShoe) -> dict[str, Any]:
        figures = mid_shoe.figures
        return {
            "enters_with_the_count": mid_shoe.enters,
            "from_count": _plain(mid_shoe.from_count),
            "otherwise": {
                "units_per_100_rounds": figures.units_per_100_rounds,
                "standard_error": figures.errors["units_per_100_rounds"],
                "bets_share": figures.bets_share,
                "dollars_an_hour": self.stakes.an_hour(figures.units_per_100_rounds),
            },
        }

    def _ceiling_data(self) -> dict[str, Any] | None:
        if not self.ceiling or not self.exact:
            return None
        data = self.ceiling.data() | {"shoes": self.exact.shoes}
        if self._finer and self._ceiling_by_class:
            data |= {f"without_{self._finer.about}": self._ceiling_by_class.data()}
        return data

    @cached_property
    def together(self) -> dict[str, Any] | None:
        """This wager and the main bets beside it, where these follow a count of their own."""
        if not self.main or not self.main_spread:
            return None
        own = self.figures
        deviation, units = own.with_main_deviation, own.with_main_per_100_rounds
        return {
            "main": self.table.main,
            "count": {"tags": [_plain(tag) for tag in self.main.tags], "spread": self.main_spread.data()},
            "units_per_100_rounds": units,
            "standard_error": own.errors["with_main_per_100_rounds"],
            "standard_deviation_per_round": deviation,
            "desirability_index": 10 * units / deviation if deviation else 0.0,
            "dollars_an_hour": self.stakes.an_hour(units),
        }

    @cached_property
    def by_true_count(self) -> list[dict[str, Any]]:
        """By whole counts: how often they come, the edge then, with its error, and the bet."""
        assert self.spread
        of_count: dict[int, list[tuple[int, Ints]]] = {}
        for units, bin_, seen in zip(self.spread.by_bin(), range(BINS), self.watched.by_count, strict=True):
            if seen.any():
                of_count.setdefault(floor(bin_ / BINS_TO_A_COUNT - COUNTS_SHOWN), []).append((units, seen))
        nets, every = np.array([float(net) for net in self.table.pays[2]]), int(self.watched.by_count.sum())
        rows = []
        for count, parts in of_count.items():
            seen = np.sum([seen for _, seen in parts], axis=0)
            rounds = int(seen.sum())
            edge = float(seen @ nets) / rounds
            rows.append(
                {
                    "count": count,
                    "share": rounds / every,
                    "edge": edge,
                    "standard_error": sqrt(max(float(seen @ nets**2) / rounds - edge**2, 0.0) / rounds),
                    "units": sum(units * int(seen.sum()) for units, seen in parts) / rounds,
                }
            )
        return rows

    def answer(self) -> Answer:
        """As data, rows, text and a plot."""
        data = self.data()
        rows = [
            {name: value for name, value in row.items() if name != "standard_errors"}
            | {f"{name}_error": error for name, error in row["standard_errors"].items()}
            for row in data["by_cut"]
        ]
        about = [self.table.customs.words(), f"{self._count_words()}; {self.shoes:,} shoes, seed {self.table.seed}"]
        title = f"{self.table.edition.name}: {self.table.wager} counted"
        counts = [row for row in self.by_true_count if row["share"] >= LEAST_SHARE] if self.spread else []
        drawn = plot_by_cut(title, about, [(cut, each) for cut, each in self.by_cut], self.table.customs.cut, counts)
        return Answer(data, rows, self._text(data), {".svg": drawn})

    def _count_words(self) -> str:
        tags = ",".join(str(_plain(tag)) for tag in self.count.tags)
        if self.spread:
            start = "" if self.count.start is None else f" from {_plain(self.count.start)}"
            return f"tags A..9,T {tags}{start}, units bet by count {self.spread.text()}"
        if self.count.start is None:
            return f"tags A..9,T {tags}, bet at a true count of {_plain(self.count.trigger)} or more"
        return f"tags A..9,T {tags} from {_plain(self.count.start)}, bet at {_plain(self.count.trigger)} or more"

    def _text(self, data: dict[str, Any]) -> str:
        at, own, errors = self.table, self.figures, self.figures.errors
        lines = [
            f"{at.edition.name} · {at.wager} · digest {SHORT_DIGEST}",
            ", ".join(f"{name} {value}" for name, value in at.settings.items()),
            at.customs.words(),
            f"{self._count_words()}",
            *([f"played {at.playing.words}"] if at.playing else []),
            f"{self.shoes:,} shoes, seed {at.seed}; ± is one standard error",
            "",
            f"  betting correlation      {data['betting_correlation'] or 0:.4f}" if self.effects else "",
            f"  rounds a shoe            {own.rounds_per_shoe:.3f} ± {errors['rounds_per_shoe']:.3f}",
            f"  bets in                  {own.bets_share * 100:.3f} ± {errors['bets_share'] * 100:.3f} % of the rounds",
            *([f"  average bet              {own.average_bet:.3f} units"] if self.spread else []),
            f"  edge when it bets        {own.edge_when_bet * 100:+.3f} ± {errors['edge_when_bet'] * 100:.3f} %",
            f"  units a shoe             {own.units_per_shoe:+.4f} ± {errors['units_per_shoe']:.4f}",
            f"  units in 100 rounds      {own.units_per_100_rounds:+.4f} ± {errors['units_per_100_rounds']:.4f}",
            f"  standard deviation       {own.standard_deviation_per_round:.4f} a round",
            f"  desirability index       {own.desirability_index:.2f} ± {errors['desirability_index']:.2f}",
            f"  N0                       {own.rounds_to_be_ahead:,.0f} rounds",
        ]
        if self.exact and self.ceiling:
            lines += [
                f"  by exact odds            {_bets_words(self.exact.of_count(self.count))} ({self.exact.shoes} other shoes)",
                f"  ceiling, perfect play    {_bets_words(self.ceiling)}",
            ]
            if self._finer and self._ceiling_by_class:
                lines.append(f"  without {self._finer.about:17s}{_bets_words(self._ceiling_by_class)}")
        if self.together and self.main_spread:
            both = self.together
            lines += [
                f"  with {at.main} beside    {both['units_per_100_rounds']:+.4f} ± {both['standard_error']:.4f} units in 100 "
                f"rounds, deviation {both['standard_deviation_per_round']:.4f}, index {both['desirability_index']:.2f} "
                f"(units by count {self.main_spread.text()})"
            ]
        if self.spread:
            lines += ["", "By count", self._count_table()]
        if at.playing and at.playing.indices:
            lines += [
                "",
                f"Index plays, from this count on, those that gain most first ({len(at.playing.indices)} in all)",
                _index_table(at.playing.indices),
            ]
        lines += ["", "By cut card", self._cut_table()]
        if self.found:
            how = "by exact odds" if not self.is_estimated else "estimated from effects of removal"
            lines += ["", f"Counts found, the worth of their bets {how}", self._found_table()]
        if self.effects:
            effects = effects_by_card(self.effects)
            rows = [list(effects), [f"{float(effect) * 100:+.4f}" for effect in effects.values()]]
            lines += ["", "Effects of removal, in percentage points of the player's edge", table(rows, range(10), "  ")]
        return "\n".join([*lines, "", "Verdict", *(f"  {line}" for line in self.verdict())])

    def _cut_table(self) -> str:
        head = ("cut", "rounds", "bets %", "edge %", "units/shoe", "units/100", "±", "index", "$/hour")
        body = [
            (
                str(cut) + (" *" if cut == self.table.customs.cut else ""),
                f"{each.rounds_per_shoe:.1f}",
                f"{each.bets_share * 100:.2f}",
                f"{each.edge_when_bet * 100:+.2f}",
                f"{each.units_per_shoe:+.4f}",
                f"{each.units_per_100_rounds:+.4f}",
                f"{each.errors['units_per_100_rounds']:.4f}",
                f"{each.desirability_index:.2f}",
                f"{self.stakes.an_hour(each.units_per_100_rounds):,.0f}",
            )
            for cut, each in self.by_cut
        ]
        return table([head, *body], right=range(9), indent="  ")

    def _count_table(self) -> str:
        head = ("count", "rounds %", "edge %", "±", "units")
        body = [
            (
                str(row["count"]),
                f"{row['share'] * 100:.2f}",
                f"{row['edge'] * 100:+.3f}",
                f"{row['standard_error'] * 100:.3f}",
                f"{row['units']:.3g}",
            )
            for row in self.by_true_count
            if row["share"] >= LEAST_SHARE
        ]
        return table([head, *body], right=range(5), indent="  ")

    def _found_table(self) -> str:
        head = ("level", "tags A..9,T", "start", "trigger", "correlation", "units/shoe", "±")
        body = [
            (
                str(each.best.level),
                ",".join(map(str, each.best.tags)),
                "" if each.count.start is None else str(_plain(each.count.start)),
                str(_plain(each.count.trigger)),
                f"{each.best.correlation:.4f}",
                f"{each.bets.units_per_shoe.value:+.4f}" if each.bets else "",
                f"{each.bets.units_per_shoe.error:.4f}" if each.bets else "",
            )
            for each in self.found
        ]
        return table([head, *body], right=(2, 3, 4, 5, 6), indent="  ")


def _effects(at: WatchedTable) -> tuple[tuple[Fraction, ...] | None, Fraction]:
    """The effects of removal of a wager, and what a unit is worth from a whole shoe: counted, solved, or not known."""
    if solved := at.protection.effects.get(at.wager):
        return solved(at.edition, at.settings)
    if at.edition.wager(at.wager).simulated or at.edition.wager(at.wager).count is None:
        return None, Fraction(0)
    whole = -par_sheet(at.edition, at.wager, at.settings).house_edge
    return effects_of_removal(at.edition, at.settings, at.wager), whole


def _played(at: WatchedTable, count: Count, main: Count | None, play: str, like: Playing | None = None) -> WatchedTable:
    """The table with hands played by the count, where that can be: by that of the main bets, if they have one."""
    wager, by = (at.main, main) if main else (at.wager, count)
    if wager not in at.protection.playing:
        return at
    asked = PlayAsked(
        at.edition,
        at.settings,
        at.customs.players,
        by.whole_tags,
        by.unit,
        None if by.start is None else int(by.start * by.unit),
        tuple(divisors_of(at, by).tolist()),
        at.customs.divisor == "left",
        at.customs.cut,
        play,
        like,
    )
    return replace(at, playing=at.protection.playing[wager](asked))


def _index_table(indices: Sequence[IndexPlay]) -> str:
    head = ("hand", "against", "count", "play", "below it")
    body = [(each.hand, each.up, f"{each.index:+.1f}", each.play, each.below) for each in indices[:INDICES_SHOWN]]
    return table([head, *body], right=(2,), indent="  ")


def _bets_words(bets: Bets) -> str:
    units = bets.units_per_shoe
    return (
        f"{units.value:+.4f} ± {units.error:.4f} units a shoe, "
        f"edge {bets.edge_when_bet.value * 100:+.3f} ± {bets.edge_when_bet.error * 100:.3f} % in {bets.bets_share * 100:.2f} %"
    )


def _wins(amount: float) -> str:
    return "wins" if amount >= 0 else "loses"


def _dollars(amount: float) -> str:
    """Whole dollars, or cents where there is little."""
    return dollars(round(amount * 100) if abs(amount) < 10 else round(amount) * 100)


def _plain(value: Fraction) -> int | float:
    """A number as people write it."""
    return value.numerator if value.denominator == 1 else float(value)
