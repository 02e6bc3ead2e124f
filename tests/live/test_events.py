"""Events and steps are values: the journal holds no sentence, and every event, note and step has one, made in one place."""

import ast
import json
import random
import re
from dataclasses import fields

import pytest
import sessions
from test_table import BACCARAT, BLACKJACK, DRAGON_7, DUKI, PAI_GOW, SUE, Pit, events

from houseway.games import edition_files, open_edition
from houseway.house.floor import Floor
from houseway.house.store import Store
from houseway.rulebook.words import sentence
from houseway.table import unfolded
from houseway.table.engine import edition_of
from houseway.table.event import FORM, events_by_kind, same_events
from houseway.view.happened import PUBLIC, happened
from houseway.view.words import EVENT_WORDS, event_words, payment_words

GIVEN_BY_PEOPLE = {"guest", "reason", "board", "edition"}
NAMED_BY_THE_GAME = {"spot", "choice", "choices", "result", "before", "hand", "clause"}
"""`hand 2`, `set Ah Kd`, `banker-win natural`, `house rules`: names with a space, which no sentence is."""
VALUE = re.compile(r"[\w:.+-]*")


def texts(value, name=""):
    """Every text in a value, with the name of the field that holds it."""
    if name == "stands":  # a round as it stands, in the order that it has
        yield from texts(json.loads(value))
    elif isinstance(value, str):
        yield name, value
    elif isinstance(value, dict):
        for inner, item in value.items():
            yield from texts(item, inner)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item, name)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A long session at a table of every edition, and everything a house does besides."""
    folder = tmp_path_factory.mktemp("house")
    floor = Floor(Store(f"sqlite:///{folder / 'house.db'}"), folder / "key")
    tables, rng = sessions.house_tables(4), random.Random(3)
    sessions.prepare(floor, tables)
    sessions.play(floor, rng, tables, 500)
    return [*floor.store.entries()]


def test_no_field_of_an_event_holds_a_sentence(played):
    told = [event for entry in played for event in entry.data.get("events", [])]
    assert len({event["event"] for event in told}) > 15
    for event in told:
        for name, text in texts(event):
            assert "$" not in text, event
            if name not in GIVEN_BY_PEOPLE:
                assert VALUE.fullmatch(text) or (name in NAMED_BY_THE_GAME and len(text.split()) <= 4), event


def test_an_entry_says_its_form_and_its_events_are_those_declared(played):
    for entry in played:
        if "events" in entry.data:
            assert entry.data["form"] == FORM
            for event in entry.data["events"]:
                declared = [field.name for field in fields(events_by_kind()[event["event"]])]
                assert sorted(event) == sorted(["event", *declared])


def test_every_event_has_a_sentence_in_dollars(played):
    assert EVENT_WORDS.keys() == events_by_kind().keys()
    for entry in played:
        for event in entry.data.get("events", []):
            words = event_words(event)
            assert words and "{" not in words and "cents" not in words
        for event in happened(entry):
            assert event["text"]


@pytest.mark.parametrize("kind", PUBLIC)
def test_what_everybody_may_hear_of_is_a_part_of_the_event(kind):
    assert set(PUBLIC[kind]) - {"step"} <= {field.name for field in fields(events_by_kind()[kind])}


def test_a_payment_tells_what_was_owed_and_what_moved(tmp_path):
    pit = Pit(tmp_path, "ez-baccarat-ca")
    for seat, guest in ((1, "ann"), (2, "bob")):
        pit.do("sit", seat=seat, guest=guest)
    pit.do("bank", seat=1, guest="ann", cents=5_000)
    pit.bet(2, "bob", dragon_7=500)
    pit.no_more_bets()
    pit.card(DRAGON_7)
    (paid,) = events(pit.do("settle"), "paid")
    assert (paid["owed_cents"], paid["win_cents"], paid["spot"]) == (20_000, 5_000, "")
    said = "Seat 2: Dragon 7 wins (Banker wins with a three-card 7), $5 pays $50 (2 green), all that the bank covers"
    assert payment_words(paid, edition_of(pit.table)) == said


def test_a_split_hand_is_a_spot(tmp_path):
    pit = Pit(tmp_path, BLACKJACK)
    pit.bet(1, "ann", blackjack=1_000)
    pit.no_more_bets()
    pit.card("8s 6h 8d Kc")
    pit.decide(1, "split")
    pit.card("3c")
    pit.decide(1, "stand")
    pit.card("2h")
    pit.decide(1, "stand")
    pit.card("10s")
    paid = events(pit.do("settle"), "paid")
    assert [event["spot"] for event in paid] == ["hand 1", "hand 2"]
    said = "Seat 1: Blackjack, hand 2, wins (Player wins), $10 pays $10 (2 red)"
    assert payment_words(paid[1], edition_of(pit.table)) == said


def test_high_payouts_are_values_and_words_are_made_of_them(tmp_path):
    pit = Pit(tmp_path, BACCARAT, watch="acknowledge", watch_cents=10_000)
    pit.bet(1, "ann", dragon_7=500)
    pit.no_more_bets()
    (told,) = events(pit.card(DRAGON_7), "surveillance")
    assert told["payments"] == [{"seat": 1, "wager": "dragon-7", "win_cents": 20_000}]
    assert event_words(told) == "seat 1 Dragon 7 $200: above $100. It waits until a supervisor has verified it"
    assert "acknowledge seat 1's Dragon 7 of $200 before" in pit.refused("settle").message
    pit.do("acknowledge", SUE)
    pit.do("settle")


# Steps


@pytest.mark.parametrize("edition", [BACCARAT, PAI_GOW, BLACKJACK, DUKI])
def test_a_step_holds_facts_and_no_sentence(tmp_path, edition):
    """Every step that is told has words of its game's; its facts are names, numbers and cards."""
    floor = Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), tmp_path / "key")
    name, rng = f"{list(sessions.SEATS).index(edition)}-0", random.Random(4)
    sessions.prepare(floor, [name])
    game, kinds = open_edition(edition).game, set()
    for _ in range(150):
        command, actor = sessions.next_move(floor.state, name, rng)
        floor.do(command, actor)
        for play in unfolded(floor.state.tables[name]).plays.values():
            for step in play.steps:
                kinds.add(step.kind)
                assert step.kind in game.face.steps, f"{step.kind} has no words"
                assert sentence(game.face.steps, step)
                assert json.dumps(step.facts)
                for fact in step.facts.values():
                    assert isinstance(fact, str | int) or all(isinstance(card, int) for card in fact)
    assert len(kinds) >= 5


