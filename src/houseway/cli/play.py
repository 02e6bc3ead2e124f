"""`houseway play`: a guest alone at a table with a virtual shoe. Rules, cards and money are the floor's; this shows them."""

import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from houseway.cards import JOKER, parse_cards, show_card
from houseway.floor import Actor, Floor
from houseway.journal import Entry
from houseway.ledger import guest
from houseway.refusal import Refused
from houseway.rulebook import Edition
from houseway.settle import check_bets, dollars, parse_bets
from houseway.table import Phase, Table, unfolded

SEAT, OPENER_CENTS, LONGEST_LINE, ROAD = 1, 1_000_000_000, 120, 14
BLIND = {"red-black": ("red", "black")}
"""EPG-6, wagers before cards: a choice that is part of a wager is asked before the cards are seen."""
ROLES = {"fund": "administrator", "buy-in": "cashier", "cash-out": "cashier", "open": "supervisor", "close": "supervisor"}
ROLES |= dict.fromkeys(("bet", "withdraw", "decide"), "guest")
SUITS = ("green", "bright_blue", "red", "bold")
"""A four-colour deck: clubs, diamonds, hearts, spades."""
MARKS = {"P": "bold bright_blue", "B": "bold red", "D": "bold red", "T": "bold green"}
ASCII = str.maketrans("╭╮╰╯│─━┃♣♦♥♠★░·—", "++++|--|cdhs*#--")

_CARD = re.compile(r"\b(?:(?:10|[2-9JQKA])[cdhs]|Jk)\b")
_OWNER = re.compile(r"(Player|Banker|Dealer|Hand \d+)\b")
Hands = dict[str, tuple[str, list[list[int]]]]
"""By owner: what a hand counts, and its cards (of a pai gow hand that is set: front and back)."""


class Leave(Exception):  # noqa: N818  (a wish, not an error)
    """The guest gets up."""


# Cards


def _face(card: int | None) -> tuple[str, str, str]:
    """The upper and the lower half of a card, and its style; `None` is a card face down."""
    if card is None:
        return "░░░", "░░░", "dim"
    if card == JOKER:
        return "Jk ", " ★ ", "bold magenta"
    shown = show_card(card, pretty=True)
    return f"{shown[:-1]:3}", f" {shown[-1]} ", SUITS[card & 3]


def _boxes(title: str, worth: str, groups: Iterable[Sequence[int | None]]) -> Text:
    """A hand as boxes."""
    parts = [[("╭───╮", f"│{up}│", f"│{low}│", "╰───╯", style) for up, low, style in map(_face, group)] for group in groups]
    text = Text.assemble((title, "bold"), "  " if worth else "", (worth, "yellow"))
    for row in range(4):
        for place, part in enumerate(parts):
            text.append("  " if place else "\n")
            for card in part:
                text.append(card[row], card[4])
    return text


def _side_by_side(hands: Sequence[Text], width: int) -> RenderableType:
    if sum(4 + max(len(line) for line in hand.plain.split("\n")) for hand in hands) > width:
        return Group(*hands)
    grid = Grid.grid(padding=(0, 4, 0, 0))
    grid.add_row(*hands)
    return grid


def _pretty(text: str) -> Text:
    """Text with its cards as symbols, in the colours of their suits."""
    made, end = Text(), 0
    for found in _CARD.finditer(text):
        card = parse_cards(found[0])[0]
        made.append(text[end : found.start()]).append(show_card(card, pretty=True), _face(card)[2])
        end = found.end()
    return made.append(text[end:])


def told_hands(steps: Iterable[str]) -> Hands:
    """The hands as the steps tell them: a step names all cards of a hand, or those that come to it."""
    hands: Hands = {}
    for text in steps:
        owner, found = _OWNER.match(text), list(_CARD.finditer(text))
        if not owner or not found:
            continue
        if owner[1].startswith("Hand"):
            hands.pop("Player", None)
        groups = [[parse_cards(card)[0] for card in _CARD.findall(part)] for part in text.split(" in front, ")]
        before = hands.get(owner[1], ("", []))[1]
        if not Counter(sum(groups, [])) >= Counter(sum(before, [])):
            groups = [[*before[0], *groups[0]]]
        worth = text[found[-1].end() :].strip(" :,").removeprefix("total ")
        hands[owner[1]] = " / ".join(re.findall(r"\(([^)]*)\)", text)[:2]) if len(groups) > 1 else worth, groups
    return hands


def _signed(cents: int) -> tuple[str, str]:
    """A gain or loss, and its style."""
    return (f"+{dollars(cents)}", "bold green") if cents > 0 else (dollars(cents), "red") if cents else ("even", "yellow")


def _matching(word: str, known: Sequence[str]) -> str:
    """The one name that begins like this."""
    found = [name for name in known if word and name.startswith(word)]
    if word not in known and len(found) != 1:
        raise Refused(
            "bad-choice", f'"{word}": ' + (f"is that {' or '.join(found)}?" if found else f"say {' or '.join(known)}")
        )
    return word if word in known else found[0]


# The guest at the table


