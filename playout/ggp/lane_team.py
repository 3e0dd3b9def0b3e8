"""`parallel=lanes`: a tree search whose random playouts are played 64 at a time (lanes.py).

There are up to 64 simulations under way in a tree: each goes down, with the virtual loss that
threads have too, and its playout begins in a lane that is free. When the playout is over its
rewards go up, and the next simulation begins there. Between two steps of a search the games stay
where they are, so that the same seed gives the same result, however it is divided into steps; at
its end they are played out. Several workers have a tree each, as with `parallel=root`.
"""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np

from playout.compiled import Compiled, helper, kernel
from playout.compiled.bits import bit, lowest_bit, without_lowest
from playout.compiled.random import random_below, stream_of
from playout.contract import Game
from playout.errors import OptionError
from playout.gametree.nodes import FINE
from playout.gametree.parallel_schemes import RootTeam
from playout.gametree.playout_policies.uniform import Uniform
from playout.gametree.proofs import is_settled
from playout.gametree.simulate import back_up, descend
from playout.gametree.tree_arrays import EDGES, SIMULATIONS, STATUS, TreeArrays
from playout.gametree.tree_search import TreeSearch
from playout.gametree.tree_session import TreeSession
from playout.ggp.game import GDLRules
from playout.ggp.lanes import LANES, Lanes
from playout.stop import Playouts, Seconds

WORTH = 1.3  # times as many simulations that make up for 64 under way at once


class LanePaths(Compiled):
    """The way of each lane's simulation down the tree: nodes, edges, depth, and the last node.

    `active` has one word: the lanes with a simulation under way.
    """

    fields = ("active", "nodes", "edges", "depth", "last")

    def __init__(self, longest: int) -> None:
        self.active = np.zeros(1, np.uint64)
        self.nodes = np.zeros((LANES, longest), np.int64)
        self.edges = np.zeros((LANES, longest), np.int64)
        self.depth = np.zeros(LANES, np.int64)
        self.last = np.zeros(LANES, np.int64)

    def keep(self, tree, lane, depth, last):
        """Keep the way that was just gone."""
        for i in range(depth + 1):
            self.nodes[lane, i] = tree.path_nodes[0, i]
            self.edges[lane, i] = tree.path_edges[0, i]
        self.depth[lane], self.last[lane] = depth, last

    def show(self, tree, lane):
        """Give the tree a lane's way, for what goes up."""
        for i in range(self.depth[lane] + 1):
            tree.path_nodes[0, i] = self.nodes[lane, i]
            tree.path_edges[0, i] = self.edges[lane, i]


class LaneTeam(RootTeam):
    """A tree for each worker, and 64 games under way in each."""

    def __init__(
        self, game: Game, algorithm: TreeSearch, workers: int, seed: int, compiled: bool = True
    ) -> None:
        self.check(game, algorithm)
        assert isinstance(game, GDLRules)
        super().__init__(game, algorithm, workers, seed, compiled)
        longest = self.trees[0].path_nodes.shape[1]
        self.lanes = [(Lanes(game), LanePaths(longest)) for _ in range(workers)]

    @classmethod
    def check(cls, game: Game, algorithm: TreeSearch) -> None:
        if reason := no_lanes(game, algorithm):
            raise OptionError(f"parallel=lanes: {reason}")

    def _new_trees(self) -> list[TreeArrays]:
        trees = super()._new_trees()
        for tree in trees:  # simulations under way count, though there is one thread
            tree.head[0].shared = True
            tree.path_hot = np.zeros(tree.path_nodes.shape, np.int64)
        return trees

    def begin(self, search: int, seed: int) -> None:
        super().begin(search, seed)
        for tree, (_, paths) in zip(self.trees, self.lanes, strict=True):
            if paths.active[0]:  # a search that was broken off: the tree may be another by now
                tree.edge_loss[: int(tree.counters[EDGES])] = 0
                paths.active[0] = 0

    def simulate(self, goal: int) -> None:
        self._all(goal, False)

    def end(self) -> None:
        self._all(0, True)

    def _all(self, goal: int, ending: bool) -> None:
        """Begin simulations until all workers have begun `goal` together; at the end, end them."""
        if self.workers == 1:
            self._in_lanes(0, goal, ending)
        else:
            self._together(lambda worker: self._in_lanes(worker, self.share(worker, goal), ending))

    def _in_lanes(self, worker: int, goal: int, ending: bool) -> None:
        kernel = simulate_in_lanes if self.compiled else simulate_in_lanes.py_func
        policy, backup = self.algorithm.policy, self.algorithm.backup
        parts = self.trees[worker], self.game, policy, backup, self.playouts[worker]
        kernel(*parts, *self.lanes[worker], goal, ending)


