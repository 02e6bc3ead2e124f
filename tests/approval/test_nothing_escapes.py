"""Whatever decides money in a game's folder counts: wrappers, patches, what objects hold, data files, wherever they lie."""

import json
import re
from pathlib import Path

import pytest

from houseway.approval.rules import Described, rules_of
from houseway.games import open_edition
from houseway.kernels import compiled

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
RESOLVE = "game.wagers.ace-bonus.resolve"
LOSSY = """
import functools
from dataclasses import replace


def lossy(play):
    @functools.wraps(play)
    def inner(request):
        played = play(request)
        return replace(played, results=tuple(replace(result, outcome="lose") for result in played.results))
    return inner


class Lossy:
    py_func = staticmethod(play)

    def __call__(self, request):
        return lossy(play)(request)


GAME = Game("""
HELD = """
import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path


@dataclass(frozen=True)
class Terms:
    cards: int
    count: int


class Keeper:
    def __init__(self, rank):
        self._rank = rank

    def __call__(self, request):
        return _bonus(request, self._rank)


class Slotted:
    __slots__ = ("rank",)

    def __init__(self, rank):
        self.rank = rank


def _bonus(request, rank):
    return Play((), (Result("ace-bonus", BONUS[0 if request.cards[0] >> 2 == rank else 1].id, "HC-2"),))


def by_terms(terms, request):
    return _bonus(request, terms.cards)


def by_slots(slots, request):
    return _bonus(request, slots.rank)


def by_file(request):
    return _bonus(request, json.loads((Path(__file__).parent / "deep" / "more" / "rank.json").read_text()))


def by_suffix(request):
    return _bonus(request, json.loads(Path(__file__).with_suffix(".json").read_text()))


GAME = Game("""


def files() -> dict[str, str]:
    """The game of the documentation."""
    return dict(re.findall(r'^```\w+ title="high_card/([^"]+)"\n(.*?)^```', PAGE.read_text(), re.DOTALL | re.MULTILINE))


@pytest.fixture
def differences(tmp_path, monkeypatch):
    """What differs between two copies of High Card, each with changes of its own."""

    def write(folder, name, changes):
        texts = files()
        for file, old, new in changes:
            text = texts.get(file, "")
            assert old in text, old
            texts[file] = text.replace(old, new, 1) if old else text + new
        for file, text in texts.items():
            path = folder / name / file.replace("high-card", name.replace("_", "-"))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace("high_card", name).replace("high-card", name.replace("_", "-")))

    def ask(test, before, after):
        told, folder = [], tmp_path / test
        monkeypatch.setenv("HOUSEWAY_GAMES", str(folder))
        names = [f"{test}_a", f"{test}_b"]
        for name, changes in zip(names, (before, after), strict=True):
            write(folder, name, changes)
        for name in names:
            rules = rules_of(open_edition(name.replace("_", "-")))
            definitions = {key.replace(name, "x") for key in rules.definitions}
            data = json.dumps(dict(rules.data)).replace(name, "x").replace(name.replace("_", "-"), "x")
            told.append((definitions, json.loads(data)))
        (then, had), (now, has) = told
        return then ^ now | {key for key in had.keys() | has.keys() if had.get(key) != has.get(key)}

    return ask


def held(resolve):
    """High Card with objects and files in it, and one of them at work."""
    return [
        ("game.py", "\nGAME = Game(", HELD),
        ("game.py", "resolve=_resolve_bonus", f"resolve={resolve}"),
        ("game.json", "", "12"),
        ("deep/more/rank.json", "", "12"),
    ]


def test_a_copy_under_another_name_has_the_same_rules(differences):
    assert differences("copy", [], []) == set()


