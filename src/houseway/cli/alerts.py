"""Alerts in a shell: what is raised now, which there are, and to which webhooks they go."""

from typing import Annotated

import typer

from houseway.cli.commands import FloorOutput, StoreUrl, Who
from houseway.cli.live import actor_of, open_floor
from houseway.cli.text import FloorFormat, show_json

alerts_app = typer.Typer(help="What somebody should look at: now, and to which webhooks it goes.", rich_markup_mode=None)


@alerts_app.callback(invoke_without_command=True)
def alerts(context: typer.Context, store: StoreUrl = None, format_: FloorOutput = FloorFormat.TABLE) -> None:
    """List the alerts that stand now."""
    if context.invoked_subcommand:
        return
    from houseway.house.alerts import Situation, found_now

    floor = open_floor(store)
    found = [alert.as_data(named=True) for alert in found_now(Situation(floor.refresh(), floor.clock()))]
    if format_ is not FloorFormat.TABLE:
        show_json(found)
        return
    for alert in found:
        print(f"{alert['severity']}: {alert['words']}")
    if not found:
        print("Nothing stands that somebody should look at.")


@alerts_app.command("kinds")
def kinds(format_: FloorOutput = FloorFormat.TABLE) -> None:
    """List every kind of alert, and when it is raised."""
    from houseway.house import day_watch, follows_count  # noqa: F401  (they declare some)
    from houseway.house.alerts import ALERTS

    if format_ is not FloorFormat.TABLE:
        show_json([{"alert": kind.name, "severity": kind.severity, "about": kind.about} for kind in ALERTS.values()])
        return
    for kind in ALERTS.values():
        print(f"{kind.name:26} {kind.severity:5} {kind.about}")


@alerts_app.command("set")
def set_(
    who: Who,
    to: Annotated[
        list[str] | None, typer.Option("--to", metavar="URL", help="where alerts are posted; several, or none")
    ] = None,
    store: StoreUrl = None,
) -> None:
    """Say to which webhooks alerts go; a house that is being served takes it up at once."""
    from houseway.house.alert_sender import change_places

    places = change_places(open_floor(store), to or (), actor_of(who)).places
    print("\n".join(places) if places else "alerts are posted nowhere; they are on the floor page and in the log")


@alerts_app.command("test")
def test(store: StoreUrl = None) -> None:
    """Post a signed test to every webhook now."""
    from houseway.house.alert_sender import AlertSettings, body_of, signed_request
    from houseway.house.alerts import TEST, Alert
    from houseway.house.heads import place_name, post, signing_key
    from houseway.refusal import Refused

    floor = open_floor(store)
    places = AlertSettings.load(floor.keys).places
    if not places:
        wanted = "name a URL with houseway alerts set --to URL --as NAME:administrator"
        raise Refused("no-place", f"alerts are posted nowhere: {wanted}")
    key, failed, now = signing_key(floor, floor.store, floor.keys), 0, floor.clock()
    told = body_of(Alert(TEST.name, "", now.isoformat(timespec="microseconds")), floor.refresh(), floor.seq)
    for place in places:
        try:
            post(signed_request(place, told, key, now))
            print(f"{place_name(place)}: sent")
        except OSError as error:
            failed += 1
            print(f"{place_name(place)}: not sent ({error})")
    if failed:
        raise typer.Exit(1)
