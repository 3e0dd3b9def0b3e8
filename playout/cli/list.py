"""`playout list`: the problems, the algorithms and their options, the experiments, the data."""

from __future__ import annotations

import argparse
import inspect
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import Any

from playout.errors import OptionError, nearest

DESCRIPTION = """\
Show what there is. Without a word, an overview; with one, everything about the problems, the
algorithms (each option's name, default, values and meaning, and the paper), the experiments
(their tables) or the instances found in the data folder $PLAYOUT_DATA. A name after the word
narrows it to one.
"""

EPILOG = """\
examples:
  playout list                     an overview
  playout list algorithms          every algorithm with its options
  playout list algorithms gnrpa    one algorithm
  playout list problems samegame   one problem: its options and collections
  playout list experiments         the papers' tables that playout reproduce runs
  playout list data                the instances in $PLAYOUT_DATA
"""


def add(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "list",
        help="show the problems, the algorithms with their options, the experiments, the data",
        description=DESCRIPTION,
        epilog=EPILOG,
        usage="playout list [problems | algorithms | experiments | data] [NAME]",
    )
    parser.set_defaults(run=run)
    parser.add_argument("what", metavar="WHAT", nargs="?",
                        help="problems, algorithms, experiments or data")  # fmt: skip
    parser.add_argument("name", metavar="NAME", nargs="?", help="only this one")


def run(options: argparse.Namespace) -> int:
    """Print the list."""
    if options.what is None:
        print(_overview())
        return 0
    kinds = {
        "problems": _problems, "algorithms": _algorithms, "experiments": _experiments,
        "data": _data,
    }  # fmt: skip
    if options.what not in kinds:
        raise OptionError(f"there is no list of {options.what!r}; {nearest(options.what, kinds)}")
    print("\n\n".join(kinds[options.what](options.name)))
    return 0


def _overview() -> str:
    from playout.experiments import experiment_names, load_experiment
    from playout.problems import PROBLEMS
    from playout.searches import ALGORITHMS

    experiments = [(name, load_experiment(name).title) for name in experiment_names()]
    problems = [(name, entry.description) for name, entry in PROBLEMS.items()]
    algorithms = [(name, _title(cls)) for name, cls in ALGORITHMS.items()]
    return "\n".join([
        "problems", *_table(problems), "  and your own: file.py:Class", "",
        "algorithms", *_table(algorithms), "",
        "experiments", *_table(experiments), "",
        "more: playout list problems, algorithms, experiments or data",
    ])  # fmt: skip


def _problems(name: str | None) -> list[str]:
    from playout.problems import PROBLEMS, load_problem
    from playout.problems.instances import all_options

    parts = []
    for key in [name] if name else PROBLEMS:
        cls = load_problem(key)
        title = PROBLEMS[key].description if key in PROBLEMS else _title(cls)
        lines = [f"{key}: {title}"]
        if name and cls.__doc__:
            lines += ["", textwrap.indent(inspect.cleandoc(cls.__doc__), "  ")]
        rows = [
            (f"-p {option.name}", _default(option.default), option.expected())
            for option in all_options(cls).values()
            if option.kind is not None
        ]
        if rows:
            lines += ["", *_table([("option", "default", "takes"), *rows])]
        collections = getattr(cls, "collections", {})
        places = [
            (f"{key}/NAME", f"in $PLAYOUT_DATA/{place}") for key, place in collections.items()
        ]
        if places:
            lines += ["", *_table([("instances", ""), *places])]
        parts.append("\n".join(lines))
    return parts


def _algorithms(name: str | None) -> list[str]:
    from playout.searches import ALGORITHMS, algorithm_class
    from playout.searches.options import option_table

    parts = []
    for cls in [algorithm_class(name)] if name else ALGORITHMS.values():
        about = inspect.cleandoc(sys.modules[cls.__module__].__doc__ or "")
        lines = [cls.name, textwrap.indent(about, "  ")]
        rows = [(f"-o {key}", default, takes, text) for key, default, takes, text in
                option_table(cls)]  # fmt: skip
        if rows:
            lines += ["", *_table([("option", "default", "takes", "meaning"), *rows])]
        parts.append("\n".join(lines))
    return parts


def _experiments(name: str | None) -> list[str]:
    from playout.experiments import experiment_names, load_experiment

    parts = []
    for key in [name] if name else experiment_names():
        experiment = load_experiment(key)
        lines = [f"{experiment.name}: {experiment.title}"]
        if experiment.paper:
            lines += [f"  {experiment.paper}"]
        rows = [("table", "runs", "seconds", "what", "columns")]
        for table in experiment.tables:
            columns = ", ".join(table.columns())
            rows.append((table.name, str(table.runs), f"{table.seconds:g}", table.title, columns))
        lines += ["", *_table(rows)]
        parts.append("\n".join(lines))
    return parts


def _data(name: str | None) -> list[str]:
    from playout.problems import PROBLEMS
    from playout.problems.instances import data_folder, list_data

    if name is not None and name not in PROBLEMS:
        raise OptionError(f"there is no problem {name!r}; {nearest(name, PROBLEMS)}")
    folder = data_folder()
    if folder is None:
        return [
            "PLAYOUT_DATA is not set: set it to the folder that has collections of instances\n"
            "(every problem also has a default instance, and most have random ones)"
        ]
    rows = [("problem", "collection", "instances", "")]
    for data in list_data():
        if name in (None, data.problem):
            rows.append((data.problem, data.collection, str(len(data.instances)), _found(data)))
    return ["\n".join([f"{folder}", *_table(rows)])]


def _found(data: Any) -> str:
    if data.error:
        return data.error
    if not data.instances:
        return f"there is no {data.place}"
    names = [f"{data.collection}/{name}" for name in data.instances]
    return " ".join(names) if len(names) <= 3 else f"{names[0]} {names[1]} ... {names[-1]}"


def _title(cls: type) -> str:
    """The first line of a class's docstring."""
    return inspect.cleandoc(cls.__doc__ or "").partition("\n")[0]


def _default(value: Any) -> str:
    if value is inspect.Parameter.empty:
        return ""
    return str(value).lower() if isinstance(value, bool | None) else str(value)


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows in columns; the last column is wrapped to the width of the terminal."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    indent = 2 + sum(width + 2 for width in widths)
    room = max(30, shutil.get_terminal_size((120, 24)).columns - indent)
    lines = []
    for row in rows:
        head = "  " + "".join(f"{cell:<{w}}  " for cell, w in zip(row, widths, strict=False))
        body = textwrap.wrap(row[-1], room, break_long_words=False) or [""]
        lines.append((head + body[0]).rstrip())
        lines += [" " * indent + line for line in body[1:]]
    return lines
