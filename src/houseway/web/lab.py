"""The odds lab and the verify page: par sheets, what-ifs and published figures, as pages and as an API.

A pay table only multiplies exact counts, so the browser is given the counts and edits pays by itself. The API answers the
same question with `pay`, so that what is downloaded is what is on the screen.
"""

import csv
import io
from collections import Counter, OrderedDict
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from threading import Lock
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import Field

from houseway.api import Rulebook
from houseway.house.editions import known_edition, known_editions
from houseway.house.standing import standing
from houseway.odds.par_sheet import SOLVED, ParSheet, Row, check_players, par_sheet
from houseway.odds.published import Finding
from houseway.refusal import Refused, one_of
from houseway.rulebook import Edition, Settings
from houseway.rulebook.edition import PAY_TABLE
from houseway.rulebook.game import Value
from houseway.rulebook.pay import Pay
from houseway.solve.solver import SAMPLED, is_sheet_ready, solved_sheet
from houseway.table.boards import keypad_of
from houseway.table.bound import as_text, read_document
from houseway.web.apart import apart
from houseway.web.commands import Refusal
from houseway.web.lab_answers import (
    DecksAnswer,
    DecksPoint,
    EdgeAnswer,
    EditionAnswer,
    OddsAnswer,
    VerifyAnswer,
    exact,
    finding_answer,
    ratio,
    ratio_of,
    setting_answer,
    standard_error,
    status_of,
    wager_answer,
)
from houseway.web.lab_sheets import edge_answer, edge_point, player_asked, sheet_answer
from houseway.web.served import ServedHouse

Text = Annotated[str, Field(min_length=1, max_length=64)]


@dataclass(frozen=True)
class Question:
    """Which par sheet is asked for."""

    edition: Edition
    wager: str
    settings: Settings
    players: int
    bet_cents: int
    pays: tuple[tuple[str, str], ...]
    player: str = ""
    """How the player decides, where a solver is asked; `sampled` where he is as the wager's own strategy says."""


class Once:
    """Par sheets, each computed once however many ask at the same time; the least recently used are forgotten.

    Simulations take seconds: when a few are under way, more are refused rather than letting them fill every thread.
    """

    def __init__(self, most: int = 512, most_simulated: int = 4) -> None:
        self._most, self._free = most, most_simulated
        self._lock = Lock()
        self._sheets: OrderedDict[tuple[str, str, Settings, str], Future[ParSheet]] = OrderedDict()
        """By the edition's content, since an id may come back with another."""

    def __call__(self, edition: Edition, wager: str, settings: Settings, player: str = "") -> ParSheet:
        """The par sheet, computed here or by whoever asked first."""
        key = (as_text(edition.document), wager, settings, player)
        cost = int(player == SAMPLED)
        ours: Future[ParSheet] = Future()
        with self._lock:
            if key not in self._sheets and cost > self._free:
                raise Refused("busy", "other simulations are under way: ask again in a few seconds")
            sheet = self._sheets.setdefault(key, ours)
            self._sheets.move_to_end(key)
            self._free -= cost if sheet is ours else 0
            if len(self._sheets) > self._most:
                self._sheets.popitem(last=False)
        if sheet is not ours:
            return sheet.result()
        try:
            is_solved = player not in ("", SAMPLED)
            sheet_of = partial(solved_sheet, player=player) if is_solved else par_sheet
            ours.set_result(sheet_of(edition, wager, settings))
        except BaseException as error:
            ours.set_exception(error)
            with self._lock:
                self._sheets.pop(key, None)
        finally:
            with self._lock:
                self._free += cost
        return ours.result()


_sheet = Once()


def _registered(request: Request) -> Mapping[str, str]:
    """The content of what is registered in the house's journal; the lab needs no house, and alone has built-in ones."""
    house: ServedHouse | None = getattr(request.app.state, "house", None)
    return house.state.editions if house else {}


def open_for(request: Request, id_: str) -> Edition:
    """An edition that the house knows: never a file that a guest names."""
    return known_edition(id_, _registered(request))


@lru_cache
def _verified(document: str) -> list[Finding]:
    """By content: an id may be removed and come back with another."""
    return Rulebook(read_document(document)).verify()


_OWN = ("wager", "players", "bet_cents", "what_if", "pay", "player")


