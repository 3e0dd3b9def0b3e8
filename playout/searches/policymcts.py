"""Policy-MCTS: a tree search for one player, guided by a policy; many leaves and games at once.

A. Seify and M. Buro, Single-Agent Optimization Through Policy Iteration Using Monte-Carlo Tree
Search. The tree is that of `puct.py`, its moves are committed as those of `uct.py` are.

A batch of playouts goes down one tree, each seeing the virtual loss of those before it. Where a
playout leaves the tree, the leaf is expanded with the policy's priors, and the playout takes the
move with the highest prior; if others of the batch came to the same leaf before it, it chooses as
they would have left the leaf to it (`pick_first`). From there it goes on at random, or draws each
move from the policy. Leaves join the tree and scores are backed up when the whole batch is played.

A playout that needs a prediction ends with WAIT and is entered again where it was. The policy here
is uniform, which needs none: that is plain MCTS. `playout.learn.predict` mixes a network in.

All arrays have a place for each game: a search of one problem has one game with many leaves at
once, self-play (`playout.learn.selfplay`) has many games.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from playout.compiled import hash_record, record
from playout.compiled.random import random_below, random_unit
from playout.problem import Problem
from playout.searches.base import (
    FINE,
    TOO_LONG,
    TOO_MANY_MOVES,
    WAIT,
    Search,
    problem_moves_limit,
)
from playout.searches.options import Algorithm, option
from playout.searches.polish import Polishing, with_parts
from playout.searches.puct import (
    PRIOR_NODE,
    add_noise,
    clear_prior_node,
    finish_playout,
    go_through,
    pick_first,
    select_puct,
)
from playout.searches.tree import LARGEST, MAX, MEAN, prune
from playout.searches.uct import UNKNOWN_BUDGET

UNIFORM = "uniform"  # the name of the policy that is none
PLAIN_C = 10.0  # the paper's c_puct of plain MCTS on the standard boards
LEAVES = 64

OPTIONS = record(
    c_puct="f8", virtual_loss="f8", sharpness="f8", noise="f8", alpha="f8", value="i1", best="i1",
    policy="i1", per_move="i1", simulations="i8", nodes="i8", leaves="i8",
)  # fmt: skip

WALK = record(
    used="i8",  # nodes of the tree
    prefix="i8",  # moves committed
    played="i8",  # playouts of this tree
    moves="i8",  # total of the moves that these playouts had below the root
    origin="i8",  # playouts before those that the budget of this game counts
    best_score="f8",  # of the playouts of this game
    best_length="i8",  # -1 before there is one
    equals="i8",  # playouts that had the best score
    over="i1",  # whether the moves committed have come to the end of the game
)

START, EXPAND, ROLL, IDLE = 0, 1, 2, 3

LANE = record(
    key="u8",  # of the state that a prediction is wanted for
    row="i4",  # where in the batch of predictions it is
    depth="i4",  # nodes on the playout's path below the root
    before="i4",  # playouts of the batch that came to the leaf before
    fresh="i4",  # moves of the leaf, 0 at the end of a game
    child="i4",  # the one of them that was played
    first="i4",  # moves of the playout that are in the tree
    length="i4",  # moves of the playout so far
    phase="i1",  # what the playout is about to do
    asked="i1",  # whether it waits for a prediction
    answered="i1",  # whether the prediction is there
)


@dataclass(frozen=True, kw_only=True)
class PolicyMCTS(Algorithm):
    """Tree search for one player, guided by a trained policy.

    `commit="best"` plays the move of the best playout of the game so far, `"mean"` the move with
    the highest mean score. With `tree="move"` the playouts left are shared out evenly over the
    moves that the game still has, unless `simulations` fixes the share. When the game is over,
    another begins from the start.
    """

    name: ClassVar[str] = "policy-mcts"

    model: str = option(
        "", "a model file; empty: the package's own for this problem and size; uniform: no policy"
    )
    c_puct: float = option(0.0, "exploration constant; 0: that of the model's training", low=0)
    rollouts: str = option(
        "random", "how playouts go on below the tree", choices=("random", "policy")
    )
    temperature: float = option(
        0.0, "of policy rollouts: the lower, the more often likely moves; 0: as in training", low=0
    )
    virtual_loss: float = option(0.01, "weight of the virtual loss", low=0)
    leaves: int = option(
        0, "playouts at once in one tree; 0: 64 with a model, 1 without", low=0, high=65536
    )
    value: str = option("mean", "the value of a move in the tree", choices=("mean", "max"))
    commit: str = option("best", "the move that is committed", choices=("best", "mean"))
    tree: str = option(
        "move", "commit to moves one by one, or one tree for the whole game",
        choices=("move", "game"),
    )  # fmt: skip
    simulations: int = option(0, "playouts before a move is committed; 0: share the budget", low=0)
    nodes: int = option(200_000, "most nodes of a tree; a full tree grows no further", low=1)
    device: str = option("auto", "where the network computes: auto, cpu, cuda, onnx")

    def start(self, problem: Problem, seed: int) -> PolicySearch:
        parts: list[type] = [Polishing] if self.polish else []
        if self.model == UNIFORM:
            search: PolicySearch = with_parts(PolicySearch, problem, *parts)(problem, self, seed)
            return search
        from playout.learn.torch import need_torch

        need_torch()
        from playout.learn.predict import predicting_search

        return predicting_search(problem, self, seed, parts)


class PolicySearch(Search):
    """Games, their trees, and the playouts in them, `leaves` for each game.

    - `games`, `here`, `committed`: one for each game: where it is, the position at the root of its
      tree, the moves that led there; `finest`: the moves of its best playout;
    - `tree`, `tree_moves`, `target`: a row for each game: nodes, the moves that lead to them, and
      where a node goes when the tree is cut down; node 0 is the root;
    - `lanes`, `leaves`, `path`: one for each playout: what it is doing, the state at its leaf, its
      nodes; `weights`, `counts`: the policy over the moves of a state, and working space;
    - `fresh_moves`, `fresh_priors`: the moves of the leaf; `luck`: random streams of the games.
    """

    fields = (
        *Search.fields,
        "options", "games", "here", "committed", "finest", "tree", "tree_moves", "target", "lanes",
        "leaves", "path", "weights", "counts", "fresh_moves", "fresh_priors", "luck",
    )  # fmt: skip

    def __init__(
        self, problem: Problem, algorithm: PolicyMCTS, seed: int, *, games: int = 1,
        nodes: int = 0, noise: float = 0.0, alpha: float = 1.0,
    ) -> None:  # fmt: skip
        leaves = algorithm.leaves or (1 if algorithm.model == UNIFORM else LEAVES)
        slots = games * leaves
        super().__init__(problem, seed, slots)
        options = self.options = np.zeros(1, OPTIONS)
        for name in ("virtual_loss", "simulations"):
            options[0][name] = getattr(algorithm, name)
        options[0].c_puct = algorithm.c_puct or PLAIN_C
        options[0].sharpness = 1.0 / (algorithm.temperature or 1.0)
        options[0].noise, options[0].alpha = noise, alpha
        options[0].value = MAX if algorithm.value == "max" else MEAN
        options[0].best = algorithm.commit == "best"
        options[0].policy = algorithm.rollouts == "policy"
        options[0].per_move = algorithm.tree == "move"
        options[0].leaves = leaves
        most = problem.max_moves
        # the root and its moves always have room
        options[0].nodes = max(algorithm.nodes, most + 1)
        room = max(nodes or min(int(options[0].nodes), 1024), most + 1)
        self.games = np.zeros(games, WALK)
        self.here = problem.new_states(games)
        self.committed = np.zeros((games, problem.max_length), problem.move_type)
        self.finest = np.zeros((games, problem.max_length), problem.move_type)
        self.tree = np.zeros((games, room), PRIOR_NODE)
        self.tree_moves = np.zeros((games, room), problem.move_type)
        self.target = np.zeros((games, room), np.int32)
        self.lanes = np.zeros(slots, LANE)
        self.leaves = problem.new_states(slots)
        self.path = np.zeros((slots, problem.max_length + 1), np.int32)
        self.weights = np.zeros((slots, most))
        self.counts = np.zeros((slots, most), np.int32)
        self.fresh_moves = np.zeros((slots, most), problem.move_type)
        self.fresh_priors = np.zeros((slots, most))
        self.luck = np.zeros(games, np.uint64)
        self.luck[0] = seed

    # the driver's protocol: one game

    def begin(self, problem):
        self.here[0] = self.root[0]
        self.restart(0)
        # a game that begins when the budget is spent has the whole of it again
        spent = self.head[0].playouts
        self.games[0].origin = spent if spent >= self.head[0].budget else 0

    def plan(self, problem):
        walk, options = self.games[0], self.options[0]
        if walk.over:
            return 0
        n = options.leaves
        if options.per_move:
            # no batch is larger than what the tree has left of its share
            if options.simulations > 0:
                n = min(n, options.simulations - walk.played)
            elif self.head[0].budget > 0:
                moves = walk.moves / walk.played if walk.moves > 0 else self.sequences.shape[1]
                n = min(n, max(1, np.int64(self.budget_left(0) / moves) - walk.played))
        for slot in range(n):
            self.descend(problem, 0, slot)
        return n

    def learn(self, problem):
        batch = self.head[0].batch
        room = self.tree.shape[1]
        if room < self.options[0].nodes:
            wanted = self.games[0].used
            for slot in range(batch):
                wanted += self.lanes[slot].fresh
            if wanted > room:
                return False
        for slot in range(batch):
            self.take(0, slot, self.scores[slot])
        if self.options[0].per_move and self.is_enough(0):
            self.commit(problem, 0)
        return True

    def playout(self, problem, slot):
        lane, sequence, moves = self.lanes[slot], self.sequences[slot], self.moves[slot]
        state = self.states[slot]
        game = slot // self.options[0].leaves
        if lane.phase == START:
            self.states[slot] = self.leaves[slot]
            length = self.games[game].prefix
            for i in range(length):
                sequence[i] = self.committed[game, i]
            for i in range(1, lane.depth + 1):
                sequence[length] = self.tree_moves[game, self.path[slot, i]]
                length += 1
            lane.first = length
            lane.length = length
            lane.phase = EXPAND
        if lane.phase == EXPAND:
            n = problem.moves(state, moves)
            if n > problem_moves_limit(moves):
                return TOO_MANY_MOVES
            if n > 0:
                if lane.length == len(sequence):
                    return TOO_LONG
                if not self.predict(problem, slot, n, 1.0):
                    return WAIT
                for i in range(n):
                    self.fresh_moves[slot, i] = moves[i]
                    self.fresh_priors[slot, i] = self.weights[slot, i]
                rng = self.rng[slot : slot + 1]
                k = pick_first(self.weights[slot], self.counts[slot], n, lane.before, rng)
                lane.fresh = n
                lane.child = k
                sequence[lane.length] = moves[k]
                problem.play(state, moves[k])
                lane.length += 1
                lane.first += 1
            lane.phase = ROLL
        status = self.roll_on(problem, slot)
        if status != FINE:
            return status
        lane.phase = IDLE
        self.lengths[slot] = lane.length
        return self.finish(problem, slot, lane.first)

    # parts of a playout

    def descend(self, problem, game, slot):
        """Go down the tree to a leaf, with a virtual loss on the way."""
        lane, tree, path = self.lanes[slot], self.tree[game], self.path[slot]
        self.leaves[slot] = self.here[game]
        state = self.leaves[slot]
        node, depth = 0, 0
        path[0] = 0
        go_through(tree[0])
        while tree[node].count > 0:
            node = select_puct(tree, node, self.options[0])
            problem.play(state, self.tree_moves[game, node])
            depth += 1
            path[depth] = node
            go_through(tree[node])
        lane.depth = depth
        lane.before = tree[node].pending - 1
        lane.fresh = 0
        lane.phase = START

    def predict(self, problem, slot, n, sharpness):
        """Set `weights` to the policy over the first n of `moves`; False to wait for it.

        The policy is taken to the power of `sharpness`, the inverse of a temperature.
        """
        for i in range(n):
            self.weights[slot, i] = 1.0 / n
        return True

    def answer(self, slot):
        """Take in the prediction that was made for a playout; the uniform policy needs none."""

    def roll_on(self, problem, slot):
        """Play to the end at random, or by the policy."""
        lane, moves, state = self.lanes[slot], self.moves[slot], self.states[slot]
        if not self.options[0].policy:
            length = self.roll(problem, slot, lane.length)
            lane.length = length
            return min(length, FINE)
        sequence, weights = self.sequences[slot], self.weights[slot]
        while True:
            n = problem.moves(state, moves)
            if n == 0:
                return FINE
            if n > problem_moves_limit(moves):
                return TOO_MANY_MOVES
            if lane.length == len(sequence):
                return TOO_LONG
            k = 0
            if n > 1:
                if not self.predict(problem, slot, n, self.options[0].sharpness):
                    return WAIT
                left = random_unit(self.rng[slot : slot + 1])
                while k < n - 1:
                    left -= weights[k]
                    if left < 0.0:
                        break
                    k += 1
            sequence[lane.length] = moves[k]
            lane.length += 1
            problem.play(state, moves[k])

    def take(self, game, slot, score):
        """Let the leaf of a finished playout join the tree, and back its score up."""
        walk, lane, tree, path = (
            self.games[game],
            self.lanes[slot],
            self.tree[game],
            self.path[slot],
        )
        leaf, fresh, used = path[lane.depth], lane.fresh, walk.used
        if fresh > 0:
            if tree[leaf].count == 0 and used + fresh <= len(tree):
                for i in range(fresh):
                    self.tree_moves[game, used + i] = self.fresh_moves[slot, i]
                    clear_prior_node(tree[used + i], self.fresh_priors[slot, i])
                tree[leaf].first = used
                tree[leaf].count = fresh
                tree[leaf].start = min(max(score, -LARGEST), LARGEST)
                walk.used = used + fresh
                if leaf == 0:
                    self.disturb(game)
            if tree[leaf].count > 0:
                child = tree[leaf].first + lane.child
                go_through(tree[child])
                finish_playout(tree[child], score)
        for i in range(lane.depth + 1):
            finish_playout(tree[path[i]], score)
        walk.played += 1
        walk.moves += self.lengths[slot] - walk.prefix
        better = walk.best_length < 0 or score > walk.best_score
        if better:
            walk.equals = 0
        if better or score == walk.best_score:
            walk.equals += 1
            if random_below(self.luck[game : game + 1], walk.equals) == 0:
                walk.best_score = score
                walk.best_length = self.lengths[slot]
                for i in range(walk.prefix, walk.best_length):
                    self.finest[game, i] = self.sequences[slot, i]

    # the moves of a game

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
        if self.tree[game, 0].count <= 1:
            return True  # no choice
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
        slot = game * self.options[0].leaves
        walk.over = problem.moves(self.here[game], self.moves[slot]) == 0
        walk.used = prune(tree, self.tree_moves[game], self.target[game], walk.used, chosen)
        self.disturb(game)

    def disturb(self, game):
        """Mix noise into the priors at the root, where the options ask for it."""
        options, tree = self.options[0], self.tree[game]
        if options.noise > 0.0 and tree[0].count > 1:
            slot = game * options.leaves
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
