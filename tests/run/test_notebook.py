"""What notebooks show: results with their curve, films, trees, and a search that is at work."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

import playout as po
from playout.run.live_view import LiveView


def pictures(html):
    charts = re.findall(r'<svg [^>]*class="chart".*?</svg>', html, re.DOTALL)
    return [ET.fromstring(found) for found in charts]


@pytest.fixture(scope="module")
def result():
    return po.solve("maximum:n=9", "nmcs", "300 playouts", seed=1, compiled=False)


def test_a_result_has_its_curve(result):
    html = result._repr_html_()
    assert "<td>Maximum default</td>" in html
    (chart,) = pictures(html)
    line = next(path for path in chart.iter() if path.get("class") == "line")
    assert line.get("d").count("L") == 2 * len(result.curve) - 1  # steps, and the end
    # a notebook's page may be light where the reader's system is dark
    assert "prefers-color-scheme" not in html
    assert "var(" not in html


def test_a_result_without_a_curve_has_none(result):
    assert "<svg" not in replace(result, curve=[])._repr_html_()
    infinite = replace(result, curve=[[0.1, 3, -float("inf")], [0.2, 5, 7.0]])
    assert len(pictures(infinite._repr_html_())) == 1


def test_a_search_shows_how_it_stands():
    with po.start("maximum:n=9", "nmcs", "60s", seed=1, compiled=False) as search:
        view = LiveView(search)
        while search.look().best is None:
            assert "<svg" not in view.html()
        html = view.html()
        assert "<td>Maximum, nmcs, running</td>" in html
        assert "best score" in html
        assert len(pictures(html)) == 1
        strip = ET.fromstring(html[html.rindex('<svg xmlns="http://www.w3.org/2000/svg" role') :])
        assert len(strip.findall("{http://www.w3.org/2000/svg}svg")) == 4
    search.result()
    assert "<td>Maximum, nmcs, finished</td>" in view.html()


def test_what_a_search_of_a_game_found_has_bars_and_a_tree():
    found = po.analyse("tictactoe", "uct", po.Playouts(300), seed=1, compiled=False)
    html = found._repr_html_()
    assert html.count("width:100.0%") == 1  # the most visited
    assert html.count("<div style='height:.6em") == len(found.result.moves)
    assert ET.fromstring(html[html.index("<svg") :]).tag.endswith("svg")


NOTEBOOK = (
    "import time, playout as po",
    "search = po.start('maximum:n=9', 'nmcs', '800 playouts', seed=1, compiled=False)\nsearch",
    "result = search.result()\ntime.sleep(1.6)\nresult",
    "result.film(po.problems.Maximum(9))",
    "po.analyse('tictactoe', 'uct', po.Playouts(200), seed=1, compiled=False)",
)


@pytest.mark.long
def test_a_notebook_that_is_run():
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat.v4")
    pytest.importorskip("ipykernel")
    book = nbformat.new_notebook(cells=[nbformat.new_code_cell(text) for text in NOTEBOOK])
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute()
    _, live, result, film, analysis = (
        "".join(part["data"].get("text/html", "") for part in cell.outputs) for cell in book.cells
    )
    assert "Maximum, nmcs, finished" in live  # the cell that was shown first is up to date
    assert "best score" in live
    assert "the replay agrees" in result
    assert "<svg" in result
    assert film.startswith("<iframe srcdoc=")
    assert "<svg" in analysis
