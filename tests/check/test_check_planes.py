"""`check_problem` finds what is wrong with what a network sees and says."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from playout.check import check_problem
from tests.support.contract_cases import Sum, changed

SHIFT = np.zeros(1, np.int64)
counter = itertools.count()


class Seen(Sum):
    """Numbers that are taken, and how many are left. It keeps the contract."""

    plane_shape = (2, 1, 4)
    outputs = 4

    def planes(self, state, out):
        for i in range(4):
            out[0, 0, i] = state.taken[i]
            out[1, 0, i] = state.left / 3

    def output(self, state, move):
        return move.pick


def fading(self, state, out):
    out[0, 0, 0] = next(counter)


def infinite(self, state, out):
    out[1, 0, 2] = np.log(np.float64(state.left - 2))


def too_wide(self, state, out):
    out[0, 0, 4] = 1.0


def spoils(self, state, out):
    state.left = 1


def with_the_total(self, state, out):
    out[0, 0, 0] = state.total


def by_taken(self, state):
    return np.uint64(state.taken.sum())


def grows(self, state, out):
    self.outputs += 1


def backwards(self, state, move):
    """Sum's numbers from the last: not a mirror image, as they are worth different sums."""
    state.taken[:] = state.taken[::-1].copy()
    move.pick = len(state.taken) - 1 - move.pick
    return True


def beyond(self, state, move):
    move.pick += 4
    return True


def takes(self, state, move):
    state.taken[0] = 1
    return True


BROKEN = [
    ({"mirror": beyond}, "mirror() does not fit moves()", "not legal in the mirror image"),
    ({"mirror": takes}, "mirror() does not fit moves()", "there are 4 moves, but 3"),
    ({"mirror": backwards}, "mirror() does not fit play()", "different keys"),
    ({"planes": fading}, "planes() is not the same each time", "out[0, 0, 0] is"),
    ({"planes": infinite}, "planes() is not finite", "out[1, 0, 2] is -inf"),
    ({"planes": too_wide}, "planes() fails", "index 4 is out of bounds"),
    ({"planes": spoils}, "planes() changes the state", "only reset() and play() may change it"),
    (
        {"planes": with_the_total, "key": by_taken},
        "planes() is not the same for equal keys",
        "predictions are kept by key()",
    ),
    ({"planes": grows}, "planes() changes the problem itself", "self.outputs is not what it was"),
    ({"output": lambda self, state, move: 0}, "output() gives two moves the same output", "have 0"),
    ({"output": lambda self, state, move: move.pick + 1}, "output() is out of range", "0 to 3"),
    ({"output": lambda self, state, move: move.pick - 1}, "output() is out of range", "-1 for"),
    ({"output": lambda self, state, move: 0.5}, "output() is not an integer", "0.5"),
    (
        {"output": lambda self, state, move: (move.pick + next(counter)) % 4},
        "output() is not the same each time",
        "for the same state",
    ),
    ({"plane_shape": (2, 4)}, "plane_shape", "(planes, rows, columns) is right"),
    ({"plane_shape": (0, 1, 4)}, "plane_shape", "(0, 1, 4)"),
    ({"outputs": 0}, "outputs", "a number over 0"),
    ({"equal_planes": (1, 3)}, "equal_planes", "(1, 3)"),
]


@pytest.mark.parametrize(("changes", "title", "says"), BROKEN, ids=[b[1] for b in BROKEN])
def test_each_way_of_breaking_the_contract(changes, title, says):
    problem = changed(Seen, **changes)
    problem.outputs = problem.outputs  # its own, as __init__ may set it
    report = check_problem(problem, compiled=False)
    found = {finding.title: finding.explanation for finding in report.problems}
    assert title in found, str(report)
    assert says in found[title]
    assert "\n" not in found[title]


def test_one_method_without_the_other():
    problem = changed(Sum, output=Seen.output, outputs=4, plane_shape=(1, 1, 1))
    report = check_problem(problem, compiled=False)
    assert "planes() and output() go together: Broken has output() only" in str(report)


def output_shifted(self, state, move):
    return (move.pick + SHIFT[0]) % 4


def planes_shifted(self, state, out):
    out[0, 0, 0] = SHIFT[0]


def test_what_differs_when_compiled_is_found():
    """Numba freezes a global array at compiling; plain Python reads what it is later."""
    assert check_problem(Seen(), games=2).passed
    for method, function, says in (
        ("output", output_shifted, "output() is"),
        ("planes", planes_shifted, "after planes(), out[0, 0, 0] is 1.0 and 0.0"),
    ):
        SHIFT[0] = 0
        problem = changed(Seen, **{method: function})
        assert check_problem(problem, games=1).passed  # compiles it with a 0
        SHIFT[0] = 1
        (finding,) = check_problem(problem, games=2).problems
        assert finding.title == "compiled code differs from plain Python"
        assert says in finding.explanation
