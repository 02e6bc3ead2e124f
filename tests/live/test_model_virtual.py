"""Random mends in every phase at virtual tables: the cards are the committed shoe's, and the money is that of the true rounds.

The model knows the order of the shoe, which the house keeps to itself, and what the rulebook pays on one seat's cards.
"""

import random
from collections import Counter
from contextlib import suppress

import pytest
from databases import HouseMachine, run_machine
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule
from test_table import BACCARAT, BLACKJACK, DAN, DUKI, EDITIONS, MAIN, PAI_GOW, SUE

import houseway
from houseway.rulebook.game import DEALER
from houseway.rulebook.settle import settle
from houseway.table import Phase, unfolded

PURSE, STAKES = 1_000_000, (100, 500, 600, 800)
SIDE = {BACCARAT: "tie", BLACKJACK: "lucky-lucky", DUKI: "duki-bonus", PAI_GOW: "dynasty"}


class VirtualMachine(HouseMachine):
    """One guest at seat 1: the tape of his round is what came out of the shoe."""

    edition = BACCARAT

    @initialize(seed=st.integers(0, 10_000))
    def opened(self, seed):
        self.book = houseway.edition(self.edition).edition
        watched = {"watch": "acknowledge", "watch_cents": 5_000}
        self.open_house({"ann": PURSE}, edition=self.edition, source="virtual-shoe", opener_cents=10_000_000, **watched)
        self.won, self.bets = 0, {}
        self.play(12, seed)

    @property
    def table(self):
        return self.floor.state.tables["t1"]

    @property
    def phase(self):
        return self.table.round.phase

    @rule(steps=st.integers(1, 6), seed=st.integers(0, 9999))
    def play(self, steps, seed):
        """Whatever brings the round on, with mends in between in any phase."""
        chance = random.Random(seed)
        for _ in range(steps):
            if chance.random() < 0.4:
                mends = (lambda: self.change_bet(chance.choice(STAKES)), self.undo, self.acknowledge)
                chance.choice(mends)()
            elif self.phase == Phase.BETTING:
                self.bet(chance)
            elif self.phase == Phase.DEALING:
                assert self.try_("deal") or self.try_("acknowledge", SUE)
            elif self.phase == Phase.DECIDING:
                allowed = [choice for choice in unfolded(self.table).to_act[1] if choice != "set"]
                assert self.try_("decide", seat=1, choice=chance.choice(allowed))
            else:
                self.settle()
            self.every_card_is_the_next_of_the_committed_shoe()

    def bet(self, chance):
        for wager in (MAIN[self.edition], SIDE[self.edition]):
            cents = chance.choice(STAKES[:2])
            assert self.try_("bet", seat=1, guest="ann", wager=wager, cents=cents)
            self.bets[wager] = cents
        assert self.try_("no-more-bets")

    def settle(self):
        round_, hands = self.table.round, unfolded(self.table).hands
        tape = (*hands[1], *hands[DEALER]) if self.edition == PAI_GOW else round_.drawn
        payments = settle(self.book, tuple(tape), self.bets, round_.spots[1].choices).payments
        assert self.try_("settle") or (self.try_("acknowledge", SUE) and self.try_("settle"))
        self.won, self.bets = self.won + sum(payment.win_cents for payment in payments), {}

    @rule(cents=st.sampled_from(STAKES))
    def change_bet(self, cents):
        """Only the stake changes, whatever the round waits for."""
        main = MAIN[self.edition]
        possible = self.phase != Phase.BETTING and self.bets[main] != cents
        drawn, shoe = self.table.round.drawn, self.table.shoe
        changes = {"seat": 1, "wager": main, "stake_cents": cents, "reason": "counted again"}
        assert self.try_("change-bet", SUE, **changes) == possible
        assert (self.table.round.drawn, self.table.shoe) == (drawn, shoe)
        if possible:
            self.bets[main] = cents

    @rule()
    def undo(self):
        drawn, shoe = self.table.round.drawn, self.table.shoe
        self.try_("undo", DAN, seat=1, reason="misheard")
        assert (self.table.round.drawn, self.table.shoe) == (drawn, shoe)

    @rule()
    def acknowledge(self):
        """Whether or not anything waits for it, it takes no card."""
        if self.phase != Phase.BETTING:
            drawn, shoe = self.table.round.drawn, self.table.shoe
            with suppress(houseway.Refused):
                self.floor.do({"kind": "acknowledge", "table": "t1"}, SUE)
            assert (self.table.round.drawn, self.table.shoe) == (drawn, shoe)

    @rule(often=st.integers(1, 5))
    def void(self, often):
        if often == 1 and self.phase != Phase.BETTING:
            assert self.try_("void", SUE, reason="misdeal")
            self.bets = {}

    @invariant()
    def every_card_is_the_next_of_the_committed_shoe(self):
        """No shoe but the first is ever made before the cut card, or one for every round where all cards are shuffled."""
        table = self.table
        with self.floor.store.writing() as writer:
            order = self.floor._opened(writer, table.shoe)[1]
        out = (*table.discards, *table.round.drawn)
        assert order[table.shoe.used - len(out) : table.shoe.used] == out
        is_shuffled_every_round = self.edition in {PAI_GOW, DUKI}
        assert table.shoes_made == (table.round.number if is_shuffled_every_round else 1)
        assert Counter(order) == Counter(
            {card: copies for card, copies in enumerate(self.book.game.shoe(self.book.settings({}))) if copies}
        )

    @invariant()
    def the_guest_has_what_the_true_rounds_gave_him(self):
        if self.phase == Phase.BETTING and not self.table.round.spots:
            assert self.floor.state.balance("guest:ann") == PURSE + self.won


@pytest.mark.parametrize("edition", EDITIONS)
def test_random_mends_at_virtual_tables_take_no_card_and_leave_the_money_of_the_true_rounds(edition):
    run_machine(VirtualMachine, examples=6, steps=15, edition=edition)
