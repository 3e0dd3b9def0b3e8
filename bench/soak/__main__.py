"""`python -m bench.soak KIND`: see `bench/soak/__init__.py`."""

from __future__ import annotations

import argparse
import time
from importlib import import_module

import bench.soak
from bench.soak.case_notes import FAILED, CaseNotes
from bench.soak.side_by_side import run_side_by_side
from playout.provenance import Provenance

# the file and the function of each kind
KINDS = {
    "kill": ("kills", "soak_kills"),
    "writes": ("writes", "soak_writes"),
    "fuzz": ("fuzz", "soak_fuzz"),
    "readers": ("naive_readers", "soak_readers"),
    "checkpoints": ("checkpoints", "soak_checkpoints"),
    "damage": ("damage", "soak_damage"),
}


def main() -> None:
    title = (bench.soak.__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="bench.soak", description=title)
    parser.add_argument("kind", choices=(*KINDS, "all"))
    parser.add_argument("--count", type=int, help="how many cases; 0 for all that there are")
    parser.add_argument("--minutes", type=float, default=0, help="for so long at most")
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn")
    parser.add_argument("--workers", type=int, default=1, help="how many processes side by side")
    parser.add_argument("--out", default="", help="with several: a folder of notes; go on from it")
    parser.add_argument("--commit", default="", help="what the notes are of, where there is no git")
    parser.add_argument("--every", type=int, default=1, help="checkpoints: of every so manyth run")
    parser.add_argument("--only", default="", help="kill, writes: commands with this text in them")
    parser.add_argument("--part", default="1/1", help="3/16 takes the third of 16 parts")
    parser.add_argument("--done", default="", help="a file of what was tried; go on from it")
    parser.add_argument("--keep", default="", help="checkpoints: a folder for the damaged files")
    arguments = parser.parse_args()
    start = time.time()
    arguments.commit = arguments.commit or Provenance.here().git_commit
    arguments.until = start + 60 * arguments.minutes if arguments.minutes else float("inf")
    if arguments.kind == "all" or arguments.workers > 1:
        if not arguments.commit or not arguments.out:
            parser.error("several processes want --out FOLDER and, where there is no git, --commit")
        raise SystemExit(run_side_by_side(arguments))
    if arguments.count is None:
        arguments.count = 0 if arguments.minutes else 100
    if not arguments.count and not arguments.minutes and arguments.kind != "writes":
        parser.error("--count 0 is without an end: give --minutes")
    part, parts = map(int, arguments.part.split("/"))
    arguments.part = part - 1, parts
    notes = CaseNotes(arguments.done, arguments.commit, arguments.until)
    file, function = KINDS[arguments.kind]
    getattr(import_module(f"bench.soak.{file}"), function)(arguments, notes)
    notes.close()
    words = notes.words()
    for what, why in notes.left_out.items():
        print(f"left out: {what}: {why}")
    print(f"{dict(words)}")
    print(f"{words[FAILED]} of {len(notes.known)} failed, {time.time() - start:.0f} s")
    raise SystemExit(1 if words[FAILED] else 0)


if __name__ == "__main__":
    main()
