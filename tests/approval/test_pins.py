"""Pins: a reason for changed sources that behave the same, a letter for changed behaviour, one edition at a time."""

import json
from dataclasses import replace
from datetime import date

import pytest

from houseway.approval import corpus, pinning
from houseway.approval.badge import badge_of
from houseway.approval.behaviour import behaviour_of, counted
from houseway.approval.corpus import Corpus, corpus_file, coverage
from houseway.approval.manifest import SystemCheck
from houseway.approval.pinning import Letter, pin
from houseway.approval.pins import Pin, pin_file, read_pin, write_pin
from houseway.approval.rules import Rules, rules_of
from houseway.games import edition_files, open_edition
from houseway.refusal import Refused
from houseway.rulebook import read_clauses
from houseway.rulebook.settle import settle

QUICK = ("ez-baccarat-ca", "ez-baccarat-wa", "duki-4-wa")
SLOW = ("lucky-lucky-wa", "ez-pai-gow-wa")
ALL = (*QUICK, *SLOW)
TODAY = date(2026, 1, 2)
PROGRAM = SystemCheck("0.2.0", "", 0)
NEVER = {"duki-4-wa": (("play", "fold"),)}
"""Outcomes that no round has: who folds has made no Play bet."""
CHOICES = {
    "duki-4-wa": {"play", "fold"},
    "lucky-lucky-wa": {"hit", "stand", "double", "split", "surrender", "even-money", "look"},
    "ez-pai-gow-wa": {"set", "house-way", "red", "black"},
}


@pytest.mark.parametrize("name", ALL)
def test_an_edition_is_as_pinned(name):
    edition = open_edition(name)
    pinned = read_pin(edition)
    assert pinned is not None
    assert rules_of(edition).differences(pinned.rules) == ()
    assert pinned.rules.digest == json.loads(pin_file(edition).read_text())["rules"]["digest"]
    assert pinned.history[-1]["rules"] == pinned.rules.digest
    assert pinned.history[-1]["behaviour"] == pinned.behaviour.digest
    assert all("because" in entry or {"approval", "approved"} <= entry.keys() for entry in pinned.history)
    assert pinned.behaviour.rounds >= 20_000


@pytest.mark.parametrize("name", ALL)
def test_every_outcome_choice_and_switch_occurs(name):
    edition = open_edition(name)
    rounds = Corpus.load(corpus_file(edition))
    assert len(rounds.rounds) >= 20_000
    covered = coverage(edition, rounds)
    assert covered.missing_outcomes == NEVER.get(name, ())
    assert covered.missing_values == ()
    assert set(covered.choices) == CHOICES.get(name, set())
    bet = {wager for round_ in rounds.rounds for wager in round_.bets}
    following = {wager for wager in edition.wagers if edition.game.wagers[wager].follows}
    assert bet - {"nothing"} - following == set(edition.wagers) - following
    assert "nothing" in bet, "a bet on no wager is among the rounds that must be refused"


def test_corpora_are_small():
    assert sum(corpus_file(open_edition(name)).stat().st_size for name in ALL) < 3_000_000


def behaves_as_pinned(name):
    edition = open_edition(name)
    pinned = read_pin(edition)
    now = behaviour_of(edition)
    assert now.differences(pinned.behaviour) == ()
    assert now == pinned.behaviour
    assert (now.tallies > 0) == bool(counted(edition))


@pytest.mark.parametrize("name", QUICK)
def test_it_behaves_as_pinned(name):
    behaves_as_pinned(name)


@pytest.mark.deep
@pytest.mark.parametrize("name", SLOW)
def test_it_behaves_as_pinned_too(name):
    behaves_as_pinned(name)


# Pinning, with a small corpus in another folder


@pytest.fixture
def edition(tmp_path, monkeypatch):
    """EZ Baccarat for California, pinned in a folder of its own."""
    monkeypatch.setattr(corpus, "ROUNDS", 60)
    monkeypatch.setattr("houseway.approval.corpus.Maker.run", small(corpus.Maker.run))
    monkeypatch.setattr(pinning, "corpus_file", lambda edition: tmp_path / "pins" / "x.corpus.xz")
    monkeypatch.setattr("houseway.approval.behaviour.corpus_file", lambda edition: tmp_path / "pins" / "x.corpus.xz")
    monkeypatch.setattr("houseway.approval.pins.pin_file", lambda edition: tmp_path / "pins" / f"{edition.id}.json")
    return open_edition("ez-baccarat-ca")


