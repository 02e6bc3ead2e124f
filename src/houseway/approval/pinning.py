"""Pinning an edition: changed sources only where behaviour is proved the same; changed behaviour, and whatever else a
letter approves (pays, limits, settings, cards, clauses, the approval itself), only with a letter."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from houseway.approval.behaviour import ROUNDS, behaviour_of
from houseway.approval.corpus import Maker, corpus_file, coverage
from houseway.approval.manifest import few
from houseway.approval.pins import Behaviour, Pin, read_pin, write_pin
from houseway.approval.rules import Rules, describe_game, rules_of
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition

Say = Callable[[str], None]
WORDS = re.compile(r"name|limits\.source|clauses\.[\w-]+|readings\.\w+\.(question|where|values\.[^.]+)")
"""Data that is only in our words: a typo there is no other rule, and is kept in the history with both wordings."""
NEWLY_COVERED = ("game.", "file ")
"""What a game holds beside the edition: of values that no digest covered before, nobody approved others."""


@dataclass(frozen=True)
class Letter:
    """An approval: the letter, and its date."""

    name: str
    date: str

    def __post_init__(self) -> None:
        try:
            date.fromisoformat(self.date)
        except ValueError:
            raise Refused("bad-date", f'"{self.date}" is not a day: write it as 2011-10-17') from None
        if not self.name.strip() or not self.name.isprintable():
            raise Refused("bad-letter", "an approval names its letter")


def pin(
    edition: Edition,
    because: str,
    letter: Letter | None,
    today: date,
    say: Say = lambda line: None,
    wording: bool = False,
) -> Pin:
    """Pin an edition's rules as they are, for a reason or with a letter; refused if nothing or too much has changed.

    For a reason alone only definitions may have changed, and with `wording` what is in our own words.
    """
    if bool(because.strip()) == (letter is not None):
        raise Refused("no-reason", 'a pin has a reason: either --because "..." or --approval LETTER DATE')
    before, rules = read_pin(edition), rules_of(edition)
    if before is not None and before.rules.digest == rules.digest and letter is None:
        raise Refused("nothing-to-pin", f"{edition.id} is as pinned: there is nothing to pin")
    if before is None and letter is None and edition.approval.on_file:
        raise Refused("letter-wanted", f"nothing is pinned for {edition.id}: the first pin needs --approval LETTER DATE")
    entry: dict[str, Any] = {"because": because.strip()}
    if letter is not None:
        entry = {"approval": letter.name, "approved": letter.date}
    elif before is not None:
        entry |= _as_approved(edition, before, rules, wording)
    if letter is not None or before is None:
        say(f"making rounds of {edition.id} to compare on")
        make_corpus(edition)
    say(f"playing the rounds of {edition.id}, and counting its deals")
    behaviour = _played(edition)
    if before is not None and letter is None and behaviour.digest != before.behaviour.digest:
        if ROUNDS in behaviour.differences(before.behaviour):
            file = corpus_file(edition).name
            raise Refused("other-rounds", f"{file} does not hold the rounds that {edition.id} was pinned on: bring them back")
        parts = ", ".join(behaviour.differences(before.behaviour)[:4])
        raise Refused("behaviour-changed", f"{edition.id} behaves differently ({parts}): that needs --approval LETTER DATE")
    pinned = Pin(rules, behaviour, before.history if before else ()).then(date=today.isoformat(), **entry)
    write_pin(edition, pinned)
    return pinned


def _as_approved(edition: Edition, before: Pin, rules: Rules, wording: bool) -> dict[str, Any]:
    """What a reason alone may change beside definitions, for the history; refused if it is what a letter approves."""
    if edition.approval.on_file and not before.has_letter:
        raise Refused("letter-wanted", f"no letter was ever named for {edition.id}: that needs --approval LETTER DATE")
    then, now, code = before.rules.data, rules.data, describe_game(edition).code
    keys = [key for key in sorted(then.keys() | now.keys()) if then.get(key, ...) != now.get(key, ...)]
    new = [key for key in keys if key not in then and key.startswith(NEWLY_COVERED)]
    listed = [key for key in keys if key not in new and not _is_code(key, code)]
    words = [key for key in listed if _is_worded(key, then, now)]
    of_the_letter = [key for key in listed if not (wording and key in words)]
    if of_the_letter:
        only = "; if only its wording is another: --wording" if of_the_letter == words else ""
        was, is_now = ({key: data[key] for key in of_the_letter if key in data} for data in (then, now))
        what = few(Rules({}, is_now).differences(Rules({}, was)))
        raise Refused("letter-wanted", f"{edition.id}: {what}: that needs --approval LETTER DATE{only}")
    worded = {"wording": {key: [then[key], now[key]] for key in words}} if words else {}
    return worded | ({"newly_covered": new} if new else {})


def _is_code(key: str, code: set[str]) -> bool:
    """Whether a value names a function, or is what a function holds: code, of which behaviour is compared."""
    parts = key.split(".")
    return any(".".join(parts[:length]) in code for length in range(1, len(parts) + 1))


def _is_worded(key: str, then: Any, now: Any) -> bool:
    """Whether a value is in our words, and was before; a clause stays of its kind."""
    if not WORDS.fullmatch(key) or not all(isinstance(data.get(key), str) for data in (then, now)):
        return False
    kinds = {data[key].split(":")[0] for data in (then, now)}
    return len(kinds) == 1 or not key.startswith("clauses.")


def _played(edition: Edition) -> Behaviour:
    try:
        return behaviour_of(edition)
    except Refused as refused:
        problem = f"its rounds cannot be played as they were ({refused.message})"
        raise Refused("behaviour-changed", f"{edition.id}: {problem}: that needs --approval LETTER DATE") from None


def make_corpus(edition: Edition) -> None:
    """Make the rounds that an edition's behaviour is compared on, anew."""
    corpus = Maker(edition).run()
    covered = coverage(edition, corpus)
    if covered.missing_values:
        name, value = covered.missing_values[0]
        raise Refused("not-covered", f"{edition.id}: no round could be played with {name} {value}")
    corpus.save(corpus_file(edition))


def in_words(edition: Edition, pinned: Pin) -> str:
    """What was proved, and on how much."""
    behaviour = pinned.behaviour
    counted = f"{behaviour.tallies} exact tallies of {behaviour.deals:,} deals in all, and " if behaviour.tallies else ""
    how = "its behaviour is proved the same" if "because" in pinned.history[-1] and len(pinned.history) > 1 else "it behaves"
    on = "on" if how.endswith("same") else "as seen on"
    return f"{edition.id} is pinned: {how} {on} {counted}{behaviour.rounds:,} rounds"
