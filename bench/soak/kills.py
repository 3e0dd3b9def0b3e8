"""Commands that are killed at random moments and go on: the result is that of an unkilled one.

Every command that resumes is here: searches by every algorithm, proofs, matches, experiments,
trainings and tuning. A case is a command in a folder of its own: it is killed up to three times, by
SIGKILL or SIGTERM, goes on each time, and is let end.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from operator import eq
from pathlib import Path
from typing import Any

from bench.soak.case_notes import FAILED, CaseNotes, chance, part_in_turns
from bench.soak.forked_commands import Ended, ForkedCommands, MissingExtra

MOST_KILLS = 3  # of a case
GRACE = 5.0  # seconds that batch systems give after SIGTERM
TERMINATED = 128 + signal.SIGTERM

# what a clock has a part in, and what is known only of a generation that one process has played
TIMES = {"seconds", "thought", "finished", "checksum"}
COUNTED = {"playouts", "evaluations", "gpu_busy"}


def timeless(data: Any) -> Any:
    """Data as JSON has it, without what takes time."""
    if isinstance(data, dict):
        return {
            name: [point[1:] for point in value] if name == "curve" else timeless(value)
            for name, value in data.items()
            if name not in TIMES
        }
    return [timeless(part) for part in data] if isinstance(data, list) else data


def printed(folder: Path, ended: Ended) -> Any:
    """What was printed as JSON."""
    return timeless(json.loads(ended.out))


def rows(folder: Path, ended: Ended) -> Any:
    """The runs of a store, whose curves are by playouts."""
    columns = "experiment, cell, seed, budget, unit, score, playouts, verified, moves, records"
    with sqlite3.connect(folder / "store") as connection:
        return sorted(map(list, connection.execute(f"SELECT {columns} FROM runs")))


def games(folder: Path, ended: Ended) -> Any:
    """What was printed, and the games of a transcript."""
    lines = (folder / "record").read_text().splitlines()
    return printed(folder, ended), sorted(map(str, map(timeless, map(json.loads, lines))))


def trials(folder: Path, ended: Ended) -> Any:
    """The trials of a study and its runs; how many there are is a matter of time."""
    with sqlite3.connect(folder / "store") as connection:
        kept = connection.execute("SELECT study, options, value FROM trials ORDER BY id").fetchall()
        found = connection.execute("SELECT cell, seed, score, records FROM runs").fetchall()
    return kept, {(cell, seed): (score, records) for cell, seed, score, records in found}


def training(folder: Path, ended: Ended) -> Any:
    """The weights of a model and the log of its training."""
    import safetensors.numpy

    weights = safetensors.numpy.load_file(folder / "model.safetensors")
    log = (folder / "model.safetensors.training" / "log.jsonl").read_text().splitlines()
    entries = [timeless(json.loads(line)) for line in log]
    return {name: array.tobytes() for name, array in weights.items()}, [
        {name: value for name, value in entry.items() if name not in COUNTED} for entry in entries
    ]


def same_trials(found: Any, unkilled: Any) -> bool:
    """Whether the trials that both have are the same, and so are the runs."""
    (kept, runs), (other, others) = found, unkilled
    agree = all(runs[key] == others[key] for key in runs.keys() & others.keys())
    both = min(len(kept), len(other))
    return agree and both > 0 and kept[:both] == other[:both]


@dataclass(frozen=True)
class Resumable:
    """A command that goes on where it was killed, and what is the same in the end."""

    words: str
    outcome: Callable[[Path, Ended], Any]
    processes: bool = False  # it has worker processes, whose compiled code is loaded each time
    same: Callable[[Any, Any], bool] = eq


SOLVE = "solve samegame random:1 -p rows=8 -p columns=8 --seed 1 --json --checkpoint file"
OFTEN = "--checkpoint-every 0.02"
ALGORITHMS = {
    "random": 20_000,
    "nmcs -o level=2": 20_000,
    "nmcs -o level=3 -o rising=true -o bias=true": 20_000,
    "nrpa -o level=2 -o N=50": 10_000,
    "snrpa -o level=2 -o N=20 -o P=4": 10_000,
    "gnrpa -o level=3 -o N=10 -o beam=3,2 -o diversity=score -o P=2": 10_000,
    "gnrpa -o level=2 -o N=30 -o history=1 -o doubling=true": 10_000,
    "lahc": 20_000,
    "uct": 20_000,
    "uct -o simulations=50 -o value=max -o deviation=true": 20_000,
    "policy-mcts -o model=uniform -o leaves=4": 2_000,
    "nrpa -o level=2 -o N=30 --workers 2": 20_000,
    "nrpa -o level=2 -o N=30 -o P=2 --workers 2 --parallel leaf": 10_000,
}
PROVE = "prove {} --checkpoint file --json"
SOLVERS = (
    "domineering:5x5",
    "domineering:5x5 -a ids --order history",
    "domineering:4x5 -a dfpn --symmetry",
    "domineering:4x5 -a pn2 --entries 5000",
    "domineering:5x5 --order killer --ahead 4 --tiers 2 --symmetry",
)
STUDY = "--playouts 40 --runs 3 --workers 2 --quiet --store store"
TRAIN = "--device cpu --threads 1 --out model.safetensors --store store --quiet"
POLICY = (
    "-o generations=2 -o games=40 -o first_games=60 -o simulations=5 -o first_simulations=10 "
    "-o filters=4 -o training_queue=600 -o validation_queue=100 -o batch=32 -o epochs=3"
)
ZERO = "-o games=6 -o simulations=10 -o most_steps=5 -o filters=4 -o epochs=3"
EXPERIMENT = """
from playout.study import Cell, Experiment, Solve, Table