def no_lanes(game: Game, algorithm: TreeSearch) -> str:
    """Why a search cannot play games 64 at a time; empty if it can."""
    if not isinstance(game, GDLRules):
        return "it is for games from rulesheets (gdl:FILE)"
    if game.network.cycles:
        return f"{game.source} has facts that follow from one another"
    if type(algorithm.playout) is not Uniform:
        return "it plays at random: leave playout out"
    if algorithm.policy.wants_amaf():
        return f"{algorithm.policy.name} wants to know the moves of playouts"
    return ""


def with_lanes(search: TreeSearch) -> TreeSearch:
    """A search as it is, but with `parallel=lanes`."""
    other = copy.copy(search)
    other.options = replace(search.options, parallel="lanes")
    other.text = f"{search.text}{',' if ':' in search.text else ':'}parallel=lanes"
    return other


def quicker(one: TreeSession, seconds: float) -> TreeSession:
    """A session, or one in its place that plays 64 games at a time, if that is quicker here.

    It is tried for some seconds each, from the start of the game. A session for which the scheme
    was chosen, or that cannot have it, is left as it is.
    """
    search = one.algorithm
    if search.team or "parallel" in search.text or no_lanes(one.game, search):
        return one
    other = TreeSession(one.game, with_lanes(search), seed=one.seed, compiled=one.compiled)
    found = []
    for session in (one, other):
        session.set_position()
        session.run(Playouts(1))  # compiles
        result = session.run(Seconds(seconds))
        found.append(result.simulations / max(result.seconds, 1e-9))
        session.set_position()
    return other if found[1] > WORTH * found[0] else one


@kernel
def simulate_in_lanes(tree, game, policy, backup, playout, lanes, paths, limit, ending):
    """Begin simulations until there have been `limit`; FINE or an error.

    Those that are under way then stay so until the next call, unless it is `ending` them.
    """
    active = paths.active[0]
    counters = tree.counters
    while counters[STATUS] == FINE:
        free = ~active
        while free != np.uint64(0) and counters[SIMULATIONS] < limit and not is_settled(tree):
            lane = lowest_bit(free)
            if begin_in_lane(tree, game, policy, backup, playout, lanes, paths, lane):
                active |= bit(lane)
                free = without_lowest(free)
            if counters[STATUS] != FINE:
                return counters[STATUS]
        paths.active[0] = active
        if active == np.uint64(0):
            break
        if not ending and (counters[SIMULATIONS] >= limit or is_settled(tree)):
            break
        over = lanes.advance(active)
        active &= ~over
        while over != np.uint64(0):
            lane = lowest_bit(over)
            over = without_lowest(over)
            for role in range(tree.head[0].players):
                tree.rewards[0, role] = lanes.goal_in(lane, role)
            paths.show(tree, lane)
            back_up(tree, policy, 0, paths.depth[lane], paths.last[lane])
    return counters[STATUS]


@helper
def begin_in_lane(tree, game, policy, backup, playout, lanes, paths, lane):
    """Begin a simulation; whether its playout goes on in the lane: else it is over already."""
    tree.rng[0] = stream_of(tree.head[0].seed, tree.counters[SIMULATIONS])
    tree.counters[SIMULATIONS] += 1
    status, depth, node, known = descend(tree, game, policy, backup, playout, 0)
    if status != FINE:
        tree.counters[STATUS] = status
        return False
    state, moves, rng = tree.states[0], tree.moves[0], tree.rng[0:1]
    while not known and game.concealed(state) > 0:  # a lane begins with a step
        n = game.moves(state, moves)
        game.play(state, moves[random_below(rng, n)])
    if not known and not game.has_ended(state):
        lanes.rng[lane] = tree.rng[0]
        lanes.put(lane, state.truths, state.step)
        paths.keep(tree, lane, depth, node)
        return True
    for role in range(tree.head[0].players if not known else 0):
        tree.rewards[0, role] = game.reward(state, role)
    back_up(tree, policy, 0, depth, node)
    return False
