"""The three uses of zoNNscan in its paper, on classifiers that are trained here.

A. Jaouen and E. Le Merrer, zoNNscan, section 3: the index around an input as the radius grows;
around corner cases, on which three classifiers do not agree, and around ordinary inputs; around
the key of a watermark, in the marked and in the original classifier. Two distributions are compared
by the Kolmogorov-Smirnov test. Every input has one index, so that the values are independent.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from playout.errors import DataError
from playout.zonnscan.classifiers import CLASSIFIERS, classes_of, train_classifier, watermark
from playout.zonnscan.images import Images, load_images
from playout.zonnscan.zones import scan_radii, zonnscan

EPOCHS = {"digits": 40, "mnist": 12}
ORDINARY = 1000  # test inputs, at most
CORNER_RADIUS = 0.025
KEY_RADIUS = 0.05
DIGIT = 6  # whose surroundings are looked at
LEAST_P = 1e-300

Look = Callable[[], None]


class Trained:
    """The classifiers of one seed."""

    def __init__(self, data: str, seed: int, device: str, look: Look) -> None:
        from playout.learn.networks.torch_device import device_of

        self.seed = seed
        self.images: Images = load_images(data, seed)
        where = device_of(device)
        self.networks: dict[str, Any] = {}
        for name in CLASSIFIERS:
            look()
            self.networks[name] = train_classifier(
                name, self.images, epochs=EPOCHS[data], seed=seed, device=where
            )
        self.predicted = {
            name: classes_of(network, self.images.test) for name, network in self.networks.items()
        }
        self._marked: dict[str, tuple[Any, np.ndarray]] = {}

    def accuracy(self, name: str) -> float:
        """The share of the test images that a classifier gets right."""
        return float((self.predicted[name] == self.images.test_classes).mean())

    def corners(self) -> np.ndarray:
        """The test images on which the classifiers do not agree."""
        found = np.stack(list(self.predicted.values()))
        corners = self.images.test[(found != found[0]).any(axis=0)]
        if not len(corners):
            raise DataError("the classifiers agree on every test image: there is no corner case")
        return corners

    def ordinary(self) -> np.ndarray:
        """Random test images."""
        order = np.random.default_rng([self.seed, 17]).permutation(len(self.images.test))
        return self.images.test[order[:ORDINARY]]

    def marked(self, name: str) -> tuple[Any, np.ndarray]:
        """A watermarked classifier and its key."""
        if name not in self._marked:
            self._marked[name] = watermark(self.networks[name], self.images, seed=self.seed)
        return self._marked[name]

    def digit(self) -> np.ndarray:
        """The first test image of the digit that is looked at."""
        return self.images.test[np.flatnonzero(self.images.test_classes == DIGIT)[0]]


_last: dict[tuple[str, int, str], Trained] = {}


def trained_classifiers(data: str, seed: int, device: str, look: Look) -> Trained:
    """The classifiers of a seed; the last ones are kept, because several figures need them."""
    key = data, seed, device
    if key not in _last:
        made = Trained(data, seed, device, look)
        _last.clear()
        _last[key] = made
    return _last[key]


def measure(
    data: str,
    name: str,
    what: str,
    samples: int,
    seed: int,
    *,
    radius: float = 0.0,
    device: str = "auto",
    look: Look = lambda: None,
) -> float:
    """One figure of the experiments.

    `what` is `accuracy`, `index` (around a digit, at `radius`), `ordinary` or `corner` (the mean
    index), `corner-p` or `mark-p`: minus the decimal logarithm of the test's p.
    """
    trained = trained_classifiers(data, seed, device, look)
    network = trained.networks[name]

    def indices(model: Any, images: np.ndarray, around: float) -> np.ndarray:
        found = []
        for number, image in enumerate(images):
            look()
            scan = zonnscan(model, image, around, samples, batch=4096, seed=number)
            found.append(scan.index)
        return np.array(found)

    if what == "accuracy":
        return trained.accuracy(name)
    if what == "index":
        return scan_radii(network, trained.digit(), [radius], samples, batch=4096)[0].index
    if what in ("ordinary", "corner"):
        images = trained.ordinary() if what == "ordinary" else trained.corners()
        return float(indices(network, images, CORNER_RADIUS).mean())
    if what == "corner-p":
        some = indices(network, trained.ordinary(), CORNER_RADIUS)
        return surprise(some, indices(network, trained.corners(), CORNER_RADIUS))
    marked, key = trained.marked(name)
    return surprise(indices(network, key, KEY_RADIUS), indices(marked, key, KEY_RADIUS))


def surprise(some: np.ndarray, others: np.ndarray) -> float:
    """Minus the decimal logarithm of the Kolmogorov-Smirnov test's p for two samples."""
    from scipy.stats import ks_2samp

    return -math.log10(max(float(ks_2samp(some, others).pvalue), LEAST_P))