PATCHES = {
    "init": [("__init__.py", "", "\nfrom . import game as _g\n_g.BONUS = _g.BONUS[::-1]\n")],
    "init_lambda": [("__init__.py", "", "\nfrom . import game as _g\n_g.showdown = lambda tape, settings: 1\n")],
    "init_loop": [("__init__.py", "", "\nfrom . import game as _g\nfor _ in (0,):\n    _g.BONUS = _g.BONUS[::-1]\n")],
    "quietly": [
        ("__init__.py", "", "\nfrom .extra import DONE\n"),
        ("extra.py", "", "from . import game as g\n\n\ndef patch():\n    g.BONUS = g.BONUS[::-1]\n\n\nDONE = patch()\n"),
    ],
    "mutating": [
        ("__init__.py", "", "\nfrom . import extra\n"),
        ("extra.py", "", "from . import game as g\n\nDONE = vars(g).update(BONUS=g.BONUS[::-1])\n"),
    ],
    "extra": [
        ("__init__.py", "", "\nfrom . import extra\n"),
        ("extra.py", "", "from . import game as _g\n_g.showdown = lambda tape, settings: 1\n"),
    ],
    "far": [
        ("rules.py", "\nWIN, LOSE", "\nfrom .far import X\n\nWIN, LOSE"),
        ("far.py", "", "X = 1\nprint()\n"),
    ],
    "called": [
        ("game.py", "    cards = request.cards\n", "    from . import late\n\n    cards = request.cards\n"),
        ("late.py", "", "from . import game as _g\n_g.BONUS = _g.BONUS[::-1]\n"),
    ],
}


@pytest.mark.parametrize("name", PATCHES)
def test_what_the_folder_does_when_it_is_imported_counts(differences, name):
    found = differences(f"patch_{name}", [], PATCHES[name])
    assert any("x/" in key for key in found), found


def test_a_wrapper_counts_and_not_only_what_it_wraps(differences):
    before = [("game.py", "\nGAME = Game(", LOSSY)]
    wrapped = differences("wraps", before, [*before, ("game.py", "    play=play,", "    play=lossy(play),")])
    assert "x/game.py: lossy" in wrapped
    assert "game.play.play" in wrapped, "what it wraps is still named"
    pretends = differences("pretends", before, [*before, ("game.py", "    play=play,", "    play=Lossy(),")])
    assert {"x/game.py: Lossy", "x/game.py: Lossy.__call__"} <= pretends


@pytest.mark.parametrize(
    ("name", "before", "after", "key"),
    [
        ("private", "Keeper(12)", "Keeper(0)", f"{RESOLVE}._rank"),
        ("slots", "partial(by_slots, Slotted(12))", "partial(by_slots, Slotted(0))", f"{RESOLVE}.arguments.0.rank"),
        ("fields", "partial(by_terms, Terms(12, 1))", "partial(by_terms, Terms(0, 1))", f"{RESOLVE}.arguments.0.cards"),
    ],
)
def test_what_an_object_holds_counts(differences, name, before, after, key):
    assert differences(f"held_{name}", held(before), held(after)) == {key}


def test_every_file_of_the_folder_counts_that_is_no_look(differences):
    deep = held("by_file")
    changed = [*deep[:3], ("deep/more/rank.json", "", "0")]
    assert differences("deep", deep, changed) == {"file x/deep/more/rank.json"}
    beside = held("by_suffix")
    assert differences("beside", beside, [*beside[:2], ("game.json", "", "0"), beside[3]]) == {"file x/game.json"}
    assert differences("looks", [], [("face.toml", 'cloth = "blue"', 'cloth = "green"')]) == set()


def test_a_compiled_rule_is_the_function_that_was_written():
    """Compiled by numba, or declared and not compiled yet."""
    written = test_a_compiled_rule_is_the_function_that_was_written
    declared = compiled.helper(written)
    assert isinstance(declared, compiled.Compiled)
    for value in (written, declared, declared.compiled):
        told = Described()
        told.add("game.play", value)
        assert told.data["game.play"].endswith(f"{Path(__file__).stem}.{written.__name__}")
        assert [root.name for root in told.roots] == [written.__name__]
