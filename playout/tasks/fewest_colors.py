"""`color`: lower the number of colours from DSatur's until no better colouring is found.

T. Cazenave, B. Negrevergne and F. Sikora, Monte Carlo Graph Coloring, section 6.1: each number of
colours is a search of its own, and begins with the number that DSatur's colouring has. A clique
is a bound from below: a colouring with as many colours as the clique has vertices is optimal.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playout.algorithms import GNRPA
from playout.algorithms.algorithm import Algorithm
from playout.errors import OptionError, PlayoutError
from playout.problems.coloring.bounds import dsatur, large_clique
from playout.problems.coloring.graph_coloring import GraphColoring
from playout.problems.coloring.graph_files import Graph, solution_text
from playout.problems.coloring.referee import verify_coloring
from playout.run.result import moves_from_lists
from playout.run.solve import solve
from playout.stop import Playouts, Progress, Seconds, Stop, Target
from playout.tasks.sat import sat_coloring

BASELINES = ("dsatur", "sat")
USUAL: dict[str, Any] = {"level": 3, "N": 50, "polish": True}  # of GNRPA


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

    def __str__(self) -> str:
        number = f"{self.colors}" if self.colors is not None else "none found"
        if self.optimal:
            number += " (optimal)"
        size = f"{self.graph.n:,} vertices, {len(self.graph.edges):,} edges"
        lines = [
            ("graph", f"{self.instance} ({size})".strip()),
            ("colours", number),
            ("lower bound", f"{self.lower_bound}"),
            ("checked", "every edge" if self.verified else "NO: AN EDGE IS WRONG"),
            ("algorithm", " ".join([self.algorithm, *_chosen(self.algorithm, self.options)])),
            ("playouts", f"{self.playouts:,} in {self.seconds:.2f} s"),
            ("stopped by", self.stopped_by),
            ("seed", f"{self.seed}"),
        ]
        if self.colors is None:
            wrong = f"{-self.score:g} in the best attempt" if self.playouts else "nothing was tried"
            lines[3] = ("wrong edges", wrong)
        return "\n".join(f"{name:<11}  {value}" for name, value in lines)


@dataclass
class _Standing:
    """What has been found and spent so far."""

    seconds: float = 0.0
    playouts: int = 0
    stopped_by: str = ""
    wrong: float = 0.0


def color(
    graph: Any,
    algorithm: Algorithm | str | None = None,
    *,
    k: int | None = None,
    enough: int | None = None,
    seconds: float | None = None,
    playouts: int | None = None,
    seed: int | None = None,
    workers: int = 1,
    polish_steps: int | None = None,
    compiled: bool = True,
    progress: Callable[[int, Progress], None] | None = None,
    instance: str = "",
) -> Coloring:
    """Colour a graph with few colours.

    Parameters
    ----------
    graph : networkx graph, pairs of vertices, or Graph
    algorithm : Algorithm, "dsatur" or "sat"
        What decides each number of colours; `GNRPA(level=3, N=50, polish=True)` if none is given.
    k : int
        Only find a colouring with this many colours.
    enough : int
        Look for no fewer colours than this.
    seconds, playouts : float, int
        When to stop, over all numbers of colours; 10 seconds if neither is given.
    polish_steps : int
        As of `GraphColoring`. Forward checking is left out when playouts are polished.

    Examples
    --------
    >>> from playout.tasks import color
    >>> found = color([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")])
    >>> found.colors, found.lower_bound, found.optimal
    (3, 3, True)
    """
    graph = Graph.of(graph)
    algorithm = GNRPA(**USUAL) if algorithm is None else algorithm
    if isinstance(algorithm, str) and algorithm not in BASELINES:
        raise OptionError(f"algorithm {algorithm!r}: an Algorithm, 'dsatur' or 'sat'")
    if k is not None and k < 1:
        raise OptionError(f"k={k}: a whole number from 1")
    if enough is not None and (enough < 1 or k is not None):
        raise OptionError(f"enough={enough}: a whole number from 1, and not together with k")
    if seconds is None and playouts is None:
        seconds = 10.0
    seed = secrets.randbits(31) if seed is None else seed
    began = time.perf_counter()
    clique = large_clique(graph)
    lower = len(clique)
    best = dsatur(graph)
    number = len(set(best))
    curve = [[round(time.perf_counter() - began, 6), 0, -float(number)]]
    standing = _Standing()
    goal = max(lower, enough or 0) if k is None else k
    if k is not None and k < lower:
        standing.stopped_by = "clique"
    while number > goal and not standing.stopped_by:
        if algorithm == "dsatur":
            standing.stopped_by = "dsatur"
            break
        tried = number - 1 if k is None else k
        if isinstance(algorithm, str):
            answer, found = _by_sat(graph, tried, seconds, standing)
            if answer is False:
                lower = tried + 1
        else:
            problem = GraphColoring(
                graph, k=tried, checking=not algorithm.polish, polish_steps=polish_steps
            )
            stop = _stop(seconds, playouts, standing)
            if stop is None:
                break
            found = _by_search(
                problem, algorithm, stop, seed, workers, compiled, progress, standing
            )
        if not found:
            break
        best, number = found, len(set(found))
        curve.append([round(standing.seconds, 6), standing.playouts, -float(number)])
    reached = k is None or number <= k
    if not standing.stopped_by:
        standing.stopped_by = "optimal" if number == lower else "k" if k else "enough"
    return Coloring(
        graph=graph,
        instance=instance,
        algorithm=algorithm if isinstance(algorithm, str) else algorithm.name,
        options={} if isinstance(algorithm, str) else json.loads(json.dumps(algorithm.options())),
        seed=seed,
        colors=number if reached else None,
        coloring=[c + 1 for c in _numbered(best)] if reached else [],
        lower_bound=lower,
        score=-float(number) if reached else standing.wrong,
        playouts=standing.playouts,
        seconds=round(standing.seconds, 6),
        verified=not reached or _is_proper(graph, best),
        stopped_by=standing.stopped_by,
        clique=[graph.labels[v] for v in clique],
        curve=curve,
    )


def _stop(seconds: float | None, playouts: int | None, standing: _Standing) -> Stop | None:
    """What is left of the budget; None if nothing is."""
    stop: Stop = Target(0.0)
    if seconds is not None:
        if standing.seconds >= seconds:
            standing.stopped_by = "seconds"
            return None
        stop |= Seconds(seconds - standing.seconds)
    if playouts is not None:
        if standing.playouts >= playouts:
            standing.stopped_by = "playouts"
            return None
        stop |= Playouts(playouts - standing.playouts)
    return stop


def _by_search(
    problem: GraphColoring, algorithm: Algorithm, stop: Stop, seed: int, workers: int,
    compiled: bool, progress: Callable[[int, Progress], None] | None, standing: _Standing,
) -> list[int]:  # fmt: skip
    """A colouring that a search finds; empty if it finds none."""
    look = None
    if progress is not None:
        tell = progress

        def look(state: Progress) -> None:
            tell(problem.k, state)

    result = solve(
        problem, algorithm, stop, seed=seed, workers=workers, compiled=compiled, progress=look
    )
    standing.seconds += result.seconds
    standing.playouts += result.playouts
    standing.wrong = result.score
    if not result.verified:
        raise PlayoutError(f"the replay with {problem.k} colours does not agree")
    if result.score < 0:
        standing.stopped_by = result.stopped_by
        return []
    if result.stopped_by == "interrupt":
        standing.stopped_by = "interrupt"
    return problem.coloring(moves_from_lists(problem, result.records))


def _by_sat(
    graph: Graph, k: int, seconds: float | None, standing: _Standing
) -> tuple[bool | None, list[int]]:
    left = 1e9 if seconds is None else seconds - standing.seconds
    if left <= 0:
        standing.stopped_by = "seconds"
        return None, []
    began = time.perf_counter()
    answer, found = sat_coloring(graph, k, left)
    standing.seconds += time.perf_counter() - began
    standing.playouts += 1
    if answer is None:
        standing.stopped_by = "seconds"
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


def _chosen(algorithm: str, options: dict[str, Any]) -> list[str]:
    """The options that are not the algorithm's defaults."""
    from playout.algorithms import ALGORITHMS

    cls = ALGORITHMS.get(algorithm)
    usual = {} if cls is None else json.loads(json.dumps(cls().options()))
    return [f"{name}={value}" for name, value in options.items() if usual.get(name) != value]
