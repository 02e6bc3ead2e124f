"""Random commands, legal and not, against a small model of the money.

The model knows the rulebook (`houseway.edition(...).settle` on one seat's cards) and nothing of the table's code: it deals
the cards it shuffled itself, says who gets the next one and who is to act, and keeps what everybody must have.
"""

import random
from copy import copy
from dataclasses import dataclass, field, replace

import pytest
from databases import HouseMachine, run_machine
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule
from test_table import BACCARAT, BLACKJACK, CAT, DAN, DUKI, EDITIONS, PAI_GOW, SUE

import houseway
from houseway.cards import show_cards
from houseway.refusal import Refused
from houseway.rulebook.game import MissingCard, MissingChoice
from houseway.rulebook.settle import settle
from houseway.table import Phase

GUESTS, PURSE, TRAY = ("ann", "bob"), 60_000, 3_000_000
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
        self.owed = dict.fromkeys(GUESTS, 0)
        self.win, self.number, self.shoes = 0, 0, 0
        self.rounds: dict[int, tuple[Model, dict[str, int]]] = {}
        self.fresh_shoe()
        self.new_round()

    def fresh_shoe(self) -> None:
        self.shoes += 1
        self.shoe = [card for card in DECKS[self.edition] for _ in range(COPIES[self.edition])]
        self.random.shuffle(self.shoe)

    def new_round(self) -> None:
        self.number += 1
        self.seats: dict[int, Seat] = {}
        self.is_closed, self.is_frozen, self.dice = False, False, 0
        self.drawn: list[int] = []
        self.dealer: list[int] = []
        self.decided: list[tuple[int, int]] = []
        self.looked: list[int] = []
        if COPIES[self.edition] == 1:
            self.fresh_shoe()

    @property
    def wanted(self) -> tuple[str, object]:
        """What the table waits for: `next`, or bets, or the end of a dispute."""
        if self.is_frozen:
            return "resolve", {}
        return self.next() if self.is_closed else ("bets", {})

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
        keyed = [who for who in circle[start : start + 7] if who in seats or who == "dealer"]
        return [who for who in keyed for _ in range(7)]

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
            others = tuple(tuple(s.hand) for s in self.seats.values() if s.guest != seat.guest and "base" in s.bets)
        made = seat.choices if choices is None else choices
        if "red-black" in seat.bets and not {"red", "black"} & {*made}:
            made = (*made, "red")  # the table's colour, unless another was chosen with the bet
        settings = self.book.settings({"R16": "dealer-resets-house-way"} if self.edition == PAI_GOW else {})  # as it is keyed
        return settle(self.book, self.tape(seat, dealer_draws), seat.bets, made, settings, others=others)

    def next(self) -> tuple[str, object]:
        """("card", who), ("choice", seats to act) or ("settle", payments by seat)."""
        if len(self.drawn) < len(self.order()):
            return "card", self.order()[len(self.drawn)]
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
        asked = {number: seat for number, seat in self.seats.items() if not seat.choices and "insurance" not in seat.bets}
        return {number: ("look", "even-money") if self.is_blackjack(seat) else ("look",) for number, seat in asked.items()}

    def is_blackjack(self, seat: Seat) -> bool:
        ranks = sorted(card // 4 for card in seat.hand[:2])
        return ranks[1] == 12 and 8 <= ranks[0] <= 11

    # What commands do

    def no_more_bets(self, dice: int) -> None:
        self.is_closed, self.dice = True, dice
        aces = [place for place, card in enumerate(self.shoe) if card // 4 == 12]
        if self.edition == BLACKJACK and aces and self.random.random() < 0.5:  # many aces up: they are insured against
            up = -1 - len(self.seats)
            self.shoe[up], self.shoe[aces[0]] = self.shoe[aces[0]], self.shoe[up]

    def corrected(self, place: int, card: int) -> "Model | None":
        """The round dealt again with another card at a place; nothing if it cannot have gone like that."""
        if not 0 < place <= len(self.drawn) or card not in {*self.shoe, self.drawn[place - 1]}:
            return None
        cards = [*self.drawn]
        cards[place - 1] = card
        shoe = [*self.shoe, self.drawn[place - 1]]
        shoe.remove(card)
        return self.dealt_again(cards, shoe)

    def dealt_again(self, cards: list[int], shoe: list[int] | None = None) -> "Model | None":
        """The round with these cards; what was paid early is settled anew, and who no longer has it owes it."""
        other = copy(self)
        other.shoe, other.drawn, other.dealer = [*(self.shoe if shoe is None else shoe)], [], []
        other.purse, other.owed = dict(self.purse), dict(self.owed)
        for seat in self.seats.values():
            if seat.lucky_paid:
                win = self.lucky_win(seat)
                other.purse[seat.guest] -= seat.bets["lucky-lucky"] + win
                other.win += win
        other.seats = {number: replace(seat, hand=[], lucky_paid=False) for number, seat in self.seats.items()}
        try:
            for again in cards:
                if other.next()[0] != "card":
                    return None
                other.give(again)
            wanted, who = other.next()
        except Refused:  # a choice that was made is not possible with that card
            return None
        on_an_ace = ("insurance" in seat.bets or {"look", "even-money"} & {*seat.choices} for seat in other.seats.values())
        if other.dealer and other.dealer[0] // 4 != 12 and any(on_an_ace):
            return None  # what was offered on an ace that there was not goes back first
        if self.edition == BLACKJACK and wanted == "choice" and any(later > min(who) for later, _ in self.decided):
            return None
        other.owe()
        return other

    def owe(self) -> None:
        """Who has less than nothing has nothing, and owes it."""
        for guest, cents in self.purse.items():
            if cents < 0:
                self.owed[guest] -= cents
                self.purse[guest] = 0

    def undone(self, number: int) -> "Model | None":
        """A seat's last decision taken back, if it was the last of all (blackjack) and no card has come since."""
        seat = self.seats.get(number)
        made = [(who, drawn) for who, drawn in self.decided if who == number]
        if seat is None or not (made or number in self.looked):
            return None
        if (made and made[-1][1] != len(self.drawn)) or (not made and not self.offers()):
            return None
        if self.edition == BLACKJACK and self.decided and self.decided[-1][0] != number:
            return None
        raised = seat.bets.get(RAISES.get(seat.choices[-1], ""), 0)
        before = copy(self)
        before.seats = {**self.seats, number: replace(seat, choices=seat.choices[:-1])}
        before.purse = self.purse | {seat.guest: self.purse[seat.guest] + raised}
        if made:
            last = max(place for place, (who, _) in enumerate(self.decided) if who == number)
            before.decided = self.decided[:last] + self.decided[last + 1 :]
        else:
            before.looked = [who for who in self.looked if who != number]
        return before

    # Settled rounds put right

    def won(self, results) -> dict[str, int]:
        won = dict.fromkeys(GUESTS, 0)
        for number, payments in results.items():
            won[self.seats[number].guest] += sum(payment.win_cents for payment in payments)
        return won

    def settle_difference(self, number: int, won: dict[str, int]) -> None:
        """Everybody gets, or gives back, what the round comes to now; a debt is paid from it first."""
        before = self.rounds[number][1] or dict.fromkeys(GUESTS, 0)
        for guest in GUESTS:
            change = won[guest] - before[guest]
            self.win -= change
            paid = min(max(change, 0), self.owed[guest])
            self.owed[guest] -= paid
            self.purse[guest] += change - paid
        self.owe()

    def give(self, card: int) -> None:
        who = self.next()[1]
        if who == "dealer":
            self.dealer.append(card)
        elif who in self.seats:
            self.seats[who].hand.append(card)
        self.drawn.append(card)
        if self.edition == BLACKJACK and len(self.drawn) == len(self.order()) - 1:  # all but the hole card
            for seat in self.seats.values():
                if "lucky-lucky" in seat.bets:
                    self.pay_lucky(seat)

    def pay_lucky(self, seat: Seat) -> None:
        """LLB-7: at once, from the two cards and the up-card."""
        win = self.lucky_win(seat)
        self.purse[seat.guest] += seat.bets["lucky-lucky"] + win
        self.win -= win
        seat.lucky_paid = True

    def lucky_win(self, seat: Seat) -> int:
        points = {"A": 1, "K": 10, "Q": 10, "J": 10}
        three = show_cards([*seat.hand[:2], self.dealer[0]]).split()
        ranks = [card[:-1] for card in three]
        total = sum(points.get(rank) or int(rank) for rank in ranks)
        total += 10 if "A" in ranks and total <= 11 else 0
        suited = len({card[-1] for card in three}) == 1
        if total == 21:
            kinds = {("7", "7", "7"): (200, 50), ("6", "7", "8"): (100, 30)}
            pays = kinds.get(tuple(sorted(ranks)), (15, 3))[0 if suited else 1]
        else:
            pays = 2 if total in {19, 20} else -1
        return seat.bets["lucky-lucky"] * pays

    def pay(self, results) -> None:
        self.rounds[self.number] = copy(self), self.won(results)
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
                win = self.lucky_win(seat)
                self.purse[seat.guest] -= win
                self.win += win
        self.owe()
        self.new_round()


class TableMachine(HouseMachine):
    edition = BACCARAT

    @initialize(seed=st.integers(0, 10_000))
    def opened(self, seed):
        self.model = Model(self.edition, random.Random(seed))
        self.table_seats = 6 if self.edition == DUKI else 3  # D4P-13
        self.open_house(dict.fromkeys(GUESTS, PURSE), edition=self.edition, opener_cents=TRAY, seats=self.table_seats)
        self.go_on(25, seed)  # some rounds and what goes wrong in them; then anything in any order

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
            model.wanted[0] == "bets"
            and 1 <= seat <= self.table_seats
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
        possible = self.model.wanted[0] == "bets" and there is not None and there.guest == guest and wager in there.bets
        assert self.try_("withdraw", seat=seat, guest=guest, wager=wager) == possible
        if possible:
            self.model.purse[guest] += there.bets.pop(wager)
            there.choices = () if wager == "red-black" else there.choices
            if not there.bets:
                del self.model.seats[seat]

    @rule(dice=st.integers(1, 7))
    def no_more_bets(self, dice):
        model = self.model
        complete = all(NEEDS.get(wager, wager) in seat.bets for seat in model.seats.values() for wager in seat.bets)
        possible = model.wanted[0] == "bets" and bool(model.seats) and complete
        assert self.try_("no-more-bets", **({"dice": dice} if self.edition == PAI_GOW else {})) == possible
        if possible:
            model.no_more_bets(dice)

    @rule(most=st.integers(1, 60))
    def cards(self, most):
        """Key the next cards, as long as some are wanted; those of the first deal several at once."""
        if self.model.wanted[0] != "card":
            assert not self.try_("card", cards=show_cards([self.model.shoe[-1]]))
        while most > 0 and self.model.wanted[0] == "card":
            assert not self.try_("settle")
            first = min(most, 14, len(self.model.order()) - len(self.model.drawn))
            taken = [self.model.shoe.pop() for _ in range(max(1, first))]
            assert self.try_("card", cards=show_cards(taken))
            for card in taken:
                self.model.give(card)
            most -= len(taken)

    @rule(place=st.integers(0, 60), pick=st.integers(0, 999))
    def correct_card(self, place, pick):
        """Another card, mostly one that is still in the shoe, for any that was keyed."""
        model = self.model
        card = model.shoe[pick % len(model.shoe)] if pick % 4 else pick % 53
        place %= len(model.drawn) + 2
        same = 0 < place <= len(model.drawn) and model.drawn[place - 1] == card
        right = model.corrected(place, card) if model.is_closed and not model.is_frozen and not same else None
        assert self.try_("correct-card", reason="misread", place=place, card=show_cards([card])) == (right is not None)
        self.model = right or model

    @precondition(lambda self: self.edition == BLACKJACK)
    @rule(seat=st.sampled_from(SEATS), guest=st.sampled_from(GUESTS), half=st.sampled_from([0.01, 0.2, 0.5, 0.51]))
    def insure(self, seat, guest, half):
        """BJ-6, BJ-8: up to half the bet under an ace, until the dealer looks; a seat that has decided anything is late."""
        model, there = self.model, self.model.seats.get(seat, Seat(guest))
        bet, before = there.bets.get("blackjack", 0), there.bets.get("insurance", 0)
        cents = int((bet or 1_000) * half)
        possible = model.wanted[0] == "choice" and bool(model.offers()) and there.guest == guest and not there.choices
        possible = possible and 50 <= cents <= bet // 2 and cents - before <= model.purse[guest]
        assert self.try_("bet", seat=seat, guest=guest, wager="insurance", cents=cents) == possible
        if possible:
            there.bets["insurance"] = cents
            model.purse[guest] -= cents - before

    @rule(seat=st.sampled_from(SEATS), place=st.integers(0, 9))
    def decide(self, seat, place):
        model = self.model
        choice = self.choice(seat, place % len(CHOICES[self.edition]))
        wanted, who = model.wanted
        possible = wanted == "choice" and seat in who and self.is_legal(seat, choice)
        if wanted == "bets" and choice in {"red", "black"} and "red-black" in getattr(model.seats.get(seat), "bets", {}):
            possible, model.seats[seat].choices = True, ()  # the colour is a part of the wager
        assert self.try_("decide", seat=seat, choice=choice) == possible
        if possible:
            spot = model.seats[seat]
            if self.edition == BLACKJACK and model.offers():
                model.looked = [*model.looked, seat]
            elif wanted != "bets":
                model.decided = [*model.decided, (seat, len(model.drawn))]
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
        if choice in {"red", "black", "look"}:
            return False
        try:
            self.model.played(seat, 0, (*seat.choices, choice))
        except (MissingCard, MissingChoice):
            pass
        except Refused:
            return False
        return seat.bets.get(RAISES.get(choice, ""), 0) <= self.model.purse[seat.guest]

    @rule(steps=st.sampled_from([1, 2, 4, 9, 14, 20]), seed=st.integers(0, 9999))
    def go_on(self, steps, seed):
        """Whatever brings the round on, so that rounds come to an end."""
        chance = random.Random(seed)
        for _ in range(steps):
            wanted, who = self.model.wanted
            if wanted == "resolve" or chance.random() < 0.2:
                self.interrupt(wanted, chance)
            elif wanted == "bets":
                self.good_bets(chance)
                self.no_more_bets(chance.randint(1, 7))
            elif wanted == "card":
                self.cards(60)
            elif wanted == "choice":
                seat = next(iter(who))
                if self.edition == BLACKJACK and self.model.offers() and chance.random() < 0.5:
                    self.insure(seat, self.model.seats[seat].guest, chance.choice([0.2, 0.5]))
                    continue
                legal = [n for n in range(len(CHOICES[self.edition])) if self.is_legal(seat, self.choice(seat, n))]
                self.decide(seat, chance.choice(legal))
            else:
                self.settle()

    def interrupt(self, wanted, chance):
        """What goes wrong at a table, and how it is put right."""
        if wanted == "resolve":
            chance.choice([lambda: self.resolve(SUE), lambda: self.void(SUE, "misdeal", 1)])()
        elif chance.random() < 0.2:
            self.dispute(1)
        elif wanted == "bets":
            self.correct_round(SUE, chance.randrange(4), chance.randrange(60), chance.randrange(1000))
        elif chance.random() < 0.3:
            self.undo(chance.choice(SEATS))
        elif chance.random() < 0.3:
            self.swap_cards(chance.randrange(60), chance.randrange(60))
        elif chance.random() < 0.2:
            self.rekey(chance.randrange(9))
        elif chance.random() < 0.3:
            self.change_bet(SUE, chance.choice(SEATS), chance.choice([100, 500, 800]))
        else:
            self.correct_card(chance.randrange(60), chance.randrange(1000))

    def good_bets(self, chance):
        if len(self.model.shoe) < 100:
            assert self.try_("new-shoe")
            self.model.fresh_shoe()
        for seat in chance.sample(SEATS, chance.randint(1, 3)):
            guest = self.model.seats[seat].guest if seat in self.model.seats else chance.choice(GUESTS)
            for place in range(len(WAGERS[self.edition])):
                if place == 0 or chance.random() < 0.5:
                    self.bet(seat, guest, place, chance.choice([100, 500, 700, 2_500]))
        for guest in GUESTS:
            self.buy_in(guest, 20_000)  # enough for whatever is decided later
        for seat in [seat for seat, spot in self.model.seats.items() if WAGERS[self.edition][0] not in spot.bets]:
            self.bet(seat, self.model.seats[seat].guest, 0, 500)

    @rule()
    def settle(self):
        wanted, results = self.model.wanted
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

    @rule(actor=st.sampled_from([DAN, SUE, SUE]), back=st.integers(0, 5), place=st.integers(0, 60), pick=st.integers(0, 999))
    def correct_round(self, actor, back, place, pick):
        """Any settled round, with another card somewhere, voided after all, or settled as it was; whatever is in play."""
        model = self.model
        numbers = [*model.rounds][-4:]
        if back >= len(numbers):
            assert not self.try_("correct", actor, round=model.number, reason="not yet settled", void=True)
            return
        number = numbers[back]
        then, won = model.rounds[number]
        if pick % 5 == 0:
            assert self.try_("correct", actor, round=number, reason="a misdeal", void=True) == (
                actor == SUE and won is not None
            )
            nothing = dict.fromkeys(GUESTS, 0)
            if actor == SUE and won is not None:
                model.settle_difference(number, nothing)
                model.rounds[number] = then, None
            return
        same_shoe = then.shoes == model.shoes and COPIES[self.edition] > 1
        old = then.drawn[place % len(then.drawn)]
        cards = model.shoe if same_shoe else then.shoe
        card = cards[pick % len(cards)] if pick % 3 else pick % 52
        right = then.corrected(place % len(then.drawn) + 1, card) if card in {*cards, old} else None
        if right is None and same_shoe and card in {*cards, old}:  # it had come out since, of a shoe that is still dealt
            shifted = copy(then)
            shifted.shoe = cards
            right = shifted.corrected(place % len(then.drawn) + 1, card)
        results = right.next()[1] if right is not None and right.next()[0] == "settle" else None
        changes = right is not None and (card != old or won is None)
        possible = actor == SUE and results is not None and changes
        drawn = [*then.drawn]
        drawn[place % len(then.drawn)] = card
        assert self.try_("correct", actor, round=number, reason="misread cards", cards=show_cards(drawn)) == possible
        if possible:
            model.settle_difference(number, right.won(results))
            if same_shoe:
                model.shoe = [*model.shoe, old]
                model.shoe.remove(card)
            model.rounds[number] = right, right.won(results)

    @rule(turn=st.integers(0, 8))
    def rekey(self, turn):
        """All cards again, from another one on: the choices stand, if they are possible with the hands as they are now."""
        model = self.model
        turned = [*model.drawn[turn:], *model.drawn[:turn]]
        may = turned != model.drawn and model.is_closed and not model.is_frozen
        right = model.dealt_again(turned) if may else None
        assert self.try_("rekey", cards=show_cards(turned), reason="keyed in another order") == (right is not None)
        self.model = right or model

    @rule(place=st.integers(0, 60), other=st.integers(0, 60))
    def swap_cards(self, place, other):
        model = self.model
        cards, size = [*model.drawn], len(model.drawn) + 1
        place, other = place % size, other % size
        right = None
        if place and other and cards[place - 1] != cards[other - 1] and model.is_closed and not model.is_frozen:
            cards[place - 1], cards[other - 1] = cards[other - 1], cards[place - 1]
            right = model.dealt_again(cards)
        assert self.try_("swap-cards", place=place, other_place=other, reason="the wrong order") == (right is not None)
        self.model = right or model

    @rule(seat=st.sampled_from(SEATS))
    def undo(self, seat):
        model = self.model
        started = model.is_closed and not model.is_frozen and len(model.drawn) >= len(model.order())
        right = model.undone(seat) if started else None
        assert self.try_("undo", seat=seat, reason="misheard") == (right is not None)
        self.model = right or model

    @rule(actor=st.sampled_from([DAN, SUE, SUE]), seat=st.sampled_from(SEATS), cents=st.sampled_from([100, 500, 800, 40_001]))
    def change_bet(self, actor, seat, cents):
        """The main wager of a seat, after no more bets, with what has been staked on it since."""
        model, wager = self.model, WAGERS[self.edition][0]
        there = model.seats.get(seat)
        possible = actor == SUE and model.is_closed and not model.is_frozen and there is not None and cents < 40_001
        possible = possible and there.bets.get(wager, 0) not in {0, cents}
        if possible:
            times = 1 + sum(RAISES.get(choice) == wager for choice in there.choices)
            more = (cents - there.bets[wager]) * times
            possible = more <= model.purse[there.guest] and there.bets.get("insurance", 0) * 2 <= cents
        assert self.try_("change-bet", actor, seat=seat, wager=wager, stake_cents=cents, reason="counted again") == possible
        if possible:
            model.purse[there.guest] -= more
            there.bets = there.bets | {wager: cents}

    @rule(often=st.integers(1, 3))
    def dispute(self, often):
        if often == 1:  # or the table stands still most of the time
            assert self.try_("dispute", reason="he says he stood") == (not self.model.is_frozen)
            self.model.is_frozen = True

    @rule(actor=st.sampled_from([DAN, SUE]))
    def resolve(self, actor):
        possible = actor == SUE and self.model.is_frozen
        assert self.try_("resolve", actor, reason="the film was seen") == possible
        self.model.is_frozen &= not possible

    @rule(guest=st.sampled_from(GUESTS), cents=st.sampled_from([0, 5_000, 20_000, 2**63]))
    def buy_in(self, guest, cents):
        accepted = self.try_("buy-in", CAT, table=None, guest=guest, cents=cents)
        assert accepted == (0 < cents < 2**63)
        self.model.purse[guest] += cents if accepted else 0

    @invariant()
    def money_is_where_the_model_says(self):
        balances = self.floor.state.balances
        assert {guest: balances[f"guest:{guest}"] for guest in GUESTS} == self.model.purse
        assert {guest: -balances.get(f"debt:{guest}", 0) for guest in GUESTS} == self.model.owed
        assert balances.get("wagers:t1", 0) == self.model.felt
        assert balances["tray:t1"] == TRAY + self.model.win
        assert self.floor.state.tables["t1"].win_cents == self.model.win

    @invariant()
    def the_phase_is_what_the_model_expects(self):
        phase, wanted = self.floor.state.tables["t1"].round.phase, self.model.wanted[0]
        certain = {"resolve": Phase.FROZEN, "bets": Phase.BETTING, "settle": Phase.READY}
        assert phase == certain[wanted] if wanted in certain else phase in {Phase.DEALING, Phase.DECIDING}


@pytest.mark.parametrize("examples", [5, pytest.param(40, marks=pytest.mark.deep)])
@pytest.mark.parametrize("edition", EDITIONS)
def test_random_commands_keep_to_the_model(edition, examples):
    run_machine(TableMachine, examples=examples * (2 if edition == BLACKJACK else 1), edition=edition)
