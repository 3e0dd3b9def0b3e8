"""Crafted checkpoints: read and gone on from, they are refused in one line or the run goes on.

Real ones of every algorithm and solver are written, and random words inside their arrays are
overwritten, with the right checksums. Nothing crashes, hangs or shows a traceback.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import random
import subprocess
import sys
import tempfile
import traceback
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

import playout as po
from bench.soak import CASE_SECONDS
from bench.soak.case_notes import FAILED, CaseNotes, chance, part_in_turns

PROBLEM, INSTANCE = "samegame:rows=6,columns=6", "random:1"
ALGORITHMS = (
    "random",
    "nmcs:level=2",
    "nmcs:level=3,rising=true,bias=true",
    "nrpa:level=2,N=20",
    "snrpa:level=2,N=10,P=4",
    "gnrpa:level=3,N=5,beam=3,2,diversity=score,P=2",
    "gnrpa:level=2,N=10,history=1,doubling=true",
    "lahc:memory=3",
    "uct",
    "uct:simulations=50,value=max,deviation=true",
    "policy-mcts:model=uniform,leaves=4",
)
GAMES = ("domineering:4x5", "tictactoe")
SOLVERS = (
    "alphabeta",
    "alphabeta:order=killer,ahead=4,tiers=2,symmetry=true",
    "ids:order=history",
    "dfpn:order=success,symmetry=true",
    "pn2:entries=5000",
)
AT_ONCE = 25  # cases of a process that none of them ends


def runs() -> list[dict[str, Any]]:
    """Runs with a checkpoint: what is run, and when it stops first."""
    # 707 is within a batch of most algorithms
    solved = [(PROBLEM, name, stop) for name in ALGORITHMS for stop in (707, 150)]
    proven = [(game, solver, 300) for game in GAMES for solver in SOLVERS]
    return [
        {"call": call, "what": what, "by": by, "stop": stop}
        for call, found in (("solve", solved), ("prove", proven))
        for what, by, stop in found
    ]


def perform(run: dict[str, Any], stop: int, checkpoint: Path) -> None:
    """Run until so many playouts or moves, from a checkpoint if there is one."""
    more = {"seed": 1, "instance": INSTANCE} if run["call"] == "solve" else {}
    call = getattr(po, run["call"])
    call(run["what"], run["by"], f"{stop} playouts", checkpoint=checkpoint, **more)


def damage(source: Path, target: Path, rng: random.Random) -> str:
    """Copy a checkpoint with some words of its arrays overwritten; what was done."""
    with np.load(source, allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    names = [name for name in arrays if name != "header" and arrays[name].size > 0]
    told = []
    for _ in range(rng.choice((1, 1, 1, 2, 5, 20))):
        name = rng.choice(names)
        array = np.ascontiguousarray(arrays[name]).copy()
        content = array.reshape(-1).view(np.uint8)
        size = rng.choice([size for size in (1, 2, 4, 8) if size <= len(content)])
        byte = rng.randrange(len(content))
        filled = np.flatnonzero(content)
        if len(filled) and rng.random() < 0.5:  # more often than in empty room
            byte = int(rng.choice(filled))
        word = min(byte // size, len(content) // size - 1)
        bits = rng.choice((8 * size, 3, min(16, 8 * size)))
        value = rng.choice((rng.getrandbits(bits), (1 << 8 * size) - 1, 1 << (8 * size - 1)))
        content[word * size : (word + 1) * size] = list(value.to_bytes(size, "little"))
        arrays[name] = array
        told.append(f"{name}[{word} of {size} bytes]={value:#x}")
    with target.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
    return ", ".join(told)


def go_on(cases: list[dict[str, Any]]) -> None:
    """Go on from each damaged checkpoint and print how it ended; in a process of its own."""
    for case in cases:
        faulthandler.dump_traceback_later(CASE_SECONDS, exit=True)
        try:
            perform(case["run"], case["run"]["stop"] + 2000, Path(case["path"]))
            ended = "went on"
        except po.PlayoutError as error:
            text = str(error)
            ended = "refused" if "damaged" in text and "\n" not in text else text
        except Exception:
            ended = traceback.format_exc().strip().splitlines()[-1]
        print(json.dumps([case["number"], ended]), flush=True)
    faulthandler.cancel_dump_traceback_later()


def soak_checkpoints(arguments: argparse.Namespace, notes: CaseNotes) -> None:
    """Go on from crafted checkpoints; all are refused or go on."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        known = runs()[:: arguments.every]
        left = notes.left(part_in_turns(arguments, len(known)))
        while numbers := list(islice(left, AT_ONCE)):
            cases = {}
            for number in numbers:
                run = known[number % len(known)]
                source = folder / f"{number % len(known)}.checkpoint"
                if not source.exists():
                    perform(run, run["stop"], source)
                path = Path(arguments.keep or folder) / f"damaged-{number}"
                what = damage(source, path, chance(arguments.seed, number))
                cases[number] = {"number": number, "run": run, "path": str(path), "what": what}
            for number, how in outcomes(list(cases.values())):
                if how not in ("refused", "went on"):
                    print(how, cases[number], flush=True)
                    how = FAILED
                notes.note(number, how.replace(" ", "-"))


def outcomes(cases: list[dict[str, Any]]) -> list[tuple[int, str]]:
    """How each case ended; a case that ends its process is one outcome, the others go on."""
    found: list[tuple[int, str]] = []
    while len(found) < len(cases):
        left = cases[len(found) :]
        read = "from bench.soak.checkpoints import go_on"
        code = f"import json, sys; {read}; go_on(json.load(sys.stdin))"
        command = [sys.executable, "-W", "ignore", "-c", code]
        done = subprocess.run(
            command, input=json.dumps(left), text=True, capture_output=True, check=False
        )
        found += [(number, how) for number, how in map(json.loads, done.stdout.splitlines())]
        if len(found) < len(cases):
            found.append((cases[len(found)]["number"], f"exit code {done.returncode}"))
    return found
