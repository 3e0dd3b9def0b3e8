"""Every operation of a command on its files fails, or is its last; nothing is lost.

The operations are opening for writing, writing, bringing to the disk, renaming and so on. A disk is
full from one of them on (ENOSPC), fails once (EIO), or the process is killed there, halfway through
a write. Then:

- there is no traceback, and what is said of it is one line;
- once a search has begun, its answer is printed, and the exit code says that a file is missing;
- what was in a file before is there to the last byte, or all of the new content is;
- the same command goes on when the disk is well again, to the result that it would have had.
"""

from __future__ import annotations

import argparse
import errno
import shutil
import signal
import sqlite3
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from bench.soak.case_notes import FAILED, CaseNotes, chance
from bench.soak.forked_commands import Ended, ForkedCommands, MissingExtra
from bench.soak.kills import (
    COMMANDS,
    EXPERIMENT,
    PROVE,
    SOLVE,
    games,
    is_left,
    printed,
    rows,
    training,
)

REASONS = (errno.ENOSPC, errno.EIO, -signal.SIGKILL)
OLDER = b"what was there before"
NETWORK = """
import numpy as np

def network(x):
    return np.stack([x.sum(1), 1 - x.sum(1)], 1)
"""
# files that are there before a command
DEAL = "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85\n"
VIDEO_GAME = """BasicGame
    SpriteSet
        avatar > MovingAvatar
        cat > RandomNPC
    LevelMapping
        A > avatar
        c > cat
    InteractionSet
        cat wall > stepBack
        avatar wall > stepBack
    TerminationSet
        Timeout limit=6 win=True
"""
INPUTS = {
    "experiment.py": EXPERIMENT,
    "net.py": NETWORK,
    "deal.txt": DEAL,
    "game.txt": VIDEO_GAME,
    "level.txt": "wwwww\nwcA w\nwwwww\n",
}


@dataclass(frozen=True)
class Writing:
    """A command that writes files.

    `answer` is in what it prints or writes, from the operation on with which its search begins.
    `outputs` are files that it writes at its end; `outcome` is what must be the same when it goes
    on; `before` are commands that have run in its folder. The operations of one that has many are
    shared out in `slices`.
    """

    words: str
    answer: str = ""
    begins: int = 1
    outputs: tuple[str, ...] = ()
    outcome: Callable[[Path, Ended], Any] | None = None
    before: tuple[str, ...] = ()
    slices: int = 0


