"""The experiment on Eterna100, and what it needs: counts of solved instances, targets, threads."""

from __future__ import annotations

import json

import numpy as np
import pytest

from playout.errors import OptionError
from playout.experiments.inversefolding import EXPERIMENT
from playout.study.cell_figures import Sample, compare_with_paper, summary
from playout.study.kinds.kind import Budget
from playout.study.kinds.solve import Solve
from playout.study.specification import Cell, Experiment, Figure, Table
from tests.support.rna_cases import needs_vienna

HAIRPIN = Solve("inversefolding", "gnrpa", "", {"level": 1}, {"target": "((((....))))"}, target=1.0)


def table(**settings):
    cell = Cell("line", "column", 10.0, (HAIRPIN,))
    settings = {"measure": "solved", "target": 1.0, **settings}
    return Table("1", "title", (cell,), 10.0, 100, 1, **settings)


def sample(*scores):
    return Sample(tuple(np.array(values) for values in scores))


def test_solved_instances_are_counted():
    ours = summary(sample([1.0], [0.4], [1.0], [-2.0]), table())
    assert (ours.value, ours.runs) == (2.0, 1)
    assert 0 < ours.low < 2 < ours.high < 4
    twice = summary(sample([1.0, 1.0], [0.4, 1.0]), table())
    assert (twice.value, twice.runs) == (1.5, 2)


def test_they_are_compared_with_a_paper():
    all_solved = sample(*[[1.0]] * 100)
    assert compare_with_paper(all_solved, Figure(100), table()) == 1.0
    assert compare_with_paper(all_solved, Figure(80), table()) < 0.001


def test_a_count_needs_a_target():
    with pytest.raises(OptionError, match="needs a target"):
        table(target=None)


def test_targets_and_threads_are_in_the_key():
    keys = {
        Solve("p", "gnrpa").key(),
        Solve("p", "gnrpa", target=1.0).key(),
        Solve("p", "gnrpa", workers=2).key(),
        Solve("p", "gnrpa", workers=2, parallel="leaf").key(),
    }
    assert len(keys) == 4
    assert Solve("p", "gnrpa").key() == "p default | gnrpa"  # as it always was


@pytest.mark.long
@needs_vienna
def test_a_run_ends_at_its_target():
    row = HAIRPIN.perform(HAIRPIN.load(), Budget("playouts", 5000), 1, lambda: False)
    assert (row.score, row.stopped_by, row.verified) == (1.0, "target", True)
    assert row.playouts < 5000


def test_the_papers_tables():
    assert [t.name for t in EXPERIMENT.tables] == ["1", "3", "4", "6", "V1", "V2"]
    for t in EXPERIMENT.tables:
        for cell in t.cells:
            assert len(cell.searches) in (0, 100)
            for search in cell.searches[:1]:
                search.check()
    first = EXPERIMENT.tables[0]
    assert first.cells[0].mark * first.playouts / first.seconds == 100
    again = Experiment.from_json(json.loads(json.dumps(EXPERIMENT.to_json())))
    assert again.tables[1].cells[0].searches[0].key() == first_key(EXPERIMENT.tables[1])


def first_key(t):
    return t.cells[0].searches[0].key()
