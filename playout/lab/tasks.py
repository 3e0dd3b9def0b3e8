"""All tasks of the lab: found on disk, started, queued, stopped, removed."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from playout.errors import DataError, OptionError, PlayoutError
from playout.lab.asked import check_budget, check_stop
from playout.lab.shelf import MOST_TASKS, cores, shown
from playout.lab.task import Task
from playout.lab.task_folder import TaskFolder
from playout.lab.task_under_way import GAME_COMMANDS, UNDER_WAY, TaskUnderWay

MOST_SHOWN = 500  # of those that are finished
MOST_MOVE = 200  # characters of a move
_NUMBER = re.compile(r"[1-9][0-9]{0,14}")  # of a task: 7 and 007 would be one


class NotNow(PlayoutError):
    """Something that can be done, but not in this state."""


class TooMany(PlayoutError):
    """A limit of the lab."""


class Missing(PlayoutError):
    """A task that is not there."""


class Tasks:
    """Tasks by their numbers, each in a folder of its own."""

    def __init__(
        self,
        folder: Path,
        order: dict[str, Any] | None = None,
        check: Callable[[Task], None] = lambda task: None,
    ) -> None:
        self.folder, self._order, self.check = folder, order or {}, check
        self._all: dict[int, TaskUnderWay] = {}
        self._starting: set[asyncio.Task[None]] = set()
        self.faults: list[str] = []
        self._ending = False
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise DataError(f"cannot write {folder}: it is a file, not a folder") from None
        except OSError as error:
            raise DataError(f"cannot write {folder}: {error.strerror or error}") from None

    def find_all(self) -> None:
        """Find tasks on disk that are not known yet: of earlier labs, or of another one."""
        for path in self.folder.iterdir():
            if _NUMBER.fullmatch(path.name) and int(path.name) not in self._all:
                number, folder = int(path.name), TaskFolder(path)
                try:
                    self._add(TaskUnderWay.found(number, folder))
                except PlayoutError as error:
                    fault = str(error)
                    if fault not in self.faults:
                        self.faults.append(fault)
        for number, task in list(self._all.items()):
            if not task.folder.path.exists() and not task.is_busy():
                del self._all[number]  # another lab has removed it

    def _add(self, task: TaskUnderWay) -> None:
        self._all[task.number] = task
        task.on_end = self._go_on_with_queue

    def __getitem__(self, number: int) -> TaskUnderWay:
        if number not in self._all:
            self.find_all()
        if number not in self._all:
            raise Missing(f"there is no task {number}")
        return self._all[number]

    def newest(self) -> list[TaskUnderWay]:
        """All of them, the newest first."""
        return sorted(self._all.values(), key=lambda task: -task.number)[:MOST_SHOWN]

    def under_way(self) -> list[TaskUnderWay]:
        return [task for task in self._all.values() if task.status in UNDER_WAY]

    # what a page asks

    async def start(self, task: Task) -> TaskUnderWay:
        """A new task, in a new folder."""
        if len(self.under_way()) >= MOST_TASKS:
            raise TooMany(f"{MOST_TASKS} tasks are under way: stop or remove some")
        number = max([0, *self._all, *map(int, self._numbers())]) + 1
        while True:
            path = self.folder / str(number)
            try:
                path.mkdir()
                break
            except FileExistsError:  # by another lab, just now
                number += 1
            except OSError as error:
                raise DataError(f"cannot write {path}: {error.strerror or error}") from None
        new = TaskUnderWay(number, task, TaskFolder(path))
        self._add(new)
        new.keep()
        await self._begin(new)
        return new

    def _numbers(self) -> list[str]:
        return [path.name for path in self.folder.iterdir() if _NUMBER.fullmatch(path.name)]

    async def _begin(self, task: TaskUnderWay) -> None:
        """Start a task's process, or let it wait in the queue."""
        self.check(task.task)
        searches = [t for t in self._all.values() if t.is_busy() and t.task.kind != "game"]
        if task.task.kind != "game" and len(searches) >= cores():
            task._set("waiting")
            return
        await task.start(self._order)

    def _go_on_with_queue(self) -> None:
        """A process has ended: the oldest task that waits begins."""
        waiting = [task for task in self._all.values() if task.status == "waiting"]
        if waiting and not self._ending:
            begin = asyncio.create_task(self._begin(min(waiting, key=lambda task: task.number)))
            self._starting.add(begin)
            begin.add_done_callback(self._starting.discard)

    async def command(self, number: int, asked: Any) -> TaskUnderWay | None:
        """Do what a page asks of a task; None if it is gone after that."""
        task = self[number]
        if not isinstance(asked, dict) or not isinstance(asked.get("command"), str):
            raise OptionError("give a command")
        name = asked["command"]
        if task.is_held() and not task.is_busy():
            raise NotNow("another lab works on this task")
        if name == "remove":
            await task.stop()
            if self._all.pop(number, None) is task:  # another page may have been quicker
                task.folder.remove()
            return None
        if name == "go on":
            await self._go_on(task, asked)
        elif task.task.kind == "game" and name in GAME_COMMANDS:
            self._play(task, asked)
        elif name == "stop" and task.task.kind != "game":
            if task.status not in UNDER_WAY:
                raise NotNow(f"the task is {task.status}")
            await task.stop()
        else:
            raise OptionError(f"command {shown(name)}: nothing that this task can do")
        return task

    async def _go_on(self, task: TaskUnderWay, asked: dict[str, Any]) -> None:
        from dataclasses import replace

        if task.status in UNDER_WAY:
            raise NotNow(f"the task is {task.status}")
        if asked.get("stop") is not None:
            if task.task.kind != "solve":
                raise OptionError("stop: only a search has another budget")
            stop = check_stop(asked["stop"])
            task.task = replace(
                task.task, stop=stop, asked={**task.task.asked, "stop": dict(asked["stop"])}
            )
        elif task.status == "finished" and task.task.kind == "solve":
            raise NotNow("the search is finished: give it a larger budget to go on with")
        await self._begin(task)

    def _play(self, task: TaskUnderWay, asked: dict[str, Any]) -> None:
        """A command to the process of a game: checked here, obeyed there."""
        if not task.is_busy():
            raise NotNow("the game is closed: go on with it first")
        name, command = asked["command"], {"command": asked["command"]}
        if name == "play":
            command["move"] = _move(asked.get("move"))
        elif name == "variation":
            moves = asked.get("moves")
            if not isinstance(moves, list) or len(moves) > 200:
                raise OptionError("moves: a list")
            command["moves"] = [_move(move) for move in moves]
        elif name == "tree":
            command["open"] = asked.get("open") is True
        elif name == "seat":
            seat = asked.get("seat")
            if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < 64:
                raise OptionError(f"seat {shown(seat)}: the number of a seat, from 0")
            command["seat"] = seat
        elif name == "think":
            given = {unit: asked[unit] for unit in ("seconds", "simulations") if unit in asked}
            command |= check_budget(given or {"seconds": 20}, ("seconds", "simulations"))
        task.send(command)

    async def close(self) -> None:
        """End every process, each with its checkpoint; a second call waits for the first."""
        self._ending = True
        busy = [task for task in self._all.values() if task.is_busy()]
        await asyncio.gather(*(task.stop(compiling_seconds=0.2) for task in busy))
        for begin in list(self._starting):
            with suppress(asyncio.CancelledError):
                begin.cancel()


def _move(text: Any) -> str:
    if not isinstance(text, str) or not 0 < len(text) <= MOST_MOVE:
        raise OptionError(f"move {shown(text)}: the text of a move")
    return text
