"""An objective that is not compiled: `evaluate` scores a batch of finished games in plain Python.

The rules (`reset`, `moves`, `play`) are compiled as ever; `evaluate` may call anything, a
simulator, a network or another program, and is given many states at once.

    playout check examples/black_box.py:Sensors
    playout solve examples/black_box.py:Sensors --playouts 5000 --show
"""

from __future__ import annotations

from functools import cache

import numpy as np

import playout

SIDE = 12
RADIUS = 2.6


class Sensors(playout.Problem):
    """Place a few sensors on a field so that together they see as much of it as possible."""

    fields = ("sensors",)

    def __init__(self, sensors: int = 6):
        self.sensors = int(sensors)
        self.max_moves = SIDE * SIDE
        self.max_length = self.sensors
        self.move_type = "i8"  # a plain number, the cell
        self.state_type = playout.record(placed="i8", has_sensor=("i1", SIDE * SIDE))

    def reset(self, state):
        state.placed = 0

    def moves(self, state, moves):
        if state.placed == self.sensors:
            return 0
        # Any free cell, in any order, so that a good one can be taken first. The state is the same
        # whatever the order, and the same state is not evaluated twice.
        n = 0
        for cell in range(SIDE * SIDE):
            if not state.has_sensor[cell]:
                moves[n] = cell
                n += 1
        return n

    def play(self, state, move):
        state.has_sensor[move] = 1
        state.placed += 1

    def code(self, state, move):
        return move

    def evaluate(self, states):
        """The number of points seen: Python sets, which compiled code could not use."""
        return [len(self.seen(state)) for state in states]

    def seen(self, state):
        return set().union(*map(seen_from, np.flatnonzero(state.has_sensor).tolist()))

    def render(self, state):
        sensors, seen = set(np.flatnonzero(state.has_sensor).tolist()), self.seen(state)
        marks = ["S" if p in sensors else "+" if p in seen else "." for p in range(SIDE * SIDE)]
        return "\n".join(" ".join(marks[row : row + SIDE]) for row in range(0, SIDE * SIDE, SIDE))


@cache
def seen_from(cell: int) -> frozenset[int]:
    """The points within reach of a sensor."""
    row, column = divmod(cell, SIDE)
    rows, columns = np.divmod(np.arange(SIDE * SIDE), SIDE)
    near = np.hypot(rows - row, columns - column) <= RADIUS
    return frozenset(np.flatnonzero(near).tolist())
