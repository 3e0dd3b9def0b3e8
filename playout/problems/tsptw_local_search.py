"""Local search on tours with time windows: the `polish` of TSPTW, by 2-opt and relocation."""

from __future__ import annotations

import numpy as np

from playout.compiled.atomics import load
from playout.contract import Problem

PENALTY = 1e6  # of a violation


class TourLocalSearch(Problem):
    """Improves tours; a subclass has the rules and the tables of distances and windows."""

    def polish(self, state, moves, first, length, rng):
        """Shorten the tour by 2-opt and relocation as long as that helps; windows count first.

        A stop is moved elsewhere, or a part of the tour turned round, whenever that gives a better
        score, until the run has ended. The first stops stay. If the selective rule forbids what
        comes out, nothing changes.
        """
        n = length + 2
        tour, stops = np.zeros(n, np.int64), np.zeros(n, np.int64)  # the depot at both ends
        for i in range(length):
            tour[i + 1] = moves[i].node
        # when each stop is left, and the travel cost and missed windows up to it
        times, travels, missed = np.zeros(n), np.zeros(n), np.zeros(n)
        best = self._follow(tour, times, travels, missed)
        better, changed = True, False
        while better and load(self.ended, 0) == 0:
            better = False
            for i in range(first + 1, n - 1):
                if load(self.ended, 0) != 0:  # one round takes long with a thousand stops
                    break
                for j in range(first + 1, n - 1):
                    for turned in range(2):
                        # stop i goes to index j, or the stops from i to j are turned round
                        if i == j or (turned == 1 and j < i + 2):
                            continue
                        cost = self._cost(tour, i, j, turned == 1, best, times, travels, missed)
                        if cost < best - 1e-7:
                            for a in range(n):
                                stops[a] = self._stop(tour, a, i, j, turned == 1)
                            tour[:] = stops
                            best = self._follow(tour, times, travels, missed)
                            better, changed = True, True
        if changed and self._is_playable(tour, moves.copy(), state):
            for i in range(length):
                moves[i].node = tour[i + 1]
        return length

    def _stop(self, tour, a, i, j, turned):
        """The stop at index a when i goes to j, or when the part between them is turned round."""
        if a < min(i, j) or a > max(i, j):
            return tour[a]
        if turned:
            return tour[i + j - a]
        if a == j:
            return tour[i]
        return tour[a + 1] if i < j else tour[a - 1]

    def _cost(self, tour, i, j, turned, most, times, travels, missed):
        """What such a tour costs; anything over `most` if it costs more than that."""
        a = min(i, j)
        here, time, travel, late = tour[a - 1], times[a - 1], travels[a - 1], missed[a - 1]
        while a < len(tour):
            there = self._stop(tour, a, i, j, turned)
            way = self.distance[here, there]
            travel += way
            time += way
            late += time > self.due[there]
            time = max(time, self.earliest[there])
            cost = (time if self.makespan else travel) + PENALTY * late
            if cost > most:
                return cost
            here = there
            a += 1
        return cost

    def _follow(self, tour, times, travels, missed):
        """Note times and costs along a tour; its whole cost."""
        times[0] = self.earliest[0]
        for a in range(1, len(tour)):
            way = self.distance[tour[a - 1], tour[a]]
            arrival = times[a - 1] + way
            travels[a] = travels[a - 1] + way
            missed[a] = missed[a - 1] + (arrival > self.due[tour[a]])
            times[a] = max(arrival, self.earliest[tour[a]])
        return (times[-1] if self.makespan else travels[-1]) + PENALTY * missed[-1]

    def _is_playable(self, tour, spare, state):
        """Whether every stop of a tour is a move; the state and the spare moves are changed."""
        state.travel = 0.0
        state.violations = 0
        state.node = 0
        self.reset(state)
        for a in range(1, len(tour) - 1):
            n = self.moves(state, spare)
            found = False
            for m in range(n):
                found |= spare[m].node == tour[a]
            if not found:
                return False
            spare[0].node = tour[a]
            self.play(state, spare[0])
        return True
