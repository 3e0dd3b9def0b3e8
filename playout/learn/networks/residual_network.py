"""A residual network with a policy and a value, as small games need it.

The network of the paper on MCTS by MCTS (Refining Monte Carlo Tree Search Agents by Monte Carlo
Tree Search, section 4.1): a 3x3 convolution, residual blocks of two 3x3 convolutions, then for the
policy and for the value each a 1x1 convolution of two filters and a linear layer; batch
normalisation throughout.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from torch import Tensor, nn
from torch.nn import functional

from playout.learn.networks.network_shape import Shape

HEAD = 2  # filters of each head


class ResidualNetwork(nn.Module):
    """Logits and values of planes."""

    kind = "residual"
    value = True

    def __init__(self, shape: Shape, *, filters: int = 32, blocks: int = 4) -> None:
        super().__init__()
        self.shape, self.filters, self.blocks = shape, filters, blocks
        self.stem = _convolution(shape.planes, filters, 3)
        self.body = nn.Sequential(*(_Block(filters) for _ in range(blocks)))
        cells = HEAD * shape.rows * shape.columns
        self.policy_plane = _convolution(filters, HEAD, 1)
        self.policy = nn.Linear(cells, shape.outputs, bias=False)
        self.value_plane = _convolution(filters, HEAD, 1)
        self.value_out = nn.Linear(cells, 1, bias=False)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Logits, and values from -1 to 1 for the player to move."""
        x = self.body(functional.relu(self.stem(planes)))
        logits = self.policy(functional.relu(self.policy_plane(x)).flatten(1))
        values = self.value_out(functional.relu(self.value_plane(x)).flatten(1))
        return logits, values.tanh().squeeze(1)

    def description(self) -> dict[str, Any]:
        """What `network_from` makes the same network from."""
        size = {"filters": self.filters, "blocks": self.blocks}
        return {"kind": self.kind, "shape": asdict(self.shape), **size}


class _Block(nn.Module):
    def __init__(self, filters: int) -> None:
        super().__init__()
        self.first, self.second = (_convolution(filters, filters, 3) for _ in range(2))

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(functional.relu(self.first(x))))


def _convolution(channels: int, filters: int, size: int) -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(channels, filters, size, padding=size // 2, bias=False), nn.BatchNorm2d(filters)
    )
