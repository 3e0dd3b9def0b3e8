"""Policy-MCTS by its options: a tree search for one player, guided by a policy.

A. Seify and M. Buro, Single-Agent Optimization Through Policy Iteration Using Monte-Carlo Tree
Search. `policy_search.py` is the search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from playout.algorithms.algorithm import Algorithm
from playout.algorithms.polish import Polishing, with_mixins
from playout.contract import Problem
from playout.learn.policy_iteration.policy_search import COUNTERS, PolicySearch
from playout.text.options import one_of, option

UNIFORM = "uniform"  # the name of the policy that is none


@dataclass(frozen=True, kw_only=True)
class PolicyMCTS(Algorithm):
    """Tree search for one player, guided by a trained policy.

    `commit="best"` plays the move of the best playout of the game so far, `"mean"` the move with
    the highest mean score. With `tree="move"` the playouts left are shared out evenly over the
    moves that the game still has, unless `simulations` fixes the share. When the game is over,
    another begins from the start.

    It counts `expansions`, nodes of a tree that were given their moves or found to have none, and
    `leaf_expansions`, the latter alone: ends of the game, the first time that each is come to.

    Examples
    --------
    >>> import playout as po
    >>> board = po.problems.SameGame.random(1, rows=5, columns=5)
    >>> result = po.solve(board, po.PolicyMCTS(model="uniform"), po.Playouts(200), seed=1)
    >>> result.verified
    True
    """

    name: ClassVar[str] = "policy-mcts"
    counters: ClassVar[tuple[str, ...]] = COUNTERS

    model: str = option(
        "", "a model file; empty: the package's own for this problem and size; uniform: no policy"
    )
    c_puct: float = option(0.0, "exploration constant; 0: the model's own", low=0)
    rollouts: str = one_of("how playouts go on below the tree", "random", "policy")
    temperature: float = option(
        0.0, "of policy rollouts: the lower, the more often likely moves; 0: as in training", low=0
    )
    virtual_loss: float = option(0.01, "weight of the virtual loss", low=0)
    leaves: int = option(
        0,
        "playouts at once in one tree; 0: 32 with a model on a GPU, 8 on a CPU, 1 without",
        low=0,
        high=65536,
    )
    value: str = one_of("the value of a move in the tree", "mean", "max")
    commit: str = one_of("the move that is committed", "best", "mean")
    tree: str = one_of("commit to moves one by one, or one tree for the whole game", "move", "game")
    revisit: bool = option(
        False, "whether playouts go where all games have been played already, as the paper's do"
    )
    simulations: int = option(0, "playouts before a move is committed; 0: share the budget", low=0)
    nodes: int = option(200_000, "most nodes of a tree; a full tree grows no further", low=1)
    device: str = option("auto", "where the network computes: auto, cpu, cuda, onnx")

    def start(self, problem: Problem, seed: int) -> PolicySearch:
        parts: list[type] = [Polishing] if self.polish else []
        if self.model == UNIFORM:
            search: PolicySearch = with_mixins(PolicySearch, problem, *parts)(problem, self, seed)
            return search
        from playout.learn.networks.torch_device import need_torch

        need_torch()
        from playout.learn.policy_iteration.predictions import predicting_search

        return predicting_search(problem, self, seed, parts)
