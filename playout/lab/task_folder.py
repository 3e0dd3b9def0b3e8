"""The folder of one task: what it is, its checkpoint, its curve, its result.

A lab that is started again finds every task in its folder. Who works on one holds the lock of a
file in it, which the operating system lets go of however the process ends: so two labs can show
the same tasks, and only one can work on each.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from playout.errors import DataError
from playout.lab.task import Task
from playout.study.store.claim_owner import is_locked, lock_file
from playout.text.input_files import read_bytes
from playout.text.json_text import is_natural, is_number, read_json
from playout.text.output_files import write_json

FORMAT = "playout-lab-task-1"
MOST_LINES = 20_000  # of a curve that is read back
MOST_TIME = 1e11  # seconds
MOST_CURVE = 256 << 20  # bytes of it


class TaskFolder:
    """Names and contents of the files."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.checkpoint = path / "run.ckpt"
        self.result = path / "result.json"
        self.game = path / "game.txt"
        self.log = path / "worker.log"
        self._task = path / "task.json"
        self._curve = path / "curve.jsonl"
        self._lock = path / "lock"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Work on the task alone; DataError if another process does."""
        with self._lock.open("ab") as file:
            # one that was told to end may need a moment
            for _ in range(40):
                if lock_file(file):
                    yield
                    return
                time.sleep(0.05)
        raise DataError("another lab works on this task")

    def is_held(self) -> bool:
        """Whether a process works on it."""
        return is_locked(self._lock)

    def write(self, task: Task, state: dict[str, Any]) -> None:
        """Keep the task and how it stands."""
        write_json(self._task, {"format": FORMAT, "task": task.to_json(), "state": state})

    def read(self) -> tuple[Task, dict[str, Any]]:
        """The task and how it stood; DataError if they are damaged."""
        data = read_json(self._task, "a task of the lab")
        if data.get("format") != FORMAT or not isinstance(data.get("state"), dict):
            raise DataError(f"{self._task} is no task of the lab ({FORMAT})")
        try:
            task = Task.from_json(data["task"])
            task.command(), task.python()  # which every page shows
            return task, {**data["state"], **_times(data["state"])}
        except (TypeError, ValueError, KeyError, AttributeError, OverflowError):
            raise DataError(f"{self._task} is damaged") from None

    def add_improved(self, event: dict[str, Any]) -> None:
        """Keep an event with improvements and the best moves."""
        with suppress(OSError), self._curve.open("a", encoding="utf-8") as file:
            file.write(json.dumps(event, separators=(",", ":")) + "\n")

    def improved(self) -> list[dict[str, Any]]:
        """The events that were kept, up to a line that was cut off or is damaged."""
        found: list[dict[str, Any]] = []
        with suppress(OSError, ValueError, RecursionError, DataError):
            for line in read_bytes(self._curve, MOST_CURVE).splitlines()[:MOST_LINES]:
                event = json.loads(line)
                if not _is_improved(event):
                    break
                found.append(event)
        return found

    def checkpoint_time(self) -> str:
        """When the checkpoint was written, as hours and minutes; empty if there is none."""
        with suppress(OSError):
            return time.strftime("%H:%M", time.localtime(self.checkpoint.stat().st_mtime))
        return ""

    def remove(self) -> None:
        """Take the folder away; of a link to one, the link."""
        if self.path.is_symlink():
            self.path.unlink(missing_ok=True)
            return
        for file in self.path.iterdir():
            with suppress(OSError):
                file.unlink()
        with suppress(OSError):
            self.path.rmdir()


def _times(state: dict[str, Any]) -> dict[str, float]:
    """When a task was asked for, and when it came to its status, if that is known."""
    names = ("created", "since")
    found: dict[str, float] = {name: float(state[name]) for name in names if name in state}
    if not all(0 <= value < MOST_TIME for value in found.values()):
        raise ValueError("a time")
    return found


def _is_improved(event: Any) -> bool:
    """Whether something is an event of improvements."""
    return (
        isinstance(event, dict)
        and is_natural(event.get("from"))
        and isinstance(event.get("points"), list)
        and all(isinstance(point, list) and len(point) == 3 for point in event["points"])
        and all(is_number(x) or isinstance(x, str) for point in event["points"] for x in point)
        and (event.get("records") is None or isinstance(event["records"], list))
    )
