"""Registries: names and what they stand for, built into the package or brought by others.

Every kind of thing that has names has one: problems, games, algorithms, tree policies, playout
policies, backups, move orders, solvers, players, kinds of runs, experiments, commands. The table of
a registry stands in the `__init__.py` of its room, a line a name. What a name stands for is given
as text, "module:Attribute", and imported when it is first asked for: so a list of names costs
nothing, and a low room can name what a higher one brings.

Other packages add names through Python's entry points, in the group of the registry:

    [project.entry-points."playout.problems"]
    queens = "playout_queens:Queens"

After `pip install` of such a package `playout solve queens` works (`examples/plugin`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import cleandoc
from typing import Any

from playout.errors import OptionError, PlayoutError, nearest
from playout.text.user_files import is_user_file, load_class, own_file


@dataclass(frozen=True)
class Entry:
    """What a name stands for, a line about it, and options that the name sets."""

    target: str  # "module:Attribute", or "module"
    description: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    takes_text: bool = False  # whether all after NAME: is for its class alone to read
    package: str = ""  # the distribution that brings it; empty: this one


class Registry(Mapping[str, Any]):
    """Names of one kind of thing; `registry[name]` is what the name stands for, imported.

    Parameters
    ----------
    what : str
        What one of them is called, for errors: "problem", "move order".
    group : str
        The group of entry points through which other packages add some.
    entries : mapping
        The built-in ones, by name.
    base : str
        The class that a user's own must extend, as "module:Class"; empty: there are no own ones.
    error : type
        What is raised for a name that is not there.
    commands : str
        The commands that take one, for who gives it to another.
    sibling : str
        Where the registry is whose things may be taken for these, as "module:REGISTRY".
    """

    def __init__(
        self,
        what: str,
        group: str,
        entries: Mapping[str, Entry],
        base: str = "",
        error: Callable[[str], PlayoutError] = OptionError,
        commands: str = "",
        sibling: str = "",
    ) -> None:
        self.what, self.group, self._base, self._error = what, group, base, error
        self.commands, self._sibling = commands, sibling
        self._entries = dict(entries)
        self._adopted: dict[str, Any] = {}

    @cached_property
    def _others(self) -> dict[str, Entry]:
        """What other packages bring; a name that is built in stays what it is."""
        found: dict[str, Entry] = {}
        for point in sorted(entry_points(group=self.group), key=_by_package):
            if point.name not in self._entries and point.name not in found:
                package = point.dist.name if point.dist is not None else "another package"
                found[point.name] = Entry(point.value, package=package)
        return found

    def entry(self, name: str) -> Entry:
        """What is known of a name without importing it; KeyError if there is no such name."""
        return self._entries[name] if name in self._entries else self._others[name]

    def __getitem__(self, name: str) -> Any:
        if name in self._adopted:
            return self._adopted[name]
        entry = self.entry(name)
        if not entry.package:
            return _imported(entry.target)
        try:
            return _imported(entry.target)
        except Exception as error:
            raise self._error(
                f"the {self.what} {name!r} of the package {entry.package} cannot be loaded: "
                f"{type(error).__name__}: {error}"
            ) from None

    def __contains__(self, name: object) -> bool:
        return name in self._adopted or name in self._entries or name in self._others

    def __iter__(self) -> Iterator[str]:
        yield from self.listed()
        yield from self._adopted

    def __len__(self) -> int:
        return len(self._entries) + len(self._others) + len(self._adopted)

    def listed(self) -> list[str]:
        """The names that stand for the same in every process."""
        return [*self._entries, *self._others]

    def adopt(self, name: str, thing: Any) -> None:
        """Let a name stand, in this process, for a class that the user has at hand.

        What is registered keeps its name; a class that was defined anew takes the place of the old.
        """
        registered = name in self.listed()
        if registered and _imported(self.entry(name).target) is not thing:
            raise self._error(f"there is the {self.what} {name!r} already: name yours otherwise")
        if not registered:
            self._adopted[name] = thing

    def find(self, name: str, hint: str = "") -> Any:
        """What a name, or a user's own `path/to/file.py:Class`, stands for; else a clear error."""
        if name in self:
            return self[name]
        if self._base and is_user_file(name):
            return load_class(name, _imported(self._base))
        raise self.unknown(name, hint)

    def unknown(self, name: str, hint: str = "") -> PlayoutError:
        """The error for a name that stands for nothing."""
        if self._sibling and name in (other := _imported(self._sibling)):
            return self._error(
                f"{name} is a {other.what}, and this is for {self.what}s: use {other.commands}"
            )
        if self._base and (own := own_file(name)):
            return self._error(f"there is no {self.what} {name!r}; did you mean {own}?")
        hint = hint or (" (your own is path/to/file.py:Class)" if self._base else "")
        return self._error(f"there is no {self.what} {name!r}; {nearest(name, self)}{hint}")

    def class_named(self, name: str, module: str) -> Any:
        """A built-in one by the name of its class, for `__getattr__` of its room's module."""
        if name not in (found := self.class_names()):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return _imported(found[name])

    def class_names(self) -> dict[str, str]:
        """The built-in ones by the names of their classes."""
        targets = [entry.target for entry in self._entries.values()]
        return {target.partition(":")[2]: target for target in targets}

    def description(self, name: str) -> str:
        """A line about what a name stands for."""
        if name not in self._adopted and (known := self.entry(name).description):
            return known
        try:
            return cleandoc(self[name].__doc__ or "").partition("\n")[0]
        except PlayoutError as error:
            return str(error)


def _by_package(point: EntryPoint) -> tuple[str, str]:
    return (point.dist.name if point.dist is not None else "", point.name)


def _imported(target: str) -> Any:
    module, _, attribute = target.partition(":")
    found = import_module(module)
    return getattr(found, attribute) if attribute else found
