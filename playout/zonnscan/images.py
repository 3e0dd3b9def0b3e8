"""Small labelled images to learn from: scikit-learn's digits, and MNIST in the data folder.

MNIST is the four IDX files of Y. LeCun, C. Cortes and C. Burges in the folder `mnist` of the data
folder, packed or not. An image is an array of numbers from 0 to 1.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from playout.errors import DataError, OptionError, nearest
from playout.learn.networks.torch_device import LearnError
from playout.text.input_files import read_bytes, unpacked

MOST_BYTES = 1 << 28  # of an IDX file when it is unpacked; MNIST has 47 million
MOST_DIMENSIONS = 16
TESTED = 0.3  # share of the digits that is kept for tests

IDX_TYPES = {8: "u1", 9: "i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}


@dataclass(frozen=True)
class Images:
    """Images and their classes, from 0: to train with, and to test with."""

    name: str
    train: np.ndarray
    train_classes: np.ndarray
    test: np.ndarray
    test_classes: np.ndarray

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return int(self.train_classes.max()) + 1


def load_images(name: str, seed: int = 0) -> Images:
    """Images by name; the seed says which of the digits are for tests."""
    if name not in SOURCES:
        raise OptionError(f"there are no images {name!r}; {nearest(name, SOURCES)}")
    return SOURCES[name](seed)


def _digits(seed: int) -> Images:
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        raise LearnError(
            "the digits come with scikit-learn: pip install 'playout[digits]'"
        ) from None
    data = load_digits()
    images = (data.images / 16.0).astype(np.float32)
    classes = data.target.astype(np.int64)
    order = np.random.default_rng([seed, 7]).permutation(len(images))
    cut = round(TESTED * len(images))
    test, train = order[:cut], order[cut:]
    return Images("digits", images[train], classes[train], images[test], classes[test])


def _mnist(seed: int) -> Images:
    arrays = []
    for part in ("train", "t10k"):
        for what in ("images-idx3-ubyte", "labels-idx1-ubyte"):
            arrays.append(read_idx(_mnist_file(f"{part}-{what}")))
    train, train_classes, test, test_classes = arrays
    if len(train) != len(train_classes) or len(test) != len(test_classes):
        raise DataError("the MNIST files do not belong together: images and labels differ")
    train, test = ((part / 255).astype(np.float32) for part in (train, test))
    train_classes, test_classes = (part.astype(np.int64) for part in (train_classes, test_classes))
    return Images("mnist", train, train_classes, test, test_classes)


def _mnist_file(name: str) -> Path:
    folder = os.environ.get("PLAYOUT_DATA")
    if not folder:
        raise DataError(
            "MNIST is not in the package: set PLAYOUT_DATA to a data folder that has its four "
            "IDX files in a folder mnist"
        )
    base = Path(folder) / "mnist"
    for path in (base / name, base / f"{name}.gz"):
        if path.is_file():
            return path
    raise DataError(f"there is no {base / name}, packed or not: put MNIST's four IDX files there")


SOURCES = {"digits": _digits, "mnist": _mnist}


def read_idx(path: str | Path) -> np.ndarray:
    """The array in an IDX file, packed with gzip or not."""
    try:
        content = read_bytes(path, MOST_BYTES)
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror or error}") from None
    if content[:2] == b"\x1f\x8b":
        content = unpacked(content, str(path), MOST_BYTES)
    if len(content) < 4 or content[:2] != b"\0\0" or content[2] not in IDX_TYPES:
        raise DataError(f"{path} is not an IDX file")
    dtype, dimensions = np.dtype(IDX_TYPES[content[2]]), content[3]
    start = 4 + 4 * dimensions
    if dimensions > MOST_DIMENSIONS or len(content) < start:
        raise DataError(f"{path} is damaged: it is not as long as it says")
    shape = tuple(int(n) for n in np.frombuffer(content[4:start], ">u4"))
    if len(content) != start + math.prod(shape) * dtype.itemsize:
        raise DataError(f"{path} is damaged: it is not as long as it says")
    return np.frombuffer(content, dtype, offset=start).reshape(shape)
