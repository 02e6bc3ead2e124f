"""Random commands at a player-banked table (EZC), against a small model of the money written from the clauses.

The model knows what a wager pays (`settle`, on the keyed cards) and nothing of the table's code: whose turn it is to bank,
what the bank covers, what goes back and what is collected are worked out here once more.
"""

import random
from dataclasses import dataclass, field

import pytest
from databases import HouseMachine, run_machine
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule
from sessions import CAT, DAN, SUE

import houseway
from houseway.cards import parse_cards, show_cards
from houseway.rulebook.game import MissingCard
from houseway.rulebook.settle import settle
from houseway.table import Phase

EDITION = "ez-baccarat-ca"
GUESTS = ("ann", "bob", "cyd", "dee")
SEATS = (1, 2, 3, 4)
PURSE, LEAST, MOST = 100_000, 500, 200_000
PLAYER_FEE, BANK_FEE = 100, 200
PAYS = {"player": 1, "banker": 1, "tie": 8, "dragon-7": 40, "panda-8": 25}
"""EZC-2: the most each wager can win."""
WAGERS = (*PAYS, "roulette")
RARE = ("2s 4h 3d Kc 6h 3s", "2s 2h Kd 5c 6h Kc", "9s 9h Kd Kc")
"""A Dragon 7, a Panda 8 and a tie, which random cards seldom show."""


@dataclass
class Bank:
    """EZC-4: who is offered the bank, who holds it, for how many hands more, and what it has now."""

    offered: int = 0
    holder: int = 0
    hands: int = 0
    cents: int = 0


