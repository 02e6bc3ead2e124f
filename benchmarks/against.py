"""What `make bench` measures, here and in another checkout, in turn in one run.

python benchmarks/against.py CHECKOUT [--turns N] [--scripts run live solve]    # make bench AGAINST=CHECKOUT does this and more

Each checkout runs its own benchmarks in its own environment (`make setup` there first). What both call by the same name is
compared: the best of the turns on each side, and how many times as long this side takes.
"""

import argparse
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
SCRIPTS = ("run", "live", "solve")
MEASURE = re.compile(r"^ {0,4}(?P<name>\S.*)\n +(?P<value>[\d,.]+) (?P<unit>s|ms|µs|ns)\b", re.MULTILINE)
SECONDS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}


def measured(checkout: Path, script: str) -> dict[str, float]:
    """What a checkout's script says that things take, in seconds, by their names."""
    command = [str(checkout / ".venv/bin/python"), f"benchmarks/{script}.py"]
    ended = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    if ended.returncode:
        print(f"{checkout.name}: {script}.py ended with {ended.returncode}: {ended.stderr.strip()[-400:]}", flush=True)
    return {
        found["name"]: float(found["value"].replace(",", "")) * SECONDS[found["unit"]]
        for found in MEASURE.finditer(ended.stdout)
    }


def main() -> None:
    """Run both in turn, and print each measure's best on both sides with their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--scripts", nargs="+", choices=SCRIPTS, default=SCRIPTS)
    given = parser.parse_args()
    other = given.checkout.resolve()
    print(f"{'seconds, the best of ' + str(given.turns):<88}{'there':>12}{'here':>12}{'ratio':>8}")
    for script in given.scripts:
        turns = [(measured(other, script), measured(HERE, script)) for _ in range(given.turns)]
        there, here = ({name: min(side[name] for side in sides) for name in sides[0]} for sides in zip(*turns, strict=True))
        for name in here:
            if name in there:
                print(f"{name[:86]:<88}{there[name]:>12.6f}{here[name]:>12.6f}{here[name] / there[name]:>8.2f}", flush=True)
        for name in sorted(here.keys() ^ there.keys()):
            print(f"{name[:86]:<88}{'only ' + ('here' if name in here else 'there'):>24}", flush=True)


if __name__ == "__main__":
    main()
