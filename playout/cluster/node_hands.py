"""Steps of searches that are made on nodes: a process of some node for each search.

A step takes about two seconds; what comes back is the head of the search and, if it has improved,
the best sequence and the new points of the curve. Now and then all arrays come back, packed. From
them a search goes on elsewhere when its node is gone, or has not answered for five times as long as
it should: whoever answers first counts, since both would say the same.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from queue import Empty, Queue
from typing import TYPE_CHECKING, Any

from playout.algorithms.search import Search
from playout.cluster.connection import ClusterError, ClusterWarning
from playout.cluster.node_process import NodeProcess, how_it_died
from playout.cluster.node_search import (
    Ask,
    Assignment,
    NodeSearch,
    Report,
    hear,
    pack,
    restore,
    trial,
    unpack,
)
from playout.cluster.parcel import NodeRefused, Parcel
from playout.compiled import wrapping
from playout.compiled.compile_errors import friendly
from playout.run.hands import Arrays, Ended, Hands, Worker

if TYPE_CHECKING:
    from playout.algorithms.algorithm import Algorithm
    from playout.cluster.connection import Cluster
    from playout.contract import Problem

STEP_SECONDS = 2.0
COPY_SECONDS = 10.0  # between two copies of all arrays, at most
# bytes a second that copies may take of a search, and of all: a percent of a core, or less
COPY_BYTES, ALL_COPY_BYTES = 1e6, 1e7
LATE = 5  # times as long as it should take: a step is begun elsewhere, too
SHORTEST_LATE = 10.0  # seconds
LOOK_SECONDS = 0.5  # between two looks for late steps
COLLECT_SECONDS, FEW = 0.02, 50  # reports of more than a few workers are collected for so long
MOST_CRASHES = 3
UNTIL = "that join, or until one is done"  # how long workers wait that find no CPU


class NodeStep:
    """What a worker on a node has in place of a step of its own."""

    def __init__(self) -> None:
        self.told: dict[str, int] = {}

    def __call__(self, search: Search, playouts: int) -> int:
        raise NotImplementedError("its steps are made on a node")

    def counters(self) -> dict[str, int]:
        """What the step of the problem counts, as it was reported."""
        return self.told


class SearchActor(NodeProcess, NodeSearch):
    """A search in a process that Ray has started."""


class _Place:
    """A process of some node that has a search, or will have it."""

    def __init__(self, actor: Any) -> None:
        self.actor = actor
        self.node: str | None = None  # none yet
        self.started = False
        self.reported = False


class _Remote:
    """A search on nodes, as the head knows it."""

    def __init__(self, number: int, worker: Worker) -> None:
        self.number, self.worker = number, worker
        self.places: list[_Place] = []
        self.ask: Ask | None = None  # the step under way
        self.asked_at = 0.0
        self.packed = b""  # all arrays, as they were brought last
        self.packed_at = 0  # playouts
        self.copied = time.perf_counter()
        self.copy_wanted = False
        self.resting = False  # whether it makes no more steps
        self.crashes = 0


class NodeHands(Hands):
    """Workers on the nodes of a cluster."""

    def __init__(
        self,
        cluster: Cluster,
        workers: Sequence[Worker],
        problem: Problem,
        algorithm: Algorithm,
        compiled: bool,
    ) -> None:
        super().__init__(workers)
        for worker in workers:
            worker.take_step, worker.seconds, worker.ready_at = NodeStep(), STEP_SECONDS, None
        self._cluster, self._ray = cluster, cluster.ray
        self._assigned = Assignment(problem, algorithm, compiled)
        self._remotes = [_Remote(number, worker) for number, worker in enumerate(workers)]
        self._copy_seconds = [
            min(COPY_SECONDS, max(size / COPY_BYTES, size * len(workers) / ALL_COPY_BYTES))
            for size in (sum(a.nbytes for a in w.search.arrays().values()) for w in workers)
        ]
        # SimpleQueue waits for ever if a signal is handled when its timeout is over
        self._news: Queue[tuple[_Remote, _Place, Callable, Future]] = Queue()
        self._refused: dict[str, str] = {}  # nodes by their ids, and why
        self._next_look = 0.0
        # for who measures: the CPU seconds of steps, when searches went elsewhere, had a process
        # there, were taken on by it, and were back
        self.cpu = 0.0
        self.moved: list[tuple[float, int, str]] = []
        self.placed: list[tuple[float, int]] = []
        self.taken_on: list[tuple[float, int]] = []
        self.back: list[tuple[float, int]] = []

    # what the driver asks for

    def prepare(self) -> None:
        with wrapping(), friendly():
            playouts, digest = trial(self._assigned)
        assigned = self._assigned._replace(trial_playouts=playouts, trial_digest=digest)
        self._parcel = self._ray.put(Parcel.of(assigned, assigned.problem, assigned.algorithm))
        cpus = self._cluster.cpus()
        self._cluster.check_room(len(self.workers), UNTIL)
        free = int(self._ray.available_resources().get("CPU", 0))
        if free == 0:
            busy = f"all {cpus} CPUs of the cluster are at work for others: waiting for one"
            warnings.warn(busy, ClusterWarning, stacklevel=4)
        for one in self._remotes:
            if one.worker.search.head[0].playouts > 0:  # from a checkpoint
                one.packed = pack(one.worker.search.arrays())
                one.packed_at = int(one.worker.search.head[0].playouts)
            self._place(one)
        while self._started() < max(1, min(free, self._usable(), len(self.workers))):
            self._wait()

    def _usable(self) -> int:
        return self._cluster.cpus(self._refused)

    def _started(self) -> int:
        return sum(any(place.started for place in one.places) for one in self._remotes)

    def _wait(self) -> None:
        """Wait for news, none of which is a step of the driver's."""
        for _, _, fault in self._take_news(LOOK_SECONDS):
            if fault is not None:
                raise fault

    def begin(self, number: int, playouts: int, seconds_left: float) -> None:
        one = self._remotes[number]
        one.resting = False
        if one.ask is not None:
            return  # its arrays are under way
        head = one.worker.search.head[0]
        whole = one.copy_wanted or time.perf_counter() - one.copied > self._copy_seconds[number]
        goal = int(head.playouts) + playouts
        one.ask = Ask(goal, float(head.target), int(head.budget), seconds_left, whole)
        one.asked_at = time.perf_counter()
        if not one.places:
            self._place(one)
        for place in one.places:
            self._send(one, place)

    def ended(self, seconds: float) -> list[Ended]:
        found = self._take_news(seconds)
        if found and len(self._remotes) > FEW:
            time.sleep(COLLECT_SECONDS)
            found += self._take_news(0.0)
        return found

    def copy(self, number: int) -> Arrays | None:
        one = self._remotes[number]
        search = one.worker.search
        if search.head[0].playouts == 0:  # it may wait for a node
            return {name: array.copy() for name, array in search.arrays().items()}
        if one.packed and one.packed_at == search.head[0].playouts:
            one.copy_wanted = False
            return unpack(one.packed, search.arrays())
        one.copy_wanted = True
        return None

    def rest(self, number: int) -> None:
        one = self._remotes[number]
        one.copy_wanted = True
        self.begin(number, 0, 0.0)
        one.resting = True

    def gather(self) -> None:
        for one in self._remotes:
            playouts = int(one.worker.search.head[0].playouts)
            if playouts > 0 and one.packed_at != playouts:
                one.copy_wanted = True
                self.begin(one.number, 0, 0.0)
        while any(one.ask is not None for one in self._remotes):
            self._wait()
        for one in self._remotes:
            if one.packed and one.packed_at == one.worker.search.head[0].playouts:
                restore(one.worker.search, one.packed)

    def watch(self, ending: Callable[[], bool] | None) -> None:
        """Nodes are told how many seconds are left, with each step."""

    def close(self) -> None:
        for one in self._remotes:
            for place in list(one.places):
                self._drop(one, place)

    # places

    def _place(self, one: _Remote) -> None:
        """Have a process of some node take a search on, from its arrays or from the start."""
        kind = self._ray.remote(SearchActor).options(**self._cluster.options(list(self._refused)))
        place = _Place(kind.remote())
        one.places.append(place)
        self._when_done(one, place, self._on_place, place.actor.where.remote())
        seed = int(one.worker.search.head[0].seed)
        reference = place.actor.start.remote(self._parcel, seed, one.packed)
        self._when_done(one, place, self._on_start, reference)
        if one.ask is not None:
            self._send(one, place)
        else:  # compile before the clock runs
            head = one.worker.search.head[0]
            ask = Ask(int(head.playouts), float(head.target), int(head.budget), 0.0, False)
            self._when_done(one, place, self._on_prepared, place.actor.step.remote(ask))

    def _send(self, one: _Remote, place: _Place) -> None:
        self._when_done(one, place, self._on_report, place.actor.step.remote(one.ask))

    def _when_done(self, one: _Remote, place: _Place, then: Callable, reference: Any) -> None:
        reference.future().add_done_callback(
            lambda future: self._news.put((one, place, then, future))
        )

    def _drop(self, one: _Remote, place: _Place) -> None:
        if place in one.places:
            one.places.remove(place)
            self._ray.kill(place.actor)

    # news

    def _take_news(self, seconds: float) -> list[Ended]:
        found: list[Ended] = []
        try:
            wait = min(seconds, LOOK_SECONDS)
            news = self._news.get(timeout=wait) if wait else self._news.get_nowait()
            while True:
                one, place, then, future = news
                if place in one.places:
                    found += self._hear(one, place, then, future)
                news = self._news.get_nowait()
        except Empty:
            pass
        if time.perf_counter() >= self._next_look:
            self._next_look = time.perf_counter() + LOOK_SECONDS
            self._find_late()
        return found

    def _hear(self, one: _Remote, place: _Place, then: Callable, future: Future) -> list[Ended]:
        errors = self._ray.exceptions
        try:
            return then(one, place, future.result())
        except errors.RayTaskError as error:
            cause = error.cause if isinstance(error.cause, Exception) else error
            if isinstance(cause, NodeRefused):
                return self._refuse(one, place, str(cause))
            return self._fail(one, cause)
        except errors.RayActorError as error:
            return self._lost(one, place, str(error))

    def _on_place(self, one: _Remote, place: _Place, node: str) -> list[Ended]:
        place.node = node
        self.placed.append((time.perf_counter(), one.number))
        return []

    def _on_start(self, one: _Remote, place: _Place, name: str) -> list[Ended]:
        self.taken_on.append((time.perf_counter(), one.number))
        return []

    def _on_prepared(self, one: _Remote, place: _Place, report: Report) -> list[Ended]:
        place.started = True
        return []

    def _on_report(self, one: _Remote, place: _Place, report: Report) -> list[Ended]:
        if one.ask is None:
            return []
        for other in [other for other in one.places if other is not place]:
            self._drop(one, other)
        one.ask = None
        place.started = True
        one.crashes = 0
        self.cpu += report.cpu
        if not place.reported:
            place.reported = True
            self.back.append((time.perf_counter(), one.number))
        hear(one.worker.search, report)
        assert isinstance(one.worker.take_step, NodeStep)
        one.worker.take_step.told = report.counters
        if report.arrays:
            one.packed, one.packed_at = report.arrays, int(one.worker.search.head[0].playouts)
            one.copied = time.perf_counter()
        if one.resting:  # another may have its CPU
            self._drop(one, place)
            return []
        return [(one.number, report.seconds, None)]

    def _fail(self, one: _Remote, error: Exception) -> list[Ended]:
        one.ask = None
        return [(one.number, 0.0, error)]

    def _refuse(self, one: _Remote, place: _Place, reason: str) -> list[Ended]:
        """A node does not come to the same bits: it is not asked again."""
        node = place.node
        known = node in self._refused
        if node and not known:
            self._refused[node] = reason
            warnings.warn(reason, ClusterWarning, stacklevel=2)
        self._drop(one, place)
        if not node or self._cluster.nodes() <= set(self._refused):
            return self._fail(one, ClusterError(f"no node can be used: {reason}"))
        if not known:
            self._cluster.check_room(len(self.workers), UNTIL, self._refused)
        return self._again(one, "refused")

    def _lost(self, one: _Remote, place: _Place, reason: str) -> list[Ended]:
        """A process has ended without a word."""
        if "ModuleNotFoundError" in reason:
            return self._refuse(one, place, f"a node has no playout that is new enough: {reason}")
        one.places.remove(place)
        if place.node is None or place.node in self._cluster.nodes():
            one.crashes += 1
            if one.crashes >= MOST_CRASHES:
                last = how_it_died(reason)
                return self._fail(
                    one,
                    ClusterError(
                        f"the process of worker {one.number + 1} died {MOST_CRASHES} times at the "
                        f"same place ({one.packed_at:,} playouts or later): {last}"
                    ),
                )
        if one.places:
            return []
        return self._again(one, "lost")

    def _again(self, one: _Remote, why: str) -> list[Ended]:
        self.moved.append((time.perf_counter(), one.number, why))
        if not one.places:
            self._place(one)
        return []

    def _find_late(self) -> None:
        """Begin steps elsewhere, too, that take much longer than they should."""
        now = time.perf_counter()
        for one in self._remotes:
            if one.ask is None or len(one.places) != 1 or not one.places[0].started:
                continue
            rate = one.worker.rate
            playouts = one.ask.goal - int(one.worker.search.head[0].playouts)
            if playouts > 0 and rate <= 0:
                continue  # nobody knows how long its first playout takes
            expected = playouts / rate if playouts else 0.0
            if now - one.asked_at > max(SHORTEST_LATE, LATE * expected):
                self.moved.append((now, one.number, "late"))
                self._place(one)
