"""Specifications and plans: printed tables, scale, times, choices, and which runs they ask for."""

from __future__ import annotations

import json

import pytest

from playout.errors import OptionError, PlayoutError
from playout.experiments import EXPERIMENTS, load_experiment
from playout.study import Cell, Experiment, Figure, Match, Solve, Table, curve_table, doubling
from playout.study.plan import Settings, make_plan
from playout.study.run_plan import announcement
from playout.study.specification import game_table, instance_table, printed_table


def small(**settings):
    columns = {"A": Solve("maximum", "random"), "B": Solve("maximum", "nmcs"), "paper": None}
    paper = """
    1   10  20 (3)  -
    2   1,000.5  -30  40
    """
    table = curve_table("1", "t", columns, (1, 2), playouts=100, runs=10, paper=paper, **settings)
    return Experiment("small", "Small", (table,), paper="somebody")


def test_a_printed_table():
    assert printed_table("  0.01  1  2,345 (1.5)\n\n  Total  -3.5 ( 2 )  -  \n") == {
        "0.01": [Figure(1.0), Figure(2345.0, 1.5)],
        "Total": [Figure(-3.5, 2.0), None],
    }


@pytest.mark.parametrize("text", ["1 2 x", "1 2\n1 3", "1 2(3)4"])
def test_a_printed_table_with_a_fault(text):
    with pytest.raises(OptionError):
        printed_table(text)


def test_a_line_of_the_wrong_width():
    with pytest.raises(OptionError, match="2 figures for 1 columns"):
        curve_table("1", "t", {"A": None}, (1,), playouts=1, runs=1, paper="1 2 3")


def test_doubling():
    assert doubling(0.01, 0.08) == (0.01, 0.02, 0.04, 0.08)
    assert doubling(0.01, 163.84)[-1] == 163.84
    assert len(doubling(0.01, 163.84)) == 15


@pytest.mark.long
def test_every_experiment_is_sound_and_survives_json():
    assert {"snrpa", "gnrpa"} <= set(EXPERIMENTS)
    for name in EXPERIMENTS:
        experiment = load_experiment(name)
        assert experiment.name == name
        assert Experiment.from_json(json.loads(json.dumps(experiment.to_json()))) == experiment
        runs = make_plan(experiment, Settings(scale=0.001)).planned_runs()
        for search in {repr(run.search): run.search for run in runs}.values():
            search.check()


def test_the_papers_own_sums():
    """The printed total of Table 2 is the sum of its columns: nothing was copied wrongly."""
    boards = load_experiment("snrpa").tables[1]
    for column in boards.columns():
        cells = [cell for cell in boards.cells if cell.column == column]
        assert sum(c.paper.value for c in cells if c.row != "Total") == cells[-1].paper.value


def test_the_full_plan():
    plan = make_plan(small(), Settings())
    runs = plan.planned_runs()
    assert len(runs) == 20
    assert {(t.search.algorithm, t.budget, t.unit) for t in runs} == {
        ("random", 2.0, "seconds"),
        ("nmcs", 2.0, "seconds"),
    }
    assert [t.seed for t in runs[:2]] == [1, 1]  # all cells fill alike
    assert sorted({t.seed for t in runs}) == list(range(1, 11))


def test_scale_shortens_times_lines_and_runs():
    (table,) = make_plan(small(), Settings(scale=0.5)).tables
    assert (table.budget, table.runs) == (1.0, 5)
    assert [c.mark for c in table.cells[:1] + table.cells[-1:]] == [0.5, 1.0]
    (table,) = make_plan(small(), Settings(scale=0.001)).tables
    assert (table.budget, table.runs) == (0.002, 2)  # an interval needs two


def test_seconds_keep_the_papers_axis():
    (table,) = make_plan(small(), Settings(seconds=1.5)).tables
    assert [c.mark for c in table.cells] == [1.0] * 3 + [None] * 3
    assert table.budget == 1.0


def test_seconds_of_a_table_with_one_mark():
    table = instance_table(
        "1",
        "t",
        {"A": Solve("samegame", "random")},
        {"1": "random:1", "2": "random:2"},
        seconds=100.0,
        playouts=10,
        runs=3,
        total="Sum",
    )
    plan = make_plan(Experiment("e", "E", (table,)), Settings(seconds=5.0))
    assert {t.budget for t in plan.planned_runs()} == {5.0}
    assert len(plan.planned_runs()) == 6  # the sum needs no runs of its own
    assert [len(cell.searches) for cell in table.cells] == [1, 1, 2]


def test_playouts_stand_for_times():
    plan = make_plan(small(), Settings(by="playouts"))
    assert {(t.unit, t.budget) for t in plan.planned_runs()} == {("playouts", 100.0)}
    (table,) = make_plan(small(), Settings(by="playouts", playouts=7)).tables
    assert [c.mark for c in table.cells[::3]] == [4.0, 7.0]  # 3.5 is rounded to even


