"""Random commands at a player-banked table (EZC), against a small model of the money written from the clauses.

The model knows what a wager pays (`settle`, on the keyed cards) and nothing of the table's code: whose turn it is to bank,
what the bank covers, what goes back and what is collected are worked out here once more.
"""

import random
from dataclasses import dataclass, field
from itertools import groupby

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
PLAYER_FEE, BANK_FEE, CHIP = 100, 200, 100
LAYOUT = ("player", "banker", "tie", "dragon-7", "panda-8")
PAYS = {"player": 1, "banker": 1, "tie": 8, "dragon-7": 40, "panda-8": 25}
"""EZC-2: the most each wager can win."""
WAGERS = (*PAYS, "roulette")
STAKE = "what the bank has put up"
RARE = ("2s 4h 3d Kc 6h 3s", "2s 2h Kd 5c 6h Kc", "9s 9h Kd Kc")
"""A Dragon 7, a Panda 8 and a tie, which random cards seldom show."""


@dataclass
class Bank:
    """EZC-4: who is offered the bank, who holds it, for how many hands more, what it has now, and the how-manieth it is."""

    offered: int = 0
    holder: int = 0
    hands: int = 0
    cents: int = 0
    tenure: int = 0


@dataclass
class Deal:
    """A deal for which a collection was due: who plays it, at which seat, who banks it, and whether it counted.

    `from_stake` is what its bank, the how-manieth it was, paid of its own from what it had put up.
    """

    players: set[tuple[int, str]]
    banker: str
    tenure: int
    from_stake: int
    counts: bool = False


@dataclass
class Hand:
    """A settled hand: its bets in the order of action, with their guests, its cards, its bank, and what everybody won."""

    bets: list[tuple[str, str, int]]
    cards: list[int]
    holder: int
    banker: str
    stake: int
    tenure: int
    deal: Deal
    won: dict[str, int] = field(default_factory=dict)
    is_void: bool = False


