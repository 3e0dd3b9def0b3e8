"""LAHC changes the current game as it says, and accepts what late acceptance accepts."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import playout as po
from playout.algorithms import lahc
from playout.algorithms.lahc import ANEW, ANOTHER, EXCHANGED, LAHC, LATER, REVERSED
from playout.algorithms.search import FINE, begin_batch, step
from playout.algorithms.warm_start import begin_with
from tests.support.forms import FORMS
from tests.support.policy_cases import rng_of

ITEMS = 8


class Order(po.Problem):
    """Items in any order; the score is how many stand where they belong."""

    fields = ("place",)

    def __init__(self, place):
        self.place = np.array(place)
        self.state_type = po.record(used=("?", len(place)), played="i8", right="i8")
        self.move_type = "i8"
        self.max_moves = self.max_length = len(place)

    def moves(self, state, moves):
        n = 0
        for item in range(len(self.place)):
            if not state.used[item]:
                moves[n] = item
                n += 1
        return n

    def play(self, state, move):
        state.used[move] = True
        if self.place[move] == state.played:
            state.right += 1
        state.played += 1

    def score(self, state):
        return float(state.right)


def changed(monkeypatch, *change):
    """The moves of a playout along 0, 1, 2, ... with a change that is given, and how it ended."""
    problem = Order(range(ITEMS))
    search = LAHC(P=1).start(problem, seed=3)
    begin_batch(search, problem)
    search.begin_with(np.arange(ITEMS), 8.0)
    search.states[0], search.rng[0] = search.root[0], rng_of(5)[0]
    monkeypatch.setattr(lahc, "draw_change", lambda rng, size: change)
    with np.errstate(over="ignore"):
        assert search.playout(problem, 0) == FINE
    return search.sequences[0, : search.lengths[0]].tolist()


@pytest.mark.parametrize(
    ("kind", "moves"),
    [
        (LATER, [0, 1, 3, 4, 5, 2, 6, 7]),
        (EXCHANGED, [0, 1, 5, 3, 4, 2, 6, 7]),
        (REVERSED, [0, 1, 5, 4, 3, 2, 6, 7]),
    ],
)
def test_moves_that_change_places(monkeypatch, kind, moves):
    assert changed(monkeypatch, kind, 2, 5, 0, 0) == moves
    assert changed(monkeypatch, kind, 7, 7, 0, 0) == list(range(ITEMS))


def test_another_move_is_played_and_the_others_keep_their_order(monkeypatch):
    moves = changed(monkeypatch, ANOTHER, 3, 3, 0, 0)
    assert moves[:3] == [0, 1, 2]
    assert moves[3] > 3
    assert moves[4:] == [item for item in range(3, ITEMS) if item != moves[3]]
    moves = changed(monkeypatch, ANOTHER, 3, 3, 0, 1)
    assert moves[:3] == [0, 1, 2]
    assert moves[3] > 3
    assert moves[4:] == [item for item in range(4, ITEMS) if item != moves[3]] + [3]


def test_a_stretch_is_played_anew(monkeypatch):
    moves = changed(monkeypatch, ANEW, 2, 5, 0, 1)
    assert sorted(moves) == list(range(ITEMS))
    assert moves[:2] == [0, 1]
    assert moves != list(range(ITEMS))


def test_every_change_is_within_the_game():
    rng, seen = rng_of(1), set()
    with np.errstate(over="ignore"):
        for size in (0, 1, 2, 9, 40):
            for _ in range(300):
                kind, first, last, *others = lahc.draw_change(rng, size)
                assert 0 <= first <= last < max(size, 1)
                seen.add((int(kind), *map(int, others)))
    assert seen == set(product((ANOTHER, ANEW, LATER, EXCHANGED, REVERSED), (0, 1), (0, 1)))


def test_another_move_is_any_but_the_usual_one():
    rng, moves = rng_of(2), np.arange(10, 15)
    with np.errstate(over="ignore"):
        drawn = {int(lahc.another(rng, moves, 5, 12)) for _ in range(200)}
        unusual = {int(lahc.another(rng, moves, 5, 99)) for _ in range(200)}
        assert lahc.another(rng, moves, 1, 10) == 0
    assert drawn == {0, 1, 3, 4}
    assert unusual == {0, 1, 2, 3, 4}


@pytest.mark.parametrize("memory", [1, 3])
@pytest.mark.parametrize("playouts", [1, 4])
def test_it_accepts_what_late_acceptance_does(memory, playouts):
    """Against the rule written down: a list of all scores that were current."""
    problem = Order(range(ITEMS))
    search = LAHC(memory=memory, P=playouts).start(problem, seed=1)
    draw = np.random.default_rng(6)
    begin_batch(search, problem)
    current: list[float] = []  # after each playout
    for _ in range(200):
        search.head[0].batch = search.plan(problem)
        scores = draw.integers(0, 30, int(search.head[0].batch)).astype(float)
        search.scores[: len(scores)] = scores
        search.learn(problem)
        for score in scores:
            late = current[-memory] if len(current) >= memory else (current or [score])[0]
            before = (current or [score])[-1]
            current.append(score if score >= min(before, late) else before)
        assert search.control[0].score == current[-1]
        assert search.control[0].highest == max(current)


def test_short_and_long_climbs_take_turns():
    assert [lahc.luby(i) for i in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    problem = Order([0, 1])  # a random game is the best soon
    search = LAHC(memory=1, P=1).start(problem, seed=1)
    ends = []
    with np.errstate(over="ignore"):
        while len(ends) < 4:
            assert step.py_func(search, problem, 1) == FINE
            if search.head[0].runs > len(ends):
                ends.append(int(search.head[0].playouts))
    assert np.diff([0, *ends]) == pytest.approx([101, 101, 201, 101], abs=15)


def test_it_climbs_again_from_the_best_game_with_some_moves_changed():
    bits = Bits(np.zeros(400, np.int64))
    search = LAHC(P=3).start(bits, seed=1)
    begin_batch(search, bits)
    search.head[0].best_length = len(search.best)  # all zeros
    search.head[0].runs, search.head[0].playouts = 2, 1
    search.begin(bits)
    assert search.plan(bits) == 1
    drawn = []
    with np.errstate(over="ignore"):
        for seed in range(20):
            search.states[0], search.rng[0] = search.root[0], rng_of(seed)[0]
            assert search.playout(bits, 0) == FINE
            drawn.append(search.sequences[0, : search.lengths[0]].mean())
    assert np.mean(drawn) == pytest.approx(1 / 8, abs=0.02)
    search.scores[0], search.head[0].batch = -5.0, 1
    search.learn(bits)  # whatever it scores
    assert (search.control[0].known, search.control[0].score) == (1, -5.0)
    assert search.plan(bits) == 3


def test_every_other_climb_begins_at_the_best_game_itself():
    bits = Bits(np.zeros(20, np.int64))
    search = LAHC(P=3).start(bits, seed=1)
    begin_batch(search, bits)
    search.best[:] = 1
    search.head[0].best_length, search.head[0].best_score = len(search.best), -7.0
    for runs, known in ((1, 1), (2, 0), (3, 1), (4, 0)):
        search.head[0].runs = runs
        search.begin(bits)
        assert search.control[0].known == known
        assert search.plan(bits) == (3 if known else 1)
        assert search.current.tolist() == search.best.tolist()
        if known:
            assert search.control[0].score == search.control[0].highest == -7.0
            assert set(search.before) == {-7.0}


def test_a_solution_to_begin_with_is_the_best_until_a_better_one_is_found():
    """The first playout of a climb is rarely as good: it takes nothing's place."""
    bits = Bits(np.zeros(30, np.int64))
    start = np.array([0] * 29 + [1])
    first = []
    for seed in range(10):
        search = LAHC(P=1).start(bits, seed=seed)
        begin_with(search, bits, start, 29.0)
        with np.errstate(over="ignore"):
            assert step.py_func(search, bits, 1) == FINE
        first.append(float(search.scores[0]))
        assert search.head[0].best_score == max(first[-1], 29.0)
        assert search.best.sum() == 30 - search.head[0].best_score
    assert min(first) < 29.0


