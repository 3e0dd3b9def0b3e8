"""The training and validation queues: positions and the moves that were best in them.

A generation is kept as its games, which compiled code plays again when their positions are wanted.
Its positions are shuffled and split; each queue is the last so many of what the generations put
into it (A. Seify and M. Buro, Algorithm 1). On the training device a position is its planes in half
precision.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from playout.compiled import friendly, kernel
from playout.compiled.random import stream_of
from playout.errors import DataError
from playout.learn.selfplay import Games
from playout.learn.torch import need_torch
from playout.problem import Problem

CHUNK = 4096  # positions that are made at once


@dataclass
class Positions:
    """Positions of one generation on a device, and which of them train and validate, shuffled."""

    planes: Any
    targets: Any
    training: np.ndarray
    validation: np.ndarray


def positions_of(problem: Problem, games: Games, seed: int, share: float, device: Any) -> Positions:
    """Play the games again; `share` of their positions are for validation."""
    torch = need_torch()
    total = int(games.lengths.sum())
    shape = problem.plane_shape
    planes = torch.zeros((total, *shape), dtype=torch.float16, device=device)
    targets = torch.zeros(total, dtype=torch.int64, device=device)
    ends = np.cumsum(games.lengths)
    first = done = 0
    states, legal = problem.new_states(1), np.zeros(2 * problem.max_moves + 64, problem.move_type)
    while first < len(games.lengths):
        last = max(first + 1, int(np.searchsorted(ends, done + CHUNK, "right")))
        n = int(ends[last - 1]) - done
        some, wanted = np.zeros((n, *shape), np.float32), np.zeros(n, np.int64)
        with friendly():
            made = replay_games(
                problem, np.uint64(seed), games.numbers[first:last], games.lengths[first:last],
                games.moves[first:last], states, problem.new_states(1), legal, some, wanted,
            )  # fmt: skip
        if made != n:
            raise DataError("the games of a generation are not games of this problem")
        planes[done : done + n] = torch.from_numpy(some).to(device)
        targets[done : done + n] = torch.from_numpy(wanted).to(device)
        first, done = last, done + n
    order = np.random.default_rng([seed, 1]).permutation(total)
    cut = max(1, round(share * total)) if total > 1 else 0
    return Positions(planes, targets, order[cut:], order[:cut])


@kernel
def replay_games(problem, seed, numbers, lengths, moves, states, blank, legal, planes, targets):
    """Write the positions of games and the outputs played there; how many, -1 for an illegal move.

    `states`, `legal`: working space; `blank` is a state of zeros.
    """
    rng = np.zeros(1, np.uint64)
    done = 0
    state = states[0]
    for game in range(len(numbers)):
        rng[0] = stream_of(seed, numbers[game])
        states[0] = blank[0]
        problem.draw(state, rng)
        for i in range(lengths[game]):
            problem.planes(state, planes[done])
            targets[done] = moves[game, i]
            n = problem.moves(state, legal)
            found = -1
            for m in range(n):
                if problem.output(state, legal[m]) == moves[game, i]:
                    found = m
            if found < 0:
                return -1
            problem.play(state, legal[found])
            done += 1
    return done


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

    def data(self) -> tuple[Any, Any, Any, Any]:
        """All planes and targets, and where in them the training and validation positions are."""
        torch = need_torch()
        planes = torch.cat([part.planes for part in self._parts])
        targets = torch.cat([part.targets for part in self._parts])
        indices = []
        for name, most in zip(("training", "validation"), self._most, strict=True):
            first, chosen = 0, []
            for part in self._parts:
                chosen.append(first + getattr(part, name))
                first += len(part.planes)
            indices.append(torch.from_numpy(np.concatenate(chosen)[-most:]).to(planes.device))
        return planes, targets, indices[0], indices[1]
