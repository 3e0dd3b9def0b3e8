"""Reproducing an experiment from Python, in one call."""

from __future__ import annotations

import pytest

import playout as po
from playout.errors import OptionError
from playout.study import Experiment, Solve, curve_table
from playout.study.run_plan import stored_reports
from playout.study.store.results_store import open_store


@pytest.fixture
def experiment() -> Experiment:
    searches = {"random": Solve("maximum", "random", problem_options={"n": 9}, compiled=False)}
    table = curve_table("1", "a table", searches, [1.0], playouts=20, runs=2, paper="1 3.0")
    return Experiment("ours", "Ours", (table,))


def test_what_is_missing_is_run_and_reported(experiment, tmp_path) -> None:
    told: list[str] = []
    store = tmp_path / "store.sqlite"
    how = {"store": store, "workers": 1, "say": told.append}
    first = po.reproduce(experiment, by="playouts", **how)
    assert told == ["ours: 2 runs"]
    assert first.tables[0].cells[0].ours.runs == 2
    again = po.reproduce(experiment, by="playouts", **how)
    assert again.tables == first.tables
    with open_store(store, read_only=True) as opened:
        assert stored_reports(opened, "ours")[0].tables == first.tables
        with pytest.raises(OptionError, match="playout reproduce snrpa makes them"):
            stored_reports(opened, "snrpa", papers=["snrpa"])
        with pytest.raises(OptionError, match="did you mean ours"):
            stored_reports(opened, "our")


def test_no_such_experiment() -> None:
    with pytest.raises(po.PlayoutError, match="did you mean snrpa"):
        po.reproduce("snrp")
