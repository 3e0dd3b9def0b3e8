"""Streams of events to pages: how many there are, and that all of them end with the lab."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.responses import Response, StreamingResponse

from playout.lab.answers import json_text
from playout.lab.shelf import MOST_STREAMS
from playout.lab.tasks import TooMany

STILL_THERE = 15.0  # seconds, after which a stream says that it is

Updates = AsyncIterator[dict[str, Any] | None]  # None: nothing new, and still there


class Streams:
    """The streams that are open; `ending` is set when the lab ends."""

    def __init__(self) -> None:
        self.ending = asyncio.Event()
        self._open = 0

    def answer(self, updates: Updates) -> Response:
        """A stream of updates, as server-sent events."""
        if self._open >= MOST_STREAMS:
            raise TooMany(f"{MOST_STREAMS} pages are watching: close one")
        self._open += 1

        async def lines() -> AsyncIterator[str]:
            try:
                async for update in updates:
                    if update is None:
                        yield ": still there\n\n"
                    else:
                        yield f"data: {json_text(update)}\n\n"
                yield "event: bye\ndata: {}\n\n"
            finally:
                self._open -= 1
                await updates.aclose()  # type: ignore[attr-defined]

        return StreamingResponse(
            lines(), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
        )

    async def looking(self, look: Callable[[], Any], every: float) -> Updates:
        """What a look tells whenever it differs from the last one."""
        before: Any = None
        quiet = 0.0
        while not self.ending.is_set():
            now = look()
            if asyncio.iscoroutine(now):
                now = await now
            quiet = quiet + every if now == before else 0.0
            if now != before:
                yield now
            elif quiet >= STILL_THERE:
                quiet = 0.0
                yield None
            before = now
            await self.pause(every)

    async def pause(self, seconds: float) -> None:
        """Wait, or until the lab ends."""
        try:
            await asyncio.wait_for(self.ending.wait(), seconds)
        except TimeoutError:
            return