MAXIMUM = "solve maximum -p n=7 --interpreted -a nmcs --playouts 300 --seed 1"
BOARD = "solve samegame random:1 -p rows=4 -p columns=4 --interpreted -a random --playouts 20"
COMPARE = (
    "compare maximum:n=5 -a random -a nmcs:level=1 --interpreted --playouts 40 --runs 2 "
    "--workers 1 --quiet --store store"
)
TUNE = (
    "tune maximum -p n=7 -a nrpa --interpreted --search alpha=0.5:2 --budget 0.3 --playouts 40 "
    "--runs 1 --final-runs 2 --workers 1 --quiet --store store"
)
ARCADE = "arcade game.txt level.txt --interpreted --calls 10 --seed 1"
RNA = "rna ((((....)))) --seed 1 --workers 1 --seconds 20 --save file"
ALL = tuple(
    Writing(*given[:3], **given[3] if len(given) > 3 else {})
    for given in (
        (f"{MAXIMUM} --save file", "the replay agrees", 2, {"outputs": ("file",)}),
        (f"{MAXIMUM} --plot file.svg", "the replay agrees", 2, {"outputs": ("file.svg",)}),
        (f"{BOARD} --seed 1 --svg file.svg", "the replay agrees", 2, {"outputs": ("file.svg",)}),
        (
            f"{SOLVE} --checkpoint-every 0.02 -a nrpa -o level=2 --playouts 5000",
            '"verified": true',
            3,
            {"outcome": printed},
        ),
        (PROVE.format("domineering:5x5"), '"winner": "second"', 2, {"outcome": printed}),
        ("prove tictactoe --certificate file.gz", "a draw", 2, {"outputs": ("file.gz",)}),
        ("color random:1 -p n=8 -a dsatur --save file", "colours", 2, {"outputs": ("file",)}),
        (RNA, "((((....))))", 2, {"outputs": ("file",)}),
        (
            "analyse tictactoe --simulations 100 --seed 1 --interpreted --out file",
            "best",
            2,
            {"outputs": ("file",)},
        ),
        (
            "match tictactoe random random --games 3 --seed 1 --workers 1 --interpreted --json "
            "--record record",
            '"stopped_by"',
            2,
            {"outcome": games},
        ),
        ("play tictactoe --interpreted --record file", "", 0),
        ("bridge deal.txt --table --out file", "NT", 2, {"outputs": ("file",)}),
        ("bridge deal.txt --format pbn --out file", "Deal", 2, {"outputs": ("file",)}),
        (f"{ARCADE} --save file", "the replay agrees", 3, {"outputs": ("file",)}),
        (f"{ARCADE} --html file.html", "the replay agrees", 2, {"outputs": ("file.html",)}),
        (f"{ARCADE} --gif file.gif", "the replay agrees", 2, {"outputs": ("file.gif",)}),
        (
            "episode maximum -p n=5 --interpreted --playouts 5 --seed 1 --save file",
            "the replay agrees",
            3,
            {"outputs": ("file",)},
        ),
        (
            "zonnscan net.py:network x.npy --samples 20 --out file.svg",
            "radius",
            2,
            {"outputs": ("file.svg",)},
        ),
        (
            f"{COMPARE} --out file.html",
            "",
            0,
            {"outcome": rows, "outputs": ("file.html",), "slices": 3},
        ),
        (
            "reproduce experiment.py --playouts 40 --runs 1 --workers 1 --quiet --store store",
            "",
            0,
            {"outcome": rows, "slices": 2},
        ),
        (f"{TUNE} --out file.md", "", 0, {"outputs": ("file.md",), "slices": 4}),
        (
            "report --store store --out file.html",
            "maximum",
            2,
            {"outputs": ("file.html",), "before": (COMPARE,)},
        ),
        (
            "export --store store --out file.csv",
            "",
            0,
            {"outputs": ("file.csv",), "before": (COMPARE,)},
        ),
        *(
            (command.words, "", 0, {"outcome": training, "slices": 4})
            for command in COMMANDS
            if command.outcome is training
        ),
    )
)


def shares() -> list[list[tuple[Writing, int, int]]]:
    """What is done together, each about as long: commands, and which of how many slices of each."""
    small = [(command, 0, 1) for command in ALL if not command.slices]
    return [small] + [
        [(command, which, command.slices)] for command in ALL for which in range(command.slices)
    ]


def soak_writes(arguments: argparse.Namespace, notes: CaseNotes) -> None:
    """Let operations on files fail, each in turn by chance; nothing is lost."""
    part, parts = arguments.part
    with ForkedCommands() as commands, tempfile.TemporaryDirectory() as name:
        known: dict[Writing, Undisturbed] = {}
        every = {}
        for command, which, slices in chain.from_iterable(shares()[part::parts]):
            if arguments.only not in command.words or command.words in notes.left_out:
                continue
            if command not in known:
                folder = Path(name) / str(ALL.index(command))
                try:
                    known[command] = Undisturbed(command, commands, folder)
                except MissingExtra as missing:
                    notes.leave_out(command.words, str(missing))
                    continue
            for at in range(1, known[command].operations + 1):
                if at % slices == which:
                    every |= {f"{at} {why} {command.words}": (command, at, why) for why in REASONS}
        keys = sorted(every)
        chance(arguments.seed, "order").shuffle(keys)
        print(f"{len(keys)} operations and reasons of {len(known)} commands", flush=True)
        for key in notes.left(keys[: arguments.count or None]):
            command, at, reason = every[key]
            said = known[command].disturb(at, reason)
            if said:
                why = signal.strsignal(-reason) if reason < 0 else errno.errorcode[reason]
                print(f"{command.words}, operation {at}, {why}: {said}", flush=True)
            notes.note(key, FAILED if said else "good")


