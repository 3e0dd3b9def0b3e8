"""Several games at once: processes, or threads for players and games that exist only here.

A worker process gets the number of a game, plays it and sends back what came of it; it makes the
game and the players from their texts. It ends when its parent does, however that ended.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from queue import Empty, SimpleQueue
from typing import Any

from playout.errors import PlayoutError, ProblemError
from playout.matches.arena import Arena
from playout.matches.referee import Played, Stopped
from playout.matches.schedule import Slot
from playout.stop import Stop

LOOK = 0.2  # seconds between two looks at the clock

# told of a game that has ended, or now and then of none; says whether to go on
Take = Callable[[Slot | None, Played | None], bool]


@dataclass(frozen=True)
class Recipe:
    """An arena as another process can make it."""

    game: str
    players: tuple[str, ...]
    stop: Stop
    opening: int
    compiled: bool
    seed: int

    def arena(self) -> Arena:
        return Arena.make(self.game, self.players, self.stop, self.opening, self.compiled)


def play_here(arena: Arena, seed: int, slots: Sequence[Slot], take: Take) -> None:
    """Play games one after another."""
    team = arena.team()
    for slot in slots:
        if not take(slot, arena.play(slot, seed, team)):
            return


def play_in_threads(
    arena: Arena, seed: int, slots: Sequence[Slot], workers: int, take: Take
) -> None:
    """Play games in threads of this process: compiled searches run side by side in them."""
    left = deque(slots)
    over = threading.Event()
    told: SimpleQueue[tuple[Slot, Played] | BaseException | None] = SimpleQueue()

    def body() -> None:
        try:
            team = arena.team()
            while not over.is_set():
                slot = left.popleft()
                told.put((slot, arena.play(slot, seed, team, over.is_set)))
        except (IndexError, Stopped):
            told.put(None)
        except BaseException as error:
            told.put(error)
        else:
            told.put(None)

    team = [threading.Thread(target=body, daemon=True) for _ in range(min(workers, len(slots)))]
    for thread in team:
        thread.start()
    try:
        working = len(team)
        while working:
            try:
                news = told.get(timeout=LOOK)
            except Empty:
                take(None, None)
                continue
            if isinstance(news, BaseException):
                raise news
            if news is None:
                working -= 1
            elif not take(*news):
                return
    except KeyboardInterrupt:
        over.set()
        for thread in team:
            thread.join()
        while not told.empty():  # games that have ended already are not lost
            if isinstance(news := told.get(), tuple):
                take(*news)
        raise
    finally:
        over.set()
        for thread in team:
            thread.join()


def play_in_processes(recipe: Recipe, slots: Sequence[Slot], workers: int, take: Take) -> None:
    """Play games in processes of their own."""
    context = multiprocessing.get_context("spawn")
    left = deque(slots)
    team: dict[Any, Any] = {}
    doing: dict[Any, Slot] = {}
    try:
        for _ in range(min(workers, len(slots))):
            ours, theirs = context.Pipe()
            process = context.Process(target=_process, args=(recipe, theirs), daemon=True)
            with uninterrupted(), _blocked():  # Ctrl-C is this process's to handle
                process.start()
                team[ours] = process
            theirs.close()
            _give(ours, left, doing)
        while team:
            ready: Any
            for ready in wait(list(team), LOOK):
                try:
                    news = ready.recv()
                except (EOFError, ConnectionError):
                    _check_end(team.pop(ready), doing.get(ready))
                    continue
                if not isinstance(news, Played):
                    kind, text = news
                    raise kind(text)
                slot = doing.pop(ready)
                _give(ready, left, doing)
                if not take(slot, news):
                    return
            take(None, None)
    except KeyboardInterrupt:
        for ready, slot in list(doing.items()):  # games that have ended already are not lost
            with suppress(EOFError, OSError):
                if ready.poll() and isinstance(news := ready.recv(), Played):
                    take(slot, news)
        raise
    finally:
        for process in team.values():
            process.terminate()
        for process in team.values():
            process.join()


def _give(worker: Connection, left: deque[Slot], doing: dict[Any, Slot]) -> None:
    """Give a worker its next game, or send it home."""
    with suppress(BrokenPipeError):  # it has ended, as will be seen
        if left:
            doing[worker] = left.popleft()
            worker.send(doing[worker])
        else:
            worker.send(None)


def _process(recipe: Recipe, parent: Connection) -> None:
    """The body of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: os._exit(128 + number))
    threading.Thread(target=_die_with_parent, daemon=True).start()
    sys.stdout = sys.stderr  # what a player prints must not get into a result
    try:
        arena = recipe.arena()
        team = arena.team()
        while (slot := parent.recv()) is not None:
            parent.send(arena.play(slot, recipe.seed, team))
    except PlayoutError as error:
        parent.send((type(error), str(error)))
    except Exception as error:
        fault = described(error, (recipe.game, *recipe.players))
        parent.send((type(fault), str(fault)))


def described(error: Exception, texts: Sequence[str]) -> Exception:
    """An error in a file of the user's own, by its line; any other with its traceback."""
    if isinstance(error, PlayoutError):
        return error
    files = {os.path.realpath(file) for text in texts for file in _files_in(text)}
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if os.path.realpath(frame.filename) in files:
            place = f"{frame.filename}, line {frame.lineno}, in {frame.name}"
            return ProblemError(f"{place}: {type(error).__name__}: {error}")
    return RuntimeError("".join(traceback.format_exception(error)))


def _files_in(text: str) -> Iterator[str]:
    """The Python files that a game's or a player's text names."""
    for match in re.finditer(r"(?:^|=)([^=,]*?\.py)(?=:|,|$)", text):
        yield match[1]


def _check_end(process: Any, slot: Slot | None) -> None:
    process.join()
    if process.exitcode == 0:
        return
    code = process.exitcode
    what = f"signal {-code}" if code < 0 else f"code {code}"
    where = f" in game {slot.number}" if slot is not None else ""
    raise PlayoutError(f"a worker process ended with {what}{where}")


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back until the end of a block, in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[Any] = []
    before = signal.signal(signal.SIGINT, lambda *what: came.append(what))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)
        if came and callable(before):
            before(*came[0])


@contextmanager
def _blocked() -> Iterator[None]:
    """Keep Ctrl-C from a process that is started meanwhile."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which would unblock what is blocked here
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
