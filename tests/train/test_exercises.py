"""Every exercise accepts its own answer and refuses every other; it is the same in every process, and covers all rules."""

import json
import os
import subprocess
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import pytest
from school_lessons import BUILT_IN, EVERY, EXAMPLES, OUTSIDE, OWN, SET_OTHERWISE, lesson, others

from houseway.games import edition_files
from houseway.house.editions import built_in
from houseway.refusal import Refused
from houseway.table.bound import as_text, read_document
from houseway.train.deals import Lesson, lesson_of
from houseway.train.exercise import LONGEST
from houseway.train.kinds import KINDS
from houseway.train.kinds.read import sort_of
from houseway.train.learning import LearnedProgress, clause_of, exercise, skill_map

FEW, MANY = 40, 1_000
SOLVED_SLOWLY = {"duki-4-wa": 4, "bets for dealers": 2, "ez-pai-gow-wa": 0, "wagered positions": 0}
"""How many hands are valued in every run of the tests where one takes a second, or the first a minute; all in deep ones."""


@pytest.fixture(autouse=True)
def outside(monkeypatch):
    monkeypatch.setenv("HOUSEWAY_GAMES", str(EXAMPLES))


@pytest.fixture
def taught(tmp_path):
    def opened(name: str) -> Lesson:
        return lesson(name, tmp_path)

    return opened


def check(made) -> None:
    """Its own answer is accepted; with any part of it changed, it is refused as wrong, and the part is named."""
    right = made.right
    verdict = made.judge(right)
    assert verdict.is_right, (made, right)
    assert all(part.is_right for part in verdict.parts)
    assert made.why, "an answer is explained"
    for ask in made.asks:
        for accepted in ask.accepted:
            assert made.judge({**right, ask.id: ask.typed(accepted)}).is_right
        wrong = others(made, ask)
        assert wrong, "something can be answered wrongly"
        for answer in wrong:
            judged = made.judge({**right, ask.id: answer})
            assert not judged.is_right, (made.question, ask.label, answer, ask.accepted)
            assert [part.id for part in judged.parts if not part.is_right] == [ask.id]
        if ask.form == "pick":
            values = [option.value for option in ask.options]
            assert len(values) == len(set(values)) >= 2
            assert len({option.words for option in ask.options}) == len(values), "no two options read the same"
            assert set(ask.accepted) <= set(values)


def check_many(opened: Lesson, kind: str, many: int) -> None:
    for number in range(many if KINDS[kind].topics(opened) else 0):
        made = exercise(opened, kind, number)
        assert (made.kind, made.number) == (kind, number)
        check(made)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", EVERY)
def test_every_exercise_accepts_its_own_answer_and_refuses_every_other(taught, name, kind):
    check_many(taught(name), kind, SOLVED_SLOWLY.get(name, FEW) if kind == "decide" else FEW)


@pytest.mark.deep
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", EVERY)
def test_a_thousand_exercises_accept_their_own_answers_and_refuse_every_other(taught, name, kind):
    check_many(taught(name), kind, MANY)


# Topics


@pytest.mark.parametrize("name", EVERY)
def test_every_topic_can_be_made_and_has_that_topic(taught, name):
    opened = taught(name)
    for kind in KINDS.values():
        if kind.name == "decide" and name in SOLVED_SLOWLY:
            continue
        known = kind.topics(opened)
        assert len({topic.id for topic in known}) == len(known)
        for topic in known:
            for number in (0, 3, 12_345):
                made = exercise(opened, kind.name, number, topic.id)
                assert made.topic == topic.id, (kind.name, topic.id)
                check(made)


@pytest.mark.parametrize("name", EVERY)
def test_an_exercise_without_a_topic_has_one_of_its_kind(taught, name):
    opened = taught(name)
    for kind in KINDS.values():
        known = {topic.id for topic in kind.topics(opened)} if not (kind.name == "decide" and name in SOLVED_SLOWLY) else set()
        assert {exercise(opened, kind.name, number).topic for number in range(8 if known else 0)} <= known


