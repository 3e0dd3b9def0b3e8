"""`playout list`: problems, algorithms and options, games and searches, experiments, data."""

from __future__ import annotations

import argparse
import inspect
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from playout.cli.arguments import Parser
from playout.errors import OptionError, PlayoutError, nearest

USAGE = "playout list [problems | algorithms | games | searches | experiments | data] [NAME]"

DESCRIPTION = """\
Show what there is. Without a word, an overview; with one, everything about the problems, the
algorithms (each option's name, default, values and meaning, and the paper), the games, the tree
searches for them, the experiments (their tables) or the instances found in the data folder
$PLAYOUT_DATA. A name after the word narrows it to one.
"""

EPILOG = """\
examples:
  playout list                     an overview
  playout list algorithms          every algorithm with its options
  playout list algorithms gnrpa    one algorithm
  playout list problems samegame   one problem: its options and collections
  playout list games hex           one game: its options and notation
  playout list searches            tree policies and playout policies, for -a of play and match
  playout list experiments         the papers' tables that playout reproduce runs
  playout list data                the instances in $PLAYOUT_DATA
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    arguments = parser.group()
    arguments("[WHAT]", "problems, algorithms, games, searches, experiments or data")
    arguments("[NAME]", "only this one")


def run(options: argparse.Namespace) -> int:
    """Print the list."""
    if options.what is None:
        print(_overview())
        return 0
    kinds = {
        "problems": _problems,
        "algorithms": _algorithms,
        "games": _games,
        "searches": _searches,
        "experiments": _experiments,
        "data": _data,
    }
    if options.what not in kinds:
        raise OptionError(f"there is no list of {options.what!r}; {nearest(options.what, kinds)}")
    print("\n\n".join(kinds[options.what](options.name)))
    return 0


def _overview() -> str:
    from playout.algorithms import ALGORITHMS
    from playout.experiments import EXPERIMENTS, load_experiment
    from playout.games import GAMES
    from playout.gametree import TREE_POLICIES, WORLD_SEARCHES
    from playout.problems import PROBLEMS

    games = [(name, GAMES.description(name)) for name in GAMES]
    experiments = [(name, load_experiment(name).title) for name in EXPERIMENTS]
    problems = [(name, PROBLEMS.description(name)) for name in PROBLEMS]
    algorithms = [(name, ALGORITHMS.description(name)) for name in ALGORITHMS]
    own = "  and your own: file.py:Class"
    parts = [
        ["problems", *_table(problems), own],
        ["algorithms", *_table(algorithms)],
        ["games", *_table(games), own],
        ["tree searches for games", "  " + ", ".join(TREE_POLICIES)],
        [
            "searches over worlds, for games with luck or hidden cards",
            "  " + ", ".join(WORLD_SEARCHES),
        ],
        ["experiments", *_table(experiments)],
        ["more: playout list problems, algorithms, games, searches, experiments or data"],
    ]
    return "\n\n".join("\n".join(lines) for lines in parts)


def _problems(name: str | None) -> list[str]:
    from playout.contract.loadable import check_collections
    from playout.problems import PROBLEMS
    from playout.problems.instances import instance_options

    parts = []
    for key in [name] if name else PROBLEMS:
        cls = PROBLEMS.find(key)
        title = PROBLEMS.description(key) if key in PROBLEMS else _title(cls)
        lines = [f"{key}: {title}"]
        if name and cls.__doc__:
            lines += ["", textwrap.indent(inspect.cleandoc(cls.__doc__), "  ")]
        rows = [
            (f"-p {option.name}", _default(option.default), option.expected())
            for option in instance_options(cls).values()
            if option.kind is not None
        ]
        if rows:
            lines += ["", *_table([("option", "default", "takes"), *rows])]
        check_collections(cls)
        places = [
            (f"{key}/NAME", f"in $PLAYOUT_DATA/{place}") for key, place in cls.collections.items()
        ]
        if places:
            lines += ["", *_table([("instances", ""), *places])]
        parts.append("\n".join(lines))
    return parts


def _algorithms(name: str | None) -> list[str]:
    from playout.algorithms import ALGORITHMS

    parts = []
    for cls in [ALGORITHMS.find(name)] if name else ALGORITHMS.values():
        about = inspect.cleandoc(sys.modules[cls.__module__].__doc__ or "")
        lines = [cls.name, textwrap.indent(about, "  ")]
        rows = [(f"-o {name}", *rest) for name, *rest in _declared(cls)]
        if rows:
            lines += ["", *_table([("option", "default", "takes", "meaning"), *rows])]
        parts.append("\n".join(lines))
    return parts


def _games(name: str | None) -> list[str]:
    from playout.games import GAMES, load_game
    from playout.text.options import class_options
    from playout.text.registry import Entry

    parts = []
    for key in [name] if name else GAMES:
        entry = GAMES.entry(key) if key in GAMES else Entry("")
        if entry.takes_text:
            parts.append(f"{key}: {entry.description}")
            continue
        game = load_game(key)
        cls = type(game)
        lines = [f"{key}: {GAMES.description(key) if key in GAMES else _title(cls)}"]
        if name and cls.__doc__:
            lines += ["", textwrap.indent(inspect.cleandoc(cls.__doc__), "  ")]
        rows = [
            (option.name, _default(option.default), option.expected())
            for option in class_options(cls).values()
            if option.kind is not None and option.name not in entry.options
        ]
        if rows:
            lines += ["", *_table([("option", "default", "takes"), *rows])]
        state, legal = game.root()[0], game.new_moves()
        game.moves(state, legal)
        facts = [("moves", f"such as {game.move_text(state, legal[0])}")]
        try:
            facts.append(("start", game.position_text(state)))
        except PlayoutError:
            facts.append(("start", "no notation for positions"))
        facts.append(("players", str(game.players)))
        facts.append(("symmetries", str(game.symmetries)))
        lines += ["", *_table(facts)]
        parts.append("\n".join(lines))
    return parts


def _searches(name: str | None) -> list[str]:
    from playout.gametree import BACKUPS, PLAYOUT_POLICIES, TREE_POLICIES, WORLD_SEARCHES
    from playout.gametree.tree_search import TreeOptions

    policies = {key: TREE_POLICIES[key] for key in TREE_POLICIES if key != "ucb1"}
    known = [*policies, "ucb1", *PLAYOUT_POLICIES, *BACKUPS, *WORLD_SEARCHES]
    if name is not None and name not in known:
        raise OptionError(f"there is no tree search {name!r}; {nearest(name, known)}")
    parts = []
    kinds: dict[str, Mapping[str, Any]] = {
        "": policies,
        "playout=": PLAYOUT_POLICIES,
        "backup=": BACKUPS,
    }
    for kind, classes in kinds.items():
        for key, cls in classes.items():
            if name in (None, key) or (name == "ucb1" and key == "uct"):
                parts.append(_part(kind + key, cls))
    if name is None:
        rows = [("option of every search", "default", "takes", "meaning")]
        parts.append("\n".join(_table([*rows, *_declared(TreeOptions)])))
    for key in WORLD_SEARCHES:
        if name in (None, key):
            parts.append(_world_search(key, WORLD_SEARCHES.description(key)))
    return parts


def _world_search(name: str, about: str) -> str:
    """A search over worlds: what it is and its options."""
    from playout.gametree.tree_search import as_search
    from playout.text.options import class_options

    search = as_search(name)
    rows = [("option", "default", "takes", "meaning"), *_declared(type(search.options))]
    parts: list[Any] = [
        getattr(search, name) for name in ("policy", "backup") if hasattr(search, name)
    ]
    for part in parts:
        for option in class_options(type(part)).values():
            if option.kind is not None:
                shown = _default(getattr(part, option.name, option.default))
                rows.append((option.name, shown, option.expected(), f"of the part {part.name}"))
    return "\n".join([name, f"  {about}", "", *_table(rows)])


def _part(title: str, cls: type) -> str:
    """A part of a tree search: what it is and its options."""
    from playout.text.options import class_options

    about = inspect.cleandoc(cls.__doc__ or "")
    lines = [title, textwrap.indent(about, "  ")]
    rows = [
        (option.name, _default(option.default), option.expected())
        for option in class_options(cls).values()
        if option.kind is not None
    ]
    if rows:
        lines += ["", *_table([("option", "default", "takes"), *rows])]
    return "\n".join(lines)


def _experiments(name: str | None) -> list[str]:
    from playout.experiments import EXPERIMENTS, load_experiment

    parts = []
    for key in [name] if name else EXPERIMENTS:
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
    from playout.problems.instances import list_data
    from playout.text.data_folder import data_folder

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


def _declared(cls: Any) -> list[tuple[str, str, str, str]]:
    """Name, default, what it takes and help of each option that a dataclass declares."""
    return [
        (option.name, str(option.default), option.expected(), option.help)
        for option in cls.declared().values()
    ]


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
