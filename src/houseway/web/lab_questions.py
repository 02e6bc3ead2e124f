"""What is asked of a simulation or a protection in the lab: its fields, its bounds, and the shell command that asks the same.

Fields are named and written as the shell's options are, so that one reads the other. Whatever would read a file, or reach out
of this machine, is asked in the shell only.
"""

import re
import shlex
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from houseway.money import dollars
from houseway.protect.ask import check_one_question
from houseway.protect.customs import DIVISORS
from houseway.protect.protection import CARDS_COUNTED, CHART, INDICES, Protection, counted_simulator, protection_of
from houseway.protect.published import SHOES_TRIED
from houseway.protect.report import EXACT_SHOES, SHOES, TOLERATED_CENTS
from houseway.refusal import Refused, number_of, one_of
from houseway.rulebook import Edition
from houseway.simulate.dealer import simulator_for
from houseway.simulate.question import BURN, SEED_MOST, fresh_each_round
from houseway.simulate.statistics import FLAGGED
from houseway.solve.files import writes_parquet

ENGINES = ("threads",)
"""Who deals here. A cluster is somewhere else, and a graphics card is nobody's alone: the shell has both."""
_OPTION = re.compile(r"--([a-z][a-z-]*)")
ROUNDS_MOST, SHOES_WATCHED_MOST, EXACT_MOST = 100_000_000, 2_000_000, 5_000
PLAYS = (INDICES, CHART)
"""How hands may be decided by a count here; a chart in a file is read in the shell only."""
STAFF_TIMES = 10
"""The staff may ask for so many times as much, and let it take so many times as long."""
Text = Annotated[str, Field(max_length=200)]
Name = Annotated[str, Field(max_length=64)]


@dataclass(frozen=True)
class Bounds:
    """How much one reader may ask for, and how many seconds it may take."""

    seconds: int
    times: int = 1

    def check(self, what: str, asked: int, most: int) -> None:
        """Refuse more than that, in plain words."""
        bound = most * self.times
        if asked > bound:
            staff = "" if self.times > 1 else f" (for the staff {most * STAFF_TIMES:,})"
            message = f"{asked:,} {what} are more than is dealt here at once: at most {bound:,}{staff}"
            raise Refused("too-much", f"{message}; the same command in the shell has no bound")


def typed(cents: int) -> str:
    """An amount as it is typed."""
    return dollars(cents).removeprefix("$").replace(",", "")


class SettingsAsked(BaseModel):
    """What every question has."""

    model_config = ConfigDict(extra="forbid")

    settings: dict[Name, Name] = Field({}, max_length=40, description="Settings by name; the others keep their default")
    what_if: bool = Field(False, description="Take also what the approval does not allow, and mark it")

    def chosen(self) -> dict[str, Any]:
        """The settings, by the names that Python has for them."""
        return {name.replace("-", "_"): value for name, value in self.settings.items()}

    @property
    def has_command(self) -> bool:
        """Whether the shell can be asked the same."""
        return True

    def option_words(self, name: str, given: str | bool) -> list[str]:
        """How the shell writes an option that only one game has."""
        return [f"--{name}"] if given is True else [f"--{name}", str(given)]

    def check(self, edition: Edition, bounds: Bounds) -> None:
        """Refuse what cannot be asked here, before anybody works on it."""
        for name, value in self.settings.items():
            switch = edition.game.switches.get(name)
            if switch and switch.allows_file(value):
                possible = ", ".join(map(str, switch.values))
                raise Refused("bad-setting", f'{name} "{value}" is not possible (possible: {possible})')
        edition.settings(self.chosen(), self.what_if)

    def outside(self, edition: Edition) -> list[str]:
        """What of it lies outside the approval."""
        return list(edition.settings(self.chosen(), self.what_if).outside)


class LabQuestion(SettingsAsked):
    """What both questions about shoes have."""

    cut: int | None = Field(None, description="Cards behind the cut card; without it a quarter of the shoe")
    burn: Name = Field("", description="Cards burned, or `value`: one, and as many more as it is worth; without it one")
    extra: int = Field(0, description="Rounds after the one in which the cut card comes")
    seed: int = Field(1, ge=0, le=SEED_MOST, description="The same seed, the same cards, whoever deals")

    def dealing(self) -> dict[str, Any]:
        """How shoes are dealt, as Python names it."""
        if self.burn not in {"", "value"} and not self.burn.isdecimal():
            raise Refused("bad-setting", f'burn "{self.burn[:20]}" is not possible: a number of cards, or value')
        is_number = self.burn not in {"", "value"}
        return {
            "cut": self.cut,
            "burn": int(self.burn) if is_number else None,
            "burn_by_value": self.burn == "value",
            "extra": self.extra,
            "seed": self.seed,
        }

    def check(self, edition: Edition, bounds: Bounds) -> None:
        """Refuse what cannot be asked here, before anybody works on it."""
        super().check(edition, bounds)
        self.dealing()