@dataclass
class Model:
    """What everybody has, what lies on the felt, what the bank holds, and what was collected."""

    marker: bool
    reserves: bool
    random: random.Random
    purse: dict[str, int] = field(default_factory=lambda: dict.fromkeys(GUESTS, PURSE))
    seated: dict[int, str] = field(default_factory=dict)
    bets: dict[int, dict[str, int]] = field(default_factory=dict)
    bank: Bank = field(default_factory=Bank)
    collected: int = 0
    dice: int = 0
    cards: list[int] | None = None

    def __post_init__(self) -> None:
        self.book = houseway.edition(EDITION).edition
        self.fresh_shoe()

    def fresh_shoe(self) -> None:
        self.shoe = [card for card in range(52) for _ in range(8)]
        self.random.shuffle(self.shoe)

    @property
    def phase(self) -> Phase:
        if self.cards is None:
            return Phase.BETTING
        return Phase.DEALING if self.pays() is None else Phase.READY

    def clockwise(self, seat: int) -> int:
        """The next player clockwise: round the table once, and the same one again if he is alone."""
        circle = [*range(seat + 1, len(SEATS) + 1), *range(1, seat + 1)]
        return next((other for other in circle if other in self.seated), 0)

    def action(self) -> list[int]:
        """R12: the seats with bets, clockwise from the drawn seat or from the one after the bank."""
        start = self.dice if self.marker else self.bank.holder + 1
        return sorted(self.bets, key=lambda seat: (seat - start) % len(SEATS))

    def pays(self) -> dict[str, int] | None:
        """What each wager wins for one cent on the cards so far; nothing as long as cards are missing."""
        try:
            settlement = settle(self.book, tuple(self.cards or ()), dict.fromkeys(PAYS, LEAST))
        except MissingCard:
            return None
        return {payment.wager: payment.win_cents // LEAST for payment in settlement.payments}

    # What commands do

    def leave(self, seat: int) -> None:
        del self.seated[seat]
        if self.bank.offered == seat:
            self.bank.offered = self.clockwise(seat)

    def reserved(self) -> dict[int, dict[str, int]]:
        """R12b, worst case: what the bank could neither pay nor win in full with all wagers before it does not count."""
        to_lose = to_win = self.bank.cents
        covered: dict[int, dict[str, int]] = {}
        for seat in self.action():
            for wager, cents in self.bets[seat].items():
                part = min(cents, to_lose // PAYS[wager], to_win)
                to_lose, to_win = to_lose - part * PAYS[wager], to_win - part
                if part:
                    covered.setdefault(seat, {})[wager] = part
        return covered

    def begin(self, dice: int) -> bool:
        """EZC-1: fees from all who play, before the hand; whether the hand begins."""
        if not self.bets or not self.bank.holder:
            return False
        self.dice = dice
        covered = self.reserved() if self.reserves else self.bets
        purse = dict(self.purse)
        for seat, bets in self.bets.items():
            purse[self.seated[seat]] += sum(bets.values()) - sum(covered.get(seat, {}).values()) - PLAYER_FEE
        purse[self.seated[self.bank.holder]] -= BANK_FEE
        if not covered or min(purse.values()) < 0:
            return False
        self.collected += PLAYER_FEE * len(self.bets) + BANK_FEE
        self.purse, self.bets, self.cards = purse, covered, []
        return True

    def settle(self) -> None:
        """EZC-5: in order; the bank pays what it has, and takes until it has doubled what it had before the hand."""
        pays, most = self.pays(), 2 * self.bank.cents
        assert pays is not None
        for seat in self.action():
            guest = self.seated[seat]
            for wager, cents in self.bets[seat].items():  # the clauses do not say which first: as they were placed
                won = min(pays[wager] * cents, self.bank.cents) if pays[wager] > 0 else 0
                lost = min(cents, most - self.bank.cents) if pays[wager] < 0 else 0
                if self.reserves:
                    assert won == max(pays[wager], 0) * cents and lost in {0, cents}, "all that was reserved is covered"
                self.purse[guest] += cents + won - lost
                self.bank.cents += lost - won
        self.bank.hands -= 1
        if not self.bank.hands or not self.bank.cents:
            self.purse[self.seated[self.bank.holder]] += self.bank.cents
            self.bank = Bank(offered=self.clockwise(self.bank.holder))
        self.bets, self.cards = {}, None

    def void(self) -> None:
        """Every wager back; the fees are not, and a hand that was void is none of the bank's two."""
        for seat, bets in self.bets.items():
            self.purse[self.seated[seat]] += sum(bets.values())
        self.bets, self.cards = {}, None


class BankMachine(HouseMachine):
    order, cover = "from-next-seat", "actual-result"

    @initialize(seed=st.integers(0, 10_000))
    def opened(self, seed):
        self.model = Model(self.order == "from-marker", self.cover == "worst-case", random.Random(seed))
        fees = {"player_fee_cents": PLAYER_FEE, "bank_fee_cents": BANK_FEE}
        readings = {"R12": self.order, "R12b": self.cover}
        self.open_house(dict.fromkeys(GUESTS, PURSE), edition=EDITION, seats=len(SEATS), settings=readings, **fees)
        self.cage = self.floor.state.balance("cage")
        for seat, guest in zip(SEATS, GUESTS, strict=True):
            self.sit(seat, guest)
        self.play(4, seed)  # some hands; then anything in any order

    def is_at(self, seat, guest):
        return self.model.seated.get(seat) == guest

    @rule(seat=st.integers(0, 5), guest=st.sampled_from(GUESTS))
    def sit(self, seat, guest):
        if guest in self.model.seated.values():  # whoever has a seat has enough
            return
        possible = seat in SEATS and seat not in self.model.seated
        assert self.try_("sit", seat=seat, guest=guest) == possible
        if possible:
            self.model.seated[seat] = guest
            self.model.bank.offered = self.model.bank.offered or seat

    @rule(seat=st.integers(0, 5), guest=st.sampled_from(GUESTS))
    def leave(self, seat, guest):
        model = self.model
        possible = self.is_at(seat, guest) and seat != model.bank.holder and seat not in model.bets
        assert self.try_("leave", seat=seat, guest=guest) == possible
        if possible:
            model.leave(seat)

    @rule(seat=st.sampled_from(SEATS), guest=st.sampled_from(GUESTS), cents=st.sampled_from([0, 30, 777, 9_000, 40_000, 10**6]))
    def take_bank(self, seat, guest, cents):
        model = self.model
        offered = not model.bank.holder and model.bank.offered == seat and self.is_at(seat, guest)
        possible = offered and model.cards is None and seat not in model.bets and 0 < cents <= model.purse[guest]
        assert self.try_("bank", seat=seat, guest=guest, cents=cents) == possible
        if possible:
            model.purse[guest] -= cents
            model.bank = Bank(seat, seat, 2, cents)

    @rule(seat=st.sampled_from(SEATS), guest=st.sampled_from(GUESTS))
    def pass_bank(self, seat, guest):
        """The bank is passed by whom it is offered to; whoever has it may end it between hands."""
        model = self.model
        offered = not model.bank.holder and model.bank.offered == seat
        ends = model.bank.holder == seat and model.cards is None
        possible = (offered or ends) and self.is_at(seat, guest)
        assert self.try_("pass", seat=seat, guest=guest) == possible
        if possible and ends:
            model.purse[guest] += model.bank.cents
            model.bank = Bank(offered=model.clockwise(seat))
        elif possible:
            model.bank.offered = model.clockwise(seat)

    @rule(
        seat=st.sampled_from(SEATS),
        wager=st.sampled_from(WAGERS),
        cents=st.sampled_from([0, LEAST - 1, LEAST, 777, 3_000, 20_000, MOST + 1]),
    )
    def bet(self, seat, wager, cents):
        """Whoever sits there bets; the bank does not."""
        model = self.model
        guest = model.seated.get(seat)
        if guest is None:
            return
        before = model.bets.get(seat, {}).get(wager, 0)
        possible = model.cards is None and seat != model.bank.holder and wager in PAYS and LEAST <= cents <= MOST
        possible = possible and cents - before <= model.purse[guest]
        assert self.try_("bet", seat=seat, guest=guest, wager=wager, cents=cents) == possible
        if possible:
            model.bets.setdefault(seat, {})[wager] = cents
            model.purse[guest] -= cents - before

    @rule(seat=st.sampled_from(SEATS), guest=st.sampled_from(GUESTS), wager=st.sampled_from(WAGERS))
    def withdraw(self, seat, guest, wager):
        model = self.model
        possible = model.cards is None and self.is_at(seat, guest) and wager in model.bets.get(seat, {})
        assert self.try_("withdraw", seat=seat, guest=guest, wager=wager) == possible
        if possible:
            model.purse[guest] += model.bets[seat].pop(wager)
            model.bets = {other: bets for other, bets in model.bets.items() if bets}

    @rule(dice=st.integers(0, 5))
    def no_more_bets(self, dice):
        model = self.model
        thrown = dice in SEATS if model.marker else not dice
        possible = model.cards is None and thrown and model.begin(dice)
        assert self.try_("no-more-bets", **({"dice": dice} if dice else {})) == possible

    @rule(rare=st.sampled_from(["", "", *RARE]))
    def deal(self, rare):
        """The cards of a hand; too few are not settled, and more than the hand takes are refused."""
        model = self.model
        if model.phase != Phase.DEALING:
            assert not self.try_("card", cards="2c")
            return
        chosen = list(parse_cards(rare))
        while model.phase == Phase.DEALING:
            card = chosen.pop(0) if chosen and chosen[0] in model.shoe else model.shoe[-1]
            assert not self.try_("settle")
            assert self.try_("card", cards=show_cards([card]))
            model.shoe.remove(card)
            model.cards.append(card)

    @rule()
    def settle(self):
        possible = self.model.phase == Phase.READY
        before = self.model.bank.cents
        assert self.try_("settle") == possible
        if possible:
            self.model.settle()
            assert 0 <= self.model.bank.cents <= 2 * before

    @rule(actor=st.sampled_from([DAN, SUE]), often=st.integers(1, 4))
    def void(self, actor, often):
        if often == 1:  # rarely, or no hand is ever settled
            assert self.try_("void", actor, reason="misdeal") == (actor == SUE)
            if actor == SUE:
                self.model.void()

    @rule()
    def house_money_commands(self):
        """The table does not close on somebody's money."""
        if self.model.bank.holder or self.model.bets:
            state = self.floor.state
            with pytest.raises(houseway.Refused):
                self.floor.do({"kind": "close", "table": "t1"}, SUE)
            assert self.floor.state == state

    @rule(guest=st.sampled_from(GUESTS), cents=st.sampled_from([5_000, 50_000]))
    def buy_in(self, guest, cents):
        assert self.try_("buy-in", CAT, table=None, guest=guest, cents=cents)
        self.model.purse[guest] += cents

    @rule(hands=st.integers(1, 5), seed=st.integers(0, 9999))
    def play(self, hands, seed):
        """Whole hands, so that banks come to an end and go round."""
        chance, model = random.Random(seed), self.model
        for _ in range(hands):
            if model.phase == Phase.BETTING and len(model.shoe) < 50:
                assert self.try_("new-shoe")
                model.fresh_shoe()
            self.find_a_bank(chance)
            for seat in chance.sample(sorted(model.seated), len(model.seated)):
                for wager in chance.sample(sorted(PAYS), chance.randint(1, 3)):
                    self.bet(seat, wager, chance.choice([LEAST, 777, 3_000]))
            if chance.random() < 0.2:
                self.withdraw_all(chance.choice(SEATS))
            self.no_more_bets(chance.randint(1, 4) if model.marker else 0)
            self.deal(chance.choice(["", *RARE]))
            if chance.random() < 0.1:
                self.void(SUE, 1)
            self.settle()

    def find_a_bank(self, chance):
        model = self.model
        if model.seated and chance.random() < 0.2:
            seat = chance.choice(sorted(model.seated))
            self.withdraw_all(seat)
            self.leave(seat, model.seated[seat])
        if not model.bank.holder and model.bank.offered and chance.random() < 0.2:
            self.pass_bank(model.bank.offered, model.seated[model.bank.offered])
        if not model.bank.holder and (seat := model.bank.offered):
            self.withdraw_all(seat)
            self.take_bank(seat, model.seated[seat], chance.choice([30, 777, 9_000, 40_000]))

    def withdraw_all(self, seat):
        for wager in list(self.model.bets.get(seat, {})):
            self.withdraw(seat, self.model.seated[seat], wager)

    @invariant()
    def money_is_where_the_model_says(self):
        balances, model = self.floor.state.balances, self.model
        assert {guest: balances[f"guest:{guest}"] for guest in GUESTS} == model.purse
        assert balances.get("wagers:t1", 0) == sum(cents for bets in model.bets.values() for cents in bets.values())
        assert balances.get("bank:t1", 0) == model.bank.cents
        assert balances.get("collection:t1", 0) == model.collected
        assert (balances["cage"], balances.get("tray:t1", 0)) == (self.cage, 0)

    @invariant()
    def the_bank_is_where_the_model_says(self):
        table, bank = self.floor.state.tables["t1"], self.model.bank
        assert table.round.phase == self.model.phase
        offered = table.bank.offered if not bank.holder else bank.offered
        assert (table.bank.holder, table.bank.hands_left, offered) == (bank.holder, bank.hands, bank.offered)


@pytest.mark.parametrize("order", ["from-next-seat", "from-marker"])
@pytest.mark.parametrize("cover", ["actual-result", "worst-case"])
def test_random_commands_keep_to_the_model_of_the_bank(order, cover):
    run_machine(BankMachine, examples=8, order=order, cover=cover)
