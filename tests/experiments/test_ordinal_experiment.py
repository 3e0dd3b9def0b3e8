"""The experiment of the ordinal paper: its printed tables, ranks, the best of some settings."""

from __future__ import annotations

import json

import numpy as np
import pytest

import playout as po
from playout.errors import OptionError
from playout.experiments import load_experiment
from playout.experiments.ordinal import (
    BUDGETS,
    CHOSEN_SEEDS,
    GAMES,
    GRIDS,
    PRINTED,
    SEARCHES,
    TABLE_2,
)
from playout.report.curves import Curves
from playout.study import Cell, Experiment, Table
from playout.study.finished_runs import FinishedRuns
from playout.study.kinds.episodes import Episodes
from playout.study.rankings import rank_tests, ranks_of, remark
from playout.study.specification import Experiment as Specification
from tests.support import world_games

EVERY = (*SEARCHES, "YOLOBOT")


def test_the_printed_tables():
    """By wins, then by score, the printed figures have the printed mean ranks and test."""
    rows = [PRINTED[game, calls] for game in GAMES for calls in BUDGETS]
    ranks = np.array([ranks_of([row[name] for name in EVERY]) for row in rows])
    means = dict(zip(EVERY, ranks.mean(axis=0).round(1)))
    assert means == {"O-MCTS": 1.6, "MCTS": 2.5, "YOLOBOT": 2.6, "PB-MCTS": 3.5, "MixMax": 4.7}
    assert rank_tests(EVERY, ranks)[0] == "Friedman's chi2 = 60.5, p < 0.001"
    places = [int(word) for line in TABLE_2.splitlines() for word in line.split()[2:]]
    assert len(places) == len(set(places)) == 144
    assert set(range(1, 182)) - set(places) == {15, *range(109, 145)}


def test_the_experiment():
    experiment = load_experiment("ordinal")
    assert Specification.from_json(experiment.to_json()) == experiment
    assert len(GAMES) == 7
    assert all(len(grid) == len(set(grid)) == 36 for grid in GRIDS.values())
    for table in experiment.tables:
        for cell in table.cells:
            for search in cell.searches:
                assert search.levels == 1
    GRIDS["O-MCTS"].index("ordinal:C=1.25,length=5")
    first = experiment.tables[0]
    assert first.name == "1 wins, 250"
    assert "O-MCTS 1.14, MCTS 1.86, PB-MCTS 3.00, MixMax 4.00" in first.note
    levels = load_experiment("ordinal-levels").tables[0].cells[0].searches[0]
    assert levels.levels == 5


def test_chosen_settings_are_of_the_grid_and_judged_by_other_luck():
    experiment = load_experiment("ordinal")
    tables = {table.name: table for table in experiment.tables}
    chosen, best = tables["chosen wins, 500"], tables["1 wins, 500"]
    assert chosen.first_seed == CHOSEN_SEEDS + 1
    grids = {(cell.row, cell.column): cell.searches for cell in best.cells}
    assert len(chosen.cells) == len(GAMES) * len(SEARCHES)
    for cell in chosen.cells:
        (search,), (grid,) = cell.searches, grids[cell.row, cell.column]
        assert len(search.searches) == 1
        assert set(search.searches) < set(grid.searches)


def test_ranks():
    assert ranks_of([(1.0, 3.0), (0.5, 9.0), (1.0, 4.0), (1.0, 3.0)]) == [2.5, 4.0, 1.0, 2.5]
    lines = [{"a": (3.0,), "b": (2.0,), "c": (1.0,)}] * 6
    text = remark(lines, "6 lines")
    assert text.startswith(
        "mean ranks over 6 lines: a 1.00, b 2.00, c 3.00; Friedman's chi2 = 12.0"
    )
    assert "Wilcoxon a and b: p = 0.031" in text  # 2 of 64 signs
    assert remark([], "no line") == ""
    same = remark([{"a": (1.0,), "b": (1.0,)}], "1 line")
    assert same == "mean ranks over 1 line: a 1.50, b 1.50"


def test_the_best_setting_is_by_wins_then_by_score():
    details = [
        {"won": [1, 1, 0], "score": [5.0, 6.0, 99.0]},
        {"won": [0, 0, 0], "score": [5.0, 8.0, 99.0]},
    ]
    blob = np.zeros((1, 3)).tobytes()
    runs = FinishedRuns(
        Curves([blob, blob], "playouts"),
        np.array([250.0, 250.0]),
        np.array([1, 1]),
        [json.dumps(one) for one in details],
    )
    searches = ("ordinal:C=1", "ordinal:C=2", "ordinal:C=0")
    best = Episodes("vgdl:game=crates", searches)
    assert best.shown(runs, 250.0, False).tolist() == [1.0, 0.0]
    assert best.ranked_by(runs, 250.0) == (0.5, 7.0)
    third = Episodes("vgdl:game=crates", searches, "score", "ordinal:C=0")
    assert third.shown(runs, 250.0, False).tolist() == [99.0, 99.0]
    assert third.cell("playouts", 250.0) == best.cell("playouts", 250.0)
    assert len(best.shown(runs, 500.0, False)) == 0
    for wrong, words in (
        (Episodes("vgdl", searches, "wins"), "shows='wins': one of won, score"),
        (Episodes("vgdl", searches, setting="ordinal"), "none of the searches"),
        (Episodes("vgdl", ("nmcs",)), "nmcs"),
    ):
        with pytest.raises(OptionError, match=words):
            wrong.check()


@pytest.mark.long
def test_episodes_in_an_experiment(tmp_path):
    """Runs are kept, verified and ranked; a second call does none of them again."""
    walk = f"{world_games.__file__}:Walk"  # whose kernels other tests have, too
    names = {"O-MCTS": "ordinal", "MCTS": "openloop"}  # one kernel
    grids = {
        name: tuple(f"{search}:C={C},length=3" for C in (0.5, 1)) for name, search in names.items()
    }
    cells = tuple(
        Cell("walk", name, 20.0, (Episodes(walk, grid, "score", levels=2),))
        for name, grid in grids.items()
    )
    places = tuple(
        Cell(text, name, 20.0, (Episodes(walk, grid, "score", text, 2),))
        for name, grid in grids.items()
        for text in grid
    )
    sizes = {"seconds": 20.0, "playouts": 20, "runs": 2, "by": "playouts"}
    experiment = Experiment(
        "small",
        "small games",
        (
            Table("scores", "scores", cells, ranked=True, **sizes),
            Table("places", "places", places, measure="rank", lower=True, **sizes),
        ),
    )
    store = tmp_path / "runs.sqlite"
    report = po.reproduce(experiment, store=store, workers=1)
    assert not report.warnings
    scores, order = report.tables
    assert all(cell.ours.runs == 2 for cell in scores.cells)
    assert scores.remarks[0].startswith("mean ranks over 1 line: ")
    found = sorted(cell.ours.value for cell in order.cells)
    assert sum(found) == sum(range(1, 5))
    assert "Mean ranks over 1 line" in " ".join(str(report).split())
    again = po.reproduce(experiment, store=store, workers=1)
    assert [cell.ours for cell in again.tables[0].cells] == [cell.ours for cell in scores.cells]
