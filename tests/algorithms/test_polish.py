"""`polish`: what a problem makes of a finished playout is what is scored, kept and learned.

`Sorted` has a polish whose effect is known by hand; graph colouring and TSPTW have real ones, which
must never worsen a game and always give one that the rules allow.
"""

from __future__ import annotations

import time
from itertools import pairwise

import numpy as np
import pytest

import playout as po
from playout.algorithms import ALGORITHMS
from playout.algorithms.search import FINE, step
from playout.compiled import kernel, record
from playout.compiled.random import random_below
from playout.contract import Problem
from playout.errors import OptionError, ProblemError
from playout.problems import TSPTW, GraphColoring
from tests.support.algorithm_cases import CASES, knowledge, take_on
from tests.support.bothways import random_game
from tests.support.forms import FORMS, long


class Sorted(Problem):
    """Put the numbers 0 to n - 1 in order; the score is the number of rises.

    Its polish sorts what it may, and draws a random number to spoil one place. With `cheat` it
    breaks the rules: 1 plays a number twice, 2 returns too great a length.
    """

    fields = ("n", "cheat")

    def __init__(self, n: int = 7, cheat: int = 0) -> None:
        self.n, self.cheat = n, cheat
        self.state_type = record(used="i8", last="i8", rises="i8", played="i8")
        self.move_type = record(number="i8")
        self.max_moves = self.max_length = n

    def reset(self, state):
        state.last = -1

    def moves(self, state, moves):
        n = 0
        for number in range(self.n):
            if state.used & (1 << number) == 0:
                moves[n].number = number
                n += 1
        return n

    def play(self, state, move):
        state.used |= 1 << move.number
        state.rises += move.number > state.last
        state.last = move.number
        state.played += 1

    def score(self, state):
        return float(state.rises)

    def polish(self, state, moves, first, length, rng):
        for i in range(first, length):
            for j in range(i + 1, length):
                if moves[j].number < moves[i].number:
                    a, b = moves[i].number, moves[j].number
                    moves[i].number, moves[j].number = b, a
        if length - first > 2:
            i = first + random_below(rng, length - first - 1)
            a, b = moves[i].number, moves[i + 1].number
            moves[i].number, moves[i + 1].number = b, a
        if self.cheat == 1:
            moves[length - 1].number = moves[0].number
        return length + 1 if self.cheat == 2 else length


class SortedBetween(Sorted):
    """The same, scored and polished in plain Python between compiled steps."""

    waits = False

    def evaluate(self, states):
        return states["rises"].astype(float)

    def polish(self, state, moves, first, length, rng):
        while self.waits and not self.ending():
            time.sleep(0.001)
        return super().polish(state, moves, first, length, rng)


def algorithm(name, **more):
    return ALGORITHMS[name](**{**CASES[name], "polish": True, **more})


def searched(name, sizes, kernel=step, problem=None):
    problem = problem or Sorted()
    search = algorithm(name).start(problem, 1)
    for size in sizes:
        assert take_on(search, problem, size, kernel) == FINE
    return search


@pytest.fixture(autouse=True)
def _quiet():
    with np.errstate(over="ignore"):
        yield


@pytest.mark.parametrize("compiled", FORMS)
@pytest.mark.parametrize("name", CASES)
def test_the_polished_game_is_the_one_that_counts(name, compiled):
    plain, polished = (
        po.solve(
            Sorted(), algorithm(name, polish=polish), po.Playouts(1), seed=1, compiled=compiled
        )
        for polish in (False, True)
    )
    assert polished.verified
    # the first one or two moves may have to stay
    assert polished.score >= max(5, plain.score)


