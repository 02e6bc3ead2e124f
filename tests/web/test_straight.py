"""What is asked for most goes a straight way: to just where a router would lead it, and nothing else goes there."""

import itertools
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from houses import serving
from starlette.routing import Match, Router

from houseway.table.state import House
from houseway.web.commands import routes, straight_way
from houseway.web.limits import Holders

STRAIGHT, USUAL = straight_way(), Router(list(routes().routes))
NAMES = ("t1", "T 1", "kind", "é", "open", "a.b")


def asked(path: str, method: str = "POST") -> dict[str, Any]:
    return {"type": "http", "method": method, "path": path, "headers": []}


def led(router: Any, scope: dict[str, Any]) -> tuple[Any, Any] | None:
    """Where a router leads a request, and with which names."""
    for route in getattr(router, "routes", [router]):
        match, child = route.matches(scope)
        if match == Match.FULL:
            return child["endpoint"], child["path_params"]
    return None


def test_every_command_is_led_to_where_a_router_leads_it() -> None:
    paths = [route.path for route in routes().routes]  # type: ignore[attr-defined]
    assert len(paths) > 70
    for path, name in itertools.product(paths, NAMES):
        begins, _, rest = path.partition("{")
        scope = asked(begins + name + rest.partition("}")[2] if rest else path)
        assert (found := led(STRAIGHT, scope)) == led(USUAL, scope), scope["path"]
        assert found, f"{scope['path']} has no straight way"


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "/api/v1",
        "{}",
        "{}/",
        "{}//bet",
        "{}/t1",
        "{}/t1/",
        "{}/t1/bet/",
        "{}/t1/x/bet",
        "{}/t1/bet/more",
        "{}/t1/nothing",
    ],
)
def test_what_is_no_command_is_left_to_the_router(path: str) -> None:
    for begins in ("/api/v1/table", "/API/v1/tables", "/x/api/v1/tables") + ("/api/v1/tables",) * (path != "{}"):
        assert led(STRAIGHT, asked(path.format(begins))) is led(USUAL, asked(path.format(begins))) is None


def test_another_method_is_left_to_the_router(tmp_path: Path) -> None:
    for method in ("GET", "HEAD", "PUT", "DELETE", "OPTIONS"):
        assert led(STRAIGHT, asked("/api/v1/tables/t1/bet", method)) is None
    assert STRAIGHT.matches({"type": "websocket", "path": "/api/v1/tables/t1/bet"})[0] == Match.NONE
    with serving(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "key") as house:
        refused = house.guest("Ann").get("/api/v1/tables/t1/bet")
        assert (refused.status_code, refused.headers["allow"]) == (405, "POST")


def test_seats_are_counted_as_if_all_tables_were_looked_at_again() -> None:
    """Tables come, change and go, and a seat is somebody's as long as he has a bet there."""

    def table(seated: dict[int, str], spots: dict[int, str]) -> Any:
        round_ = SimpleNamespace(spots={seat: SimpleNamespace(guest=guest) for seat, guest in spots.items()})
        return SimpleNamespace(seated=seated, round=round_)

    holders = Holders()
    ann, bob = table({1: "ann", 2: "bob"}, {}), table({1: "ann"}, {1: "bob", 3: "ann"})
    for tables, held in (
        ({"t1": ann}, {"ann": 1, "bob": 1}),
        ({"t1": ann, "t2": bob}, {"ann": 3, "bob": 1}),
        ({"t1": bob, "t2": bob}, {"ann": 4}),
        ({"t2": bob, "t3": ann}, {"ann": 3, "bob": 1}),
        ({"t3": ann}, {"ann": 1, "bob": 1}),
        ({}, {}),
    ):
        house: House = SimpleNamespace(tables=tables)  # type: ignore[assignment]
        counted = holders.of(house)
        assert {guest: seats for guest, seats in counted.items() if seats} == held
        assert counted["nobody"] == 0