@pytest.mark.parametrize(
    ("word", "searches", "budget"),
    [
        ("1", {"random", "nmcs"}, 2.0),  # a table goes before a line of the same name
        ("table 1", {"random", "nmcs"}, 2.0),
        ("1/1", {"random", "nmcs"}, 1.0),
        ("b", {"nmcs"}, 2.0),
        ("1/A", {"random"}, 2.0),
    ],
)
def test_only(word, searches, budget):
    runs = make_plan(small(), Settings(only=(word,))).planned_runs()
    assert {t.search.algorithm for t in runs} == searches
    assert {t.budget for t in runs} == {budget}


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"only": ("C",)}, "no table, line or column 'C'"),
        ({"only": ("paper",)}, "nothing to run"),
        ({"seconds": 0.5}, "the first is at 1 s"),
        ({"scale": 0.0}, "over 0"),
        ({"scale": 1.5}, "at most 1"),
        ({"scale": 0.5, "seconds": 1.0}, "not both"),
        ({"by": "playouts", "seconds": 1.0}, "not both"),
        ({"by": "hours"}, "seconds or playouts"),
    ],
)
def test_settings_with_a_fault(settings, says):
    with pytest.raises(PlayoutError, match=says):
        make_plan(small(), Settings(**settings))


@pytest.mark.parametrize(
    "settings",
    [{"measure": "median"}, {"measure": "success"}, {"runs": 0}, {"seconds": 0.5}, {"cells": ()}],
)
def test_tables_with_a_fault(settings):
    usual = {
        "name": "1",
        "title": "t",
        "cells": (Cell("r", "c", 1.0),),
        "seconds": 1.0,
        "playouts": 1,
        "runs": 1,
    }
    with pytest.raises(OptionError, match="table 1"):
        Table(**{**usual, **settings})


def test_keys_tell_searches_apart():
    one = Solve("tsptw", "gnrpa", "a/1", {"tau": 1.4, "N": (10, 20)}, {"selective": False})
    assert one.key() == "tsptw a/1 selective=false | gnrpa N=10,20 tau=1.4"
    assert Solve("tsptw", "gnrpa").key() == "tsptw default | gnrpa"
    assert Solve("f.py:P", "gnrpa", compiled=False).key() == "f.py:P default | gnrpa interpreted"


def test_games():
    """Matches by the simulations of a move: win percentages, beside a paper's."""
    table = game_table(
        "1",
        "t",
        {"A": ("uct", "puct"), "theirs": None},
        {"ttt": "tictactoe"},
        simulations=100,
        runs=4,
        total="Average",
        paper="ttt 55.0(±4.30) 40\nAverage 50 60",
        paper_runs=500,
    )
    experiment = Experiment("e", "E", (table,))
    assert Experiment.from_json(json.loads(json.dumps(experiment.to_json()))) == experiment
    assert table.cells[0].paper == Figure(55.0, 4.3)
    runs = make_plan(experiment, Settings()).planned_runs()
    assert {(t.unit, t.budget, t.cell()) for t in runs} == {
        ("playouts", 100.0, "tictactoe | uct against puct | 100 playouts a move")
    }
    # another budget is another match, not the beginning of a longer one
    (half,) = {t.cell() for t in make_plan(experiment, Settings(scale=0.5)).planned_runs()}
    assert half == "tictactoe | uct against puct | 50 playouts a move"
    with pytest.raises(OptionError, match="is by playouts"):
        make_plan(experiment, Settings(by="seconds"))


def test_own_experiments(tmp_path):
    good = tmp_path / "mine.py"
    good.write_text(
        "from playout.study import *\n"
        "EXPERIMENT = Experiment('mine', 'Mine', (curve_table('1', 't',"
        " {'A': Solve('maximum', 'random')}, (1,), playouts=5, runs=2),))\n"
    )
    assert load_experiment(str(good)).name == "mine"
    taken = tmp_path / "taken.py"
    taken.write_text(good.read_text().replace("'mine'", "'snrpa'"))
    empty = tmp_path / "empty.py"
    empty.write_text("x = 1\n")
    broken = tmp_path / "broken.py"
    broken.write_text("1/0")
    for path, says in {
        taken: "like one of the package",
        empty: "has no EXPERIMENT",
        broken: "line 1: ZeroDivisionError",
        tmp_path / "none.py": "none.py",
        "snrp": "did you mean snrpa",
    }.items():
        with pytest.raises(PlayoutError, match=says):
            load_experiment(str(path))


def test_how_long_it_takes_is_told_but_of_seconds_a_move():
    def told(table):
        plan = make_plan(Experiment("e", "E", (table,)), Settings())
        return announcement(plan, lambda threads: 4)

    searches = {"A": Solve("maximum", "random")}
    by_time = curve_table("1", "t", searches, (300.0, 600.0), playouts=100, runs=10)
    assert told(by_time) == "e: 10 runs, at most 25 minutes on 4 workers"
    matches = {"A": Match("tictactoe", "uct", "random"), "B": Match("tictactoe", "uct", "grave")}
    by_move = curve_table("1", "t", matches, (0.5, 1.0), playouts=100, runs=10)
    assert told(by_move) == "e: 40 runs, with 0.5 s and 1 s a move"
