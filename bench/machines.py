"""A Ray cluster of several nodes on one machine, to be killed and frozen: for tests and benchmarks.

Each node is a process tree of its own (`ray start --block`), with its own temporary folder and its
own cache of compiled code, as if it were another machine. Ray's nodes listen on all interfaces:
they ask for a token that is drawn, unless told otherwise.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import playout

# a node is dead when it has not answered three times, a second apart; Ray's own: 5 times, 3 s
QUICK = {
    "RAY_health_check_initial_delay_ms": "1000",
    "RAY_health_check_period_ms": "1000",
    "RAY_health_check_timeout_ms": "1000",
    "RAY_health_check_failure_threshold": "3",
}
RAY = Path(sys.executable).parent / "ray"
START_TRIES = 6


class Machines:
    """A head without CPUs, and nodes with one each."""

    def __init__(self, nodes: int = 0, token: str | None = "", quick: bool = True) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pm-"))  # sockets have short names
        self.token = secrets.token_hex(16) if token == "" else token
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("RAY_")},
            **self.tokens(),
            "RAY_USAGE_STATS_ENABLED": "0",
            "HOME": str(self.folder),
            "PYTHONPATH": str(Path(playout.__file__).parent.parent),
            **(QUICK if quick else {}),
        }
        self.nodes: dict[str, subprocess.Popen[bytes]] = {}
        self.frozen: list[int] = []
        self._count = 0
        self._commands: dict[str, tuple[list[str], dict[str, str]]] = {}
        port = self.address.rpartition(":")[2]
        try:
            self._start("head", 0, ["--head", f"--port={port}", "--include-dashboard=false"])
            self.await_node("head")
            for name in [self.add() for _ in range(nodes)]:
                self.await_node(name)
        except BaseException:
            self.close()
            raise

    def tokens(self) -> dict[str, str]:
        """What a process must have in its environment to be let in."""
        if self.token is None:
            return {"RAY_AUTH_MODE": "disabled"}
        return {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": self.token}

    def add(self, cpus: int = 1, **environment: str) -> str:
        """Start one more node; its name."""
        self._count += 1
        name = f"n{self._count}"
        self._start(name, cpus, [f"--address={self.address}"], environment)
        return name

    def await_node(self, name: str) -> None:
        """Wait until a node has joined; Ray gives up after half a minute, on a busy machine too."""
        log, tries = self.folder / name / "log", 1
        while b"Ray runtime started" not in log.read_bytes():
            if self.nodes[name].poll() is not None:
                text = log.read_text(errors="replace")
                if tries == START_TRIES or "timed out during startup" not in text:
                    raise RuntimeError(f"the node {name} did not start: {text[-500:]}")
                tries += 1
                self._launch(name)
            time.sleep(0.1)

    def restore(self, nodes: int) -> None:
        """Put nodes in the place of those that are gone, killed or given up, and wait for all."""
        for name, process in list(self.nodes.items()):
            if name != "head" and process.poll() is not None:
                self.kill(name)
        while len(self.nodes) < 1 + nodes:
            self.add()
        for name in self.nodes:
            self.await_node(name)

    def kill(self, name: str) -> None:
        """The power fails: every process of the node ends at once, each by its own number."""
        process = self.nodes.pop(name)
        _signal([*descendants(process.pid), process.pid], signal.SIGKILL)
        process.wait()

    def name_of(self, nodes: list[dict[str, Any]], node: str) -> str:
        """Which of our process trees a node is, of those that Ray lists."""
        (socket_name,) = [n["RayletSocketName"] for n in nodes if n["NodeID"] == node]
        (name,) = [one for one in self.nodes if f"{self.folder}/{one}/" in socket_name]
        return name

    def freeze(self, name: str) -> None:
        """The network fails: the node's processes no longer answer, and nobody is told."""
        found = [*descendants(self.nodes[name].pid), self.nodes[name].pid]
        self.frozen += found
        _signal(found, signal.SIGSTOP)

    def close(self) -> None:
        """End the nodes, the head last; nothing stays."""
        _signal(self.frozen, signal.SIGKILL)
        everyone = [
            pid
            for process in self.nodes.values()
            for pid in [*descendants(process.pid), process.pid]
        ]
        for name in reversed(list(self.nodes)):
            self.nodes[name].terminate()
        for process in self.nodes.values():
            with suppress(subprocess.TimeoutExpired):
                process.wait(15)
        _signal([pid for pid in everyone if _is_rays(pid)], signal.SIGKILL)
        for process in self.nodes.values():
            process.wait()
        self.nodes.clear()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Machines:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _start(
        self, name: str, cpus: int, how: list[str], more: dict[str, str] | None = None
    ) -> None:
        place = self.folder / name
        place.mkdir()
        cache = {"PLAYOUT_CACHE": str(place / "cache")}
        command = [
            str(RAY),
            "start",
            "--block",
            "--disable-usage-stats",
            f"--num-cpus={cpus}",
            "--node-ip-address=127.0.0.1",
            f"--temp-dir={place / 't'}",
            "--object-store-memory=100000000",
            *how,
        ]
        self._commands[name] = command, {**self.environment, **cache, **(more or {})}
        self._launch(name)

    def _launch(self, name: str) -> None:
        command, environment = self._commands[name]
        with (self.folder / name / "log").open("wb") as log:
            self.nodes[name] = subprocess.Popen(
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )


def descendants(pid: int) -> list[int]:
    """The processes below a process."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                text = (entry / "stat").read_text()
                parent = int(text.rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    found, todo = [], [pid]
    while todo:
        for child in children.get(todo.pop(), []):
            found.append(child)
            todo.append(child)
    return found


def _is_rays(pid: int) -> bool:
    """Whether a process that was ours is still there, and not another with its number."""
    with suppress(OSError):
        return b"ray" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def _signal(pids: list[int], number: int) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)
