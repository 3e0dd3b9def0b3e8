"""UCT for one player: a tree grown by upper confidence bounds, a move committed now and then.

Each playout goes down the tree (`move_tree.py`), adds the children of the node at which it leaves
it, and goes on at random. One tree may serve the whole game, or the search commits to a move
after a share of the budget and spends the rest behind it.

- M. Schadd, M. Winands, J. van den Herik, G. Chaslot and J. Uiterwijk, Single-Player Monte-Carlo
  Tree Search, 2008: the deviation term.
- A. Seify and M. Buro, Single-Agent Optimization Through Policy Iteration Using Monte-Carlo Tree
  Search: max-min normalisation, a tree for each move.

The move committed is the one with the highest value, mean or max as `value` says (Seify and Buro,
Data Generation), and the part of the tree behind it is kept. The best sequence of all is kept
apart, so that committing to other moves never loses it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from playout.algorithms.algorithm import Algorithm
from playout.algorithms.array_checks import LARGEST_COUNT, Line, check_tree, need, within
from playout.algorithms.biased_playouts import playout_mixins
from playout.algorithms.move_tree import MAX, MEAN, NODE, back_up, clear, prune, select, value_of
from playout.algorithms.polish import with_mixins
from playout.algorithms.search import (
    PLAN,
    ROOM,
    TOO_LONG,
    TOO_MANY_MOVES,
    Search,
)
from playout.compiled import record
from playout.compiled.random import random_below
from playout.contract import Problem, most_moves
from playout.text.options import one_of, option

UNKNOWN_BUDGET = 10_000  # playouts for a move when nothing says how many there are

_FLAGS = ("deviation", "value", "normalise", "per_move")
OPTIONS = record(C="f8", D="f8", simulations="i8", nodes="i8", **dict.fromkeys(_FLAGS, "i1"))

TREE_HEAD = record(
    used="i8",  # nodes of the tree
    fresh="i8",  # children that the playout adds, behind the used ones
    depth="i8",  # nodes on the playout's path below the root
    prefix="i8",  # moves committed
    played="i8",  # playouts of this tree
    moves="i8",  # total of the moves that these playouts had below the root
    origin="i8",  # playouts before those that the budget of this game counts
    over="i1",  # whether the moves committed have come to the end of the game
)


@dataclass(frozen=True, kw_only=True)
class UCT(Algorithm):
    """Single-player UCT.

    A node's moves are each tried once, in random order, before any is tried again. With
    `normalise="none"`, `C` and `D` are in units of the score (squared for `D`), as in SP-MCTS.

    With `tree="move"` the playouts left are shared out evenly over the moves that the game still
    has, by the mean length of the playouts in the tree, unless `simulations` fixes the share. A
    forced move is committed at once. When the game is over, another begins from the start.

    Examples
    --------
    The same name in `solve` and in `search`, for a problem and for a game:

    >>> import playout as po
    >>> po.solve("maximum:n=9", po.UCT(C=0.5), "300 playouts", seed=1, compiled=False).score
    5.0
    >>> po.search("tictactoe", po.UCT(C=0.5), "300 playouts", seed=1, compiled=False).move
    'b2'
    """

    name: ClassVar[str] = "uct"

    C: float = option(1.0, "exploration constant", low=0)
    deviation: bool = option(False, "add SP-MCTS's deviation term")
    D: float = option(0.0, "SP-MCTS's bonus for moves rarely tried, in the deviation term", low=0)
    value: str = one_of("the value of a move", "mean", "max")
    normalise: str = one_of("scale the values of a node's moves to [-1, 1]", "maxmin", "none")
    tree: str = one_of("commit to moves one by one, or one tree for the whole game", "move", "game")
    simulations: int = option(0, "playouts before a move is committed; 0: share the budget", low=0)
    nodes: int = option(200_000, "most nodes of a tree; a full tree grows no further", low=1)
    bias: bool = option(False, "draw the moves of playouts by the problem's bias")

    def start(self, problem: Problem, seed: int) -> UCTSearch:
        return with_mixins(UCTSearch, problem, *playout_mixins(self))(problem, self, seed)


class UCTSearch(Search):
    """The tree and the position that its root stands for.

    - `tree`, `tree_moves`: nodes and the moves that lead to them; node 0 is the root;
    - `path`: the nodes of the playout, root first;
    - `new_index`: where a node goes when the tree is cut down to a part;
    - `here`: the position at the root; `committed`: the moves that led to it.
    """

    tree_fields = ("tree_head", "tree", "tree_moves", "new_index", "path", "here", "committed")
    fields = (*Search.fields, "options", *tree_fields)
    growing: ClassVar = {**Search.growing, "tree": 0, "tree_moves": 0, "new_index": 0}

    def __init__(self, problem: Problem, algorithm: UCT, seed: int) -> None:
        super().__init__(problem, seed, slots=1)
        options = self.options = np.zeros(1, OPTIONS)
        for name in ("C", "D", "deviation", "simulations"):
            options[0][name] = getattr(algorithm, name)
        options[0].value = MAX if algorithm.value == "max" else MEAN
        options[0].normalise = algorithm.normalise == "maxmin"
        options[0].per_move = algorithm.tree == "move"
        # the root and its moves always have room
        options[0].nodes = max(algorithm.nodes, problem.max_moves + 1)
        self.tree_head = np.zeros(1, TREE_HEAD)
        room = min(int(options[0].nodes), max(1024, problem.max_moves + 1))
        self.tree = np.zeros(room, NODE)
        self.tree_moves = np.zeros(room, problem.move_type)
        self.new_index = np.zeros(room, np.int64)
        self.path = np.zeros(problem.max_length + 1, np.int64)
        self.here = problem.new_states(1)
        self.committed = np.zeros(problem.max_length, problem.move_type)

    def check_knowledge(
        self, problem: Problem, fresh: dict[str, np.ndarray], compiled: bool
    ) -> None:
        """A tree of legal moves at the position that the committed moves lead to."""
        tree_head = self.tree_head[0]
        self.options = fresh["options"]
        need(len(self.tree) == len(self.tree_moves) == len(self.new_index), "trees of two sizes")
        within(len(self.tree), 1, self.options[0].nodes, "nodes")
        within(tree_head.used, 1, len(self.tree), "nodes in use")
        within(tree_head.prefix, 0, len(self.committed), "moves committed")
        for name in ("played", "moves", "origin"):
            within(tree_head[name], 0, LARGEST_COUNT, name)
        tree_head.fresh = tree_head.depth = 0
        line = Line(problem, self.root, compiled)
        line.play(self.committed[: tree_head.prefix])
        self.here[0] = line.state[0]
        need(tree_head.over in (0, line.count == 0), "a game that is not over")
        need(self.head[0].phase == PLAN or not tree_head.over, "a game that is over")
        need(self.head[0].phase == PLAN or self.head[0].batch == 1, "another batch")
        tree, room = self.tree[: tree_head.used], len(self.committed) - int(tree_head.prefix)
        moves = self.tree_moves[: tree_head.used]
        check_tree(problem, self.here, tree["first"], tree["count"], moves, room, compiled)
        within(tree["visits"], tree["count"] > 0, LARGEST_COUNT, "visits")

    def begin(self, problem):
        tree_head = self.tree_head[0]
        self.here[0] = self.root[0]
        tree_head.prefix = 0
        tree_head.over = 0
        # a game that begins when the budget is spent has the whole of it again
        spent = self.head[0].playouts
        tree_head.origin = spent if spent >= self.head[0].budget else 0
        tree_head.used = 1
        tree_head.played = 0
        tree_head.moves = 0
        clear(self.tree[0])

    def plan(self, problem):
        return 0 if self.tree_head[0].over else 1

    def playout(self, problem, slot):
        tree_head, tree, options = self.tree_head[0], self.tree, self.options[0]
        moves, rng, sequence = self.moves[0], self.rng[0:1], self.sequences[0]
        self.states[0] = self.here[0]
        state = self.states[0]
        length = tree_head.prefix
        for i in range(length):
            sequence[i] = self.committed[i]
        tree_head.fresh = 0
        depth, node = 0, 0
        self.path[0] = 0
        while node == 0 or tree[node].visits > 0:
            if tree[node].count > 0:
                child = select(tree, node, options, rng)
            else:
                n = problem.moves(state, moves)
                if not 0 <= n <= most_moves(moves):
                    return TOO_MANY_MOVES
                if n == 0:
                    break
                if tree_head.used + n > len(tree):
                    if len(tree) < options.nodes:
                        return ROOM
                    break
                # behind the used nodes, which they join in `learn`
                for i in range(n):
                    self.tree_moves[tree_head.used + i] = moves[i]
                    clear(tree[tree_head.used + i])
                tree_head.fresh = n
                child = tree_head.used + random_below(rng, n)
            if length == len(sequence):
                return TOO_LONG
            sequence[length] = self.tree_moves[child]
            problem.play(state, sequence[length])
            length += 1
            depth += 1
            self.path[depth] = child
            node = child
        first = length
        length = self.roll(problem, slot, length)
        if length < 0:
            return length
        tree_head.depth = depth
        self.lengths[0] = length
        return self.finish(problem, slot, first)

    def learn(self, problem):
        tree_head, options, score = self.tree_head[0], self.options[0], self.scores[0]
        if tree_head.fresh > 0:
            leaf = self.path[tree_head.depth - 1]
            self.tree[leaf].first = tree_head.used
            self.tree[leaf].count = tree_head.fresh
            tree_head.used += tree_head.fresh
            tree_head.fresh = 0
        for i in range(tree_head.depth + 1):
            back_up(self.tree[self.path[i]], score)
        tree_head.played += 1
        tree_head.moves += self.lengths[0] - tree_head.prefix
        if options.per_move and self._is_enough():
            self._commit(problem)
        return True

    def _is_enough(self):
        """Whether the tree has had its share of the playouts."""
        tree_head, head, simulations = self.tree_head[0], self.head[0], self.options[0].simulations
        if self.tree[0].count <= 1:
            return True  # no choice
        if simulations == 0 and head.budget > 0:
            # Read anew each time: the driver may improve an estimate as it goes.
            left = head.budget - (head.playouts - tree_head.origin) + tree_head.played
            return tree_head.moves >= left  # played >= left / mean number of moves
        return tree_head.played >= (simulations if simulations > 0 else UNKNOWN_BUDGET)

    def _commit(self, problem):
        """Play the move with the highest value; note the end of the game."""
        tree_head, tree = self.tree_head[0], self.tree
        first, count = tree[0].first, tree[0].count
        if count == 0:  # the start has no moves
            tree_head.over = 1
            return
        best, most = first, -np.inf
        for c in range(first, first + count):
            if tree[c].visits > 0 and value_of(tree[c], self.options[0].value) > most:
                best, most = c, value_of(tree[c], self.options[0].value)
        self.committed[tree_head.prefix] = self.tree_moves[best]
        problem.play(self.here[0], self.committed[tree_head.prefix])
        tree_head.prefix += 1
        tree_head.played = 0
        tree_head.moves = 0
        tree_head.over = problem.moves(self.here[0], self.moves[0]) == 0
        tree_head.used = prune(tree, self.tree_moves, self.new_index, tree_head.used, best)

    # the driver's side

    def grow(self) -> None:
        """Twice the room for nodes, within the bound."""
        room = min(2 * len(self.tree), int(self.options[0].nodes))
        for name in ("tree", "tree_moves", "new_index"):
            old = getattr(self, name)
            new = np.zeros(room, old.dtype)
            new[: len(old)] = old
            setattr(self, name, new)
