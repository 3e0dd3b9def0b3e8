"""Vehicle routing: 24 customers, vehicles with room for 20; the length of all their routes."""

import numpy as np

import playout as po


class Routes(po.Problem):
    """Drive to the next customer, or back to the depot (place 0) for the next vehicle."""

    sense = "min"
    fields = ("distance", "demand", "room")

    def __init__(self, customers=24, room=20, seed=6):
        draw = np.random.default_rng(seed)
        places = draw.random((customers + 1, 2)) * 100
        self.distance = np.sqrt(((places[:, None] - places[None]) ** 2).sum(2))
        self.demand = draw.integers(1, 9, customers + 1)
        self.room = room
        self.state_type = po.record(
            served=("i1", customers + 1), at="i4", left="i4", load="i4", length="f8"
        )
        self.move_type = po.record(place="i4")
        self.max_moves, self.max_length = customers + 1, 2 * customers + 1

    def reset(self, state):
        state.left = len(self.demand) - 1

    def moves(self, state, moves):
        n = 0
        for place in range(1, len(self.demand)):
            if state.served[place] == 0 and state.load + self.demand[place] <= self.room:
                moves[n].place = place
                n += 1
        if state.at != 0:
            moves[n].place = 0
            n += 1
        return n

    def play(self, state, move):
        state.length += self.distance[state.at, move.place]
        state.at = move.place
        if move.place == 0:
            state.load = 0
        else:
            state.served[move.place] = 1
            state.load += self.demand[move.place]
            state.left -= 1

    def score(self, state):
        return state.length
