"""How AlphaZero and MbM are trained: settings, and presets.

The defaults are those of section 4.1 of Refining Monte Carlo Tree Search Agents by Monte Carlo Tree
Search, with what the section leaves open as in its published program: 100 simulations a move,
losses summed over a mini-batch, and as many mini-batches an epoch as make `loops` draws of every
episode so far. `most_steps` bounds these, because they grow with the square of the epochs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from playout.learn.training_settings import QUICK, TrainingSettings
from playout.text.options import one_of, option

METHODS = ("alphazero", "mbm")
RIVALS = RANDOM, PERFECT = "random", "perfect"  # whom a network is measured against


@dataclass(frozen=True, kw_only=True)
class AlphaZeroSettings(TrainingSettings):
    """Settings of a training by self-play of two players."""

    method: str = one_of(
        "how games are begun: by chance alone, or by the master game tree", *METHODS
    )
    master: str = one_of(
        "mbm: priors in the master tree with noise, as they are, or relaxed",
        "noise",
        "none",
        "relaxed",
    )
    epochs: int = option(200, "how many epochs", low=1)
    games: int = option(100, "games of an epoch", low=1)
    simulations: int = option(100, "simulations a move", low=1)
    c_puct: float = option(2.0, "exploration constant C", low=0)
    alpha: float = option(0.1, "Dirichlet noise: its parameter", above=0)
    epsilon: float = option(0.25, "Dirichlet noise: its share", low=0, high=1)
    temperature: float = option(1.2, "of the visits, at a game's first move", above=0)
    decay: float = option(0.8, "of the temperature, each move", above=0, high=1)
    filters: int = option(32, "filters of each layer", low=1)
    blocks: int = option(4, "residual blocks", low=0)
    batch: int = option(32, "positions of a mini-batch", low=1)
    loops: int = option(50, "draws of every episode so far, each epoch", low=1)
    most_steps: int = option(0, "most mini-batches of an epoch; 0: no bound", low=0)
    learning_rate: float = option(1e-3, "of SGD", above=0)
    momentum: float = option(0.75, "of SGD", low=0, high=0.9999)
    weight_decay: float = option(1e-4, "of SGD", low=0)
    at_once: int = option(
        0, "games played at once; 0: all with alphazero, one after another with mbm", low=0
    )

    def steps(self, episodes: int) -> int:
        """Mini-batches of an epoch when there are so many episodes."""
        n = max(1, -(-self.loops * episodes // self.batch))
        return min(n, self.most_steps) if self.most_steps else n

    def together(self) -> int:
        """Games that are played at once."""
        return min(self.at_once or (1 if self.method == "mbm" else self.games), self.games)

    @classmethod
    def presets(cls) -> dict[str, Self]:
        """The paper's, the same with a bound on its 3,140,625 mini-batches, and a quick one."""
        return {
            "paper": cls(),
            "bounded": cls(most_steps=300),
            QUICK: cls(epochs=30, most_steps=150, blocks=2),
        }
