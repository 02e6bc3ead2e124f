"""The `houseway` program."""

import atexit
import gc
import os
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from houseway import __version__
from houseway.cli import keys, live
from houseway.cli.alerts import alerts_app
from houseway.cli.commands import StoreUrl, Who
from houseway.cli.config import config_app
from houseway.cli.configuration import heed, read_configuration, usual_file
from houseway.cli.duties import confirm, decline, duties_app, requests_app
from houseway.cli.editions import editions_app
from houseway.cli.extend import Output, options_of_games, own_command, shells, with_options
from houseway.cli.game import game_app
from houseway.cli.guests import guests_app, patrons_app, staff_app, waitlist_app
from houseway.cli.house import house_app
from houseway.cli.people import people_app
from houseway.cli.plain import write_plainly
from houseway.cli.report import report_app
from houseway.cli.serve import serve
from houseway.cli.slips import slips_app
from houseway.cli.text import Format, chosen_settings
from houseway.cli.train import train_app
from houseway.refusal import Refused, one_of

INTERRUPTED, BROKEN_PIPE = 130, 141
OBJECTS_BETWEEN_SEARCHES = 100_000
"""Python looks for garbage in cycles after so many new objects. Starting makes many and drops none: at its usual 700 a tenth
of the time goes into looking."""


def _program() -> typer.Typer:
    return typer.Typer(name="houseway", add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


app = _program()

EditionName = Annotated[str, typer.Argument(metavar="EDITION", help="an edition's name, or the path of a TOML file")]
Choices = Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="any other switch of the edition")]
Readings = Annotated[
    list[str] | None, typer.Option("--reading", metavar="R8=even-money", help="choose a reading (may be repeated)")
]
Decks = Annotated[int | None, typer.Option(help="decks in the shoe")]
PayTable = Annotated[str | None, typer.Option(metavar="T", help="pay table")]
Joker = Annotated[str | None, typer.Option(metavar="semi|full", help="semi-wild or fully wild joker")]
HouseWay = Annotated[str | None, typer.Option(metavar="NAME", help="the dealer's House Way")]
CountEngine = Annotated[str, typer.Option("--engine", metavar="threads|dask", help="who does long counts")]
CountScheduler = Annotated[
    str, typer.Option("--scheduler", metavar="tcp://HOST:8786", help="a Dask scheduler; without it a local cluster")
]


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
        tuple[str, str] | None, typer.Option(metavar="LETTER DATE", help="the letter that approves what has changed")
    ] = None,
    wording: Annotated[bool, typer.Option("--wording", help="with a reason: what is in our own words reads otherwise")] = False,
) -> None:
    """Pin an edition's rules as they are: with a reason if only sources changed, and behave as before, else with a letter."""
    from houseway.cli.approval import pin_edition

    pin_edition(edition, because, approval, wording)


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
        str, typer.Option(metavar="HOW", help="how the player decides: best, or another that the solver knows; or sampled")
    ] = "",
    engine: CountEngine = "threads",
    scheduler: CountScheduler = "",
    format_: Output = Format.TABLE,
) -> None:
    """Compute the exact odds of every wager, for any settings and any composition of the shoe."""
    from houseway.cli.odds import OddsQuestion, show_odds, show_removal_effects

    chosen = chosen_settings(reading, setting, decks=decks, pay_table=pay_table, joker=joker, house_way=house_way)
    if player and player != "sampled":
        from houseway.cli.solve import SolverQuestion, show_player
        from houseway.money import parse_cents

        if not wager or removed or removal_effects or what_if:
            raise Refused("bad-request", "--player goes with one --wager, and neither with cards removed nor with --what-if")
        asked = {"players": players, "bet_cents": parse_cents(bet, "bet"), "removed": removed}
        question = SolverQuestion(edition, chosen, engine=engine, scheduler=scheduler)
        show_player(question, wager, player, asked, format_)
        return
    if engine != "threads" or scheduler:
        raise Refused("bad-request", "--engine and --scheduler go with --player: nothing else takes so long")
    asked_odds = OddsQuestion(edition, wager, chosen, players, bet, removed, what_if, is_sampled=bool(player))
    (show_removal_effects if removal_effects else show_odds)(asked_odds, format_)


