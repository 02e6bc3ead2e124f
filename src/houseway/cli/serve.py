"""`houseway serve`: the house in the browser."""

import socket
from typing import Annotated

import typer

from houseway.cli.commands import StoreUrl
from houseway.cli.live import key_file, store_url
from houseway.refusal import Refused


def serve(
    host: Annotated[str, typer.Option(help="the address to listen at")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="the port to listen at")] = 8000,
    store: StoreUrl = None,
    demo: Annotated[bool, typer.Option("--demo/--no-demo", help="five demo tables with play money")] = True,
    workers: Annotated[int, typer.Option(min=1, max=32, help="processes; more than one needs PostgreSQL")] = 1,
) -> None:
    """Serve tables, scoreboards, the floor and the odds lab in the browser."""
    from houseway.web.app import ServeSettings
    from houseway.web.serve import serve as run

    url = store_url(store)
    _check_port(host, port)
    if workers > 1 and not url.startswith("postgresql"):
        raise Refused("one-process", "several processes need PostgreSQL: give its URL with --store")
    run(ServeSettings(url, key_file(), demo), host, port, workers)


def _check_port(host: str, port: int) -> None:
    """Say clearly that a port cannot be had, before anything is set up."""
    try:
        with socket.create_server((host, port), reuse_port=False):
            pass
    except OSError as error:
        raise Refused("port-taken", f"{host}:{port} cannot be used ({error.strerror}): choose another with --port") from None
