"""A second search over worlds, in dictionaries and from the definitions: what the tree must be."""

from __future__ import annotations

import math

import numpy as np

from playout.compiled import wrapping
from playout.compiled.random import random_below, stream_of
from playout.compiled.records import bytes_of


class Node:
    """A sequence of moves: its moves by what they look like, as lists of their outcomes."""

    def __init__(self):
        self.visits, self.edges = 0, {}


class Edge:
    def __init__(self, place, available):
        self.place, self.available = place, available
        self.child, self.outcomes = None, []


def naive_search(game, position, seed, simulations, bound, length=0):
    """The root of a tree after so many simulations; `bound(edge, node's legal edges)` chooses.

    For one player, or a game in which all moves are seen by the first.
    """
    root = Node()
    with wrapping():
        for number in range(simulations):
            _simulate(game, position, root, stream_of(np.uint64(seed), number), bound, length)
    return root


def _simulate(game, position, node, stream, bound, length):
    rng, world, path = np.array([stream], np.uint64), position.copy(), []
    game.redraw(world[0], int(game.turn(world[0])), rng)
    nodes, fresh = [node], False
    while not fresh and len(legal := game.legal_moves(world[0])):
        names = [bytes_of(move) + bytes([int(game.turn(world[0]))]) for move in legal]
        missing = [name for name in names if name not in node.edges]
        order = []
        for name in missing:  # as gametree opens a node: in random order
            j = random_below(rng, len(order) + 1)
            order.append(name)
            order[-1], order[j] = order[j], name
        count, first = len(node.edges), node.visits if not node.edges else 0
        for place, name in enumerate(order):
            node.edges[name] = Edge(count + place, first)
        edges = [node.edges[name] for name in names]
        untried = [edge for edge in edges if not edge.outcomes]
        if untried:
            edge = min(untried, key=lambda one: one.place)
        else:
            edge = max(edges, key=lambda one: (bound(one, edges), -one.place))
        for one in edges:
            one.available += 1
        path.append((edge, int(game.turn(world[0]))))
        game.play(world[0], legal[edges.index(edge)])
        fresh = edge.child is None
        edge.child = edge.child or Node()
        node = edge.child
        nodes.append(node)
    played = 0
    while len(legal := game.legal_moves(world[0])) and (not length or played < length):
        game.play(world[0], legal[random_below(rng, len(legal))])
        played += 1
    for edge, mover in path:
        edge.outcomes.append(float(game.reward(world[0], mover)))
    for one in nodes:
        one.visits += 1


def mean(edge):
    return sum(edge.outcomes) / len(edge.outcomes)


def ucb1(C):
    """The mean plus C sqrt(ln available / n)."""
    return lambda edge, edges: (
        mean(edge) + C * math.sqrt(math.log(max(edge.available, 1)) / len(edge.outcomes))
    )


def beats(a, b):
    """How often an outcome of a is better than one of b, a tie for half."""
    pairs = [(x > y) + (x == y) / 2 for x in a.outcomes for y in b.outcomes]
    return sum(pairs) / len(pairs)


def borda(C):
    """The mean of how often a move beats each other, plus 2 C sqrt(2 ln n / n(a))."""

    def bound(edge, edges):
        others = [beats(edge, other) for other in edges if other is not edge]
        score = sum(others) / len(others) if others else 0.5
        more = math.sqrt(2 * math.log(max(edge.available, 1)) / len(edge.outcomes))
        return score + 2 * C * more

    return bound
