"""The lab's server: pages, the routes that they use, start and end.

Everything runs on one thread but films, which have one of their own, and searches, which are
processes. What a route raises is one sentence in JSON.
"""

from __future__ import annotations

import asyncio
import json
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
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from playout.errors import DataError, OptionError, PlayoutError
from playout.lab.asked import check_task
from playout.lab.faults import fault_line
from playout.lab.films import Films, solution
from playout.lab.guard import LOCAL, Guard
from playout.lab.pages import STATIC, page, report_page
from playout.lab.reading import Reading
from playout.lab.shelf import MOST_STREAMS, MOST_UPLOAD, Shelf, shown
from playout.lab.tasks import Missing, NotNow, Tasks, TooMany
from playout.pictures.film import Film
from playout.pictures.look import resource
from playout.run.events import written

SHARED = Path(__file__).parent.parent / "pictures"
MOST_BODY = 64 * 1024
LIST_EVERY = 1.0  # seconds between two lists of tasks
KINDS = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".html": "text/html",
}
# a picture is an image: nothing in it runs, and nothing is fetched for it
PICTURE = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "Cache-Control": "private, max-age=86400, immutable",
}
Answer = Callable[[Request], Awaitable[Response]]


@dataclass
class Lab:
    """All that the routes share."""

    shelf: Shelf
    tasks: Tasks
    reading: Reading
    films: Films = field(default_factory=Films)
    ending: asyncio.Event = field(default_factory=asyncio.Event)
    streams: int = 0

    # pages

    def page(self, name: str) -> Answer:
        """A page that is the same for everyone."""

        async def show(request: Request) -> Response:
            return _tagged(request, page(name).encode(), KINDS[".html"])

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
        return _tagged(request, path.read_bytes(), KINDS[path.suffix])

    def _missing(self, request: Request) -> Response:
        if "text/html" in request.headers.get("accept", ""):
            return Response(page("missing"), 404, media_type="text/html")
        return JSONResponse({"error": "there is no such page"}, 404)

    async def report_style(self, request: Request) -> Response:
        style = resource("page.css", "playout.report") + resource("chart.css")
        return _tagged(request, style.encode(), KINDS[".css"])

    async def report_script(self, request: Request) -> Response:
        return _tagged(request, resource("curves.js", "playout.report").encode(), KINDS[".js"])

    async def report_page(self, request: Request) -> Response:
        name = request.path_params["name"]
        title, header, main = await self.films.run(self.reading.report_html, name)
        return Response(report_page(name, title, header, main), media_type="text/html")

    # what there is

    async def known(self, request: Request) -> Response:
        def all_of_it() -> dict[str, Any]:
            known = {**self.shelf.known, "problems": self.shelf.problems_known()}
            return {**known, "papers": self.reading.titles(), "notes": self.shelf.notes}

        return _json(await self.films.run(all_of_it))

    # tasks

    async def list_tasks(self, request: Request) -> Response:
        self.tasks.find_all()
        return _json([task.summary() for task in self.tasks.newest()])

    async def start(self, request: Request) -> Response:
        asked = await _body(request)
        task = await self.films.run(check_task, asked, self.shelf)
        return _json((await self.tasks.start(task)).summary(), 201)

    async def check(self, request: Request) -> Response:
        task = await self.films.run(check_task, await _body(request), self.shelf)
        return _json({"command": task.command(), "python": task.python(), "title": task.title})

    async def upload(self, request: Request) -> Response:
        asked = await _body(request, MOST_UPLOAD + 1000)
        number, name = await self.films.run(self._keep_upload, asked)
        return _json({"upload": number, "name": name}, 201)

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
        return _json(self.tasks[_number(request)].summary())

    async def command(self, request: Request) -> Response:
        number = _number(request)
        task = await self.tasks.command(number, await _body(request))
        return _json({"removed": number} if task is None else task.summary())

    async def game_file(self, request: Request) -> Response:
        task = self.tasks[_number(request)]
        if not task.folder.game.is_file():
            raise Missing("nothing was played yet")
        text = task.folder.game.read_text("utf-8")
        if request.path_params["form"] == "sgf":
            text = await self.films.run(_as_sgf, text)
        name = f"playout-{task.number}.{request.path_params['form']}"
        return PlainTextResponse(
            text, headers={"Content-Disposition": f'attachment; filename="{name}"'}
        )

    # streams

    async def events(self, request: Request) -> Response:
        return self._stream(self.tasks[_number(request)].updates(self.ending))

    async def all_events(self, request: Request) -> Response:
        return self._stream(self._lists())

    async def _lists(self) -> AsyncIterator[dict[str, Any] | None]:
        before = None
        quiet = 0.0
        while not self.ending.is_set():
            self.tasks.find_all()
            tasks = [task.summary() for task in self.tasks.newest()]
            quiet = quiet + LIST_EVERY if tasks == before else 0.0
            if tasks != before:
                yield {"tasks": tasks, "faults": self.tasks.faults}
            elif quiet % 15 == 0:
                yield None
            before = tasks
            try:
                await asyncio.wait_for(self.ending.wait(), LIST_EVERY)
            except TimeoutError:
                continue

    def _stream(self, updates: AsyncIterator[dict[str, Any] | None]) -> Response:
        if self.streams >= MOST_STREAMS:
            raise TooMany(f"{MOST_STREAMS} pages are watching: close one")
        self.streams += 1

        async def lines() -> AsyncIterator[str]:
            try:
                async for update in updates:
                    yield ": still there\n\n" if update is None else f"data: {_text(update)}\n\n"
                yield "event: bye\ndata: {}\n\n"
            finally:
                self.streams -= 1
                await updates.aclose()  # type: ignore[attr-defined]

        return StreamingResponse(
            lines(), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
        )

    # films

    async def film(self, request: Request) -> Response:
        task = self.tasks[_number(request)]
        version, at = task.version, request.query_params.get("at")
        if at is not None:
            if not re.fullmatch(r"[0-9]{1,9}", at):
                raise OptionError(f"at {shown(at)}: the number of an improvement")
            version = task.version_of(int(at))
        film, note = await self._film(task.number, version)
        point = task.curve[int(at)] if at is not None else (task.curve or [[0, 0, None]])[-1]
        return _json(_film_json(film, note, version) | {"score": point[2]})

    async def picture(self, request: Request) -> Response:
        film, _ = await self._film(_number(request), request.path_params["version"])
        return _picture(film, request.path_params["step"])

    async def _film(self, number: int, version: int) -> tuple[Film, str]:
        task = self.tasks[number]
        moves = task.moves_of(version)
        if moves is None:
            raise Missing("that solution is forgotten, or there is none yet")
        return await self.films.of((number, version), lambda: solution(task.task, moves))

    # reading

    async def store(self, request: Request) -> Response:
        return _json(await self.films.run(self.reading.store))

    async def experiment(self, request: Request) -> Response:
        return _json(await self.films.run(self.reading.report_json, request.path_params["name"]))

    async def runs(self, request: Request) -> Response:
        return _json(await self.films.run(self.reading.runs, request.path_params["name"]))

    async def papers(self, request: Request) -> Response:
        return _json(await self.films.run(self.reading.papers))

    async def matches(self, request: Request) -> Response:
        return _json(await self.films.run(self.reading.matches))

    async def match(self, request: Request) -> Response:
        return _json(await self.films.run(self.reading.match, _number(request)))

    async def match_film(self, request: Request) -> Response:
        film, note = await self._match_film(request)
        return _json(_film_json(film, note, 0))

    async def match_picture(self, request: Request) -> Response:
        film, _ = await self._match_film(request)
        answer = _picture(film, request.path_params["step"])
        answer.headers["Cache-Control"] = "private, max-age=60"
        return answer

    async def _match_film(self, request: Request) -> tuple[Film, str]:
        which, game = _number(request), request.path_params["game"]
        key = ("match", which, game, self.reading.changed(which))
        return await self.films.of(key, lambda: self.reading.game_film(which, game))