class SimulateAsked(LabQuestion):
    """What is to be dealt. As `houseway simulate` in the shell, and named the same."""

    rounds: int | None = Field(None, description="Whole shoes until there are at least so many rounds; or give `shoes`")
    shoes: int | None = Field(None, description="So many shoes; or give `rounds`")
    seats: int | None = Field(None, description="Seats at the table; without it as many as have bets, else one")
    player: Name = Field("", description="How the players decide, where they do: one of those that the game knows")
    bets: list[Text] = Field(
        [], max_length=12, description="What a seat bets, as `WAGER=DOLLARS,...`: once for all, or for each"
    )
    shuffler: bool = Field(False, description="A continuous shuffler: every round from a whole shoe")
    engine: Name = Field("threads", description="Who deals: here `threads` alone")
    session: int | None = Field(None, description="Sessions of so many rounds: spread, ruin, losing runs")
    bankroll: Name = Field("", description="In dollars: how often a player loses this in a session")
    bank: Name = Field("", description="In dollars: how often the bank loses this in a session")

    def check(self, edition: Edition, bounds: Bounds) -> None:
        """Refuse what cannot be asked here."""
        super().check(edition, bounds)
        for name, value in (("rounds", self.rounds), ("shoes", self.shoes)):
            if value is not None and value < 1:
                raise Refused("bad-goal", f"{value} {name} cannot be dealt: give a number from 1 on")
            bounds.check(name, value or 0, ROUNDS_MOST)
        if self.session is not None and self.session < 1:
            raise Refused("bad-setting", f"sessions of {self.session} rounds are not possible: give a number from 1 on")
        bounds.check("rounds in a session", self.session or 0, ROUNDS_MOST)
        if self.engine not in ENGINES:
            raise Refused(
                "no-engine",
                f'engine "{self.engine[:20]}" is not offered here (possible: {", ".join(ENGINES)}); the shell knows others',
            )
        simulator = simulator_for(edition)
        if self.player and simulator:
            if not simulator.players:
                raise Refused("bad-player", f"{edition.name} leaves the player nothing to decide: leave player out")
            one_of("player", simulator.known_as(self.player), simulator.players)


class ProtectAsked(LabQuestion):
    """What somebody counts or sees, and at what table. As `houseway protect` in the shell, and named the same."""

    wager: Annotated[str, Field(min_length=1, max_length=64, description="The wager that is bet when the cards are right")]
    count: Text = Field("", description="Tags for A,2,3,4,5,6,7,8,9,T; without them the best are found")
    trigger: Name = Field("", description="Bet from this count on; without it the best is found")
    start: Name = Field("", description="A running count that starts here, instead of a true count")
    spread: Text = Field("", description="`COUNT:UNITS,...`: bet so much from each count on; units alone, first, at lower ones")
    play: Name = Field("", description=f"How hands are decided, where a count does that: {' or '.join(PLAYS)}")
    main_count: Text = Field("", description="Beside a side bet: by what tags main bets are made; goes with `main_spread`")
    main_spread: Text = Field("", description="Beside a side bet: how large main bets are; goes with `main_count`")
    burn_shown: bool = Field(False, description="The burn card is shown, and so counted")
    divisor: Name = Field("cards", description="What a true count is divided by")
    players: int = Field(1, description="Players at the table")
    shoes: int | None = Field(None, description=f"So many shoes; without it {SHOES:,}")
    exact_shoes: int | None = Field(None, description=f"Shoes valued exactly before every round; without it {EXACT_SHOES:,}")
    bet: Name = Field("", description="What a counter bets, in dollars; without it the limit of the wager")
    hour: int | None = Field(None, description="Decisions an hour; without it the usual pace of the game")
    tolerate: Name = Field(typed(TOLERATED_CENTS), description="In dollars: what the floor bears in an hour, for the verdict")
    seen: Name = Field("", description="Cards seen that should not be, where the game knows what they are worth")
    published: bool = Field(False, description="Under which conventions the wager's published figures come out")

    def dealing(self) -> dict[str, Any]:
        """How shoes are dealt and watched, as Python names it."""
        return super().dealing() | {"burn_shown": self.burn_shown, "divisor": self.divisor, "players": self.players}

    def check(self, edition: Edition, bounds: Bounds) -> None:
        """Refuse what cannot be asked here."""
        super().check(edition, bounds)
        edition.wager(self.wager)
        for name, value, least in (("shoes", self.shoes, 1), ("exact_shoes", self.exact_shoes, 2)):
            if value is not None and value < least:
                raise Refused("bad-shoes", f"{name} {value} is not possible: give a number from {least} on")
        bounds.check("shoes", self.shoes or 0, SHOES_WATCHED_MOST)
        bounds.check("shoes valued exactly", self.exact_shoes or 0, EXACT_MOST)
        if self.hour is not None and self.hour < 1:
            raise Refused("bad-setting", f"{self.hour} decisions an hour are not possible: give a number from 1 on")
        if self.play and self.play not in PLAYS:
            raise Refused(
                "bad-play",
                f'play "{self.play[:20]}" is not offered here (possible: {", ".join(PLAYS)}); the shell reads charts in files',
            )
        try:
            check_one_question(self)
        except Refused as refused:
            raise Refused(refused.code, without_options(refused.message)) from None
        if self.published:
            bounds.check("shoes for published figures", self.shoes or 0, EXACT_MOST)


