"""Items that are done by several workers at once: processes, or threads of this process.

A worker is told how to make what it needs (a `Recipe`, made once a worker), gets items one after
another and returns what came of them. Processes are for what can be made anew from texts; an error
in a file of the user's own is told by its line there. Threads are for what exists only in this
process: compiled searches run side by side in them. A crew on other machines is a third form
(`playout.cluster`).

Ctrl-C is this process's to handle. It is held back until what has ended already was handed over. A
worker process ends when its parent does, however that ended.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import traceback
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from queue import Empty, Queue, SimpleQueue
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from playout.errors import GivenUp, PlayoutError
from playout.interrupts import ctrl_c_held_back, signals_blocked
from playout.text.user_files import script_set_apart, users_fault

LOOK = 0.2  # seconds between two looks at the clock

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")

# does an item; it may ask now and then whether to give up, which raises `GivenUp`
Work = Callable[[Item, Callable[[], bool]], Outcome]


class WorkerDied(PlayoutError):
    """A worker process ended without a word."""


class Recipe(ABC, Generic[Item, Outcome]):
    """How a worker makes what it needs. One for processes can be pickled."""

    @abstractmethod
    def make(self) -> Work[Item, Outcome]:
        """What does the items; made once a worker."""

    def texts(self) -> Sequence[str]:
        """The texts in which the user may have named files of their own."""
        return ()

    def objects(self) -> Sequence[Any]:
        """Objects in it whose classes may be the user's own: another machine needs their files."""
        return ()


class Crew(Protocol):
    """Workers that do items."""

    @property
    def workers(self) -> int:
        """How many, at the start."""
        ...

    def each(
        self, recipe: Recipe[Item, Outcome], items: Iterable[Item | None]
    ) -> Generator[tuple[Item, Outcome] | None]:
        """Do every item; None now and then, to look at the clock.

        An item is taken when a worker is free for it, and a None among the items says that there is
        none just now. An outcome is handed over before its worker gets another item.
        """
        ...


def each_of(
    hired: Hired[Item, Outcome], items: Iterable[Item | None]
) -> Generator[tuple[Item, Outcome] | None]:
    left = iter(items)
    ended = False
    doing: dict[int, Item] = {}
    free: list[int] = []
    with ctrl_c_held_back() as interrupted:
        try:
            hired.start()
            while hired.workers() and not interrupted:
                for worker, news in hired.news(LOOK):
                    if isinstance(news, Fault):
                        raise news.error
                    if isinstance(news, Left):
                        news.check(doing.get(worker))
                        continue
                    if isinstance(news, Done):
                        yield doing.pop(worker), news.outcome
                    free.append(worker)
                    ended = ended or not _hand_out(hired, left, free, doing)
                ended = ended or not _hand_out(hired, left, free, doing)
                if ended:
                    while free:
                        hired.give(free.pop(), None)
                yield None
            if interrupted:  # what has ended already is not lost
                hired.dismiss()
                for worker, news in hired.news(0.0):
                    if isinstance(news, Done):
                        yield doing.pop(worker), news.outcome
        finally:
            hired.dismiss()


def _hand_out(
    hired: Hired[Item, Any], left: Iterator[Item | None], free: list[int], doing: dict[int, Item]
) -> bool:
    """Give items to the workers that are free; whether more may come."""
    while free:
        try:
            item = next(left)
        except StopIteration:
            return False
        if item is None:
            return True
        worker = free.pop()
        doing[worker] = item
        hired.give(worker, item)
    return True


# what a worker tells


@dataclass(frozen=True)
class Ready:
    """It has made what it needs."""


@dataclass(frozen=True)
class Done(Generic[Outcome]):
    """Its item is done."""

    outcome: Outcome


@dataclass(frozen=True)
class Fault:
    """It cannot go on."""

    error: BaseException


@dataclass(frozen=True)
class Left:
    """It has ended."""

    code: int = 0

    def check(self, item: Any) -> None:
        if self.code:
            what = f"signal {-self.code}" if self.code < 0 else f"code {self.code}"
            where = f" in {item}" if item is not None else ""
            raise WorkerDied(f"a worker process ended with {what}{where}")


News = Ready | Done[Outcome] | Fault | Left


class Hired(ABC, Generic[Item, Outcome]):
    """Workers at work, known by numbers."""

    def __init__(self, recipe: Recipe[Item, Outcome], count: int) -> None:
        self.recipe = recipe
        self.count = count

    @abstractmethod
    def start(self) -> None: ...

    @abstractmethod
    def workers(self) -> int:
        """How many have not ended."""

    @abstractmethod
    def news(self, seconds: float) -> Iterator[tuple[int, News[Outcome]]]:
        """What they tell, if need be within so many seconds."""

    @abstractmethod
    def give(self, worker: int, item: Item | None) -> None:
        """Give a free worker an item, or send it home."""

    @abstractmethod
    def dismiss(self) -> None:
        """End them all, and wait until they have."""


