"""A game whose outcomes are only ordered: a mountain, and who comes back from it.

The summit is better than coming back without it, and that is better than to die, but nobody can say
how much. `ordinal` compares and never adds; `openloop` needs numbers, and takes the scores for
them.

playout check examples/summit.py:Summit
playout episode examples/summit.py:Summit -a ordinal --calls 2000 --seed 1
playout episode examples/summit.py:Summit -a preference --calls 2000 --seed 1
"""

from __future__ import annotations

import playout
from playout.compiled.random import random_below, random_bits

REST, CLIMB = 0, 1
DEAD, ALIVE, SUMMIT = 0, 1, 2


class Summit(playout.Problem):
    """Climb or rest, as long as supplies last; storms take strength and fingers."""

    chance = True
    fields = ("height", "days")
    outcome_type = playout.record(score="f8", fingers="i8")

    def __init__(self, height: int = 6, days: int = 14):
        self.height, self.days = height, days
        self.state_type = playout.record(
            luck=("u8", 1), at="i8", day="i8", strength="i8", fingers="i8", over="i8"
        )
        self.move_type = playout.record(what="i8")
        self.max_moves, self.max_length = 2, days

    def reset(self, state):
        state.strength, state.fingers = 4, 10

    def redraw(self, state, player, rng):
        state.luck[0] = random_bits(rng)

    def moves(self, state, moves):
        if state.over:
            return 0
        moves[0].what, moves[1].what = REST, CLIMB
        return 2

    def play(self, state, move):
        state.day += 1
        storm = random_below(state.luck, 10) < 1 + state.at // 2  # more of them higher up
        if move.what == CLIMB:
            state.strength -= 3 if storm else 1
            state.at += 0 if storm else 1
        else:
            state.strength = min(state.strength + (1 if storm else 2), 6)
        if storm:
            state.fingers -= random_below(state.luck, 4)
        dead = state.strength < 0 or state.fingers <= 0
        if dead or state.at == self.height or state.day == self.days:
            state.over = 1

    # what a state has come to, at any time, and which of two is better

    def outcome(self, state, player, out):
        out.score = self.score(state)
        out.fingers = state.fingers

    def better(self, a, b):
        if a.score != b.score:
            return 1 if a.score > b.score else -1
        if a.fingers != b.fingers:
            return 1 if a.fingers > b.fingers else -1
        return 0

    def score(self, state):
        """A name for the order, not an amount."""
        if state.strength < 0 or state.fingers <= 0:
            return float(DEAD)
        return float(SUMMIT) if state.at == self.height else float(ALIVE)

    def move_text(self, state, move):
        return "climb" if move.what == CLIMB else "rest"

    def render(self, state):
        return (
            f"day {state.day}: at {state.at} of {self.height}, strength {state.strength}, "
            f"{state.fingers} fingers"
        )
