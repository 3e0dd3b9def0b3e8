"""The papers' tables, one file a paper: a new file here is a new experiment.

Each module has an `EXPERIMENT`, plain data made with the functions of
`playout.study.specification`. A user's own experiment is such a file anywhere:
`playout reproduce my_experiment.py`. A module whose tables take trained policies has `make(models)`
as well: its experiment with these files.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from playout.errors import OptionError, ProblemError, nearest
from playout.study.specification import Experiment


def experiment_names() -> list[str]:
    """The names of the experiments that come with the package."""
    return sorted(module.name for module in iter_modules(__path__))


def load_experiment(text: str, models: Sequence[str] = ()) -> Experiment:
    """The experiment that a command line names: a name, or `path/to/file.py`.

    `models` are files with trained policies for it.
    """
    if text.endswith(".py"):
        return _own(text, models)
    if text not in experiment_names():
        hint = nearest(text, experiment_names())
        raise OptionError(f"there is no experiment {text!r}; {hint} (your own is path/to/file.py)")
    experiment: Experiment = _made(import_module(f"{__name__}.{text}"), text, models)
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
    if experiment.name in experiment_names():
        raise ProblemError(
            f"{path}: its experiment is named {experiment.name!r} like one of the package; "
            f"name it otherwise, {Path(path).stem!r} for example"
        )
    return experiment
