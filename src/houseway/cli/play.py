"""`houseway play`: a guest alone at a table with a virtual shoe. Rules, cards and money are the floor's; this shows them."""

import io
import secrets
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table as Grid
from rich.text import Text

from houseway.api import Rulebook
from houseway.cards import JOKER, parse_cards, show_card, show_cards
from houseway.cli.live import key_file, store_url, system_user
from houseway.house.editions import content_of, find_edition
from houseway.house.floor import HOUSE, Actor, Floor
from houseway.house.shoe import Commitment, Revealed, check
from houseway.house.standing import standing
from houseway.house.store import Store, known_store
from houseway.money import dollars, parse_cents
from houseway.refusal import Refused
from houseway.rulebook import Edition
from houseway.rulebook.edition import PAY_TABLE
from houseway.rulebook.game import COMMON, DEALER, Play, Shown, Step, Value
from houseway.rulebook.settle import check_bets, parse_bets
from houseway.rulebook.words import parts
from houseway.solve.answer import percent
from houseway.table import COMMANDS, House, Phase, Table, duties, unfolded
from houseway.table.bank import is_used_up
from houseway.table.bound import as_text, unknown
from houseway.table.engine import prepared
from houseway.table.entry import Entry
from houseway.table.fold import EDITION_ADDED, SHOE_REVEALED
from houseway.table.ledger import bank as ledger_bank
from houseway.table.ledger import guest
from houseway.table.unfold import Unfolded
from houseway.view.words import payment_at_seat

SEAT, OPENER_CENTS, LONGEST_LINE = 1, 1_000_000_000, 120
MARCO, MARCOS_SEAT, MARCO_BANKS_CENTS = "Marco", 2, 200_000
"""Where players bank, somebody is there to bank for the guest, and to bet when the guest banks."""
SUITS = ("green", "bright_blue", "red", "bold")  # a four-colour deck: clubs, diamonds, hearts, spades
TONES = {"blue": "bold bright_blue", "red": "bold red", "green": "bold green", "amber": "bold yellow"}
Hands = dict[str, tuple[str, list[list[int]]]]  # by owner: what it counts, and its cards (if it is set: front and back)


class Leave(Exception):  # noqa: N818  (a wish, not an error)
    """The guest gets up."""


def _face(card: int | None) -> tuple[str, str, str]:
    """The upper and the lower half of a card, and its style; `None` is a card face down."""
    if card is None:
        return "░░░", "░░░", "dim"
    if card == JOKER:
        return "Jk ", " ★ ", "bold magenta"
    shown = show_card(card, pretty=True)
    return f"{shown[:-1]:3}", f" {shown[-1]} ", SUITS[card & 3]


def _boxes(title: str, worth: str, groups: Iterable[Sequence[int | None]]) -> Text:
    boxes = [[("╭───╮", f"│{up}│", f"│{low}│", "╰───╯", style) for up, low, style in map(_face, group)] for group in groups]
    text = Text.assemble((title, "bold"), "  " if worth else "", (worth, "yellow"))
    for row in range(4):
        for place, group in enumerate(boxes):
            text.append("  " if place else "\n").append_tokens((card[row], card[4]) for card in group)
    return text


def _pretty(sentence: Iterable[str | Sequence[int]]) -> Text:
    """A sentence in parts, its cards in their colours."""
    text = Text()
    for part in sentence:
        if isinstance(part, str):
            text.append(part)
        else:
            cards = [(show_card(card, pretty=True), _face(card)[2]) for card in part]
            text.append(Text(" ").join(Text(*card) for card in cards))
    return text


def hands_after(steps: Iterable[Step]) -> Hands:
    """The hands as they lie after these steps, by owner: split hands instead of the one that was split."""
    hands: Hands = {}
    for step in steps:
        owner, cards = str(step.facts.get("owner", "")), step.cards
        if not owner or not cards:
            continue
        if owner.startswith("hand"):
            hands.pop("player", None)
        whole = step.facts.get("hand")
        groups = [list(whole)] if isinstance(whole, tuple) else [list(group) for group in cards.values()]
        worths = [str(step.facts[name]) for name in ("worth", *(f"{part}_worth" for part in cards)) if name in step.facts]
        hands[owner] = " / ".join(worths), [sorted(group, reverse=True) for group in groups] if len(groups) > 1 else groups
    return hands


