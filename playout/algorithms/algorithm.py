"""Algorithms as frozen dataclasses of options, checked when made, readable from text.

An option is declared once, with its default, its range and a line of help; the Python
constructor, the command line's `-o NAME=VALUE` and `playout list algorithms` all come from it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from playout.algorithms.search import Search
from playout.contract import Problem
from playout.errors import OptionError, nearest

Levels = int | tuple[int, ...]


def option(
    default: Any,
    help: str,
    *,
    low: float | None = None,
    high: float | None = None,
    above: float | None = None,
    choices: tuple[str, ...] = (),
    levels: bool = False,
) -> Any:
    """Declare an option: its default, a line of help, and the values that it takes.

    `levels` allows a tuple, one value for each level of a nested search from level 1 up.
    """
    metadata = {
        "help": help, "low": low, "high": high, "above": above, "choices": choices,
        "levels": levels,
    }  # fmt: skip
    return dataclasses.field(default=default, metadata=metadata)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options with a name: the base of what has some."""

    name: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = checked_option(self.name, field, getattr(self, field.name))
            object.__setattr__(self, field.name, value)

    @classmethod
    def from_text(cls, options: Mapping[str, str]) -> Self:
        """Make it from `name=value` texts, as the command line has them."""
        fields = {field.name: field for field in fields_of(cls)}
        values = {}
        for name, text in options.items():
            if name not in fields:
                raise OptionError(f"{cls.name} has no option {name!r}; {nearest(name, fields)}")
            values[name] = parsed_option(cls.name, fields[name], text)
        return cls(**values)

    def options(self) -> dict[str, Any]:
        """The options and their values, as plain data."""
        values = dataclasses.asdict(self)
        return {field.name: values[field.name] for field in fields_of(type(self))}


@dataclass(frozen=True, kw_only=True)
class Algorithm(Options):
    """Options of an algorithm, named as in its paper; what its searches count is `counters`."""

    counters: ClassVar[tuple[str, ...]] = ()

    polish: bool = option(False, "improve each playout by the problem's polish()")

    def start(self, problem: Problem, seed: int) -> Search:
        """A search that has done nothing yet."""
        raise NotImplementedError


def fields_of(cls: type[Options]) -> list[Any]:
    """The options of an algorithm, its own first and then those that all have."""
    common = {field.name for field in dataclasses.fields(Algorithm)}
    return sorted(dataclasses.fields(cls), key=lambda field: field.name in common)


def parsed_option(algorithm: str, field: Any, text: str) -> Any:
    """The value that a text gives an option; OptionError if it gives none."""
    kind = type(field.default)
    words = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
    try:
        if kind is bool:
            return words[text.strip().lower()]
        if field.metadata["levels"] and "," in text:
            return tuple(int(part) for part in text.split(","))
        return kind(text)
    except (KeyError, ValueError):
        raise OptionError(f"{algorithm}: {field.name}={text}: {_expected(field)}") from None


def checked_option(algorithm: str, field: Any, value: Any) -> Any:
    """The value in the option's own type; OptionError if it is none that the option takes."""
    kind, meta = type(field.default), field.metadata
    wrong = OptionError(f"{algorithm}: {field.name}={value!r}: {_expected(field)}")
    if meta["levels"] and isinstance(value, tuple | list):
        if not value or not all(_is_int(part) for part in value):
            raise wrong
        value = tuple(int(part) for part in value)
    elif kind is float and (_is_int(value) or isinstance(value, float)):
        value = float(value)
    elif kind is int and _is_int(value):
        value = int(value)
    elif not (kind in (bool, str) and isinstance(value, kind)):
        raise wrong
    if meta["choices"] and value not in meta["choices"]:
        raise OptionError(
            f"{algorithm}: {field.name}={value!r}: {nearest(str(value), meta['choices'])}"
        )
    for part in value if isinstance(value, tuple) else (value,):
        if isinstance(part, int | float) and not isinstance(part, bool):
            good = math.isfinite(part)
            good &= meta["low"] is None or part >= meta["low"]
            good &= meta["high"] is None or part <= meta["high"]
            good &= meta["above"] is None or part > meta["above"]
            if not good:
                raise wrong
    return value


def _is_int(value: Any) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _expected(field: Any) -> str:
    """What an option takes, for an error message or a table."""
    kind, meta = type(field.default), field.metadata
    if meta["choices"]:
        return "one of " + ", ".join(meta["choices"])
    if kind is bool:
        return "true or false"
    text = {int: "a whole number", float: "a number", str: "text"}[kind]
    if meta["above"] is not None:
        text += f" over {meta['above']:g}"
    if meta["low"] is not None and meta["high"] is not None:
        text += f" from {meta['low']:g} to {meta['high']:g}"
    elif meta["low"] is not None:
        text += f" of at least {meta['low']:g}"
    elif meta["high"] is not None:
        text += f" of at most {meta['high']:g}"
    if meta["levels"]:
        text += ", or one for each level separated by commas"
    return text


def option_table(cls: type[Options]) -> list[tuple[str, str, str, str]]:
    """Name, default, what it takes and help of each option."""
    return [
        (field.name, str(field.default), _expected(field), field.metadata["help"])
        for field in fields_of(cls)
    ]
