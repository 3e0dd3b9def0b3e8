"""Arguments: a parser whose errors are one line, and the kinds of value that commands share."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from playout.errors import OptionError, nearest

_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


class Parser(argparse.ArgumentParser):
    """An `ArgumentParser` that raises `OptionError`, with the nearest names of what was meant."""

    def __init__(self, **settings: Any) -> None:
        # no abbreviations: one that a later option makes ambiguous would break a script
        super().__init__(
            formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **settings
        )
        self._commands: dict[str, Parser] = {}

    def add_subparsers(self, **settings: Any) -> Any:
        action = super().add_subparsers(**settings)
        self._commands = action.choices
        return action

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """The arguments of one command."""
        command = next((word for word in arguments if not word.startswith("-")), None)
        if command is not None and command not in self._commands:
            if not {"-h", "--help", "--version"} & set(arguments):
                hint = nearest(command, self._commands)
                raise OptionError(f"there is no command {command!r}; {hint}")
        options, unknown = self.parse_known_args(arguments)
        if unknown and command is not None:
            self._commands[command].refuse(unknown[0])
        return options

    def refuse(self, word: str) -> NoReturn:
        """Say what an argument that is not known may have meant."""
        hint = f"see {self.prog} --help"
        if not word.startswith("-"):
            raise OptionError(f"{word!r} is one argument too many; {hint}")
        name = word.partition("=")[0]
        names = [known for known in self._option_string_actions if known.startswith("--")]
        if name.startswith("--") and "did you mean" in nearest(name, names):
            hint = nearest(name, names)
        raise OptionError(f"there is no option {name}; {hint}")

    def error(self, message: str) -> NoReturn:
        if message.startswith("the following arguments are required: "):
            message = "give " + message.partition(": ")[2]
        raise OptionError(f"{message.removeprefix('argument ')}; see {self.prog} --help")


def whole(low: int, what: str) -> Callable[[str], int]:
    """A whole number of at least `low`."""

    def parse(text: str) -> int:
        # 20_000 is as welcome as 20000
        if not re.fullmatch(r"[+-]?[0-9_]+", text.strip()) or int(text) < low:
            raise argparse.ArgumentTypeError(f"{text!r} is no {what}")
        return int(text)

    return parse


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
    match = re.fullmatch(r"([0-9]*\.?[0-9]+(?:e[0-9]+)?)\s*([smhd]?)", text.strip().lower())
    seconds = float(match[1]) * _UNITS[match[2]] if match else 0.0
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no time: give seconds, or 10m, 2h")
    return seconds


def assignment(text: str) -> tuple[str, str]:
    """NAME=VALUE."""
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name.strip(), value.strip()


def as_dict(pairs: list[tuple[str, str]]) -> dict[str, str]:
    """Assignments as a dictionary; a name given twice is a mistake."""
    values: dict[str, str] = {}
    for name, value in pairs:
        if name in values:
            raise OptionError(f"{name} is given twice: {name}={values[name]} and {name}={value}")
        values[name] = value
    return values