@dataclass
class Model:
    """What everybody has, what lies on the felt, what the bank holds, and what was collected."""

    marker: bool
    reserves: bool
    random: random.Random
    by_layout: bool = True
    until_used_up: bool = False
    puts_up_again: bool = True
    collects_once: bool = True
    pays_from_stake: bool = True
    purse: dict[str, int] = field(default_factory=lambda: dict.fromkeys(GUESTS, PURSE))
    seated: dict[int, str] = field(default_factory=dict)
    bets: dict[int, dict[str, int]] = field(default_factory=dict)
    bank: Bank = field(default_factory=Bank)
    collected: int = 0
    tenures: int = 0
    deals: list[Deal] = field(default_factory=list)
    dice: int = 0
    cards: list[int] | None = None
    hands: dict[int, Hand] = field(default_factory=dict)
    owed: dict[str, int] = field(default_factory=lambda: dict.fromkeys(GUESTS, 0))

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

    def wagers(self, seat: int) -> list[str]:
        """R12c: the wagers of a seat as the layout has them, or as they were placed."""
        return [wager for wager in LAYOUT if wager in self.bets[seat]] if self.by_layout else list(self.bets[seat])

    @property
    def is_used_up(self) -> bool:
        """Whether somebody banks with nothing."""
        return bool(self.bank.holder) and not self.bank.cents

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
        """R12b, worst case: what the bank could neither pay nor win in full with all wagers before it does not count.

        A part of a wager is of whole chips.
        """
        to_lose = to_win = self.bank.cents
        covered: dict[int, dict[str, int]] = {}
        for seat in self.action():
            for wager in self.wagers(seat):
                cents = self.bets[seat][wager]
                part = min(cents, to_lose // PAYS[wager], to_win)
                part -= part % CHIP if part < cents else 0
                to_lose, to_win = to_lose - part * PAYS[wager], to_win - part
                if part:
                    covered.setdefault(seat, {})[wager] = part
        return covered

    def dealt_hands(self) -> list[list[Deal]]:
        """The deals hand by hand: those that were void, and the one that counted, or is still in play."""
        hands: list[list[Deal]] = [[]]
        for deal in self.deals:
            hands[-1].append(deal)
            if deal.counts:
                hands.append([])
        return hands

    def fees(self) -> dict[str, int]:
        """EZC-1, R22: what everybody has to pay for all deals: for each hand once, or for each of its deals.

        R23: of that, what the present bank has to pay from its stake.
        """
        due = dict.fromkeys((*GUESTS, STAKE), 0)
        for deals in self.dealt_hands() if self.collects_once else [[deal] for deal in self.deals]:
            for _, guest in set().union(*(deal.players for deal in deals)):
                due[guest] += PLAYER_FEE
            for banker, own in groupby(deals, key=lambda deal: deal.banker):
                first = next(own)
                from_stake = first.from_stake if self.bank.holder and first.tenure == self.bank.tenure else 0
                due[STAKE] += from_stake
                due[banker] += BANK_FEE - from_stake
        return due

    def fee(self, seat: int) -> int:
        """EZC-1, R22: what a seat pays before the hand: nothing if it has paid for one that was void."""
        paid = set().union(*(deal.players for deal in self.dealt_hands()[-1]))
        return 0 if self.collects_once and (seat, self.seated[seat]) in paid else PLAYER_FEE

    def begin(self) -> bool:
        """EZC-1: fees from all who play, before the hand; whether the hand begins. Who cannot pay sits it out."""
        if not self.bets or not self.bank.holder or self.is_used_up or (self.marker and not self.dice):
            return False
        holder = self.seated[self.bank.holder]
        unsettled = self.dealt_hands()[-1]
        bank_fee = 0 if self.collects_once and unsettled and unsettled[-1].banker == holder else BANK_FEE
        kept, purse, put_up = dict(self.bets), dict(self.purse), self.bank.cents
        lacking = max(bank_fee - purse[holder], 0)  # R23
        if lacking >= put_up or (lacking and not self.pays_from_stake):
            return False
        self.bank.cents -= lacking
        while True:  # one guest has one seat here
            covered = self.reserved() if self.reserves else dict(self.bets)
            after = {
                seat: purse[self.seated[seat]] + sum(bets.values()) - sum(covered.get(seat, {}).values()) - self.fee(seat)
                for seat, bets in self.bets.items()
            }
            poor = [seat for seat, cents in after.items() if cents < 0]
            if not poor:
                break
            for seat in poor:
                purse[self.seated[seat]] += sum(self.bets[seat].values())
            self.bets = {seat: bets for seat, bets in self.bets.items() if seat not in poor}
        if not covered:
            self.bets, self.bank.cents = kept, put_up
            return False
        self.purse = purse | {self.seated[seat]: cents for seat, cents in after.items()}
        self.purse[holder] -= bank_fee - lacking
        self.collected += sum(self.fee(seat) for seat in self.bets) + bank_fee
        self.deals.append(Deal({(seat, self.seated[seat]) for seat in self.bets}, holder, self.bank.tenure, lacking))
        self.bets, self.cards = covered, []
        return True

    def settle(self) -> None:
        """EZC-5: in order; the bank pays what it has, and takes until it has doubled what it had before the hand.

        R12d: to the end, or until one or the other has come about.
        """
        pays, most = self.pays(), 2 * self.bank.cents
        assert pays is not None
        over = False
        for seat in self.action():
            guest = self.seated[seat]
            for wager in self.wagers(seat):
                cents = self.bets[seat][wager]
                over = over or (self.until_used_up and self.bank.cents in {0, most})
                won = min(pays[wager] * cents, self.bank.cents) if pays[wager] > 0 and not over else 0
                lost = min(cents, most - self.bank.cents) if pays[wager] < 0 and not over else 0
                if self.reserves:
                    assert won == max(pays[wager], 0) * cents and lost in {0, cents}, "all that was reserved is covered"
                self.purse[guest] += cents + won - lost
                self.bank.cents += lost - won
        self.bank.hands -= 1
        self.deals[-1].counts, self.dice = True, 0
        if not self.bank.hands or not (self.bank.cents or self.puts_up_again):
            self.purse[self.seated[self.bank.holder]] += self.bank.cents
            self.bank = Bank(offered=self.clockwise(self.bank.holder))
        self.bets, self.cards = {}, None

    def hand(self) -> Hand:
        """The hand as it lies there, before it is settled."""
        bets = [(self.seated[s], wager, self.bets[s][wager]) for s in self.action() for wager in self.wagers(s)]
        banker = self.seated[self.bank.holder]
        hand = Hand(bets, list(self.cards or ()), self.bank.holder, banker, self.bank.cents, self.bank.tenure, self.deals[-1])
        won = self.wins(hand, hand.cards)
        assert won is not None
        hand.won = won
        return hand

    def wins(self, hand: Hand, cards: list[int]) -> dict[str, int] | None:
        """EZC-5, R12d: what everybody wins with these cards, the bank included; nothing if they are no whole hand."""
        try:
            payments = settle(self.book, tuple(cards), dict.fromkeys(PAYS, LEAST)).payments
        except (MissingCard, houseway.Refused):
            return None
        pays = {payment.wager: payment.win_cents // LEAST for payment in payments}
        won, net = dict.fromkeys(GUESTS, 0), 0
        for guest, wager, cents in hand.bets:
            if self.until_used_up and net in {hand.stake, -hand.stake}:
                break
            win = min(pays[wager] * cents, hand.stake + net) if pays[wager] >= 0 else -min(cents, hand.stake - net)
            won[guest] += win
            net -= win
        won[hand.banker] += net
        return won

    def correct(self, hand: Hand, won: dict[str, int], is_void: bool = False) -> None:
        """Everybody gets or gives the difference, a bank that still holds from what it has put up; who cannot owes it.

        R22: whether a hand is void changes what is due for the deals after it as well.
        """
        changes = {guest: won[guest] - hand.won[guest] for guest in GUESTS}
        before = self.fees()
        hand.deal.counts, hand.is_void = not is_void, is_void
        more = {who: cents - before[who] for who, cents in self.fees().items()}
        self.collected += sum(more.values())
        self.bank.cents -= more.pop(STAKE)
        if self.bank.holder and self.bank.tenure == hand.tenure:
            self.bank.cents += changes.pop(hand.banker)
        if self.bank.cents < 0:
            changes[hand.banker] = self.bank.cents
            self.bank.cents = 0
        changes = {guest: changes.get(guest, 0) - more[guest] for guest in GUESTS}
        for guest, change in changes.items():
            paid = min(max(change, 0), self.owed[guest])
            self.purse[guest] += change - paid
            short = max(-self.purse[guest], 0)
            self.owed[guest] += short - paid
            self.purse[guest] += short
        hand.won = won

    def void(self) -> None:
        """Every wager back; the fees are not, and a hand that was void is none of the bank's two."""
        for seat, bets in self.bets.items():
            self.purse[self.seated[seat]] += sum(bets.values())
        self.bets, self.cards, self.dice = {}, None, 0


class BankMachine(HouseMachine):
    order, cover = "from-next-seat", "actual-result"
    within, net, again, fees, lacking = "layout-order", "running-net", "may-put-up-again", "once", "from-stake"

    @initialize(seed=st.integers(0, 10_000))
    def opened(self, seed):
        self.model = Model(
            self.order == "from-marker",
            self.cover == "worst-case",
            random.Random(seed),
            by_layout=self.within == "layout-order",
            until_used_up=self.net == "until-used-up",
            puts_up_again=self.again == "may-put-up-again",
            collects_once=self.fees == "once",
            pays_from_stake=self.lacking == "from-stake",
        )
        fees = {"player_fee_cents": PLAYER_FEE, "bank_fee_cents": BANK_FEE}
        readings = {"R12": self.order, "R12b": self.cover, "R12c": self.within}
        readings |= {"R12d": self.net, "R21": self.again, "R22": self.fees, "R23": self.lacking}
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
        again = model.is_used_up and model.bank.holder == seat  # EZC-4
        offered = (again or (not model.bank.holder and model.bank.offered == seat)) and self.is_at(seat, guest)
        possible = offered and model.cards is None and seat not in model.bets and 0 < cents <= model.purse[guest]
        assert self.try_("bank", seat=seat, guest=guest, cents=cents) == possible
        if possible:
            model.purse[guest] -= cents
            model.tenures += not again
            model.bank = Bank(seat, seat, model.bank.hands if again else 2, cents, model.tenures)

    @rule(left=st.sampled_from([0, 0, BANK_FEE - 50]))
    def bank_everything(self, left):
        """So that little is left for the bank's collection."""
        seat = self.model.bank.offered
        if seat in self.model.seated and not self.model.bank.holder:
            self.take_bank(seat, self.model.seated[seat], max(self.model.purse[self.model.seated[seat]] - left, 0))

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

    @rule(seat=st.sampled_from(SEATS))
    def bet_everything(self, seat):
        """So that nothing is left for the collection."""
        guest = self.model.seated.get(seat)
        if guest is not None:
            for wager in ("player", "tie"):
                before = self.model.bets.get(seat, {}).get(wager, 0)
                self.bet(seat, wager, min(self.model.purse[guest] + before, MOST))

    @rule(seat=st.sampled_from(SEATS), guest=st.sampled_from(GUESTS), wager=st.sampled_from(WAGERS))
    def withdraw(self, seat, guest, wager):
        model = self.model
        possible = model.cards is None and self.is_at(seat, guest) and wager in model.bets.get(seat, {})
        assert self.try_("withdraw", seat=seat, guest=guest, wager=wager) == possible
        if possible:
            model.purse[guest] += model.bets[seat].pop(wager)
            model.bets = {other: bets for other, bets in model.bets.items() if bets}

    @rule(seat=st.integers(0, 5))
    def marker(self, seat):
        """R12: keyed while bets are open, where one is drawn."""
        model = self.model
        possible = model.marker and model.cards is None and seat in SEATS
        assert self.try_("marker", seat=seat) == possible
        if possible:
            model.dice = seat

    @rule(dice=st.sampled_from([0, 0, 0, 2]))
    def no_more_bets(self, dice):
        """A number does not come with the close."""
        model = self.model
        possible = model.cards is None and not dice and model.begin()
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
        before, number = self.model.bank.cents, self.floor.state.tables["t1"].round.number
        hand = self.model.hand() if possible else None
        assert self.try_("settle") == possible
        if possible:
            self.model.hands[number] = hand
            self.model.settle()
            assert 0 <= self.model.bank.cents <= 2 * before

    @rule(actor=st.sampled_from([DAN, SUE]), often=st.integers(1, 4))
    def void(self, actor, often):
        if often == 1:  # rarely, or no hand is ever settled
            assert self.try_("void", actor, reason="misdeal") == (actor == SUE)
            if actor == SUE:
                self.model.void()

    @rule(
        actor=st.sampled_from([DAN, SUE, SUE]), back=st.integers(1, 5), places=st.tuples(st.integers(0, 5), st.integers(0, 5))
    )
    def correct(self, actor, back, places):
        """One of the last hands with two of its cards swapped, or voided after all; whatever is in play."""
        model = self.model
        if len(model.hands) < back:
            return
        number = sorted(model.hands)[-back]
        hand = model.hands[number]
        if places[0] == places[1]:
            possible = actor == SUE and not hand.is_void
            assert self.try_("correct", actor, round=number, reason="a misdeal", void=True) == possible
            if possible:
                model.correct(hand, dict.fromkeys(GUESTS, 0), is_void=True)
            return
        cards = [*hand.cards]
        first, second = (place % len(cards) for place in places)
        cards[first], cards[second] = cards[second], cards[first]
        won = model.wins(hand, cards)
        possible = actor == SUE and won is not None and (cards != hand.cards or hand.is_void)
        assert self.try_("correct", actor, round=number, reason="misread", cards=show_cards(cards)) == possible
        if possible:
            model.correct(hand, won)
            hand.cards = cards

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
            if chance.random() < 0.2:
                self.bet_everything(chance.choice(SEATS))
            if model.marker:
                self.marker(chance.randint(1, 4))
            self.no_more_bets(0)
            self.deal(chance.choice(["", *RARE]))
            if chance.random() < 0.1:
                self.void(SUE, 1)
            self.settle()
            if chance.random() < 0.4:
                self.correct(SUE, chance.randint(1, 3), (chance.randrange(6), chance.randrange(6)))

    def find_a_bank(self, chance):
        model = self.model
        if model.seated and chance.random() < 0.2:
            seat = chance.choice(sorted(model.seated))
            self.withdraw_all(seat)
            self.leave(seat, model.seated[seat])
        if not model.bank.holder and model.bank.offered and chance.random() < 0.2:
            self.pass_bank(model.bank.offered, model.seated[model.bank.offered])
        if model.is_used_up and chance.random() < 0.7:
            self.take_bank(model.bank.holder, model.seated[model.bank.holder], chance.choice([30, 777, 9_000]))
        elif model.is_used_up:
            self.pass_bank(model.bank.holder, model.seated[model.bank.holder])
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
        assert {guest: -balances.get(f"debt:{guest}", 0) for guest in GUESTS} == model.owed
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
@pytest.mark.parametrize("examples", [4, pytest.param(40, marks=pytest.mark.deep)])
def test_random_commands_keep_to_the_model_of_the_bank(order, cover, examples):
    run_machine(BankMachine, examples=examples, order=order, cover=cover)


@pytest.mark.parametrize("examples", [3, pytest.param(25, marks=pytest.mark.deep)])
@pytest.mark.parametrize(
    "readings",
    [
        {"within": "as-keyed"},
        {"within": "as-keyed", "cover": "worst-case"},
        {"net": "until-used-up"},
        {"net": "until-used-up", "within": "as-keyed", "order": "from-marker"},
        {"again": "ends"},
        {"fees": "every-deal"},
        {"lacking": "no-hand"},
    ],
    ids=lambda readings: ",".join(readings.values()),
)
def test_random_commands_keep_to_the_model_of_the_bank_under_every_reading(readings, examples):
    run_machine(BankMachine, examples=examples, **readings)
