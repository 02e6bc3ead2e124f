"""What the books of a day give somebody to look at: a hold outside its range, side bets that came out beyond chance."""

from collections.abc import Container, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import exp, lgamma, log, log1p, sqrt
from statistics import NormalDist

from houseway.day.expected import Expectation, Odds, expectation
from houseway.day.lines import DayBook, WagerBook

FEWEST_TRIALS = 20
"""Below so many hands nothing is said of a wager, nor of the hold of a table in play."""
HOLD_OUTSIDE, BEYOND = "hold-outside-range", "beyond-chance"


@dataclass(frozen=True)
class DayFinding:
    """Something to look at: `what` it is, of which table, wager and outcome, the figures, and how likely that is by chance.

    `p_value` is of a result as far from the expected one or farther on the same side, doubled, times the number of
    outcomes looked at: an upper bound. A hold has none: 5 % of all holds are outside.
    """

    what: str
    table: str
    wager: str = ""
    outcome: str = ""
    found: int = 0
    of: int = 0
    expected: float = 0.0
    low: float = 0.0
    high: float = 0.0
    p_value: float | None = None


def findings(book: DayBook, odds: Odds, in_play: Container[str] = ()) -> list[DayFinding]:
    """All of a day, by table. Tables that are `in_play` are looked at again and again, and their holds more leniently."""
    return [*holds_outside(book, odds, in_play), *beyond_chance(book, odds)]


def holds_outside(book: DayBook, odds: Odds, in_play: Container[str] = ()) -> Iterator[DayFinding]:
    """Tables whose win is outside the range of what was to be expected; of those in play by the chance that wagers have."""
    for table, line in book.whole.items():
        if table in in_play and line.rounds < FEWEST_TRIALS:
            continue
        of = expectation(line.played, book.bounds, odds)
        if of.is_outside and (table not in in_play or _is_far(of, book.chance)):
            yield DayFinding(
                HOLD_OUTSIDE,
                table,
                found=of.win_cents,
                of=of.rounds,
                expected=float(of.expected_cents),
                low=of.low_cents,
                high=of.high_cents,
            )


def _is_far(of: Expectation, chance: int) -> bool:
    """Whether chance brings a win so far from the expected one less than once in so many times, by the normal law."""
    band = NormalDist().inv_cdf(1 - 1 / (2 * chance))
    return abs(of.win_cents - float(of.expected_cents)) > band * sqrt(of.variance)


def beyond_chance(book: DayBook, odds: Odds) -> Iterator[DayFinding]:
    """Wagers of which an outcome that pays came more, or less, often than chance lets it once in `side-bet chance`.

    By the binomial law, exactly: hands are taken as independent, which a shoe that is not shuffled in between makes them
    nearly.
    """
    for table, line in book.whole.items():
        for number, played in line.played.items():
            for wager, of_wager in played.wagers.items():
                found = odds(book.bounds[number], wager) if of_wager.trials >= FEWEST_TRIALS else None
                if found is not None and found.wins:
                    yield from _unlikely(table, wager, of_wager, dict(found.wins), book.chance)


def _unlikely(table: str, wager: str, of: WagerBook, wins: dict[str, Fraction], chance: int) -> Iterator[DayFinding]:
    looked_at = {**wins, "": sum(wins.values(), Fraction(0))} if len(wins) > 1 else wins
    least: DayFinding | None = None
    for outcome, probability in looked_at.items():
        came = of.outcomes.get(outcome, 0) if outcome else sum(of.outcomes.get(each, 0) for each in wins)
        p_value = min(1.0, len(looked_at) * two_sided(of.trials, came, float(probability)))
        if p_value * chance < 1 and (least is None or p_value < (least.p_value or 0.0)):
            expected = of.trials * float(probability)
            least = DayFinding(BEYOND, table, wager, outcome, came, of.trials, expected, p_value=p_value)
    if least is not None:
        yield least


def two_sided(trials: int, came: int, probability: float) -> float:
    """Twice the chance of so many or a number farther from the expected one on its side, at most 1.

    >>> round(two_sided(10, 10, 0.5), 6), two_sided(10, 5, 0.5)
    (0.001953, 1.0)
    """
    if not 0 < probability < 1:
        return 1.0 if came == round(trials * probability) else 0.0
    more = came >= trials * probability
    numbers = range(came, trials + 1) if more else range(came, -1, -1)
    total = 0.0
    for number in numbers:
        term = exp(_log_chance(trials, number, probability))
        total += term
        if term < total * 1e-17:
            break
    return min(1.0, 2 * total)


def _log_chance(trials: int, number: int, probability: float) -> float:
    ways = lgamma(trials + 1) - lgamma(number + 1) - lgamma(trials - number + 1)
    return ways + number * log(probability) + (trials - number) * log1p(-probability)
