"""What is dealt so far: always the first shoes, which can be dealt again; and nothing is on the disk unless it is kept."""

from pathlib import Path

import pytest

from houseway.api import Rulebook
from houseway.chunks import done
from houseway.chunks.done import DoneUnits, KeptDone
from houseway.refusal import Refused
from houseway.simulate.report import Simulated
from houseway.solve.answer import Answer
from houseway.solve.files import file_of


@pytest.mark.parametrize("asked", [{"shoes": 400}, {"rounds": 20_000, "session": 50}], ids=["shoes", "sessions"])
def test_what_is_dealt_so_far_is_what_the_first_units_give(asked: dict[str, int]) -> None:
    book, told = Rulebook.open("ez-baccarat-wa"), list[Simulated]()
    whole = book.simulate(seed=3, workers=2, so_far=told.append, **asked)
    units = [each.simulation.units for each in told]
    assert units == sorted(set(units))
    assert units[-1] == whole.simulation.units
    assert told[-1].data() == whole.data()
    for each in told[:: max(1, len(told) // 3)]:
        first = each.simulation.units
        goal = {"rounds": first * asked["session"], "session": asked["session"]} if "session" in asked else {"shoes": first}
        assert book.simulate(seed=3, workers=1, **goal).data() == each.data()


def test_what_is_not_kept_is_in_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(done, "kept_folder", lambda: tmp_path)
    for keep in (True, False):
        work = KeptDone(f"work {keep}", resume=False, keep=keep)
        work.done.add((0, 3), {})
        work.save()
    assert [file.name for file in tmp_path.iterdir()] == ["work True.done.npz"]
    again = KeptDone("work True", resume=False, keep=False)
    again.forget()
    assert list(tmp_path.iterdir()), "what another has kept stays"


def test_only_the_first_units_are_whole() -> None:
    units = DoneUnits()
    assert not units.is_whole
    units.add((4, 8), {})
    assert not units.is_whole
    units.add((0, 4), {})
    assert units.is_whole
    units.add((9, 10), {})
    assert not units.is_whole


def test_a_file_that_an_answer_does_not_have_is_refused() -> None:
    answer = Answer({"a": 1}, [{"a": 1}], "one")
    assert [file_of(answer, ending) for ending in (".json", ".csv", ".txt")] == [b'{\n  "a": 1\n}\n', b"a\n1\n", b"one\n"]
    with pytest.raises(Refused, match=r"there is no plot of this answer \(write .json, .csv, .txt\)"):
        file_of(answer, ".svg")
