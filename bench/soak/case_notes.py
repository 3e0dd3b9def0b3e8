"""The cases of a part of a kind: which are left to try, and what came of each, in a file.

A sweep is so made in pieces, and by several processes, each with a file of its own. A file is of
one commit. It ends with `end` when every case of its part was tried, with `paused` when there was
no time for all of them, and otherwise in mid-case.
"""

from __future__ import annotations

import argparse
import itertools
import random
import time
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sized
from pathlib import Path
from typing import Any

FAILED, END, PAUSED, LEFT_OUT = "failed", "end", "paused", "left out"


class CaseNotes:
    """What came of the cases, by their keys: words such as `good`, `refused` or `failed`."""

    def __init__(self, path: str, commit: str, until: float = float("inf")) -> None:
        self._path = Path(path) if path else None
        self._until = until
        self.known: dict[str, list[str]] = {}
        self.left_out: dict[str, str] = {}
        self.all = 0  # how many there are; 0 if they have no end
        self.last = ""  # END, PAUSED, or what was noted last
        if self._path is not None:
            self._read(self._path, commit)

    def _read(self, path: Path, commit: str) -> None:
        code = f"commit {commit}"
        if not path.exists():
            path.write_text(code + "\n")
        text = path.read_text()
        whole = text[: text.rfind("\n") + 1]  # a line may be cut off where a process was killed
        if whole != text:
            path.write_text(whole)
        first, *lines = whole.splitlines()
        if first != code:
            raise SystemExit(f"{path} is of {first}, and this is {code}")
        for line in lines:
            word, _, rest = line.partition("\t")
            self.last = word
            if word == "of":
                self.all = int(rest)
            elif word == LEFT_OUT:
                what, _, why = rest.partition("\t")
                self.left_out[what] = why
            elif word not in (END, PAUSED):
                self.known[rest] = word.split()

    def left(self, cases: Iterable[Any]) -> Iterator[Any]:
        """The cases that were not tried before, as long as there is time."""
        self.all = len(cases) if isinstance(cases, Sized) else 0
        self._write("of", self.all)
        for case in cases:
            if str(case) in self.known:
                continue
            if time.time() > self._until:
                self.last = PAUSED
                return
            yield case
        self.last = END

    def close(self) -> None:
        """Note that the part was not broken off."""
        self._write(self.last, "")

    def note(self, case: Hashable, *words: str) -> None:
        """What came of a case."""
        self.known[str(case)] = list(words)
        self._write(" ".join(words), case)
        if len(self.known) % 1000 == 0:
            print(f"{len(self.known)}: {dict(self.words())}", flush=True)

    def leave_out(self, what: str, why: str) -> None:
        """Something that cannot be tried on this machine."""
        if what not in self.left_out:
            self.left_out[what] = why
            self._write(LEFT_OUT, f"{what}\t{why}")

    def drop(self) -> None:
        """A case of what was left out: it counts nowhere."""
        self.all -= 1
        self._write("of", self.all)

    def words(self) -> Counter[str]:
        """How often each word was noted."""
        return Counter(word for words in self.known.values() for word in words)

    def _write(self, word: str, rest: Hashable) -> None:
        if self._path is not None:
            with self._path.open("a") as file:
                file.write(f"{word}\t{rest}\n")


def chance(seed: int, number: Hashable) -> random.Random:
    """What a case draws from: the same whoever tries it, and when."""
    return random.Random(f"{seed} {number}")


def part_of(arguments: argparse.Namespace) -> Iterable[int]:
    """The numbers of the cases of one part."""
    part, parts = arguments.part
    if arguments.count:
        return range(part, arguments.count, parts)
    return itertools.count(part, parts)


def part_in_turns(arguments: argparse.Namespace, kinds: int) -> Iterable[int]:
    """The same where cases are of so many kinds in turn, and a kind takes long to make ready.

    Each part has kinds of its own.
    """
    part, parts = arguments.part
    if arguments.count:
        return [n for n in range(arguments.count) if n % kinds % parts == part]
    return (n for n in itertools.count() if n % kinds % parts == part)
