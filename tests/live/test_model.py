"""Random commands, legal and not, against a small model of the money.

The model knows the rulebook (`houseway.edition(...).settle` on one seat's cards) and nothing of the table's code: it deals
the cards it shuffled itself, says who gets the next one and who is to act, and keeps what everybody must have.
"""

import random
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import Phase as Stage
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test
from test_table import BACCARAT, BLACKJACK, CAT, DAN, DUKI, EDITIONS, PAI_GOW, ROOT, SUE

import houseway
from houseway.audit import Auditor
from houseway.cards import show_cards
from houseway.floor import Floor
from houseway.journal import Store
from houseway.refusal import Refused
from houseway.rulebook.game import MissingCard, MissingChoice
from houseway.settle import settle
from houseway.table import Phase

GUESTS = ("ann", "bob")
PURSE, TRAY = 60_000, 3_000_000
DECKS = {BACCARAT: range(52), PAI_GOW: range(53), BLACKJACK: range(52), DUKI: range(52)}
COPIES = {BACCARAT: 8, PAI_GOW: 1, BLACKJACK: 6, DUKI: 1}
WAGERS = {
    BACCARAT: ("player", "banker", "tie", "dragon-7", "panda-8"),
    PAI_GOW: ("base", "dynasty", "protection", "red-black"),
    BLACKJACK: ("blackjack", "lucky-lucky"),
    DUKI: ("ante", "duki-bonus"),
}
NEEDS = {"dynasty": "base", "protection": "base", "red-black": "base", "lucky-lucky": "blackjack"}
CHOICES = {
    BACCARAT: ("stand",),
    PAI_GOW: ("house-way", "red", "black", "set"),
    BLACKJACK: ("hit", "stand", "double", "split", "surrender", "look", "even-money"),
    DUKI: ("play", "fold", "raise"),
}
RAISES = {"double": "blackjack", "split": "blackjack", "play": "ante"}
SEATS = (1, 2, 3)


@dataclass
class Seat:
    guest: str
    bets: dict[str, int] = field(default_factory=dict)
    choices: tuple[str, ...] = ()
    hand: list[int] = field(default_factory=list)
    lucky_paid: bool = False


