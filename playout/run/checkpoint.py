"""Checkpoints: the arrays of a run on disk, with what they belong to.

A checkpoint is a NumPy archive (a zip of plain arrays, packed in a hurry, so that reading one
executes nothing) and a JSON text that names the problem, its code and data, the instance, the
algorithm with its options, the seed, the workers and the version. A run goes on only from a
checkpoint in which all of these agree with it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from playout._version import __version__
from playout.algorithms.algorithm import Algorithm
from playout.compiled import digest_of_class
from playout.contract import Game, Problem
from playout.errors import DataError, NotWrittenWarning, PlayoutError
from playout.text.array_files import read_large_arrays, write_large_arrays
from playout.text.json_text import is_natural

FORMAT = "playout-checkpoint-1"


class CheckpointError(PlayoutError):
    """A checkpoint that cannot be read, or belongs to another run."""


class CheckpointWarning(UserWarning):
    """A checkpoint that could not be written; the search goes on."""


class LastCheckpointWarning(CheckpointWarning, NotWrittenWarning):
    """The checkpoint of a run's end that could not be written; its result is there."""


@dataclass(frozen=True)
class Identity:
    """What a checkpoint belongs to."""

    problem: str
    instance: str
    data: str  # digest of the instance
    code: str  # digest of the problem's methods
    algorithm: str
    options: dict[str, Any]
    seed: int
    workers: int
    parallel: str
    version: str
    start: str = ""  # digest of the solution that it begins with
    best: int = 1

    @classmethod
    def of(
        cls,
        problem: Problem,
        instance: str,
        algorithm: Algorithm,
        seed: int,
        workers: int,
        parallel: str,
        saved: bool,
    ) -> Identity:
        """The identity of a run; only one that is `saved` needs digests, which take a while."""
        return cls(
            problem=type(problem).__name__,
            instance=instance,
            data=digest_of_instance(problem) if saved else "",
            code=digest_of_class(type(problem)) if saved else "",
            algorithm=algorithm.name,
            options=json.loads(json.dumps(algorithm.options())),
            seed=seed,
            workers=workers,
            parallel=parallel,
            version=__version__,
        )

    def difference(self, saved: dict[str, Any]) -> str | None:
        """In what a saved identity differs, for a person."""
        for name, mine in vars(self).items():
            theirs = saved.get(name, {"start": "", "best": 1}.get(name))
            if mine != theirs:
                if name == "data":
                    return f"the data of {self.problem} has changed since"
                if name == "code":
                    return f"the code of {self.problem} has changed since"
                return f"it is for {name} {_brief(theirs)}, this run has {_brief(mine)}"
        return None


def digest_of_instance(problem: Game) -> str:
    """A digest of everything that compiled code reads of a problem, and of its start."""
    h = hashlib.blake2b(digest_size=12)
    for name in type(problem).fields:
        value = np.asarray(getattr(problem, name))
        h.update(f"{name}{value.dtype}{value.shape}".encode() + value.tobytes())
    h.update(problem.root().tobytes())
    return h.hexdigest()


def write_checkpoint(
    path: Path,
    identity: Identity,
    state: dict[str, Any],
    searches: list[dict[str, np.ndarray]],
    packed: bool = True,
) -> None:
    """Write a checkpoint, whole or not at all; an older one stays until the new is complete."""
    header = {"format": FORMAT, "identity": vars(identity), "state": state}
    arrays = {
        f"{number}/{name}": array
        for number, arrays in enumerate(searches)
        for name, array in arrays.items()
    }
    text = np.frombuffer(json.dumps(header).encode(), np.uint8)
    write_large_arrays(path, {"header": text, **arrays}, packed)


class Restorable(Protocol):
    """Something that is made of arrays."""

    def arrays(self) -> dict[str, np.ndarray]: ...

    def restore(self, arrays: dict[str, np.ndarray]) -> None: ...


def read_checkpoint(
    path: Path, identity: Identity, searches: Sequence[Restorable]
) -> dict[str, Any]:
    """Put the arrays of a checkpoint into fresh searches; the driver's own state is returned."""
    with _telling_what_it_is_not(path):
        arrays = read_large_arrays(path, "a checkpoint")
        header = json.loads(arrays["header"].tobytes())
        if header["format"] != FORMAT:
            raise CheckpointError(f"{path} is not a checkpoint of this version of playout")
        difference = identity.difference(header["identity"])
        if difference:
            raise CheckpointError(f"{path} is not a checkpoint of this run: {difference}")
        for number, search in enumerate(searches):
            search.restore(
                {
                    name: _fitted(arrays[f"{number}/{name}"], array)
                    for name, array in search.arrays().items()
                }
            )
        return dict(header["state"])


def saved_seed(path: Path) -> int:
    """The seed of the run that a checkpoint is of."""
    with _telling_what_it_is_not(path):
        text = read_large_arrays(path, "a checkpoint", only="header")["header"]
        seed = json.loads(text.tobytes())["identity"]["seed"]
        if not is_natural(seed):
            raise ValueError
        return int(seed)


@contextmanager
def _telling_what_it_is_not(path: Path) -> Iterator[None]:
    """One line where a file is no checkpoint."""
    try:
        yield
    except DataError as error:
        raise CheckpointError(str(error)) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, MemoryError):
        raise CheckpointError(f"{path} is damaged, or not a checkpoint") from None


@contextmanager
def telling_damage(path: Path) -> Iterator[None]:
    """One line where what was read from a checkpoint cannot be right."""
    try:
        yield
    except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        raise CheckpointError(f"{path} is damaged: {error}") from None


def _fitted(saved: np.ndarray, fresh: np.ndarray) -> np.ndarray:
    """A saved array in the type of the fresh one; ValueError if it cannot be that array.

    Arrays may have grown, never shrunk, and never changed the number of dimensions.
    """
    if saved.ndim != fresh.ndim or saved.dtype.itemsize != fresh.dtype.itemsize:
        raise ValueError("another kind of array")
    if any(a < b for a, b in zip(saved.shape, fresh.shape, strict=True)):
        raise ValueError("a smaller array")
    return np.ascontiguousarray(saved).view(fresh.dtype)


def _brief(value: Any) -> str:
    if isinstance(value, dict):
        return "(" + ", ".join(f"{k}={v}" for k, v in value.items()) + ")"
    return "none" if value in (None, "") else str(value)
