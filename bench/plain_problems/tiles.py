"""An edge matching puzzle: 36 square tiles with coloured sides, to be laid so that sides agree."""

import numpy as np

import playout as po


class Tiles(po.Problem):
    """Tile after tile, row by row, turned as one likes; the number of sides that agree.

    The tiles are a whole picture cut up, shuffled and turned: all 60 sides inside can agree.
    """

    fields = ("colour", "size")

    def __init__(self, size=6, colours=5, seed=48):
        draw = np.random.default_rng(seed)
        self.size = size
        across = draw.integers(1, colours + 1, (size, size + 1))  # colours of upright sides
        down = draw.integers(1, colours + 1, (size + 1, size))
        tiles = [
            (down[y, x], across[y, x + 1], down[y + 1, x], across[y, x])  # top, right, bottom, left
            for y in range(size)
            for x in range(size)
        ]
        draw.shuffle(tiles)
        self.colour = np.array([np.roll(tile, draw.integers(4)) for tile in tiles])
        cells = size * size
        self.state_type = po.record(
            tile=("i4", cells), turn=("i4", cells), used=("?", cells), count="i4", agree="i4"
        )
        self.move_type = po.record(place="i4", tile="i4", turn="i4")
        self.max_moves, self.max_length = 4 * cells, cells

    def agreeing(self, state, tile, turn):
        """How many sides agree with what lies above and to the left."""
        agree = 0
        place = state.count
        if place >= self.size:
            other = place - self.size
            above = self.colour[state.tile[other], (2 + state.turn[other]) % 4]
            if above == self.colour[tile, turn]:
                agree += 1
        if place % self.size > 0:
            left = self.colour[state.tile[place - 1], (1 + state.turn[place - 1]) % 4]
            if left == self.colour[tile, (3 + turn) % 4]:
                agree += 1
        return agree

    def moves(self, state, moves):
        n = 0
        for tile in range(len(self.colour)):
            if not state.used[tile]:
                for turn in range(4):
                    moves[n].place = state.count
                    moves[n].tile = tile
                    moves[n].turn = turn
                    n += 1
        return n

    def play(self, state, move):
        state.agree += self.agreeing(state, move.tile, move.turn)
        state.tile[move.place] = move.tile
        state.turn[move.place] = move.turn
        state.used[move.tile] = True
        state.count += 1

    def bias(self, state, move):
        return 2.0 * self.agreeing(state, move.tile, move.turn)

    def score(self, state):
        return state.agree
