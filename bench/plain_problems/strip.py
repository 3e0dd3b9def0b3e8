"""Strip packing: 30 rectangles on a strip 40 wide, as low as possible."""

import numpy as np

import playout as po


class Strip(po.Problem):
    """A rectangle, turned or not, into the lowest gap of the skyline; a gap too small is filled."""

    sense = "min"
    fields = ("sides", "width")

    def __init__(self, rectangles=30, width=40, seed=44):
        draw = np.random.default_rng(seed)
        self.width = width
        self.sides = draw.integers(3, 17, (rectangles, 2))
        self.state_type = po.record(top=("i4", width), used=("i1", rectangles), left="i4")
        self.move_type = po.record(rectangle="i4", turned="i4")
        self.max_moves, self.max_length = 2 * rectangles, 2 * rectangles

    def reset(self, state):
        state.left = len(self.sides)

    def gap(self, state):
        """The first column of the lowest gap, and how wide it is."""
        first = 0
        for x in range(1, self.width):
            if state.top[x] < state.top[first]:
                first = x
        wide = 1
        while first + wide < self.width and state.top[first + wide] == state.top[first]:
            wide += 1
        return first, wide

    def moves(self, state, moves):
        n = 0
        if state.left == 0:
            return 0
        wide = self.gap(state)[1]
        for rectangle in range(len(self.sides)):
            if state.used[rectangle] == 0:
                for turned in range(2):
                    if self.sides[rectangle, turned] <= wide:
                        moves[n].rectangle = rectangle
                        moves[n].turned = turned
                        n += 1
        if n == 0:
            moves[0].rectangle = -1  # nothing fits: fill it up to the lower of its walls
            moves[0].turned = 0
            n = 1
        return n

    def play(self, state, move):
        first, wide = self.gap(state)
        if move.rectangle < 0:
            wall = 1000000
            if first > 0:
                wall = state.top[first - 1]
            if first + wide < self.width:
                wall = min(wall, state.top[first + wide])
            for x in range(first, first + wide):
                state.top[x] = wall
        else:
            w = self.sides[move.rectangle, move.turned]
            for x in range(first, first + w):
                state.top[x] += self.sides[move.rectangle, 1 - move.turned]
            state.used[move.rectangle] = 1
            state.left -= 1

    def score(self, state):
        height = 0
        for x in range(self.width):
            height = max(height, state.top[x])
        return height
