"""Parallel schemes: how several workers, each a thread, search one position.

- tree: all in one tree, whose simulations under way count as losses (virtual loss);
- root: each in a tree of its own; the result is the sum of the roots;
- leaf: one tree, and from each leaf a playout by every worker;
- slow-tree: each in a graph of its own, whose first levels are combined at intervals (slowtree.py);
- lanes: each in a tree of its own, with 64 playouts of a rulesheet at a time (ggp/lane_team.py);
- a subclass of one of these.

One worker is the plain search in all of them but lanes. Compiled code holds no GIL, so threads are
enough.

G. Chaslot, M. Winands and J. van den Herik, Parallel Monte-Carlo Tree Search, 2008; A. Seify and
M. Buro, Single-Agent Optimization Through Policy Iteration Using Monte-Carlo Tree Search, 2020,
have the general virtual loss.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from playout.compiled import wrapping
from playout.compiled.records import mix
from playout.contract import Game
from playout.errors import OptionError
from playout.gametree import PARALLEL_SCHEMES
from playout.gametree.leaf_parallel import CONTROL, OVER, help_leaves, lead_leaves
from playout.gametree.nodes import FINE
from playout.gametree.parts import PlayoutPolicy
from playout.gametree.proofs import is_settled
from playout.gametree.simulate import simulate
from playout.gametree.tree_arrays import OPEN, SIMULATIONS, SLOT, STATUS, TreeArrays, TreeLayout
from playout.gametree.tree_search import GRAPHS, TreeSearch

AMAF_PER_NODE, MOST_AMAF = 16, 1 << 21


class Team:
    """The workers of a search and their trees: one worker, or several in one tree."""

    unit = 1  # simulations that are begun together
    rate = 0.0  # simulations a second, as far as is known

    def __init__(
        self, game: Game, algorithm: TreeSearch, workers: int, seed: int, compiled: bool = True
    ) -> None:
        self.game = game
        self.algorithm = algorithm
        self.workers = workers
        self.compiled = compiled
        self.shared_bytes = 0  # what workers have told one another
        self.playouts = self._new_playouts(seed)
        self.trees = self._new_trees()
        self._pool = ThreadPoolExecutor(workers - 1, "worker") if workers > 1 else None

    @classmethod
    def check(cls, game: Game, algorithm: TreeSearch) -> None:
        """Refuse what the scheme cannot search."""

    def _new_playouts(self, seed: int) -> list[PlayoutPolicy]:
        playouts = [self.algorithm.new_playout() for _ in range(self.workers)]
        for number, playout in enumerate(playouts):
            playout.prepare(self.game, seed + number)
        return playouts

    def _new_trees(self) -> list[TreeArrays]:
        return [new_tree(self.game, self.algorithm, self.workers, shared=self.workers > 1)]

    # what the session tells

    def reset(self, seed: int) -> None:
        """Another game begins: all that was learnt is forgotten, and the trees are begun anew."""
        self.playouts = self._new_playouts(seed)
        for tree in self.trees:
            tree.forget()

    def restart(self) -> None:
        """The trees have been begun anew."""

    def played(self, move: Any, kept: Sequence[bool]) -> None:
        """A move was played; which trees go on below it: the others have been begun anew."""

    def begin(self, search: int, seed: int) -> None:
        """Search number `search` begins."""
        if search > 1:
            for playout in self.playouts:
                playout.next_search()
        self.shared_bytes = 0
        for number, tree in enumerate(self.trees):
            with wrapping():
                own = mix(np.uint64(seed) ^ mix(np.uint64(number))) if number else np.uint64(seed)
                tree.head[0].seed = mix(own ^ mix(np.uint64(search)))
            tree.counters[SIMULATIONS] = 0
            tree.counters[STATUS] = FINE

    def simulate(self, goal: int) -> None:
        """Simulate until all workers together have made `goal` simulations."""
        tree = self.trees[0]
        if self._pool is None:
            self._simulate(0, tree, 0, goal)
            return
        if tree.status[int(tree.head[0].root)] != OPEN:
            # alone: a thread that finds the root not yet open would play from it without a move
            self._simulate(0, tree, 0, min(goal, self.done() + 1))
        self._together(lambda worker: self._simulate(worker, tree, worker * SLOT, goal))

    def end(self) -> None:
        """The search ends."""

    # what the session asks

    def done(self) -> int:
        """The simulations of this search, of all workers."""
        return sum(int(tree.counters[SIMULATIONS]) for tree in self.trees)

    def calls(self) -> int:
        """The calls of `play`, where they are counted."""
        return 0

    def status(self) -> int:
        """FINE, or what is wrong."""
        return next((s for s in (int(tree.counters[STATUS]) for tree in self.trees) if s), FINE)

    def settled(self) -> bool:
        """Whether there is nothing more to find out: the position is proven."""
        return any(is_settled(tree) for tree in self.trees)

    def roots(self) -> list[TreeArrays]:
        """The trees whose roots add up to the result."""
        return self.trees

    # threads

    def _simulate(self, worker: int, tree: TreeArrays, slot: int, goal: int) -> None:
        kernel = simulate if self.compiled else simulate.py_func
        policy, backup = self.algorithm.policy, self.algorithm.backup
        kernel(tree, self.game, policy, backup, self.playouts[worker], slot, goal)

    def _together(self, task: Callable[[int], None]) -> None:
        assert self._pool is not None
        together(self._pool, self.workers, task)


def together(pool: ThreadPoolExecutor, workers: int, task: Callable[[int], None]) -> None:
    """Do a task for every worker at once, the first one's on this thread.

    What no other thread has begun by then is done here too: on a machine with other work to do
    that is sooner than to wait for one.
    """
    others = [pool.submit(task, worker) for worker in range(1, workers)]
    try:
        task(0)
        for worker, other in enumerate(others, 1):
            if other.cancel():
                task(worker)
    finally:
        wait(others)
    for other in others:
        if not other.cancelled():
            other.result()


class LeafTeam(Team):
    """One tree; every worker plays from each leaf."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.unit = self.workers

    def _new_trees(self) -> list[TreeArrays]:
        return [new_tree(self.game, self.algorithm, self.workers)]

    def simulate(self, goal: int) -> None:
        control = np.zeros(CONTROL, np.int64)
        self._together(lambda worker: self._take_part(worker, control, goal))

    def _take_part(self, worker: int, control: np.ndarray, goal: int) -> None:
        parts = self.trees[0], self.game, self.algorithm.policy, self.playouts[worker], control
        try:
            if worker == 0:
                lead_leaves(*parts, self.algorithm.backup, self.workers, goal)
                control[OVER] = 1
            else:
                help_leaves(*parts, worker)
        except BaseException:
            control[OVER] = 1  # nobody must wait for this thread
            raise


