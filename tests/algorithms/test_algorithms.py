"""What every algorithm promises, checked for each of them alike."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from playout.algorithms import ALGORITHMS
from playout.algorithms.search import FINE, step
from playout.errors import OptionError, ProblemError
from playout.run.checkpoint import CheckpointError
from tests.support.algorithm_cases import CASES, knowledge, take_on
from tests.support.forms import long
from tests.support.tiny_tree import TinyTree, chain

PROBLEM = TinyTree(np.random.default_rng(5).integers(0, 50, 3**5), branches=3)


def algorithm(name):
    return ALGORITHMS[name](**CASES[name])


def searched(name, sizes, seed=1, problem=PROBLEM, kernel=step):
    """A search taken on by steps of the given sizes."""
    search = algorithm(name).start(problem, seed)
    for size in sizes:
        assert take_on(search, problem, size, kernel) == FINE
    return search


@pytest.fixture(autouse=True)
def _quiet():
    with np.errstate(over="ignore"):
        yield


def test_every_algorithm_is_here():
    assert CASES.keys() == ALGORITHMS.keys()


LARGE = ("auto", "policy-mcts")  # to compile


@pytest.mark.parametrize("name", [long(name) if name in LARGE else name for name in CASES])
class TestAlgorithm:
    def test_steps_of_any_size_know_the_same(self, name):
        whole = knowledge(searched(name, [300]))
        assert knowledge(searched(name, [1] * 300)) == whole
        assert knowledge(searched(name, [7, 0, 150, 1, 142])) == whole

    def test_plain_python_knows_the_same(self, name):
        compiled = searched(name, [120])
        plain = searched(name, [120], kernel=step.py_func)
        assert knowledge(plain) == knowledge(compiled)

    def test_the_budget_is_kept_and_the_replay_agrees(self, name):
        for budget in (1, 2, 37, 500):
            result = po.solve(PROBLEM, algorithm(name), po.Playouts(budget), seed=3)
            assert result.playouts == budget
            assert result.verified
            assert result.stopped_by == "playouts"
            assert result.score == PROBLEM.score(result.final_state(PROBLEM)[0])
            scores = [score for _, _, score in result.curve]
            assert scores == sorted(set(scores))
            assert scores[-1] == result.score

    def test_same_seed_same_result(self, name):
        def run(seed):
            result = po.solve(PROBLEM, algorithm(name), po.Playouts(200), seed=seed)
            return result.records, result.score, [point[1:] for point in result.curve]

        assert run(1) == run(1)
        assert any(run(1) != run(seed) for seed in (2, 3, 4))

    @pytest.mark.parametrize("workers", [1, 3])
    def test_stopped_and_resumed_gives_the_same(self, name, workers, tmp_path):
        def run(budget, **more):
            return po.solve(
                PROBLEM, algorithm(name), po.Playouts(budget), seed=5, workers=workers, **more
            )

        whole = run(400)
        file = tmp_path / "checkpoint"
        # a root worker's share of 130 is less than its share of 400: all go on from there
        run(130, checkpoint=file)
        resumed = run(400, checkpoint=file)
        if name not in ("uct", "auto"):  # which plan with their budget, and were told another one
            assert resumed.records == whole.records
        assert resumed.playouts == whole.playouts == 400
        assert resumed.verified

    def test_restored_arrays_go_on_as_the_search_itself(self, name):
        search = searched(name, [123])
        other = algorithm(name).start(PROBLEM, 99)
        fresh = other.arrays()
        heads = {k: a.copy() for k, a in search.arrays().items() if k.endswith("head")}
        fresh |= heads  # the same seed
        other.restore({k: array.copy() for k, array in search.arrays().items()})
        other.check_arrays(PROBLEM, fresh)
        for one in (search, other):
            take_on(one, PROBLEM, 400 - int(one.head[0].playouts))
        assert knowledge(search) == knowledge(other)

    def test_leaf_threads_give_what_one_thread_gives(self, name):
        one = po.solve(PROBLEM, algorithm(name), po.Playouts(333), seed=4)
        leaf = po.solve(
            PROBLEM, algorithm(name), po.Playouts(333), seed=4, workers=3, parallel="leaf"
        )
        assert (leaf.records, leaf.playouts) == (one.records, 333)

    def test_root_workers_are_repeatable(self, name):
        def run():
            return po.solve(PROBLEM, algorithm(name), po.Playouts(301), seed=4, workers=2)

        first, second = run(), run()
        assert first.playouts == 301
        assert first.verified
        assert (first.score, first.records) == (second.score, second.records)

    def test_a_target_ends_the_run_at_once(self, name):
        best = int(PROBLEM.leaves.max())
        result = po.solve(
            PROBLEM, algorithm(name), po.Target(best - 8) | po.Playouts(20_000), seed=1
        )
        assert result.stopped_by == "target"
        assert result.score >= best - 8
        assert result.curve[-1][1] == result.playouts  # not one playout more

    def test_a_game_without_moves(self, name):
        result = po.solve(chain(0), algorithm(name), po.Playouts(5), seed=1)
        assert (result.score, result.moves, result.playouts) == (7.0, [], 5)
        assert result.verified

    @pytest.mark.parametrize("length", [1, 4])
    def test_a_game_without_choice(self, name, length):
        result = po.solve(chain(length), algorithm(name), po.Playouts(30), seed=1)
        assert (result.score, len(result.moves), result.playouts) == (7.0, length, 30)

    def test_budget_left_starts_again(self, name):
        runs = int(searched(name, [3000]).head[0].runs)
        if name in ("auto", "random"):
            assert runs == 0  # they have no natural end
            return
        assert runs >= 2
        result = po.solve(PROBLEM, algorithm(name), po.Runs(1), seed=1)
        assert result.stopped_by == "runs"
        assert result.playouts < 3000

    def test_it_finds_the_best_of_a_small_tree(self, name):
        result = po.solve(PROBLEM, algorithm(name), po.Playouts(20_000), seed=1)
        assert result.score == PROBLEM.leaves.max()

    def test_broken_promises_are_found_out(self, name):
        liar = TinyTree(PROBLEM.leaves, branches=3)
        liar.max_moves = 2
        with pytest.raises(ProblemError, match="more than max_moves = 2"):
            po.solve(liar, algorithm(name), po.Playouts(10), seed=1)
        liar = TinyTree(PROBLEM.leaves, branches=3)
        liar.branches = -1
        with pytest.raises(ProblemError, match="fewer than 0"):
            po.solve(liar, algorithm(name), po.Playouts(10), seed=1)
        liar = TinyTree(PROBLEM.leaves, branches=3)
        liar.max_length = 3
        with pytest.raises(ProblemError, match="max_length = 3"):
            po.solve(liar, algorithm(name), po.Playouts(10), seed=1)
        liar = TinyTree(np.full(9, np.nan), branches=3)
        with pytest.raises(ProblemError, match="NaN"):
            po.solve(liar, algorithm(name), po.Playouts(10), seed=1)

    def test_bad_options_name_what_would_be_right(self, name):
        with pytest.raises(OptionError, match=f"{name} has no option 'nonsense'"):
            ALGORITHMS[name].from_text({"nonsense": "1"})


def test_unknown_algorithm():
    with pytest.raises(OptionError, match="did you mean gnrpa"):
        ALGORITHMS.find("gnrp")


def test_checkpoints_of_other_runs_are_refused(tmp_path):
    file = tmp_path / "checkpoint"

    def run(problem=PROBLEM, algorithm=None, seed=1, **more):
        algorithm = algorithm or po.Random()
        return po.solve(problem, algorithm, po.Playouts(20), seed=seed, checkpoint=file, **more)

    run()
    before = file.read_bytes()
    other = TinyTree(PROBLEM.leaves + 1, branches=3)
    for options, message in (
        (dict(seed=2), "for seed 1, this run has 2"),
        (dict(algorithm=po.NMCS()), "for algorithm random, this run has nmcs"),
        (dict(problem=other), "data of TinyTree has changed"),
        (dict(workers=2), "for workers 1, this run has 2"),
        (dict(instance="b.txt"), "for instance none, this run has b.txt"),
    ):
        with pytest.raises(CheckpointError, match=message):
            run(**options)
    assert file.read_bytes() == before