def make_app(lab: Lab, token: str, hosts: frozenset[str] = LOCAL) -> Starlette:
    """The lab as an application."""
    pages = ("search", "play", "compare", "store", "papers", "matches")
    routes = [Route("/", lab.page("home"))]
    routes += [Route(f"/{name}", lab.page(name)) for name in pages]
    routes += [
        Route(f"/{name}/{{id:int}}", lab.page(name))
        for name in ("search", "play", "compare", "matches")
    ]
    task, match = "/api/tasks/{id:int}", "/api/matches/{id:int}"
    routes += [
        Route("/matches/{id:int}/{game:int}", lab.page("matches")),
        Route("/store/{name}", lab.report_page),
        Route("/papers/{name}", lab.report_page),
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
        Route(f"{task}/film/{{version:int}}/{{step:int}}.svg", lab.picture),
        Route("/api/store", lab.store),
        Route("/api/store/{name}", lab.experiment),
        Route("/api/store/{name}/runs", lab.runs),
        Route("/api/papers", lab.papers),
        Route("/api/matches", lab.matches),
        Route(match, lab.match),
        Route(f"{match}/{{game:int}}/film", lab.match_film),
        Route(f"{match}/{{game:int}}/film/{{step:int}}.svg", lab.match_picture),
    ]

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        lab.tasks.find_all()
        yield
        lab.ending.set()
        await lab.tasks.close()
        lab.films.close()

    async def refuse(request: Request, error: Exception) -> Response:
        status = next(code for kind, code in _STATUS.items() if isinstance(error, kind))
        return _json({"error": " ".join(str(error).split())}, status)

    async def failed(request: Request, error: Exception) -> Response:
        return _json({"error": fault_line(error)}, 500)  # the terminal has the traceback

    async def missing(request: Request, error: Exception) -> Response:
        if getattr(error, "status_code", 404) != 404:
            return _json({"error": str(getattr(error, "detail", error))}, error.status_code)  # type: ignore[attr-defined]
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


