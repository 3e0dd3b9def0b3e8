"""Episodes as a network learns from them: positions, policies of searches, results; their files."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from playout.errors import DataError
from playout.learn.alphazero.two_player_puct import Episode
from playout.learn.networks.torch_device import need_torch
from playout.text.output_files import write_atomically


class Episodes:
    """What the network learns from: the positions of all episodes, and where each begins."""

    def __init__(self) -> None:
        self.lengths = np.zeros(0, np.int64)
        self._parts: dict[str, list[np.ndarray]] = {
            n: [] for n in ("planes", "policies", "results")
        }

    def add(self, part: dict[str, np.ndarray]) -> None:
        """Append the episodes of an epoch."""
        self.lengths = np.concatenate([self.lengths, part["lengths"].astype(np.int64)])
        for name, arrays in self._parts.items():
            arrays.append(part[name])

    def tensors(self, device: Any) -> list[Any]:
        """Planes, policies and results of all positions."""
        torch = need_torch()
        return [
            torch.from_numpy(np.concatenate(arrays).astype(np.float32)).to(device)
            for arrays in self._parts.values()
        ]

    def draws(self, steps: int, batch: int, rng: np.random.Generator) -> np.ndarray:
        """Positions for mini-batches: an episode, each as likely, then one of its positions."""
        starts = np.cumsum(self.lengths) - self.lengths
        which = rng.integers(len(self.lengths), size=(steps, batch))
        found: np.ndarray = starts[which] + (
            rng.random((steps, batch)) * self.lengths[which]
        ).astype(np.int64)
        return found


def learned_from(episode: Episode) -> dict[str, np.ndarray]:
    """What is learned from a finished episode."""
    n = episode.length
    sign = np.where(episode.movers[:n] == 0, 1.0, -1.0)
    return {
        "planes": episode.planes[:n].astype(np.float16),
        "policies": episode.policies[:n].copy(),
        "results": (sign * episode.lane[0].reward).astype(np.float32),
        "outputs": episode.outputs[:n].copy(),
        "lengths": np.array([n], np.int32),
    }


def joined(parts: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """The episodes of an epoch as one."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def write_arrays(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Write arrays, whole or not at all."""

    def write(file: BinaryIO) -> None:
        np.savez_compressed(file, allow_pickle=False, **arrays)

    write_atomically(path, write)


def read_arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a file; nothing is unpickled."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (OSError, ValueError, KeyError, EOFError) as error:
        reason = getattr(error, "strerror", None) or "it is damaged"
        raise DataError(f"cannot read {path}: {reason}") from None
