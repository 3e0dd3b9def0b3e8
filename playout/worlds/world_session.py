"""A search over worlds at work on one game, from move to move.

It has the methods of a tree search's session (`playout.gametree.tree_session`). Several workers
have a tree each, and the result is the sum of the roots.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from playout.compiled import wrapping
from playout.compiled.compile_errors import friendly
from playout.compiled.random import random_below, stream_of
from playout.compiled.records import copy_of_states, mix, put_states
from playout.contract import Game
from playout.gametree.game_session import GameSession
from playout.gametree.parallel_schemes import together
from playout.gametree.search_result import MoveStatistics, SearchResult, most_visited_first
from playout.gametree.stepping import run_steps
from playout.gametree.tree_picture import Branch
from playout.stop import Progress, Stop
from playout.worlds.arrays import (
    CALLS,
    FINE,
    FULL,
    ROOM,
    SIMULATIONS,
    WorldTree,
    known_bounds,
)
from playout.worlds.kept_worlds import kept_below
from playout.worlds.root_worlds import branches, root_figures, variation
from playout.worlds.simulate import simulate

NO_LIMIT = 1 << 62


class WorldTeam:
    """The workers of a search over worlds, each with a tree and a playout policy of its own."""

    unit = 1
    rate = 0.0
    player = 0  # who is to move where the trees begin

    def __init__(self, game: Game, algorithm: Any, workers: int, seed: int, compiled: bool) -> None:
        self.game, self.algorithm = game, algorithm
        self.workers, self.compiled = workers, compiled
        self.most_calls = NO_LIMIT
        options = algorithm.options
        self.trees = [self.new_tree(max(2, options.nodes // workers)) for _ in range(workers)]
        for tree in self.trees:
            tree.head[0].length, tree.head[0].horizon = options.length, options.horizon
        self.reset(seed)
        self._status = [FINE] * workers
        self._pool = ThreadPoolExecutor(workers - 1, "worker") if workers > 1 else None

    def new_tree(self, nodes: int) -> WorldTree:
        """The arrays of one worker."""
        many = self.algorithm.options.observers == "many"
        return WorldTree(self.game, self.game.players if many else 1, nodes)

    def reset(self, seed: int) -> None:
        """Another game begins: all that was learnt is forgotten."""
        self.playouts = [self.algorithm.new_playout() for _ in self.trees]
        for number, (playout, tree) in enumerate(zip(self.playouts, self.trees)):
            playout.prepare(self.game, seed + number)
            tree.begin_game(*known_bounds(self.game))

    def begin_trees(self, position: np.ndarray, player: int) -> None:
        """An empty tree for each worker, of a position in which `player` is to move."""
        self.player = player
        self.put(position)
        for tree in self.trees:
            tree.begin_tree(player)

    def put(self, position: np.ndarray) -> None:
        """Search from this position, with the trees as they are."""
        for tree in self.trees:
            put_states(tree.root_state, position)

    def begin(self, search: int, seed: int, stop: Stop) -> None:
        """Search number `search` begins."""
        if search > 1:
            for playout in self.playouts:
                playout.next_search()
        left = stop.calls_left(Progress(0.0, 0, 0.0, 0, 0, 0.0))
        self.most_calls = int(min(left, NO_LIMIT))
        self._status = [FINE] * self.workers
        for number, tree in enumerate(self.trees):
            with wrapping():
                own = mix(np.uint64(seed) ^ mix(np.uint64(number))) if number else np.uint64(seed)
                tree.begin_search(mix(own ^ mix(np.uint64(search))))

    def simulate(self, goal: int) -> None:
        """Simulate until all workers together have made `goal` simulations, or used their calls."""
        if self._pool is None:
            self._take_part(0, goal)
        else:
            together(self._pool, self.workers, lambda worker: self._take_part(worker, goal))

    def _take_part(self, worker: int, goal: int) -> None:
        goal, calls = self.share(worker, goal), self.share(worker, self.most_calls)
        tree, status = self.trees[worker], ROOM
        while status == ROOM:
            status = self.step(worker, goal, calls)
            if status == ROOM:
                tree.grow()
        self._status[worker] = status

    def step(self, worker: int, goal: int, calls: int) -> int:
        """Take a worker's search on, until it has made so many simulations or calls."""
        kernel = simulate if self.compiled else simulate.py_func
        policy, backup = self.algorithm.policy, self.algorithm.backup
        playout, tree = self.playouts[worker], self.trees[worker]
        return int(kernel(tree, self.game, policy, backup, playout, goal, calls))

    def play(self, states: np.ndarray, move: Any) -> None:
        """Play a move by the rules as the search has them compiled; in place."""
        tree = self.trees[0]
        put_states(tree.root_state, states)
        tree.moves[0] = move
        self.step(0, -1, 0)
        put_states(states, tree.root_state)

    def share(self, worker: int, goal: int) -> int:
        """A worker's part of so many simulations or calls."""
        return goal // self.workers + (worker < goal % self.workers)

    def done(self) -> int:
        """The simulations of this search, of all workers."""
        return sum(int(tree.counters[SIMULATIONS]) for tree in self.trees)

    def calls(self) -> int:
        """The calls of `play` of this search, of all workers."""
        return sum(int(tree.counters[CALLS]) for tree in self.trees)

    def status(self) -> int:
        """FINE, or what is wrong."""
        return next((status for status in self._status if status), FINE)

    def settled(self) -> bool:
        """Whether there is nothing more to find out: that is never certain."""
        return False


