"""Closest string: a word of 60 letters that is near to all of 25 given ones."""

import numpy as np

import playout as po


class Consensus(po.Problem):
    """The number of places in which it differs from the word that it is farthest from."""

    sense = "min"
    fields = ("words", "letters")

    def __init__(self, words=25, length=60, letters=4, seed=54):
        draw = np.random.default_rng(seed)
        self.letters = letters
        self.words = draw.integers(0, letters, (words, length))
        self.state_type = po.record(differs=("i4", words), at="i4")
        self.move_type = po.record(at="i4", letter="i4")
        self.max_moves, self.max_length = letters, length

    def moves(self, state, moves):
        if state.at == self.words.shape[1]:
            return 0
        for letter in range(self.letters):
            moves[letter].at = state.at
            moves[letter].letter = letter
        return self.letters

    def play(self, state, move):
        for word in range(self.words.shape[0]):
            if self.words[word, move.at] != move.letter:
                state.differs[word] += 1
        state.at += 1

    def score(self, state):
        worst = 0
        for word in range(self.words.shape[0]):
            worst = max(worst, state.differs[word])
        return worst
