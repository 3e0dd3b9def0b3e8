"""What the trees of a search say of a position: its moves' edges, their figures, the variation.

With symmetry a node holds the canonical form of its position. `frame_of` is the symmetry that takes
a position there, and a move of the position is found in the tree as that symmetry shows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from playout.compiled.records import bytes_of, copy_of, in_place, same_record
from playout.contract import Game
from playout.gametree.nodes import PROVEN
from playout.gametree.tree_arrays import OPEN, UNIT, TreeArrays

InTrees = Sequence[tuple[TreeArrays, int]]  # nodes, or edges, of some trees


def frame_of(game: Game, tree: TreeArrays, position: np.ndarray) -> int:
    """The symmetry that takes a position to the form in which a tree has it."""
    if not tree.head[0].symmetry:
        return 0
    other = game.new_states(1)
    least, chosen = int(game.key(position[0])), 0
    for symmetry in range(1, int(tree.head[0].symmetry)):
        game.transform(position[0], symmetry, other[0])
        key = int(game.key(other[0]))
        if key < least:
            least, chosen = key, symmetry
    return chosen


def framed(game: Game, move: Any, frame: int) -> Any:
    """A move of a position as the tree has it."""
    if frame == 0:
        return move
    out = game.new_moves(1)
    game.transform_move(move, frame, in_place(out, 0))
    return out[0]


def moves_at(tree: TreeArrays, node: int) -> dict[bytes, int]:
    """The edges of a node by their moves."""
    if tree.status[node] != OPEN:
        return {}
    first = int(tree.first[node])
    numbers = range(first, first + int(tree.count[node]))
    return {bytes_of(tree.edge_moves[edge]): edge for edge in numbers}


def edges_of(
    game: Game, position: np.ndarray, nodes: InTrees
) -> Iterator[tuple[Any, list[tuple[TreeArrays, int]]]]:
    """The legal moves of a position, which is a node of each tree, with their edges."""
    known = [(tree, moves_at(tree, node)) for tree, node in nodes if node > 0]
    frame = frame_of(game, known[0][0], position) if known else 0
    for move in game.legal_moves(position[0]):
        wanted = bytes_of(framed(game, move, frame))
        yield move, [(tree, edges[wanted]) for tree, edges in known if wanted in edges]


def figures(edges: InTrees, mover: int) -> tuple[int, float, float | None]:
    """Visits, value to the player who moves and proof of a move, from its edges in some trees."""
    visits, total, proven = 0, 0.0, None
    for tree, edge in edges:
        visits += int(tree.edge_visits[edge])
        total += float(tree.edge_totals[edge]) / UNIT
        child = int(tree.child[edge])
        if child > 0 and is_proven(tree, child):
            proven = float(tree.proven[child, mover])
    return visits, total / visits if visits else 0.0, proven


def is_proven(tree: TreeArrays, node: int) -> bool:
    """Whether the rewards of a node are certain."""
    return bool(tree.head[0].solver and tree.proof[node] == PROVEN)


def proof_rank(tree: TreeArrays, proven: float | None) -> int:
    """1 for a move that is proven to get the most, -1 for the least, 0 for all others."""
    if proven is None:
        return 0
    return int(proven >= tree.head[0].highest) - int(proven <= tree.head[0].lowest)


def variation(game: Game, position: np.ndarray, best: Any, edges: InTrees) -> list[str]:
    """The play that is expected: `best`, whose edges these are, then the most visited moves.

    It is that of the tree which has visited `best` most. Proven wins come first, losses last, and
    of two moves with as many visits the better one.
    """
    texts, state = [game.move_text(position[0], best)], position.copy()
    game.play(state[0], best)
    if not edges:
        return texts
    tree, edge = max(edges, key=lambda one: one[0].edge_visits[one[1]])
    seen: set[int] = set()
    while True:
        node = int(tree.child[edge])
        if node <= 0 or tree.status[node] != OPEN or node in seen:
            return texts
        seen.add(node)
        edge = _expected_edge(tree, node)
        if tree.edge_visits[edge] == 0:
            return texts
        move = _actual(game, tree, state, edge)
        texts.append(game.move_text(state[0], move))
        game.play(state[0], move)


def _expected_edge(tree: TreeArrays, node: int) -> int:
    """The most visited edge of a node; of two alike, the one that is better for the mover."""
    first, mover = int(tree.first[node]), int(tree.mover[node])

    def rank(edge: int) -> tuple[int, int, float]:
        visits, value, proven = figures([(tree, edge)], mover)
        return (proof_rank(tree, proven), visits, value) if visits else (-2, 0, 0.0)

    return max(range(first, first + int(tree.count[node])), key=rank)


def _actual(game: Game, tree: TreeArrays, position: np.ndarray, edge: int) -> Any:
    """The move of a position that an edge stands for."""
    move = copy_of(tree.edge_moves[edge])
    frame = frame_of(game, tree, position)
    if frame == 0:
        return move
    moves = game.legal_moves(position[0])
    return next(one for one in moves if same_record(framed(game, one, frame), move))
