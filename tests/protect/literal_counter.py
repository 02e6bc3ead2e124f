"""A counter as one would explain him: cards in a list, one after the other, in plain Python. It shares no code with ours.

Only how random numbers come about is the same by definition: Philox 4x32-10, keyed by seed and shoe.
"""

from dataclasses import dataclass, field
from fractions import Fraction

MASK = 0xFFFFFFFF


def philox(counter, shoe, seed):
    """Two numbers of 64 bits."""
    x = [counter & MASK, counter >> 32, shoe & MASK, shoe >> 32]
    k0, k1 = seed & MASK, seed >> 32
    for _ in range(10):
        a, b = x[0] * 0xD2511F53, x[2] * 0xCD9E8D57
        x = [(b >> 32) ^ x[1] ^ k0, b & MASK, (a >> 32) ^ x[3] ^ k1, a & MASK]
        k0, k1 = (k0 + 0x9E3779B9) & MASK, (k1 + 0xBB67AE85) & MASK
    return x[1] << 32 | x[0], x[3] << 32 | x[2]


@dataclass
class Shoe:
    """The points of the cards left, in order, and the numbers by which one of them is taken."""

    seed: int
    number: int
    cards: list[int]
    numbers: list[int] = field(default_factory=list)
    blocks: int = 0

    def begin(self):
        words = philox(self.blocks, self.number, self.seed)
        self.numbers = [word >> 21 * place & (1 << 21) - 1 for word in words for place in range(3)]
        self.blocks += 1

    def skip(self):
        self.numbers.pop(0)

    def below(self, many):
        if not self.numbers:
            self.begin()
        ready = len(self.numbers)
        bits = self.numbers.pop(0) << 43  # the first 21 of 64 bits; the others only where they can matter
        if bits * many >> 64 != (bits + (1 << 43) - 1) * many >> 64:
            more, _ = philox((1 << 40) + self.blocks * 6 + ready, self.number, self.seed)
            bits += more >> 21
        return bits * many >> 64

    def take(self):
        return self.cards.pop(self.below(len(self.cards)))


def baccarat(shoe):
    """A round: the cards that came, and what it ended in."""
    shoe.begin()
    first = [shoe.take() for _ in range(4)]
    player, banker = (first[0] + first[2]) % 10, (first[1] + first[3]) % 10
    thirds, player_third, banker_third = [], None, None
    if max(player, banker) < 8:
        if player < 6:
            player_third = shoe.take()
            thirds.append(player_third)
            draws = {0: range(10), 1: range(10), 2: range(10), 3: set(range(10)) - {8}}
            draws |= {4: range(2, 8), 5: range(4, 8), 6: (6, 7), 7: ()}
            banker_draws = player_third in draws[banker]
        else:
            shoe.skip()
            banker_draws = banker < 6
        if banker_draws:
            banker_third = shoe.take()
            thirds.append(banker_third)
    player = (player + (player_third or 0)) % 10
    banker = (banker + (banker_third or 0)) % 10
    if player == banker:
        result = "tie"
    elif player > banker:
        result = "panda-8" if player == 8 and player_third is not None else "player-win"
    else:
        result = "dragon-7" if banker == 7 and banker_third is not None else "banker-win"
    return [*first, *thirds], result


@dataclass
class Counter:
    """Somebody who watches: he sums up the tags of what he sees, and knows how many cards he has not seen."""

    tags: dict[int, int]
    trigger: Fraction
    unseen: list[int]
    running: int = 0
    start: int | None = None

    def see(self, card):
        self.running += self.tags[card]
        self.unseen.remove(card)

    def bets(self, left, divisor):
        if self.start is not None:
            return self.running + self.start >= self.trigger
        cards = left if divisor == "left" else len(self.unseen)
        decks = {
            "cards": Fraction(cards, 52),
            "left": Fraction(cards, 52),
            "decks": Fraction(max(1, int(Fraction(cards, 52) + Fraction(1, 2)))),
            "half-decks": Fraction(max(1, int(Fraction(cards, 26) + Fraction(1, 2))), 2),
            "decks-up": Fraction(max(1, -(-cards // 52))),
            "decks-down": Fraction(max(1, cards // 52)),
        }[divisor]
        return self.running / decks >= self.trigger


def rounds_of_shoe(seed, number, fresh, tags, trigger, customs, start=None):
    """Every round: unseen cards, running count, whether he bets, the result, the cards left, the unseen ones by points."""
    shoe = Shoe(seed, number, sorted(fresh))
    counter = Counter(tags, trigger, sorted(fresh), start=start)
    if customs.burn:
        shoe.begin()
    card = 0
    for _ in range(customs.burn):
        card = shoe.take()
        if customs.burn_shown:
            counter.see(card)
    if customs.burn_by_value:
        for _ in range(card or 10):
            shoe.take()
    rounds, over = [], 0
    while True:
        if len(shoe.cards) <= customs.cut:
            if over == customs.extra:
                return rounds
            over += 1
        left, unseen = len(shoe.cards), [counter.unseen.count(points) for points in range(10)]
        running, bets = counter.running + (start or 0), counter.bets(left, customs.divisor)
        cards, result = baccarat(shoe)
        rounds.append((number, len(counter.unseen), running, bets, result, left, unseen))
        for card in cards:
            counter.see(card)
