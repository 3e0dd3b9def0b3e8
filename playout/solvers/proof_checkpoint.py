"""Proofs that go on after they were killed: the arrays of a solver on disk.

It is a checkpoint as searches have (`playout.run.checkpoint`): the stack of the solver, what its
move order has learnt, and its table. Of a table that is too large the entries are kept that cost
most to find; the others are found again, so that a proof costs more moves and remains right.
"""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from playout._version import __version__
from playout.algorithms.array_checks import same_shapes
from playout.cluster import ClusterError
from playout.compiled import digest_of_class
from playout.errors import DataError
from playout.run.checkpoint import (
    CheckpointWarning,
    Identity,
    LastCheckpointWarning,
    digest_of_instance,
    read_checkpoint,
    telling_damage,
    write_checkpoint,
)
from playout.solvers.move_order import MoveOrder
from playout.solvers.proof import Proof
from playout.solvers.prover import Prover
from playout.stop import CtrlC, Never, Progress, Stop
from playout.text.options import class_options

EVERY = 30.0  # seconds
SHARE = 0.05  # of the time may be spent on checkpoints
LARGEST = 1 << 28  # bytes of a table


def run_proof(
    prover: Prover,
    stop: Stop | None = None,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: str | Path | None = None,
    name: str = "",
) -> Proof:
    """Run a prover until it has the value, `stop` or Ctrl-C; what is known then.

    With a checkpoint it goes on from this file if it exists, and writes it now and then and at the
    end. `name` is the game's, for the checkpoint.
    """
    kept = None if checkpoint is None else ProofCheckpoint(checkpoint, prover, name)
    if kept is not None:
        kept.read()

    def look(now: Progress) -> None:
        if progress is not None:
            progress(now)
        if kept is not None:
            kept.look(now.seconds)

    try:
        with CtrlC() as interrupt:
            stopped_by = prover.run((stop or Never()) | interrupt, look)
    except ClusterError:  # between two jobs
        if kept is not None:
            kept.write_last()
        raise
    before = 0.0
    if kept is not None:
        kept.write_last()
        before = kept.seconds
    return prover.proof(before + prover.seconds, stopped_by)


class ProofCheckpoint:
    """The checkpoint of one proof: read at its start, written now and then and at its end."""

    def __init__(self, path: str | Path, prover: Prover, instance: str = "") -> None:
        self.path, self.prover = Path(path), prover
        self.seconds = 0.0  # of search before this run
        self._identity = _identity(prover, instance)
        self._next = time.perf_counter() + EVERY
        self._failed = False

    def read(self) -> bool:
        """Go on from the file; False if there is none."""
        if not self.path.exists():
            return False
        prover = self.prover
        parts = [_Part(search) for search in prover.searches()]
        parts += [_Part(order) for order in _learning(prover)]
        table = _TablePart(prover.table)
        fresh = [part.arrays() for part in parts]
        state = read_checkpoint(self.path, self._identity, [*parts, table])
        with telling_damage(self.path):
            prover.restore(state)
            self.seconds = float(state["seconds"])
            for part, arrays in zip(parts, fresh, strict=True):
                same_shapes(part.arrays(), arrays, getattr(part.owner, "growing", {}))
            for order in _learning(prover):
                order.check_arrays()
            if prover.value is None:  # else nothing is searched any more
                for search, arrays in zip(prover.searches(), fresh, strict=False):
                    search.check_arrays(prover.game, arrays)
        return True

    def look(self, seconds: float) -> None:
        """Write the file if it is time to; between two steps of the prover."""
        if time.perf_counter() < self._next:
            return
        start = time.perf_counter()
        try:
            self.write(seconds)
        except DataError as error:
            if not self._failed:
                warnings.warn(f"no checkpoint: {error}", CheckpointWarning, stacklevel=2)
            self._failed = True
        took = time.perf_counter() - start
        self._next = time.perf_counter() + max(EVERY, took / SHARE)

    def write_last(self) -> None:
        """Write the file at the end of a run; a full disk must not cost what was proven."""
        try:
            self.write(self.prover.seconds)
        except DataError as error:
            warnings.warn(f"no checkpoint: {error}", LastCheckpointWarning, stacklevel=3)

    def write(self, seconds: float) -> None:
        """Write the file after so many seconds of search in this run."""
        prover = self.prover
        arrays = [_Part(search).arrays() for search in prover.searches()]
        arrays += [_Part(order).arrays() for order in _learning(prover)]
        arrays.append(_TablePart(prover.table).arrays())
        state = {**prover.state(), "seconds": self.seconds + seconds}
        write_checkpoint(self.path, self._identity, state, arrays, packed=False)  # random numbers


class _Part:
    """The arrays of one object, by their names."""

    def __init__(self, owner: Any) -> None:
        self.owner = owner

    def arrays(self) -> dict[str, np.ndarray]:
        names = type(self.owner).fields
        known = {name: getattr(self.owner, name) for name in names}
        return {name: value for name, value in known.items() if isinstance(value, np.ndarray)}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        for name, array in arrays.items():
            setattr(self.owner, name, array)


class _TablePart:
    """The entries of a table that are in use, or the costliest of them, and their slots."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def arrays(self) -> dict[str, np.ndarray]:
        entries = self._table.entries
        costs = self._table.costs()
        slots = np.flatnonzero(costs)
        most = LARGEST // (entries.itemsize * entries.shape[1] + 8)
        if len(slots) > most:
            chosen = np.argpartition(costs[slots], len(slots) - most)[len(slots) - most :]
            slots = np.sort(slots[chosen])
        found = {"slots": slots.astype(np.int64), "entries": entries[slots]}
        if getattr(self._table, "most", 0):
            found["size"] = np.array([len(entries)], np.int64)
        return found

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        slots, entries = arrays["slots"], arrays["entries"]
        table = self._table
        if getattr(table, "most", 0):
            size = arrays["size"]
            if size.shape != (1,) or not len(table.entries) <= size[0] <= table.most:
                raise ValueError("a table of another size")
            table.resize(int(size[0]))
        if len(slots) and (slots.min() < 0 or slots.max() >= len(table.entries)):
            raise ValueError("a table of another size")
        if entries.shape != (len(slots), table.entries.shape[1]):
            raise ValueError("a table of another kind")
        table.clear()
        table.entries[slots] = entries
        table.used[0] = len(slots)


def _learning(prover: Prover) -> list[MoveOrder]:
    """The orders that learn from the solver; others are what they were when they were made."""
    told = ("cut", "late_cut", "tried")
    return [
        order
        for order in prover.orders()
        if any(getattr(type(order), name) is not getattr(MoveOrder, name) for name in told)
    ]


def _identity(prover: Prover, instance: str) -> Identity:
    game, order = prover.game, prover.order
    options = {
        "order": order.name or type(order).__name__,
        "order_code": digest_of_class(type(order))[:12],
        "order_options": {name: getattr(order, name) for name in class_options(type(order))},
        **{name: value for name, value in prover.solver.options().items() if name != "order"},
        "position": _position(prover),
    }
    return Identity(
        problem=type(game).__name__,
        instance=instance,
        data=digest_of_instance(game),
        code=digest_of_class(type(game)),
        algorithm=prover.solver.name,
        options=json.loads(json.dumps(options)),
        seed=0,
        workers=len(prover.searches()),
        parallel="",
        version=__version__,
    )


def _position(prover: Prover) -> str:
    """The position for a person, or its bytes."""
    try:
        return prover.game.position_text(prover.root[0])
    except DataError:
        return prover.root.tobytes().hex()
