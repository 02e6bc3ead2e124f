"""`houseway serve`: the house in the browser."""

import errno
import socket
from pathlib import Path
from typing import Annotated

import typer

from houseway.cli.commands import StoreUrl
from houseway.cli.live import key_file, store_url
from houseway.refusal import Refused

USUAL_PORT = 8000
PORTS = range(USUAL_PORT, USUAL_PORT + 100)


def serve(
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="the file of settings (default: HOUSEWAY_CONFIG, or ~/.config/houseway/houseway.toml)"
        ),
    ] = None,
    host: Annotated[str | None, typer.Option(help="the address to listen at (default: 127.0.0.1)")] = None,
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="the port to listen at (default: 8000, or the next that is free)")
    ] = None,
    store: StoreUrl = None,
    demo: Annotated[
        bool | None, typer.Option("--demo/--no-demo", help="demo tables with play money, one for every edition (default: demo)")
    ] = None,
    duties: Annotated[
        str | None,
        typer.Option(metavar="one|two", help="how many names a new house begins with (default: two; a demo has one)"),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=32, help="processes; more than one needs PostgreSQL (default: 1)")
    ] = None,
    backup_every: Annotated[
        str | None,
        typer.Option(metavar="1h", help="back up so often, each time whole and audited (default with --backup-to: 1h)"),
    ] = None,
    backup_to: Annotated[Path | None, typer.Option(metavar="FOLDER", help="the folder of these backups")] = None,
    tls_cert: Annotated[Path | None, typer.Option(metavar="FILE", help="serve by TLS: the certificate with its chain")] = None,
    tls_key: Annotated[Path | None, typer.Option(metavar="FILE", help="serve by TLS: the certificate's private key")] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="a proxy whose X-Forwarded-For and -Proto are believed (may be repeated)"),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=NUMBER", help="what one client may take, such as streams=100 (may be repeated)"),
    ] = None,
    logs: Annotated[
        str | None, typer.Option(metavar="auto|json|plain", help="lines of the log (default auto: plain ones at a terminal)")
    ] = None,
    log_requests: Annotated[
        bool | None,
        typer.Option("--log-requests/--no-log-requests", help="a line for every request (default: where it is JSON)"),
    ] = None,
    metrics_token: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="/metrics is for whoever sends the token in this file (default: for this machine)"),
    ] = None,
) -> None:
    """Serve tables, scoreboards, the floor and the odds lab in the browser."""
    from houseway.cli.configuration import heed, read_configuration, usual_file
    from houseway.house.backups import Backups
    from houseway.web.app import ServeSettings
    from houseway.web.clients import proxy_network
    from houseway.web.limits import ABOUT, ClientLimits, with_given
    from houseway.web.logs import as_asked
    from houseway.web.metrics import read_token
    from houseway.web.serve import serve as run

    said = read_configuration(config or usual_file())
    said.check()
    heed(said)
    at, how_many = said.value("serve.host", host, "127.0.0.1"), said.value("serve.workers", workers, 1)
    url, proxies = store_url(store), tuple(str(proxy_network(given)) for given in said.value("serve.proxies", proxy, ()))
    in_file = (f"{name}={said.values[f'limits.{name}']}" for name in ABOUT if f"limits.{name}" in said.values)
    limits = with_given(ClientLimits(), (*in_file, *(limit or ())))
    cert, key, into, token = (
        Path(named) if (named := said.value(name, option, None)) else None
        for name, option in (
            ("tls.cert", tls_cert),
            ("tls.key", tls_key),
            ("backups.to", backup_to),
            ("metrics.token_file", metrics_token),
        )
    )
    check_tls(cert, key)
    if how_many > 1 and not url.startswith("postgresql"):
        raise Refused("one-process", "several processes need PostgreSQL: give its URL with --store")
    every = said.value("backups.every", backup_every, "")
    if every or into:
        Backups.into(every, into)  # refused before anything is set up
    settings = ServeSettings(
        url,
        key_file(),
        said.value("serve.demo", demo, True),
        limits=limits,
        proxies=proxies,
        tls_cert=cert,
        tls_key=key,
        backup_every=every,
        backup_to=str(into or ""),
        duties=duties or "",
        logs=as_asked(said.value("logs.format", logs, "auto"), said.value("logs.requests", log_requests, None)),
        metrics_token=read_token(token) if token else "",
    )
    run(settings, at, _port(at, said.value("serve.port", port, None)), how_many)


def check_tls(cert: Path | None, key: Path | None) -> None:
    """Refuse what cannot be served before anything is set up."""
    if not cert and not key:
        return
    if not cert or not key:
        missing = "--tls-key" if cert else "--tls-cert"
        raise Refused("bad-tls", f"{missing} is missing: TLS needs both, the certificate's file and its key's")
    for file in (cert, key):
        try:
            file.read_bytes()
        except OSError as error:
            raise Refused("bad-tls", f"{file} cannot be read ({error.strerror}): name a PEM file that you may read") from None
    if key.stat().st_mode & 0o007:
        raise Refused("bad-tls", f"{key} is open to everybody on this machine: chmod 600 {key}, and have a new key made")
    import ssl  # only now: every command is declared by importing this

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password=lambda: "")
    except (ssl.SSLError, ValueError) as error:
        reason = getattr(error, "reason", None) or str(error)
        raise Refused(
            "bad-tls", f"{cert} and {key} are no certificate with its key ({reason}): name two PEM files that belong together"
        ) from None


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
