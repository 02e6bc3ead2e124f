"""As a script: the program, with more time for all that a busy machine may be late with; all else is the same.

The processes that it starts run this file too. What is tested of these times themselves is tested with the program as it is.
"""

from collections.abc import Callable
from typing import Any

from houseway.cli.main import run_program
from houseway.house import store
from houseway.web import demo, lifetime, people, served

PATIENCE = 60
"""Seconds that anything may take: a busy machine is no failure, and whoever compiles a game's rules keeps all waiting."""
BETTING_SECONDS = 4.0 * PATIENCE
TIMES = [
    (demo, "BETTING_SECONDS", BETTING_SECONDS),
    (demo, "OFFER_SECONDS", BETTING_SECONDS),
    (demo, "DECISION_SECONDS", 10 * PATIENCE),
    (lifetime, "LAST_SECONDS", 2.0 * PATIENCE),
    (lifetime, "PARENT_LAST_SECONDS", 3.0 * PATIENCE),
    (people, "STAFF_IDLE_SECONDS", 60 * PATIENCE),
    (served, "WAIT_SECONDS", PATIENCE),
    (store, "LOCK_SECONDS", PATIENCE),
    (store, "REACHED_WITHIN", store.REACHED_WITHIN | {"connect_timeout": PATIENCE, "tcp_user_timeout": 1000 * PATIENCE}),
]


def be_patient(put: Callable[[Any, str, Any], None] = setattr) -> None:
    """Nobody loses his turn, his screen or his connection because this machine is busy."""
    for module, name, value in TIMES:
        put(module, name, value)


if __name__ in {"__main__", "__mp_main__"}:
    be_patient()
if __name__ == "__main__":
    run_program()
