"""Pins: a reason for changed sources that behave the same, a letter for changed behaviour, one edition at a time."""

import json
from datetime import date

import pytest

from houseway.approval import corpus, pinning
from houseway.approval.badge import badge_of
from houseway.approval.behaviour import behaviour_of, counted
from houseway.approval.corpus import Corpus, corpus_file, coverage
from houseway.approval.manifest import SystemCheck
from houseway.approval.pinning import Letter, pin
from houseway.approval.pins import pin_file, read_pin
from houseway.approval.rules import rules_of
from houseway.games import edition_files, open_edition
from houseway.refusal import Refused

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
    second = pin(other, "a shorter sentence", None, TODAY)
    assert [entry["because"] for entry in second.history] == ["as on the sheet", "a shorter sentence"]
    assert second.behaviour == first.behaviour
    assert second.history[0]["rules"] == first.rules.digest != second.rules.digest
    assert {"date": "2026-01-02", "rounds": second.behaviour.rounds, "tallies": 5}.items() <= second.history[1].items()
    assert read_pin(other).history == second.history


def test_changed_behaviour_needs_a_letter(edition):
    pin(edition, "as on the sheet", None, TODAY)
    other = changed_data(edition, "wagers", "dragon-7", "pays", "dragon-7", value="41 to 1")
    with pytest.raises(Refused, match=r"behaves differently \(.*dragon-7.*\): that needs --approval LETTER DATE"):
        pin(other, "it pays better", None, TODAY)
    assert read_pin(edition).history[-1]["because"] == "as on the sheet"
    pinned = pin(other, "", Letter("Letter of the commission", "2026-01-01"), TODAY)
    assert pinned.history[-1]["approval"] == "Letter of the commission"
    assert pinned.history[-1]["approved"] == "2026-01-01"
    assert badge_of(other, PROGRAM).differences == ()


def test_a_changed_limit_is_changed_behaviour(edition):
    pin(edition, "as on the sheet", None, TODAY)
    with pytest.raises(Refused, match="behaves differently"):
        pin(changed_data(edition, "limits", "min_cents", value=100), "lower", None, TODAY)


def test_rounds_that_were_replaced_prove_nothing(edition, tmp_path):
    pin(edition, "as on the sheet", None, TODAY)
    file = tmp_path / "pins" / "x.corpus.xz"
    rounds = Corpus.load(file)
    rounds.rounds = rounds.rounds[1:]
    rounds.save(file)
    other = changed_data(edition, "name", value="Another name")
    with pytest.raises(Refused, match="does not hold the rounds that ez-baccarat-ca was pinned on"):
        pin(other, "a name", None, TODAY)
    file.write_bytes(b"nothing")
    with pytest.raises(Refused, match="not a corpus of rounds"):
        pin(other, "a name", None, TODAY)
    file.unlink()
    with pytest.raises(Refused, match="is missing"):
        pin(other, "a name", None, TODAY)


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
def test_the_shell_pins_one_edition_and_refuses_in_one_line(run, arguments, said):
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
