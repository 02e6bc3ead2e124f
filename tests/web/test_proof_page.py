"""Heads in the browser: every page keeps them, the wall prints them, and the proof page finds a chain that was rewritten."""

import json
import re
from typing import Any

import httpx
import pytest
from houses import Served, until
from playwright.sync_api import Route, expect
from sqlalchemy import text

from houseway.house.audit import Auditor
from houseway.house.heads import SignedHead, read_heads
from houseway.house.store import Store
from houseway.table.entry import Entry, canonical

KEPT = "JSON.parse(localStorage.getItem('houseway.heads') ?? '[]')"


def rewrite(store: Store) -> None:
    """The whole chain anew, from its first entry; every hash holds."""
    previous = (0, "0" * 64)
    entries = list(store.as_stored())
    with store.engine.begin() as connection:
        for trigger in ("no_update", "no_delete", "no_replace"):
            connection.execute(text(f"DROP TRIGGER IF EXISTS entries_{trigger}"))
        for entry in entries:
            data = json.loads(entry.payload) | ({"salt": "0" * 32} if entry.seq == 1 else {})
            chained = Entry.chained(previous, entry.fields() | {"payload": canonical(data)})
            new = {"payload": chained.payload, "previous": chained.previous, "hash": chained.hash, "seq": chained.seq}
            statement = "UPDATE entries SET payload = :payload, previous = :previous, hash = :hash WHERE seq = :seq"
            connection.execute(text(statement), new)
            previous = chained.seq, chained.hash
        connection.execute(text("UPDATE head SET hash = :hash"), {"hash": previous[1]})


def test_the_newest_head_is_signed_and_in_the_chain(served: Served) -> None:
    told = served.must(served.anybody().get("/api/v1/heads/latest"))
    head = SignedHead.read(told)
    assert head.is_genuine()
    assert told["short"] == f"{head.seq} {head.hash[:16]}"
    assert served.app.state.house.floor.keys.public_keys()[0] == head.public_key
    hashes = served.must(served.anybody().get("/api/v1/heads", params={"seq": [head.seq, 10**9]}))["hashes"]
    assert hashes == {str(head.seq): head.hash}


@pytest.mark.parametrize("seqs", [["x"], [0], [2**63], list(range(1, 102)), []])
def test_what_is_no_number_of_an_entry_is_refused_in_one_line(served: Served, seqs: list[Any]) -> None:
    answer: httpx.Response = served.anybody().get("/api/v1/heads", params={"seq": seqs})
    assert answer.status_code == 422
    assert "\n" not in answer.json()["message"]


def test_every_page_of_a_guest_keeps_the_heads_and_the_proof_page_finds_a_rewritten_chain(
    served: Served, new_page, tmp_path
) -> None:
    page = new_page(width=1280, height=800, token=served.joined("Ann")["token"], url=served.url)
    page.goto(f"{served.url}/tables/Baccarat 1")
    until(page, f"{KEPT}.length === 1")
    (kept,) = page.evaluate(KEPT)
    assert SignedHead.read(kept).is_genuine()
    page.goto(f"{served.url}/proof")
    expect(page.locator("#verdict")).to_have_text(re.compile("^✓ The chain of now contains every one"))
    with page.expect_download() as saving:
        page.locator("#save").click()
    saving.value.save_as(tmp_path / "heads.json")
    heads = read_heads(tmp_path / "heads.json")
    store = Store(served.app.state.house.floor.store.url)
    assert Auditor(store, heads=heads).run().flaw is None
    rewrite(store)
    assert Auditor(store).run().flaw is None  # by itself, such a chain holds
    found = Auditor(store, heads=heads).run().flaw
    assert found is not None and "the chain was rewritten" in found.what
    page.goto(f"{served.url}/proof")
    expect(page.locator("#verdict")).to_have_text(re.compile(rf"^✗ Entry {kept['seq']} cannot be as it was"))
    expect(page.locator("#heads .bad").first).to_contain_text("another entry stands there now")


@pytest.mark.parametrize("page", ["board/Baccarat 1", "proof"])
def test_a_head_that_comes_before_the_pages_own_script_is_shown(page: str, served: Served, new_page) -> None:
    browser = new_page(width=1920, height=1080, url=served.url)
    held: list[Route] = []

    def hold(route: Route) -> None:  # Playwright marks its handlers, so that none can be a builtin
        held.append(route)

    browser.route(f"**/js/{page.partition('/')[0]}/page.js", hold)
    browser.goto(f"{served.url}/{page}", wait_until="commit")
    until(browser, f"{KEPT}.length === 1")
    (kept,) = browser.evaluate(KEPT)
    (script,) = held
    script.continue_()
    if page == "proof":
        expect(browser.locator("#verdict")).to_have_text(re.compile("^✓ The chain of now contains every one of the 1 head"))
    else:
        expect(browser.locator("#chain")).to_have_text(re.compile(rf"^Entry {kept['seq']} · {kept['hash'][:16]} · \d"))


def test_the_floors_audit_says_that_it_had_no_head_from_outside(served: Served) -> None:
    report = served.must(served.staff("auditor").post("/api/v1/audit"))
    assert report["holds"] and report["heads_compared"] == 0
    assert "no head from outside was compared: a chain rewritten as a whole would pass" in report["remarks"]
