"""Training one network: Adam on the cross-entropy, ended early by the validation loss.

The positions lie on the device. On a GPU the network computes in `bfloat16`, a step as one graph.
Each position is shown as it is or as its mirror image, by a coin; equal planes in random order.
What is validated and kept is the mean of the weights over the last steps, if one is wanted.
After each epoch all that the training knows can be written to a file, and training goes on from
there. Ctrl-C ends it between two batches: the epoch is begun anew when it goes on.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from playout.errors import DataError
from playout.learn.captured_step import CapturedStep
from playout.learn.policy_iteration.policy_iteration_settings import PolicyIterationSettings
from playout.learn.policy_iteration.position_queues import Positions

VALIDATION_BATCH = 8192


@dataclass
class FitProgress:
    """How far the training of a network is."""

    epoch: int = 0
    waited: int = 0  # epochs since the validation loss was lowest
    lowest: float = float("inf")
    losses: list[list[float]] = field(default_factory=list)  # training and validation, by epoch


class Fit:
    """The training of one network on positions."""

    def __init__(
        self,
        network: Any,
        data: Positions,
        settings: PolicyIterationSettings,
        seed: int,
        equal_planes: tuple[int, int] = (0, 0),
    ) -> None:
        self._planes, self._targets = data.planes, data.targets
        self._training, self._validation = data.training, data.validation
        self._image = len(data) if data.images > 1 and settings.exchange else 0
        self._device = self._planes.device
        self._settings = settings
        self._seed = seed
        self.progress = FitProgress()
        self.network = network.to(self._device, memory_format=torch.channels_last)
        self.mean = copy.deepcopy(self.network) if settings.average > 0 else self.network
        self.best = copy.deepcopy(self.mean.state_dict())
        self._on_gpu = self._device.type == "cuda"
        self._batch = min(settings.batch, len(self._training))
        self._optimiser = torch.optim.Adam(
            self.network.parameters(), settings.learning_rate, capturable=self._on_gpu
        )
        self._total = torch.zeros((), device=self._device)
        self._rows = torch.zeros(self._batch, dtype=torch.int64, device=self._device)
        self._equal = equal_planes if settings.exchange else (0, 0)
        self._orders = torch.zeros(
            (self._batch, self._planes.shape[1]), dtype=torch.int64, device=self._device
        )
        self._step = CapturedStep(
            self._compute, self._optimiser.zero_grad, self._on_gpu and settings.cuda_graph
        )

    def run(
        self,
        after_epoch: Callable[[Fit], bool] | None = None,
        interrupted: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Train to the end; False if `after_epoch` said stop before it, or it is `interrupted`.

        That is looked at after each batch, and leaves weights of no epoch.
        """
        progress = self.progress
        while not self.is_over():
            rng = np.random.default_rng([self._seed, progress.epoch])
            training = self._epoch(rng, interrupted)
            validation = None if training is None else self._validate(interrupted)
            if training is None or validation is None:
                return False
            progress.epoch += 1
            progress.losses.append([training, validation])
            progress.waited += 1
            if validation < progress.lowest:
                progress.lowest, progress.waited = validation, 0
                self.best = copy.deepcopy(self.mean.state_dict())
            if after_epoch is not None and after_epoch(self) and not self.is_over():
                return False
        self.network.load_state_dict(self.best)
        return True

    def is_over(self) -> bool:
        """Whether the validation loss has not been lower for long enough."""
        progress, settings = self.progress, self._settings
        return progress.waited >= settings.patience or progress.epoch >= settings.epochs

    # one step

    def _epoch(self, rng: np.random.Generator, interrupted: Callable[[], bool]) -> float | None:
        """Show every position once; the mean loss, or None if interrupted."""
        self.network.train()
        order = torch.from_numpy(rng.permutation(len(self._training))).to(self._device)
        order = self._training[order]
        if self._image:
            coins = torch.from_numpy(rng.integers(0, 2, len(order))).to(self._device)
            order = order + self._image * coins
        self._total.zero_()
        steps = len(order) // self._batch
        orders = torch.from_numpy(self._plane_orders(rng, len(order))).to(self._device)
        for i in range(steps):
            some = slice(i * self._batch, (i + 1) * self._batch)
            self._rows.copy_(order[some])
            self._orders.copy_(orders[some])
            self._step()
            if interrupted():
                return None
        return float(self._total) / steps

    def _plane_orders(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """An order of the planes for each position, with equal ones shuffled."""
        orders = np.tile(np.arange(self._planes.shape[1]), (n, 1))
        first, last = self._equal
        orders[:, first:last] = rng.permuted(orders[:, first:last], axis=1)
        return orders

    def _compute(self) -> None:
        self._optimiser.zero_grad(set_to_none=True)
        loss = self._loss(self.network, self._rows, self._orders)
        loss.backward()
        self._optimiser.step()
        self._total += loss.detach()
        if self.mean is not self.network:
            with torch.no_grad():
                means, weights = (list(n.parameters()) for n in (self.mean, self.network))
                torch._foreach_lerp_(means, weights, 1.0 - self._settings.average)

    def _loss(self, network: Any, rows: Any, orders: Any = None, reduction: str = "mean") -> Any:
        planes = self._planes[rows] if orders is None else self._planes[rows[:, None], orders]
        planes = planes.float().contiguous(memory_format=torch.channels_last)
        with torch.autocast(
            self._device.type, torch.bfloat16, enabled=self._on_gpu, cache_enabled=False
        ):
            logits = network(planes)
        return functional.cross_entropy(logits.float(), self._targets[rows], reduction=reduction)

    def _validate(self, interrupted: Callable[[], bool]) -> float | None:
        """The mean loss of the positions that are not shown, or None if interrupted."""
        self.mean.eval()
        total = torch.zeros((), device=self._device)
        with torch.no_grad():
            for i in range(0, len(self._validation), VALIDATION_BATCH):
                rows = self._validation[i : i + VALIDATION_BATCH]
                total += self._loss(self.mean, rows, reduction="sum")
                if interrupted():
                    return None
        return float(total) / len(self._validation)

    # what goes to a file

    def tensors(self) -> dict[str, Any]:
        """All that the training knows besides `progress`, as tensors on the CPU."""
        found = {f"network.{k}": v for k, v in self.network.state_dict().items()}
        if self.mean is not self.network:
            found |= {f"mean.{k}": v for k, v in self.mean.state_dict().items()}
        found |= {f"best.{k}": v for k, v in self.best.items()}
        for number, state in self._optimiser.state_dict()["state"].items():
            found |= {f"adam.{number}.{k}": v for k, v in state.items()}
        return {k: v.detach().to("cpu", copy=True).contiguous() for k, v in found.items()}

    def restore(self, tensors: dict[str, Any], progress: FitProgress) -> None:
        """Go on from what `tensors` and `progress` were."""
        parts: dict[str, dict[str, Any]] = {"network": {}, "mean": {}, "best": {}, "adam": {}}
        try:
            for name, value in tensors.items():
                part, _, rest = name.partition(".")
                parts[part][rest] = value
            self.network.load_state_dict(parts["network"])
            if self.mean is not self.network:
                self.mean.load_state_dict(parts["mean"])
            self.best = {k: v.to(self._device) for k, v in parts["best"].items()}
            state: dict[int, dict[str, Any]] = {}
            for name, value in parts["adam"].items():
                number, _, key = name.partition(".")
                state.setdefault(int(number), {})[key] = value
            groups = self._optimiser.state_dict()["param_groups"]
            self._optimiser.load_state_dict({"state": state, "param_groups": groups})
        except (KeyError, ValueError, RuntimeError):
            raise DataError("the state of the training is damaged") from None
        self.progress = progress
