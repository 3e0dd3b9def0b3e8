"""Every kind of run is what its name says, and a new one is a class and a line."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import playout.study.conduct as conducting
from playout.errors import DataError
from playout.study.conduct import conduct
from playout.study.kinds import KINDS
from playout.study.kinds.kind import Budget, Kind
from playout.study.make_report import make_report
from playout.study.plan import Settings, make_plan
from playout.study.specification import Cell, Experiment, Table, curve_table
from playout.study.store.claim_owner import lock_file
from playout.study.store.results_store import open_store
from playout.study.store.row import Row


@dataclass(frozen=True)
class Dice(Kind):
    """The highest of some throws; those of one number of sides are not made at once."""

    sides: int
    shift: int = 0
    folder: str = ""

    kind: ClassVar[str] = "dice"
    counts: ClassVar[str] = "throws"

    def where(self):
        return f"dice {self.sides}"

    def key(self):
        return f"{self.where()} | shifted by {self.shift}"

    def load(self):
        return range(1, self.sides + 1)

    def code(self, problem):
        return str(len(problem))

    def lock(self, seed):
        return Path(self.folder) / f"{self.sides}.lock" if self.folder else None

    def perform(self, problem, budget, seed, over):
        if self.folder:
            with self.lock(seed).open("ab") as lock:
                assert lock_file(lock)  # nobody waits for another
                time.sleep(0.05)
        throws = np.random.default_rng(seed).choice(problem, int(budget.amount)) + self.shift
        best = float(throws.max())
        return Row(
            problem=self.where(), algorithm="throw", score=best, playouts=len(throws), seconds=0.0
        )


@pytest.fixture
def _with_dice(monkeypatch):
    monkeypatch.setitem(KINDS._entries, "dice", type(KINDS.entry("solve"))(f"{__name__}:Dice"))


def test_every_name_is_that_of_its_kind():
    for name, kind in KINDS.items():
        assert kind.kind == name
        assert issubclass(kind, Kind)


@pytest.mark.usefixtures("_with_dice")
def test_a_new_kind_is_run_stored_and_reported(tmp_path):
    columns = {"plain": Dice(6), "shifted": Dice(6, 10)}
    table = curve_table("1", "dice", columns, (1, 20), playouts=20, runs=3, by="playouts")
    experiment = Experiment("dice", "Dice", (table,))
    assert Experiment.from_json(json.loads(json.dumps(experiment.to_json()))) == experiment
    plan = make_plan(experiment, Settings())
    outcome = conduct(plan, store=tmp_path / "s.sqlite", problems={"dice 6": range(1, 7)})
    assert outcome.done == 6
    with open_store(tmp_path / "s.sqlite") as store:
        report = make_report(store, plan, codes=outcome.codes)
        again, *_ = store.experiment("dice")
    assert again == experiment
    expected = [
        Dice(6).perform(range(1, 7), Budget("playouts", 20), s, None).score for s in (1, 2, 3)
    ]
    cell = report.tables[0].cell("20", "plain")
    assert cell.ours.value == np.mean(expected)
    assert report.tables[0].cell("20", "shifted").ours.value == np.mean(expected) + 10
    assert "20 throws" in report.tables[0].budget
    assert report.tables[0].pictures == ()


def test_runs_that_share_their_work_are_not_handed_out_at_once(tmp_path):
    """A worker that would only wait for another gets other work."""
    searches = [Dice(sides, shift, str(tmp_path)) for sides in (4, 6) for shift in (0, 1, 2)]
    cells = tuple(Cell(str(n), "a", 5.0, (search,)) for n, search in enumerate(searches))
    table = Table("1", "dice", cells, seconds=5.0, playouts=5, runs=1, by="playouts")
    plan = make_plan(Experiment("dice", "Dice", (table,)), Settings())
    problems = {f"dice {sides}": range(1, sides + 1) for sides in (4, 6)}
    outcome = conduct(plan, store=tmp_path / "s.sqlite", workers=3, problems=problems)
    assert outcome.done == 6


def test_a_kind_that_is_not_there():
    table = Table("1", "t", (Cell("r", "c", 1.0, (Dice(6),)),), seconds=1, playouts=1, runs=1)
    data = json.loads(json.dumps(Experiment("e", "E", (table,)).to_json()))
    assert data["tables"][0]["cells"][0]["searches"] == [{**asdict(Dice(6)), "kind": "dice"}]
    with pytest.raises(DataError, match="runs of the kind 'dice', which no installed package"):
        Experiment.from_json(data)
    data["tables"][0]["cells"][0]["searches"] = [{"kind": "solve", "sides": 6}]
    with pytest.raises(DataError, match="cannot be read"):
        Experiment.from_json(data)


def test_the_threads_of_a_run_are_those_of_its_players():
    slow = "uct:parallel=slow-tree,graph=uct3,workers={}"
    searches = [
        KINDS["match"]("tictactoe", "uct", "random"),
        KINDS["match"]("tictactoe", "random", slow.format(16)),
        KINDS["choice"]("tictactoe", slow.format(4)),
        KINDS["match"]("tictactoe", slow.format(16), "random"),
    ]
    assert [one.threads() for one in searches] == [1, 16, 4, 16]
    groups = conducting.by_threads(searches, lambda one: one)
    assert groups == {1: searches[:1], 4: searches[2:3], 16: [searches[1], searches[3]]}


def test_runs_at_once_are_as_many_as_there_are_cores_for(monkeypatch):
    monkeypatch.setattr(conducting, "cores", lambda: 16)
    found = [conducting.at_once(threads, None, None) for threads in (1, 4, 16, 32)]
    assert found == [16, 4, 1, 1]
    assert conducting.at_once(16, 3, None) == 3