def small(run):
    return lambda maker: run(maker, rounds=60, sessions=2)


def changed_data(edition, *keys, value):
    """An edition with other data."""
    from houseway.games import edition_from

    data = json.loads(json.dumps(edition.document))
    inner = data
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = value
    return edition_from(data, "changed")


def test_pins_keep_their_history(edition):
    first = pin(edition, "as on the sheet", None, TODAY)
    assert badge_of(edition, PROGRAM).status == "no approval on file"
    assert str(badge_of(edition, PROGRAM)) == "no approval on file, rules as pinned, release 0.2.0 unchanged"
    other = changed_data(edition, "limits", "source", value="the house's own")
    told = badge_of(other, PROGRAM)
    assert told.status == "modified"
    assert "limits.source: the house's own: the sheet names none as approved, the house's own now" in str(told)
    second = pin(other, "a shorter sentence", None, TODAY, wording=True)
    assert [entry["because"] for entry in second.history] == ["as on the sheet", "a shorter sentence"]
    assert second.behaviour == first.behaviour
    assert second.history[0]["rules"] == first.rules.digest != second.rules.digest
    assert {"date": "2026-01-02", "rounds": second.behaviour.rounds, "tallies": 5}.items() <= second.history[1].items()
    assert read_pin(other).history == second.history
    both = ["the house's own: the sheet names none", "the house's own"]
    assert second.history[1]["wording"] == {"limits.source": both}, "never silently"


def test_a_table_opened_before_its_edition_was_worded_anew_plays_the_rules_as_pinned(edition):
    """It is bound to the former words, which were pinned with the same rules; words that no pin had are still others."""
    pin(edition, "as on the sheet", None, TODAY)
    for words in ("the house's own", "the house's"):
        worded = changed_data(edition, "limits", "source", value=words)
        pin(worded, "a shorter sentence", None, TODAY, wording=True)
    between = changed_data(edition, "limits", "source", value="the house's own")
    for bound in (edition, between, worded):
        assert badge_of(bound, PROGRAM).differences == (), bound.limits.source
    assert badge_of(changed_data(edition, "limits", "source", value="anybody's"), PROGRAM).status == "modified"
    paid = changed_data(edition, "wagers", "dragon-7", "pays", "dragon-7", value="35 to 1")
    told = badge_of(paid, PROGRAM).differences
    assert len(told) == 1 and "35 to 1 now" in told[0], "nothing but what is paid"


@pytest.fixture
def rewritten(monkeypatch):
    """An edition whose sources are others, or of whose sources more is covered: its data is as it was."""
    more = {"table/engine.py: a definition": "0" * 64}

    def rules(edition):
        told = rules_of(edition)
        return Rules({**told.definitions, **more}, told.data)

    return lambda: monkeypatch.setattr(pinning, "rules_of", rules)


def test_definitions_that_are_newly_covered_are_pinned_for_a_reason(edition, rewritten):
    """More of the program counts than before, and does what it did: nothing that a letter approves is another."""
    first = pin(edition, "as on the sheet", None, TODAY)
    rewritten()
    second = pin(edition, "the engine counts as well", None, TODAY)
    assert second.behaviour == first.behaviour
    assert second.rules.data == first.rules.data
    assert second.history[-1].keys() == {"because", "date", "rules", "behaviour", "rounds", "tallies", "deals"}
    assert read_pin(edition).history == second.history


def test_values_of_a_game_that_are_newly_covered_are_named_in_the_history(edition, rewritten):
    first = pin(edition, "as on the sheet", None, TODAY)
    before = Pin(
        Rules(first.rules.definitions, {k: v for k, v in first.rules.data.items() if k != "game.dealing.seats"}),
        first.behaviour,
    ).then(date="2026-01-02", because="as on the sheet")
    write_pin(edition, before)
    assert pin(edition, "seats count as well", None, TODAY).history[-1]["newly_covered"] == ["game.dealing.seats"]


