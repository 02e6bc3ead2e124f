"""Shoes and dice: fair, bound before the first bet, closed while they are dealt, and checkable by anybody."""

import json
import random
import re
import stat
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache, partial
from hashlib import sha256
from itertools import permutations, product
from math import comb, erfc, exp, factorial, lgamma, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.cards import JOKER, fresh_shoe, parse_cards, show_card
from houseway.house.keys import load_or_make_key
from houseway.house.shoe import (
    Commitment,
    Revealed,
    check,
    commit,
    seal,
    shuffled,
    throw,
    unseal,
    verify_file,
)
from houseway.refusal import Refused

DECK = tuple(range(52))
SALT = "0123456789abcdef" * 4
KEY = bytes(range(32))
SHUFFLES = 10_000
thoroughly = settings(max_examples=200, deadline=None)
ORDERS = st.lists(st.integers(0, JOKER), max_size=60).map(tuple)


def refusal(act, *args, **kwargs):
    with pytest.raises(Refused) as caught:
        act(*args, **kwargs)
    assert "\n" not in caught.value.message
    return caught.value


# Fair, exactly: every sequence of random numbers leads to another order, and they are as many as the orders


def replayed(numbers):
    rest = iter(numbers)

    def random_below(bound):
        number = next(rest)
        assert number < bound
        return number

    return random_below


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5, 6])
def test_each_order_comes_from_exactly_one_sequence_of_random_numbers(size):
    sequences = product(*(range(bound) for bound in range(size, 1, -1)))
    reached = Counter(shuffled(range(size), replayed(numbers)) for numbers in sequences)
    assert reached == Counter(permutations(range(size)))


def test_a_shuffle_keeps_every_card_of_the_shoe():
    cards = (*range(JOKER), *range(JOKER)) * 3 + (JOKER, JOKER)
    assert Counter(shuffled(cards)) == Counter(dict(enumerate(fresh_shoe(6, 2))))


@pytest.mark.parametrize("sides", [1, 6, 7])
def test_each_side_of_a_die_comes_from_exactly_one_random_number(sides):
    assert [throw(sides, replayed([number])) for number in range(sides)] == list(range(1, sides + 1))
    assert {throw(sides) for _ in range(500)} <= set(range(1, sides + 1))


def test_a_die_without_sides_is_refused():
    assert refusal(throw, 0).code == "bad-die"


# Fair, by statistics. Each statistic is scaled by the exact covariance of a uniform shuffle; "order" is position -> card.


def chi_square_tail(statistic, freedom):
    """The probability of more than this: the regularised incomplete gamma function, a finite sum at halves and wholes."""
    x = max(statistic / 2, 1e-300)
    odd = freedom % 2
    terms = (exp(s * log(x) - x - lgamma(s + 1)) for s in np.arange(odd / 2, freedom / 2))
    return (erfc(sqrt(x)) if odd else 0) + sum(terms)


def position_by_card(orders):
    """A uniform shuffle's permutation matrix varies alike, 1/(n-1), in all (n-1)^2 directions that its margins leave."""
    many, size = orders.shape
    cells = np.arange(size) * size + orders
    counts = np.bincount(cells.ravel(), minlength=size * size)
    return float(((counts - many / size) ** 2).sum() * (size - 1) / many), (size - 1) ** 2


def adjacent_pairs(orders):
    """With a cut card between the last card and the first, successors form one cycle of all n+1, uniform among cycles.

    Its symmetric part varies by 1/n in (n+1)(n-2)/2 directions, its skew part by (n+1)/(n(n-1)) in n(n-1)/2.
    """
    many, size = orders.shape
    cut = np.full((many, 1), size)
    cells = np.hstack([cut, orders]) * (size + 1) + np.hstack([orders, cut])
    counts = np.bincount(cells.ravel(), minlength=(size + 1) ** 2).reshape(size + 1, size + 1)
    excess = counts - many / size * (1 - np.eye(size + 1))
    even, odd = (excess + excess.T) / 2, (excess - excess.T) / 2
    statistic = (even**2).sum() * size / many + (odd**2).sum() * size * (size - 1) / (size + 1) / many
    return float(statistic), (size + 1) * (size - 2) // 2 + size * (size - 1) // 2


