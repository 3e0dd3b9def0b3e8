"""The tables of the paper on Policy-MCTS, and the kinds of runs that they are made of."""

from __future__ import annotations

import math
import sqlite3

import numpy as np
import pytest

from playout.errors import DataError, OptionError
from playout.experiments import load_experiment, policymcts
from playout.learn.networks import find_model
from playout.study.conduct import conduct
from playout.study.kinds.generations import Generations
from playout.study.kinds.kind import Budget
from playout.study.kinds.solve import Solve
from playout.study.make_report import make_report
from playout.study.plan import Settings, make_plan
from playout.study.specification import Experiment, curve_table
from playout.study.store.results_store import open_store
from tests.support.study_folder import Folder


@pytest.fixture
def no_models(tmp_path, monkeypatch):
    monkeypatch.setattr(find_model, "FOLDER", tmp_path / "nothing")


def searches(experiment):
    return [s for table in experiment.tables for cell in table.cells for s in cell.searches]


def test_the_papers_totals_are_those_of_its_boards():
    table = policymcts.EXPERIMENT.tables[-1]
    for column in table.columns():
        cells = [cell for cell in table.cells if cell.column == column]
        *boards, total = [cell.paper.value for cell in cells]
        assert len(boards) == 20
        assert sum(boards) == total


def test_every_search_of_the_experiment_is_one_that_there_is():
    for search in searches(policymcts.EXPERIMENT):
        search.check()
    again = Experiment.from_json(policymcts.EXPERIMENT.to_json())
    assert [s.key() for s in searches(again)] == [s.key() for s in searches(policymcts.EXPERIMENT)]


def test_table_2_is_of_the_runs_of_figure_2():
    tables = {table.name: table for table in policymcts.EXPERIMENT.tables}
    drawn = {s.cell("seconds", 5) for cell in tables["Figure 2 15x15"].cells for s in cell.searches}
    counted = {s.cell("seconds", 5) for cell in tables["2"].cells for s in cell.searches}
    assert len(drawn) == 3
    assert drawn <= counted
    printed = {(cell.row, cell.column): cell.paper.value for cell in tables["2"].cells}
    assert printed["simulations, 15 s", "MCTS"] == 403_243
    assert printed["leaf expansions, 15 s", "P-MCTS random"] == 628
    for (row, column), value in printed.items():
        what, time = row.split(", ")
        if what != "simulations":  # each is some of those in the line before
            more = {"expansions": "simulations", "leaf expansions": "expansions"}[what]
            assert value <= printed[f"{more}, {time}", column]


def test_without_a_policy_plain_mcts_has_its_place_and_the_others_say_what_to_do(no_models):
    plan = make_plan(policymcts.make(), Settings(only=("Figure 2 7x7",), runs=1, seconds=1))
    plain, *guided = {run.search.key(): run.search for run in plan.planned_runs()}.values()
    assert not plain.has_model()
    assert plain.code(plain.load())
    for search in guided:
        with pytest.raises(DataError, match=r"playout train samegame:7x7 .* --model FILE"):
            search.code(search.load())


def test_a_model_is_taken_for_its_own_size(tmp_path):
    pytest.importorskip("torch")
    from playout.learn.networks.model_file import save_model
    from playout.learn.networks.network_shape import Shape
    from playout.learn.networks.policy_network import new_network

    def save(name, size, cls="SameGame", **about):
        network = new_network(Shape(6, size, size, size * size), filters=2)
        save_model(tmp_path / name, network, {"class": cls, **about})
        return str(tmp_path / name)

    small = save("small", 7, scores=[10.0, 12.0, 15.0, 14.0], seconds=40.0)
    experiment = load_experiment("policymcts", [small])
    named = [s for s in searches(experiment) if getattr(s, "options", {}).get("model") == small]
    assert {s.problem_options["rows"] for s in named} == {7}
    found = next(s for s in searches(experiment) if isinstance(s, Generations))
    assert found.model == small
    curve = [c for table in experiment.tables for c in table.cells if found in c.searches]
    assert [cell.row for cell in curve] == ["1", "2", "3", "4"]
    row = found.perform(found.load(), Budget("playouts", 3), 1, lambda: False)
    assert np.array(row.curve)[:, 1:].tolist() == [[1, 10], [2, 12], [3, 15]]
    assert row.score == 15
    for other, why in (
        (save("second", 7), "too"),
        (save("five", 5), "one for each of 7x7"),
        (save("foreign", 10, cls="Other"), "no policy for SameGame"),
    ):
        with pytest.raises((OptionError, DataError), match=why):
            load_experiment("policymcts", [small, other])
    with pytest.raises(OptionError, match="gnrpa uses no trained policy"):
        load_experiment("gnrpa", [small])