class RootTeam(Team):
    """A tree for each worker, each with a share of the nodes and of the simulations."""

    def _new_trees(self) -> list[TreeArrays]:
        return [new_tree(self.game, self.algorithm, parts=self.workers) for _ in self.playouts]

    def simulate(self, goal: int) -> None:
        self._together(
            lambda worker: self._simulate(worker, self.trees[worker], 0, self.share(worker, goal))
        )

    def share(self, worker: int, goal: int) -> int:
        """A worker's part of so many simulations, the same however they were come to."""
        return goal // self.workers + (worker < goal % self.workers)


def new_team(
    game: Game, algorithm: TreeSearch, workers: int, seed: int, compiled: bool = True
) -> Team:
    """The workers of a search, as its option `parallel` says."""
    return scheme_of(algorithm, workers)(game, algorithm, workers, seed, compiled)


def scheme_of(algorithm: TreeSearch, workers: int) -> type[Team]:
    """The scheme of a search with so many workers."""
    if workers == 1 and algorithm.options.parallel != "lanes":
        return Team
    scheme: type[Team] = algorithm.team or PARALLEL_SCHEMES[algorithm.options.parallel]
    return scheme


def check_symmetry(game: Game, algorithm: TreeSearch) -> None:
    """Refuse a search that merges symmetric positions where it cannot."""
    if not algorithm.options.symmetry:
        return
    if game.symmetries < 2:
        raise OptionError(f"{type(game).__name__} has no symmetries: leave symmetry out")
    if algorithm.policy.wants_amaf():
        raise OptionError(
            "moves as first (rave, grave) are known by their places on the board, which symmetry "
            "changes: leave symmetry out"
        )


def check_joint(game: Game, algorithm: TreeSearch) -> None:
    """Refuse what cannot be searched where players move at the same time."""
    options = algorithm.options
    if game.simultaneous and options.joint == "sequential" and options.graph != "tree":
        raise OptionError("joint=sequential: positions within a step are told apart in trees only")
    if game.simultaneous and options.parallel == "slow-tree":
        raise OptionError("slow-tree shares moves in turn: the players move at the same time here")


def new_tree(
    game: Game, algorithm: TreeSearch, threads: int = 1, shared: bool = False, parts: int = 1
) -> TreeArrays:
    """The arrays of a search, or of one of several parts of it."""
    check_symmetry(game, algorithm)
    check_joint(game, algorithm)
    options, policy = algorithm.options, algorithm.policy
    nodes = max(2, options.nodes // parts)
    layout = TreeLayout(
        nodes=nodes,
        threads=threads,
        shared=shared,
        graph=GRAPHS[options.graph],
        squares=policy.wants_squares(),
        top=algorithm.backup.wants_top(),
        prior=policy.wants_prior(),
        amaf=min(nodes * AMAF_PER_NODE, MOST_AMAF) if policy.wants_amaf() else 0,
        solver=options.solver,
        joint=game.simultaneous and options.joint == "decoupled",
    )
    tree = TreeArrays(game, layout)
    head = tree.head[0]
    head.symmetry = game.symmetries if options.symmetry else 0
    head.loss = options.loss
    head.general_loss = options.general_loss
    head.lowest, head.highest = min(game.outcomes), max(game.outcomes)
    head.reference = getattr(policy, "ref", 0)
    return tree
