"""The kinds of report, each declared once: the shell's commands, Python's, the house's pages and `verify` come from here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from houseway.refusal import Refused, one_of
from houseway.report.paper import PAPERS, Paper
from houseway.solve.shell import Option

if TYPE_CHECKING:  # the shell lists the kinds whenever it starts
    from houseway.report.asked import AskedReport
    from houseway.report.document import Document


@dataclass(frozen=True)
class ReportKind:
    """A kind of report: what it is about, the options that it alone has, its papers (the first is usual), and its builder."""

    name: str
    about: str
    build: "Callable[[AskedReport], Document]"
    options: tuple[Option, ...] = ()
    papers: tuple[str, ...] = ("a4", "letter")

    def paper(self, name: str) -> Paper:
        """The paper of this name, or the usual one."""
        return PAPERS[one_of("paper", name or self.papers[0], self.papers)]

    def chosen(self, given: Mapping[str, object]) -> dict[str, str | bool]:
        """The options with their values, by the names that they have in the shell; a flag is true or false."""
        values: dict[str, str | bool] = {option.name: option.default if option.takes else False for option in self.options}
        for name, value in given.items():
            key = one_of("option", name.replace("_", "-"), values)
            if isinstance(values[key], bool) != isinstance(value, bool):
                raise Refused(
                    "bad-option", f"{key}: {value!r} is not possible ({'yes or no' if value else 'a text'} is required)"
                )
            values[key] = value if isinstance(value, bool) else str(value)
        return values


def _posting(asked: "AskedReport") -> "Document":
    from houseway.report.posting import build

    return build(asked)


def _rack_card(asked: "AskedReport") -> "Document":
    from houseway.report.rack_card import build

    return build(asked)


def _submission(asked: "AskedReport") -> "Document":
    from houseway.report.submission import build

    return build(asked)


def _procedures(asked: "AskedReport") -> "Document":
    from houseway.report.procedures import build

    return build(asked)


def _strategy(asked: "AskedReport") -> "Document":
    from houseway.report.strategy import build

    return build(asked)


HOUSE = Option("house", "the name of the house, as it is printed", "NAME")
LIMIT = Option(
    "limit",
    "the table's own limits in dollars, such as WAGER=5-300, several with commas; `houseway odds` names the wagers",
    "WAGER=LEAST-MOST,...",
)
OFFERED = Option("offered", "the wagers that may be bet here, if not all of the edition's", "WAGER,...")

KINDS = {
    kind.name: kind
    for kind in (
        ReportKind(
            "posting",
            "What is posted at a table: wagers, limits, fees, pays, rules of play, disputes (WAC 230-15-060).",
            _posting,
            (
                HOUSE,
                LIMIT,
                OFFERED,
                Option("aggregate", "the most that one deal pays on a wager", "WAGER=DOLLARS,..."),
                Option("fees", "what the house takes from players, in a sentence (none)", "TEXT"),
                Option("employees", "whether and when the house's own people may play, in a sentence", "TEXT"),
                Option("disputes", "what a guest does who disagrees, and who decides (as this program does it)", "TEXT"),
            ),
            ("a4", "letter", "wall"),
        ),
        ReportKind(
            "rack-card",
            "What a guest takes away: the game in short, wagers and pays; the house's edge if you wish.",
            _rack_card,
            (HOUSE, LIMIT, OFFERED, Option("edge", "print the house edge of every wager")),
            ("card", "a4", "letter"),
        ),
        ReportKind(
            "submission",
            "What a maker hands to a laboratory: rules with examples, par sheets, strategy, protection, exposure, hold.",
            _submission,
            (
                HOUSE,
                LIMIT,
                OFFERED,
                Option("bankroll", "what the house puts behind the table: the report says how likely it is lost", "DOLLARS"),
                Option("best", "also what takes minutes: every choice of every hand valued, every result of every deck count"),
                Option("seen", "also what cards seen are worth, and players together: some take minutes"),
            ),
        ),
        ReportKind(
            "procedures",
            "The dealer's guide: order of dealing, taking and paying, an example, irregularities by clause.",
            _procedures,
            (HOUSE, LIMIT, OFFERED),
        ),
        ReportKind(
            "strategy",
            "The chart of the best play, with what errors cost; where hands are set, the House Way.",
            _strategy,
            (HOUSE,),
        ),
    )
}


def kind_of(name: str) -> ReportKind:
    """The kind of this name."""
    return KINDS[one_of("report", name, KINDS)]
