"""Running the house: one process on SQLite, several on PostgreSQL."""

import asyncio
import os
import socket
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from houseway.web.app import ServeSettings, create_app
from houseway.web.warm import warm_up

STORE, KEY, DEMO = "HOUSEWAY_SERVE_STORE", "HOUSEWAY_SERVE_KEY", "HOUSEWAY_SERVE_DEMO"


class PromptProtocol(AutoHTTPProtocol):  # type: ignore[misc,valid-type]
    """HTTP without the 40 ms of Nagle's algorithm, which asyncio leaves on for connections of a door that several share."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Somebody is at the door."""
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().connection_made(transport)


def app() -> FastAPI:
    """The application of one of several processes, as the first one was told to serve it."""
    return create_app(ServeSettings(os.environ[STORE], Path(os.environ[KEY]), os.environ[DEMO] == "yes"))


def serve(settings: ServeSettings, host: str, port: int, workers: int) -> None:
    """Serve until interrupted."""
    print("Preparing the rules (a moment, the first time)...", flush=True)
    warm_up()
    first = create_app(settings)
    print(f"Houseway is open at http://{host}:{port}", flush=True)
    print(f"How it all works: http://{host}:{port}/docs", flush=True)
    demo = first.state.demo
    about = f"Demo house: play money, {len(demo.tables)} tables, no account needed." if demo else "No demo."
    print(about, flush=True)
    for name, password in first.state.first_accounts.items():
        print(f"  first start: log in as {name} with the password {password} (told only this once)", flush=True)
    if workers == 1:
        uvicorn.run(first, host=host, port=port, log_level="warning", timeout_graceful_shutdown=3)
        return
    os.environ |= {STORE: settings.store, KEY: str(settings.key_file), DEMO: "yes" if settings.demo else "no"}
    uvicorn.run(
        "houseway.web.serve:app", factory=True, host=host, port=port, workers=workers, log_level="warning", http=PromptProtocol
    )
