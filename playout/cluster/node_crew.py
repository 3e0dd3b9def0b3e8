"""A crew on the nodes of a cluster: a process of some node for each worker.

An item whose process is gone is done again elsewhere, so that every outcome is handed over once.
Nodes that join later are put to work, unless the number of workers was told.
"""

from __future__ import annotations

import pickle
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from queue import Empty, Queue
from typing import TYPE_CHECKING, Any, NamedTuple

from playout.cluster.connection import ClusterError, ClusterWarning
from playout.cluster.node_process import NodeProcess, how_it_died
from playout.cluster.parcel import NodeRefused, Parcel
from playout.text.user_files import files_in
from playout.workers import (
    Done,
    Fault,
    Hired,
    Item,
    Left,
    News,
    Outcome,
    Ready,
    Recipe,
    Work,
    described,
    each_of,
)

if TYPE_CHECKING:
    from playout.cluster.connection import Cluster

MOST_CRASHES = 3
LOOK_FOR_NODES = 5.0  # seconds between two looks for nodes that have joined


class CrewActor(NodeProcess):
    """A worker in a process that Ray has started."""

    def make(self, parcel: Parcel) -> None:
        """Make what the work needs."""
        self._recipe: Recipe[Any, Any] = parcel.open()
        try:
            self._work: Work[Any, Any] = self._recipe.make()
        except Exception as error:
            raise described(error, self._recipe.texts()) from None

    def rest(self) -> None:
        """Nothing; whoever answers is there."""

    def do(self, item: bytes) -> bytes:
        """Do an item; both as bytes, since Ray's arrays could not be written."""
        try:
            return pickle.dumps(self._work(pickle.loads(item), lambda: False))
        except Exception as error:
            raise described(error, self._recipe.texts()) from None