def against(values, probabilities, expected_min=20):
    """Chi-square of small whole numbers against their distribution; rare ones are pooled at both ends."""
    many = len(values)
    observed = np.bincount(values, minlength=len(probabilities))
    assert len(observed) == len(probabilities)
    cells, pending = [], np.zeros(2)
    for seen, probability in zip(observed, probabilities, strict=True):
        pending += seen, many * probability
        if pending[1] >= expected_min:
            cells.append(pending)
            pending = np.zeros(2)
    cells[-1] = cells[-1] + pending
    return float(sum((seen - expected) ** 2 / expected for seen, expected in cells)), len(cells) - 1


@cache
def eulerian(size):
    """How many orders of n cards fall into 0, 1, 2 ... ascending runs, as probabilities."""
    row = [0, 1]
    for n in range(2, size + 1):
        row = [0] + [k * (row[k] if k < n else 0) + (n - k + 1) * row[k - 1] for k in range(1, n + 1)]
    assert sum(row) == factorial(size)
    return [count / factorial(size) for count in row]


def ascending_runs(orders):
    return against(1 + (np.diff(orders, axis=1) < 0).sum(axis=1), eulerian(orders.shape[1]))


def rising_sequences(orders):
    """Cards k, k+1, ... met in that order from front to back: the ascending runs of the inverse."""
    return ascending_runs(np.argsort(orders, axis=1))


