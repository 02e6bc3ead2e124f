"""`houseway serve`: the house in the browser."""

import errno
import socket
from typing import Annotated

import typer

from houseway.cli.commands import StoreUrl
from houseway.cli.live import key_file, store_url
from houseway.refusal import Refused

USUAL_PORT = 8000
PORTS = range(USUAL_PORT, USUAL_PORT + 100)


def serve(
    host: Annotated[str, typer.Option(help="the address to listen at")] = "127.0.0.1",
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="the port to listen at (default: 8000, or the next that is free)")
    ] = None,
    store: StoreUrl = None,
    demo: Annotated[bool, typer.Option("--demo/--no-demo", help="demo tables with play money, one for every edition")] = True,
    workers: Annotated[int, typer.Option(min=1, max=32, help="processes; more than one needs PostgreSQL")] = 1,
) -> None:
    """Serve tables, scoreboards, the floor and the odds lab in the browser."""
    from houseway.web.app import ServeSettings
    from houseway.web.serve import serve as run

    url = store_url(store)
    if workers > 1 and not url.startswith("postgresql"):
        raise Refused("one-process", "several processes need PostgreSQL: give its URL with --store")
    run(ServeSettings(url, key_file(), demo), host, _port(host, port), workers)


def _port(host: str, chosen: int | None) -> int:
    """The port to listen at, known to be free before anything is set up; only one that nobody chose gives way to another."""
    for port in [chosen] if chosen else PORTS:
        try:
            with socket.create_server((host, port), reuse_port=False):
                pass
        except OSError as error:
            if chosen or error.errno != errno.EADDRINUSE:
                reason = str(error.strerror).partition(" (while")[0]
                raise Refused("port-taken", f"{host}:{port} cannot be used ({reason}): choose another with --port") from None
        else:
            if port != (chosen or USUAL_PORT):
                print(f"Port {USUAL_PORT} is taken: using {port}, the next that is free.", flush=True)
            return port
    raise Refused("port-taken", f"ports {PORTS[0]} to {PORTS[-1]} of {host} are all taken: choose another with --port")
