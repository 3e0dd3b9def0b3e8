"""The pictures of the documentation: the lab's pages at work and a film, from a real browser.

`python -m bench.screenshots` writes them to docs/pictures; it takes two minutes and needs Chromium,
Playwright and Pillow. Nothing is drawn by hand: what is shown is what the lab shows.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image

import playout as po

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
MOST_BYTES = 150_000
DESK = {"width": 1180, "height": 800}
TELEPHONE = {"width": 360, "height": 740}
NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def a_lab(folder: Path) -> Iterator[str]:
    """A lab for the time of a block; its address."""
    words = ["--no-browser", "--no-token", "--folder", str(folder / "lab")]
    command = [sys.executable, "-m", "playout", "lab", "--store", str(folder / "store.db"), *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = (re.search(r"http://\S+", line) for line in process.stdout)
        try:
            yield next(filter(None, found))[0].rstrip("/")
        finally:
            process.send_signal(signal.SIGINT)


@contextmanager
def a_browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    program = os.environ.get("PLAYOUT_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)))
    switches = ["--disable-gpu", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=switches)
        yield browser
        browser.close()


def keep(name: str, pictures: list[bytes], every: int = 0) -> None:
    """Write a picture, or several as a moving one, as WebP: coarser until it is small enough."""
    frames = [Image.open(io.BytesIO(one)).convert("RGB") for one in pictures]
    if every:
        frames = [one.quantize(24, dither=Image.Dither.NONE).convert("RGB") for one in frames]
    moving = {"save_all": True, "append_images": frames[1:], "duration": every, "loop": 0}
    for quality in (85, 75, 60, 45, 30):
        made = io.BytesIO()
        # what moves is flat colours: smaller, and sharp, without loss
        frames[0].save(
            made, "WEBP", quality=quality, **({**moving, "lossless": True} if every else {})
        )
        if made.tell() <= MOST_BYTES:
            break
    else:
        raise ValueError(f"{name}: {made.tell():,} bytes, but at most {MOST_BYTES:,} are kept")
    (FOLDER / f"{name}.webp").write_bytes(made.getvalue())
    print(f"{name}.webp {made.tell():,} bytes, quality {quality}")


def until(holds: Callable[[], bool], seconds: float = 180.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError("the page does not come to what is to be shown")
        time.sleep(0.1)


def pages(browser: Any, address: str) -> None:
    """The lab's pages, one after the other."""
    page = browser.new_page(viewport=DESK, device_scale_factor=1)
    page.set_default_timeout(180_000)
    page.goto(f"{address}/search?problem=samegame")
    page.locator("select[name=algorithm]").select_option("gnrpa")
    page.locator("input[name=seconds]").fill("40")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/search/*")
    page.wait_for_selector("lab-film:not([hidden])")
    until(lambda: float(page.locator("#share").get_attribute("value") or 0) > 0.35)
    until(lambda: bool(re.match(r"move 2\d ", page.locator("lab-film output").text_content())))
    keep("search", [page.screenshot()])
    search = page.url

    page.goto(f"{address}/play?game=connectfour")
    page.get_by_role("button", name="New game").click()
    page.wait_for_url("**/play/*")
    for count, move in enumerate(("d", "d", "c"), 1):
        page.wait_for_selector("#status[data-status=ready]")
        page.locator(f"[data-move={move}]").click()
        until(lambda: page.locator("#moves").text_content().count(".") == count)  # noqa: B023
        page.mouse.move(5, 5)
    page.wait_for_selector("#status[data-status=ready]")
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector(".spot.seen")
    page.locator("#tree-box summary").first.click()
    page.wait_for_selector("lab-tree .branch")
    time.sleep(2)
    keep("play", [page.screenshot()])

    page.goto(f"{address}/compare")
    page.locator("input[name=amount]").fill("1")
    page.locator("form select[name=algorithm]").first.select_option("nmcs")
    page.get_by_role("button", name="Compare", exact=True).click()
    page.wait_for_url("**/compare/*")
    page.wait_for_selector("#status[data-status=finished]")
    keep("compare", [page.screenshot()])
    page.goto(f"{address}/")
    page.wait_for_selector("#hero lab-board img[alt*='move 1']")
    keep("home", [page.screenshot()])
    page.close()

    dark = browser.new_page(viewport=TELEPHONE, color_scheme="dark", device_scale_factor=1.5)
    dark.goto(search)
    dark.wait_for_selector("lab-film img[alt*='move 1']")
    keep("telephone", [dark.screenshot()])
    dark.close()


def film(browser: Any) -> None:
    """A solution of SameGame, move by move."""
    board = po.problems.SameGame.default()
    result = po.solve(board, po.GNRPA(), po.Seconds(20), seed=1)
    # half as large: a tile is 12 points, so that all tiles of a colour have the same ones
    page = browser.new_page(viewport={"width": 188, "height": 198})
    style = "<style>body{margin:0;background:#fff}svg{width:188px;height:198px}</style>"
    frames = []
    for step in result.film(board).steps:
        page.set_content(style + step.picture)
        frames.append(page.screenshot())
    keep("film", [*frames, *[frames[-1]] * 6], every=260)
    page.close()


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with a_browser() as browser, tempfile.TemporaryDirectory() as folder:
        film(browser)
        with a_lab(Path(folder)) as address:
            pages(browser, address)


if __name__ == "__main__":
    main()
