"""What a page can choose from: names of the registries, and what was named when the lab began.

A page names nothing else: no file, no class. Problems, games, rulesheets, instances and
transcripts of one's own are named on the command line, and appear under a name; of those that lie
in a file a page gives the number of the entry, not the path.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from playout._version import __version__
from playout.arcade import ARCADE
from playout.errors import DataError, OptionError, PlayoutError
from playout.text.options import Option

MOST_TASKS = 32
MOST_STREAMS = 8
MOST_SECONDS = 86_400.0
MOST_UPLOAD = 1_000_000  # bytes
MOST_NUMBER = 10**12

# texts that are no file: what an option of this name may be
HARMLESS = {
    ("inversefolding", "target"): "().",
    ("inversefolding", "bases"): "ACGURYSWKMBDHVN.-",
    ("bridge", "contract"): "1234567NTSHDCX",
    ("bridge", "declarer"): "NESW",
    ("vgdl", "level"): "0123456789",
}
TRANSCRIPTS = (".jsonl", ".jsonl.gz")
RULESHEETS = (".kif", ".gdl")
ARCADE_FILES = Path(__file__).parent.parent / "arcade" / "games"
# on the first page, in this order
FIRST_PROBLEMS = ("samegame", "tsptw", "inversefolding", "coloring", "maximum")
FIRST_GAMES = ("connectfour", "hex", "go", "reversi", "orchard", "jass")


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass
class Shelf:
    """What there is; names of one's own stand for texts as the command line takes them.

    `problems` and `games` are such texts by their names; `files` are instances by their problems'
    names; `transcripts` are files of matches.
    """

    problems: dict[str, str] = field(default_factory=dict)
    games: dict[str, str] = field(default_factory=dict)
    files: dict[str, list[str]] = field(default_factory=dict)
    transcripts: list[Path] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @classmethod
    def stocked(cls, words: Iterable[str]) -> Shelf:
        """What the command line names: classes, rulesheets, transcripts, and folders of them."""
        shelf = cls()
        for word in words:
            shelf._add(word)
        return shelf

    def _add(self, word: str) -> None:
        from playout.contract import Game, Problem
        from playout.text.user_files import load_class

        path = Path(word)
        if path.is_dir():
            inside = sorted(
                p for p in path.iterdir() if p.name.endswith((*TRANSCRIPTS, *RULESHEETS))
            )
            if not inside:
                raise DataError(f"{word}: there is no transcript and no rulesheet in this folder")
            for file in inside:
                self._add(str(file))
        elif word.endswith(RULESHEETS):
            self._check_file(path)
            self.games[self._free(path.stem, self.games)] = f"gdl:{path.absolute()}"
        elif word.endswith(TRANSCRIPTS):
            self._check_file(path)
            self.transcripts.append(path.absolute())
        elif ".py" in word:
            found = load_class(word, Game)
            before, _, name = word.rpartition(":")
            text = f"{Path(before).absolute()}:{name}" if before else str(path.absolute())
            if issubclass(found, Problem):
                self.problems[self._free(found.__name__, self.problems)] = text
            if found.chance or not issubclass(found, Problem):  # one with luck is played, too
                self.games[self._free(found.__name__, self.games)] = text
        else:
            raise OptionError(
                f"{word}: name a class (file.py:Class), a rulesheet (.kif), a transcript (.jsonl) "
                "or a folder of them"
            )

    @staticmethod
    def _check_file(path: Path) -> None:
        if not path.is_file():
            raise DataError(f"cannot read {path}: there is no such file")

    @staticmethod
    def _free(name: str, taken: Mapping[str, str]) -> str:
        number, free = 2, name
        while free in taken:
            free, number = f"{name} {number}", number + 1
        return free

    # classes by their names

    def problem_class(self, name: Any) -> Any:
        """The class of a problem that a page names."""
        from playout.problems import PROBLEMS

        if isinstance(name, str) and name in self.problems:
            return PROBLEMS.find(self.problems[name])
        if isinstance(name, str) and name in PROBLEMS and name != "gdl":
            return PROBLEMS[name]
        raise OptionError(f"there is no problem {shown(name)}")

    def problem_text(self, name: str) -> str:
        """A problem as the command line takes it."""
        return self.problems.get(name, name)

    def game_names(self) -> list[str]:
        """The games that a page may name."""
        from playout.games import GAMES

        return [*(name for name in GAMES if not GAMES.entry(name).takes_text), *self.games]

    def game_class(self, name: Any) -> Any:
        """The class of a game that a page names; None for one from a rulesheet."""
        from playout.games import GAMES

        if isinstance(name, str) and name in self.games:
            text = self.games[name]
            return None if text.startswith("gdl:") else GAMES.find(text)
        if isinstance(name, str) and name in GAMES and not GAMES.entry(name).takes_text:
            return GAMES[name]
        raise OptionError(f"there is no game {shown(name)}")

    def instances(self, problem: str) -> list[str]:
        """The instances of a problem that lie in files, as the command line takes them."""
        return [*self._collections.get(problem, []), *self.files.get(problem, [])]

    @cached_property
    def _collections(self) -> dict[str, list[str]]:
        from playout.problems.instances import list_data
        from playout.text.data_folder import data_folder

        found: dict[str, list[str]] = {}
        if data_folder() is None:
            self.notes.append("PLAYOUT_DATA is not set: public instances are not listed")
            return found
        try:
            for data in list_data():
                names = [f"{data.collection}/{name}" for name in data.instances]
                found.setdefault(data.problem, []).extend(names)
        except PlayoutError as error:
            self.notes.append(str(error))
        return found

    # all of it, for the forms

    @cached_property
    def known(self) -> dict[str, Any]:
        """What `GET /api/known` answers, but for instances that came later."""
        from playout.algorithms import ALGORITHMS
        from playout.experiments import EXPERIMENTS
        from playout.problems import PROBLEMS

        problems = [name for name in PROBLEMS if name != "gdl"]
        return {
            "version": __version__,
            "cores": cores(),
            "limits": {
                "tasks": MOST_TASKS,
                "streams": MOST_STREAMS,
                "workers": cores(),
                "seconds": MOST_SECONDS,
                "upload": MOST_UPLOAD,
            },
            "algorithms": [
                {
                    "name": name,
                    "about": _first_line(ALGORITHMS[name]),
                    "options": options_json(name, ALGORITHMS[name].declared()),
                    "recommended": name == "auto",
                }
                for name in ALGORITHMS
            ],
            **self._searches(),
            "games": [
                *(self._game(name) for name in self.game_names()),
                *(_video_game(name) for name in ARCADE),
            ],
            "start": {
                "problems": [*self.problems, *(n for n in FIRST_PROBLEMS if n in problems)],
                "games": [*self.games, *FIRST_GAMES],
                "papers": list(EXPERIMENTS)[:4],
            },
        }

    def problems_known(self) -> list[dict[str, Any]]:
        """The problems with their options and instances."""
        from playout.problems import PROBLEMS

        return [
            self._problem(name) for name in (*PROBLEMS, *self.problems) if name != "gdl"
        ]  # a rulesheet is a file: it is named at the start

    def _problem(self, name: str) -> dict[str, Any]:
        from playout.contract import Problem
        from playout.problems import PROBLEMS
        from playout.problems.instances import instance_options

        cls, own = self.problem_class(name), name in self.problems
        return {
            "name": name,
            "about": _first_line(cls) if own else PROBLEMS.description(name),
            "own": own,
            "options": options_json(name, instance_options(cls)),
            "random": name != "maximum" and cls.random.__func__ is not Problem.random.__func__,  # type: ignore[attr-defined]
            "upload": not own and hasattr(cls, "parse") and name not in ("vgdl", "gdl"),
            "instances": [
                {"number": i, "name": text} for i, text in enumerate(self.instances(name))
            ],
        }

    def _game(self, name: str) -> dict[str, Any]:
        from playout.games import GAMES
        from playout.text.options import class_options

        cls, own = self.game_class(name), name in self.games
        data: dict[str, Any] = {"name": name, "own": own, "options": [], "sized": False}
        if cls is None:
            return {
                **data,
                "about": "from its rulesheet",
                "hidden": False,
                "chance": False,
                "players": 2,
                "search": "auto",
            }
        fixed = {} if own else GAMES.entry(name).options
        options = {key: o for key, o in class_options(cls).items() if key not in fixed}
        sized = {"width", "height"} <= options.keys() or "size" in options
        for key in ("width", "height", "size"):
            options.pop(key, None)
        return {
            **data,
            "about": _first_line(cls) if own else GAMES.description(name),
            "options": options_json(name, options),
            "sized": sized,
            **_nature(cls, fixed),
            "search": "auto",
        }

    def _searches(self) -> dict[str, Any]:
        from playout.gametree import BACKUPS, PLAYOUT_POLICIES, TREE_POLICIES, WORLD_SEARCHES
        from playout.gametree.tree_search import TreeOptions, as_search
        from playout.text.options import class_options

        shared = TreeOptions.declared()
        searches = [
            {
                "name": name,
                "about": _first_line(TREE_POLICIES[name]),
                "kind": "tree",
                "options": options_json(name, class_options(TREE_POLICIES[name]) | shared),
            }
            for name in TREE_POLICIES
            if name != "ucb1"
        ]
        searches += [
            {
                "name": name,
                "about": WORLD_SEARCHES.description(name),
                "kind": "worlds",
                "options": options_json(name, type(as_search(name).options).declared()),
            }
            for name in WORLD_SEARCHES
        ]
        about = {"auto": "the one that plays best in most games like this", "random": "any move"}
        searches += [
            {"name": name, "about": words, "kind": "player", "options": []}
            for name, words in about.items()
        ]
        parts = {"playouts": PLAYOUT_POLICIES, "backups": BACKUPS}
        return {"searches": searches} | {
            kind: [
                {
                    "name": name,
                    "about": _first_line(registry[name]),
                    "options": options_json(name, class_options(registry[name])),
                }
                for name in registry
            ]
            for kind, registry in parts.items()
        }


def _video_game(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "about": ARCADE.description(name),
        "own": False,
        "options": [],
        "sized": False,
        "levels": len(list(ARCADE_FILES.glob(f"{name}_lvl*.txt"))),
        "players": 1,
        "hidden": False,
        "chance": True,
        "search": "auto",
    }


def for_pages(owner: str, option: Option) -> bool:
    """Whether a page may set an option: numbers, truth values, one of a few; no text, no file."""
    if option.kind in (bool, int, float) or option.choices:
        return True
    return (owner, option.name) in HARMLESS or (owner, option.name) == ("vgdl", "game")


def choices_of(owner: str, option: Option) -> tuple[str, ...]:
    """The texts that an option takes, if they are few."""
    if (owner, option.name) == ("vgdl", "game"):
        return tuple(sorted(p.stem for p in ARCADE_FILES.glob("*.txt") if "_lvl" not in p.stem))
    return option.choices


def options_json(owner: str, options: Mapping[str, Option]) -> list[dict[str, Any]]:
    """Options for a form."""
    return [_option_json(owner, option) for option in options.values() if for_pages(owner, option)]


def _option_json(owner: str, option: Option) -> dict[str, Any]:
    import inspect

    assert option.kind is not None
    choices = choices_of(owner, option)
    default = None if option.default is inspect.Parameter.empty else option.default
    data = {
        "name": option.name,
        "kind": "choice" if choices else option.kind.__name__,
        "default": list(default) if isinstance(default, tuple) else default,
        "help": option.help,
        "expected": option.expected(),
        "low": option.low if option.low is not None else option.above,
        "high": option.high,
        "choices": list(choices) or None,
        "levels": option.levels or None,
        "may_be_none": option.may_be_none or None,
    }
    return {key: value for key, value in data.items() if value is not None or key == "default"}


def _nature(cls: Any, fixed: Mapping[str, Any]) -> dict[str, Any]:
    """Who plays, and what is hidden: what an instance tells."""
    try:
        game = cls(**fixed)
    except Exception:  # a class of one's own may want options, or raise anything
        game = cls
    return {
        "players": getattr(game, "players", 2),
        "hidden": bool(game.hidden),
        "chance": bool(game.chance),
    }


def _first_line(cls: Any) -> str:
    import inspect

    return inspect.cleandoc(cls.__doc__ or "").partition("\n")[0]


def shown(value: Any) -> str:
    """What a page sent, quoted for an error in one line, and cut."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
