"""An exercise as a value: what lies on the table, what is asked, what is right, and why, by clause.

Whoever answers writes text, as in the shell and on a page: `12.50`, `banker`, `As Kd`, `100x2 25x1`, `3 1 2`. What cannot be
read is refused and changes nothing; what can be read is right or wrong, as the rules that made the exercise say.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from houseway.cards import parse_cards, show_cards
from houseway.money import dollars, parse_cents
from houseway.refusal import Refused, one_of

Form = Literal["pick", "amount", "cards", "pieces", "order"]
LONGEST = 400
"""No answer is longer, however many seats it is about."""


@dataclass(frozen=True)
class AskOption:
    """Something that can be answered: as it is typed, and as people say it."""

    value: str
    words: str


@dataclass(frozen=True)
class Ask:
    """One thing that is asked: how it is answered, from which options, and what is `accepted`, the plainest first.

    A `pick` is one option, an `order` all of them in a row, `cards` so many of them as `many` says; `pieces` are chips by their
    value in dollars, and an `amount` is dollars.
    """

    id: str
    label: str
    form: Form
    accepted: tuple[str, ...]
    options: tuple[AskOption, ...] = ()
    many: int = 0

    def read(self, text: str) -> str:
        """An answer as it is compared; refused if it cannot be one."""
        if len(text) > LONGEST:
            raise Refused("bad-answer", f"{self.label}: that is too long for an answer")
        return _READ[self.form](self, text.strip())

    def typed(self, answer: str) -> str:
        """An answer that was read, as it is typed."""
        return f"{int(answer) // 100}.{int(answer) % 100:02}" if self.form == "amount" else answer

    def said(self, answer: str) -> str:
        """An answer that was read, as people say it."""
        words = {option.value: option.words for option in self.options}
        if self.form == "amount":
            return dollars(int(answer))
        if self.form == "pieces":
            return ", ".join(f"{count} of {words[value]}" for value, count in _pieces(answer).items()) or "none"
        if self.form == "cards":
            return show_cards(parse_cards(answer))
        return ", then ".join(words[value] for value in answer.split())


def _pick(ask: Ask, text: str) -> str:
    try:
        return one_of("answer", text, [option.value for option in ask.options], {o.value: o.words for o in ask.options})
    except Refused as refused:  # what it is asked under is no part of a code
        raise Refused("bad-answer", f"{ask.label}: {refused.message}") from None


def _amount(ask: Ask, text: str) -> str:
    return str(parse_cents(text, ask.label, "an amount", least=0))


def _cards(ask: Ask, text: str) -> str:
    chosen, given = parse_cards(text), parse_cards(" ".join(option.value for option in ask.options))
    if len(chosen) != ask.many or len(set(chosen)) != ask.many or any(card not in given for card in chosen):
        raise Refused("bad-answer", f"{ask.label}: name {ask.many} different cards of {show_cards(given)}")
    return show_cards(sorted(chosen, reverse=True))


def _pieces(text: str) -> dict[str, int]:
    return {value: int(count) for value, _, count in (word.partition("x") for word in text.split())}


def _chips(ask: Ask, text: str) -> str:
    known, counts = [option.value for option in ask.options], dict[str, int]()
    for word in text.split():
        value, times, count = word.partition("x")
        if not times or not (count.isascii() and count.isdecimal()) or len(count) > 4 or value in counts:
            raise Refused(
                "bad-answer", f'{ask.label}: "{word[:20]}" is no number of chips: write 100x2 25x1 for two of $100, one of $25'
            )
        counts[one_of("chip", value, known)] = int(count)
    return " ".join(f"{value}x{counts[value]}" for value in known if counts.get(value))


def _order(ask: Ask, text: str) -> str:
    known, given = [option.value for option in ask.options], text.split()
    if sorted(given) != sorted(known):
        raise Refused("bad-answer", f"{ask.label}: name each of {' '.join(known)} once, in their order")
    return " ".join(given)


_READ: dict[Form, Callable[[Ask, str], str]] = {
    "pick": _pick,
    "amount": _amount,
    "cards": _cards,
    "pieces": _chips,
    "order": _order,
}


@dataclass(frozen=True)
class SceneHand:
    """Cards that lie together: whose they are, as people say, and what is printed below; a card face down is `?`."""

    owner: str
    cards: tuple[str, ...]
    worth: str = ""


@dataclass(frozen=True)
class SceneSeat:
    """A seat: its bets by the names of the wagers, in cents, its hands, and what it said."""

    seat: int
    bets: tuple[tuple[str, int], ...]
    hands: tuple[SceneHand, ...] = ()
    says: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scene:
    """What lies on the table: the hands of all, the seats, and facts such as dice or a bank, each with its name."""

    hands: tuple[SceneHand, ...] = ()
    seats: tuple[SceneSeat, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Reason:
    """A step of the explanation, with the clause that it follows from."""

    words: str
    clause: str = ""


@dataclass(frozen=True)
class Exercise:
    """Made from an edition, its kind, a number and perhaps a topic: the same again gives the same.

    `topic` is what it is about: a clause, an outcome of a wager, a rule of a House Way; `clauses` are all that it touches. One
    that was drawn `on_purpose` comes more often than at a table.
    """

    kind: str
    number: int
    topic: str
    question: str
    asks: tuple[Ask, ...]
    why: tuple[Reason, ...]
    scene: Scene = field(default_factory=Scene)
    on_purpose: bool = False

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that its explanation cites, once each."""
        return tuple(dict.fromkeys(reason.clause for reason in self.why if reason.clause))

    @property
    def right(self) -> dict[str, str]:
        """An answer that is right."""
        return {ask.id: ask.typed(ask.accepted[0]) for ask in self.asks}

    def shown(self) -> dict[str, Any]:
        """What somebody sees who is to answer it: nothing of the answer."""
        asks = [{key: value for key, value in asdict(ask).items() if key != "accepted"} for ask in self.asks]
        about = {"kind": self.kind, "number": self.number, "topic": self.topic, "on_purpose": self.on_purpose}
        return {**about, "question": self.question, "scene": asdict(self.scene), "asks": asks}

    def judge(self, answer: Mapping[str, str]) -> "Verdict":
        """Whether an answer is right, part by part; one that lacks a part or cannot be read is refused."""
        for name in answer:
            one_of("answer", name, [ask.id for ask in self.asks])
        parts = []
        for ask in self.asks:
            if ask.id not in answer:
                raise Refused("bad-answer", f"{ask.label}: no answer is given")
            given = ask.read(str(answer[ask.id]))
            parts.append(AnswerPart(ask.id, ask.label, ask.said(given), ask.said(ask.accepted[0]), given in ask.accepted))
        return Verdict(all(part.is_right for part in parts), tuple(parts), self.why)


@dataclass(frozen=True)
class AnswerPart:
    """One part of an answer: what was said, and what is right."""

    id: str
    label: str
    given: str
    right: str
    is_right: bool


@dataclass(frozen=True)
class Verdict:
    """Whether an answer is right, and why it would be."""

    is_right: bool
    parts: tuple[AnswerPart, ...]
    why: tuple[Reason, ...]

    def shown(self) -> dict[str, Any]:
        """As data."""
        return asdict(self)
