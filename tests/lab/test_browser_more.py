"""More of the lab in a real browser: matches, runs of the store, papers, a video game."""

from __future__ import annotations

import time

import pytest

from playout.stop import Playouts
from tests.support.browser import Watched, chromium
from tests.support.lab_server import lab_server
from tests.support.match_files import play

pytestmark = pytest.mark.long
pytest.importorskip("starlette", reason="no Starlette: pip install 'playout[lab]'")

TELEPHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A transcript of four games, and a store of two runs."""
    from playout.study.compare import comparison_plan
    from playout.study.kinds.solve import Solve
    from playout.study.run_plan import run_plan

    folder = tmp_path_factory.mktemp("reading")
    play(folder / "match.jsonl", games=4)
    board = {"rows": "4", "columns": "4"}
    search = Solve.parse("samegame", "random", "random:1", board, compiled=False)
    run_plan(
        comparison_plan({"random": search}, Playouts(8), 2), store=folder / "s.sqlite", workers=1
    )
    return folder


@pytest.fixture(scope="module")
def lab(folder):
    words = ("--store", str(folder / "s.sqlite"), str(folder / "match.jsonl"))
    with lab_server(folder / "tasks", *words) as lab:
        yield lab


@pytest.fixture(scope="module")
def seen(lab):
    with chromium() as browser:
        seen = Watched(browser, **TELEPHONE)
        seen.page.goto(f"http://127.0.0.1:{lab.port}/?token={lab.token}")
        yield seen
        assert seen.errors == []
        seen.close()


@pytest.fixture
def visit(lab, seen):
    def go(path):
        seen.page.goto(f"http://127.0.0.1:{lab.port}{path}")
        return seen.page

    return go


def fits(page):
    """Whether nothing is wider than the telephone."""
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_match_is_listed_stepped_through_and_analysed_from_a_move(visit, lab):
    page = visit("/matches")
    page.get_by_role("link", name="match.jsonl").click()
    page.get_by_role("link", name="game 2").click()
    page.wait_for_selector("lab-film img")
    assert "SPRT" in page.locator(".standing").text_content()
    assert fits(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Analyse from here").click()
    page.wait_for_url("**/play/*")
    task = lab.ask(f"/api/tasks/{page.url.rpartition('/')[2].partition('#')[0]}")
    assert task["task"]["from"] == {"match": 0, "game": 1, "move": 2}


def test_a_game_that_ends_meanwhile_is_shown(visit, folder):
    path = folder / "match.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3]))
    page = visit("/matches/0")
    page.wait_for_selector(".standing >> text=3 games")
    path.write_bytes(b"".join(lines))
    page.wait_for_selector(".standing >> text=4 games")


def test_a_run_of_the_store_has_its_curve_and_its_film(visit):
    page = visit("/store")
    page.get_by_role("link", name="Comparison").first.click()
    page.get_by_text("Single runs").click()
    page.locator("a[href*='/runs/']").first.click()
    # a run that never improved has a level line, which a browser takes for hidden
    page.wait_for_selector("lab-curve path.line", state="attached")
    page.wait_for_selector("lab-film img")
    page.keyboard.press("End")
    page.wait_for_selector("lab-film output >> text=the end, after")
    assert fits(page)


def test_a_paper_runs_in_its_page_and_is_paused(visit):
    page = visit("/papers")
    paper = page.locator("#snrpa")
    paper.get_by_role("button", name="Run more").click()
    paper.get_by_role("button", name="Pause").click()
    paper.get_by_role("button", name="Run more").wait_for()
    end = time.monotonic() + 600
    while "paused" not in paper.text_content():
        assert time.monotonic() < end
        time.sleep(0.05)
    assert fits(page)


def test_a_video_game_is_played_by_its_keys(visit, lab):
    asked = {"kind": "game", "game": "orchard", "search": "random", "budget": {"simulations": 1}}
    page = visit(lab.ask("/api/tasks", asked)["page"])
    page.wait_for_selector("#turn >> text=Your move")
    page.wait_for_selector("lab-board img")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#moves >> text=1. left")
    page.get_by_role("button", name="idle", exact=True).click()
    page.wait_for_selector("#moves >> text=2. idle")
    assert fits(page)
