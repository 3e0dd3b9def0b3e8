"""What the trees of a search over worlds say of the position that was searched.

A sequence of moves is shown in one world, drawn as the player who decides might draw it: of moves
that others have made, those are shown that are legal there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from playout.compiled.random import stream_of
from playout.compiled.records import copy_of_states, hash_record
from playout.contract import Game
from playout.gametree.search_result import MoveStatistics, most_visited_first
from playout.gametree.tree_picture import Branch
from playout.worlds.arrays import CHILD, COUNT, FIRST, PAIRS, TABLE, TOTAL, N, WorldTree
from playout.worlds.edges import name_of

if TYPE_CHECKING:
    from playout.worlds.world_session import WorldSession

Nodes = list[int]  # a node in each tree of one set of arrays; 0: nowhere


def root_figures(session: WorldSession, position: np.ndarray) -> list[MoveStatistics]:
    """Visits and value of each legal move of the position."""
    found = _figures(session, position, [_roots(tree) for tree in session.team.trees])
    return [row for row, _ in found]


def variation(session: WorldSession, position: np.ndarray, best: Any) -> list[str]:
    """The play that is expected: `best`, then the most visited moves, in one world."""
    game, world = session.game, _world(session.game, position)
    texts = [game.move_text(world[0], best)]
    nodes = [_below(tree, game, world, best, _roots(tree)) for tree in session.team.trees]
    game.play(world[0], best)
    while len(texts) < game.max_length:
        rows = [row for row, _ in _figures(session, world, nodes) if row.visits > 0]
        if not rows:
            return texts
        move = most_visited_first(rows)[0]
        texts.append(move.move)
        nodes = [
            _below(tree, game, world, move.record, at)
            for tree, at in zip(session.team.trees, nodes)
        ]
        game.play(world[0], move.record)
    return texts


def branches(
    session: WorldSession, position: np.ndarray, depth: int, width: int, expected: Sequence[str]
) -> tuple[Branch, ...]:
    """The top of the trees, added up: `width` moves at each node, `depth` moves deep."""
    world = _world(session.game, position)
    nodes = [_roots(tree) for tree in session.team.trees]
    return _branches(session, world, nodes, depth, width, expected)[0]


def _branches(
    session: WorldSession,
    world: np.ndarray,
    nodes: list[Nodes],
    depth: int,
    width: int,
    expected: Sequence[str],
) -> tuple[tuple[Branch, ...], int]:
    if depth == 0:
        return (), 0
    game = session.game
    player = int(game.turn(world[0]))
    figures = _figures(session, world, nodes)
    rows = most_visited_first(row for row, _ in figures if row.visits > 0)
    total = sum(row.visits for row in rows)
    shown = rows[:width]
    main = next((row for row in rows if expected and row.move == expected[0]), None)
    if main is not None and main not in shown:
        shown[-1] = main
    found = []
    for row in shown:
        after = copy_of_states(world)
        below = [
            _below(tree, game, world, row.record, at) for tree, at in zip(session.team.trees, nodes)
        ]
        game.play(after[0], row.record)
        rest = expected[1:] if row is main else ()
        behind, more = _branches(session, after, below, depth - 1, width, rest)
        share = row.visits / total
        found.append(
            Branch(row.move, player, row.visits, share, row.value, None, row is main, behind, more)
        )
    return tuple(found), len(rows) - len(shown)


def _figures(
    session: WorldSession, world: np.ndarray, nodes: list[Nodes]
) -> list[tuple[MoveStatistics, list[tuple[WorldTree, int, int]]]]:
    """The legal moves of a world at some nodes of the trees: figures, and tree, node and edge."""
    game, ordered = session.game, session.algorithm.ordered
    mover = int(game.turn(world[0]))
    rows = []
    for move in game.legal_moves(world[0]):
        edges = []
        for tree, at in zip(session.team.trees, nodes):
            node = at[mover if len(at) > 1 else 0]
            edges += [(tree, node, edge) for edge in _edges_of(tree, game, world, move, node)]
        rows.append((move, edges))
    found = []
    for move, edges in rows:
        visits = sum(int(tree.edges[edge, N]) for tree, _, edge in edges)
        total = sum(float(tree.sums[edge, TOTAL]) for tree, _, edge in edges)
        value = total / visits if visits else 0.0
        if ordered and visits:
            value = _borda(edges, [others for _, others in rows if others is not edges])
        text = game.move_text(world[0], move)
        found.append((MoveStatistics(text, visits, value, None, move), edges))
    return found


def _borda(edges: list, others: list[list]) -> float:
    """How often a move beats another, the mean over those that were visited, in all trees."""
    shares = []
    for rivals in others:
        won, pairs = 0, 0
        for tree, node, edge in edges:
            for other_tree, _, rival in rivals:
                if other_tree is tree and rival != edge and tree.edges[rival, N]:
                    first, width = tree.nodes[node, FIRST], tree.tables[tree.nodes[node, TABLE]]
                    a, b = edge - first, rival - first
                    if a < width and b < width:
                        won += int(tree.pairs[tree.nodes[node, PAIRS] + a * width + b])
                        pairs += 2 * int(tree.edges[edge, N]) * int(tree.edges[rival, N])
        if pairs:
            shares.append(won / pairs)
    return sum(shares) / len(shares) if shares else 0.5


def _edges_of(tree: WorldTree, game: Game, world: np.ndarray, move: Any, node: int) -> list[int]:
    """The edges of a move at a node: one, or one for each thing that it may show."""
    edge = find_edge(tree, game, world, move, node)
    if node == 0 or not tree.head[0].shows:
        return [] if edge is None else [edge]
    first, own = int(tree.nodes[node, FIRST]), hash_record(move)
    every = range(first, first + int(tree.nodes[node, COUNT]))
    return [e for e in every if e == edge or hash_record(tree.edge_moves[e]) == own]


def find_edge(
    tree: WorldTree, game: Game, world: np.ndarray, move: Any, node: int, k: int | None = None
) -> int | None:
    """The edge of a move at a node, of the tree of player k or else of the one that chooses."""
    if node == 0:
        return None
    mover = int(game.turn(world[0]))
    single = int(tree.head[0].player) if int(tree.head[0].observers) == 1 else mover
    name = name_of(game, world[0], move, mover, single if k is None else k)
    first = int(tree.nodes[node, FIRST])
    for edge in range(first, first + int(tree.nodes[node, COUNT])):
        if tree.names[edge] == name:
            return edge
    return None


def _below(tree: WorldTree, game: Game, world: np.ndarray, move: Any, nodes: Nodes) -> Nodes:
    """The nodes behind a move that is about to be played."""
    many = len(nodes) > 1
    edges = [
        find_edge(tree, game, world, move, node, k if many else None)
        for k, node in enumerate(nodes)
    ]
    return [0 if edge is None else int(tree.edges[edge, CHILD]) for edge in edges]


def _roots(tree: WorldTree) -> Nodes:
    return [int(node) for node in tree.roots]


def _world(game: Game, position: np.ndarray) -> np.ndarray:
    """A world that the player to move cannot tell from the position."""
    world = copy_of_states(position)
    rng = np.array([stream_of(np.uint64(0), 0)], np.uint64)
    game.redraw(world[0], int(game.turn(world[0])), rng)
    return world
