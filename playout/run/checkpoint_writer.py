"""When a run's checkpoints are written, and by whom.

The arrays of a single search are written as they are, while it waits. Those of several are copies:
a thread packs and writes them, and the searches go on meanwhile.
"""

from __future__ import annotations

import threading
import time
import warnings
from pathlib import Path

from playout.errors import DataError
from playout.run.checkpoint import (
    CheckpointWarning,
    Identity,
    LastCheckpointWarning,
    write_checkpoint,
)
from playout.run.driver import Driver


class CheckpointWriter:
    """Writes the checkpoints of a run to one file, every so many seconds.

    A full disk must not cost what was found: a warning says so, and the older checkpoint stays.
    """

    def __init__(self, path: Path, identity: Identity, every: float) -> None:
        self._path, self._identity, self._every = path, identity, every
        self._next = time.perf_counter() + every
        self._thread: threading.Thread | None = None
        self._fault: DataError | None = None

    def look(self, run: Driver) -> None:
        """Write a checkpoint if it is time, and the last one is written."""
        if time.perf_counter() < self._next or (self._thread and self._thread.is_alive()):
            return
        self._tell(CheckpointWarning)
        state, copies = run.state(), run.copies()
        if len(run.workers) == 1:
            self._write(state, copies)
        else:
            self._thread = threading.Thread(target=self._write, args=(state, copies), daemon=True)
            self._thread.start()
        self._next = time.perf_counter() + self._every

    def last(self, run: Driver) -> None:
        """Write the checkpoint of a run that is over."""
        if self._thread is not None:
            self._thread.join()
        self._fault = None
        self._write(run.state(), run.copies())
        self._tell(LastCheckpointWarning)

    def _write(self, state: dict, copies: list[dict]) -> None:
        try:
            write_checkpoint(self._path, self._identity, state, copies)
        except DataError as error:
            self._fault = error

    def _tell(self, warning: type[CheckpointWarning]) -> None:
        if self._fault is not None:
            warnings.warn(f"no checkpoint: {self._fault}", warning, stacklevel=4)
            self._fault = None
