"""Car sequencing: 80 cars on a line, whose stations can fit an option to so many in a row only."""

import numpy as np

import playout as po

# of so many cars in a row, so many at most may have the option
MOST = (1, 2, 1, 2, 1)
OF = (2, 3, 3, 5, 5)
CARS = 80


class Cars(po.Problem):
    """The number of stretches of the line with too many cars of an option, over all options."""

    sense = "min"
    fields = ("has", "built", "most", "of")

    def __init__(self, seed=57):
        draw = np.random.default_rng(seed)
        self.most, self.of = np.array(MOST), np.array(OF)
        options = draw.random((CARS, len(MOST))) < 0.95 * self.most / self.of
        self.has, self.built = np.unique(options, axis=0, return_counts=True)  # by kind of car
        self.state_type = po.record(
            left=("i4", len(self.has)), line=("i4", CARS), cars="i4", bad="i4"
        )
        self.move_type = po.record(kind="i4")
        self.max_moves, self.max_length = len(self.has), CARS

    def reset(self, state):
        for kind in range(len(self.built)):
            state.left[kind] = self.built[kind]

    def moves(self, state, moves):
        n = 0
        for kind in range(len(self.built)):
            if state.left[kind] > 0:
                moves[n].kind = kind
                n += 1
        return n

    def play(self, state, move):
        state.left[move.kind] -= 1
        state.line[state.cars] = move.kind
        state.cars += 1
        for option in range(len(self.of)):
            if state.cars >= self.of[option]:
                count = 0
                for i in range(state.cars - self.of[option], state.cars):
                    count += self.has[state.line[i], option]
                if count > self.most[option]:
                    state.bad += 1

    def code(self, state, move):
        last = -1
        if state.cars > 0:
            last = state.line[state.cars - 1]
        return (last + 1) * len(self.built) + move.kind

    def score(self, state):
        return state.bad
