"""Many runs in processes, as many as the minutes allow; each adds a line to a file.

The same command goes on where it was stopped: what is in the file is not run again.
"""

from __future__ import annotations

import json
import multiprocessing
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def rows(out: Path) -> list[Row]:
    """What was run before."""
    return [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []


@dataclass
class Runs:
    """Processes that work until the minutes are over.

    `longest` is what a run takes, in seconds: none begins that would not end in time.
    """

    workers: int
    minutes: float
    longest: float
    began: float = field(default_factory=time.monotonic)

    def __enter__(self) -> Runs:
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(self.workers, context)
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown()

    def prepare(self, work: Callable[[Any], object], tasks: list[Any]) -> None:
        """Do all of these first."""
        for number, _ in enumerate(self._pool.map(work, tasks), 1):
            self._tell(f"compiled: {number} of {len(tasks)}")
        print()

    def perform(self, work: Callable[[Any], Row], tasks: Iterable[Any], out: Path) -> None:
        """Do one task after another; the next is asked for when a process is free for it."""
        left, number = iter(tasks), 0
        running: set[Future[Row]] = set()
        with out.open("a") as file:
            while True:
                while len(running) < self.workers and self._there_is_time():
                    task = next(left, None)
                    if task is None:
                        break
                    running.add(self._pool.submit(work, task))
                if not running:
                    break
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                for future in ended:
                    print(json.dumps(future.result()), file=file, flush=True)
                    number += 1
                self._tell(f"runs: {number}")
        print()

    def _there_is_time(self) -> bool:
        return time.monotonic() - self.began + self.longest <= 60 * self.minutes

    def _tell(self, text: str) -> None:
        print(f"\r{text}, {time.monotonic() - self.began:.0f} s", end="", flush=True)
