"""Episodes as a network learns from them: positions, policies of searches, results; their files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from playout.contract import Game
from playout.errors import DataError
from playout.learn.alphazero.two_player_puct import Episode
from playout.learn.networks.torch_device import need_torch
from playout.text.array_files import read_arrays


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


def read_episodes(path: Path, game: Game) -> dict[str, np.ndarray]:
    """The episodes of an epoch from their file; DataError if they are not of this game."""
    part = read_arrays(path)
    shapes: dict[str, tuple[str, tuple[int, ...]]] = {
        "planes": ("f2", tuple(game.plane_shape)),
        "policies": ("f4", (game.outputs,)),
        "results": ("f4", ()),
        "outputs": ("i4", ()),
    }
    lengths = part.get("lengths", np.zeros(0))
    good = lengths.dtype == np.int32 and lengths.ndim == 1 and len(lengths) > 0
    good = good and bool((lengths > 0).all()) and part.keys() == {*shapes, "lengths"}
    if not good or any(
        part[name].dtype != dtype or part[name].shape != (lengths.sum(), *shape)
        for name, (dtype, shape) in shapes.items()
    ):
        raise DataError(f"{path} is damaged, or has no episodes of {type(game).__name__}")
    return part