class Model:
    """What each guest has, what lies on the felt, and what the table has won."""

    def __init__(self, edition: str, deck: random.Random) -> None:
        self.edition, self.random = edition, deck
        self.book = houseway.edition(edition).edition
        self.purse = dict.fromkeys(GUESTS, PURSE)
        self.win = 0
        self.fresh_shoe()
        self.new_round()

    def fresh_shoe(self) -> None:
        self.shoe = [card for card in DECKS[self.edition] for _ in range(COPIES[self.edition])]
        self.random.shuffle(self.shoe)

    def new_round(self) -> None:
        self.seats: dict[int, Seat] = {}
        self.is_closed, self.dice, self.dealt = False, 0, 0
        self.dealer: list[int] = []
        if COPIES[self.edition] == 1:
            self.fresh_shoe()

    @property
    def felt(self) -> int:
        return sum(self.staked(seat) for seat in self.seats.values())

    def staked(self, seat: Seat) -> int:
        bets = {w: c for w, c in seat.bets.items() if not (w == "lucky-lucky" and seat.lucky_paid)}
        return sum(bets.values()) + sum(seat.bets[RAISES[choice]] for choice in seat.choices if choice in RAISES)

    # Who is next

    def order(self) -> list[int | str]:
        """The recipient of each card of the first deal."""
        seats = sorted(self.seats)
        if self.edition == BACCARAT:
            return ["dealer"] * 4
        if self.edition == BLACKJACK:
            return [*seats, "dealer", *seats, "dealer"]
        if self.edition == DUKI:
            return [who for who in (*seats, "dealer") for _ in range(4)]
        circle: list[int | str] = [1, "dealer", 6, 5, 4, 3, 2] * 2
        start = circle.index("dealer" if self.dice == 7 else self.dice)
        return [who for who in circle[start : start + 7] for _ in range(7)]

    def tape(self, seat: Seat, dealer_draws: int) -> tuple[int, ...]:
        if self.edition == BACCARAT:
            return tuple(self.dealer)
        if self.edition == BLACKJACK:
            (first, second), (up, hole) = seat.hand[:2], self.dealer[:2]
            return (first, up, second, hole, *seat.hand[2:], *self.dealer[2 : 2 + dealer_draws])
        return (*seat.hand, *self.dealer)

    def played(self, seat: Seat, dealer_draws: int, choices: tuple[str, ...] | None = None):
        others = ()
        if self.edition == PAI_GOW:
            others = tuple(tuple(s.hand) for s in self.seats.values() if s is not seat and "base" in s.bets)
        made = seat.choices if choices is None else choices
        if "red-black" in seat.bets and not {"red", "black"} & {*made}:
            made = (*made, "red")  # the table's colour, unless another was chosen with the bet
        return settle(self.book, self.tape(seat, dealer_draws), seat.bets, made, others=others)

    def next(self) -> tuple[str, object]:
        """("card", who), ("choice", seats to act) or ("settle", payments by seat)."""
        if self.dealt < len(self.order()):
            return "card", self.order()[self.dealt]
        if self.edition == BLACKJACK and (offered := self.offers()):
            return "choice", offered
        to_act, results = {}, {}
        for number in sorted(self.seats):
            try:
                results[number] = self.played(self.seats[number], 0).payments
            except MissingChoice as missing:
                to_act[number] = missing.allowed
                if self.edition == BLACKJACK:
                    break
            except MissingCard as missing:
                if missing.whose != "dealer":
                    return "card", number if missing.whose == "player" else "dealer"
        if to_act:
            return "choice", to_act
        for number in sorted(self.seats.keys() - results.keys()):
            for draws in range(len(self.dealer) - 1):
                try:
                    results[number] = self.played(self.seats[number], draws).payments
                    break
                except MissingCard:
                    continue
            else:
                return "card", "dealer"
        return "settle", results

    def offers(self) -> dict[int, tuple[str, ...]]:
        """BJ-6: under an ace every seat is asked before the dealer looks: to go on, or to take even money."""
        if self.dealer[0] // 4 != 12:
            return {}
        asked = {number: seat for number, seat in self.seats.items() if not seat.choices}
        return {number: ("look", "even-money") if self.is_blackjack(seat) else ("look",) for number, seat in asked.items()}

    def is_blackjack(self, seat: Seat) -> bool:
        ranks = sorted(card // 4 for card in seat.hand[:2])
        return ranks[1] == 12 and 8 <= ranks[0] <= 11

    # What commands do

    def give(self, card: int) -> None:
        who = self.next()[1]
        if who == "dealer":
            self.dealer.append(card)
        elif who in self.seats:
            self.seats[who].hand.append(card)
        self.dealt += 1
        if self.edition == BLACKJACK and self.dealt == len(self.order()):
            for seat in self.seats.values():
                self.pay_lucky(seat)

    def pay_lucky(self, seat: Seat) -> None:
        """LLB-7: at once, from the two cards and the up-card."""
        if "lucky-lucky" not in seat.bets:
            return
        cards = show_cards([seat.hand[0], self.dealer[0], seat.hand[1], self.dealer[1]])
        stood = self.lucky_win(cards, seat)
        self.purse[seat.guest] += seat.bets["lucky-lucky"] + stood
        self.win -= stood
        seat.lucky_paid = True

    def lucky_win(self, cards: str, seat: Seat) -> int:
        bet = seat.bets["lucky-lucky"]
        points = {"A": 1, "K": 10, "Q": 10, "J": 10}
        first, up, second, _ = cards.split()
        three = (first, second, up)
        ranks = [card[:-1] for card in three]
        total = sum(points.get(rank) or int(rank) for rank in ranks)
        total += 10 if "A" in ranks and total <= 11 else 0
        suited = len({card[-1] for card in three}) == 1
        if total == 21:
            kinds = {("7", "7", "7"): (200, 50), ("6", "7", "8"): (100, 30)}
            pays = kinds.get(tuple(sorted(ranks)), (15, 3))[0 if suited else 1]
        else:
            pays = 2 if total in {19, 20} else -1
        return bet * pays

    def pay(self, results) -> None:
        for number, payments in results.items():
            seat = self.seats[number]
            self.purse[seat.guest] += self.staked(seat)
            for payment in payments:
                if payment.wager != "lucky-lucky":
                    self.purse[seat.guest] += payment.win_cents
                    self.win -= payment.win_cents
        self.new_round()

    def void(self) -> None:
        for seat in self.seats.values():
            self.purse[seat.guest] += self.staked(seat)
            if seat.lucky_paid:
                win = self.lucky_win(show_cards([seat.hand[0], self.dealer[0], seat.hand[1], self.dealer[1]]), seat)
                self.purse[seat.guest] -= win
                self.win += win
        self.new_round()


class TableMachine(RuleBasedStateMachine):
    edition = BACCARAT

    @initialize(seed=st.integers(0, 10_000))
    def opened(self, seed):
        self.folder = Path(tempfile.mkdtemp(prefix="houseway-model-"))
        self.url, self.key = f"sqlite:///{self.folder / 'house.db'}", self.folder / "key"
        self.floor = Floor(Store(self.url), self.key)
        self.model = Model(self.edition, random.Random(seed))
        self.floor.do({"kind": "fund", "cents": 10 * TRAY}, ROOT)
        for guest in GUESTS:
            self.floor.do({"kind": "buy-in", "guest": guest, "cents": PURSE}, CAT)
        opening = {"edition": self.edition, "source": "hand-keyed", "opener_cents": TRAY, "seats": 3}
        self.floor.do({"kind": "open", "table": "t1", **opening}, SUE)

    def try_(self, kind, actor=DAN, table="t1", **fields):
        """Whether a command was accepted; a refused one changes nothing."""
        command = {"kind": kind} | ({"table": table} if table else {}) | fields
        before = self.floor.state, self.floor.store.head()
        try:
            self.floor.do(command, actor)
        except Refused as refused:
            assert self.floor.state == before[0]
            assert self.floor.store.head() == before[1] or refused.code == "role-may-not" or actor == SUE
            return False
        return True

    @property
    def phase(self):
        return self.floor.state.tables["t1"].round.phase

    @rule(
        seat=st.integers(0, 4),
        guest=st.sampled_from(GUESTS),
        place=st.integers(0, 9),
        cents=st.sampled_from([0, 99, 100, 500, 700, 2_500, 10_000, 40_000, 40_001]),
    )
    def bet(self, seat, guest, place, cents):
        wager = (*WAGERS[self.edition], "roulette")[place % (len(WAGERS[self.edition]) + 1)]
        model = self.model
        there = model.seats.get(seat)
        before = there.bets.get(wager, 0) if there else 0
        possible = (
            not model.is_closed
            and seat in SEATS
            and wager != "roulette"
            and 100 <= cents <= 40_000
            and (there is None or there.guest == guest)
            and cents - before <= model.purse[guest]
        )
        accepted = self.try_("bet", seat=seat, guest=guest, wager=wager, cents=cents)
        assert not accepted or possible
        if accepted:
            model.seats.setdefault(seat, Seat(guest)).bets[wager] = cents
            model.purse[guest] -= cents - before
        elif possible:  # too many separate games is the only reason left
            assert len(there.bets if there else {}) >= 3 or wager in NEEDS

    @rule(seat=st.sampled_from(SEATS), guest=st.sampled_from(GUESTS), place=st.integers(0, 9))
    def withdraw(self, seat, guest, place):
        wager = WAGERS[self.edition][place % len(WAGERS[self.edition])]
        there = self.model.seats.get(seat)
        possible = not self.model.is_closed and there is not None and there.guest == guest and wager in there.bets
        assert self.try_("withdraw", seat=seat, guest=guest, wager=wager) == possible
        if possible:
            self.model.purse[guest] += there.bets.pop(wager)
            if not there.bets:
                del self.model.seats[seat]

    @rule(dice=st.integers(1, 7))
    def no_more_bets(self, dice):
        model = self.model
        complete = all(NEEDS.get(wager, wager) in seat.bets for seat in model.seats.values() for wager in seat.bets)
        possible = not model.is_closed and bool(model.seats) and complete
        assert self.try_("no-more-bets", **({"dice": dice} if self.edition == PAI_GOW else {})) == possible
        if possible:
            model.is_closed, model.dice = True, dice

    @rule(most=st.integers(1, 60))
    def cards(self, most):
        """Key the next cards, as long as some are wanted; those of the first deal several at once."""
        if not self.model.is_closed:
            assert not self.try_("card", cards="2c")
        while self.model.is_closed and most and self.model.next()[0] == "card":
            assert not self.try_("settle")
            first = min(most, 14, len(self.model.order()) - self.model.dealt)
            taken = [self.model.shoe.pop() for _ in range(max(1, first))]
            assert self.try_("card", cards=show_cards(taken))
            for card in taken:
                self.model.give(card)
            most -= len(taken)

    @precondition(lambda self: self.model.is_closed)
    @rule()
    def card_not_wanted(self):
        if self.model.next()[0] != "card":
            assert not self.try_("card", cards=show_cards([self.model.shoe[-1]]))

    @rule(seat=st.sampled_from(SEATS), place=st.integers(0, 9))
    def decide(self, seat, place):
        model = self.model
        choice = self.choice(seat, place % len(CHOICES[self.edition]))
        wanted, who = model.next() if model.is_closed else ("bets", {})
        possible = wanted == "choice" and seat in who and self.is_legal(seat, choice)
        if wanted == "bets" and choice in {"red", "black"} and "red-black" in getattr(model.seats.get(seat), "bets", {}):
            possible, model.seats[seat].choices = True, ()  # the colour is a part of the wager
        assert self.try_("decide", seat=seat, choice=choice) == possible
        if possible:
            spot = model.seats[seat]
            spot.choices = (*spot.choices, choice)
            model.purse[spot.guest] -= spot.bets.get(RAISES.get(choice, ""), 0)

    def choice(self, number, place):
        choice = CHOICES[self.edition][place]
        if choice != "set":
            return choice
        hand = self.model.seats[number].hand if number in self.model.seats else []
        return f"set {show_cards(hand[:2])}" if len(hand) == 7 else "set 2c 2d"

    def is_legal(self, number, choice):
        seat = self.model.seats[number]
        if self.edition == BLACKJACK and (offered := self.model.offers()):
            return choice in offered[number]
        if choice in {"red", "black"}:
            return False
        try:
            self.model.played(seat, 0, (*seat.choices, choice))
        except (MissingCard, MissingChoice):
            pass
        except Refused:
            return False
        return seat.bets.get(RAISES.get(choice, ""), 0) <= self.model.purse[seat.guest]

    @rule(steps=st.integers(1, 9), seed=st.integers(0, 9999))
    def go_on(self, steps, seed):
        """Whatever brings the round on, so that rounds come to an end."""
        chance = random.Random(seed)
        for _ in range(steps):
            wanted, who = self.model.next() if self.model.is_closed else ("bets", {})
            if wanted == "bets":
                self.good_bets(chance)
                self.no_more_bets(chance.randint(1, 7))
            elif wanted == "card":
                self.cards(60)
            elif wanted == "choice":
                seat = next(iter(who))
                legal = [n for n in range(len(CHOICES[self.edition])) if self.is_legal(seat, self.choice(seat, n))]
                self.decide(seat, chance.choice(legal))
            else:
                self.settle()

    @rule(seed=st.integers(0, 9999))
    def play_a_round(self, seed):
        self.go_on(9, seed)

    @rule(seed=st.integers(0, 9999))
    def play_two(self, seed):
        self.go_on(14, seed)

    def good_bets(self, chance):
        for seat in chance.sample(SEATS, chance.randint(1, 3)):
            guest = self.model.seats[seat].guest if seat in self.model.seats else chance.choice(GUESTS)
            for place in range(len(WAGERS[self.edition])):
                if place == 0 or chance.random() < 0.5:
                    self.bet(seat, guest, place, chance.choice([100, 500, 700, 2_500]))
        for guest in GUESTS:
            self.buy_in(guest, 20_000)
        for seat in [seat for seat, spot in self.model.seats.items() if WAGERS[self.edition][0] not in spot.bets]:
            self.bet(seat, self.model.seats[seat].guest, 0, 500)

    @rule()
    def settle(self):
        wanted, results = self.model.next() if self.model.is_closed else ("bets", {})
        assert self.try_("settle") == (wanted == "settle")
        if wanted == "settle":
            self.model.pay(results)
            assert not self.try_("settle")

    @rule(actor=st.sampled_from([DAN, SUE]), reason=st.sampled_from(["misdeal", "bad luck"]), often=st.integers(1, 4))
    def void(self, actor, reason, often):
        if often > 1:  # rarely, or no round is ever settled
            return
        possible = actor == SUE and reason == "misdeal"
        assert self.try_("void", actor, reason=reason) == possible
        if possible:
            self.model.void()

    @rule(guest=st.sampled_from(GUESTS), cents=st.sampled_from([0, 5_000, 20_000, 2**63]))
    def buy_in(self, guest, cents):
        accepted = self.try_("buy-in", CAT, table=None, guest=guest, cents=cents)
        assert accepted == (0 < cents < 2**63)
        self.model.purse[guest] += cents if accepted else 0

    @invariant()
    def money_is_where_the_model_says(self):
        if not hasattr(self, "floor"):
            return
        balances = self.floor.state.balances
        assert sum(balances.values()) == 0
        assert all(cents >= 0 for account, cents in balances.items() if account != "outside")
        assert {guest: balances[f"guest:{guest}"] for guest in GUESTS} == self.model.purse
        assert balances.get("wagers:t1", 0) == self.model.felt
        assert balances["tray:t1"] == TRAY + self.model.win
        assert self.floor.state.tables["t1"].win_cents == self.model.win

    @invariant()
    def the_phase_is_what_the_model_expects(self):
        if not hasattr(self, "floor"):
            return
        if not self.model.is_closed:
            assert self.phase == Phase.BETTING
        else:
            assert (self.phase == Phase.READY) == (self.model.next()[0] == "settle")

    def teardown(self):
        if hasattr(self, "floor"):
            assert Floor(Store(self.url), self.key).refresh() == self.floor.state
            assert Auditor(self.floor.store).run().flaw is None
            shutil.rmtree(self.folder)


@pytest.mark.parametrize("edition", EDITIONS)
def test_random_commands_keep_to_the_model(edition):
    machine = type(f"Machine_{edition}", (TableMachine,), {"edition": edition})
    limits = settings(
        deadline=None,
        max_examples=12,
        stateful_step_count=25,
        derandomize=True,
        phases=[Stage.explicit, Stage.generate],  # no shrinking: a failure would take minutes
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    run_state_machine_as_test(machine, settings=limits)