def _number(request: Request) -> int:
    return int(request.path_params["id"])


async def _body(request: Request, most: int = MOST_BODY) -> dict[str, Any]:
    """The JSON object of a request; larger ones are not read."""
    found = b""
    async for part in request.stream():
        found += part
        if len(found) > most:
            raise HTTPException(413, f"at most {most:,} bytes")
    try:
        data = json.loads(found.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise OptionError("that is no JSON") from None
    if not isinstance(data, dict):
        raise OptionError("give a JSON object")
    return data


def _no_constant(word: str) -> Any:
    raise ValueError(word)


def _json(data: Any, status: int = 200) -> Response:
    return Response(_text(data), status, media_type="application/json")


def _text(data: Any) -> str:
    return json.dumps(written(data), separators=(",", ":"), allow_nan=False)


def _tagged(request: Request, content: bytes, kind: str) -> Response:
    """A file that a browser asks for again, and gets again when it has changed."""
    import hashlib

    tag = f'"{hashlib.blake2b(content, digest_size=8).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=kind, headers=headers)


def _film_json(film: Film, note: str, version: int) -> dict[str, Any]:
    steps = [
        {"move": step.move, "points": step.points, "text": step.text, "drawn": bool(step.picture)}
        for step in film.steps
    ]
    return {"version": version, "steps": steps, "note": note}


def _picture(film: Film, number: int) -> Response:
    if not 0 <= number < len(film.steps) or not film.steps[number].picture:
        raise Missing("there is no such picture")
    return Response(film.steps[number].picture, media_type="image/svg+xml", headers=PICTURE)


def _as_sgf(text: str) -> str:
    from playout.adapters.game_files import from_text
    from playout.adapters.sgf import to_sgf

    return to_sgf(from_text(text, "the game"))
