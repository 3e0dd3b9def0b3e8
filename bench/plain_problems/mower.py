"""A lawn mower that follows a way over a garden with trees, until its battery is empty."""

import numpy as np

import playout as po

GARDEN = """
..........#...
..##..........
..##.....##...
.........##...
.....#........
.....#....#...
#.........#...
##............
......###.....
......###.....
..#.........#.
..#........##.
.....#........
.......#......
"""
ASIDE = ((1, 0), (0, 1), (-1, 0), (0, -1))


class Mower(po.Problem):
    """The cells that are mown, and once all are, what is left in the battery.

    A step takes one unit, a turn to the side one more and a turn round two more.
    """

    fields = ("free", "aside", "size", "lawn", "battery")

    def __init__(self, battery=230):
        rows = GARDEN.split()
        self.free = np.array([[cell == "." for cell in row] for row in rows])
        self.aside = np.array(ASIDE)
        self.size = len(rows)
        self.lawn = int(self.free.sum())
        self.battery = battery
        self.state_type = po.record(
            mown=("?", (self.size, self.size)), x="i4", y="i4", way="i4", count="i4", left="i4"
        )
        self.move_type = po.record(way="i4")
        self.max_moves, self.max_length = 4, battery

    def reset(self, state):
        state.mown[0, 0] = True
        state.count = 1
        state.left = self.battery

    def cost(self, state, way):
        turn = abs(way - state.way)
        if turn == 3:
            turn = 1
        return 1 + turn

    def moves(self, state, moves):
        n = 0
        if state.count == self.lawn:
            return 0
        for way in range(4):
            x, y = state.x + self.aside[way, 0], state.y + self.aside[way, 1]
            if x < 0 or y < 0 or x == self.size or y == self.size or not self.free[y, x]:
                continue
            if self.cost(state, way) <= state.left:
                moves[n].way = way
                n += 1
        return n

    def play(self, state, move):
        state.left -= self.cost(state, move.way)
        state.way = move.way
        state.x += self.aside[move.way, 0]
        state.y += self.aside[move.way, 1]
        if not state.mown[state.y, state.x]:
            state.mown[state.y, state.x] = True
            state.count += 1

    def code(self, state, move):
        return (state.y * self.size + state.x) * 4 + move.way

    def bias(self, state, move):
        x, y = state.x + self.aside[move.way, 0], state.y + self.aside[move.way, 1]
        if state.mown[y, x]:
            return -2.0
        return 0.0

    def score(self, state):
        if state.count == self.lawn:
            return state.count + state.left
        return state.count
