"""A round that is over, told again in the shell, with the odds as they changed."""

from fractions import Fraction
from typing import Any

from houseway.cli.live import key_file
from houseway.cli.text import progress_bar, show_json
from houseway.house.keys import SEALING, Keyring
from houseway.house.replay import PastRounds
from houseway.house.sealing import Sealing
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
    read, keys = Store(store, only_reads=True), Keyring(key_file(to_read=True))
    read.sealing = Sealing(keys) if keys.has(SEALING) else None
    _, after = PastRounds(read).round(seq)
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
        heading = ("", "expected", "wins", "pushes", "loses", "likeliest endings")
        print(table([heading, *rows], right=(1, 2, 3, 4), indent="  "))


def _words(moment: Json) -> str:
    parts = [" ".join((f"{what['label']}:", *what["cards"])) if what["cards"] else what["label"] for what in moment["what"]]
    return ", ".join(parts) or "before the deal"


def _figures(at: Json) -> tuple[str, ...]:
    """The expected net win for each unit staked, how it may come out, and its likeliest endings.

    What is sampled has its standard error.
    """
    if "why_not" in at:
        return "", "", "", "", str(at["why_not"])
    error = f" ± {at['expected_error']:.4f}" if at["sampled"] else ""
    nets = [(Fraction(ending["net"]), ending["chance"]) for ending in at["endings"]]
    wins = sum(chance for net, chance in nets if net > 0)
    loses = sum(chance for net, chance in nets if net < 0)
    pushes = sum(chance for net, chance in nets if net == 0)
    likeliest = sorted(at["endings"], key=lambda ending: -ending["chance"])[:4]
    words = "; ".join(f"{ending['name']} {ending['chance']:.2%}" for ending in likeliest)
    return f"{at['expected']:+.4f}{error}", f"{wins:.2%}", f"{pushes:.2%}", f"{loses:.2%}", words