def test_sources_that_behave_differently_need_a_letter(edition, rewritten, monkeypatch):
    pin(edition, "as on the sheet", None, TODAY)
    rewritten()
    monkeypatch.setattr("houseway.approval.behaviour.settle", lambda *given: settle(edition, (), {}))
    with pytest.raises(Refused, match=r"behaves differently \(.*\): that needs --approval LETTER DATE"):
        pin(edition, "it reads better", None, TODAY)


@pytest.mark.parametrize(
    ("keys", "value", "named"),
    [
        (("wagers", "dragon-7", "pays", "dragon-7"), "41 to 1", "wagers.dragon-7.pays.dragon-7: 40 to 1 as approved, 41 to 1"),
        (("limits", "min_cents"), 100, "limits.min_cents"),
        (("cards", "sources"), ["virtual-shoe"], "cards.sources"),
        (("approval",), {"maker": "X", "date": "2011-10-17", "jurisdiction": "Washington", "conditions": []}, ""),
    ],
)
def test_what_a_letter_approves_is_changed_by_no_reason(edition, keys, value, named):
    pin(edition, "as on the sheet", None, TODAY)
    other = changed_data(edition, *keys, value=value)
    for wording in (False, True):
        with pytest.raises(Refused, match=r"that needs --approval LETTER DATE") as refused:
            pin(other, "typo", None, TODAY, wording=wording)
        assert refused.value.code == "letter-wanted"
        assert named in refused.value.message
    assert badge_of(other, PROGRAM).status == "modified"


def test_our_own_words_are_changed_for_a_reason_that_says_so(edition, monkeypatch):
    pin(edition, "as on the sheet", None, TODAY)
    clauses = read_clauses(edition.game.folder)
    id_, clause = next((id_, clause) for id_, clause in clauses.items() if id_.split("-")[0] in edition.families)
    worded = {**clauses, id_: replace(clause, text="Said better.")}
    monkeypatch.setattr("houseway.approval.rules.read_clauses", lambda folder: worded)
    with pytest.raises(
        Refused, match=f"clauses.{id_}.*needs --approval LETTER DATE; if only its wording is another: --wording"
    ):
        pin(edition, "typo", None, TODAY)
    told = pin(edition, "typo", None, TODAY, wording=True).history[-1]["wording"]
    assert told == {f"clauses.{id_}": [f"{clause.kind}: {clause.text}", f"{clause.kind}: Said better."]}
    otherwise = {**clauses, id_: replace(clause, text="Said better.", kind="other")}
    monkeypatch.setattr("houseway.approval.rules.read_clauses", lambda folder: otherwise)
    with pytest.raises(Refused, match=r"that needs --approval LETTER DATE$"):
        pin(edition, "typo", None, TODAY, wording=True)


def test_an_edition_that_says_it_is_approved_has_a_letter_in_its_history(edition):
    approval = {"maker": "X", "date": "2011-10-17", "jurisdiction": "Washington", "conditions": []}
    says_so = changed_data(edition, "approval", value=approval)
    rules, behaviour = rules_of(says_so), pin(edition, "as on the sheet", None, TODAY).behaviour
    write_pin(says_so, Pin(rules, behaviour).then(date="2026-01-02", because="typo"))
    told = badge_of(says_so, PROGRAM)
    assert told.status == "modified"
    assert str(told).startswith("modified rules: it says that it is approved, and no letter was named")


@pytest.mark.parametrize(
    "forge",
    [
        lambda data: data["rules"]["data"].update({"wagers.dragon-7.pays.dragon-7": "9 to 1"}),
        lambda data: data["rules"]["definitions"].popitem(),
        lambda data: data["rules"].update(digest="0" * 64),
        lambda data: data["history"][-1].update(rules="0" * 64),
        lambda data: data["history"].clear(),
        lambda data: data["behaviour"]["parts"].popitem(),
        lambda data: data["behaviour"].update(digest="0" * 64),
        lambda data: data["behaviour"].update(deals=1),
        lambda data: data.update(rules=[]),
    ],
)
def test_a_pin_file_that_was_edited_by_hand_is_not_believed(edition, tmp_path, forge):
    pin(edition, "as on the sheet", None, TODAY)
    file = tmp_path / "pins" / f"{edition.id}.json"
    data = json.loads(file.read_text())
    forge(data)
    file.write_text(json.dumps(data))
    with pytest.raises(Refused) as refused:
        read_pin(edition)
    assert refused.value.code == "broken-pin"
    told = badge_of(edition, PROGRAM)
    assert told.status == "no approval on file"
    assert f"{edition.id}.json" in told.differences[0]


