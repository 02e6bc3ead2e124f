"""Every command of the table as a route of the API: its path, its fields and its limits come from the command itself."""

import hashlib
import re
from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Request
from pydantic import BaseModel, ConfigDict, Field, create_model

from houseway.refusal import Refused
from houseway.table import HANDLERS
from houseway.table.commands import FIELDS, NEEDS, POSSIBLE, REQUIRED
from houseway.view import Json, happened
from houseway.web.identity import AnySession, actor_of
from houseway.web.served import ServedHouse

router = APIRouter(prefix="/api/v1", tags=["commands"])

ABOUT = {
    "open": "Open a table for an edition",
    "bet": "Place or change a wager at a seat, until no more bets",
    "withdraw": "Take a wager back",
    "ready": "All bets at a seat are placed: the dealer need not wait",
    "no-more-bets": "Close the betting",
    "deal": "Deal from the virtual shoe",
    "card": "Key cards in, in the order they are dealt",
    "result": "Key in a result whose cards are not keyed",
    "new-shoe": "Begin a new shoe at a manual table",
    "correct-card": "Correct a keyed card before the settlement",
    "decide": "A seat's decision: one of those its view lists under to_act",
    "time-out": "The clock has run out: the house's default action for a seat",
    "settle": "Take and pay every wager in the approved order",
    "acknowledge": "A supervisor has verified a payout above the threshold",
    "dispute": "Freeze the round",
    "resolve": "End a dispute: the round goes on where it stood",
    "void": "Void the round: all wagers back",
    "reverse": "Correct the last settlement by reversing it",
    "close": "Close and balance a table",
    "fund": "Bring cash into the cage",
    "buy-in": "Sell chips to a guest at the cage",
    "cash-out": "Buy a guest's chips back",
    "fill": "Chips from the cage to the tray",
    "drop": "Pull the box: its cash goes to the cage",
    "closer": "Count the tray; a difference is told",
    "credit": "Chips from the tray to the cage",
    "table-buy-in": "Sell chips at the table; the cash goes into its box",
    "tip": "A guest's tip for the dealers",
    "sit": "Take a seat",
    "leave": "Leave a seat",
    "bank": "Accept the bank of a player-banked table and put up an amount",
    "pass": "Pass the bank on, or end it between hands",
    "offer": "Offer the bank to every player",
    "board-open": "Open a scoreboard that is fed by a keypad alone",
    "board-hand": "Key in a hand: B, P or T; then 7 (Dragon 7), 8 (Panda 8), n (natural), p, b (pairs)",
    "board-undo": "Take the last hand off the board",
    "board-new-shoe": "Begin a new shoe on the board",
}
TYPES: dict[str, Any] = {
    "settings": dict[str, str | int],
    "limits": dict[str, tuple[int, int]],
    "aggregates": dict[str, int],
    "for_dealer": bool,
    "proposition": bool,
    "next_hand": bool,
}
NUMBERS = ("seat", "seats", "seats_per_guest", "place", "round", "dice", "decision_seconds")


class Done(BaseModel):
    """What a command left in the journal."""

    seq: int = Field(description="the number of its entry; also the id of the event that watchers get")
    hash: str = Field(description="the entry's hash, chained to all before it")
    happened: list[dict[str, Any]] = Field(description="what everybody may know of it, one object an event")


class Refusal(BaseModel):
    """Why something was not done, and what would be accepted. Nothing has changed."""

    code: str = Field(description="stable, for programs")
    message: str = Field(description="a sentence, for people")


REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal, "description": about}
    for status, about in {
        400: "refused: the message says what would be accepted",
        401: "nobody is logged in",
        403: "the role may not do this",
        404: "there is no such thing",
        409: "not now, or not twice",
        413: "the request is too large",
        422: "the request is not what the document describes",
        429: "too many requests",
    }.items()
}


def _type(name: str) -> Any:
    if name in TYPES:
        return TYPES[name]
    if name.endswith("cents") or name in NUMBERS:
        return Annotated[int, Field(strict=True, ge=-(2**63), lt=2**63)]
    return Annotated[str, Field(max_length=400)]


