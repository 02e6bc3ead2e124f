"""House Ways as data: reading a TOML file into the numbers that the setter goes by."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, Field, create_model

from houseway.cards import RANKS
from houseway.kernels.compiled import Ints
from houseway.refusal import Refused, one_of
from houseway.rulebook.document import Known, Section, broken, problem, read, read_toml

from . import house_way as way
from .switches import EXTRAS

FOLDER = Path(__file__).resolve().parent / "house_ways"
KEPT_WITH = {"anything": way.NO_RANK, "nothing": 13} | {name: rank for rank, name in enumerate(RANKS)}
CHOICES = {
    "five_aces": (way.FIVE_ACES_STYLE, ("kings-front", "always-split")),
    "four_with_pair": (way.FOUR_WITH_PAIR, ("pair-front", "aces-split-unless-kings")),
    "four_with_straight_or_flush": (way.FOUR_WITH_COMPLETE, ("as-four", "straight-or-flush")),
    "full_house_of_twos_with_ace_king": (way.FULL_HOUSE_OF_TWOS, ("ace-king-front", "twos-front")),
    "ace_with_pair_of_tens_to_kings": (
        way.ACE_WITH_HIGH_PAIR,
        ("no-exception", "ace-front-if-better", "ace-must-be-front"),
    ),
    "low_pairs_with_straight_or_flush": (
        way.LOW_PAIRS_WITH_COMPLETE,
        ("as-two-pairs", "ace-front-else-straight-or-flush"),
    ),
}


@dataclass(frozen=True)
class HouseWay:
    """A House Way: its numbers, and the cases it left open, which are played as Plaza plays them."""

    name: str
    title: str
    from_plaza: tuple[str, ...]
    numbers: tuple[int, ...]

    def settings(self) -> Ints:
        """The numbers as the setter reads them, after the game's switches."""
        return np.array(self.numbers, np.int64)


def _ranks(text: str) -> range:
    """`2-6`, `J-K` or `A` as ranks."""
    first, _, last = text.partition("-")
    if first not in RANKS or (last or first) not in RANKS or RANKS.index(first) > RANKS.index(last or first):
        raise problem(f'"{text}" is not a span of ranks (allowed: a rank such as A, or a span such as 2-6)')
    return range(RANKS.index(first), RANKS.index(last or first) + 1)


def _is_span(text: str) -> str:
    _ranks(text)
    return text


_Ranks = Annotated[str, AfterValidator(_is_span)]


class _Four(Section):
    ranks: _Ranks
    keep_with: Annotated[str, Known("kept_with")]


class _TwoPairs(Section):
    higher: _Ranks
    lower: _Ranks
    keep_with: Annotated[str, Known("kept_with")]


class _HouseWay(Section):
    title: str
    four_of_a_kind: list[_Four]
    two_pairs: list[_TwoPairs]
    from_plaza: list[str] = Field(default_factory=list)


_CHOSEN: dict[str, Any] = {key: (Literal[names], ...) for key, (_, names) in CHOICES.items()}
_FILE = create_model("_FILE", __base__=_HouseWay, **_CHOSEN)


def load_house_way(file: Path) -> HouseWay:
    """Read a House Way from a file."""
    return _house_way(read_toml(file), file.name, file.stem)


def _house_way(data: dict[str, Any], label: str, name: str) -> HouseWay:
    """A House Way from its content; a case that no entry covers is refused, for the setter must never guess."""
    given: _HouseWay = read(_FILE, data, label, kept_with=KEPT_WITH)
    numbers = np.full(way.SIZE, 99, np.int64)
    for key, (place, names) in CHOICES.items():
        numbers[place - EXTRAS] = names.index(getattr(given, key))
    fours = numbers[way.FOUR_KEPT_WITH - EXTRAS :][:13]
    for four in given.four_of_a_kind:
        for rank in _ranks(four.ranks):
            fours[rank] = KEPT_WITH[four.keep_with]
    pairs = numbers[way.TWO_PAIR_KEPT_WITH - EXTRAS :].reshape(13, 13)
    for entry in given.two_pairs:
        for high in _ranks(entry.higher):
            for low in _ranks(entry.lower):
                if low < high:
                    pairs[high, low] = KEPT_WITH[entry.keep_with]
    for rank in range(13):
        if fours[rank] == 99:
            raise broken(label, "four_of_a_kind", f"no entry covers four of a kind of {RANKS[rank]}")
        for low in range(rank):
            if pairs[rank, low] == 99:
                raise broken(label, "two_pairs", f"no entry covers a pair of {RANKS[rank]} with a pair of {RANKS[low]}")
    return HouseWay(name, given.title, tuple(given.from_plaza), tuple(numbers.tolist()))


@cache
def house_way(name: str) -> HouseWay:
    """A House Way by name, from the path of a TOML file of one's own, or from such a file's content as JSON."""
    if name.startswith("{"):
        try:
            return _house_way(json.loads(name), "own House Way", "own")
        except ValueError:
            raise Refused("bad-setting", "the House Way's content is not valid JSON") from None
    files = {file.stem: file for file in FOLDER.glob("*.toml")}
    return load_house_way(Path(name) if name.endswith(".toml") else files[one_of("House Way", name, sorted(files))])
