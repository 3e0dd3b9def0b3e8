"""RNA inverse folding: searches, mending a sequence, and the puzzles of Eterna100."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import playout as po
from playout.errors import OptionError
from playout.problems import InverseFolding
from playout.problems.instances import find_instance
from playout.problems.inverse_folding.folding import Folder, Model, Rivals, refold
from playout.problems.inverse_folding.mutation_walk import parts_of
from playout.problems.inverse_folding.structure import pairs_of
from tests.support.bothways import random_game
from tests.support.datafolder import DATA, data, needs_data
from tests.support.forms import long
from tests.support.rna_cases import finished, needs_vienna

quick = settings(max_examples=25, deadline=None, derandomize=True)
ETERNA = "eterna100/eterna100_puzzles.tsv"


@needs_vienna
class TestSearch:
    ALGORITHM = po.GNRPA(level=1, N=30, P=4, beam=2, history=1)

    @pytest.mark.long
    def test_the_same_compiled_interpreted_and_shared_out(self):
        problem = InverseFolding.random(5, n=30)
        stop = po.Playouts(60)
        plain = po.solve(problem, self.ALGORITHM, stop, seed=1, compiled=False)
        for settings_ in ({}, {"workers": 2, "parallel": "leaf"}):
            found = po.solve(problem, self.ALGORITHM, stop, seed=1, **settings_)
            assert (found.score, found.records, found.playouts) == (plain.score, plain.records, 60)
            assert found.verified

    @pytest.mark.parametrize("parallel", ["root", "leaf"])
    @pytest.mark.long
    def test_a_design(self, parallel):
        problem = InverseFolding.default()
        stop = po.Playouts(5000) | po.Target(1)
        result = po.solve(
            problem, po.GNRPA(level=2, P=4), stop, seed=1, workers=2, parallel=parallel
        )
        assert (result.score, result.verified, result.stopped_by) == (1.0, True, "target")
        sequence = problem.sequence(result.final_state(problem)[0])
        assert problem.fold(sequence).structure == problem.target


@needs_vienna
class TestMending:
    TARGET = "((((....))..((((...))))..))."

    def test_parts(self):
        structure = "((((....))))..(((..((((....))))..(((...)))..)))...."
        partner = pairs_of(structure)
        assert partner[:5] == [11, 10, 9, 8, -1]
        # the last stem within the second is shorter than 12; the whole is always there
        assert parts_of(partner) == [(0, 11), (19, 30), (14, 46), (0, 50)]
        assert parts_of(pairs_of("((((....))))")) == [(0, 11)]
        assert parts_of(pairs_of("....")) == [(0, 3)]

    def test_rivals_tell_what_need_not_be_folded(self):
        """No fold lies above a rival; one with pairs that the sequence cannot form is none."""
        target = "((((....))))........"
        folder = Folder(target, Model())
        rivals, sequence = Rivals(folder), b"GGGGAAAACCCCAAAAAAAA"
        lower = refold(sequence.decode(), target, Model()).target_energy
        assert not rivals.beat(sequence, -1000)
        rivals.add("." * len(target))  # of energy 0
        assert rivals.beat(sequence, lower - 1)
        assert not rivals.beat(sequence, lower)
        rivals.add("........((((....))))")
        assert not rivals.beat(sequence, lower)
        assert rivals.beat(b"AAAAAAAAGGGGAAAACCCC", 100)

    @quick
    @given(st.integers(0, 1000))
    def test_rivals_are_never_below_the_fold(self, seed):
        problem = InverseFolding(self.TARGET)
        folds, rivals = [], Rivals(problem.folder)
        for k in range(4):
            sequence = problem.sequence(random_game(problem, 4 * seed + k)[1][0]).encode()
            folds.append((sequence, problem.folder.fold(sequence)))
            rivals.add(folds[-1][1].structure)
        for sequence, fold in folds:
            gap = fold.target_energy - fold.energy
            assert not rivals.beat(sequence, gap)
            assert rivals.beat(sequence, gap - 1)

    def test_a_part_is_right_whatever_its_stem(self):
        walk = InverseFolding("...((...((((....))))...((((....))))..))...").walk
        part = walk.parts[-2]
        assert (part.first, part.last, part.stem, walk.parts[-1].stem) == (3, 38, 2, 0)
        fold = refold("G" * 36, part.folder.target, Model())
        inside = part.folder.target[2:-2]
        assert part.is_right(fold._replace(structure=f"..{inside}.."))
        assert part.is_right(fold._replace(structure=f"(({inside}))"))
        assert not part.is_right(fold._replace(structure="." * 36))

    def mended(self, problem, seed, first=0):
        trace, state = random_game(problem, seed)
        moves = trace.copy()
        rng = np.array([seed], np.uint64)
        assert problem.polish(state[0].copy(), moves, first, len(moves), rng) == len(moves)
        assert (moves[:first] == trace[:first]).all()
        return state, problem.replay(moves)

    @pytest.mark.parametrize("seed", [0, long(1), long(2), long(3)])
    def test_never_worse_and_within_all_bounds(self, seed):
        n = len(self.TARGET)
        problem = InverseFolding(
            self.TARGET, bases="GN" + "N" * (n - 3) + "R", gc_min=40, gc_max=60, forbid="AAA,GGG"
        )
        before, after = self.mended(problem, seed, first=3 * seed)
        scores = [float(problem.evaluate(states)[0]) for states in (before, after)]
        assert scores[1] >= scores[0]
        assert problem.fault(problem.sequence(after[0])) == ""
        if before[0].broken:
            assert before.tobytes() == after.tobytes()
        again = self.mended(problem, seed, first=3 * seed)[1]
        assert again.tobytes() == after.tobytes()

    def test_it_finds_designs(self):
        problem = InverseFolding(self.TARGET)
        found = [float(problem.evaluate(self.mended(problem, seed)[1])[0]) for seed in range(5)]
        assert max(found) == 1.0

    def test_designs_that_are_known_already_are_none(self):
        problem = InverseFolding("((((....))))")
        design = problem.sequence(self.mended(problem, 1)[1][0])
        assert problem.fold(design).distance == 0
        problem.excluded.add(design)
        assert problem.sequence(self.mended(problem, 1)[1][0]) != design


@needs_vienna
@needs_data(ETERNA)
class TestEterna:
    SETTINGS = {"v1": ("turner1999", 1, "Vienna1", 98), "v2": ("default", 2, "Vienna2", 99)}

    @pytest.mark.parametrize("version", ["v1", "v2"])
    @pytest.mark.long
    def test_known_solutions_fold_into_their_targets(self, version):
        """All of them, in the energy model that they were found in, without the GIL."""
        model, dangles, name, expected = self.SETTINGS[version]
        column = f"Sample Solution ({version.upper()}/{name})"
        with data(ETERNA).open(encoding="utf-8") as file:
            known = [row[column] for row in csv.DictReader(file, delimiter="\t")]
        problems = InverseFolding.read(data(ETERNA), version=version, model=model, dangles=dangles)
        assert len(problems) == 100
        solved = 0
        for problem, sequence in zip(problems, known, strict=True):
            if sequence.startswith("(") or len(sequence) != problem.length:
                continue  # unsolved, undisclosed, or of an earlier target
            assert problem.fault(sequence) == ""
            assert problem.final_score(finished(problem, sequence)) == 1.0, problem.name
            solved += 1
        assert solved == expected

    def test_instances_and_options(self, monkeypatch):
        monkeypatch.setenv("PLAYOUT_DATA", str(DATA))
        first, name = find_instance(InverseFolding, "eterna100/50", version="v1")
        second, _ = find_instance(InverseFolding, "eterna100/50")
        assert name == "eterna100/50"
        assert first.target != second.target
        assert first.name == second.name
        with pytest.raises(OptionError, match="version is an option of instances from files only"):
            find_instance(InverseFolding, None, version="v1")

    def test_verify_agrees_on_long_ones(self):
        problems = InverseFolding.read(data(ETERNA), version="v1", model="turner1999", dangles=1)
        for number in (10, 60, 90):
            problem = problems[number - 1]
            moves, states = random_game(problem, number)
            assert problem.verify(moves) == pytest.approx(problem.final_score(states), rel=1e-12)
