"""`python -m bench.soak KIND`: see `bench/soak/__init__.py`."""

from __future__ import annotations

import argparse
import time
from importlib import import_module

import bench.soak

# the file and the function of each kind
KINDS = {
    "kill": ("kills", "soak_kills"),
    "writes": ("writes", "soak_writes"),
    "fuzz": ("fuzz", "soak_fuzz"),
    "readers": ("naive_readers", "soak_readers"),
    "checkpoints": ("checkpoints", "soak_checkpoints"),
}


def main() -> None:
    title = (bench.soak.__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="bench.soak", description=title)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--count", type=int, default=100, help="how many cases")
    parser.add_argument("--minutes", type=float, default=0, help="for so long, in place of --count")
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn")
    parser.add_argument("--every", type=int, default=1, help="checkpoints: of every so manyth run")
    parser.add_argument("--only", default="", help="kill, writes: commands with this text in them")
    parser.add_argument("--part", default="1/1", help="writes: 3/16 takes the third of 16 parts")
    parser.add_argument("--done", default="", help="writes: a file of what was good; go on from it")
    parser.add_argument("--keep", default="", help="checkpoints: a folder for the damaged files")
    arguments = parser.parse_args()
    start = time.perf_counter()
    file, function = KINDS[arguments.kind]
    failed = getattr(import_module(f"bench.soak.{file}"), function)(arguments)
    print(f"{failed} of {arguments.count} failed, {time.perf_counter() - start:.0f} s")
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
