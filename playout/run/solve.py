"""`solve`: search a problem and return a result that was checked by replay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Unpack

from playout.algorithms.algorithm import Algorithm
from playout.contract import Problem
from playout.run.result import Result
from playout.run.search import Search
from playout.stop import Limits, Progress, Stop, stop_of
from playout.text.live_words import search_shown
from playout.text.notebook_line import watched


def solve(
    problem: Problem | str,
    algorithm: Algorithm | str | None = None,
    stop: Stop | float | str | None = None,
    *,
    seed: int | None = None,
    workers: int = 1,
    parallel: str = "root",
    compiled: bool = True,
    open: bool = False,
    checkpoint: str | Path | None = None,
    checkpoint_every: float = 10.0,
    progress: Callable[[Progress], None] | None = None,
    instance: str = "",
    cluster: str | None = None,
    start: Any = None,
    bound: float | None = None,
    best: int = 1,
    **limits: Unpack[Limits],
) -> Result:
    """Search a problem for the sequence of moves with the highest score, or the lowest cost.

    Parameters
    ----------
    problem : Problem, or text
        In text as on the command line: `"samegame"`, `"my_problem.py:Knapsack"`, with options
        `"tsptw:objective=makespan"`.
    algorithm : Algorithm, or text
        One of the option classes; in text `"nrpa:level=3"`. If none is given, `auto`: what suits
        the problem is found while it is searched.
    stop : Stop, seconds or text
        When to stop, `Seconds(10)` if none is given; criteria combine with `|`. In text `"10m"`
        or `"5000 playouts"`.
    seconds, playouts, target
        The same by name, `solve(problem, seconds=60, target=3000)`: the first that holds ends the
        run.
    seed : int
        The same seed and the same `Playouts` give the same result, bit for bit. Without one, a
        random seed is drawn, or that of the checkpoint is taken; it is in the result.
    workers : int
        Threads. With `parallel="root"` each runs a search of its own; with `parallel="leaf"` they
        share out the playouts of each batch of one search (GNRPA's P times beam, NMCS's moves).
        With `parallel="processes"` they are processes that share out what `evaluate` has to do: for
        objectives in plain Python that hold its global lock.
    compiled : bool
        False runs everything as plain Python.
    open : bool
        Search a problem with luck or hidden things in it as if all were known, from the start that
        `reset` writes; the result says so.
    checkpoint : path
        Go on from this file if it exists; write it every `checkpoint_every` seconds and at the
        end.
    start : Result, or list of moves
        A whole solution that is known, as a result, move texts or records: the run begins with it
        and ends with nothing worse.
    bound : float
        A score that none can be better than (a cost: lower than), in place of the problem's own
        `bound()`. The run ends when it is reached, and the result tells the gap.
    best : int
        Keep so many solutions that end in different states: `result.solutions`.
    progress : callable
        Called with a `Progress` about ten times a second. Without one, a notebook shows a line
        while its cell runs.
    instance : str
        Of a problem given as text, the instance: a file, `random:7`, `standard/1`. Of an object, a
        name for its data, for the result and the checkpoint.
    cluster : str
        Have the workers on nodes of a Ray cluster: `"auto"` (that of `$RAY_ADDRESS` or of this
        machine), `"HOST:PORT"`, or `"local"`, one of this machine alone, to try it. The result is
        that of as many threads, bit for bit, whatever becomes of the nodes.

    Raises
    ------
    PlayoutError
        For anything that the caller can mend: an option, a problem that breaks the contract, a
        checkpoint of another run, a file that cannot be written.

    Examples
    --------
    >>> import playout as po
    >>> result = po.solve(po.problems.Maximum(9), po.NMCS(level=2), po.Playouts(500), seed=1)
    >>> result.score, result.verified
    (6.0, True)
    >>> po.solve("maximum:n=9", "nmcs:level=2", "500 playouts", seed=1).score
    6.0
    """
    search = Search(
        problem,
        algorithm,
        stop,
        seed=seed,
        workers=workers,
        parallel=parallel,
        compiled=compiled,
        open=open,
        checkpoint=checkpoint,
        checkpoint_every=checkpoint_every,
        instance=instance,
        cluster=cluster,
        start=start,
        bound=bound,
        best=best,
        **limits,
    )
    until = stop_of(stop, 10, limits)
    first = "compiling ..." if compiled else "starting ..."
    with watched(progress, lambda now: search_shown(until, now), first) as told:
        return search.run(told)
