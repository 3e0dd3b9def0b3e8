"""PB-MCTS: pairs by relative upper confidence bounds, and a recursive search beside it."""

from __future__ import annotations

import math

import numpy as np
import pytest

import playout as po
from playout.compiled import wrapping
from playout.compiled.random import random_below, stream_of
from playout.compiled.records import bytes_of, mix
from playout.gametree import stepping
from playout.worlds.arrays import CHILD, COUNT, FIRST, PAIRS, SPACE, VISITS, N
from playout.worlds.preference import PreferenceSearch, PreferenceTree
from playout.worlds.preference_pairs import BEST, WIDTH, first_of_pair, second_of_pair, upper
from tests.support.forms import FORMS
from tests.support.world_games import Guess, Stars, Walk


def session_of(game, text="preference:C=0.5", seed=1, compiled=False):
    return PreferenceSearch.parse(text).session(game, seed=seed, compiled=compiled)


def a_node(pairs, visits):
    """A tree of a root whose edges have won against each other so often, in half wins."""
    n = len(pairs)
    tree = PreferenceTree(Walk(), 100)
    tree.begin_tree(0)
    tree.nodes[1, [FIRST, COUNT, SPACE, VISITS, PAIRS, WIDTH]] = 0, n, n, visits, 0, n
    tree.pairs[: n * n] = np.array(pairs).reshape(-1)
    tree.legal[:n] = range(n)
    tree.rng[0] = 1
    return tree


class TestPairs:
    def test_a_bound_by_hand(self):
        """3 of 4 comparisons won: 3/4 + sqrt(alpha ln t / 4); none made: 1 + 1."""
        tree = a_node([[0, 6, 0], [2, 0, 0], [0, 0, 0]], 5)
        explored = 0.5 * math.log(5)
        assert upper(tree, 1, 0, 1, explored) == pytest.approx(0.75 + math.sqrt(explored / 4))
        assert upper(tree, 1, 1, 0, explored) == pytest.approx(0.25 + math.sqrt(explored / 4))
        assert upper(tree, 1, 0, 2, explored) == 2.0
        assert upper(tree, 1, 1, 1, explored) == 0.5

    def test_the_pair_by_hand(self):
        """With alpha = 0 the bounds are the shares: 0 beats all; 1 does best against it."""
        tree = a_node([[0, 12, 16], [8, 0, 10], [4, 10, 0]], 30)
        with wrapping():
            one = first_of_pair(tree, 1, 3, 0.0)
            two = second_of_pair(tree, 1, 3, 0.0, one)
        assert (one, two) == (0, 1)
        assert tree.nodes[1, BEST] == 1

    def test_the_only_candidate_of_before_is_taken_half_of_the_time(self):
        tree = a_node([[0, 10, 10], [10, 0, 10], [10, 10, 0]], 30)
        tree.nodes[1, BEST] = 3
        with wrapping():
            taken = [int(first_of_pair(tree, 1, 3, 0.0)) for _ in range(2000)]
        assert taken.count(2) / 2000 == pytest.approx(0.5, abs=0.05)
        assert taken.count(0) / 2000 == pytest.approx(0.25, abs=0.05)

    def test_a_single_move_has_no_rival(self):
        tree = a_node([[0]], 3)
        with wrapping():
            assert second_of_pair(tree, 1, 1, 0.5, 0) == -1


class TestSearch:
    def test_the_luck_to_come_does_not_leak(self):
        """Who reads it guesses right; who does not beats the sure thing half of the time."""
        session = session_of(Guess(), "preference:C=2", seed=3)
        session.run(po.Playouts(1200))
        pairs = session.team.trees[0].pairs[:9].reshape(3, 3)
        assert pairs / np.maximum(pairs + pairs.T, 1) == pytest.approx(
            0.5 * (1 - np.eye(3)), abs=0.1
        )

    def test_it_takes_the_stars(self):
        assert session_of(Stars()).run(po.Playouts(400)).move == "1"

    @pytest.mark.parametrize("compiled", FORMS)
    @pytest.mark.parametrize("calls", [1, 2, 7, 100, 333])
    def test_calls_are_kept_exactly(self, calls, compiled):
        result = session_of(Walk(), compiled=compiled).run(po.Calls(calls))
        assert result.calls == calls

    @pytest.mark.parametrize("playouts", [1, 2, 50])
    def test_playouts_are_kept_exactly(self, playouts):
        assert session_of(Walk()).run(po.Playouts(playouts)).simulations == playouts

    def test_steps_do_not_matter(self, monkeypatch):
        whole = session_of(Walk()).run(po.Playouts(300))
        monkeypatch.setattr(stepping, "STEP_SECONDS", 0.0)
        assert session_of(Walk()).run(po.Playouts(300)).moves == whole.moves

    @pytest.mark.parametrize("returned", ["better", "random"])
    def test_it_is_the_recursive_search(self, returned):
        session = session_of(Walk(4), f"preference:C=0.3,returned={returned}", seed=7)
        session.run(po.Playouts(10**9) | po.Calls(600))
        with wrapping():
            seed = mix(np.uint64(7) ^ mix(np.uint64(1)))
            naive = Recursive(Walk(4), session._position, 8 * 0.3**2, returned)
            naive.search(seed, 600)
        _compare(session.team.trees[0], 1, naive.root)


