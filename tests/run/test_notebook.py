"""What notebooks show: results with their curve, films, trees, and a search that is at work."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from types import SimpleNamespace

import pytest

import playout as po
from playout.run.live_view import LiveView
from playout.text import notebook_line


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


def test_a_cost_is_called_one(result):
    html = replace(result, sense="min")._repr_html_()
    assert "<th style='text-align:left'>cost</th>" in html
    assert "best cost" in html
    assert "best score" not in html


def test_a_plot_shows_itself(result):
    pytest.importorskip("matplotlib")
    assert result.plot()._repr_png_().startswith(b"\x89PNG")


def test_moves_are_cut_between_two_and_all_are_there_where_asked_for(result):
    long = replace(result, moves=[f"row={i} col={i + 1}" for i in range(40)])
    (line,) = [line for line in str(long).split("\n") if line.startswith("moves")]
    assert line.startswith("moves       40: row=0 col=1; row=1 col=2; ")
    assert line.endswith("; ...")
    assert len(line) < 220
    assert all(part.count("=") == 2 for part in line.split(": ")[1].split("; ")[:-1])
    assert "row=39 col=40" in long.text(None)
    assert "moves       5: 1 2 3 4 5\n" in str(replace(result, moves=list("12345")))


class Output:
    """What stands for an output of a cell."""

    def __init__(self):
        self.texts = []

    def update(self, data, raw):
        self.texts.append(data["text/html"])


class Shell:
    """What stands for a notebook's shell."""

    kernel = True
    execution_count = 7


def test_a_line_while_a_cell_runs(monkeypatch):
    output = Output()
    monkeypatch.setattr(notebook_line, "_notebook", Shell)
    monkeypatch.setattr(notebook_line, "_output", lambda shell: output)
    monkeypatch.setattr(notebook_line, "EVERY", 0.001)

    class Slow(po.problems.Maximum):
        def score(self, state):
            for _ in range(3):  # until the line was drawn again
                drawn = len(output.texts)
                while len(output.texts) == drawn:
                    pass
            return super().score(state)

    found = po.solve(Slow(9), "random", playouts=3, seed=1, compiled=False)
    assert found.playouts == 3
    assert output.texts[0].startswith("<progress></progress> <span")
    assert "starting ... 0 s" in output.texts[0]
    assert any("playouts" in text for text in output.texts[1:])
    assert output.texts[-1] == ""  # nothing of it is left


def test_who_watches_for_himself_is_shown_no_line(monkeypatch):
    monkeypatch.setattr(notebook_line, "_notebook", Shell)
    monkeypatch.setattr(notebook_line, "_output", lambda shell: pytest.fail("a line"))
    seen = []
    po.solve("maximum:n=9", "random", playouts=3, seed=1, compiled=False, progress=seen.append)
    assert seen


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


def test_a_search_that_ended_before_it_was_looked_at_is_shown_as_ended():
    pytest.importorskip("IPython")
    search = po.start("maximum:n=9", "nmcs", "30 playouts", seed=1, compiled=False)
    search.result()
    shown = []
    LiveView(search).follow(SimpleNamespace(update=lambda html: shown.append(html.data)))
    assert ["<td>Maximum, nmcs, finished</td>" in html for html in shown] == [True]


def test_what_a_search_of_a_game_found_has_bars_and_a_tree():
    found = po.analyse("tictactoe", "uct", po.Playouts(300), seed=1, compiled=False)
    html = found._repr_html_()
    assert html.count("width:100.0%") == 1  # the most visited
    assert html.count("<div style='height:.6em") == len(found.result.moves)
    assert ET.fromstring(html[html.index("<svg") :]).tag.endswith("svg")


NOTEBOOK = (
    "import threading, playout as po",
    "for seed in 1, 2:\n"
    "    result = po.solve('maximum:n=9', 'nmcs', playouts=300, seed=seed, compiled=False)\n"
    "result.plot()",
    # what is shown between two cells is not taken by the client: it ends inside one
    "search = po.start('maximum:n=9', 'nmcs', '300 s', seed=1, compiled=False)\nsearch",
    "while not search.look().curve:\n    pass\nsearch.stop()\nresult = search.result()\n"
    "[thread.join() for thread in threading.enumerate() if thread.name == 'live']\n"
    "result",
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
    line, plot = book.cells[1].outputs
    assert line["data"]["text/html"] == ""  # all runs of a cell share one, empty at their end
    assert plot["data"]["image/png"].startswith("iVBOR")
    _, _, live, result, film, analysis = (
        "".join(part["data"].get("text/html", "") for part in cell.outputs) for cell in book.cells
    )
    assert "Maximum, nmcs, finished" in live  # the cell that was shown first is up to date
    assert "best score" in live
    assert "the replay agrees" in result
    assert "<svg" in result
    assert film.startswith("<iframe srcdoc=")
    assert "<svg" in analysis