@pytest.mark.parametrize("name", [*BUILT_IN, *OUTSIDE])
def test_every_outcome_that_a_round_can_have_is_taught(taught, name):
    opened = taught(name)
    topics = {topic.id for topic in KINDS["results"].topics(opened)}
    seen = {f"{p.wager}:{p.outcome}" for deal in opened.pinned.each() for p in deal.settlement.payments if p.stake_cents}
    seen |= {f"{p.wager}:{p.outcome}" for n in range(200) for p in opened.deal(n)[0].settlement.payments if p.stake_cents}
    assert seen and seen <= topics


@pytest.mark.parametrize("name", [*BUILT_IN, *OUTSIDE])
def test_every_rule_that_a_round_cites_is_in_the_explanation_of_some_topic(taught, name):
    opened = taught(name)
    clauses, cites = opened.edition.clauses(), opened.edition.cites
    deals = [*opened.pinned.each(), *(opened.deal(number)[0] for number in range(100))]
    cited = {cites.get(step.clause, step.clause) for deal in deals for step in deal.play.steps}
    cited |= {payment.clause for deal in deals for payment in deal.settlement.payments}
    rules = {id_ for id_ in cited if id_ in clauses and clauses[id_].kind == "rule"}
    told = set[str]()
    for kind in KINDS.values():
        for topic in kind.topics(opened) if kind.name != "decide" else ():
            told |= {clause for number in range(4) for clause in exercise(opened, kind.name, number, topic.id).clauses}
    assert rules and rules <= told


def test_what_is_looked_for_says_so_and_what_comes_by_itself_does_not(taught):
    opened = taught("ez-baccarat-wa")
    rare = [exercise(opened, "pay", number, "dragon-7:dragon-7") for number in range(20)]
    assert sum(made.on_purpose for made in rare) >= 18  # one in fifty hands by itself
    assert not any(made.on_purpose for made in (exercise(opened, "chips", number) for number in range(20)))
    assert all(made.shown()["on_purpose"] for made in rare if made.on_purpose)


def test_what_is_rare_comes_in_many_ways(taught):
    for name, kind, topic in (
        ("ez-pai-gow-wa", "read", "dynasty:five-aces"),
        ("duki-4-wa", "read", "duki-bonus:three-of-a-kind"),
        ("lucky-lucky-wa", "pay", "lucky-lucky:suited-777"),
    ):
        scenes = {exercise(taught(name), kind, number, topic).scene.hands for number in range(60)}
        assert len(scenes) > 20, (name, topic, len(scenes))


def test_rare_hands_of_every_sort_are_read(taught):
    for name, wanted in (
        ("ez-pai-gow-wa", ("full-house-", "four-", "royal-flush", "three-", "-high-straight-flush", "-high-flush")),
        ("duki-4-wa", tuple(f"4-card-duki-{sort}-" for sort in ("pair", "two-pair", "three-of", "straight", "four-of"))),
    ):
        seen = {exercise(taught(name), "read", number, "hand:rare").right["worth"] for number in range(60)}
        assert all(any(sort in worth for worth in seen) for sort in wanted), (name, seen)
    assert not any(topic.id == "hand:rare" for topic in KINDS["read"].topics(taught("ez-baccarat-wa")))


def test_a_sort_of_hand_is_what_is_left_without_its_ranks():
    assert sort_of("full house, sixes over fours") == sort_of("full house, aces over kings") == "full-house-over"
    assert sort_of("three eights") == "three" != sort_of("four eights")
    assert sort_of("ace-queen high") == sort_of("seven-three high") == "high"
    assert sort_of("soft 18") == "soft" and sort_of("23 (bust)") == sort_of("7")
    assert sort_of("4-card Duki, straight (9-high)") == "4-card-duki-straight"


def test_every_seat_banks_where_players_do(taught):
    facts = (dict(exercise(taught("ez-baccarat-ca"), "order", number).scene.facts) for number in range(60))
    assert len({fact["Bank"].partition(",")[0] for fact in facts}) == 7