@pytest.mark.parametrize("name", ["random", *(long(name) for name in CASES if name != "random")])
class TestEveryAlgorithm:
    def test_steps_of_any_size_and_plain_python_know_the_same(self, name):
        whole = knowledge(searched(name, [90]))
        assert knowledge(searched(name, [1, 0, 40, 49])) == whole
        assert knowledge(searched(name, [90], kernel=step.py_func)) == whole

    def test_stopped_and_resumed_leaf_and_root(self, name, tmp_path):
        def run(budget, **more):
            return po.solve(Sorted(), algorithm(name), po.Playouts(budget), seed=5, **more)

        whole, file = run(200), tmp_path / "checkpoint"
        run(70, checkpoint=file)
        resumed = run(200, checkpoint=file)
        if name not in ("uct", "auto"):  # which were told another budget
            assert resumed.records == whole.records
        assert run(200, workers=3, parallel="leaf").records == whole.records
        one, two = (run(101, workers=2) for _ in range(2))
        assert one.records == two.records
        assert all(result.verified for result in (whole, resumed, one))

    def test_broken_polish_is_found_out(self, name):
        for cheat in (1, 2):
            with pytest.raises(ProblemError, match=r"polish\(\) made a game that is not legal"):
                po.solve(Sorted(cheat=cheat), algorithm(name), po.Playouts(5), seed=1)

    def test_between_steps_it_does_the_same(self, name):
        def run(problem, **more):
            return po.solve(problem, algorithm(name), po.Playouts(60), seed=3, **more)

        within, between = run(Sorted()), run(SortedBetween())
        assert between.records == within.records
        assert between.verified
        assert run(SortedBetween(), workers=2, parallel="leaf").records == within.records
        with pytest.raises(ProblemError, match=r"polish\(\) made a game that is not legal"):
            run(SortedBetween(cheat=1))

    def test_a_problem_without_polish(self, name):
        with pytest.raises(OptionError, match=r"Maximum has no polish\(\) method"):
            po.solve(po.problems.Maximum(9), algorithm(name), po.Playouts(5))


def test_a_long_polish_is_told_that_the_run_ends():
    problem = SortedBetween()
    problem.waits = True
    result = po.solve(problem, po.Random(polish=True), po.Seconds(0.3), seed=1)
    assert result.stopped_by == "seconds"
    assert result.verified
    assert 0.3 <= result.seconds < 60
    assert "ending" not in problem.__dict__  # the run has left nothing behind


@pytest.mark.long
@pytest.mark.parametrize("workers", [1, 2])
def test_one_that_reaches_the_target_ends_the_others(workers):
    class Once(SortedBetween):
        """The first polish does nothing, the second waits for the end, the third is perfect."""

        calls = 0

        def polish(self, state, moves, first, length, rng):
            Once.calls += 1
            mine = Once.calls
            while mine == 2 and workers > 1 and not self.ending():
                time.sleep(0.001)
            if mine == 1:
                return length
            for i in range(length):
                moves[i].number = i
            return length

    stop = po.Target(7) | po.Seconds(600)
    result = po.solve(
        Once(), po.Random(polish=True), stop, seed=1, workers=workers, parallel="leaf"
    )
    assert (result.score, result.stopped_by) == (7.0, "target")
    assert result.seconds < 300


def test_what_is_learned_is_the_polished_sequence():
    """The codes of the lesson are those of the moves that polish made."""
    problem = Sorted()
    search = po.NRPA(level=1, N=50, polish=True).start(problem, 1)
    assert step.py_func(search, problem, 1) == FINE
    assert step.py_func(search, problem, 0) == FINE
    row = int(search.kept[1, 0].row)
    played = [int(m.number) for m in search.sequences[row]]
    assert sum(a < b for a, b in pairwise(played)) == 5  # sorted, but for one place
    # a step with m moves weighs m codes, and the one played has gained
    assert search.offsets[row, :8].tolist() == [0, 7, 13, 18, 22, 25, 27, 28]
    state = problem.root()
    for i, number in enumerate(played):
        moves = problem.new_moves()
        n = problem.moves(state[0], moves)
        assert moves[search.choices[row, i] - search.offsets[row, i]].number == number
        assert n == search.offsets[row, i + 1] - search.offsets[row, i]
        problem.play(state[0], search.sequences[row, i])


@kernel
def _polish(problem, states, moves, first, length, rng):
    return problem.polish(states[0], moves, first, length, rng)


def _polished(problem, seed, first, compiled):
    moves, states = random_game(problem, seed)
    before = problem.final_score(states)
    rng = np.array([seed], np.uint64)
    call = _polish if compiled else _polish.py_func
    length = int(call(problem, states, moves, first, len(moves), rng))
    return before, moves[:length], rng


