"""The networks: a policy, or a policy and a value, over planes of any board size.

The body and the policy are those of A. Seify and M. Buro, Single-Agent Optimization Through Policy
Iteration Using Monte-Carlo Tree Search (Policy Network Architecture): the planes, padded by 1 on
all four sides, go through 13 convolutions of 64 filters with ELU; layers 11 and 13 have kernels of
1x1, the others of 3x3; layers 1 to 8 and 12 keep the size, 9 and 10 take the padding and one more
cell off each side. A linear layer over all that is left gives one logit for each output. Games have
a value besides, from the same body.

    network = new_network(shape_of(problem))               # logits
    network = new_network(shape_of(game), value=True)      # logits, values in [-1, 1]
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import torch
from torch import Tensor, nn

from playout.errors import DataError
from playout.learn.networks.network_shape import Shape
from playout.learn.networks.residual_network import ResidualNetwork

LAYERS = 13
SMALL = (11, 13)  # layers with kernels of 1x1
UNPADDED = (9, 10)
VALUE_HIDDEN = 64
LARGEST = 10_000  # filters or blocks of a network in a file


class PolicyNetwork(nn.Module):
    """Thirteen convolutions and a linear layer: logits, and values if there is a head for them."""

    kind = "policy13"

    def __init__(self, shape: Shape, *, filters: int = 64, value: bool = False) -> None:
        super().__init__()
        self.shape = shape
        self.filters = filters
        self.value = value
        rows, columns = shape.rows + 2, shape.columns + 2
        layers: list[nn.Module] = [nn.ZeroPad2d(1)]
        channels = shape.planes
        for number in range(1, LAYERS + 1):
            size = 1 if number in SMALL else 3
            padding = [0, 0] if size == 1 else [1, 1]
            if number in UNPADDED:
                # a board of one or two rows or columns has nothing to spare
                padding = [int(rows < 3), int(columns < 3)]
                rows, columns = rows - 2 + 2 * padding[0], columns - 2 + 2 * padding[1]
            layers += [nn.Conv2d(channels, filters, size, padding=tuple(padding)), nn.ELU()]
            channels = filters
        self.body = nn.Sequential(*layers)
        features = filters * rows * columns
        self.policy = nn.Linear(features, shape.outputs)
        if value:
            self.value_head = nn.Sequential(
                nn.Linear(features, VALUE_HIDDEN), nn.ELU(), nn.Linear(VALUE_HIDDEN, 1), nn.Tanh()
            )
        self._initialise()

    def _initialise(self) -> None:
        """Weights that keep the size of what passes through, and a first policy near uniform."""
        for module in self.modules():
            if isinstance(module, nn.Conv2d | nn.Linear):
                nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
                nn.init.zeros_(module.bias)
        with torch.no_grad():
            self.policy.weight.mul_(0.1)

    def forward(self, planes: Tensor) -> Any:
        """Logits for planes of shape (batch, planes, rows, columns); with values, a pair."""
        features = self.body(planes).flatten(1)
        logits = self.policy(features)
        return (logits, self.value_head(features).squeeze(1)) if self.value else logits

    def description(self) -> dict[str, Any]:
        """What `network_from` makes the same network from."""
        size = {"filters": self.filters, "value": self.value}
        return {"kind": self.kind, "shape": asdict(self.shape), **size}


NETWORKS: dict[str, Any] = {cls.kind: cls for cls in (PolicyNetwork, ResidualNetwork)}


def new_network(shape: Shape, *, seed: int = 0, filters: int = 64, value: bool = False) -> Any:
    """A network with random weights, the same for the same seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return PolicyNetwork(shape, filters=filters, value=value)


def network_from(description: dict[str, Any]) -> Any:
    """The network that a description is of, its weights to be set."""
    try:
        cls = NETWORKS[description["kind"]]
        settings = {k: v for k, v in description.items() if k not in ("kind", "shape")}
        if not all(0 <= number <= LARGEST for number in settings.values()):
            raise ValueError
        return cls(Shape(**description["shape"]), **settings)
    except (KeyError, TypeError, ValueError, RuntimeError, AttributeError, OverflowError):
        raise DataError("the network is of a kind that this version does not know") from None
