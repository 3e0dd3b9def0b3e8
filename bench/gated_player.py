"""A tree search that plays when as many cores are free as it has threads.

Games of several threads at once would take each other's cores, and which player loses more by that
is not what a duel is to show. So each core has a ticket, a lock on a file of its own; a search
waits, off its clock, until it holds one for each of its threads. What dies lets its tickets go.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playout.contract import Game
from playout.gametree.tree_search import TreeSearch
from playout.matches.player import TreePlayer

FOLDER = "PLAYOUT_TICKETS"  # the environment's name of the folder of tickets
LOOK = 0.0003  # seconds between two looks for a ticket


class Gated(TreePlayer):
    """`uct` with threads that have a core each."""

    def __init__(
        self, parallel: str = "tree", graph: str = "tree", threads: int = 1, levels: int = 2
    ) -> None:
        text = f"uct:parallel={parallel},graph={graph},levels={levels}"
        super().__init__(TreeSearch.parse(text), threads)

    def new_game(self, game: Game, seed: int) -> None:
        before = self._session
        super().new_game(game, seed)
        session = self._session
        if session is not before and session is not None:
            run = session.run

            def gated(*args: Any) -> Any:
                with tickets(self.workers):
                    return run(*args)

            session.run = gated  # type: ignore[method-assign, assignment]


@contextmanager
def tickets(wanted: int) -> Iterator[None]:
    """Hold so many of the tickets; who came first gets his first."""
    folder = Path(os.environ[FOLDER])
    held: list[int] = []
    with (folder / "turn").open() as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        paths = sorted(folder.glob("core-*"))
        while len(held) < wanted:
            for path in list(paths):
                if len(held) < wanted and (ticket := _taken(path)) is not None:
                    held.append(ticket)
                    paths.remove(path)
            if len(held) < wanted:
                time.sleep(LOOK)
    try:
        yield
    finally:
        for ticket in held:
            os.close(ticket)


def _taken(path: Path) -> int | None:
    file = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return None
    return file


def make_tickets(folder: Path, cores: int) -> None:
    """The files of a machine's tickets."""
    (folder / "turn").touch()
    for core in range(cores):
        (folder / f"core-{core:03d}").touch()