REAL = {
    "colouring": lambda seed: GraphColoring.random(seed, n=25, density=0.4, k=4, polish_steps=60),
    "colouring without checking": lambda seed: GraphColoring.random(
        seed, n=25, density=0.4, k=4, polish_steps=60, checking=False
    ),
    "colouring that can be done": lambda seed: GraphColoring.random(
        seed, n=25, density=0.2, k=5, polish_steps=60
    ),
    "tours": lambda seed: TSPTW.random(seed, n=12, width=40.0),
    "tours without the rule": lambda seed: TSPTW.random(seed, n=12, width=40.0, selective=False),
    "makespan": lambda seed: TSPTW.random(seed, n=12, width=40.0, objective="makespan"),
}


@pytest.mark.long
@pytest.mark.parametrize("name", REAL)
def test_polish_never_worsens_and_keeps_the_rules_and_the_first_moves(name):
    gained = 0.0
    for seed in range(6):
        problem = REAL[name](seed)
        original, _ = random_game(problem, seed)
        for first in (0, 5, len(original)):
            before, moves, rng = _polished(problem, seed, first, compiled=True)
            assert moves[:first].tobytes() == original[:first].tobytes()
            final = problem.replay(moves)  # raises at a move that is not legal
            assert problem.moves(final[0], problem.new_moves()) == 0
            after = problem.verify(moves)
            assert after == pytest.approx(problem.final_score(final))
            assert after >= before - 1e-9
            gained += after - before
            if seed < 2:
                _, plain, plain_rng = _polished(problem, seed, first, compiled=False)
                assert plain.tobytes() == moves.tobytes()
                assert plain_rng[0] == rng[0]
    if name != "colouring that can be done":  # where there may be nothing left to gain
        assert gained > 0


def test_a_tour_by_hand():
    """Four towns on a line, wide windows: any order becomes one way there and back."""
    place = np.array([0.0, 1.0, 2.0, 3.0])
    distance = np.abs(place[:, None] - place[None, :])
    problem = TSPTW(distance, [(0.0, 100.0)] * 4)
    moves = problem.new_moves(3)
    moves["node"] = [2, 1, 3]
    states = problem.replay(moves)
    assert problem.score(states[0]) == -8.0  # 2 + 1 + 2 + 3
    assert problem.polish(states[0], moves, 0, 3, np.array([1], np.uint64)) == 3
    assert problem.verify(moves) == -6.0


def test_windows_come_before_the_way():
    """The short tour would be late: polish leaves the long one that is in time."""
    place = np.array([0.0, 1.0, 2.0, 3.0])
    distance = np.abs(place[:, None] - place[None, :])
    problem = TSPTW(distance, [(0.0, 100.0), (4.5, 100.0), (0.0, 2.5), (0.0, 100.0)])
    for order in ([1, 2, 3], [3, 2, 1], [2, 1, 3]):
        moves = problem.new_moves(3)
        moves["node"] = order
        states = problem.new_states(1)
        problem.reset(states[0])
        for move in moves:
            problem.play(states[0], move)
        problem.polish(states[0], moves, 0, 3, np.array([1], np.uint64))
        assert problem.verify(moves) == -6.0  # 2 in time, then 3, 1


def test_polish_is_an_option_of_the_command_line_and_off_by_default():
    assert all(cls().polish is False for cls in ALGORITHMS.values())
    assert po.GNRPA.from_text({"polish": "true"}).polish is True


class TestCheck:
    def test_good_ones_pass(self):
        for problem in (Sorted(), TSPTW.random(1, n=9), GraphColoring.random(1, n=12, k=3)):
            report = po.check_problem(problem, games=3, compiled=False)
            assert report.passed, str(report)

    @pytest.mark.parametrize(
        ("cheat", "message"), [(1, "is not legal there"), (2, "it returned the length 8")]
    )
    def test_broken_rules_are_explained(self, cheat, message):
        report = po.check_problem(Sorted(cheat=cheat), games=3, compiled=False)
        assert not report.passed
        assert "polish() breaks the rules" in str(report)
        assert message in str(report)