Kind = Literal["simulate", "protect"]
QUESTIONS: dict[Kind, type[LabQuestion]] = {"simulate": SimulateAsked, "protect": ProtectAsked}
assert tuple(QUESTIONS) == get_args(Kind)


def command_of(kind: str, edition: str, asked: SettingsAsked) -> str:
    """The command that asks the same in the shell: what has its default is left out."""
    if not asked.has_command:
        return ""
    words = ["houseway", kind, edition]
    for name, field in type(asked).model_fields.items():
        value = getattr(asked, name)
        if value == field.get_default() or value in ("", None):
            continue
        option = f"--{name.replace('_', '-')}"
        if name == "settings":
            words += [word for setting, chosen in value.items() for word in ("--set", f"{setting}={chosen}")]
        elif isinstance(value, dict):  # options that only this game has
            words += [word for own, given in value.items() for word in asked.option_words(own, given)]
        elif isinstance(value, list):
            words += [word for each in value for word in (option, each)]
        else:
            words += [option] if value is True else [option, str(value)]
    return shlex.join(words)


def without_options(message: str) -> str:
    """A refusal that names options of the shell, as it reads where these are fields."""
    return _OPTION.sub(lambda option: option[1], message)


class WagerChoice(BaseModel):
    """A wager that can be bet."""

    id: str
    name: str
    min_cents: int
    max_cents: int


class BoundsAnswer(BaseModel):
    """What you may ask for here; the shell has no bound."""

    seconds: int = Field(description="After so many seconds it ends, with what is done by then")
    most: int = Field(description="Rounds, or shoes, at most")
    words: str


class SimulateChoices(BaseModel):
    """What can be asked of a simulation of an edition."""

    edition: str
    seats: int = Field(description="The most seats")
    cards: int = Field(description="Cards in a fresh shoe, with the usual settings")
    fresh: bool = Field(description="Every round has a deck of its own: there is no cut card, and nothing is burned")
    burn: int = Field(description="Cards burned where nothing is said")
    burn_by_value: bool = Field(description="Whether a card that is burned says how many more are")
    players: list[str] = Field(description="Ways to decide, the usual one first; none where there is nothing to choose")
    engines: list[str]
    wagers: list[WagerChoice]
    bets: str = Field(description="What the house's own player bets, for sessions")
    is_slow: bool = Field(description="Whether it is dealt through the readable rules, for want of a simulator")
    flagged: float = Field(description="A return so many standard errors from the exact one is flagged")
    parquet: bool = Field(description="Whether Parquet can be written here")
    bounds: BoundsAnswer


class CountChoice(BaseModel):
    """A count that somebody has published."""

    name: str
    tags: str
    trigger: str
    start: str
    cut: int
    decks: int


class ProtectChoices(BaseModel):
    """What can be asked of the protection of an edition."""

    edition: str
    why_not: str = Field(description="Why nothing can be asked; else empty")
    why_no_count: str = Field(description="Why nothing can be counted; else empty")
    cards: list[str] = Field(description="The cards that have tags, in order")
    shoe_cards: int
    wagers: list[WagerChoice]
    counts: dict[str, list[CountChoice]] = Field(description="Published counts, by wager")
    divisors: dict[str, str] = Field(description="What a true count may be divided by, in words")
    burn: int
    burn_by_value: bool
    seats: list[int] = Field(description="How many players there may be")
    plays: list[str] = Field(description="How hands may be decided by a count, the usual way first; none where none are")
    decided: list[str] = Field(description="Wagers whose hands a count may decide")
    beside: dict[str, list[str]] = Field(description="Side bets, with the wagers one of which lies beside them as the main bet")
    seen: list[str] = Field(description="Ways to see cards whose worth is known")
    shoes: int
    published_shoes: int = Field(description="Shoes on which published figures are tried where nothing is said")
    exact_shoes: int
    hour: int = Field(description="Decisions an hour, usually")
    tolerate: str
    parquet: bool
    bounds: BoundsAnswer


