"""What threads collect at nodes that all of them pass."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from playout.gametree.hot_nodes import (
    DEPTH,
    LEFT,
    MADE,
    NODE,
    add_to_batch,
    add_to_row,
    add_to_totals,
    begin_batch,
    chosen_before,
    end_batch,
    forget_hot,
    hand_in,
    is_due,
    make_hot,
    may_batch,
    note_choice,
)
from playout.gametree.nodes import make_root, open_node
from playout.gametree.parallel_schemes import new_tree
from playout.gametree.simulate import choose_edge
from playout.gametree.tree_arrays import (
    HOT,
    SLOT,
    UNIT,
)
from playout.gametree.tree_policies import UCB1, UCB1Tuned
from tests.support.tree_cases import edges_at, one_box


@pytest.fixture(scope="module")
def box():
    return one_box()


class TestHotNodes:
    """What threads collect at nodes that all of them pass."""

    @pytest.fixture
    def tree(self, box):
        """Two threads; a root of 400 visits, its edges have 100 each, worth 0.6, 0.5, 0 and 0."""
        tree = new_tree(box, po.TreeSearch("uct", nodes=50, graph="uct2"), 2, shared=True)
        tree.root_state[0] = box.root()[0]
        with np.errstate(over="ignore"):
            make_root.py_func(tree, box)
            open_node(tree, box, UCB1(), 0, box.root()[0], 1)
        tree.tried[1], tree.visits[1] = 4, 400
        for edge, value in zip(edges_at(tree, 1), (0.6, 0.5, 0.0, 0.0), strict=True):
            tree.edge_visits[edge] = 100
            tree.edge_totals[edge] = round(100 * value * UNIT)
        return tree

    def test_a_thread_sees_its_own_row(self, tree, box):
        make_hot(tree, 1)
        assert tree.hot[1] == 1
        first = int(tree.first[1])
        chosen = [choose_edge(tree, box, UCB1(C=0.0), 1, 1, slot, 1) - first for slot in (0, SLOT)]
        assert chosen == [0, 0]
        for _ in range(30):  # 60 / 130 = 0.46
            add_to_row(tree, UCB1(), SLOT, 1, 0, 0.0)
        chosen = [choose_edge(tree, box, UCB1(C=0.0), 1, 1, slot, 1) - first for slot in (0, SLOT)]
        assert chosen == [0, 1]  # the other thread does not know yet
        assert tree.edge_visits[first] == 100

    def test_handing_in(self, tree):
        make_hot(tree, 1)
        first = int(tree.first[1])
        tree.rewards[SLOT] = (0.25, 0.75)
        tree.edge_visits[first + 2] = 200
        for n in range(1, 7):
            assert not is_due(tree, SLOT, 1, first + 2)  # one in 32 of 400, by two threads, is 6
            add_to_row(tree, UCB1(), SLOT, 1, 2, 0.25)
            add_to_totals(tree, SLOT, 1)
            assert tree.visits[1] == 400, n
        assert is_due(tree, SLOT, 1, first + 2)
        tree.edge_visits[first + 2] = 100
        hand_in(tree, UCB1(), SLOT, 1)
        assert (tree.visits[1], tree.edge_visits[first + 2]) == (406, 106)
        assert tree.edge_totals[first + 2] == 6 * 0.25 * UNIT
        assert tree.totals[1].tolist() == [1.5 * UNIT, 4.5 * UNIT]
        assert not tree.hot_sums.any()
        assert not tree.hot_totals.any()

    def test_handing_in_what_is_much_of_one_move(self, tree):
        make_hot(tree, 1)
        edge = int(tree.first[1]) + 2
        tree.visits[1] = 100_000  # of which one in 64 is far off
        for passed in (1, 2, 3):
            add_to_row(tree, UCB1(), SLOT, 1, 2, 0.25)
            assert not is_due(tree, SLOT, 1, edge), passed
        add_to_row(tree, UCB1(), SLOT, 1, 2, 0.25)  # four of 100: over one in 32
        assert is_due(tree, SLOT, 1, edge)
        assert not is_due(tree, SLOT, 1, edge + 1)

    def test_choices_are_repeated(self, tree):
        make_hot(tree, 1)
        edge = int(tree.first[1]) + 3
        tree.visits[1] = 1_000_000
        note_choice(tree, 0, 1, 3)
        assert chosen_before(tree, 0, 1) == -1  # 100 / 128: not once, whatever the node has
        tree.edge_visits[edge] = 300  # 300 / 128: twice more
        note_choice(tree, 0, 1, 3)
        assert [chosen_before(tree, 0, 1) for _ in range(4)] == [3, 3, -1, -1]
        assert chosen_before(tree, SLOT, 1) == -1  # each thread for itself
        tree.edge_visits[edge] = 1_000_000
        note_choice(tree, 0, 1, 3)
        assert [chosen_before(tree, 0, 1) for _ in range(17)] == [3] * 16 + [-1]
        tree.head[0].solver = 1
        note_choice(tree, 0, 1, 3)
        assert chosen_before(tree, 0, 1) == -1

    def test_a_batch(self, tree):
        """Hot nodes hear of a batch when it is over; until then its edge has a virtual loss."""
        make_hot(tree, 1)
        first = int(tree.first[1])
        slot, edge = SLOT, first + 2
        tree.path_nodes[slot, 0], tree.path_edges[slot, 0], tree.path_hot[slot, 0] = 1, edge, 1
        begin_batch(tree, slot, 1, 7, 1, edge)
        assert tree.batch[slot, [LEFT, MADE, DEPTH, NODE]].tolist() == [6, 0, 1, 7]  # 100 / 16
        assert tree.edge_loss[edge] == 1
        tree.rewards[slot] = (0.25, 0.75)
        for made in (1, 2, 3):
            add_to_batch(tree, UCB1Tuned(), slot)
            assert tree.batch[slot, [LEFT, MADE]].tolist() == [6 - made, made]
            assert not tree.hot_sums.any()
        end_batch(tree, UCB1Tuned(), slot)
        assert tree.batch[slot, LEFT] == 0
        assert tree.edge_loss[edge] == 0
        row = tree.hot_sums[1, 1, 6:9] / np.array([1, UNIT, UNIT])
        assert row.tolist() == [3, 0.75, 3 * 0.0625]
        assert tree.hot_totals[1, 1].tolist() == [3, 0.75 * UNIT, 2.25 * UNIT]
        assert not tree.hot_sums[0].any()

    def test_a_batch_is_a_small_part_of_the_visits(self, tree):
        make_hot(tree, 1)
        edge = int(tree.first[1])
        for visits, n in ((31, 0), (32, 2), (255, 15), (1_000_000, 16)):
            tree.edge_visits[edge], tree.batch[0] = visits, 0
            begin_batch(tree, 0, 1, 7, 1, edge)
            assert tree.batch[0, LEFT] == n, visits

    def test_proofs_and_highest_rewards_are_noted_at_once(self, tree):
        assert may_batch(tree)
        tree.head[0].solver = 1
        assert not may_batch(tree)

    def test_room_for_so_many(self, tree):
        tree.counters[HOT] = tree.hot_sums.shape[1]
        make_hot(tree, 1)
        assert tree.hot[1] < 0

    def test_begun_anew(self, tree):
        make_hot(tree, 1)
        tree.visits[1] = 1000
        note_choice(tree, 0, 1, 3)
        add_to_row(tree, UCB1(), 0, 1, 0, 1.0)
        forget_hot(tree)
        assert tree.counters[HOT] == 1
        assert not tree.hot_sums.any()
        assert not tree.hot_choice.any()
