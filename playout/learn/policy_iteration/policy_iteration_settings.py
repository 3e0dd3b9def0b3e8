"""How a policy is trained: the settings of Algorithm 1, and presets.

A. Seify and M. Buro, Single-Agent Optimization Through Policy Iteration Using Monte-Carlo Tree
Search, Table 1 and the sections before it. The paper does not say how many simulations a move the
first generation has, only that they are more: here five times as many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from playout.learn.training_settings import QUICK, TrainingSettings
from playout.text.options import one_of, option


@dataclass(frozen=True, kw_only=True)
class PolicyIterationSettings(TrainingSettings):
    """Settings of policy iteration, named as in the paper where it names them."""

    generations: int = option(50, "how many generations", low=1)
    games: int = option(20_000, "games of a generation", low=1)
    first_games: int = option(0, "games of the first generation; 0: as of the others", low=0)
    simulations: int = option(100, "simulations a move", low=1)
    first_simulations: int = option(500, "simulations a move in the first generation", low=1)
    c_puct: float = option(30.0, "exploration constant", above=0)
    first_c_puct: float = option(0.0, "that of the first generation; 0: as the others'", low=0)
    alpha: float = option(0.75, "Dirichlet noise at the root: its parameter", above=0)
    epsilon: float = option(0.25, "Dirichlet noise at the root: its share", low=0, high=1)
    rollouts: str = one_of("how playouts go on", "policy", "random")
    temperature: float = option(1.0, "of the policy in playouts", above=0)
    commit: str = one_of(
        "the move that is played and learned: of the best playout, or by the mean", "best", "mean"
    )
    training_queue: int = option(1_500_000, "positions to learn from", low=2)
    validation_queue: int = option(150_000, "positions to validate with", low=1)
    validation: float = option(0.1, "share of each generation for validation", above=0, high=0.5)
    filters: int = option(64, "filters of each layer", low=1)
    batch: int = option(256, "positions of a mini-batch", low=1)
    learning_rate: float = option(5e-4, "of Adam", above=0)
    patience: int = option(3, "epochs without a lower validation loss before the end", low=1)
    epochs: int = option(100, "most epochs of a generation", low=1)
    exchange: bool = option(
        True, "show equal planes, such as colours, in random order, and mirror images"
    )
    average: float = option(
        0.0, "moving mean of the weights, of which a step leaves this share", low=0, high=0.9999
    )
    fresh: bool = option(True, "a fresh network each generation; false: go on with the last")
    cuda_graph: bool = option(True, "on a GPU, train with captured graphs, which is faster")
    at_once: int = option(0, "games played at once; 0: as many as suit the device", low=0)

    def games_of(self, generation: int) -> int:
        """How many games a generation has."""
        return (self.first_games if generation == 1 else 0) or self.games

    def simulations_of(self, generation: int) -> int:
        """The simulations a move of a generation."""
        return self.first_simulations if generation == 1 else self.simulations

    @classmethod
    def presets(cls) -> dict[str, Self]:
        """The paper's for three sizes of boards, and one for a laptop: minutes, not days."""
        queues: dict[str, Any] = {"training_queue": 20_000, "validation_queue": 2_000}
        network: dict[str, Any] = {"filters": 32, "batch": 64, "learning_rate": 1e-3, "epochs": 20}
        return {
            "7x7": cls(),
            "10x10": cls(**_playing(50, 10_000, 50, 250), c_puct=4.0, alpha=0.4),
            "15x15": cls(**_playing(66, 5_000, 25, 125), c_puct=2.0, alpha=0.25),
            QUICK: cls(**_playing(10, 300, 25, 200), c_puct=10.0, **queues, **network),
        }


def _playing(generations: int, games: int, simulations: int, first: int) -> dict[str, Any]:
    return {
        "generations": generations,
        "games": games,
        "simulations": simulations,
        "first_simulations": first,
    }