def _compare(tree, node, naive):
    first = int(tree.nodes[node, FIRST])
    edges = range(first, first + int(tree.nodes[node, COUNT]))
    by_move = {bytes_of(tree.edge_moves[edge]): edge for edge in edges}
    assert set(by_move) == set(naive.names)
    for name, edge in by_move.items():
        assert tree.edges[edge, N] == naive.n[naive.names.index(name)]
        child = int(tree.edges[edge, CHILD])
        if child and name in naive.children:
            _compare(tree, child, naive.children[name])


class _Node:
    def __init__(self):
        self.names, self.n, self.won, self.children = [], [], {}, {}
        self.visits, self.best = 0, None


class _Spent(Exception):
    pass


class Recursive:
    """PB-MCTS as its authors have it: a function that calls itself."""

    def __init__(self, game, position, alpha, returned):
        self.game, self.position, self.alpha, self.returned = game, position, alpha, returned
        self.root, self.calls = _Node(), 0

    def search(self, seed, calls):
        number, self.limit = 0, calls
        while self.calls < calls:
            self.rng = np.array([stream_of(seed, number)], np.uint64)
            state = self.position.copy()
            self.game.redraw(state[0], 0, self.rng)
            self.simulate(self.root, state)
            number += 1

    def simulate(self, node, state):
        """What the simulation of a node comes to, a score."""
        legal = self.game.legal_moves(state[0])
        if not len(legal) or self.calls >= self.limit:
            node.visits += 1
            return self.game.score(state[0])
        names = [bytes_of(move) for move in legal]
        fresh = [name for name in names if name not in node.names]
        for i in range(len(fresh)):
            random_below(self.rng, i + 1)  # the order in which others try them
        node.names += fresh
        node.n += [0] * len(fresh)
        one = self.first(node, names)
        two = self.second(node, names, one)
        first = self.branch(node, state, legal[names.index(one)], one)
        up = first
        if two is not None and self.calls < self.limit:
            second = self.branch(node, state, legal[names.index(two)], two, again=True)
            sign = (first > second) - (first < second)
            node.won[one, two] = node.won.get((one, two), 0) + 1 + sign
            node.won[two, one] = node.won.get((two, one), 0) + 1 - sign
            if self.returned == "better" and sign:
                up = max(first, second)
            else:
                up = first if random_below(self.rng, 2) == 0 else second
        node.visits += 1
        return up

    def branch(self, node, state, move, name, again=False):
        state = state.copy()
        if again:
            self.game.redraw(state[0], 0, self.rng)
        self.game.play(state[0], move)
        self.calls += 1
        if name in node.children:
            found = self.simulate(node.children[name], state)
        else:
            node.children[name] = _Node()
            node.children[name].visits = 1
            while self.calls < self.limit and len(legal := self.game.legal_moves(state[0])):
                self.game.play(state[0], legal[random_below(self.rng, len(legal))])
                self.calls += 1
            found = self.game.score(state[0])
        node.n[node.names.index(name)] += 1
        return found

    def upper(self, node, a, b):
        if a == b:
            return 0.5
        won, lost = node.won.get((a, b), 0), node.won.get((b, a), 0)
        if won + lost == 0:
            return 2.0
        explored = self.alpha * math.log(max(node.visits, 1))
        return won / (won + lost) + math.sqrt(2 * explored / (won + lost))

    def first(self, node, names):
        fine = [a for a in names if all(self.upper(node, a, b) >= 0.5 for b in names)]
        if not fine:
            return names[random_below(self.rng, len(names))]
        if node.best not in fine:
            node.best = None
        if len(fine) == 1:
            node.best = fine[0]
            return fine[0]
        if node.best is not None:
            if random_below(self.rng, 2) == 0:
                return node.best
            at, last = fine.index(node.best), fine.pop()
            if at < len(fine):
                fine[at] = last
        return fine[random_below(self.rng, len(fine))]

    def second(self, node, names, one):
        chosen, most, equal = None, -math.inf, 0
        for name in names:
            if name == one:
                continue
            x = self.upper(node, name, one)
            if x > most:
                chosen, most, equal = name, x, 1
            elif x == most:
                equal += 1
                if random_below(self.rng, equal) == 0:
                    chosen = name
        return chosen