@dataclass
class Sitting:
    """One guest's stay at one table; the guest is named as the table."""

    floor: Floor
    edition: Edition
    console: Console
    read: Callable[[str], str]
    pace: float = 0.0
    name: str = field(default_factory=lambda: f"play-{secrets.token_hex(3)}")
    bought_cents: int = 0
    bets: dict[str, int] = field(default_factory=dict)
    road: list[Text] = field(default_factory=list)

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.floor.state.tables[self.name]

    @property
    def balance(self) -> int:
        """The guest's chips, without those on the felt."""
        return self.floor.state.balance(guest(self.name))

    @property
    def offered(self) -> list[str]:
        """The wagers that can be placed before the deal."""
        game = self.edition.game
        return [name for name in self.edition.wagers if not game.wagers[name].follows and name not in game.dealing.late]

    def do(self, kind: str, **fields: Any) -> Entry:
        """Give the floor a command, in the role that may."""
        role = ROLES.get(kind, "dealer")
        try:
            return self.floor.do({"kind": kind, "table": self.name, "guest": self.name, **fields}, Actor(self.name, role))
        except Refused as refused:
            if refused.code == "not-enough" and role == "guest":
                raise Refused(refused.code, f"not enough chips: you have {dollars(self.balance)} left") from None
            raise

    def say(self, *parts: str | tuple[str, str] | Text, wrap: bool = False) -> None:
        """Print a line."""
        self.console.print(Text.assemble(*parts), soft_wrap=not wrap)

    def ask(self, prompt: str) -> str:
        """What the guest types; `q`, the end of the input and Ctrl-C leave."""
        try:
            line = self.read(prompt).strip()[:LONGEST_LINE]
        except (EOFError, KeyboardInterrupt):
            self.say("")
            raise Leave from None
        if line.lower() in {"q", "quit", "exit"}:
            raise Leave
        return "".join(char if char.isprintable() else "?" for char in line)

    # Sitting down and getting up

    def stay(self, cents: int) -> None:
        """Open a table, buy in, play until the guest leaves or is out of chips, and leave the table in order."""
        self.do("fund", cents=OPENER_CENTS)
        self.do("open", edition=self.edition.id, source="virtual-shoe", opener_cents=OPENER_CENTS)
        self.do("buy-in", cents=cents)
        self.bought_cents = cents
        self.say((self.edition.name, "bold"), (f"  {self.edition.approval}", "dim"))
        try:
            while self.balance >= min(self.edition.wagers[name].limits.min_cents for name in self.offered):
                self.play_round()
            self.say(("Your chips are gone.", "bold"))
        except (Leave, KeyboardInterrupt):
            self.abandon()
        self.show_revealed(self.do("close"), self.table.shoe.commitment if self.table.shoe else "")
        balance = self.balance
        if balance:
            self.do("cash-out", cents=balance)
        self.say("You leave with ", (dollars(balance), "bold"), " (", _signed(balance - cents), "). Until next time!")

    def abandon(self) -> None:
        """Leave a round: bets not yet dealt on are taken back, any other hand is played by default and settled."""
        if self.table.round.phase == Phase.BETTING:
            self.take_back()
            return
        if self.table.round.phase == Phase.DEALING:
            self.show_payments(self.do("deal"))
        while allowed := unfolded(self.table).to_act.get(SEAT):
            default = self.edition.game.dealing.default_choice
            choice = default if default in allowed else allowed[0]
            self.say(("You leave in the middle of a hand: ", "dim"), choice, (" is played for you.", "dim"))
            self.do("decide", seat=SEAT, choice=choice)
        self.pace = 0
        self.settle()

    def take_back(self) -> None:
        """Withdraw what lies on the felt."""
        for wager in [wager for spot in self.table.round.spots.values() for wager in spot.bets]:
            self.do("withdraw", seat=SEAT, wager=wager)

    # A round

    def play_round(self) -> None:
        """Bets, cards, decisions, payouts."""
        self.show_status()
        choices = self.take_bets()
        self.do("no-more-bets")
        names = (f"{self.edition.game.wagers[wager].name} {dollars(cents)}" for wager, cents in self.bets.items())
        self.console.rule(Text(" · ".join(names)), style="dim")
        self.show_payments(self.do("deal"))
        for choice in choices:
            self.do("decide", seat=SEAT, choice=choice)
        while SEAT in (made := unfolded(self.table)).to_act:
            self.show_hand(made)
            self.choose(made.to_act[SEAT], lambda choice: self.do("decide", seat=SEAT, choice=choice))
        self.settle()

    def take_bets(self) -> list[str]:
        """Ask until bets lie on the felt, all or none; the choices that go with them."""
        last = ",".join(f"{wager}={dollars(cents)[1:].replace(',', '')}" for wager, cents in self.bets.items())
        again = f"Enter repeats {last}, " if last else f"such as {self.offered[0]}=10, "
        while True:
            line = self.ask(f"Your bets ({again}? shows the wagers, q leaves): ")
            try:
                if line == "?":
                    self.show_wagers()
                    continue
                bets = self.bets if last and not line else parse_bets(line)
                check_bets(self.edition, bets, self.table.settings)
                for wager, cents in bets.items():
                    self.do("bet", seat=SEAT, wager=wager, cents=cents)
                self.bets = bets
                return [self.choose(allowed) for wager, allowed in BLIND.items() if wager in bets]
            except Refused as refused:
                self.take_back()
                self.say((refused.message, "yellow"))

    def choose(self, allowed: tuple[str, ...], act: Callable[[str], object] = lambda choice: None) -> str:
        """Ask until one of the choices is named, and accepted by the floor where it is to act on it."""
        while True:
            word, _, rest = self.ask(f"{', '.join(allowed[:-1])} or {allowed[-1]}? ").partition(" ")
            try:
                choice = f"{_matching(word.lower(), allowed)} {rest}".strip()
                act(choice)
                return choice
            except Refused as refused:
                self.say((refused.message, "yellow"))

    def settle(self) -> None:
        """Tell the round step by step, pay, and show a shoe that is done."""
        made, before = unfolded(self.table), self.table
        self.show_play(made)
        settled = self.do("settle")
        self.show_payments(settled)
        net = self.table.win_cents
        net = before.win_cents - net
        _ = net
