"""Policy-MCTS at work: a search for one player, guided by a policy; many leaves and games at once.

A. Seify and M. Buro, Single-Agent Optimization Through Policy Iteration Using Monte-Carlo Tree
Search. The tree is that of `prior_tree.py`, and a game's moves are committed as
`move_by_move.py` has it.

A batch of playouts goes down one tree, each seeing the virtual loss of those before it. Where a
playout leaves the tree, the leaf is expanded with the policy's priors, and the playout takes the
move with the highest prior; if others of the batch came to the same leaf before it, it chooses as
they would have left the leaf to it (`pick_first`). From there it goes on at random, or draws each
move from the policy. Leaves join the tree and scores are backed up when the whole batch is played.

A playout that needs a prediction ends with WAIT and is entered again where it was. The policy here
is uniform, which needs none: that is plain MCTS. `predictions.py` mixes a network in, and lets
the playouts of a batch begin one after another, as others end.

All arrays have an entry for each game: a search of one problem has one game with many leaves at
once, self-play (`self_play.py`) has many games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from playout.algorithms.array_checks import Line, need, within
from playout.algorithms.move_tree import LARGEST_SCORE, MAX, MEAN
from playout.algorithms.search import (
    FINE,
    PLAY,
    TOO_LONG,
    TOO_MANY_MOVES,
    WAIT,
    moves_to_play,
)
from playout.compiled import record
from playout.compiled.random import random_below, random_unit
from playout.contract import Problem, most_moves
from playout.learn.policy_iteration.move_by_move import MoveByMove
from playout.learn.policy_iteration.prior_tree import (
    NO_MOVES,
    clear_prior_node,
    finish_playout,
    go_through,
    note_end,
    pick_first,
    select_puct,
)

if TYPE_CHECKING:
    from playout.learn.policy_iteration.policy_mcts import PolicyMCTS

PLAIN_C = 10.0  # the paper's c_puct of plain MCTS on the standard boards
COUNTERS = (
    "expansions",
    "leaf_expansions",
)  # of a search, told with its result

OPTIONS = record(
    **dict.fromkeys(("c_puct", "virtual_loss", "sharpness", "noise", "alpha"), "f8"),
    **dict.fromkeys(("value", "best", "policy", "per_move", "revisit", "in_step"), "i1"),
    **dict.fromkeys(("simulations", "nodes", "leaves", "slots"), "i8"),
)

START, EXPAND, ROLL, IDLE = 0, 1, 2, 3
NEXT, DONE = 4, 5  # of a playout that has not begun, and of one whose score is to be backed up

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
    asked="i1",  # whether it waits for a prediction: WANTED, or HERE from the table
    answered="i1",  # whether the prediction is there
)


class Noise(NamedTuple):
    """Dirichlet noise in the priors at the root: its share of them, and its parameter."""

    share: float
    alpha: float


NO_NOISE = Noise(0.0, 1.0)


class PolicySearch(MoveByMove):
    """Games, their trees, and the playouts in them, `leaves` for each game.

    - `lanes`, `leaves`, `path`: one for each playout: what it is doing, the state at its leaf, its
      nodes; `counts`: working space;
    - `fresh_moves`, `fresh_priors`: the moves of the leaf.
    """

    fields = (
        *MoveByMove.fields,
        *("lanes", "leaves", "path", "counts", "fresh_moves", "fresh_priors"),
    )

    def __init__(
        self,
        problem: Problem,
        algorithm: PolicyMCTS,
        seed: int,
        *,
        games: int = 1,
        nodes: int = 0,
        noise: Noise = NO_NOISE,
        slots: int = 0,
    ) -> None:
        options = np.zeros(1, OPTIONS)
        for name in ("virtual_loss", "simulations"):
            options[0][name] = getattr(algorithm, name)
        options[0].c_puct = algorithm.c_puct or PLAIN_C
        options[0].sharpness = 1.0 / (algorithm.temperature or 1.0)
        options[0].noise, options[0].alpha = noise.share, noise.alpha
        options[0].value = MAX if algorithm.value == "max" else MEAN
        options[0].best = algorithm.commit == "best"
        options[0].policy = algorithm.rollouts == "policy"
        options[0].per_move = algorithm.tree == "move"
        options[0].revisit = algorithm.revisit
        options[0].leaves = algorithm.leaves or 1
        options[0].slots = slots or options[0].leaves
        most = problem.max_moves
        # the root and its moves always have room
        options[0].nodes = max(algorithm.nodes, most + 1)
        room = max(nodes or min(int(options[0].nodes), max(1024, 2 * slots * most)), most + 1)
        super().__init__(problem, seed, options, games, room)
        slots = len(self.rng)
        self.lanes = np.zeros(slots, LANE)
        self.leaves = problem.new_states(slots)
        self.path = np.zeros((slots, problem.max_length + 1), np.int32)
        self.counts = np.zeros((slots, most), np.int32)
        self.fresh_moves = np.zeros((slots, most), problem.move_type)
        self.fresh_priors = np.zeros((slots, most))

    def check_knowledge(
        self, problem: Problem, fresh: dict[str, np.ndarray], compiled: bool
    ) -> None:
        leaves = int(self.options[0].leaves)  # it goes on with as many, whatever the device
        self.options = fresh["options"]
        within(leaves, 1, self.options[0].slots, "leaves")
        self.options[0].leaves = leaves
        super().check_knowledge(problem, fresh, compiled)
        if self.head[0].phase == PLAY:
            for slot in range(self.head[0].batch):
                self._check_lane(problem, slot, compiled)

    def _check_lane(self, problem: Problem, slot: int, compiled: bool) -> None:
        """A playout of the batch: its path in the tree, and where it is on its way."""
        lane, prefix = self.lanes[slot], int(self.games[0].prefix)
        tree, longest = self.tree[0], self.sequences.shape[1]
        within(lane.phase, START, NEXT, "a phase")
        need(lane.asked == 0, "a prediction that is wanted")
        if lane.phase == NEXT:
            return
        within(lane.depth, 0, longest - prefix, "a depth")
        within(lane.before, 0, len(self.scores) - 1, "playouts before")
        path = self.path[slot, : lane.depth + 1]
        need(path[0] == 0, "a path from elsewhere")
        within(path, 0, self.games[0].used - 1, "a path")
        parents = tree[path[:-1]]
        within(path[1:], parents["first"], parents["first"] + parents["count"] - 1, "a path")
        line = Line(problem, self.here[:1], compiled)
        n = line.play(self.tree_moves[0, path[1:]])
        self.leaves[slot] = line.state[0]
        if lane.phase in (START, EXPAND):
            need(lane.fresh == 0, "moves of a leaf")
        else:
            need(lane.fresh == n, "moves of a leaf")
            within(lane.child, 0, max(0, n - 1), "a move of a leaf")
            self.fresh_moves[slot, :n] = line.moves[:n]
        if lane.phase in (EXPAND, ROLL):
            within(lane.length, prefix + lane.depth, longest, "the length of a playout")
            within(lane.first, 0, lane.length, "the first moves of a playout")
            line = Line(problem, self.root, compiled)
            line.play(self.sequences[slot, : lane.length])
            self.states[slot] = line.state[0]

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
        n = options.slots
        if options.per_move:
            # no batch is larger than what the tree has left of its share
            if options.simulations > 0:
                n = min(n, options.simulations - walk.played)
            elif self.head[0].budget > 0:
                moves = walk.moves / walk.played if walk.moves > 0 else self.sequences.shape[1]
                n = min(n, max(1, np.int64(self.budget_left(0) / moves) - walk.played))
            else:
                n = options.leaves
        self.send(problem, n)
        return n

    def send(self, problem, n):
        """Begin a batch: its playouts go down the tree one after another."""
        for slot in range(n):
            self.descend(problem, 0, slot)

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
        while self.options[0].per_move and self.is_enough(0):
            self.commit(problem, 0)
        return True

    def playout(self, problem, slot):
        lane, sequence, moves = self.lanes[slot], self.sequences[slot], self.moves[slot]
        state = self.states[slot]
        game = slot // self.options[0].slots
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
            if not 0 <= n <= most_moves(moves):
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
            n = moves_to_play(problem, state, moves, sequence, lane.length)
            if n <= 0:
                return FINE if n == 0 else n
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
                tree[leaf].start = min(max(score, -LARGEST_SCORE), LARGEST_SCORE)
                walk.used = used + fresh
                walk.expansions += 1
                if leaf == 0:
                    self.disturb(game)
            if tree[leaf].count > 0:
                child = tree[leaf].first + lane.child
                go_through(tree[child])
                finish_playout(tree[child], score)
        elif tree[leaf].first != NO_MOVES:
            tree[leaf].first = NO_MOVES
            walk.expansions += 1
            walk.leaf_expansions += 1
            if not self.options[0].revisit:
                note_end(tree, path, lane.depth)
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

    # the driver's side

    def counters(self) -> dict[str, int]:
        return {name: int(self.games[name].sum()) for name in COUNTERS}
