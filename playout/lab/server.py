"""The lab's server: pages, the routes that they use, start and end.

Everything runs on one thread but films, which have one of their own, and searches, which are
processes. What a route raises is one sentence in JSON.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from playout.compiled.compile_errors import fault_line
from playout.errors import DataError, OptionError, PlayoutError
from playout.lab.answers import KINDS, as_json, body_of, film_json, number_of, picture, tagged
from playout.lab.asked import check_task
from playout.lab.films import Films, solution
from playout.lab.guard import LOCAL, Guard
from playout.lab.pages import STATIC, page
from playout.lab.reading import Reading
from playout.lab.reading_routes import ReadingRoutes
from playout.lab.shelf import MOST_UPLOAD, Shelf, shown
from playout.lab.streams import Streams
from playout.lab.tasks import Missing, NotNow, Tasks, TooMany
from playout.lab.transcripts import Transcripts
from playout.pictures.film import Film
from playout.pictures.look import resource
from playout.text.input_files import read_text

SHARED = Path(__file__).parent.parent / "pictures"
LIST_EVERY = 1.0  # seconds between two lists of tasks
Answer = Callable[[Request], Awaitable[Response]]


@dataclass
class Lab:
    """All that the routes share."""

    shelf: Shelf
    tasks: Tasks
    reading: Reading
    transcripts: Transcripts
    films: Films = field(default_factory=Films)
    readers: Films = field(default_factory=Films)  # so that a store that is held stops no film
    streams: Streams = field(default_factory=Streams)

    # pages

    def page(self, name: str) -> Answer:
        """A page that is the same for everyone."""

        async def show(request: Request) -> Response:
            return tagged(request, page(name).encode(), KINDS[".html"])

        return show

    async def icon(self, request: Request) -> Response:
        return self._file(request, STATIC / "icon.svg")

    async def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,60}\.(css|js|svg|png)", name):
            raise HTTPException(404)
        for folder in (STATIC, SHARED):
            if (folder / name).is_file():
                return self._file(request, folder / name)
        raise HTTPException(404)

    def _file(self, request: Request, path: Path) -> Response:
        return tagged(request, path.read_bytes(), KINDS[path.suffix])

    def _missing(self, request: Request) -> Response:
        if "text/html" in request.headers.get("accept", ""):
            return Response(page("missing"), 404, media_type="text/html")
        return JSONResponse({"error": "there is no such page"}, 404)

    async def report_style(self, request: Request) -> Response:
        style = resource("page.css", "playout.report") + resource("chart.css")
        return tagged(request, style.encode(), KINDS[".css"])

    async def report_script(self, request: Request) -> Response:
        return tagged(request, resource("curves.js", "playout.report").encode(), KINDS[".js"])

    # what there is

    async def known(self, request: Request) -> Response:
        def all_of_it() -> dict[str, Any]:
            known = {**self.shelf.known, "problems": self.shelf.problems_known()}
            return {**known, "papers": self.reading.titles(), "notes": self.shelf.notes}

        return as_json(await self.films.run(all_of_it))

    # tasks

    async def list_tasks(self, request: Request) -> Response:
        self.tasks.find_all()
        return as_json([task.summary() for task in self.tasks.newest()])

    async def start(self, request: Request) -> Response:
        asked = await body_of(request)
        task = await self.films.run(check_task, asked, self.shelf)
        return as_json((await self.tasks.start(task)).summary(), 201)

    async def check(self, request: Request) -> Response:
        task = await self.films.run(check_task, await body_of(request), self.shelf)
        return as_json({"command": task.command(), "python": task.python(), "title": task.title})

    async def upload(self, request: Request) -> Response:
        asked = await body_of(request, MOST_UPLOAD + 1000)
        number, name = await self.films.run(self._keep_upload, asked)
        return as_json({"upload": number, "name": name}, 201)

    def _keep_upload(self, asked: dict[str, Any]) -> tuple[int, str]:
        """Read an instance that a page sends as text, and keep it in a file of the lab's own."""
        problem, name, text = (asked.get(key) for key in ("problem", "name", "text"))
        cls = self.shelf.problem_class(problem)
        if problem in self.shelf.problems or problem == "vgdl" or not hasattr(cls, "parse"):
            raise OptionError(f"{shown(problem)} takes no instances here")
        if not isinstance(text, str) or len(text.encode()) > MOST_UPLOAD:
            raise OptionError(f"text: an instance of at most {MOST_UPLOAD:,} bytes")
        if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9 ._-]{1,40}", name):
            raise OptionError(f"name {shown(name)}: letters, digits, blanks, dots, at most 40")
        if not cls.parse(text, name):
            raise DataError(f"{name}: has no instance")
        folder = self.tasks.folder / "uploads"
        folder.mkdir(exist_ok=True)
        number = len(list(folder.iterdir()))
        path = folder / f"{number}-{re.sub(r'[^A-Za-z0-9_-]', '-', name)}.txt"
        path.write_text(text, encoding="utf-8")
        self.shelf.files.setdefault(str(problem), []).append(str(path))
        return len(self.shelf.instances(str(problem))) - 1, name

    async def summary(self, request: Request) -> Response:
        return as_json(self.tasks[number_of(request)].summary())

    async def command(self, request: Request) -> Response:
        number = number_of(request)
        task = await self.tasks.command(number, await body_of(request))
        return as_json({"removed": number} if task is None else task.summary())

    async def game_file(self, request: Request) -> Response:
        task = self.tasks[number_of(request)]
        if not task.folder.game.is_file():
            raise Missing("nothing was played yet")
        text = read_text(task.folder.game)
        if request.path_params["form"] == "sgf":
            text = await self.films.run(_as_sgf, text)
        name = f"playout-{task.number}.{request.path_params['form']}"
        return PlainTextResponse(
            text, headers={"Content-Disposition": f'attachment; filename="{name}"'}
        )

    # streams

    async def events(self, request: Request) -> Response:
        return self.streams.answer(self.tasks[number_of(request)].updates(self.streams.ending))

    async def all_events(self, request: Request) -> Response:
        return self.streams.answer(self.streams.looking(self._list, LIST_EVERY))

    def _list(self) -> dict[str, Any]:
        self.tasks.find_all()
        tasks = [task.summary() for task in self.tasks.newest()]
        return {"tasks": tasks, "faults": list(self.tasks.faults)}

    # films

    async def film(self, request: Request) -> Response:
        task = self.tasks[number_of(request)]
        version, at = task.version, request.query_params.get("at")
        if at is not None:
            if not re.fullmatch(r"[0-9]{1,9}", at):
                raise OptionError(f"at {shown(at)}: the number of an improvement")
            version = task.version_of(int(at))
        film, note = await self._film(task.number, version)
        point = task.curve[int(at)] if at is not None else (task.curve or [[0, 0, None]])[-1]
        return as_json(film_json(film, note, version) | {"score": point[2]})

    async def picture(self, request: Request) -> Response:
        film, _ = await self._film(number_of(request), request.path_params["version"])
        return picture(film, request.path_params["step"])

    async def _film(self, number: int, version: int) -> tuple[Film, str]:
        task = self.tasks[number]
        self.tasks.check(task.task)
        moves = task.moves_of(version)
        if moves is None:
            raise Missing("that solution is forgotten, or there is none yet")
        return await self.films.of((number, version), lambda: solution(task.task, moves))


