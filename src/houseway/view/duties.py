"""The table of duties, and what waits for a second person, as the staff sees them."""

import json
from datetime import datetime

from houseway.money import dollars
from houseway.table import House
from houseway.table.duties import DUTIES, ONE_NAME, Duty, are_two, begun, is_of_another_round, limit_of, need_of, why_not
from houseway.table.face_up import hides
from houseway.table.roles import DEALERS
from houseway.table.state import Duties, PendingRequest
from houseway.view.reader import Json, Reader
from houseway.view.words import choice_words, edition_at, edition_of_round, result_name, wager_name

TWO_NAMES = "This house works with two names: what its table of duties lists is done by one person and confirmed by another."


def duties_words(house: House, begins: str) -> str:
    """With how many names a house works; one that has done nothing yet, with how many it begins."""
    return TWO_NAMES if are_two(begun(house, {"begins": begins})) else ONE_NAME


def duties_view(house: House, begins: str) -> Json:
    """Every duty with what applies in this house."""
    known = begun(house, {"begins": begins})
    set_ = known.duties or Duties()
    return {
        "names": set_.names,
        "words": duties_words(house, begins),
        "minutes": set_.minutes,
        "duties": [_duty(known, duty) for duty in DUTIES.values()],
    }


def _duty(house: House, duty: Duty) -> Json:
    limit = limit_of(house, duty)
    above = "" if not duty.has_limit else f"above {dollars(limit)}" if limit else "always"
    return {
        "act": duty.act,
        "about": duty.about,
        "second": list(duty.second),
        "limit_cents": limit if duty.has_limit else None,
        "independent": duty.independent,
        "applies": are_two(house),
        "when": "; ".join(filter(None, (above, duty.because))) or "always",
    }


def request_words(house: House, request: PendingRequest, reader: Reader) -> str:
    """What a request is for: "Void a round: t1, $50, misdeal"; of a mend, all that would be so once it is confirmed."""
    given, edition = json.loads(request.command), edition_at(house, request.table)
    noted = given.get("noted", {})
    parts = [str(given[name]) for name in ("table", "guest") if name in given]
    parts += [f"{noted['name']}, {noted['role']}"] if {"name", "role"} <= noted.keys() else []
    parts += [words for name, words in (("password", "new password"), ("unlocked", "unlocked")) if noted.get(name)]
    given = {"round": request.round, **given} if request.round else given
    parts += [f"{name} {given[name]}" for name in ("round", "seat", "names", "minutes") if name in given]
    parts += [wager_name(edition, given["wager"])] if "wager" in given else []
    parts += [f"{act} above {dollars(cents)}" for act, cents in given.get("duty_limits", {}).items()]
    parts += [dollars(request.cents)] if request.cents and "stake_cents" not in given else []
    parts += _truth(house, request.table, given, reader)
    parts += [str(given["reason"])] if "reason" in given else []
    return DUTIES[request.act].about + (f": {', '.join(parts)}" if parts else "")


def _truth(house: House, table: str, given: Json, reader: Reader) -> list[str]:
    """What a mend or a correction says to be so: stakes, bets, choices and cards."""
    edition = edition_of_round(house, table, given["round"]) if given["kind"] == "correct" else edition_at(house, table)
    parts = [f"really {dollars(given['stake_cents'])}"] if "stake_cents" in given else []
    parts += ["for the dealer"] if given.get("for_dealer") else []
    parts += [f"on {given['chosen']}"] if "chosen" in given else []
    parts += _cards(given) if given["kind"] == "correct" or _may_see_cards(house, table, reader) else []
    parts += [f"the result was {result_name(edition, given['result'])}"] if "result" in given else []
    parts += [f"the dice showed {given['dice']}"] if "dice" in given else []
    for name, whose in (("seat_bets", ""), ("dealer_bets", " for the dealers")):
        for seat, pairs in given.get(name, {}).items():
            bets = " and ".join(f"{dollars(cents)} on {wager_name(edition, wager)}" for wager, cents in pairs)
            parts.append(f"seat {seat} bet {bets or 'nothing'}{whose}")
    parts += [f"the bets at seat {seat} were {guest}'s" for seat, guest in given.get("guests", {}).items()]
    for seat, choices in given.get("choices", {}).items():
        parts.append(f"seat {seat} decided {' and '.join(choice_words(edition, choice) for choice in choices) or 'nothing'}")
    return parts + (["all wagers go back"] if given.get("void") else [])


def _cards(given: Json) -> list[str]:
    if "other_place" in given:
        return [f"cards {given['place']} and {given['other_place']} change places"]
    parts = [f"the cards were {given['cards']}"] if "cards" in given else []
    return parts + ([f"card {given['place']} is {given['card']}"] if "card" in given else [])


def _may_see_cards(house: House, table: str, reader: Reader) -> bool:
    """Of a live round with a card face down only whoever keys cards is told of any."""
    return table in house.tables and (reader.role in DEALERS or not hides(house.tables[table]))


def requests_view(house: House, reader: Reader, at: datetime, day: str) -> list[Json]:
    """The requests that wait at a moment, oldest first; whether this reader may confirm each, or why not."""
    now = at.isoformat(timespec="microseconds")
    return [_request(house, request, reader, at, day) for request in house.requests.values() if now <= request.until]


def _request(house: House, request: PendingRequest, reader: Reader, at: datetime, day: str) -> Json:
    problem = why_not(need_of(house, request, day), request, reader.name, reader.role)
    problem = problem or is_of_another_round(house, request)
    if not problem and request.confirmed_by:
        problem = f"{request.confirmed_by} has confirmed it: {request.asked_by} does it now"
    left = datetime.fromisoformat(request.until) - at
    return {
        "request": request.number,
        "act": request.act,
        "words": request_words(house, request, reader),
        "table": request.table,
        "cents": request.cents,
        "asked_by": request.asked_by,
        "role": request.role,
        "at": request.at,
        "until": request.until,
        "seconds_left": max(int(left.total_seconds()), 0),
        "second": list(request.second),
        "confirmed_by": request.confirmed_by,
        "may_confirm": not problem,
        "why_not": problem,
        "may_decline": reader.name == request.asked_by or reader.role in request.second,
    }
