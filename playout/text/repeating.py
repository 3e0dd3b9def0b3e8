"""Something done again and again while other work goes on: on a thread, within a `with` block."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def repeating(look: Callable[[], object], seconds: float, name: str) -> Iterator[None]:
    """In a block, call `look` every so many seconds on a thread, which has ended behind it."""
    over = threading.Event()

    def body() -> None:
        while not over.wait(seconds):
            look()

    thread = threading.Thread(target=body, name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
