"""How requests are read and answers are written: JSON, files, pictures."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from playout.errors import OptionError
from playout.lab.tasks import Missing
from playout.pictures.film import Film
from playout.run.events import written

MOST_BODY = 64 * 1024
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


class _Number(IntegerConvertor):
    """A number in an address, of as many digits as a store and Python take."""

    regex = "[0-9]{1,18}"


register_url_convertor("number", _Number())


def number_of(request: Request) -> int:
    """The number in the address."""
    return int(request.path_params["id"])


async def body_of(request: Request, most: int = MOST_BODY) -> dict[str, Any]:
    """The JSON object of a request; larger ones are not read."""
    found = b""
    async for part in request.stream():
        found += part
        if len(found) > most:
            raise HTTPException(413, f"at most {most:,} bytes")
    try:
        data = json.loads(found.decode("utf-8"), parse_constant=_no_constant)
        json.dumps(data, ensure_ascii=False).encode()  # a text that no file can have is none
    except (ValueError, RecursionError):
        raise OptionError("that is no JSON") from None
    if not isinstance(data, dict):
        raise OptionError("give a JSON object")
    return data


def _no_constant(word: str) -> Any:
    raise ValueError(word)


def as_json(data: Any, status: int = 200) -> Response:
    """Data as an answer."""
    return Response(json_text(data), status, media_type="application/json")


def json_text(data: Any) -> str:
    """Data as JSON in one line; numbers that it does not have are texts."""
    return json.dumps(written(data), separators=(",", ":"), allow_nan=False)


def tagged(request: Request, content: bytes, kind: str) -> Response:
    """A file that a browser asks for again, and gets again when it has changed."""
    tag = f'"{hashlib.blake2b(content, digest_size=8).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=kind, headers=headers)


def film_json(film: Film, note: str, version: int = 0) -> dict[str, Any]:
    """A film without its pictures, which are asked for one by one."""
    steps = [
        {"move": step.move, "points": step.points, "text": step.text, "drawn": bool(step.picture)}
        for step in film.steps
    ]
    return {"version": version, "steps": steps, "note": note}


def picture(film: Film, number: int, changes: bool = False) -> Response:
    """One picture of a film; one whose address may mean another later is not kept for long."""
    if not 0 <= number < len(film.steps) or not film.steps[number].picture:
        raise Missing("there is no such picture")
    headers = {**PICTURE, **({"Cache-Control": "private, max-age=60"} if changes else {})}
    return Response(film.steps[number].picture, media_type="image/svg+xml", headers=headers)