def settings_in(request: Request, edition: Edition, own: tuple[str, ...], what_if: bool) -> Settings:
    """The settings among the query's parameters; a refusal of what is not approved says how it is computed all the same."""
    try:
        return edition.settings(_chosen(request, edition, own), what_if)
    except Refused as refused:
        anyway = "; what_if=true computes it anyway" if refused.code == "outside-approval" else ""
        raise Refused(refused.code, f"{refused.message}{anyway}") from None


def _chosen(request: Request, edition: Edition, own: tuple[str, ...]) -> dict[str, Value]:
    """The settings among the query's parameters: each at most once, and none that would open a file."""
    chosen: dict[str, Value] = {}
    for given, value in request.query_params.multi_items():
        if given in own:
            continue
        if len(given) > 64 or len(value) > 64:
            raise Refused("bad-setting", "a setting's name and its value have at most 64 characters")
        name = given.replace("_", "-")
        if name in chosen:
            raise Refused("bad-setting", f'setting "{name}" is given twice: give it once')
        chosen[name] = value
    refuse_files(edition, chosen)
    return chosen


def refuse_files(edition: Edition, chosen: Mapping[str, Value]) -> None:
    """Refuse settings that would open a file: a guest names none."""
    for given, value in chosen.items():
        name = given.replace("_", "-")
        switch = edition.game.switches.get(name)
        if switch and switch.allows_file(value):
            raise Refused("bad-setting", f'{name} "{value}" is not possible (possible: {", ".join(map(str, switch.values))})')


def _asked(
    request: Request,
    id_: Annotated[str, Path(alias="id", max_length=64, description="An edition's id", examples=["ez-baccarat-wa"])],
    wager: Annotated[Text, Query(description="A wager's id", examples=["dragon-7"])],
    players: Annotated[int, Query(ge=1, le=6, description="Players who may win envy for one another, oneself included")] = 1,
    bet_cents: Annotated[int, Query(ge=1, le=100_000_000, description="The bet that envy prizes are compared with")] = 500,
    what_if: Annotated[bool, Query(description="Compute also what the approval does not allow, and mark it")] = False,
    player: Annotated[str, Query(max_length=64, description="How the player decides: one of the wager's `players`")] = "",
    pay: Annotated[
        list[Text],
        Query(max_length=64, description="A pay to try, as `outcome=pay`; again for more", examples=[["tie=9 to 1"]]),
    ] = [],  # noqa: B006  (FastAPI copies defaults)
) -> Question:
    edition = open_for(request, id_)
    check_players(edition, players)
    settings = settings_in(request, edition, _OWN, what_if)
    terms = edition.wagers[edition.wager(wager).id].pays
    table = terms[str(settings[PAY_TABLE])] if len(terms) > 1 else next(iter(terms.values()))
    rows = [outcome for outcome in table if edition.row(wager, outcome, settings) == outcome]
    pays: dict[str, str] = {}
    for item in pay:
        outcome, _, text = item.partition("=")
        if one_of("outcome", outcome, rows) in pays:
            raise Refused("bad-pay", f'the pay of "{outcome}" is given twice: give it once')
        pays[outcome] = str(Pay.parse(text.strip()))
        if pays[outcome] != str(table[outcome]) and not what_if:
            message = f"outside the approval: {outcome} pays {pays[outcome]} (approved: {table[outcome]})"
            raise Refused("outside-approval", f"{message}; what_if=true computes it anyway")
    decides = player_asked(edition, wager, settings, player, pays)
    return Question(edition, wager, settings, players, bet_cents, tuple(pays.items()), decides)


Asked = Annotated[Question, Depends(_asked)]


def _repaid(row: Row, pays: dict[str, str]) -> Row:
    if row.outcome not in pays:
        return row
    pay = Pay.parse(pays[row.outcome])
    return replace(row, pays=str(pay), net=row.net - Pay.parse(row.pays).net + pay.net)


def _answer(question: Question) -> tuple[ParSheet, list[str]]:
    """The par sheet asked for, and what of it lies outside the approval."""
    approved = _sheet(question.edition, question.wager, question.settings, question.player)
    rows = tuple(_repaid(row, dict(question.pays)) for row in approved.rows)
    envy = replace(approved.envy, players=question.players, bet_cents=question.bet_cents) if approved.envy else None
    sheet = replace(approved, rows=rows, envy=envy)
    outside = list(question.settings.outside)
    if reason := approved.wager.refuses(question.settings):
        outside.append(f"{approved.wager.id} is not offered: {reason}")
    for old, new in zip(approved.rows, rows, strict=True):
        if old.pays != new.pays:
            outside.append(f"{new.outcome} pays {new.pays} (approved: {old.pays})")
    return sheet, outside


