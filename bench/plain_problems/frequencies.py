"""Frequencies: a channel for each of 70 antennas, so that near ones disturb each other little."""

import numpy as np

import playout as po


class Frequencies(po.Problem):
    """The sum of all disturbance: of two on one channel, and a quarter on channels side by side."""

    sense = "min"
    fields = ("near", "channels")

    def __init__(self, antennas=70, channels=9, seed=56):
        draw = np.random.default_rng(seed)
        where = draw.random((antennas, 2)) * 100
        far = np.sqrt(((where[:, None] - where[None]) ** 2).sum(2))
        self.near = np.where(far < 35, 1000 / (10 + far), 0.0)
        np.fill_diagonal(self.near, 0)
        self.channels = channels
        self.state_type = po.record(channel=("i4", antennas), placed="i4", noise="f8")
        self.move_type = po.record(antenna="i4", channel="i4")
        self.max_moves, self.max_length = channels, antennas

    def disturbance(self, a, b, gap):
        if gap == 0:
            return self.near[a, b]
        if gap == 1:
            return self.near[a, b] / 4
        return 0.0

    def added(self, state, move):
        noise = 0.0
        for other in range(state.placed):
            gap = abs(state.channel[other] - move.channel)
            noise += self.disturbance(move.antenna, other, gap)
        return noise

    def moves(self, state, moves):
        if state.placed == len(self.near):
            return 0
        for channel in range(self.channels):
            moves[channel].antenna = state.placed
            moves[channel].channel = channel
        return self.channels

    def play(self, state, move):
        state.noise += self.added(state, move)
        state.channel[move.antenna] = move.channel
        state.placed += 1

    def bias(self, state, move):
        return -self.added(state, move) / 10

    def score(self, state):
        return state.noise

    def polish(self, state, moves, first, length, rng):
        """Give one antenna after another the channel on which it disturbs least, while it helps."""
        better = True
        while better:
            better = False
            for i in range(first, length):
                best, least = moves[i].channel, 1e9
                now = 1e9
                for channel in range(self.channels):
                    noise = 0.0
                    for j in range(length):
                        if j != i:
                            gap = abs(moves[j].channel - channel)
                            noise += self.disturbance(i, j, gap)
                    if channel == moves[i].channel:
                        now = noise
                    if noise < least:
                        best, least = channel, noise
                if least < now - 1e-9:
                    moves[i].channel = best
                    better = True
        return length