class Undisturbed:
    """A command that was let do all that it does, in a folder as it was before."""

    def __init__(self, command: Writing, commands: ForkedCommands, folder: Path) -> None:
        self.command, self.commands, self.folder = command, commands, folder
        self.words = command.words.split()
        folder.mkdir()
        self.first = folder / "before"
        self.first.mkdir()
        for name, text in INPUTS.items():
            (self.first / name).write_text(text)
        shutil.copy(_input(folder), self.first / "x.npy")
        for file in command.outputs:
            (self.first / file).write_bytes(OLDER)
        for words in command.before:
            commands.run_well(words.split(), self.first)
        if "interpreted" not in command.words and "--workers" not in command.words:
            commands.warm(self.words, self._fresh("warm"))
        after = self._fresh("after")
        ended = commands.run_well(self.words, after)
        self.operations = ended.operations
        self.new = {file: (after / file).read_bytes() for file in command.outputs}
        self.outcome = command.outcome and command.outcome(after, ended)

    def disturb(self, at: int, reason: int) -> str:
        """Let one operation fail; what is wrong with what comes of it, if anything."""
        folder = self._fresh("disturbed")
        ended = self.commands.run(self.words, folder, at, reason)
        said = self._judge(ended, at, reason, folder) or self._lost(folder, ended)
        if said or self.command.outcome is None:
            return said and f"{said}\n{ended}"
        again = self.commands.run(self.words, folder)
        if again.code:
            return f"it does not go on: {again}"
        if self.command.outcome(folder, again) != self.outcome:
            return f"another result: {again}"
        return ""

    def _judge(self, ended: Ended, at: int, reason: int, folder: Path) -> str:
        if reason < 0:
            return "" if ended.code in (0, reason) else f"exit code {ended.code}"
        if ended.code not in (0, 2):
            return f"exit code {ended.code}"
        lines = ended.error.splitlines()
        if any(not line.startswith(("playout: ", "drawn in ", "wrote ")) for line in lines):
            return "not one line"
        told = [line for line in lines if line.startswith("playout: ") and "warning" not in line]
        if len(told) > 1 or (ended.code == 2 and not lines and "not saved" not in ended.out):
            return f"{len(told)} lines"
        answered = ended.out, *((folder / file).read_text("latin-1") for file in self.new)
        if at >= self.command.begins and not any(self.command.answer in text for text in answered):
            return "no answer"
        return ""

    def _lost(self, folder: Path, ended: Ended) -> str:
        """Whether something that was there is not, or is left behind."""
        written = 0
        for file, new in self.new.items():
            found = (folder / file).read_bytes()
            written += found != OLDER
            if found != OLDER and found[-8:] != new[-8:]:
                return f"{file} is {found[-80:]!r}"
        if ended.code == 0 and written < len(self.new):
            return "a file was not written, and the exit code is 0"
        left = [path.name for path in folder.rglob("*") if is_left(path)]
        if left and ended.code >= 0:
            return f"left behind: {left}"
        for path in folder.glob("store"):
            if path.stat().st_size and not _is_sound(path):
                return "the store is damaged"
        return ""

    def _fresh(self, name: str) -> Path:
        """A folder as it was before the command."""
        path = self.folder / name
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(self.first, path)
        return path


def _is_sound(store: Path) -> bool:
    with sqlite3.connect(store) as connection:
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def _input(folder: Path) -> Path:
    import numpy as np

    np.save(folder / "x.npy", np.array([0.2, 0.4]))
    return folder / "x.npy"
