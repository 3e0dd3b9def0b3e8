"""States are copied whole, whatever their type and wherever they lie."""

import numpy as np
import pytest

import playout as po
from playout.compiled.records import copy_of_states, put_states

RECORD = po.record(luck=("u8", 1), cells=("i2", 3), total="f8", over="?")


def some_states(kind):
    if kind == "number":
        return np.array([[7], [9]])
    states = np.zeros(4, RECORD)
    states["total"] = [1.5, -2.0, 3.25, np.nan]
    states["cells"] = np.arange(12).reshape(4, 3)
    states["over"] = [True, False, True, True]
    return states[::2] if kind == "apart" else states


@pytest.mark.parametrize("kind", ["record", "number", "apart"])
class TestStates:
    def test_a_copy_is_equal_and_its_own(self, kind):
        states = some_states(kind)
        copied = copy_of_states(states)
        assert copied.dtype == states.dtype
        assert copied.shape == states.shape
        assert copied.tobytes() == states.tobytes()
        assert not np.shares_memory(copied, states)
        assert copied.flags.writeable

    def test_they_are_written_over_others(self, kind):
        states = some_states(kind)
        others = np.zeros_like(states)
        put_states(others, states)
        assert others.tobytes() == states.tobytes()

    def test_a_state_of_one_is_written_into_its_array(self, kind):
        states = some_states(kind)
        before = states[1:].tobytes()
        put_states(states[:1], np.zeros_like(states[:1]))
        assert not any(states[:1].tobytes())
        assert states[1:].tobytes() == before
