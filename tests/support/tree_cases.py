"""Trees to test: small games, sessions of several workers, and how to read them."""

from __future__ import annotations

import playout as po
from playout.games import load_game
from playout.gametree.tree_session import TreeSession

LINES = {"a": 0, "b": 1, "c": 64, "d": 65}  # of one box


def one_box():
    """One box: four lines, a and b lie, c and d stand; positions are sets of lines."""
    return load_game("dotsandboxes:1x1")


def session_of(game, text, workers, simulations=0, seed=1):
    session = TreeSession(game, po.TreeSearch.parse(text), seed=seed, workers=workers)
    session.set_position()
    if simulations:
        session.run(po.Playouts(simulations))
    return session


def edges_at(tree, node):
    return range(int(tree.first[node]), int(tree.first[node]) + int(tree.count[node]))


def root_visits(tree):
    return tree.edge_visits[list(edges_at(tree, int(tree.head[0].root)))]
