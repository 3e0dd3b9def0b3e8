"""`reproduce`: run a paper's tables, or those of an experiment of one's own, and report them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from playout.experiments import load_experiment
from playout.report.report import Report
from playout.study.plan import Settings, make_plan
from playout.study.run_plan import run_plan
from playout.study.specification import Experiment
from playout.study.standing import Standing


def reproduce(
    experiment: Experiment | str,
    *,
    models: Sequence[str] = (),
    workers: int | None = None,
    store: str | Path | None = None,
    progress: Callable[[Standing], None] | None = None,
    say: Callable[[str], None] | None = None,
    pictures: bool = True,
    cluster: str | None = None,
    **settings: Any,
) -> Report:
    """Run the tables of a paper and report our figures beside the printed ones.

    Parameters
    ----------
    experiment : Experiment, or text
        A name, as `playout list experiments` shows them, or `path/to/file.py`.
    models : files
        Trained policies, for an experiment with policies; those of the package if none is given.
    workers : int
        Runs at once; as many as there are cores for, if none is given.
    store : path
        The results store: what it has already is not run again. The user's own if none is given.
    progress : function of a Standing
        Told how far the runs are.
    say : function of a text
        Told how much there is to do at most, and what cannot be run here.
    pictures : bool
        Whether the report has the anytime curves.
    cluster : str
        Have the workers on nodes of a Ray cluster, as `solve` does.
    settings
        How much of it: `scale`, `runs`, `seconds`, `playouts`, `by`, `only`, as
        `playout.study.plan.Settings` has them.

    Examples
    --------
    >>> import tempfile, playout as po
    >>> from playout.study import Experiment, Solve, curve_table
    >>> columns = {"by chance": Solve("maximum", "random"), "NRPA": Solve("maximum", "nrpa")}
    >>> table = curve_table("1", "mean score", columns, (0.1, 0.2), playouts=40, runs=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = po.reproduce(Experiment("mine", "Which is better?", (table,)),
    ...                           playouts=40, workers=1, store=f"{folder}/runs.sqlite")
    >>> report.tables[0].columns
    ('by chance', 'NRPA')
    """
    if isinstance(experiment, str):
        experiment = load_experiment(experiment, models)
    if "playouts" in settings:
        settings.setdefault("by", "playouts")
    chosen = Settings(**{**settings, "only": tuple(settings.get("only", ()))})
    plan = make_plan(experiment, chosen)
    return run_plan(
        plan,
        store=store,
        workers=workers,
        progress=progress,
        say=say,
        pictures=pictures,
        cluster=cluster,
    )
