"""What every page owes its readers: light, self-contained, named, labelled, and fit for a narrow screen."""

from pathlib import Path

import httpx
import pytest
from houses import PATIENCE, Served, serving
from playwright.sync_api import Request

WEIGHT_MOST = 300_000
PAGES = (
    "/",
    "/tables/Baccarat 1",
    "/tables/Pai Gow 1",
    "/dealer/Baccarat 1",
    "/board/Baccarat 1",
    "/board/Duki 1",
    "/floor",
    "/lab",
    "/lab/lucky-lucky-wa/hand?hand=8s 8d&dealer=10h",
    "/lab/duki-4-wa/strategy",
    "/verify",
    "/proof",
    "/rounds/{round}",
    "/editions/ez-baccarat-wa",
    "/login",
    "/no-such-page",
)
UNNAMED = """() => {
  const hasName = (one) => one.ariaLabel || one.textContent.trim() || one.labels?.length || one.title
    || one.getAttribute("aria-labelledby") || one.querySelector("img[alt], svg[aria-label]");
  return [...document.querySelectorAll("button, input:not([type=hidden]), select, textarea, a[href]")]
    .filter((one) => one.offsetParent !== null && !hasName(one)).map((one) => one.outerHTML.slice(0, 120));
}"""
DOUBLED = """() => {
  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory):
    folder: Path = tmp_path_factory.mktemp("pages")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "house.key") as served:
        yield served, played(served)


def played(served: Served) -> int:
    """The entry that ended a round at a table of its own."""
    name = served.open_table("Proof 1", "ez-baccarat-wa")
    dealer, cashier = served.staff("dealer"), served.staff("cashier")
    served.must(cashier.post("/api/v1/cage/buy-in", json={"guest": "ann", "cents": 10_000}))
    at = f"/api/v1/tables/{name}"
    served.must(dealer.post(f"{at}/bet", json={"seat": 1, "guest": "ann", "wager": "banker", "cents": 1_000}))
    served.must(dealer.post(f"{at}/no-more-bets"))
    served.must(dealer.post(f"{at}/card", json={"cards": "Ks Qd 9h 9c"}))
    return int(served.must(dealer.post(f"{at}/settle"))["seq"])


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("width", [1440, 390])
def test_a_page_is_light_alone_named_and_fits(house, new_page, path: str, width: int) -> None:
    served, round_ = house
    page = new_page(width=width, height=844, token=served.token("supervisor"), url=served.url, expected="404")
    asked: list[str] = []
    finished: list[Request] = []

    def finish(request: Request) -> None:
        finished.append(request)

    page.on("request", lambda request: asked.append(request.url))
    page.on("requestfinished", finish)
    page.goto(f"{served.url}{path.format(round=round_)}")
    page.locator("h1, main").first.wait_for()
    page.wait_for_load_state("load")
    assert all(url.startswith((served.url, "data:")) for url in asked), asked
    answers = [request.response() for request in tuple(finished)]
    streams = "text/event-stream"
    weight = sum(len(answer.body()) for answer in answers if streams not in answer.headers.get("content-type", ""))
    assert 0 < weight < WEIGHT_MOST, f"{weight:,} bytes"
    assert page.title()
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.evaluate(UNNAMED) == []
    assert page.evaluate(DOUBLED) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_page_of_another_role_says_so(house) -> None:
    served, _ = house
    answer = served.guest("Nosy").get("/floor", headers={"Accept": "text/html"})
    assert answer.status_code == 403
    assert "may not see this page" in answer.text
    stranger = httpx.get(f"{served.url}/floor", follow_redirects=False, timeout=PATIENCE)
    assert stranger.headers["location"] == "/login?next=/floor"
