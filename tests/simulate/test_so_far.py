"""What is dealt so far: always the first shoes, which can be dealt again; and what is kept of it, and for whom."""

import os
from pathlib import Path

import pytest

from houseway.api import Rulebook
from houseway.chunks import done
from houseway.chunks.done import DoneUnits, KeptDone, Shelf, kept_on
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


@pytest.mark.parametrize("asked", [{"shoes": 400}, {"rounds": 20_000}, {"rounds": 20_000, "session": 50}])
def test_what_is_stopped_goes_on_to_the_very_same_tallies(
    asked: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book, told = Rulebook.open("ez-baccarat-wa"), list[Simulated]()
    at_once = book.simulate(seed=3, **asked)
    monkeypatch.setattr(done, "kept_folder", lambda: tmp_path)

    def stop(dealt: Simulated) -> None:
        told.append(dealt)
        if len(told) % 2 == 0:
            raise KeyboardInterrupt

    with kept_on(Shelf("readers", seconds=0.0, whole_stays=True)):
        for _ in range(2):
            with pytest.raises(KeyboardInterrupt):
                book.simulate(seed=3, so_far=stop, resume=True, workers=1, **asked)
        gone_on = book.simulate(seed=3, resume=True, **asked)
        again = book.simulate(seed=3, resume=True, **asked)
    assert [each.rounds for each in told] == sorted({each.rounds for each in told}), "nothing is dealt twice"
    assert gone_on.simulation.resumed_rounds == told[-1].rounds
    assert again.simulation.resumed_rounds == again.rounds, "what is whole is dealt no more"
    for each in (gone_on, again):
        assert each.data() == at_once.data()
        assert each.rows() == at_once.rows()
        assert each.text() == at_once.text()


def _kept(name: str, resume: bool = False) -> KeptDone:
    work = KeptDone(name, resume=resume)
    if not work.found:
        work.done.add((0, 3), {})
        work.save()
    return work


def test_what_is_done_goes_with_its_work_and_stays_on_a_shelf_for_the_newest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(done, "kept_folder", lambda: tmp_path)
    _kept("mine").forget()
    assert not list(tmp_path.iterdir()), "nothing is left to go on with"
    with kept_on(Shelf("readers", whole_stays=True, many=2)):
        for age, name in enumerate(("first", "second", "third")):
            work = _kept(name)
            work.forget()
            os.utime(work.file, (age, age))
        assert _kept("third", resume=True).found
        assert not KeptDone("first", resume=True).found, "the oldest has gone"
    assert sorted(file.name for file in (tmp_path / "readers").iterdir()) == ["second.done.npz", "third.done.npz"]
    assert not KeptDone("third", resume=True).found, "a shelf is for those who work on it"


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