def solve(
    edition: EditionName,
    decks: Decks = None,
    joker: Joker = None,
    house_way: HouseWay = None,
    reading: Readings = None,
    setting: Choices = None,
    engine: CountEngine = "threads",
    scheduler: CountScheduler = "",
    format_: Output = Format.TABLE,
    of_games: dict[str, Any] | None = None,
) -> None:
    """Find the best play and its edge, what to remember of it, and what that costs."""
    from houseway.cli.solve import SolverQuestion, show_solution

    chosen = chosen_settings(reading, setting, decks=decks, joker=joker, house_way=house_way)
    show_solution(SolverQuestion(edition, chosen, of_games or {}, engine, scheduler), format_)


heed(read_configuration(usual_file()))  # it may name folders of games, whose options are read now
_shells = shells()
app.command(name="solve")(with_options(solve, options_of_games(_shells.values())))


@app.command(name="simulate")
def simulate(
    edition: EditionName,
    way: Annotated[str, typer.Argument(metavar="NAME", hidden=True, help="after --player house-way: whose")] = "",
    *,
    rounds: Annotated[str, typer.Option(metavar="N", help="whole shoes until there are at least so many rounds: 1e9")] = "",
    shoes: Annotated[str, typer.Option(metavar="N", help="so many shoes: 1e6")] = "",
    seats: Annotated[int, typer.Option(metavar="N", help="seats at the table (as many as have bets, else 1)")] = 0,
    player: Annotated[
        str, typer.Option(metavar="HOW", help="how the players decide: best, chart, FILE, house-way NAME, or lines")
    ] = "",
    bets: Annotated[
        list[str] | None,
        typer.Option(metavar="WAGER=DOLLARS,...", help="what a seat bets, for sessions (once for all seats, or for each)"),
    ] = None,
    cut: Annotated[int | None, typer.Option(metavar="CARDS", help="cards behind the cut card (a quarter of the shoe)")] = None,
    burn: Annotated[str, typer.Option(metavar="CARDS|value", help="cards burned; value: one, and as many as it is worth")] = "",
    extra: Annotated[int, typer.Option(metavar="N", help="rounds after the one in which the cut card comes")] = 0,
    shuffler: Annotated[bool, typer.Option("--shuffler", help="a continuous shuffler: every round from a whole shoe")] = False,
    seed: Annotated[int, typer.Option(metavar="S", help="the same seed, the same cards, whoever deals")] = 1,
    engine: Annotated[str, typer.Option(metavar="threads|dask|cuda", help="who deals")] = "threads",
    scheduler: Annotated[
        str, typer.Option(metavar="tcp://HOST:8786", help="a Dask scheduler; without it a local cluster")
    ] = "",
    workers: Annotated[int, typer.Option(metavar="N", help="threads, or workers of a local cluster (one for each core)")] = 0,
    session: Annotated[str, typer.Option(metavar="ROUNDS", help="sessions of so many rounds: spread, ruin, losing runs")] = "",
    bankroll: Annotated[str, typer.Option(metavar="DOLLARS", help="how often a player loses this in a session")] = "",
    bank: Annotated[str, typer.Option(metavar="DOLLARS", help="how often the bank loses this in a session")] = "",
    resume: Annotated[bool, typer.Option("--resume", help="go on with what was stopped")] = False,
    decks: Decks = None,
    pay_table: PayTable = None,
    joker: Joker = None,
    house_way: HouseWay = None,
    reading: Readings = None,
    setting: Choices = None,
    what_if: Annotated[bool, typer.Option("--what-if", help="settings outside the approval, marked so")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="write it: .json, .csv, .parquet, .svg (a plot) or .txt")
    ] = None,
    format_: Output = Format.TABLE,
) -> None:
    """Deal whole shoes by the rules themselves: hits, returns with their errors, sessions."""
    from houseway.cli.simulate import SimulateQuestion, show_simulation

    if way and player != "house-way":
        raise Refused("bad-request", f'"{way[:30]}" is one too many: a name comes after --player house-way only')
    chosen = chosen_settings(reading, setting, decks=decks, pay_table=pay_table, joker=joker, house_way=house_way)
    question = SimulateQuestion(
        edition=edition,
        chosen=chosen,
        what_if=what_if,
        rounds=rounds,
        shoes=shoes,
        seats=seats,
        player=f"{player} {way}".strip(),
        bets=bets or [],
        cut=cut,
        burn=burn,
        extra=extra,
        shuffler=shuffler,
        seed=seed,
        engine=engine,
        scheduler=scheduler,
        workers=workers,
        session=session,
        bankroll=bankroll,
        bank=bank,
        resume=resume,
    )
    show_simulation(question, out, format_)


