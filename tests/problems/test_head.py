"""HEAD and what it is made of: crossover by hand, tables of conflicts as a naive count has them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playout.problems import GraphColoring
from playout.problems.coloring.crossover import apart, cross
from playout.problems.coloring.head import Head, improve, improve_partial
from playout.problems.coloring.partial_tabu import partial_steps, weigh_neighbours
from playout.problems.coloring.saturation import InnerGraph
from playout.problems.coloring.tabu import count_neighbours, tabu_steps


@pytest.fixture(autouse=True)
def wrapping():
    """Random numbers are 64 bits, as compiled."""
    with np.errstate(over="ignore"):
        yield


def colours(text):
    """One letter a vertex: a is colour 0, a dot none."""
    return np.array([-1 if c == "." else ord(c) - ord("a") for c in text], np.int32)


def stream(seed=1):
    return np.array([seed], np.uint64)


def graph_of(n, pairs):
    """By inner numbers, which are those of the pairs if degrees fall."""
    return InnerGraph.of(n, np.array(sorted(pairs)).reshape(-1, 2))


def wrong(graph, colour):
    """Edges whose ends have one colour, counted one by one; no colour is no conflict."""
    return sum(
        1
        for v in range(len(colour))
        for u in graph.neighbours(v)
        if u < v and colour[u] == colour[v] >= 0
    )


@st.composite
def graphs(draw):
    n = draw(st.integers(3, 9))
    pairs = [(a, b) for a in range(n) for b in range(a + 1, n)]
    return graph_of(n, draw(st.lists(st.sampled_from(pairs), unique=True, min_size=2)))


class TestCrossover:
    def test_by_hand(self):
        # The first's largest class is a, which the child has. That leaves of the second's {7},
        # {5 10} and {6 8 9}: the last is the largest. That leaves of the first's {5 7} and {10}:
        # the child has {5 7}, and 10 has no colour.
        one, two = colours("aaaaabbbccc"), colours("abcabbcaccb")
        assert cross(one, two, 3, stream()).tolist() == colours("aaaaacbcbb.").tolist()

    def test_a_child_of_one_colouring_is_that_colouring(self):
        one = colours("abcabcabca")
        child = cross(one, one, 3, stream())
        assert apart(one, child, 3) == 0
        assert apart(one, colours("bcabcabcab"), 3) == 0  # the same with other names
        assert apart(one, colours("bbcabcabca"), 3) == 1
        assert apart(colours("aabb"), colours("abab"), 2) == 2

    @given(st.lists(st.integers(-1, 3), min_size=4, max_size=12), st.data())
    def test_a_class_of_the_child_is_part_of_a_parents(self, one, data):
        two = data.draw(st.lists(st.integers(-1, 3), min_size=len(one), max_size=len(one)))
        parents = [np.array(colour, np.int32) for colour in (one, two)]
        child = cross(*parents, 4, stream())
        for c in range(4):
            members = np.flatnonzero(child == c)
            giver = parents[c % 2][members]
            assert len(set(giver.tolist())) <= 1
            assert (giver >= 0).all()


class TestTabuSearches:
    @settings(max_examples=40, deadline=None)
    @given(graphs(), st.integers(2, 4), st.integers(0, 2**32))
    def test_conflicts_are_those_of_a_naive_count(self, graph, k, seed):
        n = len(graph.order)
        colour = np.random.default_rng(seed).integers(0, k, n).astype(np.int32)
        fixed, ended = np.zeros(n, np.bool_), np.zeros(1, np.int64)
        before = wrong(graph, colour)
        best, least, _ = tabu_steps(
            graph.near, graph.starts, k, colour, fixed, 30, ended, stream(seed)
        )
        assert least == wrong(graph, best) <= before
        counts = count_neighbours(graph.near, graph.starts, k, best)
        assert sum(counts[v, best[v]] for v in range(n)) == 2 * least

    @settings(max_examples=40, deadline=None)
    @given(graphs(), st.integers(2, 4), st.integers(0, 2**32), st.integers(0, 5))
    def test_a_partial_colouring_stays_proper(self, graph, k, seed, tenure):
        n = len(graph.order)
        colour, ended = np.full(n, -1, np.int32), np.zeros(1, np.int64)
        best, least, _ = partial_steps(
            graph.near, graph.starts, k, colour, tenure, 30, ended, stream(seed)
        )
        assert wrong(graph, best) == wrong(graph, colour) == 0
        degrees = np.diff(graph.starts)
        assert least == degrees[best < 0].sum() <= degrees[colour < 0].sum()
        weights = weigh_neighbours(graph.near, graph.starts, k, best)
        for v in range(n):
            near = graph.neighbours(v)
            for c in range(k):
                assert weights[v, c] == degrees[near[best[near] == c]].sum()

    def test_a_better_colouring_than_ever_may_be_tabu_and_others_not(self):
        # a path of three with two colours: from a a a the middle is recoloured, in one step
        graph = graph_of(3, [(0, 1), (0, 2)])
        fixed, ended = np.zeros(3, np.bool_), np.zeros(1, np.int64)
        best, least, _ = tabu_steps(
            graph.near, graph.starts, 2, colours("aaa"), fixed, 1, ended, stream()
        )
        assert (best.tolist(), least) == ([1, 0, 0], 0)

    @pytest.mark.long
    def test_compiled_is_plain(self):
        problem = GraphColoring.random(1, n=30, k=5)
        inner, ended = problem.graph.inner, np.zeros(1, np.int64)
        for kernel, more in ((improve, ()), (improve_partial, (3,))):
            found = []
            for function in (kernel, kernel.py_func):
                rng, colour = stream(7), np.full(30, -1, np.int32)
                answer = function(inner.near, inner.starts, 5, colour, *more, 200, ended, rng)
                found.append([answer[0].tolist(), *map(int, answer[1:]), int(rng[0])])
            assert found[0] == found[1]


class TestHead:
    def search(self, partial, k, seed=1):
        graph = GraphColoring.default(n=5, k=1).graph.inner
        search = Head(graph, partial, 50, stream(seed), np.zeros(1, np.int64), compiled=False)
        search.begin(k, np.arange(25))
        return graph, search

    @pytest.mark.parametrize("partial", [False, True])
    def test_a_board_of_queens_is_coloured(self, partial):
        graph, search = self.search(partial, 5)
        found = None
        for _ in range(300):
            found = search.advance()
            if found is not None:
                break
        assert found is not None
        assert wrong(graph, found) == 0
        assert set(found.tolist()) == set(range(5))
        assert search.least == 0

    @pytest.mark.parametrize("partial", [False, True])
    def test_what_cannot_be_is_not_found_and_parents_become_one(self, partial):
        _, search = self.search(partial, 4)
        least = []
        for _ in range(60):
            assert search.advance() is None
            least.append(search.least)
        assert least == sorted(least, reverse=True)
        assert least[-1] > 0
        assert search.work > 0

    def test_told_to_end_it_returns_at_once(self):
        _, search = self.search(False, 4)
        search.ended[0] = 1
        work = search.work
        assert search.advance() is None
        assert search.work - work == 25 * 4
