"""Options of a problem from texts: `-p NAME=VALUE` on the command line.

The options are what the class's own signatures say: the keyword arguments of `__init__`, and
those that `default` and `random` name for themselves, such as the size of a random board.
"""

from __future__ import annotations

import inspect
import math
import types
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

from playout.errors import OptionError, nearest

_WORDS = {"true": True, "yes": True, "on": True, "1": True,
          "false": False, "no": False, "off": False, "0": False}  # fmt: skip
_NAMES = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}


class Option(NamedTuple):
    """One option: its name, what it takes, its default."""

    name: str
    kind: type | None
    choices: tuple[str, ...]
    default: Any
    may_be_none: bool = False

    def expected(self) -> str:
        """What the option takes, for an error message or a table."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        text = _NAMES[self.kind] if self.kind is not None else "nothing that is text"
        return text + ", or none" if self.may_be_none else text

    def value(self, text: str) -> Any:
        """The value that a text gives."""
        word = text.strip()
        wrong = OptionError(f"{self.name}={text}: {self.expected()}")
        if self.may_be_none and word.lower() == "none":
            return None
        if self.choices:
            if word not in self.choices:
                raise wrong
            return word
        if self.kind is None:
            raise OptionError(f"{self.name} cannot be given as text")
        try:
            value = _WORDS[word.lower()] if self.kind is bool else self.kind(word)
        except (KeyError, ValueError):
            raise wrong from None
        if isinstance(value, float) and not math.isfinite(value):
            raise wrong
        return value


def class_options(cls: Any) -> dict[str, Option]:
    """The options that every instance of a problem takes: those of `__init__`."""
    return _options_of(cls.__init__, skip=("self",))


def method_options(cls: Any, method: str) -> dict[str, Option]:
    """The options that `default`, `random` or `read` takes for itself."""
    return _options_of(getattr(cls, method), skip=("seed", "path"))


def all_options(cls: Any) -> dict[str, Option]:
    """All options of a problem: of its instances, then of the ways to make or read them."""
    options = class_options(cls)
    for method in ("random", "default", "read"):
        options |= method_options(cls, method)
    return options


def parse_options(cls: Any, texts: Mapping[str, str]) -> dict[str, Any]:
    """Keyword arguments for `default`, `random` or `read` from `name=value` texts."""
    options = all_options(cls)
    values = {}
    for name, text in texts.items():
        if name not in options:
            hint = nearest(name, options) if options else "it has none"
            raise OptionError(f"{cls.__name__} has no option {name!r}; {hint}")
        values[name] = options[name].value(text)
    return values


def _options_of(function: Callable[..., Any], skip: tuple[str, ...]) -> dict[str, Option]:
    try:
        signature = inspect.signature(function, eval_str=True)
    except Exception:  # an annotation that cannot be evaluated: the defaults will have to do
        signature = inspect.signature(function)
    found = {}
    for name, parameter in signature.parameters.items():
        named = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        optional = parameter.default is not parameter.empty
        if named and name not in skip and (optional or parameter.kind is parameter.KEYWORD_ONLY):
            found[name] = _option(name, parameter)
    return found


def _option(name: str, parameter: inspect.Parameter) -> Option:
    kind, default = parameter.annotation, parameter.default
    may_be_none = default is None
    if get_origin(kind) in (Union, types.UnionType):
        parts = [part for part in get_args(kind) if part is not type(None)]
        may_be_none |= len(parts) < len(get_args(kind))
        kind = parts[0] if len(parts) == 1 else None
    if get_origin(kind) is Literal:
        return Option(name, str, tuple(map(str, get_args(kind))), default, may_be_none)
    if kind not in _NAMES:
        kind = type(default) if type(default) in _NAMES else None
    return Option(name, kind, (), default, may_be_none)
