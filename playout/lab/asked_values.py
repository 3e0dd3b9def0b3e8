"""The values in what a page asks: options by their types, numbers in their bounds, objects."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from playout.errors import OptionError
from playout.lab.shelf import HARMLESS, MOST_NUMBER, choices_of, cores, for_pages, shown
from playout.text.options import Option

MOST_OPTIONS = 40
MOST_TEXT = 500  # characters of a text option


def option_values(
    owner: str, known: Mapping[str, Option], given: Mapping[str, Any]
) -> dict[str, Any]:
    """The values of options, each of its own type."""
    if len(given) > MOST_OPTIONS:
        raise OptionError(f"{owner}: {len(given)} options are too many")
    return {name: _value(owner, known, name, value) for name, value in given.items()}


def _value(owner: str, known: Mapping[str, Option], name: str, value: Any) -> Any:
    option = known.get(name)
    if option is None or not for_pages(owner, option):
        raise OptionError(f"{owner} has no option {shown(name)} here")
    if value is None and option.may_be_none:
        return None
    if option.kind is str:
        return _text(owner, option, value)
    if option.levels and isinstance(value, list):
        if not 1 <= len(value) <= 12:
            raise option.wrong(shown(value))
        return [_in_bounds(option, part) for part in value]
    return _in_bounds(option, value)


def _in_bounds(option: Option, value: Any) -> Any:
    if option.kind is not bool:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise option.wrong(shown(value))
        if not _is_finite(value) or abs(value) > MOST_NUMBER:
            raise option.wrong(shown(value))
        if option.kind is int and isinstance(value, float) and value.is_integer():
            value = int(value)  # of a slider
    return option.check(value)


def _text(owner: str, option: Option, value: Any) -> str:
    choices = choices_of(owner, option)
    if isinstance(value, str) and len(value) <= MOST_TEXT:
        letters = HARMLESS.get((owner, option.name), "")
        if value in choices or (not choices and set(value) <= set(letters)):
            return value
    raise OptionError(f"{option.name} {shown(value)}: " + (", ".join(choices) or "not that text"))


def object_of(asked: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The object of a name; empty if there is none."""
    given = asked.get(name)
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise OptionError(f"{name} {shown(given)}: an object of names and values")
    return given


def only(asked: dict[str, Any], names: str) -> None:
    """Refuse what a task of this kind does not have."""
    if strange := asked.keys() - set(names.split()):
        raise OptionError(f"{shown(min(strange))} is nothing that this task has")


def number(name: str, value: Any, above: float = -math.inf, high: float = math.inf) -> float:
    """A finite number in its bounds."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise OptionError(f"{name} {shown(value)}: a number")
    if not _is_finite(value) or not above < value <= high:
        most = f" up to {high:g}" if math.isfinite(high) else ""
        least = f" over {above:g}" if math.isfinite(above) else ""
        raise OptionError(f"{name} {shown(value)}: a number{least}{most}")
    return float(value)


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number that is larger than every float
        return False


def whole(name: str, value: Any, low: int, high: int) -> int:
    """A whole number in its bounds; that of a slider may be a float."""
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise OptionError(f"{name} {shown(value)}: a whole number from {low} to {high}")
    return value


def seed_of(asked: Mapping[str, Any]) -> int:
    """The seed, 1 if none is given."""
    return whole("seed", asked.get("seed", 1), 0, (1 << 63) - 1)


def workers_of(asked: Mapping[str, Any]) -> int:
    """How many workers, no more than there are cores."""
    return whole("workers", asked.get("workers", 1), 1, cores())
