"""Long work that is stopped goes on where it was; results are kept whole or not at all."""

import numpy as np
import pytest

from houseway.solve import kept


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(kept, "_folder", lambda: tmp_path / "results")


class StoppedError(Exception):
    pass


def test_stopped_work_goes_on_from_the_last_save(monkeypatch) -> None:
    monkeypatch.setattr(kept, "SECONDS_BETWEEN_SAVES", -1)  # after every part
    monkeypatch.setattr(kept, "WORK_FOR_EACH_SAVE", -1)
    met: list[int] = []

    def work(stop_at: int) -> int:
        state = {"sum": np.zeros(1, np.int64)}

        def add(part: int) -> None:
            if part == stop_at:
                raise StoppedError
            met.append(part)
            state["sum"] += part

        kept.resumed("work", range(10), state, add)
        return int(state["sum"][0])

    with pytest.raises(StoppedError):
        work(7)
    assert work(-1) == sum(range(10))
    assert met == list(range(10))  # no part was done twice
    assert work(-1) == sum(range(10))  # and nothing is left of what is complete
    assert met == [*range(10), *range(10)]


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04"])
def test_a_broken_file_costs_time_only(content, tmp_path) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / "work.part.npz").write_bytes(content)
    (folder / "work.json").write_bytes(content)
    state = {"sum": np.zeros(1, np.int64)}
    kept.resumed("work", [1, 2], state, state["sum"].__iadd__)
    assert state["sum"][0] == 3
    assert kept.kept("work", lambda: {"a": 1}) == {"a": 1}


def test_results_are_computed_once() -> None:
    assert kept.kept("one", lambda: {"a": 1}) == kept.kept("one", lambda: {"a": 2}) == {"a": 1}
    first = kept.kept_arrays("two", lambda: [np.arange(3), np.arange(2)])
    again = kept.kept_arrays("two", lambda: pytest.fail("computed twice"))
    assert [one.tolist() for one in first] == [one.tolist() for one in again] == [[0, 1, 2], [0, 1]]


def test_a_folder_that_cannot_be_written_costs_time_only(tmp_path, monkeypatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setattr(kept, "_folder", lambda: blocked / "results")
    assert kept.kept("one", lambda: {"a": 1}) == {"a": 1}
    assert [one.tolist() for one in kept.kept_arrays("two", lambda: [np.arange(3)])] == [[0, 1, 2]]
