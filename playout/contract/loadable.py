"""How instances are found: the INSTANCE of `playout solve PROBLEM INSTANCE`.

`options` are keyword arguments of `__init__`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from playout.errors import ProblemError


class Loadable:
    """Where instances of a problem come from.

    - `collections` (on the class): where its public instances lie in the data folder
      (`playout.problems.instances`), by the collection's name.
    """

    collections: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def default(cls, **options: Any) -> Any:
        """The instance used when none is named: `playout solve PROBLEM`."""
        return cls(**options)

    @classmethod
    def training(cls, **options: Any) -> Any:
        """The instance whose `draw` training plays from: `playout train PROBLEM`."""
        return cls.default(**options)

    @classmethod
    def read(cls, path: Any, **options: Any) -> list[Any]:
        """All instances in a file: `playout solve PROBLEM FILE`, `FILE#3`, `COLLECTION/NAME`."""
        raise ProblemError(f"{cls.__name__} reads no files: it has no read() method")

    @classmethod
    def random(cls, seed: int = 0, **options: Any) -> Any:
        """A random instance, the same for the same seed: `playout solve PROBLEM random:SEED`."""
        raise ProblemError(f"{cls.__name__} has no random instances: it has no random() method")

    def write(self) -> str:
        """The instance as text that `read` reads, for who wants to keep a random one."""
        raise ProblemError(f"{type(self).__name__} writes no files: it has no write() method")


def check_collections(problem: Any) -> None:
    """Refuse collections, of a class or an object, that say of no names where they lie."""
    places = problem.collections
    if isinstance(places, Mapping) and all(
        isinstance(text, str) for place in places.items() for text in place
    ):
        return
    cls = problem if isinstance(problem, type) else type(problem)
    raise ProblemError(
        f"{cls.__name__}.collections is {places!r}; it should say by name where public instances "
        "lie, such as {'boards': 'samegame/boards.txt'}. Give what is yours another name"
    )
