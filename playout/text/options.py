"""Options: what each takes, where it is declared, how its value is read from text and checked.

An option is declared once. Either a frozen dataclass declares it with `option(...)`, its default,
its range and a line of help; or a class's own signature says it: the keyword arguments of
`__init__`. Constructors, the command line's NAME=VALUE and `playout list` all come from that.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal, Self, Union, get_args, get_origin

from playout.errors import OptionError, nearest
from playout.text.grammar import named_text

_WORDS = dict.fromkeys(("true", "yes", "on", "1"), True)
_WORDS |= dict.fromkeys(("false", "no", "off", "0"), False)
_KEPT = 500  # classes and functions whose options are asked for again and again
_NAMES = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}


@dataclass(frozen=True)
class Option:
    """One option: its name, its default, what it takes and a line of help."""

    name: str
    kind: type | None  # bool, int, float or str; None: nothing that text can give
    default: Any
    help: str = ""
    low: float | None = None
    high: float | None = None
    above: float | None = None
    choices: tuple[str, ...] = ()
    levels: bool = False  # may be a tuple, one value for each level of a nested search from 1 up
    may_be_none: bool = False

    def expected(self) -> str:
        """What the option takes, for an error message or a table."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.kind is None or self.kind is bool:
            text = "nothing that is text" if self.kind is None else _NAMES[bool]
            return text + (", or none" if self.may_be_none else "")
        text = _NAMES[self.kind]
        if self.above is not None:
            text += f" over {self.above:g}"
        if self.low is not None and self.high is not None:
            text += f" from {self.low:g} to {self.high:g}"
        elif self.low is not None:
            text += f" of at least {self.low:g}"
        elif self.high is not None:
            text += f" of at most {self.high:g}"
        text += ", or one for each level separated by commas" if self.levels else ""
        return text + (", or none" if self.may_be_none else "")

    def parse(self, text: str) -> Any:
        """The value that a text gives; whether it is in range, `check` says.

        >>> Option("level", int, 3).parse("2"), Option("N", int, 1, levels=True).parse("10,20")
        (2, (10, 20))
        """
        word = text.strip()
        if self.kind is None:
            raise OptionError(
                f"{self.name} cannot be given as text: only what is declared as int, float, bool "
                f"or str can, as {self.name}: int"
            )
        if self.may_be_none and word.lower() == "none":
            return None
        try:
            if self.levels and "," in word:
                return tuple(map(_whole, word.split(",")))
            value = _READERS[self.kind](word)
        except (KeyError, ValueError):
            raise self.wrong(text) from None
        if isinstance(value, float) and not math.isfinite(value):
            raise self.wrong(text)
        if self.choices and value not in self.choices:
            raise self.wrong(text)
        return value

    def check(self, value: Any) -> Any:
        """The value in the option's own type; OptionError if it is none that the option takes."""
        if value is None and self.may_be_none:
            return None
        if self.levels and isinstance(value, tuple | list):
            if not value or not all(map(_is_whole, value)):
                raise self.wrong(repr(value))
            value = tuple(int(part) for part in value)
        elif self.kind is float and (_is_whole(value) or isinstance(value, float)):
            value = float(value)
        elif self.kind is int and _is_whole(value):
            value = int(value)
        elif not (self.kind in (bool, str) and isinstance(value, self.kind)):
            raise self.wrong(repr(value))
        if self.choices and value not in self.choices:
            raise self.wrong(repr(value))
        for part in value if isinstance(value, tuple) else (value,):
            if not isinstance(part, bool | str) and not self._in_range(part):
                raise self.wrong(repr(value))
        return value

    def _in_range(self, number: float) -> bool:
        return (
            math.isfinite(number)
            and (self.low is None or number >= self.low)
            and (self.high is None or number <= self.high)
            and (self.above is None or number > self.above)
        )

    def wrong(self, shown: str) -> OptionError:
        """The error for a value that the option does not take."""
        near = nearest(shown.strip("'"), self.choices) if self.choices else ""
        hint = near if near.startswith("did you mean") else self.expected()
        return OptionError(f"{self.name}={shown}: {hint}")


def _whole(word: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9][0-9_]*", word.strip()):
        raise ValueError  # int() takes digits of other scripts too
    return int(word)


def _number(word: str) -> float:
    if not word.isascii():
        raise ValueError
    return float(word)


_READERS: dict[type, Callable[[str], Any]] = {
    bool: lambda word: _WORDS[word.lower()],
    int: _whole,
    float: _number,
    str: str,
}


def _is_whole(value: Any) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


def parse_values(
    owner: str, options: Mapping[str, Option], texts: Mapping[str, str]
) -> dict[str, Any]:
    """The values that `name=value` texts give; `owner` is whose options they are."""
    values = {}
    for name, text in texts.items():
        if name not in options:
            hint = nearest(name, options) if options else "it has none"
            raise OptionError(f"{owner} has no option {name!r}; {hint}")
        values[name] = options[name].parse(text)
    return values


