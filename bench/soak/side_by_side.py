"""Kinds of soak side by side: processes that each try one part of a kind, and one table of all.

Each process has temporary folders of its own and notes of its own (`case_notes.py`), so that the
same command goes on where it was ended. What a process prints is beside its notes.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bench.soak import CASE_SECONDS
from bench.soak.case_notes import END, FAILED, PAUSED, CaseNotes
from playout.provenance import machine

# of each kind how many cases, and how many parts of about four minutes; the short ones go first
COUNTS = {
    "readers": (10_000, 1),
    "damage": (4_000, 1),
    "fuzz": (50_000, 2),
    "checkpoints": (1_000, 5),
    "kill": (450, 9),  # two or three kills each
    "writes": (0, 22),  # all that there are
}


@dataclass
class Part:
    """A process that tries one part of a kind, or has yet to begin."""

    kind: str
    number: int
    parts: int
    count: int
    notes: Path
    process: subprocess.Popen[bytes] | None = None
    code: int | None = None

    def begin(self, arguments: argparse.Namespace) -> None:
        minutes = max(0.01, (arguments.until - time.time()) / 60) if arguments.minutes else 0
        settings = {
            "count": self.count,
            "part": f"{self.number}/{self.parts}",
            "done": self.notes,
            "commit": arguments.commit,
            "seed": arguments.seed,
            "minutes": minutes,
            "only": arguments.only,
        }
        words = [f"--{name}={value}" for name, value in settings.items()]
        with self.notes.with_suffix(".log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "bench.soak", self.kind, *words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # or each has a thread for every core
                env={**os.environ, "OMP_NUM_THREADS": "1"},
                start_new_session=True,
            )

    def has_ended(self) -> bool:
        assert self.process is not None
        self.code = self.process.poll()
        return self.code is not None

    def end(self) -> None:
        """End the process and what it has started."""
        assert self.process is not None
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, 9)
        self.process.wait()


def parts_of(arguments: argparse.Namespace) -> list[Part]:
    folder = Path(arguments.out)
    folder.mkdir(parents=True, exist_ok=True)
    kinds = COUNTS if arguments.kind == "all" else {arguments.kind: COUNTS[arguments.kind]}
    return [
        Part(kind, number, parts, count, folder / f"{kind}-{number}")
        for kind, (usual, parts) in kinds.items()
        for count in [usual if arguments.count is None else arguments.count]
        for number in range(1, parts + 1)
    ]


def run_side_by_side(arguments: argparse.Namespace) -> int:
    """Try all that is left, for the time that there is, and print the table; the exit code."""
    every = parts_of(arguments)
    waiting = [part for part in every if _notes(part, arguments).last != END]
    running: list[Part] = []
    loads = []
    start = time.time()
    # a part that is in the middle of a case, or makes its commands ready, is waited for
    last = arguments.until + CASE_SECONDS / 2
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = folder  # what a process that is ended leaves goes with it
        try:
            while waiting or running:
                running = [part for part in running if not part.has_ended()]
                while waiting and len(running) < arguments.workers:
                    if time.time() > arguments.until:
                        waiting.clear()
                        break
                    running.append(waiting.pop(0))
                    running[-1].begin(arguments)
                if time.time() > last:
                    break
                time.sleep(0.2)
                loads.append(os.getloadavg()[0])
        finally:
            for part in running:
                part.end()
    load = f"load {min(loads, default=0):.0f} to {max(loads, default=0):.0f}"
    print(f"commit {arguments.commit}, {machine()}, {load}, {time.time() - start:.0f} s\n")
    return _print_table(every, arguments)


def _notes(part: Part, arguments: argparse.Namespace) -> CaseNotes:
    return CaseNotes(str(part.notes), arguments.commit)


def _print_table(every: list[Part], arguments: argparse.Namespace) -> int:
    print("| kind | tried | of | failed | what came of it | broken off |")
    print("|---|---|---|---|---|---|")
    left_out: dict[str, str] = {}
    wrong = 0
    for kind in dict.fromkeys(part.kind for part in every):
        parts = [part for part in every if part.kind == kind]
        found = [_notes(part, arguments) for part in parts]
        words = sum((one.words() for one in found), Counter())
        tried, of = sum(len(one.known) for one in found), sum(one.all for one in found)
        # of a part that was not begun nothing is known
        unknown = "" if all(one.last for one in found) else "+"
        broken_off = [
            part.notes.name
            for part, one in zip(parts, found)
            if part.code is not None and one.last not in (END, PAUSED)
        ]
        told = ", ".join(f"{n:,} {word}" for word, n in words.most_common() if word != FAILED)
        shown = f"{tried:,} | {of:,}{unknown} | {words[FAILED]:,} | {told} | {' '.join(broken_off)}"
        print(f"| {kind} | {shown} |")
        wrong += words[FAILED] + len(broken_off)
        for one in found:
            left_out |= one.left_out
    for what, why in left_out.items():
        print(f"left out: {what[:70]}: {why.removeprefix('playout: ')}")
    return 1 if wrong else 0
