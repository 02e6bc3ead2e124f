"""Faults are faults by the rules: what the floor does is given to the table, and all else is refused or changes nothing."""

from collections import Counter
from itertools import pairwise

import pytest
from school_lessons import BUILT_IN, EVERY, EXAMPLES, OUTSIDE, lesson

from houseway.cards import show_cards
from houseway.report.example_round import NAME
from houseway.table.state import Round, changed
from houseway.train.floor import ExerciseFloor, corrected, is_possible, voided, with_table
from houseway.train.kinds import KINDS
from houseway.train.kinds.wrong import CARD_MISSING, CARD_TOO_MANY, NOTHING, ORDER, SET_WRONG, STAKES_SHOWN
from houseway.train.learning import exercise
from houseway.train.tables import table_round

REASON = "by way of example"


@pytest.fixture(autouse=True)
def outside(monkeypatch):
    monkeypatch.setenv("HOUSEWAY_GAMES", str(EXAMPLES))


@pytest.mark.parametrize("name", EVERY)
def test_a_round_that_is_paid_wrongly_is_corrected_and_one_that_is_paid_rightly_is_not(tmp_path, name):
    opened = lesson(name, tmp_path)
    for number in range(12):
        played = table_round(opened, number)
        assert corrected(played, played.stakes) is None, "nothing would change"
        for place, stake in enumerate(played.stakes):
            wrong = changed(stake, won_cents=stake.won_cents + 100)
            paid = (*played.stakes[:place], wrong, *played.stakes[place + 1 :])
            assert corrected(played, paid) == played.stakes


@pytest.mark.parametrize("name", [*BUILT_IN, *OUTSIDE])
def test_nothing_but_a_correction_touches_a_settled_round(tmp_path, name):
    played = table_round(lesson(name, tmp_path), 3)
    number, drawn = played.table.round.number, show_cards(played.table.round.drawn)
    floor = ExerciseFloor(with_table(played.house, changed(played.before, round=Round(number + 1))))
    card = show_cards(played.table.round.drawn[:1])
    for kind, fields in {
        "void": {"round": number, "reason": "misdeal"},
        "dispute": {"round": number, "reason": REASON},
        "resolve": {"reason": REASON},
        "undo": {"seat": min(played.table.round.spots), "reason": REASON},
        "correct-card": {"place": 1, "card": card, "reason": REASON},
        "swap-cards": {"place": 1, "other_place": 2, "reason": REASON},
        "replace-card": {"place": 1, "card": card, "reason": REASON},
        "rekey": {"cards": drawn, "reason": REASON},
    }.items():
        assert floor.give(kind, fields) is None, kind


@pytest.mark.parametrize("name", [*BUILT_IN, *OUTSIDE])
def test_a_round_in_play_can_be_voided_and_not_corrected(tmp_path, name):
    played = table_round(lesson(name, tmp_path), 4)
    assert voided(played, played.table, "wrong-number-of-cards")
    floor = ExerciseFloor(with_table(played.house, played.table))
    assert floor.give("correct", {"round": played.table.round.number, "reason": REASON}) is None
    assert floor.give("void", {"reason": "no reason of the list"}) is None


@pytest.mark.parametrize("name", EVERY)
def test_cards_too_many_and_too_few_are_not_what_the_rules_take(tmp_path, name):
    opened = lesson(name, tmp_path)
    for number in range(8):
        played = table_round(opened, number)
        drawn = played.table.round.drawn
        left = next(card for card in range(52) if card not in drawn)
        assert is_possible(played, drawn)
        assert not is_possible(played, (*drawn, left))
        assert not is_possible(played, drawn[:-1])


def of(opened, topic, many=12):
    return [exercise(opened, "wrong", number, topic) for number in range(many)]


@pytest.mark.parametrize("name", EVERY)
def test_every_fault_has_what_the_floor_does_about_it(tmp_path, name):
    opened = lesson(name, tmp_path)
    does = {
        ORDER: "nothing",
        NOTHING: "nothing",
        CARD_TOO_MANY: "void",
        CARD_MISSING: "deal-the-card",
        SET_WRONG: "set-it-again",
    }
    for topic in KINDS["wrong"].topics(opened):
        for made in of(opened, topic.id, 4):
            wanted = "void" if topic.id.startswith("void:") else does.get(topic.id, "correct")
            assert made.right["floor"] == wanted
            assert made.on_purpose, "with nothing wrong as well: else that would tell"


def payments(made):
    """The payments that are shown, without what is said of the table."""
    return [(name, ends) for name, ends in made.scene.facts if name[0].isdecimal()]


