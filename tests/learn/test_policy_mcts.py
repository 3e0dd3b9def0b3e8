"""Policy-MCTS: playouts that wait for a network, batches, steps, and what is committed."""

from __future__ import annotations

import time

import numpy as np
import pytest

import playout as po
from playout.contract import Problem
from playout.errors import DataError, OptionError
from playout.learn.policy_iteration.policy_mcts import PolicyMCTS
from playout.learn.policy_iteration.policy_search import IDLE, NEXT
from playout.learn.policy_iteration.predictions import PredictingSearch
from playout.problems import SameGame
from tests.support.tiny_tree import TinyTree

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def _quiet():
    with np.errstate(over="ignore"):
        yield


class Told(Problem):
    """Six choices of three; a policy that is told outright what is best is worth a lot."""

    fields = ("best",)
    plane_shape = (3, 1, 6)
    outputs = 3

    def __init__(self, seed: int = 0) -> None:
        self.best = np.random.default_rng(seed).integers(0, 3, 6)
        self.state_type = po.record(chosen=("i1", 6), played="i8", right="i8")
        self.move_type = po.record(choice="i1")
        self.max_moves, self.max_length = 3, 6

    def reset(self, state):
        state.played = 0

    def moves(self, state, moves):
        if state.played == 6:
            return 0
        for i in range(3):
            moves[i].choice = i
        return 3

    def play(self, state, move):
        state.right += move.choice == self.best[state.played]
        state.chosen[state.played] = move.choice
        state.played += 1

    def score(self, state):
        return 2.0**state.right

    def planes(self, state, out):
        out[self.best[state.played], 0, state.played] = 1.0

    def output(self, state, move):
        return move.choice


class Oracle:
    """Stands in for an evaluator: knows what `Told.planes` says, and counts."""

    class device:
        type = "cpu"

    def __init__(self, strength):
        self.strength = strength
        self.batches = []

    def submit(self, planes, logits):
        self.batches.append(len(planes))
        logits[:] = self.strength * planes.sum((2, 3))
        return self

    def wait(self):
        pass


def told_search(strength=3.0, compiled=True, threads=1, budget=0, problem=None, **given):
    problem = problem or Told()
    algorithm = PolicyMCTS(model="-", c_puct=2.0, **{"leaves": 8, "simulations": 24, **given})
    search = PredictingSearch(problem, algorithm, 1)
    oracle = Oracle(strength)
    search.prepare(problem, oracle, 64)
    search.head[0].budget = budget
    step = search.make_step(problem, compiled, threads)
    step(search, 0)  # compile
    oracle.batches.clear()
    return problem, search, oracle, step


@pytest.mark.long
@pytest.mark.parametrize("rollouts", ["random", "policy"])
def test_priors_are_the_softmax_over_the_networks_outputs(rollouts):
    problem, search, _, step = told_search(rollouts=rollouts)
    step(search, 8)
    root = search.tree[0, 0]
    priors = search.tree["prior"][0, root.first : root.first + 3]
    expected = np.exp(3.0 * (np.arange(3) == problem.best[0]))
    assert priors == pytest.approx(expected / expected.sum(), abs=1e-6)
    assert root.visits - root.pending == 8  # and others are under way
    for _ in range(16):  # to the end of the batch
        assert root.pending <= 8
        step(search, 1)
    assert not search.tree["pending"].any()


@pytest.mark.long
def test_the_leaves_of_a_tree_are_one_batch_of_predictions():
    _, search, oracle, step = told_search(rollouts="random", simulations=10_000)
    for _ in range(10):
        step(search, 8)
    assert oracle.batches[0] == 8  # all at the root
    assert sum(oracle.batches) < 80  # what the table has is not asked again
    assert len(oracle.batches) <= 12


class Uneven(Told):
    """Games that begin with the first choice are over at once."""

    def moves(self, state, moves):
        if state.played == 6 or (state.played > 0 and state.chosen[0] == 0):
            return 0
        for i in range(3):
            moves[i].choice = i
        return 3


