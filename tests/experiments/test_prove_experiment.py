"""Proofs in experiments: moves, seconds and winners beside a paper's."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from playout.errors import OptionError
from playout.experiments import load_experiment
from playout.report.curves import Curves
from playout.study import Prove
from playout.study.finished_runs import FinishedRuns
from playout.study.kinds.kind import Budget
from playout.study.specification import Experiment
from tests.support.cli_shell import Shell

EXPERIMENT = """
from playout.study import Cell, Experiment, Figure, Prove, Table

CELLS = tuple(
    Cell(name, shows, 60.0, (Prove(f"domineering:{name}", order="history", shows=shows),), figure)
    for name in ("2x2", "3x3", "5x5", "8x8")
    for shows, figure in (("moves", Figure(5.0)), ("winner", None))
)
TABLE = Table("1", "proofs", CELLS, 60.0, 5000, runs=1, measure="proof", lower=True,
              row_title="size")
EXPERIMENT = Experiment("proofs", "Proofs", (TABLE,), paper="a paper")
"""


def done(search, budget=10**6):
    return search.perform(search.load(), Budget("playouts", budget), 1, lambda: False)


def test_a_run_has_all_that_is_shown():
    search = Prove("domineering:3x3", order="history")
    row = done(search)
    assert (row.score, row.verified, row.stopped_by) == (1.0, True, "proven")
    assert row.moves[0]
    stopped = done(Prove("domineering:8x8", order="history"), budget=1000)
    assert (stopped.score, stopped.verified) == (-math.inf, True)
    assert stopped.stopped_by == "playouts"
    assert stopped.playouts >= 1000
    curves = Curves([one.columns()["curve"] for one in (row, stopped)], "playouts")
    far = np.full(2, 10.0**6)
    runs = FinishedRuns(curves, far, np.zeros(2), ["{}", "{}"])
    for shows, expected in (("moves", row.playouts), ("seconds", row.seconds), ("winner", 1.0)):
        shown = Prove("domineering:3x3", shows=shows).shown(runs, 10**6, False)
        np.testing.assert_equal(shown, [expected, math.nan])
    assert np.isnan(search.shown(runs, row.playouts - 1, False)).all()  # not by then


def test_what_is_shown_of_a_proof_makes_no_other_run():
    moves, seconds = Prove("nogo:2x2"), Prove("nogo:2x2", shows="seconds")
    assert moves.key() == seconds.key()
    game = moves.load()
    others = {Prove("nogo:2x2", solver, order) for solver in ("pn2", "ids") for order in ("game",)}
    others |= {Prove("nogo:2x2", order="killer"), Prove("nogo:2x2", symmetry=True)}
    assert len({search.key() for search in others} | {moves.key()}) == 5
    assert moves.code(game) == seconds.code(game)
    assert moves.code(game) != Prove("nogo:2x2", "dfpn").code(game)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"solver": "alphabet"}, "did you mean alphabeta"),
        ({"order": "histery"}, "did you mean history"),
        ({"shows": "move"}, "did you mean moves"),
    ],
)
def test_names_that_there_are_not(settings, says):
    with pytest.raises(OptionError, match=says):
        Prove("nogo:2x2", **settings).check()


def test_the_papers_tables():
    experiment = load_experiment("solver")
    assert [table.name for table in experiment.tables] == list("1234567") + ["9", "10"]
    assert Experiment.from_json(json.loads(json.dumps(experiment.to_json()))) == experiment
    for table in experiment.tables:
        for cell in table.cells:
            for search in cell.searches:
                search.check()
                search.load()
    winners = {(c.row, c.column): c for c in experiment.tables[2].cells}
    assert winners["2", "9"].paper.value == 2  # as printed
    assert winners["2", "9"].searches == winners["9", "2"].searches
    best = {(c.row, c.column): c for c in experiment.tables[0].cells}["ab-MC", "6x5 seconds"]
    assert best.paper.value == 787.17
    assert best.searches[0].game == "atarigo:6x5"


@pytest.mark.long
def test_a_report(tmp_path_factory):
    shell = Shell(tmp_path_factory.mktemp("proofs"))
    shell.write("proofs.py", EXPERIMENT)
    words = ("proofs.py", "--store", "s.sqlite", "--workers", "1", "--by", "playouts")
    run = shell("reproduce", *words)
    assert run.returncode == 0, run.stderr
    lines = {line.split()[0]: line.split()[1:] for line in run.stdout.splitlines() if line.strip()}
    assert lines["2x2"][0] == "1"  # one move is enough
    assert lines["2x2"][-1] == lines["3x3"][-1] == "1"
    assert lines["8x8"] == ["unsolved", "5", "unsolved"]
