"""A formula for 40 measured points: operators before what they are applied to."""

import math

import numpy as np

import playout as po

SYMBOLS = ("x", "1", "2", "+", "-", "*", "/", "sin")
X, ONE, TWO, PLUS, MINUS, TIMES, DIVIDED, SINE = range(8)


class Formula(po.Problem):
    """The mean of the squared distances to the points; a division by about 0 makes 1."""

    sense = "min"
    fields = ("x", "y", "most")

    def __init__(self, points=40, most=17, seed=65):
        draw = np.random.default_rng(seed)
        self.x = np.linspace(-3, 3, points)
        self.y = 2 * np.sin(self.x + 1) + self.x * self.x / 3 - 1 / (self.x * self.x + 2)
        self.y += draw.normal(0, 0.02, points)
        self.most = most
        self.state_type = po.record(symbol=("i4", most), length="i4", open="i4")
        self.move_type = "i4"
        self.max_moves, self.max_length = len(SYMBOLS), most

    def reset(self, state):
        state.open = 1

    def moves(self, state, moves):
        n = 0
        if state.open == 0:
            return 0
        room = self.most - state.length - state.open  # beyond what closes the formula
        for symbol in range(SINE + 1):
            if symbol < PLUS or (symbol == SINE and room >= 1) or room >= 2:
                moves[n] = symbol
                n += 1
        return n

    def play(self, state, move):
        state.symbol[state.length] = move
        state.length += 1
        if move < PLUS:
            state.open -= 1
        elif move < SINE:
            state.open += 1

    def value(self, state, x):
        """What the formula gives: read from its end, with what is not used yet on a stack."""
        stack = np.zeros(self.most)
        n = 0
        for i in range(state.length - 1, -1, -1):
            symbol = state.symbol[i]
            if symbol < PLUS:
                stack[n] = x if symbol == X else symbol  # ONE is 1 and TWO is 2
                n += 1
            elif symbol == SINE:
                stack[n - 1] = math.sin(stack[n - 1])
            else:
                left, right = stack[n - 1], stack[n - 2]
                n -= 1
                if symbol == PLUS:
                    stack[n - 1] = left + right
                elif symbol == MINUS:
                    stack[n - 1] = left - right
                elif symbol == TIMES:
                    stack[n - 1] = left * right
                elif abs(right) < 1e-6:
                    stack[n - 1] = 1.0
                else:
                    stack[n - 1] = left / right
        return stack[0]

    def score(self, state):
        total = 0.0
        for i in range(len(self.x)):
            total += (self.value(state, self.x[i]) - self.y[i]) ** 2
        return total / len(self.x)

    def move_text(self, state, move):
        return SYMBOLS[int(move)]
