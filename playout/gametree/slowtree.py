"""Slow-tree parallelism: each worker searches a graph of its own, and at intervals the first levels
of the graphs are combined.

At a meeting every worker tells how often each move of the first levels was visited since the last
meeting, N(s, a), and the visits and rewards of the positions behind them, N(s) and R(s). The sums
are for all, and values are made anew from the last level up (UCT3):

    Q(s) = R(s) / N(s) on the last level, and where no worker has gone on;
    Q(s) = sum of N(s, a) / N(s) Q(s') over the moves a to s', with N(s) = sum of N(s, a), above;
    R(s, a) = N(s, a) Q(s').

Positions are known by their keys: where they are canonical, symmetric ones are combined too. A
worker takes the sums over where it passes (level_ties.py). The threads stay in compiled code for a
whole step and meet there.

P. Agrawal, Parallelization of the Monte Carlo Tree Search Approach in Dots-and-Boxes, Western
Kentucky University, 2019.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from playout.compiled import helper, kernel, wrapping
from playout.compiled.atomics import fetch_add, load, nap, pause, store
from playout.compiled.records import hash_record
from playout.gametree.level_ties import MET, WORKER, LevelTies, take_over_edges, tell
from playout.gametree.nodes import FINE
from playout.gametree.parallel_schemes import RootTeam
from playout.gametree.shared_levels import BYTES, LEVELS, SharedLevels, combine, evaluate
from playout.gametree.simulate import one_simulation
from playout.gametree.tree_arrays import EDGES, NODES, OPEN, SIMULATIONS, STATUS, TreeArrays

# indices into the control array, a cache line apart; what is said is there before ROUND
ARRIVED, ROUND, OVER, SAID = 0, 8, 16, 24
MORE, GOAL, INTERVAL, LAST = SAID, SAID + 1, SAID + 2, SAID + 3
CONTROL = 32

PATIENCE = 10_000  # looks at a counter before a thread sleeps


class SlowTreeTeam(RootTeam):
    """A graph for each worker, and what the workers have in common."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        options = self.algorithm.options
        self.levels, self.interval = options.levels, options.interval
        self.common = SharedLevels(self.game, self.workers, self.levels, self.interval)
        self.ties = [LevelTies(tree, self.common, worker) for worker, tree in enumerate(self.trees)]

    def restart(self) -> None:
        tree = self.trees[0]
        root = int(tree.head[0].root)
        self.common.begin(int(tree.keys[root]), int(tree.mover[root]))
        for ties in self.ties:
            ties.forget()

    def played(self, move: Any, kept: Sequence[bool]) -> None:
        with wrapping():
            root = self.common.behind(int(hash_record(move)))
        if root == 0:
            self.restart()
            return
        node, edge = self.common.go_on_from(root)
        for tree, ties, have in zip(self.trees, self.ties, kept, strict=True):
            ties.forget(*((int(tree.counters[used]) if have else 0) for used in (NODES, EDGES)))
            ties.renumber(node, edge)

    def begin(self, search: int, seed: int) -> None:
        super().begin(search, seed)
        self.common.counters[BYTES] = 0
        for ties in self.ties:
            ties.state[MET] = 0

    def simulate(self, goal: int) -> None:
        if self.levels == 0:
            super().simulate(goal)
        else:  # levels that a move has brought nearer are combined at once
            self._simulate_and_meet(goal, meet=goal == 0)

    def end(self) -> None:
        self.meet()

    def roots(self) -> list[TreeArrays]:
        """After a meeting one root has the visits of all."""
        return self.trees[:1] if self.levels else self.trees

    def meet(self) -> None:
        """Combine the first levels of all graphs."""
        if self.levels:
            self._simulate_and_meet(self.done(), meet=True)

    def _simulate_and_meet(self, goal: int, meet: bool) -> None:
        control = np.zeros(CONTROL, np.int64)
        control[GOAL], control[INTERVAL], control[LAST] = goal, self.interval, meet
        try:
            self._together(lambda worker: self._take_part(worker, control))
        finally:
            for tree, ties in zip(self.trees, self.ties, strict=True):
                ties.used = [int(tree.counters[used]) for used in (NODES, EDGES)]
        self.shared_bytes = int(self.common.counters[BYTES])

    def _take_part(self, worker: int, control: np.ndarray) -> None:
        levels = self.common, self.ties[worker]
        policy, backup = self.algorithm.policy, self.algorithm.backup
        tree, playout = self.trees[worker], self.playouts[worker]
        try:
            take_part(levels, tree, self.game, policy, backup, playout, control)
        except BaseException:
            control[OVER] = 1  # nobody must wait for this thread
            raise


