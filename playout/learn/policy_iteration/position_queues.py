"""The training and validation queues: positions and the moves that were best in them.

A generation is kept as its games, which compiled code plays again when their positions are wanted.
Its games are shuffled and split; each queue is the last so many positions of what the generations
put into it (A. Seify and M. Buro, Algorithm 1, which splits positions: but those of one game are
alike, and a network that has learned the game by heart would be thought to understand it). On the
training device a position is its planes in half precision, beside its mirror image if it has one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from playout.compiled import Compiled, friendly, in_place, kernel
from playout.compiled.random import stream_of
from playout.contract import Game, Problem, room_for_moves
from playout.errors import DataError
from playout.learn.networks.torch_device import need_torch
from playout.learn.policy_iteration.compiled_self_play import Games

CHUNK = 4096  # positions that are made at once


@dataclass
class Positions:
    """Positions on a device, and which of them train and validate, shuffled.

    `planes` and `targets` have one or two rows for a position: `images` blocks, the first of the
    positions as they are, the second of their mirror images.
    """

    planes: Any
    targets: Any
    training: Any
    validation: Any
    images: int = 1

    def __len__(self) -> int:
        return len(self.targets) // self.images


def positions_of(problem: Problem, games: Games, seed: int, share: float, device: Any) -> Positions:
    """Play the games again; those of them that have `share` of the positions are to validate."""
    torch = need_torch()
    total = int(games.lengths.sum())
    shape = problem.plane_shape
    images = most = 1 if type(problem).mirror is Game.mirror else 2
    planes = torch.zeros((most, total, *shape), dtype=torch.float16, device=device)
    targets = torch.zeros((most, total), dtype=torch.int64, device=device)
    ends = np.cumsum(games.lengths)
    first = done = 0
    replay = Replay(problem, seed)
    while first < len(games.lengths):
        last = max(first + 1, int(np.searchsorted(ends, done + CHUNK, "right")))
        n = int(ends[last - 1]) - done
        some, wanted = np.zeros((most, n, *shape), np.float32), np.zeros((most, n), np.int64)
        with friendly():
            made, mirrored = replay_games(problem, games, first, last, replay, some, wanted)
        if made != n:
            raise DataError("the games of a generation are not games of this problem")
        if mirrored < n:  # a position without an image: none is shown
            images = 1
        planes[:, done : done + n] = torch.from_numpy(some).to(device)
        targets[:, done : done + n] = torch.from_numpy(wanted).to(device)
        first, done = last, done + n
    training, validation = split_games(games.lengths, share, np.random.default_rng([seed, 1]))
    return Positions(
        planes[:images].flatten(0, 1), targets[:images].flatten(), training, validation, images
    )


def split_games(
    lengths: np.ndarray, share: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Indices of positions to train with and to validate with, whole games each, shuffled.

    A single game is split by its positions.
    """
    owners = np.repeat(np.arange(len(lengths)), lengths)
    if np.count_nonzero(lengths) < 2:
        owners = np.arange(len(owners))  # every position is a game of its own
    order = rng.permutation(len(owners))
    numbers = rng.permutation(owners.max() + 1) if len(owners) else owners
    counts = np.cumsum(np.bincount(owners, minlength=len(numbers))[numbers])
    # at least one game to validate with, and one to train with
    enough = int(np.searchsorted(counts, max(1.0, round(share * len(owners))))) + 1
    while enough > 1 and counts[enough - 1] == len(owners):
        enough -= 1
    chosen = np.isin(owners[order], numbers[:enough]) if len(owners) > 1 else order < 0
    return order[~chosen], order[chosen]


class Replay(Compiled):
    """What games are played again with: their seed, a blank state, and working space."""

    fields = ("seed", "blank", "states", "legal", "rng")

    def __init__(self, problem: Problem, seed: int) -> None:
        self.seed = np.array([seed], np.uint64)
        self.blank, self.states = problem.new_states(1), problem.new_states(2)
        self.legal = problem.new_moves(room_for_moves(problem.max_moves))
        self.rng = np.zeros(1, np.uint64)


@kernel
def replay_games(problem, games, first, last, replay, planes, targets):
    """Write the positions of games and the outputs played there, and the mirror images of both.

    Returns how many positions there are, -1 for an illegal move, and how many have an image.
    """
    states, legal, rng, moves = replay.states, replay.legal, replay.rng, games.moves
    done = mirrored = 0
    state, image = states[0], states[1]
    for game in range(first, last):
        rng[0] = stream_of(replay.seed[0], games.numbers[game])
        states[0] = replay.blank[0]
        problem.draw(state, rng)
        for i in range(games.lengths[game]):
            problem.planes(state, planes[0, done])
            targets[0, done] = moves[game, i]
            n = problem.moves(state, legal)
            found = -1
            for m in range(n):
                if problem.output(state, legal[m]) == moves[game, i]:
                    found = m
            if found < 0:
                return -1, mirrored
            states[1] = states[0]
            problem.play(state, legal[found])
            if len(planes) > 1 and problem.mirror(image, in_place(legal, found)):
                problem.planes(image, planes[1, done])
                targets[1, done] = problem.output(image, legal[found])
                mirrored += 1
            done += 1
    return done, mirrored


class Queues:
    """The positions of the last generations, as many as the queues hold."""

    def __init__(self, training: int, validation: int) -> None:
        self._most = (training, validation)
        self._parts: list[Positions] = []

    def add(self, positions: Positions) -> None:
        """Append a generation; those that no longer reach into a queue are dropped."""
        self._parts.append(positions)
        while len(self._parts) > 1 and self._is_full(self._parts[1:]):
            self._parts.pop(0)

    def _is_full(self, parts: list[Positions]) -> bool:
        return (
            sum(len(part.training) for part in parts) >= self._most[0]
            and sum(len(part.validation) for part in parts) >= self._most[1]
        )

    def generations(self) -> int:
        """How many generations are in the queues."""
        return len(self._parts)

    def data(self) -> Positions:
        """What is in the queues; which positions train and validate are tensors on the device."""
        torch = need_torch()
        images = min(part.images for part in self._parts)
        # all positions as they are, then all mirror images
        blocks = [
            (part, slice(image * len(part), (image + 1) * len(part)))
            for image in range(images)
            for part in self._parts
        ]
        planes = torch.cat([part.planes[rows] for part, rows in blocks])
        targets = torch.cat([part.targets[rows] for part, rows in blocks])
        indices = []
        for name, most in zip(("training", "validation"), self._most, strict=True):
            first, chosen = 0, []
            for part in self._parts:
                chosen.append(first + getattr(part, name))
                first += len(part)
            indices.append(torch.from_numpy(np.concatenate(chosen)[-most:]).to(planes.device))
        return Positions(planes, targets, indices[0], indices[1], images)