class HiredThreads(Hired[Item, Outcome]):
    def __init__(self, recipe: Recipe[Item, Outcome], count: int) -> None:
        super().__init__(recipe, count)
        self._over = threading.Event()
        # SimpleQueue waits for ever if a signal is handled when its timeout is over
        self._told: Queue[tuple[int, News[Outcome]]] = Queue()
        self._given: list[SimpleQueue[Item | None]] = [SimpleQueue() for _ in range(count)]
        self._threads: list[threading.Thread] = []
        self._working = count

    def start(self) -> None:
        for number in range(self.count):
            thread = threading.Thread(target=self._body, args=(number,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def workers(self) -> int:
        return self._working

    def news(self, seconds: float) -> Iterator[tuple[int, News[Outcome]]]:
        with suppress(Empty):
            told = self._told.get(timeout=seconds) if seconds else self._told.get_nowait()
            while True:
                self._working -= isinstance(told[1], Left)
                yield told
                told = self._told.get_nowait()

    def give(self, worker: int, item: Item | None) -> None:
        self._given[worker].put(item)

    def dismiss(self) -> None:
        self._over.set()
        for given in self._given:
            given.put(None)
        for thread in self._threads:
            thread.join()

    def _body(self, number: int) -> None:
        tell, over = self._told.put, self._over.is_set
        try:
            work = self.recipe.make()
            tell((number, Ready()))
            while (item := self._given[number].get()) is not None and not over():
                tell((number, Done(work(item, over))))
        except GivenUp:
            pass
        except BaseException as error:
            tell((number, Fault(error)))
        tell((number, Left()))


class HiredProcesses(Hired[Item, Outcome]):
    def __init__(self, recipe: Recipe[Item, Outcome], count: int) -> None:
        super().__init__(recipe, count)
        self._pipes: dict[int, Connection] = {}
        self._processes: dict[int, Any] = {}

    def start(self) -> None:
        context = multiprocessing.get_context("spawn")
        for number in range(self.count):
            ours, theirs = context.Pipe()
            process = context.Process(target=_process, args=(self.recipe, theirs), daemon=True)
            with signals_blocked(), script_set_apart(self.recipe):
                process.start()
            self._processes[number] = process
            self._pipes[number] = ours
            theirs.close()

    def workers(self) -> int:
        return len(self._pipes)

    def news(self, seconds: float) -> Iterator[tuple[int, News[Outcome]]]:
        numbers = {pipe: number for number, pipe in self._pipes.items()}
        ready: Any
        for ready in wait(list(numbers), seconds):
            number = numbers[ready]
            try:
                yield number, ready.recv()
            except (EOFError, OSError):
                del self._pipes[number]
                process = self._processes.pop(number)
                process.join()
                yield number, Left(process.exitcode)

    def give(self, worker: int, item: Item | None) -> None:
        with suppress(BrokenPipeError):  # it has ended, as will be seen
            self._pipes[worker].send(item)

    def dismiss(self) -> None:
        for process in self._processes.values():
            process.kill()
        for process in self._processes.values():
            process.join()


@dataclass(frozen=True)
class _LocalCrew:
    """Workers on this machine."""

    workers: int

    hired: ClassVar[type[Hired[Any, Any]]]

    def each(
        self, recipe: Recipe[Item, Outcome], items: Iterable[Item | None]
    ) -> Generator[tuple[Item, Outcome] | None]:
        return each_of(self.hired(recipe, self.workers), items)


class Processes(_LocalCrew):
    """A crew of processes."""

    hired = HiredProcesses


class Threads(_LocalCrew):
    """A crew of threads."""

    hired = HiredThreads


class Attendants(Generic[Item, Outcome]):
    """Processes that keep what they have made: each is told an item of its own, and answers."""

    def __init__(self, recipe: Recipe[Item, Outcome], count: int) -> None:
        self._hired: HiredProcesses[Item, Outcome] = HiredProcesses(recipe, count)
        self._count, self._started = count, False

    def ask(self, items: Sequence[Item]) -> list[Outcome]:
        """What each answers to its item, when all have."""
        if not self._started:
            self._started = True
            self._hired.start()
            weakref.finalize(self, self._hired.dismiss)
            self._heard(Ready)
        for worker, item in enumerate(items):
            self._hired.give(worker, item)
        return [news.outcome for news in self._heard(Done)]

    def _heard(self, kind: type[Any]) -> list[Any]:
        found: dict[int, Any] = {}
        while len(found) < self._count:
            for worker, news in self._hired.news(LOOK):
                if isinstance(news, Fault):
                    self.dismiss()
                    raise news.error
                if isinstance(news, Left):
                    self.dismiss()
                    raise WorkerDied("a worker process ended without a word")
                if isinstance(news, kind):
                    found[worker] = news
        return [found[worker] for worker in range(self._count)]

    def dismiss(self) -> None:
        """End them all."""
        self._hired.dismiss()


def _process(recipe: Recipe[Any, Any], parent: Connection) -> None:
    """The body of a worker process."""
    # Ctrl-C and SIGTERM go to all processes of a group, and are the parent's to handle
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    sys.stdout = sys.stderr  # what a problem or a player prints must not get into a result
    try:
        work = recipe.make()
        parent.send(Ready())
        while (item := parent.recv()) is not None:
            parent.send(Done(work(item, lambda: False)))
    except Exception as error:
        with suppress(OSError):  # a parent that was killed is told nothing
            parent.send(Fault(described(error, recipe.texts())))


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def described(error: Exception, texts: Iterable[str]) -> Exception:
    """An error as another process can have it: its one line, or all of its traceback."""
    if isinstance(error, PlayoutError):
        return type(error)(str(error))
    return users_fault(error, texts) or RuntimeError("".join(traceback.format_exception(error)))
