"""One task in the lab: its process, what it has told so far, and who watches."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

from playout.errors import DataError
from playout.lab.task import Task
from playout.lab.task_folder import TaskFolder

EVERY = 0.25  # seconds between two updates of a stream
STILL_THERE = 15.0  # seconds, after which a stream says that it is
STOP_SECONDS = 1.0  # for a process that compiles to end once it is told to: it has no result
STOP_AT_MOST = 5.0  # for one that has to write its checkpoint
LONGEST_LINE = 1 << 25  # bytes of an event
MOMENTS = 10**12  # versions from here on are those of points of the curve
RECENT = 16  # versions that are kept
MOST_KEPT = 400  # solutions of earlier moments
PAGES = {"solve": "/search/", "game": "/play/", "compare": "/compare/", "paper": "/compare/"}
BUSY = ("starting", "compiling", "running", "stopping", "ready", "thinking", "over")
UNDER_WAY = ("waiting", *BUSY)
# commands that a game's process takes
GAME_COMMANDS = ("play", "think", "reply", "undo", "resign", "seat", "tree", "variation", "stop")


class TaskUnderWay:
    """A task with its newest events; all of it on the server's one thread."""

    def __init__(self, number: int, task: Task, folder: TaskFolder) -> None:
        self.number, self.task, self.folder = number, task, folder
        self.created = self.since = time.time()
        self.status, self.error, self.where = "waiting", "", ""
        self.curve: list[list[Any]] = []
        self.records: list[Any] = []
        self.version = 0  # of the records; no task begins where another has
        # moves of earlier moments are kept as text: as lists they take twenty times the room
        self.kept: list[tuple[int, str]] = []  # last improvement, and its moves
        self._recent: dict[int, str] = {}  # versions that a page may still be showing
        self.verified: bool | None = None
        self.watched = 0
        self.on_end: Callable[[], None] = lambda: None
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._news: dict[str, tuple[int, dict[str, Any]]] = {}  # the newest of each kind
        self._count = 0
        self._summary_count = 0
        self._changed = asyncio.Event()
        self._asked_to_end = False
        self._last = ""  # the status once its process has ended
        self._begin_versions()

    def _begin_versions(self) -> None:
        """Versions are in addresses that a browser keeps: a number used again has others."""
        self._first = self.version = int(self.created) % 10**6 * 10**5

    # on disk

    @classmethod
    def found(cls, number: int, folder: TaskFolder) -> TaskUnderWay:
        """A task of an earlier lab, or of another one; DataError if its folder is damaged."""
        task, state = folder.read()
        self = cls(number, task, folder)
        self.created = state.get("created", self.created)
        self.since = state.get("since", self.since)
        self.status = str(state.get("status", "paused"))
        self.error, self.where = str(state.get("error", "")), str(state.get("where", ""))
        self._begin_versions()
        for event in folder.improved():
            self._improve(event)
        for name in ("progress", "finished"):
            if isinstance(state.get(name), dict):
                self._news[name] = (0, state[name])
        if self.status in UNDER_WAY and not folder.is_held():
            self.status = "closed" if task.kind == "game" else "paused"
        return self

    def keep(self) -> None:
        """Write how it stands."""
        state: dict[str, Any] = {
            "created": self.created,
            "since": self.since,
            "status": self.status,
            "error": self.error,
            "where": self.where,
        }
        for name in ("progress", "finished"):
            if name in self._news:
                state[name] = self._news[name][1]
        with suppress(DataError):  # a full disk must not cost the search
            self.folder.write(self.task, state)

    # its process

    def is_busy(self) -> bool:
        return self.status in BUSY and self._process is not None

    def is_held(self) -> bool:
        """Whether another lab works on it."""
        return self._process is None and self.folder.is_held()

    async def start(self, order: dict[str, Any]) -> None:
        """Start its process, or go on with it; `order` is what the process is told besides."""
        self._asked_to_end, self._last = False, ""
        self.error = self.where = ""
        for name in ("failed", "refused", "finished"):
            self._news.pop(name, None)
        self._set("starting")
        with self.folder.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "playout.lab.worker",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                limit=LONGEST_LINE,
                start_new_session=True,  # Ctrl-C is for the lab, which tells it
            )
        self.send({"task": self.task.to_json(), "folder": str(self.folder.path), **order})
        self._reader = asyncio.create_task(self._read(self._process))

    def send(self, command: dict[str, Any]) -> None:
        """Tell the process something; it may be gone."""
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError, RuntimeError):
                self._process.stdin.write(json.dumps(command).encode() + b"\n")

    async def stop(self, compiling_seconds: float = STOP_SECONDS) -> None:
        """Have the process end with its checkpoint, and wait for it."""
        process = self._process
        if process is None:
            if self.status == "waiting":
                self._set("paused")
            return
        compiling = self.status in ("starting", "compiling")
        if not self._asked_to_end:
            self._asked_to_end = True
            if self.task.kind != "game":
                self._set("stopping")
                self.send({"command": "stop"})
            if process.stdin is not None:
                process.stdin.close()
        reader = self._reader
        assert reader is not None
        with suppress(TimeoutError):
            seconds = compiling_seconds if compiling else STOP_AT_MOST
            await asyncio.wait_for(asyncio.shield(reader), seconds)
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await reader

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        """Take in what the process tells, until it ends."""
        assert process.stdout is not None
        try:
            async for line in process.stdout:
                self._take(json.loads(line))
        except ValueError:
            self._fail("the search's process told something that is no event")
            process.kill()
        code = await process.wait()
        self._process = None
        self._ended(code)
        self.keep()
        self.on_end()

    def _ended(self, code: int) -> None:
        if self.status == "failed":
            return
        if self._last:
            self._set(self._last)
            return
        if self._asked_to_end or code == 0:
            self._set("closed" if self.task.kind == "game" else "paused")
            return
        what = "was killed" if code < 0 else f"ended with code {code}"
        when = self.folder.checkpoint_time()
        there = f"; its checkpoint of {when} is there" if when else ""
        self.error = f"the search's process {what}{there}"
        self._set("killed")

    # events

    def _take(self, event: dict[str, Any]) -> None:
        name = event.pop("event")
        if name == "compiling":
            self._set("compiling")
        elif name == "improved":
            self._improve(event)
            self.folder.add_improved(event)
        elif name == "failed":
            self._fail(event["error"], event.get("where", ""))
        elif name == "stopped":
            pass
        elif name == "finished":
            self.verified = event.get("verified")
            # it can go on, or be removed, once its process has ended
            self._last = "paused" if event.get("stopped_by") == "asked" else "finished"
            self._note("finished", event)
        else:
            self._follow(name, event)
            self._note(name, event)
        self._tell()

    def _follow(self, name: str, event: dict[str, Any]) -> None:
        """What an event says of the status."""
        if name in ("progress", "standing") and self.status != "running":
            self._set("stopping" if self._asked_to_end else "running")
        elif name == "position":
            if event["rewards"] is not None:
                self._set("over")
            else:
                self._set("ready" if event["you"] else "thinking")
        elif name == "view" and event["done"] and self.status == "thinking":
            pass

    def _improve(self, event: dict[str, Any]) -> None:
        """Take in improvements: the curve from a point on, and the best moves."""
        before, start = self.curve, int(event["from"])
        self.curve = before[:start] + list(event["points"])
        same = [a[2] == b[2] for a, b in zip(before, self.curve)]
        self.kept = [(i, moves) for i, moves in self.kept if i < len(same) and same[i]]
        if event.get("records") is not None and self.curve:
            self.records = event["records"]
            self.version += 1
            moves = json.dumps(self.records, separators=(",", ":"))
            self._recent[self.version] = moves
            self._recent.pop(self.version - RECENT, None)
            self.kept.append((len(self.curve) - 1, moves))
            if len(self.kept) > MOST_KEPT:  # every second one is enough
                self.kept = [*self.kept[:-1:2], self.kept[-1]]
        self._summary_count += 1

    def _fail(self, error: str, where: str = "") -> None:
        self.error, self.where = error, where
        self._note("failed", {"error": error, "where": where})
        self._set("failed")

    def _note(self, name: str, event: dict[str, Any]) -> None:
        self._count += 1
        self._news[name] = (self._count, event)

    def _set(self, status: str) -> None:
        if status != self.status:
            self.status, self.since = status, time.time()
            self._summary_count += 1
            self.keep()
        self._tell()

    def _tell(self) -> None:
        self._count += 1
        self._changed.set()

    # for pages

    def summary(self) -> dict[str, Any]:
        """All that a list of tasks shows."""
        held = self.is_held()
        progress: dict[str, Any] = {}
        for name in ("progress", "finished", "standing"):
            if name in self._news:
                progress |= self._news[name][1]
        checkpoint = "" if self.task.kind != "solve" else self.folder.checkpoint_time()
        stopped = self.status in ("paused", "killed", "closed", "finished", "failed")
        return {
            "id": self.number,
            "kind": self.task.kind,
            "title": self.task.title,
            "page": f"{PAGES[self.task.kind]}{self.number}",
            "task": self.task.asked,
            "status": "running" if held and self.status in UNDER_WAY else self.status,
            "since": self.since,
            "created": self.created,
            "best": self.curve[-1][2] if self.curve else None,
            "playouts": progress.get("playouts", 0),
            "seconds": progress.get("seconds", 0.0),
            "done": progress.get("done"),
            "total": progress.get("total"),
            "verified": self.verified,
            "goes_on": stopped and not held,
            "error": self.error,
            "where": self.where,
            "checkpoint": checkpoint,
            "command": self.task.command(),
            "python": self.task.python(),
            "film": {"version": self.version, "length": len(self.records)}
            if self.records
            else None,
            "held": held,
        }

    def version_of(self, point: int) -> int:
        """The version that is the best solution at a point of the curve."""
        return MOMENTS + self._first + point

    def moves_of(self, version: int) -> list[Any] | None:
        """The moves of a version: one of the newest, or the first kept from a point on."""
        moves = self._recent.get(version)
        point = version - MOMENTS - self._first
        if moves is None and 0 <= point < len(self.curve):
            moves = next((moves for last, moves in self.kept if last >= point), None)
        return None if moves is None else json.loads(moves)

    async def updates(self, ending: asyncio.Event) -> AsyncIterator[dict[str, Any] | None]:
        """What is new, a few times a second at most; None now and then if nothing is."""
        seen, points, version, summary = -1, 0, 0, -1
        self.watched += 1
        last: list[list[Any]] = []
        try:
            while not ending.is_set():
                self._changed.clear()
                news = {name: event for name, (n, event) in self._news.items() if n > seen}
                update: dict[str, Any] = {
                    "number": self._count,
                    "status": self.status,
                    "news": news,
                }
                seen = self._count
                if summary != self._summary_count:
                    update["summary"], summary = self.summary(), self._summary_count
                if self.curve is not last:
                    points = _same(last, self.curve)
                    update["curve"] = {"from": points, "points": self.curve[points:]}
                    last = self.curve
                if self.records and self.version != version:
                    version = self.version
                    update["film"] = {"version": version, "length": len(self.records)}
                yield update
                await _any_of(ending, EVERY)
                while not self._changed.is_set() and not ending.is_set():
                    if not await self._wait(ending):
                        yield None
        finally:
            self.watched -= 1

    async def _wait(self, ending: asyncio.Event) -> bool:
        """Wait for something new or the end; whether it came."""
        waits = [asyncio.create_task(event.wait()) for event in (self._changed, ending)]
        try:
            done, _ = await asyncio.wait(
                waits, timeout=STILL_THERE, return_when=asyncio.FIRST_COMPLETED
            )
            return bool(done)
        finally:
            for wait in waits:
                wait.cancel()


async def _any_of(ending: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(ending.wait(), seconds)


def _same(a: list[Any], b: list[Any]) -> int:
    """How many points at the beginning two curves share."""
    count = 0
    for x, y in zip(a, b):
        if x != y:
            break
        count += 1
    return count