def _model(kind: str, in_path: str) -> type[BaseModel]:
    fields: dict[str, Any] = {}
    for name in POSSIBLE[kind]:
        if name == in_path:
            continue
        needed = name in REQUIRED[kind] and name != "guest"
        about = "the guest (yourself, unless you are of the staff)" if name == "guest" else FIELDS[name][1]
        kind_ = _type(name)
        fields[name] = (kind_, Field(description=about)) if needed else (kind_ | None, Field(default=None, description=about))
    title = "".join(part.capitalize() for part in kind.split("-"))
    made: type[BaseModel] = create_model(f"{title}Command", __config__=ConfigDict(extra="forbid"), **fields)
    return made


def path_of(kind: str) -> tuple[str, str]:
    """The path of a command's route, and the field that stands in it."""
    if kind == "open":
        return "/tables", ""
    if kind == "board-open":
        return "/boards", ""
    if kind.startswith("board-"):
        return f"/boards/{{board}}/{kind.removeprefix('board-')}", "board"
    if "table" in REQUIRED[kind]:
        return f"/tables/{{table}}/{kind}", "table"
    return f"/cage/{kind}", ""


IdempotencyKey = Annotated[
    str, Header(alias="Idempotency-Key", max_length=80, description="the same key has one effect, however often it is sent")
]


def carry_out(request: Request, command: Json, session: Any, key: str) -> Done:
    """Give a command to the house."""
    house: ServedHouse = request.app.state.house
    roles = HANDLERS[command["kind"]][0]
    if session.role == "guest" and "guest" not in roles:  # not worth a journal entry, however often a guest tries
        raise Refused("role-may-not", f"a guest may not {command['kind']} (may: {', '.join(roles)})")
    if session.role == "guest" and "guest" in POSSIBLE[command["kind"]]:
        command = command | {"guest": command.get("guest") or session.name}
    if key and not re.fullmatch(r"[\x21-\x7e]{1,80}", key):
        raise Refused("bad-key", "an idempotency key is 1 to 80 printable ASCII characters")
    entry = house.do(command, actor_of(session), hashlib.sha256(f"{session.name}\n{key}".encode()).hexdigest() if key else "")
    return Done(seq=entry.seq, hash=entry.hash, happened=happened(entry))


def _endpoint(kind: str, in_path: str) -> Callable[..., Done]:
    """The function behind a command's route: what stands in the path, the body if it has any fields, who, and the key."""
    model = _model(kind, in_path)

    def endpoint(request: Request, session: Any, key: str, name: str = "", body: BaseModel | None = None) -> Done:
        given = body.model_dump(exclude_none=True) if body else {}
        return carry_out(request, given | ({in_path: name} if in_path else {}) | {"kind": kind}, session, key)

    parameters: list[tuple[str, Any, Any]] = [
        ("request", Request, Parameter.empty),
        ("session", AnySession, Parameter.empty),
        ("key", IdempotencyKey, ""),
    ]
    if in_path:
        named = Path(alias=in_path, min_length=1, max_length=40, description=f"the {in_path}'s name")
        parameters.append(("name", Annotated[str, named], Parameter.empty))
    if any(field.is_required() for field in model.model_fields.values()):
        parameters.append(("body", model, Parameter.empty))
    elif model.model_fields:
        parameters.append(("body", model | None, None))
    endpoint.__signature__ = Signature(  # type: ignore[attr-defined]
        [Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind_, default=default) for name, kind_, default in parameters]
    )
    return endpoint


for _kind in NEEDS:
    _path, _in_path = path_of(_kind)
    _roles = HANDLERS[_kind][0]
    router.add_api_route(
        _path,
        _endpoint(_kind, _in_path),
        methods=["POST"],
        summary=ABOUT[_kind],
        description=f"May be given by: {', '.join(_roles)}.",
        operation_id=_kind.replace("-", "_"),
        response_model=Done,
        responses=REFUSALS,
    )
