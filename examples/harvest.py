"""A game with luck of one's own: a field, the weather, and when to bring the grain in.

playout check examples/harvest.py:Harvest
playout episode examples/harvest.py:Harvest -a openloop --calls 2000 --seed 1
playout episode examples/harvest.py:Harvest -a ordinal --calls 2000 --seed 1
"""

from __future__ import annotations

from functools import cache

import playout
from playout.compiled.random import random_below, random_bits


class Harvest(playout.Problem):
    """Bring grain into the barn before hail takes it: each day wait or harvest."""

    chance = True  # `play` draws, from the random word `luck` in the state
    fields = ("days", "cost")

    def __init__(self, days: int = 20, cost: int = 4):
        self.days, self.cost = days, cost  # a harvest costs grain
        self.state_type = playout.record(luck=("u8", 1), day="i8", field="i8", barn="i8")
        self.move_type = playout.record(harvest="i8")
        self.max_moves, self.max_length = 2, days

    def reset(self, state):
        state.day = 0

    def redraw(self, state, player, rng):
        state.luck[0] = random_bits(rng)  # all that the player cannot know

    def moves(self, state, moves):
        moves[0].harvest, moves[1].harvest = 0, 1
        return 2 if state.day < self.days else 0

    def play(self, state, move):
        if move.harvest:
            state.barn += max(state.field - self.cost, 0)
            state.field = 0
        weather = random_below(state.luck, 6)
        if weather == 0:
            state.field = 0  # hail
        else:
            state.field += weather
        state.day += 1

    def score(self, state):
        return float(state.barn)

    # what a person sees: not the luck

    def move_text(self, state, move):
        return "harvest" if move.harvest else "wait"

    def render(self, state):
        return f"day {state.day}: {state.field} in the field, {state.barn} in the barn"


def best_mean(days: int = 20, cost: int = 4) -> float:
    """What the best play brings on average: the expectation, worked out from the last day back."""

    @cache
    def value(left: int, field: int) -> float:
        if left == 0:
            return 0.0
        wait = sum(value(left - 1, field + grown) for grown in range(1, 6)) / 6
        wait += value(left - 1, 0) / 6
        harvest = sum(value(left - 1, grown) for grown in range(1, 6)) / 6
        harvest += max(field - cost, 0) + value(left - 1, 0) / 6
        return max(wait, harvest)

    return value(days, 0)
