"""Two objectives: a front of solutions of which none is better in both.

    python examples/pareto.py                    # prints the front of 40 items
    playout solve examples/pareto.py:Items -p weight=0.3

Choose items with a high value and a low pollution. There is no best choice, but a front: for each
weight between the two, the best choice by the weighted sum. Every search keeps several solutions
(`best`), and of all that were found those stay that no other beats in both.
"""

from __future__ import annotations

import numpy as np

import playout as po


class Items(po.Problem):
    """Items that fit into a sack, by value and pollution; `weight` is that of the pollution."""

    fields = ("size", "value", "pollution", "room", "weight")

    def __init__(self, items=40, seed=1, weight=0.5):
        draw = np.random.default_rng(seed)
        self.size = draw.integers(5, 30, items)
        self.value = draw.integers(10, 60, items)
        self.pollution = draw.integers(0, 40, items)
        self.room = int(self.size.sum() // 3)
        self.weight = float(weight)
        self.max_moves, self.max_length = 2, items
        self.move_type = po.record(item="i4", take="i4")
        self.state_type = po.record(
            item="i4", room="i4", value="i8", pollution="i8", taken=("i1", items)
        )

    def reset(self, state):
        state.room = self.room

    def moves(self, state, moves):
        if state.item == len(self.size):
            return 0
        fits = self.size[state.item] <= state.room
        for take in range(1 + fits):
            moves[take].item = state.item
            moves[take].take = take
        return 1 + int(fits)

    def play(self, state, move):
        if move.take:
            state.taken[move.item] = 1
            state.room -= self.size[move.item]
            state.value += self.value[move.item]
            state.pollution += self.pollution[move.item]
        state.item += 1

    def score(self, state):
        return (1.0 - self.weight) * state.value - self.weight * state.pollution


def front(points):
    """The points (value, pollution) that no other beats in both, by rising value.

    >>> front([(3, 5), (4, 4), (5, 9), (5, 8), (1, 1)])
    [(1, 1), (4, 4), (5, 8)]
    """
    best, lowest = [], np.inf
    for value, pollution in sorted(set(points), key=lambda point: (-point[0], point[1])):
        if pollution < lowest:
            best.append((value, pollution))
            lowest = pollution
    return best[::-1]


def pareto(weights, algorithm=None, playouts=3_000, keep=20, compiled=True, **options):
    """The front that searches with these weights find; `options` are those of the problem."""
    points = []
    for weight in weights:
        problem = Items(weight=weight, **options)
        result = po.solve(
            problem, algorithm, po.Playouts(playouts), seed=1, best=keep, compiled=compiled
        )
        for solution in result.solutions:
            end = problem.replay(solution)[0]
            points.append((int(end.value), int(end.pollution)))
    return front(points)


if __name__ == "__main__":
    print("value  pollution")
    for value, pollution in pareto(np.linspace(0.0, 0.9, 10)):
        print(f"{value:5}  {pollution:9}")