def _hands_of(shown: Iterable[Shown]) -> Hands:
    """Hands that lie on the felt, the parts of one that is set together."""
    hands: Hands = {}
    for hand in shown:
        worth, groups = hands.get(hand.owner, ("", []))
        hands[hand.owner] = " / ".join(filter(None, (worth, hand.worth))), [*groups, list(hand.cards)]
    return hands


def _title(owner: str, you: str = "You") -> str:
    return you if owner == "player" else owner.capitalize()


def _signed(cents: int) -> tuple[str, str]:
    return (f"+{dollars(cents)}", "bold green") if cents > 0 else (dollars(cents), "red") if cents else ("even", "yellow")


@dataclass
class Sitting:
    """One guest's stay at one table; the guest is named as the table."""

    floor: Floor
    edition: Edition
    console: Console
    read: Callable[[str], str]
    pace: float = 0.0
    name: str = field(default_factory=lambda: f"play-{secrets.token_hex(3)}")
    stack_cents: int = 0
    net_cents: int = 0
    committed: dict[str, str] = field(default_factory=dict)
    bets: dict[str, int] = field(default_factory=dict)
    road: list[Text] = field(default_factory=list)

    def __post_init__(self) -> None:
        wagers, self._dealing = self.edition.game.wagers, self.edition.game.dealing
        self._offered = [id_ for id_ in self.edition.wagers if not wagers[id_].follows and id_ not in self._dealing.late]

    @property
    def _table(self) -> Table:
        return self.floor.state.tables[self.name]

    @property
    def _balance(self) -> int:
        return self.floor.state.balance(guest(self.name))

    @property
    def _worth(self) -> int:
        """The guest's chips, those he banks with included."""
        bank = self._table.bank
        banked = self.floor.state.balance(ledger_bank(self.name)) if bank is not None and bank.holder == SEAT else 0
        return self._balance + banked

    def _do(self, kind: str, **fields: Any) -> Entry:
        role = COMMANDS[kind].roles[0]
        who: dict[str, Any] = {name: self.name for name in ("table", "guest") if name in COMMANDS[kind].fields}
        command = {"kind": kind, **who, **fields}
        try:
            name = command["guest"] if role == "guest" else self.name
            return self.floor.do(command, Actor(name, role, shell=system_user()))
        except Refused as refused:
            if refused.code == "not-enough" and role == "guest":
                raise Refused(refused.code, f"not enough chips: you have {dollars(self._balance)} left") from None
            raise

    def _say(self, *parts: str | tuple[str, str] | Text, wrap: bool = False) -> None:
        self.console.print(Text.assemble(*parts), soft_wrap=not wrap)

    def _ask(self, prompt: str) -> str:
        """What the guest types; `q`, the end of the input and Ctrl-C leave."""
        try:
            line = self.read(prompt).strip()[:LONGEST_LINE]
        except (EOFError, KeyboardInterrupt):
            self._say("")
            raise Leave from None
        if line.lower() in {"q", "quit", "exit"}:
            raise Leave
        return "".join(char if char.isprintable() else "?" for char in line)

    def stay(self, cents: int) -> None:
        """Open a table, buy in, play until the guest leaves or is out of chips, and leave the table in order."""
        self._do("fund", cents=OPENER_CENTS)
        opener = {} if self.edition.banked_by == "player" else {"opener_cents": OPENER_CENTS}
        self._do("open", edition=self.edition.id, source="virtual-shoe", **opener)
        self._do("buy-in", cents=cents)
        if not opener:
            self._do("buy-in", guest=MARCO, cents=OPENER_CENTS)
            for seat, guest_ in ((SEAT, self.name), (MARCOS_SEAT, MARCO)):
                self._do("sit", seat=seat, guest=guest_)
        self._say((self.edition.name, "bold"), (f"  {standing(self.edition).approval}", "dim"))
        self._say((f"Bet like {'=25,'.join(self._offered[:2])}=5. Enter bets it again, ? shows the wagers, q leaves.", "dim"))
        try:
            while self._worth >= min(self.edition.wagers[name].limits.min_cents for name in self._offered):
                self._play_round()
            self._say(("Your chips are gone.", "bold"))
        except (Leave, KeyboardInterrupt):
            self._abandon()
        self._end_bank()
        self._show_revealed(self._do("close"))
        if left := self.floor.state.balance(guest(MARCO)):
            self._do("cash-out", guest=MARCO, cents=left)
        if balance := self._balance:
            self._do("cash-out", cents=balance)
        self._say("You leave with ", (dollars(balance), "bold"), " (", _signed(balance - cents), "). Until next time!")

    def _abandon(self) -> None:
        """Leave a round: bets not yet dealt on are taken back, any other hand is played by default and settled."""
        if self._table.round.phase == Phase.BETTING:
            for seat, spot in dict(self._table.round.spots).items():
                for wager in spot.bets:
                    self._do("withdraw", seat=seat, guest=spot.guest, wager=wager)
            return
        if self._table.round.phase == Phase.DEALING:
            self._show_payments(self._do("deal"))
        while allowed := unfolded(self._table).to_act.get(SEAT):
            choice = default if (default := self._dealing.default_choice) in allowed else allowed[0]
            self._say(("You leave in the middle of a hand: ", "dim"), choice, (" is played for you.", "dim"))
            self._do("decide", seat=SEAT, choice=choice)
        self.pace = 0
        self._settle()

    def _play_round(self) -> None:
        self._show_status()
        self.stack_cents = self._worth
        if self._guest_banks():
            self.bets = {}
        else:
            self._take_bets()
        self._do("no-more-bets")
        names = [f"{self.edition.game.wagers[wager].name} {dollars(cents)}" for wager, cents in self.bets.items()]
        self.console.rule(" · ".join(names), style="dim")
        self._show_payments(self._do("deal"))
        while SEAT in (dealt := unfolded(self._table)).to_act:
            late = () if self._dealing.default_choice in dealt.to_act[SEAT] else self._dealing.late  # offered before the play
            self._show_hand(dealt, late)
            self._choose(dealt.to_act[SEAT], lambda choice: self._do("decide", seat=SEAT, choice=choice), late)
        self._settle()

    def _guest_banks(self) -> bool:
        """EZC-4: the bank is offered clockwise, for two hands; whether the guest has it now. Marco bets against it."""
        while (bank := self._table.bank) is not None and (not bank.holder or is_used_up(self.floor.state, self._table)):
            if (bank.holder or bank.offered) == MARCOS_SEAT:
                self._do("bank", seat=MARCOS_SEAT, guest=MARCO, cents=MARCO_BANKS_CENTS)
                hands = "its last hand" if bank.holder else "two hands"
                self._say((f"{MARCO} banks with {dollars(MARCO_BANKS_CENTS)}, for {hands}.", "dim"))
                continue
            offered = "Your bank is used up; its second hand is left." if bank.holder else "The bank is offered to you."
            line = self._ask(f"{offered} Put up how many dollars (Enter passes)? ")
            try:
                if line:
                    self._do("bank", seat=SEAT, cents=parse_cents(line, "bank", "an amount"))
                else:
                    self._do("pass", seat=SEAT)
            except Refused as refused:
                self._say((refused.message, "yellow"))
        if self._table.bank is None or self._table.bank.holder != SEAT:
            return False
        bets = self.edition.house_player_bets()
        for wager, cents in bets.items():
            self._do("bet", seat=MARCOS_SEAT, guest=MARCO, wager=wager, cents=cents)
        names = self.edition.game.wagers
        said = ", ".join(f"{dollars(cents)} on {names[wager].name}" for wager, cents in bets.items())
        self._say(("You bank. ", "bold"), f"{MARCO} bets {said}.")
        return True

    def _end_bank(self) -> None:
        if self._table.bank is not None and self._table.bank.holder:
            seat = self._table.bank.holder
            self._do("pass", seat=seat, guest=self._table.seated[seat])

    def _take_bets(self) -> None:
        """Ask until bets lie on the felt, all or none, with the choices that are part of them."""
        last = ",".join(f"{wager}={dollars(cents)[1:].replace(',', '')}" for wager, cents in self.bets.items())
        while True:
            line = self._ask(f"Your bets [{last}]: " if last else "Your bets: ")
            try:
                if line == "?":
                    self._show_wagers()
                    continue
                bets = self.bets if last and not line else parse_bets(line)
                check_bets(self.edition, bets, self._table.settings)
                self._bet(bets)
                self.bets = bets
                for setting in (setting for wager, setting in self._dealing.with_bet.items() if wager in bets):
                    parts = tuple(map(str, self.edition.approved[setting]))  # part of the wager, before the cards
                    self._do("decide", seat=SEAT, choice=self._choose(parts).split()[0])
                return
            except Refused as refused:
                self._abandon()
                self._say((refused.message, "yellow"))

    def _bet(self, bets: dict[str, int]) -> None:
        for wager, cents in bets.items():
            self._do("bet", seat=SEAT, wager=wager, cents=cents)

    def _choose(self, allowed: tuple[str, ...], act: Callable[[str], object] = str, late: tuple[str, ...] = ()) -> str:
        """Ask until one of the choices is named (or a late bet), and the floor accepts it where it is to act on it."""
        asked = [*allowed, *(f"{wager}=DOLLARS" for wager in late)]
        while True:
            line = self._ask(f"{', '.join(asked[:-1])} or {asked[-1]}? ").lower()
            word, _, rest = line.partition(" ")
            meant = [word] if word in allowed else [name for name in allowed if word and name.startswith(word)]
            try:
                if late and "=" in line:
                    self._bet(parse_bets(line))
                elif len(meant) != 1:
                    raise Refused("bad-choice", f'"{word}" is not clear: say {" or ".join(meant or asked)}')
                else:
                    act(line := f"{meant[0]} {rest}".strip())
                return line
            except Refused as refused:
                self._say((refused.message, "yellow"))

    def _settle(self) -> None:
        self._show_play(played := unfolded(self._table))
        self._show_payments(settled := self._do("settle"))
        net = self._worth - self.stack_cents
        self.net_cents += net
        self._say("This round ", _signed(net), "   since you sat down ", _signed(self.net_cents))
        self.road.append(self._bead(next(iter(played.plays.values()))) or Text(*_signed(net)))
        self._show_revealed(settled)

    def _bead(self, played: Play) -> Text | None:
        """The hand as the roads write it, where the game has roads."""
        results = self.edition.game.face.results
        if results is None or not played.marks:
            return None
        hand = results.parse(played.marks[0])
        tone = next(winner.tone for winner in results.winners if winner.key == hand.winner)
        return Text(str(hand), TONES.get(tone, "bold"))

    def _show_status(self) -> None:
        shoe = self._table.shoe
        assert shoe is not None
        self.committed[shoe.id] = shoe.commitment
        sealed = f"   shoe {shoe.commitment[:12]}... sealed, {shoe.used} of {shoe.size} cards out"
        self._say(f"\nRound {self._table.round.number}   your chips ", (dollars(self._balance), "bold"), (sealed, "dim"))
        if self.road:
            self._say(("Last rounds ", "dim"), Text("  ").join(self.road[-14:]))

    def _show_wagers(self) -> None:
        """What can be bet, what it pays, its limits, and the house edge where it is counted exactly."""
        odds, settings = Rulebook(self.edition).odds(), self._table.settings
        grid = Grid("wager", "pays", "limits", "house edge", box=None, padding=(0, 2, 0, 0), header_style="dim")
        for name in self._offered:
            wager, limits = self.edition.game.wagers[name], self.edition.wagers[name].limits
            pays = _written_pays(self.edition, name, settings)
            listed = ", ".join(f"{row.replace('-', ' ')} {pay}" for row, pay in pays.items() if pay not in {"lose", row})
            edge = "" if wager.simulated or name not in odds else percent(odds[name].house_edge, 2)
            grid.add_row(Text(name, "bold"), listed, f"{dollars(limits.min_cents)} to {dollars(limits.max_cents)}", edge)
        self.console.print(grid)

    def _show_hand(self, dealt: Unfolded, late: tuple[str, ...]) -> None:
        """The hand to act on, and what of the dealer's is face up."""
        allowed, in_turn, up = dealt.to_act[SEAT], self._dealing.in_turn, self._dealing.dealer_face_up
        down = [*dealt.hands[DEALER][:up], *[None] * (len(dealt.hands[DEALER]) - up)]
        hands: Hands = {"player": ("", [sorted(dealt.hands[SEAT], reverse=True)])}
        if in_turn and not late:  # of split hands, the one to act on
            hands = _hands_of([hand for hand in dealt.shown[SEAT] if hand.active]) or hands
        boxes = [_boxes(_title(owner), worth, groups) for owner, (worth, groups) in hands.items()]
        self.console.print(Columns([*boxes, _boxes("Dealer", "", [down])], padding=(0, 4)))
        self._show_advice(dealt, allowed)

    def _show_advice(self, dealt: Unfolded, allowed: tuple[str, ...]) -> None:
        """How the house would set the hand, where hands are set, and how to name another way."""
        game, default = self.edition.game, self._dealing.default_choice
        if game.advise is None or default not in allowed:
            return
        advised = game.advise(tuple(dealt.hands[SEAT]), (), prepared(self._table)[2])
        places = {part.id: part.name for part in game.face.parts}
        sentence: list[str | Sequence[int]] = []
        for hand in advised.hands:
            sentence += [", " if sentence else "", hand.cards, f" ({hand.worth}) {places.get(hand.part, hand.part)}"]
        own = [f"; or name your own: {name} {show_cards(advised.hands[0].cards)}" for name in allowed if name != default]
        self._say((f"{default}: ", "bold"), _pretty(sentence), (f" ({advised.why}){''.join(own)}", "dim"), wrap=True)

    def _show_play(self, played: Unfolded) -> None:
        """The hands, and every step with its clause, one after the other where somebody watches."""
        steps = next(iter(played.plays.values())).steps
        you = "Player" if COMMON in played.order else "You"

        def shown(count: int) -> RenderableType:
            lines = Grid.grid(padding=(0, 2, 0, 0))
            for step in steps[:count]:
                clause = Text(self.edition.cites.get(step.clause, step.clause), "cyan")
                lines.add_row(clause, _pretty(parts(self.edition.game.face.steps, step)))
            hands = hands_after(steps[:count]).items()
            boxes = [_boxes(_title(owner, you), worth, groups) for owner, (worth, groups) in hands]
            return Group(Columns(boxes, padding=(0, 4)), lines)

        with Live(console=self.console, auto_refresh=False, transient=True) as live:
            for count in range(1, len(steps) if self.pace else 0):
                live.update(shown(count), refresh=True)
                time.sleep(self.pace)
        self.console.print(shown(len(steps)))

    def _show_payments(self, entry: Entry) -> None:
        for event in (event for event in entry.data["events"] if event["event"] == "paid"):
            said = payment_at_seat(event, self.edition)
            self._say((said, _signed(event["win_cents"])[1]), (f"  {event['clause']}", "dim"))

    def _show_revealed(self, entry: Entry) -> None:
        """A shoe that is done: its order is open now, and must be the one whose commitment was shown."""
        for after in self.floor.store.entries(entry.seq):
            if after.kind == SHOE_REVEALED and after.data["shoe"] in self.committed:
                opened = Revealed(parse_cards(after.data["order"]), after.data["salt"])
                holds = check(Commitment(self.committed[after.data["shoe"]]), opened)
                verdict = "is the one committed to" if holds else "IS NOT THE ONE COMMITTED TO"
                self._say((f"The shoe is revealed: its order of {len(opened.order)} cards {verdict}.", "dim"))


