"""Arguments: a parser whose errors are one line, how a command declares its arguments, and the
kinds of value that commands share.

An argument is declared as the help shows it:

    how = parser.group("how to search")
    how("--seconds S", "after this time: 90, 1.5, 10m, 2h", duration)
    how("--parallel {root,leaf}", "root (the default) or leaf", default="root")
    how("-o NAME=VALUE ...", "an option of the algorithm", assignment, dest="options")
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable
from typing import Any, NoReturn

from playout.errors import OptionError, nearest
from playout.text.numbers import parse_seconds


class Parser(argparse.ArgumentParser):
    """An `ArgumentParser` that raises `OptionError`, with the nearest names of what was meant."""

    def __init__(self, **settings: Any) -> None:
        # no abbreviations: one that a later option makes ambiguous would break a script
        super().__init__(
            formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **settings
        )

    def group(self, title: str = "") -> Arguments:
        """Arguments that stand together in the help, under a title; without one, before all."""
        return Arguments(self.add_argument_group(title) if title else self)

    def refuse(self, word: str) -> NoReturn:
        """Say what an argument that is not known may have meant."""
        hint = f"see {self.prog} --help"
        if not word.startswith("-"):
            raise OptionError(f"{word!r} is one argument too many; {hint}")
        name = word.partition("=")[0]
        names = [known for known in self._option_string_actions if known.startswith("--")]
        if name.startswith("--") and "did you mean" in nearest(name, names):
            hint = nearest(name, names)
        if name == "-p" and any(known.metavar == "GAME" for known in self._actions):
            hint = "a game's options are in its name: GAME:NAME=VALUE,NAME=VALUE"
        raise OptionError(f"there is no option {name}; {hint}")

    def error(self, message: str) -> NoReturn:
        if message.startswith("the following arguments are required: "):
            message = "give " + message.partition(": ")[2]
        raise OptionError(f"{message.removeprefix('argument ')}; see {self.prog} --help")


class Arguments:
    """A group of arguments, each declared by a call."""

    def __init__(self, group: Any) -> None:
        self._group = group

    def __call__(
        self, usage: str, help: str, kind: Callable[[str], Any] | None = None, **settings: Any
    ) -> None:
        """Declare an argument.

        `usage` is an option as the help writes it: `--json` (yes or no), `--seed N`,
        `-a, --algorithm NAME`, `--by {seconds,playouts}`, `-p NAME=VALUE ...` (may be repeated); or
        an argument without one: `GAME`, `[INSTANCE]` (may be left out), `PLAYER ...`. `kind` makes
        its value of a text; `settings` are argparse's, such as `default` and `dest`.
        """
        words = [word.rstrip(",") for word in usage.split()]
        names = [word for word in words if word.startswith("-")]
        repeated = words[-1] == "..."
        value = next((word for word in words if word not in (*names, "...")), None)
        if kind is not None:
            settings["type"] = kind
        if value is None:
            settings.setdefault("action", "store_true")
        elif value.startswith("{"):
            settings["choices"] = tuple(value.strip("{}").split(","))
        else:
            settings["metavar"] = value.strip("[]") if value.startswith("[") else value
        if names and repeated:
            settings |= {"action": "append", "default": []}
        elif value is not None and not names:
            names = [settings.pop("dest", value.strip("[]").lower())]
            if repeated or value.startswith("["):
                settings["nargs"] = "*" if repeated else "?"
        self._group.add_argument(*names, help=help, **settings)

    def one_of(self) -> Arguments:
        """Arguments of which one may be given."""
        return Arguments(self._group.add_mutually_exclusive_group())

    def json_and_quiet(self) -> None:
        """Declare --json and --quiet, which a command that shows a live line has."""
        self("--json", "print one JSON object and nothing else")
        self("--quiet", "no live line in a terminal")

    def cluster(self) -> None:
        """Declare --cluster."""
        self(
            "--cluster WHERE",
            "have the workers on nodes of a Ray cluster: auto, the HOST:PORT of its head, or local "
            "(this machine alone, to try it); see docs/cluster.md",
        )

    def algorithm(self, example: str = ", such as level=3", name: str | None = "gnrpa") -> None:
        """Declare -a and -o."""
        if name is not None:
            text = f"see playout list algorithms (default: {name})"
            self("-a ALGORITHM", text, dest="algorithm", default=name)
        text = f"an option of the algorithm{example}; may be repeated"
        self("-o NAME=VALUE ...", text, assignment, dest="options")

    def problem_options(self, example: str = "") -> None:
        """Declare -p."""
        text = f"an option of the problem{example}; may be repeated"
        self("-p NAME=VALUE ...", text, assignment, dest="problem_options")


def whole(low: int, what: str, advice: str = "") -> Callable[[str], int]:
    """A whole number of at least `low`."""
    advice = advice or f"give a whole number from {low}"

    def parse(text: str) -> int:
        # 20_000 is as welcome as 20000
        if not re.fullmatch(r"[+-]?[0-9_]+", text.strip()) or int(text) < low:
            raise argparse.ArgumentTypeError(f"{text!r} is no {what}: {advice}")
        return int(text)

    return parse


COUNT = whole(1, "count")
GAMES = whole(1, "number of games")
RUNS = whole(1, "number of runs")
SEED = whole(0, "seed")
WORKERS = whole(1, "number of workers")


def number(text: str) -> float:
    """A finite number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text!r} is no number")
    return value


def duration(text: str) -> float:
    """Seconds, or a number with s, m, h or d behind it: 90, 1.5, 10m, 2h."""
    seconds = parse_seconds(text)
    if math.isnan(seconds):
        raise argparse.ArgumentTypeError(f"{text!r} is no time: give seconds, or 10m, 2h")
    return seconds


def assignment(text: str) -> tuple[str, str]:
    """NAME=VALUE."""
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name.strip(), value.strip()


def keywords(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    """Some arguments of a command as keyword arguments of the same names."""
    return {name: getattr(options, name) for name in names}


def as_dict(pairs: list[tuple[str, str]]) -> dict[str, str]:
    """Assignments as a dictionary; a name given twice is a mistake."""
    values: dict[str, str] = {}
    for name, value in pairs:
        if name in values:
            raise OptionError(f"{name} is given twice: {name}={values[name]} and {name}={value}")
        values[name] = value
    return values
