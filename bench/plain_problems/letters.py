"""A cryptarithm: DONALD + GERALD = ROBERT, a digit for each letter."""

import numpy as np

import playout as po

LETTERS = "DONALGERBT"


class Letters(po.Problem):
    """The columns that are right, with their carries, from the right to the left."""

    fields = ("rows", "columns")

    def __init__(self):
        words = ("DONALD", "GERALD", "ROBERT")
        self.rows = np.array([[LETTERS.index(letter) for letter in word] for word in words])
        self.columns = self.rows.shape[1]
        self.state_type = po.record(digit=("i1", 10), used=("i1", 10), at="i4")
        self.move_type = po.record(letter="i4", digit="i4")
        self.max_moves, self.max_length = 10, 10

    def moves(self, state, moves):
        n = 0
        if state.at < 10:
            for digit in range(10):
                if state.used[digit] == 0:
                    moves[n].letter = state.at
                    moves[n].digit = digit
                    n += 1
        return n

    def play(self, state, move):
        state.digit[move.letter] = move.digit
        state.used[move.digit] = 1
        state.at += 1

    def score(self, state):
        right, carry = 0, 0
        for column in range(self.columns - 1, -1, -1):
            total = carry
            total += state.digit[self.rows[0, column]] + state.digit[self.rows[1, column]]
            if total % 10 == state.digit[self.rows[2, column]]:
                right += 1
            carry = total // 10
        if carry == 0:
            right += 1
        return right
