"""The one grammar in which things are named: NAME, or NAME:OPTION=VALUE,OPTION=VALUE,...

A game, a player, a tree search, an algorithm, a move order and a problem are all named so, on the
command line, in Python and in files. NAME is a registered name or a user's own class,
`path/to/file.py:Class`. A word without `=` belongs to the value before it, which has commas in it
(`N=100,50`), or, as the first, stands for itself: the size of a board (`hex:7`, `go:5x4,komi=3`).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field

from playout.errors import OptionError

# path/to/file.py, then :Class, then :OPTION=VALUE,...
_USER_FILE = re.compile(r"(?P<name>.*\.py(:[A-Za-z_]\w*(?=:|$))?)(:(?P<rest>.*))?")


@dataclass(frozen=True)
class Named:
    """A text taken apart: the name, the first word if it is no option, and the options."""

    text: str
    name: str
    first: str = ""
    options: dict[str, str] = field(default_factory=dict)


def parse_named(text: str, known: Container[str] = (), sized: bool = False) -> Named:
    """Take NAME[:WORDS] apart; a name that is `known` is never a user's file.

    Only where it is `sized` may the first word be no option.

    >>> parse_named("gnrpa:tau=1.4,N=10,20").options
    {'tau': '1.4', 'N': '10,20'}
    >>> parse_named("hex:7", sized=True), parse_named("a/b.py:Mine:k=3").name
    (Named(text='hex:7', name='hex', first='7', options={}), 'a/b.py:Mine')
    """
    text = text.strip()
    name, _, rest = text.partition(":")
    if name.strip() not in known and (match := _USER_FILE.fullmatch(text)):
        name, rest = match["name"], match["rest"] or ""
    first, options = _words(text, rest)
    if first and not sized:
        raise OptionError(f"{text}: {first!r} is not NAME=VALUE")
    return Named(text, name.strip(), first, options)


def _words(text: str, rest: str) -> tuple[str, dict[str, str]]:
    alone: list[str] = []
    pairs: list[str] = []
    for word in filter(None, rest.split(",")):
        if "=" in word:
            pairs.append(word)
        elif pairs:
            pairs[-1] += f",{word}"
        else:
            alone.append(word.strip())
    return ",".join(alone), parse_assignments(pairs, text)


def parse_assignments(pairs: Iterable[str], text: str = "") -> dict[str, str]:
    """NAME=VALUE words as a dictionary; `text` is where they stand, for the errors.

    >>> parse_assignments(["level=3", "N = 100"])
    {'level': '3', 'N': '100'}
    """
    where = f"{text}: " if text else ""
    given: dict[str, str] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        name, value = name.strip(), value.strip()
        if not sign or not name:
            raise OptionError(f"{where}{pair!r} is not NAME=VALUE")
        if name in given:
            both = f": {name}={given[name]} and {name}={value}" if not text else ""
            raise OptionError(f"{where}{name} is given twice{both}")
        given[name] = value
    return given


def named_text(name: str, options: Mapping[str, object]) -> str:
    """The text that `parse_named` takes apart into these.

    >>> named_text("nrpa", {"level": 2, "N": (10, 20), "bias": True})
    'nrpa:level=2,N=10,20,bias=true'
    """
    words = [f"{key}={value_text(value)}" for key, value in options.items()]
    return name + (":" + ",".join(words) if words else "")


def value_text(value: object) -> str:
    """An option's value as the command line takes it."""
    if isinstance(value, tuple | list):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool | None) else str(value)
