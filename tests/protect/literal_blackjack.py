"""A counter at a blackjack table as one would explain him: cards in a list, hands as lists, in plain Python. Values 1 to 10.

Rules: a dealer who looks and hits soft 17, any two cards doubled, after a split too, pairs by value, four hands, one card to
split aces, no surrender. Charts are letters by row and up-card, for the least true count from which on each is played.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import floor

from literal_counter import Shoe


@dataclass
class SuitedShoe(Shoe):
    """Values are dealt; a suit is decided when somebody looks."""

    unlooked: dict = None

    def suit(self, value):
        """The suit of a card of this value: as likely any that nobody has looked at."""
        cards = [card for card, copies in self.unlooked[value].items() for _ in range(copies)]
        rank, suit = cards[self.below(len(cards))]
        self.unlooked[value][rank, suit] -= 1
        return suit


def total(hand):
    return sum(hand) + 10 if 1 in hand and sum(hand) <= 11 else sum(hand)


def is_soft(hand):
    return 1 in hand and sum(hand) <= 11


def row(hand, as_pair):
    if as_pair:
        name = "A" if hand[0] == 1 else str(hand[0])
        return f"{name},{name}"
    return f"{'soft' if is_soft(hand) else 'hard'} {total(hand)}"


def three_card_total(cards):
    return total(cards)


@dataclass
class Counter:
    tags: dict
    unseen: list
    running: int
    divide: object
    start: int | None

    def see(self, card):
        self.running += self.tags[card]
        self.unseen.remove(card)

    def count(self, left):
        """The count as he bets by it; `left` are the cards in the shoe."""
        if self.start is not None:
            return Fraction(self.running + self.start)
        return self.running / self.divide(len(self.unseen), left)


def hit_on(hand, up, chart, shoe, see):
    while total(hand) < 21 and chart[row(hand, False), up] in "HDR":
        hand.append(shoe.take())
        see(hand[-1])


def play_hand(hand, up, chart, shoe, see):
    """A hand of two cards that is not split; its stake."""
    letter = chart[row(hand, False), up] if total(hand) < 21 else "S"
    return play_letter(hand, letter, up, chart, shoe, see)


def play_letter(hand, letter, up, chart, shoe, see):
    if letter in "Dd":
        hand.append(shoe.take())
        see(hand[-1])
        return 2
    if letter in "HR":
        hand.append(shoe.take())
        see(hand[-1])
        hit_on(hand, up, chart, shoe, see)
    return 1


def play_seat(cards, up, chart, shoe, see):
    """The hands of a seat, each with its stake."""
    is_pair = cards[0] == cards[1]
    letter = chart[row(cards, is_pair), up] if total(cards) < 21 else "S"
    if letter != "P":
        hand = list(cards)
        stake = play_letter(hand, letter, up, chart, shoe, see)
        return [(hand, stake)]
    pair, many, done = cards[0], 2, []
    while len(done) < many:
        hand = [pair, shoe.take()]
        see(hand[-1])
        may_split = hand[0] == hand[1] and many < 4 and pair != 1
        letter = chart[row(hand, may_split), up] if total(hand) < 21 else "S"
        if letter == "P":
            many += 1
        elif pair == 1:
            done.append((hand, 1))
        else:
            done.append((hand, play_letter(hand, letter, up, chart, shoe, see)))
    return done


def result(hand, stake, dealer):
    if total(hand) > 21:
        return -stake
    if total(dealer) > 21 or total(hand) > total(dealer):
        return stake
    return 0 if total(hand) == total(dealer) else -stake


def lucky(cards, shoe, up_suit):
    """Lucky Lucky of two cards and the up-card: suits are looked at for 21 only, that of the up-card once."""
    points = three_card_total(cards)
    if points != 21:
        return {19: "19", 20: "20"}.get(points, "other")
    first, second = shoe.suit(cards[0]), shoe.suit(cards[1])
    suited = False
    if first == second:
        if "suit" not in up_suit:
            up_suit["suit"] = shoe.suit(cards[2])
        suited = up_suit["suit"] == first
    name = {(7, 7, 7): "777", (6, 7, 8): "678"}.get(tuple(sorted(cards)), "21")
    return f"suited-{name}" if suited else name


def blackjack_round(shoe, players, usual, charts, insures, counter):
    """A round: the first player counts. His blackjack with insurance, in units, and his Lucky Lucky."""
    shoe.begin()
    seen = counter.see
    hands = [[shoe.take()] for _ in range(players)]
    up = shoe.take()
    for hand in hands:
        hand.append(shoe.take())
    for card in [card for hand in hands for card in hand] + [up]:
        seen(card)
    up_suit, luckies = {}, []
    for hand in hands:
        luckies.append(lucky([*hand, up], shoe, up_suit))
    insured = up == 1 and floor(counter.count(len(shoe.cards))) >= insures
    hole = shoe.take()
    dealer = [up, hole]
    naturals = [total(hand) == 21 for hand in hands]
    if total(dealer) == 21:
        seen(hole)
        net = Fraction(0 if naturals[0] else -1)
        return net + (1 if insured else 0), luckies[0]
    played = []
    for seat, hand in enumerate(hands):
        if naturals[seat]:
            played.append([])
            continue
        chart = usual
        if seat == 0:
            count = floor(counter.count(len(shoe.cards) + 1))  # the hole card is not seen
            chart = [each for least, each in charts if count >= least][-1]
        played.append(play_seat(hand, up, chart, shoe, seen))
    seen(hole)
    if any(total(hand) <= 21 for of_seat in played for hand, _ in of_seat):
        while total(dealer) < 17 or (total(dealer) == 17 and is_soft(dealer)):
            dealer.append(shoe.take())
            seen(dealer[-1])
    net = Fraction(3, 2) if naturals[0] else Fraction(sum(result(hand, stake, dealer) for hand, stake in played[0]))
    return net - (Fraction(1, 2) if insured else 0), luckies[0]


def rounds_of_shoe(seed, number, decks, tags, customs, divide, usual, charts, insures, start=None):
    """Every round: unseen cards, running count, the count by which he bets, what he won, Lucky Lucky, unseen by value."""
    copies = {value: 4 * decks * (4 if value == 10 else 1) for value in range(1, 11)}
    fresh = [value for value, many in copies.items() for _ in range(many)]
    ranks = {value: range(value, value + 1) if value < 10 else range(10, 14) for value in copies}
    unlooked = {value: {(rank, suit): decks for rank in ranks[value] for suit in range(4)} for value in copies}
    shoe = SuitedShoe(seed, number, list(fresh), unlooked=unlooked)
    counter = Counter(tags, list(fresh), 0, divide, start)
    if customs.burn:
        shoe.begin()
    for _ in range(customs.burn):
        card = shoe.take()
        if customs.burn_shown:
            counter.see(card)
    rounds = []
    while len(shoe.cards) > customs.cut:
        unseen, by_value = len(counter.unseen), [counter.unseen.count(value) for value in range(1, 11)]
        running, count = counter.running + (start or 0), counter.count(len(shoe.cards))
        net, luck = blackjack_round(shoe, customs.players, usual, charts, insures, counter)
        rounds.append((number, unseen, running, count, net, luck, by_value))
    return rounds
