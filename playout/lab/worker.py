"""The process of one task: a search, a game, an experiment. It knows nothing of HTTP.

The first line of its input is the task with its folder; the lines after it are commands. Its output
is events, as `playout solve --events` has them: one JSON object a line. When its input ends the lab
is gone: the search is stopped with its checkpoint, and the process ends.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playout.compiled.compile_errors import fault_line
from playout.errors import PlayoutError
from playout.lab.task import Task, as_stop
from playout.lab.task_folder import TaskFolder
from playout.run.events import event_line, telling
from playout.run.search import Search

CHECKPOINT_EVERY = 10.0  # seconds
PATIENCE = 600.0  # seconds without a step, after which a search is given up


class Voice:
    """Tells events; what a problem prints goes elsewhere."""

    def __init__(self) -> None:
        # what a problem prints, and what compiled code prints, must not be taken for an event
        self._out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        self._lock = threading.Lock()

    def __call__(self, event: dict[str, Any]) -> None:
        with self._lock:
            try:
                self._out.write(event_line(event) + "\n")
                self._out.flush()
            except OSError:  # the lab is gone, and the end of the input tells the same
                pass


def listen(take: Callable[[dict[str, Any]], None], gone: Callable[[], None]) -> None:
    """Take commands from the input, on a thread, until it ends."""

    def body() -> None:
        for line in sys.stdin:
            take(json.loads(line))
        gone()

    threading.Thread(target=body, name="commands", daemon=True).start()


def main() -> int:
    """Do the task that the first line tells."""
    tell = Voice()
    order = json.loads(sys.stdin.readline())
    task, folder = Task.from_json(order["task"]), TaskFolder(Path(order["folder"]))
    try:
        with folder.held():
            if task.kind == "solve":
                solving(task, folder, tell, order.get("patience", PATIENCE))
            elif task.kind == "game":
                from playout.lab.game_worker import playing

                playing(task, folder, tell)
            else:
                from playout.lab.study_worker import studying

                studying(task, tell, order.get("store"))
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        tell({"event": "failed", "error": fault_line(error)})
        return 2
    return 0


def solving(
    task: Task, folder: TaskFolder, tell: Callable[[dict[str, Any]], None], patience: float
) -> None:
    """A search of a problem, from its checkpoint if there is one."""
    from playout.algorithms import load_algorithm
    from playout.problems import PROBLEMS
    from playout.problems.instances import find_instance

    gone = threading.Event()
    stopped: list[Search] = []

    def end() -> None:
        gone.set()
        for search in stopped:
            search.stop()

    listen(lambda command: end() if command["command"] == "stop" else None, end)
    problem, name = find_instance(
        PROBLEMS.find(task.problem), task.instance or None, **task.problem_options
    )
    stop = as_stop(task.stop)
    search = Search(
        problem,
        load_algorithm(task.algorithm),
        stop,
        seed=task.seed,
        workers=task.workers,
        parallel=task.parallel,
        checkpoint=folder.checkpoint,
        checkpoint_every=CHECKPOINT_EVERY,
        instance=name,
    )
    stopped.append(search)
    if gone.is_set():
        search.stop()
    _give_up_late(search, tell, patience)
    with telling(search, stop, tell):
        try:
            result = search.run()
        except PlayoutError:
            if gone.is_set() and not folder.checkpoint.exists():
                tell({"event": "stopped"})  # before its first playout: nothing is lost
                return
            raise
    result.save(folder.result)
    data = result.to_json()
    del data["curve"]
    tell({"event": "finished", **data})


def _give_up_late(search: Search, tell: Callable[[dict[str, Any]], None], patience: float) -> None:
    """End the process if an objective of the user's own does not come back for so long."""

    def body() -> None:
        seen, waited = -1, 0.0
        while search.status in ("compiling", "running"):
            now = search.look().progress
            playouts = -1 if now is None else now.playouts
            waited = waited + 1.0 if playouts == seen and search.status == "running" else 0.0
            seen = playouts
            if waited >= patience:
                tell(
                    {
                        "event": "failed",
                        "error": f"no playout has ended for {patience:g} seconds: the search was "
                        "given up (--patience)",
                    }
                )
                os._exit(3)
            threading.Event().wait(1.0)

    threading.Thread(target=body, name="patience", daemon=True).start()


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    os._exit(code)  # at once: all is written, and threads may be compiling