def make_app(lab: Lab, token: str, hosts: frozenset[str] = LOCAL) -> Starlette:
    """The lab as an application."""
    pages = ("search", "play", "compare", "store", "papers", "matches")
    routes = [Route("/", lab.page("home"))]
    routes += [Route(f"/{name}", lab.page(name)) for name in pages]
    routes += [
        Route(f"/{name}/{{id:number}}", lab.page(name))
        for name in ("search", "play", "compare", "matches")
    ]
    task, reading = "/api/tasks/{id:number}", ReadingRoutes(lab)
    routes += [
        Route("/matches/{id:number}/{game:number}", lab.page("matches")),
        Route("/static/{name}", lab.static),
        Route("/report.css", lab.report_style),
        Route("/report.js", lab.report_script),
        Route("/favicon.ico", lab.icon),
        Route("/api/known", lab.known),
        Route("/api/tasks", lab.list_tasks),
        Route("/api/tasks", lab.start, methods=["POST"]),
        Route("/api/check", lab.check, methods=["POST"]),
        Route("/api/uploads", lab.upload, methods=["POST"]),
        Route("/api/events", lab.all_events),
        Route(task, lab.summary),
        Route(task, lab.command, methods=["POST"]),
        Route(f"{task}/events", lab.events),
        Route(f"{task}/game.{{form}}", lab.game_file),
        Route(f"{task}/film", lab.film),
        Route(f"{task}/film/{{version:number}}/{{step:number}}.svg", lab.picture),
        *reading.routes(),
    ]

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        lab.tasks.find_all()
        yield
        lab.streams.ending.set()
        await lab.tasks.close()
        lab.films.close()
        lab.readers.close()

    async def refuse(request: Request, error: Exception) -> Response:
        status = next(code for kind, code in _STATUS.items() if isinstance(error, kind))
        return as_json({"error": " ".join(str(error).split())}, status)

    async def failed(request: Request, error: Exception) -> Response:
        return as_json({"error": fault_line(error)}, 500)  # the terminal has the traceback

    async def missing(request: Request, error: Exception) -> Response:
        if getattr(error, "status_code", 404) != 404:
            return as_json({"error": str(getattr(error, "detail", error))}, error.status_code)  # type: ignore[attr-defined]
        return lab._missing(request)

    return Starlette(
        routes=routes,
        middleware=[
            Middleware(Guard, token=token, hosts=hosts),
            Middleware(GZipMiddleware, minimum_size=1000),
        ],
        exception_handlers={PlayoutError: refuse, HTTPException: missing, Exception: failed},
        lifespan=lifespan,
    )


_STATUS = {Missing: 404, NotNow: 409, TooMany: 429, PlayoutError: 400}


def _as_sgf(text: str) -> str:
    from playout.adapters.game_files import from_text
    from playout.adapters.sgf import to_sgf

    return to_sgf(from_text(text, "the game"))
