"""Kalah with 6 pits a side and 4 seeds in each: a game whose moves mean something else each time.

    playout check examples/kalah.py:Kalah
    playout play examples/kalah.py:Kalah

A move is a pit. What pit 3 does depends on how many seeds are in it, and it is played again and
again in one game: a search that learns of moves by their names (`grave`) is misled, which
`playout check` says, and `play` and `analyse` take `uct` by themselves.
"""

import numpy as np

import playout as po

PITS = 6


class Kalah(po.Game):
    """Sow the seeds of a pit; the last in one's store moves again, in an empty pit captures."""

    def __init__(self, seeds: int = 4) -> None:
        self.state_type = po.record(pits=("i1", 2 * PITS + 2), player="i1")
        self.move_type = "i1"
        self.max_moves = PITS
        self.max_length = 400
        self.seeds = seeds

    fields = ("seeds",)

    def reset(self, state):
        for i in range(2 * PITS + 2):
            state.pits[i] = 0 if i % (PITS + 1) == PITS else self.seeds

    def moves(self, state, moves):
        n = 0
        left = 0
        for pit in range(PITS):
            if state.pits[state.player * (PITS + 1) + pit] > 0:
                moves[n] = pit
                n += 1
            left += state.pits[(1 - state.player) * (PITS + 1) + pit]
        return n if left > 0 else 0

    def play(self, state, move):
        size = 2 * PITS + 2
        first = state.player * (PITS + 1)
        store, other = first + PITS, (first + size - 1) % size
        at = first + np.int64(move)
        hand = np.int64(state.pits[at])
        state.pits[at] = 0
        while hand > 0:
            at = (at + 1) % size
            if at != other:
                state.pits[at] += 1
                hand -= 1
        facing = 2 * PITS - at
        if first <= at < store and state.pits[at] == 1 and state.pits[facing] > 0:
            state.pits[store] += state.pits[at] + state.pits[facing]
            state.pits[at] = 0
            state.pits[facing] = 0
        if at != store:
            state.player = 1 - state.player

    def turn(self, state):
        return state.player

    def reward(self, state, player):
        mine = 0
        theirs = 0
        for i in range(PITS + 1):
            mine += state.pits[player * (PITS + 1) + i]
            theirs += state.pits[(1 - player) * (PITS + 1) + i]
        return 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0

    def render(self, state):
        upper = " ".join(f"{n:2}" for n in state.pits[2 * PITS : PITS : -1])
        lower = " ".join(f"{n:2}" for n in state.pits[:PITS])
        return (
            f"   {upper}\n{state.pits[-1]:2} {' ' * (3 * PITS)}{state.pits[PITS]:2}\n   {lower}\n"
        )
