"""Graphs and colourings as files: DIMACS `.col`, edge lists, `.sol`.

A `.col` file has comments `c ...`, one line `p edge N M` (or `p col N M`) and a line `e U V` for
each edge, vertices 1 to N. A line is understood or refused, by its number. Real files list edges
twice and have loops: edges are counted once, loops dropped, and `Graph.notes` says so. If M is
neither the number of lines nor of edges, once or twice, the file may have been cut or mangled:
`Graph.doubt` says that, and every answer about the graph repeats it.

An edge list has two names on each line, of any kind, and perhaps a weight or a dictionary of
attributes behind them, as networkx writes it, which is noted and not used; a name alone is a
vertex; what follows a `#` is a comment.

A `.sol` file is the DIMACS form of a colouring: `s col K`, then a line `l V C` for each vertex,
with colours from 1. One colour a line in the order of the vertices is read too.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from playout.errors import DataError, DataWarning
from playout.problems.coloring.saturation import InnerGraph
from playout.text.input_files import Line, lines_of

MOST_VERTICES = 100_000
MOST_EDGES = 20_000_000

# a line p, or a first line that only a .col file has
_DIMACS = re.compile(r"^[ \t]*p[ \t]|\A\s*[ce](?:\s|$)", re.M)
_WEIGHT = re.compile(r"[-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?")
_NO_EDGES = ("c", "n", "d", "v", "x")  # comments, and the format's lines about other things


@dataclass(frozen=True)
class Graph:
    """An undirected graph: names of vertices, and each edge once as two indices, lower first.

    `notes` are the oddities of the file it was read from, one line each; `doubt` is why the file
    may not be what it should be; `name` is what it is called, if it was found by a name.
    """

    labels: Sequence[Any]
    edges: np.ndarray
    notes: tuple[str, ...] = field(default=())
    name: str = ""
    doubt: str = ""

    @property
    def n(self) -> int:
        """The number of vertices."""
        return len(self.labels)

    @cached_property
    def inner(self) -> InnerGraph:
        """The same graph, its vertices numbered by falling degree."""
        return InnerGraph.of(self.n, self.edges)

    @classmethod
    def of(cls, source: Any) -> Graph:
        """A graph from a networkx graph, or from pairs of names; a `Graph` is itself."""
        if isinstance(source, Graph):
            return source
        if hasattr(source, "nodes") and hasattr(source, "edges"):
            return cls.from_names(list(source.nodes), [(e[0], e[1]) for e in source.edges])
        try:
            pairs = [(a, b) for a, b in source]
        except (TypeError, ValueError):
            raise DataError("a graph is a networkx graph or a list of pairs of vertices") from None
        return cls.from_names(_sorted({name: None for pair in pairs for name in pair}), pairs)

    @classmethod
    def from_names(cls, labels: Sequence[Any], pairs: Iterable[tuple[Any, Any]]) -> Graph:
        """A graph from its vertices and its edges as pairs of them."""
        index = {label: i for i, label in enumerate(labels)}
        try:
            ends = [(index[a], index[b]) for a, b in pairs]
        except KeyError as error:
            raise DataError(f"an edge has the vertex {error.args[0]!r}, which is none") from None
        return cls.tidy(list(labels), np.array(ends, np.int64).reshape(-1, 2))

    @classmethod
    def tidy(cls, labels: Sequence[Any], ends: np.ndarray) -> Graph:
        """A graph from edges that may be loops or come several times; both are noted."""
        if len(labels) > MOST_VERTICES:
            raise DataError(f"{len(labels):,} vertices; at most {MOST_VERTICES:,} are handled")
        if len(labels) == 0:
            raise DataError("a graph has at least one vertex")
        found: list[str] = []
        loops = ends[:, 0] == ends[:, 1]
        if loops.any():
            found.append(f"{_count(int(loops.sum()), 'self-loop')} dropped")
        low, high = ends[~loops].min(axis=1), ends[~loops].max(axis=1)
        keys = np.unique(low * len(labels) + high)
        doubles = len(low) - len(keys)
        if doubles:
            found.append(f"{_count(doubles, 'repeated edge')} counted once")
        edges = np.stack([keys // len(labels), keys % len(labels)], axis=1)
        return cls(labels, edges, tuple(found))


def parse_graph(text: str, source: str) -> Graph:
    """The graph in the text of a file."""
    if _DIMACS.search(text):
        return _parse_dimacs(text, source)
    return _parse_edge_list(text, source)


def _parse_dimacs(text: str, source: str) -> Graph:
    lines = text.split("\n")
    n = stated = -1
    edge_lines: list[str] = []
    for number, line in enumerate(lines, 1):
        kind = line.split(maxsplit=1)[:1]
        if kind == ["e"]:
            if n < 0:
                Line(source, number, line).fail("an edge before the line p edge N M")
            edge_lines.append(line)
        elif kind == ["p"]:
            if n >= 0:
                Line(source, number, line).fail("a second line p")
            n, stated = _problem_line(Line(source, number, line))
        elif kind and kind[0] not in _NO_EDGES:
            Line(source, number, line).fail(
                f"{kind[0][:20]!r} begins no line of a .col file: c, p or e does"
            )
    if n < 0:
        raise DataError(f"{source}: there is no line p edge N M")
    if len(edge_lines) > MOST_EDGES:
        raise DataError(f"{source}: {len(edge_lines):,} edges; at most {MOST_EDGES:,} are handled")
    ends = _ends(edge_lines)
    if ends is None or (ends.size and not (ends.min() >= 1 and ends.max() <= n)):
        _find_bad_edge(lines, source, n)
    assert ends is not None
    graph = Graph.tidy(range(1, n + 1), ends - 1)
    if stated == len(edge_lines):
        return graph
    header = (
        f"the header says {_count(stated, 'edge')}, "
        f"the file has {_count(len(edge_lines), 'edge line')}"
    )
    if stated in (len(graph.edges), 2 * len(graph.edges)):
        return replace(graph, notes=(header, *graph.notes))
    warnings.warn(f"{source}: {header}: is it whole?", DataWarning, stacklevel=2)
    return replace(graph, notes=(header, *graph.notes), doubt=header)


def _problem_line(line: Line) -> tuple[int, int]:
    words = line.words
    if len(words) != 4 or words[1] not in ("edge", "edges", "col"):
        line.fail("the line p should be: p edge N M")
    n, m = Line(line.source, line.number, " ".join(words[2:])).whole_numbers()
    if not 1 <= n <= MOST_VERTICES:
        line.fail(f"{n} vertices; from 1 to {MOST_VERTICES:,} are handled")
    if m < 0:
        line.fail(f"{m} edges")
    return n, m


def _ends(edge_lines: list[str]) -> np.ndarray | None:
    """The numbers of all edge lines, two a line; None if a line has others."""
    words = " ".join(edge_lines).split()
    if len(words) != 3 * len(edge_lines):
        return None
    if words[0::3].count("e") != len(edge_lines):
        return None
    digits = "".join(words[1::3]) + "".join(words[2::3])
    if digits and not (digits.isascii() and digits.isdigit()):  # int() takes 1_0 and others
        return None
    try:
        return np.array([words[1::3], words[2::3]], np.int64).T.reshape(-1, 2)
    except (ValueError, OverflowError):
        return None


def _find_bad_edge(lines: list[str], source: str, n: int) -> None:
    """Raise the error of the first edge line that is wrong."""
    for number, text in enumerate(lines, 1):
        line = Line(source, number, text)
        if line.words[:1] != ["e"]:
            continue
        if len(line.words) != 3:
            line.fail(f"{len(line.words) - 1} vertices, but an edge is two: e U V")
        for word in line.words[1:]:
            if not (word.isascii() and word.isdigit()):
                line.fail(f"{word[:20]!r} is not a whole number")
            if not 1 <= int(word[:20]) <= n:
                line.fail(f"vertex {word[:20]} is not from 1 to {n}")
    raise DataError(f"{source}: cannot be read as a graph")


def _parse_edge_list(text: str, source: str) -> Graph:
    pairs: list[tuple[str, str]] = []
    names: dict[str, None] = {}
    more = 0
    for line in lines_of(text, source):
        words = line.text.replace(",", " ").split()
        if not words:
            line.fail("two vertices, or one, should be here")
        if len(words) > 2 and not (words[2].startswith("{") or _WEIGHT.fullmatch(words[2])):
            line.fail(f"{words[2][:20]!r} after two vertices is neither a weight nor {{...}}")
        more += len(words) > 2
        names.update(dict.fromkeys(words[:2]))
        if len(words) > 1:
            pairs.append((words[0], words[1]))
        if len(names) > MOST_VERTICES:
            line.fail(f"more than {MOST_VERTICES:,} vertices, which is what is handled")
    if not names:
        raise DataError(f"{source}: has no edges")
    labels = _sorted(names)
    index = {label: i for i, label in enumerate(labels)}
    ends = np.array([(index[a], index[b]) for a, b in pairs], np.int64).reshape(-1, 2)
    graph = Graph.tidy(labels, ends)
    if more:
        note = f"weights or attributes of {_count(more, 'edge')} are not used"
        graph = replace(graph, notes=(note, *graph.notes))
    return graph


def _sorted(names: Iterable[Any]) -> list[Any]:
    """Numbers in their order, other names as they come."""
    every = list(names)
    try:
        return sorted(every, key=int)
    except (TypeError, ValueError):
        return every


def graph_text(graph: Graph) -> str:
    """A graph as a `.col` file; its vertices are numbered from 1."""
    lines = [f"p edge {graph.n} {len(graph.edges)}"]
    lines += [f"e {a + 1} {b + 1}" for a, b in graph.edges.tolist()]
    return "\n".join(lines) + "\n"


def solution_text(graph: Graph, colours: Sequence[int], comment: str = "") -> str:
    """A colouring as a `.sol` file; colours are numbered from 0 here, from 1 there."""
    lines = [f"c {line}" for line in comment.splitlines()]
    lines.append(f"s col {len(set(colours))}")
    lines += [f"l {label} {colour + 1}" for label, colour in zip(graph.labels, colours)]
    return "\n".join(lines) + "\n"


def parse_solution(text: str, source: str, graph: Graph) -> list[int]:
    """The colours of all vertices in the text of a `.sol` file, numbered from 0."""
    by_name: dict[str, int] = {}
    plain: list[int] = []
    known = {str(label) for label in graph.labels}
    stated = None
    for number, content in enumerate(text.split("\n"), 1):
        line = Line(source, number, content)
        kind = line.words[0] if line.words else "c"
        if kind == "c":
            continue
        if kind == "s":
            if len(line.words) != 3:
                line.fail("the line s should be: s col K")
            stated = Line(source, number, line.words[2]).whole_numbers()[0]
        elif kind == "l":
            if len(line.words) != 3:
                line.fail("a vertex and its colour should be: l V C")
            if line.words[1] not in known:
                line.fail(f"the graph has no vertex {line.words[1][:20]!r}")
            if line.words[1] in by_name:
                line.fail(f"vertex {line.words[1]} has a colour already")
            colour = Line(source, number, line.words[2]).whole_numbers()[0]
            by_name[line.words[1]] = colour - 1
        else:
            plain += line.whole_numbers()
    if by_name and plain:
        raise DataError(f"{source}: has lines l V C and others")
    if by_name:
        missing = [label for label in graph.labels if str(label) not in by_name]
        if missing:
            raise DataError(f"{source}: vertex {missing[0]} has no colour")
        colours = [by_name[str(label)] for label in graph.labels]
    else:
        colours = plain
    if len(colours) != graph.n:
        raise DataError(f"{source}: {len(colours)} colours for {graph.n} vertices")
    if stated is not None and stated != len(set(colours)):
        raise DataError(
            f"{source}: the line s says {stated} colours, but {len(set(colours))} are used"
        )
    return colours


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


_CENTRE = 320


def vertex_point(vertex: int, vertices: int) -> tuple[float, float]:
    """Where a vertex is in the picture of a graph."""
    turn = 2 * math.pi * vertex / vertices
    return _CENTRE + 290 * math.sin(turn), _CENTRE - 290 * math.cos(turn)


def draw_svg(graph: Graph, colours: list[int], k: int) -> str:
    """The vertices on a circle in their colours, from 1, 0 for none; wrong edges stand out."""
    side = 2 * _CENTRE
    points = [vertex_point(v, graph.n) for v in range(graph.n)]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" width="{side}" '
        f'height="{side}" font-family="sans-serif" font-size="10">',
        f'<rect width="{side}" height="{side}" fill="#fff"/>',
    ]
    for a, b in graph.edges.tolist():
        wrong = colours[a] == colours[b] > 0
        ink = "#c00" if wrong else "#ccc"
        (x, y), (u, w) = points[a], points[b]
        parts.append(
            f'<path d="M{x:.1f} {y:.1f}L{u:.1f} {w:.1f}" stroke="{ink}" '
            f'stroke-width="{2 if wrong else 0.6}"/>'
        )
    for v, (x, y) in enumerate(points):
        fill = "#fff"
        if colours[v] > 0:
            fill = f"hsl({360 * (colours[v] - 1) / k:.0f},65%,{45 + 20 * (colours[v] % 2)}%)"
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="9" fill="{fill}" stroke="#333"/>'
            f'<text x="{x:.1f}" y="{y + 3.5:.1f}" text-anchor="middle">{colours[v] or ""}</text>'
        )
    parts.append("</svg>")
    return "\n".join(parts)