def test_a_wrong_payment_is_the_only_one_that_is_not_as_the_pay_table_says(tmp_path):
    """Even money and pushes of baccarat, by the results that the documents name."""
    from test_exercises_by_the_book import hands, net, result

    opened = lesson("ez-baccarat-wa", tmp_path)
    pays = opened.edition.document["wagers"]
    ids = {opened.wager_name(wager): wager for wager in opened.edition.wagers}
    for topic in ("paid-too-much", "paid-too-little", "not-paid", "push-taken", "not-taken", ORDER):
        for made in of(opened, topic):
            came, wrong = result(*hands(made)), []
            for name, ends in payments(made):
                place, _, rest = name.partition(". ")
                wager, stake = rest.partition(": ")[2].rsplit(", ", 1)
                table, cents = pays[ids[wager]]["pays"], round(float(stake.removeprefix("$").replace(",", "")) * 100)
                due = cents * net(table.get(came) or table["otherwise"])
                said = "left" if due == 0 else f"${abs(due) // 100:,} {'paid' if due > 0 else 'taken'}"
                if said != ends:
                    wrong.append(f"payment-{place}")
            assert wrong == ([] if topic == ORDER else [made.right["what"]])


def test_seats_out_of_order_are_two_neighbours(tmp_path):
    for made in of(lesson("ez-baccarat-wa", tmp_path), ORDER):
        seats = list(dict.fromkeys(int(name.partition(": ")[0].split()[-1]) for name, _ in payments(made)))
        assert seats != sorted(seats, reverse=True)
        assert sum(one < other for one, other in pairwise(seats)) == 1


def test_an_irregularity_is_voided_by_its_own_clause_where_a_shuffler_is_used(tmp_path):
    opened = lesson("duki-4-wa", tmp_path)
    void = {f"void:{reason}": clause for reason, clause in opened.edition.game.dealing.void_reasons.items()}
    assert void.keys() <= {topic.id for topic in KINDS["wrong"].topics(opened)}
    for topic, clause in void.items():
        for made in of(opened, topic, 5):
            assert made.right == {"what": clause, "floor": "void"}
            assert ("Cards", "from a shuffler") in made.scene.facts
            assert clause in made.clauses
    for made in of(opened, "void:wrong-number-of-cards", 8):
        sizes = Counter(len(hand.cards) for seat in made.scene.seats for hand in seat.hands)
        assert sum(many for size, many in sizes.items() if size != 4) == 1
    for made in of(opened, "void:dealer-card-exposed", 8):
        assert sum(card != "?" for card in made.scene.hands[0].cards) == 1


def test_the_dealers_wrong_set_is_legal_and_not_the_house_ways(tmp_path):
    opened = lesson("ez-pai-gow-wa", tmp_path)
    advise = opened.edition.game.advise
    from houseway.cards import parse_cards

    for made in of(opened, SET_WRONG):
        front, back = (tuple(parse_cards(" ".join(hand.cards))) for hand in made.scene.hands[:2])
        shown, right = advise((*front, *back), front, opened.encoded), advise((*front, *back), (), opened.encoded)
        assert not shown.foul
        assert [hand.worth for hand in shown.hands] != [hand.worth for hand in right.hands]


def test_only_some_payments_are_offered_and_the_wrong_one_always(tmp_path):
    for made in of(lesson("ez-baccarat-wa", tmp_path), "paid-too-much"):
        offered = [option.value for option in made.asks[0].options if option.value.startswith("payment-")]
        assert made.right["what"] in offered and len(offered) <= STAKES_SHOWN + 1
    assert NAME in table_round(lesson("ez-baccarat-wa", tmp_path), 0).house.tables


def shape(made):
    """What can be seen of an exercise that does not hang on its answer: what may be wrong, and what the floor may do."""
    places = [option.value.partition("-")[0] if "payment" in option.value else option.value for option in made.asks[0].options]
    return tuple(places), tuple(option.value for option in made.asks[1].options)


@pytest.mark.parametrize("name", [*BUILT_IN, *OUTSIDE])
def test_what_is_offered_does_not_tell_whether_something_is_wrong(tmp_path, name):
    opened, of_faults, of_none = lesson(name, tmp_path), set(), set()
    for topic in KINDS["wrong"].topics(opened):
        for made in of(opened, topic.id, 40 if topic.id == NOTHING else 12):
            (of_none if topic.id == NOTHING else of_faults).add(shape(made))
    cards = {(places, floor) for places, floor in of_faults if "payment" not in places}
    assert cards == {(places, floor) for places, floor in of_none if "payment" not in places}
    assert max(places.count("payment") for places, _ in of_faults | of_none) <= STAKES_SHOWN


@pytest.mark.parametrize("name", [*BUILT_IN, *OUTSIDE])
def test_whatever_is_offered_as_wrong_with_cards_is_wrong_at_times(tmp_path, name):
    opened, offered, true = lesson(name, tmp_path), set(), set()
    for topic in KINDS["wrong"].topics(opened):
        for made in of(opened, topic.id, 25):
            offered |= {option.value for option in made.asks[0].options if not option.value.startswith("payment")}
            true.add(made.right["what"])
    assert offered <= true


def test_every_number_gives_an_exercise_without_a_topic(tmp_path):
    opened = lesson("ez-baccarat-ca", tmp_path)
    for number in (47, 95, 264):
        assert exercise(opened, "wrong", number).topic
