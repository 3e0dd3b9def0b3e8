"""AdaptAll, the `adapt=all` of GNRPA: what is learnt weighs moves that were left out, too.

T. Cazenave, B. Negrevergne and F. Sikora, Monte Carlo Graph Coloring, Algorithm 5.
"""

from __future__ import annotations

from playout.algorithms.nested_policy import NestedPolicySearch
from playout.algorithms.search import BAD_ALL_MOVES, TOO_MANY_MOVES
from playout.contract import most_moves


class AdaptAll(NestedPolicySearch):
    """Mixed into the search: adapt weighs all moves that the problem names, legal or not."""

    needs = ("all_moves",)

    def weighed(self, n, moves):
        return most_moves(moves)

    def note_step(self, problem, slot, length, n, k, entries, before, before_that):
        row = self.slot_rows[slot]
        moves, codes = self.moves[slot], self.codes[row]
        played = codes[entries + k]
        n = problem.all_moves(self.states[slot], moves)
        if not 0 <= n <= most_moves(moves):
            return TOO_MANY_MOVES
        self.name_moves(problem, slot, n, entries, before, before_that)
        self.offsets[row, length] = entries
        for m in range(n):
            if codes[entries + m] == played:
                self.choices[row, length] = entries + m
                return n
        return BAD_ALL_MOVES
