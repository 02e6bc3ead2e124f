"""Pinning an edition: changed sources only where behaviour is proved the same, changed behaviour only with a letter."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from houseway.approval.behaviour import ROUNDS, behaviour_of
from houseway.approval.corpus import Maker, corpus_file, coverage
from houseway.approval.pins import Behaviour, Pin, read_pin, write_pin
from houseway.approval.rules import rules_of
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition

Say = Callable[[str], None]


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


def pin(edition: Edition, because: str, letter: Letter | None, today: date, say: Say = lambda line: None) -> Pin:
    """Pin an edition's rules as they are, for a reason or with a letter; refused if nothing or too much has changed."""
    if bool(because.strip()) == (letter is not None):
        raise Refused("no-reason", 'a pin has a reason: either --because "..." or --approval LETTER DATE')
    before, rules = read_pin(edition), rules_of(edition)
    if before is not None and before.rules.digest == rules.digest and letter is None:
        raise Refused("nothing-to-pin", f"{edition.id} is as pinned: there is nothing to pin")
    if before is None and letter is None and edition.approval.on_file:
        raise Refused("letter-wanted", f"nothing is pinned for {edition.id}: the first pin needs --approval LETTER DATE")
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
    entry = {"because": because.strip()} if letter is None else {"approval": letter.name, "approved": letter.date}
    pinned = Pin(rules, behaviour, before.history if before else ()).then(date=today.isoformat(), **entry)
    write_pin(edition, pinned)
    return pinned


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
