"""The process of a comparison or of a paper's tables: runs that are kept in the results store.

What is missing is run; a second one on the same store shares the work. It is ended as Ctrl-C ends
it, and goes on where it was.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playout.errors import PlayoutError
from playout.experiments import load_experiment
from playout.lab.reading import page_of
from playout.lab.task import Task, as_stop
from playout.lab.worker import listen
from playout.report.report import Report
from playout.study.compare import comparison_plan
from playout.study.kinds.solve import Solve
from playout.study.make_report import make_report
from playout.study.plan import Plan, Settings, make_plan
from playout.study.run_plan import run_plan
from playout.study.standing import Standing
from playout.study.store.results_store import open_store
from playout.text.grammar import value_text
from playout.text.repeating import repeating

EVERY = 0.25  # seconds between two standings
REPORT_EVERY = 1.0

Tell = Callable[[dict[str, Any]], None]


def studying(task: Task, tell: Tell, store: str | None) -> None:
    """Run what is missing."""

    def end() -> None:
        os.kill(os.getpid(), signal.SIGINT)

    listen(lambda command: end() if command["command"] == "stop" else None, end)
    tell({"event": "compiling"})
    plan = _plan(task)
    path = Path(store) if store else None
    watch = _Watch(task, plan, path, tell)
    with repeating(watch.look, EVERY, "figures"):
        report = run_plan(plan, store=path, workers=task.workers, progress=watch.take)
    watch.tell_report(report)
    tell(
        {
            "event": "finished",
            "stopped_by": "runs",
            "report": page_of("store", plan.experiment.name),
        }
    )


def _plan(task: Task) -> Plan:
    if task.kind == "paper":
        return make_plan(load_experiment(task.paper), Settings(scale=task.scale))
    options = {name: value_text(value) for name, value in task.problem_options.items()}
    searches = {
        text: Solve.parse(task.problem, text, task.instance, options) for text in task.algorithms
    }
    return comparison_plan(searches, as_stop(task.stop), task.runs)


class _Watch:
    """Tells how far it is, and of a comparison the figures so far."""

    def __init__(self, task: Task, plan: Plan, store: Path | None, tell: Tell) -> None:
        self._task, self._plan, self._store, self._tell = task, plan, store, tell
        self._standing: Standing | None = None
        self._told = -1, 0.0  # how many runs were done, and when it was told
        self._reported = -1, 0.0

    def take(self, standing: Standing) -> None:
        """Note how far it is, on the experiment's own thread."""
        self._standing = standing

    def look(self) -> None:
        """Tell what has changed, and the rest now and then."""
        standing, now = self._standing, time.monotonic()
        if standing is None:
            return
        done, when = self._told
        if standing.done == done and now - when < REPORT_EVERY:
            return
        self._told = standing.done, now
        self._tell(
            {
                "event": "standing",
                "done": standing.done,
                "total": standing.total,
                "left": standing.seconds_left,
                "text": standing.last,
            }
        )
        done, when = self._reported
        if standing.done != done and now - when >= REPORT_EVERY:
            self._reported = standing.done, now
            self._report()

    def _report(self) -> None:
        if self._task.kind != "compare":
            return
        try:
            with open_store(self._store, read_only=True) as store:
                self.tell_report(make_report(store, self._plan))
        except PlayoutError:
            return  # busy, or not there yet: the next look will tell

    def tell_report(self, report: Report) -> None:
        """Tell the curves with their bands, and the figures at the whole budget."""
        if self._task.kind != "compare":
            return
        table = report.tables[0]
        cells = [table.cell(table.rows[-1], column) for column in table.columns]
        self._tell(
            {
                "event": "runs",
                "unit": table.row_title,
                "report": page_of("store", report.name),
                "curves": [
                    {"name": curve.name, "runs": curve.runs, "points": curve.points}
                    for picture in table.pictures
                    for curve in picture.curves
                ],
                "rows": [
                    {
                        "algorithm": cell.column,
                        "runs": cell.ours.runs,
                        "mean": cell.ours.value,
                        "low": cell.ours.low,
                        "high": cell.ours.high,
                        "verdict": cell.verdict,
                        "p": cell.p,
                    }
                    for cell in cells
                    if cell is not None and cell.ours is not None
                ],
            }
        )