def test_games_without_a_house_way_have_no_hand_to_set_and_without_choices_none_to_decide(taught):
    assert {name for name in (*BUILT_IN, *OUTSIDE) if KINDS["set"].topics(taught(name))} == {"ez-pai-gow-wa"}
    decided = {name for name in (*BUILT_IN, *OUTSIDE) if KINDS["decide"].topics(taught(name))}
    assert decided == {"ez-pai-gow-wa", "duki-4-wa", "lucky-lucky-wa", "casino-war"}


def test_nothing_of_the_answer_is_shown(taught):
    for name in EVERY:
        for kind in ("draw", "pay", "wrong"):
            shown = exercise(taught(name), kind, 5).shown()
            assert "why" not in shown and all("accepted" not in ask for ask in shown["asks"])


# The same in every process

PROGRAM = """
import json, sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from school_lessons import lesson
from houseway.train.kinds import KINDS
from houseway.train.learning import LearnedProgress, clause_of, exercise, skill_map
wanted = json.loads(sys.argv[1])
backwards = sys.argv[3] == "backwards"
made = {}
for name, kind, number, topic in (reversed(wanted) if backwards else wanted):
    made[f"{name} {kind} {number} {topic}"] = asdict(exercise(lesson(name, Path(sys.argv[2])), kind, number, topic))
print(json.dumps(made, sort_keys=True))
"""


def test_an_exercise_is_the_same_in_every_process_and_whatever_was_asked_before(taught, tmp_path):
    wanted = []
    for name in (*BUILT_IN, OWN, *OUTSIDE, "bank by marker"):
        for kind in KINDS.values():
            if kind.name != "decide" and (topics := kind.topics(taught(name))):
                wanted += [(name, kind.name, number, "") for number in (0, 31)]
                wanted += [(name, kind.name, 5, topics[-1].id)]
    wanted += [("lucky-lucky-wa", "decide", number, "") for number in (0, 7)]
    here = {
        f"{name} {kind} {number} {topic}": asdict(exercise(taught(name), kind, number, topic))
        for name, kind, number, topic in wanted
    }
    for seed, order in (("1", "forwards"), ("2", "backwards")):
        path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
        told = subprocess.run(
            [sys.executable, "-c", PROGRAM, json.dumps(wanted), str(tmp_path), order],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
        )
        assert json.loads(told.stdout) == json.loads(json.dumps(here))


# What cannot be an answer

NONSENSE = ("", " ", "?", "-1", "1e9", "NaN", "∞", "١٢", "12.345", "$", "a b c", "0x10", "1" * 5_000, "As As", "\x00", "🂡")


@pytest.mark.parametrize("name", [*BUILT_IN, *OUTSIDE])
def test_what_cannot_be_an_answer_is_refused_in_one_line(taught, name):
    opened = taught(name)
    for kind in KINDS.values():
        if kind.name == "decide" and name in SOLVED_SLOWLY:
            continue
        for number in range(3 if kind.topics(opened) else 0):
            made = exercise(opened, kind.name, number)
            for ask in made.asks:
                for nonsense in NONSENSE:
                    try:
                        verdict = made.judge({**made.right, ask.id: nonsense})
                    except Refused as refused:
                        assert refused.message and "\n" not in refused.message and len(refused.message) < 900
                    else:  # no chips at all, and a number that happens to be an amount, can be read: and are wrong
                        assert not verdict.is_right or ask.form == "amount"


def test_an_answer_must_have_every_part_and_no_other(taught):
    made = exercise(taught("ez-baccarat-wa"), "wrong", 1)
    with pytest.raises(Refused, match="What does the floor do\\?: no answer is given"):
        made.judge({"what": made.right["what"]})
    with pytest.raises(Refused, match='unknown answer "why"'):
        made.judge({**made.right, "why": "because"})
    with pytest.raises(Refused, match="too long"):
        made.judge({**made.right, "what": "x" * (LONGEST + 1)})


