"""`color`: lower the number of colours from DSatur's until no better colouring is found.

T. Cazenave, B. Negrevergne and F. Sikora, Monte Carlo Graph Coloring, section 6.1: each number of
colours is a search of its own, and begins with the number that DSatur's colouring has. A clique
is a bound from below: a colouring with as many colours as the clique has vertices is optimal.
"""

from __future__ import annotations

import json
import math
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from playout.algorithms import load_algorithm
from playout.algorithms.algorithm import Algorithm
from playout.errors import DataError, OptionError, PlayoutError
from playout.problems.coloring.bounds import dsatur, large_clique
from playout.problems.coloring.graph_coloring import GraphColoring
from playout.problems.coloring.graph_files import Graph, draw_svg, solution_text
from playout.problems.coloring.referee import verify_coloring
from playout.problems.instances import find_instance
from playout.run.result import algorithm_text
from playout.run.solve import solve
from playout.stop import AnyOf, Never, Playouts, Progress, Seconds, Stop, Target, budget_in, stop_of
from playout.tasks.head_coloring import HeadSearch
from playout.tasks.sat import sat_coloring
from playout.text.facts import facts_html, facts_text
from playout.text.output_files import write_atomically

NAMED = ("head", "dsatur", "sat")  # what is no algorithm for problems of any kind
POLISHED: dict[str, Any] = {"level": 3, "N": 50, "polish": True}  # GNRPA with tabu search
CLIQUE_SHARE = 0.25  # of the seconds, at most, for a bound from below
MOST_DRAWN = 200  # vertices of a graph that is drawn in a notebook


@dataclass(frozen=True)
class Coloring:
    """A colouring of a graph, and what is known of its number of colours.

    Attributes
    ----------
    colors : int or None
        The number of colours; None if no colouring with `k` colours was found.
    coloring : list of int
        The colour of each vertex, from 1, in the order of the graph's vertices.
    lower_bound : int
        No colouring has fewer colours: the size of a clique, or more if SAT says so.
    verified : bool
        Whether every edge of the graph was looked at and has two colours.
    score : float
        Minus the number of colours; with `k` given and not reached, minus the wrong edges left.
    curve : list of [seconds, playouts, score]
        Each improvement.

    Examples
    --------
    >>> import playout as po
    >>> po.color([("a", "b"), ("b", "c"), ("c", "a")], "dsatur").classes
    [['a'], ['b'], ['c']]
    """

    graph: Graph
    instance: str
    algorithm: str
    options: dict[str, Any]
    seed: int
    colors: int | None
    coloring: list[int]
    lower_bound: int
    score: float
    playouts: int
    seconds: float
    verified: bool
    stopped_by: str
    clique: list[Any] = field(default_factory=list)
    curve: list[list[float]] = field(default_factory=list)

    @property
    def optimal(self) -> bool:
        """Whether no colouring can have fewer colours."""
        return self.colors is not None and self.colors == self.lower_bound

    @property
    def classes(self) -> list[list[Any]]:
        """The vertices of each colour."""
        found: list[list[Any]] = [[] for _ in range(max(self.coloring, default=0))]
        for label, colour in zip(self.graph.labels, self.coloring):
            found[colour - 1].append(label)
        return found

    def moves(self) -> list[str]:
        """Vertex and colour, as text."""
        return [f"{label}={c}" for label, c in zip(self.graph.labels, self.coloring)]

    def to_json(self) -> dict[str, Any]:
        """The object that `playout color --json` prints."""
        return {
            "problem": "coloring",
            "instance": self.instance,
            "algorithm": self.algorithm,
            "options": self.options,
            "seed": self.seed,
            "score": self.score,
            "moves": self.moves(),
            "playouts": self.playouts,
            "seconds": self.seconds,
            "verified": self.verified,
            "stopped_by": self.stopped_by,
            "curve": self.curve,
            "colors": self.colors,
            "lower_bound": self.lower_bound,
            "optimal": self.optimal,
            "coloring": {str(v): c for v, c in zip(self.graph.labels, self.coloring)},
            "notes": list(self.graph.notes),
        }

    def sol(self) -> str:
        """The colouring as the text of a `.sol` file."""
        comment = f"{self.instance}: {self.colors} colours, at least {self.lower_bound} are needed"
        return solution_text(self.graph, [c - 1 for c in self.coloring], comment)

    def save(self, path: str | Path) -> None:
        """Write the colouring as a `.sol` file, whole or not at all."""
        if self.colors is None:
            raise DataError("there is no colouring to save")
        write_atomically(Path(path), self.sol().encode())

    def __str__(self) -> str:
        return facts_text(self._facts())

    def _repr_html_(self) -> str:
        picture = ""
        if self.colors is not None and self.graph.n <= MOST_DRAWN:
            picture = draw_svg(self.graph, self.coloring, self.colors)
        return facts_html(self._facts(), picture)

    def _facts(self) -> list[tuple[str, str]]:
        number = f"{self.colors}" if self.colors is not None else "none found"
        if self.optimal:
            number += " (optimal)" if not self.graph.doubt else " (optimal for the edges read)"
        size = f"{self.graph.n:,} vertices, {len(self.graph.edges):,} edges"
        checked = ("checked", "every edge" if self.verified else "NO: AN EDGE IS WRONG")
        if self.colors is None:
            wrong = f"{-self.score:g} in the best attempt" if self.playouts else "nothing was tried"
            checked = ("wrong edges", wrong)
        doubt = [("WARNING", f"{self.graph.doubt}: is it whole?")] if self.graph.doubt else []
        return [
            ("graph", f"{self.instance} ({size})".strip()),
            *doubt,
            ("colours", number),
            ("lower bound", f"{self.lower_bound}"),
            checked,
            (
                "algorithm",
                algorithm_text(self.algorithm, self.options),
            ),
            ("playouts", f"{self.playouts:,} in {self.seconds:.2f} s"),
            ("stopped by", self.stopped_by),
            ("seed", f"{self.seed}"),
        ]


