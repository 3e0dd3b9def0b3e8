"""alpha-mu: the paper's trees, all strategies as oracle, cuts on and off, steps of any size."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from playout.compiled import wrapping
from playout.worlds.alphamu import new_search, step
from playout.worlds.alphamu_arrays import DONE, ROOM, RUNNING, AlphaMu
from playout.worlds.positions import MAX, MIN
from tests.support.forms import long
from tests.support.world_trees import Node, TreePositions, leaf, random_tree, settle, strategies

CUTS = ("table", "root_cut", "early_cut", "late_cut", "lost")
NO_CUTS = dict.fromkeys(CUTS, False)


def searched(root: Node, worlds: int, most: int, size: int = 1 << 60, **options: bool) -> AlphaMu:
    positions = TreePositions(root, worlds)
    search = new_search(positions, most, **options)
    status, leaves = RUNNING, 0
    with wrapping():
        while status != DONE:
            leaves += size
            status = step.py_func(search, positions, (), leaves)
            if status == ROOM:
                search.grow()
                leaves -= size
            assert status in (RUNNING, DONE, ROOM)
    return search


def best(search: AlphaMu) -> int:
    return int(search.head[0].previous)


def front(search: AlphaMu) -> set[int]:
    return {int(row[0]) for row in search.found[: int(search.head[0].count)]}


def node(kind: int, *children: Node, worlds: int = 3) -> Node:
    return Node(kind, [((1 << worlds) - 1, child) for child in children])


# world 1 is the lowest bit
FIGURE_2 = node(
    MAX,
    node(MIN, node(MAX, leaf(0b001), leaf(0b110)), node(MAX, leaf(0b000), leaf(0b001))),
    node(MIN, leaf(0b000), leaf(0b011)),
)
FIGURE_3 = node(
    MIN,
    node(MAX, leaf(0b110), leaf(0b011)),
    node(MAX, leaf(0b011), leaf(0b101), leaf(0b001)),
)


def test_non_locality_of_figure_2():
    search = searched(FIGURE_2, 3, 2, whole=True)
    # b, the first move, wins in world 1; the mean alone would have lost it
    assert search.root_wins[2, :2].tolist() == [1, 0]
    assert front(search) == {0b001}


def test_the_product_of_figure_3():
    search = searched(node(MAX, FIGURE_3), 3, 2, **NO_CUTS)
    assert front(search) == {0b100, 0b011}


def test_strategy_fusion_is_seen_from_the_second_move_on():
    """Max must guess: each move wins in one of two worlds, and with open cards both are won."""
    guess = node(MAX, node(MIN, node(MAX, leaf(0b01), leaf(0b10), worlds=2), worlds=2), worlds=2)
    assert best(searched(guess, 2, 1)) == 2
    assert best(searched(guess, 2, 2)) == 1


@pytest.mark.parametrize("seed", [*range(4), *(long(seed) for seed in range(4, 16))])
def test_to_the_end_it_finds_the_best_of_all_strategies(seed):
    rng = random.Random(seed)
    worlds = rng.randint(2, 4)
    tree = Node(
        MAX, [((1 << worlds) - 1, random_tree(rng, worlds, 5, seed % 3 == 0)) for _ in "ab"]
    )
    whole = (1 << worlds) - 1
    settle(tree, whole)
    every = strategies(tree, whole)
    expected = max(vector.bit_count() for vector in every)
    kept = {v for v in every if not any(u != v and u & v == v for u in every)}
    assert front(searched(tree, worlds, 8, **NO_CUTS)) == kept
    means = []
    for most in range(1, 9):
        plain = best(searched(tree, worlds, most, **NO_CUTS))
        for on in itertools.combinations(CUTS, 3):
            options = {name: name in on for name in CUTS}
            assert best(searched(tree, worlds, most, **options)) == plain, (most, on)
        cut = searched(tree, worlds, most)
        assert best(cut) == plain
        apart = searched(tree, worlds, most, whole=True)
        assert max(apart.root_wins[int(apart.head[0].finished)]) == plain
        means.append(plain)
    assert means == sorted(means, reverse=True), "a deeper search never finds more"
    assert means[-1] == expected


@pytest.mark.parametrize("seed", range(10))
def test_lost_worlds_change_no_front(seed):
    rng = random.Random(1000 + seed)
    tree = Node(MAX, [(0b1111, random_tree(rng, 4, 6)) for _ in "abc"])
    for most in (2, 3, 4):
        off = searched(tree, 4, most, lost=False, root_cut=False)
        on = searched(tree, 4, most, lost=True, root_cut=False)
        # a root that wins every world that is not lost is left at once
        assert best(on) == best(off)
        asked = (on.head[0].questions, off.head[0].questions)
        assert asked[0] <= asked[1]


def test_steps_of_any_size_give_the_same():
    rng = random.Random(5)
    tree = Node(MAX, [(0b1111, random_tree(rng, 4, 7)) for _ in "abc"])
    whole, small = searched(tree, 4, 4), searched(tree, 4, 4, size=1)
    assert whole.root_wins.tolist() == small.root_wins.tolist()
    assert whole.head.tobytes() == small.head.tobytes()


def test_a_search_that_is_stopped_keeps_its_last_round():
    rng = random.Random(3)
    tree = Node(MAX, [(0b1111, random_tree(rng, 4, 8)) for _ in "abc"])
    positions = TreePositions(tree, 4)
    search = new_search(positions, 5, root_cut=False, lost=False)
    with wrapping():
        status = step.py_func(search, positions, (), 20)
    head = search.head[0]
    assert status == RUNNING
    assert 1 <= head.finished < 5
    assert (search.root_wins[int(head.finished), :3] >= 0).all()


def test_long_fronts_find_room():
    """Eight worlds, each won by one of Max's moves alone: the front has eight vectors."""
    wide = Node(MAX, [(0xFFF, Node(MAX, [(0xFFF, leaf(1 << i)) for i in range(12)]))])
    positions = TreePositions(wide, 12)
    positions.most_moves = 12
    search = new_search(positions, 2, lost=False)
    status = RUNNING
    with wrapping():
        while status != DONE:
            status = step.py_func(search, positions, (), 1 << 60)
            if status == ROOM:
                search.grow()
    assert head_of(search).widest == 12
    assert len(search.found) >= 12


def head_of(search: AlphaMu) -> np.record:
    return search.head[0]