class _Remote:
    """A worker as the head knows it."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.actor: Any = None
        self.node: str | None = None
        self.made = False
        self.item: bytes | None = None
        self.crashes = 0


class AtRest(NamedTuple):
    """A process that waits for more items."""

    kind: bytes  # of its recipe: threads, class, files. One of the same kind can be made in it
    recipe: bytes  # that it has made
    actor: Any


class HiredNodes(Hired[Item, Outcome]):
    """Processes of nodes at work."""

    def __init__(self, recipe: Recipe[Item, Outcome], crew: NodeCrew) -> None:
        super().__init__(recipe, crew.workers)
        self._crew, self._cluster, self._ray = crew, crew.cluster, crew.cluster.ray
        self._remotes: dict[int, _Remote] = {}
        # SimpleQueue waits for ever if a signal is handled when its timeout is over
        self._told: Queue[tuple[_Remote, Any, Callable, Future]] = Queue()
        self._left: list[int] = []
        self._refused: dict[str, str] = {}
        self._next_look = time.perf_counter() + LOOK_FOR_NODES
        self._ending = False  # there are no more items than those that are being done

    def start(self) -> None:
        self._cluster.check_room(self.count * self._crew.threads, "that join")
        self._cluster.check_threads(self._crew.threads)
        files = {file: None for text in self.recipe.texts() for file in files_in(text)}
        parcel = Parcel.of(self.recipe, *self.recipe.objects(), texts=list(files))
        kind = self._crew.threads, type(self.recipe), parcel.roots, parcel.named, parcel.main
        self._at_rest = AtRest(pickle.dumps(kind), parcel.content, None)
        for other in list(self._crew.idle):
            if other.kind != self._at_rest.kind:  # which would keep its CPUs
                self._crew.idle.remove(other)
                self._ray.kill(other.actor)
        self._parcel = self._ray.put(parcel)
        for _ in range(self.count):
            self._hire()

    def workers(self) -> int:
        return len(self._remotes)

    def news(self, seconds: float) -> Iterator[tuple[int, News[Outcome]]]:
        while self._left:
            yield self._left.pop(), Left()
        try:
            told = self._told.get(timeout=seconds) if seconds else self._told.get_nowait()
            while True:
                one, actor, then, future = told
                if one.actor is actor and one.number in self._remotes:
                    yield from self._hear(one, then, future)
                told = self._told.get_nowait()
        except Empty:
            pass
        if self._ending:
            self._make_room()
        elif self._crew.grows and time.perf_counter() >= self._next_look:
            self._next_look = time.perf_counter() + LOOK_FOR_NODES
            while (self.count + 1) * self._crew.threads <= self._cluster.cpus():
                self.count += 1
                self._hire()

    def give(self, worker: int, item: Item | None) -> None:
        one = self._remotes[worker]
        if item is None:
            self._ending = True
            self._crew.idle.append(self._at_rest._replace(actor=one.actor))  # for the next items
            del self._remotes[worker]
            self._left.append(worker)
        else:
            one.item, one.crashes = pickle.dumps(item), 0
            self._when_done(one, self._on_outcome, one.actor.do.remote(one.item))

    def dismiss(self) -> None:
        for one in self._remotes.values():
            self._ray.kill(one.actor)

    # places

    def _hire(self) -> None:
        one = _Remote(max([-1, *self._remotes, *self._left]) + 1)
        self._remotes[one.number] = one
        if not self._crew.idle:
            self._place(one)
            return
        found = self._crew.idle.pop()
        one.actor = found.actor
        self._when_done(one, self._on_place, one.actor.where.remote())
        if found.recipe == self._at_rest.recipe:
            self._when_done(one, self._on_made, one.actor.rest.remote())
        else:
            self._when_done(one, self._on_made, one.actor.make.remote(self._parcel))

    def _place(self, one: _Remote) -> None:
        """Have a process of some node take a worker's part, with the item that it had."""
        options = self._cluster.options(list(self._refused), self._crew.threads)
        one.actor, one.node = self._ray.remote(CrewActor).options(**options).remote(), None
        self._when_done(one, self._on_place, one.actor.where.remote())
        self._when_done(one, self._on_made, one.actor.make.remote(self._parcel))
        if one.item is not None:
            self._when_done(one, self._on_outcome, one.actor.do.remote(one.item))

    def _make_room(self) -> None:
        """Where workers wait for a CPU at the end, let no process that rests keep one from them.

        Those that have no item are let go: there is none left for them.
        """
        waiting = [one for one in self._remotes.values() if one.node is None]
        if not waiting or self.count * self._crew.threads <= self._cluster.cpus(self._refused):
            return
        for one in waiting:
            if one.item is None:
                self._ray.kill(one.actor)
                del self._remotes[one.number]
                self._left.append(one.number)
            elif self._crew.idle:
                self._ray.kill(self._crew.idle.pop().actor)

    def _when_done(self, one: _Remote, then: Callable, reference: Any) -> None:
        actor = one.actor
        reference.future().add_done_callback(
            lambda future: self._told.put((one, actor, then, future))
        )

    # news

    def _hear(
        self, one: _Remote, then: Callable, future: Future
    ) -> Iterator[tuple[int, News[Outcome]]]:
        errors = self._ray.exceptions
        try:
            yield from then(one, future.result())
        except errors.RayTaskError as error:
            cause = error.cause if isinstance(error.cause, Exception) else error
            if isinstance(cause, NodeRefused):
                yield from self._refuse(one, str(cause))
            else:
                yield one.number, Fault(cause)
        except errors.RayActorError as error:
            yield from self._lost(one, str(error))

    def _on_place(self, one: _Remote, node: str) -> Iterator[tuple[int, News[Outcome]]]:
        one.node = node
        yield from ()

    def _on_made(self, one: _Remote, nothing: None) -> Iterator[tuple[int, News[Outcome]]]:
        if not one.made:
            one.made = True
            yield one.number, Ready()

    def _on_outcome(self, one: _Remote, outcome: bytes) -> Iterator[tuple[int, News[Outcome]]]:
        one.item = None
        yield one.number, Done(pickle.loads(outcome))

    def _refuse(self, one: _Remote, reason: str) -> Iterator[tuple[int, News[Outcome]]]:
        self._ray.kill(one.actor)
        if one.node is not None and one.node not in self._refused:
            self._refused[one.node] = reason
            warnings.warn(reason, ClusterWarning, stacklevel=2)
        if one.node is None or self._cluster.nodes() <= set(self._refused):
            yield one.number, Fault(ClusterError(f"no node can be used: {reason}"))
        else:
            self._place(one)

    def _lost(self, one: _Remote, reason: str) -> Iterator[tuple[int, News[Outcome]]]:
        """A process has ended without a word: its item is done again."""
        if "ModuleNotFoundError" in reason:
            why = f"a node has no playout that is new enough: {reason}"
            yield from self._refuse(one, why)
            return
        if one.node is None or one.node in self._cluster.nodes():
            one.crashes += 1
        if one.crashes >= MOST_CRASHES:
            last = how_it_died(reason)
            item = "" if one.item is None else f" in {pickle.loads(one.item)}"
            fault = f"a worker died {MOST_CRASHES} times{item}: {last}"
            yield one.number, Fault(ClusterError(fault))
        else:
            self._place(one)


@dataclass(frozen=True)
class NodeCrew:
    """Workers on the nodes of a cluster."""

    cluster: Cluster
    workers: int
    threads: int  # of each
    grows: bool  # with the cluster
    idle: list[AtRest] = field(default_factory=list)

    def of_threads(self, threads: int) -> NodeCrew:
        """The same with workers of so many threads each, as many as there are CPUs for."""
        workers = max(1, self.cluster.cpus() // threads) if self.grows else self.workers
        return replace(self, threads=threads, workers=workers)

    def at_most(self, workers: int) -> NodeCrew:
        """The same with no more workers than there are items for."""
        grows = self.grows and self.workers < workers
        return replace(self, workers=min(workers, self.workers), grows=grows)

    def each(
        self, recipe: Recipe[Item, Outcome], items: Iterable[Item | None]
    ) -> Generator[tuple[Item, Outcome] | None]:
        """Do every item on some node; None now and then, to look at the clock."""
        return each_of(HiredNodes(recipe, self), items)
