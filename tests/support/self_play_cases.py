"""SameGame on a small board, and self-play without a network and with one."""

from __future__ import annotations

import pytest

from playout.learn.policy_iteration.policy_mcts import PolicyMCTS
from playout.learn.policy_iteration.policy_search import Noise
from playout.learn.policy_iteration.self_play import SelfPlay
from playout.problems import SameGame

torch = pytest.importorskip("torch")

from playout.learn.inference.evaluators import Evaluator  # noqa: E402

PROBLEM = SameGame.training(rows=4, columns=4, colours=2)


def uniform(simulations, at_once=16, threads=1):
    algorithm = PolicyMCTS(
        model="uniform", leaves=1, simulations=simulations, c_puct=5.0, revisit=True
    )
    return SelfPlay(PROBLEM, algorithm, at_once=at_once, threads=threads, noise=Noise(0.25, 0.75))


def guided(network, simulations, at_once=64, threads=1):
    algorithm = PolicyMCTS(
        model="-", leaves=1, simulations=simulations, c_puct=5.0, rollouts="policy", revisit=True
    )
    evaluator = Evaluator(network, "cpu")
    return SelfPlay(PROBLEM, algorithm, at_once=at_once, threads=threads, evaluator=evaluator)
