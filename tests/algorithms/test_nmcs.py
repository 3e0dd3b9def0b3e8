"""NMCS takes the playouts that its definition says and follows its best sequence."""

from __future__ import annotations

import numpy as np
import pytest

from playout.algorithms.nmcs import MOST_SLOTS, NMCS, NMCSSearch
from playout.algorithms.search import FINE, TOO_LONG, TOO_MANY_MOVES, step
from playout.errors import OptionError
from tests.support.tiny_tree import TinyTree, branches_of, chain

LEAVES = np.random.default_rng(5).permutation(16).astype(float)


def run_once(search: NMCSSearch, problem: TinyTree) -> int:
    """Step playout by playout to the natural end; how many playouts that took."""
    while search.head[0].runs == 0:
        assert step(search, problem, 1) == FINE
        assert search.head[0].playouts < 10_000
    return int(search.head[0].playouts)


def playouts_of(level: int, depth: int, branches: int = 2) -> int:
    """How many playouts the algorithm takes, by its definition."""
    if level == 0 or depth == 0:
        return 1
    return sum(
        branches * playouts_of(level - 1, left - 1, branches) for left in range(1, depth + 1)
    )


def test_playout_counts_by_hand() -> None:
    # level 1: both moves at each of four positions
    assert playouts_of(1, 4) == 8
    # level 2: two level-1 searches of depth 3, 2, 1, and two ends of the game
    assert playouts_of(2, 4) == 2 * 6 + 2 * 4 + 2 * 2 + 2 * 1


@pytest.mark.parametrize("level", [1, 2, 3, 4, 7])
def test_natural_end_after_the_predicted_playouts(level: int) -> None:
    problem = TinyTree(LEAVES)
    search = NMCS(level=level).start(problem, seed=1)
    expected = playouts_of(level, 4)
    assert run_once(search, problem) == expected
    # it begins again and takes as many
    assert step(search, problem, 2 * expected - 1) == FINE
    assert search.head[0].runs == 2
    assert step(search, problem, 1) == FINE
    assert search.head[0].runs == 3


def test_a_level_of_the_games_depth_is_exhaustive() -> None:
    # level d tries every move by a search that is itself exhaustive one move further down
    for seed in range(3):
        for depth in (1, 2, 3, 4):
            problem = TinyTree(LEAVES[: 2**depth])
            search = NMCS(level=depth).start(problem, seed)
            run_once(search, problem)
            assert search.head[0].best_score == problem.leaves.max()
            assert problem.verify(search.best_moves()) == problem.leaves.max()


def test_level_one_first_batch_tries_each_move_once() -> None:
    problem = TinyTree([0.0, 1.0, 2.0, 5.0, 3.0, 4.0, 6.0, 7.0, 8.0], branches=3)
    search = NMCS(level=1).start(problem, seed=0)
    step(search, problem, 3)
    # the batch has been learned from and the next one planned
    assert branches_of(search.sequences[:3, 0]) == [0, 1, 2]
    assert search.lengths[:3].tolist() == [2, 2, 2]
    best = int(np.argmax(search.scores[:3]))
    assert branches_of(search.played[:1]) == [best]
    assert search.levels[1].prefix == 1


def test_the_memorised_sequence_is_followed() -> None:
    """One leaf alone is good: once a playout has met it, the game goes there, move by move.

    Without memory the later playouts, nearly all of which score 0, would lead it elsewhere.
    """
    leaves = np.zeros(64)
    leaves[37] = 100.0  # 100101
    problem = TinyTree(leaves)
    early = 0
    for seed in range(80):
        search = NMCS(level=1).start(problem, seed)
        run_once(search, problem)
        if search.head[0].best_score == 100.0:
            early += search.curve[1].playouts <= 2  # met from the start of the game
            assert branches_of(search.played) == [1, 0, 0, 1, 0, 1]
    assert early > 0