@app.command(name="protect")
def protect(
    edition: EditionName,
    wager: Annotated[str, typer.Option(metavar="W", help="the wager that is bet when the cards are right")],
    count: Annotated[str, typer.Option(metavar="TAGS", help="tags for A,2,3,4,5,6,7,8,9,T (without: the best are found)")] = "",
    trigger: Annotated[str, typer.Option(metavar="T", help="bet from this count on (without: the best is found)")] = "",
    start: Annotated[str, typer.Option(metavar="N", help="a running count that starts here, instead of a true count")] = "",
    spread: Annotated[str, typer.Option(metavar="COUNT:UNITS,...", help="bet so much from each count on: 1,2:2,3:4")] = "",
    play: Annotated[
        str, typer.Option(metavar="indices|chart|FILE", help="how hands are decided, where a count does that")
    ] = "",
    main_count: Annotated[str, typer.Option(metavar="TAGS", help="beside a side bet: by what count main bets are made")] = "",
    main_spread: Annotated[
        str, typer.Option(metavar="COUNT:UNITS,...", help="beside a side bet: how large main bets are")
    ] = "",
    cut: Annotated[int | None, typer.Option(metavar="CARDS", help="cards behind the cut card (a quarter of the shoe)")] = None,
    burn: Annotated[str, typer.Option(metavar="CARDS|value", help="cards burned; value: one, and as many as it is worth")] = "",
    burn_shown: Annotated[bool, typer.Option("--burn-shown", help="the burn card is shown, and so counted")] = False,
    extra: Annotated[int, typer.Option(metavar="N", help="rounds after the one in which the cut card comes")] = 0,
    divisor: Annotated[
        str, typer.Option(metavar="cards|half-decks|decks|decks-up|decks-down|left", help="what a true count is divided by")
    ] = "cards",
    players: Annotated[int, typer.Option(metavar="N", help="players at the table")] = 1,
    shoes: Annotated[str, typer.Option(metavar="N", help="so many shoes: 1e6")] = "",
    exact_shoes: Annotated[str, typer.Option(metavar="N", help="shoes valued exactly before every round")] = "",
    seed: Annotated[int, typer.Option(metavar="S", help="the same seed, the same cards as simulate deals")] = 1,
    bet: Annotated[str, typer.Option(metavar="DOLLARS", help="what a counter bets (the limit of the wager)")] = "",
    hour: Annotated[int, typer.Option(metavar="N", help="decisions an hour (the usual pace of the game)")] = 0,
    tolerate: Annotated[str, typer.Option(metavar="DOLLARS", help="what the floor bears in an hour, for the verdict")] = "20",
    seen: Annotated[
        str, typer.Option(metavar="WHAT", help="cards seen that should not be: card, hand, 2-hands, hole-card, envy ...")
    ] = "",
    published: Annotated[bool, typer.Option("--published", help="under which conventions published figures come out")] = False,
    decks: Decks = None,
    pay_table: PayTable = None,
    reading: Readings = None,
    setting: Choices = None,
    what_if: Annotated[bool, typer.Option("--what-if", help="settings outside the approval, marked so")] = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="write it: .json, .csv, .svg (by cut card) or .txt")] = None,
    format_: Output = Format.TABLE,
) -> None:
    """Tell what somebody who counts cards, or sees them, can win from a wager, and which cut card stops it."""
    from houseway.cli.protect import ProtectQuestion, show_protection

    question = ProtectQuestion(
        edition=edition,
        wager=wager,
        chosen=chosen_settings(reading, setting, decks=decks, pay_table=pay_table),
        what_if=what_if,
        count=count,
        trigger=trigger,
        start=start,
        cut=cut,
        burn=burn,
        burn_shown=burn_shown,
        extra=extra,
        divisor=divisor,
        players=players,
        shoes=shoes,
        exact_shoes=exact_shoes,
        seed=seed,
        bet=bet,
        hour=hour,
        tolerate=tolerate,
        seen=seen,
        published=published,
        spread=spread,
        play=play,
        main_count=main_count,
        main_spread=main_spread,
    )
    show_protection(question, out, format_)


