"""The document describes the house: whatever it allows, and much that it does not, is answered as it says, never with 500."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import pytest
import schemathesis
from houses import PATIENCE, Served, serving
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as limits_of
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from houseway.web.app import ServeSettings, create_app

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
ROLES = ("anybody", "guest", "dealer", "supervisor", "cashier", "security", "accounting", "host", "auditor", "administrator")
REAL = {
    "table": ["Baccarat 1", "California 1", "Pai Gow 1", "Blackjack 1", "Duki 1", "keyed"],
    "board": ["Baccarat 1", "Duki 1", "keypad"],
    "seat": [1, 2, 7],
    "seq": [1, 5, 20, 40],
    "id": ["ez-baccarat-wa", "duki-4-wa"],
    "edition": ["ez-baccarat-wa", "ez-baccarat-ca"],
    "name": ["test dealer"],
}
"""Names that are known, so that not every example ends at the first look."""
SLOW = ("/editions/", "/verify/", "/audit", "/session", "/people", "/floor")
"""Odds are counted, passwords are hashed, whole journals are read: few examples are enough there."""


@schemathesis.serializer("application/pdf")
def as_sent(context: Any, content: Any) -> bytes:
    """A file as it is uploaded: whatever it holds, it may begin as a PDF does."""
    text = str(content)
    return (f"%PDF{text}" if len(text) % 2 else text).encode("utf-8", "replace")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("openapi")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key") as made:
        made.open_table("keyed", "ez-pai-gow-wa", "hand-keyed")
        made.must(made.staff("supervisor").post("/api/v1/boards", json={"board": "keypad", "edition": "ez-baccarat-wa"}))
        yield made


@pytest.fixture(scope="module")
def tokens(house: Served) -> dict[str, str]:
    staff = {role: house.token(role) for role in ROLES[2:]}
    return {"anybody": "", "guest": house.joined("Fuzzy")["token"]} | staff


def operations() -> list[tuple[str, str]]:
    """Every operation of the document but the streams, which do not end; leaving is tried by itself."""
    with TemporaryDirectory() as folder:
        made = create_app(ServeSettings(f"sqlite:///{folder}/h.db", Path(folder) / "key", demo=False))
        paths = made.openapi()["paths"]
        made.state.house.floor.store.engine.dispose()
    found = [(method.upper(), path) for path, methods in paths.items() for method in methods]
    return [(method, path) for method, path in found if not path.endswith("/stream") and method != "DELETE"]


OPERATIONS = operations()


@cache
def document_at(url: str) -> Any:
    """The house's own document, read once."""
    return schemathesis.openapi.from_url(url)


def try_out(house: Served, tokens: dict[str, str], method: str, path: str, examples: int, mode: GenerationMode) -> None:
    """Examples of one operation, by people of all roles, with known and unknown names."""
    operation = document_at(f"{house.url}/api/v1/openapi.json")[path][method]
    if mode == GenerationMode.NEGATIVE and not (operation.path_parameters or operation.query or operation.body):
        return  # there is nothing to get wrong
    limits = limits_of(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )

    @limits
    @given(
        case=operation.as_strategy(generation_mode=mode), role=st.sampled_from(ROLES), real=st.randoms(use_true_random=False)
    )
    def check(case: Any, role: str, real: Any) -> None:
        for name in case.path_parameters or {}:
            if name in REAL and real.random() < 0.7:
                case.path_parameters[name] = real.choice(REAL[name])
        headers = {"Authorization": f"Bearer {tokens[role]}"} if tokens[role] else {}
        response = case.call(headers=headers, timeout=PATIENCE)
        case.validate_response(response, checks=CHECKS)

    check()


def _few(path: str, many: int, few: int) -> int:
    return few if any(part in path for part in SLOW) else many


LAB = (
    "/api/v1/editions/{id}/odds",
    "/api/v1/editions/{id}/odds.csv",
    "/api/v1/editions/{id}/decks",
    "/api/v1/editions/{id}/edge",
    "/api/v1/editions/{id}/hand",
    "/api/v1/editions/{id}/best",
    "/api/v1/editions/{id}/gone",
    "/api/v1/verify/{edition}",
)


@pytest.mark.parametrize("path", LAB)
def test_the_lab_documents_what_it_answers(house: Served, path: str) -> None:
    document = httpx.get(f"{house.url}/api/v1/openapi.json", timeout=PATIENCE).json()
    answer = httpx.get(house.url + path.format(id="none", edition="none"), params={"wager": "none"}, timeout=PATIENCE)
    assert {str(answer.status_code), "429"} <= document["paths"][path]["get"]["responses"].keys()


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_what_the_document_allows_is_answered_as_it_says(house: Served, tokens: dict[str, str], method: str, path: str) -> None:
    try_out(house, tokens, method, path, _few(path, 6, 3), GenerationMode.POSITIVE)


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_what_the_document_does_not_allow_is_refused_as_it_says(
    house: Served, tokens: dict[str, str], method: str, path: str
) -> None:
    try_out(house, tokens, method, path, _few(path, 4, 2), GenerationMode.NEGATIVE)


@pytest.mark.deep
@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_many_more_examples(house: Served, tokens: dict[str, str], method: str, path: str, mode: GenerationMode) -> None:
    try_out(house, tokens, method, path, _few(path, 150, 30), mode)


def test_the_document_is_one(house: Served) -> None:
    """Complete enough to write a client from: ids, summaries, refusals, who may do what."""
    document = httpx.get(f"{house.url}/api/v1/openapi.json", timeout=PATIENCE).json()
    assert document["openapi"].startswith("3.1")
    ids = []
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            ids.append(operation["operationId"])
            assert operation["summary"], (method, path)
            if method == "post" and "May be given by" in operation.get("description", ""):
                assert {"200", "400", "401", "403", "409", "422"} <= operation["responses"].keys()
    assert len(ids) == len(set(ids))


def test_after_all_that_the_house_stands(house: Served) -> None:
    """The journal holds, and all accounts together are zero."""
    told = house.staff("auditor").post("/api/v1/audit").json()
    assert told["holds"], told
    assert sum(house.app.state.house.floor.state.balances.values()) == 0
