"""`playout color`: colour a graph with as few colours as can be found."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from playout.cli.arguments import COUNT, SEED, WORKERS, Parser, as_dict, duration, whole
from playout.cli.failures import INTERRUPTED
from playout.cli.live_line import search_line
from playout.cli.outputs import output_file, prints_aside, refuse_show_with_json
from playout.cli.plain_terminal import visible
from playout.errors import OptionError

if TYPE_CHECKING:
    from playout.algorithms.algorithm import Algorithm
    from playout.problems.coloring.graph_files import Graph
    from playout.tasks import Coloring

USAGE = "playout color GRAPH [-k N] [-a ALGORITHM] [-o NAME=VALUE]... [options]"

DESCRIPTION = """\
Colour the vertices of a graph so that neighbours differ. The number of colours is lowered from
DSatur's until no colouring is found in time, or a clique of as many vertices shows that it cannot
be lowered. Every edge of the colouring is then checked. GRAPH is a DIMACS .col file, which may be
gzipped, an edge list, random:SEED, or a name in a collection of the data folder $PLAYOUT_DATA.
"""

EPILOG = """\
examples:
  playout color graph.col --seconds 60 --save graph.sol
      as few colours as a minute finds, and the colouring as a file
  playout color conflicts.txt -k 12
      a colouring with 12 colours, or word that none was found
  playout color dimacs/le450_15c -a nrpa -o level=7 --seconds 5m
      the paper's own search, without the local search that is the default
  playout color graph.col --check graph.sol
      is this file a colouring of that graph?

exit code: 0 with a colouring, 1 if -k N or --check fails, 2 for a mistake in the command, 130 after
Ctrl-C
"""

COLORS = whole(1, "number of colours")


def add(parser: Parser) -> None:
    """Declare the arguments."""
    what = parser.group("what to colour")
    what("GRAPH", "a file, random:SEED, or dimacs/NAME", dest="instance")
    what("-k N", "find a colouring with N colours, no fewer", COLORS)
    what("--enough N", "lower the number of colours down to N, not further", COLORS)
    what.problem_options(", such as polish_steps=50000 or, for random graphs, n=200")
    how = parser.group("how to search")
    how(
        "-a ALGORITHM",
        "see playout list algorithms; or head, dsatur or sat (default: head, which has no options; "
        "with some: gnrpa -o level=3 -o N=50 --polish)",
        dest="algorithm",
    )
    how.algorithm(name=None)
    how("--polish", "improve each playout by tabu search (-o polish=true)")
    how("--seed N", "seed of the random numbers (default: drawn, and shown)", SEED)
    how("--workers N", "threads (default: 1)", WORKERS, default=1)
    how("--interpreted", "run everything as plain Python: slow")
    stop = parser.group("when to stop")
    stop(
        "--seconds S",
        "after this time in all: 90, 1.5, 10m, 2h; compilation is not counted (default: 10)",
        duration,
    )
    stop("--playouts N", "after N playouts in all", COUNT)
    files = parser.group("files and printing")
    files("--save FILE", "write the colouring as a .sol file")
    files("--check FILE", "check a .sol file in place of searching")
    files("--show", "also print the colour classes")
    files.json_and_quiet()


def run(options: argparse.Namespace) -> int:
    """Colour, print and write what was asked for."""
    refuse_show_with_json(options)
    algorithm = _algorithm(options)
    graph = _graph(options)
    if not options.json:
        for note in graph.notes:
            if note != graph.doubt:  # of which there was a warning
                print(visible(f"playout: {graph.name}: {note}"), file=sys.stderr)
    if options.check is not None:
        return _check(options, graph)
    save = output_file("save", options.save, {"the graph": Path(options.instance)})
    found = _color(options, graph, algorithm)
    try:
        if save is not None and found.colors is not None:
            found.save(save)
    finally:
        if options.json:
            print(json.dumps(found.to_json(), allow_nan=False))
        else:
            print(_text(found, options.k))
            if options.show and found.colors is not None:
                for colour, members in enumerate(found.classes, 1):
                    print(f"{colour:>4}: {' '.join(map(str, members))}")
    if found.stopped_by == "interrupt":
        return INTERRUPTED
    return 0 if found.verified and found.colors is not None else 1


def _algorithm(options: argparse.Namespace) -> Algorithm | str:
    from playout.algorithms import load_algorithm
    from playout.tasks.fewest_colors import NAMED, POLISHED

    given = as_dict(options.options)
    if options.algorithm in NAMED:
        if given or options.polish:
            raise OptionError(f"{options.algorithm} has no options")
        return str(options.algorithm)
    if options.algorithm is None:
        if not given and not options.polish:
            return "head"
        given = {**{name: str(value) for name, value in POLISHED.items()}, **given}
    if options.polish:
        given.setdefault("polish", "true")
    return load_algorithm(options.algorithm or "gnrpa", given)


def _graph(options: argparse.Namespace) -> Graph:
    from playout.problems.coloring.graph_coloring import GraphColoring
    from playout.problems.instances import find_instance, parse_options

    given = as_dict(options.problem_options)
    if "k" in given:
        raise OptionError("give the number of colours as -k N")
    values = parse_options(GraphColoring, given)
    problem, name = find_instance(GraphColoring, options.instance, **{**values, "k": 1})
    options.polish_steps = values.get("polish_steps")
    words = [f"{key}={value}" for key, value in given.items()]
    return replace(problem.graph, name=" ".join([name, *words]))


def _color(options: argparse.Namespace, graph: Graph, algorithm: Algorithm | str) -> Coloring:
    from playout.stop import AnyOf, Playouts, Seconds, Stop, Target
    from playout.tasks import color

    parts: list[Stop] = []
    if options.seconds is not None or options.playouts is None:
        parts.append(Seconds(10.0 if options.seconds is None else options.seconds))
    if options.playouts is not None:
        parts.append(Playouts(options.playouts))
    if options.enough is not None:
        parts.append(Target(-options.enough))
    more = {} if options.polish_steps is None else {"polish_steps": options.polish_steps}
    aside = prints_aside(options.json)
    with aside, search_line(parts[0], "bounds ...", not (options.json or options.quiet)) as line:
        return color(
            graph,
            algorithm,
            AnyOf(tuple(parts)),
            k=options.k,
            seed=options.seed,
            workers=options.workers,
            compiled=not options.interpreted,
            progress=line.update,
            **more,
        )


def _check(options: argparse.Namespace, graph: Graph) -> int:
    from playout.problems.coloring.graph_files import parse_solution
    from playout.problems.coloring.referee import monochromatic
    from playout.text.input_files import read_text

    colours = parse_solution(read_text(options.check), options.check, graph)
    wrong = monochromatic(graph, colours)
    number = len(set(colours))
    if options.json:
        pairs = [[str(graph.labels[a]), str(graph.labels[b])] for a, b in wrong]
        print(json.dumps({"proper": not wrong, "colors": number, "wrong_edges": pairs}))
    elif wrong:
        a, b = (graph.labels[v] for v in wrong[0])
        print(f"no: {len(wrong):,} of {len(graph.edges):,} edges are wrong, such as {a} to {b}")
    else:
        print(f"yes: a colouring with {number} colours; all {len(graph.edges):,} edges checked")
    return 1 if wrong else 0


def _text(found: Coloring, k: int | None) -> str:
    text = str(found)
    if found.colors is None and found.stopped_by == "clique":
        few = " ".join(map(str, found.clique[:20])) + (" ..." if len(found.clique) > 20 else "")
        text += f"\n{k} colours are too few: these {len(found.clique)} are all neighbours: {few}"
    return text