@app.command(name="design")
def design(
    edition: EditionName,
    wager: Annotated[list[str], typer.Option(metavar="W", help="the wager whose pay table is designed (may be repeated)")],
    edge: Annotated[str, typer.Option(metavar="6%..8%", help="the band of the house edge")],
    hit: Annotated[str, typer.Option(metavar="18%..22%", help="how often it wins: pays change nothing in that, rows do")] = "",
    sd: Annotated[str, typer.Option(metavar="..9", help="the standard deviation for one unit staked, without envy")] = "",
    top: Annotated[str, typer.Option(metavar="500..2000", help="the highest pay")] = "",
    rows: Annotated[
        list[str] | None, typer.Option(metavar="ROW=4..6", help="what a row may pay: 4..6; 2,3; lose,1; casino; same")
    ] = None,
    pays: Annotated[str, typer.Option(metavar="1,2,3,...", help="what every row may pay (casino numbers)")] = "",
    envy: Annotated[list[str] | None, typer.Option(metavar="ROW=50..500", help="envy prizes to be found, in dollars")] = None,
    goal: Annotated[
        str, typer.Option(metavar="GOAL", help="nearest-edge, least-variance, largest-top or fewest-changes")
    ] = "fewest-changes",
    most: Annotated[int, typer.Option(metavar="N", help="so many designs, the best first")] = 1,
    all_: Annotated[bool, typer.Option("--all", help="all designs there are, up to 1,000")] = False,
    any_order: Annotated[bool, typer.Option("--any-order", help="a rarer hand may pay less")] = False,
    frontier: Annotated[int, typer.Option(metavar="N", help="the least deviation in each of N parts of the band")] = 0,
    players: Annotated[str, typer.Option(metavar="1..6", help="players at the table, oneself included (envy)")] = "1",
    bet: Annotated[str, typer.Option(metavar="DOLLARS,...", help="the bets that envy prizes are set against")] = "5",
    decks: Annotated[str | None, typer.Option(metavar="1..8", help="decks in the shoe: it must hold with each")] = None,
    pay_table: PayTable = None,
    joker: Annotated[str | None, typer.Option(metavar="semi,full", help="joker rules: it must hold with each")] = None,
    reading: Readings = None,
    setting: Choices = None,
    what_if: Annotated[bool, typer.Option("--what-if", help="settings outside the approval")] = False,
    seconds: Annotated[float, typer.Option(metavar="S", help="when the search stops, proved or not")] = 60,
    register: Annotated[str, typer.Option(metavar="ID", help="register the design as an edition of this id")] = "",
    name: Annotated[str, typer.Option(metavar="NAME", help="what that edition is called")] = "",
    number: Annotated[int, typer.Option(metavar="N", help="which design is registered (the best)")] = 1,
    who: Who = "office:administrator",
    store: StoreUrl = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="write it: .json, .csv or .txt")] = None,
    format_: Output = Format.TABLE,
) -> None:
    """Find pay tables whose house edge, hit rate and deviation lie in bands, by an exact search, or prove that none do."""
    from houseway.cli.design import DesignQuestion, show_design
    from houseway.design.ask import Wish
    from houseway.design.search import ALL_MOST

    wish = Wish(
        edge=edge,
        hit=hit,
        sd=sd,
        top=top,
        rows=rows or (),
        pays=pays,
        envy=envy or (),
        goal=goal,
        most=ALL_MOST if all_ else most,
        any_order=any_order,
        frontier=frontier,
        players=players,
        bets=bet,
        seconds=seconds,
    )
    chosen = chosen_settings(reading, setting, decks=decks, pay_table=pay_table, joker=joker)
    question = DesignQuestion(edition, wager, wish, chosen, what_if, register, name, number, who, store)
    show_design(question, out, format_)


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

    chosen = chosen_settings(reading, setting, decks=decks, joker=joker, house_way=house_way)
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

    chosen = chosen_settings(reading, setting, decks=decks, joker=joker, house_way=house_way)
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

    chosen = chosen_settings(reading, setting, decks=decks, pay_table=pay_table, joker=joker, house_way=house_way)
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
app.command(name="confirm")(confirm)
app.command(name="decline")(decline)

