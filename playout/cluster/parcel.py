"""What travels to a node: the user's own Python files, objects, machine code, and who is meant.

Objects travel as pickled bytes and not as such: an engine hands out arrays that cannot be written,
which are another type to a compiled kernel. A file of the user's own travels with the neighbours
that it has imported; a node writes them to a folder named by their digest, and loads them from
there. Machine code goes into the node's own cache, where its name says what it is for: a node of
another kind never looks at it.
"""

from __future__ import annotations

import hashlib
import importlib
import io
import os
import pickle
import platform
import sys
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import playout
from playout._version import __version__
from playout.compiled import cache_folder
from playout.compiled.cache import is_safe, used_files
from playout.errors import PlayoutError, ProblemError
from playout.text.user_files import load_module, stand_in

MOST_BYTES = 16 << 20  # of a user's own files
MOST_CODE = 64 << 20  # of machine code

Files = tuple[tuple[str, str, bytes], ...]  # a module's name, its path in its root, its text


class NodeRefused(PlayoutError):
    """A node that would not come to the same bits, or cannot work at all."""


def versions() -> dict[str, str]:
    """What must be the same on all machines of a run."""
    return {
        "playout": __version__,
        "Python": platform.python_version(),
        "Numba": version("numba"),
        "NumPy": np.__version__,
    }


def check_versions(wanted: dict[str, str], node: str) -> None:
    """NodeRefused if this machine, which is called `node`, has others."""
    here = versions()
    for name, theirs in wanted.items():
        if here.get(name) != theirs:
            raise NodeRefused(
                f"node {node} has {name} {here.get(name)}, the head {theirs}: "
                "results would not be the same; it is not used"
            )


@dataclass(frozen=True)
class Parcel:
    """An object, the user's own files that it needs, and what its machine needs in any case."""

    roots: tuple[tuple[str, Files], ...]  # folders of the head, with what was imported from them
    named: tuple[tuple[str, str], ...]  # modules, and the paths by which texts name their files
    main: str  # the module that is the head's script
    content: bytes
    versions: dict[str, str]  # of the head
    code: dict[str, bytes]  # machine code, by the names of files

    @classmethod
    def of(cls, content: Any, *needed: Any, texts: Iterable[str] = ()) -> Parcel:
        """A parcel with an object in it. `texts` name files that nodes will be asked for."""
        files = {path: load_module(path) for path in texts}
        modules = [*(_module_of(one) for one in needed), *files.values()]
        roots: dict[str, dict[str, tuple[str, bytes]]] = {}
        main = ""
        for module in modules:
            if module is None:
                continue
            root, name = _root(module)
            main = name if module.__name__ == "__main__" else main
            found = roots.setdefault(str(root), {})
            for other, path in _neighbours(root):
                found[other] = (str(path.relative_to(root)), path.read_bytes())
            found[name] = (str(Path(str(module.__file__)).relative_to(root)), _text(module))
        size = sum(len(text) for found in roots.values() for _, text in found.values())
        if size > MOST_BYTES:
            raise ProblemError(
                f"the Python files beside yours have {size:,} bytes; at most {MOST_BYTES:,} travel "
                "to a node: put yours into a folder of its own"
            )
        named = tuple((_root(module)[1], path) for path, module in files.items())
        packed = tuple(
            (root, tuple((name, *file) for name, file in sorted(found.items())))
            for root, found in roots.items()
        )
        return cls(packed, named, main, pickle.dumps(content), versions(), machine_code())

    def open(self) -> Any:
        """The object, on a node: the files are written and loaded first.

        Without room for them, or with other versions, the node cannot be used (`NodeRefused`).
        """
        check_versions(self.versions, platform.node())
        take_machine_code(self.code)
        main = None
        for root, files in self.roots:
            digest = hashlib.blake2b(repr((root, files)).encode(), digest_size=12).hexdigest()
            try:
                folder = private_folder("parcels") / digest
                for _, path, text in files:
                    _write(folder / path, text)
            except OSError as error:
                raise NodeRefused(
                    f"node {platform.node()} cannot keep your files: {error.strerror or error}; "
                    "it is not used"
                ) from None
            if str(folder) not in sys.path:
                sys.path.insert(0, str(folder))
            importlib.invalidate_caches()
            for name, path, _ in files:
                if "." not in name and name not in sys.modules:
                    module = load_module(str(folder / path))
                    sys.modules[name] = module
                if name == self.main:
                    main = sys.modules[name]
        for name, path in self.named:
            stand_in(path, str(sys.modules[name].__file__))
        return _Unpickler(io.BytesIO(self.content), main).load()


