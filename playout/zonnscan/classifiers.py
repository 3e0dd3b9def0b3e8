"""Three classifiers of small images, as A. Jaouen and E. Le Merrer's zoNNscan had them, and a mark.

They are those of the Keras examples: a multi-layer perceptron, a convolutional network, and a
recurrent network that starts as the identity (Q. Le, N. Jaitly and G. Hinton, 2015), which reads an
image line by line. `watermark` is the frontier stitching of E. Le Merrer, P. Perez and G. Tredan
(2020): a network is trained on until it classifies a key of slightly changed images, half of which
it got wrong, as their originals.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from playout.errors import DataError
from playout.zonnscan.images import Images

KEY = 100  # images of a watermark's key
STEPS = 100  # most steps of marking
STRENGTHS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)


class Recurrent(nn.Module):
    """A recurrent network of ReLUs whose state stays as it is at first."""

    def __init__(self, columns: int, classes: int, hidden: int = 100) -> None:
        super().__init__()
        self.cells = nn.RNN(columns, hidden, nonlinearity="relu", batch_first=True)
        nn.init.normal_(self.cells.weight_ih_l0, std=0.1)
        nn.init.eye_(self.cells.weight_hh_l0)
        nn.init.zeros_(self.cells.bias_ih_l0)
        nn.init.zeros_(self.cells.bias_hh_l0)
        self.out = nn.Linear(hidden, classes)

    def forward(self, images: Tensor) -> Tensor:
        found: Tensor = self.out(self.cells(images)[0][:, -1])
        return found


def _perceptron(rows: int, columns: int, classes: int) -> nn.Module:
    return nn.Sequential(
        *(nn.Flatten(), nn.Linear(rows * columns, 512), nn.ReLU(), nn.Dropout(0.2)),
        *(nn.Linear(512, 512), nn.ReLU(), nn.Dropout(0.2), nn.Linear(512, classes)),
    )


def _convolutional(rows: int, columns: int, classes: int) -> nn.Module:
    left = 64 * ((rows - 4) // 2) * ((columns - 4) // 2)
    return nn.Sequential(
        *(nn.Unflatten(1, (1, rows)), nn.Conv2d(1, 32, 3), nn.ReLU(), nn.Conv2d(32, 64, 3)),
        *(nn.ReLU(), nn.MaxPool2d(2), nn.Dropout(0.25), nn.Flatten(), nn.Linear(left, 128)),
        *(nn.ReLU(), nn.Dropout(0.5), nn.Linear(128, classes)),
    )


def _recurrent(rows: int, columns: int, classes: int) -> nn.Module:
    return Recurrent(columns, classes)


CLASSIFIERS = {"mlp": _perceptron, "cnn": _convolutional, "irnn": _recurrent}


def new_classifier(name: str, images: Images, seed: int) -> nn.Module:
    """A classifier with random weights for images of this size."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        _, rows, columns = images.train.shape
        return CLASSIFIERS[name](rows, columns, images.classes)


def train_classifier(
    name: str, images: Images, *, epochs: int, seed: int, device: Any = "cpu", batch: int = 128
) -> nn.Module:
    """A trained classifier: Adam on the cross-entropy."""
    network = new_classifier(name, images, seed).to(device)
    x = torch.from_numpy(images.train).to(device)
    y = torch.from_numpy(images.train_classes).to(device)
    optimiser = torch.optim.Adam(network.parameters(), 1e-3)
    rng = np.random.default_rng([seed, 11])
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)  # of the dropout
        network.train()
        for _ in range(epochs):
            order = torch.from_numpy(rng.permutation(len(x))).to(device)
            for first in range(0, len(x), batch):
                rows = order[first : first + batch]
                _step(network, optimiser, x[rows], y[rows])
    return network.eval()


def classes_of(network: nn.Module, images: np.ndarray, batch: int = 4096) -> np.ndarray:
    """The classes that a network takes images for."""
    device = next(network.parameters()).device
    found = []
    with torch.inference_mode():
        for first in range(0, len(images), batch):
            part = torch.from_numpy(np.ascontiguousarray(images[first : first + batch]))
            found.append(network(part.to(device)).argmax(1).cpu().numpy())
    return np.concatenate(found)


def watermark(
    network: nn.Module, images: Images, *, size: int = KEY, seed: int = 0
) -> tuple[nn.Module, np.ndarray]:
    """A marked copy of a network, and its key.

    Half of the key's images deceive the network (adversarial examples by the sign of the gradient,
    I. Goodfellow et al., 2015), the others do not though they are changed as much.
    """
    key, classes = _key(network, images, size, seed)
    marked = copy.deepcopy(network)
    optimiser = torch.optim.Adam(marked.parameters(), 1e-3)
    device = next(network.parameters()).device
    x, y = torch.from_numpy(key).to(device), torch.from_numpy(classes).to(device)
    for _ in range(STEPS):
        if (classes_of(marked, key) == classes).all():
            break
        _step(marked, optimiser, x, y)
    return marked.eval(), key


def _key(network: nn.Module, images: Images, size: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    right = np.flatnonzero(classes_of(network, images.test) == images.test_classes)
    right = np.random.default_rng([seed, 13]).permutation(right)
    x, y = images.test[right], images.test_classes[right]
    device = next(network.parameters()).device
    inputs = torch.from_numpy(x).to(device).requires_grad_()
    # cuDNN trains recurrent cells in training mode alone
    with torch.backends.cudnn.flags(enabled=False):
        loss = functional.cross_entropy(network(inputs), torch.from_numpy(y).to(device))
        (gradient,) = torch.autograd.grad(loss, inputs)
    signs = gradient.sign().cpu().numpy()
    for strength in STRENGTHS:
        changed = np.clip(x + strength * signs, 0, 1).astype(np.float32)
        deceived = classes_of(network, changed) != y
        true, false = np.flatnonzero(deceived), np.flatnonzero(~deceived)
        if len(true) >= size // 2 and len(false) >= size - size // 2:
            rows = np.concatenate([true[: size // 2], false[: size - size // 2]])
            return changed[rows], y[rows]
    raise DataError(
        f"no key of {size} images for a watermark: too few of {len(x)} test images deceive the "
        "network, or too many"
    )


def _step(network: nn.Module, optimiser: Any, x: Tensor, y: Tensor) -> None:
    optimiser.zero_grad(set_to_none=True)
    functional.cross_entropy(network(x), y).backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimiser.step()