# options that a frozen dataclass declares


def option(default: Any, help: str, **limits: Any) -> Any:
    """Declare an option of a dataclass: its default, a line of help, and `Option`'s limits."""
    declared = Option("", type(default), default, help, **limits)
    return dataclasses.field(default=default, metadata={"option": declared})


def one_of(help: str, *words: str) -> Any:
    """Declare an option that is one of some words; the first of them is the default."""
    return option(words[0], help, choices=words)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options with a name, checked when made and readable from text."""

    name: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for name, declared in self.declared().items():
            try:
                value = declared.check(getattr(self, name))
            except OptionError as error:
                raise OptionError(f"{self.name}: {error}") from None
            object.__setattr__(self, name, value)

    @classmethod
    def declared(cls) -> dict[str, Option]:
        """The options by name; those that all of its family have come last."""
        asked: Any = cls  # to mypy a class that has options cannot be hashed
        return dict(_declared(asked))

    @classmethod
    def from_text(cls, texts: Mapping[str, str]) -> Self:
        """Make it from `name=value` texts, as the command line has them."""
        return cls(**cls._parsed(texts))

    def changed(self, texts: Mapping[str, str]) -> Self:
        """The same with some options changed by `name=value` texts."""
        return dataclasses.replace(self, **self._parsed(texts))

    @classmethod
    def _parsed(cls, texts: Mapping[str, str]) -> dict[str, Any]:
        try:
            return parse_values(cls.name, cls.declared(), texts)
        except OptionError as error:
            unknown = str(error).startswith(f"{cls.name} has no option")
            raise error if unknown else OptionError(f"{cls.name}: {error}") from None

    def options(self) -> dict[str, Any]:
        """The options and their values, as plain data."""
        return {name: getattr(self, name) for name in self.declared()}

    def text(self) -> str:
        """As the command line takes it, without the options that have their defaults."""
        changed = {
            name: getattr(self, name)
            for name, declared in self.declared().items()
            if getattr(self, name) != declared.default
        }
        return named_text(self.name, changed)


@lru_cache(maxsize=_KEPT)
def _declared(cls: type[Options]) -> tuple[tuple[str, Option], ...]:
    family = [base for base in cls.__mro__ if issubclass(base, Options) and base is not Options]
    common = family[-1].__dataclass_fields__ if family[-1] is not cls else {}
    found = {
        field.name: dataclasses.replace(field.metadata["option"], name=field.name)
        for field in dataclasses.fields(cls)
    }
    return tuple(sorted(found.items(), key=lambda item: item[0] in common))


# options that a signature says


def class_options(cls: Any) -> dict[str, Option]:
    """The options of a class: the keyword arguments of its `__init__`.

    If that takes others too (`**others`), they are those of the class that it extends.
    """
    if isinstance(cls, type) and issubclass(cls, Options):
        return cls.declared()
    found: dict[str, Option] = {}
    for base in cls.__mro__:
        if "__init__" in vars(base):
            more = signature_options(base.__init__, skip=("self",))
            found |= {name: more[name] for name in more if name not in found}
            parameters = _signature(base.__init__).parameters.values()
            if all(parameter.kind != parameter.VAR_KEYWORD for parameter in parameters):
                break
    return found


def signature_options(
    function: Callable[..., Any], skip: tuple[str, ...] = ()
) -> dict[str, Option]:
    """The options that a function's signature says: its arguments with a default or a name."""
    found = {}
    for name, parameter in _signature(function).parameters.items():
        named = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        optional = parameter.default is not parameter.empty
        if named and name not in skip and (optional or parameter.kind is parameter.KEYWORD_ONLY):
            found[name] = _from_parameter(name, parameter)
    return found


def needed_options(cls: Any) -> dict[str, Option]:
    """The arguments of `__init__` that have no default and whose type text can give."""
    found = {}
    for name, parameter in list(_signature(cls.__init__).parameters.items())[1:]:
        named = parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        if named and parameter.default is parameter.empty:
            found[name] = _from_parameter(name, parameter)
    return found


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    try:
        return _evaluated_signature(function)
    except Exception:  # an annotation that cannot be evaluated: the defaults will have to do
        return inspect.signature(function)


@lru_cache(maxsize=_KEPT)
def _evaluated_signature(function: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(function, eval_str=True)


def _from_parameter(name: str, parameter: inspect.Parameter) -> Option:
    kind, default = parameter.annotation, parameter.default
    may_be_none = default is None
    if get_origin(kind) in (Union, types.UnionType):
        parts = [part for part in get_args(kind) if part is not type(None)]
        may_be_none |= len(parts) < len(get_args(kind))
        kind = parts[0] if len(parts) == 1 else None
    if get_origin(kind) is Literal:
        choices = tuple(map(str, get_args(kind)))
        return Option(name, str, default, choices=choices, may_be_none=may_be_none)
    if kind not in _NAMES:
        kind = type(default) if type(default) in _NAMES else None
    return Option(name, kind, default, may_be_none=may_be_none)
