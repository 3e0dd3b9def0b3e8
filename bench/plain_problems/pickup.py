"""Pickup and delivery: 25 parcels, each from its place to its place, by a van with room for 4."""

import numpy as np

import playout as po


class Pickup(po.Problem):
    """The length of the way. The first half of the stops take a parcel, the others bring it."""

    sense = "min"
    fields = ("distance", "parcels", "room")

    def __init__(self, parcels=25, room=4, seed=46):
        draw = np.random.default_rng(seed)
        self.parcels, self.room = parcels, room
        places = draw.random((2 * parcels + 1, 2)) * 100  # the last is the depot
        self.distance = np.sqrt(((places[:, None] - places[None]) ** 2).sum(2))
        self.state_type = po.record(seen=("?", 2 * parcels), at="i4", load="i4", length="f8")
        self.move_type = po.record(stop="i4")
        self.max_moves, self.max_length = parcels + room, 2 * parcels

    def reset(self, state):
        state.at = 2 * self.parcels

    def moves(self, state, moves):
        n = 0
        for parcel in range(self.parcels):
            if not state.seen[parcel]:
                if state.load < self.room:
                    moves[n].stop = parcel
                    n += 1
            elif not state.seen[parcel + self.parcels]:
                moves[n].stop = parcel + self.parcels
                n += 1
        return n

    def play(self, state, move):
        state.length += self.distance[state.at, move.stop]
        state.at = move.stop
        state.seen[move.stop] = True
        state.load += 1 if move.stop < self.parcels else -1

    def code(self, state, move):
        return state.at * (2 * self.parcels) + move.stop

    def bias(self, state, move):
        return -self.distance[state.at, move.stop] / 10

    def score(self, state):
        return state.length + self.distance[state.at, 2 * self.parcels]

    def way(self, moves, length):
        """The length of a whole tour; huge if it takes too many parcels, or brings one untaken."""
        at, load, total = 2 * self.parcels, 0, 0.0
        taken = np.zeros(self.parcels, np.int8)
        for i in range(length):
            stop = moves[i].stop
            if stop < self.parcels:
                taken[stop] = 1
                load += 1
            else:
                if taken[stop - self.parcels] == 0:
                    return 1e9
                load -= 1
            if load > self.room:
                return 1e9
            total += self.distance[at, stop]
            at = stop
        return total + self.distance[at, 2 * self.parcels]

    def polish(self, state, moves, first, length, rng):
        """Swap two stops that follow each other, or take one to another place, while it helps."""
        best = self.way(moves, length)
        better = True
        while better:
            better = False
            for i in range(first, length):
                for j in range(first, length):
                    if i == j:
                        continue
                    self.shift(moves, i, j)
                    now = self.way(moves, length)
                    if now < best - 1e-9:
                        best = now
                        better = True
                    else:
                        self.shift(moves, j, i)
        return length

    def shift(self, moves, i, j):
        """Take the stop at i out and put it in at j."""
        stop = moves[i].stop
        while i < j:
            moves[i].stop = moves[i + 1].stop
            i += 1
        while i > j:
            moves[i].stop = moves[i - 1].stop
            i -= 1
        moves[j].stop = stop
