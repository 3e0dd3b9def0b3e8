"""Where `--events` goes: a file, or the standard output, a line of JSON for each event."""

from __future__ import annotations

import sys
import threading
import warnings
from contextlib import suppress
from typing import IO, Any

from playout.cli.outputs import output_file
from playout.errors import NotWrittenWarning
from playout.run.events import event_line

STANDARD_OUTPUT = "-"


class EventFile:
    """Takes events from any thread; a reader sees each at once.

    When the disk is full, or nobody reads any more, the search goes on without.
    """

    def __init__(self, name: str) -> None:
        self._name, self._lock, self._failed = name, threading.Lock(), False
        self._file: IO[str] = sys.stdout
        if name != STANDARD_OUTPUT:
            path = output_file("events", name)
            assert path is not None
            self._file = path.open("w", encoding="utf-8")

    def tell(self, event: dict[str, Any]) -> None:
        """Write one event."""
        with self._lock:
            if self._failed:
                return
            try:
                self._file.write(event_line(event) + "\n")
                self._file.flush()
            except OSError as error:
                self._failed = True
                if not isinstance(error, BrokenPipeError):
                    reason = error.strerror or error
                    warnings.warn(
                        f"no more events: cannot write {self._name}: {reason}",
                        NotWrittenWarning,
                        stacklevel=2,
                    )

    def __enter__(self) -> EventFile:
        return self

    def __exit__(self, *error: Any) -> None:
        if self._name != STANDARD_OUTPUT:
            with suppress(OSError):  # every line was flushed, or it was said that one was not
                self._file.close()
