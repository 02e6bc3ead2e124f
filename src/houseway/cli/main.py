"""The `houseway` program."""

import gc
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from houseway import __version__
from houseway.cli import live
from houseway.cli.commands import StoreUrl
from houseway.cli.editions import editions_app
from houseway.cli.extend import Output, options_of_games, own_command, shells, with_options
from houseway.cli.game import game_app
from houseway.cli.serve import serve
from houseway.cli.text import Format
from houseway.refusal import Refused, one_of

INTERRUPTED = 130
OBJECTS_BETWEEN_SEARCHES = 100_000
"""Python looks for garbage in cycles after so many new objects. Starting makes many and drops none: at its usual 700 a tenth
of the time goes into looking."""

app = typer.Typer(
    name="houseway",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

EditionName = Annotated[str, typer.Argument(metavar="EDITION", help="an edition's name, or the path of a TOML file")]
Choices = Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="any other switch of the edition")]
Readings = Annotated[
    list[str] | None, typer.Option("--reading", metavar="R8=even-money", help="choose a reading (may be repeated)")
]
Decks = Annotated[int | None, typer.Option(help="decks in the shoe")]
PayTable = Annotated[str | None, typer.Option(metavar="T", help="pay table")]
Joker = Annotated[str | None, typer.Option(metavar="semi|full", help="semi-wild or fully wild joker")]
HouseWay = Annotated[str | None, typer.Option(metavar="NAME", help="the dealer's House Way")]


def _chosen(readings: list[str] | None, choices: list[str] | None, **options: int | str | None) -> dict[str, int | str]:
    chosen: dict[str, int | str] = {name: value for name, value in options.items() if value is not None}
    for text in [*(readings or []), *(choices or [])]:
        name, equals, value = text.partition("=")
        if not equals:
            raise Refused("bad-setting", f'"{text}" is not a setting: write name=value, such as R8=even-money')
        chosen[name.strip()] = value.strip()
    return chosen


def _show_version(asked: bool) -> None:
    if asked:
        print(f"houseway {__version__}")
        raise typer.Exit


@app.callback()
def program(
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="show the version")] = False,
) -> None:
    """Table games for card rooms, game makers and regulators: play it, pay it, prove it, from one rulebook per game."""


@app.command(name="pin")
def pin(
    edition: Annotated[str, typer.Argument(metavar="EDITION", help="an edition's name: one at a time")],
    because: Annotated[str, typer.Option(metavar="REASON", help="why sources changed, if behaviour is proved the same")] = "",
    approval: Annotated[
        tuple[str, str] | None, typer.Option(metavar="LETTER DATE", help="the letter that approves changed behaviour")
    ] = None,
) -> None:
    """Pin an edition's rules as they are: with a reason if they behave as before, else with a letter of approval."""
    from houseway.cli.approval import pin_edition

    pin_edition(edition, because, approval)


@app.command(name="self-check")
def self_check(store: StoreUrl = None, format_: Output = Format.TABLE) -> None:
    """Compare every file of the program with its release, and note that in the journal; exit code 1 if any differs."""
    from houseway.cli.approval import show_self_check

    if not show_self_check(store, format_):
        raise typer.Exit(1)


@app.command(name="rules")
def rules(
    edition: EditionName,
    clause: Annotated[str | None, typer.Option(metavar="ID", help="show one clause")] = None,
    format_: Output = Format.TABLE,
) -> None:
    """Show an edition's clauses: rules, procedures and conditions, with their source."""
    from houseway.cli.books import show_rules

    show_rules(edition, clause, format_)


@app.command(name="clauses")
def clauses(format_: Output = Format.TABLE) -> None:
    """Show for each sentence of each document where it is carried out, and how one sees it at the table (as Markdown)."""
    from houseway.cli.clauses import show_clauses

    show_clauses(format_)


@app.command(name="readings")
def readings(edition: EditionName, format_: Output = Format.TABLE) -> None:
    """Show what the documents leave open: each reading, its values, and the house edge under each."""
    from houseway.cli.books import show_readings

    show_readings(edition, format_)