def _written_pays(edition: Edition, wager: str, settings: Mapping[str, Value]) -> dict[str, str]:
    """The rows of a pay table as the edition writes them: a row may stand for many outcomes."""
    pays: dict[str, Any] = edition.document["wagers"][wager]["pays"]
    by_table, never = isinstance(next(iter(pays.values())), dict), edition.game.wagers[wager].impossible(settings)
    written = pays[str(settings[PAY_TABLE])] if by_table else pays
    return {row: pay for row, pay in written.items() if row not in never}


def _read(prompt: str) -> str:
    line = input(prompt)
    if not sys.stdin.isatty():  # nobody typed it: show it
        print(line)
    return line


def play(edition: str, bankroll: str = "500", store: str | None = None) -> None:
    """Play an edition in the terminal, at a table of one's own."""
    if edition.endswith(".toml"):
        raise unknown(edition, House())
    opened = find_edition(edition, lambda: Store(store_url(store)) if store else known_store())
    cents = parse_cents(bankroll, "bankroll", "an amount")
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    console = Console(markup=False, highlight=False, emoji=False)
    with TemporaryDirectory() as folder:
        private = None if store else Floor(Store("sqlite:///:memory:"), Path(folder, "key"), begins=duties.ONE)
        floor = private or Floor(Store(store_url(store)), key_file())
        if duties.are_two(duties.begun(floor.refresh(), {"begins": floor.begins})):
            raise Refused("two-names", "this house works with two names, and nobody runs a table alone: leave --store out")
        if not content_of(opened.id, floor.state):  # a private table plays what is registered in the house
            floor.note(EDITION_ADDED, HOUSE, {"id": opened.id, "document": as_text(opened.document)})
        Sitting(floor, opened, console, _read, pace=0.5 if console.is_terminal else 0.0).stay(cents)
