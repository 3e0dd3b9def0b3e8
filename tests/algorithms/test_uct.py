"""UCT's formulas by hand, its tree, its bound on memory, and how it commits to moves."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import pytest

from playout.algorithms.move_tree import (
    NODE,
    back_up,
    clear,
    deviation,
    exploration,
    normalised,
    select,
)
from playout.algorithms.search import FINE, ROOM, TOO_LONG, TOO_MANY_MOVES, step
from playout.algorithms.uct import OPTIONS, UCT, UCTSearch
from playout.errors import OptionError
from tests.support.tiny_tree import TinyTree, branches_of, chain

LEAVES = np.random.default_rng(5).permutation(16).astype(float)


def run(search: UCTSearch, problem: TinyTree, playouts: int) -> UCTSearch:
    """Step on by so many playouts, making room as needed."""
    end = int(search.head[0].playouts) + playouts
    while search.head[0].playouts < end:
        status = step(search, problem, end - int(search.head[0].playouts))
        if status == ROOM:
            search.grow()
        else:
            assert status == FINE
    return search


def started(problem: TinyTree, budget: int = 0, seed: int = 1, **options: Any) -> UCTSearch:
    search = UCT(**options).start(problem, seed)
    search.head[0].budget = budget
    return search


# formulas


def test_exploration_by_hand() -> None:
    assert exploration(1.5, 8, 2) == pytest.approx(1.5 * math.sqrt(2.0794415416798357 / 2))
    assert exploration(1.5, 1, 1) == 0.0


def test_deviation_by_hand() -> None:
    # scores 1, 2, 6: sum 9, squares 41, mean 3; (41 - 27 + 4) / 3 = 6
    assert deviation(3, 9.0, 41.0, 4.0) == pytest.approx(math.sqrt(6.0))
    # it is the standard deviation when D is 0
    assert deviation(3, 9.0, 41.0, 0.0) == pytest.approx(np.std([1, 2, 6]))
    # rounding must not take the root of a negative number
    assert deviation(3, 0.3, 0.03 - 1e-18, 0.0) == pytest.approx(0.0, abs=1e-6)


def test_max_min_normalisation_by_hand() -> None:
    assert [normalised(x, 10.0, 30.0) for x in (10.0, 15.0, 20.0, 30.0)] == [-1.0, -0.5, 0.0, 1.0]
    assert normalised(5.0, 5.0, 5.0) == 1.0


def test_one_backup() -> None:
    nodes = np.zeros(1, NODE)
    clear(nodes[0])
    assert nodes[0].top == -np.inf
    for score in (3.0, -1.0):
        back_up(nodes[0], score)
    assert nodes[0].tolist() == (0, 0, 2, 2.0, 10.0, 3.0)


def test_infinite_scores_leave_the_statistics_finite() -> None:
    nodes = np.zeros(1, NODE)
    clear(nodes[0])
    back_up(nodes[0], -np.inf)
    assert np.isfinite([nodes[0].total, nodes[0].squares, nodes[0].top]).all()


# one choice


def choose(scores: list[list[float]], rng: int = 0, **values: Any) -> int:
    """Which child of a root is selected, given the scores that each has had."""
    tree = np.zeros(1 + len(scores), NODE)
    for node in tree:
        clear(node)
    tree[0].first, tree[0].count = 1, len(scores)
    for child, had in enumerate(scores, 1):
        for score in had:
            back_up(tree[child], score)
            back_up(tree[0], score)
    options = np.zeros(1, OPTIONS)
    for name, value in values.items():
        options[0][name] = value
    with np.errstate(over="ignore"):
        return int(select(tree, 0, options[0], np.array([rng], np.uint64))) - 1


def test_ucb_choice_by_hand() -> None:
    # means 10 and 11; ln 5 = 1.609: the widths are C * 0.733 and C * 0.897 with 3 and 2 visits
    scores = [[9.0, 10.0, 11.0], [9.0, 10.0]]
    assert choose(scores, C=1.0) == 0  # 10.733 against 10.397
    assert choose(scores, C=3.0) == 0  # 12.198 against 12.191
    assert choose(scores, C=3.1) == 1  # 12.272 against 12.281


def test_deviation_changes_the_choice() -> None:
    scores = [[10.0, 10.0], [0.0, 19.0]]  # means 10 and 9.5, deviations 0 and 9.5
    assert choose(scores, C=1.0) == 0
    assert choose(scores, C=1.0, deviation=True) == 1


def test_max_instead_of_mean() -> None:
    scores = [[10.0, 10.0], [0.0, 19.0]]
    assert choose(scores, C=0.1, value=1) == 1


def test_normalised_choice_by_hand() -> None:
    # values -1 and 1; widths C sqrt(ln 101 / n) = C * 2.148 and C * 0.215
    scores = [[5.0], [6.0] * 100]
    assert choose(scores, C=1.0, normalise=True) == 1  # 1.148 against 1.215
    assert choose(scores, C=1.1, normalise=True) == 0  # 1.363 against 1.236
    # a larger unit changes nothing
    assert choose([[5000.0], [6000.0] * 100], C=1.0, normalise=True) == 1
    # the deviation is scaled with the values: 2 / (high - low) * 3 = 6 for the first
    scores = [[2.0, 8.0], [6.0] * 100]
    assert choose(scores, C=0.0, normalise=True) == 1
    assert choose(scores, C=0.0, normalise=True, deviation=True) == 0


def test_equal_values_are_all_one() -> None:
    # only the visits tell them apart; of equal bounds the lowest index
    assert choose([[5.0, 5.0], [5.0], [5.0]], C=1.0, normalise=True, deviation=True) == 1


def test_moves_not_yet_tried_come_first_in_random_order() -> None:
    scores = [[99.0], [], [0.0], [], []]
    assert {choose(scores, rng, C=1.0, normalise=True) for rng in range(50)} == {1, 3, 4}


# the tree


def test_the_first_playouts_build_the_tree() -> None:
    problem = TinyTree(LEAVES[:9], branches=3)
    search = run(started(problem, tree="game"), problem, 3)
    # the root's children, each tried once, have no children yet
    assert search.tree_head[0].used == 4
    assert search.tree["visits"][:4].tolist() == [3, 1, 1, 1]
    assert search.tree[0].total == search.tree["total"][1:4].sum()
    assert branches_of(search.tree_moves[1:4]) == [0, 1, 2]
    run(search, problem, 1)
    assert search.tree_head[0].used == 7
    assert sorted(search.tree["visits"][:7].tolist()) == [0, 0, 1, 1, 1, 2, 4]


@pytest.mark.parametrize("value", ["mean", "max"])
def test_it_finds_the_optimum(value: str) -> None:
    for seed in range(5):
        problem = TinyTree(np.random.default_rng(seed).permutation(27), branches=3)
        # wide bounds: a leaf once met comes again and again, as in any UCT
        search = run(started(problem, seed=seed, tree="game", C=6.0, value=value), problem, 1000)
        assert search.head[0].best_score == 26
        assert problem.verify(search.best_moves()) == 26
        assert search.head[0].runs == 0
        if value == "max":  # and converges: most playouts go to the optimum
            best_child = search.tree[1 + int(search.best_moves()[0].branch)]
            assert best_child.visits > 500


def test_a_full_tree_grows_no_further_and_the_search_goes_on() -> None:
    problem = TinyTree(np.random.default_rng(0).permutation(1024))
    search = run(started(problem, tree="game", nodes=20), problem, 500)
    assert len(search.tree) == 20
    assert search.tree_head[0].used == 19  # two at a time after the root
    assert search.head[0].playouts == search.tree[0].visits == 500
    # the root and its moves have room in any case
    search = run(started(problem, nodes=1, budget=50), problem, 50)
    assert len(search.tree) == 3
    assert search.head[0].runs >= 1


def test_growing_changes_nothing_but_the_room() -> None:
    problem = TinyTree(np.random.default_rng(0).permutation(1024))
    small = run(started(problem, tree="game", C=50.0), problem, 1500)
    large = started(problem, tree="game", C=50.0)
    large.grow()
    large.grow()
    run(large, problem, 1500)
    used = int(small.tree_head[0].used)
    assert used > 1024
    assert len(small.tree) == 2048
    assert small.head.tobytes() == large.head.tobytes()
    assert small.tree[:used].tobytes() == large.tree[:used].tobytes()
    assert small.tree_moves[:used].tobytes() == large.tree_moves[:used].tobytes()


# committing to moves


def test_the_budget_is_shared_evenly_over_the_moves() -> None:
    problem = TinyTree(LEAVES)
    search = started(problem, budget=100)
    prefixes = []
    while search.head[0].runs == 0:
        run(search, problem, 1)
        prefixes.append(int(search.tree_head[0].prefix))
    # 100 / 4, 75 / 3, 50 / 2 and 25 / 1 playouts; the commit comes with the last of each
    assert prefixes[:-1] == [0] * 24 + [1] * 25 + [2] * 25 + [3] * 25
    assert search.head[0].playouts == 100
    # the budget is spent: a further game takes as many
    run(search, problem, 99)
    assert search.head[0].runs == 1
    run(search, problem, 1)
    assert search.head[0].runs == 2


def test_a_fixed_number_of_simulations_for_each_move() -> None:
    problem = TinyTree(LEAVES)
    search = run(started(problem, simulations=7, budget=1000), problem, 4 * 7 - 1)
    assert (search.head[0].runs, search.tree_head[0].prefix) == (0, 3)
    run(search, problem, 1)
    assert (search.head[0].runs, search.tree_head[0].prefix) == (1, 0)


def test_without_a_budget_a_move_has_ten_thousand() -> None:
    problem = TinyTree(LEAVES)
    search = run(started(problem), problem, 9_999)
    assert search.tree_head[0].prefix == 0
    run(search, problem, 1)
    assert search.tree_head[0].prefix == 1


@pytest.mark.parametrize("value", ["mean", "max"])
def test_the_move_with_the_highest_value_is_committed(value: str) -> None:
    problem = TinyTree(np.random.default_rng(1).permutation(256))
    search = started(problem, simulations=10, value=value)
    for prefix in range(7):
        run(search, problem, 9)
        before = without_commit(search, problem)
        first, count = int(before.tree[0].first), int(before.tree[0].count)
        children = before.tree[first : first + count]
        values = children["top"] if value == "max" else children["total"] / children["visits"]
        run(search, problem, 1)
        assert search.committed[prefix].branch == np.argmax(values)
        assert problem.replay(search.committed[: prefix + 1]).tobytes() == search.here.tobytes()
    assert search.head[0].runs == 0
    run(search, problem, 10)
    assert search.head[0].runs == 1


def without_commit(search: UCTSearch, problem: TinyTree) -> UCTSearch:
    """A copy of the search one playout later, kept from committing to a move."""
    later = copy.deepcopy(search)
    later.options[0].per_move = 0
    return run(later, problem, 1)


def below(search: UCTSearch, node: int) -> tuple:
    """A node and all below it, as plain data."""
    this = search.tree[node]
    first, count = int(this.first), int(this.count)
    return (
        this.tolist()[2:],
        search.tree_moves[node].item() if node else None,
        [below(search, child) for child in range(first, first + count)],
    )


def test_the_tree_behind_a_committed_move_is_kept() -> None:
    problem = TinyTree(np.random.default_rng(1).permutation(256))
    kept = 0
    for seed in range(10):
        search = run(started(problem, seed=seed, simulations=10), problem, 9)
        for prefix in range(3):
            before = without_commit(search, problem)
            run(search, problem, 1)
            move = int(search.committed[prefix].branch)
            expected = below(before, int(before.tree[0].first) + move)
            got = below(search, 0)
            assert (got[0], got[2]) == (expected[0], expected[2])
            kept += int(search.tree_head[0].used) > 1
            run(search, problem, 9)
    assert kept > 10


@pytest.mark.parametrize("tree", ["move", "game"])
def test_no_move_and_one_move(tree: str) -> None:
    for length in (0, 1, 3):
        problem = chain(length)
        search = run(started(problem, budget=12, tree=tree), problem, 12)
        assert (search.head[0].best_score, search.head[0].best_length) == (7.0, length)
        # forced moves are committed at once
        assert search.head[0].runs == (12 // max(1, length) if tree == "move" else 0)


def test_games_that_end_early() -> None:
    problem = TinyTree(LEAVES, stop=1)
    for seed in range(5):
        search = run(started(problem, budget=60, seed=seed), problem, 60)
        assert search.head[0].best_score == LEAVES[[8, 4, 2, 0, 1]].max()


def test_scores_of_minus_infinity() -> None:
    leaves = np.where(np.arange(16) == 11, 1.0, -np.inf)
    problem = TinyTree(leaves)
    search = run(started(problem, budget=200, deviation=True), problem, 200)
    assert search.head[0].best_score == 1.0


def test_broken_promises_are_errors() -> None:
    problem = TinyTree(LEAVES)
    problem.max_moves = 1
    assert step(started(problem), problem, 10) == TOO_MANY_MOVES
    problem = TinyTree(LEAVES)
    problem.max_length = 2
    assert step(started(problem), problem, 10) == TOO_LONG


# left and entered again, compiled and not


def assert_same(a: UCTSearch, b: UCTSearch) -> None:
    for name in a.fields:
        assert a.arrays()[name].tobytes() == b.arrays()[name].tobytes(), name


def test_size_of_steps_does_not_matter() -> None:
    problem = TinyTree(LEAVES, stop=1)
    whole = run(started(problem, budget=50), problem, 80)
    single = started(problem, budget=50)
    for _ in range(80):
        run(single, problem, 1)
    assert whole.head[0].runs > 0
    assert_same(whole, single)


@pytest.mark.parametrize(
    "options",
    [
        {"tree": "game"},
        {"tree": "move", "value": "max"},
        {"normalise": "none", "deviation": True, "D": 2.0},
        {"simulations": 6, "deviation": True},
    ],
)
def test_compiled_equals_interpreted(options: dict[str, Any]) -> None:
    problem = TinyTree(LEAVES)
    compiled = run(started(problem, budget=30, **options), problem, 40)
    plain = started(problem, budget=30, **options)
    with np.errstate(over="ignore"):
        step.py_func(plain, problem, 40)
    assert_same(compiled, plain)


@pytest.mark.parametrize(
    "options",
    [
        {"C": -1.0},
        {"D": -1.0},
        {"value": "median"},
        {"tree": "forest"},
        {"nodes": 0},
        {"simulations": -1},
        {"normalise": "z"},
        {"deviation": 1},
    ],
)
def test_bad_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        UCT(**options)