@app.command(name="odds")
def odds(
    edition: EditionName,
    wager: Annotated[str | None, typer.Option(metavar="W", help="one wager only")] = None,
    decks: Decks = None,
    pay_table: PayTable = None,
    joker: Joker = None,
    house_way: HouseWay = None,
    reading: Readings = None,
    setting: Choices = None,
    players: Annotated[int, typer.Option(metavar="N", help="players at the table, oneself included (envy)")] = 1,
    bet: Annotated[str, typer.Option(metavar="DOLLARS", help="the bet that envy prizes are set against")] = "5",
    removed: Annotated[str, typer.Option(metavar="CARDS", help='cards gone from the shoe, such as "7s 7h 10x 10x"')] = "",
    removal_effects: Annotated[
        bool, typer.Option("--removal-effects", help="show what removing one card of each rank does to the house edge")
    ] = False,
    what_if: Annotated[bool, typer.Option("--what-if", help="compute settings outside the approval, marked so")] = False,
    player: Annotated[
        str, typer.Option(metavar="HOW", help="how the player decides: best, or another way that the game's solver knows")
    ] = "",
    format_: Output = Format.TABLE,
) -> None:
    """Compute the exact odds of every wager, for any settings and any composition of the shoe."""
    from houseway.cli.odds import OddsQuestion, show_odds, show_removal_effects

    chosen = _chosen(reading, setting, decks=decks, pay_table=pay_table, joker=joker, house_way=house_way)
    if player:
        from houseway.cli.solve import SolverQuestion, show_player
        from houseway.money import parse_cents

        if not wager or removed or removal_effects or what_if:
            raise Refused("bad-request", "--player goes with one --wager, and neither with cards removed nor with --what-if")
        asked = {"players": players, "bet_cents": parse_cents(bet, "bet"), "removed": removed}
        show_player(SolverQuestion(edition, chosen), wager, player, asked, format_)
        return
    question = OddsQuestion(edition, wager, chosen, players, bet, removed, what_if)
    (show_removal_effects if removal_effects else show_odds)(question, format_)


def solve(
    edition: EditionName,
    decks: Decks = None,
    joker: Joker = None,
    house_way: HouseWay = None,
    reading: Readings = None,
    setting: Choices = None,
    format_: Output = Format.TABLE,
    of_games: dict[str, Any] | None = None,
) -> None:
    """Find the best play and its edge, what to remember of it, and what that costs."""
    from houseway.cli.solve import SolverQuestion, show_solution

    chosen = _chosen(reading, setting, decks=decks, joker=joker, house_way=house_way)
    show_solution(SolverQuestion(edition, chosen, of_games or {}), format_)


_shells = shells()
app.command(name="solve")(with_options(solve, options_of_games(_shells.values())))


@app.command(name="strategy")
def strategy(
    edition: EditionName,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="write a chart: the file's ending tells what it is")] = None,
    decks: Decks = None,
    joker: Joker = None,
    house_way: HouseWay = None,
    reading: Readings = None,
    setting: Choices = None,
    format_: Output = Format.TABLE,
) -> None:
    """Show the computed strategy of a game, as a person remembers it: a chart, a line, or a few."""
    from houseway.cli.solve import SolverQuestion, show_strategy

    chosen = _chosen(reading, setting, decks=decks, joker=joker, house_way=house_way)
    show_strategy(SolverQuestion(edition, chosen), save, format_)


@app.command(name="best")
def best(
    edition: EditionName,
    hand: Annotated[str, typer.Option(metavar="CARDS", help="the player's cards")],
    dealer: Annotated[str, typer.Option(metavar="CARD", help="the dealer's up-card, or a card of his that is seen")] = "",
    other: Annotated[str, typer.Option(metavar="CARDS", help="another player's hand that is seen")] = "",
    decks: Decks = None,
    joker: Joker = None,
    house_way: HouseWay = None,
    reading: Readings = None,
    setting: Choices = None,
    format_: Output = Format.TABLE,
) -> None:
    """Tell what every choice with a hand is worth, and which is the best."""
    from houseway.cli.solve import SolverQuestion, show_best

    chosen = _chosen(reading, setting, decks=decks, joker=joker, house_way=house_way)
    show_best(SolverQuestion(edition, chosen), hand, dealer, other, format_)