def test_the_game_of_the_level_goes_on_along_its_best_sequence() -> None:
    problem = TinyTree(LEAVES)
    search = NMCS(level=2).start(problem, seed=3)
    while search.head[0].runs == 0:
        step(search, problem, 1)
        top = search.levels[2]
        if search.head[0].runs == 0 and top.prefix > 0:
            prefix = int(top.prefix)
            assert branches_of(search.played[:prefix]) == branches_of(search.level_best[2, :prefix])
            assert problem.verify(search.level_best[2, : int(top.length)]) == top.score


def test_of_equal_scores_the_first_counts() -> None:
    problem = TinyTree(np.zeros(8))
    search = NMCS(level=3).start(problem, seed=0)
    run_once(search, problem)
    assert branches_of(search.best_moves()) == branches_of(search.level_best[3, :3])
    assert search.best_moves()[0].branch == 0
    assert search.head[0].improvements == 1


def test_scores_of_minus_infinity() -> None:
    problem = TinyTree([-np.inf] * 8)
    search = NMCS(level=2).start(problem, seed=0)
    assert run_once(search, problem) == playouts_of(2, 3)
    assert search.head[0].best_length == 3


@pytest.mark.parametrize("level", [1, 2, 5])
def test_no_move_and_one_move(level: int) -> None:
    nothing = chain(0)
    search = NMCS(level=level).start(nothing, seed=0)
    assert step(search, nothing, 5) == FINE
    assert (search.head[0].runs, search.head[0].best_length) == (5, 0)
    assert search.head[0].best_score == 7.0
    one = chain(1)
    search = NMCS(level=level).start(one, seed=0)
    assert step(search, one, 5) == FINE
    assert (search.head[0].runs, search.head[0].best_length) == (5, 1)


def test_games_that_end_early_inside_a_level() -> None:
    problem = TinyTree(LEAVES, stop=1)
    search = NMCS(level=3).start(problem, seed=0)
    run_once(search, problem)
    # sequences are 1, 01, 001, 0000, 0001: leaves 8, 4, 2, 0, 1
    assert search.head[0].best_score == LEAVES[[8, 4, 2, 0, 1]].max()
    assert problem.verify(search.best_moves()) == search.head[0].best_score


def test_more_moves_than_slots_take_several_batches() -> None:
    branches = 2 * MOST_SLOTS + 3
    problem = TinyTree(np.arange(branches, dtype=float), branches=branches)
    search = NMCS(level=1).start(problem, seed=0)
    assert len(search.states) == MOST_SLOTS
    assert run_once(search, problem) == branches
    assert branches_of(search.best_moves()) == [branches - 1]


def test_broken_promises_are_errors() -> None:
    for level in (1, 2, 3):
        problem = TinyTree(LEAVES)
        problem.max_moves = 1
        search = NMCS(level=level).start(problem, seed=0)
        assert step(search, problem, 10) == TOO_MANY_MOVES
        problem = TinyTree(LEAVES)
        problem.max_length = 2
        search = NMCS(level=level).start(problem, seed=0)
        assert step(search, problem, 10) == TOO_LONG


def assert_same(a: NMCSSearch, b: NMCSSearch) -> None:
    for name in a.fields:
        assert a.arrays()[name].tobytes() == b.arrays()[name].tobytes(), name


def test_size_of_steps_does_not_matter() -> None:
    problem = TinyTree(LEAVES, stop=1)
    whole = NMCS(level=3).start(problem, seed=9)
    step(whole, problem, 60)
    single = NMCS(level=3).start(problem, seed=9)
    for _ in range(60):
        step(single, problem, 1)
    assert whole.head[0].runs > 0
    assert_same(whole, single)


def test_compiled_equals_interpreted() -> None:
    problem = TinyTree(LEAVES)
    compiled = NMCS(level=3).start(problem, seed=2)
    step(compiled, problem, 60)
    plain = NMCS(level=3).start(problem, seed=2)
    with np.errstate(over="ignore"):
        step.py_func(plain, problem, 60)
    assert_same(compiled, plain)


@pytest.mark.parametrize("level", [0, 11, 1.5, "2"])
def test_bad_levels_are_refused(level: object) -> None:
    with pytest.raises(OptionError):
        NMCS(level=level)  # type: ignore[arg-type]
