"""The sets of instances that records are kept of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.common import HERE, data_folder
from playout.contract import Problem
from playout.problems import SameGame
from playout.text.user_files import load_class

EXAMPLES = HERE.parent / "examples"


@dataclass(frozen=True)
class RecordSet:
    """Instances of one problem, and what usually searches them."""

    name: str
    algorithm: str
    anchor: str  # what is known from elsewhere, to compare with

    def problems(self) -> Iterator[tuple[str, Problem]]:
        """Each instance by the name of its file; none where the public data is missing."""
        if self.name == "morpion":
            yield "5D", load_class(f"{EXAMPLES / 'morpion.py'}:Morpion", Problem)()
            return
        folder = data_folder()
        if folder is not None:
            boards = SameGame.read(folder / "samegame" / "boards.txt")
            yield from ((f"{number:02}", board) for number, board in enumerate(boards, 1))

    @property
    def folder(self) -> Path:
        """Where the files of the set are."""
        return HERE / "records" / self.name


SETS = {
    one.name: one
    for one in (
        RecordSet("samegame", "gnrpa:level=4,N=32,P=4", "best known in all 87,858"),
        RecordSet("morpion", "gnrpa:level=4,N=65", "best known 82"),
    )
}