def test_an_unknown_kind_topic_or_number_is_refused_with_what_is_known(taught):
    opened = taught("ez-baccarat-wa")
    for asked, code, words in (
        (("guess", 0), "unknown-kind", "known: draw, read, set"),
        (("set", 0), "no-exercises", "has no exercises of the kind set"),
        (("draw", 0, "EZB-99"), "unknown-topic", "EZB-3a"),
        (("draw", -1), "bad-number", "from 0 to"),
        (("draw", 1 << 31), "bad-number", "from 0 to"),
    ):
        with pytest.raises(Refused) as refused:
            exercise(opened, *asked)
        assert refused.value.code == code
        assert words in refused.value.message


def test_tables_that_are_set_otherwise_say_how(taught):
    facts = dict(exercise(taught("no hole card"), "results", 0).scene.facts)
    assert {"2", "late"} <= set(facts.values())
    usual = exercise(taught("lucky-lucky-wa"), "results", 0).scene.facts
    assert usual == (("Edition", "Blackjack with Lucky Lucky (Washington)"), ("Pay table", "3:2"))
    assert SET_OTHERWISE.keys() <= set(EVERY)


@pytest.mark.parametrize("edition", edition_files())
def test_every_kind_tells_the_edition_and_its_pay_table_first_and_once(edition):
    document = built_in(edition)
    usual = lesson_of(document)
    tables = usual.edition.approved.get("pay-table", ())
    for opened in (usual, *(lesson_of(document, (("pay-table", table),)) for table in tables[1:])):
        expected = (("Edition", usual.edition.name), *((("Pay table", opened.settings["pay-table"]),) if tables else ()))
        kinds = KINDS if opened is usual else ("pay",)
        for facts in (exercise(opened, kind, 3).scene.facts for kind in kinds if KINDS[kind].topics(opened)):
            assert facts[: len(expected)] == expected
            assert len(set(facts)) == len(facts)


def test_an_edition_of_ones_own_is_told_by_its_id_and_a_reading_in_words():
    own = as_text(read_document(built_in("ez-baccarat-wa")).document | {"id": "our-baccarat"})
    assert exercise(lesson_of(own), "pay", 0).scene.facts[0] == ("Edition", "EZ Baccarat (Washington) (our-baccarat)")
    usual = lesson_of(built_in("ez-baccarat-ca"))
    reading, value = usual.edition.readings["R21"], usual.edition.approved["R21"][1]
    otherwise = lesson_of(built_in("ez-baccarat-ca"), (("R21", value),))
    question = reading.question[0].upper() + reading.question[1:]
    assert (question, reading.values[str(value)]) in exercise(otherwise, "pay", 0).scene.facts


def test_the_skill_map_of_baccarat_is_by_the_clause_that_each_payment_cites():
    skills = skill_map(lesson_of(built_in("ez-baccarat-wa")), LearnedProgress(), datetime(2026, 5, 1, tzinfo=UTC))
    ends = {"banker-win": "EZB-5a", "dragon-7": "EZB-5b", "player-win": "EZB-5c", "panda-8": "EZB-5d", "tie": "EZB-5e"}
    paid = [skill for skill in skills if skill["kind"] in {"results", "pay"}]
    assert paid and all(skill["clause"] == ends[skill["topic"].partition(":")[2]] for skill in paid)
    found = {f"{skill['kind']}/{skill['topic']}": skill["clause"] for skill in skills}
    assert found["read/hand"] == "EZB-0" and found["order/order"] == "EZB-5" and found["chips/chips"] in ends.values()


@pytest.mark.parametrize("edition", edition_files())
def test_a_skill_is_without_a_clause_only_if_its_exercise_cites_none(edition):
    opened = lesson_of(built_in(edition))
    known = opened.edition.clauses()
    for skill in skill_map(opened, LearnedProgress(), datetime(2026, 5, 1, tzinfo=UTC)):
        assert skill["clause"] in known or not set(exercise(opened, skill["kind"], 0, skill["topic"]).clauses) & set(known)


def test_an_irregularity_stands_under_the_clause_that_voids_the_round():
    opened = lesson_of(built_in("duki-4-wa"))
    for reason, clause in opened.edition.game.dealing.void_reasons.items():
        assert clause_of(opened, KINDS["wrong"], f"void:{reason}") == clause
