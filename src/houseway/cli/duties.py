"""Second persons in a shell: the table of duties, what waits to be confirmed, and confirming or declining it."""

from typing import Annotated

import typer

from houseway.cli.commands import DeclaredGroup, FloorOutput, Key, StoreUrl, Who
from houseway.cli.live import actor_of, open_floor, run
from houseway.cli.text import FloorFormat, show_json

duties_app = typer.Typer(
    cls=DeclaredGroup,
    help="Which acts need a second person, above which amounts, and what applies here.",
    rich_markup_mode=None,
)
requests_app = typer.Typer(cls=DeclaredGroup, help="What waits for a second person.", rich_markup_mode=None)
Number = Annotated[int, typer.Argument(metavar="REQUEST", help="the request's number")]
Viewer = Annotated[str, typer.Option("--as", metavar="NAME:ROLE", help="who looks: what he may confirm is told")]


@duties_app.callback(invoke_without_command=True)
def duties(context: typer.Context, store: StoreUrl = None, format_: FloorOutput = FloorFormat.TABLE) -> None:
    """List the table of duties with its limits, and say what applies in this house."""
    if context.invoked_subcommand:
        return
    from houseway.view.duties import duties_view

    floor = open_floor(store)
    shown = duties_view(floor.refresh(), floor.begins)
    if format_ is not FloorFormat.TABLE:
        show_json(shown)
        return
    print(shown["words"])
    print(f"A request waits {shown['minutes']} minutes for its second person.")
    for duty in shown["duties"]:
        print(f"  {duty['act']:14} {duty['about']}: {duty['when']}")
        alone = ", who had no hand in the round" if duty["independent"] else ""
        print(f"  {'':14} second person: {' or '.join(duty['second'])}{alone}")
    if shown["names"] == "one":
        print("None of it applies while the house works with one name: houseway duties set --names two")


@requests_app.callback(invoke_without_command=True)
def requests(
    context: typer.Context, who: Viewer = "floor:supervisor", store: StoreUrl = None, format_: FloorOutput = FloorFormat.TABLE
) -> None:
    """List what waits for a second person: who asks, what, how much, and until when."""
    if context.invoked_subcommand:
        return
    from houseway.table.duties import clock_of
    from houseway.table.gaming_day import gaming_day
    from houseway.view.duties import requests_view
    from houseway.view.reader import Reader

    floor, actor = open_floor(store), actor_of(who)
    state, at = floor.refresh(), floor.clock()
    waiting = requests_view(state, Reader(actor.name, actor.role), at, gaming_day(at, state))
    if format_ is not FloorFormat.TABLE:
        show_json(waiting)
        return
    for request in waiting:
        print(f"{request['request']}: {request['words']}")
        until = f"until {clock_of(request['until'])}, {request['seconds_left'] // 60} minutes"
        print(f"   asked by {request['asked_by']} ({request['role']}); waits {until}, for: {' or '.join(request['second'])}")
        if request["confirmed_by"]:
            print(f"   confirmed by {request['confirmed_by']}")
    if not waiting:
        print("Nothing waits for a second person.")


def confirm(
    request: Number,
    who: Who = "floor:supervisor",
    key: Key = "",
    store: StoreUrl = None,
    format_: FloorOutput = FloorFormat.TABLE,
) -> None:
    """Confirm what somebody else has asked for: it is carried out now, in both names."""
    run({"kind": "confirm", "request": request}, who, key, store, format_)


def decline(
    request: Number,
    because: Annotated[str, typer.Option(help="why")],
    who: Who = "floor:supervisor",
    key: Key = "",
    store: StoreUrl = None,
    format_: FloorOutput = FloorFormat.TABLE,
) -> None:
    """Decline what somebody else has asked for, or take an own request back."""
    run({"kind": "decline", "request": request, "reason": because}, who, key, store, format_)