def test_changed_behaviour_needs_a_letter(edition):
    pin(edition, "as on the sheet", None, TODAY)
    other = changed_data(edition, "wagers", "dragon-7", "pays", "dragon-7", value="41 to 1")
    with pytest.raises(Refused, match=r"dragon-7.* 40 to 1 as approved, 41 to 1 now: that needs --approval LETTER DATE"):
        pin(other, "it pays better", None, TODAY)
    assert read_pin(edition).history[-1]["because"] == "as on the sheet"
    pinned = pin(other, "", Letter("Letter of the commission", "2026-01-01"), TODAY)
    assert pinned.history[-1]["approval"] == "Letter of the commission"
    assert pinned.history[-1]["approved"] == "2026-01-01"
    assert badge_of(other, PROGRAM).differences == ()


def test_rounds_that_were_replaced_prove_nothing(edition, tmp_path):
    pin(edition, "as on the sheet", None, TODAY)
    file = tmp_path / "pins" / "x.corpus.xz"
    rounds = Corpus.load(file)
    rounds.rounds = rounds.rounds[1:]
    rounds.save(file)
    other = changed_data(edition, "name", value="Another name")
    with pytest.raises(Refused, match="does not hold the rounds that ez-baccarat-ca was pinned on"):
        pin(other, "a name", None, TODAY, wording=True)
    file.write_bytes(b"nothing")
    with pytest.raises(Refused, match="not a corpus of rounds"):
        pin(other, "a name", None, TODAY, wording=True)
    file.unlink()
    with pytest.raises(Refused, match="is missing"):
        pin(other, "a name", None, TODAY, wording=True)


def test_what_is_refused(edition):
    pin(edition, "as on the sheet", None, TODAY)
    with pytest.raises(Refused, match="there is nothing to pin"):
        pin(edition, "again", None, TODAY)
    with pytest.raises(Refused, match="a pin has a reason"):
        pin(edition, " ", None, TODAY)
    with pytest.raises(Refused, match="a pin has a reason"):
        pin(edition, "both", Letter("x", "2026-01-01"), TODAY)
    with pytest.raises(Refused, match="is not a day"):
        Letter("x", "yesterday")
    with pytest.raises(Refused, match="names its letter"):
        Letter(" ", "2026-01-01")
    with pytest.raises(Refused, match="the first pin needs --approval LETTER DATE"):
        pin(open_edition("ez-baccarat-wa"), "no letter", None, TODAY)


def never_played(edition):
    raise Refused("not-in-a-test", f"{edition.id} is not as pinned")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("pin",), "EDITION"),
        (("pin", "--because", "x"), "EDITION"),
        (("pin", "ez-baccarat-wa"), "a pin has a reason"),
        (("pin", "ez-baccarat-wa", "--because", "x"), "there is nothing to pin"),
        (("pin", "./mine.toml", "--because", "x"), "is a file"),
        (("pin", "nothing", "--because", "x"), "unknown edition"),
        (("pin", "ez-baccarat-wa", "duki-4-wa", "--because", "x"), "duki-4-wa"),
        (("pin", "--all", "--because", "x"), "--all"),
        (("pin", "ez-baccarat-wa", "--approval", "letter", "soon"), "is not a day"),
    ],
)
def test_the_shell_pins_one_edition_and_refuses_in_one_line(run, monkeypatch, arguments, said):
    monkeypatch.setattr(pinning, "_played", never_played)  # where an edition is not as pinned, a test must not pin it
    code, out, err = run(*arguments)
    assert code == 2
    assert not out
    assert len(err.splitlines()) == 1
    assert said in err


def test_an_edition_without_a_pin_has_no_approval(edition):
    own = changed_data(edition, "id", value="our-own")
    told = badge_of(own, PROGRAM)
    assert (told.status, str(told)) == ("no approval on file", "no approval on file")
    pin_file_ = edition_files()["ez-baccarat-ca"].parent.parent / "pins" / "our-own.json"
    assert not pin_file_.exists()