@kernel
def take_part(levels, tree, game, policy, backup, playout, control):
    """Simulate until all workers together have made the goal, with the meetings on the way."""
    common, ties = levels
    worker, workers, interval = ties.state[WORKER], len(common.told), control[INTERVAL]
    goal, rounds = control[GOAL], 0
    while True:
        meeting = ties.state[MET] < goal // (workers * interval)
        share = goal // workers + (worker < goal % workers)
        if meeting:
            share = (ties.state[MET] + 1) * interval
        while tree.counters[SIMULATIONS] < share:
            number = tree.counters[SIMULATIONS]
            status = one_simulation(
                tree, game, policy, backup, playout, np.int64(0), number, levels
            )
            tree.counters[SIMULATIONS] = number + 1
            if status != FINE:
                tree.counters[STATUS] = status
                store(control, OVER, 1)  # nobody must wait for this thread
                return
        if not meeting:
            break
        rounds = meet(levels, tree, policy, control, rounds)
        if rounds < 0:
            return
        ties.state[MET] += 1
    if control[LAST] != 0 and meet(levels, tree, policy, control, rounds) >= 0:
        take_over_two_levels(levels, tree, policy)


def without_meetings(simulations: int, workers: int) -> np.ndarray:
    """What a worker is told that simulates until it has made so many, without the others."""
    control = np.zeros(CONTROL, np.int64)
    control[GOAL], control[INTERVAL] = simulations * workers, 1 << 40
    return control


# a meeting in pieces, for workers that hear of one another by messages (playout.cluster)


@kernel
def tell_others(levels, tree, policy):
    """Tell the others what has been added since the last meeting."""
    common, ties = levels
    tell(common, ties, tree, policy)


@kernel
def add_up(common, begins):
    """Add what all workers have told to the sums; how much is new that there may be more of."""
    return combine(common, begins)


@kernel
def end_meeting(levels, tree, policy, last):
    """Make the values anew; at the last meeting of a search, give them to the first levels."""
    common, _ = levels
    evaluate(common)
    if last:
        take_over_two_levels(levels, tree, policy)


@helper
def meet(levels, tree, policy, control, rounds):
    """A meeting; how many rounds there have been so far, or -1 if somebody will not come.

    There is another round as long as nodes are new below which workers may have more to tell.
    """
    common, ties = levels
    most = 2 * common.counters[LEVELS] + 1
    for this in range(most):
        tell(common, ties, tree, policy)
        fetch_add(control, ARRIVED, 1)
        looks = 0
        if ties.state[WORKER] == 0:
            while load(control, ARRIVED) < len(common.told) and load(control, OVER) == 0:
                looks = wait(looks)
            if load(control, OVER) != 0:
                return -1
            new = combine(common, this == 0)
            control[MORE] = new if this + 1 < most else 0
            if control[MORE] == 0:
                evaluate(common)
            store(control, ARRIVED, 0)
            store(control, ROUND, rounds + 1)
        else:
            while load(control, ROUND) == rounds and load(control, OVER) == 0:
                looks = wait(looks)
            if load(control, ROUND) == rounds:
                return -1
        rounds += 1
        if control[MORE] == 0:
            break
    return rounds


@helper
def take_over_two_levels(levels, tree, policy):
    """Give the root and the nodes behind its moves the sums of all workers."""
    common, ties = levels
    root = tree.head[0].root
    if tree.status[root] != OPEN:
        return
    take_over_edges(common, ties, tree, policy, root)
    for edge in range(tree.first[root], tree.first[root] + tree.count[root]):
        child = tree.child[edge]
        if child > 0 and tree.status[child] == OPEN:
            take_over_edges(common, ties, tree, policy, child)


@helper
def wait(looks):
    """Wait a moment, so many looks after the waiting began; one look more."""
    if looks < PATIENCE:
        pause()
    else:
        nap()
    return looks + 1
