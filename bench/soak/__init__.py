"""Long runs that look for what must never happen: `python -m bench.soak KIND --count N`.

- `kill`: commands are killed at random moments and go on; the result is that of an unkilled one.
- `writes`: operations on files fail, each in turn, or are the last; nothing is lost.
- `fuzz`: files and texts of every kind, mangled by chance, are read or refused in one line.
- `readers`: what is read from mangled files is what a second, naive reader reads.
- `checkpoints`: crafted checkpoints are refused in one line, or the run goes on.

Each kind is a function of the arguments that returns how many failed, in a file of its own.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Iterator

CASE_SECONDS = 60  # that a case may take before it counts as one without an end


def cases(arguments: argparse.Namespace) -> Iterator[int]:
    """The numbers of the cases: so many, or for so many minutes."""
    end = time.perf_counter() + 60 * arguments.minutes
    for number in itertools.count() if arguments.minutes else range(arguments.count):
        if arguments.minutes and time.perf_counter() > end:
            return
        yield number