def cell(name):
    search = Solve("maximum", name, problem_options={"n": 6}, compiled=False)
    return Cell("maximum", name, 1.0, (search,))

cells = tuple(map(cell, ("random", "nmcs", "nrpa")))
EXPERIMENT = Experiment("own", "Own", (Table("1", "score", cells, 1.0, 99, 3),))
"""

COMMANDS = (
    *(
        Resumable(f"{SOLVE} {OFTEN} --playouts {playouts} -a {name}", printed)
        for name, playouts in ALGORITHMS.items()
    ),
    *(Resumable(PROVE.format(name), printed) for name in SOLVERS),
    Resumable(
        "match tictactoe uct grave --simulations 20 --games 20 --seed 1 --workers 2 --interpreted "
        "--record record --json",
        games,
        True,
    ),
    Resumable(f"compare maximum:n=5 -a random -a nmcs:level=1 --interpreted {STUDY}", rows, True),
    Resumable(f"reproduce experiment.py {STUDY}", rows, True),
    Resumable(
        "tune maximum -p n=7 -a nrpa --interpreted --search alpha=0.5:2 --budget 1 --playouts 40 "
        "--runs 1 --final-runs 2 --workers 2 --quiet --store store",
        trials,
        same=same_trials,
    ),
    Resumable(f"train samegame:4x4 -p colours=2 {POLICY} {TRAIN}", training),
    Resumable(f"train tictactoe --method mbm {ZERO} {TRAIN}", training),
    Resumable(f"train tictactoe --method alphazero {ZERO} {TRAIN}", training),
)


def soak_kills(arguments: argparse.Namespace, notes: CaseNotes) -> None:
    """Kill commands that resume, at random moments; the result is that of an unkilled one."""
    known = [command for command in COMMANDS if arguments.only in command.words]
    with ForkedCommands() as commands:
        ready: dict[Resumable, Unkilled] = {}
        for number in notes.left(part_in_turns(arguments, len(known))):
            command = known[number % len(known)]
            try:
                if command not in ready and command.words not in notes.left_out:
                    ready[command] = Unkilled.of(command, commands)
            except MissingExtra as missing:
                notes.leave_out(command.words, str(missing))
            if command not in ready:
                notes.drop()
                continue
            with new_folder() as folder:
                rng = chance(arguments.seed, number)
                case = Case(command, ready[command], commands, folder, rng)
                said = case.run()
            if said:
                print(f"case {number}: {command.words}: {said}", flush=True)
            notes.note(number, FAILED if said else "good", *case.kills.elements())


@contextmanager
def new_folder() -> Iterator[Path]:
    """A folder of a command's own, with an experiment in it."""
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "experiment.py").write_text(EXPERIMENT)
        yield Path(name)


@dataclass(frozen=True)
class Unkilled:
    """A command that was let end: what came of it and how long it took."""

    outcome: Any
    seconds: float

    @classmethod
    def of(cls, command: Resumable, commands: ForkedCommands) -> Unkilled:
        words = command.words.split()
        if not command.processes:
            with new_folder() as folder:
                commands.warm(words, folder)
        with new_folder() as folder:
            start = time.perf_counter()
            ended = commands.run_well(words, folder)
            return cls(command.outcome(folder, ended), time.perf_counter() - start)


class Case:
    """A command in a folder that is killed now and then."""

    def __init__(
        self,
        command: Resumable,
        unkilled: Unkilled,
        commands: ForkedCommands,
        folder: Path,
        rng: random.Random,
    ) -> None:
        self.command, self.unkilled, self.commands = command, unkilled, commands
        self.folder, self.rng = folder, rng
        self.kills: Counter[str] = Counter()

    def run(self) -> str:
        """What went wrong, if anything."""
        for _ in range(MOST_KILLS):
            ended, killed = self._kill()
            if said := self._judge(ended, killed):
                return said
            if not killed:
                break
        else:
            ended = self.commands.run(self.command.words.split(), self.folder)
        if ended.code:
            return f"exit code {ended.code}: {ended.error}"
        found = self.command.outcome(self.folder, ended)
        if not self.command.same(found, self.unkilled.outcome):
            return f"another result: {str(found)[-2000:]}"
        left = [path.name for path in self.folder.rglob("*") if is_left(path)]
        return f"left behind: {left}" if left else ""

    def _kill(self) -> tuple[Ended, str]:
        """A run, and the signal that has ended it, if it was not quicker."""
        pid = self.commands.start(self.command.words.split(), self.folder)
        time.sleep(self.rng.random() * self.unkilled.seconds)
        number = self.rng.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM))
        start = time.perf_counter()
        with suppress(ProcessLookupError):  # it was quicker
            os.kill(pid, number)
        ended = self.commands.wait()
        took = time.perf_counter() - start
        if ended.code == 0:
            return ended, ""
        self.kills[number.name] += 1
        return ended, f"{number.name} {took:.1f} s"

    def _judge(self, ended: Ended, killed: str) -> str:
        if "Traceback" in ended.out + ended.error:
            return f"after {killed}: {ended.out}{ended.error}"
        good = (0, -signal.SIGKILL, -signal.SIGTERM, TERMINATED)
        if ended.code not in good or float(killed.split()[1] if killed else 0) > GRACE:
            return f"after {killed}: exit code {ended.code}: {ended.error}"
        return ""


def is_left(path: Path) -> bool:
    """Whether a file is a temporary one, or the lock of a process that is gone."""
    return ".playout-" in path.name or path.name.endswith(".owner")
