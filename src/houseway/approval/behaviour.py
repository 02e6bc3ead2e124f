"""The behaviour digest: of what the rules do, whatever their sources look like.

Exact tallies of every wager whose deals can be counted, at every combination of approved settings that the wager can
tell apart; and the payments of every round of the corpus, and every transfer of its sessions at a table.
"""

import hashlib
import json
import random
from collections.abc import Iterator, Mapping
from itertools import product

from houseway.approval.corpus import Corpus, corpus_file, prepare
from houseway.approval.live import replay
from houseway.approval.pins import Behaviour
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Tally, Value, Wager
from houseway.rulebook.settle import settle

ROUNDS = "rounds to play"
"""The part that tells one corpus from another."""
BASES = 4
"""Settings from which each switch is turned, one by one, to see whether a wager can tell it."""


class Counting:
    """The tallies of a wager, each settings' once."""

    def __init__(self, edition: Edition, wager: Wager) -> None:
        self.edition, self.wager = edition, wager
        names = [name for name in edition.approved if name in edition.game.switches]
        self.switches = {name: edition.approved[name] for name in names}
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...]], Tally] = {}

    def tally(self, values: Mapping[str, Value]) -> Tally:
        """The deals that end in each outcome."""
        assert self.wager.count is not None
        settings = {**self.edition.settings(), **values}
        shoe, encoded = self.edition.game.shoe(settings), self.edition.game.encode(settings)
        key = shoe, tuple(encoded.tolist())
        if key not in self._known:
            self._known[key] = self.wager.count(shoe, encoded, None)
        return self._known[key]

    def told_apart(self) -> list[str]:
        """The switches that change a tally, from any of some settings far from each other."""
        pick = random.Random(self.wager.id)
        bases: list[dict[str, Value]] = [{name: values[0] for name, values in self.switches.items()}]
        bases.append({name: values[-1] for name, values in self.switches.items()})
        while len(bases) < BASES:
            bases.append({name: pick.choice(values) for name, values in self.switches.items()})
        turned = (name for name, values in self.switches.items() if len(values) > 1)
        return [name for name in turned if any(self._is_told(name, base) for base in bases)]

    def _is_told(self, name: str, base: Mapping[str, Value]) -> bool:
        plain = self.tally(base).counts
        return any(self.tally({**base, name: value}).counts != plain for value in self.switches[name])

    def all(self) -> Iterator[tuple[dict[str, Value], Tally]]:
        """The tally at every combination of the settings that matter."""
        names = self.told_apart()
        for values in product(*(self.switches[name] for name in names)):
            chosen = dict(zip(names, values, strict=True))
            yield chosen, self.tally(chosen)


class _Digests:
    """Digests of parts, each fed line by line."""

    def __init__(self) -> None:
        self._parts: dict[str, hashlib._Hash] = {}

    def add(self, part: str, line: object) -> None:
        text = json.dumps(line, separators=(",", ":"), default=str)
        self._parts.setdefault(part, hashlib.sha256()).update(text.encode() + b"\n")

    def hex(self) -> dict[str, str]:
        return {name: digest.hexdigest() for name, digest in sorted(self._parts.items())}


def counted(edition: Edition) -> list[Wager]:
    """The wagers whose deals are counted, not sampled."""
    wagers = (edition.game.wagers[name] for name in edition.wagers)
    return [wager for wager in wagers if wager.count is not None and not wager.simulated]


def behaviour_of(edition: Edition, corpus: Corpus | None = None, tallies: bool = True) -> Behaviour:
    """What the rules of an edition do."""
    played = corpus or Corpus.load(corpus_file(edition))
    digests, number, deals = _Digests(), 0, 0
    digests.add(ROUNDS, played.as_data())
    for wager in counted(edition) if tallies else []:
        for chosen, tally in Counting(edition, wager).all():
            digests.add(f"tally of {wager.id}", [chosen, list(tally.counts)])
            number, deals = number + 1, deals + tally.total
    rounds = _settle_rounds(edition, played, digests)
    for session in played.sessions:
        for kind, answer in replay(edition, session):
            digests.add(f"{kind} at a table", answer)
            rounds += kind == "settle" and not isinstance(answer, str)
    return Behaviour.of(number, deals, rounds, digests.hex())


def _settle_rounds(edition: Edition, corpus: Corpus, digests: _Digests) -> int:
    tables = [prepare(edition, chosen)[0] for chosen in corpus.settings]
    for place, one in enumerate(corpus.rounds):
        try:
            paid = settle(edition, one.cards, one.bets, one.choices, tables[one.settings], one.others).payments
        except Refused as refused:
            digests.add("refused rounds", [place, refused.code])
            continue
        for p in paid:
            line = [place, p.spot, p.outcome, p.stake_cents, p.win_cents, p.rounding_cents]
            digests.add(f"payments of {p.wager}", line)
    return len(corpus.rounds)
