"""A lab in a process of its own, and requests to it: raw ones, and those of a page."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TOKEN = "a-token-of-tests"
PYTHON = sys.executable
ROOT = str(Path(__file__).parents[2])


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


class LabServer:
    """A lab that runs, with its folder."""

    def __init__(self, folder: Path, *words: str, token: str = TOKEN, empty: bool = False) -> None:
        self.folder, self.port, self.token = folder, free_port(), token
        folder.mkdir(exist_ok=True)
        if not empty:
            a_task(folder)  # so that no search begins by itself
        given = ["--token", token] if token else ["--no-token"]
        environment = {**os.environ, "PYTHONPATH": ROOT, "PLAYOUT_STORE": str(folder / "s.sqlite")}
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            environment.pop(name, None)
        self.process = subprocess.Popen(
            [
                PYTHON,
                "-m",
                "playout",
                "lab",
                "--port",
                str(self.port),
                "--folder",
                str(folder),
                *given,
                *words,
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self.said = self._said()

    def _said(self) -> list[str]:
        """The lines until it listens."""
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith("Ctrl-C"):
                break
        for _ in range(2400):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return lines
            except OSError:
                if self.process.poll() is not None:
                    raise AssertionError(self.process.stderr.read()) from None  # type: ignore[union-attr]
                time.sleep(0.05)
        raise AssertionError("the lab does not listen")

    def send(
        self,
        path: str,
        body: Any = None,
        method: str | None = None,
        headers: dict[str, str] | None = None,
        raw: bytes | None = None,
    ) -> tuple[int, dict[str, str], bytes]:
        """A request as it is; status, headers in small letters and body of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        given = {"Authorization": f"Bearer {self.token}"} if headers is None else headers
        content = raw if raw is not None else None if body is None else json.dumps(body).encode()
        if content is not None and headers is None:
            given["Content-Type"] = "application/json"
        try:
            connection.request(
                method or ("GET" if content is None else "POST"), path, content, given
            )
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, found, answer.read()
        finally:
            connection.close()

    def ask(self, path: str, body: Any = None) -> Any:
        """What a page asks for; the answer must be good."""
        status, _, answer = self.send(path, body)
        assert status in (200, 201), (path, body, answer)
        return json.loads(answer)

    def refused(self, path: str, body: Any = None) -> tuple[int, str]:
        """The status and the sentence of a refusal."""
        status, _, answer = self.send(path, body)
        assert status >= 400, answer
        return status, json.loads(answer)["error"]

    def events(self, path: str, seconds: float = 600.0) -> Iterator[dict[str, Any]]:
        """The updates of a stream."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        connection.request("GET", path, headers={"Authorization": f"Bearer {self.token}"})
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        try:
            while line := answer.readline():
                if line.startswith(b"data: "):
                    yield json.loads(line[6:], parse_constant=_no_constant)
        finally:
            connection.close()

    def until(self, number: int, *statuses: str, seconds: float = 600.0) -> dict[str, Any]:
        """Wait until a task has one of some statuses; its summary."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            task = self.ask(f"/api/tasks/{number}")
            if task["status"] in statuses:
                return task
            assert task["status"] not in ("failed", "killed") or "failed" in statuses, task
            time.sleep(0.05)
        raise AssertionError(f"task {number} is {task['status']}, not {statuses}")

    def interrupt(self) -> tuple[str, str]:
        """Ctrl-C; what it wrote until its end."""
        self.process.send_signal(signal.SIGINT)
        return self.process.communicate(timeout=600)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.communicate(timeout=120)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.communicate()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


def _no_constant(word: str) -> Any:
    raise AssertionError(f"{word} is no JSON")


def a_task(folder: Path) -> None:
    """A finished task, as an earlier lab has left it."""
    path = folder / "1"
    if path.exists():
        return
    path.mkdir()
    task = {
        "kind": "solve",
        "title": "maximum, random",
        "problem": "maximum",
        "algorithm": "random",
        "stop": {"playouts": 10.0},
        "seed": 1,
    }
    state = {"status": "finished", "created": 1.0, "since": 2.0}
    data = {"format": "playout-lab-task-1", "task": task, "state": state}
    (path / "task.json").write_text(json.dumps(data))


@contextmanager
def lab_server(folder: Path, *words: str, **settings: Any) -> Iterator[LabServer]:
    """A lab for the time of a block."""
    server = LabServer(folder, "--no-browser", *words, **settings)
    try:
        yield server
    finally:
        server.close()
