"""`color`: lowering the number of colours until no better colouring is found."""

from __future__ import annotations

import doctest
import importlib

import pytest

import playout as po
from playout.errors import DataError, OptionError
from playout.problems import GraphColoring
from playout.problems.coloring.referee import verify_coloring
from playout.tasks import color

# a wheel: a hub and a ring of five, 4 colours; the ring alone needs 3
pytestmark = pytest.mark.long  # each compiles a search of its own

HUB = [("h", i) for i in range(5)]
RING = [(i, (i + 1) % 5) for i in range(5)]


@pytest.mark.long
def test_a_wheel_is_proved():
    found = color(HUB + RING, seed=1, stop=po.Playouts(50))
    assert (found.colors, found.verified) == (4, True)
    assert found.lower_bound == 3  # a clique does not show that four are needed
    verify_coloring(found.graph, found.coloring)


@pytest.mark.long
def test_searching_improves_on_dsatur():
    graph = GraphColoring.default(n=7, k=1).graph
    greedy = color(graph, "dsatur")
    found = color(graph, seed=1, stop=po.Playouts(200))
    assert greedy.colors > found.colors == 7 == found.lower_bound
    assert found.optimal
    assert found.stopped_by == "optimal"
    assert found.curve[0][2] == -greedy.colors
    assert found.curve[-1][2] == -7


@pytest.mark.parametrize("algorithm", [po.NRPA(level=2, N=20), po.NMCS(level=3, rising=True)])
def test_the_papers_searches(algorithm):
    graph = GraphColoring.default(n=5, k=1).graph
    found = color(graph, algorithm, seed=1, stop=po.Playouts(3000))
    assert found.colors == 5
    assert found.verified


@pytest.mark.long
def test_one_number_of_colours():
    assert color(HUB + RING, k=5).colors == 4  # DSatur's will do
    none = color(HUB + RING, k=3, seed=1, stop=po.Playouts(30))
    assert (none.colors, none.coloring, none.stopped_by) == (None, [], "playouts")
    assert none.score < 0
    few = color(HUB + RING, k=2)
    assert (few.colors, few.lower_bound, few.stopped_by) == (None, 3, "clique")
    assert len(few.clique) == 3


def test_lowering_ends_where_it_is_enough():
    graph = GraphColoring.default(n=7, k=1).graph
    greedy = color(graph, "dsatur").colors
    found = color(graph, stop=po.Target(1 - greedy) | po.Playouts(200), seed=1)
    assert (found.colors, found.stopped_by) == (greedy - 1, "enough")
    assert (
        color(graph, stop=po.Target(-3) | po.Playouts(200), seed=1).colors == 7
    )  # a clique says no fewer
    with pytest.raises(OptionError, match="not together with k"):
        color(graph, k=8, stop=po.Target(-8))


def test_the_same_seed_gives_the_same():
    graph = GraphColoring.random(1, n=40, k=1).graph
    one, two = (color(graph, seed=3, stop=po.Playouts(40)).coloring for _ in range(2))
    assert one == two


def test_sat_proves():
    pytest.importorskip("pysat")
    found = color(HUB + RING, "sat", po.Seconds(20))
    assert (found.colors, found.lower_bound, found.optimal) == (4, 4, True)


def test_sat_ends_with_its_conflicts():
    pytest.importorskip("pysat")
    few, more, again = (
        color("random:3", "sat", po.Playouts(most), n=60, density=0.5) for most in (20, 400, 400)
    )
    assert 20 <= few.playouts < 60
    assert 400 <= more.playouts < 500
    assert few.stopped_by == more.stopped_by == "playouts"
    assert few.colors == more.colors == 12  # DSatur has 14
    assert (again.colors, again.playouts) == (more.colors, more.playouts)


@pytest.mark.long
def test_networkx():
    nx = pytest.importorskip("networkx")
    graph = nx.petersen_graph()
    found = color(graph, seed=1, stop=po.Playouts(20))
    assert found.colors == 3
    colours = dict(zip(graph.nodes, found.coloring, strict=True))
    assert all(colours[a] != colours[b] for a, b in graph.edges)


def test_a_graph_by_its_name(tmp_path):
    (tmp_path / "clashes.txt").write_text("maths art\nart music\nmusic maths\nmusic sport\n")
    found = color(str(tmp_path / "clashes.txt"), "dsatur")
    assert (found.colors, found.instance) == (3, str(tmp_path / "clashes.txt"))
    assert color("random:3", "dsatur", n=14).instance == "random:3 n=14"
    with pytest.raises(OptionError, match="did you mean nrpa"):
        color(HUB + RING, "nrp")
    with pytest.raises(OptionError, match="n is an option of graphs that are named"):
        color(HUB + RING, n=14)


def test_a_result_is_printed_drawn_and_saved(tmp_path):
    found = color(HUB + RING, "dsatur")
    assert "colours      4" in str(found)
    assert found._repr_html_().count("<circle") == 6
    assert sorted(map(len, found.classes)) == [1, 1, 2, 2]
    found.save(tmp_path / "wheel.sol")
    assert (tmp_path / "wheel.sol").read_text() == found.sol()
    none = color(HUB + RING, k=2)
    assert "wrong edges  nothing was tried" in str(none)
    with pytest.raises(DataError, match="no colouring to save"):
        none.save(tmp_path / "none.sol")


def test_the_example_of_the_docstring():
    failed, tried = doctest.testmod(importlib.import_module("playout.tasks.fewest_colors"))
    assert (failed, tried) == (0, 5)
