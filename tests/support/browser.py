"""A real browser for tests: the system's Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = os.environ.get("PLAYOUT_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser; the test is skipped by name where there is none."""
    if CHROMIUM is None:
        pytest.skip("no Chromium: apt-get install chromium, or set PLAYOUT_CHROMIUM")
    playwright = pytest.importorskip("playwright.sync_api")
    switches = [
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-sync",
        "--disable-background-networking",
        "--disable-component-update",
    ]
    if os.geteuid() == 0:
        switches.append("--no-sandbox")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=switches)
        yield browser
        browser.close()


class Watched:
    """A page whose errors and requests are kept."""

    def __init__(self, browser: Any, **settings: Any) -> None:
        self.context = browser.new_context(**settings)
        self.context.set_default_timeout(300_000)  # the machine may be busy
        self.page = self.context.new_page()
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._console)
        self.page.on("request", lambda request: self.requests.append(request.url))

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(f"{message.text} {message.location.get('url', '')}")

    def close(self) -> None:
        self.context.close()