for _name, _app in (
    ("editions", editions_app),
    ("report", report_app),
    ("game", game_app),
    ("table", live.table_app),
    ("board", live.board_app),
    ("cage", live.cage_app),
    ("journal", live.journal_app),
    ("people", people_app),
    ("shoe", live.shoe_app),
    ("audit", live.audit_app),
    ("duties", duties_app),
    ("house", house_app),
    ("guests", guests_app),
    ("alerts", alerts_app),
    ("patrons", patrons_app),
    ("waitlist", waitlist_app),
    ("staff", staff_app),
    ("slips", slips_app),
    ("requests", requests_app),
    ("keys", keys.keys_app),
    ("heads", keys.heads_app),
    ("config", config_app),
    ("train", train_app),
):
    app.add_typer(_app, name=_name)


def _with_only(name: str) -> typer.Typer:
    """The program with one of its commands: all of them take longer to describe to the parser than most take to carry out."""
    asked = _program()
    asked.registered_callback = app.registered_callback
    asked.registered_commands = [command for command in app.registered_commands if command.name == name]
    asked.registered_groups = [group for group in app.registered_groups if group.name == name]
    return asked


def main() -> None:
    """Run the program; a refusal is one line on standard error and exit code 2."""
    gc.set_threshold(OBJECTS_BETWEEN_SEARCHES)
    write_plainly()
    arguments, asked = sys.argv[1:] or ["--help"], app
    try:
        if not arguments[0].startswith("-"):
            groups = [str(group.name) for group in app.registered_groups]
            commands = [*(str(command.name) for command in app.registered_commands), *groups]
            asked = _with_only(one_of("command", arguments[0], commands))
            _heed_file(arguments)
        exit_code = asked(arguments, standalone_mode=False)
        if exit_code == INTERRUPTED:
            print("houseway: stopped", file=sys.stderr)
        sys.exit(exit_code)
    except Refused as refused:
        _complain(refused.message)
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)  # of the command that was meant, as far as it was understood
        names = context.command_path.split()[1:] if context else ()
        _complain(f"{_in_our_words(error.format_message())} (see {' '.join(('houseway', *names))} --help)")
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(BROKEN_PIPE)
    except Exception as error:
        if why := _of_the_machine(error):
            _complain(why)
        raise


def _heed_file(arguments: list[str]) -> None:
    """Heed the file of settings; one of which anything is wrong is refused, but by what says what is wrong."""
    if arguments[0] == "config" or "--config" in arguments:
        return
    said = read_configuration(usual_file())
    said.check()
    heed(said)


def _of_the_machine(error: Exception) -> str:
    """What a store or a file that cannot be used comes to, in a line; nothing for our own mistakes."""
    if "sqlalchemy" in sys.modules:
        from houseway.house.opening import in_one_line

        if why := in_one_line(error):
            return f"the store cannot be used: {why}"
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename} cannot be used ({error.strerror}): name another, or see that you may use it"
    return ""


def _in_our_words(message: str) -> str:
    """What the parser of options says, without the words of its own parts."""
    not_whole = "Input should be a valid integer, unable to parse string as an integer"
    return message.rstrip(".").replace(not_whole, "a whole number is required").replace("Value error, ", "")


def _complain(message: str) -> None:
    print(f"houseway: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(2)


def run_program() -> NoReturn:
    """Run the program and end at once: nobody waits until Python has put everything away, a fifth of a short command's time."""
    code: object = 0
    try:
        main()
    except SystemExit as ended:
        code = ended.code
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        code = BROKEN_PIPE
    os._exit(code if isinstance(code, int) else 0 if code is None else 1)


if __name__ == "__main__":
    run_program()
