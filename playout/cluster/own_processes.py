"""The processes of a cluster of this machine alone: none of them outlives it.

Ray ends those that it knows of. Those that were just being started when Ctrl-C came are not among
them, and on a busy machine it takes them long to find out that they are alone. Those whom Ray
starts, and whoever is started by them, have a variable in their environment. Some of them write
over it when they change their title: they are known by who started them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

MARK = "PLAYOUT_LOCAL_CLUSTER"


@contextmanager
def marked(folder: str) -> Iterator[None]:
    """What is started in this block belongs to the cluster of a folder."""
    os.environ[MARK] = folder
    try:
        yield
    finally:
        del os.environ[MARK]


def processes_of(folder: str) -> set[Any]:
    """The processes that belong to the cluster of a folder."""
    import psutil  # which comes with Ray

    found = set()
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.pid != os.getpid() and process.environ().get(MARK) == folder:
                found |= {process, *process.children(recursive=True)}
    return found


def end_processes(processes: Iterable[Any]) -> None:
    """End those that are still there."""
    import psutil

    for process in processes:
        with suppress(psutil.Error, OSError):
            process.kill()