class _Unpickler(pickle.Unpickler):
    """Knows the classes of the head's script."""

    def __init__(self, file: Any, main: ModuleType | None) -> None:
        super().__init__(file)
        self._main = main

    def find_class(self, module: str, name: str) -> Any:
        if module == "__main__" and self._main is not None:
            return getattr(self._main, name)
        return super().find_class(module, name)


def machine_code() -> dict[str, bytes]:
    """What this process has used of the disk cache, the latest first, as far as it may travel."""
    found: dict[str, bytes] = {}
    size = 0
    for path in reversed(used_files()):
        with suppress(OSError):  # pruned meanwhile
            content = path.read_bytes()
            size += len(content)
            if size > MOST_CODE:
                break
            found[path.name] = content
    return found


def take_machine_code(files: dict[str, bytes]) -> None:
    """Put machine code into this machine's cache; without room it is compiled again."""
    with suppress(OSError):
        folder = private_folder()
        for name, content in files.items():
            if os.path.basename(name) == name and name.endswith(".nbc"):
                _write(folder / name, content)


def digest_of_arrays(arrays: dict[str, np.ndarray]) -> str:
    """A digest of all that a search knows."""
    h = hashlib.blake2b(digest_size=12)
    for name, array in sorted(arrays.items()):
        h.update(f"{name}{array.shape}".encode() + np.ascontiguousarray(array).tobytes())
    return h.hexdigest()


def private_folder(name: str = "") -> Path:
    """A folder in this machine's cache, which nobody else may write."""
    folder = cache_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not is_safe(folder):
        raise NodeRefused(f"the cache folder {folder} of {platform.node()} is not safe to use")
    if name:
        folder = folder / name
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _write(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all, unless it is there."""
    if path.exists() and path.stat().st_size == len(content):
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _module_of(thing: Any) -> ModuleType | None:
    """The module of an object's class, if it is the user's own."""
    cls = thing if isinstance(thing, type) else type(thing)
    module = sys.modules.get(cls.__module__)
    if module is None or getattr(module, "__file__", None) is None:
        if cls.__module__ == "builtins":
            return None
        raise ProblemError(
            f"{cls.__name__} was not defined in a file, so that other machines cannot have it: "
            "move it into a Python file, and import it"
        )
    return module if _is_own(Path(str(module.__file__))) else None


def _is_own(path: Path) -> bool:
    """Whether a file is neither Python's, nor an installed package's, nor ours."""
    if path.suffix != ".py":
        return False
    installed = {sys.prefix, sys.base_prefix, str(Path(playout.__file__).parent)}
    parts = path.resolve()
    return "site-packages" not in parts.parts and not any(
        parts.is_relative_to(Path(folder).resolve()) for folder in installed
    )


def _root(module: ModuleType) -> tuple[Path, str]:
    """The folder from which a module is imported, and its name there."""
    path = Path(str(module.__file__)).resolve()
    name = path.stem if module.__name__ == "__main__" else module.__name__
    levels = name.count(".") + (path.stem == "__init__")
    return path.parents[levels], name


def _neighbours(root: Path) -> Sequence[tuple[str, Path]]:
    """What has been imported from a folder."""
    found = []
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file is None or name == "__main__" or not isinstance(module, ModuleType):
            continue
        path = Path(file).resolve()
        if _is_own(path) and path.is_relative_to(root) and _root(module)[0] == root:
            found.append((name, path))
    return found


def _text(module: ModuleType) -> bytes:
    return Path(str(module.__file__)).read_bytes()
