"""Moves at the same time: decoupled UCT, where players of a step do not see each other's choices.

In a step players choose one after another (`Game.concealed` says how many choices the one who is to
choose does not know of). All moves of the first lead to one node, that of the second, and so on:
each has statistics of its own moves alone. A move of the last one leads to a different position for
each way in which the others have chosen, so it is found by the choices of the whole step, in a
table. Nothing is ever proven through such a step, since its edges have no nodes of their own.

C. Sironi, T. Cazenave and M. Winands, Enhancing Playout Policy Adaptation for General Game Playing,
2021, section 3.1; M. Shafiei, N. Sturtevant and J. Schaeffer, Comparing UCT versus CFR in
Simultaneous Games, 2009.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from playout.compiled import helper, wrapping
from playout.compiled.records import bytes_of, mix
from playout.contract import Game
from playout.gametree.nodes import find_key, new_node
from playout.gametree.root_moves import moves_at
from playout.gametree.tree_arrays import TREE, TreeArrays

_GOLDEN = 0x9E3779B97F4A7C15
_LISTED = 1 << 63  # set in every key: nodes of a tree that are in no table have key 0


@helper
def chooser_key(serial, concealed):
    """The key of the node of who chooses after so many that it does not know of."""
    return mix(np.uint64(serial) * np.uint64(_GOLDEN) + np.uint64(concealed)) | np.uint64(_LISTED)


@helper
def follow_step(tree, game, slot, state, depth, before):
    """The node of the position in `state`, after `depth` moves, in or behind a step.

    Before the last move there were `before` choices that its player did not know of.
    """
    concealed = game.concealed(state)
    if tree.head[0].graph != TREE:
        key = np.uint64(game.key(state))
    else:
        first = max(depth - 1 - before, 0)
        key = chooser_key(tree.serial[tree.path_nodes[slot, first]], concealed)
        if concealed == 0:  # all have chosen
            for i in range(first, depth):
                choice = tree.path_edges[slot, i] - tree.first[tree.path_nodes[slot, i]]
                key = mix(key + np.uint64(choice)) | np.uint64(_LISTED)
    return new_node(tree, slot, key, game.turn(state), True)


@helper
def behind_step(key, choice):
    """The key of where a step leads to, by one choice after another, as `follow_step` has it."""
    return mix(key + np.uint64(choice)) | np.uint64(_LISTED)


def choosers(game: Game, position: np.ndarray) -> list[tuple[int, np.ndarray]]:
    """Who chooses in the step that begins with a position, and what each of them may know.

    That is the position with any choices of those before in place of the real ones.
    """
    found: list[tuple[int, np.ndarray]] = []
    seen = position.copy()
    with wrapping():
        while len(legal := game.legal_moves(seen[0])):
            found.append((int(game.turn(seen[0])), seen.copy()))
            game.play(seen[0], legal[0])
            if not game.concealed(seen[0]):
                break
    return found


def chooser_node(tree: TreeArrays, game: Game, seen: np.ndarray) -> int:
    """The root's node of who chooses in a position as `choosers` gives it; 0 if it has none."""
    root = int(tree.head[0].root)
    with wrapping():
        concealed = int(game.concealed(seen[0]))
        if concealed == 0:
            return root
        if tree.head[0].graph != TREE:
            key = np.uint64(game.key(seen[0]))
        else:
            key = chooser_key(tree.serial[root], concealed)
        return int(find_key(tree, key, key)[1])


class PlayedStep:
    """The choices of a step as they are played one by one, in trees that stand at its start.

    Where it leads to is a node of each tree, if that has met these choices together.
    """

    def __init__(self, trees: Sequence[TreeArrays]) -> None:
        self.trees = trees
        self._keys: list[np.uint64 | None] = [
            chooser_key(tree.serial[int(tree.head[0].root)], 0) for tree in trees
        ]

    def choose(self, game: Game, seen: np.ndarray, move: Any) -> None:
        """A move is chosen in a position within the step, as the one who chooses has it."""
        for i, (tree, key) in enumerate(zip(self.trees, self._keys, strict=True)):
            node = chooser_node(tree, game, seen)
            edge = moves_at(tree, node).get(bytes_of(move)) if node else None
            if key is not None:
                known = None if edge is None else behind_step(key, edge - int(tree.first[node]))
                self._keys[i] = known

    def nodes(self) -> list[int]:
        """Where all choices lead to in each tree; 0 where it has never been."""
        return [
            0 if key is None else int(find_key(tree, key, key)[1])
            for tree, key in zip(self.trees, self._keys, strict=True)
        ]
