"""PB-MCTS: at every node two moves are simulated, and which of them is better is all that counts.

The two are chosen by relative upper confidence bounds (RUCB). Each is simulated in the same way
where its node exists already, so that a simulation is a binary tree; it is walked with a stack of
states in place of recursion. The second of the two has luck of its own.

- T. Joppen, C. Wirth and J. Fuernkranz, Preference-based Monte Carlo tree search, KI 2018;
- M. Zoghi, S. Whiteson, R. Munos and M. de Rijke, Relative upper confidence bound for the K-armed
  dueling bandit problem, ICML 2014.

The bound is u(a, b) = w(a, b) / m + sqrt(alpha ln t / m) of m comparisons, w of which a has won, a
tie for half; x / 0 = 1. alpha is 8 C^2: then the second term is the 2 C sqrt(2 ln t / m) of the
other searches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from playout.contract import Game
from playout.gametree import PLAYOUT_POLICIES, WORLD_SEARCHES
from playout.gametree.parts import PlayoutPolicy
from playout.gametree.search_result import MoveStatistics
from playout.gametree.tree_search import as_part, parts_from_text
from playout.stop import Progress, Stop
from playout.text.grammar import named_text, parse_named
from playout.text.options import Options, one_of, option
from playout.worlds.arrays import GROWN, N, WorldTree
from playout.worlds.preference_pairs import compare_pairs, pair
from playout.worlds.root_worlds import find_edge
from playout.worlds.world_search import OverWorlds
from playout.worlds.world_session import NO_LIMIT, WorldSession, WorldTeam


@dataclass(frozen=True, kw_only=True)
class PreferenceOptions(Options):
    """The options of PB-MCTS."""

    name: ClassVar[str] = "preference"
    keep: ClassVar[bool] = False  # its pairs say nothing of the moves that were played

    C: float = option(1.25, "how much moves are explored: alpha of RUCB is 8 C^2", low=0)
    returned: str = one_of(
        "which of the two simulations of a node counts above it", "better", "random"
    )
    length: int = option(0, "most moves of a playout; 0: to the end of the game", low=0)
    horizon: int = option(
        0, "most moves of a simulation, in the tree and its playout; 0: no limit", low=0
    )
    nodes: int = option(1_000_000, "most nodes; a full tree grows no further", low=2)


class PreferenceSearch(OverWorlds):
    """PB-MCTS: compares two simulations at every node.

    Examples
    --------
    >>> PreferenceSearch(C=0.5, length=5).text
    'preference:C=0.5,length=5'
    """

    def __init__(self, playout: PlayoutPolicy | str = "uniform", **options: Any) -> None:
        self.playout = as_part(playout, PLAYOUT_POLICIES, PlayoutPolicy, "Uniform()")
        self.options = PreferenceOptions(**options)
        given: dict[str, Any] = {}
        if playout != "uniform":
            given = {"playout": self.playout.name, **self.playout.given}
        given |= {key: getattr(self.options, key) for key in options}
        self.text = named_text("preference", given)

    @classmethod
    def parse(cls, text: str) -> PreferenceSearch:
        """A search from NAME[:OPTION=VALUE,...]."""
        named = parse_named(text, WORLD_SEARCHES)
        given = dict(named.options)
        classes = {"playout": PLAYOUT_POLICIES.find(given.pop("playout", "uniform"))}
        parts, options = parts_from_text(text, classes, PreferenceOptions, given)
        search = cls(**parts, **options)
        search.text = named.text
        return search

    def session(self, game: Game, **settings: Any) -> PreferenceSession:
        return PreferenceSession(game, self, **settings)


class PreferenceTree(WorldTree):
    """The arrays of PB-MCTS: those of a tree over worlds and a stack.

    `frames`: the nodes on the way, by the columns named above; `stack`: the state of each, and
    the one behind the last; `stack_moves`: the two moves; `first_reached`: what the first of the
    two simulations has come to.
    """

    fields = (*WorldTree.fields, "frames", "stack", "stack_moves", "first_reached")
    grown = (*GROWN, ("frames", "stack", "stack_moves", "first_reached"))

    def __init__(self, game: Game, nodes: int) -> None:
        super().__init__(game, 1, nodes)
        self.frames = np.zeros((8, 5), np.int64)
        self.stack = game.new_states(8)
        self.stack_moves = np.zeros((8, 2), game.move_type)
        self.first_reached = np.zeros((8, game.players), game.outcome_type)


class PreferenceTeam(WorldTeam):
    """The workers of PB-MCTS."""

    most_playouts = NO_LIMIT

    def new_tree(self, nodes: int) -> WorldTree:
        return PreferenceTree(self.game, nodes)

    def begin(self, search: int, seed: int, stop: Stop) -> None:
        super().begin(search, seed, stop)
        left = stop.playouts_left(Progress(0.0, 0, 0.0, 0, 0, 0.0))
        self.most_playouts = int(min(left, NO_LIMIT))

    def step(self, worker: int, goal: int, calls: int) -> int:
        kernel = compare_pairs if self.compiled else compare_pairs.py_func
        options = self.algorithm.options
        alpha, better = 8.0 * options.C * options.C, options.returned == "better"
        limits = np.array([goal, self.share(worker, self.most_playouts), calls])
        parts = self.trees[worker], self.game, self.playouts[worker]
        return int(kernel(*parts, alpha, better, limits))


class PreferenceSession(WorldSession):
    """PB-MCTS at work on a game."""

    team_class = PreferenceTeam

    def figures(self, position: np.ndarray) -> list[MoveStatistics]:
        """Visits of each legal move, and the share of the others against which it has won more."""
        game, rows = self.game, []
        legal = game.legal_moves(position[0])
        for move in legal:
            visits, points = 0, 0.0
            for rival in legal:
                won, lost = 0, 0
                for tree in self.team.trees:
                    a, b = (_root_edge(tree, game, position, one) for one in (move, rival))
                    if a is not None and b is not None and a != b:
                        won += pair(tree, int(tree.roots[0]), a, b)
                        lost += pair(tree, int(tree.roots[0]), b, a)
                points += 0.5 * (1 + np.sign(won - lost)) if won + lost else 0.0
            for tree in self.team.trees:
                edge = _root_edge(tree, game, position, move)
                visits += int(tree.edges[edge, N]) if edge is not None else 0
            value = points / max(1, len(legal) - 1)
            text = game.move_text(position[0], move)
            rows.append(MoveStatistics(text, visits, value, None, move))
        return rows

    def preference(self, row: MoveStatistics) -> tuple[float, float]:
        """The highest Copeland sum, then the most visits."""
        return row.value, row.visits


def _root_edge(tree: WorldTree, game: Game, position: np.ndarray, move: Any) -> int | None:
    return find_edge(tree, game, position, move, int(tree.roots[0]))
