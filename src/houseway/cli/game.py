"""`houseway game`: the games that there are, and whether a folder is one."""

import os
from pathlib import Path
from typing import Annotated

import typer

from houseway.cli.text import Format, show_json
from houseway.folders import MARK, VARIABLE, own_folders
from houseway.refusal import Refused

game_app = typer.Typer(help="Games: those there are, and whether a folder is one.", rich_markup_mode=None)
Output = Annotated[Format, typer.Option("--format", help="how to print the result")]


@game_app.command("list")
def list_games(format_: Output = Format.TABLE) -> None:
    """The games there are, where each lives, and what was left out."""
    import sys

    from houseway.games import registry, unloadable

    reasons = unloadable()
    places = {name: place for name, place in registry().places.items() if name not in reasons}
    flaws = [*registry().flaws, *reasons.values()]
    if format_ is not Format.TABLE:
        show_json({"games": {name: str(place.folder) for name, place in places.items()}, "left_out": list(flaws)})
        return
    for name, place in places.items():
        print(f"{name}: {'built in' if place.is_built_in else place.folder}")
    for flaw in flaws:
        print(f"houseway: left out: {flaw}", file=sys.stderr)


@game_app.command("check")
def check(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="a game's folder, or the id of a game")],
    rounds: Annotated[int, typer.Option(min=1, max=10_000, help="random rounds at each table")] = 6,
    format_: Output = Format.TABLE,
) -> None:
    """Check whether a folder is a game that the house can play: its data, its odds, and random rounds at a table."""
    from houseway.games import what_it_lacks

    if not folder.is_dir() and folder.name == str(folder):
        _refuse_what_is_no_game(str(folder))
    if folder.is_dir():
        if not (folder / MARK).is_file():
            raise Refused("no-game", f"{folder}: no game: {what_it_lacks(folder.resolve())}")
        os.environ[VARIABLE] = os.pathsep.join(filter(None, (os.environ.get(VARIABLE, ""), str(folder.resolve()))))
    from houseway.conformance import report
    from houseway.games import registry
    from houseway.refusal import one_of

    name = folder.resolve().name if folder.is_dir() else one_of("game", str(folder), registry().places)
    for flaw in registry().flaws:
        if flaw.startswith(str(folder.resolve())):
            raise Refused("no-game", flaw)
    checked = report(name, rounds)
    if format_ is not Format.TABLE:
        show_json({"game": name, "checks": checked})
    else:
        for check_name, flaws in checked.items():
            print(f"{check_name}: {'ok' if not flaws else ''}".rstrip())
            for flaw in flaws:
                print(f"  {flaw}")
    if any(checked.values()):
        raise typer.Exit(1)


def _refuse_what_is_no_game(name: str) -> None:
    """Of a folder in the operator's own folders that is no game, say what it lacks."""
    from houseway.games import registry, what_it_lacks

    if name in registry().places:
        return
    for own in own_folders():
        for folder in (own, own / name):
            if folder.name == name and folder.is_dir() and (why := what_it_lacks(folder)):
                raise Refused("no-game", f"{folder}: no game: {why}")
