"""`design_rna`: different sequences that fold into a target, found, printed and saved."""

from __future__ import annotations

import doctest
import importlib

import pytest

import playout as po
from playout.errors import DataError, OptionError
from playout.problems import InverseFolding
from playout.tasks import design_rna
from tests.support.rna_cases import needs_vienna

HAIRPIN = "((((....))))"
QUICK = po.GNRPA(level=1, polish=True)

pytestmark = [needs_vienna, pytest.mark.long]


def test_designs_differ_and_fold_into_the_target(tmp_path):
    seen = []
    designs = design_rna(HAIRPIN, QUICK, count=3, seed=1, workers=1, found=seen.append)
    assert designs.complete
    assert designs.designs == seen
    assert len({design.sequence for design in seen}) == 3
    import RNA

    for design in seen:
        assert RNA.fold_compound(design.sequence).mfe()[0] == HAIRPIN == design.structure
        assert design.solved
    assert "target: 12 nt, 4 pairs" in str(designs)
    assert "design 3  " in str(designs)
    assert "<svg" in designs._repr_html_()
    designs.save(tmp_path / "designs.fasta")
    lines = (tmp_path / "designs.fasta").read_text().splitlines()
    assert lines[1::2] == [design.sequence for design in seen]
    assert designs.to_json()["designs"][2]["sequence"] == seen[2].sequence


def test_a_problem_is_left_as_it_was():
    problem = InverseFolding(HAIRPIN, bases="GGGGAAAACCCS")
    designs = design_rna(problem, QUICK, po.Seconds(20), count=3, seed=1, workers=1)
    assert problem.excluded == set()
    assert [design.sequence for design in designs.designs] == ["GGGGAAAACCCC"]
    assert designs.shortfall().startswith("there are no more")


@pytest.mark.long
def test_what_is_not_found_comes_with_the_nearest(tmp_path):
    designs = design_rna("((...))", stop=po.Playouts(5), temperature=95.0, seed=1, workers=1)
    assert (designs.designs, designs.best.solved, designs.complete) == ([], False, False)
    assert "a design has 1" in str(designs)
    with pytest.raises(DataError, match="no design to save"):
        designs.save(tmp_path / "none.fasta")


def test_mistakes_are_one_line(tmp_path):
    (tmp_path / "targets.txt").write_text(f"((...))\n{HAIRPIN}\n")
    file = str(tmp_path / "targets.txt")
    with pytest.raises(OptionError, match="has 2 targets: give one"):
        design_rna(file)
    with pytest.raises(OptionError, match="gc_min is an option of targets that are named"):
        design_rna(InverseFolding(HAIRPIN), gc_min=10.0)
    with pytest.raises(OptionError, match="count=0"):
        design_rna(HAIRPIN, count=0)


def test_the_example_of_the_docstring():
    failed, tried = doctest.testmod(importlib.import_module("playout.tasks.rna_design"))
    assert (failed, tried) == (0, 6)
