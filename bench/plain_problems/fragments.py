"""Fragments of DNA: the shortest text that has all of them in it."""

import numpy as np

import playout as po


class Fragments(po.Problem):
    """One fragment after the other, each laid over the end of the one before as far as it fits."""

    sense = "min"
    fields = ("over", "length")

    def __init__(self, fragments=40, length=14, text=150, seed=11):
        draw = np.random.default_rng(seed)
        whole = "".join(draw.choice(list("ACGT"), text))
        begins = np.sort(draw.choice(text - length + 1, fragments, replace=False))
        pieces = [whole[i : i + length] for i in draw.permutation(begins)]
        self.length = length
        self.over = np.array(
            [[max(k for k in range(length) if a.endswith(b[:k])) for b in pieces] for a in pieces]
        )
        self.state_type = po.record(used=("i1", fragments), last="i4", count="i4", length="i4")
        self.move_type = po.record(fragment="i4")
        self.max_moves, self.max_length = fragments, fragments

    def moves(self, state, moves):
        n = 0
        for fragment in range(len(self.over)):
            if state.used[fragment] == 0:
                moves[n].fragment = fragment
                n += 1
        return n

    def play(self, state, move):
        state.length += self.length
        if state.count > 0:
            state.length -= self.over[state.last, move.fragment]
        state.used[move.fragment] = 1
        state.last = move.fragment
        state.count += 1

    def score(self, state):
        return state.length
