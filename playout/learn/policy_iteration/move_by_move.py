"""Games under way: where each is, the moves that it has committed, and the tree at its position.

What Policy-MCTS (`policy_mcts.py`) plays its playouts in. The tree is that of `prior_tree.py`; when
it has had its share of the playouts, a move is committed, and what is below that move is kept. All
arrays have an entry for each game: a search of one problem has one game, self-play has many.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from playout.algorithms.array_checks import LARGEST_COUNT, Line, check_tree, need, within
from playout.algorithms.move_tree import prune
from playout.algorithms.search import PLAN, Search
from playout.algorithms.uct import UNKNOWN_BUDGET
from playout.compiled import hash_record, record
from playout.compiled.random import random_below
from playout.contract import Problem
from playout.learn.policy_iteration.prior_tree import (
    NO_MOVES,
    PRIOR_NODE,
    add_noise,
    clear_prior_node,
)

GAME = record(
    used="i8",  # nodes of the tree
    prefix="i8",  # moves committed
    played="i8",  # playouts of this tree
    moves="i8",  # total of the moves that these playouts had below the root
    origin="i8",  # playouts before those that the budget of this game counts
    best_score="f8",  # of the playouts of this game
    best_length="i8",  # -1 before there is one
    equals="i8",  # playouts that had the best score
    expansions="i8",  # nodes that were given their moves, or found to have none, in all trees
    leaf_expansions="i8",  # those of them that were found to have none
    over="i1",  # whether the moves committed have come to the end of the game
)


class MoveByMove(Search):
    """Games and their trees; each has the `slots` playouts of a batch.

    - `games`, `here`, `committed`: one for each game: where it is, the position at the root of its
      tree, the moves that led there; `finest`: the moves of its best playout;
    - `tree`, `tree_moves`, `target`: a row for each game: nodes, the moves that lead to them, and
      where a node goes when the tree is cut down; node 0 is the root;
    - `luck`: random streams of the games; `weights`: one for each playout: the policy over the
      moves of a state, and working space.

    `options` has `noise`, `alpha`, `best`, `simulations`, `nodes` and `slots`.
    """

    fields = (
        *Search.fields,
        *("options", "games", "here", "committed", "finest", "luck", "weights"),
        *("tree", "tree_moves", "target"),
    )

    growing: ClassVar = {**Search.growing, **dict.fromkeys(("tree", "tree_moves", "target"), 1)}

    def __init__(
        self, problem: Problem, seed: int, options: np.ndarray, games: int, room: int
    ) -> None:
        slots = games * int(options[0].slots)
        super().__init__(problem, seed, slots)
        self.options = options
        self.games = np.zeros(games, GAME)
        self.here = problem.new_states(games)
        self.committed = np.zeros((games, problem.max_length), problem.move_type)
        self.finest = np.zeros((games, problem.max_length), problem.move_type)
        self.tree = np.zeros((games, room), PRIOR_NODE)
        self.tree_moves = np.zeros((games, room), problem.move_type)
        self.target = np.zeros((games, room), np.int32)
        self.luck = np.zeros(games, np.uint64)
        self.luck[0] = seed
        self.weights = np.zeros((slots, problem.max_moves))

    def check_knowledge(
        self, problem: Problem, fresh: dict[str, np.ndarray], compiled: bool
    ) -> None:
        """Of each game a tree of legal moves at the position that its moves lead to."""
        need(self.tree.shape == self.tree_moves.shape == self.target.shape, "trees of two sizes")
        within(self.tree.shape[1], 1, fresh["options"][0].nodes, "nodes")
        longest = self.committed.shape[1]
        for game, walk in enumerate(self.games):
            within(walk.used, 1, self.tree.shape[1], "nodes in use")
            within(walk.prefix, 0, longest, "moves committed")
            within(walk.best_length, -1, longest, "the best length")
            within(walk.moves, 0, walk.played * longest, "moves")
            for name in ("played", "origin", "equals", "expansions", "leaf_expansions"):
                within(walk[name], 0, LARGEST_COUNT, name)
            line = Line(problem, self.root, compiled)
            line.play(self.committed[game, : walk.prefix])
            self.here[game] = line.state[0]
            need(walk.over in (0, line.count == 0), "a game that is not over")
            need(self.head[0].phase == PLAN or not walk.over, "a game that is over")
            tree, moves = self.tree[game, : walk.used], self.tree_moves[game, : walk.used]
            first, count, room = tree["first"], tree["count"], longest - int(walk.prefix)
            check_tree(problem, self.here[game : game + 1], first, count, moves, room, compiled)
            within(tree["visits"], 0, 1 << 30, "visits")
            within(tree["pending"], 0, np.minimum(tree["visits"], len(self.scores)), "visits")

    def restart(self, game):
        """Begin a game at the position `here`."""
        walk = self.games[game]
        walk.prefix = 0
        walk.over = 0
        walk.best_length = -1
        self._new_tree(game)

    def _new_tree(self, game):
        walk = self.games[game]
        walk.used = 1
        walk.played = 0
        walk.moves = 0
        clear_prior_node(self.tree[game, 0], 1.0)

    def is_enough(self, game):
        """Whether the tree has had its share of the playouts."""
        walk, head, simulations = self.games[game], self.head[0], self.options[0].simulations
        root = self.tree[game, 0]
        if root.count <= 1 or root.known:
            # no choice, or nothing left to find out
            return not walk.over and (root.count > 0 or root.first == NO_MOVES)
        if simulations == 0 and head.budget > 0:
            # played >= left / mean number of moves
            return walk.moves >= self.budget_left(game)
        return walk.played >= (simulations if simulations > 0 else UNKNOWN_BUDGET)

    def budget_left(self, game):
        """Playouts that are left for this tree and those of the moves after it.

        Read anew each time: the driver may improve an estimate of the budget as it goes.
        """
        walk, head = self.games[game], self.head[0]
        return head.budget - (head.playouts - walk.origin) + walk.played

    def commit(self, problem, game):
        """Play the move of the best playout, or that with the highest mean; note the end."""
        walk, tree = self.games[game], self.tree[game]
        first, count = tree[0].first, tree[0].count
        if count == 0:  # the start has no moves
            walk.over = 1
            return
        chosen = first
        if self.options[0].best:
            wanted = hash_record(self.finest[game, walk.prefix])
            for c in range(first, first + count):
                if hash_record(self.tree_moves[game, c]) == wanted:
                    chosen = c
        else:
            most, equals = -np.inf, 0
            for c in range(first, first + count):
                if tree[c].visits > 0:
                    mean = tree[c].total / tree[c].visits
                    equals = 1 if mean > most else equals + (mean == most)
                    if mean >= most and random_below(self.luck[game : game + 1], equals) == 0:
                        chosen = c
                    most = max(most, mean)
        self.committed[game, walk.prefix] = self.tree_moves[game, chosen]
        problem.play(self.here[game], self.committed[game, walk.prefix])
        walk.prefix += 1
        walk.played = 0
        walk.moves = 0
        slot = game * self.options[0].slots
        walk.over = problem.moves(self.here[game], self.moves[slot]) == 0
        walk.used = prune(tree, self.tree_moves[game], self.target[game], walk.used, chosen)
        self.disturb(game)

    def disturb(self, game):
        """Mix noise into the priors at the root, where the options ask for it."""
        options, tree = self.options[0], self.tree[game]
        if options.noise > 0.0 and tree[0].count > 1:
            slot = game * options.slots
            luck = self.luck[game : game + 1]
            add_noise(tree, 0, options.noise, options.alpha, luck, self.weights[slot])

    # the driver's side

    def grow(self) -> None:
        """Twice the room for nodes, within the bound."""
        room = min(2 * self.tree.shape[1], int(self.options[0].nodes))
        for name in ("tree", "tree_moves", "target"):
            old = getattr(self, name)
            new = np.zeros((len(old), room), old.dtype)
            new[:, : old.shape[1]] = old
            setattr(self, name, new)