def edition_answer(edition: Edition) -> EditionAnswer:
    """An edition as the odds lab and the form that opens a table need it."""
    badge = standing(edition)
    return EditionAnswer(
        id=edition.id,
        name=edition.name,
        game=edition.game.name,
        approval=badge.approval,
        maker=edition.approval.maker,
        banked_by=edition.banked_by,
        status=status_of(badge),
        differences=list(badge.differences),
        digest=badge.rules,
        badge=str(badge),
        short=badge.short,
        system_changes=list(badge.system_changes),
        system_problem=badge.system_problem,
        sources=list(edition.sources),
        refused_sources=dict(edition.refused_sources),
        seats=edition.game.dealing.seats,
        table_seats=list(edition.seats),
        keys_results=edition.game.face.results is not None,
        keys_board=edition.game.face.results is not None or keypad_of(edition) is not None,
        has_shoe=not edition.game.dealing.fresh_deck,
        settings=[setting_answer(edition, name) for name in edition.approved],
        wagers=[wager_answer(edition, name) for name in edition.wagers],
    )


def _odds(question: Question) -> OddsAnswer:
    sheet, outside = _answer(question)
    badge = standing(question.edition)
    return sheet_answer(sheet, outside, badge.rules, status_of(badge), question.player)


def _point(question: Question, decks: int) -> DecksPoint:
    edition = question.edition
    settings = edition.settings({**question.settings, "decks": decks}, what_if=True)
    approved = decks in edition.approved["decks"]
    if question.player not in ("", SAMPLED) and not is_sheet_ready(edition, question.wager, settings, question.player):
        return edge_point(edition, question.wager, settings, decks, approved)
    sheet, _ = _answer(replace(question, settings=settings))
    return DecksPoint(
        decks=decks,
        approved=approved,
        exact=sheet.method == "enumerated",
        house_edge=exact(sheet.house_edge, sheet),
        hit_rate=exact(sheet.hit_frequency, sheet),
        standard_deviation=sheet.standard_deviation,
        standard_error=standard_error(sheet),
    )


router = APIRouter()
REFUSES: dict[int | str, dict[str, Any]] = {400: {"model": Refusal, "description": "What, why, and what would be accepted"}}
SETTINGS: dict[str, Any] = {
    "parameters": [
        {
            "name": "settings",
            "in": "query",
            "style": "form",
            "explode": True,
            "description": "Any of the edition's settings by name, such as `decks=6`; the others keep their default",
            "schema": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 64}},
        }
    ]
}


@router.get("/lab", include_in_schema=False)
def lab_page(request: Request) -> HTMLResponse:
    """The odds lab."""
    page: HTMLResponse = request.app.state.pages.page(request, "lab.html", page="lab")
    return page


@router.get("/verify", include_in_schema=False)
def verify_page(request: Request) -> HTMLResponse:
    """Published figures beside computed ones."""
    page: HTMLResponse = request.app.state.pages.page(request, "verify.html", page="verify")
    return page


NamesOnly = Annotated[bool, Query(description="without settings and wagers, for a list of names")]


@router.get("/api/v1/editions", tags=["odds"], summary="Every edition, with its settings, wagers and pay tables")
def editions(request: Request, names: NamesOnly = False) -> list[EditionAnswer]:
    """Ask this first: it names what the other odds questions take. The house's own editions come last."""
    answers = [edition_answer(edition) for edition in known_editions(_registered(request))]
    return [answer.model_copy(update={"settings": [], "wagers": []}) for answer in answers] if names else answers


@router.get(
    "/api/v1/editions/{id}/odds",
    tags=["odds"],
    summary="The par sheet of one wager",
    responses=REFUSES,
    openapi_extra=SETTINGS,
)
@apart("lab")
def odds(request: Request, question: Asked) -> OddsAnswer:
    """Exact integers and fractions; where a wager is simulated, `exact` is false and `standard_error` says how close it is.

    Where the player whom a simulated wager means was solved, or every result of the best one, those are the odds, and `method`
    says how; `player=sampled` asks for the sample. For a `player` that takes long it is refused (`takes-long`), and
    `odds/stream` works them out.

    A value or a pay outside the approval is refused unless `what_if` is true; the answer's `what_if` then names it.
    """
    return _odds(question)