def colour_runs(orders):
    """Runs of red or black (Wald and Wolfowitz)."""
    half = orders.shape[1] // 2
    ways = [2 * comb(half - 1, (runs + 1) // 2 - 1) * comb(half - 1, runs // 2 - 1) for runs in range(2, 2 * half + 1)]
    probabilities = [0, 0, *(way / comb(2 * half, half) for way in ways)]
    return against(1 + (np.diff((orders + 1) // 2 % 2, axis=1) != 0).sum(axis=1), probabilities)


STATISTICS = (position_by_card, adjacent_pairs, rising_sequences, ascending_runs, colour_runs)


SEEDED = partial(shuffled, DECK, random.Random(20111017).randrange)
LIVE = partial(shuffled, DECK)


@cache
def drawn(shuffle):
    return np.array([shuffle() for _ in range(SHUFFLES)])


def two_sided(statistic, orders):
    """Too good a fit is as suspicious as too bad a one."""
    tail = chi_square_tail(*statistic(orders))
    return 2 * min(tail, 1 - tail)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_seeded_shuffles_pass_at_99_percent(statistic):
    assert two_sided(statistic, drawn(SEEDED)) > 0.01


@pytest.mark.parametrize("statistic", STATISTICS)
def test_live_shuffles_pass_where_a_good_source_never_fails(statistic):
    assert two_sided(statistic, drawn(LIVE)) > 1e-6 / len(STATISTICS)  # all of them together: less than 1e-6


TABLE = [(3.841459, 1, 0.05), (6.634897, 1, 0.01), (11.070498, 5, 0.05), (0.554298, 5, 0.99), (2 * log(1e6), 2, 1e-6)]
TABLE += [(31.999927, 16, 0.01), (135.806723, 100, 0.01), (77.929465, 100, 0.95), (1106.969, 1000, 0.01)]


@pytest.mark.parametrize(("statistic", "freedom", "tail"), TABLE)
def test_the_chi_square_tail_agrees_with_tables(statistic, freedom, tail):
    assert chi_square_tail(statistic, freedom) == pytest.approx(tail, rel=1e-4)


@pytest.mark.parametrize("statistic", [position_by_card, adjacent_pairs])
def test_the_statistics_average_to_their_degrees_of_freedom_over_all_orders(statistic):
    every = np.array(list(permutations(range(5))))
    pairs = np.array(list(product(range(0, 120, 7), range(120))))
    assert np.mean([statistic(order[None])[0] for order in every]) == pytest.approx(statistic(every)[1])
    assert np.mean([statistic(every[list(pair)])[0] for pair in pairs]) == pytest.approx(statistic(every)[1])
    assert statistic(every)[0] == pytest.approx(0)


@pytest.mark.parametrize("distribution", [rising_sequences, ascending_runs, colour_runs])
def test_the_distributions_are_exact_for_six_cards(distribution):
    every = np.array(list(permutations(range(6))))
    statistic, freedom = distribution(every)
    assert statistic == pytest.approx(0) and freedom >= 3


def any_with_any(random_below):
    """The classic mistake: every card changes places with any other."""
    order = list(DECK)
    for place in range(52):
        other = random_below(52)
        order[place], order[other] = order[other], order[place]
    return order


def riffled(times, bits):
    order = DECK
    for _ in range(times):
        sides = [bits(2) for _ in order]
        top, bottom = iter(order[: sides.count(0)]), iter(order[sides.count(0) :])
        order = tuple(next(bottom if side else top) for side in sides)
    return order


def neighbours_kept(random_below):
    """Pairs of cards that stick together, in a deck that is fair at every position."""
    return [card for pair in shuffled(range(26), random_below) for card in (2 * pair, 2 * pair + 1)]


BAD = {
    "any card with any": (any_with_any, position_by_card),
    "the last card never stays": (lambda below: shuffled(DECK, lambda n: below(n - 1)), position_by_card),
    "one byte modulo the bound": (lambda below: shuffled(DECK, lambda n: below(256) % n), position_by_card),
    "five riffles": (lambda below: riffled(5, below), rising_sequences),
    "pairs stick together": (neighbours_kept, adjacent_pairs),
    "pairs stick together, seen in runs": (neighbours_kept, ascending_runs),
    "pairs stick together, seen in colours": (neighbours_kept, colour_runs),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_shuffles_do_not_pass(name):
    shuffle, statistic = BAD[name]
    random_below = random.Random(1).randrange
    assert two_sided(statistic, drawn(partial(shuffle, random_below))) < 1e-6


# Commitments


def test_a_commitment_is_the_digest_that_the_module_documents():
    cards, _ = commit(parse_cards("As Kd 10h Jk"), salt=SALT)
    dice, _ = commit((3, 1, 6), kind="dice", salt=SALT)
    assert cards.digest == sha256(f"houseway-shoe-1|{SALT}|As Kd 10h Jk".encode()).hexdigest()
    assert dice.digest == sha256(f"houseway-dice-1|{SALT}|3 1 6".encode()).hexdigest()


def test_equal_orders_have_different_commitments_and_print_nothing():
    (one, first), (two, _) = commit(DECK), commit(DECK)
    assert one != two
    assert "order" not in repr(first) and first.salt not in repr(first)


@thoroughly
@given(order=ORDERS, data=st.data())
def test_a_commitment_opens_to_its_order_and_to_nothing_else(order, data):
    commitment, revealed = commit(order)
    assert check(commitment, revealed)
    other = data.draw(ORDERS)
    assert check(commitment, replace(revealed, order=other)) == (other == order)
    for place in range(len(order)):
        card = data.draw(st.integers(-60, 110).filter(lambda card, old=order[place]: card != old))
        assert not check(commitment, replace(revealed, order=(*order[:place], card, *order[place + 1 :])))
    assert not check(commitment, replace(revealed, kind="dice"))


@thoroughly
@given(order=ORDERS, place=st.integers(0, 63), letter=st.characters())
def test_a_changed_letter_of_salt_or_commitment_does_not_open(order, place, letter):
    commitment, revealed = commit(order, salt=SALT)
    for new in (letter, ""):
        salt = SALT[:place] + new + SALT[place + 1 :]
        digest = commitment.digest[:place] + new + commitment.digest[place + 1 :]
        assert check(commitment, replace(revealed, salt=salt)) == (salt == SALT)
        assert check(Commitment(digest), revealed) == (digest == commitment.digest)


# Sealing


REVEALED = st.builds(Revealed, ORDERS, st.just(SALT), st.integers(0, 60), st.text(), st.sampled_from(["shoe", "dice"]))


@thoroughly
@given(revealed=REVEALED, key=st.binary(min_size=32, max_size=32))
def test_a_sealed_shoe_comes_back_whole(revealed, key):
    assert unseal(key, seal(key, revealed)) == revealed
    assert seal(key, revealed) != seal(key, revealed)


@thoroughly
@given(data=st.data(), flip=st.integers(1, 255))
def test_a_flipped_byte_or_another_key_breaks_the_seal(data, flip):
    _, revealed = commit(data.draw(ORDERS))
    sealed = seal(KEY, revealed)
    place = data.draw(st.integers(0, len(sealed) - 1))
    changed = sealed[:place] + bytes([sealed[place] ^ flip]) + sealed[place + 1 :]
    for broken in (changed, sealed[:place], sealed + b"\0"):
        assert refusal(unseal, KEY, broken).code == "seal-broken"
    assert refusal(unseal, bytes([KEY[0] ^ flip]) + KEY[1:], sealed).code == "seal-broken"


def test_a_sealed_shoe_shows_no_card_and_takes_no_short_key():
    _, revealed = commit(DECK, note="table 4")
    sealed = seal(KEY, revealed)
    assert all(text.encode() not in sealed for text in (revealed.salt, "table 4", "order", "0, 1, 2"))
    assert refusal(seal, KEY[:31], revealed).code == refusal(unseal, KEY[:31], sealed).code == "bad-key"


def test_the_key_is_made_once_for_its_owner_only(tmp_path):
    path = tmp_path / "shoe.key"
    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(lambda _: load_or_make_key(path), range(64)))
    assert len(keys) == 1 and len(keys.pop()) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("mode", [0o604, 0o640, 0o644, 0o602])
def test_a_key_open_to_others_is_refused(tmp_path, mode):
    path = tmp_path / "shoe.key"
    load_or_make_key(path)
    path.chmod(mode)
    assert refusal(load_or_make_key, path).code == "key-exposed"


@pytest.mark.parametrize("content", [b"", b"\xff" * 32, b"ab" * 31, b"ab" * 33, b"AB" * 32])
def test_a_file_that_is_no_key_is_refused_and_kept(tmp_path, content):
    path = tmp_path / "shoe.key"
    path.touch(0o600)
    path.write_bytes(content)
    assert refusal(load_or_make_key, path).code == "bad-key"
    assert path.read_bytes() == content


def test_a_key_that_cannot_be_a_file_is_refused(tmp_path):
    assert refusal(load_or_make_key, tmp_path).code == "key-unreadable"
    assert refusal(load_or_make_key, tmp_path / "nowhere" / "shoe.key").code == "key-unreadable"


# Verifying an export


def export(order, draws, shoe="shoe-1", **committed):
    """The lines of one shoe: its first card burned, then so many cards at a time, then the rest revealed."""
    commitment, revealed = commit(order, salt=SALT)
    names = [show_card(card) for card in order]
    lines = [{"kind": "shoe-committed", "shoe": shoe, "commitment": commitment.digest, **committed}]
    lines += [{"kind": "cards-drawn", "shoe": shoe, "cards": names[:1], "burned": True}]
    start = 1
    for many in draws:
        lines += [{"kind": "cards-drawn", "shoe": shoe, "cards": names[start : start + many]}, {"kind": "round-settled"}]
        start += many
    return [*lines, {"kind": "shoe-revealed", "shoe": shoe, "salt": revealed.salt, "order": names}]


def written(lines):
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)


def verify(folder, lines, **options):
    path = folder / "journal.jsonl"
    path.write_text(written(lines))
    return verify_file(path, **options)


SHOE = shuffled(DECK, random.Random(7).randrange)


def test_an_honest_export_has_no_findings(tmp_path):
    one, two = export(SHOE, [6, 5, 4], shoe=1, decks=1), export(SHOE[::-1], [4, 60], shoe="b")
    assert verify(tmp_path, [*one, *two], require_revealed=True) == []
    assert verify(tmp_path, [line for pair in zip(one, two, strict=False) for line in pair] + one[len(two) :]) == []


def test_a_shoe_still_in_play_is_a_finding_only_when_asked(tmp_path):
    lines = export(SHOE, [6])[:-1]
    assert verify(tmp_path, lines) == []
    assert verify(tmp_path, lines, require_revealed=True) == ['shoe "shoe-1" is not revealed yet']
    assert verify(tmp_path, [], require_revealed=True) == ["the file commits to no shoe and no dice"]


def test_dice_are_verified_in_the_same_way(tmp_path):
    numbers = [throw(6) for _ in range(3)]
    commitment, revealed = commit(numbers, kind="dice")
    committed = {"kind": "dice-committed", "dice": 9, "commitment": commitment.digest}
    thrown = {"kind": "dice-thrown", "dice": 9, "numbers": numbers}
    opened = {"kind": "dice-revealed", "dice": 9, "salt": revealed.salt, "order": numbers}
    assert verify(tmp_path, [committed, thrown, opened], require_revealed=True) == []
    wrong = thrown | {"numbers": [numbers[0] % 6 + 1, *numbers[1:]]}
    assert "gave" in verify(tmp_path, [committed, wrong, opened])[0]


CROOKED = {
    "other order": (lambda c, b, d, r: [c, b, d, r | {"order": r["order"][::-1]}], "committed to another order"),
    "other salt": (lambda c, b, d, r: [c, b, d, r | {"salt": SALT[::-1]}], "committed to another order or salt"),
    "card swapped": (lambda c, b, d, r: [c, b, d | {"cards": d["cards"][::-1]}, r], "as number 2 on line 3"),
    "burned card unsaid": (lambda c, b, d, r: [c, d, r], "as number 1 on line 2"),
    "drawn twice": (lambda c, b, d, r: [c, b, d, d, r], "as number 8 on line 4"),
    "more than all": (lambda c, b, d, r: [c, b, d | {"cards": [*r["order"][1:], "As"]}, r], "more than its 52: As on line 3"),
    "never committed": (lambda c, b, d, r: [b, d, r], "without a commitment"),
    "committed late": (lambda c, b, d, r: [b, c, d, r], "only after it was used"),
    "committed twice": (lambda c, b, d, r: [c, c, b, d, r], "a second time"),
    "revealed twice": (lambda c, b, d, r: [c, b, d, r, r], "a second time"),
    "drawn after": (lambda c, b, d, r: [c, b, r, d], "after it was revealed"),
    "short of decks": (lambda c, b, d, r: [c | {"decks": 2}, b, d, r], "does not hold the decks"),
    "short of jokers": (lambda c, b, d, r: [c | {"decks": 1, "jokers": 1}, b, d, r], "does not hold the decks"),
}


@pytest.mark.parametrize("name", CROOKED)
def test_a_crooked_export_is_found_out(tmp_path, name):
    change, finding = CROOKED[name]
    committed, burned, dealt, _, revealed = export(SHOE, [6])
    found = verify(tmp_path, change(committed, burned, dealt, revealed))
    assert any(finding in one for one in found)
    assert all(one.startswith("line ") for one in found)


@thoroughly
@given(data=st.data(), flip=st.integers(1, 255))
def test_no_byte_of_cards_salt_or_commitment_changes_unseen(tmp_path_factory, data, flip):
    content = written(export(SHOE, [6, 4])).encode()
    values = [match.span(1) for match in re.finditer(rb'"(?:commitment|cards|salt|order)":("\w+"|\[.*?\])', content)]
    assert len(values) == 6
    start, end = data.draw(st.sampled_from(values))
    place = data.draw(st.integers(start, end - 1))
    path = tmp_path_factory.getbasetemp() / "flipped.jsonl"
    path.write_bytes(content[:place] + bytes([content[place] ^ flip]) + content[place + 1 :])
    try:
        assert verify_file(path)
    except Refused as refused:
        assert refused.code == "bad-export" and "\n" not in refused.message


MALFORMED = """{  []  7  {}  {"kind":7}  {"kind":"a","kind":"b"}  {"kind":"a"} {"kind":"b"}
{"kind":"shoe-committed","commitment":""}  {"kind":"shoe-committed","shoe":true,"commitment":""}
{"kind":"shoe-committed","shoe":1}  {"kind":"shoe-committed","shoe":1,"commitment":"","decks":-1}
{"kind":"cards-drawn","shoe":1}  {"kind":"cards-drawn","shoe":1,"cards":"As"}  {"kind":"cards-drawn","shoe":1,"cards":["as"]}
{"kind":"cards-drawn","shoe":1,"cards":["Th"]}  {"kind":"cards-drawn","shoe":1,"cards":["7x"]}
{"kind":"cards-drawn","shoe":1,"cards":[51]}  {"kind":"cards-drawn","shoe":1,"cards":[[]]}
{"kind":"cards-drawn","shoe":1,"cards":[],"burned":1}  {"kind":"dice-thrown","dice":1,"numbers":[0]}
{"kind":"shoe-revealed","shoe":1,"order":[],"salt":null}"""
UNREADABLE = [*re.split(rb"  |\n", MALFORMED.encode()), b"\xff", b"[" * 100_000, b"9" * 5_000]


@pytest.mark.parametrize("content", UNREADABLE, ids=range(len(UNREADABLE)))
def test_a_malformed_export_is_refused_with_its_line(tmp_path, content):
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b'{"kind":"table-opened"}\n\n' + content + b"\n")
    refused = refusal(verify_file, path)
    assert refused.code == "bad-export" and refused.message.startswith("line 3 ")


def test_an_export_that_cannot_be_read_is_refused(tmp_path):
    assert refusal(verify_file, tmp_path).code == "bad-export"
    assert refusal(verify_file, tmp_path / "nowhere.jsonl").code == "bad-export"
