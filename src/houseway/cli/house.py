"""The house's own rules in a shell: what may be set, and what is set here."""

import typer

from houseway.cli.commands import DeclaredGroup, FloorOutput, StoreUrl
from houseway.cli.live import open_floor
from houseway.cli.text import FloorFormat, show_json

house_app = typer.Typer(
    cls=DeclaredGroup, help="What the house settles for itself: its chips, its day, its lines.", rich_markup_mode=None
)


@house_app.callback(invoke_without_command=True)
def house(context: typer.Context, store: StoreUrl = None, format_: FloorOutput = FloorFormat.TABLE) -> None:
    """List the rules that a house may set, and what they are here."""
    if context.invoked_subcommand:
        return
    from houseway.view.house_rules import house_rules_view

    rules = house_rules_view(open_floor(store).refresh())
    if format_ is not FloorFormat.TABLE:
        show_json(rules)
        return
    for rule in rules:
        usual = "" if rule["value"] == rule["usual"] else f" (usual: {rule['usual']})"
        print(f"{rule['rule']}: {rule['value']}{usual}")
        print(f"   {rule['about']}; {rule['wanted']}")
