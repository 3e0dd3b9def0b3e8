"""Starting and ending the lab: its port, its token, its address, Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import sys
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from platformdirs import user_data_path

from playout.errors import OptionError
from playout.lab.asked import check_task
from playout.lab.guard import LOCAL
from playout.lab.known_names import check_names
from playout.lab.reading import Reading
from playout.lab.server import Lab, make_app
from playout.lab.shelf import Shelf
from playout.lab.tasks import Tasks
from playout.lab.transcripts import Transcripts

PORT = 8642
PORTS = 50  # that are tried, one after the other
ANYWHERE = ("0.0.0.0", "::")
# the search of a first visit
FIRST = {"kind": "solve", "problem": "samegame", "algorithm": "gnrpa", "stop": {"seconds": 60}}


@dataclass(frozen=True)
class Settings:
    """How the lab is served."""

    host: str = "127.0.0.1"
    port: int | None = None
    token: str | None = None  # None: a new one; empty: none
    folder: Path | None = None
    store: Path | None = None
    browser: bool = True
    demo: bool = False
    patience: float = 600.0
    words: tuple[str, ...] = field(default_factory=tuple)


def serve(settings: Settings, say: Callable[[str], None] = print) -> None:
    """Serve the lab until Ctrl-C."""
    if settings.host in ANYWHERE and settings.token == "":
        raise OptionError(f"--host {settings.host} lets other computers in: leave --no-token out")
    token = secrets.token_urlsafe(16) if settings.token is None else settings.token
    listening = _listen(settings, say)
    port = listening.getsockname()[1]
    shelf = Shelf.stocked(settings.words)
    folder = settings.folder or lab_folder()
    order: dict[str, Any] = {"patience": settings.patience}
    if settings.store is not None:
        order["store"] = str(settings.store.absolute())
    reading = Reading(settings.store, shelf.problems.values())
    tasks = Tasks(folder, order, partial(check_names, shelf=shelf))
    lab = Lab(shelf, tasks, reading, Transcripts(shelf.transcripts))
    hosts = LOCAL if settings.host in (*LOCAL, *ANYWHERE) else LOCAL | {settings.host}
    if settings.host in ANYWHERE:
        hosts = LOCAL | _own_names()
        say(f"warning: --host {settings.host}: whoever reaches port {port} and has the token is in")
    server = _Server(make_app(lab, token, frozenset(hosts)), lab, settings.demo)
    name = "127.0.0.1" if settings.host in ANYWHERE else settings.host
    shown = f"[{name}]" if ":" in name else name
    address = f"http://{shown}:{port}/" + (f"?token={token}" if token else "")
    say(f"the lab is at {address}")
    if not (settings.browser and _opened(address)):
        say(f"from another computer: ssh -L {port}:127.0.0.1:{port} {socket.gethostname()}")
    say("Ctrl-C ends it; searches go on later from their checkpoints")
    with suppress(KeyboardInterrupt):  # raised once more when all has ended
        server.run(sockets=[listening])


class _Server(uvicorn.Server):
    """uvicorn, told to end by the first Ctrl-C without a wait for the pages that are open."""

    def __init__(self, app: Any, lab: Lab, demo: bool) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_level="error",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=1,
                timeout_keep_alive=30,
                h11_max_incomplete_event_size=32 * 1024,
                lifespan="on",
                http="h11",  # whose requests have an end, whatever else is installed
                ws="none",
            )
        )
        self._lab, self._demo = lab, demo
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing: asyncio.Future[None] | None = None

    def handle_exit(self, sig: int, frame: Any) -> None:
        super().handle_exit(sig, frame)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        """Streams and searches end at once, side by side with what the server does."""
        if not self._lab.streams.ending.is_set():
            self._lab.streams.ending.set()
            self._closing = asyncio.ensure_future(self._lab.tasks.close())

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._loop = asyncio.get_running_loop()
        lab = self._lab
        if self._demo or not lab.tasks.newest():  # the first page is never empty
            task = check_task({**FIRST, "seed": 1}, lab.shelf)
            if not any(t.task == task and t.is_busy() for t in lab.tasks.newest()):
                await lab.tasks.start(task)


def lab_folder() -> Path:
    """Where tasks are kept: `$PLAYOUT_LAB`, or a folder in the user's data folder."""
    if chosen := os.environ.get("PLAYOUT_LAB"):
        return Path(chosen)
    return user_data_path("playout", appauthor=False) / "lab"


def _listen(settings: Settings, say: Callable[[str], None]) -> socket.socket:
    """A socket at the port that was named, or at the first that is free."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    wanted = PORT if settings.port is None else settings.port
    tries = [wanted] if settings.port is not None else [*range(PORT, PORT + PORTS), 0]
    for port in tries:
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((settings.host, port))
        except OSError as error:
            listening.close()
            reason = error.strerror or str(error)
            said = f"{reason[:1].lower()}{reason[1:]}"
            if isinstance(error, socket.gaierror):
                raise OptionError(f"--host {settings.host}: {said}") from None
            if settings.port is not None:
                raise OptionError(f"--port {port}: {said}") from None
            continue
        if port != wanted:
            say(f"port {wanted} is taken: this is port {listening.getsockname()[1]}")
        return listening
    raise OptionError(f"--host {settings.host}: no port is free")


def _own_names() -> frozenset[str]:
    """The names and addresses by which other computers know this one."""
    name = socket.gethostname()
    found = {name.lower(), socket.getfqdn().lower()}
    with suppress(OSError):
        found |= {str(info[4][0]) for info in socket.getaddrinfo(name, None)}
    return frozenset(found)


def _opened(address: str) -> bool:
    """Whether a browser could be told to open the address."""
    remote = "SSH_CONNECTION" in os.environ
    screen = sys.platform in ("win32", "darwin") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    if remote or not screen:
        return False
    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False
