"""Graph colouring: the paper's moves, score and codes; lowering the number of colours."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import playout as po
from playout.algorithms.search import FINE, step
from playout.errors import OptionError, ProblemError
from playout.problems import GraphColoring
from playout.problems.coloring.graph_files import Graph
from playout.problems.coloring.referee import monochromatic
from tests.support.bothways import assert_compiled_is_plain, random_game

# a wheel: a hub and a ring of five, 4 colours; the ring alone needs 3
HUB = [("h", i) for i in range(5)]
RING = [(i, (i + 1) % 5) for i in range(5)]


def wheel(k, **options):
    names = ["h", 0, 1, 2, 3, 4]
    return GraphColoring(Graph.from_names(names, HUB + RING), k=k, **options)


def legal(problem, state):
    moves = problem.new_moves()
    n = problem.moves(state, moves)
    return [(int(m.vertex), int(m.colour)) for m in moves[:n]]


def play(problem, state, *pairs):
    for vertex, colour in pairs:
        move = problem.new_moves(1)
        move[0].vertex, move[0].colour = vertex, colour
        problem.play(state, move[0])


class TestModel:
    def test_dsatur_order_and_forward_checking_by_hand(self):
        problem = wheel(3)
        state = problem.root()[0]
        # the hub has the most neighbours
        assert legal(problem, state) == [(0, 0), (0, 1), (0, 2)]
        play(problem, state, (0, 1))
        # all of the ring see one colour and have three neighbours: the first
        assert legal(problem, state) == [(1, 0), (1, 2)]
        play(problem, state, (1, 0))
        # its neighbours on the ring see two colours
        assert legal(problem, state) == [(2, 2)]
        play(problem, state, (2, 2))
        assert legal(problem, state) == [(3, 0)]
        play(problem, state, (3, 0))
        assert legal(problem, state) == [(4, 2)]
        play(problem, state, (4, 2))
        # the last sees all three: all are moves, each makes one wrong edge
        assert legal(problem, state) == [(5, 0), (5, 1), (5, 2)]
        assert state.conflicts == 0
        play(problem, state, (5, 2))
        assert legal(problem, state) == []
        assert problem.score(state) == -1.0

    def test_codes_are_vertex_times_k_plus_colour(self):
        problem = wheel(4)
        state, moves = problem.root()[0], problem.new_moves()
        n = problem.moves(state, moves)
        assert [int(problem.code(state, m)) for m in moves[:n]] == [0, 1, 2, 3]
        play(problem, state, (0, 0))
        n = problem.moves(state, moves)
        assert [int(problem.code(state, m)) for m in moves[:n]] == [5, 6, 7]
        assert problem.all_moves(state, moves) == 4
        assert [int(problem.code(state, m)) for m in moves[:4]] == [4, 5, 6, 7]

    def test_without_checking_every_colour_is_a_move(self):
        problem = wheel(3, checking=False)
        state, moves = problem.root()[0], problem.new_moves()
        play(problem, state, (0, 1))
        assert legal(problem, state) == [(1, 0), (1, 1), (1, 2)]
        n = problem.moves(state, moves)
        assert [problem.bias(state, m) for m in moves[:n]] == [0.0, -8.0, 0.0]

    @pytest.mark.parametrize("k", [1, 3, 64, 65, 70])
    @pytest.mark.parametrize("checking", [True, False])
    @pytest.mark.long
    def test_the_contract(self, k, checking):
        problem = GraphColoring.random(3, n=40, k=k, checking=checking)
        report = po.check_problem(problem, games=3, compiled=k == 3 and checking)
        assert report.passed, str(report)

    def test_compiled_is_plain(self):
        assert_compiled_is_plain(GraphColoring.random(5, n=60, density=0.4, k=9))

    @settings(max_examples=25, deadline=None)
    @given(seed=st.integers(0, 1000), n=st.integers(1, 25), k=st.integers(1, 8))
    def test_the_score_is_what_the_referee_counts(self, seed, n, k):
        problem = GraphColoring.random(seed, n=n, k=k)
        moves, states = random_game(problem, seed)
        wrong = monochromatic(problem.graph, problem.coloring(moves))
        assert problem.score(states[0]) == -len(wrong) == problem.verify(moves)

    def test_the_order_is_dsaturs_in_random_games(self):
        problem = GraphColoring.random(2, n=30, density=0.3, k=6)
        near = {v: set() for v in range(30)}
        for a, b in problem.graph.edges.tolist():
            near[a].add(b)
            near[b].add(a)
        moves, _ = random_game(problem, 1)
        colours: dict[int, int] = {}
        for move in moves:

            def rank(v):
                return (-len({colours[u] for u in near[v] if u in colours}), -len(near[v]), v)

            left = [v for v in range(30) if v not in colours]
            assert int(move.vertex) == min(left, key=rank)
            colours[int(move.vertex)] = int(move.colour)

    @pytest.mark.parametrize("checking", [True, False])
    @pytest.mark.parametrize("k", [2, 5, 66])
    def test_a_game_is_replayed_in_whole_arrays_as_by_the_rules(self, k, checking):
        problem = GraphColoring.random(k, n=70, density=0.3, k=k, checking=checking)
        moves, states = random_game(problem, 3)
        texts: list[str] = []
        assert problem.replay(moves, texts=texts).tobytes() == states.tobytes()
        assert problem.replay(moves, start=problem.root()).tobytes() == states.tobytes()
        assert texts == [problem.move_text(states[0], move) for move in moves]
        bad = moves.copy()
        bad[[30, 40]] = bad[[40, 30]]  # not in DSatur's order
        with pytest.raises(ProblemError, match=r"move 31, .* is not legal there"):
            problem.replay(bad)
        bad = moves.copy()
        bad["colour"][12] = k
        with pytest.raises(ProblemError, match=r"move 13, .* is not legal there"):
            problem.replay(bad)

    def test_a_colour_that_is_taken_is_no_move(self):
        problem = wheel(4)
        moves, _ = random_game(problem, 1)
        moves["colour"][1] = moves["colour"][0]  # of the hub
        with pytest.raises(ProblemError, match=r"move 2, .* is not legal there"):
            problem.replay(moves)

    def test_bad_sequences_are_found_out(self):
        problem = wheel(3)
        moves = problem.new_moves(6)
        moves["vertex"] = [0, 1, 2, 3, 4, 4]
        with pytest.raises(ProblemError, match="vertex 4 has a colour already"):
            problem.verify(moves)
        with pytest.raises(ProblemError, match="vertex 5 has no colour"):
            problem.verify(moves[:5])

    @pytest.mark.parametrize(
        ("options", "message"),
        [({"k": 0}, "k=0"), ({"k": 3, "polish_steps": 0}, "polish_steps=0")],
    )
    def test_bad_options(self, options, message):
        with pytest.raises(OptionError, match=message):
            wheel(**{"k": 3, **options})

    def test_what_a_person_sees(self):
        problem = wheel(3)
        state = problem.root()[0]
        play(problem, state, (0, 1), (1, 0))
        assert "2 coloured with 2, 0 wrong edges" in problem.render(state)
        assert problem.svg(state).startswith("<svg")
        assert problem.move_text(state, np.array([(2, 1)], problem.move_type)[0]) == "1=2"


class TestAdaptAll:
    def test_all_colours_lose_weight(self):
        """One lesson by hand: each step weighs k colours alike, whatever was legal."""
        problem = wheel(3)
        search = po.NRPA(level=1, N=10, adapt="all").start(problem, 1)
        with np.errstate(over="ignore"):
            assert step.py_func(search, problem, 1) == FINE  # played, and learned from
            assert step.py_func(search, problem, 0) == FINE
        row = int(search.kept[1, 0].row)
        assert search.offsets[row, :7].tolist() == [0, 3, 6, 9, 12, 15, 18]
        weights = sorted(place.weight for place in search.tables[0] if place.code)
        assert np.allclose(weights, [-1 / 3] * 12 + [2 / 3] * 6)

    def test_a_problem_without_all_moves(self):
        with pytest.raises(OptionError, match="Maximum has no all_moves"):
            po.solve(po.problems.Maximum(9), po.NRPA(adapt="all"), po.Playouts(1))
