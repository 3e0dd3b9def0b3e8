"""PUCT with a network for two players, and whole games by it. Compiled.

Algorithms 1 and 2 of Refining Monte Carlo Tree Search Agents by Monte Carlo Tree Search, with the
nodes, the PUCT policy and the backup of `playout/gametree`; positions that are met again are one
node. A leaf is opened with the network's priors and backed up with its value. Predictions are
kept in a table by the position's key (`Predictions`): a game whose leaf is not there asks for it
and waits, and all that wait are evaluated in one batch.

Values are from -1 to 1 for the player to move where a network or an episode has them, and rewards
between the game's lowest and highest where the tree has them.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import Compiled, helper, kernel, record
from playout.compiled.maths import exp
from playout.compiled.random import random_unit
from playout.contract import Game, room_for_moves
from playout.gametree.nodes import follow, make_root, open_node
from playout.gametree.simulate import back_up, choose_edge, edge_value
from playout.gametree.tree_arrays import END, LEAF, TREE, UCT1, TreeArrays, TreeLayout
from playout.gametree.tree_policies import PUCT
from playout.learn.policy_iteration.prior_tree import random_gamma

# what an episode is doing
MOVE, SIMULATE, WAIT, OVER = 0, 1, 2, 3

# how priors are changed before a choice
AS_THEY_ARE, NOISE, RELAXED = 0, 1, 2
RELAXATION = 0.1

REMEMBERED = 1 << 16  # predictions in a table

# a slot of the table
EMPTY, ASKED, THERE = 0, 1, 2

LANE = record(
    phase="i1",
    ply="i4",
    guided="i4",  # moves that the guide path has
    depth="i4",  # of the leaf that waits
    node="i8",
    reward="f8",  # of the first player, from -1 to 1, when it is over
    temperature="f8",
)

SETTINGS = record(
    simulations="i8",
    alpha="f8",
    epsilon="f8",
    temperature="f8",
    decay="f8",
    low="f8",
    high="f8",
    ahead="i1",  # whether to ask for the positions behind a leaf as well
)


class Predictions(Compiled):
    """What a network said of positions, by key, and what it is asked next.

    - `keys`, `there`, `logits`, `values`: the table, open addressing; a power of two of slots;
    - `inputs`, `slots`, `queue`: planes to be evaluated, where each goes, and how many.
    """

    fields = ("keys", "there", "logits", "values", "inputs", "slots", "queue")

    def __init__(self, game: Game, size: int, rows: int) -> None:
        self.keys = np.zeros(size, np.uint64)
        self.there = np.zeros(size, np.int8)
        self.logits = np.zeros((size, game.outputs), np.float32)
        self.values = np.zeros(size, np.float32)
        self.inputs = np.zeros((rows, *game.plane_shape), np.float32)
        self.slots = np.zeros(rows, np.int64)
        self.queue = np.zeros(1, np.int64)

    def forget(self) -> None:
        """The network has changed."""
        self.there[:] = EMPTY
        self.queue[0] = 0

    def evaluate(self, evaluator) -> int:
        """Evaluate what was asked, in one batch; how many positions."""
        n = int(self.queue[0])
        if n:
            logits, values = evaluator(self.inputs[:n])
            slots = self.slots[:n]
            self.logits[slots], self.values[slots] = logits, values
            self.there[slots] = THERE
            self.queue[0] = 0
        return n

    def is_crowded(self) -> bool:
        """Whether the table should be emptied before more goes in."""
        return 2 * int((self.there != EMPTY).sum()) > len(self.there)


class Episode(Compiled):
    """A game that is played: its tree, where it is, and what is learned from it.

    `here` is the position; `guide` the outputs of its first moves, if they are given; `outputs`,
    `movers`, `policies`, `values`, `planes`: of each move; `rng`, `spare`, `legal`, `kept`: to
    work with.
    """

    fields = (
        *("lane", "here", "guide", "rng", "spare", "legal", "kept"),
        *("outputs", "movers", "policies", "values", "planes"),
    )

    def __init__(self, game: Game, simulations: int) -> None:
        most, longest = game.max_moves, game.max_length
        graph = TREE if game.remembers() else UCT1
        layout = TreeLayout(nodes=simulations + 2, graph=graph, prior=True)
        self.tree = TreeArrays(game, layout)
        self.tree.head[0].highest = game.outcomes[-1]
        self.lane = np.zeros(1, LANE)
        self.lane[0].phase = OVER
        self.here = game.root()
        self.guide = np.zeros(longest, np.int32)
        self.outputs = np.zeros(longest, np.int32)
        self.movers = np.zeros(longest, np.int8)
        self.policies = np.zeros((longest, game.outputs), np.float32)
        self.values = np.zeros(longest, np.float32)
        self.planes = np.zeros((longest, *game.plane_shape), np.float32)
        self.rng = np.zeros(1, np.uint64)
        self.spare = game.new_states(2)
        self.legal = np.zeros(room_for_moves(most), game.move_type)
        self.kept = np.zeros((2, most))

    def begin(self, game: Game, seed: int, guide: list[int]) -> None:
        """Start a game, whose first moves are `guide`."""
        self.here[:] = game.root()
        lane = self.lane[0]
        lane.phase, lane.ply, lane.guided = MOVE, 0, len(guide)
        self.guide[: len(guide)] = guide
        self.rng[0] = seed

    @property
    def length(self) -> int:
        """How many moves it has."""
        return int(self.lane[0].ply)


def search_settings(game: Game, **given: float) -> np.ndarray:
    """The settings of searches as compiled code has them."""
    settings = np.zeros(1, SETTINGS)
    settings[0].low, settings[0].high = game.outcomes[0], game.outcomes[-1]
    for name, value in given.items():
        settings[0][name] = value
    return settings


def puct_for(game: Game, c: float) -> PUCT:
    """PUCT with the paper's C, which is for values from -1 to 1, on the game's rewards."""
    low, high = game.outcomes[0], game.outcomes[-1]
    return PUCT(C=c * (high - low) / 2, first=(low + high) / 2)


@kernel
def play_on(episode, tree, game, policy, predictions, settings):
    """Play a game on until it is over or waits for a prediction; its phase."""
    lane, options = episode.lane[0], settings[0]
    while lane.phase != OVER:
        if lane.phase == MOVE and game.moves(episode.here[0], episode.legal) == 0:
            lane.reward = to_value(game.reward(episode.here[0], 0), options)
            lane.phase = OVER
            break
        if lane.ply == 0:
            lane.temperature = options.temperature
        if not search_on(episode, tree, game, policy, predictions, settings):
            return WAIT
        conclude(episode, tree, game, settings)
        lane.phase = MOVE
    return OVER


@kernel
def think_on(episode, tree, game, policy, predictions, settings):
    """Search the position on; False if it waits for a prediction."""
    return search_on(episode, tree, game, policy, predictions, settings)


@helper
def search_on(episode, tree, game, policy, predictions, settings):
    """Search until there have been enough simulations; False if one waits for a prediction."""
    lane = episode.lane[0]
    if lane.phase == MOVE:
        tree.root_state[0] = episode.here[0]
        make_root(tree, game)
        lane.phase = SIMULATE
    if lane.phase == WAIT:
        if not leaf(episode, tree, game, policy, predictions, settings):
            return False
        back_up(tree, policy, 0, np.int64(lane.depth), lane.node)
        lane.phase = SIMULATE
    # the first simulation opens the root, so that its edges have had one less
    while tree.visits[tree.head[0].root] <= settings[0].simulations:
        if not simulate_once(episode, tree, game, policy, predictions, settings):
            lane.phase = WAIT
            return False
    return True


@helper
def simulate_once(episode, tree, game, policy, predictions, settings):
    """One simulation (Algorithm 1); False if its leaf waits for a prediction."""
    lane, options = episode.lane[0], settings[0]
    tree.states[0] = tree.root_state[0]
    state = tree.states[0]
    node = tree.head[0].root
    depth = 0
    while True:
        tree.path_nodes[0, depth] = node
        if tree.status[node] == LEAF:
            lane.depth = depth
            lane.node = node
            if not leaf(episode, tree, game, policy, predictions, settings):
                return False
            break
        if tree.status[node] == END:
            set_rewards(tree, game.reward(state, 0), options)
            break
        kind = NOISE if depth == 0 and options.epsilon > 0.0 else AS_THEY_ARE
        edge = choose(tree, game, policy, state, node, kind, options, episode)
        tree.path_edges[0, depth] = edge
        game.play(state, tree.edge_moves[edge])
        depth += 1
        node = follow(tree, game, 0, state, edge)
    back_up(tree, policy, 0, depth, node)
    return True


@helper
def leaf(episode, tree, game, policy, predictions, settings):
    """Open the leaf that a simulation has come to, and set its rewards; False to wait."""
    lane, options = episode.lane[0], settings[0]
    state, node = tree.states[0], lane.node
    n = game.moves(state, episode.legal)
    if n == 0:
        open_node(tree, game, policy, 0, state, node)
        set_rewards(tree, game.reward(state, 0), options)
        return True
    slot = find(predictions, np.uint64(game.key(state)))
    if predictions.there[slot] != THERE:
        ask(predictions, game, state, slot)
        if options.ahead:
            ask_ahead(episode, game, predictions, state, n)
        return False
    open_node(tree, game, policy, 0, state, node)
    first = tree.first[node]
    logits = predictions.logits[slot]
    most, total = -np.inf, 0.0
    for edge in range(first, first + n):
        most = max(most, logits[game.output(state, tree.edge_moves[edge])])
    for edge in range(first, first + n):
        weight = exp(np.float64(logits[game.output(state, tree.edge_moves[edge])] - most))
        tree.edge_prior[edge] = weight
        total += weight
    for edge in range(first, first + n):
        tree.edge_prior[edge] /= total
    value = np.float64(predictions.values[slot])
    set_rewards(tree, to_reward(value if game.turn(state) == 0 else -value, options), options)
    return True


@helper
def find(predictions, key):
    """The slot of a key in the table, or the empty one where it belongs."""
    mask = np.uint64(len(predictions.keys) - 1)
    slot = key & mask
    while predictions.there[np.int64(slot)] != EMPTY:
        if predictions.keys[np.int64(slot)] == key:
            break
        slot = (slot + np.uint64(1)) & mask
    if predictions.there[np.int64(slot)] == EMPTY:
        predictions.keys[np.int64(slot)] = key
    return np.int64(slot)


@helper
def ask(predictions, game, state, slot):
    """Ask for a prediction, unless it is asked for already or there is no row left."""
    row = predictions.queue[0]
    if predictions.there[slot] == EMPTY and row < len(predictions.inputs):
        predictions.inputs[row] = 0.0
        game.planes(state, predictions.inputs[row])
        predictions.slots[row] = slot
        predictions.there[slot] = ASKED
        predictions.queue[0] = row + 1


@helper
def ask_ahead(episode, game, predictions, state, n):
    """Ask for the positions behind a leaf as well: they cost little in the same batch."""
    for i in range(n):
        episode.spare[0] = state
        game.play(episode.spare[0], episode.legal[i])
        key = np.uint64(game.key(episode.spare[0]))
        # moves are not overwritten: whether the game is over there is looked up in another list
        if game.moves(episode.spare[0], episode.legal[n:]) > 0:
            ask(predictions, game, episode.spare[0], find(predictions, key))


@helper
def choose(tree, game, policy, state, node, kind, options, scratch):
    """The edge with the highest bound, with priors changed for this once.

    `scratch` has `kept`, two rows of numbers for the moves, and `rng`.
    """
    if kind == AS_THEY_ARE:
        return choose_edge(tree, game, policy, node, node)
    first, n = tree.first[node], np.int64(tree.count[node])
    kept, rng = scratch.kept, scratch.rng
    total = 0.0
    for i in range(n):
        kept[0, i] = tree.edge_prior[first + i]
        kept[1, i] = random_gamma(options.alpha, rng) if kind == NOISE else RELAXATION
        total += kept[1, i]
    for i in range(n):
        if kind == RELAXED:
            tree.edge_prior[first + i] = (kept[0, i] + kept[1, i]) / (1.0 + total)
        elif total > 0.0:
            share = options.epsilon * kept[1, i] / total
            tree.edge_prior[first + i] = (1.0 - options.epsilon) * kept[0, i] + share
    edge = choose_edge(tree, game, policy, node, node)
    for i in range(n):
        tree.edge_prior[first + i] = kept[0, i]
    return edge


@helper
def conclude(episode, tree, game, settings):
    """Note the posterior policy and value (Algorithm 2), and play a move."""
    lane, options = episode.lane[0], settings[0]
    state, ply = episode.here[0], np.int64(lane.ply)
    root = tree.head[0].root
    first, n = tree.first[root], np.int64(tree.count[root])
    mover = np.int64(tree.mover[root])
    most = 1
    for edge in range(first, first + n):
        most = max(most, tree.edge_visits[edge])
    total = 0.0
    for i in range(n):
        share = tree.edge_visits[first + i] / most
        episode.kept[0, i] = share ** (1.0 / lane.temperature)
        total += episode.kept[0, i]
    value, left, chosen, guided = 0.0, random_unit(episode.rng), -1, -1
    episode.policies[ply] = 0.0
    for i in range(n):
        p = episode.kept[0, i] / total
        output = game.output(state, tree.edge_moves[first + i])
        episode.policies[ply, output] = p
        if p > 0.0:
            value += p * to_value(edge_value(tree, first + i, mover), options)
            left -= p
            if left < 0.0 and chosen < 0:
                chosen = i
        if ply < lane.guided and episode.guide[ply] == output:
            guided = i
    if guided >= 0:
        chosen = guided
    elif chosen < 0:  # rounding
        chosen = 0
        for i in range(n):
            if episode.kept[0, i] > episode.kept[0, chosen]:
                chosen = i
    episode.values[ply] = value
    episode.movers[ply] = mover
    episode.outputs[ply] = game.output(state, tree.edge_moves[first + chosen])
    episode.planes[ply] = 0.0
    game.planes(state, episode.planes[ply])
    game.play(state, tree.edge_moves[first + chosen])
    lane.ply += 1
    lane.temperature *= options.decay


@helper
def set_rewards(tree, first_players, options):
    tree.rewards[0, 0] = first_players
    tree.rewards[0, 1] = options.low + options.high - first_players


@helper
def to_value(reward, options):
    """A reward as a number from -1 to 1."""
    return 2.0 * (reward - options.low) / (options.high - options.low) - 1.0


@helper
def to_reward(value, options):
    """The reverse."""
    return options.low + (value + 1.0) / 2.0 * (options.high - options.low)
