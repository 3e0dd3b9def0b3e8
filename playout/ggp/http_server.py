"""The player as an HTTP server, robust to whatever a client sends."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from playout.errors import PlayoutError
from playout.ggp.match_player import MatchPlayer
from playout.ggp.protocol import MOST_BYTES

MOST_PASSED = 1 << 26  # bytes of a message that is too long which are read all the same
READ_SECONDS = 20.0  # for a client to send its request


class PlayerServer(ThreadingHTTPServer):
    """Answers messages to a player, each in a thread of its own.

    `serve_forever()` answers; `shutdown()` ends it.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, player: MatchPlayer, port: int, host: str = "127.0.0.1") -> None:
        self.player = player
        super().__init__((host, port), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no error of ours."""


class _Handler(BaseHTTPRequestHandler):
    server: PlayerServer
    timeout = READ_SECONDS
    server_version = "playout"
    sys_version = ""

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            self._say(411, "the request has no Content-Length")
        elif int(length) > MOST_BYTES:
            self._say(413, f"a message has at most {MOST_BYTES:,} bytes")
            self._pass_over(min(int(length), MOST_PASSED))
        else:
            self._answer(self.rfile.read(int(length)))

    def _pass_over(self, length: int) -> None:
        """Read what is not wanted: who is cut off while sending does not hear the answer."""
        while length > 0 and (part := self.rfile.read(min(length, 1 << 16))):
            length -= len(part)

    def _answer(self, body: bytes) -> None:
        player = self.server.player
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError:
            self._say(400, "the body is not text")
            return
        try:
            self._say(200, player.answer(text))
        except PlayoutError as error:
            player.note(f"refused: {error}")
            self._say(400, str(error))
        except Exception as error:
            player.note(f"failed: {type(error).__name__}: {error}")
            self._say(500, f"{type(error).__name__}: {error}")

    def do_GET(self) -> None:
        self._say(405, "a GGP player: POST messages, such as ( INFO )")

    do_HEAD = do_PUT = do_DELETE = do_GET

    def _say(self, status: int, text: str) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/acl")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are noted by the player."""
