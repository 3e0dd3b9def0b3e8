"""Commands in processes of their own, by the hundred: a process that has imported everything forks.

A command so run costs a tenth of a second, not two. It can be killed at any moment, or by a file
layer of its own (`failing_files.c`) at any operation that changes a file; there a write can also
fail. Linux only, and the layer needs a C compiler.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playout.text import output_files

LAYER = Path(__file__).with_name("failing_files.c")
# what commands import when they need it
MODULES = (
    *("matplotlib.figure", "optuna", "torch", "safetensors.torch", "playout.learn.train"),
    *("playout.learn.alphazero.epochs", "playout.learn.policy_iteration.generations"),
    *("playout.experiments.reproduce", "playout.study.tune", "playout.study.compare"),
    *("playout.matches.match", "playout.solvers.prove", "playout.tasks.fewest_colors"),
)


def missing() -> str:
    """What is missing on this machine for commands to be run here, if anything."""
    if not sys.platform.startswith("linux"):
        return "the failing file layer needs Linux"
    return "" if compiler() else "the failing file layer needs a C compiler"


def compiler() -> str:
    """A C compiler, if there is one."""
    return next((name for name in ("cc", "gcc", "clang") if shutil.which(name)), "")


class MissingExtra(Exception):
    """A command needs a package that is not on this machine; its own words for it."""


@dataclass(frozen=True)
class Ended:
    """A command that has ended; the code of one that was killed is below 0."""

    code: int
    out: str
    error: str
    operations: int  # that changed files


class ForkedCommands:
    """Runs commands in folders, one at a time."""

    def __init__(self, modules: Sequence[str] = MODULES) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._said = [Path(self._folder.name) / name for name in ("out", "error")]
        layer = Path(self._folder.name) / "failing_files.so"
        build = [compiler(), "-O1", "-shared", "-fPIC", "-o", str(layer), str(LAYER), "-ldl"]
        subprocess.run(build, check=True)
        self._server = subprocess.Popen(
            [sys.executable, "-m", "bench.soak.forked_commands", str(layer), *modules],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "LD_PRELOAD": str(layer), "COLUMNS": "100", "OMP_NUM_THREADS": "1"},
        )
        assert self._server.stdin is not None
        self._requests = self._server.stdin
        self._answer()

    def __enter__(self) -> ForkedCommands:
        return self

    def __exit__(self, *error: object) -> None:
        with self._server:  # which closes its pipes, and waits
            pass
        self._folder.cleanup()

    def start(self, words: Sequence[str], folder: Path, at: int = 0, reason: int = 0) -> int:
        """Start a command in a folder; its process.

        The operation with the number `at` fails with an errno, or is the last before a signal
        (below 0).
        """
        request = {"words": list(words), "folder": str(folder.resolve()), "at": at}
        said = [str(path) for path in self._said]
        self._ask({**request, "reason": reason, "said": said})
        return int(self._answer())

    def warm(self, words: Sequence[str], folder: Path) -> None:
        """Run a command in the process that forks, so that what it compiles is there for all."""
        said = [str(path) for path in self._said]
        folder_name = str(folder.resolve())
        self._ask({"words": list(words), "folder": folder_name, "said": said, "here": True})
        self._well(words, Ended(self._answer(), *self._texts(), 0))

    def wait(self) -> Ended:
        """Wait until the command has ended."""
        code, operations = self._answer()
        return Ended(code, *self._texts(), operations)

    def run(self, words: Sequence[str], folder: Path, at: int = 0, reason: int = 0) -> Ended:
        """A command from its start to its end."""
        self.start(words, folder, at, reason)
        return self.wait()

    def run_well(self, words: Sequence[str], folder: Path) -> Ended:
        """A command that must end well; MissingExtra where it needs what is not here."""
        return self._well(words, self.run(words, folder))

    def _well(self, words: Sequence[str], ended: Ended) -> Ended:
        if ended.code and "pip install" in ended.error:
            raise MissingExtra(ended.error.strip())
        if ended.code:
            raise RuntimeError(f"{' '.join(words)}: {ended}")
        return ended

    def _texts(self) -> tuple[str, str]:
        out, error = (path.read_text(errors="replace") for path in self._said)
        return out, error

    def _ask(self, request: dict[str, Any]) -> None:
        self._requests.write(json.dumps(request) + "\n")
        self._requests.flush()

    def _answer(self) -> Any:
        assert self._server.stdout is not None
        line = self._server.stdout.readline()
        if not line:
            raise RuntimeError(f"the process that forks has ended with {self._server.wait()}")
        return json.loads(line)


# in the process that forks


def serve(layer: Any, modules: Sequence[str]) -> int | None:
    """Fork for each request; in a forked process, the exit code of its command."""
    from playout.cli import main
    from playout.cli.commands import COMMANDS
    from playout.solvers import proof_checkpoint

    for name in COMMANDS:
        COMMANDS[name]
    for module in modules:
        with suppress(ModuleNotFoundError):  # the commands that need it are left out
            __import__(module)
    renew = _share_forks()
    proof_checkpoint.EVERY = 0.02  # as often as the commands here ask it of other searches
    assert threading.active_count() == 1  # a thread is not in what is forked
    gc.freeze()  # what is shared stays so
    requests, answer = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    print(json.dumps("ready"), file=answer, flush=True)
    for line in requests:
        request = json.loads(line)
        if request.get("here"):
            _become(request)
            code = main(request["words"])
            sys.stdout.flush()
            print(json.dumps(code), file=answer, flush=True)
            continue
        renew()  # a command that is killed while it asks for a process may take it along
        pid = os.fork()
        if not pid:
            requests.close()
            answer.close()
            _become(request)
            layer.fail_at(request["at"], request["reason"], request["folder"].encode())
            return main(request["words"])
        print(json.dumps(pid), file=answer, flush=True)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        print(json.dumps([code, layer.operations()]), file=answer, flush=True)
    return None


def _become(request: dict[str, Any]) -> None:
    """What is a process's own: its folder, its files."""
    output_files._swept.clear()
    os.chdir(request["folder"])
    sys.stdin = open(os.devnull)  # noqa: SIM115
    os.dup2(sys.stdin.fileno(), 0)
    for number, name in enumerate(request["said"], 1):
        file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, number)
        os.close(file)


def _share_forks() -> Callable[[], None]:
    """Worker processes are forked too, by a server that all commands share, not begun anew.

    What is returned sees to it that the server lives.
    """
    from multiprocessing import forkserver

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["playout.study.performing", "playout.matches.playing"])
    server: Any = forkserver._forkserver  # type: ignore[attr-defined]
    renew: Callable[[], None] = server.ensure_running
    renew()
    server.ensure_running = lambda: None  # it is no child of the processes that ask it
    usual = multiprocessing.get_context
    multiprocessing.get_context = lambda method=None: usual(  # type: ignore[assignment,misc]
        "forkserver" if method == "spawn" else method
    )
    return renew


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    code = serve(ctypes.CDLL(sys.argv[1]), sys.argv[2:])
    if code is not None:  # as a process ends, without taking all modules apart
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        os._exit(code)