class ToldNumbers(Told):
    """The same game, whose moves are plain numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.move_type = "i1"

    def moves(self, state, moves):
        if state.played == 6:
            return 0
        for i in range(3):
            moves[i] = i
        return 3

    def play(self, state, move):
        state.right += move == self.best[state.played]
        state.chosen[state.played] = move
        state.played += 1

    def output(self, state, move):
        return move


@pytest.mark.parametrize("rollouts", ["random", "policy"])
@pytest.mark.long
def test_moves_that_are_plain_numbers(rollouts):
    found = []
    for problem, compiled in ((Told(), False), (ToldNumbers(), False), (ToldNumbers(), True)):
        _, search, _, step = told_search(compiled=compiled, problem=problem, rollouts=rollouts)
        step(search, 60)
        found.append((search.tree["visits"].tolist(), search.best.tobytes()))
    assert found[0] == found[1] == found[2]


@pytest.mark.long
def test_others_begin_as_playouts_end():
    """Some games have one move, others six: eight are under way until the last have begun."""
    _, search, oracle, step = told_search(
        0.0, problem=Uneven(), rollouts="policy", simulations=64, leaves=8, revisit=True
    )
    under_way, submit = [], oracle.submit

    def watched(planes, logits):
        begun = search.lanes["phase"][:64] != NEXT
        under_way.append((int((search.lanes["phase"][:64] < IDLE).sum()), bool(begun.all())))
        return submit(planes, logits)

    oracle.submit = watched
    step(search, 64)
    assert search.head[0].playouts == 64
    assert {n for n, all_begun in under_way if not all_begun} == {8}, under_way


def test_a_step_of_nothing_calls_every_kernel_that_a_step_needs():
    """So that they are compiled before the clock runs."""
    _, search, _, step = told_search(compiled=False)
    called = set()
    step._kernel = lambda function: called.add(function) or function.py_func
    step(search, 0)
    assert search.head[0].playouts == 0
    first = set(called)
    step(search, 30)
    assert search.head[0].playouts == 30
    assert called == first


@pytest.mark.long
def test_slow_predictions_do_not_keep_a_step_from_ending():
    class Slow(Oracle):
        def submit(self, planes, logits):
            time.sleep(0.008 * len(planes))
            return super().submit(planes, logits)

    problem, search, _, _ = told_search(rollouts="policy", leaves=60, simulations=10_000)
    search.prepare(problem, Slow(3.0), 1)  # nothing is remembered
    step = search.make_step(problem, False, 1)
    counts = []
    while not counts or counts[-1] < 100:
        start = time.perf_counter()
        step(search, 500)  # all of them would take half a minute
        assert time.perf_counter() - start < 20
        counts.append(int(search.head[0].playouts))
    assert len(counts) > 5


@pytest.mark.long
@pytest.mark.parametrize("rollouts", ["random", "policy"])
def test_steps_of_any_size_threads_and_plain_python_know_the_same(rollouts):
    def known(sizes, **more):
        _, search, _, step = told_search(rollouts=rollouts, **more)
        for size in sizes:
            step(search, size)
        assert search.head[0].playouts == 120
        return {
            name: array.tobytes()
            for name, array in search.arrays().items()
            if name not in ("lanes", "queue")
        }

    whole = known([120])
    assert known([1, 7, 50, 60, 2]) == whole
    assert known([120], threads=3) == whole
    assert known([40, 80], compiled=False) == whole


@pytest.mark.parametrize("leaves", [8, 20])
@pytest.mark.long
def test_a_search_goes_on_from_its_arrays_with_playouts_under_way(leaves):
    """The table is not among them: what is played does not depend on what it knows.

    Nor on how many playouts would be under way on the device where it goes on.
    """
    options = dict(rollouts="policy", leaves=leaves, simulations=70)
    _, whole, _, step = told_search(**options)
    step(whole, 200)
    _, first, _, step = told_search(**options)
    step(first, 53)
    assert (first.lanes["phase"] < IDLE).any()
    saved = {name: array.copy() for name, array in first.arrays().items()}
    _, again, _, step = told_search(**{**options, "leaves": 28 - leaves})
    again.restore(saved)
    step(again, 147)
    assert again.head[0].playouts == 200
    for name in ("head", "tree", "committed", "finest", "games", "best"):
        assert getattr(again, name).tobytes() == getattr(whole, name).tobytes(), name


def test_policy_rollouts_follow_the_policy():
    def mean_score(rollouts, strength, temperature=1.0):
        _, search, _, step = told_search(
            strength, rollouts=rollouts, temperature=temperature, commit="mean", simulations=6
        )
        total = 0.0
        for _ in range(50):
            step(search, 8)
            total += search.scores[:6].mean()
        return total / 50

    assert mean_score("policy", 4.0) > mean_score("random", 4.0) + 5
    assert mean_score("policy", 4.0) > mean_score("policy", 0.0) + 5
    # a low temperature draws as a sharper policy would, a high one hardly looks at it
    assert mean_score("policy", 1.0, temperature=0.1) > mean_score("policy", 1.0) + 5
    assert mean_score("policy", 4.0, temperature=40.0) < mean_score("policy", 4.0) - 5


def test_priors_know_no_temperature():
    _, search, _, step = told_search(1.0, rollouts="policy", temperature=0.1)
    step(search, 8)
    root = search.tree[0, 0]
    priors = search.tree["prior"][0, root.first : root.first + 3]
    assert priors.max() == pytest.approx(np.e / (np.e + 2), abs=1e-6)


def test_a_batch_takes_no_more_than_the_share_of_a_move():
    _, search, _, step = told_search(leaves=64, simulations=0, revisit=True, budget=60)
    shares = [0] * 6
    while not search.games[0].over:
        shares[search.games[0].prefix] += 1
        step(search, 1)
    assert shares[0] == 10  # six moves are left
    assert min(shares) >= 5, shares
    assert sum(shares) <= 66


def test_the_best_playouts_moves_are_committed():
    problem, search, _, step = told_search(rollouts="policy")
    while search.games[0].prefix < 3 and search.head[0].runs == 0:
        step(search, 8)
    walk = search.games[0]
    assert walk.best_score == search.head[0].best_score
    assert np.array_equal(search.committed[0, :3], search.finest[0, :3])
    state = problem.replay(search.finest[0, : walk.best_length])
    assert problem.score(state[0]) == walk.best_score


def test_how_many_playouts_are_under_way_unless_told():
    board = SameGame.training(rows=7, columns=7)
    for given, leaves in (({"device": "cpu"}, 8), ({"leaves": 5}, 5), ({"model": "uniform"}, 1)):
        assert PolicyMCTS(**given).start(board, 1).options[0].leaves == leaves


def test_uniform_finds_the_best_of_a_small_tree_with_many_leaves():
    leaves = np.random.default_rng(5).integers(0, 50, 3**5)
    problem = TinyTree(leaves, branches=3)
    for options in ({"tree": "game"}, {"commit": "mean"}, {"value": "max"}, {"virtual_loss": 0}):
        algorithm = PolicyMCTS(model="uniform", leaves=16, **options)
        result = po.solve(problem, algorithm, po.Playouts(12_000), seed=1)
        assert result.score == leaves.max()
        assert result.verified


def test_a_full_tree_grows_no_further():
    problem = TinyTree(np.arange(3.0**6), branches=3)
    algorithm = PolicyMCTS(model="uniform", leaves=4, nodes=30, tree="game")
    search = algorithm.start(problem, 1)
    result = po.solve(problem, algorithm, po.Playouts(500), seed=1)
    assert result.playouts == 500
    assert search.tree.shape[1] <= 30


def test_what_is_missing_is_said_in_a_line(tmp_path):
    problem = SameGame.random(1, rows=3, columns=9, colours=2)
    with pytest.raises(DataError, match=r"no trained policy for SameGame with 3 planes of 9x3"):
        po.solve(problem, PolicyMCTS(), po.Playouts(10))
    with pytest.raises(DataError, match=r"cannot read .*none.safetensors"):
        po.solve(problem, PolicyMCTS(model=str(tmp_path / "none.safetensors")), po.Playouts(10))
    with pytest.raises(OptionError, match="rollouts='wild'"):
        PolicyMCTS(rollouts="wild")
