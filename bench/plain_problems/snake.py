"""Snake in the box: the longest path in a hypercube whose vertices touch only along it."""

import playout as po


class Snake(po.Problem):
    """Grow a path from corner 0; best known lengths are 26 (6 dimensions) and 50 (7)."""

    fields = ("dimensions",)

    def __init__(self, dimensions=7):
        self.dimensions = int(dimensions)
        corners = 2**self.dimensions
        self.state_type = po.record(touched=("i1", corners), head="i4", length="i4")
        self.move_type = po.record(corner="i4")
        self.max_moves, self.max_length = self.dimensions, corners // 2

    def reset(self, state):
        state.touched[0] = 1

    def moves(self, state, moves):
        n = 0
        for d in range(self.dimensions):
            corner = state.head ^ (1 << d)
            if state.touched[corner] == 0:
                moves[n].corner = corner
                n += 1
        return n

    def play(self, state, move):
        for d in range(self.dimensions):
            state.touched[state.head ^ (1 << d)] = 1
        state.head = move.corner
        state.length += 1

    def score(self, state):
        return state.length
