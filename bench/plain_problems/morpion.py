"""Morpion Solitaire 5D: draw lines of five points on a cross, each adding one point."""

import numpy as np

import playout as po

SIDE = 30
CROSS = """
...####...
...#..#...
...#..#...
####..####
#........#
#........#
####..####
...#..#...
...#..#...
...####...
"""
STEPS = np.array([1, SIDE, SIDE + 1, SIDE - 1])


class Morpion(po.Problem):
    """Disjoint lines: two of one direction share no point. The record is 82."""

    fields = ("start", "steps")

    def __init__(self):
        self.start = np.zeros(SIDE * SIDE, np.int8)
        for r, line in enumerate(CROSS.split()):
            for c, mark in enumerate(line):
                self.start[(r + 10) * SIDE + c + 10] = mark == "#"
        self.steps = STEPS
        cells = SIDE * SIDE
        self.state_type = po.record(point=("i1", cells), used=("i1", (4, cells)), lines="i4")
        self.move_type = po.record(first="i2", direction="i1", new="i1")
        self.max_moves, self.max_length = 200, 200

    def reset(self, state):
        for cell in range(len(self.start)):
            state.point[cell] = self.start[cell]

    def moves(self, state, moves):
        n = 0
        for cell in range(4 * SIDE, len(self.start) - 5 * SIDE):
            for d in range(4):
                points, empty = 0, -1
                for k in range(5):
                    at = cell + k * self.steps[d]
                    if state.used[d, at]:
                        points = -9
                    elif state.point[at]:
                        points += 1
                    else:
                        empty = k
                if points == 4 and n < 200:
                    moves[n].first = cell
                    moves[n].direction = d
                    moves[n].new = empty
                    n += 1
        return n

    def play(self, state, move):
        step = self.steps[move.direction]
        for k in range(5):
            state.used[move.direction, move.first + k * step] = 1
        state.point[move.first + move.new * step] = 1
        state.lines += 1

    def score(self, state):
        return state.lines
