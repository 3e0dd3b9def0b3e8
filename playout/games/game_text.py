"""A game from its class and the words after its name: a size and options."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import Any

from playout.errors import OptionError, ProblemError, nearest
from playout.text.options import Option, class_options

_SIZE = re.compile(r"(\d{1,4})(?:x(\d{1,4}))?")


def make_game(cls: Any, name: str, words: str, fixed: Mapping[str, Any]) -> Any:
    """An instance; `words` is `SIZE,OPTION=VALUE,...`, `fixed` are options that the name sets."""
    options = class_options(cls)
    values: dict[str, Any] = dict(fixed)
    for number, word in enumerate(words.split(",") if words else []):
        size = _SIZE.fullmatch(word.strip())
        key, equals, text = word.partition("=")
        key = key.strip()
        if size and number == 0:
            values |= _size_options(name, options, int(size[1]), int(size[2] or size[1]))
        elif not equals:
            raise OptionError(
                f"{name}: {word!r} is neither a size, such as 8x8 (columns x rows, and first), nor "
                f"OPTION=VALUE; {_known(options, fixed)}"
            )
        elif key not in options:
            hint = nearest(key, options) if options else "it has none"
            raise OptionError(f"{name} has no option {key!r}; {hint}")
        elif key in values:
            what = "set by the name of the game" if key in fixed else "given twice"
            raise OptionError(f"{name}: {key} is {what}")
        else:
            values[key] = options[key].value(text)
    try:
        inspect.signature(cls).bind(**values)
    except TypeError as error:
        raise ProblemError(f"{name} cannot be made without options: {error}") from None
    return cls(**values)


def _size_options(
    name: str, options: Mapping[str, Option], width: int, height: int
) -> dict[str, int]:
    """The options that a size stands for."""
    if "width" in options and "height" in options:
        return {"width": width, "height": height}
    if "size" not in options:
        raise OptionError(f"{name} has one size only: leave {width}x{height} out")
    if width != height:
        raise OptionError(f"{name} has square boards only, such as {width}x{width}")
    return {"size": width}


def _known(options: Mapping[str, Option], fixed: Mapping[str, Any]) -> str:
    rest = [name for name in options if name not in fixed]
    return f"the options are {', '.join(rest)}" if rest else "it has no options"
