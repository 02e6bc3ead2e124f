"""The Python API: an edition with everything one can ask of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING

from houseway.cards import Composition, parse_cards, parse_composition
from houseway.games import edition_files, open_edition
from houseway.kernels.count import Progress
from houseway.odds.par_sheet import ParSheet, check_players, par_sheet
from houseway.odds.removal import removal_effects
from houseway.refusal import Refused
from houseway.rulebook import Clause, Edition, Settings
from houseway.rulebook.decided import DecidingReading, SettledUnder, deciding_readings
from houseway.rulebook.edition import PAY_TABLE
from houseway.rulebook.game import Step, Value
from houseway.rulebook.settle import Law, Settlement, check_bets, parse_bets, settle
from houseway.rulebook.tape import read_tape
from houseway.rulebook.words import sentence

if TYPE_CHECKING:
    from houseway.design.report import Designed
    from houseway.odds.published import Finding
    from houseway.protect.report import Protected
    from houseway.report.make import MadeReport
    from houseway.simulate.report import Simulated
    from houseway.simulate.run import Progress as SimulationProgress
    from houseway.simulate.run import Simulation
    from houseway.solve.solver import Choice


@dataclass(frozen=True)
class Rulebook:
    """An edition, opened.

    >>> book = Rulebook.open("lucky-lucky-wa")
    >>> str(book.edition.approval)
    'Washington, 2012-05-31'
    """

    edition: Edition

    @classmethod
    def open(cls, name: str) -> "Rulebook":
        """An edition by name, built-in or registered as one's own, or from the path of a TOML file."""
        if name.endswith(".toml") or name in edition_files():
            return cls(open_edition(name))
        from houseway.house.editions import find_edition  # only now: most questions need no house
        from houseway.house.store import known_store

        return cls(find_edition(name, known_store))

    @property
    def clauses(self) -> dict[str, Clause]:
        """The clauses of the edition's documents, by id."""
        return self.edition.clauses()

    def _chosen(self, settings: Mapping[str, Value], what_if: bool) -> Settings:
        """The settings that are asked about; a refusal of what is not approved says how it is computed all the same."""
        try:
            return self.edition.settings(settings, what_if)
        except Refused as refused:
            anyway = "; --what-if computes it anyway" if refused.code == "outside-approval" else ""
            raise Refused(refused.code, f"{refused.message}{anyway}") from None

    def odds(
        self,
        removed: str = "",
        players: int = 1,
        bet_cents: int = 500,
        what_if: bool = False,
        progress: Progress | None = None,
        **settings: Value,
    ) -> "Odds":
        """The odds of every wager; each par sheet is computed when it is first asked for.

        >>> odds = Rulebook.open("lucky-lucky-wa").odds(decks=8)
        >>> odds["lucky-lucky"]["suited-777"].combinations
        224
        >>> odds = Rulebook.open("ez-pai-gow-wa").odds(pay_table=3, players=6)
        >>> f"{float(odds['dynasty'].house_edge):.2%}"
        '3.13%'
        """
        chosen = self._chosen(settings, what_if)
        check_players(self.edition, players)
        return Odds(self.edition, chosen, parse_composition(removed), players, bet_cents, progress)

    def settle(
        self, cards: str, bets: str, choices: str = "", others: tuple[str, ...] = (), what_if: bool = False, **settings: Value
    ) -> Settlement:
        """Settle a round: cards in the order they were dealt, or hands with `/` between, bets in dollars, choices in order.

        >>> for payment in Rulebook.open("duki-4-wa").settle(
        ...     "9h 9c 6s Jd / 9s 9d 5h 8c", "ante=10", choices="play").payments:
        ...     print(payment.wager, payment.outcome, payment.win_cents)
        ante win-pair 2000
        play win-pair 1000
        """
        chosen = self._chosen(settings, what_if)
        return self._settled(cards, bets, choices, others, chosen)(chosen)

    def explain(
        self, cards: str, bets: str, choices: str = "", others: tuple[str, ...] = (), what_if: bool = False, **settings: Value
    ) -> "Explained":
        """Settle a round, and name what decided: the pay tables, and every reading under which it would be paid otherwise.

        What a table would refuse is refused: bets outside the limits or the law of today, settings outside the approval.
        With `what_if` it is settled all the same, and marked.

        >>> explained = Rulebook.open("duki-4-wa").explain("9h 9c 6s Jd / 9s 9d 5h 8d", "ante=10", choices="play")
        >>> [(reading.id, reading.value, reading.otherwise) for reading in explained.readings]
        [('R8', 'ante-table', (('even-money', '$10 less for the player'),))]
        """
        chosen = self._chosen(settings, what_if)
        settled_under = self._settled(cards, bets, choices, others, chosen)
        settlement = settled_under(chosen)
        paid = dict.fromkeys(payment.wager for payment in settlement.payments)
        tables = {wager: str(chosen[PAY_TABLE]) for wager in paid if len(self.edition.wagers[wager].pays) > 1}
        return Explained(settlement, tables, tuple(deciding_readings(self.edition, chosen, settlement, settled_under)))

    def _settled(self, cards: str, bets: str, choices: str, others: tuple[str, ...], chosen: Settings) -> SettledUnder:
        """A round, to be settled under any settings; its cards are read under those that are chosen."""
        bet, law = parse_bets(bets), _law_of_today(self.edition)
        decided = tuple(filter(None, (choice.strip() for choice in choices.split(","))))
        hands = tuple(parse_cards(hand) for hand in others)
        check_bets(self.edition, bet, chosen, law)
        tape = read_tape(self.edition, cards, bet, decided, chosen)
        return lambda settings: settle(self.edition, tape, bet, decided, settings, hands, law)

    def words(self, step: Step) -> str:
        """A step of a round as a sentence.

        >>> book = Rulebook.open("ez-baccarat-wa")
        >>> [book.words(step) for step in book.settle("9s 7h Kd 3c", "player=25").steps][:2]
        ['Player has 9s Kd: 9', 'Banker has 7h 3c: 0']
        """
        return sentence(self.edition.game.face.steps, step)

    def solved(self, wager: str, player: str, progress: Progress | None = None, **settings: Value) -> ParSheet:
        """The odds of a wager for a player who decides in this way: `best`, or another that the game's solver knows.

        They are exact, or solved in 64-bit floats where the sheet's `method` is `solved`.

        >>> sheet = Rulebook.open("duki-4-wa").solved("ante", "best")
        >>> sheet.house_edge
        Fraction(96459473, 2926537250)
        """
        from houseway.solve.solver import solved_sheet

        return solved_sheet(self.edition, wager, self.edition.settings(settings), player, progress)

    def choices(self, hand: str, dealer: str = "", other: str = "", **settings: Value) -> "list[Choice]":
        """What every choice with a hand is worth, the best first.

        >>> [(choice.name, round(choice.worth, 4)) for choice in Rulebook.open("lucky-lucky-wa").choices("8s 8d", "10h")][:2]
        [('split', -0.4749), ('hit', -0.5354)]
        """
        from houseway.solve.solver import choices

        chosen = self.edition.settings(settings)
        return choices(self.edition, chosen, parse_cards(hand), parse_cards(dealer), parse_cards(other))

    def simulate(
        self,
        rounds: int = 0,
        shoes: int = 0,
        *,
        seats: int = 0,
        player: str = "",
        bets: Sequence[Mapping[str, int]] = (),
        cut: int | None = None,
        burn: int | None = None,
        burn_by_value: bool = False,
        extra: int = 0,
        shuffler: bool = False,
        seed: int = 1,
        engine: str = "threads",
        scheduler: str = "",
        workers: int = 0,
        session: int = 0,
        bankroll_cents: int = 0,
        bank_cents: int = 0,
        resume: bool = False,
        what_if: bool = False,
        progress: "SimulationProgress | None" = None,
        so_far: "Callable[[Simulated], None] | None" = None,
        **settings: Value,
    ) -> "Simulated":
        """Deal whole shoes by the rules, until there are at least so many rounds, or so many shoes.

        `bets` are cents by wager, for one seat or for each; `cut` is the cards behind the cut card. The same seed gives the
        same tallies whatever `engine` deals: threads, dask or cuda. `so_far` is told now and then what is dealt by then, always
        the first shoes; what is done lies on the disk meanwhile, so that it can be resumed.

        >>> simulated = Rulebook.open("ez-baccarat-wa").simulate(shoes=200)
        >>> simulated.rounds, simulated.wagers["tie"].hits["tie"], simulated.flagged
        (12672, 1169, [])
        """
        from houseway.games import edition_from
        from houseway.simulate.question import ask, seats_of
        from houseway.simulate.report import Simulated
        from houseway.simulate.run import Goal
        from houseway.simulate.run import simulate as run

        chosen = self.edition.settings(settings, what_if)
        seated = seats_of(self.edition, chosen, seats, player, bets, bool(session))
        question = ask(
            self.edition,
            chosen,
            seated,
            cut=cut,
            burn=burn,
            burn_by_value=burn_by_value,
            extra=extra,
            shuffler=shuffler,
            seed=seed,
            session_rounds=session,
        )
        if (bankroll_cents or bank_cents) and not session:
            raise Refused("bad-request", "a bankroll or a bank is ruined within a session: say of how many rounds (--session)")

        def reported(dealt: "Simulation") -> Simulated:
            return Simulated(dealt, bankroll_cents, bank_cents)

        tell = None if so_far is None else lambda dealt: so_far(reported(dealt))
        goal = Goal(rounds, shoes)
        return reported(run(question, goal, edition_from, engine, scheduler, workers, resume, progress, tell))

    def protect(
        self,
        wager: str,
        count: str = "",
        trigger: str | int | Fraction | None = None,
        *,
        start: str | int | Fraction | None = None,
        cut: int | None = None,
        burn: int | None = None,
        burn_by_value: bool = False,
        burn_shown: bool = False,
        extra: int = 0,
        divisor: str = "cards",
        players: int = 1,
        shoes: int = 500_000,
        exact_shoes: int = 1_000,
        seed: int = 1,
        bet_cents: int = 0,
        decisions_an_hour: int = 0,
        tolerated_cents: int = 2_000,
        spread: str = "",
        play: str = "",
        main_count: str = "",
        main_spread: str = "",
        what_if: bool = False,
        progress: Progress | None = None,
        **settings: Value,
    ) -> "Protected":
        """What somebody could win who counts cards: tags for A,2..9,T and the count from which on he bets, or the best ones.

        A count is a true count, unless it has a `start`. `cut` is the cards behind the cut card; what a bet and an hour are,
        unless given, is the limit of the wager and the usual pace of the game. A `spread` (COUNT:UNITS,...) says how much is
        bet by the count, `play` how hands are decided where a count decides them: by `indices`, a `chart`, or one in a file.
        Where a main bet lies beside, `main_count` and `main_spread` say how that goes.

        >>> protected = Rulebook.open("ez-baccarat-wa").protect(
        ...     "dragon-7", "0,0,0,-1,-1,-1,-1,2,2,0", 4, cut=14, shoes=1000, exact_shoes=20)
        >>> f"{protected.data()['betting_correlation']:.4f}"
        '0.9642'
        """
        from houseway.protect.ask import ask_protection

        return ask_protection(
            self.edition,
            self.edition.settings(settings, what_if),
            wager,
            tags=count,
            trigger=trigger,
            start=start,
            cut=cut,
            burn=burn,
            burn_by_value=burn_by_value,
            burn_shown=burn_shown,
            extra=extra,
            divisor=divisor,
            players=players,
            shoes=shoes,
            exact_shoes=exact_shoes,
            seed=seed,
            bet_cents=bet_cents,
            decisions_an_hour=decisions_an_hour,
            tolerated_cents=tolerated_cents,
            spread=spread,
            play=play,
            main_count=main_count,
            main_spread=main_spread,
            progress=progress,
        )

    def design(
        self,
        wager: str | Sequence[str],
        edge: str,
        *,
        hit: str = "",
        sd: str = "",
        top: str = "",
        rows: Mapping[str, str] | Sequence[str] = (),
        pays: str = "",
        envy: Mapping[str, str] | Sequence[str] = (),
        goal: str = "fewest-changes",
        most: int = 1,
        any_order: bool = False,
        frontier: int = 0,
        players: str = "1",
        bets: str = "5",
        seconds: float = 60,
        what_if: bool = False,
        progress: Progress | None = None,
        **settings: Value,
    ) -> "Designed":
        """Pay tables of a wager, or of several, whose edge and other figures lie in these bands; found and proved exactly.

        Bands are written as `6%..8%` or `..9`, settings as lists (`decks="1..8"`: under each of them everything must hold),
        rows as `{"flush": "4..6"}`. The answer is plain data (`data()`), and an edition's content (`content(id)`, `toml(id)`).

        >>> designed = Rulebook.open("lucky-lucky-wa").design("lucky-lucky", "5%..6%", hit="23%..24%")
        >>> [(change["row"], change["from"], change["to"]) for change in designed.data()["wagers"][0]["designs"][0]["changes"]]
        [('suited-21', '15 to 1', '25 to 1'), ('21', '3 to 1', '2 to 1')]
        """
        from houseway.design.ask import Wish
        from houseway.design.report import design

        wish = Wish(edge, hit, sd, top, rows, pays, envy, goal, most, any_order, frontier, players, bets, seconds)
        wagers = [wager] if isinstance(wager, str) else list(wager)
        return design(self.edition, wagers, wish, settings, date.today().isoformat(), what_if, progress)

    def report(
        self,
        kind: str,
        *,
        paper: str = "",
        on: str = "",
        what_if: bool = False,
        progress: Progress | None = None,
        **options: Value,
    ) -> "MadeReport":
        """A report of one of the kinds that `houseway report` knows, as of a day (today), on its usual paper.

        `options` are those of the kind, and settings of the edition. What is made is saved, whole or not at all, as the ending
        says: `.pdf` (with its data inside), `.html`, `.json`, `.csv`.

        >>> posting = Rulebook.open("ez-baccarat-wa").report("posting", on="2026-03-01", limit="tie=5-100")
        >>> posting.figures["wagers.tie.most"]
        {'shown': '$100', 'exact': '10000', 'unit': 'cents'}
        """
        from houseway.report.make import asked_report

        return asked_report(kind, self.edition, options, paper=paper, on=on, what_if=what_if, progress=progress)

    def removal_effects(self, wager: str, what_if: bool = False, **settings: Value) -> dict[str, Fraction]:
        """How much one card of each rank, taken out, changes the house edge of a wager."""
        return removal_effects(self.edition, self._chosen(settings, what_if), wager)

    def verify(self) -> "list[Finding]":
        """Every figure that the edition's document prints, recomputed."""
        from houseway.odds.published import verify  # only now: other questions need no published figure

        return verify(self.edition)


