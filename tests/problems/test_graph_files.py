"""Graphs and colourings are read from files as people have them, and bad files are refused."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from playout.errors import DataError, DataWarning, ProblemError
from playout.problems import GraphColoring
from playout.problems.coloring.bounds import dsatur, large_clique
from playout.problems.coloring.graph_files import (
    Graph,
    graph_text,
    parse_graph,
    parse_solution,
    solution_text,
)
from playout.problems.coloring.referee import monochromatic, verify_coloring
from tests.support.datafolder import data, needs_data

# a square 1-2-3-4 with the diagonal 1-3: three colours, and the clique 1 2 3
SQUARE = "c a square\np edge 4 5\ne 1 2\ne 2 3\ne 3 4\ne 4 1\ne 1 3\n"


def pairs(graph):
    return [tuple(edge) for edge in graph.edges.tolist()]


def test_a_col_file():
    graph = parse_graph(SQUARE, "x")
    assert list(graph.labels) == [1, 2, 3, 4]
    assert pairs(graph) == [(0, 1), (0, 2), (0, 3), (1, 2), (2, 3)]
    assert graph.notes == ()
    assert pairs(parse_graph(graph_text(graph), "x")) == pairs(graph)


@pytest.mark.parametrize("header", ["p col 4 5", "p edges 4 5", "p  edge  4  5 "])
def test_other_headers(header):
    assert pairs(parse_graph(SQUARE.replace("p edge 4 5", header), "x")) == pairs(
        parse_graph(SQUARE, "x")
    )


def test_oddities_are_mended_and_told():
    text = "p edge 3 2\ne 1 2\ne 2 1\ne 1 2\ne 3 3\n"
    graph = parse_graph(text, "x")
    assert pairs(graph) == [(0, 1)]
    assert graph.doubt == ""
    assert graph.notes == (
        "the header says 2 edges, the file has 4 edge lines",
        "1 self-loop dropped",
        "2 repeated edges counted once",
    )


def test_a_header_that_the_edges_contradict_is_a_warning():
    text = "p edge 3 9\ne 1 2\ne 2 1\n"
    with pytest.warns(DataWarning, match="x: the header says 9 edges, the file has 2 edge lines"):
        graph = parse_graph(text, "x")
    assert graph.doubt == "the header says 9 edges, the file has 2 edge lines"


def test_lines_that_begin_with_blanks_are_lines():
    triangle = parse_graph("p edge 3 3\n e 1 2\n\te 2 3\n  e 1 3\n", "x")
    assert pairs(triangle) == [(0, 1), (0, 2), (1, 2)]
    assert pairs(parse_graph(" c x\n p edge 2 1\n e 1 2", "x")) == [(0, 1)]


@pytest.mark.parametrize("ends", ["1_0 3", "٣ 3", "+1 3", "1. 3", "0x1 3"])
def test_numbers_are_ascii_digits(ends):
    with pytest.raises(DataError, match=r"x, line 2: .* is not (a whole number|from 1 to 10)"):
        parse_graph(f"p edge 10 1\ne {ends}\n", "x")


def test_more_columns_of_an_edge_list_are_weights_or_attributes():
    graph = parse_graph("a b 0.5\nb c {'w': 1}\na c\n", "x")
    assert pairs(graph) == [(0, 1), (0, 2), (1, 2)]
    assert graph.notes == ("weights or attributes of 2 edges are not used",)
    with pytest.raises(DataError, match="line 2: 'd' after two vertices is neither a weight"):
        parse_graph("a b\nb c d\n", "x")


def test_windows_line_ends_blank_lines_and_descriptors():
    text = "c x\r\n\r\np edge 2 1\r\nn 1 5\r\ne 1 2\r\n"
    assert pairs(parse_graph(text, "x")) == [(0, 1)]


def test_edge_lists():
    graph = parse_graph("# rooms\nmath art\nart,music,3\n\nsport\n", "x")
    assert list(graph.labels) == ["math", "art", "music", "sport"]
    assert pairs(graph) == [(0, 1), (1, 2)]
    # numbers are put in their order
    assert list(parse_graph("10 9\n9 2\n", "x").labels) == ["2", "9", "10"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p edge 3 2\ne 1 2\ne 2\n", "x, line 3: 1 vertices, but an edge is two"),
        ("p edge 3 1\ne 1 4\n", "x, line 2: vertex 4 is not from 1 to 3"),
        ("p edge 3 1\ne 0 1\n", "x, line 2: vertex 0 is not from 1 to 3"),
        ("p edge 3 1\ne 1 b\n", "x, line 2: 'b' is not a whole number"),
        ("p edge 3 1\ne 1 2 3\n", "x, line 2: 3 vertices, but an edge is two"),
        ("e 1 2\np edge 3 1\n", "x, line 1: an edge before the line p edge N M"),
        ("c nothing\n", "x: there is no line p edge N M"),
        ("p edge 3\n", "x, line 1: the line p should be: p edge N M"),
        ("p edge 3 1\np edge 3 1\n", "x, line 2: a second line p"),
        ("p edge 0 0\n", "x, line 1: 0 vertices; from 1 to 100,000"),
        ("p edge 9999999 0\n", "9999999 vertices; from 1 to 100,000"),
        ("p edge 3 1\nq 1 2\n", "x, line 2: 'q' begins no line of a .col file"),
        ("# nothing\n", "x: has no edges"),
    ],
)
def test_bad_files_are_refused(text, message):
    with pytest.raises(DataError) as caught:
        GraphColoring.parse(text, "x", k=2)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_gzipped_files(tmp_path):
    file = tmp_path / "g.col.gz"
    packed = gzip.compress(SQUARE.encode())
    file.write_bytes(packed)
    assert GraphColoring.read(file, k=3)[0].n == 4
    file.write_bytes(packed[:-12])
    with pytest.raises(DataError, match="damaged or cut off"):
        GraphColoring.read(file, k=3)


def test_networkx_graphs():
    nx = pytest.importorskip("networkx")
    graph = Graph.of(nx.petersen_graph())
    assert (graph.n, len(graph.edges)) == (10, 15)
    multi = nx.MultiDiGraph([("a", "b"), ("b", "a"), ("b", "b")])
    assert pairs(Graph.of(multi)) == [(0, 1)]
    with pytest.raises(DataError, match="networkx graph or a list of pairs"):
        Graph.of(7)


def test_solutions():
    graph = parse_graph("a b\nb c\n", "x")
    text = solution_text(graph, [0, 1, 0], "mine")
    assert text == "c mine\ns col 2\nl a 1\nl b 2\nl c 1\n"
    assert parse_solution(text, "s", graph) == [0, 1, 0]
    assert parse_solution("0\n1\n0\n", "s", graph) == [0, 1, 0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("l a 1\nl b 2\n", "vertex c has no colour"),
        ("l a 1\nl d 2\n", "s, line 2: the graph has no vertex 'd'"),
        ("l a 1\nl a 2\n", "s, line 2: vertex a has a colour already"),
        ("0\n1\n", "2 colours for 3 vertices"),
        ("s col 3\nl a 1\nl b 2\nl c 1\n", "the line s says 3 colours, but 2 are used"),
        ("l a\n", "s, line 1: a vertex and its colour should be"),
    ],
)
def test_bad_solutions_are_refused(text, message):
    with pytest.raises(DataError) as caught:
        parse_solution(text, "s", parse_graph("a b\nb c\n", "x"))
    assert message in str(caught.value)


def test_the_referee():
    graph = parse_graph(SQUARE, "x")
    assert verify_coloring(graph, [0, 1, 2, 1]) == 3
    assert monochromatic(graph, [0, 1, 0, 1]) == [(0, 2)]
    with pytest.raises(ProblemError, match="vertices 1 and 3 are neighbours of one colour"):
        verify_coloring(graph, [0, 1, 0, 1])


class TestBounds:
    def test_by_hand(self):
        graph = parse_graph(SQUARE, "x")
        # vertices 1 and 3 have three neighbours: 1 first, then 3, then 2 and 4
        assert dsatur(graph) == [0, 2, 1, 2]
        assert large_clique(graph) in ([0, 1, 2], [0, 2, 3])

    @pytest.mark.parametrize("seed", range(6))
    def test_a_clique_is_a_clique_and_as_large_as_there_is(self, seed):
        rng = np.random.default_rng(seed)
        n = 14
        edges = [(a, b) for a in range(n) for b in range(a) if rng.random() < 0.6]
        graph = Graph.tidy(range(n), np.array(edges))
        near = set(map(tuple, graph.edges.tolist()))
        clique = large_clique(graph)
        assert all((a, b) in near for a in clique for b in clique if a < b)

        def most(chosen, left):
            best = len(chosen)
            for i, v in enumerate(left):
                best = max(best, most([*chosen, v], [u for u in left[i + 1 :] if (v, u) in near]))
            return best

        assert len(clique) == most([], list(range(n)))
        verify_coloring(graph, dsatur(graph))

    @pytest.mark.parametrize("seed", range(4))
    def test_dsatur_takes_the_vertex_that_sees_the_most_colours(self, seed):
        rng = np.random.default_rng(seed)
        n = 40
        edges = [(a, b) for a in range(n) for b in range(a) if rng.random() < 0.2 * (seed + 1)]
        graph = Graph.tidy(range(n), np.array(edges))
        near = {
            v: {u for edge in graph.edges.tolist() for u in edge if v in edge} for v in range(n)
        }
        colours: dict[int, int] = {}
        while len(colours) < n:
            seen = {v: {colours[u] for u in near[v] if u in colours} for v in range(n)}
            left = (v for v in range(n) if v not in colours)
            v = min(left, key=lambda v: (-len(seen[v]), -len(near[v]), v))
            colours[v] = min(set(range(n)) - seen[v])
        assert dsatur(graph) == [colours[v] for v in range(n)]

    def test_a_clique_search_ends_in_time(self):
        graph = Graph.of([(a, b) for a in range(90) for b in range(a) if (a * b) % 7])
        edges = set(map(tuple, graph.edges.tolist()))
        clique = large_clique(graph, seconds=0.0)
        assert clique
        assert all((a, b) in edges for a in clique for b in clique if a < b)

    def test_complete_and_empty_graphs(self):
        complete = Graph.of([(a, b) for a in range(70) for b in range(a)])
        assert len(large_clique(complete)) == len(set(dsatur(complete))) == 70
        empty = parse_graph("p edge 5 0\n", "x")
        assert len(large_clique(empty)) == len(set(dsatur(empty))) == 1

    @needs_data("coloring/graphs/le450_15c.col.gz")
    @pytest.mark.parametrize(
        ("name", "size"), [("le450_15a.col", 15), ("homer.col", 13), ("miles500.col", 20)]
    )
    def test_known_cliques(self, name, size):
        graph = GraphColoring.read(data(f"coloring/graphs/{name}"), k=1)[0].graph
        assert len(large_clique(graph)) == size


@needs_data("coloring/best_known.tsv")
def test_every_graph_of_the_collection_is_read():
    lines = data("coloring/best_known.tsv").read_text().splitlines()
    names = lines[0].split("\t")
    for line in lines[1::9]:
        row = dict(zip(names, line.split("\t"), strict=True))
        graph = GraphColoring.read(data(f"coloring/graphs/{row['file']}"), k=1)[0].graph
        assert (graph.n, len(graph.edges)) == (int(row["vertices"]), int(row["distinct_edges"]))
        loops = any("loop" in note for note in graph.notes)
        assert loops == (int(row["self_loops"]) > 0)
