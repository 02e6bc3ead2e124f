"""How long an audit takes beside one of another release, in turn in one run.

python benchmarks/audit.py CHECKOUT [--rounds N] [--turns N]    # such as a worktree of 0.1

Each side makes a journal of its own of the same one-seat rounds, and audits it; what is compared is processor time.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent.parent
SIDE = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import live
from houseway.kernels import compiled
getattr(compiled, "load_compiler", lambda: None)()  # what audits long journals has loaded it
folder, rounds = Path(sys.argv[2]), int(sys.argv[3])
floor = live.opened(f"sqlite:///{folder / 'house.db'}", folder)
with floor.store.writing() as writer:
    for _ in range(rounds):
        for command in live.ROUND:
            floor._do(writer, command, live.DEALER, "")
print("ready", flush=True)
for _ in sys.stdin:
    began = time.process_time()
    assert live.Auditor(floor.store).run().flaw is None
    print((time.process_time() - began) / rounds * 1e6, flush=True)
"""


def side(checkout: Path, folder: Path, rounds: int) -> "subprocess.Popen[str]":
    """A process that has a journal, and audits it whenever it is given a line."""
    folder.mkdir(mode=0o700)
    arguments = [sys.executable, "-c", SIDE, str(checkout / "benchmarks"), str(folder), str(rounds)]
    where = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    return subprocess.Popen(arguments, env=where, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def answer(process: "subprocess.Popen[str]", line: str = "") -> str:
    """What a side says next, after it was given a line."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(line)
    process.stdin.flush()
    return process.stdout.readline()


def main() -> None:
    """Compare both, and print each side's best and the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--rounds", type=int, default=3_000)
    parser.add_argument("--turns", type=int, default=8)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        processes = [
            side(checkout.resolve(), Path(name, place), given.rounds)
            for place, checkout in (("there", given.checkout), ("here", HERE))
        ]
        assert all(answer(process) == "ready\n" for process in processes)
        turns = [[float(answer(process, "\n")) for process in processes] for _ in range(given.turns + 1)][1:]
        for process in processes:
            process.communicate()
    there, here = (min(took) for took in zip(*turns, strict=True))
    ratio = median(ours / theirs for theirs, ours in turns)
    print(f"Auditing one-seat rounds of baccarat: {here:.0f} us of CPU a round here, {there:.0f} there")
    print(f"    {here / there:.3f} times as long by the best of {given.turns}, {ratio:.3f} by the median of pairs")


if __name__ == "__main__":
    main()