def color(
    graph: Any,
    algorithm: Algorithm | str | None = None,
    stop: Stop | float | str | None = None,
    *,
    k: int | None = None,
    seed: int | None = None,
    workers: int = 1,
    compiled: bool = True,
    progress: Callable[[Progress], None] | None = None,
    **options: Any,
) -> Coloring:
    """Colour a graph with few colours.

    Parameters
    ----------
    graph : networkx graph, pairs of vertices, Graph, or str
        A text is what `playout color` takes: a file, `random:SEED`, or `dimacs/NAME`.
    algorithm : Algorithm or str
        What decides each number of colours; "head" if none is given. A text is
        `NAME:OPTION=VALUE,...`, "head", "dsatur" or "sat".
    stop : Stop
        `Seconds` and `Playouts` count over all numbers of colours; 10 seconds if neither is given.
        The score is minus the number of colours: `Target(-12)` looks for no fewer than 12.
    seconds, playouts
        The same by name: `color(graph, seconds=60)`.
    k : int
        Only find a colouring with this many colours.
    progress : callable
        Called with a `Progress` about ten times a second.
    options
        `polish_steps`, as of `GraphColoring`, of HEAD the least; and for `random:SEED` its `n` and
        `density`.
        Forward checking is left out when playouts are polished.

    Examples
    --------
    >>> import playout as po
    >>> found = po.color([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")])
    >>> found.colors, found.lower_bound, found.optimal
    (3, 3, True)
    """
    named = budget_in(options)
    graph = _graph(graph, options)
    algorithm = _algorithm(algorithm)
    if k is not None and k < 1:
        raise OptionError(f"k={k}: a whole number from 1")
    stop, enough = _budget(stop_of(stop, Never(), named))
    if enough and k is not None:
        raise OptionError(f"enough={enough}: a whole number from 1, and not together with k")
    seed = secrets.randbits(31) if seed is None else seed
    search = {"seed": seed, "workers": workers, "compiled": compiled, "progress": progress}
    began = time.perf_counter()
    clique = large_clique(graph, seconds=CLIQUE_SHARE * _seconds(stop))
    lower = len(clique)
    best = dsatur(graph)
    number = len(set(best))
    spent = _Spent(time.perf_counter() - began)
    curve = [[round(spent.seconds, 6), 0, -float(number)]]
    goal = max(lower, enough) if k is None else k
    if k is not None and k < lower:
        spent.stopped_by = "clique"
    head = None
    while number > goal and not spent.stopped_by:
        if algorithm == "dsatur":
            spent.stopped_by = "dsatur"
            break
        tried = number - 1 if k is None else k
        if algorithm == "head":
            left = _left(stop, spent)
            if left is None:
                break
            if head is None:
                head = HeadSearch(graph, seed, workers, compiled, options.get("polish_steps"))
            found = _by_head(head, tried, best, left, progress, spent)
        elif isinstance(algorithm, str):
            answer, found = _by_sat(graph, tried, stop, spent)
            if answer is False:
                lower = tried + 1
        else:
            left = _left(stop, spent)
            if left is None:
                break
            steps, checking = options.get("polish_steps"), not algorithm.polish
            problem = GraphColoring(graph, k=tried, checking=checking, polish_steps=steps)
            found = _by_search(problem, algorithm, left, search, spent)
        if not found:
            break
        best, number = found, len(set(found))
        curve.append([round(spent.seconds, 6), spent.playouts, -float(number)])
    reached = k is None or number <= k
    if not spent.stopped_by:
        spent.stopped_by = "optimal" if number == lower else "k" if k else "enough"
    return Coloring(
        graph=graph,
        instance=graph.name,
        algorithm=algorithm if isinstance(algorithm, str) else algorithm.name,
        options={} if isinstance(algorithm, str) else json.loads(json.dumps(algorithm.options())),
        seed=seed,
        colors=number if reached else None,
        coloring=[c + 1 for c in _numbered(best)] if reached else [],
        lower_bound=lower,
        score=-float(number) if reached else spent.wrong,
        playouts=spent.playouts,
        seconds=round(spent.seconds, 6),
        verified=not reached or _is_proper(graph, best),
        stopped_by=spent.stopped_by,
        clique=[graph.labels[v] for v in clique],
        curve=curve,
    )