def _bounds_answer(bounds: Bounds, what: str, most: int) -> BoundsAnswer:
    time = number_of(bounds.seconds, "second")
    words = f"At most {most * bounds.times:,} {what} and {time} here; what is done by then is shown. The shell has no bound."
    return BoundsAnswer(seconds=bounds.seconds, most=most * bounds.times, words=words)


def _wagers(edition: Edition, names: tuple[str, ...] | None = None) -> list[WagerChoice]:
    """The wagers that are bet, in the game's order; those of a list only, if one is given."""
    return [
        WagerChoice(id=name, name=wager.name, min_cents=limits.min_cents, max_cents=limits.max_cents)
        for name, wager in edition.offered.items()
        if not wager.follows and (names is None or name in names)
        for limits in [edition.wagers[name].limits]
    ]


def simulate_choices(edition: Edition, bounds: Bounds) -> SimulateChoices:
    """What the page offers for an edition."""
    settings, simulator = edition.settings({}), simulator_for(edition)
    return SimulateChoices(
        edition=edition.id,
        seats=edition.game.dealing.seats,
        cards=sum(edition.game.shoe(settings)),
        fresh=fresh_each_round(edition, settings),
        burn=BURN,
        burn_by_value=bool(simulator and simulator.burn_values),
        players=list(simulator.players if simulator else edition.game.face.choices),
        engines=list(ENGINES),
        wagers=_wagers(edition),
        bets=",".join(f"{wager}={typed(cents)}" for wager, cents in edition.house_player_bets().items()),
        is_slow=simulator is None,
        flagged=FLAGGED,
        parquet=writes_parquet(),
        bounds=_bounds_answer(bounds, "rounds", ROUNDS_MOST),
    )


def _beside(protection: Protection, counted: list[WagerChoice]) -> dict[str, list[str]]:
    """The side bets among the wagers that are counted, and the main ones beside which they may lie."""
    main = [wager.id for wager in counted if wager.id in protection.main]
    return {wager.id: main for wager in counted if main and wager.id not in main}


def protect_choices(edition: Edition, bounds: Bounds) -> ProtectChoices:
    """What the page offers for an edition."""
    settings, protection, simulator = edition.settings({}), None, None
    why_not = why_no_count = ""
    try:
        protection = protection_of(edition)
    except Refused as refused:
        why_not = refused.message
    try:
        simulator = counted_simulator(edition, settings) if protection else None
    except Refused as refused:
        why_no_count = without_options(refused.message)
    seen = list(protection.seen) if protection else []
    along = {wager for beside in protection.along.values() for wager in beside} if protection else set()
    counted = _wagers(edition, tuple(each for each in simulator.wagers if each not in along)) if simulator else []
    decided = [wager.id for wager in counted if protection and wager.id in protection.playing]
    return ProtectChoices(
        edition=edition.id,
        why_not=why_not or ("" if counted or seen else why_no_count),
        why_no_count=why_no_count,
        cards=list(CARDS_COUNTED),
        shoe_cards=sum(edition.game.shoe(settings)),
        wagers=counted or _wagers(edition),
        counts={
            wager: [
                CountChoice(
                    name=count.name,
                    tags=",".join(map(str, count.tags)),
                    trigger=str(count.trigger),
                    start="" if count.start is None else str(count.start),
                    cut=count.cut,
                    decks=count.decks,
                )
                for count in counts
            ]
            for wager, counts in (protection.published if protection else {}).items()
        },
        divisors=dict(DIVISORS),
        burn=BURN,
        burn_by_value=bool(simulator and simulator.burn_values),
        seats=list(edition.seats) or list(range(1, edition.game.dealing.seats + 1)),
        plays=list(PLAYS) if decided else [],
        decided=decided,
        beside=_beside(protection, counted) if protection else {},
        seen=seen,
        shoes=SHOES,
        published_shoes=SHOES_TRIED,
        exact_shoes=EXACT_SHOES,
        hour=protection.decisions_an_hour if protection else 0,
        tolerate=typed(TOLERATED_CENTS),
        parquet=writes_parquet(),
        bounds=_bounds_answer(bounds, "shoes", SHOES_WATCHED_MOST),
    )
