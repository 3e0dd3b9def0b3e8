"""Who may talk to the lab: the host that was meant, pages of its own, and who has the token.

Other users of the computer can reach the port, and any page in the browser can send requests to
it. So every request needs the token, which the address that is printed has and a cookie keeps; the
`Host` must be a name of this computer, or another name could be made to lead here (DNS
rebinding); and what changes something must come from a page of the lab itself.
"""

from __future__ import annotations

import hmac
import re
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_HOST = re.compile(r"(\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[a-z0-9._-]+))(:(?P<port>[0-9]{1,5}))?")
ADVICE = "open the address that playout lab has printed: it has the token"


class Guard:
    """ASGI middleware in front of everything.

    `token` is empty where none is wanted; `hosts` are the names by which the lab is known.
    """

    def __init__(self, app: ASGIApp, token: str, hosts: frozenset[str] = LOCAL) -> None:
        self.app, self.token, self.hosts = app, token, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # there are no WebSockets here
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("Content-Security-Policy", POLICY)
                headers.setdefault("Cache-Control", "no-store")
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        answer = self._refusal(scope)
        await (self.app if answer is None else answer)(scope, receive, sending)

    def _refusal(self, scope: Scope) -> Response | None:
        """What is answered in place of what was asked for; None if it may be asked for."""
        headers = Headers(scope=scope)
        host = headers.getlist("host")
        if len(host) != 1 or _name_of(host[0]) not in self.hosts:
            return _no(421, "this lab is not known by that name")
        changes = scope["method"] not in ("GET", "HEAD")
        origin = headers.get("origin")
        if origin is not None and not _same_site(origin, host[0]):
            return _no(403, "a page of another site")
        if changes:
            if headers.get("sec-fetch-site", "same-origin") != "same-origin":
                return _no(403, "a page of another site")
            kind = headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json":
                return _no(415, "send JSON (Content-Type: application/json)")
        return self._without_token(scope, headers)

    def _without_token(self, scope: Scope, headers: Headers) -> Response | None:
        if not self.token:
            return None
        name = cookie_name(scope["server"][1])
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = [value for key, value in query if key == "token"]
        if given and scope["method"] in ("GET", "HEAD") and self._is_token(given[0]):
            rest = urlencode([(key, value) for key, value in query if key != "token"])
            path = "/" + scope["path"].lstrip("/")  # `//other.site/` would be another host
            # the token does not stay in the address
            answer = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
            answer.set_cookie(name, self.token, httponly=True, samesite="strict")
            return answer
        if self._is_token(_cookie(headers, name)):
            return None
        if self._is_token(headers.get("authorization", "").removeprefix("Bearer ")):
            return None
        return _no(401, ADVICE)

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())


def cookie_name(port: int) -> str:
    """The cookie of the lab at a port: another lab has another one."""
    return f"playout-lab-{port}"


def _name_of(host: str) -> str:
    """The name in a `Host` header, without brackets and port; empty if it makes no sense."""
    found = _HOST.fullmatch(host.lower())
    if found is None or (found["port"] and int(found["port"]) > 65535):
        return ""
    return found["address"] or found["name"]


def _same_site(origin: str, host: str) -> bool:
    """Whether a page at this very host and port sent it."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def _cookie(headers: Headers, name: str) -> str:
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(headers.get("cookie", ""))
    except CookieError:
        return ""
    return cookies[name].value if name in cookies else ""


def _no(status: int, reason: str) -> JSONResponse:
    return JSONResponse({"error": reason}, status)
