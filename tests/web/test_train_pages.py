"""The school in a real browser: drills by mouse, keyboard and on a phone, whole courses, an examination to its certificate."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from houses import Served, no_overflow, serving, shoot, until
from playwright.sync_api import Page, expect

from houseway.house.editions import built_in
from houseway.house.floor import Actor
from houseway.train.deals import lesson_of
from houseway.train.exercise import Exercise
from houseway.train.learning import exercise

EDITION = "ez-baccarat-wa"
SHORT_COURSE = """
id = "short-{edition}"
name = "A short course"
pass_percent = 60
minutes = 30
[[exercises]]
edition = "{edition}"
kind = "results"
many = 2
[[exercises]]
edition = "{edition}"
kind = "chips"
[[exercises]]
edition = "{edition}"
kind = "order"
[[exercises]]
edition = "{edition}"
kind = "pay"
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("train")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key") as made:
        made.must(made.staff("supervisor", "Sue").post("/api/v1/train/courses", json={"text": short_course(EDITION)}))
        made.must(made.staff("supervisor", "Sue").post("/api/v1/train/courses", json={"text": short_course("duki-4-wa")}))
        yield made


def short_course(edition: str) -> str:
    return SHORT_COURSE.format(edition=edition)


def fill(page: Page, asked: Exercise, answer: dict[str, str] | None = None) -> None:
    """Answer an exercise with the mouse: rightly, or as told."""
    answer = answer or asked.right
    for ask in asked.asks:
        value = answer[ask.id]
        if ask.form == "pick":
            page.locator(f"input[name='{ask.id}'][value='{value}']").check(force=True)
        elif ask.form == "amount":
            page.fill(f"#ask-{ask.id}", value)
        elif ask.form == "pieces":
            for word in value.split():
                chip, count = word.split("x")
                place = [option.value for option in ask.options].index(chip)
                for _ in range(int(count)):
                    page.locator(".tray-chip").nth(place).click()
        elif ask.form == "cards":
            for card in value.split():
                page.locator(f".cards-to-pick .card-pick:has([data-code='{card}'])").click()
        else:
            put_in_order(page, value.split())


def put_in_order(page: Page, wanted: list[str]) -> None:
    for place, value in enumerate(wanted):
        while True:
            now = page.locator(".to-order li").evaluate_all("items => items.map((item) => item.dataset.value)")
            if now.index(value) == place:
                break
            page.locator(f".to-order li[data-value='{value}'] .quiet").first.click()


def shown_exercise(page: Page, edition: str = EDITION) -> Exercise:
    """The exercise that the page shows, by its address."""
    query = dict(re.findall(r"[?&](\w+)=([^&]*)", page.url.replace("%3A", ":")))
    return exercise(lesson_of(built_in(edition)), query["kind"], int(query["number"]), query["topic"])


def visit(house: Served, new_page: Callable[..., Page], path: str, who: str = "", role: str = "dealer", **options: Any) -> Page:
    token = house.token(role, who) if who else ""
    page = new_page(token=token, url=house.url, **options)
    page.goto(house.url + path)
    return page


def test_a_case_is_answered_explained_and_tried_again(house: Served, new_page: Callable[..., Page]) -> None:
    page = visit(house, new_page, f"/train/{EDITION}?kind=results&number=5")
    expect(page.locator("#asks fieldset").first).to_be_visible()
    asked = exercise(lesson_of(built_in(EDITION)), "results", 5, "")
    assert asked.on_purpose
    expect(page.locator("#about")).to_contain_text("Drawn on purpose")
    expect(page.locator(".drill-felt .card").first).to_be_visible()
    fill(page, asked, {ask.id: ask.options[0].value for ask in asked.asks})
    page.click("#give")
    expect(page.locator("#verdict-title")).to_have_text(re.compile("Wrong"))
    clause = page.locator(".why a.clause").first
    tip = page.locator(f"#{clause.get_attribute('aria-describedby')}")
    expect(tip).to_be_hidden()
    clause.focus()
    expect(tip).to_be_visible()
    shoot(page, "train-wrong")
    page.click("#again")
    fill(page, asked)
    page.click("#give")
    expect(page.locator("#verdict-title")).to_have_text(re.compile("Right"))
    expect(page.locator(".learned")).to_contain_text("does not count")


