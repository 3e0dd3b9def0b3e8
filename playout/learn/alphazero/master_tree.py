"""The master game tree: the whole of episode generation as one tree search.

Refining Monte Carlo Tree Search Agents by Monte Carlo Tree Search, Algorithms 4 and 5 (MbM). Each
node has the policy and the value that searches of its position came to, averaged over the
episodes, and its moves have the number of episodes that went through them and what came of it. The
nodes and PUCT are those of `playout/gametree`. An episode starts with the moves by which the tree
is descended; where it leaves the tree, the position joins it.

The paper's weight of a new estimate, 1 over the episodes through a node, is taken with the new
episode counted in. Episodes that are being played count as visits that brought nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.compiled import Compiled, helper, kernel
from playout.contract import Game, room_for_moves
from playout.gametree.nodes import follow, make_root, open_node
from playout.gametree.tree_arrays import LEAF, OPEN, TREE, UCT1, UNIT, TreeArrays, TreeLayout
from playout.learn.alphazero.two_player_puct import Episode, choose, to_reward

NODES = 1 << 12  # at first


class MasterTree(Compiled):
    """The master tree of a game.

    - `value`: of each node, the averaged value as a reward of the first player;
    - `guide`: outputs of the moves of the path that was chosen last; `rng`, `kept`, `legal`: to
      work with.
    """

    fields = ("value", "guide", "rng", "kept", "legal")

    def __init__(self, game: Game, *, nodes: int = NODES) -> None:
        self.tree = self._arrays(game, nodes)
        self.guide = np.zeros(game.max_length, np.int32)
        self.rng = np.zeros(1, np.uint64)
        self.kept = np.zeros((2, game.max_moves))
        self.legal = np.zeros(room_for_moves(game.max_moves), game.move_type)
        self.value = np.zeros(nodes + 1)
        self._game = game
        make_root(self.tree, game)

    def _arrays(self, game: Game, nodes: int) -> TreeArrays:
        graph = TREE if game.remembers() else UCT1
        tree = TreeArrays(game, TreeLayout(nodes=nodes, graph=graph, prior=True, shared=True))
        tree.head[0].highest, tree.head[0].loss = game.outcomes[-1], 1.0
        return tree

    def next_path(self, policy: Any, settings: np.ndarray, kind: int, seed: int) -> list[int]:
        """The outputs of the moves that the next episode begins with."""
        self.rng[0] = seed
        # a path and the episode behind it add one node at most
        if self.nodes() + self._game.max_length + 2 > len(self.tree.status) // 2:
            self._grow()
        n = next_path(self, self.tree, self._game, policy, settings, kind)
        return [int(output) for output in self.guide[:n]]

    def update(self, episode: Episode, policy: Any, settings: np.ndarray) -> None:
        """Take a finished episode in, which began with a path of this tree."""
        update_master(self, self.tree, self._game, policy, settings, episode)

    def nodes(self) -> int:
        """How many positions it has."""
        return self.tree.nodes_used()

    # keeping it in a file, and growing

    def arrays(self) -> dict[str, np.ndarray]:
        """All that it knows; `restore` makes it the same again."""
        tree = self.tree
        found = {"value": self.value, "counters": tree.counters, "stock": tree.stock}
        found |= {"head": tree.head, "table": tree.table, "rng": tree.rng}
        for name, arrays in (("node", tree.node_arrays()), ("edge", tree.edge_arrays())):
            found |= {f"{name}{number}": array for number, array in enumerate(arrays)}
        return found

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Become what `arrays` tell; ValueError if they are not those of such a tree."""
        self._resize(max(0, len(arrays["value"]) - 1))
        for name, mine in self.arrays().items():
            if name == "rng" and name not in arrays:  # as an older version has kept it
                continue
            if (
                arrays[name].dtype.itemsize != mine.dtype.itemsize
                or arrays[name].shape != mine.shape
            ):
                raise ValueError(f"{name} is of another kind")
            mine[:] = arrays[name].view(mine.dtype)

    def _grow(self) -> None:
        old = self.arrays()
        self._resize(2 * len(self.value))
        new = self.arrays()
        for name, array in old.items():
            if name not in ("table", "rng"):
                new[name][: len(array)] = array
        table, keys, mask = self.tree.table, self.tree.keys, len(self.tree.table) - 1
        for node in old["table"][old["table"] > 0]:
            slot = int(keys[node]) & mask
            while table[slot]:
                slot = (slot + 1) & mask
            table[slot] = node

    def _resize(self, nodes: int) -> None:
        self.tree = self._arrays(self._game, nodes)
        self.value = np.zeros(nodes + 1)


