"""The hand explorer of the lab: cards are clicked, and every choice with them has its exact worth; or cards are gone from the
shoe, and every wager has its exact edge without them.

What is to be clicked is what the game's solver asks for. Nothing here knows a game.
"""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse

from houseway.cards import parse_composition, show_card
from houseway.house.standing import standing
from houseway.odds.par_sheet import par_sheet
from houseway.refusal import Refused
from houseway.solve.solver import DEALER, HAND, OTHER, is_ready, solver_of
from houseway.web.apart import apart
from houseway.web.lab import REFUSES, SETTINGS, open_for, settings_in
from houseway.web.lab_answers import exact
from houseway.web.lab_hands import BestAnswer, CardsPlace, GoneAnswer, GoneWager, HandChoices, best_answer
from houseway.web.lab_sheets import TAKES_LONG

router = APIRouter()
_OWN = (HAND, DEALER, OTHER, "gone", "what_if")
EditionId = Annotated[str, Path(alias="id", max_length=64, description="An edition's id")]
CardsText = Annotated[str, Query(max_length=200, description="Cards as the shell takes them, such as `8s 8d`")]
WhatIf = Annotated[bool, Query(description="Compute also what the approval does not allow, and mark it")]


@router.get(
    "/api/v1/editions/{id}/hand", tags=["odds"], summary="Which cards are wanted", responses=REFUSES, openapi_extra=SETTINGS
)
def hand_asked(request: Request, id_: EditionId, what_if: WhatIf = False) -> HandChoices:
    """Whose cards `best` takes, how many, and how many of each there are; whether cards may be gone from the shoe."""
    edition = open_for(request, id_)
    settings, solver = settings_in(request, edition, _OWN, what_if), solver_of(edition)
    is_decided = solver.choices is not None
    nothing = f"{edition.name} leaves the player nothing to decide." if not edition.game.face.choices else ""
    return HandChoices(
        edition=edition.id,
        places=[CardsPlace.model_validate(vars(asked)) for asked in solver.asks] if is_decided else [],
        why_not="" if is_decided else nothing or f"{edition.name} has decisions, but its game comes without a solver of hands.",
        copies={show_card(card): copies for card, copies in enumerate(edition.game.shoe(settings)) if copies},
        is_ready=not is_decided or is_ready(edition, settings, "choices"),
        gone=not edition.game.dealing.fresh_deck,
    )


@router.get(
    "/api/v1/editions/{id}/best", tags=["odds"], summary="Every choice with a hand", responses=REFUSES, openapi_extra=SETTINGS
)
@apart("lab")
def best(
    request: Request, id_: EditionId, hand: CardsText, dealer: CardsText = "", other: CardsText = "", what_if: WhatIf = False
) -> BestAnswer:
    """What each is worth for a unit bet, exactly, the best first; the same as `houseway best`.

    Where something that takes long must be done first, this is refused (`takes-long`), and `best/stream` does it.
    """
    edition = open_for(request, id_)
    settings = settings_in(request, edition, _OWN, what_if)
    if solver_of(edition).choices is not None and not is_ready(edition, settings, "choices"):
        message = "the dealer's hands under these settings were never counted here, which takes a while"
        raise Refused(TAKES_LONG, f"{message}: ask at best/stream, which tells how far it is")
    return best_answer(edition, settings, standing(edition).rules, {HAND: hand, DEALER: dealer, OTHER: other})


@router.get(
    "/api/v1/editions/{id}/gone",
    tags=["odds"],
    summary="Every wager, with cards gone",
    responses=REFUSES,
    openapi_extra=SETTINGS,
)
@apart("lab")
def gone(request: Request, id_: EditionId, gone: CardsText = "", what_if: WhatIf = False) -> GoneAnswer:
    """The house edge of every wager that is counted exactly, without these cards and with a fresh shoe."""
    edition = open_for(request, id_)
    if edition.game.dealing.fresh_deck:
        raise Refused("no-shoe", f"{edition.name} has a fresh deck for each round: no card is gone when a bet is made")
    settings, removed = settings_in(request, edition, _OWN, what_if), parse_composition(gone)
    wagers, left_out = list[GoneWager](), dict[str, str]()
    for name, wager in edition.offered.items():
        if wager.count is None:
            continue
        if wager.simulated:
            left_out[name] = f"{wager.name} is not counted exactly: what it is worth hangs on how hands are played"
            continue
        try:
            edge, whole = (par_sheet(edition, name, settings, *without).house_edge for without in ((removed,), ()))
        except Refused as refused:
            if refused.code not in {"not-offered", "too-few-cards"}:
                raise
            left_out[name] = refused.message
            continue
        edges = {"house_edge": exact(edge), "house_edge_whole": exact(whole)}
        wagers.append(GoneWager(wager=name, name=wager.name, for_player=edge < 0, **edges))
    return GoneAnswer(
        edition=edition.id,
        digest=standing(edition).rules,
        settings=dict(settings),
        what_if=list(settings.outside),
        gone=gone,
        cards_left=sum(edition.game.shoe(settings)) - len(removed.cards) - len(removed.any_suit),
        wagers=wagers,
        left_out=left_out,
    )


@router.get("/lab/{id}/hand", include_in_schema=False)
def hand_page(request: Request, id_: EditionId) -> HTMLResponse:
    """Cards to click."""
    edition = open_for(request, id_)
    page: HTMLResponse = request.app.state.pages.page(request, "lab-hand.html", page="lab", tab="hand", edition=edition.id)
    return page