def test_a_drill_by_keyboard_alone(house: Served, new_page: Callable[..., Page]) -> None:
    page = visit(house, new_page, f"/train/{EDITION}?kind=draw&number=11")
    expect(page.locator("#asks input").first).to_be_attached()
    asked = exercise(lesson_of(built_in(EDITION)), "draw", 11, "")
    right = [option.value for option in asked.asks[0].options].index(asked.asks[0].accepted[0])
    page.keyboard.press(str(right + 1))
    page.keyboard.press("Enter")
    expect(page.locator("#verdict-title")).to_have_text(re.compile("Right"))
    address = page.url
    page.keyboard.press("Enter")
    until(page, f"location.href !== {address!r}")
    expect(page.locator("#after")).to_be_hidden()
    page.goto(f"{house.url}/train/{EDITION}?kind=chips&number=5")
    expect(page.locator(".tray-chip").first).to_be_visible()
    asked = exercise(lesson_of(built_in(EDITION)), "chips", 5, "")
    page.keyboard.press("1")
    page.keyboard.press("Backspace")
    chips = [option.value for option in asked.asks[0].options]
    for word in asked.asks[0].accepted[0].split():
        value, count = word.split("x")
        for _ in range(int(count)):
            page.keyboard.press(str(chips.index(value) + 1))
    page.keyboard.press("Enter")
    expect(page.locator("#verdict-title")).to_have_text(re.compile("Right"))
    page.goto(f"{house.url}/train/{EDITION}?kind=order&number=5")
    expect(page.locator(".handle").first).to_be_visible()
    asked = exercise(lesson_of(built_in(EDITION)), "order", 5, "")
    for place, value in enumerate(asked.asks[0].accepted[0].split()):
        page.locator(f"[data-value='{value}'] .handle").focus()
        while page.locator(".to-order li").nth(place).get_attribute("data-value") != value:
            page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("#verdict-title")).to_have_text(re.compile("Right"))


