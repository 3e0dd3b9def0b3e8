"""HEAD in `color`: budgets are kept, seeds repeat, a long tabu search ends when the run does."""

from __future__ import annotations

import signal
import threading
import time

import pytest

import playout as po
from playout.problems import GraphColoring
from playout.problems.coloring.referee import verify_coloring
from playout.tasks import color
from playout.tasks.head_coloring import HeadSearch

pytestmark = pytest.mark.long  # each needs the compiled search

FOR_EVER = 10**9  # steps without progress


@pytest.fixture(scope="module")
def graph():
    return GraphColoring.random(4, n=60, k=1).graph


def test_it_is_the_search_of_those_who_name_none(graph):
    found = color(graph, seed=1, playouts=20)
    assert (found.algorithm, found.options, found.playouts) == ("head", {}, 20)
    assert found.stopped_by == "playouts"
    assert color(graph, "head", seed=1, playouts=20).coloring == found.coloring


def test_the_same_seed_gives_the_same_compiled_or_not(graph):
    options = {"seed": 5, "playouts": 12, "polish_steps": 30}
    one, two = color(graph, **options), color(graph, **options, compiled=False)
    assert one.coloring == two.coloring
    assert [point[1:] for point in one.curve] == [point[1:] for point in two.curve]
    assert color(graph, **{**options, "seed": 6}).coloring != one.coloring


def test_a_smaller_budget_is_the_beginning_of_a_larger_one(graph):
    short, long = (color(graph, seed=2, playouts=n, polish_steps=20).curve for n in (8, 40))
    both = [[point[1:] for point in curve] for curve in (short, long)]
    assert both[1][: len(both[0])] == both[0]


def test_seconds_end_a_tabu_search_that_would_not_end(graph):
    color(graph, seed=1, playouts=1)  # compiled
    began = time.perf_counter()
    found = color(graph, k=9, seed=1, seconds=0.3, polish_steps=FOR_EVER)
    assert time.perf_counter() - began < 5
    assert (found.colors, found.stopped_by) == (None, "seconds")
    assert found.score <= -1


def test_ctrl_c_ends_it_with_what_it_has(graph):
    color(graph, seed=1, playouts=1)
    threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
    found = color(graph, seed=1, seconds=60, polish_steps=FOR_EVER)
    assert found.stopped_by == "interrupt"
    assert found.seconds < 30
    verify_coloring(graph, [c - 1 for c in found.coloring])


def test_workers_share_the_playouts_out(graph):
    seen = []
    found = color(graph, seed=3, playouts=50, workers=2, progress=seen.append)
    assert found.playouts == 50
    assert found.verified
    assert [p.playouts for p in seen] == sorted(p.playouts for p in seen)
    assert seen[-1].playouts == 50
    assert seen[-1].doing == f"{found.colors - 1} colours"


def test_what_goes_wrong_in_a_worker_is_raised(graph, monkeypatch):
    search = HeadSearch(graph, seed=1, workers=1, compiled=True, steps=None)

    def fail():
        raise RuntimeError("this one")

    monkeypatch.setattr(search._workers[0], "advance", fail)
    with pytest.raises(RuntimeError, match="this one"):
        search.find(12, list(range(60)), po.Seconds(5), None, (0.0, 0))
