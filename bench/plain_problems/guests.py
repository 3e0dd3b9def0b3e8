"""Guests: 40 of them at five round tables with eight seats each."""

import numpy as np

import playout as po


class Guests(po.Problem):
    """What all pairs at one table think of each other, three times for those side by side."""

    fields = ("likes", "seats")

    def __init__(self, tables=5, seats=8, seed=67):
        draw = np.random.default_rng(seed)
        guests = tables * seats
        thinks = draw.integers(-5, 6, (guests, guests)) * (draw.random((guests, guests)) < 0.2)
        self.likes = np.triu(thinks, 1)
        self.likes += self.likes.T
        self.seats = seats
        self.state_type = po.record(guest=("i4", guests), seated=("?", guests), count="i4")
        self.move_type = po.record(guest="i4", table="i4")
        self.max_moves = self.max_length = guests

    def moves(self, state, moves):
        n = 0
        for guest in range(len(self.likes)):
            if not state.seated[guest]:
                moves[n].guest = guest
                moves[n].table = state.count // self.seats
                n += 1
        return n

    def play(self, state, move):
        state.seated[move.guest] = True
        state.guest[state.count] = move.guest
        state.count += 1

    def code(self, state, move):
        return move.table * len(self.likes) + move.guest

    def between(self, guests, a, b):
        """What the guests on two seats of one table count."""
        apart = abs(a - b)
        times = 3 if apart == 1 or apart == self.seats - 1 else 1
        return times * self.likes[guests[a], guests[b]]

    def score(self, state):
        total = 0
        for a in range(state.count):
            for b in range(a - a % self.seats, a):
                total += self.between(state.guest, a, b)
        return total

    def around(self, guests, seat):
        """What the guest on a seat counts."""
        total = 0
        first = seat - seat % self.seats
        for other in range(first, first + self.seats):
            if other != seat:
                total += self.between(guests, seat, other)
        return total

    def polish(self, state, moves, first, length, rng):
        """Two guests change their seats, as long as that makes it better."""
        better = True
        while better:
            better = False
            for a in range(first, length):
                for b in range(a + 1, length):
                    guests = state.guest
                    before = self.around(guests, a) + self.around(guests, b)
                    guests[a], guests[b] = guests[b], guests[a]
                    if self.around(guests, a) + self.around(guests, b) > before:
                        better = True
                    else:
                        guests[a], guests[b] = guests[b], guests[a]
        for seat in range(first, length):
            moves[seat].guest = state.guest[seat]
        return length