@app.command(name="settle")
def settle(
    edition: EditionName,
    cards: Annotated[
        str, typer.Option(help="the cards in the order they are dealt, or each hand by itself, with / between: player / dealer")
    ],
    bets: Annotated[str, typer.Option(metavar="WAGER=DOLLARS,...", help="such as main=100,bonus=5")],
    choices: Annotated[
        str, typer.Option(help='the player\'s choices in order: "play", "hit,stand", "set Ah Kd", "house-way", "red"')
    ] = "",
    others: Annotated[
        list[str] | None, typer.Option(metavar="CARDS", help="another player's seven cards, for envy (may be repeated)")
    ] = None,
    decks: Decks = None,
    pay_table: PayTable = None,
    joker: Joker = None,
    house_way: HouseWay = None,
    reading: Readings = None,
    setting: Choices = None,
    what_if: Annotated[
        bool, typer.Option("--what-if", help="settle also what no table would take: limits, settings; marked so")
    ] = False,
    format_: Output = Format.TABLE,
) -> None:
    """Settle a hand: each step with its clause, and what each wager is paid."""
    from houseway.cli.settlement import show_settlement

    chosen = _chosen(reading, setting, decks=decks, pay_table=pay_table, joker=joker, house_way=house_way)
    show_settlement(edition, cards, bets, choices, tuple(others or ()), chosen, what_if, format_)


for _game, _shell in _shells.items():
    for _command in _shell.commands:
        app.command(name=_command.name)(own_command(_game, _command))


@app.command(name="verify")
def verify(
    edition: Annotated[str | None, typer.Argument(metavar="EDITION", help="one edition only")] = None,
    every: Annotated[bool, typer.Option("--all", help="list every figure, also those that simply agree")] = False,
    format_: Output = Format.TABLE,
) -> None:
    """Recompute every published figure and say whether it agrees, which reading explains it, or that it differs."""
    from houseway.cli.findings import show_findings

    if show_findings(edition, every, format_):
        raise typer.Exit(1)


@app.command(name="play")
def play_command(
    edition: EditionName,
    bankroll: Annotated[str, typer.Option(metavar="DOLLARS", help="the chips to sit down with")] = "500",
    store: Annotated[str | None, typer.Option(metavar="URL", help="a store to play on; otherwise a private one")] = None,
) -> None:
    """Play an edition in the terminal: bets, cards, why each card was drawn, payouts; q leaves."""
    from houseway.cli.play import play

    play(edition, bankroll, store)


app.command(name="serve")(serve)

for _name, _app in (
    ("editions", editions_app),
    ("game", game_app),
    ("table", live.table_app),
    ("board", live.board_app),
    ("cage", live.cage_app),
    ("journal", live.journal_app),
    ("shoe", live.shoe_app),
    ("audit", live.audit_app),
):
    app.add_typer(_app, name=_name)


def main() -> None:
    """Run the program; a refusal is one line on standard error and exit code 2."""
    gc.set_threshold(OBJECTS_BETWEEN_SEARCHES)
    arguments = sys.argv[1:] or ["--help"]
    try:
        if not arguments[0].startswith("-"):
            groups = [str(group.name) for group in app.registered_groups]
            one_of("command", arguments[0], [*(str(command.name) for command in app.registered_commands), *groups])
        exit_code = app(arguments, standalone_mode=False)
        if exit_code == INTERRUPTED:
            print("houseway: stopped", file=sys.stderr)
        sys.exit(exit_code)
    except Refused as refused:
        _complain(refused.message)
    except typer.TyperException as error:
        command = "houseway" if arguments[0].startswith("-") else f"houseway {arguments[0]}"
        _complain(f"{_in_our_words(error.format_message())} (see {command} --help)")
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)


def _in_our_words(message: str) -> str:
    """What the parser of options says, without the words of its own parts."""
    not_whole = "Input should be a valid integer, unable to parse string as an integer"
    return message.rstrip(".").replace(not_whole, "a whole number is required").replace("Value error, ", "")


def _complain(message: str) -> None:
    print(f"houseway: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