class WorldSession(GameSession[Any]):
    """A player's search over worlds: positions one after another.

    What is in a position and its player cannot know is drawn anew for every simulation; it is never
    looked at.
    """

    team_class: type[WorldTeam] = WorldTeam
    processes = True

    def _prepare(self, workers: int) -> None:
        team: Any = self.team_class
        if workers > 1 and not self.compiled:
            from playout.worlds.process_team import ProcessTeam as team
        self.team: WorldTeam = team(self.game, self.algorithm, workers, self.seed, self.compiled)

    def reset(self, seed: int) -> None:
        super().reset(seed)
        self.team.reset(seed)

    def play(self, move: Any, after: np.ndarray | None = None) -> None:
        """A move was played: go on from the position behind it, with the trees below it.

        `after` is that position, where it is known already.
        """
        position = self._here()
        kept = self.algorithm.options.keep
        for tree in self.team.trees if kept else ():
            with friendly():
                kept &= kept_below(tree, self.game, position, move, self.compiled)
        if after is None:
            self.game.play_move(position[0], move)
        else:
            put_states(position, after)
        if kept:
            self.team.put(position)
        else:
            self._begin_trees()

    def follow(self, position: np.ndarray) -> None:
        """Go on from a position that a referee hands over, with the trees as they are."""
        self._position = copy_of_states(position)
        self.team.put(position)

    def decide(self, stop: Stop) -> MoveStatistics:
        """Search the position until `stop`; the move to play, and nothing that takes time.

        Any of those that are preferred alike: always the first would be to stand still where a
        video game has nothing in reach.
        """
        self._check_goes_on()
        self._search(stop, None)
        with wrapping():
            rows = self.figures(self._here())
            most = max(map(self.preference, rows))
            alike = [row for row in rows if self.preference(row) == most]
            rng = np.array([stream_of(np.uint64(self.seed), self.searches)], np.uint64)
            return alike[int(random_below(rng, len(alike)))]

    def _search(self, stop: Stop, look: Callable[[Progress], None] | None) -> float:
        position = self._here()
        with wrapping():
            player = int(self.game.turn(position[0]))
        if self.team.player != player:
            self._begin_trees()  # they are of what another sees
        self.searches += 1
        self.team.begin(self.searches, self.seed, stop)
        if self.searches == 1:
            with friendly():
                self.team.simulate(0)  # compile before the clock starts
        return run_steps(self.team, stop, self._check, look)

    def top(self, result: SearchResult, depth: int = 3, width: int = 3) -> tuple[Branch, ...]:
        """The top of the tree: `width` moves at each node, `depth` moves deep."""
        with wrapping():
            return branches(self, self._here(), depth, width, result.variation)

    def _begin_trees(self) -> None:
        position = self._here()
        with wrapping():
            player = int(self.game.turn(position[0]))
        self.team.begin_trees(position, player)

    def _check(self) -> None:
        said = f"outcome(), or {self._worth()}, gave NaN or an infinite number"
        self._check_status(self.team.status(), said)

    def _result(self, seconds: float) -> SearchResult:
        team, position = self.team, self._here()
        with wrapping():
            rows = self.figures(position)
            best = max(rows, key=self.preference)
            expected = variation(self, position, best.record)
        return self._found(
            seconds,
            best,
            most_visited_first(rows),
            variation=expected,
            simulations=team.done(),
            nodes=sum(tree.nodes_used() for tree in team.trees),
            full=any(tree.counters[FULL] for tree in team.trees),
            workers=team.workers,
            calls=team.calls(),
        )

    def figures(self, position: np.ndarray) -> list[MoveStatistics]:
        """Visits and value of each legal move of the position that was searched."""
        return root_figures(self, position)

    def preference(self, row: MoveStatistics) -> tuple[float, float]:
        """How much a move is preferred by the final choice."""
        return row.preference(self.algorithm.options.choice)
