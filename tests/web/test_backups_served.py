"""A served house backs up by itself, and the floor sees how the backups stand."""

import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from houses import PATIENCE, Served
from playwright.sync_api import expect

from houseway.house.audit import Auditor
from houseway.house.backups import Backups
from houseway.house.floor import HOUSE, now
from houseway.house.store import Store
from houseway.table.fold import BACKUP_FAILED


def test_serve_backs_up_into_a_folder(start_process: Callable[..., tuple[str, Any]], tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    url, process = start_process("", 0, "--no-demo", "--backup-every", "1h", "--backup-to", str(folder))
    end = time.monotonic() + 4 * PATIENCE
    while not list(folder.glob("house-*.db")):
        assert time.monotonic() < end, "no backup was made"
        time.sleep(0.1)
    [file] = folder.glob("house-*.db")
    assert Auditor(Store(f"sqlite:///{file}", only_reads=True)).run().flaw is None
    assert httpx.get(f"{url}/api/v1/tables", timeout=PATIENCE).status_code == 200
    store = Store(f"sqlite:///{tmp_path / 'house.db'}", only_reads=True)
    while not any(entry.kind == "backup" for entry in store.entries()):
        assert time.monotonic() < end, "it is not in the journal"
        time.sleep(0.1)
    process.terminate()
    process.wait(PATIENCE)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--backup-every", "soon", "--backup-to", "here"), "such as 30m or 1h"),
        (("--backup-every", "1h"), "--backup-to"),
        (("--backup-to", "/dev/null/no"), "cannot be a folder"),
    ],
)
def test_a_schedule_that_cannot_be_is_one_line(run: Any, options: tuple[str, ...], said: str, tmp_path: Path) -> None:
    code, _, err = run("serve", "--store", f"sqlite:///{tmp_path / 'house.db'}", *options)
    assert code == 2 and said in err and err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_the_floor_sees_how_the_backups_stand(served: Served, new_page: Any, tmp_path: Path) -> None:
    supervisor = served.staff("supervisor")
    assert supervisor.get("/api/v1/floor").json()["backups"] is None
    served.app.state.backups = Backups.into("1h", tmp_path / "backups")
    late = now() - timedelta(hours=5)
    (tmp_path / "backups" / f"house-{late:%Y%m%dT%H%M%SZ}.db").touch()
    served.app.state.house.note(BACKUP_FAILED, HOUSE, {"reason": "the disk is full"})
    told = supervisor.get("/api/v1/floor").json()
    assert told["backups"]["late"] and f"{late:%H:%M} UTC" in told["backups"]["words"]
    assert any("the disk is full" in event["text"] for event in told["events"])
    page = new_page(token=served.token("supervisor"), url=served.url)
    page.goto(f"{served.url}/floor")
    expect(page.locator("#backups")).to_contain_text("Backups are late")
    page.goto(f"{served.url}/floor#events")
    expect(page.locator("#events")).to_contain_text("the disk is full")
