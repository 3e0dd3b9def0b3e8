"""Folding a chain on a square grid: H wants to lie beside H (the HP model of proteins)."""

import playout as po

CHAIN = "HHPPHPPHPPHPPHPPHPPHPPHH" * 2
ASIDE = ((1, 0), (0, 1), (-1, 0), (0, -1))


class Folding(po.Problem):
    """Pairs of H that lie beside each other and are no neighbours in the chain."""

    fields = ("hydrophobic", "aside", "width")

    def __init__(self, chain=CHAIN):
        import numpy as np

        self.hydrophobic = np.array([letter == "H" for letter in chain], np.int8)
        self.aside = np.array(ASIDE, np.int64)
        self.width = 2 * len(chain) + 1
        self.state_type = po.record(
            cell=("i1", (self.width, self.width)), x="i4", y="i4", placed="i4", pairs="i4"
        )
        self.move_type = po.record(bead="i4", way="i4")
        self.max_moves, self.max_length = 4, len(chain)

    def reset(self, state):
        state.x = state.y = self.width // 2
        state.cell[state.x, state.y] = 1 + self.hydrophobic[0]
        state.placed = 1

    def moves(self, state, moves):
        n = 0
        if state.placed == len(self.hydrophobic):
            return 0
        for way in range(4):
            x, y = state.x + self.aside[way, 0], state.y + self.aside[way, 1]
            if state.cell[x, y] == 0:
                moves[n].bead = state.placed
                moves[n].way = way
                n += 1
        return n

    def play(self, state, move):
        kind = self.hydrophobic[state.placed]
        came_from = (move.way + 2) % 4
        state.x += self.aside[move.way, 0]
        state.y += self.aside[move.way, 1]
        state.cell[state.x, state.y] = 1 + kind
        state.placed += 1
        if kind:
            for way in range(4):
                x, y = state.x + self.aside[way, 0], state.y + self.aside[way, 1]
                if way != came_from and state.cell[x, y] == 2:
                    state.pairs += 1

    def score(self, state):
        # a chain that runs into itself is worth what is placed of it, less than any whole one
        if state.placed < len(self.hydrophobic):
            return state.placed - len(self.hydrophobic)
        return state.pairs
