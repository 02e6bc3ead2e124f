"""Running the house: one process on SQLite, several on PostgreSQL."""

import gc
import json
import logging
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.config import STARTUP_FAILURE

from houseway.house.backups import backing_up
from houseway.house.desk import Desk
from houseway.house.floor import now
from houseway.house.neighbours import Neighbours
from houseway.house.newest import Newest
from houseway.view.duties import duties_words
from houseway.web.app import ServeSettings, create_app
from houseway.web.lifetime import GRACE_SECONDS, Workers, end_with, leave_at_once, leave_quietly
from houseway.web.logs import set_up
from houseway.web.metrics import leave_process_figures
from houseway.web.own_folder import own_folder, remove_what_was_left
from houseway.web.protocol import HouseProtocol
from houseway.web.served import ServedHouse
from houseway.web.service import tell_when_open
from houseway.web.warm import warm_up

log = logging.getLogger("houseway.web")
SETTINGS, PARENT = "HOUSEWAY_SERVE_SETTINGS", "HOUSEWAY_SERVE_PARENT"


def app() -> FastAPI:
    """The application of one of several processes, as the first one was told to serve it."""
    end_with(int(os.environ[PARENT]))
    settings = ServeSettings.from_data(json.loads(os.environ[SETTINGS]))
    set_up(settings.logs)
    warm_up()  # each process loads the compiled rules itself, and nobody at a table waits for that
    made = create_app(settings)
    leave_in_peace()
    return made


def leave_in_peace() -> None:
    """What is loaded by now stays: looking through it for garbage again and again cost a fifth of what views take."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)


def how_to_serve(settings: ServeSettings) -> dict[str, Any]:
    """What the server is told: our protocol, our own reading of proxies' words (`Clients`), and an end within seconds."""
    served: dict[str, Any] = {"http": HouseProtocol, "ws": "none", "proxy_headers": False, "server_header": False}
    served |= {"log_config": None}  # what it has to say is said as the house says everything
    served |= {"log_level": "warning", "access_log": False, "timeout_graceful_shutdown": GRACE_SECONDS}
    if settings.tls_cert and settings.tls_key:
        served |= {"ssl_certfile": str(settings.tls_cert), "ssl_keyfile": str(settings.tls_key)}
    return served


def serve(settings: ServeSettings, host: str, port: int, workers: int) -> None:
    """Serve until told to end, and end the process."""
    signal.signal(signal.SIGTERM, lambda number, frame: leave_at_once())  # nobody is here yet
    set_up(settings.logs)
    print("Preparing the rules (a moment, the first time)...", flush=True)
    warm_up()
    first = create_app(settings)
    url = f"{'https' if settings.tls_cert else 'http'}://{host}:{port}"
    print(f"Houseway is open at {url}", flush=True)
    print(f"How it all works: {_documentation(settings.docs, url)}", flush=True)
    demo = first.state.demo
    about = f"Demo house: play money, {len(demo.tables)} tables, no account needed." if demo else "No demo."
    print(about, flush=True)
    print(duties_words(first.state.house.state, first.state.house.floor.begins), flush=True)
    for name, password in first.state.first_accounts.items():
        print(f"  first start: log in as {name} with the password {password} (told only this once)", flush=True)
    if backups := settings.backups:
        print(f"Backups go to {backups.folder}: {backups.status(now())['words']}.", flush=True)
    signal.signal(signal.SIGTERM, leave_quietly)
    tell_when_open(host, port)
    try:
        with backing_up(backups, settings.store, first.state.house):
            _run(first, settings, host, port, workers)
    except SystemExit as ended:
        if ended.code:
            raise
    first.state.house.floor.store.engine.dispose()  # SQLite puts all that it wrote into the one file
    leave_at_once()


def _documentation(folder: Path, url: str) -> str:
    """Where the documentation is, if it is built."""
    return f"{url}/docs" if (folder / "index.html").is_file() else "`make docs` builds the documentation, for /docs"


def _run(first: FastAPI, settings: ServeSettings, host: str, port: int, workers: int) -> None:
    served = how_to_serve(settings) | {"host": host, "port": port}
    remove_what_was_left()
    if workers == 1:
        leave_in_peace()
        uvicorn.run(first, **served)
        return
    with own_folder() as together:
        settings = replace(settings, shared_folder=together)
        _sit_at_desk(first.state.house, together)
        os.environ |= {SETTINGS: json.dumps(settings.as_data()), PARENT: str(os.getpid())}
        _run_workers(served, workers, partial(shutil.rmtree, together, ignore_errors=True))


def _sit_at_desk(house: ServedHouse, folder: Path) -> None:
    """Carry out here, beside nothing else, what the processes that serve are asked for; and hand them what that changed."""
    leave_in_peace()
    try:
        house.floor.newest = Newest(folder)
        house.floor.neighbours = Neighbours(folder)
        desk = Desk(folder, house.do_for_others)
    except OSError as error:  # the name of a socket must be short, and some machines have none
        log.warning("each process carries its commands out by itself (%s)", error)
        return
    threading.Thread(target=desk.answer_for_ever, name="houseway desk", daemon=True).start()
    threading.Thread(target=leave_process_figures, args=(folder,), name="houseway figures", daemon=True).start()


def _run_workers(served: dict[str, Any], workers: int, tidy: Callable[[], None]) -> None:
    config = uvicorn.Config("houseway.web.serve:app", factory=True, workers=workers, **served)
    serving = Workers(config, [config.bind_socket()], tidy)
    serving.run()
    if not serving.told:
        sys.exit(STARTUP_FAILURE)
