"""The workers of an experiment: processes, or threads for a problem that exists only here.

Each run has a worker of its own. Workers share nothing but the store, so a second `playout`
on the same store is more of the same. A worker process ends when its parent does, however
that ended; what it had not finished is done again by the next.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from playout.contract import Problem
from playout.errors import PlayoutError, ProblemError
from playout.provenance import Provenance
from playout.study.kinds.kinds import Stopped, users_fault
from playout.study.store.owner_lock import sweep
from playout.study.store.results_store import Store
from playout.study.worker import Event, Job, work

LOOK = 0.2  # seconds


class WorkerDied(PlayoutError):
    """A worker process ended without a word."""


def run_processes(
    path: Path, jobs: list[Job], workers: int, on_event: Callable[[Event | None], None]
) -> None:
    """Do the jobs in processes; `on_event` gets what they tell, and None now and then."""
    context = multiprocessing.get_context("spawn")
    provenance = Provenance.here()
    team: dict[Any, Any] = {}
    doing: dict[Any, int] = {}
    try:
        with _ctrl_c_later():
            for _ in range(min(workers, len(jobs))):
                ours, theirs = context.Pipe(duplex=False)
                process = context.Process(
                    target=_process, args=(path, jobs, provenance, theirs), daemon=True
                )
                process.start()
                theirs.close()
                team[ours] = process
        while team:
            ready: Any
            for ready in wait(list(team), LOOK):
                try:
                    message: Any = ready.recv()
                except EOFError:
                    _check_end(team.pop(ready), jobs, doing.get(ready))
                    continue
                if isinstance(message, Event):
                    doing[ready] = message.job
                    on_event(message)
                else:
                    raise _fault(message, jobs[doing[ready]] if ready in doing else None)
            on_event(None)
    finally:
        for process in team.values():
            process.terminate()
        for process in team.values():
            process.join()
        if team:
            with suppress(PlayoutError), Store(path) as store:
                store.release_dead()
            sweep(path)


@contextmanager
def _ctrl_c_later() -> Iterator[None]:
    """Ctrl-C waits until the workers have been started; it is not for them, from their birth on."""
    before = signal.getsignal(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not main or not callable(before) or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which would unblock what is blocked here
    caught: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: caught.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, before)
    if caught:
        before(signal.SIGINT, None)


def run_threads(
    path: Path,
    jobs: list[Job],
    workers: int,
    on_event: Callable[[Event | None], None],
    problems: Mapping[str, Problem],
) -> None:
    """Do the jobs in threads of this process: compiled searches run side by side in them."""
    over = threading.Event()
    told: SimpleQueue[Event | None] = SimpleQueue()  # None: a worker has ended
    provenance = Provenance.here()
    faults: list[BaseException] = []

    def body() -> None:
        try:
            work(path, jobs, provenance, told.put, over.is_set, problems)
        except Stopped:
            pass
        except BaseException as error:
            faults.append(error)
            over.set()
        finally:
            told.put(None)

    team = [threading.Thread(target=body, daemon=True) for _ in range(min(workers, len(jobs)))]
    for thread in team:
        thread.start()
    try:
        working = len(team)
        while working:
            try:
                event = told.get(timeout=LOOK)
                working -= event is None
            except Empty:
                event = None
            on_event(event)
    finally:
        over.set()
        for thread in team:
            thread.join()
    if faults:
        raise faults[0]


def _process(path: Path, jobs: list[Job], provenance: Provenance, tell: Connection) -> None:
    """The body of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # at once, whatever is being imported
    threading.Thread(target=_die_with_parent, daemon=True).start()

    def say(event: Event) -> None:
        tell.send(event)

    sys.stdout = sys.stderr  # what a problem prints must not get into a report
    try:
        work(path, jobs, provenance, say, lambda: False)
    except PlayoutError as error:
        tell.send((type(error), str(error)))
    except Exception as error:
        tell.send(_described(error, jobs))


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _described(error: Exception, jobs: list[Job]) -> tuple[type[Exception], str]:
    """An error of the user's own code by its line; any other with its traceback."""
    fault = users_fault(error, [job.search for job in jobs])
    return (RuntimeError, traceback.format_exc()) if fault is None else (ProblemError, str(fault))


def _fault(message: tuple[type[Exception], str], job: Job | None) -> Exception:
    kind, text = message
    if job is not None and issubclass(kind, ProblemError):
        text = f"{text} (in {job.place.cell}, seed {job.place.seed})"
    return kind(text)


def _check_end(process: Any, jobs: list[Job], doing: int | None) -> None:
    process.join()
    if process.exitcode == 0:
        return
    what = f"signal {-process.exitcode}" if process.exitcode < 0 else f"code {process.exitcode}"
    where = ""
    if doing is not None:
        where = f" in {jobs[doing].place.cell}, seed {jobs[doing].place.seed}"
    raise WorkerDied(
        f"a worker process ended with {what}{where}; what was finished is in the store"
    )