@dataclass(frozen=True)
class Explained:
    """A settled round with what decided it: the pay table of each wager that has several, and the readings."""

    settlement: Settlement
    pay_tables: Mapping[str, str]
    readings: tuple[DecidingReading, ...]


def _law_of_today(edition: Edition) -> Law | None:
    """What the law of today does not allow at a table of this edition."""
    if edition.approval.jurisdiction != "Washington":
        return None
    from houseway.table.washington import check_washington  # only now: odds need no table

    day = date.today().isoformat()
    return lambda bets: check_washington(edition, bets, day)


class Odds(Mapping[str, ParSheet]):
    """The par sheets of an edition's wagers, by wager."""

    def __init__(
        self,
        edition: Edition,
        settings: Settings,
        removed: Composition,
        players: int,
        bet_cents: int,
        progress: Progress | None = None,
    ) -> None:
        self.edition, self.settings, self.removed = edition, settings, removed
        self.players, self.bet_cents, self.progress = players, bet_cents, progress
        self._sheets: dict[str, ParSheet] = {}

    def __getitem__(self, wager: str) -> ParSheet:
        if wager not in self._sheets:
            self._sheets[wager] = par_sheet(
                self.edition, wager, self.settings, self.removed, self.players, self.bet_cents, self.progress
            )
        return self._sheets[wager]

    def __iter__(self) -> Iterator[str]:
        return (name for name in self.edition.wagers if self.edition.game.wagers[name].count)

    def __len__(self) -> int:
        return len(list(iter(self)))

    def offered(self, sheet_of: Callable[[str], ParSheet] | None = None) -> tuple[list[ParSheet], dict[str, str]]:
        """The par sheets of every wager on offer, or what `sheet_of` tells of each, and why the others are not."""
        sheets, left_out = [], {}
        for name in self:
            try:
                sheets.append((sheet_of or self.__getitem__)(name))
            except Refused as refused:
                if refused.code not in {"not-offered", "suit-needed"}:
                    raise
                left_out[name] = refused.message
        return sheets, left_out