@router.get(
    "/api/v1/editions/{id}/edge",
    tags=["odds"],
    summary="The house edge that a solver knows",
    responses=REFUSES,
    openapi_extra=SETTINGS,
)
@apart("lab")
def edge(
    request: Request,
    id_: Annotated[str, Path(alias="id", max_length=64, description="An edition's id")],
    wager: Annotated[Text, Query(description="A wager's id")],
    player: Annotated[str, Query(max_length=64, description="How the player decides: one of the wager's `players`")] = "",
    what_if: Annotated[bool, Query(description="Compute also what the approval does not allow")] = False,
) -> EdgeAnswer:
    """What is known at once, and whether `odds` has the whole par sheet at once, too. Nothing is sampled for it."""
    edition = open_for(request, id_)
    return edge_answer(edition, wager, settings_in(request, edition, _OWN, what_if), player)


@router.get(
    "/api/v1/editions/{id}/odds.csv",
    tags=["odds"],
    summary="The same par sheet as a CSV file",
    response_class=Response,
    responses={**REFUSES, 200: {"content": {"text/csv": {"schema": {"type": "string"}}}, "description": "One row an outcome"}},
    openapi_extra=SETTINGS,
)
@apart("lab")
def odds_csv(request: Request, question: Asked) -> Response:
    """A header and one row for each outcome; fractions as `a/b`, and what lies outside the approval in `what_if`."""
    sheet, outside = _answer(question)
    common = {
        "player": sheet.wager.strategy if question.player in ("", SAMPLED) else question.player,
        "house_edge_exact": ratio_of(sheet.house_edge, sheet),
        "house_edge_percent": float(sheet.house_edge * 100),
        "standard_deviation": sheet.standard_deviation,
        "method": sheet.method,
        "what_if": "; ".join(outside),
        "digest": standing(question.edition).rules,
    }
    text = io.StringIO()
    rows = [_csv_row(sheet, row) | common for row in sheet.rows]
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    name = f"{question.edition.id}-{sheet.wager.id}{'-what-if' if outside else ''}.csv"
    return Response(text.getvalue(), media_type="text/csv", headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _csv_row(sheet: ParSheet, row: Row) -> dict[str, object]:
    return {
        "edition": sheet.edition.id,
        "wager": sheet.wager.id,
        "outcome": row.outcome,
        "name": row.name,
        "pays": row.pays,
        "rides": "; ".join(f"{name} {pays}" for name, pays in row.rides.items()),
        "net": ratio(row.net),
        "combinations": "" if sheet.method == SOLVED else row.combinations,
        "total": "" if sheet.method == SOLVED else sheet.total,
        "probability": float(row.probability),
        "return_exact": ratio_of(row.contribution, sheet),
        "return": float(row.contribution),
    }


@router.get(
    "/api/v1/editions/{id}/decks",
    tags=["odds"],
    summary="The house edge for every number of decks",
    responses=REFUSES,
    openapi_extra=SETTINGS,
)
@apart("lab")
def decks(request: Request, question: Asked) -> DecksAnswer:
    """Every number of decks that the rules understand, those outside the approval too, each marked; `decks` is ignored."""
    edition = question.edition
    if question.pays and question.player not in ("", SAMPLED):
        question = replace(question, player=SAMPLED)  # solved for this shoe alone, perhaps: all points are of one player
    numbers = sorted(int(value) for value in edition.game.switches["decks"].values) if "decks" in edition.game.switches else []
    note = "" if len(numbers) > 1 else f"{edition.game.name} leaves no choice of decks: one deck for each round."
    points = [_point(question, number) for number in numbers] if len(numbers) > 1 else []
    return DecksAnswer(edition=edition.id, wager=question.wager, points=points, note=note)


@router.get("/api/v1/verify/{edition}", tags=["odds"], summary="Every published figure, recomputed", responses=REFUSES)
@apart("lab")
def verify(request: Request, edition: Annotated[str, Path(max_length=64, description="An edition's id")]) -> VerifyAnswer:
    """A figure agrees with the plain wording, is explained by a reading of the rules, or differs under every reading."""
    opened = open_for(request, edition)
    findings = _verified(as_text(opened.document))
    counts = Counter(finding.status for finding in findings)
    clauses = opened.clauses()
    return VerifyAnswer(
        edition=opened.id,
        name=opened.name,
        document=findings[0].document if findings else "",
        status=status_of(standing(opened)),
        digest=standing(opened).rules,
        agrees=counts["agrees"],
        explained=counts["explained"],
        differs=counts["differs"],
        findings=[finding_answer(opened, clauses, finding) for finding in findings],
    )
