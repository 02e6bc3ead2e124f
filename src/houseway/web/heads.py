"""Signed heads for whoever keeps them: every page does, and the wall board prints them."""

import threading
import time
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import Field

from houseway.house.floor import now
from houseway.house.heads import SignedHead, signed, signing_key
from houseway.web.commands import REFUSALS
from houseway.web.live import house_of
from houseway.web.served import ServedHouse

router = APIRouter(prefix="/api/v1", tags=["house"], responses=REFUSALS)
SECONDS_BETWEEN_HEADS = 10.0
"""A head is signed at most so often, however many ask."""


class NewestHead:
    """The newest signed head, made when somebody asks, and for all who ask within a few seconds the same."""

    def __init__(self, house: ServedHouse) -> None:
        self._house, self._lock = house, threading.Lock()
        self._head: SignedHead | None = None
        self._at = 0.0

    def get(self) -> SignedHead:
        """The head of the chain as it was a moment ago, signed."""
        with self._lock:
            if self._head is None or time.monotonic() - self._at >= SECONDS_BETWEEN_HEADS:
                floor = self._house.floor
                key = signing_key(self._house, floor.store, floor.keys)
                head = floor.store.head()
                if self._head is None or head[0] != self._head.seq:
                    self._head = signed(head, key.secret, now())
                self._at = time.monotonic()
            return self._head


@router.get("/heads/latest", summary="The signed head of the chain")
def latest(request: Request) -> dict[str, Any]:
    """The number and the hash of the newest entry, signed. Keep it: a chain that is rewritten later does not contain it."""
    newest: NewestHead = request.app.state.heads
    head = newest.get()
    return {**asdict(head), "short": head.short}


@router.get("/heads", summary="The hashes of entries")
def hashes(
    request: Request,
    seq: Annotated[list[Annotated[int, Field(ge=1, lt=2**63)]], Query(max_length=100, description="the entries' numbers")],
) -> dict[str, Any]:
    """What the chain says now of entries: compare it with the heads that you kept. One that is not there has no hash."""
    return {"hashes": {str(number): hash_ for number, hash_ in house_of(request).floor.store.hashes(seq).items()}}