def test_seats_are_dragged_into_their_order(house: Served, new_page: Callable[..., Page]) -> None:
    page = visit(house, new_page, f"/train/{EDITION}?kind=order&number=5")
    rows = page.locator(".to-order li")
    expect(rows.first).to_be_visible()
    before = rows.evaluate_all("items => items.map((item) => item.dataset.value)")
    page.locator(".to-order").scroll_into_view_if_needed()
    start, end = rows.nth(0).locator(".handle").bounding_box(), rows.nth(2).bounding_box()
    assert start
    assert end
    page.mouse.move(start["x"] + 20, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(start["x"] + 20, end["y"] + end["height"] / 2, steps=8)
    page.mouse.up()
    after = rows.evaluate_all("items => items.map((item) => item.dataset.value)")
    assert after == [*before[1:3], before[0], *before[3:]]


def test_cards_are_set_by_clicking_them(house: Served, new_page: Callable[..., Page]) -> None:
    edition = "ez-pai-gow-wa"
    page = visit(house, new_page, f"/train/{edition}?kind=set&number=4")
    expect(page.locator(".cards-to-pick .card-pick").first).to_be_visible()
    asked = exercise(lesson_of(built_in(edition)), "set", 4, "")
    fill(page, asked)
    page.click("#give")
    expect(page.locator("#verdict-title")).to_have_text(re.compile("Right"))


def test_a_player_is_told_what_each_error_costs(house: Served, new_page: Callable[..., Page]) -> None:
    page = visit(house, new_page, "/train/lucky-lucky-wa?kind=decide&number=6")
    expect(page.locator("#who-player")).to_be_checked()
    page.locator(".option").first.click()
    page.click("#give")
    expect(page.locator(".verdict .why")).to_contain_text("the error costs")
    expect(page.locator(".worths tbody tr").first).to_contain_text("the best")
    shoot(page, "train-player")


def test_without_an_account_the_browser_keeps_what_is_learned(house: Served, new_page: Callable[..., Page]) -> None:
    page = visit(house, new_page, f"/train/{EDITION}?kind=results&number=5", expected="400")
    expect(page.locator("#asks fieldset").first).to_be_visible()
    fill(page, shown_exercise(page))
    page.click("#give")
    expect(page.locator(".verdict")).to_be_visible()
    kept = page.evaluate(f"JSON.parse(localStorage.getItem('houseway-train:{EDITION}')).answers")
    assert kept == 1
    page.click("[data-view=map]")
    expect(page.locator(".tile.level-begun, .tile.level-known")).to_have_count(1)
    page.evaluate(f"localStorage.setItem('houseway-train:{EDITION}', '{{\"form\": 7}}')")
    page.goto(f"{house.url}/train/{EDITION}?kinds=read")
    page.get_by_role("button", name="Begin anew").click()
    expect(page.locator("#asks > *")).to_be_visible()


def test_with_an_account_the_house_keeps_it_and_takes_over_what_the_browser_had(
    house: Served, new_page: Callable[..., Page]
) -> None:
    page = visit(house, new_page, f"/train/{EDITION}?kind=results&number=5")
    expect(page.locator("#asks fieldset").first).to_be_visible()
    fill(page, shown_exercise(page))
    page.click("#give")
    expect(page.locator(".verdict")).to_be_visible()
    page.context.add_cookies([{"name": "houseway", "value": house.token("dealer", "Kay"), "url": house.url}])
    page.goto(f"{house.url}/train/{EDITION}?kind=read&number=2")
    expect(page.locator("#asks fieldset").first).to_be_visible()
    assert page.evaluate(f"localStorage.getItem('houseway-train:{EDITION}')") is None
    fill(page, shown_exercise(page))
    page.click("#give")
    expect(page.locator(".verdict")).to_be_visible()
    school = house.app.state.school
    assert school.progress(Actor("Kay", "dealer"), "Kay", EDITION).answers == 2


def test_the_map_filters_and_trains_one_topic(house: Served, new_page: Callable[..., Page]) -> None:
    page = visit(house, new_page, f"/train/{EDITION}?view=map")
    expect(page.locator(".tile").first).to_be_visible()
    every = page.locator(".tile").count()
    page.fill("#map-filter", "tie")
    until(page, f"document.querySelectorAll('.tile').length < {every}")
    page.locator(".tile").first.click()
    expect(page.locator("#asks > *")).to_be_visible()
    expect(page.locator("#all-topics")).to_be_visible()
    assert "tie" in page.url


def test_the_map_is_by_clause_and_no_kind_is_offered_that_the_edition_lacks(
    house: Served, new_page: Callable[..., Page]
) -> None:
    page = visit(house, new_page, f"/train/{EDITION}?view=map")
    results = page.locator(".map-kind[aria-label='Who wins?']")
    expect(results.locator(".map-clause a.clause")).to_have_text([f"EZB-5{letter}" for letter in "cdabe"])
    expect(page.locator("#kinds input[value='draw']")).to_be_visible()
    expect(page.locator("#kinds input[value='set']")).to_have_count(0)


def test_the_felt_tells_the_edition_and_the_pay_table(house: Served, new_page: Callable[..., Page]) -> None:
    page = visit(house, new_page, "/train/lucky-lucky-wa?kind=pay&number=5&pay-table=6:5")
    told = page.locator(".drill-facts li")
    expect(told).to_have_text(["Edition: Blackjack with Lucky Lucky (Washington)", "Pay table: 6:5"])


def test_a_round_against_the_clock_ends_with_its_list(house: Served, new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.clock.install()
    page.goto(f"{house.url}/train/{EDITION}?view=speed&kinds=read")
    page.click("#speed-start")
    expect(page.locator("#speed-clock")).to_have_text(re.compile("2:00|1:5"))
    page.locator(".option").first.click()
    page.click("#give")
    expect(page.locator("#speed-strip li")).to_have_count(1)
    page.clock.run_for(130_000)
    expect(page.locator("#speed-results h3")).to_contain_text("of 1 answer right")
    expect(page.locator("#speed-results a")).to_have_attribute("href", re.compile("kind=read"))


@pytest.mark.parametrize("edition", [EDITION, "duki-4-wa"])
def test_a_whole_course_is_done_with_a_reload_in_its_middle(house: Served, new_page: Callable[..., Page], edition: str) -> None:
    page = visit(house, new_page, f"/train/course/short-{edition}")
    page.click("#begin")
    lesson = lesson_of(built_in(edition))
    for place in range(5):
        expect(page.locator("#course-place")).to_contain_text(f"Exercise {place + 1} of 5")
        step = page.evaluate(f"JSON.parse(localStorage.getItem('houseway-course:short-{edition}'))[{place}]")
        asked = exercise(lesson, step["kind"], step["number"], step["topic"])
        fill(page, asked)
        page.click("#give")
        expect(page.locator("#verdict-title")).to_have_text(re.compile("Right"))
        if place == 2:
            page.reload()
            page.click("#begin")
        else:
            page.click("#next")
    expect(page.locator("#course-end h2")).to_contain_text("Passed")
    expect(page.locator("#course-end")).to_contain_text("5 of 5 exercises right: 100 %")


def test_an_edition_removed_in_mid_course_loses_nothing(house: Served, new_page: Callable[..., Page]) -> None:
    own = built_in_text(EDITION).replace(f'id = "{EDITION}"', 'id = "our-own"', 1)
    house.must(house.staff("supervisor", "Sue").post("/api/v1/own-editions", json={"text": own}))
    house.must(house.staff("supervisor", "Sue").post("/api/v1/train/courses", json={"text": short_course("our-own")}))
    page = visit(house, new_page, "/train/course/short-our-own", expected="400|404")
    page.click("#begin")
    expect(page.locator("#course-place")).to_contain_text("Exercise 1 of 5")
    step = page.evaluate("JSON.parse(localStorage.getItem('houseway-course:short-our-own'))[0]")
    document = house.app.state.house.state.editions["our-own"]
    fill(page, exercise(lesson_of(document), step["kind"], step["number"], step["topic"]))
    page.click("#give")
    expect(page.locator(".verdict")).to_be_visible()
    house.must(house.staff("supervisor", "Sue").delete("/api/v1/own-editions/our-own"))
    page.click("#next")
    expect(page.locator("#problem")).to_contain_text("our-own")
    expect(page.locator("#problem")).to_contain_text("Nothing is lost")
    house.must(house.staff("supervisor", "Sue").post("/api/v1/own-editions", json={"text": own}))
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#course-place")).to_contain_text("Exercise 2 of 5 · 1 of 1 right")


def built_in_text(edition: str) -> str:
    from houseway.games import edition_files

    return edition_files()[edition].read_text(encoding="utf-8")


def test_an_examination_to_its_certificate(house: Served, new_page: Callable[..., Page], tmp_path: Path) -> None:
    page = visit(house, new_page, f"/train/course/short-{EDITION}", "Dana", expected="503|Failed to load|ERR_")
    page.click("#sit")
    page.wait_for_url("**/train/exam/*")
    number = int(page.url.rpartition("/")[2])
    expect(page.locator("#exam-clock")).to_have_text(re.compile(r"^(30:00|29:5\d)$"))
    sitting = house.app.state.school.sitting(Actor("Dana", "dealer"), number)
    for place in range(1, 6):
        expect(page.locator("#kind")).to_contain_text(f"{place} of 5")
        asked = sitting.examination.exercise(place)
        expect(page.locator("#question")).to_have_text(asked.question)
        fill(page, asked)
        if place == 2:  # what is not sent yet is there after a reload
            page.reload()
            expect(page.locator("#kind")).to_contain_text("2 of 5")
        if place == 3:  # and what cannot be sent is sent when the house answers again
            page.context.set_offline(True)
            page.click("#give")
            expect(page.locator("#sent")).to_contain_text("kept here")
            page.context.set_offline(False)
            expect(page.locator(".place.kept")).to_have_count(3)
            page.locator(".place").nth(3).click()
            continue
        page.click("#give")
        expect(page.locator(".place.kept")).to_have_count(place)
    expect(page.locator("#judged")).to_be_empty()
    shoot(page, "train-exam")
    page.click("#hand-in")
    expect(page.locator("#ask-words")).to_have_text("Every exercise has an answer.")
    page.click("#ask-yes")
    expect(page.locator(".course-result")).to_contain_text("5 of 5 right: 100 %")
    page.locator(".exam-exercise summary").first.click()
    expect(page.locator(".explained-exercise .why")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Certificate (PDF)").click()
    file = tmp_path / "certificate.pdf"
    download.value.save_as(file)
    floor = visit(house, new_page, "/train/house/verify", "Sue", "supervisor", expected="400")
    for content, told in ((file.read_bytes(), "It is this house's, and unchanged."), (changed(file.read_bytes()), "✗")):
        file.write_bytes(content)
        floor.set_input_files("#file", file)
        floor.get_by_role("button", name="Verify").click()
        expect(floor.locator("#found")).to_contain_text(told)
    floor.goto(f"{house.url}/train/house/results")
    expect(floor.locator("section[aria-label=Dana]")).to_contain_text("5 of 5 right (100 %)")
    other = house.staff("dealer", "Olaf").get(f"/api/v1/train/exams/{number}")
    assert other.json()["code"] == "role-may-not"
    assert house.must(house.staff("dealer", "Olaf").get("/api/v1/train/exams")) == []


def changed(pdf: bytes) -> bytes:
    """The same with one byte changed in its middle."""
    place = len(pdf) // 2
    return pdf[:place] + bytes([pdf[place] ^ 1]) + pdf[place + 1 :]


def test_an_answer_after_the_clock_is_refused_and_the_others_count(
    house: Served, new_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visit(house, new_page, f"/train/course/short-{EDITION}", "Late", expected="409")
    page.click("#sit")
    page.wait_for_url("**/train/exam/*")
    number = int(page.url.rpartition("/")[2])
    school = house.app.state.school
    sitting = school.sitting(Actor("Late", "dealer"), number)
    expect(page.locator("#kind")).to_contain_text("1 of 5")
    fill(page, sitting.examination.exercise(1))
    page.click("#give")
    expect(page.locator("#kind")).to_contain_text("2 of 5")
    fill(page, sitting.examination.exercise(2))
    clock = school.clock
    monkeypatch.setattr(school, "clock", lambda: clock() + timedelta(hours=1))
    page.click("#give")
    expect(page.locator(".course-result")).to_contain_text("1 of 5 right")
    expect(page.locator("#problem")).to_contain_text("does not count")
    told = house.staff("dealer", "Late").post(f"/api/v1/train/exams/{number}/exercises/2", json={"answer": {}})
    assert told.status_code == 409


@pytest.mark.parametrize("kind", ["results", "pay", "chips", "order", "read", "draw", "wrong"])
def test_every_kind_fits_a_phone(house: Served, new_page: Callable[..., Page], kind: str) -> None:
    page = visit(house, new_page, f"/train/lucky-lucky-wa?kind={kind}&number=7", width=390, height=844, has_touch=True)
    expect(page.locator("#asks > *")).to_be_visible()
    no_overflow(page)
    asked = shown_exercise(page, "lucky-lucky-wa")
    fill(page, asked)
    page.locator("#give").tap()
    expect(page.locator("#verdict-title")).to_be_visible()
    no_overflow(page)
    shoot(page, f"train-phone-{kind}")


def test_the_lobby_leads_to_the_school(house: Served, new_page: Callable[..., Page]) -> None:
    page = visit(house, new_page, "/")
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Train").click()
    expect(page.locator(".school-card").first).to_be_visible()
    page.locator(f".school-card a.button[href='/train/{EDITION}']").click()
    expect(page.locator("#asks > *")).to_be_visible()
