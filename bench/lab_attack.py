"""Hostile requests to the lab: what a page of another site, or another user, could send.

A file lies beside the lab that leaves a sign if anybody runs it. `attack` sends requests that try
to have it run, to open files, or to stop the server, and asserts that nothing happened.
"""

from __future__ import annotations

import http.client
import json
import random
import re
import socket
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.support.lab_server import LabServer

BAD_TEXTS = (
    "CANARY:P",
    "uct:playout=CANARY:P",
    "samegame:CANARY",
    "CANARY",
    "/etc/passwd",
    "../../etc/passwd",
    "model=CANARY",
    "policy-mcts:model=CANARY",
    "gdl:CANARY",
    "openspiel:CANARY",
    "file://CANARY",
    "..%2f..%2fetc%2fpasswd",
    "\\\\host\\share",
    "x.py",
    "nan",
    "\x00",
    "${HOME}",
    "`id`",
    "$(id)",
    "';DROP TABLE runs;--",
    "<script>alert(1)</script>",
    "A" * 5000,
    "\ud7ff",
    "\ud800",
    "🂡",
    "-1",
    "1e999",
)
FIELDS = (
    "kind",
    "problem",
    "instance",
    "problem_options",
    "algorithm",
    "options",
    "stop",
    "seed",
    "workers",
    "parallel",
    "game",
    "size",
    "game_options",
    "search",
    "search_options",
    "playout",
    "backup",
    "budget",
    "seat",
    "paper",
    "scale",
    "algorithms",
    "runs",
    "command",
    "move",
    "moves",
    "checkpoint",
    "model",
    "name",
    "text",
    "store",
)
PATHS = (
    "/",
    "/api/tasks",
    "/api/check",
    "/api/uploads",
    "/api/tasks/1",
    "/api/tasks/1/film",
    "/api/tasks/1/events/x",
    "/api/known",
    "/api/store/TEXT",
    "/store/TEXT",
    "/papers/TEXT",
    "/static/TEXT",
    "/api/matches/TEXT",
    "/api/tasks/TEXT",
    "/api/tasks/1/film/0/TEXT.svg",
    "/api/tasks/1/game.TEXT",
    "/TEXT",
    "/api/store/TEXT/runs",
)
ASKED = ("/api/tasks", "/api/check", "/api/uploads", "/api/tasks/1") * 5  # where bodies are read
KINDS = ("solve", "game", "compare", "paper")