def test_whole_runs_have_an_instance_for_each_seed_and_show_their_playouts(tmp_path, monkeypatch):
    """Each budget is runs of its own, on the instances of their seeds."""
    folder = Folder(tmp_path)
    monkeypatch.chdir(tmp_path)
    text = (tmp_path / "bits.py").read_text()
    own = "\n    @classmethod\n    def random(cls, seed):\n        return cls(seed + 1)\n"
    (tmp_path / "bits.py").write_text(text + own)
    search = Solve("bits.py:Bits", "random", "random:{seed}", compiled=False, whole=True)
    shown = Solve(**{**vars(search), "shows": "playouts"})
    table = curve_table("1", "t", {"s": search, "p": shown}, (1, 10), playouts=500, runs=3)
    plan = make_plan(Experiment("e", "E", (table,)), Settings(by="playouts"))
    outcome = conduct(plan, store=folder.store)
    assert outcome.done == 6
    with sqlite3.connect(folder.store) as connection:
        found = connection.execute("SELECT instance, playouts, score FROM runs").fetchall()
    assert sorted({(name, n) for name, n, _ in found}) == [
        (f"random:{seed}", n) for seed in (1, 2, 3) for n in (50, 500)
    ]
    # with so many playouts all bits are set, and there is one more than the seed
    assert {name: score for name, n, score in found if n == 500} == {
        f"random:{seed}": seed + 1 for seed in (1, 2, 3)
    }
    with open_store(folder.store) as store:
        report = make_report(store, plan, codes=outcome.codes)
    (shown_table,) = report.tables
    cells = {(c.row.split()[0], c.column): c.ours for c in shown_table.cells}
    assert cells["10", "s"].value == pytest.approx(3)
    assert cells["10", "p"].value == 500
    assert cells["1", "p"].value == 50
    (picture,) = shown_table.pictures
    assert [point[0] for point in picture.curves[0].points] == [50, 500]
    with pytest.raises(OptionError, match="whole=True"):
        Solve(**{**vars(shown), "whole": False}).check()


def test_what_a_search_counts_is_in_the_report(tmp_path, monkeypatch):
    folder = Folder(tmp_path)
    monkeypatch.chdir(tmp_path)
    plain = {"model": "uniform", "tree": "game", "leaves": 3}
    search = Solve("bits.py:Bits", "policy-mcts", options=plain, compiled=False, whole=True)
    names = ("playouts", "expansions", "leaf_expansions")
    shown = {name: Solve(**{**vars(search), "shows": name}) for name in names}
    table = curve_table("1", "t", shown, (1, 10), playouts=30, runs=2, measure="count")
    plan = make_plan(Experiment("e", "E", (table,)), Settings(by="playouts"))
    outcome = conduct(plan, store=folder.store)
    assert outcome.done == 4

    def cells():
        with open_store(folder.store) as store:
            report = make_report(store, plan, codes=outcome.codes)
        assert not any(cell.verdict for cell in report.tables[0].cells)
        return {(c.row.split()[0], c.column): c.ours for c in report.tables[0].cells}

    found = cells()
    # three playouts expand the root, thirty no more nodes than they are, of which some are ends
    assert [found["1", name].value for name in names] == [3, 1, 0]
    assert found["10", "playouts"].value == 30
    assert found["10", "expansions"].value > found["10", "leaf_expansions"].value > 0
    # a run that has counted nothing is as one that is not there
    with sqlite3.connect(folder.store) as connection:
        connection.execute("UPDATE runs SET checksum = '', details = '{}' WHERE seed = 1")
    assert cells()["10", "expansions"].runs == 1
    assert cells()["10", "playouts"].runs == 2
    for name, why in (
        ("expansion", "did you mean expansions"),
        ("prefix", "there are: expansions"),
    ):
        with pytest.raises(OptionError, match=why):
            Solve(**{**vars(search), "shows": name}).check()


@pytest.mark.long
def test_a_generation_has_the_interval_of_its_games(tmp_path):
    pytest.importorskip("torch")
    from playout.learn.networks.model_file import save_model
    from playout.learn.networks.network_shape import Shape
    from playout.learn.networks.policy_network import new_network

    def cells(name, **about):
        network = new_network(Shape(6, 7, 7, 49), filters=2)
        path = tmp_path / name
        save_model(path, network, {"class": "SameGame", "scores": [10.0, 12.0], **about})
        experiment = load_experiment("policymcts", [str(path)])
        plan = make_plan(experiment, Settings(only=("Figure 1 7x7",)))
        outcome = conduct(plan, store=tmp_path / "s.sqlite")
        with open_store(tmp_path / "s.sqlite") as store:
            report = make_report(store, plan, codes=outcome.codes)
        table = report.tables[0]
        return [cell.ours for cell in table.cells], table.pictures[0].curves[0].points

    # games with scores 8 and 12: the deviation is 2, the error of their mean 2, t with 1 is 12.706
    entries = [{"games": 2, "score": 10.0, "deviation": 2.0}, {"games": 400, "deviation": 9.0}]
    (first, second), points = cells("told", record=entries)
    assert (first.low, first.high) == pytest.approx((10 - 25.412, 10 + 25.412), abs=1e-3)
    assert second.high - second.value == pytest.approx(1.9659 * 9 / math.sqrt(399), abs=1e-3)
    assert first.runs == second.runs == 1
    assert points[0] == pytest.approx((1, 10, first.low, first.high))
    assert points[-1] == pytest.approx((2, 12, second.low, second.high))
    for record in ({}, {"record": [{"games": 1, "deviation": 0.0}]}):
        (first, second), points = cells(f"untold{len(record)}", **record)
        assert (first.low, second.low) == (None, None)
        assert all(low == value == high for _, value, low, high in points)
