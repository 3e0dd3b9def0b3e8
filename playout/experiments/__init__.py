"""The papers' tables, one file a paper; a new one is a file here and a line in `EXPERIMENTS`.

Each module has an `EXPERIMENT`, plain data made with the functions of
`playout.study.specification`. What the paper prints is in `tables/`, for `printed` to read. A
user's own experiment is such a file anywhere: `playout reproduce my_experiment.py`. A module whose
tables take trained policies has `make(models)` as well: its experiment with these files.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playout.errors import OptionError, ProblemError
from playout.study.specification import Experiment
from playout.text.registry import Entry, Registry

EXPERIMENTS = Registry(
    "experiment",
    "playout.experiments",
    {
        "alphamu": Entry("playout.experiments.alphamu"),
        "coloring": Entry("playout.experiments.coloring"),
        "gnrpa": Entry("playout.experiments.gnrpa"),
        "inversefolding": Entry("playout.experiments.inversefolding"),
        "jass": Entry("playout.experiments.jass"),
        "mbm": Entry("playout.experiments.mbm"),
        "policymcts": Entry("playout.experiments.policymcts"),
        "ordinal": Entry("playout.experiments.ordinal"),
        "ordinal-levels": Entry("playout.experiments.ordinal_levels"),
        "ppa": Entry("playout.experiments.ppa"),
        "slowtree": Entry("playout.experiments.slowtree"),
        "snrpa": Entry("playout.experiments.snrpa"),
        "solver": Entry("playout.experiments.solver"),
        "zonnscan": Entry("playout.experiments.zonnscan"),
    },
)


def load_experiment(text: str, models: Sequence[str] = ()) -> Experiment:
    """The experiment that a command line names: a name, or `path/to/file.py`.

    `models` are files with trained policies for it.
    """
    if text.endswith(".py"):
        return _own(text, models)
    module = EXPERIMENTS.find(text, " (your own is path/to/file.py)")
    experiment: Experiment = _made(module, text, models)
    return experiment


def _made(module: Any, name: str, models: Sequence[str]) -> Any:
    """The experiment of a module, with models if there are some."""
    if not models:
        return getattr(module, "EXPERIMENT", None)
    if not hasattr(module, "make"):
        raise OptionError(f"--model: {name} uses no trained policy")
    return module.make(models)


def _own(path: str, models: Sequence[str]) -> Experiment:
    from playout.text.user_files import load_module

    experiment = _made(load_module(path), path, models)
    if not isinstance(experiment, Experiment):
        raise ProblemError(
            f"{path} has no EXPERIMENT: write EXPERIMENT = playout.study.Experiment(...)"
        )
    if experiment.name in EXPERIMENTS:
        raise ProblemError(
            f"{path}: its experiment is named {experiment.name!r} like one of the package; "
            f"name it otherwise, {Path(path).stem!r} for example"
        )
    return experiment
