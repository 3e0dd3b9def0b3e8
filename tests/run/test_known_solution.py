"""A solution that is known already: begun with, checked, and a bound that says when to stop."""

from __future__ import annotations

import json

import numpy as np
import pytest

import playout as po
from playout.errors import DataError, OptionError, ProblemError
from playout.run.driver import BeatenBoundWarning
from tests.run.test_costs import COSTS
from tests.support.cli_shell import Shell
from tests.support.tiny_tree import TinyTree

PROBLEM = TinyTree(np.random.default_rng(5).integers(0, 50, 3**5), branches=3)
BEST = int(PROBLEM.leaves.max())
ALGORITHMS = ["auto", "random", "nmcs:level=2", "gnrpa:level=2,N=5", "gnrpa:level=3,P=2", "uct"]


def game(leaf):
    """The moves to a leaf."""
    return [[leaf // 3**depth % 3] for depth in reversed(range(5))]


SECOND = int(np.argsort(PROBLEM.leaves)[-2])


class TestStart:
    @pytest.mark.parametrize("algorithm", ALGORITHMS)
    def test_nothing_worse_comes_out(self, algorithm):
        for budget in (1, 40):
            result = po.solve(
                PROBLEM, algorithm, po.Playouts(budget), seed=1, compiled=False, start=game(SECOND)
            )
            assert result.score >= PROBLEM.leaves[SECOND]
            assert (result.verified, result.playouts) == (True, budget)
            assert result.curve[0] == [0.0, 0, PROBLEM.leaves[SECOND]]

    def test_the_result_says_that_nothing_better_was_found(self):
        best = game(int(np.argmax(PROBLEM.leaves)))
        found, better = (
            po.solve(PROBLEM, "auto", "60 playouts", seed=1, compiled=False, start=start)
            for start in (best, game(int(np.argmin(PROBLEM.leaves))))
        )
        assert found.notes == ["nothing better than the start was found"]
        assert better.notes == []

    def test_what_is_found_is_still_found(self):
        result = po.solve(
            PROBLEM, "nmcs:level=2", "300 playouts", seed=1, compiled=False, start=game(0)
        )
        assert result.score > PROBLEM.leaves[0]
        assert result.curve[-1][2] == result.score

    @pytest.mark.parametrize(
        ("algorithm", "playouts"), [("gnrpa:level=2", 60), ("nmcs:level=1", 15)]
    )
    def test_the_search_goes_on_near_it(self, algorithm, playouts):
        """With a head start more of the first playouts are the solution than by chance."""
        seen = []

        class Watched(TinyTree):
            def score(self, state):
                seen.append(int(state.leaf))
                return self.leaves[state.leaf]

            def code(self, state, move):
                return 3 * state.played + move.branch

        problem = Watched(PROBLEM.leaves, branches=3)
        counts = []
        for start in (None, game(SECOND)):
            seen.clear()
            stop = po.Playouts(playouts)
            po.solve(problem, algorithm, stop, seed=1, compiled=False, start=start)
            counts.append(sum(leaf // 9 == SECOND // 9 for leaf in seen))
        assert counts[1] >= counts[0] + 5

    def test_texts_records_arrays_and_results_are_the_same(self):
        result = po.solve(PROBLEM, "random", "30 playouts", seed=1, compiled=False)
        records = np.array([tuple(move) for move in result.records], PROBLEM.move_type)
        for start in (result, result.moves, result.records, records):
            again = po.solve(PROBLEM, "random", "1 playouts", seed=9, compiled=False, start=start)
            assert again.records == result.records

    def test_a_checkpoint_knows_its_start(self, tmp_path):
        def run(budget, start):
            return po.solve(
                PROBLEM,
                "gnrpa:level=2",
                po.Playouts(budget),
                seed=2,
                compiled=False,
                checkpoint=tmp_path / f"c{start is None}",
                start=start,
            )

        whole = po.solve(
            PROBLEM, "gnrpa:level=2", "70 playouts", seed=2, compiled=False, start=game(4)
        )
        run(20, game(4))
        assert run(70, game(4)).records == whole.records
        with pytest.raises(po.errors.PlayoutError, match="it is for start"):
            po.solve(
                PROBLEM,
                "gnrpa:level=2",
                "70 playouts",
                seed=2,
                compiled=False,
                checkpoint=tmp_path / "cFalse",
            )

    @pytest.mark.parametrize(
        ("start", "message"),
        [
            ([[0], [7]], "move 2, .*is not legal there"),
            (game(3)[:4], "not over after its 4 moves: 3 more"),
            (["0", "9"], "move 2, '9', is not legal there: 0, 1, 2 are"),
            (["0", "1 2 0 1"], "move 2, '1 2 0 1', is several moves: each should have a line"),
            (["0, 1, 2, 0, 1"], "move 1, .*, is several moves: each should have a line"),
            (["0", ""], "move 2, '', is not legal there: 0, 1, 2 are"),
            (["0"] * 6, "move 6, '0', comes after the end"),
        ],
    )
    def test_what_is_not_legal_is_told_by_its_place(self, start, message):
        with pytest.raises(ProblemError, match=message):
            po.solve(PROBLEM, "random", "5 playouts", compiled=False, start=start)

    def test_what_is_no_solution(self):
        with pytest.raises(DataError, match="is no solution"):
            po.solve(PROBLEM, "random", "5 playouts", compiled=False, start=5)


class TestBound:
    def test_it_ends_the_run_and_is_told(self):
        result = po.solve(PROBLEM, "nmcs", po.Playouts(5000), seed=1, compiled=False, bound=BEST)
        assert (result.stopped_by, result.score, result.gap) == ("bound", BEST, 0.0)
        assert f"bound       {BEST}: none can be better" in str(result)
        assert result.to_json()["gap"] == 0

    def test_the_gap_of_a_run_that_ends_before(self):
        result = po.solve(PROBLEM, "random", "20 playouts", seed=1, compiled=False, bound=2 * BEST)
        assert result.gap == (2 * BEST - result.score) / result.score
        assert f"(gap {result.gap:.2%})" in str(result)

    def test_a_start_as_good_as_the_bound_needs_no_playout(self):
        best = game(int(PROBLEM.leaves.argmax()))
        result = po.solve(PROBLEM, "gnrpa", compiled=False, bound=BEST, start=best)
        assert (result.playouts, result.stopped_by, result.score) == (0, "bound", BEST)

    def test_of_the_problem_and_for_costs(self):
        class Bounded(type(COSTS)):
            def bound(self):
                return float(self.leaves.min())

        problem = Bounded(COSTS.leaves, branches=3)
        result = po.solve(problem, "nmcs", po.Playouts(5000), seed=1, compiled=False)
        assert (result.stopped_by, result.score) == ("bound", COSTS.leaves.min())

    @pytest.mark.parametrize("workers", [1, 2])
    def test_a_bound_that_is_beaten_is_said_and_the_run_goes_on(self, workers):
        with pytest.warns(BeatenBoundWarning, match="the bound 20 is beaten by"):
            result = po.solve(
                PROBLEM,
                "random",
                po.Playouts(400),
                seed=1,
                compiled=False,
                bound=20,
                workers=workers,
            )
        assert (result.playouts, result.stopped_by) == (400, "playouts")
        assert "bound       20 IS BEATEN: it is no bound" in str(result)

    def test_what_is_no_bound(self):
        with pytest.raises(OptionError, match="a bound is a finite number"):
            po.solve(PROBLEM, "random", "5 playouts", compiled=False, bound="7")


class TestBest:
    @pytest.mark.parametrize("algorithm", ["random", "nmcs:level=2", "gnrpa:level=2,P=3", "auto"])
    def test_the_best_of_all_that_were_seen(self, algorithm):
        seen = set()

        class Watched(TinyTree):
            def score(self, state):
                seen.add(int(state.leaf))
                return self.leaves[state.leaf]

        problem = Watched(PROBLEM.leaves, branches=3)
        result = po.solve(problem, algorithm, "150 playouts", seed=4, compiled=False, best=7)
        expected = sorted((PROBLEM.leaves[leaf] for leaf in seen), reverse=True)[:7]
        assert [found["score"] for found in result.solutions] == expected
        assert len({tuple(found["moves"]) for found in result.solutions}) == 7
        assert result.solutions[0]["score"] == result.score

    @pytest.mark.long
    def test_compiled_it_is_the_same_and_so_is_the_run(self):
        runs = [
            po.solve(PROBLEM, "random", "150 playouts", seed=4, compiled=compiled, best=best)
            for compiled, best in ((False, 5), (True, 5), (True, 1))
        ]
        assert runs[0].solutions == runs[1].solutions
        assert runs[2].solutions == []
        assert [run.records for run in runs] == [runs[0].records] * 3

    def test_saved_and_killed(self, tmp_path):
        whole = po.solve(PROBLEM, "nmcs", "90 playouts", seed=2, compiled=False, best=4)
        for budget in (31, 90):
            found = po.solve(
                PROBLEM,
                "nmcs",
                po.Playouts(budget),
                seed=2,
                compiled=False,
                best=4,
                checkpoint=tmp_path / "c",
            )
        assert found.solutions == whole.solutions
        found.save(tmp_path / "r.json")
        assert po.Result.load(tmp_path / "r.json") == found

    @pytest.mark.parametrize("best", [0, 1.5, 10**6])
    def test_refused(self, best):
        with pytest.raises(OptionError, match="best="):
            po.solve(PROBLEM, "random", "5 playouts", compiled=False, best=best)


class TestCommandLine:
    @pytest.fixture
    def shell(self, tmp_path):
        (tmp_path / "tiny.py").write_text(
            "from tests.run.test_known_solution import PROBLEM, TinyTree as Tiny\n"
            "class TinyTree(Tiny):\n"
            "    def __init__(self):\n"
            "        super().__init__(PROBLEM.leaves, branches=3)\n"
        )
        return Shell(tmp_path)

    def test_a_solution_goes_round(self, shell, tmp_path):
        words = ("tiny.py:TinyTree", "-a", "random", "--playouts", 40, "--interpreted")
        first = shell.json("solve", *words, "--seed", 1, "--save", "r.json", "--best", 3)
        assert len(first["solutions"]) == 3
        (tmp_path / "moves.txt").write_text("# by hand\n" + "\n".join(first["moves"]) + "\n")
        (tmp_path / "printed.json").write_text(json.dumps(first))
        for file in ("r.json", "moves.txt", "printed.json"):
            again = shell.json(
                "solve", *words[:3], "--playouts", 1, "--interpreted", "--start-from", file
            )
            assert again["score"] >= first["score"]
            done = shell("check", "tiny.py:TinyTree", "--solution", file)
            assert done.returncode == 0
            assert f"score     {first['score']:g} (verify agrees)" in done.stdout

    def test_wrong_solutions(self, shell, tmp_path):
        (tmp_path / "moves.txt").write_text("0\n1\n5\n0\n0\n")
        done = shell("check", "tiny.py:TinyTree", "--solution", "moves.txt")
        assert done.returncode == 1
        assert "moves.txt: move 3, '5', is not legal there: 0, 1, 2 are" in done.stdout
        (tmp_path / "bad.json").write_text('{"score": 3}')
        assert "has no list of moves" in shell.refused(
            "check", "tiny.py:TinyTree", "--solution", "bad.json"
        )
        assert "moves.txt: move 3, '5', is not legal there" in shell.refused(
            "solve", "tiny.py:TinyTree", "--interpreted", "--start-from", "moves.txt"
        )
