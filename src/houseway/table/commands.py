"""What a command looks like: its fields and their kinds, checked before anything is done with it."""

from collections.abc import Callable, Mapping
from typing import Any

from houseway.refusal import Refused
from houseway.table import ledger

Command = Mapping[str, Any]
Check = Callable[[Any], bool]


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _whole(least: int, most: int) -> tuple[Check, str]:
    return lambda value: _is_int(value) and least <= value <= most, f"a whole number from {least} to {most}"


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value.strip()) > 0 and len(value) <= 400 and value.isprintable()


def _is_settings(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_text(name) and (_is_int(v) or _is_text(v)) for name, v in value.items())


def _is_limits(value: Any) -> bool:
    def bounds(pair: Any) -> bool:
        return isinstance(pair, list | tuple) and len(pair) == 2 and all(_is_int(cents) for cents in pair)

    return isinstance(value, dict) and all(_is_text(name) and bounds(pair) for name, pair in value.items())


def _is_names(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) <= 40 and all(_is_text(name) for name in value)


def _is_aggregates(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_text(name) and AMOUNT[0](cents) for name, cents in value.items())


TEXT = (_is_text, "a printable text")
NAME = (lambda value: _is_text(value) and len(value) <= 40, "a printable text of at most 40 characters")
AMOUNT = (lambda value: _is_int(value) and 0 < value <= ledger.MOST_CENTS, "a positive whole number of cents")
NUMBER = (lambda _: True, "a whole number")
"""Which numbers are possible only the table knows: `whole` reads them, and the table says what it accepts."""
YES_NO = (lambda value: isinstance(value, bool), "true or false")
FEE = _whole(0, 10_000)

FIELDS: dict[str, tuple[Check, str]] = {
    "table": NAME,
    "guest": NAME,
    "edition": TEXT,
    "source": NAME,
    "wager": NAME,
    "choice": NAME,
    "reason": TEXT,
    "cards": TEXT,
    "card": NAME,
    "result": NAME,
    "watch": NAME,
    "seat": NUMBER,
    "seats": NUMBER,
    "seats_per_guest": _whole(0, 14),
    "place": NUMBER,
    "round": NUMBER,
    "dice": NUMBER,
    "decision_seconds": _whole(0, 3_600),
    "cents": AMOUNT,
    "opener_cents": AMOUNT,
    "watch_cents": AMOUNT,
    "closer_cents": _whole(0, ledger.MOST_CENTS),
    "player_fee_cents": FEE,
    "bank_fee_cents": FEE,
    "settings": (_is_settings, "a table of settings"),
    "limits": (_is_limits, "a table of wagers with the least and the most cents"),
    "aggregates": (_is_aggregates, "a table of wagers with the most cents that one deal pays on them"),
    "bank_rules": NAME,
    "offered": (_is_names, "a list of wagers"),
    "board": NAME,
    "hand": NAME,
    "next_hand": YES_NO,
    "for_dealer": YES_NO,
    "proposition": YES_NO,
}

_SEATED = "table seat guest"
OPENING = (
    "opener_cents settings seats seats_per_guest watch watch_cents limits aggregates decision_seconds "
    "player_fee_cents bank_fee_cents bank_rules offered"
)
NEEDS: dict[str, tuple[str, str]] = {
    "open": ("table edition source", OPENING),
    "bet": (f"{_SEATED} wager cents", "for_dealer"),
    "withdraw": (f"{_SEATED} wager", ""),
    "ready": (_SEATED, ""),
    "no-more-bets": ("table", "dice"),
    "deal": ("table", ""),
    "card": ("table cards", ""),
    "result": ("table result", ""),
    "new-shoe": ("table", ""),
    "correct-card": ("table place card", ""),
    "decide": ("table seat choice", "guest"),
    "time-out": ("table seat", ""),
    "settle": ("table", ""),
    "acknowledge": ("table", ""),
    "dispute": ("table reason", "round"),
    "resolve": ("table reason", "round"),
    "void": ("table reason", "round"),
    "reverse": ("table reason round", ""),
    "close": ("table", "closer_cents"),
    "fund": ("cents", "table"),
    "buy-in": ("guest cents", "table"),
    "cash-out": ("guest cents", "table"),
    "fill": ("table cents", ""),
    "drop": ("table", ""),
    "closer": ("table cents", ""),
    "credit": ("table cents", ""),
    "table-buy-in": ("table guest cents", ""),
    "tip": ("table guest cents", ""),
    "sit": (_SEATED, "proposition"),
    "offer": ("table", ""),
    "leave": (_SEATED, ""),
    "bank": (f"{_SEATED} cents", ""),
    "pass": (_SEATED, ""),
    "board-open": ("board edition", "next_hand"),
    "board-hand": ("board hand", ""),
    "board-undo": ("board", ""),
    "board-new-shoe": ("board", ""),
}
"""The fields each command must have, and those it may have."""


REQUIRED = {kind: tuple(must.split()) for kind, (must, _) in NEEDS.items()}
POSSIBLE = {kind: (*must.split(), *may.split()) for kind, (must, may) in NEEDS.items()}
CONTEXT = frozenset({"kind", "day", "at", "actor", "role", "bound"})
"""What is in a command without being one of its fields: its kind, and what the floor adds."""


def check_fields(kind: str, command: Command) -> None:
    """Refuse a command with a field missing, unknown, or of the wrong kind."""
    for name in REQUIRED[kind]:
        if name not in command:
            code = "bad-amount" if name.endswith("cents") else "bad-command"
            raise Refused(code, f"{kind} needs {name}: {FIELDS[name][1]}")
    possible = POSSIBLE[kind]
    for name, value in command.items():
        if name in possible:
            check, wanted = FIELDS[name]
            if not check(value):
                codes = {"seat": "bad-seat", "seats": "bad-seats", "dice": "bad-dice", "settings": "bad-setting"}
                code = "bad-amount" if name.endswith("cents") else codes.get(name, "bad-command")
                raise Refused(code, f"{name}: {str(value)[:40]!r} is not {wanted}")
        elif name not in CONTEXT:
            raise Refused("bad-command", f"{kind} has no field {str(name)[:40]!r} (it has: {', '.join(possible)})")


def whole(command: Command, name: str) -> int:
    """A whole number; -1, which is never possible, for anything else."""
    value = command.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else -1
