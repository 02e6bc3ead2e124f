"""The second method: rounds dealt card by card with a fixed seed, and how far their returns lie from the counted ones."""

import hashlib
from pathlib import Path
from typing import Any

import houseway.simulate as simulate_room
from houseway.games import edition_from
from houseway.refusal import Refused
from houseway.report.document import Block, Column, DataTable, Paragraph, Run, Text
from houseway.report.figures import ExactFigure, count
from houseway.report.studied import Studied
from houseway.simulate.question import ask, seats_of
from houseway.simulate.report import Simulated
from houseway.simulate.run import Goal, simulate
from houseway.simulate.simulator import Simulator
from houseway.solve.kept import kept, key_of

ROUNDS, BY_PLAY, SEED = 100_000, 10_000, 14
"""Rounds that are dealt, by a compiled simulator or through the readable rules, and their seed."""
Json = dict[str, Any]


def second_method(studied: Studied) -> list[Block]:
    """Every wager as it was dealt: its return with an error, and how many errors that is from the exact one."""
    try:
        dealt = _dealt(studied)
    except Refused as refused:
        return [Paragraph(f"Rounds are not dealt as a second method: {refused.message}.", "note")]
    rows: list[list[Text]] = []
    for name, each in dealt["wagers"].items():
        if name not in studied.edition.wagers:  # dealt with all the others, and not offered here
            continue
        id_ = f"method.dealt.{name}"
        returned = ExactFigure(
            f"{id_}.return", each["mean"], f"{each['mean'] * 100:+.3f} ± {each['error'] * 100:.3f} %", "share", each["error"]
        )
        held: list[Text] = ["not solved for this player", ""]
        if each["exact"] is not None:
            held = [
                ExactFigure(f"{id_}.exact", each["exact"], f"{each['exact'] * 100:+.3f} %", "share"),
                ExactFigure(f"{id_}.z", each["z"], f"{each['z']:+.2f}"),
            ]
        rows.append([studied.edition.name_of(name), returned, *held])
    columns = [
        Column("Wager", wide=True),
        Column("Return, dealt", "right"),
        Column("Counted or solved", "right"),
        Column("Errors away", "right"),
    ]
    about: list[Run] = ["The second method is dealing: ", count("method.dealt.rounds", dealt["rounds"])]
    about += [f" rounds, card by card through the same rules, with the seed {SEED}. Nineteen in twenty lie within two errors."]
    about += _decides(studied)
    return [Paragraph(about), DataTable(columns, rows)]


def _decides(studied: Studied) -> list[Run]:
    """Who decides in the rounds that are dealt: that need not be the player of the par sheets."""
    simulator = studied.edition.game.simulator
    if not isinstance(simulator, Simulator) or not simulator.players:
        return []
    player = simulator.players[0]
    return [
        f" Who decides there is the player “{player}” of houseway simulate; what is solved beside it is of the same player."
    ]


def _dealt(studied: Studied) -> Json:
    """What dealing comes to, kept on disk: the same seed always comes to the same."""
    edition, settings = studied.edition, studied.settings
    files = [Path(__file__), *sorted(Path(str(simulate_room.__file__)).parent.glob("*.py"))]
    sources = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()

    def compute() -> Json:
        question = ask(
            edition,
            settings,
            seats_of(edition, settings, 1, "", (), False),
            cut=None,
            burn=None,
            burn_by_value=False,
            extra=0,
            shuffler=False,
            seed=SEED,
            session_rounds=0,
        )
        goal = Goal(ROUNDS if isinstance(edition.game.simulator, Simulator) else BY_PLAY, 0)
        run = Simulated(simulate(question, goal, edition_from))
        told = {
            name: {
                "mean": float(each.mean),
                "error": each.standard_error,
                "exact": None if each.exact is None or each.z is None else float(each.exact),
                "z": each.z,
            }
            for name, each in run.wagers.items()
            if each.rounds
        }
        return {"rounds": run.rounds, "wagers": told}

    return kept(key_of(edition, settings, "dealt", ROUNDS, BY_PLAY, SEED, sources), compute)
