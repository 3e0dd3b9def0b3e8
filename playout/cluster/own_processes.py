"""The processes of a cluster of this machine alone: none of them outlives it.

Ray ends those that it knows of. Those that were just being started when Ctrl-C came are not among
them, and on a busy machine it takes them long to find out that they are alone. They are known by a
variable of their environment, which is set while Ray starts and handed on by all that it starts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

MARK = "PLAYOUT_LOCAL_CLUSTER"


@contextmanager
def marked(folder: str) -> Iterator[None]:
    """What is started in this block belongs to the cluster of a folder."""
    os.environ[MARK] = folder
    try:
        yield
    finally:
        del os.environ[MARK]


def end_processes(folder: str) -> None:
    """End whoever is left of the cluster of a folder."""
    import psutil  # which comes with Ray

    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.pid != os.getpid() and process.environ().get(MARK) == folder:
                process.kill()
