"""Merging numbers: 2048 on a board of 4 by 4, where it is known which numbers come and where."""

import numpy as np

import playout as po


class Merging(po.Problem):
    """The points after 100 slides at most: the sum of all numbers that two equal ones merged to.

    After each slide a 2 or a 4 comes to a free cell.
    """

    fields = ("new", "place", "size")

    def __init__(self, size=4, slides=100, seed=68):
        draw = np.random.default_rng(seed)
        self.new = draw.choice([2, 4], slides + 2, p=[0.9, 0.1])
        self.place = draw.integers(0, 1000, slides + 2)  # which of the free cells, as a remainder
        self.size = size
        self.state_type = po.record(cell=("i4", (size, size)), came="i4", points="i4")
        self.move_type = po.record(way="i4")
        self.max_moves, self.max_length = 4, slides

    def reset(self, state):
        self.come(state)
        self.come(state)

    def come(self, state):
        free = 0
        for cell in state.cell.flat:
            if cell == 0:
                free += 1
        wanted = self.place[state.came] % free
        for y in range(self.size):
            for x in range(self.size):
                if state.cell[y, x] == 0:
                    if wanted == 0:
                        state.cell[y, x] = self.new[state.came]
                    wanted -= 1
        state.came += 1

    def at(self, way, line, i):
        """The cell (row and column) that is number `i` of a line, from where the numbers go."""
        if way == 0:
            return line, i
        if way == 1:
            return line, self.size - 1 - i
        if way == 2:
            return i, line
        return self.size - 1 - i, line

    def slides(self, state, way):
        for line in range(self.size):
            for i in range(1, self.size):
                before, here = self.at(way, line, i - 1), self.at(way, line, i)
                number = state.cell[here]
                if number > 0 and (state.cell[before] == 0 or state.cell[before] == number):
                    return True
        return False

    def moves(self, state, moves):
        n = 0
        if state.came == len(self.new):
            return 0
        for way in range(4):
            if self.slides(state, way):
                moves[n].way = way
                n += 1
        return n

    def play(self, state, move):
        for line in range(self.size):
            filled, last = 0, 0  # the last number, if it can still merge
            for i in range(self.size):
                here = self.at(move.way, line, i)
                number = state.cell[here]
                if number == 0:
                    continue
                state.cell[here] = 0
                if number == last:
                    state.cell[self.at(move.way, line, filled - 1)] = 2 * number
                    state.points += 2 * number
                    last = 0
                else:
                    state.cell[self.at(move.way, line, filled)] = number
                    filled += 1
                    last = number
        self.come(state)

    def score(self, state):
        return state.points