@dataclass
class _Spent:
    """What has been spent so far, over all numbers of colours, and what came of it."""

    seconds: float = 0.0
    playouts: int = 0
    stopped_by: str = ""
    wrong: float = 0.0


def _graph(graph: Any, options: dict[str, Any]) -> Graph:
    if not isinstance(graph, str):
        for name in options.keys() - {"polish_steps"}:
            raise OptionError(f"{name} is an option of graphs that are named by a text")
        return Graph.of(graph)
    problem, name = find_instance(GraphColoring, graph, **{**options, "k": 1})
    words = [f"{key}={value}" for key, value in options.items()]
    return replace(problem.graph, name=" ".join([name, *words]))


def _algorithm(algorithm: Algorithm | str | None) -> Algorithm | str:
    if algorithm is None:
        return "head"
    if isinstance(algorithm, Algorithm) or algorithm in NAMED:
        return algorithm
    if isinstance(algorithm, str):
        return load_algorithm(algorithm)
    raise OptionError(
        f"algorithm {algorithm!r}: an Algorithm, or the name of one, head, dsatur or sat"
    )


def _budget(stop: Stop) -> tuple[Stop, int]:
    """When to stop, and the number of colours that is enough; 0 if none is said to be."""
    parts = [part for part in stop.parts() if not isinstance(part, Never)]
    targets = [part.score for part in parts if isinstance(part, Target)]
    others = [part for part in parts if not isinstance(part, Target)] or [Seconds(10.0)]
    return AnyOf(tuple(others)), max(0, math.floor(-min(targets))) if targets else 0


def _seconds(stop: Stop) -> float:
    """The seconds that a run has, infinitely many where no criterion says."""
    return min(
        (part.seconds for part in stop.parts() if isinstance(part, Seconds)), default=math.inf
    )


def _left(stop: Stop, spent: _Spent) -> Stop | None:
    """What is left of the budget for the next number of colours; None if nothing is."""
    left: Stop = Target(0.0)
    for part in stop.parts():
        if isinstance(part, Seconds):
            if spent.seconds >= part.seconds:
                spent.stopped_by = "seconds"
                return None
            part = Seconds(part.seconds - spent.seconds)
        elif isinstance(part, Playouts):
            if spent.playouts >= part.playouts:
                spent.stopped_by = "playouts"
                return None
            part = Playouts(part.playouts - spent.playouts)
        left |= part
    return left


def _by_search(
    problem: GraphColoring, algorithm: Algorithm, stop: Stop, search: dict[str, Any], spent: _Spent
) -> list[int]:
    """A colouring that a search finds; empty if it finds none."""
    result = solve(problem, algorithm, stop, **search)
    spent.seconds += result.seconds
    spent.playouts += result.playouts
    spent.wrong = result.score
    if not result.verified:
        raise PlayoutError(f"the replay with {problem.k} colours does not agree")
    if result.score < 0:
        spent.stopped_by = result.stopped_by
        return []
    if result.stopped_by == "interrupt":
        spent.stopped_by = "interrupt"
    return problem.coloring(problem.as_moves(result.records))


def _by_head(
    head: HeadSearch,
    k: int,
    known: list[int],
    stop: Stop,
    progress: Callable[[Progress], None] | None,
    spent: _Spent,
) -> list[int]:
    """A colouring that HEAD finds; empty if it finds none."""
    outcome = head.find(k, known, stop, progress, (spent.seconds, spent.playouts))
    spent.seconds += outcome.seconds
    spent.playouts += outcome.playouts
    spent.wrong = 0.0 - outcome.wrong
    spent.stopped_by = outcome.stopped_by
    return outcome.coloring or []


def _by_sat(graph: Graph, k: int, stop: Stop, spent: _Spent) -> tuple[bool | None, list[int]]:
    """What SAT says of k colours; its conflicts are its playouts."""
    most = min((p.playouts for p in stop.parts() if isinstance(p, Playouts)), default=math.inf)
    left, conflicts = min(_seconds(stop), 1e9) - spent.seconds, most - spent.playouts
    if left <= 0 or conflicts <= 0:
        spent.stopped_by = "seconds" if left <= 0 else "playouts"
        return None, []
    began = time.perf_counter()
    answer, found, played = sat_coloring(graph, k, left, conflicts)
    spent.seconds += time.perf_counter() - began
    spent.playouts += played
    if answer is None:
        spent.stopped_by = "playouts" if played >= conflicts else "seconds"
    return answer, found


def _is_proper(graph: Graph, colours: list[int]) -> bool:
    try:
        verify_coloring(graph, colours)
    except PlayoutError:
        return False
    return True


def _numbered(colours: list[int]) -> list[int]:
    """The same colouring with colours 0, 1, 2, ... in the order in which they come."""
    numbers = {c: i for i, c in enumerate(dict.fromkeys(colours))}
    return [numbers[c] for c in colours]