@kernel
def next_path(master, tree, game, policy, settings, kind):
    """Descend the tree, with a virtual loss; how many moves, whose outputs are in `guide`."""
    options = settings[0]
    tree.states[0] = tree.root_state[0]
    state = tree.states[0]
    node, depth = tree.head[0].root, 0
    while tree.status[node] == OPEN:
        edge = choose(tree, game, policy, state, node, kind, options, master)
        master.guide[depth] = game.output(state, tree.edge_moves[edge])
        tree.edge_loss[edge] += 1
        game.play(state, tree.edge_moves[edge])
        depth += 1
        node = follow(tree, game, 0, state, edge)
    return depth


@kernel
def update_master(master, tree, game, policy, settings, episode):
    """Algorithm 4: average policies and values along the guide path, and back the new value up."""
    options, lane = settings[0], episode.lane[0]
    tree.states[0] = tree.root_state[0]
    state = tree.states[0]
    node, depth = tree.head[0].root, 0
    while depth < lane.guided:
        edge = edge_of(tree, game, state, node, episode.outputs[depth])
        tree.path_nodes[0, depth] = node
        tree.path_edges[0, depth] = edge
        game.play(state, tree.edge_moves[edge])
        depth += 1
        node = follow(tree, game, 0, state, edge)
    # what the end of the path is worth to the first player
    if depth == lane.ply:
        found = to_reward(lane.reward, options)
    else:
        found = first_players(episode, depth, options)
        if tree.status[node] == LEAF:
            open_node(tree, game, policy, 0, state, node)
            set_policy(tree, game, state, node, episode.policies[depth], 1.0)
            master.value[node] = found
            tree.visits[node] = 1
    tree.states[0] = tree.root_state[0]
    for i in range(depth):
        node, edge = tree.path_nodes[0, i], tree.path_edges[0, i]
        weight = 1.0 / tree.visits[node]  # the visits are 1 from the start: this episode's
        set_policy(tree, game, state, node, episode.policies[i], weight)
        game.play(state, tree.edge_moves[edge])
    for i in range(depth - 1, -1, -1):
        node, edge = tree.path_nodes[0, i], tree.path_edges[0, i]
        weight = 1.0 / tree.visits[node]
        before = master.value[node]
        master.value[node] += weight * (first_players(episode, i, options) - before)
        reward = found if tree.mover[node] == 0 else options.low + options.high - found
        tree.edge_totals[edge] += np.int64(round(reward * UNIT))
        tree.edge_visits[edge] += 1
        tree.edge_loss[edge] -= 1
        tree.visits[node] += 1
        found += master.value[node] - before


@helper
def edge_of(tree, game, state, node, output):
    """The edge of a node whose move has an output."""
    first = tree.first[node]
    for edge in range(first, first + tree.count[node]):
        if game.output(state, tree.edge_moves[edge]) == output:
            return edge
    return first


@helper
def first_players(episode, ply, options):
    """What an episode's search thought of a position, as a reward of the first player."""
    value = np.float64(episode.values[ply])
    return to_reward(value if episode.movers[ply] == 0 else -value, options)


@helper
def set_policy(tree, game, state, node, policy, weight):
    """Mix a policy over outputs into the priors of a node's moves."""
    first = tree.first[node]
    for edge in range(first, first + tree.count[node]):
        new = np.float64(policy[game.output(state, tree.edge_moves[edge])])
        old = np.float64(tree.edge_prior[edge])
        tree.edge_prior[edge] = (1.0 - weight) * old + weight * new
