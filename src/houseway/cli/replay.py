"""A round that is over, told again in the shell, with the odds as they changed."""

from typing import Any

from houseway.cli.text import progress_bar, show_json
from houseway.house.replay import PastRounds
from houseway.house.store import Store
from houseway.money import dollars
from houseway.refusal import one_of
from houseway.solve.answer import table
from houseway.table.engine import edition_of
from houseway.view.course import course_of, odds_view, seats_open_to, settled_of
from houseway.view.reader import Reader
from houseway.view.words import entry_words

Json = dict[str, Any]
STAFF = Reader("", "auditor")
"""Whoever has the store reads all of it."""


def show_replay(store: str, seq: int, seat: int | None, as_text: bool) -> None:
    """Print the entries of a round; with a seat (0: the first), the odds of its wagers as it went."""
    _, after = PastRounds(Store(store, only_reads=True)).round(seq)
    edition = edition_of(after[-1][1].tables[after[-1][0].table])
    told: Json = {
        "entries": [
            {"seq": entry.seq, "at": entry.at, "kind": entry.kind, "words": entry_words(entry, edition)} for entry, _ in after
        ]
    }
    if seat is not None:
        seats = seats_open_to(STAFF, settled_of(after))
        chosen = int(one_of("seat", str(seat), [str(each) for each in seats])) if seat else seats[0]
        with progress_bar("working the odds out") as progress:
            told["odds"] = {"seq": seq, "seats": list(seats)} | odds_view(course_of(after, chosen), progress)
    if not as_text:
        show_json(told)
        return
    for entry in told["entries"]:
        print(f"{entry['seq']:>8}  {'. '.join(entry['words'])}")
    if "odds" in told:
        _print_odds(told["odds"])


def _print_odds(odds: Json) -> None:
    print(f"\nSeat {odds['seat']}, {odds['guest']}. The shoe is taken as {odds['assumed'].replace('you', 'the guest')}.")
    for wager in odds["wagers"]:
        players = dict.fromkeys(at["player"] for at in wager["odds"] if at.get("player"))
        print(f"\n{wager['name']}, {dollars(wager['stake_cents'])}" + "".join(f"; who {player}" for player in players))
        rows = [(_words(moment), *_figures(at)) for moment, at in zip(odds["moments"], wager["odds"], strict=True)]
        print(table([("", "expected", "chances"), *rows], right=(1,), indent="  "))


def _words(moment: Json) -> str:
    parts = [" ".join((f"{what['label']}:", *what["cards"])) if what["cards"] else what["label"] for what in moment["what"]]
    return ", ".join(parts) or "before the deal"


def _figures(at: Json) -> tuple[str, str]:
    """The expected net win for each unit staked, and the likeliest endings; what is sampled has its standard error."""
    if "why_not" in at:
        return "", str(at["why_not"])
    error = "" if at["exact"] else f" ± {at['expected_error']:.4f}"
    likeliest = sorted(at["endings"], key=lambda ending: -ending["chance"])[:4]
    return f"{at['expected']:+.4f}{error}", "; ".join(f"{ending['name']} {ending['chance']:.2%}" for ending in likeliest)