class Bits(po.Problem):
    """Zeros and ones, one after another; the score is how many are those of the target."""

    fields = ("target",)

    def __init__(self, target):
        self.target = np.array(target)
        self.state_type = po.record(played="i8", right="i8")
        self.move_type = "i8"
        self.max_moves, self.max_length = 2, len(target)

    def moves(self, state, moves):
        moves[0], moves[1] = 0, 1
        return 2 if state.played < len(self.target) else 0

    def play(self, state, move):
        state.right += move == self.target[state.played]
        state.played += 1

    def score(self, state):
        return float(state.right)


@pytest.mark.parametrize("compiled", FORMS)
def test_it_climbs(compiled):
    bits = Bits(np.random.default_rng(4).integers(0, 2, 40))
    how = dict(seed=1, compiled=compiled)
    assert po.solve(bits, "lahc", "8000 playouts", **how).score == 40
    assert po.solve(bits, "random", "8000 playouts", **how).score < 35


def test_it_climbs_from_what_it_is_given():
    bits = Bits(np.random.default_rng(4).integers(0, 2, 40))
    start = bits.target.copy()
    start[[3, 30]] ^= 1
    how = dict(seed=1, compiled=False)
    assert po.solve(bits, "lahc:memory=1", "300 playouts", start=start, **how).score > 38
    assert po.solve(bits, "lahc:memory=1", "100 playouts", **how).score < 38