class Hostile:
    """Requests that a hostile page, or a hostile user of the computer, could send."""

    def __init__(self, lab: LabServer, canary: str, seed: int) -> None:
        self.lab, self.canary, self.rng = lab, canary, random.Random(seed)

    def text(self) -> str:
        text = self.rng.choice(BAD_TEXTS).replace("CANARY", self.canary)
        return text if self.rng.random() < 0.8 else text + self.rng.choice(BAD_TEXTS)[:20]

    def value(self, depth: int = 0) -> Any:
        kind = self.rng.randrange(9 if depth < 3 else 6)
        if kind < 3:
            return self.text()
        if kind == 3:
            return self.rng.choice((0, -1, 1, 2**63, 10**400, 0.5, 1e308, True, False, None))
        if kind == 4:
            return self.rng.choice(("samegame", "maximum", "gnrpa", "uct", "tictactoe", "go"))
        if kind == 5:
            return self.rng.randrange(100)
        if kind == 6:
            return [self.value(depth + 1) for _ in range(self.rng.randrange(4))]
        names = [self.rng.choice((*FIELDS, self.text())) for _ in range(self.rng.randrange(4))]
        return {name: self.value(depth + 1) for name in names}

    def body(self) -> bytes:
        way = self.rng.randrange(12)
        if way == 0:
            return self.rng.randbytes(self.rng.randrange(200))
        if way == 1:
            return b"[" * self.rng.randrange(70_000)
        if way == 2:
            return b'{"kind": "' + b"x" * self.rng.randrange(100_000) + b'"}'
        data = {name: self.value() for name in self.rng.sample(FIELDS, self.rng.randrange(1, 8))}
        if way > 4:
            data["kind"] = self.rng.choice(KINDS)
        return json.dumps(data).encode("utf-8", "surrogatepass")

    def headers(self) -> dict[str, str]:
        port, rng = self.lab.port, self.rng
        found = {
            "Host": f"127.0.0.1:{port}",
            "Content-Type": "application/json",
            "Authorization": f"Bearer {self.lab.token}",
        }
        if rng.random() < 0.08:
            found["Host"] = rng.choice(
                ("evil.example", "127.0.0.1.evil.example", f"localhost:{port}", "[::1]", "", "a b")
            )
        if rng.random() < 0.08:
            found["Origin"] = rng.choice(
                ("http://evil.example", "null", f"http://localhost:{port + 1}", "http://127.0.0.1")
            )
        if rng.random() < 0.08:
            found["Authorization"] = rng.choice(
                ("Bearer x", "", "Basic eA==", "Bearer " + "x" * 3000)
            )
        if rng.random() < 0.06:
            found["Content-Type"] = rng.choice(("text/plain", "multipart/form-data", "x"))
        if rng.random() < 0.05:
            found["Cookie"] = f"playout-lab-{port}={self.text().encode('ascii', 'ignore').decode()}"
            found["Cookie"] = re.sub(r"[\r\n\0]", "", found["Cookie"])
        if rng.random() < 0.05:
            found["Sec-Fetch-Site"] = rng.choice(("cross-site", "same-site", "none"))
        return found

    def send(self) -> int:
        """One request; the status of the answer, 0 if the connection was closed."""
        path = self.rng.choice((*PATHS, *ASKED))
        safe = self.rng.choice(("", "/", "/."))
        path = path.replace("TEXT", quote(self.text().encode("utf-8", "replace")[:2000], safe))
        method = self.rng.choice(("GET", "GET", *("POST",) * 6, "PUT", "DELETE", "HEAD"))
        raw = None if method in ("GET", "HEAD") else self.body()
        try:
            status, headers, body = self.lab.send(
                path, method=method, headers=self.headers(), raw=raw
            )
        except (OSError, ValueError, http.client.HTTPException):
            return 0
        assert b"root:" not in body, (path, body[:200])
        assert b"Traceback" not in body, (path, body[:500])
        assert status != 500, (method, path, raw, body)
        assert "content-security-policy" in headers or status == 400
        if status == 201 and b'"id"' in body:  # it was a good task: it is taken away again
            number = json.loads(body)["id"]
            self.lab.send(f"/api/tasks/{number}", {"command": "remove"})
        return status


def raw_attack(lab: LabServer, rng: random.Random) -> None:
    """Bytes that are hardly HTTP."""
    parts = (
        b"GET / HTTP/1.1\r\n",
        b"POST /api/tasks HTTP/1.1\r\n",
        b"Host: 127.0.0.1\r\n",
        b"Host: evil\r\nHost: 127.0.0.1\r\n",
        b"Content-Length: -1\r\n",
        b"Content-Length: 99999999999\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"\r\n",
        b"FFFFFFFF\r\n",
        b"A" * 70_000,
        b"\x16\x03\x01\x02\x00",
        b"X: " + b"y" * 40_000 + b"\r\n",
        b"GET /" + b"../" * 50 + b"etc/passwd HTTP/1.1\r\n",
        b"\0" * 10,
    )
    with socket.create_connection(("127.0.0.1", lab.port), 5) as s:
        s.settimeout(0.05)
        try:
            for _ in range(rng.randrange(1, 6)):
                s.sendall(rng.choice(parts))
            answer = s.recv(4096)
            assert b"root:" not in answer
        except OSError:
            pass


def attack(lab: LabServer, count: int, canary: Path, seed: int = 1) -> Counter[int]:
    """So many hostile requests; how often each status came back. Asserts that nothing happened."""
    hostile, rng, found = Hostile(lab, str(canary), seed), random.Random(seed), Counter[int]()
    for number in range(count):
        if number % 25 == 0:
            raw_attack(lab, rng)
            found[-1] += 1
        else:
            found[hostile.send()] += 1
    assert not canary.with_suffix(".ran").exists(), "a request ran a file"
    assert lab.process.poll() is None, "the server has stopped"
    assert lab.ask("/api/tasks") is not None
    return found


def plant_canary(folder: Path) -> Path:
    """A file that leaves a sign beside it if anybody runs it."""
    path = folder / "canary.py"
    path.write_text(
        "from pathlib import Path\nPath(__file__).with_suffix('.ran').write_text('ran')\n"
        "class P:\n    pass\n"
    )
    return path
