"""One test for every game: those of the house, the examples outside it, and folders copied under another name."""

import pytest
from folders import EXAMPLES, copied, edited

from houseway.conformance import CHECKS, flaws_of, report
from houseway.games import NAMES

OUTSIDE = ("dragon_tiger", "casino_war")


@pytest.mark.parametrize("name", [*NAMES, *OUTSIDE])
def test_a_game_conforms(name, monkeypatch):
    monkeypatch.setenv("HOUSEWAY_GAMES", str(EXAMPLES))
    checked = report(name)
    assert list(checked) == list(CHECKS)
    assert {check: flaws for check, flaws in checked.items() if flaws} == {}


@pytest.mark.parametrize("name", ["ez_baccarat", "duki_4_poker", "casino_war"])
def test_a_folder_copied_under_another_name_is_a_game(name, monkeypatch, tmp_path):
    monkeypatch.setenv("HOUSEWAY_GAMES", str(copied(name, f"another_{name}", tmp_path)))
    assert flaws_of(f"another_{name}", rounds=4) == []


SPOILED = {
    "a clause that is not there": (
        "game.py",
        ('Wager(id_, name, "DT-4"', 'Wager(id_, name, "DT-7"'),
        "clauses: wager dragon cites DT-7",
    ),
    "a sentence of what its step does not tell": (
        "face.toml",
        ('tiger-has = "Tiger has {cards}"', 'tiger-has = "Tiger has {suits}"'),
        "example: the sentence of \"tiger-has\" in face.toml [steps] wants 'suits', ",
    ),
    "a result that the roads do not know": (
        "game.py",
        ('"tiger-win": "T"', '"tiger-win": "D"'),
        'results: "tiger-win" is keyed as T, but play_result marks D',
    ),
    "deals that do not add up": ("game.py", ("(shoe, (1, 1))", "(shoe, (1, 2))"), "odds: dragon: "),
    "a play that is not always the same": (
        "game.py",
        ("    hands = _shown(", '    request.bets.setdefault("tiger", 1)\n    hands = _shown('),
        "example: playing the example changed what it was given",
    ),
    "a spot of no wager": ("face.toml", ('wager = "tie", mark', 'wager = "ties", mark'), '"ties" is no wager of this game'),
    "an edition under another's name": ("editions/{id}.toml", ('id = "{id}"', 'id = "other"'), "editions: edition"),
}


@pytest.mark.parametrize("what", SPOILED)
def test_what_does_not_conform_is_named(what, monkeypatch, tmp_path):
    file, (before, after), said = SPOILED[what]
    name = f"spoiled_{list(SPOILED).index(what)}"
    folder, id_ = copied("dragon_tiger", name, tmp_path), f"{name.replace('_', '-')}-dragon-tiger"
    edited(folder / file.format(id=id_), (before.format(id=id_) if "{id}" in before else before, after))
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    found = flaws_of(name, rounds=2)
    assert any(said.replace("spoiled_1", "spoiled-1") in flaw for flaw in found), found


def test_a_step_without_a_sentence_gets_one(monkeypatch, tmp_path):
    folder = copied("dragon_tiger", "speechless", tmp_path)
    edited(folder / "face.toml", ('tiger-has = "Tiger has {cards}"\n', ""))
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    assert flaws_of("speechless", rounds=2) == []


@pytest.mark.parametrize("outcome", [7, -1, 10**12])
def test_a_rule_that_answers_with_an_outcome_it_does_not_have_is_named(outcome, monkeypatch, tmp_path):
    """Compiled counting must not write where there is no such outcome: that killed the process."""
    name = f"outside_{abs(outcome)}"
    folder = copied("dragon_tiger", name, tmp_path)
    edited(folder / "game.py", ("    return DRAGON_WIN if", f"    return {outcome} if"))
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    found = flaws_of(name, rounds=1)
    assert any(flaw.startswith("odds: Refused: ") and "answers with an outcome that is none" in flaw for flaw in found), found


def test_a_game_whose_choices_tell_a_card_that_is_face_down_is_named(monkeypatch, tmp_path):
    """Casino War with the dealer's card face down: who is asked about a tie then knows it."""
    folder = copied("casino_war", "blind_war", tmp_path)
    edited(folder / "game.py", ("        dealer_face_up=1,\n", ""))
    monkeypatch.setenv("HOUSEWAY_GAMES", str(tmp_path))
    found = flaws_of("blind_war", rounds=40)
    assert any("is told a card that is face down" in flaw for flaw in found), found
