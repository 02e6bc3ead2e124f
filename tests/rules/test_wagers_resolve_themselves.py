"""A side bet is a wager that resolves itself: added to a game, it is bet, told and paid, and no other wager's code knows."""

from dataclasses import replace

import pytest

from houseway.cards import parse_cards
from houseway.games import open_edition
from houseway.refusal import Refused
from houseway.rulebook.edition import WagerTerms
from houseway.rulebook.game import MissingChoice, Outcome, Play, Request, Result, Step, Wager
from houseway.rulebook.pay import Pay
from houseway.rulebook.settle import settle
from houseway.rulebook.words import sentence

ROUNDS = {  # an edition, a main bet, cards and choices of a round
    "ez-baccarat-wa": ("banker", "2s 9h Kd Jc", ()),
    "ez-pai-gow-wa": ("base", "Ac Ad Kc Kd 9h 5s 2c As Ah Ks Kh 9s 5h 2h", ("house-way",)),
    "lucky-lucky-wa": ("blackjack", "10s 6h 9d 10c 5s", ("stand",)),
    "duki-4-wa": ("ante", "Qd Qh 9c 9s 2d 3h 4s Jc", ("play",)),
}


def resolve(request):
    """Black or red, by the first card alone."""
    red = request.cards[0] & 3 in (1, 2)
    step = Step("first-card", "X-1", {"cards": request.cards[:1], "colour": "red" if red else "black"})
    return Play((step,), (Result("first-card", "red" if red else "black", "X-1"),))


SIDE_BET = Wager("first-card", "First card", "X-1", (Outcome("red", "Red"), Outcome("black", "Black")), resolve=resolve)


def with_side_bet(name):
    edition = open_edition(name)
    pays = {"standard": {"red": Pay.parse("1 to 1"), "black": Pay.parse("lose")}}
    rows = {"standard": {"red": "red", "black": "black"}}
    terms = WagerTerms(pays=pays, rows=rows, envy_cents={}, envy_min_bet_cents=0, limits=edition.limits)
    game = replace(edition.game, wagers={**edition.game.wagers, "first-card": SIDE_BET})
    return replace(edition, game=game, wagers={**edition.wagers, "first-card": terms})


@pytest.mark.parametrize("name", ROUNDS)
def test_a_side_bet_is_resolved_beside_everything_else(name):
    main, cards, choices = ROUNDS[name]
    edition = with_side_bet(name)
    alone = settle(edition, parse_cards(cards), {main: 1_000}, choices)
    both = settle(edition, parse_cards(cards), {main: 1_000, "first-card": 500}, choices)
    own = [payment for payment in both.payments if payment.wager == "first-card"]
    assert [(payment.outcome, payment.win_cents) for payment in own] == [
        ("red", 500) if parse_cards(cards)[0] & 3 in (1, 2) else ("black", -500)
    ]
    assert tuple(payment for payment in both.payments if payment.wager != "first-card") == alone.payments
    assert [step for step in both.steps if step.kind != "first-card"] == list(alone.steps)
    assert sum(step.kind == "first-card" for step in both.steps) == 1


@pytest.mark.parametrize("name", ROUNDS)
def test_it_has_a_sentence_though_the_game_has_no_words_for_it(name):
    edition = with_side_bet(name)
    main, cards, choices = ROUNDS[name]
    both = settle(edition, parse_cards(cards), {main: 1_000, "first-card": 500}, choices)
    (step,) = (step for step in both.steps if step.kind == "first-card")
    assert sentence(edition.game.face.steps, step).startswith("First card: cards ")


@pytest.mark.parametrize("name", ROUNDS)
def test_an_edition_that_does_not_offer_it_refuses_it(name):
    edition = with_side_bet(name)
    main, cards, choices = ROUNDS[name]
    without = replace(edition, wagers={id_: terms for id_, terms in edition.wagers.items() if id_ != "first-card"})
    with pytest.raises(Refused, match="first-card"):
        settle(without, parse_cards(cards), {main: 1_000, "first-card": 500}, choices)


def test_bj_6_insurance_is_offered_only_where_the_edition_has_it():
    edition = open_edition("lucky-lucky-wa")
    settings = edition.settings()
    without = {id_: wager for id_, wager in edition.offered.items() if id_ != "insurance"}
    for offered, allowed in ((edition.offered, ("look", "insurance")), (without, ("hit", "stand", "double"))):
        request = Request(
            parse_cards("10s Ah 9d 8c"),
            (),
            {"blackjack": 1_000},
            settings,
            edition.game.encode(settings),
            asks=True,
            offered=offered,
        )
        with pytest.raises(MissingChoice) as asked:
            edition.game.play(request)
        assert asked.value.allowed == allowed
