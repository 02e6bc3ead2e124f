"""Slips in a shell: those that are open, what each waits for, and signing or voiding them."""

import typer

from houseway.cli.commands import DeclaredGroup, FloorOutput, StoreUrl
from houseway.cli.duties import Viewer
from houseway.cli.live import actor_of, open_floor
from houseway.cli.text import FloorFormat, show_json

slips_app = typer.Typer(
    cls=DeclaredGroup, help="Slips that are open: fills, credits, counts, errors, boxes.", rich_markup_mode=None
)


@slips_app.callback(invoke_without_command=True)
def slips(
    context: typer.Context, who: Viewer = "floor:supervisor", store: StoreUrl = None, format_: FloorOutput = FloorFormat.TABLE
) -> None:
    """List the open slips and what each waits for; and notices that are to be sent."""
    if context.invoked_subcommand:
        return
    from houseway.view.reader import Reader
    from houseway.view.slips import slips_view

    floor, actor = open_floor(store), actor_of(who)
    shown = slips_view(floor.refresh(), Reader(actor.name, actor.role))
    if format_ is not FloorFormat.TABLE:
        show_json(shown)
        return
    for slip in shown["slips"]:
        print(f"{slip['id']}: {slip['words']}")
        print(f"   waits for {slip['waits_for']}")
    for notice in shown["notices"]:
        print(f"Notice {notice['number']}: {notice['words']}")
    if not shown["slips"] and not shown["notices"]:
        print("No slip is open.")
