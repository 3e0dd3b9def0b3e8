"""A Steiner tree on a grid: the cheapest cells that join eight of them."""

import numpy as np

import playout as po


class Steiner(po.Problem):
    """Walk from each terminal in turn to what is joined already; a walk crosses no cell twice."""

    sense = "min"
    fields = ("cost", "terminals", "size")

    def __init__(self, size=12, terminals=8, seed=2):
        draw = np.random.default_rng(seed)
        self.size = size
        self.cost = draw.integers(1, 10, size * size)
        self.terminals = draw.choice(size * size, terminals, replace=False)
        self.state_type = po.record(
            tree=("i1", size * size), walk=("i1", size * size), at="i4", number="i4", cost="i4"
        )
        self.move_type = po.record(cell="i4")
        self.max_moves, self.max_length = 4, size * size * terminals

    def reset(self, state):
        state.tree[self.terminals[0]] = 1
        state.cost = self.cost[self.terminals[0]]
        state.number = 0
        self.next_walk(state)

    def next_walk(self, state):
        state.walk[:] = 0
        state.number += 1
        while state.number < len(self.terminals):
            cell = self.terminals[state.number]
            if state.tree[cell] == 0:
                state.at = cell
                state.walk[cell] = 1
                state.cost += self.cost[cell]
                return
            state.number += 1

    def moves(self, state, moves):
        n = 0
        if state.number == len(self.terminals):
            return 0
        row, column = state.at // self.size, state.at % self.size
        if row > 0 and state.walk[state.at - self.size] == 0:
            moves[n].cell = state.at - self.size
            n += 1
        if row < self.size - 1 and state.walk[state.at + self.size] == 0:
            moves[n].cell = state.at + self.size
            n += 1
        if column > 0 and state.walk[state.at - 1] == 0:
            moves[n].cell = state.at - 1
            n += 1
        if column < self.size - 1 and state.walk[state.at + 1] == 0:
            moves[n].cell = state.at + 1
            n += 1
        return n  # 0 too where a walk is caught in itself

    def play(self, state, move):
        if state.tree[move.cell]:
            for cell in range(len(self.cost)):
                if state.walk[cell]:
                    state.tree[cell] = 1
            self.next_walk(state)
        else:
            state.at = move.cell
            state.walk[move.cell] = 1
            state.cost += self.cost[move.cell]

    def score(self, state):
        return state.cost + 200 * (len(self.terminals) - state.number)
