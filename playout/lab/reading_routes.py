"""The routes of the pages that are read: the store with its runs, the papers, matches."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from playout.errors import PlayoutError
from playout.lab.answers import as_json, film_json, number_of, picture
from playout.lab.pages import report_page
from playout.pictures.film import Film

if TYPE_CHECKING:
    from playout.lab.server import Lab

MATCH_EVERY = 1.0  # seconds between two looks at a transcript that may grow


class ReadingRoutes:
    """Answers from what is stored; all of it is read on a thread of its own."""

    def __init__(self, lab: Lab) -> None:
        self._lab, self._run = lab, lab.readers.run
        self._reading, self._transcripts = lab.reading, lab.transcripts

    def routes(self) -> list[Route]:
        run, match = "/api/store/{name:path}/runs/{id:number}", "/api/matches/{id:number}"
        return [
            Route("/store/{name:path}/runs/{id:number}", self._lab.page("run")),
            Route("/store/{name:path}", self.report_page),
            Route("/papers/{name:path}", self.report_page),
            Route("/api/store", self.store),
            Route(run, self.run),
            *film_routes(run, self.run_film),
            Route("/api/store/{name:path}/runs", self.runs),
            Route("/api/store/{name:path}", self.experiment),
            Route("/api/papers", self.papers),
            Route("/api/matches", self.matches),
            Route(match, self.match),
            Route(f"{match}/events", self.match_events),
            *film_routes(f"{match}/{{game:number}}", self.match_film),
        ]

    # the store and the papers

    async def report_page(self, request: Request) -> Response:
        name = request.path_params["name"]
        title, header, main = await self._run(self._reading.report_html, name)
        return Response(report_page(name, title, header, main), media_type="text/html")

    async def store(self, request: Request) -> Response:
        return as_json(await self._run(self._reading.store))

    async def experiment(self, request: Request) -> Response:
        return as_json(await self._run(self._reading.report_json, request.path_params["name"]))

    async def runs(self, request: Request) -> Response:
        return as_json(await self._run(self._reading.runs, request.path_params["name"]))

    async def papers(self, request: Request) -> Response:
        return as_json(await self._run(self._reading.papers))

    # a run

    async def run(self, request: Request) -> Response:
        name, number = request.path_params["name"], number_of(request)
        return as_json(await self._run(self._reading.run, name, number))

    async def run_film(self, request: Request) -> tuple[Film, str]:
        name, number = request.path_params["name"], number_of(request)
        return await self._lab.films.of(
            ("run", name, number), lambda: self._reading.run_film(name, number)
        )

    # matches

    async def matches(self, request: Request) -> Response:
        return as_json(await self._run(self._transcripts.all))

    async def match(self, request: Request) -> Response:
        return as_json(await self._run(self._transcripts.match, number_of(request)))

    async def match_events(self, request: Request) -> Response:
        """The match whenever a game of it has ended, as its transcript tells."""
        number = number_of(request)
        self._transcripts.stamp(number)  # refused if there is none
        seen: tuple[Any, dict[str, Any]] = None, {}

        async def look() -> dict[str, Any]:
            nonlocal seen
            stamp = self._transcripts.stamp(number)
            if stamp != seen[0]:
                try:
                    seen = stamp, {"match": await self._run(self._transcripts.match, number)}
                except PlayoutError as error:
                    seen = stamp, {"error": str(error)}
            return seen[1]

        return self._lab.streams.answer(self._lab.streams.looking(look, MATCH_EVERY))

    async def match_film(self, request: Request) -> tuple[Film, str]:
        which, game = number_of(request), request.path_params["game"]
        key = ("match", which, game, self._transcripts.stamp(which))
        return await self._lab.films.of(key, lambda: self._transcripts.game_film(which, game))


def film_routes(
    path: str, find: Callable[[Request], Awaitable[tuple[Film, str]]]
) -> tuple[Route, Route]:
    """A film with its moves, and its pictures one by one."""

    async def film(request: Request) -> Response:
        return as_json(film_json(*await find(request)))

    async def one_picture(request: Request) -> Response:
        found, _ = await find(request)
        return picture(found, request.path_params["step"], changes=True)

    return Route(f"{path}/film", film), Route(f"{path}/film/{{step:number}}.svg", one_picture)
