"""A search on a node: it is told a goal of playouts, goes there, and tells what is new.

The state of a search depends on the number of its playouts alone. So whoever has its arrays after
some playouts comes to the same bits at the same goal, wherever that is, and a search whose node is
gone goes on elsewhere from the arrays that were brought last. This file knows no engine: it is what
runs on a node, whatever started it there.
"""

from __future__ import annotations

import platform
import time
import zlib
from typing import NamedTuple

import numpy as np

from playout.algorithms.algorithm import Algorithm
from playout.algorithms.search import Search
from playout.cluster.parcel import NodeRefused, Parcel, digest_of_arrays
from playout.compiled import wrapping
from playout.compiled.compile_errors import friendly
from playout.contract import Problem
from playout.run.hands import Worker
from playout.run.portfolio import Portfolio
from playout.run.steps import make_step
from playout.workers import described

QUICK = 1  # of the levels of zlib
TRIAL_PLAYOUTS, TRIAL_SECONDS = 200, 0.5  # of the search that all machines must agree on


class Assignment(NamedTuple):
    """What is searched, and how."""

    problem: Problem
    algorithm: Algorithm
    compiled: bool
    trial_playouts: int = 0
    trial_digest: str = ""


class Ask(NamedTuple):
    """A step: up to which playout, and what the search should know."""

    goal: int
    target: float
    budget: int
    seconds_left: float
    whole: bool  # whether to bring all arrays


class Report(NamedTuple):
    """What a step came to."""

    head: bytes
    best: bytes  # empty: as it was
    first: int  # of the improvements that follow
    curve: bytes
    own: dict[str, bytes]  # what a portfolio knows of its race
    arrays: bytes  # all of them, packed; empty: not asked for
    counters: dict[str, int]
    seconds: float
    cpu: float


class NodeSearch:
    """One search in a process of a node."""

    def start(self, parcel: Parcel, seed: int, arrays: bytes) -> str:
        """Make the search, or go on from arrays; what this machine is called."""
        node = platform.node()
        assigned: Assignment = parcel.open()
        try:
            with wrapping(), friendly():
                if assigned.trial_digest and not arrays:
                    found = trial(assigned, assigned.trial_playouts)[1]
                    if found != assigned.trial_digest:
                        raise NodeRefused(
                            f"node {node} does not come to the head's bits in the same "
                            f"{assigned.trial_playouts} playouts; it is not used"
                        )
                search = assigned.algorithm.start(assigned.problem, seed)
                if arrays:
                    restore(search, arrays)
                self._worker = _worker(assigned, search)
        except Exception as error:
            raise described(error, ()) from None
        self._told = int(search.head[0].improvements)
        self._prepared = False
        return node

    def step(self, ask: Ask) -> Report:
        """Go on to a goal."""
        worker, search = self._worker, self._worker.search
        head = search.head[0]
        head.target, head.budget = ask.target, ask.budget
        end = time.perf_counter() + ask.seconds_left
        watch = getattr(worker.take_step, "watch", None)
        if watch is not None:
            watch(lambda: time.perf_counter() >= end)
        try:
            with wrapping(), friendly():
                if not self._prepared:
                    worker.step(0)
                    self._prepared = True
                began, cpu = time.perf_counter(), time.thread_time()
                if ask.goal > head.playouts:
                    worker.step(ask.goal - int(head.playouts))
        except Exception as error:
            raise described(error, ()) from None
        took, cpu = time.perf_counter() - began, time.thread_time() - cpu
        head = search.head[0]
        first, self._told = self._told, int(head.improvements)
        news = search.curve[first : self._told]
        return Report(
            head=search.head.tobytes(),
            best=search.best_moves().tobytes() if len(news) else b"",
            first=first,
            curve=news.tobytes(),
            own=_own(search),
            arrays=pack(search.arrays()) if ask.whole else b"",
            counters=dict(getattr(worker.take_step, "counters", dict)()),
            seconds=took,
            cpu=cpu,
        )


def _worker(assigned: Assignment, search: Search) -> Worker:
    step = search.make_step(assigned.problem, assigned.compiled, 1)
    return Worker(search, step or make_step(assigned.problem, assigned.compiled, 1), None)


def _own(search: Search) -> dict[str, bytes]:
    if not isinstance(search, Portfolio):
        return {}
    return {name: getattr(search, name).tobytes() for name in Portfolio.own_fields}


def trial(assigned: Assignment, playouts: int = 0) -> tuple[int, str]:
    """A short search; its playouts, as many as there is time for if none are said, and its bits."""
    search = assigned.algorithm.start(assigned.problem, 1)
    search.head[0].budget = TRIAL_PLAYOUTS
    worker = _worker(assigned, search)
    worker.step(0)
    began = time.perf_counter()
    while search.head[0].playouts < (playouts or TRIAL_PLAYOUTS):
        worker.step(1)
        if not playouts and time.perf_counter() - began > TRIAL_SECONDS:
            break
    return int(search.head[0].playouts), digest_of_arrays(search.arrays())


# arrays as bytes; both sides know their types from a search of their own


def pack(arrays: dict[str, np.ndarray]) -> bytes:
    """All arrays of a search, in a hurry."""
    lines, parts = [], []
    for name, array in arrays.items():
        lines.append(f"{name}:{','.join(str(n) for n in array.shape)}")
        parts.append(np.ascontiguousarray(array).tobytes())
    names = ";".join(lines).encode()
    return zlib.compress(len(names).to_bytes(8, "little") + names + b"".join(parts), QUICK)


def unpack(packed: bytes, like: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays in bytes that `pack` made, each of the type of its namesake."""
    content = zlib.decompress(packed)
    length = int.from_bytes(content[:8], "little")
    at, found = 8 + length, {}
    for line in content[8:at].decode().split(";"):
        name, _, sizes = line.rpartition(":")
        shape = tuple(int(n) for n in sizes.split(",") if n)
        kind = like[name].dtype
        size = int(np.prod(shape, dtype=np.int64)) * kind.itemsize
        array = np.frombuffer(bytearray(content[at : at + size]), np.uint8)
        found[name] = array.view(kind).reshape(shape)
        at += size
    return found


def restore(search: Search, packed: bytes) -> None:
    """Let a search go on from packed arrays."""
    search.restore(unpack(packed, search.arrays()))


def hear(search: Search, report: Report) -> None:
    """Take a report into the driver's own copy of a search."""
    improvements = np.frombuffer(report.curve, search.curve.dtype)
    while len(search.curve) < report.first + len(improvements):
        search.curve = np.concatenate([search.curve, np.zeros_like(search.curve)])
    search.curve[report.first : report.first + len(improvements)] = improvements
    if report.best:
        best = np.frombuffer(report.best, search.best.dtype)
        search.best[: len(best)] = best
    for name, content in report.own.items():
        array = getattr(search, name)
        array[...] = np.frombuffer(content, array.dtype).reshape(array.shape)
    search.head[...] = np.frombuffer(report.head, search.head.dtype)
