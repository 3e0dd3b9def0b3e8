"""Finding an instance by its name: a file, one of several in a file, a random or a known one.

A problem class says in `collections` where its public instances lie in the data folder,
`$PLAYOUT_DATA`: a mapping from a collection's name to a file with several instances (numbered
from 1), a folder with one instance a file, or a tar archive of such a folder, which is read
in memory. So `standard/1` is the first board of `samegame/boards.txt`.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

from playout.contract import Problem
from playout.contract.loadable import check_collections
from playout.errors import DataError, OptionError, ProblemError, nearest
from playout.problems import PROBLEMS
from playout.text.data_folder import VARIABLE, data_folder
from playout.text.grammar import parse_named
from playout.text.input_files import archive_members, missing, read_member, read_text
from playout.text.options import (
    Option,
    class_options,
    needed_options,
    parse_values,
    signature_options,
)

_ENDINGS = (".gz", ".txt", ".tw", ".dat", ".col")
_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2")


def find_instance(cls: Any, text: str | None = None, **options: Any) -> tuple[Any, str]:
    """The instance that a text names, and its full name.

    `text` is nothing (the default instance), `random:SEED`, `FILE`, `FILE#3` for the third of
    several, or `collection/name` in the data folder. `options` are as `parse_options` gives.
    """
    if not text:
        return _default(cls, options), "default"
    if text.startswith("random:"):
        _check_options(cls, "random", options)
        return _made(cls, "random", _seed(text), **options), text
    check_collections(cls)
    file, number = _split(text)
    if Path(file).exists():
        _check_options(cls, "read", options)
        instances = _made(cls, "read", file, **options)
        if not instances:
            raise DataError(f"{file}: has no instance")
        name = f"{file}#{number or 1}" if len(instances) > 1 or number else file
        return _pick(instances, file, number or 1), name
    collection, _, name = text.partition("/")
    if name and collection in cls.collections:
        _check_options(cls, "read", options)
        return _from_collection(cls, collection, name, options), text
    raise DataError(_unknown(cls, text, file))


def open_problem(
    text: str, instance: str | None = None, options: Mapping[str, str] | None = None
) -> tuple[Any, str]:
    """The problem that a text names, with the instance's full name.

    `text` is NAME, NAME:OPTION=VALUE,... or path/to/file.py:Class; `options` are more options, as
    texts; `instance` is as `find_instance` takes it.
    """
    name, _, rest = text.partition(":")
    if name in PROBLEMS and PROBLEMS.entry(name).takes_text:
        return _by_text(name, rest, instance, options or {}), ""
    if name in PROBLEMS and "=" not in rest and os.path.isfile(rest):
        raise OptionError(f"{text}: a file stands apart: {name} {rest}")
    named = parse_named(text, PROBLEMS)
    cls = PROBLEMS.find(named.name)
    given = parse_options(cls, {**named.options, **(options or {})})
    return find_instance(cls, instance, **given)


def _by_text(name: str, rest: str, instance: str | None, options: Mapping[str, str]) -> Any:
    """The problem of a class that reads itself what comes after its name."""
    if instance:
        raise OptionError(f"{name} has no instances: write {name}:{instance}")
    if not rest:
        raise OptionError(f"{name} alone is no problem: {PROBLEMS.entry(name).description}")
    cls = PROBLEMS[name]
    return cls(rest, **parse_values(name, class_options(cls), options))


def parse_options(cls: Any, texts: Mapping[str, str]) -> dict[str, Any]:
    """Keyword arguments for `default`, `random` or `read` from `name=value` texts."""
    return parse_values(cls.__name__, instance_options(cls), texts)


def instance_options(cls: Any) -> dict[str, Option]:
    """All options of a problem: of its instances, then of the ways to make or read them."""
    options = class_options(cls)
    for method in ("random", "default", "read"):
        options |= _method_options(cls, method)
    return options


def _method_options(cls: Any, method: str) -> dict[str, Option]:
    """The options that `default`, `random` or `read` takes for itself."""
    if method == "default" and _inherits_default(cls):
        return needed_options(cls)
    return signature_options(getattr(cls, method), skip=("seed", "path"))


class DataSet(NamedTuple):
    """One collection of one problem in the data folder."""

    problem: str
    collection: str
    place: str
    instances: list[str]
    error: str = ""


def list_data(folder: str | os.PathLike[str] | None = None) -> list[DataSet]:
    """What the data folder has for each built-in problem that has collections."""
    root = Path(folder) if folder is not None else data_folder()
    if root is not None and not root.is_dir():
        raise DataError(f"{root}: is not a folder")
    found = []
    for problem in PROBLEMS:
        cls = PROBLEMS.find(problem)
        for collection, place in cls.collections.items():
            names, error = [], ""
            if root is not None and (root / place).exists():
                try:
                    names = [name for name, _ in _contents(cls, root / place, {})]
                except DataError as fault:
                    error = str(fault)
            found.append(DataSet(problem, collection, place, names, error))
    return found


# the kinds of names


def _default(cls: Any, options: dict[str, Any]) -> Any:
    if _inherits_default(cls):
        try:
            inspect.signature(cls).bind(**options)
        except TypeError as error:
            raise ProblemError(
                f"{cls.__name__} has no default instance ({error}): give __init__ a default, name "
                "an instance, or give the option (-p)"
            ) from None
    _check_options(cls, "default", options)
    return _made(cls, "default", **options)


def _made(cls: Any, method: str, *given: Any, **options: Any) -> Any:
    """What `default`, `random` or `read` of a class makes: an instance, or a list of them."""
    if isinstance(inspect.getattr_static(cls, method), FunctionType):
        raise ProblemError(
            f"{cls.__name__}.{method}() makes instances, so there is none yet that it could be "
            "called of: write @classmethod above it, and cls in place of self"
        )
    made = getattr(cls, method)(*given, **options)
    instances = made if method == "read" else [made]
    if not isinstance(instances, list) or not all(isinstance(each, Problem) for each in instances):
        wanted = "a list of instances" if method == "read" else "an instance"
        raise ProblemError(f"{cls.__name__}.{method}() returned {made!r:.60}; {wanted} is due")
    return made


def _inherits_default(cls: Any) -> bool:
    """Whether the default instance is what `__init__` makes of options alone."""
    return getattr(cls.default, "__func__", None) is Problem.default.__func__  # type: ignore[attr-defined]


def _seed(text: str) -> int:
    word = text.partition(":")[2]
    if not (word.isascii() and word.isdigit()) or int(word[:20]) >= 1 << 64:
        raise DataError(f"{text}: a seed is a whole number from 0, as in random:1")
    return int(word)


def _split(text: str) -> tuple[str, int]:
    """A file and the number after its `#`, 0 if there is none."""
    file, mark, word = text.rpartition("#")
    if not mark or Path(text).exists():
        return text, 0
    if not (word.isascii() and word.isdigit() and 0 < int(word[:20]) < 10**9):
        raise DataError(f"{text}: after # comes the number of an instance, 1 for the first")
    return file, int(word)


def _pick(instances: list[Any], file: str, number: int) -> Any:
    if number > len(instances):
        there = "is 1 instance" if len(instances) == 1 else f"are {len(instances)} instances"
        raise DataError(f"{file}#{number}: there {there} in the file")
    return instances[number - 1]


def _check_options(cls: Any, method: str, options: dict[str, Any]) -> None:
    """Refuse an option that belongs to another way of making an instance."""
    takes = class_options(cls) | _method_options(cls, method)
    for name in options:
        if name in takes:
            continue
        ways = []
        if name in _method_options(cls, "default"):
            ways.append("the default instance")
        if name in _method_options(cls, "random"):
            ways.append("random instances (random:SEED)")
        if name in _method_options(cls, "read"):
            ways.append("instances from files")
        if ways:
            raise OptionError(f"{name} is an option of {' and '.join(ways)} only")
        hint = nearest(name, instance_options(cls)) if instance_options(cls) else "it has none"
        raise OptionError(f"{cls.__name__} has no option {name!r}; {hint}")


# collections


def _contents(
    cls: Any, place: Path, options: dict[str, Any]
) -> list[tuple[str, Callable[[], Any]]]:
    """The names in a collection and, for each, a function that reads the instance."""

    def from_file(path: Path) -> Any:
        return cls.parse(read_text(path), str(path), **options)[0]

    def from_archive(member: str) -> Any:
        return cls.parse(read_member(place, member), f"{place}:{member}", **options)[0]

    if place.is_dir():
        files = sorted(p for p in place.iterdir() if p.is_file() and not p.name.startswith("."))
        return [(_stem(path.name), partial(from_file, path)) for path in files]
    if place.name.endswith(_ARCHIVES):
        members = sorted(archive_members(place))
        return [(_stem(member), partial(from_archive, member)) for member in members]
    instances = cls.parse(read_text(place), str(place), **options)
    return [
        (str(number), partial(_pick, instances, str(place), number))
        for number in range(1, len(instances) + 1)
    ]


def _stem(path: str) -> str:
    """The name of a file without folder and ending; `rc_204.1` keeps its `.1`."""
    name = path.rpartition("/")[2]
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    return name


def _from_collection(cls: Any, collection: str, name: str, options: dict[str, Any]) -> Any:
    folder = data_folder()
    if folder is None:
        raise DataError(
            f"{collection}/{name} is in the data folder, which is not set: "
            f"set {VARIABLE} to the folder that has {cls.collections[collection]}"
        )
    place = folder / cls.collections[collection]
    if not place.exists():
        raise DataError(f"{collection}/{name}: there is no {place}")
    contents = dict(_contents(cls, place, options))
    wanted = _stem(name)
    if wanted not in contents:
        raise DataError(
            f"{collection} has no instance {name!r} among its {len(contents)}; "
            f"{_near(wanted, list(contents))}"
        )
    return contents[wanted]()


def _near(name: str, names: list[str]) -> str:
    """The nearest names, or a few when none is near."""
    hint = nearest(name, names)
    if hint.startswith("there are") and len(names) > 8:
        return f"there are: {', '.join(names[:4])}, ..., {names[-1]}"
    return hint


def _unknown(cls: Any, text: str, file: str) -> str:
    """Why a name was not found, and what would be found."""
    collections = cls.collections
    if not collections:
        return str(missing(file))
    collection, slash, name = text.partition("/")
    folder = data_folder()
    owners = [] if slash or folder is None else _owners(cls, folder, collection)
    if owners:
        hint = "did you mean " + " or ".join(f"{owner}/{_stem(text)}" for owner in owners) + "?"
    elif slash:
        near = {key.lower(): key for key in collections}
        close = get_close_matches(collection.lower(), near, n=2, cutoff=0.5)
        hint = "did you mean " + " or ".join(f"{near[key]}/{name}" for key in close) + "?"
        if not close:
            hint = "collections are " + ", ".join(collections)
    else:
        hint = f"instances of a collection are named as {next(iter(collections))}/NAME"
    if folder is None:
        hint += f" (collections are in the data folder: set {VARIABLE} to it)"
    return f"{text}: there is no such file or instance; {hint}"


def _owners(cls: Any, folder: Path, name: str) -> list[str]:
    """The collections that have an instance of this name."""
    owners = []
    for collection, place in cls.collections.items():
        if (folder / place).exists():
            with suppress(DataError):  # a damaged collection is not what was asked for
                if _stem(name) in dict(_contents(cls, folder / place, {})):
                    owners.append(collection)
    return owners
