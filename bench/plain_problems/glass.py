"""Glass: pieces are cut from a pane of 120 by 80, each cut from one side to the other."""

import numpy as np

import playout as po


class Glass(po.Problem):
    """What the pieces are worth that are cut; each of the 30 is wanted once.

    A piece is taken from the corner of a rest. The first cut goes along its upper side or along its
    right side, so that two smaller rests remain. The smaller of these is cut up first.
    """

    fields = ("wide", "high", "value", "pane")

    def __init__(self, pieces=30, wide=120, high=80, seed=66):
        draw = np.random.default_rng(seed)
        self.wide = draw.integers(8, 41, pieces)
        self.high = draw.integers(8, 41, pieces)
        self.value = (self.wide * self.high * draw.uniform(0.7, 1.3, pieces)).astype(int)
        self.pane = np.array([wide, high])
        rests = pieces + 2
        self.state_type = po.record(
            cut=("?", pieces), rest=("i4", (rests, 2)), rests="i4", worth="i4"
        )
        self.move_type = po.record(piece="i4", turned="i4", upright="i4")
        self.max_moves, self.max_length = 4 * pieces, pieces

    def reset(self, state):
        self.add(state, self.pane[0], self.pane[1])

    def add(self, state, wide, high):
        if wide > 0 and high > 0:
            state.rest[state.rests, 0] = wide
            state.rest[state.rests, 1] = high
            state.rests += 1

    def fits(self, state, piece, turned):
        if state.rests == 0 or state.cut[piece]:
            return False
        wide, high = state.rest[state.rests - 1, 0], state.rest[state.rests - 1, 1]
        if turned:
            return self.high[piece] <= wide and self.wide[piece] <= high
        return self.wide[piece] <= wide and self.high[piece] <= high

    def moves(self, state, moves):
        n = 0
        for piece in range(len(self.wide)):
            for turned in range(2):
                if self.fits(state, piece, turned):
                    for upright in range(2):
                        moves[n].piece = piece
                        moves[n].turned = turned
                        moves[n].upright = upright
                        n += 1
        return n

    def useless(self, state):
        """Whether there is a rest of which no piece can be cut."""
        for piece in range(len(self.wide)):
            if self.fits(state, piece, 0) or self.fits(state, piece, 1):
                return False
        return state.rests > 0

    def play(self, state, move):
        w, h = self.wide[move.piece], self.high[move.piece]
        if move.turned:
            w, h = h, w
        state.rests -= 1
        wide, high = state.rest[state.rests, 0], state.rest[state.rests, 1]
        state.cut[move.piece] = True
        state.worth += self.value[move.piece]
        right = high if move.upright else h  # how high the rest beside the piece is
        upper = w if move.upright else wide  # how wide the rest above it is
        if (wide - w) * right >= upper * (high - h):  # the last one is cut next
            self.add(state, wide - w, right)
            self.add(state, upper, high - h)
        else:
            self.add(state, upper, high - h)
            self.add(state, wide - w, right)
        while self.useless(state):
            state.rests -= 1

    def bias(self, state, move):
        return self.value[move.piece] / 200

    def score(self, state):
        return state.worth