TELLING = {"Step", "add", "add_hand", "add_dealer", "_set_step", "_bonus"}


@pytest.mark.parametrize("edition", edition_files())
def test_every_step_that_a_game_can_tell_has_words_and_no_words_are_of_another(edition):
    game = open_edition(edition).game
    sources = [file.read_text() for file in game.folder.glob("*.py")]
    calls = [node for source in sources for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call) and node.args]
    first = [call.args[0] for call in calls if getattr(call.func, "id", getattr(call.func, "attr", "")) in TELLING]
    named = {argument.value for argument in first if isinstance(argument, ast.Constant)}
    assert named and named <= game.face.steps.keys()
    for kind in game.face.steps.keys() - named:  # put together from whose it is and what it does
        assert all(part in "".join(sources) for part in re.split(r"(player|banker|dealer)-|(-alone)", kind) if part), kind


# Journals of 0.1


def test_an_old_entry_is_compared_in_what_both_tell(tmp_path):
    pit = Pit(tmp_path)
    pit.bet(1, "ann", dragon_7=500)
    pit.no_more_bets()
    pit.card(DRAGON_7)
    recorded = pit.do("settle").data["events"]
    anew = [events_by_kind()[event["event"]](**{name: event[name] for name in event if name != "event"}) for event in recorded]
    old = [{name: event[name] for name in event if name not in {"spot", "owed_cents"}} for event in recorded]
    old[0]["step"] = "seat 1, dragon-7, dragon-7, $5 pays $200: 2 black"
    assert same_events({"events": old}, anew)
    assert not same_events({"events": old, "form": FORM}, anew)
    old[0]["win_cents"] += 1
    assert not same_events({"events": old}, anew)
    del old[0]["win_cents"]
    assert not same_events({"events": old}, anew)
