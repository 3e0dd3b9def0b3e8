"""Small games of incomplete information as explicit trees, and all of Max's strategies in them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np

from playout.worlds.positions import FRIEND, MAX, MIN, Positions


@dataclass
class Node:
    """A node: who moves, the moves with the worlds (bits) in which they are legal, or the result.

    `won` are the worlds that Max wins if all cards are open from here on.
    """

    kind: int = MAX
    children: list[tuple[int, Node]] = field(default_factory=list)
    won: int = 0


def leaf(won: int) -> Node:
    return Node(won=won)


def settle(node: Node, worlds: int) -> int:
    """Work out, and note, the worlds that Max wins with open cards."""
    if not node.children:
        return node.won
    results = [(legal, settle(child, worlds)) for legal, child in node.children]
    won = 0 if node.kind != MIN else worlds
    for legal, result in results:
        won = won & (result | ~legal) if node.kind == MIN else won | result & legal
    node.won = won & worlds
    return node.won


def strategies(node: Node, worlds: int) -> set[int]:
    """What each of Max's strategies wins: none is left out, however bad it is."""
    if not node.children:
        return {node.won & worlds}
    results = [
        (legal & worlds, strategies(child, legal & worlds))
        for legal, child in node.children
        if legal & worlds
    ]
    if node.kind == MAX:
        return set().union(*(found for _, found in results))
    every = {worlds if node.kind == MIN else 0}
    for legal, found in results:
        if node.kind == MIN:
            every = {won & (vector | ~legal) for won in every for vector in found}
        else:
            every = {won | vector for won in every for vector in found}
    return every


def random_tree(rng: random.Random, worlds: int, depth: int, friends: bool = False) -> Node:
    """A tree in which Max's moves are legal everywhere and every world has a move of Min's."""
    if depth == 0 or rng.random() < 0.15:
        return leaf(rng.getrandbits(worlds))
    kind = rng.choice([MAX, MIN, FRIEND] if friends else [MAX, MIN])
    whole = (1 << worlds) - 1
    count = rng.randint(1, 3)
    legal = [whole if kind == MAX else rng.getrandbits(worlds) for _ in range(count)]
    if kind != MAX:
        union = 0
        for part in legal:
            union |= part
        legal[0] |= whole & ~union
    children = [(part, random_tree(rng, worlds, depth - 1, friends)) for part in legal if part]
    return Node(kind, children)


class TreePositions(Positions):
    """Such a tree as alpha-mu sees it, in plain Python."""

    def __init__(self, root: Node, worlds: int) -> None:
        self.worlds, self.depth, self.most_moves = worlds, 12, 3
        settle(root, (1 << worlds) - 1)
        self.path = [root, *[None] * self.depth]
        self.asked = 0

    def kind(self, tools, d):
        return self.path[d].kind

    def settled(self, tools, d, possible, out):
        if self.path[d].children:
            return 0
        out[0] = np.uint64(self.path[d].won) & possible[0]
        return 1

    def moves(self, tools, d, possible, legal, names):
        self.indices = getattr(self, "indices", {})
        rows = [
            i for i, (worlds, _) in enumerate(self.path[d].children) if worlds & int(possible[0])
        ]
        self.indices[d] = rows
        for n, i in enumerate(rows):
            legal[n, 0] = np.uint64(self.path[d].children[i][0]) & possible[0]
            names[n] = i
        return len(rows)

    def play(self, tools, d, i, worlds):
        self.path[d + 1] = self.path[d].children[self.indices[d][i]][1]

    def key(self, tools, d):
        return np.uint64(id(self.path[d]))

    def leaf(self, tools, d, world):
        self.asked += 1
        return self.path[d].won >> world & 1
