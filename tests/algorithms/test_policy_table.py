"""One adaptation, by hand: weights move by alpha / tau times (played - probability)."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from playout.algorithms.beam import OPTIONS
from playout.algorithms.policy_table import ENTRY, adapt, copy_into, find, stored_code, with_history


def adapted(steps, weights=None, alpha=1.0, tau=1.0, times=1):
    """Adapt a table to steps of (codes, biases, index played); the weights by code."""
    table = np.zeros(64, ENTRY)
    for code, weight in (weights or {}).items():
        slot = find(table, stored_code(code))
        table[slot].code, table[slot].weight = stored_code(code), weight
    codes = np.array([stored_code(c) for s in steps for c in s[0]], np.uint64)
    offsets = np.cumsum([0] + [len(s[0]) for s in steps])
    options = np.zeros(1, OPTIONS)
    options[0].alpha, options[0].tau = alpha, tau
    search = SimpleNamespace(
        options=options,
        tables=[table],
        codes=[codes],
        biases=[np.array([b for s in steps for b in s[1]], float)],
        offsets=[offsets],
        choices=[np.array([offsets[i] + s[2] for i, s in enumerate(steps)])],
        table_slots=[np.zeros(len(codes), np.int32)],
        odds=np.zeros(len(codes)),
        lengths=[len(steps)],
        table_stamps=[1],
        row_stamps=[0],
    )
    added = 0
    for _ in range(times):
        added += adapt(search, 0, 0)
        search.row_stamps[0] = 1  # the slots are known
    return added, lambda code: float(table[find(table, stored_code(code))].weight)


@pytest.fixture(autouse=True)
def _quiet():
    with np.errstate(over="ignore"):
        yield


def test_two_equal_moves():
    added, weight = adapted([([5, 6], [0, 0], 0)])
    assert added == 2
    assert weight(5) == pytest.approx(0.5)
    assert weight(6) == pytest.approx(-0.5)
    assert weight(7) == 0.0  # never seen


def test_temperature_and_bias():
    # w / tau + beta: 2 / 2 + ln 3 and 0 / 2 + 0, so odds are 3 e to 1
    p = 3 * math.e / (3 * math.e + 1)
    _, weight = adapted([([1, 2], [math.log(3), 0], 1)], {1: 2.0}, alpha=0.8, tau=2.0)
    assert weight(1) == pytest.approx(2.0 - 0.4 * p)
    assert weight(2) == pytest.approx(0.4 - 0.4 * (1 - p))


def test_all_steps_see_the_policy_as_it_was():
    # A against B plays A, then A against C plays C: both with probability 1/2, not in turn
    _, weight = adapted([([1, 2], [0, 0], 0), ([1, 3], [0, 0], 1)])
    assert [weight(1), weight(2), weight(3)] == pytest.approx([0.0, -0.5, 0.5])


def test_a_forced_move_learns_nothing():
    _, weight = adapted([([9], [4.0], 0)])
    assert weight(9) == pytest.approx(0.0)


def test_memorised_places_give_the_same_as_looking_up():
    steps = [([1, 2, 3], [0, 1, 2], 2), ([3, 4], [0, 0], 0)]
    _, once_more = adapted(steps, times=2)
    _, first = adapted(steps)
    _, second = adapted(steps, {c: first(c) for c in (1, 2, 3, 4)})
    assert [once_more(c) for c in (1, 2, 3, 4)] == [second(c) for c in (1, 2, 3, 4)]


def test_only_differences_of_biases_matter():
    _, weight = adapted([([1, 2], [0, 1], 0)])
    _, shifted = adapted([([1, 2], [-5000, -4999], 0)])
    assert shifted(1) == pytest.approx(weight(1))
    assert weight(1) == pytest.approx(math.e / (1 + math.e))


def test_codes_zero_and_one_are_different_codes():
    _, weight = adapted([([0, 1], [0, 0], 0)])
    assert (weight(0), weight(1)) == (pytest.approx(0.5), pytest.approx(-0.5))


def test_history_tells_what_was_played_before():
    assert with_history(1, 2) != with_history(1, 3)
    assert with_history(1, 2) != with_history(2, 1)
    assert with_history(with_history(1, 2), 3) != with_history(with_history(1, 3), 2)


def test_a_larger_table_keeps_every_weight():
    small, large = np.zeros(16, ENTRY), np.zeros(64, ENTRY)
    for code in range(12):
        slot = find(small, stored_code(code))
        small[slot].code, small[slot].weight = stored_code(code), code + 0.5
    copy_into.py_func(small, large)
    found = [float(large[find(large, stored_code(c))].weight) for c in range(13)]
    assert found == [c + 0.5 for c in range(12)] + [0.0]
