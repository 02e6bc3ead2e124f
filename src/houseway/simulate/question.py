"""What is to be dealt, as plain data: all that a tally hangs on, so that any worker can deal it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from houseway.refusal import Refused, number_of
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Value
from houseway.rulebook.settings import Settings
from houseway.rulebook.settle import check_bets
from houseway.simulate.simulator import Seat, Simulator

CUT_PERCENT = 75
"""BJ-9: where the cut card sits unless it is said, as at a live table."""
BURN = 1
"""Cards burned from a fresh shoe unless it is said, as at a live table."""
SEED_MOST = (1 << 63) - 1
NO_CUT = -1


@dataclass(frozen=True)
class Customs:
    """How shoes are dealt.

    `cut` cards lie behind the cut card. The round in which it comes is finished, and `extra` more are dealt. `burn` cards are
    burned, and where `burn_by_value` says so, as many more as the last of them is worth. With a `shuffler` every round is
    dealt from a whole shoe.
    """

    cut: int
    burn: int = BURN
    burn_by_value: bool = False
    extra: int = 0
    shuffler: bool = False


@dataclass(frozen=True)
class SimulationQuestion:
    """An edition's content, its settings, who sits there, the customs, the seed, and the rounds of a session (0: none)."""

    document: Mapping[str, Any]
    label: str
    settings: tuple[tuple[str, Value], ...]
    what_if: bool
    seats: tuple[Seat, ...]
    customs: Customs
    seed: int = 1
    session_rounds: int = 0

    def as_text(self) -> str:
        """As JSON, in the order that it has: the first value of a setting in an edition's document is its default."""
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> "SimulationQuestion":
        """As it was."""
        data = json.loads(text)
        seats = tuple(Seat(**seat) for seat in data.pop("seats"))
        settings = tuple((name, value) for name, value in data.pop("settings"))
        return cls(**{**data, "seats": seats, "settings": settings, "customs": Customs(**data["customs"])})

    def chosen(self, edition: Edition) -> Settings:
        """The settings, as the edition has them."""
        return edition.settings(dict(self.settings), self.what_if)


def ask(
    edition: Edition,
    settings: Settings,
    seats: tuple[Seat, ...] = (Seat(),),
    *,
    cut: int | None = None,
    burn: int | None = None,
    burn_by_value: bool = False,
    extra: int = 0,
    shuffler: bool = False,
    seed: int = 1,
    session_rounds: int = 0,
) -> SimulationQuestion:
    """A question, with what an edition's table does where nothing is said; refused where it cannot be dealt so."""
    cards = sum(edition.game.shoe(settings))
    fresh, given = fresh_each_round(edition, settings), (cut, burn, burn_by_value or None, extra or None)
    if (fresh or shuffler) and any(value is not None for value in given):
        why = "every round has a deck of its own" if fresh else "a shuffler has the whole shoe for every round"
        raise Refused("bad-setting", f"{why}: there is no cut card and nothing is burned: leave --cut, --burn and --extra out")
    if cut is not None and not 0 <= cut < cards:
        raise Refused(
            "bad-cut", f"{number_of(cut, 'card')} behind the cut card are not possible: the shoe has {cards} (0 to {cards - 1})"
        )
    for name, value, most in (("burn", burn or 0, cards - 1), ("extra", extra, 99), ("seed", seed, SEED_MOST)):
        if not 0 <= value <= most:
            raise Refused("bad-setting", f"{name} {str(value)[:30]} is not possible (possible: 0 to {most})")
    if session_rounds < 0:
        raise Refused("bad-setting", f"sessions of {session_rounds} rounds are not possible: at least 1")
    whole = fresh or shuffler
    behind = cards - cards * CUT_PERCENT // 100 if cut is None else cut
    customs = (
        Customs(cut=0, burn=0, shuffler=True)
        if whole
        else Customs(behind, BURN if burn is None else burn, burn_by_value, extra)
    )
    return SimulationQuestion(
        edition.document, edition.label, tuple(settings.items()), settings.what_if, seats, customs, seed, session_rounds
    )


def fresh_each_round(edition: Edition, settings: Mapping[str, Value]) -> bool:
    """Whether every round has a shuffle of its own by the rules."""
    name, value = edition.game.dealing.fresh_deck_if
    return edition.game.dealing.fresh_deck or (bool(name) and settings.get(name) == value)


def seats_of(
    edition: Edition, settings: Settings, seats: int, player: str, bets: Sequence[Mapping[str, int]], wants_bets: bool
) -> tuple[Seat, ...]:
    """Who sits there: as many as are named or have bets; one set of bets goes for all; without any, the house player's."""
    given = [dict(each) for each in bets] or [edition.house_player_bets() if wants_bets else {}]
    count = seats or len(given)
    if not 1 <= count <= edition.game.dealing.seats:
        raise Refused("bad-seats", f"{str(count)[:20]} seats are not possible (possible: 1 to {edition.game.dealing.seats})")
    if len(given) not in {1, count}:
        raise Refused("bad-seats", f"bets for {len(given)} seats, and there are {count}: give them once for all, or for each")
    for each in given:
        check_bets(edition, each, settings)
    simulator = edition.game.simulator
    known = simulator.known_as(player) if isinstance(simulator, Simulator) else player
    return tuple(Seat(given[place % len(given)], known) for place in range(count))
