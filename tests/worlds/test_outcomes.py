"""Outcomes that are compared: counts of pairs that stay exact, bounds and scores by hand."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from playout.compiled import record
from playout.contract import Problem
from playout.worlds.arrays import COUNT, FIRST, PAIRS, ROOM, SPACE, TABLE, N, WorldTree
from playout.worlds.outcomes import (
    borda_scores,
    compare_outcome,
    number_outcomes,
    room_to_compare,
)
from playout.worlds.policies import UCB, UCB1Tuned
from tests.support.world_games import Walk


class Ranks(Walk):
    """Outcomes that have an order of their own, in which several are as good as another."""

    outcome_type = record(score="f8", colour="i8")

    def better(self, a, b):
        return int(np.sign(a.score // 2 - b.score // 2))


def a_node(game, edges):
    """A tree of a root with some edges, as many as are legal."""
    tree = WorldTree(game, 1, 100)
    tree.begin_tree(0)
    tree.nodes[1, [FIRST, COUNT, SPACE]] = 0, edges, edges
    tree.counters[1] = edges
    tree.legal[:edges] = range(edges)
    tree.head[0].depth = 1
    tree.path_nodes[0, 0] = 1
    return tree


def add(tree, game, edge, score):
    """An outcome of a simulation through an edge."""
    tree.reached[0].score = score
    tree.path_edges[0, 0] = edge
    while room_to_compare(tree) == ROOM:
        tree.grow()
    number_outcomes(tree, game)
    compare_outcome(tree, 0, 0, int(tree.reached_numbers[0]))
    tree.edges[edge, N] += 1


def pairs_of(tree, edges):
    """For each two edges, twice how often the one won, a tie for one."""
    start, width = int(tree.nodes[1, PAIRS]), int(tree.tables[tree.nodes[1, TABLE]])
    return [[int(tree.pairs[start + a * width + b]) for b in range(edges)] for a in range(edges)]


class TestPairs:
    @pytest.mark.parametrize("game", [Walk(), Ranks()], ids=["scores", "ranks"])
    @pytest.mark.parametrize("values", [2, 7, 1000])
    def test_they_are_those_of_all_pairs_counted_anew(self, game, values):
        chance, edges = random.Random(values), 4
        tree, seen = a_node(game, edges), [[] for _ in range(edges)]
        for _ in range(120):
            edge, score = chance.randrange(edges), float(chance.randrange(values))
            add(tree, game, edge, score)
            out = np.zeros(1, game.outcome_type)
            out[0].score = score
            seen[edge].append(out)
        expected = [
            [
                sum(1 + game.better(x[0], y[0]) for x in seen[a] for y in seen[b]) * (a != b)
                for b in range(edges)
            ]
            for a in range(edges)
        ]
        assert pairs_of(tree, edges) == expected

    def test_edges_that_come_later(self):
        game = Walk()
        tree = a_node(game, 2)
        add(tree, game, 0, 1.0)
        add(tree, game, 1, 2.0)
        tree.nodes[1, [COUNT, SPACE]] = 3, 4  # a world has brought a third move
        tree.legal[:3] = range(3)
        add(tree, game, 2, 1.0)
        assert pairs_of(tree, 3) == [[0, 0, 1], [2, 0, 2], [1, 0, 0]]

    def test_a_borda_score_with_ties(self):
        """a: 1, 3; b: 1, 2; c: 3. a beats b in 2.5 of 4 pairs, and c in 0.5 of 2."""
        game = Walk()
        tree = a_node(game, 3)
        for edge, score in [(0, 1.0), (1, 2.0), (2, 3.0), (0, 3.0), (1, 1.0)]:
            add(tree, game, edge, score)
        borda_scores(tree, 1, 3)
        assert tree.worths[0] == pytest.approx((2.5 / 4 + 0.5 / 2) / 2)
        assert tree.worths[1] == pytest.approx((1.5 / 4 + 0 / 2) / 2)
        assert tree.worths[2] == pytest.approx((1.5 / 2 + 2 / 2) / 2)

    def test_the_only_move_beats_half_of_nobody(self):
        game = Walk()
        tree = a_node(game, 1)
        add(tree, game, 0, 1.0)
        borda_scores(tree, 1, 1)
        assert tree.worths[0] == 0.5


class TestBounds:
    def test_equation_2(self):
        """mean + 2 C sqrt(2 ln n / n(a)) with n = 10, n(a) = 4, C = 0.5."""
        policy = UCB(C=0.5)
        found = policy.bound(policy.prepare(10), 4, 0.3, 0, 0, 0, 0)
        assert found == pytest.approx(0.3 + math.sqrt(2 * math.log(10) / 4))

    def test_ucb1_tuned(self):
        policy = UCB1Tuned()
        found = policy.bound(policy.prepare(10), 4, 0.5, 0.26, 0, 0, 0)
        spread = 0.26 - 0.25 + math.sqrt(2 * math.log(10) / 4)
        assert found == pytest.approx(0.5 + math.sqrt(math.log(10) / 4 * min(0.25, spread)))

    def test_a_number_from_0_to_1(self):
        """(score - lowest) / (highest - lowest), and a half while all scores were equal."""
        out = np.zeros(1, Problem.outcome_type)
        out[0].score = 3.0
        assert Walk().worth(out[0], 1.0, 5.0) == 0.5
        assert Walk().worth(out[0], 3.0, 3.0) == 0.5
        assert Walk().worth(out[0], 3.0, 4.0) == 0.0
