"""A record as a file: read strictly, replayed by the rules, written whole."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from playout.contract import Problem
from playout.errors import DataError
from playout.run.known_solution import whole_solution
from playout.text.input_files import read_text
from playout.text.output_files import write_atomically

_HEAD = (
    re.compile(r"# ([a-z]+) (\S+): score (-?[0-9]+)"),
    re.compile(r"# found by (\S+) seed ([0-9]+)"),
    re.compile(r"# searched ([0-9]+) core seconds in all"),
)


@dataclass(frozen=True)
class Record:
    """The best solution of an instance, and what it took."""

    set_name: str
    instance: str
    score: int
    algorithm: str
    seed: int
    core_seconds: int  # of all searches of the instance so far
    moves: tuple[str, ...]

    def text(self) -> str:
        """The text of the file."""
        lines = [
            f"# {self.set_name} {self.instance}: score {self.score}",
            f"# found by {self.algorithm} seed {self.seed}",
            f"# searched {self.core_seconds} core seconds in all",
            *self.moves,
        ]
        return "\n".join(lines) + "\n"

    def write(self, path: Path) -> None:
        """Write the file, whole or not at all."""
        path.parent.mkdir(exist_ok=True)
        write_atomically(path, self.text().encode())

    def replay(self, problem: Problem) -> float:
        """The score by the rules and by the referee; DataError if the file says another."""
        moves, score = whole_solution(problem, list(self.moves))
        for other, who in ((problem.verify(moves), "the referee"), (self.score, "the file")):
            if other != score:
                raise DataError(
                    f"{self.set_name} {self.instance}: {who} says {other:g}, the rules {score:g}"
                )
        return score


def read_record(path: Path) -> Record:
    """The record in a file."""
    lines = read_text(path).splitlines()
    heads = [form.fullmatch(line) for form, line in zip(_HEAD, lines)]
    if len(heads) < len(_HEAD) or None in heads:
        raise DataError(f"{path}: should begin with three lines such as those of Record.text()")
    first, second, third = (head.groups() for head in heads if head is not None)
    return Record(
        set_name=first[0],
        instance=first[1],
        score=int(first[2]),
        algorithm=second[0],
        seed=int(second[1]),
        core_seconds=int(third[0]),
        moves=tuple(lines[len(_HEAD) :]),
    )
