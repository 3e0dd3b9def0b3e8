"""`python -m bench.records check` and `run`: see the package's docstring."""

from __future__ import annotations

import argparse
import os
import secrets
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace

import playout as po
from bench.records.record_files import Record, read_record
from bench.records.sets import SETS, RecordSet


def check() -> int:
    """Replay every record, and print each with the totals."""
    for one in SETS.values():
        total, seconds, number = 0.0, 0, 0
        for name, problem in one.problems():
            path = one.folder / f"{name}.txt"
            if not path.exists():
                print(f"{one.name} {name}: no record yet")
                continue
            record = read_record(path)
            score = record.replay(problem)
            print(f"{one.name} {name}: {score:g}, {record.algorithm}, {record.core_seconds} s")
            total, seconds, number = total + score, seconds + record.core_seconds, number + 1
        print(
            f"{one.name}: {total:,g} in all over {number} replayed, {seconds / 3600:.2f} core "
            f"hours ({one.anchor})"
        )
    return 0


def search(set_name: str, instance: str, algorithm: str, seconds: float) -> Record:
    """One search from scratch, in a process of its own."""
    problem = dict(SETS[set_name].problems())[instance]
    seed = secrets.randbits(31)
    po.solve(problem, algorithm, po.Playouts(1), seed=seed)  # compiled before the clock runs
    before = time.process_time()
    result = po.solve(problem, algorithm, po.Seconds(seconds), seed=seed)
    spent = round(time.process_time() - before)
    if not result.verified:
        raise SystemExit(f"{set_name} {instance}: the replay does not agree")
    score, moves = round(result.score), tuple(result.moves)
    return Record(set_name, instance, score, algorithm, seed, spent, moves)


def keep(one: RecordSet, found: Record) -> str:
    """Keep the better of what was found and what there was; what came of it."""
    path = one.folder / f"{found.instance}.txt"
    if not path.exists():
        found.write(path)
        return "the first"
    known = read_record(path)
    spent = known.core_seconds + found.core_seconds
    better = found if found.score > known.score else known
    replace(better, core_seconds=spent).write(path)
    return f"{known.score} before"


def run(chosen: argparse.Namespace) -> int:
    """Search the instances of a set, the same time for each, and keep what is better."""
    one = SETS[chosen.set]
    names = [name for name, _ in one.problems() if not chosen.only or name in chosen.only]
    if not names:
        raise SystemExit(f"{one.name}: there is no such instance, or the data is missing")
    os.nice(chosen.nice)
    seconds = 60 * chosen.minutes * chosen.workers / len(names)
    algorithm = chosen.algorithm or one.algorithm
    with ProcessPoolExecutor(chosen.workers) as pool:
        tasks = [pool.submit(search, one.name, name, algorithm, seconds) for name in names]
        for task in as_completed(tasks):
            found = task.result()
            print(f"{one.name} {found.instance}: {found.score}, {keep(one, found)}", flush=True)
    return 0


def main() -> int:
    """Read the command and do it."""
    parser = argparse.ArgumentParser(prog="python -m bench.records")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check")
    command = commands.add_parser("run")
    command.add_argument("--set", choices=list(SETS), required=True)
    command.add_argument("--minutes", type=float, required=True, help="for the whole set")
    command.add_argument("--workers", type=int, default=1, help="processes")
    command.add_argument("--only", action="append", default=[], metavar="INSTANCE")
    command.add_argument("--algorithm", help="in place of the set's own")
    command.add_argument("--nice", type=int, default=0, help="how much to give way, up to 19")
    chosen = parser.parse_args()
    return check() if chosen.command == "check" else run(chosen)


if __name__ == "__main__":
    raise SystemExit(main())
